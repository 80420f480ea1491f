"""Decisions: which moves there are, which are one, and what happens where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.moves import IllegalMoveError
from tests.helpers import moves, play, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

CARDS = """
card Card:
    rank: 1..9
    written "{rank}"
components cards of Card in box:
    3 x (rank: r) for r in 1..9
zone box: set of Card, face up
zone pile: stack of Card, face up
zone table: row of Card, face up
zone hand[player]: set of Card, owner only
var n: 0..99 = 0

"""
DEAL = """
procedure give(p: player, wanted: row of 1..9):
    for r in wanted:
        let c = least({c in box where c.rank = r})
        move c to hand[p]
"""


def begin(make: Make, rules: str, **settings: int) -> State:
    return make(CARDS + rules, **settings).start(seed=0)


def deal(*ranks: int, to: str = "hand[players[1]]") -> str:
    """Lines of a stage that lay cards of the ranks, in order."""
    return "".join(
        f"    pick c{k} at random from {{c in box where c.rank = {r}}}\n    move c{k} to {to}\n"
        for k, r in enumerate(ranks)
    )


def test_a_decision_with_one_answer_is_asked(make: Make) -> None:
    state = begin(make, "stage game:\n    as players[1]:\n        choose k in 3..3\n        n := k\n")
    assert not state.is_over
    assert moves(state) == ["3"]
    assert var(play(state, "3"), "n") == 3


def test_may_always_has_no(make: Make) -> None:
    rules = """
stage game:
    as players[1]:
        may "take" with c in hand: n := 1
        otherwise: n := 2
"""
    state = begin(make, rules)
    assert moves(state) == ["no"]
    assert var(play(state, "no"), "n") == 2


def test_may_with_a_label_and_without(make: Make) -> None:
    rules = """
stage game:
    as players[1]:
        may "go": n += 1
        may: n += 10
        may with k in 1..2: n += 20 * k
"""
    state = begin(make, rules)
    assert moves(state) == ["go", "no"]
    play(state, "go")
    assert moves(state) == ["yes", "no"]
    play(state, "no")
    assert moves(state) == ["1", "2", "no"]
    assert var(play(state, "2"), "n") == 41


def test_without_a_move_the_position_is_stuck(make: Make) -> None:
    with pytest.raises(GameFault) as raised:
        begin(make, "stage game:\n    as players[1]: choose c in hand\n")
    assert raised.value.diagnostic.code.number == "EGO701"


@pytest.mark.parametrize(
    "decision",
    [
        "choose c in hand",
        "choose one of show",
        'choose:\n            "it" with c in hand: n := 2\n            "that" when n > 50: n := 3',
    ],
)
def test_otherwise_runs_where_there_is_no_move(make: Make, decision: str) -> None:
    rules = (
        f"action show(c in hand): n := 2\nstage game:\n    as players[1]:\n        {decision}\n"
        f"        otherwise: n := 7\n    n += 1\n"
    )
    state = begin(make, rules)
    assert state.is_over
    assert var(state, "n") == 8


def test_otherwise_when_counts_only_where_it_holds(make: Make) -> None:
    rules = (
        "stage game:\n    n := {}\n    as players[1]:\n        choose c in hand\n        otherwise when n = 1: n := 5\n"
    )
    assert var(begin(make, rules.format(1)), "n") == 5
    with pytest.raises(GameFault) as raised:
        begin(make, rules.format(2))
    assert raised.value.diagnostic.code.number == "EGO701"


def test_otherwise_is_passed_over_where_there_is_a_move(make: Make) -> None:
    rules = (
        f"stage game:\n{deal(4)}    as players[1]:\n        choose c in hand\n        otherwise:\n"
        f"            n := 5\n            return\n        n := c.rank\n"
    )
    assert var(play(begin(make, rules), "4"), "n") == 4


def test_actions_offer_their_moves_with_their_guards(make: Make) -> None:
    rules = """
action low(k in 1..3) when k < 3 and n = 0: n := k
action never when n > 5: n := 50
action pass: n := 9
stage game:
    turns from players[1]:
        choose one of low, never, pass
        if n = 9: end game
