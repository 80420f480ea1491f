from __future__ import annotations

from tests.lockstep.openspiel.blackjack import Blackjack
from tests.lockstep.openspiel.driver import lockstep


def test_blackjack() -> None:
    played = lockstep(Blackjack())
    assert set(played.labels) == {"hit", "stand"}
    assert played.chances > 4 * played.games
