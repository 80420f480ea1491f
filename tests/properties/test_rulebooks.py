"""Any rulebook that the checker takes can be played, and its records, copies, views and layout are right."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from egodsl.engine.game import Game
from egodsl.syntax.format import same_but_for_layout
from egodsl.testing import rulebook_texts
from tests.properties.playing import Play, check_copy, check_record, games_of, rulebook_of
from tests.syntax.format_helpers import formatted, module_of

MOST = 40
SEEDS = (7, None)
"""Chance that resolves itself, and chance that is asked about."""

many = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
half = settings(many, max_examples=max(settings().max_examples // 2, 5))


def each_game(text: str, dice: int, look: Callable[[Play], None]) -> None:
    """Play a game for each number of players and each way of chance."""
    rulebook = rulebook_of(text)
    assume(rulebook is not None)
    assert rulebook is not None
    for game in games_of(rulebook, random.Random(dice)):  # noqa: S311 - repeatable games
        for seed in SEEDS:
            look(played(game, seed, dice))


def played(game: Game, seed: int | None, dice: int) -> Play:
    """A random game; the same arguments give the same game."""
    return Play(game, seed, random.Random(dice), MOST)  # noqa: S311 - as above


@many
@given(rulebook_texts(), st.integers(0, 2**32 - 1))
def test_a_checked_rulebook_ends_in_nothing_but_a_fault(text: str, dice: int) -> None:
    def look(play: Play) -> None:
        event("a fault" if play.fault is not None else "no fault")
        check_record(play)
        check_copy(play)

    each_game(text, dice, look)


@half
@given(rulebook_texts(), st.integers(0, 2**32 - 1))
def test_a_formatted_rulebook_says_and_plays_the_same(text: str, dice: int) -> None:
    laid_out = formatted(text)
    assert same_but_for_layout(module_of(laid_out), module_of(text))
    assert formatted(laid_out) == laid_out
    games: list[Play] = []
    each_game(text, dice, games.append)
    again: list[Play] = []
    each_game(laid_out, dice, again.append)
    for one, other in zip(games, again, strict=True):
        assert one.texts == other.texts
        assert (one.fault is None) == (other.fault is None)
        if one.fault is not None and other.fault is not None:
            assert one.fault.diagnostic.code == other.fault.diagnostic.code
        elif one.state is not None and other.state is not None:
            assert one.state.result == other.state.result
            assert one.state.record().events == other.state.record().events


def test_nearly_every_generated_rulebook_is_sound() -> None:
    taken: list[bool] = []

    @settings(many, database=None, max_examples=60, derandomize=True)
    @given(rulebook_texts())
    def look(text: str) -> None:
        taken.append(rulebook_of(text) is not None)

    look()
    assert taken.count(False) <= 0.05 * len(taken)
