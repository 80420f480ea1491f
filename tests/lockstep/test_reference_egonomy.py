"""The Egonomy reference alone: the ledger's scenarios, what tells the readings apart, and random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from tests.lockstep.reference_egonomy import READINGS, Reference
from tests.lockstep.reference_egonomy_table import COMPOSITIONS, ArgumentCard, Layout, Round
from tests.lockstep.reference_nodes import Chance, Decision, Move, Result, StuckError, play_at_random

A, B, C, D = range(4)
ON_A, ON_B, ON_C = range(3)
OTHERS = ("A8", "B8", "C8", "A9", "B9", "C9")


def cards(text: str) -> list[ArgumentCard]:
    return [ArgumentCard(name[0], int(name[1])) for name in text.split()]


def lay(
    hand: str,
    tables: Sequence[str] = ("", "", ""),
    *,
    players: int = 3,
    mode: bool = False,
    flipped: Sequence[bool] = (False, False, False),
    **readings: str,
) -> Reference:
    """A's turn; every other player holds two cards that nobody needs."""
    rest = [name for name in OTHERS if name not in hand and not any(name in cards_ for cards_ in tables)]
    hands = [cards(hand), *(cards(rest[player]) for player in range(players - 1))]
    layout = Layout(hands, [cards(text) for text in tables], flipped)
    return Reference(players, flip_the_table=mode, readings=readings, layout=layout)


def play(game: Reference, *moves: Move) -> Reference:
    for move in moves:
        game.apply(move)
    return game


def moves(game: Reference, name: str | None = None) -> set[Move]:
    assert isinstance(game.node, Decision)
    return {move for move in game.node.moves if name in (None, move[0])}


def asked(game: Reference) -> int:
    assert isinstance(game.node, Decision)
    return game.node.player


def argue(table: int, text: str) -> Move:
    return ("argue", table, *cards(text))


def yap(table: int, text: str) -> Move:
    return ("yap", table, *cards(text))


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - play, not secrets


def deal(game: Reference) -> Reference:
    rng = seeded(3)
    while not isinstance(game.node, Decision):
        assert isinstance(game.node, Chance)
        game.apply(rng.choice(game.node.outcomes)[0])
    return game


# --- scenarios --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "each", "removed"), [(2, 13, 1), (3, 11, 0), (4, 10, 0)])
def test_all_cards_are_dealt_evenly(players: int, each: int, removed: int) -> None:  # EGN-T01
    table = deal(Reference(players, cards="six_seven")).table()
    assert [len(hand) for hand in table.hands] == [each] * players
    assert len(table.removed) == removed


def test_the_hands_of_each_composition() -> None:
    sizes = {
        name: [len(deal(Reference(players, cards=name)).table().hands[0]) for players in (2, 3, 4)]
        for name in COMPOSITIONS
    }
    assert sizes == {"twelve_one": [13, 13, 10], "six_seven": [13, 11, 10], "nine_four": [13, 12, 10]}


def test_a_single_card_goes_on_its_empty_table_only() -> None:  # EGN-T02
    game = lay("A4 B2 A7", ["", "B5", "C5"])
    assert moves(game, "yap") == {yap(ON_A, "A4"), yap(ON_A, "A7")}
    play(game, yap(ON_A, "A7"))
    assert asked(game) == B
    assert moves(game, "yap") == set()


def test_dismiss_captures_a_single_card() -> None:  # EGN-T03
    game = lay("A4 A6", ["A1 A2", "B6", ""])
    assert moves(game, "dismiss") == {("dismiss", ON_B)}
    table = play(game, ("dismiss", ON_B)).table()
    assert table.captured[A] == tuple(cards("B6"))
    assert table.tables[ON_B] == ()
    assert len(table.hands[A]) == 2


def test_a_run_captures_what_it_beats() -> None:  # EGN-T04
    table = play(lay("B1 B2 B3 A5", ["", "B4 B5", ""]), argue(ON_B, "B1 B2 B3")).table()
    assert table.captured[A] == tuple(cards("B4 B5"))
    assert table.tables[ON_B] == tuple(cards("B1 B2 B3"))


def test_the_fallacy_beats_789_and_no_other_run_of_three() -> None:  # EGN-T06
    assert argue(ON_C, "C1 C2 C3") in moves(lay("C1 C2 C3 A5", ["", "", "C7 C8 C9"]))
    assert argue(ON_C, "C1 C2 C3") not in moves(lay("C1 C2 C3 A5", ["", "", "C6 C7 C8"]))


