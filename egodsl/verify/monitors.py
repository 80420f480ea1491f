"""One monitor for each claim: what it looks at, and what it must remember of the past of a game.

A monitor is told of every position at which somebody decides or the game has ended, and of every beginning and end of
the stage or action that it names. What it remembers stands in `State.watched`, so that copies of a state go on on
their own, and two positions with the same table can be told apart by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine import identity
from egodsl.engine.faults import Fault
from egodsl.engine.rng import derive
from egodsl.engine.state import State
from egodsl.syntax import nodes
from egodsl.verify.claims import Bound, Claimed, face_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.code import Frame
    from egodsl.engine.game import Game
    from egodsl.verify.properties import Property

    Report = Callable[["Monitor", str, list[str]], None]


class Monitor:
    """Watches one property, for one of the things that it is for.

    `cases` counts how often what it is about came up; `found` is whether a witness was seen.
    """

    remembers = False
    """Whether it keeps something in `State.watched`: `memory` at its place `slot` there."""

    def __init__(self, prop: Property, claimed: Claimed, bound: Bound, report: Report) -> None:
        self.property = prop
        self.claimed = claimed
        self.bound = bound
        self.report = report
        self.slot = -1
        self.cases = 0
        self.found = False
        self.blank: tuple[Any, ...] = ()
        """What `State.watched` is in a game where nothing has happened."""

    @property
    def game(self) -> Game:
        """The game whose positions it looks at."""
        return self.claimed.game

    # ------------------------------------------------------------ memory

    initial: Any = ()

    def memory(self, state: State) -> Any:
        """What is remembered: of its kind, and never changed in place."""
        return self.initial if state.watched is None else state.watched[self.slot]

    def remember(self, state: State, memory: Any) -> None:
        watched = self.blank if state.watched is None else state.watched
        state.watched = (*watched[: self.slot], memory, *watched[self.slot + 1 :])

    def key(self, memory: Any) -> Any:
        """The memory as something that can be hashed."""
        return memory

    # ------------------------------------------------------------ what it is told

    def point(self, before: State | None, state: State) -> None:
        """Somebody decides at `state`, or the game has ended there; `before` was such a position, just before."""

    def begun(self, state: State, frame: Frame) -> None:
        """What it names has begun."""

    def ended(self, state: State, frame: Frame) -> None:
        """What it names has ended."""

    # ------------------------------------------------------------ asking

    def holds(
        self, expr: nodes.Expr, state: State, before: State | None = None, frame: Frame | None = None
    ) -> bool | None:
        """Whether a condition holds; None, and a report, where a rule it uses has a fault."""
        try:
            return bool(self.claimed.value(expr, state, before, self.bound, frame or []))
        except Fault as fault:
            self.report(self, f"it cannot be told here: {fault.diagnostic.message}", [])
            return None

    def fails(self, expr: nodes.Expr, state: State, before: State | None = None, frame: Frame | None = None) -> None:
        """Report that a condition does not hold, with the values on which it hangs."""
        notes = self.claimed.why_not(expr, state, before, self.bound, frame or [])
        self.report(self, f"`{' '.join(expr.span.text.split())}` does not hold", notes)


class AlwaysMonitor(Monitor):
    """`always E`, `never E`."""

    def __init__(self, prop: Property, claimed: Claimed, bound: Bound, report: Report) -> None:
        super().__init__(prop, claimed, bound, report)
        claim = claimed.claim
        assert isinstance(claim, nodes.AlwaysClaim)
        self._condition, self._wanted = claim.condition, not claim.negated
        self._premise = _premise(claim)

    def point(self, before: State | None, state: State) -> None:
        if not self.cases and (self._premise is None or self.holds(self._premise, state, before)):
            self.cases += 1
        value = self.holds(self._condition, state, before)
        if value is None or value is self._wanted:
            return
        if self._wanted:
            self.fails(self._condition, state, before)
        else:
            self.report(self, f"`{' '.join(self._condition.span.text.split())}` holds", [])


def _premise(claim: nodes.AlwaysClaim) -> nodes.Expr | None:
    # `always not A or B` says something only where A holds.
    condition = claim.condition
    while isinstance(condition, nodes.Group):
        condition = condition.inner
    if claim.negated or not isinstance(condition, nodes.Or):
        return None
    first = condition.operands[0]
    return first.operand if isinstance(first, nodes.Not) else None


class FinallyMonitor(Monitor):
    """`finally E`."""

    def point(self, before: State | None, state: State) -> None:
        claim = self.claimed.claim
        assert isinstance(claim, nodes.FinallyClaim)
        if state.over:
            self.cases += 1
            if self.holds(claim.condition, state, before) is False:
                self.fails(claim.condition, state, before)


class ReachableMonitor(Monitor):
    """`reachable E`: broken only when all games are over and none has shown it."""

    def point(self, before: State | None, state: State) -> None:
        claim = self.claimed.claim
        assert isinstance(claim, nodes.ReachableClaim)
        if not self.found and self.holds(claim.condition, state, before):
            self.found = True


class Deals:
    """A position dealt anew, as several properties need it: once for all, until it is cleared for another position."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int], State] = {}

    def clear(self) -> None:
        """Forget the position."""
        self._made = {}

    def of(self, state: State, player: int, k: int) -> State:
        """The `k`-th deal of what the player cannot know. It is shared: do not change it. Raises Fault."""
        made = self._made.get((player, k))
        if made is None:
            made = self._made[player, k] = state.redeal(player, derive(state.decisions, "seen", k))
        return made


