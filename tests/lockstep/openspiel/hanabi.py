"""Hanabi, as OpenSpiel (that is, the Hanabi Learning Environment) plays it.

Actions: to discard a card of the hand, to play one, to tell each other player a colour, to tell each a rank. The others
are numbered from the next one on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from egodsl.engine.views import zone_name
from tests.lockstep.openspiel.driver import Mapping

if TYPE_CHECKING:
    from egodsl.engine.moves import Move, Outcome
    from egodsl.engine.state import State
    from tests.lockstep.openspiel.driver import Table

COLOURS = "RYGWB"


class Hanabi(Mapping):
    """The order in which cards are dealt and the places in a hand are the same in both.

    Moves at random lose three lives long before the deck is empty. So the moves are counted in a way that makes the
    biased half of the games go on to their end: what loses points is counted together, and so is rarely played.
    """

    rulebook, game = "hanabi", "hanabi"

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.scores: Counter[float] = Counter()
        """How often each score was reached."""
        self.good_moves = 0

    def action(self, table: Table, move: Move) -> int:
        players = self.our_game.players
        size = 5 if players <= 3 else 4
        if move.action in ("launch", "give_up"):
            return place(move) if move.action == "give_up" else size + place(move)
        told = move.arguments[1][1]
        ahead = ("ABCDE".index(move.arguments[0][1]) - move.player) % players
        if move.action == "tell_colour":
            return 2 * size + 5 * (ahead - 1) + COLOURS.index(told)
        return 2 * size + 5 * (players - 1) + 5 * (ahead - 1) + int(told) - 1

    def outcome(self, table: Table, outcome: Outcome) -> int:
        return COLOURS.index(outcome.text[0]) * 5 + int(outcome.text[1]) - 1

    def label(self, table: Table, move: Move) -> str:
        assert move.action is not None
        if move.action.startswith("tell"):
            return f"{move.action} {table.ours.decisions}"
        if table.kept.get("decision") != table.ours.decisions:
            table.kept = {"decision": table.ours.decisions, "zones": cards_by_zone(table.ours)}
        zones = table.kept["zones"]
        hand = zones[f"hand[{'ABCDE'[move.player]}]"]
        card = hand[place(move)]
        behind = len(zones[f"firework[{card[0]}]"]) - int(card[1])
        if behind == -1 if move.action == "launch" else behind >= 0 or hand.count(card) > 1:
            self.good_moves += 1
            return f"{move.action} well {self.good_moves}"
        return f"{move.action} badly"

    def returns(self, table: Table) -> list[float]:
        returns = [float(score) for score in super().returns(table)]
        self.scores[returns[0]] += 1
        return returns


def place(move: Move) -> int:
    """Where in the hand, from 0, the card lies that is played or given up."""
    return int(move.arguments[0][1].removeprefix("#")) - 1


def cards_by_zone(state: State) -> dict[str, list[str]]:
    """The cards of each zone, in order."""
    game = state.game
    return {
        zone_name(game, slot): [game.texts.card(card, state) for card in cards]
        for slot, cards in enumerate(state.Z)
        if slot != game.layout.outside
    }
