"""Crazy eights in lockstep with OpenSpiel's, with and without the cards that have an effect."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lockstep.openspiel.crazy_eights import CrazyEights
from tests.lockstep.openspiel.driver import lockstep


def settings(players: int, modes: tuple[str, ...], draws: int = 5, turns: int = 100) -> CrazyEights:
    """Both games under the same settings."""
    theirs: dict[str, Any] = {"players": players, "max_draw_cards": draws, "max_turns": turns}
    parameters = {"max_draw_cards": draws, "max_turns": turns}
    return CrazyEights(players=players, modes=modes, parameters=parameters, theirs=theirs | dict.fromkeys(modes, True))


@pytest.mark.parametrize(
    "mapping",
    [
        settings(5, ()),
        settings(5, ("use_special_cards",)),
        settings(3, ("use_special_cards", "reshuffle")),
        settings(4, ("reshuffle",), draws=2),
        settings(2, ("use_special_cards", "reshuffle"), draws=1, turns=500),
        settings(6, ("use_special_cards",), draws=2, turns=60),
        settings(4, ("use_special_cards", "reshuffle"), draws=50, turns=300),
        settings(3, ("use_special_cards",), draws=20),
        settings(7, ()),
    ],
    ids=lambda mapping: str(mapping.theirs),
)
def test_every_node_agrees(mapping: CrazyEights) -> None:
    run = lockstep(mapping, 30)
    assert run.games >= 1
    assert {"play_card", "draw", "pass"} <= run.labels.keys()
    assert ("pay" in run.labels) == ("use_special_cards" in mapping.settings["modes"])
