"""Statements that say what comes next and who is acting: branches, loops, turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Local
from egodsl.engine.blocks import block
from egodsl.engine.bodies import Body, Label
from egodsl.engine.code import AT, YOU, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.folding import conjoined, literal
from egodsl.engine.machine import clockwise
from egodsl.engine.together import begin_together, end_branch
from egodsl.source.span import Span
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.sources import Scope
    from egodsl.engine.state import State

_NOBODY = t.OptionalType(t.PlayerType())
"""The type of what `you` is outside."""

# ---------------------------------------------------------------- branches and loops


def if_(body: Body, s: nodes.If) -> None:
    end = Label()
    # Conditions that the settings decide leave no trace.
    asked = [(branch, literal(body.e.some(branch.condition, body.scope()))) for branch in s.branches]
    branches = [branch for branch, (known, value) in asked if not known or value]
    for branch, (known, value) in asked:
        if known:
            body.count(branch.condition, "yes" if value else "no")
        if known and not value:
            continue
        if known:
            block(body, branch.body)
            break
        other = Label()
        unless(body, branch.condition, other)
        block(body, branch.body)
        if branch is not branches[-1] or s.otherwise is not None:
            body.jump(end)
        body.mark(other)
    else:
        block(body, s.otherwise)
    body.mark(end)


def unless(body: Body, condition: nodes.Expr, label: Label) -> None:
    """Go to the label if the condition does not hold."""
    holds, reads = body.made(lambda scope: body.e.asked(condition, scope))

    def op(state: State, frame: Frame) -> None:
        if not holds(state, frame):
            frame[AT] = label.at

    body.emit(op, reads=reads, to=[label])


def _note_pass(body: Body, loop: nodes.Repeat) -> Callable[[State, Frame], None]:
    """Note where a pass of a loop begins; gives what to do at its end."""
    ticks, place = body.temporary(), _head(loop)

    def begin(state: State, frame: Frame) -> None:
        frame[ticks] = state.ticks

    body.emit(begin, writes=[ticks])
    return lambda state, frame: something_happened(state, frame[ticks], place)


def _head(loop: nodes.Repeat | nodes.Turns) -> Span:
    # A loop may be long, and what is shown of it is where it begins: `repeat` or `turns` itself.
    span = loop.span
    return Span(span.source, span.start, span.start + len("repeat" if isinstance(loop, nodes.Repeat) else "turns"))


def something_happened(state: State, ticks: int, place: Span) -> None:
    """A pass of the loop at `place` in which nothing happened would go on for ever."""
    if ticks == state.ticks:
        raise Fault("EGO705", place, "a pass of this loop changed nothing, so it would go on for ever")


def repeat(body: Body, s: nodes.Repeat) -> None:
    if s.times is not None:
        _repeat_times(body, s)
        return
    begin, end = Label(), Label()
    body.mark(begin)
    check = _note_pass(body, s)
    block(body, s.body, always=True)
    if s.until is not None:
        until_ = s.until
        done, reads = body.made(lambda scope: body.e.asked(until_, scope))

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
    left = body.temporary(t.IntType(0, t.WIDEST))
    begin, test = Label(), Label()

    def first(state: State, frame: Frame) -> None:
        frame[left] = times(state, frame)
        frame[AT] = test.at

    def step(state: State, frame: Frame) -> None:
        del state
        if frame[left] > 0:
            frame[left] -= 1
            frame[AT] = begin.at

    body.emit(first, reads=reads, writes=[left], to=[test], falls=False)
    body.mark(begin)
    block(body, s.body)
    body.mark(test)
    body.emit(step, reads=[left], to=[begin])


def for_(body: Body, s: nodes.For) -> None:
    scope = body.scope()
    if s.around:
        start = body.e.some(s.domain, scope)
        source = f"tuple([({start}+k)%N for k in range(N)])"
    else:
        source = f"tuple({body.e.ordered(s.domain, scope)})"
    source = _preferred(body, s, source, scope, _last_preference(s))
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
    source = _preferred(body, s, source, scope, _last_preference(s))
    _each(body, s, body.e.function("S,F", source), body.used(scope), bind_you=True)


def _last_preference(s: nodes.For | nodes.As) -> int:
    """How many of the `where`s must be asked of all candidates together: up to the last `if able`."""
    return max((k for k, where in enumerate(s.wheres, start=1) if where.if_able), default=0)


def _preferred(body: Body, s: nodes.For | nodes.As, source: str, scope: Any, count: int) -> str:
    # The members of the domain in their order, narrowed by the first `count` of the `where`s.
    if not count:
        return source
    assert s.name is not None
    inner = scope.inner()
    name = body.e.bind(s.name, inner)
    return f"tuple([{name} for {name} in {body.e.narrowed(source, name, s.wheres[:count], inner)}])"


def _keeps_order(body: Body, domain: nodes.Expr) -> bool:
    # A row keeps its own order; `players` is all of them, so they are asked from the player on turn like any set.
    ref = body.e.checked.refs.get(domain)
    return isinstance(body.e.type_of(domain), t.RowType) and not isinstance(ref, Builtin)


def _as_one(body: Body, s: nodes.As) -> None:
    if _acts_already(body, s.domain):
        block(body, s.body, always=True)
        return
    player, reads = body.value(s.domain)
    before = body.temporary(_NOBODY)

    def begin(state: State, frame: Frame) -> None:
        who = player(state, frame)
        frame[before] = frame[YOU]
        frame[YOU] = who

    body.emit(begin, reads=reads, writes=[before])
    with body.acting(None):
        block(body, s.body, always=True)
    _restore_you(body, before)


def _acts_already(body: Body, player: nodes.Expr) -> bool:
    """Whether the player is the one of the `as` around it: the name itself, or a define that gives what it is given."""
    checked, covering = body.e.checked, body.linker.covering
    if isinstance(player, nodes.Call):
        decl = checked.refs[player.name]
        if not isinstance(decl, nodes.DefineDecl) or decl.value is None or len(player.arguments) != len(decl.params):
            return False
        given = dict(zip(body.e.params_of(decl.params), player.arguments, strict=True))
        ref = checked.refs.get(decl.value)
        if not isinstance(ref, Local) or ref not in given or any(a.name is not None for a in player.arguments):
            return False
        if not _acts_already(body, given[ref].value):
            return False
        if covering is not None:
            covering.settle(covering.point(decl))
        return True
    ref = checked.refs.get(player)
    return ref is not None and ref is body.actor


def _restore_you(body: Body, before: int) -> None:
    def op(state: State, frame: Frame) -> None:
        del state
        frame[YOU] = frame[before]

    body.emit(op, reads=[before])


def _each(
    body: Body, s: nodes.For | nodes.As, domain: Callable[..., Any], reads: frozenset[int], *, bind_you: bool
) -> None:
    # The domain is worked out once; `where` is asked anew as each one comes, and `you` is there who it was outside.
    waiting, before = body.temporary(body.e.type_of(s.domain)), body.temporary(_NOBODY)
    assert s.name is not None
    item = body.local(s.name)
    begin, test = Label(), Label()
    scope = body.scope()
    condition = conjoined([body.e.asked(where.condition, scope) for where in s.wheres[_last_preference(s) :]])
    holds = None if literal(condition) == (True, True) else body.e.function("S,F", condition)

    def first(state: State, frame: Frame) -> None:
        frame[waiting] = domain(state, frame)
        frame[before] = frame[YOU]
        frame[AT] = test.at

    def step(state: State, frame: Frame) -> None:
        left = frame[waiting]
        if bind_you:
            frame[YOU] = frame[before]
        while left:
            frame[item], left = left[0], left[1:]
            if holds is None or holds(state, frame):
                frame[AT] = begin.at
                if bind_you:
                    frame[YOU] = frame[item]
                break
        frame[waiting] = left

    body.emit(first, reads=reads, writes=[waiting, before], to=[test], falls=False)
    body.mark(begin)
    with body.acting(_actor(body, s.name, s.body) if bind_you else body.actor):
        block(body, s.body)
    body.mark(test)
    body.emit(step, reads={waiting, before} | (body.used(scope) - {item}), writes=[item], to=[begin])


def _actor(body: Body, name: nodes.Ident, inside: nodes.Block) -> Local | None:
    """What the name of an `as` binds, if it means the same player everywhere inside."""
    refs = body.e.checked.refs
    local = refs[name]
    for node in nodes.walk(inside):
        written = node.target if isinstance(node, nodes.Assign) else node if isinstance(node, nodes.Ident) else None
        if written is not None and refs.get(written) is local:
            return None
    return local if isinstance(local, Local) else None


def together(body: Body, s: nodes.As) -> None:
    """All players of the domain at once: each runs the body on a copy, and what they did becomes one change when the
    last is done.
    """
    scope = body.scope()
    source = _preferred(body, s, f"tuple({body.e.ordered(s.domain, scope)})", scope, len(s.wheres))
    players = body.e.function("S,F", source)
    assert s.name is not None
    item = body.local(s.name)
    begin, end = Label(), Label()

    def op(state: State, frame: Frame) -> bool:
        return begin_together(state, frame, players(state, frame), item, begin.at, end.at)

    body.emit(op, reads=body.used(scope), to=[begin, end], falls=False)
    body.mark(begin)
    with body.acting(_actor(body, s.name, s.body)):
        block(body, s.body)
    body.emit(end_branch, falls=False)
    body.mark(end)
    body.code.together[end.at] = begin.at - 1


def turns(body: Body, s: nodes.Turns) -> None:
    """Round the table for ever; finished when `where` holds for nobody."""
    first, reads = body.value(s.first)
    scope = body.scope("you")
    plays = body.e.function("S,F,you", _takes_turns(body, s.wheres, scope)) if s.wheres else None
    before, ticks = body.temporary(_NOBODY), body.temporary()
    place = _head(s)
    begin, end = Label(), Label()

    def enter(state: State, frame: Frame) -> None:
        frame[before] = frame[YOU]
        start = first(state, frame)
        state.turns.append([len(state.frames) - 1, start, start, True])

    def step(state: State, frame: Frame) -> None:
        turn = state.turns[-1]
        n = state.game.layout.players
        # Who is next is only foretold, unless a rule has said so: `where` is asked of each before their turn.
        player = _from(state, frame, turn[2] if turn[3] or plays is None else (turn[1] + 1) % n, n)
        if player is None:
            state.turns.pop()
            frame[AT] = end.at
            return
        frame[ticks] = state.ticks
        turn[1] = frame[YOU] = player
        following = _from(state, frame, (player + 1) % n, n)
        turn[2] = (player + 1) % n if following is None else following
        turn[3] = False
        if state.game.on_turn is not None:
            state.game.on_turn(state)

    def _from(state: State, frame: Frame, start: int, n: int) -> int | None:
        if plays is None:
            return start
        return next((p for k in range(n) if plays(state, frame, p := (start + k) % n)), None)

    body.emit(enter, reads=reads, writes=[before])
    body.mark(begin)
    body.emit(step, reads=body.used(scope), writes=[ticks], to=[end])
    with body.acting(None):
        block(body, s.body)

    def again(state: State, frame: Frame) -> None:
        something_happened(state, frame[ticks], place)
        frame[AT] = begin.at

    body.emit(again, to=[begin], falls=False)
    body.mark(end)
    _restore_you(body, before)


def _takes_turns(body: Body, wheres: list[nodes.Where], scope: Scope) -> str:
    """The source of whether `you` has turns now; with `if able`, of whether they are among those who have."""
    if not any(where.if_able for where in wheres):
        return conjoined(body.e.asked(where.condition, scope) for where in wheres)
    inner = scope.inner()
    inner.you = body.e.fresh("v")
    return f"(you in [{inner.you} for {inner.you} in {body.e.narrowed('PLAYERS', inner.you, wheres, inner)}])"


def at_once(body: Body, s: nodes.AtOnce) -> None:
    def hold(state: State, frame: Frame) -> None:
        del frame
        state.hold += 1

    def release(state: State, frame: Frame) -> None:
        del frame
        state.hold -= 1

    body.emit(hold)
    block(body, s.body, always=True)
    body.emit(release)


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.If: if_,
    nodes.Repeat: repeat,
    nodes.For: for_,
    nodes.As: as_,
    nodes.Turns: turns,
    nodes.AtOnce: at_once,
}
