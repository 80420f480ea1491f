"""How the table is written down, line by line."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from egodsl.cli.table import draw_moves, in_columns
from egodsl.engine.moves import Move
from egodsl.engine.views import VariableView, View, ZoneView
from egodsl.reports.position import table_lines, zone_text


def zone(
    name: str, owner: str | None, count: int, places: tuple[str | None, ...], layout: str = "set", *, visible: bool
) -> ZoneView:
    owners = () if owner is None else (ord(owner) - ord("A"),)
    return ZoneView(name, () if owner is None else (owner,), layout, owners, visible, count, places)


def test_zones_of_others_of_which_nothing_is_known_share_a_line() -> None:
    zones = (
        zone("draw_pile", None, 40, (None,) * 40, "stack", visible=False),
        zone("hand", "A", 2, ("3", "Joker"), visible=True),
        zone("hand", "B", 2, ("7", None), visible=False),
        zone("hand", "C", 4, (None,) * 4, visible=False),
        zone("hand", "D", 0, (), visible=False),
    )
    variables = (
        VariableView("score", ("A",), "1"),
        VariableView("score", ("B",), "0"),
        VariableView("trump", (), "hearts", revealed=True),
    )
    seen = View(0, zones, variables, active=None, stages=(), deciding=(0,), moves=(), chance=False, over=False)
    lines = [(line.name, line.count, line.content, line.own) for line in table_lines(seen)]
    assert lines == [
        ("draw pile", "40", "(hidden)", False),
        ("hand A", "2", "3, Joker", True),
        ("hand B", "2", "(hidden; known to you: 7)", False),
        ("hand", "", "C 4, D 0 (hidden)", False),
        ("score", "", "A 1, B 0", False),
        ("trump", "", "hearts (shown to you)", False),
    ]


def test_piles_are_told_from_the_top_and_long_ones_cut() -> None:
    assert zone_text(zone("pile", None, 3, ("9", "2", "5"), "stack", visible=True)) == "9, 2, 5 (top first)"
    assert zone_text(zone("pile", None, 3, (None, "2", None), "stack", visible=False)) == "(hidden; known to you: #2 2)"
    assert zone_text(zone("pile", None, 0, (), "stack", visible=False)) == "(empty)"
    text = zone_text(zone("row", None, 33, tuple(map(str, range(33))), "row", visible=True))
    assert text.endswith("28, 29, and 3 more")


def test_many_moves_stand_in_columns_that_run_down() -> None:
    assert in_columns(["a", "b", "c"], 80) == ["a", "b", "c"]
    assert in_columns(list("abcdefgh"), 18) == ["a   c   e   g", "b   d   f   h"]
    assert in_columns([], 80) == []


def drawn(moves: list[Move], begins: str = "", rows: int | None = None) -> list[str]:
    written = StringIO()
    draw_moves(Console(file=written, width=80), 1, moves, begins, rows)
    return written.getvalue().splitlines()


FLIPS = [Move(1, f"flip over {k}", action="flip_over") for k in "abcde"]
PASS = Move(1, "pass", action="pass")


def test_many_moves_of_an_action_share_a_line_and_keep_their_numbers() -> None:
    flips = "  1) flip over a, and 4 more: `moves flip over` lists them"
    assert drawn([*FLIPS, PASS], rows=3) == ["B to play (by number or by text)", flips, "  6) pass"]
    assert len(drawn([*FLIPS, PASS], rows=6)) == 7


def test_moves_that_begin_with_a_word_are_listed_alone() -> None:
    assert drawn([*FLIPS, PASS], "pa", 3)[1:] == ["  6) pass"]
    assert len(drawn([*FLIPS, PASS], "Flip  over", 3)) == 6
    assert drawn([PASS], "x")[1:] == ["  none of them begins with `x`"]


def test_bare_values_are_asked_for_by_the_name_that_they_get() -> None:
    bid = Move(1, "red", arguments=(("secret_bid", "red"),))
    assert drawn([bid])[0] == "B to choose secret bid (by number or by text)"
    for moves in ([Move(1, "red", arguments=(("c", "red"),))], [PASS, bid]):
        assert drawn(moves)[0] == "B to play (by number or by text)"
