"""Our bridge and OpenSpiel's agree at every node, whoever is vulnerable."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.bridge import Bridge
from tests.lockstep.openspiel.driver import lockstep

RISKS = range(3)


def test_bridge() -> None:
    mapping = Bridge(dealer_vulnerable=False, others_vulnerable=False)
    lockstep(mapping)
    played = mapping.contracts
    assert {level for level, _, _ in played} == set(range(1, 8))
    assert {(doubles, made) for _, doubles, made in played} == {(n, made) for n in RISKS for made in (False, True)}


@pytest.mark.parametrize(("dealer", "others"), [(False, True), (True, False), (True, True)])
def test_bridge_vulnerable(*, dealer: bool, others: bool) -> None:
    mapping = Bridge(dealer_vulnerable=dealer, others_vulnerable=others)
    lockstep(mapping, games=80)
    assert {doubles for _, doubles, made in mapping.contracts if not made} == set(RISKS)
    assert any(made for _, _, made in mapping.contracts)
