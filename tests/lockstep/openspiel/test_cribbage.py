"""Cribbage in lockstep with OpenSpiel's."""

from __future__ import annotations

from tests.lockstep.openspiel.cribbage import Cribbage
from tests.lockstep.openspiel.driver import lockstep


def test_every_node_agrees() -> None:
    run = lockstep(Cribbage(), 20)
    assert len(run.labels) == 14
    assert run.chances > run.games * 5 * 2
