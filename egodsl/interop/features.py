"""Values of one type as a fixed number of numbers, with a label for each."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
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
        table = sight.table
        slot = table.L[value]
        if sight.seen[slot]:
            numbers[at + 2 + looks[game.layout.look[value]]] += 1.0
        elif not game.layout.unordered[slot]:
            place = table.Z[slot].index(value)
            if loose_at(table, slot, place) is None:
                numbers[at], numbers[at + 1] = (slot + 1) / slots, (place + 1) / cards

    texts = look_texts(game, kind)
    return Feature((f"zone / {slots}", f"place / {cards}", *(f"is {text}" for text in texts)), write)


def _set(game: Game, kind: t.SetType) -> Feature:
    inner = feature_of(game, kind.inner)
    finite = isinstance(kind.inner, t.BoolType | t.PlayerType | t.TeamType | t.EnumType | t.CardType)
    if not finite and not (isinstance(kind.inner, t.IntType) and inner.size > 1):
        return _row(game, t.RowType(kind.inner))

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        numbers[at] = len(value) / UNBOUNDED
        for member in value:
            # Members have different places, and cards that look alike are counted.
            inner.write(numbers, at + 1, member, sight)

    return Feature((f"members / {UNBOUNDED}", *(f"holds {label.removeprefix('is ')}" for label in inner.labels)), write)


def _row(game: Game, kind: t.RowType) -> Feature:
    inner = feature_of(game, kind.inner)

    def write(numbers: Numbers, at: int, value: Value, sight: Sight) -> None:
        numbers[at] = len(value) / UNBOUNDED
        members = in_order(value) if isinstance(value, frozenset) else value
        for k, member in enumerate(members[:ROW]):
            inner.write(numbers, at + 1 + k * inner.size, member, sight)

    labels = (f"#{k + 1} {label}" for k in range(ROW) for label in inner.labels)
    return Feature((f"members / {UNBOUNDED}", *labels), write)
