from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.pig import Pig


@pytest.mark.parametrize(("players", "target", "games"), [(2, 100, 100), (2, 12, 200), (3, 25, 200)])
def test_pig(players: int, target: int, games: int) -> None:
    # A game of theirs is cut off after its horizon: it has room for any that is played here.
    theirs = {"players": players, "winscore": target, "horizon": 100_000}
    played = lockstep(Pig(players=players, parameters={"target": target}, theirs=theirs), games)
    assert set(played.labels) == {"roll_again", "hold"}
    assert played.chances == played.labels["roll_again"]


def test_pig_as_openspiel_has_it() -> None:
    lockstep(Pig(), 20)
