from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.leduc_poker import ACTIONS, LeducPoker


@pytest.mark.parametrize("players", [2, 3, 4, 10])
def test_leduc_poker(players: int) -> None:
    played = lockstep(LeducPoker(players=players, theirs={"players": players}))
    assert set(played.labels) == set(ACTIONS)
    # Each player has a card, and some hands come as far as the open card.
    assert played.games * players < played.chances <= played.games * (players + 1)
