"""A position in lines: what lies in each zone, and the variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import attrs

if TYPE_CHECKING:
    from egodsl.engine.state import State
    from egodsl.engine.views import VariableView, View, ZoneView

_Named = TypeVar("_Named", "ZoneView", "VariableView")

_MOST_CARDS = 30
"""Cards of one zone that are drawn before the rest is only counted."""


@attrs.frozen
class Line:
    """One line of the table: what it is about, how many cards there are, and what can be seen of it."""

    name: str
    count: str
    content: str
    own: bool = False


def table_lines(seen: View) -> list[Line]:
    """The table in lines. Hidden zones of one family of which nothing is known share a line."""
    lines: list[Line] = []
    for name, zones in _families(seen.zones):
        plain: list[ZoneView] = []
        for zone in zones:
            if zone.indexes and not zone.visible and not any(zone.places):
                plain.append(zone)
            else:
                own = seen.player in zone.owners
                lines.append(Line(_called(zone.name, zone.indexes), str(zone.count), zone_text(zone), own))
        if plain:
            told = ", ".join(f"{' '.join(zone.indexes)} {zone.count}" for zone in plain)
            lines.append(Line(name, "", f"{told} (hidden)"))
    for name, variables in _families(seen.variables):
        told = ", ".join(_value(variable) for variable in variables)
        lines.append(Line(name, "", told))
    return lines


def zone_text(zone: ZoneView) -> str:
    """What can be seen of a zone: faces, a stack's from its top; of a hidden one what is known."""
    if not zone.count:
        return "(empty)"
    if zone.visible:
        faces = [face if face is not None else "?" for face in zone.places]
        top = " (top first)" if zone.layout == "stack" and zone.count > 1 else ""
        return _listed(faces) + top
    # What is surely somewhere in a pile by counting is left to the players to count.
    ordered = zone.layout in {"stack", "row"}
    known = [f"#{k} {face}" if ordered else face for k, face in enumerate(zone.places, start=1) if face is not None]
    return f"(hidden; known to you: {_listed(known)})" if known else "(hidden)"


def _families(
    members: Iterable[_Named],
) -> list[tuple[str, list[_Named]]]:
    found: dict[str, list[_Named]] = {}
    for member in members:
        found.setdefault(member.name, []).append(member)
    return [(_called(name), group) for name, group in found.items()]


def _called(name: str, indexes: Iterable[str] = ()) -> str:
    return " ".join((name.replace("_", " "), *indexes))


def _value(variable: VariableView) -> str:
    value = f"{variable.value} (shown to you)" if variable.revealed else variable.value
    return " ".join((*variable.indexes, value))


def _listed(texts: Sequence[str]) -> str:
    shown = ", ".join(texts[:_MOST_CARDS])
    return f"{shown}, and {len(texts) - _MOST_CARDS} more" if len(texts) > _MOST_CARDS else shown


def open_view(state: State) -> View:
    """The table as all players together see it."""
    views = [state.view(player) for player in range(state.game.players)]
    first = views[0]
    zones = (
        next((zone for zone in same if zone.visible), same[0]) for same in zip(*(v.zones for v in views), strict=True)
    )
    variables: dict[str, VariableView] = {}
    for variable in (variable for seen in views for variable in seen.variables):
        variables.setdefault(variable.text, attrs.evolve(variable, revealed=False))
    order = list(dict.fromkeys(slot.decl.name.name for slot in state.game.layout.var_slots))
    ranked = sorted(variables.values(), key=lambda variable: order.index(variable.name))
    return attrs.evolve(first, player=-1, zones=tuple(zones), variables=tuple(ranked))


def position_lines(state: State) -> list[str]:
    """The table as all players together see it, aligned in columns."""
    lines = table_lines(open_view(state))
    names = max((len(line.name) for line in lines), default=0)
    counts = max((len(line.count) for line in lines), default=0)
    return [f"{line.name:<{names}}  {line.count:>{counts}}  {line.content}".rstrip() for line in lines]
