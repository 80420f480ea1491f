"""Cribbage in OpenSpiel: cards are suit * 13 + rank, suits from clubs over diamonds and hearts to spades, from the ace
up; two cards for the crib are one action, the lower rank (of equal ranks the lower suit) first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

SUITS, RANKS = "CDHS", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARDS, HANDS = 52, 12


def cards(text: str) -> list[int]:
    """The numbers of all cards that the text names, by rank and suit."""
    found = sorted((RANKS.index(r), SUITS.index(s)) for r, s in re.findall(r"(10|[2-9JQKA])([CDHS])\b", text))
    return [suit * 13 + rank for rank, suit in found]


class Cribbage(Mapping):
    """The dealer's opponent is dealt to first; in OpenSpiel always the first player. Saying go is an action there, and
    forced.
    """

    rulebook, game = "cribbage_openspiel", "cribbage"

    def action(self, table: Table, move: Move) -> int:
        first, *second = cards(move.text)
        return CARDS + CARDS * first + second[0] if second else first

    def outcome(self, table: Table, outcome: Outcome) -> int:
        (card,) = cards(outcome.text)
        return card

    def chance(self, table: Table) -> bool:
        if not table.theirs.is_chance_node():
            # Only last cards and goes can be left, and all are forced.
            table.play(table.theirs.legal_actions()[0])
            return True
        if len(table.theirs.chance_outcomes()) < CARDS:
            return False
        dealt = table.sample_theirs(HANDS)
        dealer = table.kept["dealer"] = 1 - table.kept.get("dealer", 1)
        table.script(self.outcome, dealt if dealer == 1 else dealt[6:] + dealt[:6])
        return True

    def label(self, table: Table, move: Move) -> str:
        names = cards(move.text)
        return "two for the crib" if len(names) == 2 else f"rank {RANKS[names[0] % 13]}"
