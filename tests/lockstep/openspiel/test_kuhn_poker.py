from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.kuhn_poker import KuhnPoker


@pytest.mark.parametrize("players", [2, 3, 4, 10])
def test_kuhn_poker(players: int) -> None:
    played = lockstep(KuhnPoker(players=players, theirs={"players": players}))
    assert set(played.labels) == {"pass", "bet"}
    assert played.chances == played.games * players
