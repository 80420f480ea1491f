"""Counting what play reaches in a game that is made for it.

A game made with a `Covering` has one more operation before each statement, at each option and at the beginning of each
body; conditions in its expressions are passed through a function that counts how they came out. Such an operation
counts and then does what follows it in the same step, so the machine takes as many steps as in the plain game, and the
same seed gives the same game. A game made without one has none of this.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Literal

from egodsl.engine.code import AT, CODE, Code, Frame
from egodsl.engine.folding import literal
from egodsl.engine.table import DECIDE
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from egodsl.engine.code import Op
    from egodsl.engine.state import State
    from egodsl.engine.values import Value

Way = Literal["run", "yes", "no"]
"""How a node is reached: it runs (is chosen, fires, is in force), or a condition comes out true or false."""


class Covering:
    """What play of one game reached: for each node of the rulebook and each way, how often.

    With `names_only` just the bodies are counted (stages, procedures, actions, triggers, abilities), which costs next
    to nothing. A game takes a `Covering` of its own, and so do not two games share one.
    """

    def __init__(self, *, names_only: bool = False) -> None:
        self.names_only = names_only
        self.choices: dict[tuple[int, int], int] = {}
        """For each decision among actions, by the number of its site and of the option: where the choice is counted."""
        self._counts: list[int] = []
        self._points: list[tuple[nodes.Node, Way]] = []
        self._at: dict[tuple[nodes.Node, Way], int] = {}
        self._owner: int | None = None
        self._settled: dict[int, set[int | None]] = {}
        self._passed: dict[str, tuple[int, str]] = {}
        self._begun: object = None

    # ------------------------------------------------------------ points

    def point(self, node: nodes.Node, way: Way = "run") -> int:
        """The number of a node and a way, made when it is first asked for."""
        found = self._at.get((node, way))
        if found is None:
            found = self._at[node, way] = len(self._points)
            self._points.append((node, way))
            self._counts.append(0)
        return found

    def _both(self, condition: nodes.Node) -> int:
        # Adjacent: false, then true.
        at = self.point(condition, "no")
        self.point(condition, "yes")
        return at

    def settle(self, point: int) -> None:
        """The settings alone decide that the point is reached: it is whenever what is compiled now is, or, if that is
        of no body, in every game.
        """
        if not self.names_only:
            self._settled.setdefault(point, set()).add(self._owner)

    @contextlib.contextmanager
    def within(self, point: int | None) -> Iterator[None]:
        """What is compiled meanwhile belongs to the point."""
        before, self._owner = self._owner, point
        try:
            yield
        finally:
            self._owner = before

    def offer(self, site: int, actions: list[nodes.Ident]) -> None:
        """A decision among actions: which of them is chosen is counted at their names in its list."""
        if not self.names_only:
            self.choices.update({(site, number): self.point(ident) for number, ident in enumerate(actions)})

    # ------------------------------------------------------------ operations

    def step(self, node: nodes.Node, way: Way = "run") -> Op:
        """The operation that counts the point, and then does the operation after it."""
        counts, point = self._counts, self.point(node, way)

        def op(state: State, frame: Frame) -> object:
            counts[point] += 1
            at = frame[AT]
            frame[AT] = at + 1
            return frame[CODE].ops[at](state, frame)

        return op

    def begin(self, code: Code) -> Op:
        """As `step`, for the beginning of the code's body: of an action, also where it was chosen, if it was."""
        assert code.decl is not None
        plain = self.step(code.decl)
        if code.kind != "action":
            return plain
        counts, choices = self._counts, self.choices

        def op(state: State, frame: Frame) -> object:
            # A chosen action begins right after its decision. One that is performed finds another entry there, or a
            # decision that has begun its action already.
            entry = state.log[1] if state.log is not None else None
            if entry is not None and entry[0] == DECIDE and entry is not self._begun:
                number = entry[3][0]
                point = choices.get((entry[2], number))
                if point is not None and state.game.sites[entry[2]].options[number].action is code:
                    self._begun = entry
                    counts[point] += 1
            return plain(state, frame)

        return op

    # ------------------------------------------------------------ sources

    def namespace(self) -> dict[str, Callable[..., Value]]:
        """What the sources made here call."""
        counts = self._counts

        def asked(point: int, value: Any) -> Any:
            counts[point + bool(value)] += 1
            return value

        def part(point: int, value: Any) -> Any:
            if not value:
                counts[point] += 1
            return value

        def passed(point: int, value: Any) -> Any:
            counts[point] += 1
            return value

        return {"asked": asked, "part": part, "passed": passed}

    def asked(self, condition: nodes.Node, source: str, *, last: bool = True) -> str:
        """The source of a condition, counted both ways. A part of a conjunction that is not the `last` counts only
        where it is false. What the settings decide stays as it is, so that it is folded as in the plain game.
        """
        if self.names_only:
            return source
        at = self._both(condition)
        known, value = literal(source)
        if not known:
            return f"{'asked' if last else 'part'}({at},{source})"
        if last or not value:
            self.settle(at + bool(value))
        return source

    def passed(self, node: nodes.Node, source: str) -> str:
        """The source of a value, counted whenever it is worked out."""
        if self.names_only:
            return source
        text = f"passed({self.point(node)},{source})"
        self._passed[text] = (self.point(node), source)
        return text

    def folded(self, source: str) -> str:
        """The literal that is the value in the plain game, if the source is a counted one of such; then it is settled
        that it is reached. Else the source.
        """
        point, value = self._passed.get(source, (0, ""))
        if not literal(value)[0]:
            return source
        self.settle(point)
        return value

    # ------------------------------------------------------------ counting

    def worked_out(self, made: Callable[[], Value]) -> str:
        """The source of a value that is worked out once, while the game is made. If it is a literal, which takes the
        place of its source, then what was reached for it is settled.
        """
        before = self._counts[:]
        source = repr(made())
        if literal(source)[0]:
            for point, count in enumerate(self._counts):
                if count != (before[point] if point < len(before) else 0):
                    self.settle(point)
        self._reset(before)
        return source

    def close(self) -> None:
        """The game is made: what was reached for that (components and ranges that are worked out) is in every game."""
        for point, count in enumerate(self._counts):
            if count:
                self.settle(point)
        self._reset([])

    def _reset(self, to: list[int]) -> None:
        # In place: operations hold the list.
        self._counts[:] = to + [0] * (len(self._counts) - len(to))

    @property
    def is_used(self) -> bool:
        """Whether anything of the game was played."""
        return any(self._counts)

    def counts(self) -> dict[tuple[nodes.Node, Way], int]:
        """How often each node was reached in each way; what was never compiled is not in it."""
        known: dict[int | None, int] = {None: int(self.is_used)}

        def total(point: int | None) -> int:
            if point not in known:
                assert point is not None
                known[point] = self._counts[point] + sum(map(total, self._settled.get(point, ())))
            return known[point]

        return {key: total(point) for point, key in enumerate(self._points)}

    @contextlib.contextmanager
    def aside(self) -> Iterator[Aside]:
        """What is done meanwhile is not play, such as trying a move out on a copy: it does not count, unless `keep` of
        what is given is called.
        """
        before, look = self._counts[:], Aside()
        try:
            yield look
        finally:
            if not look.kept:
                self._reset(before)


class Aside:
    """Something that is done on a copy."""

    def __init__(self) -> None:
        self.kept = False

    def keep(self) -> None:
        """It was play after all."""
        self.kept = True


@contextlib.contextmanager
def aside(covering: Covering | None) -> Iterator[Aside]:
    """As `Covering.aside`, also where nothing is counted."""
    if covering is None:
        yield Aside()
        return
    with covering.aside() as look:
        yield look
