from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from egodsl.engine.game import Game, load
from egodsl.engine.rng import Random, derive
from egodsl.players import play_out
from egodsl.reports.simulation import simulate
from tests.cli.running import COUNTING, STUCK, write

SHARED = """\
rulebook shared "Shared":
    players 2
    result together reached

var reached: 0..9 = 0

stage game:
    for p in players:
        as p: choose one of climb, slip

action climb:
    reached += 2

action slip:
    reached += 1
"""


@pytest.fixture
def counting(tmp_path: Path) -> Game:
    return load(write(tmp_path, COUNTING)).game()


def test_a_game_depends_on_nothing_but_the_seed_and_its_number(counting: Game) -> None:
    made = simulate(counting, 5, 42, 1000)
    scores = []
    for k in range(5):
        state = counting.start(derive(42, "game", k))
        assert play_out(state, Random(derive(42, "players", k)), 1000)
        assert state.result is not None
        scores.append(state.result.scores)
    for player in (0, 1):
        assert sorted(made.scores[0][player].elements()) == sorted(score[player][0] for score in scores)


def test_wins_and_ties_follow_from_the_scores(counting: Game) -> None:
    alone, tied = [0, 0], [0, 0]
    for k in range(60):
        one = simulate(counting, 1, 3, 1000, first=k)
        a, b = (next(iter(one.scores[0][player])) for player in (0, 1))
        for player in (0, 1):
            alone[player] += (a, b)[player] > (a, b)[1 - player]
            tied[player] += a == b
    made = simulate(counting, 60, 3, 1000)
    assert (made.wins, made.ties) == (alone, tied)
    assert min(alone) > 0
    assert tied[0] > 0


def test_players_who_win_together_have_one_score(tmp_path: Path) -> None:
    made = simulate(load(write(tmp_path, SHARED)).game(), 200, 1, 1000)
    assert set(made.together) == {2, 3, 4}
    assert made.together.total() == 200
    assert (made.wins, made.ties, made.scores) == ([0, 0], [0, 0], [])
    assert made.to_json(1.0)["together"]["count"] == 200


def test_faults_of_one_kind_are_one(tmp_path: Path) -> None:
    made = simulate(load(write(tmp_path, STUCK)).game(), 7, 1, 1000)
    (kind,) = made.faults.values()
    assert (kind.count, kind.game, made.fault_count, made.ended) == (7, 0, 7, 0)
    assert kind.record.events[-1] == ("B", "take")


def test_progress_is_told_after_each_game(counting: Game) -> None:
    told: list[int] = []
    simulate(counting, 4, 1, 1000, done=told.append)
    assert told == [1, 2, 3, 4]


def test_memory_does_not_grow_with_the_number_of_games(counting: Game) -> None:
    simulate(counting, 50, 1, 1000)
    tracemalloc.start()
    try:
        sizes = []
        for games in (500, 2000):
            tracemalloc.reset_peak()
            kept = simulate(counting, games, 1, 1000)
            sizes.append(tracemalloc.get_traced_memory()[1])
            del kept
    finally:
        tracemalloc.stop()
    # One game takes some kilobytes; what is left over between two sweeps of the collector varies.
    assert sizes[1] < sizes[0] * 1.5 + 50_000
