"""Who is acting: what binds `you`, who is asked in what order, and the names for players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import moves, play, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game

    Make = Callable[..., Game]

TRACE = "var trace: 0.. = 0\n"


def trace(game: Game) -> int:
    """What a game without decisions leaves in `trace`."""
    state = game.start(seed=0)
    assert state.is_over
    return int(var(state, "trace"))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        # From the player on turn, C, clockwise; D is the last seat.
        ("as p in players: trace := trace * 10 + seat(you)", 3412),
        ("as p in others: trace := trace * 10 + seat(you)", 412),
        ("as p in {players[2], players[4]}: trace := trace * 10 + seat(p)", 42),
        # A row keeps its own order.
        ("as p in [players[2], players[4], players[1]]: trace := trace * 10 + seat(you)", 241),
        ("as p from players[2]: trace := trace * 10 + seat(you)", 2341),
        ("as p from players[4] where seat(p) != 1: trace := trace * 10 + seat(you)", 423),
        # In `where`, `you` is still who it was outside: C.
        ("as p in players where steps(p, you) != 1: trace := trace * 10 + seat(you)", 341),
        ("as p from left(you): trace := trace * 10 + seat(p)", 4123),
        ("as players[2]: trace := seat(you)", 2),
        # `for` does not bind `you`, and goes from the first seat.
        ("for p in players: trace := trace * 100 + seat(p) * 10 + seat(you)", 13233343),
        ("for p from players[4]: trace := trace * 100 + seat(p) * 10 + seat(you)", 43132333),
        ("for p in players where seat(p) > 2: trace := trace * 10 + seat(p)", 34),
        # A preference narrows all of them before the first comes.
        ("for p in players where seat(p) > 4 if able: trace := trace * 10 + seat(p)", 1234),
        ("for p in players where seat(p) > 2 if able where seat(p) != 3: trace := trace * 10 + seat(p)", 4),
        ("as p in players where seat(p) > steps(players[1], you) if able: trace := trace * 10 + seat(you)", 34),
        ("as p from players[1] where seat(p) > 4 if able: trace := trace * 10 + seat(you)", 1234),
    ],
)
def test_order_in_which_players_come(make: Make, statement: str, expected: int) -> None:
    rules = f"{TRACE}\nstage game:\n    turns from players[3]:\n        {statement}\n        end game\n"
    assert trace(make(rules, players=4)) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Who acts already goes on acting, also where a define says so.
        (["as p in players:", "    as p: trace := trace * 10 + seat(you)"], 3412),
        (["as p in players:", "    as same(same(p)): trace := trace * 10 + seat(you)"], 3412),
        (["as p in players:", "    as same(left(p)): trace := trace * 10 + seat(you)"], 4123),
        # Somebody else acts in between.
        (["as p in players:", "    as left(p):", "        as p: trace := trace * 10 + seat(you)"], 3412),
        (["as p in players:", "    as q in [left(p)]:", "        as p: trace := trace * 10 + seat(you)"], 3412),
        (["as p in players:", "    as q in [left(p)]: nothing", "    as p: trace := trace * 10 + seat(you)"], 3412),
        (["as p in players:", "    as left(p): nothing", "    trace := trace * 10 + seat(you)"], 3412),
        # A name that is bound anew means somebody else.
        (["as p in [players[2]]:", "    p := left(p)", "    as p: trace := trace * 10 + seat(you)"], 3),
        (["as p in [players[2]]:", "    for q in players:", "        as q: trace := trace * 10 + seat(you)"], 1234),
        # `where` is asked of everybody as they come, and keeps what was done before in view.
        (["as p from players[1] where trace < 12:", "    as p: trace := trace * 10 + seat(you)"], 12),
        (["as p from players[1] where trace > 12:", "    as p: trace := trace * 10 + seat(you)"], 0),
        (["as p from players[1] where always_so(p):", "    as p: trace := trace * 10 + seat(you)"], 1234),
    ],
)
def test_one_acts_inside_of_another(make: Make, lines: list[str], expected: int) -> None:
    defines = "define same(p: player) = p\ndefine always_so(p: player) = true\n"
    block = "".join(f"        {line}\n" for line in lines)
    rules = f"{TRACE}{defines}\nstage game:\n    turns from players[3]:\n{block}        end game\n"
    assert trace(make(rules, players=4)) == expected


def test_calls_inherit_you_and_as_gives_it_back(make: Make) -> None:
    game = make(
        """
        var trace: 0.. = 0
        procedure note: trace := trace * 10 + seat(you)
        stage game:
            turns from players[2]:
                perform note
                as players[3]:
                    perform note
                    as left(you): perform note
                    perform note
                perform note
                play inner
                end game
        stage inner: perform note
        """,
        players=4,
    )
    assert trace(game) == 234322


def test_a_where_of_as_is_asked_as_each_one_comes(make: Make) -> None:
    # The first who comes puts the last out; the domain itself is worked out once.
    game = make(
        """
        var trace: 0.. = 0
        var out: player? = none
        stage game:
            as p in players where p != out:
                out := players[3]
                trace := trace * 10 + seat(you)
        """,
        players=3,
    )
    assert trace(game) == 12


def test_zones_and_variables_without_an_index_are_yours(make: Make) -> None:
    game = make(
        """
        card Card:
            rank: 1..3
        components deck_of of Card in pile:
            1 x (rank: r) for r in 1..3
        zone pile: stack of Card, face down
        zone hand[player]: set of Card, owner only
        var score[player]: 0..9 = 0
        var trace: 0.. = 0
        stage game:
            as players[2]:
                move 2 from pile to hand
                score := 5
                trace := count(hand) * 100 + count(hand[players[1]]) * 10 + score
                as players[1]: score += 1
        """
    )
    state = game.start(seed=1)
    assert var(state, "trace") == 205
    assert (var(state, "score", 0), var(state, "score", 1)) == (1, 5)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("seat(active)", 3),
        ("seat(next)", 4),
        ("seat(left(active))", 4),
        ("seat(left(active, 2))", 1),
        ("seat(left(active, 0))", 3),
        ("seat(right(active))", 2),
        ("seat(right(active, 3))", 4),
        ("steps(active, players[1])", 2),
        ("steps(players[1], active)", 2),
        ("steps(players[4], active)", 3),
        ("steps(active, active)", 0),
        ("sum(seat(p) for p in others)", 7),
        ("count(players)", 4),
        ("seat(players[4])", 4),
    ],
)
def test_names_for_players(make: Make, expression: str, expected: int) -> None:
    rules = f"{TRACE}\nstage game:\n    turns from players[3]:\n        trace := {expression}\n        end game\n"
    assert trace(make(rules, players=4)) == expected


def test_active_is_the_first_seat_outside_turns(make: Make) -> None:
    game = make(
        """
        var before: 0..9 = 0
        var inside: 0..9 = 0
        var after: 0..9 = 0
        stage game:
            before := seat(active)
            play round
            after := seat(active)
        stage round:
            turns from players[2]:
                as players[3]: inside := seat(active)
                end round
        """,
        players=3,
    )
    state = game.start(seed=0)
    assert [var(state, name) for name in ("before", "inside", "after")] == [1, 2, 1]


def test_active_is_of_the_innermost_turns(make: Make) -> None:
    game = make(
        """
        var trace: 0.. = 0
        stage game:
            turns from players[2]:
                play inner
                trace := trace * 10 + seat(active)
                trace := trace * 10 + seat(next)
                end game
        stage inner:
            turns from players[4]:
                trace := trace * 10 + seat(active)
                next := players[4]
                end inner
        """,
        players=4,
    )
    assert trace(game) == 423


TEAMS = """
rulebook paired "Pairs":
    players 4 in 2 teams
    result most score

