from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.engine.game import load
from tests.cli.running import COUNTING, run, write


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A whole game of two: A counts up twice, B waits twice."""
    state = load(write(tmp_path, COUNTING)).game(parameters={"pace": 3}).start(seed=1)
    while not state.is_over:
        state.apply("count up" if state.to_move == (0,) else "wait")
    path = tmp_path / "game.record"
    path.write_text(state.record().to_json(), encoding="utf-8")
    return path


EVENTS = ["1  A: count up", "2  B: wait", "3  A: count up", "4  B: wait"]


def test_each_event_is_told_then_the_table_and_the_result(record: Path) -> None:
    result = run("replay", str(record))
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:4] == EVENTS
    assert "points     A 6, B 0" in lines
    assert lines[-3:] == ["The game is over.", "1. A with 6", "2. B with 0"]


def test_stepping_stops_after_each_event(record: Path) -> None:
    result = run("replay", str(record), "--step", given="\n\nquit\n")
    assert result.exit_code == 0
    assert "3  A: count up" in result.output
    assert "4  B: wait" not in result.output
    assert "points     A 3, B 0" in result.output


def test_another_version_is_played_as_far_as_it_fits(record: Path) -> None:
    write(record.parent, COUNTING.replace("count_up, wait", "count_up, rest").replace("action wait", "action rest"))
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == EVENTS[0]
    first, second = result.stderr.splitlines()
    assert first == "warning: the rulebook is not the one that was played; the game is played as far as it fits"
    why = "B cannot play it here; the moves are `count up`, `rest`"
    assert second == f"warning: event 2 of the record (`B`: `wait`) does not fit: {why}"
    assert "points     A 3, B 0" in result.stdout


def test_another_version_that_still_fits_is_fine(record: Path) -> None:
    write(record.parent, COUNTING + "\n# The same rules.\n")
    result = run("replay", str(record))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:4] == EVENTS
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{}", "[1, 2]", "not json", '{"egodsl-record": 1, "rulebook": 3}', "[" * 100_000])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.record"
    path.write_text(text, encoding="utf-8")
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith("error[EGO801]: this ")


def test_a_move_that_was_never_legal_is_the_first_difference(record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8").replace('["B", "wait"]', '["B", "fly"]'), encoding="utf-8")
    result = run("replay", str(record))
    assert result.exit_code == 1
    assert "event 2 of the record (`B`: `fly`) does not fit" in result.stderr
    assert result.stderr.startswith("error: ")


def test_a_seat_sees_only_what_is_its_own(record: Path) -> None:
    assert run("replay", str(record), "--view", "b").exit_code == 0
    refused = run("replay", str(record), "--view", "C")
    assert refused.exit_code == 2
    assert refused.stderr == "error: `--view`: there is no seat `C`\n  = help: the seats are A to B\n"


def test_the_rulebook_can_be_named(record: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "moved.record"
    elsewhere.write_bytes(record.read_bytes())
    assert run("replay", str(elsewhere)).exit_code == 2
    assert run("replay", str(elsewhere), "--rulebook", str(record.parent / "counting.rules")).exit_code == 0
    other = write(record.parent, COUNTING.replace("rulebook counting", "rulebook other"))
    result = run("replay", str(elsewhere), "--rulebook", other)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: the record is of `counting`, not of `other`\n")
