"""Every code of the checks on a small rulebook whose `#!` comments say what stands where; nothing else is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.source.registry import CODES

GOLDEN = sorted((Path(__file__).parents[2] / "golden" / "checks").glob("*.rules"))
_EXPECTED = re.compile(r"#! (EGO\d{3}) (.+)$")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    expected = [
        (number, match.group(1), match.group(2))
        for number, line in enumerate(lines, 1)
        if (match := _EXPECTED.search(line))
    ]
    _, found = check_file(path)
    assert [(one.span.line, one.code.number, one.message) for one in found if one.span is not None] == expected
    assert path.stem in {code for _, code, _ in expected}


def test_every_code_has_a_golden_file() -> None:
    assert {path.stem for path in GOLDEN} == {number for number in CODES if number[3] == "5"}
