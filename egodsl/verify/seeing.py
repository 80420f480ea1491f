"""Which cards a player knows by their faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.table import loose_at
from egodsl.engine.tracking import tracker_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.state import State


def seen_of(state: State, player: int, cards: Iterable[int]) -> tuple[list[int], list[int]]:
    """The cards whose faces the player knows where they lie, and the others.

    In a set that is hidden from the player it counts whether such a face is surely among its cards, whichever shows it.
    """
    tracker = tracker_of(state, player)
    table = state.branches.get(player, state)
    layout = state.game.layout
    certain: dict[int, dict[int, int]] = {}
    seen: list[int] = []
    hidden: list[int] = []
    for card in sorted(cards):
        slot = table.L[card]
        if layout.slots[slot].seen_by(player):
            known = True
        elif layout.unordered[slot]:
            left = certain.setdefault(slot, tracker.faces.certain(table.Z[slot]))
            known = left.get(layout.look[card], 0) > 0
            left[layout.look[card]] = left.get(layout.look[card], 0) - 1
        else:
            known = loose_at(table, slot, table.Z[slot].index(card)) is None and tracker.faces.knows(card)
        (seen if known else hidden).append(card)
    return seen, hidden
