"""Faults: a position from which the rules do not say how to go on.

Each has a code of the registry (EGO7xx) and a place in the rulebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.source.diagnostics import Diagnostic, DiagnosticError
from egodsl.source.registry import CODES

if TYPE_CHECKING:
    from egodsl.engine.record import Record
    from egodsl.source.span import Span


class Fault(Exception):
    """Raised while a rule runs, and turned into a GameFault at the edge of the engine."""

    def __init__(self, code: str, span: Span | None, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(CODES[code], message, span, help=help)


class GameFault(DiagnosticError):
    """A game that cannot go on: `diagnostic` says which rule and why, `record` replays the game up to there.

    The text is for the author of the rules and may tell hidden things; it is never shown to a player.
    """

    def __init__(self, diagnostic: Diagnostic, record: Record) -> None:
        super().__init__([diagnostic])
        self.diagnostic = diagnostic
        self.record = record
