"""Whether what a scenario writes is what a move or chance event is about.

Cards are written by their faces or places, sets by their members.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.analysis.relations import accepts, plain
from egodsl.engine.decisions import place_key
from egodsl.engine.values import Face, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.state import State


def fits(state: State, written: Value, kind: t.Type, candidate: Value, wanted: t.Type) -> bool:
    """Whether the written value (of type `kind`) stands for the candidate (of type `wanted`)."""
    kind, wanted = plain(kind), plain(wanted)
    if written is None or candidate is None:
        return written is candidate
    match wanted:
        case t.CardType():
            return _fits_card(state, written, kind, candidate)
        case t.RowType() if isinstance(kind, t.RowType):
            inner, of = kind.inner, wanted.inner
            rows = list(written), list(candidate)
            pairs = zip(*rows, strict=False)
            return len(rows[0]) == len(rows[1]) and all(fits(state, a, inner, b, of) for a, b in pairs)
        case t.SetType() | t.RowType():
            if not isinstance(kind, t.SetType | t.RowType):
                return False
            inner, of = kind.inner, wanted.inner
            members = list(candidate)
            choices = [[i for i, one in enumerate(members) if fits(state, w, inner, one, of)] for w in written]
            return len(choices) == len(members) and None not in pair_up(choices)
        case t.TupleType():
            if not isinstance(kind, t.TupleType) or len(kind.items) != len(wanted.items):
                return False
            parts = zip(written, kind.items, candidate, wanted.items, strict=True)
            return all(fits(state, a, one, b, other) for a, one, b, other in parts)
        case _:
            return accepts(wanted, kind) and bool(written == candidate)


def _fits_card(state: State, written: Value, kind: t.Type, card: int) -> bool:
    if isinstance(written, Face):
        return written.shown_by(state, card)
    slot = state.L[card]
    if isinstance(kind, t.CardType):
        nothing_named: frozenset[int] = frozenset()
        same_place = state.L[written] == slot and state.game.layout.unordered[slot]
        return bool(
            written == card
            or (same_place and place_key(state, written, nothing_named) == place_key(state, card, nothing_named))
        )
    if isinstance(kind, t.IntType) and state.game.layout.slots[slot].layout in {"row", "stack"}:
        return state.Z[slot].index(card) + 1 == int(written)
    return False


def pair_up(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each, one of its choices, no choice twice; None for those that are left over (as few as can be)."""
    taken: dict[int, int] = {}

    def place(k: int, tried: set[int]) -> bool:
        for choice in choices[k]:
            if choice not in tried:
                tried.add(choice)
                if choice not in taken or place(taken[choice], tried):
                    taken[choice] = k
                    return True
        return False

    for k in sorted(range(len(choices)), key=lambda k: len(choices[k])):
        place(k, set())
    found: list[int | None] = [None] * len(choices)
    for choice, k in taken.items():
        found[k] = choice
    return found
