"""What a player sees and knows: small rulebooks whose views are worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from egodsl.engine.knowledge import knows
from tests.helpers import moves, play, play_as

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

CARDS = """
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone table: stack of Card, face up
"""


def places(state: State, player: int, zone: str) -> tuple[str | None, ...]:
    return state.view(player).zone(zone).places


def test_own_zone_is_seen_and_that_of_another_is_counted(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        move 2 from deck to hand[active]
        as active: choose v in 1..2
    """
    ).start()
    assert places(state, 0, "hand[A]") == ("1", "2")
    # The deck is not shuffled, so the other player knows its order and what was taken from it.
    assert places(state, 1, "hand[A]") == ("1", "2")
    assert not state.view(1).zone("hand[A]").visible
    assert places(state, 1, "deck") == ("3", "4", "5", "6", "7", "8", "9")


DEALT = (
    CARDS
    + """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
"""
)


def test_a_shuffled_deck_is_no_longer_known(make: Callable[..., Game]) -> None:
    state = make(DEALT + "            choose v in 1..2\n").start(seed=3)
    assert places(state, 1, "hand[A]") == (None, None)
    assert places(state, 1, "deck") == (None,) * 7
    assert state.view(1).zone("deck").known == ()
    own = places(state, 0, "hand[A]")
    assert None not in own
    # Whoever holds two cards knows which seven are left, though not their order.
    assert Counter(state.view(0).zone("deck").known) == Counter("123456789") - Counter(filter(None, own))


def test_peeking_tells_only_the_one_who_looks_until_it_is_shuffled(make: Callable[..., Game]) -> None:
    state = make(
        DEALT
        + """
            look at top(deck)
            choose v in 1..2
            shuffle deck
            choose w in 1..2
    """
    ).start(seed=5)
    top = places(state, 0, "deck")[0]
    assert top is not None
    assert places(state, 1, "deck")[0] is None
    assert ("deck", top) in state.view(0).known
    state.apply("1")
    assert places(state, 0, "deck") == (None,) * 7


def test_a_known_card_that_another_draws_is_known_in_their_hand(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        shuffle deck
        as left(active):
            look at top(deck)
            choose v in 1..2
        move 2 from deck to hand[active]
        as active:
            choose c in hand
            choose w in 1..2
            move c to table
            choose x in 1..2
    """
    ).start(seed=2)
    top = places(state, 1, "deck")[0]
    play(state, "1")
    # Two cards were drawn, one of them known.
    assert places(state, 1, "hand[A]") == (top, None)
    own = places(state, 0, "hand[A]")
    other = next(face for face in own if face != top)
    assert other is not None
    play(state, other)
    # A has chosen one, which B cannot tell; nothing has left the hand.
    assert places(state, 1, "hand[A]") == (top, None)
    play(state, "1")
    # The other card went openly: the known one is still there.
    assert places(state, 1, "table")[0] == other
    assert places(state, 1, "hand[A]") == (top,)


UNSEEN = (
    CARDS
    + """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            choose shown in hand
            reveal shown
            choose v in 1..2
            choose c in hand
            move c to deck
            choose w in 1..2
            shuffle deck
            choose x in 1..2
"""
)


def test_an_unseen_departure_leaves_the_known_card_in_doubt(make: Callable[..., Game]) -> None:
    state = make(UNSEEN).start(seed=8)
    first, second = places(state, 0, "hand[A]")
    assert first is not None
    play(state, first)
    assert places(state, 1, "hand[A]") == (first, None)
    assert places(state, 1, "deck") == (None,) * 7
    play(state, "1", second or "")
    # The second card lies on the deck; for B it may as well be the first.
    assert places(state, 1, "hand[A]") == (None,)
    assert places(state, 1, "deck") == (None,) * 8
    assert places(state, 0, "deck")[0] == second
    play(state, "1")
    assert places(state, 0, "deck") == (None,) * 8
    assert Counter(state.view(0).zone("deck").known) == Counter("123456789") - Counter([first])


def test_a_doubt_between_two_places_is_settled_by_what_is_seen_at_one(make: Callable[..., Game]) -> None:
    text = UNSEEN.replace(
        "            shuffle deck\n            choose x", "            move top(deck) to table\n            choose x"
    )
    state = make(text).start(seed=8)
    first, second = places(state, 0, "hand[A]")
    play(state, first or "", "1", second or "")
    assert places(state, 1, "hand[A]") == (None,)
    play(state, "1")
    # The other card comes to light, so the known one was kept.
    assert places(state, 1, "table") == (second,)
    assert places(state, 1, "hand[A]") == (first,)


def test_the_card_just_drawn_is_the_one_that_is_discarded_again(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            choose shown in hand
            reveal shown
            move top(deck) to hand as drawn
            choose:
                "keep it": nothing
                "return it": move drawn to deck
            choose v in 1..2
    """
    ).start(seed=4)
    first = places(state, 0, "hand[A]")[0] or ""
    for label in ("keep it", "return it"):
        ended = play(state.clone(), first, label)
        # What was drawn is a card of its own: the card that was shown cannot have gone with it.
        assert first in places(ended, 1, "hand[A]")
    assert places(ended, 1, "hand[A]") == (first, None)


