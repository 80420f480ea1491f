"""The past of a state: a chain of entries that copies share, or one that is made when somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Entry = tuple[Any, ...]
Log = Any
"""None, or (log before, entry), or a Past."""


class Past:
    """The past of a state that was dealt anew. Its entries are made once, when they are first asked for."""

    __slots__ = ("_entries", "_make")

    def __init__(self, make: Callable[[], list[Entry]]) -> None:
        self._make: Callable[[], list[Entry]] | None = make
        self._entries: list[Entry] = []

    def entries(self) -> list[Entry]:
        """The entries from the beginning."""
        if self._make is not None:
            self._entries = self._make()
            self._make = None
        return self._entries


def entries_of(log: Log) -> list[Entry]:
    """All entries of a log, from the beginning."""
    found: list[Entry] = []
    before: list[Entry] = []
    while log is not None:
        if isinstance(log, Past):
            before = log.entries()
            break
        log, entry = log
        found.append(entry)
    found.reverse()
    return before + found
