from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from egodsl.interop.encoding import MOST_ACTIONS, Choice, Encoding, begin
from egodsl.interop.position import Rules
from egodsl.interop.problems import InteropError
from tests.helpers import load_text
from tests.interop.helpers import TEN, rules, walk

if TYPE_CHECKING:
    from pathlib import Path


def pack(zone: str, game: str) -> str:
    """A rulebook with twelve cards of six looks in the zone, and a stage."""
    lines = (
        "enum Suit: red, blue",
        "card Card:",
        "    suit: Suit",
        "    rank: 1..3",
        '    written "{suit} {rank}"',
        f"components pack of Card in {zone.partition(':')[0]}:",
        "    2 x (suit: s, rank: r) for s in Suit for r in 1..3",
        f"zone {zone}",
        "zone away: stack of Card, face up",
        "stage game:",
        *(f"    {line}" for line in game.split("; ")),
    )
    return "\n".join(lines) + "\n"


def encoding(folder: Path, text: str, max_number: int = 0) -> Encoding:
    return Encoding(load_text(folder, text).game(), max_number)


def all_choices(choice: Choice) -> list[tuple[tuple[int, ...], int]]:
    """Every way through a decision: the actions that are asked for, and the move that they lead to."""
    found: list[tuple[tuple[int, ...], int]] = []
    for token in choice.legal:
        after = choice.choose(token)
        if isinstance(after, int):
            found.append(((token,), after))
        else:
            found += [((token, *rest), move) for rest, move in all_choices(after)]
    return found


def test_a_label_and_what_is_chosen_are_one_action_each(tmp_path: Path) -> None:
    made = Rules(
        load_text(
            tmp_path,
            """
            var points[player]: 0..9 = 0
            stage game:
                as players[1]: choose one of take, pass
            action take(n in 1..3, p in players): points[p] += n
            action pass: nothing
            """,
        ).game()
    )
    assert made.encoding.texts == ["take", "pass", "1", "2", "3", "A", "B"]
    first = made.start()
    assert [made.encoding.texts[a] for a in first.legal(0)] == ["take", "pass"]
    second = first.after({0: 0})
    assert [made.encoding.texts[a] for a in second.legal(0)] == ["1", "2", "3"]
    third = second.after({0: 3})
    assert [made.encoding.texts[a] for a in third.legal(0)] == ["A", "B"]
    assert third.after({0: 6}).state.V == [0, 2]


def test_what_goes_without_saying_is_not_asked(tmp_path: Path) -> None:
    # All sets hold red, so red is skipped; and where there is one move it is one action, however long.
    made = Rules(
        load_text(
            tmp_path,
            """
            enum Colour: red, green, blue
            var wish: set of Colour = {}
            stage game:
                as players[1]:
                    choose wish in {{red}, {red, blue}, {red, green}}
                    choose again in {{red, green, blue}}
                    wish := again
            """,
        ).game()
    )
    first = made.start()
    assert [made.encoding.texts[a] for a in first.legal(0)] == ["green", "blue", "enough"]
    second = first.after({0: first.legal(0)[0]})
    assert [made.encoding.texts[a] for a in second.legal(0)] == ["red"]
    (wish,) = second.after({0: second.legal(0)[0]}).state.V
    assert wish == {0, 1, 2}


CHOOSE = "as players[1]: choose c in table"


def shown(made: Encoding) -> list[list[str]]:
    """The moves of the first decision in the texts of their tokens."""
    return [[made.texts[token] for token in move] for move in made.moves(made.game.start())]


def test_cards_that_look_the_same_are_one_action_in_a_set(tmp_path: Path) -> None:
    made = encoding(tmp_path, pack("table: set of Card, face up", CHOOSE))
    assert shown(made) == [["red 1"], ["red 2"], ["red 3"], ["blue 1"], ["blue 2"], ["blue 3"]]


def test_cards_that_look_the_same_are_told_by_their_place_in_a_row(tmp_path: Path) -> None:
    made = encoding(tmp_path, pack("table: row of Card, face up", CHOOSE))
    assert shown(made)[:3] == [["red 1", "#1"], ["red 1", "#2"], ["red 2", "#3"]]
    assert made.alike == 0


