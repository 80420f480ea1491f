"""The rulebook of Egonomy: its scenarios, its cards, its citations and the questions that it leaves open."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.engine.faults import GameFault
from egodsl.engine.game import load
from egodsl.provenance.citations import find_citations
from egodsl.provenance.index import Kind
from egodsl.provenance.reading import load_index
from egodsl.syntax import nodes
from egodsl.verify.scenarios import run_scenario
from tests.lockstep.reference_egonomy import COMPOSITIONS, READINGS

FOLDER = Path(__file__).parents[2] / "rulebooks"
RULEBOOK = load(FOLDER / "egonomy.rules")
PROGRAM = RULEBOOK.checked.program

IN_PROSE = {f"A{number:02}" for number in (4, 6, 7, 12, 14, 15, 18, 21, *range(23, 31))}
"""Questions that the text itself answers, that change nothing in play, or whose other answer cannot be played: noted,
but no reading.
"""


FLIP = 5
"""The number of the sixth action."""


def cited(*, scenarios: bool) -> set[str]:
    """What the prose of all declarations cites, or, with `scenarios`, that of the scenarios alone."""
    texts = [] if scenarios or PROGRAM.root.prose is None else list(PROGRAM.root.prose.lines)
    for item in PROGRAM.root.items:
        if isinstance(item, nodes.ScenarioDecl) is scenarios:
            proses = [getattr(node, "prose", None) for node in nodes.walk(item)]
            texts += [line for prose in proses if isinstance(prose, nodes.Prose) for line in prose.lines]
    return {one for text in texts for one, _, _ in find_citations(text)}


@pytest.mark.parametrize("title", PROGRAM.scenarios)
def test_a_scenario_holds(title: str) -> None:
    result = run_scenario(RULEBOOK, PROGRAM.scenarios[title])
    assert result.passed, [(found.message, found.notes, found.help) for found in result.diagnostics]


def test_there_is_nothing_to_warn_of() -> None:
    assert [found.message for found in RULEBOOK.warnings] == []


def test_the_index_has_every_sentence_and_every_question() -> None:
    index, found = load_index(FOLDER / "egonomy.source")
    assert found == []
    assert index is not None
    numbers = [
        *(f"EGN-{n:02}" for n in range(1, 58)),
        *(f"EGN-G{n:02}" for n in range(1, 33)),
        *(f"EGN-A{n:02}" for n in range(1, 31)),
    ]
    # A letter at the end marks a further piece of the same rule.
    assert [one for one in index.entries if one[-1].isdigit()] == [
        one for one in index.entries if not one.endswith(("a", "b", "c"))
    ]
    assert sorted(one for one in index.entries if one[-1].isdigit()) == sorted(numbers)
    for entry in index.entries.values():
        assert (entry.fingerprint is None) == (entry.kind is Kind.QUESTION)
        assert (entry.kind is Kind.QUESTION) == entry.id.startswith("EGN-A")
        assert entry.kind is index.resolve(entry.id).kind
    words = Counter(entry.paraphrase for entry in index.entries.values() if entry.same_as is None)
    assert max(words.values()) == 1


def test_every_sentence_that_is_no_flavour_is_cited_by_a_rule() -> None:
    index, _ = load_index(FOLDER / "egonomy.source")
    assert index is not None
    all_cited = cited(scenarios=False)
    own_words = {index.resolve(one).id for one in all_cited}
    unused = [entry for entry in index.entries.values() if index.resolve(entry.id).id not in own_words]
    assert {entry.id for entry in unused} == {"EGN-06", "EGN-41", "EGN-51a", "EGN-51b", "EGN-57", "EGN-57a"}
    assert {entry.kind for entry in unused} == {Kind.CONDUCT, Kind.FLAVOUR}
    # A sentence that the glossary has alone, or in other words, is cited itself.
    assert {entry.id for entry in index.entries.values() if entry.kind is Kind.RULE} - {"EGN-06"} <= all_cited


def test_every_question_that_changes_play_is_a_reading() -> None:
    asked = {f"A{number:02}" for number in range(1, 31)} - IN_PROSE
    readings = [
        {one for line in (item.prose.lines if item.prose else ()) for one, _, _ in find_citations(line)}
        for item in PROGRAM.readings.values()
    ]
    assert {one.removeprefix("EGN-") for one in set().union(*readings)} >= asked
    # A question of play cites the sentences that leave it open, beside its own code.
    assert all(any(not one.startswith("EGN-A") for one in ids) for ids in readings)


def test_readings_and_defaults_are_those_of_the_reference() -> None:
    expected = {reading: list(answers) for reading, answers in READINGS.items()}
    # Where the hidden card of two players lies is nothing that play shows; which cards there are is a reading here.
    del expected["removed_card"]
    expected["composition"] = ["twelve_one", "nine_four", "six_seven"]
    answers = {
        reading: [answer.name.name for answer in sorted(decl.answers, key=lambda answer: not answer.default)]
        for reading, decl in PROGRAM.readings.items()
    }
    assert answers == expected
    assert list(PROGRAM.modes) == ["flip_the_table"]
    assert RULEBOOK.players == range(2, 5)


def test_every_answer_has_a_scenario() -> None:
    # The answers of `with`, and by default those that a scenario which cites the question takes for granted.
    told = {
        (pair.name.name, pair.value.name)
        for scenario in PROGRAM.scenarios.values()
        for node in nodes.walk(scenario)
        if isinstance(node, nodes.WithStep)
        for pair in node.settings
        if isinstance(pair.value, nodes.Name)
    }
    readings = PROGRAM.readings.items()
    assert {(name, one.name.name) for name, decl in readings for one in decl.answers if not one.default} <= told
    codes = {one for one in cited(scenarios=True) if one.startswith("EGN-A")}
    assert {f"EGN-{one}" for one in {f"A{n:02}" for n in range(1, 31)} - IN_PROSE} <= codes


@pytest.mark.parametrize("composition", COMPOSITIONS)
def test_the_cards_are_those_of_the_reference(composition: str) -> None:
    game = RULEBOOK.game(players=4, readings={"composition": composition})
    topics = dict(zip("ABC", ("mind", "virtue", "world"), strict=True))
    marks = {0: "", 3: " [3+]", 4: " [4]"}
    expected = [f"{topics[card.topic]} {card.rank}{marks[card.mark]}" for card in COMPOSITIONS[composition]]
    assert Counter(map(game.texts.card, range(len(game.layout.card_type)))) == Counter(expected)


# The numbers of cards marked 3 and 4 that can be dealt evenly where 27 cards have no mark (EGN-A05).
EVEN = {(12, 1), (9, 4), (6, 7), (3, 10), (0, 13)}


@pytest.mark.parametrize("threes", range(14))
def test_only_an_even_deal_is_accepted(threes: int, tmp_path: Path) -> None:  # EGN-11, EGN-A05
    (tmp_path / "egonomy.rules").write_text((FOLDER / "egonomy.rules").read_text())
    (tmp_path / "egonomy.source").write_text((FOLDER / "egonomy.source").read_text())
    variant = tmp_path / "other_cards.rules"
    variant.write_text(f'variant other_cards "Other cards" of egonomy\n\nreplace define threes = {threes}\n')
    found = [one for one in check_file(variant)[1] if one.code.number == "EGO501"]
    assert (not found) == ((threes, 13 - threes) in EVEN)
    # 27 and the 3s must be divisible by three.
    total = 27 + threes - (27 + threes) % 3 + (13 - threes)
    if found:
        assert found[0].message == f"the rows of `arguments` add up to 40 with 3 players, and the total says {total}"


def test_without_its_rule_the_mode_has_positions_without_an_action() -> None:  # EGN-G15, EGN-A24
    game = RULEBOOK.game(players=2, modes=["flip_the_table"], readings={"no_action": "never"})
    stuck: list[str] = []
    for seed in range(60):
        state = game.start(seed=seed)
        try:
            while not state.is_over and not stuck:
                flips = [k for k, raw in enumerate(state.moves) if raw[0] == FLIP]
                state.choose(flips[0] if flips else seed * 7 % len(state.moves))
        except GameFault as fault:
            stuck.append(fault.diagnostic.code.number)
    assert stuck == ["EGO701"]
