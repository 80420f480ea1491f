"""Kuhn poker in OpenSpiel: 0 passes, 1 bets or calls; a card's number is its rank less one."""

from __future__ import annotations

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table


class KuhnPoker(Mapping):
    """Kuhn poker for any number of players."""

    rulebook = "kuhn_poker"
    game = "kuhn_poker"

    def action(self, table: Table, move: Move) -> int:
        return int(move.action == "bet")

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return int(outcome.text) - 1
