"""Chance: shuffled piles that have no order until somebody takes from them, picks, rolls, and their probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.moves import IllegalMoveError
from tests.helpers import check_cards, moves, outcomes, play, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

HEAD = """
card Card:
    rank: 1..9
    written "{rank}"
components cards of Card in deck:
    3 x (rank: 1)
    2 x (rank: 2)
    1 x (rank: 3)
zone deck: stack of Card, face down
zone hidden: stack of Card, face down
zone laid: row of Card, face down
zone pile: stack of Card, face up
zone open_row: row of Card, face up
zone hand[player]: set of Card, owner only
zone peek[player]: stack of Card, owner only
var n: 0..999999 = 0
var k: 0..9 = 0

"""
F = Fraction


def begin(make: Make, body: str, more: str = "", seed: int | None = None) -> State:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return make(f"{HEAD}{more}\nstage game:\n{lines}").start(seed)


def test_a_draw_has_an_outcome_for_each_face_left(make: Make) -> None:
    state = begin(make, "shuffle deck\nmove 3 from deck to pile")
    assert state.is_chance
    assert state.to_move == ()
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "2")
    assert outcomes(state) == {"1": F(3, 5), "2": F(1, 5), "3": F(1, 5)}
    play(state, "2")
    assert outcomes(state) == {"1": F(3, 4), "3": F(1, 4)}
    play(state, "3")
    assert zone(state, "pile") == ["3", "2", "2"]
    assert state.is_over
    assert len(state.Z[0]) == 3
    check_cards(state)


def test_an_outcome_that_there_is_not_is_refused(make: Make) -> None:
    state = begin(make, "shuffle deck\nmove 3 from deck to pile")
    before = state.clone()
    with pytest.raises(IllegalMoveError, match="the outcomes are `1`, `2`, `3`"):
        state.apply("4")
    assert state == before
    first = state.chance()[0]
    state.apply(first)
    assert state != before


def test_shuffling_itself_is_no_event_of_chance(make: Make) -> None:
    state = begin(make, "shuffle deck\nas players[1]: choose k in 1..2\nshuffle deck")
    assert not state.is_chance
    assert moves(state) == ["1", "2"]
    assert play(state, "1").is_over


def test_the_last_card_needs_no_chance(make: Make) -> None:
    state = begin(make, "move 4 from deck to hidden\nshuffle deck\nmove 2 from deck to pile")
    # Left are one 2 and the 3.
    assert outcomes(state) == {"2": F(1, 2), "3": F(1, 2)}
    play(state, "3")
    assert state.is_over
    assert zone(state, "pile") == ["2", "3"]


def test_a_pile_that_was_not_shuffled_has_its_order(make: Make) -> None:
    state = begin(make, "move 6 from deck to pile")
    assert state.is_over
    assert zone(state, "pile") == ["3", "2", "2", "1", "1", "1"]


def test_a_card_on_top_of_a_shuffled_pile_keeps_its_place(make: Make) -> None:
    state = begin(
        make,
        (
            "move bottom(deck) to pile\nshuffle deck\nmove top(pile) to deck\nmove top(deck) to open_row\n"
            "move top(deck) to open_row"
        ),
    )
    # The 3 was the lowest; laid on top it is drawn for certain.
    assert outcomes(state) == {"1": F(3, 5), "2": F(2, 5)}
    assert zone(state, "open_row") == ["3"]


def test_a_card_under_a_shuffled_pile_keeps_its_place(make: Make) -> None:
    body = (
        "move bottom(deck) to hidden\nshuffle deck\nmove deck to hidden\nmove hidden to deck\n"
        "move 4 from deck to open_row\nmove bottom(deck) to pile\nmove bottom(deck) to pile"
    )
    state = begin(make, body)
    assert outcomes(state) == {"1": F(3, 5), "2": F(2, 5)}
    play(state, "1", "1", "1")
    # Of the two 2 left and the 3, which lies lowest, the top one is a 2.
    assert outcomes(state) == {"2": F(1, 1)}
    play(state, "2")
    assert state.is_over
    assert zone(state, "pile") == ["2", "3"]


def test_taking_from_below_a_shuffled_pile(make: Make) -> None:
    state = begin(make, "shuffle deck\nmove bottom(deck) to pile\nmove top(deck) to pile\nmove bottom(deck) to pile")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "3", "2")
    assert outcomes(state) == {"1": F(3, 4), "2": F(1, 4)}
    play(state, "2")
    assert zone(state, "pile") == ["2", "2", "3"]


def test_a_shuffled_pile_on_another_keeps_both(make: Make) -> None:
    # The 3 and a 2 are shuffled and lie on the shuffled rest.
    body = (
        "move bottom(deck) to hidden\nmove bottom(deck) to hidden\nshuffle hidden\nshuffle deck\n"
        "move hidden to deck\nmove 3 from deck to pile"
    )
    state = begin(make, body)
    assert outcomes(state) == {"2": F(1, 2), "3": F(1, 2)}
    play(state, "2")
    assert outcomes(state) == {"1": F(3, 4), "2": F(1, 4)}
    assert zone(state, "pile") == ["3", "2"], "the second of two is certain"


def test_moving_a_shuffled_pile_and_back(make: Make) -> None:
    state = begin(make, "shuffle deck\nmove deck to hidden\nmove 1 from hidden to pile")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    state = begin(make, "shuffle deck\nmove deck to deck\nmove 1 from deck to pile")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}


def test_a_shuffled_pile_stays_shuffled_in_a_hidden_row(make: Make) -> None:
    state = begin(make, "shuffle deck\nmove deck to laid\nmove top(laid) to pile")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "3")
    assert zone(state, "pile") == ["3"]
    check_cards(state)
    state = begin(
        make,
        "move bottom(deck) to laid\nshuffle deck\nmove deck to laid\nmove top(laid) to pile\nmove top(laid) to pile",
    )
    assert outcomes(state) == {"1": F(3, 5), "2": F(2, 5)}
    assert zone(state, "pile") == ["3"], "what lay in the row before keeps its place at the front"


@pytest.mark.parametrize("to", ["pile", "open_row", "peek[players[1]]"])
def test_a_shuffled_pile_is_settled_where_somebody_sees_it(make: Make, to: str) -> None:
    state = begin(make, f"shuffle deck\nmove deck to {to}\nas players[1]: choose k in 1..2")
    for left, text in zip(range(6, 1, -1), ("3", "1", "2", "1", "1"), strict=True):
        assert sum(outcomes(state).values()) == 1
        assert all((p * left).denominator == 1 for p in outcomes(state).values())
        play(state, text)
    assert not state.is_chance
    name = to.partition("[")[0]
    indexes = (0,) if "[" in to else ()
    assert zone(state, name, *indexes) == ["3", "1", "2", "1", "1", "2"]


def test_a_visible_pile_is_settled_when_it_is_shuffled(make: Make) -> None:
    state = begin(make, "move deck to pile\nshuffle pile\nn := top(pile).rank")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "2", "3", "1", "1", "1")
    assert state.is_over
    assert zone(state, "pile") == ["2", "3", "1", "1", "1", "2"]
    assert var(state, "n") == 2
    state = begin(make, "move deck to open_row\nshuffle open_row\nn := open_row[6].rank")
    play(state, "2", "3", "1", "1", "1")
    assert var(state, "n") == 2


def test_a_shuffled_pile_swapped_with_a_visible_one_is_settled(make: Make) -> None:
    state = begin(make, "shuffle deck\nswap deck with pile\nn := top(pile).rank")
    play(state, "3", "1", "2", "1", "1")
    assert state.is_over
    assert zone(state, "pile") == ["3", "1", "2", "1", "1", "2"]
    assert var(state, "n") == 3


def test_a_shuffled_pile_swapped_with_a_set_or_a_hidden_pile(make: Make) -> None:
    state = begin(
        make, "shuffle deck\nswap deck with hand[players[1]]\nas players[1]: choose c in hand\nmove c to pile"
    )
    assert not state.is_chance
    assert moves(state) == ["1", "2", "3"]
    assert play(state, "2").is_over
    state = begin(make, "shuffle deck\nswap deck with hidden\nmove 1 from hidden to pile")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}


def test_looking_at_a_shuffled_pile_settles_what_is_seen(make: Make) -> None:
    state = begin(
        make,
        (
            "shuffle deck\nas players[1]:\n    look at top(deck) as seen\n    choose k in 1..seen.rank\n"
            "move 1 from deck to pile"
        ),
    )
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "3")
    assert moves(state) == ["1", "2", "3"]
    play(state, "1")
    assert state.is_over, "the top card is settled: no chance is left in drawing it"
    assert zone(state, "pile") == ["3"]


def test_revealing_a_whole_pile_settles_all_of_it(make: Make) -> None:
    state = begin(make, "shuffle deck\nreveal deck as seen\nn := sum(c.rank for c in seen)\nmove 2 from deck to pile")
    play(state, "3", "1", "2", "1", "1")
    assert state.is_over
    assert zone(state, "pile") == ["1", "3"]
    assert var(state, "n") == 10


def test_a_card_with_a_live_name_is_an_outcome_of_its_own(make: Make) -> None:
    body = (
        "move top(deck) to hidden as special\nmove hidden to deck\nshuffle deck\n"
        "move 1 from deck to pile\nk := 1 if special in pile else 2"
    )
    state = begin(make, body)
    found = outcomes(state)
    assert sorted(found.values()) == [F(1, 6), F(1, 6), F(1, 3), F(1, 3)]
    special = next(o for o in state.chance() if o.text.startswith("1") and o.probability == F(1, 6))
    other = next(o for o in state.chance() if o.text.startswith("1") and o.probability == F(1, 3))
    one, two = state.clone(), state.clone()
    one.apply(special)
    two.apply(other)
    assert (var(one, "k"), var(two, "k")) == (1, 2)
    assert one.game.replay(one.record()) == one
    assert two.game.replay(two.record()) == two


def test_a_card_in_a_shuffled_pile_can_be_taken_by_its_name(make: Make) -> None:
    state = begin(
        make,
        (
            "shuffle deck\npick c at random from {x in City_all where x.rank = 3}\nmove c to pile\n"
            "move 2 from deck to open_row"
        ).replace("City_all", "Card"),
    )
    play(state, "3")
    assert zone(state, "pile") == ["3"]
    assert outcomes(state) == {"1": F(3, 5), "2": F(2, 5)}
    check_cards(state)


def test_picking_counts_faces_in_a_set_and_places_in_a_row(make: Make) -> None:
    state = begin(make, "move deck to hand[players[1]]\npick c at random from hand[players[1]]\nn := c.rank")
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    state = begin(
        make,
        (
            "move 4 from deck to open_row\nmove top(open_row) to hidden\nmove 1 from deck to open_row\n"
            "pick c at random from open_row\nmove c to pile"
        ),
    )
    # 1, 1, 2, 2: taking the first 1 or the second leaves the same faces, but the places count.
    assert sorted(p for p in (o.probability for o in state.chance())) == [F(1, 4)] * 4


def test_picking_counts_equal_faces_in_different_places_apart(make: Make) -> None:
    body = (
        "move 1 from deck to hand[players[1]]\nmove 2 from deck to hand[players[2]]\n"
        "pick c at random from hand[players[1]] | hand[players[2]]\nmove c to pile\n"
        "n := count(hand[players[1]])"
    )
    state = begin(make, body)
    found = sorted(o.probability for o in state.chance())
    assert found == [F(1, 3), F(2, 3)]
    for outcome in state.chance():
        copy = state.clone()
        copy.apply(outcome)
        assert var(copy, "n") == (0 if outcome.probability == F(1, 3) else 1)
        assert copy.game.replay(copy.record()) == copy


def test_picking_a_set_of_cards_counts_faces(make: Make) -> None:
    state = begin(
        make, "move 4 from deck to hand[players[1]]\npick s at random from subsets(hand[players[1]], 2)\nmove s to pile"
    )
    # Three 1 and one 2: three pairs of each kind.
    assert sorted(outcomes(state).values()) == [F(1, 2), F(1, 2)]


def test_picking_from_numbers_players_and_enums(make: Make) -> None:
    state = begin(
        make,
        (
            "pick a at random from 1..3\npick p at random from players\n"
            "pick s at random from Suit where s != blue\n"
            "n := a * 100 + seat(p) * 10 + (1 if s = green else 0)"
        ),
        "enum Suit: red, green, blue\n",
    )
    assert outcomes(state) == {"1": F(1, 3), "2": F(1, 3), "3": F(1, 3)}
    play(state, "2")
    assert outcomes(state) == {"A": F(1, 2), "B": F(1, 2)}
    play(state, "B")
    assert outcomes(state) == {"red": F(1, 2), "green": F(1, 2)}
    assert var(play(state, "green"), "n") == 221


def test_moving_at_random(make: Make) -> None:
    state = begin(
        make,
        (
            "move deck to hand[players[1]]\nmove 2 at random from hand[players[1]] to pile as taken\n"
            "n := sum(c.rank for c in taken)"
        ),
    )
    assert outcomes(state) == {"1": F(1, 2), "2": F(1, 3), "3": F(1, 6)}
    play(state, "3")
    assert outcomes(state) == {"1": F(3, 5), "2": F(2, 5)}
    assert var(play(state, "2"), "n") == 5


DICE = """
card Die:
    colour: 1..2
    var eyes: 1..3 = 1
    written "d{eyes}"
