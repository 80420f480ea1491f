"""The expressions of properties as functions of a position, the one before it, and what the property is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Local
from egodsl.engine.code import FIRST, YOU
from egodsl.engine.faults import Fault
from egodsl.engine.sources import Scope
from egodsl.engine.state import State
from egodsl.engine.values import UNSET
from egodsl.syntax import nodes
from egodsl.verify.expecting import why_not
from egodsl.verify.orders import settled_before
from egodsl.verify.problems import faulty
from egodsl.verify.reader import settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from egodsl.engine.code import Frame
    from egodsl.engine.game import Game
    from egodsl.engine.values import Value

_NO_FRAME: list[Any] = []


@attrs.frozen(eq=False)
class Bound:
    """What one instance of a property is for: the values of its `for`s, from the outermost."""

    values: tuple[Value, ...]
    idents: tuple[nodes.Ident, ...]

    def words(self, game: Game) -> str:
        """As `p = A, c = 3 of hearts`; empty without a `for`."""
        parts = []
        for ident, value in zip(self.idents, self.values, strict=True):
            local = game.checked.refs[ident]
            assert isinstance(local, Local)
            parts.append(f"{ident.name} = {game.texts.value(value, local.type)}")
        return ", ".join(parts)


class Claimed:
    """The claim of one declared property, compiled for one game."""

    def __init__(self, game: Game, decl: nodes.PropertyDecl) -> None:
        self.game = game
        self.decl = decl
        self.idents: tuple[nodes.Ident, ...] = ()
        self._names: dict[Local, str] = {}
        self._you: str | None = None
        self._made: dict[nodes.Expr, tuple[Callable[..., Value], bool]] = {}
        claim = decl.claim
        self._clauses: list[nodes.Clause] = []
        while isinstance(claim, nodes.ForClaim):
            self._clauses.append(claim.binder)
            self.idents += (claim.binder.names[0],)
            claim = claim.claim
        self.claim = claim
        for k, ident in enumerate(self.idents):
            self._names[self._local(ident)] = f"b{k}"
        if isinstance(claim, nodes.AfterClaim):
            self._take_head(claim)
        elif isinstance(claim, nodes.SeenClaim):
            self._you = "you"

    def _local(self, ident: nodes.Ident) -> Local:
        local = self.game.checked.refs[ident]
        assert isinstance(local, Local)
        return local

    def _take_head(self, claim: nodes.AfterClaim) -> None:
        # What the head of the action or the stage binds stands in the first slots of its frame.
        decl = self.game.checked.refs[claim.what]
        assert isinstance(decl, nodes.ActionDecl | nodes.StageDecl)
        if isinstance(decl, nodes.ActionDecl):
            idents = [one.name for one in decl.bindings]
        else:
            idents = [one.name for one in decl.params]
        for k, ident in enumerate(idents):
            local = self.game.checked.refs[ident]
            if isinstance(local, Local):
                self._names[local] = f"F[{FIRST + k}]"
        self._you = f"F[{YOU}]"

    # ------------------------------------------------------------ instances

    def instances(self) -> list[Bound]:
        """What the property is for, one after another; one without values where there is no `for`."""
        table = State(self.game, None)
        return [Bound(values, self.idents) for values in self._products(table, ())]

    def _products(self, table: State, values: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        depth = len(values)
        if depth == len(self._clauses):
            yield values
            return
        clause = self._clauses[depth]
        names = dict(list(self._names.items())[:depth])
        e = self.game.linker.expressions
        source = e.candidates(clause.names[0], clause.domain, clause.wheres, Scope(names, None))
        made = e.function(",".join(["S", *(f"b{k}" for k in range(depth))]), source, "domain")
        for value in made(table, *values):
            yield from self._products(table, (*values, value))

    # ------------------------------------------------------------ values

    def value(
        self,
        expr: nodes.Expr,
        state: State,
        before: State | None,
        bound: Bound,
        frame: Frame = _NO_FRAME,
        you: int = -1,
    ) -> Value:
        """The value of an expression of the claim. `frame`: that of the action or stage; `you`: who sees.

        Where it reads an order of cards that nothing has settled, one is drawn, always the same: before in a way that
        goes with what was drawn since. Raises Fault.
        """
        made, ordered = self._made.get(expr) or self._compile(expr)
        if ordered:
            now = settled(state, 0)
            before = settled_before(before, now) if before is not None else None
            state = now
        return made(state, state if before is None else before, frame, you, *bound.values)

    def _compile(self, expr: nodes.Expr) -> tuple[Callable[..., Value], bool]:
        e = self.game.linker.expressions
        args = ["S", "B", "F", "you", *(f"b{k}" for k in range(len(self.idents)))]
        made = e.function(",".join(args), e.source(expr, Scope(self._names, self._you)), "claim")
        self._made[expr] = made, self._reads_order(expr)
        return self._made[expr]

    @property
    def compares_orders(self) -> bool:
        """Whether it asks for the order of a pile and for what was before."""
        nodes_ = list(nodes.walk(self.claim))
        asks = any(isinstance(node, nodes.Call) and node.name.name == "old" for node in nodes_)
        return asks and self._reads_order(self.claim)

    def _reads_order(self, root: nodes.Node) -> bool:
        """Whether a pile is asked for more than how many cards lie there."""
        seen: set[nodes.Node] = set()
        open_ = [root]
        while open_:
            node = open_.pop()
            if isinstance(node, nodes.Call) and node.name.name in {"count", "empty"} and _is_plain(node):
                continue
            ref = self.game.checked.refs.get(node)
            if isinstance(ref, nodes.ZoneDecl) and ref.layout in {"stack", "row"}:
                return True
            if isinstance(ref, nodes.DefineDecl) and ref not in seen:
                seen.add(ref)
                open_.append(ref)
            open_.extend(nodes.children(node))
        return False

    # ------------------------------------------------------------ words

    def why_not(
        self, expr: nodes.Expr, state: State, before: State | None, bound: Bound, frame: Frame = _NO_FRAME
    ) -> list[str]:
        """The values on which a condition hangs that does not hold."""
        return why_not(_Reading(self, before, bound, frame), expr, state, None)


def _is_plain(call: nodes.Call) -> bool:
    return all(isinstance(one.value, nodes.Name | nodes.Index) for one in call.arguments)


class _Reading:
    """Reads the parts of a condition, so that a failure can be told."""

    def __init__(self, claimed: Claimed, before: State | None, bound: Bound, frame: Frame) -> None:
        self.checked = claimed.game.checked
        self._claimed = claimed
        self._before = before
        self._bound = bound
        self._frame = frame

    def value(self, expr: nodes.Expr, state: State, you: int | None) -> Value:
        del you
        try:
            return self._claimed.value(expr, state, self._before, self._bound, self._frame)
        except Fault as fault:
            raise faulty(fault, expr.span) from fault

    def text(self, value: Value, kind: t.Type, state: State) -> str:
        return self._claimed.game.texts.value(value, kind, state)


def face_key(state: State, value: Value, kind: t.Type) -> Value:
    """A value by what is to be seen of it: cards by their faces and marks."""
    if value is None or value is UNSET:
        return None
    match kind:
        case t.OptionalType():
            return face_key(state, value, kind.inner)
        case t.CardType():
            layout = state.game.layout
            marks = layout.types[layout.card_type[value]].marks.values()
            return (layout.face[value], tuple(state.V[base + value] for base in marks))
        case t.SetType():
            return tuple(sorted((face_key(state, one, kind.inner) for one in value), key=repr))
        case t.RowType():
            return tuple(face_key(state, one, kind.inner) for one in value)
        case t.TupleType():
            return tuple(face_key(state, one, of) for one, of in zip(value, kind.items, strict=True))
        case _:
            return value


def offered(state: State) -> set[Value]:
    """The moves of the player who decides, by what that player could tell apart at most: cards in a set by their faces,
    others by where they lie. Far cheaper than their texts, and different wherever those are.
    """
    site = state.site
    assert site is not None
    types = [option.types for option in site.options]
    return {
        (raw[0], *(_place_key(state, value, kind) for value, kind in zip(raw[1:], types[raw[0]], strict=True)))
        for raw in state.moves
    }


def _place_key(state: State, value: Value, kind: t.Type) -> Value:
    if value is None:
        return None
    match kind:
        case t.OptionalType():
            return _place_key(state, value, kind.inner)
        case t.CardType():
            layout, slot = state.game.layout, state.L[value]
            return (slot, layout.face[value]) if layout.unordered[slot] else (slot, -1 - state.Z[slot].index(value))
        case t.SetType():
            return tuple(sorted((_place_key(state, one, kind.inner) for one in value), key=repr))
        case t.RowType():
            return tuple(_place_key(state, one, kind.inner) for one in value)
        case t.TupleType():
            return tuple(_place_key(state, one, of) for one, of in zip(value, kind.items, strict=True))
        case _:
            return value
