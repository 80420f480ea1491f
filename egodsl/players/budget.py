"""How long a player may think about one decision.

Nothing below the command line reads the clock: whoever wants a time limit brings a budget that does.
"""

from __future__ import annotations

from collections.abc import Callable

Budget = Callable[[int], bool]
"""Asked before each playout with how many there have been for this decision, from 0; says whether to make another."""

DEFAULT_PLAYOUTS = 100


def playouts(most: int) -> Budget:
    """A budget of so many playouts for each decision (0 or more). The same decisions follow from the same seed."""

    def has_more(made: int) -> bool:
        return made < most

    return has_more
