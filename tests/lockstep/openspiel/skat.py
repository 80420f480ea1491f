"""Skat: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import suit_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK, PLAYERS = 32, 3
RANKS = ("7", "8", "9", "Q", "K", "10", "A", "J")
PASS = 32
GAMES = {"D": 33, "H": 34, "S": 35, "C": 36, "grand": 37, "null": 38}
PACKETS = ((0, 3), (1, 3), (2, 3), (None, 2), (0, 4), (1, 4), (2, 4), (0, 3), (1, 3), (2, 3))
"""Who gets how many cards in which order; nobody is the skat."""
SCALE = 240


def card(text: str) -> int:
    """The number of a card."""
    return suit_first(text, suits="DHSC", ranks=RANKS)


class Skat(Mapping):
    """One deal."""

    rulebook, game = "skat_openspiel", "skat"

    def action(self, table: Table, move: Move) -> int:
        if move.label == "pass":
            return PASS
        if move.label == "play":
            ((_, game),) = move.arguments
            return GAMES[game]
        return card(move.text)

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return card(outcome.text)

    def chance(self, table: Table) -> bool:
        """Theirs deals in packets, ours each hand whole and the skat last."""
        cards = table.sample_theirs(DECK)
        dealt: dict[int | None, list[int]] = {}
        for who, count in PACKETS:
            dealt.setdefault(who, []).extend(cards[:count])
            del cards[:count]
        order = [number for who in (0, 1, 2, None) for number in dealt[who]]
        table.script(self.outcome, order[:-1])  # the last card is no chance in ours
        return True

    def label(self, table: Table, move: Move) -> str:
        return "card" if move.label is None else move.text

    def their_returns(self, table: Table) -> list[float]:
        return [SCALE * value for value in super().their_returns(table)]
