"""How many decisions a second random play makes, and how that compares with a plain-Python game in the same run.

Not collected by default: `python -m pytest tests/benchmarks/bench_play.py --benchmark-columns=min,median,rounds`.
Each benchmark plays a fixed set of seeded games; `extra_info` holds decisions per second.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import egodsl
from egodsl.engine.rng import Random
from egodsl.players.random import play_out
from tests.lockstep.reference_egocentric import Reference, random_game

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
GAMES = 200


def play(game: egodsl.Game, games: int) -> int:
    """Random games with the seeds 0, 1, ...; the number of decisions made."""
    rng = Random(7)
    below = rng.below
    decisions = 0
    for seed in range(games):
        state = game.start(seed=seed)
        while not state.is_over:
            state.choose(below(len(state.moves)))
        decisions += state.decisions
    return decisions


@pytest.mark.parametrize("players", [2, 4, 6])
def test_egocentric_world(benchmark: BenchmarkFixture, players: int) -> None:
    """At least 10,000 decisions a second are wanted with four players."""
    game = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=players)
    play(game, 10)
    seconds = []
    decisions = 0
    for _ in range(5):
        begin = time.perf_counter()
        decisions = play(game, GAMES)
        seconds.append(time.perf_counter() - begin)
    benchmark(play, game, 5)
    benchmark.extra_info["decisions_per_second"] = round(decisions / min(seconds))
    print(f"\n{players} players: {decisions / min(seconds):,.0f} decisions/s")
    assert decisions > 0


@pytest.mark.parametrize("players", [2, 4])
def test_ego(benchmark: BenchmarkFixture, players: int) -> None:
    """At least 5,000 decisions a second are wanted; most are made by several players at once."""
    game = egodsl.load(RULEBOOKS / "ego.rules").game(players=players)

    def games() -> int:
        rng = Random(7)
        decisions = 0
        for seed in range(GAMES):
            state = game.start(seed)
            play_out(state, rng, 10_000)
            decisions += state.decisions
        return decisions

    decisions = benchmark.pedantic(games, rounds=5, warmup_rounds=1)
    benchmark.extra_info["decisions_per_second"] = round(decisions / benchmark.stats.stats.min)
    assert decisions > 0


def test_ratio_to_the_reference() -> None:
    """The interpreter against the slow reference written for this one game, in the same run."""
    game = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=4)
    play(game, 20)
    begin = time.perf_counter()
    ours = play(game, GAMES) / (time.perf_counter() - begin)
    rng = random.Random(7)
    begin = time.perf_counter()
    theirs = sum(len(random_game(Reference(4), rng)) for _ in range(20)) / (time.perf_counter() - begin)
    print(f"\ninterpreter {ours:,.0f} decisions/s, reference {theirs:,.0f} steps/s, ratio {ours / theirs:.1f}")
    assert ours > 0
    assert theirs > 0


def test_clone(benchmark: BenchmarkFixture) -> None:
    """Copying a state in the middle of a game, as search does."""
    state = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=4).start(seed=1)
    for _ in range(20):
        state.choose(0)
    copy = benchmark(state.clone)
    assert copy == state


@pytest.mark.parametrize("what", ["view", "observations", "record"])
def test_what_is_derived_on_demand(benchmark: BenchmarkFixture, what: str) -> None:
    """Views, observations and records are worked out from the log when somebody asks."""
    state = egodsl.load(RULEBOOKS / "egocentric_world.rules").game(players=4).start(seed=3)
    rng = Random(1)
    for _ in range(60):
        if state.is_over:
            break
        state.choose(rng.below(len(state.moves)))
    asked = {"view": lambda: state.view(0), "observations": lambda: state.observations(0), "record": state.record}[what]
    assert benchmark(asked)
