"""The patterns that card games are made of: subsets, groups, runs and packings of cards.

Cards are bundled by what matters first, and nothing is built that cannot match. Results are frozensets of frozensets,
in which every card counts for itself; `distinct_subsets` counts cards of a bundle as one, for choices among them.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

Set = frozenset[int]


def _sizes(sizes: int | Collection[int] | None, most: int) -> list[int]:
    if sizes is None:
        return list(range(most + 1))
    wanted = [sizes] if isinstance(sizes, int) else sorted(sizes)
    return [n for n in wanted if 0 <= n <= most]


def subsets(things: Collection[int], sizes: int | Collection[int] | None = None) -> frozenset[Set]:
    """All subsets of the sizes (a number, several, or any)."""
    return frozenset(combinations(things, sizes))


def combinations(things: Collection[int], sizes: int | Collection[int] | None = None) -> Iterator[Set]:
    """The subsets of the sizes, from the smallest, and of one size by their members."""
    ordered = sorted(things)
    for n in _sizes(sizes, len(ordered)):
        yield from map(frozenset, itertools.combinations(ordered, n))


def distinct_subsets(bundles: Sequence[Sequence[int]], sizes: int | Collection[int] | None = None) -> Iterator[Set]:
    """Of the subsets of all cards, those that take of each bundle its first cards: one for each way to take so many."""
    total = sum(map(len, bundles))
    rest = [sum(map(len, bundles[k:])) for k in range(len(bundles) + 1)]

    def grow(k: int, left: int, taken: tuple[int, ...]) -> Iterator[Set]:
        if left == 0:
            yield frozenset(taken)
        elif left <= rest[k]:
            for count in range(min(left, len(bundles[k])) + 1):
                yield from grow(k + 1, left - count, (*taken, *bundles[k][:count]))

    for size in _sizes(sizes, total):
        yield from grow(0, size, ())


def groups(
    cards: Collection[int], key: Callable[[int], int], sizes: int | Collection[int], wild: Collection[int] = ()
) -> frozenset[Set]:
    """All sets of cards that are equal in the key; wild cards stand for any, but a group has at least one that is not
    wild.
    """
    by_key: dict[int, list[int]] = {}
    jokers = sorted(wild)
    for card in sorted(set(cards) - set(jokers)):
        by_key.setdefault(key(card), []).append(card)
    if not jokers:
        return frozenset(_plain_groups(by_key.values(), [n for n in _sizes(sizes, len(cards)) if n > 0]))
    found: set[Set] = set()
    for same in by_key.values():
        for n in _sizes(sizes, len(same) + len(jokers)):
            for used in range(min(len(jokers), n - 1) + 1):
                for own in itertools.combinations(same, n - used):
                    found.update(frozenset(own + extra) for extra in itertools.combinations(jokers, used))
    found.discard(frozenset())
    return frozenset(found)


def _plain_groups(columns: Iterable[list[int]], sizes: Sequence[int]) -> Iterator[Set]:
    for same in columns:
        for n in sizes:
            if n > len(same):
                break
            yield from map(frozenset, itertools.combinations(same, n))


def runs(
    cards: Collection[int],
    key: Callable[[int], int],
    lengths: int | Collection[int],
    each: int = 1,
    within: Callable[[int], int] | None = None,
    wild: Collection[int] = (),
    above: int | None = None,
) -> frozenset[Set]:
    """All runs: `each` cards of every key value from one to another, `lengths` values long.

    `within`: a second key in which all cards of a run are equal. `wild` cards stand for any missing card. `above`:
    only runs whose lowest key is
    greater. A run that could be read in two ways (a wild card at either end) is one set.
    """
    jokers = sorted(wild)
    suits: dict[int, dict[int, list[int]]] = {}
    for card in sorted(set(cards) - set(jokers)):
        suits.setdefault(within(card) if within is not None else 0, {}).setdefault(key(card), []).append(card)
    if each == 1 and not jokers:
        return frozenset(_plain_runs(list(suits.values()), _sizes(lengths, len(cards)), above))
    found: set[Set] = set()
    for by_key in suits.values():
        reach = len(jokers) // each if each else 0
        span = len(by_key) + len(jokers)
        for low in range(min(by_key) - reach, max(by_key) + 1):
            if above is not None and low <= above:
                continue
            for length in _sizes(lengths, span):
                if length > 0:
                    found.update(_fill([by_key.get(low + k, []) for k in range(length)], each, jokers))
    return frozenset(found)


def _plain_runs(suits: Iterable[dict[int, list[int]]], lengths: Sequence[int], above: int | None) -> Iterator[Set]:
    # Without wild cards and with one card of each step a run is one choice from each of some columns side by side.
    lengths = [n for n in lengths if n > 0]
    if not lengths:
        return
    shortest, longest = lengths[0], lengths[-1]
    for by_key in suits:
        if len(by_key) < shortest:
            continue
        for low in by_key:
            if low + shortest - 1 not in by_key or (above is not None and low <= above):
                continue
            columns: list[list[int]] = []
            for length in range(1, longest + 1):
                column = by_key.get(low + length - 1)
                if column is None:
                    break
                columns.append(column)
                if length in lengths:
                    yield from map(frozenset, itertools.product(*columns))


def _fill(columns: Sequence[Sequence[int]], each: int, jokers: Sequence[int]) -> Iterator[Set]:
    missing = sum(max(0, each - len(column)) for column in columns)
    if missing > len(jokers) or not any(columns):
        return
    # For each column: how many of its own cards are used; the rest are jokers.
    choices = [range(max(0, each - len(jokers)), min(each, len(column)) + 1) for column in columns]
    for own in itertools.product(*choices):
        need = each * len(columns) - sum(own)
        if need > len(jokers) or sum(own) == 0:
            continue
        parts = [itertools.combinations(column, n) for column, n in zip(columns, own, strict=True)]
        for picked in itertools.product(*parts):
            base = tuple(itertools.chain.from_iterable(picked))
            for extra in itertools.combinations(jokers, need):
                yield frozenset(base + extra)


def packings(family: Collection[Set], n: int | Collection[int] | None = None) -> frozenset[frozenset[Set]]:
    """All sets of members of the family that share nothing, of `n` members (a number, several, or any, none
    included).
    """
    members = sorted(family, key=sorted)
    sizes = set(_sizes(n, len(members)))
    most = max(sizes, default=0)
    found: set[frozenset[Set]] = set()

    def grow(start: int, chosen: tuple[Set, ...], used: Set) -> None:
        if len(chosen) in sizes:
            found.add(frozenset(chosen))
        if len(chosen) == most:
            return
        for k in range(start, len(members)):
            if not used & members[k]:
                grow(k + 1, (*chosen, members[k]), used | members[k])

    grow(0, (), frozenset())
    return frozenset(found)


def joined(family: Iterable[Collection[int]]) -> Set:
    """All members' members."""
    return frozenset(itertools.chain.from_iterable(family))


def in_a_row(cards: Collection[int], key: Callable[[int], int]) -> bool:
    """Whether the keys, in whatever order, are consecutive and different."""
    keys = sorted(key(card) for card in cards)
    return all(b == a + 1 for a, b in itertools.pairwise(keys))
