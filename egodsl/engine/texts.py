"""Values and moves as people read and type them: players are A, B, C...; cards as their declaration says they are
`written`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.code import CODE
from egodsl.engine.setup import enum_items
from egodsl.engine.values import ANY, UNSET, Face, Value, in_order_of_sets
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.analysis.symbols import Checked
    from egodsl.engine.code import Option
    from egodsl.engine.layout import CardType, Layout
    from egodsl.engine.state import State

_MOST_KEPT = 20_000
"""Texts of cards with marks that are kept; marks may have any number of values."""
_PART = re.compile(r"\{(\w+)\}")


def player_name(player: int) -> str:
    """A for the first seat, B for the second, and so on."""
    return chr(ord("A") + player)


class Texts:
    """Writes the values of one game."""

    def __init__(self, checked: Checked, layout: Layout) -> None:
        self._checked = checked
        self._layout = layout
        self._enums: dict[nodes.Node, list[str]] = {}
        self._labels: dict[nodes.Node, dict[int, str]] = {}
        self._cards: dict[int, str] = {}
        self._marked: dict[tuple[Value, ...], str] = {}

    def enum(self, decl: nodes.EnumDecl | nodes.ReadingDecl, index: int) -> str:
        """The label of an enum value, or its name; the name of an answer."""
        names = self._enums.get(decl)
        if names is None:
            if isinstance(decl, nodes.ReadingDecl):
                names = [a.name.name for a in decl.answers]
            else:
                names = [label if label is not None else name for name, label in enum_items(self._checked, decl)]
            self._enums[decl] = names
        return names[index]

    def number(self, value: int, label: nodes.TypeDecl | None) -> str:
        """A number, as its type's label where it has one."""
        if label is None:
            return str(value)
        labels = self._labels.get(label)
        if labels is None:
            labels = {}
            for entry in label.labels:
                if isinstance(entry.value, nodes.Integer):
                    labels[entry.value.value] = entry.label if entry.label is not None else entry.name.name
            self._labels[label] = labels
        return labels.get(value, str(value))

    def value(self, value: Value, kind: t.Type, state: State | None = None) -> str:
        """Any value of the type. `state` is needed for cards with marks."""
        if value is None:
            return "none"
        if value is UNSET:
            return "not set"
        match kind:
            case t.OptionalType():
                return self.value(value, kind.inner, state)
            case t.BoolType():
                return "yes" if value else "no"
            case t.PlayerType():
                return player_name(value)
            case t.TeamType():
                return "+".join(map(player_name, self._layout.seats_of(value)))
            case t.EnumType():
                return self.enum(kind.decl, value)
            case t.IntType():
                return self.number(value, kind.label)
            case t.CardType():
                return self.card(value, state)
            case t.FaceType():
                return self.face(value)
            case t.SetType() | t.RowType():
                members = in_order_of_sets(value) if isinstance(value, frozenset) else value
                inside = ", ".join(self.value(v, kind.inner, state) for v in members)
                return "{" + inside + "}" if isinstance(kind, t.SetType) else "[" + inside + "]"
            case t.TupleType():
                return "(" + ", ".join(self.value(v, k, state) for v, k in zip(value, kind.items, strict=True)) + ")"
            case _:
                return str(value)

    def card(self, card: int, state: State | None = None) -> str:
        """The card's face as it is written."""
        kind = self._layout.types[self._layout.card_type[card]]
        if kind.marks and state is not None:
            marks = {name: state.V[base + card] for name, base in kind.marks.items()}
            key = (card, *marks.values())
            text = self._marked.get(key)
            if text is None:
                if len(self._marked) >= _MOST_KEPT:
                    self._marked.clear()
                text = self._marked[key] = self._face_text(kind, {**_printed(kind, card), **marks})
            return text
        found = self._cards.get(card)
        if found is None:
            found = self._face_text(kind, _printed(kind, card))
            self._cards[card] = found
        return found

    def face(self, face: Face, card: int | None = None) -> str:
        """A face as it is written, with `?` for what it leaves out, and for texts, which are those of `card`."""
        kind = self._layout.types[face.card_type]
        values: dict[str, Value] = dict(zip(kind.fields, face.values, strict=True))
        bases = {base: name for name, base in kind.marks.items()}
        values |= {bases[base]: value for base, value in face.marks}
        if card is not None:
            values |= {name: column[card] for name, column in kind.texts.items()}
        return self._face_text(kind, values)

    def _face_text(self, kind: CardType, values: dict[str, Value]) -> str:
        types = {f.name.name: self._checked.declared[f.type] for f in kind.decl.fields}
        types |= {m.name.name: self._checked.declared[m.type] for m in kind.decl.marks}

        def part(name: str) -> str:
            value = values.get(name, ANY)
            if value is ANY:
                return "?"
            return "" if value is None else self.value(value, types[name])

        if kind.decl.written is None:
            return f"{kind.decl.name.name}({', '.join(map(part, types))})"
        text = _PART.sub(lambda m: part(m.group(1)), kind.decl.written.template)
        return text.strip() if kind.texts else text


