"""A rulebook in which one guard is missing breaks a property, and the game that shows it is short.

The shortest games were found by looking at every game, level by level (`egodsl explore`), or follow from the rule.
"""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.verify.properties import properties_of
from egodsl.verify.settings import Setting, settings_of
from egodsl.verify.trying import Plan, Trial

RULEBOOKS = Path(__file__).resolve().parents[2] / "rulebooks"


@attrs.frozen
class Seeded:
    """A guard that is taken out, the property that notices, and the shortest game in decisions."""

    rulebook: str
    was: str
    becomes: str
    property: str
    shortest: int


SEEDED = [
    # A card of any value is thrown onto the discard pile, in the first turn.
    Seeded(
        "egocentric_world",
        "when not empty(discard) and alike(c, top(discard)):",
        "when not empty(discard):",
        "matched",
        1,
    ),
    # Any two cards pair, in the first turn.
    Seeded("egocentric_world", "when c != twin and pair(c, twin):", "when c != twin:", "paired", 1),
    # A card is yapped onto a table of another topic, in the first turn.
    Seeded("egonomy", "c in hand where takes(t, c)):", "c in hand):", "yapped", 1),
    # What lies on a table is dismissed, though there are two or three: a run must be argued there first.
    Seeded("egonomy", "where count(table[t]) = 1):", "where count(table[t]) >= 1):", "dismissed", 2),
    # Hunger is bet with an Indecision by the first player.
    Seeded("emotrions", "c in hand where c.feeling != hunger", "c in hand where c.points < 9", "hunger_alone", 1),
    # The group says no, and tokens are paid: an answer, a guess that hits, and two votes.
    Seeded("ego", "    if not vote or accepted: perform pay_out\n", "    perform pay_out\n", "voted_down", 4),
]


def seeded(fault: Seeded, folder: Path) -> Rulebook:
    """The rulebook without the guard, beside the files that it needs."""
    for file in RULEBOOKS.iterdir():
        if file.suffix in {".source", ".csv"}:
            (folder / file.name).write_bytes(file.read_bytes())
    text = (RULEBOOKS / f"{fault.rulebook}.rules").read_text(encoding="utf-8")
    assert text.count(fault.was) == 1
    path = folder / f"{fault.rulebook}.rules"
    path.write_text(text.replace(fault.was, fault.becomes), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("fault", SEEDED, ids=lambda fault: f"{fault.rulebook}: {fault.property}")
def test_a_missing_guard_is_found_and_shown_by_a_short_game(fault: Seeded, tmp_path: Path) -> None:
    rulebook = seeded(fault, tmp_path)
    trial = Trial(rulebook, [p for p in properties_of(rulebook) if p.decl is not None], Plan(games=6))
    trial.play(_few(rulebook))
    (found,) = [one for one in trial.finish() if one.property.name == fault.property]
    assert found.example is not None
    assert fault.shortest <= found.example.decisions <= 1.5 * fault.shortest
    assert found.example.setting.players == 2


def _few(rulebook: Rulebook) -> list[Setting]:
    # Three players and every mode: that two are enough is for the shrinking to find.
    return [setting for setting in settings_of(rulebook) if setting.players == 3]


@pytest.mark.parametrize("name", sorted({fault.rulebook for fault in SEEDED}))
def test_with_the_guard_nothing_is_found(name: str) -> None:
    rulebook = load(RULEBOOKS / f"{name}.rules")
    trial = Trial(rulebook, [p for p in properties_of(rulebook) if p.decl is not None], Plan(games=3))
    trial.play(_few(rulebook))
    assert [one.property.name for one in trial.finish() if one.verdict == "broken"] == []