class SeenMonitor(Monitor):
    """`seen by P: E`: in every redeal of what P cannot know, E is the same. Each position is dealt anew `redeals`
    times.
    """

    redeals = 2
    deals: Deals
    """Those that the monitors of a watcher share."""

    def point(self, before: State | None, state: State) -> None:
        claim = self.claimed.claim
        assert isinstance(claim, nodes.SeenClaim)
        if not state.whole:
            return
        try:
            player = self.claimed.value(claim.player, state, before, self.bound)
            kind = self.game.checked.types[claim.what]
            value = self.claimed.value(claim.what, state, before, self.bound, you=player)
            self.cases += 1
            for k in range(self.redeals):
                other = self.deals.of(state, player, k)
                its = self.claimed.value(claim.what, other, before, self.bound, you=player)
                if face_key(state, value, kind) != face_key(other, its, kind):
                    text = self.game.texts
                    who = text.value(player, self.game.checked.types[claim.player])
                    is_, could = text.value(value, kind, state), text.value(its, kind, other)
                    note = f"it is {is_}, and for all that player {who} knows it could be {could}"
                    self.report(self, f"`{' '.join(claim.what.span.text.split())}` cannot be told", [note])
                    return
        except Fault as fault:
            self.report(self, f"it cannot be told here: {fault.diagnostic.message}", [])


# ---------------------------------------------------------------- bodies


class AfterMonitor(Monitor):
    """`after ACTION: E`. Where `old` is asked for, it keeps the positions at which the runs going on began."""

    def __init__(self, prop: Property, claimed: Claimed, bound: Bound, report: Report) -> None:
        super().__init__(prop, claimed, bound, report)
        assert isinstance(claimed.claim, nodes.AfterClaim)
        self._condition = claimed.claim.condition
        self.remembers = any(
            isinstance(node, nodes.Call) and node.name.name == "old" for node in nodes.walk(self._condition)
        )

    def begun(self, state: State, frame: Frame) -> None:
        if self.remembers:
            before = state.clone()
            before.watched = None
            self.remember(state, (*self.memory(state), before))

    def ended(self, state: State, frame: Frame) -> None:
        before: State | None = None
        if self.remembers:
            *rest, before = self.memory(state)
            self.remember(state, tuple(rest))
        self.cases += 1
        if self.holds(self._condition, state, before, frame) is False:
            self.fails(self._condition, state, before, frame)

    def key(self, memory: Any) -> Any:
        return tuple(identity.key_of(before) for before in memory)