def _printed(kind: CardType, card: int) -> dict[str, Value]:
    return {name: column[card] for name, column in (*kind.fields.items(), *kind.texts.items())}


def move_text(state: State, player: int, option: Option, kind: str, values: tuple[Any, ...]) -> str:
    """The text of a move as its chooser reads it: the action or label, then the chosen things.

    A hidden card is named by its place.
    """
    parts = [_chosen(state, player, value, of) for value, of in zip(values, option.types, strict=True)]
    chosen = ", ".join(parts)
    if option.label is None:
        return chosen or kind
    label = option.label.replace("_", " ") if option.action is not None else option.label
    return f"{label} {chosen}" if chosen else label


def _chosen(state: State, player: int, value: Value, kind: t.Type) -> str:
    if isinstance(kind, t.CardType) and value is not None:
        slot = state.game.layout.slots[state.L[value]]
        at = state.Z[state.L[value]].index(value) + 1
        if not slot.seen_by(player) and slot.layout in {"row", "stack"}:
            return f"#{at}"
        text = state.game.texts.card(value, state)
        name = _name_of(state, value)
        if name is not None:
            return f"{text} ({name})"
        # In a row or pile equal faces are told apart by their places.
        if (
            slot.layout in {"row", "stack"}
            and sum(state.game.texts.card(c, state) == text for c in state.Z[state.L[value]]) > 1
        ):
            return f"{text} #{at}"
        return text
    if isinstance(kind, t.OptionalType) and value is not None:
        return _chosen(state, player, value, kind.inner)
    if isinstance(kind, t.SetType | t.RowType):
        inside = ", ".join(_members(state, player, value, kind.inner))
        return "{" + inside + "}" if isinstance(kind, t.SetType) else "[" + inside + "]"
    return state.game.texts.value(value, kind, state)


def _members(state: State, player: int, value: Any, kind: t.Type) -> list[str]:
    # The order of what is in a set must not tell which of the cards that look the same, or are hidden, are meant.
    members = in_order_of_sets(value) if isinstance(value, frozenset) else value
    texts = [_chosen(state, player, member, kind) for member in members]
    if not isinstance(value, frozenset) or not holds_cards(kind):
        return texts
    shown = [_face_number(state, player, member) if isinstance(kind, t.CardType) else 0 for member in members]
    return [text for _, _, text in sorted(zip(shown, map(len, texts), texts, strict=True))]


def _face_number(state: State, player: int, card: int | None) -> int:
    if card is None or not state.game.layout.slots[state.L[card]].seen_by(player):
        return -1
    return state.game.layout.face[card]


def _name_of(state: State, card: int) -> str | None:
    """The name that tells the card apart from another of its face beside it."""
    if state.site is None or not state.game.layout.unordered[state.L[card]]:
        return None
    face = state.game.layout.face
    if sum(face[c] == face[card] for c in state.Z[state.L[card]]) < 2:  # noqa: PLR2004 - alone of its face it needs no name
        return None
    last = len(state.frames) - 1
    for depth, frame in enumerate(state.frames):
        code = frame[CODE]
        for slot in state.site.live_cards if depth == last else code.live_cards[frame[1]]:
            value = frame[slot]
            if value == card or (isinstance(value, frozenset | tuple) and card in value):
                named: str = code.names.get(slot, code.name)
                return named.replace("_", " ")
    for slot in state.game.card_variables:
        value = state.V[slot] if state.game.layout.var_slots[slot].seen_by(state.mover) else None
        if value == card or (isinstance(value, frozenset | tuple) and card in value):
            name: str = state.game.layout.var_slots[slot].decl.name.name
            return name.replace("_", " ")
    return None
