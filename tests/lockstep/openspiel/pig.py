"""Pig in OpenSpiel: 0 rolls, 1 stops; a roll's number is what it shows less one."""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table


class Pig(Mapping):
    """Pig for any number of players."""

    rulebook = "pig"
    game = "pig"

    def action(self, table: Table, move: Move) -> int:
        return int(move.action == "hold")

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return int(outcome.text) - 1

    def returns(self, table: Table) -> Sequence[float]:
        # What the others lose to the winner is 1 together in theirs, 1 each in ours.
        returns = super().returns(table)
        return [one / (len(returns) - 1) for one in returns]
