"""Games with fewer cards and smaller numbers."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from egodsl.engine.game import Game, load
from egodsl.engine.record import Record, RecordError
from egodsl.engine.settings import SettingsError
from tests.cli.running import write

ROWS = """\
rulebook rows "Rows":
    players 2
    result most points

enum Suit: red, blue
type Rank: 1..3 with ace = 1

card Card:
    suit: Suit
    rank: Rank
    gold: bool
    written "{suit} {rank}"

card Coin:
    worth: 1..9
    note: text?
    written "{worth}"

define hand = dealt // count(players)
define dealt = 14
define on_table = count(deck)

components pack of Card in deck:
    2 x (suit: s, rank: r, gold: false) for s in Suit for r in Rank
    1 x (suit: red, rank: 1, gold: true)
    1 x (suit: blue, rank: 3, gold: true)
    total dealt

components money of Coin in bank:
    | copies | worth | note |
    | 2      | 1     | "a"  |
    | 1      | 2     | "b"  |
    | 3      | 5     | none |

zone deck: stack of Card, face up
zone bank: set of Coin, face up
zone held[player]: set of Card, face up

var points[player]: 0..99 = 0

stage game:
    as players[1]: may "take": points := hand + on_table
"""
"""Fourteen cards and six coins."""


def cut(folder: Path, counts: dict[str, int] | None = None, **decks: str) -> Game:
    return load(write(folder, ROWS)).game(decks=decks, counts=counts)


def cards(game: Game, kind: int) -> list[str]:
    return [game.texts.card(card) for card in game.layout.types[kind].cards]


@pytest.mark.parametrize(
    ("number", "kept"),
    [
        # The first card of each row, in the order of the rows.
        (1, ["red ace"]),
        (3, ["red ace", "red ace", "blue 3"]),
        # Of the first row: red, blue, and then the next rank. What is kept lies as it did.
        (4, ["red ace", "blue ace", "red ace", "blue 3"]),
        (6, ["red ace", "red 2", "blue ace", "blue 2", "red ace", "blue 3"]),
        # Second copies come after the first of all.
        (9, ["red ace", "red ace", "red 2", "red 3", "blue ace", "blue 2", "blue 3", "red ace", "blue 3"]),
    ],
)
def test_which_cards_are_kept(tmp_path: Path, number: int, kept: list[str]) -> None:
    assert cards(cut(tmp_path, pack=str(number)), 0) == kept
    assert len(cards(cut(tmp_path), 0)) == 14


@pytest.mark.parametrize(
    ("selection", "kept"),
    [
        ("blue:2", ["blue ace", "blue 3"]),
        ("ace:1,3:2", ["red ace", "red 3", "blue 3"]),
        # The golden red one, and the golden blue one: it is the first of its row.
        ("true:1,blue:1", ["red ace", "blue 3"]),
    ],
)
def test_cards_that_show_a_value(tmp_path: Path, selection: str, kept: list[str]) -> None:
    assert sorted(cards(cut(tmp_path, pack=selection), 0)) == sorted(kept)


def test_lines_of_a_table(tmp_path: Path) -> None:
    assert cards(cut(tmp_path, money="4"), 1) == ["1", "1", "2", "5"]
    assert cards(cut(tmp_path, money="5:2,1:1"), 1) == ["1", "5", "5"]


def test_a_define_is_cut_with_what_hangs_on_it(tmp_path: Path) -> None:
    def points(counts: dict[str, int]) -> int:
        state = cut(tmp_path, counts, pack="6").start()
        state.apply("take")
        slots = [slot.decl.name.name for slot in state.game.layout.var_slots]
        value: int = state.V[slots.index("points")]
        return value

    # Six cards lie in the deck, whatever the total in the rulebook says.
    assert points({}) == 7 + 6
    assert points({"hand": 2}) == 2 + 6
    assert points({"dealt": 6}) == 3 + 6


@pytest.mark.parametrize(
    ("decks", "counts", "message"),
    [
        ({"packs": "3"}, {}, "this rulebook has no components `packs`"),
        ({"pack": "0"}, {}, "`0` keeps no card of `pack`"),
        ({"pack": "blue:0"}, {}, "`blue:0` keeps no card of `pack`"),
        ({"pack": "-3"}, {}, "`-3` does not say how many cards of `pack`"),
        ({"pack": "some"}, {}, "`some` does not say how many cards of `pack`"),
        ({"pack": "3,4"}, {}, "`3,4` does not say how many cards of `pack`"),
        ({"pack": "15"}, {}, "components `pack` has 14 cards, not 15"),
        ({"pack": "blue:9"}, {}, "components `pack` has 7 cards that show `blue`, not 9"),
        ({"pack": "green:1"}, {}, "components `pack` has 0 cards that show `green`, not 1"),
        ({"money": "a:1"}, {}, "components `money` has 0 cards that show `a`, not 1"),
        ({}, {"hands": 3}, "this rulebook has no define `hands`"),
        ({}, {"on_table": 3}, "define `on_table` is not a number that is settled before play"),
        ({}, {"hand": 8}, "define `hand` is 7, which can be cut down to no less than 0, not to 8"),
        ({}, {"hand": -1}, "define `hand` is 7, which can be cut down to no less than 0, not to -1"),
    ],
)
def test_what_is_no_cut(tmp_path: Path, decks: dict[str, str], counts: dict[str, int], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        load(write(tmp_path, ROWS)).game(decks=decks, counts=counts)
    assert [diagnostic.message for diagnostic in error.value.diagnostics] == [message]


# ---------------------------------------------------------------- records


def test_a_record_says_what_was_cut(tmp_path: Path) -> None:
    game = cut(tmp_path, {"hand": 2}, pack="6")
    state = game.start(1)
    state.apply("take")
    record = Record.from_json(state.record().to_json())
    assert (record.decks, record.counts) == ({"pack": "6"}, {"hand": 2})
    assert game.replay(record) == state
    with pytest.raises(RecordError, match="cut down otherwise"):
        cut(tmp_path, {"hand": 2}).replay(record)
    with pytest.raises(RecordError, match="cut down otherwise"):
        cut(tmp_path, pack="6").replay(record)


def test_the_record_of_a_whole_game_says_nothing_of_it(tmp_path: Path) -> None:
    text = cut(tmp_path).start(1).record().to_json()
    assert "decks" not in text
    assert "counts" not in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"decks": {"pack": "6"}', '"decks": 6', "no proper `decks`"),
        ('"counts": {"hand": 2}', '"counts": []', "no proper `counts`"),
        ('"counts": {"hand": 2}', '"counts": {"hand": "2"}', "no number for define `hand`"),
    ],
)
def test_a_damaged_record(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = cut(tmp_path, {"hand": 2}, pack="6").start(1).record().to_json()
    assert old in text
    with pytest.raises(RecordError, match=message):
        Record.from_json(text.replace(old, new))


def test_cut_games_are_games_of_their_own(tmp_path: Path) -> None:
    game, other = cut(tmp_path, pack="6"), cut(tmp_path, pack="7")
    state = game.start(1)
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - made here
    assert copy.deepcopy(state) == state
    assert game.recipe != other.recipe
    assert state != other.start(1)
