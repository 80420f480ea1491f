"""What of rulebooks no scenario and no random game reaches."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from egodsl.engine.covering import Covering, Way
from egodsl.engine.faults import GameFault
from egodsl.engine.game import DEFAULT_LIMIT, Game, Rulebook, RulebookError
from egodsl.engine.rng import Random, derive
from egodsl.engine.settings import configure, parameter_range
from egodsl.syntax import nodes
from egodsl.verify.places import KINDS, NAMED, Cited, Place, Places
from egodsl.verify.scenarios import Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from egodsl.engine.setup import Settings
    from egodsl.engine.state import State
    from egodsl.provenance import SourceIndex
    from egodsl.source.text import SourceText

DEFAULT_GAMES = 20
MOST_DECISIONS = 5_000
"""Decisions after which a random game is cut short."""
SHARE = 10
"""An answer that is not the default is tried in one of so many games."""

Counts = dict[tuple[nodes.Node, Way], int]

# ---------------------------------------------------------------- names


class Reached:
    """Which actions, abilities, triggers, answers of readings and modes some games of a rulebook reached.

    `game` makes games that note it, at next to no cost; `missing` tells what none of them reached. An answer or mode
    is reached by playing a game in which it is in force.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self._games: list[Game] = []
        self._counts: Counter[tuple[nodes.Node, Way]] = Counter()

    def game(self, settings: Settings, limit: int = DEFAULT_LIMIT) -> Game:
        """A game with these settings, whose play is noted. Raises RulebookError where it cannot be made."""
        game = Game(self.rulebook, settings, limit, covering=Covering(names_only=True))
        self._games.append(game)
        return game

    def forget(self, game: Game) -> None:
        """The game will not be played on: keep what it reached, and let it go."""
        self._games.remove(game)
        self._counts.update(counts_of(game))

    def missing(self) -> list[Place]:
        """What was not reached, in the order of the rulebook; each with its `kind`, `name` and `span`."""
        counts = self._counts.copy()
        for game in self._games:
            counts.update(counts_of(game))
        places = [place for place in Places(self.rulebook.checked.program).places if place.kind in NAMED]
        return [place for place in places if not counts[place.node, "run"]]


def counts_of(game: Game) -> Counts:
    """How often the play of a game that counts reached each node in each way; settings in force count once."""
    assert game.covering is not None, "the game was made without a `covering`"
    counts = game.covering.counts()
    if game.covering.is_used:
        program = game.checked.program
        for name in game.settings.modes:
            counts[program.modes[name], "run"] = 1
        for name, number in game.settings.readings.items():
            counts[program.readings[name].answers[number], "run"] = 1
    return counts


# ---------------------------------------------------------------- what is found


@attrs.define(eq=False)
class Sentence:
    """A sentence that is cited: what it says (empty where no index tells), and where it is cited.

    `reached[k]` is how often the rule that cites it at `cited[k]` was reached.
    """

    id: str
    says: str
    cited: list[Cited] = attrs.Factory(list)
    reached: list[int] = attrs.Factory(list)

    @property
    def is_reached(self) -> bool:
        """Whether any rule that cites it was reached."""
        return any(self.reached)


@attrs.define(eq=False)
class CoveredFile:
    """A file with the places in it, in the order of the text. Places of a declaration that every rulebook replaces or
    removes are not among them.
    """

    source: SourceText
    form: str
    name: str
    places: list[Place] = attrs.Factory(list)


@attrs.define(eq=False)
class Run:
    """What was tried of one rulebook."""

    rulebook: Rulebook
    scenarios: int = 0
    failed: int = 0
    settings: int = 0
    games: int = 0
    decisions: int = 0
    cut_short: int = 0
    faults: int = 0
    refused: list[RulebookError] = attrs.Factory(list)
    """Why there is no game with some of the settings."""


@attrs.define(eq=False)
class Coverage:
    """What came of it: files in the order in which they were read, sentences by their ids in the order of citation."""

    seed: int
    files: list[CoveredFile]
    sentences: list[Sentence]
    runs: list[Run]
    interrupted: bool = False
    """Whether not all was tried."""

    @property
    def places(self) -> list[Place]:
        """The places of all files."""
        return [place for file in self.files for place in file.places]

    @property
    def unreached(self) -> list[Place]:
        """The places that were not reached in every way, without those that could not be, since what leads there was
        not reached.
        """
        return [place for place in self.places if not place.is_reached and not place.is_implied]


