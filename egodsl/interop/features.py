"""Values of one type as a fixed number of numbers, with a label for each."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.table import loose_at
from egodsl.engine.values import Value, in_order
from egodsl.interop.encoding import domain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

MOST_HOT = 32
"""Numbers from a longer range are one scaled number, not one entry for each."""
ROW = 16
"""Members of a row that are told in order."""
UNBOUNDED = 1000
"""What a number without a bound is divided by."""

Numbers = MutableSequence[float]


@attrs.frozen
class Sight:
    """What a value is written for: the table, and the zones whose faces are seen."""

    table: State
    seen: Sequence[bool]


Write = Callable[[Numbers, int, Value, Sight], None]


@attrs.frozen
class Feature:
    """A stretch of numbers. `write(numbers, at, value, sight)` sets those from `at` on that are not 0."""

    labels: tuple[str, ...]
    write: Write

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.labels)


def feature_of(game: Game, kind: t.Type, bounds: tuple[int, int] | None = None) -> Feature:
    """How a value of the type is written. `bounds`: those of a number, where they are narrower than the type's."""
    match kind:
        case t.IntType():
            low, high = bounds or (kind.low, kind.high)
            return _number(game, kind, low, high)
        case t.BoolType() | t.PlayerType() | t.TeamType() | t.EnumType():
            return _hot([game.texts.value(value, kind) for value in domain(game, kind)], 0)
        case t.OptionalType():
            return _optional(feature_of(game, kind.inner, bounds))
        case t.CardType():
            return _card(game, kind)
        case t.SetType():
            return _set(game, kind)
        case t.RowType():
            return _row(game, kind)
        case t.TupleType():
            return _tuple([feature_of(game, item) for item in kind.items])
        case _:
            return Feature((), _nothing)


