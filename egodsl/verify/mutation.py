"""The mutation check: whether the scenarios and properties of a rulebook notice what is changed in it.

A mutant is noticed if, in this order,

1. a scenario that comes to the changed declaration fails under the first seed,
2. or under another one, where chance matters,
3. or a property breaks (`no fault` is one that every rulebook has) in random games that break none in the rulebook
   itself.

Else it survives. A mutant that does not check is set aside: `egodsl check` has noticed it. The declarations that a
mutant shares with the rulebook are shared as trees; names and types are worked out anew, so nothing of the rulebook's
own analysis is taken for that of the mutant.

The order of the mutants, the seeds and the budgets settle the outcome: how many processes share the work does not.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from typing import TYPE_CHECKING, Any, Literal

import attrs

from egodsl.analysis import checks
from egodsl.analysis.analyse import analyse
from egodsl.engine.game import Game, Rulebook
from egodsl.source.diagnostics import DiagnosticError
from egodsl.verify.mutants import HEADS, Mutant, mutants, mutated
from egodsl.verify.playing import troubles
from egodsl.verify.reach import Reach, reach_of
from egodsl.verify.scenarios import settings_of
from egodsl.verify.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from egodsl.analysis.symbols import Program
    from egodsl.syntax import nodes

MOST_IN_A_GROUP = 24
"""Mutants of one declaration that one process takes at once."""


@attrs.frozen
class Budget:
    """How much is tried of each mutant.

    Attributes:
        seeds: under how many seeds the chance that a scenario does not script is tried, at least 1.
        games: random games with each setting that is played; 0 plays none.
        most: decisions after which such a game counts as one that does not end.
        steps: steps of the rules without a decision that count, in scenarios, as a loop without an end.
        seed: what the random games follow from.
    """

    seeds: int = 4
    games: int = 2
    most: int = 1000
    steps: int = 20_000
    seed: int = 0


@attrs.frozen
class Verdict:
    """What came of a mutant.

    Attributes:
        number: the mutant's.
        outcome: `unfit` if it does not check.
        how: what noticed it; none if nothing did.
        name: the title of the scenario, or the name of the property (`no game` where there is no game with some
            settings that the head allows).
    """

    number: int
    outcome: Literal["noticed", "survived", "unfit"]
    how: Literal["scenario", "property"] | None = None
    name: str = ""


@attrs.frozen
class MutationResult:
    """The verdicts on the mutants of a rulebook, in the order of the mutants.

    Attributes:
        mutants: those that were to be tried.
        verdicts: on those that were tried.
        failing: titles of scenarios that fail in the rulebook itself, and so notice nothing.
    """

    mutants: tuple[Mutant, ...]
    verdicts: tuple[Verdict, ...]
    failing: tuple[str, ...]

    @property
    def noticed(self) -> int:
        """How many were noticed."""
        return sum(verdict.outcome == "noticed" for verdict in self.verdicts)

    @property
    def counted(self) -> int:
        """How many check, and so count."""
        return sum(verdict.outcome != "unfit" for verdict in self.verdicts)

    @property
    def share(self) -> float | None:
        """The share noticed, from 0 to 1; None where none counts."""
        return self.noticed / self.counted if self.counted else None

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that nothing noticed."""
        by_number = {mutant.number: mutant for mutant in self.mutants}
        return [by_number[verdict.number] for verdict in self.verdicts if verdict.outcome == "survived"]


class Mutation:
    """The check of one rulebook: prepared once, then asked for verdicts."""

    def __init__(self, rulebook: Rulebook, budget: Budget | None = None) -> None:
        self.rulebook = rulebook
        self.budget = budget or Budget()
        self.reach = reach_of(rulebook, range(self.budget.seeds))
        self.known = frozenset(troubles(rulebook, self.budget))
        """What goes wrong in the random games of the rulebook itself."""

    def verdicts(self, chosen: Sequence[Mutant], processes: int | None = None) -> Iterator[Verdict]:
        """The verdict on each of these mutants of the rulebook, as they come: in the order of their groups.

        `processes`: how many share the work; by default as many as there are cores.
        """
        groups = _groups(chosen)
        count = min(processes or os.cpu_count() or 1, len(groups))
        if count <= 1:
            tester = _Tester(self.rulebook, chosen, self.reach, self.known, self.budget)
            for group in groups:
                yield from tester.group(group)
            return
        payload = pickle.dumps((self.rulebook.checked.program, self.reach, self.known, self.budget))
        with multiprocessing.Pool(count, _prepare, (payload,)) as pool:
            for made in pool.imap(_try_group, groups):
                yield from made

    def result(self, chosen: Sequence[Mutant], verdicts: Iterable[Verdict]) -> MutationResult:
        """The verdicts put together."""
        ordered = tuple(sorted(verdicts, key=lambda verdict: verdict.number))
        return MutationResult(tuple(chosen), ordered, self.reach.failing)


