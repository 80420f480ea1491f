"""What readings and modes do to properties."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.verify.readings import survey, wilson
from egodsl.verify.settings import Setting, combinations_of, settings_of
from egodsl.verify.trying import Plan

RULEBOOKS = Path(__file__).resolve().parents[2] / "rulebooks"

SMALL = """\
rulebook small "Small":
    players 2..3
    result most points

mode fast "Fast"
reading passing "May one pass?":
    always "always" default
    once "once only"
    never "never"
reading words "What is said?":
    loud "it is said loud" default
    quiet "it is whispered"

var points[player]: 0..9 = 0
var passed: bool = false

stage game:
    repeat 3 times:
        as p in players: choose one of take, pass_on
    if words = quiet: points[players[1]] += 0

action take when not fast and points[you] < 1: points[you] += 1
action pass_on when passing = always or passing = once and not passed: passed := true

property no_more_than_one: for p in players: always points[p] <= 1
"""


def small(folder: Path) -> Rulebook:
    path = folder / "small.rules"
    path.write_text(SMALL, encoding="utf-8")
    return load(path)


def test_every_combination_is_tried_where_they_are_few(tmp_path: Path) -> None:
    rulebook = small(tmp_path)
    # A mode, two other answers and one: 2 * 3 * 2 combinations, for two numbers of players.
    assert len(combinations_of(rulebook)) == 24
    assert len(combinations_of(rulebook, [3])) == 12
    assert len(combinations_of(rulebook, [3], 1)) == 5
    assert settings_of(rulebook) == [Setting(2), Setting(3), Setting(2, ("fast",)), Setting(3, ("fast",))]


def test_what_breaks_is_found_and_what_changes_nothing(tmp_path: Path) -> None:
    made = survey(small(tmp_path), players=[2], plan=Plan(games=20))
    broken = {
        (one.setting.modes, dict(one.setting.readings).get("passing"), one.property.name)
        for one in made.outcomes
        if one.broken
    }
    # Somebody who has a point and may not pass is stuck; who may pass once is stuck later; in the fast mode at once.
    assert broken == {
        ((), "once", "never_stuck"),
        ((), "never", "never_stuck"),
        (("fast",), "once", "never_stuck"),
        (("fast",), "never", "never_stuck"),
    }
    shortest = {
        (one.setting.modes, dict(one.setting.readings).get("passing")): one.example.decisions
        for one in made.outcomes
        if one.example is not None
    }
    assert shortest == {((), "once"): 2, ((), "never"): 2, (("fast",), "once"): 1, (("fast",), "never"): 0}
    # In the fast mode `never` leaves no game at all that is not stuck at its beginning.
    always = [one for one in made.outcomes if one.setting.modes and ("passing", "never") in one.setting.readings]
    assert {(one.games, one.broken) for one in always if one.property.name == "never_stuck"} == {(20, 20)}
    # What is whispered is never heard: no game differs.
    assert [(one.name, one.answer) for one in made.silent] == [("words", "quiet")]


def test_the_same_plan_finds_the_same(tmp_path: Path) -> None:
    one, two = (survey(small(tmp_path), players=[3], plan=Plan(games=5, seed=3)) for _ in range(2))
    assert [(o.setting, o.broken) for o in one.outcomes] == [(o.setting, o.broken) for o in two.outcomes]
    records = [[o.example.record for o in made.outcomes if o.example] for made in (one, two)]
    assert records[0] == records[1]


@pytest.mark.parametrize(
    ("broken", "games", "low", "high"),
    # Textbook values of Wilson's interval.
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (0, 0, 0.0, 1.0), (1, 20, 0.0089, 0.2361)],
)
def test_the_interval(broken: int, games: int, low: float, high: float) -> None:
    assert wilson(broken, games) == pytest.approx((low, high), abs=5e-5)


def test_the_broken_readings_of_egonomy_are_found(tmp_path: Path) -> None:
    """Without being told: the answer that bars two players from acknowledging, and the mode without its extra end."""
    text = (RULEBOOKS / "egonomy.rules").read_text(encoding="utf-8")
    defaults = dict(re.findall(r"^reading (\w+) .*?^    (\w+) \"[^\"]*\" default", text, re.MULTILINE | re.DOTALL))
    kept = {"acknowledging", "no_action"}
    assert kept < set(defaults)
    fixed = "".join(f"    set {name} to {answer}\n" for name, answer in defaults.items() if name not in kept)
    for file in ("egonomy.rules", "egonomy.source"):
        (tmp_path / file).write_bytes((RULEBOOKS / file).read_bytes())
    (tmp_path / "few.rules").write_text(f'variant few "Few readings" of egonomy:\n{fixed}', encoding="utf-8")
    made = survey(load(tmp_path / "few.rules"), players=[2], plan=Plan(games=4, effort=1500, every=200))
    stuck = {
        (one.setting.modes, *(answer for _, answer in one.setting.readings)): one.broken
        for one in made.outcomes
        if one.property.name == "never_stuck"
    }
    assert stuck[(),] == 0
    assert stuck[(), "three_or_four"] == 4
    assert stuck[("flip_the_table",),] == 0
    assert stuck[("flip_the_table",), "never"] > 0
    assert stuck[(), "never"] == 0
    assert not [one for one in made.outcomes if one.broken and one.property.name != "never_stuck"]
