"""`egodsl simulate`: many games by computer players."""

from __future__ import annotations

import gc
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse, counted, out, out_json, show
from egodsl.cli.options import (
    DEFAULT_MOST,
    Bots,
    Chosen,
    bots_options,
    most_option,
    seed_option,
    settings_options,
    some_seed,
    whole,
)
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import load_rulebook

if TYPE_CHECKING:
    from egodsl.engine.game import Game
    from egodsl.reports.simulation import Simulation
    from egodsl.reports.spread import Spread

DEFAULT_GAMES = 1000
DEFAULT_PLAYOUTS = 100


@click.command("simulate")
@click.argument("rulebook", metavar="RULEBOOK")
@settings_options
@click.option("--games", type=whole(1), metavar="G", default=DEFAULT_GAMES, show_default=True, help="How many games.")
@bots_options
@click.option(
    "--playouts",
    type=whole(0),
    metavar="N",
    default=DEFAULT_PLAYOUTS,
    show_default=True,
    help="Playouts that `search` may make for each of its decisions.",
)
@seed_option
@most_option
@click.option(
    "--first",
    type=whole(0),
    metavar="K",
    default=0,
    help="The number of the first game; `--first K --games 1` has game K again.",
)
@click.option(
    "--records", metavar="DIRECTORY", help="Write a record of the first game with each fault into this directory."
)
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(
    rulebook: str,
    *,
    chosen: Chosen,
    games: int,
    bots: Bots,
    playouts: int,
    seed: int | None,
    most: int,
    first: int,
    records: str | None,
    as_json: bool,
) -> int:
    """Let computer players play many games, and say what came of them: random players, or others by `--bots` and
    `--bot`. The exit code is 1 if any game ended in a fault.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships.

    The JSON is an object: `rulebook`, `digest`, `players`, `modes`, `readings`, `parameters`, `seed`,
    `max_decisions`, `bots` (the kind of player by seat), `playouts`; `games`, of which `ended` and `cut_short`;
    `decisions`, `seconds`, `decisions_per_second`;
    `faults` with `count` and `kinds` (each `code`, `message`, `place`, `count`, `game`, `diagnostic`, `rule`,
    `record`); `wins` (alone) and `ties` (for the first place) by seat; `lengths`, and in `scores` for each key of the
    result `key`, `all` and `seats`, in `payoff` (null if the rulebook has none) `all` and `seats`, and `together`, as
    spreads (`count`, `min`, `q1`, `median`, `mean`, `q3`, `max`, `standard_deviation`, or null); `repeat`, the command
    that does it again.
    """
    if records is not None and Path(records).exists() and not Path(records).is_dir():
        raise Misuse(f"`{records}` is no directory")
    game = chosen.game(load_rulebook(rulebook))
    kinds = bots.kinds(game.players)
    seed = some_seed() if seed is None else seed
    repeat = shlex.join(
        ["egodsl", "simulate", rulebook, *chosen.words(), "--games", str(games), "--seed", str(seed)]
        + bots.words()
        + (["--playouts", str(playouts)] if playouts != DEFAULT_PLAYOUTS else [])
        + (["--first", str(first)] if first else [])
        + (["--max-decisions", str(most)] if most != DEFAULT_MOST else [])
    )
    made, seconds = _play(game, games, seed, most, first, kinds, playouts)
    if records is not None:
        _write_records(made, Path(records))
    if as_json:
        out_json({**made.to_json(seconds), "repeat": repeat})
    else:
        _tell(made, seconds, records)
        out(f"again: {repeat}")
    return 1 if made.fault_count else 0


def _play(
    game: Game, games: int, seed: int, most: int, first: int, kinds: list[str], playouts: int
) -> tuple[Simulation, float]:
    from egodsl.reports.simulation import simulate  # noqa: PLC0415 - misuse is told before the engine is loaded

    # The compiled rules live as long as the run: the collector need not look at them again and again.
    gc.collect()
    gc.freeze()
    with progress("playing", games) as done:
        begin = time.perf_counter()
        made = simulate(game, games, seed, most, kinds, playouts, first=first, done=done)
        seconds = time.perf_counter() - begin
    return made, seconds


def _tell(made: Simulation, seconds: float, records: str | None) -> None:
    game = made.game
    players = game.players
    seats = [chr(ord("A") + player) for player in range(players)]
    rate = f", {made.decisions / seconds:,.0f} decisions per second" if seconds > 0 else ""
    out(f"{game.rulebook.title}, {counted(players, 'player')}, seed {made.seed}")
    if not made.is_random:
        played = ", ".join(f"{seat} by {kind}" for seat, kind in zip(seats, made.kinds, strict=True))
        out(f"played {played}; {counted(made.playouts, 'playout')} for each decision of search")
    games = counted(made.games, "game")
    out(f"{games}: {made.ended} ended, {made.cut_short} cut short, {made.fault_count} with a fault")
    out(f"{made.decisions:,} decisions in {seconds:.2f} s{rate}")
    from egodsl.reports.spread import spread_of  # noqa: PLC0415 - as above

    _line("length of a game", spread_of(made.lengths))
    _line("score together", spread_of(made.together))
    for key, everybody, by_seat in made.score_spreads():
        _line(f"score ({key})", everybody)
        for seat, spread in zip(seats, by_seat, strict=True):
            _line(f"  {seat}", spread)
    whole, by_seat = made.payoff_spreads()
    _line("payoff", whole)
    for seat, spread in zip(seats, by_seat, strict=False):
        _line(f"  {seat}", spread)
    if not made.together and made.ended:
        for seat, wins, ties in zip(seats, made.wins, made.ties, strict=True):
            out(f"{seat} won {wins} ({wins / made.ended:.1%}), tied for first {ties} ({ties / made.ended:.1%})")
    if made.faults:
        out()
    for kind in made.faults.values():
        show([kind.diagnostic])
        out(f"{counted(kind.count, 'game')} ended so, the first is game {kind.game}\n")
    if made.faults and records is None:
        out("`--records DIRECTORY` writes these games down; `egodsl replay RECORD` steps through one")


def _line(what: str, spread: Spread | None) -> None:
    if spread is not None:
        out(
            f"{what}: {spread.min} to {spread.max}, quartiles {spread.q1:g} {spread.median:g} {spread.q3:g}, "
            f"mean {spread.mean:.2f}, deviation {spread.standard_deviation:.2f}"
        )


def _write_records(made: Simulation, folder: Path) -> None:
    if made.faults:
        folder.mkdir(parents=True, exist_ok=True)
    for kind in made.faults.values():
        name = f"{made.game.rulebook.name}-{kind.diagnostic.code}-game{kind.game}.record"
        (folder / name).write_text(kind.record.to_json(), encoding="utf-8")
