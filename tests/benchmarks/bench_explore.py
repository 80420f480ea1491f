"""How fast positions are explored, and how much memory each takes.

Not collected by default: `python -m pytest -n 0 tests/benchmarks/bench_explore.py -s`. Time is that of one processor,
so that what else runs on the machine makes little difference.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import egodsl
from egodsl.verify.explore import Bounds, explore
from egodsl.verify.properties import properties_of

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
STATES = 10_000
LEAST = 20_000
"""States a minute."""


@pytest.mark.parametrize("reduce", [False, True], ids=["every", "up to names"])
@pytest.mark.parametrize("name", ["ego", "egocentric_world", "egonomy", "emotrions"])
def test_states_a_minute(name: str, *, reduce: bool) -> None:
    game = egodsl.load(RULEBOOKS / f"{name}.rules").game()
    builtin = [prop for prop in properties_of(game.rulebook) if prop.builtin is not None]
    begin = time.process_time()
    made = explore(game, Bounds(states=STATES), builtin, reduce=reduce)
    seconds = time.process_time() - begin
    rate, size = made.states / seconds * 60, made.memory / made.states
    print(f"\n{name}: {rate:,.0f} states a minute, {size:.0f} bytes each")  # noqa: T201 - as the other benchmarks
    assert rate > LEAST
    assert size < 1000
