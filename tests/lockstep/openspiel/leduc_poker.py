"""Leduc poker in OpenSpiel: 0 folds, 1 calls, 2 raises; a card is 2 * rank + suit, ranks from 0."""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table

ACTIONS = {"fold": 0, "call": 1, "raise": 2}


class LeducPoker(Mapping):
    """Leduc poker for any number of players."""

    rulebook = "leduc_poker"
    game = "leduc_poker"

    def action(self, table: Table, move: Move) -> int:
        assert move.action is not None
        return ACTIONS[move.action]

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return 2 * (int(outcome.text[:-1]) - 1) + "sh".index(outcome.text[-1])

    def returns(self, table: Table) -> Sequence[float]:
        # Ours are in half chips.
        return [half / 2 for half in super().returns(table)]
