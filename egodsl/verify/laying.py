"""`given`: laying out a table by the faces of its cards.

All `given`s in a row are one layout. A zone that is named holds exactly those cards. What it needs comes from the zones
that are named too, from the home of the components, or from outside; what is left over goes home, or outside every zone
if the home is itself named. A card that only another zone holds is exchanged: that zone gets one of those left over for
it, so that it keeps as many as the setup gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
from egodsl.analysis.relations import plain
from egodsl.engine.faults import Fault
from egodsl.engine.table import WRITE, put_all, shuffle
from egodsl.engine.values import Face, Value, in_order
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes
from egodsl.verify.matching import pair_up
from egodsl.verify.problems import ProblemError, faulty, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.state import State
    from egodsl.source.span import Span
    from egodsl.verify.position import Position
    from egodsl.verify.reader import Reader


@attrs.frozen(eq=False)
class _Item:
    """A card that is to lie somewhere: its face or the card itself, and where that is written."""

    value: Value
    span: Span

    def shown_by(self, state: State, card: int) -> bool:
        """Whether the card is the one, marks included."""
        return self.value.shown_by(state, card) if isinstance(self.value, Face) else bool(card == self.value)

    def cards(self) -> list[int]:
        """The cards that it may be: marks can be set."""
        return sorted(self.value.ids) if isinstance(self.value, Face) else [self.value]


@attrs.define
class _Place:
    """A zone that is named: what it is to hold, and the cards that were found for it, in order."""

    step: nodes.GivenStep
    slot: int
    items: list[_Item]
    in_order: bool
    cards: list[int] = attrs.Factory(list)


def lay_out(position: Position, reader: Reader, steps: Sequence[nodes.GivenStep]) -> None:
    """Lay out what the lines say, as one change. The decision, if there is one, is not yet worked out anew.

    Raises ProblemError where the table cannot be laid so, or a trigger would fire.
    """
    state = position.state
    you = position.decider
    zones = [step for step in steps if not _is_variable(reader, step.place)]
    places = _places(reader, state, zones, you)
    _find_cards(state, places)
    _move(state, places)
    for step in steps:
        if _is_variable(reader, step.place):
            _write(reader, state, step, you)
    state.dirty = 0
    _look_at_triggers(state, steps[-1])


def _is_variable(reader: Reader, place: nodes.Expr) -> bool:
    target = place.target if isinstance(place, nodes.Index) else place
    return not isinstance(reader.checked.refs.get(target), nodes.ZoneDecl)


# ---------------------------------------------------------------- zones


def _places(reader: Reader, state: State, steps: Iterable[nodes.GivenStep], you: int | None) -> list[_Place]:
    found: dict[int, _Place] = {}
    for step in steps:
        slot = reader.zone_slot(step.place, state, you)
        if slot in found:
            raise problem(
                "EGO814",
                step.place.span,
                f"`{reader.slot_text(slot)}` is laid out twice",
                labels=(Label(found[slot].step.span, "here too"),),
            )
        value = reader.value(step.value, state, you)
        kind = plain(reader.checked.types[step.value])
        found[slot] = _Place(step, slot, _items(step.value, value, kind), not isinstance(kind, t.SetType))
    return list(found.values())


def _items(expr: nodes.Expr, value: Value, kind: t.Type) -> list[_Item]:
    if value is None:
        return []
    if not isinstance(kind, t.SetType | t.RowType):
        return [_Item(value, expr.span)]
    if isinstance(value, frozenset):
        return [_Item(card, expr.span) for card in in_order(value)]
    # Written one by one, each has a place of its own in messages.
    if isinstance(expr, nodes.Braces | nodes.Brackets):
        return [_Item(one, node.span) for one, node in zip(value, expr.items, strict=True)]
    return [_Item(one, expr.span) for one in value]


def _find_cards(state: State, places: list[_Place]) -> None:
    named = {place.slot for place in places}
    wanted = [(place, item) for place in places for item in place.items]
    choices = [_in_reach(state, place.slot, item, named) for place, item in wanted]
    for (place, item), card in zip(wanted, pair_up(choices), strict=True):
        if card is None:
            raise _missing(item)
        place.cards.append(card)
        if isinstance(item.value, Face):
            for base, value in item.value.marks:
                _set(state, base + card, value)


def _in_reach(state: State, slot: int, item: _Item, named: set[int]) -> list[int]:
    # What lies there already stays; then come the home's, those from outside, those of other zones that are laid out,
    # and those of zones that are not.
    layout = state.game.layout

    def order(card: int) -> tuple[int, ...]:
        rank = [slot, layout.home[card], layout.outside]
        at = rank.index(state.L[card]) if state.L[card] in rank else len(rank) + (state.L[card] not in named)
        return (at, not item.shown_by(state, card), card)

    return sorted(item.cards(), key=order)


def _missing(item: _Item) -> ProblemError:
    cards = item.cards()
    words = quote(item.span.text)
    if not cards:
        return problem("EGO814", item.span, f"no card of this game is {words}", help="look at the rows of `components`")
    count = f"there {'is' if len(cards) == 1 else 'are'} only {len(cards)}"
    return problem("EGO814", item.span, f"{words} is laid out more often than there are such cards: {count}")


def _move(state: State, places: list[_Place]) -> None:
    # All that moves is mixed outside first: nobody is to know a card by where it lay before.
    layout = state.game.layout
    named = {place.slot for place in places}
    wanted = {card for place in places for card in place.cards}
    left: list[int] = []
    for place in places:
        out = _leaving(state, place)
        put_all(state, out, layout.outside, place.step.span)
        left += [card for card in out if card not in wanted]
    robbed: list[int] = []
    for place in places:
        coming = [card for card in place.cards if state.L[card] not in {place.slot, layout.outside}]
        robbed += [state.L[card] for card in coming if state.L[card] not in {*named, layout.home[card]}]
        put_all(state, coming, layout.outside, place.step.span)
    shuffle(state, layout.outside)
    _repay(state, robbed, left, state.here())
    for place in places:
        put_all(state, [c for c in place.cards if state.L[c] != place.slot], place.slot, place.step.span)
        if not place.in_order and layout.slots[place.slot].seen == "face down":
            shuffle(state, place.slot)
    for home in sorted({layout.home[card] for card in left} - named - {layout.outside}):
        put_all(state, [card for card in left if layout.home[card] == home], home, places[0].step.span)
        if layout.slots[home].seen == "face down":
            shuffle(state, home)


def _repay(state: State, robbed: list[int], left: list[int], span: Span) -> None:
    # Each zone that gave a card gets one that is left over, or else one from the home, of its type.
    layout = state.game.layout
    for slot in robbed:
        kind = layout.slots[slot].card_type
        home = [c for c, at in enumerate(state.L) if at == layout.home[c] != slot and c not in left]
        card = next((c for c in (*left, *home) if layout.card_type[c] == kind), None)
        if card is not None:
            put_all(state, (card,), slot, span)
            if card in left:
                left.remove(card)


def _leaving(state: State, place: _Place) -> list[int]:
    present = state.Z[place.slot]
    if state.game.layout.unordered[place.slot]:
        return [card for card in present if card not in place.cards]
    return [] if present == tuple(place.cards) and not state.loose[place.slot] else list(present)


def mix_all(state: State) -> None:
    """Let nobody know where which of the components lie, although they lie as they are declared."""
    layout = state.game.layout
    span = state.game.checked.program.root.span
    lying = {slot: state.Z[slot] for slot in range(layout.outside) if state.Z[slot]}
    for cards in lying.values():
        put_all(state, cards, layout.outside, span)
    shuffle(state, layout.outside)
    for slot, cards in lying.items():
        put_all(state, cards, slot, span)
    state.dirty = 0


# ---------------------------------------------------------------- variables


def _write(reader: Reader, state: State, step: nodes.GivenStep, you: int | None) -> None:
    slot = reader.var_slot(step.place, state, you)
    bounds = state.game.layout.var_slots[slot]
    value = _stored(reader, state, step, reader.value(step.value, state, you))
    if bounds.low is not None and bounds.high is not None and value is not None:
        numbers = value if isinstance(value, frozenset | tuple) else (value,)
        if not all(bounds.low <= number <= bounds.high for number in numbers):
            raise problem(
                "EGO814",
                step.value.span,
                f"{quote(step.place.span.text)} goes from {bounds.low} to {bounds.high}, "
                f"and is given {reader.text(value, reader.checked.types[step.value], state)}",
            )
    _set(state, slot, value)


def _stored(reader: Reader, state: State, step: nodes.GivenStep, value: Value) -> Value:
    # A variable holds cards, not faces: the first cards that show them, those on the table before those outside.
    kind = plain(reader.checked.types[step.value])
    if isinstance(value, Face):
        return _cards_for(state, step, [value])[0]
    if isinstance(kind, t.SetType | t.RowType):
        members = in_order(value) if isinstance(value, frozenset) else list(value)
        if any(isinstance(member, Face) for member in members):
            members = _cards_for(state, step, members)
        return frozenset(members) if isinstance(kind, t.SetType) else tuple(members)
    return value


def _cards_for(state: State, step: nodes.GivenStep, values: list[Value]) -> list[int]:
    outside = state.game.layout.outside
    items = [_Item(value, step.value.span) for value in values]
    choices = [
        sorted((c for c in item.cards() if item.shown_by(state, c)), key=lambda c: (state.L[c] == outside, c))
        for item in items
    ]
    cards = [card for card in pair_up(choices) if card is not None]
    if len(cards) < len(items):
        raise problem("EGO814", step.value.span, f"no card of this game is {quote(step.value.span.text)}")
    return cards


def _set(state: State, slot: int, value: Value) -> None:
    if state.V[slot] != value:
        state.V[slot] = value
        state.log = (state.log, (WRITE, slot, value))


# ---------------------------------------------------------------- triggers


def _look_at_triggers(state: State, step: nodes.GivenStep) -> None:
    for watch in state.game.watches:
        before = state.armed[watch.index]
        if before is None or (watch.stage >= 0 and not state.running[watch.stage]):
            continue
        try:
            now = watch.value(state)
        except Fault as fault:
            raise faulty(fault, step.span) from fault
        if now - before:
            decl = watch.code.decl
            labels = (Label(decl.name.span, "this one"),) if isinstance(decl, nodes.ConditionTrigger) else ()
            raise problem(
                "EGO815",
                step.span,
                f"the table laid out here makes trigger `{watch.code.name}` fire",
                help="lay out a table from which the scenario's own moves make it fire",
                labels=labels,
            )
        state.armed[watch.index] = now
