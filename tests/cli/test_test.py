from __future__ import annotations

from pathlib import Path

from tests.cli.running import COUNTING, run, run_json, write

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
    result = run("test", path)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == 'failed: counting, "waiting adds one"'
    assert lines[1] == "error[EGO810]: `points[A] = 1` does not hold"
    assert lines[2].endswith("counting.rules:44:5")
    assert lines[-1] == "1 passed, 1 failed"


def test_all_well(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + SCENARIOS.replace("points[A] = 1", "points[A] = 0"))
    result = run("test", path)
    assert (result.exit_code, result.output) == (0, "2 passed, 0 failed\n")


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING + SCENARIOS)
    found = run_json("test", path, code=1)
    assert list(found) == ["passed", "failed", "scenarios", "diagnostics"]
    assert (found["passed"], found["failed"], found["diagnostics"]) == (1, 1, [])
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
    assert result.stdout.endswith("1 file could not be tried\n1 passed, 1 failed\n")
    assert "numbers.rules is a library" in result.stderr
