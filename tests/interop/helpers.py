"""The ten rulebooks that are tried as guests, and walks through their games."""

from __future__ import annotations

import functools
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from egodsl.engine.game import load
from egodsl.interop.position import Position, Rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
DOCUMENTS = ("egocentric_world", "egocentric_world_italian", "egonomy", "emotrions", "ego")
CLASSICS = ("kuhn_poker", "leduc_poker", "pig", "goofspiel", "blackjack")
TEN = (*DOCUMENTS, *CLASSICS)


@functools.cache
def rules(name: str, players: int | None = None) -> Rules:
    """The rules of a rulebook of the package."""
    path = RULEBOOKS / f"{name}.rules"
    return rules_of(load(path if path.exists() else RULEBOOKS / "classics" / f"{name}.rules").game(players=players))


def step(position: Position, chooser: Random) -> Position:
    """The position after a random action, outcome, or action of each who decides."""
    if position.is_chance:
        return position.after_chance(chooser.randrange(len(position.outcomes())))
    return position.after({player: chooser.choice(position.legal(player)) for player in position.to_move})


def walk(first: Position, seed: int, most: int = 300) -> Iterator[Position]:
    """The positions of a random game, from the first one on."""
    chooser = Random(seed)  # noqa: S311 - a random game is no secret
    position = first
    yield position
    while not position.is_over and most:
        position = step(position, chooser)
        most -= 1
        yield position