components dice of Die in cup:
    2 x (colour: 1)
zone cup: set of Die, face up
"""


def test_rolling_is_one_event_for_each_die(make: Make) -> None:
    state = begin(make, "roll cup\nn := sum(d.eyes for d in cup)", DICE)
    assert outcomes(state) == {"1": F(1, 3), "2": F(1, 3), "3": F(1, 3)}
    play(state, "3")
    assert outcomes(state) == {"1": F(1, 3), "2": F(1, 3), "3": F(1, 3)}
    assert var(play(state, "2"), "n") == 5
    assert sorted(zone(state, "cup")) == ["d2", "d3"]


def test_rolling_one_die_and_a_selection(make: Make) -> None:
    state = begin(
        make,
        "as players[1]: choose d in cup\nroll d\nroll {e in cup where e.eyes > 1}\nn := sum(d2.eyes for d2 in cup)",
        DICE,
    )
    assert moves(state) == ["d1"]
    play(state, "d1", "3")
    assert state.is_chance, "one die shows more than 1"
    assert var(play(state, "2"), "n") == 3


def test_a_roll_of_nothing(make: Make) -> None:
    assert begin(make, "roll {e in cup where e.eyes > 1}", DICE).is_over


def test_sampling_follows_the_probabilities(make: Make) -> None:
    game = begin(make, "shuffle deck\nmove 2 from deck to open_row").game
    seen: Counter[str] = Counter()
    rounds = 3000
    for seed in range(rounds):
        seen["".join(zone(game.start(seed), "open_row"))] += 1
    # Of 30 ordered pairs of cards: 3 * 2 are 1 and 1, 3 * 2 are 1 and 2, 3 * 1 are 1 and 3, and so on.
    expected = {"11": 6, "12": 6, "21": 6, "13": 3, "31": 3, "22": 2, "23": 2, "32": 2}
    assert sum(expected.values()) == 30
    assert set(seen) == set(expected)
    square = sum((seen[text] - rounds * w / 30) ** 2 / (rounds * w / 30) for text, w in expected.items())
    assert square < 24.3, "chi-squared with 7 degrees of freedom: under 24.3 with a probability of 0.999"


def test_every_order_of_a_settled_pile_is_as_likely(make: Make) -> None:
    rules = """
