"""`whenever`: the edges of conditions, when they are first looked at, and in what order triggers run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import moves, play, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

HEAD = """
card Card:
    rank: 1..9
    written "{rank}"
components cards of Card in box:
    2 x (rank: r) for r in 1..9
zone box: stack of Card, face up
zone hand[player]: set of Card, owner only
zone pile: stack of Card, face up
var t: 0.. = 0
var k: 0..99 = 0
var mark[player]: 0..9 = 0
procedure note(m: 0..99): t := t * 10 + m
"""
ASK = "    as players[1]: choose go in 1..1\n    k += go - 1\n"
"""The first decision: from here on triggers can fire."""


def trace(make: Make, triggers: str, body: str, more: str = "", players: int = 3) -> int:
    """What the triggers note in the statements after the first decision."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    state = make(f"{HEAD}{triggers}\n{more}\nstage game:\n{ASK}{lines}", players=players).start(seed=0)
    play(state, "1")
    assert state.is_over
    return int(var(state, "t"))


def test_it_fires_when_the_condition_becomes_true_and_not_while_it_stays(make: Make) -> None:
    trigger = "trigger high whenever k > 3: perform note(k)"
    assert trace(make, trigger, "k := 3\nk := 4\nk := 5\nk := 3\nk := 9") == 49


def test_it_fires_right_after_the_change(make: Make) -> None:
    trigger = "trigger high whenever k = 2: perform note(5)"
    assert trace(make, trigger, "perform note(1)\nk := 2\nperform note(2)") == 152


def test_setting_up_does_not_fire(make: Make) -> None:
    rules = (
        HEAD
        + """
trigger none_left whenever any(empty(hand[p]) for p in players): perform note(1)
stage game:
    k := 5
    for p in players: move 1 from box to hand[p]
    move hand[players[1]] to pile
    as players[1]: choose go in 1..2
    move 2 from box to hand[players[1]]
    move hand[players[1]] to pile
    k := go
"""
    )
    state = make(rules, players=2).start(seed=0)
    assert var(state, "t") == 0, "the hands were empty, filled and emptied before the first decision"
    play(state, "2")
    assert var(state, "t") == 1


def test_what_holds_at_the_first_decision_fires_only_after_it_was_false(make: Make) -> None:
    trigger = "trigger low whenever k < 3: perform note(7)"
    assert trace(make, trigger, "k := 2\nk := 1") == 0
    assert trace(make, trigger, "k := 5\nk := 1") == 7


def test_a_stage_looks_at_its_triggers_anew(make: Make) -> None:
    rules = (
        HEAD
        + """
trigger empty_one during round whenever empty(hand[players[1]]): perform note(1)
stage game:
    as players[1]: choose a in 1..1
    k := a
    play round
    move hand[players[1]] to pile
    play round
stage round:
    move hand[players[1]] to pile
    move 1 from box to hand[players[1]]
    as players[1]: choose b in 1..2
    k := b
    if b = 2: move hand[players[1]] to pile
"""
    )
    state = make(rules, players=2).start(seed=0)
    play(state, "1")
    assert var(state, "t") == 0, "the round empties and deals before its first decision"
    play(state, "1")
    assert var(state, "t") == 0, "between two rounds it does not run"
    play(state, "2")
    assert var(state, "t") == 1


def test_it_runs_only_during_its_stage(make: Make) -> None:
    more = "stage round: k := 9\n"
    assert trace(make, "trigger high during round whenever k > 3: perform note(1)", "k := 5\nk := 0", more) == 0


def test_those_that_became_true_at_once_run_in_order_of_declaration(make: Make) -> None:
    triggers = (
        "trigger b whenever k > 3: perform note(1)\ntrigger a whenever k > 2: perform note(2)\n"
        "trigger c whenever k = 5: perform note(3)"
    )
    assert trace(make, triggers, "k := 5\nperform note(9)") == 1239


def test_each_runs_only_if_it_is_still_true(make: Make) -> None:
    triggers = (
        "trigger one whenever k > 3:\n    perform note(1)\n    k := 0\ntrigger two whenever k > 2: perform note(2)"
    )
    assert trace(make, triggers, "k := 5") == 1
    # What is no more true when its turn comes has had its edge: it needs another one.
    assert trace(make, triggers, "k := 3\nk := 5\nk := 3") == 212


