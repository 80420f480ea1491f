"""Between which numbers the value of an expression lies in a game, as far as its form and its types tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.engine.game import Game

Bounds = tuple[int, int]


def bounds_of(game: Game, expr: nodes.Expr) -> Bounds:
    """The least and the greatest value, or wider bounds; -`WIDEST` and `WIDEST` stand for none."""
    low, high = _by_form(game, expr)
    kind = game.linker.expressions.type_of(expr)
    if isinstance(kind, t.IntType):
        return max(low, kind.low, -t.WIDEST), min(high, kind.high, t.WIDEST)
    return max(low, -t.WIDEST), min(high, t.WIDEST)


def _by_form(game: Game, expr: nodes.Expr) -> Bounds:
    match expr:
        case nodes.Integer():
            return expr.value, expr.value
        case nodes.Group():
            return bounds_of(game, expr.inner)
        case nodes.Negate():
            low, high = bounds_of(game, expr.operand)
            return -high, -low
        case nodes.Conditional():
            then, otherwise = bounds_of(game, expr.then), bounds_of(game, expr.otherwise)
            return min(then[0], otherwise[0]), max(then[1], otherwise[1])
        case nodes.Binary():
            return _by_operator(expr.operator, bounds_of(game, expr.left), bounds_of(game, expr.right))
        case nodes.Call(arguments=[nodes.Argument(value=nodes.Comprehension() as told)]):
            ref = game.checked.refs.get(expr.name)
            return _of_sum(game, told) if isinstance(ref, Builtin) and ref.name == "sum" else _NONE
        case _:
            return _NONE


_NONE = (-t.WIDEST, t.WIDEST)


def _by_operator(operator: str, left: Bounds, right: Bounds) -> Bounds:
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            products = [a * b for a in left for b in right]
            return min(products), max(products)
        case "//" if right[1] > 0 and right[0] >= 0:
            # Dividing by zero is a fault, not a value.
            quotients = [a // b for a in left for b in (max(right[0], 1), right[1])]
            return min(quotients), max(quotients)
        case _:
            return _NONE


def _of_sum(game: Game, told: nodes.Comprehension) -> Bounds:
    # Over players, of whom some may be left out.
    low, high = bounds_of(game, told.element)
    most, least = 1, 1
    for clause in told.clauses:
        kind = game.linker.expressions.type_of(clause.domain)
        if not isinstance(kind, t.SetType | t.RowType) or not isinstance(kind.inner, t.PlayerType):
            return _NONE
        ref = game.checked.refs.get(clause.domain)
        whole = isinstance(ref, Builtin) and ref.name == "players" and not clause.wheres
        most, least = most * game.players, least * game.players if whole else 0
    return min(low * most, low * least), max(high * most, high * least)
