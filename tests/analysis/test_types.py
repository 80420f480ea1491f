"""The types of expressions, worked out by hand."""

from __future__ import annotations

import pytest

from egodsl.analysis.relations import accepts, arithmetic, join, outside, related
from egodsl.analysis.types import (
    WIDEST,
    BoolType,
    CardType,
    FaceType,
    IntType,
    NoneType,
    OptionalType,
    PlayerType,
    RowType,
    SetType,
    TeamType,
    Type,
)
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax import nodes
from tests.analysis.helpers import checked, complaints, first, type_in

SPAN = Span(SourceText("x", "x"), 0, 1)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 + 3 * 4", "14..14"),
        ("count(players)", "2..4"),
        ("count(others)", "1..3"),
        ("count({p for p in players where leader = p})", "0..4"),
        ("count(Suit)", "0..2"),
        ("count(deck)", "0.."),
        ("count(spot)", "0.."),
        ("count(players) - 1", "1..3"),
        ("min(count(players), 3)", "2..3"),
        ("max(count(players), 3)", "3..4"),
        ("-7 // 2", "-4..-4"),
        ("-7 % 2", "0..1"),
        ("abs(-3)", "3..3"),
        ("steps(players[1], active)", "0..3"),
        ("seat(active)", "1..4"),
        ("left(active, 2)", "player"),
        ("players", "row of player"),
        ("deck", "row of Card"),
        ("bag", "set of Card"),
        ("spot", "Card?"),
        ("top(deck)", "Card"),
        ("top(deck).rank", "Rank"),
        ("spot.rank", "Rank"),
        ("top(deck).bonus", "0..3?"),
        ("hand[players[1]]", "set of Card"),
        ("given[players[1], hearts]", "set of Card"),
        ("Card", "set of Card"),
        ("Suit", "set of Suit"),
        ("Rank", "set of Rank"),
        ("Card(hearts, jack)", "face of Card"),
        ("{Card(hearts), Card(spades, 2)}", "set of face of Card"),
        ("hearts..spades", "set of Suit"),
        ("2..jack", "set of Rank"),
        ("{1, 5}", "set of 1..5"),
        ("{ace, none}", "set of Rank?"),
        ("[hearts, spades]", "row of Suit"),
        ("(hearts, 3)", "(Suit, 3..3)"),
        ("(1, 5, 3)[count(players)]", "1..5"),
        ("(1, hearts)[2]", "Suit"),
        ("{c in bag where c.rank = ace}", "set of Card"),
        ("{c.suit for c in bag}", "set of Suit"),
        ("[c.rank for c in pile]", "row of Rank"),
        ("bag | pile", "set of Card"),
        ("pile without {top(pile)}", "row of Card"),
        ("sum(c.rank for c in bag)", "0.."),
        ("most(c.rank for c in bag)", "Rank"),
        ("subsets(bag, 2)", "set of set of Card"),
        ("groups(bag, .rank, 2..4)", "set of set of Card"),
        ("runs(bag, .rank, 3..5, each: 2, within: .suit, wild: bag, above: 3)", "set of set of Card"),
        ("packings(groups(bag, .rank, 2))", "set of set of set of Card"),
        ("joined(groups(bag, .rank, 2))", "set of Card"),
        ("last_of(pile, 3)", "row of Card"),
        ("in_a_row(bag, .rank)", "bool"),
        ("trump if leader = none else suit", "Suit?"),
        ("1 if leader = none else none", "1..1?"),
        ("hearts if leader = none else trump", "Suit?"),
    ],
)
def test_type_of_an_expression(expression: str, expected: str) -> None:
    assert str(type_in(checked(f"define x = {expression}\n"), "x")) == expected


def test_teams() -> None:
    body = "define x = partner(players[1])\ndefine y = members(team(players[1]))\ndefine z = opponents(teams[1])\n"
    result = checked(body + "var points[team]: 0..9 = 0\n", head="    players 4 in 2 teams\n")
    assert [type_in(result, name) for name in "xyz"] == [PlayerType(), SetType(PlayerType()), TeamType()]


