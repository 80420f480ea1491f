"""Statements that show cards, variables and facts to players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Local
from egodsl.engine.bodies import Body
from egodsl.engine.code import YOU, Frame
from egodsl.engine.table import (
    FACT,
    LOOK,
    REVEAL,
    SHOW,
)
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.state import State


from egodsl.engine.moving import end_of_pile, is_zone, settle_all, take_end, zone_of


def reveal(body: Body, s: nodes.Reveal) -> None:
    """Log: REVEAL, cards, viewers or None for all; SHOW, variable slot, viewers; FACT, viewers, number of the
    statement, what holds of each.
    """
    if s.clauses:
        _reveal_fact(body, s)
        return
    ref = body.e.checked.refs.get(s.what.target if isinstance(s.what, nodes.Index) else s.what)
    if isinstance(ref, nodes.VarDecl):
        _reveal_variable(body, s)
        return
    viewers, more = _viewers(body, s.viewers)
    _show(body, s, s.what, s.bound, lambda state, frame, cards: (REVEAL, cards, viewers(state, frame)), more)


def look(body: Body, s: nodes.Look) -> None:
    """Log: LOOK, cards, (player,)."""
    _show(body, s, s.what, s.bound, lambda state, frame, cards: (LOOK, cards, (frame[YOU],)), frozenset())


def _viewers(body: Body, expr: nodes.Expr | None) -> tuple[Callable[..., Any], frozenset[int]]:
    if expr is None:
        return (lambda state, frame: None), frozenset()
    function, reads = body.value(expr)
    if isinstance(body.e.type_of(expr), t.SetType | t.RowType):
        return (lambda state, frame: tuple(sorted(function(state, frame)))), reads
    return (lambda state, frame: (function(state, frame),)), reads


def _show(
    body: Body,
    s: nodes.Reveal | nodes.Look,
    what: nodes.Expr,
    bound: nodes.Ident | None,
    entry: Callable[..., tuple[object, ...]],
    more: frozenset[int],
) -> None:
    slot = body.local(bound) if bound is not None else None
    many = isinstance(body.e.type_of(what), t.SetType | t.RowType)
    end = end_of_pile(body, what)
    if end is not None:
        source, reads = zone_of(body, end[1])
        card = slot if slot is not None else body.temporary()
        take_end(body, source, reads, card, end[0], s, on_empty=None)
        shown: Callable[..., Any] = lambda state, frame: frame[card]  # noqa: E731 - one of three makers of one function
        reads = frozenset({card})
    elif many and is_zone(body, what):
        source, reads = zone_of(body, what)
        settle_all(body, source, reads)
        shown = lambda state, frame: state.Z[source(state, frame)]  # noqa: E731 - one of three makers of one function
    else:
        shown, reads = body.value(what)

    def op(state: State, frame: Frame) -> None:
        seen = shown(state, frame)
        cards = tuple(sorted(seen)) if many else (seen,)
        state.log = (state.log, entry(state, frame, cards))
        if slot is not None:
            frame[slot] = frozenset(seen) if many else seen

    body.emit(op, reads=reads | more, writes=[slot] if slot is not None else [])


def _reveal_variable(body: Body, s: nodes.Reveal) -> None:
    slot, reads = body.made(lambda scope: body.e.var_slot(s.what, scope))
    viewers, more = _viewers(body, s.viewers)

    def op(state: State, frame: Frame) -> None:
        state.log = (state.log, (SHOW, slot(state, frame), state.V[slot(state, frame)], viewers(state, frame)))

    body.emit(op, reads=reads | more)


def _reveal_fact(body: Body, s: nodes.Reveal) -> None:
    viewers, more = _viewers(body, s.viewers)
    scope = body.scope()
    inner = scope.inner()
    clauses = body.e.clauses(s.clauses, inner)
    names = "".join(
        inner.source(local) + ","
        for clause in s.clauses
        for n in clause.names
        if isinstance(local := body.e.checked.refs[n], Local)
    )
    facts = body.e.function("S,F", f"tuple([(({names}),{body.e.some(s.what, inner)}){clauses}])")
    value = body.e.function(f"S,F,{names.rstrip(',')}", body.e.some(s.what, inner))
    number = body.linker.fact_site(s, value)

    def op(state: State, frame: Frame) -> None:
        # The frame as it is now: what the fact would be of other cards is asked later.
        state.log = (state.log, (FACT, viewers(state, frame), number, facts(state, frame), tuple(frame)))

    body.emit(op, reads=body.used(scope) | more)


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.Reveal: reveal,
    nodes.Look: look,
}
