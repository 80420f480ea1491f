"""Expressions of a scenario as functions of the state, and values as a scenario writes them.

A scenario calls the players A, B, C... from the one who decides first, whatever the seat; `first` is that seat.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.builtins import LETTERS
from egodsl.analysis.relations import plain
from egodsl.analysis.symbols import Builtin
from egodsl.engine.faults import Fault
from egodsl.engine.rng import below, derive
from egodsl.engine.sources import Scope
from egodsl.engine.values import UNSET, Face, Value, in_order_of_sets
from egodsl.syntax import nodes
from egodsl.verify.problems import faulty, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.code import Option
    from egodsl.engine.decisions import Raw
    from egodsl.engine.game import Game
    from egodsl.engine.state import State
    from egodsl.source.span import Span


class Reader:
    """Evaluates expressions and writes values for one game in which the player on seat `first` (from 0) is called A.

    `made` keeps what is compiled for the next reader of the same game; `seed` settles what has no order yet.
    """

    def __init__(self, game: Game, first: int, seed: int, made: dict[Any, Callable[..., Value]]) -> None:
        self.game = game
        self.first = first
        self.checked = game.checked
        self._seed = seed
        self._made = made

    # ------------------------------------------------------------ players

    def seat(self, ident: nodes.Ident) -> int:
        """The seat of the player whom a line names."""
        return (LETTERS.index(ident.name) + self.first) % self.game.players

    def letter(self, player: int) -> str:
        """What the scenario calls a seat."""
        return LETTERS[(player - self.first) % self.game.players]

    # ------------------------------------------------------------ values

    def value(self, expr: nodes.Expr, state: State, you: int | None) -> Value:
        """The value; `you` is who decides, None where nobody or several do. Raises ProblemError where a rule faults."""
        return self._read("value", expr, state, you, expr.span)

    def zone_slot(self, place: nodes.Expr, state: State, you: int | None) -> int:
        """The slot of the zone that is named."""
        slot: int = self._read("zone", place, state, you, place.span)
        return slot

    def var_slot(self, place: nodes.Expr, state: State, you: int | None) -> int:
        """The slot of the variable or mark that is named."""
        slot: int = self._read("variable", place, state, you, place.span)
        return slot

    def arguments(
        self, call: nodes.Call, params: list[nodes.Param], state: State, you: int | None
    ) -> tuple[Value, ...]:
        """The values of the arguments in order of the parameters, as a body keeps them."""
        e = self.game.linker.expressions
        names = [param.name.name for param in params]
        types = [self.checked.declared[param.type] for param in params]
        sources = e.arguments(call.arguments, names, types, Scope({}, "you", self.first))
        made = e.function("S,you", f"({''.join(source + ',' for source in sources)})", "scenario")
        try:
            values = made(settled(state, self._seed), you)
        except Fault as fault:
            raise faulty(fault, call.span) from fault
        return tuple(_kept(value, kind) for value, kind in zip(values, types, strict=True))

    def _read(self, what: str, expr: nodes.Expr, state: State, you: int | None, span: Span) -> Value:
        if you is None and self._needs_you(expr):
            raise problem(
                "EGO813",
                span,
                f"`{span.text}` asks for the player who decides, and no single player does here",
                help="name the player, as in `hand[A]`",
            )
        key = (what, expr, self.first)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._compile(what, expr)
        try:
            return made(settled(state, self._seed), you)
        except Fault as fault:
            raise faulty(fault, span) from fault

    def _compile(self, what: str, expr: nodes.Expr) -> Callable[..., Value]:
        e = self.game.linker.expressions
        scope = Scope({}, "you", self.first)
        make = {"value": e.source, "zone": e.zone_slot, "variable": e.var_slot}[what]
        return e.function("S,you", make(expr, scope), "scenario")

    def _needs_you(self, root: nodes.Node) -> bool:
        # A zone or variable by player that is written without one is yours.
        for node in nodes.walk(root):
            ref = self.checked.refs.get(node)
            if isinstance(ref, Builtin) and ref.name in {"you", "others"}:
                return True
            if isinstance(ref, nodes.DefineDecl) and ref in self.checked.needs_you:
                return True
            if isinstance(ref, nodes.ZoneDecl | nodes.VarDecl) and self._is_own(root, node, len(ref.indexes)):
                return True
        return False

    def _is_own(self, root: nodes.Node, name: nodes.Node, wanted: int) -> bool:
        given = 0
        for node in nodes.walk(root):
            if isinstance(node, nodes.Index) and node.target is name:
                given = len(node.indices)
        return given < wanted

    # ------------------------------------------------------------ texts

    def text(self, value: Value, kind: t.Type, state: State) -> str:
        """A value as a scenario names it: players by its letters."""
        if value is None or value is UNSET:
            return self.game.texts.value(value, kind, state)
        match kind:
            case t.OptionalType():
                return self.text(value, kind.inner, state)
            case t.PlayerType():
                return self.letter(value)
            case t.TeamType():
                return "+".join(sorted(map(self.letter, self.game.layout.seats_of(value))))
            case t.CardType() if isinstance(value, Face):
                return self.game.texts.face(value)
            case t.SetType() | t.RowType():
                members = in_order_of_sets(value) if isinstance(value, frozenset) else value
                inside = ", ".join(self.text(member, kind.inner, state) for member in members)
                return f"{{{inside}}}" if isinstance(kind, t.SetType) else f"[{inside}]"
            case t.TupleType():
                pairs = zip(value, kind.items, strict=True)
                return "(" + ", ".join(self.text(one, of, state) for one, of in pairs) + ")"
            case _:
                return self.game.texts.value(value, kind, state)

    def slot_text(self, slot: int) -> str:
        """A zone, as `hand[B]`."""
        place = self.game.layout.slots[slot]
        if place.decl is None:
            return "outside every zone"
        kinds = [self.checked.declared[node] for node in place.decl.indexes]
        name = place.decl.name.name
        if not kinds:
            return name
        words = (self._index_text(v, kind) for v, kind in zip(place.indexes, kinds, strict=True))
        return f"{name}[{', '.join(words)}]"

    def _index_text(self, value: Value, kind: t.Type) -> str:
        return self.letter(value) if isinstance(kind, t.PlayerType) else self.game.texts.value(value, kind)

    def move_text(self, state: State, option: Option, raw: Raw) -> str:
        """A move as a line of a scenario plays it."""
        chosen = [self._chosen(state, value, kind) for value, kind in zip(raw[1:], option.types, strict=True)]
        if option.action is not None:
            named = [f"{name}: {word}" for name, word in zip(option.names, chosen, strict=True)]
            return f"{option.label}({', '.join(named)})" if named else f"{option.label}"
        return ", ".join([f'"{option.label}"', *chosen] if option.label is not None else chosen)

    def _chosen(self, state: State, value: Value, kind: t.Type) -> str:
        if isinstance(kind, t.CardType) and value is not None:
            slot = state.L[value]
            if not self.game.layout.unordered[slot]:
                return f"{self.text(value, kind, state)} (number {state.Z[slot].index(value) + 1})"
        return self.text(value, kind, state)


def _kept(value: Value, kind: t.Type) -> Value:
    if value is None:
        return None
    kind = plain(kind)
    if isinstance(kind, t.SetType):
        return frozenset(value)
    return tuple(value) if isinstance(kind, t.RowType) else value


def settled(state: State, seed: int) -> State:
    """A copy in which shuffled piles have an order, drawn from the seed; the state itself where all have one."""
    # A shuffled pile has no order to be read: one is drawn, another under each seed of the scenario.
    if not any(state.loose):
        return state
    copy = state.clone()
    copy.Z[:] = _ordered(tuple(state.Z), tuple(state.loose), seed)
    return copy


@lru_cache(maxsize=256)
def _ordered(
    zones: tuple[tuple[int, ...], ...], loose: tuple[tuple[tuple[int, int], ...], ...], seed: int
) -> list[tuple[int, ...]]:
    rng = derive(seed, "order")
    found: list[tuple[int, ...]] = []
    for lying, stretches in zip(zones, loose, strict=True):
        cards = list(lying)
        for low, high in stretches:
            first, end = len(cards) - high, len(cards) - low
            for at in range(first, end - 1):
                k, rng = below(rng, end - at)
                cards[at], cards[at + k] = cards[at + k], cards[at]
        found.append(tuple(cards))
    return found
