"""A player that tries its moves out: flat Monte-Carlo search over redeals of what it can see.

Again and again the player deals anew what it cannot know (`State.redeal`), makes each of its moves in that one world,
lets random players play on, and looks at where it ended. The moves meet the same worlds, the same chance and the same
random players, so that what differs between them is, as far as can be, due to the moves (common random numbers; see
Law, Simulation Modeling and Analysis, on variance reduction). A move that has fallen clearly behind is not tried any
more (racing; Maron and Moore 1994), and the moves that are left get its playouts.

Deciding in worlds dealt anew, each as if the others knew it too, has known limits (Frank and Basin 1998): such a player
neither hides what it knows nor pays for finding something out.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from egodsl.engine.faults import Fault, GameFault
from egodsl.engine.rng import Random, derive
from egodsl.players.budget import DEFAULT_PLAYOUTS, Budget, playouts
from egodsl.players.random import play_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.moves import Move, Result
    from egodsl.engine.state import State

DEFAULT_HORIZON = 20
"""Decisions after which a playout is broken off, and judged as it stands, once it has changed anybody's score."""
_LONGEST = 400
"""Decisions after which it is broken off in any case."""
_FEWEST_ROUNDS = 6
"""Rounds before a move can be dropped."""
_CLEARLY = 2.0
"""Standard errors that a dropped move lies behind the best."""


class SearchPlayer:
    """Chooses by playouts in worlds that it may think possible. It uses the state only as `Player` allows."""

    def __init__(self, seed: int, budget: Budget | None = None, *, horizon: int = DEFAULT_HORIZON) -> None:
        """`seed`: 0 to 2^64-1. `budget`: by default `DEFAULT_PLAYOUTS` playouts a decision. `horizon`: 1 or more."""
        self._rng = Random(seed)
        self._budget = playouts(DEFAULT_PLAYOUTS) if budget is None else budget
        self._horizon = horizon

    def choose(self, state: State, player: int) -> Move:
        """See `Player`. Where there is one move, or no time for a playout, nothing is tried."""
        moves = state.legal_moves(player)
        if len(moves) == 1:
            return moves[0]
        # Moves that come out alike, and those that are tried where time ends in the first round, are drawn by lot.
        _mix_up(moves, self._rng)
        race = Race(len(moves))
        made = 0
        while len(race.running) > 1 and self._budget(made):
            seed = self._rng.below(1 << 63)
            world = state.redeal(player, seed)
            if world.rng is None:
                # A game that leaves chance to its caller: here it resolves itself.
                world.rng = derive(seed, "chance")
            places = {move.text: k for k, move in enumerate(world.legal_moves(player))}
            values: list[float] = []
            for k in race.running:
                if values and not self._budget(made):
                    break
                place = places.get(moves[k].text)
                if place is None:
                    # The world is none that the player could be in; it counts, so that no budget is endless.
                    values.clear()
                    made += 1
                    break
                values.append(self._tried(world.clone(), place, player, derive(seed, "playout")))
                made += 1
            race.add(values)
        return moves[race.best]

    def _tried(self, state: State, place: int, player: int, seed: int) -> float:
        rng = Random(seed)
        begin = state.decisions
        before = scores_of(state)
        try:
            state.choose(place, player)
            most = begin + self._horizon
            while not play_out(state, rng, most) and most < begin + _LONGEST and scores_of(state) == before:
                most += 1
        except GameFault:
            # Rules that break decide for nobody.
            return even_share(state.game, before)
        return value_of(state, player)


def _mix_up(moves: list[Move], rng: Random) -> None:
    for k in range(len(moves) - 1, 0, -1):
        j = rng.below(k + 1)
        moves[k], moves[j] = moves[j], moves[k]


# ---------------------------------------------------------------- what an end is worth


def even(players: int) -> float:
    """What a game is worth of which nothing is known: one win among all."""
    return 1 / players


def scores_of(state: State) -> Result | list[int] | None:
    """What the payoffs would be if the game ended here, in a rulebook without `payoff` what the result would be; None
    where they have no value yet.
    """
    game = state.game
    try:
        return game.returns_of(state) if game.has_payoff else game.result_of(state)
    except Fault:
        return None


def value_of(state: State, player: int) -> float:
    """What the state is worth to the player: the payoff that there would be now; in a rulebook without `payoff`, what
    the places are worth.

    A game that has not ended is judged as if it ended here, and as even where that has no value yet.
    """
    scores = scores_of(state)
    if scores is None:
        return even_share(state.game, scores)
    return float(scores[player]) if isinstance(scores, list) else worth(scores, player)


def even_share(game: Game, scores: Result | list[int] | None) -> float:
    """What a game with these scores is worth to each if nobody is better off than another: the mean of the payoffs, 0
    where they have no value; in a rulebook without `payoff`, one win among all.
    """
    if not game.has_payoff:
        return even(game.players)
    return sum(scores) / len(scores) if isinstance(scores, list) else 0.0


def worth(result: Result, player: int) -> float:
    """1 for a win alone, its share for a shared one; otherwise less than any shared win, more for a better place. The
    common score where all play together.
    """
    if result.together is not None:
        return float(result.together)
    if player in result.winners:
        return 1 / len(result.winners)
    seats = len(result.scores)
    place = next(k for k, tied in enumerate(result.places) if player in tied)
    behind = sum(len(tied) for tied in result.places[place + 1 :])
    return behind / (seats * (seats - 1))


# ---------------------------------------------------------------- which move is best


class Race:
    """Moves that are compared in rounds: in each, every move still running is tried once in the same world."""

    def __init__(self, moves: int) -> None:
        self.running = list(range(moves))
        """The moves that may still be the best."""
        self._values: list[list[float]] = [[] for _ in range(moves)]
        self._first: list[tuple[float, int]] = []
        self._lowest, self._highest = math.inf, -math.inf

    @property
    def best(self) -> int:
        """The move with the highest mean; the first of equals."""
        if not self._values[self.running[0]]:
            # Not even one round was finished: what there is of it.
            return max(self._first, key=lambda found: (found[0], -found[1]), default=(0.0, 0))[1]
        return max(self.running, key=lambda k: (sum(self._values[k]), -k))

    def add(self, values: Sequence[float]) -> None:
        """Take in a round: a value for each move that is running, in order. A round cut short counts only if there is
        no whole one.
        """
        if len(values) < len(self.running):
            self._first = self._first or list(zip(values, self.running, strict=False))
            return
        for k, value in zip(self.running, values, strict=True):
            self._values[k].append(value)
        self._lowest, self._highest = min(self._lowest, *values), max(self._highest, *values)
        best = self._values[self.best]
        if len(best) >= _FEWEST_ROUNDS:
            # Places are worth from 0 to 1, payoffs anything.
            spread = max(1.0, self._highest - self._lowest)
            self.running = [k for k in self.running if not _behind(self._values[k], best, spread)]


def _behind(values: list[float], best: list[float], spread: float) -> bool:
    """Whether the values lie clearly below the best, by the differences in the same worlds. `spread`: how far apart
    values can be.
    """
    rounds = len(best)
    differences = [b - v for b, v in zip(best, values, strict=True)]
    mean = sum(differences) / rounds
    # One round more, whose deviation is the spread, keeps a few equal differences from passing for certain.
    variance = (sum((d - mean) ** 2 for d in differences) + spread**2) / rounds
    return mean > _CLEARLY * math.sqrt(variance / rounds)