def test_the_first_by_a_key_is_a_member() -> None:
    result = checked("define x = the c in bag where c.suit = hearts by most c.rank, least seat(active)\n")
    assert str(type_in(result, "x")) == "Card"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("most score[p]", "row of set of player"),
        ("most score[p], at random", "row of player"),
        ("most score[p], least seat(p)", "row of player"),
        ("most score[p], most steps(active, p)", "row of player"),
        ("most steps(p, p)", "row of set of player"),
        ("least seat(active)", "row of set of player"),
    ],
)
def test_ranking_is_strict_only_with_a_key_that_breaks_every_tie(keys: str, expected: str) -> None:
    result = checked(f"procedure x:\n    rank p in players by {keys} as places\n    let y = places\n")
    let = first(result.program.procedures["x"], nodes.Let)
    assert str(result.types[let.value]) == expected


def test_a_tie_is_no_player() -> None:
    body = "procedure x:\n    rank p in players by most score[p] as places\n    leader := places[1]\n"
    assert complaints(body) == ["EGO401 `places[1]` is a `set of player`, and `leader` is to be a `player?`"]


def test_bounds_read_parameters_and_the_number_of_players() -> None:
    body = 'parameter top_score: 10..50 = 20 "Points"\nvar a: 0..top_score = 0\nvar b: 1..count(players) = 1\n'
    result = checked(body)
    declared = {name: result.declared[result.program.vars[name].type] for name in "ab"}
    assert declared == {"a": IntType(0, 50), "b": IntType(1, 4)}


def test_an_integer_that_is_assigned_has_no_narrow_bounds() -> None:
    body = "procedure x:\n    let n = 1\n    let m = 1\n    n := n + 1\n    let a = n\n    let b = m\n"
    result = checked(body)
    names = {one.name.name: result.types[one.value] for one in nodes.walk(result.program.procedures["x"])
             if isinstance(one, nodes.Let)}  # fmt: skip
    assert names["a"] == IntType(-WIDEST, WIDEST)
    assert names["b"] == IntType(1, 1)


def test_marks_are_assigned_and_fields_are_not() -> None:
    die = "card Die:\n    pips: 1..6\n    var face: 1..6 = 1\nzone cup: set of Die, face up\n"
    good = "procedure x:\n    for d in cup: d.face := 6\n    roll cup\n"
    bad = "procedure x: for d in cup: d.pips := 6\n"
    assert complaints(die + good) == []
    assert complaints(die + bad) == ["EGO314 `pips` is printed on the card and does not change"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("score[active] := 100", "EGO407 `100` lies outside `0..99`, the range of `score[active]`"),
        ("leader := 1", "EGO401 `1` is a number, and `leader` is to be a `player?`"),
        ("score[active] += 100", "EGO407 `score[active]` lies in `0..99`, and `+= 100` always leads out of it"),
        ("move top(deck) to 3", "EGO410 `3` is a number, and here the name of a zone belongs"),
        ("move 3 to bag", "EGO401 `3` is a number, and `move` takes a card, cards or a zone"),
        (
            "move Card(hearts) to bag",
            "EGO401 `Card(hearts)` is a `face of Card`, and `move` takes a card, cards or a zone",
        ),
        (
            "swap top(deck) with bag",
            "EGO401 `swap` exchanges two cards or two zones, and here a card stands against a zone",
        ),
        ("roll bag", "EGO401 a `Card` has nothing that a roll changes"),
        ("if top(bag).rank = 1: nothing", "EGO401 `bag` is a `set of Card`, and only a stack or a row has a top"),
        ("if top(deck).rank = 11: nothing", "EGO407 `top(deck).rank` is never `11`: it lies in `1..10`"),
        (
            "if deck = bag: nothing",
            "EGO402 a `row of Card` and a `set of Card` have nothing in common for `=` to go by",
        ),
        ("if suit = none: nothing", "EGO402 a `Suit` is never none"),
        ("for p in active: nothing", "EGO405 `active` is a `player`, and only a set or a row can be gone through"),
        ("for c in spot: nothing", "EGO405 `spot` is a `Card?`, and only a set or a row can be gone through"),
        ("as p in active: nothing", "EGO405 `active` is one player"),
        ("let x = pile[1, 2]", "EGO406 a row has one index, and 2 are given"),
        ("let x = bag[1]", "EGO406 `bag` is a `set of Card`, and only a row or a tuple has places"),
        ("let x = hand[1]", "EGO406 `hand` is indexed by player, and `1` is a number"),
        ("let x = bag.rank", "EGO307 `bag` is a `set of Card`, and only a card has fields such as `rank`"),
        ("let x = any(bag)", "EGO403 `any` asks something of each: `any(… for x in …)`"),
        ("let x = left()", "EGO403 `left` takes 1 or 2 arguments, and is given none"),
        ("let x = groups(bag, .rnak, 2)", "EGO307 a `Card` has no field `rnak`"),
        ("let x = sum(c.suit for c in bag)", "EGO401 `c.suit` is a `Suit`, and what `sum` adds up is to be a number"),
        ("next := 3", "EGO401 `3` is a number, and `next` is to be a `player`"),
        ("active := left(active)", "EGO314 `active` is built in and cannot be assigned"),
        ("deck := pile", "EGO314 `deck` is a zone and cannot be assigned"),
    ],
)
def test_wrong_statements(statement: str, expected: str) -> None:
    assert complaints(f"procedure x:\n    {statement}\n") == [expected]


