"""Our Oh Hell and OpenSpiel's agree at every node, for three to seven players."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.oh_hell import OhHell


@pytest.mark.parametrize("players", range(3, 8))
def test_oh_hell(players: int) -> None:
    run = lockstep(OhHell(players))
    assert all(run.labels[f"bid {n}"] > 0 for n in range(1 + 51 // players))
