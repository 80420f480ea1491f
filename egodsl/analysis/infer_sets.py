"""Types of sets, rows and comprehensions, and the names that they bind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from egodsl.analysis.infer import domain, infer, named, rule, wheres
from egodsl.analysis.infer_operators import check_ordered, common
from egodsl.analysis.names import expected_element, expects_value
from egodsl.analysis.relations import UNKNOWN, is_unknown, plain
from egodsl.analysis.scope import Context
from egodsl.analysis.types import RowType, SetType, TupleType, Type
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes


@contextmanager
def clauses(ctx: Context, every: list[nodes.Clause]) -> Iterator[None]:
    """Inside, the names of the clauses are bound."""
    before = dict(ctx.body.visible)
    with ExitStack() as stack:
        for clause in every:
            kind = domain(ctx, clause.domain)
            for ident, one in zip(clause.names, _parts(ctx, clause, kind), strict=True):
                ctx.bind(ident, one)
                stack.enter_context(ctx.binding(ident, one))
            wheres(ctx, clause.wheres)
        yield
    ctx.release([ident for clause in every for ident in clause.names], before)


def _parts(ctx: Context, clause: nodes.Clause, kind: Type) -> list[Type]:
    if len(clause.names) == 1:
        return [kind]
    inner = plain(kind)
    if isinstance(inner, TupleType) and len(inner.items) == len(clause.names):
        return list(inner.items)
    if not is_unknown(kind):
        words = quote(clause.domain.span.text)
        message = f"each member of {words} is {named(kind)}, which {len(clause.names)} names cannot take apart"
        ctx.error("EGO405", clause.domain.span, message)
    return [UNKNOWN] * len(clause.names)


@contextmanager
def bound(ctx: Context, ident: nodes.Ident, kind: Type) -> Iterator[None]:
    """Inside, one name is bound to one member after another."""
    before = dict(ctx.body.visible)
    ctx.bind(ident, kind)
    with ctx.binding(ident, kind):
        yield
    ctx.release([ident], before)


@rule(nodes.Comprehension)
def _comprehension(ctx: Context, expr: nodes.Comprehension, expected: Type | None) -> Type:
    with clauses(ctx, expr.clauses):
        kind = infer(ctx, expr.element, expected_element(expected))
    return SetType(kind) if expr.kind == "set" else RowType(kind)


@rule(nodes.Filter)
def _filter(ctx: Context, expr: nodes.Filter, expected: Type | None) -> Type:
    kind = domain(ctx, expr.domain, expected_element(expected))
    with bound(ctx, expr.name, kind):
        wheres(ctx, expr.wheres)
    return SetType(kind)


@rule(nodes.Braces)
def _braces(ctx: Context, expr: nodes.Braces, expected: Type | None) -> Type:
    return SetType(_items(ctx, expr.items, expected_element(expected)))


@rule(nodes.Brackets)
def _brackets(ctx: Context, expr: nodes.Brackets, expected: Type | None) -> Type:
    return RowType(_items(ctx, expr.items, expected_element(expected)))


def _items(ctx: Context, items: list[nodes.Expr], expected: Type | None) -> Type:
    # Items whose meaning is plain come first, so that the others can go by them.
    found: Type = UNKNOWN
    plainly = [item for item in items if not expects_value(ctx, item)]
    for item in plainly:
        found = common(ctx, item, found, infer(ctx, item, expected))
    for item in items:
        if expects_value(ctx, item):
            hint = expected if expected is not None else None if is_unknown(found) else found
            found = common(ctx, item, found, infer(ctx, item, hint))
    return found


@rule(nodes.The)
def _the(ctx: Context, expr: nodes.The, expected: Type | None) -> Type:
    kind = domain(ctx, expr.domain, expected)
    with bound(ctx, expr.name, kind):
        wheres(ctx, expr.wheres)
        keys(ctx, expr.keys)
    return kind


def keys(ctx: Context, every: list[nodes.SortKey]) -> None:
    """Infer the keys to order by."""
    for key in every:
        if key.value is not None:
            kind = infer(ctx, key.value)
            check_ordered(ctx, key.value, kind, f"`{key.direction}`")


def is_strict(every: list[nodes.SortKey], name: str) -> bool:
    """Whether no two things can tie: a key is drawn, or is the seat of `name`, or the steps from one player to it."""
    return any(key.value is None or _by_seat(key.value, name) for key in every)


def _by_seat(value: nodes.Expr, name: str) -> bool:
    if not isinstance(value, nodes.Call):
        return False
    given = [argument.value for argument in value.arguments]
    its = [isinstance(one, nodes.Name) and one.name == name for one in given]
    if value.name.name == "seat":
        return its == [True]
    if value.name.name != "steps" or its.count(True) != 1:
        return False
    other = given[its.index(False)]
    return not any(isinstance(node, nodes.Name) and node.name == name for node in nodes.walk(other))