def test_let_go_is_of_one_rank() -> None:  # EGN-T08
    assert ("let go", *cards("A1 B1 C1")) in moves(lay("A1 B1 C1 A5"))
    offered = moves(lay("A1 B1 A2 B2"), "let go")
    assert offered == {("let go", *cards("A1 B1")), ("let go", *cards("A2 B2"))}


def test_four_trophies_end_the_game_and_the_last_place_starts() -> None:  # EGN-T10
    hands = [cards("A1"), cards("B1 B2")]
    first = Reference(2, layout=Layout(hands, [[], cards("B5"), []]))
    play(first, yap(ON_A, "A1"))
    assert first.rounds == [Round((0, -2), (A, B))]
    assert first.table().trophies == (2, 1)
    assert asked(deal(first)) == B
    layout = Layout(hands, [[], cards("B5"), []], trophies=(2, 1), rounds=first.rounds)
    second = play(Reference(2, layout=layout), yap(ON_A, "A1"))
    assert second.node == Result((1, 2), (A,), (4, 2))


def test_acknowledge_takes_one_card_and_gives_momentum() -> None:  # EGN-T11
    game = lay("A1 B1", ["", "B5 B6 B7", ""])
    assert moves(game, "acknowledge") == {("acknowledge", ON_B, card) for card in cards("B5 B6 B7")}
    table = play(game, ("acknowledge", ON_B, *cards("B6"))).table()
    assert table.hands[A] == tuple(cards("A1 B1 B6"))
    assert table.discard == tuple(cards("B5 B7"))
    assert asked(game) == A


def test_nine_one_two_is_no_run() -> None:  # EGN-T13
    assert moves(lay("A9 A1 A2"), "argue") == {argue(ON_A, "A1 A2")}


def test_the_turn_example() -> None:  # EGN-38, EGN-39
    game = play(lay("A1 A2 A3 A4 B2 C5"), argue(ON_A, "A1 A2"))
    assert asked(game) == A
    assert argue(ON_A, "A3 A4") in moves(game)
    game = play(lay("A1 A2 A3 A4 B2 C5"), argue(ON_A, "A1 A2"), ("argue", ON_A, *cards("B2 A3 A4")))
    assert len(game.table().captured[A]) == 2
    assert asked(game) == B


def test_momentum_comes_once_a_turn() -> None:  # EGN-A15
    game = play(lay("A1 A2 A3 A4 C5"), argue(ON_A, "A1 A2"), argue(ON_A, "A3 A4"))
    assert asked(game) == B


def test_a_shorter_or_equal_run_does_not_win() -> None:  # EGN-A09, EGN-A10
    tables = ["A3 A4 A5", "", ""]
    assert moves(lay("A1 A2 B3 B4 B5", tables), "argue") == {argue(ON_B, "A2 B3")} | {
        argue(ON_B, run) for run in ("B3 B4", "B4 B5", "A2 B3 B4", "B3 B4 B5")
    } | {("argue", ON_B, *cards("A1 A2 B3"))}


def test_a_card_is_no_match_for_a_single_card() -> None:  # EGN-19
    assert moves(lay("A4 B4", ["A3", "B3", "C3"]), "yap") == set()


# --- tie-breaks and the end of the game -------------------------------------------------------------------------------


def ranking(hands: Sequence[str], captured: Sequence[str], starter: int = A, **readings: str) -> tuple[int, ...]:
    """The places of a round that seat 0 ends by her last card."""
    layout = Layout(
        [cards(text) for text in hands],
        [[], cards("B7"), cards("C7")],
        captured=[cards(text) for text in captured],
        starter=starter,
    )
    game = Reference(len(hands), readings=readings, layout=layout)
    return play(game, yap(ON_A, hands[0])).rounds[0].order


def test_equal_ego_goes_to_the_smaller_ranks_left() -> None:  # EGN-44
    assert ranking(["A1", "B8", "B2"], ["", "C1 C2", "C3 C4"]) == (C, B, A)


