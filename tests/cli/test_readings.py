from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.verify import readings
from tests.cli.running import COUNTING, run, run_json, write
from tests.golden_files import assert_golden

GOLDEN = Path(__file__).parents[1] / "golden"

STUCK_BY_READING = COUNTING.replace(
    '    one "at one"\n', '    one "at one"\nreading waiting "May one wait?":\n    yes "yes" default\n    no "no"\n'
).replace("action count_up:", "action count_up when points < 4:")
STUCK_BY_READING = STUCK_BY_READING.replace("action wait:", "action wait when waiting = yes:")
"""Whoever has four points and may not wait is stuck: in a long game, or with a begin at one, but not otherwise."""


def test_the_table_says_what_breaks_and_how_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, STUCK_BY_READING)
    result = run("readings", "counting.rules", "--games", "3", "--players", "2")
    assert result.exit_code == 0
    assert_golden(GOLDEN / "cli" / "readings.txt", result.output)
    record = next(Path("egodsl-records").glob("*long-no*.record"))
    replayed = run("replay", str(record), "--rulebook", "counting.rules")
    assert replayed.exit_code == 1
    assert "EGO701" in replayed.stderr


def test_json_has_the_promised_shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, STUCK_BY_READING)
    found = run_json("readings", path, "--games", "2", "--players", "2")
    assert list(found) == ["results", "no_difference", "unusable", "interrupted"]
    one = found["results"][0]
    assert list(one) == [
        *("readings", "modes", "players", "property", "verdict", "games", "broken", "interval", "decisions", "record")
    ]
    # A mode and two readings of two answers: eight combinations, each with the six properties of single games.
    assert len(found["results"]) == 8 * 6
    broken = [one for one in found["results"] if one["verdict"] == "broken"]
    assert {tuple(one["modes"]) for one in broken} == {("long",)}
    assert all(one["readings"]["waiting"] == "no" and one["property"] == "never_stuck" for one in broken)
    assert all(one["games"] == one["broken"] == 2 and Path(one["record"]).is_file() for one in broken)
    assert found["no_difference"] == []


def test_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, STUCK_BY_READING)
    found = run_json("readings", path, "--games", "1", "--players", "2..3", "--single")
    settings = {(one["players"], tuple(one["modes"]), tuple(one["readings"].items())) for one in found["results"]}
    assert len(settings) == 2 * 4
    assert not [one for one in found["results"] if one["verdict"] == "broken"]


def test_what_the_defaults_break_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, COUNTING + "\nproperty low: never points[players[1]] = 4\n")
    assert run("readings", path, "--games", "20", "--players", "2").exit_code == 1


def test_an_interrupted_survey_tells_what_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(readings, "_silent", interrupted)
    result = run("readings", write(tmp_path, STUCK_BY_READING), "--games", "1", "--players", "2")
    assert result.exit_code == 130
    assert "interrupted; what had been tried:\n8 combinations" in result.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--games", "0"], "`0` is not a whole number of 1 or more"),
        (["--players", "9"], "`counting` is for 2 to 3 players"),
        (["--records", "counting.rules"], "`counting.rules` is no directory"),
    ],
)
def test_misuse(words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING)
    result = run("readings", "counting.rules", *words)
    assert result.exit_code == 2
    assert says in result.stderr
