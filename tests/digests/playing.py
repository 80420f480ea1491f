"""Games by a fixed policy, and everything that is to be compared of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import egodsl
from egodsl.engine.settings import configure, parameter_range
from tests.digests import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.moves import Move

FOLDER = Path(__file__).parents[2] / "rulebooks"
RULEBOOKS = {
    path.stem: path for path in (*sorted(FOLDER.glob("*.rules")), *sorted((FOLDER / "classics").glob("*.rules")))
}
PARTS = ("log", "moves", "result", "views", "observations", "states")
"""What is compared. `states`: copies and equality of positions."""

DECISIONS = 150
FEW_DECISIONS = 60
"""Decisions after which a game is cut off: the first for the defaults and for the first seed, the second for others."""
EVENTS = 400
"""Decisions and explicit chance events together after which a game is cut off."""
SAMPLED = 3
"""Decisions of a game at which views and copies are looked at too."""


@attrs.frozen
class Case:
    """A rulebook with one setting that differs from its defaults, or none, and a number of players.

    Attributes:
        rulebook: the name of its file, without the ending.
        players: how many.
        setting: `default`, `mode=NAME`, `reading=ANSWER` or `parameter=NUMBER`.
        kind: what the setting sets: nothing, a mode, a reading or a parameter.
    """

    rulebook: str
    players: int
    setting: str
    kind: str = attrs.field(default="", eq=False)

    @property
    def name(self) -> str:
        """As `egonomy/3/acknowledging=three_or_four`."""
        return f"{self.rulebook}/{self.players}/{self.setting}"

    def game(self, rulebook: egodsl.Rulebook) -> egodsl.Game:
        """The game of these settings."""
        name, _, value = self.setting.partition("=")
        match self.kind:
            case "mode":
                return rulebook.game(players=self.players, modes=[value])
            case "reading":
                return rulebook.game(players=self.players, readings={name: value})
            case "parameter":
                return rulebook.game(players=self.players, parameters={name: int(value)})
        return rulebook.game(players=self.players)


def cases_of(rulebook: egodsl.Rulebook, name: str) -> list[Case]:
    """The defaults and everything that is one answer, mode or extreme of a parameter away, for every player count."""
    return [Case(name, n, setting, kind) for setting, kind in _settings(rulebook) for n in rulebook.players]


def _settings(rulebook: egodsl.Rulebook) -> Iterator[tuple[str, str]]:
    checked = rulebook.checked
    program = checked.program
    usual = configure(checked, None, (), {}, {})
    yield "default", ""
    for mode in program.modes:
        if mode not in usual.modes:
            yield f"mode={mode}", "mode"
    for name, reading in program.readings.items():
        for k, answer in enumerate(reading.answers):
            if k != usual.readings[name]:
                yield f"{name}={answer.name.name}", "reading"
    for name, decl in program.parameters.items():
        for value in sorted(set(parameter_range(checked, decl)) - {usual.parameters[name]}):
            yield f"{name}={value}", "parameter"


def most_decisions(case: Case, seed: int) -> int:
    """Where a game is cut off, if it is not over: later than most for the defaults, and for the first seed."""
    return DECISIONS if seed == 0 or case.setting == "default" else FEW_DECISIONS


@attrs.define
class Played:
    """A game that was played: the lines of each part, and whether chance was explicit in it."""

    chance: bool = False
    parts: dict[str, list[str]] = attrs.Factory(lambda: {part: [] for part in PARTS})

    def steps(self) -> Iterator[tuple[list[str], list[str]]]:
        """For each decision, and once more for what came after the last: what was offered and chosen, and the lines
        of the log before it since the one before.
        """
        logged: list[list[str]] = [[]]
        for line in self.parts["log"]:
            if canonical.is_decision(line, chance=self.chance):
                logged.append([])
            logged[-1].append(line)
        offered = self.parts["moves"]
        for k in range(max(len(offered), len(logged))):
            yield offered[k : k + 1], logged[k] if k < len(logged) else []


def play(game: egodsl.Game, case: Case, seed: int) -> Played:
    """Play a game of the case by the policy that belongs to the case and the seed."""
    return _Player(game, case, seed).play()


class _Player:
    def __init__(self, game: egodsl.Game, case: Case, seed: int) -> None:
        # Python promises the same numbers of `random()` for the same text in every version.
        self.rng = random.Random(f"{case.name}/{seed}")  # noqa: S311 - random games are no secrets
        self.game = game
        self.thorough = seed == 0
        self.most = most_decisions(case, seed)
        self.left = SAMPLED if self.thorough else 1
        self.played = Played(chance=self.rng.random() < 1 / 5)
        self.parts = self.played.parts

    def below(self, n: int) -> int:
        return int(self.rng.random() * n)

    def play(self) -> Played:
        """Play to the end, to a fault, or until the game is cut off. An engine that breaks is a result too."""
        try:
            self._play()
        except Exception as error:  # noqa: BLE001 - whatever it is, the other games are to be compared
            self.parts["result"].append(f"error {type(error).__name__}: {error}")
        return self.played

    def _play(self) -> None:
        state = None
        try:
            state = self.game.start(None if self.played.chance else self.rng.getrandbits(64))
            self._go_on(state)
        except egodsl.GameFault as fault:
            self.parts["result"].append(canonical.fault_line(fault.diagnostic))
        if state is not None:
            self._end(state)

    def _end(self, state: egodsl.State) -> None:
        said = self.parts["result"]
        said.append(f"over {state.is_over} chance {state.is_chance} to move {state.to_move}")
        if state.is_over:
            said.extend(canonical.result_lines(state))
        self.parts["log"] = canonical.log_lines(state)
        for player in self._viewers():
            self.parts["observations"].append(f"player {player}")
            self.parts["observations"].extend(canonical.observation_lines(state.observations(player)))
            self.parts["views"].extend(canonical.view_lines(state.view(player)))

    def _viewers(self) -> Sequence[int]:
        return range(self.game.players) if self.thorough else (self.below(self.game.players),)

    def _go_on(self, state: egodsl.State) -> None:
        decisions = 0
        for _ in range(EVENTS):
            if state.is_over or decisions >= self.most:
                return
            if state.is_chance:
                self._chance(state)
            else:
                decisions += 1
                self._decide(state)

    def _chance(self, state: egodsl.State) -> None:
        outcomes = state.chance()
        at = self.below(len(outcomes))
        offered = ", ".join(f"{o.text} {o.probability}" for o in outcomes)
        self.parts["moves"].append(f"chance: {offered} -> {outcomes[at].text}")
        state.apply(outcomes[at])

    def _decide(self, state: egodsl.State) -> None:
        deciding = state.to_move
        player = deciding[self.below(len(deciding))] if len(deciding) > 1 else deciding[0]
        moves = state.legal_moves(player)
        if self.left and self.rng.random() < 1 / 20:
            self.left -= 1
            self._sample(state, player, moves)
        at = self.below(len(moves))
        offered = ", ".join([move.text for move in moves])
        self.parts["moves"].append(f"{deciding} {player}: {offered} -> {moves[at].text}")
        state.choose(at, player)

    def _sample(self, state: egodsl.State, player: int, moves: Sequence[Move]) -> None:
        for viewer in self._viewers():
            self.parts["views"].extend(canonical.view_lines(state.view(viewer)))
        self.parts["states"].extend(_copies(state, player, moves))


_TRIED = 5
"""Moves of one decision that are tried on copies."""


def _copies(state: egodsl.State, player: int, moves: Sequence[Move]) -> Iterator[str]:
    """What copies of a position say: that they are equal, and which of the positions after it are one."""
    copy = state.clone()
    yield f"copy equal {copy == state} hash {hash(copy) == hash(state)}"
    tried = range(0, len(moves), max(1, len(moves) // _TRIED))
    after = [_after(state, move, at) for at, move in zip(tried, (moves[at] for at in tried), strict=True)]
    reached = [found for found in after if not isinstance(found, str)]
    for at, found in zip(tried, after, strict=True):
        if isinstance(found, str):
            yield f"{moves[at].text}: {found}"
            continue
        first = next(k for k, other in enumerate(reached) if other == found)
        yield (
            f"{moves[at].text}: position {first} hash {hash(reached[first]) == hash(found)}"
            f" moved {found != state} to move {found.to_move}"
        )
    left = [move.text for move in state.legal_moves(player)] == [move.text for move in moves]
    yield f"left alone {copy == state and left}"


def _after(state: egodsl.State, move: Move, at: int) -> egodsl.State | str:
    """The position after a move, made by the move and by its number on two copies; or what was wrong."""
    by_move, by_number = state.clone(), state.clone()
    try:
        by_move.apply(move)
    except egodsl.GameFault as fault:
        return canonical.fault_line(fault.diagnostic)
    by_number.choose(at, move.player)
    return by_move if by_move == by_number else "a move and its number lead to different positions"


def lines_of(played: Played, parts: Iterable[str]) -> Iterator[str]:
    """The parts of a game as text, under their names."""
    for part in parts:
        yield f"== {part}"
        yield from played.parts[part]
