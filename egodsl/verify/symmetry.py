"""Positions that are the same but for who sits where, or for the names of values: one digest for all of them.

What can be renamed is proved from the rules (see `scalars`): seats go round the table, values of an enum are exchanged,
where that turns the deck into itself. The renamings are a group, and each maps whatever can follow a position onto what
can follow the renamed one. So of positions that a renaming maps onto each other one is enough to look at: whatever goes
wrong after another goes wrong after it, in as few steps. (Every position that is looked at was reached as it is.) The
digest is that of the renamed position that comes first. Where a name in a frame has a type that is not known, the
position stands for itself alone.

Nothing is renamed where the rules or a property ask what players know: that hangs on the past.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.analysis import types as t
from egodsl.engine import identity
from egodsl.engine.code import AT, CODE, FIRST, YOU, Frame
from egodsl.engine.compact import Numbers, add_value, digest_of
from egodsl.engine.machine import FIRE
from egodsl.syntax import nodes
from egodsl.verify.scalars import Sort, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from egodsl.engine.game import Game
    from egodsl.engine.layout import Family
    from egodsl.engine.state import State
    from egodsl.engine.values import Value

    Renaming = Mapping[Sort, tuple[int, ...]]
    """For each sort what each value becomes, by number."""

MOST_VALUES = 4
"""Values of an enum of which all orders are tried: 24."""
MOST_RENAMINGS = 24
"""More would cost more time than they save."""


class Symmetry:
    """The renamings of a game. `refused` says of each sort that is told apart by what."""

    def __init__(self, game: Game, *, reduce: bool = True) -> None:
        self.game = game
        self.refused: dict[str, str] = {}
        self.renamings: list[Renaming] = [{}]
        if reduce and not any(site.unsure for site in game.sites):
            self.renamings = self._found()
        self.digester = _Digester(game, self.renamings) if len(self.renamings) > 1 else None

    def __len__(self) -> int:
        return len(self.renamings)

    def _found(self) -> list[Renaming]:
        each: list[list[tuple[Sort, tuple[int, ...]]]] = []
        for sort, orders in self._sorts():
            why = refusal(self.game, sort)
            name = "player" if sort is None else sort.name.name
            if why is not None:
                self.refused[name] = why
            else:
                each.append([(sort, order) for order in orders])
        made: list[Renaming] = [dict(chosen) for chosen in product(*each)]
        kept = [renaming for renaming in made if _keeps_deck(self.game, renaming)]
        return kept if len(kept) <= MOST_RENAMINGS else [renaming for renaming in kept if _is_turn(renaming)]

    def _sorts(self) -> list[tuple[Sort, list[tuple[int, ...]]]]:
        # The orders of each sort, first the one that changes nothing.
        n = self.game.players
        found: list[tuple[Sort, list[tuple[int, ...]]]] = []
        if n > 1:
            found.append((None, [tuple((p + k) % n for p in range(n)) for k in range(n)]))
        enums = self.game.checked.program.enums
        brought = {item.name.name for enum in enums.values() for item in enum.items if item.name.name in enums}
        for enum in enums.values():
            alone = enum.name.name not in brought and not any(item.name.name in enums for item in enum.items)
            if alone and 1 < len(enum.items) <= MOST_VALUES:
                found.append((enum, list(permutations(range(len(enum.items))))))
        return found


def _is_turn(renaming: Renaming) -> bool:
    return all(sort is None or order == tuple(range(len(order))) for sort, order in renaming.items())


def _keeps_deck(game: Game, renaming: Renaming) -> bool:
    """Whether the cards, renamed, are the cards that there are."""
    faces = _faces(game, renaming)
    return None not in faces and Counter(faces) == Counter(game.layout.face)


def _faces(game: Game, renaming: Renaming) -> list[int | None]:
    """The face that each card has when it is renamed, as a number of `Layout.face`; None where no card has it."""
    layout = game.layout
    numbers: dict[tuple[Value, ...], int] = {}
    shown = []
    for card, kind_number in enumerate(layout.card_type):
        kind = layout.types[kind_number]
        types = {field.name.name: game.checked.declared[field.type] for field in kind.decl.fields}
        values = {name: column[card] for name, column in kind.fields.items()}
        numbers[kind_number, *values.values()] = layout.face[card]
        shown.append((kind_number, *(_renamed(value, types[name], renaming) for name, value in values.items())))
    return [numbers.get(face) for face in shown]


def _renamer(kind: t.Type, renaming: Renaming) -> Callable[[Value], Value] | None:
    """What renames values of the type; None where there is nothing to rename."""
    order = None
    match kind:
        case t.PlayerType():
            order = renaming.get(None)
        case t.EnumType(decl=nodes.EnumDecl() as decl):
            order = renaming.get(decl)
        case t.OptionalType() | t.SetType() | t.RowType():
            return _renamer(kind.inner, renaming)
        case t.TupleType():
            touched = any(_renamer(item, renaming) for item in kind.items)
            return (lambda value: _renamed(value, kind, renaming)) if touched else None
    if order is None or order == tuple(range(len(order))):
        return None
    known = order

    def rename(value: Value) -> Value:
        if isinstance(value, tuple):
            return tuple(map(rename, value))
        if isinstance(value, frozenset):
            return frozenset(map(rename, value))
        return known[value] if isinstance(value, int) else value

    return rename


def _renamed(value: Value, kind: t.Type, renaming: Renaming) -> Value:
    if isinstance(kind, t.TupleType) and isinstance(value, tuple) and len(value) == len(kind.items):
        return tuple(_renamed(one, k, renaming) for one, k in zip(value, kind.items, strict=True))
    if isinstance(kind, t.TupleType) and isinstance(value, tuple | frozenset):
        return type(value)(_renamed(one, kind, renaming) for one in value)
    rename = _renamer(kind, renaming)
    return value if rename is None else rename(value)


class _Unknown(Exception):  # noqa: N818 - a position that stands for itself, which is no error
    """A value is of a type that is not known."""


@attrs.define
class _Tables:
    """One renaming, worked out for the slots and cards of a game."""

    renaming: Renaming
    players: tuple[int, ...]
    face: list[int]
    zones: list[int]
    """For each zone slot which slot comes to be it."""
    variables: list[int]
    renamers: list[Callable[[Value], Value] | None]
    """For each variable slot what renames the value that comes to be there."""
    becomes: list[int]
    """For each variable slot which it comes to be."""
    marks: list[list[tuple[int, Callable[[Value], Value] | None]]]
    """For each card where its marks are."""


class _Digester:
    """Digests, equal for positions that a renaming maps onto each other. As `Digester` otherwise."""

    def __init__(self, game: Game, renamings: list[Renaming]) -> None:
        self._game = game
        self._numbers = Numbers()
        self._tables = [_tables(game, renaming) for renaming in renamings]
        self._renamers: dict[tuple[int, int, int], Callable[[Value], Value] | None] = {}

    def __call__(self, state: State, more: Hashable = ()) -> bytes:
        """The digest; `more` is told apart as well."""
        encoded: list[list[int]] = []
        for tables in self._tables:
            parts: list[int] = []
            try:
                self._add(state, parts, tables)
            except _Unknown:
                # The first renames nothing, and so asks for no type.
                continue
            encoded.append(parts)
        first = min(encoded) if len(encoded) == len(self._tables) else encoded[0]
        add_value(more, first, self._numbers)
        return digest_of(first)

    def _add(self, state: State, parts: list[int], tables: _Tables) -> None:
        numbers, layout = self._numbers, self._game.layout
        named = identity.named_cards(state)
        for slot, source in enumerate(tables.zones):
            cards = state.Z[source]
            tokens = [self._token(state, card, named.get(card), tables) for card in cards]
            if layout.unordered[slot]:
                tokens.sort()
            parts.append(-len(tokens))
            for low, high in state.loose[source]:
                first, end = len(tokens) - high, len(tokens) - low
                tokens[first:end] = sorted(tokens[first:end])
                parts += (-low - 1, -high)
            parts += tokens
        marks, cards_in = self._game.mark_slots, self._game.card_variables
        for slot, source in enumerate(tables.variables):
            if slot in marks:
                continue
            value = state.V[source]
            rename = tables.renamers[slot]
            if source in cards_in:
                value = identity.shape(value)
            elif rename is not None:
                value = rename(value)
            parts.append(numbers[value])
        parts.append(-len(state.frames))
        for depth, frame in enumerate(state.frames):
            self._add_frame(state, depth, frame, parts, tables)
        parts.append(-len(state.turns))
        for number, active, following, given in state.turns:
            parts += (number, tables.players[active], tables.players[following], given)
        parts.extend(map(numbers.__getitem__, state.armed))
        parts.append(-len(state.branches))
        for player in sorted(state.branches, key=lambda p: tables.players[p]):
            parts.append(tables.players[player])
            self._add(state.branches[player], parts, tables)
        parts.append(state.site.index if state.site is not None else -1)
        parts.append(state.chance_at[0].index if state.chance_at is not None else -1)
        parts.append(state.hold * 4 + state.over * 2 + (state.fault is None))

    def _token(self, state: State, card: int, names: list[tuple[Any, ...]] | None, tables: _Tables) -> int:
        marks = tables.marks[card]
        if not marks and names is None:
            return tables.face[card]
        values = tuple([state.V[at] if rename is None else rename(state.V[at]) for at, rename in marks])
        by = sorted([("var", tables.becomes[n[1]], *n[2:]) if n[0] == "var" else n for n in names or ()])
        return len(tables.face) + self._numbers[tables.face[card], values, tuple(by)]

    def _add_frame(self, state: State, depth: int, frame: Frame, parts: list[int], tables: _Tables) -> None:
        numbers = self._numbers
        code = frame[CODE]
        parts += (numbers["code", code.kind, code.name], frame[AT])
        if code is FIRE:
            # Triggers with bindings of a sort that is renamed refuse it.
            parts.append(numbers[frame[FIRST]])
            return
        you = frame[YOU]
        parts.append(-1 if you is None else tables.players[you])
        live, cards_in = identity.live_slots(state, depth, frame)
        for slot in live:
            value = frame[slot]
            if slot in cards_in:
                value = identity.shape(value)
            elif tables.renaming and value is not None and not isinstance(value, bool):
                kind = code.kinds.get(slot)
                if kind is None:
                    raise _Unknown
                value = _renamed(value, kind, tables.renaming)
            parts.append(numbers[value])


def _tables(game: Game, renaming: Renaming) -> _Tables:
    layout, declared = game.layout, game.checked.declared
    zones = list(range(len(layout.slots)))
    for zone, family in layout.zones.items():
        assert isinstance(zone, nodes.ZoneDecl)
        _permute(zones, family, [declared[node] for node in zone.indexes], renaming)
    variables = list(range(len(layout.var_slots)))
    renamers: list[Callable[[Value], Value] | None] = [None] * len(variables)
    for decl, family in layout.vars.items():
        assert isinstance(decl, nodes.VarDecl)
        _permute(variables, family, [declared[node] for node in decl.indexes], renaming)
        renamers[family.base : family.base + family.size] = [_renamer(declared[decl.type], renaming)] * family.size
    becomes = variables[:]
    for slot, source in enumerate(variables):
        becomes[source] = slot
    marks = [
        [
            (base + card, _renamer(declared[mark.type], renaming))
            for mark, base in zip(layout.types[kind].decl.marks, layout.types[kind].marks.values(), strict=True)
        ]
        for card, kind in enumerate(layout.card_type)
    ]
    faces = [face for face in _faces(game, renaming) if face is not None]
    players = renaming.get(None, tuple(range(game.players)))
    # What changes nothing asks for no types.
    changes = {sort: order for sort, order in renaming.items() if order != tuple(range(len(order)))}
    return _Tables(changes, players, faces, zones, variables, renamers, becomes, marks)


def _permute(slots: list[int], family: Family, kinds: list[t.Type], renaming: Renaming) -> None:
    for member in family.members():
        image = tuple(_renamed(value, kind, renaming) for value, kind in zip(member, kinds, strict=True))
        slots[family.slot(image)] = family.slot(member)
