"""`egodsl explore`: every position that a game can reach."""

from __future__ import annotations

import gc
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from egodsl.cli.app import INTERRUPTED
from egodsl.cli.console import Misuse, counted, out, out_json, show
from egodsl.cli.options import Chosen, game_options, numbers_of, once, pair, whole
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import load_rulebook
from egodsl.source.registry import did_you_mean

if TYPE_CHECKING:
    from egodsl.engine.game import Game
    from egodsl.verify.explore import Bounds, Exploration, Violation
    from egodsl.verify.properties import Property

DEFAULT_STATES = 1_000_000
DEFAULT_MEMORY = 1000


@attrs.frozen
class _Asked:
    rulebook: str
    chosen: Chosen
    states: int
    memory: int
    until: str | None
    every: bool
    names: tuple[str, ...]

    def properties(self, game: Game) -> list[Property] | None:
        """Those that are named; None where none is."""
        from egodsl.verify.explore import judged_here  # noqa: PLC0415 - misuse is told before the engine is loaded
        from egodsl.verify.properties import properties_of  # noqa: PLC0415 - as above

        if not self.names:
            return None
        known = {prop.name: prop for prop in judged_here(properties_of(game.rulebook))}
        for name in self.names:
            if name not in known:
                advice = did_you_mean(name, known) or f"those that can be explored are: {', '.join(known)}"
                raise Misuse(f"`--property`: there is no `{name}` to explore", advice)
        return [known[name] for name in dict.fromkeys(self.names)]

    def bounds(self, game: Game) -> Bounds:
        from egodsl.verify.explore import Bounds  # noqa: PLC0415 - misuse is told before the engine is loaded

        stages = [stage.name for stage in game.stages]
        if self.until is not None and self.until not in stages:
            advice = did_you_mean(self.until, stages) or f"there are: {', '.join(stages)}"
            raise Misuse(f"`--until`: this rulebook has no stage `{self.until}`", advice)
        return Bounds(self.states, self.memory, -1 if self.until is None else stages.index(self.until))

    @property
    def repeat(self) -> str:
        """The command that does it again."""
        words = ["egodsl", "explore", self.rulebook, *self.chosen.words()]
        words += ["--limit", str(self.states)] if self.states != DEFAULT_STATES else []
        words += ["--memory", str(self.memory)] if self.memory != DEFAULT_MEMORY else []
        words += ["--until", self.until] if self.until is not None else []
        words += [word for name in self.names for word in ("--property", name)]
        return shlex.join([*words, *(["--every"] if self.every else [])])


