"""Settings are constants of a game: players, modes, readings and parameters; variants; results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from egodsl.engine.settings import SettingsError
from tests.helpers import load_text, moves, play, var, write_rules, zone

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from egodsl.engine.game import Game
    from egodsl.engine.moves import Result

    Make = Callable[..., Game]

RULES = """
rulebook tried "Tried":
    players 2..5
    result most score

mode wild "Wild cards too"
mode quick "Quick"
reading composition "Which cards?":
    all "every value" default
    even "even values only"
    one_each "one of each"
parameter size: 1..4 = 2 "Cards to each"
parameter top_rank: 2..9 = 4 "The highest value"
type Rank: 1..top_rank
card Card:
    rank: Rank
    wild: bool
    written "{rank}"
components cards of Card in deck:
    (1 if composition = one_each else 2) x (rank: r, wild: false) for r in Rank where composition != even or r % 2 = 0
    count(players) x (rank: 1, wild: true) for k in 1..1 where wild
zone deck: stack of Card, face up
zone hand[player]: set of Card, owner only
zone slots[1..size]: one Card, face up
var score[player]: 0..20 * size = 0
var n: 0..99 = size * 10 + count(players)
stage game:
    for p in players: move size from deck to hand[p]
    for k in 1..size: move top(deck) to slots[k]
    as players[1]:
        choose k in 1..size
        score += k
    if quick: end game
    as players[2]: choose m in 1..count(slots[1])
    score[players[2]] += 20 * m
"""


def test_defaults(tmp_path: Path) -> None:
    book = load_text(tmp_path, RULES)
    assert (book.name, book.title, book.players) == ("tried", "Tried", range(2, 6))
    game = book.game()
    assert game.players == 2
    state = game.start(seed=0)
    assert len(game.layout.card_type) == 8
    assert zone(state, "deck") == ["4", "4"], "the first six went to hands and slots"
    assert moves(state) == ["1", "2"]
    assert var(state, "n") == 22


def test_rows_bounds_and_indexes_depend_on_the_settings(tmp_path: Path) -> None:
    book = load_text(tmp_path, RULES)
    game = book.game(
        players=3, modes=["wild", "quick"], readings={"composition": "even"}, parameters={"size": 1, "top_rank": 9}
    )
    # 2, 4, 6, 8 twice, and a wild card for each player.
    assert len(game.layout.card_type) == 8 + 3
    state = game.start(seed=0)
    assert var(state, "n") == 13
    assert moves(state) == ["1"]
    assert play(state, "1").is_over
    one_each = book.game(readings={"composition": "one_each"}, parameters={"top_rank": 9})
    assert len(one_each.layout.card_type) == 9
    assert len(one_each.layout.zones[one_each.checked.program.zones["slots"]].members()) == 2


def test_the_same_rulebook_gives_many_games(tmp_path: Path) -> None:
    book = load_text(tmp_path, RULES)
    assert [book.game(players=n).players for n in book.players] == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"players": 1}, "EGO910", "2 to 5 players"),
        ({"players": 6}, "EGO910", "2 to 5 players"),
        ({"players": "3"}, "EGO910", "'3' players do not fit"),
        ({"players": 3.0}, "EGO910", "3.0 players do not fit"),
        ({"players": True}, "EGO910", "True players do not fit"),
        ({"modes": ["wile"]}, "EGO911", "`wile`"),
        ({"modes": "wile"}, "EGO911", "`wile`"),
        ({"parameters": {"size": "2"}}, "EGO912", "from 1 to 4, not to '2'"),
        ({"parameters": {"size": True}}, "EGO912", "from 1 to 4, not to True"),
        ({"readings": {"compositon": "even"}}, "EGO911", "`compositon`"),
        ({"readings": {"composition": "odd"}}, "EGO911", "`odd`"),
        ({"parameters": {"sizes": 2}}, "EGO911", "`sizes`"),
        ({"parameters": {"size": 5}}, "EGO912", "from 1 to 4, not to 5"),
        ({"parameters": {"size": 0}}, "EGO912", "from 1 to 4, not to 0"),
    ],
)
def test_settings_that_there_are_not(tmp_path: Path, settings: dict[str, object], code: str, words: str) -> None:
    book = load_text(tmp_path, RULES)
    with pytest.raises(SettingsError) as raised:
        book.game(**settings)  # type: ignore[arg-type]  # the cases are of several kinds
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code.number == code
    assert words in diagnostic.message


def test_every_wrong_setting_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as raised:
        load_text(tmp_path, RULES).game(players=9, modes=["a"], parameters={"b": 1})
    assert len(raised.value.diagnostics) == 3


BASE = """
rulebook base "Base":
    players 2..4
    result most score, least seat(you)

