"""A project that has only rulebooks, tested by pytest as any other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest

from egodsl.engine.game import load
from egodsl.engine.record import Record
from egodsl.pytest_plugin import pytest_configure
from tests.plugin.project import COUNTING, HEAPS, ROOT, WRONG, Project, Run

BUILTINS = (
    "no_fault",
    "never_stuck",
    "games_end",
    "no_leak",
    "everything_reached",
    "records_replay",
    "copies_independent",
)
FINE = {
    "heaps.rules::check",
    "heaps.rules::scenario: three of seven leave four",
    "heaps.rules::property: shrinks",
    *(f"heaps.rules::property: {name}" for name in BUILTINS),
}
FAILING = {
    "heaps.rules::scenario: four are too many",
    "heaps.rules::property: never_four",
    "sub/wrong.rules::check",
}
FILES = {"heaps.rules": HEAPS, "library/counting.rules": COUNTING, "sub/wrong.rules": WRONG}
NOTHING_COLLECTED = 5
MISUSED = 4


class Options:
    """A configuration with some options, and nothing else."""

    def __init__(self, given: dict[str, str]) -> None:
        self.given = given

    def getini(self, name: str) -> Any:  # noqa: ANN401 - as pytest's
        value = self.given.get(name, "")
        return value.split() if name == "egodsl_players" else value

    def addinivalue_line(self, name: str, line: str) -> None:
        assert (name, line.partition(":")[0]) == ("markers", "egodsl")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.make(tmp_path_factory.mktemp("heaps"), FILES, "egodsl_games = 4")


@pytest.fixture(scope="module")
def run(project: Project) -> Run:
    return project.pytest("--color=no")


def test_each_scenario_and_each_property_is_a_test(run: Run) -> None:
    assert (run.of("PASSED"), run.of("FAILED"), run.code) == (FINE, FAILING, 1)


def test_a_failure_looks_as_on_the_command_line(run: Run) -> None:
    scenario = """
error[EGO810]: `heap = 6` does not hold
  --> heaps.rules:28:5
   |
28 |     expect heap = 6
   |     ^^^^^^^^^^^^^^^
   = note: `heap` is 7
"""
    property_ = """
error[EGO830]: property `never_four` is broken: `heap = 4` holds
  --> heaps.rules:31:22
   |
31 | property never_four: never heap = 4
   |                      ^^^^^^^^^^^^^^
"""
    check = """
error[EGO301]: nothing is called `paints`
 --> sub/wrong.rules:7:13
  |
7 | stage game: paints[players[1]] := 1
  |             ^^^^^^
  = help: did you mean `points`?
