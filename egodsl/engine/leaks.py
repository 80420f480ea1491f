"""Looking after decisions whose moves may tell what their chooser cannot know.

The checker marks the heads that read hidden faces and could not be proved to stay within what the chooser knows. There,
when the decision comes up, the moves are worked out again with what the chooser cannot know dealt anew: if they differ,
that is a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.covering import aside
from egodsl.engine.faults import Fault
from egodsl.engine.redealing import redeal

if TYPE_CHECKING:
    from egodsl.engine.state import State

REDEALS = 4
"""How many other worlds are looked at; more find rarer leaks and cost more."""


def forbid_leaks(state: State) -> None:
    """Raise a Fault if another world that the chooser thinks possible gives other moves.

    A decision inside `together` is not looked at: until all have chosen, nobody sees what anybody was offered.
    """
    if state.branch_of is not None or state.site is None:
        return
    mine = _offered(state)
    for number in range(REDEALS):
        with aside(state.game.covering):
            other = redeal(state, state.mover, number)
        if _offered(other) != mine:
            raise Fault(
                "EGO715",
                state.site.span,
                "the moves here depend on cards that the player who chooses does not know",
                "let somebody who knows the cards decide, or ask about them after the choice",
            )


def _offered(state: State) -> list[str]:
    return sorted(move.text for move in state.legal_moves(state.mover))
