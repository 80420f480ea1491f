"""What each claim means, on games that can be worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.verify.properties import BUILTINS, properties_of, waivers_of
from egodsl.verify.trying import Plan, Tried, try_properties

if TYPE_CHECKING:
    from collections.abc import Iterable

HEAP = """
rulebook heap "A heap of five":
    players 2
    result most (1 if winner = you else 0)

var heap: 0..5 = 5
var winner: player? = none
var asked: bool = false

stage game:
    turns from players[1]: play turn
stage turn:
    asked := true
    choose one of take
    asked := false
    if heap = 0:
        winner := active
        end game

action take (n in 1..min(2, heap)): heap -= n
"""


def book(folder: Path, text: str, *properties: str) -> Rulebook:
    lines = [one if one.startswith("property") else f"property p{k}: {one}" for k, one in enumerate(properties)]
    path = folder / "tried.rules"
    path.write_text(text.lstrip("\n") + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return load(path)


def tried(folder: Path, text: str, claim: str, games: int = 40) -> Tried:
    rulebook = book(folder, text, claim)
    (prop,) = [one for one in properties_of(rulebook) if one.decl is not None]
    (found,) = try_properties(rulebook, properties=[prop], plan=Plan(games=games))
    return found


def shortest(found: Tried) -> int:
    assert found.example is not None
    return found.example.decisions


# In the heap of five each player takes one or two in turn. The numbers are those of the shortest games that break it.
@pytest.mark.parametrize(
    ("claim", "decisions"),
    [
        ("never heap = 5", 0),
        ("never heap = 4", 1),
        ("never heap = 2", 2),
        ("always heap > 0", 3),  # 2, 2, 1
        ("always not heap < 3 or heap = 1", 2),  # 2 is left
        ("for n in 0..4 where n != 3: never heap = n", 1),
        ("after take: n != 2", 1),
        ("after take: heap > old(heap) - 2", 1),
        ("after take: n = 2 or you = players[1]", 2),  # the second takes one
        ("after turn: heap != 1", 2),  # 2, 2
        ("every game within 3 turns", 3),  # a fourth turn begins
        ("every game within 4 decisions", 4),  # 1, 1, 1, 1 and one is left
        ("every turn within 0 decisions", 0),
        ("whenever heap = 3 then eventually heap = 1 within game", 3),  # 2, 1, 2
        ("whenever heap = 5 then eventually heap = 3 within game", 3),  # 1, 2, 2
        ("finally winner = players[1]", 4),  # the second takes the last of four: 2, 1, 1, 1
        ("always old(heap) - heap < 2", 1),
    ],
)
def test_a_claim_that_is_broken(claim: str, decisions: int, tmp_path: Path) -> None:
    found = tried(tmp_path, HEAP, claim)
    assert found.verdict == "broken"
    assert shortest(found) == decisions


@pytest.mark.parametrize(
    "claim",
    [
        "always heap <= 5",
        "always heap <= old(heap)",
        "never heap = 0 and winner = none",
        "after take: heap = old(heap) - n",
        "after take: you = active",
        "after turn: heap < old(heap)",
        "every game within 5 turns",
        "every game within 5 decisions",
        "every turn within 1 decisions",
        "every turn within 0 turns",
        "whenever asked then eventually not asked within turn",
        "whenever heap = 5 then eventually heap < 4 within game",
        "finally heap = 0",
        "finally old(heap) in {1, 2}",
        "reachable heap = 1",
        "for p in players: reachable winner = p",
        "for p in players: for q in players where p != q: never winner = p and winner = q",
        "for p in players: seen by p: heap",
    ],
)
def test_a_claim_that_holds(claim: str, tmp_path: Path) -> None:
    found = tried(tmp_path, HEAP, claim)
    assert found.verdict == "holds"
    assert found.games == 40
    assert found.cases > 0


def test_a_witness_is_looked_for_for_each(tmp_path: Path) -> None:
    found = tried(tmp_path, HEAP, "for n in 0..6: reachable heap = n")
    assert found.verdict == "broken"
    assert found.example is None
    assert found.diagnostic is not None
    assert found.diagnostic.code.number == "EGO831"
    assert "for n = 6" in found.diagnostic.message


@pytest.mark.parametrize(
    "claim",
    [
        "whenever heap = 5 and winner != none then eventually heap = 1 within game",
        "always not (heap = 5 and winner != none) or heap = 3",
    ],
)
def test_a_claim_about_what_never_came_up_is_empty(claim: str, tmp_path: Path) -> None:
    assert tried(tmp_path, HEAP, claim).verdict == "no case"


def test_a_claim_that_cannot_be_worked_out_is_broken_there(tmp_path: Path) -> None:
    found = tried(tmp_path, HEAP, "always 6 // heap > 0")
    assert found.example is not None
    assert "it cannot be told here" in found.example.diagnostic.message
    assert found.example.decisions == 3


def test_what_a_failure_says(tmp_path: Path) -> None:
    found = tried(tmp_path, HEAP, "for n in {2}: always heap + n > old(heap)")
    example = found.example
    assert example is not None
    assert example.diagnostic.code.number == "EGO830"
    assert "`p0` is broken for n = 2: `heap + n > old(heap)` does not hold" in example.diagnostic.message
    assert example.diagnostic.notes == ("`heap + n` is 5", "`old(heap)` is 5")
    assert [text for _, text in example.record.events] == ["take 2"]


# ---------------------------------------------------------------- what players know

HANDS = """
rulebook hands "Hands":
    players 2..3
    result most score

