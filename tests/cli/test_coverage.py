"""`egodsl coverage`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.running import COUNTING, STUCK, TOGETHER, run, run_json, write

if TYPE_CHECKING:
    from pathlib import Path

QUIET = COUNTING + '\nscenario "one adds two":\n    A plays count_up\n    expect points[A] = 2\n'
"""The scenario reaches neither `wait` nor the mode, nor the other answer."""


def test_what_is_not_reached_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, QUIET)
    result = run("coverage", path, "--games", "0")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == path
    assert "  33:8: action `wait` is never played" in lines
    assert "  5:6: mode `long` is never on" in lines
    assert any("answer `one` of `begin` is never in force" in line for line in lines)
    assert "counting: 1 scenario, 0 random games with 0 choices of settings" in lines


def test_random_games_reach_the_rest(tmp_path: Path) -> None:
    path = write(tmp_path, QUIET)
    result = run("coverage", path, "--games", "5", "--seed", "7")
    lines = result.stdout.splitlines()
    assert "100 % of the places reached, 0 to look at" in lines
    assert lines[-1] == "seed 7"
    # 2 and 3 players: 5 by default, 5 with the mode, 5 with what is drawn, 1 with the other answer.
    assert "counting: 1 scenario, 32 random games with 16 choices of settings" in lines


def test_only_some_players(tmp_path: Path) -> None:
    data = run_json("coverage", write(tmp_path, QUIET), "--games", "5", "--players", "3")
    assert data["rulebooks"][0]["games"] == 16
    result = run("coverage", write(tmp_path, QUIET), "--players", "7")
    assert result.exit_code == 2
    assert "`--players`: no rulebook here is for 7 players" in result.stderr


def test_the_same_seed_gives_the_same_json(tmp_path: Path) -> None:
    path = write(tmp_path, QUIET)
    words = ("coverage", path, "--games", "3", "--seed", "4")
    assert run_json(*words) == run_json(*words)
    assert run_json(*words)["seed"] == 4


def test_several_rulebooks_and_decisions_of_all_at_once(tmp_path: Path) -> None:
    data = run_json("coverage", write(tmp_path, QUIET), write(tmp_path, TOGETHER), "--games", "4", "--seed", "1")
    assert [file["name"] for file in data["files"]] == ["counting", "guess"]
    places = {place["name"]: place["counts"] for place in data["files"][1]["places"]}
    # Only the default: four games with two players, each of whom guesses once.
    assert places["choose guess in 1..2"] == {"run": 8}
    counted = places["guess[p] = 2"]
    assert counted["no"] + counted["yes"] == 8


def test_games_that_end_in_a_fault_are_counted(tmp_path: Path) -> None:
    result = run("coverage", write(tmp_path, STUCK), "--games", "3")
    assert result.exit_code == 0
    assert "(3 ended in a fault)" in result.stdout


def test_games_that_are_cut_short_are_counted(tmp_path: Path) -> None:
    result = run("coverage", write(tmp_path, QUIET), "--games", "1", "--max-decisions", "1")
    assert "cut short)" in result.stdout


def test_a_page_is_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run("coverage", write(tmp_path, QUIET), "--games", "0", "--html", str(page))
    assert result.exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "<title>Coverage of Counting</title>" in text
    assert "action <code>wait</code> is never played" in text
    assert run("coverage", write(tmp_path, QUIET), "--html", str(tmp_path)).exit_code == 2


@pytest.mark.parametrize(("percent", "code"), [("0", 0), ("30", 0), ("100", 1)])
def test_less_than_asked_for(tmp_path: Path, percent: str, code: int) -> None:
    words = ("coverage", write(tmp_path, QUIET), "--games", "0", "--fail-under", percent)
    assert run(*words).exit_code == code
    run_json(*words, code=code)


def test_a_rulebook_that_cannot_be_used(tmp_path: Path) -> None:
    bad = write(tmp_path, QUIET.replace("points += pace", "points += nonsense"), "bad")
    result = run("coverage", bad, write(tmp_path, QUIET), "--games", "0")
    assert result.exit_code == 1
    assert "EGO301" in result.stdout
    assert "1 file could not be tried" in result.stdout
    assert "action `wait` is never played" in result.stdout
    data = run_json("coverage", bad, "--games", "0", code=1)
    assert [one["code"] for one in data["diagnostics"]] == ["EGO301"]
    assert data["files"] == []


def test_a_library_is_covered_by_what_uses_it(tmp_path: Path) -> None:
    library = write(tmp_path, 'library tools "Tools":\n    needs var points\n\nprocedure two: nothing\n', "tools")
    result = run("coverage", library)
    assert result.exit_code == 0
    assert "is a library: it is covered by the rulebooks that use it" in result.stderr
    user = write(tmp_path, QUIET.replace("    result most points\n", "    result most points\n    use tools\n"))
    told = run("coverage", user, "--games", "0").stdout
    assert library in told
    assert "procedure `two` is never performed" in told


@pytest.mark.parametrize("words", [("--games", "-1"), ("--fail-under", "101"), ("--players", "0"), ("--seed", "x")])
def test_misuse(tmp_path: Path, words: tuple[str, str]) -> None:
    result = run("coverage", write(tmp_path, QUIET), *words)
    assert result.exit_code == 2
    assert f"`{words[0]}`" in result.stderr


def test_no_such_file() -> None:
    assert run("coverage", "nowhere.rules").exit_code == 2
    assert run("coverage").exit_code == 2
