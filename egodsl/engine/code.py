"""What a body is compiled into: a list of operations, each a function of the state and the frame.

A frame is a list: `[code, position, you, slots...]`. An operation may change the position (a jump), push or pop
frames, and returns True if the
machine must stop there (a decision, a chance event, the end). Nothing of a running game is held anywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import attrs

from egodsl.engine.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.analysis.types import Type
    from egodsl.engine.state import State
    from egodsl.source.span import Span
    from egodsl.syntax import nodes

    Op = Callable[[State, list[Any]], object]

Frame = list[Any]


class Probe(Protocol):
    """Watches a body. `frame` holds the parameters from `FIRST` on, and `you`."""

    def begun(self, state: State, frame: Frame) -> None:
        """The body is about to run: its parameters are given, the variables of a stage are set anew."""

    def ended(self, state: State, frame: Frame) -> None:
        """The body has run, or was ended from within; it is no longer on the stack."""


CODE, AT, YOU, FIRST = 0, 1, 2, 3


@attrs.define(eq=False)
class Code:
    """A compiled body. `live[at]` are the slots that may still be read when a frame is at `at`; `cards` those of them
    that may hold cards.
    """

    name: str
    kind: str
    """stage, procedure, action, reaction, condition, runs_out, announce, fire."""
    decl: nodes.Node | None
    index: int = -1
    ops: list[Op] = attrs.Factory(list)
    size: int = FIRST
    params: int = 0
    stage: int = -1
    resets: list[Callable[[State], None]] = attrs.Factory(list)
    live: list[tuple[int, ...]] = attrs.Factory(list)
    live_cards: list[tuple[int, ...]] = attrs.Factory(list)
    names: dict[int, str] = attrs.Factory(dict)
    """The author's names of the slots that have one."""
    kinds: dict[int, Type] = attrs.Factory(dict)
    """The types of the slots of which it is known."""
    together: dict[int, int] = attrs.Factory(dict)
    """Where each `together` begins, by the position at which it goes on when all have chosen."""
    probe: Probe | None = None
    """Who is told when the body begins and ends."""
    card_params: tuple[bool, ...] = ()
    """Of an announcement: which of the event's parameters may hold cards."""

    def frame(self, you: int | None, arguments: tuple[Value, ...] | list[Value]) -> Frame:
        """A new frame at the beginning, with its parameters."""
        made: Frame = [self, 0, you, *arguments]
        made.extend([None] * (self.size - len(made)))
        return made


@attrs.define(eq=False)
class Option:
    """One kind of move at a decision: an action, a labelled option, yes or no, or the choice itself."""

    label: str | None
    action: Code | None
    names: tuple[str, ...]
    types: tuple[Type, ...]
    slots: tuple[int, ...]
    enumerate: Any
    """Called with (S, F, moves, named): adds the option's raw moves."""
    at: int = -1
    span: Span | None = None


@attrs.define(eq=False)
class Site:
    """A place in the rules where a player decides. `live_cards`: slots of the frame that may hold cards and may be
    read after the decision.
    """

    index: int
    kind: str
    """choose, action, option or may."""
    span: Span
    options: list[Option]
    prose: str | None = None
    live_cards: tuple[int, ...] = ()
    unsure: bool = False
    """Whether the moves are worked out from faces that the chooser may not know."""


@attrs.define(eq=False)
class Draw:
    """A place in the rules where chance decides; the outcome goes into `slot` of the frame."""

    index: int
    what: str
    type: Type
    slot: int
    span: Span


@attrs.define(eq=False)
class Watch:
    """A `whenever` trigger. `value(S)` is the set of bindings for which the condition holds (`()` is the binding of a
    trigger without binders).
    """

    index: int
    code: Code
    stage: int
    mask: int
    value: Callable[[State], frozenset[tuple[Value, ...]]]


@attrs.define(eq=False)
class RunsOut:
    """A `when ... runs out` trigger: `bindings(S, slot)` gives the bindings for which the slot is the one meant."""

    code: Code
    stage: int
    bindings: Callable[[State, int], list[tuple[Value, ...]]]


@attrs.define(eq=False)
class Reaction:
    """An ability or trigger on an event: `applies(S, you, args)` is the head; `actors(S, you, args)` who does it, in
    no order (None: you).
    """

    code: Code
    applies: Callable[..., bool]
    actors: Callable[..., frozenset[int]] | None
    picks: tuple[int, ...]
    """Which of the event's arguments the body's parameters are."""


@attrs.define(eq=False)
class Event:
    """An event with what is declared on it, those without an actor first, each in order of declaration."""

    name: str
    index: int
    code: Code
    plain: list[Reaction] = attrs.Factory(list)
    acting: list[Reaction] = attrs.Factory(list)
