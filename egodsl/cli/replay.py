"""`egodsl replay`: a game that was written down, played again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse, note, out, show
from egodsl.cli.options import Chosen, whole
from egodsl.cli.rulebooks import load_rulebook, read_text

if TYPE_CHECKING:
    from rich.console import Console

    from egodsl.engine.game import Rulebook
    from egodsl.engine.record import Record
    from egodsl.reports.retelling import Retelling


@click.command("replay")
@click.argument("path", metavar="RECORD")
@click.option("--rulebook", metavar="RULEBOOK", help="The rulebook, if it is not found by the name in the record.")
@click.option("--step", is_flag=True, help="Stop after each decision until Enter is pressed.")
@click.option("--view", metavar="SEAT", help="Draw the table as this seat sees it (default: open).")
@click.option(
    "--limit", type=whole(1), metavar="STEPS", help="Steps between two decisions that count as a loop without an end."
)
def command(path: str, rulebook: str | None, step: bool, view: str | None, limit: int | None) -> int:
    """Play a recorded game again: each event on a line, then the table as it is at the end.

    The rulebook is looked for by its name, beside the record, here, and among what egodsl ships. If it is another
    version of what was played, the game is played as far as it fits, and the first difference is named; the exit code
    is 1 then.
    """
    from egodsl.engine.record import Record  # noqa: PLC0415 - misuse is told before the engine is loaded

    record = Record.from_json(read_text(path, "a game record"))
    loaded = load_rulebook(rulebook if rulebook is not None else record.rulebook, Path(path).parent)
    seat = _seat(view, record.players)
    if record.rulebook != loaded.name:
        raise Misuse(
            f"the record is of `{record.rulebook}`, not of `{loaded.name}`", "name its rulebook with `--rulebook`"
        )
    return _replay(loaded, record, seat, limit, step=step)


def _seat(view: str | None, players: int) -> int | None:
    if view is None:
        return None
    name = view.strip().upper()
    if len(name) != 1 or not 0 <= ord(name) - ord("A") < players:
        raise Misuse(f"`--view`: there is no seat `{view}`", f"the seats are A to {chr(ord('A') + players - 1)}")
    return ord(name) - ord("A")


def _replay(rulebook: Rulebook, record: Record, seat: int | None, limit: int | None, *, step: bool) -> int:
    from egodsl.reports.retelling import Retelling  # noqa: PLC0415 - as above

    game = Chosen.of_record(record, limit).game(rulebook)
    other = record.digest != rulebook.digest
    if other:
        note("warning: the rulebook is not the one that was played; the game is played as far as it fits")
    console = _console()
    retelling = Retelling(game, record)
    width = len(str(len(record.events)))
    for number, who, text in retelling:
        out(f"{number:>{width}}  {who}: {text}")
        if step and not _go_on(console, retelling, seat):
            break
    else:
        if retelling.state is not None:
            _draw(console, retelling, seat)
    if retelling.difference is not None:
        note(f"{'warning' if other else 'error'}: {retelling.difference}")
    if retelling.fault is not None:
        show([retelling.fault], err=True)
    return 1 if retelling.difference is not None or retelling.fault is not None else 0


def _go_on(console: Console, retelling: Retelling, seat: int | None) -> bool:
    _draw(console, retelling, seat)
    try:
        return input("Enter to go on, `quit` to stop: ").strip().lower() not in {"quit", "q"}
    except EOFError:
        out()
        return False


def _draw(console: Console, retelling: Retelling, seat: int | None) -> None:
    from egodsl.cli import table  # noqa: PLC0415 - as above
    from egodsl.reports.position import open_view  # noqa: PLC0415 - as above

    state = retelling.state
    assert state is not None
    table.draw_table(console, open_view(state) if seat is None else state.view(seat))
    if state.is_over:
        table.draw_result(console, state)


def _console() -> Console:
    from rich.console import Console  # noqa: PLC0415 - as above

    from egodsl.cli.console import wants_color  # noqa: PLC0415 - as above

    return Console(highlight=False, no_color=not wants_color(sys.stdout), width=None if sys.stdout.isatty() else 80)
