"""Hearts: how the moves of our rulebook are those of OpenSpiel's game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.cards import rank_first
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

DECK = 52

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
        cards = table.sample_theirs(DECK)
        dealt = [card for p in range(4) for card in cards[p::4]]
        table.script(self.outcome, dealt[:-1])  # the last card is no chance in ours
        return True
