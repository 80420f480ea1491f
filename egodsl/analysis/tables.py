"""Decks that stand in a table of their own: a CSV file beside the rulebook, as spreadsheets write it.

Each line of the table becomes a row of its components, with places in the table's own text, so that everything after
this treats it like a row of the rulebook. The first line names the columns: the fields of the cards and `copies`, which
may be left out. Fields are separated by what separates the names of the columns: commas, semicolons or tabs. An empty
cell leaves its field open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from egodsl.analysis.edits import evolved
from egodsl.analysis.files import folders
from egodsl.analysis.symbols import Program
from egodsl.source.diagnostics import Diagnostics, Label, quote
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.source.text import SourceText, read_source
from egodsl.syntax import nodes

COPIES = "copies"
_SEPARATORS = ",;\t"
_NUMBER = re.compile(r"(-?)([0-9]{1,18})")
_DIGITS = "write it in digits, of which there are six at most"
_COPIES = re.compile(r"-?[0-9]{1,6}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = {"true": True, "false": False}


@attrs.frozen
class _Cell:
    """The text of a cell without its quotation marks and outer white space, and where it stands."""

    text: str
    span: Span


def read_tables(program: Program, found: Diagnostics) -> None:
    """Put the rows of the tables that components are read from into `program`, and note their texts in it."""
    for name, decl in program.components.items():
        card = program.cards.get(decl.card.name)
        if not decl.files or card is None:
            continue
        rows = list(decl.rows)
        for file in decl.files:
            source = _source(file, found)
            if source is not None:
                program.tables.append(source)
                rows += _rows(source, card, found)
        program.components[name] = evolved(decl, rows=rows)


def is_text(kind: nodes.TypeNode) -> bool:
    """Whether a field is of type `text`, or `text?`."""
    inner = kind.inner if isinstance(kind, nodes.OptionalType) else kind
    return isinstance(inner, nodes.NamedType) and inner.name == "text"


# ---------------------------------------------------------------- files


def _source(file: nodes.Text, found: Diagnostics) -> SourceText | None:
    beside = Path(file.span.source.path)
    path = next((place for folder in folders(beside) if _is_file(place := folder / file.value)), None)
    if path is None:
        others = {one.name for folder in folders(beside) if folder.is_dir() for one in folder.glob("*.csv")}
        looked = f"it is looked for beside {beside.name}, in `library` there and above, and among what egodsl ships"
        hint = did_you_mean(file.value, others)
        found.error("EGO217", file.span, f"there is no table {quote(file.value)}", help=hint, notes=(looked,))
        return None
    try:
        source, unreadable = read_source(path)
    except OSError as error:
        message = f"the table {quote(file.value)} cannot be read: {error.strerror}"
        found.error("EGO217", file.span, message)
        return None
    if any(one.code.number == "EGO003" for one in unreadable):
        _empty(SourceText(str(path), ""), found)
        return None
    found.extend(unreadable)
    return source


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # such as a name that is too long for any file


def _empty(source: SourceText, found: Diagnostics) -> None:
    message = f"the table {quote(Path(source.path).name)} has no rows"
    advice = "the first line names the columns, each line after it is a card"
    found.error("EGO218", Span(source, 0, 0), message, help=advice)


# ---------------------------------------------------------------- cells


def _lines(source: SourceText, found: Diagnostics) -> Iterator[list[_Cell]]:
    """The lines that have something on them, as cells."""
    text = source.text
    head = text.partition("\n")[0]
    # Quoted names may hold anything, so what separates them is counted outside of quotation marks.
    bare = re.sub(r'"[^"]*"', "", head)
    separator = max(_SEPARATORS, key=bare.count)
    expression = re.compile(rf'[ ]*"(?P<quoted>(?:[^"]|"")*)"[ \t]*(?={separator}|\n|\Z)|(?P<plain>[^{separator}\n]*)')
    cells: list[_Cell] = []
    at = 0
    while at <= len(text):
        match = expression.match(text, at)
        assert match is not None  # the second way matches the empty text
        if match["quoted"] is None and match["plain"].lstrip().startswith('"'):
            _badly_quoted(source, match, found)
            return
        cells.append(_cell(source, match))
        at = match.end() + 1
        if at > len(text) or text[at - 1] == "\n":
            if any(cell.text for cell in cells):
                yield cells
            cells = []


def _cell(source: SourceText, match: re.Match[str]) -> _Cell:
    if match["quoted"] is not None:
        start, end = match.span("quoted")
        return _Cell(match["quoted"].replace('""', '"').strip(), Span(source, start - 1, end + 1))
    start, end = match.span("plain")
    words = match["plain"]
    start += len(words) - len(words.lstrip())
    return _Cell(words.strip(), Span(source, start, max(start, end - len(words) + len(words.rstrip()))))


def _badly_quoted(source: SourceText, match: re.Match[str], found: Diagnostics) -> None:
    start = match.start("plain") + match["plain"].index('"')
    found.error(
        "EGO218",
        Span(source, start, start + 1),
        "the quotation mark here is not closed before the cell ends",
        help='a cell in quotation marks ends with one; inside it, one is written twice: `""`',
    )


# ---------------------------------------------------------------- rows


def _rows(source: SourceText, card: nodes.CardDecl, found: Diagnostics) -> list[nodes.ComponentRow]:
    before = len(found)
    lines = list(_lines(source, found))
    if len(found) > before:
        return []
    if len(lines) < 2:  # noqa: PLR2004 - the names of the columns, and a card
        _empty(source, found)
        return []
    names, *rest = lines
    fields = _columns(names, rest, card, found)
    if fields is None:
        return []
    made: list[nodes.ComponentRow] = []
    for line in rest:
        while len(line) > len(fields) and not line[-1].text:
            line.pop()
        if len(line) != len(fields):
            message = f"this row has {len(line)} cells, and the table {len(fields)} columns"
            help_ = "a cell that holds what separates the cells is written in quotation marks"
            found.error("EGO403", _whole(line), message, help=help_)
        else:
            made.append(_row(line, fields, found))
    return made


def _columns(
    names: list[_Cell], rest: list[list[_Cell]], card: nodes.CardDecl, found: Diagnostics
) -> list[nodes.Field | None] | None:
    """What each column is for (None: the number of copies); None after an error."""
    while not names[-1].text and all(len(line) < len(names) or not line[len(names) - 1].text for line in rest):
        names.pop()  # spreadsheets leave empty columns behind
    known = {field.name.name: field for field in card.fields}
    first: dict[str, _Cell] = {}
    before = len(found)
    for number, cell in enumerate(names, start=1):
        if not cell.text:
            found.error("EGO218", _whole(names), f"column {number} of the table has no name")
        elif cell.text in first:
            message = f"the table has two columns {quote(cell.text)}"
            labels = (Label(first[cell.text].span, "the first is here"),)
            found.error("EGO503", cell.span, message, help="leave one of them out", labels=labels)
        elif cell.text not in known and cell.text != COPIES:
            message = f"a `{card.name.name}` has no field {quote(cell.text)}"
            hint = did_you_mean(cell.text, [*known, COPIES])
            columns = ", ".join(quote(name) for name in known)
            hint = hint or f"its fields are {columns}; how many there are of a card is the column {quote(COPIES)}"
            labels = (Label(card.name.span, "declared here"),)
            found.error("EGO307", cell.span, message, help=hint, labels=labels)
        first.setdefault(cell.text, cell)
    missing = [
        name for name, one in known.items() if name not in first and not isinstance(one.type, nodes.OptionalType)
    ]
    if missing and len(found) == before:
        listed = ", ".join(f"`{name}`" for name in missing)
        message = f"the table has no column for {listed}"
        found.error("EGO413", _whole(names), message, help=f"every `{card.name.name}` has one")
    return [known.get(cell.text) for cell in names] if len(found) == before else None


def _whole(line: list[_Cell]) -> Span:
    return line[0].span.join(line[-1].span)


def _row(line: list[_Cell], fields: list[nodes.Field | None], found: Diagnostics) -> nodes.ComponentRow:
    span = _whole(line)
    copies: nodes.Expr = nodes.Integer(1, span=span)
    values: list[nodes.NamedValue] = []
    for cell, field in zip(line, fields, strict=True):
        if field is None:
            copies = _copies(cell, span, found)
        elif cell.text:
            value = nodes.Text(cell.text, span=cell.span) if is_text(field.type) else _value(cell, found)
            values.append(nodes.NamedValue(nodes.Ident(field.name.name, span=cell.span), value, span=cell.span))
    return nodes.ComponentRow(copies, values, [], span=span)


def _copies(cell: _Cell, row: Span, found: Diagnostics) -> nodes.Expr:
    if not cell.text:
        found.error("EGO218", row, "this row does not say how many copies there are", help="write 0 for none")
    elif not _COPIES.fullmatch(cell.text):
        found.error("EGO218", cell.span, f"{quote(cell.text)} is no number of copies", help=_DIGITS)
    else:
        return _value(cell, found)
    return nodes.Integer(0, span=cell.span)


def _value(cell: _Cell, found: Diagnostics) -> nodes.Expr:
    number = _NUMBER.fullmatch(cell.text)
    if number is not None:
        size: nodes.Expr = nodes.Integer(int(number[2]), span=cell.span)
        return nodes.Negate(size, span=cell.span) if number[1] else size
    if cell.text in _WORDS:
        return nodes.Boolean(_WORDS[cell.text], span=cell.span)
    if cell.text == "none":
        return nodes.NoneValue(span=cell.span)
    if not _NAME.fullmatch(cell.text):
        message = f"{quote(cell.text)} is no value that a card can have"
        help_ = "write a number, the name of a value, `true` or `false`; a field of type `text` takes any words"
        found.error("EGO218", cell.span, message, help=help_)
    return nodes.Name(cell.text, span=cell.span)
