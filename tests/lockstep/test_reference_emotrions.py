"""The EmotrionsOnCards reference alone: the ledger's scenarios, what tells the readings apart, and random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.lockstep.reference_emotrions import READINGS, VALUES, Layout, Reference, strength
from tests.lockstep.reference_nodes import Chance, Decision, Move, Result, play_at_random

P1, P2, P3 = range(3)
NAMES = {name[0] if name != "Strength" else "P": name for name in VALUES if name not in ("Hunger", "Hate")} | {
    "H": "Hate",
    "X": "Hunger",
}
"""J oy, L ove, K indness, P ower (Strength), S adness, H ate, F ury, I ndecision, X Hunger."""


def cards(letters: str) -> tuple[str, ...]:
    return tuple(NAMES[letter] for letter in letters)


def bet(letters: str) -> Move:
    return ("bet", *cards(letters))


def lay(
    *hands: str, totals: Sequence[int] | None = None, piles: Sequence[str] = (), leader: int = P1, **readings: str
) -> Reference:
    layout = Layout([cards(hand) for hand in hands], [cards(pile) for pile in piles] or None, totals, leader)
    return Reference(len(hands), readings=readings, layout=layout)


def play(game: Reference, *bets: str) -> Reference:
    for letters in bets:
        game.apply(bet(letters))
    return game


def asked(game: Reference) -> int:
    assert isinstance(game.node, Decision)
    return game.node.player


def moves(game: Reference) -> set[Move]:
    assert isinstance(game.node, Decision)
    return set(game.node.moves)


def after_round(*bets: str, readings: dict[str, str] | None = None) -> Reference:
    """A round of these bets, led by P1, after which everybody still holds two Joys or Loves or so."""
    kept = ("JJ", "LL", "SS")
    hands = [letters + more for letters, more in zip(bets, kept, strict=False)]
    return play(lay(*hands, totals=None, piles=(), leader=P1, **(readings or {})), *bets)


def winner(*bets: str, **readings: str) -> int:
    """Whose pile a round has gone to."""
    piles = after_round(*bets, readings=readings).table().piles
    (only,) = (player for player, pile in enumerate(piles) if pile)
    assert len(piles[only]) == sum(map(len, bets))
    return only


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - play, not secrets


# --- scenarios --------------------------------------------------------------------------------------------------------


def test_fury_beats_love() -> None:  # EMO-T01
    assert winner("L", "F") == P2


@pytest.mark.parametrize("six", ["LL", "LI"])
def test_six_points_beat_fury(six: str) -> None:  # EMO-T02
    assert winner("F", six) == P2


def test_strength_beats_pairs_of_three() -> None:  # EMO-T03
    assert winner("HH", "LL", "P") == P3


@pytest.mark.parametrize("ten", ["FF", "KK", "FI"])
def test_ten_points_beat_strength(ten: str) -> None:  # EMO-T04, EMO-A21
    assert winner("P", ten) == P2


def test_what_may_be_bet() -> None:  # EMO-T07
    game = lay("XLFI", "JJ")
    assert moves(game) == {bet("L"), bet("F"), bet("X"), bet("I"), bet("LI"), bet("FI")}


def test_indecision_counts_nothing_in_the_end() -> None:  # EMO-T08
    game = play(lay("L", "L", totals=(0, 5), piles=("LIS", "")), "L", "L")
    assert game.partidas == [(2 + 3 + 3, 0)]


def test_the_last_not_negative_wins() -> None:  # EMO-T10
    game = play(lay("K", "L", piles=("", "S")), "K", "L")
    assert game.partidas == [(8, -1)]
    assert game.node == Result((1, 2), (P1,), (8, -1))


def test_strengths() -> None:  # EMO-17..22
    assert [strength(cards(text)) for text in ("J", "F", "LL", "LI", "FI", "HH", "JP", "II", "I", "X")] == [
        *(1, 5, 6, 6, 10),
        *(6, 8, 0, 0, 0),
    ]


def test_the_first_to_bet_wins_a_tie_and_the_winner_leads() -> None:  # EMO-23
    game = play(lay("JK", "LF", "JK", leader=P2), "F", "K", "K")
    assert game.table().piles[P2] == tuple(sorted(cards("FKK")))
    assert asked(game) == P2


def test_hunger_eats_the_round() -> None:  # EMO-24, EMO-25, EMO-A08
    game = after_round("L", "X", "F")
    assert game.table().discard == tuple(sorted(cards("LXF")))
    assert game.table().piles == ((), (), ())
    assert asked(game) == P1


def test_who_has_no_cards_is_passed_over() -> None:  # EMO-A12
    game = play(lay("LLL", "F", "JJ"), "L", "F", "J")
    assert game.table().piles[P2] == tuple(sorted(cards("LFJ")))
    assert asked(game) == P3
    play(game, "J")
    assert asked(game) == P1


def test_the_last_holder_keeps_what_is_left() -> None:  # EMO-26, EMO-A11
    assert play(lay("KFL", "J"), "K", "J").partidas == [(5 + 1 - 5 + 3, 0)]


# --- the end of the game ----------------------------------------------------------------------------------------------


def totals_after(totals: Sequence[int], **readings: str) -> Reference:
    """A partida without points: these are the totals after it."""
    hands = ["I" for _ in totals]
    return play(lay(*hands, totals=totals, piles=(), leader=P1, **readings), *hands)


@pytest.mark.parametrize(
    ("totals", "answer", "winners"),
    [
        ((36, 39), "nearest", (0,)),
        ((36, 39), "without_passing", (0,)),
        ((36, 39), "first_past", (1,)),
        ((35, 38), "nearest", (1,)),
        ((35, 38), "without_passing", (0,)),
        ((35, 38), "first_past", (1,)),
        ((36, 38), "without_passing", (0,)),
        ((36, 38), "first_past", (1,)),
        ((38, 40), "without_passing", (0,)),
        ((40, 38), "first_past", (1,)),
        ((37, 10), "without_passing", (0,)),
    ],
)
def test_who_is_nearest_to_the_target(totals: Sequence[int], answer: str, winners: Sequence[int]) -> None:  # EMO-A13
    node = totals_after(totals, target=answer).node
    assert isinstance(node, Result)
    assert node.winners == winners


def test_below_the_target_another_partida_is_played() -> None:
    game = totals_after((36, 0, 20))
    assert isinstance(game.node, Chance)
    assert game.node.what == "who leads"
    assert [player for player, _ in game.node.outcomes] == [P1, P2, P3]
    game = totals_after((36, 0, 20), partida_leader="next_seat")
    play_at_random(game, seeded(0), 18)
    assert asked(game) == P2


def test_one_partida_is_the_whole_game() -> None:  # EMO-A14
    node = totals_after((3, 8, 5), length="one_partida").node
    assert node == Result((2, 1, 2), (P2,), (3, 8, 5))


def test_a_tie_is_played_again_by_the_same_leader() -> None:  # EMO-31, EMO-A15
    for answer, playing in (("all", (0, 1, 2)), ("tied", (0, 2))):
        for fresh in ("carried", "fresh"):
            game = totals_after((36, 20, 38), tie_players=answer, tie_totals=fresh)
            assert game.table().playing == playing
            totals = [0 if fresh == "fresh" and player in playing else (36, 20, 38)[player] for player in range(3)]
            assert game.table().totals == tuple(totals)
            play_at_random(game, seeded(1), 6 * len(playing))
            assert asked(game) == P1
    game = lay("I", "I", "I", totals=(20, 36, 38), tie_players="tied")
    play_at_random(play(game, "I", "I", "I"), seeded(1), 12)
    assert asked(game) == P2


def test_a_tie_break_partida_decides_below_the_target() -> None:  # EMO-31
    game = totals_after((36, 38), tie_totals="fresh")
    play_at_random(game, seeded(4), 200)
    assert len(game.partidas) >= 2
    assert isinstance(game.node, Result)
    assert max(game.node.totals) < 37


def test_what_must_not_be_negative() -> None:  # EMO-A16
    hands, piles = ("J", "S", "I"), ("", "", "H")
    for answer, still_in in (("total", (P1, P2, P3)), ("partida", (P1, P2))):
        game = play(lay(*hands, totals=(0, 2, 12), piles=piles, negative=answer), "J", "S", "I")
        assert game.partidas == [(0, 0, -3)]
        assert game.table().playing == still_in


def test_who_is_eliminated_after_another() -> None:  # EMO-A16
    for answer, over in (("each", True), ("first_ever", False)):
        game = totals_after((0, 0, -1), eliminated=answer, collecting="everyone_keeps")
        assert game.table().playing == (P1, P2)
        for outcome in (P1, *cards("JJJJLL"), *cards("FFFFHH")):
            game.apply(outcome)
        play(game, *"JFFJFJFJHLHL")
        assert game.partidas[-1] == (10, -26, 0)
        assert isinstance(game.node, Result) == over
        assert game.table().playing == ((P1,) if over else (P1, P2))


def test_all_negative_at_once() -> None:  # EMO-A17
    game = totals_after((-1, -4))
    assert game.table().totals == (-1, -4)
    play_at_random(game, seeded(1), 12)
    assert asked(game) == P1
    assert totals_after((-1, -4), all_negative="highest").node == Result((1, 2), (P1,), (-1, -4))
    assert totals_after((-4, -4), all_negative="highest").node == Result((1, 1), (P1, P2), (-4, -4))
    assert totals_after((-1, -4), all_negative="nobody").node == Result((1, 1), (), (-1, -4))


def test_a_partida_that_does_not_count() -> None:  # EMO-A17
    game = play(lay("J", "S", piles=("F", "F"), totals=(2, 1)), "J", "S")
    assert game.partidas == [(-5, -5)]
    assert game.table().totals == (2, 1)


# --- what tells the readings apart ------------------------------------------------------------------------------------


def test_cards_of_one_sign() -> None:  # EMO-A02
    for answer, legal in (("sign", {"LL", "JL", "JI", "LI"}), ("emotrion", {"LL", "JI", "LI"})):
        game = lay("JLLSI", "JJ", same_sign=answer)
        assert {move for move in moves(game) if len(move) == 3} == {bet(text) for text in legal} | {bet("SI")}


def test_who_gets_the_cards() -> None:  # EMO-A04
    piles = {
        "winner_takes": (tuple(sorted(cards("PF"))), ()),
        "winner_own": (cards("P"), ()),
        "everyone_keeps": (cards("P"), cards("F")),
    }
    for answer, expected in piles.items():
        game = after_round("P", "F", readings={"collecting": answer})
        assert game.table().piles == expected
        assert game.table().discard == (cards("F") if answer == "winner_own" else ())


def test_who_leads_after_a_round() -> None:  # EMO-A05
    assert asked(after_round("L", "F", "P")) == P3
    assert asked(after_round("L", "F", "P", readings={"next_leader": "next_seat"})) == P2


def test_indecision_alone() -> None:  # EMO-A06
    assert winner("I", "I", "I") == P1
    assert winner("I", "II", lone_indecision="skip") == P2
    assert winner("I", "I", "I", lone_indecision="passes_lead") == P3
    skipped = after_round("I", "I", "I", readings={"lone_indecision": "skip"})
    assert skipped.table().discard == cards("III")
    assert asked(skipped) == P1
    eaten = after_round("I", "X", "L", readings={"lone_indecision": "passes_lead"})
    assert asked(eaten) == P2
    assert asked(after_round("I", "X", "L")) == P1


def test_two_indecisions() -> None:  # EMO-A07
    assert bet("II") in moves(lay("IIJ", "JJ"))
    assert bet("II") not in moves(lay("IIJ", "JJ", double_indecision="illegal"))
    nobody = after_round("II", "I", readings={"zero_round": "nobody"})
    assert nobody.table().discard == cards("III")
    assert asked(nobody) == P1


def test_hunger_at_once() -> None:  # EMO-A08
    game = play(lay("LJJ", "XLL", "FSS", hunger="at_once"), "L", "X")
    assert [len(hand) for hand in game.table().hands] == [2, 2, 3]
    assert asked(game) == P1


def test_who_leads_after_hunger() -> None:  # EMO-A10
    for answer, leader in (("leader_again", P2), ("previous_winner", P3)):
        game = lay("LJJJ", "FXLL", "PSSS", next_leader="next_seat", after_hunger=answer)
        assert asked(play(game, "L", "F", "P")) == P2
        assert asked(play(game, "X", "S", "J")) == leader


def test_leftover_cards() -> None:  # EMO-A11
    for answer, points in (("always", (6 + 3 + 3, 0, 0)), ("if_all_ended_together", (6, 0, 0))):
        game = play(lay("KLLL", "J", "IX", leftover=answer), "K", "J", "I")
        assert play(game, "L", "X").partidas == [points]
        game = play(lay("KFL", "J", "I", leftover=answer), "K", "J", "I")
        assert game.partidas == [(6 - 5 + 3, 0, 0)]


def test_what_cannot_be_played_is_refused() -> None:
    for players in (1, 7):
        with pytest.raises(ValueError, match=f"cannot deal 6 cards to each of {players} players"):
            Reference(players)
    with pytest.raises(ValueError, match="no answer `maybe` to a reading `hunger`"):
        Reference(2, readings={"hunger": "maybe"})
    with pytest.raises(ValueError, match="more cards of a face"):
        lay("JJJJJ", "L")


# --- random games -----------------------------------------------------------------------------------------------------

EVERY_CARD = Counter(dict.fromkeys(VALUES, 4))
EACH_READING: list[dict[str, str]] = [{}] + [
    {name: answer} for name, answers in READINGS.items() for answer in answers[1:]
]


class Watched(Reference):
    """A reference that looks at itself before every answer."""

    def apply(self, choice: object) -> None:
        assert self.all_cards() == EVERY_CARD
        match self.node:
            case Decision(player=player, moves=offered):
                assert len(offered) == len(set(offered)) > 0
                assert player in self.playing
                assert len(self._holders()) > 1 or self.bets
            case Chance(outcomes=outcomes):
                assert sum(chance for _, chance in outcomes) == 1
        super().apply(choice)


def check_end(game: Reference) -> None:
    assert isinstance(game.node, Result)
    node = game.node
    if game.readings["all_negative"] != "nobody":
        assert node.winners
    if game.readings["negative"] == "total" and game.readings["eliminated"] == "each":
        assert all(node.totals[player] >= 0 for player in node.winners) or game.readings["all_negative"] == "highest"
    assert [place for player, place in enumerate(node.places) if player in node.winners] == [1] * len(node.winners)
    if {"accumulated", "replay"} <= set(game.readings.values()) and len(game.playing) > 1:
        assert max(node.totals) >= 37 or len(game.partidas) > 1


@pytest.mark.parametrize("readings", EACH_READING, ids=lambda readings: " ".join(map(" ".join, readings.items())))
def test_random_games_keep_the_cards_and_end(readings: dict[str, str]) -> None:
    rng = seeded(7)
    for players in range(2, 7):
        for _ in range(3):
            game = Watched(players, readings=readings)
            play_at_random(game, rng, 50_000)
            check_end(game)


def test_many_random_games_by_default() -> None:
    lasting = 0
    for seed in range(100):
        game = Watched(2 + seed % 5)
        play_at_random(game, seeded(seed), 50_000)
        check_end(game)
        lasting += len(game.partidas) > 2
    assert lasting > 10


def test_random_games_with_readings_mixed() -> None:
    rng = seeded(11)
    for _ in range(60):
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        game = Watched(rng.randint(2, 6), readings=readings)
        play_at_random(game, rng, 50_000)
        check_end(game)
