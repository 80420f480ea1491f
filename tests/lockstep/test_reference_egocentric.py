"""The reference alone: the ledger's scenarios, what tells the readings apart, and random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import pytest

from tests.lockstep.reference_egocentric import Reference, random_game
from tests.lockstep.reference_table import READINGS, Chance, Decision, Layout, Move, Result

Deck: TypeAlias = Sequence[int] | None

A, B, C = 0, 1, 2
NO: Move = ("may", "no")
KEEP_SHIELD: Move = ("no",)
UNSEEN: Move = ("take one unseen",)
STOP: Move = ("say_stop",)
DRAW: Move = ("draw",)


def lay(hands: Sequence[Sequence[int]], pile: Sequence[int], deck: Deck = None, **readings: str) -> Reference:
    return Reference(len(hands), readings=readings, layout=Layout(hands, pile, deck))


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - play, not secrets


def play(game: Reference, *choices: Move | int) -> Reference:
    for choice in choices:
        game.apply(choice)
    return game


def moves(game: Reference) -> set[Move]:
    assert isinstance(game.node, Decision)
    return set(game.node.moves)


def asked(game: Reference) -> int:
    assert isinstance(game.node, Decision)
    return game.node.player


def named(game: Reference, name: str) -> set[Move]:
    return {move for move in moves(game) if move[0] == name}


def value(number: int) -> Move:
    return ("name a value", number)


def exchanging(hands: Sequence[Sequence[int]], **readings: str) -> Reference:
    """A's turn; she has also an 11, matches the 11 on the pile with it, and may use Two Cards."""
    return play(lay([[11, *hands[0]], *hands[1:]], [11, 1], None, **readings), ("match_discard", 11))


# --- scenarios --------------------------------------------------------------------------------------------------------


def test_a_one_card_hand_may_be_replaced_after_a_draw() -> None:  # EW-T01
    game = play(lay([[5], [1, 1]], [9], [2, 3]), DRAW, 2, ("keep it", 5))
    assert game.table().hands[A] == (2,)
    assert game.table().pile == [5, 9]
    assert game.rounds == []
    assert asked(game) == B


def test_a_discarded_card_triggers_nothing() -> None:  # EW-T02
    game = play(lay([[5], [1, 1]], [9], [12, 3]), DRAW, 12, ("discard it",))
    assert game.table().pile == [12, 9]
    assert asked(game) == B


def test_a_match_needs_the_value_on_top() -> None:  # EW-T04
    game = lay([[4, 7, 11], [1, 1]], [4])
    assert named(game, "match_discard") == {("match_discard", 4)}
    play(game, ("match_discard", 4))
    assert game.table().hands[A] == (7, 11)
    assert game.table().pile == [4, 4]
    assert named(lay([[4, 7, 11], [1, 1]], [5]), "match_discard") == set()


def test_an_eight_pairs_with_a_seven_and_either_may_be_played() -> None:  # EW-T05
    game = lay([[7, 8, 3], [1, 1]], [1])
    assert named(game, "play_pair") == {("play_pair", 7, 8), ("play_pair", 8, 7)}
    play(game, ("play_pair", 7, 8))
    assert game.table().hands[A] == (3, 8)
    assert game.table().pile == [7, 1]


def test_an_eight_on_the_pile_is_matched_by_seven_eight_and_nine() -> None:
    game = lay([[6, 7, 8, 9, 10], [1, 1]], [8])
    assert named(game, "match_discard") == {("match_discard", face) for face in (7, 8, 9)}


def test_seven_and_nine_are_no_pair() -> None:
    assert named(lay([[7, 9], [1, 1]], [1]), "play_pair") == set()


def test_stop_gives_each_other_player_one_more_turn() -> None:  # EW-T06
    game = play(lay([[5], [6], [1, 2]], [9], [2, 3]), STOP)
    assert asked(game) == B
    play(game, DRAW, 2, ("discard it",))
    assert asked(game) == C
    play(game, ("take_discard", 1))
    assert game.rounds == [(5, 6, 4)]


