"""How far a long run has come, on a terminal and nowhere else."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

_REFRESH = 0.1
"""Seconds between two looks of the bar: drawing it costs more than a short game."""


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A function to be called with how many are done, or None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        shown = 0.0

        def done(count: int) -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown >= _REFRESH:
                shown = now
                bar.update(task, completed=count)

        yield done
