from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.analysis.types import WIDEST
from egodsl.interop.bounds import bounds_of
from tests.helpers import load_text
from tests.interop.helpers import rules, walk

if TYPE_CHECKING:
    from pathlib import Path

FRAME = """
    rulebook paid "Paid":
        players 3
        payoff {payoff}
    var chips[player]: 1..5 = 1
    var debt: -2..4 = 0
    var free: 0.. = 0
    var winners: set of player = {{}}
    stage game: as p in players: may "go": nothing
    """


@pytest.mark.parametrize(
    ("payoff", "bounds"),
    [
        ("7", (7, 7)),
        ("-debt", (-4, 2)),
        ("(chips - debt) * 2", (-6, 14)),
        ("debt * debt", (-8, 16)),
        ("3 if chips > 2 else -1", (-1, 3)),
        ("sum(chips[p] for p in players)", (3, 15)),
        ("sum(chips[p] for p in players where p != you)", (0, 15)),
        ("sum(chips[p] for p in winners)", (0, 15)),
        ("sum(debt for p in winners)", (-6, 12)),
        ("30 // chips", (6, 30)),
        # Nothing is divided by zero, and there are at most three winners.
        ("30 // count(winners)", (10, 30)),
        ("free * 2 + 1", (1, WIDEST)),
        ("chips % 3", (0, 2)),
    ],
)
def test_between_which_numbers_a_payoff_lies(tmp_path: Path, payoff: str, bounds: tuple[int, int]) -> None:
    game = load_text(tmp_path, FRAME.format(payoff=payoff)).game()
    header = game.checked.program.payoff
    assert header is not None
    assert bounds_of(game, header.value) == bounds


def test_a_pot_is_no_larger_than_what_all_put_in() -> None:
    # Two players put in one chip or two: the pot has 2 to 4, and one's own stake was 1 or 2.
    header = rules("kuhn_poker").game.checked.program.payoff
    assert header is not None
    assert bounds_of(rules("kuhn_poker").game, header.value) == (-2, 3)


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "pig", "blackjack", "euchre_openspiel", "spades_openspiel"]
)
def test_no_game_pays_more_or_less(name: str) -> None:
    made = rules(name)
    header = made.game.checked.program.payoff
    assert header is not None
    low, high = bounds_of(made.game, header.value)
    for seed in range(5):
        *_, last = walk(made.start(), seed, 2000)
        assert all(low <= value <= high for value in last.returns())
