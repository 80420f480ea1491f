"""The built-in functions as source: one entry for each function that `egodsl.analysis.builtins` lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Local
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.expressions import Expressions
    from egodsl.engine.sources import Scope

    Maker = Callable[[Expressions, nodes.Call, Scope], str]


def _values(e: Expressions, call: nodes.Call, scope: Scope) -> list[str]:
    return [e.some(a.value, scope) for a in call.arguments]


def _only(call: nodes.Call) -> nodes.Expr:
    return call.arguments[0].value


def _count(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    argument = _only(call)
    if isinstance(argument, nodes.Comprehension) and argument.kind == "argument":
        return f"len({_generated(e, call, scope)})"
    return f"len({_whole(e, _only(call), scope)})"


def _whole(e: Expressions, expr: nodes.Expr, scope: Scope) -> str:
    # A `one` zone is asked as a zone here, not as its card.
    slot = one_zone(e, expr, scope)
    return f"Z[{slot}]" if slot is not None else e.some(expr, scope)


def one_zone(e: Expressions, expr: nodes.Expr, scope: Scope) -> str | None:
    """The slot of the zone that the expression names, if it is a `one` zone."""
    target = expr.target if isinstance(expr, nodes.Index) else expr
    ref = e.checked.refs.get(target)
    if isinstance(ref, nodes.ZoneDecl) and ref.layout == "one":
        return e.zone_slot(expr, scope)
    return None


def _empty(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"(not {_whole(e, _only(call), scope)})"


def _sum(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"sum({_generated(e, call, scope)})"


def _generated(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    # The elements one by one, without building a collection where the argument is a comprehension.
    argument = _only(call)
    if not isinstance(argument, nodes.Comprehension) or argument.kind == "set":
        return e.some(argument, scope)
    inner = scope.inner()
    clauses = e.clauses(argument.clauses, inner, ordered=not e.is_sure(argument, scope))
    return f"[{e.some(argument.element, inner)}{clauses}]"


def _quantifier(name: str) -> Maker:
    def make(e: Expressions, call: nodes.Call, scope: Scope) -> str:
        argument = _only(call)
        if isinstance(argument, nodes.Comprehension):
            spread = _spread(e, argument, scope)
            if spread is not None:
                return "(" + (" or " if name == "any" else " and ").join(spread) + ")"
            inner = scope.inner()
            clauses = e.clauses(argument.clauses, inner, ordered=not e.is_sure(argument, scope))
            return f"{name}({e.some(argument.element, inner)}{clauses})"
        return f"{name}({e.some(argument, scope)})"

    return make


def _spread(e: Expressions, comprehension: nodes.Comprehension, scope: Scope) -> list[str] | None:
    # `any(... for p in players)`: the players are known, so the loop is written out.
    clause = comprehension.clauses[0]
    ref = e.checked.refs.get(clause.domain)
    if len(comprehension.clauses) != 1 or clause.wheres or getattr(ref, "name", None) != "players":
        return None
    made = []
    for player in range(e.layout.players):
        inner = scope.inner()
        local = e.checked.refs[clause.names[0]]
        assert isinstance(local, Local)
        inner.names[local] = str(player)
        made.append(e.some(comprehension.element, inner))
    return made


def _extreme(*, biggest: bool) -> Maker:
    return lambda e, call, scope: f"extreme({_generated(e, call, scope)},{int(biggest)},{e.place(call)})"


def _plain(name: str) -> Maker:
    return lambda e, call, scope: f"{name}({','.join(_values(e, call, scope))})"


def _end(name: str) -> Maker:
    return lambda e, call, scope: f"{name}({e.some(_only(call), scope)},{e.place(call)})"


def _around(sign: str) -> Maker:
    def make(e: Expressions, call: nodes.Call, scope: Scope) -> str:
        player, *distance = _values(e, call, scope)
        return f"(({player}{sign}{distance[0] if distance else 1})%N)"

    return make


def _steps(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    a, b = _values(e, call, scope)
    return f"(({b}-{a})%N)"


def _seat(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"({_values(e, call, scope)[0]}+1)"


def _partner(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"(({_values(e, call, scope)[0]}+{e.layout.teams})%N)"


def _team(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"TEAM_OF[{_values(e, call, scope)[0]}]"


def _members(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"SEATS_OF[{_values(e, call, scope)[0]}]"


def _opponents(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    return f"(1-{_values(e, call, scope)[0]})"


def _same_face(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    a, b = _values(e, call, scope)
    kind = e.type_of(_only(call))
    kind = kind.inner if isinstance(kind, t.OptionalType) else kind
    marks = e.card_type(kind.decl).marks.values() if isinstance(kind, t.CardType) else []
    same = [f"FACE[{a}]==FACE[{b}]", *(f"V[{base}+{a}]==V[{base}+{b}]" for base in marks)]
    return "(" + " and ".join(same) + ")"


def _keyed(e: Expressions, call: nodes.Call, scope: Scope, name: str, positional: int) -> str:
    made = []
    for argument in call.arguments:
        value = argument.value
        source = _key(e, value, call) if isinstance(value, nodes.Key) else e.some(value, scope)
        made.append(source if argument.name is None else f"{argument.name.name}={source}")
    assert len(made) >= positional
    return f"{name}({','.join(made)})"


def _key(e: Expressions, key: nodes.Key, call: nodes.Call) -> str:
    kind = e.type_of(_only(call))
    inner = kind.inner if isinstance(kind, t.SetType | t.RowType) else kind
    if not isinstance(inner, t.CardType):
        return "int"
    card_type = e.card_type(inner.decl)
    if key.name.name in card_type.marks:
        return f"(lambda c:written(V[{card_type.marks[key.name.name]}+c],{e.place(call)}))"
    return f"{e.constant(card_type.fields[key.name.name])}.__getitem__"


def _last_of(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    row, n = _values(e, call, scope)
    return f"last_of({row},{n})"


def _first_of(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    row, n = _values(e, call, scope)
    return f"tuple({row})[:max(0,{n})]"


def _old(e: Expressions, call: nodes.Call, scope: Scope) -> str:
    # Functions of properties have the state of before as `B`; defines that are called get it as their `S`.
    return f"(lambda S,Z,V,L:{e.source(_only(call), scope)})(B,B.Z,B.V,B.L)"


FUNCTIONS: dict[str, Maker] = {
    "count": _count,
    "empty": _empty,
    "sum": _sum,
    "most": _extreme(biggest=True),
    "least": _extreme(biggest=False),
    "any": _quantifier("any"),
    "all": _quantifier("all"),
    "min": _plain("min"),
    "max": _plain("max"),
    "abs": _plain("abs"),
    "top": _end("first_card"),
    "bottom": _end("last_card"),
    "left": _around("+"),
    "right": _around("-"),
    "steps": _steps,
    "seat": _seat,
    "partner": _partner,
    "team": _team,
    "members": _members,
    "opponents": _opponents,
    "same_face": _same_face,
    "subsets": _plain("subsets"),
    "groups": lambda e, call, scope: _keyed(e, call, scope, "groups", 3),
    "runs": lambda e, call, scope: _keyed(e, call, scope, "runs", 3),
    "packings": _plain("packings"),
    "joined": _plain("joined"),
    "old": _old,
    "last_of": _last_of,
    "first_of": _first_of,
    "in_a_row": lambda e, call, scope: _keyed(e, call, scope, "in_a_row", 2),
}
