"""Corners of rulebooks as guests: what looks alike in several places, what nobody sees, games in which nobody acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyspiel
import pytest

from egodsl.interop import openspiel, pettingzoo
from egodsl.interop.chance import most_outcomes
from egodsl.interop.encoding import begin
from egodsl.interop.position import Position, Rules
from egodsl.interop.problems import InteropError
from egodsl.interop.settings import promises
from tests.helpers import load_text, write_rules

if TYPE_CHECKING:
    from pathlib import Path

CARDS = """
    card Card:
        rank: 1..2
        written "{rank}"
    components pack of Card in deck:
        3 x (rank: r) for r in 1..2
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone table: row of Card, face up
    zone out: set of Card, face up
    var points[player]: 0..9 = 0
    """


def made(folder: Path, text: str, **settings: Any) -> Rules:  # noqa: ANN401 - those of a game
    return Rules(load_text(folder, text).game(**settings))


def chosen(first: Position, *texts: str) -> Position:
    """The position after these actions and outcomes of chance, by name."""
    position = first
    for text in texts:
        if position.is_chance:
            names = [outcome.text for outcome in position.outcomes()]
            position = position.after_chance(names.index(text))
        else:
            position = position.after({position.to_move[0]: position.rules.encoding.texts.index(text)})
    return position


def complete(position: Position) -> list[tuple[int, ...]]:
    """All sequences of actions that make a move of the one who decides."""
    (player,) = position.to_move
    waiting: list[tuple[tuple[int, ...], Any]] = [((), begin(position.rules.encoding.moves(position.state)))]
    assert position.legal(player) == waiting[0][1].legal
    found = []
    while waiting:
        told, choice = waiting.pop()
        if isinstance(choice, int):
            found.append(told)
        else:
            waiting += [((*told, token), choice.choose(token)) for token in choice.legal]
    return found


def test_a_card_in_a_hand_and_one_like_it_in_a_row(tmp_path: Path) -> None:
    text = f"""{CARDS}
    stage game:
        move 1 from deck to hand[players[1]]
        move 2 from deck to table
        as players[1]:
            choose c in hand | {{d in table where true}}
            points += c.rank
    """
    # Not shuffled: three ones, of which one is in the hand and two lie in the row.
    position = made(tmp_path, text).start()
    assert len(complete(position)) == len(position.state.moves) == 3
    assert len(set(complete(position))) == 3


def test_sets_of_sets_of_which_some_are_empty(tmp_path: Path) -> None:
    text = """
        var points[player]: 0..9 = 0
        stage game:
            as players[1]:
                choose f in subsets(subsets({1, 2}, 0..1), 0..3)
                points += count(f)
        """
    # Three sets, {} {1} {2}, so eight sets of them.
    position = made(tmp_path, text).start()
    assert len(set(complete(position))) == len(position.state.moves) == 8


def test_rows_of_rows_of_which_some_are_empty(tmp_path: Path) -> None:
    text = """
        var points[player]: 0..9 = 0
        stage game:
            as players[1]:
                choose f in {[], [[]], [[], []], [[[]]], [[[1]]], [[[1], []], []], [[[]], []], [[[], [2]]]}
                points += count(f)
        """
    position = made(tmp_path, text).start()
    assert len(set(complete(position))) == len(position.state.moves) == 8


def test_a_card_in_a_place_for_one_that_nobody_sees_is_not_named(tmp_path: Path) -> None:
    text = f"""{CARDS}
    zone spot[1..2]: one Card, face down
    stage game:
        shuffle deck
        for k in 1..2: move top(deck) to spot[k]
        as players[1]:
            choose c in {{spot[1], spot[2]}}
            reveal c as d
            points += d.rank
    """
    first = made(tmp_path, text).start()
    one, two = (chosen(first, rank, other) for rank, other in (("1", "2"), ("2", "1")))
    assert one.information(0) == two.information(0)
    assert one.legal(0) == two.legal(0)
    assert len(one.legal(0)) == 2
    # The first of those alike is the one in the first spot.
    for position, rank in ((one, "1"), (two, "2")):
        view = position.after({0: position.legal(0)[0]}).state.view(0)
        assert {variable.text: variable.value for variable in view.variables}["points[A]"] == rank


def test_which_of_those_alike_is_meant_is_the_same_wherever_they_come_from(tmp_path: Path) -> None:
    text = f"""{CARDS}
    stage game:
        shuffle deck
        move 1 from deck to hand[players[2]]
        move 1 from deck to hand[players[1]]
        move hand[players[2]] to deck
        shuffle deck
        as players[1]:
            move 1 from deck to hand as novel
            choose c in hand
            points := 1 if c = novel else 0
            move c to out
        as players[1]: may "go": points += 1
    """
    # B draws a 1 or a 2, A a 1, B gives it back, A draws another 1: A cannot tell what B had.
    first = made(tmp_path, text).start()
    both = [chosen(first, had, "1", "1") for had in ("1", "2")]
    assert both[0].information(0) == both[1].information(0)
    assert both[0].legal(0) == both[1].legal(0)
    assert len(both[0].legal(0)) == 2
    for action in both[0].legal(0):
        assert both[0].after({0: action}).tensor(0) == both[1].after({0: action}).tensor(0)


@pytest.mark.parametrize("kind", ["set of Card", "set of row of Card"])
def test_numbers_of_a_set_of_cards_that_are_not_seen_go_by_their_places(tmp_path: Path, kind: str) -> None:
    text = f"""
    card Card:
        rank: 1..4
        written "{{rank}}"
    components pack of Card in deck:
        1 x (rank: r) for r in 1..4
    zone deck: stack of Card, face down
    zone back: row of Card, face down
    var marked: {kind} = {{}}
    stage game:
        shuffle deck
        move 3 from deck to back
        as players[1]:
            repeat 2 times:
                choose c in back
                marked := marked | {{{"c" if kind == "set of Card" else "[c]"}}}
        as players[1]: may "go": marked := {{}}
    """
    rules = made(tmp_path, text)
    tensors: dict[tuple[int, int], set[bytes]] = {}
    first = rules.start()
    for order in ("123", "213", "432", "241"):
        dealt = chosen(first, *order)
        for places in ((0, 1), (1, 2), (2, 0)):
            position = dealt
            for place in places:
                position = position.after({0: position.legal(0)[place]})
            low, high = sorted(places)
            tensors.setdefault((low, high), set()).add(position.tensor(0).tobytes())
    # One tensor for each two places, whatever lies there, and another one for other places.
    assert [len(found) for found in tensors.values()] == [1, 1, 1]
    assert len(set().union(*tensors.values())) == 3


# ---------------------------------------------------------------- bounds of chance and of returns


@pytest.mark.parametrize(("drawn", "most"), [("1..20000", 20000), ("1..100", 100), ("1..3", 3)])
def test_a_number_with_a_bound_has_all_its_outcomes(tmp_path: Path, drawn: str, most: int) -> None:
    text = f"""
        var n: 0..20000 = 0
        stage game:
            pick k at random from {drawn}
            n := k
        """
    game = load_text(tmp_path, text).game()
    assert most_outcomes(game) == most
    # A bound for numbers that have none is not one for numbers that have one.
    assert most_outcomes(game, 5) == most


def test_returns_beyond_a_million_are_told_where_the_rulebook_tells_them(tmp_path: Path) -> None:
    text = """
        rulebook rich "Rich":
            players 1
            payoff 3000000 if won else -2000000
        var won: bool = false
        stage game:
            as players[1]: may "win": won := true
        """
    found = promises(load_text(tmp_path, text).game(), 1)
    assert (found.low, found.high) == (-2000000, 3000000)


# ---------------------------------------------------------------- games in which nobody acts

LUCK = """
    rulebook luck "Luck alone":
        players 2
        payoff 3 if you = winner else -3
    var winner: player = players[1]
    stage game:
        pick winner at random from players
    """


def test_a_game_in_which_nobody_acts(tmp_path: Path) -> None:
    path = write_rules(tmp_path, LUCK, "luck")
    env = pettingzoo.raw_env(path)
    env.reset(seed=1)
    got = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        assert env.observation_space(agent).contains(observation)
        assert (terminated, truncated) == (True, False)
        got.append(reward)
        env.step(None)
    assert sorted(got) == [-3, 3]
    game = pyspiel.load_game(openspiel.register(path))
    assert game.num_distinct_actions() == 0
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_length": 0}, "`max_length` is a whole number from 1 on, not 0"),
        ({"max_length": "3"}, "`max_length` is a whole number from 1 on, not '3'"),
        ({"max_number": -2}, "`max_number` is a whole number from 0 on, not -2"),
        ({"parameters": "target:20"}, "`parameters` is a dictionary, not 'target:20'"),
        ({"readings": "meaning:both"}, "`readings` is a dictionary, not 'meaning:both'"),
    ],
    ids=str,
)
def test_settings_that_an_environment_cannot_have(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InteropError, match=message):
        pettingzoo.env("pig", **settings)


@pytest.mark.parametrize("action", [1.5, "roll", None])
def test_what_is_no_action(action: Any) -> None:  # noqa: ANN401 - anything at all
    env = pettingzoo.raw_env("pig")
    env.reset(seed=1)
    with pytest.raises(InteropError, match=f"`player_0` has to act, and `{action}` is no action"):
        env.step(action)


@pytest.mark.parametrize("name", ["a(b)", " ", "kuhn_poker"])
def test_names_that_a_game_cannot_have(name: str) -> None:
    before = pyspiel.load_game("kuhn_poker").get_type().long_name
    with pytest.raises(InteropError, match=r"cannot be the name of a game|`kuhn_poker` is a game of OpenSpiel"):
        openspiel.register("pig", name)
    assert pyspiel.load_game("kuhn_poker").get_type().long_name == before == "Kuhn Poker"


@pytest.mark.parametrize("name", ["max_utility", "min_utility", "max_number"])
def test_parameters_that_are_too_large_for_openspiel(name: str) -> None:
    with pytest.raises(
        InteropError, match=f"parameter `{name}` goes from -2147483647 to 2147483647, not to 10000000000"
    ):
        openspiel.register("pig", None, **{name: 10**10})


def test_numbers_cannot_go_up_to_less_than_nothing() -> None:
    with pytest.raises(InteropError, match="numbers cannot go up to -4"):
        pyspiel.load_game(openspiel.register("pig"), {"max_number": -4})


def test_a_path_that_is_told_from_here_is_found_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "m\u00fc ller").mkdir()
    write_rules(folder, LUCK, "luck")
    monkeypatch.chdir(folder)
    game = pyspiel.load_game(openspiel.register("luck.rules", "luck_from_here"))
    assert game.guest.path == str(folder / "luck.rules")
