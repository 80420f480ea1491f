"""Telling a game again: from a state's log to texts, and from a record's texts to a state.

Texts of moves depend on the position, so a log is told by playing it once more from the start with the same cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.faults import Fault, GameFault
from egodsl.engine.machine import push, run
from egodsl.engine.moves import IllegalMoveError
from egodsl.engine.record import Record, RecordError
from egodsl.engine.state import State
from egodsl.engine.table import CHANCE, DECIDE
from egodsl.engine.texts import player_name
from egodsl.engine.together import merge_if_done

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from egodsl.engine.game import Game

Event = tuple[str, str]


def retell(state: State) -> list[Event]:
    """The decisions and chance events of a state in texts; those of unfinished branches last, player by player."""
    told: list[Event] = []
    teller = State(state.game, None)
    entries = _happened(state)
    try:
        for set_initial in state.game.initial:
            set_initial(teller)
        push(teller, state.game.main.frame(None, []))
        run(teller)
        for entry in entries:
            event = _tell(teller, entry)
            if event is None:
                # Only after dealing anew: the rules need not lead to such a past, which is told as far as they do.
                break
            told.append(event)
            _repeat(teller, entry)
    except Fault:
        # The fault that ended the game: everything before it has been told.
        pass
    return told


def _happened(state: State) -> Iterator[tuple[Any, ...]]:
    for source in (state, *state.branches.values()):
        for entry in source.entries():
            if entry[0] in {CHANCE, DECIDE}:
                yield entry


def _tell(teller: State, entry: tuple[Any, ...]) -> Event | None:
    if entry[0] == CHANCE:
        fitting = (teller.outcome_text(one, same, entry[2]) for one, same in teller.outcomes() if entry[2] in same)
        found = next(fitting, None)
        return None if found is None else ("chance", found)
    player = entry[1]
    moves = teller.legal_moves(player)
    text = next((m.text for m in moves if m.raw == entry[3]), None)
    return None if text is None else (player_name(player), text)


def _repeat(teller: State, entry: tuple[Any, ...]) -> None:
    if entry[0] == CHANCE:
        assert teller.chance_at is not None
        teller.frames[-1][teller.chance_at[0].slot] = entry[2]
        teller.chance_at = None
        run(teller)
        return
    acting = teller.branches.get(entry[1], teller)
    acting._go(entry[3])  # noqa: SLF001 - without the guard of `apply`: a fault ends the telling
    if acting is not teller and merge_if_done(teller):
        run(teller)


def play_events(game: Game, record: Record) -> tuple[State, RecordError | None]:
    """Play the events from the start, as far as they fit: the state, and the first difference if there is one."""
    state, told, problem = _played(game, record)
    if problem is not None:
        return state, RecordError(problem, code="EGO803")
    number = _first_difference(told, record.events)
    if number is None:
        return state, None
    error = RecordError(_difference(number, told, record.events), code="EGO803")
    state, _, _ = _played(game, attrs.evolve(record, events=record.events[: number - 1]))
    return state, error


def _played(game: Game, record: Record) -> tuple[State, list[Event], str | None]:
    # The state after the decisions (and the chance, where there is no seed), what happened in it, and what did not fit.
    state = State(game, record.seed)
    number = 0
    try:
        state.begin()
        for number, (who, text) in enumerate(record.events, start=1):  # noqa: B007 - the number of the last that was tried
            _play_event(state, who, text, seeded=record.seed is not None)
    except IllegalMoveError as error:
        return state, [], f"event {number} of the record (`{who}`: `{text}`) does not fit: {error}"
    except GameFault as fault:
        if any(who != "chance" for who, _ in record.events[number:]):
            return state, [], f"after event {number} of the record the rules cannot go on: {fault}"
        return state, list(fault.record.events), None
    return state, retell(state), None


def _first_difference(told: Sequence[Event], events: Sequence[Event]) -> int | None:
    for number, (mine, theirs) in enumerate(zip(told, events, strict=False), start=1):
        if mine != theirs:
            return number
    return None if len(told) == len(events) else min(len(told), len(events)) + 1


def _difference(number: int, told: Sequence[Event], events: Sequence[Event]) -> str:
    if number > len(told) or number > len(events):
        return f"the record has {len(events)} events, here there are {len(told)}"
    mine, theirs = told[number - 1], events[number - 1]
    return f"event {number} differs: the record has {theirs[0]}: `{theirs[1]}`, here it is {mine[0]}: `{mine[1]}`"


def _play_event(state: State, who: str, text: str, *, seeded: bool) -> None:
    if who == "chance":
        if not seeded:
            outcome = next((o for o in state.chance() if o.text == text), text)
            state.apply(outcome)
        return
    player = next((p for p in state.to_move if player_name(p) == who), None)
    if player is None:
        deciding = ", ".join(map(player_name, state.to_move)) or "nobody"
        message = f"{who} does not decide here, but {deciding}"
        raise IllegalMoveError(message)
    move = next((m for m in state.legal_moves(player) if m.text == text), None)
    state.apply(text if move is None else move)