def test_a_wrong_value_cancels_the_exchange_and_costs_a_card() -> None:  # EW-T08
    game = play(exchanging([[12, 5], [4, 6]]), ("exchange", A, B), KEEP_SHIELD, ("card", 12), value(1))
    assert isinstance(game.node, Chance)
    play(game, 2)
    assert game.table().hands == ((2, 5, 12), (4, 6))
    assert asked(game) == B


def test_an_empty_hand_ends_the_round_at_once() -> None:  # EW-T10
    game = play(lay([[4], [12, 1]], [4], length="single_round"), ("match_discard", 4))
    assert game.rounds == [(0, 13)]
    assert game.node == Result(places=(1, 2), winners=(A,), totals=(0, 13))


def deal(game: Reference) -> Reference:
    """Answer chance at random up to the first decision."""
    while not isinstance(game.node, Decision):
        assert isinstance(game.node, Chance)
        game.apply(seeded(1).choice(game.node.outcomes)[0])
    return game


def first_of_round_two(hands: Sequence[Sequence[int]], totals: Sequence[int], *, italian: bool, **readings: str) -> int:
    """Who begins after a round that ends with these hands: A, who said STOP, would be on turn."""
    layout = Layout(hands, [1], mover=A, stopper=A, totals=totals)
    return asked(deal(Reference(len(hands), readings=readings, italian=italian, layout=layout)))


def test_the_highest_score_of_the_last_round_begins_the_next() -> None:  # EW-T12
    hands = [[12, 8], [5], [10]]
    assert first_of_round_two(hands, [0, 0, 0], italian=False) == A
    assert first_of_round_two(hands, [50, 50, 50], italian=True) == A
    assert first_of_round_two(hands, [50, 50, 50], italian=True, first_player="highest_countdown") == B


# --- what tells the readings apart ------------------------------------------------------------------------------------


def test_setup_order() -> None:  # EW-A02
    cards = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    game = play(Reference(2), A, *cards)
    assert game.table().pile == [1]
    assert game.table().hands == ((2, 3, 4, 5, 6), (7, 8, 9, 10, 11))
    game = play(Reference(2, readings={"setup_order": "deal_then_flip"}), A, *cards)
    assert game.table().pile == [11]
    assert game.table().hands[A] == (1, 2, 3, 4, 5)


def test_when_the_deck_is_rebuilt() -> None:  # EW-A03
    game = play(lay([[1, 2], [3, 3]], [6, 5], [4]), DRAW, 4, ("discard it",))
    assert (game.table().pile, game.table().deck) == ([4], 2)
    game = play(lay([[1, 2], [3, 3]], [6, 5], [4], reshuffle="lazy"), DRAW, 4, ("discard it",))
    assert (game.table().pile, game.table().deck) == ([4, 6, 5], 0)
    play(game, DRAW)
    assert game.node == Chance("top of deck", tuple((face, Fraction(1, 3)) for face in (4, 5, 6)))


def test_what_is_rebuilt() -> None:  # EW-A04
    penalty: tuple[Move | int, ...] = (("match_discard", 11), ("exchange", A, B), KEEP_SHIELD, ("card", 2), value(1), 4)
    hands = [[11, 2], [3, 3]]
    whole = play(lay(hands, [11, 6], [4]), *penalty)
    assert (whole.table().pile, whole.table().deck) == ([], 3)
    assert moves(whole) == {DRAW, STOP, ("play_pair", 3, 3)}
    kept = play(lay(hands, [11, 6], [4], reshuffled_cards="all_but_top"), *penalty)
    assert (kept.table().pile, kept.table().deck) == ([11], 2)
    assert named(kept, "take_discard") == {("take_discard", 3)}
    flipped = play(lay(hands, [11, 6], [4], reshuffled_cards="whole_then_flip"), *penalty)
    assert flipped.node == Chance("top of deck", ((6, Fraction(1, 3)), (11, Fraction(2, 3))))
    assert play(flipped, 6).table().pile == [6]


