"""Goofspiel in OpenSpiel: bids at one node, by the card's rank less one; so are the prizes numbered."""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table


class Goofspiel(Mapping):
    """Goofspiel for any number of players."""

    rulebook = "goofspiel"
    game = "goofspiel"

    def action(self, table: Table, move: Move) -> int:
        return int(move.text) - 1

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return int(outcome.text) - 1

    def returns(self, table: Table) -> Sequence[float]:
        # Theirs share one point among the winners, and take it from the others in equal parts.
        result = table.ours.result
        assert result is not None
        won, lost = len(result.winners), self.our_game.players - len(result.winners)
        if not lost:
            return [0.0] * won
        return [1 / won if p in result.winners else -1 / lost for p in range(won + lost)]
