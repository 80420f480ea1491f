"""Corners of the verbs that try properties: what they say must be true, and the commands they name must work."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from egodsl.engine.record import Record
from egodsl.reports.readings import rows
from egodsl.verify.properties import properties_of
from egodsl.verify.readings import Outcome, Survey
from egodsl.verify.settings import Setting
from egodsl.verify.trying import Trial
from tests.cli.running import COUNTING, run, write

HIGH = COUNTING + "\nproperty low: never points[players[1]] = 4\n"


def command_of(output: str) -> list[str]:
    found = re.search(r"; `egodsl (replay .*)` steps through it", output)
    assert found is not None, output
    return shlex.split(found[1])


@pytest.mark.parametrize("folder", [".", "games", "my games"])
def test_the_command_that_steps_through_a_record_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir(exist_ok=True)
    write(tmp_path / folder, HIGH)
    path = str(Path(folder) / "counting.rules")
    words = command_of(run("test", path, "--games", "10", "--players", "2", "--property", "low").output)
    # Where the name of the rulebook is enough, nothing more is said.
    assert ("--rulebook" in words) is (folder != ".")
    result = run(*words)
    assert result.exit_code == 0
    assert "A: count up" in result.output


def test_a_rulebook_of_the_same_name_is_not_taken_for_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING)
    Path("changed").mkdir()
    write(Path("changed"), HIGH.replace("1..5 = 2", "1..5 = 4"))
    words = command_of(run("test", "changed/counting.rules", "--property", "low", "--players", "2").output)
    assert words[-2:] == ["--rulebook", str(Path("changed/counting.rules"))]
    assert "warning" not in run(*words).stderr


def test_an_unknown_property_tells_which_there_are(tmp_path: Path) -> None:
    result = run("test", write(tmp_path, HIGH), "--property", "zzz")
    assert result.exit_code == 2
    assert "there is no property `zzz`" in result.stderr
    assert "there are: low, no_fault, never_stuck" in result.stderr


def test_an_interrupted_trial_says_nothing_that_is_not_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, COUNTING + "\nproperty one: after wait: points[you] >= 0\n")
    play = Trial.play

    def interrupted(trial: Trial, settings: object, done: object) -> None:
        def stop(games: int) -> None:
            if games == 4:
                raise KeyboardInterrupt

        del done
        play(trial, settings, stop)  # type: ignore[arg-type] # the settings that the verb gives

    monkeypatch.setattr(Trial, "play", interrupted)
    result = run("test", path, "--games", "50", "--property", "one")
    assert result.exit_code == 130
    assert "nothing that the property" not in result.stderr
    assert result.output.endswith("interrupted; what had been tried:\n1 passed, 0 failed\n")


def test_a_property_that_cannot_be_told_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, COUNTING + "\nproperty odd: for n in 1..4 // (pace - 2): always n > 0\n")
    found = json.loads(run("test", path, "--property", "odd", "--games", "2", "--json").stdout)
    (broken,) = found["properties"]
    assert broken["verdict"] == "broken"
    assert "`4 // (pace - 2)` divides by zero" in broken["diagnostics"][0]["message"]
    explored = run("explore", path, "--property", "odd", "--limit", "50")
    assert explored.exit_code == 1
    assert "divides by zero" in explored.output
    assert run("readings", path, "--games", "1", "--players", "2", "--single").exit_code == 1


def test_each_line_of_the_table_is_about_one_number_of_players(tmp_path: Path) -> None:
    from egodsl.engine.game import load  # noqa: PLC0415 - only here

    rulebook = load(write(tmp_path, HIGH))
    low = next(prop for prop in properties_of(rulebook) if prop.name == "low")
    survey = Survey([Outcome(Setting(n), low, 4, broken, None) for n, broken in ((2, 1), (3, 4))])
    (row,) = rows(survey, {})
    assert row.players.split("\n") == ["2", "3"]
    first, second = row.broken.split("\n")
    # Wilson's interval of 1 in 4, by hand: (0.25 + 0.480 ± 0.7139...) / 1.9604 = 0.0456 and 0.699.
    assert first == "25 % (1 of 4, 4.56 to 69.9 %)"
    assert second.startswith("100 % (4 of 4, 51")


def test_names_of_records_stay_whole_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, HIGH)
    folder = "records-of-a-long-name-in-a-directory-of-a-long-name-of-which-no-part-may-be-lost"
    result = run("readings", path, "--games", "10", "--players", "2", "--single", "--records", folder)
    names = re.findall(rf"{folder}/\S+\.record", result.output)
    assert names
    assert all(Record.from_json(Path(name).read_text(encoding="utf-8")).rulebook == "counting" for name in names)
