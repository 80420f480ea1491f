"""`egodsl coverage`: what of rulebooks no scenario and no random game reaches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from egodsl.cli.app import FALLS_SHORT, FINE, INTERRUPTED
from egodsl.cli.console import Misuse, counted, note, out, out_json, show
from egodsl.cli.options import seed_option, some_seed, whole
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import rules_files

if TYPE_CHECKING:
    from egodsl.engine.game import Rulebook
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.verify.coverage import Coverage

DEFAULT_GAMES = 20
DEFAULT_MOST = 5_000
MOST_PERCENT = 100


@click.command("coverage")
@click.argument("paths", metavar="RULEBOOK...", nargs=-1, required=True)
@click.option(
    "--games",
    type=whole(0),
    metavar="N",
    default=DEFAULT_GAMES,
    show_default=True,
    help="Random games with each number of players: so many by default, so many with each mode, so many with settings "
    "drawn at random, and a tenth of it with each other answer to a reading.",
)
@click.option(
    "--players",
    type=whole(1),
    multiple=True,
    metavar="N",
    help="Let so many play (default: every number that a rulebook allows). May be given several times.",
)
@seed_option
@click.option(
    "--max-decisions",
    "most",
    type=whole(1),
    metavar="N",
    default=DEFAULT_MOST,
    show_default=True,
    help="Cut a game short after so many.",
)
@click.option("--html", "page", metavar="FILE", help="Write a page with the lines of the rulebooks marked.")
@click.option(
    "--fail-under",
    "least",
    type=whole(0, MOST_PERCENT),
    metavar="PERCENT",
    default=0,
    help="Exit with 1 if less of the places is reached.",
)
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(
    paths: tuple[str, ...],
    *,
    games: int,
    players: tuple[int, ...],
    seed: int | None,
    most: int,
    page: str | None,
    least: int,
    as_json: bool,
) -> int:
    """Tell what of rulebooks is reached by their scenarios and by random games, and what is not: statements, branches
    both ways, options, actions, triggers, abilities, answers of readings, modes, and the sentences that are cited.

    A directory means the `.rules` files in it, a bare name a rulebook that egodsl ships. The base of a variant and the
    libraries of a rulebook are told of as well. The exit code is 1 if a rulebook cannot be used, or less is reached
    than `--fail-under` asks for; scenarios that fail and games that end in a fault are counted, and `egodsl test` tells
    more of them.

    The JSON is an object: `seed`; `interrupted`; `share` (0 to 1) and `summary` (for each kind of place `reached` and
    `all`); `rulebooks` (each `rulebook`, `digest`, `scenarios`, `failed`, `settings`, `refused`, `games`, `decisions`,
    `cut_short`, `faults`); `files` (each `file`, `form`, `name`, `summary`, `places` with their `counts`, and `lines`,
    each `reached`, `partly` or `not reached`); `unreached` (each `kind`, `name`, `lack`, `file`, `line`, `column`);
    `sentences` (each `id`, `says`, `reached`, `cited`); `diagnostics` (why a rulebook cannot be used).
    """
    files = rules_files(paths, by_name=True)
    if page is not None and Path(page).is_dir():
        raise Misuse(f"`{page}` is a directory, not a file to write")
    rulebooks, unusable, broken = _load(files)
    _must_fit(rulebooks, players)
    seed = some_seed() if seed is None else seed
    found: Coverage | None = None
    if rulebooks or as_json:
        found = _tell(rulebooks, games, players, seed, most, page, unusable, as_json=as_json)
    if not as_json:
        show(unusable)
        if broken:
            out(f"{counted(broken, 'file')} could not be tried")
    if found is not None and found.interrupted:
        return INTERRUPTED
    return FALLS_SHORT if broken or (found is not None and _falls_short(found, least)) else FINE


def _falls_short(found: Coverage, least: int) -> bool:
    from egodsl.reports.coverage import share_of  # noqa: PLC0415 - misuse is told before the engine is loaded

    return share_of(found.places) * MOST_PERCENT < least


def _load(files: list[Path]) -> tuple[list[Rulebook], list[Diagnostic], int]:
    """The rulebooks, what is wrong with others, and how many those are."""
    from egodsl.engine.game import RulebookError, load  # noqa: PLC0415 - misuse is told before the engine is loaded

    rulebooks: list[Rulebook] = []
    unusable: list[Diagnostic] = []
    broken = 0
    for path in files:
        try:
            rulebook = load(path)
        except RulebookError as error:
            unusable.extend(error.diagnostics)
            broken += 1
            continue
        if rulebook.checked.kind == "library":
            note(f"{path} is a library: it is covered by the rulebooks that use it")
        else:
            rulebooks.append(rulebook)
    return rulebooks, unusable, broken


def _must_fit(rulebooks: list[Rulebook], players: tuple[int, ...]) -> None:
    for count in players:
        if rulebooks and not any(count in rulebook.players for rulebook in rulebooks):
            raise Misuse(f"`--players`: no rulebook here is for {counted(count, 'player')}")


def _tell(
    rulebooks: list[Rulebook],
    games: int,
    players: tuple[int, ...],
    seed: int,
    most: int,
    page: str | None,
    unusable: list[Diagnostic],
    *,
    as_json: bool,
) -> Coverage:
    """Try the rulebooks and say what was reached."""
    from egodsl.reports.coverage import to_json  # noqa: PLC0415 - as above
    from egodsl.source.render import to_json as diagnostic_json  # noqa: PLC0415 - as above
    from egodsl.verify.coverage import cover, steps_of  # noqa: PLC0415 - as above

    chosen = players or None
    with progress("covering", steps_of(rulebooks, games, chosen)) as done:
        found = cover(rulebooks, seed=seed, games=games, players=chosen, most=most, done=done)
    if page is not None:
        from egodsl.reports.coverage_html import html  # noqa: PLC0415 - as above

        title = "Coverage of " + ", ".join(rulebook.title for rulebook in rulebooks)
        Path(page).write_text(html(found, title), encoding="utf-8")
    if as_json:
        out_json({**to_json(found), "diagnostics": [diagnostic_json(one) for one in unusable]})
    else:
        from egodsl.reports.coverage_terminal import report  # noqa: PLC0415 - as above

        for line in report(found):
            out(line)
        out(f"seed {seed}")
    return found
