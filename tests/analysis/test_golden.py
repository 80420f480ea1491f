"""Every code of linking, names and types, on a small file whose `#!` comments say which errors stand where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.source.registry import CODES, examples
from egodsl.source.text import SourceText

GOLDEN = sorted((Path(__file__).parents[1] / "golden" / "analysis").glob("*.rules"))
OURS = [number for number in CODES if number[3] in "234"]
SEVERAL_FILES = {"EGO202", "EGO203", "EGO205", "EGO218"}
_EXPECTED = re.compile(r"#! (EGO\d{3}) (.+)$")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    expected = {
        number: (match.group(1), match.group(2))
        for number, line in enumerate(lines, 1)
        if (match := _EXPECTED.search(line))
    }
    found = [one for one in check_file(path)[1] if one.code.number[3] in "01234"]
    places = {one.span.line: (one.code.number, one.message) for one in found if one.span is not None}
    assert len(places) == len(found), [str(one) for one in found]
    assert {line: code for line, (code, _) in places.items()} == {line: code for line, (code, _) in expected.items()}
    for line, (_, words) in expected.items():
        assert places[line][1].startswith(words)


def test_every_code_has_a_golden_file_or_a_test_with_several_files() -> None:
    assert {path.stem[:6] for path in GOLDEN} | SEVERAL_FILES >= set(OURS)


@pytest.mark.parametrize("number", [number for number in OURS if number not in SEVERAL_FILES])
def test_examples_of_explanations(number: str, tmp_path: Path) -> None:
    texts = examples(number)
    for kind, texts_of_kind in texts.items():
        for text in texts_of_kind:
            head = "" if re.match("rulebook|library|variant", text) else 'library example "Example"\n\n'
            _, found = check_file(SourceText(str(tmp_path / "example.rules"), head + text))
            codes = {one.code.number for one in found if one.code.number[3] in "01234"}
            assert codes == ({number} if kind == "bad" else set()), [str(one) for one in found]