def test_equal_ranks_go_to_the_furthest_from_the_starter() -> None:  # EGN-45, EGN-A18
    hands, captured = ["A1", "B8", "C8", "A8"], ["", "C1", "C3", "C4"]
    assert ranking(hands, captured) == (A, D, C, B)
    assert ranking(hands, captured, starter=D) == (A, C, B, D)


def test_ego_below_zero() -> None:  # EGN-A17
    hands, captured = ["A1", "A2 A3 B2", "B9"], ["C1 C2", "C3", ""]
    assert ranking(hands, captured) == (A, C, B)
    assert ranking(hands, captured, ego="stops_at_zero") == (A, B, C)


def test_equal_trophies_go_to_the_better_place_in_the_last_round() -> None:  # EGN-48, EGN-A29
    before = [Round((0, 0, 0), (B, C, A)), Round((0, 0, 0), (C, A, B))]
    layout = Layout(
        [cards("A1"), cards("B8"), cards("B2 B3")],
        [[], cards("B7"), []],
        trophies=(1, 2, 3),
        rounds=before,
    )
    game = play(Reference(3, layout=layout), yap(ON_A, "A1"))
    assert game.node == Result((1, 2, 3), (A,), (3, 3, 3))


def test_two_players_trophies() -> None:  # EGN-A19
    hands = [cards("A1"), cards("B1 B2")]
    game = Reference(2, readings={"two_player_trophies": "winner_only"}, layout=Layout(hands))
    assert play(game, yap(ON_A, "A1")).table().trophies == (2, 0)


def test_without_four_trophies_after_three_rounds() -> None:  # EGN-A20
    before = [Round((0, 0, 0), (B, C, A)), Round((0, 0, 0), (C, A, B))]
    layout = Layout([cards("A1"), cards("B8"), cards("B2 B3")], trophies=(1, 2, 3), rounds=before)
    game = play(Reference(3, readings={"match": "four_trophies"}, layout=layout), yap(ON_A, "A1"))
    assert isinstance(game.node, Chance)
    assert game.table().supply == 0


# --- what tells the readings apart ------------------------------------------------------------------------------------


def test_two_players_acknowledge() -> None:  # EGN-A01, EGN-33
    tables = ["A1 A2", "B4 B5", "C6 C7 C8"]
    game = lay("A3 B7 C1", tables, players=2)
    assert moves(game) == {("acknowledge", table, card) for table, text in enumerate(tables) for card in cards(text)}
    assert len(moves(game)) == 7
    play(game, ("acknowledge", ON_B, *cards("B4")))
    assert asked(game) == B
    with pytest.raises(StuckError):
        lay("A3 B7 C1", tables, players=2, acknowledging="three_or_four")


@pytest.mark.parametrize(
    ("matching", "legal"),
    [
        ("at_least_one", {"A1 B2", "A1 B2 B3", "A1 B2 A3", "B2 A3"}),
        ("every", set()),
        ("ignored", {"A1 B2", "A1 B2 B3", "A1 B2 A3", "B2 A3", "B2 B3"}),
        ("majority", {"A1 B2 A3"}),
    ],
)
def test_how_a_run_matches_its_table(matching: str, legal: set[str]) -> None:  # EGN-A02
    game = lay("A1 B2 A3 B3 C5", matching=matching)
    assert {move for move in moves(game, "argue") if move[1] == ON_A} == {argue(ON_A, run) for run in legal}


@pytest.mark.parametrize(("answer", "turns"), [("run", [A, B, B]), ("label", [A, A, B]), ("yap_too", [A, B, A])])
def test_what_a_single_topic_is(answer: str, turns: Sequence[int]) -> None:  # EGN-A03
    actions = (argue(ON_A, "A1 A2"), ("argue", ON_A, *cards("A2 B3")), yap(ON_B, "B3"))
    played = [asked(play(lay("A1 A2 B3 C5", single_topic=answer), action)) for action in actions]
    assert played == turns


def test_the_card_removed_cannot_be_used() -> None:  # EGN-A07
    for answer, in_discard in (("out_of_round", False), ("in_discard", True)):
        table = deal(Reference(2, readings={"removed_card": answer})).table()
        assert len(table.removed) == 1
        assert table.discard == ()
        assert table.removed_lies_in_discard == in_discard


def test_arguing_onto_an_empty_table() -> None:  # EGN-A08
    assert moves(lay("A1 A2", empty_table="no_argue"), "argue") == set()
    assert argue(ON_A, "A1 A2") in moves(lay("A1 A2 A3", ["A5", "", ""], empty_table="no_argue"))


