"""The types of the language: every one is finite and known before play.

Bounds of integers are conservative: they hold for every player count, mode, reading and parameter, so that a type is
one for all games of a
rulebook. What a type error is, is decided by `accepts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from egodsl.syntax import nodes

WIDEST = 2**63 - 1


@attrs.frozen
class Type:
    """Any type."""

    def __str__(self) -> str:
        return "?"


@attrs.frozen
class UnknownType(Type):
    """The type of what was already reported as wrong: it fits everywhere, so that one mistake gives one error."""


@attrs.frozen
class IntType(Type):
    """Whole numbers from `low` to `high`; `label` names the `type` declaration whose labels show them."""

    low: int
    high: int
    label: nodes.TypeDecl | None = attrs.field(default=None, eq=False)

    def __str__(self) -> str:
        if self.label is not None:
            return self.label.name.name
        return f"{self.low}.." if self.high >= WIDEST else f"{self.low}..{self.high}"


@attrs.frozen
class BoolType(Type):
    def __str__(self) -> str:
        return "bool"


@attrs.frozen
class TextType(Type):
    def __str__(self) -> str:
        return "text"


@attrs.frozen
class PlayerType(Type):
    def __str__(self) -> str:
        return "player"


@attrs.frozen
class TeamType(Type):
    def __str__(self) -> str:
        return "team"


@attrs.frozen
class EnumType(Type):
    """Values of an enum, an answer of a reading included (then `decl` is the reading)."""

    decl: nodes.EnumDecl | nodes.ReadingDecl

    def __str__(self) -> str:
        return self.decl.name.name


@attrs.frozen
class CardType(Type):
    """A card: a thing."""

    decl: nodes.CardDecl

    def __str__(self) -> str:
        return self.decl.name.name


@attrs.frozen
class FaceType(Type):
    """What a card shows, `Card(hearts, 7)`; it may leave out fields."""

    decl: nodes.CardDecl

    def __str__(self) -> str:
        return f"face of {self.decl.name.name}"


@attrs.frozen
class NoneType(Type):
    def __str__(self) -> str:
        return "none"


@attrs.frozen
class OptionalType(Type):
    inner: Type

    def __str__(self) -> str:
        return f"{self.inner}?"


@attrs.frozen
class SetType(Type):
    """A set; of faces, a multiset. `UnknownType` inside: the empty braces."""

    inner: Type

    def __str__(self) -> str:
        return f"set of {self.inner}"


@attrs.frozen
class RowType(Type):
    inner: Type

    def __str__(self) -> str:
        return f"row of {self.inner}"


@attrs.frozen
class TupleType(Type):
    items: tuple[Type, ...]

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.items)) + ")"


@attrs.frozen
class KeyType(Type):
    """`.rank`: a field of a card."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"
