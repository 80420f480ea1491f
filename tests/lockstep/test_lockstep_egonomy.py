"""Egonomy from its rulebook against the reference, move by move, with chance explicit in both.

The ordinary run plays a few hundred games; `EGODSL_GAMES=5000 pytest tests/lockstep` plays that many.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.moves import Move, Outcome
from egodsl.engine.state import State
from tests.lockstep.reference_egonomy import COMPOSITIONS, READINGS, ArgumentCard, Reference, Table
from tests.lockstep.reference_nodes import Chance, Decision, Result, StuckError

GAMES = int(os.environ.get("EGODSL_GAMES", "300"))
RULEBOOK = Path(__file__).parents[2] / "rulebooks" / "egonomy.rules"
LIMIT = 900
"""Answers after which a game is cut short: under one reading of EGN-46 a game may never end."""

TOPICS = ("mind", "virtue", "world")
MARKS = {"": 0, "[3+]": 3, "[4]": 4}
NOT_PLAYED = "removed_card"
"""Where the hidden card of two players lies makes no difference: no reading of the rulebook."""

Key: TypeAlias = tuple[Any, ...]


class DifferenceError(AssertionError):
    """The two games have come apart; the message shows both."""


@attrs.frozen
class Setting:
    """How one pair of games is configured."""

    players: int
    mode: bool = False
    readings: Mapping[str, str] = attrs.field(factory=dict)
    composition: str = "twelve_one"

    def reference(self) -> Reference:
        """The reference at its first node."""
        return Reference(self.players, flip_the_table=self.mode, readings=self.readings, cards=self.composition)

    def game(self, rulebook: Rulebook) -> Game:
        """The rulebook's game; which cards there are is a reading there."""
        readings = {name: answer for name, answer in self.readings.items() if name != NOT_PLAYED}
        readings["composition"] = self.composition
        return rulebook.game(players=self.players, modes=["flip_the_table"] if self.mode else [], readings=readings)


def card_of(text: str) -> ArgumentCard:
    """A card as the reference has it."""
    topic, rank, mark = f"{text} ".split(" ", 2)
    return ArgumentCard("ABC"[TOPICS.index(topic)], int(rank), MARKS[mark.strip()])


def key_of(move: Move) -> Key:
    """The reference's tuple for a move of the rulebook, from what a person reads."""
    assert move.action is not None
    tables = [TOPICS.index(text) for name, text in move.arguments if name == "t"]
    cards = [card_of(one) for name, text in move.arguments if name != "t" for one in text.strip("{}").split(", ")]
    return _key(move.action, tables, cards)


def _key(action: str, tables: list[int], cards: list[ArgumentCard]) -> Key:
    by_rank = sorted(cards, key=lambda card: card.rank) if action == "argue" else sorted(cards)
    return (action.replace("_", " "), *tables, *by_rank)


