"""When two positions are the same: cards of one face in one place are interchangeable unless a live name tells them
apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.code import AT, CODE, FIRST, YOU, Frame
from egodsl.engine.values import Value, sort_key

if TYPE_CHECKING:
    from egodsl.engine.state import State


def live_slots(state: State, depth: int, frame: Frame) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The slots of a frame that may still be read, and those of them that may hold cards."""
    code, at = frame[CODE], frame[AT]
    if depth == len(state.frames) - 1 and state.site is not None:
        # The decision itself stands one before: its continuation is entered from there.
        return code.live[at - 1], tuple(sorted({*code.live_cards[at - 1], *state.site.live_cards}))
    if depth == len(state.frames) - 1 and state.chance_at is not None:
        return tuple(s for s in code.live[at] if s != state.chance_at[0].slot), tuple(
            s for s in code.live_cards[at] if s != state.chance_at[0].slot
        )
    return code.live[at], code.live_cards[at]


def named_cards(state: State) -> dict[int, list[tuple[Any, ...]]]:
    """For each card that a live name or a variable refers to: by which names."""
    names: dict[int, list[tuple[Any, ...]]] = {}
    for depth, frame in enumerate(state.frames):
        for slot in live_slots(state, depth, frame)[1] if frame[CODE].live else ():
            _note(names, frame[slot], ("frame", depth, slot))
        if frame[CODE].kind == "announce":
            _note_arguments(names, frame, depth)
    for slot in state.game.card_variables:
        _note(names, state.V[slot], ("var", slot))
    return names


def _note_arguments(names: dict[int, list[tuple[Any, ...]]], frame: Frame, depth: int) -> None:
    for k, (value, cards) in enumerate(zip(frame[FIRST + 2], frame[CODE].card_params, strict=True)):
        if cards:
            _note(names, value, ("event", depth, k))


def _note(names: dict[int, list[tuple[Any, ...]]], value: Value, name: tuple[Any, ...]) -> None:
    if isinstance(value, frozenset):
        for member in value:
            _note(names, member, name)
    elif isinstance(value, tuple):
        for k, member in enumerate(value):
            _note(names, member, (*name, k))
    elif value is not None and isinstance(value, int):
        names.setdefault(value, []).append(name)


def chance_keys(state: State, kind: t.Type, values: list[Value]) -> list[Value]:
    """A key for each outcome: those with one key are one outcome."""
    if not holds_cards(kind):
        return values
    named = named_cards(state)
    stretches: dict[int, int] = {}
    for slot, loose in enumerate(state.loose):
        cards = state.Z[slot]
        for k, (low, high) in enumerate(loose):
            stretches.update((card, k) for card in cards[len(cards) - high : len(cards) - low])
    return [_place_key(state, value, named, stretches) for value in values]


def _place_key(state: State, value: Value, named: dict[int, Any], stretches: dict[int, int]) -> Value:
    # A card in no order (a set, or a stretch of a shuffled pile) goes by its place and face, any other card by itself.
    if isinstance(value, frozenset | tuple):
        members = [_place_key(state, member, named, stretches) for member in value]
        return tuple(sorted(members, key=sort_key)) if isinstance(value, frozenset) else tuple(members)
    if value is None or value in named:
        return (value, None)
    layout = state.game.layout
    slot = state.L[value]
    stretch = stretches.get(value)
    if stretch is None and not layout.unordered[slot]:
        return (value, None)
    marks = layout.types[layout.card_type[value]].marks.values()
    return (slot, layout.face[value], stretch, tuple(state.V[base + value] for base in marks))


def key_of(state: State) -> tuple[Any, ...]:
    """A hashable value, the same for two positions of one game exactly if they are equal."""
    names = named_cards(state)
    layout = state.game.layout

    def token(card: int) -> tuple[Any, ...]:
        marks = layout.types[layout.card_type[card]].marks.values()
        return (
            layout.face[card],
            tuple(sort_key(state.V[base + card]) for base in marks),
            tuple(sorted(map(repr, names.get(card, ())))),
        )

    zones = []
    for slot, cards in enumerate(state.Z):
        tokens = [token(card) for card in cards]
        if layout.unordered[slot]:
            tokens.sort()
        for low, high in state.loose[slot]:
            first, end = len(tokens) - high, len(tokens) - low
            tokens[first:end] = sorted(tokens[first:end])
        zones.append((tuple(tokens), state.loose[slot]))
    card_slots = set(state.game.card_variables)
    marks = state.game.mark_slots
    variables = tuple(
        shape(value) if slot in card_slots else value for slot, value in enumerate(state.V) if slot not in marks
    )
    frames = tuple(_frame_key(state, depth, frame) for depth, frame in enumerate(state.frames))
    armed = tuple(state.armed)
    branches = tuple((p, key_of(branch)) for p, branch in state.branches.items())
    site = state.site.index if state.site is not None else -1
    chance = state.chance_at[0].index if state.chance_at is not None else -1
    turns = tuple(tuple(turn) for turn in state.turns)
    return (
        tuple(zones),
        variables,
        frames,
        turns,
        armed,
        branches,
        site,
        chance,
        state.over,
        state.hold,
        state.fault is None,
    )


def _frame_key(state: State, depth: int, frame: Frame) -> tuple[Any, ...]:
    code = frame[CODE]
    if code.kind == "announce":
        values = tuple(shape(v) if cards else v for v, cards in zip(frame[FIRST + 2], code.card_params, strict=True))
        return (code.name, frame[AT], frame[YOU], frame[FIRST], frame[FIRST + 1], values)
    if code.kind == "fire":
        return (code.name, frame[AT], frame[FIRST])
    live, cards = live_slots(state, depth, frame)
    values = tuple(shape(frame[slot]) if slot in cards else frame[slot] for slot in live)
    return (code.kind, code.name, frame[AT], frame[YOU], values)


def shape(value: Value) -> Value:
    """What a key says of a value that may hold cards: how many, and not which."""
    # Which cards a name means is told by the cards themselves (see `named_cards`).
    if isinstance(value, frozenset | tuple):
        return ("cards", len(value))
    return "card" if isinstance(value, int) else value
