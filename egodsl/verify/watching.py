"""Watching games: which properties a game breaks, and where.

Properties are judged at each decision and at the end of a game, seeing everything; those about an action or a stage
when it begins and ends.
"""

from __future__ import annotations

import builtins
import contextlib
from typing import TYPE_CHECKING

import attrs

from egodsl.engine import identity
from egodsl.engine.code import Code
from egodsl.engine.faults import Fault, GameFault
from egodsl.engine.record import RecordError
from egodsl.engine.rng import derive
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.registry import CODES
from egodsl.syntax import nodes
from egodsl.verify.claims import Bound, Claimed, offered
from egodsl.verify.monitors import MONITORS, Deals, EveryMonitor, Monitor, SeenMonitor
from egodsl.verify.properties import STUCK, Property

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from egodsl.engine.code import Frame
    from egodsl.engine.game import Game
    from egodsl.engine.state import State

EVERY = 25
"""What costs much (dealing anew, copying) is looked at after half so many decisions, and then ever more rarely."""

_RARER = 1.5
"""How many times as far the next look is: one costs as much as the game is long."""

_TURNS = 3
"""After the first game, only one of so many looks for leaks is taken in a game, another one in each."""

_NEAR = 60
"""Decisions up to which views are compared in every game, not only in the first: they cost most where a game is long.
"""


_ALL_SEEN, _SELDOM = 100, 10
"""What players can tell is asked at each of so many decisions, and then at one of so many: dealing costs much, too."""


@attrs.frozen(eq=False)
class Broken:
    """A property that a position breaks.

    Attributes:
        property: which.
        instance: for what, as `p = A`; empty where it has no `for`.
        diagnostic: where the property stands, what does not hold, and on which values that hangs.
    """

    property: Property
    instance: str
    diagnostic: Diagnostic

    @builtins.property
    def name(self) -> str:
        """The name of the property."""
        return self.property.name


class _Probes:
    """Tells several monitors of one body."""

    def __init__(self) -> None:
        self.monitors: list[Monitor] = []

    def begun(self, state: State, frame: Frame) -> None:
        for monitor in self.monitors:
            monitor.begun(state, frame)

    def ended(self, state: State, frame: Frame) -> None:
        for monitor in self.monitors:
            monitor.ended(state, frame)


