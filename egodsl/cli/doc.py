"""`egodsl doc`: the rulebook for the people who play."""

from __future__ import annotations

from pathlib import Path

import click

from egodsl.cli.console import Misuse, note, out
from egodsl.cli.options import Chosen, one_of, settings_options
from egodsl.cli.rulebooks import load_rulebook


@click.command("doc")
@click.argument("rulebook", metavar="RULEBOOK")
@click.option(
    "--format",
    "form",
    type=one_of("html", "markdown"),
    metavar="[html|markdown]",
    default="html",
    show_default=True,
    help="One HTML file, or Markdown.",
)
@click.option("--output", metavar="FILE", help="Write to this file (default: to standard output).")
@settings_options
def command(rulebook: str, form: str, output: str | None, chosen: Chosen) -> int:
    """Write the player's rulebook: the prose in reading order, components with their numbers, abilities, modes, open
    questions with the answers chosen, and examples made from scenarios. Citations become numbered notes.

    RULEBOOK is a file, or the name of a rulebook that egodsl ships.
    """
    game = chosen.game(load_rulebook(rulebook))
    from egodsl.reports.player_html import html  # noqa: PLC0415 - misuse is told before the engine is loaded
    from egodsl.reports.player_markdown import markdown  # noqa: PLC0415 - as above
    from egodsl.reports.player_rules import player_rules  # noqa: PLC0415 - as above

    document = player_rules(game)
    text = html(document) if form == "html" else markdown(document)
    if output is None:
        out(text.removesuffix("\n"))
        return 0
    path = Path(output)
    if path.is_dir():
        raise Misuse(f"`{output}` is a directory: name a file to write to")
    path.write_text(text, encoding="utf-8", newline="\n")
    note(f"`{output}` is written")
    return 0