card Card:
    rank: 1..9
    written "{rank}"
components cards of Card in deck:
    1 x (rank: r) for r in 1..4
zone deck: stack of Card, face down
zone hidden: stack of Card, face down
zone pile: stack of Card, face up
stage game:
    shuffle deck
    move deck to hidden
    shuffle hidden
    move bottom(hidden) to deck
    move hidden to deck
    move deck to pile
"""
    game = make(rules)
    seen = Counter("".join(zone(game.start(seed), "pile")) for seed in range(2400))
    assert len(seen) == 24
    square = sum((count - 100) ** 2 / 100 for count in seen.values())
    assert square < 49.8, "chi-squared with 23 degrees of freedom: under 49.8 with a probability of 0.999"


def test_the_tree_of_outcomes_has_probability_one(make: Make) -> None:
    start = begin(make, "shuffle deck\nmove 3 from deck to open_row\npick c at random from open_row\nn := c.rank")
    ends: dict[int, Fraction] = {}

    def walk(state: State, probability: Fraction) -> None:
        if state.is_over:
            ends[var(state, "n")] = ends.get(var(state, "n"), F(0)) + probability
            return
        for outcome in state.chance():
            copy = state.clone()
            copy.apply(outcome)
            walk(copy, probability * outcome.probability)

    walk(start, F(1))
    # Any of three random cards is a random card.
    assert ends == {1: F(1, 2), 2: F(1, 3), 3: F(1, 6)}


def test_chance_in_at_once(make: Make) -> None:
    state = begin(
        make,
        (
            "at once:\n    shuffle deck\n    move 2 from deck to open_row\n"
            "    pick c at random from open_row\n    move c to pile\nn := count(open_row)"
        ),
    )
    play(state, "1", "2")
    assert state.is_chance
    play(state, "2")
    assert var(state, "n") == 1
    assert state.game.replay(state.record()) == state


def test_swapping_with_the_top_of_a_shuffled_pile_settles_it(make: Make) -> None:
    body = (
        "move top(deck) to hand[players[1]]\nshuffle deck\npick c at random from hand[players[1]]\n"
        "swap c with top(deck)\n"
    )
    state = begin(make, body + "n := sum(x.rank for x in hand[players[1]])\nmove 1 from deck to pile")
    assert outcomes(state) == {"1": F(1)}
    play(state, "1")
    # Left in the pile are two 1, two 2 and the 3.
    assert outcomes(state) == {"1": F(2, 5), "2": F(2, 5), "3": F(1, 5)}
    play(state, "3")
    assert var(state, "n") == 3
    assert zone(state, "pile") == ["1"], "the other card lies on top now, and no chance is left in drawing it"
    check_cards(state)


def test_a_pile_chosen_by_a_condition_is_settled_where_it_is_seen(make: Make) -> None:
    body = (
        "move 3 from deck to pile\nmove 3 from deck to hidden\nas players[1]: choose k in 1..2\n"
        "shuffle (pile if k = 1 else hidden)\nn := top(pile).rank"
    )
    state = begin(make, body)
    other = play(state.clone(), "2")
    assert other.is_over
    play(state, "1")
    assert outcomes(state) == {"1": F(1)}