mode extra "Extra"
reading who "Who?":
    first "the first" default
    last "the last"
enum Kind: sword, shield
card Card:
    kind: Kind
components cards of Card in pile:
    1 x (kind: k) for k in Kind
zone pile: stack of Card, face up
var score[player]: 0..9 = 0
stage game:
    turns from (players[1] if who = first else players[2]):
        choose one of gain, pass
        if extra: score += 1
        if score > 3: end game
action gain: score += 1
action pass: nothing
"""


def variant(tmp_path: Path, text: str) -> Game:
    write_rules(tmp_path, BASE, "base")
    return load_text(tmp_path, text, "changed").game()


def test_a_variant_changes_its_base(tmp_path: Path) -> None:
    game = variant(
        tmp_path,
        """
        variant changed "Changed" of base:
            result least score
            set extra to true
            set who to last
        extend enum Kind: bow
        replace action gain: score += 2
        extend stage game: nothing
        """.replace("        extend stage game: nothing\n", ""),
    )
    state = game.start(seed=0)
    assert zone(state, "pile") == ["Card(sword)", "Card(shield)", "Card(bow)"]
    assert state.to_move == (1,)
    play(state, "gain")
    assert var(state, "score", 1) == 3
    play(state, "pass", "gain")
    assert state.is_over
    assert state.result is not None
    assert state.result.scores == ((1,), (6,))
    assert state.result.places == ((0,), (1,))


def test_a_variant_may_remove_and_add(tmp_path: Path) -> None:
    game = variant(
        tmp_path,
        """
        variant changed "Changed" of base
        remove action pass
        action jump(k in 2..3): score += k
        replace stage game:
            turns from players[2]:
                choose one of gain, jump
                if score > 3: end game
        """,
    )
    state = game.start(seed=0)
    assert moves(state) == ["gain", "jump 2", "jump 3"]


def test_a_removed_action_is_struck_from_the_lists(tmp_path: Path) -> None:
    game = variant(tmp_path, 'variant changed "Changed" of base\nremove action pass\n')
    assert moves(game.start(seed=0)) == ["gain"]


def test_edits_apply_first_to_last(tmp_path: Path) -> None:
    game = variant(
        tmp_path,
        """
        variant changed "Changed" of base
        replace action gain: score += 2
        replace action gain: score += 3
        """,
    )
    assert var(play(game.start(seed=0), "gain"), "score", 0) == 3


def result(make: Make, head: str, body: str, **settings: int) -> Result:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = (
        f'rulebook tried "Tried":\n    players 3..4\n    {head}\n\nvar score[player]: 0..9 = 0\n'
        f"var late[player]: 0..9 = 0\nvar n: 0..9 = 0\nstage game:\n{lines}"
    )
    state = make(text, **settings).start(seed=0)
    assert state.is_over
    assert state.result is not None
    return state.result


SCORES = (
    "score[players[1]] := 3\nscore[players[2]] := 5\nscore[players[3]] := 3\n"
    "late[players[1]] := 2\nlate[players[3]] := 1"
)


def test_results_by_one_key(make: Make) -> None:
    found = result(make, "result most score", SCORES, players=4)
    assert (found.places, found.scores, found.winners) == (((1,), (0, 2), (3,)), ((3,), (5,), (3,), (0,)), (1,))
    found = result(make, "result least score", SCORES, players=4)
    assert found.places == ((3,), (0, 2), (1,))


def test_results_by_several_keys_in_turn(make: Make) -> None:
    found = result(make, "result most score, least late", SCORES, players=4)
    assert found.places == ((1,), (2,), (0,), (3,))
    assert found.scores == ((3, 2), (5, 0), (3, 1), (0, 0))


def test_the_player_who_is_ranked_is_you_in_a_result(make: Make) -> None:
    found = result(make, "result least score + seat(you)", SCORES)
    assert found.scores == ((4,), (7,), (6,))
    assert found.winners == (0,)


def test_a_tie_has_several_winners(make: Make) -> None:
    found = result(make, "result least n", SCORES)
    assert found.winners == (0, 1, 2)


def test_a_result_together(make: Make) -> None:
    found = result(make, "result together n * 2", "n := 4")
    assert (found.together, found.places, found.winners, found.scores) == (8, (), (), ((8,), (8,), (8,)))


def test_there_is_no_result_before_the_end(make: Make) -> None:
    state = make("stage game:\n    as players[1]: choose k in 1..1\n").start(seed=0)
    assert state.result is None
    state.choose(0)
    assert state.result is not None
