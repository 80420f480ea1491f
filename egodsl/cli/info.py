"""`egodsl info`: what a rulebook has, and what can be chosen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import counted, out, out_json
from egodsl.cli.rulebooks import load_rulebook

if TYPE_CHECKING:
    from egodsl.reports.overview import Overview


@click.command("info")
@click.argument("rulebook", metavar="RULEBOOK")
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(rulebook: str, as_json: bool) -> int:
    """Show for how many a rulebook is, its modes, readings, parameters and components, and the actions that it offers.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships.

    The JSON is an object: `name`, `title`, `base`, `digest`, `players` (fewest, most), `teams`, `result`, `payoff`,
    `modes` (`name`, `title`, `on`), `readings` (`name`, `question`, `answers`: `name`, `text`, `default`), `parameters`
    (`name`, `title`, `low`, `high`, `default`), `components` (`card`, `fewest`, `most`), `actions`, `abilities`,
    `triggers`, `stages`, `scenarios`, `citations`, `source` (`name`, `title`, `sentences`, `cited`).
    """
    loaded = load_rulebook(rulebook)
    from egodsl.reports.overview import overview  # noqa: PLC0415 - misuse is told before the engine is loaded

    found = overview(loaded)
    if as_json:
        out_json(found.to_json())
    else:
        for line in _lines(found):
            out(line)
    return 0


def _lines(found: Overview) -> Iterable[str]:
    yield f"{found.title} ({found.name}{f', a variant of {found.base}' if found.base else ''})"
    yield ""
    low, high = found.players
    teams = f", in {found.teams} teams" if found.teams else ""
    yield f"players     {_range(low, high)}{teams}"
    if found.result or found.payoff is None:
        yield f"result      {', '.join(found.result) or 'none'}"
    if found.payoff is not None:
        yield f"payoff      {found.payoff}"
    for components in found.components:
        yield f"components  {_range(components.fewest, components.most)} {components.card}"
    yield from _names("stages", found.stages)
    yield from _names("actions", found.actions)
    yield from _names("abilities", found.abilities)
    yield from _names("triggers", found.triggers)
    yield f"scenarios   {found.scenarios}"
    if found.source is not None:
        source = found.source
        yield f"source      {source.title}: {source.cited} of {counted(source.sentences, 'sentence')} cited"
    if found.modes:
        yield from ("", "modes (--mode NAME)")
        for mode in found.modes:
            yield f"  {mode.name}: {mode.title}{' (on)' if mode.on else ''}"
    if found.readings:
        yield from ("", "readings (--reading NAME=ANSWER; * is the default)")
        for reading in found.readings:
            yield f"  {reading.name}: {reading.question}"
            for answer in reading.answers:
                yield f"    {'*' if answer.default else ' '} {answer.name}: {answer.text}"
    if found.parameters:
        yield from ("", "parameters (--set PARAMETER=VALUE)")
        for number in found.parameters:
            yield f"  {number.name}: {number.title} ({number.low} to {number.high}, default {number.default})"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _names(what: str, names: tuple[str, ...]) -> Iterable[str]:
    if names:
        yield f"{what:<12}{', '.join(names)}"
