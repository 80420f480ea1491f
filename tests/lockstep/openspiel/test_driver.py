"""The driver itself: a difference of any kind is found, and shown with both games."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from egodsl.engine.moves import Move, Outcome
from egodsl.engine.record import Record
from tests.lockstep.openspiel.driver import DifferenceError, Lockstep, Option, Table, lockstep
from tests.lockstep.openspiel.kuhn_poker import KuhnPoker
from tests.lockstep.openspiel.liars_dice import LiarsDice
from tests.lockstep.openspiel.pig import Pig


class Swapped(KuhnPoker):
    def action(self, table: Table, move: Move) -> int:
        return 1 - super().action(table, move)


class Merged(KuhnPoker):
    def action(self, table: Table, move: Move) -> int:
        return 0


class Unknown(KuhnPoker):
    def action(self, table: Table, move: Move) -> int:
        return 2 * super().action(table, move)


class OtherCards(KuhnPoker):
    def outcome(self, table: Table, outcome: Outcome) -> int:
        return int(outcome.text)


class Doubled(KuhnPoker):
    def returns(self, table: Table) -> Sequence[float]:
        return [2 * one for one in super().returns(table)]


class Dealt(KuhnPoker):
    """Deals theirs first, and ours the same cards."""

    wrong = False

    def chance(self, table: Table) -> bool:
        if table.started:
            return False
        cards = table.sample_theirs(2)
        table.script(self.outcome, cards[:1] if self.wrong else cards)
        return True


class Watched(KuhnPoker):
    """Keeps the table of the last game."""

    last: Table | None = None

    def settled(self, table: Table) -> bool:
        self.last = table
        return False


class HalfDealt(Dealt):
    wrong = True


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        (KuhnPoker(theirs={"players": 3}), "the outcomes of chance are"),
        (OtherCards(), "the outcomes of chance are"),
        (Merged(), "two moves of ours are one in theirs"),
        (Unknown(), "the legal actions are [0, 2] in ours and [0, 1] in theirs"),
        (Swapped(), "is over"),
        (Doubled(), "the returns are"),
        (HalfDealt(), "what came has probability 0.3333333333333333 in ours and 0.16666666666666666 in theirs"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, KuhnPoker) else "",
)
def test_a_difference_is_found_and_shown(mapping: KuhnPoker, told: str) -> None:
    with pytest.raises(DifferenceError) as caught:
        lockstep(mapping, 50)
    text = str(caught.value)
    assert told in text.splitlines()[0]
    assert "---- theirs" in text
    assert "history [" in text
    record = Record.from_json(text.partition("---- our record\n")[2])
    assert mapping.our_game.replay(record).record() == record


def test_a_deal_may_be_taken_over() -> None:
    played = lockstep(Dealt(), 100)
    # The deal is one event of chance; a game has two or three decisions.
    assert played.chances == played.games
    assert 2 * played.games <= played.decisions <= 3 * played.games


def test_a_wrong_probability_is_found() -> None:
    # A die with six faces is no die with five.
    with pytest.raises(DifferenceError, match="the outcomes of chance are"):
        lockstep(Pig(theirs={"diceoutcomes": 5}), 5)


def test_the_same_seed_plays_the_same_game() -> None:
    def record(seed: int) -> str:
        mapping = Watched()
        Lockstep(mapping).play(seed)
        assert mapping.last is not None
        return mapping.last.ours.record().to_json()

    records = [record(seed) for seed in range(20)]
    assert [record(seed) for seed in range(20)] == records
    assert len(set(records)) > 5
    assert all(json.loads(one)["seed"] is None for one in records)


def test_every_second_game_plays_what_was_played_least() -> None:
    mapping = LiarsDice(theirs={"numdice": 5})
    fair, biased = Lockstep(mapping), Lockstep(mapping)
    for seed in range(20):
        fair.play(2 * seed)
        biased.play(2 * seed + 1)
    # Bids are many and doubts one move: played by kind, there is nearly one doubt for each bid.
    assert fair.labels["bid"] > 1.5 * fair.labels["doubt"]
    assert biased.labels["bid"] <= 1.2 * biased.labels["doubt"]


def test_the_number_of_games_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EGODSL_GAMES", "7")
    assert lockstep(KuhnPoker()).games == 7
    monkeypatch.delenv("EGODSL_GAMES")
    assert lockstep(KuhnPoker(), 3).games == 3


@pytest.mark.parametrize(
    ("steps", "done", "following"),
    [
        (4, (), {4}),
        (4, (4,), set()),
        ((1, 2, 1), (1, 2), {1}),
        ((1, 2, 1), (2,), set()),
        (frozenset({1, 5, 9}), (), {1, 5, 9}),
        (frozenset({1, 5, 9}), (9, 1), {5}),
        (frozenset({1, 5, 9}), (2,), set()),
    ],
)
def test_what_may_come_next(steps: Any, done: tuple[int, ...], following: set[int]) -> None:
    assert set(Option((0,), "", steps).after(done)) == following


def test_what_both_have_played_is_as_likely_in_both() -> None:
    mapping = KuhnPoker()
    table = Table(mapping, mapping.our_game.start(), mapping.their_game.new_initial_state(), random.Random(1), 1)
    table.sample_ours(1)
    assert table.our_probability == Fraction(1, 3)
    with pytest.raises(DifferenceError):
        table.balance()
    table.sample_theirs(1)
    table.balance()
    assert table.our_probability == Fraction(1)
    assert table.their_probability == 1.0