"""
    state = begin(make, rules)
    assert moves(state) == ["low 1", "low 2", "pass"]
    first = state.legal_moves(0)[1]
    assert (first.action, first.label, first.arguments) == ("low", None, (("k", "2"),))
    play(state, "low 2")
    assert moves(state) == ["pass"]


def test_a_later_domain_may_use_an_earlier_name(make: Make) -> None:
    rules = (
        "stage game:\n    as players[1]:\n        choose a in 2..4, b in 1..a - 2 where a + b != 5\n"
        "        n := 10 * a + b\n"
    )
    state = begin(make, rules)
    # a = 2 has no b, so it is no move at all.
    assert moves(state) == ["3, 1", "4, 2"]
    assert var(play(state, "4, 2"), "n") == 42


def test_guards_stop_early(make: Make) -> None:
    # `top(pile)` would be a fault; what stands before it keeps it from being asked.
    rules = """
action take(k in 1..2) when not empty(pile) and top(pile).rank = k: n := 5
action pass: n := 6
stage game: as players[1]: choose one of take, pass
"""
    assert moves(begin(make, rules)) == ["pass"]


def test_a_fault_in_a_guard_is_a_fault(make: Make) -> None:
    rules = (
        "action take when top(pile).rank = 1: n := 5\naction pass: n := 6\n"
        "stage game: as players[1]: choose one of take, pass\n"
    )
    with pytest.raises(GameFault) as raised:
        begin(make, rules)
    assert raised.value.diagnostic.code.number == "EGO702"


def test_a_body_comes_after_its_head_and_takes_nothing_back(make: Make) -> None:
    rules = f"""
action show(c in hand):
    move c to pile
    choose k in 1..2
    n := k
stage game:
{deal(4, 5)}    as players[1]: choose one of show
"""
    state = begin(make, rules)
    play(state, "show 5")
    assert zone(state, "pile") == ["5"]
    assert moves(state) == ["1", "2"]


def test_equal_faces_in_a_set_are_one_candidate(make: Make) -> None:
    rules = f"stage game:\n{deal(4, 4, 7)}    as players[1]: choose c in hand\n"
    assert moves(begin(make, rules)) == ["4", "7"]


def test_pairs_of_equal_faces_are_one_move(make: Make) -> None:
    rules = f"stage game:\n{deal(4, 4, 4, 7)}    as players[1]: choose a in hand, b in hand where a != b\n"
    assert moves(begin(make, rules)) == ["4, 4", "4, 7", "7, 4"]
    rules = f"stage game:\n{deal(4, 4, 4, 7)}    as players[1]: choose s in subsets(hand, 2)\n"
    assert moves(begin(make, rules)) == ["{4, 4}", "{4, 7}"]


def test_the_card_just_drawn_is_told_apart_while_its_name_lives(make: Make) -> None:
    rules = f"""
stage game:
{deal(4, 4)}    as players[1]:
        pick other at random from {{c in box where c.rank = 4}}
        move other to hand as drawn
        choose c in hand
        n := 1 if c = drawn else 2
"""
    state = begin(make, rules)
    assert moves(state) == ["4", "4 (drawn)"]
    assert var(play(state.clone(), "4 (drawn)"), "n") == 1
    assert var(play(state, "4"), "n") == 2


def test_a_name_that_is_not_read_any_more_tells_nothing_apart(make: Make) -> None:
    rules = f"""
stage game:
{deal(4, 4)}    as players[1]:
        pick drawn at random from {{c in box where c.rank = 4}}
        move drawn to hand
        n := drawn.rank
        choose c in hand
"""
    assert moves(begin(make, rules)) == ["4"]


def test_what_was_chosen_in_an_earlier_pass_tells_nothing_apart(make: Make) -> None:
    # The card chosen before lies in the hand again, but its name is bound anew before it is read.
    rules = f"""
stage game:
{deal(4, 4)}    as players[1]:
        repeat 3 times:
            choose c in hand
            n += c.rank