def check(
    rulebook: Rulebook,
    chosen: Sequence[Mutant] | None = None,
    *,
    budget: Budget | None = None,
    processes: int | None = None,
    done: Callable[[int], None] | None = None,
) -> MutationResult:
    """Try mutants of a rulebook, by default all. `done` is told how many are tried, now and then."""
    chosen = mutants(rulebook) if chosen is None else chosen
    mutation = Mutation(rulebook, budget)
    verdicts: list[Verdict] = []
    for verdict in mutation.verdicts(chosen, processes):
        verdicts.append(verdict)
        if done is not None:
            done(len(verdicts))
    return mutation.result(chosen, verdicts)


def _groups(chosen: Sequence[Mutant]) -> list[list[int]]:
    """The numbers of the mutants, those of one declaration together."""
    by_owner: dict[tuple[str, str], list[int]] = {}
    for mutant in chosen:
        by_owner.setdefault((mutant.table, mutant.owner), []).append(mutant.number)
    return [
        numbers[at : at + MOST_IN_A_GROUP]
        for numbers in by_owner.values()
        for at in range(0, len(numbers), MOST_IN_A_GROUP)
    ]


# ---------------------------------------------------------------- one process


class _Tester:
    """Tries mutants one after the other."""

    def __init__(
        self, rulebook: Rulebook, chosen: Iterable[Mutant], reach: Reach, known: Iterable[str], budget: Budget
    ) -> None:
        self.program = rulebook.checked.program
        self.by_number = {mutant.number: mutant for mutant in chosen}
        self.reach = reach
        self.known = frozenset(known)
        self.budget = budget

    def group(self, numbers: Iterable[int]) -> list[Verdict]:
        """The verdicts on mutants of one declaration. A scenario that has noticed one is asked first about the next."""
        first: list[str] = []
        return [self._verdict(self.by_number[number], first) for number in numbers]

    def _verdict(self, mutant: Mutant, first: list[str]) -> Verdict:
        titles = self.reach.titles(self._declaration(mutant), in_body=mutant.in_body)
        program = mutated(self.program, mutant, {title: self.program.scenarios[title] for title in titles})
        rulebook = _checked(program)
        if rulebook is None:
            return Verdict(mutant.number, "unfit")
        ahead = [title for title in first if title in titles]
        noticed = self._scenarios(rulebook, [*ahead, *(title for title in titles if title not in ahead)])
        if noticed is not None:
            first[:] = [noticed, *(title for title in first if title != noticed)]
            return Verdict(mutant.number, "noticed", "scenario", noticed)
        for trouble in troubles(rulebook, self.budget, self.known):
            return Verdict(mutant.number, "noticed", "property", trouble)
        return Verdict(mutant.number, "survived")

    def _declaration(self, mutant: Mutant) -> nodes.Node:
        place = getattr(self.program, mutant.table)
        found: nodes.Node = place if mutant.table in HEADS else place[mutant.owner]
        return found

    def _scenarios(self, rulebook: Rulebook, titles: Sequence[str]) -> str | None:
        """The title of the first scenario that fails: under the first seed, else under one of the others."""
        games: dict[str, tuple[Game, dict[Any, Callable[..., Any]]]] = {}
        lucky: list[tuple[str, tuple[Game, dict[Any, Callable[..., Any]]]]] = []
        scenarios = rulebook.checked.program.scenarios
        for title in titles:
            try:
                settings = settings_of(rulebook.checked, scenarios[title])
                key = repr(settings)
                if key not in games:
                    games[key] = Game(rulebook, settings, self.budget.steps), {}
            except DiagnosticError:
                return title
            trial = _tried(games[key], scenarios[title], 0)
            if trial.found:
                return title
            if trial.drew:
                lucky.append((title, games[key]))
        for title, game in lucky:
            if any(_tried(game, scenarios[title], seed).found for seed in range(1, self.budget.seeds)):
                return title
        return None


def _tried(game: tuple[Game, dict[Any, Callable[..., Any]]], scenario: nodes.ScenarioDecl, seed: int) -> Trial:
    trial = Trial(game[0], scenario, seed, game[1])
    trial.run()
    return trial


def _checked(program: Program) -> Rulebook | None:
    """The rulebook, analysed from the beginning; None where it does not check."""
    checked = analyse(program)
    if any(one.is_error for one in checked.diagnostics) or any(one.is_error for one in checks.run(checked)):
        return None
    return Rulebook(checked)


_here: list[_Tester] = []
"""The tester of this process, where the work is shared."""


def _prepare(payload: bytes) -> None:
    # Who is interrupted is told by the process that shares the work out; it ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    program, reach, known, budget = pickle.loads(payload)  # noqa: S301 - made by the process that started this one
    rulebook = Rulebook(analyse(program))
    _here[:] = [_Tester(rulebook, mutants(rulebook), reach, known, budget)]


def _try_group(numbers: list[int]) -> list[Verdict]:
    return _here[0].group(numbers)
