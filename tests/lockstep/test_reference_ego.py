"""The Ego reference alone: the ledger's scenarios, what tells the readings apart, and random games."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.lockstep.reference_ego import DOTS, GROUP, NUMBER, READINGS, SELF, Reference
from tests.lockstep.reference_nodes import Chance, Decision, Move, Result, play_at_random

A, B, C, D = range(4)
RED, GREEN, BLUE, YELLOW = DOTS


def asking(
    players: int = 3,
    kind: str = SELF,
    *,
    won: Sequence[int] | None = None,
    cards: tuple[int, int, int] = (20, 20, 20),
    vote: bool = False,
    **readings: str,
) -> Reference:
    """A's turn; she has drawn a question of this kind."""
    game = Reference(players, readings=readings, won=won, mover=A, cards=cards, vote=vote)
    game.apply(kind)
    return game


def turn(game: Reference, answer: str, *guesses: str | tuple[str, str]) -> Reference:
    game.apply(("answer", answer))
    for guess in guesses:
        game.apply(("guess", guess) if isinstance(guess, str) else ("guess", *guess))
    return game


def moves(game: Reference) -> set[Move]:
    assert isinstance(game.node, Decision)
    return set(game.node.moves)


def asked(game: Reference) -> int:
    assert isinstance(game.node, Decision)
    return game.node.player


def answers(*dots: str) -> set[Move]:
    return {("answer", dot) for dot in dots}


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - play, not secrets


# --- scenarios --------------------------------------------------------------------------------------------------------


def test_one_right_piece() -> None:  # EGO-T01
    assert turn(asking(), RED, RED, BLUE).table().won == (1, 2, 0)


def test_two_pieces_one_of_them_right() -> None:  # EGO-T02
    assert turn(asking(), RED, (RED, GREEN), BLUE).table().won == (1, 1, 0)


def test_everybody_right() -> None:  # EGO-T03
    assert turn(asking(4), RED, RED, RED, RED).table().won == (3, 2, 2, 2)


def test_the_player_on_turn_takes_first() -> None:  # EGO-T05
    game = turn(asking(2, won=(14, 13)), RED, RED)
    assert game.node == Result((1, 2), (A,), (15, 13))


def test_nothing_is_shown_before_all_have_guessed() -> None:  # EGO-T07
    game = turn(asking(vote=True), RED, (RED, GREEN))
    assert asked(game) == C
    assert isinstance(game.node, Decision)
    assert game.node.simultaneous
    assert game.table().laid == (1, 2, 0)
    assert game.table().shown == ((), (), ())
    game.apply(("guess", BLUE))
    assert game.table().laid == (0, 0, 0)
    assert game.table().shown == ((RED,), (RED, GREEN), (BLUE,))


def test_nobody_learns_from_being_asked() -> None:  # EGO-20..22
    offered = [moves(turn(asking(4), answer, guess)) for answer in (RED, BLUE) for guess in (RED, (GREEN, YELLOW))]
    assert offered == [offered[0]] * 4
    assert len(offered[0]) == 4 + 6


def test_the_pool_at_the_start() -> None:  # EGO-T08
    table = asking().table()
    assert table.pool == (15, 15, 15)
    assert table.won == (0, 0, 0)
    assert table.pile == 59


def test_turns_go_clockwise_from_the_youngest() -> None:  # EGO-T09
    game = Reference(3)
    assert isinstance(game.node, Chance)
    assert game.node.what == "youngest"
    game.apply(A)
    play_at_random(game, seeded(1), 4 * 4)
    assert game.turns == [A, B, C, A]


# --- what tells the readings apart ------------------------------------------------------------------------------------


def test_when_the_win_is_looked_at() -> None:  # EGO-A01, EGO-A16
    game = turn(asking(2, won=(14, 13), win_check="end_of_turn"), RED, RED)
    assert game.node == Result((1, 1), (A, B), (15, 15))
    game = turn(asking(3, won=(0, 13, 13)), RED, RED, RED)
    assert game.node == Result((2, 1, 2), (B,), (2, 15, 13))


def test_the_others_take_clockwise() -> None:  # EGO-31
    game = Reference(3, won=(13, 0, 13), mover=B)
    game.apply(SELF)
    game = turn(game, RED, RED, RED)
    assert game.node == Result((2, 2, 1), (C,), (13, 2, 15))


def test_more_tokens_than_are_left() -> None:  # EGO-A02
    game = turn(asking(3, won=(0, 14, 0)), RED, RED, BLUE)
    assert game.node == Result((2, 1, 2), (B,), (1, 15, 0))
    game = turn(asking(3, won=(0, 14, 0), last_tokens="exact"), RED, RED, BLUE)
    assert game.table().won == (1, 14, 0)
    assert isinstance(game.node, Chance)


def test_whether_a_split_hit_pays_the_answerer() -> None:  # EGO-A03
    game = turn(asking(split_hit_counts="no"), RED, (RED, GREEN), RED)
    assert game.table().won == (1, 1, 2)


