"""Secrets that come from one choice are drawn anew together, and from the value that was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.helpers import load_text

if TYPE_CHECKING:
    from pathlib import Path

    from egodsl.engine.state import State

TWO = """
    var a[player]: 0..2 = 0, owner only
    var b[player]: 0..2 = 0, owner only
    stage game:
        as p in players:
            choose k in 0..2
            a := k
            b := k
        as p in players: may "go": a := 0
    """

TOGETHER = """
    var a[player]: 0..2 = 0, owner only
    var b[player]: 0..2 = 0, owner only
    stage game:
        together as p in players:
            choose k in 0..2
            a := k
            b := k
            choose again in 0..2
            if again = 1: b := 0
        as p in players: may "go": a := 0
    """

ALIKE = """
    var sure[player]: bool = false, owner only
    var whom[player]: player?, owner only
    var what[player]: 0..1 = 0, owner only
    stage game:
        as p in players:
            choose n in {1}, q in others, n2 in 0..1
            sure := n2 = 1
            whom := q
            what := n2
        as p in players: may "go": what := 0
    """


def slots(state: State, name: str) -> list[object]:
    found = enumerate(state.game.layout.var_slots)
    return [state.V[k] for k, slot in found if slot.decl.name.name == name]


def test_two_secrets_from_one_choice_stay_alike(tmp_path: Path) -> None:
    state = load_text(tmp_path, TWO).game(players=2).start()
    for k in (2, 1):
        state.apply(state.legal_moves(state.to_move[0])[k])
    seen = set()
    for rng in range(40):
        other = state.redeal(0, rng)
        a, b = slots(other, "a"), slots(other, "b")
        assert a[0] == b[0] == 2, "A knows what A chose"
        assert a[1] == b[1]
        seen.add(a[1])
    assert seen == {0, 1, 2}


def test_two_secrets_from_one_choice_stay_alike_while_others_choose(tmp_path: Path) -> None:
    state = load_text(tmp_path, TOGETHER).game(players=2).start()
    state.apply(state.legal_moves(1)[2])
    seen = set()
    for rng in range(40):
        branch = state.redeal(0, rng).branches[1]
        assert slots(branch, "a")[1] == slots(branch, "b")[1]
        seen.add(slots(branch, "a")[1])
    assert seen == {0, 1, 2}


def test_values_that_are_equal_are_told_apart_by_their_types(tmp_path: Path) -> None:
    # A chooses 1, the second player (number 1) and 1: of three players either of two others could have been chosen.
    state = load_text(tmp_path, ALIKE).game(players=3).start()
    state.apply(next(move for move in state.legal_moves(0) if move.raw[1:] == (1, 1, 1)))
    seen = set()
    for rng in range(60):
        other = state.redeal(1, rng)
        whom, what = slots(other, "whom")[0], slots(other, "what")[0]
        assert whom in {1, 2}
        assert what in {0, 1}
        seen.add((whom, what))
    assert {whom for whom, _ in seen} == {1, 2}
