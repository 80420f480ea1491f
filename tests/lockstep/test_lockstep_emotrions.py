"""EmotrionsOnCards from its rulebook against the reference, bet by bet, with chance explicit in both.

The ordinary run plays a few hundred games; `EGODSL_GAMES=5000 pytest tests/lockstep` plays that many.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import pytest

from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.moves import Move, Outcome
from egodsl.engine.state import State
from tests.lockstep.driver import DifferenceError
from tests.lockstep.reference_emotrions import HUNGER, INDECISION, READINGS, VALUES, Bet, Reference, Table
from tests.lockstep.reference_nodes import Chance, Decision, Result

GAMES = int(os.environ.get("EGODSL_GAMES", "300"))
RULEBOOK = Path(__file__).parents[2] / "rulebooks" / "emotrions.rules"
ORDER = list(VALUES)
EACH_ANSWER = [{name: answer} for name, answers in READINGS.items() for answer in answers[1:]]
LIMIT = 2000
"""Answers after which a game is cut short: a goal that is far away, or ties, can make it long."""


@attrs.frozen
class Setting:
    """How one pair of games is configured."""

    players: int
    readings: Mapping[str, str] = attrs.field(factory=dict)
    hand_size: int = 6
    goal: int = 37

    def reference(self) -> Reference:
        """The reference at its first node."""
        return Reference(self.players, readings=self.readings, hand_size=self.hand_size, goal=self.goal)

    def game(self, rulebook: Rulebook) -> Game:
        """The rulebook's game."""
        parameters = {"hand_size": self.hand_size, "goal": self.goal}
        return rulebook.game(players=self.players, readings=self.readings, parameters=parameters)


def named(text: str) -> str | int:
    """A card by its name, a player by the number of the seat."""
    return ord(text) - ord("A") if len(text) == 1 else text


def key_of(move: Move) -> tuple[str, ...]:
    """The reference's tuple for a bet of the rulebook."""
    chosen = [text for _, texts in move.arguments for text in texts.strip("{}").split(", ")]
    assert (move.action, len(chosen)) in {("bet", 1), ("bet_two", 2)}
    return ("bet", *sorted(chosen, key=ORDER.index))


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

    def play(self, rng: random.Random, *, rare: bool = False) -> None:
        """Play on to the end or the limit; `rare` prefers Hunger and Indecision.

        Raises DifferenceError where the two disagree.
        """
        while self.answers < LIMIT:
            outcomes = self._let_what_is_certain_happen()
            if self.ours.is_over or isinstance(self.reference.node, Result):
                self._compare_ends()
                return
            if outcomes or isinstance(self.reference.node, Chance):
                self._chance(outcomes, rng)
            else:
                self._decide(rng, rare=rare)
            self.answers += 1

    def _let_what_is_certain_happen(self) -> list[Outcome]:
        # A draw that has one outcome may be an event in one and none in the other: nobody can tell.
        outcomes = self.ours.chance()
        while outcomes and len({outcome.text for outcome in outcomes}) == 1:
            self.ours.apply(outcomes[0])
            outcomes = self.ours.chance()
        while isinstance(self.reference.node, Chance) and len(self.reference.node.outcomes) == 1:
            self.reference.apply(self.reference.node.outcomes[0][0])
        return outcomes

    def _chance(self, offered: Sequence[Outcome], rng: random.Random) -> None:
        node = self.reference.node
        if not isinstance(node, Chance) or not offered:
            raise self._difference("only one of the two leaves it to chance")
        outcomes = {named(outcome.text): outcome for outcome in offered}
        weights: defaultdict[str | int, Fraction] = defaultdict(Fraction)
        for outcome in offered:
            weights[named(outcome.text)] += outcome.probability
        if dict(weights) != dict(node.outcomes):
            raise self._difference(f"chance differs: {dict(weights)} and {dict(node.outcomes)}")
        chosen = rng.choices(list(weights), [float(weight) for weight in weights.values()])[0]
        self.ours.apply(outcomes[chosen])
        self.reference.apply(chosen)

    def _decide(self, rng: random.Random, *, rare: bool) -> None:
        node = self.reference.node
        assert isinstance(node, Decision)
        if self.ours.to_move != (node.player,):
            raise self._difference(f"{self.ours.to_move} decide, and in the reference {node.player}")
        legal = self.ours.legal_moves(node.player)
        ours = {key_of(move): move for move in legal}
        if len(ours) != len(legal) or set(ours) != set(node.moves):
            raise self._difference(f"moves differ: {sorted(ours)} and {sorted(node.moves)}")
        if self.table() != self.reference.table():
            raise self._difference("the tables differ")
        weights = [1 + 3 * (rare and (HUNGER in bet or INDECISION in bet)) for bet in ours]
        chosen = rng.choices(list(ours), weights)[0]
        # By number is quicker; every few answers the bet goes the long way.
        if self.answers % 4:
            self.ours.choose(legal.index(ours[chosen]))
        else:
            self.ours.apply(ours[chosen])
        self.reference.apply(chosen)

    def table(self) -> Table:
        """The rulebook's table in the form of the reference."""
        seats = range(self.setting.players)
        stakes = [Bet(p, tuple(self._cards("stake", p))) for p in self._in_betting_order() if self._cards("stake", p)]
        return Table(
            hands=tuple(tuple(sorted(self._cards("hand", p))) for p in seats),
            bets=tuple(stakes),
            piles=tuple(tuple(sorted(self._cards("pile", p))) for p in seats),
            discard=tuple(sorted(self._cards("discard", 0))),
            bank=len(self.ours.Z[self._zones["bank"]]),
            totals=self._by_player("total"),
            playing=tuple(p for p in seats if not (self._by_player("out")[p] or self._by_player("beaten")[p])),
            leader=self.ours.V[self._vars["leader"]],
        )

    def _in_betting_order(self) -> list[int]:
        # Who has bet first sits next after whoever decides now, clockwise.
        (now,) = self.ours.to_move
        return [(now + step) % self.setting.players for step in range(self.setting.players)]

    def _cards(self, zone: str, at: int) -> list[str]:
        texts = [self.game.texts.card(card) for card in self.ours.Z[self._zones[zone] + at]]
        return sorted(texts, key=ORDER.index)

    def _by_player(self, var: str) -> tuple[Any, ...]:
        base = self._vars[var]
        return tuple(self.ours.V[base : base + self.setting.players])

    def _compare_ends(self) -> None:
        ours, theirs = self.ours.result, self.reference.node
        if ours is None or not isinstance(theirs, Result):
            raise self._difference("only one of the two is over")
        # Where the reference knows no winner, everybody shares the one place.
        winners = theirs.winners or tuple(range(self.setting.players))
        if tuple(sorted(ours.winners)) != winners or len(ours.places) != len(set(theirs.places)):
            raise self._difference(f"results differ: {ours} and {theirs}")
        if self._by_player("total") != theirs.totals:
            raise self._difference(f"totals differ: {self._by_player('total')} and {theirs.totals}")

    def _difference(self, what: str) -> DifferenceError:
        offered = [move.text for p in self.ours.to_move for move in self.ours.legal_moves(p)]
        chance = [f"{outcome.text} {outcome.probability}" for outcome in self.ours.chance()]
        lines = [
            f"{what} (after {self.answers} answers of {self.setting})",
            f"rulebook:  {self.table() if self.ours.to_move else self._by_player('total')}",
            f"  decides {self.ours.to_move}: {offered or chance or self.ours.result}",
            f"reference: {self.reference.table()}",
            f"  {self.reference.node}",
            "record:",
            str(self.ours.record()),
        ]
        return DifferenceError("\n".join(lines))


