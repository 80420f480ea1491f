"""What the readings and modes of a rulebook do to its properties: every answer alone and two at a time.

Each combination is played in random games; a property that breaks is told with how often, and with a small game. A
reading that no game tells apart from its default is told too: with the same seeds, and the same moves wherever they are
legal, every game went the same way.
"""

from __future__ import annotations

import builtins
from math import sqrt
from typing import TYPE_CHECKING

import attrs

from egodsl.engine.faults import GameFault
from egodsl.engine.rng import Random, derive
from egodsl.source.diagnostics import DiagnosticError
from egodsl.verify.properties import Property, properties_of
from egodsl.verify.settings import Setting, combinations_of, player_counts
from egodsl.verify.trying import Counterexample, Plan, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from egodsl.engine.game import Game, Rulebook

_Z = 1.959964
"""The normal quantile of a confidence interval of 95 %."""

DEFAULT_GAMES = 20
_EVERY = 100
"""Leaks hang on the rules more than on the moves, and there are many combinations: a look now and then is enough."""


@attrs.frozen(eq=False)
class Outcome:
    """What came of one property with one combination of settings.

    Attributes:
        setting: players, modes and answers.
        property: which.
        games: in which it was watched.
        broken: how many of them broke it.
        example: a small game that breaks it, None where it holds.
    """

    setting: Setting
    property: Property
    games: int
    broken: int
    example: Counterexample | None

    @builtins.property
    def interval(self) -> tuple[float, float]:
        """In what part of all games it is broken, with a confidence of 95 % (Wilson's score interval, 1927)."""
        return wilson(self.broken, self.games)


@attrs.frozen
class Silent:
    """An answer or a mode that changed no observed game: `games` were compared with those of the default."""

    name: str
    answer: str | None
    games: int


@attrs.define(eq=False)
class Survey:
    """What was found, combination by combination; `unusable` are those with which there is no game, and why."""

    outcomes: list[Outcome] = attrs.Factory(list)
    silent: list[Silent] = attrs.Factory(list)
    unusable: list[tuple[Setting, str]] = attrs.Factory(list)
    interrupted: bool = False


def wilson(broken: int, games: int) -> tuple[float, float]:
    """The bounds of a proportion, each from 0 to 1; (0, 1) of no games at all."""
    if not games:
        return 0.0, 1.0
    share, z2 = broken / games, _Z * _Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _Z / (1 + z2 / games) * sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def survey(
    rulebook: Rulebook,
    *,
    properties: Sequence[Property] | None = None,
    players: Iterable[int] | None = None,
    plan: Plan | None = None,
    most: int | None = None,
    done: Callable[[int], None] | None = None,
) -> Survey:
    """Try combinations of modes and answers: of `most` changes, or all where they are few and two changes elsewhere.
    `plan.games` are played with each; deterministic for a plan.

    `done` is told how many combinations are done. An interrupt ends it, and what had been found is given back.
    """
    plan = attrs.evolve(plan or Plan(games=DEFAULT_GAMES, every=_EVERY), stop=False)
    counts = player_counts(rulebook, players)
    made = Survey()
    wanted = [
        prop
        for prop in (properties_of(rulebook) if properties is None else properties)
        if prop.builtin != "everything reached" and prop.kind != "reachable"
    ]
    try:
        for number, setting in enumerate(combinations_of(rulebook, counts, most), start=1):
            _try(rulebook, wanted, setting, plan, made)
            if done is not None:
                done(number)
        made.silent = _silent(rulebook, counts, plan)
    except KeyboardInterrupt:
        made.interrupted = True
    return made


def _try(rulebook: Rulebook, wanted: Sequence[Property], setting: Setting, plan: Plan, made: Survey) -> None:
    trial = Trial(rulebook, wanted, plan)
    trial.play([setting])
    why = trial.unusable.get(setting)
    if why is not None:
        made.unusable.append((setting, why.diagnostics[0].message))
        return
    for tried in trial.finish(alone=True):
        made.outcomes.append(Outcome(setting, tried.property, tried.games, tried.broken, tried.example))


# ---------------------------------------------------------------- readings that change nothing


def _silent(rulebook: Rulebook, counts: Sequence[int], plan: Plan) -> list[Silent]:
    """The single changes that no game shows: an answer is tried in each mode, too."""
    changes = [setting for setting in combinations_of(rulebook, counts[:1], 1) if setting.modes or setting.readings]
    bases = [(), *(setting.modes for setting in changes if setting.modes)]
    found = []
    for setting in changes:
        pairs = [
            (Setting(players, modes), Setting(players, setting.modes or modes, setting.readings))
            for modes in (bases if setting.readings else [()])
            for players in counts
        ]
        if all(_same_games(rulebook, *pair, plan) for pair in pairs):
            name, answer = setting.readings[0] if setting.readings else (setting.modes[0], None)
            found.append(Silent(name, answer, len(pairs) * plan.games))
    return found


def _same_games(rulebook: Rulebook, plain: Setting, other: Setting, plan: Plan) -> bool:
    try:
        one, two = plain.game(rulebook), other.game(rulebook)
    except DiagnosticError:
        # There is no such game; that it cannot be made is told elsewhere.
        return True
    return all(_same_game(one, two, derive(plan.seed, plain.words, k), plan.most) for k in range(plan.games))


def _same_game(plain: Game, other: Game, seed: int, most: int) -> bool:
    """Whether two games offer the same moves all the way and end alike, played with the same choices."""
    random = Random(seed)
    try:
        one = plain.start(seed)
    except GameFault:
        one = None
    try:
        two = other.start(seed)
    except GameFault:
        two = None
    while one is not None and two is not None:
        if one.to_move != two.to_move or one.over != two.over or one.Z != two.Z:
            return False
        if one.over:
            return one.result == two.result
        if one.decisions >= most:
            return True
        player = one.to_move[0]
        moves, others = (state.branches.get(player, state).moves for state in (one, two))
        if moves != others:
            return False
        k = random.below(len(moves))
        faults = []
        for state in (one, two):
            try:
                state.choose(k, player)
            except GameFault as fault:
                faults.append(fault.diagnostic.code)
        if faults:
            return len(faults) == 2 and faults[0] == faults[1]  # noqa: PLR2004 - both
    return one is two