"""
    state = begin(make, rules)
    for _ in range(3):
        assert moves(state) == ["4"]
        state.choose(0)
    assert var(state, "n") == 12


def test_a_chosen_option_of_an_earlier_pass_tells_nothing_apart(make: Make) -> None:
    rules = f"""
stage game:
{deal(4, 4)}    as players[1]:
        repeat 2 times:
            choose:
                "show" with c in hand: n += c.rank
            may "again" with d in hand: n += d.rank
"""
    state = begin(make, rules)
    for text in ("show 4", "again 4", "show 4", "again 4"):
        assert text in moves(state)
        assert not any(move.endswith("(2)") or "(c)" in move or "(d)" in move for move in moves(state))
        play(state, text)
    assert state.is_over


def test_a_card_that_a_variable_holds_is_told_apart(make: Make) -> None:
    rules = f"""
var kept: Card? = none
stage game:
{deal(4, 4, 4)}    kept := c1
    as players[1]:
        choose c in hand
        n := 1 if c = kept else 2
"""
    state = begin(make, rules)
    assert sorted(moves(state)) == ["4", "4 (kept)"]
    assert var(play(state.clone(), "4 (kept)"), "n") == 1
    assert var(play(state, "4"), "n") == 2


def test_a_card_of_an_event_that_is_still_announced_is_told_apart(make: Make) -> None:
    rules = f"""
event shown(c: Card)
trigger first on shown(c) as players[1]: choose d in hand
trigger second on shown(c) as players[1]: n := 1 if c in hand else 2
stage game:
{deal(4, 4)}    announce shown(c0)
"""
    assert len(moves(begin(make, rules))) == 2


def test_marks_tell_cards_apart(make: Make) -> None:
    rules = """
card Die:
    colour: 1..2
    var eyes: 1..6 = 1
    written "{eyes}"
components dice of Die in cup:
    3 x (colour: 1)
zone cup: set of Die, face up
stage game:
    pick d at random from cup
    d.eyes := 5
    as players[1]:
        choose e in cup
        n := e.eyes
"""
    state = begin(make, rules)
    assert moves(state) == ["1", "5"] or moves(state) == ["5", "1"]
    assert var(play(state, "5"), "n") == 5


def test_in_rows_and_stacks_the_place_counts(make: Make) -> None:
    rules = (
        f"stage game:\n{deal(4, 7, 4, to='table')}    as players[1]:\n        choose c in table\n"
        f"        move c to pile\n"
    )
    state = begin(make, rules)
    assert moves(state) == ["4 #1", "7", "4 #3"]
    assert zone(play(state.clone(), "4 #1"), "table") == ["7", "4"]
    assert zone(play(state, "4 #3"), "table") == ["4", "7"]


def test_a_card_whose_face_is_hidden_is_named_by_its_place(make: Make) -> None:
    rules = f"""
zone own[player]: row of Card, others only
stage game:
{deal(4, 7, to="own[players[1]]")}    as players[1]: choose c in own
    as players[2]: choose c in own[players[1]]
"""
    state = begin(make, rules)
    assert moves(state) == ["#1", "#2"]
    play(state, "#2")
    assert moves(state) == ["4", "7"]


def test_equal_faces_in_different_places_are_different_candidates(make: Make) -> None:
    rules = f"""
zone left_set: set of Card, face up
zone right_set: set of Card, face up
stage game:
{deal(4, to="left_set")}{deal(4, to="right_set").replace("c0", "d0")}    as players[1]:
        choose c in left_set | right_set
        n := 1 if c in left_set else 2
"""
    state = begin(make, rules)
    assert len(moves(state)) == 2
    results = set()
    for text in moves(state):
        results.add(var(play(state.clone(), text), "n"))
    assert results == {1, 2}


def test_a_choice_into_a_variable(make: Make) -> None:
    rules = """
var wanted: 1..9 = 1
var mine[player]: 1..9 = 1
stage game:
    as players[2]:
        choose wanted in 3..6 where wanted % 2 = 0
        choose mine in wanted..9 where mine > wanted if able
    n := wanted
