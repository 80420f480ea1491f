"""The order of shuffled piles at two positions of one game: what was drawn in between tells how the pile lay before.

A pile has no order until somebody takes from it (see `egodsl.engine.table`), so the earlier position by itself does not
say what its first card is. Once the card was drawn it is known, and a property that compares the two must see that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine.table import MIX, MOVE, SETTLE, SWAP
from egodsl.verify.reader import settled

if TYPE_CHECKING:
    from egodsl.engine.state import State

_Place = list[int]
"""A place in a pile: the card that lies there, or none while nothing tells."""


def settled_before(before: State, state: State) -> State:
    """A copy of an earlier position in which its piles have an order that goes with all that happened up to `state`,
    whose piles have one (as `settled` gives it). The position itself where it has no open order.
    """
    if not any(before.loose):
        return before
    entries = _since(before, state)
    if entries is None:
        return settled(before, 0)
    places = _places(before)
    walked = [list(slot) for slot in places]
    layouts = [slot.layout for slot in before.game.layout.slots]
    for entry in entries:
        _follow(walked, entry, layouts)
    for slot, lying in enumerate(walked):
        cards = state.Z[slot]
        if len(lying) == len(cards):
            for place, card in zip(lying, cards, strict=True):
                if not place:
                    place.append(card)
    copy = before.clone()
    drawn = settled(before, 0)
    for slot, pile in enumerate(places):
        copy.Z[slot] = _filled(pile, drawn.Z[slot])
    return copy


def _since(before: State, state: State) -> list[tuple[Any, ...]] | None:
    """What happened since, in order; None where the one is not the past of the other."""
    found: list[tuple[Any, ...]] = []
    log = state.log
    while log is not before.log:
        if not isinstance(log, tuple):
            return None
        log, entry = log
        found.append(entry)
    found.reverse()
    return found


def _places(state: State) -> list[list[_Place]]:
    found = []
    for cards, loose in zip(state.Z, state.loose, strict=True):
        size = len(cards)
        open_ = {size - 1 - depth for low, high in loose for depth in range(low, high)}
        found.append([[] if at in open_ else [card] for at, card in enumerate(cards)])
    return found


def _follow(piles: list[list[_Place]], entry: tuple[Any, ...], layouts: list[str]) -> None:
    """What an entry of the log does to the places. Only piles matter: where a card lies in a set is of no interest."""
    kind = entry[0]
    if kind == SETTLE:
        _, slot, card, at = entry
        if at < len(piles[slot]) and not piles[slot][at]:
            piles[slot][at].append(card)
    elif kind == MIX:
        piles[entry[1]] = [[] for _ in piles[entry[1]]]
    elif kind == MOVE:
        _, cards, sources, slot = entry
        whole = len(set(sources)) == 1 and len(cards) == len(piles[sources[0]])
        moving = piles[sources[0]] if whole else [_taken(piles[s], c) for c, s in zip(cards, sources, strict=True)]
        if whole:
            piles[sources[0]] = []
        piles[slot] = [*moving, *piles[slot]] if layouts[slot] == "stack" else [*piles[slot], *moving]
    elif kind == SWAP:
        for slot in entry[3]:
            piles[slot] = [[] for _ in piles[slot]]


def _taken(pile: list[_Place], card: int) -> _Place:
    at = next((k for k, place in enumerate(pile) if place == [card]), None)
    if at is None:
        at = next((k for k, place in enumerate(pile) if not place), None)
    if at is None:
        return [card]
    place = pile.pop(at)
    if not place:
        place.append(card)
    return place


def _filled(pile: list[_Place], drawn: tuple[int, ...]) -> tuple[int, ...]:
    """The pile with the cards that are told where they are told, and the others as they were drawn."""
    taken: set[int] = set()
    kept: list[int] = []
    lying = set(drawn)
    for place in pile:
        fits = bool(place) and place[0] in lying and place[0] not in taken
        kept.append(place[0] if fits else -1)
        taken.update(place if fits else ())
    rest = iter([card for card in drawn if card not in taken])
    return tuple(next(rest) if card < 0 else card for card in kept)
