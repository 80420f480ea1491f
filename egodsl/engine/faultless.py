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


_SURE = frozenset(
    {"count", "empty", "sum", "any", "all", "min", "max", "abs", "left", "right", "steps", "seat"}
    | {"joined", "packings", "subsets", "groups", "runs", "in_a_row"}
)
_SURE_SIGNS = frozenset({"+", "-", "*", "&", "|", "without"})
_SURE_IF_ITS_PARTS_ARE = (
    nodes.Group | nodes.Not | nodes.Negate | nodes.And | nodes.Or | nodes.Compare | nodes.Range | nodes.Binary
) | (nodes.Conditional | nodes.Comprehension | nodes.Filter | nodes.Clause | nodes.Where)


def sure(checked: Checked, node: nodes.Node) -> bool:
    """As `faultless`, for expressions that are worked out again and again, with names of their own: where all parts are
    sure, nobody can tell in which order the members of a set were gone through.
    """
    if isinstance(node, nodes.Expr) and isinstance(checked.types.get(node), t.OptionalType):
        return False
    match node:
        case nodes.Integer() | nodes.Boolean() | nodes.Key():
            return True
        case nodes.Name():
            return _is_sure_name(checked, node)
        case nodes.Attribute():
            kind = checked.types.get(node.target)
            fields = isinstance(kind, t.CardType) and all(m.name.name != node.name.name for m in kind.decl.marks)
            return fields and sure(checked, node.target)
        case nodes.Index():
            zone = checked.refs.get(node.target)
            players = all(isinstance(checked.types.get(index), t.PlayerType) for index in node.indices)
            return isinstance(zone, nodes.ZoneDecl) and players and all(sure(checked, i) for i in node.indices)
        case nodes.Binary() if node.operator not in _SURE_SIGNS:
            return False
        case nodes.Call():
            return _is_sure_call(checked, node)
        case _:
            return isinstance(node, _SURE_IF_ITS_PARTS_ARE) and all(
                sure(checked, part) for part in nodes.children(node) if not isinstance(part, nodes.Ident)
            )


def _is_sure_name(checked: Checked, name: nodes.Name) -> bool:
    ref = checked.refs.get(name)
    if isinstance(ref, Builtin):
        return ref.name in {"players", "teams"}
    if isinstance(ref, nodes.DefineDecl):
        return not ref.params and ref.value is not None and sure(checked, ref.value)
    if isinstance(ref, nodes.VarDecl):
        return ref.initial is not None
    return ref is not None


def _is_sure_call(checked: Checked, call: nodes.Call) -> bool:
    ref = checked.refs.get(call.name)
    if not all(sure(checked, argument.value) for argument in call.arguments):
        return False
    if isinstance(ref, nodes.DefineDecl):
        return ref.value is not None and sure(checked, ref.value)
    return isinstance(ref, Builtin) and ref.name in _SURE and not _goes_by_marks(checked, call)


def _goes_by_marks(checked: Checked, call: nodes.Call) -> bool:
    kind = checked.types.get(call.arguments[0].value)
    while isinstance(kind, t.SetType | t.RowType):
        kind = kind.inner
    keys = any(isinstance(argument.value, nodes.Key) for argument in call.arguments)
    return keys and (not isinstance(kind, t.CardType) or bool(kind.decl.marks))
