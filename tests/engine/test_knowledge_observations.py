"""What a player observed, in order: texts worked out by hand from small rulebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import play, play_as

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

CARDS = """
    card Card:
        value: 1..6
        written "c{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..6
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone table: stack of Card, face up
"""


def told(state: State, player: int) -> list[str]:
    return [observation.text for observation in state.observations(player)]


def test_a_deal_and_a_play_as_each_player_observes_them(make: Callable[..., Game]) -> None:
    # The deck lies in order of declaration, so A gets c1 and c2, and B c3.
    state = make(
        CARDS
        + """
    stage game:
        move 2 from deck to hand[active]
        move 1 from deck to hand[left(active)]
        as active: choose c in hand
        move c to table
        as active: choose v in 1..2
    """
    ).start()
    play(state, "c2")
    assert told(state, 0) == [
        "game begins",
        "c1 from deck to hand[A]",
        "c2 from deck to hand[A]",
        "a card from deck to hand[B]",
        "A: c2",
        "c2 from hand[A] to table",
    ]
    assert told(state, 1) == [
        "game begins",
        "a card from deck to hand[A]",
        "a card from deck to hand[A]",
        "c3 from deck to hand[B]",
        "A: a card",
        "c2 from hand[A] to table",
    ]
    decision = state.observations(1)[4]
    assert (decision.kind, decision.player, decision.values) == ("decision", 0, (("c", "a card"),))
    move = state.observations(1)[1]
    assert (move.kind, move.cards, move.source, move.target) == ("move", (None,), "deck", "hand[A]")


def test_looks_reveals_and_shuffles(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        move 2 from deck to hand[left(active)]
        as active: look at hand[left(active)]
        reveal hand[left(active)] to {active}
        shuffle deck
        reveal hand[left(active)]
        as active: choose v in 1..2
    """,
        players=3,
    ).start(seed=1)
    seen = told(state, 0)[-4:]
    assert seen == [
        "A looks at c1, c2 of hand[B]",
        "c1, c2 of hand[B] shown to A",
        "deck is shuffled",
        "c1, c2 of hand[B] shown",
    ]
    assert told(state, 2)[-4:] == [
        "A looks at 2 cards of hand[B]",
        "2 cards of hand[B] shown to A",
        "deck is shuffled",
        "c1, c2 of hand[B] shown",
    ]


def test_actions_options_and_chance(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    action name_number(v in 1..6):
        choose:
            "go on": nothing
            "stop here": nothing
    stage game:
        pick first at random from players where seat(first) = 1
        as first:
            choose one of name_number
            may "take it": nothing
            choose v in 1..2
    """
    ).start(seed=1)
    play(state, "name number 4", "stop here", "no")
    assert told(state, 1) == [
        "game begins",
        "chance: first A",
        "A: name number 4",
        "A: stop here",
        "A: no",
    ]
    assert state.observations(1)[2].action == "name_number"
    assert state.observations(1)[2].values == (("v", "4"),)


def test_places_of_a_row_that_nobody_sees(make: Callable[..., Game]) -> None:
    state = make(
        """
    card Card:
        value: 1..6
        written "c{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..6
    zone deck: stack of Card, face down
    zone row: row of Card, face down
    zone table: stack of Card, face up
    stage game:
        move 3 from deck to row
        as active: choose c in row
        move c to table
        as active: choose v in 1..2
    """
    ).start()
    play(state, "#2")
    # Everybody sees which place it was.
    for player in (0, 1):
        assert told(state, player)[-2:] == ["A: #2 of row", "c2 from row #2 to table"]


def test_a_secret_is_not_told_until_it_is_revealed(make: Callable[..., Game]) -> None:
    state = make(
        """
    var bet[player]: 0..3 = 0, owner only
    stage game:
        as active: choose bet in 1..3
        as active: choose v in 1..2
        reveal bet[active]
        as active: choose w in 1..2
    """
    ).start()
    play(state, "3")
    assert told(state, 0) == ["game begins", "A: 3", "bet[A] is now 3"]
    assert told(state, 1) == ["game begins", "A: something unseen", "bet[A] is set unseen"]
    play(state, "2")
    assert told(state, 1)[-2:] == ["A: 2", "bet[A] is shown: 3"]


def test_a_secret_drawn_by_chance_is_not_told(make: Callable[..., Game]) -> None:
    state = make(
        """
    var number: 0..9 = 0, face down
    var open: 0..9 = 0
    stage game:
        pick number at random from 4..5
        pick open at random from 7..7
        as active: choose v in 1..2
    """
    ).start(seed=1)
    for player in (0, 1):
        assert told(state, player) == [
            "game begins",
            "chance: number unseen",
            "number is set unseen",
            "chance: open 7",
            "open is now 7",
        ]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_together_is_observed_when_all_have_chosen(make: Callable[..., Game], order: tuple[int, int]) -> None:
    state = make(
        """
    var guess[player]: 0..3 = 0
    stage game:
        together as p in players:
            choose guess in 1..3
        as active: choose v in 1..2
    """
    ).start()
    first, second = order
    play_as(state, first, "1")
    name, other = "AB"[first], "AB"[second]
    own = ["game begins", f"{name}: 1", f"guess[{name}] is now 1"]
    assert told(state, first) == own
    assert told(state, second) == ["game begins"]
    play_as(state, second, "3")
    assert told(state, first) == [*own, f"{other}: 3", f"guess[{other}] is now 3"]
    assert told(state, second) == [
        "game begins",
        f"{other}: 3",
        f"guess[{other}] is now 3",
        f"{name}: 1",
        f"guess[{name}] is now 1",
    ]


def test_facts_are_told_to_those_they_are_for(make: Callable[..., Game]) -> None:
    state = make(
        """
    card Card:
        value: 1..6
        written "c{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..6
    zone deck: stack of Card, face down
    zone row[player]: row of Card, others only
    stage game:
        move 2 from deck to row[active]
        reveal c.value > 1 for c in row[active]
        reveal c.value = 1 to active for c in row[active]
        as active: choose v in 1..2
    """,
        players=2,
    ).start()
    # The owner hears it of the places, the other of the faces.
    assert told(state, 0)[-2:] == [
        "`c.value > 1` is told: #1 of row[A]: no; #2 of row[A]: yes",
        "`c.value = 1` is told to A: #1 of row[A]: yes; #2 of row[A]: no",
    ]
    assert told(state, 1)[-2:] == ["`c.value > 1` is told: c1: no; c2: yes", "`c.value = 1` is told to A"]


def test_what_was_observed_never_changes(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    var bid[player]: 0..6 = 0, owner only
    stage game:
        shuffle deck
        for p in players: move 2 from deck to hand[p]
        repeat 3 times:
            together as p in players: choose bid in 1..6
            for p in players: reveal bid[p]
            as active:
                choose c in hand
                move c to deck
            move top(deck) to hand[active]
            shuffle deck
    """,
        players=3,
    ).start(seed=4)
    before = [state.observations(p) for p in range(3)]
    while not state.is_over:
        player = state.to_move[-1]
        state.apply(state.legal_moves(player)[state.decisions % 2])
        for p in range(3):
            now = state.observations(p)
            assert now[: len(before[p])] == before[p]
            before[p] = now
    assert sum(o.kind == "decision" for o in before[0]) == 12
