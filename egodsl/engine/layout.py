"""Where everything of a configured game lies: cards, zone slots, variable slots.

Made once for each Game, never changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.engine.values import Value

if TYPE_CHECKING:
    from egodsl.syntax import nodes


@attrs.define(eq=False)
class Slot:
    """One zone, or one member of a family of zones."""

    decl: nodes.ZoneDecl | None
    indexes: tuple[Value, ...]
    layout: str
    """stack, row, set, one, or outside."""
    seen: str
    owners: tuple[int, ...]
    """The players it belongs to: one, a team's, or none."""
    card_type: int

    def seen_by(self, player: int) -> bool:
        """Whether the player sees the faces of the cards here."""
        match self.seen:
            case "face up":
                return True
            case "owner only":
                return player in self.owners
            case "others only":
                return player not in self.owners
            case _:
                return False


@attrs.define(eq=False)
class Family:
    """The slots of one declaration: `base + sum(offset_i * stride_i)`; `domains` are the values of each index in
    order.
    """

    base: int
    domains: tuple[tuple[Value, ...], ...]
    strides: tuple[int, ...]
    size: int

    def slot(self, indexes: tuple[Value, ...]) -> int:
        """The slot of the member; the indexes must be of the domains."""
        slot = self.base
        for value, domain, stride in zip(indexes, self.domains, self.strides, strict=True):
            slot += domain.index(value) * stride
        return slot

    def members(self) -> list[tuple[Value, ...]]:
        """The indexes of all members, in the order of their slots."""
        found: list[tuple[Value, ...]] = [()]
        for domain in self.domains:
            found = [(*head, value) for head in found for value in domain]
        return found


@attrs.define(eq=False)
class VarSlot:
    """One variable, one member of a family of variables, or the mark of one card."""

    decl: nodes.VarDecl | nodes.Mark
    indexes: tuple[Value, ...]
    seen: str
    owners: tuple[int, ...]
    low: int | None
    high: int | None

    def seen_by(self, player: int) -> bool:
        """Whether the player may read it. (A mark is seen by whoever sees its card.)"""
        match self.seen:
            case "owner only":
                return player in self.owners
            case "others only":
                return player not in self.owners
            case "face down":
                return False
            case _:
                return True


@attrs.define(eq=False)
class CardType:
    """A card declaration, its cards and its fields by card number."""

    decl: nodes.CardDecl
    index: int
    cards: tuple[int, ...] = ()
    fields: dict[str, list[Value]] = attrs.Factory(dict)
    texts: dict[str, list[Value]] = attrs.Factory(dict)
    """The fields of type `text`, by card number: shown, and no part of the face."""
    marks: dict[str, int] = attrs.Factory(dict)
    """The variable slot of card 0 for each mark; the slot of card c is that plus c."""


@attrs.define(eq=False)
class Layout:
    """All places of a game. The last zone slot is `outside`: where components without a home lie."""

    players: int
    teams: int
    types: list[CardType] = attrs.Factory(list)
    card_type: list[int] = attrs.Factory(list)
    """The index of each card's type."""
    face: list[int] = attrs.Factory(list)
    """Cards with the same number here show the same fields, apart from texts: no rule tells them apart."""
    look: list[int] = attrs.Factory(list)
    """As `face`, texts included: what players can tell apart."""
    home: list[int] = attrs.Factory(list)
    """The slot where each card lies when the game begins."""
    slots: list[Slot] = attrs.Factory(list)
    zones: dict[nodes.Node, Family] = attrs.Factory(dict)
    var_slots: list[VarSlot] = attrs.Factory(list)
    vars: dict[nodes.Node, Family] = attrs.Factory(dict)
    unordered: list[bool] = attrs.Factory(list)
    """Whether each slot has no order (then equal faces in it are one)."""

    @property
    def outside(self) -> int:
        return len(self.slots) - 1

    def team(self, player: int) -> int:
        """Players sit in turn: the first of each team, then the second of each."""
        return player % self.teams if self.teams else player

    def seats_of(self, team: int) -> tuple[int, ...]:
        return tuple(p for p in range(self.players) if self.team(p) == team)
