"""Every shipped rulebook under every mode and every answer to every reading, one at a time, at every player count.

A few random games each; `EGODSL_GAMES=300` plays so many. Readings that the text itself shows to be broken are listed
in docs/readings.md, and here: they must come to a fault, and nothing else may.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import egodsl
from egodsl.engine.rng import Random, derive
from egodsl.players.random import play_out

FOLDER = Path(__file__).parents[2] / "rulebooks"
RULEBOOKS = [*sorted(FOLDER.glob("*.rules")), *sorted((FOLDER / "classics").glob("*.rules"))]
GAMES = int(os.environ.get("EGODSL_GAMES", "1"))
MOST = 3_000

BROKEN = {
    ("egonomy", 2, "acknowledging=three_or_four"): "EGO701",
    ("egonomy", 2, "no_action=never, flip_the_table"): "EGO701",
    ("egonomy", 3, "no_action=never, flip_the_table"): "EGO701",
    ("egonomy", 4, "no_action=never, flip_the_table"): "EGO701",
}
"""Rulebook, players, setting -> the fault that random games must come to."""

Settings = tuple[str, tuple[str, ...], dict[str, str]]


def settings_of(rulebook: egodsl.Rulebook) -> Iterator[Settings]:
    """The defaults; each mode; each other answer, without and with each mode that there is."""
    program = rulebook.checked.program
    modes = list(program.modes)
    yield "defaults", (), {}
    for mode in modes:
        yield mode, (mode,), {}
    for name, reading in program.readings.items():
        for k, answer in enumerate(reading.answers):
            if answer.default or (k == 0 and not any(a.default for a in reading.answers)):
                continue
            given = f"{name}={answer.name.name}"
            yield given, (), {name: answer.name.name}
            for mode in modes:
                yield f"{given}, {mode}", (mode,), {name: answer.name.name}


def faults_of(game: egodsl.Game, name: str) -> set[str]:
    """The codes of the faults that random games come to; a game that goes on for long is no fault."""
    found = set()
    for number in range(GAMES):
        try:
            state = game.start(seed=derive(11, name, number))
            play_out(state, Random(derive(12, name, number)), MOST)
        except egodsl.GameFault as fault:
            found.add(fault.diagnostic.code.number)
    return found


@pytest.mark.parametrize("path", RULEBOOKS, ids=lambda path: path.stem)
def test_no_setting_but_the_broken_ones_comes_to_a_fault(path: Path) -> None:
    rulebook = egodsl.load(path)
    unexpected = {}
    for players in rulebook.players:
        for name, modes, readings in settings_of(rulebook):
            game = rulebook.game(players=players, modes=modes, readings=readings)
            found = faults_of(game, f"{path.stem} {players} {name}")
            if (path.stem, players, name) not in BROKEN and found:
                unexpected[players, name] = found
    assert unexpected == {}


@pytest.mark.parametrize(("broken", "code"), BROKEN.items(), ids=str)
def test_the_broken_readings_are_found(broken: tuple[str, int, str], code: str) -> None:
    stem, players, wanted = broken
    rulebook = egodsl.load(next(path for path in RULEBOOKS if path.stem == stem))
    _, modes, readings = next(s for s in settings_of(rulebook) if s[0] == wanted)
    game = rulebook.game(players=players, modes=modes, readings=readings)
    faults = (fault_of(game, number) for number in range(400))
    fault = next(fault for fault in faults if fault is not None)
    assert fault.diagnostic.code.number == code
    assert game.replay(fault.record).fault is not None


def fault_of(game: egodsl.Game, number: int) -> egodsl.GameFault | None:
    """The fault that the random game of the number comes to."""
    try:
        play_out(game.start(seed=derive(11, number)), Random(derive(12, number)), MOST)
    except egodsl.GameFault as fault:
        return fault
    return None
