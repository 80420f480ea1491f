"""Events: who reacts in what order, what `cancel` drops, and procedures that give something back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import moves, play, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game

    Make = Callable[..., Game]

HEAD = "var t: 0.. = 0\nvar flag: bool = false\nprocedure note(k: 0..99): t := t * 10 + k\n"


def trace(make: Make, rules: str, players: int = 4) -> int:
    state = make(HEAD + rules, players=players).start(seed=0)
    assert state.is_over
    return int(var(state, "t"))


def test_reactions_without_an_actor_come_first_then_player_by_player_from_the_active(make: Make) -> None:
    rules = """
event called
trigger of_a on called as players[1]: perform note(seat(you))
trigger of_c on called as players[3]: perform note(seat(you))
trigger of_b on called as players[2]: perform note(seat(you))
trigger first on called: perform note(9)
ability second on called: perform note(8)
trigger too_of_c on called as players[3]: perform note(seat(you) + 4)
trigger of_d on called as players[4]: perform note(seat(you))
stage game:
    turns from players[2]:
        announce called
        end game
"""
    # From the active B: B, C (twice, as declared), D, A.
    assert trace(make, rules) == 98_2_37_4_1


def test_the_actor_acts_and_the_announcer_stays_you_in_heads(make: Make) -> None:
    rules = """
event hit(victim: player)
trigger shield on hit(victim) where victim != you as victim: perform note(seat(you))
trigger mine on hit(victim): perform note(seat(you))
stage game:
    as players[3]:
        announce hit(players[2])
        announce hit(players[3])
        perform note(seat(you))
"""
    # The plain one acts as the announcer, C.
    assert trace(make, rules) == 3233


def test_the_actor_is_worked_out_with_the_announcer_as_you(make: Make) -> None:
    rules = """
event hit(victim: player, k: 1..3)
trigger beyond on hit(victim, k) where k < 3 as left(victim, k + seat(you) - 1): perform note(seat(you))
stage game:
    as players[3]:
        announce hit(players[1], 1)
        announce hit(players[1], 3)
        announce hit(players[2], 2)
"""
    # Three and four steps from the victim, since C announces.
    assert trace(make, rules) == 42


def test_patterns_and_wheres_choose_who_reacts(make: Make) -> None:
    rules = """
enum Suit: red, blue
type Value: 1..9 with joker = 8, two = 2
card Card:
    value: Value
    suit: Suit
components cards of Card in box:
    1 x (value: v, suit: s) for v in Value for s in Suit
zone box: set of Card, face up
event played(c: Card)
event mixed(c: Card?, v: Value)
ability is_joker on played(joker): perform note(1)
ability is_two on played(two): perform note(2)
ability is_red on played(c) where c.suit = red: perform note(3)
ability by_value on mixed(c, two): perform note(4)
ability by_face on mixed(joker, v): perform note(5)
stage game:
    let red_joker = the c in box where c = Card(8, red)
    let blue_two = the c in box where c = Card(2, blue)
    let blue_five = the c in box where c = Card(5, blue)
    announce played(red_joker)
    announce played(blue_two)
    announce played(blue_five)
    announce mixed(red_joker, 2)
    announce mixed(none, 2)
    announce mixed(none, 3)
"""
    assert trace(make, rules) == 13_2_45_4


def test_what_follows_an_announcement_runs_after_the_reactions(make: Make) -> None:
    rules = """
event called
trigger react on called: perform note(1)
stage game:
    announce called:
        perform note(2)
    perform note(3)
"""
    assert trace(make, rules) == 123


def test_cancel_drops_the_rest_of_the_announcement_and_its_body(make: Make) -> None:
    rules = """
event called
trigger one on called: perform note(1)
trigger two on called:
    perform note(2)
    if flag: cancel called
    perform note(3)
trigger three on called as players[1]: perform note(4)
stage game:
    announce called: perform note(5)
    flag := true
    announce called:
        perform note(6)
    perform note(7)
"""
    assert trace(make, rules) == 12345127


def test_cancel_in_what_a_trigger_caused(make: Make) -> None:
    rules = """
event called
event deeper
trigger one on called:
    perform inner
    perform note(8)
procedure inner:
    announce deeper: perform note(1)
    perform note(9)
trigger two on deeper: cancel called
stage game:
    announce called: perform note(7)
    perform note(2)
"""
    assert trace(make, rules) == 2


def test_cancel_drops_the_innermost_announcement_of_the_event(make: Make) -> None:
    rules = """
card Card:
    rank: 1..9
components cards of Card:
    3 x (rank: 1)
