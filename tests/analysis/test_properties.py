"""What is said of properties that cannot be meant."""

from __future__ import annotations

import pytest

from egodsl.analysis import check_file
from egodsl.source.text import SourceText

HEAPS = """\
rulebook heaps "Heaps":
    players 2..3
    result most score

enum Colour: red, blue
card Chip:
    colour: Colour
components chips of Chip in bag:
    2 x (colour: c) for c in Colour
zone bag: stack of Chip, face down
zone hand[player]: set of Chip, owner only
var score[player]: 0..9 = 0
var bid[player]: 0..9 = 0, owner only

stage game:
    repeat 3 times:
        play round
stage round:
    as p in players: choose one of add, draw
action add (n in 1..3): score += n
action draw when not empty(bag): move top(bag) to hand
"""


def said(line: str) -> list[tuple[str, str, str]]:
    _, every = check_file(SourceText("heaps.rules", f"{HEAPS}\n{line}\n"))
    found = [one for one in every if one.code.number != "EGO510"]
    assert all(one.span is not None and one.span.line >= HEAPS.count("\n") for one in found), found
    return [(one.code.number, one.message, one.help or "") for one in found]


@pytest.mark.parametrize(
    ("claim", "code", "message"),
    [
        (
            "always score[players[1]]",
            "EGO401",
            "`score[players[1]]` is a number, and what a property claims is to be a `bool`",
        ),
        ("finally red", "EGO401", "`red` is a `Colour`, and what a property claims is to be a `bool`"),
        ("after add: n", "EGO401", "`n` is a number, and what a property claims is to be a `bool`"),
        ("whenever true then eventually 3 within round", "EGO401", "`3` is a number"),
        # Whose?
        ("always bid < 5", "EGO310", "`bid` is about `you`, and nobody is `you` here"),
        ("never empty(hand)", "EGO310", "`hand` is about `you`, and nobody is `you` here"),
        ("after round: empty(hand)", "EGO310", "`hand` is about `you`, and nobody is `you` here"),
        ("for p in players: always bid < 5", "EGO311", "whose `bid` this is could be mistaken"),
        # What?
        ("every rond within 3 turns", "EGO305", "there is no stage `rond`"),
        ("after ad: true", "EGO301", "there is no action or stage `ad`"),
        ("whenever true then eventually true within gmae", "EGO305", "there is no stage `gmae`"),
        ("every round within score[players[1]] turns", "EGO415", "`score[players[1]]` must be known before play"),
        ("every round within red turns", "EGO401", "`red` is a `Colour`"),
        ("seen by red: bid[players[1]]", "EGO401", "`red` is a `Colour`, and who sees something is to be a `player`"),
        ("for c in bag: always c.colour = red", "EGO415", "`bag` must be known before play, and `bag` changes in play"),
        ("for c in Chip where c in bag: always true", "EGO415", "`c in bag` must be known before play"),
        ("for n in 1..3: after add: n = 1", "EGO303", "`n` is a name in the head of `add`"),
        ('everything reached except ad "x"', "EGO519", "there is no action, ability, trigger, reading or mode `ad`"),
        ('everything reached except ad.x "x"', "EGO519", "there is no reading `ad`"),
        ('never stuck except add "x"', "EGO519", "`never stuck` has no exceptions"),
        ("always old(old(score[players[1]])) = 1", "EGO319", "`old` inside `old`"),
    ],
)
def test_one_mistake_is_one_error(claim: str, code: str, message: str) -> None:
    ((number, text, _),) = said(f"property p: {claim}")
    assert number == code
    assert text.startswith(message)


@pytest.mark.parametrize(
    ("claim", "advice"),
    [
        ("always bid < 5", "say for whom"),
        ("every rond within 3 turns", "did you mean `round`?"),
        ("after ad: true", "did you mean `add`?"),
        ('no leak except add "x"', "waived"),
        ("for c in bag: always true", "behind `always`"),
    ],
)
def test_there_is_advice(claim: str, advice: str) -> None:
    ((_, _, help_),) = said(f"property p: {claim}")
    assert advice in help_


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("always score[players[1]] > 3", "never score[players[1]] > 3"),
        ("always not (score[players[1]] > 3)", "always score[players[1]] > 3"),
        ("reachable score[players[1]] > 3", "never score[players[1]] > 3"),
        ("reachable score[players[1]] > 3", "always not score[players[1]] > 3"),
        ("finally score[players[1]] > 3", "never score[players[1]] > 3"),
        ("finally not (score[players[1]] > 3)", "finally score[players[1]] > 3"),
    ],
)
def test_contradictions_are_errors(one: str, other: str) -> None:
    ((number, message, _),) = said(f"property one: {one}\nproperty other: {other}")
    assert number == "EGO518"
    assert message == "`other` and `one` cannot both hold"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("always score[players[1]] > 3", "always score[players[1]] > 3"),
        ("reachable score[players[1]] > 3", "reachable not (score[players[1]] > 3)"),
        ("for p in players: always score[p] > 3", "never score[players[1]] > 4"),
        ("finally score[players[1]] > 3", "reachable not score[players[1]] > 3"),
    ],
)
def test_what_is_no_contradiction_is_none(one: str, other: str) -> None:
    assert said(f"property one: {one}\nproperty other: {other}") == []


def test_what_never_runs_is_told_once() -> None:
    ((number, message, _),) = said("stage spare: nothing\nproperty p: every spare within 3 turns")
    assert (number, message) == ("EGO517", "the stage `spare` is never played, so `p` says nothing")
    ((number, message, _),) = said("action idle: nothing\nproperty p: after idle: true")
    assert (number, message) == ("EGO517", "the action `idle` is never offered, so `p` says nothing")


def test_two_properties_of_one_name() -> None:
    ((number, message, _),) = said("property p: no leak\nproperty p: never stuck")
    assert number == "EGO204"
    assert message == "there is a property `p` already"


def test_what_only_a_property_asks_for_is_used() -> None:
    assert said("define sum_of_all = sum(score[p] for p in players)\nproperty p: always sum_of_all < 28") == []
