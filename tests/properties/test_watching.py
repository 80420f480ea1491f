"""What the watcher says of games that are known, against a judge who looks at the whole list of what happened."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from egodsl.engine.game import Rulebook, RulebookError
from egodsl.engine.state import State
from egodsl.testing import rulebook_texts
from egodsl.verify.explore import Bounds, Exploration, explore
from egodsl.verify.monitors import ReachableMonitor
from egodsl.verify.properties import Property, properties_of
from egodsl.verify.tracing import play
from egodsl.verify.trying import Plan, try_properties
from egodsl.verify.watching import Broken, Watcher
from tests.helpers import load_text, play_as, var
from tests.properties.claiming import Breaches, Claim, breaches, claims, shown
from tests.properties.counting import Choice, Made, Run, games, played
from tests.properties.playing import rulebook_of

MOST_LINES = 40
MOST_STATES = 1200
many = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
half = settings(many, max_examples=max(settings().max_examples // 2, 5))


def book(made: Made, about: dict[str, Claim]) -> Rulebook:
    text = made.text() + "\n" + "\n".join(claim.declaration(name) for name, claim in about.items()) + "\n"
    note(text)
    with tempfile.TemporaryDirectory() as folder:
        return load_text(Path(folder), text)


def declared(rulebook: Rulebook) -> list[Property]:
    return [prop for prop in properties_of(rulebook) if prop.builtin is None]


def apply(state: State, choice: Choice) -> None:
    player, text = choice
    if player < 0:
        state.apply(text)
    else:
        play_as(state, player, text)


def counted(found: list[Broken]) -> Breaches:
    return Counter((one.name, one.instance) for one in found)


class Playing:
    """A watched game and the one in plain Python, side by side. `copy` plays on from here, `advance` goes on."""

    def __init__(self, made: Made, about: dict[str, Claim], watcher: Watcher) -> None:
        self.made, self.about, self.watcher = made, about, watcher
        self.choices: list[Choice] = []
        self.state = watcher.game.start()
        self.before: State | None = None
        self.run = Run(made)
        self._compare()

    def copy(self) -> Playing:
        made = Playing.__new__(Playing)
        made.made, made.about, made.watcher = self.made, self.about, self.watcher
        made.choices, made.state, made.before = self.choices[:], self.state.clone(), self.before
        made.run = played(self.made, self.choices)
        return made

    def advance(self, choice: Choice) -> None:
        self.choices.append(choice)
        apply(self.state, choice)
        self.run.choose(*choice)
        self._compare()

    def _compare(self) -> None:
        state = self.state
        if state.is_chance:
            found = self.watcher.abandon()
        else:
            found = self.watcher.judge(self.before, state)
            self.before = state.clone()
        assert counted(found) == breaches(self.about, self.run), self.choices
        assert state.is_over == (not self.run.asked)


@many
@given(games().flatmap(lambda made: st.tuples(st.just(made), claims(made))), st.integers(0, 2**32 - 1))
def test_the_watcher_says_what_a_naive_judge_says(drawn: tuple[Made, dict[str, Claim]], dice: int) -> None:
    made, about = drawn
    rulebook = book(made, about)
    watcher = Watcher(rulebook.game(players=made.players), declared(rulebook))
    rng = random.Random(dice)  # noqa: S311 - repeatable games
    witnesses: set[tuple[str, str]] = set()
    for _ in range(3):
        playing = Playing(made, about, watcher)
        while playing.run.asked and len(playing.choices) < 25:
            if rng.random() < 0.2:
                # What happens on a copy does not change what is remembered here.
                other = playing.copy()
                for _ in range(rng.randrange(1, 6)):
                    if other.run.asked:
                        other.advance(rng.choice(other.run.asked))
                witnesses |= shown(about, other.run)
            playing.advance(rng.choice(playing.run.asked))
        witnesses |= shown(about, playing.run)
    assert witnesses == {
        (one.property.name, one.bound.words(watcher.game))
        for one in watcher.monitors
        if isinstance(one, ReachableMonitor) and one.found
    }


@half
@given(games().flatmap(lambda made: st.tuples(st.just(made), claims(made))), st.integers(0, 2**32 - 1))
def test_a_game_is_the_same_whether_it_is_watched_or_not(drawn: tuple[Made, dict[str, Claim]], dice: int) -> None:
    made, about = drawn
    rulebook = book(made, about)
    plain, game = rulebook.game(players=made.players), rulebook.game(players=made.players)
    watcher = Watcher(game, properties_of(rulebook), every=1)
    rng = random.Random(dice)  # noqa: S311 - repeatable games
    watched, other = game.start(), plain.start()
    before: State | None = None
    for _ in range(15):
        if not watched.is_chance:
            watcher.judge(before, watched)
            before = watched.clone()
        assert watched.record() == other.record()
        for player in range(made.players):
            assert watched.view(player) == other.view(player)
            assert watched.observations(player) == other.observations(player)
        again = game.replay(watched.record())
        assert again == watched
        assert hash(again) == hash(watched)
        if watched.is_over:
            assert other.is_over
            assert watched.result == other.result
            return
        asked = choices_of(watched)
        assert asked == choices_of(other)
        choice = rng.choice(asked)
        apply(watched, choice)
        apply(other, choice)


def choices_of(state: State) -> list[Choice]:
    if state.is_chance:
        return [(-1, one.text) for one in state.chance()]
    return [(player, move.text) for player in state.to_move for move in state.legal_moves(player)]


AT_ONCE = """
    var own[player]: 0..9 = 1
    var more[player]: 0..9 = 0, owner only
    stage game: together as p in players: choose one of mark
    action mark (k in 1..2):
        own[you] += k
        choose more in 0..1
        own[you] += more[you]
    property exact: after mark: own[you] = old(own[you]) + k + more[you]
    property less: after mark: own[you] = old(own[you]) + k
    property apart: after mark: all(own[p] = old(own[p]) for p in players where p != you)
    property nothing_yet: always all(own[p] = 1 for p in players)
