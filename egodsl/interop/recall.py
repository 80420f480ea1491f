"""All that a player saw in the course of a game, as a row of numbers: for games that are known to end in time.

There is a row for each decision of anybody, as the player saw it, and one for the end or for the chance event now. A
row holds the observation (see `tensors`), the action that the player took there, and which labels and actions were
chosen by whom since the row before, as far as they have been told. Rows that have not come yet are 0.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from egodsl.engine.table import DECIDE
from egodsl.interop.position import Position, Rules, Stop
from egodsl.interop.problems import InteropError
from egodsl.interop.tensors import MOST_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from egodsl.engine.past import Log


class RecallLayout:
    """The layout for games of at most `length` decisions. Raises InteropError (EGO921) where it is too long."""

    def __init__(self, rules: Rules, length: int) -> None:
        self.rules = rules
        self.rows = length + 1
        encoding = rules.encoding
        self._action = rules.layout.size
        self._told = self._action + encoding.size
        self._labels = {label: k for k, label in enumerate(encoding.labels)}
        self.width = self._told + rules.game.players * len(self._labels)
        self.size = self.rows * self.width
        if self.size > MOST_NUMBERS:
            name = rules.game.rulebook.name
            message = f"an information state of `{name}` takes {self.size} numbers, more than {MOST_NUMBERS}"
            advice = "give a smaller `max_length`, or none, and use information state strings"
            raise InteropError("EGO921", message, advice)

    def write(self, position: Position, player: int) -> array[float]:
        """All that the player saw: `rows` rows of `width` numbers. The position must keep its stops."""
        numbers = array("f", bytes(4 * self.size))
        stops = list(_stops(position))
        for k, (stop, before) in enumerate(stops):
            row = stop.rows.get(player)
            if row is None:
                row = stop.rows[player] = self._row(stop, before, player)
            numbers[k * self.width : k * self.width + self._action] = row[: self._action]
            numbers[k * self.width + self._told : (k + 1) * self.width] = row[self._action :]
            for who, action in stop.acted:
                if who == player:
                    numbers[k * self.width + self._action + action] = 1.0
        if position.is_chance and len(stops) < self.rows:
            begin = len(stops) * self.width
            numbers[begin : begin + self._action] = position.tensor(player)
        return numbers

    def _row(self, stop: Stop, before: Log, player: int) -> array[float]:
        row = self.rules.layout.write(stop.state, player, stop.begun.get(player, ()))
        told = array("f", bytes(4 * (self.width - self._told)))
        for who, label in self._decided(stop.state.log, before):
            told[who * len(self._labels) + self._labels[label]] = 1.0
        return row + told

    def _decided(self, log: Log, before: Log) -> Iterator[tuple[int, str]]:
        sites = self.rules.game.sites
        while log is not before and isinstance(log, tuple):
            log, entry = log
            if entry[0] == DECIDE:
                label = sites[entry[2]].options[entry[3][0]].label
                if label is not None:
                    yield entry[1], label


def _stops(position: Position) -> Iterator[tuple[Stop, Log]]:
    """The stops from the first on, each with the log at the stop before."""
    found: list[Stop] = []
    stops = position.stops
    while stops is not None:
        stops, stop = stops
        found.append(stop)
    before: Log = None
    for stop in reversed(found):
        yield stop, before
        before = stop.state.log