PAIRS = """
    card Card:
        value: 1..4
        written "{value}"
    components cards of Card in deck:
        2 x (value: v) for v in 1..4
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone table: stack of Card, face up
"""


def test_a_twin_that_was_revealed_stays_known_when_the_other_is_played(make: Callable[..., Game]) -> None:
    state = make(
        PAIRS
        + """
    action pair(c in hand, twin in hand) when c != twin and c.value = twin.value:
        reveal twin
        move c to table
    stage game:
        shuffle deck
        move 6 from deck to hand[active]
        as active:
            choose one of pair
            choose c in hand
            move c to table
            choose v in 1..2
    """
    ).start(seed=1)
    value = moves(state)[0].split()[1].rstrip(",")
    play(state, moves(state)[0])
    # Both cards of the pair were seen: one is on the table, the other is in the hand.
    assert places(state, 1, "table") == (value,)
    assert places(state, 1, "hand[A]") == (value, None, None, None, None)
    other = next(text for text in moves(state) if text != value)
    kept = play(state.clone(), other)
    assert value in places(kept, 1, "hand[A]")
    gone = play(state, value)
    assert places(gone, 1, "table") == (value, value)
    assert places(gone, 1, "hand[A]") == (None,) * 4


def test_when_one_of_two_of_a_face_goes_openly_the_other_may_be_gone_as_well(make: Callable[..., Game]) -> None:
    # B has looked at the top card, which A draws with others; A plays a card of that face. Whether it was that one,
    # B cannot tell.
    state = make(
        PAIRS
        + """
    stage game:
        shuffle deck
        as left(active): look at top(deck)
        move 6 from deck to hand[active]
        as active:
            choose c in hand
            move c to table
            choose v in 1..2
    """
    ).start(seed=1)
    sure = [face for face in places(state, 1, "hand[A]") if face is not None]
    assert len(sure) == 1
    play(state, sure[0])
    assert places(state, 1, "table") == (sure[0],)
    assert places(state, 1, "hand[A]") == (None,) * 5


def test_counting_tells_what_is_left(make: Callable[..., Game]) -> None:
    state = make("""
    card Card:
        value: 1..3
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..3
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    stage game:
        shuffle deck
        for p in players: move 1 from deck to hand[p]
        as active: choose v in 1..2
        reveal hand[active]
        as active: choose w in 1..2
    """).start(seed=9)
    a, b = places(state, 0, "hand[A]")[0], places(state, 1, "hand[B]")[0]
    assert places(state, 0, "hand[B]") == (None,)
    play(state, "1")
    # B holds one card and has seen another, so the third is the one that is left.
    left = ({"1", "2", "3"} - {str(a), str(b)}).pop()
    assert places(state, 1, "hand[A]") == (a,)
    assert places(state, 1, "deck") == (left,)
    # A has learnt nothing.
    assert places(state, 0, "hand[B]") == (None,)
    assert places(state, 0, "deck") == (None,)


