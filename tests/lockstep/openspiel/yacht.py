"""Yacht, as OpenSpiel plays it: dice to be rolled again are a mask, a roll of several dice is one number in base 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move
    from tests.lockstep.openspiel.driver import Table

FIRST_CATEGORY, STAKE = 32, 2520
UPPER = ("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
CATEGORIES = (*UPPER, "Choice", "Four of a kind", "Full house", "Little straight", "Big straight", "Yacht")
DICE = {6**dice: dice for dice in range(1, 6)}


class Yacht(Mapping):
    """Our dice are rolled one by one, theirs all at once; the first of the row is the lowest digit."""

    rulebook, game = "yacht_openspiel", "yacht"

    def action(self, table: Table, move: Move) -> int:
        if move.text.startswith("{"):
            (cup,) = (zone for zone in table.ours.Z if len(zone) == 5)
            return sum(1 << cup.index(die) for die in move.raw[1])
        return FIRST_CATEGORY + CATEGORIES.index(move.text)

    def label(self, table: Table, move: Move) -> str:
        return str(self.action(table, move))

    def chance(self, table: Table) -> bool:
        """Rolls in which many dice are alike come more often than by luck: what is compared is their probability."""
        alike = table.random.randint(1, 6)
        dice = DICE[len(table.theirs.chance_outcomes())]
        eyes = [alike if table.random.random() < 0.5 else table.random.randint(1, 6) for _ in range(dice)]
        table.script(lambda _, outcome: int(outcome.text), eyes)
        table.play(sum((n - 1) * 6**place for place, n in enumerate(eyes)))
        return True

    def returns(self, table: Table) -> list[float]:
        return [share / STAKE for share in super().returns(table)]
