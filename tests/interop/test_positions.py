from __future__ import annotations

import pickle
from random import Random
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.moves import IllegalMoveError
from egodsl.interop.position import CHANCE, NOBODY, TOGETHER, Position, Rules
from egodsl.interop.recall import RecallLayout
from tests.helpers import load_text
from tests.interop.helpers import TEN, rules, step, walk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", [*TEN, "hanabi", "go_fish"])
def test_what_a_player_is_told_is_what_the_game_says_they_observed(name: str) -> None:
    # What was observed is told from where it was told last; the game tells it from the beginning.
    made = rules(name)
    for position in walk(made.start(), 1, 150):
        for player in range(made.game.players):
            lines = position.information(player).split("\n")
            told = [observation.text for observation in position.state.observations(player)]
            assert lines[1 : 1 + len(told)] == told


@pytest.mark.parametrize("name", TEN)
def test_a_stored_position_is_the_same_and_goes_on_alike(name: str) -> None:
    *_, position = walk(rules(name).start(), 2, 20)
    again: Position = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
    assert again.state == position.state
    assert (str(again), again.length, again.actor) == (str(position), position.length, position.actor)
    for player in range(rules(name).game.players):
        assert again.information(player) == position.information(player)
        assert again.tensor(player) == position.tensor(player)
    if not position.is_over:
        assert str(step(again, Random(5))) == str(step(position, Random(5)))  # noqa: S311 - a random game is no secret


def test_a_move_that_was_begun_is_stored_too() -> None:
    position = next(p for p in walk(rules("ego").start(), 3) if any(map(p.begun, p.to_move)))
    (player,) = position.to_move
    again: Position = pickle.loads(pickle.dumps(position))  # noqa: S301 - our own
    assert list(again.begun(player)) == list(position.begun(player))
    assert again.legal(player) == position.legal(player)


def test_positions_do_not_change_when_play_goes_on() -> None:
    first = rules("leduc_poker").start()
    before = (str(first), first.actor, hash(first.state))
    for position in walk(first, 4):
        assert position is first or str(position) != str(first)
    assert (str(first), first.actor, hash(first.state)) == before


def test_who_acts() -> None:
    position = rules("goofspiel").start()
    assert position.actor == CHANCE
    position = position.after_chance(4)
    assert (position.actor, position.to_move) == (TOGETHER, (0, 1))
    position = position.after({0: 12, 1: 11})
    assert position.actor == CHANCE
    assert str(position) == "chance: 5; A: 13, B: 12"
    *_, last = walk(position, 1)
    assert (last.actor, last.to_move, last.legal(0)) == (NOBODY, (), [])


def test_of_those_who_choose_at_once_one_may_act_first_and_nobody_sees_it() -> None:
    before = rules("goofspiel").start().after_chance(4)
    told = before.information(1)
    seen = before.tensor(1)
    for bid in (0, 12):
        after = before.after({0: bid})
        assert after.to_move == (1,)
        assert after.information(1) == told
        assert after.tensor(1) == seen


@pytest.mark.parametrize("action", [2, -1, 99])
def test_an_action_that_is_not_legal_is_refused(action: int) -> None:
    position = rules("kuhn_poker").start().after_chance(0).after_chance(0)
    with pytest.raises(IllegalMoveError, match=rf"action {action} of A is not legal here; legal are \[0, 1\]"):
        position.after({0: action})


def test_a_player_who_does_not_decide_has_no_legal_action() -> None:
    position = rules("kuhn_poker").start().after_chance(0).after_chance(0)
    with pytest.raises(IllegalMoveError, match="action 0 of B is not legal here; legal are none"):
        position.after({1: 0})


def test_an_outcome_that_chance_does_not_have_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="chance has no outcome 3 here; there are 3, from 0"):
        rules("kuhn_poker").start().after_chance(3)


def tree(position: Position) -> list[Position]:
    """The position and all that may come after it."""
    found, waiting = [], [position]
    while waiting:
        here = waiting.pop()
        found.append(here)
        if here.is_chance:
            waiting += [here.after_chance(k) for k in range(len(here.outcomes()))]
        elif not here.is_over:
            (player,) = here.to_move
            waiting += [here.after({player: action}) for action in here.legal(player)]
    return found


def test_information_states_of_kuhn_poker_are_those_that_are_known() -> None:
    # Each player has three cards and two points at which to decide: 3 * 2 for each.
    deciding = [p for p in tree(rules("kuhn_poker").start()) if not p.is_over and not p.is_chance]
    for player in range(2):
        assert len({p.information(player) for p in deciding if p.to_move == (player,)}) == 6


def test_the_tensor_of_an_information_state_tells_apart_what_its_text_does() -> None:
    made = rules("kuhn_poker")
    layout = RecallLayout(made, 3)
    told: dict[tuple[int, str], set[bytes]] = {}
    for position in tree(made.start(keeps_stops=True)):
        for player in range(2) if not position.is_chance else ():
            told.setdefault((player, position.information(player)), set()).add(layout.write(position, player).tobytes())
    assert all(len(tensors) == 1 for tensors in told.values())
    assert len(set().union(*told.values())) == len(told)


def test_rows_of_an_information_state_are_the_observations_on_the_way(tmp_path: Path) -> None:
    made = Rules(
        load_text(
            tmp_path,
            """
            var points[player]: 0..3 = 0
            stage game:
                as p in players: choose one of up, stay
            action up: points += 1
            action stay: nothing
            """,
        ).game()
    )
    layout = RecallLayout(made, 2)
    first = made.start(keeps_stops=True)
    second = first.after({0: made.encoding.labels["stay"]})
    last = second.after({1: made.encoding.labels["up"]})
    size, width = made.layout.size, layout.width
    assert (layout.rows, width) == (3, size + 2 + 2 * 2)
    for player in range(2):
        numbers = layout.write(last, player)
        for k, position in enumerate((first, second, last)):
            assert numbers[k * width : k * width + size] == position.tensor(player)
    # What the player did comes with the row in which they did it, what others did with the next one.
    up, stay = made.encoding.labels["up"], made.encoding.labels["stay"]
    numbers = layout.write(last, 0)
    assert [numbers[k * width + size + stay] for k in range(3)] == [1, 0, 0]
    assert [numbers[k * width + size + up] for k in range(3)] == [0, 0, 0]
    assert [numbers[k * width + size + 2 + stay] for k in range(3)] == [0, 1, 0]
    assert [numbers[k * width + size + 4 + up] for k in range(3)] == [0, 0, 1]