def test_swapping_unseen_cards(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        shuffle deck
        for p in players: move 2 from deck to hand[p]
        as active:
            pick mine at random from hand[active]
            pick theirs at random from hand[left(active)]
            swap mine with theirs
            choose v in 1..2
    """
    ).start(seed=6)
    a, b = places(state, 0, "hand[A]"), places(state, 1, "hand[B]")
    # Each of the two saw what they gave and what they got.
    assert len([face for face in places(state, 0, "hand[B]") if face is not None]) == 1
    assert len([face for face in places(state, 1, "hand[A]") if face is not None]) == 1
    assert set(filter(None, places(state, 0, "hand[B]"))) <= set(b)
    assert set(filter(None, places(state, 1, "hand[A]"))) <= set(a)


def test_a_third_player_learns_nothing_of_a_swap(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        shuffle deck
        for p in players: move 2 from deck to hand[p]
        reveal hand[active]
        as active:
            choose v in 1..2
            pick mine at random from hand[active]
            pick theirs at random from hand[left(active)]
            swap mine with theirs
            choose w in 1..2
    """,
        players=3,
    ).start(seed=6)
    shown = places(state, 0, "hand[A]")
    assert places(state, 2, "hand[A]") == shown
    play(state, "1")
    # One of the two known cards is with B now, and C does not know which.
    assert places(state, 2, "hand[A]") == (None, None)
    assert places(state, 2, "hand[B]") == (None, None)
    # B gave a card that B knew, and got one of the two.
    assert [face for face in places(state, 1, "hand[A]") if face is not None]
    assert set(places(state, 1, "hand[B]")) & set(shown)


def test_a_face_down_row_keeps_its_places(make: Callable[..., Game]) -> None:
    state = make("""
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone row: row of Card, face down
    zone table: stack of Card, face up
    stage game:
        shuffle deck
        move 4 from deck to row
        as active:
            choose c in row
            look at c
            choose d in row
            move d to table
            choose v in 1..2
    """).start(seed=12)
    assert moves(state) == ["#1", "#2", "#3", "#4"]
    play(state, "#2")
    seen = places(state, 0, "row")[1]
    assert places(state, 0, "row") == (None, seen, None, None)
    assert places(state, 1, "row") == (None,) * 4
    assert seen is not None
    play(state, "#1")
    assert places(state, 0, "row") == (seen, None, None)


def test_cards_that_all_but_their_owner_see(make: Callable[..., Game]) -> None:
    state = make("""
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone row[player]: row of Card, others only
    zone table: stack of Card, face up
    stage game:
        shuffle deck
        for p in players: move 2 from deck to row[p]
        as active:
            choose c in row
            move c to table
            choose v in 1..2
    """).start(seed=12)
    assert places(state, 0, "row[A]") == (None, None)
    assert None not in places(state, 1, "row[A]")
    first = places(state, 1, "row[A]")[0]
    assert moves(state) == ["#1", "#2"]
    play(state, "#1")
    assert places(state, 0, "table") == (first,)
    assert places(state, 0, "row[A]") == (None,)


def test_a_fact_narrows_what_a_card_may_be(make: Callable[..., Game]) -> None:
    # Two cards of 1 and one of 2: who is told that their card is above 1 knows it.
    state = make("""
    card Card:
        value: 1..2
        written "{value}"
    components cards of Card in deck:
        2 x (value: 1)
        1 x (value: 2)
    zone deck: stack of Card, face down
    zone row[player]: row of Card, others only
    stage game:
        move 1 from deck to row[active]
        move 2 from deck to row[left(active)]
        shuffle row[left(active)]
        as active:
            choose v in 1..2
            reveal c.value > 1 for c in row[left(active)]
            choose w in 1..2
    """).start(seed=1)
    assert places(state, 1, "row[B]") == (None, None)
    assert sorted(map(str, places(state, 0, "row[B]"))) == ["1", "2"]
    play(state, "1")
    assert places(state, 1, "row[B]") == places(state, 0, "row[B]")


HIDDEN_BET = """
    var bet[player]: 0..3 = 0, owner only
    var total: 0..9 = 0
    stage game:
        as active: choose bet in 1..3
        as left(active): choose v in 1..2
        reveal bet[active]
        as left(active): choose w in 1..2
        bet[active] := 3
        as left(active): choose x in 1..2
"""


