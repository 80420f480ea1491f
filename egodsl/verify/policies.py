"""How random games are played when they are to find something: half of them toward what is rarely done."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from egodsl.engine import identity
from egodsl.engine.rng import below

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.state import State
    from egodsl.verify.explore import Choice

_RARELY = 2
"""In a game that goes for what is rare, one decision in so many is made at random."""
_PLAINLY = 8
"""Where chance is to have its first outcome, it has any in one event of so many."""


class Explorer:
    """Chooses at random from the state `rng` of the generator. Chance has its own probabilities.

    `rare`: whether to prefer what has been done least, by the decision and the option; the counts go on from game to
    game. `plain`: whether chance is to have the first of its outcomes, most of the time.
    """

    def __init__(self, rng: int) -> None:
        self.rng = rng
        self.rare = False
        self.plain = False
        self._done: Counter[tuple[int, int]] = Counter()

    def __call__(self, state: State, found: Sequence[Choice]) -> int:
        """The number of a choice."""
        if found[0][0] < 0:
            return self._by_chance(state, found)
        player = found[0][0]
        site = state.branches.get(player, state).site
        assert site is not None
        k = self._below(len(found))
        if self.rare and self._below(_RARELY):
            fewest = min(self._done[site.index, raw[0]] for _, raw in found)
            rare = [i for i, (_, raw) in enumerate(found) if self._done[site.index, raw[0]] == fewest]
            k = rare[self._below(len(rare))]
        self._done[site.index, found[k][1][0]] += 1
        return k

    def _by_chance(self, state: State, found: Sequence[Choice]) -> int:
        # One of each kind stands for all of the kind: a candidate is drawn, and its kind is what happens.
        assert state.chance_at is not None
        if self.plain and self._below(_PLAINLY):
            return 0
        site, candidates = state.chance_at
        k = self._below(len(candidates))
        if len(found) in {1, len(candidates)}:
            return min(k, len(found) - 1)
        keys = identity.chance_keys(state, site.type, candidates)
        return list(dict.fromkeys(keys)).index(keys[k])

    def _below(self, n: int) -> int:
        k, self.rng = below(self.rng, n)
        return k
