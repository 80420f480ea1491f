"""The registry: the table and the Markdown agree, and every code that the package mentions is in it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import egodsl
from egodsl.source import registry
from egodsl.source.codes import table
from egodsl.source.registry import CODES, PASSES, UnknownCodeError, close_names, did_you_mean, examples, explain, lookup

PACKAGE = Path(egodsl.__file__).parent
MARKDOWN = PACKAGE / "source" / "codes"


def headings() -> list[tuple[str, str]]:
    return [
        (path.name, line.removeprefix("## "))
        for path in sorted(MARKDOWN.glob("*.md"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("## ")
    ]


def test_numbers_and_names_are_unique_and_well_formed() -> None:
    codes = table._TABLE  # noqa: SLF001 -- CODES is a dict and would hide a number that is given twice
    assert len({code.number for code in codes}) == len({code.name for code in codes}) == len(codes)
    for code in codes:
        assert re.fullmatch(r"EGO[0-9]{3}", code.number)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code.name)
        assert re.fullmatch(r"[A-Z`].*\.", code.summary), f"{code}: the summary is a sentence"
    assert [code.number for code in codes] == sorted(code.number for code in codes)


def test_table_and_markdown_list_the_same_codes_in_the_same_order() -> None:
    expected = [
        (f"{code.number[3]}xx-{PASSES[code.number[3]]}.md", f"{code.number} {code.name}") for code in CODES.values()
    ]
    assert headings() == expected


@pytest.mark.parametrize("number", CODES)
def test_every_explanation_has_a_paragraph_a_bad_example_and_a_mended_one(number: str) -> None:
    text = explain(number)
    code = CODES[number]
    assert text.startswith(f"# {number} {code.name}\n\n{code.summary}\n\n")
    prose = text.partition(f"{code.summary}\n\n")[2].partition("```")[0]
    assert len(prose.split()) >= 8
    found = examples(number)
    assert len(found["bad"]) >= 1
    assert len(found["mended"]) >= 1
    assert found["bad"] != found["mended"]
    assert text.count("```") == 2 * (len(found["bad"]) + len(found["mended"]))


def test_every_code_in_the_package_is_registered() -> None:
    mentioned = {
        (path.name, number)
        for path in PACKAGE.rglob("*.py")
        for number in re.findall(r'"(EGO[0-9]{3})"', path.read_text(encoding="utf-8"))
    }
    assert ("reading.py", "EGO001") in mentioned
    assert {(name, number) for name, number in mentioned if number not in CODES} == set()


@pytest.mark.parametrize("spelling", ["EGO104", "ego104", " 104 ", "mixed-tabs-and-spaces", "Mixed-Tabs-And-Spaces"])
def test_lookup_takes_every_spelling(spelling: str) -> None:
    assert lookup(spelling).number == "EGO104"


def test_lookup_of_an_unknown_code_suggests() -> None:
    with pytest.raises(UnknownCodeError, match=r"no code is called `not-utf-8`; did you mean `not-utf8`\?"):
        lookup("not-utf-8")
    with pytest.raises(UnknownCodeError, match=r"^no code is called `zzzzzzzzzzzz`$"):
        explain("zzzzzzzzzzzz")


def test_diagnostics_do_not_load_explanations_or_slow_modules() -> None:
    probe = "import sys, egodsl.source.diagnostics, egodsl.source.render; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True).stdout.split()
    assert not {registry.__name__, "rich", "click", "lark", "difflib", "importlib.resources"} & set(loaded)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hnad", ["hand"]),  # neighbours swapped: one slip
        ("HAND", ["hand"]),
        ("decks", ["deck"]),
        ("discrad", ["discard"]),
        ("dscrad", ["discard"]),  # two slips in six letters
        ("hand", []),  # itself does not count
        ("x", []),
        ("topic", []),
        ("p", ["P"]),
    ],
)
def test_close_names(name: str, expected: list[str]) -> None:
    assert close_names(name, ["hand", "deck", "discard", "stopper", "P"]) == expected


def test_close_names_are_few_the_closest_first_then_by_spelling() -> None:
    assert close_names("score", ["scores", "scored", "store", "scope", "Score"]) == ["Score", "scope", "scored"]


def test_did_you_mean() -> None:
    assert did_you_mean("hnad", ["hand", "deck"]) == "did you mean `hand`?"
    assert did_you_mean("cart", ["card", "cast", "deck"]) == "did you mean `card` or `cast`?"
    assert did_you_mean("cart", ["card", "care", "cast"]) == "did you mean `card`, `care` or `cast`?"
    assert did_you_mean("zebra", ["card"]) is None
