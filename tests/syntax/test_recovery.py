"""What the reader says about rulebooks that are wrong, and what it makes of the rest of them."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from egodsl.source.render import render_full
from egodsl.source.text import SourceText
from egodsl.syntax.nodes import Declaration
from egodsl.syntax.parse import Parsed, parse
from tests.golden_files import GOLDEN, assert_golden, rendered

BAD = sorted((GOLDEN / "syntax" / "bad").glob("*.rules"))
HEAD = 'rulebook small "A small game":\n    players 2..4\n\n'
EVERYTHING = (GOLDEN / "syntax" / "good" / "everything.rules").read_text(encoding="utf-8")
PIECES = [
    *"()[]{}:;,.\"'#>|&=+*\n\t ",
    "\n    ",
    "\n",
    ":=",
    "==",
    "if ",
    "otherwise",
    "else:",
    " for ",
    "\n> ",
    "the ",
]
INTERNAL = re.compile(r"_NL|DEDENT|INDENT|\$END|__|\b[A-Z]{2,}\b|Token|None")


def parse_text(text: str) -> Parsed:
    return parse(SourceText("small.rules", text))


def names(parsed: Parsed) -> list[str]:
    assert parsed.module is not None
    return [item.name.name for item in parsed.module.items if isinstance(item, Declaration)]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_rulebook_gets_the_diagnostics_beside_it(path: Path) -> None:
    parsed = parse(SourceText(path.name, path.read_text(encoding="utf-8")))
    assert parsed.partial
    assert_golden(path.with_suffix(".expected"), rendered(parsed.diagnostics))


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_no_message_shows_the_inside_of_the_parser(path: Path) -> None:
    parsed = parse(SourceText(path.name, path.read_text(encoding="utf-8")))
    for diagnostic in parsed.diagnostics:
        message = re.sub(r"`[^`]*`", "", diagnostic.message)
        assert not INTERNAL.search(message)


@settings(deadline=None)
@given(st.data())
def test_no_edit_of_a_rulebook_makes_the_reader_fail(data: st.DataObject) -> None:
    text = EVERYTHING
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        inserted = data.draw(st.sampled_from(PIECES) | st.text(max_size=3).filter(lambda added: "\r" not in added))
        text = text[:start] + inserted + text[end:]
    parsed = parse_text(text)
    assert (parsed.module is not None) or parsed.diagnostics
    assert len(parsed.diagnostics) <= 20
    for diagnostic in parsed.diagnostics:
        render_full(diagnostic)
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert not INTERNAL.search(re.sub(r"`[^`]*`", "", diagnostic.message))


def test_what_is_right_beside_a_mistake_is_read() -> None:
    parsed = parse_text(HEAD + 'mode a "A"\nzone b: foo bar\nstage c:\n    move x\n    nothing\nmode d "D"\n')
    assert names(parsed) == ["a", "c", "d"]
    assert [diagnostic.span and diagnostic.span.line for diagnostic in parsed.diagnostics] == [5, 7]


def test_a_mended_line_is_read() -> None:
    parsed = parse_text(HEAD + "zoen deck: stack of Card, face down\nstage game\n    shufle deck\n")
    assert names(parsed) == ["deck", "game"]
    assert len(parsed.diagnostics) == 3


@pytest.mark.parametrize(
    ("value", "line", "column"),
    [
        ("(" * 10_000 + "1" + ")" * 10_000, 4, 76),
        ("(" * 10_000, 4, 76),
        ("[{(" * 5_000, 4, 76),
        ("not " * 10_000 + "a", 4, 12 + 4 * (10_000 - 100)),
        ("- " * 10_000 + "a", 4, 12 + 2 * (10_000 - 100)),
        ("1 + " * 10_000 + "1", 4, 12),
        ("a" + ".b" * 10_000, 4, 12),
        ("a" + "[1]" * 10_000, 4, 12),
    ],
    ids=["parentheses", "unclosed", "brackets", "not", "minus", "plus", "attributes", "indexes"],
)
def test_deep_nesting_is_one_quick_diagnostic(value: str, line: int, column: int) -> None:
    start = time.perf_counter()
    parsed = parse_text(f"{HEAD}define x = {value}\nmode m 'M'\n".replace("'", '"'))
    assert time.perf_counter() - start < 30
    (diagnostic,) = parsed.diagnostics
    assert diagnostic.code.number == "EGO113"
    assert diagnostic.span is not None
    assert diagnostic.span.source.position(diagnostic.span.start) == (line, column)
    assert names(parsed)[-1] == "m"


@pytest.mark.parametrize("depth", [100, 101])
def test_an_expression_may_be_a_hundred_levels_deep(depth: int) -> None:
    # A name is one level, and each `not` another.
    parsed = parse_text(f"{HEAD}define x = {'not ' * (depth - 1)}a\n")
    assert bool(parsed.diagnostics) == (depth > 100)


@pytest.mark.parametrize("depth", [32, 33])
def test_blocks_may_be_thirty_two_levels_deep(depth: int) -> None:
    lines = ["stage game:", *("    " * level + "if a:" for level in range(1, depth)), "    " * depth + "nothing"]
    parsed = parse_text(HEAD + "\n".join(lines))
    assert [diagnostic.code.number for diagnostic in parsed.diagnostics] == ["EGO113"] * (depth > 32)


def test_statements_on_one_line_may_not_nest_without_end() -> None:
    parsed = parse_text(f"{HEAD}stage game:\n    {'as p: ' * 5_000}nothing\n")
    assert [diagnostic.code.number for diagnostic in parsed.diagnostics] == ["EGO113"]


def test_wide_is_not_deep() -> None:
    conditions = " or ".join(["a"] * 3_000)
    branches = "    otherwise if a: nothing\n" * 3_000
    parsed = parse_text(f"{HEAD}define x = {conditions}\nstage game:\n    if a: nothing\n{branches}")
    assert parsed.diagnostics == []


@pytest.mark.parametrize("line", ["foo bar", "zone x;;;;", "    foo bar", "> a", "mode x 'y", '"', "(((("])
def test_many_bad_lines_cost_no_more_than_many_good_ones(line: str) -> None:
    start = time.perf_counter()
    parsed = parse_text(HEAD + f"{line}\n" * 20_000)
    assert time.perf_counter() - start < 90
    assert 1 <= len(parsed.diagnostics) <= 20


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# a\n", "    # a", "> a\n", "(", ")", '"', "\t", "\N{BULLET}", "\\", "=\n,"]
)
def test_any_small_text_is_refused_with_a_place_in_it(text: str) -> None:
    parsed = parse_text(text)
    assert parsed.module is None
    for diagnostic in parsed.diagnostics:
        assert diagnostic.span is not None
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
    assert parsed.diagnostics


@pytest.mark.parametrize("name", ["x\u00b2", "\u00b2", "\u00cd\u00b3", "caf\u00e9"])
def test_a_name_with_a_sign_that_no_name_has_is_one_error(name: str) -> None:
    parsed = parse_text(f"{HEAD}var {name}: 0..3 = 0\nvar other: 0..3 = 0\n")
    assert [one.code.number for one in parsed.diagnostics] == ["EGO102"]
    assert names(parsed) == [name, "other"]
