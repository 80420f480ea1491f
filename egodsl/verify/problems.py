"""What goes wrong with a scenario: a diagnostic that ends it, as an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.source.diagnostics import Diagnostic, Label
from egodsl.source.registry import CODES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.faults import Fault
    from egodsl.source.span import Span

MOST_LISTED = 8
"""Moves, outcomes or cards that a message lists before it says `...`."""


class ProblemError(Exception):
    """Raised where a scenario cannot go on; caught where scenarios are run."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def problem(
    code: str,
    span: Span,
    message: str,
    *,
    help: str | None = None,
    labels: tuple[Label, ...] = (),
    notes: tuple[str, ...] = (),
) -> ProblemError:
    """An error with a code of the registry, to be raised."""
    return ProblemError(Diagnostic(CODES[code], message, span, help=help, labels=labels, notes=notes))


def faulty(fault: Fault, span: Span) -> ProblemError:
    """A fault of the rules while the line at `span` is carried out."""
    found = fault.diagnostic
    labels = (Label(found.span, "the rule is here"),) if found.span is not None and found.span != span else ()
    message = f"the rules cannot go on here: {found.message}"
    return problem("EGO817", span, message, help=found.help, labels=labels, notes=(f"the fault is {found.code}",))


def listed(words: Iterable[str]) -> str:
    """The words in backticks, the first few of them; `none` if there are none."""
    every = list(words)
    shown = ", ".join(f"`{word}`" for word in every[:MOST_LISTED])
    return f"{shown}, ..." if len(every) > MOST_LISTED else shown or "none"