def text_of(readings: object) -> str:
    if isinstance(readings, Mapping):
        return "-".join(f"{name}={answer}" for name, answer in readings.items())
    return str(readings)


def seeded(*words: object) -> random.Random:
    return random.Random(" ".join(map(str, words)))  # noqa: S311 - play, not secrets


def settings(players: int, readings: Mapping[str, str], game: int) -> Setting:
    """As the rules say; in every other game a goal within reach of one partida, or a hand of two cards."""
    hand_size, goal = ((6, 37), (6, 12), (6, 37), (2, 10))[game % 4]
    return Setting(players, readings, hand_size, goal)


@pytest.fixture(scope="module", name="rulebook")
def _rulebook() -> Rulebook:
    return load(RULEBOOK)


@pytest.mark.parametrize("players", range(2, 7))
def test_default_readings(rulebook: Rulebook, players: int) -> None:
    for game in range(max(1, GAMES // 15)):
        setting = settings(players, {}, game)
        Lockstep(setting, setting.game(rulebook)).play(seeded(players, game), rare=game // 2 % 2 == 1)


@pytest.mark.parametrize("readings", EACH_ANSWER, ids=text_of)
def test_each_answer_of_each_reading(rulebook: Rulebook, readings: Mapping[str, str]) -> None:
    for game in range(max(1, GAMES // 60)):
        setting = settings(2 + (game + len(str(readings))) % 5, readings, game)
        Lockstep(setting, setting.game(rulebook)).play(seeded(readings, game), rare=game // 2 % 2 == 1)


def test_readings_mixed(rulebook: Rulebook) -> None:
    for game in range(max(1, GAMES // 6)):
        rng = seeded("mixed", game)
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        setting = settings(rng.randint(2, 6), readings, game)
        Lockstep(setting, setting.game(rulebook)).play(rng, rare=game // 2 % 2 == 1)


# Where an answer seldom shows by itself: the other readings and the number of players with which it does.
REVEALING: dict[str, tuple[dict[str, str], int]] = {
    "after_hunger": ({"next_leader": "next_seat"}, 2),
    "all_negative": ({}, 2),
    "double_indecision": ({}, 2),
    "lone_indecision": ({}, 2),
    "tie_players": ({"length": "one_partida"}, 3),
    "tie_totals": ({"length": "one_partida"}, 2),
    "zero_round": ({}, 2),
}


@pytest.mark.parametrize("readings", EACH_ANSWER, ids=text_of)
def test_an_answer_is_told_from_the_default(rulebook: Rulebook, readings: Mapping[str, str]) -> None:
    # The rulebook by default against the reference with another answer: were they never told apart, the tests above
    # would prove nothing of that reading.
    base, players = REVEALING.get(next(iter(readings)), ({}, 3))

    def play_until_they_differ() -> None:
        for game in range(200):
            ours = settings(players, base, game)
            theirs = settings(players, {**base, **readings}, game)
            Lockstep(theirs, ours.game(rulebook)).play(seeded("apart", readings, game), rare=True)

    with pytest.raises(DifferenceError):
        play_until_they_differ()
