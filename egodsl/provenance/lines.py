"""The lines of a `.source` file, read by the table of `grammars/source.lark`; a bad one is reported and passed over."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from egodsl.source.diagnostics import Diagnostics
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax.table import END, load_table

_GRAMMAR = "source.lark"
_IGNORED = frozenset({"_SPACE", "_COMMENT"})
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


class Token(NamedTuple):
    """A terminal of the grammar, by its name, and the author's characters that make it."""

    name: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset past the last character."""
        return self.start + len(self.text)


_NOTHING = Token("", "", 0)


class Lines(NamedTuple):
    """What a file holds: the tokens of each head and each entry, and the first word of each line that is neither."""

    heads: list[list[Token]]
    entries: list[list[Token]]
    bad: set[str]


def read_lines(source: SourceText, found: Diagnostics) -> Lines:
    """Read all lines. For each bad one, add an error to `found` and go on below it; the twentieth is the last."""
    lines = Lines([], [], set())
    start = 0
    for count in range(1, _MOST_BAD_LINES + 1):
        error = _read(source.text, start, lines)
        if error is None:
            break
        number = source.line_of(error.place)
        lines.bad.update(source.line(number).split(maxsplit=1)[:1])
        _report(source, error, found, [_GIVEN_UP] if count == _MOST_BAD_LINES else [])
        start = source.line_start(number) + len(source.line(number)) + 1
    return lines


class _Unread(NamedTuple):
    # The offset at which a line cannot be read on, and the names of what the grammar has for that place.
    place: int
    expected: set[str]


def _read(text: str, start: int, lines: Lines) -> _Unread | None:
    # Adds the lines from the offset `start` on, up to the first bad one: a line is reduced, and so added, only when its
    # end has been seen. Nothing but `head` and `entry` has a value, and they are made of tokens.
    table = load_table(_GRAMMAR)
    found = {"head": lines.heads, "entry": lines.entries}
    states = [table.start]
    values = [_NOTHING]
    at = start
    while True:
        lexed = _lex(text, at, states[-1])
        if lexed is None:
            return _Unread(_skip(text, at), _expected(states[-1]))
        symbol, token = lexed
        while (action := table.row(states[-1]).get(symbol)) is not None and action < 0:
            rule = table.rules[-1 - action]
            cut = len(states) - rule.size
            if rule.name in found:
                found[rule.name].append([values[cut + index] for index, _ in rule.keep])
            del states[cut:], values[cut:]
            states.append(table.row(states[-1])[rule.left])
            values.append(_NOTHING)
            if states[-1] == table.accepting and token.name == END:
                return None
        if action is None:
            return _Unread(token.start, _expected(states[-1]))
        states.append(action)
        values.append(token)
        at = token.end


def _lex(text: str, at: int, state: int) -> tuple[int, Token] | None:
    # The next token after what is ignored, by its number too, if it is one of those that `state` has a use for.
    match = _pattern(_wanted(state)).match(text, at)
    if match is None or match.lastgroup is None:
        return None
    group = match.lastgroup
    symbol = int(group[1:])
    return symbol, Token(load_table(_GRAMMAR).names[symbol], match.group(group), match.start(group))


def _skip(text: str, at: int) -> int:
    # The offset of the first character from `at` on that is not ignored.
    match = _pattern(frozenset()).match(text, at)
    return match.end() if match is not None else at


@cache
def _wanted(state: int) -> frozenset[int]:
    # The terminals, by number, that `state` has a use for.
    table = load_table(_GRAMMAR)
    return frozenset(table.row(state)) & _terminals()


@cache
def _terminals() -> frozenset[int]:
    table = load_table(_GRAMMAR)
    return frozenset(number for number, _ in table.patterns) | {table.symbols[END]}


def _expected(state: int) -> set[str]:
    return {load_table(_GRAMMAR).names[number] for number in _wanted(state)}


@cache
def _pattern(wanted: frozenset[int]) -> re.Pattern[str]:
    # What is ignored, then one of the terminals, each in a group `tNUMBER`. The atomic group keeps a run of white space
    # from being split in every possible way.
    table = load_table(_GRAMMAR)
    ignored = "|".join(pattern for number, pattern in table.patterns if table.names[number] in _IGNORED)
    choices = [f"(?P<t{number}>{pattern})" for number, pattern in table.patterns if number in wanted]
    if table.symbols[END] in wanted:
        choices.append(rf"(?P<t{table.symbols[END]}>\Z)")
    return re.compile(f"(?>(?:{ignored})*)(?:{'|'.join(choices)})")


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
