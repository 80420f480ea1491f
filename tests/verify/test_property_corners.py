"""Corners of properties: what cannot be told, what is remembered, what is asked of shuffled piles."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.analysis import check_file
from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.rng import Random
from egodsl.engine.state import State
from egodsl.source.text import SourceText
from egodsl.verify.claims import offered
from egodsl.verify.explore import explore
from egodsl.verify.properties import Property, properties_of
from egodsl.verify.settings import Setting, settings_of
from egodsl.verify.trying import Plan, Trial, Tried

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"

PILE = """\
rulebook pile "Pile":
    players 2
    result most points

card Card:
    rank: 1..4
    var mark: 0..2 = 0
    written "{rank}"
components pack of Card in deck:
    1 x (rank: r) for r in 1..4
    total 4
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
zone line: row of Card, face up
var points[player]: 0..9 = 0
parameter rounds: 1..4 = 2 "Rounds"

stage game:
    shuffle deck
    repeat rounds times:
        play round
stage round:
    as p in players: choose one of draw, last, wait
action draw when not empty(deck): move top(deck) to hand
action last when not empty(deck): move bottom(deck) to line
action wait: points += 1
"""

TOGETHER = """\
rulebook at_once "At once":
    players 2
    result most points

card Card:
    rank: 1..4
components pack of Card in deck:
    1 x (rank: r) for r in 1..4
zone deck: stack of Card, face down
zone hand[player]: set of Card, owner only
zone line: row of Card, face up
var points[player]: 0..9 = 0

stage game:
    shuffle deck
    for p in players: move 1 from deck to hand[p]
    repeat 2 times:
        together as p in players: choose one of lay, keep
action lay (c in hand): move c to line
action keep: points += 1
"""

LIGHT = """\
rulebook light "Light":
    players 1
    result together 0

var lit: bool = false

stage game:
    repeat:
        play evening
stage evening:
    as players[1]:
        choose:
            "switch": lit := not lit
            "sleep": end evening
            "leave": end game
