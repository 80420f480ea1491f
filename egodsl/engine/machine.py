"""The machine: runs the operations of the top frame until a decision, a chance event or the end, and tests triggers
after each change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine.code import AT, CODE, FIRST, YOU, Code, Event, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.rng import below
from egodsl.engine.table import CHANCE, END, STAGE
from egodsl.engine.values import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.code import Draw
    from egodsl.engine.state import State
    from egodsl.engine.values import Value
    from egodsl.source.span import Span

MOST_FIRINGS = 1000
"""Triggers that may fire between two decisions before it counts as a game that spins."""

FIRE = Code("fire", "fire", None)
"""The code of a frame that holds triggers that became true and wait: `slots[0]` is a tuple of (number of the watch,
binding).
"""


def run(state: State) -> None:
    """Go on until the game stops at a decision, at chance, or is over. Raises Fault."""
    frames = state.frames
    for _ in range(state.game.limit):
        if not frames:
            state.over = True
            return
        frame = frames[-1]
        at = frame[AT]
        frame[AT] = at + 1
        if frame[CODE].ops[at](state, frame):
            return
        if state.dirty and not state.hold:
            test_watches(state)
    raise Fault(
        "EGO705",
        state.here(),
        f"the rules ran {state.game.limit} steps without a decision",
        "a loop here may not end",
    )


# ---------------------------------------------------------------- frames


def push(state: State, frame: Frame) -> None:
    """Begin a body; a stage begins with its variables set anew and its triggers not yet looked at.

    Log: STAGE, number.
    """
    code = frame[CODE]
    state.frames.append(frame)
    stage = code.stage
    if stage >= 0:
        state.running[stage] += 1
        state.log = (state.log, (STAGE, stage))
        for reset in code.resets:
            reset(state)
        for watch in state.game.watches_of[stage]:
            state.armed[watch] = None
            state.unarmed = True
    if code.probe is not None:
        code.probe.begun(state, frame)


def pop(state: State) -> Frame:
    """End the top body. Log: END, number of the stage."""
    frame = state.frames.pop()
    stage = frame[CODE].stage
    if stage >= 0:
        state.running[stage] -= 1
        state.log = (state.log, (END, stage))
    turns = state.turns
    depth = len(state.frames)
    while turns and turns[-1][0] >= depth:
        turns.pop()
    probe = frame[CODE].probe
    if probe is not None:
        probe.ended(state, frame)
    return frame


def finish(state: State, frame: Frame) -> None:
    """The last operation of every body: it gives nothing back."""
    del frame
    state.returned = None
    pop(state)


def end_stage(state: State, stage: int, place: Span) -> None:
    """Drop everything down to the innermost running stage of that number, and go on after its `play`."""
    if not state.running[stage]:
        name = state.game.stages[stage].name
        raise Fault("EGO713", place, f"stage `{name}` is not running here", "it can only be ended from within")
    while pop(state)[CODE].stage != stage:
        pass


def cancel(state: State, event: Event, place: Span) -> None:
    """Drop the innermost running announcement of the event, with what it announced; go on after it."""
    if not any(frame[CODE] is event.code for frame in state.frames):
        raise Fault(
            "EGO713", place, f"event `{event.name}` is not being announced here", "only what reacts to it can cancel it"
        )
    while True:
        frame = pop(state)
        if frame[CODE] is event.code:
            break
    state.frames[-1][AT] = frame[FIRST + 1]


# ---------------------------------------------------------------- chance


def draw(state: State, frame: Frame, candidates: list[Value], site: Draw) -> bool:
    """Let chance choose, each candidate as likely; the outcome goes into the slot of the site.

    True if the machine must stop for it.
    """
    state.ticks += 1
    if state.rng is None:
        state.chance_at = (site, candidates)
        return True
    k, state.rng = below(state.rng, len(candidates))
    value = candidates[k]
    frame[site.slot] = value
    state.log = (state.log, (CHANCE, site.index, value, candidates))
    return False


# ---------------------------------------------------------------- events


def announce(
    state: State, event: Event, you: int | None, arguments: tuple[Value, ...], after: int, place: Span
) -> None:
    """Begin an announcement.

    Its frame: `slots[0]` counts the steps done, `slots[1]` is where the announcer goes on if it is cancelled.
    """
    if not event.plain and not event.acting:
        return
    depth = sum(1 for frame in state.frames if frame[CODE] is event.code)
    if depth > len(state.game.layout.card_type):
        raise Fault("EGO707", place, f"event `{event.name}` is announced again and again from its own triggers")
    state.frames.append([event.code, 0, you, 0, after, arguments])


def announcement_step(event: Event) -> Any:
    """The operation of an event's code: the next reaction that applies, or the end of the announcement."""

    def step(state: State, frame: Frame) -> None:
        k = frame[FIRST]
        arguments = frame[FIRST + 2]
        you = frame[YOU]
        players = state.game.layout.players
        start = state.turns[-1][1] if state.turns else 0
        plain = len(event.plain)
        total = plain + players * len(event.acting)
        while k < total:
            reaction = event.plain[k] if k < plain else event.acting[(k - plain) % len(event.acting)]
            actor = you if k < plain else (start + (k - plain) // len(event.acting)) % players
            k += 1
            if reaction.applies(state, you, *arguments) and (
                reaction.actors is None or actor in reaction.actors(state, you, *arguments)
            ):
                frame[FIRST] = k
                frame[AT] = 0
                state.frames.append(reaction.code.frame(actor, [arguments[i] for i in reaction.picks]))
                return
        pop(state)

    return step


# ---------------------------------------------------------------- triggers


def arm(state: State) -> None:
    """A decision is reached: the triggers of running stages are looked at for the first time; only a change after that
    can fire them.
    """
    state.unarmed = False
    for watch in state.game.watches:
        if state.armed[watch.index] is None:
            if watch.stage < 0 or state.running[watch.stage]:
                state.armed[watch.index] = watch.value(state)
            else:
                state.unarmed = True


def test_watches(state: State) -> None:
    """Begin the triggers whose conditions became true by what was changed since the last test."""
    dirty, state.dirty = state.dirty, 0
    fired: list[tuple[int, Value]] = []
    for watch in state.game.watches:
        if not watch.mask & dirty or (watch.stage >= 0 and not state.running[watch.stage]):
            continue
        before = state.armed[watch.index]
        if before is None:
            continue
        now = watch.value(state)
        if now != before:
            state.armed[watch.index] = now
            fired.extend((watch.index, binding) for binding in in_order(now - before))
    if fired:
        state.firings += len(fired)
        if state.firings > MOST_FIRINGS:
            place = state.game.watches[fired[0][0]].code.decl
            span = place.span if place is not None else None
            raise Fault(
                "EGO706",
                span,
                f"triggers fired {MOST_FIRINGS} times without a decision",
                "they undo what the others do",
            )
        state.frames.append([FIRE, 0, None, tuple(fired)])


def _fire(state: State, frame: Frame) -> None:
    waiting = frame[FIRST]
    while waiting:
        (index, binding), waiting = waiting[0], waiting[1:]
        watch = state.game.watches[index]
        running = watch.stage < 0 or state.running[watch.stage]
        if running and not _is_running(state, watch.code) and binding in watch.value(state):
            frame[FIRST] = waiting
            frame[AT] = 0
            push(state, watch.code.frame(None, binding))
            return
    pop(state)


def _is_running(state: State, code: Code) -> bool:
    return any(frame[CODE] is code for frame in state.frames)


FIRE.ops.append(_fire)
FIRE.live, FIRE.live_cards = [(), ()], [(), ()]


def run_out(state: State, slot: int) -> bool:
    """Begin the triggers of a pile that has run out; True if there was any.

    The last declared is pushed first, so they run in order.
    """
    begun: list[Frame] = []
    for trigger in state.game.runs_out:
        if (trigger.stage < 0 or state.running[trigger.stage]) and not _is_running(state, trigger.code):
            begun.extend(trigger.code.frame(None, binding) for binding in trigger.bindings(state, slot))
    for frame in reversed(begun):
        push(state, frame)
    return bool(begun)


def clockwise(state: State, players: Iterable[int]) -> tuple[int, ...]:
    """The players in turn order from the player on turn."""
    start = state.turns[-1][1] if state.turns else 0
    n = state.game.layout.players
    return tuple(sorted(set(players), key=lambda p: (p - start) % n))
