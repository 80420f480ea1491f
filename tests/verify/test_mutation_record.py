"""The record of the mutation check of the shipped rulebooks: that it is whole, holds, and is what the page shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from egodsl.engine.game import load
from egodsl.engine.rng import Random
from egodsl.verify.mutants import mutants
from egodsl.verify.mutation import check
from tests.verify.mutation_record import NAMES, PAGE, ROOT, key_of, read_record, with_tables

LEAST = 0.85
TRIED = 8
"""Mutants of each rulebook that are tried here; all are by `python -m tests.verify.mutation_record`."""

RECORD: dict[str, Any] = read_record()


@pytest.mark.parametrize("name", NAMES)
def test_most_changes_are_noticed_and_every_survivor_has_a_reason(name: str) -> None:
    entry = RECORD[name]
    assert entry["noticed"] >= LEAST * entry["changes"]
    assert sum(one["times"] for one in entry["survivors"]) == entry["changes"] - entry["noticed"]
    assert [one["change"] for one in entry["survivors"] if len(one["reason"]) < len("why not")] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_of_the_rulebook_as_it_is(name: str) -> None:
    """Each survivor is a mutant of it, as often as it is said, and there are as many mutants as were tried."""
    found = mutants(load(ROOT / "rulebooks" / f"{name}.rules"))
    entry = RECORD[name]
    assert len(found) == entry["changes"] + entry["unfit"]
    known = Counter(map(key_of, found))
    assert [one for one in entry["survivors"] if known[one["place"], one["change"]] < one["times"]] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_few_mutants_are_noticed_or_not_as_it_is_recorded(name: str) -> None:
    book = load(ROOT / "rulebooks" / f"{name}.rules")
    every = mutants(book)
    survivors = {(one["place"], one["change"]) for one in RECORD[name]["survivors"]}
    draw = Random(len(every))
    chosen = sorted({draw.below(len(every)) for _ in range(TRIED)})
    result = check(book, [every[number] for number in chosen], processes=1)
    lost = {key_of(mutant) for mutant in result.survivors}
    assert lost <= survivors
    noticed = {key_of(every[one.number]) for one in result.verdicts if one.outcome == "noticed"}
    twice = {key for key, count in Counter(map(key_of, every)).items() if count > 1}
    assert not (noticed & survivors) - twice


def test_the_page_shows_the_record() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_tables(text, RECORD) == text
