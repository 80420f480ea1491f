from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.moves import Result
from egodsl.players import KINDS, RandomPlayer, SearchPlayer, play_on, playouts
from egodsl.players.search import Race, even_share, scores_of, value_of, worth
from tests.helpers import play_as, var

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.players import Player

    Make = Callable[..., Game]

HEAD = 'rulebook tried "A game to try":\n    players 2..4\n    result most points\n\n'

CLIMBING = (
    HEAD
    + """
var points[player]: 0..9 = 0

stage game:
    as p in players: choose one of wait, climb, fall

action wait: points += 1
action climb: points += 3
action fall: points := 0
"""
)
"""Climbing is best, whatever the others do."""

PILE = (
    HEAD
    + """
enum Colour: red "red", black "black"

card Chip:
    colour: Colour
    written "{colour}"

components chips of Chip in pile:
    3 x (colour: red)
    1 x (colour: black)
    total 4

zone pile: stack of Chip, face down

var points[player]: 0..2 = 0

stage game:
    shuffle pile
    as players[1]:
        choose guess in Colour
        reveal top(pile) as c
        if c.colour = guess: points += 2
    points[players[2]] := 1
"""
)
"""A names the colour of the top card. Red is right three times in four, black is right when a black card lies there."""

SECRET = (
    HEAD
    + """
var secret[player]: 1..5 = 1, owner only
var points[player]: 0..2 = 0

stage game:
    as players[1]: choose secret in 1..5
    as players[2]: choose one of low, high
    points[players[1]] := 1

action low: points += 2 if secret[players[1]] <= 4 else 0
action high: points += 2 if secret[players[1]] = 5 else 0
"""
)
"""B does not know what A has chosen: it is four times as likely to be low."""

AT_ONCE = (
    HEAD
    + """
var bid[player]: 1..5 = 1, owner only
var points[player]: 0..2 = 0

stage game:
    together as p in players: choose bid in 1..5
    for p in players: points[p] := 2 if bid[p] = 5 else 1 if bid[p] <= 3 else 0
"""
)
"""Five is worth most."""

DICE = (
    HEAD
    + """
var points[player]: 0..2 = 0

stage game:
    as players[1]: choose one of gamble, play_safe
    points[players[2]] := 1

action gamble:
    pick n at random from 1..6
    if n = 6: points += 2

action play_safe:
    pick n at random from 1..6
    if n <= 5: points += 2
"""
)
"""The die is rolled after the choice: it is not known to whoever chooses."""


