"""Crazy eights, as OpenSpiel plays it: cards are rank * 4 + suit, from the two of clubs to the ace of spades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DRAW, PASS, FIRST_SUIT, FIRST_DEALER = 52, 53, 54, 52
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def card(text: str) -> int:
    """The number of a card: `10D` is the ten of diamonds."""
    return RANKS.index(text[:-1]) * 4 + "CDHS".index(text[-1])


class CrazyEights(Mapping):
    """Debts are paid by OpenSpiel's one action for drawing."""

    rulebook, game = "crazy_eights_openspiel", "crazy_eights"

    def action(self, table: Table, move: Move) -> int:
        if move.action == "play_card":
            return card(move.arguments[0][1])
        if move.action is None:
            return FIRST_SUIT + "CDHS".index(move.text)
        return PASS if move.action == "pass" else DRAW

    def chance(self, table: Table) -> bool:
        """The hands are dealt one by one to us and card by card to them.

        The last card of a deck is no chance event of ours: what follows may be a draw from the renewed deck.
        """
        theirs = table.theirs
        if table.started and "dealt" not in table.kept:
            table.kept["dealt"] = True
            players = self.our_game.players
            dealt = table.sample_theirs(players * (7 if players == 2 else 5))
            table.script(self.outcome, [number for first in range(players) for number in dealt[first::players]])
            return True
        if not theirs.is_chance_node() or len(theirs.chance_outcomes()) != 1:
            return False
        table.sample_theirs(1)
        return True

    def outcome(self, table: Table, outcome: Outcome) -> int:
        if table.started:
            return card(outcome.text)
        return FIRST_DEALER + "ABCDEFG".index(outcome.text)
