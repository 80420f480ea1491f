"""A small game in which everything is drawn: players, a mode, a reading, chance, moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from egodsl.engine.state import State

RACE = """
rulebook race "Race":
    players 2..4
    result most laps

mode long "A long race"

reading beginner "Who begins?":
    drawn "chance decides"
    first "the first seat" default

parameter goal: 5..20 = 7 "Laps"

card Die:
    var eyes: 1..6 = 1

components dice of Die in cup:
    1 x ()

zone cup: set of Die, face up

var laps[player]: 0..40 = 0

stage game:
    if beginner = drawn: pick p at random from players
    otherwise: let p = players[1]
    turns from p:
        choose one of walk, run, throw
        if laps >= (20 if long else goal): end game

action walk: laps += 1
action run when laps > 1: laps += 2
action throw:
    roll cup
    laps += (the d in cup by most d.eyes).eyes
"""

PEBBLES = """
rulebook pebbles "Pebbles":
    players 2
    result most kept

var kept[player]: 0..9 = 0
var heap: 0..9 = 9

stage game:
    together as p in players:
        choose n in 1..3
        kept := n
    turns from players[1]:
        may "take":
            kept += 1
            heap -= 1
        if kept = 5: heap := heap - 9
        if heap <= 5: end game
"""
"""Broken on purpose: who has five takes nine from a heap of fewer. To get there somebody takes two at least."""


def laps(state: State) -> list[int]:
    """How far each player is."""
    return [value for name, value in state.values() if name.startswith("laps")]


__all__ = ["PEBBLES", "RACE", "laps"]
