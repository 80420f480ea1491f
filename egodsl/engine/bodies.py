"""Compiling a body: slots for its names, operations with jumps, and which slots are still needed where."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Local
from egodsl.engine.code import FIRST, Code
from egodsl.engine.expressions import Expressions
from egodsl.engine.machine import finish
from egodsl.engine.sources import Scope
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from egodsl.engine.code import Draw, Op, Site
    from egodsl.engine.covering import Way
    from egodsl.engine.program import Linker


@attrs.define(eq=False)
class Label:
    """A position that a jump goes to; set when it is reached."""

    at: int = -1


@attrs.define(eq=False)
class _Flow:
    reads: frozenset[int]
    writes: frozenset[int]
    to: tuple[Label, ...]
    falls: bool


class Body:
    """Compiles one body into its Code. Statement compilers (see `statements`) call `emit` and its helpers."""

    def __init__(self, linker: Linker, code: Code) -> None:
        self.linker = linker
        self.code = code
        self.e: Expressions = linker.expressions
        self.slots: dict[Local, int] = {}
        self.unsure: set[Local] = set()
        """Names bound in a block that play may not have come through: reading one asks whether it has a value."""
        self.actor: Local | None = None
        """The name of an `as` that `you` is the same player as, where what is compiled now is inside of one."""
        self._flow: list[_Flow] = []
        self._card_slots: set[int] = set()
        self._sites: list[tuple[int, Site, list[Label]]] = []

    # ------------------------------------------------------------ names

    def slot(self, local: Local) -> int:
        """The slot of a local name, made when it is first met."""
        found = self.slots.get(local)
        if found is None:
            found = self.temporary(local.type)
            self.slots[local] = found
            self.code.names[found] = local.name
        return found

    def temporary(self, kind: t.Type | None = None) -> int:
        """A slot for the machine's own use, or for a value of the type."""
        slot = self.code.size
        self.code.size += 1
        if kind is not None:
            self.code.kinds[slot] = kind
            if holds_cards(kind):
                self._card_slots.add(slot)
        return slot

    def local(self, ident: nodes.Ident) -> int:
        """The slot of what the ident binds."""
        ref = self.e.checked.refs[ident]
        assert isinstance(ref, Local)
        self.unsure.discard(ref)
        return self.slot(ref)

    def scope(self, you: str = "F[2]") -> Scope:
        """The names of the body as generated code reads them from the frame."""
        return Scope({local: self._read(local, slot) for local, slot in self.slots.items()}, you)

    def _read(self, local: Local, slot: int) -> str:
        if local not in self.unsure or isinstance(local.type, t.OptionalType):
            return f"F[{slot}]"
        return f"bound(F[{slot}],{self.e.place(local.ident)})"

    def used(self, scope: Scope) -> frozenset[int]:
        return frozenset(self.slots[local] for local in scope.used if local in self.slots)

    @contextlib.contextmanager
    def acting(self, actor: Local | None) -> Iterator[None]:
        """In what is compiled meanwhile `you` is the player whom this name of an `as` means, or somebody else."""
        before, self.actor = self.actor, actor
        try:
            yield
        finally:
            self.actor = before

    # ------------------------------------------------------------ expressions

    def value(self, expr: nodes.Expr, *, some: bool = True) -> tuple[Callable[..., Any], frozenset[int]]:
        """A function of (S, F) for the value, and the slots it reads."""
        scope = self.scope()
        source = self.stored(expr, scope) if not some else self.e.some(expr, scope)
        return self.e.function("S,F", source), self.used(scope)

    def stored(self, expr: nodes.Expr, scope: Scope) -> str:
        """The source of a value that will be kept: sets as frozensets, rows as tuples."""
        source = self.e.source(expr, scope)
        kind = self.e.type_of(expr)
        if isinstance(kind, t.SetType) and not isinstance(kind.inner, t.FaceType):
            return f"frozenset({source})"
        return f"tuple({source})" if isinstance(kind, t.RowType) else source

    def made(self, make: Callable[[Scope], str]) -> tuple[Callable[..., Any], frozenset[int]]:
        """A function of (S, F) for a source, and the slots it reads."""
        scope = self.scope()
        source = make(scope)
        return self.e.function("S,F", source), self.used(scope)

    def values(self, call: nodes.Call, params: list[nodes.Param]) -> tuple[Callable[..., Any], frozenset[int]]:
        """A function of (S, F) for the tuple of the arguments in order of the parameters."""
        scope = self.scope()
        declared = [self.e.checked.declared[p.type] for p in params]
        sources = self.e.arguments(call.arguments, [p.name.name for p in params], declared, scope)
        kept = [_kept(source, kind) for source, kind in zip(sources, declared, strict=True)]
        return self.e.function("S,F", f"({''.join(k + ',' for k in kept)})"), self.used(scope)

    # ------------------------------------------------------------ operations

    def emit(
        self,
        op: Op,
        *,
        reads: Iterable[int] = (),
        writes: Iterable[int] = (),
        to: Iterable[Label] = (),
        falls: bool = True,
    ) -> int:
        """Add an operation. `to`: where it may jump; `falls`: whether it may go on to the next."""
        self.code.ops.append(op)
        self._flow.append(_Flow(frozenset(reads), frozenset(writes), tuple(to), falls))
        return len(self.code.ops) - 1

    def count(self, node: nodes.Node, way: Way = "run") -> None:
        """Play that comes here reaches the node: counted in a game that counts what is reached."""
        covering = self.linker.covering
        if covering is not None and not covering.names_only:
            self.emit(covering.step(node, way))

    def mark(self, label: Label) -> None:
        """The label is here."""
        label.at = len(self.code.ops)

    def jump(self, label: Label) -> None:
        """Go to the label."""

        def op(state: Any, frame: list[Any]) -> None:
            del state
            frame[1] = label.at

        self.emit(op, to=[label], falls=False)

    def site(self, site: Site, entries: list[Label]) -> None:
        """Note that the operation just emitted is a decision with these continuations."""
        self._sites.append((len(self.code.ops) - 1, site, entries))

    def draw_site(self, what: str, kind: t.Type, slot: int, node: nodes.Node) -> Draw:
        """A place where chance decides, numbered in the game."""
        if holds_cards(kind):
            self._card_slots.add(slot)
        return self.linker.draw_site(what, kind, slot, node.span)

    # ------------------------------------------------------------ the end

    def close(self) -> Code:
        """End the body, resolve what is live where, and give the code."""
        self.emit(finish, falls=False)
        live = self._liveness()
        cards = self._card_slots
        self.code.live = [tuple(sorted(s)) for s in live]
        self.code.live_cards = [tuple(sorted(s & cards)) for s in live]
        for at, site, entries in self._sites:
            after: set[int] = set(live[at + 1]) if self._flow[at].falls else set()
            for option, entry in zip(site.options, entries, strict=True):
                after |= live[entry.at] - set(option.slots)
            site.live_cards = tuple(sorted(after & cards))
            for option, entry in zip(site.options, entries, strict=True):
                option.at = entry.at
        return self.code

    def _liveness(self) -> list[set[int]]:
        # Backwards to a fixed point: a slot is live where it may be read before it is written.
        # A decision writes the slots of the option that is chosen, on the way to its entry.
        flow = self._flow
        chosen = {
            (at, entry): frozenset(option.slots)
            for at, site, entries in self._sites
            for option, entry in zip(site.options, entries, strict=True)
        }
        live: list[set[int]] = [set() for _ in range(len(flow) + 1)]
        changed = True
        while changed:
            changed = False
            for at in range(len(flow) - 1, -1, -1):
                step = flow[at]
                after: set[int] = set(live[at + 1]) if step.falls else set()
                for label in step.to:
                    after |= live[label.at] - chosen.get((at, label), frozenset())
                now = (after - step.writes) | step.reads
                if now != live[at]:
                    live[at] = now
                    changed = True
        return live


def holds_cards(kind: t.Type) -> bool:
    """Whether a value of the type may hold a card."""
    match kind:
        case t.CardType():
            return True
        case t.OptionalType() | t.SetType() | t.RowType():
            return holds_cards(kind.inner)
        case t.TupleType():
            return any(map(holds_cards, kind.items))
        case _:
            return False


def _kept(source: str, kind: t.Type) -> str:
    if isinstance(kind, t.SetType):
        return f"frozenset({source})"
    return f"tuple({source})" if isinstance(kind, t.RowType) else source


def parameters(body: Body, idents: Iterable[nodes.Ident]) -> None:
    """Give the parameters of the body its first slots, in order."""
    for ident in idents:
        body.local(ident)
    body.code.params = body.code.size - FIRST
