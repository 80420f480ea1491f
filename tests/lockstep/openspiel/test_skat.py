"""Our skat and OpenSpiel's agree at every node."""

from __future__ import annotations

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.skat import GAMES, Skat


def test_skat() -> None:
    run = lockstep(Skat())
    assert all(run.labels[f"play {game}"] > 10 for game in GAMES)
    assert run.labels["pass"] > 10
