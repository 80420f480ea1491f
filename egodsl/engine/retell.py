"""Telling a game again: from a state's log to texts, and from a record's texts to a state.

Texts of moves depend on the position, so a log is told by playing it once more from the start with the same cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine.faults import Fault, GameFault
from egodsl.engine.machine import push, run
from egodsl.engine.moves import IllegalMoveError
from egodsl.engine.record import Record, RecordError
from egodsl.engine.state import State
from egodsl.engine.table import CHANCE, DECIDE
from egodsl.engine.texts import player_name
from egodsl.engine.together import merge_if_done

if TYPE_CHECKING:
    from collections.abc import Iterator

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
            told.append(_tell(teller, entry))
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


def _tell(teller: State, entry: tuple[Any, ...]) -> Event:
    if entry[0] == CHANCE:
        assert teller.chance_at is not None
        return "chance", next(outcome.text for outcome, same in teller.outcomes() if entry[2] in same)
    player = entry[1]
    moves = teller.legal_moves(player)
    return player_name(player), next(m.text for m in moves if m.raw == entry[3])


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


def play_events(game: Game, record: Record) -> State:
    """Play the events from the start. Raises RecordError with the first that does not fit."""
    state = game.start(record.seed)
    for number, (who, text) in enumerate(record.events, start=1):
        try:
            _play_event(state, who, text, seeded=record.seed is not None)
        except (IllegalMoveError, GameFault) as error:
            if isinstance(error, GameFault) and number == len(record.events):
                return state
            message = f"event {number} of the record (`{who}`: `{text}`) does not fit: {error}"
            raise RecordError(message, code="EGO803") from error
    _compare(retell(state), record)
    return state


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


def _compare(told: list[Event], record: Record) -> None:
    for number, (mine, theirs) in enumerate(zip(told, record.events, strict=False), start=1):
        if mine != theirs:
            message = (
                f"event {number} differs: the record has {theirs[0]}: `{theirs[1]}`, here it is {mine[0]}: `{mine[1]}`"
            )
            raise RecordError(message, code="EGO803")
    if len(told) != len(record.events):
        message = f"the record has {len(record.events)} events, here there are {len(told)}"
        raise RecordError(message, code="EGO803")
