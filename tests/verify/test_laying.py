"""Zones that a scenario lays out by a comprehension of faces, not one card after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.game import load
from egodsl.verify.scenarios import run_all

if TYPE_CHECKING:
    from pathlib import Path

RULES = """rulebook pips "Pips":
    players 2
    result most worth(you)

card Card:
    suit: 1..2
    rank: 1..6

components pack of Card in box:
    1 x (suit: s, rank: r) for s in 1..2 for r in 1..6

zone box: set of Card, face up
zone hand[player]: set of Card, face up

define worth(p: player) = sum(c.rank for c in hand[p])

stage game:
    as p in players: may "wait": nothing

scenario "a comprehension of faces, and one more":
    given hand[A] = {Card(1, r) for r in 2..4} | {Card(2, 6)}
    given hand[B] = {Card(suit: 2, rank: r) for r in 1..2}
    play game
    expect hand[A] = {Card(1, 2), Card(1, 3), Card(1, 4), Card(2, 6)}
    expect worth(A) = 15 and worth(B) = 3
"""


def test_zones_are_laid_out_by_comprehensions(tmp_path: Path) -> None:
    path = tmp_path / "pips.rules"
    path.write_text(RULES, encoding="utf-8")
    (result,) = run_all(load(path))
    assert result.diagnostics == ()
