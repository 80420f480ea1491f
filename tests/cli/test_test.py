from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from egodsl.verify.settings import Setting
from egodsl.verify.tracing import Played
from egodsl.verify.trying import Trial
from tests.cli.running import COUNTING, STUCK, run, run_json, write
from tests.golden_files import assert_golden

GOLDEN = Path(__file__).parents[1] / "golden"

SCENARIOS = """
scenario "counting adds two":
    players 2
    A plays count_up
    expect points[A] = 2

scenario "waiting adds one":
    players 2
    A plays wait
    expect points[A] = 1
"""


def test_each_failure_is_shown_and_the_count_comes_last(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + SCENARIOS)
    result = run("test", path, "--games", "0")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == 'failed: counting, "waiting adds one"'
    assert lines[1] == "error[EGO810]: `points[A] = 1` does not hold"
    assert lines[2].endswith("counting.rules:44:5")
    assert lines[-1] == "1 passed, 1 failed"


def test_all_well(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + SCENARIOS.replace("points[A] = 1", "points[A] = 0"))
    result = run("test", path, "--games", "0")
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")
    # Seven properties go without saying.
    result = run("test", path)
    assert (result.exit_code, result.output) == (0, "9 passed, 0 failed\n")


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + SCENARIOS)
    found = run_json("test", path, code=1)
    assert list(found) == ["passed", "failed", "scenarios", "properties", "diagnostics", "interrupted"]
    assert (found["passed"], found["failed"], found["diagnostics"]) == (8, 1, [])
    assert not found["interrupted"]
    good, bad = found["scenarios"]
    assert list(good) == ["file", "rulebook", "title", "passed", "seeds", "span", "diagnostics"]
    assert (good["title"], good["passed"], good["diagnostics"]) == ("counting adds two", True, [])
    assert (bad["file"], bad["rulebook"], bad["passed"], bad["span"]["line"]) == (path, "counting", False, 41)
    assert [diagnostic["code"] for diagnostic in bad["diagnostics"]] == ["EGO810"]


def test_a_rulebook_that_cannot_be_used_does_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, COUNTING + SCENARIOS)
    write(tmp_path, COUNTING.replace("points += pace", "points += pacce"), "broken")
    write(tmp_path, 'library numbers "Numbers"\n\ndefine twice(n: 0..9) = 2 * n\n')
    result = run("test", str(tmp_path))
    assert result.exit_code == 1
    assert "error[EGO301]" in result.stdout
    assert result.stdout.endswith("1 file could not be tried\n8 passed, 1 failed\n")
    assert "numbers.rules is a library" in result.stderr


# ---------------------------------------------------------------- properties

PROPERTIES = """
> Nobody waits for ever.
property low: for p in players: never points[p] = 4
property counted: after count_up: points[you] = old(points[you]) + pace
property even: always all(points[p] in {0, 2, 4, 6, 8, 10} for p in players)
"""


def test_a_broken_property_is_told_as_a_game_and_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING + PROPERTIES)
    result = run("test", "counting.rules")
    assert result.exit_code == 1
    assert_golden(GOLDEN / "cli" / "broken_property.txt", result.output)
    assert result.output.endswith("9 passed, 1 failed\n")
    # The record can be played again, and gone on from.
    record = "egodsl-records/counting-low.record"
    replayed = run("replay", record)
    assert replayed.exit_code == 0
    assert "3  A: count up" in replayed.output
    played = run("play", "counting.rules", "--from", record, given="quit\n")
    assert played.exit_code == 0
    assert "points" in played.output


def test_json_of_a_broken_property(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run_json("test", write(tmp_path, COUNTING + PROPERTIES), "--players", "3", "--seed", "9", code=1)
    low, *others = found["properties"]
    assert list(low) == [
        *("file", "rulebook", "property", "claim", "builtin", "verdict", "passed", "games", "broken", "span"),
        *("diagnostics", "counterexample"),
    ]
    assert (low["property"], low["claim"], low["verdict"]) == ("low", "for p in players: never points[p] = 4", "broken")
    assert low["counterexample"]["players"] == 2
    assert low["counterexample"]["decisions"] == 3
    assert low["counterexample"]["events"] == [["A", "count up"], ["B", "count up"], ["A", "count up"]]
    assert Path(low["counterexample"]["record"]).is_file()
    assert {one["verdict"] for one in others} == {"holds"}
    assert [one["property"] for one in others[:2]] == ["counted", "even"]


def test_one_property_alone(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + PROPERTIES + SCENARIOS)
    assert run("test", path, "--property", "even").output == "1 passed, 0 failed\n"
    result = run("test", path, "--property", "evne")
    assert result.exit_code == 2
    assert "did you mean `even`?" in result.stderr


def test_the_same_seed_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, COUNTING + PROPERTIES)
    assert run("test", path, "--seed", "4").output == run("test", path, "--seed", "4").output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--games", "-1"], "`-1` is not a whole number of 0 or more"),
        (["--players", "two"], "`two` is neither a number nor a range such as `2..4`"),
        (["--players", "3..2"], "`3..2` goes down"),
        (["--players", "7"], "`counting` is for 2 to 3 players"),
        (["--seed", "-1"], "`-1` is not a whole number from 0"),
        (["--records", "counting.rules"], "`counting.rules` is no directory"),
    ],
)
def test_misuse(words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING)
    result = run("test", "counting.rules", *words)
    assert result.exit_code == 2
    assert says in result.stderr


def test_an_interrupted_run_says_what_it_had_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = Trial.games_of

    def interrupted(self: Trial, setting: Setting) -> Iterator[Played]:
        if setting.players == 3:
            raise KeyboardInterrupt
        yield from played(self, setting)

    monkeypatch.setattr(Trial, "games_of", interrupted)
    result = run("test", write(tmp_path, COUNTING + PROPERTIES))
    assert result.exit_code == 130
    assert "failed: counting, property low" in result.output
    assert result.output.endswith("interrupted; what had been tried:\n9 passed, 1 failed\n")


def test_a_property_that_nothing_came_up_for(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + "\nproperty rare: always not points[players[1]] = 90 or points[players[2]] = 3\n")
    result = run("test", path)
    assert result.exit_code == 0
    assert "nothing that the property `rare` of counting is about came up in 40 games" in result.stderr


def test_a_record_of_another_rulebook_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING + PROPERTIES)
    write(tmp_path, STUCK, "stuck")
    run("test", "counting.rules")
    result = run("replay", "egodsl-records/counting-low.record", "--rulebook", "stuck.rules")
    assert result.exit_code == 2
    assert "the record is of `counting`, not of `stuck`" in result.stderr
