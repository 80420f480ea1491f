"""How often one player that searches wins against random players, in each game that is shipped.

Not collected by default: `python -m pytest -n 0 tests/benchmarks/bench_search.py -s`. The games and what is decided
in them follow from fixed seeds. The seat that searches goes round the table; a shared win counts as its share. Each
case says how many games it takes to tell, more where luck decides more; `EGODSL_SEARCH_GAMES` says another number for
all.
"""

from __future__ import annotations

import math
import os
import time
from pathlib import Path

import attrs
import pytest

import egodsl
from egodsl.engine.rng import derive
from egodsl.players import Player, RandomPlayer, SearchPlayer, play_on, playouts

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
MOST = 5000
NORMAL_95 = 1.96


@attrs.frozen
class Case:
    """A game to be played."""

    rulebook: str
    players: int
    playouts: int
    usual: int
    readings: dict[str, str] = attrs.field(factory=dict)

    @property
    def games(self) -> int:
        """How many are played."""
        return int(os.environ.get("EGODSL_SEARCH_GAMES", self.usual))

    def __str__(self) -> str:
        """For reports."""
        answers = "".join(f", {name}: {answer}" for name, answer in self.readings.items())
        return f"{self.rulebook} with {self.players} players{answers}, {self.playouts} playouts a decision"


SKILL = (
    Case("egocentric_world", 2, 60, 20),
    Case("egocentric_world", 4, 60, 20),
    Case("egonomy", 2, 30, 20),
    Case("egonomy", 3, 30, 20),
    Case("emotrions", 3, 30, 80, {"length": "one_partida"}),
    Case("emotrions", 3, 30, 80),
)
GUESSING = (Case("ego", 3, 30, 40),)
"""Against random players there is nothing to know: nobody guesses better than by chance."""


def won(case: Case) -> float:
    """How many games the searching player wins."""
    rulebook = egodsl.load(RULEBOOKS / f"{case.rulebook}.rules")
    game = rulebook.game(players=case.players, readings=case.readings)
    wins = 0.0
    for number in range(case.games):
        seat = number % case.players
        players: list[Player] = [RandomPlayer(derive(1, "players", number, other)) for other in range(case.players)]
        players[seat] = SearchPlayer(derive(1, "players", number, seat), playouts(case.playouts))
        state = game.start(derive(1, "game", number))
        assert play_on(state, players, MOST), "a game has no end"
        assert state.result is not None
        winners = state.result.winners
        wins += (seat in winners) / len(winners)
    return wins


def interval(wins: float, games: int) -> tuple[float, float]:
    """The rates that the wins allow with a confidence of 95 % (Wilson's score interval)."""
    rate, z2 = wins / games, NORMAL_95**2
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = NORMAL_95 / (1 + z2 / games) * math.sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    return middle - half, middle + half


def told(case: Case) -> tuple[float, float]:
    """Play the case, print the rate, and give its interval."""
    begin = time.perf_counter()
    wins = won(case)
    seconds = (time.perf_counter() - begin) / case.games
    low, high = interval(wins, case.games)
    print(  # noqa: T201 - a benchmark tells what it measured
        f"\n{case}: won {wins:g} of {case.games} games, {wins / case.games:.0%} ({low:.0%} to {high:.0%}), "
        f"by chance {1 / case.players:.0%}; {seconds:.1f} s a game"
    )
    return low, high


@pytest.mark.parametrize("case", SKILL, ids=str)
def test_search_beats_random_players(case: Case) -> None:
    low, _ = told(case)
    assert low > 1 / case.players


@pytest.mark.parametrize("case", GUESSING, ids=str)
def test_nobody_guesses_better_than_by_chance(case: Case) -> None:
    low, _ = told(case)
    assert low <= 1 / case.players
