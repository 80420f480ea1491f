"""egodsl: the rules of a tabletop game as a file that is checked, run and explained.

>>> import random
>>> import egodsl
>>> state = egodsl.load("mygame.rules").game(players=3).start(seed=7)
>>> chooser = random.Random(7)
>>> while not state.is_over:
...     player = state.to_move[0]
...     state.apply(chooser.choice(state.legal_moves(player)))
>>> len(state.result.scores)
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from egodsl.engine.faults import GameFault
    from egodsl.engine.game import Game, Rulebook, RulebookError, load
    from egodsl.engine.knowledge import Observation, View
    from egodsl.engine.moves import IllegalMoveError, Move, Outcome, Result
    from egodsl.engine.record import Record, RecordError
    from egodsl.engine.settings import SettingsError
    from egodsl.engine.state import State
    from egodsl.source.diagnostics import Diagnostic, DiagnosticError

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": "egodsl.source.diagnostics",
    "DiagnosticError": "egodsl.source.diagnostics",
    "Game": "egodsl.engine.game",
    "GameFault": "egodsl.engine.faults",
    "IllegalMoveError": "egodsl.engine.moves",
    "Move": "egodsl.engine.moves",
    "Observation": "egodsl.engine.knowledge",
    "Outcome": "egodsl.engine.moves",
    "Record": "egodsl.engine.record",
    "RecordError": "egodsl.engine.record",
    "Result": "egodsl.engine.moves",
    "Rulebook": "egodsl.engine.game",
    "RulebookError": "egodsl.engine.game",
    "SettingsError": "egodsl.engine.settings",
    "State": "egodsl.engine.state",
    "View": "egodsl.engine.knowledge",
    "load": "egodsl.engine.game",
}

__all__ = [
    "Diagnostic",
    "DiagnosticError",
    "Game",
    "GameFault",
    "IllegalMoveError",
    "Move",
    "Observation",
    "Outcome",
    "Record",
    "RecordError",
    "Result",
    "Rulebook",
    "RulebookError",
    "SettingsError",
    "State",
    "View",
    "__version__",
    "load",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    # Names are fetched when first used, so that `egodsl check` does not load the engine.
    import importlib  # noqa: PLC0415 - only when a name is asked for

    home = _HOMES.get(name)
    if home is None:
        message = f"module 'egodsl' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(importlib.import_module(home), name)
