from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import pyspiel
import pytest

from egodsl.engine.game import RulebookError
from egodsl.engine.settings import SettingsError
from egodsl.interop import openspiel
from egodsl.interop.problems import InteropError, NotInstalledError
from egodsl.source.diagnostics import DiagnosticError
from tests.helpers import write_rules
from tests.interop.helpers import CLASSICS, DOCUMENTS, RULEBOOKS, TEN
from tests.interop.suites import API

if TYPE_CHECKING:
    from pathlib import Path

SIMULATIONS = "open_spiel.python.tests.games_sim_test"
UNIFORM = pyspiel.UniformRandomPolicy


def load(name: str, **parameters: Any) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    return pyspiel.load_game(openspiel.register(name), parameters)


def code_of(error: DiagnosticError) -> str:
    (problem,) = error.diagnostics
    return problem.code.number


# ---------------------------------------------------------------- its own checks


@pytest.mark.parametrize("name", TEN)
def test_random_simulations(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=1, serialize=True, verbose=False)


def test_random_simulations_of_a_game_of_bounded_length() -> None:
    # Then there are tensors of information states too.
    game = load("leduc_poker", max_length=12)
    assert game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


def test_random_simulations_of_players_who_choose_at_once_asked_in_turn() -> None:
    game = pyspiel.convert_to_turn_based(load("goofspiel"))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("names", [DOCUMENTS, CLASSICS], ids=["documents", "classics"])
