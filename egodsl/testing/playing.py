"""Playing a game by numbers that are drawn, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Protocol

import attrs
from hypothesis import strategies as st

from egodsl.engine.faults import GameFault
from egodsl.engine.game import Game
from egodsl.engine.moves import Move, Outcome
from egodsl.engine.record import Record
from egodsl.engine.state import State

Below = Callable[[int], int]
"""Draws a number from 0 to n - 1."""
Choice = tuple[int | None, int]
"""Who chose (None: chance), and the number of the move or outcome."""


def beginning(game: Game) -> tuple[State, GameFault | None]:
    """The first position, with chance left open; and the fault where the rules cannot get that far."""
    state = State(game, None)
    try:
        state.begin()
    except GameFault as fault:
        return state, fault
    return state, None


def drawn(state: State, below: Below) -> Choice:
    """One choice of those that are open in a position that is not over: a player of those who decide, a kind of move
    (an action, an option), a move of that kind; or an outcome of chance. Each is as likely, so kinds of moves that are
    few are not rare. The simplest is the first player's first move, or the first outcome.

    Kinds are counted whether they are legal or not, so that a number means the same kind in a game that is shorter.
    """
    if state.is_chance:
        return None, _below(below, len(state.chance()))
    deciding = [(p, branch) for p, branch in state.branches.items() if not branch.over] or [(state.mover, state)]
    player, asked = deciding[_below(below, len(deciding))]
    assert asked.site is not None
    kinds: dict[int, list[int]] = {}
    for number, raw in enumerate(asked.moves):
        kinds.setdefault(raw[0], []).append(number)
    many = len(asked.site.options)
    wanted = _below(below, many)
    kind = next(k % many for k in range(wanted, wanted + many) if k % many in kinds)
    return player, kinds[kind][_below(below, len(kinds[kind]))]


def _below(below: Below, n: int) -> int:
    # What cannot be otherwise is not drawn, so there is nothing to shrink about it.
    return below(n) if n > 1 else 0


def carry_out(state: State, choice: Choice) -> None:
    """Make the choice. Raises GameFault."""
    who, number = choice
    if who is None:
        state.apply(state.chance()[number])
    else:
        state.choose(number, who)


class Printer(Protocol):
    """What Hypothesis and IPython print with."""

    def text(self, obj: str) -> None:
        """Print a text."""


@attrs.frozen(eq=False, repr=False)
class Played:
    """A game that was played, from its start up to its end or to some position on the way.

    Attributes:
        game: the configured game.
        state: the position that it came to; yours to play on.
        choices: who chose in turn (None: chance), and the number of the move or outcome from 0.
        fault: why the rules could not go on, if they could not; only where `faults` were asked for.
    """

    game: Game
    state: State
    choices: tuple[Choice, ...]
    fault: GameFault | None = None
    _end: State = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        # The record is told when somebody asks, and by then `state` may have been played on.
        object.__setattr__(self, "_end", self.state.clone())

    @cached_property
    def record(self) -> Record:
        """The record, which `Game.replay` and the command line take."""
        return self._end.record() if self.fault is None else self.fault.record

    @property
    def events(self) -> tuple[tuple[str, str], ...]:
        """Moves and outcomes of chance in order: who (`A`, `B`, ..., or `chance`), and the text."""
        return self.record.events

    def positions(self) -> Iterator[State]:
        """Every position of the game in order, from the first to the last: each decision, each chance event, and the
        end. Each is a copy of its own.
        """
        state, fault = beginning(self.game)
        if fault is None:
            yield state.clone()
        for choice in self.choices:
            try:
                carry_out(state, choice)
            except GameFault:
                return
            yield state.clone()

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:  # noqa: FBT001 - the protocol of pretty printers
        # Hypothesis would show the fields.
        printer.text(repr(self) if not cycle else "Played(...)")

    def __repr__(self) -> str:
        record = self.record
        settings = [
            f"{record.rulebook}, {record.players} player{'s' if record.players > 1 else ''}",
            *record.modes,
            *(f"{name}={answer}" for name, answer in record.readings.items()),
            *(f"{name}={value}" for name, value in record.parameters.items()),
        ]
        lines = "".join(f"\n    {who}: {text}" for who, text in record.events)
        broken = f"\n    {self.fault.diagnostic}" if self.fault is not None else ""
        return f"Played({', '.join(settings)}:{lines}{broken})"


def moves(state: State) -> st.SearchStrategy[Move]:
    """The legal moves in a position, of whoever decides there. They shrink to the first.

    Raises ValueError where nobody decides: `outcomes` are for chance.
    """
    found = [move for player in state.to_move for move in state.legal_moves(player)]
    if not found:
        why = "the game is over" if state.is_over else "chance does: draw from `outcomes(state)`"
        message = f"nobody decides here, {why}"
        raise ValueError(message)
    return st.sampled_from(found)


def outcomes(state: State) -> st.SearchStrategy[Outcome]:
    """What chance can bring in a position, each as likely to be drawn. They shrink to the first.

    Raises ValueError where chance decides nothing: a state that was started with a seed resolves it by itself.
    """
    if not state.is_chance:
        message = "chance decides nothing here: draw from `moves(state)` where somebody decides"
        raise ValueError(message)
    return st.sampled_from(state.chance())
