"""The page about the classics lists each of them, with as many lines as it has."""

from __future__ import annotations

import re

from tests.docs.blocks import DOCS
from tests.rulebooks.test_classics import CLASSICS, MOST_LINES, lines_of_rules

ROW = re.compile(
    r"^\| \[(\w+)\]\(\.\./rulebooks/classics/\1\.rules\) \| [^|]+ \| (\d+) \|[^|]*\|[^|]*\| (\d*) ?\|$", re.MULTILINE
)


def test_each_is_listed_with_its_lines() -> None:
    lines = {path.stem: lines_of_rules(path.read_text(encoding="utf-8")) for path in CLASSICS}
    listed = {}
    for name, own, of_variant in ROW.findall((DOCS / "classics.md").read_text(encoding="utf-8")):
        listed[name] = int(own)
        if of_variant:
            listed[f"{name}_openspiel"] = int(of_variant)
    assert listed == lines
    assert listed.keys() >= MOST_LINES.keys()
