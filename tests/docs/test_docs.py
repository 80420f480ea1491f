"""What the documents say is true: their commands run, their Python runs, their links lead somewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from egodsl.source.errors_page import errors_page
from egodsl.source.registry import CODES
from tests.docs.blocks import DOCS, GENERATED, PAGES, ROOT, Block, anchors, blocks, links
from tests.docs.regenerate import BEGIN, END, LANGUAGE, with_tables
from tests.docs.shell import commands, run

if TYPE_CHECKING:
    from pathlib import Path

TUTORIAL = DOCS / "tutorial.md"
WRITTEN = [page for page in PAGES if page != GENERATED]
KNOWN_LANGUAGES = {"", "rules", "console", "python", "diff", "json"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the rulebooks of the repository in it, in which the test stands."""
    (tmp_path / "rulebooks").symlink_to(ROOT / "rulebooks")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "records").symlink_to(ROOT / "docs" / "records")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in WRITTEN if page != TUTORIAL], ids=lambda page: page.name)
def test_commands_run_in_the_order_of_the_page(page: Path, folder: Path) -> None:
    assert folder.is_dir()
    for block in blocks(page, "console"):
        for command in commands(block):
            run(command)


@pytest.mark.parametrize("block", [b for page in WRITTEN for b in blocks(page, "python")], ids=lambda block: block.id)
def test_python_runs(block: Block, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for shown in blocks(block.page, "rules"):
        # Complete rulebooks on the page are files under their own names.
        name = re.search(r"^rulebook (\w+)", shown.text, re.MULTILINE)
        if shown.use == "check" and name is not None:
            (folder / f"{name[1]}.rules").write_text(shown.text, encoding="utf-8")
    names: dict[str, object] = {}
    exec(compile(block.text, block.id, "exec"), names)  # noqa: S102 - the page's own lines
    printed = re.findall(r"^print\(.*\)  # (.+)$", block.text, re.MULTILINE)
    if printed:
        assert capsys.readouterr().out.splitlines() == printed


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_every_block_is_of_a_kind_that_is_tried(page: Path) -> None:
    assert {block.language for block in blocks(page)} <= KNOWN_LANGUAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in links(page):
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), target
        assert there.is_relative_to(ROOT), target
        assert not anchor or anchor in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_place_of_one_machine_is_named(page: Path) -> None:
    assert re.search(r"/(work|tmp|home|root|Users)/", page.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_codes_that_are_named_exist(page: Path) -> None:
    assert set(re.findall(r"EGO\d{3}", page.read_text(encoding="utf-8"))) <= set(CODES)


def test_the_page_of_errors_is_made_from_the_registry() -> None:
    assert GENERATED.read_text(encoding="utf-8") == errors_page(), "run `python -m tests.docs.regenerate`"


def test_the_tables_of_what_is_built_in_are_made_from_the_program() -> None:
    text = LANGUAGE.read_text(encoding="utf-8")
    assert text.count(BEGIN) == text.count(END) == 1
    assert text == with_tables(text), "run `python -m tests.docs.regenerate`"


def test_every_page_is_linked_from_the_first() -> None:
    linked = {target.partition("#")[0] for target in links(ROOT / "README.md")}
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= linked


def test_the_rules_on_the_first_page_are_those_of_the_rulebook() -> None:
    rulebook = (ROOT / "rulebooks" / "egocentric_world.rules").read_text(encoding="utf-8")
    shown = blocks(ROOT / "README.md", "rules")
    assert shown
    assert [block.text for block in shown if block.text not in rulebook] == []
