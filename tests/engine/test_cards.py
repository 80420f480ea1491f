"""Cards: sameness and faces, where they lie at the start, and what moving them does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import check_cards, moves, play, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

CARDS = """
enum Suit: red, blue
card Card:
    suit: Suit
    rank: 1..5
    written "{suit}{rank}"
components cards of Card in box:
    2 x (suit: s, rank: r) for s in Suit for r in 1..5
zone box: set of Card, face up
zone pile: stack of Card, face up
zone other: stack of Card, face up
zone table: row of Card, face up
zone spot: one Card, face up
zone place: one Card, face up
zone hand[player]: set of Card, owner only
var n: 0..999999 = 0
var yes: bool = false
procedure fetch(s: Suit, r: 1..5, p: player):
    pick c at random from {c in box where c.suit = s and c.rank = r}
    move c to hand[p]

"""


def run(make: Make, body: str, more: str = "", **settings: int) -> State:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return make(f"{CARDS}{more}\nstage game:\n{lines}", **settings).start(seed=0)


LAY = """
perform fetch(red, 1, players[1])
perform fetch(red, 1, players[1])
perform fetch(blue, 2, players[1])
pick a at random from {c in hand[players[1]] where c.rank = 1}
pick b at random from {c in hand[players[1]] where c.rank = 1 and c != a}
pick d at random from {c in hand[players[1]] where c.rank = 2}
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a = a", True),
        ("a = b", False),
        ("a != b", True),
        ("same_face(a, b)", True),
        ("same_face(a, d)", False),
        ("a = Card(red, 1)", True),
        ("Card(red, 1) = b", True),
        ("a = Card(suit: red)", True),
        ("a = Card(rank: 1)", True),
        ("a = Card(rank: 2)", False),
        ("d != Card(suit: red)", True),
        ("Card(red, 1) in hand[players[1]]", True),
        ("Card(blue, 1) in hand[players[1]]", False),
        ("Card(rank: 2) in hand[players[1]]", True),
        ("Card(rank: 3) not in hand[players[1]]", True),
        ("a in hand[players[1]]", True),
        ("a in {Card(red, 2), Card(rank: 1)}", True),
        ("a in {Card(red, 2), Card(blue, 1)}", False),
        # Braces of faces are multisets: each face needs a card of its own.
        ("hand[players[1]] = {Card(red, 1), Card(red, 1), Card(blue, 2)}", True),
        ("hand[players[1]] = {Card(red, 1), Card(blue, 2), Card(red, 1)}", True),
        ("hand[players[1]] = {Card(red, 1), Card(blue, 2)}", False),
        ("hand[players[1]] != {Card(red, 1), Card(blue, 2)}", True),
        ("hand[players[1]] = {Card(suit: red), Card(rank: 2), Card(rank: 1)}", True),
        ("hand[players[1]] = {Card(suit: blue), Card(rank: 2), Card(rank: 1)}", False),
        ("hand[players[1]] = {a, b, d}", True),
        ("hand[players[1]] = {a, d}", False),
        ("{a, d} = {d, a}", True),
        ("hand[players[2]] = {}", True),
        ("hand[players[1]] = {}", False),
        ("count({a, b, a})", 2),
        ("count(hand[players[1]] without {a})", 2),
        ("count(hand[players[1]] & {a, b})", 2),
        ("count({a} | {b} | {a})", 2),
        ("count(hand[players[1]] without {Card(red, 1)})", 2),
        ("spot = none", True),
        ("spot = Card(red, 1)", False),
    ],
)
def test_sameness(make: Make, expression: str, expected: object) -> None:
    target = "yes" if isinstance(expected, bool) else "n"
    state = run(make, f"{LAY}\n{target} := {expression}")
    assert var(state, target) == expected


