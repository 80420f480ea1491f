"""A choice that could not be made binds nothing, and reading its name afterwards is a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from tests.helpers import load_text

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
card Card:
    rank: 1..6
components pack of Card in deck:
    1 x (rank: r) for r in 1..6
zone deck: stack of Card, face down
zone pile: stack of Card, face up
zone hand[player]: set of Card, owner only
stage game:
    as players[1]:
        choose c in hand
        otherwise: nothing
        {after}
"""


@pytest.mark.parametrize(
    "after", ["move c to pile", "reveal d.rank = 1 for d in {c}", "reveal c.rank = d for d in {1}"]
)
def test_the_name_of_a_choice_that_was_not_made(after: str, tmp_path: Path) -> None:
    """The hand is empty, so `otherwise` is played, and goes on to what needs the card."""
    game = load_text(tmp_path, TEXT.replace("{after}", after)).game(players=2)
    with pytest.raises(GameFault) as caught:
        game.start(seed=1)
    assert caught.value.diagnostic.code.number == "EGO709"


def test_the_name_of_a_choice_that_was_made(tmp_path: Path) -> None:
    text = TEXT.replace("        choose c", "        move 1 from deck to hand\n        choose c")
    game = load_text(tmp_path, text.replace("{after}", "move c to pile")).game(players=2)
    state = game.start(seed=1)
    state.apply(state.legal_moves(0)[0])
    assert state.is_over
    assert [len(cards) for cards in state.Z].count(1) == 1
