"""Libraries, variants and edits put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.analysis import Program, check_file, link
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.text import SourceText
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from pathlib import Path

BASE = """
rulebook base "Base":
    players 2..4
    result least total

enum Suit: hearts, spades
card Card:
    suit: Suit
components cards of Card in deck:
    3 x (suit: s) for s in Suit
    total 6
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
var total[player]: 0..9 = 0
mode fast "Fast"
action draw: move top(deck) to hand
action wait: nothing
action shout: nothing
stage game:
    turns from active: choose one of draw, wait, shout
trigger first_one whenever empty(deck): end game
trigger second_one whenever count(deck) = 1: nothing
"""


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.rules").write_text(text.lstrip(), encoding="utf-8")


def linked(folder: Path, name: str) -> Program:
    program, found = link(folder / f"{name}.rules")
    assert [str(one) for one in found if one.is_error] == []
    assert program is not None
    checked, found = check_file(folder / f"{name}.rules")
    assert checked is not None
    assert [str(one) for one in found if one.is_error and one.code.number[3] in "01234"] == []
    return program


def wrong(folder: Path, name: str) -> list[Diagnostic]:
    _, found = check_file(folder / f"{name}.rules")
    return [one for one in found if one.code.number[3] in "01234"]


def offered(program: Program) -> list[str]:
    (only,) = [node for node in nodes.walk(program.stages["game"]) if isinstance(node, nodes.ChooseAction)]
    return [ident.name for ident in only.actions]


def test_a_variant_adds_replaces_removes_and_extends(tmp_path: Path) -> None:
    variant = """
variant other "Other" of base:
    players 3
    result most total
    set fast to true

enum Extra: one, two
replace var total[player]: -9..9 = 0
remove action shout
extend enum Suit: stars, suns "U"
extend components cards of Card:
    1 x (suit: stars)
    total 13
