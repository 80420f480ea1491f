"""Fields of type `text`: shown and recorded, and no part of what rules and chance tell cards apart by."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from tests.helpers import moves, outcomes, play, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

HEAD = """
enum Kind: easy, hard
card Question:
    kind: Kind
    words: text
    hint: text?
    written "{kind}: {words} {hint}"
components questions of Question in pile:
    1 x (kind: easy, words: "one")
    1 x (kind: easy, words: "two", hint: "(2)")
    1 x (kind: easy, words: "three")
    1 x (kind: hard, words: "four")
zone pile: stack of Question, face down
zone hand[player]: set of Question, owner only
zone shown: row of Question, face up
zone heap: set of Question, face up
var n: 0..99 = 0

"""

GAME = """
stage game:
    repeat 3 times:
        shuffle pile
        move 2 from pile to shown
        move 1 from pile to hand[players[1]]
        as players[2]: choose c in shown
        n += 1 if c = Question(easy) else 0
        move c to pile
        as players[1]: choose d in hand
        move d to pile
        move shown to pile
"""


def begin(make: Make, body: str, seed: int | None = None) -> State:
    return make(HEAD + body).start(seed)


def test_cards_that_differ_in_their_texts_are_one_outcome(make: Make) -> None:
    state = begin(make, "stage game:\n    shuffle pile\n    move 1 from pile to shown\n    as players[1]: may: nothing")
    assert outcomes(state) == {"easy: one": Fraction(3, 4), "hard: four": Fraction(1, 4)}


def test_each_of_them_can_be_asked_for_by_its_text(make: Make) -> None:
    game = "stage game:\n    shuffle pile\n    move 1 from pile to shown\n    as players[1]: may: nothing"
    state = begin(make, game)
    play(state, "easy: two (2)")
    assert zone(state, "shown") == ["easy: two (2)"]
    assert state.record().events == (("chance", "easy: two (2)"),)
    assert state.game.replay(state.record()) == state


def test_states_are_equal_whatever_the_texts(make: Make) -> None:
    game = "stage game:\n    shuffle pile\n    move 1 from pile to shown\n    as players[1]: may: nothing"
    one, two, other = (play(begin(make, game), text) for text in ("easy: one", "easy: three", "hard: four"))
    two.game = other.game = one.game
    assert one == two
    assert hash(one) == hash(two)
    assert one != other


def test_rules_do_not_tell_the_texts_apart(make: Make) -> None:
    body = """
stage game:
    n := count(c for c in pile where c = Question(kind: easy))
    if same_face(top(pile), bottom(pile)): n += 10
    move top(pile) to shown
    if same_face(top(pile), shown[1]): n += 20
    as players[1]: may: nothing
"""
    state = begin(make, body)
    assert state.V[0] == 23


def test_equal_faces_in_a_set_are_one_move_and_in_a_row_several(make: Make) -> None:
    rest = "    as players[1]: choose c in {}\n    move c to pile\n"
    state = begin(make, "stage game:\n    move 4 from pile to heap\n" + rest.format("heap"))
    assert moves(state) == ["easy: one", "hard: four"]
    state = begin(make, "stage game:\n    move 4 from pile to shown\n" + rest.format("shown"))
    assert moves(state) == ["easy: one", "easy: two (2)", "easy: three", "hard: four"]


def test_with_a_seed_any_of_the_cards_may_come(make: Make) -> None:
    game = make(HEAD + "stage game:\n    shuffle pile\n    move 1 from pile to shown\n    as players[1]: may: nothing")
    seen = {game.start(seed).view(0).zone("shown").places for seed in range(60)}
    assert seen == {("easy: one",), ("easy: two (2)",), ("easy: three",), ("hard: four",)}


def test_views_show_the_text_of_what_is_seen_and_of_nothing_else(make: Make) -> None:
    game = "stage game:\n    shuffle pile\n    move 1 from pile to hand[players[1]]\n    as players[1]: may: nothing"
    state = play(begin(make, game), "easy: three")
    assert state.view(0).zone("hand[A]").places == ("easy: three",)
    assert state.view(1).zone("hand[A]").places == (None,)
    # What is left is known to be there; its words are not told beforehand.
    assert state.view(0).zone("pile").known == ("easy: ? ?", "easy: ? ?", "hard: ? ?")


@pytest.mark.parametrize("seed", range(6))
def test_records_and_redeals_keep_what_was_seen(make: Make, seed: int) -> None:
    game = make(HEAD + GAME, players=2)
    state = game.start(seed)
    rng = random.Random(seed)  # noqa: S311 - play, not secrets
    while not state.is_over:
        again = game.replay(state.record())
        assert again == state
        assert [again.view(player) for player in (0, 1)] == [state.view(player) for player in (0, 1)]
        for player in (0, 1):
            other = state.redeal(player, seed)
            assert other.view(player) == state.view(player)
            assert other.observations(player) == state.observations(player)
        state.choose(rng.randrange(len(state.moves)))
