"""`egodsl fmt`: one layout for every rulebook."""

from __future__ import annotations

import difflib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from egodsl.cli.console import Misuse, counted, note, out, show
from egodsl.cli.rulebooks import rules_files

if TYPE_CHECKING:
    from egodsl.syntax.format import Formatted

STDIN = "-"


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
@click.option(
    "--diff",
    "only_diff",
    is_flag=True,
    help="Write nothing; show what would change, and exit with 1 if anything would.",
)
def command(paths: tuple[str, ...], only_check: bool, only_diff: bool) -> int:
    """Bring rulebooks into the one layout. Every comment and line of prose is kept.

    A directory means the `.rules` files in it; `-` means standard input, formatted to standard output. A file with
    errors in its syntax is left as it is. Line ends become those of Unix, and a byte order mark goes.
    """
    if only_check and only_diff:
        raise Misuse("`--check` and `--diff` exclude each other")
    if STDIN in paths:
        if len(paths) > 1:
            raise Misuse("`-` stands alone: standard input is one file")
        return _standard_input(only_check=only_check, only_diff=only_diff)
    changed = bad = 0
    files = rules_files(paths)
    for path in files:
        before = path.read_bytes()
        formatted = _format(str(path), before)
        if formatted is None:
            bad += 1
            continue
        after = formatted.text.encode()
        if after == before:
            continue
        changed += 1
        if only_diff:
            _show_diff(str(path), before, formatted.text)
        else:
            out(f"{'would change' if only_check else 'formatted'} {path}")
            if not only_check:
                _write(path, after)
    asked = only_check or only_diff
    tail = f", {counted(bad, 'file')} with errors" if bad else ""
    what = "would change" if asked else "formatted"
    note(f"{counted(changed, 'file')} {what}, {_left(len(files) - changed - bad)}{tail}")
    return 1 if bad or (asked and changed) else 0


def _standard_input(*, only_check: bool, only_diff: bool) -> int:
    before = sys.stdin.buffer.read()
    formatted = _format("<stdin>", before)
    if formatted is None:
        return 1
    after = formatted.text.encode()
    if only_diff:
        _show_diff("<stdin>", before, formatted.text)
    elif not only_check:
        sys.stdout.buffer.write(after)
    return 1 if (only_check or only_diff) and after != before else 0


def _format(name: str, data: bytes) -> Formatted | None:
    # None where the text cannot be laid out; the reason has been shown then.
    from egodsl.source.reading import decode  # noqa: PLC0415 - misuse is told before anything heavy is loaded
    from egodsl.syntax.format import format_text  # noqa: PLC0415

    source, found = decode(name, data)
    if source is None:
        show(found, err=True)
        return None
    formatted = format_text(source)
    errors = [diagnostic for diagnostic in formatted.diagnostics if diagnostic.is_error]
    show(errors, err=True)
    return None if errors else formatted


def _show_diff(name: str, before: bytes, after: str) -> None:
    # Line ends are kept on both sides, so a file that differs in nothing else still has a difference to show.
    old = before.decode().splitlines(keepends=True)
    new = after.splitlines(keepends=True)
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)"):
        text = line.rstrip("\n")
        out(text.replace("\r", "\\r").replace("\ufeff", "\\ufeff"))
        if not line.endswith("\n"):
            out("\\ No newline at end of file")


def _write(path: Path, data: bytes) -> None:
    # A new file beside the old one takes its place in one step: a crash leaves one of the two. A link stays a link.
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(target, name)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _left(number: int) -> str:
    return f"{number} left as {'it was' if number == 1 else 'they were'}"