def test_who_can_be_picked() -> None:  # EGO-A04, EGO-A12
    assert moves(asking(2, GROUP)) == answers(RED, GREEN)
    assert moves(asking(3, GROUP)) == answers(RED, GREEN, BLUE)
    assert moves(asking(2, GROUP, group_options="all")) == answers(*DOTS)
    game = asking(2, GROUP)
    game.apply(("answer", GREEN))
    assert moves(game) == {("guess", RED), ("guess", GREEN), ("guess", RED, GREEN)}


def test_a_split_over_both_options_always_hits() -> None:  # EGO-A08
    for answer in (RED, GREEN):
        assert turn(asking(2, GROUP), answer, (RED, GREEN)).table().won == (1, 1)


def test_more_than_two_of_two() -> None:  # EGO-A05
    assert moves(asking(2, NUMBER)) == answers(*DOTS)
    assert moves(asking(2, NUMBER, too_many="no")) == answers(RED, GREEN, BLUE)
    assert moves(asking(3, NUMBER, too_many="no")) == answers(*DOTS)


def test_the_pile_runs_out() -> None:  # EGO-A09
    game = turn(asking(cards=(0, 0, 2)), RED, BLUE, BLUE)
    game.apply(SELF)
    assert game.table().pile == 0
    turn(game, RED, RED, BLUE)
    assert isinstance(game.node, Chance)
    assert game.table().pile == 2
    assert game.table().used == ()
    game = turn(asking(cards=(0, 0, 1), pile_runs_out="ends"), RED, RED, RED)
    assert game.node == Result((1, 1, 1), (A, B, C), (2, 2, 2))
    game = turn(asking(cards=(0, 0, 1), pile_runs_out="ends"), RED, RED, BLUE)
    assert game.node == Result((2, 1, 2), (B,), (1, 2, 0))


@pytest.mark.parametrize(
    ("votes", "won"),
    [
        ("yes yes yes yes", (1, 2, 0, 0)),
        ("no yes yes yes", (1, 2, 0, 0)),
        ("yes no no yes", (0, 0, 0, 0)),
        ("no no yes no", (0, 0, 0, 0)),
    ],
)
def test_the_group_votes(votes: str, won: Sequence[int]) -> None:  # EGO-39, EGO-40
    game = turn(asking(4, vote=True), RED, RED, BLUE, BLUE)
    for player, answer in enumerate(votes.split()):
        assert asked(game) == player
        assert game.table().won == (0, 0, 0, 0)
        game.apply(("vote", answer))
    assert game.table().won == won


def test_what_cannot_be_played_is_refused() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match=f"not for {players} players"):
            Reference(players)
    with pytest.raises(ValueError, match="needs question cards"):
        Reference(2, cards=(0, 0, 0))
    with pytest.raises(ValueError, match="no answer `maybe` to a reading `too_many`"):
        Reference(2, readings={"too_many": "maybe"})


# --- random games -----------------------------------------------------------------------------------------------------

EACH_READING: list[dict[str, str]] = [{}] + [
    {name: answer} for name, answers in READINGS.items() for answer in answers[1:]
]


class Watched(Reference):
    """A reference that looks at itself before every answer."""

    def apply(self, choice: object) -> None:
        assert [won + left for won, left in zip(self.won, self.pool, strict=True)] == [15] * self.players
        assert self.pile.total() + len(self.used) + (self.question is not None) == 15
        assert min(self.pool) > 0
        match self.node:
            case Decision(moves=offered):
                assert len(offered) == len(set(offered)) > 0
            case Chance(outcomes=outcomes):
                assert sum(chance for _, chance in outcomes) == 1
        super().apply(choice)


def check_end(game: Reference) -> None:
    assert isinstance(game.node, Result)
    winners = game.node.winners
    if game.readings["pile_runs_out"] == "reshuffle":
        assert {game.won[player] for player in winners} == {15}
    assert max(game.won) == game.won[winners[0]]
    if game.readings["win_check"] == "each_payout" and max(game.won) == 15:
        assert len(winners) == 1
    assert len(game.turns) + 1 >= (8 if max(game.won) == 15 and game.players < 4 else 0)


@pytest.mark.parametrize("readings", EACH_READING, ids=lambda readings: " ".join(map(" ".join, readings.items())))
@pytest.mark.parametrize("vote", [False, True])
def test_random_games_end(readings: dict[str, str], *, vote: bool) -> None:
    rng = seeded(7)
    for seed in range(12):
        game = Watched(2 + seed % 3, readings=readings, vote=vote, cards=(5, 5, 5))
        play_at_random(game, rng, 20_000)
        check_end(game)


def test_random_games_with_readings_mixed() -> None:
    rng = seeded(11)
    for _ in range(100):
        readings = {name: rng.choice(answers) for name, answers in READINGS.items()}
        game = Watched(rng.randint(2, 4), readings=readings, cards=(5, 5, 5))
        play_at_random(game, rng, 20_000)
        check_end(game)
