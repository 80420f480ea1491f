"""What players get at the end: payoffs, ranking by them, and returns where a rulebook has none."""

from __future__ import annotations

from pathlib import Path

import pytest

import egodsl
from egodsl.engine.state import State
from tests.helpers import load_text

PAID = """
    rulebook paid "Paid":
        players 3
        {head}
    var score[player]: 0..9 = 0
    stage game: as p in players: choose score in 0..9
"""


def ended(folder: Path, head: str, *scores: int) -> State:
    state = load_text(folder, PAID.format(head=head)).game().start()
    for score in scores:
        assert state.returns is None
        state.apply(str(score))
    assert state.is_over
    return state


def test_everybody_gets_their_payoff_by_seat(tmp_path: Path) -> None:
    state = ended(tmp_path, "payoff 3 * score - sum(score[p] for p in players)", 5, 0, 1)
    assert state.returns == [9, -6, -3]


def test_without_a_result_the_payoff_ranks(tmp_path: Path) -> None:
    result = ended(tmp_path, "payoff -score", 4, 2, 2).result
    assert result is not None
    assert result.places == ((1, 2), (0,))
    assert result.scores == ((-4,), (-2,), (-2,))
    assert result.together is None


def test_beside_a_result_it_does_not_rank(tmp_path: Path) -> None:
    state = ended(tmp_path, "result least score\n        payoff score - 1", 4, 0, 2)
    assert state.returns == [3, -1, 1]
    result = state.result
    assert result is not None
    assert result.places == ((1,), (2,), (0,))
    assert result.scores == ((4,), (0,), (2,))


def test_beside_a_shared_result_each_has_a_payoff(tmp_path: Path) -> None:
    state = ended(tmp_path, "result together sum(score[p] for p in players)\n        payoff score", 4, 0, 2)
    assert state.returns == [4, 0, 2]
    result = state.result
    assert result is not None
    assert result.together == 6


@pytest.mark.parametrize(
    ("scores", "returns"),
    [
        ((5, 3, 1), [2, 0, -2]),  # two behind; one behind and one before; two before
        ((1, 3, 3), [-2, 1, 1]),
        ((4, 4, 0), [1, 1, -2]),
        ((2, 2, 2), [0, 0, 0]),
    ],
)
def test_without_a_payoff_returns_count_who_is_behind_and_before(
    tmp_path: Path, scores: tuple[int, ...], returns: list[int]
) -> None:
    assert ended(tmp_path, "result most score", *scores).returns == returns


def test_together_everybody_gets_what_all_reached(tmp_path: Path) -> None:
    assert ended(tmp_path, "result together score[players[1]] * 2", 4, 1, 1).returns == [8, 8, 8]


def test_a_payoff_that_cannot_be_told_is_a_fault_of_the_last_move(tmp_path: Path) -> None:
    head = "result most score\n        payoff 9 // score"
    state = load_text(tmp_path, PAID.format(head=head)).game().start()
    state.apply("1")
    state.apply("2")
    with pytest.raises(egodsl.GameFault) as caught:
        state.apply("0")
    assert "zero" in caught.value.diagnostic.message
    assert not state.is_over
    assert state.returns is None


def test_a_record_leads_to_the_same_returns(tmp_path: Path) -> None:
    state = ended(tmp_path, "payoff score - 4", 4, 9, 0)
    assert state.game.replay(state.record()).returns == [0, 5, -4]
