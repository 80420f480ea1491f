"""The checks together: what is silent, what belongs to which file, and how long it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.analysis import analyse, check_file, checks, link
from egodsl.source.text import SourceText
from tests.analysis.checks.helpers import CARDS, HEAD, codes

RULEBOOKS = sorted((Path(__file__).parents[3] / "rulebooks").rglob("*.rules"))


@pytest.mark.parametrize("path", RULEBOOKS, ids=lambda path: path.stem)
def test_the_rulebooks_that_we_ship_pass(path: Path) -> None:
    _, found = check_file(path)
    assert [str(one) for one in found if one.is_error and one.code.number[3] == "5"] == []


def test_an_earlier_error_keeps_what_follows_from_it_silent() -> None:
    body = 'action build: score += heigth\nstage game: as p in players: choose one of build\nmode x "X"\n'
    assert codes(body) == ["EGO301"]


def test_declarations_of_libraries_and_bases_may_be_unused(tmp_path: Path) -> None:
    library = 'library extras "Extras"\n\ndefine spare(n: 0..9) = n\nprocedure idle: stop with "idle"\n'
    (tmp_path / "extras.rules").write_text(library)
    base = HEAD.replace("    result", "    use extras\n    result")
    base += "define bonus = 3\nstage game: for p in players: score[p] += bonus\n"
    (tmp_path / "tower.rules").write_text(base)
    variant = (
        'variant tall "Tall" of tower:\n    result least score\n\n'
        "replace stage game: for p in players: score[p] += 1\ndefine left_over = 4\n"
    )
    (tmp_path / "tall.rules").write_text(variant)
    assert check_file(tmp_path / "extras.rules")[1] == []
    assert check_file(tmp_path / "tower.rules")[1] == []
    assert [one.message for one in check_file(tmp_path / "tall.rules")[1]] == ["the define `left_over` is never used"]


def big(parts: int) -> str:
    actions = ", ".join(f"act_{k}" for k in range(parts))
    head = f"""{HEAD.replace("0..99", "0..999999")}{CARDS}stage game:
    shuffle pile
    move 3 from pile to wall
    for p in players: move 3 from pile to hand[p]
    turns from active:
        choose one of {actions}
        if score > 900: end game
"""
    return head + "".join(map(part, range(parts)))


def part(k: int) -> str:
    return f"""
parameter limit_{k}: 1..9 = 3 "Limit {k}"
mode mode_{k} "Mode {k}"
var count_{k}[player]: 0..99 = 0
event done_{k}(p: player)

define fits_{k}(s: Stone) = s.weight > limit_{k} and (mode_{k} or s.colour = top(wall).colour)

> Rule {k}.
action act_{k}(s in hand where fits_{k}(s)) when not empty(wall) and count_{k} < limit_{k}:
    move s to wall
    perform step_{k}(you, s)

procedure step_{k}(p: player, s: Stone):
    if mode_{k} and s.weight = 9:
        score[p] += 2
    otherwise:
        count_{k}[p] += 1
    announce done_{k}(p): score[p] += 1

trigger after_{k} on done_{k}(p) where score[p] > limit_{k} as p:
    may "go on" with t in hand where t.colour = red: move t to wall
"""


def test_a_rulebook_of_five_thousand_lines_is_checked_whole() -> None:
    text = big(240)
    program, _ = link(SourceText("tower.rules", text))
    assert program is not None
    checked = analyse(program)
    assert checked.diagnostics == []
    assert [str(one) for one in checks.run(checked)] == []
    assert text.count("\n") > 5000


def test_a_trigger_of_a_library_stage_that_is_never_played(tmp_path: Path) -> None:
    library = 'library extras "Extras"\n\nstage spare: stop with "spare"\n'
    (tmp_path / "extras.rules").write_text(library)
    body = """trigger full during spare whenever any(score[p] > 5 for p in players): end spare
stage game: for p in players: score[p] += 1
"""
    (tmp_path / "tower.rules").write_text(HEAD.replace("    result", "    use extras\n    result") + body)
    found = check_file(tmp_path / "tower.rules")[1]
    assert [one.message for one in found] == ["`full` never fires: the stage `spare` is never played"]
