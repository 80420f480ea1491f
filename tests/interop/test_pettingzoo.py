from __future__ import annotations

import sys
import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from egodsl.engine.moves import IllegalMoveError
from egodsl.engine.settings import SettingsError
from egodsl.interop import pettingzoo
from egodsl.interop.problems import InteropError, NotInstalledError
from egodsl.interop.strings import observation_text
from tests.interop.helpers import TEN

EXPECTED = (
    # Its own environments with dictionaries are excepted from these by their names.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
)


def play(env: pettingzoo.Environment, seed: int, most: int = 400) -> dict[str, float]:
    """Play a random game; what each agent was rewarded with."""
    env.reset(seed=seed)
    chooser = Random(seed)  # noqa: S311 - a random game is no secret
    total: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        done = terminated or truncated
        env.step(None if done else chooser.choice(np.flatnonzero(observation["action_mask"])))
    return total


@pytest.mark.parametrize("name", TEN)
def test_its_own_checks(name: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        api_test(pettingzoo.env(name), num_cycles=25)
    assert {str(warning.message) for warning in warned} <= set(EXPECTED)
    seed_test(lambda: pettingzoo.env(name), num_cycles=25)


def test_rewards_are_the_returns() -> None:
    for seed in range(5):
        env = pettingzoo.raw_env("leduc_poker", players=3)
        total = play(env, seed)
        assert list(total.values()) == env.position.returns()
        assert any(total.values())
        assert env.agents == []


def test_a_seed_decides_what_chance_does() -> None:
    def told(env: pettingzoo.Environment, seed: int | None) -> str:
        env.reset(seed=seed)
        return str(env.position)

    env = pettingzoo.raw_env("egocentric_world")
    first = [told(env, 3), *(told(env, None) for _ in range(4))]
    assert len(set(first)) == 5
    assert [told(env, 3), *(told(env, None) for _ in range(4))] == first
    other = pettingzoo.raw_env("egocentric_world")
    assert [told(other, 3), *(told(other, None) for _ in range(4))] == first
    assert told(env, 4) != first[0]


def test_chance_is_as_likely_as_the_rules_say() -> None:
    # Three cards, the first to A: each in about a third of 600 deals. Five deviations are some 58.
    env = pettingzoo.raw_env("kuhn_poker")
    counts: dict[str, int] = {}
    for seed in range(600):
        env.reset(seed=seed)
        card = str(env.position).split(";")[0]
        counts[card] = counts.get(card, 0) + 1
    assert sorted(counts) == ["chance: 1", "chance: 2", "chance: 3"]
    assert all(abs(count - 200) < 58 for count in counts.values())


def test_who_chooses_at_once_is_asked_in_turn_and_sees_nothing_of_the_others() -> None:
    env = pettingzoo.raw_env("goofspiel")
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    before = env.observe("player_1")
    env.step(12)
    assert env.agent_selection == "player_1"
    after = env.observe("player_1")
    assert (after["observation"] == before["observation"]).all()
    assert (after["action_mask"] == before["action_mask"]).all()
    env.step(3)
    assert env.observe("player_0")["action_mask"].tolist() == [1] * 12 + [0]


def test_an_observation_is_what_its_labels_say() -> None:
    env = pettingzoo.raw_env("kuhn_poker")
    env.reset(seed=1)
    card = str(env.position).split("; ")[0].removeprefix("chance: ")
    seen = dict(zip(env.labels, env.observe("player_0")["observation"].tolist(), strict=True))
    assert [k for k in "123" if seen[f"hand[A]: shows {k}"]] == [card]
    hidden = dict(zip(env.labels, env.observe("player_1")["observation"].tolist(), strict=True))
    assert [k for k in "123" if hidden[f"hand[A]: shows {k}"]] == []
    assert env.actions == ["pass", "bet"]


def test_a_game_that_is_too_long_is_cut_short() -> None:
    env = pettingzoo.raw_env("pig", max_length=3)
    env.reset(seed=1)
    for number in range(3):
        assert not any(env.truncations.values()), number
        env.step(1)
    assert env.truncations == {"player_0": True, "player_1": True}
    assert not any(env.terminations.values())
    assert set(play(env, 1).values()) == {0}


def test_an_action_that_is_not_legal_is_refused() -> None:
    env = pettingzoo.env("leduc_poker")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=r"action 0 of A is not legal here; legal are \[1, 2\]"):
        env.step(0)
    with pytest.raises(InteropError, match="`player_0` has to act, and `None` is no action"):
        env.step(None)


def test_rendering_tells_what_the_selected_agent_sees() -> None:
    env = pettingzoo.raw_env("kuhn_poker", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == observation_text(env.position, 0)
    assert pettingzoo.raw_env("kuhn_poker").render() is None


def test_settings_that_there_are_not() -> None:
    with pytest.raises(SettingsError, match="pig"):
        pettingzoo.env("pig", players=11)
    with pytest.raises(SettingsError, match="no parameter `speed`"):
        pettingzoo.env("pig", parameters={"speed": 3})
    with pytest.raises(InteropError, match="there is no render mode `human`"):
        pettingzoo.env("pig", render_mode="human")
    with pytest.raises(FileNotFoundError, match="there is no rulebook `snakes`"):
        pettingzoo.env("snakes")


def test_without_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "egodsl.interop.pettingzoo")
    with pytest.raises(NotInstalledError, match="`pettingzoo` is not installed") as caught:
        __import__("egodsl.interop.pettingzoo")
    assert caught.value.diagnostics[0].code.number == "EGO923"
    assert caught.value.diagnostics[0].help == "pip install 'egodsl[pettingzoo]'"
