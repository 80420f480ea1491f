"""What a player sees now: the table, and the cards that the player knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.code import CODE
from egodsl.engine.table import loose_at
from egodsl.engine.tracking import Tracker, tracker_of
from egodsl.engine.values import ANY, UNSET, Face, Value
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.state import State


@attrs.frozen
class ZoneView:
    """A zone as a player sees it.

    Attributes:
        name: the zone's name.
        indexes: the texts of its indexes, as `("B",)`.
        layout: stack, row, set or one.
        owners: the players it belongs to, from 0.
        visible: whether the player sees the faces here.
        count: how many cards there are.
        places: the face of each card if the player knows it, otherwise None. A stack from its top, a row from its
            front; of a set first the known faces in order of declaration, then as many None as there are unknown cards.
        known: faces of cards that are surely here although the player does not know at which place, in order of
            declaration (in stacks and rows; in a set the known faces have no other place than `places`).
    """

    name: str
    indexes: tuple[str, ...]
    layout: str
    owners: tuple[int, ...]
    visible: bool
    count: int
    places: tuple[str | None, ...]
    known: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The name with its indexes, `hand[B]`."""
        return f"{self.name}[{', '.join(self.indexes)}]" if self.indexes else self.name


@attrs.frozen
class VariableView:
    """A variable that a player may read. `revealed`: it is secret, and was shown to the player after it was last
    written.
    """

    name: str
    indexes: tuple[str, ...]
    value: str
    revealed: bool = False

    @property
    def text(self) -> str:
        """The name with its indexes, `total[B]`."""
        return f"{self.name}[{', '.join(self.indexes)}]" if self.indexes else self.name


@attrs.frozen
class View:
    """All that a player sees now. Two views are equal exactly if they show the same.

    Attributes:
        player: whose view it is, from 0.
        zones: every zone, in order of declaration.
        variables: the variables that the player may read, in order of declaration.
        active: the player on turn, None outside any `turns`.
        stages: the names of the running stages, the outermost first.
        deciding: the players who decide now; in `together` all who take part: who has answered is not shown.
        moves: the texts of the player's own legal moves, sorted; none where others decide.
        chance: whether chance decides now.
        over: whether the game has ended.
    """

    player: int
    zones: tuple[ZoneView, ...]
    variables: tuple[VariableView, ...]
    active: int | None
    stages: tuple[str, ...]
    deciding: tuple[int, ...]
    moves: tuple[str, ...]
    chance: bool
    over: bool

    def zone(self, text: str) -> ZoneView:
        """The zone of that name, with its indexes: `hand[B]`. Raises KeyError where there is none."""
        for zone in self.zones:
            if zone.text == text:
                return zone
        raise KeyError(text)

    def variable(self, text: str) -> VariableView | None:
        """The variable of that name, with its indexes; None where the player may not read it."""
        return next((v for v in self.variables if v.text == text), None)

    @property
    def known(self) -> tuple[tuple[str, str], ...]:
        """(zone, face) of each card that the player knows to lie in a zone that is hidden from them."""
        return tuple(
            (zone.text, face)
            for zone in self.zones
            if not zone.visible
            for face in (*zone.places, *zone.known)
            if face is not None
        )


def view(state: State, player: int) -> View:
    """What the player sees. Nothing of it depends on what the player cannot know, but for moves of a rulebook that
    leaks.
    """
    tracker = tracker_of(state, player)
    # In a `together` each player sees what they did themselves, and nothing of the others.
    table = state.branches.get(player, state)
    game = state.game
    zones = tuple(_zone(tracker, table, slot) for slot in range(game.layout.outside))
    deciding = tuple(state.branches) if state.branches else state.to_move
    return View(
        player,
        zones,
        tuple(_variables(tracker, table)),
        state.turns[-1][1] if state.turns else None,
        tuple(frame[CODE].name for frame in state.frames if frame[CODE].stage >= 0),
        deciding,
        tuple(sorted(move.text for move in state.legal_moves(player))),
        state.is_chance,
        state.is_over,
    )


def _variables(tracker: Tracker, table: State) -> Iterable[VariableView]:
    game = tracker.game
    for k, slot in enumerate(game.layout.var_slots):
        if isinstance(slot.decl, nodes.VarDecl) and (slot.seen_by(tracker.player) or k in tracker.shown):
            yield VariableView(
                slot.decl.name.name,
                index_texts(game, slot.decl.indexes, slot.indexes),
                variable_text(table, k, tracker.seen),
                not slot.seen_by(tracker.player),
            )