class Lockstep:
    """A game of the rulebook and a game of the reference, side by side."""

    def __init__(self, setting: Setting, game: Game) -> None:
        self.setting = setting
        self.game = game
        self.ours: State = game.start()
        self.reference = setting.reference()
        self.answers = 0
        self.stuck = False
        program = game.checked.program
        self._zones = {name: game.layout.zones[decl].base for name, decl in program.zones.items()}
        self._vars = {name: game.layout.vars[decl].base for name, decl in program.vars.items()}
        self._faces = [card_of(game.texts.card(card)) for card in range(len(game.layout.card_type))]

    def play(self, rng: random.Random, limit: int = LIMIT, *, rare: bool = False) -> None:
        """Play on to the end, or for `limit` answers; `rare` chooses among kinds of moves first.

        Raises DifferenceError where the two disagree.
        """
        while self.answers < limit and not self.stuck:
            self._let_what_is_certain_happen()
            if self.ours.is_over or isinstance(self.reference.node, Result):
                self._compare_ends()
                return
            if self.ours.is_chance or isinstance(self.reference.node, Chance):
                self._chance(rng)
            else:
                self._decide(rng, rare=rare)
            self.answers += 1

    def _let_what_is_certain_happen(self) -> None:
        # The last card of the deck is a chance event in one and none in the other: nobody can tell.
        while isinstance(self.reference.node, Chance) and len(self.reference.node.outcomes) == 1:
            self.reference.apply(self.reference.node.outcomes[0][0])

    def _chance(self, rng: random.Random) -> None:
        node = self.reference.node
        if not isinstance(node, Chance) or not self.ours.is_chance:
            raise self._difference("only one of the two leaves it to chance")
        outcomes: dict[object, Outcome] = {}
        for outcome in self.ours.chance():
            outcomes[ord(outcome.text) - ord("A") if len(outcome.text) == 1 else card_of(outcome.text)] = outcome
        # All cards differ, so all are equally likely.
        same = len(node.outcomes) == len(outcomes) and all(face in outcomes for face, _ in node.outcomes)
        if not same or {outcome.probability for outcome in outcomes.values()} != {Fraction(1, len(outcomes))}:
            raise self._difference("chance differs")
        face = rng.choice(node.outcomes)[0]
        self._apply(face, outcomes[face])

    def _decide(self, rng: random.Random, *, rare: bool) -> None:
        node = self.reference.node
        assert isinstance(node, Decision)
        if self.ours.to_move != (node.player,):
            raise self._difference(f"{self.ours.to_move} decide, and in the reference {node.player}")
        ours = [self._key_of_raw(raw) for raw in self.ours.moves]
        if len(ours) != len(node.moves) or set(ours) != set(node.moves):
            raise self._difference(f"moves differ: {sorted(ours, key=str)} and {sorted(node.moves, key=str)}")
        self._compare_tables()
        if rare:
            kinds = Counter(move[0] for move in ours)
            # Cards that are taken back make rounds last.
            worth = {"acknowledge": 0.3, "let go": 0.6, "flip": 3.0}
            chosen = rng.choices(ours, [worth.get(move[0], 1.0) / kinds[move[0]] for move in ours])[0]
        else:
            chosen = rng.choice(ours)
        # By number is quicker; every few answers the move goes the long way.
        if self.answers % 8:
            self._apply(chosen, ours.index(chosen))
        else:
            legal = {key_of(move): move for move in self.ours.legal_moves(node.player)}
            if list(legal) != ours:
                raise self._difference("moves are other moves when they are written down")
            self._apply(chosen, legal[chosen])

    def _key_of_raw(self, raw: Key) -> Key:
        assert self.ours.site is not None
        option = self.ours.site.options[raw[0]]
        assert option.label is not None
        tables = [value for name, value in zip(option.names, raw[1:], strict=True) if name == "t"]
        things = [value for name, value in zip(option.names, raw[1:], strict=True) if name != "t"]
        cards = [card for thing in things for card in (thing if isinstance(thing, frozenset) else (thing,))]
        return _key(option.label, tables, [self._faces[card] for card in cards])

    def _apply(self, theirs: object, ours: Move | Outcome | int) -> None:
        # Where a player must act and cannot, both have to say so.
        try:
            self.reference.apply(theirs)
        except StuckError:
            self.stuck = True
        fault = None
        try:
            if isinstance(ours, int):
                self.ours.choose(ours)
            else:
                self.ours.apply(ours)
        except GameFault as found:
            fault = found.diagnostic.code.number
        if fault != ("EGO701" if self.stuck else None):
            raise self._difference(f"the fault is {fault}, and the reference is{'' if self.stuck else ' not'} stuck")

    def table(self) -> Table:
        """The rulebook's table in the form of the reference, with what no table of the rulebook shows from there."""
        theirs = self.reference.table()
        seats, topics = range(self.setting.players), range(len(TOPICS))
        trophies = tuple(self._variable("trophies", p) for p in seats)
        return replaced(
            theirs,
            hands=tuple(tuple(sorted(self._cards("hand", p))) for p in seats),
            tables=tuple(tuple(sorted(self._cards("table", t), key=lambda card: card.rank)) for t in topics),
            flipped=tuple(bool(self._variable("flipped", t)) for t in topics),
            captured=tuple(tuple(sorted(self._cards("captured", p))) for p in seats),
            discard=tuple(sorted(self._cards("discard"))),
            removed=tuple(self._cards("unused")),
            trophies=trophies,
            supply=9 - sum(trophies),
            on_turn=self.ours.turns[-1][1] if self.ours.turns else theirs.on_turn,
        )

    def _cards(self, zone: str, at: int = 0) -> list[ArgumentCard]:
        return [self._faces[card] for card in self.ours.Z[self._zones[zone] + at]]

    def _variable(self, name: str, at: int) -> int:
        value: int = self.ours.V[self._vars[name] + at]
        return value

    def _compare_tables(self) -> None:
        if self.table() != self.reference.table():
            raise self._difference("the tables differ")

    def _compare_ends(self) -> None:
        ours, theirs = self.ours.result, self.reference.node
        if ours is None or not isinstance(theirs, Result):
            raise self._difference("only one of the two is over")
        by_place = [group[0] for group in ours.places if len(group) == 1]
        places = tuple(1 + by_place.index(p) for p in range(self.setting.players) if p in by_place)
        trophies = tuple(self._variable("trophies", p) for p in range(self.setting.players))
        if (places, tuple(ours.winners), trophies) != (theirs.places, theirs.winners, theirs.totals):
            raise self._difference(f"results differ: {ours} and {theirs}")

    def _difference(self, what: str) -> DifferenceError:
        offered = [move.text for p in self.ours.to_move for move in self.ours.legal_moves(p)]
        lines = [
            f"{what} (after {self.answers} answers of {self.setting})",
            f"rulebook:  {self.table()}",
            f"  decides {self.ours.to_move}: {offered or self.ours.result}",
            f"reference: {self.reference.table()}",
            f"  {self.reference.node}",
            "record:",
            str(self.ours.record()),
        ]
        return DifferenceError("\n".join(lines))


