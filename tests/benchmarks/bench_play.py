"""How many decisions a second random play makes, and how that compares with plain Python in the same run.

Not collected by default: `python -m pytest -n 0 tests/benchmarks/bench_play.py -s`. Each case plays a fixed set of
seeded games several times and prints the best rate; `extra_info` holds it for `--benchmark-json`.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import egodsl
from egodsl.engine.rng import Random
from egodsl.players.random import play_out
from tests.lockstep.reference_egocentric import Reference
from tests.lockstep.reference_nodes import Decision, Result

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
GAMES = 200
ROUNDS = 5
MOST = 10_000


def play(game: egodsl.Game, games: int) -> int:
    """Random games with the seeds 0, 1, ...; the number of decisions made."""
    rng = Random(7)
    decisions = 0
    for seed in range(games):
        state = game.start(seed=seed)
        play_out(state, rng, MOST)
        decisions += state.decisions
    return decisions


def best_rate(game: egodsl.Game, games: int) -> float:
    """Decisions a second, in the best of some rounds (other work on the machine only slows a round)."""
    play(game, 10)
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        decisions = play(game, games)
        best = max(best, decisions / (time.perf_counter() - begin))
    return best


def tell(text: str) -> None:
    """Print a figure."""
    sys.stdout.write(f"\n{text}\n")


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [
        ("egocentric_world", 2, GAMES),
        ("egocentric_world", 4, GAMES),
        ("egocentric_world", 6, GAMES),
        ("egonomy", 2, 40),
        ("egonomy", 4, 40),
        ("emotrions", 2, 40),
        ("emotrions", 6, 40),
        ("ego", 2, GAMES),
        ("ego", 4, GAMES),
    ],
)
def test_random_play(benchmark: BenchmarkFixture, name: str, players: int, games: int) -> None:
    """At least 10,000 decisions a second are wanted of the first game with four players, 5,000 of the others."""
    game = egodsl.load(RULEBOOKS / f"{name}.rules").game(players=players)
    rate = best_rate(game, games)
    benchmark.extra_info["decisions_per_second"] = round(rate)
    tell(f"{name}, {players} players: {rate:,.0f} decisions/s")
    assert benchmark(play, game, 3) > 0


def play_reference(games: int) -> int:
    """Random games of the reference, STOP as likely as any move; the number of decisions made."""
    rng = random.Random(7)  # noqa: S311 - games, not secrets
    decisions = 0
    for _ in range(games):
        game = Reference(4)
        while not isinstance(node := game.node, Result):
            if isinstance(node, Decision):
                decisions += 1
                game.apply(rng.choice(node.moves))
            else:
                game.apply(rng.choice([outcome for outcome, _ in node.outcomes]))
    return decisions


def test_ratio_to_the_reference() -> None:
    """The interpreter against the slow reference written in plain Python for this one game, in the same run."""
    game = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=4)
    rates = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        ours = play(game, GAMES) / (time.perf_counter() - begin)
        begin = time.perf_counter()
        theirs = play_reference(GAMES) / (time.perf_counter() - begin)
        rates.append((ours / theirs, ours, theirs))
    ratio, ours, theirs = sorted(rates)[ROUNDS // 2]
    tell(f"interpreter {ours:,.0f} decisions/s, reference {theirs:,.0f}: ratio {ratio:.2f} (median of {ROUNDS})")
    assert ratio > 0


def middle() -> egodsl.State:
    """A state some way into a game."""
    state = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=4).start(seed=3)
    rng = Random(1)
    while not state.is_over and state.decisions < 20:
        state.choose(rng.below(len(state.moves)))
    return state


def test_clone(benchmark: BenchmarkFixture) -> None:
    """Copying a state in the middle of a game, as search does."""
    state = middle()
    assert benchmark(state.clone) == state


@pytest.mark.parametrize("what", ["view", "observations", "record", "redeal"])
def test_what_is_derived_on_demand(benchmark: BenchmarkFixture, what: str) -> None:
    """Views, observations, records and redeals are worked out from the log when somebody asks."""
    state = middle()

    def ask() -> object:
        match what:
            case "view":
                return state.view(0)
            case "observations":
                return state.observations(0)
            case "record":
                return state.record()
            case _:
                return state.redeal(0, 1)

    assert benchmark(ask) is not None
