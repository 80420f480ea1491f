"""Diagnostics as data: what is wrong, where, how bad, and what would mend it. How they look is `render`'s business."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from egodsl.source.codes.table import CODES, Code, Severity
from egodsl.source.span import Span

__all__ = ["Diagnostic", "DiagnosticError", "Diagnostics", "Label", "Severity", "quote", "sort_diagnostics"]

_LONGEST_QUOTE = 60


def quote(words: str) -> str:
    """The author's words in backticks for a message, on one line and clipped if they are long."""
    flat = " ".join(words[: 4 * _LONGEST_QUOTE].split())
    clipped = flat if len(flat) <= _LONGEST_QUOTE else f"{flat[: _LONGEST_QUOTE - 1]}…"
    return f"`{clipped}`"


@attrs.frozen
class Label:
    """A second place that matters, possibly in another file, and what it has to do with the matter."""

    span: Span
    message: str


@attrs.frozen
class Diagnostic:
    """One thing that is wrong.

    `message` is lower case, stands alone, names the author's words in backticks and has no final full stop. `span` is
    None only if there is no file at all to point into. `help` is the advice, `notes` are facts that explain the matter.
    """

    code: Code
    message: str
    span: Span | None = None
    severity: Severity = Severity.ERROR
    labels: tuple[Label, ...] = ()
    help: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether it stops the rulebook from being used."""
        return self.severity is Severity.ERROR

    @property
    def place(self) -> str:
        """`file:line:column`; the file alone if it has no text to point into; empty without a span."""
        if self.span is None:
            return ""
        return str(self.span) if self.span.source.text else self.span.source.path

    def __str__(self) -> str:
        """All on one line: `file:line:column: error[EGO301] message`."""
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.severity}[{self.code}] {self.message}"

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """By file, place, code, message; what has no place comes first."""
        if self.span is None:
            return ("", -1, -1, self.code.number, self.message)
        return (self.span.source.path, self.span.start, self.span.end, self.code.number, self.message)


def sort_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics by file, place and code, without repetitions: one code, place and message is one mistake."""
    unique: dict[tuple[str, int, int, str, str], Diagnostic] = {}
    for diagnostic in diagnostics:
        unique.setdefault(diagnostic.sort_key(), diagnostic)
    return [unique[key] for key in sorted(unique)]


class DiagnosticError(Exception):
    """Carries every diagnostic of the work that failed, sorted, in `diagnostics`."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sort_diagnostics(diagnostics))
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(str(diagnostic) for diagnostic in self.diagnostics)


class Diagnostics:
    """Collects what a pass has to say.

    A code is given as a Code or by its number (`"EGO101"`); a number that is not registered raises KeyError.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic] = ()) -> None:
        self._items: list[Diagnostic] = list(diagnostics)

    def error(
        self,
        code: Code | str,
        span: Span | None,
        message: str,
        *,
        help: str | None = None,
        labels: Sequence[Label] = (),
        notes: Sequence[str] = (),
    ) -> Diagnostic:
        """Add an error and give it back."""
        return self._add(code, span, message, Severity.ERROR, help, labels, notes)

    def warning(
        self,
        code: Code | str,
        span: Span | None,
        message: str,
        *,
        help: str | None = None,
        labels: Sequence[Label] = (),
        notes: Sequence[str] = (),
    ) -> Diagnostic:
        """Add a warning and give it back."""
        return self._add(code, span, message, Severity.WARNING, help, labels, notes)

    def note(
        self,
        code: Code | str,
        span: Span | None,
        message: str,
        *,
        help: str | None = None,
        labels: Sequence[Label] = (),
        notes: Sequence[str] = (),
    ) -> Diagnostic:
        """Add a note and give it back."""
        return self._add(code, span, message, Severity.NOTE, help, labels, notes)

    def _add(
        self,
        code: Code | str,
        span: Span | None,
        message: str,
        severity: Severity,
        help: str | None,
        labels: Sequence[Label],
        notes: Sequence[str],
    ) -> Diagnostic:
        known = code if isinstance(code, Code) else CODES[code]
        diagnostic = Diagnostic(known, message, span, severity, tuple(labels), help, tuple(notes))
        self._items.append(diagnostic)
        return diagnostic

    def add(self, diagnostic: Diagnostic) -> None:
        """Add one that is made already."""
        self._items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add those of another pass."""
        self._items.extend(diagnostics)

    @property
    def has_errors(self) -> bool:
        """Whether there is any error; warnings and notes do not count."""
        return any(diagnostic.is_error for diagnostic in self._items)

    def sorted(self) -> list[Diagnostic]:
        """All of them by file, place and code, without repetitions."""
        return sort_diagnostics(self._items)

    def raise_errors(self) -> None:
        """Raise DiagnosticError with all of them (warnings too) if there is any error."""
        if self.has_errors:
            raise DiagnosticError(self._items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
