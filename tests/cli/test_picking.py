from __future__ import annotations

import pytest

from egodsl.cli.picking import numbered, pick

MOVES = ["draw", "take discard 7", "take discard 789", "play pair 7, 789", "say stop"]
VALUES = ["1", "10", "11", "Black Shield"]


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("1", "draw"),
        (" 5 ", "say stop"),
        ("DRAW", "draw"),
        ("d", "draw"),
        ("takediscard7", "take discard 7"),
        ("take  discard 789", "take discard 789"),
        ("play pair 7,789", "play pair 7, 789"),
        ("Say", "say stop"),
    ],
)
def test_by_number_by_text_and_by_its_beginning(typed: str, move: str) -> None:
    index = pick(typed, MOVES).index
    assert index is not None
    assert MOVES[index] == move


@pytest.mark.parametrize(("typed", "move"), [("1", "1"), ("10", "10"), ("b", "Black Shield")])
def test_where_moves_are_numbers_a_number_is_a_text(typed: str, move: str) -> None:
    index = pick(typed, VALUES).index
    assert index is not None
    assert VALUES[index] == move
    assert not numbered(VALUES)


@pytest.mark.parametrize(
    ("typed", "texts", "problem"),
    [
        ("take", MOVES, "`take` could be `take discard 7`, `take discard 789`"),
        ("0", MOVES, "there is no move number 0: they go from 1 to 5"),
        ("6", MOVES, "there is no move number 6: they go from 1 to 5"),
        ("9" * 5000, MOVES, None),
        ("drwa", MOVES, "there is no move `drwa`; did you mean `draw`?"),
        ("fly", MOVES, "there is no move `fly`; `moves` lists them, `help` says what else can be typed"),
        ("4", VALUES, "there is no move `4`; `moves` lists them, `help` says what else can be typed"),
        ("a", ["a" * k for k in range(2, 12)], "`a` could be `aa`, `aaa`, `aaaa`, `aaaaa`, `aaaaaa`, `aaaaaaa`, ..."),
    ],
)
def test_what_names_no_single_move_is_explained(typed: str, texts: list[str], problem: str | None) -> None:
    picked = pick(typed, texts)
    assert picked.index is None
    assert problem is None or picked.problem == problem
