"""What the page about testing shows of pytest is what pytest says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.blocks import DOCS, blocks
from tests.plugin.project import Project

PAGE = DOCS / "testing.md"


def test_the_game_of_the_page_is_tested_as_shown(tmp_path: Path) -> None:
    (rules,) = (block.text for block in blocks(PAGE, "rules"))
    (shown,) = (block.text for block in blocks(PAGE) if "python -m pytest" in block.text)
    command, *lines = shown.splitlines()
    assert command == "$ python -m pytest -v"
    assert lines.pop() == "..."
    run = Project.make(tmp_path, {"heaps.rules": rules}).pytest("-v")
    assert run.code == 0, run.output
    told = re.findall(r"^(heaps\.rules::.* PASSED) ", run.output, re.MULTILINE)
    assert told[: len(lines)] == lines
    assert len(told) > len(lines)


def test_every_option_is_on_the_page() -> None:
    plugin = (DOCS.parent / "egodsl" / "pytest_plugin.py").read_text(encoding="utf-8")
    options = set(re.findall(r'addini\("(\w+)"', plugin))
    assert len(options) == 4
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == options
