"""`egodsl play`: a game in the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse
from egodsl.cli.options import Chosen, seed_option, settings_options, some_seed
from egodsl.cli.rulebooks import load_rulebook, read_text

if TYPE_CHECKING:
    from egodsl.cli.session import Session
    from egodsl.engine.game import Rulebook
    from egodsl.players import Player


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
@click.option("--bots", metavar="KIND", default="random", show_default=True, help="What plays the other seats.")
@seed_option
@click.option("--ask-all", is_flag=True, help="Ask also where there is only one move.")
@click.option("--from", "record", metavar="RECORD", help="Go on with a game that was saved.")
def command(
    rulebook: str,
    chosen: Chosen,
    humans: tuple[str, ...],
    bots: str,
    seed: int | None,
    ask_all: bool,
    record: str | None,
) -> int:
    """Play a game in the terminal, with other people at the same keyboard or against computer players.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships. A move is given by its number, by its text, or by
    the beginning of it; `help` says what else can be typed. Everybody sees only what their seat may see.
    """
    from egodsl.players import KINDS  # noqa: PLC0415 - misuse is told before the engine is loaded

    if bots not in KINDS:
        raise Misuse(f"`--bots`: there is no kind of player `{bots}`", f"there are: {', '.join(KINDS)}")
    if record is not None and not chosen.is_default:
        raise Misuse("`--from` brings its own players, modes, readings and parameters")
    loaded = load_rulebook(rulebook)
    session = _continued(loaded, chosen, record, seed) if record is not None else _begun(loaded, chosen, seed)
    players = session.game.players
    seats = _seats(humans or ("A",), players)
    session.seat(seats, _bots(bots, seats, players, session.seed))
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
    seats: set[int] = set()
    for letter in letters:
        name = letter.strip().upper()
        seat = ord(name) - ord("A") if len(name) == 1 else -1
        if not 0 <= seat < players:
            raise Misuse(f"`--human`: there is no seat `{letter}`", f"the seats are A to {chr(ord('A') + players - 1)}")
        seats.add(seat)
    return tuple(sorted(seats))


def _bots(kind: str, humans: tuple[int, ...], players: int, seed: int) -> dict[int, Player]:
    from egodsl.engine.rng import derive  # noqa: PLC0415 - as above
    from egodsl.players import KINDS  # noqa: PLC0415

    return {seat: KINDS[kind](derive(seed, "players", seat)) for seat in range(players) if seat not in humans}
