"""Source texts: decoded, with places counted the way editors count them."""

from __future__ import annotations

import os
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from egodsl.source.diagnostics import Diagnostic

MAX_SOURCE_BYTES = 10_000_000
"""A file of this many bytes or more is refused unread: no rulebook is near it, and parsing it would take minutes."""


@attrs.frozen(eq=False)
class SourceText:
    r"""The text of one file. Two texts are the same only if they are the same object.

    `path` is the path as the author gave it, never made absolute: it is what messages print. `text` holds no byte order
    mark, and every line in it ends with `\n` alone. Offsets count characters (code points) of `text` from 0.
    """

    path: str
    text: str

    @cached_property
    def _starts(self) -> list[int]:
        # The offset at which each line starts; one entry past the last line keeps `line` free of a special case.
        return list(accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0))

    @property
    def line_count(self) -> int:
        """How many lines there are, at least 1. After a final newline there is one more line, which is empty."""
        return len(self._starts) - 1

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """All lines without their ends; `lines[n - 1]` is `line(n)`."""
        return tuple(self.text.split("\n"))

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds `offset`. An offset outside the text counts as the nearest one inside it."""
        return bisect_right(self._starts, min(max(offset, 0), len(self.text)))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of `offset`, both from 1. A column is a character, whatever its width on a screen.

        The offset just past the last character is a position too. One outside the text counts as the nearest inside.
        """
        inside = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, inside)
        return line, inside - self._starts[line - 1] + 1

    def line_start(self, line: int) -> int:
        """The offset at which `line` (from 1) starts. Raises IndexError if there is no such line."""
        if not 1 <= line <= self.line_count:
            msg = f"no line {line} in a text of {self.line_count} lines"
            raise IndexError(msg)
        return self._starts[line - 1]

    def line(self, line: int) -> str:
        """The text of `line` (from 1) without its end. Raises IndexError if there is no such line."""
        start = self.line_start(line)
        return self.text[start : self._starts[line] - 1]


def read_source(path: str | os.PathLike[str]) -> tuple[SourceText | None, list[Diagnostic]]:
    """Read a file. Gives its text, or None and the diagnostics that say why it cannot be used.

    Windows line ends, a byte order mark and a missing final newline are fine. Invalid UTF-8, a NUL byte, a file without
    any text and a file of `MAX_SOURCE_BYTES` or more each give one error. Raises FileNotFoundError if there is no such
    file, and any other OSError (a directory, no permission) as the system reports it.
    """
    # diagnostics.py needs Span, and Span needs this module: the checks live beside them, in reading.py.
    from egodsl.source.reading import decode  # noqa: PLC0415

    with open(path, "rb") as file:  # noqa: PTH123 -- pathlib would only wrap this very call
        data = file.read(MAX_SOURCE_BYTES)
    return decode(os.fspath(path), data)
