"""The property that everything in a rulebook is reached: what no game and no scenario came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.rng import derive
from egodsl.source.diagnostics import Diagnostic, DiagnosticError
from egodsl.source.registry import CODES
from egodsl.syntax import nodes
from egodsl.verify.coverage import Reached
from egodsl.verify.policies import Explorer
from egodsl.verify.scenarios import Runner
from egodsl.verify.settings import Setting, combinations_of, player_counts
from egodsl.verify.tracing import play
from egodsl.verify.watching import Watcher

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.game import Game, Rulebook
    from egodsl.engine.setup import Settings
    from egodsl.verify.places import Place
    from egodsl.verify.properties import Property

_GAMES = 4
"""Games with an answer or mode that has not been in force, for each number of players."""

MOST_TOLD = 8


class Reaching:
    """Notes what the games of a rulebook reach. Games are to be made by `game`."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._reached = Reached(rulebook)

    def game(self, settings: Settings) -> Game:
        """A game that notes what it reaches, at next to no cost. Raises RulebookError where it cannot be made."""
        return self._reached.game(settings)

    def missing(self, prop: Property, players: Sequence[int] | None, seed: int, most: int) -> list[Place]:
        """What has not been reached, after the scenarios were tried too, and every answer and mode was played with.

        What the property excepts is left out.
        """
        runner = Runner(self.rulebook, lambda _, settings: self.game(settings))
        for scenario in self.rulebook.checked.program.scenarios.values():
            runner.run(scenario)
        if self._wanted(prop):
            self._play_changes(prop, players, seed, most)
        return self._wanted(prop)

    def _wanted(self, prop: Property) -> list[Place]:
        return [place for place in self._reached.missing() if not _names(place) & prop.exceptions]

    def _play_changes(self, prop: Property, players: Sequence[int] | None, seed: int, most: int) -> None:
        for setting in combinations_of(self.rulebook, player_counts(self.rulebook, players), 1):
            names = {*setting.modes, *(f"{name}.{answer}" for name, answer in setting.readings)}
            wanted = {name for place in self._wanted(prop) for name in _names(place)}
            others = any(place.kind not in {"answer", "mode"} for place in self._wanted(prop))
            if others or names & wanted:
                self._play(setting, seed, most)

    def _play(self, setting: Setting, seed: int, most: int) -> None:
        try:
            game = self.game(setting.settings(self.rulebook))
        except DiagnosticError:
            # There is no game with these settings.
            return
        explorer, watcher = Explorer(derive(seed, "reach", setting.words)), Watcher(game, ())
        for number in range(_GAMES):
            explorer.rare = bool(number % 2)
            play(game, watcher, explorer, most)


def _names(place: Place) -> set[str]:
    """What it can be excepted by: its name, and an answer also by its reading, alone and before a point."""
    if place.kind == "answer":
        return {place.by, f"{place.by}.{place.name}"}
    return {place.name}


def not_reached(prop: Property, missing: Sequence[Place]) -> Diagnostic:
    """What to say of places that nothing has reached."""
    told = [f"{place.kind} `{_called(place)}`" for place in missing[:MOST_TOLD]]
    more = f", and {len(missing) - MOST_TOLD} more" if len(missing) > MOST_TOLD else ""
    place = missing[0]
    return Diagnostic(
        CODES["EGO832"],
        f"property `{prop.name}`: no game and no scenario came to {', '.join(told)}{more}",
        place.node.name.span if isinstance(place.node, nodes.Declaration | nodes.Answer) else place.span,
        help="more games or a scenario may get there; what cannot be reached is excepted: "
        f'`property NAME: everything reached except {_called(place)} "the reason"`',
    )


def _called(place: Place) -> str:
    return f"{place.by}.{place.name}" if place.kind == "answer" else place.name
