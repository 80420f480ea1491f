"""Statements that give a name or a place its value: assignments, `let`, `pick`, `rank`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Local
from egodsl.engine.bodies import Body, Label
from egodsl.engine.code import AT, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.machine import draw
from egodsl.engine.runtime import best
from egodsl.engine.table import WRITE
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.engine.state import State


def assign(body: Body, s: nodes.Assign) -> None:
    if isinstance(s.value, nodes.The) and any(k.direction == "random" for k in s.value.keys):
        slot = body.temporary(body.e.type_of(s.value))
        _the_at_random(body, s.value, slot)
        store(body, s.target, slot)
        return
    scope = body.scope()
    keeps_none = s.operator == ":=" and isinstance(_target_type(body, s.target), t.OptionalType | t.UnknownType)
    may_be_none = isinstance(body.e.type_of(s.value), t.OptionalType)
    source = body.e.some(s.value, scope) if may_be_none and not keeps_none else body.stored(s.value, scope)
    lines = _write(body, s.target, source, s.operator, scope)
    _emit_write(body, lines, s.target, scope)


def store(body: Body, target: nodes.Expr, slot: int) -> None:
    """Write what lies in the slot to the place."""
    scope = body.scope()
    lines = _write(body, target, f"F[{slot}]", ":=", scope)
    _emit_write(body, lines, target, scope, extra=slot)


def store_own(body: Body, decl: nodes.VarDecl, slot: int, ident: nodes.Ident) -> None:
    """Write what lies in the slot to the variable, yours if it is by player."""
    scope = body.scope()
    first = body.linker.layout.vars[decl].base
    lines = write_variable(body, body.e.own_slot(decl, scope), first, body.e.place(ident), f"F[{slot}]", ":=")
    body.emit(body.e.define("S,F", lines, "w"), reads=[slot])


def _target_type(body: Body, target: nodes.Expr) -> t.Type:
    ref = body.e.checked.refs.get(target)
    return ref.type if isinstance(ref, Local) else body.e.type_of(target)


def _emit_write(body: Body, lines: list[str], target: nodes.Expr, scope: Any, extra: int | None = None) -> None:
    ref = body.e.checked.refs.get(target)
    writes = [body.slot(ref)] if isinstance(ref, Local) else []
    reads = body.used(scope) | ({extra} if extra is not None else set())
    body.emit(body.e.define("S,F", lines, "w"), reads=reads, writes=writes)


def _write(body: Body, target: nodes.Expr, source: str, operator: str, scope: Any) -> list[str]:
    ref = body.e.checked.refs.get(target)
    if isinstance(ref, Local):
        at = f"F[{body.slot(ref)}]"
        if operator != ":=":
            return [f"{at}={scope.source(ref)}{operator[0]}{source}"]
        body.unsure.discard(ref)
        return [f"{at}={source}"]
    if isinstance(ref, Builtin):
        body.e.namespace["set_next"] = _set_next
        return [f"set_next(S,{source})"]
    first = body.linker.first_slot(target)
    return write_variable(body, body.e.var_slot(target, scope), first, body.e.place(target), source, operator)


def write_variable(body: Body, slot: str, first: int, place: str, source: str, operator: str) -> list[str]:
    """The lines that write a variable or mark: the range is checked, a change is noted. Log: WRITE, slot, value.

    `slot` is the source of its number, `first` the first of its family.
    """
    e = body.e
    bounds = body.linker.layout.var_slots[first]
    mask = body.linker.var_watches[first]
    lines = [f"i={slot}", f"v={source}"]
    if operator != ":=":
        before = "V[i]" if bounds.decl.initial is not None else f"written(V[i],{place})"
        lines[1] = f"v={before}{operator[0]}{source}"
    if bounds.low is not None:
        e.namespace["out_of_range"] = out_of_range
        test = f"{bounds.low}<=v<={bounds.high}"
        lines.append(f"if v is not None and not {test}: out_of_range(S,i,v,{place})")
    lines += ["S.log=(S.log,(WRITE,i,v))", "if V[i]!=v:", "    V[i]=v", "    S.ticks+=1"]
    e.namespace["WRITE"] = WRITE
    if mask:
        lines.append(f"    S.dirty|={mask}")
    return lines


def _set_next(state: State, player: int) -> None:
    if state.turns:
        state.turns[-1][2:] = [player, True]


def out_of_range(state: State, slot: int, value: int, place: Any) -> NoReturn:
    """The fault of a value that a variable cannot hold."""
    bounds = state.game.layout.var_slots[slot]
    raise Fault("EGO703", place, f"`{place.text}` would become {value}, but it goes from {bounds.low} to {bounds.high}")


def let(body: Body, s: nodes.Let) -> None:
    if isinstance(s.value, nodes.The) and any(k.direction == "random" for k in s.value.keys):
        _the_at_random(body, s.value, body.local(s.name))
        return
    function, reads = body.value(s.value, some=False)
    slot = body.local(s.name)

    def op(state: State, frame: Frame) -> None:
        frame[slot] = function(state, frame)

    body.emit(op, reads=reads, writes=[slot])


def _the_at_random(body: Body, the: nodes.The, slot: int) -> None:
    # The keys before `at random` narrow; chance chooses among those that are still equal.
    scope = body.scope()
    candidates = body.e.function("S,F", body.e.candidates(the.name, the.domain, the.wheres, scope))
    keys = body.e.function("S,F", body.e.keys(the.name, the.keys, scope))
    site = body.draw_site(f"which {the.name.name}", body.e.type_of(the), slot, the)
    place = the.span

    def op(state: State, frame: Frame) -> object:
        found = best(candidates(state, frame), keys(state, frame))
        if not found:
            raise Fault("EGO708", place, f"`{place.text}` names nothing: there is none")
        if len(found) == 1:
            frame[slot] = found[0]
            return None
        return draw(state, frame, found, site)

    body.emit(op, reads=body.used(scope), writes=[slot])


def pick(body: Body, s: nodes.Pick) -> None:
    ref = body.e.checked.refs[s.name]
    slot = body.slot(ref) if isinstance(ref, Local) else body.temporary()
    scope = body.scope()
    domain = body.e.type_of(s.domain)
    kind = domain.inner if isinstance(domain, t.SetType | t.RowType) else domain
    candidates = body.e.function("S,F", body.e.candidates(s.name, s.domain, s.wheres, scope))
    site = body.draw_site(s.name.name, kind, slot, s)
    place = s.domain.span

    def op(state: State, frame: Frame) -> object:
        found = candidates(state, frame)
        if not found:
            raise Fault(
                "EGO702", place, f"there is nothing to pick from in `{place.text}`", "ask for `not empty(...)` first"
            )
        return draw(state, frame, found, site)

    body.emit(op, reads=body.used(scope), writes=[slot])
    if isinstance(ref, nodes.VarDecl):
        store_own(body, ref, slot, s.name)


def rank(body: Body, s: nodes.Rank) -> None:
    """Order the candidates by the keys: a row of them where the order is strict, otherwise a row of sets of equals."""
    scope = body.scope()
    candidates = body.e.function("S,F", body.e.candidates(s.name, s.domain, s.wheres, scope))
    keys = body.e.function("S,F", body.e.keys(s.name, s.keys, scope))
    bound = body.local(s.bound)
    random = any(k.direction == "random" for k in s.keys)
    local = body.e.checked.refs[s.bound]
    assert isinstance(local, Local)
    strict = isinstance(local.type, t.RowType) and not isinstance(local.type.inner, t.SetType)
    groups, chosen = body.temporary(body.e.type_of(s.domain)), body.temporary()
    begin, end = Label(), Label()
    kind = local.type.inner if isinstance(local.type, t.RowType) else t.UnknownType()
    site = body.draw_site(f"which {s.name.name}", kind, chosen, s)

    def order(state: State, frame: Frame) -> None:
        left = candidates(state, frame)
        made = []
        while left:
            first = best(left, keys(state, frame))
            made.append(tuple(first))
            left = [x for x in left if x not in first]
        frame[groups] = tuple(made)

    def untie(state: State, frame: Frame) -> object:
        tied = next((g for g in frame[groups] if len(g) > 1), None) if random else None
        if tied is None:
            frame[AT] = end.at
            return None
        return draw(state, frame, list(tied), site)

    def split(state: State, frame: Frame) -> None:
        del state
        one = frame[chosen]
        made: list[Any] = []
        for group in frame[groups]:
            if one in group:
                made += [(one,), tuple(x for x in group if x != one)]
            else:
                made.append(group)
        frame[groups] = tuple(made)
        frame[AT] = begin.at

    def keep(state: State, frame: Frame) -> None:
        del state
        found = frame[groups]
        if strict:
            if any(len(g) > 1 for g in found):
                raise Fault("EGO708", s.span, f"`{s.span.text}` leaves a tie", "add a key, or `at random`")
            frame[bound] = tuple(g[0] for g in found)
        else:
            frame[bound] = tuple(frozenset(g) for g in found)

    body.emit(order, reads=body.used(scope), writes=[groups])
    body.mark(begin)
    body.emit(untie, reads=[groups], writes=[chosen], to=[end])
    body.emit(split, reads=[groups, chosen], writes=[groups], to=[begin], falls=False)
    body.mark(end)
    body.emit(keep, reads=[groups], writes=[bound])


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.Assign: assign,
    nodes.Let: let,
    nodes.Pick: pick,
    nodes.Rank: rank,
}
