"""From text to tokens: words, signs, lines, and the blocks that indents make.

Nothing here knows the grammar's rules; what belongs together is decided by brackets, indents and line ends alone. So a
mistake in one line cannot change how the next one is read.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

import attrs

from egodsl.source.diagnostics import Diagnostics, Label
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax.comments import Comment
from egodsl.syntax.words import FOREIGN_CHARACTERS, FOREIGN_OPERATORS, QUOTATION_MARKS

MAX_BRACKETS = 64
"""Brackets may be open within each other to this depth."""

MAX_BLOCKS = 32
"""Blocks may lie within each other to this depth."""

_TAB = 4


class Kind(IntEnum):
    """What a token is, before the parser has said what it means."""

    WORD = 0
    INT = 1
    STRING = 2
    SIGN = 3
    PROSE = 4
    NL = 5
    INDENT = 6
    DEDENT = 7
    END = 8


class Token(NamedTuple):
    """A piece of text from offset `start` to `end`; what layout adds is empty and lies behind the last real token."""

    kind: Kind
    text: str
    start: int
    end: int


@attrs.define
class Layout:
    """The tokens of a text, its comments, and where it was found wrong already (`reported`, ascending offsets).

    `hopeless` says that reading was given up: the tokens after that place are missing.
    """

    tokens: list[Token] = attrs.field(factory=list)
    comments: list[Comment] = attrs.field(factory=list)
    reported: list[int] = attrs.field(factory=list)
    hopeless: bool = False


_CONTINUES = re.compile(r"(?:and|or|when|where|by)\b|[+*][ \t]")
_FOREIGN = "|".join(re.escape(sign) for sign in sorted(FOREIGN_OPERATORS.keys() - {"!"}, key=len, reverse=True))
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_STRING = r'"(?:[^"\\]|\\.)*"'
_QUOTED = f'[{QUOTATION_MARKS}][^{QUOTATION_MARKS}"]*[{QUOTATION_MARKS}"]'

MOST_ERRORS = 20
"""After this many errors in one file reading stops: what is wrong with the rest shows when these are mended."""


def token_expression(signs: str) -> re.Pattern[str]:
    """The expression that finds the next token in a line; `signs` is the one for the signs of the grammar."""
    return re.compile(
        rf"(?P<space>[ \t]+)|(?P<word>[^\W\d]\w*)|(?P<int>[0-9]+)|(?P<string>{_STRING})|(?P<comment>\#.*)"
        rf"|(?P<foreign>{_FOREIGN}|!(?!=))|(?P<sign>{signs})|(?P<open>\".*)|(?P<quoted>{_QUOTED})|(?P<other>.)"
    )


def lay_out(source: SourceText, expression: re.Pattern[str], found: Diagnostics) -> Layout:
    """The tokens of `source`, read with `token_expression(...)`. What is wrong with them goes to `found`."""
    reader = _Reader(source, expression, found)
    try:
        reader.read()
    except _GivenUpError:
        reader.layout.hopeless = True
    reader.finish()
    return reader.layout


class _GivenUpError(Exception):
    """Too much is wrong to go on."""


class _Reader:
    def __init__(self, source: SourceText, expression: re.Pattern[str], found: Diagnostics) -> None:
        self.source = source
        self.text = source.text
        self.expression = expression
        self.found = found
        self.layout = Layout()
        self.tokens = self.layout.tokens
        # Open brackets: the sign and where it stands.
        self.brackets: list[tuple[str, int]] = []
        # Those that had to be closed at the end of the line above: whoever meets their other halves knows already.
        self.lost: list[str] = []
        # The columns of the open blocks, and whether a colon opened each.
        self.indents = [0]
        self.opened = [True]
        # Wrong columns that were reported, each with that of the block it was read as part of.
        self.wrong: set[tuple[int, int]] = set()
        self.column = 0
        self.last_end = 0
        self.in_line = False
        self.margin_sign = ""
        self.mixed = False

    def read(self) -> None:
        text, length, position = self.text, len(self.text), 0
        while position < length:
            end = text.find("\n", position)
            if end < 0:
                end = length
            line = text[position:end]
            first = end - len(line.lstrip(" \t"))
            if first < end:
                self._line(text[position:first], first, end)
            position = end + 1
        self._end_line()

    def finish(self) -> None:
        """Close what is open, so that the tokens form whole lines and blocks whatever came before."""
        if self.in_line:
            self._add(Kind.NL, "", self.last_end, self.last_end)
        while len(self.indents) > 1:
            self._close_block()
        self._add(Kind.END, "", self.last_end, self.last_end)
        self.layout.reported.sort()

    def _line(self, margin: str, first: int, end: int) -> None:
        if self.text[first] == "#":
            self.layout.comments.append(self._comment(first, end, own_line=True))
            return
        column = self._width(margin, first)
        if self.in_line and not self._goes_on(column, first):
            self._end_line()
        if not self.in_line:
            self._margin(column, first)
            self.in_line = True
            if self.text[first] == ">":
                stop = first + len(self.text[first:end].rstrip())
                self._add(Kind.PROSE, self.text[first:stop], first, stop)
                self._end_line()
                return
        self._tokens_of(first, end)

    # ------------------------------------------------------------ lines and blocks

    def _width(self, margin: str, first: int) -> int:
        if "\t" not in margin:
            if margin:
                self._same_margin(" ", margin, first)
            return len(margin)
        self._same_margin("both" if " " in margin else "\t", margin, first)
        width = 0
        for sign in margin:
            width += _TAB - width % _TAB if sign == "\t" else 1
        return width

    def _same_margin(self, sign: str, margin: str, first: int) -> None:
        if sign == self.margin_sign or self.mixed:
            return
        if not self.margin_sign and sign != "both":
            self.margin_sign = sign
            return
        # Once for a file: the other lines are wrong in the same way.
        self.mixed = True
        if sign == "both":
            message = "this indent mixes tabs and spaces"
        else:
            message = f"this line is indented by {_SIGNS[sign]}, the lines above by {_SIGNS[self.margin_sign]}"
        self._error("EGO104", first - len(margin), first, message, "indent by spaces alone, four for each level")

    def _goes_on(self, column: int, first: int) -> bool:
        # Whether this physical line continues the one above.
        if not self.tokens:
            return False
        if self.brackets:
            return column > self.column or self.text[first] in ")]}" or bool(_CONTINUES.match(self.text, first))
        if _CONTINUES.match(self.text, first):
            return True
        last = self.tokens[-1]
        return last.kind is Kind.SIGN and last.text in {"=", ","} and column > self.column

    def _end_line(self) -> None:
        if not self.in_line:
            return
        self.lost = [_OPENING[sign] for sign, _ in self.brackets]
        self._unclosed(len(self.brackets))
        self.in_line = False
        self._add(Kind.NL, "", self.last_end, self.last_end)

    def _margin(self, column: int, first: int) -> None:
        self.column = column
        indents = self.indents
        if column > indents[-1]:
            indents.append(column)
            self.opened.append(len(self.tokens) > 1 and self.tokens[-2].text == ":")
            if len(indents) > MAX_BLOCKS + 1:
                self._too_many_blocks(first)
            self._add(Kind.INDENT, "", self.last_end, self.last_end)
            return
        while len(indents) > 1 and column <= indents[-2]:
            self._close_block()
        if column < indents[-1]:
            # Between two blocks: read as part of the deeper one, and those with the same indent too.
            above, deeper = indents[-2:]
            # A block that nothing opened is wrong as a whole, and the parser says so.
            if self.opened[-1] and (deeper, column) not in self.wrong:
                self.wrong.add((deeper, column))
                self._error(
                    "EGO106",
                    self.source.line_start(self.source.line_of(first)),
                    first,
                    f"this line is indented by {column}, but the blocks around it by {above} and {deeper}",
                    f"indent it by {deeper} if the block goes on, by {above} if it ends here",
                )
                self.layout.reported.append(first)

    def _too_many_blocks(self, first: int) -> None:
        message = f"blocks lie within each other more than {MAX_BLOCKS} levels deep"
        help = "make the inner part a `procedure` or a `define` of its own"
        self._error("EGO113", first, first + 1, message, help)
        raise _GivenUpError

    def _close_block(self) -> None:
        self.indents.pop()
        self.opened.pop()
        self._add(Kind.DEDENT, "", self.last_end, self.last_end)

    # ------------------------------------------------------------ tokens

    def _tokens_of(self, first: int, end: int) -> None:
        tokens = self.tokens
        token = None
        for match in self.expression.finditer(self.text, first, end):
            group = match.lastgroup
            if group == "space":
                continue
            start, stop = match.span()
            if group == "word":
                text = match.group()
                if not text.isascii():
                    self._foreign_word(text, start)
                token = Token(Kind.WORD, text, start, stop)
            elif group == "sign":
                text = match.group()
                if text in _CLOSING or text in _OPENING:
                    self._bracket(text, start)
                    continue
                token = Token(Kind.SIGN, text, start, stop)
            elif group == "comment":
                self.layout.comments.append(self._comment(start, end, own_line=False))
                continue
            elif group == "int":
                token = Token(Kind.INT, match.group(), start, stop)
            elif group == "string":
                token = Token(Kind.STRING, match.group(), start, stop)
            else:
                self._strange(group or "", match.group(), start)
                continue
            if len(self.brackets) <= MAX_BRACKETS:
                tokens.append(token)
            self.last_end = stop

    def _add(self, kind: Kind, text: str, start: int, end: int) -> None:
        self.tokens.append(Token(kind, text, start, end))
        self.last_end = end

    def _comment(self, start: int, end: int, *, own_line: bool) -> Comment:
        text = self.text[start:end].rstrip()
        return Comment(Span(self.source, start, start + len(text)), text[1:], own_line)

    def _error(
        self, code: str, start: int, end: int, message: str, help: str | None, labels: tuple[Label, ...] = ()
    ) -> None:
        self.layout.reported.append(start)
        self.found.error(code, Span(self.source, start, end), message, help=help, labels=labels)
        if len(self.found) >= MOST_ERRORS:
            raise _GivenUpError

    # ------------------------------------------------------------ brackets

    def _bracket(self, sign: str, start: int) -> None:
        if sign in _OPENING:
            self.brackets.append((sign, start))
            if len(self.brackets) == MAX_BRACKETS + 1:
                self._error(
                    "EGO113",
                    start,
                    start + 1,
                    f"brackets are open within each other more than {MAX_BRACKETS} levels deep",
                    "give the inner part a name, by `let` or as a `define`",
                )
        else:
            wanted = _CLOSING[sign]
            inside = next((n for n, (opened, _) in enumerate(reversed(self.brackets)) if opened == wanted), None)
            if inside is None:
                self._unmatched(sign, start)
                return
            # What was opened inside and is still open has no end.
            self._unclosed(inside)
        if len(self.brackets) <= MAX_BRACKETS:
            self._add(Kind.SIGN, sign, start, start + 1)
        if sign in _CLOSING:
            self.brackets.pop()

    def _unmatched(self, sign: str, start: int) -> None:
        if sign in self.lost:
            return
        if self.brackets:
            opening, place = self.brackets[-1]
            label = Label(Span(self.source, place, place + 1), "opened here")
            closing = _OPENING[opening]
            self._error(
                "EGO111",
                start,
                start + 1,
                f"`{sign}` does not close `{opening}`",
                f"close it with `{closing}`",
                (label,),
            )
            if len(self.brackets) <= MAX_BRACKETS:
                self._add(Kind.SIGN, closing, start, start + 1)
            self.brackets.pop()
            return
        self._error(
            "EGO111",
            start,
            start + 1,
            f"`{sign}` closes nothing",
            f"take `{sign}` away, or open it with `{_CLOSING[sign]}`",
        )
        self.last_end = start + 1

    def _unclosed(self, count: int) -> None:
        # Closes the innermost `count` brackets, before a final colon if there is one: it opens the block of the line.
        if count <= 0:
            return
        colon = self.tokens.pop() if self.tokens[-1].text == ":" and self.tokens[-1].kind is Kind.SIGN else None
        place = colon.start if colon else self.last_end
        opening, start = self.brackets[-count]
        end = self.last_end
        if not self._reported_since(start):
            self._error(
                "EGO110",
                start,
                start + 1,
                f"`{opening}` is never closed",
                f"close it with `{_OPENING[opening]}`; {_GOES_ON}",
            )
        for _ in range(count):
            sign, _ = self.brackets.pop()
            if len(self.brackets) < MAX_BRACKETS:
                self.tokens.append(Token(Kind.SIGN, _OPENING[sign], place, place))
        if colon:
            self.tokens.append(colon)
        self.last_end = end

    def _reported_since(self, start: int) -> bool:
        return any(offset >= start for offset in self.layout.reported)

    # ------------------------------------------------------------ what the language does not have

    def _strange(self, group: str, text: str, start: int) -> None:
        if group == "open":
            self._error(
                "EGO109", start, start + len(text.rstrip()), "this string has no end on its line", 'close it with `"`'
            )
            body = text.rstrip()
            self._add(Kind.STRING, f'{body}"', start, start + len(body))
        elif group == "quoted":
            help = 'put the text between two of `"`'
            self._error("EGO102", start, start + 1, f"`{text[0]}` is not the quotation mark of strings", help)
            self._add(Kind.STRING, f'"{text[1:-1]}"', start, start + len(text))
        elif text == "||" and self._in_table():
            self._add(Kind.SIGN, "|", start, start + 1)
            self._add(Kind.SIGN, "|", start + 1, start + 2)
        elif group == "foreign":
            self._foreign_operator(text, start)
        else:
            self._foreign_character(text, start)

    def _in_table(self) -> bool:
        # Whether the line begins with a bar: two bars are an empty cell there.
        index = len(self.tokens) - 1
        while index > 0 and self.tokens[index - 1].kind <= Kind.SIGN:
            index -= 1
        return self.tokens[index].text == "|"

    def _foreign_operator(self, text: str, start: int) -> None:
        own = FOREIGN_OPERATORS[text]
        self._error("EGO118", start, start + len(text), f"`{text}` is written `{own}` here", f"write `{own}`")
        self._add(Kind.WORD if own.isalpha() else Kind.SIGN, own, start, start + len(text))

    def _foreign_word(self, text: str, start: int) -> None:
        at = next(index for index, sign in enumerate(text) if not sign.isascii())
        self._error(
            "EGO102",
            start + at,
            start + at + 1,
            f"`{text[at]}` cannot stand in a name",
            "names are written with the letters a to z, digits and `_`",
        )

    def _foreign_character(self, text: str, start: int) -> None:
        own = FOREIGN_CHARACTERS.get(text)
        if own is None:
            help = "outside strings, comments and prose, plain letters, digits and a few signs are all there is"
        elif own:
            help = f"write `{own}`"
        elif text == ";":
            help = "take it away: the end of the line is enough"
        else:
            help = "take it away, or put a plain space in its place"
        self._error("EGO102", start, start + 1, f"no rule has a `{text}`", help)
        if own:
            self._add(Kind.WORD if own.isalpha() else Kind.SIGN, own, start, start + 1)


_GOES_ON = "a line that goes on inside brackets is indented deeper than its first one"
_SIGNS = {" ": "spaces", "\t": "tabs"}