def test_equal_runs() -> None:  # EGN-A09
    tables = ["A2 A3 A4", "", ""]
    for answer, legal in (("do_not_beat", False), ("beat", True)):
        game = lay("A5 B2 B3 B4 C1", tables, equal_runs=answer, matching="ignored")
        assert (("argue", ON_A, *cards("B2 B3 B4")) in moves(game)) == legal
        assert ("argue", ON_A, *cards("B3 B4 A5")) in moves(game)


def test_a_lost_argument() -> None:  # EGN-A10
    tables = ["A3 A4 A5", "", ""]
    assert argue(ON_A, "A1 A2") not in moves(lay("A1 A2 B9", tables))
    game = play(lay("A1 A2 B9", tables, losing_argument="lost"), argue(ON_A, "A1 A2"))
    assert asked(game) == B
    assert game.table().discard == tuple(cards("A1 A2"))
    assert game.table().tables[ON_A] == tuple(cards("A3 A4 A5"))


def test_789_on_the_fallacy() -> None:  # EGN-A11
    tables = ["A1 A2 A3", "", ""]
    run = argue(ON_A, "A7 A8 A9")
    assert run in moves(lay("A7 A8 A9 B5", tables))
    assert run not in moves(lay("A7 A8 A9 B5", tables, highest_run_on_fallacy="loses"))
    assert argue(ON_A, "A6 A7 A8") in moves(lay("A6 A7 A8 B5", tables, highest_run_on_fallacy="loses"))


def flips_the_last_table(hand: str, **readings: str) -> Reference:
    """A flips the only table with cards; then A and B take topic B, C takes topic A, and none takes topic C."""
    game = lay(hand, ["A1 A2 A3", "", ""], players=3, mode=True, flipped=(False, False, True), **readings)
    return play(game, ("flip", ON_A))


def test_momentum_without_a_next_action() -> None:  # EGN-A13, G15
    game = flips_the_last_table("B1 C3")
    assert moves(game) == {yap(ON_A, "B1"), yap(ON_B, "B1")}
    assert len(flips_the_last_table("C3 C5").rounds) == 1
    game = flips_the_last_table("C3 C5", forced_action="lost")
    assert game.rounds == []
    assert asked(game) == B
    with pytest.raises(StuckError):
        flips_the_last_table("C3 C5", no_action="never")


def test_the_mode_ends_the_round_when_the_mover_cannot_act() -> None:  # G15
    game = lay("A3 A5", flipped=(True, False, False), mode=True)
    assert len(game.rounds) == 1
    with pytest.raises(StuckError):
        lay("A3 A5", flipped=(True, False, False), mode=True, no_action="never")


def test_the_last_cards_gain_momentum() -> None:  # EGN-A16
    tables = ["", "B5", ""]
    assert len(play(lay("A1 A2", tables), argue(ON_A, "A1 A2")).rounds) == 1
    game = play(lay("A1 A2", tables, momentum_and_empty_hand="act_first"), argue(ON_A, "A1 A2"))
    assert asked(game) == A
    play(game, ("dismiss", ON_B))
    assert game.rounds[0].egos == (1, -1, -1)
    game = play(lay("A1 A2", tables, momentum_and_empty_hand="act_first"), argue(ON_A, "A1 A2"))
    play(game, ("acknowledge", ON_A, *cards("A1")))
    assert game.rounds == []


def test_flipping_a_table_of_three() -> None:  # EGN-52..54, EGN-A22, EGN-A23
    tables = ["A1 A2 A3", "B1 B2", ""]
    assert moves(lay("A4", tables), "flip") == set()
    for answer, topics in (("next", {"B"}), ("previous", {"C"}), ("any_topic", {"A", "B", "C"})):
        game = lay("A4 B4 C4", tables, mode=True, players=2, flipped_topic=answer)
        assert moves(game, "flip") == {("flip", ON_A)}
        play(game, ("flip", ON_A))
        assert asked(game) == A
        assert game.table().discard == tuple(cards("A1 A2 A3"))
        assert {move[2].topic for move in moves(game, "yap") if move[1] == ON_A} == topics
    game = lay("A5 A6 B8 B9", ["B1 B2 B3", "", ""], mode=True, flipped=(True, False, False))
    play(game, ("flip", ON_A), argue(ON_A, "A5 A6"))
    assert not game.table().flipped[ON_A]


