"""Drawing a world that a player cannot tell from the real one.

The worlds that a player cannot tell apart differ in which face hangs on which thread (see `tracking`): at each mix the
faces that come in go out again in any order, as long as every later sight shows what the player saw. A world is drawn
by a Gibbs sampler that starts from the real one: mix by mix, the last first, the faces that came to it are laid anew on
the threads that leave it, each way as likely, given what was drawn for the rest; a few times over. So worlds come near
to uniform over the ways that chance and choices could have gone if every card had been as likely to be chosen. (Cards
that the others chose for a reason are not weighed by it.)

Where of any two sights that a mix must meet one tells more than the other, or they have nothing in common (that is,
always unless facts overlap), the draw is exact; otherwise it is made by exchanges of pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from egodsl.engine.rng import Random
    from egodsl.engine.tracking import Step, Tracker

Change = tuple[int, list[tuple[int, int]]]
"""(number of the entry of a mix, (thread, card that leaves on it) of all its threads)."""


class Routes:
    """Which face goes where at each mix. `orders[k][j]` of a mix: the card that leaves on its j-th thread is the one
    that came on that thread.
    """

    def __init__(self, tracker: Tracker) -> None:
        steps: list[Step] = []
        chain = tracker.steps
        while chain is not None:
            chain, step = chain
            steps.append(step)
        steps.reverse()
        self.steps = steps
        self.bits = tracker.faces.bits
        self.every = 0
        for bit in self.bits:
            self.every |= bit
        self.orders = [list(range(len(cards))) if not faces else [] for _, cards, faces in steps]

    def sweep(self, random: Random) -> None:
        """Draw every mix anew, the last first."""
        came = self._arrivals()
        need = [self.every] * len(self.bits)
        for k in range(len(self.steps) - 1, -1, -1):
            _, cards, faces = self.steps[k]
            if faces:
                need[cards[0]] &= faces
                continue
            wanted = [need[card] for card in cards]
            order = self.orders[k] = self._draw(came[k], wanted, self.orders[k], random)
            for j, i in enumerate(order):
                need[cards[i]] = wanted[j]

    def _arrivals(self) -> list[list[int]]:
        came: list[list[int]] = []
        now = list(range(len(self.bits)))
        for (_, cards, faces), order in zip(self.steps, self.orders, strict=True):
            here = [now[card] for card in cards] if not faces else []
            came.append(here)
            for j, i in enumerate(order):
                now[cards[j]] = here[i]
        return came

    def _draw(self, came: list[int], wanted: list[int], order: list[int], random: Random) -> list[int]:
        bits = self.bits
        present = 0
        for card in came:
            present |= bits[card]
        single: dict[int, list[int]] = {}
        wider: dict[int, list[int]] = {}
        for j, faces in enumerate(wanted):
            within = faces & present
            (wider if within & (within - 1) else single).setdefault(within, []).append(j)
        smallest_first = sorted(wider, key=int.bit_count)
        if not _nested(smallest_first):
            return self._exchange(came, wanted, order[:], random)
        # However the smaller wishes are met, the larger ones can be met in as many ways: each way is as likely.
        made = order[:]
        waiting = list(range(len(came)))
        _mix_up(waiting, random)
        left: list[int] = []
        for i in waiting:
            places = single.get(bits[came[i]])
            if places:
                made[places.pop()] = i
            else:
                left.append(i)
        for faces in smallest_first:
            places = wider[faces]
            waiting, left = left, []
            for i in waiting:
                if places and bits[came[i]] & faces:
                    made[places.pop()] = i
                else:
                    left.append(i)
        return made

    def _exchange(self, came: list[int], wanted: list[int], order: list[int], random: Random) -> list[int]:
        bits = self.bits
        size = len(order)
        for _ in range(2 * size * size.bit_length()):
            a, b = random.below(size), random.below(size)
            if bits[came[order[a]]] & wanted[b] and bits[came[order[b]]] & wanted[a]:
                order[a], order[b] = order[b], order[a]
        return order

    def changes(self) -> list[Change]:
        """What became of each mix, in order."""
        came = self._arrivals()
        return [
            (step[0], [(step[1][j], here[i]) for j, i in enumerate(order)])
            for step, here, order in zip(self.steps, came, self.orders, strict=True)
            if not step[2]
        ]


def _nested(wishes: list[int]) -> bool:
    """Whether of any two of them one holds the other, or they have nothing in common; the smaller come first."""
    return all(a & b in (0, a) for k, a in enumerate(wishes) for b in wishes[k + 1 :])


_WIDE = 1 << 62


def _mix_up(values: list[int], random: Random) -> None:
    """Put them in an order at random, each as likely: one draw serves for as many steps as fit into it."""
    k = len(values) - 1
    while k > 0:
        least, span = k, k + 1
        while least > 1 and span * least < _WIDE:
            span *= least
            least -= 1
        drawn = random.below(span)
        while k >= least:
            drawn, j = divmod(drawn, k + 1)
            values[k], values[j] = values[j], values[k]
            k -= 1


class World:
    """Which card took the place of which, at any time.

    A name that was given to a card before a mix goes on meaning that card, whichever thread it has left on.
    """

    def __init__(self, changes: list[Change], cards: int) -> None:
        self.changes = changes
        self.numbers = list(range(cards))
        """By thread, as it is now."""
        for _, leaving in changes:
            for thread, card in leaving:
                self.numbers[thread] = card

    def at(self, thread: int, entry: int) -> int:
        """The card on the thread when the entry of that number was written."""
        found = thread
        for number, leaving in self.changes:
            if number > entry:
                break
            for one, card in leaving:
                if one == thread:
                    found = card
        return found


class Then:
    """The numbers of cards as they were when each was last singled out, or at one time for all."""

    def __init__(self, world: World, times: dict[int, int] | int) -> None:
        self._world = world
        self._times = times

    def __getitem__(self, thread: int, /) -> int:
        time = self._times if isinstance(self._times, int) else self._times.get(thread)
        return self._world.numbers[thread] if time is None else self._world.at(thread, time)