@pytest.fixture(params=range(6))
def seed(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


def searched(game: Game, start: int | None, seed: int, player: int = 0, *before: tuple[int, str]) -> str:
    """What the player chooses in a game with the seed `start` after these moves."""
    state = game.start(start)
    for mover, text in before:
        play_as(state, mover, text)
    return SearchPlayer(seed, playouts(80)).choose(state, player).text


def test_the_plainly_best_move_is_found(make: Make, seed: int) -> None:
    for players in (2, 3):
        game = make(CLIMBING, players=players)
        assert searched(game, 1, seed) == "climb"
        assert searched(game, 1, seed, 1, (0, "climb")) == "climb"


def test_it_does_not_look_at_hidden_cards(make: Make, seed: int) -> None:
    game = make(PILE)
    right: Counter[int] = Counter()
    for start in range(12):
        assert searched(game, start, seed) == "red"
        state = game.start(start)
        state.apply("red")
        right[var(state, "points", 0)] += 1
    # Whoever saw the pile would have said black where this is wrong.
    assert right[0] > 0
    assert right[2] > right[0]


def test_it_does_not_know_what_others_chose_in_secret(make: Make, seed: int) -> None:
    game = make(SECRET)
    for secret in ("1", "4", "5"):
        assert searched(game, 1, seed, 1, (0, secret)) == "low"


def test_it_does_not_know_the_chance_to_come(make: Make, seed: int) -> None:
    game = make(DICE)
    for start in (*range(12), None):
        assert searched(game, start, seed) == "play safe"


def test_choices_at_once_are_searched(make: Make, seed: int) -> None:
    game = make(AT_ONCE)
    assert searched(game, 1, seed, 0) == "5"
    for theirs in "15":
        assert searched(game, 1, seed, 1, (0, theirs)) == "5"
        assert searched(game, 1, seed, 0, (1, theirs)) == "5"


def test_the_state_is_left_as_it_was(make: Make) -> None:
    state = make(PILE).start(3)
    before = state.clone()
    SearchPlayer(1, playouts(20)).choose(state, 0)
    assert state == before
    assert (state.rng, state.decisions, state.record()) == (before.rng, before.decisions, before.record())


def test_one_seed_decides_alike(make: Make) -> None:
    state = make(AT_ONCE).start(1)
    first, second, other = (SearchPlayer(seed, playouts(5)) for seed in (7, 7, 8))
    runs = [[player.choose(state, 0).text for _ in range(12)] for player in (first, second, other)]
    assert runs[0] == runs[1] != runs[2]


PAID = """
rulebook paid "Paid":
    players 2
    result most points
    payoff {payoff}

var points[player]: 0..9 = 0
var purse[player]: -99..99 = 0

stage game:
    as p in players: choose one of lead, earn

action lead:
    points += 5
action earn:
    points += 1
    purse += 9
"""
"""To lead gives the better place, to earn the better payoff."""


@pytest.mark.parametrize(("payoff", "best"), [("purse", "earn"), ("points - purse", "lead"), ("points", "lead")])
def test_payoffs_are_what_is_played_for(make: Make, seed: int, payoff: str, best: str) -> None:
    game = make(PAID.format(payoff=payoff))
    assert searched(game, 1, seed) == best
    assert searched(game, 1, seed, 1, (0, "lead")) == best


def test_by_how_much_counts_and_not_how_often(make: Make) -> None:
    rules = PAID.format(payoff="purse").replace("points += 5", "points += 5\n    purse += 1")
    game = make(rules.replace("purse += 9", "pick n at random from 1..6\n    purse += 90 if n >= 4 else 0"))
    # 90 half of the time against 1. That none of six rounds shows the 90 is as likely as 1 in 64.
    chosen = Counter(searched(game, 1, seed) for seed in range(20))
    assert chosen["earn"] >= 18


def test_what_a_game_is_worth_that_breaks_off_by_payoffs(make: Make) -> None:
    state = make(PAID.format(payoff="3 * purse - points")).start(1)
    assert [value_of(state, p) for p in (0, 1)] == [0, 0]
    state.apply("earn")
    # 3 * 9 - 1; the share of each is the half of it.
    assert [value_of(state, p) for p in (0, 1)] == [26, 0]
    assert even_share(state.game, scores_of(state)) == 13
    rules = PAID.format(payoff="purse").replace("-99..99 = 0", "-99..99")
    state = make(rules.replace("stage game:", 'stage game:\n    as players[1]: may "begin": nothing')).start(1)
    assert value_of(state, 0) == 0


# ---------------------------------------------------------------- budgets and bounds


def test_a_budget_is_asked_before_each_playout(make: Make) -> None:
    state = make(AT_ONCE).start(1)
    asked: list[int] = []

    def until_seven(made: int) -> bool:
        asked.append(made)
        return made < 7

    SearchPlayer(1, until_seven).choose(state, 0)
    assert sorted(set(asked)) == list(range(8))


def test_without_time_any_move_is_made(make: Make) -> None:
    state = make(CLIMBING).start(1)
    chosen = Counter(SearchPlayer(seed, playouts(0)).choose(state, 0).text for seed in range(300))
    # 100 of each are expected, with a deviation of 8; five of them are allowed.
    assert set(chosen) == {"wait", "climb", "fall"}
    assert all(abs(count - 100) < 41 for count in chosen.values())


def test_time_for_part_of_a_round_is_used(make: Make) -> None:
    # With two playouts, two of the three moves are tried: `fall` is worse than any other.
    state = make(CLIMBING, players=2).start(1)
    play_as(state, 0, "wait")
    chosen = {SearchPlayer(seed, playouts(2)).choose(state, 1).text for seed in range(40)}
    assert chosen == {"wait", "climb"}


def test_a_single_move_is_not_thought_about(make: Make) -> None:
    def never(made: int) -> bool:
        raise AssertionError(made)

    game = make(CLIMBING.replace("choose one of wait, climb, fall", "choose one of wait"))
    assert SearchPlayer(1, never).choose(game.start(1), 0).text == "wait"


def test_a_long_game_is_judged_by_the_scores_on_the_way(make: Make, seed: int) -> None:
    rules = CLIMBING.replace("0..9", "0..999999").replace(
        "    as p in players: choose", "    repeat 20000 times:\n        as p in players: choose"
    )
    # After one decision of each, who climbed leads or is level, and who did not is level or behind.
    state = make(rules).start(1)
    assert SearchPlayer(seed, playouts(80), horizon=2).choose(state, 0).text == "climb"


def test_moves_that_break_the_rules_are_worth_an_even_share(make: Make, seed: int) -> None:
    rules = CLIMBING.replace("points += 1", "points += 2 * points[players[2]]").replace("points += 3", "{}")
    # A waits when B has 5 points, which leads to 10: a fault. To win is better than that, to lose worse.
    begun = rules.replace("stage game:", "stage game:\n    points[players[2]] := 5").replace(
        "as p in players:", "as players[1]:"
    )
    assert searched(make(begun.format("points := 9")), 1, seed) == "climb"
    state = make(begun.format("points := 1")).start(1)
    before = state.clone()
    assert SearchPlayer(seed, playouts(80)).choose(state, 0).text == "wait"
    assert state == before


# ---------------------------------------------------------------- what an end is worth


def test_what_an_end_is_worth_follows_from_the_places() -> None:
    def ends(*places: tuple[int, ...]) -> list[float]:
        seats = sorted(player for tied in places for player in tied)
        return [worth(Result(places, tuple(() for _ in seats)), player) for player in seats]

    assert ends((0,), (1,)) == [1, 0]
    assert ends((0, 1)) == [0.5, 0.5]
    # Four seats: with three worse or equal, each that is worse counts a twelfth.
    assert ends((2,), (0,), (1,), (3,)) == [2 / 12, 1 / 12, 1, 0]
    assert ends((2, 3), (0, 1)) == [0, 0, 0.5, 0.5]
    assert ends((2,), (0, 3), (1,)) == [1 / 12, 0, 1, 1 / 12]


def test_a_score_of_all_together_is_its_own_worth() -> None:
    assert worth(Result((), ((7,), (7,)), 7), 1) == 7


def test_a_common_score_is_searched_for(make: Make, seed: int) -> None:
    game = make(
        """
        rulebook shared "Shared":
            players 2
            result together reached

        var reached: 0..9 = 0

        stage game: as p in players: choose one of slip, climb

        action climb: reached += 4
        action slip: reached += 1
        """
    )
    assert searched(game, 1, seed) == "climb"


def test_a_game_that_has_not_ended_is_worth_what_its_scores_say(make: Make) -> None:
    game = make(CLIMBING.replace("0..9 = 0", "0..9 = 0\nvar last: 0..9"), players=3)
    state = game.start(1)
    assert [value_of(state, p) for p in range(3)] == [1 / 3] * 3
    state.apply("climb")
    assert [value_of(state, p) for p in range(3)] == [1, 0, 0]


def test_a_game_whose_scores_have_no_value_yet_is_even(make: Make) -> None:
    rules = CLIMBING.replace("0..9 = 0", "0..9").replace(
        "stage game:", 'stage game:\n    as players[1]: may "begin": nothing\n    for p in players: points[p] := 0'
    )
    state = make(rules, players=4).start(1)
    assert value_of(state, 2) == 1 / 4


# ---------------------------------------------------------------- the race


def test_a_move_clearly_behind_drops_out() -> None:
    race = Race(3)
    for _ in range(5):
        race.add([1.0, 0.0, 1.0])
    assert race.running == [0, 1, 2]
    race.add([1.0, 0.0, 1.0])
    # Six differences of 1: mean 1, standard error sqrt(1/6/6) = 1/6.
    assert race.running == [0, 2]
    race.add([0.0, 1.0])
    assert race.best == 2


def test_differences_count_and_not_the_spread_of_the_worlds() -> None:
    race = Race(2)
    # The values jump by 0.75 from world to world; the difference is always an eighth, its standard error 1/k after k
    # rounds: two of them are less than an eighth from the 17th round on.
    for k in range(16):
        race.add([0.125 + k % 2 * 0.75, k % 2 * 0.75])
    assert race.running == [0, 1]
    race.add([0.125, 0.0])
    assert race.running == [0]
    # Where worlds differ for each move as much, 400 rounds tell nothing of a tenth.
    noisy = Race(2)
    for k in range(400):
        noisy.add([0.1 + k % 2 * 4.0, (k // 2) % 2 * 4.0])
    assert noisy.running == [0, 1]


def test_what_is_clear_depends_on_how_far_apart_values_are() -> None:
    race = Race(2)
    race.add([90.0, 85.0])
    for _ in range(9):
        race.add([1.0, 0.0])
    # Differences of 1 alone would be clear by now; but values go up to 90.
    assert race.running == [0, 1]
    race = Race(2)
    rounds = 0
    while race.running == [0, 1]:
        race.add([90.0, 85.0] if rounds % 2 == 0 else [1.0, 0.0])
        rounds += 1
    # The mean is 3, the deviation 2; with a round of 90 more the mean is twice the standard error when
    # 9 = 4 * (4 + 90^2 / rounds) / rounds, which is at 61 rounds.
    assert race.running == [0]
    assert abs(rounds - 61) <= 2


def test_a_round_cut_short_counts_only_without_a_whole_one() -> None:
    race = Race(3)
    assert race.best == 0
    race.add([0.2, 0.7])
    assert race.best == 1
    race.add([0.5, 0.4, 0.6])
    race.add([9.0])
    assert race.best == 2


# ---------------------------------------------------------------- at the table


def test_different_players_at_one_table(make: Make) -> None:
    game = make(AT_ONCE, players=3)
    state = game.start(1)
    players: list[Player] = [SearchPlayer(1, playouts(60)), RandomPlayer(4), SearchPlayer(2, playouts(60))]
    assert play_on(state, players, 3)
    assert state.is_over
    assert [var(state, "bid", p) for p in (0, 2)] == [5, 5]
    assert not play_on(game.start(1), players, 2)


def test_the_kind_is_found_by_name() -> None:
    assert isinstance(KINDS["search"](1), SearchPlayer)
