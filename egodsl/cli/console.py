"""What verbs write with: diagnostics, errors in the command itself, JSON. Colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import IO

import click

from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import render_concise, render_full, summary


class Misuse(click.ClickException):
    """The command was misused: one line that says how, and perhaps advice. Exit code 2."""

    exit_code = 2

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.advice = advice


def wants_color(stream: IO[str]) -> bool:
    """Whether the stream is a terminal whose user has not asked for plain text (NO_COLOR, or TERM=dumb)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def out(text: str = "") -> None:
    """One line of what the verb is asked for."""
    click.echo(text)


def note(text: str) -> None:
    """One line beside it, on standard error."""
    click.echo(text, err=True)


def out_json(data: object) -> None:
    """The JSON that a verb gives to a program."""
    out(json.dumps(data, indent=2, ensure_ascii=False))


def show(diagnostics: Iterable[Diagnostic], *, concise: bool = False, err: bool = False) -> None:
    """Diagnostics for a person: in full with an empty line after each, or one a line."""
    stream = sys.stderr if err else sys.stdout
    color = wants_color(stream)
    for diagnostic in diagnostics:
        click.echo(
            render_concise(diagnostic) if concise else render_full(diagnostic, color=color) + "\n", err=err, color=color
        )


def show_errors(diagnostics: Iterable[Diagnostic]) -> None:
    """Why a verb cannot go on: the diagnostics in full and how many there are, on standard error."""
    found = list(diagnostics)
    show(found, err=True)
    note(summary(found))


def show_misuse(message: str, advice: str | None) -> None:
    """What is wrong with the command, in the diagnostics' style."""
    color = wants_color(sys.stderr)
    head = click.style("error", fg="red", bold=True) if color else "error"
    click.echo(f"{head}: {message}", err=True, color=color)
    if advice:
        click.echo(f"  = help: {advice}", err=True, color=color)


def counted(number: int, word: str) -> str:
    """A number with its word: `1 game`, `2 games`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
