"""What scenarios and random games reach, in rulebooks where that is clear by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.game import load
from egodsl.engine.settings import configure
from egodsl.reports.coverage import lack_of
from egodsl.verify.coverage import Coverage, Reached, cover, plan_of, tally
from egodsl.verify.places import Place, Places
from tests.helpers import write_rules

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
source trading "Trading"

TR-1 rule: Whoever trades gains a coin.
TR-2 rule: Whoever sulks pays nothing.
TR-3 rule: The bell rings at nine coins.
TR-4 rule: There are coins.
TR-5 rule: The rich pay a tax.
TR-6 rule: Everybody has an aim.
"""

RULES = """
> [TR-4] Coins.
rulebook trading "Trading":
    source trading
    players 2..3
    result most coins

mode harsh "Harsh"

> [TR-6]
reading aim "What is wanted?":
    wealth "coins" default
    peace "quiet"

var coins[player]: 0..99 = 0

event rung

> [TR-3]
trigger bell on rung: coins[players[1]] += 0

trigger gone whenever coins[players[1]] > 90: nothing

ability charm on rung where coins[players[1]] > 50: nothing

define tax:
    2 if coins > 10
    1 otherwise

stage game:
    repeat 2 times:
        as p in players: choose one of trade, sulk
    > [TR-5]
    if coins[players[1]] > 20:
        as players[1]: coins -= tax
    if coins[players[1]] = 9: announce rung
    if harsh: coins[players[1]] := 0
    if coins[players[1]] > 98: stop with "nobody can be so rich"

> [TR-1]
action trade:
    choose:
        "gain" when coins < 50: coins += 1
        "give" when coins > 50: coins -= 1

> [TR-2]
action sulk:
    nothing

procedure never_called: nothing

scenario "two trades":
    players 2
    A plays trade
    B plays trade
    A plays trade
    B plays trade
    B chooses "gain"
    expect coins[A] = 2
"""


def look(folder: Path, text: str, name: str = "trading", *, games: int = 0, seed: int = 1) -> Coverage:
    (folder / "trading.source").write_text(SOURCE, encoding="utf-8")
    return cover([load(write_rules(folder, text, name))], seed=seed, games=games)


def lacks(coverage: Coverage) -> set[str]:
    return {lack_of(place) for place in coverage.unreached}


def place_of(coverage: Coverage, kind: str, name: str) -> Place:
    (found,) = [place for place in coverage.places if place.kind == kind and place.name == name]
    return found


def test_what_one_scenario_does_not_reach(tmp_path: Path) -> None:
    assert lacks(look(tmp_path, RULES)) == {
        "mode `harsh` is never on",
        "answer `peace` of `aim` is never in force",
        "event `rung` is never announced",
        "trigger `bell` never fires",
        "trigger `gone` never fires",
        "ability `charm` never fires",
        "`coins[players[1]] > 50` is never asked",
        "define `tax` is never asked for",
        "option `sulk` is never chosen",
        "`coins[players[1]] > 20` is never true",
        "`coins[players[1]] = 9` is never true",
        "`harsh` is never true",
        "`coins < 50` is never false",
        "`coins > 50` is never true",
        'option `"give"` is never chosen',
        "action `sulk` is never played",
        "procedure `never_called` is never performed",
    }


def test_how_often(tmp_path: Path) -> None:
    coverage = look(tmp_path, RULES)
    assert place_of(coverage, "action", "trade").ways == {"run": 4}
    assert place_of(coverage, "option", "trade").ways == {"run": 4}
    assert place_of(coverage, "option", '"gain"').ways == {"run": 4}
    assert place_of(coverage, "statement", "coins += 1").ways == {"run": 4}
    assert place_of(coverage, "statement", "as p in players: choose one of trade, sulk").ways == {"run": 2}
    assert place_of(coverage, "branch", "harsh").ways == {"no": 1, "yes": 0}
    # The branch that only stops the game is not asked to be taken.
    assert place_of(coverage, "branch", "coins[players[1]] > 98").ways == {"no": 1}
    assert not [place for place in coverage.places if place.name.startswith("stop")]


def test_figures(tmp_path: Path) -> None:
    figures = tally(look(tmp_path, RULES).places)
    assert figures["action"] == (1, 2)
    assert figures["trigger"] == (0, 2)
    assert figures["ability"] == (0, 1)
    assert figures["answer"] == (1, 2)
    assert figures["mode"] == (0, 1)
    assert figures["case"] == (0, 2)
    # Four conditions of `if`, one of which need not be true; each other way counts.
    assert figures["branch"] == (4, 7)
    # Two actions in a list, two options.
    assert figures["option"] == (2, 4)


def test_cited_sentences(tmp_path: Path) -> None:
    sentences = {sentence.id: sentence for sentence in look(tmp_path, RULES).sentences}
    assert {name for name, sentence in sentences.items() if not sentence.is_reached} == {"TR-2", "TR-3"}
    assert sentences["TR-1"].reached == [4]
    assert sentences["TR-4"].reached == [1]
    assert sentences["TR-5"].reached == [1]
    assert sentences["TR-2"].says == "Whoever sulks pays nothing."


