"""Yacht, as OpenSpiel plays it: dice to be rolled again are a mask, a roll of several dice is one number in base 6."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move
    from tests.lockstep.openspiel.driver import Table

FIRST_CATEGORY, STAKE = 32, 2520
STRAIGHT = range(5)
UPPER = ("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
CATEGORIES = (*UPPER, "Choice", "Four of a kind", "Full house", "Little straight", "Big straight", "Yacht")
DICE = {6**dice: dice for dice in range(1, 6)}


def made(eyes: list[int]) -> set[int]:
    """The actions of the categories, from four of a kind on, that dice make, by what they show in ascending order."""
    counts = sorted(eyes.count(n) for n in set(eyes))
    kinds = {
        "Four of a kind": counts[-1] >= 4,
        "Full house": counts in ([2, 3], [5]),
        "Little straight": eyes == [1, 2, 3, 4, 5],
        "Big straight": eyes == [2, 3, 4, 5, 6],
        "Yacht": counts == [5],
    }
    return {FIRST_CATEGORY + CATEGORIES.index(name) for name, holds in kinds.items() if holds}


class Yacht(Mapping):
    """Our dice are rolled one by one, theirs all at once; the first of the row is the lowest digit."""

    rulebook, game = "yacht_openspiel", "yacht"

    def action(self, table: Table, move: Move) -> int:
        if move.text.startswith("{"):
            (cup,) = (zone for zone in table.ours.Z if len(zone) == 5)
            return sum(1 << cup.index(die) for die in move.raw[1])
        return FIRST_CATEGORY + CATEGORIES.index(move.text)

    def label(self, table: Table, move: Move) -> str:
        number = self.action(table, move)
        makes = made(sorted(eyes for name, eyes in table.ours.values() if name.startswith("eyes")))
        if number in makes or (makes and number == 0):
            # A label of this decision alone, so that in every second game what the dice make is kept and scored.
            return f"{number} in decision {table.ours.decisions} of game {table.seed}"
        return str(number)

    def chance(self, table: Table) -> bool:
        """Rolls in which many dice are alike, and straights, come more often than by luck: what is compared is their
        probability. The totals are compared at each roll, because the returns say no more than who has won.
        """
        self.compare_totals(table)
        alike = table.random.randint(1, 6)
        dice = DICE[len(table.theirs.chance_outcomes())]
        if dice == len(STRAIGHT) and table.random.random() < 0.3:
            lowest = table.random.choice((1, 2))
            eyes = [lowest + n for n in table.random.sample(STRAIGHT, dice)]
        else:
            eyes = [alike if table.random.random() < 0.6 else table.random.randint(1, 6) for _ in range(dice)]
        table.script(lambda _, outcome: int(outcome.text), eyes)
        table.play(sum((n - 1) * 6**place for place, n in enumerate(eyes)))
        return True

    def compare_totals(self, table: Table) -> None:
        """Raise DifferenceError if the players have not scored the same in both games so far."""
        ours = dict(table.ours.values())
        made = [ours[f"total[{p}]"] for p in range(self.our_game.players)]
        theirs = [int(total) for total in re.findall(r"\(total: (\d+)\)", str(table.theirs))]
        if made != theirs:
            raise table.differ(f"the totals are {made} in ours and {theirs} in theirs")

    def returns(self, table: Table) -> list[float]:
        self.compare_totals(table)
        return [share / STAKE for share in super().returns(table)]
