"""Playing any rulebook at random, and what must hold of every state on the way."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

from egodsl.analysis import check_file
from egodsl.engine.faults import GameFault
from egodsl.engine.game import Game, Rulebook, RulebookError
from egodsl.engine.settings import parameter_range
from egodsl.engine.state import State
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.text import SourceText
from tests.helpers import check_cards

LIMIT = 3_000
MOST_MOVES = 2_000


def errors_of(text: str) -> list[Diagnostic]:
    """The errors of the checker."""
    return [one for one in check_file(SourceText("made.rules", text))[1] if one.is_error]


def rulebook_of(text: str) -> Rulebook | None:
    """The rulebook, or None where the checker has errors."""
    checked, found = check_file(SourceText("made.rules", text))
    return None if checked is None or any(one.is_error for one in found) else Rulebook(checked)


def games_of(rulebook: Rulebook, rng: random.Random) -> list[Game]:
    """A game for each number of players, with settings drawn. A deck that cannot be is a RulebookError, and no game."""
    found: list[Game] = []
    program = rulebook.checked.program
    for players in rulebook.players:
        modes = [name for name in program.modes if rng.random() < 0.5]
        readings = {name: rng.choice(decl.answers).name.name for name, decl in program.readings.items()}
        parameters = {
            name: rng.randint(*parameter_range(rulebook.checked, decl)) for name, decl in program.parameters.items()
        }
        try:
            found.append(
                rulebook.game(players=players, modes=modes, readings=readings, parameters=parameters, limit=LIMIT)
            )
        except RulebookError:
            continue
    return found


class Play:
    """One random game of at most so many decisions and chance events. `state` is None where it could not begin."""

    def __init__(self, game: Game, seed: int | None, rng: random.Random, most: int) -> None:
        self.game = game
        self.rng = rng
        self.fault: GameFault | None = None
        self.state: State | None = None
        self.texts: list[str] = []
        try:
            self.state = game.start(seed)
            self._look(self.state)
            for _ in range(most):
                text = self.step(self.state)
                if text is None:
                    break
                self.texts.append(text)
        except GameFault as fault:
            self.fault = fault

    def step(self, state: State) -> str | None:
        """One decision or chance event; gives its text, None where the game is over. Raises GameFault."""
        if state.is_over:
            assert state.result is not None
            return None
        if state.is_chance:
            outcomes = state.chance()
            assert sum(one.probability for one in outcomes) == 1
            outcome = self.rng.choice(outcomes)
            text = outcome.text
            state.apply(outcome)
        else:
            player = self.rng.choice(state.to_move)
            legal = state.legal_moves(player)
            assert legal, "somebody decides and has no move"
            assert len({move.text for move in legal}) == len(legal), "two moves have one text"
            if len(legal) > MOST_MOVES:
                return None
            move = self.rng.choice(legal)
            text = move.text
            state.apply(move)
        if self.rng.random() < 0.2:
            self._look(state)
        return text

    def _look(self, state: State) -> None:
        for player in range(self.game.players):
            view = state.view(player)
            state.observations(player)
            if self.rng.random() < 0.2:
                assert state.redeal(player, self.rng.randrange(1 << 32)).view(player) == view
        check_cards(state)


def check_record(play: Play) -> None:
    """The record of a game leads to an equal state, and that of a fault to the same fault."""
    if play.fault is not None:
        replayed = play.game.replay(play.fault.record)
        assert replayed.fault is not None
        assert replayed.fault == play.fault.diagnostic
        return
    assert play.state is not None
    again = play.game.replay(play.state.record())
    assert again == play.state
    assert hash(again) == hash(play.state)
    for player in range(play.game.players):
        assert again.view(player) == play.state.view(player)
        assert again.observations(player) == play.state.observations(player)


def check_copy(play: Play) -> None:
    """A copy that is played on does not touch its original."""
    state = play.state
    if play.fault is not None or state is None:
        return
    before = state.record()
    views = [state.view(player) for player in range(play.game.players)]
    copy = state.clone()
    assert copy == state
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - our own
    try:
        for _ in range(5):
            if not play.step(copy):
                break
    except GameFault:
        pass
    assert state.record() == before
    assert [state.view(player) for player in range(play.game.players)] == views
    assert play.game.replay(before) == state


def write(folder: Path, text: str) -> Path:
    """A file with the text."""
    path = folder / "made.rules"
    path.write_text(text, encoding="utf-8")
    return path
