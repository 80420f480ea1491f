"""What the searches of this folder have found, each with its whole kind."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Game
from egodsl.verify.scenarios import run_all
from tests.helpers import load_text, moves

TABLE = """
rulebook tried "A rulebook to try":
    players 2..3
    result most {result}

card Card:
    rank: 1..2
    var turned: bool = false
components cards of Card in deck:
    2 x (rank: r) for r in 1..2
zone deck: row of Card, face down
zone pile: stack of Card, face up
var points[player]: 0..9 = 0

stage game:
    {game}
"""

ENDINGS = {
    "at once": "nothing",
    "after a decision": "as players[1]: choose points in 1..2",
    "after chance": "shuffle deck\n    move 1 from deck to pile\n    move pile to deck",
    "together": "together as p in players: choose points in 1..2",
}


@pytest.mark.parametrize("game", ENDINGS.values(), ids=ENDINGS)
@pytest.mark.parametrize("seed", [3, None])
def test_a_result_that_has_no_value_is_a_fault(make: Callable[..., Game], game: str, seed: int | None) -> None:
    made = make(TABLE.format(result="top(pile).rank", game=game))
    with pytest.raises(GameFault) as raised:
        _play_first_moves(made, seed)
    assert raised.value.diagnostic.code.number == "EGO702"
    again = made.replay(raised.value.record)
    assert again.fault == raised.value.diagnostic
    assert not again.is_over
    assert again.result is None


def _play_first_moves(game: Game, seed: int | None) -> None:
    state = game.start(seed)
    while not state.is_over:
        state.apply(state.chance()[0] if state.is_chance else state.legal_moves(state.to_move[0])[0])


def test_a_stage_that_is_tried_alone_needs_no_result(tmp_path: Path) -> None:
    text = TABLE.format(result="top(pile).rank", game="move 1 from deck to pile\n    play second")
    text += 'stage second: nothing\nscenario "alone":\n    play second\n    expect empty(pile)\n'
    assert [one.passed for one in run_all(load_text(tmp_path, text))] == [True]


@pytest.mark.parametrize("mark", ["bool = false", "1..6 = 1", "bool", "player? = none"])
def test_cards_of_which_there_are_none_in_this_game(make: Callable[..., Game], mark: str) -> None:
    text = f"""
    card Card:
        rank: 1..2
        var mark: {mark}
    components cards of Card in deck:
        (count(players) - 2) x (rank: 1)
    zone deck: stack of Card, face down
    var kept: Card? = none
    stage game: as players[1]: choose k in 1..1 + count(deck)
    """
    for players, offered in ((2, ["1"]), (3, ["1", "2"])):
        state = make(text, players=players).start(seed=1)
        assert moves(state) == offered
        assert state.view(0).zone("deck").count == players - 2


CHOICES = {
    "subsets(row, 2)": ["{#1, #2}", "{#1, #3}", "{#2, #3}"],
    "{row[1], row[3]}": ["#1", "#3"],
    "subsets({row[3], row[1]}, 1..2)": ["{#1, #3}", "{#1}", "{#3}"],
}


@pytest.mark.parametrize("domain", CHOICES)
def test_the_text_of_a_set_does_not_tell_which_hidden_card_lies_where(make: Callable[..., Game], domain: str) -> None:
    game = make(
        f"""
        card Card:
            rank: 1..3
        components cards of Card in deck:
            1 x (rank: r) for r in 1..3
        zone deck: stack of Card, face down
        zone row: row of Card, face down
        stage game:
            shuffle deck
            move 3 from deck to row
            as players[1]: choose some in {domain}
        """
    )
    for seed in range(12):
        assert sorted(moves(game.start(seed))) == CHOICES[domain]


def test_the_text_of_a_set_does_not_tell_cards_of_one_face_apart(make: Callable[..., Game]) -> None:
    game = make(
        """
        card Card:
            rank: 1..2
        components cards of Card in deck:
            2 x (rank: 2)
            1 x (rank: 1)
        zone deck: stack of Card, face down
        zone row: row of Card, face up
        stage game:
            shuffle deck
            move 3 from deck to row
            as players[1]: choose some in subsets(row, 2)
        """
    )
    told = {tuple(sorted(moves(game.start(seed)))) for seed in range(30)}
    expected = set()
    for a, b in ((1, 2), (1, 3), (2, 3)):
        # As declared: the twos before the one, and twins by their places.
        x, y = f"Card(2) #{a}", f"Card(2) #{b}"
        expected.add(tuple(sorted([f"{{{x}, {y}}}", f"{{{x}, Card(1)}}", f"{{{y}, Card(1)}}"])))
    assert told == expected


def test_a_state_in_which_a_fact_was_told_can_be_stored(make: Callable[..., Game]) -> None:
    game = make(
        """
        card Card:
            rank: 1..3
        components cards of Card in deck:
            1 x (rank: r) for r in 1..3
        zone deck: stack of Card, face down
        zone hand[player]: set of Card, owner only
        stage game:
            shuffle deck
            for p in players: move 1 from deck to hand[p]
            for n in 1..2: reveal c.rank > n for c in hand[players[2]]
            as players[1]: choose k in 1..2
            reveal c.rank = k for c in hand[players[2]]
            as players[1]: choose m in 1..3
            points[players[1]] := m
        var points[player]: 0..3 = 0
        """
    )
    state = game.start(seed=4)
    for text in ("2", "3"):
        again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
        assert again == state
        assert again.record() == state.record()
        for player in (0, 1):
            assert again.observations(player) == state.observations(player)
            assert again.redeal(player, 9) == state.redeal(player, 9)
        for one in (state, again):
            one.apply(text)
        assert again == state