ORDER = """
for r in 1..3:
    pick c at random from {c in box where c.rank = r and c.suit = red}
    move c to pile
    pick d at random from {d in box where d.rank = r and d.suit = blue}
    move d to table
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # The last that was laid on a stack is its top, and its first; the last that was laid in a row is its last.
        ("pile = [Card(red, 3), Card(red, 2), Card(red, 1)]", True),
        ("pile = [Card(red, 1), Card(red, 2), Card(red, 3)]", False),
        ("pile = [Card(rank: 3), Card(suit: red), Card(rank: 1)]", True),
        ("pile = [Card(red, 3), Card(red, 2)]", False),
        ("table = [Card(blue, 1), Card(blue, 2), Card(blue, 3)]", True),
        ("table = [Card(blue, 3), Card(blue, 2), Card(blue, 1)]", False),
        ("top(pile) = Card(red, 3)", True),
        ("bottom(pile) = Card(red, 1)", True),
        ("top(table) = Card(blue, 1)", True),
        ("bottom(table) = Card(blue, 3)", True),
        ("table[2] = Card(blue, 2)", True),
        ("pile[1] = top(pile)", True),
        ("other = []", True),
        ("pile = []", False),
        ("sum(pile[k].rank * k for k in 1..3)", 10),  # 3 * 1 + 2 * 2 + 1 * 3
        ("last_of(table, 2)[1].rank", 2),
        ("first_of(table, 2)[2].rank", 2),
        ("count(last_of(table, 9))", 3),
    ],
)
def test_order(make: Make, expression: str, expected: object) -> None:
    target = "yes" if isinstance(expected, bool) else "n"
    assert var(run(make, f"{ORDER}\n{target} := {expression}"), target) == expected


def test_components_lie_at_home_in_order_of_declaration(make: Make) -> None:
    game = make(
        """
        card Card:
            rank: 1..9
        card Token:
            kind: 1..2
            written "t{kind}"
        components first of Card in pile:
            2 x (rank: 5)
            1 x (rank: r) for r in 7..8
        components second of Card in pile:
            1 x (rank: 1)
        components tokens of Token:
            2 x (kind: 1)
        zone pile: stack of Card, face down
        zone shelf: set of Token, face up
        var n: 0..9 = 0
        stage game:
            as players[1]: choose k in 1..2
            n := k
            move Token to shelf
            as players[1]: choose m in 1..2
            n := m
        """
    )
    state = game.start(seed=0)
    assert zone(state, "pile") == ["Card(5)", "Card(5)", "Card(7)", "Card(8)", "Card(1)"]
    assert zone(state, "shelf") == []
    assert len(state.Z[state.game.layout.outside]) == 2
    check_cards(state)
    play(state, "1")
    assert zone(state, "shelf") == ["t1", "t1"]
    check_cards(state)


def test_a_column_may_be_written_as_a_table(make: Make) -> None:
    game = make(
        """
        enum Kind: sword, shield "Shield"
        card Card:
            kind: Kind
            cost: 0..9
            written "{kind} {cost}"
        components cards of Card in pile:
            | copies | kind   | cost |
            | 2      | sword  | 3    |
            | 1      | shield | 4    |
            total 3
        zone pile: stack of Card, face up
        stage game: nothing
        """
    )
    assert zone(game.start(seed=0), "pile") == ["sword 3", "sword 3", "Shield 4"]


def test_moving_one_card(make: Make) -> None:
    state = run(make, f"{ORDER}\nlet x = table[2]\nmove x to pile\nmove bottom(pile) to table\nmove top(pile) to spot")
    assert zone(state, "table") == ["blue1", "blue3", "red1"]
    assert zone(state, "pile") == ["red3", "red2"]
    assert zone(state, "spot") == ["blue2"]
    check_cards(state)


def test_moving_a_number_takes_from_the_top_one_by_one(make: Make) -> None:
    state = run(
        make, f"{ORDER}\nmove 2 from pile to other as taken\nn := sum(x.rank for x in taken)\nmove 2 from table to pile"
    )
    assert zone(state, "other") == ["red2", "red3"], "the first that was taken lies lowest"
    assert zone(state, "pile") == ["blue2", "blue1", "red1"]
    assert var(state, "n") == 5
    check_cards(state)


def test_moving_a_whole_pile_keeps_its_order(make: Make) -> None:
    state = run(make, f"{ORDER}\nmove pile to other\nmove table to other")
    assert zone(state, "other") == ["blue1", "blue2", "blue3", "red3", "red2", "red1"]
    state = run(make, f"{ORDER}\nmove pile to table\nmove table to table")
    assert zone(state, "table") == ["blue1", "blue2", "blue3", "red3", "red2", "red1"]
    state = run(make, f"{ORDER}\nmove pile to pile")
    assert zone(state, "pile") == ["red3", "red2", "red1"]
    check_cards(state)


def test_sets_go_into_a_row_and_a_stack_in_order_of_declaration(make: Make) -> None:
    lay = "perform fetch(blue, 1, players[1])\nperform fetch(red, 2, players[1])\nperform fetch(red, 1, players[1])\n"
    assert zone(run(make, f"{lay}move hand[players[1]] to table"), "table") == ["red1", "red2", "blue1"]
    assert zone(run(make, f"{lay}move hand[players[1]] to pile"), "pile") == ["red1", "red2", "blue1"]
    state = run(make, f"{lay}for c in hand[players[1]]: move c to table")
    assert zone(state, "table") == ["red1", "red2", "blue1"]


def test_moving_all_cards_of_a_type_from_wherever_they_are(make: Make) -> None:
    state = run(make, f"{ORDER}\nmove Card to other")
    assert len(zone(state, "other")) == 20
    assert zone(state, "pile") == zone(state, "table") == zone(state, "box") == []
    check_cards(state)


def test_moving_several_is_one_change_and_moving_a_number_is_not(make: Make) -> None:
    trigger = "trigger watch whenever count(pile) = 2: n += 1\n"
    start = "as players[1]: choose k in 1..1\nn := 10 * k\n"
    state = play(run(make, f"{ORDER}move pile to other\n{start}move 3 from other to pile", trigger), "1")
    assert var(state, "n") == 11, "there were two cards for a while"
    state = play(run(make, f"{ORDER}move pile to other\n{start}move other to pile", trigger), "1")
    assert var(state, "n") == 10
    state = play(run(make, f"{ORDER}move pile to other\n{start}move {{x in other where true}} to pile", trigger), "1")
    assert var(state, "n") == 10


def test_an_empty_source_is_a_fault(make: Make) -> None:
    for statement in (
        "move 1 from pile to other",
        "move top(pile) to other",
        "move 1 at random from pile to other",
        "move 4 from table to other",
    ):
        with pytest.raises(GameFault) as raised:
            run(make, f"pick c at random from box\nmove c to table\n{statement}")
        assert raised.value.diagnostic.code.number == "EGO702"


def test_up_to_takes_as_many_as_there_are(make: Make) -> None:
    state = run(
        make, f"{ORDER}\nmove up to 2 from pile to other\nmove up to 5 from pile to other as rest\nn := count(rest)"
    )
    assert zone(state, "other") == ["red1", "red2", "red3"]
    assert var(state, "n") == 1
    state = run(make, "move up to 2 from pile to other as rest\nn := 5 + count(rest)")
    assert var(state, "n") == 5


RUNS_OUT = "trigger refill when pile runs out:\n    n += 1\n    move other to pile\n"


def test_a_pile_that_runs_out_is_refilled_in_between(make: Make) -> None:
    # Three cards in the pile, four wanted, two more in the other: the refill happens before the fourth.
    state = run(
        make,
        f"{ORDER}move 2 from table to other\nmove 4 from pile to spots",
        RUNS_OUT + "zone spots: row of Card, face up\n",
    )
    assert zone(state, "spots") == ["red3", "red2", "red1", "blue2"]
    assert zone(state, "pile") == ["blue1"]
    assert var(state, "n") == 1


def test_runs_out_does_not_run_before_a_card_is_wanted(make: Make) -> None:
    state = run(make, f"{ORDER}move 3 from pile to hand[players[1]]", RUNS_OUT)
    assert var(state, "n") == 0
    assert zone(state, "pile") == []


def test_runs_out_that_brings_nothing(make: Make) -> None:
    with pytest.raises(GameFault) as raised:
        run(make, "move 1 from pile to table", RUNS_OUT)
    assert raised.value.diagnostic.code.number == "EGO702"
    assert var(run(make, "move up to 3 from pile to table", RUNS_OUT), "n") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "move top(pile) to table",
        "move bottom(pile) to table",
        "move 1 from pile to table",
        "move 1 at random from pile to table",
        "move up to 1 from pile to table",
    ],
)
def test_every_move_that_wants_a_card_lets_it_run(make: Make, statement: str) -> None:
    state = run(make, f"pick c at random from box\nmove c to other\n{statement}", RUNS_OUT)
    assert len(zone(state, "table")) == 1
    assert var(state, "n") == 1


def test_runs_out_is_of_the_zone_it_names_and_of_its_stage(make: Make) -> None:
    more = """
