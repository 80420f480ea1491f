"""The settings under which a rulebook is tried: every number of players, each mode, each answer of each reading."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import attrs

from egodsl.engine.game import Game, Rulebook
from egodsl.engine.settings import configure, player_range
from egodsl.engine.setup import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_COMBINATIONS = 64
"""Combinations of modes and answers up to which all are tried, and not only those of two changes."""


@attrs.frozen
class Setting:
    """What a game is played with, as far as it differs from the rulebook's defaults.

    Attributes:
        players: how many.
        modes: which are on, those that the rulebook presets left out.
        readings: pairs of a reading and an answer that is not its default.
    """

    players: int
    modes: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """As `3 players, open_hands, late: nobody`."""
        parts = [f"{self.players} player{'' if self.players == 1 else 's'}", *self.modes]
        return ", ".join([*parts, *(f"{name}: {answer}" for name, answer in self.readings)])

    def game(self, rulebook: Rulebook) -> Game:
        """The game. Raises SettingsError or RulebookError where there is none with these settings."""
        return Game(rulebook, self.settings(rulebook))

    def settings(self, rulebook: Rulebook) -> Settings:
        """All the constants of the game. Raises SettingsError where the rulebook has no such settings."""
        return configure(rulebook.checked, self.players, self.modes, dict(self.readings), {})

    def with_players(self, players: int) -> Setting:
        """The same for another number of players."""
        return attrs.evolve(self, players=players)


def player_counts(rulebook: Rulebook, wanted: Iterable[int] | None = None) -> list[int]:
    """The numbers of players to be tried: the wanted ones of those that the rulebook allows, from the least."""
    allowed = player_range(rulebook.checked)
    return [n for n in allowed if wanted is None or n in set(wanted)]


def settings_of(rulebook: Rulebook, players: Iterable[int] | None = None) -> list[Setting]:
    """The defaults with every number of players, and each mode alone on top of them."""
    modes = [(), *((mode,) for mode in _modes(rulebook))]
    return [Setting(n, chosen) for chosen in modes for n in player_counts(rulebook, players)]


def combinations_of(rulebook: Rulebook, players: Iterable[int] | None = None, most: int | None = None) -> list[Setting]:
    """The defaults; each mode and each other answer alone; all combinations of two of these, or, where there are few,
    of any number. With `most` those of so many changes, and no more.
    """
    changes = _changes(rulebook)
    every = 1
    for choices in changes:
        every *= 1 + len(choices)
    if most is None:
        most = len(changes) if every <= MOST_COMBINATIONS else 2
    return [_setting(n, chosen) for chosen in _combined(changes, most) for n in player_counts(rulebook, players)]


Change = tuple[str, str | None]
"""A mode that is on, or a reading with another answer."""


def _changes(rulebook: Rulebook) -> list[list[Change]]:
    found: list[list[Change]] = [[(mode, None)] for mode in _modes(rulebook)]
    defaults = configure(rulebook.checked, None, (), {}, {}).readings
    for name, reading in rulebook.checked.program.readings.items():
        if name not in rulebook.checked.program.presets:
            others = [answer.name.name for k, answer in enumerate(reading.answers) if k != defaults[name]]
            found.append([(name, answer) for answer in others])
    return found


def _modes(rulebook: Rulebook) -> list[str]:
    program = rulebook.checked.program
    return [name for name in program.modes if name not in program.presets]


def _combined(changes: Sequence[Sequence[Change]], most: int) -> Iterator[tuple[Change, ...]]:
    for size in range(most + 1):
        for chosen in combinations(changes, size):
            yield from product(*chosen)


def _setting(players: int, chosen: Iterable[Change]) -> Setting:
    chosen = list(chosen)
    modes = tuple(name for name, answer in chosen if answer is None)
    return Setting(players, modes, tuple((name, answer) for name, answer in chosen if answer is not None))
