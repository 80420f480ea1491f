"""What a game is configured with, and the layout that follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.analysis import types as t
from egodsl.analysis.tables import is_text
from egodsl.engine import cutting
from egodsl.engine.expressions import Expressions
from egodsl.engine.layout import CardType, Family, Layout, Slot, VarSlot
from egodsl.engine.sources import Scope
from egodsl.engine.values import Value
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.analysis.symbols import Checked
    from egodsl.engine.covering import Covering


@attrs.define(eq=False)
class Settings:
    """The constants of a game: players, modes that are on, readings (number of the answer), parameters.

    A game may be cut down to be explored: `decks` says which cards of a components declaration there are (see
    `cutting`), `counts` gives other numbers to defines.
    """

    players: int
    modes: frozenset[str]
    readings: dict[str, int]
    parameters: dict[str, int]
    decks: dict[str, str] = attrs.field(factory=dict)
    counts: dict[str, int] = attrs.field(factory=dict)
    _values: dict[nodes.Node, tuple[Value, ...]] = attrs.field(factory=dict, init=False)

    def values_of(self, decl: nodes.EnumDecl | nodes.TypeDecl) -> tuple[Value, ...]:
        """The values of an enum or a type in order."""
        return self._values[decl]


class Builder:
    """Makes the layout of a configured game. Raises Fault where a row or bound of it cannot be worked out."""

    def __init__(self, checked: Checked, settings: Settings, covering: Covering | None = None) -> None:
        self.checked = checked
        self.program = checked.program
        self.settings = settings
        self.covering = covering
        self.layout = Layout(settings.players, 0)
        self.expressions = Expressions(checked, self.layout, settings, covering)

    def build(self) -> tuple[Layout, Expressions]:
        """The layout, and the compiler of expressions over it."""
        header = self.program.players
        if header is not None and header.teams is not None:
            self.layout.teams = self.constant(header.teams)
        for enum in self.program.enums.values():
            self.settings._values[enum] = tuple(range(len(enum_items(self.checked, enum))))  # noqa: SLF001 - filled here alone
        for kind in self.program.types.values():
            low, high = self.range_of(kind.type)
            self.settings._values[kind] = tuple(range(low, high + 1))  # noqa: SLF001 - filled here alone
        self.layout.types.extend(CardType(decl, k) for k, decl in enumerate(self.program.cards.values()))
        # The namespace is made anew: it holds what depends on the number of players and teams.
        self.expressions = Expressions(self.checked, self.layout, self.settings, self.covering)
        cutting.check_counts(self)
        self._zones()
        self._cards()
        self._variables()
        return self.layout, self.expressions

    def enum_names(self, decl: nodes.EnumDecl) -> list[str]:
        """The names of the values of an enum, in order."""
        return [name for name, _ in enum_items(self.checked, decl)]

    # ------------------------------------------------------------ constants

    def constant(self, expr: nodes.Expr) -> int:
        """The value of an expression over constants."""
        value: int = self.expressions.function("S,you", self.expressions.some(expr, Scope({}, None)))(None, None)
        return value

    def range_of(self, node: nodes.RangeType) -> tuple[int, int]:
        """Both bounds, for this game."""
        return self.constant(node.low), t.WIDEST if node.high is None else self.constant(node.high)

    def bounds(self, node: nodes.TypeNode) -> tuple[int, int] | None:
        """The exact bounds of a type of numbers (or of such a number or none)."""
        match node:
            case nodes.RangeType():
                return self.range_of(node)
            case nodes.OptionalType():
                return self.bounds(node.inner)
            case nodes.NamedType() if node.name in self.program.types:
                return self.range_of(self.program.types[node.name].type)
            case _:
                return None

    def domain(self, node: nodes.TypeNode) -> tuple[Value, ...]:
        """The values of a finite type, in order."""
        kind = self.checked.declared[node]
        match kind:
            case t.PlayerType():
                return tuple(range(self.layout.players))
            case t.TeamType():
                return tuple(range(self.layout.teams))
            case t.BoolType():
                return (False, True)
            case t.EnumType(decl=nodes.EnumDecl() as decl):
                return self.settings.values_of(decl)
            case t.EnumType(decl=nodes.ReadingDecl() as decl):
                return tuple(range(len(decl.answers)))
            case _:
                found = self.bounds(node)
                assert found is not None
                return tuple(range(found[0], found[1] + 1))

    def family(self, base: int, indexes: list[nodes.TypeNode]) -> Family:
        domains = tuple(self.domain(node) for node in indexes)
        strides: list[int] = []
        size = 1
        for domain in reversed(domains):
            strides.insert(0, size)
            size *= len(domain)
        return Family(base, domains, tuple(strides), size)

    def owners(self, indexes: list[nodes.TypeNode], member: tuple[Value, ...]) -> tuple[int, ...]:
        if indexes:
            first = self.checked.declared[indexes[0]]
            if isinstance(first, t.PlayerType):
                return (member[0],)
            if isinstance(first, t.TeamType):
                return self.layout.seats_of(member[0])
        return ()

    # ------------------------------------------------------------ places and things

    def _zones(self) -> None:
        layout = self.layout
        kinds = {kind.decl.name.name: kind.index for kind in layout.types}
        for decl in self.program.zones.values():
            family = self.family(len(layout.slots), decl.indexes)
            layout.zones[decl] = family
            layout.slots.extend(
                Slot(decl, member, decl.layout, decl.seen, self.owners(decl.indexes, member), kinds[decl.card.name])
                for member in family.members()
            )
        layout.slots.append(Slot(None, (), "outside", "face down", (), -1))
        layout.unordered.extend(slot.layout in {"set", "outside", "one"} for slot in layout.slots)

    def _cards(self) -> None:
        shown: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        e = self.expressions
        for decl in self.program.components.values():
            kind = next(k for k in self.layout.types if k.decl.name.name == decl.card.name)
            home = self.layout.outside
            if decl.home is not None:
                home = self.constant_slot(decl.home)
            for values, copies in cutting.kept_of(self, decl, kind, self._rows(decl, kind, e)):
                for _ in range(copies):
                    self._add_card(kind, values, home, *shown)
        for kind in self.layout.types:
            kind.cards = tuple(c for c, index in enumerate(self.layout.card_type) if index == kind.index)
            for column in (*kind.fields.values(), *kind.texts.values()):
                column.extend([None] * (len(self.layout.card_type) - len(column)))

    def constant_slot(self, zone: nodes.Expr) -> int:
        slot: int = self.expressions.function("S,you", self.expressions.zone_slot(zone, Scope({}, None)))(None, None)
        return slot

    def _add_card(
        self, kind: CardType, values: dict[str, Value], home: int, faces: dict[Any, int], looks: dict[Any, int]
    ) -> None:
        layout = self.layout
        number = len(layout.card_type)
        layout.card_type.append(kind.index)
        layout.home.append(home)
        for field in kind.decl.fields:
            column = _column(kind, field)
            column.extend([None] * (number - len(column)))
            column.append(values.get(field.name.name))
        shown = (kind.index, *(values.get(name) for name in kind.fields))
        layout.face.append(faces.setdefault(shown, len(faces)))
        look = (shown, *(values.get(name) for name in kind.texts))
        layout.look.append(looks.setdefault(look, len(looks)))

    def _rows(self, decl: nodes.ComponentsDecl, kind: CardType, e: Expressions) -> list[cutting.Row]:
        # The number of the row, what its names stand for, the fields, and how many copies.
        for field in kind.decl.fields:
            _column(kind, field)
        found: list[cutting.Row] = []
        for number, row in enumerate(decl.rows):
            scope = Scope({}, None)
            clauses = e.clauses(row.clauses, scope)
            names = [v.name.name for v in row.values]
            values = "(" + "".join(e.source(v.value, scope) + "," for v in row.values) + ")"
            copies = e.some(row.copies, scope)
            bound = "(" + "".join(source + "," for source in scope.names.values()) + ")"
            made = e.function("S,you", f"[({bound},{values},{copies}){clauses}]")(None, None)
            found.extend((number, b, dict(zip(names, v, strict=True)), n) for b, v, n in made)
        if decl.table:
            columns = [cell.name for cell in decl.table[0].cells if isinstance(cell, nodes.Name)]
            for number, line in enumerate(decl.table[1:], start=len(decl.rows)):
                cells = [e.function("S,you", e.source(cell, Scope({}, None)))(None, None) for cell in line.cells]
                row_values = dict(zip(columns, cells, strict=True))
                copies_of_line = row_values.pop("copies", 1)
                found.append((number, (), row_values, copies_of_line))
        return found

    def _variables(self) -> None:
        layout = self.layout
        for decl in self.program.vars.values():
            family = self.family(len(layout.var_slots), decl.indexes)
            layout.vars[decl] = family
            low, high = self.bounds(decl.type) or (None, None)
            layout.var_slots.extend(
                VarSlot(decl, member, decl.seen or "face up", self.owners(decl.indexes, member), low, high)
                for member in family.members()
            )
        for kind in layout.types:
            for mark in kind.decl.marks:
                kind.marks[mark.name.name] = len(layout.var_slots)
                low, high = self.bounds(mark.type) or (None, None)
                layout.var_slots.extend(
                    VarSlot(mark, (c,), "face up", (), low, high) for c in range(len(layout.card_type))
                )


def _column(kind: CardType, field: nodes.Field) -> list[Value]:
    # Texts are kept apart from what makes the face of a card.
    return (kind.texts if is_text(field.type) else kind.fields).setdefault(field.name.name, [])


def enum_items(checked: Checked, decl: nodes.EnumDecl) -> list[tuple[str, str | None]]:
    """Name and label of each value; the name of another enum stands for all of its values."""
    found: list[tuple[str, str | None]] = []
    for entry in decl.items:
        other = checked.program.enums.get(entry.name.name) if entry.label is None else None
        if other is not None and other is not decl:
            found.extend(enum_items(checked, other))
        else:
            found.append((entry.name.name, entry.label))
    return found
