"""Ego from its rulebook against the reference, move by move.

The ordinary run plays a few hundred games; `EGODSL_GAMES=1000 pytest tests/lockstep/test_lockstep_ego.py` plays that
many with each number of players.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import pytest

from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.moves import Move, Outcome
from egodsl.engine.state import State
from tests.lockstep.reference_ego import DOTS, KINDS, READINGS, Reference, Table
from tests.lockstep.reference_nodes import Chance, Decision, Result
from tests.lockstep.reference_nodes import Move as Key

GAMES = int(os.environ.get("EGODSL_GAMES", "42"))
RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
FEW = (4, 2, 3)
"""Cards of each kind in a pile that runs out."""
VOTES = {"the tokens are paid": ("vote", "yes"), "no tokens": ("vote", "no")}


class DifferenceError(AssertionError):
    """The two games have come apart; the message shows both."""


@attrs.frozen
class Setting:
    """How one pair of games is configured."""

    players: int
    readings: Mapping[str, str] = attrs.field(factory=dict)
    vote: bool = False
    few: bool = False
    tokens: int = 15

    def reference(self) -> Reference:
        """The reference at its first node."""
        cards = FEW if self.few else (20, 20, 20)
        return Reference(self.players, vote=self.vote, readings=self.readings, cards=cards, tokens=self.tokens)

    def game(self, rulebooks: Mapping[bool, Rulebook]) -> Game:
        """The rulebook's game."""
        return rulebooks[self.few].game(
            players=self.players,
            modes=["vote"] if self.vote else [],
            readings=self.readings,
            parameters={"tokens": self.tokens},
        )


