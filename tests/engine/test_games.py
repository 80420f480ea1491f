"""Whole games of the shipped rulebook: what must hold in every one of them.

2,000 games in an ordinary run, over all numbers of players; `EGODSL_GAMES=10000` plays that many.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.game import load
from egodsl.engine.rng import Random, derive
from tests.helpers import check_cards, play_out

if TYPE_CHECKING:
    from egodsl.engine.game import Game, Rulebook
    from egodsl.engine.state import State

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
GAMES = int(os.environ.get("EGODSL_GAMES", "2000"))
COUNTS = range(2, 7)
MOST_DECISIONS = 20_000


@cache
def rulebook(name: str) -> Rulebook:
    return load(RULEBOOKS / f"{name}.rules")


@cache
def game(players: int) -> Game:
    return rulebook("egocentric_world").game(players=players)


def test_the_numbers_of_players() -> None:
    assert rulebook("egocentric_world").players == COUNTS


def check_marked(state: State, copy: State, marks: tuple[object, ...]) -> None:
    """A copy that was not touched is as it was when it was made."""
    assert (copy.Z, copy.V, copy.L, copy.loose, copy.decisions, copy.rng) == marks
    assert copy != state


@pytest.mark.parametrize("players", COUNTS)
def test_games_end_without_a_fault_and_every_card_stays(players: int) -> None:
    played = game(players)
    for seed in range(GAMES // len(COUNTS)):
        stream = Random(derive(seed, "games", players))
        state = played.start(derive(seed, "deal", players))
        while not state.is_over:
            state.choose(stream.below(len(state.moves)))
            if not state.decisions & 7:
                check_cards(state)
            assert state.decisions < MOST_DECISIONS
        check_cards(state)
        assert state.result is not None
        assert sorted(p for place in state.result.places for p in place) == list(range(players))


@pytest.mark.parametrize("players", COUNTS)
def test_records_replay_to_equal_states(players: int) -> None:
    for seed in range(max(8, GAMES // 200)):
        stream = Random(derive(seed, "replayed", players))
        state = game(players).start(seed)
        for _ in range(stream.below(60)):
            if not state.is_over:
                state.choose(stream.below(len(state.moves)))
        record = state.record()
        again = game(players).replay(record)
        assert again == state
        assert hash(again) == hash(state)
        assert (again.Z, again.V, again.rng) == (state.Z, state.V, state.rng)
        assert again.record() == record


@pytest.mark.parametrize("players", COUNTS)
def test_a_copy_played_on_does_not_touch_its_original(players: int) -> None:
    for seed in range(max(8, GAMES // 200)):
        stream = Random(derive(seed, "copied", players))
        state = game(players).start(seed)
        kept: list[tuple[State, tuple[object, ...]]] = []
        while not state.is_over and len(kept) < 30:
            copy = state.clone()
            kept.append((copy, (copy.Z[:], copy.V[:], copy.L[:], copy.loose[:], copy.decisions, copy.rng)))
            other = state.clone()
            play_out(other, stream.below, MOST_DECISIONS)
            assert copy == state, "a copy of it was played to the end"
            state.choose(stream.below(len(state.moves)))
        for copy, marks in kept:
            check_marked(state, copy, marks)


@pytest.mark.parametrize("players", COUNTS)
def test_games_with_explicit_chance(players: int) -> None:
    stream = Random(derive(1, "explicit", players))
    state = game(players).start()
    for _ in range(150):
        if state.is_over:
            break
        if state.is_chance:
            found = state.chance()
            assert sum(outcome.probability for outcome in found) == 1
            assert len({outcome.text for outcome in found}) == len(found)
            state.apply(found[stream.below(len(found))].text)
        else:
            (player,) = state.to_move
            legal = state.legal_moves(player)
            assert len({move.text for move in legal}) == len(legal)
            state.apply(legal[stream.below(len(legal))].text)
        check_cards(state)
    assert game(players).replay(state.record()) == state


def check_fault(played: Game, fault: GameFault) -> None:
    """The record of a fault leads there again."""
    again = played.replay(fault.record)
    assert again.fault == fault.diagnostic
    check_cards(again)


@pytest.mark.parametrize("name", ["egocentric_world", "egocentric_world_italian"])
def test_other_settings_go_on_or_come_to_a_fault_that_replays(name: str) -> None:
    # A reading may lead to a fault or to games without an end: that is what readings are tried for.
    book = rulebook(name)
    program = book.checked.program
    for seed in range(max(10, GAMES // 200)):
        stream = Random(derive(seed, "settings", name))
        readings = {
            reading: decl.answers[stream.below(len(decl.answers))].name.name
            for reading, decl in program.readings.items()
        }
        modes = [mode for mode in program.modes if stream.below(2)]
        counts = list(book.players)
        played = book.game(players=counts[stream.below(len(counts))], modes=modes, readings=readings)
        try:
            state = played.start(seed)
            while not state.is_over and state.decisions < 300:
                player = state.to_move[stream.below(len(state.to_move))]
                legal = state.legal_moves(player)
                state.apply(legal[stream.below(len(legal))])
        except GameFault as fault:
            check_fault(played, fault)
        else:
            check_cards(state)
            assert played.replay(state.record()) == state
