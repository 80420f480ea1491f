"""Spades: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import lying, suit_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        cards = self.deal(table)
        dealt = [card for p in range(4) for card in cards[p::4]]
        table.script(self.outcome, dealt[:-1])  # the last card is no chance in ours
        return True

    def deal(self, table: Table) -> list[int]:
        """Deal in theirs, one card at a time; the cards in this order."""
        return table.sample_theirs(DECK)

    def label(self, table: Table, move: Move) -> str:
        return f"bid {move.text}" if move.text.isdecimal() else move.text


class LongSuits(Spades):
    """The deal is chosen: everybody has one suit, but for a few cards; and half of the games have low bids.

    At random it is rare that one side takes all tricks, and hardly ever has it ten more than it said.
    """

    def __init__(self) -> None:
        super().__init__()
        self.penalties = 0
        """How often a side had ten bags."""

    def deal(self, table: Table) -> list[int]:
        suits = table.random.sample(range(4), 4)
        cards = [suit * 13 + rank for rank in range(13) for suit in suits]
        for _ in range(table.random.randrange(4)):
            a, b = table.random.sample(range(DECK), 2)
            cards[a], cards[b] = cards[b], cards[a]
        table.play(*cards)
        return cards

    def label(self, table: Table, move: Move) -> str:
        if not move.text.isdecimal():
            return move.text
        return f"low in {table.seed}" if int(move.text) <= 1 else "bid more"

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns; penalties for bags are counted."""
        bids = [number - BID for number in table.theirs.history()[DECK : DECK + 4]]
        tricks = [len(lying(table.ours, f"taken[{p}]")) // 4 for p in "ABCD"]
        self.penalties += any(sum(tricks[side::2]) - sum(bids[side::2]) >= 10 for side in range(2))
        return super().returns(table)
