"""What every reference implementation is made of: nodes that ask, moves that answer, readings, and one script.

A reference tells its game from start to end as straight-line Python in one generator, and stops wherever somebody
decides or chance speaks. Cards are told apart by their faces only.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

Move: TypeAlias = tuple[Any, ...]
T = TypeVar("T")
Face = TypeVar("Face")


@dataclass(frozen=True)
class Decision:
    """Somebody must choose one of `moves` (distinct tuples that begin with the name of the move).

    `simultaneous` marks a choice that is made at once with its neighbours: they are asked one after the other, but none
    may depend on another, and nobody learns anything in between.
    """

    player: int
    moves: tuple[Move, ...]
    simultaneous: bool = False


@dataclass(frozen=True)
class Chance:
    """Something random: `what` names it; `outcomes` pairs each possible face or player with its probability."""

    what: str
    outcomes: tuple[tuple[Any, Fraction], ...]


@dataclass(frozen=True)
class Result:
    """The end of the game: places (1 is best; equals share a place), winners and totals, by seat."""

    places: tuple[int, ...]
    winners: tuple[int, ...]
    totals: tuple[int, ...]


Node: TypeAlias = Decision | Chance | Result
Script: TypeAlias = Generator[Decision | Chance, Any, T]


class StuckError(Exception):
    """The player on turn has no legal action, which only some readings can bring about."""


class RoundOver(Exception):  # noqa: N818 - a way out of nested generators, not an error
    """Raised inside the script to leave a turn at whatever depth: the round has ended."""


class Telling:
    """A game in progress: `node` says what happens next, `apply` answers it.

    A subclass lists its READINGS, calls `_begin` with its script at the end of its `__init__`, and asks through
    `_decide` and `_chance`, which are generators: they yield a node and are sent the answer.
    """

    READINGS: Mapping[str, tuple[str, ...]] = {}
    node: Node

    def __init__(self, players: int, readings: Mapping[str, str] | None) -> None:
        """Fix the number of players and the readings; ValueError for an unknown reading or answer."""
        self.players = players
        self.readings = {name: answers[0] for name, answers in self.READINGS.items()} | dict(readings or {})
        for name, answer in self.readings.items():
            if answer not in self.READINGS.get(name, ()):
                raise ValueError(f"no answer `{answer}` to a reading `{name}`")

    def _begin(self, script: Script[Result]) -> None:
        self._script = script
        self.node = self._proceed(None)

    def apply(self, choice: Any) -> None:  # noqa: ANN401 - each game has its own outcomes
        """Answer the node with one of its moves or outcomes; ValueError for anything else."""
        match self.node:
            case Decision(moves=moves) if choice in moves:
                pass
            case Chance(outcomes=outcomes) if choice in [outcome for outcome, _ in outcomes]:
                pass
            case _:
                raise ValueError(f"{choice!r} does not answer {self.node!r}")
        self.node = self._proceed(choice)

    def _proceed(self, choice: object) -> Node:
        try:
            return self._script.send(choice)
        except StopIteration as end:
            result: Result = end.value
            return result

    def _reads(self, name: str, *answers: str) -> bool:
        return self.readings[name] in answers

    def _decide(self, player: int, moves: Iterable[Move], *, simultaneous: bool = False) -> Script[Move]:
        distinct = tuple(dict.fromkeys(moves))
        if not distinct:
            raise StuckError(f"player {player} has no legal move")
        move: Move = yield Decision(player, distinct, simultaneous)
        return move

    def _chance(self, what: str, weights: Mapping[Face, int]) -> Script[Face]:
        total = sum(weights.values())
        faces: list[Any] = [face for face, n in weights.items() if n]
        outcome: Face = yield Chance(what, tuple((face, Fraction(weights[face], total)) for face in sorted(faces)))
        return outcome

    def _some_player(self, what: str, among: Iterable[int]) -> Script[int]:
        """A player whom something outside the rules singles out: any of them, with equal chances."""
        return (yield from self._chance(what, dict.fromkeys(among, 1)))

    def _clockwise_from(self, player: int) -> list[int]:
        return [(player + step) % self.players for step in range(self.players)]


def play_at_random(
    game: Telling, rng: random.Random, limit: int, worth: Callable[[Move], float] | None = None
) -> list[Hashable]:
    """Play on until the end or `limit` answers; the answers given.

    Uniform over the kinds of moves, then within a kind, where `worth` weighs moves. StuckError where nobody can move.
    """
    answers: list[Hashable] = []
    while len(answers) < limit:
        match game.node:
            case Decision(moves=moves):
                kinds = Counter(move[0] for move in moves)
                weights = [(1.0 if worth is None else worth(move)) / kinds[move[0]] for move in moves]
                answers.append(rng.choices(moves, weights)[0])
            case Chance(outcomes=outcomes):
                faces, chances = zip(*outcomes, strict=True)
                answers.append(rng.choices(faces, [float(chance) for chance in chances])[0])
            case Result():
                break
        game.apply(answers[-1])
    return answers
