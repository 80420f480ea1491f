"""Expressions that certainly have no fault, wherever they are worked out, so that it may be done early."""

from __future__ import annotations

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Checked
from egodsl.syntax import nodes

_PLAIN = nodes.Integer | nodes.Boolean | nodes.NoneValue
_WHOLE = frozenset({"count", "empty"})


def faultless(checked: Checked, expr: nodes.Expr) -> bool:
    """Whether the expression is made of what is always there: variables that have a first value, settings, how many
    cards lie somewhere, and comparisons of these.
    """
    match expr:
        case nodes.Group():
            return faultless(checked, expr.inner)
        case nodes.Not():
            return faultless(checked, expr.operand)
        case nodes.And() | nodes.Or():
            return all(faultless(checked, operand) for operand in expr.operands)
        case nodes.Compare(operator="=" | "!="):
            return faultless(checked, expr.left) and faultless(checked, expr.right)
        case nodes.Compare(operator="<" | "<=" | ">" | ">="):
            sides = (expr.left, expr.right)
            return all(faultless(checked, side) and _is_number(checked, side) for side in sides)
        case nodes.Call():
            return _counts(checked, expr)
        case nodes.Index():
            return _is_place(checked, expr.target) and all(_is_player(checked, index) for index in expr.indices)
        case nodes.Name():
            return _is_there(checked, expr)
        case _:
            return isinstance(expr, _PLAIN)


def _is_number(checked: Checked, expr: nodes.Expr) -> bool:
    return isinstance(checked.types.get(expr), t.IntType)


def _counts(checked: Checked, call: nodes.Call) -> bool:
    ref = checked.refs.get(call.name)
    if isinstance(ref, nodes.DefineDecl):
        return not call.arguments and ref.value is not None and faultless(checked, ref.value)
    if not isinstance(ref, Builtin) or ref.name not in _WHOLE or len(call.arguments) != 1:
        return False
    what = call.arguments[0].value
    target = what.target if isinstance(what, nodes.Index) else what
    return isinstance(checked.refs.get(target), nodes.ZoneDecl) and faultless(checked, what)


def _is_place(checked: Checked, expr: nodes.Expr) -> bool:
    ref = checked.refs.get(expr)
    return isinstance(ref, nodes.ZoneDecl) or (isinstance(ref, nodes.VarDecl) and ref.initial is not None)


def _is_player(checked: Checked, expr: nodes.Expr) -> bool:
    ref = checked.refs.get(expr)
    return isinstance(checked.types.get(expr), t.PlayerType) and isinstance(ref, Builtin)


def _is_there(checked: Checked, name: nodes.Name) -> bool:
    ref = checked.refs.get(name)
    if isinstance(ref, nodes.DefineDecl):
        return not ref.params and ref.value is not None and faultless(checked, ref.value)
    if isinstance(ref, nodes.ZoneDecl):
        return ref.layout != "one"
    if isinstance(ref, nodes.VarDecl):
        return ref.initial is not None
    return ref is not None and not isinstance(ref, Builtin)
