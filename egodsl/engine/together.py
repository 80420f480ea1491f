"""`together`: each player's branch runs on a copy of the state, in which only that player acts; nothing shows before
all are done.

The copy's log is what the player did. When the last branch ends, the entries are done again on the state itself,
player by player, as one change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.code import AT, YOU, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.machine import arm, run, test_watches
from egodsl.engine.table import COMMIT, DECIDE, MOVE, WRITE, put_all

if TYPE_CHECKING:
    from egodsl.engine.state import State


def begin_together(state: State, frame: Frame, players: tuple[int, ...], item: int, begin: int, end: int) -> bool:
    """Start a branch for each player. True if the machine must stop: somebody has to decide."""
    branches: dict[int, State] = {}
    for player in players:
        branch = state.clone()
        own = frame[:]
        own[AT], own[YOU], own[item] = begin, player, player
        branch.frames[-1] = own
        # What a branch writes is no change of the table yet: no trigger is tested.
        branch.hold += 1
        branch.log = None
        branch.branch_of = player
        run(branch)
        branches[player] = branch
    frame[AT] = end
    state.branches = branches
    if not all(branch.over for branch in branches.values()):
        state.firings = 0
        if state.unarmed:
            arm(state)
    return not merge_if_done(state)


def end_branch(state: State, frame: Frame) -> bool:
    """The last operation of a branch."""
    del frame
    state.frames = []
    state.over = True
    return True


def merge_if_done(state: State) -> bool:
    """If every branch is done, make what they did one change of the state.

    Log: each player's entries, then COMMIT, players, how many entries each of them has.
    """
    branches = state.branches
    if not all(branch.over for branch in branches.values()):
        return False
    before = state.log
    state.branches = {}
    try:
        counts = _do_again(state, branches)
    except Fault:
        # The record of the fault tells the decisions from the branches.
        state.log, state.branches = before, branches
        raise
    state.log = (state.log, (COMMIT, tuple(branches), counts))
    if state.dirty and not state.hold:
        test_watches(state)
    return True


def _do_again(state: State, branches: dict[int, State]) -> tuple[int, ...]:
    counts = []
    for branch in branches.values():
        entries = branch.entries()
        counts.append(len(entries))
        for entry in entries:
            if entry[0] == MOVE:
                put_all(state, entry[1], entry[3], state.here())
            else:
                if entry[0] == WRITE:
                    state.V[entry[1]] = entry[2]
                    state.dirty |= state.game.var_watches[entry[1]]
                state.log = (state.log, entry)
            state.ticks += entry[0] == DECIDE
    return tuple(counts)
