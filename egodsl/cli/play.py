"""`egodsl play`: a game in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse
from egodsl.cli.options import (
    Bots,
    Chosen,
    bots_options,
    seat_of,
    seed_option,
    settings_options,
    some_seed,
    whole,
)
from egodsl.cli.rulebooks import load_rulebook, read_text
from egodsl.cli.thinking import TimeLimit

if TYPE_CHECKING:
    from egodsl.cli.session import Session
    from egodsl.engine.game import Rulebook
    from egodsl.players import Player


DEFAULT_THINKING = 500
MOST_THINKING = 3_600_000
"""An hour."""


@click.command("play")
@click.argument("rulebook", metavar="RULEBOOK")
@settings_options
@click.option(
    "--human",
    "humans",
    multiple=True,
    metavar="SEAT",
    help="A seat that a person plays, such as A (the default). May be given several times.",
)
@bots_options
@click.option(
    "--think",
    type=whole(0, MOST_THINKING),
    metavar="MILLISECONDS",
    default=DEFAULT_THINKING,
    show_default=True,
    help="How long `search` may think about each of its decisions.",
)
@seed_option
@click.option("--ask-all", is_flag=True, help="Ask also where there is only one move.")
@click.option("--from", "record", metavar="RECORD", help="Go on with a game that was saved.")
def command(
    rulebook: str,
    *,
    chosen: Chosen,
    humans: tuple[str, ...],
    bots: Bots,
    think: int,
    seed: int | None,
    ask_all: bool,
    record: str | None,
) -> int:
    """Play a game in the terminal, with other people at the same keyboard or against computer players.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships. A move is given by its number, by its text, or by
    the beginning of it; `help` says what else can be typed. Everybody sees only what their seat may see, the computer
    players too.
    """
    if record is not None and not chosen.is_default:
        raise Misuse("`--from` brings its own players, modes, readings and parameters")
    loaded = load_rulebook(rulebook)
    session = _continued(loaded, chosen, record, seed) if record is not None else _begun(loaded, chosen, seed)
    players = session.game.players
    seats = _seats(humans or ("A",), players)
    for seat in bots.seats(players):
        if seat in seats:
            letter = chr(ord("A") + seat)
            raise Misuse(f"`--bot`: a person plays the seat `{letter}`", "`--human SEAT` seats the person elsewhere")
    session.seat(seats, _bots(bots.kinds(players), seats, session.seed, think))
    session.ask_all = ask_all
    return session.run()


def _begun(rulebook: Rulebook, chosen: Chosen, seed: int | None) -> Session:
    from egodsl.cli.session import Session  # noqa: PLC0415 - rich is loaded only for a game
    from egodsl.engine.faults import GameFault  # noqa: PLC0415

    game = chosen.game(rulebook)
    seed = some_seed() if seed is None else seed
    try:
        return Session(game, game.start(seed), seed)
    except GameFault as fault:
        return Session.broken(game, fault, seed)


def _continued(rulebook: Rulebook, chosen: Chosen, path: str, seed: int | None) -> Session:
    from egodsl.cli.session import Session  # noqa: PLC0415 - rich is loaded only for a game
    from egodsl.engine.record import Record  # noqa: PLC0415

    record = Record.from_json(read_text(path, "a game record"))
    if record.seed is not None and seed is not None:
        raise Misuse("`--from` brings its own seed")
    game = Chosen.of_record(record, chosen.limit).game(rulebook)
    state = game.replay(record)
    begin = record.seed if record.seed is not None else some_seed() if seed is None else seed
    return Session(game, state, begin)


def _seats(letters: Iterable[str], players: int) -> tuple[int, ...]:
    return tuple(sorted({seat_of("--human", letter, players) for letter in letters}))


def _bots(kinds: list[str], humans: tuple[int, ...], seed: int, think: int) -> dict[int, Player]:
    from egodsl.engine.rng import derive  # noqa: PLC0415 - as above
    from egodsl.players import KINDS  # noqa: PLC0415

    return {
        seat: KINDS[kind](derive(seed, "players", seat), TimeLimit(think))
        for seat, kind in enumerate(kinds)
        if seat not in humans
    }
