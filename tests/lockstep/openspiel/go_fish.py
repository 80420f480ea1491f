"""Go fish, as OpenSpiel plays it: an action is the player asked * 13 + the rank, chance deals ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from tests.lockstep.openspiel.driver import Table

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
STAKE = 2520


class GoFish(Mapping):
    """What the winners share is 2520 with us and 1 with them."""

    rulebook, game = "go_fish_openspiel", "go_fish"

    def action(self, table: Table, move: Move) -> int:
        (_, target), (_, rank) = move.arguments
        return "ABCDEF".index(target) * 13 + RANKS.index(rank)

    def chance(self, table: Table) -> bool:
        """In every third game the last two hands are of few ranks, so that books are dealt."""
        if table.started or table.seed % 3:
            return False
        players = self.our_game.players
        even = (players - 2) * 5
        rank = -1
        while table.theirs.is_chance_node():
            left = table.theirs.legal_actions()
            even -= 1
            if even >= 0 or rank not in left or table.random.random() < 0.4:
                rank = table.random.choice(left)
            table.script(self.outcome, [rank])
            table.play(rank)
        return True

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return RANKS.index(outcome.text)

    def label(self, table: Table, move: Move) -> str:
        return move.arguments[1][1]

    def returns(self, table: Table) -> list[float]:
        return [share / STAKE for share in super().returns(table)]
