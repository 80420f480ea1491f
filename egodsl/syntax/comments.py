"""Comments: kept beside the tree, for whoever writes a file back."""

from __future__ import annotations

import attrs

from egodsl.source.span import Span


@attrs.frozen
class Comment:
    """`# text`, up to the end of its line. `text` is what follows the `#`; `own_line`: nothing stands before it."""

    span: Span
    text: str
    own_line: bool
