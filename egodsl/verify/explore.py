"""Every position that a game can reach, breadth first: over all decisions and all outcomes of chance.

A position is where the machine stops: at a decision, at a chance event, or at the end. Equal positions (see
`State.__eq__`) are one, and so are positions that a symmetry of the rules maps onto each other (see `symmetry`). Those
who choose at once are asked seat by seat: nobody sees what the others do, so the order makes no difference.

Of a position that has been seen a digest of 128 bits is kept, and from where it was reached by which choice; of one
that waits to be looked at, some bytes from which it is made again. Where the rules or a property ask what a player
knows, the past matters: then it is played again from the start instead.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import attrs

from egodsl.engine import identity
from egodsl.engine.compact import DIGEST, Digester, Packer
from egodsl.engine.faults import GameFault
from egodsl.engine.state import State
from egodsl.engine.table import END
from egodsl.syntax import nodes
from egodsl.verify.monitors import ReachableMonitor
from egodsl.verify.properties import Property, properties_of
from egodsl.verify.symmetry import Symmetry
from egodsl.verify.watching import Broken, Watcher, broken

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

    from egodsl.engine.game import Game
    from egodsl.engine.past import Log
    from egodsl.engine.record import Record
    from egodsl.source.diagnostics import Diagnostic

DEFAULT_LIMIT = 1_000_000
DEFAULT_MEMORY = 1000
"""Megabytes."""

_PER_STATE = DIGEST + 33 + 15 + 60 + 8
"""Bytes for each state seen: the digest as an object, its place in a set a quarter full or more, and its origin."""
_PER_WAITING = 33 + 15 + 8
"""Bytes for each state that waits, beside what it is made of again."""

Choice = tuple[int, Any]
"""Who chooses (-1: chance) and what."""


@attrs.define
class Violation:
    """A property that does not hold, with a shortest game that shows it: `depth` decisions and chance events."""

    property: str
    instance: str
    diagnostic: Diagnostic
    record: Record
    depth: int
    count: int = 1
    """How many of the transitions break it."""


@attrs.define
class Exploration:
    """What was found. `depth`: decisions and chance events to the farthest position."""

    states: int = 0
    transitions: int = 0
    depth: int = 0
    ends: int = 0
    """Positions in which the game is over."""
    complete: bool = False
    """Whether every reachable position was seen (within the stage, where one was named)."""
    stopped: str = ""
    """Why it is not complete: `limit`, `memory` or `interrupted`."""
    memory: int = 0
    """Bytes that the states took at most, as estimated for the bound."""
    symmetries: int = 1
    """How many ways of seating players and naming values were taken for one."""
    violations: list[Violation] = attrs.Factory(list)
    witnesses: list[Witness] = attrs.Factory(list)
    judged: list[Property] = attrs.Factory(list)
    left_out: list[Property] = attrs.Factory(list)
    """Properties that are not for an exploration (see `judged_here`)."""


@attrs.frozen
class Witness:
    """What came of a property that something can be reached."""

    property: str
    instance: str
    verdict: Literal["found", "refuted", "not found"]
    """Refuted: no game shows it, and all that can be reached was seen."""


@attrs.frozen
class Bounds:
    """How far to look: so many states and megabytes, and no further than the end of a stage."""

    states: int = DEFAULT_LIMIT
    memory: int = DEFAULT_MEMORY
    until: int = -1
    """The number of a stage, or -1."""


def judged_here(properties: Iterable[Property]) -> list[Property]:
    """Those of the properties that hang on single positions and on what little is remembered of how they came about.

    Of the built-in ones these are `never stuck` and `no fault`; the others are left to random games. `every STAGE
    within N` multiplies positions: with another count going on, a position is another one.
    """
    return [prop for prop in properties if prop.builtin is None or prop.builtin in {"never stuck", "no fault"}]


def explore(
    game: Game,
    bounds: Bounds | None = None,
    properties: Iterable[Property] | None = None,
    *,
    reduce: bool = True,
    done: Callable[[int], None] | None = None,
) -> Exploration:
    """Look at every position that can be reached, within the bounds; `done` is told how many states there are.

    `properties` (by default those of the rulebook) are judged on the way, as far as `judged_here` has it. What a player
    can tell depends on the past of a position, and is judged on the shortest game that leads there. With `reduce`
    false symmetries are not made use of. An interrupt ends the search, and what had been found is given back.
    """
    explorer = _Explorer(
        game,
        bounds or Bounds(),
        list(properties_of(game.rulebook) if properties is None else properties),
        reduce=reduce,
    )
    try:
        explorer.run(done)
    except KeyboardInterrupt:
        explorer.made.stopped = "interrupted"
    return explorer.finished()


def choices(state: State) -> list[Choice]:
    """All that can happen next, in a fixed order: the moves of the first seat that decides, or the outcomes of chance,
    one of each kind.
    """
    if state.chance_at is not None:
        site, candidates = state.chance_at
        if len(candidates) == 1:
            return [(-1, candidates[0])]
        kinds: dict[Any, Any] = {}
        for key, value in zip(identity.chance_keys(state, site.type, candidates), candidates, strict=True):
            kinds.setdefault(key, value)
        return [(-1, value) for value in kinds.values()]
    for player in state.to_move:
        return [(player, raw) for raw in state.branches.get(player, state).moves]
    return []


def take(state: State, choice: Choice) -> None:
    """Let it happen. Raises GameFault."""
    player, what = choice
    if player < 0:
        state._let_chance(what)  # noqa: SLF001 - `apply` finds the value by its text, which takes longer than the rest
    else:
        state._play(player, what)  # noqa: SLF001 - as above


class _Explorer:
    def __init__(self, game: Game, bounds: Bounds, properties: list[Property], *, reduce: bool) -> None:
        self.game = game
        self.bounds = bounds
        self.made = Exploration()
        self.made.judged = judged_here(properties)
        self.made.left_out = [prop for prop in properties if prop not in self.made.judged]
        self.watcher = Watcher(game, self.made.judged, every=1)
        self._symmetry = Symmetry(game, reduce=reduce and not self.watcher.monitors)
        self.made.symmetries = len(self._symmetry)
        self._digest = self._symmetry.digester if self._symmetry.digester is not None else Digester(game)
        self._packer = Packer(game)
        self._replays = any(site.unsure for site in game.sites) or self.watcher.needs_past
        self._compares = any(_asks_old(prop) for prop in self.made.judged)
        self._seen: set[bytes] = set()
        self._origin = array("I")
        self._choice = array("I")
        self._waiting: list[tuple[int, bytes, bytes]] = []
        self._waiting_bytes = 0
        self._level = 0
        self._path: list[tuple[int, State, State | None]] = []
        self._by_kind: dict[tuple[str, str, str, str], Violation] = {}

    # ------------------------------------------------------------ the search

    def run(self, done: Callable[[int], None] | None) -> None:
        made = self.made
        try:
            first = self.game.start()
        except GameFault as fault:
            begun = fault.record
            self._note(self.watcher.faulted(fault), lambda: begun, 0)
            made.complete = True
            return
        self._note(self._judged(None, first), first.record, 0)
        self._add(first, None, 0, 0)
        level = self._next_level()
        while level:
            for at, packed, before in level:
                self._waiting_bytes -= len(packed) + len(before)
                if not self._expand(at, *self._restored(at, packed, before)):
                    return
                if done is not None:
                    done(made.states)
            level = self._next_level()
            self._level += 1
        made.complete = True

    def _next_level(self) -> list[tuple[int, bytes, bytes]]:
        level, self._waiting = self._waiting, []
        return level

    def finished(self) -> Exploration:
        """What was found, with what came of what should be reachable."""
        made = self.made
        for monitor in self.watcher.monitors:
            if not isinstance(monitor, ReachableMonitor):
                continue
            words = monitor.bound.words(self.game)
            verdict: Literal["found", "refuted", "not found"] = "found"
            if not monitor.found:
                # A game that was cut down says nothing of the whole one.
                settings = self.game.settings
                whole = made.complete and self.bounds.until < 0 and not settings.decks and not settings.counts
                verdict = "refuted" if whole else "not found"
            made.witnesses.append(Witness(monitor.property.name, words, verdict))
            if verdict == "refuted":
                message = f"none of the {made.states} positions that can be reached shows it"
                self._note([broken(monitor.property, words, message)], self._start_record, 0)
        made.violations = sorted(self._by_kind.values(), key=lambda v: (v.depth, v.property, v.instance))
        return made

    def _start_record(self) -> Record:
        return self.game.start().record()

    def _expand(self, at: int, state: State, before: State | None) -> bool:
        """Take every choice; False where a bound is reached."""
        decision = before if state.chance_at is not None else state
        offered = choices(state)
        for number, choice in enumerate(offered):
            after = state.clone()
            self.made.transitions += 1
            try:
                take(after, choice)
            except GameFault as fault:
                self._note(self.watcher.faulted(fault), partial(self._record, at, number), self._level + 1)
                continue
            self._note(self._judged(decision, after), partial(self._record, at, number), self._level + 1)
            if not self._add(after, decision, at, number, ended=self._has_ended(state.log, after)):
                return False
        return True

    def _judged(self, before: State | None, after: State) -> list[Broken]:
        # At chance nobody decides: the position is judged later, but what broke on the way there did so here.
        return self.watcher.judge(before, after) if after.chance_at is None else self.watcher.abandon()

    def _has_ended(self, before: Log, state: State) -> bool:
        # Whether the game, or the stage that bounds the search, ended in what happened since.
        if state.over or self.bounds.until < 0:
            return state.over
        log = state.log
        while log is not None and log is not before:
            log, entry = log
            if entry[0] == END and entry[1] == self.bounds.until:
                return True
        return False

    def _add(self, state: State, before: State | None, origin: int, number: int, *, ended: bool = False) -> bool:
        """Keep a state that was not seen yet; False where there is no room for it."""
        made = self.made
        digest = self._digest(state, self._memory(state, before))
        if digest in self._seen:
            return True
        if made.states >= self.bounds.states:
            made.stopped = "limit"
            return False
        self._seen.add(digest)
        self._origin.append(origin)
        self._choice.append(number)
        made.depth = self._level + bool(made.states)
        made.states += 1
        made.ends += state.over
        if not ended:
            packed = earlier = b""
            if not self._replays:
                packed = self._packer.pack(state)
                if self._compares and before is not None and state.chance_at is not None:
                    earlier = self._packer.pack(before)
            self._waiting.append((made.states - 1, packed, earlier))
            self._waiting_bytes += len(packed) + len(earlier)
        used = made.states * _PER_STATE + self._waiting_bytes + len(self._waiting) * _PER_WAITING
        made.memory = max(made.memory, used)
        if used > self.bounds.memory << 20:
            made.stopped = "memory"
            return False
        return True

    def _memory(self, state: State, before: State | None) -> Hashable:
        """What the watcher remembers of the past of a state."""
        memory = () if state.watched is None else self._kept(state.watched)
        memory = memory if any(memory) else ()
        if self._compares and before is not None and state.chance_at is not None:
            # What the next decision will be compared with.
            return memory, self._digest(before, self._memory(before, None))
        return memory

    def _kept(self, memory: tuple[Any, ...]) -> tuple[Any, ...]:
        # As `Watcher.memory_key`, with the digests of positions instead of all that makes them equal.
        return tuple(
            self._kept(one) if isinstance(one, tuple) else self._digest(one, ()) if isinstance(one, State) else one
            for one in memory
        )

    # ------------------------------------------------------------ making states again

    def _restored(self, at: int, packed: bytes, before: bytes) -> tuple[State, State | None]:
        if self._replays:
            return self._walked(at)
        return self._packer.unpack(packed), self._packer.unpack(before) if before else None

    def _walked(self, at: int) -> tuple[State, State | None]:
        # The states of a level lie in the order of their paths, so the next one shares most of its path with the last.
        steps: list[int] = []
        path = self._path
        known = {one: k for k, (one, _, _) in enumerate(path)}
        while at and at not in known:
            steps.append(at)
            at = self._origin[at]
        if at in known:
            del path[known[at] + 1 :]
        else:
            first = self.game.start()
            self._remembered(None, first)
            path[:] = [(0, first, None)]
        for step in reversed(steps):
            _, state, before = path[-1]
            decision = before if state.chance_at is not None else state
            after = state.clone()
            take(after, choices(state)[self._choice[step]])
            self._remembered(decision, after)
            path.append((step, after, decision))
        return path[-1][1], path[-1][2]

    def _remembered(self, before: State | None, after: State) -> None:
        # It was judged before: only what is remembered of it is needed again.
        if after.chance_at is None:
            for monitor in self.watcher.monitors:
                if monitor.remembers:
                    monitor.point(before, after)
        self.watcher.abandon()

    def _numbers_to(self, at: int) -> Iterator[int]:
        steps: list[int] = []
        while at:
            steps.append(self._choice[at])
            at = self._origin[at]
        return reversed(steps)

    def _record(self, at: int, number: int) -> Record:
        """The record of the game that leads to a state that was seen, and of a choice there."""
        state = self.game.start()
        try:
            for step in (*self._numbers_to(at), number):
                take(state, choices(state)[step])
            return state.record()
        except GameFault as fault:
            return fault.record
        finally:
            self.watcher.abandon()

    # ------------------------------------------------------------ what is wrong

    def _note(self, found: Iterable[Broken], record: Callable[[], Record], depth: int) -> None:
        for one in found:
            kind = (one.name, one.instance, one.diagnostic.code.number, one.diagnostic.place)
            known = self._by_kind.get(kind)
            if known is not None:
                known.count += 1
            else:
                # Only the first of a kind is told: breadth first, so none is shorter.
                self._by_kind[kind] = Violation(one.name, one.instance, one.diagnostic, record(), depth)


def _asks_old(prop: Property) -> bool:
    # (A property of what an action does keeps the position before it itself.)
    if prop.decl is None:
        return False
    return any(isinstance(node, nodes.Call) and node.name.name == "old" for node in nodes.walk(prop.decl.claim))
