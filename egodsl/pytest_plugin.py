"""The pytest plugin: `.rules` files are collected, and each scenario and each property of a rulebook is a test.

It is loaded by pytest's entry points wherever egodsl is installed, so it imports nothing of egodsl until there is a
rulebook to collect. Options, in `[tool.pytest.ini_options]`: `egodsl_files` (patterns of the files that are collected,
`*.rules`; an empty list: none but those named on the command line), `egodsl_games` (in how many games of each number of
players and each mode a property is tried; 0: properties are no tests), `egodsl_players` (only with so many players),
`egodsl_seed` (of the games).
"""

from __future__ import annotations

import os
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import ReprFileLocation, TerminalRepr  # how a failure looks has no public name in pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from _pytest._io import TerminalWriter

    from egodsl.engine.game import Rulebook
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.source.span import Span
    from egodsl.syntax.nodes import ScenarioDecl
    from egodsl.verify.properties import Property
    from egodsl.verify.scenarios import Runner
    from egodsl.verify.trying import Tried

SUFFIX = ".rules"
MOST_SEED = 2**64 - 1
MOST_GAMES = 1_000_000
MOST_PLAYERS = 999
RECORDS = "egodsl"
"""The directory in pytest's cache where the games that break a property are kept."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    parser.addini("egodsl_files", "patterns of the rulebooks that are collected", type="args", default=[f"*{SUFFIX}"])
    parser.addini("egodsl_games", "games in which properties are tried, for each number of players and mode; 0: none")
    parser.addini("egodsl_players", "numbers of players that properties are tried with, as `2 4..6`", type="args")
    parser.addini("egodsl_seed", "of the games in which properties are tried")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker that every test of a rulebook has, and look at the options."""
    config.addinivalue_line("markers", "egodsl: a scenario or property of a rulebook")
    _games(config)
    _players(config)
    _seed(config)


def _games(config: pytest.Config) -> int | None:
    return _number(config, "egodsl_games", MOST_GAMES)


def _seed(config: pytest.Config) -> int:
    return _number(config, "egodsl_seed", MOST_SEED) or 0


def _number(config: pytest.Config, option: str, most: int) -> int | None:
    """The number that an option has; None if it is not set."""
    given = str(config.getini(option) or "").strip()
    return _whole(option, given, most) if given else None


def _players(config: pytest.Config) -> frozenset[int] | None:
    found: set[int] = set()
    for given in map(str, config.getini("egodsl_players")):
        low, dots, high = given.partition("..")
        first = _whole("egodsl_players", low, MOST_PLAYERS)
        last = _whole("egodsl_players", high, MOST_PLAYERS) if dots else first
        if not 1 <= first <= last:
            message = f"egodsl_players: `{given}` is no range of players"
            raise pytest.UsageError(message)
        found.update(range(first, last + 1))
    return frozenset(found) or None


def _whole(option: str, given: str, most: int) -> int:
    if not (given.isascii() and given.isdigit()) or len(given) > len(str(most)) or int(given) > most:
        message = f"{option}: `{given}` is not a whole number from 0 to {most}"
        raise pytest.UsageError(message)
    return int(given)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> RulesFile | None:
    """A rulebook, if the file is one that is wanted."""
    if file_path.suffix != SUFFIX:
        return None
    if parent.session.isinitpath(file_path) or _is_wanted(file_path, parent.config):
        return RulesFile.from_parent(parent, path=file_path)
    return None


def _is_wanted(path: Path, config: pytest.Config) -> bool:
    # As pytest does with `python_files`: a pattern with a slash is for the path, one without for the name.
    inside = Path(os.path.relpath(path, config.rootpath)).as_posix()
    return any(fnmatch(inside if "/" in pattern else path.name, pattern) for pattern in config.getini("egodsl_files"))


