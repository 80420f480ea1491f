"""Diagnostics as text and as JSON. Pure functions: nothing here prints.

A screen is not trusted: control characters and marks that reorder text are shown as U+FFFD, wherever they come from.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import attrs

from egodsl.source.diagnostics import Diagnostic, Severity
from egodsl.source.span import Span
from egodsl.source.text import SourceText

LINE_WIDTH = 110
"""A longer line of the source is clipped to about this many characters round the place that matters."""

_BEFORE = 40
_TAB = 4
_BAD = "\N{REPLACEMENT CHARACTER}"
_UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_GUTTER = "\x1b[1;34m"
_COLORS = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}


@attrs.frozen
class _Mark:
    # An underline on one line: characters start..end of it (from 0, end not included, and never empty).
    line: int
    start: int
    end: int
    sign: str
    message: str


def render_full(diagnostic: Diagnostic, *, color: bool = False) -> str:
    """The diagnostic for a person: a header, the lines it speaks of with what matters underlined, then the advice.

    No line end at the end. With `color`, ANSI codes.
    """
    paint = _Paint(color=color, accent=_COLORS[diagnostic.severity])
    head = paint.accented(f"{diagnostic.severity}[{diagnostic.code}]") + paint.bold(
        f": {_one_line(diagnostic.message)}"
    )
    groups = _marks(diagnostic)
    numbers = [mark.line for _, marks in groups for mark in marks]
    margin = len(str(max(numbers, default=1)))
    out = [head]
    for index, (source, marks) in enumerate(groups):
        first = marks[0] if marks else None
        place = f":{first.line}:{first.start + 1}" if first else ""
        arrow = "-->" if index == 0 else ":::"
        out.append(f"{' ' * margin}{paint.gutter(arrow)} {_one_line(source.path)}{place}")
        if marks:
            out.append(paint.gutter(f"{' ' * margin} |"))
            out.extend(_snippet(source, marks, margin, paint))
    for title, text in [("help", diagnostic.help), *(("note", note) for note in diagnostic.notes)]:
        if text:
            out.extend(_advice(title, text, margin, paint))
    return "\n".join(out)


def render_concise(diagnostic: Diagnostic) -> str:
    """The diagnostic on one line: `file:line:column: error[EGO301] message`."""
    return _one_line(str(diagnostic))


def to_json(diagnostic: Diagnostic) -> dict[str, object]:
    """The diagnostic as what `json.dumps` takes. Lines and columns count from 1; `end` is just past the last character.

    Keys: `code`, `name`, `severity`, `message`, `span` (or None), `labels` (each `message` and `span`), `help` (or
    None), `notes`. A span is `file`, `start` and `end`, each of these `line` and `column`.
    """
    return {
        "code": diagnostic.code.number,
        "name": diagnostic.code.name,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "span": None if diagnostic.span is None else _json_span(diagnostic.span),
        "labels": [{"message": label.message, "span": _json_span(label.span)} for label in diagnostic.labels],
        "help": diagnostic.help,
        "notes": list(diagnostic.notes),
    }


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """How many there are: `2 errors, 1 warning`. Notes are not counted; `no problems` if nothing is left."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = [(severities.count(severity), severity.value) for severity in (Severity.ERROR, Severity.WARNING)]
    return ", ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counts if n) or "no problems"


def _json_span(span: Span) -> dict[str, object]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.path,
        "start": {"line": line, "column": column},
        "end": {"line": end_line, "column": end_column},
    }


def _marks(diagnostic: Diagnostic) -> list[tuple[SourceText, list[_Mark]]]:
    # By file, the primary place's file first; in each, the mark that its header names comes first.
    groups: dict[SourceText, list[_Mark]] = {}
    if diagnostic.span is not None:
        groups[diagnostic.span.source] = _marks_of(diagnostic.span, "^", "")
    for label in diagnostic.labels:
        groups.setdefault(label.span.source, []).extend(_marks_of(label.span, "-", _one_line(label.message)))
    return list(groups.items())


