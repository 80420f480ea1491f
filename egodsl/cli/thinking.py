"""How long a computer player may think, by the clock."""

from __future__ import annotations

import time

import attrs


@attrs.define
class TimeLimit:
    """A budget (see `egodsl.players.budget`) of so many milliseconds for each decision.

    One playout is always made, since a player with no time at all could as well play at random. What a player decides
    within it depends on how fast the machine is.
    """

    milliseconds: int
    _end: float = attrs.field(default=0.0, init=False)

    def __call__(self, made: int) -> bool:
        """Whether there is time for another playout, after `made` of them for this decision."""
        now = time.monotonic()
        if made == 0:
            self._end = now + self.milliseconds / 1000
            return True
        return now < self._end