def test_a_secret_variable_is_read_by_its_owner_and_by_all_once_it_is_revealed(make: Callable[..., Game]) -> None:
    state = play(make(HIDDEN_BET).start(), "2")
    own = state.view(0).variable("bet[A]")
    assert own is not None
    assert own.value == "2"
    assert not own.revealed
    assert state.view(1).variable("bet[A]") is None
    assert state.view(1).variable("total") is not None
    play(state, "1")
    shown = state.view(1).variable("bet[A]")
    assert shown is not None
    assert (shown.value, shown.revealed) == ("2", True)
    # Assigning hides it again.
    play(state, "1")
    assert state.view(1).variable("bet[A]") is None


TOGETHER = (
    CARDS
    + """
    var guess[player]: 0..3 = 0, owner only
    stage game:
        shuffle deck
        for p in players: move 2 from deck to hand[p]
        together as p in players:
            choose guess in 1..3
            choose c in hand
            move c to table
        as active: choose v in 1..2
"""
)


def test_together_shows_each_player_their_own_part_only(make: Callable[..., Game]) -> None:
    state = make(TOGETHER).start(seed=3)
    before = state.view(1)
    assert before.deciding == (0, 1)
    hand = places(state, 0, "hand[A]")
    play_as(state, 0, "2")
    play_as(state, 0, hand[0] or "")
    mine = state.view(0)
    assert mine.zone("hand[A]").places == hand[1:]
    assert mine.zone("table").places == hand[:1]
    guess = mine.variable("guess[A]")
    assert guess is not None
    assert guess.value == "2"
    # B sees nothing of it, not even that A has answered.
    assert state.view(1) == before
    assert mine.deciding == (0, 1)
    play_as(state, 1, "1")
    play_as(state, 1, places(state, 1, "hand[B]")[1] or "")
    assert len(places(state, 1, "table")) == 2
    assert hand[0] in places(state, 1, "table")


DICE = """
    card Die:
        var face: 1..6 = 1
        written "{face}"
    components dice of Die in box:
        2 x () for p in players
    zone box: set of Die, face up
    zone cup[player]: set of Die, owner only
    stage game:
        for p in players: for d in {d in box where true} where count(cup[p]) < 2: move d to cup[p]
        for p in players: roll cup[p]
        as active: choose v in 1..2
        reveal cup[active]
        as active: choose w in 1..2
"""


def test_dice_under_a_cup(make: Callable[..., Game]) -> None:
    state = make(DICE).start(seed=5)
    own = places(state, 0, "cup[A]")
    assert "?" not in own
    assert places(state, 1, "cup[A]") == ("?", "?")
    play(state, "1")
    assert places(state, 1, "cup[A]") == own
    assert places(state, 0, "cup[B]") == ("?", "?")


def test_the_view_tells_whose_turn_it_is_and_what_runs(make: Callable[..., Game]) -> None:
    state = make(
        CARDS
        + """
    stage game:
        play round
    stage round:
        turns from left(active):
            choose v in 1..2
            if v = 2: end round
    """
    ).start(seed=1)
    view = state.view(0)
    assert view.active == 1
    assert view.stages == ("game", "round")
    assert view.deciding == (1,)
    assert view.moves == ()
    assert state.view(1).moves == ("1", "2")
    play(state, "2")
    over = state.view(0)
    assert (over.over, over.deciding, over.stages) == (True, (), ())


def test_who_knows_a_card(make: Callable[..., Game]) -> None:
    state = make(DEALT + "            look at top(deck)\n            choose v in 1..2\n").start(seed=5)
    deck = state.game.layout.zones[state.game.checked.program.zones["deck"]].base
    first, second = state.Z[deck][:2]
    assert knows(state, 0, first)
    assert not knows(state, 0, second)
    assert not knows(state, 1, first)
    # The two that A holds are seen by A alone.
    held = [card for card, slot in enumerate(state.L) if slot != deck]
    assert len(held) == 2
    assert all(knows(state, 0, card) and not knows(state, 1, card) for card in held)
