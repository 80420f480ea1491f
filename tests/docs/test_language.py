"""The examples of the language reference are what they are said to be.

After the fence stands what an example is: `check` a complete rulebook without any problem, `part` declarations that fit
into the frame, `body` statements of somebody's turn in the frame, `scenario` a part with scenarios, `error CODE` and
`warning CODE` a part (or complete rulebook) of which exactly that is said, `fault CODE` a part whose game breaks so,
`frame` the frame itself. Scenarios of every kind of example must hold.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from egodsl.analysis import check_file
from egodsl.engine.faults import GameFault
from egodsl.engine.game import Rulebook
from egodsl.verify.properties import properties_of
from egodsl.verify.scenarios import run_all
from egodsl.verify.trying import Plan, try_properties
from tests.docs.blocks import DOCS, Block, blocks, prose

if TYPE_CHECKING:
    from egodsl.analysis import Checked
    from egodsl.source.diagnostics import Diagnostic

LANGUAGE = DOCS / "language.md"
FRAME = (Path(__file__).parent / "frame.rules").read_text(encoding="utf-8")
EXAMPLES = [block for block in blocks(LANGUAGE, "rules") if block.use not in {"library", "base"}]
_HEAD = re.compile(r"^(rulebook|variant|library) (\w+)", re.MULTILINE)
GRAMMAR = Path(__file__).resolve().parents[2] / "grammars" / "rules.lark"


def complete(block: Block) -> str:
    """The rulebook that an example stands for."""
    text = block.text
    if _HEAD.search(text):
        return text
    if block.use == "body":
        lines = textwrap.indent(text, " " * 8)
        text = f"stage example:\n    turns from players[1]:\n{lines}        end example\n"
    if "stage game" not in text:
        text += "\nstage game: nothing\n"
    return f"{FRAME}\n{text}"


def checked(block: Block, folder: Path) -> tuple[Checked | None, list[Diagnostic]]:
    """Write the example, and the files that it uses, and check it."""
    for other in blocks(LANGUAGE, "rules"):
        head = _HEAD.search(other.text)
        if head is not None and other.use in {"library", "base", "check"}:
            (folder / f"{head[2]}.rules").write_text(other.text, encoding="utf-8")
    text = complete(block)
    head = _HEAD.search(text)
    assert head is not None
    path = folder / f"{head[2]}.rules"
    path.write_text(text, encoding="utf-8")
    return check_file(path)


def play_on(book: Rulebook) -> None:
    state = book.game().start(seed=0)
    for _ in range(20):
        if not state.is_over:
            state.choose(0)


def told(found: list[Diagnostic]) -> list[str]:
    return [f"{one.span.line if one.span else ''}: {one.code.number} {one.message}" for one in found]


@pytest.mark.parametrize("block", EXAMPLES, ids=lambda block: block.id)
def test_an_example_is_what_it_is_said_to_be(block: Block, tmp_path: Path) -> None:
    program, found = checked(block, tmp_path)
    errors = [one for one in found if one.is_error]
    if block.use in {"error", "warning"}:
        wanted = errors if block.use == "error" else found
        assert {one.code.number for one in wanted if one.code.number != "EGO510"} == {block.words[2]}, told(found)
        assert block.use == "error" or not errors, told(errors)
        return
    assert not errors, told(errors)
    assert program is not None
    if block.use == "check":
        assert not found, told(found)
    book = Rulebook(program)
    if block.use == "fault":
        with pytest.raises(GameFault) as raised:
            play_on(book)
        assert raised.value.diagnostic.code.number == block.words[2]
        return
    assert block.use in {"frame", "check", "part", "body", "scenario"}, f"what is a block of `{block.use}`?"
    results = run_all(book)
    assert results or block.use != "scenario"
    assert not [line for result in results for line in told(list(result.diagnostics))]
    if "property " in block.text:
        declared = [prop for prop in properties_of(book) if prop.decl is not None]
        assert declared
        tried = try_properties(book, properties=declared, plan=Plan(games=30, effort=0))
        assert [one.property.name for one in tried if one.verdict != "holds"] == []


def test_the_frame_is_shown() -> None:
    (shown,) = (block.text for block in EXAMPLES if block.use == "frame")
    assert shown == FRAME + "\nstage game: nothing\n"


def test_every_word_of_the_grammar_is_written_about() -> None:
    written = prose(LANGUAGE) + "".join(block.text for block in EXAMPLES)
    words = set(re.findall(r'"([a-z]+)"', GRAMMAR.read_text(encoding="utf-8")))
    for several in re.findall(r"^[A-Z]+[.\d]*: /\(([a-z|]+)\)", GRAMMAR.read_text(encoding="utf-8"), re.MULTILINE):
        words.update(several.split("|"))
    assert len(words) > 90
    assert sorted(word for word in words if not re.search(rf"\b{word}\b", written)) == []
