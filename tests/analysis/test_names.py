"""What names refer to, and what may not have the same name."""

from __future__ import annotations

import pytest

from egodsl.analysis import check_file
from egodsl.analysis.symbols import Builtin, EnumValue, LabelValue, Local
from egodsl.syntax import nodes
from tests.analysis.helpers import checked, complaints, first, source


def test_values_are_told_apart_by_the_type_that_is_expected() -> None:
    body = """
enum Sky: sun, hearts
var sky: Sky = hearts
define a = suit = hearts
define b = hearts = sky
define c = Card(hearts, 2)
define d = trump in {hearts, spades}
define e(s: Sky) = s
define f = e(hearts)
define g = Sky.hearts
"""
    result = checked(body)
    expected = {"a": "Suit", "b": "Sky", "c": "Suit", "d": "Suit", "f": "Sky"}
    for define, owner in expected.items():
        value = result.refs[first(result.program.defines[define], nodes.Name, "hearts")]
        assert isinstance(value, EnumValue)
        assert (value.decl.name.name, value.name) == (owner, "hearts")
    attribute = first(result.program.defines["g"], nodes.Attribute)
    assert result.refs[attribute] is result.refs[attribute.name]
    initial = result.program.vars["sky"].initial
    assert initial is not None
    value = result.refs[initial]
    assert isinstance(value, EnumValue)
    assert (value.decl.name.name, value.index) == ("Sky", 1)


def test_an_enum_brings_the_values_of_another_in_their_order() -> None:
    result = checked('enum Strain: Suit, notrump "NT"\nvar strain: Strain = spades\ndefine x = strain = trump\n')
    strain = result.program.enums["Strain"]
    values = result.values[strain]
    assert [(value.name, value.index) for value in values if isinstance(value, EnumValue)] == [
        ("hearts", 0),
        ("spades", 1),
        ("notrump", 2),
    ]
    assert result.refs[strain.items[0].name] is result.program.enums["Suit"]


def test_labels_answers_modes_and_parameters() -> None:
    body = """
mode fast "Fast"
parameter target: 1..9 = 5 "Points"
reading order "Who is first?":
    first "the first" default
    last "the last"
define a = top(deck).rank = jack and fast and target > 3 and order = first
"""
    result = checked(body)
    define = result.program.defines["a"]
    label = result.refs[first(define, nodes.Name, "jack")]
    assert isinstance(label, LabelValue)
    assert label.label.label == "J"
    answer = result.refs[first(define, nodes.Name, "first")]
    assert isinstance(answer, EnumValue)
    assert answer.decl is result.program.readings["order"]
    assert result.refs[first(define, nodes.Name, "fast")] is result.program.modes["fast"]
    assert result.refs[first(define, nodes.Name, "target")] is result.program.parameters["target"]
    assert isinstance(result.refs[first(define, nodes.Call, "top(deck)").name], Builtin)


def test_patterns_are_values_of_the_parameter_or_of_a_field_or_else_names() -> None:
    body = """
event played(c: Card)
event named(r: Rank, p: player)
ability of_jacks on played(jack): nothing
ability of_all on played(c): reveal c
ability of_aces on named(ace, who): reveal hand[who]
"""
    result = checked(body)
    reactions = result.program.reactions
    jack = result.patterns[reactions["of_jacks"].patterns[0]]
    assert (jack.field, isinstance(jack.value, LabelValue)) == ("rank", True)
    ace = result.patterns[reactions["of_aces"].patterns[0]]
    assert ace.field is None
    assert isinstance(result.refs[reactions["of_all"].patterns[0]], Local)
    assert isinstance(result.refs[reactions["of_aces"].patterns[1]], Local)


def test_choose_under_the_name_of_a_variable_sets_it() -> None:
    body = "action name: choose suit in Suit where suit != hearts\n"
    result = checked(body)
    choose = first(result.program.actions["name"], nodes.Choose)
    ident = choose.bindings[0].name
    assert result.refs[ident] is result.program.vars["suit"]
    candidate = result.candidates[ident]
    where = first(choose.bindings[0].wheres[0], nodes.Name, "suit")
    assert result.refs[where] is candidate


def test_a_choice_must_fit_the_variable() -> None:
    assert complaints("action name: choose suit in 1..3\n") == [
        "EGO401 `suit` is a number, and the variable `suit` is to be a `Suit`"
    ]


def test_a_name_bound_in_both_branches_is_one_local_and_lives_on() -> None:
    body = """
procedure x(p: player):
    if leader = none:
        let n = 1
    otherwise:
        let n = 2
    score[p] := n
"""
    result = checked(body)
    procedure = result.program.procedures["x"]
    lets = [node for node in nodes.walk(procedure) if isinstance(node, nodes.Let)]
    use = first(procedure, nodes.Name, "n")
    assert result.refs[lets[0].name] is result.refs[lets[1].name] is result.refs[use]


