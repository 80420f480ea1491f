"""Euchre: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import RANKS, hands, lying, rank_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

SUITS = "CDHS"
PLAYERS = 4
DEALT = 21
SPEAKERS = 8
PASS, NAME, ALONE, WITH_PARTNER = 24, 25, 29, 30


def card(text: str) -> int:
    """The number of a card of the short deck."""
    return rank_first(text, ranks=RANKS[RANKS.index("9") :])


class Euchre(Mapping):
    """One deal."""

    rulebook, game = "euchre_openspiel", "euchre"

    def __init__(self, *, stuck: bool) -> None:
        super().__init__(modes=["stick_the_dealer"] if stuck else [], theirs={"stick_the_dealer": stuck})
        self.last_words: Counter[str] = Counter()
        """What the dealer did, as the eighth to speak, after seven had passed."""

    def action(self, table: Table, move: Move) -> int:
        if move.label is None:
            return card(move.text)
        offered = {other.label for other in table.ours.legal_moves(move.player)}
        if move.label == "go alone":
            return ALONE
        if move.label == "order it up":
            (turned,) = lying(table.ours, "turned")
            return NAME + SUITS.index(turned[-1])
        if move.label == "name":
            ((_, suit),) = move.arguments
            return NAME + SUITS.index(suit)
        return WITH_PARTNER if "go alone" in offered else PASS

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return card(outcome.text) if table.theirs.history() else ord(outcome.text) - ord("A")

    def chance(self, table: Table) -> bool:
        """Theirs deals one at a time, beginning with the dealer; ours each hand whole, from the dealer's left."""
        if not table.theirs.history():
            return False
        (dealer,) = table.theirs.history()
        cards = table.sample_theirs(DEALT)
        dealt = hands(cards[:-1], PLAYERS, first=dealer)
        order = [(dealer + k) % PLAYERS for k in range(1, PLAYERS + 1)]
        table.script(self.outcome, [*(number for p in order for number in dealt[p]), cards[-1]])
        return True

    def label(self, table: Table, move: Move) -> str:
        action = self.action(table, move)
        if action == PASS and move.label != "pass":
            # A label of each game's own, so that in every second game nobody orders the card up, and suits are named.
            return f"leave it {table.seed}"
        if action == PASS and table.seed % 4 == 3:
            # In every fourth game all pass as long as they may: at random that comes once in a thousand games.
            return f"pass {table.seed}"
        return {ALONE: "alone", WITH_PARTNER: "with partner"}.get(action, move.label or "card")

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns; what the dealer did who spoke last is counted."""
        *others, last = table.theirs.history()[1 + DEALT :][:SPEAKERS]
        if others == [PASS] * (SPEAKERS - 1):
            self.last_words["pass" if last == PASS else "name"] += 1
        return super().returns(table)
