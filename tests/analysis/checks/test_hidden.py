"""Hidden faces: what is left alone, what is doubtful, what is certain."""

from __future__ import annotations

import pytest

from tests.analysis.checks.helpers import CARDS, HEAD, codes, said

DEAL = """stage game:
    shuffle pile
    move 3 from pile to wall
    for p in players: move 3 from pile to hand[p]
    as p in players: choose one of act
"""


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("action act(s in hand where s.colour = red): move s to wall", []),
        ("action act(s in hand[you]) when any(t.weight > s.weight for t in hand[you]): move s to wall", []),
        ("action act(s in hand where s.colour = top(wall).colour) when not empty(wall): move s to wall", []),
        ("action act(p in others, s in hand) when count(hand[p]) > count(hand): move s to hand[p]", []),
        ("action act(s in hand) when count(pile) > 3 and not empty(pile): move s to wall", []),
        ("action act(s in hand, n in {t.weight for t in hand[left(you)]}): move s to wall", ["EGO571"]),
        ("action act(s in hand) when any(t.weight > 3 for p in players for t in hand[p]): move s to wall", ["EGO571"]),
        ("action act(s in hand) when any(t.weight > 3 for t in hand[players[1]]): move s to wall", ["wEGO571"]),
        ("action act(p in players, s in hand[p]): move s to wall", ["EGO573"]),
        ("action act(s in hand) when Stone(3, red) in hand[left(you)]: move s to wall", ["EGO571"]),
        ("action act(g in groups(hand[left(you)], .weight, 2)): move g to wall", ["EGO571"]),
        ("action act(s in hand) when bottom(pile).weight > 3: move s to wall", ["EGO570"]),
    ],
)
def test_heads_of_actions(action: str, expected: list[str]) -> None:
    found = codes(f"{CARDS}{DEAL}{action}\n")
    assert [one for one in found if not one.endswith("581")] == expected


def test_a_zone_that_some_rule_shows_is_left_to_run_time() -> None:
    body = f"""{CARDS}{DEAL}action act(p in others, s in hand[p] where s.weight > 3): move s to wall
action peek(p in others): look at hand[p]
"""
    assert codes(body.replace("one of act", "one of act, peek")) == []


def test_who_is_asked_sees_their_own_cards() -> None:
    body = f"""{CARDS}event hit(victim: player)
trigger shield on hit(victim) as victim:
    choose s in hand[victim] where s.weight > 3
    otherwise: return
    move s to wall
stage game:
    for p in players: move 3 from pile to hand[p]
    as p in players: choose s in hand[p] where s.weight > 2
    for q in players:
        announce hit(q)
        as q: choose t in hand[q] where t.weight > 2
"""
    assert [one for one in codes(body) if not one.endswith("309")] == []


def test_somebody_else_asked_later_does_not() -> None:
    body = f"""{CARDS}stage game:
    for p in players: move 3 from pile to hand[p]
    turns from active where count(hand) > 0:
        let me = you
        as left(me):
            choose s in hand where any(t.weight > s.weight for t in hand[me])
            move s to wall
"""
    assert codes(body) == ["wEGO571"]


def test_a_card_that_was_moved_to_a_hand_belongs_to_the_hand() -> None:
    body = f"""{CARDS}stage game:
    for p in players:
        move 1 from pile to hand[p]
        let s = top(pile)
        move s to hand[p]
        if s.weight > 3: score[p] += 1
"""
    assert codes(body.replace("zone wall: stack of Stone, face up\n", "")) == []


def test_a_face_down_card_that_was_shown_may_be_read() -> None:
    body = f"""{CARDS}stage game:
    for p in players: move 1 from pile to hand[p]
    reveal top(pile) as s
    if s.weight > 3: move s to wall
"""
    assert codes(body) == []


def test_others_see_an_others_only_row_and_its_owner_does_not() -> None:
    fan = CARDS.replace("zone hand[player]: set of Stone, owner only", "zone hand[player]: row of Stone, others only")
    seen = "action act(p in others, k in {s.colour for s in hand[p]}): score[p] += 1 if k = red else 2\n"
    unseen = "action act(s in hand where s.colour = red): move s to wall\n"
    assert codes(fan + DEAL + seen) == []
    assert said(fan + DEAL + unseen) == [
        "EGO571 16 `s.colour` goes by `hand`, which the chooser cannot know",
    ]


def test_only_a_question_that_depends_on_hidden_faces_tells_something() -> None:
    asked = """stage game:
    for p in players: move 3 from pile to hand[p]
    for p in players:
        if CONDITION:
            as p: may "show": move hand to wall
"""
    assert codes(CARDS + asked.replace("CONDITION", "count(hand[p]) > 2")) == []
    assert codes(CARDS + asked.replace("CONDITION", "any(s.weight = 9 for s in hand[p])")) == ["wEGO572"]
    both = asked.replace("CONDITION", "any(s.weight = 9 for s in hand[p])")
    assert codes(f'{CARDS}{both}        otherwise:\n            as p: may "rest": score += 1\n') == []


def test_the_result_reads_no_face_down_zone() -> None:
    head = HEAD.replace("result most score", "result most sum(s.weight for s in pile)").replace(
        "var score[player]: 0..99 = 0\n", ""
    )
    body = CARDS.replace("zone hand[player]: set of Stone, owner only\n", "") + "stage game: move 3 from pile to wall\n"
    assert codes(body, head) == ["EGO570"]
