"""Games, positions and moves that are drawn are games of the rulebook, and shrink to the simplest."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Rulebook, RulebookError
from egodsl.engine.settings import SettingsError
from egodsl.engine.state import State
from egodsl.testing import Played, games, moves, outcomes, states
from tests.helpers import load_text, play_as, write_rules
from tests.testing.race import PEBBLES, RACE, laps

few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEK = settings(
    max_examples=2000, deadline=None, database=None, derandomize=True, phases=[Phase.generate, Phase.shrink]
)


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load_text(tmp_path_factory.mktemp("race"), RACE)


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load_text(tmp_path_factory.mktemp("pebbles"), PEBBLES)


def simplest(strategy: st.SearchStrategy[Any], condition: Any) -> Any:  # noqa: ANN401 - of any kind
    return find(strategy, condition, settings=SEEK, random=random.Random(1))  # noqa: S311 - repeatable


@few
@given(st.data())
def test_a_played_game_is_a_game_of_the_rulebook(race: Rulebook, data: st.DataObject) -> None:
    played: Played = data.draw(games(race, max_decisions=20))
    assert played.fault is None
    assert played.game.players in {2, 3, 4}
    again = played.game.replay(played.record)
    assert again == played.state
    assert len(played.events) == len(played.choices) == len(played.record.events)
    assert sum(who != "chance" for who, _ in played.events) == played.state.decisions <= 20


@few
@given(st.data())
def test_the_positions_of_a_game_lead_from_its_start_to_where_it_came(race: Rulebook, data: st.DataObject) -> None:
    played: Played = data.draw(games(race, max_decisions=8))
    positions = list(played.positions())
    assert len(positions) == len(played.events) + 1
    assert positions[0] == played.game.start()
    assert positions[-1] == played.state
    for number, position in enumerate(positions):
        assert position.record().events == played.events[:number]
        if position.to_move:
            position.apply(position.legal_moves(position.to_move[0])[0])
    assert played.record.events == played.events, "playing on in a copy changed the game"


@few
@given(st.data())
def test_playing_on_does_not_change_what_is_told_of_the_game(race: Rulebook, data: st.DataObject) -> None:
    played: Played = data.draw(games(race, max_decisions=2, modes="long"))
    decisions = sum(who is not None for who, _ in played.choices)
    played.state.apply(data.draw(moves(played.state)))
    assert sum(who != "chance" for who, _ in played.events) == decisions
    assert repr(played).count("\n") == len(played.events)


@few
@given(st.data())
def test_whole_games_end(race: Rulebook, data: st.DataObject) -> None:
    # Somebody walks the seventh lap in at most 7 rounds of 4.
    played = data.draw(games(race, modes=(), max_decisions=28, whole=True))
    assert played.state.is_over
    assert max(laps(played.state)) >= 7


@few
@given(st.data())
def test_what_is_asked_for_is_given(race: Rulebook, data: st.DataObject) -> None:
    played = data.draw(
        games(race, players={3, 4}, modes={"long"}, readings={}, parameters={"goal": 5}, max_decisions=2)
    )
    record = played.record
    assert record.players in {3, 4}
    assert (record.modes, record.readings, record.parameters) == (("long",), {"beginner": "first"}, {"goal": 5})
    named = data.draw(games(race, players=2, modes="long", readings={"beginner": "drawn"}, max_decisions=0))
    assert (named.record.players, named.record.modes) == (2, ("long",))
    assert named.state.is_chance or named.events[0][0] == "chance"


def test_every_setting_is_drawn(race: Rulebook) -> None:
    for players in (2, 3, 4):
        for modes in ((), ("long",)):
            for answer in ("first", "drawn"):
                wanted = (players, modes, {"beginner": answer})
                found = simplest(
                    games(race, max_decisions=1),
                    lambda one, wanted=wanted: (one.record.players, one.record.modes, one.record.readings) == wanted,
                )
                assert not found.state.decisions


def test_what_the_head_settles_is_not_drawn(tmp_path: Path) -> None:
    text = RACE.replace("result most laps", "result most laps\n    set long to true\n    set beginner to drawn")
    settled = load_text(tmp_path, text)

    @few
    @given(games(settled, max_decisions=0))
    def look(played: Played) -> None:
        assert (played.record.modes, played.record.readings) == (("long",), {"beginner": "drawn"})

    look()


def test_settings_without_a_deck_are_left_out(tmp_path: Path) -> None:
    short = load_text(tmp_path, RACE.replace("1 x ()", "(1 + 1 // (4 - count(players))) x ()"))
    with pytest.raises(RulebookError):
        short.game(players=4)

    @settings(few, suppress_health_check=list(HealthCheck))
    @given(games(short, max_decisions=0))
    def look(played: Played) -> None:
        assert played.game.players < 4

    look()


# ------------------------------------------------------------ shrinking


def test_a_game_shrinks_to_the_shortest_with_the_first_moves(race: Rulebook) -> None:
    found = simplest(games(race), lambda one: ("chance", "6") in one.events)
    assert found.events == (("A", "throw"), ("chance", "6"))
    assert (found.record.players, found.record.modes, found.record.readings) == (2, (), {"beginner": "first"})
    far = simplest(
        games(race), lambda one: one.game.players == 3 and ("chance", "3") in one.events and one.state.decisions > 3
    )
    assert far.events == (("A", "walk"), ("B", "walk"), ("C", "walk"), ("A", "throw"), ("chance", "3"))


def test_a_game_is_shown_as_it_went(race: Rulebook) -> None:
    found = simplest(
        games(race, modes="long", readings={"beginner": "drawn"}), lambda one: ("chance", "6") in one.events
    )
    assert repr(found) == (
        "Played(race, 2 players, long, beginner=drawn, goal=7:\n    chance: A\n    A: throw\n    chance: 6)"
    )


# ------------------------------------------------------------ faults


def test_a_fault_fails_the_test_that_draws_the_game(pebbles: Rulebook) -> None:
    @settings(few, max_examples=300, database=None, derandomize=True)
    @given(games(pebbles))
    def play(played: Played) -> None:
        assert played.fault is None

    with pytest.raises(GameFault) as raised:
        play()
    assert raised.value.diagnostic.code.number == "EGO703"
    # Who keeps three at first and takes two more breaks it, and nobody can sooner: both choose, A and B and A decide.
    made = raised.value.record.events
    assert len(made) == 5
    assert ("A", "3") in made[:2]
    assert [event for event in made[2:] if event[0] == "A"] == [("A", "take"), ("A", "take")]


def test_games_that_end_in_a_fault_can_be_asked_for(pebbles: Rulebook) -> None:
    found: Played = simplest(games(pebbles, faults=True), lambda one: one.fault is not None)
    assert found.fault is not None
    assert found.game.replay(found.record).fault == found.fault.diagnostic
    assert len(found.events) == 5
    assert len(list(found.positions())) == 5, "the position after the last move is none"
    assert "EGO703" in repr(found)


def test_rules_that_cannot_begin(tmp_path: Path) -> None:
    text = PEBBLES.replace("together as p in players:", "heap := 3 - heap\n    together as p in players:")
    broken = load_text(tmp_path, text)
    found = simplest(games(broken, faults=True), lambda _: True)
    assert (found.events, list(found.positions())) == ((), [])
    for strategy in (games(broken), states(broken)):
        with pytest.raises(GameFault):
            simplest(strategy, lambda _: True)


# ------------------------------------------------------------ positions and moves


@few
@given(st.data())
def test_somebody_decides_in_a_drawn_position(race: Rulebook, data: st.DataObject) -> None:
    state: State = data.draw(states(race, max_decisions=40))
    assert not state.is_over
    assert not state.is_chance
    move = data.draw(moves(state))
    assert move in state.legal_moves(state.to_move[0])
    before = state.decisions
    state.apply(move)
    assert state.decisions == before + 1
    if state.is_chance:
        outcome = data.draw(outcomes(state))
        assert outcome.text in {"1", "2", "3", "4", "5", "6"}
        state.apply(outcome)


@few
@given(st.data())
def test_a_game_that_ends_early_gives_its_last_decision(race: Rulebook, data: st.DataObject) -> None:
    state: State = data.draw(states(race, modes=(), parameters={"goal": 5}, max_decisions=10_000))
    assert max(laps(state)) < 5


def test_a_position_shrinks_to_the_earliest_with_the_first_moves(race: Rulebook) -> None:
    found = simplest(states(race, max_decisions=3), lambda state: 6 in laps(state))
    assert found.to_move == (1,)
    assert found.record().events == (("A", "throw"), ("chance", "6"))


def test_positions_in_which_several_decide(pebbles: Rulebook) -> None:
    first = simplest(states(pebbles, max_decisions=0), lambda _: True)
    assert first.to_move == (0, 1)
    seen = {(move.player, move.text) for move in (simplest(moves(first), lambda m, n=n: m.text == n) for n in "123")}
    assert seen == {(0, "1"), (0, "2"), (0, "3")}
    assert simplest(moves(first), lambda move: move.player == 1).text == "1"
    play_as(first, 0, "2")
    assert simplest(moves(first), lambda _: True).player == 1


def test_moves_are_asked_for_where_somebody_decides(race: Rulebook) -> None:
    state = race.game(readings={"beginner": "drawn"}).start()
    with pytest.raises(ValueError, match="nobody decides here, chance does: draw from `outcomes"):
        moves(state)
    state.apply("B")
    assert simplest(moves(state), lambda _: True).text == "walk"
    with pytest.raises(ValueError, match="chance decides nothing here"):
        outcomes(state)
    while not state.is_over:
        state.apply("walk")
    with pytest.raises(ValueError, match="nobody decides here, the game is over"):
        moves(state)


# ------------------------------------------------------------ what cannot be asked for


@pytest.mark.parametrize("strategy", [games, states])
@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"players": 7}, SettingsError, "7 players do not fit"),
        ({"players": [2, 1]}, SettingsError, "1 players do not fit"),
        ({"players": []}, ValueError, "at least one number of players"),
        ({"modes": ["lang"]}, SettingsError, "no mode `lang`"),
        ({"readings": {"beginner": "last"}}, SettingsError, "`last`"),
        ({"readings": {"end": "last"}}, SettingsError, "no reading `end`"),
        ({"parameters": {"goal": 4}}, SettingsError, "goes from 5 to 20"),
        ({"max_decisions": -1}, ValueError, "0 decisions or more, not -1"),
    ],
)
def test_what_the_rulebook_does_not_have_is_told_at_once(
    race: Rulebook, strategy: Callable[..., object], asked: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        strategy(race, **asked)


def test_a_rulebook_may_be_named_by_its_path(tmp_path: Path) -> None:
    path = write_rules(tmp_path, RACE, "race")
    assert simplest(games(path), lambda _: True).record.rulebook == "race"
    assert simplest(states(str(path)), lambda _: True).to_move == (0,)
    with pytest.raises(FileNotFoundError):
        games(tmp_path / "rice.rules")
    with pytest.raises(RulebookError):
        games(write_rules(tmp_path, RACE.replace("laps += 1", "lups += 1"), "wrong"))