"""
    for shown in (scenario, property_, check):
        assert shown in run.output
    assert "with 2 players:\n  1  A: take 3\nthe position there:\n  heap    4\n" in run.output
    assert "Traceback" not in run.output
    assert (
        "\nFAILED heaps.rules::scenario: four are too many - heaps.rules:28:5: error[EGO810] `heap = 6`" in run.output
    )


def test_a_failure_has_colours_where_the_terminal_has(project: Project) -> None:
    assert "\x1b[1;31merror[EGO301]\x1b[0m" in project.pytest("--color=yes", "sub").output


def test_the_game_that_breaks_a_property_is_kept(project: Project, run: Run) -> None:
    assert "written to .pytest_cache/d/egodsl/heaps-never_four.record; " in run.output.replace("\\", "/")
    path = project.folder / ".pytest_cache" / "d" / "egodsl" / "heaps-never_four.record"
    record = Record.from_json(path.read_text(encoding="utf-8"))
    state = load(project.folder / "heaps.rules").game(players=record.players).replay(record)
    assert dict(state.values())["heap"] == 4
    path.unlink()
    unkept = project.pytest("-k", "never_four", "-p", "no:cacheprovider")
    assert unkept.of("FAILED") == {"heaps.rules::property: never_four"}
    assert "written to" not in unkept.output
    assert not path.exists()


def test_tests_are_chosen_by_their_names(project: Project) -> None:
    assert set(project.pytest("-k", "leave and not property or shrinks").outcomes) == {
        "heaps.rules::scenario: three of seven leave four",
        "heaps.rules::property: shrinks",
    }
    named = ("heaps.rules::property: shrinks", "heaps.rules::scenario: three of seven leave four")
    assert set(project.pytest(*named).outcomes) == set(named)


def test_tests_are_chosen_by_their_mark(project: Project) -> None:
    chosen = project.pytest("--strict-markers", "-m", "egodsl", "-k", "check").outcomes
    assert set(chosen) == {"heaps.rules::check", "sub/wrong.rules::check"}
    assert project.pytest("-m", "not egodsl").code == NOTHING_COLLECTED


def test_it_stops_at_the_first_failure_when_asked(project: Project) -> None:
    stopped = project.pytest("-x")
    assert stopped.of("FAILED") == {"heaps.rules::scenario: four are too many"}
    assert stopped.of("PASSED") == {"heaps.rules::check", "heaps.rules::scenario: three of seven leave four"}


def test_what_failed_last_is_run_again(tmp_path: Path) -> None:
    project = Project.make(tmp_path, FILES, "egodsl_games = 4")
    assert project.pytest("-k", "four or check").of("FAILED") == FAILING
    (project.folder / "heaps.rules").write_text(HEAPS.replace("heap = 6", "heap = 7"), encoding="utf-8")
    (project.folder / "sub" / "wrong.rules").write_text(WRONG.replace("paints", "points"), encoding="utf-8")
    again = project.pytest("--lf")
    assert set(again.outcomes) == FAILING
    assert again.of("FAILED") == {"heaps.rules::property: never_four"}
    assert set(project.pytest("--lf").outcomes) == {"heaps.rules::property: never_four"}


def test_several_processes_share_the_tests(project: Project) -> None:
    shared = project.pytest("-n", "2")
    assert (shared.of("PASSED"), shared.of("FAILED"), shared.code) == (FINE, FAILING, 1)
    assert "note: `heap` is 7" in shared.output
    assert "  1  A: take 3\n" in shared.output


# ------------------------------------------------------------ options


def test_which_files_are_collected(tmp_path: Path) -> None:
    patterns = 'egodsl_files = ["sub/*.rules", "count*.rules", "sea*.rules"]'
    project = Project.make(tmp_path, FILES, patterns, "egodsl_games = 0")
    assert set(project.pytest().outcomes) == {"sub/wrong.rules::check"}, "a library has no tests"
    broken = 'library counting "Counting"\n\nvar x: 0.. = y\n'
    (project.folder / "library" / "counting.rules").write_text(broken, encoding="utf-8")
    assert project.pytest("sub", "library").of("FAILED") == {"sub/wrong.rules::check", "library/counting.rules::check"}
    named = project.pytest("-o", "egodsl_files=", "sub/wrong.rules", "library")
    assert set(named.outcomes) == {"sub/wrong.rules::check"}, "a file that is named is collected, no other"


def test_how_properties_are_tried(tmp_path: Path) -> None:
    files = {"heaps.rules": HEAPS + "property three: always count(players) = 3\n", "library/counting.rules": COUNTING}
    project = Project.make(tmp_path, files, "egodsl_games = 2")
    # One game of two players breaks it, and that setting is left; those of three players do not.
    assert "in 1 of 3 games" in project.pytest("-k", "property and three").output
    assert "in 1 of 6 games" in project.pytest("-k", "property and three", "-o", "egodsl_games=5").output
    fitting = project.pytest("-k", "property and three", "-o", "egodsl_players=3")
    assert fitting.of("PASSED") == {"heaps.rules::property: three"}
    skipped = project.pytest("-k", "property and three", "-o", "egodsl_players=4 7..9")
    assert "heaps is not for so many players as egodsl_players names" in skipped.output
    left = project.pytest("--collect-only", "-o", "egodsl_games=0").output
    assert "scenario: four are too many" in left
    assert "property: " not in left


def test_the_seed_settles_the_games(tmp_path: Path) -> None:
    # In which of the games it is broken first is a matter of chance.
    files = {"heaps.rules": HEAPS.replace("never heap = 4", "never heap = 1"), "library/counting.rules": COUNTING}
    project = Project.make(tmp_path, files, "egodsl_games = 30", "egodsl_players = 2")

    def told(*arguments: str) -> str:
        output = project.pytest(*arguments).output
        return next(line for line in output.splitlines() if line.startswith("in "))

    found = [told("-k", "never_four", "-o", f"egodsl_seed={seed}") for seed in (1, 2, 3)]
    assert len(set(found)) > 1
    assert told("-k", "four", "-o", "egodsl_seed=2") == found[1], "it depends on which tests are run"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("egodsl_games=many", "egodsl_games: `many` is not a whole number from 0 to 1000000"),
        ("egodsl_games=-1", "egodsl_games: `-1` is not a whole number"),
        ("egodsl_seed=18446744073709551616", "egodsl_seed: `18446744073709551616` is not a whole number"),
        ("egodsl_players=3..2", "egodsl_players: `3..2` is no range of players"),
        ("egodsl_players=0", "egodsl_players: `0` is no range of players"),
        ("egodsl_players=2..x", "egodsl_players: `x` is not a whole number"),
    ],
)
def test_options_that_mean_nothing(option: str, message: str) -> None:
    name, _, value = option.partition("=")
    with pytest.raises(pytest.UsageError, match=re.escape(message)):
        pytest_configure(cast("pytest.Config", Options({name: value})))


def test_options_that_mean_nothing_stop_the_run(project: Project) -> None:
    stopped = project.pytest("-o", "egodsl_games=many")
    assert stopped.code == MISUSED
    assert "ERROR: egodsl_games: `many` is not a whole number from 0 to 1000000" in stopped.output
    assert "Traceback" not in stopped.output


def test_a_property_about_nothing_is_told_and_passes(tmp_path: Path) -> None:
    idle = HEAPS + "action bow: nothing\nproperty bowed: after bow: heap = 0\n"
    idle = idle.replace("choose one of take, split\n", "choose one of take, split\n        if heap > 8: perform bow\n")
    project = Project.make(tmp_path, {"heaps.rules": idle, "library/counting.rules": COUNTING})
    vacuous = project.pytest("-k", "bowed")
    assert vacuous.of("PASSED") == {"heaps.rules::property: bowed"}, vacuous.output
    assert "nothing that the property `bowed` is about came up in 20 games" in vacuous.output


# ------------------------------------------------------------ keeping out of the way


def test_the_engine_is_loaded_only_for_rulebooks(tmp_path: Path) -> None:
    test = """
import sys

def test_what_is_loaded():
    assert "egodsl.pytest_plugin" in sys.modules
    assert not [name for name in sys.modules if name.startswith("egodsl.") and name != "egodsl.pytest_plugin"]
"""
    project = Project.make(tmp_path, {"test_light.py": test})
    assert project.pytest().of("PASSED") == {"test_light.py::test_what_is_loaded"}


def test_it_can_be_switched_off(project: Project) -> None:
    off = project.pytest("-p", "no:egodsl", "heaps.rules")
    assert off.code == MISUSED
    assert "not found: " in off.output
    assert "heaps.rules::" not in off.output


def test_rulebooks_stand_beside_tests_in_python(tmp_path: Path) -> None:
    project = Project.make(tmp_path, {"test_it.py": "def test_it(): pass\n", **FILES})
    assert set(project.pytest("-o", "egodsl_games=0").outcomes) >= {"test_it.py::test_it", "heaps.rules::check"}


def test_the_rulebooks_among_these_tests_are_no_tests(project: Project) -> None:
    own = Project(ROOT, project.site).pytest("-n", "0", "--collect-only", "-q", "tests/golden", "tests/docs")
    assert ".rules::" not in own.output
    assert "tests/docs/test_docs.py" in own.output
