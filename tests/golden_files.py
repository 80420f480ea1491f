"""Golden files: what is said about a rulebook, kept beside it.

With `EGODSL_GOLDEN=write` in the environment they are written anew, to be read by a person before they are kept.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import render_concise, render_full, summary

GOLDEN = Path(__file__).parent / "golden"


def rendered(diagnostics: Sequence[Diagnostic]) -> str:
    """One line for each diagnostic, then each in full."""
    concise = [render_concise(diagnostic) for diagnostic in diagnostics]
    full = [render_full(diagnostic) for diagnostic in diagnostics]
    return "\n".join([*concise, summary(diagnostics), "", *full, ""])


def assert_golden(path: Path, text: str) -> None:
    """`text` must be what the file at `path` holds."""
    if os.environ.get("EGODSL_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
