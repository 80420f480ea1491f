from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.liars_dice import LiarsDice


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 6), (3, 4), (5, 6), (4, 2)])
def test_liars_dice(dice: int, faces: int) -> None:
    mapping = LiarsDice(parameters={"dice": dice, "faces": faces}, theirs={"numdice": dice, "dice_sides": faces})
    played = lockstep(mapping)
    assert set(played.labels) == {"bid", "doubt"}
    assert played.chances == played.games * 2 * dice
