"""The functions that generated code calls, and the namespace it runs in.

Places are spans: they name the rule in a fault.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NoReturn

from egodsl.engine import patterns
from egodsl.engine.faults import Fault
from egodsl.engine.values import (
    ANY,
    UNSET,
    Face,
    Value,
    in_order,
    in_order_of_flat_sets,
    in_order_of_sets,
    same_cards,
    same_row,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from egodsl.engine.layout import Layout
    from egodsl.engine.state import State
    from egodsl.source.span import Span


def some(value: Value, place: Span) -> Value:
    """The value, which may not be none here."""
    if value is None:
        raise Fault("EGO704", place, f"`{place.text}` is none here", "ask for `!= none` first")
    return value


def written(value: Value, place: Span) -> Value:
    """The value of a variable, which must have been written."""
    if value is UNSET:
        raise Fault(
            "EGO709", place, f"`{place.text}` is read before it has a value", "give the variable an initial value"
        )
    return value


def bound(value: Value, place: Span) -> Value:
    """The value of a name that was bound in a part that play may not have come through."""
    if value is None:
        raise Fault("EGO709", place, f"`{place.text}` has no value: the part that binds it was not played")
    return value


def item(row: Sequence[Value], index: int, place: Span) -> Value:
    """The n-th of a row or tuple, from 1."""
    if not 1 <= index <= len(row):
        raise Fault("EGO704", place, f"there is no number {index} in `{place.text}`: it has {len(row)}")
    return row[index - 1]


def within(offset: int, size: int, place: Span) -> int:
    """An index that counts from 0, inside its domain."""
    if not 0 <= offset < size:
        raise Fault("EGO704", place, f"`{place.text}` has no such index")
    return offset


def position(domain: tuple[Value, ...], value: Value, place: Span) -> int:
    """Where the value stands in the domain of an index."""
    if value not in domain:
        raise Fault("EGO704", place, f"`{place.text}` has no such index")
    return domain.index(value)


def first_card(cards: Sequence[int], place: Span) -> int:
    """The top of a pile or the front of a row."""
    if not cards:
        raise Fault("EGO702", place, f"`{place.text}`: there is no card", "ask for `not empty(...)` first")
    return cards[0]


def last_card(cards: Sequence[int], place: Span) -> int:
    """The bottom of a pile or the back of a row."""
    if not cards:
        raise Fault("EGO702", place, f"`{place.text}`: there is no card", "ask for `not empty(...)` first")
    return cards[-1]


def divide(a: int, b: int, place: Span) -> int:
    if b == 0:
        raise Fault("EGO712", place, f"`{place.text}` divides by zero")
    return a // b


def modulo(a: int, b: int, place: Span) -> int:
    if b == 0:
        raise Fault("EGO712", place, f"`{place.text}` divides by zero")
    return a % b


def extreme(values: Iterable[Value], biggest: int, place: Span) -> Value:
    """The greatest or least of the values, of which there must be one."""
    found = list(values)
    if not found:
        raise Fault(
            "EGO704",
            place,
            f"`{place.text}` is asked of nothing",
            "put a default into the set, as in `most({0} | ...)`",
        )
    return max(found) if biggest else min(found)


def prefer(candidates: list[Value], holds: Callable[[Value], bool]) -> list[Value]:
    """Those for which it holds, or all of them if there are none (`if able`)."""
    return [c for c in candidates if holds(c)] or candidates


def best(candidates: list[Value], keys: Iterable[tuple[Callable[[Value], Value], int]]) -> list[Value]:
    """The candidates that are first by the keys in turn; several where they are equal in all."""
    for key, sign in keys:
        if len(candidates) < 2:  # noqa: PLR2004 - one cannot be tied
            break
        scores = [key(c) for c in candidates]
        wanted = max(scores) if sign > 0 else min(scores)
        candidates = [c for c, score in zip(candidates, scores, strict=True) if score == wanted]
    return candidates


def the(candidates: list[Value], keys: Iterable[tuple[Callable[[Value], Value], int]], place: Span) -> Value:
    """The one candidate that is first by the keys; a fault where there is none or a tie is left."""
    found = best(candidates, keys)
    if len(found) != 1:
        why = "there is none" if not found else f"{len(found)} are equal"
        raise Fault("EGO708", place, f"`{place.text}` names no single one: {why}", "add a key, or `at random`")
    return found[0]


def no_case(place: Span) -> NoReturn:
    raise Fault("EGO704", place, "no case of this define holds", "end the cases with `... otherwise`")


def face_among(state: State, face: Face, cards: Iterable[int]) -> bool:
    """Whether one of the cards shows the face."""
    return any(face.shown_by(state, card) for card in cards)


def shows_one_of(state: State, card: int | None, faces: Iterable[Face]) -> bool:
    """Whether the card shows one of the faces."""
    return any(face.shown_by(state, card) for face in faces)


def without_faces(state: State, cards: frozenset[int], faces: Iterable[Face]) -> frozenset[int]:
    """The cards less one card for each of the faces."""
    left = set(cards)
    for face in faces:
        for card in in_order(left):
            if face.shown_by(state, card):
                left.discard(card)
                break
    return frozenset(left)


def cards_showing(state: State, faces: Iterable[Face], place: Span) -> list[int]:
    """For each face in order a card that shows it, no card twice; a fault where there are too few."""
    wanted = list(faces)
    found: dict[int, int] = {}
    # The face that fewest cards show chooses first: one that leaves out a field must not take another's only card.
    for k in sorted(range(len(wanted)), key=lambda k: len(wanted[k].ids)):
        taken = set(found.values())
        card = next((c for c in sorted(wanted[k].ids) if c not in taken and wanted[k].shown_by(state, c)), None)
        if card is None:
            raise Fault("EGO702", place, f"`{place.text}`: there are no such cards")
        found[k] = card
    return [found[k] for k in range(len(wanted))]


def active(state: State) -> int:
    """The player on turn in the innermost `turns`; the first seat outside any."""
    return state.turns[-1][1] if state.turns else 0


def next_player(state: State) -> int:
    """Who is to be on turn next in the innermost `turns`."""
    return state.turns[-1][2] if state.turns else 0


_MOST_KEPT = 200_000


def kept(function: Callable[..., Value]) -> Callable[..., Value]:
    """The function, with its values kept by its (scalar) arguments, which have finite types."""
    return functools.lru_cache(maxsize=_MOST_KEPT)(function)


def last_of(row: Sequence[Value], n: int) -> tuple[Value, ...]:
    """The last n of a row (all of it where it is shorter)."""
    return tuple(row)[max(0, len(row) - max(0, n)) :]


def namespace(layout: Layout) -> dict[str, Any]:
    """A fresh namespace for the generated code of one game."""
    players = tuple(range(layout.players))
    faces: dict[tuple[int, tuple[Value, ...]], Face] = {}

    def face(state: State | None, card_type: int, values: tuple[Value, ...]) -> Face:  # noqa: ARG001 - a uniform call
        made = faces.get((card_type, values))
        if made is None:
            kind = layout.types[card_type]
            plain = values[: len(kind.fields)]
            columns = list(kind.fields.values())
            ids = frozenset(
                c for c in kind.cards if all(w is ANY or col[c] == w for w, col in zip(plain, columns, strict=True))
            )
            marks = zip(kind.marks.values(), values[len(kind.fields) :], strict=True)
            made = Face(card_type, plain, ids, tuple((base, w) for base, w in marks if w is not ANY))
            faces[card_type, values] = made
        return made

    return {
        "PLAYERS": players,
        "OTHERS": tuple(tuple(q for q in players if q != p) for p in players),
        "TEAMS": tuple(range(layout.teams)),
        "TEAM_OF": tuple(layout.team(p) for p in players),
        "SEATS_OF": tuple(layout.seats_of(team) for team in range(layout.teams)),
        "N": layout.players,
        "FACE": layout.face,
        "UNORDERED": layout.unordered,
        "NO_CARD": (None,),
        "EMPTY": frozenset(),
        "ANY": ANY,
        "face": face,
        **{
            function.__name__: function
            for function in (
                some,
                bound,
                written,
                item,
                within,
                position,
                first_card,
                last_card,
                divide,
                modulo,
                extreme,
                prefer,
                best,
                the,
                no_case,
                last_of,
                face_among,
                shows_one_of,
                without_faces,
                active,
                next_player,
                in_order,
                in_order_of_flat_sets,
                in_order_of_sets,
                same_cards,
                same_row,
                cards_showing,
                patterns.subsets,
                patterns.groups,
                patterns.runs,
                patterns.packings,
                patterns.joined,
                patterns.in_a_row,
            )
        },
    }
