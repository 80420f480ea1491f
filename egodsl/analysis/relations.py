"""How types relate: what may stand where, what may be compared, what two branches have in common."""

from __future__ import annotations

import attrs

from egodsl.analysis.types import (
    WIDEST,
    BoolType,
    CardType,
    EnumType,
    FaceType,
    IntType,
    NoneType,
    OptionalType,
    PlayerType,
    RowType,
    SetType,
    TeamType,
    TextType,
    TupleType,
    Type,
    UnknownType,
)
from egodsl.syntax import nodes

UNKNOWN = UnknownType()
BOOL = BoolType()
PLAYER = PlayerType()
TEAM = TeamType()
TEXT = TextType()
NONE = NoneType()
ANY_INT = IntType(-WIDEST, WIDEST)
NATURAL = IntType(0, WIDEST)
PLAYERS = SetType(PLAYER)


def plain(kind: Type) -> Type:
    """The type without its `?`."""
    return kind.inner if isinstance(kind, OptionalType) else kind


def optional(kind: Type) -> Type:
    """The type with a `?`, unless it has one, or its values are unknown."""
    return kind if isinstance(kind, OptionalType | NoneType | UnknownType) else OptionalType(kind)


def element(kind: Type) -> Type | None:
    """The type of the members of a set or row; None if it is neither."""
    kind = plain(kind)
    if isinstance(kind, UnknownType):
        return kind
    return kind.inner if isinstance(kind, SetType | RowType) else None


def card_of(kind: Type | None) -> nodes.CardDecl | None:
    """The declaration behind a card, or behind the members of a set, row or set of sets of cards."""
    while kind is not None:
        kind = plain(kind)
        if isinstance(kind, CardType | FaceType):
            return kind.decl
        kind = element(kind) if not isinstance(kind, UnknownType) else None
    return None


def is_unknown(kind: Type) -> bool:
    """Whether the type, or what it is made of, was reported already."""
    if isinstance(kind, OptionalType | SetType | RowType):
        return is_unknown(kind.inner)
    if isinstance(kind, TupleType):
        return any(is_unknown(item) for item in kind.items)
    return isinstance(kind, UnknownType)


def begins_with(whole: nodes.EnumDecl | nodes.ReadingDecl, part: nodes.EnumDecl | nodes.ReadingDecl) -> bool:
    """Whether the values of `part` are the first ones of `whole`: then a value of the one is one of the other."""
    if whole is part:
        return True
    if not isinstance(whole, nodes.EnumDecl) or not isinstance(part, nodes.EnumDecl):
        return False
    first = whole.items[0] if whole.items else None
    return first is not None and first.label is None and first.name.name == part.name.name


def accepts(wanted: Type, given: Type, *, faces: bool = False) -> bool:
    """Whether a value of type `given` may stand where `wanted` is asked for.

    A `T?` may stand for a `T` (none is a fault in play), a row for a set. Integers are judged by `outside`, not here.
    With `faces` a face may stand for a card, as in scenarios.
    """
    match wanted, given:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case OptionalType(), _:
            return isinstance(given, NoneType) or accepts(wanted.inner, plain(given), faces=faces)
        case _, OptionalType():
            return accepts(wanted, given.inner, faces=faces)
        case IntType(), IntType():
            return True
        case EnumType(), EnumType():
            return begins_with(wanted.decl, given.decl) or begins_with(given.decl, wanted.decl)
        case CardType() | FaceType(), CardType() | FaceType():
            fits = faces or isinstance(wanted, FaceType) or isinstance(given, CardType)
            return wanted.decl is given.decl and fits
        case SetType(), SetType() | RowType():
            return accepts(wanted.inner, given.inner, faces=faces)
        case RowType(), RowType():
            return accepts(wanted.inner, given.inner, faces=faces)
        case RowType(), SetType():
            return isinstance(given.inner, UnknownType)
        case TupleType(), TupleType():
            pairs = zip(wanted.items, given.items, strict=False)
            return len(wanted.items) == len(given.items) and all(accepts(a, b, faces=faces) for a, b in pairs)
        case _:
            return wanted == given