def tally(places: Iterable[Place]) -> dict[str, tuple[int, int]]:
    """For each kind of which there are any: how many are reached, and how many there are. A condition counts twice,
    once for each way.
    """
    there, reached = Counter[str](), Counter[str]()
    for place in places:
        there[place.kind] += len(place.ways)
        reached[place.kind] += len(place.ways) - len(place.missing)
    return {kind: (reached[kind], there[kind]) for kind in KINDS if there[kind]}


# ---------------------------------------------------------------- looking


def cover(
    rulebooks: Sequence[Rulebook],
    *,
    seed: int,
    games: int = DEFAULT_GAMES,
    players: Sequence[int] | None = None,
    most: int = MOST_DECISIONS,
    done: Callable[[int], None] | None = None,
) -> Coverage:
    """Try every scenario of the rulebooks, and random games; give what was reached and what not.

    `games` (0 or more) are played with each number of players (those of `players` that the rulebook allows; default:
    all) in each of these ways: everything at its default; each mode on; modes, answers and parameters drawn at random,
    anew for each game; and, a tenth of them (but one, if any), with each answer of a reading that is not the default.
    No game has more than `most` decisions. Half of the decisions go to the options that were taken least. The same
    seed gives the same games. `done` is called with how many settings and scenarios have been tried (`steps_of` tells
    how many there are). An interrupt ends the work, and what had been reached is given back.
    """
    collector = _Collector(seed)
    looks: list[_Look] = []
    steps, interrupted = 0, False
    try:
        for rulebook in rulebooks:
            looks.append(_Look(rulebook, seed, most))
            for step in looks[-1].steps(games, players):
                step()
                steps += 1
                if done is not None:
                    done(steps)
    except KeyboardInterrupt:
        interrupted = True
    for look in looks:
        look.hand_over(collector)
    return collector.coverage(interrupted=interrupted)


def steps_of(rulebooks: Iterable[Rulebook], games: int, players: Sequence[int] | None = None) -> int:
    """How many steps `cover` reports."""
    return sum(
        len(rulebook.checked.program.scenarios) + len(plan_of(rulebook, games, 0, players)) for rulebook in rulebooks
    )


