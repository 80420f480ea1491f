"""Rulebooks as environments of PettingZoo (agent environment cycle).

    from egodsl.interop import pettingzoo

    env = pettingzoo.env("mygame.rules", players=3)  # a rulebook of the package, or the path of a file
    env.reset(seed=1)

An observation is a dictionary: `observation`, a row of numbers (`env.unwrapped.labels` says what each of them is), and
`action_mask`, 1 for each action that is legal for the agent now. Needs the extra `egodsl[pettingzoo]`; without it,
importing this module raises NotInstalledError (EGO923).
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any

from egodsl.engine.rng import Random, derive
from egodsl.interop.position import CHANCE, Position, Rules, rules_of
from egodsl.interop.problems import InteropError, NotInstalledError
from egodsl.interop.settings import MOST_LENGTH, load_rulebook
from egodsl.interop.strings import observation_text

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise NotInstalledError("pettingzoo", "pettingzoo") from error

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

RENDER_MODES = ("ansi",)


def env(path_or_name: str | PathLike[str], **settings: Any) -> AECEnv[str, Any, Any]:  # noqa: ANN401 - those of `raw_env`
    """As `raw_env`, with PettingZoo's guard against calls in the wrong order."""
    return OrderEnforcingWrapper(raw_env(path_or_name, **settings))


def raw_env(
    path_or_name: str | PathLike[str],
    *,
    players: int | None = None,
    modes: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    parameters: Mapping[str, int] | None = None,
    max_length: int = MOST_LENGTH,
    max_number: int = 0,
    render_mode: str | None = None,
) -> Environment:
    """An environment for a rulebook: a file, or the name of one that comes with the package.

    `players`, `modes`, `readings` and `parameters` are settings of the rulebook. A game of more than `max_length`
    actions is cut short (truncated). `max_number` bounds numbers that the rulebook does not bound.

    Raises FileNotFoundError, RulebookError, SettingsError, and InteropError where the game has no finite encoding or
    a setting cannot be what it is.
    """
    for name, number, least in (("max_length", max_length, 1), ("max_number", max_number, 0)):
        if type(number) is not int or number < least:
            raise InteropError("EGO924", f"`{name}` is a whole number from {least} on, not {number!r}")
    for name, pairs in (("readings", readings), ("parameters", parameters)):
        if not isinstance(pairs, Mapping | None):
            raise InteropError("EGO924", f"`{name}` is a dictionary, not {pairs!r}")
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise InteropError(
            "EGO924", f"there is no render mode `{render_mode}`", f"there are: {', '.join(RENDER_MODES)}"
        )
    rulebook = load_rulebook(path_or_name)
    game = rulebook.game(players=players, modes=modes, readings=readings, parameters=parameters)
    rules = rules_of(game, max_number)
    return Environment(rules.start(), max_length, render_mode)


def _actions(rules: Rules) -> int:
    # A space has at least one, also where nobody ever acts.
    return max(rules.encoding.size, 1)


class Environment(AECEnv[str, Any, Any]):
    """A game as an environment. Agents are `player_0`, `player_1`, ... by seat.

    Rewards are the returns, when the game is over; before that they are 0. Where several players choose at once they
    are asked one after the other, and none of them sees what others have chosen before all have.
    """

    def __init__(self, first: Position, max_length: int, render_mode: str | None) -> None:
        super().__init__()
        rules = first.rules
        name = rules.game.rulebook.name
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.render_mode = render_mode
        self.labels = rules.layout.labels
        """What each number of an observation says, as `hand[A]: shows 3`."""
        self.actions = rules.encoding.texts
        """What each action is called."""
        self.possible_agents = [f"player_{seat}" for seat in range(rules.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._space(first) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(_actions(rules)) for agent in self.possible_agents}
        self._first = first
        self._position = first
        self._most = max_length
        self._games = 0
        self._seed = 0
        self._random = Random(0)

    @staticmethod
    def _space(first: Position) -> spaces.Space[Any]:
        rules = first.rules
        return spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (rules.layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (_actions(rules),), np.int8),
            }
        )

    @property
    def position(self) -> Position:
        """The position now. (It holds secrets of all players.)"""
        return self._position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What observations of the agent look like: the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The actions of the agent: the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The same seed gives the same chance; without one, the games after a seed are all different, and
        the same again after that seed (before any seed was given, it is 0).
        """
        del options
        if seed is not None:
            self._seed, self._games = seed, 0
        self._random = Random(derive(self._seed, "pettingzoo", self._games))
        self._games += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_to(self._first)
        # A game may be over before anybody acts.
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """The action of the selected agent; None where it is out of the game.

        Raises IllegalMoveError for an action that is not legal, and GameFault where the rules cannot go on.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not hasattr(action, "__index__"):
            raise InteropError("EGO924", f"`{agent}` has to act, and `{action}` is no action")
        after = self._position.after({self._seats[agent]: index(action)})
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._go_to(after)
        self._accumulate_rewards()

    def _go_to(self, position: Position) -> None:
        while position.actor == CHANCE:
            position = position.after_chance(self._drawn(position))
        self._position = position
        if position.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            returns = position.returns()
            self.rewards = {agent: returns[self._seats[agent]] for agent in self.agents}
        elif position.length >= self._most:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[position.to_move[0]]

    def _drawn(self, position: Position) -> int:
        # Probabilities are fractions: a number below their common denominator falls into one of the outcomes.
        outcomes = position.outcomes()
        whole = max(outcome.probability.denominator for outcome in outcomes)
        while any(whole % outcome.probability.denominator for outcome in outcomes):
            whole += max(outcome.probability.denominator for outcome in outcomes)
        left = self._random.below(whole)
        for number, outcome in enumerate(outcomes):
            left -= outcome.probability.numerator * (whole // outcome.probability.denominator)
            if left < 0:
                return number
        raise AssertionError

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees, and which of its actions are legal."""
        position, seat = self._position, self._seats[agent]
        mask = np.zeros(_actions(position.rules), np.int8)
        if not self.truncations.get(agent, False):
            mask[position.legal(seat)] = 1
        return {"observation": np.array(position.tensor(seat), np.float32), "action_mask": mask}

    def render(self) -> str | None:
        """What the selected agent sees, as text; None without a render mode."""
        if self.render_mode is None:
            return None
        return observation_text(self._position, self._seats[self.agent_selection])

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


__all__ = ["Environment", "env", "raw_env"]
