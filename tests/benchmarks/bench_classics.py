"""How fast the classics are played at random, as a ratio to OpenSpiel driven one action at a time from Python; how fast
they are explored, and how fast the built-in properties are watched.

Not collected by default: `python -m pytest -n 0 tests/benchmarks/bench_classics.py -s`. Time is that of the process,
not of the clock. Both sides play the same game with the same settings in short slices by turns, so that what else runs
on the machine slows both alike; the ratio is that of all slices together. `EGODSL_BENCH_SECONDS` says how long each
side of a case plays.
"""

from __future__ import annotations

import os
import random
import sys
import time
from typing import TYPE_CHECKING

import attrs
import pyspiel
import pytest

import egodsl
from egodsl.engine.rng import Random
from egodsl.players.random import play_out
from egodsl.verify.explore import Bounds, explore
from egodsl.verify.properties import properties_of
from egodsl.verify.watching import Watcher
from tests.lockstep.openspiel.blackjack import Blackjack
from tests.lockstep.openspiel.bridge import Bridge
from tests.lockstep.openspiel.crazy_eights import CrazyEights
from tests.lockstep.openspiel.cribbage import Cribbage
from tests.lockstep.openspiel.euchre import Euchre
from tests.lockstep.openspiel.gin_rummy import GinRummy
from tests.lockstep.openspiel.go_fish import GoFish
from tests.lockstep.openspiel.goofspiel import Goofspiel
from tests.lockstep.openspiel.hanabi import Hanabi
from tests.lockstep.openspiel.hearts import Hearts
from tests.lockstep.openspiel.kuhn_poker import KuhnPoker
from tests.lockstep.openspiel.leduc_poker import LeducPoker
from tests.lockstep.openspiel.liars_dice import LiarsDice
from tests.lockstep.openspiel.oh_hell import OhHell
from tests.lockstep.openspiel.pig import Pig
from tests.lockstep.openspiel.skat import Skat
from tests.lockstep.openspiel.spades import Spades
from tests.lockstep.openspiel.yacht import Yacht

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lockstep.openspiel.driver import Mapping

SECONDS = float(os.environ.get("EGODSL_BENCH_SECONDS", "3"))
"""Of processor time, for each side of a case."""
SLICE = 0.1
"""Of processor time, about, before it is the other side's turn."""
MOST = 100_000
"""Decisions of a game."""
STATES = 4_000
"""Positions of a classic that are explored."""


def tell(text: str) -> None:
    """Print a figure."""
    sys.stdout.write(f"\n{text}\n")


@attrs.define
class Side:
    """One of the two that are compared, and what it has done."""

    play: Callable[[], int]
    """Plays one game; how many decisions it had."""
    batch: int = 1
    """Games of a slice. Asking for the time may take longer than a short game, so it is not asked after each."""
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def take_slice(self) -> None:
        """Play some games; more next time, if they took too short."""
        begin = time.process_time()
        self.decisions += sum(self.play() for _ in range(self.batch))
        seconds = time.process_time() - begin
        self.games += self.batch
        self.seconds += seconds
        if seconds < SLICE / 2:
            self.batch *= 2

    @property
    def rate(self) -> float:
        """Games a second of processor time."""
        return self.games / self.seconds


def ours(game: egodsl.Game) -> Callable[[], int]:
    """Plays a rulebook at random: chance by the seed of the game, moves by number."""
    rng = Random(7)

    def play() -> int:
        state = game.start(seed=rng.below(1 << 32))
        assert play_out(state, rng, MOST)
        return state.decisions

    return play


