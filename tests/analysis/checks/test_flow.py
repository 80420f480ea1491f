"""Statements never reached, loops, `end`, `cancel`, `at once`, `together`: cases beside the golden rulebooks."""

from __future__ import annotations

from tests.analysis.checks.helpers import CARDS, HEAD, check, codes, said


def test_statements_after_a_loop_that_can_finish_are_reached() -> None:
    body = """stage game:
    turns from active where score < 5: score += 1
    repeat 3 times: score[active] += 1
    repeat: score[active] += 1
    until score[active] > 8
    score[active] += 1
"""
    assert codes(body) == []


def test_a_stage_that_only_an_outer_end_leaves_does_not_go_on() -> None:
    body = """stage game:
    play round
    score[active] += 1
stage round:
    turns from active:
        score += 1
        if score > 5: end game
"""
    assert said(body) == ["wEGO530 3 `score[active] += 1` is never reached"]


def test_a_trigger_may_end_a_loop() -> None:
    body = """trigger full during game whenever any(score[p] > 5 for p in players): end game
stage game:
    turns from active: score += 1
"""
    assert codes(body) == []


def test_an_event_may_end_a_loop() -> None:
    body = """event built(p: player)
trigger full on built(p) where score[p] > 5: end game
stage game:
    turns from active:
        score += 1
        announce built(you)
"""
    assert codes(body) == []


def test_an_end_is_fine_where_every_way_runs_its_stage() -> None:
    body = """stage game:
    play day
stage day:
    repeat:
        as p in players: choose one of build, rest
        perform both
stage night:
    perform both
procedure both: perform leave
procedure leave:
    if all(score[p] > 5 for p in players): end day
action build: score += 1
action rest: perform leave
"""
    assert said(body) == ["wEGO514 7 the stage `night` is never played"]


def test_an_end_shows_a_way_without_its_stage() -> None:
    body = """stage game:
    play day
    perform both
stage day: perform both
procedure both: perform leave
procedure leave:
    if all(score[p] > 5 for p in players): end day
"""
    checked, _ = check(HEAD + body)
    (only,) = checked.diagnostics
    assert only.code.number == "EGO550"
    assert only.message == "`end day` stands in the procedure `leave`, which also runs when `day` does not"
    assert only.notes == ("a way to it without `day`: the stage `game`, the procedure `both`, the procedure `leave`",)


def test_a_reaction_runs_inside_what_surrounds_every_announcement() -> None:
    body = """event built
trigger stop_day on built: end day
stage game: play day
stage day: announce built
"""
    assert codes(body) == []
    assert codes(body.replace("stage game: play day", "stage game:\n    play day\n    announce built")) == ["EGO550"]


def test_an_until_over_what_the_body_binds_changes() -> None:
    body = """stage game:
    repeat:
        let total = sum(score[p] for p in players)
        for p in players: score[p] += 1
    until total > 9
"""
    assert codes(body) == []


def test_at_once_takes_chance_and_procedures() -> None:
    body = """stage game:
    at once:
        shuffle pile
        perform deal
        let s = perform lowest
        move s to wall
procedure deal: for p in players: move 2 from pile to hand[p]
procedure lowest -> Stone:
    for s in hand[active]: return s
    return top(pile)
"""
    assert codes(CARDS + body) == []


def test_together_takes_a_second_index_and_locals() -> None:
    body = """var bid[player, Colour]: 0..9 = 0, owner only
stage game:
    for p in players: move 2 from pile to hand[p]
    together as p in players:
        choose one_of_mine in subsets(hand, 1)
        let n = count(one_of_mine)
        bid[p, red] := n
        bid[blue] := n
        move one_of_mine to wall
        for s in hand: move s to wall
    for p in players: score[p] += bid[p, red] + bid[p, blue]
"""
    assert codes(CARDS + body) == []
