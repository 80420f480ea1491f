"""How long `egodsl check` takes, start-up included, and how its cost grows with the length of a rulebook.

Not collected by default: `python -m pytest -n 0 tests/benchmarks/bench_check.py`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

HEAD = """rulebook long "A long rulebook":
    players 2..4
    result most score

card Chip:
    colour: 1..4

components chips of Chip in box:
    10 x (colour: k) for k in 1..4
    total 40

zone box: set of Chip, face down
zone hand[player]: set of Chip, owner only
var score[player]: 0..999 = 0

stage game:
    pick first at random from players
    turns from first:
        choose one of take, stop_here

action take when not empty(box): move 1 at random from box to hand
action stop_here: end game
"""

PART = """
> Part {n} of the bonus. It is worth more to those who hold chips of its colour.
define bonus_{n}(p: player): 0..40 = count(c for c in hand[p] where c.colour = {colour})

procedure award_{n}(p: player):
    let gained = bonus_{n}(p)
    if gained > 2: score[p] += gained
    otherwise if gained > 0: score[p] += 1
    otherwise: nothing

trigger part_{n} during game whenever count(box) = {left}:
    for p in players where not empty(hand[p]):
        perform award_{n}(p)
"""


def rulebook_of(lines: int) -> str:
    """A well-formed rulebook of about so many lines."""
    per_part = PART.count("\n")
    parts = max(1, (lines - HEAD.count("\n")) // per_part)
    return HEAD + "".join(PART.format(n=n, colour=n % 4 + 1, left=n % 40) for n in range(parts))


@pytest.mark.parametrize("lines", [200, 1000, 5000])
def test_check(benchmark: BenchmarkFixture, tmp_path: Path, lines: int) -> None:
    """Under 0.4 s for 200 lines, under 5 s for 5,000 are wanted."""
    path = tmp_path / "long.rules"
    path.write_text(rulebook_of(lines))
    command = [sys.executable, "-m", "egodsl", "check", str(path)]
    done = benchmark(subprocess.run, command, check=False)
    assert done.returncode == 0
