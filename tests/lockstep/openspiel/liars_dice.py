"""Liar's dice in OpenSpiel: a bid is (number - 1) * faces + face - 1, and the last number doubts."""

from __future__ import annotations

from egodsl.engine.moves import Move, Outcome
from tests.lockstep.openspiel.driver import Mapping, Table


class LiarsDice(Mapping):
    """One round of liar's dice between two players."""

    rulebook = "liars_dice_openspiel"
    game = "liars_dice"

    def action(self, table: Table, move: Move) -> int:
        faces = self.our_game.settings.parameters["faces"]
        if move.action == "doubt":
            return int(self.their_game.num_distinct_actions()) - 1
        numbers = {name: int(text) for name, text in move.arguments}
        return (numbers["q"] - 1) * faces + numbers["f"] - 1

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return int(outcome.text) - 1
