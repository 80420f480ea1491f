"""Games and states as bytes: a game by its recipe (the rulebook's file and the settings), a state by numbers of its
game's tables.

The compiled rules are never stored. A game is made again from the file, which must still have the same text; within one
process the same recipe gives the same game.
"""

from __future__ import annotations

import pickle
import weakref
from typing import TYPE_CHECKING, Any

from egodsl.analysis import analyse, link
from egodsl.engine.code import CODE, Code
from egodsl.engine.covering import Covering
from egodsl.engine.table import FACT

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.past import Entry
    from egodsl.engine.state import State

Recipe = tuple[Any, ...]

_known: weakref.WeakValueDictionary[tuple[str, Recipe], Game] = weakref.WeakValueDictionary()


def recipe_of(game: Game) -> Recipe:
    """What a game is made of, apart from the place of its file: equal recipes give equal games."""
    settings = game.settings
    return (
        game.rulebook.digest,
        settings.players,
        tuple(sorted(settings.modes)),
        tuple(sorted(settings.readings.items())),
        tuple(sorted(settings.parameters.items())),
        tuple(sorted(settings.decks.items())),
        tuple(sorted(settings.counts.items())),
        game.limit,
        None if game.covering is None else game.covering.names_only,
    )


def reduce_game(game: Game) -> tuple[Any, ...]:
    """For `Game.__reduce__`."""
    path = game.checked.program.root.span.source.path
    recipe = recipe_of(game)
    _known.setdefault((path, recipe), game)
    return revive, (path, recipe)


def revive(path: str, recipe: Recipe) -> Game:
    """The game of a recipe. Raises UnpicklingError where the rulebook in the file is another one by now."""
    from pathlib import Path  # noqa: PLC0415 - with the two below

    from egodsl.engine.game import Game, Rulebook  # noqa: PLC0415 - a game knows how it is pickled
    from egodsl.engine.setup import Settings  # noqa: PLC0415 - as above

    game = _known.get((path, recipe))
    if game is not None:
        return game
    digest, players, modes, readings, parameters, decks, counts, limit, names_only = recipe
    # It was checked when the game was made, and the digest says that the text is the same.
    program, _ = link(Path(path))
    rulebook = Rulebook(analyse(program)) if program is not None else None
    if program is None or rulebook is None or rulebook.digest != digest:
        message = f"the rulebook in {path} has changed since the game was stored"
        raise pickle.UnpicklingError(message)
    # In the order of the rulebook, as `configure` has them: records tell them so.
    answers, numbers = dict(readings), dict(parameters)
    settings = Settings(
        players,
        frozenset(modes),
        {name: answers[name] for name in program.readings},
        {name: numbers[name] for name in program.parameters},
        dict(decks),
        dict(counts),
    )
    game = Game(rulebook, settings, limit, covering=None if names_only is None else Covering(names_only=names_only))
    return _known.setdefault((path, recipe), game)


_BY_NUMBER = {"frames", "site", "chance_at", "log"}


def pack(state: State, names: tuple[str, ...]) -> dict[str, Any]:
    """The parts of a state by name, without anything of its compiled rules."""
    game = state.game
    numbers = {id(code): k for k, code in enumerate(game.codes)}
    kept = {name: getattr(state, name) for name in names if name not in _BY_NUMBER}
    kept["frames"] = [(numbers[id(frame[CODE])], *frame[1:]) for frame in state.frames]
    kept["site"] = None if state.site is None else state.site.index
    kept["chance_at"] = None if state.chance_at is None else (state.chance_at[0].index, state.chance_at[1])
    kept["log"] = [_with_code(entry, lambda code: numbers[id(code)]) for entry in state.entries()]
    return kept


def _with_code(entry: Entry, change: Callable[[Any], Any]) -> Entry:
    # The frame of a fact, its last part, begins with the code that it is of.
    if entry[0] != FACT:
        return entry
    code, *rest = entry[-1]
    return (*entry[:-1], (change(code), *rest))


def unpack(state: State, kept: dict[str, Any]) -> None:
    """Set the parts of a new state."""
    game: Game = kept["game"]
    for name, value in kept.items():
        if name not in _BY_NUMBER:
            setattr(state, name, value)
    codes: list[Code] = game.codes
    state.frames = [[codes[number], *rest] for number, *rest in kept["frames"]]
    state.site = None if kept["site"] is None else game.sites[kept["site"]]
    chance = kept["chance_at"]
    state.chance_at = None if chance is None else (game.draws[chance[0]], chance[1])
    state.log = None
    for entry in kept["log"]:
        state.log = (state.log, _with_code(entry, lambda number: codes[number]))
