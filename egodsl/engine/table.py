"""Changes of the table: the only code that moves a card. A card is always in exactly one zone slot; `L` says in which.

A pile that was shuffled has no order until somebody takes from it. `loose[slot]` holds its unresolved stretches as
(low, high), counted from the
bottom of the pile (or the back of a row): the cards of a stretch stand in order of their numbers, which means nothing.
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from egodsl.engine.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.state import State
    from egodsl.source.span import Span

MOVE, MIX, SETTLE, WRITE, DECIDE, CHANCE, REVEAL, LOOK, FACT, SHOW, STAGE, END, SWAP, COMMIT = range(14)
"""Kinds of entries in the log: `(kind, ...)`, see the functions that write them."""


def put(state: State, card: int, slot: int, place: Span) -> None:
    """Move one card: to the top of a stack, the back of a row, into a set, or onto a free place.

    Log: MOVE, cards, from slots, to slot.
    """
    source = state.L[card]
    _take(state, card, source)
    _lay(state, card, slot, place)
    state.log = (state.log, (MOVE, (card,), (source,), slot))
    watches = state.game.zone_watches
    state.dirty |= watches[source] | watches[slot]
    state.ticks += 1


def put_drawn(state: State, source: int, at: int, slot: int, place: Span) -> None:
    """Chance has put the card that lies at `at` on top of the pile, and it is moved: `settle` and `put` in one step.

    The top and the card are in one unresolved stretch.
    """
    cards = state.Z[source]
    card, size = cards[at], len(cards)
    state.Z[source] = cards[:at] + cards[at + 1 :]
    left = [(low, high - (high == size)) for low, high in state.loose[source]]
    state.loose[source] = tuple([(low, high) for low, high in left if high - low > 1])
    _lay(state, card, slot, place)
    state.log = ((state.log, (SETTLE, source, card, 0)), (MOVE, (card,), (source,), slot))
    watches = state.game.zone_watches
    state.dirty |= watches[source] | watches[slot]
    state.ticks += 1


def put_all(state: State, cards: Iterable[int], slot: int, place: Span) -> None:
    """Move several cards as one change.

    Onto a stack they keep their order; a whole shuffled pile stays shuffled if it goes to a pile unseen.
    """
    moving = tuple(cards)
    if not moving:
        return
    sources = tuple(state.L[card] for card in moving)
    stretches = _whole_pile(state, moving, sources[0])
    gone = frozenset(moving)
    for source in set(sources):
        _take_many(state, gone, source)
    depth = len(state.Z[slot])
    game = state.game
    layout = game.layout.slots[slot].layout
    _lay_many(state, moving, slot, place)
    if stretches and layout == "stack":
        state.loose[slot] += tuple((low + depth, high + depth) for low, high in stretches)
    elif layout == "row":
        # At the back of the row they stand as far from its end as they did in the pile.
        state.loose[slot] += stretches
    for source in set(sources):
        state.dirty |= game.zone_watches[source]
    state.dirty |= game.zone_watches[slot]
    state.log = (state.log, (MOVE, moving, sources, slot))
    state.ticks += 1


def _whole_pile(state: State, moving: Sequence[int], source: int) -> tuple[tuple[int, int], ...]:
    return state.loose[source] if state.loose[source] and moving == state.Z[source] else ()


def _take(state: State, card: int, source: int) -> None:
    cards = state.Z[source]
    at = cards.index(card)
    state.Z[source] = cards[:at] + cards[at + 1 :]
    stretches = state.loose[source]
    if stretches:
        depth = len(cards) - 1 - at
        moved = [(low - (depth < low), high - (depth < high)) for low, high in stretches]
        state.loose[source] = tuple([(low, high) for low, high in moved if high - low > 1])


def _take_many(state: State, gone: frozenset[int], source: int) -> None:
    cards = state.Z[source]
    left = tuple([card for card in cards if card not in gone])
    if left and state.loose[source]:
        for card in cards:
            if card in gone:
                _take(state, card, source)
        return
    state.Z[source] = left
    state.loose[source] = ()


def _lay_many(state: State, moving: tuple[int, ...], slot: int, place: Span) -> None:
    if state.game.layout.slots[slot].layout == "stack":
        # The first comes to lie on top.
        state.Z[slot] = moving + state.Z[slot]
        for card in moving:
            state.L[card] = slot
        return
    for card in moving:
        _lay(state, card, slot, place)


def _lay(state: State, card: int, slot: int, place: Span) -> None:
    cards = state.Z[slot]
    if not cards:
        state.Z[slot] = (card,)
    else:
        layout = state.game.layout.slots[slot].layout
        if layout in {"set", "outside"}:
            at = bisect(cards, card)
            state.Z[slot] = (*cards[:at], card, *cards[at:])
        elif layout == "stack":
            state.Z[slot] = (card, *cards)
        elif layout == "row":
            state.Z[slot] = (*cards, card)
            if state.loose[slot]:
                state.loose[slot] = tuple([(low + 1, high + 1) for low, high in state.loose[slot]])
        else:
            raise Fault(
                "EGO710", place, f"`{place.text}`: the place is taken", "move away the card that lies there first"
            )
    state.L[card] = slot


def shuffle(state: State, slot: int) -> None:
    """Forget the order of a pile or row. Log: MIX, slot."""
    cards = state.Z[slot]
    if not state.game.layout.unordered[slot]:
        state.Z[slot] = tuple(sorted(cards))
        state.loose[slot] = ((0, len(cards)),) if len(cards) > 1 else ()
    state.log = (state.log, (MIX, slot))
    state.ticks += 1


def loose_at(state: State, slot: int, at: int) -> tuple[int, int] | None:
    """The unresolved stretch that the card at `at` from the front is in, as (first, end) from the front; None if its
    order is settled.
    """
    size = len(state.Z[slot])
    depth = size - 1 - at
    for low, high in state.loose[slot]:
        if low <= depth < high:
            return size - high, size - low
    return None


def settle(state: State, slot: int, at: int, card: int) -> None:
    """Chance has put `card` at place `at` from the front, an end of its unresolved stretch.

    Log: SETTLE, slot, card, place: no move, nobody sees it.
    """
    cards = state.Z[slot]
    was = cards.index(card)
    if was >= at:
        state.Z[slot] = (*cards[:at], card, *cards[at:was], *cards[was + 1 :])
    else:
        state.Z[slot] = (*cards[:was], *cards[was + 1 : at + 1], card, *cards[at + 1 :])
    depth = len(cards) - 1 - at
    left = [(low + (low == depth), high - (high - 1 == depth != low)) for low, high in state.loose[slot]]
    # Of two cards in no order one is left, and that has a place.
    state.loose[slot] = tuple([(low, high) for low, high in left if high - low > 1])
    state.log = (state.log, (SETTLE, slot, card, at))


def swap_cards(state: State, a: int, b: int) -> None:
    """Two cards change places, as one change. Log: SWAP, (a, slot of a), (b, slot of b), before."""
    slots = (state.L[a], state.L[b])
    if a == b:
        return
    for slot in set(slots):
        cards = tuple(b if c == a else a if c == b else c for c in state.Z[slot])
        state.Z[slot] = tuple(sorted(cards)) if state.game.layout.unordered[slot] else cards
    state.L[a], state.L[b] = slots[1], slots[0]
    _swapped(state, slots, (SWAP, (a,), (b,), slots))


def swap_zones(state: State, a: int, b: int) -> None:
    """Two zones change their contents, as one change. Log: SWAP, cards of a, cards of b, slots."""
    if a == b:
        return
    left, right = state.Z[a], state.Z[b]
    state.Z[a], state.Z[b] = _as_laid(state, right, a), _as_laid(state, left, b)
    unordered = state.game.layout.unordered
    state.loose[a], state.loose[b] = () if unordered[a] else state.loose[b], () if unordered[b] else state.loose[a]
    for card in left:
        state.L[card] = b
    for card in right:
        state.L[card] = a
    _swapped(state, (a, b), (SWAP, left, right, (a, b)))


def _as_laid(state: State, cards: tuple[int, ...], slot: int) -> tuple[int, ...]:
    return tuple(sorted(cards)) if state.game.layout.unordered[slot] else cards


def _swapped(state: State, slots: tuple[int, int], entry: tuple[object, ...]) -> None:
    state.log = (state.log, entry)
    for slot in slots:
        state.dirty |= state.game.zone_watches[slot]
    state.ticks += 1
