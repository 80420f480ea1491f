"""Who `you` is: which declarations need one, and where nobody is."""

from __future__ import annotations

import pytest

from tests.analysis.helpers import checked, complaints


def test_needing_you_goes_backwards_along_calls_up_to_what_binds_it() -> None:
    body = """
define mine = count(hand)
define twice = 2 * mine
define theirs(p: player) = count(hand[p])
procedure ask: choose c in hand
procedure relay: perform ask
procedure tell(p: player): as p: perform ask
action play_it: nothing
stage turn: choose one of play_it
stage round(p: player):
    turns from p: play turn
event seen
event heard(p: player)
trigger of_seen on seen: perform ask
trigger of_heard on heard(p) as p: perform ask
procedure cry: announce seen
procedure call: announce heard(active)
"""
    result = checked(body)
    program = result.program
    every = [*program.defines.values(), *program.procedures.values(), *program.actions.values(),
             *program.stages.values(), *program.reactions.values(), *program.events.values()]  # fmt: skip
    needing = {decl.name.name for decl in every if decl in result.needs_you}
    assert needing == {"mine", "twice", "ask", "relay", "turn", "seen", "of_seen", "cry"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("trigger x whenever empty(hand): nothing\n", "EGO310 `hand` is about `you`, and nobody is `you` here"),
        ("trigger x when deck runs out: move deck to hand\n", "EGO310 `hand` is about `you`, and nobody is `you` here"),
        (
            "define mine = count(hand)\ntrigger x whenever mine = 0: nothing\n",
            "EGO310 `mine` is about `you`, and nobody is `you` here",
        ),
        (
            'scenario "x":\n    given hand = {Card(hearts, 2)}\n',
            "EGO310 `hand` is about `you`, and nobody is `you` here",
        ),
        ("var first_one: player = you\n", "EGO310 `you` is about `you`, and nobody is `you` here"),
    ],
)
def test_nobody_is_you(body: str, expected: str) -> None:
    assert complaints(body) == [expected]


def test_a_stage_that_no_turn_plays_has_nobody_to_ask() -> None:
    body = "stage turn: choose c in hand\naction x: nothing\n"
    found = complaints(body, game="play turn")
    assert found == [
        "EGO310 `turn` is about `you`, and nobody is `you` here",
        "EGO309 `c` is chosen and never used",
    ]
    turns = "stage round:\n    turns from active: play turn\nstage turn: choose one of x\naction x: nothing\n"
    assert complaints(turns, game="play round") == []


def test_in_the_result_you_are_the_player_ranked() -> None:
    assert complaints("", head="    players 2\n    result most count(hand), least score\n") == []


@pytest.mark.parametrize(
    "body",
    [
        "define x = {p for p in players where empty(hand)}\n",
        "define x = any(empty(hand) for p in players)\n",
        "define x = the p in players by most count(hand)\n",
        "procedure x: for p in others: move hand to bag\n",
        "procedure x: rank p in players by most count(hand) as places\n",
        "procedure x: for p in players: score += 1\n",
    ],
)
def test_whose_it_is_under_a_binder_over_players(body: str) -> None:
    assert [one.partition(" could")[0] for one in complaints(body)] in (
        ["EGO311 whose `hand` this is"],
        ["EGO311 whose `score` this is"],
    )


@pytest.mark.parametrize(
    "body",
    [
        "define x = {p for p in players where empty(hand[p])}\n",
        "procedure x: for p in players: as p: move hand to bag\n",
        "procedure x: as p in players: move hand to bag\n",
        "procedure x: for n in 1..3: move hand to bag\n",
        "action x(p in others): move hand to hand[p]\n",
        "procedure x: together as p in players: score += 1\n",
    ],
)
def test_a_nearer_as_settles_it(body: str) -> None:
    assert complaints(body) == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("procedure a: perform b\nprocedure b: perform a\n", "EGO312 the procedure `a` leads back to itself"),
        ("stage a: play a\n", "EGO312 the stage `a` leads back to itself"),
        ("define a = a + 1\n", "EGO312 the define `a` leads back to itself"),
        ('type A: 1..b\nparameter b: 1..c = 1 "b"\ntype C: 1..3 with c = b\n', "EGO312"),
    ],
)
def test_nothing_runs_inside_itself(body: str, expected: str) -> None:
    found = complaints(body)
    assert len(found) == 1
    assert found[0].startswith(expected)


def test_an_event_may_come_back_to_itself() -> None:
    body = """
event played(c: Card)
procedure play_it(c: Card):
    move c to pile
    announce played(c)
ability again on played(ace): perform play_it(top(deck))
"""
    assert complaints(body) == []
