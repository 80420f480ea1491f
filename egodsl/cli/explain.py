"""`egodsl explain`: what a code means."""

from __future__ import annotations

import click

from egodsl.cli.console import Misuse, out
from egodsl.source.registry import CODES, UnknownCodeError, explain


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> int:
    """Say what a code such as EGO301 means, with an example and its mend.

    CODE is a number (EGO301, or 301) or a name (unknown-name). Without it, all codes are listed.
    """
    if code is None:
        for known in CODES.values():
            out(f"{known.number}  {known.name:<28}  {known.summary}")
        return 0
    try:
        text = explain(code)
    except UnknownCodeError as error:
        raise Misuse(str(error), "`egodsl explain` lists all codes") from error
    out(text.rstrip("\n"))
    return 0
