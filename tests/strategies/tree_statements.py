"""Random statements and blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from hypothesis import strategies as st

from egodsl.syntax import nodes as n
from tests.strategies.tree_expressions import NOWHERE, SETOP, SUM, Expressions

Make: TypeAlias = Callable[[int], n.Statement]
How: TypeAlias = Literal["all", "count", "up to", "at random"]
As: TypeAlias = Literal["one", "each", "around", "together"]
MOVES: tuple[How, ...] = ("all", "count", "up to", "at random")
ACTORS: tuple[As, ...] = ("one", "each", "around", "together")


class Statements(Expressions):
    """Draws statements."""

    def block(self, room: int) -> n.Block:
        if self.draw(st.booleans()):
            return n.Block([self.inline(room)], inline=True, span=NOWHERE)
        return n.Block(self.many(lambda: self.statement(room), 1), inline=False, span=NOWHERE)

    def inline(self, room: int) -> n.Statement:
        """What may stand on the line of a header."""
        makes: tuple[Make, ...] = (self.plain, self.plain, self.chosen)
        return self.one((*makes, self.prefixed) if room > 0 else makes)(room - 1)

    def statement(self, room: int = 2) -> n.Statement:
        kinds: tuple[Make, ...] = (self.plain, self.plain, self.handling, self.leaving, self.chosen)
        deep: tuple[Make, ...] = (self.prefixed, self.compound, self.decided)
        made = self.one(kinds + deep if room > 0 else kinds)(room - 1)
        made.prose = self.prose()
        return made

    def otherwise(self, room: int) -> n.Otherwise:
        return n.Otherwise(self.maybe(lambda: self.expr(1)), self.block(room), span=NOWHERE)

    def bindings(self, least: int = 0) -> list[n.Binding]:
        return self.many(self.binding, least, 2)

    def binding(self) -> n.Binding:
        return n.Binding(self.ident(), self.expr(1), self.wheres(), span=NOWHERE)

    def wheres(self) -> list[n.Where]:
        return self.many(lambda: self.where(1), 0, 2)

    def label(self) -> n.Text:
        return n.Text(self.string(), span=NOWHERE)

    def decided(self, room: int) -> n.Statement:
        """A decision with what happens if there is nothing to decide."""
        kind = self.draw(st.integers(0, 2))
        if kind == 0:
            return n.May(self.maybe(self.label), self.bindings(), self.block(room), self.otherwise(room), span=NOWHERE)
        made = self.chosen(room)
        made.otherwise = self.otherwise(room)
        return made

    def chosen(self, _room: int = 0) -> n.Choose | n.ChooseAction:
        if self.draw(st.booleans()):
            return n.ChooseAction(self.many(self.ident, 1), None, span=NOWHERE)
        return n.Choose(self.bindings(1), None, span=NOWHERE)

    def plain(self, room: int = 0) -> n.Statement:
        kind = self.draw(st.integers(0, 6))
        if kind == 0:
            return n.Assign(self.place(), self.one((":=", "+=", "-=")), self.right_side(), span=NOWHERE)
        if kind == 1:
            return n.Let(self.ident(), self.right_side(), span=NOWHERE)
        if kind == 2:
            return n.LetPerform(self.ident(), self.plain_call(), span=NOWHERE)
        if kind == 3:
            return n.Pick(self.ident(), self.expr(1), self.wheres(), span=NOWHERE)
        if kind == 4:
            return n.Rank(
                self.ident(), self.expr(1, SETOP), self.wheres(), self.keys(1), self.ident(), span=NOWHERE
            )  # fmt: skip
        return self.one((self.handling, self.leaving))(room)

    def handling(self, _room: int = 0) -> n.Statement:
        kind = self.draw(st.integers(0, 7))
        if kind <= 2:
            how = self.one(MOVES)
            source = None if how == "all" else self.expr(1)
            return n.Move(how, self.expr(1), source, self.expr(1), self.maybe(self.ident), span=NOWHERE)
        if kind == 3:
            return n.Swap(self.expr(1), self.expr(1), span=NOWHERE)
        if kind == 4:
            return self.one((n.Roll, n.Shuffle))(self.expr(1), span=NOWHERE)
        if kind == 5:
            return n.Look(self.expr(1), self.maybe(self.ident), span=NOWHERE)
        clauses = self.many(lambda: self.clause(1), 0, 2)
        bound = None if clauses else self.maybe(self.ident)
        return n.Reveal(self.expr(1), self.maybe(lambda: self.expr(1)), bound, clauses, span=NOWHERE)

    def leaving(self, _room: int = 0) -> n.Statement:
        kind = self.draw(st.integers(0, 7))
        if kind == 0:
            return self.one((n.Play, n.Perform))(self.plain_call(), span=NOWHERE)
        if kind == 1:
            return n.Announce(self.plain_call(), None, span=NOWHERE)
        if kind == 2:
            return n.Cancel(self.ident(), span=NOWHERE)
        if kind == 3:
            return n.End(self.ident(), span=NOWHERE)
        if kind <= 5:
            return n.Return(self.maybe(self.right_side), span=NOWHERE)
        return n.Stop(self.string(), span=NOWHERE) if kind == 6 else n.Nothing(span=NOWHERE)

    def prefixed(self, room: int) -> n.Statement:
        kind = self.draw(st.integers(0, 4))
        if kind == 0:
            around = self.draw(st.booleans())
            return n.For(self.ident(), self.expr(1), self.wheres(), around, self.block(room), span=NOWHERE)
        if kind == 1:
            how = self.one(ACTORS)
            if how == "one":
                return n.As(how, None, self.expr(1, SUM), [], self.block(room), span=NOWHERE)
            domain = self.expr(1) if how == "around" else self.expr(1, SETOP)
            return n.As(how, self.ident(), domain, self.wheres(), self.block(room), span=NOWHERE)
        if kind == 2:
            return n.AtOnce(self.block(room), span=NOWHERE)
        if kind == 3:
            return n.Announce(self.plain_call(), self.block(room), span=NOWHERE)
        return n.May(self.maybe(self.label), self.bindings(), self.block(room), None, span=NOWHERE)

    def compound(self, room: int) -> n.Statement:
        kind = self.draw(st.integers(0, 3))
        if kind == 0:
            branches = self.many(lambda: n.Branch(self.expr(1), self.block(room), span=NOWHERE), 1, 2)
            return n.If(branches, self.maybe(lambda: self.block(room)), span=NOWHERE)
        if kind == 1:
            options = self.many(lambda: self.option(room), 1, 2)
            return n.ChooseOption(options, self.maybe(lambda: self.otherwise(room)), span=NOWHERE)
        if kind == 2:
            return n.Turns(self.expr(1), self.wheres(), self.block(room), span=NOWHERE)
        times = self.maybe(lambda: self.expr(1))
        until = self.maybe(lambda: self.expr(1)) if times is None else None
        return n.Repeat(times, self.block(room), until, span=NOWHERE)

    def option(self, room: int) -> n.Option:
        guard, body = self.maybe(lambda: self.expr(1)), self.maybe(lambda: self.block(room))
        return n.Option(self.label(), self.bindings(), guard, body, self.prose(), span=NOWHERE)
