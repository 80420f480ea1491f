"""Bridge: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import hands, rank_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK, PLAYERS = 52, 4
CALLS = {"pass": 52, "double": 53, "redouble": 54}
BID, BIDS = 55, 35
STRAINS = ("C", "D", "H", "S", "NT")


class Bridge(Mapping):
    """One deal, whose hands are played."""

    rulebook, game = "bridge_openspiel", "bridge"

    def __init__(self, *, dealer_vulnerable: bool, others_vulnerable: bool) -> None:
        vulnerable = {"dealer_vulnerable": dealer_vulnerable, "others_vulnerable": others_vulnerable}
        super().__init__(
            modes=[mode for mode, on in vulnerable.items() if on],
            theirs={
                "use_double_dummy_result": False,
                "dealer_vul": dealer_vulnerable,
                "non_dealer_vul": others_vulnerable,
            },
        )
        self.contracts: Counter[tuple[int, int, bool]] = Counter()
        """What was played: the level, whether doubled (1) or redoubled (2), and whether it was made."""
        self.passed_out = 0
        """How often nobody bid."""

    def action(self, table: Table, move: Move) -> int:
        if move.action is None:
            return rank_first(move.text)
        if move.action != "bid":
            return CALLS[move.action]
        (_, level), (_, strain) = move.arguments
        return BID + (int(level) - 1) * len(STRAINS) + STRAINS.index(strain)

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return rank_first(outcome.text)

    def chance(self, table: Table) -> bool:
        """Theirs deals one at a time, beginning with the dealer; ours each hand whole, from the dealer's left."""
        dealt = hands(self.deal(table), PLAYERS)
        order = [number for p in (1, 2, 3, 0) for number in dealt[p]]
        table.script(self.outcome, order[:-1])  # the last card is no chance in ours
        return True

    def deal(self, table: Table) -> list[int]:
        """Deal in theirs, one card at a time; the cards in this order."""
        return table.sample_theirs(DECK)

    def label(self, table: Table, move: Move) -> str:
        """Labels that lead every second game to a contract of its own, low ones too, doubled or redoubled or neither,
        or to four passes.

        With random calls nearly all contracts would be for all tricks, and hardly any would be made.
        """
        if move.action is None:
            return "card"
        game = table.seed // 2
        target = BID - 1 + game % (BIDS + 1)
        number = self.action(table, move)
        if number >= BID:
            return move.text if number <= target else "higher than wanted"
        # A label of this game alone has been played least, so this is what happens next.
        enough = target < BID or any(done >= target for done in table.theirs.history()[DECK:])
        wanted = enough and number <= CALLS["pass"] + game % 3
        return f"{move.action} in game {game}" if wanted else move.text

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns; what contract was played is counted."""
        returns = super().returns(table)
        calls = [number for number in table.theirs.history()[DECK:] if number >= CALLS["pass"]]
        if any(number >= BID for number in calls):
            last = max(calls)
            place = calls.index(last)
            doubles = sum(number > CALLS["pass"] for number in calls[place + 1 :])
            self.contracts[1 + (last - BID) // len(STRAINS), doubles, returns[place % PLAYERS] > 0] += 1
        else:
            self.passed_out += 1
        return returns


class LongSuits(Bridge):
    """The deal is chosen: everybody has one suit, but for a few cards. At random hardly any high contract is made."""

    def deal(self, table: Table) -> list[int]:
        suits = table.random.sample(range(4), 4)
        cards = [rank * 4 + suit for rank in range(13) for suit in suits]
        for _ in range(table.random.randrange(8)):
            a, b = table.random.sample(range(DECK), 2)
            cards[a], cards[b] = cards[b], cards[a]
        table.play(*cards)
        return cards
