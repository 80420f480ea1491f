"""Types of literals and operators."""

from __future__ import annotations

from egodsl.analysis.infer import condition, infer, integer, named, require, rule
from egodsl.analysis.names import expects_value
from egodsl.analysis.relations import (
    ANY_INT,
    BOOL,
    NONE,
    TEXT,
    UNKNOWN,
    arithmetic,
    clamp,
    element,
    is_unknown,
    join,
    optional,
    ordered,
    outside,
    plain,
    related,
)
from egodsl.analysis.scope import Context
from egodsl.analysis.types import BoolType, EnumType, IntType, PlayerType, RowType, SetType, TupleType, Type
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes


@rule(nodes.Integer)
def _integer(_ctx: Context, expr: nodes.Integer, _expected: Type | None) -> Type:
    return IntType(expr.value, expr.value)


@rule(nodes.Boolean)
def _boolean(_ctx: Context, _expr: nodes.Boolean, _expected: Type | None) -> Type:
    return BOOL


@rule(nodes.NoneValue)
def _none(_ctx: Context, _expr: nodes.NoneValue, _expected: Type | None) -> Type:
    return NONE


@rule(nodes.Text)
def _text(ctx: Context, expr: nodes.Text, expected: Type | None) -> Type:
    if ctx.body.scenario or (expected is not None and plain(expected) == TEXT):
        return TEXT
    message = f"{quote(expr.span.text)} is a text, and no rule can go by a text"
    return ctx.error("EGO408", expr.span, message, help="give it a name as a value of an enum")


@rule(nodes.Group)
def _group(ctx: Context, expr: nodes.Group, expected: Type | None) -> Type:
    return infer(ctx, expr.inner, expected)


@rule(nodes.Not)
def _not(ctx: Context, expr: nodes.Not, _expected: Type | None) -> Type:
    condition(ctx, expr.operand, "what follows `not`")
    return BOOL


@rule(nodes.And)
def _and(ctx: Context, expr: nodes.And, _expected: Type | None) -> Type:
    for operand in expr.operands:
        condition(ctx, operand, "a side of `and`")
    return BOOL


@rule(nodes.Or)
def _or(ctx: Context, expr: nodes.Or, _expected: Type | None) -> Type:
    for operand in expr.operands:
        condition(ctx, operand, "a side of `or`")
    return BOOL


@rule(nodes.Negate)
def _negate(ctx: Context, expr: nodes.Negate, _expected: Type | None) -> Type:
    kind = integer(ctx, expr.operand, "what follows `-`")
    return clamp(-kind.high, -kind.low)


@rule(nodes.Binary)
def _binary(ctx: Context, expr: nodes.Binary, expected: Type | None) -> Type:
    if expr.operator in {"&", "|", "without"}:
        return _sets(ctx, expr, expected)
    left = integer(ctx, expr.left, f"a side of `{expr.operator}`")
    right = integer(ctx, expr.right, f"a side of `{expr.operator}`")
    return arithmetic(expr.operator, left, right)


def _sets(ctx: Context, expr: nodes.Binary, expected: Type | None) -> Type:
    left, right = _both(ctx, expr.left, expr.right, expected)
    inner, other = element(left), element(right)
    for side, kind in ((expr.left, inner), (expr.right, other)):
        if kind is None:
            given = ctx.types[side]
            advice = (
                f"write `{{{side.span.text}}}` for the set of it alone" if not isinstance(given, BoolType) else None
            )
            message = f"{quote(side.span.text)} is {named(given)}, and `{expr.operator}` goes between two sets"
            return ctx.error("EGO401", side.span, message, help=advice)
    if inner is None or other is None:
        return UNKNOWN
    joined = join(inner, other)
    if joined is None:
        return _unrelated(ctx, expr, left, right, expr.operator)
    if expr.operator == "|":
        return SetType(joined)
    keeps_order = isinstance(plain(left), RowType)
    return RowType(inner) if keeps_order else SetType(joined if is_unknown(inner) else inner)


def _both(ctx: Context, left: nodes.Expr, right: nodes.Expr, expected: Type | None = None) -> tuple[Type, Type]:
    # The side that means something by itself helps to tell what names of values on the other side mean.
    if expects_value(ctx, left) and not expects_value(ctx, right):
        second = infer(ctx, right, expected)
        return infer(ctx, left, expected or second), second
    first = infer(ctx, left, expected)
    return first, infer(ctx, right, expected or first)


@rule(nodes.Compare)
def _compare(ctx: Context, expr: nodes.Compare, _expected: Type | None) -> Type:
    if expr.operator in {"in", "not in"}:
        _membership(ctx, expr)
        return BOOL
    left, right = _both(ctx, expr.left, expr.right)
    if is_unknown(left) or is_unknown(right):
        return BOOL
    if not related(left, right):
        _unrelated(ctx, expr, left, right, expr.operator)
    elif expr.operator in {"=", "!="}:
        _never_equal(ctx, expr, left, right)
    else:
        for side, kind in ((expr.left, left), (expr.right, right)):
            if not ordered(kind):
                _no_order(ctx, side, kind, f"`{expr.operator}`")
                break
    return BOOL


