from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.lockstep.openspiel.driver import Table, lockstep
from tests.lockstep.openspiel.goofspiel import Goofspiel


@pytest.mark.parametrize(("players", "size"), [(2, 13), (2, 4), (3, 6)])
def test_goofspiel(players: int, size: int) -> None:
    mapping = Goofspiel(players=players, parameters={"size": size}, theirs={"players": players, "num_cards": size})
    played = lockstep(mapping, 100)
    # All but the last bid are a choice.
    assert played.decisions == played.games * players * (size - 1)


def test_two_players_win_and_lose_what_openspiel_says() -> None:
    class Plain(Goofspiel):
        def returns(self, table: Table) -> Sequence[float]:
            returns = table.ours.returns
            assert returns is not None
            return returns

    lockstep(Plain(), 100)


def test_bids_are_made_at_once() -> None:
    mapping = Goofspiel(players=3, parameters={"size": 3})
    state = mapping.our_game.start()
    state.apply("2")
    assert list(state.to_move) == [0, 1, 2]
    state.apply(state.legal_moves(1)[0])
    assert list(state.to_move) == [0, 2]