def test_a_name_of_the_other_branch_has_no_value() -> None:
    body = """
procedure x(p: player):
    if leader = none:
        let n = 1
    otherwise:
        score[p] := n
"""
    assert complaints(body) == ["EGO301 `n` has no value here: it is bound only in another branch"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("procedure x: for deck in 1..3: nothing\n", "EGO303 `deck` is a zone already"),
        ("procedure x(p: player): for p in players: nothing\n", "EGO303 `p` is a name that is in use here"),
        ("procedure x: for jack in 1..3: nothing\n", "EGO303 `jack` is a value of `Rank` already"),
        ("action x(suit in Suit): nothing\n", "EGO303 `suit` is a var already"),
        ("procedure x(n: 1..3): let n = 2\n", "EGO303 `n` is bound already"),
        ("define x(a: 1..3, a: 1..3) = a\n", "EGO303 `a` is a name that is in use here"),
    ],
)
def test_no_name_hides_another(body: str, expected: str) -> None:
    assert complaints(body) == [expected]


def test_a_choice_that_nothing_uses_is_a_warning_also_if_its_own_where_reads_it() -> None:
    assert complaints("action x: choose c in hand where c.rank = 1\n") == ["EGO309 `c` is chosen and never used"]
    assert complaints("action x:\n    choose c in hand, d in hand where c != d\n    move d to bag\n") == []


def test_players_are_letters_only_in_scenarios() -> None:
    scenario = """
action give(c in hand, p in others): move c to hand[p]
scenario "one":
    players 3
    given hand[A] = {Card(hearts, 2), Card(spades)}
    given leader = B
    A plays give(c: Card(hearts, 2), p: C)
    A plays give(c: 1)
    expect leader = B and count(hand[C]) = 1
"""
    result = checked(scenario)
    step = first(result.program.scenarios["one"], nodes.PlaysStep)
    ref = result.refs[step.player]
    assert isinstance(ref, Builtin)
    assert ref.name == "A"
    assert complaints("define x = A\n") == ["EGO301 nothing is called `A`"]
    wrong = 'scenario "one":\n    E plays give\naction give: nothing\n'
    assert complaints(wrong) == ["EGO301 no player is called `E` in a scenario"]


def test_faces_stand_for_cards_only_in_scenarios() -> None:
    define = "define total(cards: set of Card) = sum(c.rank for c in cards)\n"
    assert complaints(define + 'scenario "one":\n    expect total({Card(hearts, 2)}) = 2\n') == []
    assert complaints(define + "define x = total({Card(hearts, 2)})\n") == [
        "EGO401 `{Card(hearts, 2)}` is a `set of face of Card`, and `cards` of `total` is to be a `set of Card`"
    ]


def test_suggestions() -> None:
    _, found = check_file(source("define x = count(dekc)\n"))
    assert [one.help for one in found if one.code.number == "EGO301"] == ["did you mean `deck`?"]


def test_a_slip_is_one_complaint() -> None:
    slip = "action x:\n    choose card_here in hand\n    move card_hre to bag\n"
    assert complaints(slip) == ["EGO301 nothing is called `card_hre`"]
    row = "components more of Card in deck:\n    1 x (siut: hearts, rank: 1)\n"
    assert complaints(row) == ["EGO307 a `Card` has no field `siut`"]
    brackets = "define wealth(p: player) = count(hand[p])\ndefine mine = wealth[players[1]]\n"
    assert complaints(brackets) == ["EGO403 `wealth` takes its arguments in parentheses"]


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ("True", "write `true`"),
        ("null", "what is not there is `none`"),
        ("players[1].hand", "write `hand[players[1]]`"),
        ("pile.count", "write `count(pile)`"),
        ("len(pile)", "how many there are is `count(…)`"),
        ("random(3)", "chance is a statement: `pick x at random from …`"),
    ],
)
def test_what_other_languages_write_is_put_right(value: str, advice: str) -> None:
    complained = check_file(source(f"define x = {value}\n"))[1]
    (found,) = (one for one in complained if one.is_error and one.code.number[3] in "34")
    assert found.help == advice


@pytest.mark.parametrize(
    ("line", "advice"),
    [("perform game", "a stage is run by `play game`"), ("play give", "an action is run by `choose one of give`")],
)
def test_what_is_run_the_wrong_way_says_the_right_one(line: str, advice: str) -> None:
    body = f"action give(c in hand): move c to bag\nprocedure wrong: {line}\n"
    (found,) = (one for one in check_file(source(body))[1] if one.code.number == "EGO306")
    assert found.help == advice
