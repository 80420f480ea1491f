"""From a game that breaks a property to one that is easy to follow.

What is made smaller, in this order: the number of players, the number of decisions, the outcomes of chance that are
not the first there is, the moves that are not the first. Every change is tried by playing the game again; what still
breaks the property is kept (as in delta debugging: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
Input", 2002). Since a game is made of choices that depend on those before, games that are new altogether are tried
too, no longer than the shortest so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.engine.rng import derive
from egodsl.verify.policies import Explorer
from egodsl.verify.tracing import Played, Trace, again, closest, play

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.state import State
    from egodsl.verify.explore import Choice
    from egodsl.verify.watching import Watcher

    Maker = Callable[[int], tuple[Game, Watcher] | None]
    """The game for a number of players with a watcher for the one property; None where there is none."""

DEFAULT_EFFORT = 20_000
"""Decisions that may be played to make one game smaller."""

_FRUITLESS = 100
"""New games, one after the other, that are no better, after which no more are tried."""

_FRESH = 0.4
"""How much of the effort goes into new games."""


@attrs.define(eq=False)
class _Shrinker:
    game: Game
    watcher: Watcher
    best: Played
    left: int
    """Decisions that may still be played."""

    def try_trace(self, trace: Trace) -> bool:
        """Whether the trace is a better game that breaks the property; it is the best one then."""
        return self.take(again(self.game, self.watcher, trace))

    def take(self, played: Played) -> bool:
        self.left -= len(played.trace.moves) + 1
        if played.broken and played.cost < self.best.cost:
            self.best = played
            return True
        return False

    # ------------------------------------------------------------ games that are new

    def new_games(self, rng: int, until: int) -> None:
        """Random games, shorter than the best, until so little effort is left."""
        explorer = Explorer(rng)
        fruitless = 0
        while self.left > until and len(self.best.trace.moves) > 1 and fruitless < _FRUITLESS:
            explorer.rare = not explorer.rare
            most = len(self.best.trace.moves) - 1
            fruitless = 0 if self.take(play(self.game, self.watcher, explorer, most)) else fruitless + 1

    def new_ends(self, rng: int, until: int) -> None:
        """The best game up to some decision, and random moves from there."""
        explorer = Explorer(rng)
        number = fruitless = 0
        while self.left > until and len(self.best.trace.moves) > 1 and fruitless < _FRUITLESS:
            number += 1
            moves = self.best.trace.moves
            kept = Trace(moves[: derive(rng, number) % len(moves)], self.best.trace.chance)
            better = self.take(play(self.game, self.watcher, _Prefix(kept, explorer), len(moves) - 1))
            fruitless = 0 if better else fruitless + 1

    def plain_games(self, rng: int) -> None:
        """Random games in which chance mostly has the first of its outcomes, as long as the best or shorter."""
        explorer = Explorer(rng)
        explorer.plain = True
        fruitless = 0
        while self.left > 0 and self.best.cost[2] and fruitless < _FRUITLESS:
            better = self.take(play(self.game, self.watcher, explorer, len(self.best.trace.moves)))
            fruitless = 0 if better else fruitless + 1

    # ------------------------------------------------------------ the same game, changed

    def without(self) -> None:
        """Leave out decisions, first many at once, then fewer."""
        size = max(1, len(self.best.trace.moves) // 2)
        while self.left > 0:
            at = shorter = 0
            while at < len(self.best.trace.moves) and self.left > 0:
                trace = self.best.trace
                kept = trace.moves[:at] + trace.moves[at + size :]
                if self.try_trace(Trace(kept, trace.chance)):
                    shorter += 1
                else:
                    at += size
            if size == 1 and not shorter:
                return
            size = max(1, size // 2)

    def plainer(self) -> None:
        """Let chance have its first outcome, and moves be the first, wherever the property is broken all the same."""
        if self.left > 0:
            self.try_trace(Trace(self.best.trace.moves, ()))
        for field in ("chance", "moves"):
            at = 0
            while at < len(getattr(self.best.trace, field)) and self.left > 0:
                trace = self.best.trace
                values = getattr(trace, field)
                changed = (*values[:at], None, *values[at + 1 :])
                self.try_trace(attrs.evolve(trace, **{field: changed}))
                at += 1


class _Prefix:
    """Plays the moves of a trace, with the chance that goes with them, then leaves it to another."""

    def __init__(self, trace: Trace, then: Explorer) -> None:
        self._moves = list(reversed(trace.moves))
        self._chance = list(reversed(trace.chance))
        self._then = then

    def __call__(self, state: State, found: Sequence[Choice]) -> int:
        if not self._moves:
            return self._then(state, found)
        values = self._chance if found[0][0] < 0 else self._moves
        wanted = values.pop() if values else None
        return closest(found, wanted)


def shrink(make: Maker, played: Played, *, seed: int = 0, effort: int = DEFAULT_EFFORT) -> Played:
    """A game that breaks the same property and is no harder to follow.

    `make` gives games for other numbers of players; the property is what its watchers watch. The same `seed` and
    `effort` (decisions that may be played) give the same game.
    """
    best = played
    for players in range(1, played.state.game.players):
        smaller = make(players)
        if smaller is None:
            continue
        found = _any(*smaller, seed, best, effort // 4)
        if found is not None:
            best = found
            break
    made = make(best.state.game.players)
    assert made is not None
    shrinker = _Shrinker(*made, best, effort)
    shrinker.without()
    until = int(shrinker.left * (1 - _FRESH))
    shrinker.new_games(derive(seed, "new"), until)
    shrinker.new_ends(derive(seed, "ends"), until - int(shrinker.left * _FRESH))
    before: tuple[int, ...] = ()
    while shrinker.left > 0 and shrinker.best.cost != before:
        before = shrinker.best.cost
        shrinker.without()
        shrinker.plainer()
        shrinker.plain_games(derive(seed, "plain", *before))
    return shrinker.best


def _any(game: Game, watcher: Watcher, seed: int, best: Played, effort: int) -> Played | None:
    explorer = Explorer(derive(seed, "fewer", game.players))
    most = 2 * len(best.trace.moves) + 10
    while effort > 0:
        explorer.rare = not explorer.rare
        found = play(game, watcher, explorer, most)
        effort -= len(found.trace.moves) + 1
        if found.broken:
            return found
    return None
