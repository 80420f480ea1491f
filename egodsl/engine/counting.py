"""Counting: what each of a number of cards may show, given that all faces lie somewhere.

For each card `possible` holds the faces it may show, as a bitmask. A sight narrows it, a mix makes it the same for all
that were mixed, and after sights it is narrowed to what some assignment of all faces to all cards allows (the
assignment that is really there is one, so the rest follows from the cycles through it). Of faces that several cards
show, `owed` holds how many are surely among which cards: a card that was shown and then mixed with others is still
among them.

Both are sound: no possible world is ever excluded. They are not complete: other relations between cards are lost at a
mix, and what is owed to cards that lie partly here and partly there is not counted together with the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Owed = tuple[frozenset[int], int]
"""So many cards of a face are among these, at least, besides those that are known for themselves."""


class Faces:
    """What the faces of cards may be, for one player. At first all are known."""

    __slots__ = ("bits", "copies", "face", "owed", "possible", "stale")

    def __init__(self, face: Sequence[int]) -> None:
        self.face = face
        """The face that each card really shows, by its number."""
        self.bits = [1 << number for number in face]
        self.copies = [face.count(number) for number in range(max(face, default=-1) + 1)]
        self.possible = self.bits[:]
        self.owed: dict[int, tuple[Owed, ...]] = {}
        self.stale = False

    def copy(self) -> Faces:
        """An independent copy."""
        made = Faces.__new__(Faces)
        made.face, made.bits, made.copies, made.stale = self.face, self.bits, self.copies, self.stale
        made.possible, made.owed = self.possible[:], self.owed.copy()
        return made

    # ------------------------------------------------------------ sights and mixes

    def narrow(self, card: int, faces: int) -> bool:
        """The card shows one of the faces. Whether that is news."""
        now = self.possible[card] & faces
        if now == self.possible[card]:
            return False
        self.possible[card] = now
        self.stale = True
        return True

    def mix(self, group: frozenset[int]) -> bool:
        """The cards of the group can no longer be told apart. Whether everything that is uncertain is among them now.

        Then whatever was uncertain before is uncertain in the same way after.
        """
        if self.stale:
            self._settle()
        possible = self.possible
        faces = 0
        for card in group:
            faces |= possible[card]
        if faces & (faces - 1):
            self._owe(group)
            for card in group:
                possible[card] = faces
        whole = all(not m & (m - 1) or card in group for card, m in enumerate(possible))
        if whole:
            self.owed.clear()
        return whole

    def _owe(self, group: frozenset[int]) -> None:
        # Cards that are known come to be among the group. Where there are others of the face, `possible` cannot hold
        # that.
        known: dict[int, int] = {}
        face = self.face
        for card in group:
            if not self.possible[card] & (self.possible[card] - 1):
                known[face[card]] = known.get(face[card], 0) + 1
        for number in {*known, *self.owed}:
            if self.copies[number] > 1:
                owed = merged(self.owed.get(number, ()), group, known.get(number, 0))
                if owed:
                    self.owed[number] = owed

    def _settle(self) -> None:
        self.stale = False
        self._match()
        while self._settle_owed():
            self._match()

    def _match(self) -> None:
        # Cards with the same possible faces are one class. A face may be in a class if it is there now, or if it can
        # come there by a cycle of exchanges: the class gives a face to another that may hold it, which gives one on.
        kept = self._kept_apart(None)
        present: dict[int, int] = {}
        for card, faces in enumerate(self.possible):
            if faces & (faces - 1) and card not in kept:
                present[faces] = present.get(faces, 0) | self.bits[card]
        narrowed: dict[int, int] = {}
        for faces, there in present.items():
            reached, grown = there, -1
            while grown != reached:
                grown = reached
                for other, its in present.items():
                    if other & reached:
                        reached |= its
            narrowed[faces] = faces & reached
        extra: dict[int, int] = {}
        for number, cards in kept.values():
            for card in cards:
                extra[card] = extra.get(card, 0) | 1 << number
        self.possible = [narrowed.get(faces, faces) | extra.get(card, 0) for card, faces in enumerate(self.possible)]

    def _kept_apart(self, among: set[int] | None) -> dict[int, tuple[int, frozenset[int]]]:
        """Cards that stand for what is owed: each with its face, and the cards any of which it may be.

        Among cards that may show the same faces it does not matter which of them do. With `among`, only what is owed
        wholly inside or wholly outside of it.
        """
        kept: dict[int, tuple[int, frozenset[int]]] = {}
        face = self.face
        for number, owed in self.owed.items():
            for cards, count in disjoint(owed):
                if len({self.possible[card] for card in cards}) > 1:
                    continue
                if among is not None and not cards <= among and not among.isdisjoint(cards):
                    continue
                showing = [card for card in cards if face[card] == number]
                kept.update((card, (number, cards)) for card in showing[:count])
        return kept

    def _settle_owed(self) -> bool:
        """Whether what is owed tells more of what some card may be."""
        possible = self.possible
        changed = False
        for number, owed in list(self.owed.items()):
            bit = 1 << number
            kept: list[Owed] = []
            for cards, count in owed:
                left = frozenset(card for card in cards if possible[card] & bit and possible[card] != bit)
                due = count - sum(possible[card] == bit for card in cards)
                if due == len(left) > 0:
                    changed = True
                    for card in left:
                        possible[card] = bit
                elif due > 0:
                    kept.append((left, due))
            self.owed[number] = tuple(dict.fromkeys(kept))
            if not kept:
                del self.owed[number]
                continue
            apart = disjoint(self.owed[number])
            if sum(faces == bit for faces in possible) + sum(count for _, count in apart) == self.copies[number]:
                there = frozenset().union(*(cards for cards, _ in apart))
                for card, faces in enumerate(possible):
                    if faces & bit and faces != bit and card not in there:
                        possible[card] = faces & ~bit
                        changed = True
        return changed

    def knows(self, card: int) -> bool:
        """Whether the player knows which face the card shows."""
        if self.stale:
            self._settle()
        return not self.possible[card] & (self.possible[card] - 1)

    def certain(self, cards: Iterable[int]) -> dict[int, int]:
        """How many cards of each face (by its number in the layout) are surely among these, whatever the player does
        not know.
        """
        if self.stale:
            self._settle()
        among = set(cards)
        kept = self._kept_apart(among)
        # (inside, possible faces) -> how many of each face, of cards that are not known for themselves.
        classes: dict[tuple[bool, int], dict[int, int]] = {}
        sure: dict[int, int] = {}
        for card, faces in enumerate(self.possible):
            face = self.face[card]
            if faces & (faces - 1) and card not in kept:
                held = classes.setdefault((card in among, faces), {})
                held[face] = held.get(face, 0) + 1
            elif card in among:
                sure[face] = sure.get(face, 0) + 1
        inside = {face for (within, _), held in classes.items() if within for face in held}
        for face in sorted(inside):
            split = [
                (cards, count - len(cards - among))
                for cards, count in self.owed.get(face, ())
                if not cards <= among and not any(cards & its for number, its in kept.values() if number == face)
            ]
            owed = sum(count for _, count in disjoint(one for one in split if one[1] > 0))
            least = max(_least_inside(classes, face), owed)
            if least:
                sure[face] = sure.get(face, 0) + least
        return sure


def disjoint(owed: Iterable[Owed]) -> list[Owed]:
    """Some of them that share no card, the smallest first."""
    chosen: list[Owed] = []
    met: set[int] = set()
    for cards, count in sorted(owed, key=lambda one: (len(one[0]), -one[1])):
        if met.isdisjoint(cards):
            met |= cards
            chosen.append((cards, count))
    return chosen


def merged(owed: Iterable[Owed], group: frozenset[int], known: int) -> tuple[Owed, ...]:
    """What is owed of a face after the group was mixed, in which so many cards of it were known."""
    touched = [one for one in owed if not group.isdisjoint(one[0])]
    inside = disjoint(one for one in touched if one[0] <= group)
    made = [one for one in owed if group.isdisjoint(one[0])]
    total = known + sum(count for _, count in inside)
    if total:
        made.append((group, total))
    for cards, count in touched:
        if not cards <= group:
            more = sum(k for others, k in inside if cards.isdisjoint(others))
            made.append((cards | group, count + known + more))
    return tuple(dict.fromkeys(made))


def _least_inside(classes: dict[tuple[bool, int], dict[int, int]], face: int) -> int:
    """The fewest cards of the face that can be inside: as many as possible are exchanged to the outside, along
    augmenting paths.
    """
    keys = list(classes)
    held = [dict(classes[key]) for key in keys]
    bit = 1 << face
    most = sum(h.get(face, 0) for key, h in zip(keys, held, strict=True) if key[0])
    if not any(faces & bit for within, faces in keys if not within):
        return most
    left = most
    while left:
        moved = _exchange(keys, held, face)
        if not moved:
            break
        left -= moved
    return left


def _exchange(keys: list[tuple[bool, int]], held: list[dict[int, int]], face: int) -> int:
    # Breadth first from the classes inside that give the face away: each takes a face that it may hold from the next,
    # the last is outside and takes the face itself.
    bit = 1 << face
    parent: dict[int, tuple[int, int]] = {}
    queue = [k for k, key in enumerate(keys) if key[0] and held[k].get(face, 0)]
    roots = set(queue)
    for k in queue:
        within, faces = keys[k]
        if not within and faces & bit:
            return _shift(held, parent, k, face)
        for other, there in enumerate(held):
            if other in roots or other in parent:
                continue
            for given, count in there.items():
                if count and faces & (1 << given) and (given != face or not (within or keys[other][0])):
                    parent[other] = (k, given)
                    queue.append(other)
                    break
    return 0


def _shift(held: list[dict[int, int]], parent: dict[int, tuple[int, int]], last: int, face: int) -> int:
    # As many at once as every class on the path can give.
    k = last
    most = sum(h.get(face, 0) for h in held)
    while k in parent:
        taker, given = parent[k]
        most = min(most, held[k][given])
        k = taker
    most = min(most, held[k][face])
    k = last
    held[k][face] = held[k].get(face, 0) + most
    while k in parent:
        taker, given = parent[k]
        held[k][given] -= most
        held[taker][given] = held[taker].get(given, 0) + most
        k = taker
    held[k][face] -= most
    return most
