"""`egodsl new`: a rulebook to start from."""

from __future__ import annotations

import re
from pathlib import Path

import click

from egodsl.cli.console import Misuse, out

_STARTER = Path(__file__).parent / "starter.rules"
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_NAME = 60


@click.command("new")
@click.argument("name")
def command(name: str) -> int:
    """Write NAME.rules, a small complete game to start from. A file that is there already is never overwritten.

    NAME is made of small letters, digits and underscores; it may stand in a directory, as in games/lamps.
    """
    path = Path(name)
    path = path if path.suffix == ".rules" else path.with_name(f"{path.name}.rules")
    stem = path.stem
    if not _NAME.fullmatch(stem) or len(stem) > _LONGEST_NAME:
        words = re.findall("[a-z0-9]+", stem.lower())
        better = "_".join(words)[:_LONGEST_NAME]
        advice = f"`{better}` would do" if _NAME.fullmatch(better) else None
        raise Misuse(
            f"`{stem}` is no name for a rulebook: use small letters, digits and underscores, a letter first", advice
        )
    from egodsl.syntax.words import RESERVED  # noqa: PLC0415 - the syntax is loaded only when the name can be one

    if stem in RESERVED:
        raise Misuse(f"`{stem}` is a word of the language, so it cannot name a rulebook", f"`{stem}_game` would do")
    if not path.parent.is_dir():
        raise Misuse(f"there is no directory `{path.parent}`")
    text = rulebook_text(stem)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise Misuse(f"`{path}` is there already, and is left as it is") from error
    out(f"{path} is a small complete game. What to do with it:")
    for verb, what in (
        ("check", "is it sound?"),
        ("play", "play it, against players who choose at random"),
        ("test", "try its scenarios and properties"),
        ("simulate", "let a thousand games be played"),
    ):
        out(f"  egodsl {verb} {path}".ljust(len(str(path)) + 24) + what)
    return 0


def rulebook_text(name: str) -> str:
    """The rulebook to start from, under this name."""
    title = name.replace("_", " ").title()
    return _STARTER.read_text(encoding="utf-8").replace('rulebook starter "Starter"', f'rulebook {name} "{title}"')
