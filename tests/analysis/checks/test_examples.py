"""The explanation of every code of the checks: its bad example gives that code alone, its mended one nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.source.registry import CODES, examples
from egodsl.source.text import SourceText

OURS = [number for number in CODES if number[3] == "5"]


@pytest.mark.parametrize("number", OURS)
def test_examples_of_explanations(number: str, tmp_path: Path) -> None:
    for kind, texts in examples(number).items():
        for text in texts:
            head = "" if re.match("rulebook|library|variant", text) else 'library example "Example"\n\n'
            _, found = check_file(SourceText(str(tmp_path / "example.rules"), head + text))
            codes = {one.code.number for one in found}
            assert codes == ({number} if kind == "bad" else set()), [str(one) for one in found]
