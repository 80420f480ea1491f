from __future__ import annotations

from pathlib import Path

from tests.cli.running import COUNTING, run, run_json, start, write

MISTAKE = COUNTING.replace("points += pace", "points += pacce")
LIBRARY = 'library numbers "Numbers"\n\ndefine twice(n: 0..9) = 2 * n\n'


def test_a_sound_rulebook_is_fine(tmp_path: Path) -> None:
    result = run("check", write(tmp_path, COUNTING))
    assert (result.exit_code, result.output) == (0, "no problems in 1 file\n")


def test_a_mistake_is_shown_with_its_line_and_counted(tmp_path: Path) -> None:
    result = run("check", write(tmp_path, MISTAKE))
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "error[EGO301]: nothing is called `pacce`"
    assert lines[1].endswith("counting.rules:31:15")
    assert "    points += pacce" in result.output
    assert lines[-1] == "1 error in 1 file"


def test_concise_is_one_line_for_each_finding(tmp_path: Path) -> None:
    path = write(tmp_path, MISTAKE)
    result = run("check", path, "--concise")
    assert result.exit_code == 1
    (line,) = result.output.splitlines()
    assert line.startswith(f"{path}:31:15: error[EGO301] ")


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    path = write(tmp_path, MISTAKE)
    found = run_json("check", path, code=1)
    assert list(found) == ["files", "errors", "warnings", "diagnostics"]
    assert (found["files"], found["errors"], found["warnings"]) == (1, 1, 0)
    (diagnostic,) = found["diagnostics"]
    assert diagnostic["code"] == "EGO301"
    assert diagnostic["span"] == {"file": path, "start": {"line": 31, "column": 15}, "end": {"line": 31, "column": 20}}


def test_a_directory_means_the_rules_files_in_it_and_each_once(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    write(tmp_path, LIBRARY)
    (tmp_path / "notes.txt").write_text("no rules", encoding="utf-8")
    (tmp_path / "deeper").mkdir()
    write(tmp_path / "deeper", MISTAKE)
    assert run_json("check", str(tmp_path), path)["files"] == 2


def test_a_library_is_checked_by_itself(tmp_path: Path) -> None:
    assert run("check", write(tmp_path, LIBRARY)).output == "no problems in 1 file\n"
    broken = run_json("check", write(tmp_path, LIBRARY.replace("2 * n", "2 * m"), "broken"), code=1)
    assert [d["code"] for d in broken["diagnostics"]] == ["EGO301"]


def test_what_is_wrong_in_a_shared_library_is_told_once(tmp_path: Path) -> None:
    write(tmp_path, LIBRARY.replace("2 * n", "2 * m"))
    for name in ("one", "two"):
        text = COUNTING.replace("rulebook counting", f"rulebook {name}").replace(
            "    players 2..3", "    players 2..3\n    use numbers"
        )
        write(tmp_path, text)
    found = run_json("check", str(tmp_path), code=1)
    assert (found["files"], found["errors"]) == (3, 1)


def test_windows_line_ends_and_a_missing_last_one_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "counting.rules"
    path.write_bytes(COUNTING.rstrip("\n").replace("\n", "\r\n").encode())
    assert run("check", str(path)).exit_code == 0


def test_nothing_is_coloured_in_a_pipe(tmp_path: Path) -> None:
    done = start("check", write(tmp_path, MISTAKE), FORCE_COLOR="")
    assert done.returncode == 1
    assert b"\x1b" not in done.stdout
    assert done.stderr == b""
