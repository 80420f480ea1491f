"""`payoff` in the head: its type, who `you` is, where it may stand, and what becomes of it in variants."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.analysis import check_file, link
from egodsl.source.text import SourceText
from egodsl.syntax.printer import print_expression

BODY = """
var score[player]: 0..9 = 0
var whole: 0..9 = 0
enum Side: left_side, right_side
var side: Side = left_side
card Card:
    rank: 1..3
components cards of Card in deck:
    1 x (rank: r) for r in 1..3
zone deck: stack of Card, face down
zone hand[player]: one Card, owner only

stage game: as p in players:
    choose score in 1..2
    whole += 1
    move 1 from deck to hand
    choose side in Side
"""


def told(*head: str, form: str = 'rulebook paid "Paid"') -> list[str]:
    lines = "".join(f"    {line}\n" for line in head)
    _, found = check_file(SourceText("paid.rules", f"{form}:\n{lines}{BODY}"))
    return [f"{one.code} {one.message}" for one in found if one.is_error]


@pytest.mark.parametrize(
    "payoff",
    ["score", "score[you] - 9", "-whole", "hand.rank if hand != none else 0", "sum(score[p] for p in others) * -1"],
)
def test_a_number_for_you_is_a_payoff(payoff: str) -> None:
    assert told("players 2..3", f"payoff {payoff}") == []
    assert told("players 2..3", "result most score", f"payoff {payoff}") == []
    assert told("players 2..3", f"payoff {payoff}", "result together whole") == []


@pytest.mark.parametrize(
    ("payoff", "found"),
    [
        ("score > 1", "EGO401 `score > 1` is a `bool`, and the payoff is to be a number"),
        ("side", "EGO401 `side` is a `Side`, and the payoff is to be a number"),
        ("scoer", "EGO301"),
        ("top(deck).rank", "EGO570"),
    ],
)
def test_anything_else_is_none(payoff: str, found: str) -> None:
    assert [one[: len(found)] for one in told("players 2..3", f"payoff {payoff}")] == [found]


def test_there_is_one_payoff() -> None:
    assert told("players 2", "payoff score", "payoff whole") == ["EGO210 there are two `payoff` lines"]


def test_a_head_with_neither_result_nor_payoff_does_not_say_who_wins() -> None:
    assert told("players 2") == ["EGO505 `paid` does not say who wins"]


def test_a_library_pays_nobody() -> None:
    assert told("payoff score", form='library paid "Paid"')[0] == (
        "EGO213 a library has no `payoff` line: that is for the rulebook to say"
    )


BASE = f'rulebook base "Base":\n    players 2\n    result most score\n    payoff whole\n{BODY}'


@pytest.mark.parametrize(
    ("lines", "result", "payoff"),
    [
        ("    players 2..3\n", "score", "whole"),
        ("    payoff score - 1\n", "score", "score - 1"),
        ("    result least whole\n", "whole", "whole"),
    ],
)
def test_a_variant_replaces_the_line_that_it_has(tmp_path: Path, lines: str, result: str, payoff: str) -> None:
    (tmp_path / "base.rules").write_text(BASE)
    (tmp_path / "varied.rules").write_text(f'variant varied "Varied" of base:\n{lines}')
    program, found = link(tmp_path / "varied.rules")
    assert found == []
    assert program is not None
    assert program.result is not None
    assert program.payoff is not None
    assert print_expression(program.payoff.value) == payoff
    key = program.result.keys[0].value
    assert key is not None
    assert print_expression(key) == result


def test_what_only_the_payoff_uses_is_used() -> None:
    body = "define worth(p: player) = score[p] * 2\n"
    text = f'rulebook paid "Paid":\n    players 2\n    payoff worth(you)\n{BODY}{body}'
    _, found = check_file(SourceText("paid.rules", text))
    assert [one.message for one in found if "worth" in one.message] == []