def _no_order(ctx: Context, side: nodes.Expr, kind: Type, role: str) -> None:
    advice = "`seat(p)` and `steps(p, q)` count players" if isinstance(plain(kind), PlayerType) else None
    message = f"{quote(side.span.text)} is {named(kind)}, which has no order for {role} to go by"
    ctx.error("EGO414", side.span, message, help=advice)


def check_ordered(ctx: Context, expr: nodes.Expr, kind: Type, role: str) -> bool:
    """Report where values of `kind` have no order; gives whether they have."""
    if ordered(kind) or is_unknown(kind):
        return True
    _no_order(ctx, expr, kind, role)
    return False


def _never_equal(ctx: Context, expr: nodes.Compare, left: Type, right: Type) -> None:
    # Only a number as such is certain never to be there: what is computed may lie elsewhere in another rulebook.
    for side, other in ((expr.left, expr.right), (expr.right, expr.left)):
        literal = isinstance(side, nodes.Integer) and isinstance(other, nodes.Name | nodes.Attribute | nodes.Index)
        computed = isinstance(ctx.refs.get(other), nodes.DefineDecl)
        if literal and not computed and outside(left, right):
            kind = plain(ctx.types[other])
            bounds = IntType(kind.low, kind.high) if isinstance(kind, IntType) else kind
            message = f"{quote(other.span.text)} is never `{side.span.text}`: it lies in `{bounds}`"
            ctx.error("EGO407", side.span, message)


def _unrelated(ctx: Context, expr: nodes.Expr, left: Type, right: Type, operator: str) -> Type:
    message = f"{named(left)} and {named(right)} have nothing in common for `{operator}` to go by"
    advice = None
    if NONE in (left, right):
        other = right if left == NONE else left
        message, advice = f"{named(other)} is never none", "only a value whose type has a `?` can be none"
    elif isinstance(plain(left), RowType) != isinstance(plain(right), RowType):
        advice = "a row is compared with a list in `[ ]`, a set with braces `{ }`"
    elif (element(left) is None) != (element(right) is None) and operator in {"=", "!="}:
        advice = "to ask whether it is among them write `in`"
    return ctx.error("EGO402", expr.span, message, help=advice)


def _membership(ctx: Context, expr: nodes.Compare) -> None:
    if expects_value(ctx, expr.left) and not expects_value(ctx, expr.right):
        group = infer(ctx, expr.right)
        member = infer(ctx, expr.left, element(group))
    else:
        member = infer(ctx, expr.left)
        group = infer(ctx, expr.right, SetType(member))
    inner = element(group)
    if inner is None:
        message = f"{quote(expr.right.span.text)} is {named(group)}, and only a set or a row has members"
        ctx.error("EGO405", expr.right.span, message)
    elif not (is_unknown(inner) or is_unknown(member) or related(optional(inner), member)):
        _unrelated(ctx, expr, member, group, expr.operator)


@rule(nodes.Conditional)
def _conditional(ctx: Context, expr: nodes.Conditional, expected: Type | None) -> Type:
    condition(ctx, expr.condition)
    then, otherwise = _both(ctx, expr.then, expr.otherwise, expected)
    return common(ctx, expr.otherwise, then, otherwise)


def common(ctx: Context, later: nodes.Expr, first: Type, second: Type) -> Type:
    """The type of a value that is one of two; where they have nothing in common, an error at the later one."""
    joined = join(first, second)
    if joined is None:
        message = f"{quote(later.span.text)} is {named(second)}, and what stands beside it is {named(first)}"
        return ctx.error("EGO401", later.span, message, help="all of them must be of one type")
    return joined


@rule(nodes.Range)
def _range(ctx: Context, expr: nodes.Range, expected: Type | None) -> Type:
    inner = element(expected) if expected is not None else None
    low, high = _both(ctx, expr.low, expr.high, inner)
    low, high = plain(low), plain(high)
    if isinstance(low, IntType) and isinstance(high, IntType):
        label = low.label or high.label
        return SetType(IntType(low.low, max(low.low, high.high), label))
    if isinstance(low, EnumType) and isinstance(high, EnumType) and low.decl is high.decl:
        return SetType(low)
    if is_unknown(low) or is_unknown(high):
        return UNKNOWN
    for side, kind in ((expr.low, low), (expr.high, high)):
        if not isinstance(kind, IntType | EnumType):
            require(ctx, side, ANY_INT, kind, "an end of a range")
            return UNKNOWN
    return _unrelated(ctx, expr, low, high, "..")


@rule(nodes.Tuple)
def _tuple(ctx: Context, expr: nodes.Tuple, expected: Type | None) -> Type:
    wanted = plain(expected) if expected is not None else None
    if isinstance(wanted, TupleType) and len(wanted.items) == len(expr.items):
        return TupleType(tuple(infer(ctx, item, kind) for item, kind in zip(expr.items, wanted.items, strict=True)))
    return TupleType(tuple(infer(ctx, item) for item in expr.items))