"""


def book(folder: Path, text: str, *lines: str) -> Rulebook:
    path = folder / "corner.rules"
    path.write_text(text + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return load(path)


def declared(rulebook: Rulebook) -> list[Property]:
    return [one for one in properties_of(rulebook) if one.decl is not None]


def tried(folder: Path, text: str, claim: str, games: int = 20) -> Tried:
    rulebook = book(folder, text, f"property p: {claim}")
    trial = Trial(rulebook, declared(rulebook), Plan(games=games))
    trial.play(settings_of(rulebook))
    (found,) = trial.finish()
    return found


def message(found: Tried) -> str:
    assert found.example is not None
    return found.example.diagnostic.message


# ---------------------------------------------------------------- what a property is about


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("every round within 8 // (rounds - 2) turns", "`8 // (rounds - 2)` divides by zero"),
        ("for n in 1..4 // (rounds - 2): always n > 0", "`4 // (rounds - 2)` divides by zero"),
        ("for n in 1..3: for m in 1..4 // (n - 2): always m > 0", "`4 // (n - 2)` divides by zero"),
        ("for p in players where seat(p) // (rounds - 2) = 1: reachable true", "`seat(p) // (rounds - 2)` divides"),
    ],
)
def test_what_a_property_is_about_may_be_a_fault(tmp_path: Path, claim: str, why: str) -> None:
    found = tried(tmp_path, PILE, claim)
    assert found.verdict == "broken"
    assert f"what it is about cannot be told: {why}" in message(found)
    rulebook = book(tmp_path, PILE, f"property p: {claim}")
    (violation, *_) = explore(rulebook.game(), properties=declared(rulebook)).violations
    assert (violation.depth, why in violation.diagnostic.message) == (0, True)


@pytest.mark.parametrize("unit", ["turns", "decisions"])
def test_a_number_that_a_parameter_makes_negative_is_always_too_few(tmp_path: Path, unit: str) -> None:
    found = tried(tmp_path, PILE, f"every round within rounds - 3 {unit}")
    assert found.verdict == "broken"
    assert f"`round` goes on after -1 {unit}" in message(found)


@pytest.mark.parametrize("claim", ["for n in {}: never n = 1", "for n in 3..1: reachable true"])
def test_what_is_about_nothing_has_no_case(tmp_path: Path, claim: str) -> None:
    assert tried(tmp_path, PILE, claim).verdict == "no case"


def said(lines: str) -> list[tuple[str, str]]:
    _, every = check_file(SourceText("pile.rules", f"{PILE}\n{lines}\n"))
    return [(one.code.number, one.message) for one in every]


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        ("property p: every round within -1 turns", "EGO407", "`-1` lies outside `0..`"),
        ("property p: every round within 1 - 2 decisions", "EGO407", "`1 - 2` is `-1`, outside `0..`"),
        ("property p: for c in Card where c.mark = 0: never c in line", "EGO415", "`mark` changes in play"),
        ("property p: for c in {d in Card where d.mark = 0}: never c in line", "EGO415", "`mark` changes in play"),
        (
            "define new(c: Card) = c.mark = 0\nproperty p: for c in Card where new(c): never c in line",
            "EGO415",
            "`new(c)` must be known before play, and `mark` changes in play",
        ),
        ('property p: never stuck waived ""', "EGO519", "no reason is given why `never stuck` is waived"),
        ('property p: everything reached except draw " "', "EGO519", "no reason is given"),
        ("property p: no fault\nproperty q: no fault", "EGO518", "`q` and `p` both settle `no fault`"),
        ('property p: no leak waived "x"\nproperty q: no leak', "EGO518", "`q` and `p` both settle `no leak`"),
        ("property p: always empty(deck)\nproperty q: reachable not empty(deck)", "EGO518", "cannot both hold"),
        ("property p: always empty(deck)\nproperty q: finally not empty(deck)", "EGO518", "cannot both hold"),
        (
            "property p: for p in players: always points[p] = 0\nproperty q: for p in players: never points[p] = 0",
            "EGO518",
            "cannot both hold",
        ),
        ("property p: seen by players[1]: old(hand[players[2]])", "EGO319", "`seen by` is about one position"),
        (
            "property p: whenever empty(deck) then eventually old(empty(deck)) within round",
            "EGO319",
            "`whenever` is about one position",
        ),
    ],
)
def test_what_cannot_be_meant_is_told_before_play(lines: str, code: str, words: str) -> None:
    ((number, text),) = said(lines)
    assert number == code
    assert words in text


@pytest.mark.parametrize(
    "lines",
    [
        "property p: every round within 0 turns",
        "property p: for c in Card where c.rank = 1: never c in line",
        "property p: always empty(deck)\nproperty q: reachable empty(deck)",
        "property p: no fault\nproperty q: no leak",
        # Of other players.
        (
            "property p: for p in players where seat(p) = 1: always points[p] = 0\n"
            "property q: for p in players where seat(p) = 2: never points[p] = 0"
        ),
    ],
)
def test_what_can_be_meant_is_not_complained_of(lines: str) -> None:
    assert said(lines) == []


# ---------------------------------------------------------------- piles in no order


@pytest.mark.parametrize(
    "claim",
    [
        "after draw: old(top(deck)) in hand[you]",
        "after last: old(bottom(deck)) in line",
        # One card goes at a time: it lay on top, or at the bottom and then in the line.
        "always not count(line) = old(count(line)) or count(deck) = old(count(deck)) or not old(top(deck)) in deck",
        # Over a whole round: at most two go from the top.
        "after round: old(top(deck)) in deck or any(old(top(deck)) in hand[p] for p in players) or empty(deck)",
        "always not count(deck) = old(count(deck)) or empty(deck) or top(deck) = old(top(deck))",
    ],
)
def test_what_was_on_top_is_what_was_drawn(tmp_path: Path, claim: str) -> None:
    rulebook = book(tmp_path, PILE, f"property p: {claim}")
    assert tried(tmp_path, PILE, claim).verdict == "holds"
    made = explore(rulebook.game(), properties=declared(rulebook))
    assert made.complete
    assert not made.violations


def test_what_was_on_top_can_be_denied(tmp_path: Path) -> None:
    found = tried(tmp_path, PILE, "after draw: old(top(deck)).rank != 3")
    assert found.verdict == "broken"
    assert found.example is not None
    # Four cards: A draws the 3 at once.
    assert found.example.decisions == 1
    assert found.example.record.events[-1] == ("chance", "3")


# ---------------------------------------------------------------- several at once


def test_what_a_player_can_tell_is_asked_while_all_choose(tmp_path: Path) -> None:
    found = tried(tmp_path, TOGETHER, "for p in players: seen by p: hand[left(p)]")
    assert found.verdict == "broken"
    assert tried(tmp_path, TOGETHER, "for p in players: seen by p: hand[p]").verdict == "holds"


def test_each_acts_on_their_own_table(tmp_path: Path) -> None:
    # Neither sees the card of the other until both have chosen.
    assert tried(tmp_path, TOGETHER, "after lay: count(line) = old(count(line)) + 1").verdict == "holds"
    both = tried(tmp_path, TOGETHER, "always count(line) <= old(count(line)) + 1")
    assert both.verdict == "broken"
    assert both.example is not None
    assert both.example.decisions == 2


# ---------------------------------------------------------------- every, explored


def test_exploring_counts_what_a_stage_has_had(tmp_path: Path) -> None:
    rulebook = book(tmp_path, LIGHT, "property p: every game within 2 decisions")
    made = explore(rulebook.game(), properties=declared(rulebook))
    assert made.complete
    assert made.left_out == []
    # Dark or lit with 0, 1, or 2 and more decisions, of which dark with 0 is the start and lit with 0 is none;
    # and an end in the dark and one in the light. A second decision is made from each of the two with 1.
    assert made.states == 1 + 2 + 2 + 2
    (violation,) = made.violations
    assert (violation.depth, violation.count) == (2, 4)
    assert "`game` goes on after 2 decisions" in violation.diagnostic.message


@pytest.mark.parametrize(
    ("claim", "depth"),
    [
        ("every game within 3 decisions", 3),
        ("every evening within 0 decisions", 0),
        ("every evening within 1 decisions", None),
        ("every game within 0 turns", None),
    ],
)
def test_exploring_and_trying_agree_on_every(tmp_path: Path, claim: str, depth: int | None) -> None:
    rulebook = book(tmp_path, LIGHT, f"property p: {claim}")
    made = explore(rulebook.game(), properties=declared(rulebook))
    assert made.complete
    assert [one.depth for one in made.violations] == ([] if depth is None else [depth])
    found = tried(tmp_path, LIGHT, claim)
    assert (None if found.example is None else found.example.decisions) == depth


# ---------------------------------------------------------------- looks, and interrupts


@pytest.mark.parametrize("name", ["ego", "egocentric_world", "classics/crazy_eights", "classics/hanabi"])
def test_moves_that_read_alike_are_alike_by_faces(name: str) -> None:
    # Dealing anew changes no text of a move, so neither what stands for the texts; and a move less is a difference.
    game = load(RULEBOOKS / f"{name}.rules").game()
    random = Random(3)
    for seed in range(2):
        state = game.start(seed)
        while not state.is_over and state.decisions < 40:
            player = state.to_move[0]
            if not state.branches:
                other = state.redeal(player, state.decisions)
                texts, others = ({move.text for move in one.legal_moves(player)} for one in (state, other))
                assert (offered(state) == offered(other)) == (texts == others)
                if len(texts) > 1:
                    other.moves = other.moves[1:]
                    assert offered(state) != offered(other)
            state.choose(random.below(len(state.branches.get(player, state).moves)), player)


def test_looks_for_leaks_are_shared_by_the_games_of_a_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PILE.replace("1..4 = 2", "1..99 = 99").replace("0..9", "0..")
    rulebook = book(tmp_path, text)
    looked: list[int] = []
    redeal = State.redeal

    def counted(state: State, player: int, rng: int) -> State:
        looked.append(state.decisions)
        return redeal(state, player, rng)

    monkeypatch.setattr(State, "redeal", counted)
    leaks = [one for one in properties_of(rulebook) if one.builtin == "no leak"]
    trial = Trial(rulebook, leaks, Plan(games=7))
    trial.play([Setting(2)])
    # In a game of 198 decisions there are looks after 12, and then one and a half times (and one) as far.
    first = [12, 19, 29, 44, 67, 101, 152]
    assert looked[: len(first)] == first
    # Of the six other games each takes a third of them, and together they go to all.
    others = looked[len(first) :]
    assert sorted(others) == sorted(first * 2)


def test_deals_are_shared_by_what_players_can_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PILE.replace("1..4 = 2", "1..99 = 99").replace("0..9", "0..")
    claims = ("for p in players: seen by p: hand[p]", "for p in players: seen by p: count(deck)")
    rulebook = book(tmp_path, text, *(f"property p{k}: {claim}" for k, claim in enumerate(claims)))
    dealt: list[int] = []
    redeal = State.redeal

    def counted(state: State, player: int, rng: int) -> State:
        dealt.append(state.decisions)
        return redeal(state, player, rng)

    monkeypatch.setattr(State, "redeal", counted)
    trial = Trial(rulebook, declared(rulebook), Plan(games=1))
    trial.play([Setting(2)])
    # Two deals for each of two players, at all of the first 100 decisions, at one in ten, and at the end.
    at = [*range(101), *range(110, 198, 10), 198]
    assert dealt == [decisions for decisions in at for _ in range(4)]


def test_what_came_up_before_an_interrupt_is_told(tmp_path: Path) -> None:
    rulebook = book(tmp_path, PILE, "property p: after wait: points[you] > 0", "property q: finally true")

    def stop(games: int) -> None:
        if games == 5:
            raise KeyboardInterrupt

    trial = Trial(rulebook, declared(rulebook), Plan(games=50))
    with pytest.raises(KeyboardInterrupt):
        trial.play(settings_of(rulebook), stop)
    assert [(one.property.name, one.verdict, one.games) for one in trial.so_far()] == [
        ("p", "holds", 5),
        ("q", "holds", 5),
    ]
    assert [one.cases > 0 for one in trial.so_far()] == [True, True]


def test_the_record_of_a_game_that_was_cut_short_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulebook = book(tmp_path, LIGHT)
    replayed: list[int] = []
    replay = Game.replay

    def counted(game: Game, record: object) -> State:
        replayed.append(1)
        return replay(game, record)  # type: ignore[arg-type] # a record, as the watcher gives it

    monkeypatch.setattr(Game, "replay", counted)
    records = [one for one in properties_of(rulebook) if one.builtin == "records replay"]
    # Some of the games leave at their only decision, others are given up.
    trial = Trial(rulebook, records, Plan(games=30, most=1, stop=False))
    trial.play(settings_of(rulebook))
    assert replayed == [1]
