"""Records: a game is played again exactly, and what does not fit is refused with the first difference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import attrs
import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.record import Record, RecordError, replay_as_far
from egodsl.engine.rng import Random
from egodsl.engine.settings import SettingsError
from tests.helpers import load_text, play, play_out, var

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

RULES = """
rulebook tried "Tried":
    players 2..3
    result most score

mode odd "Odd"
reading who "Who?":
    first "first" default
    last "last"
parameter size: 1..4 = 2 "Size"
card Card:
    rank: 1..4
    written "{rank}"
components cards of Card in deck:
    3 x (rank: r) for r in 1..4
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
zone pile: stack of Card, face up
var score[player]: 0..99 = 0
action put(c in hand):
    move c to pile
    score += c.rank
action halt when count(hand) < 2: end game
stage game:
    shuffle deck
    for p in players: move size from deck to hand[p]
    turns from players[1]:
        choose one of put, halt
        if not empty(deck): move top(deck) to hand
"""


def played(game: Game, seed: int | None, count: int) -> State:
    """A state after some decisions, all the first that are offered."""
    state = game.start(seed)
    stream = Random(7 if seed is None else seed + 1)
    while count and not state.is_over:
        if state.is_chance:
            found = state.chance()
            state.apply(found[stream.below(len(found))])
        else:
            state.choose(stream.below(len(state.moves)))
            count -= 1
    return state


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, None])
def test_a_record_replays_to_an_equal_state(make: Make, seed: int | None) -> None:
    game = make(RULES, players=3, modes=["odd"], readings={"who": "last"}, parameters={"size": 3})
    for count in (0, 1, 5, 50):
        state = played(game, seed, count)
        record = state.record()
        again = game.replay(record)
        assert again == state
        assert again.record() == record
        assert Record.from_json(record.to_json()) == record
        assert again.entries() == state.entries() or seed is None
        assert again.is_over == (count == 50)


def test_what_a_record_says(make: Make) -> None:
    game = make(RULES, parameters={"size": 1})
    state = play(game.start(), "4", "2", "put 4", "1", "put 2")
    record = state.record()
    assert (record.rulebook, record.players, record.seed) == ("tried", 2, None)
    assert (record.modes, record.readings, record.parameters) == ((), {"who": "first"}, {"size": 1})
    assert record.digest == game.rulebook.digest
    assert record.events == (("chance", "4"), ("chance", "2"), ("A", "put 4"), ("chance", "1"), ("B", "put 2"))
    data = json.loads(record.to_json())
    assert data["events"][2] == ["A", "put 4"]
    assert data["egodsl-record"] == 1


def test_seeded_chance_is_in_the_record(make: Make) -> None:
    record = make(RULES).start(seed=5).record()
    assert [who for who, _ in record.events] == ["chance"] * 4
    explicit = attrs.evolve(record, seed=None)
    assert make(RULES).replay(explicit) == make(RULES).replay(record)


def change(record: Record, number: int, event: tuple[str, str]) -> Record:
    events = list(record.events)
    events[number - 1] = event
    return attrs.evolve(record, events=tuple(events))


def test_a_record_that_does_not_fit_is_refused_with_the_first_difference(make: Make) -> None:
    game = make(RULES, parameters={"size": 1})
    record = play(game.start(), "4", "2", "put 4", "1", "put 2", "3").record()
    for number, event, words in (
        (1, ("chance", "9"), "event 1 of the record (`chance`: `9`) does not fit: chance cannot have `9`"),
        (
            3,
            ("A", "put 3"),
            "(`A`: `put 3`) does not fit: A cannot play `put 3` here; the moves are `put 4`, `halt`",
        ),
        (3, ("B", "put 4"), "event 3 of the record (`B`: `put 4`) does not fit: B does not decide here, but A"),
        (5, ("chance", "2"), "event 5"),
    ):
        with pytest.raises(RecordError) as raised:
            game.replay(change(record, number, event))
        assert words in str(raised.value)
        assert raised.value.diagnostics[0].code.number == "EGO803"
        state, difference = replay_as_far(game, change(record, number, event))
        assert difference is not None
        assert state == game.replay(attrs.evolve(record, events=record.events[: number - 1]))
        assert game.replay(change(record, number, event), strict=False) == state


def test_other_chance_under_a_seed_is_a_difference(make: Make) -> None:
    game = make(RULES, parameters={"size": 3})
    record = played(game, 3, 3).record()
    # Six cards are dealt; then comes a decision.
    number = next(k for k, (who, _) in enumerate(record.events, start=1) if who == "chance" and k > 7)
    other = "1" if record.events[number - 1][1] != "1" else "2"
    with pytest.raises(RecordError, match=f"event {number} differs: the record has chance: `{other}`"):
        game.replay(change(record, number, ("chance", other)))
    state, difference = replay_as_far(game, change(record, number, ("chance", other)))
    assert difference is not None
    decided = sum(who != "chance" for who, _ in record.events[:number])
    assert state.decisions == decided
    with pytest.raises(RecordError, match="events, here there are"):
        game.replay(attrs.evolve(record, events=(*record.events, ("chance", "1"))))


def test_other_settings_and_other_rulebooks_are_refused(tmp_path: Path) -> None:
    book = load_text(tmp_path, RULES)
    record = book.game(players=2).start(seed=1).record()
    for settings, word in (
        ({"players": 3}, "players"),
        ({"modes": ["odd"]}, "modes"),
        ({"readings": {"who": "last"}}, "readings"),
        ({"parameters": {"size": 1}}, "parameters"),
    ):
        with pytest.raises(RecordError, match=f"other {word}") as raised:
            book.game(**settings).replay(record)
        assert raised.value.diagnostics[0].code.number == "EGO802"
    other = load_text(tmp_path, RULES.replace("rulebook tried", "rulebook others"), "others").game()
    with pytest.raises(RecordError, match="the record is of `tried`, not of `others`"):
        other.replay(record)


def test_a_record_of_another_version_is_played_as_far_as_it_fits(tmp_path: Path) -> None:
    record = play(
        load_text(tmp_path, RULES).game(parameters={"size": 1}).start(), "4", "2", "put 4", "1", "put 2"
    ).record()
    changed = load_text(tmp_path, RULES.replace("action put(c in hand):", "action put(c in hand) when c.rank > 2:"))
    game = changed.game(parameters={"size": 1})
    assert game.rulebook.digest != record.digest
    state, difference = replay_as_far(game, record)
    assert difference is not None
    assert "event 5 of the record (`B`: `put 2`) does not fit" in str(difference)
    assert difference.diagnostics[0].help == "the rulebook has changed since the record was made"
    assert state.to_move == (1,)
    assert var(state, "score", 0) == 4
    same = load_text(tmp_path, RULES + "# a remark\n").game(parameters={"size": 1})
    assert replay_as_far(same, record)[1] is None


def test_the_record_of_a_fault_leads_to_it(make: Make) -> None:
    rules = RULES.replace("score += c.rank", "score += 30 * c.rank")
    game = make(rules, parameters={"size": 4})
    for seed in (1, None):
        with pytest.raises(GameFault) as raised:
            play_out(game.start(seed), lambda n: n - 1)
        again = game.replay(raised.value.record)
        assert again.fault is not None
        assert again.fault.code.number == "EGO703"
        assert again.fault == raised.value.diagnostic
        assert again.to_move == ()
        assert not again.is_over


def test_a_fault_after_chance_and_a_fault_in_the_setup_replay(make: Make) -> None:
    for rules in (
        (
            "var n: 0..9 = 0\nstage game:\n    as players[1]: choose k in 1..2\n"
            "    pick r at random from 1..3\n    n := 9 + r if k = 1 else 0\n"
        ),
        "var n: 0..9 = 0\nstage game:\n    pick r at random from 1..3\n    n := 9 + r if r > 0 else 0\n",
        "var n: 0..9 = 0\nstage game:\n    n := 9 + count(players) if n = 0 else 0\n",
    ):
        game = make(rules)
        with pytest.raises(GameFault) as raised:
            game.start(seed=4).choose(0)
        again = game.replay(raised.value.record)
        assert again.fault == raised.value.diagnostic


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        '{"egodsl-record": 2}',
        '{"egodsl-record": 1}',
        "[" * 100_000,
    ],
)
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(RecordError) as raised:
        Record.from_json(text)
    assert raised.value.diagnostics[0].code.number == "EGO801"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", "two"),
        ("players", True),
        ("seed", "x"),
        ("events", {}),
        ("events", [["A"]]),
        ("events", [["A", 1]]),
        ("parameters", {"size": "2"}),
        ("readings", []),
        ("digest", None),
    ],
)
def test_a_record_with_a_wrong_part(make: Make, name: str, value: object) -> None:
    data = json.loads(make(RULES).start(seed=0).record().to_json())
    data[name] = value
    with pytest.raises(RecordError):
        Record.from_json(json.dumps(data))


def test_a_record_with_a_part_missing(make: Make) -> None:
    whole = json.loads(make(RULES).start(seed=0).record().to_json())
    for name in whole:
        data = {other: value for other, value in whole.items() if other != name}
        with pytest.raises(RecordError, match=f"`{name}`"):
            Record.from_json(json.dumps(data))


SCRIPT = """
import sys
from pathlib import Path
from tests.helpers import load_text, play_out
from egodsl.engine.rng import Random
game = load_text(Path(sys.argv[1]), Path(sys.argv[2]).read_text()).game(players=3)
for seed in range(8):
    state = play_out(game.start(seed), Random(seed).below)
    sys.stdout.write(state.record().to_json())
    state = play_out(game.start(None), Random(seed).below)
    sys.stdout.write(state.record().to_json())
