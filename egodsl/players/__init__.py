"""Players that decide by themselves.

A kind of player is a function from the seed of its draws to a `Player`; `KINDS` names them all. To add one: write its
module, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from egodsl.players.random import RandomPlayer, play_out

if TYPE_CHECKING:
    from egodsl.engine.moves import Move
    from egodsl.engine.state import State


class Player(Protocol):
    """Decides for one seat at a time."""

    def choose(self, state: State, player: int) -> Move:
        """One of `state.legal_moves(player)`, where `player` (from 0) is to move. The state is not changed.

        A fair player uses nothing of the state but the moves, `state.view(player)`, `state.observations(player)` and
        `state.redeal(player, ...)`.
        """


KINDS: dict[str, Callable[[int], Player]] = {"random": RandomPlayer}
"""Name -> maker. A maker takes a seed (0 to 2^64-1); players made from one seed decide alike."""

__all__ = ["KINDS", "Player", "RandomPlayer", "play_out"]
