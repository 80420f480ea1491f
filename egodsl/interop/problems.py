"""What can go wrong between a rulebook and a framework that wants numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.source.diagnostics import Diagnostic, DiagnosticError
from egodsl.source.registry import CODES

if TYPE_CHECKING:
    from egodsl.source.span import Span


class InteropError(DiagnosticError):
    """A game that cannot be handed to a framework, or that does not keep what was promised of it; one diagnostic."""

    def __init__(self, code: str, message: str, help: str | None = None, span: Span | None = None) -> None:
        super().__init__([Diagnostic(CODES[code], message, span, help=help)])


class NotInstalledError(InteropError, ImportError):
    """A framework that is not installed, with the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        InteropError.__init__(
            self, "EGO923", f"the package `{package}` is not installed", f"pip install 'egodsl[{extra}]'"
        )
