"""Moves, chance outcomes and results as values of the public interface."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs


@attrs.frozen
class Move:
    """One legal move of a player. Two moves that no player could tell apart are one; texts of the moves of one
    decision differ.

    Attributes:
        player: whose move it is, from 0.
        text: what a person reads and types.
        action: the action's name, or None where the rules do not name it.
        label: the label of an option, `yes` or `no`; None where there is none.
        arguments: (name, text) of each thing chosen.
    """

    player: int
    text: str
    action: str | None = attrs.field(default=None)
    label: str | None = attrs.field(default=None)
    arguments: tuple[tuple[str, str], ...] = ()
    raw: tuple[Any, ...] = attrs.field(default=(), eq=False, repr=False)

    def __str__(self) -> str:
        return self.text


@attrs.frozen
class Outcome:
    """One outcome of a chance event: its text, and its probability as an exact fraction between 0 and 1."""

    text: str
    probability: Fraction
    value: Any = attrs.field(default=None, eq=False, repr=False)

    def __str__(self) -> str:
        return self.text


@attrs.frozen
class Result:
    """How a game ended. `places[0]` are the winners, from the best to the last; players in one place are tied.

    `scores` are each player's values of the keys of `result`, in order (of the payoff, where there is no `result`);
    `together` is the value that all players reached, in a game that they win or lose as one.
    """

    places: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]
    together: int | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in the first place; none where all played together."""
        return self.places[0] if self.places else ()


class IllegalMoveError(ValueError):
    """A move, outcome or player that does not fit the position; the message names the moves that would."""
