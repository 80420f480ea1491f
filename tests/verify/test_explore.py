"""Exploring small games whose positions can be counted by hand."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest

from egodsl.engine.compact import Digester, Packer
from egodsl.engine.game import Game, load
from egodsl.engine.identity import key_of
from egodsl.engine.record import Record
from egodsl.verify.explore import Bounds, Exploration, explore
from egodsl.verify.properties import properties_of
from tests.cli.running import STUCK, TOGETHER, write

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"

RACE = """\
rulebook race "Race":
    players 2
    result most walked

card Chip:
    worth: 1..2
    written "chip {worth}"

components chips of Chip in bag:
    2 x (worth: 1)
    1 x (worth: 2)

zone bag: set of Chip, face down
zone taken[player]: set of Chip, face up

var walked[player]: 0..9 = 0

stage game:
    turns from players[1]:
        play turn
        if walked = 3 or empty(bag): end game

stage turn:
    choose one of walk, draw_chip

action walk:
    walked += 1

action draw_chip:
    move 1 at random from bag to taken
    walked := count(taken)
"""


def game_of(folder: Path, text: str, **settings: object) -> Game:
    return load(write(folder, text)).game(**settings)  # type: ignore[arg-type] # the settings of the test


def figures(made: Exploration) -> tuple[int, int, int, int]:
    return made.states, made.transitions, made.ends, made.depth


# ---------------------------------------------------------------- counting


def test_those_who_choose_at_once_are_asked_seat_by_seat(tmp_path: Path) -> None:
    # Nobody has chosen; A has chosen 1 or 2; four ways in which both have.
    made = explore(game_of(tmp_path, TOGETHER), reduce=False)
    assert made.complete
    assert figures(made) == (1 + 2 + 4, 2 + 4, 4, 2)
    # (1, 2) and (2, 1) differ in seats alone.
    assert figures(explore(game_of(tmp_path, TOGETHER))) == (1 + 2 + 3, 2 + 4, 3, 2)


def test_cards_of_one_face_are_one_outcome(tmp_path: Path) -> None:
    text = RACE.replace("choose one of walk, draw_chip", "choose one of draw_chip")
    made = explore(game_of(tmp_path, text), reduce=False)
    # A and B draw, then A draws what is left. The chips of worth 1 are alike: 1 1 2, 1 2 1 and 2 1 1 are the orders.
    # Decision and chance in turn: 1 + 1 start, then 2, then 3 ways; the last card is a chance event of one outcome.
    assert made.complete
    assert figures(made) == (1 + 1 + 2 + 2 + 3 + 3 + 2, 1 + 2 + 2 + 3 + 3 + 3, 2, 6)


def test_a_position_that_comes_again_is_not_another(tmp_path: Path) -> None:
    text = TOGETHER.split("stage game")[0] + (
        "var light: bool = false\n\n"
        "stage game:\n"
        "    repeat:\n"
        "        as players[1]:\n            choose:\n"
        '                "switch": light := not light\n                "leave": end game\n'
    )
    made = explore(game_of(tmp_path, text))
    # Dark, light, and an end in each; switching twice leads back.
    assert made.complete
    assert figures(made) == (4, 4, 2, 2)


def test_bounds(tmp_path: Path) -> None:
    game = game_of(tmp_path, RACE)
    whole = explore(game, reduce=False)
    assert whole.complete
    cut = explore(game, Bounds(states=whole.states - 1), reduce=False)
    assert (cut.states, cut.complete, cut.stopped) == (whole.states - 1, False, "limit")
    assert explore(game, Bounds(states=whole.states), reduce=False).complete
    # A megabyte is more than these take, and less than some thousands of positions of a real game do.
    assert explore(game, Bounds(memory=1), reduce=False).complete
    large = explore(load(RULEBOOKS / "egonomy.rules").game(), Bounds(memory=1))
    assert (large.complete, large.stopped) == (False, "memory")
    assert 900_000 < large.memory < 1_100_000


def test_a_state_takes_less_than_a_kilobyte() -> None:
    game = load(RULEBOOKS / "egonomy.rules").game()
    builtin = [prop for prop in properties_of(game.rulebook) if prop.builtin is not None]
    explore(game, Bounds(states=100), builtin)
    tracemalloc.start()
    made = explore(game, Bounds(states=4000), builtin, reduce=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Most of them still wait to be looked at, which is when they are largest. What the bound goes by is about right.
    assert made.states == 4000
    assert peak < 1000 * made.states
    assert 0.7 * peak < made.memory < 1.3 * peak


def test_no_further_than_a_stage(tmp_path: Path) -> None:
    game = game_of(tmp_path, RACE)
    turn = [stage.name for stage in game.stages].index("turn")
    made = explore(game, Bounds(until=turn), reduce=False)
    # A decides; chance; A has walked or drawn 1 or 2, and B is to decide.
    assert made.complete
    assert figures(made) == (5, 4, 0, 2)


def test_an_interrupt_gives_what_was_found(tmp_path: Path) -> None:
    def stop(states: int) -> None:
        if states >= 10:
            raise KeyboardInterrupt

    made = explore(game_of(tmp_path, RACE), reduce=False, done=stop)
    assert (made.complete, made.stopped) == (False, "interrupted")
    assert 10 <= made.states < 20
    assert made.depth > 0


def test_two_runs_are_alike(tmp_path: Path) -> None:
    one, other = (explore(game_of(tmp_path, RACE), Bounds(states=30)) for _ in range(2))
    assert figures(one) == figures(other)


# ---------------------------------------------------------------- what goes wrong


def test_a_stuck_player_is_found_by_the_shortest_game(tmp_path: Path) -> None:
    game = game_of(tmp_path, STUCK)
    made = explore(game)
    (violation,) = made.violations
    assert made.complete
    assert (violation.property, violation.diagnostic.code.number) == ("never_stuck", "EGO701")
    assert violation.record.events == (("A", "take"), ("B", "take")) * 2
    again = game.replay(Record.from_json(violation.record.to_json()))
    assert again.fault is not None
    assert again.fault.code.number == "EGO701"


def test_of_several_games_the_shortest_is_told(tmp_path: Path) -> None:
    text = RACE.replace("var walked[player]: 0..9", "var walked[player]: 0..2").replace("walked = 3 or ", "")
    made = explore(game_of(tmp_path, text), reduce=False)
    violation, other = made.violations
    # A third step leaves the range. A walks at the first, third and fifth decision. To draw all chips takes the chance
    # events as well, and is another place in the rules.
    assert violation.property == other.property == "no_fault"
    assert (other.depth, violation.diagnostic.place == other.diagnostic.place) == (8, False)
    assert violation.depth == 5
    assert [who for who, _ in violation.record.events] == ["A", "B", "A", "B", "A"]
    assert violation.count > 1


def test_a_fault_of_the_setup(tmp_path: Path) -> None:
    text = RACE.replace("    turns from", "    points_of_nobody := 9\n    turns from")
    text = text.replace("stage game:", "var points_of_nobody: 0..19 = 0\nvar no_chip: Chip? = none\n\nstage game:")
    text = text.replace("points_of_nobody := 9", "points_of_nobody := count({c in bag where c = no_chip}) - 1")
    made = explore(game_of(tmp_path, text))
    assert (made.states, made.complete) == (0, True)
    assert [(v.property, v.depth) for v in made.violations] == [("no_fault", 0)]


def test_with_and_without_symmetry_the_same_goes_wrong(tmp_path: Path) -> None:
    text = TOGETHER.replace(
        "    for p in players:",
        '    if any(guess[p] = 2 for p in players): stop with "somebody chose 2"\n    for p in players:',
    )
    whole, reduced = (explore(game_of(tmp_path, text), reduce=reduce) for reduce in (False, True))
    assert (whole.symmetries, reduced.symmetries) == (1, 2)
    assert [(v.property, v.depth) for v in whole.violations] == [(v.property, v.depth) for v in reduced.violations]
    assert whole.violations[0].depth == 2
    assert (whole.violations[0].count, reduced.violations[0].count) == (3, 3)


# ---------------------------------------------------------------- properties

PROPERTIES = """
property far: always all(walked[p] <= 2 for p in players)
property all_there: always count(bag) + sum(count(taken[p]) for p in players) = 3
property by_one: always all(walked[p] <= old(walked[p]) + 1 for p in players)
property a_jump: always all(walked[p] >= old(walked[p]) for p in players)
property drawn: after draw_chip: count(bag) = old(count(bag)) - 1
property rich: reachable count(taken[players[1]]) = 2 and walked[players[2]] = 0
property poor: reachable count(taken[players[1]]) = 3
property each: for p in players: always walked[p] < 3
"""


def test_properties_are_judged_everywhere(tmp_path: Path) -> None:
    game = game_of(tmp_path, RACE + PROPERTIES)
    made = explore(game)
    assert made.complete
    # No symmetry where a property may tell seats apart.
    assert made.symmetries == 1
    broken = {(v.property, v.instance): v for v in made.violations}
    # A walks thrice, with B's turns between. For B to do so A must have drawn a chip, which is one event more. Walking
    # twice and drawing one chip leaves one step: from two to one.
    assert broken["far", ""].depth == 5
    assert broken["each", "p = A"].depth == 5
    assert broken["each", "p = B"].depth == 7
    assert broken["a_jump", ""].depth == 6
    assert [text for _, text in broken["a_jump", ""].record.events][-2:] == ["draw chip", "chip 1"]
    assert {name for name, _ in broken} == {"far", "each", "a_jump", "rich"}
    # Before A has drawn twice B has walked or drawn.
    assert {(w.property, w.verdict) for w in made.witnesses} == {("poor", "found"), ("rich", "refuted")}
    assert {prop.name for prop in made.left_out} == {
        "games_end", "no_leak", "everything_reached", "records_replay", "copies_independent",
    }  # fmt: skip


def test_what_was_not_reached_within_bounds_is_not_refuted(tmp_path: Path) -> None:
    made = explore(game_of(tmp_path, RACE + PROPERTIES), Bounds(states=5))
    assert {(w.property, w.verdict) for w in made.witnesses} == {("rich", "not found"), ("poor", "not found")}
    assert not made.violations


def test_a_waived_fault_is_no_violation(tmp_path: Path) -> None:
    text = STUCK + '\nproperty stuck_in_the_end: never stuck waived "the game ends there"\n'
    made = explore(game_of(tmp_path, text))
    assert (made.states, made.complete, made.violations) == (4, True, [])


def test_with_the_past_it_is_the_same(tmp_path: Path) -> None:
    # What a player can tell hangs on the past: every state is played again from the start.
    text = RACE + "\nproperty known: for p in players: seen by p: walked[players[1]]\n"
    past, plain = explore(game_of(tmp_path, text)), explore(game_of(tmp_path, RACE), reduce=False)
    assert past.complete
    assert figures(past) == figures(plain)
    assert not past.violations


def test_what_a_player_cannot_tell_is_found(tmp_path: Path) -> None:
    text = RACE.replace("zone taken[player]: set of Chip, face up", "zone taken[player]: set of Chip, owner only")
    made = explore(
        game_of(tmp_path, text + "\nproperty known: seen by players[2]: sum(c.worth for c in taken[players[1]])\n")
    )
    # A draws, and B sees not which.
    assert [(v.property, v.depth) for v in made.violations] == [("known", 2)]


# ---------------------------------------------------------------- digests and packed positions


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("egonomy", {"players": 3, "modes": ["flip_the_table"]}),
        ("ego", {"players": 3, "modes": ["vote"]}),
        ("egocentric_world", {"players": 3}),
        ("emotrions", {}),
    ],
)
def test_digests_are_equal_where_positions_are(name: str, settings: dict[str, object]) -> None:
    game = load(RULEBOOKS / f"{name}.rules").game(**settings)  # type: ignore[arg-type] # the settings of the test
    digest, packer = Digester(game), Packer(game)
    rng = random.Random(name)  # noqa: S311 - play, not secrets
    by_key: dict[object, bytes] = {}
    by_digest: dict[bytes, object] = {}
    for _ in range(4):
        state = game.start()
        while not state.is_over and state.decisions < 60:
            if state.is_chance:
                state.apply(rng.choice(state.chance()))
            else:
                state.apply(rng.choice(state.legal_moves(rng.choice(state.to_move))))
            key, found = key_of(state), digest(state)
            assert by_key.setdefault(key, found) == found
            assert by_digest.setdefault(found, key) == key
            again = packer.unpack(packer.pack(state))
            assert again == state
            assert again.chance() == state.chance()
            for player in state.to_move:
                assert again.legal_moves(player) == state.legal_moves(player)
    assert len(by_key) > 100


def test_properties_can_be_chosen(tmp_path: Path) -> None:
    game = game_of(tmp_path, RACE + PROPERTIES)
    wanted = [prop for prop in properties_of(game.rulebook) if prop.name == "each"]
    assert {v.property for v in explore(game, None, wanted).violations} == {"each"}