def theirs(game: pyspiel.Game) -> Callable[[], int]:
    """Plays a game of OpenSpiel at random, one action at a time: as quickly as Python does that, which is twice as fast
    as its examples, with no library that draws from distributions.
    """
    uniform = random.Random(7).random  # noqa: S311 - games, not secrets

    def one_of(actions: list[int]) -> int:
        return actions[int(uniform() * len(actions))]

    def drawn(outcomes: list[tuple[int, float]]) -> int:
        left = uniform()
        for number, probability in outcomes:
            left -= probability
            if left <= 0:
                return number
        return outcomes[-1][0]

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state.chance_outcomes()))
            elif state.is_simultaneous_node():
                players = range(game.num_players())
                state.apply_actions([one_of(state.legal_actions(player)) for player in players])
                decisions += len(players)
            else:
                state.apply_action(one_of(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def compared(mapping: Mapping) -> tuple[Side, Side]:
    """Ours and theirs, played by turns until each has had its time."""
    pair = (Side(ours(mapping.our_game)), Side(theirs(mapping.their_game)))
    for side in pair:
        side.play()
    while any(side.seconds < SECONDS for side in pair):
        for side in pair:
            side.take_slice()
    return pair


# With the settings that OpenSpiel has by default, but four players in oh_hell. The decisions of a game show whether
# both play the same.
CLASSICS: list[Mapping] = [
    KuhnPoker(),
    LeducPoker(),
    Pig(),
    LiarsDice(parameters={"dice": 1, "faces": 6}, theirs={"numdice": 1, "dice_sides": 6}),
    Blackjack(),
    Goofspiel(),
    GoFish(players=2, theirs={"players": 2}),
    CrazyEights(players=5),
    Hearts(),
    OhHell(4),
    Spades(),
    Euchre(stuck=False),
    Hanabi(players=2, theirs={"players": 2}),
    Yacht(players=2, theirs={"players": 2}),
    Cribbage(),
    Skat(),
    Bridge(dealer_vulnerable=False, others_vulnerable=False),
    GinRummy(),
]

LEAST_RATIO = {"hearts": 0.03, "crazy_eights": 0.03, "euchre": 0.03}
LEAST_RATE = {"gin_rummy": 30}
"""Games a second."""


@pytest.mark.parametrize("mapping", CLASSICS, ids=lambda mapping: mapping.game)
def test_ratio_to_openspiel(mapping: Mapping) -> None:
    mine, other = compared(mapping)
    ratio = mine.rate / other.rate
    tell(
        f"{mapping.game}: {mine.rate:,.0f} games/s ({mine.decisions / mine.seconds:,.0f} decisions/s), "
        f"OpenSpiel {other.rate:,.0f} ({other.decisions / other.seconds:,.0f}): ratio {ratio:.3f}"
    )
    assert ratio > LEAST_RATIO.get(mapping.game, 0)
    assert mine.rate > LEAST_RATE.get(mapping.game, 0)


@pytest.mark.parametrize("mapping", CLASSICS, ids=lambda mapping: mapping.game)
def test_explored(mapping: Mapping) -> None:
    """Positions a minute from the beginning, in whole games with every deal; and what each takes in memory."""
    builtin = [prop for prop in properties_of(mapping.our_game.rulebook) if prop.builtin is not None]
    begin = time.process_time()
    made = explore(mapping.our_game, Bounds(states=STATES), builtin)
    rate, size = made.states / (time.process_time() - begin) * 60, made.memory / made.states
    tell(f"{mapping.game}: {rate:,.0f} positions a minute, {size:,.0f} bytes each")
    assert made.states > 0


@pytest.mark.parametrize("mapping", CLASSICS, ids=lambda mapping: mapping.game)
def test_watched(mapping: Mapping) -> None:
    """Decisions a second of random play with all properties of the rulebook watched, and how much of it that takes."""
    game = mapping.our_game
    watcher = Watcher(game, properties_of(game.rulebook))
    rng = Random(7)

    def watched() -> int:
        state = game.start(seed=rng.below(1 << 32))
        watcher.begin(state)
        while not state.is_over:
            before = state.clone()
            player = state.to_move[0]
            moves = state.branches[player].moves if state.branches else state.moves
            state.choose(rng.below(len(moves)), player)
            assert not watcher.judge(before, state)
        return state.decisions

    pair = (Side(watched), Side(ours(game)))
    while any(side.seconds < SECONDS / 2 for side in pair):
        for side in pair:
            side.take_slice()
    watching, plain = (side.decisions / side.seconds for side in pair)
    tell(f"{mapping.game}: {watching:,.0f} decisions/s watched, {plain:,.0f} not: {watching / plain:.2f}")
    assert watching > 0
