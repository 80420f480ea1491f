"""`egodsl readings`: what the readings and modes of a rulebook do to its properties."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse, out, out_json, wants_color
from egodsl.cli.options import MOST_SEED, player_counts, whole
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import load_rulebook, write_record

if TYPE_CHECKING:
    from egodsl.verify.readings import Outcome, Survey

RECORDS = "egodsl-records"
_WIDEST = 10_000


@click.command("readings")
@click.argument("path", metavar="RULEBOOK")
@click.option("--games", type=whole(1), metavar="G", default=20, show_default=True, help="Games for each combination.")
@click.option("--players", metavar="N|LOW..HIGH", help="Only with so many players (default: every number).")
@click.option("--seed", type=whole(0, MOST_SEED), metavar="S", default=0, show_default=True, help="Of the games.")
@click.option("--max-decisions", "most", type=whole(1), metavar="N", default=3000, show_default=True,
              help="Decisions after which a game counts as one that does not end.")  # fmt: skip
@click.option("--records", metavar="DIRECTORY", default=RECORDS, show_default=True,
              help="Where the games that break a property are written.")  # fmt: skip
@click.option("--single", is_flag=True, help="One reading or mode at a time, no combinations.")
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(
    path: str, games: int, players: str | None, seed: int, most: int, records: str, single: bool, as_json: bool
) -> int:
    """Try every reading and mode, one at a time and two at a time (all combinations where they are few): which breaks
    which property, how often, with the shortest game found that shows it, and which makes no difference to any game.

    The exit code is 1 where the defaults break something; what an answer that is not the default breaks is what this
    verb is for. The same seed plays the same games. An interrupt (Ctrl-C) tells what had been found.

    The JSON is an object: `results` (each `readings`, `modes`, `players`, `property`, `verdict` (`holds` or `broken`),
    `games`, `broken`, `interval`: the bounds of the share that is broken, with a confidence of 95 %; `decisions` of the
    shortest game found, and the `record` it was written to), `no_difference` (readings and modes that changed no game),
    `unusable` (combinations of which there is no game, with the `reason`), `interrupted`.
    """
    if Path(records).exists() and not Path(records).is_dir():
        raise Misuse(f"`{records}` is no directory")
    rulebook = load_rulebook(path)
    counts = player_counts(rulebook, players)
    from egodsl.verify.readings import survey  # noqa: PLC0415 - misuse is told before the engine is loaded
    from egodsl.verify.settings import combinations_of  # noqa: PLC0415 - as above
    from egodsl.verify.trying import Plan  # noqa: PLC0415 - as above

    plan = Plan(games=games, seed=seed, most=most, effort=5000, every=100)
    with progress(f"surveying {rulebook.name}", len(combinations_of(rulebook, counts, 1 if single else None))) as done:
        made = survey(rulebook, players=counts, plan=plan, most=1 if single else None, done=done)
    written = _write_records(rulebook.name, made, Path(records))
    if as_json:
        from egodsl.reports.readings import survey_json  # noqa: PLC0415 - as above

        out_json(survey_json(made, written))
    else:
        _tell(made, written)
    if made.interrupted:
        return 130
    plain = [one for one in made.outcomes if not one.setting.modes and not one.setting.readings]
    return 1 if any(one.broken for one in plain) else 0


def _write_records(name: str, made: Survey, folder: Path) -> dict[Outcome, str]:
    from egodsl.reports.counterexamples import record_name  # noqa: PLC0415 - as above

    written: dict[Outcome, str] = {}
    taken: list[str] = []
    for outcome in made.outcomes:
        if outcome.example is None:
            continue
        words = "-".join(
            [outcome.property.name, *outcome.setting.modes, *(answer for _, answer in outcome.setting.readings)]
        )
        file = record_name(name, f"{words}-{outcome.setting.players}", taken)
        taken.append(file)
        if write_record(folder / file, outcome.example.record):
            written[outcome] = str(folder / file)
    return written


def _tell(made: Survey, written: dict[Outcome, str]) -> None:
    from rich.console import Console  # noqa: PLC0415 - as above
    from rich.table import Table  # noqa: PLC0415 - as above

    from egodsl.reports.readings import rows, summary_lines  # noqa: PLC0415 - as above

    found = rows(made, written)
    if found:
        table = Table("with", "players", "breaks", "in", show_lines=True)
        table.add_column("shortest game found", overflow="fold")
        for row in found:
            table.add_row(row.setting, row.players, row.property, row.broken, row.example)
        # In a file no line is broken, so that the names of records can be found and copied.
        width = None if sys.stdout.isatty() else _WIDEST
        Console(highlight=False, no_color=not wants_color(sys.stdout), width=width).print(table)
    if made.interrupted:
        out("interrupted; what had been tried:")
    for line in summary_lines(made):
        out(line)