class EveryMonitor(Monitor):
    """`every STAGE within N turns|decisions`: for each run going on, how many it has had; -1 until somebody decides.

    What is more than too many counts as one too many, so that there are no more positions of a game that goes on.
    """

    remembers = True

    def __init__(self, prop: Property, claimed: Claimed, bound: Bound, report: Report) -> None:
        super().__init__(prop, claimed, bound, report)
        assert isinstance(claimed.claim, nodes.EveryClaim)
        self.unit = claimed.claim.unit
        self._stage = claimed.claim.stage.name
        self._most = int(claimed.value(claimed.claim.most, State(claimed.game, None), None, bound))

    def begun(self, state: State, frame: Frame) -> None:
        self.cases += 1
        if self._most < 0:
            # A number that hangs on parameters; not even a run in which nothing happens is so short.
            self._too_long()
        self.remember(state, (*self.memory(state), -1 if self.unit == "decisions" else 0))

    def ended(self, state: State, frame: Frame) -> None:
        self.remember(state, self.memory(state)[:-1])

    def point(self, before: State | None, state: State) -> None:
        counts = self.memory(state)
        if self.unit == "turns" or not counts:
            return
        late = not state.over and max(counts) == self._most - 1
        self.remember(state, tuple(min(count + 1, self._most) for count in counts))
        if late:
            self._too_long()

    def turn(self, state: State) -> None:
        """A turn begins."""
        counts = self.memory(state)
        self.remember(state, tuple(min(count + 1, self._most + 1) for count in counts))
        if counts and max(counts) == self._most:
            self._too_long()

    def _too_long(self) -> None:
        self.report(self, f"`{self._stage}` goes on after {self._most} {self.unit}", [])


class WheneverMonitor(Monitor):
    """`whenever A then eventually B within STAGE`: for each run going on, whether A has been and B not since."""

    remembers = True

    def __init__(self, prop: Property, claimed: Claimed, bound: Bound, report: Report) -> None:
        super().__init__(prop, claimed, bound, report)
        assert isinstance(claimed.claim, nodes.WheneverClaim)
        self._claim = claimed.claim

    def begun(self, state: State, frame: Frame) -> None:
        self.remember(state, (*self.memory(state), False))

    def point(self, before: State | None, state: State) -> None:
        waiting = self.memory(state)
        if not waiting:
            return
        due = bool(self.holds(self._claim.condition, state, before))
        self.cases += due
        if (due or waiting[-1]) and self.holds(self._claim.outcome, state, before):
            # What has come about has done so for every run that waited for it.
            self.remember(state, (False,) * len(waiting))
        elif due and not waiting[-1]:
            self.remember(state, (*waiting[:-1], True))

    def ended(self, state: State, frame: Frame) -> None:
        *rest, waits = self.memory(state)
        self.remember(state, tuple(rest))
        if waits and self.holds(self._claim.outcome, state) is False:
            condition = " ".join(self._claim.condition.span.text.split())
            outcome = " ".join(self._claim.outcome.span.text.split())
            message = (
                f"`{self._claim.within.name}` has ended, `{condition}` came about in it, and `{outcome}` did not since"
            )
            self.report(self, message, self.claimed.why_not(self._claim.outcome, state, None, self.bound))


MONITORS: dict[type[nodes.Claim], type[Monitor]] = {
    nodes.AlwaysClaim: AlwaysMonitor,
    nodes.FinallyClaim: FinallyMonitor,
    nodes.ReachableClaim: ReachableMonitor,
    nodes.SeenClaim: SeenMonitor,
    nodes.AfterClaim: AfterMonitor,
    nodes.EveryClaim: EveryMonitor,
    nodes.WheneverClaim: WheneverMonitor,
}
