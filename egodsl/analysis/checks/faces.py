"""Which hidden faces an expression reads: where the cards it looks at lie, and whose they are.

A card is followed from the zone that it was taken from through bindings, sets, `let`s and defines. Its face is read
by a field, by a comparison with a face, and by the functions that go by a field. Cards whose origin is not known
(parameters, all cards of a type, what a statement made known) read nothing.
"""

from __future__ import annotations

from typing import Literal

import attrs

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.relations import element, plain
from egodsl.analysis.symbols import Builtin, Local
from egodsl.analysis.types import FaceType, PlayerType, Type
from egodsl.source.span import Span
from egodsl.syntax import nodes

Whose = Literal["yours", "other", "any", "nobody"]
"""Which player's, seen from `you`: yours, another's (at least among others), one that play decides, or nobody's."""

Hidden = nodes.ZoneDecl | nodes.VarDecl


@attrs.frozen
class Place:
    """A hidden zone or variable, and whose it is."""

    decl: Hidden
    whose: Whose


@attrs.frozen
class Read:
    """A face that is read, and where the text reads it."""

    place: Place
    span: Span


Origin = frozenset[Place]
_NOWHERE: Origin = frozenset()


@attrs.define(eq=False)
class Env:
    """What is known of the locals at a place: where cards come from, and which player, seen from `you`."""

    cards: dict[Local, Origin] = attrs.Factory(dict)
    players: dict[Local, Whose] = attrs.Factory(dict)

    def copy(self) -> Env:
        """Another that can go its own way."""
        return Env(dict(self.cards), dict(self.players))


