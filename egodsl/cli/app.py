"""Finds the verb, runs it, and turns every way in which that can fail into a message and an exit code."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any, NoReturn

import click

import egodsl
from egodsl.cli.console import Misuse, note, show_errors, show_misuse
from egodsl.source.diagnostics import DiagnosticError
from egodsl.source.registry import did_you_mean

FINE, FALLS_SHORT, MISUSED, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141
"""Exit codes. The last two are those of a shell for SIGINT and SIGPIPE."""

VERBS = (
    *("new", "check", "fmt", "info", "explain", "play", "simulate", "replay"),
    *("test", "explore", "readings", "coverage", "cite", "doc"),
)


class Verbs(click.Group):
    """The group of all verbs; each is `command` in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order in which an author meets them."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb, from its module; None if there is none of the name."""
        del ctx
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"egodsl.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that the arguments begin with. Raises Misuse if there is none."""
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            advice = did_you_mean(args[0], VERBS) or f"there are: {', '.join(VERBS)}"
            raise Misuse(f"there is no verb `{args[0]}`", advice)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run the verb. Nobody reading what it writes is a quiet end."""
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # What is left in the buffer is flushed when Python ends, and must go somewhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return NOBODY_READS
        return code

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ANN401 - as click has it
        """Run and exit. Whatever goes wrong becomes a message and a code here, for every verb alike."""
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.Abort:
            note("interrupted")
            code = INTERRUPTED
        except click.ClickException as error:
            show_misuse(*_in_words(error))
            code = MISUSED
        except DiagnosticError as error:
            show_errors(error.diagnostics)
            code = _code_of(error)
        except OSError as error:
            where = f"`{error.filename}`: " if error.filename is not None else ""
            show_misuse(f"{where}{(error.strerror or str(error)).lower()}", None)
            code = MISUSED
        sys.exit(code if isinstance(code, int) else FINE)


def _code_of(error: DiagnosticError) -> int:
    from egodsl.engine.settings import SettingsError  # noqa: PLC0415 - the engine is loaded only where it is needed

    return MISUSED if isinstance(error, SettingsError) else FALLS_SHORT


def _in_words(error: click.ClickException) -> tuple[str, str | None]:
    # Own words where click's differ from release to release.
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else "egodsl"
    advice = f"`{path} --help` shows how it is used"
    match error:
        case Misuse():
            return error.message, error.advice
        case click.NoSuchOption():
            known = (
                []
                if error.ctx is None
                else [name for p in error.ctx.command.params for name in p.opts if name.startswith("--")]
            )
            return f"there is no option `{error.option_name}`", did_you_mean(error.option_name, known) or advice
        case click.MissingParameter():
            return f"{_named(error)} is missing", advice
        case click.BadOptionUsage():
            return f"`{error.option_name}` needs a value", advice
        case click.BadParameter():
            return f"{_named(error)}: {error.message}" if error.param is not None else error.message, advice
        case _:
            text = error.format_message().rstrip(".")
            return text[:1].lower() + text[1:], advice


def _named(error: click.BadParameter) -> str:
    param = error.param
    if isinstance(param, click.Option):
        return f"`{max(param.opts, key=len)}`"
    return f"`{param.human_readable_name}`" if param is not None else "something"


@click.command(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(egodsl.__version__, "-V", "--version", message="egodsl %(version)s")
@click.pass_context
def verbs(ctx: click.Context) -> int:
    """The rules of a tabletop game, written down once, then run, checked and explained.

    Exit codes: 0 fine, 1 the rulebook falls short, 2 the command was misused.
    """
    if ctx.invoked_subcommand is None:
        note(ctx.get_help())
    return MISUSED


def main() -> NoReturn:
    """The program `egodsl`."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets `?`, not a traceback.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr] # both are text files at the start of a program
    # Reading and checking a file makes many objects and hardly any garbage: looking for it often costs time.
    gc.set_threshold(200_000, 20, 100)
    verbs.main(prog_name="egodsl")
