"""From reductions to nodes: statements."""

from __future__ import annotations

from typing import Literal

from egodsl.source.span import Span
from egodsl.syntax import nodes as n
from egodsl.syntax.build import ExpressionBuilder, Values, all_of, one_of, the_one


class StatementBuilder(ExpressionBuilder):
    """Adds the statements."""

    def block(self, values: Values, span: Span) -> n.Block:
        # The block begins with its first statement: the line end and the indent before it lie behind the header.
        inner = Span(self.source, values[0].span.start, span.end) if values else span
        return n.Block(values, inline=False, span=inner)

    def inline_body(self, values: Values, span: Span) -> n.Block:
        return n.Block(values, inline=True, span=span)

    def stmt(self, values: Values, span: Span) -> n.Statement:
        statement: n.Statement = values[-1]
        if isinstance(values[0], n.Prose):
            statement.prose = values[0]
            statement.span = span
        return statement

    # ------------------------------------------------------------ decisions

    def unwrap(self, values: Values, _: Span) -> n.Statement:
        statement: n.Statement = values[0]
        return statement

    def with_otherwise(self, values: Values, span: Span) -> n.Statement:
        decision: n.Choose | n.ChooseAction = values[0]
        # None if that line was dropped.
        decision.otherwise = one_of(values, n.Otherwise)
        decision.span = span
        return decision

    def otherwise(self, values: Values, span: Span) -> n.Otherwise:
        return n.Otherwise(values[0] if len(values) > 1 else None, values[-1], span=span)

    def guard(self, values: Values, _: Span) -> n.Expr:
        condition: n.Expr = values[0]
        return condition

    def choose(self, values: Values, span: Span) -> n.Statement:
        return n.Choose(values, None, span=span)

    def choose_action(self, values: Values, span: Span) -> n.Statement:
        return n.ChooseAction(values, None, span=span)

    def choose_option(self, values: Values, span: Span) -> n.Statement:
        return n.ChooseOption(all_of(values, n.Option), one_of(values, n.Otherwise), span=span)

    def option(self, values: Values, span: Span) -> n.Option:
        prose = values[0] if isinstance(values[0], n.Prose) else None
        label, *rest = values[1:] if prose else values
        bindings: list[n.Binding] = one_of(rest, list) or []
        return n.Option(label, bindings, one_of(rest, n.Expr), one_of(rest, n.Block), prose, span=span)

    def with_(self, values: Values, _: Span) -> list[n.Binding]:
        return values

    def may(self, values: Values, span: Span) -> n.Statement:
        bindings: list[n.Binding] = one_of(values, list) or []
        body = the_one(values, n.Block)
        return n.May(one_of(values, n.Text), bindings, body, one_of(values, n.Otherwise), span=span)

    may_otherwise = may

    # ------------------------------------------------------------ plain statements

    def assign(self, values: Values, span: Span) -> n.Statement:
        return n.Assign(values[0], values[1].text, values[2], span=span)

    def let(self, values: Values, span: Span) -> n.Statement:
        return n.Let(values[0], values[1], span=span)

    def let_perform(self, values: Values, span: Span) -> n.Statement:
        return n.LetPerform(values[0], values[1], span=span)

    def as_name(self, values: Values, _: Span) -> n.Ident:
        ident: n.Ident = values[0]
        return ident

    def move(self, values: Values, span: Span) -> n.Statement:
        return n.Move("all", values[0], None, values[1], one_of(values, n.Ident), span=span)

    def move_count(self, values: Values, span: Span) -> n.Statement:
        return self._move("count", values, span)

    def move_up_to(self, values: Values, span: Span) -> n.Statement:
        return self._move("up to", values, span)

    def move_at_random(self, values: Values, span: Span) -> n.Statement:
        return self._move("at random", values, span)

    def _move(self, how: Literal["count", "up to", "at random"], values: Values, span: Span) -> n.Statement:
        return n.Move(how, values[0], values[1], values[2], one_of(values, n.Ident), span=span)

    def swap(self, values: Values, span: Span) -> n.Statement:
        return n.Swap(values[0], values[1], span=span)

    def roll(self, values: Values, span: Span) -> n.Statement:
        return n.Roll(values[0], span=span)

    def shuffle(self, values: Values, span: Span) -> n.Statement:
        return n.Shuffle(values[0], span=span)

    def to_whom(self, values: Values, _: Span) -> n.Expr:
        viewers: n.Expr = values[0]
        return viewers

    def reveal(self, values: Values, span: Span) -> n.Statement:
        what, *rest = values
        return n.Reveal(what, one_of(rest, n.Expr), one_of(rest, n.Ident), all_of(rest, n.Clause), span=span)

    reveal_fact = reveal

    def look(self, values: Values, span: Span) -> n.Statement:
        return n.Look(values[0], one_of(values, n.Ident), span=span)

    def pick(self, values: Values, span: Span) -> n.Statement:
        return n.Pick(values[0], values[1], values[2:], span=span)

    def rank(self, values: Values, span: Span) -> n.Statement:
        keys = all_of(values, n.SortKey)
        return n.Rank(values[0], values[1], all_of(values, n.Where), keys, values[-1], span=span)

    def play(self, values: Values, span: Span) -> n.Statement:
        return n.Play(values[0], span=span)

    def perform(self, values: Values, span: Span) -> n.Statement:
        return n.Perform(values[0], span=span)

    def announce(self, values: Values, span: Span) -> n.Statement:
        return n.Announce(values[0], one_of(values, n.Block), span=span)

    announce_body = announce

    def cancel(self, values: Values, span: Span) -> n.Statement:
        return n.Cancel(values[0], span=span)

    def end(self, values: Values, span: Span) -> n.Statement:
        return n.End(values[0], span=span)

    def return_(self, values: Values, span: Span) -> n.Statement:
        return n.Return(values[0] if values else None, span=span)

    def stop(self, values: Values, span: Span) -> n.Statement:
        return n.Stop(values[0].value, span=span)

    def nothing(self, _: Values, span: Span) -> n.Statement:
        return n.Nothing(span=span)

    # ------------------------------------------------------------ statements with a body

    def for_(self, values: Values, span: Span) -> n.Statement:
        return n.For(values[0], values[1], values[2:-1], around=False, body=values[-1], span=span)

    def for_from(self, values: Values, span: Span) -> n.Statement:
        return n.For(values[0], values[1], values[2:-1], around=True, body=values[-1], span=span)

    def as_one(self, values: Values, span: Span) -> n.Statement:
        return n.As("one", None, values[0], [], values[1], span=span)

    def as_each(self, values: Values, span: Span) -> n.Statement:
        return n.As("each", values[0], values[1], values[2:-1], values[-1], span=span)

    def as_from(self, values: Values, span: Span) -> n.Statement:
        return n.As("around", values[0], values[1], values[2:-1], values[-1], span=span)

    def as_together(self, values: Values, span: Span) -> n.Statement:
        return n.As("together", values[0], values[1], values[2:-1], values[-1], span=span)

    def at_once(self, values: Values, span: Span) -> n.Statement:
        return n.AtOnce(values[0], span=span)

    def if_(self, values: Values, span: Span) -> n.Statement:
        condition, body, *rest = values
        first = n.Branch(condition, body, span=condition.span.join(body.span))
        return n.If([first, *all_of(rest, n.Branch)], one_of(rest, n.Block), span=span)

    def else_if(self, values: Values, span: Span) -> n.Branch:
        return n.Branch(values[0], values[1], span=span)

    def else_(self, values: Values, _: Span) -> n.Block:
        body: n.Block = values[0]
        return body

    def repeat_times(self, values: Values, span: Span) -> n.Statement:
        return n.Repeat(values[0], values[1], None, span=span)

    def repeat_until(self, values: Values, span: Span) -> n.Statement:
        return n.Repeat(None, values[0], values[1], span=span)

    def repeat_forever(self, values: Values, span: Span) -> n.Statement:
        return n.Repeat(None, values[0], None, span=span)

    def turns(self, values: Values, span: Span) -> n.Statement:
        return n.Turns(values[0], values[1:-1], values[-1], span=span)
