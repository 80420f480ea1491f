"""The rulebook of EmotrionsOnCards: its scenarios, its citations, its index and the questions that it leaves open."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from egodsl.engine.game import load
from egodsl.provenance.citations import find_citations
from egodsl.provenance.index import Kind, SourceIndex
from egodsl.provenance.reading import load_index
from egodsl.syntax import nodes
from egodsl.verify.scenarios import run_scenario
from tests.lockstep.reference_emotrions import COPIES, READINGS, VALUES

FOLDER = Path(__file__).parents[2] / "rulebooks"
RULEBOOK = load(FOLDER / "emotrions.rules")
PROGRAM = RULEBOOK.checked.program

QUESTIONS = [f"EMO-A{number:02}" for number in range(1, 25)]
IN_PROSE = {f"EMO-A{number:02}" for number in (1, 3, 9, 12, 18, 19, 20, 21, 22, 24)}
"""Questions that the text settles well enough, or that change nothing of how the game is played: noted, no reading."""


def citations(node: nodes.Node) -> set[str]:
    """What the prose of a declaration and all that is in it cites."""
    proses = [getattr(one, "prose", None) for one in nodes.walk(node)]
    texts = [" ".join(prose.lines) for prose in proses if isinstance(prose, nodes.Prose)]
    return {one for text in texts for one, _, _ in find_citations(text)}


def cited() -> set[str]:
    """What the rules cite, the scenarios aside."""
    assert PROGRAM.root.prose is not None
    head = {one for one, _, _ in find_citations(" ".join(PROGRAM.root.prose.lines))}
    rules = [item for item in PROGRAM.root.items if not isinstance(item, nodes.ScenarioDecl)]
    return head.union(*map(citations, rules))


@pytest.fixture(scope="module", name="index")
def _index() -> SourceIndex:
    index, found = load_index(FOLDER / "emotrions.source")
    assert [one.message for one in found] == []
    assert index is not None
    return index


@pytest.mark.parametrize("title", PROGRAM.scenarios)
def test_a_scenario_holds(title: str) -> None:
    result = run_scenario(RULEBOOK, PROGRAM.scenarios[title])
    assert result.passed, [(found.message, found.notes, found.help) for found in result.diagnostics]


def test_there_is_nothing_to_warn_of() -> None:
    assert [found.message for found in RULEBOOK.warnings] == []


def test_every_sentence_and_every_question_has_an_entry(index: SourceIndex) -> None:
    further = {"EMO-00", "EMO-00a", "EMO-02a", "EMO-03a"}
    assert set(index.entries) == {f"EMO-{number:02}" for number in range(1, 36)} | further | set(QUESTIONS)
    kinds = {entry.id: entry.kind for entry in index.own() if entry.kind not in {Kind.RULE, Kind.QUESTION}}
    assert kinds == {
        **dict.fromkeys(["EMO-00", "EMO-00a", "EMO-09", "EMO-10", "EMO-34", "EMO-35"], Kind.FLAVOUR),
        "EMO-18": Kind.DEFINITION,
        **dict.fromkeys(["EMO-19", "EMO-20", "EMO-21", "EMO-22"], Kind.EXAMPLE),
    }
    # The four examples are one sentence; every other entry has one of its own.
    times = Counter(entry.fingerprint for entry in index.own() if entry.kind is not Kind.QUESTION)
    assert sorted(times.values()) == [1] * 35 + [4]
    assert None not in times


def test_every_rule_and_definition_is_cited_by_a_rule(index: SourceIndex) -> None:
    wanted = {entry.id for entry in index.own() if entry.kind in {Kind.RULE, Kind.DEFINITION, Kind.QUESTION}}
    assert wanted - cited() == set()


def test_every_example_is_a_scenario(index: SourceIndex) -> None:
    examples = {entry.id for entry in index.own() if entry.kind is Kind.EXAMPLE}
    assert set().union(*map(citations, PROGRAM.scenarios.values())) >= examples


def test_every_question_that_changes_play_is_a_reading() -> None:
    readings = [citations(decl) for decl in PROGRAM.readings.values()]
    assert {one for ids in readings for one in ids if one in QUESTIONS} == set(QUESTIONS) - IN_PROSE


def test_readings_and_defaults_are_those_of_the_reference() -> None:
    answers = {
        reading: tuple(answer.name.name for answer in sorted(decl.answers, key=lambda answer: not answer.default))
        for reading, decl in PROGRAM.readings.items()
    }
    assert answers == READINGS


def test_each_answer_of_each_reading_has_a_scenario() -> None:
    chosen = {
        (setting.name.name, setting.value.name)
        for decl in PROGRAM.scenarios.values()
        for step in nodes.walk(decl)
        if isinstance(step, nodes.WithStep)
        for setting in step.settings
        if isinstance(setting.value, nodes.Name)
    }
    others = {(reading, answer) for reading, answers in READINGS.items() for answer in answers[1:]}
    assert others - chosen == set()


def test_thirty_six_cards_four_of_each_emotrion() -> None:
    game = RULEBOOK.game()
    texts = Counter(game.texts.card(card) for card in range(len(game.layout.card_type)))
    assert texts == Counter(dict.fromkeys(VALUES, COPIES))
    assert game.texts.card(0) == "Joy"


def test_two_to_six_players() -> None:
    assert RULEBOOK.players == range(2, 7)
