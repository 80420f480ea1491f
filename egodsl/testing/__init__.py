"""Hypothesis strategies for rulebooks and their games, and a state machine made from a rulebook.

Needs the package `hypothesis`, which nothing else in egodsl does. Raises ModuleNotFoundError, with the way to get it,
where it is not installed.

>>> from hypothesis import given
>>> import egodsl
>>> from egodsl import testing
>>> @given(testing.games(egodsl.load("mygame.rules"), max_decisions=50))
... def test_a_game_can_be_played_again(played):
...     assert played.game.replay(played.record) == played.state
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    _message = "egodsl.testing needs Hypothesis: install it with `pip install hypothesis`"
    raise ModuleNotFoundError(_message, name="hypothesis") from error

from egodsl.testing.edits import edits
from egodsl.testing.games import games, states
from egodsl.testing.machine import GameMachine, machine
from egodsl.testing.made.rulebooks import rulebook_texts
from egodsl.testing.playing import Played, moves, outcomes
from egodsl.testing.rulebooks import MadeRulebook, rulebooks

__all__ = [
    "GameMachine",
    "MadeRulebook",
    "Played",
    "edits",
    "games",
    "machine",
    "moves",
    "outcomes",
    "rulebook_texts",
    "rulebooks",
    "states",
]

del _hypothesis