def test_random_games_reach_more(tmp_path: Path) -> None:
    coverage = look(tmp_path, RULES, games=10)
    # In two rounds nobody has more than two coins.
    assert lacks(coverage) == {
        "event `rung` is never announced",
        "trigger `bell` never fires",
        "trigger `gone` never fires",
        "ability `charm` never fires",
        "`coins[players[1]] > 50` is never asked",
        "define `tax` is never asked for",
        "`coins[players[1]] > 20` is never true",
        "`coins[players[1]] = 9` is never true",
        "`coins < 50` is never false",
        "`coins > 50` is never true",
        'option `"give"` is never chosen',
        "procedure `never_called` is never performed",
    }
    (run,) = coverage.runs
    # With two and with three players: by default, with the mode, drawn, and one with the other answer.
    assert (run.games, run.scenarios, run.faults) == (2 * (10 + 10 + 10 + 1), 1, 0)


def test_the_same_seed_reaches_the_same(tmp_path: Path) -> None:
    ways = [[place.ways for place in look(tmp_path, RULES, games=3, seed=seed).places] for seed in (5, 5, 6)]
    assert ways[0] == ways[1]
    assert ways[0] != ways[2]


def test_looking_ahead_in_a_scenario_is_not_play(tmp_path: Path) -> None:
    coverage = look(
        tmp_path,
        """
        rulebook trading "Trading":
            players 2
            result most coins

        var coins[player]: 0..99 = 0

        stage game:
            as players[1]: choose one of trade, sulk
            as players[1]:
                choose k in 1..1
                coins += k
            as players[2]: choose one of trade, sulk

        action trade: coins += 1
        action sulk: nothing

        scenario "B may trade":
            A plays trade
            expect B may trade
            expect B decides
        """,
    )
    assert "statement `coins += k` is never reached" in lacks(coverage)
    assert place_of(coverage, "statement", "choose k in 1..1").ways == {"run": 1}


def test_variants_and_their_base(tmp_path: Path) -> None:
    (tmp_path / "trading.source").write_text(SOURCE, encoding="utf-8")
    base = write_rules(tmp_path, RULES, "trading")
    variant = write_rules(
        tmp_path,
        """
        variant calm "Calm" of trading:
            set harsh to false
            set aim to peace

        replace action sulk:
            coins += 1

        remove procedure never_called

        scenario "sulking":
            A plays sulk
            expect coins[A] = 1
        """,
        "calm",
    )
    alone = cover([load(variant)], seed=1, games=0)
    assert [file.name for file in alone.files] == ["trading", "calm"]
    # What the variant replaces or removes is not asked for, nor what its head settles.
    names = {(place.kind, place.name) for place in alone.files[0].places}
    assert ("procedure", "never_called") not in names
    assert ("action", "sulk") not in names
    assert not {"mode", "answer"} & {kind for kind, _ in names}
    assert place_of(alone, "action", "sulk").ways == {"run": 1}
    both = cover([load(base), load(variant)], seed=1, games=0)
    assert [file.name for file in both.files] == ["trading", "calm"]
    first, second = both.files
    assert [place.ways for place in first.places if place.name == "sulk" and place.kind == "action"] == [{"run": 0}]
    assert [place.ways for place in second.places if place.name == "sulk"] == [{"run": 1}]
    # Four trades in the base, four in the variant, which tries the scenarios of its base too.
    assert place_of(both, "action", "trade").ways == {"run": 8}
    assert place_of(both, "procedure", "never_called").ways == {"run": 0}


def test_what_a_head_settles_is_not_asked_for(tmp_path: Path) -> None:
    (tmp_path / "trading.source").write_text(SOURCE, encoding="utf-8")
    write_rules(
        tmp_path,
        """
        rulebook open "Open":
            players 2
            result most coins

        mode harsh "Harsh"

        reading aim "What is wanted?":
            wealth "coins" default
            peace "quiet"

        var coins[player]: 0..99 = 0

        define worth:
            1 if aim = wealth
            2 otherwise

        stage game:
            as players[1]: coins += worth
            if harsh: nothing
            otherwise if aim != peace and not harsh: coins[players[2]] := 9
            otherwise if coins[players[1]] > 5: nothing
            coins[players[2]] := 4 if (harsh or aim = peace) else 5
        """,
        "open",
    )
    base = cover([load(tmp_path / "open.rules")], seed=1, games=0)
    assert len(base.places) == len(base.unreached) + sum(place.is_implied for place in base.places)
    variant = write_rules(
        tmp_path,
        """
        variant settled "Settled" of open:
            set harsh to false
            set aim to wealth

        scenario "one coin":
            play game
            expect coins[A] = 1
        """,
        "settled",
    )
    coverage = cover([load(variant)], seed=1, games=0)
    assert coverage.unreached == []
    ways = {place.name: place.ways for place in coverage.places}
    assert ways["harsh"] == {"no": 1}
    assert ways["aim != peace and not harsh"] == {"yes": 1}
    assert ways["(harsh or aim = peace)"] == {"no": 1}
    assert "coins[players[1]] > 5" not in ways
    assert {place.name for place in coverage.places if place.kind == "case"} == {"1 if aim = wealth"}