def test_each_runs_only_if_its_stage_still_runs(make: Make) -> None:
    triggers = (
        "trigger one during round whenever k > 3:\n    perform note(1)\n    end round\n"
        "trigger two during round whenever k > 2: perform note(2)"
    )
    more = "stage round:\n    as players[1]: choose b in 1..1\n    k := 4 + b\n    perform note(9)\n"
    rules = f"{HEAD}{triggers}\n{more}\nstage game:\n    play round\n    perform note(8)\n"
    state = play(make(rules).start(seed=0), "1")
    assert var(state, "t") == 18


def test_a_trigger_fires_others_inside_it_and_not_itself(make: Make) -> None:
    triggers = (
        "trigger up whenever k = 1:\n    perform note(1)\n    k := 2\n    k := 0\n    k := 1\n    perform note(3)\n"
        "trigger two whenever k = 2: perform note(2)"
    )
    # Inside it the condition becomes false and true again, which is not asked again afterwards.
    assert trace(make, triggers, "k := 1") == 123


def test_one_edge_for_each_binding(make: Make) -> None:
    trigger = "trigger high for p in players whenever mark[p] > 3: perform note(seat(p))"
    assert (
        trace(
            make,
            trigger,
            (
                "mark[players[2]] := 5\nmark[players[1]] := 5\nmark[players[2]] := 6\nmark[players[2]] := 0\n"
                "mark[players[2]] := 4"
            ),
        )
        == 212
    )
    # Several at once: in order of the bindings.
    body = "at once:\n    mark[players[3]] := 5\n    mark[players[1]] := 5"
    assert trace(make, trigger, body) == 13


def test_bindings_over_two_names(make: Make) -> None:
    trigger = (
        "trigger same for p in players for q in players "
        "whenever seat(p) < seat(q) and mark[p] > 0 and mark[p] = mark[q]: perform note(seat(p) * 10 + seat(q))"
    )
    state = "mark[players[3]] := 4\nmark[players[1]] := 4\nmark[players[2]] := 4"
    # 13 first, then 12 and 23 by one change.
    assert trace(make, trigger, state) == (13 * 10 + 12) * 10 + 23


def test_the_end_of_at_once_is_one_change(make: Make) -> None:
    trigger = "trigger gone whenever empty(hand[players[1]]): perform note(1)"
    setup = "move 1 from box to hand[players[1]]\n"
    swap = "move hand[players[1]] to pile\n    move 1 from box to hand[players[1]]\n"
    assert trace(make, trigger, setup + swap.replace("\n    ", "\n")) == 1
    assert trace(make, trigger, f"{setup}at once:\n    {swap}perform note(5)") == 5
    assert trace(make, trigger, f"{setup}at once:\n    {swap}    move hand[players[1]] to pile\nperform note(5)") == 15


def test_at_once_with_a_procedure_and_chance(make: Make) -> None:
    trigger = "trigger gone whenever empty(hand[players[1]]): perform note(1)"
    more = """
procedure exchange(p: player):
    if empty(hand[p]): return
    at once:
        pick c at random from hand[p]
        move c to pile
    move 1 at random from box to hand[p]
"""
    assert (
        trace(
            make,
            trigger,
            "move 1 from box to hand[players[1]]\nat once: perform exchange(players[1])\nperform note(5)",
            more,
        )
        == 5
    )


def test_moves_and_marks_and_defines_are_watched(make: Make) -> None:
    more = "define held(p: player) = count(hand[p])\ndefine rich(p: player) = held(p) > 1\n"
    trigger = "trigger two whenever any(rich(p) for p in players): perform note(2)"
    assert (
        trace(
            make,
            trigger,
            "move 1 from box to hand[players[2]]\nperform note(1)\nmove 1 from box to hand[players[2]]",
            more,
        )
        == 12
    )
    rules = """
card Die:
    colour: 1..2
    var eyes: 1..6 = 1
components dice of Die in cup:
    2 x (colour: 1)
zone cup: set of Die, face up
var t: 0.. = 0
trigger six whenever any(d.eyes = 6 for d in cup): t := t * 10 + 1
stage game:
    as players[1]: choose d in cup
    d.eyes := 5
    d.eyes := 6
"""
    state = make(rules).start(seed=0)
    state.choose(0)
    assert var(state, "t") == 1


