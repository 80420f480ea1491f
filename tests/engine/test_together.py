"""`together`: all are asked at once, each sees the state before and their own choices, and it lands as one change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.moves import IllegalMoveError
from tests.helpers import deciding, moves, play, play_as, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game

    Make = Callable[..., Game]

CARDS = """
card Card:
    rank: 1..9
    written "{rank}"
components cards of Card in box:
    4 x (rank: r) for r in 1..9
zone box: set of Card, face up
zone pile: stack of Card, face up
zone spot: one Card, face up
zone hand[player]: set of Card, owner only
var bid[player]: 0..9 = 0
var n: 0..999 = 0

stage deal:
    for p in players:
        for r in seat(p)..seat(p) + 2:
            pick c at random from {c in box where c.rank = r}
            move c to hand[p]
"""


def test_all_are_asked_at_once_and_nothing_shows_before_the_last(make: Make) -> None:
    game = make(
        CARDS
        + "stage game:\n    together as p in players: choose bid in 1..3\n    n := sum(bid[p] for p in players)\n",
        players=3,
    )
    state = game.start(seed=0)
    assert deciding(state) == [0, 1, 2]
    with pytest.raises(IllegalMoveError, match="3 players decide now"):
        state.apply("1")
    play_as(state, 1, "3")
    assert deciding(state) == [0, 2]
    assert moves(state, 1) == []
    assert [var(state, "bid", p) for p in range(3)] == [0, 0, 0]
    play_as(state, 2, "2")
    assert [var(state, "bid", p) for p in range(3)] == [0, 0, 0]
    play_as(state, 0, "1")
    assert [var(state, "bid", p) for p in range(3)] == [1, 3, 2]
    assert var(state, "n") == 6
    assert state.is_over


def test_each_sees_their_own_choices_and_not_those_of_others(make: Make) -> None:
    rules = """
stage game:
    together as p in players:
        choose bid in 1..3
        choose k in 1..sum(bid[q] for q in players)
        bid := k
    n := bid[players[1]] * 10 + bid[players[2]]
"""
    state = make(CARDS + rules, players=2).start(seed=0)
    play_as(state, 0, "3")
    play_as(state, 1, "2")
    assert moves(state, 0) == ["1", "2", "3"]
    assert moves(state, 1) == ["1", "2"]
    play_as(state, 1, "1")
    play_as(state, 0, "2")
    assert var(state, "n") == 21


def test_several_decisions_of_a_player_and_none_of_another(make: Make) -> None:
    rules = """
stage game:
    play deal
    together as p in players:
        if seat(p) != 2:
            for r in 1..seat(p):
                choose c in hand
                move c to pile
    n := count(pile)
"""
    state = make(CARDS + rules, players=3).start(seed=0)
    assert deciding(state) == [0, 2]
    play_as(state, 2, "4")
    assert moves(state, 2) == ["3", "5"]
    play_as(state, 2, "3")
    assert moves(state, 2) == ["5"]
    play_as(state, 0, "1")
    assert deciding(state) == [2]
    assert zone(state, "pile") == []
    play(state, "5")
    assert state.is_over
    assert var(state, "n") == 4
    # The players from the first seat, each one's cards in the order of the choices; the last moved is the top.
    assert zone(state, "pile") == ["5", "3", "4", "1"]


def test_where_asks_of_each_player(make: Make) -> None:
    rules = "stage game:\n    together as p in players where seat(p) > 1: choose bid in 1..2\n    n := 1\n"
    state = make(CARDS + rules, players=3).start(seed=0)
    assert deciding(state) == [1, 2]
    rules = "stage game:\n    together as p in players where seat(p) > 3 if able: choose bid in 1..2\n    n := 1\n"
    assert deciding(make(CARDS + rules, players=3).start(seed=0)) == [0, 1, 2]


def test_nobody_to_ask(make: Make) -> None:
    rules = "stage game:\n    together as p in players where seat(p) > 7: choose bid in 1..2\n    n := 1\n"
    state = make(CARDS + rules).start(seed=0)
    assert state.is_over
    assert var(state, "n") == 1


def test_it_lands_as_one_change_and_triggers_come_after_it(make: Make) -> None:
    rules = """
trigger one_bid whenever any(bid[p] = 3 for p in players): n := n * 10 + 1
trigger all_bid whenever all(bid[p] > 0 for p in players): n := n * 10 + 2
trigger only_one whenever count({p in players where bid[p] > 0}) = 1: n := 999
stage game:
    as players[1]:
        choose k in 4..4
        n := k
    together as p in players: choose bid in 1..3
    as players[1]: choose m in 1..2
    n := n * m
"""
    state = make(CARDS + rules, players=2).start(seed=0)
    play(state, "4")
    play_as(state, 0, "3")
    assert var(state, "n") == 4
    play_as(state, 1, "1")
    assert var(state, "n") == 412, "the triggers run before the next decision"
    assert moves(state) == ["1", "2"]


def test_triggers_are_first_looked_at_where_all_decide_at_once(make: Make) -> None:
    rules = """