event called(k: 1..3)
trigger one on called(k):
    perform note(k)
    if k < 3: announce called(k + 1): perform note(k + 4)
    if k = 3: cancel called
    perform note(9)
stage game:
    announce called(1): perform note(4)
"""
    # k = 3 cancels itself: its body (6) is dropped; then 9, the body of k = 2 (5), 9, and the body of k = 1 (4).
    assert trace(make, rules) == 12395_94


def test_cancel_of_one_event_within_another(make: Make) -> None:
    rules = """
event outer
event inner
trigger one on outer:
    announce inner: perform note(1)
    perform note(2)
trigger two on inner: cancel inner
stage game:
    announce outer: perform note(3)
"""
    assert trace(make, rules) == 23


def test_cancel_inside_as_and_loops_goes_on_there(make: Make) -> None:
    rules = """
event called(p: player)
trigger one on called(p) where seat(p) = 2: cancel called
stage game:
    for p in players:
        as right(p):
            announce called(p): perform note(seat(p))
            perform note(seat(you) + 4)
"""
    assert trace(make, rules, players=3) == 175_36


def test_cancel_of_what_is_not_announced_is_a_fault(make: Make) -> None:
    rules = "event called\nprocedure drop: cancel called\nstage game: perform drop\n"
    with pytest.raises(GameFault) as raised:
        make(HEAD + rules).start(seed=0)
    assert raised.value.diagnostic.code.number == "EGO713"


def test_an_event_may_be_announced_from_its_own_triggers_as_deep_as_there_are_components(make: Make) -> None:
    rules = """
card Card:
    rank: 1..9
components cards of Card:
    {} x (rank: 1)
event called(k: 1..9)
trigger one on called(k):
    perform note(k)
    if k < 5: announce called(k + 1)
stage game: announce called(1)
"""
    assert trace(make, rules.format(5)) == 12345
    assert trace(make, rules.format(4)) == 12345
    with pytest.raises(GameFault) as raised:
        trace(make, rules.format(3))
    assert raised.value.diagnostic.code.number == "EGO707"


def test_an_event_without_reactions_runs_its_body(make: Make) -> None:
    assert trace(make, "event called\nstage game: announce called: perform note(4)\n") == 4


def test_return_ends_a_procedure_an_ability_and_a_trigger(make: Make) -> None:
    rules = """
event called
ability one on called:
    for k in 1..3:
        perform note(k)
        as players[2]:
            if k = 2: return
    perform note(9)
trigger two on called:
    if t > 0: return
    perform note(8)
stage game:
    announce called
    perform note(7)
"""
    assert trace(make, rules) == 127


def test_a_procedure_gives_a_value_back(make: Make) -> None:
    rules = """
procedure half(k: 0..9) -> 0..9?:
    if k % 2 = 0: return k // 2
procedure outer(k: 0..9) -> 0..9?:
    let found = perform half(k)
    if found != none: return found
    perform half(8)
stage game:
    let a = perform half(6)
    if a != none: perform note(a)
    let b = perform half(5)
    if b = none: perform note(9)
    perform half(4)
    let c = perform outer(3)
    if c = none: perform note(7)
"""
    # `outer` ends without a return: what `half` gave back inside it is not its own.
    assert trace(make, rules) == 397


def test_a_trigger_that_comes_between_does_not_change_what_is_given_back(make: Make) -> None:
    rules = """
procedure five -> 0..9: return 5
trigger between whenever flag:
    let x = perform five
    perform note(x)
    perform five
procedure change -> 0..9?:
    flag := true
stage game:
    as players[1]: choose k in 1..1
    perform note(k)
    let got = perform change
    if got = none: perform note(8)
"""
    state = play(make(HEAD + rules).start(seed=0), "1")
    assert var(state, "t") == 158


def test_a_reaction_may_decide(make: Make) -> None:
    rules = """
event called(k: 1..9)
trigger one on called(k) as left(active): may "stop it": cancel called
trigger two on called(k) as right(active): may "stop it": cancel called
stage game:
    turns from players[2]:
        announce called(4): perform note(4)
        end game
"""
    state = make(HEAD + rules, players=3).start(seed=0)
    assert state.to_move == (2,)
    play(state, "no")
    assert state.to_move == (0,)
    assert moves(state) == ["stop it", "no"]
    stopped = play(state.clone(), "stop it")
    assert stopped.is_over
    assert var(stopped, "t") == 0
    assert var(play(state, "no"), "t") == 4


def test_end_from_within_a_reaction(make: Make) -> None:
    rules = """
event called
trigger one on called: end round
stage game:
    play round
    perform note(2)
stage round:
    announce called: perform note(1)
    perform note(1)
"""
    assert trace(make, rules) == 2