"""
    state = begin(make, rules)
    assert moves(state) == ["4", "6"]
    play(state, "6")
    assert moves(state) == ["7", "8", "9"]
    play(state, "8")
    assert (var(state, "wanted"), var(state, "mine", 0), var(state, "mine", 1), var(state, "n")) == (6, 1, 8, 6)


def test_several_choices_into_variables_at_once(make: Make) -> None:
    rules = """
var low: 0..9 = 0
var high: 0..9 = 0
stage game:
    as players[1]: choose low in 1..3, high in low + 1..4 where high != 2 + low
"""
    state = begin(make, rules)
    assert moves(state) == ["1, 2", "1, 4", "2, 3", "3, 4"]
    play(state, "2, 3")
    assert (var(state, "low"), var(state, "high")) == (2, 3)


def test_chance_into_a_variable(make: Make) -> None:
    rules = "var wanted: 1..9 = 1\nstage game:\n    pick wanted at random from 3..6 where wanted > 5\n    n := wanted\n"
    assert var(begin(make, rules), "n") == 6


def test_names_bound_in_as_live_on(make: Make) -> None:
    rules = "stage game:\n    as players[1]:\n        choose k in 1..3\n        let m = k + 1\n    n := 10 * k + m\n"
    assert var(play(begin(make, rules), "2"), "n") == 23


def test_options_with_a_guard_and_without_a_body(make: Make) -> None:
    rules = """
stage game:
    as players[1]:
        n := 3
        choose:
            "stay"
            "up" when n < 3: n := 1
            "to" with k in 1..4 when k > n: n := k
"""
    state = begin(make, rules)
    assert moves(state) == ["stay", "to 4"]
    option = state.legal_moves(0)[1]
    assert (option.action, option.label) == (None, "to")
    assert var(play(state.clone(), "stay"), "n") == 3
    assert var(play(state, "to 4"), "n") == 4


def test_a_performed_action_runs_without_being_chosen(make: Make) -> None:
    rules = "action put(k in 1..9) when k > 100: n := k + seat(you)\nstage game: as players[2]: perform put(7)\n"
    assert var(begin(make, rules), "n") == 9


def test_if_able_binds_only_while_it_leaves_something(make: Make) -> None:
    rules = f"stage game:\n{deal(4, 5, 7)}    as players[1]: choose c in hand where "
    assert moves(begin(make, rules + "c.rank > 4 if able\n")) == ["5", "7"]
    assert moves(begin(make, rules + "c.rank > 7 if able\n")) == ["4", "5", "7"]
    # In order: the first narrows to 5 and 7, of which none is under 5; so the second changes nothing.
    assert moves(begin(make, rules + "c.rank > 4 if able where c.rank < 5 if able\n")) == ["5", "7"]
    assert moves(begin(make, rules + "c.rank < 6 if able where c.rank > 4 if able\n")) == ["5"]
    assert moves(begin(make, rules + "c.rank < 6 where c.rank > 5 if able\n")) == ["4", "5"]


def test_if_able_narrows_whole_combinations(make: Make) -> None:
    # No a of 1..2 has b = 9, but a = 3 has: so a preference on b takes part in choosing a.
    rules = "stage game:\n    as players[1]: choose a in 1..3, b in 3 * a - 1..3 * a where b = 9 if able\n"
    assert moves(begin(make, rules)) == ["3, 9"]
    rules = (
        "stage game:\n"
        "    as players[1]: choose a in 1..3 where a < 3 if able, b in 3 * a - 1..3 * a where b = 9 if able\n"
    )
    assert moves(begin(make, rules)) == ["1, 2", "1, 3", "2, 5", "2, 6"]


def test_a_guard_comes_before_a_preference(make: Make) -> None:
    rules = (
        f"action put(c in hand where c.rank > 4 if able) when c.rank < 6: n := 1\nstage game:\n"
        f"{deal(4, 5, 7)}    as players[1]: choose one of put\n"
    )
    assert moves(begin(make, rules)) == ["put 5"]


def test_what_does_not_fit_is_refused_and_changes_nothing(make: Make) -> None:
    state = begin(make, "stage game:\n    as players[2]: choose k in 1..3\n")
    before = state.clone()
    for wrong in ("4", "no", "1, 2", ""):
        with pytest.raises(IllegalMoveError, match="the moves are `1`, `2`, `3`"):
            state.apply(wrong)
    with pytest.raises(IllegalMoveError):
        state.legal_moves(2)
    for ask in (state.legal_moves, state.view, state.observations, lambda player: state.redeal(player, 0)):
        for nobody in (-1, 2):
            with pytest.raises(IllegalMoveError, match=f"there is no player {nobody}: the seats are 0 to 1"):
                ask(nobody)
    with pytest.raises(IllegalMoveError, match=r"not 3$"):
        state.apply(3)  # type: ignore[arg-type]  # no move at all
    assert state == before
    play(state, "3")
    with pytest.raises(IllegalMoveError):
        state.apply("3")


MANY = """
card Chip:
    colour: 1..{colours}
