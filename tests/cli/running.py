"""Running the command line in tests, and small rulebooks to run it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from egodsl.cli.app import verbs

ROOT = Path(__file__).resolve().parents[2]

COUNTING = """\
rulebook counting "Counting":
    players 2..3
    result most points

mode long "Five rounds instead of two"

reading begin "Where does counting begin?":
    zero "at nothing" default
    one "at one"

parameter pace: 1..5 = 2 "Points for a turn"

card Chip:
    worth: 1..2
    written "chip {worth}"

components chips of Chip in bag:
    3 x (worth: 1)
    total 3

zone bag: stack of Chip, face down

var points[player]: 0..99 = 0

stage game:
    for p in players: points[p] := 1 if begin = one else 0
    repeat (5 if long else 2) times:
        as p in players: choose one of count_up, wait

action count_up:
    points += pace

action wait:
    nothing
"""
"""Nothing is left to chance: `count_up` adds `pace` points; each player acts twice, in a long game five times."""

STUCK = """\
rulebook stuck "Stuck":
    players 2
    result most points

var points[player]: 0..3 = 0

stage game:
    repeat 9 times:
        as p in players: choose one of take

action take when points < 2:
    points += 1
"""
"""A and B take in turn, and always the only move; after two each it is A's turn again, and A is stuck."""

TOGETHER = """\
rulebook guess "Guess":
    players 2
    result most points

var guess[player]: 1..2, owner only
var points[player]: 0..1 = 0

stage game:
    together as p in players:
        choose guess in 1..2
    for p in players: points[p] := 1 if guess[p] = 2 else 0
"""
"""Both choose 1 or 2 at once; whoever chose 2 has a point."""


def run(*words: str, given: str | bytes | None = None) -> Result:
    """Run `egodsl` with these words in this process, with `given` as its input."""
    return CliRunner().invoke(verbs, list(words), input=given, prog_name="egodsl")


def run_json(*words: str, code: int = 0) -> Any:  # noqa: ANN401 - JSON is of any shape
    """Run `egodsl` with these words and `--json`, and read what it gives."""
    result = run(*words, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def start(
    *words: str, given: bytes = b"", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the program itself, in a process of its own, with its output in pipes."""
    return subprocess.run(
        [sys.executable, "-c", MAIN, *words],
        input=given,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        timeout=60,
    )


MAIN = "from egodsl.cli import main; main()"


def write(folder: Path, text: str, name: str | None = None) -> str:
    """Write a rulebook under its own name (or another), and give its path."""
    path = folder / f"{name or text.split()[1]}.rules"
    path.write_text(text, encoding="utf-8")
    return str(path)
