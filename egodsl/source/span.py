"""Places in a text."""

from __future__ import annotations

import attrs

from egodsl.source.text import SourceText


@attrs.frozen
class Span:
    """The characters of `source.text` from offset `start` up to, not including, offset `end`.

    `0 <= start <= end <= len(source.text)` is the maker's duty and is not checked: a file makes thousands of spans. An
    empty span is a point between two characters. Lines and columns count from 1 and are worked out when asked for.
    """

    source: SourceText
    start: int
    end: int

    @property
    def line(self) -> int:
        """The line on which the span starts."""
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        """The column at which the span starts."""
        return self.source.position(self.start)[1]

    @property
    def end_line(self) -> int:
        """The line of the place just past the last character."""
        return self.source.line_of(self.end)

    @property
    def end_column(self) -> int:
        """The column just past the last character."""
        return self.source.position(self.end)[1]

    @property
    def text(self) -> str:
        """The author's own characters."""
        return self.source.text[self.start : self.end]

    def join(self, other: Span) -> Span:
        """The shortest span that covers both. Raises ValueError if they lie in different texts."""
        if self.source is not other.source:
            msg = f"cannot join a span of {self.source.path} with one of {other.source.path}"
            raise ValueError(msg)
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.path}:{line}:{column}"

    def __repr__(self) -> str:
        return f"<Span {self} {self.start}..{self.end}>"
