"""Games of two numbers, drawn by chance, of which the test knows the meaning: each is a text in the language, and a
program that plays it in plain Python and notes everything that happens.

Nothing here uses egodsl, but for the texts of moves being what the engine makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

import attrs
from hypothesis import strategies as st

N, M = 7, 5
"""The numbers `n` and `m` of the table are counted modulo these."""


@attrs.frozen
class Snapshot:
    """The table."""

    n: int
    m: int


@attrs.frozen
class Event:
    """Something that happened after so many choices: `point` (somebody decides), `over`, `turn`, and `begun` and
    `ended` of a stage or action with the values of its head, and who played it.
    """

    kind: str
    table: Snapshot
    choices: int
    name: str = ""
    head: int = 0
    you: int = -1


class End(Exception):  # noqa: N818 - no error, but the way out of a stage
    """A stage ends."""


Choice = tuple[int, str]
"""Who chooses (-1: chance) and what."""
Step = Generator[list[Choice], Choice, None]
"""Asks with all choices that there are."""


@attrs.frozen
class Statement:
    """A statement: its lines, and what it does when it is run for a player (-1: nobody acts)."""

    lines: tuple[str, ...]
    run: Callable[[Run, int], Step]


@attrs.frozen
class Body:
    """A stage or an action with a number in its head: of a stage an argument, of an action a choice."""

    name: str
    statements: tuple[Statement, ...]
    takes: tuple[int, ...] = ()

    def run(self, run: Run, you: int, head: int) -> Step:
        run.note("begun", self.name, head, you)
        try:
            yield from in_turn(self.statements, run, you)
        except End as end:
            run.note("ended", self.name, head, you)
            if end.args[0] != self.name:
                raise
        else:
            run.note("ended", self.name, head, you)


def in_turn(statements: tuple[Statement, ...], run: Run, you: int) -> Step:
    """One statement after another."""
    for one in statements:
        yield from one.run(run, you)


@attrs.frozen
class Made:
    """A game: the bodies by name, with `game` among them."""

    players: int
    stages: dict[str, Body]
    actions: dict[str, Body]

    def text(self) -> str:
        """In the language."""
        lines = ['rulebook made "Made":', f"    players {self.players}", "    result most seat(you)", ""]
        lines += [f"var n: 0..{N - 1} = 0", f"var m: 0..{M - 1} = 0", "var bid[player]: 0..2 = 0, owner only"]
        lines += ["var more[player]: 0..2 = 0, owner only"]
        for one in self.actions.values():
            domain = f"{one.takes[0]}..{one.takes[-1]}"
            lines += ["", f"action {one.name} (k in {domain}):", *indented(one.statements)]
        for one in self.stages.values():
            head = f"({', '.join(f'k: {k}..{N - 1}' for k in one.takes)})" if one.takes else ""
            lines += ["", f"stage {one.name}{head}:", *indented(one.statements)]
        return "\n".join(lines) + "\n"


def indented(statements: tuple[Statement, ...]) -> list[str]:
    """The lines of statements as those of a block."""
    return [f"    {line}" for one in statements for line in one.lines]


class Run:
    """One game that is played: `asked` are the choices that there are now (none: it is over)."""

    def __init__(self, game: Made) -> None:
        self.game = game
        self.n = self.m = self.choices = 0
        self.events: list[Event] = []
        self.asked: list[Choice] = []
        self._steps = self._whole()
        self._go(None)

    def _whole(self) -> Step:
        yield from self.game.stages["game"].run(self, -1, 0)

    def note(self, kind: str, name: str = "", head: int = 0, you: int = -1) -> None:
        self.events.append(Event(kind, Snapshot(self.n, self.m), self.choices, name, head, you))

    def choose(self, player: int, text: str) -> None:
        self.choices += 1
        self._go((player, text))

    def _go(self, choice: Choice | None) -> None:
        try:
            self.asked = next(self._steps) if choice is None else self._steps.send(choice)
            if self.asked[0][0] >= 0:
                self.note("point")
        except StopIteration:
            self.asked = []
            self.note("over")


def played(game: Made, choices: list[Choice]) -> Run:
    """The game after these choices."""
    run = Run(game)
    for choice in choices:
        run.choose(*choice)
    return run


# ---------------------------------------------------------------- statements


def add(what: str, amount: int) -> Statement:
    """`n` or `m` is counted on; with 0, by the other number."""

    def run(table: Run, you: int) -> Step:
        del you
        if what == "n":
            table.n = (table.n + (amount or table.m)) % N
        else:
            table.m = (table.m + (amount or table.n)) % M
        yield from ()

    other = "m" if what == "n" else "n"
    return Statement((f"{what} := ({what} + {amount or other}) % {N if what == 'n' else M}",), run)


def add_head() -> Statement:
    """`n` is counted on by what the head of the action says."""

    def run(table: Run, you: int) -> Step:
        del you
        # It stands first in an action, so nothing has happened since that began.
        table.n = (table.n + table.events[-1].head) % N
        yield from ()

    return Statement((f"n := (n + k) % {N}",), run)


def end(stage: str, number: int) -> Statement:
    """A stage ends if `n` has come to a number."""

    def run(table: Run, you: int) -> Step:
        del you
        if table.n == number:
            raise End(stage)
        yield from ()

    return Statement((f"if n = {number}: end {stage}",), run)


def play(stage: Body, argument: int) -> Statement:
    """A stage is played."""

    def run(table: Run, you: int) -> Step:
        del you
        yield from stage.run(table, -1, argument if stage.takes else 0)

    return Statement((f"play {stage.name}({argument})" if stage.takes else f"play {stage.name}",), run)


def perform(action: Body, argument: int) -> Statement:
    """An action is carried out by whoever acts, without being chosen."""

    def run(table: Run, you: int) -> Step:
        yield from action.run(table, you, argument)

    return Statement((f"perform {action.name}({argument})",), run)


def ask(actions: tuple[Body, ...]) -> Statement:
    """Whoever acts chooses an action."""
    moves = {f"{one.name} {k}": (one, k) for one in actions for k in one.takes}

    def run(table: Run, you: int) -> Step:
        _, text = yield [(you, text) for text in moves]
        action, k = moves[text]
        yield from action.run(table, you, k)

    return Statement((f"choose one of {', '.join(one.name for one in actions)}",), run)


def acting(player: int, inner: tuple[Statement, ...]) -> Statement:
    """A player acts."""

    def run(table: Run, you: int) -> Step:
        del you
        yield from in_turn(inner, table, player)

    return Statement((f"as players[{player + 1}]:", *indented(inner)), run)


def repeat(times: int, inner: tuple[Statement, ...]) -> Statement:
    """Statements again and again."""

    def run(table: Run, you: int) -> Step:
        for _ in range(times):
            yield from in_turn(inner, table, you)

    return Statement((f"repeat {times} times:", *indented(inner)), run)


def turns(players: int, first: int, stops: int, inner: tuple[Statement, ...]) -> Statement:
    """Turns, as long as `n` is not a number (-1: for ever)."""

    def run(table: Run, you: int) -> Step:
        del you
        player = first
        while table.n != stops:
            table.note("turn")
            yield from in_turn(inner, table, player)
            player = (player + 1) % players

    where = f" where n != {stops}" if stops >= 0 else ""
    return Statement((f"turns from players[{first + 1}]{where}:", *indented(inner)), run)


def pick(name: str) -> Statement:
    """Chance counts `n` on."""

    def run(table: Run, you: int) -> Step:
        del you
        _, text = yield [(-1, "0"), (-1, "1"), (-1, "3")]
        table.n = (table.n + int(text)) % N
        yield from ()

    return Statement((f"pick {name} at random from {{0, 1, 3}}", f"n := (n + {name}) % {N}"), run)


def together(players: int, *, twice: bool) -> Statement:
    """All count `n` on at once, once or twice."""

    def run(table: Run, you: int) -> Step:
        del you
        left = dict.fromkeys(range(players), 2 if twice else 1)
        total = 0
        while any(left.values()):
            player, text = yield [(p, str(k)) for p, more in left.items() if more for k in range(2)]
            left[player] -= 1
            total += int(text)
            if any(left.values()):
                # What the others choose changes nothing on the table yet.
                continue
        table.n = (table.n + total) % N

    inner = ["    choose bid in 0..1", *(["    choose more in 0..1"] if twice else [])]
    asked = "bid[p] + more[p]" if twice else "bid[p]"
    return Statement(("together as p in players:", *inner, f"n := (n + sum({asked} for p in players)) % {N}"), run)


# ---------------------------------------------------------------- games by chance


class Maker:
    """Draws a game. Stages play only those that were drawn before them."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.players = 2 + self.below(2)
        self.actions: dict[str, Body] = {}
        self.stages: dict[str, Body] = {}
        self.names: Iterator[str] = (f"x{k}" for k in range(1000))

    def below(self, n: int) -> int:
        found: int = self.draw(st.integers(0, n - 1))
        return found

    def make(self) -> Made:
        for name in ("step", "leap")[: 1 + self.below(2)]:
            domain = tuple(range(1, 2 + self.below(2)))
            body = [add_head(), *(self.plain() for _ in range(self.below(2)))]
            body += [end("game", self.below(N))] if self.below(3) == 2 else []
            self.actions[name] = Body(name, tuple(body), domain)
        for name in ("round", "hand", "trick")[: self.below(4)]:
            takes = (0,) if self.below(2) else ()
            self.stages[name] = Body(name, self.block(name, 2), takes)
        self.stages["game"] = Body("game", (*self.block("game", 2), self.turn("game", 1)))
        return Made(self.players, self.stages, self.actions)

    def plain(self) -> Statement:
        return add("nm"[self.below(2)], self.below(4))

    def block(self, stage: str, room: int) -> tuple[Statement, ...]:
        return tuple(self.statement(stage, room) for _ in range(1 + self.below(3)))

    def statement(self, stage: str, room: int) -> Statement:
        makes: list[Callable[[], Statement]] = [
            self.asking,
            self.plain,
            lambda: together(self.players, twice=bool(self.below(2))),
            lambda: pick(next(self.names)),
            lambda: end((stage, "game")[self.below(2)], self.below(N)),
        ]
        if self.stages:
            one = list(self.stages.values())[self.below(len(self.stages))]
            makes.append(lambda: play(one, self.below(N)))
            makes.append(lambda: play(one, self.below(N)))
        if room:
            makes.append(lambda: self.turn(stage, room - 1))
            makes.append(lambda: repeat(2, self.block(stage, room - 1)))
        return makes[self.below(len(makes))]()

    def asking(self) -> Statement:
        return acting(self.below(2), self.asked())

    def asked(self) -> tuple[Statement, ...]:
        actions = tuple(self.actions.values())
        found = ask(actions if self.below(2) else actions[:1])
        if self.below(3) == 2:
            one = actions[self.below(len(actions))]
            return found, perform(one, one.takes[-1])
        return (found,)

    def turn(self, stage: str, room: int) -> Statement:
        stops = self.below(N + 1) - 1
        inner = (*self.asked(), *(self.block(stage, room) if self.below(2) else ()))
        return turns(self.players, self.below(2), stops, inner)


@st.composite
def games(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Made:
    """Games of nested stages, turns, choices at once, chance, and stages that end early."""
    return Maker(draw).make()
