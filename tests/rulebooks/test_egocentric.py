"""The two rulebooks of Egocentric World: their scenarios, their citations and the questions that they leave open."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.provenance.citations import find_citations
from egodsl.provenance.index import Kind
from egodsl.provenance.reading import load_index
from egodsl.syntax import nodes
from egodsl.verify.scenarios import run_scenario
from tests.lockstep.reference_table import READINGS

FOLDER = Path(__file__).parents[2] / "rulebooks"
NAMES = ("egocentric_world", "egocentric_world_italian")
RULEBOOKS = {name: load(FOLDER / f"{name}.rules") for name in NAMES}
SCENARIOS = [(name, title) for name in NAMES for title in RULEBOOKS[name].checked.program.scenarios]

IN_PROSE = {"EW-A01", "EW-A13", "EW-A26", "EW-A27"}
"""Questions that change nothing of how the game is played with the cards that it has: noted, but no reading."""


@pytest.fixture(name="english")
def _english() -> Rulebook:
    return RULEBOOKS["egocentric_world"]


@pytest.fixture(name="italian")
def _italian() -> Rulebook:
    return RULEBOOKS["egocentric_world_italian"]


def proses(module: nodes.Module, *, scenarios: bool) -> list[tuple[nodes.Node | None, str]]:
    """The prose of a file, each with the declaration, statement or answer that it belongs to (None: the head)."""
    found: list[tuple[nodes.Node | None, str]] = []
    if module.prose is not None:
        found.append((None, " ".join(module.prose.lines)))
    for item in module.items:
        if isinstance(item, nodes.ScenarioDecl) and not scenarios:
            continue
        for node in nodes.walk(item):
            prose = getattr(node, "prose", None)
            if isinstance(prose, nodes.Prose):
                found.append((node, " ".join(prose.lines)))
    return found


def cited(rulebook: Rulebook, *, scenarios: bool = False) -> set[str]:
    texts = [text for _, text in proses(rulebook.checked.program.root, scenarios=scenarios)]
    return {one for text in texts for one, _, _ in find_citations(text)}


@pytest.mark.parametrize(("name", "title"), SCENARIOS)
def test_a_scenario_holds(name: str, title: str) -> None:
    rulebook = RULEBOOKS[name]
    result = run_scenario(rulebook, rulebook.checked.program.scenarios[title])
    assert result.passed, [(found.message, found.notes, found.help) for found in result.diagnostics]


def test_there_is_nothing_to_warn_of(english: Rulebook, italian: Rulebook) -> None:
    assert [found.message for found in (*english.warnings, *italian.warnings)] == []


def test_every_sentence_is_cited_by_a_rule(english: Rulebook) -> None:
    assert {f"EW-{number:02}" for number in range(1, 43)} <= cited(english)


def test_every_question_is_cited(english: Rulebook) -> None:
    assert {f"EW-A{number:02}" for number in range(1, 29)} <= cited(english)


def test_every_question_that_changes_play_is_a_reading(english: Rulebook) -> None:
    asked = {f"EW-A{number:02}" for number in range(1, 29)} - IN_PROSE
    readings = [
        {one for one, _, _ in find_citations(text)}
        for node, text in proses(english.checked.program.root, scenarios=False)
        if isinstance(node, nodes.ReadingDecl)
    ]
    assert set().union(*readings) >= asked
    # A question of play cites the sentences that leave it open, beside its own code.
    assert all(any(one.startswith("EW-") and one[3].isdigit() for one in ids) for ids in readings)


def test_what_the_italian_text_has_of_its_own_is_cited(italian: Rulebook) -> None:
    index, _ = load_index(FOLDER / "egocentric_world_italian.source")
    assert index is not None
    own = {entry.id for entry in index.own() if entry.kind is Kind.RULE and entry.same_as is None}
    assert own == {"EWI-36", "EWI-37", "EWI-42", "EWI-43", "EWI-44"}
    assert own <= cited(italian)
    assert "EW-A22" in cited(italian)


@pytest.mark.parametrize("name", NAMES)
def test_readings_and_defaults_are_those_of_the_reference(name: str) -> None:
    expected = {reading: list(answers) for reading, answers in READINGS.items()}
    # One round only is a mode; who sees a card that passes is nothing that a table of cards shows.
    expected["length"].remove("single_round")
    expected["passing_cards"] = ["new_owners", "mover_too"]
    if name == "egocentric_world":
        expected["first_player"].remove("highest_countdown")
    program = RULEBOOKS[name].checked.program
    answers = {
        reading: [answer.name.name for answer in sorted(decl.answers, key=lambda answer: not answer.default)]
        for reading, decl in program.readings.items()
    }
    assert answers == expected
    assert list(program.modes) == ["single_round"]


def test_the_italian_rulebook_states_only_differences(italian: Rulebook) -> None:
    rules = [item for item in italian.checked.program.root.items if isinstance(item, nodes.Declaration)]
    assert {(item.edit, item.kind, item.name.name) for item in rules} == {
        ("replace", "var", "total"),
        ("replace", "procedure", "add_up"),
        ("replace", "define", "collected"),
        ("replace", "define", "claim"),
        ("replace", "reading", "first_player"),
    }


@pytest.mark.parametrize("name", NAMES)
def test_sixty_cards_five_of_each_value(name: str) -> None:
    game = RULEBOOKS[name].game()
    texts = Counter(game.texts.card(card) for card in range(len(game.layout.card_type)))
    low = [str(value) for value in range(1, 8)]
    high = ["789", "Black Shield", "Magnifying Glass", "Two Cards", "Hourglass"]
    assert texts == Counter(dict.fromkeys([*low, *high], 5))


@pytest.mark.parametrize("name", NAMES)
def test_two_to_six_players(name: str) -> None:
    assert RULEBOOKS[name].players == range(2, 7)