def outside(wanted: Type, given: Type) -> bool:
    """Whether a whole number of type `given` is certain not to lie in the range of `wanted`."""
    left, right = plain(wanted), plain(given)
    if isinstance(left, IntType) and isinstance(right, IntType):
        return right.low > left.high or right.high < left.low
    inner, other = element(left), element(right)
    if inner is not None and other is not None and not isinstance(given, OptionalType):
        return not isinstance(other, UnknownType) and not isinstance(inner, UnknownType) and outside(inner, other)
    return False


def related(left: Type, right: Type) -> bool:
    """Whether `=` between the two can ever be asked in earnest."""
    if isinstance(left, NoneType) or isinstance(right, NoneType):
        other = right if isinstance(left, NoneType) else left
        return isinstance(other, NoneType | OptionalType | UnknownType)
    left, right = plain(left), plain(right)
    if isinstance(left, SetType | RowType) and isinstance(right, SetType | RowType):
        if type(left) is not type(right):
            return isinstance(left.inner, UnknownType) or isinstance(right.inner, UnknownType)
        return related(left.inner, right.inner) or isinstance(right.inner, NoneType)
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        pairs = zip(left.items, right.items, strict=False)
        return len(left.items) == len(right.items) and all(related(a, b) for a, b in pairs)
    return accepts(left, right, faces=True) or accepts(right, left, faces=True)


def join(left: Type, right: Type) -> Type | None:
    """The type of a value that is one of the two; None if they have nothing in common."""
    match left, right:
        case (UnknownType(), _):
            return right
        case (_, UnknownType()):
            return left
        case (NoneType(), _):
            return optional(right)
        case (_, NoneType()):
            return optional(left)
        case (OptionalType(), _) | (_, OptionalType()):
            inner = join(plain(left), plain(right))
            return None if inner is None else optional(inner)
        case IntType(), IntType():
            label = left.label if left.label is right.label else None
            return IntType(min(left.low, right.low), max(left.high, right.high), label)
        case SetType() | RowType(), SetType() | RowType():
            inner = join(left.inner, right.inner)
            if inner is None:
                return None
            return RowType(inner) if isinstance(left, RowType) and isinstance(right, RowType) else SetType(inner)
        case TupleType(), TupleType() if len(left.items) == len(right.items):
            items = [join(a, b) for a, b in zip(left.items, right.items, strict=True)]
            return None if None in items else TupleType(tuple(item for item in items if item is not None))
        case EnumType(), EnumType() if begins_with(left.decl, right.decl):
            return left
        case _:
            if accepts(right, left):
                return right
            return left if accepts(left, right) else None


def widened(kind: Type) -> Type:
    """An integer type with all 64 bits, with the same labels; any other type as it is."""
    if isinstance(kind, OptionalType):
        return OptionalType(widened(kind.inner))
    return attrs.evolve(kind, low=-WIDEST, high=WIDEST) if isinstance(kind, IntType) else kind


def ordered(kind: Type) -> bool:
    """Whether values of the type have an order that `<` and `most` can go by."""
    kind = plain(kind)
    if isinstance(kind, TupleType):
        return all(ordered(item) for item in kind.items)
    return isinstance(kind, IntType | BoolType | EnumType | UnknownType)


def clamp(low: int, high: int) -> IntType:
    """The integers from `low` to `high`, as far as 64 bits go."""
    return IntType(max(-WIDEST, min(low, WIDEST)), max(-WIDEST, min(high, WIDEST)))


def arithmetic(operator: str, left: IntType, right: IntType) -> IntType:
    """The bounds of `left operator right`, for `+ - * // %`; division rounds down, as the language's does."""
    if operator == "+":
        return clamp(left.low + right.low, left.high + right.high)
    if operator == "-":
        return clamp(left.low - right.high, left.high - right.low)
    corners = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    if operator == "*":
        found = [a * b for a, b in corners]
        return clamp(min(found), max(found))
    if right.low <= 0 <= right.high:
        return ANY_INT
    if operator == "//":
        found = [a // b for a, b in corners]
        return clamp(min(found), max(found))
    size = max(abs(right.low), abs(right.high)) - 1
    return clamp(0, size) if right.low > 0 else clamp(-size, 0)
