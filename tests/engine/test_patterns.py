"""Runs and groups without wild cards, against all subsets tried one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from egodsl.engine.patterns import distinct_subsets, groups, runs


def subsets(count: int, sizes: range) -> Iterator[frozenset[int]]:
    for size in sizes:
        yield from map(frozenset, combinations(range(count), size))


@pytest.mark.parametrize("seed", range(20))
def test_runs_are_all_sets_that_go_up_by_one(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - cards, not secrets
    ranks = [rng.randint(1, 6) for _ in range(9)]
    suits = [rng.randint(0, 1) for _ in range(9)]
    for lengths in (range(2, 4), range(1, 3), range(3, 4), range(1, 6, 3), range(0)):
        found = {s for s in subsets(9, lengths) if [ranks[c] for c in by_rank(s, ranks)] == steps(s, ranks)}
        assert runs(range(9), ranks.__getitem__, lengths) == found
        high = {s for s in found if all(ranks[card] > 2 for card in s)}
        assert runs(range(9), ranks.__getitem__, lengths, above=2) == high
        in_suit = {s for s in found if len({suits[c] for c in s}) == 1}
        assert runs(range(9), ranks.__getitem__, lengths, within=suits.__getitem__) == in_suit


def by_rank(cards: frozenset[int], ranks: list[int]) -> list[int]:
    return sorted(cards, key=ranks.__getitem__)


def steps(cards: frozenset[int], ranks: list[int]) -> list[int]:
    low = min(ranks[card] for card in cards)
    return list(range(low, low + len(cards)))


@pytest.mark.parametrize("seed", range(20))
def test_groups_are_all_sets_of_one_key(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - cards, not secrets
    ranks = [rng.randint(1, 4) for _ in range(9)]
    for sizes in (range(2, 4), range(1, 10), range(3, 4), range(3)):
        alike = {s for s in subsets(9, sizes) if len({ranks[c] for c in s}) == 1}
        assert groups(range(9), ranks.__getitem__, sizes) == alike


@pytest.mark.parametrize("seed", range(20))
def test_distinct_subsets_are_one_of_each_kind(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - cases, not secrets
    faces = [rng.randrange(3) for _ in range(rng.randrange(1, 8))]
    bundles = [[card for card, face in enumerate(faces) if face == wanted] for wanted in sorted(set(faces))]
    sizes = range(rng.randrange(3), rng.randrange(3, 9))
    found = [sorted(faces[card] for card in one) for one in distinct_subsets(bundles, sizes)]
    chosen = (one for size in sizes for one in combinations(range(len(faces)), size))
    kinds = {tuple(sorted(faces[card] for card in one)) for one in chosen}
    assert sorted(map(tuple, found)) == sorted(kinds)
    assert len(found) == len(kinds)
