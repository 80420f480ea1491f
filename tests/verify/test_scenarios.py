"""Scenarios: how a table is laid out, moves are found, chance is scripted, and what is said when something fails."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.source.registry import CODES, examples
from egodsl.verify.scenarios import SEEDS, ScenarioResult, run_all, run_scenario, run_titled
from tests.golden_files import GOLDEN, assert_golden, rendered

if TYPE_CHECKING:
    from pathlib import Path

DUEL = (GOLDEN / "scenarios" / "duel.head").read_text(encoding="utf-8")
GOOD = (GOLDEN / "scenarios" / "good.part").read_text(encoding="utf-8")
BAD = (GOLDEN / "scenarios" / "bad.part").read_text(encoding="utf-8")
TITLES = [line.split('"')[1] for line in GOOD.splitlines() if line.startswith("scenario")]
OURS = [number for number in CODES if "EGO810" <= number <= "EGO819"]


def rulebook(folder: Path, scenarios: str) -> Rulebook:
    path = folder / "duel.rules"
    path.write_text(DUEL + scenarios, encoding="utf-8")
    return load(path)


def ran(folder: Path, *lines: str) -> ScenarioResult:
    """The one scenario of these lines."""
    text = "".join(f"    {line}\n" for line in lines)
    return run_all(rulebook(folder, f'\nscenario "tried":\n{text}'))[0]


def said(result: ScenarioResult) -> list[str]:
    return [f"{d.code} {d.message}" for d in result.diagnostics]


@pytest.mark.parametrize("title", TITLES)
def test_scenarios_that_hold(title: str, tmp_path: Path) -> None:
    book = rulebook(tmp_path, GOOD)
    result = run_scenario(book, book.checked.program.scenarios[title])
    assert (said(result), result.passed) == ([], True)


@pytest.mark.parametrize("title", TITLES)
def test_every_expectation_of_a_scenario_that_holds_can_fail(title: str, tmp_path: Path) -> None:
    lines = GOOD.partition(f'scenario "{title}":\n')[2].partition("\nscenario")[0].splitlines()
    wrong = {
        "decides": "decides",
        " goes on": " ended",
        " ended": " goes on",
        " may not ": " may ",
        " may ": " may not ",
    }
    wrong |= {" does not see ": " sees ", " sees ": " does not see "}
    expected = [k for k, line in enumerate(lines) if line.strip().startswith("expect")]
    for k in expected:
        line = lines[k].strip()
        turned = next((line.replace(a, b) for a, b in wrong.items() if a in line), None)
        if turned is None:
            turned = f"expect not ({line.removeprefix('expect ')})"
        if turned == line:
            continue
        changed = [*lines[:k], f"    {turned}", *lines[k + 1 :]]
        result = ran(tmp_path, *(one.strip() for one in changed))
        assert [d.code.number for d in result.diagnostics] == ["EGO810"], line


def test_what_is_said_when_scenarios_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rulebook(tmp_path, BAD)
    monkeypatch.chdir(tmp_path)
    results = run_all(load("duel.rules"))
    assert [r.title[:6] for r in results] == [d[0].code.number for r in results if (d := r.diagnostics)]
    assert {r.title[:6] for r in results} == set(OURS)
    assert not any(r.passed for r in results)
    told = [f"scenario: {r.title}\n{rendered(r.diagnostics)}" for r in results]
    assert_golden(GOLDEN / "scenarios" / "bad.expected", "\n".join(told))


@pytest.mark.parametrize("number", OURS)
def test_examples_of_explanations(number: str, tmp_path: Path) -> None:
    for kind, texts in examples(number).items():
        for text in texts:
            (result,) = run_all(rulebook(tmp_path, "\n" + text))
            assert {d.code.number for d in result.diagnostics} == ({number} if kind == "bad" else set()), said(result)


# ---------------------------------------------------------------- chance


def test_chance_that_is_not_scripted_is_tried_with_sixteen_seeds(tmp_path: Path) -> None:
    lines = ["given hand[A] = {Card(1), Card(1)}", "given hand[B] = {Card(2), Card(2)}", "A plays draw"]
    result = ran(tmp_path, *lines, "expect hand[A] = {Card(1), Card(1), Card(3)}")
    assert result.seeds == tuple(SEEDS) == tuple(range(16))
    assert said(result) == ["EGO810 `hand[A] = {Card(1), Card(1), Card(3)}` does not hold"]
    assert any("chance that is not scripted matters here" in note for note in result.diagnostics[0].notes)
    assert ran(tmp_path, *lines, "expect any(c.value in {3, 4, 5} for c in hand[A])").passed


def test_where_chance_decides_nothing_one_seed_is_enough(tmp_path: Path) -> None:
    result = ran(
        tmp_path, "given deck = []", "given hand[A] = {Card(1)}", "play reading_row(A)", "expect count(deck) = 0"
    )
    assert result.seeds == (0,)


def test_the_top_of_a_shuffled_pile_is_no_particular_card(tmp_path: Path) -> None:
    result = ran(tmp_path, "given deck = {Card(1), Card(2)}", "play dealing", "expect top(deck) = Card(1)")
    assert said(result)[0].startswith("EGO81")
    lines = ["given deck = {Card(3), Card(4)}", "given hand[A] = {Card(1)}", "given hand[B] = {Card(2)}"]
    assert not ran(tmp_path, *lines, "expect top(deck) = Card(3)").passed
    assert ran(tmp_path, *lines, "expect top(deck) = Card(3) or top(deck) = Card(4)").passed


# ---------------------------------------------------------------- laying out


def test_a_layout_may_be_made_again_later(tmp_path: Path) -> None:
    lines = [
        "given hand[A] = {Card(1), Card(2)}",
        "given hand[B] = {Card(3), Card(4)}",
        "A plays play_card(Card(2))",
        "expect B may play_card(Card(3))",
        "given pile = [Card(5)]",
        "expect B may not play_card(Card(3))",
        "expect count(pile) = 1",
    ]
    assert said(ran(tmp_path, *lines)) == []


def test_what_a_zone_holds_already_it_keeps(tmp_path: Path) -> None:
    lines = ["given hand[A] = {Card(1), Card(2)}", "given hand[B] = {Card(3), Card(4)}", "A plays play_card(Card(2))"]
    assert ran(tmp_path, *lines, "given pile = [Card(1), Card(2)]", "given hand[A] = {Card(5)}").passed


def test_a_choice_made_at_once_is_not_laid_over(tmp_path: Path) -> None:
    lines = ["players 3", "given hand[A] = {Card(1)}", "given hand[B] = {Card(2)}", "play bidding", "A chooses B"]
    result = ran(tmp_path, *lines, "given hand[A] = {Card(3)}")
    assert said(result) == [
        "EGO814 the table cannot be laid out anew while several players decide at once and one of them has chosen"
    ]


# ---------------------------------------------------------------- moves


def test_in_an_order_of_their_own_players_decide_at_once(tmp_path: Path) -> None:
    hands = ["given hand[A] = {Card(1)}", "given hand[B] = {Card(2)}", "given hand[C] = {Card(3)}"]
    result = ran(
        tmp_path, "players 3", *hands, "play bidding",
        "C chooses A", "expect points[A] = 0", "A chooses B", "B chooses A", "expect points[A] = 2 and points[B] = 1",
    )  # fmt: skip
    assert said(result) == []


def test_forced_moves_are_not_made_for_an_expectation(tmp_path: Path) -> None:
    # B has one card, so B's answer is forced; `expect` looks at the table before it.
    lines = [
        "given hand[A] = {Card(1), Card(3)}",
        "given hand[B] = {Card(2)}",
        "play duel_of(A, B)",
        "A chooses Card(1)",
    ]
    held = ran(tmp_path, *lines, "expect B may choose Card(2)", "expect count(pile) = 1", "expect B decides")
    assert said(held) == []
    assert said(ran(tmp_path, *lines, "expect count(pile) = 1")) == ["EGO810 `count(pile) = 1` does not hold"]


def test_settings_outside_the_rulebook_are_told(tmp_path: Path) -> None:
    result = ran(tmp_path, "with size: 2", "expect size = 2")
    assert result.passed
    assert ran(tmp_path, "with generous: false", "expect points[A] = 0").passed


def test_an_expectation_about_you_needs_one_who_decides(tmp_path: Path) -> None:
    hands = ["given hand[A] = {Card(1)}", "given hand[B] = {Card(2)}"]
    result = ran(tmp_path, *hands, "play bidding", "expect points = 0")
    assert said(result) == ["EGO813 `points = 0` asks for the player who decides, and no single player does here"]


# ---------------------------------------------------------------- results


def test_results_of_a_share_of_the_work_can_be_sent(tmp_path: Path) -> None:
    rulebook(tmp_path, GOOD + BAD)
    titles = [TITLES[1], "EGO811"]
    results = run_titled(tmp_path / "duel.rules", titles)
    assert [r.title for r in results] == titles
    assert [r.passed for r in results] == [True, False]
    sent = pickle.loads(pickle.dumps(results))  # noqa: S301 - our own bytes
    assert [(r.title, r.passed, r.seeds) for r in sent] == [(r.title, r.passed, r.seeds) for r in results]
    assert said(sent[1]) == said(results[1])
