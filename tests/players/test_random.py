from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from egodsl.engine.game import load
from egodsl.engine.rng import Random
from egodsl.players import KINDS, RandomPlayer, play_out
from tests.cli.running import COUNTING, STUCK, TOGETHER, write


def test_every_move_is_as_likely(tmp_path: Path) -> None:
    state = load(write(tmp_path, COUNTING)).game().start(seed=1)
    player = RandomPlayer(3)
    chosen = Counter(player.choose(state, 0).text for _ in range(2000))
    # Two moves, 2000 draws: the deviation is about 22, and five of them are allowed.
    assert set(chosen) == {"count up", "wait"}
    assert abs(chosen["wait"] - 1000) < 112
    assert state.decisions == 0


def test_one_seed_decides_alike(tmp_path: Path) -> None:
    state = load(write(tmp_path, COUNTING)).game().start(seed=1)
    first, second, other = RandomPlayer(7), RandomPlayer(7), RandomPlayer(8)
    runs = [[player.choose(state, 0).text for _ in range(40)] for player in (first, second, other)]
    assert runs[0] == runs[1] != runs[2]


def test_a_playout_ends_with_the_game_or_with_its_bound(tmp_path: Path) -> None:
    game = load(write(tmp_path, COUNTING)).game()
    whole, cut = game.start(seed=1), game.start(seed=1)
    assert play_out(whole, Random(1), 4)
    assert whole.is_over
    assert not play_out(cut, Random(1), 3)
    assert cut.decisions == 3
    assert play_out(cut, Random(1), 4)


def test_choices_at_once_are_all_made(tmp_path: Path) -> None:
    game = load(write(tmp_path, TOGETHER)).game()
    results = set()
    for seed in range(40):
        state = game.start(seed=1)
        assert play_out(state, Random(seed), 10)
        assert state.result is not None
        results.add(state.result.scores)
    assert results == {((a,), (b,)) for a in (0, 1) for b in (0, 1)}


def test_a_fault_ends_a_playout(tmp_path: Path) -> None:
    from egodsl.engine.faults import GameFault  # noqa: PLC0415 - this test alone needs it

    state = load(write(tmp_path, STUCK)).game().start(seed=1)
    with pytest.raises(GameFault):
        play_out(state, Random(1), 100)


def test_kinds_are_found_by_name() -> None:
    assert isinstance(KINDS["random"](1), RandomPlayer)