"""

MANY_SETS = """
enum Suit: red, blue, green
card Card:
    suit: Suit
    rank: 1..4
    written "{suit}{rank}"
components cards of Card in deck:
    2 x (suit: s, rank: r) for s in Suit for r in 1..4
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
zone pile: stack of Card, face up
var kept: set of Suit = {}
trigger some for s in Suit during round whenever not empty(pile) and top(pile).suit = s: kept := kept | {s}
stage game: play round
stage round:
    shuffle deck
    for p in {players[3], players[1], players[2]}: move 4 from deck to hand[p]
    turns from players[1]:
        choose s in subsets(hand, 1..2) | groups(hand, .rank, 2), t in {red, blue, green} without kept
        otherwise: end round
        for c in s: move c to pile
        pick q at random from {players[1], players[2]} | {players[3]}
        as p in {left(q), q}:
            if not empty(hand) and t != red: move 1 at random from hand to pile
        if empty(hand): end round
"""


def test_games_are_the_same_in_every_process(tmp_path: Path) -> None:
    rules = tmp_path / "text"
    rules.write_text(MANY_SETS, encoding="utf-8")
    found = []
    for hash_seed in ("0", "1", "4242"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path), str(rules)],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        found.append(done.stdout)
    assert found[0].count("egodsl-record") == 16
    assert found[0] == found[1] == found[2]


def test_a_record_says_nothing_of_settings_that_there_are_not(make: Make) -> None:
    with pytest.raises(SettingsError):
        make(RULES, modes=["even"])