components chips of Chip in bag:
    {copies} x (colour: k) for k in 1..{colours}
zone bag: set of Chip, face up
zone hand[player]: set of Chip, owner only
zone gone: set of Chip, face up
stage game:
    move bag to hand[players[1]]
    as players[1]:
        {choice}
        move given to gone
    end game
"""


def many(make: Make, choice: str, colours: int = 5, copies: int = 5) -> list[str]:
    return moves(make(MANY.format(colours=colours, copies=copies, choice=choice)).start(seed=0))


def test_subsets_of_a_hand_are_told_apart_by_faces_alone(make: Make) -> None:
    # Multisets of 3 out of 5 colours: (5 + 2 choose 3) = 35. Of 0 to 25 chips: 6 counts for each of 5 colours.
    assert len(many(make, "choose given in subsets(hand, 3)")) == 35
    assert len(many(make, "choose given in subsets(hand)")) == 6**5


def test_conditions_narrow_subsets_of_equal_faces(make: Make) -> None:
    # Two chips of one colour: 5 ways. At most one 1 among three of two colours with two chips each: 1+2+2 only.
    assert len(many(make, "choose given in subsets(hand, 2) where count({c.colour for c in given}) = 1")) == 5
    found = many(make, "choose given in subsets(hand, 3) where count(c for c in given where c.colour = 1) <= 1", 2, 2)
    assert found == ["{Chip(1), Chip(2), Chip(2)}"]


def test_a_condition_on_a_certain_card_still_counts(make: Make) -> None:
    # The chip picked may not be given; another of its colour may: {1, 2} with either 1, and {2, 2}, {1, 1} not.
    pick = "pick kept at random from {c in hand where c.colour = 1}"
    choose = "choose given in subsets(hand, 2) where kept not in given"
    assert many(make, f"{pick}\n        {choose}", 2, 2) == ["{Chip(1), Chip(2)}", "{Chip(2), Chip(2)}"]


def test_a_row_that_gives_a_card_twice_offers_it_once(make: Make) -> None:
    rules = CARDS.replace("3 x", "1 x").replace("zone box: set", "zone box: row")
    state = make(f"{rules}stage game:\n    as players[1]: choose c in [box[2], box[1], box[2]]\n").start(seed=0)
    assert moves(state) == ["2", "1"]


def test_every_kind_of_subset_is_offered_once(make: Make) -> None:
    # 4, 4 and 7 in a hand: of two cards alike it does not matter which; in a row it does.
    rules = "stage game:\n{}    as players[1]: choose some_of in subsets({}, 0..2)\n"
    alike = begin(make, rules.format(deal(4, 4, 7), "hand"))
    assert moves(alike) == ["{}", "{4}", "{7}", "{4, 4}", "{4, 7}"]
    in_a_row = begin(make, rules.format(deal(4, 4, 7, to="table"), "table"))
    assert len(in_a_row.moves) == 1 + 3 + 3
