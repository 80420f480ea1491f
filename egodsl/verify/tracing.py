"""Games as what was chosen in them, decisions and chance apart, so that one can be changed and played again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.faults import GameFault
from egodsl.verify.explore import Choice, choices, take
from egodsl.verify.position import MOST_DRAWS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.record import Record
    from egodsl.engine.state import State
    from egodsl.verify.watching import Broken, Watcher

    Chooser = Callable[[State, Sequence[Choice]], int]


@attrs.frozen
class Trace:
    """What was chosen, in order: the moves of decisions, and the values that chance had.

    A trace is played again leniently: a move that is not legal where its turn comes stands for the first of the same
    option, or the first there is; so does a value that chance cannot have, and everything beyond the end of the trace.
    """

    moves: tuple[Any, ...] = ()
    chance: tuple[Any, ...] = ()


@attrs.define(eq=False)
class Played:
    """A game that was played and judged.

    Attributes:
        trace: what was chosen.
        state: where it came to an end.
        broken: what it breaks; the game was ended at the first.
        cost: how hard it is to follow: the fewer the better (players, decisions, chance that is not the first outcome,
            moves that are not the first).
        cut: whether it was left before it ended.
    """

    trace: Trace
    state: State
    broken: list[Broken]
    cost: tuple[int, int, int, int]
    cut: bool
    _fault: GameFault | None = None

    @property
    def record(self) -> Record:
        """The record of the game."""
        return self._fault.record if self._fault is not None else self.state.record()


def play(game: Game, watcher: Watcher, chooser: Chooser, most: int) -> Played:
    """Play a game until a property is broken, it ends, or `most` decisions have been made.

    `chooser` gives the number of one of the choices. That a game has not ended breaks nothing here.
    """
    moves: list[Any] = []
    chance: list[Any] = []
    deviations = effort = 0

    def played(state: State, broken: list[Broken], fault: GameFault | None = None, *, cut: bool = False) -> Played:
        cost = (game.players, len(moves), deviations, effort)
        return Played(Trace(tuple(moves), tuple(chance)), state, broken, cost, cut, fault)

    state: State | None = None
    try:
        state = game.start()
    except GameFault as fault:
        from egodsl.engine.state import State as Fresh  # noqa: PLC0415 - a state that could not be begun

        return played(Fresh(game, None), watcher.faulted(fault), fault)
    before: State | None = None
    drawn = 0
    while True:
        drawn = 0 if state.chance_at is None else drawn + 1
        if drawn > MOST_DRAWS:
            return played(state, [], cut=True)
        if state.chance_at is None:
            broken = watcher.judge(before, state)
            if broken or state.over or len(moves) >= most:
                return played(state, broken, cut=not state.over and not broken)
            before = state.clone()
        found = choices(state)
        k = chooser(state, found)
        by_chance = found[k][0] < 0
        (chance if by_chance else moves).append(found[k][1])
        if by_chance:
            deviations += k > 0
        else:
            effort += k
        try:
            take(state, found[k])
        except GameFault as fault:
            return played(state, watcher.faulted(fault), fault)


def again(game: Game, watcher: Watcher, trace: Trace) -> Played:
    """Play a trace, no further than it goes."""
    moves, chance = iter(trace.moves), iter(trace.chance)

    def chooser(_: State, found: Sequence[Choice]) -> int:
        return closest(found, next(chance if found[0][0] < 0 else moves, None))

    return play(game, watcher, chooser, len(trace.moves))


def closest(found: Sequence[Choice], wanted: object) -> int:
    """The number of the choice that is wanted, or of what comes nearest to it."""
    if wanted is None:
        return 0
    exact = next((k for k, (_, what) in enumerate(found) if what == wanted), None)
    if exact is not None:
        return exact
    if found[0][0] < 0 or not isinstance(wanted, tuple):
        return 0
    return next((k for k, (_, what) in enumerate(found) if what[0] == wanted[0]), 0)