@pytest.mark.parametrize("module", [API, SIMULATIONS], ids=["api_test", "games_sim_test"])
def test_its_own_test_programs(module: str, names: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.interop.suites", module, *names],
        cwd=RULEBOOKS.parent,
        env={**os.environ, "TESTBRIDGE_TEST_ONLY": "egodsl_"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    # Five tests of a part of the tree; or one game, and one for each number of players up to six.
    ran = re.search(r"^Ran (\d+) tests", done.stderr, re.MULTILINE)
    assert ran is not None
    assert int(ran[1]) >= (5 if module == API else 2) * len(names)
    assert done.stderr.rstrip().endswith("OK")


# ---------------------------------------------------------------- what it computes


def test_counterfactual_regret_finds_the_value_of_kuhn_poker() -> None:
    game = load("kuhn_poker", utility="zero_sum")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(150):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    returns = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)  # noqa: FBT003 - it has no names
    assert returns[0] == pytest.approx(-1 / 18, abs=1e-4)
    assert returns[0] + returns[1] == pytest.approx(0, abs=1e-12)
    assert pyspiel.exploitability(game, policy) < 2e-3


def test_exploitability_in_leduc_poker_is_that_of_its_own_leduc() -> None:
    # Our payoffs are in half chips.
    ours, theirs = load("leduc_poker", utility="zero_sum"), pyspiel.load_game("leduc_poker")
    assert pyspiel.exploitability(ours, UNIFORM(ours)) / 2 == pytest.approx(
        pyspiel.exploitability(theirs, UNIFORM(theirs)), abs=1e-9
    )
    # A policy reads the tables of its solver, so the solvers must live as long.
    solvers = [pyspiel.CFRSolver(game) for game in (ours, theirs)]
    for solver in solvers:
        for _ in range(3):
            solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(ours, solvers[0].average_policy()) / 2 == pytest.approx(
        pyspiel.exploitability(theirs, solvers[1].average_policy()), abs=1e-9
    )


def test_its_tree_search_plays_pig() -> None:
    # `MCTSBot.step` lets go of Python while it plays, which no game in Python survives; its search does not.
    game = load("pig", parameters="target:12")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
    searcher = pyspiel.MCTSBot(game, evaluator, 2.0, 60, 10, solve=False, seed=7, verbose=False)
    wins = 0
    for seed in range(12):
        chooser = Random(seed)  # noqa: S311 - a random player is no secret
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seed % 2:
                state.apply_action(searcher.mcts_search(state).best_child().action)
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
        wins += state.returns()[seed % 2] > 0
    # A random player wins half of its games against another.
    assert wins >= 10


# ---------------------------------------------------------------- what it is told


def test_what_a_game_says_of_itself() -> None:
    game = load("kuhn_poker", players=3, utility="zero_sum", max_length=5)
    kind = game.get_type()
    assert (game.num_players(), kind.min_num_players, kind.max_num_players) == (3, 2, 10)
    assert (game.num_distinct_actions(), game.max_chance_outcomes(), game.max_game_length()) == (2, 4, 5)
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert load("goofspiel").get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert load("pig").get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert load("hanabi").get_type().utility == pyspiel.GameType.Utility.IDENTICAL


def test_chance_has_its_probabilities() -> None:
    state = load("egocentric_world").new_initial_state()
    assert [(state.action_to_string(-1, k), p) for k, p in state.chance_outcomes()] == [("A", 0.5), ("B", 0.5)]


def test_actions_have_names() -> None:
    state = load("kuhn_poker").new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["pass", "bet"]
    state.apply_action(1)
    assert str(state) == "chance: 3; chance: 1; A: bet"


def test_players_choose_at_once() -> None:
    state = load("goofspiel", parameters="size:3").new_initial_state()
    state.apply_action(0)
    assert state.is_simultaneous_node()
    assert state.legal_actions(0) == state.legal_actions(1) == [0, 1, 2]
    state.apply_actions([2, 0])
    assert state.is_chance_node()
    assert state.legal_actions(0) == state.legal_actions(-1)


def test_observations_are_public_and_private() -> None:
    game = load("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(2)
    state.apply_action(0)
    kind, private = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    public = game.make_py_observer(kind(public_info=True, perfect_recall=False, private_info=private.NONE))
    own = game.make_py_observer(kind(public_info=False, perfect_recall=False, private_info=private.SINGLE_PLAYER))
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert "hand[A]: 1 cards" in public.string_from(state, 0).split("\n")
    assert "hand[A] shows 3" in own.string_from(state, 0).split("\n")
    assert "hand[A] shows ?" in own.string_from(state, 1).split("\n")
    assert public.tensor is None
    whole = state.observation_string(0)
    assert whole == public.string_from(state, 0) + "\n" + own.string_from(state, 0)


def test_games_and_states_are_stored() -> None:
    game = load("egocentric_world", players=3, modes="")
    state = game.new_initial_state()
    for _ in range(15):
        state.apply_action(state.legal_actions()[-1])
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own
    assert str(again) == str(state)
    assert str(again.get_game()) == str(game) == "egodsl_egocentric_world(players=3)"
    assert again.legal_actions() == state.legal_actions()
    copy = game.deserialize_state(state.serialize())
    assert copy.history() == state.history()


def test_another_process_can_read_what_was_stored(tmp_path: Path) -> None:
    name = openspiel.register("kuhn_poker", "stored_kuhn", utility="zero_sum")
    state = pyspiel.load_game(name, {"players": 3}).new_initial_state()
    state.apply_action(1)
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps(state))
    line = f"import pickle; s = pickle.load(open({str(file)!r}, 'rb')); print(s.get_game(), s)"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout == "stored_kuhn(players=3) chance: 2\n"


# ---------------------------------------------------------------- settings and promises


def test_modes_readings_and_parameters_are_set() -> None:
    game = load("pig", parameters="target:5")
    assert game.new_initial_state().position.rules.game.settings.parameters == {"target": 5}
    game = pyspiel.load_game(f"{openspiel.register('pig')}(players=4,parameters=target:7)")
    assert game.num_players() == 4
    assert game.new_initial_state().position.rules.game.settings.parameters == {"target": 7}


def test_defaults_can_be_registered() -> None:
    name = openspiel.register("pig", "short_pig", players=3, parameters="target:5", max_length=60)
    game = pyspiel.load_game(name)
    assert (name, game.num_players(), game.max_game_length()) == ("short_pig", 3, 60)
    assert str(game) == "short_pig()"


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"players": 11}, "EGO910"),
        ({"modes": "fast"}, "EGO911"),
        ({"readings": "meaning:both"}, "EGO911"),
        ({"parameters": "speed:3"}, "EGO911"),
        ({"parameters": "target:0"}, "EGO912"),
        ({"parameters": "target"}, "EGO924"),
        ({"parameters": "target:many"}, "EGO924"),
        ({"utility": "happy"}, "EGO924"),
        ({"utility": "constant_sum"}, "EGO924"),
        ({"utility": "zero_sum:3"}, "EGO924"),
        ({"min_utility": 3, "max_utility": 1}, "EGO924"),
        ({"max_length": -1}, "EGO924"),
    ],
    ids=str,
)
def test_settings_that_there_are_not(parameters: dict[str, Any], code: str) -> None:
    name = openspiel.register("pig")
    with pytest.raises((SettingsError, InteropError)) as caught:
        pyspiel.load_game(name, parameters)
    assert code_of(caught.value) == code


