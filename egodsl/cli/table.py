"""The table as one player sees it, drawn for a terminal."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import attrs
from rich.text import Text

from egodsl.cli.picking import numbered, squeeze
from egodsl.engine.texts import player_name

if TYPE_CHECKING:
    from rich.console import Console

    from egodsl.engine.knowledge import Observation
    from egodsl.engine.moves import Move
    from egodsl.engine.state import State
    from egodsl.engine.views import VariableView, View, ZoneView

_Named = TypeVar("_Named", "ZoneView", "VariableView")

_MOST_CARDS = 30
"""Cards of one zone that are drawn before the rest is only counted."""
_IN_ONE_COLUMN = 6
_MOST_OF_AN_ACTION = 4
_GAP = "  "


@attrs.frozen
class Line:
    """One line of the table: what it is about, how many cards there are, and what can be seen of it."""

    name: str
    count: str
    content: str
    own: bool = False


def draw_table(console: Console, seen: View) -> None:
    """All zones and variables that the player may know of, and whose turn it is."""
    where = " > ".join(seen.stages)
    turn = f"{player_name(seen.active)} is on turn" if seen.active is not None else ""
    caption = ", ".join(part for part in (where, turn) if part)
    if caption and not seen.over:
        console.print(Text(caption, style="dim"))
    lines = table_lines(seen)
    names = max((len(line.name) for line in lines), default=0)
    counts = max((len(line.count) for line in lines), default=0)
    indent = names + counts + 2 * len(_GAP)
    for line in lines:
        head = f"{line.name:<{names}}{_GAP}{line.count:>{counts}}{_GAP}"
        rows = textwrap.wrap(line.content, max(20, console.width - indent - 1)) or [""]
        for k, row in enumerate(rows):
            text = (head if k == 0 else " " * indent) + row
            console.print(Text(text.rstrip(), style="bold" if line.own else ""), soft_wrap=True)


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


def draw_log(console: Console, observed: Iterable[Observation], most: int | None = None) -> None:
    """What a player observed, one thing a line; with `most`, no more lines than that, the last ones."""
    lines: list[tuple[str, int]] = []
    for observation in observed:
        count = lines.pop()[1] + 1 if lines and lines[-1][0] == observation.text else 1
        lines.append((observation.text, count))
    shown = lines if most is None else lines[-most:]
    if len(shown) < len(lines):
        console.print(Text(f"  ({len(lines) - len(shown)} lines before these; `log` shows all)", style="dim"))
    for text, count in shown:
        console.print(Text(f"  {text}{f' ({count} times)' if count > 1 else ''}"))


def draw_moves(console: Console, player: int, moves: Sequence[Move], begins: str = "", rows: int | None = None) -> None:
    """The moves to choose from, numbered where a number cannot be mistaken for a move.

    Only those whose text begins with `begins`. If all would take more than `rows` lines, the moves of an action share
    one line, so that the table above stays on the screen.
    """
    mark = numbered([move.text for move in moves])
    width = len(str(len(moves)))
    items = [f"{k:>{width}}) {move.text}" if mark else move.text for k, move in enumerate(moves, start=1)]
    how = "by number or by text" if mark else "by text"
    console.print(Text(f"{player_name(player)} to {_asked(moves)} ({how})", style="bold"))
    wanted = squeeze(begins)
    shown = [item for item, move in zip(items, moves, strict=True) if squeeze(move.text).startswith(wanted)]
    lines = in_columns(shown, console.width)
    if rows is not None and not begins and len(lines) > rows:
        lines = list(_shortened(items, moves))
    for row in lines or [f"none of them begins with `{begins}`"]:
        console.print(Text(f"  {row}"), soft_wrap=True)


def _asked(moves: Sequence[Move]) -> str:
    # Where moves are bare values, what they are for is told by the names that they are chosen under.
    names = {tuple(name for name, _ in move.arguments) for move in moves if move.action is None and move.label is None}
    if len(names) == 1 and all(move.action is None and move.label is None for move in moves):
        (together,) = names
        if together and all(len(name) > 1 for name in together):
            return f"choose {' and '.join(_called(name) for name in together)}"
    return "play"


def _shortened(items: Sequence[str], moves: Sequence[Move]) -> Iterable[str]:
    at = 0
    for head, group in itertools.groupby(moves, key=_head):
        count = len(list(group))
        if head and count >= _MOST_OF_AN_ACTION:
            yield f"{items[at]}, and {count - 1} more: `moves {head}` lists them"
        else:
            yield from items[at : at + count]
        at += count


def _head(move: Move) -> str:
    head = move.label or (move.action or "").replace("_", " ")
    return head if squeeze(move.text).startswith(squeeze(head)) else ""


def in_columns(items: Sequence[str], width: int) -> list[str]:
    """A few items one below another; many side by side, the order running down the columns."""
    cell = max(map(len, items), default=0) + 3
    columns = 1 if len(items) <= _IN_ONE_COLUMN else max(1, (width - 2) // cell)
    rows = -(-len(items) // columns)
    return ["".join(f"{item:<{cell}}" for item in items[row::rows]).rstrip() for row in range(rows)]


def draw_result(console: Console, state: State) -> None:
    """Who came where, with their scores."""
    result = state.result
    if result is None:
        return
    console.print(Text("The game is over.", style="bold"))
    for line in result_lines(state):
        console.print(Text(line))


def result_lines(state: State) -> list[str]:
    """The places with the players in them and their scores, or what all reached together; none before the end."""
    result = state.result
    if result is None:
        return []
    if result.together is not None:
        return [f"together: {result.together}"]
    lines = []
    place = 1
    for group in result.places:
        for player in group:
            score = ", ".join(map(str, result.scores[player]))
            tie = " (tied)" if len(group) > 1 else ""
            lines.append(f"{place}. {player_name(player)}{f' with {score}' if score else ''}{tie}")
        place += len(group)
    return lines