def test_a_lone_card_on_the_pile_is_no_new_deck_where_the_top_stays() -> None:
    kept = lay([[1, 2], [3, 3]], [6], [], reshuffle="lazy", reshuffled_cards="all_but_top")
    assert DRAW not in moves(kept)
    assert DRAW in moves(lay([[1, 2], [3, 3]], [6], [], reshuffle="lazy"))


def test_abilities_are_optional() -> None:  # EW-A05
    game = exchanging([[2], [3]])
    assert moves(game) == {NO, ("exchange", A, B)}
    assert play(game, NO).table().hands == ((2,), (3,))
    assert moves(exchanging([[2], [3]], abilities="compulsory")) == {("exchange", A, B)}
    shield = play(exchanging([[2], [9, 3]], abilities="compulsory"), ("exchange", A, B))
    assert moves(shield) == {("raise", 9), KEEP_SHIELD}
    shield = play(exchanging([[2], [9, 3]], abilities="compulsory_with_shield"), ("exchange", A, B))
    assert moves(shield) == {("raise", 9)}


def test_the_last_card_and_its_ability() -> None:  # EW-A06
    hands: list[list[int]] = [[], [1], [12]]
    assert exchanging(hands).rounds == [(0, 1, 12)]
    after = exchanging(hands, end_of_round_check="after_ability")
    assert moves(after) == {NO, ("exchange", B, C)}
    play(after, ("exchange", B, C), KEEP_SHIELD, KEEP_SHIELD, UNSEEN, 1, UNSEEN, 12)
    assert after.rounds == [(0, 12, 1)]
    wrong: tuple[Move | int, ...] = (("exchange", B, C), KEEP_SHIELD, KEEP_SHIELD, value(2), 5)
    assert play(exchanging(hands, end_of_round_check="after_ability"), *wrong).rounds == [(5, 1, 12)]
    alive = play(exchanging(hands, end_of_round_check="after_ability_if_still_empty"), *wrong)
    assert alive.rounds == []
    assert asked(alive) == B


def test_a_shield_can_empty_a_hand_on_another_players_turn() -> None:  # EW-A07
    choices: tuple[Move | int, ...] = (("match_discard", 10), ("look", C), ("raise", 9))
    hands = [[10, 3], [1], [9]]
    assert play(lay(hands, [10]), *choices).rounds == [(3, 1, 0)]
    game = play(lay(hands, [10], empty_hand="turn_player"), *choices)
    assert game.rounds == []
    assert asked(game) == B
    play(game, DRAW, 2, ("discard it",))  # now C's turn would begin
    assert game.rounds == [(3, 1, 0)]


def test_replacing_in_two_steps_would_end_a_round() -> None:  # EW-A08
    game = play(lay([[5], [1, 1]], [9], [2, 3], replacement="two_steps"), DRAW, 2, ("keep it", 5))
    assert game.rounds == [(0, 2)]
    assert game.all_cards() == Counter([5, 1, 1, 9, 2, 3])


def test_what_an_eight_answers_and_scores() -> None:  # EW-A09
    def announced(**readings: str) -> Reference:
        return play(exchanging([[1], [8, 2]], **readings), ("exchange", A, B), KEEP_SHIELD, ("card", 1), value(7))

    assert isinstance(announced().node, Chance)  # the penalty
    for answer in ("announcements", "everywhere"):
        game = announced(eight_values=answer)
        assert moves(game) == {("give", 8)}
        assert play(game, ("give", 8)).table().hands == ((8,), (1, 2))
    for answer, score in (("own_use", 8), ("announcements", 8), ("everywhere", 7)):
        game = play(lay([[4], [8]], [4], eight_values=answer), ("match_discard", 4))
        assert game.rounds == [(0, score)]