class RulesError(Exception):
    """A test of a rulebook that failed, with what is wrong; of a property also the game that shows it."""

    def __init__(
        self, diagnostics: Iterable[Diagnostic], tried: Tried | None = None, record: Path | None = None
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(*self.diagnostics)
        self.tried = tried
        self.record = record


class RulesWarning(pytest.PytestWarning):
    """A property that says nothing about any game that was played."""


class RulesRepr(TerminalRepr):
    """A failure as the command line shows it, in colour where the terminal has it."""

    def __init__(self, error: RulesError, path: Path) -> None:
        first = error.diagnostics[0]
        self.error = error
        self.reprcrash = ReprFileLocation(str(path), first.span.line if first.span is not None else 0, str(first))

    def toterminal(self, tw: TerminalWriter) -> None:
        """Write it."""
        from egodsl.reports.counterexamples import failure_lines  # noqa: PLC0415 - only where a rulebook failed
        from egodsl.source.render import render_full  # noqa: PLC0415 - as above

        error = self.error
        if error.tried is None:
            tw.line("\n\n".join(render_full(diagnostic, color=tw.hasmarkup) for diagnostic in error.diagnostics))
            return
        for line in failure_lines(error.tried, color=tw.hasmarkup):
            tw.line(line)
        if error.record is not None:
            tw.line(f"written to {error.record}; `egodsl replay {error.record}` steps through it")


class RulesFile(pytest.File):
    """A rulebook as a collection of tests."""

    def collect(self) -> Iterator[RulesItem]:
        """Whether it checks, its scenarios, its properties. A library has none of these unless it does not check."""
        from egodsl.engine.game import RulebookError, load  # noqa: PLC0415 - only where there is a rulebook

        self.add_marker("egodsl")
        try:
            rulebook = load(self.shown)
        except RulebookError as error:
            yield CheckItem.from_parent(self, name="check", found=error.diagnostics)
            return
        if rulebook.checked.kind == "library":
            return
        yield CheckItem.from_parent(self, name="check", found=())
        yield from self._scenarios(rulebook)
        yield from self._properties(rulebook)

    @cached_property
    def shown(self) -> Path:
        """The path as messages have it: as a person would write it who stands where pytest was started."""
        here = Path.cwd()
        return self.path.relative_to(here) if self.path.is_relative_to(here) else self.path

    def _scenarios(self, rulebook: Rulebook) -> Iterator[RulesItem]:
        from egodsl.verify.scenarios import Runner  # noqa: PLC0415 - as above

        runner = Runner(rulebook)
        for title, scenario in rulebook.checked.program.scenarios.items():
            yield ScenarioItem.from_parent(self, name=f"scenario: {title}", runner=runner, scenario=scenario)

    def _properties(self, rulebook: Rulebook) -> Iterator[RulesItem]:
        from egodsl.verify.properties import properties_of  # noqa: PLC0415 - as above

        if _games(self.config) != 0:
            for claimed in properties_of(rulebook):
                name = f"property: {claimed.name}"
                yield PropertyItem.from_parent(self, name=name, rulebook=rulebook, claimed=claimed)


class RulesItem(pytest.Item):
    """One test of a rulebook."""

    span: Span | None = None
    """Where it is written."""

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str | TerminalRepr:  # type: ignore[override]  # the style that may be asked for is one of Python's tracebacks
        """What is wrong, as the command line shows it."""
        if not isinstance(excinfo.value, RulesError):
            return super().repr_failure(excinfo)
        return RulesRepr(excinfo.value, self.path)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it is written, if that is in this file (a variant has those of its base too), and a headline."""
        file = self.getparent(RulesFile)
        inside = self.span is not None and file is not None and self.span.source.path == str(file.shown)
        line = self.span.line - 1 if self.span is not None and inside else None
        return self.path, line, f"{self.path.name}: {self.name}"


class CheckItem(RulesItem):
    """The test that a rulebook can be used at all."""

    def __init__(self, *, found: tuple[Diagnostic, ...], **of_node: Any) -> None:  # noqa: ANN401 - pytest's own arguments
        super().__init__(**of_node)
        self.found = found

    def runtest(self) -> None:
        """Fail if it cannot."""
        if self.found:
            raise RulesError(self.found)


class ScenarioItem(RulesItem):
    """A scenario as a test."""

    def __init__(self, *, runner: Runner, scenario: ScenarioDecl, **of_node: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(**of_node)
        self.runner = runner
        self.scenario = scenario
        self.span = scenario.title_span

    def runtest(self) -> None:
        """Run it, and fail with what it finds."""
        result = self.runner.run(self.scenario)
        if not result.passed:
            raise RulesError(result.diagnostics)


class PropertyItem(RulesItem):
    """A property as a test. Its games do not depend on what other tests are run: what failed fails again alone."""

    def __init__(self, *, rulebook: Rulebook, claimed: Property, **of_node: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(**of_node)
        self.rulebook = rulebook
        self.claimed = claimed
        self.span = claimed.span

    def runtest(self) -> None:
        """Try it in random games, and fail with a small one that breaks it."""
        from egodsl.verify.settings import settings_of  # noqa: PLC0415 - as above
        from egodsl.verify.trying import DEFAULT_GAMES, Plan, Trial  # noqa: PLC0415 - as above

        settings = settings_of(self.rulebook, _players(self.config))
        if not settings:
            pytest.skip(f"{self.rulebook.name} is not for so many players as egodsl_players names")
        plan = Plan(games=_games(self.config) or DEFAULT_GAMES, seed=_seed(self.config))
        trial = Trial(self.rulebook, [self.claimed], plan)
        trial.play(settings)
        (tried,) = trial.finish()
        if tried.verdict == "broken":
            found = tried.example.diagnostic if tried.example is not None else tried.diagnostic
            assert found is not None
            raise RulesError([found], tried, self._written(tried))
        if not tried.games:
            raise RulesError([one for error in trial.unusable.values() for one in error.diagnostics])
        if tried.verdict == "no case":
            about = f"nothing that the property `{self.claimed.name}` is about came up in {tried.games} games"
            self.warn(RulesWarning(about))

    def _written(self, tried: Tried) -> Path | None:
        """Where the record of the game is kept; None where pytest keeps nothing, or there is no such game."""
        from egodsl.reports.counterexamples import record_name  # noqa: PLC0415 - as above

        cache: pytest.Cache | None = getattr(self.config, "cache", None)
        if cache is None or tried.example is None:
            return None
        path = cache.mkdir(RECORDS) / record_name(self.rulebook.name, self.claimed.name)
        path.write_text(tried.example.record.to_json(), encoding="utf-8")
        return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
