"""Runs an LALR(1) table over the tokens of a text.

This is Lark's parser loop, with what a language with good errors needs beside it: the text's offsets and how deep the
value is nested travel with each value; a word is read as the keyword or name that the parser can use at that place; and
the stack can be cut back to the beginning of a line. A tree of any depth is built without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import attrs

from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax.layout import Kind, Token
from egodsl.syntax.lexicon import Lexicon
from egodsl.syntax.nodes import Expr, TypeNode
from egodsl.syntax.words import RESERVED

MAX_DEPTH = 100
"""Expressions, types and bodies on one line may be nested to this depth."""

BROKEN = 1_000_000
"""The depth of a token that stands in for what could not be read; what it becomes part of is dropped with its line."""

LINES = (
    *("decl", "header", "_field", "component_row", "total", "table_row", "case", "answer", "step"),
    *("stmt", "option", "else_if", "else_", "otherwise"),
)
"""The rules that make up whole lines, with their blocks: what cannot be read is dropped as one of these."""

_LAYOUT = frozenset({Kind.NL, Kind.INDENT, Kind.DEDENT})

Handler = Callable[[list[Any], Span], Any]


@attrs.frozen
class Halt:
    """Why the parser stopped before token `index`: it fits nowhere, it is no name, or what is at `span` is too deep."""

    index: int
    reason: Literal["unexpected", "reserved", "deep"]
    span: Span | None = None


def _nothing(_: list[Any], __: Span) -> None:
    """What a rule without a name builds."""


class Machine:
    """The parser's stacks over one list of tokens. Whoever drives it may change the tokens from `index` on."""

    def __init__(self, lexicon: Lexicon, source: SourceText, tokens: list[Token], builder: object) -> None:
        table = lexicon.table
        self.lexicon = lexicon
        self.table = table
        self.source = source
        self.tokens = tokens
        self.index = 0
        self.result: Any = None
        # How high the stacks were before the first token of the line that is being read.
        self.base = 1
        # The token that may be a name although it is reserved: that has been reported.
        self.excused = -1
        self._states = [table.start]
        self._values: list[Any] = [None]
        self._starts = [0]
        self._ends = [0]
        self._depths = [0]
        self._handlers: list[Handler] = [
            _nothing if rule.name is None else getattr(builder, rule.name) for rule in table.rules
        ]
        self._lines = [table.symbols[name] for name in LINES]

    @property
    def height(self) -> int:
        """How many values are on the stack."""
        return len(self._states)

    def run(self) -> Halt | None:
        """Go on to the end, or to the first token that does not fit. What was built is then in `result`."""
        tokens, states, rules, row_of = self.tokens, self._states, self.table.rules, self.table.row
        while True:
            token = tokens[self.index]
            row = row_of(states[-1])
            symbol, width = self._symbol(token, row)
            if symbol == self.lexicon.name and token.text in RESERVED and self._is_misused(row):
                return Halt(self.index, "reserved")
            action = row.get(symbol)
            while action is not None and action < 0:
                rule = rules[-1 - action]
                if rule.passes:
                    # Most reductions are of this kind; the value and all that goes with it stay where they are.
                    states[-1] = row_of(states[-2])[rule.left]
                elif (deep := self._reduce(-1 - action)) is not None:
                    return Halt(self.index, "deep", deep)
                if states[-1] == self.table.accepting and token.kind is Kind.END:
                    self.result = self._values[-1]
                    return None
                action = row_of(states[-1]).get(symbol)
            if action is None:
                return Halt(self.index, "unexpected")
            self._shift(token, action, width)

    def _symbol(self, token: Token, row: dict[int, int]) -> tuple[int, int]:
        # The terminal that the token is here, and how many tokens make it up.
        kind, text = token.kind, token.text
        if kind > Kind.WORD and kind is not Kind.SIGN:
            return self.lexicon.fixed[kind], 1
        if text in self.lexicon.phrase_starts:
            for symbol in self.lexicon.phrases(f"{text} {self.tokens[self.index + 1].text}"):
                # A row may hold a terminal that only another way here allows, so the phrase is tried to the end.
                if symbol in row and self._try(self._states.copy(), (symbol,)):
                    return symbol, 2
        candidates = self.lexicon.terminals(text)
        for symbol in candidates:
            if symbol in row:
                return symbol, 1
        return candidates[0], 1

    def _is_misused(self, row: dict[int, int]) -> bool:
        # A reserved word may only be a field: after a point, between bars, or before a colon where a field or an
        # argument begins. No field begins where a statement can.
        if self.index == self.excused:
            return False
        before = self.tokens[self.index - 1] if self.index else None
        if before is None:
            return True
        if before.text == ".":
            return False
        after = self.tokens[self.index + 1].text
        if before.text == "|":
            return after != "|"
        begins = before.text in {"(", ","} or (before.kind in _LAYOUT and self.lexicon.statement not in row)
        return not (begins and after == ":")

    def _shift(self, token: Token, state: int, width: int) -> None:
        kind = token.kind
        if kind <= Kind.PROSE and (not self.index or self.tokens[self.index - 1].kind in _LAYOUT):
            self.base = len(self._states)
        end = token.end
        if width > 1:
            second = self.tokens[self.index + 1]
            end = second.end
            token = Token(kind, f"{token.text} {second.text}", token.start, end)
        self._states.append(state)
        self._values.append(token)
        self._starts.append(token.start)
        self._ends.append(end)
        self._depths.append(0 if token.text or kind > Kind.PROSE else BROKEN)
        self.index += width

    def _reduce(self, number: int) -> Span | None:
        # Gives the place if what was built is nested too deep.
        rule = self.table.rules[number]
        states = self._states
        cut = len(states) - rule.size
        depth = max(self._depths[cut:])
        start, end = self._starts[cut], self._ends[-1]
        kept = self._kept(rule.keep, cut)
        value: Any = kept
        deep = None
        if depth >= BROKEN:
            value = [] if rule.splices else None
            if rule.left in self._lines:
                depth = 0
        elif rule.name is not None:
            span = Span(self.source, start, end)
            value = self._handlers[number](kept, span)
            if isinstance(value, (Expr, TypeNode)) or rule.name == "inline_body":
                depth += 1
                if depth == MAX_DEPTH + 1:
                    deep = span
        elif not rule.splices:
            value = kept[0] if kept else None
        del states[cut:], self._values[cut:], self._starts[cut:], self._ends[cut:], self._depths[cut:]
        self._push(self.table.row(states[-1])[rule.left], value, start, end, depth)
        return deep

    def _kept(self, keep: Sequence[tuple[int, bool]], cut: int) -> list[Any]:
        # Values that are None are lines that were dropped.
        kept: list[Any] = []
        values = self._values
        for index, spliced in keep:
            value = values[cut + index]
            if not spliced:
                if value is not None:
                    kept.append(value)
            elif kept:
                kept += value
            else:
                # A spliced list belongs to nobody else, so a long one is passed on without being copied.
                kept = value
        return kept

    def _push(self, state: int, value: object, start: int, end: int, depth: int) -> None:
        self._states.append(state)
        self._values.append(value)
        self._starts.append(start)
        self._ends.append(end)
        self._depths.append(depth)

    # ------------------------------------------------------------ what whoever mends a text needs

    def fits(self, tokens: Sequence[Token], height: int | None = None) -> bool:
        """Whether all of `tokens` could come next; with `height`, if the stack were cut back to that first."""
        states = self._states[:height]
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.kind > Kind.WORD and token.kind is not Kind.SIGN:
                symbols: tuple[int, ...] = (self.lexicon.fixed[token.kind],)
            else:
                symbols = self.lexicon.terminals(token.text)
                if token.text in self.lexicon.phrase_starts and index + 1 < len(tokens):
                    phrases = self.lexicon.phrases(f"{token.text} {tokens[index + 1].text}")
                    if self._try(states.copy(), phrases):
                        symbols = phrases
                        index += 1
            if not self._try(states, symbols):
                return False
            index += 1
        return True

    def settle(self) -> None:
        """Make the reductions that are due whatever comes next."""
        while True:
            row = self.table.row(self._states[-1])
            actions = {action for symbol, action in row.items() if symbol < self.table.terminal_count}
            if len(actions) != 1 or (action := actions.pop()) >= 0:
                return
            self._reduce(-1 - action)

    def _try(self, states: list[int], symbols: tuple[int, ...]) -> bool:
        # Moves `states` past a token that can be any of these terminals.
        row = self.table.row(states[-1])
        symbol = next((symbol for symbol in symbols if symbol in row), None)
        if symbol is None:
            return False
        action = row[symbol]
        while action < 0:
            rule = self.table.rules[-1 - action]
            del states[len(states) - rule.size :]
            states.append(self.table.row(states[-1])[rule.left])
            if states[-1] == self.table.accepting:
                return True
            next_action = self.table.row(states[-1]).get(symbol)
            if next_action is None:
                return False
            action = next_action
        states.append(action)
        return True

    def expected(self) -> frozenset[str]:
        """The terminals, by name, that could come next."""
        row = self.table.row(self._states[-1])
        return frozenset(
            self.table.names[symbol]
            for symbol in row
            if symbol < self.table.terminal_count and self._try(self._states.copy(), (symbol,))
        )

    def cut(self, height: int) -> None:
        """Forget everything that was read since the stacks were `height` high."""
        for stack in (self._states, self._values, self._starts, self._ends, self._depths):
            del stack[height:]
        self.base = min(self.base, height)

    def drop_line(self, first: str) -> bool:
        """Put a dropped line, which began with `first`, in place of what is on top of the stack.

        False if no line can stand anywhere there.
        """
        lines = reversed(self._lines) if first == "|" else self._lines
        wanted = list(lines)
        for height in range(len(self._states), 0, -1):
            row = self.table.row(self._states[height - 1])
            symbol = next((symbol for symbol in wanted if symbol in row), None)
            if symbol is not None:
                self.cut(height)
                place = self._ends[-1]
                value: list[Any] | None = [] if self.table.names[symbol].startswith("_") else None
                self._push(row[symbol], value, place, place, 0)
                return True
        return False
