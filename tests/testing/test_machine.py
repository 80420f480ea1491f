"""The state machine of a rulebook plays its games, and finds what breaks an invariant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Rulebook
from egodsl.engine.settings import SettingsError
from egodsl.testing import GameMachine, machine
from tests.helpers import load_text
from tests.testing.race import PEBBLES, RACE, laps

SHORT = settings(
    max_examples=15,
    stateful_step_count=20,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.generate, Phase.shrink],
)


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load_text(tmp_path_factory.mktemp("race"), RACE)


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load_text(tmp_path_factory.mktemp("pebbles"), PEBBLES)


def run(made: type[GameMachine], **changed: Any) -> None:  # noqa: ANN401 - settings of any type
    run_state_machine_as_test(made, settings=settings(SHORT, **changed))


def told(error: pytest.ExceptionInfo[BaseException]) -> list[str]:
    """The steps that Hypothesis tells, without those that every machine has."""
    lines = [line for note in error.value.__notes__ for line in note.splitlines()]
    return [line.removeprefix("state.") for line in lines if line.startswith("state.") and "teardown" not in line]


def test_there_is_a_rule_for_each_action(race: Rulebook, pebbles: Rulebook) -> None:
    def rules(made: type[GameMachine]) -> set[str]:
        return {name for name in dir(made) if name.startswith("play_")}

    assert rules(machine(race)) == {"play_walk", "play_run", "play_throw"}
    assert rules(machine(pebbles)) == set()


def test_games_are_played_by_the_rules(race: Rulebook) -> None:
    seen: set[str] = set()
    over: list[object] = []
    settings_seen: set[tuple[object, ...]] = set()

    class Watched(machine(race)):  # type: ignore[misc]  # the class is made here
        @invariant()
        def goes_on(self) -> None:
            record = self.state.record()
            settings_seen.add((record.players, record.modes, record.readings["beginner"]))
            if self.before is None:
                assert record.events == ()
                return
            if self.state.is_over:
                over.append(record.events)
                return
            assert record.events[:-1] == self.before.record().events
            who, text = record.events[-1]
            seen.add("chance" if who == "chance" else text)
            if who != "chance":
                assert sum(laps(self.state)) > sum(laps(self.before)) or text == "throw"
                assert text != "run" or max(laps(self.before)) > 1

    run(Watched, max_examples=60, stateful_step_count=30)
    assert over
    assert seen == {"walk", "run", "throw", "chance"}
    assert len({players for players, _, _ in settings_seen}) == 3
    assert {modes for _, modes, _ in settings_seen} == {(), ("long",)}
    assert {answer for _, _, answer in settings_seen} == {"first", "drawn"}


def test_an_invariant_is_broken_by_the_shortest_game(race: Rulebook) -> None:
    class Slow(machine(race)):  # type: ignore[misc]  # as above
        @invariant()
        def nobody_throws_a_six(self) -> None:
            assert laps(self.state)[0] != 6 or self.state.decisions > 1

    with pytest.raises(AssertionError) as error:
        run(Slow, max_examples=300)
    steps = [line for line in told(error) if "nobody" not in line]
    assert steps == [
        "begin(players=2, modes=(), readings={'beginner': 'first'})",
        "play_throw(move='A: throw')",
        "chance(outcome='6')",
    ]


def test_a_fault_fails_the_test(pebbles: Rulebook) -> None:
    with pytest.raises(GameFault) as error:
        run(machine(pebbles), max_examples=300)
    assert error.value.diagnostic.code.number == "EGO703"
    assert told(error)[0] == "begin(players=2, modes=(), readings={})"
    assert {line.partition("(")[0] for line in told(error)[1:]} == {"choose"}
    assert len(told(error)) == 6


def test_settings_are_those_that_were_asked_for(race: Rulebook) -> None:
    class Settled(machine(race, players=3, modes=["long"], readings={}, parameters={"goal": 9})):  # type: ignore[misc]  # as above
        @invariant()
        def settled(self) -> None:
            record = self.game.start().record()
            assert (record.players, record.modes, record.parameters) == (3, ("long",), {"goal": 9})
            assert record.readings == {"beginner": "first"}

    run(Settled, max_examples=3, stateful_step_count=3)
    with pytest.raises(SettingsError, match="7 players do not fit"):
        machine(race, players=7)


def test_rules_that_cannot_begin(tmp_path: Path) -> None:
    text = PEBBLES.replace("together as p in players:", "heap := 3 - heap\n    together as p in players:")
    with pytest.raises(GameFault) as error:
        run(machine(load_text(tmp_path, text)))
    assert error.value.record.events == ()


def test_it_is_a_test_case(pebbles: Rulebook) -> None:
    case = machine(pebbles).TestCase("runTest")
    case.settings = SHORT  # type: ignore[misc]  # how Hypothesis documents it
    with pytest.raises(GameFault):
        case.runTest()
