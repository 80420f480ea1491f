"""What a state says, as lines of text that do not depend on how the engine holds it.

This module alone knows the form of log entries and the fields of `State`. When they change, it is rewritten so that the
lines stay the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from egodsl.engine import table
from egodsl.engine.values import Face

if TYPE_CHECKING:
    from collections.abc import Iterable

    import egodsl
    from egodsl.engine.knowledge import Observation, View
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.source.span import Span


def log_lines(state: egodsl.State) -> list[str]:
    """The log from the beginning, one entry a line; then that of each branch that is not merged yet."""
    names = _names_of(state.game)
    lines = [_entry(entry, names) for entry in state.entries()]
    for player, branch in sorted(state.branches.items()):
        lines.append(f"branch {player}")
        lines.extend(_entry(entry, names) for entry in branch.entries())
    return lines


def is_decision(line: str, *, chance: bool) -> bool:
    """Whether the line of the log is a choice of whoever plays: a decision, or an outcome where chance is explicit."""
    return line.startswith("decide ") or (chance and line.startswith("chance "))


class _Names:
    """The names of a game's places by their numbers."""

    def __init__(self, game: egodsl.Game) -> None:
        self.zones = ["outside" if slot.decl is None else _member(slot) for slot in game.layout.slots]
        self.variables = [_member(slot) for slot in game.layout.var_slots]
        self.sites = [place_text(site.span) for site in game.sites]
        self.stages = [code.name for code in game.stages]


@lru_cache(maxsize=4)
def _names_of(game: egodsl.Game) -> _Names:
    return _Names(game)


def _member(slot: Any) -> str:  # noqa: ANN401 - slots of zones and of variables
    name: str = slot.decl.name.name
    return f"{name}[{','.join(map(value_text, slot.indexes))}]" if slot.indexes else name


def _entry(entry: tuple[Any, ...], names: _Names) -> str:
    kind, *parts = entry
    match kind:
        case table.DECIDE:
            player, site, chosen, offered = parts
            return f"decide {player} at {names.sites[site]} {value_text(chosen)} of {len(offered)}"
        case table.CHANCE:
            # Dealing quickly and dealing step by step use different sites for one event, so the site is left out.
            return f"chance {value_text(parts[1])} of {value_text(parts[2])}"
        case table.STAGE:
            return f"begin {names.stages[parts[0]]}"
        case table.END:
            return f"end {names.stages[parts[0]]}"
        case table.COMMIT:
            return f"commit {value_text(parts[0])} entries {value_text(parts[1])}"
        case table.WRITE:
            slot, value = parts
            return f"write {names.variables[slot]} {value_text(value)}"
        case table.MOVE | table.SWAP | table.MIX | table.SETTLE:
            return _change_of_cards(kind, parts, names)
        case table.SHOW | table.REVEAL | table.LOOK | table.FACT:
            return _showing(kind, parts, names)
    message = f"no canonical form for the log entry {entry!r}"
    raise NotImplementedError(message)


def _change_of_cards(kind: int, parts: list[Any], names: _Names) -> str:
    match kind:
        case table.MOVE:
            cards, sources, target = parts
            return f"move {value_text(cards)} from {_zones(sources, names)} to {names.zones[target]}"
        case table.SWAP:
            left, right, slots = parts
            return f"swap {value_text(left)} with {value_text(right)} of {_zones(slots, names)}"
        case table.MIX:
            return f"shuffle {names.zones[parts[0]]}"
    slot, card, at = parts
    return f"settle {names.zones[slot]} card {card} at {at}"


def _showing(kind: int, parts: list[Any], names: _Names) -> str:
    match kind:
        case table.SHOW:
            slot, value, viewers = parts
            return f"show {names.variables[slot]} {value_text(value)} to {value_text(viewers)}"
        case table.REVEAL:
            return f"reveal {value_text(parts[0])} to {value_text(parts[1])}"
        case table.LOOK:
            return f"look {value_text(parts[0])} by {value_text(parts[1])}"
    # The frame that the entry of a fact keeps is the engine's own; what players learn of it is in their observations.
    return f"fact {parts[1]} {value_text(parts[2])} to {value_text(parts[0])}"


def _zones(slots: Iterable[int], names: _Names) -> str:
    return ",".join([names.zones[slot] for slot in slots])


def value_text(value: Any) -> str:  # noqa: ANN401 - a value of the language
    """The text of a value at run time; sets in a fixed order."""
    if value is None or isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, (tuple, list)):
        return f"({','.join(map(value_text, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(map(value_text, _sorted(value)))}}}"
    if isinstance(value, Face):
        return f"face {value.card_type} {value_text(value.values)} {value_text(value.ids)} {value_text(value.marks)}"
    return repr(value)


def _sorted(values: frozenset[Any]) -> list[Any]:
    try:
        return sorted(values, key=lambda value: value + 0)
    except TypeError:
        return sorted(values, key=value_text)


def place_text(span: Span | None) -> str:
    """`file:line:column` without folders."""
    return "nowhere" if span is None else str(span).replace("\\", "/").rsplit("/", 1)[-1]


def fault_line(diagnostic: Diagnostic) -> str:
    """Code, place and message of a fault."""
    span = diagnostic.span
    end = "" if span is None else f" to {span.end_line}:{span.end_column}"
    return f"fault {diagnostic.code.number} {place_text(span)}{end} {diagnostic.message}"


def result_lines(state: egodsl.State) -> list[str]:
    """Places, scores and returns of a game that is over."""
    result = state.result
    assert result is not None
    places = f"places {result.places} scores {result.scores} together {result.together}"
    return [places, f"returns {state.returns}"]


def view_lines(view: View) -> list[str]:
    """Everything that a view shows."""
    turn = f"active {view.active} stages {view.stages} deciding {view.deciding}"
    lines = [f"view of {view.player}: {turn} chance {view.chance} over {view.over}", f"moves {view.moves}"]
    lines.extend(f"{z.text} {z.layout} {z.owners} {z.visible} {z.count} {z.places} {z.known}" for z in view.zones)
    lines.extend(f"{v.text} {v.value} {v.revealed}" for v in view.variables)
    return lines


def observation_lines(observations: Iterable[Observation]) -> list[str]:
    """Everything that was observed, one observation a line."""
    return [
        f"{o.kind} | {o.text} | {o.player} {o.action} {o.values} {o.cards} {o.source} {o.target}" for o in observations
    ]
