"""The tutorial, followed from its first line to its last."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import DOCS, Block, blocks
from tests.docs.shell import commands, plain
from tests.docs.tutorial import changed, follow

TUTORIAL = DOCS / "tutorial.md"


def test_every_step_leads_where_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(TUTORIAL):
        follow(block)
    assert sorted(path.name for path in Path().iterdir()) == ["dim_lanterns.rules", "egodsl-records", "lanterns.rules"]


def test_a_step_that_leads_elsewhere_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = blocks(TUTORIAL, "console")[:2]
    follow(first)
    wrong = Block(second.page, second.line, second.words, second.text.replace("no problems", "no cares"))
    with pytest.raises(pytest.fail.Exception):
        follow(wrong)


def test_a_change_needs_its_lines() -> None:
    block = Block(TUTORIAL, 1, ("diff", "x"), " a\n-b\n+c\n")
    assert changed("z\na\nb\n", block) == "z\na\nc\n"
    for text in ("a\nc\n", "a\nb\na\nb\n", "xa\nb\n"):
        with pytest.raises(AssertionError):
            changed(text, block)


def test_what_a_reader_types_is_what_stands_after_the_prompt() -> None:
    block = Block(
        TUTORIAL,
        1,
        ("console",),
        "$ egodsl play x --players 2\nA to play\nA> light up 1\nB> 2\n$ egodsl check x\nfine\n",
    )
    play, check = commands(block)
    assert play.words == ("egodsl", "play", "x", "--players", "2")
    assert play.typed == "light up 1\n2\n"
    assert (check.words, check.shown) == (("egodsl", "check", "x"), "fine\n")


def test_the_clock_is_not_compared() -> None:
    assert plain("10 decisions in 0.12 s, 83 decisions per second\n") == plain("\n10 decisions in … s  ")
    assert plain("11 decisions in 0.12 s, 83 decisions per second\n") != plain("10 decisions in … s")