def test_libraries_are_files_of_their_own(tmp_path: Path) -> None:
    write_rules(
        tmp_path,
        """
        library bank "Bank":
            needs var coins

        procedure earn: coins += 1
        procedure lose: coins -= 1
        """,
        "bank",
    )
    coverage = look(
        tmp_path,
        """
        rulebook trading "Trading":
            players 2
            result most coins
            use bank

        var coins[player]: 0..99 = 0

        stage game:
            as players[1]: perform earn

        scenario "one coin":
            players 2
            play game
            expect coins[A] = 1
        """,
    )
    assert {file.form: len(file.places) > 0 for file in coverage.files} == {"library": True, "rulebook": True}
    assert lacks(coverage) == {"procedure `lose` is never performed"}


def test_a_failing_scenario_and_faults_are_counted(tmp_path: Path) -> None:
    coverage = look(
        tmp_path,
        """
        rulebook trading "Trading":
            players 2
            result most coins

        var coins[player]: 0..2 = 0

        stage game:
            repeat 3 times:
                as players[1]: may "take": coins += 1

        scenario "more than there can be":
            A chooses "take"
            expect coins[A] = 2
        """,
        games=60,
    )
    (run,) = coverage.runs
    assert (run.scenarios, run.failed, run.games) == (1, 1, 60)
    # Three times out of three: one game in eight by chance alone.
    assert 0 < run.faults < 40


def test_an_interrupt_keeps_what_was_reached(tmp_path: Path) -> None:
    (tmp_path / "trading.source").write_text(SOURCE, encoding="utf-8")
    rulebook = load(write_rules(tmp_path, RULES, "trading"))

    def done(steps: int) -> None:
        if steps == 2:
            raise KeyboardInterrupt

    coverage = cover([rulebook, rulebook], seed=1, games=4, done=done)
    assert coverage.interrupted
    (run,) = coverage.runs
    assert (run.scenarios, run.games) == (1, 4)
    assert place_of(coverage, "action", "trade").ways["run"] >= 4
    assert not look(tmp_path, RULES).interrupted


def test_plans(tmp_path: Path) -> None:
    (tmp_path / "trading.source").write_text(SOURCE, encoding="utf-8")
    rulebook = load(write_rules(tmp_path, RULES, "trading"))
    plan = plan_of(rulebook, 20, 1)
    assert {settings.players for settings, _ in plan} == {2, 3}
    fixed = [(sorted(settings.modes), settings.readings["aim"], count) for settings, count in plan if count > 1]
    assert fixed == [([], 0, 20), (["harsh"], 0, 20), ([], 1, 2)] * 2
    assert len(plan) == 2 * (3 + 20)
    assert {settings.players for settings, _ in plan_of(rulebook, 5, 1, [3, 9])} == {3}
    assert plan_of(rulebook, 0, 1) == []


def test_names_reached(tmp_path: Path) -> None:
    (tmp_path / "trading.source").write_text(SOURCE, encoding="utf-8")
    rulebook = load(write_rules(tmp_path, RULES, "trading"))
    reached = Reached(rulebook)

    def missing() -> set[tuple[str, str]]:
        return {(place.kind, place.full_name) for place in reached.missing()}

    every = {
        ("action", "trade"),
        ("action", "sulk"),
        ("trigger", "bell"),
        ("trigger", "gone"),
        ("ability", "charm"),
        ("answer", "aim.wealth"),
        ("answer", "aim.peace"),
        ("mode", "harsh"),
    }
    game = reached.game(configure(rulebook.checked, 2, (), {}, {}))
    # A game that nobody plays reaches nothing.
    assert missing() == every
    state = game.start(1)
    assert missing() == every - {("answer", "aim.wealth")}
    state.apply("sulk")
    assert missing() == every - {("answer", "aim.wealth"), ("action", "sulk")}
    reached.forget(game)
    reached.game(configure(rulebook.checked, 3, ("harsh",), {"aim": "peace"}, {})).start(1)
    assert missing() == {("action", "trade"), ("trigger", "bell"), ("trigger", "gone"), ("ability", "charm")}


@pytest.mark.parametrize("name", ["ego", "egocentric_world", "egocentric_world_italian", "egonomy", "emotrions"])
def test_places_of_the_shipped_rulebooks(name: str) -> None:
    found = Places(load(f"rulebooks/{name}.rules").checked.program)
    keys = [(place.span.source.path, place.key) for place in found.places]
    assert len(keys) == len(set(keys))
    before: set[int] = set()
    for place in found.places:
        assert place.up is None or id(place.up[0]) in before
        before.add(id(place))
