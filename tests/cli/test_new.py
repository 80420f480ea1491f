"""The rulebook that a new author starts from is sound, plays, and passes its own scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run, run_json


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_written_under_its_name_and_the_next_commands_are_named(folder: Path) -> None:
    result = run("new", "night_walk")
    assert result.exit_code == 0
    assert 'rulebook night_walk "Night Walk":' in (folder / "night_walk.rules").read_text(encoding="utf-8")
    for verb in ("check", "play", "test", "simulate"):
        assert f"egodsl {verb} night_walk.rules" in result.output


def test_it_is_sound_and_in_the_layout(folder: Path) -> None:
    run("new", "lamps")
    assert run("check", "lamps.rules").output == "no problems in 1 file\n"
    assert run("fmt", "--check", "lamps.rules").exit_code == 0
    del folder


def test_its_scenarios_pass(folder: Path) -> None:
    run("new", "lamps")
    assert run("test", "lamps.rules").output == "9 passed, 0 failed\n"
    del folder


@pytest.mark.parametrize("players", [2, 3, 4])
def test_its_games_end_without_a_fault(folder: Path, players: int) -> None:
    run("new", "lamps")
    found = run_json("simulate", "lamps", "--players", str(players), "--games", "100", "--seed", "1")
    assert (found["ended"], found["faults"]["count"], found["cut_short"]) == (100, 0, 0)
    del folder


def test_it_never_overwrites(folder: Path) -> None:
    (folder / "lamps.rules").write_text("mine", encoding="utf-8")
    result = run("new", "lamps")
    assert result.exit_code == 2
    assert result.stderr == "error: `lamps.rules` is there already, and is left as it is\n"
    assert (folder / "lamps.rules").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["lamp", "light", "shine", "game", "box", "a"])
def test_any_name_will_do(folder: Path, name: str) -> None:
    run("new", name)
    assert run("check", f"{name}.rules").exit_code == 0
    del folder


@pytest.mark.parametrize("name", ["Big Game", "9lives", "für", "if", "rulebook", "../", "x" * 61, "nowhere/lamps"])
def test_what_is_no_name_is_refused(folder: Path, name: str) -> None:
    result = run("new", name)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert list(folder.iterdir()) == []


def test_it_may_stand_in_a_directory(folder: Path) -> None:
    (folder / "games").mkdir()
    assert run("new", "games/lamps.rules").exit_code == 0
    assert (folder / "games" / "lamps.rules").is_file()