def plan_of(
    rulebook: Rulebook, games: int, seed: int, players: Sequence[int] | None = None
) -> list[tuple[Settings, int]]:
    """The settings that are tried, each with how many games. What the head settles stays as it is."""
    if not games:
        return []
    program = rulebook.checked.program
    made: list[tuple[Settings, int]] = []
    few = -(-games // SHARE)
    for count in rulebook.players:
        if players is not None and count not in players:
            continue
        plain = configure(rulebook.checked, count, (), {}, {})
        made.append((plain, games))
        made += [
            (configure(rulebook.checked, count, (mode,), {}, {}), games)
            for mode in program.modes
            if mode not in program.presets
        ]
        made += [
            (configure(rulebook.checked, count, (), {name: answer.name.name}, {}), few)
            for name, decl in program.readings.items()
            for number, answer in enumerate(decl.answers)
            if name not in program.presets and number != plain.readings[name]
        ]
        if not program.presets.keys() >= {*program.modes, *program.readings, *program.parameters}:
            made += [(_drawn(rulebook, count, Random(derive(seed, "settings", count, k))), 1) for k in range(games)]
    return made


def _drawn(rulebook: Rulebook, players: int, random: Random) -> Settings:
    """Settings in which every mode, answer and parameter that is free is drawn, each as likely."""
    checked, presets = rulebook.checked, rulebook.checked.program.presets
    program = checked.program
    modes = [name for name in program.modes if name not in presets and random.below(2)]
    readings = {
        name: decl.answers[random.below(len(decl.answers))].name.name
        for name, decl in program.readings.items()
        if name not in presets
    }
    parameters = {}
    for name, parameter in program.parameters.items():
        if name not in presets:
            low, high = parameter_range(checked, parameter)
            parameters[name] = low + random.below(high - low + 1)
    return configure(checked, players, modes, readings, parameters)


class _Look:
    """Tries one rulebook."""

    def __init__(self, rulebook: Rulebook, seed: int, most: int) -> None:
        self.run = Run(rulebook)
        self._seed = seed
        self._most = most
        self._counts: Counter[tuple[nodes.Node, Way]] = Counter()
        self._passed: Counter[str] = Counter()
        self._shared: list[Game] = []
        self._runner = Runner(rulebook, self._make)

    def _make(self, rulebook: Rulebook, settings: Settings) -> Game:
        game = Game(rulebook, settings, covering=Covering())
        self._shared.append(game)
        return game

    def steps(self, games: int, players: Sequence[int] | None) -> Iterable[Callable[[], None]]:
        """What is to be done, step by step."""
        for scenario in self.run.rulebook.checked.program.scenarios.values():
            yield partial(self._scenario, scenario)
        for number, (settings, count) in enumerate(plan_of(self.run.rulebook, games, self._seed, players)):
            yield partial(self._play, number, settings, count)

    def hand_over(self, collector: _Collector) -> None:
        """Tell the collector what was reached."""
        for game in self._shared:
            self._counts.update(counts_of(game))
        collector.add(self.run, self._counts, self._passed)

    def _scenario(self, scenario: nodes.ScenarioDecl) -> None:
        result = self._runner.run(scenario)
        self.run.scenarios += 1
        self.run.failed += not result.passed
        self._passed[scenario.title] += result.passed

    def _play(self, number: int, settings: Settings, count: int) -> None:
        run = self.run
        run.settings += 1
        try:
            game = Game(run.rulebook, settings, covering=Covering())
        except RulebookError as error:
            run.refused.append(error)
            return
        try:
            self._games(game, number, count)
        finally:
            self._counts.update(counts_of(game))

    def _games(self, game: Game, number: int, count: int) -> None:
        run = self.run
        taken: Counter[tuple[int, int]] = Counter()
        for k in range(count):
            state = None
            run.games += 1
            try:
                state = game.start(derive(self._seed, "coverage", number, k))
                if not _play_out(state, Random(derive(self._seed, "choices", number, k)), self._most, taken):
                    run.cut_short += 1
            except GameFault:
                run.faults += 1
            run.decisions += state.decisions if state is not None else 0


def _play_out(state: State, random: Random, most: int, taken: Counter[tuple[int, int]]) -> bool:
    """Play on to the end (true), or to so many decisions. `taken`: how often each option of each site was."""
    while not state.over:
        if state.decisions >= most:
            return False
        player = state.to_move[0]
        deciding = state.branches.get(player, state)
        assert deciding.site is not None
        site, moves = deciding.site.index, deciding.moves
        chosen: Sequence[int] = range(len(moves))
        if len(deciding.site.options) > 1 and random.below(2):
            least = min(taken[site, move[0]] for move in moves)
            chosen = [k for k, move in enumerate(moves) if taken[site, move[0]] == least]
        index = chosen[random.below(len(chosen))]
        taken[site, moves[index][0]] += 1
        state.choose(index, player)
    return True


class _Collector:
    """Puts together what was reached in several rulebooks, by the places in their files."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._files: dict[Path, CoveredFile] = {}
        self._places: dict[tuple[Path, tuple[int, int, str]], Place] = {}
        self._sentences: dict[str, Sentence] = {}
        self._cited: dict[tuple[Path, int, int], int] = {}
        self._runs: list[Run] = []

    def add(self, run: Run, counts: Counter[tuple[nodes.Node, Way]], passed: Counter[str]) -> None:
        """Add what was reached of a rulebook, and how often each scenario passed."""
        self._runs.append(run)
        program = run.rulebook.checked.program
        for module in program.files:
            source = module.span.source
            self._files.setdefault(_path(source), CoveredFile(source, module.form, module.name.name))
        found = Places(program)
        for place in found.places:
            for way in place.ways:
                place.ways[way] = counts[place.node, way]
            self._merge(place)
        played = run.games + run.scenarios
        for cited in found.cited:
            if cited.scenario is not None:
                count = passed[cited.scenario]
            elif cited.place is None:
                count = played
            else:
                count = sum(cited.place.ways.values())
            self._cite(cited, count, program.index)

    def _merge(self, place: Place) -> None:
        path = _path(place.span.source)
        if place.up is not None:
            above, way = place.up
            place.up = (self._places[_path(above.span.source), above.key], way)
        known = self._places.setdefault((path, place.key), place)
        if known is place:
            self._files[path].places.append(place)
            return
        for way, count in place.ways.items():
            known.ways[way] = known.ways.get(way, 0) + count

    def _cite(self, cited: Cited, count: int, index: SourceIndex | None) -> None:
        says = index.paraphrase(cited.id) if index is not None and cited.id in index else ""
        sentence = self._sentences.setdefault(cited.id, Sentence(cited.id, says))
        key = (_path(cited.span.source), cited.span.start, cited.span.end)
        at = self._cited.get(key)
        if at is None:
            self._cited[key] = len(sentence.cited)
            sentence.cited.append(cited)
            sentence.reached.append(count)
        else:
            sentence.reached[at] += count

    def coverage(self, *, interrupted: bool) -> Coverage:
        """All of it."""
        for file in self._files.values():
            file.places.sort(key=lambda place: (place.span.start, -place.span.end))
        return Coverage(self._seed, list(self._files.values()), list(self._sentences.values()), self._runs, interrupted)


def _path(source: SourceText) -> Path:
    return Path(source.path).resolve()
