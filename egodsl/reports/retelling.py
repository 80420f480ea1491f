"""A recorded game played again, event by event, as far as it fits the rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from egodsl.engine.faults import GameFault
from egodsl.engine.moves import IllegalMoveError
from egodsl.engine.texts import player_name

if TYPE_CHECKING:
    from egodsl.engine.game import Game
    from egodsl.engine.record import Record
    from egodsl.engine.state import State
    from egodsl.source.diagnostics import Diagnostic

CHANCE = "chance"


class Retelling:
    """Iterating plays the events of a record and gives each as (number from 1, who, text) after it has happened.

    Chance has the outcomes that were written down, so a rulebook that shuffles otherwise still tells the same game.
    `state` is the position reached, None where the rules break before the first decision; `difference` says, after an
    event that does not fit, which and why; `fault` is the fault in which the game ended.
    """

    def __init__(self, game: Game, record: Record) -> None:
        self.record = record
        self.state: State | None = None
        self.difference: str | None = None
        self.fault: Diagnostic | None = None
        try:
            self.state = game.start()
        except GameFault as fault:
            self.fault = fault.diagnostic

    def __iter__(self) -> Iterator[tuple[int, str, str]]:
        state = self.state
        for number, (who, text) in enumerate(self.record.events, start=1):
            if state is None or self.fault is not None:
                self.difference = (
                    f"event {number} of the record (`{who}`: `{text}`) does not fit: the rules cannot go on before it"
                )
                return
            try:
                _play(state, who, text)
            except GameFault as fault:
                self.fault = fault.diagnostic
            except IllegalMoveError as error:
                self.difference = f"event {number} of the record (`{who}`: `{text}`) does not fit: {error}"
                return
            yield number, who, text


def _play(state: State, who: str, text: str) -> None:
    if who == CHANCE:
        if not state.is_chance:
            raise IllegalMoveError("no chance event is due")
        state.apply(next((outcome for outcome in state.chance() if outcome.text == text), text))
        return
    deciding = state.to_move
    player = next((p for p in deciding if player_name(p) == who), None)
    if player is None:
        now = (
            "chance decides"
            if state.is_chance
            else f"{', '.join(map(player_name, deciding))} decides"
            if deciding
            else "the game is over"
        )
        raise IllegalMoveError(f"{who} does not decide here; {now}")
    move = next((m for m in state.legal_moves(player) if m.text == text), None)
    if move is None:
        offered = ", ".join(f"`{m.text}`" for m in state.legal_moves(player)[:8])
        raise IllegalMoveError(f"{who} cannot play it here; the moves are {offered}")
    state.apply(move)
