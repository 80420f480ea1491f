"""Plays the rulebook and the reference in lockstep, with chance explicit in both, and compares them at every step."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import attrs

from egodsl.engine.game import Game, Rulebook
from egodsl.engine.moves import Move, Outcome, Result
from egodsl.engine.state import State
from tests.lockstep import reference_table as table
from tests.lockstep.reference_egocentric import Reference

FACES = {"789": 8, "Black Shield": 9, "Magnifying Glass": 10, "Two Cards": 11, "Hourglass": 12}
LABELS: dict[str | None, tuple[str, ...]] = {
    "discard it": ("discard it",),
    "keep it": ("keep it",),
    "play another turn": ("another turn",),
    "look at a hand": ("look",),
    "exchange": ("exchange",),
    "leave it": ("may", "no"),
    "raise the shield": ("raise",),
    "no shield": ("no",),
    "give": ("card",),
    "take one unseen": ("take one unseen",),
    "name a value": ("name a value",),
    None: ("give",),
}
"""What the rulebook's labels are called in the reference; the move without one gives a card whose value was named."""

Key: TypeAlias = tuple[Any, ...]


class DifferenceError(AssertionError):
    """The two games have come apart; the message shows both."""


@attrs.frozen
class Setting:
    """How one pair of games is configured."""

    players: int
    readings: Mapping[str, str] = attrs.field(factory=dict)
    italian: bool = False
    hand_size: int = 5
    rounds: int = 2

    def reference(self) -> Reference:
        """The reference at its first node."""
        return Reference(
            self.players,
            italian=self.italian,
            readings=self.readings,
            hand_size=self.hand_size,
            agreed_rounds=self.rounds,
        )

    def game(self, rulebook: Rulebook) -> Game:
        """The rulebook's game; that a game has one round is a mode there, not an answer."""
        readings = dict(self.readings)
        modes = []
        if readings.get("length") == "single_round":
            modes.append(readings.pop("length"))
        parameters = {"hand_size": self.hand_size, "number_of_rounds": self.rounds}
        return rulebook.game(players=self.players, modes=modes, readings=readings, parameters=parameters)


def number(text: str) -> int:
    """A face, value or player as the reference numbers it; a name that the rules have for the card does not count."""
    text = text.partition(" (")[0]
    if text in FACES:
        return FACES[text]
    return ord(text) - ord("A") if text.isalpha() else int(text)


def key_of(move: Move) -> Key:
    """The reference's tuple for a move of the rulebook."""
    chosen = tuple(number(text) for _, text in move.arguments)
    return (move.action, *chosen) if move.action is not None else (*LABELS[move.label], *chosen)