def test_an_eight_is_no_shield() -> None:  # EW-A10
    assert moves(play(exchanging([[2], [8, 3]]), ("exchange", A, B))) == {KEEP_SHIELD}
    game = play(exchanging([[2], [8, 3]], eight_ability="shields_too"), ("exchange", A, B))
    assert moves(game) == {("raise", 8), KEEP_SHIELD}
    assert play(game, ("raise", 8)).table().pile == [8, 11, 11, 1]


def test_a_second_stop() -> None:  # EW-A11
    hands = [[5], [6], [1, 2]]
    game = play(lay(hands, [9], [2, 3]), STOP, STOP)
    assert game.table().stopper == A
    assert asked(game) == C
    assert play(game, DRAW, 2, ("discard it",)).rounds == [(5, 6, 3)]
    assert STOP not in moves(play(lay(hands, [9], [2, 3], second_stop="illegal"), STOP))


def test_an_hourglass_in_the_last_lap() -> None:  # EW-A12
    hands = [[5], [12, 6]]
    game = play(lay(hands, [12]), STOP, ("match_discard", 12))
    assert moves(game) == {NO, ("another turn",)}
    assert asked(play(game, ("another turn",))) == B
    assert game.rounds == []
    short = play(lay(hands, [12], last_lap="one_last_turn"), STOP, ("match_discard", 12))
    assert moves(short) == {NO}
    assert play(short, NO).rounds == [(5, 6)]


def test_two_different_players_are_designated_clockwise_from_the_mover() -> None:  # EW-A13
    assert named(exchanging([[2], [3]]), "exchange") == {("exchange", A, B)}
    game = Reference(3, layout=Layout([[2], [3], [11, 4]], [11], mover=C))
    play(game, ("match_discard", 11))
    assert named(game, "exchange") == {("exchange", C, A), ("exchange", C, B), ("exchange", A, B)}


def test_the_order_of_the_picks() -> None:  # EW-A14, EW-A15
    designation: tuple[Move | int, ...] = (("exchange", B, C), KEEP_SHIELD, KEEP_SHIELD)
    hands = [[2], [3, 4], [6, 7]]
    one = play(exchanging(hands), *designation, value(5))
    assert isinstance(one.node, Chance)
    assert one.node.what == "top of deck"
    both = play(exchanging(hands, picks="both_first"), *designation, value(5))
    assert asked(both) == A
    assert UNSEEN in moves(both)
    play(both, value(1), 10)
    assert both.table().hands == ((2, 10), (3, 4), (6, 7))
    each = play(exchanging(hands, picks="both_first", penalty="one_per_wrong_value"), *designation, value(5), value(1))
    assert play(each, 10, 9).table().hands[A] == (2, 9, 10)
    right = play(exchanging(hands, picks="both_first"), *designation, value(3), UNSEEN, ("give", 3), 7)
    assert right.table().hands == ((2,), (4, 7), (3, 6))


def test_a_random_card_is_drawn_by_how_often_it_is_held() -> None:
    game = play(exchanging([[2], [3, 3, 4]]), ("exchange", A, B), KEEP_SHIELD, ("card", 2), UNSEEN)
    assert game.node == Chance("card of hand", ((3, Fraction(2, 3)), (4, Fraction(1, 3))))
    assert play(game, 4).table().hands == ((4,), (2, 3, 3))


def test_announcing_a_value_of_ones_own() -> None:  # EW-A17
    game = play(exchanging([[3], [1]]), ("exchange", A, B), KEEP_SHIELD)
    assert value(4) in moves(game)
    assert play(game, value(4), 5).table().hands == ((3, 5), (1,))
    game = play(exchanging([[3], [1]], own_announcement="illegal"), ("exchange", A, B), KEEP_SHIELD)
    assert moves(game) == {("card", 3)}


