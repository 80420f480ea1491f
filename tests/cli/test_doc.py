from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import COUNTING, run, write


def test_a_page_goes_to_standard_output(tmp_path: Path) -> None:
    result = run("doc", write(tmp_path, COUNTING))
    assert result.exit_code == 0
    assert result.stdout.startswith("<!DOCTYPE html>\n")
    assert result.stdout.endswith("</html>\n")
    assert "<h1>Counting</h1>" in result.stdout
    assert result.stderr == ""


def test_markdown_goes_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "rules.md"
    result = run("doc", write(tmp_path, COUNTING), "--format", "markdown", "--output", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"`{target}` is written\n"
    text = target.read_text(encoding="utf-8")
    assert text.startswith("# Counting\n")
    assert "### Chip: 3 cards\n\n**3 of each:** chip 1\n" in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_settings_are_told(tmp_path: Path) -> None:
    words = ("--format", "markdown", "--players", "3", "--mode", "long", "--reading", "begin=one", "--set", "pace=5")
    text = run("doc", write(tmp_path, COUNTING), *words).stdout
    assert "- **Counted for:** 3 players\n" in text
    assert "- **Played with:** Five rounds instead of two\n" in text
    assert "- **Chosen here:** Where does counting begin? At one; Points for a turn: 5" in text
    assert "- **Five rounds instead of two** (chosen here)" in text
    assert "- **Here:** at one.\n- Otherwise: at nothing." in text
    assert "- **Points for a turn** — here: 5; possible: 1 to 5" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--mode", "short"), "this rulebook has no mode `short`"),
        (("--reading", "begin=two"), "this rulebook has no answer to `begin` called `two`"),
        (("--set", "pace=9"), "pace"),
        (("--players", "7"), "7 players do not fit"),
        (("--format", "pdf"), "`--format`"),
    ],
)
def test_what_does_not_exist_is_misuse(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    result = run("doc", write(tmp_path, COUNTING), *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_directory_cannot_be_written(tmp_path: Path) -> None:
    result = run("doc", write(tmp_path, COUNTING), "--output", str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr == f"error: `{tmp_path}` is a directory: name a file to write to\n"


def test_a_rulebook_with_errors_is_not_told(tmp_path: Path) -> None:
    result = run("doc", write(tmp_path, COUNTING.replace("points += pace", "points += speed")))
    assert result.exit_code == 1
    assert "`speed`" in result.stderr
    assert result.stdout == ""
