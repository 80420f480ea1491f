"""Citations in prose: ids of sentences in square brackets, such as `[EW-24]` or `[EW-24, EW-25]`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from egodsl.provenance.index import SourceIndex
from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span

MOST_SUGGESTIONS = 20
"""How many unknown ids are compared with all known ones, so that a thousand mistakes do not take minutes to report."""

# With a hyphen an id is told by a digit after it, whatever the case (so that `[ew-24]` is found and reported, and
# `[face-up]` is not one); without, by a capital first and a digit last, as in `EWr3`.
_ID = r"(?:[A-Za-z][A-Za-z0-9]*-[A-Za-z]*[0-9][A-Za-z0-9]*|[A-Z][A-Za-z]*[0-9]+)"
_GROUP = re.compile(rf"\[\s*{_ID}(?:[,;\s]+{_ID})*[,;\s]*\]")
_ONE = re.compile(_ID)


def find_citations(text: str, base: int = 0) -> list[tuple[str, int, int]]:
    """The ids cited in a piece of prose, each with the offsets of its first character and past its last one.

    `base` is added to the offsets: the place of `text` in the file. Brackets with anything but ids in them are text.
    """
    return [
        (one.group(), base + one.start(), base + one.end())
        for group in _GROUP.finditer(text)
        for one in _ONE.finditer(text, group.start(), group.end())
    ]


def check_citations(citations: Iterable[tuple[str, Span]], index: SourceIndex) -> list[Diagnostic]:
    """An error for each citation, given as id and place, of a sentence that `index` does not have."""
    found = Diagnostics()
    suggestions: dict[str, str | None] = {}
    for cited, span in citations:
        if cited in index:
            continue
        if len(suggestions) < MOST_SUGGESTIONS and cited not in suggestions:
            suggestions[cited] = did_you_mean(cited, index.entries)
        help = suggestions.get(cited) or f"the sentences are listed in {index.span.source.path}"
        found.error("EGO601", span, f"the source `{index.name}` has no sentence `{cited}`", help=help)
    return list(found)
