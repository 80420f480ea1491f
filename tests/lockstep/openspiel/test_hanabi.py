"""Hanabi in lockstep with OpenSpiel's, with each number of players."""

from __future__ import annotations

import pytest

from tests.lockstep.openspiel.driver import lockstep
from tests.lockstep.openspiel.hanabi import Hanabi


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_node_agrees(players: int) -> None:
    mapping = Hanabi(players=players, theirs={"players": players})
    run = lockstep(mapping, 50)
    assert run.games >= 1
    assert {label.split()[0] for label in run.labels} == {"launch", "give_up", "tell_colour", "tell_rank"}
    # Lost, ended by the deck, and complete: a game that is not complete and not lost has had its last turns.
    assert mapping.scores[0] > 0
    assert any(mapping.scores[n] for n in range(1, 25))
    assert mapping.scores[25] > 0