def test_flipped_tables_turn_back() -> None:  # G16
    game = lay("B3", flipped=(True, False, False), mode=True)
    play(game, yap(ON_A, "B3"))
    assert game.table().flipped == (False, False, False)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="not for 5 players"):
        Reference(5)
    with pytest.raises(ValueError, match="no composition `many`"):
        Reference(2, cards="many")
    fourteen = [ArgumentCard("A", 1, 4)] * 14
    with pytest.raises(ValueError, match="cannot deal 26 cards evenly to 3 players"):
        Reference(3, cards=[*COMPOSITIONS["six_seven"][:26], *fourteen])
    with pytest.raises(ValueError, match="39 cards instead of 40"):
        Reference(4, cards=COMPOSITIONS["six_seven"][1:])
    with pytest.raises(ValueError, match="no answer `never` to a reading `matching`"):
        Reference(4, readings={"matching": "never"})


# --- random games -----------------------------------------------------------------------------------------------------

EACH_READING: list[dict[str, str]] = [{}] + [
    {name: answer} for name, answers in READINGS.items() for answer in answers[1:]
]


class Watched(Reference):
    """A reference that looks at itself at every decision."""

    weight: int = 10**9

    def apply(self, choice: object) -> None:
        match self.node:
            case Decision(moves=offered):
                assert self.everywhere() == sorted(self.cards)
                self._look()
                assert len(offered) == len(set(offered)) > 0
            case Chance(outcomes=outcomes):
                assert sum(chance for _, chance in outcomes) == 1
                self.weight = 10**9
        super().apply(choice)

    def _look(self) -> None:
        for on_table in self.tables:
            ranks = sorted(card.rank for card in on_table)
            assert ranks == list(range(ranks[0], ranks[0] + len(ranks))) if ranks else True
            assert len(ranks) <= 3
        assert sum(self.trophies) + self.supply == 9
        # Every action makes the cards in play fewer, or moves them from hands to tables: hence every round ends.
        weight = 3 * sum(map(len, self.hands)) + 2 * sum(map(len, self.tables))
        assert weight < self.weight
        self.weight = weight


def check_end(game: Reference) -> None:
    assert isinstance(game.node, Result)
    assert sorted(game.node.places) == list(range(1, game.players + 1))
    assert max(game.trophies) == game.node.totals[game.node.winners[0]]
    if game.readings["match"] == "three_rounds_at_most":
        assert len(game.rounds) <= 3
        assert len(game.rounds) == 3 or max(game.trophies) >= 4
    wins = Counter(last_round.order[0] for last_round in game.rounds)
    assert len(game.rounds) >= 3 or max(wins.values()) == 2


@pytest.mark.parametrize("readings", EACH_READING, ids=lambda readings: " ".join(map(" ".join, readings.items())))
@pytest.mark.parametrize("mode", [False, True])
def test_random_games_end(readings: dict[str, str], *, mode: bool) -> None:
    rng = seeded(5)
    for players in (2, 3, 4):
        game = Watched(players, flip_the_table=mode, readings=readings, cards=rng.choice(list(COMPOSITIONS)))
        try:
            answers = play_at_random(game, rng, 1500)
        except StuckError:
            assert (readings == {"acknowledging": "three_or_four"} and players == 2 and not mode) or (
                readings == {"no_action": "never"} and mode
            )
        else:
            if isinstance(game.node, Result):
                check_end(game)
            else:
                assert readings == {"match": "four_trophies"}
                assert len(answers) == 1500


@pytest.mark.parametrize("mode", [False, True])
def test_many_random_games_by_default(*, mode: bool) -> None:
    names = list(COMPOSITIONS)
    for seed in range(30):
        game = Watched(2 + seed % 3, flip_the_table=mode, cards=names[seed // 3 % 3])
        play_at_random(game, seeded(seed), 5000)
        check_end(game)


def test_two_players_get_stuck_when_they_may_not_acknowledge() -> None:  # EGN-A01
    stuck = 0
    for seed in range(30):
        game = Reference(2, readings={"acknowledging": "three_or_four"})
        try:
            play_at_random(game, seeded(seed), 5000)
        except StuckError:
            stuck += 1
    assert stuck >= 27
