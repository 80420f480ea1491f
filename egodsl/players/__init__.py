"""Players that decide by themselves.

A kind of player is a function from the seed of its draws, and a budget for each of its decisions, to a `Player`;
`KINDS` names them all. To add one: write its module, and a line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from egodsl.players.budget import DEFAULT_PLAYOUTS, Budget, playouts
from egodsl.players.random import RandomPlayer, play_out
from egodsl.players.search import SearchPlayer

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


class Maker(Protocol):
    """Makes players of one kind."""

    def __call__(self, seed: int, budget: Budget | None = None) -> Player:
        """A player. `seed`: 0 to 2^64-1; players made from one seed decide alike, if their budgets say the same.
        `budget`: how long it may think about each decision, for those that do; without one the kind's own.
        """


def _random(seed: int, budget: Budget | None = None) -> RandomPlayer:
    del budget
    return RandomPlayer(seed)


KINDS: dict[str, Maker] = {"random": _random, "search": SearchPlayer}
"""Name -> maker."""


def play_on(state: State, players: Sequence[Player], most: int) -> bool:
    """Let a player for each seat play a game on: to its end (then true), or until it has had `most` decisions (then
    false).

    Chance must be seeded (`Game.start` with a seed). Where several decide at once, they do so in the order of their
    seats. Raises GameFault.
    """
    while not state.over:
        if state.decisions >= most:
            return False
        player = state.to_move[0]
        state.apply(players[player].choose(state, player))
    return True


__all__ = [
    "DEFAULT_PLAYOUTS",
    "KINDS",
    "Budget",
    "Maker",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "play_on",
    "play_out",
    "playouts",
]
