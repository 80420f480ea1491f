"""Decks: sums over every configurable game."""

from __future__ import annotations

from tests.analysis.checks.helpers import HEAD, check, codes, said

STAGE = """
card Stone:
    weight: 1..9
zone pile: stack of Stone, face up
stage game:
    for s in pile: score[active] += s.weight
"""


def test_a_sum_that_holds_for_every_number_of_players() -> None:
    deck = "components stones of Stone in pile:\n    count(players) x (weight: w) for w in 1..3\n"
    assert codes(f"{deck}    total 3 * count(players)\n{STAGE}") == []
    found = said(f"{deck}    total 9\n{STAGE}")
    assert found == ["EGO501 3 the rows of `stones` add up to 6 with 2 players, and the total says 9"]


def test_a_table_without_copies_makes_one_of_each() -> None:
    deck = "components stones of Stone in pile:\n    | weight |\n    | 1      |\n    | 4      |\n    total 2\n"
    assert codes(deck + STAGE) == []


def test_only_clauses_that_hold_count() -> None:
    deck = "components stones of Stone in pile:\n    1 x (weight: w) for w in 1..9 where w % 2 = 0\n    total 4\n"
    assert codes(deck + STAGE) == []


def test_what_a_variant_fixes_is_fixed_for_its_deck() -> None:
    rows = "components stones of Stone in pile:\n    (2 if double else 1) x (weight: w) for w in 1..3\n    total 3\n"
    whole = HEAD + 'mode double "Twice"\n' + rows + STAGE
    assert [one.split()[0] for one in check(whole)[1]] == ["EGO501"]
    fixed = whole.replace("    result most score\n", "    result most score\n    set double to false\n")
    assert [one.split()[0] for one in check(fixed)[1]] == []


def test_more_games_than_can_be_tried_are_said_to_be() -> None:
    settings = "".join(f'mode m{k} "Mode {k}"\n' for k in range(12))
    copies = " + ".join(f"(1 if m{k} else 1)" for k in range(12))
    deck = f"components stones of Stone in pile:\n    ({copies}) x (weight: 1)\n    total 12\n"
    (only,) = said(settings + deck + STAGE)
    assert only == "nEGO501 15 the rows of `stones` were added up for 2000 of all configurable games"


def test_decks_are_checked_beside_a_misspelt_name() -> None:
    deck = "components stones of Stone in pile:\n    1 x (weight: w) for w in 1..3\n    total 4\n"
    assert codes(deck + STAGE.replace("score[active]", "scroe[active]")) == ["EGO501", "EGO301"]


def test_a_row_with_a_misspelt_name_is_not_added_up() -> None:
    deck = "components stones of Stone in pile:\n    1 x (weight: w) for w in 1..threee\n    total 4\n"
    assert codes(deck + STAGE) == ["EGO301"]
