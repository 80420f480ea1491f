"""Players to whom all legal moves are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.rng import Random

if TYPE_CHECKING:
    from egodsl.engine.moves import Move
    from egodsl.engine.state import State


class RandomPlayer:
    """Plays each legal move with equal probability."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, state: State, player: int) -> Move:
        """See `Player`."""
        moves = state.legal_moves(player)
        return moves[self._rng.below(len(moves))]


def play_out(state: State, rng: Random, most: int) -> bool:
    """Let random players play a game on: to its end (then true), or until it has had `most` decisions (then false).

    Chance must be seeded (`Game.start` with a seed). One draw is taken from `rng` for each decision, also for a
    forced one. Where several decide at once, they do so in the order of their seats. Raises GameFault.
    """
    below = rng.below
    choose = state.choose
    while not state.over:
        if state.decisions >= most:
            return False
        if state.branches:
            player = state.to_move[0]
            choose(below(len(state.branches[player].moves)), player)
        else:
            choose(below(len(state.moves)))
    return True
