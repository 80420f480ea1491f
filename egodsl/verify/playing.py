"""A few random games that a mutant has to play as well as its rulebook does, watched by the rulebook's properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from egodsl.verify.properties import properties_of
from egodsl.verify.settings import Setting
from egodsl.verify.trying import Plan, Trial

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from egodsl.engine.game import Rulebook


class Limits(Protocol):
    """What a budget says of random games; see `egodsl.verify.mutation.Budget`."""

    @property
    def games(self) -> int:
        """Games for each setting."""

    @property
    def most(self) -> int:
        """Decisions after which a game does not end."""

    @property
    def seed(self) -> int:
        """Of the games."""


NO_GAME = "no game"
"""The trouble of a rulebook of which there is no game with some settings that its head allows."""


def troubles(rulebook: Rulebook, limits: Limits, known: Collection[str] = ()) -> Iterator[str]:
    """The properties that games break, each once, as they are found: with the fewest and with the most players, and
    with the fewest in each mode. Those that are `known` are not watched.
    """
    if limits.games <= 0:
        return
    plan = Plan(games=limits.games, seed=limits.seed, most=limits.most, effort=0)
    trial = Trial(rulebook, [prop for prop in properties_of(rulebook) if prop.name not in known], plan)
    told = set(known)
    for setting in _settings(rulebook):
        for played in trial.games_of(setting):
            for broken in played.broken:
                if broken.name not in told:
                    told.add(broken.name)
                    yield broken.name
        if setting in trial.unusable and NO_GAME not in told:
            told.add(NO_GAME)
            yield NO_GAME


def _settings(rulebook: Rulebook) -> list[Setting]:
    players = rulebook.players
    program = rulebook.checked.program
    found = [Setting(count) for count in sorted({players.start, players.stop - 1})]
    return [*found, *(Setting(players.start, (mode,)) for mode in program.modes if mode not in program.presets)]
