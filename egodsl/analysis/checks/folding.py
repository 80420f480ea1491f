"""What an expression is worth before play: exactly, or within bounds, or not at all.

Proven is only what holds whatever happens in play: variables and counts are known by the bounds of their types, cards
and players not at all. Values that play decides come out as `UNKNOWN`, never as a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

import attrs

from egodsl.analysis.relations import arithmetic
from egodsl.analysis.symbols import Builtin, Checked, EnumValue, LabelValue, Local
from egodsl.analysis.types import IntType
from egodsl.syntax import nodes

MOST_MEMBERS = 20_000
"""How many members of a domain are gone through, in all, before an expression counts as unknown."""


@attrs.frozen
class Unknown:
    """Play decides it."""


@attrs.frozen
class Between:
    """A whole number from `low` to `high`."""

    low: int
    high: int


@attrs.frozen
class Member:
    """A value of an enum or an answer of a reading."""

    name: str


@attrs.frozen
class Seat:
    """A player, counted from 0."""

    number: int


UNKNOWN: Final = Unknown()

Value = int | bool | Between | Member | Seat | frozenset["Value"] | tuple["Value", ...] | Unknown | None
Env = dict[Local, Value]
Setting = nodes.ModeDecl | nodes.ReadingDecl | nodes.ParameterDecl


class _TooManyError(Exception):
    """The work grew beyond what is worth its while."""


@attrs.define(eq=False)
class Folder:
    """Folds the expressions of one program under settings.

    `settings` gives modes, readings and parameters their values, `players` is their number (None: whatever it is).
    """

    checked: Checked
    settings: Mapping[Setting, Value] = attrs.Factory(dict)
    players: int | None = None
    _left: int = MOST_MEMBERS

    def fold(self, expr: nodes.Expr, env: Env | None = None) -> Value:
        """The value of an expression, as far as it is known before play."""
        self._left = MOST_MEMBERS
        try:
            return self._fold(expr, {} if env is None else env)
        except _TooManyError:
            return UNKNOWN

    def truth(self, expr: nodes.Expr, env: Env | None = None) -> bool | None:
        """Whether a condition certainly holds, certainly does not, or (None) depends on play."""
        value = self.fold(expr, env)
        return value if isinstance(value, bool) else None

    def environments(self, clauses: list[nodes.Clause], env: Env | None = None) -> list[Env] | None:
        """The values that the names of clauses go through; None if play decides which."""
        self._left = MOST_MEMBERS
        try:
            return list(self._environments(clauses, {} if env is None else env))
        except (_TooManyError, _OpenError):
            return None

    # ------------------------------------------------------------ one rule for each kind

    def _fold(self, expr: nodes.Expr, env: Env) -> Value:
        rule = self._rules.get(type(expr))
        value = rule(self, expr, env) if rule is not None else UNKNOWN
        return self._bounded(expr) if isinstance(value, Unknown) else value

    def _bounded(self, expr: nodes.Expr) -> Value:
        kind = self.checked.types.get(expr)
        return Between(kind.low, kind.high) if isinstance(kind, IntType) else UNKNOWN

    def _members(self, expr: nodes.Expr, env: Env) -> tuple[Value, ...]:
        value = self._fold(expr, env)
        if not isinstance(value, tuple | frozenset):
            raise _OpenError
        self._left -= len(value)
        if self._left < 0:
            raise _TooManyError
        return tuple(value)

    def _environments(self, clauses: list[nodes.Clause], env: Env) -> Iterator[Env]:
        if not clauses:
            yield env
            return
        clause, rest = clauses[0], clauses[1:]
        for member in self._members(clause.domain, env):
            inner = dict(env)
            parts = member if len(clause.names) > 1 and isinstance(member, tuple) else (member,)
            for ident, part in zip(clause.names, parts, strict=True):
                local = self.checked.refs.get(ident)
                if isinstance(local, Local):
                    inner[local] = part
            if self._wheres(clause.wheres, inner):
                yield from self._environments(rest, inner)

    def _wheres(self, wheres: list[nodes.Where], env: Env) -> bool:
        holds = True
        for where in wheres:
            value = self._fold(where.condition, env)
            if not isinstance(value, bool) or where.if_able:
                raise _OpenError
            holds = holds and value
        return holds

    def _range_type(self, node: nodes.RangeType) -> Value:
        high = self._fold(node.high, {}) if node.high is not None else UNKNOWN
        return self._range(self._fold(node.low, {}), high)

    def _range(self, low: Value, high: Value) -> Value:
        bottom, peak = _interval(low), _interval(high)
        if bottom is None or peak is None:
            return UNKNOWN
        if bottom.low > peak.high:
            return ()
        if bottom.low != bottom.high or peak.low != peak.high or peak.high - bottom.low >= MOST_MEMBERS:
            return UNKNOWN
        return tuple(range(bottom.low, peak.high + 1))

    def _symbol(self, node: nodes.Node, env: Env) -> Value:
        match self.checked.refs.get(node):
            case Local() as local:
                return env.get(local, UNKNOWN)
            case EnumValue(name=name):
                return Member(name)
            case LabelValue(label=label):
                return self._fold(label.value, {})
            case nodes.ModeDecl() | nodes.ReadingDecl() | nodes.ParameterDecl() as setting:
                return self.settings.get(setting, UNKNOWN)
            case nodes.EnumDecl() as enum:
                return tuple(
                    Member(one.name) for one in self.checked.values.get(enum, ()) if isinstance(one, EnumValue)
                )
            case nodes.TypeDecl(type=kind):
                return self._range_type(kind)
            case Builtin(name="players") if self.players is not None:
                return tuple(map(Seat, range(self.players)))
            case nodes.DefineDecl() as define if not define.params:
                return self._define(define, {})
            case _:
                return UNKNOWN

    def _define(self, define: nodes.DefineDecl, env: Env) -> Value:
        self._left -= 1
        if self._left < 0:
            raise _TooManyError
        if define.value is not None:
            return self._fold(define.value, env)
        for case in define.cases:
            holds = self._fold(case.condition, env) if case.condition is not None else True
            if not isinstance(holds, bool):
                return UNKNOWN
            if holds:
                return self._fold(case.value, env)
        return UNKNOWN

    def _call(self, call: nodes.Call, env: Env) -> Value:
        ref = self.checked.refs.get(call.name)
        if isinstance(ref, nodes.DefineDecl):
            inner: Env = {}
            for k, argument in enumerate(call.arguments):
                name = argument.name.name if argument.name is not None else ref.params[k].name.name
                param = next(one for one in ref.params if one.name.name == name)
                local = self.checked.refs.get(param.name)
                if isinstance(local, Local):
                    inner[local] = self._fold(argument.value, env)
            return self._define(ref, inner)
        function = _FUNCTIONS.get(ref.name) if isinstance(ref, Builtin) else None
        if function is None or any(one.name is not None for one in call.arguments):
            return UNKNOWN
        try:
            return function([self._fold(one.value, env) for one in call.arguments])
        except _OpenError:
            return UNKNOWN

    def _comprehension(self, expr: nodes.Comprehension, env: Env) -> Value:
        try:
            found = tuple(self._fold(expr.element, inner) for inner in self._environments(expr.clauses, env))
        except _OpenError:
            return UNKNOWN
        return _collected(found, as_set=expr.kind == "set")

    def _filter(self, expr: nodes.Filter, env: Env) -> Value:
        local = self.checked.refs.get(expr.name)
        try:
            members = self._members(expr.domain, env)
            if not isinstance(local, Local):
                return UNKNOWN
            return tuple(one for one in members if self._wheres(expr.wheres, {**env, local: one}))
        except _OpenError:
            return UNKNOWN

    def _compare(self, expr: nodes.Compare, env: Env) -> Value:
        left, right = self._fold(expr.left, env), self._fold(expr.right, env)
        return _compared(expr.operator, left, right)

    def _logic(self, operands: list[nodes.Expr], env: Env, *, ends: bool) -> Value:
        known = True
        for operand in operands:
            value = self._fold(operand, env)
            if value is ends:
                return ends
            known = known and isinstance(value, bool)
        return (not ends) if known else UNKNOWN

    def _conditional(self, expr: nodes.Conditional, env: Env) -> Value:
        condition = self._fold(expr.condition, env)
        if isinstance(condition, bool):
            return self._fold(expr.then if condition else expr.otherwise, env)
        left, right = _interval(self._fold(expr.then, env)), _interval(self._fold(expr.otherwise, env))
        if left is None or right is None:
            return UNKNOWN
        return Between(min(left.low, right.low), max(left.high, right.high))

    def _binary(self, expr: nodes.Binary, env: Env) -> Value:
        left, right = self._fold(expr.left, env), self._fold(expr.right, env)
        if isinstance(left, tuple | frozenset) and isinstance(right, tuple | frozenset):
            if not (_exact(left) and _exact(right)):
                return UNKNOWN
            one, two = frozenset(left), frozenset(right)
            return one | two if expr.operator == "|" else one & two if expr.operator == "&" else one - two
        a, b = _interval(left), _interval(right)
        if a is None or b is None or expr.operator not in _ARITHMETIC:
            return UNKNOWN
        if expr.operator == "%" and a.low == a.high and b.low == b.high != 0:
            return a.low % b.low
        found = arithmetic(expr.operator, IntType(a.low, a.high), IntType(b.low, b.high))
        return _narrow(found.low, found.high)

    def _index(self, expr: nodes.Index, env: Env) -> Value:
        target = self._fold(expr.target, env)
        index = self._fold(expr.indices[0], env) if len(expr.indices) == 1 else UNKNOWN
        if isinstance(target, tuple) and isinstance(index, int) and 1 <= index <= len(target):
            return target[index - 1]
        return UNKNOWN

    def _not(self, expr: nodes.Not, env: Env) -> Value:
        value = self._fold(expr.operand, env)
        return (not value) if isinstance(value, bool) else UNKNOWN

    def _negate(self, expr: nodes.Negate, env: Env) -> Value:
        bounds = _interval(self._fold(expr.operand, env))
        return _narrow(-bounds.high, -bounds.low) if bounds is not None else UNKNOWN

    def _attribute(self, expr: nodes.Attribute, env: Env) -> Value:
        named = isinstance(self.checked.refs.get(expr), EnumValue | LabelValue)
        return self._symbol(expr, env) if named else UNKNOWN

    def _items(self, items: list[nodes.Expr], env: Env) -> tuple[Value, ...]:
        return tuple(self._fold(one, env) for one in items)

    _rules: ClassVar[dict[type[nodes.Expr], Callable[[Any, Any, Env], Value]]] = {
        nodes.Integer: lambda _self, expr, _env: expr.value,
        nodes.Boolean: lambda _self, expr, _env: expr.value,
        nodes.NoneValue: lambda _self, _expr, _env: None,
        nodes.Group: lambda self, expr, env: self._fold(expr.inner, env),
        nodes.Not: _not,
        nodes.Negate: _negate,
        nodes.Binary: _binary,
        nodes.Compare: _compare,
        nodes.And: lambda self, expr, env: self._logic(expr.operands, env, ends=False),
        nodes.Or: lambda self, expr, env: self._logic(expr.operands, env, ends=True),
        nodes.Conditional: _conditional,
        nodes.Range: lambda self, expr, env: self._range(self._fold(expr.low, env), self._fold(expr.high, env)),
        nodes.Name: _symbol,
        nodes.Attribute: _attribute,
        nodes.Call: _call,
        nodes.Comprehension: _comprehension,
        nodes.Filter: _filter,
        nodes.Braces: lambda self, expr, env: _collected(self._items(expr.items, env), as_set=True),
        nodes.Brackets: lambda self, expr, env: self._items(expr.items, env),
        nodes.Tuple: lambda self, expr, env: self._items(expr.items, env),
        nodes.Index: _index,
    }


class _OpenError(Exception):
    """Which members a domain has is not known before play."""


def _exact(value: Value) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_exact, value))
    return not isinstance(value, Unknown | Between)


def _collected(found: tuple[Value, ...], *, as_set: bool) -> Value:
    if not as_set:
        return found
    return frozenset(found) if _exact(found) else UNKNOWN


def _interval(value: Value) -> Between | None:
    if isinstance(value, Between):
        return value
    return Between(value, value) if isinstance(value, int) and not isinstance(value, bool) else None


def _narrow(low: int, high: int) -> Value:
    return low if low == high else Between(low, high)


def _compared(operator: str, left: Value, right: Value) -> Value:
    if operator in {"in", "not in"}:
        if not isinstance(right, tuple | frozenset):
            return UNKNOWN
        if not right:
            return operator == "not in"
        if not _exact(left) or not _exact(right):
            return UNKNOWN
        return (left in right) == (operator == "in")
    a, b = _interval(left), _interval(right)
    if a is not None and b is not None:
        return _numbers(operator, a, b)
    if operator not in {"=", "!="} or not _exact(left) or not _exact(right):
        return UNKNOWN
    if isinstance(left, tuple | frozenset) or isinstance(right, tuple | frozenset):
        return UNKNOWN
    return (left == right) == (operator == "=")


def _numbers(operator: str, a: Between, b: Between) -> Value:
    match operator:
        case "=" | "!=":
            if a.high < b.low or b.high < a.low:
                return operator == "!="
            return (operator == "=") if a.low == a.high == b.low == b.high else UNKNOWN
        case "<" | ">=":
            if a.high < b.low:
                return operator == "<"
            return (operator == ">=") if a.low >= b.high else UNKNOWN
        case _:
            if a.high <= b.low:
                return operator == "<="
            return (operator == ">") if a.low > b.high else UNKNOWN


_ARITHMETIC = {"+", "-", "*", "//", "%"}

# ---------------------------------------------------------------- built-in functions


def _items(arguments: list[Value]) -> tuple[Value, ...]:
    given = arguments[0]
    if not isinstance(given, tuple | frozenset):
        raise _OpenError
    return tuple(given)


def _bounds(arguments: list[Value]) -> list[Between]:
    found = [_interval(one) for one in arguments]
    if not found or None in found:
        raise _OpenError
    return [one for one in found if one is not None]


def _sum(arguments: list[Value]) -> Value:
    items = _items(arguments)
    if not items:
        return 0
    bounds = _bounds(list(items))
    return _narrow(sum(one.low for one in bounds), sum(one.high for one in bounds))


def _pick(greatest: Callable[[Iterator[int]], int]) -> Callable[[list[Value]], Value]:
    def function(arguments: list[Value]) -> Value:
        bounds = _bounds(arguments)
        return _narrow(greatest(one.low for one in bounds), greatest(one.high for one in bounds))

    return function


_max, _min = _pick(max), _pick(min)


def _some(arguments: list[Value]) -> Value:
    items = _items(arguments)
    if any(one is True for one in items):
        return True
    return False if all(one is False for one in items) else UNKNOWN


def _every(arguments: list[Value]) -> Value:
    items = _items(arguments)
    if any(one is False for one in items):
        return False
    return True if all(one is True for one in items) else UNKNOWN


def _abs(arguments: list[Value]) -> Value:
    (one,) = _bounds(arguments)
    least = 0 if one.low <= 0 <= one.high else min(abs(one.low), abs(one.high))
    return _narrow(least, max(abs(one.low), abs(one.high)))


_FUNCTIONS: dict[str, Callable[[list[Value]], Value]] = {
    "count": lambda given: len(_items(given)),
    "empty": lambda given: not _items(given),
    "sum": _sum,
    "most": lambda given: _max(list(_items(given))),
    "least": lambda given: _min(list(_items(given))),
    "any": _some,
    "all": _every,
    "min": _min,
    "max": _max,
    "abs": _abs,
}