card Card:
    rank: 1..9
components deck of Card in deck:
    1 x (rank: r) for r in 1..9
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
zone table: row of Card, face up
var score[player]: 0..9 = 0
var bid[player]: 0..3 = 0, owner only

stage game:
    shuffle deck
    for p in players: move 2 from deck to hand[p]
    together as p in players: choose bid in 1..3
    turns from players[1] where not empty(hand[you]):
        choose one of lay
action lay (c in hand):
    move c to table
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("for p in players: seen by p: hand[p]", "holds"),
        ("for p in players: seen by p: hand", "holds"),
        ("for p in players: seen by p: table", "holds"),
        ("for p in players: seen by p: count(hand[left(p)])", "holds"),
        ("for p in players: seen by p: bid[p]", "holds"),
        ("for p in players: seen by p: hand[left(p)]", "broken"),
        ("for p in players: seen by p: bid[left(p)]", "broken"),
        ("seen by players[1]: any(c.rank = 9 for c in hand[players[2]])", "broken"),
        ("seen by players[1]: any(c.rank = 9 for c in hand[players[1]])", "holds"),
    ],
)
def test_what_a_player_can_tell(claim: str, verdict: str, tmp_path: Path) -> None:
    assert tried(tmp_path, HANDS, claim, games=6).verdict == verdict


def test_a_property_for_every_card(tmp_path: Path) -> None:
    assert (
        tried(tmp_path, HANDS, "for d in Card where d.rank > 8 and d.rank < 9: never d in table", 2).verdict
        == "no case"
    )
    assert tried(tmp_path, HANDS, "for d in Card: after lay: c != d or d in table", 2).verdict == "holds"
    found = tried(tmp_path, HANDS, "for d in Card where d.rank = 5: never d in table", 20)
    assert shortest(found) == 3  # both bid, the first lays the 5


# ---------------------------------------------------------------- built-in properties

STUCK = """
rulebook stuck "Stuck":
    players 2..4
    result most score

var score[player]: 0..9 = 0
var moves: 0..100 = 0

stage game:
    turns from players[1]:
        if moves = 90: end game
        choose one of step, rest
action step when moves < 3: moves += 1
action rest when moves < 2: score[you] += 1
"""


def builtin(results: Iterable[Tried], name: str) -> Tried:
    (found,) = [one for one in results if one.property.name == name]
    return found


def test_being_stuck_is_found_with_the_fewest_players_and_decisions(tmp_path: Path) -> None:
    found = builtin(try_properties(book(tmp_path, STUCK), plan=Plan(games=10)), "never_stuck")
    assert found.example is not None
    assert found.example.setting.players == 2
    assert found.example.decisions == 3
    assert found.example.diagnostic.code.number == "EGO701"