class Lockstep:
    """A game of the rulebook and a game of the reference, side by side."""

    def __init__(self, setting: Setting, game: Game) -> None:
        self.setting = setting
        self.ours: State = game.start()
        self.reference = setting.reference()
        self.answers = 0
        (self._kinds,) = (kind.fields["kind"] for kind in game.layout.types)
        program = game.checked.program
        self._zones = {name: game.layout.zones[decl].base for name, decl in program.zones.items()}
        self._vars = {name: game.layout.vars[decl].base for name, decl in program.vars.items()}

    def play(self, rng: random.Random, limit: int = 3000) -> None:
        """Play on to the end, or for `limit` answers. Raises DifferenceError where the two disagree."""
        while self.answers < limit:
            self._let_what_is_certain_happen()
            node = self.reference.node
            if self.ours.is_over or isinstance(node, Result):
                self._compare_ends()
                return
            if self.ours.is_chance or isinstance(node, Chance):
                self._chance(rng)
            else:
                self._decide(rng)
            self.answers += 1

    def _let_what_is_certain_happen(self) -> None:
        # A draw that has one outcome may be an event in one and none in the other: nobody can tell.
        while len(outcomes := self.ours.chance()) == 1:
            self.ours.apply(outcomes[0])
        while isinstance(self.reference.node, Chance) and len(self.reference.node.outcomes) == 1:
            self.reference.apply(self.reference.node.outcomes[0][0])

    def _chance(self, rng: random.Random) -> None:
        node = self.reference.node
        offered = self.ours.chance()
        if not isinstance(node, Chance) or not offered:
            raise self._difference("only one of the two leaves it to chance")
        outcomes = {self._face(node.what, outcome): outcome for outcome in offered}
        weights: defaultdict[object, Fraction] = defaultdict(Fraction)
        for outcome in offered:
            weights[self._face(node.what, outcome)] += outcome.probability
        # Cards that differ in their texts alone are one outcome.
        if len(outcomes) != len(offered) or dict(weights) != dict(node.outcomes):
            raise self._difference(f"chance differs: {dict(weights)} and {dict(node.outcomes)}")
        face = rng.choices(list(weights), [float(weight) for weight in weights.values()])[0]
        self.ours.apply(outcomes[face])
        self.reference.apply(face)

    def _face(self, what: str, outcome: Outcome) -> object:
        return outcome.value if what == "youngest" else KINDS[self._kinds[outcome.value]]

    def _decide(self, rng: random.Random) -> None:
        node = self.reference.node
        assert isinstance(node, Decision)
        # Where several decide at once the reference asks them one after the other.
        if node.player not in self.ours.to_move:
            raise self._difference(f"{self.ours.to_move} decide, and in the reference {node.player}")
        legal = self.ours.legal_moves(node.player)
        ours = {key_of(move): move for move in legal}
        if len(ours) != len(legal) or set(ours) != set(node.moves):
            raise self._difference(f"moves differ: {sorted(ours)} and {sorted(node.moves)}")
        if not any(branch.decisions or branch.over for branch in self.ours.branches.values()):
            self._compare_tables()
        chosen = rng.choice(list(ours))
        self.ours.apply(ours[chosen])
        self.reference.apply(chosen)

    # --- tables ---------------------------------------------------------------------------------------------------

    def _compare_tables(self) -> None:
        theirs = self.reference.table()
        if self.table(theirs) != theirs:
            raise self._difference("the tables differ")
        if self.answers % 32 == 0:
            self._compare_views(theirs)

    def table(self, theirs: Table) -> Table:
        """The rulebook's table in the form of the reference; what is laid and shown is asked of views."""
        pool = self._values("pool")
        answers = self._values("answer")
        guesses = tuple(tuple(DOTS[dot] for dot in sorted(guess)) for guess in self._values("guess"))
        on_turn = self.ours.turns[-1][1] if self.ours.turns else 0
        questions = [KINDS[self._kinds[card]] for card in self.ours.Z[self._zones["shown"]]]
        return Table(
            won=tuple(self.setting.tokens - left for left in pool),
            pool=pool,
            pile=len(self.ours.Z[self._zones["pile"]]),
            used=tuple(sorted(KINDS[self._kinds[card]] for card in self.ours.Z[self._zones["used"]])),
            question=questions[0] if questions else None,
            laid=theirs.laid,
            shown=theirs.shown,
            answer=None if answers[on_turn] is None else DOTS[answers[on_turn]],
            guesses=guesses,
            on_turn=on_turn,
        )

    def _values(self, name: str) -> tuple[Any, ...]:
        base = self._vars[name]
        return tuple(self.ours.V[base : base + self.setting.players])

    def _compare_views(self, theirs: Table) -> None:
        # A piece that lies face down is seen by nobody but whoever laid it; what has been turned over, by all.
        for watcher in range(self.setting.players):
            view = self.ours.view(watcher)
            for player in range(self.setting.players):
                name = "answer" if player == theirs.on_turn else "guess"
                seen = view.variable(f"{name}[{chr(ord('A') + player)}]")
                hidden = theirs.laid[player] > 0 and watcher != player
                if (seen is None) != (hidden or (watcher != player and not theirs.shown[player])):
                    raise self._difference(f"{watcher} sees the pieces of {player}")
                if theirs.shown[player] and (seen is None or sorted(_dots(seen.value)) != sorted(theirs.shown[player])):
                    raise self._difference(f"{watcher} sees other pieces of {player}")

    def _compare_ends(self) -> None:
        ours, theirs = self.ours.result, self.reference.node
        if ours is None or not isinstance(theirs, Result):
            raise self._difference("only one of the two is over")
        places = {player: 1 + sum(map(len, ours.places[:k])) for k, group in enumerate(ours.places) for player in group}
        won = tuple(self.setting.tokens - left for left in self._values("pool"))
        mine = (tuple(places[p] for p in range(self.setting.players)), tuple(sorted(ours.winners)), won)
        if mine != (theirs.places, theirs.winners, theirs.totals):
            raise self._difference(f"results differ: {mine} and {theirs}")

    def _difference(self, what: str) -> DifferenceError:
        offered = [move.text for p in self.ours.to_move for move in self.ours.legal_moves(p)]
        theirs = self.reference.table()
        lines = [
            f"{what} (after {self.answers} answers of {self.setting})",
            f"rulebook:  {self.table(theirs)}",
            f"  decides {self.ours.to_move}: {offered or self.ours.chance() or self.ours.result}",
            f"reference: {theirs}",
            f"  {self.reference.node}",
            "record:",
            str(self.ours.record()),
        ]
        return DifferenceError("\n".join(lines))


