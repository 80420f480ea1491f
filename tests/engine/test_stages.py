"""Stages, turns and loops: what `end` leaves, who is on turn next, and loops that spin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import moves, play, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game

    Make = Callable[..., Game]


def test_end_leaves_everything_down_to_the_innermost_such_stage(make: Make) -> None:
    game = make(
        """
        var trace: 0.. = 0
        stage game:
            play round
            trace := trace * 10 + 9
            play round
            trace := trace * 10 + 8
        stage round:
            for p in players:
                play trick
                trace := trace * 10 + 7
        stage trick:
            trace := trace * 10 + 1
            perform deep
        procedure deep:
            repeat 3 times:
                as players[2]:
                    trace := trace * 10 + 2
                    if trace % 100 = 12 and trace > 20: end round
                    end trick
        """
    )
    # Round one: trick (1 2), 7, trick (1 2) ends the round, 9; round two: trick ends the round at once, 8.
    assert var(game.start(seed=0), "trace") == 1271291_28


def test_end_of_the_game_ends_it(make: Make) -> None:
    game = make(
        """
        var n: 0..9 = 0
        stage game:
            play inner
            n := 9
        stage inner:
            n := 1
            end game
        """
    )
    state = game.start(seed=0)
    assert state.is_over
    assert var(state, "n") == 1


def test_turns_of_an_ended_stage_are_over(make: Make) -> None:
    game = make(
        """
        var who: player? = none
        stage game:
            turns from players[1]:
                play inner
                who := active
                end game
        stage inner:
            turns from players[2]: end inner
        """
    )
    assert var(game.start(seed=0), "who") == 0


def test_a_return_from_within_turns_gives_the_turn_back(make: Make) -> None:
    game = make(
        """
        var who: player? = none
        var following: player? = none
        stage game:
            turns from players[3]:
                perform aside
                who := active
                following := next
                end game
        procedure aside:
            turns from players[2]: return
        """,
        players=4,
    )
    state = game.start(seed=0)
    assert (var(state, "who"), var(state, "following")) == (2, 3)


def order(make: Make, body: str, players: int = 4, count: int = 8) -> str:
    """The seats that are on turn in the first turns of a game."""
    rules = (
        f"var n: 0..99 = 0\nvar out[player]: bool = false\nstage game:\n"
        f"    turns from players[2]{body}\n        choose go in 1..1\n"
        f"        n += go\n        if n = {count}: end game\n"
    )
    state = make(rules, players=players).start(seed=0)
    seats = ""
    while not state.is_over:
        seats += str(state.to_move[0] + 1)
        state.choose(0)
    return seats


def test_turns_go_clockwise_for_ever(make: Make) -> None:
    assert order(make, ":") == "23412341"


def test_turns_pass_over_those_for_whom_where_does_not_hold(make: Make) -> None:
    assert order(make, " where seat(you) != 3:") == "24124124"


def test_where_of_turns_is_asked_anew_before_each_turn(make: Make) -> None:
    # Whoever has had a turn in which n was odd is out afterwards.
    assert order(make, " where not out[you]:\n        if n % 2 = 1: out := true", count=7) == "2341242"


def test_a_preference_in_turns_binds_only_while_it_leaves_somebody(make: Make) -> None:
    # After the turn of seat 1 all are out, and the preference no longer binds: the order goes on round the table.
    assert order(make, " where not out[you] if able:\n        out := true", count=6) == "234123"


def test_turns_end_when_where_holds_for_nobody(make: Make) -> None:
    game = make(
        """
        var out[player]: bool = false
        var after: player? = none
        stage game:
            turns from players[2] where not out: out := true
            as players[3]: after := active
        """,
        players=3,
    )
    state = game.start(seed=0)
    assert state.is_over
    assert [var(state, "out", p) for p in range(3)] == [True, True, True]
    assert var(state, "after") == 0


def test_next_can_be_set_and_the_last_assignment_counts(make: Make) -> None:
    assert order(make, ":\n        next := you\n        next := right(you)") == "21432143"
    assert order(make, ":\n        if n = 1: next := you") == "23341234"


def test_next_is_set_anew_in_each_turn(make: Make) -> None:
    # Set in one turn only: the turn after it goes on clockwise from there.
    assert order(make, ":\n        if n = 0: next := players[4]") == "24123412"


def test_next_may_name_one_who_is_passed_over(make: Make) -> None:
    assert order(make, " where seat(you) != 3:\n        if n = 0: next := players[3]") == "24124124"


def test_next_is_the_next_for_whom_where_holds(make: Make) -> None:
    game = make(
        """
        var seen: 0..9 = 0
        stage game:
            turns from players[2] where seat(you) != 3:
                seen := seat(next)
                end game
        """,
        players=4,
    )
    assert var(game.start(seed=0), "seen") == 4


def test_you_is_given_back_after_turns(make: Make) -> None:
    game = make(
        """
        var trace: 0.. = 0
        var done[player]: bool = false
        stage game:
            as players[3]:
                turns from players[1] where not done: done := true
                trace := seat(you)
        """,
        players=3,
    )
    assert var(game.start(seed=0), "trace") == 3


@pytest.mark.parametrize(
    "body",
    [
        "repeat:\n        nothing",
        "repeat:\n        m := m",
        "repeat:\n        let k = m\n        if k > 5: m := 1",
        "repeat:\n        for p in players: nothing\n    until m = 5",
        "turns from players[1]: nothing",
        "turns from players[1]: next := you",
        "repeat:\n        repeat 3 times: nothing",
    ],
)
def test_a_pass_in_which_nothing_happens_is_a_fault(make: Make, body: str) -> None:
    with pytest.raises(GameFault) as raised:
        make(f"var m: 0..9 = 0\nstage game:\n    {body}\n").start(seed=0)
    assert raised.value.diagnostic.code.number == "EGO705"
    place = raised.value.diagnostic.span
    assert place is not None
    assert place.text == body.split(maxsplit=1)[0].rstrip(":"), "the loop itself is shown, not the rule around it"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("repeat:\n        m += 1\n    until m = 5", 5),
        ("repeat:\n        nothing\n    until m = 0", 0),  # one pass is no loop yet
        ("repeat 4 times: m += 2", 8),
        ("repeat 0 times: m := 9", 0),
        ("repeat m times: m += 1", 0),
        ("repeat 4 times: nothing", 0),
    ],
)
def test_loops_that_come_to_an_end(make: Make, body: str, expected: int) -> None:
    state = make(f"var m: 0..9 = 0\nstage game:\n    {body}\n").start(seed=0)
    assert state.is_over
    assert var(state, "m") == expected


def test_a_pass_with_a_decision_does_not_spin(make: Make) -> None:
    state = make(
        "stage game:\n    turns from players[1]:\n        choose k in 1..2\n        if k = 2: end game\n"
    ).start(seed=0)
    play(state, "1", "1", "1", "2")
    assert state.is_over


def test_a_pass_with_chance_does_not_spin(make: Make) -> None:
    state = make(
        "var n: 0..9 = 0\nstage game:\n    repeat:\n        pick k at random from 1..2\n    until k = 2\n"
    ).start()
    play(state, "1", "1", "2")
    assert state.is_over


def test_the_limit_stops_a_loop_that_changes_something_for_ever(make: Make) -> None:
    rules = "var m: 0..9 = 0\nstage game:\n    repeat: m := 1 - m\n"
    with pytest.raises(GameFault) as raised:
        make(rules, limit=500).start(seed=0)
    assert raised.value.diagnostic.code.number == "EGO705"
    assert "500 steps" in raised.value.diagnostic.message


def test_the_limit_counts_between_decisions(make: Make) -> None:
    rules = """
        var m: 0..9999 = 0
        stage game:
            turns from players[1]:
                choose k in 1..1
                repeat 20 times: m += k
                if m = 400: end game
        """
    state = make(rules, limit=100).start(seed=0)
    while not state.is_over:
        state.choose(0)
    assert var(state, "m") == 400


def test_variables_of_a_stage_are_set_anew_when_it_begins(make: Make) -> None:
    game = make(
        """
        var kept: 0..99 = 0
        var lasting: 0..99 = 5
        var fresh: 0..99 = 5 during round
        var by_player[player]: 0..99 = 3 during round
        var linked: 0..99 = kept + 1 during round
        stage game:
            play round
            kept := fresh
            play round
        stage round:
            fresh += 1
            lasting += 1
            for p in players: by_player[p] += kept + seat(p)
            as players[1]:
                choose k in 1..1
                by_player -= k
        """,
        players=2,
    )
    state = game.start(seed=0)
    names = ("kept", "lasting", "fresh", "linked")
    assert [var(state, name) for name in names] == [0, 6, 6, 1]
    state.choose(0)
    assert [var(state, name) for name in names] == [6, 7, 6, 7]
    # 3 + 6 + the seat; less one of last round is set back too.
    assert [var(state, "by_player", p) for p in range(2)] == [10, 11]
    state.choose(0)
    assert state.is_over
    assert var(state, "fresh") == 6, "outside its stage it keeps its last value"


def test_a_decision_outside_turns_is_of_whom_as_names(make: Make) -> None:
    state = make("stage game:\n    as players[2]: choose k in 1..2\n").start(seed=0)
    assert state.to_move == (1,)
    assert moves(state) == ["1", "2"]


def test_a_variable_without_an_initial_value_has_none_again_when_its_stage_begins(make: Make) -> None:
    game = make(
        """
        var chosen: 1..9 during round
        var n: 0..99 = 0
        stage game:
            play round
            n := chosen
            play again
        stage again: play round
        stage round:
            if n > 0: n := chosen
            chosen := 7
        """
    )
    with pytest.raises(GameFault) as raised:
        game.start(seed=0)
    assert raised.value.diagnostic.code.number == "EGO709"


def test_next_where_nobody_else_may_come(make: Make) -> None:
    # In the first two turns nobody but B may come next; D may as soon as the second has been counted.
    assert order(make, " where seat(you) = 2 or n > 1 and seat(you) = 4:", count=5) == "22424"