@click.command("explore")
@click.argument("rulebook", metavar="RULEBOOK")
@game_options
@click.option(
    "--deck",
    "decks",
    type=pair,
    multiple=True,
    metavar="NAME=N",
    help="Keep only N cards of these components; or `NAME=VALUE:N,…`, N of those that show the value.",
)
@click.option(
    "--define",
    "counts",
    type=pair,
    multiple=True,
    metavar="NAME=N",
    help="Give a define that is a number settled before play a smaller one.",
)
@click.option(
    "--limit",
    "states",
    type=whole(1),
    metavar="STATES",
    default=DEFAULT_STATES,
    show_default=True,
    help="Stop when so many positions are stored.",
)
@click.option(
    "--memory",
    type=whole(1),
    metavar="MB",
    default=DEFAULT_MEMORY,
    show_default=True,
    help="Stop when the positions take so many megabytes.",
)
@click.option("--until", metavar="STAGE", help="Look no further than the end of this stage.")
@click.option(
    "--property", "names", multiple=True, metavar="NAME", help="Judge only this property. May be given several times."
)
@click.option("--every", is_flag=True, help="Take no two positions for one by a symmetry of the rules.")
@click.option("--records", metavar="DIRECTORY", help="Write a record of a shortest game for each violation there.")
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(
    rulebook: str,
    *,
    chosen: Chosen,
    decks: tuple[tuple[str, str], ...],
    counts: tuple[tuple[str, str], ...],
    states: int,
    memory: int,
    until: str | None,
    every: bool,
    names: tuple[str, ...],
    records: str | None,
    as_json: bool,
) -> int:
    """Look at every position that a game can reach, over all decisions and all outcomes of chance, and say whether
    anything goes wrong in any. The exit code is 1 if so.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships. Few games are small enough as they are: `--set`
    bounds what is a parameter, `--deck` leaves cards out, `--define` makes other numbers smaller. Of the cards the
    first of each row is kept before the second of any; in a row `for t in Topic for r in 1..9` each topic has its 1
    before any has a 2. The totals in the rulebook do not apply then.

    What goes wrong is shown by a game that has as few decisions and chance events as any that does. Players who choose
    at once are asked seat by seat, since the order makes no difference. Where only built-in properties are judged,
    positions that differ in seats, or in the names of values, are one if the rules are proved to treat them alike. A
    search that is interrupted says what it had found.

    The JSON is an object: `rulebook`, `digest`, `players`, `modes`, `readings`, `parameters`, `decks`, `defines`,
    `until`, `limit`, `memory`; `states`, `transitions`, `ends` (states in which the game is over), `depth` (decisions
    and chance events to the farthest state), `complete`, `stopped` (why it is not complete: `limit`, `memory`,
    `interrupted`, or null), `symmetries`, `bytes`, `seconds`; `properties` (those that were judged), `not_judged`
    (those that are left to `egodsl test`); `violations`, each with `property`, `instance`, `code`, `message`, `place`,
    `depth`, `count`, `diagnostic`, `record`; `witnesses`, of each property that something is reachable: `property`,
    `instance`, `verdict` (`found`, `refuted`, `not found`); `repeat`, the command that does it again.
    """
    if records is not None and Path(records).exists() and not Path(records).is_dir():
        raise Misuse(f"`{records}` is no directory")
    cut = attrs.evolve(chosen, decks=once("--deck", decks), counts=numbers_of("--define", counts))
    asked = _Asked(rulebook, cut, states, memory, until, every, names)
    game = cut.game(load_rulebook(rulebook))
    made, seconds = _explore(game, asked)
    if records is not None:
        _write_records(game, made, Path(records))
    if as_json:
        out_json(_as_json(game, asked, made, seconds))
    else:
        _tell(game, asked, made, seconds, records)
    if made.stopped == "interrupted":
        return INTERRUPTED
    return 1 if made.violations else 0


def _explore(game: Game, asked: _Asked) -> tuple[Exploration, float]:
    from egodsl.verify.explore import explore  # noqa: PLC0415 - misuse is told before the engine is loaded

    bounds, properties = asked.bounds(game), asked.properties(game)
    # The compiled rules live as long as the run: the collector need not look at them again and again.
    gc.collect()
    gc.freeze()
    with progress("positions", asked.states) as done:
        begin = time.perf_counter()
        made = explore(game, bounds, properties, reduce=not asked.every, done=done)
        seconds = time.perf_counter() - begin
    return made, seconds


# ---------------------------------------------------------------- telling

_STOPPED = {
    "limit": "not complete: `--limit` is reached",
    "memory": "not complete: `--memory` is reached",
    "interrupted": "not complete: interrupted",
}


