"""Trying the properties of a rulebook: random games at every setting, and for each property that breaks a small game
that breaks it.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Literal

import attrs

from egodsl.engine.game import RulebookError
from egodsl.engine.rng import derive
from egodsl.engine.settings import SettingsError, player_range
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.registry import CODES
from egodsl.verify.policies import Explorer
from egodsl.verify.properties import Property, properties_of
from egodsl.verify.reaching import Reaching, not_reached
from egodsl.verify.settings import Setting, settings_of
from egodsl.verify.shrinking import DEFAULT_EFFORT, shrink
from egodsl.verify.tracing import Played, again, play
from egodsl.verify.watching import EVERY, Watcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from egodsl.engine.game import Game, Rulebook
    from egodsl.engine.record import Record
    from egodsl.engine.state import State

Verdict = Literal["holds", "broken", "no case"]

DEFAULT_GAMES = 10
"""Games for each setting."""

DEFAULT_MOST = 3000
"""Decisions after which a game counts as one that does not end."""

_REPLAYED = 1500
"""Decisions in games whose records are played again, after which no other setting has one more."""


@attrs.frozen
class Plan:
    """How much is tried.

    Attributes:
        games: for each setting; 1 or more.
        seed: 0 to 2^64-1: the same seed tries the same games.
        most: decisions after which a game is given up, 1 or more.
        effort: decisions that may be played to make a counterexample smaller; 0 leaves it as it was found.
        every: what costs much (leaks, copies) is looked at after half so many decisions, and then ever more rarely; 1
            or more, where 1 is at each.
        stop: whether a property that a setting has broken is tried no more with that setting.
    """

    games: int = DEFAULT_GAMES
    seed: int = 0
    most: int = DEFAULT_MOST
    effort: int = DEFAULT_EFFORT
    every: int = EVERY
    stop: bool = True


@attrs.frozen(eq=False)
class Counterexample:
    """A game that breaks a property.

    Attributes:
        setting: with what it is played.
        record: from which it can be played again, up to where the property is broken.
        state: the position there.
        diagnostic: what is wrong.
        decisions: how many are made in it.
    """

    setting: Setting
    record: Record
    state: State
    diagnostic: Diagnostic
    decisions: int


@attrs.define(eq=False)
class Tried:
    """What came of one property.

    Attributes:
        property: which.
        games: how many were played in which it was watched.
        broken: how many of them broke it.
        cases: how often what it is about came up.
        witnesses: of what is to be possible, for each of the things that it is for: whether a game showed it.
        example: a small game that breaks it.
        diagnostic: what is wrong, where no single game shows it: a witness that was not found.
    """

    property: Property
    games: int = 0
    broken: int = 0
    cases: int = 0
    witnesses: dict[str, bool] = attrs.Factory(dict)
    example: Counterexample | None = None
    diagnostic: Diagnostic | None = None

    @builtins.property
    def verdict(self) -> Verdict:
        """`broken`; `no case` where nothing that it is about came up; otherwise `holds`."""
        if self.example is not None or self.diagnostic is not None:
            return "broken"
        return "no case" if self.games and not self.cases and self.property.builtin is None else "holds"


@attrs.define(eq=False)
class _Seen:
    """What the games of one setting showed of a property."""

    games: int = 0
    broken: int = 0
    best: Played | None = None


class Trial:
    """Tries properties of one rulebook, setting by setting; what has been found so far can be asked at any time."""

    def __init__(
        self, rulebook: Rulebook, properties: Sequence[Property] | None = None, plan: Plan | None = None
    ) -> None:
        self.rulebook = rulebook
        self.plan = plan or Plan()
        self.tried = {prop: Tried(prop) for prop in (properties_of(rulebook) if properties is None else properties)}
        self.unusable: dict[Setting, RulebookError | SettingsError] = {}
        self.settings: list[Setting] = []
        self._best: dict[Property, tuple[Setting, Played]] = {}
        self._games: dict[Setting, Game] = {}
        whole = [prop for prop in self.tried if prop.builtin == "everything reached"]
        self._whole = whole[0] if whole else None
        self._reaching = Reaching(rulebook)
        self._players: set[int] = set()
        self._replayed = 0

    # ------------------------------------------------------------ playing

    def play(self, settings: Iterable[Setting], done: Callable[[int], None] | None = None) -> None:
        """Play the games of these settings; `done` is told how many games have been played. May be interrupted."""
        count = 0
        for setting in settings:
            for _ in self.games_of(setting):
                count += 1
                if done is not None:
                    done(count)

    def games_of(self, setting: Setting) -> Iterator[Played]:
        """Play the games of one setting, one at a time."""
        game = self._game(setting)
        if game is None:
            return
        self.settings.append(setting)
        self._players.add(setting.players)
        wanted = list(self.tried)
        watcher = Watcher(game, wanted, every=self.plan.every)
        explorer = Explorer(derive(self.plan.seed, "try", setting.words))
        replay = True
        try:
            for number in range(self.plan.games):
                explorer.rare = bool(number % 2)
                watcher.replays = replay and self._replayed < _REPLAYED
                played = play(game, watcher, explorer, self.plan.most)
                if watcher.replays and played.state.over:
                    # One of each setting is enough; one that was cut short is none.
                    replay = False
                    self._replayed += len(played.trace.moves)
                broken = self._note(setting, watcher, played)
                yield played
                if broken and self.plan.stop:
                    self._count_cases(watcher)
                    wanted = [prop for prop in wanted if prop not in broken]
                    watcher = Watcher(game, wanted, every=self.plan.every)
        finally:
            # Also where it is interrupted.
            self._count_cases(watcher)

    def _game(self, setting: Setting) -> Game | None:
        if setting not in self._games and setting not in self.unusable:
            try:
                self._games[setting] = self._reaching.game(setting.settings(self.rulebook))
            except (SettingsError, RulebookError) as error:
                self.unusable[setting] = error
        return self._games.get(setting)

    def _note(self, setting: Setting, watcher: Watcher, played: Played) -> set[Property]:
        if played.cut:
            played.broken.extend(watcher.endless(self.plan.most))
        for prop in watcher.properties:
            self.tried[prop].games += 1
        for one in {broken.property: broken for broken in played.broken}.values():
            self.tried[one.property].broken += 1
            best = self._best.get(one.property)
            if best is None or played.cost < best[1].cost:
                self._best[one.property] = setting, played
        return {one.property for one in played.broken}

    def _count_cases(self, watcher: Watcher) -> None:
        for monitor in watcher.monitors:
            tried = self.tried[monitor.property]
            tried.cases += monitor.cases
            if monitor.property.kind == "reachable":
                words = monitor.bound.words(watcher.game)
                tried.witnesses[words] = tried.witnesses.get(words, False) or monitor.found

    # ------------------------------------------------------------ telling

    def finish(self, done: Callable[[int], None] | None = None, *, alone: bool = False) -> list[Tried]:
        """Make the counterexamples small, and say what came of each property, in order.

        `done` is told how many of the broken ones are dealt with. With `alone` the number of players stays as it is.
        """
        for number, (prop, (setting, played)) in enumerate(self._best.items()):
            self.tried[prop].example = self._example(prop, setting, played, alone=alone)
            if done is not None:
                done(number + 1)
        for prop, tried in self.tried.items():
            unfound = [words for words, found in tried.witnesses.items() if not found]
            tried.cases += len(tried.witnesses)
            if unfound:
                tried.diagnostic = _not_found(prop, unfound[0], tried.games)
        if self._whole is not None and self._players:
            self._reach(self._whole)
        return list(self.tried.values())

    def _reach(self, prop: Property) -> None:
        plan = self.plan
        missing = self._reaching.missing(prop, sorted(self._players), plan.seed, plan.most)
        if missing:
            self.tried[prop].diagnostic = not_reached(prop, missing)

    def so_far(self) -> list[Tried]:
        """What has been found when the trial was interrupted: counterexamples as they were met, nothing made small, and
        no property called unfound.
        """
        for prop, (setting, played) in self._best.items():
            if self.tried[prop].example is None:
                (told,) = [one.diagnostic for one in played.broken if one.property is prop][:1]
                length = len(played.trace.moves)
                self.tried[prop].example = Counterexample(setting, played.record, played.state, told, length)
        return [tried for tried in self.tried.values() if tried.games]

    def _example(self, prop: Property, setting: Setting, played: Played, *, alone: bool) -> Counterexample:
        made: dict[int, tuple[Game, Watcher] | None] = {}

        def make(players: int) -> tuple[Game, Watcher] | None:
            if players not in player_range(self.rulebook.checked) or (alone and players != setting.players):
                return None
            if players not in made:
                made[players] = self._watched(setting.with_players(players), prop)
            return made[players]

        # The games that were played note what they reach; what is shown is a game like any other.
        plain = make(setting.players)
        same = again(*plain, played.trace) if plain is not None else played
        small = same if same.broken or played.cut else played
        if self.plan.effort and not played.cut:
            small = shrink(make, small, seed=self.plan.seed, effort=self.plan.effort)
        (told,) = [one.diagnostic for one in (*small.broken, *played.broken) if one.property is prop][:1]
        shown = setting.with_players(small.state.game.players)
        return Counterexample(shown, small.record, small.state, told, len(small.trace.moves))

    def _watched(self, setting: Setting, prop: Property) -> tuple[Game, Watcher] | None:
        try:
            game = setting.game(self.rulebook)
        except (SettingsError, RulebookError):
            return None
        return game, Watcher(game, [prop], every=1)


def _not_found(prop: Property, instance: str, games: int) -> Diagnostic:
    span = prop.decl.claim.span if prop.decl is not None else prop.span
    return Diagnostic(
        CODES["EGO831"],
        f"property `{prop.name}`: no game of {games} showed it{f' for {instance}' if instance else ''}",
        span,
        help="if it can happen, more games may find it, or `egodsl explore`, which looks at every game",
    )


def try_properties(
    rulebook: Rulebook,
    *,
    properties: Sequence[Property] | None = None,
    players: Iterable[int] | None = None,
    plan: Plan | None = None,
    done: Callable[[int], None] | None = None,
) -> list[Tried]:
    """Try properties (all of the rulebook by default) in random games at every number of players, with each mode.

    Deterministic for a plan. What a property's verdict is, and a small game for each that is broken, is in the result;
    nothing is raised for it.
    """
    trial = Trial(rulebook, properties, plan)
    trial.play(settings_of(rulebook, players), done)
    return trial.finish()
