"""What a generated rulebook has on its table, and the types of its expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import attrs
from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy[Any]], Any]
T = TypeVar("T")

OPEN, SHARED, SHUT = 2, 1, 0
"""Who may go by a card's face: a choice of whoever acts, only the rules themselves, not even they."""


@attrs.frozen
class Kind:
    """A type. `form` is bool, int, enum, player, card, maybe, set or row; numbers have bounds, enums and cards a name,
    and so have ranges with labels.
    """

    form: str
    name: str = ""
    low: int = 0
    high: int = 0
    inner: Kind | None = None

    @property
    def text(self) -> str:
        """As the language writes it."""
        if self.form == "int" and not self.name:
            return f"{self.low}..{self.high}"
        if self.inner is None:
            return self.name or self.form
        return f"{self.inner.text}?" if self.form == "maybe" else f"{self.form} of {self.inner.text}"

    @property
    def of(self) -> Kind:
        """What a set, a row or an optional value holds."""
        assert self.inner is not None
        return self.inner


BOOL = Kind("bool")
PLAYER = Kind("player")
UNBOUNDED = 10**9


def number(low: int, high: int) -> Kind:
    """A range of whole numbers."""
    return Kind("int", low=low, high=high)


def set_of(inner: Kind) -> Kind:
    """The type of sets."""
    return Kind("set", inner=inner)


def maybe(inner: Kind) -> Kind:
    """The type of a value or none."""
    return Kind("maybe", inner=inner)


@attrs.frozen(eq=False)
class Card:
    """A declaration of cards: its fields and marks by name."""

    name: str
    fields: dict[str, Kind]
    marks: dict[str, Kind]


@attrs.frozen(eq=False)
class Zone:
    """A declaration of zones. The first index, if any, is a player where the zone has owners."""

    name: str
    card: Card
    layout: str
    seen: str
    indexes: tuple[Kind, ...]

    @property
    def owned(self) -> bool:
        """Whether a place of it belongs to a player."""
        return self.indexes[:1] == (PLAYER,)


@attrs.frozen(eq=False)
class Var:
    """A declaration of variables."""

    name: str
    kind: Kind
    indexes: tuple[Kind, ...]
    secret: bool = False

    @property
    def owned(self) -> bool:
        """Whether one of it belongs to a player."""
        return self.indexes[:1] == (PLAYER,)


@attrs.frozen(eq=False)
class Taker:
    """Something that is called: a define, an event, a procedure, a stage or an action, with the types that it takes.

    `you`: it needs somebody who acts. `open`: a define that a guard may use. `gives`: what it is worth.
    `head`: the names that a stage or an action binds.
    """

    name: str
    takes: tuple[Kind, ...]
    gives: Kind | None = None
    you: bool = False
    open: bool = False
    calm: bool = False
    head: tuple[Local, ...] = ()


@attrs.frozen
class Local:
    """A name bound in a body.

    `level`: who may go by its face, if it is a card or holds cards. `fixed`: not assignable.
    """

    name: str
    kind: Kind
    level: int = OPEN
    fixed: bool = True


@attrs.define
class Here:
    """A place in the rules, and what is true of it.

    Attributes:
        you: somebody acts. own: `hand` may stand for `hand[you]`.
        guard: only what whoever acts knows may be read.
        names: the locals.
        stages: the stages that are certain to run, and can be ended; events: those that can be cancelled.
        calm: inside `at once` or a procedure for it: no decision, and nothing that leaves.
        alone: inside `together`: only one's own things change.
        room: how much deeper it may still go.
        announces: events may be announced.
        all_seen: cards that nobody sees may be read.
        past: what was before may be asked for.
    """

    you: bool = False
    own: bool = False
    guard: bool = False
    names: list[Local] = attrs.field(factory=list)
    stages: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    calm: bool = False
    alone: bool = False
    room: int = 2
    announces: bool = True
    all_seen: bool = False
    past: bool = False

    def with_(self, **changed: Any) -> Here:  # noqa: ANN401 - attributes of any type
        """A place inside this one; what is bound there is not bound here."""
        return attrs.evolve(self, **{"names": list(self.names), **changed})

    def bind(self, *locals_: Local) -> None:
        """Bind names. Where one is a player, `hand` could be read as that player's."""
        self.names += locals_
        if any(one.kind == PLAYER for one in locals_):
            self.own = False


@attrs.define
class World:
    """All that is declared so far."""

    least: int = 2
    most: int = 2
    teams: bool = False
    enums: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    ranges: list[Kind] = attrs.field(factory=list)
    cards: list[Card] = attrs.field(factory=list)
    zones: list[Zone] = attrs.field(factory=list)
    vars: list[Var] = attrs.field(factory=list)
    parameters: dict[str, Kind] = attrs.field(factory=dict)
    modes: list[str] = attrs.field(factory=list)
    readings: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    defines: list[Taker] = attrs.field(factory=list)
    events: list[Taker] = attrs.field(factory=list)
    procedures: list[Taker] = attrs.field(factory=list)
    stages: list[Taker] = attrs.field(factory=list)
    actions: list[Taker] = attrs.field(factory=list)


class Drawing:
    """Draws from lists, and makes up names."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.world = World()
        self._names = 0

    def fresh(self, stem: str) -> str:
        """A name that nothing has."""
        self._names += 1
        return f"{stem}{self._names}"

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        found: int = self.draw(st.integers(0, n - 1))
        return found

    def chance(self, of: int = 2) -> bool:
        """True once in so many times; simplest: false."""
        return self.below(of) == of - 1

    def one(self, choices: Sequence[T]) -> T:
        """One of them; the simplest is the first."""
        return choices[self.below(len(choices))]

    # ------------------------------------------------------------ the world

    def card_named(self, name: str) -> Card:
        """The declaration of a card."""
        return next(card for card in self.world.cards if card.name == name)

    def zones_of(self, card: Card | None, layouts: tuple[str, ...] = ("stack", "row", "set")) -> list[Zone]:
        """The zones for such cards with such a layout."""
        return [z for z in self.world.zones if card in {None, z.card} and z.layout in layouts]

    def constant(self, kind: Kind) -> str:
        """A value of a card's field."""
        if kind.form == "maybe":
            return "none" if self.chance(3) else self.constant(kind.of)
        if kind.form == "int":
            return str(kind.low + self.below(min(kind.high - kind.low, 3) + 1))
        return self.one(("true", "false")) if kind == BOOL else self.one(self.world.enums[kind.name])

    def enum_kind(self) -> Kind:
        """One of the enums."""
        return Kind("enum", self.one(sorted(self.world.enums)))

    def card_kind(self) -> Kind:
        """One of the cards."""
        return Kind("card", self.one(self.world.cards).name)

    def element_kind(self) -> Kind:
        """What sets are made of."""
        return self.one((number(1, 4), PLAYER, self.enum_kind(), self.card_kind()))


def indented(lines: Sequence[str]) -> list[str]:
    """The lines as the body of something."""
    return [f"    {line}" for line in lines]