def test_a_fault_is_found(tmp_path: Path) -> None:
    text = (
        STUCK.replace("when moves < 3: moves += 1", ": moves += 1")
        .replace("0..100", "0..4")
        .replace("if moves = 90", "if score[you] = 9")
    )
    found = builtin(try_properties(book(tmp_path, text), plan=Plan(games=10)), "no_fault")
    assert found.example is not None
    assert found.example.decisions == 5


def test_a_game_without_an_end_is_found(tmp_path: Path) -> None:
    text = STUCK.replace("when moves < 3: moves += 1", ": moves := 1 - moves").replace(
        "when moves < 2: score[you] += 1", ": nothing"
    )
    found = builtin(try_properties(book(tmp_path, text), plan=Plan(games=2, most=50)), "games_end")
    assert found.verdict == "broken"
    assert shortest(found) == 50


def test_what_is_never_reached_is_named(tmp_path: Path) -> None:
    text = (
        HEAP.replace("choose one of take", "choose one of take, idle")
        + "\naction idle when heap = 0 and winner = none: nothing\n"
    )
    found = builtin(try_properties(book(tmp_path, text), plan=Plan(games=4)), "everything_reached")
    assert found.diagnostic is not None
    assert "action `idle`" in found.diagnostic.message
    excepted = 'property all: everything reached except idle "nobody has six"'
    found = builtin(try_properties(book(tmp_path, text, excepted), plan=Plan(games=4)), "all")
    assert found.verdict == "holds"


def test_every_rulebook_has_the_built_in_properties_under_their_names(tmp_path: Path) -> None:
    names = [one.name for one in properties_of(book(tmp_path, HEAP))]
    assert names == list(BUILTINS.values())


def test_a_built_in_property_can_be_named_and_waived(tmp_path: Path) -> None:
    rulebook = book(tmp_path, STUCK, "property free: no leak", 'property tight: never stuck waived "that is the point"')
    names = {one.name for one in properties_of(rulebook)}
    assert "free" in names
    assert not names & {"no_leak", "never_stuck", "tight"}
    (waived,) = waivers_of(rulebook)
    assert waived.reason == "that is the point"
    assert builtin(try_properties(rulebook, plan=Plan(games=3)), "no_fault").verdict == "holds"


def test_a_declared_property_may_have_the_name_of_a_built_in_one(tmp_path: Path) -> None:
    names = [one.name for one in properties_of(book(tmp_path, HEAP, "property no_leak: always heap <= old(heap)"))]
    assert len(set(names)) == len(names)


# ---------------------------------------------------------------- how it is tried


def test_the_same_plan_gives_the_same_counterexample(tmp_path: Path) -> None:
    rulebook = book(tmp_path, HANDS, "never any(c.rank = 7 for c in table)")
    one, two = (try_properties(rulebook, plan=Plan(games=20, seed=5))[0].example for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.record == two.record


def test_a_counterexample_replays_to_the_position_that_breaks_it(tmp_path: Path) -> None:
    rulebook = book(tmp_path, HANDS, "never any(c.rank = 7 for c in table)")
    example = try_properties(rulebook, plan=Plan(games=20))[0].example
    assert example is not None
    again = example.setting.game(rulebook).replay(example.record)
    assert again == example.state
    assert example.setting.players == 2
    assert example.decisions == 3
    # Two bids and the card: the seven must be drawn, and everything else is the first there is.
    drawn = [text for who, text in example.record.events if who == "chance"]
    assert drawn.count("Card(7)") == 1
    assert set(drawn) <= {"Card(1)", "Card(2)", "Card(3)", "Card(7)"}


def test_variants_replace_and_remove_properties(tmp_path: Path) -> None:
    book(tmp_path, HEAP, "property low: never heap = 4", "property high: never heap = 3")
    variant = tmp_path / "other.rules"
    variant.write_text(
        'variant other "Other" of tried\n\nreplace property low: always heap < 6 or heap = 0\nremove property high\n',
        encoding="utf-8",
    )
    rulebook = load(variant)
    declared = [one for one in properties_of(rulebook) if one.decl is not None]
    assert [one.name for one in declared] == ["low"]
    assert [one.verdict for one in try_properties(rulebook, properties=declared, plan=Plan(games=5))] == ["holds"]
