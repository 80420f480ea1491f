"""Running the scenarios of a rulebook: small tests that its author wrote into it.

Chance that a scenario does not script is tried under the seeds 0 to 15, and what it expects must hold under each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.settings import configure, constant_int
from egodsl.engine.setup import Settings
from egodsl.source.diagnostics import Diagnostic, DiagnosticError, sort_diagnostics
from egodsl.source.span import Span
from egodsl.syntax import nodes
from egodsl.verify.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike

    from egodsl.analysis.symbols import Checked

SEEDS = range(16)
"""The seeds under which chance is tried."""


@attrs.frozen
class ScenarioResult:
    """How a scenario came out.

    Attributes:
        title: the scenario's.
        passed: whether it held under every seed that was tried.
        diagnostics: what is wrong, sorted by place; of the first seed under which anything was.
        seeds: the seeds that were tried: only 0 where chance decided nothing, none where the game cannot be made.
        span: where the title stands.
    """

    title: str
    passed: bool
    diagnostics: tuple[Diagnostic, ...]
    seeds: tuple[int, ...]
    span: Span


def settings_of(checked: Checked, scenario: nodes.ScenarioDecl) -> Settings:
    """The settings of the game that a scenario is about. Raises SettingsError where there is no such game."""
    players: int | None = None
    on: set[str] = set()
    off: set[str] = set()
    readings: dict[str, str] = {}
    parameters: dict[str, int] = {}
    program = checked.program
    for step in scenario.steps:
        if isinstance(step, nodes.PlayersStep):
            players = step.count
        for one in step.settings if isinstance(step, nodes.WithStep) else ():
            name = one.name.name
            if name in program.modes:
                (on if isinstance(one.value, nodes.Boolean) and one.value.value else off).add(name)
            elif name in program.readings:
                readings[name] = one.value.span.text.rpartition(".")[2]
            else:
                parameters[name] = constant_int(checked, one.value)
    made = configure(checked, players, on, readings, parameters)
    return Settings(made.players, made.modes - off, made.readings, made.parameters)


class Runner:
    """Runs scenarios of one rulebook, and keeps the games that several of them share. `make` makes those games."""

    def __init__(self, rulebook: Rulebook, make: Callable[[Rulebook, Settings], Game] = Game) -> None:
        self.rulebook = rulebook
        self._make = make
        self._games: dict[tuple[object, ...], tuple[Game, dict[Any, Callable[..., Any]]]] = {}

    def run(self, scenario: nodes.ScenarioDecl) -> ScenarioResult:
        """Run one scenario. What is wrong with it is in the result; nothing is raised."""
        try:
            game, made = self._game(settings_of(self.rulebook.checked, scenario))
        except DiagnosticError as error:
            return _result(scenario, error.diagnostics, [])
        trials: list[Trial] = []
        for seed in SEEDS:
            trial = Trial(game, scenario, seed, made)
            trial.run()
            trials.append(trial)
            if not trial.drew:
                break
        failing = [trial for trial in trials if trial.found]
        found = failing[0].found if failing else []
        if 0 < len(failing) < len(trials):
            found = [_with_luck(diagnostic, trials, failing) for diagnostic in found]
        return _result(scenario, sort_diagnostics(found), range(len(trials)))

    def _game(self, settings: Settings) -> tuple[Game, dict[Any, Callable[..., Any]]]:
        readings = tuple(settings.readings.items())
        key = (settings.players, settings.modes, readings, tuple(settings.parameters.items()))
        if key not in self._games:
            self._games[key] = self._make(self.rulebook, settings), {}
        return self._games[key]


def _result(scenario: nodes.ScenarioDecl, found: Sequence[Diagnostic], seeds: Sequence[int]) -> ScenarioResult:
    return ScenarioResult(scenario.title, not found, tuple(found), tuple(seeds), scenario.title_span)


def _with_luck(diagnostic: Diagnostic, trials: Sequence[Trial], failing: Sequence[Trial]) -> Diagnostic:
    first = trials.index(failing[0])
    note = (
        f"chance that is not scripted matters here: with {len(failing)} of {len(trials)} seeds the scenario fails, "
        f"and this is how it does with seed {first}"
    )
    return attrs.evolve(diagnostic, notes=(*diagnostic.notes, note))


def run_scenario(rulebook: Rulebook, scenario: nodes.ScenarioDecl) -> ScenarioResult:
    """Run one scenario of the rulebook."""
    return Runner(rulebook).run(scenario)


def run_all(rulebook: Rulebook) -> list[ScenarioResult]:
    """Run every scenario of the rulebook, in order of declaration."""
    runner = Runner(rulebook)
    return [runner.run(scenario) for scenario in rulebook.checked.program.scenarios.values()]


def run_titled(path: str | PathLike[str], titles: Iterable[str]) -> list[ScenarioResult]:
    """Run the scenarios of these titles of the rulebook in a file, in that order: a share of the work for one process.

    Raises RulebookError where the rulebook cannot be used, and KeyError for a title that it does not have.
    """
    rulebook = load(path)
    runner = Runner(rulebook)
    return [runner.run(rulebook.checked.program.scenarios[title]) for title in titles]
