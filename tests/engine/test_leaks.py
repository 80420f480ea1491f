"""Moves that tell what their chooser cannot know: left to play where the checker cannot be sure, and a fault there."""

from __future__ import annotations

from pathlib import Path

import pytest

import egodsl
from tests.helpers import write_rules

STONES = """rulebook stones "Stones":
    players 2
    result most score

card Stone:
    weight: 1..3
    written "{{weight}}"

components stones of Stone in pile:
    4 x (weight: w) for w in 1..3
    total 12

zone pile: stack of Stone, face down
zone hand[player]: set of Stone, owner only
zone table: set of Stone, face up
var score[player]: 0..99 = 0

stage game:
    shuffle pile
    for p in players: move 3 from pile to hand[p]
    turns from players[1]:
        {before}
        choose one of steal, lay
        if empty(hand): end game

action lay(c in hand): move c to table
action steal(p in others) when any(c.weight = 3 for c in hand[p]):
    score += 1
    end game
"""


def start(folder: Path, before: str, seed: int) -> egodsl.State:
    return egodsl.load(write_rules(folder, STONES.format(before=before))).game(players=2).start(seed=seed)


def test_what_was_looked_at_may_be_gone_by(tmp_path: Path) -> None:
    for seed in range(8):
        state = start(tmp_path, "look at hand[left(you)]", seed)
        assert state.legal_moves(0)[-1].text


def test_a_leak_is_a_fault_when_it_happens(tmp_path: Path) -> None:
    codes = []
    for seed in range(8):
        try:
            start(tmp_path, "if count(table) > 90: look at hand[left(you)]", seed)
        except egodsl.GameFault as fault:
            codes.append(fault.diagnostic.code.number)
    # Four of the nine cards that a player does not hold are 3s at least; nearly every deal tells.
    assert codes
    assert set(codes) == {"EGO715"}


def test_what_the_checker_is_sure_of_is_never_looked_after() -> None:
    game = egodsl.load(Path(__file__).parents[2] / "rulebooks" / "egocentric_world.rules").game(players=3)
    assert not any(site.unsure for site in game.sites)


@pytest.mark.parametrize("seed", [0, 1])
def test_the_fault_replays(tmp_path: Path, seed: int) -> None:
    with pytest.raises(egodsl.GameFault) as caught:
        start(tmp_path, "if count(table) > 90: look at hand[left(you)]", seed)
    assert caught.value.record.seed == seed
