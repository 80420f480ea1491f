"""Blackjack in OpenSpiel: 0 hits, 1 stands; a card is suit * 13 + rank, suits C D H S, the ace low."""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]


class Blackjack(Mapping):
    """Blackjack without a premium for a natural."""

    rulebook = "blackjack_openspiel"
    game = "blackjack"

    def action(self, table: Table, move: Move) -> int:
        return int(move.action == "stand")

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return "CDHS".index(outcome.text[-1]) * 13 + RANKS.index(outcome.text[:-1])

    def returns(self, table: Table) -> Sequence[float]:
        # Ours are in halves of the stake.
        return [half / 2 for half in super().returns(table)]
