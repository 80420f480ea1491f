"""Hearts: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import lying, rank_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK = 52
PENALTIES = 14

FLAGS = {
    "no_passing": ("pass_cards", False),
    "any_club": ("can_lead_any_club", True),
    "early_points": ("no_pts_on_first_trick", False),
    "free_hearts": ("must_break_hearts", False),
    "quiet_queen": ("qs_breaks_hearts", False),
    "spared_queen": ("can_lead_hearts_instead_of_qs", True),
    "lucky_jack": ("jd_bonus", True),
    "no_trick_bonus": ("avoid_all_tricks_bonus", True),
}
"""For each mode of ours the parameter of theirs, and its value when the mode is on."""


class Hearts(Mapping):
    """One round."""

    rulebook, game = "hearts_openspiel", "hearts"

    def __init__(self, modes: Iterable[str] = ()) -> None:
        on = set(modes)
        theirs = {name: value if mode in on else not value for mode, (name, value) in FLAGS.items()}
        super().__init__(modes=sorted(on), theirs=theirs)

    def action(self, table: Table, move: Move) -> int:
        return rank_first(move.text)

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return rank_first(outcome.text) if table.theirs.history() else int(outcome.text)

    def chance(self, table: Table) -> bool:
        """Theirs deals in turn; ours picks no direction where there is no passing."""
        if not table.theirs.history():
            if self.theirs["pass_cards"]:
                return False
            table.theirs.apply_action(0)
        cards = self.deal(table)
        dealt = [card for p in range(4) for card in cards[p::4]]
        table.script(self.outcome, dealt[:-1])  # the last card is no chance in ours
        return True

    def deal(self, table: Table) -> list[int]:
        """Deal in theirs, one card at a time; the cards in this order."""
        return table.sample_theirs(DECK)


class LongSuits(Hearts):
    """The deal is chosen: everybody has one suit, but for a few cards.

    At random it is rare that somebody takes all points, or has nothing but hearts to lead or to throw.
    """

    def __init__(self, modes: Iterable[str] = ()) -> None:
        super().__init__(modes)
        self.moons = 0
        """How often somebody took all 26 points."""

    def deal(self, table: Table) -> list[int]:
        suits = table.random.sample(range(4), 4)
        cards = [rank * 4 + suit for rank in range(13) for suit in suits]
        for _ in range(table.random.randrange(6)):
            a, b = table.random.sample(range(DECK), 2)
            cards[a], cards[b] = cards[b], cards[a]
        table.play(*cards)
        return cards

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns; moons are counted."""
        for player in "ABCD":
            taken = lying(table.ours, f"taken[{player}]")
            self.moons += sum(card[-1] == "H" or card == "QS" for card in taken) == PENALTIES
        return super().returns(table)
