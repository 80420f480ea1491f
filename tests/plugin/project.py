"""A project of its own: a directory of rulebooks, and pytest run in it as its author would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[2]

HEAPS = """
rulebook heaps "Heaps":
    players 2..3
    result most won
    use counting

parameter size: 3..9 = 7 "Stones in the heap"

var heap: 0..9 = 0
var won[player]: 0..1 = 0

stage game:
    heap := size
    turns from players[1]:
        choose one of take, split
        if heap = 0:
            won := 1
            end game

action take(n in 1..least_of(heap, 3)): heap -= n
action split when heap > 3: heap -= 2

scenario "three of seven leave four":
    A plays take(3)
    expect heap = 4

scenario "four are too many":
    expect A may not take(4)
    expect heap = 6

property shrinks: after take: heap < old(heap)
property never_four: never heap = 4
"""

COUNTING = """
library counting "Counting"

define least_of(a: 0..9, b: 0..9) = min(a, b)
"""

WRONG = """
rulebook wrong "Wrong":
    players 2
    result most points

var points[player]: 0..9 = 0

stage game: paints[players[1]] := 1
"""


@attrs.frozen
class Run:
    """What pytest said."""

    code: int
    output: str

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome of each test, by its id, from the summary that `-rA` gives."""
        found = re.findall(r"^(PASSED|FAILED|ERROR) (.*?)(?: - .*)?$", self.output, re.MULTILINE)
        return {name: outcome for outcome, name in found}

    def of(self, outcome: str) -> set[str]:
        """The tests that came out so."""
        return {name for name, one in self.outcomes.items() if one == outcome}


@attrs.frozen
class Project:
    """A directory with files, and egodsl installed, as far as pytest can tell."""

    folder: Path
    site: Path

    @classmethod
    def make(cls, folder: Path, files: dict[str, str], *options: str) -> Project:
        """Write the files and a `pyproject.toml` with the options."""
        info = folder / "site" / "egodsl-0.dist-info"
        info.mkdir(parents=True)
        # What installing would write, from what the package says of itself.
        told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        entries = [f"{name} = {value}" for name, value in told["entry-points"]["pytest11"].items()]
        (info / "entry_points.txt").write_text("\n".join(["[pytest11]", *entries, ""]), encoding="utf-8")
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: egodsl\nVersion: 0\n", encoding="utf-8")
        made = cls(folder / "project", folder / "site")
        made.folder.mkdir()
        for name, text in {"pyproject.toml": "\n".join(["[tool.pytest.ini_options]", *options, ""]), **files}.items():
            path = made.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.lstrip("\n"), encoding="utf-8")
        return made

    def pytest(self, *arguments: str) -> Run:
        """Run pytest in the directory."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV_", "CI"))}
        env = {**kept, "PYTHONPATH": os.pathsep.join([str(self.site), str(ROOT)]), "COLUMNS": "200"}
        command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:benchmark", "-p", "no:hypothesispytest", *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            encoding="utf-8",
        )
        return Run(done.returncode, done.stdout + done.stderr)