def test_a_card_that_the_chooser_does_not_see_goes_by_its_place(tmp_path: Path) -> None:
    made = encoding(tmp_path, pack("table: row of Card, face down", CHOOSE))
    assert shown(made) == [[f"#{k}"] for k in range(1, 13)]


def test_moves_that_look_the_same_are_numbered_by_where_their_cards_lie(tmp_path: Path) -> None:
    text = pack(
        "table: stack of Card, face up",
        "move 1 from table to away; as players[1]: choose c in {top(table), top(away)}",
    )
    # The move that comes first is of the card with the lower number, which lies in the later zone.
    assert shown(encoding(tmp_path, text)) == [
        ["red 1", "number 2 of those alike"], ["red 1", "number 1 of those alike"]
    ]  # fmt: skip


@pytest.mark.parametrize("name", [*TEN, "hanabi", "cribbage", "yacht", "go_fish"])
def test_every_move_is_reached_by_actions_and_by_one_sequence_alone(name: str) -> None:
    made = rules(name)
    tried = 0
    for seed in range(2):
        for position in walk(made.start(), seed, 120):
            for player in position.to_move:
                deciding = position.state.branches.get(player, position.state)
                moves = made.encoding.moves(deciding)
                ways = all_choices(begin(moves))
                assert sorted(move for _, move in ways) == list(range(len(deciding.moves)))
                assert len({actions for actions, _ in ways}) == len(ways)
                assert max(map(len, moves)) <= made.encoding.longest
                tried += 1
    assert tried


@pytest.mark.parametrize("name", [*TEN, "hanabi", "yacht", "cribbage"])
def test_actions_do_not_tell_what_the_player_cannot_know(name: str) -> None:
    made = rules(name)
    chooser = Random(8)  # noqa: S311 - a random game is no secret
    for position in walk(made.start(), 5, 60):
        for player in position.to_move:
            other = position.state.redeal(player, chooser.getrandbits(64))
            again = made.encoding.moves(other.branches.get(player, other))
            assert sorted(again) == sorted(made.encoding.moves(position.state.branches.get(player, position.state)))


def test_texts_of_actions_differ() -> None:
    for name in TEN:
        assert len(set(rules(name).encoding.texts)) == rules(name).encoding.size


def test_cards_that_all_differ_take_one_action_each() -> None:
    assert rules("hearts").encoding.size == 52
    assert rules("kuhn_poker").encoding.texts == ["pass", "bet"]


ENDLESS = """
    var bid: 0.. = 0
    var highest: 0.. = 5
    stage game:
        as players[1]: choose bid in 0..highest
    """


def test_a_number_without_a_bound_is_an_error_that_names_its_place(tmp_path: Path) -> None:
    with pytest.raises(InteropError) as caught:
        encoding(tmp_path, ENDLESS)
    (problem,) = caught.value.diagnostics
    assert problem.code.number == "EGO920"
    assert problem.span is not None
    assert problem.span.text == "choose bid in 0..highest"
    assert problem.help is not None
    assert "max_number" in problem.help


def test_numbers_without_a_bound_can_be_given_one(tmp_path: Path) -> None:
    made = encoding(tmp_path, ENDLESS, max_number=7)
    assert made.texts == ["0", "1", "2", "3", "4", "5", "6", "7"]
    assert made.moves(made.game.start()) == [(0,), (1,), (2,), (3,), (4,), (5,)]


def test_a_number_beyond_what_was_said_is_an_error(tmp_path: Path) -> None:
    made = encoding(tmp_path, ENDLESS, max_number=4)
    with pytest.raises(InteropError, match="the number `5`, and numbers were said to go up to 4") as caught:
        made.moves(made.game.start())
    assert caught.value.diagnostics[0].code.number == "EGO922"


@pytest.mark.parametrize(
    "choice",
    [f"n in 1..{MOST_ACTIONS + 1}", "n in 1..6000, m in 4000..12000"],
    ids=["one range", "several that overlap"],
)
def test_too_many_distinct_actions_are_an_error(tmp_path: Path, choice: str) -> None:
    text = f"stage game:\n    as players[1]: choose {choice}\n"
    with pytest.raises(InteropError) as caught:
        encoding(tmp_path, text)
    (problem,) = caught.value.diagnostics
    assert problem.code.number == "EGO921"
    assert str(MOST_ACTIONS) in problem.message