trigger high whenever sum(bid[p] for p in players) > 3: n += 1
stage game:
    together as p in players: choose bid in 1..3
    as players[1]: choose k in 1..1
    n += k
"""
    state = make(CARDS + rules, players=2).start(seed=0)
    play_as(state, 0, "3")
    play_as(state, 1, "3")
    assert var(state, "n") == 1


def test_inside_turns_and_calls_the_player_on_turn_stays(make: Make) -> None:
    rules = """
action put(c in hand): bid := seat(active)
stage game:
    play deal
    play round
stage round:
    turns from players[2]:
        perform all
        n := seat(active)
        end round
procedure all:
    together as p in players:
        choose one of put
        bid += seat(next)
"""
    state = make(CARDS + rules, players=3).start(seed=0)
    for p in range(3):
        play_as(state, p, moves(state, p)[0])
    assert [var(state, "bid", p) for p in range(3)] == [5, 5, 5]
    assert var(state, "n") == 2


def test_a_name_from_outside_tells_cards_apart_inside(make: Make) -> None:
    rules = """
stage game:
    pick special at random from {c in box where c.rank = 5}
    for c in {c in box where c.rank = 5}: move c to hand[players[1]]
    play inner
    n := 1 if special in hand[players[1]] else 2
stage inner:
    together as p in players where seat(p) = 1:
        choose c in hand
        move c to pile
"""
    state = make(CARDS + rules, players=2).start(seed=0)
    assert len(moves(state, 0)) == 2
    ends = {var(play(state.clone(), text), "n") for text in moves(state, 0)}
    assert ends == {1, 2}


def test_a_fault_inside_keeps_the_decisions_in_its_record(make: Make) -> None:
    rules = "stage game:\n    together as p in players:\n        choose k in 1..12\n        bid := k\n    n := 1\n"
    game = make(CARDS + rules, players=2)
    state = game.start(seed=0)
    play_as(state, 1, "2")
    with pytest.raises(GameFault) as raised:
        play_as(state, 0, "12")
    assert raised.value.diagnostic.code.number == "EGO703"
    assert sorted(raised.value.record.events) == [("A", "12"), ("B", "2")]
    again = game.replay(raised.value.record)
    assert again.fault is not None
    assert again.fault.code.number == "EGO703"


def test_two_to_one_place_is_a_fault_that_replays(make: Make) -> None:
    rules = (
        "stage game:\n    play deal\n    together as p in players:\n        choose c in hand\n"
        "        move c to spot\n    n := 1\n"
    )
    game = make(CARDS + rules, players=2)
    state = game.start(seed=0)
    play_as(state, 0, "1")
    with pytest.raises(GameFault) as raised:
        play_as(state, 1, "2")
    assert raised.value.diagnostic.code.number == "EGO710"
    decided = [event for event in raised.value.record.events if event[0] != "chance"]
    assert decided == [("A", "1"), ("B", "2")]
    assert game.replay(raised.value.record).fault is not None


def test_the_order_of_answering_makes_no_difference(make: Make) -> None:
    rules = (
        "stage game:\n    play deal\n    together as p in players:\n        choose c in hand\n"
        "        move c to pile\n    as players[1]: choose k in 1..2\n    n := k\n"
    )
    game = make(CARDS + rules, players=2)
    one = game.start(seed=3)
    other = one.clone()
    play_as(one, 0, "2")
    play_as(one, 1, "3")
    play_as(other, 1, "3")
    assert one != other
    play_as(other, 0, "2")
    assert one == other
    assert one.record() == other.record()


def test_a_record_of_half_a_block_replays(make: Make) -> None:
    game = make(CARDS + "stage game:\n    together as p in players: choose bid in 1..3\n    n := 1\n", players=3)
    state = game.start(seed=0)
    play_as(state, 2, "2")
    again = game.replay(state.record())
    assert again == state
    assert deciding(again) == [0, 1]
    copy = state.clone()
    play_as(copy, 0, "1")
    assert deciding(state) == [0, 1]
    assert deciding(copy) == [1]


def test_choosing_by_number_is_for_one_player(make: Make) -> None:
    rules = (
        "stage game:\n    as players[1]: choose k in 1..2\n"
        "    together as p in players: choose bid in 1..k\n    n := 1\n"
    )
    state = play(make(CARDS + rules, players=2).start(seed=0), "2")
    before = state.clone()
    with pytest.raises(IllegalMoveError, match="no one player decides"):
        state.choose(0)
    assert state == before
    for p in (1, 0):
        play_as(state, p, "2")
    assert state.is_over
    with pytest.raises(IllegalMoveError, match="no one player decides"):
        state.choose(0)
