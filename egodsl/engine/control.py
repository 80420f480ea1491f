"""Statements that say what comes next: assignments, loops, turns, calls, events, and who is acting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Local
from egodsl.engine.bodies import Body, Label
from egodsl.engine.code import AT, CODE, YOU, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.machine import announce, cancel, clockwise, draw, end_stage, pop, push
from egodsl.engine.runtime import best
from egodsl.engine.table import WRITE
from egodsl.engine.together import begin_together, end_branch
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.state import State


def block(body: Body, statements: nodes.Block | None) -> None:
    """The statements in order."""
    for statement in statements.statements if statements is not None else ():
        body.linker.statement(body, statement)


# ---------------------------------------------------------------- assignments


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
            scope.source(ref)
        return [f"{at}={source}" if operator == ":=" else f"{at}={at}{operator[0]}{source}"]
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
        lines[1] = f"v=written(V[i],{place}){operator[0]}{source}"
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
        state.turns[-1][2] = player


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
            raise Fault("EGO702", place, f"there is nothing to pick from in `{place.text}`", "ask for `not empty(...)` first")
        return draw(state, frame, found, site)

    body.emit(op, reads=body.used(scope), writes=[slot])
    if isinstance(ref, nodes.VarDecl):
        store_own(body, ref, slot, s.name)


# ---------------------------------------------------------------- branches and loops


def if_(body: Body, s: nodes.If) -> None:
    end = Label()
    for branch in s.branches:
        other = Label()
        unless(body, branch.condition, other)
        block(body, branch.body)
        if branch is not s.branches[-1] or s.otherwise is not None:
            body.jump(end)
        body.mark(other)
    block(body, s.otherwise)
    body.mark(end)


def unless(body: Body, condition: nodes.Expr, label: Label) -> None:
    """Go to the label if the condition does not hold."""
    holds, reads = body.value(condition)

    def op(state: State, frame: Frame) -> None:
        if not holds(state, frame):
            frame[AT] = label.at

    body.emit(op, reads=reads, to=[label])


def _note_pass(body: Body) -> Callable[[State, Frame], None]:
    # A pass of a loop in which nothing happened would go on for ever.
    ticks = body.temporary()

    def begin(state: State, frame: Frame) -> None:
        frame[ticks] = state.ticks

    body.emit(begin, writes=[ticks])

    def check(state: State, frame: Frame) -> None:
        if frame[ticks] == state.ticks:
            raise Fault("EGO705", state.here(), "a pass of this loop changed nothing, so it would go on for ever")

    return check


def repeat(body: Body, s: nodes.Repeat) -> None:
    if s.times is not None:
        _repeat_times(body, s)
        return
    begin, end = Label(), Label()
    body.mark(begin)
    check = _note_pass(body)
    block(body, s.body)
    if s.until is not None:
        done, reads = body.value(s.until)

        def until(state: State, frame: Frame) -> None:
            if done(state, frame):
                frame[AT] = end.at
            else:
                check(state, frame)
                frame[AT] = begin.at

        body.emit(until, reads=reads, to=[begin, end], falls=False)
    else:

        def again(state: State, frame: Frame) -> None:
            check(state, frame)
            frame[AT] = begin.at

        body.emit(again, to=[begin], falls=False)
    body.mark(end)


def _repeat_times(body: Body, s: nodes.Repeat) -> None:
    assert s.times is not None
    times, reads = body.value(s.times)
    left = body.temporary()
    begin, end = Label(), Label()

    def first(state: State, frame: Frame) -> None:
        frame[left] = times(state, frame)

    def step(state: State, frame: Frame) -> None:
        del state
        if frame[left] <= 0:
            frame[AT] = end.at
        else:
            frame[left] -= 1

    body.emit(first, reads=reads, writes=[left])
    body.mark(begin)
    body.emit(step, reads=[left], to=[end])
    block(body, s.body)
    body.jump(begin)
    body.mark(end)


def for_(body: Body, s: nodes.For) -> None:
    scope = body.scope()
    if s.around:
        start = body.e.some(s.domain, scope)
        source = f"tuple([({start}+k)%N for k in range(N)])"
    else:
        source = f"tuple({body.e.ordered(s.domain, scope)})"
    _each(body, s, body.e.function("S,F", source), body.used(scope), bind_you=False)


def as_(body: Body, s: nodes.As) -> None:
    if s.how == "together":
        together(body, s)
        return
    if s.how == "one":
        _as_one(body, s)
        return
    scope = body.scope()
    if s.how == "around":
        source = f"tuple([({body.e.some(s.domain, scope)}+k)%N for k in range(N)])"
    else:
        body.e.namespace["clockwise"] = clockwise
        given = body.e.some(s.domain, scope)
        source = f"tuple({given})" if _keeps_order(body, s.domain) else f"clockwise(S,{given})"
    _each(body, s, body.e.function("S,F", source), body.used(scope), bind_you=True)


def _keeps_order(body: Body, domain: nodes.Expr) -> bool:
    # A row keeps its own order; `players` is all of them, so they are asked from the player on turn like any set.
    ref = body.e.checked.refs.get(domain)
    return isinstance(body.e.type_of(domain), t.RowType) and not isinstance(ref, Builtin)


def _as_one(body: Body, s: nodes.As) -> None:
    player, reads = body.value(s.domain)
    before = body.temporary()

    def begin(state: State, frame: Frame) -> None:
        who = player(state, frame)
        frame[before] = frame[YOU]
        frame[YOU] = who

    body.emit(begin, reads=reads, writes=[before])
    block(body, s.body)
    _restore_you(body, before)


def _restore_you(body: Body, before: int) -> None:
    def op(state: State, frame: Frame) -> None:
        del state
        frame[YOU] = frame[before]

    body.emit(op, reads=[before])


def _each(
    body: Body, s: nodes.For | nodes.As, domain: Callable[..., Any], reads: frozenset[int], *, bind_you: bool
) -> None:
    # The domain is worked out once; `where` is asked anew as each one comes, of the one who comes.
    waiting, before = body.temporary(body.e.type_of(s.domain)), body.temporary()
    assert s.name is not None
    item = body.local(s.name)
    begin, end, skip = Label(), Label(), Label()

    def first(state: State, frame: Frame) -> None:
        frame[waiting] = domain(state, frame)
        frame[before] = frame[YOU]

    def step(state: State, frame: Frame) -> None:
        del state
        left = frame[waiting]
        if not left:
            frame[AT] = end.at
            return
        frame[item] = left[0]
        frame[waiting] = left[1:]
        if bind_you:
            frame[YOU] = left[0]

    body.emit(first, reads=reads, writes=[waiting, before])
    body.mark(begin)
    body.emit(step, reads=[waiting], writes=[item], to=[end])
    for where in s.wheres:
        unless(body, where.condition, skip)
    block(body, s.body)
    body.mark(skip)
    body.jump(begin)
    body.mark(end)
    if bind_you:
        _restore_you(body, before)


def together(body: Body, s: nodes.As) -> None:
    """All players of the domain at once: each runs the body on a copy, and what they did becomes one change when the last is done."""
    scope = body.scope()
    players = body.e.function("S,F", f"tuple({body.e.ordered(s.domain, scope)})")
    reads = body.used(scope)
    assert s.name is not None
    item = body.local(s.name)
    asked = body.scope("you")
    asked.names[body.e.checked.refs[s.name]] = "you"  # type: ignore[index] - the name of an `as` is a Local
    conditions = " and ".join(body.e.some(w.condition, asked) for w in s.wheres) or "True"
    takes_part = body.e.function("S,F,you", conditions)
    begin, end = Label(), Label()

    def op(state: State, frame: Frame) -> bool:
        who = tuple(p for p in players(state, frame) if takes_part(state, frame, p))
        return begin_together(state, frame, who, item, begin.at, end.at)

    body.emit(op, reads=reads | (body.used(asked) - {item}), to=[begin, end], falls=False)
    body.mark(begin)
    block(body, s.body)
    body.emit(end_branch, falls=False)
    body.mark(end)


def turns(body: Body, s: nodes.Turns) -> None:
    """Round the table for ever; finished when `where` holds for nobody."""
    first, reads = body.value(s.first)
    scope = body.scope("you")
    conditions = [body.e.some(w.condition, scope) for w in s.wheres]
    plays = body.e.function("S,F,you", " and ".join(conditions)) if conditions else None
    before = body.temporary()
    begin, end = Label(), Label()

    def enter(state: State, frame: Frame) -> None:
        frame[before] = frame[YOU]
        start = first(state, frame)
        state.turns.append([len(state.frames) - 1, start, start])

    def step(state: State, frame: Frame) -> None:
        turn = state.turns[-1]
        n = state.game.layout.players
        player = _from(state, frame, turn[2], n)
        if player is None:
            state.turns.pop()
            frame[AT] = end.at
            return
        turn[1] = frame[YOU] = player
        turn[2] = (player + 1) % n if plays is None else _from(state, frame, (player + 1) % n, n)

    def _from(state: State, frame: Frame, start: int, n: int) -> int | None:
        if plays is None:
            return start
        return next((p for k in range(n) if plays(state, frame, p := (start + k) % n)), None)

    body.emit(enter, reads=reads, writes=[before])
    body.mark(begin)
    body.emit(step, reads=body.used(scope), to=[end])
    check = _note_pass(body)
    block(body, s.body)

    def again(state: State, frame: Frame) -> None:
        check(state, frame)
        frame[AT] = begin.at

    body.emit(again, to=[begin], falls=False)
    body.mark(end)
    _restore_you(body, before)


def at_once(body: Body, s: nodes.AtOnce) -> None:
    def hold(state: State, frame: Frame) -> None:
        del frame
        state.hold += 1

    def release(state: State, frame: Frame) -> None:
        del frame
        state.hold -= 1

    body.emit(hold)
    block(body, s.body)
    body.emit(release)


# ---------------------------------------------------------------- calls and events


def play(body: Body, s: nodes.Play) -> None:
    stage = body.e.checked.refs[s.call.name]
    assert isinstance(stage, nodes.StageDecl)
    _call(body, body.linker.code_of(stage), s.call, stage.params)


def perform(body: Body, s: nodes.Perform) -> None:
    called = body.e.checked.refs[s.call.name]
    if isinstance(called, nodes.ActionDecl):
        names = [b.name for b in called.bindings]
        _perform_action(body, body.linker.code_of(called), s.call, names)
        return
    assert isinstance(called, nodes.ProcedureDecl)
    _call(body, body.linker.code_of(called), s.call, called.params)


def _perform_action(body: Body, code: Any, call: nodes.Call, names: list[nodes.Ident]) -> None:
    placed: dict[str, nodes.Expr] = {}
    for k, argument in enumerate(call.arguments):
        placed[argument.name.name if argument.name is not None else names[k].name] = argument.value
    scope = body.scope()
    source = "(" + "".join(body.e.some(placed[n.name], scope) + "," for n in names) + ")"
    values = body.e.function("S,F", source)

    def op(state: State, frame: Frame) -> None:
        push(state, code.frame(frame[YOU], values(state, frame)))

    body.emit(op, reads=body.used(scope))


def let_perform(body: Body, s: nodes.LetPerform) -> None:
    perform(body, nodes.Perform(s.call, span=s.span))
    slot = body.local(s.name)

    def op(state: State, frame: Frame) -> None:
        frame[slot] = state.returned
        state.returned = None

    body.emit(op, writes=[slot])


def _call(body: Body, code: Any, call: nodes.Call, params: list[nodes.Param]) -> None:
    values, reads = body.values(call, params)

    def op(state: State, frame: Frame) -> None:
        push(state, code.frame(frame[YOU], values(state, frame)))

    body.emit(op, reads=reads)


def announce_(body: Body, s: nodes.Announce) -> None:
    decl = body.e.checked.refs[s.call.name]
    assert isinstance(decl, nodes.EventDecl)
    event = body.linker.event_of(decl)
    values, reads = body.values(s.call, decl.params)
    end = Label()
    place = s.span

    def op(state: State, frame: Frame) -> None:
        announce(state, event, frame[YOU], values(state, frame), end.at, place)

    body.emit(op, reads=reads, to=[end])
    block(body, s.body)
    body.mark(end)


def cancel_(body: Body, s: nodes.Cancel) -> None:
    decl = body.e.checked.refs[s.event]
    assert isinstance(decl, nodes.EventDecl)
    event = body.linker.event_of(decl)
    place = s.span

    def op(state: State, frame: Frame) -> None:
        del frame
        cancel(state, event, place)

    body.emit(op, falls=False)


def end_(body: Body, s: nodes.End) -> None:
    stage = body.e.checked.refs[s.stage]
    assert isinstance(stage, nodes.StageDecl)
    number = body.linker.stage_number(stage)
    place = s.span

    def op(state: State, frame: Frame) -> None:
        del frame
        end_stage(state, number, place)

    body.emit(op, falls=False)


def return_(body: Body, s: nodes.Return) -> None:
    function, reads = (lambda state, frame: None), frozenset[int]()
    if s.value is not None:
        function, reads = body.value(s.value, some=False)

    def op(state: State, frame: Frame) -> None:
        state.returned = function(state, frame)
        assert state.frames[-1][CODE] is frame[CODE]
        pop(state)

    body.emit(op, reads=reads, falls=False)


def stop(body: Body, s: nodes.Stop) -> None:
    def op(state: State, frame: Frame) -> None:
        del state, frame
        raise Fault("EGO711", s.span, s.message)

    body.emit(op, falls=False)


def nothing(body: Body, s: nodes.Nothing) -> None:
    del body, s


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
    groups, chosen = body.temporary(), body.temporary()
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
    nodes.LetPerform: let_perform,
    nodes.Pick: pick,
    nodes.Rank: rank,
    nodes.If: if_,
    nodes.Repeat: repeat,
    nodes.For: for_,
    nodes.As: as_,
    nodes.Turns: turns,
    nodes.AtOnce: at_once,
    nodes.Play: play,
    nodes.Perform: perform,
    nodes.Announce: announce_,
    nodes.Cancel: cancel_,
    nodes.End: end_,
    nodes.Return: return_,
    nodes.Stop: stop,
    nodes.Nothing: nothing,
}
