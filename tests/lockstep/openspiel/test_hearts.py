"""Our hearts and OpenSpiel's agree at every node, under each of its eight parameters."""

from __future__ import annotations

import itertools

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.hearts import FLAGS, Hearts, LongSuits


def test_usual_rules() -> None:
    run = lockstep(Hearts())
    assert run.decisions > 30 * run.games


@pytest.mark.parametrize("modes", [*itertools.combinations(FLAGS, 1), tuple(FLAGS)], ids="-".join)
def test_parameters(modes: tuple[str, ...]) -> None:
    lockstep(Hearts(modes), games=40)


@pytest.mark.parametrize("left_out", FLAGS)
def test_parameters_together(left_out: str) -> None:
    lockstep(Hearts(mode for mode in FLAGS if mode != left_out), games=20)


@pytest.mark.parametrize("modes", [(), ("no_passing",), tuple(FLAGS)], ids="-".join)
def test_long_suits(modes: tuple[str, ...]) -> None:
    mapping = LongSuits(modes)
    lockstep(mapping, games=60)
    assert mapping.moons >= 5