def test_swap_and_whole_zones_are_watched(make: Make) -> None:
    trigger = "trigger nine whenever not empty(pile) and top(pile).rank = 9: perform note(9)"
    assert (
        trace(
            make,
            trigger,
            (
                "move bottom(box) to hand[players[1]]\nmove top(box) to pile\n"
                "let c = most({x.rank for x in hand[players[1]]})\nperform note(c)\n"
                "swap hand[players[1]] with pile"
            ),
        )
        == 99
    )
    assert (
        trace(
            make,
            trigger,
            (
                "move bottom(box) to hand[players[1]]\nmove top(box) to pile\n"
                "let c = the x in hand[players[1]]\nswap c with top(pile)"
            ),
        )
        == 9
    )
    assert trace(make, trigger, "swap box with pile\nswap pile with box\nmove bottom(box) to pile") == 9


def test_a_change_by_choosing_is_watched(make: Make) -> None:
    rules = HEAD + (
        "trigger high whenever k > 3: perform note(k)\nstage game:\n"
        "    as players[1]: choose k in 1..9\n    as players[1]: choose k in 1..9\n"
    )
    state = make(rules).start(seed=0)
    play(state, "7")
    assert var(state, "t") == 7
    play(state, "9")
    assert var(state, "t") == 7


def test_the_reset_of_a_variable_is_watched(make: Make) -> None:
    more = "var fresh: 0..9 = 1 during round\nstage round: fresh := 5\n"
    assert (
        trace(make, "trigger one whenever fresh = 1: perform note(1)", "fresh := 3\nplay round\nplay round", more) == 11
    )


def test_triggers_that_fire_for_ever_are_a_fault(make: Make) -> None:
    triggers = "trigger up whenever k = 1: k := 2\ntrigger down whenever k = 2: k := 1"
    # Neither enters itself, so the two come to rest...
    assert trace(make, triggers, "k := 1") == 0
    # ... but a thousand firings without a decision are a fault.
    loop = "for i in 1..{}:\n    k := 3\n    k := 0"
    trigger = "trigger three whenever k = 3: perform note(0)"
    assert trace(make, trigger, loop.format(1000)) == 0
    with pytest.raises(GameFault) as raised:
        trace(make, trigger, loop.format(1001))
    assert raised.value.diagnostic.code.number == "EGO706"


def test_firings_are_counted_between_decisions(make: Make) -> None:
    rules = (
        HEAD
        + """
trigger three whenever k = 3: t += 1
stage game:
    repeat 4 times:
        as players[1]: choose a in 1..1
        for i in 1..600:
            k := 3
            k := a - 1
"""
    )
    state = make(rules).start(seed=0)
    while not state.is_over:
        state.choose(0)
    assert var(state, "t") == 2400


def test_a_trigger_may_decide_and_end_the_stage(make: Make) -> None:
    rules = (
        HEAD
        + """
trigger last during round whenever empty(hand[players[1]]):
    as players[2]: may "stop": end round
stage game:
    play round
    perform note(3)
stage round:
    move 2 from box to hand[players[1]]
    turns from players[1]:
        choose c in hand[players[1]]
        move c to pile
        perform note(1)
        if empty(hand[players[1]]): move 1 from box to hand[players[1]]
"""
    )
    state = make(rules, players=2).start(seed=0)
    state.choose(0)
    state.choose(0)
    assert state.to_move == (1,)
    assert moves(state) == ["stop", "no"]
    assert var(play(state.clone(), "stop"), "t") == 13
    again = play(state, "no")
    assert var(again, "t") == 11
    assert again.to_move == (0,)


def test_whenever_empty_and_runs_out_are_two_rules(make: Make) -> None:
    drained = "zone few: stack of Card, face up\n"
    soon = drained + "trigger soon whenever empty(few): perform note(1)"
    late = drained + "trigger late when few runs out:\n    perform note(2)\n    move 1 from box to few"
    body = "move 2 from box to few\nmove 2 from few to pile\nperform note(5)\n"
    assert trace(make, soon, body) == 15
    assert trace(make, late, body) == 5
    assert trace(make, late, body + "move 1 from few to pile") == 52


def begin(make: Make, rules: str) -> State:
    return make(HEAD + rules).start(seed=0)


def test_equality_knows_which_edges_are_still_to_come(make: Make) -> None:
    rules = (
        "trigger high whenever k > 3: perform note(1)\nstage game:\n"
        "    as players[1]: choose a in 1..2\n    k := 5\n    {}\n    as players[1]: choose b in 1..2\n"
        "    k := 6 + a + b\n"
    )
    state = begin(make, rules.format("k := 4"))
    assert play(state.clone(), "1") != play(state.clone(), "2"), "a is read later"
