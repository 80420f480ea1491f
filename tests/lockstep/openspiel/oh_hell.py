"""Oh Hell: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import hands, rank_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK = 52
BID = 52


def card(text: str) -> int:
    """The number of a card: theirs has the suits in another order."""
    return rank_first(text, suits="CDSH")


class OhHell(Mapping):
    """One round."""

    rulebook, game = "oh_hell_openspiel", "oh_hell"

    def __init__(self, players: int) -> None:
        super().__init__(players=players, theirs={"players": players})

    def action(self, table: Table, move: Move) -> int:
        return BID + int(move.text) if move.text.isdecimal() else card(move.text)

    def outcome(self, table: Table, outcome: Outcome) -> int:
        if not table.theirs.history():
            return int(outcome.text)
        return ord(outcome.text) - ord("A") if len(table.theirs.history()) == 1 else card(outcome.text)

    def chance(self, table: Table) -> bool:
        """Theirs deals one at a time from player 0; ours each hand whole, from the dealer's left."""
        if len(table.theirs.history()) < 2:
            return False
        tricks, dealer = table.theirs.history()
        players = self.our_game.players
        cards = table.sample_theirs(tricks * players + 1)
        dealt = hands(cards[:-1], players)
        order = [(dealer + k) % players for k in range(1, players + 1)]
        ours = [*(number for p in order for number in dealt[p]), cards[-1]]
        table.script(self.outcome, ours[: DECK - 1])  # the last card of the deck is no chance in ours
        return True

    def label(self, table: Table, move: Move) -> str:
        return f"bid {move.text}" if move.text.isdecimal() else move.text
