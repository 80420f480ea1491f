"""Go fish in lockstep with OpenSpiel's, with each number of players."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.go_fish import RANKS, GoFish


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_node_agrees(players: int) -> None:
    run = lockstep(GoFish(players=players, theirs={"players": players}), 40)
    assert run.games >= 1
    assert set(RANKS) == run.labels.keys()
