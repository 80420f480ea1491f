"""Gin rummy in OpenSpiel: cards are suit * 13 + rank, suits from spades over clubs and diamonds to hearts, from the ace
up; melds have numbers of their own, and whoever knocks names the discard afterwards.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

UPCARD, STOCK, PASS, KNOCK, FIRST_MELD = 52, 53, 54, 55, 56
SUITS, RANKS = "SCDH", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PLAIN = {"take": UPCARD, "draw": STOCK, "refuse": PASS, "that is all": PASS, "pass": PASS}


def cards(text: str) -> list[int]:
    """The numbers of all cards that the text names, ascending: of `10D` it is 35."""
    found = re.findall(r"(10|[2-9JQKA])([CDHS])\b", text)
    return sorted(SUITS.index(suit) * 13 + RANKS.index(rank) for rank, suit in found)


def meld(members: list[int]) -> int:
    """The number of a meld: five for each rank (without one suit, or all four), then runs of three, four and five, by
    suit and lowest rank.
    """
    suit, rank = divmod(members[0], 13)
    if len({card % 13 for card in members}) == 1:
        missing = {0, 1, 2, 3}.difference(card // 13 for card in members) or {4}
        return rank * 5 + min(missing)
    first = 65 + sum(4 * (14 - shorter) for shorter in range(3, len(members)))
    return first + suit * (14 - len(members)) + rank


class GinRummy(Mapping):
    """One round; a knock and its discard are two actions of OpenSpiel's."""

    rulebook, game = "gin_rummy_openspiel", "gin_rummy"

    def action(self, table: Table, move: Move) -> int | tuple[int, ...]:
        named = move.action or move.label or ""
        if named in PLAIN:
            return PLAIN[named]
        if move.label == "knock":
            return KNOCK
        chosen = cards(move.arguments[0][1])
        if named == "lay":
            return FIRST_MELD + meld(chosen)
        (card,) = chosen
        said = table.theirs.history()[-1] == KNOCK
        return (KNOCK, card) if named == "knock" and not said else card

    def outcome(self, table: Table, outcome: Outcome) -> int:
        (card,) = cards(outcome.text)
        return card

    def label(self, table: Table, move: Move) -> str:
        if move.label == "knock":
            return "knock at the wall"
        return move.action or move.label or ""


class DealtHands(GinRummy):
    """The deal is chosen: players at random seldom come to hands in which there is much to knock with, lay and add."""

    def deal(self, table: Table) -> list[int]:
        """Ten cards of each player and the upcard."""
        ranks = table.random.choice((5, 6, 7))
        lowest = table.random.randrange(14 - ranks)
        rich = [suit * 13 + rank for suit in range(4) for rank in range(lowest, lowest + ranks)]
        return self.dealt(table, table.random.sample(rich, 11))

    def dealt(self, table: Table, first: list[int]) -> list[int]:
        """A deal in which the first player may have these eleven cards."""
        others = sorted(set(range(52)).difference(first))
        return first[:10] + table.random.sample(others, 10) + first[10:]

    def chance(self, table: Table) -> bool:
        if table.started:
            return False
        dealt = self.deal(table)
        table.play(*dealt)
        table.script(self.outcome, dealt)
        return True


class GoodHands(DealtHands):
    """Both players are dealt three sets and a card beside them, so that who knocks is often undercut."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.undercuts = 0
        """How often somebody else than the knocker won."""

    def deal(self, table: Table) -> list[int]:
        sets = []
        for rank in table.random.sample(range(13), 6):
            sets += [suit * 13 + rank for suit in table.random.sample(range(4), 3)]
        first, second, upcard = table.random.sample(sorted(set(range(52)).difference(sets)), 3)
        return [*sets[:9], first, *sets[9:], second, upcard]

    def label(self, table: Table, move: Move) -> str:
        # A label of each game's own, so that in every second game all melds are laid out.
        label = super().label(table, move)
        return f"lay in {table.seed}" if label == "lay" else label

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns; undercuts are counted."""
        returns = super().returns(table)
        history = table.theirs.full_history()
        knockers = [step.player for step in history if step.action == KNOCK]
        self.undercuts += bool(knockers) and returns[knockers[0]] < 0
        return returns


class RivalMelds(DealtHands):
    """Hands with several best arrangements of melds, of which only some may be knocked with, less their highest card;
    until the first discard.
    """

    def deal(self, table: Table) -> list[int]:
        hand = list(RIVALS[table.seed % len(RIVALS)])
        table.random.shuffle(hand)
        return self.dealt(table, hand)

    def settled(self, table: Table) -> bool:
        return len(table.theirs.history()) > FIRST_DISCARD


# Found by trying hands at random; in the first twelve, OpenSpiel takes an arrangement that does not do. The
# last four have four cards of a rank.
FIRST_DISCARD = 22
RIVALS = (
    (2, 13, 16, 17, 18, 28, 29, 30, 31, 43, 44),
    (0, 16, 17, 18, 28, 29, 31, 40, 42, 43, 44),
    (1, 4, 16, 17, 18, 28, 29, 30, 31, 40, 44),
    (0, 3, 4, 5, 15, 16, 17, 18, 28, 30, 44),
    (1, 3, 4, 5, 14, 18, 30, 41, 42, 43, 44),
    (1, 14, 16, 17, 18, 30, 31, 41, 42, 43, 44),
    (3, 4, 5, 15, 16, 17, 18, 28, 31, 40, 43),
    (2, 3, 4, 5, 17, 18, 26, 28, 42, 43, 44),
    (3, 4, 5, 14, 16, 17, 18, 29, 39, 41, 44),
    (2, 5, 17, 27, 29, 30, 31, 41, 42, 43, 44),
    (2, 5, 16, 17, 18, 26, 27, 29, 30, 31, 42),
    (2, 5, 13, 16, 29, 30, 31, 40, 42, 43, 44),
    (1, 2, 3, 5, 13, 14, 17, 18, 19, 27, 31),
    (2, 3, 14, 16, 17, 18, 27, 29, 41, 42, 43),
    (0, 2, 3, 4, 5, 15, 17, 26, 28, 42, 43),
    (0, 1, 2, 17, 26, 28, 30, 40, 42, 43, 44),
    (0, 2, 3, 4, 13, 14, 28, 29, 39, 40, 42),
    (0, 2, 13, 15, 16, 17, 26, 27, 29, 40, 42),
    (6, 17, 19, 30, 31, 32, 33, 43, 44, 45, 46),
    (1, 2, 3, 14, 15, 16, 26, 29, 42, 43, 45),
    (7, 8, 19, 20, 21, 33, 34, 35, 46, 47, 48),
    (2, 3, 4, 15, 16, 17, 28, 29, 41, 42, 44),
)