def _tell(game: Game, asked: _Asked, made: Exploration, seconds: float, records: str | None) -> None:
    out(f"{game.rulebook.title}, {counted(game.players, 'player')}")
    cuts = [f"`{name}` to {text} cards" for name, text in game.settings.decks.items()]
    cuts += [f"`{name}` to {number}" for name, number in game.settings.counts.items()]
    if cuts:
        out(f"cut down: {', '.join(cuts)}; totals in the rulebook do not apply")
    out(
        f"{made.states:,} positions, {made.transitions:,} transitions, depth {made.depth}; "
        f"the game is over in {made.ends:,}"
    )
    if made.symmetries > 1:
        out(f"of {made.symmetries} positions that differ in seats or in names alone, one was looked at")
    rate = f", {made.states / seconds * 60:,.0f} positions a minute" if seconds > 0 and made.states else ""
    size = f", {made.memory / made.states:,.0f} bytes each" if made.states else ""
    out(f"{seconds:.2f} s{rate}{size}")
    where = f" until stage `{asked.until}` ends" if asked.until is not None else ""
    out(f"complete: these are all that can be reached{where}" if made.complete else _STOPPED[made.stopped])
    for witness in made.witnesses:
        of = f" ({witness.instance})" if witness.instance else ""
        out(f"property `{witness.property}`{of}: {witness.verdict}")
    for violation in made.violations:
        _tell_violation(violation)
    judged = ", ".join(f"`{prop.name}`" for prop in made.judged)
    if not made.violations:
        out(f"{'nothing went wrong' if made.complete else 'nothing has gone wrong so far'}: {judged or 'no property'}")
    elif records is None:
        out("`--records DIRECTORY` writes these games down; `egodsl replay RECORD` steps through one")
    out(f"again: {asked.repeat}")


def _tell_violation(violation: Violation) -> None:
    out()
    of = f" ({violation.instance})" if violation.instance else ""
    events = counted(violation.depth, "event")
    out(f"property `{violation.property}`{of} is broken after {events}, by {counted(violation.count, 'transition')}:")
    show([violation.diagnostic])
    for number, (who, text) in enumerate(violation.record.events, start=1):
        out(f"  {number:>3}  {who}: {text}")
    out()


def _as_json(game: Game, asked: _Asked, made: Exploration, seconds: float) -> dict[str, Any]:
    from egodsl.engine.record import record_settings  # noqa: PLC0415 - as above

    players, modes, readings, parameters = record_settings(game)
    return {
        "rulebook": game.rulebook.name,
        "digest": game.rulebook.digest,
        "players": players,
        "modes": list(modes),
        "readings": readings,
        "parameters": parameters,
        "decks": game.settings.decks,
        "defines": game.settings.counts,
        "until": asked.until,
        "limit": asked.states,
        "memory": asked.memory,
        "states": made.states,
        "transitions": made.transitions,
        "ends": made.ends,
        "depth": made.depth,
        "complete": made.complete,
        "stopped": made.stopped or None,
        "symmetries": made.symmetries,
        "bytes": made.memory,
        "seconds": round(seconds, 3),
        "properties": [prop.name for prop in made.judged],
        "not_judged": [prop.name for prop in made.left_out],
        "violations": [_violation_json(violation) for violation in made.violations],
        "witnesses": [
            {"property": one.property, "instance": one.instance or None, "verdict": one.verdict}
            for one in made.witnesses
        ],
        "repeat": asked.repeat,
    }


def _violation_json(violation: Violation) -> dict[str, Any]:
    import json  # noqa: PLC0415 - as above

    from egodsl.source.render import render_full  # noqa: PLC0415 - as above

    diagnostic = violation.diagnostic
    return {
        "property": violation.property,
        "instance": violation.instance or None,
        "code": diagnostic.code.number,
        "message": diagnostic.message,
        "place": diagnostic.place,
        "depth": violation.depth,
        "count": violation.count,
        "diagnostic": render_full(diagnostic, color=False),
        "record": json.loads(violation.record.to_json()),
    }


def _write_records(game: Game, made: Exploration, folder: Path) -> None:
    if made.violations:
        folder.mkdir(parents=True, exist_ok=True)
    for number, violation in enumerate(made.violations, start=1):
        name = f"{game.rulebook.name}-{violation.property.replace(' ', '_')}-{number}.record"
        (folder / name).write_text(violation.record.to_json(), encoding="utf-8")
