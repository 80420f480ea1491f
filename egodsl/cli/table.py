"""The table as one player sees it, drawn for a terminal."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from egodsl.cli.picking import numbered, squeeze
from egodsl.engine.texts import player_name
from egodsl.reports.position import table_lines

if TYPE_CHECKING:
    from rich.console import Console

    from egodsl.engine.knowledge import Observation
    from egodsl.engine.moves import Move
    from egodsl.engine.state import State
    from egodsl.engine.views import View

_IN_ONE_COLUMN = 6
_MOST_OF_AN_ACTION = 4
_GAP = "  "


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
            return f"choose {' and '.join(name.replace('_', ' ') for name in together)}"
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
    """The places with the players in them, their scores and payoffs, or what all reached together; none before the
    end.
    """
    result, returns = state.result, state.returns
    if result is None or returns is None:
        return []
    paid = [f"payoff {value}" for value in returns] if state.game.has_payoff else []
    if result.together is not None:
        return [f"together: {result.together}", *(f"{player_name(p)}: {text}" for p, text in enumerate(paid))]
    ranked = state.game.checked.program.result is not None
    lines = []
    place = 1
    for group in result.places:
        for player in group:
            told = ", ".join([*(map(str, result.scores[player]) if ranked else ()), *paid[player : player + 1]])
            tie = " (tied)" if len(group) > 1 else ""
            lines.append(f"{place}. {player_name(player)}{f' with {told}' if told else ''}{tie}")
        place += len(group)
    return lines