class Lockstep:
    """A game of the rulebook and a game of the reference, side by side."""

    def __init__(self, setting: Setting, game: Game) -> None:
        self.setting = setting
        self.game = game
        self.ours: State = game.start()
        self.reference = setting.reference()
        self.answers = 0
        program = game.checked.program
        self._zones = {name: game.layout.zones[decl].base for name, decl in program.zones.items()}
        self._vars = {name: game.layout.vars[decl].base for name, decl in program.vars.items()}

    def play(self, rng: random.Random, limit: int = 5000, *, rare: bool = False) -> None:
        """Play on to the end, or for `limit` answers; `rare` prefers the kinds of moves that are seldom played.

        Raises DifferenceError where the two disagree.
        """
        while self.answers < limit:
            outcomes = self._let_what_is_certain_happen()
            if self.ours.is_over or isinstance(self.reference.node, table.Result):
                self._compare_ends()
                return
            if outcomes or isinstance(self.reference.node, table.Chance):
                self._chance(outcomes, rng)
            else:
                self._decide(rng, rare=rare)
            self.answers += 1

    def _let_what_is_certain_happen(self) -> list[Outcome]:
        # A draw that has one outcome may be an event in one and none in the other: nobody can tell.
        outcomes = self.ours.chance()
        while outcomes and len({number(outcome.text) for outcome in outcomes}) == 1:
            self.ours.apply(outcomes[0])
            outcomes = self.ours.chance()
        while isinstance(self.reference.node, table.Chance) and len(self.reference.node.outcomes) == 1:
            self.reference.apply(self.reference.node.outcomes[0][0])
        return outcomes

    # --- chance ---------------------------------------------------------------------------------------------------

    def _chance(self, offered: Sequence[Outcome], rng: random.Random) -> None:
        node = self.reference.node
        if not isinstance(node, table.Chance) or not offered:
            raise self._difference("only one of the two leaves it to chance")
        outcomes: dict[int, Outcome] = {}
        weights: defaultdict[int, Fraction] = defaultdict(Fraction)
        for outcome in offered:
            face = number(outcome.text)
            outcomes.setdefault(face, outcome)
            weights[face] += outcome.probability
        if dict(weights) != dict(node.outcomes):
            raise self._difference(f"chance differs: {dict(weights)} and {dict(node.outcomes)}")
        face = rng.choices(list(weights), [float(weight) for weight in weights.values()])[0]
        self.ours.apply(outcomes[face])
        self.reference.apply(face)

    # --- decisions ------------------------------------------------------------------------------------------------

    def _decide(self, rng: random.Random, *, rare: bool) -> None:
        node = self.reference.node
        assert isinstance(node, table.Decision)
        # Where several decide at once the reference asks them one after the other.
        if node.player not in self.ours.to_move:
            raise self._difference(f"{self.ours.to_move} decide, and in the reference {node.player}")
        legal = self.ours.legal_moves(node.player)
        ours = {key_of(move): move for move in legal}
        # Equal cards are several moves here only where a name of the rules tells one of them from the others.
        distinct = len(ours) == len(legal) or any("(" in move.text for move in legal)
        if not distinct or set(ours) != set(node.moves):
            raise self._difference(f"moves differ: {sorted(ours, key=str)} and {sorted(node.moves, key=str)}")
        if len(self.ours.to_move) == 1:
            self._compare_tables()
        chosen = self._choose(rng, list(ours), rare=rare)
        self._apply(legal, ours[chosen])
        self.reference.apply(chosen)

    def _apply(self, legal: Sequence[Move], move: Move) -> None:
        # By number is quicker where one player decides; every few answers the move goes the long way.
        if self.ours.branches or self.answers % 4 == 0:
            self.ours.apply(move)
        else:
            self.ours.choose(legal.index(move))

    def _choose(self, rng: random.Random, moves: list[Key], *, rare: bool) -> Key:
        if not rare:
            return rng.choice(moves)
        kinds = Counter(move[0] for move in moves)
        # By kind; STOP seldom, so that rounds last and decks run out; drawing and declining less than using abilities.
        worth = {"say_stop": 0.05, "draw": 0.5, "take_discard": 1.5, "may": 0.2, "no": 0.7}
        return rng.choices(moves, [worth.get(move[0], 1.0) / kinds[move[0]] for move in moves])[0]

    # --- tables ---------------------------------------------------------------------------------------------------

    def table(self) -> table.Table:
        """The rulebook's table in the form of the reference."""
        hands = tuple(tuple(sorted(self._faces("hand", p))) for p in range(self.setting.players))
        held = tuple(sorted(face for p in range(self.setting.players) for face in self._faces("aside", p)))
        deck = len(self.ours.Z[self._zones["deck"]])
        on_turn = self.ours.turns[-1][1] if self.ours.turns else None
        return table.Table(hands, self._faces("discard", 0), deck, held, self._totals(), self._stopper(), on_turn)

    def _faces(self, zone: str, at: int) -> list[int]:
        return [number(self.game.texts.card(card)) for card in self.ours.Z[self._zones[zone] + at]]

    def _stopper(self) -> int | None:
        stopper: int | None = self.ours.V[self._vars["stopper"]]
        return stopper

    def _totals(self) -> tuple[int, ...]:
        base = self._vars["total"]
        return tuple(self.ours.V[base : base + self.setting.players])

    def _compare_tables(self) -> None:
        if self.table() != self.reference.table():
            raise self._difference("the tables differ")

    def _compare_ends(self) -> None:
        ours, theirs = self.ours.result, self.reference.node
        if ours is None or not isinstance(theirs, table.Result):
            raise self._difference("only one of the two is over")
        if (_places(ours), tuple(sorted(ours.winners))) != (theirs.places, theirs.winners):
            raise self._difference(f"results differ: {ours} and {theirs}")
        if self._totals() != theirs.totals:
            raise self._difference(f"totals differ: {self._totals()} and {theirs.totals}")

    def _difference(self, what: str) -> DifferenceError:
        offered = [move.text for p in self.ours.to_move for move in self.ours.legal_moves(p)]
        chance = [f"{outcome.text} {outcome.probability}" for outcome in self.ours.chance()]
        lines = [
            f"{what} (after {self.answers} answers of {self.setting})",
            f"rulebook:  {self.table()}",
            f"  decides {self.ours.to_move}: {offered or chance or self.ours.result}",
            f"reference: {self.reference.table()}",
            f"  {self.reference.node}",
            "record:",
            str(self.ours.record()),
        ]
        return DifferenceError("\n".join(lines))


def _places(result: Result) -> tuple[int, ...]:
    """Each player's place, from 1; those behind a tie count all who are better."""
    places: dict[int, int] = {}
    for group in result.places:
        place = 1 + len(places)
        places |= dict.fromkeys(group, place)
    return tuple(places[player] for player in sorted(places))


def each_reading() -> Iterator[dict[str, str]]:
    """The default, then each other answer alone."""
    yield {}
    for name, answers in table.READINGS.items():
        for answer in answers[1:]:
            yield {name: answer}
