"""Dealing anew: the player cannot tell the copy from the state, and all that they must hold possible turns up."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.game import load
from egodsl.engine.rng import Random, derive
from egodsl.engine.tracking import bare_table, follow
from tests.helpers import check_cards, play, play_as, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

MANY = """
    type Value: 1..5 with joker = 3
    card Card:
        value: Value
        written "{value}"
    components cards of Card in deck:
        4 x (value: v) for v in 1..5
    zone deck: stack of Card, face down
    zone discard: stack of Card, face up
    zone hand[player]: set of Card, owner only
    zone back[player]: row of Card, others only
    zone aside: row of Card, face down
    var bid[player]: 0..5 = 0, owner only
    var marked: Card? = none
    var score[player]: 0..99 = 0
    event played(c: Card)

    stage game:
        repeat 2 times: play round
    stage round:
        move Card to deck
        marked := none
        shuffle deck
        for p in players:
            move 3 from deck to hand[p]
            move 1 from deck to back[p]
        move 1 from deck to aside
        together as p in players: choose bid in 1..5
        turns from active:
            if empty(deck) or empty(hand): end round
            choose one of draw, show_pair, give, peek, take_back, tell, mark_card, stop_here

    action draw:
        move top(deck) to hand as drawn
        choose:
            "discard it": move drawn to discard
            "keep it" with c in hand where c != drawn: perform play_card(c)
    action show_pair(c in hand, twin in hand) when c != twin and c.value = twin.value:
        reveal twin
        perform play_card(c)
    action give(c in hand, p in others): move c to hand[p]
    action peek:
        look at top(deck)
        may "look at a hand" with p in others: look at hand[p]
    action take_back(c in back, d in hand):
        swap c with d
        reveal c to others
    action tell(p in others, v in 1..5): reveal c.value = v for c in back[p]
    action mark_card(c in hand):
        marked := c
        move c to discard
        for p in others where not empty(hand[p]): move 1 at random from hand[p] to hand[you]
        move c to hand
    action stop_here when count(discard) > 2:
        for p in players: reveal bid[p]
        move discard to aside
        shuffle aside
        may "end it": end round
    procedure play_card(c: Card):
        move c to discard
        announce played(c)
    ability joker_effect on played(joker):
        may "exchange" with p in others where not empty(hand[p]) and not empty(hand[you]):
            pick mine at random from hand
            pick theirs at random from hand[p]
            swap mine with theirs
"""


def positions(game: Game, seeds: int, most: int, every: int) -> Iterator[State]:
    """Positions of games that are played at random."""
    for seed in range(seeds):
        random = Random(derive(seed, "played"))
        state = game.start(seed)
        while not state.is_over and state.decisions < most:
            if random.below(every) == 0:
                yield state
            player = state.to_move[random.below(len(state.to_move))]
            legal = state.legal_moves(player)
            state.apply(legal[random.below(len(legal))])
        yield state


def check_redeal(state: State, player: int, rng: int) -> State:
    """Deal anew, and check all that must be so of every copy."""
    copy = state.redeal(player, rng)
    check_cards(copy)
    assert copy.view(player) == state.view(player)
    assert copy.observations(player) == state.observations(player)
    assert {m.text for m in copy.legal_moves(player)} == {m.text for m in state.legal_moves(player)}
    assert copy.to_move == state.to_move
    for other in copy.to_move:
        assert copy.legal_moves(other)
    # The log of the copy leads to the table of the copy.
    table = bare_table(copy)
    for entry in copy.entries():
        follow(table, entry)
    assert table.Z == copy.Z
    assert table.L == copy.L
    assert [value for k, value in enumerate(table.V)] == copy.V
    return copy


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_player_cannot_tell_the_copy_from_the_state(make: Callable[..., Game], players: int) -> None:
    varied = 0
    checked = 0
    for state in positions(make(MANY, players=players), seeds=3, most=100, every=12):
        for player in range(players):
            copy = check_redeal(state, player, derive(state.decisions, player))
            varied += copy != state
            checked += 1
    assert checked > 20
    # Hidden cards are nearly always dealt otherwise.
    assert varied > 0.9 * checked


def test_a_copy_can_be_played_on(make: Callable[..., Game]) -> None:
    for state in positions(make(MANY, players=3), seeds=4, most=60, every=10):
        copy = state.redeal(1, derive(state.decisions, "on"))
        random = Random(3)
        while not copy.is_over and copy.decisions < state.decisions + 30:
            player = copy.to_move[random.below(len(copy.to_move))]
            legal = copy.legal_moves(player)
            copy.apply(legal[random.below(len(legal))])
            check_cards(copy)


def test_dealing_anew_twice_is_as_good_as_once(make: Callable[..., Game]) -> None:
    for state in positions(make(MANY, players=2), seeds=3, most=60, every=10):
        check_redeal(state.redeal(0, 5), 0, 6)


def test_the_same_number_gives_the_same_copy(make: Callable[..., Game]) -> None:
    state = list(positions(make(MANY, players=2), seeds=1, most=30, every=10))[-2]
    assert state.redeal(0, 7).Z == state.redeal(0, 7).Z
    assert len({tuple(state.redeal(0, k).Z) for k in range(8)}) > 1


def test_the_state_itself_is_left_alone(make: Callable[..., Game]) -> None:
    for state in positions(make(MANY, players=3), seeds=2, most=40, every=8):
        before, log = state.clone(), state.log
        state.redeal(2, 1)
        assert state == before
        assert state.log is log
        assert state.rng == before.rng


def test_chance_to_come_is_not_that_of_the_state(make: Callable[..., Game]) -> None:
    state = make(
        """
    stage game:
        as active: choose v in 1..2
        pick n at random from 1..1000
        as active: choose w in n..n
    """
    ).start(seed=1)
    drawn = {str(play(state.redeal(0, k), "1").legal_moves(0)[0]) for k in range(5)}
    assert len(drawn) > 1


DEAL = """
    card Card:
        value: 1..4
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..4
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    stage game:
        shuffle deck
        for p in players: move 1 from deck to hand[p]
        as active: choose v in 1..2