def test_when_a_shield_is_asked_for() -> None:  # EW-A18
    game = play(exchanging([[3], [9, 1]]), ("exchange", A, B))
    assert asked(game) == B
    play(game, KEEP_SHIELD, ("card", 3), value(9))
    assert moves(game) == {("give", 9)}
    late = play(exchanging([[3], [9, 1]], shield_window="after_pick"), ("exchange", A, B), ("card", 3))
    assert asked(late) == A
    assert moves(play(late, value(9))) == {("raise", 9), KEEP_SHIELD}
    play(late, ("raise", 9))
    assert late.table().hands == ((3,), (1,))


def test_two_shields() -> None:  # EW-A19
    hands = [[3], [9, 1], [9, 2]]
    game = play(exchanging(hands), ("exchange", B, C), ("raise", 9))
    assert game.table().hands == ((3,), (1,), (2, 9))
    game = play(exchanging(hands, two_shields="simultaneous"), ("exchange", B, C), ("raise", 9))
    assert asked(game) == C
    assert game.table().hands[B] == (1, 9)
    assert play(game, ("raise", 9)).table().hands == ((3,), (1,), (2,))


def test_what_a_shield_cancels() -> None:  # EW-A20
    game = play(exchanging([[3, 9], [9, 1], [6]]), ("exchange", B, C), ("raise", 9))
    assert game.table().pile[:2] == [9, 11]
    assert game.table().hands[A] == (3, 9)
    assert asked(game) == B
    game = play(exchanging([[3], [9, 1], [6]], shield_effect="target_only"), ("exchange", B, C), ("raise", 9))
    assert asked(game) == C
    play(game, KEEP_SHIELD)
    assert asked(game) == A
    assert play(game, value(5), 10).table().hands == ((3, 10), (1,), (6,))


def test_a_shield_against_oneself() -> None:  # EW-A21
    assert asked(play(exchanging([[9, 3], [1]]), ("exchange", A, B))) == B
    game = play(exchanging([[9, 3], [1]], shield_own_designation="yes"), ("exchange", A, B))
    assert asked(game) == A
    assert moves(game) == {("raise", 9), KEEP_SHIELD}


def test_who_begins_the_next_round() -> None:  # EW-A22: round one A20 B5 C10, round two A4 B12 C9
    hands = [[4], [12], [9]]
    assert first_of_round_two(hands, [20, 5, 10], italian=False) == B
    assert first_of_round_two(hands, [20, 5, 10], italian=False, first_player="total_score") == A
    assert first_of_round_two(hands, [30, 45, 40], italian=True, first_player="total_score") == A
    tie = Reference(3, layout=Layout([[4], [3], [4]], [1], stopper=A))
    assert tie.node == Chance("first player tie", ((A, Fraction(1, 2)), (C, Fraction(1, 2))))
    assert asked(deal(play(tie, C))) == C


def test_the_end_of_the_game() -> None:  # EW-A23, EW-A25
    def ended(length: str = "until_target", reaching: str = "at_least", totals: tuple[int, int] = (48, 3)) -> bool:
        readings = {"length": length, "reaching_target": reaching}
        layout = Layout([[5], [6]], [1], stopper=A, totals=totals)
        return isinstance(Reference(2, readings=readings, layout=layout).node, Result)

    assert ended()
    assert not ended(reaching="exactly")
    assert ended(reaching="exactly", totals=(45, 3))
    assert not ended(totals=(44, 3))
    assert ended("single_round", totals=(0, 0))
    assert ended("agreed_rounds", totals=(0, 0))


def test_the_italian_totals_count_down_and_the_highest_wins() -> None:  # EWI-42..44
    layout = Layout([[5], [6], [6]], [1], stopper=A, totals=(5, 30, 30))
    assert Reference(3, italian=True, layout=layout).node == Result((3, 1, 1), (B, C), (0, 24, 24))


