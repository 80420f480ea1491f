"""Our spades and OpenSpiel's agree at every node."""

from __future__ import annotations

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.spades import LongSuits, Spades


def test_spades() -> None:
    run = lockstep(Spades())
    assert all(run.labels[f"bid {n}"] > 0 for n in range(14))


def test_bags() -> None:
    mapping = LongSuits()
    lockstep(mapping, games=60)
    assert mapping.penalties >= 5
