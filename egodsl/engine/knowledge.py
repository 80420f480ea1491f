"""What players know: views, observations, and dealing anew what a player cannot know.

All of it is derived from the log when somebody asks; playing on costs nothing for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.observing import Observation, observations
from egodsl.engine.redealing import redeal
from egodsl.engine.tracking import tracker_of
from egodsl.engine.views import VariableView, View, ZoneView, view

if TYPE_CHECKING:
    from egodsl.engine.state import State


def knows(state: State, player: int, card: int) -> bool:
    """Whether the player knows which face the card (by its number) shows: they see it, or have followed it."""
    tracker = tracker_of(state, player)
    table = state.branches.get(player, state)
    return tracker.seen[table.L[card]] or tracker.faces.knows(card)


__all__ = ["Observation", "VariableView", "View", "ZoneView", "knows", "observations", "redeal", "view"]