def _marks_of(span: Span, sign: str, message: str) -> list[_Mark]:
    source = span.source
    if not source.text:
        return []
    # Line ends at the end of a span are not worth showing: what they end is.
    end = span.start + len(span.text.rstrip("\n"))
    line, column = source.position(span.start)
    last, last_column = source.position(max(end, span.start))
    if line == last:
        return [_Mark(line, column - 1, max(last_column - 1, column), sign, message)]
    whole = len(source.line(line))
    text = source.line(last)
    indent = len(text) - len(text.lstrip())
    return [
        _Mark(line, column - 1, max(whole, column), sign, ""),
        _Mark(last, min(indent, last_column - 2), last_column - 1, sign, message),
    ]


def _snippet(source: SourceText, marks: list[_Mark], margin: int, paint: _Paint) -> list[str]:
    out: list[str] = []
    by_line: dict[int, list[_Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    previous = 0
    for number in sorted(by_line):
        if previous and number > previous + 1:
            out.append(paint.gutter("..."))
        out.extend(_marked_line(source.line(number), by_line[number], margin, paint))
        previous = number
    return out


def _marked_line(line: str, marks: list[_Mark], margin: int, paint: _Paint) -> list[str]:
    # A clipped line shows one window; marks that begin outside it get the line again with a window of their own.
    out: list[str] = []
    while marks:
        left, right = _window(len(line), marks[0])
        inside = [mark for mark in marks if left <= mark.start <= right]
        marks = [mark for mark in marks if mark not in inside]
        cells = _cells(line[left:right])
        before, after = "…" if left else "", "…" if right < len(line) else ""
        shown = f"{before}{''.join(cells)}{after}".rstrip()
        gutter = paint.gutter(f"{inside[0].line:>{margin}} |")
        out.append(f"{gutter} {shown}" if shown else gutter)
        for mark in inside:
            skip = len(before) + _width(cells[: mark.start - left])
            size = max(1, _width(cells[mark.start - left : max(0, min(mark.end, right) - left)]))
            under = paint.mark(mark.sign * size + (f" {mark.message}" if mark.message else ""), mark.sign)
            out.append(f"{paint.gutter(' ' * margin + ' |')} {' ' * skip}{under}")
    return out


def _window(length: int, mark: _Mark) -> tuple[int, int]:
    if length <= LINE_WIDTH:
        return 0, length
    left = max(0, min(mark.start - _BEFORE, length - LINE_WIDTH))
    return left, left + LINE_WIDTH


def _cells(text: str) -> list[str]:
    # What is shown for each character. A tab goes on to the next stop, counted from where the shown text begins.
    cells: list[str] = []
    column = 0
    for char in text:
        cell = " " * (_TAB - column % _TAB) if char == "\t" else _shown(char)
        cells.append(cell)
        column += _width([cell])
    return cells


def _shown(char: str) -> str:
    return _BAD if unicodedata.category(char) in _UNSHOWN else char


def _width(cells: list[str]) -> int:
    # Columns on a screen: two for a wide character, none for one that combines with the one before it.
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for cell in cells
        for char in cell
    )


def _one_line(text: str) -> str:
    return "".join(" " if char in "\n\t" else _shown(char) for char in text)


def _advice(title: str, text: str, margin: int, paint: _Paint) -> list[str]:
    lead = f"{' ' * margin} = "
    first, *rest = text.split("\n")
    further = [f"{' ' * (len(lead) + len(title) + 2)}{_one_line(line)}".rstrip() for line in rest]
    return [f"{' ' * margin} {paint.gutter('=')} {paint.bold(f'{title}:')} {_one_line(first)}", *further]


@attrs.frozen
class _Paint:
    color: bool
    accent: str

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text

    def accented(self, text: str) -> str:
        return self._in(self.accent, text)

    def bold(self, text: str) -> str:
        return self._in(_BOLD, text)

    def gutter(self, text: str) -> str:
        return self._in(_GUTTER, text)

    def mark(self, text: str, sign: str) -> str:
        return self._in(self.accent if sign == "^" else _GUTTER, text)
