"""Expressions and types as documents, with the parentheses that precedence asks for and no others.

A `Group` is printed as the author's parentheses; they are never doubled.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from egodsl.syntax import nodes as n
from egodsl.syntax.printer_docs import LINE, Break, Doc, Group, Nest, bracketed, enclosed
from egodsl.syntax.printer_strings import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


class Level(IntEnum):
    """How tightly an expression holds together, from loosest to tightest."""

    THE = 0
    EXPR = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    SETOP = 6
    RANGE = 7
    SUM = 8
    PRODUCT = 9
    UNARY = 10
    POSTFIX = 11


_BINARY_LEVELS = {
    "&": Level.SETOP,
    "|": Level.SETOP,
    "without": Level.SETOP,
    "+": Level.SUM,
    "-": Level.SUM,
    "*": Level.PRODUCT,
    "//": Level.PRODUCT,
    "%": Level.PRODUCT,
}
_LEADING_OPERATORS = frozenset("+*")
"""The operators that may begin a line anywhere."""


def level_of(expr: n.Expr) -> Level:
    """How tightly `expr` holds together as it is printed."""
    match expr:
        case n.The():
            return Level.THE
        case n.Conditional():
            return Level.EXPR
        case n.Or():
            return Level.OR
        case n.And():
            return Level.AND
        case n.Not():
            return Level.NOT
        case n.Compare():
            return Level.COMPARE
        case n.Binary():
            return _BINARY_LEVELS[expr.operator]
        case n.Range():
            return Level.RANGE
        case n.Negate():
            return Level.UNARY
        case _:
            return Level.POSTFIX


def expression(expr: n.Expr, least: Level = Level.EXPR, *, inside: bool = False) -> Doc:
    """`expr` where the grammar wants at least the level `least`; `inside` brackets it has more breaks."""
    if level_of(expr) < least:
        return enclosed("(", _bare(expr, inside=True), ")")
    return _bare(expr, inside=inside)


def _bare(expr: n.Expr, *, inside: bool) -> Doc:
    match expr:
        case n.Name(name=name):
            return name
        case n.Integer(value=number):
            return str(number)
        case n.Text(value=value):
            return quoted(value)
        case n.Boolean(value=truth):
            return "true" if truth else "false"
        case n.NoneValue():
            return "none"
        case n.Group(inner=inner):
            return enclosed("(", _bare(inner, inside=True), ")")
        case n.Attribute() | n.Index() | n.Key() | n.Call():
            return _postfix(expr, inside=inside)
        case n.Comprehension() | n.Filter() | n.Braces() | n.Brackets() | n.Tuple():
            return _collection(expr)
        case _:
            return _operation(expr, inside=inside)


def _operation(expr: n.Expr, *, inside: bool) -> Doc:
    match expr:
        case n.The():
            return the(expr, inside=inside)
        case n.Conditional(then=then, condition=condition, otherwise=otherwise):
            place = LINE if inside else " "
            return Group(
                [
                    expression(then, Level.OR, inside=inside),
                    place,
                    "if ",
                    expression(condition, Level.OR, inside=inside),
                    place,
                    "else ",
                    expression(otherwise, Level.EXPR, inside=inside),
                ]
            )
        case n.Or(operands=operands):
            return _joined("or", operands, Level.AND, inside=inside)
        case n.And(operands=operands):
            return _joined("and", operands, Level.NOT, inside=inside)
        case n.Not(operand=operand):
            return ["not ", expression(operand, Level.NOT, inside=inside)]
        case n.Compare(operator=operator, left=left, right=right):
            # A line that ends in `=` is continued.
            place = LINE if inside or operator == "=" else " "
            sides = [expression(side, Level.SETOP, inside=inside) for side in (left, right)]
            return Group([sides[0], f" {operator}", place, sides[1]])
        case n.Range(low=low, high=high):
            return [expression(low, Level.SUM, inside=inside), "..", expression(high, Level.SUM, inside=inside)]
        case n.Negate(operand=operand):
            return ["-", expression(operand, Level.UNARY, inside=inside)]
        case n.Binary():
            return Group(_chain(expr, inside=inside))
        case _:
            msg = f"no way to print a {type(expr).__name__}"
            raise TypeError(msg)


def _joined(word: str, operands: Sequence[n.Expr], least: Level, *, inside: bool) -> Doc:
    docs: list[Doc] = [expression(operands[0], least, inside=inside)]
    for operand in operands[1:]:
        docs += [LINE, f"{word} ", expression(operand, least, inside=inside)]
    return Group(docs)


def _chain(expr: n.Binary, *, inside: bool) -> list[Doc]:
    # Operators of one level, left to right, broken alike.
    level = _BINARY_LEVELS[expr.operator]
    steps: list[n.Binary] = []
    first: n.Expr = expr
    while isinstance(first, n.Binary) and _BINARY_LEVELS[first.operator] == level:
        steps.append(first)
        first = first.left
    docs: list[Doc] = [expression(first, level, inside=inside)]
    tighter = Level(level + 1)
    for step in reversed(steps):
        place: Break | str = LINE if inside or step.operator in _LEADING_OPERATORS else " "
        docs += [place, f"{step.operator} ", expression(step.right, tighter, inside=inside)]
    return docs


def _postfix(expr: n.Expr, *, inside: bool) -> Doc:
    match expr:
        case n.Attribute(target=target, name=name):
            return [expression(target, Level.POSTFIX, inside=inside), f".{name.name}"]
        case n.Index(target=target, indices=indices):
            return [
                expression(target, Level.POSTFIX, inside=inside),
                bracketed("[", [expression(index, inside=True) for index in indices], "]"),
            ]
        case n.Key(name=name):
            return f".{name.name}"
        case n.Call(name=name, arguments=arguments):
            return bracketed(f"{name.name}(", [_argument(argument) for argument in arguments], ")")
        case _:
            msg = f"no way to print a {type(expr).__name__}"
            raise TypeError(msg)


def _argument(argument: n.Argument) -> Doc:
    value = expression(argument.value, inside=True)
    return value if argument.name is None else [f"{argument.name.name}: ", value]


def _collection(expr: n.Expr) -> Doc:
    match expr:
        case n.Comprehension(kind="set", element=element):
            return enclosed("{", _comprehension(expr, expression(element, Level.SETOP, inside=True)), "}")
        case n.Comprehension(kind="row", element=element):
            return enclosed("[", _comprehension(expr, expression(element, inside=True)), "]")
        case n.Comprehension(element=element):
            return _comprehension(expr, expression(element, inside=True))
        case n.Filter(name=name, domain=domain, wheres=conditions):
            head = [f"{name.name} in ", expression(domain, Level.SETOP, inside=True)]
            return enclosed("{", Group([*head, *wheres(conditions, inside=True)]), "}")
        case n.Braces(items=items):
            return bracketed("{", [expression(item, Level.SETOP, inside=True) for item in items], "}")
        case n.Brackets(items=items):
            return bracketed("[", [expression(item, inside=True) for item in items], "]")
        case n.Tuple(items=items):
            return bracketed("(", [expression(item, inside=True) for item in items], ")")
        case _:
            msg = f"no way to print a {type(expr).__name__}"
            raise TypeError(msg)


def _comprehension(expr: n.Comprehension, element: Doc) -> Doc:
    return Group([element, *(part for clause in expr.clauses for part in (LINE, clause_doc(clause, inside=True)))])


# ---------------------------------------------------------------- parts of expressions and statements


def clause_doc(clause: n.Clause, *, inside: bool) -> Doc:
    """`for name in domain where ...`."""
    names = ", ".join(name.name for name in clause.names)
    if len(clause.names) > 1:
        names = f"({names})"
    return [
        f"for {names} in ",
        expression(clause.domain, Level.OR, inside=inside),
        *wheres(clause.wheres, inside=inside),
    ]


def wheres(conditions: Sequence[n.Where], *, inside: bool = False) -> list[Doc]:
    """Each `where ... [if able]`, with a break before it."""
    docs: list[Doc] = []
    for where in conditions:
        condition = expression(where.condition, inside=inside)
        docs += [LINE, "where ", Nest([condition, " if able"] if where.if_able else condition)]
    return docs


def sort_keys(keys: Sequence[n.SortKey], *, inside: bool = False) -> Doc:
    """`most a, least b, at random`, broken after commas."""
    docs: list[Doc] = []
    for key in keys:
        if docs:
            docs += [",", LINE]
        if key.value is None:
            docs.append("at random")
        else:
            docs.append([f"{key.direction} ", expression(key.value, Level.OR, inside=inside)])
    return Group(docs)


def the(expr: n.The, *, inside: bool = False) -> Doc:
    """`the name in domain where ... by keys`."""
    docs: list[Doc] = [f"the {expr.name.name} in ", expression(expr.domain, Level.OR, inside=inside)]
    docs += wheres(expr.wheres, inside=inside)
    if expr.keys:
        docs += [LINE, "by ", Nest(sort_keys(expr.keys, inside=inside))]
    return Group(docs)


def right_side(expr: n.Expr) -> Doc:
    """`expr` as a whole right side, where `the ...` needs no parentheses."""
    return the(expr) if isinstance(expr, n.The) else expression(expr)


# ---------------------------------------------------------------- types


def type_doc(written: n.TypeNode) -> Doc:
    """A type as it is written."""
    match written:
        case n.NamedType(name=name):
            return name
        case n.RangeType(low=low, high=high):
            docs: list[Doc] = [expression(low, Level.SUM), ".."]
            return docs if high is None else [*docs, expression(high, Level.SUM)]
        case n.OptionalType(inner=inner):
            return [type_doc(inner), "?"]
        case n.SetType(inner=inner):
            return ["set of ", type_doc(inner)]
        case n.RowType(inner=inner):
            return ["row of ", type_doc(inner)]
        case _:
            msg = f"no way to print a {type(written).__name__}"
            raise TypeError(msg)