def replaced(table: Table, **changes: Any) -> Table:  # noqa: ANN401 - the fields have many types
    """The table with other values in these fields."""
    return Table(**{**vars(table), **changes})


ONE_BY_ONE: list[dict[str, str]] = [{}, *({name: one} for name, answers in READINGS.items() for one in answers[1:])]
"""The default, then each other answer alone."""


@pytest.fixture(scope="module", name="rulebook")
def _rulebook() -> Rulebook:
    return load(RULEBOOK)


def seeded(*words: object) -> random.Random:
    return random.Random(" ".join(map(str, words)))  # noqa: S311 - play, not secrets


def named(value: object) -> str:
    if isinstance(value, Mapping):
        return "-".join(f"{name}={answer}" for name, answer in value.items()) or "default"
    return {False: "base", True: "mode"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("composition", COMPOSITIONS)
@pytest.mark.parametrize("mode", [False, True], ids=named)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_default_readings(rulebook: Rulebook, players: int, composition: str, *, mode: bool) -> None:
    setting = Setting(players, mode, composition=composition)
    game = setting.game(rulebook)
    for number in range(max(1, GAMES // 50)):
        Lockstep(setting, game).play(seeded(players, mode, composition, number), rare=number % 2 == 1)


@pytest.mark.parametrize("mode", [False, True], ids=named)
@pytest.mark.parametrize("readings", ONE_BY_ONE, ids=named)
def test_each_answer_of_each_reading(rulebook: Rulebook, readings: Mapping[str, str], *, mode: bool) -> None:
    for number in range(max(3, GAMES // 100)):
        composition = list(COMPOSITIONS)[number // 3 % 3]
        setting = Setting(2 + number % 3, mode, readings, composition)
        lockstep = Lockstep(setting, setting.game(rulebook))
        lockstep.play(seeded(readings, mode, number), rare=number % 2 == 0)
        if lockstep.stuck:
            without_mode = setting.players == 2 and not mode and "acknowledging" in readings
            assert without_mode or (mode and "no_action" in readings)


def test_readings_mixed(rulebook: Rulebook) -> None:
    for number in range(max(1, GAMES // 10)):
        rng = seeded("mixed", number)
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        setting = Setting(rng.randint(2, 4), rng.random() < 0.5, readings, rng.choice(list(COMPOSITIONS)))
        Lockstep(setting, setting.game(rulebook)).play(rng, LIMIT // 3, rare=number % 3 != 2)


# Where an answer seldom shows by itself: the players and the mode with which it does.
REVEALING: dict[str, tuple[int, bool]] = {
    "acknowledging": (2, False),
    "two_player_trophies": (2, False),
    "forced_action": (2, True),
    "flipped_topic": (3, True),
    "no_action": (2, True),
    "ego": (4, False),
}
ANSWERS = [readings for readings in ONE_BY_ONE if readings and NOT_PLAYED not in readings]


@pytest.mark.parametrize("readings", ANSWERS, ids=named)
def test_an_answer_is_told_from_the_default(rulebook: Rulebook, readings: Mapping[str, str]) -> None:
    # The rulebook by default against the reference with another answer: were they never told apart, the tests above
    # would prove nothing of that reading.
    players, mode = REVEALING.get(next(iter(readings)), (3, False))
    game = Setting(players, mode).game(rulebook)

    def play_until_they_differ() -> None:
        for number in range(200):
            Lockstep(Setting(players, mode, readings), game).play(seeded("apart", readings, number), rare=True)

    with pytest.raises(DifferenceError):
        play_until_they_differ()


@pytest.mark.parametrize(("answer", "least", "most"), [("everyone", 0, 0), ("three_or_four", 91, 100)])
def test_two_players_get_stuck_where_they_may_not_acknowledge(
    rulebook: Rulebook, answer: str, least: int, most: int
) -> None:  # EGN-33, EGN-A01: more than nine random rounds of ten under the one answer, and under the other none
    game = rulebook.game(players=2, readings={"acknowledging": answer}, parameters={"number_of_rounds": 1})
    faults = []
    for seed in range(100):
        rng = seeded("stuck", seed)
        state = game.start(seed=seed)
        try:
            while not state.is_over:
                state.choose(rng.randrange(len(state.moves)))
        except GameFault as fault:
            faults.append(fault.diagnostic.code.number)
    assert set(faults) <= {"EGO701"}
    assert least <= len(faults) <= most
