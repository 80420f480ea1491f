"""Egocentric World from its rulebook against the reference, move by move.

The ordinary run plays a few hundred games; `EGODSL_GAMES=5000 pytest tests/lockstep` plays that many.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from egodsl.engine.game import Rulebook, load
from tests.lockstep.driver import DifferenceError, Lockstep, Setting, each_reading
from tests.lockstep.reference_table import READINGS

GAMES = int(os.environ.get("EGODSL_GAMES", "300"))
RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
ITALIAN_ONLY = "highest_countdown"
LIMIT = 1200
"""Answers after which a game is cut short: 50 points exactly may never be reached."""

SETTINGS = [(italian, readings) for italian in (False, True) for readings in each_reading()]
SETTINGS = [(italian, readings) for italian, readings in SETTINGS if italian or ITALIAN_ONLY not in readings.values()]


@pytest.fixture(scope="module", name="rulebooks")
def _rulebooks() -> dict[bool, Rulebook]:
    """English and, under True, Italian."""
    return {
        False: load(RULEBOOKS / "egocentric_world.rules"),
        True: load(RULEBOOKS / "egocentric_world_italian.rules"),
    }


def seeded(*words: object) -> random.Random:
    return random.Random(" ".join(map(str, words)))  # noqa: S311 - play, not secrets


def hand_size(game: int) -> int:
    """Five cards as the rules say; in every other game nine, so that the deck runs out, or two, so that hands do."""
    return (5, 9, 5, 2)[game % 4]


def named(value: object) -> str:
    if isinstance(value, Mapping):
        return "-".join(f"{name}={answer}" for name, answer in value.items()) or "default"
    return {False: "english", True: "italian"}.get(value, str(value)) if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("italian", [False, True], ids=named)
@pytest.mark.parametrize("players", range(2, 7))
def test_default_readings(rulebooks: dict[bool, Rulebook], players: int, *, italian: bool) -> None:
    for game in range(max(1, GAMES * 4 // 100)):
        setting = Setting(players, italian=italian, hand_size=hand_size(game))
        lockstep = Lockstep(setting, setting.game(rulebooks[italian]))
        lockstep.play(seeded(players, italian, game), LIMIT, rare=game // 2 % 2 == 1)


@pytest.mark.parametrize(("italian", "readings"), SETTINGS, ids=named)
def test_each_answer_of_each_reading(
    rulebooks: dict[bool, Rulebook], readings: Mapping[str, str], *, italian: bool
) -> None:
    for game in range(max(1, GAMES * 4 // 1000)):
        setting = Setting(2 + (game + len(str(readings))) % 5, readings, italian, hand_size(game))
        lockstep = Lockstep(setting, setting.game(rulebooks[italian]))
        lockstep.play(seeded(readings, italian, game), LIMIT, rare=game % 3 != 2)


@pytest.mark.parametrize("italian", [False, True], ids=named)
def test_readings_mixed(rulebooks: dict[bool, Rulebook], *, italian: bool) -> None:
    for game in range(max(1, GAMES // 10)):
        rng = seeded("mixed", italian, game)
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        if not italian and readings["first_player"] == ITALIAN_ONLY:
            del readings["first_player"]
        setting = Setting(rng.randint(2, 6), readings, italian, hand_size(game), rounds=rng.randint(1, 3))
        lockstep = Lockstep(setting, setting.game(rulebooks[italian]))
        lockstep.play(rng, LIMIT // 3, rare=game % 3 != 2)


# Where an answer seldom shows by itself: the other readings and the hand size with which it does.
REVEALING: dict[str, tuple[dict[str, str], int]] = {
    "empty_hand": ({}, 1),
    "end_of_round_check": ({}, 2),
    "penalty": ({"picks": "both_first"}, 5),
    "reshuffle": ({}, 9),
    "reshuffled_cards": ({}, 9),
    "winner_tie": ({"length": "single_round"}, 2),
}


@pytest.mark.parametrize("readings", [readings for readings in each_reading() if readings], ids=named)
def test_an_answer_is_told_from_the_default(rulebooks: dict[bool, Rulebook], readings: Mapping[str, str]) -> None:
    # The rulebook by default against the reference with another answer: were they never told apart, the tests above
    # would prove nothing of that reading.
    italian = ITALIAN_ONLY in readings.values()
    base, cards = REVEALING.get(next(iter(readings)), ({}, 5))

    def play_until_they_differ() -> None:
        for game in range(200):
            ours = Setting(2 + game % 5, base, italian, cards)
            theirs = Setting(2 + game % 5, {**base, **readings}, italian, cards)
            lockstep = Lockstep(theirs, ours.game(rulebooks[italian]))
            lockstep.play(seeded("apart", readings, game), LIMIT, rare=True)

    with pytest.raises(DifferenceError):
        play_until_they_differ()
