"""Types and expressions."""

from __future__ import annotations

from typing import Literal

from egodsl.syntax.nodes.base import Ident, Node, node

# ---------------------------------------------------------------- types


@node
class TypeNode(Node):
    """How a type is written."""


@node
class NamedType(TypeNode):
    """`player`, `team`, `bool`, or the name of an enum, a type or a card."""

    name: str


@node
class RangeType(TypeNode):
    """`low..high`; `high` is None in `0..` (64 bits)."""

    low: Expr
    high: Expr | None


@node
class OptionalType(TypeNode):
    """`T?`: a T or none."""

    inner: TypeNode


@node
class SetType(TypeNode):
    """`set of T`."""

    inner: TypeNode


@node
class RowType(TypeNode):
    """`row of T`."""

    inner: TypeNode


# ---------------------------------------------------------------- expressions


@node
class Expr(Node):
    """A value; evaluating it changes nothing, asks nobody and draws nothing."""


@node
class Name(Expr):
    """A name in an expression."""

    name: str


@node
class Integer(Expr):
    value: int


@node
class Text(Expr):
    """A string in double quotes (a label, where an option is meant)."""

    value: str


@node
class Boolean(Expr):
    value: bool


@node
class NoneValue(Expr):
    """`none`."""


@node
class Group(Expr):
    """Parentheses, kept so that the formatter keeps what the author wrote. `inner` may be a `The`."""

    inner: Expr


@node
class Not(Expr):
    operand: Expr


@node
class Negate(Expr):
    operand: Expr


@node
class Binary(Expr):
    """`+ - * // %` on integers, `& | without` on sets."""

    operator: Literal["+", "-", "*", "//", "%", "&", "|", "without"]
    left: Expr
    right: Expr


@node
class Compare(Expr):
    operator: Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"]
    left: Expr
    right: Expr


@node
class And(Expr):
    operands: list[Expr]


@node
class Or(Expr):
    operands: list[Expr]


@node
class Conditional(Expr):
    """`then if condition else otherwise`."""

    then: Expr
    condition: Expr
    otherwise: Expr


@node
class Range(Expr):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@node
class Attribute(Expr):
    """`target.name`: a field or mark of a card."""

    target: Expr
    name: Ident


@node
class Index(Expr):
    """`target[i]` or `target[i, j]`: a zone, a variable, or the n-th of a row or tuple (from 1)."""

    target: Expr
    indices: list[Expr]


@node
class Key(Expr):
    """`.rank`, as an argument: the field to go by."""

    name: Ident


@node
class Argument(Node):
    """An argument of a call, with its name if the author gave it."""

    name: Ident | None
    value: Expr


@node
class Call(Expr):
    """`name(...)`: a define, a built-in, a face of a card (`Card(hearts, 7)`); in statements also a stage, procedure,
    event or action.
    """

    name: Ident
    arguments: list[Argument]


@node
class Where(Node):
    """`where condition [if able]`."""

    condition: Expr
    if_able: bool


@node
class Clause(Node):
    """`for name[s] in domain where ...`; several names take a tuple apart."""

    names: list[Ident]
    domain: Expr
    wheres: list[Where]


@node
class Comprehension(Expr):
    """`{e for ...}` (set), `[e for ...]` (row), or the single argument of a call `count(e for ...)` (argument)."""

    kind: Literal["set", "row", "argument"]
    element: Expr
    clauses: list[Clause]


@node
class Filter(Expr):
    """`{c in domain where ...}`."""

    name: Ident
    domain: Expr
    wheres: list[Where]


@node
class Braces(Expr):
    """`{a, b}`: a set; of faces, a multiset."""

    items: list[Expr]


@node
class Brackets(Expr):
    """`[a, b]`: a row."""

    items: list[Expr]


@node
class Tuple(Expr):
    items: list[Expr]


@node
class SortKey(Node):
    """`most e`, `least e` or `at random` (value None)."""

    direction: Literal["most", "least", "random"]
    value: Expr | None


@node
class The(Expr):
    """`the x in domain where ... by keys`: the first of them. Only as a whole right side, or in parentheses."""

    name: Ident
    domain: Expr
    wheres: list[Where]
    keys: list[SortKey]
