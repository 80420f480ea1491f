"""The lines of a `.source` file, read by the grammar `grammars/source.lark`; a bad one is reported and passed over."""

from __future__ import annotations

import re
from functools import cache
from typing import cast

import attrs
from lark import Lark, TextSlice, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from egodsl.source.diagnostics import Diagnostics
from egodsl.source.resources import grammar_text
from egodsl.source.span import Span
from egodsl.source.text import SourceText

Line = Tree[Token]
"""A `head` or an `entry` of the grammar: its children are tokens, told apart by their types."""

_MOST_BAD_LINES = 20
_GIVEN_UP = "reading stopped here: too many lines of this file do not read"

_ENTRY_HELP = "a line is `ID KIND: the sentence in other words` or `ID KIND same as ID`"
_HEAD_HELP = 'a head is `source NAME "TITLE"`, and `adds to NAME` may follow'

# What belongs at a place, by a terminal that the grammar expects there, and the advice. The first that applies counts.
_WANTED = (
    ("ID", "the id of a sentence, such as `EW-05`", _ENTRY_HELP),
    ("SAME", "the id of a sentence, such as `EW-05`", _ENTRY_HELP),
    ("KIND", "the kind of the sentence", _ENTRY_HELP),
    ("_SAME_AS", "a colon and the sentence in other words", _ENTRY_HELP),
    ("_ADDS", "the end of the line or `adds to`", _HEAD_HELP),
    ("TITLE", "a title in quotation marks", _HEAD_HELP),
    ("_TO", "`to` and the name of an index", _HEAD_HELP),
    ("NAME", "a name in small letters", _HEAD_HELP),
    ("_NL", "a colon and what differs, or the end of the line", _ENTRY_HELP),
    ("PARAPHRASE", "a colon and the sentence in other words", _ENTRY_HELP),
)
_WORD = re.compile(r"[\w-]+|\S")


@attrs.frozen
class Lines:
    """What the file holds: its heads, its entries, and the first word of each line that could not be read."""

    heads: list[Line]
    entries: list[Line]
    bad: frozenset[str]


def read_lines(source: SourceText, found: Diagnostics) -> Lines:
    """Read all lines. For each bad one, add an error to `found` and go on below it; the twentieth is the last."""
    heads: list[Line] = []
    entries: list[Line] = []
    bad: list[str] = []
    start = 0
    while start < len(source.text):
        error = _read(source, start, len(source.text), heads, entries)
        if error is None:
            break
        line = source.line_of(error.place)
        begin = source.line_start(line)
        # The lines above the bad one were read without an error just now, so they will be again.
        _read(source, start, begin, heads, entries)
        bad += source.line(line).split(maxsplit=1)[:1]
        last = len(bad) == _MOST_BAD_LINES
        _report(source, error, found, [_GIVEN_UP] if last else [])
        if last:
            break
        start = begin + len(source.line(line)) + 1
    return Lines(heads, entries, frozenset(bad))


@attrs.frozen
class _Unread:
    # The offset at which reading came to a halt, and the terminals that the grammar has for that place.
    place: int
    expected: frozenset[str]


def _read(source: SourceText, start: int, end: int, heads: list[Line], entries: list[Line]) -> _Unread | None:
    # Adds the lines between two offsets to the lists; or, at the first error, gives that and adds nothing.
    try:
        tree = _parser().parse(TextSlice(source.text, start, end))
    except UnexpectedCharacters as error:
        # lark declares the place as None and sets it to a number.
        return _Unread(cast("int", error.pos_in_stream), frozenset(error.allowed))
    except UnexpectedToken as error:
        # The token for the end of the text has borrowed the place of the last real one.
        place = len(source.text[:end].rstrip()) if error.token.type == "$END" else error.token.start_pos or 0
        return _Unread(place, frozenset(error.expected))
    for line in tree.children:
        if isinstance(line, Tree):
            (heads if line.data == "head" else entries).append(line)
    return None


def _report(source: SourceText, error: _Unread, found: Diagnostics, notes: list[str]) -> None:
    wanted, help = next((text, help) for name, text, help in _WANTED if name in error.expected)
    word = _WORD.match(source.text, error.place)
    if word is None:
        message = f"the line ends where {wanted} belongs"
    elif word.group() == ":" and "PARAPHRASE" in error.expected:
        message = "nothing stands after the colon"
    else:
        message = f"`{word.group()}` stands where {wanted} belongs"
    span = Span(source, error.place, word.end() if word else error.place)
    found.error("EGO602", span, message, help=help, notes=notes)


@cache
def _parser() -> Lark:
    return Lark(grammar_text("source.lark"), start="index", parser="lalr", lexer="contextual", maybe_placeholders=False)