def _nothing(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
    # A text, or a value that nothing is known of, is no number.
    del numbers, at, value, sight


def _hot(texts: Sequence[str], low: int) -> Feature:
    def write(numbers: Numbers, at: int, value: Value, _: Sight) -> None:
        numbers[at + int(value) - low] = 1.0

    return Feature(tuple(f"is {text}" for text in texts), write)


def _number(game: Game, kind: t.IntType, low: int, high: int) -> Feature:
    if high - low < MOST_HOT:
        return _hot([game.texts.number(value, kind.label) for value in range(low, high + 1)], low)
    scale = scale_of(low, high)

    def write(numbers: Numbers, at: int, value: Value, _: Sight) -> None:
        numbers[at] = value / scale

    return Feature((f"/ {scale}",), write)


def scale_of(low: int, high: int) -> int:
    """What numbers of the range are divided by."""
    most = max(abs(low), abs(high))
    return UNBOUNDED if most >= t.WIDEST else max(most, 1)


def _optional(inner: Feature) -> Feature:
    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        if value is None:
            numbers[at] = 1.0
        else:
            inner.write(numbers, at + 1, value, sight)

    return Feature(("is none", *inner.labels), write)


def _tuple(parts: Sequence[Feature]) -> Feature:
    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        for part, member in zip(parts, value, strict=True):
            part.write(numbers, at, member, sight)
            at += part.size

    return Feature(tuple(f"{k + 1} {label}" for k, part in enumerate(parts) for label in part.labels), write)


def looks_of(game: Game, kind: t.CardType) -> dict[int, int]:
    """Place of each look among those of a card declaration."""
    of = next(k for k in game.layout.types if k.decl is kind.decl)
    found: dict[int, int] = {}
    for card in of.cards:
        found.setdefault(game.layout.look[card], len(found))
    return found


def look_texts(game: Game, kind: t.CardType) -> list[str]:
    """How each look is written, in the order of `looks_of`."""
    look = game.layout.look
    return [game.texts.card(look.index(number)) for number in looks_of(game, kind)]


def _card(game: Game, kind: t.CardType) -> Feature:
    # As people read it: a card that is seen by its look, another by its place, if it has one.
    looks = looks_of(game, kind)
    slots, cards = len(game.layout.slots), len(game.layout.card_type)

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        slot = sight.table.L[value]
        if sight.seen[slot]:
            numbers[at + 2 + looks[game.layout.look[value]]] = 1.0
        elif (place := _place_of(game, value, sight)) is not None:
            numbers[at], numbers[at + 1] = (slot + 1) / slots, (place + 1) / cards

    texts = look_texts(game, kind)
    return Feature((f"zone / {slots}", f"place / {cards}", *(f"is {text}" for text in texts)), write)


def _place_of(game: Game, card: int, sight: Sight) -> int | None:
    # The place of a card whose face is not seen, where it has one.
    slot = sight.table.L[card]
    if game.layout.unordered[slot]:
        return None
    place = sight.table.Z[slot].index(card)
    return place if loose_at(sight.table, slot, place) is None else None


def _set_of_cards(game: Game, kind: t.CardType) -> Feature:
    # Cards that are seen are counted by look; the others are told in the order of their places.
    looks = looks_of(game, kind)
    slots, cards = len(game.layout.slots), len(game.layout.card_type)

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        numbers[at] = len(value) / UNBOUNDED
        unseen = []
        for card in value:
            slot = sight.table.L[card]
            if sight.seen[slot]:
                numbers[at + 1 + looks[game.layout.look[card]]] += 1.0
            elif (place := _place_of(game, card, sight)) is not None:
                unseen.append(((slot + 1) / slots, (place + 1) / cards))
        begin = at + 1 + len(looks)
        for k, told in enumerate(sorted(unseen)[:ROW]):
            numbers[begin + 2 * k], numbers[begin + 2 * k + 1] = told

    told = min(ROW, len(next(k for k in game.layout.types if k.decl is kind.decl).cards))
    unseen = (f"unseen #{k + 1} {what}" for k in range(told) for what in (f"zone / {slots}", f"place / {cards}"))
    return Feature((f"members / {UNBOUNDED}", *(f"holds {text}" for text in look_texts(game, kind)), *unseen), write)


def _set(game: Game, kind: t.SetType) -> Feature:
    if isinstance(kind.inner, t.CardType):
        return _set_of_cards(game, kind.inner)
    inner = feature_of(game, kind.inner)
    finite = isinstance(kind.inner, t.BoolType | t.PlayerType | t.TeamType | t.EnumType)
    if not finite and not (isinstance(kind.inner, t.IntType) and inner.size > 1):
        return _row(game, t.RowType(kind.inner))

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        numbers[at] = len(value) / UNBOUNDED
        for member in value:
            # Members have different places.
            inner.write(numbers, at + 1, member, sight)

    return Feature((f"members / {UNBOUNDED}", *(f"holds {label.removeprefix('is ')}" for label in inner.labels)), write)


def _row(game: Game, kind: t.RowType) -> Feature:
    inner = feature_of(game, kind.inner)
    by_number = holds_cards(kind.inner)

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        numbers[at] = len(value) / UNBOUNDED
        if by_number and isinstance(value, frozenset):
            # The fixed order of cards goes by their numbers, which nobody sees: by what is told of them instead.
            found = [[0.0] * inner.size for _ in value]
            for written, member in zip(found, value, strict=True):
                inner.write(written, 0, member, sight)
            for k, written in enumerate(sorted(found, reverse=True)[:ROW]):
                for place, number in enumerate(written):
                    numbers[at + 1 + k * inner.size + place] = number
            return
        members = in_order(value) if isinstance(value, frozenset) else value
        for k, member in enumerate(members[:ROW]):
            inner.write(numbers, at + 1 + k * inner.size, member, sight)

    labels = (f"#{k + 1} {label}" for k in range(ROW) for label in inner.labels)
    return Feature((f"members / {UNBOUNDED}", *labels), write)
