"""Whatever stands in a file, the analysis ends with diagnostics, not with an exception."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from egodsl.analysis import analyse, check_file, link
from egodsl.analysis.types import IntType
from egodsl.source.text import SourceText
from tests.analysis.helpers import TABLE

GOLDEN = Path(__file__).parents[1] / "golden" / "analysis"
WORD = re.compile(r"[A-Za-z_]+|\d+|\S")
BODY = """
event played(c: Card)
define best(p: player) = most(c.rank for c in hand[p])
action lay(c in hand, p in others where best(p) > 1) when c.suit = suit:
    move c to pile
    announce played(c): choose suit in Suit where suit != hearts
trigger jacks on played(jack) where leader != none as leader:
    may "swap" with c in hand: swap c with top(pile)
stage round:
    rank p in players by most score[p], least seat(p) as places
    turns from places[1] where not empty(hand):
        choose one of lay
        otherwise: move up to 2 from deck to hand as drawn
        if stopped: end round
var stopped: bool = false during round
scenario "one":
    given hand[A] = {Card(hearts, 2)}
    A plays lay(c: Card(hearts, 2), p: B)
    expect count(pile) = 1
"""


def mutated(text: str, rng: random.Random) -> str:
    """The text with one or two words left out or put in the place of others."""
    for _ in range(rng.choice([1, 1, 2])):
        words = list(WORD.finditer(text))
        gone = rng.choice(words)
        alike = [word.group() for word in words if word.group().isidentifier() == gone.group().isidentifier()]
        other = rng.choice(alike) if rng.random() < 0.8 else ""
        text = text[: gone.start()] + other + text[gone.end() :]
    return text


@pytest.mark.parametrize("seed", range(5))
def test_mutated_rulebooks_give_diagnostics_with_places(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - repeatable mutations, no secrets
    whole = f'rulebook test "Test":\n    players 2..4\n    result most score\n{TABLE}stage game: play round\n{BODY}'
    _, clean = check_file(SourceText("test.rules", whole))
    assert [str(one) for one in clean if one.is_error and one.code.number[3] in "01234"] == []
    looked_at = 0
    for _ in range(60):
        program, found = link(SourceText("test.rules", mutated(whole, rng)))
        if program is not None:
            looked_at += 1
            found = [*found, *analyse(program).diagnostics]
        for one in found:
            assert one.span is not None
            assert 0 <= one.span.start <= one.span.end <= len(one.span.source.text)
            assert one.message
    assert looked_at > 0


def test_long_chains_of_declarations_do_not_exhaust_the_stack() -> None:
    length = 2000
    chain = "".join(f"define d{n} = d{n + 1} + 1\n" for n in range(length))
    calls = "".join(f"procedure p{n}: perform p{n + 1}\n" for n in range(length))
    text = f'library chain "Chain"\n\n{chain}define d{length} = 1\n{calls}procedure p{length}: nothing\n'
    program, found = link(SourceText("chain.rules", text))
    assert program is not None
    result = analyse(program)
    assert [*found, *result.diagnostics] == []
    value = program.defines["d0"].value
    assert value is not None
    assert result.types[value] == IntType(length + 1, length + 1)
