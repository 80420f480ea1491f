from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.provenance import SourceIndex, check_citations, find_citations, load_index
from egodsl.source.span import Span
from egodsl.source.text import SourceText


def cited(text: str) -> list[str]:
    return [sentence for sentence, _, _ in find_citations(text)]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("It stays. [EW-25] [EW-A03]", ["EW-25", "EW-A03"]),
        ("[EW-24, EW-25]", ["EW-24", "EW-25"]),
        ("[EW-24,EW-25; EWI-07 EWr3]", ["EW-24", "EW-25", "EWI-07", "EWr3"]),
        ("[ EWr4-01 ]", ["EWr4-01"]),
        ("[EGN-G15]", ["EGN-G15"]),
        ("[ew-24]", ["ew-24"]),
        ("EW-24 is not in brackets", []),
        ("[face-up] [see EW-24] [7-9] [A] [] [EW-] [EW-24", []),
        ("[[EW-24]]", ["EW-24"]),
    ],
)
def test_citations_are_ids_alone_in_brackets(text: str, ids: list[str]) -> None:
    assert cited(text) == ids


def test_citations_are_placed_in_the_file() -> None:
    # "ab [EW-1, EW-22]": the first id takes the characters 4 to 7, the second 10 to 14; the prose starts at 100.
    assert find_citations("ab [EW-1, EW-22]", 100) == [("EW-1", 104, 108), ("EW-22", 110, 115)]


def test_long_runs_in_brackets_take_linear_time() -> None:
    assert cited("[EW-1" + " " * 100_000 + "x" + "[" * 100_000) == []


@pytest.fixture
def index(tmp_path: Path) -> SourceIndex:
    path = tmp_path / "game.source"
    path.write_text('source game "Game"\nGM-01 rule: One.\nGM-12 rule: Two.\nGM-A1 question: Three?\n')
    loaded, found = load_index(path)
    assert loaded is not None
    assert found == []
    return loaded


def test_an_unknown_citation_is_an_error_that_suggests(index: SourceIndex) -> None:
    prose = SourceText("game.rules", "> Two. [GM-12] [GM-21] [GM-A1] [QQ-77]")
    found = check_citations([(id_, Span(prose, start, end)) for id_, start, end in find_citations(prose.text)], index)
    assert [(one.code.number, one.message, one.place) for one in found] == [
        ("EGO601", "the source `game` has no sentence `GM-21`", "game.rules:1:17"),
        ("EGO601", "the source `game` has no sentence `QQ-77`", "game.rules:1:33"),
    ]
    # Each is one slip away: a wrong letter, a swap, a wrong letter.
    assert found[0].help == "did you mean `GM-01`, `GM-12` or `GM-A1`?"
    assert found[1].help is not None
    assert "game.source" in found[1].help
