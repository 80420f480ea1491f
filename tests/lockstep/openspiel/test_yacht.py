"""Yacht in lockstep with OpenSpiel's."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.yacht import FIRST_CATEGORY, Yacht


@pytest.mark.parametrize(("players", "games"), [(2, 8), (3, 3), (5, 2)])
def test_every_node_agrees(players: int, games: int) -> None:
    run = lockstep(Yacht(players=players, theirs={"players": players}), games)
    assert run.games >= 1
    assert run.labels.keys() >= {str(n) for n in range(FIRST_CATEGORY + 12)}
    # Whatever dice can make was made and scored in one game at least, where there are several.
    if games > 2:
        assert {int(label.split()[0]) for label in run.labels if " " in label} == {
            0,
            *range(FIRST_CATEGORY + 7, FIRST_CATEGORY + 12),
        }
