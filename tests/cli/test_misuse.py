"""What is said to those who misuse the command: one golden file for all of it, to be read from time to time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import COUNTING, STUCK, run, start, write
from tests.golden_files import GOLDEN, assert_golden

COMMANDS = (
    "",
    "chekc counting.rules",
    "frobnicate",
    "--nonsense",
    "check",
    "check --jsn counting.rules",
    "check --json --concise counting.rules",
    "check contign.rules",
    "check countin",
    "check nowhere/counting.rules",
    "check empty",
    "check binary.rules",
    "check latin.rules",
    "check blank.rules",
    "fmt - counting.rules",
    "fmt --check --diff counting.rules",
    "fmt counting",
    "new counting",
    "new 3d",
    "explain EGO999",
    "info numbers.rules",
    "info empty",
    "info counting.rules stuck.rules",
    "play stuk",
    "play counting --players 9",
    "play counting --players many",
    "play counting --players 0",
    "play counting --players",
    "play counting --mode lang",
    "play counting --mode short --mode slow",
    "play counting --reading begining=one",
    "play counting --reading begin=on",
    "play counting --reading begin",
    "play counting --reading begin=one --reading begin=zero",
    "play counting --set pase=3",
    "play counting --set pace=6",
    "play counting --set pace=fast",
    "play counting --set pace=99999999999999999999999999999999999",
    "play counting --set pace",
    "play counting --limit 0",
    "play counting --human D",
    "play counting --human AB",
    "play counting --bots clever",
    "play counting --bot B=clever",
    "play counting --bot B",
    "play counting --bot D=search",
    "play counting --bot A=search",
    "play counting --bot B=search --bot b=random",
    "play counting --bots search --think long",
    "play counting --seed -1",
    "play counting --seed 18446744073709551616",
    "play counting --from nothing.record",
    "play counting --from counting.rules",
    "play counting --from counting.rules --players 2",
    "play counting --plyers 3",
    "play mistaken",
    "play numbers",
    "simulate counting --games 0",
    "simulate counting --games 1.5",
    "simulate counting --games 1 --bots clever",
    "simulate counting --games 1 --bot C=search",
    "simulate counting --games 1 --bots search --playouts -1",
    "simulate counting --games 1 --records counting.rules",
    "simulate counting --players 4 --mode long --set pace=0",
    "replay counting.rules",
    "replay binary.rules",
    "replay empty",
    "replay missing.record",
    "test missing.rules",
    "test numbers.rules",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, COUNTING)
    write(tmp_path, STUCK)
    write(tmp_path, COUNTING.replace("points += pace", "points += pacce"), "mistaken")
    write(tmp_path, 'library numbers "Numbers"\n\ndefine twice(n: 0..9) = 2 * n\n')
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.rules").write_bytes(b"rulebook \x00\x01\x02")
    (tmp_path / "latin.rules").write_bytes('rulebook caf\xe9 "Caf\xe9":\n'.encode("latin-1"))
    (tmp_path / "blank.rules").write_bytes(b" \n\n")
    return tmp_path


def test_misuse_is_told_as_it_was(folder: Path) -> None:
    told = []
    for command in COMMANDS:
        result = run(*command.split(), given="")
        assert result.exception is None or isinstance(result.exception, SystemExit), command
        help_text = command == ""
        output = "(the help)\n" if help_text else result.output
        told.append(f"$ egodsl {command}".rstrip() + f"\n{output}exit code {result.exit_code}\n")
    assert_golden(GOLDEN / "cli" / "misuse.txt", "\n".join(told))
    del folder


def test_without_a_verb_the_help_is_shown() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Usage: egodsl" in result.stderr
    for verb in ("new", "check", "fmt", "info", "explain", "play", "simulate", "replay", "test"):
        assert f"  {verb} " in result.stderr


@pytest.mark.parametrize("verb", ["new", "check", "fmt", "info", "explain", "play", "simulate", "replay", "test"])
def test_every_verb_has_help(verb: str) -> None:
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert f"Usage: egodsl {verb}" in result.output


def test_a_file_that_may_not_be_read_is_one_line(folder: Path) -> None:
    # A directory in the place of a file, since a test may run as somebody who may read everything.
    (folder / "odd.rules").mkdir()
    result = run("check", "odd.rules")
    assert (result.exit_code, result.stderr) == (2, "error: there is no `.rules` file in the directory `odd.rules`\n")


def test_the_program_itself_shows_no_traceback(folder: Path) -> None:
    done = start("check", "missing.rules", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"error: there is no file `missing.rules`\n")


def test_a_terminal_without_unicode_is_no_reason_to_fail(folder: Path) -> None:
    (folder / "odd.rules").write_text('rulebook odd "Ünïcödé":\n    players 2\n    plåyers 3\n', encoding="utf-8")
    done = start("check", "odd.rules", cwd=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"error[" in done.stdout