var score[team]: 0..99 = 0
var trace: 0.. = 0
card Card:
    rank: 1..4
components cards of Card in won[teams[2]]:
    1 x (rank: r) for r in 1..4
zone won[team]: set of Card, owner only

"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("seat(partner(you))", 4),  # seats of the teams alternate: A and C, B and D
        ("sum(seat(p) for p in members(team(you)))", 6),
        ("sum(seat(p) for p in members(opponents(team(you))))", 4),
        ("count(won)", 4),
        ("count(won[teams[1]])", 0),
        ("1 if team(you) = teams[2] else 0", 1),
        ("1 if opponents(teams[1]) = teams[2] else 0", 1),
        ("count(teams)", 2),
    ],
)
def test_teams(make: Make, expression: str, expected: int) -> None:
    rules = f"{TEAMS}stage game:\n    turns from players[2]:\n        trace := {expression}\n        end game\n"
    assert trace(make(rules)) == expected


def test_places_of_a_team_belong_to_its_members(make: Make) -> None:
    state = make(f"{TEAMS}stage game:\n    as players[4]: score := 7\n").start(seed=0)
    slots = {slot.indexes: slot for slot in state.game.layout.slots if slot.decl is not None}
    assert slots[1,].owners == (1, 3)
    assert [slots[0,].seen_by(p) for p in range(4)] == [True, False, True, False]
    assert state.result is not None
    assert state.result.places == ((1, 3), (0, 2))
    assert state.result.winners == (1, 3)


def test_as_asks_that_player(make: Make) -> None:
    game = make(
        """
        var said[player]: 0..9 = 0
        stage game:
            turns from players[2]:
                as p in others: choose said in 1..2
                end game
        """,
        players=3,
    )
    state = game.start(seed=0)
    assert state.to_move == (2,)
    assert moves(state, 0) == []
    play(state, "1")
    assert state.to_move == (0,)
    play(state, "2")
    assert [var(state, "said", p) for p in range(3)] == [2, 0, 1]
    assert state.is_over
