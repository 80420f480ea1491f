"""Rulebooks made by chance, edits of rulebooks, and what is said where Hypothesis is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from egodsl.analysis import check_file
from egodsl.engine.game import Rulebook
from egodsl.source.text import SourceText
from egodsl.testing import MadeRulebook, Played, edits, games, rulebook_texts, rulebooks
from tests.helpers import load_text
from tests.testing.race import RACE

few = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
SEEK = settings(max_examples=300, deadline=None, database=None, derandomize=True, phases=[Phase.generate])

CLAIMS = ["property", "payoff", "old(", "after ", "seen by", "every game", "then eventually", "reachable", " waived "]


@few
@given(rulebooks(), st.data())
def test_a_made_rulebook_checks_and_can_be_played(rulebook: MadeRulebook, data: st.DataObject) -> None:
    checked, found = check_file(SourceText("made.rules", rulebook.text))
    assert checked is not None
    assert not [one for one in found if one.is_error]
    played: Played = data.draw(games(rulebook, max_decisions=10, faults=True))
    assert played.record.rulebook == "made"
    assert len(played.events) == len(played.choices)


def test_a_made_rulebook_is_shown_as_its_text() -> None:
    made = find(rulebooks(), lambda _: True, settings=SEEK)
    assert isinstance(made, Rulebook)
    assert repr(made) == made.text
    assert made.text.startswith('rulebook made "Made by chance":\n    players ')


@pytest.mark.parametrize("word", ["together as", "announce", "as p", "ability", "reading", "pick", "swap", *CLAIMS])
def test_texts_have_many_constructs(word: str) -> None:
    assert word in find(rulebook_texts(), lambda text: word in text, settings=SEEK)


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return load_text(tmp_path_factory.mktemp("race"), RACE)


@few
@given(st.data())
def test_one_edit_changes_a_few_lines(race: Rulebook, data: st.DataObject) -> None:
    text = race.checked.program.root.span.source.text
    edited = data.draw(edits(race, most=1))
    # The most that one edit touches are three lines that are indented anew.
    assert len(set(edited.splitlines()) - set(text.splitlines())) <= 3
    assert len(edited) < len(text) + 100


def test_edits_make_errors_and_some_leave_none(race: Rulebook) -> None:
    text = race.checked.program.root.span.source.text

    def errors(edited: str) -> bool:
        return any(one.is_error for one in check_file(SourceText("race.rules", edited))[1])

    assert find(edits(text), errors, settings=SEEK) != text
    assert find(edits(race), lambda edited: edited != text and not errors(edited), settings=SEEK) != text


def test_at_least_one_edit_is_made() -> None:
    with pytest.raises(ValueError, match="at least 1 edit is made, not 0"):
        edits("rulebook x", most=0)


def test_without_hypothesis_it_is_said_what_is_needed(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["hypothesis"] = None
import egodsl, egodsl.pytest_plugin, egodsl.cli.app
try:
    import egodsl.testing
except ModuleNotFoundError as error:
    print(error.name, error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout == "hypothesis egodsl.testing needs Hypothesis: install it with `pip install hypothesis`\n"
    assert not list(tmp_path.iterdir())
