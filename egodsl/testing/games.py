"""Strategies for played games and for positions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from os import PathLike

from hypothesis import reject
from hypothesis import strategies as st

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Game, Rulebook, RulebookError, load
from egodsl.engine.settings import configure
from egodsl.engine.state import State
from egodsl.testing.playing import Played, beginning, carry_out, drawn

Source = Rulebook | str | PathLike[str]
"""A rulebook, or the path of one."""


class Tables:
    """The games of a rulebook that may be drawn, each compiled once.

    What may be asked for is told at `games`. Raises SettingsError, ValueError, and what `load` raises.
    """

    def __init__(
        self,
        source: Source,
        players: int | Collection[int] | None,
        modes: Collection[str] | None,
        readings: Mapping[str, str] | None,
        parameters: Mapping[str, int] | None,
    ) -> None:
        self.rulebook = source if isinstance(source, Rulebook) else load(source)
        counts = self.rulebook.players if players is None else (players,) if isinstance(players, int) else players
        if not counts:
            message = "at least one number of players is needed"
            raise ValueError(message)
        self.players = sorted(counts)
        self.modes = (modes,) if isinstance(modes, str) else None if modes is None else tuple(modes)
        self.readings = None if readings is None else dict(readings)
        self.parameters = dict(parameters or {})
        for count in self.players:
            configure(self.rulebook.checked, count, self.modes or (), self.readings or {}, self.parameters)
        self._made: dict[tuple[object, ...], Game | None] = {}

    def modes_on(self) -> st.SearchStrategy[tuple[str, ...]]:
        """The modes that are on. They shrink to none."""
        if self.modes is not None:
            return st.just(self.modes)
        program = self.rulebook.checked.program
        free = [name for name in program.modes if name not in program.presets]
        flags = st.tuples(*(st.booleans() for _ in free))
        return flags.map(lambda on: tuple(name for name, is_on in zip(free, on, strict=True) if is_on))

    def answers(self) -> st.SearchStrategy[dict[str, str]]:
        """The answers to readings. They shrink to the defaults."""
        if self.readings is not None:
            return st.just(self.readings)
        program = self.rulebook.checked.program
        drawn: dict[str, st.SearchStrategy[str]] = {}
        for name, decl in program.readings.items():
            if name not in program.presets:
                # The sort is stable: the default first, the others in order of declaration.
                answers = sorted(decl.answers, key=lambda one: not one.default)
                drawn[name] = st.sampled_from([one.name.name for one in answers])
        return st.fixed_dictionaries(drawn)

    def game(self, players: int, modes: tuple[str, ...], readings: dict[str, str]) -> Game:
        """The game; without one, because no deck can be made with these settings, the example is thrown away."""
        key = (players, modes, tuple(readings.items()))
        if key not in self._made:
            try:
                self._made[key] = self.rulebook.game(
                    players=players, modes=modes, readings=readings, parameters=self.parameters
                )
            except RulebookError:
                self._made[key] = None
        game = self._made[key]
        return game if game is not None else reject()

    def drawn(self, draw: st.DrawFn) -> Game:
        """A game, with everything about it drawn."""
        return self.game(draw(st.sampled_from(self.players)), draw(self.modes_on()), draw(self.answers()))


def games(
    rulebook: Source,
    *,
    players: int | Collection[int] | None = None,
    modes: Collection[str] | None = None,
    readings: Mapping[str, str] | None = None,
    parameters: Mapping[str, int] | None = None,
    max_decisions: int = 100,
    whole: bool = False,
    faults: bool = False,
) -> st.SearchStrategy[Played]:
    """Games of a rulebook (or of the one at a path) that were played at random.

    They shrink toward fewer players, modes off, default readings, fewer decisions, moves and outcomes of chance that
    come first in their lists.

    players: how many play, one number or several; None: all that the rulebook allows.
    modes: those that are on; None: any.
    readings: the answers to readings, the others as is default; None: any.
    parameters: their values, the others as is default.
    max_decisions: a game is played up to so many decisions, some shorter; chance is not counted.
    whole: every game goes on until it ends, or has `max_decisions`.
    faults: a fault of the rules gives a game with a `fault`; without, it is raised as GameFault, and so fails the test.

    Raises SettingsError for what the rulebook does not have, ValueError for `max_decisions` below 0, and what `load`
    raises.
    """
    tables = Tables(rulebook, players, modes, readings, parameters)
    most = _at_least_none(max_decisions)

    @st.composite
    def played(draw: st.DrawFn) -> Played:
        game = tables.drawn(draw)
        state, fault = beginning(game)
        made = []
        while fault is None and (state.is_chance or whole or draw(_going_on(most))):
            if state.is_over or (not state.is_chance and state.decisions >= most):
                break
            choice = drawn(state, lambda n: draw(st.integers(0, n - 1)))
            made.append(choice)
            try:
                carry_out(state, choice)
            except GameFault as broken:
                fault = broken
        if fault is not None and not faults:
            raise fault
        return Played(game, state, tuple(made), fault)

    return played()


def states(
    rulebook: Source,
    *,
    players: int | Collection[int] | None = None,
    modes: Collection[str] | None = None,
    readings: Mapping[str, str] | None = None,
    parameters: Mapping[str, int] | None = None,
    max_decisions: int = 100,
) -> st.SearchStrategy[State]:
    """Positions of a rulebook at which somebody decides, reached at random after up to `max_decisions` decisions; of a
    game that ends before, its last decision. Chance is left open. What the arguments mean, what is raised and how it
    shrinks is as for `games`; a fault on the way is raised.
    """
    tables = Tables(rulebook, players, modes, readings, parameters)
    most = _at_least_none(max_decisions)

    @st.composite
    def reached(draw: st.DrawFn) -> State:
        game = tables.drawn(draw)
        state, fault = beginning(game)
        if fault is not None:
            raise fault
        last: State | None = None
        while state.is_chance or draw(_going_on(most)):
            if state.is_over:
                break
            if not state.is_chance:
                last = state.clone()
                if state.decisions >= most:
                    break
            carry_out(state, drawn(state, lambda n: draw(st.integers(0, n - 1))))
        if not state.is_over:
            last = state
        return last if last is not None else reject()

    return reached()


def _at_least_none(max_decisions: int) -> int:
    if max_decisions < 0:
        message = f"a game has 0 decisions or more, not {max_decisions}"
        raise ValueError(message)
    return max_decisions


def _going_on(most: int) -> st.SearchStrategy[bool]:
    # Asked before each decision, not drawn once as a length: so a decision can be left out when a game shrinks. It is
    # asked at the end too, since the shorter game may not have come to its end. About a third of the games that are
    # long enough come to the most.
    return st.integers(0, most).map(bool)