def test_a_row_may_stand_for_a_set_and_an_optional_for_its_inner_type() -> None:
    body = "define total(cards: set of Card) = sum(c.rank for c in cards)\ndefine x = total(pile)\n"
    assert complaints(body + "define suits(s: Suit) = s\ndefine y = suits(trump)\n") == []


def test_one_mistake_gives_one_error() -> None:
    body = "define a = nothing_here + 1\ndefine b = a * 2\ndefine c = b > nothing_here\n"
    assert complaints(body) == ["EGO301 nothing is called `nothing_here`"]


def test_relations() -> None:
    card = nodes.CardDecl(span=SPAN, name=nodes.Ident(span=SPAN, name="C"), fields=[], marks=[], written=None)
    one, face = CardType(card), FaceType(card)
    number: Type = IntType(0, 9)
    assert accepts(OptionalType(number), NoneType())
    assert not accepts(number, NoneType())
    assert accepts(face, one)
    assert not accepts(one, face)
    assert accepts(one, face, faces=True)
    assert accepts(SetType(number), RowType(number))
    assert not accepts(RowType(number), SetType(number))
    assert related(SetType(one), SetType(face))
    assert not related(SetType(one), RowType(one))
    assert not related(number, BoolType())
    assert outside(IntType(0, 9), IntType(10, 12))
    assert not outside(IntType(0, 9), IntType(9, 12))
    assert join(IntType(1, 2), IntType(5, 6)) == IntType(1, 6)
    assert join(number, NoneType()) == OptionalType(number)
    assert join(number, BoolType()) is None


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%"])
@pytest.mark.parametrize("left", [(-3, 2), (0, 4), (5, 5)])
@pytest.mark.parametrize("right", [(-2, -1), (1, 3), (2, 2)])
def test_bounds_hold_for_every_pair(operator: str, left: tuple[int, int], right: tuple[int, int]) -> None:
    bounds = arithmetic(operator, IntType(*left), IntType(*right))
    operations = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "//": int.__floordiv__, "%": int.__mod__}
    pairs = [(a, b) for a in range(left[0], left[1] + 1) for b in range(right[0], right[1] + 1)]
    found = [operations[operator](a, b) for a, b in pairs]
    assert bounds.low <= min(found) <= max(found) <= bounds.high
    if operator in "+-*":
        assert (bounds.low, bounds.high) == (min(found), max(found))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("move 1 from deck to bag as drawn", "Card"),
        ("move 2 from deck to bag as drawn", "set of Card"),
        ("move up to 1 from deck to bag as drawn", "set of Card"),
        ("move 1 at random from bag to spot as drawn", "Card"),
        ("move top(deck) to bag as drawn", "Card"),
        ("move spot to bag as drawn", "Card"),
        ("move deck to bag as drawn", "row of Card"),
        ("reveal hand[active] as drawn", "set of Card"),
        ("as active: look at top(deck) as drawn", "Card"),
    ],
)
def test_what_was_moved_or_seen(statement: str, expected: str) -> None:
    result = checked(f"procedure x:\n    {statement}\n    let y = drawn\n")
    assert str(result.types[first(result.program.procedures["x"], nodes.Let).value]) == expected


def test_procedures_give_back_what_they_declare() -> None:
    body = """
procedure pair(p: player) -> Card?:
    if empty(hand[p]): return none
    return top(deck)
procedure x:
    let c = perform pair(active)
    let y = c
"""
    result = checked(body)
    assert str(result.types[first(result.program.procedures["x"], nodes.Let).value]) == "Card?"
    wrong = "procedure one -> Card: return 1\n"
    assert complaints(wrong) == ["EGO401 `1` is a number, and what the procedure gives back is to be a `Card`"]
    assert complaints("procedure one -> Card: return\n") == [
        "EGO409 this procedure gives back a `Card`, and here it returns without"
    ]