replace trigger first_one whenever count(deck) = 2: end game
"""
    write(tmp_path, base=BASE, other=variant)
    program = linked(tmp_path, "other")
    assert program.name == "other"
    assert [module.name.name for module in program.files] == ["base", "other"]
    assert list(program.enums) == ["Suit", "Extra"]
    assert [item.name.name for item in program.enums["Suit"].items] == ["hearts", "spades", "stars", "suns"]
    total = program.components["cards"].total
    assert isinstance(total, nodes.Integer)
    assert (total.value, len(program.components["cards"].rows)) == (13, 2)
    assert offered(program) == ["draw", "wait"]
    assert "shout" not in program.actions
    assert list(program.conditions) == ["first_one", "second_one"]
    assert program.conditions["first_one"].span.source.path.endswith("other.rules")
    assert program.conditions["first_one"].edit is None
    assert program.vars["total"].type.span.text == "-9..9"
    assert program.players is not None
    assert program.players.span.text.strip() == "players 3"
    assert program.result is not None
    assert program.result.keys[0].direction == "most"
    assert list(program.presets) == ["fast"]


def test_the_tree_of_the_base_is_not_changed_by_a_removal(tmp_path: Path) -> None:
    write(tmp_path, base=BASE, other='variant other "Other" of base\n\nremove action shout\n')
    program = linked(tmp_path, "other")
    base = program.files[0]
    lists = [node for node in nodes.walk(base) if isinstance(node, nodes.ChooseAction)]
    assert [ident.name for ident in lists[0].actions] == ["draw", "wait", "shout"]


def test_a_variant_of_a_variant_edits_in_order(tmp_path: Path) -> None:
    first = 'variant one "One" of base\n\nreplace action wait: perform rest\nprocedure rest: nothing\n'
    second = (
        'variant two "Two" of one:\n    players 2\n\nextend stage game: choose one of sing\naction sing: perform rest\n'
    )
    write(tmp_path, base=BASE, one=first, two=second)
    program = linked(tmp_path, "two")
    assert offered(program) == ["draw", "wait", "shout", "sing"]
    assert list(program.actions) == ["draw", "wait", "shout", "sing"]
    assert program.actions["wait"].span.source.path.endswith("one.rules")


def test_libraries_are_found_in_library_folders_above_and_brought_in_once(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    inner = tmp_path / "games" / "mine"
    inner.mkdir(parents=True)
    write(tmp_path / "library", deck_of_two='library deck_of_two "Deck"\n\nenum Suit: hearts, spades\n')
    write(tmp_path / "library", tricks='library tricks "Tricks":\n    use deck_of_two\n\nvar led: Suit? = none\n')
    book = 'rulebook mine "Mine":\n    players 2\n    use tricks\n    use deck_of_two\n\nstage game: nothing\nreplace var led: Suit = hearts\n'  # noqa: E501 - a whole rulebook
    write(inner, mine=book)
    program = linked(inner, "mine")
    assert [module.name.name for module in program.files] == ["deck_of_two", "tricks", "mine"]
    assert list(program.enums) == ["Suit"]
    assert program.vars["led"].span.source.path.endswith("mine.rules")


@pytest.mark.parametrize("uses", ["tricks deck_of_two", "deck_of_two tricks"])
def test_a_library_may_replace_what_it_builds_on(tmp_path: Path, uses: str) -> None:
    write(tmp_path, deck_of_two='library deck_of_two "Deck"\n\ndefine size = 2\ndefine twice = 2 * size\n')
    write(tmp_path, tricks='library tricks "Tricks":\n    use deck_of_two\n\nreplace define size = 3\n')
    lines = "".join(f"    use {name}\n" for name in uses.split())
    write(tmp_path, mine=f'rulebook mine "Mine":\n    players 2\n{lines}\nstage game: nothing\n')
    program = linked(tmp_path, "mine")
    assert program.defines["size"].span.source.path.endswith("tricks.rules")
    assert list(program.defines) == ["size", "twice"]
    write(tmp_path, plain='library plain "Plain":\n    use deck_of_two\n')
    for both in ("tricks plain", "plain tricks"):
        lines = "".join(f"    use {name}\n" for name in both.split())
        write(tmp_path, mine=f'rulebook mine "Mine":\n    players 2\n{lines}\nstage game: nothing\n')
        assert linked(tmp_path, "mine").defines["size"].span.source.path.endswith("tricks.rules")
    write(tmp_path, other='variant other "Other" of mine:\n    use deck_of_two\n')
    assert linked(tmp_path, "other").defines["size"] is not None


def test_clashing_libraries_show_both_places(tmp_path: Path) -> None:
    book = 'rulebook mine "Mine":\n    players 2\n    use one\n    use two\n\nstage game: nothing\n'
    enum = "enum Suit: hearts, spades\n"
    write(tmp_path, one=f'library one "One"\n\n{enum}', two=f'library two "Two"\n\n{enum}', mine=book)
    (found,) = wrong(tmp_path, "mine")
    assert found.code.number == "EGO205"
    assert found.message == "`two` brings the enum `Suit`, and there is one already"
    assert [label.span.source.path.rpartition("/")[2] for label in found.labels] == ["one.rules", "two.rules"]


@pytest.mark.parametrize(
    ("texts", "code", "message"),
    [
        (
            {"mine": 'rulebook mine "Mine":\n    players 2\n    use bse\n\nstage game: nothing\n'},
            "EGO201",
            "there is no file `bse.rules`",
        ),
        (
            {"mine": 'rulebook mine "Mine":\n    players 2\n    use base\n\nstage game: nothing\n'},
            "EGO202",
            "`base` is a rulebook, and `use` takes a library",
        ),
        (
            {"lib": 'library lib "Lib"\n', "mine": 'variant mine "Mine" of lib\n'},
            "EGO202",
            "`lib` is a library, and a variant is `of` a rulebook or of another variant",
        ),
        ({"mine": 'variant mine "Mine" of mine\n'}, "EGO203", "`mine` is built on itself: `mine` to `mine`"),
        (
            {"mine": 'library mine "Mine":\n    use other\n', "other": 'library other "Other":\n    use mine\n'},
            "EGO203",
            "`other` is built on itself: `mine` to `other` to `mine`",
        ),
        (
            {"mine": 'variant mine "Mine" of base\n\nremove action shot\n'},
            "EGO206",
            "there is no action `shot` to remove",
        ),
        (
            {"mine": 'variant mine "Mine" of base\n\nreplace define draw = 3\n'},
            "EGO206",
            "there is no define `draw` to replace",
        ),
        (
            {"mine": 'variant mine "Mine" of base\n\nmode fast "Faster"\n'},
            "EGO204",
            "there is a mode `fast` already",
        ),
        (
            {"mine": 'variant mine "Mine" of base:\n    set slow to true\n'},
            "EGO209",
            "there is no mode, reading or parameter `slow`",
        ),
    ],
)
def test_what_cannot_be_linked(tmp_path: Path, texts: dict[str, str], code: str, message: str) -> None:
    write(tmp_path, base=BASE, **texts)
    found = wrong(tmp_path, "mine")
    assert [(one.code.number, one.message) for one in found] == [(code, message)]


def test_help_for_edits_and_files(tmp_path: Path) -> None:
    write(tmp_path, base=BASE, mine='variant mine "Mine" of bas\n')
    assert wrong(tmp_path, "mine")[0].help == "did you mean `base`?"
    write(tmp_path, mine='variant mine "Mine" of base\n\nreplace define draw = 3\nremove action shot\n')
    assert [one.help for one in wrong(tmp_path, "mine")] == ["write `replace action draw`", "did you mean `shout`?"]


def test_what_still_uses_something_removed_shows_both_files(tmp_path: Path) -> None:
    write(tmp_path, base=BASE, mine='variant mine "Mine" of base\n\nremove mode fast\nremove var total\n')
    (found,) = wrong(tmp_path, "mine")
    assert found.message == "nothing is called `total`"
    assert found.span is not None
    assert found.span.source.path.endswith("base.rules")
    assert [(label.message, label.span.source.path.rpartition("/")[2]) for label in found.labels] == [
        ("removed here", "mine.rules")
    ]


def test_needs_are_met_by_the_user_and_may_be_open_in_the_library_alone(tmp_path: Path) -> None:
    library = """
