"""Random expressions and types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

from hypothesis import strategies as st

from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n

Draw = Callable[[st.SearchStrategy[Any]], Any]
T = TypeVar("T")

NOWHERE = Span(SourceText("generated.rules", ""), 0, 0)
NAMES = (
    "ada", "bo", "cy", "dee", "Rank", "Card", "hand_2", "deck", "pile", "p", "q",
    "a_name_long_enough_to_fill_a_line", "another_name_that_takes_much_room", "_hidden",
)  # fmt: skip
KINDS = (
    "enum", "type", "card", "components", "zone", "var", "parameter", "define", "event", "stage", "procedure",
    "action", "ability", "trigger", "reading", "mode", "property",
)  # fmt: skip
Seen: TypeAlias = Literal["face up", "face down", "owner only", "others only"]
SEEN: tuple[Seen, ...] = ("face up", "face down", "owner only", "others only")
SENTENCES = ("The deck is mixed.", "Whoever is left wins [12].", "", "no # comment here", "a > b")
TEXTS = (
    "",
    "yes",
    "a longer label, with a comma",
    "# not a comment",
    "> not prose",
    "{cy} of {dee}",
    "(",
    'say "when"',
    "a \\ b",
)

# How tightly an expression holds together, in the words of the grammar.
(CONDITIONAL, OR, AND, NOT, COMPARE, SETOP, SPAN, SUM, PRODUCT, UNARY, POSTFIX) = range(11)
LEVELS: dict[type[n.Expr], int] = {
    n.Conditional: CONDITIONAL,
    n.Or: OR,
    n.And: AND,
    n.Not: NOT,
    n.Compare: COMPARE,
    n.Range: SPAN,
    n.Negate: UNARY,
}
Operator: TypeAlias = Literal["+", "-", "*", "//", "%", "&", "|", "without"]
SIGNS: tuple[Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"], ...] = (
    "=", "!=", "<", "<=", ">", ">=", "in", "not in",
)  # fmt: skip
OPERATORS: dict[Operator, int] = {
    "&": SETOP, "|": SETOP, "without": SETOP, "+": SUM, "-": SUM, "*": PRODUCT, "//": PRODUCT, "%": PRODUCT,
}  # fmt: skip


def _level(expr: n.Expr) -> int:
    return OPERATORS[expr.operator] if isinstance(expr, n.Binary) else LEVELS.get(type(expr), POSTFIX)


class Expressions:
    """Draws trees. `room` is how much deeper a tree may still grow."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    # ------------------------------------------------------------ small things

    def one(self, choices: tuple[T, ...]) -> T:
        chosen: T = self.draw(st.sampled_from(choices))
        return chosen

    def maybe(self, make: Callable[[], T]) -> T | None:
        return make() if self.draw(st.booleans()) else None

    def many(self, make: Callable[[], T], least: int = 0, most: int = 3) -> list[T]:
        return [make() for _ in range(self.draw(st.integers(least, most)))]

    def ident(self) -> n.Ident:
        return n.Ident(self.one(NAMES), span=NOWHERE)

    def prose(self) -> n.Prose | None:
        return self.maybe(lambda: n.Prose(self.many(lambda: self.one(SENTENCES), 1), span=NOWHERE))

    def string(self) -> str:
        return self.one(TEXTS)

    # ------------------------------------------------------------ expressions

    def expr(self, room: int = 2, level: int = CONDITIONAL) -> n.Expr:
        """An expression for a place of this level, in parentheses if it does not hold together tightly enough."""
        made = self.bare(room)
        return n.Group(made, span=NOWHERE) if _level(made) < level else made

    def bare(self, room: int) -> n.Expr:
        if room <= 0:
            return self.leaf()
        makes: tuple[Callable[[int], n.Expr], ...] = (
            self.leaf, self.operation, self.operation, self.postfix, self.collection, self.grouped,
        )  # fmt: skip
        return self.one(makes)(room - 1)

    def leaf(self, _room: int = 0) -> n.Expr:
        kind = self.draw(st.integers(0, 6))
        if kind == 0:
            return n.Integer(self.one((0, 7, 120)), span=NOWHERE)
        if kind == 1:
            return n.Text(self.string(), span=NOWHERE)
        if kind == 2:
            return n.Boolean(self.one((True, False)), span=NOWHERE)
        if kind == 3:
            return n.NoneValue(span=NOWHERE)
        return n.Name(self.one(NAMES), span=NOWHERE)

    def grouped(self, room: int) -> n.Expr:
        inner: n.Expr = self.the(room) if self.draw(st.booleans()) else self.expr(room)
        return n.Group(inner, span=NOWHERE)

    def the(self, room: int) -> n.The:
        return n.The(
            self.ident(), self.expr(room, OR), self.many(lambda: self.where(room), 0, 2), self.keys(room, 0),
            span=NOWHERE,
        )  # fmt: skip

    def keys(self, room: int, least: int = 1) -> list[n.SortKey]:
        return self.many(lambda: self.key(room), least, 2)

    def key(self, room: int) -> n.SortKey:
        directions: tuple[Literal["most", "least", "random"], ...] = ("most", "least", "random")
        direction = self.one(directions)
        return n.SortKey(direction, None if direction == "random" else self.expr(room, OR), span=NOWHERE)

    def operation(self, room: int) -> n.Expr:
        kind = self.draw(st.integers(0, 8))
        if kind == 0:
            return n.Conditional(self.expr(room, OR), self.expr(room, OR), self.expr(room), span=NOWHERE)
        if kind == 1:
            return n.Or(self.many(lambda: self.expr(room, AND), 2), span=NOWHERE)
        if kind == 2:
            return n.And(self.many(lambda: self.expr(room, NOT), 2), span=NOWHERE)
        if kind == 3:
            return n.Not(self.expr(room, NOT), span=NOWHERE)
        if kind == 4:
            return n.Compare(self.one(SIGNS), self.expr(room, SETOP), self.expr(room, SETOP), span=NOWHERE)
        if kind == 5:
            return n.Range(self.expr(room, SUM), self.expr(room, SUM), span=NOWHERE)
        if kind == 6:
            return n.Negate(self.expr(room, UNARY), span=NOWHERE)
        operator = self.one(tuple(OPERATORS))
        level = OPERATORS[operator]
        left, right = self.expr(room, level), self.expr(room, level + 1)
        return n.Binary(operator, left, right, span=NOWHERE)

    def postfix(self, room: int) -> n.Expr:
        kind = self.draw(st.integers(0, 3))
        if kind == 0:
            return n.Attribute(self.expr(room, POSTFIX), self.ident(), span=NOWHERE)
        if kind == 1:
            return n.Index(self.expr(room, POSTFIX), self.many(lambda: self.expr(room), 1, 2), span=NOWHERE)
        return self.call(room)

    def call(self, room: int = 1) -> n.Call:
        if self.draw(st.integers(0, 3)) == 0:
            only = n.Comprehension(
                "argument", self.expr(room), self.many(lambda: self.clause(room), 1, 2), span=NOWHERE
            )
            return n.Call(self.ident(), [n.Argument(None, only, span=NOWHERE)], span=NOWHERE)
        return n.Call(self.ident(), self.many(lambda: self.argument(room)), span=NOWHERE)

    def plain_call(self, room: int = 1) -> n.Call:
        """A call of a statement, which takes no comprehension."""
        return n.Call(self.ident(), self.many(lambda: self.argument(room)), span=NOWHERE)

    def argument(self, room: int) -> n.Argument:
        value = n.Key(self.ident(), span=NOWHERE) if self.draw(st.integers(0, 4)) == 0 else self.expr(room)
        return n.Argument(self.maybe(self.ident), value, span=NOWHERE)

    def collection(self, room: int) -> n.Expr:
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            return n.Braces(self.many(lambda: self.expr(room, SETOP)), span=NOWHERE)
        if kind == 1:
            return n.Brackets(self.many(lambda: self.expr(room)), span=NOWHERE)
        if kind == 2:
            return n.Tuple(self.many(lambda: self.expr(room), 2), span=NOWHERE)
        if kind == 3:
            conditions = self.many(lambda: self.where(room), 1, 2)
            return n.Filter(self.ident(), self.expr(room, SETOP), conditions, span=NOWHERE)
        clauses = self.many(lambda: self.clause(room), 1, 2)
        if kind == 4:
            return n.Comprehension("set", self.expr(room, SETOP), clauses, span=NOWHERE)
        return n.Comprehension("row", self.expr(room), clauses, span=NOWHERE)

    def clause(self, room: int) -> n.Clause:
        wheres = self.many(lambda: self.where(room), 0, 2)
        return n.Clause(self.many(self.ident, 1), self.expr(room, OR), wheres, span=NOWHERE)

    def where(self, room: int) -> n.Where:
        return n.Where(self.expr(room), self.one((False, False, True)), span=NOWHERE)

    def place(self) -> n.Expr:
        name = n.Name(self.one(NAMES), span=NOWHERE)
        kind = self.draw(st.integers(0, 2))
        if kind == 0:
            return n.Index(name, self.many(lambda: self.expr(1), 1, 2), span=NOWHERE)
        return n.Attribute(name, self.ident(), span=NOWHERE) if kind == 1 else name

    def right_side(self) -> n.Expr:
        return self.the(2) if self.draw(st.integers(0, 2)) == 0 else self.expr(2)

    # ------------------------------------------------------------ types

    def type(self, room: int = 2) -> n.TypeNode:
        kind = self.draw(st.integers(0, 4 if room else 1))
        if kind == 0:
            return self.range_type()
        if kind == 1:
            return n.NamedType(self.one(("player", "team", "bool", "Rank", "Card")), span=NOWHERE)
        if kind == 2:
            return n.OptionalType(self.type(0), span=NOWHERE)
        inner = self.type(room - 1)
        return n.SetType(inner, span=NOWHERE) if kind == 3 else n.RowType(inner, span=NOWHERE)

    def range_type(self) -> n.RangeType:
        return n.RangeType(self.expr(1, SUM), self.maybe(lambda: self.expr(1, SUM)), span=NOWHERE)