def test_a_tie_for_the_lowest_total() -> None:  # EW-A24
    layout = Layout([[5], [6], [6]], [1], stopper=A, totals=(50, 20, 20))
    assert Reference(3, layout=layout).node == Result((3, 1, 1), (B, C), (55, 26, 26))
    game = Reference(3, layout=layout, readings={"winner_tie": "random"})
    assert game.node == Chance("winner tie", ((B, Fraction(1, 2)), (C, Fraction(1, 2))))
    assert play(game, C).node == Result((3, 2, 1), (C,), (55, 26, 26))


def test_six_players_leave_29_cards_in_the_deck() -> None:  # EW-A27
    assert deal(Reference(6)).table().deck == 29


def test_pairs_by_printed_value_only() -> None:  # EW-A28
    game = lay([[7, 8, 8, 3], [1, 1]], [1], pairs="printed_values")
    assert named(game, "play_pair") == {("play_pair", 8, 8)}


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot deal 5 cards to each of 1 players"):
        Reference(1)
    with pytest.raises(ValueError, match="no answer `never` to a reading `reshuffle`"):
        Reference(2, readings={"reshuffle": "never"})
    with pytest.raises(ValueError, match="only the Italian totals count down"):
        Reference(2, readings={"first_player": "highest_countdown"})
    with pytest.raises(ValueError, match="does not answer"):
        lay([[4], [1]], [5]).apply(("match_discard", 4))


# --- random games -----------------------------------------------------------------------------------------------------

EVERY_CARD = Counter(dict.fromkeys(range(1, 13), 5))
EACH_READING: list[dict[str, str]] = [{}] + [
    {name: answer} for name, answers in READINGS.items() for answer in answers[1:]
]


class Watched(Reference):
    """A reference that looks at itself before every answer."""

    def apply(self, choice: Move | int) -> None:
        assert self.all_cards() == EVERY_CARD
        match self.node:
            case Decision(player=player, moves=offered):
                assert len(offered) == len(set(offered)) > 0
                assert 0 <= player < self.players
            case Chance(outcomes=outcomes):
                assert sum(chance for _, chance in outcomes) == 1
        super().apply(choice)


def check_end(game: Reference) -> None:
    assert isinstance(game.node, Result)
    sums = [sum(scores) for scores in zip(*game.rounds, strict=True)]
    if game.readings["length"] == "until_target":
        assert max(sums) >= 50
        before = [sum(scores) for scores in zip(*game.rounds[:-1], strict=True)]
        assert max(before, default=0) < 50
    assert game.node.totals == tuple(50 - total if game.italian else total for total in sums)
    assert {sums[player] for player in game.node.winners} == {min(sums)}


@pytest.mark.parametrize("readings", EACH_READING, ids=lambda readings: " ".join(map(" ".join, readings.items())))
def test_random_games_keep_the_sixty_cards_and_end(readings: dict[str, str]) -> None:
    rng = seeded(7)
    for players in range(2, 7):
        for hand_size in (5, 9):  # nine cards make a deck that often runs out
            game = Watched(players, readings=readings, italian="first_player" in readings, hand_size=hand_size)
            answers = random_game(game, rng, limit=2000)
            if "reaching_target" in readings and not isinstance(game.node, Result):
                assert len(answers) == 2000  # 50 exactly may never be reached
            elif "reaching_target" not in readings:
                check_end(game)


@pytest.mark.parametrize("italian", [False, True])
def test_many_random_games_by_default(*, italian: bool) -> None:
    for seed in range(60):
        game = Watched(2 + seed % 5, italian=italian, hand_size=5 + 4 * (seed % 2))
        random_game(game, seeded(seed))
        check_end(game)


def test_random_games_with_readings_mixed() -> None:
    rng = seeded(11)
    for _ in range(50):
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()} | {"reaching_target": "at_least"}
        game = Watched(rng.randint(2, 6), readings=readings, italian=True, hand_size=rng.choice([5, 9]))
        random_game(game, rng)
        check_end(game)
