"""Small rulebooks from strings, and short ways to read and play their games."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from egodsl.analysis import analyse, link
from egodsl.engine.game import Rulebook, RulebookError

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction
    from pathlib import Path

    from egodsl.engine.state import State


def write_rules(folder: Path, text: str, name: str = "tried") -> Path:
    """Write a rulebook (its common indent is taken off) into the folder; give its path."""
    path = folder / f"{name}.rules"
    path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return path


def load_text(folder: Path, text: str, name: str = "tried") -> Rulebook:
    """Load a rulebook from its text. A text without a head is given one, for two to four players.

    Only names and types are checked, so that the engine is tried with what the later checks refuse or warn of: what
    they find before play is a fault in play. Raises RulebookError.
    """
    text = textwrap.dedent(text).lstrip("\n")
    if not text.startswith(("rulebook ", "variant ", "library ", ">")):
        text = f'rulebook {name} "A rulebook to try":\n    players 2..4\n\n{text}'
    program, found = link(write_rules(folder, text, name))
    if program is None:
        raise RulebookError(found)
    checked = analyse(program)
    found = [*found, *checked.diagnostics]
    if any(diagnostic.is_error for diagnostic in found):
        raise RulebookError(found)
    return Rulebook(checked)


def moves(state: State, player: int | None = None) -> list[str]:
    """The texts of the moves of the player, or of the one who decides."""
    if player is None:
        (player,) = state.to_move
    return [move.text for move in state.legal_moves(player)]


def deciding(state: State) -> list[int]:
    """The players who decide now."""
    return list(state.to_move)


def play(state: State, *texts: str) -> State:
    """Apply the moves and outcomes in turn; give the state back."""
    for text in texts:
        state.apply(text)
    return state


def play_as(state: State, player: int, text: str) -> None:
    """Apply the move of one of several who decide at once."""
    state.apply(next(m for m in state.legal_moves(player) if m.text == text))


def outcomes(state: State) -> dict[str, Fraction]:
    """The outcomes of the chance event now with their probabilities."""
    found = state.chance()
    made = {outcome.text: outcome.probability for outcome in found}
    assert len(made) == len(found), "the texts of the outcomes of one chance event differ"
    return made


def zone(state: State, name: str, *indexes: object) -> list[str]:
    """The cards of a zone as texts: a stack from its top, a row from its front, a set in order of declaration."""
    family = state.game.layout.zones[state.game.checked.program.zones[name]]
    return [state.game.texts.card(card, state) for card in state.Z[family.slot(indexes)]]


def var(state: State, name: str, *indexes: object) -> Any:  # noqa: ANN401 - values are of any type
    """The value of a variable."""
    family = state.game.layout.vars[state.game.checked.program.vars[name]]
    return state.V[family.slot(indexes)]


def check_cards(state: State) -> None:
    """Every card is in exactly one zone, and the zones and the cards agree on it."""
    lying = sorted(card for cards in state.Z for card in cards)
    assert lying == list(range(len(state.game.layout.card_type)))
    for slot, cards in enumerate(state.Z):
        for card in cards:
            assert state.L[card] == slot


def play_out(state: State, below: Callable[[int], int], most: int = 20_000) -> State:
    """Play to the end, each decision by `below(number of moves)`; it must end within `most` of them."""
    for _ in range(most):
        if state.is_over:
            return state
        if len(state.to_move) == 1 and not state.branches:
            state.choose(below(len(state.moves)))
        elif state.to_move:
            player = state.to_move[below(len(state.to_move))]
            legal = state.legal_moves(player)
            state.apply(legal[below(len(legal))])
        else:
            found = state.chance()
            state.apply(found[below(len(found))])
    message = f"no end after {most} decisions"
    raise AssertionError(message)