def _dots(text: str) -> list[str]:
    return text.strip("{}").split(", ")


def key_of(move: Move) -> Key:
    """The reference's tuple for a move of the rulebook."""
    if move.label is not None:
        return VOTES[move.label]
    ((name, text),) = move.arguments
    return (name, *_dots(text))


def each_reading() -> Iterator[dict[str, str]]:
    """The default, then each other answer alone."""
    yield {}
    for name, answers in READINGS.items():
        for answer in answers[1:]:
            yield {name: answer}


def seeded(*words: object) -> random.Random:
    return random.Random(" ".join(map(str, words)))  # noqa: S311 - play, not secrets


def named(value: object) -> str:
    if isinstance(value, Mapping):
        return "-".join(f"{name}={answer}" for name, answer in value.items()) or "default"
    return {False: "plain", True: "vote"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@pytest.fixture(scope="module", name="rulebooks")
def _rulebooks(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Rulebook]:
    """The rulebook and, under True, one with so few questions that they run out."""
    few = tmp_path_factory.mktemp("ego") / "ego_few.rules"
    rows = [f'    {n} x (kind: {kind}, question: "?")' for n, kind in zip(FEW, KINDS, strict=True)]
    head = 'variant ego_few "Ego with few questions" of ego\n\nreplace components questions of Question in pile:\n'
    few.write_text(head + "\n".join([*rows, ""]))
    return {False: load(RULEBOOKS / "ego.rules"), True: load(few)}


def play(rulebooks: Mapping[bool, Rulebook], settings: Sequence[Setting], *words: object) -> None:
    for number, setting in enumerate(settings):
        Lockstep(setting, setting.game(rulebooks)).play(seeded(*words, number))


@pytest.mark.parametrize("vote", [False, True], ids=named)
@pytest.mark.parametrize("players", range(2, 5))
def test_default_readings(rulebooks: dict[bool, Rulebook], players: int, *, vote: bool) -> None:
    # Few questions and many tokens in every third game, few tokens in another.
    kinds = [(False, 15), (True, 15), (False, 4)]
    games = max(1, GAMES // 2)
    settings = [Setting(players, {}, vote, *kinds[game % 3]) for game in range(games)]
    play(rulebooks, settings, "default", players, vote)


@pytest.mark.parametrize("readings", list(each_reading()), ids=named)
@pytest.mark.parametrize("players", range(2, 5))
def test_each_answer_of_each_reading(
    rulebooks: dict[bool, Rulebook], players: int, readings: Mapping[str, str]
) -> None:
    games = max(1, GAMES // 6)
    settings = [Setting(players, readings, game % 4 == 3, game % 2 == 1, 5 + 5 * (game % 3)) for game in range(games)]
    play(rulebooks, settings, "reading", players, readings)


@pytest.mark.parametrize("players", range(2, 5))
def test_readings_mixed(rulebooks: dict[bool, Rulebook], players: int) -> None:
    settings = []
    for game in range(max(1, GAMES // 3)):
        rng = seeded("mixed", players, game)
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        settings.append(Setting(players, readings, rng.random() < 0.5, rng.random() < 0.5, rng.randint(1, 15)))
    play(rulebooks, settings, "mixed", players)


@pytest.mark.parametrize("readings", [readings for readings in each_reading() if readings], ids=named)
def test_an_answer_is_told_from_the_default(rulebooks: dict[bool, Rulebook], readings: Mapping[str, str]) -> None:
    # The rulebook by default against the reference with another answer: were they never told apart, the tests above
    # would prove nothing of that reading.
    def play_until_they_differ() -> None:
        for game in range(100):
            ours = Setting(2 + game % 3, {}, few=True, tokens=6)
            lockstep = Lockstep(attrs.evolve(ours, readings=readings), ours.game(rulebooks))
            lockstep.play(seeded("apart", readings, game))

    with pytest.raises(DifferenceError):
        play_until_they_differ()
