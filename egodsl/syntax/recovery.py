"""What is wrong where the parser stopped, and how to go on behind it.

One mistake gives one error. A mistake that can be mended in one way only (a colon, a misspelt word) is mended, and the
line is read on. Otherwise the line is dropped, and another with the same shape is put in its place, so that the block
under it is read for its own mistakes; what comes of the replaced line is left out of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from egodsl.source.diagnostics import Diagnostics, Label
from egodsl.source.registry import close_names, did_you_mean
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax.driver import MAX_DEPTH, Halt, Machine
from egodsl.syntax.habits import BETWEEN, advice, statement_advice
from egodsl.syntax.layout import MOST_ERRORS, Kind, Token
from egodsl.syntax.stand_ins import ANY_BLOCK, HEAD, PLAIN_STAND_INS, STAND_INS
from egodsl.syntax.wording import EXCHANGES, HEAD_HELP, LATER_LINES, RESERVED_HELPS, wanted
from egodsl.syntax.words import DECLARATION_WORDS, FOREIGN_WORDS

LAYOUT = frozenset({Kind.NL, Kind.INDENT, Kind.DEDENT})

_LONGEST_LOOK = 40


class Recovery:
    """Mends the tokens of one machine; errors go to `found`. `reported` are the offsets of those that layout found."""

    def __init__(self, machine: Machine, source: SourceText, found: Diagnostics, reported: Sequence[int]) -> None:
        self.machine = machine
        self.source = source
        self.found = found
        self.reported = set(reported)
        # The token after the last line at the margin that was no declaration: the next lines are likely to be the same.
        self.stray = -1
        self.last_state = (-1, -1, -1)

    def mend(self, halt: Halt) -> bool:
        """Report why the machine halted, and make it ready to go on. False if there is no going on."""
        machine = self.machine
        state = (halt.index, machine.height, len(machine.tokens))
        if state == self.last_state and halt.index != machine.excused:
            # Whatever was tried did not help; trying it again would not end.
            return False
        self.last_state = state
        _Mistake(self, halt).mend()
        return len(self.found) < MOST_ERRORS


class _Mistake:
    """One halt of the machine, with the line that it is in."""

    def __init__(self, recovery: Recovery, halt: Halt) -> None:
        self.recovery = recovery
        self.halt = halt
        self.machine = machine = recovery.machine
        self.tokens = machine.tokens
        self.index = halt.index
        self.token = self.tokens[halt.index]
        # The line: its first token and the line end behind its last one.
        self.first = self.index
        while self.first and self.tokens[self.first - 1].kind not in LAYOUT and self.token.kind <= Kind.NL:
            self.first -= 1
        self.last = self.index
        while self.tokens[self.last].kind <= Kind.PROSE:
            self.last += 1
        if self.first == self.index and halt.reason == "unexpected":
            machine.settle()
        self.height = machine.height if self.first == self.index else machine.base

    @property
    def silent(self) -> bool:
        """Whether this line has its error already."""
        start, end = self.tokens[self.first].start, self.tokens[self.last].end
        return any(start <= offset <= end for offset in self.recovery.reported)

    def mend(self) -> None:
        if self.halt.reason == "reserved":
            if not (self._foreign_word() or self._colon_after() or self._prose_before_otherwise()):
                self._reserved()
        elif self.halt.reason == "deep":
            self._deep()
        else:
            for attempt in (
                self._no_block,
                self._indent,
                self._stray_prose,
                self._no_head,
                self._foreign_word,
                self._exchange,
                self._colon_at_end,
                self._misspelt,
                self._colon,
            ):
                if attempt():
                    return
            self._unexpected()

    # ------------------------------------------------------------ reporting

    @cached_property
    def expected(self) -> frozenset[str]:
        return self.machine.expected()

    @property
    def wanted(self) -> str:
        table = self.machine.table
        texts = {table.names[number]: text for text, number in table.literals.items()}
        return wanted(self.expected, texts.get)

    def _report(
        self,
        code: str,
        token: Token,
        message: str,
        help: str | None,
        labels: Sequence[Label] = (),
    ) -> None:
        if self.silent:
            return
        self.recovery.reported.add(token.start)
        self.recovery.found.error(code, self._span(token), message, help=help, labels=labels)

    def _span(self, token: Token) -> Span:
        return Span(self.recovery.source, token.start, token.end)

    # ------------------------------------------------------------ between lines

    def _no_block(self) -> bool:
        if "_INDENT" not in self.expected or self.index == 0 or self.tokens[self.index - 1].kind is not Kind.NL:
            return False
        colon = self.tokens[self.index - 2]
        header = self._line_start(self.index - 1)
        help = "indent what belongs to it by four spaces"
        indent = Token(Kind.INDENT, "", self.token.start, self.token.start)
        if self.machine.fits([indent, self._made("nothing", self.token.start)]):
            help += "; `nothing` is the statement that does nothing"
        if self.token.kind <= Kind.STRING and self.token.text not in DECLARATION_WORDS:
            label = Label(self._span(colon), "this colon opens it")
            self._report("EGO107", self.token, "a block should begin here, but the line is not indented", help, [label])
        else:
            self._report("EGO107", colon, "nothing stands in the block that this colon opens", help)
        word = self.tokens[header].text
        if self._is_at_margin(header):
            self.recovery.stray = self.index
        self._drop(header, self.index - 1, self.machine.base, word)
        return True

    def _line_start(self, line_end: int) -> int:
        first = line_end
        while first and self.tokens[first - 1].kind not in LAYOUT:
            first -= 1
        return first

    def _is_at_margin(self, index: int) -> bool:
        start = self.tokens[index].start
        return start == 0 or self.recovery.source.text[start - 1] == "\n"

    def _indent(self) -> bool:
        if self.token.kind is not Kind.INDENT:
            return False
        if self.index and self._colon_above():
            return True
        line = self.tokens[self.index + 1]
        self._report_line(
            "EGO105",
            line,
            "this line is indented, but nothing above opens a block",
            "indent it like the line above, or let that one end with the `:` of a block",
        )
        end = self._block_end(self.index)
        if "ZONE" in self.expected and line.text not in DECLARATION_WORDS:
            self.machine.index = end + 1
        else:
            del self.tokens[end], self.tokens[self.index]
        self.recovery.stray = self.machine.index
        return True

    def _report_line(self, code: str, token: Token, message: str, help: str) -> None:
        # An indent belongs to the line behind it, not to the one above, which may have an error of its own.
        if token.start not in self.recovery.reported:
            self.recovery.reported.add(token.start)
            self.recovery.found.error(code, self._span(token), message, help=help)

    def _block_end(self, indent: int) -> int:
        depth = 0
        for index in range(indent, len(self.tokens)):
            kind = self.tokens[index].kind
            depth += (kind is Kind.INDENT) - (kind is Kind.DEDENT)
            if depth == 0:
                return index
        return len(self.tokens) - 2

    def _colon_above(self) -> bool:
        # A line above that is whole without a block, but could have one if it ended with a colon.
        end = self.index - 1
        if self.tokens[end].kind is not Kind.NL:
            return False
        first = self._line_start(end)
        colon = self._made(":", self.tokens[end].start)
        line = [*self.tokens[first:end], colon, self.tokens[end], self.token]
        if not self.machine.fits(line, self.machine.base):
            return False
        self._missing_colon(first, end)
        self.machine.cut(self.machine.base)
        self.machine.index = first
        return True

    def _stray_prose(self) -> bool:
        if not self._is_after_prose():
            return False
        height = next(
            (height for height in range(self.machine.height, 0, -1) if self.machine.fits([self.token], height)), None
        )
        if height is None:
            return False
        self._misplaced_prose()
        self.machine.cut(height)
        return True

    def _is_after_prose(self) -> bool:
        return self.index > 1 and self.tokens[self.index - 2].kind is Kind.PROSE

    def _misplaced_prose(self) -> None:
        if self.token.kind in LAYOUT or self.token.kind is Kind.END:
            message = "nothing follows that this line of prose could belong to"
        else:
            message = f"prose cannot belong to a line that begins with `{self.token.text}`"
        help = "move it above the declaration or the statement that it is about"
        self._report_line("EGO114", self.tokens[self.index - 2], message, help)

    def _no_head(self) -> bool:
        if "RULEBOOK" not in self.expected or self.token.kind is Kind.INDENT:
            return False
        if self._misspelt():
            return True
        self._report("EGO115", self.token, "the file does not begin with its head", HEAD_HELP)
        # The file may be wrong in other ways too: its first line is read as what it is.
        self._replace(self.index, self.index, HEAD, line_end=True)
        return True

    # ------------------------------------------------------------ words

    def _reserved(self) -> None:
        word = self.token.text
        if self.index == self.first and "SHUFFLE" in self.expected:
            self._no_statement(word)
            return
        help = RESERVED_HELPS.get(word) if "INT" in self.expected else None
        self._report(
            "EGO112",
            self.token,
            f"`{word}` is a word of the language and cannot be a name",
            help or "choose another name",
        )
        self.machine.excused = self.index

    def _no_statement(self, word: str) -> None:
        if word in DECLARATION_WORDS:
            message = f"`{word}` begins a declaration, but a block goes on here"
        else:
            message = f"`{word}` begins no statement here"
        help = "take the indent of this line away" if word in DECLARATION_WORDS else LATER_LINES.get(word)
        self._report("EGO101", self.token, message, help)
        self.recovery.reported.add(self.token.start)
        self._drop(self.first, self.last, self.height, word)

    def _colon_after(self) -> bool:
        # A field whose name is a word of the language, without the colon that makes it one.
        colon = self._made(":", self.token.end)
        rest = self.tokens[self.index + 1 : self.last + 1]
        if self.index != self.first or not self.machine.fits([self._made("_", 0), colon, *rest]):
            return False
        self._insert_colon(self.index + 1)
        return True

    def _prose_before_otherwise(self) -> bool:
        if self.token.text != "otherwise" or not self._is_after_prose():
            return False
        self._misplaced_prose()
        self.recovery.reported.add(self.token.start)
        self._drop(self.first, self.last, self.height, "if")
        return True

    def _deep(self) -> None:
        message = f"things are nested within each other more than {MAX_DEPTH} levels deep here"
        place = self.halt.span or self._span(self.token)
        self._report(
            "EGO113",
            Token(Kind.WORD, "", place.start, place.start + 1),
            message,
            "give the inner part a name, by `let` or as a `define`",
        )
        first = self.first if self.token.kind <= Kind.NL else self._line_start(self.index - 1)
        last = self.last if self.token.kind <= Kind.NL else self.index - 1
        self._drop(first, last, self.machine.base, self.tokens[first].text)

    def _foreign_word(self) -> bool:
        # `else if` and the like, at the beginning of the line.
        word = self.tokens[self.first].text
        if word not in FOREIGN_WORDS or self.token.kind > Kind.NL:
            return False
        own, count = FOREIGN_WORDS[word], 1
        if word == "else" and self.tokens[self.first + 1].text == "if":
            own, count = "otherwise if", 2
        height = self.height
        if not self.machine.fits(self._made_line(own, self.first), height):
            return False
        shown = " ".join(token.text for token in self.tokens[self.first : self.first + count])
        start, end = self.tokens[self.first].start, self.tokens[self.first + count - 1].end
        self._report("EGO118", Token(Kind.WORD, shown, start, end), f"`{shown}` is written `{own}` here", None)
        self.machine.cut(height)
        self.tokens[self.first : self.first + count] = [Token(Kind.WORD, text, start, end) for text in own.split()]
        self.machine.index = self.first
        return True

    def _exchange(self) -> bool:
        if self.token.text not in EXCHANGES or self.token.kind is not Kind.SIGN:
            return False
        own, message, help = EXCHANGES[self.token.text]
        mended = Token(Kind.SIGN, own, self.token.start, self.token.end)
        if not self.machine.fits([mended, self.tokens[self.index + 1]]):
            return False
        self._report("EGO118", self.token, message, help)
        self.tokens[self.index] = mended
        return True

    def _misspelt(self) -> bool:
        # The word here, or one before it that was taken for a name, may be a slip for one that makes the line readable.
        if self.token.kind > Kind.NL or self.index - self.first > _LONGEST_LOOK or self.silent:
            return False
        if self.recovery.stray == self.index:
            return False
        vocabulary = [word for word in self.machine.lexicon.words if len(word) > 1]
        for place in range(self.index, self.first - 1, -1):
            token = self.tokens[place]
            if token.kind is not Kind.WORD or token.text in {"", *BETWEEN} or token.text in vocabulary:
                continue
            fitting = [word for word in close_names(token.text, vocabulary) if self._fits_as(place, word)]
            if not fitting:
                continue
            if place == self.index:
                message = f"`{token.text}` stands where {self.wanted or 'another word'} belongs"
            else:
                message = f"`{token.text}` is not a word that can stand here"
            self._report("EGO101", token, message, did_you_mean(token.text, fitting))
            self.machine.cut(self.height)
            self.tokens[place] = Token(Kind.WORD, fitting[0], token.start, token.end)
            self.machine.index = self.first
            return True
        return False

    def _fits_as(self, place: int, word: str) -> bool:
        # Whether the line can be read further than now if `word` stood at `place`.
        end = min(self.index + 2, self.last + 1)
        line = self.tokens[self.first : end]
        token = self.tokens[place]
        line[place - self.first] = Token(Kind.WORD, word, token.start, token.end)
        return self.machine.fits(line, self.height)

    # ------------------------------------------------------------ colons

    def _colon_at_end(self) -> bool:
        after = self.tokens[self.index + 1] if self.token.kind is Kind.NL else None
        if after is None or after.kind is not Kind.INDENT:
            return False
        colon = self._made(":", self.token.start)
        if not self.machine.fits([colon, self.token, after]):
            return False
        self._missing_colon(self.first, self.index)
        return True

    def _missing_colon(self, first: int, end: int) -> None:
        # The line from `first` ends at `end` without the colon that its block wants.
        last = self.tokens[end - 1]
        place = Token(Kind.SIGN, ":", last.end, last.end)
        word = self.tokens[first].text
        message = f"the colon is missing at the end of this line, which begins with `{word}`"
        if not self.silent:
            self.recovery.reported.add(place.start)
            self.recovery.found.error("EGO108", self._span(place), message, help="end the line with `:`")
        self.tokens.insert(end, place)

    def _colon(self) -> bool:
        if self.token.kind > Kind.STRING or self.index == self.first:
            return False
        before = self.tokens[self.index - 1]
        colon = self._made(":", before.end)
        if not self.machine.fits([colon, *self.tokens[self.index : self.last + 1]]):
            return False
        self._insert_colon(self.index)
        return True

    def _insert_colon(self, index: int) -> None:
        before = self.tokens[index - 1]
        place = Token(Kind.SIGN, ":", before.end, before.end)
        self._report("EGO108", place, f"a colon is missing after `{before.text}`", f"write `{before.text}:`")
        self.tokens.insert(index, place)

    # ------------------------------------------------------------ anything else

    def _unexpected(self) -> None:
        token = self.token
        at_margin = self.index == self.first and "ZONE" in self.expected
        if not (at_margin and self.recovery.stray == self.index):
            self._say_unexpected()
        if token.kind > Kind.NL:
            # A block ends, or the file: what is unfinished is dropped, and the same token tried again.
            self.machine.drop_line("")
            return
        word = self.tokens[self.first].text
        if word in {"replace", "extend"} and self.first + 1 < self.last:
            word = self.tokens[self.first + 1].text
        begins_at_margin = self._is_at_margin(self.first)
        self._drop(self.first, self.last, self.height, word)
        if begins_at_margin:
            self.recovery.stray = self.machine.index

    def _say_unexpected(self) -> None:
        token, wanted = self.token, self.wanted
        if token.kind is Kind.NL:
            rest = self.tokens[self.index + 1 :]
            ends_file = next((after.kind for after in rest if after.kind is not Kind.DEDENT), Kind.END) is Kind.END
            subject, code = ("the file", "EGO103") if ends_file else ("the line", "EGO101")
            goes_on = self.tokens[self.index + 1].kind is Kind.INDENT
            help = "to go on on the next line, put the whole in parentheses" if goes_on else self._advice()
            if "BUILTIN" in self.expected:
                help = "what a property claims stands in the same line"
            if self.index > self.first and self.tokens[self.index - 1].text in {",", "="} and code == "EGO101":
                help = "after `,` and `=` a line goes on on the next one if that is indented deeper"
            self._report(
                code, token, f"{subject} ends where {wanted} belongs" if wanted else f"{subject} ends too early", help
            )
            return
        if token.kind in LAYOUT or token.kind is Kind.END:
            subject = "the file ends" if token.kind is Kind.END else "the block ends"
            self._report(
                "EGO103", token, f"{subject} where {wanted} belongs" if wanted else f"{subject} too early", None
            )
            return
        before = self.tokens[self.index - 1]
        if "ASSIGN" in self.expected and self.index == self.first + 1 and before.kind is Kind.WORD:
            self._report("EGO101", before, f"`{before.text}` begins no statement", statement_advice(before.text))
            return
        shown = "this line of prose" if token.kind is Kind.PROSE else f"`{token.text}`"
        message = f"{shown} stands where {wanted} belongs" if wanted else f"{shown} cannot stand here"
        self._report("EGO101", token, message, self._advice())

    def _advice(self) -> str | None:
        words = [token.text for token in self.tokens[self.first : self.last]]
        return advice(words, self.index - self.first, self.expected)

    def _drop(self, first: int, last: int, height: int, word: str) -> None:
        # Leaves the line from `first` to its end `last` out; its block is read if a line with a block can stand in.
        machine = self.machine
        has_block = self.tokens[last + 1].kind is Kind.INDENT if last + 1 < len(self.tokens) else False
        if has_block and self.tokens[last - 1].text == ":":
            indent = self.tokens[last + 1]
            for stand_in in (STAND_INS[word],) if word in STAND_INS else ANY_BLOCK:
                line = self._made_line(stand_in, first)
                if machine.fits([*line, self.tokens[last], indent], height):
                    machine.cut(height)
                    self._replace(first, last, stand_in)
                    return
        stand_in = HEAD if word in {"rulebook", "variant", "library"} else PLAIN_STAND_INS.get(word, "")
        line = self._made_line(stand_in, first)
        after = self._block_end(last + 1) + 1 if has_block else last + 1
        if stand_in and machine.fits([*line, self.tokens[last]], height):
            machine.cut(height)
            self._replace(first, after, stand_in, line_end=True)
            return
        machine.cut(height)
        machine.drop_line(word)
        machine.index = after

    # ------------------------------------------------------------ tokens of our own

    def _made(self, text: str, place: int) -> Token:
        if text == "_":
            return Token(Kind.WORD, "", place, place)
        if text == '""':
            return Token(Kind.STRING, "", place, place)
        return Token(Kind.WORD if text.isalpha() else Kind.SIGN, text, place, place)

    def _made_line(self, text: str, index: int) -> list[Token]:
        place = self.tokens[index].start
        return [self._made(word, place) for word in text.split()]

    def _replace(self, first: int, last: int, text: str, *, line_end: bool = False) -> None:
        # Puts tokens in place of those from `first` up to, not including, `last`, and has the machine go on with them.
        line = self._made_line(text, first)
        if line_end:
            place = self.tokens[first].start
            line.append(Token(Kind.NL, "", place, place))
        self.tokens[first:last] = line
        self.machine.index = first