def _zone(tracker: Tracker, table: State, slot: int) -> ZoneView:
    layout = tracker.game.layout
    place = layout.slots[slot]
    cards = table.Z[slot]
    decl = place.decl
    assert decl is not None
    visible = tracker.seen[slot]
    places: tuple[str | None, ...]
    known: tuple[str, ...] = ()
    if visible:
        shown = sorted(cards, key=lambda card: _rank(table, card)) if layout.unordered[slot] else cards
        places = tuple(table.game.texts.card(card, table) for card in shown)
    elif layout.unordered[slot]:
        faces = _surely(tracker, cards)
        places = (*faces, *[None] * (len(cards) - len(faces)))
    else:
        loose = {len(cards) - 1 - depth for low, high in table.loose[slot] for depth in range(low, high)}
        settled = [k not in loose and tracker.faces.knows(card) for k, card in enumerate(cards)]
        places = tuple(known_text(tracker, card) if here else None for card, here in zip(cards, settled, strict=True))
        known = _surely(tracker, [card for card, here in zip(cards, settled, strict=True) if not here])
    name, indexes = decl.name.name, index_texts(table.game, decl.indexes, place.indexes)
    return ZoneView(name, indexes, place.layout, place.owners, visible, len(cards), places, known)


def _rank(table: State, card: int) -> tuple[int, str]:
    # Order of declaration, whatever the card's number; marks tell cards of one face apart.
    return (table.game.layout.look[card], table.game.texts.card(card, table))


def _surely(tracker: Tracker, among: Sequence[int]) -> tuple[str, ...]:
    """The faces that are surely among the cards. A card that is known for itself shows the marks that the player knows
    of it.
    """
    face = tracker.game.layout.look
    if not among:
        return ()
    left = tracker.faces.certain(among)
    found: list[tuple[int, str]] = []
    for card in among:
        if tracker.faces.knows(card):
            left[face[card]] -= 1
            found.append((face[card], known_text(tracker, card)))
    for number, count in left.items():
        if count:
            found += [(number, _plain_text(tracker.game, number))] * count
    return tuple(text for _, text in sorted(found))


def known_text(tracker: Tracker, card: int) -> str:
    """The face of a card that the player knows, with `?` for the marks that they do not know."""
    layout = tracker.game.layout
    kind = layout.types[layout.card_type[card]]
    if not kind.marks:
        return tracker.game.texts.card(card)
    marks = tuple((base, tracker.marks.get(base + card, ANY)) for base in kind.marks.values())
    return tracker.game.texts.face(_face(tracker.game, card, marks), card)


def _plain_text(game: Game, number: int) -> str:
    card = game.layout.look.index(number)
    kind = game.layout.types[game.layout.card_type[card]]
    if not kind.marks and not kind.texts:
        return game.texts.card(card)
    return game.texts.face(_face(game, card, ()))


def _face(game: Game, card: int, marks: tuple[tuple[int, Value], ...]) -> Face:
    kind = game.layout.types[game.layout.card_type[card]]
    return Face(kind.index, tuple(column[card] for column in kind.fields.values()), frozenset((card,)), marks)


def index_texts(game: Game, types: Iterable[nodes.TypeNode], indexes: Iterable[Value]) -> tuple[str, ...]:
    """The indexes of a zone or variable as they are read."""
    return tuple(
        game.texts.value(value, game.checked.declared[node]) for node, value in zip(types, indexes, strict=True)
    )


def zone_name(game: Game, slot: int) -> str:
    """A zone as it is read, `hand[B]`."""
    place = game.layout.slots[slot]
    if place.decl is None:
        return "outside the game"
    texts = index_texts(game, place.decl.indexes, place.indexes)
    return f"{place.decl.name.name}[{', '.join(texts)}]" if texts else place.decl.name.name


def variable_text(table: State, slot: int, seen: list[bool]) -> str:
    """The value of a variable that the player may read. A card that the player does not see is named by its place."""
    decl = table.game.layout.var_slots[slot].decl
    assert isinstance(decl, nodes.VarDecl)
    value = table.V[slot]
    if value is UNSET:
        return "not set"
    return value_text(table, value, table.game.checked.declared[decl.type], seen)


def value_text(table: State, value: Value, kind: t.Type, seen: list[bool]) -> str:
    """A value as somebody reads it who sees the faces in those zones."""
    match kind:
        case t.OptionalType() if value is not None:
            return value_text(table, value, kind.inner, seen)
        case t.CardType() if value is not None:
            return card_text(table, value, seen)
        case t.SetType() | t.RowType() if isinstance(value, frozenset | tuple) and holds_cards(kind.inner):
            members = sorted(value) if isinstance(kind.inner, t.CardType) and isinstance(value, frozenset) else value
            texts = [value_text(table, member, kind.inner, seen) for member in members]
            if isinstance(kind, t.SetType):
                return "{" + ", ".join(sorted(texts)) + "}"
            return "[" + ", ".join(texts) + "]"
        case t.TupleType() if holds_cards(kind):
            return "(" + ", ".join(value_text(table, v, k, seen) for v, k in zip(value, kind.items, strict=True)) + ")"
        case _:
            return table.game.texts.value(value, kind, table)


def card_text(table: State, card: int, seen: list[bool]) -> str:
    """A card by its face if it is seen, otherwise by its place in a row or pile, otherwise `a card`."""
    slot = table.L[card]
    if seen[slot]:
        return table.game.texts.card(card, table)
    if not table.game.layout.unordered[slot]:
        at = table.Z[slot].index(card)
        if loose_at(table, slot, at) is None:
            return f"#{at + 1} of {zone_name(table.game, slot)}"
    return "a card"
