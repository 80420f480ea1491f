"""The rulebooks of well-known games: they are sound, short, laid out, found by name, and their scenarios hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.engine.game import load
from egodsl.source.text import SourceText
from egodsl.syntax import nodes
from egodsl.syntax.format import format_text
from egodsl.verify.scenarios import run_scenario
from tests.cli.running import run

FOLDER = Path(__file__).parents[2] / "rulebooks"
CLASSICS = sorted((FOLDER / "classics").glob("*.rules"))
LIBRARIES = sorted((FOLDER / "library").glob("*.rules"))

MOST_LINES = {
    "blackjack": 45,
    "bridge": 85,
    "crazy_eights": 65,
    "cribbage": 75,
    "euchre": 75,
    "gin_rummy": 80,
    "go_fish": 45,
    "goofspiel": 25,
    "hanabi": 60,
    "hearts": 50,
    "kuhn_poker": 30,
    "leduc_poker": 45,
    "liars_dice": 35,
    "oh_hell": 55,
    "pig": 20,
    "skat": 80,
    "spades": 50,
    "yacht": 50,
}
"""Lines of a rulebook without prose, comments, empty lines, scenarios and properties."""


def lines_of_rules(text: str) -> int:
    """How many lines there are, apart from those that are not counted."""
    count = 0
    inside = False
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("#", ">")):
            continue
        if not line.startswith(" "):
            word = line.removeprefix("replace ").removeprefix("remove ")
            inside = word.startswith(("scenario ", "property "))
        count += not inside
    return count


@pytest.mark.parametrize("path", [*CLASSICS, *LIBRARIES], ids=lambda path: path.stem)
def test_there_is_nothing_to_say_of_it(path: Path) -> None:
    _, found = check_file(path)
    assert [str(one) for one in found] == []


@pytest.mark.parametrize("path", [*CLASSICS, *LIBRARIES], ids=lambda path: path.stem)
def test_it_is_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(SourceText(str(path), text)).text == text


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.stem)
def test_its_scenarios_hold(path: Path) -> None:
    rulebook = load(path)
    scenarios = rulebook.checked.program.scenarios
    for scenario in scenarios.values():
        result = run_scenario(rulebook, scenario)
        assert result.passed, (scenario.title, [found.message for found in result.diagnostics])


@pytest.mark.parametrize("path", CLASSICS, ids=lambda path: path.stem)
def test_it_is_short_and_explained(path: Path) -> None:
    root = load(path).checked.program.root
    text = path.read_text(encoding="utf-8")
    own = [item for item in root.items if isinstance(item, nodes.ScenarioDecl)]
    prose = [node for node in nodes.walk(root) if isinstance(node, nodes.Prose)]
    assert prose
    if root.form == "rulebook":
        assert lines_of_rules(text) <= MOST_LINES[path.stem]
        assert len(own) >= 3


def test_lines_are_counted_as_said() -> None:
    text = """\
> prose
rulebook a "A":
    # a comment
    players 2

stage game:
    > told
    end game

property p: always true

replace scenario "b":
    expect game ended

var x: 1..2 = 1
"""
    assert lines_of_rules(text) == 5


@pytest.mark.parametrize("name", ["kuhn_poker", "pig"])
def test_a_bare_name_finds_it(name: str) -> None:
    told = run("info", name)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0].endswith(f"({name})")


def test_one_of_them_is_played_by_its_name() -> None:
    told = run("play", "kuhn_poker", "--seed", "4", given="1\n1\n1\n")
    assert told.exit_code == 0, told.output
    assert "The game is over." in told.output
    assert "with payoff" in told.output