zone deck[player]: stack of Card, face up
trigger fill for p in players during round when deck[p] runs out:
    n := n * 10 + seat(p)
    pick c at random from box
    move c to deck[p]
stage round:
    move 1 from deck[players[2]] to table
    move 1 from deck[players[1]] to table
"""
    assert var(run(make, "play round", more), "n") == 21
    with pytest.raises(GameFault):
        run(make, "move 1 from deck[players[2]] to table", more)


def test_several_runs_out_triggers_run_in_order(make: Make) -> None:
    more = (
        "trigger one when pile runs out: n := n * 10 + 1\ntrigger two when pile runs out:\n"
        "    n := n * 10 + 2\n    move other to pile\n"
    )
    state = run(make, "pick c at random from box\nmove c to other\nmove 1 from pile to table", more)
    assert var(state, "n") == 12


def test_a_place_for_one_card(make: Make) -> None:
    with pytest.raises(GameFault) as raised:
        run(make, "for c in {c in box where c.rank = 1}: move c to spot")
    assert raised.value.diagnostic.code.number == "EGO710"
    state = run(
        make,
        (
            "pick c at random from box\nmove c to spot\nmove spot to place\n"
            "yes := empty(spot) and count(place) = 1 and place = c"
        ),
    )
    assert var(state, "yes") is True
    with pytest.raises(GameFault) as raised:
        run(make, "move spot to place")
    assert raised.value.diagnostic.code.number == "EGO704"


def test_swapping_two_cards_is_one_change(make: Make) -> None:
    state = run(make, f"{ORDER}\nswap table[2] with top(pile)")
    assert zone(state, "table") == ["blue1", "red3", "blue3"]
    assert zone(state, "pile") == ["blue2", "red2", "red1"]
    check_cards(state)
    trigger = "trigger gone whenever count(hand[players[1]]) = 0 or count(hand[players[2]]) = 2: n := 9\n"
    lay = (
        "perform fetch(red, 1, players[1])\nperform fetch(blue, 1, players[2])\n"
        "as players[1]: choose k in 1..1\nn := k\n"
    )
    swap = "pick a at random from hand[players[1]]\npick b at random from hand[players[2]]\nswap a with b\n"
    state = play(run(make, lay + swap, trigger), "1")
    assert (zone(state, "hand", 0), zone(state, "hand", 1)) == (["blue1"], ["red1"])
    assert var(state, "n") == 1
    check_cards(state)


def test_swapping_a_card_with_itself_and_within_a_zone(make: Make) -> None:
    assert zone(run(make, f"{ORDER}\nswap table[2] with table[2]"), "table") == ["blue1", "blue2", "blue3"]
    assert zone(run(make, f"{ORDER}\nswap table[1] with table[3]"), "table") == ["blue3", "blue2", "blue1"]


def test_swapping_two_zones(make: Make) -> None:
    state = run(make, f"{ORDER}\nmove top(pile) to other\nswap pile with other")
    assert (zone(state, "pile"), zone(state, "other")) == (["red3"], ["red2", "red1"])
    check_cards(state)
    state = run(make, f"{ORDER}\nswap hand[players[1]] with pile")
    assert zone(state, "hand", 0) == ["red1", "red2", "red3"]
    assert zone(state, "pile") == []
    trigger = "trigger gone whenever empty(pile) and empty(other): n := 9\n"
    state = play(run(make, f"{ORDER}as players[1]: choose k in 1..1\nn := k\nswap pile with other", trigger), "1")
    assert var(state, "n") == 1


def test_a_for_works_out_its_domain_once(make: Make) -> None:
    state = run(make, f"{ORDER}\nfor x in pile:\n    move x to other\n    move 1 from table to pile\n    n += x.rank")
    assert var(state, "n") == 6
    assert zone(state, "other") == ["red1", "red2", "red3"]
    assert zone(state, "pile") == ["blue3", "blue2", "blue1"]


def test_sets_go_through_a_loop_in_a_fixed_order(make: Make) -> None:
    assert var(run(make, "for k in {4, 2, 9}: n := n * 10 + k"), "n") == 249
    assert var(run(make, "for p in {players[2], players[1]}: n := n * 10 + seat(p)"), "n") == 12
    assert var(run(make, "for s in {blue, red}: n := n * 10 + (1 if s = red else 2)"), "n") == 12
    assert var(run(make, "for k in [4, 2, 9]: n := n * 10 + k"), "n") == 429
    assert (
        var(
            run(
                make,
                "for s in subsets({3, 1, 2}, 2): n := n * 100 + sum(10 ** 0 * k for k in s)".replace("10 ** 0 * ", ""),
            ),
            "n",
        )
        == 30405
    )


def test_at_random_from_a_set_takes_any(make: Make) -> None:
    state = run(make, "move 7 at random from box to hand[players[1]]\nmove 20 - 7 at random from box to pile")
    assert len(zone(state, "hand", 0)) == 7
    assert len(zone(state, "pile")) == 13
    check_cards(state)


def test_the_card_just_moved_has_a_name(make: Make) -> None:
    state = run(
        make,
        (
            f"{ORDER}\nmove top(pile) to spot as x\nmove bottom(table) to other as y\n"
            f"move table[1] to other as z\nn := x.rank * 100 + y.rank * 10 + z.rank"
        ),
    )
    assert var(state, "n") == 331
    assert moves(run(make, "as players[1]: choose k in 1..2\nn := k")) == ["1", "2"]
