"""Gin rummy in lockstep with OpenSpiel's, from the deal or from hands in which melds come together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.gin_rummy import RIVALS, DealtHands, GinRummy, GoodHands, RivalMelds


def settings(kind: type[GinRummy], hand: int = 10, limit: int = 10, gin: int = 25, undercut: int = 25) -> GinRummy:
    """Both games under the same settings."""
    parameters = {"hand_size": hand, "knock_limit": limit, "gin_bonus": gin, "undercut_bonus": undercut}
    theirs: dict[str, Any] = {"hand_size": hand, "knock_card": limit, "gin_bonus": gin, "undercut_bonus": undercut}
    return kind(parameters=parameters, theirs=theirs)


# With hands of 5 or 8 cards OpenSpiel lets one knock with three melds, and then has no legal discard.
@pytest.mark.parametrize(
    ("mapping", "games"),
    [
        (settings(GinRummy), 60),
        (settings(GinRummy, hand=9, limit=0), 30),
        (settings(GinRummy, hand=7, limit=7, gin=20), 40),
        (settings(GinRummy, hand=4, undercut=10), 70),
    ],
    ids=["usual", "gin only", "seven cards", "four cards"],
)
def test_every_node_agrees(mapping: GinRummy, games: int) -> None:
    run = lockstep(mapping, games)
    assert {"refuse", "take", "draw", "discard"} <= run.labels.keys()


def test_every_node_agrees_after_a_good_deal() -> None:
    run = lockstep(settings(DealtHands, gin=30, undercut=15), 80)
    assert {"knock", "lay", "that is all", "add"} <= run.labels.keys()


def test_undercuts() -> None:
    mapping = GoodHands(parameters={"undercut_bonus": 20}, theirs={"undercut_bonus": 20})
    lockstep(mapping, 60)
    assert mapping.undercuts >= 5


def test_who_may_knock_with_rival_melds() -> None:
    run = lockstep(settings(RivalMelds), 4 * len(RIVALS))
    assert {"knock", "discard"} <= run.labels.keys()