class Watcher:
    """Judges the games of one configured game. A game has one watcher at a time: the last one made.

    `every`: what costs much is looked at after half so many decisions, and then ever more rarely; 1: at each.
    """

    def __init__(self, game: Game, properties: Iterable[Property], *, every: int = EVERY) -> None:
        self.game = game
        self.properties = list(properties)
        self.every = every
        self.replays = True
        """Whether the record of a game that has ended is played again."""
        self._games = self._looks = 0
        self._broken: list[Broken] = []
        self.monitors: list[Monitor] = []
        self._builtins = {prop.builtin: prop for prop in self.properties if prop.builtin is not None}
        self._untold: list[Broken] = []
        """Of properties for which it cannot even be said what they are about."""
        for prop in self.properties:
            if prop.decl is not None and prop.builtin is None:
                self._add_monitors(prop, prop.decl)
        self._deals = Deals()
        for monitor in self.monitors:
            if isinstance(monitor, SeenMonitor):
                monitor.deals = self._deals
        remembering = [monitor for monitor in self.monitors if monitor.remembers]
        blank = tuple(monitor.initial for monitor in remembering)
        for slot, monitor in enumerate(remembering):
            monitor.slot, monitor.blank = slot, blank
        self._remembering = remembering
        self._attach()

    def _add_monitors(self, prop: Property, decl: nodes.PropertyDecl) -> None:
        claimed = Claimed(self.game, decl)
        kind = MONITORS[type(claimed.claim)]
        try:
            self.monitors += [kind(prop, claimed, bound, self._report) for bound in claimed.instances()]
        except Fault as fault:
            message = f"what it is about cannot be told: {fault.diagnostic.message}"
            self._untold.append(broken(prop, "", message))

    def _attach(self) -> None:
        game = self.game
        for each in game.codes:
            each.probe = None
        counting = [m for m in self.monitors if isinstance(m, EveryMonitor) and m.unit == "turns"]

        def turn(state: State) -> None:
            for monitor in counting:
                monitor.turn(state)

        game.on_turn = turn if counting else None
        for monitor in self.monitors:
            code = self._named(monitor.claimed.claim)
            if code is not None:
                probes = code.probe
                if not isinstance(probes, _Probes):
                    probes = code.probe = _Probes()
                probes.monitors.append(monitor)

    def _named(self, claim: nodes.Claim) -> Code | None:
        match claim:
            case nodes.AfterClaim():
                ident = claim.what
            case nodes.EveryClaim():
                ident = claim.stage
            case nodes.WheneverClaim():
                ident = claim.within
            case _:
                return None
        decl = self.game.checked.refs[ident]
        assert isinstance(decl, nodes.StageDecl | nodes.ActionDecl)
        # Not compiled where these settings leave no way to it.
        return next((code for code in self.game.codes if code.decl is decl), None)

    def _report(self, monitor: Monitor, message: str, notes: Sequence[str]) -> None:
        assert monitor.property.decl is not None
        words = monitor.bound.words(self.game)
        self._broken.append(broken(monitor.property, words, message, notes))

    @property
    def needs_past(self) -> bool:
        """Whether it asks what players know, or how shuffled piles lay before, so that states must carry their past."""
        asks = any(isinstance(one, SeenMonitor) or one.claimed.compares_orders for one in self.monitors)
        return asks or not {"no leak", "records replay"}.isdisjoint(self._builtins)

    # ------------------------------------------------------------ judging

    def begin(self, state: State) -> list[Broken]:
        """What the first position of a game breaks."""
        return self.judge(None, state)

    def judge(self, before: State | None, state: State) -> list[Broken]:
        """What has been broken since `before`, the last position at which somebody decided.

        `state` is one at which somebody decides, or a game that has ended; at chance, call it later.
        """
        if before is None:
            self._games, self._looks = self._games + 1, 0
            self._broken += self._untold
        self._deals.clear()
        seen = self.every == 1 or state.over or state.decisions <= _ALL_SEEN or state.decisions % _SELDOM == 0
        for monitor in self.monitors:
            if seen or not isinstance(monitor, SeenMonitor):
                monitor.point(before, state)
        if state.over or self._is_due(state.decisions):
            self._looks += 1
            self._look_closely(state)
        found, self._broken = self._broken, []
        return found

    def _is_due(self, decisions: int) -> bool:
        if self.every == 1:
            return True
        due: float = self.every // 2
        while due < decisions:
            due = int(due * _RARER) + 1
        return due == decisions

    def abandon(self) -> list[Broken]:
        """What was broken on the way to a fault, where there is no position to judge."""
        found, self._broken = self._broken, []
        return found

    def faulted(self, fault: GameFault) -> list[Broken]:
        """The properties that a fault of the rules breaks; none where the rulebook has waived them."""
        stuck = fault.diagnostic.code.number in STUCK
        prop = self._builtins.get("never stuck" if stuck else "no fault")
        return [*self.abandon(), *([Broken(prop, "", fault.diagnostic)] if prop is not None else [])]

    def endless(self, most: int) -> list[Broken]:
        """The property that a game breaks which is not over after `most` decisions."""
        prop = self._builtins.get("games end")
        message = f"the game has not ended after {most} decisions"
        return [broken(prop, "", message)] if prop is not None else []

    def memory_key(self, state: State) -> Hashable:
        """What is remembered of the past of a position, as something that can be hashed; () if nothing is."""
        return tuple(monitor.key(monitor.memory(state)) for monitor in self._remembering)

    # ------------------------------------------------------------ built-in properties

    def _look_closely(self, state: State) -> None:
        leak, copies, replay = (
            self._builtins.get(which) for which in ("no leak", "copies independent", "records replay")
        )
        if leak is not None and not state.over and not state.branches and self._is_turn_of_leaks():
            views = self.every == 1 or self._games <= 1 or state.decisions <= _NEAR
            self._broken += _leaks(leak, state, views=views)
        if copies is not None and not state.over:
            self._broken += _entangled(copies, state)
        if replay is not None and self.replays and state.over:
            self._broken += _not_replayed(replay, state)

    def _is_turn_of_leaks(self) -> bool:
        # Games of one setting are much alike, so they share the looks: not all of them go to the same positions.
        return self.every == 1 or self._games <= 1 or (self._games + self._looks) % _TURNS == 0


def broken(prop: Property, instance: str, message: str, notes: Iterable[str] = ()) -> Broken:
    """A property that does not hold, told where it is declared."""
    words = f" for {instance}" if instance else ""
    span = prop.decl.claim.span if prop.decl is not None else prop.span
    told = Diagnostic(CODES["EGO830"], f"property `{prop.name}` is broken{words}: {message}", span, notes=tuple(notes))
    return Broken(prop, instance, told)


def _leaks(prop: Property, state: State, *, views: bool) -> list[Broken]:
    """Whether what the player who decides cannot know shows in the moves, or in the view, of that player."""
    (player,) = state.to_move
    other = state.redeal(player, derive(state.decisions, "leak", player))
    who = f"player {player + 1}"
    site = state.site
    where = [f"the decision is `{' '.join(site.span.text.split())[:60]}`"] if site is not None else []
    if offered(state) != offered(other):
        mine, its = ({move.text for move in one.legal_moves(player)} for one in (state, other))
        if mine != its:
            some = min(mine ^ its)
            message = f"the moves of {who} tell what {who} cannot know: whether `{some}` is among them"
            return [broken(prop, "", message, where)]
    if views and state.view(player) != other.view(player):
        return [broken(prop, "", f"the view of {who} tells what {who} cannot know", where)]
    return []


def _entangled(prop: Property, state: State) -> list[Broken]:
    before, copy = identity.key_of(state), state.clone()
    if identity.key_of(copy) != before:
        return [broken(prop, "", "a copy differs from what it was made of")]
    player = copy.to_move[0]
    with contextlib.suppress(GameFault):
        copy.choose(0, player)
    if identity.key_of(state) != before:
        return [broken(prop, "", "what is played on a copy changes the position that it was made of")]
    return []


def _not_replayed(prop: Property, state: State) -> list[Broken]:
    try:
        again = state.game.replay(state.record())
    except (RecordError, Fault) as error:
        return [broken(prop, "", f"the record of the game cannot be played: {error}")]
    if again != state:
        return [broken(prop, "", "the record of the game leads to another position")]
    return []


__all__ = ["EVERY", "Bound", "Broken", "Watcher", "broken"]