library lib "Lib":
    needs action combine

stage trick(p: player):
    turns from p: choose one of combine
"""
    head = 'rulebook mine "Mine":\n    players 2\n    use lib\n\nstage game: play trick(players[1])\n'
    write(tmp_path, lib=library, mine=head)
    assert wrong(tmp_path, "lib") == []
    found = wrong(tmp_path, "mine")
    assert [one.code.number for one in found] == ["EGO208"]
    write(tmp_path, mine=head + "action combine: nothing\n")
    linked(tmp_path, "mine")


def test_the_scenarios_of_a_base_are_kept_and_those_of_a_library_are_not(tmp_path: Path) -> None:
    scenario = 'scenario "all is well":\n    expect 1 = 1\n'
    write(tmp_path, base=BASE + scenario, lib=f'library lib "Lib"\n\n{scenario}')
    write(tmp_path, mine='variant mine "Mine" of base:\n    use lib\n')
    program = linked(tmp_path, "mine")
    assert [one.span.source.path.rpartition("/")[2] for one in program.scenarios.values()] == ["base.rules"]


def test_citations_are_checked_against_the_index_of_their_own_document(tmp_path: Path) -> None:
    (tmp_path / "doc.source").write_text('source doc "Doc"\n\nD-1 rule: a card is drawn\n', encoding="utf-8")
    (tmp_path / "more.source").write_text('source more "More"\n\nM-1 rule: a card is kept\n', encoding="utf-8")
    base = BASE.replace("    players 2..4\n", "    source doc\n    players 2..4\n").replace(
        "mode fast", "> Fast. [D-1]\nmode fast"
    )
    write(tmp_path, base=base)
    write(
        tmp_path, mine='variant mine "Mine" of base:\n    source more\n\n> Both. [M-1] [D-1] [D-2]\nmode slow "Slow"\n'
    )
    program, found = link(tmp_path / "mine.rules")
    assert [(one.code.number, one.span.text) for one in found if one.span is not None] == [("EGO601", "D-2")]
    assert program is not None
    assert program.index is not None
    assert list(program.index.entries) == ["D-1", "M-1"]


def test_a_file_that_does_not_parse_gives_no_program_and_no_other_errors(tmp_path: Path) -> None:
    program, found = link(
        SourceText(str(tmp_path / "x.rules"), 'rulebook x "X":\n    players 2\n\nzone deck: pile of City\n')
    )
    assert program is None
    assert {one.code.number[3] for one in found} == {"1"}


def test_a_missing_file_is_the_callers_business(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        link(tmp_path / "nothing.rules")


def test_a_scenario_is_removed_by_its_title(tmp_path: Path) -> None:
    base = BASE + '\nscenario "it begins":\n    expect total[A] = 0\n'
    gone = 'variant gone "Gone" of base:\n    players 3\n\nremove scenario "it begins"\n'
    write(tmp_path, base=base, gone=gone, wrong=gone.replace("gone", "wrong").replace("it begins", "it began"))
    assert list(linked(tmp_path, "base").scenarios) == ["it begins"]
    assert list(linked(tmp_path, "gone").scenarios) == []
    (found,) = wrong(tmp_path, "wrong")
    assert found.message == "there is no scenario `it began` to remove"
