"""Expressions: what stops early, what is a fault, `the`, `rank` and preferences, numbers and their ranges."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import outcomes, play, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

TABLE = """
enum Suit: red, blue, green
card Card:
    suit: Suit
    rank: 1..9?
    written "{suit}{rank}"
components cards of Card in box:
    1 x (suit: s, rank: r) for s in Suit for r in 1..9
    1 x (suit: red, rank: none)
zone box: set of Card, face up
zone pile: stack of Card, face up
zone table: row of Card, face up
zone spot[player]: one Card, face up
var score[player]: 0..9 = 0
var grid[1..3, Suit]: 0..99 = 0
var maybe: player? = none
var unset: 1..9
var huge: 0.. = 0
var small: -3..3 = 0
var n: -9999..99999 = 0
var yes: bool = false
define fact(k: 0..9) = 1 if k < 2 else k * 2
define nothing_there: Card? = none
define picky(k: 0..9):
    10 if k = 1
    20 if k = 2

"""


def run(make: Make, body: str, **settings: int) -> State:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return make(f"{TABLE}stage game:\n{lines}", **settings).start(seed=0)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # What decides comes first; the rest, which would be a fault, is not asked.
        ("false and top(pile).rank = 1", False),
        ("true or top(pile).rank = 1", True),
        ("not empty(pile) and top(pile).rank = 1", False),
        ("any(k = 2 or 1 // (2 - k) > 9 for k in 1..2)", True),
        ("all(k < 2 and 1 // (2 - k) < 9 for k in 1..3)", False),
        ("maybe != none and seat(maybe) = 1", False),
        ("any(seat(p) = 1 or seat(maybe) = 1 for p in players)", True),
        ("all(seat(p) > 1 and seat(maybe) = 1 for p in players)", False),
        ("any(k > 0 for k in 5..4)", False),
        ("all(k > 9 for k in 5..4)", True),
        ("3 in 1..4", True),
        ("5 not in 1..4", True),
        ("maybe = none", True),
        ("(2, 9) > (1, 99)", True),
        ("(2, 1) > (2, 1)", False),
        ("(2, 1, 5) >= (2, 1, 5)", True),
        ("1..3 = {3, 2, 1}", True),
        ("{1, 2} = {2, 1, 1}", True),
        ("[1, 2] = [2, 1]", False),
    ],
)
def test_truths(make: Make, expression: str, expected: object) -> None:
    assert var(run(make, f"yes := {expression}"), "yes") is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 if true else 1 // 0", 1),
        ("1 // 0 if false else 2", 2),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("2 + 3 * 4 - 1", 13),
        ("10 - 2 - 3", 5),
        ("-(2 - 5)", 3),
        ("abs(2 - 5)", 3),
        ("min(2, 5) * 10 + max(2, 5)", 25),
        ("most(k * (4 - k) for k in 1..3)", 4),
        ("least({3, 1, 2})", 1),
        ("sum(k for k in 1..4)", 10),
        ("sum(1 for k in 1..4 where k % 2 = 0)", 2),
        ("sum(j * k for j in 1..2 for k in j..2)", 7),
        ("sum(k for k in 5..4)", 0),
        # A set holds each value once, so it is added once.
        ("sum({1 for k in 1..5})", 1),
        ("sum({k % 3 for k in 1..9})", 3),
        ("count(k % 2 for k in 1..4)", 4),
        ("count({k % 2 for k in 1..4})", 2),
        ("count([k % 2 for k in 1..4])", 4),
        ("count({k in 1..9 where k > 7})", 2),
        ("count(Suit)", 3),
        ("[10, 20, 30][2]", 20),
        ("(10, 20, 30)[1]", 10),
        ("fact(1) * 100 + fact(4)", 108),
        ("picky(2)", 20),
        ("count(subsets(1..4, 2))", 6),
        ("count(subsets(1..4, 3..4))", 5),
        ("count(subsets(1..4))", 16),
        ("grid[1, blue]", 0),
        ("count(spot[players[1]])", 0),
        ("(if_so if yes else if_not)".replace("if_so", "1").replace("if_not", "2"), 2),
    ],
)
def test_numbers(make: Make, expression: str, expected: int) -> None:
    assert var(run(make, f"n := {expression}"), "n") == expected


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("n := top(pile).rank", "EGO702"),
        ("n := bottom(table).rank", "EGO702"),
        ("move top(pile) to table", "EGO702"),
        ("pick c at random from pile\nmove c to table", "EGO702"),
        ("n := table[1].rank", "EGO704"),
        ("n := [1, 2][n + 3]", "EGO704"),
        ("n := [1, 2][n]", "EGO704"),
        ("n := seat(maybe)", "EGO704"),
        ("n := score[maybe]", "EGO704"),
        ("n := nothing_there.rank", "EGO704"),
        ("let c = the x in box where x.rank = none\nn := c.rank", "EGO704"),
        ("n := most(c.rank for c in pile)", "EGO704"),
        ("n := least(k for k in 1..9 where k > 9)", "EGO704"),
        ("n := picky(3)", "EGO704"),
        ("n := grid[n + 4, red]", "EGO704"),
        ("n := grid[n, red]", "EGO704"),
        ("grid[4 - n, red] := 5", "EGO704"),
        ("n := 1 // n", "EGO712"),
        ("n := 1 % n", "EGO712"),
        ("n := unset", "EGO709"),
        ("unset += 1", "EGO709"),
        ("small := n + 4", "EGO703"),
        ("small -= 4", "EGO703"),
        ("for p in players: score[p] += 5 * seat(p)", "EGO703"),
        ("grid[1, red] := n - 1", "EGO703"),
        ("huge -= 1", "EGO703"),
        ("let c = the x in box where x.suit = red\nn := c.rank", "EGO708"),
        ("let c = the x in box where x.rank = n + 10\nn := c.rank", "EGO708"),
        ("let c = the x in box where x.suit = blue by most x.rank // 2\nn := c.rank", "EGO708"),
        ("maybe := the p in players where seat(p) > 9 by least seat(p), at random", "EGO708"),
        ('stop with "this cannot be"', "EGO711"),
        ("as players[1]: move maybe_card to table".replace("maybe_card", "spot"), "EGO704"),
    ],
)
def test_faults(make: Make, statement: str, code: str) -> None:
    with pytest.raises(GameFault) as raised:
        run(make, statement)
    fault = raised.value
    assert fault.diagnostic.code.number == code
    assert fault.diagnostic.span is not None, "it names the place in the rules"
    again = fault.record
    assert again.players == 2


def test_a_message_of_the_author(make: Make) -> None:
    with pytest.raises(GameFault, match="this cannot be"):
        run(make, 'stop with "this cannot be"')


def test_numbers_are_exact_and_large(make: Make) -> None:
    state = run(make, "huge := 1\nrepeat 60 times: huge := huge * 2\nhuge += 1")
    assert var(state, "huge") == 2**60 + 1
    with pytest.raises(GameFault) as raised:
        run(make, "huge := 1\nrepeat 64 times: huge := huge * 2")
    assert raised.value.diagnostic.code.number == "EGO703"


def test_a_range_is_checked_at_its_bounds(make: Make) -> None:
    assert var(run(make, "small := 3\nsmall -= 6"), "small") == -3


def test_the_initial_value_may_not_be_out_of_range(make: Make) -> None:
    with pytest.raises(GameFault) as raised:
        make("var m: 0..2 = count(players)\nstage game: nothing\n", players=3).start(seed=0)
    assert raised.value.diagnostic.code.number == "EGO703"
    assert var(make("var m: 0..2 = count(players)\nstage game: nothing\n", players=2).start(seed=0), "m") == 2


def test_the_goes_by_keys_in_turn(make: Make) -> None:
    state = run(
        make,
        (
            "let c = the x in box where x.rank != none by most x.rank // 4, least x.rank, "
            "most (1 if x.suit = blue else 0)\n"
            "n := c.rank\nyes := c.suit = blue"
        ),
    )
    assert var(state, "n") == 8
    assert var(state, "yes") is True


def test_the_with_one_candidate_needs_no_key(make: Make) -> None:
    assert var(run(make, "let c = the x in box where x = Card(green, 4)\nn := c.rank"), "n") == 4


SCORES = "score[players[1]] := 3\nscore[players[2]] := 5\nscore[players[3]] := 3\nscore[players[4]] := 1\n"


def test_the_at_random_draws_among_the_equal_only(make: Make) -> None:
    lines = "".join(
        f"    {line}\n"
        for line in (SCORES + "maybe := the p in players where seat(p) != 2 by most score[p], at random").splitlines()
    )
    state = make(f"{TABLE}stage game:\n{lines}", players=4).start()
    assert outcomes(state) == {"A": Fraction(1, 2), "C": Fraction(1, 2)}
    assert var(play(state, "C"), "maybe") == 2


def test_the_at_random_asks_no_chance_where_one_is_left(make: Make) -> None:
    lines = "".join(
        f"    {line}\n" for line in (SCORES + "maybe := the p in players by most score[p], at random").splitlines()
    )
    state = make(f"{TABLE}stage game:\n{lines}", players=4).start()
    assert state.is_over
    assert var(state, "maybe") == 1


def test_the_at_random_into_a_local_name(make: Make) -> None:
    lines = "".join(
        f"    {line}\n"
        for line in (SCORES + "let p = the q in players by least score[q] // 2, at random\nn := seat(p)").splitlines()
    )
    state = make(f"{TABLE}stage game:\n{lines}", players=4).start()
    assert state.is_over
    assert var(state, "n") == 4


def test_rank_gives_sets_where_a_tie_can_be_left(make: Make) -> None:
    state = run(
        make,
        SCORES
        + (
            "rank p in players by most score[p] as places\nfor same in places: n := n * 10 + count(same)\n"
            "n := n * 10 + count(places)"
        ),
        players=4,
    )
    assert var(state, "n") == 1213


def test_rank_by_steps_is_strict(make: Make) -> None:
    state = run(
        make,
        SCORES
        + (
            "rank p in players by most score[p], least steps(players[2], p) as order\n"
            "for p in order: n := n * 10 + seat(p)"
        ),
        players=4,
    )
    # 5: B; then C (one step from B) before A (three steps); last D.
    assert var(state, "n") == 2314
    state = run(
        make,
        SCORES + "rank p in players by most score[p], most seat(p) as order\nfor p in order: n := n * 10 + seat(p)",
        players=4,
    )
    assert var(state, "n") == 2314
    state = run(
        make,
        SCORES + "rank p in players where seat(p) > 1 by least score[p], least seat(p) as order\nn := seat(order[1])",
        players=4,
    )
    assert var(state, "n") == 4


def test_rank_at_random_draws_among_the_equal(make: Make) -> None:
    lines = "".join(
        f"    {line}\n"
        for line in (
            SCORES + "rank p in players by most score[p], at random as order\nfor p in order: n := n * 10 + seat(p)"
        ).splitlines()
    )
    state = make(f"{TABLE}stage game:\n{lines}", players=4).start()
    assert outcomes(state) == {"A": Fraction(1, 2), "C": Fraction(1, 2)}
    play(state, "C")
    assert state.is_over
    assert var(state, "n") == 2314


def test_rank_at_random_alone_is_an_order_of_all(make: Make) -> None:
    state = make(
        f"{TABLE}stage game:\n    rank p in players by at random as order\n    for p in order: n := n * 10 + seat(p)\n",
        players=3,
    ).start()
    assert set(outcomes(state).values()) == {Fraction(1, 3)}
    play(state, "B")
    assert outcomes(state) == {"A": Fraction(1, 2), "C": Fraction(1, 2)}
    assert var(play(state, "C"), "n") == 231


def test_a_preference_in_a_set(make: Make) -> None:
    assert var(run(make, "n := sum(k for k in 1..6 where k > 3 if able where k < 6)"), "n") == 9
    assert var(run(make, "n := sum(k for k in 1..6 where k > 8 if able)"), "n") == 21
    assert var(run(make, "n := count({k in 1..6 where k > 2 if able where k < 3 if able where k < 5})"), "n") == 2
    assert var(run(make, "let k = the k2 in 1..6 where k2 > 5 if able\nn := k"), "n") == 6


def test_marks_that_were_never_written(make: Make) -> None:
    rules = """
