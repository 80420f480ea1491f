"""Values at run time.

A whole number, an enum value, a player (from 0), a team (from 0) and a card (its number) are Python ints; which it is,
the static type tells.
A set is a frozenset, or a sorted tuple where it is the content of a set zone; a row is a tuple, a stack's first is its
top. `none` is None. A
face is a `Face`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.state import State

Value = Any


class _Unset:
    """What a variable holds before it is first written."""

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Final = _Unset()


@attrs.frozen
class Face:
    """What a card shows. `ids`: the cards whose fields agree; `marks`: (first variable slot, value) of the marks it
    names.

    `values` are the fields in order; ANY where the face leaves one out.
    """

    card_type: int
    values: tuple[Value, ...]
    ids: frozenset[int] = attrs.field(eq=False)
    marks: tuple[tuple[int, Value], ...] = ()

    def shown_by(self, state: State, card: int | None) -> bool:
        """Whether the card shows this face now."""
        if card not in self.ids:
            return False
        return all(state.V[base + card] == value for base, value in self.marks)


class _Any:
    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "ANY"


ANY: Final = _Any()


def sort_key(value: Value) -> tuple[Any, ...]:
    """An order of all values of one type: numbers upward, sets by their sorted members, faces by the cards that show
    them, none first.
    """
    if value is None or value is UNSET:
        return (0, value is UNSET)
    if isinstance(value, int):
        return (1, value)
    if isinstance(value, frozenset):
        return (2, len(value), sorted(map(sort_key, value)))
    if isinstance(value, Face):
        return (4, sorted(value.ids), [(base, sort_key(mark)) for base, mark in value.marks])
    return (3, len(value), tuple(map(sort_key, value)))


def in_order(values: Iterable[Value]) -> list[Value]:
    """The members of a set in the fixed order of loops: players from the first seat, numbers upward, enums and cards
    as declared.
    """
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=sort_key)


def in_order_of_sets(values: Iterable[Value]) -> list[Value]:
    """As `in_order`, for sets of sets (`<` between sets is inclusion, which is not an order)."""
    return sorted(values, key=sort_key)


def in_order_of_flat_sets(values: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """As `in_order_of_sets`, for sets of numbers, none of which is `none`."""
    return sorted(values, key=_flat_key)


def _flat_key(value: frozenset[int]) -> tuple[int, list[int]]:
    # The order of `sort_key` without its wrappings.
    return (len(value), sorted(value))


def same_cards(state: State, cards: Iterable[int], faces: Iterable[Face]) -> bool:
    """Whether the cards show the faces, each face by a card of its own (a set against braces of faces)."""
    left = list(cards)
    wanted = list(faces)
    if len(left) != len(wanted):
        return False
    fits = [[i for i, card in enumerate(left) if face.shown_by(state, card)] for face in wanted]
    taken: dict[int, int] = {}

    def place(k: int, seen: set[int]) -> bool:
        for i in fits[k]:
            if i not in seen:
                seen.add(i)
                if i not in taken or place(taken[i], seen):
                    taken[i] = k
                    return True
        return False

    return all(place(k, set()) for k in range(len(wanted)))


def same_row(state: State, cards: Iterable[int], faces: Iterable[Face]) -> bool:
    """Whether the cards show the faces in order (a stack's first is its top)."""
    left, wanted = list(cards), list(faces)
    return len(left) == len(wanted) and all(face.shown_by(state, card) for card, face in zip(left, wanted, strict=True))
