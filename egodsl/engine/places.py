"""Zones, variables and marks as source: which slot an expression names, and what lies there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import EnumValue, LabelValue
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.layout import Family

from egodsl.engine.sources import Generator, Scope, plain


class Places(Generator):
    """Compiles what reads the table."""

    # ------------------------------------------------------------ places

    def zone_slot(self, expr: nodes.Expr, scope: Scope) -> str:
        """The source of the slot number of a zone expression (a Name, an Index of one, or a condition between two)."""
        if isinstance(expr, nodes.Group):
            return self.zone_slot(expr.inner, scope)
        if isinstance(expr, nodes.Conditional):
            then, other = self.zone_slot(expr.then, scope), self.zone_slot(expr.otherwise, scope)
            return f"({then} if {self.asked(expr.condition, scope)} else {other})"
        return self._slot(expr, scope, self.layout.zones)

    def own_slot(self, decl: nodes.VarDecl, scope: Scope) -> str:
        """The source of the slot of a variable written without an index."""
        return self._member(decl, self.layout.vars[decl], [], scope, self.place(decl))

    def var_slot(self, expr: nodes.Expr, scope: Scope) -> str:
        """The source of the slot number of a variable (a Name, an Index of one, or the mark of a card)."""
        if isinstance(expr, nodes.Attribute):
            card = self.some(expr.target, scope)
            return f"({self._mark_base(expr)}+{card})"
        return self._slot(expr, scope, self.layout.vars)

    def _mark_base(self, expr: nodes.Attribute) -> int:
        kind = plain(self.type_of(expr.target))
        assert isinstance(kind, t.CardType)
        base: int = self.card_type(kind.decl).marks[expr.name.name]
        return base

    def _slot(self, expr: nodes.Expr, scope: Scope, families: dict[nodes.Node, Family]) -> str:
        target, indices = (expr.target, expr.indices) if isinstance(expr, nodes.Index) else (expr, [])
        if isinstance(target, nodes.Group):
            target = target.inner
        decl = self.checked.refs[target]
        assert isinstance(decl, nodes.ZoneDecl | nodes.VarDecl)
        sources = [self.some(e, scope) for e in indices]
        return self._member(decl, families[decl], sources, scope, self.place(expr))

    def _member(
        self, decl: nodes.ZoneDecl | nodes.VarDecl, family: Family, sources: list[str], scope: Scope, place: str
    ) -> str:
        if len(sources) < len(family.domains):
            first = self.checked.declared[decl.indexes[0]]
            you = self.you(scope)
            sources.insert(0, you if isinstance(first, t.PlayerType) else f"TEAM_OF[{you}]")
        parts = [str(family.base)]
        for source, domain, stride, kind in zip(sources, family.domains, family.strides, decl.indexes, strict=True):
            # Only a number can lie outside its domain; the types of everything else keep it inside.
            may_miss = isinstance(self.checked.declared[kind], t.IntType)
            parts.append(_offset(source, domain, stride, place if may_miss else None, self.constant))
        return "+".join(p for p in parts if p != "0") or "0"

    def _zone(self, slot: str, decl: nodes.ZoneDecl) -> str:
        return f"(Z[{slot}] or NO_CARD)[0]" if decl.layout == "one" else f"Z[{slot}]"

    def _variable(self, slot: str, decl: nodes.VarDecl, expr: nodes.Expr) -> str:
        return f"V[{slot}]" if decl.initial is not None else f"written(V[{slot}],{self.place(expr)})"

    def _index(self, expr: nodes.Index, scope: Scope) -> str:
        target = expr.target.inner if isinstance(expr.target, nodes.Group) else expr.target
        ref = self.checked.refs.get(target)
        if isinstance(ref, nodes.ZoneDecl) and ref.indexes:
            return self._zone(self.zone_slot(expr, scope), ref)
        if isinstance(ref, nodes.VarDecl) and ref.indexes:
            return self._variable(self.var_slot(expr, scope), ref, expr)
        return f"item({self.some(expr.target, scope)},{self.some(expr.indices[0], scope)},{self.place(expr)})"

    def _attribute(self, expr: nodes.Attribute, scope: Scope) -> str:
        ref = self.checked.refs.get(expr) or self.checked.refs.get(expr.name)
        if isinstance(ref, EnumValue | LabelValue):
            return self.constant_source(ref)
        kind = plain(self.type_of(expr.target))
        assert isinstance(kind, t.CardType)
        card_type = self.card_type(kind.decl)
        card = self.some(expr.target, scope)
        if expr.name.name in card_type.marks:
            value = f"V[{card_type.marks[expr.name.name]}+{card}]"
            mark = next(m for m in kind.decl.marks if m.name.name == expr.name.name)
            return value if mark.initial is not None else f"written({value},{self.place(expr)})"
        return f"{self.constant(card_type.fields[expr.name.name])}[{card}]"


def _offset(
    source: str, domain: tuple[Any, ...], stride: int, place: str | None, constant: Callable[[object], str]
) -> str:
    first = domain[0]
    if source.lstrip("-").isdigit() and int(source) in domain:
        return str(domain.index(int(source)) * stride)
    if domain != tuple(range(first, first + len(domain))):
        at = f"position({constant(domain)},{source},{place})"
    else:
        at = source if first == 0 else f"({source}-{first})"
        if place is not None:
            at = f"within({at},{len(domain)},{place})"
    return at if stride == 1 else f"{at}*{stride}"
