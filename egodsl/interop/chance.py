"""How many outcomes a chance event can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.interop.encoding import MOST_ACTIONS, domain
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.engine.game import Game

_BY_ORDER = {"top card", "next card"}
"""Chance events that there are only where piles are shuffled."""


def most_outcomes(game: Game, max_number: int = 0) -> int:
    """The most outcomes of any chance event of the game; 0 where chance plays no part.

    It is a bound by the types of what is drawn. Numbers without a bound count as up to `max_number`.
    """
    played = [code.decl for code in game.codes if code.decl is not None]
    shuffles = any(isinstance(node, nodes.Shuffle) for decl in played for node in nodes.walk(decl))
    sizes = [_values(game, draw.type, max_number) for draw in game.draws if shuffles or draw.what not in _BY_ORDER]
    return max(sizes, default=0)


def _values(game: Game, kind: t.Type, max_number: int) -> int:
    match kind:
        case t.CardType():
            return next(len(k.cards) for k in game.layout.types if k.decl is kind.decl)
        case t.IntType():
            most = max_number or MOST_ACTIONS
            low = -most if kind.low <= -t.WIDEST else kind.low
            return max((most if kind.high >= t.WIDEST else kind.high) - low + 1, 1)
        case t.OptionalType():
            return 1 + _values(game, kind.inner, max_number)
        case t.SetType() | t.RowType():
            members = _values(game, kind.inner, max_number)
            return 1 << members if 1 << min(members, 60) < MOST_ACTIONS else MOST_ACTIONS
        case t.BoolType() | t.PlayerType() | t.TeamType() | t.EnumType():
            return len(domain(game, kind))
        case _:
            # Of a game without cards, the draw from its piles.
            return len(game.layout.card_type)
