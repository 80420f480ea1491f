"""A rulebook as a state machine for Hypothesis, to be extended by invariants."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from egodsl.engine.game import Game
from egodsl.engine.moves import Move
from egodsl.engine.state import State
from egodsl.engine.texts import player_name
from egodsl.testing.games import Source, Tables
from egodsl.testing.playing import beginning


class GameMachine(RuleBasedStateMachine):
    """A game that Hypothesis plays. Made by `machine`, which adds a rule for each action.

    Attributes:
        game: the configured game.
        state: the position now, chance left open.
        before: a copy of the position before the last step; None before the first.
    """

    game: Game
    state: State
    before: State | None = None
    _at: tuple[object, int] = (None, -1)
    _legal: Mapping[str, Move] = MappingProxyType({})

    def begin_game(self, game: Game) -> None:
        """Take up a game at its first position. Raises GameFault where the rules cannot get that far."""
        self.game = game
        self.state, fault = beginning(game)
        if fault is not None:
            raise fault

    def offered(self, action: str | None) -> list[str]:
        """The legal moves now that perform an action (None: those that perform none), as `A: draw`."""
        at = (self.state.log, self.state.decisions)
        if self._at[0] is not at[0] or self._at[1] != at[1]:
            self._at = at
            found = (move for player in self.state.to_move for move in self.state.legal_moves(player))
            self._legal = {f"{player_name(move.player)}: {move.text}": move for move in found}
        return [text for text, move in self._legal.items() if move.action == action]

    def play(self, move: str) -> None:
        """Play one of the moves that `offered` gave. A fault of the rules is raised, and so fails the test."""
        self.before = self.state.clone()
        self.state.apply(self._legal[move])

    @precondition(lambda self: self.state.is_chance)
    @rule(outcome=st.runner().flatmap(lambda self: st.sampled_from([one.text for one in self.state.chance()])))
    def chance(self, outcome: str) -> None:
        """What chance brings."""
        self.before = self.state.clone()
        self.state.apply(outcome)

    @precondition(lambda self: self.offered(None))
    @rule(move=st.runner().flatmap(lambda self: st.sampled_from(self.offered(None))))
    def choose(self, move: str) -> None:
        """A decision that is no action: a choice, an option, yes or no."""
        self.play(move)

    @precondition(lambda self: self.state.is_over)
    @rule()
    def rest(self) -> None:
        """Nothing, when the game is over: the machine needs a step to take."""


def machine(
    rulebook: Source,
    *,
    players: int | Collection[int] | None = None,
    modes: Collection[str] | None = None,
    readings: Mapping[str, str] | None = None,
    parameters: Mapping[str, int] | None = None,
) -> type[GameMachine]:
    """A state machine that plays a rulebook: a rule `play_NAME` for each action, with its legal arguments, `choose` for
    decisions that are no actions, and `chance`. Subclass it with an `@invariant()` that looks at `self.state`; its
    `TestCase` is a test. A fault of the rules fails the test.

    The arguments, and what is raised, are those of `games`. How long games are is Hypothesis's `stateful_step_count`.
    """
    tables = Tables(rulebook, players, modes, readings, parameters)

    @initialize(players=st.sampled_from(tables.players), modes=tables.modes_on(), readings=tables.answers())
    def begin(self: GameMachine, players: int, modes: tuple[str, ...], readings: dict[str, str]) -> None:
        """Begin a game."""
        self.begin_game(tables.game(players, modes, readings))

    rules: dict[str, Callable[..., Any]] = {
        f"play_{name}": _playing(name) for name in tables.rulebook.checked.program.actions
    }
    return type("RulebookMachine", (GameMachine,), {"begin": begin, **rules})


def _playing(action: str) -> Callable[..., Any]:
    def play(self: GameMachine, move: str) -> None:
        self.play(move)

    play.__name__ = play.__qualname__ = f"play_{action}"
    legal = st.runner().flatmap(lambda self: st.sampled_from(self.offered(action)))
    decorated: Callable[..., Any] = precondition(lambda self: self.offered(action))(rule(move=legal)(play))
    return decorated