def test_a_parameter_that_there_is_not() -> None:
    with pytest.raises(pyspiel.SpielError, match=r"(?s)Unknown parameter 'speed'.*players"):
        load("pig", speed=3)
    with pytest.raises(InteropError, match="there is no parameter `speed`") as caught:
        openspiel.register("pig", speed=3)
    assert code_of(caught.value) == "EGO924"
    with pytest.raises(InteropError, match="parameter `players` is a whole number, not 'two'"):
        openspiel.register("pig", players="two")


def test_a_game_that_goes_on_for_longer_than_was_said() -> None:
    state = load("pig", max_length=2).new_initial_state()
    for _ in range(2):
        state.apply_action(1)
    with pytest.raises(InteropError, match="goes on after 2 decisions") as caught:
        state.apply_action(1)
    assert code_of(caught.value) == "EGO922"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"utility": "constant_sum:3"}, "ended with 1, -1, and is said to sum up to 3"),
        ({"utility": "identical"}, "ended with 1, -1, and all are said to get the same"),
        ({"max_utility": 1, "min_utility": 0}, "nobody is said to get less than 0 or more than 1"),
    ],
)
def test_a_game_that_does_not_pay_what_was_said(parameters: dict[str, Any], message: str) -> None:
    # 3 against 1, nobody bets: one chip goes to A.
    state = load("kuhn_poker", **parameters).new_initial_state()
    for action in (2, 0, 0):
        state.apply_action(action)
    with pytest.raises(InteropError, match=message) as caught:
        state.apply_action(0)
    assert code_of(caught.value) == "EGO922"


def test_returns_as_promised_are_given() -> None:
    state = load("kuhn_poker", utility="zero_sum", min_utility=-2, max_utility=2).new_initial_state()
    for action in (2, 0, 0, 0):
        state.apply_action(action)
    assert state.returns() == [1, -1]


BOUNDED = """
    rulebook bounded "Bounded":
        players 2
        result most points
    var points[player]: 0..9 = 0
    stage game:
        repeat 2 times:
            as p in players: may "go": points += 1
    property short: every game within 4 decisions
    """


def test_a_length_that_the_rulebook_states_counts(tmp_path: Path) -> None:
    game = pyspiel.load_game(openspiel.register(write_rules(tmp_path, BOUNDED, "bounded")))
    assert game.max_game_length() == 4
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert game.get_type().provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


# ---------------------------------------------------------------- what cannot be registered


def test_a_rulebook_without_a_finite_encoding(tmp_path: Path) -> None:
    text = """
        rulebook endless "Endless":
            players 2
            result most bid
        var bid[player]: 0.. = 0
        define highest = most(bid[p] for p in players)
        stage game:
            as p in players: choose bid in highest + 1 .. highest + 9
        """
    path = write_rules(tmp_path, text, "endless")
    with pytest.raises(InteropError, match="a number that has no bound") as caught:
        openspiel.register(path)
    assert code_of(caught.value) == "EGO920"
    game = pyspiel.load_game(openspiel.register(path, max_number=18))
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_an_information_state_that_is_too_long() -> None:
    with pytest.raises(InteropError, match="an information state of `hanabi` takes") as caught:
        load("hanabi", max_length=5000)
    assert code_of(caught.value) == "EGO921"


def test_a_rulebook_with_mistakes(tmp_path: Path) -> None:
    with pytest.raises(RulebookError):
        openspiel.register(write_rules(tmp_path, 'rulebook tried "Tried":\n    players 2\nstage game: undo\n'))


def test_a_rulebook_that_there_is_not() -> None:
    with pytest.raises(FileNotFoundError, match="there is no rulebook `snakes`"):
        openspiel.register("snakes")


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "egodsl.interop.openspiel")
    with pytest.raises(NotInstalledError, match="`open-spiel` is not installed") as caught:
        __import__("egodsl.interop.openspiel")
    assert code_of(caught.value) == "EGO923"
    assert caught.value.diagnostics[0].help == "pip install 'egodsl[openspiel]'"
    assert isinstance(caught.value, ImportError)
