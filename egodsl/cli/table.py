"""The table as one player sees it, drawn for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs
from rich.columns import Columns
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from egodsl.cli.picking import numbered
from egodsl.engine.texts import player_name

if TYPE_CHECKING:
    from rich.console import Console

    from egodsl.engine.moves import Move
    from egodsl.engine.state import State

_MOST_CARDS = 24
"""Cards of one zone that are drawn before the rest is only counted."""
_IN_ONE_COLUMN = 6


@attrs.frozen
class Line:
    """One line of the table: what it is called, how much of it there is, and what can be seen of it."""

    name: str
    count: str
    content: str
    own: bool = False


def draw_table(console: Console, state: State, player: int) -> None:
    """All zones and variables that the player may know of."""
    console.print(_frame(lines_for(state, player)))


def draw_moves(console: Console, state: State, player: int, moves: Sequence[Move]) -> None:
    """The moves to choose from, numbered where a number cannot be mistaken for a move."""
    del state
    mark = numbered([move.text for move in moves])
    width = len(str(len(moves)))
    items = [Text(f"{k:>{width}}) {move.text}" if mark else move.text) for k, move in enumerate(moves, start=1)]
    how = "by number or by text" if mark else "by text"
    console.print(Text(f"{player_name(player)} to play ({how})", style="bold"))
    if len(items) <= _IN_ONE_COLUMN:
        for item in items:
            console.print(Padding(item, (0, 0, 0, 2)))
    else:
        console.print(Padding(Columns(items, padding=(0, 3), column_first=True), (0, 0, 0, 2)))


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


def _frame(lines: Iterable[Line]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold", ratio=1)
    for line in lines:
        style = "bold" if line.own else ""
        grid.add_row(Text(line.name, style=style), Text(line.count, style="dim"), Text(line.content, style=style))
    return grid


def lines_for(state: State, player: int | None) -> list[Line]:
    layout = state.game.layout
    lines = []
    for k, slot in enumerate(layout.slots):
        if slot.decl is None:
            continue
        name = slot.decl.name.name + (f" {' '.join(map(str, slot.indexes))}" if slot.indexes else "")
        cards = state.Z[k]
        shown = player is None or slot.seen_by(player)
        lines.append(
            Line(
                name,
                str(len(cards)),
                " ".join(state.game.texts.card(c, state) for c in cards[:_MOST_CARDS]) if shown else "",
            )
        )
    return lines


def draw_log(console: Console, state: State, player: int, observed: Sequence[object]) -> None:
    for entry in observed:
        console.print(Text(str(entry)))
