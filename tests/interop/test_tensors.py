from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.views import View
from egodsl.interop.position import Position, Rules
from egodsl.interop.problems import InteropError
from egodsl.interop.tensors import MOST_NUMBERS
from tests.helpers import load_text
from tests.interop.helpers import TEN, rules, walk

if TYPE_CHECKING:
    from pathlib import Path


def told(position: Position, player: int, about: str) -> dict[str, float]:
    """What the tensor says about one thing: label -> number, of those that are not 0."""
    layout = position.rules.layout
    numbers = position.tensor(player)
    section = next(s for s in layout.sections if s.name == about)
    return {label: numbers[section.begin + k] for k, label in enumerate(section.labels) if numbers[section.begin + k]}


TABLE = """
    enum Mood: glad, sad
    card Card:
        rank: 1..3
        written "{rank}"
    components pack of Card in deck:
        2 x (rank: r) for r in 1..3
    zone deck: stack of Card, face down
    zone open: row of Card, face up
    zone hand[player]: set of Card, owner only
    var mood[player]: Mood? = none, owner only
    var points[player]: 0..99 = 0
    var total: 0.. = 0
    var secret: 1..3, face down
    stage game:
        for p in players: move 1 from deck to hand[p]
        move 2 from deck to open
        points[players[1]] := 33
        total := 500
        secret := 2
        as players[1]: choose mood in Mood
        as players[2]: choose mood in Mood
    """


def test_what_each_number_says(tmp_path: Path) -> None:
    # The pack is not shuffled: 1 1 2 2 3 3 from the top. A and B get a 1 each, a 2 and a 2 lie open.
    first = Rules(load_text(tmp_path, TABLE).game()).start()
    assert told(first, 0, "observer") == {"A": 1}
    assert told(first, 0, "deciding") == {"A": 1}
    assert told(first, 1, "deciding") == {"A": 1}
    assert told(first, 0, "running") == {"game": 1}
    assert told(first, 0, "asked") == {"at place 1": 1}
    assert told(first, 1, "asked") == {}
    # Two of six cards, both copies of the 2, the second look of three.
    third = pytest.approx(1 / 3)
    two = pytest.approx(2 / 3)
    assert told(first, 0, "open") == {"cards / 6": third, "shows 2": 1, "#1 look": two, "#2 look": two}
    assert told(first, 0, "hand[A]") == {"cards / 6": pytest.approx(1 / 6), "shows 1": 0.5}
    assert told(first, 0, "points[A]") == {"may be read": 1, "is set": 1, "/ 99": third}
    assert told(first, 0, "total") == {"may be read": 1, "is set": 1, "/ 1000": 0.5}
    assert told(first, 0, "secret") == {}
    second = first.after({0: second_value(first)})
    assert told(second, 0, "mood[A]") == {"may be read": 1, "is set": 1, "is sad": 1}
    assert told(second, 1, "mood[A]") == {}
    assert told(second, 1, "mood[B]") == {"may be read": 1, "is set": 1, "is none": 1}


def second_value(position: Position) -> int:
    return position.rules.encoding.texts.index("sad")


def test_cards_that_nobody_has_seen_are_counted_and_no_more(tmp_path: Path) -> None:
    rulebook = load_text(tmp_path, TABLE.replace("stage game:\n", "stage game:\n        shuffle deck\n"))
    position = Rules(rulebook.game()).start()
    while position.is_chance:
        position = position.after_chance(0)
    # All draw the first of what is left: 1, 1, 2, 2. So A knows that no 2 and at most one 1 is in the pile.
    assert told(position, 0, "hand[B]") == {"cards / 6": pytest.approx(1 / 6)}
    # Of the three cards that A does not see, two lie in the pile: a 1 and two 3s are missing, so one 3 is there.
    assert told(position, 0, "deck") == {"cards / 6": pytest.approx(1 / 3), "shows 3": 0.5}


def test_a_mark_is_told_with_its_card(tmp_path: Path) -> None:
    text = """
        card Die:
            var eyes: 1..6 = 1
            written "{eyes}"
        components dice of Die in cup:
            3 x ()
        zone cup: set of Die, face up
        stage game:
            roll cup
            as players[1]: choose d in cup
        """
    position = Rules(load_text(tmp_path, text).game()).start()
    for number in (4, 4, 0):
        position = position.after_chance(number)
    # Two fives and a one, of three dice.
    told_of = told(position, 0, "cup")
    assert told_of["cards / 3"] == 1
    by_value = {label[-6:]: number for label, number in told_of.items() if "eyes" in label}
    assert by_value == {"eyes 1": pytest.approx(1 / 3), "eyes 5": pytest.approx(2 / 3)}


def test_a_move_that_has_been_begun_is_told_to_the_one_who_began_it(tmp_path: Path) -> None:
    text = """
        stage game:
            as players[1]: choose one of take, pass
        action take(n in 1..3): nothing
        action pass: nothing
        """
    first = Rules(load_text(tmp_path, text).game()).start()
    second = first.after({0: 0})
    assert told(first, 0, "begun") == {}
    # `take` is the first of five actions.
    assert told(second, 0, "begun") == {"#1 / 5": pytest.approx(0.2), "take": 1}
    assert told(second, 1, "begun") == {}


@pytest.mark.parametrize("name", [*TEN, "hanabi", "go_fish"])
def test_a_tensor_does_not_depend_on_what_the_player_cannot_know(name: str) -> None:
    made = rules(name)
    chooser = Random(7)  # noqa: S311 - a random game is no secret
    for position in walk(made.start(), 3, 60):
        if position.is_over or position.is_chance or chooser.random() < 0.6:
            continue
        for player in range(made.game.players):
            other = position.state.redeal(player, chooser.getrandbits(64))
            begun = position.begun(player)
            assert made.layout.write(other, player, begun) == made.layout.write(position.state, player, begun)


def seen(view: View) -> object:
    """A view without the moves, which are the mask's business."""
    return (view.zones, view.variables, view.active, view.stages, view.deciding, view.chance, view.over)


@pytest.mark.parametrize("name", [*TEN, "hanabi", "yacht", "cribbage"])
def test_positions_that_look_different_have_different_tensors(name: str) -> None:
    found: dict[bytes, object] = {}
    for seed in range(3):
        for position in walk(rules(name).start(), seed, 60):
            key = position.tensor(0).tobytes()
            shown = seen(position.state.view(0))
            assert found.setdefault(key, shown) == shown
    assert len(found) > 3


def test_every_number_has_a_label_of_its_own() -> None:
    for name in TEN:
        layout = rules(name).layout
        assert len(layout.labels) == len(set(layout.labels)) == layout.size


def test_an_observation_that_is_too_long_is_an_error(tmp_path: Path) -> None:
    text = """
        type Index: 1..60
        var table[Index, Index]: row of 0..20 = []
        stage game:
            as players[1]: may "go": table[1, 1] := [1]
        """
    with pytest.raises(InteropError) as caught:
        Rules(load_text(tmp_path, text).game())
    (problem,) = caught.value.diagnostics
    assert problem.code.number == "EGO921"
    assert str(MOST_NUMBERS) in problem.message