card Die:
    colour: 1..2
    var eyes: 1..6
    written "{eyes}"
components dice of Die in cup:
    2 x (colour: 1)
zone cup: set of Die, face up
var n: 0..9 = 0
stage game:
    as players[1]:
        choose s in subsets(cup, 1)
        n := count(s)
"""
    state = make(rules).start(seed=0)
    assert len(state.legal_moves(0)) == 1
    assert state == state.clone()
    assert hash(state) == hash(state.clone())
    reading = rules.replace("n := count(s)", "for d in s: n := d.eyes")
    state = make(reading).start(seed=0)
    with pytest.raises(GameFault) as raised:
        state.choose(0)
    assert raised.value.diagnostic.code.number == "EGO709"


def test_a_define_that_compares_with_a_face(make: Make) -> None:
    rules = (
        TABLE
        + """
define is_star(c: Card) = c = Card(blue, 3)
define is_of(c: Card, s: Suit) = c = Card(suit: s)
define twin(c: Card) = Card(red, c.rank)
stage game:
    n := 100 * count({c in box where is_star(c)}) + 10 * count({c in box where is_of(c, green)})
    n += count({c in box where c = twin(c)})
"""
    )
    assert var(make(rules).start(seed=0), "n") == 100 + 90 + 10


@pytest.mark.parametrize(
    "part",
    ["if score[players[1]] = 1: let n = 2", "repeat score[players[1]] times: let n = 2", "for k in {}: let n = k + 1"],
)
@pytest.mark.parametrize("use", ["score[players[1]] := n + 1", "if n > 1: end game", "for k in 1..n: end game"])
def test_a_name_that_was_not_bound_is_a_fault(make: Make, part: str, use: str) -> None:
    game = make(f"var score[player]: 0..9 = 0\nstage game:\n    {part}\n    {use}\n")
    with pytest.raises(GameFault) as caught:
        game.start(seed=0)
    assert caught.value.diagnostic.code.number == "EGO709"


def test_a_name_bound_in_a_part_that_was_played_lives_on(make: Make) -> None:
    game = make(
        """
        var score[player]: 0..9 = 0
        stage game:
            if score[players[1]] = 0: let n = 2
            score[players[1]] := n + 1
        """
    )
    assert var(game.start(seed=0), "score", 0) == 3
