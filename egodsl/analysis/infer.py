"""The heart of inference: one rule for each kind of expression, and the checks that others ask of a type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from egodsl.analysis.relations import BOOL, UNKNOWN, accepts, element, is_unknown, outside, plain
from egodsl.analysis.scope import Context
from egodsl.analysis.types import FaceType, IntType, NoneType, PlayerType, SetType, Type, UnknownType
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes

E = TypeVar("E", bound=nodes.Expr)
Rule = Callable[[Context, E, Type | None], Type]

_RULES: dict[type[nodes.Expr], Rule[Any]] = {}


def rule(kind: type[E]) -> Callable[[Rule[E]], Rule[E]]:
    """Make a function the rule for one kind of expression."""

    def register(made: Rule[E]) -> Rule[E]:
        _RULES[kind] = made
        return made

    return register


def infer(ctx: Context, expr: nodes.Expr, expected: Type | None = None) -> Type:
    """The type of an expression, noted in the table. `expected` only helps to tell which value a name means."""
    kind = _RULES[type(expr)](ctx, expr, expected)
    ctx.types[expr] = kind
    return kind


def check(ctx: Context, expr: nodes.Expr, wanted: Type, role: str) -> Type:
    """Infer an expression that must be a `wanted`; `role` says in the message what it is for."""
    given = infer(ctx, expr, wanted)
    require(ctx, expr, wanted, given, role)
    return given


def require(ctx: Context, expr: nodes.Expr, wanted: Type, given: Type, role: str) -> bool:
    """Report where a value of type `given` cannot be a `wanted`. Gives whether it can."""
    words = quote(expr.span.text)
    if not accepts(wanted, given, faces=ctx.body.scenario):
        ctx.error(
            "EGO401",
            expr.span,
            f"{words} is {_named(given)}, and {role} is to be {_named(wanted)}",
            help=_mismatch_help(wanted, given, words),
        )
        return False
    if outside(wanted, given):
        value = _range(given)
        found = f"{words} lies outside" if value == words else f"{words} is {value}, outside"
        ctx.error("EGO407", expr.span, f"{found} {_range(wanted)}, the range of {role}")
        return False
    return True


def condition(ctx: Context, expr: nodes.Expr, role: str = "a condition") -> None:
    """Infer an expression that must be true or false."""
    check(ctx, expr, BOOL, role)


def wheres(ctx: Context, conditions: list[nodes.Where]) -> None:
    """Infer the conditions of `where`s."""
    for where in conditions:
        condition(ctx, where.condition)


def domain(ctx: Context, expr: nodes.Expr, expected: Type | None = None) -> Type:
    """Infer an expression that is gone through one by one; gives the type of its members."""
    kind = infer(ctx, expr, SetType(expected) if expected is not None else None)
    inner = element(kind)
    if inner is not None:
        return inner
    words = quote(expr.span.text)
    advice = None
    if isinstance(plain(kind), IntType):
        advice = f"for the numbers up to it write `1..{expr.span.text}`"
    ctx.error(
        "EGO405", expr.span, f"{words} is {_named(kind)}, and only a set or a row can be gone through", help=advice
    )
    return UNKNOWN


def integer(ctx: Context, expr: nodes.Expr, role: str, expected: Type | None = None) -> IntType:
    """Infer an expression that must be a whole number; gives its bounds (the widest, after an error)."""
    given = infer(ctx, expr, expected)
    inner = plain(given)
    if isinstance(inner, IntType):
        return inner
    if not is_unknown(given):
        require(ctx, expr, IntType(0, 1), given, role)
    return _WIDE


def _named(kind: Type) -> str:
    if isinstance(kind, NoneType):
        return "none"
    if isinstance(kind, IntType) and kind.label is None:
        return "a number"
    return f"a `{kind}`"


def named(kind: Type) -> str:
    """A type, as messages name it."""
    return _named(kind)


def _range(kind: Type) -> str:
    inner = element(kind)
    kind = plain(kind if inner is None or isinstance(kind, UnknownType) else inner)
    if not isinstance(kind, IntType):
        return f"`{kind}`"
    return f"`{kind.low}`" if kind.low == kind.high else f"`{IntType(kind.low, kind.high)}`"


def _mismatch_help(wanted: Type, given: Type, words: str) -> str | None:
    given, wanted = plain(given), plain(wanted)
    if isinstance(given, SetType) and given.inner == wanted:
        if isinstance(wanted, PlayerType):
            return "a tie leaves several players: name a key that breaks it, or go through the set with `for`"
        return f"to take the only member, write `the x in {words.strip('`')}`"
    if isinstance(given, FaceType):
        return (
            "a face says what cards look like; name the card itself, for example by a `choose` or a `for` over the zone"
        )
    if isinstance(given, NoneType):
        return "only a type with a `?` has none among its values"
    return None


_WIDE = IntType(-(2**63 - 1), 2**63 - 1)
