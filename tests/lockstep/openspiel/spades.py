"""Spades: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import suit_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK = 52
BID = 52


class Spades(Mapping):
    """One round."""

    rulebook, game = "spades_openspiel", "spades"

    def action(self, table: Table, move: Move) -> int:
        return BID + int(move.text) if move.text.isdecimal() else suit_first(move.text)

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return suit_first(outcome.text)

    def chance(self, table: Table) -> bool:
        """Theirs deals one at a time, ours each hand whole."""
        cards = table.sample_theirs(DECK)
        dealt = [card for p in range(4) for card in cards[p::4]]
        table.script(self.outcome, dealt[:-1])  # the last card is no chance in ours
        return True

    def label(self, table: Table, move: Move) -> str:
        return f"bid {move.text}" if move.text.isdecimal() else move.text
