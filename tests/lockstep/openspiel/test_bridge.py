"""Our bridge and OpenSpiel's agree at every node, whoever is vulnerable."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.bridge import Bridge, LongSuits
from tests.lockstep.openspiel.driver import lockstep

RISKS = range(3)


def test_bridge() -> None:
    mapping = Bridge(dealer_vulnerable=False, others_vulnerable=False)
    lockstep(mapping)
    assert mapping.passed_out > 0
    played = mapping.contracts
    assert {level for level, _, _ in played} == set(range(1, 8))
    assert {(doubles, made) for _, doubles, made in played} == {(n, made) for n in RISKS for made in (False, True)}


@pytest.mark.parametrize(("dealer", "others"), [(False, True), (True, False), (True, True)])
def test_bridge_vulnerable(*, dealer: bool, others: bool) -> None:
    mapping = Bridge(dealer_vulnerable=dealer, others_vulnerable=others)
    lockstep(mapping, games=80)
    assert {doubles for _, doubles, made in mapping.contracts if not made} == set(RISKS)
    assert any(made for _, _, made in mapping.contracts)


@pytest.mark.parametrize("vulnerable", [False, True])
def test_high_contracts_that_are_made(*, vulnerable: bool) -> None:
    mapping = LongSuits(dealer_vulnerable=vulnerable, others_vulnerable=vulnerable)
    lockstep(mapping, games=105)
    made = {(level, doubles) for level, doubles, made in mapping.contracts if made}
    assert {level for level, _ in made} == set(range(1, 8))
    assert {doubles for _, doubles in made} == set(RISKS)