"""


def test_unseen_cards_are_equally_likely(make: Callable[..., Game]) -> None:
    state = make(DEAL).start(seed=2)
    own = zone(state, "hand", 0)
    counts = Counter(zone(state.redeal(0, k), "hand", 1)[0] for k in range(3000))
    assert set(counts) == {"1", "2", "3", "4"} - set(own)
    # 1000 each are expected; six standard deviations (25.8) of a binomial with p = 1/3.
    assert all(abs(count - 1000) < 155 for count in counts.values())


def test_a_known_card_in_doubt_is_as_likely_to_be_in_each_place(make: Callable[..., Game]) -> None:
    # A shows one of two cards, and then gives one of them to C unseen.
    state = make(
        """
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            choose shown in hand
            reveal shown
            choose c in hand
            move c to hand[right(active)]
            choose v in 1..2
    """,
        players=3,
    ).start(seed=2)
    first, second = zone(state, "hand", 0)
    play(state, first, second)
    places = Counter("given" if first in zone(state.redeal(1, k), "hand", 2) else "kept" for k in range(2000))
    # 1000 each are expected; six standard deviations (22.4).
    assert abs(places["given"] - 1000) < 135


def test_a_fact_holds_in_every_copy(make: Callable[..., Game]) -> None:
    state = make(
        """
    card Card:
        value: 1..6
        written "{value}"
    components cards of Card in deck:
        2 x (value: v) for v in 1..6
    zone deck: stack of Card, face down
    zone row[player]: row of Card, others only
    stage game:
        shuffle deck
        for p in players: move 4 from deck to row[p]
        reveal c.value > 3 for c in row[active]
        reveal sum(c.value for c in row[p]) for p in players
        as active: choose v in 1..2
    """
    ).start(seed=0)
    own = list(map(int, zone(state, "row", 0)))
    # Everything that A may hold: the eight cards that A does not see, by hand.
    unseen = Counter(dict.fromkeys(range(1, 7), 2)) - Counter(map(int, zone(state, "row", 1)))
    possible = {
        row
        for row in itertools.permutations(unseen.elements(), 4)
        if [value > 3 for value in row] == [value > 3 for value in own] and sum(row) == sum(own)
    }
    assert len(possible) > 3
    dealt = {tuple(map(int, zone(check_redeal(state, 0, k), "row", 0))) for k in range(25 * len(possible))}
    assert dealt == possible


def test_secrets_are_drawn_from_what_was_offered(make: Callable[..., Game]) -> None:
    state = make(
        """
    var bet[player]: 0..9 = 0, owner only
    var drawn: 0..9 = 0, face down
    stage game:
        as left(active): choose bet in 3..5
        pick drawn at random from 7..8
        as active: choose v in 1..2
        reveal bet[left(active)]
        as active: choose w in 1..2
    """
    ).start(seed=1)
    play(state, "4")
    copies = [check_redeal(state, 0, k) for k in range(40)]
    assert {var(copy, "bet", 1) for copy in copies} == {3, 4, 5}
    assert {var(copy, "drawn") for copy in copies} == {7, 8}
    # The one who chose knows it.
    assert {var(state.redeal(1, k), "bet", 1) for k in range(20)} == {4}
    play(state, "1")
    assert {var(state.redeal(0, k), "bet", 1) for k in range(20)} == {4}


def test_secrets_of_a_together_that_is_not_over(make: Callable[..., Game]) -> None:
    state = make(
        """
    var guess[player]: 0..3 = 0, owner only
    stage game:
        together as p in players: choose guess in 1..3
        for p in players: reveal guess[p]
        as active: choose v in 1..2
    """
    ).start(seed=1)
    play_as(state, 1, "2")
    seen = set()
    for k in range(30):
        copy = check_redeal(state, 0, k)
        play_as(copy, 0, "1")
        shown = copy.view(0).variable("guess[B]")
        assert shown is not None
        assert shown.value == str(var(copy, "guess", 1))
        seen.add(shown.value)
    assert seen == {"1", "2", "3"}


def test_dice_that_were_rolled_unseen_are_rolled_again(make: Callable[..., Game]) -> None:
    state = make(
        """
    card Die:
        var face: 1..6 = 1
        written "{face}"
    components dice of Die in box:
        1 x () for p in players
    zone box: set of Die, face up
    zone cup[player]: set of Die, owner only
    stage game:
        for p in players: for d in box where empty(cup[p]): move d to cup[p]
        for p in players: roll cup[p]
        as active: choose v in 1..2
    """
    ).start(seed=5)
    own = zone(state, "cup", 0)
    copies = [check_redeal(state, 0, k) for k in range(60)]
    assert {tuple(zone(copy, "cup", 0)) for copy in copies} == {tuple(own)}
    assert {zone(copy, "cup", 1)[0] for copy in copies} == set("123456")


def test_names_follow_their_cards(make: Callable[..., Game]) -> None:
    # The second player has drawn a card, which B alone sees, and may return it: it is that card in every copy.
    state = make(
        """
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone discard: stack of Card, face up
    stage game:
        shuffle deck
        for p in players: move 2 from deck to hand[p]
        as active: look at top(deck)
        as left(active):
            move top(deck) to hand as drawn
            choose v in 1..2
            move drawn to discard
            choose w in 1..2
    """
    ).start(seed=3)
    known = [face for face in state.view(0).zone("hand[B]").places if face is not None]
    assert len(known) == 1
    hands: set[Any] = set()
    for k in range(20):
        copy = check_redeal(state, 0, k)
        hands.add(tuple(zone(copy, "hand", 1)))
        assert zone(play(copy, "1"), "discard") == known
    assert len(hands) > 5


def test_a_rulebook_that_leaks_is_found_out(make: Callable[..., Game]) -> None:
    # How many moves A has depends on B's hand: copies that A cannot tell apart offer A other moves.
    state = make(
        """
    card Card:
        value: 1..9
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..9
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    stage game:
        shuffle deck
        for p in players: move 3 from deck to hand[p]
        let high = count({c in hand[left(active)] where c.value > 5})
        as active: choose v in 0..count({c in hand[left(active)] where c.value > 5})
        as active: choose w in 0..high
    """
    ).start(seed=3)
    offered = {tuple(m.text for m in state.redeal(0, k).legal_moves(0)) for k in range(30)}
    assert len(offered) > 1


@pytest.mark.parametrize("players", [2, 4])
def test_the_real_rulebook(players: int) -> None:
    game = load(Path(__file__).parents[2] / "rulebooks" / "egocentric_world.rules").game(players=players)
    varied = checked = 0
    for state in positions(game, seeds=3, most=80, every=15):
        for player in range(players):
            varied += check_redeal(state, player, derive(state.decisions, player)) != state
            checked += 1
    assert checked > 10
    assert varied > 0.8 * checked


def test_a_fault_after_dealing_anew_is_a_fault_like_any_other(make: Callable[..., Game]) -> None:
    state = make(
        """
    card Card:
        value: 1..3
        written "{value}"
    components cards of Card in deck:
        1 x (value: v) for v in 1..3
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            move top(deck) to hand as drawn
            choose c in hand
            move drawn to deck
            choose v in 1..2
            stop with "here"
    """
    ).start(seed=3)
    state.choose(0)
    for k in range(6):
        with pytest.raises(GameFault, match="here"):
            state.redeal(1, k).apply("1")