class Faces:
    """Reads expressions of one program; what they read is collected by `reads`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._reads: list[Read] = []
        self._defines: dict[tuple[nodes.Node, tuple[tuple[Origin, Whose], ...]], tuple[Origin, list[Read]]] = {}
        self._open: set[nodes.Node] = set()

    def reads(self, expr: nodes.Expr, env: Env) -> list[Read]:
        """The hidden faces that evaluating the expression reads."""
        return self.origin_and_reads(expr, env)[1]

    def origin_and_reads(self, expr: nodes.Expr, env: Env) -> tuple[Origin, list[Read]]:
        """Where the cards that the expression gives lie, and the hidden faces that evaluating it reads."""
        before, self._reads = self._reads, []
        origin = self._scan(expr, env)
        found, self._reads = self._reads, before
        return origin, found

    # ------------------------------------------------------------ players

    def whose(self, expr: nodes.Expr, env: Env) -> Whose:
        """Which player an expression means, seen from `you`."""
        expr = self.meant(expr)
        ref = self.facts.ref(expr.name if isinstance(expr, nodes.Call) else expr)
        if isinstance(ref, Local):
            return env.players.get(ref, "any")
        if isinstance(ref, Builtin) and ref.name == "you":
            return "yours"
        if isinstance(ref, Builtin) and ref.name in {"left", "right"} and isinstance(expr, nodes.Call):
            first = self.whose(expr.arguments[0].value, env)
            return "other" if first == "yours" and len(expr.arguments) == 1 else "any"
        return "any"

    def meant(self, expr: nodes.Expr) -> nodes.Expr:
        """The expression without parentheses, and without a define that gives back what it is given."""
        while True:
            if isinstance(expr, nodes.Group):
                expr = expr.inner
                continue
            ref = self.facts.ref(expr.name) if isinstance(expr, nodes.Call) else None
            if not isinstance(ref, nodes.DefineDecl) or not isinstance(expr, nodes.Call) or ref.value is None:
                return expr
            given = [one.value for one in expr.arguments if one.name is None]
            names = [self.facts.ref(param.name) for param in ref.params]
            symbol = self.facts.ref(ref.value)
            if symbol is None or symbol not in names or names.index(symbol) >= len(given):
                return expr
            expr = given[names.index(symbol)]

    def among(self, domain: nodes.Expr, wheres: list[nodes.Where], env: Env) -> Whose:
        """Which players a domain goes through, seen from `you`: `other` if certainly another is among them."""
        given = self._players(domain, env)
        # Only players in general are narrowed by a `where`, and then anybody may be left.
        narrowed = any(self._equals(where.condition) for where in wheres)
        return "any" if narrowed else given

    def _players(self, domain: nodes.Expr, env: Env) -> Whose:
        if isinstance(domain, nodes.Group):
            return self._players(domain.inner, env)
        if isinstance(domain, nodes.Filter):
            return self.among(domain.domain, domain.wheres, env)
        ref = self.facts.ref(domain)
        if isinstance(ref, Builtin) and ref.name in {"players", "others"}:
            return "other"
        if isinstance(ref, nodes.DefineDecl) and ref.value is not None:
            return self._players(ref.value, env)
        return "any"

    def _equals(self, condition: nodes.Expr) -> bool:
        return any(isinstance(node, nodes.Compare) and node.operator in {"=", "in"} for node in nodes.walk(condition))

    # ------------------------------------------------------------ cards

    def _read(self, origin: Origin, span: Span) -> None:
        self._reads += [Read(place, span) for place in origin]

    def bind(self, ident: nodes.Ident, domain: nodes.Expr, wheres: list[nodes.Where], env: Env) -> None:
        """Note what a name that goes through a domain may be, and read the domain and the `where`s."""
        origin = self._scan(domain, env)
        for local in (self.facts.ref(ident), self.facts.checked.candidates.get(ident)):
            if isinstance(local, Local):
                env.cards[local] = origin
                if isinstance(plain(local.type), PlayerType):
                    env.players[local] = self.among(domain, wheres, env)
        for where in wheres:
            self._scan(where.condition, env)

    def head(self, bindings: list[nodes.Binding], env: Env) -> list[Read]:
        """Bind the head of a decision in `env`; gives the hidden faces that trying it reads."""
        before, self._reads = self._reads, []
        for binding in bindings:
            self.bind(binding.name, binding.domain, binding.wheres, env)
        found, self._reads = self._reads, before
        return found

    def _clauses(self, clauses: list[nodes.Clause], env: Env) -> Env:
        inner = env.copy()
        for clause in clauses:
            for ident in clause.names:
                self.bind(ident, clause.domain, [], inner)
                local = self.facts.ref(ident)
                if isinstance(local, Local) and isinstance(plain(local.type), PlayerType):
                    inner.players[local] = self.among(clause.domain, clause.wheres, inner)
            for where in clause.wheres:
                self._scan(where.condition, inner)
        return inner

    def _scan(self, expr: nodes.Expr, env: Env) -> Origin:
        match expr:
            case nodes.Name() | nodes.Index():
                return self._name(expr, env)
            case nodes.Group():
                return self._scan(expr.inner, env)
            case nodes.Attribute():
                return self._attribute(expr, env)
            case nodes.Call():
                return self._call(expr, env)
            case nodes.Compare():
                return self._compare(expr, env)
            case nodes.Comprehension():
                inner = self._clauses(expr.clauses, env)
                return self._scan(expr.element, inner)
            case nodes.Filter() | nodes.The():
                return self._selection(expr, env)
            case nodes.Conditional():
                self._scan(expr.condition, env)
                return self._scan(expr.then, env) | self._scan(expr.otherwise, env)
            case nodes.Binary(operator="without"):
                origin = self._scan(expr.left, env)
                self._scan(expr.right, env)
                return origin
            case _:
                found = _NOWHERE
                for child in nodes.children(expr):
                    if isinstance(child, nodes.Expr):
                        found |= self._scan(child, env)
                return found

    def _name(self, expr: nodes.Name | nodes.Index, env: Env) -> Origin:
        base: nodes.Expr = expr
        given: list[nodes.Expr] = []
        if isinstance(expr, nodes.Index):
            base, given = expr.target, expr.indices
            for index in given:
                self._scan(index, env)
        ref = self.facts.ref(base)
        if isinstance(ref, Local):
            return env.cards.get(ref, _NOWHERE)
        if isinstance(ref, nodes.DefineDecl):
            return self._define(ref, {}, env, expr.span)
        if not isinstance(ref, nodes.ZoneDecl | nodes.VarDecl):
            return self._scan(base, env) if base is not expr else _NOWHERE
        if ref.seen is None or ref.seen == "face up":
            return _NOWHERE
        if not ref.indexes or not isinstance(plain(self.facts.checked.declared[ref.indexes[0]]), PlayerType):
            whose: Whose = "nobody"
        else:
            whose = self.whose(given[0], env) if len(given) == len(ref.indexes) else "yours"
        place = Place(ref, whose)
        if isinstance(ref, nodes.VarDecl):
            self._read(frozenset({place}), expr.span)
            return _NOWHERE
        return frozenset({place})

    def _attribute(self, expr: nodes.Attribute, env: Env) -> Origin:
        if expr in self.facts.checked.refs:
            return _NOWHERE
        self._read(self._scan(expr.target, env), expr.span)
        return _NOWHERE

    def _selection(self, expr: nodes.Filter | nodes.The, env: Env) -> Origin:
        inner = env.copy()
        self.bind(expr.name, expr.domain, expr.wheres, inner)
        for key in expr.keys if isinstance(expr, nodes.The) else []:
            if key.value is not None:
                self._scan(key.value, inner)
        local = self.facts.ref(expr.name)
        return inner.cards.get(local, _NOWHERE) if isinstance(local, Local) else _NOWHERE

    def _compare(self, expr: nodes.Compare, env: Env) -> Origin:
        left, right = self._scan(expr.left, env), self._scan(expr.right, env)
        types = self.facts.checked.types
        if _has_face(types.get(expr.left)) or _has_face(types.get(expr.right)):
            self._read(left | right, expr.span)
        return _NOWHERE

    def _call(self, call: nodes.Call, env: Env) -> Origin:
        ref = self.facts.ref(call.name)
        if isinstance(ref, nodes.DefineDecl):
            given = {
                argument.name.name if argument.name is not None else ref.params[k].name.name: argument.value
                for k, argument in enumerate(call.arguments)
            }
            return self._define(ref, given, env, call.span)
        origins = [self._scan(argument.value, env) for argument in call.arguments]
        found: Origin = frozenset().union(*origins)
        if not isinstance(ref, Builtin):
            return _NOWHERE
        if ref.name in _BY_FACE:
            self._read(found, call.span)
        return found if ref.name in _PASSING else _NOWHERE

    def _define(self, decl: nodes.DefineDecl, given: dict[str, nodes.Expr], env: Env, span: Span) -> Origin:
        # The reads of a define are told once for each way in which its arguments are hidden, at the place of the call.
        inner = Env()
        key: list[tuple[Origin, Whose]] = []
        for param in decl.params:
            value = given.get(param.name.name)
            local = self.facts.ref(param.name)
            if value is None or not isinstance(local, Local):
                continue
            inner.cards[local] = self._scan(value, env)
            inner.players[local] = self.whose(value, env)
            key.append((inner.cards[local], inner.players[local]))
        known = self._defines.get((decl, tuple(key)))
        if known is None:
            if decl in self._open:
                return _NOWHERE
            self._open.add(decl)
            known = self._body(decl, inner)
            self._open.discard(decl)
            self._defines[decl, tuple(key)] = known
        for place in dict.fromkeys(read.place for read in known[1]):
            self._reads.append(Read(place, span))
        return known[0]

    def _body(self, decl: nodes.DefineDecl, env: Env) -> tuple[Origin, list[Read]]:
        before, self._reads = self._reads, []
        origin = self._scan(decl.value, env) if decl.value is not None else _NOWHERE
        for case in decl.cases:
            origin |= self._scan(case.value, env)
            if case.condition is not None:
                self._scan(case.condition, env)
        found, self._reads = self._reads, before
        return origin, found


_BY_FACE = {"same_face", "groups", "runs", "in_a_row"}
_PASSING = {"top", "bottom", "subsets", "groups", "runs", "packings", "joined", "last_of", "first_of", "most", "least"}


def _has_face(kind: Type | None) -> bool:
    while kind is not None:
        kind = plain(kind)
        if isinstance(kind, FaceType):
            return True
        inner = element(kind)
        if inner is kind:
            return False
        kind = inner
    return False