"""


@pytest.mark.parametrize("order", [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 1, 0, 0)])
def test_an_action_that_several_carry_out_at_once_is_judged_by_what_its_player_did(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    rulebook = load_text(tmp_path, AT_ONCE)
    game = rulebook.game(players=2)
    watcher = Watcher(game, declared(rulebook))
    state = game.start()
    found = [counted(watcher.begin(state))]
    for number, player in enumerate(order):
        before = state.clone()
        play_as(state, player, "1" if player in order[:number] else "mark 2")
        found.append(counted(watcher.judge(before, state)))
    # Each player's second choice ends an action in which one more came than `k`; the table changes when all are done.
    ends = [player in order[:number] for number, player in enumerate(order)]
    expected = [Counter({("less", ""): 1} if done else {}) for done in (False, *ends)]
    expected[-1]["nothing_yet", ""] = 1
    assert found == expected
    assert [var(state, "own", player) for player in (0, 1)] == [4, 4]


# ---------------------------------------------------------------- random games and exploration


def first_breaches(made: Made, about: dict[str, Claim], depth: int) -> tuple[dict[tuple[str, str], int], int]:
    """The fewest choices after which something is broken, over all games of at most so many; and of how many all games
    were looked at. Choices at once are made in the order of the seats.
    """
    found: dict[tuple[str, str], int] = {}
    level: list[list[Choice]] = [[]]
    for length in range(depth + 1):
        following: list[list[Choice]] = []
        for choices in level:
            run = played(made, choices)
            for what in breaches(about, run):
                found.setdefault(what, length)
            mover = run.asked[0][0] if run.asked else 0
            following += [[*choices, one] for one in run.asked if one[0] == mover]
        level = following
        if len(level) > MOST_LINES or length == depth:
            return found, length
    raise AssertionError


def shortest(found: Exploration) -> dict[tuple[str, str], int]:
    """After how many choices what is broken, without what is said of witnesses."""
    depths: dict[tuple[str, str], int] = {}
    witnesses = {one.property for one in found.witnesses}
    for one in found.violations:
        if one.property not in witnesses:
            what = (one.property, one.instance)
            depths[what] = min(one.depth, depths.get(what, one.depth))
    return depths


@half
@given(games().flatmap(lambda made: st.tuples(st.just(made), claims(made, least=4))))
def test_exploring_finds_the_shortest_game_that_breaks_a_claim(drawn: tuple[Made, dict[str, Claim]]) -> None:
    made, about = drawn
    rulebook = book(made, about)
    found = explore(rulebook.game(players=made.players), Bounds(states=MOST_STATES), declared(rulebook))
    explored = shortest(found)
    judged = {prop.name for prop in found.judged}
    naive, depth = first_breaches(made, {name: about[name] for name in judged}, 7)
    assert {what: length for what, length in explored.items() if length <= depth} == naive


@half
@given(games().flatmap(lambda made: st.tuples(st.just(made), claims(made, least=4))), st.integers(0, 2**32 - 1))
def test_exploring_and_random_games_agree(drawn: tuple[Made, dict[str, Claim]], seed: int) -> None:
    made, about = drawn
    rulebook = book(made, about)
    found = explore(rulebook.game(players=made.players), Bounds(states=MOST_STATES), declared(rulebook))
    if not found.complete:
        return
    explored: dict[str, int] = {}
    for (name, _), depth in shortest(found).items():
        explored[name] = min(depth, explored.get(name, depth))
    plan = Plan(games=4, seed=seed, most=30, effort=400)
    witnesses = {(one.property, one.instance): one.verdict for one in found.witnesses}
    for tried in try_properties(rulebook, properties=found.judged, players=[made.players], plan=plan):
        name = tried.property.name
        if tried.example is not None:
            # Random games do not break what holds, and no shorter game breaks it than exploring has found.
            assert explored[name] <= len(tried.example.record.events)
        for instance, seen in tried.witnesses.items():
            assert not seen or witnesses[name, instance] == "found"


# ---------------------------------------------------------------- rulebooks of every construct


@half
@given(rulebook_texts(), st.integers(0, 2**32 - 1))
def test_properties_of_every_kind_leave_a_game_as_it_is(text: str, dice: int) -> None:
    rulebook = rulebook_of(text)
    assume(rulebook is not None)
    assert rulebook is not None
    players = min(rulebook.players)
    try:
        game, plain = rulebook.game(players=players), rulebook.game(players=players)
    except RulebookError:
        return
    watcher = Watcher(game, properties_of(rulebook), every=2)
    rng = random.Random(dice)  # noqa: S311 - repeatable games
    drawn: list[int] = []

    def draw(_: State, found: Sequence[object]) -> int:
        drawn.append(rng.randrange(len(found)))
        return drawn[-1]

    watched = play(game, watcher, draw, 20)
    numbers = iter(drawn)
    other = play(plain, Watcher(plain, []), lambda _, __: next(numbers), len(watched.trace.moves))
    assert watched.record == other.record
    for player in range(players):
        assert watched.state.view(player) == other.state.view(player)
        assert watched.state.observations(player) == other.state.observations(player)
    again = game.replay(watched.record)
    if again.fault is None:
        assert again == watched.state
        assert hash(again) == hash(watched.state)
    for broken in watched.broken:
        assert broken.diagnostic.message
