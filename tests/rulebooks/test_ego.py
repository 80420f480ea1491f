"""The rulebook of Ego: its scenarios, its citations, the questions it leaves open, and its question cards."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.engine.rng import Random
from egodsl.players.random import play_out
from egodsl.provenance.citations import find_citations
from egodsl.provenance.index import Kind
from egodsl.provenance.reading import load_index
from egodsl.syntax import nodes
from egodsl.verify.scenarios import run_scenario
from tests.lockstep.reference_ego import READINGS

FOLDER = Path(__file__).parents[2] / "rulebooks"
GAMES = int(os.environ.get("EGODSL_GAMES", "20"))
RULEBOOK = load(FOLDER / "ego.rules")
SCENARIOS = RULEBOOK.checked.program.scenarios

CHANGES_PLAY = {"EGO-A01", "EGO-A02", "EGO-A03", "EGO-A04", "EGO-A05", "EGO-A09"}
"""The other questions are settled by the text, or their answers cannot be told apart in play."""


@pytest.fixture(name="rulebook")
def _rulebook() -> Rulebook:
    return RULEBOOK


def cited_by(items: Sequence[nodes.Node]) -> set[str]:
    proses = [node for item in items for node in nodes.walk(item) if isinstance(node, nodes.Prose)]
    return {one for prose in proses for one, _, _ in find_citations(" ".join(prose.lines))}


@pytest.mark.parametrize("title", SCENARIOS)
def test_a_scenario_holds(title: str) -> None:
    result = run_scenario(RULEBOOK, SCENARIOS[title])
    assert result.passed, [(found.message, found.notes, found.help) for found in result.diagnostics]


def test_there_is_nothing_to_warn_of(rulebook: Rulebook) -> None:
    assert [found.message for found in rulebook.warnings] == []


def test_every_sentence_and_every_question_is_cited_by_a_rule(rulebook: Rulebook) -> None:
    root = rulebook.checked.program.root
    assert root.prose is not None
    items = [root.prose, *(item for item in root.items if not isinstance(item, nodes.ScenarioDecl))]
    sentences = {f"EGO-{number:02}" for number in range(1, 41)}
    questions = {f"EGO-A{number:02}" for number in range(1, 18)}
    assert cited_by(items) == sentences | questions


def test_every_question_that_changes_play_is_a_reading(rulebook: Rulebook) -> None:
    readings = rulebook.checked.program.readings
    answers = {
        name: tuple(answer.name.name for answer in sorted(decl.answers, key=lambda answer: not answer.default))
        for name, decl in readings.items()
    }
    assert answers == READINGS
    questions = [{one for one in cited_by([decl]) if "-A" in one} for decl in readings.values()]
    assert [len(cited) for cited in questions] == [1] * len(readings)
    assert set().union(*questions) == CHANGES_PLAY


def test_every_reading_answer_mode_and_parameter_has_a_scenario(rulebook: Rulebook) -> None:
    program = rulebook.checked.program
    settled = {
        (setting.name.name, setting.value.span.text)
        for scenario in program.scenarios.values()
        for step in scenario.steps
        if isinstance(step, nodes.WithStep)
        for setting in step.settings
    }
    others = {(name, answer) for name, answers in READINGS.items() for answer in answers[1:]}
    assert others | {("vote", "true")} <= settled
    assert {name for name, _ in settled} >= set(program.parameters)


def test_the_index_has_every_sentence_and_every_question() -> None:
    index, found = load_index(FOLDER / "ego.source")
    assert found == []
    assert index is not None
    entries = list(index.entries.values())
    assert [entry.id for entry in entries] == [
        *(f"EGO-{number:02}" for number in range(1, 41)),
        *(f"EGO-A{number:02}" for number in range(1, 18)),
    ]
    # No sentence of the document stands in it twice.
    assert len({entry.fingerprint for entry in entries[:40]}) == 40
    assert [entry.fingerprint for entry in entries[40:]] == [None] * 17
    kinds = {kind: {entry.id for entry in entries[:40] if entry.kind is kind} for kind in Kind}
    assert kinds[Kind.CONDUCT] == {"EGO-19", "EGO-37", "EGO-38"}
    assert kinds[Kind.FLAVOUR] == {"EGO-34", "EGO-36"}
    assert kinds[Kind.DEFINITION] == {"EGO-25"}
    assert len(kinds[Kind.RULE]) == 34


def test_there_are_twenty_different_questions_of_each_kind() -> None:
    with (FOLDER / "ego_questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["kind"] for row in rows) == {"group": 20, "number": 20, "self": 20}
    assert len({row["question"] for row in rows}) == 60
    for row in rows:
        dots = [part.partition(":")[0].strip() for part in row["answers"].strip("()").split(",")]
        assert dots == ["red", "green", "blue", "yellow"]


def test_the_questions_are_three_faces(rulebook: Rulebook) -> None:
    layout = rulebook.game(players=2).layout
    assert sorted(Counter(layout.face).values()) == [20, 20, 20]
    assert len(set(layout.look)) == 60


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("vote", [False, True], ids=["plain", "vote"])
@pytest.mark.parametrize(
    "readings",
    [{}, *({name: answers[1]} for name, answers in READINGS.items())],
    ids=lambda one: "".join(one) or "default",
)
def test_random_games_come_to_an_end(rulebook: Rulebook, players: int, readings: dict[str, str], *, vote: bool) -> None:
    game = rulebook.game(players=players, modes=["vote"] if vote else [], readings=readings)
    for seed in range(max(1, GAMES // 10)):
        state = game.start(seed)
        assert play_out(state, Random(seed), 10_000)
        assert state.result is not None
        won = [15 - left for left in state.V[:players]]
        # With the default readings there is one winner, who has all 15 tokens.
        if not readings:
            assert max(won) == 15
            assert state.result.winners == (won.index(15),)
