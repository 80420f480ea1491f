from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import COUNTING, MAIN, ROOT, run, start, write

LOOSE = COUNTING.replace("points[player]: 0..99 = 0", "points [ player ]:0..99=0")
BROKEN = COUNTING.replace("action wait:", "action wait")


def test_a_file_is_brought_into_the_layout(tmp_path: Path) -> None:
    path = write(tmp_path, LOOSE)
    result = run("fmt", path)
    assert result.exit_code == 0
    assert Path(path).read_text(encoding="utf-8") == COUNTING
    assert result.stdout == f"formatted {path}\n"
    assert result.stderr == "1 file formatted, 0 left as they were\n"
    assert run("fmt", path).stderr == "0 files formatted, 1 left as it was\n"
    assert [file.name for file in tmp_path.iterdir()] == ["counting.rules"]


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_asking_writes_nothing(tmp_path: Path, option: str) -> None:
    path = write(tmp_path, LOOSE)
    assert run("fmt", option, path).exit_code == 1
    assert Path(path).read_text(encoding="utf-8") == LOOSE
    assert run("fmt", option, write(tmp_path, COUNTING)).exit_code == 0


def test_a_diff_shows_the_line_before_and_after(tmp_path: Path) -> None:
    lines = run("fmt", "--diff", write(tmp_path, LOOSE)).stdout.splitlines()
    assert "-var points [ player ]:0..99=0" in lines
    assert "+var points[player]: 0..99 = 0" in lines


@pytest.mark.parametrize(
    "data",
    [COUNTING.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + COUNTING.encode(), COUNTING.rstrip("\n").encode()],
    ids=["windows line ends", "byte order mark", "no last line end"],
)
def test_bytes_are_compared(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "counting.rules"
    path.write_bytes(data)
    assert run("fmt", "--check", str(path)).exit_code == 1
    assert len(run("fmt", "--diff", str(path)).stdout.splitlines()) > 3
    assert run("fmt", str(path)).exit_code == 0
    assert path.read_bytes() == COUNTING.encode()


def test_a_file_with_errors_is_left_and_the_others_are_done(tmp_path: Path) -> None:
    good, bad = write(tmp_path, LOOSE), write(tmp_path, BROKEN, "bad")
    result = run("fmt", str(tmp_path))
    assert result.exit_code == 1
    assert Path(bad).read_text(encoding="utf-8") == BROKEN
    assert Path(good).read_text(encoding="utf-8") == COUNTING
    assert "error[EGO108]" in result.stderr
    assert result.stderr.endswith("1 file formatted, 0 left as they were, 1 file with errors\n")


def test_standard_input_goes_to_standard_output() -> None:
    done = start("fmt", "-", given=LOOSE.replace("\n", "\r\n").encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, COUNTING.encode(), b"")


def test_standard_input_with_errors_gives_nothing() -> None:
    result = run("fmt", "-", given=BROKEN)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "<stdin>:" in result.stderr


def test_a_link_stays_a_link_and_its_file_keeps_its_mode(tmp_path: Path) -> None:
    target = Path(write(tmp_path, LOOSE))
    target.chmod(0o640)
    link = tmp_path / "link.rules"
    link.symlink_to(target)
    assert run("fmt", str(link)).exit_code == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == COUNTING
    assert os.stat(target).st_mode & 0o777 == 0o640  # noqa: PTH116 - pathlib would only wrap this very call


def test_a_reader_who_leaves_ends_it_silently(tmp_path: Path) -> None:
    # The difference is far longer than what a pipe holds.
    path = tmp_path / "counting.rules"
    path.write_bytes((COUNTING + f"# {'x' * 100}\n" * 3000).replace("\n", "\r\n").encode())
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "fmt", "--diff", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(3) == b"---"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
