"""The mutation check: which mutants there are, and which of them something notices, on rulebooks small enough to say
so by hand.
"""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from egodsl.engine.game import Rulebook, load
from egodsl.source.text import SourceText
from egodsl.syntax import nodes
from egodsl.syntax.parse import parse
from egodsl.syntax.printer import print_module
from egodsl.verify.changes import changed
from egodsl.verify.mutants import Mutant, mutants, mutated
from egodsl.verify.mutation import Budget, Mutation, MutationResult, check

RULEBOOKS = Path(__file__).resolve().parents[2] / "rulebooks"

JARS = """\
rulebook jars "Jars":
    players 2
    result most points

var points[player]: 0..9 = 0
var taken: 0..9 = 0

stage game:
    turns from players[1]:
        choose one of take, wait
        taken += 1
        if taken >= 2: end game

action take when points < 3: points += 2
action wait: nothing

scenario "two points for taking":
    A plays take
    expect points[A] = 2
"""

NO_GAMES = Budget(games=0)


def rulebook(folder: Path, text: str, name: str = "jars") -> Rulebook:
    path = folder / f"{name}.rules"
    path.write_text(text, encoding="utf-8")
    return load(path)


def of(found: list[Mutant], place: str) -> list[str]:
    return [mutant.words for mutant in found if mutant.place == place]


def unnoticed(result: MutationResult, place: str) -> set[str]:
    return {mutant.words for mutant in result.survivors if mutant.place == place}


def verdict_of(result: MutationResult, place: str, words: str, line: int | None = None) -> tuple[str | None, str]:
    """How the one mutant of these words in this place was noticed, and by what."""
    by_number = {verdict.number: verdict for verdict in result.verdicts}
    (found,) = (
        by_number[mutant.number]
        for mutant in result.mutants
        if (mutant.place, mutant.words) == (place, words) and line in {None, mutant.span.line}
    )
    assert found.outcome != "unfit"
    return found.how, found.name


# ---------------------------------------------------------------- which mutants there are


def test_every_change_of_an_action(tmp_path: Path) -> None:
    assert of(mutants(rulebook(tmp_path, JARS)), "action take") == [
        "condition: `points < 3` becomes `not points < 3`",
        "guard: `when points < 3` is left out",
        "comparison: `points < 3` becomes `points <= 3`",
        "number: `3` becomes `4`",
        "number: `3` becomes `2`",
        "statement: `points += 2` is left out",
        "assignment: `points += 2` becomes `points -= 2`",
        "number: `2` becomes `3`",
        "number: `2` becomes `1`",
    ]


def test_every_change_of_a_stage_and_of_the_rest(tmp_path: Path) -> None:
    found = mutants(rulebook(tmp_path, JARS))
    assert of(found, "stage game") == [
        "statement: `turns from players[1]:` is left out",
        "who begins: `players[1]` becomes `left(players[1])`",
        "number: `1` becomes `2`",
        "number: `1` becomes `0`",
        "statement: `choose one of take, wait` is left out",
        "action: `take` is left out",
        "action: `wait` is left out",
        "statement: `taken += 1` is left out",
        "assignment: `taken += 1` becomes `taken -= 1`",
        "number: `1` becomes `2`",
        "number: `1` becomes `0`",
        "statement: `if taken >= 2: end game` is left out",
        "condition: `taken >= 2` becomes `not taken >= 2`",
        "comparison: `taken >= 2` becomes `taken > 2`",
        "number: `2` becomes `3`",
        "number: `2` becomes `1`",
        "statement: `end game` is left out",
    ]
    assert of(found, "var taken") == [
        "range: `0..9` becomes `1..9`",
        "range: `0..9` becomes `0..8`",
        "number: `0` becomes `1`",
    ]
    assert of(found, "players") == ["number: `2` becomes `3`", "number: `2` becomes `1`"]
    assert of(found, "result") == ["order: `most points` becomes `least points`"]
    assert of(found, "action wait") == []


CARDS = """\
rulebook cards "Cards":
    players 2..3
    result most points

mode long "Long"

reading who "Who begins?":
    first "the first" default
    last "the last"

reading pays "What pays?":
    low "low ones"
    high "high ones" default
    none_of_them "none"

enum Suit: red, blue

card Card:
    suit: Suit
    rank: 1..3
    var up: bool = false

components pack of Card in deck:
    1 x (suit: s, rank: r) for s in Suit for r in 1..3

zone deck: stack of Card, face down
zone pile: stack of Card, face up
zone hand[player]: set of Card, owner only
zone back[player]: row of Card, others only

var points[player]: 0..9 = 0 during round
var bid[player]: 0..3 = 0, owner only

event played(c: Card)

stage game: play round

define worth(c: Card) = max(c.rank, 2) if who = first or long and c.suit = red else min(c.rank, 2)

stage round:
"""

PARTS = {
    "    at once:\n        move 1 from deck to pile\n        shuffle deck\n": {
        "at once: `at once` is left out",
        "statement: `at once:` is left out",
        "statement: `move 1 from deck to pile` is left out",
        "statement: `shuffle deck` is left out",
        "number: `1` becomes `2`",
        "number: `1` becomes `0`",
        "zone: `deck` becomes `pile`",
        "zone: `pile` becomes `deck`",
    },
    "    move up to 2 from deck to hand[players[2]]\n": {
        "statement: `move up to 2 from deck to hand[players[2]]` is left out",
        "up to: `move up to 2 from deck to hand[players[2]]` becomes `move 2 from deck to hand[players[2]]`",
        "number: `2` becomes `3`",
        "number: `2` becomes `1`",
        "zone: `deck` becomes `pile`",
        "zone: `hand` becomes `back`",
    },
    "    together as p in players: choose bid in {0, 3}\n": {
        "statement: `together as p in players: choose bid in {0, 3}` is left out",
        "together: `together as` becomes `as`",
        "statement: `choose bid in {0, 3}` is left out",
        "number: `0` becomes `1`",
        "number: `3` becomes `4`",
        "number: `3` becomes `2`",
    },
    "    as players[1]:\n        choose c in hand where c.up if able where c.rank != 1\n        c.up := true\n": {
        "statement: `as players[1]:` is left out",
        "number: `1` becomes `2`",
        "number: `1` becomes `0`",
        "statement: `choose c in hand where c.up if able where c.rank != 1` is left out",
        "zone: `hand` becomes `back`",
        "where: `where c.up` is left out",
        "preference: `where c.up if able` becomes `where c.up`",
        "condition: `c.up` becomes `not c.up`",
        "where: `where c.rank != 1` is left out",
        "comparison: `c.rank != 1` becomes `c.rank = 1`",
        "statement: `c.up := true` is left out",
        "truth value: `true` becomes `false`",
    },
    '    as players[1]:\n        choose:\n            "a" when long: points += 1\n            "b"\n'
    "        otherwise when not long: end round\n": {
        "statement: `as players[1]:` is left out",
        "number: `1` becomes `2`",
        "number: `1` becomes `0`",
        "statement: `choose:` is left out",
        'option: `"a"` is left out',
        'option: `"b"` is left out',
        "otherwise: `otherwise` is left out",
        "guard: `when long` is left out",
        "condition: `long` becomes `not long`",
        "statement: `points += 1` is left out",
        "assignment: `points += 1` becomes `points -= 1`",
        "guard: `when not long` is left out",
        "condition: `not long` becomes `long`",
        "statement: `end round` is left out",
    },
}


@pytest.mark.parametrize("part", PARTS)
def test_changes_of_statements(part: str, tmp_path: Path) -> None:
    found = mutants(rulebook(tmp_path, CARDS + part, "cards"))
    assert set(of(found, "stage round")) == PARTS[part]


def test_changes_of_declarations_and_expressions(tmp_path: Path) -> None:
    found = mutants(rulebook(tmp_path, CARDS + "    nothing\n", "cards"))
    assert of(found, "zone deck") == ["visibility: `face down` becomes `face up`"]
    assert of(found, "zone hand") == ["visibility: `owner only` becomes `face up`"]
    assert "visibility: `owner only` is left out" in of(found, "var bid")
    assert "during: `during round` is left out" in of(found, "var points")
    assert of(found, "reading who") == ["default: `first` becomes `last`"]
    assert of(found, "reading pays") == ["default: `high` becomes `none_of_them`"]
    assert of(found, "card Card") == ["truth value: `false` becomes `true`"]
    # `who = last` and `c.suit = blue` say what `!=` says: they are not made a second time.
    assert set(of(found, "define worth")) == {
        "condition: `who = first or long and c.suit = red` becomes `not (who = first or long and c.suit = red)`",
        "and, or: `who = first or long and c.suit = red` becomes `who = first and (long and c.suit = red)`",
        "operand: `who = first or long and c.suit = red` becomes `long and c.suit = red`",
        "operand: `who = first or long and c.suit = red` becomes `who = first`",
        "comparison: `who = first` becomes `who != first`",
        "and, or: `long and c.suit = red` becomes `long or c.suit = red`",
        "operand: `long and c.suit = red` becomes `c.suit = red`",
        "operand: `long and c.suit = red` becomes `long`",
        "comparison: `c.suit = red` becomes `c.suit != red`",
        "function: `max(c.rank, 2)` becomes `min(c.rank, 2)`",
        "function: `min(c.rank, 2)` becomes `max(c.rank, 2)`",
        "number: `2` becomes `3`",
        "number: `2` becomes `1`",
    }


def test_a_rulebook_is_not_changed_by_its_mutants(tmp_path: Path) -> None:
    book = rulebook(tmp_path, JARS)
    before = {name: repr(decl) for name, decl in book.checked.program.stages.items()}
    made = mutants(book)
    assert {name: repr(decl) for name, decl in book.checked.program.stages.items()} == before
    assert len({(mutant.table, mutant.owner, repr(mutant.made)) for mutant in made}) == len(made)
    stages = [mutated(book.checked.program, mutant, {}).stages["game"] for mutant in made if mutant.table == "stages"]
    assert all(not nodes.same_tree(stage, book.checked.program.stages["game"]) for stage in stages)


def test_a_variant_is_changed_where_it_differs(tmp_path: Path) -> None:
    rulebook(tmp_path, JARS)
    text = 'variant more_jars "More jars" of jars\n\nreplace action wait: taken += 1\n'
    assert {mutant.place for mutant in mutants(rulebook(tmp_path, text, "more_jars"))} == {"action wait"}


@pytest.mark.parametrize("name", ["ego", "egocentric_world", "egonomy", "emotrions"])
def test_a_mutant_is_what_its_text_says(name: str) -> None:
    """A mutant is tried as a tree: its text is read as a tree that says the same. One in seven is looked at."""
    root = load(RULEBOOKS / f"{name}.rules").checked.program.root
    for mutant in mutants(load(RULEBOOKS / f"{name}.rules"))[::7]:
        made = mutant.made
        if not isinstance(made, nodes.Declaration) or getattr(made, "files", None):
            continue
        text = print_module(changed(root, items=[made]))
        read = parse(SourceText("mutant.rules", text)).module
        assert read is not None, mutant.words
        assert print_module(read) == text, mutant.words
        (was,) = (item for item in root.items if isinstance(item, nodes.Declaration) and _is(item, mutant))
        assert text != print_module(changed(root, items=[was])), mutant.words


def _is(item: nodes.Declaration, mutant: Mutant) -> bool:
    return isinstance(mutant.made, nodes.Declaration) and (item.kind, item.name.name) == (
        mutant.made.kind,
        mutant.owner,
    )


# ---------------------------------------------------------------- what is noticed


def test_what_one_scenario_notices(tmp_path: Path) -> None:
    """It plays one `take` at 0 points: what comes of it is seen, the guard at 0 is asked, nothing behind it is."""
    result = check(rulebook(tmp_path, JARS), budget=NO_GAMES, processes=1)
    assert unnoticed(result, "action take") == {
        "guard: `when points < 3` is left out",
        "comparison: `points < 3` becomes `points <= 3`",
        "number: `3` becomes `4`",
        "number: `3` becomes `2`",
    }
    by_scenario = {verdict.name for verdict in result.verdicts if verdict.outcome == "noticed"}
    assert by_scenario == {"two points for taking"}


def test_another_scenario_notices_more(tmp_path: Path) -> None:
    more = JARS + (
        'scenario "three are too many":\n'
        "    given points[A] = 3\n"
        "    expect A may not take\n"
        'scenario "the third point":\n'
        "    given points[A] = 2\n"
        "    expect A may take\n"
        'scenario "two turns":\n'
        "    A plays wait\n"
        "    expect game goes on\n"
        "    B plays wait\n"
        "    expect game ended\n"
    )
    result = check(rulebook(tmp_path, more), budget=NO_GAMES, processes=1)
    assert unnoticed(result, "action take") == set()
    # A is whoever begins, so who that is cannot be seen.
    assert unnoticed(result, "stage game") == {
        "who begins: `players[1]` becomes `left(players[1])`",
        "number: `1` becomes `2`",
    }


def test_what_does_not_check_does_not_count(tmp_path: Path) -> None:
    """Without an end or a decision the turns certainly go on for ever; there is no player 0 either."""
    book = rulebook(tmp_path, JARS)
    result = check(book, budget=NO_GAMES, processes=1)
    tried = zip(mutants(book), result.verdicts, strict=True)
    unfit = [mutant.words for mutant, verdict in tried if verdict.outcome == "unfit"]
    assert "statement: `if taken >= 2: end game` is left out" in unfit
    assert result.counted == len(result.verdicts) - len(unfit)
    assert result.noticed + len(result.survivors) == result.counted
    assert result.share == result.noticed / result.counted


LUCK = """\
rulebook luck "Luck":
    players 2
    result most points

var points[player]: 0..9 = 0

stage game:
    as players[1]:
        choose k in 1..2
        pick m at random from {1, 2, 3, 4}
        if m < 5: points := k

scenario "whatever chance says":
    A chooses 2
    expect points[A] = 2
"""


def test_chance_is_tried_under_several_seeds(tmp_path: Path) -> None:
    """With `m < 4` one outcome in four is seen to be wrong: surely by many seeds, seldom by one."""
    many = check(rulebook(tmp_path, LUCK), budget=Budget(seeds=16, games=0), processes=1)
    assert "number: `5` becomes `4`" not in unnoticed(many, "stage game")
    assert "comparison: `m < 5` becomes `m <= 5`" in unnoticed(many, "stage game")


WATCHED = JARS.partition("scenario")[0] + "property few: always taken <= 2\n"


def test_what_a_property_notices(tmp_path: Path) -> None:
    """Two are taken in each game; three break the property, and a game that goes on takes three."""
    book = rulebook(tmp_path, WATCHED)
    result = check(book, processes=1)
    assert verdict_of(result, "stage game", "number: `2` becomes `3`") == ("property", "few")
    assert verdict_of(result, "stage game", "comparison: `taken >= 2` becomes `taken > 2`") == ("property", "few")
    assert "condition: `points < 3` becomes `not points < 3`" in unnoticed(result, "action take")


def test_a_fault_in_play_is_noticed(tmp_path: Path) -> None:
    """`points -= 2` at nothing leaves the range; who cannot take and may not wait is stuck."""
    text = WATCHED.replace("action wait:", "action wait when points < 1:")
    result = check(rulebook(tmp_path, text), processes=1)
    assert verdict_of(result, "action take", "assignment: `points += 2` becomes `points -= 2`")[1] == "no_fault"
    assert verdict_of(result, "stage game", "statement: `taken += 1` is left out")[1] == "never_stuck"
    # Two turns are not enough for anybody to run out of moves.
    assert verdict_of(result, "stage game", "action: `take` is left out") == (None, "")
    assert verdict_of(result, "action take", "number: `3` becomes `2`") == (None, "")


ENDLESS = """\
rulebook endless "Endless":
    players 2
    result most points

var points[player]: 0..9 = 0
var n: 0.. = 0

stage game:
    as players[1]:
        choose k in 1..2
    repeat: n += 1
    until n >= 3
    points[players[1]] := k

scenario "three passes":
    A chooses 2
    expect n = 3 and points[A] = 2
"""


def test_a_loop_without_an_end_is_noticed(tmp_path: Path) -> None:
    """Counting down leaves the range; counting by nothing is a pass for nothing; both are faults in the scenario."""
    result = check(rulebook(tmp_path, ENDLESS), budget=Budget(games=0, steps=500), processes=1)
    noticed = ("scenario", "three passes")
    assert verdict_of(result, "stage game", "assignment: `n += 1` becomes `n -= 1`") == noticed
    assert verdict_of(result, "stage game", "number: `1` becomes `0`", line=11) == noticed
    assert verdict_of(result, "stage game", "number: `3` becomes `4`") == noticed
    # From 2 to 4 in one step: there are two passes, and n is 4.
    assert verdict_of(result, "stage game", "number: `1` becomes `2`", line=11) == noticed
    # A third choice takes nothing from the one that is made.
    assert verdict_of(result, "stage game", "number: `2` becomes `3`") == (None, "")


# ---------------------------------------------------------------- how it is done


def test_the_outcome_does_not_depend_on_the_processes(tmp_path: Path) -> None:
    book = rulebook(tmp_path, WATCHED + 'scenario "two":\n    A plays take\n    expect points[A] = 2\n')
    one = check(book, processes=1)
    two = check(book, processes=2)
    assert one.verdicts == two.verdicts == check(book, processes=1).verdicts
    assert len(one.verdicts) == len(mutants(book))


def test_a_share_of_the_mutants_gets_the_same_verdicts(tmp_path: Path) -> None:
    book = rulebook(tmp_path, WATCHED)
    every = check(book, processes=1).verdicts
    some = check(book, mutants(book)[::3], processes=1).verdicts
    assert some == every[::3]


def test_scenarios_that_fail_as_they_are_notice_nothing(tmp_path: Path) -> None:
    book = rulebook(tmp_path, JARS.replace("expect points[A] = 2", "expect points[A] = 3"))
    result = check(book, budget=NO_GAMES, processes=1)
    assert result.failing == ("two points for taking",)
    assert result.noticed == 0


def test_only_scenarios_that_come_there_are_asked(tmp_path: Path) -> None:
    more = JARS + 'scenario "waiting":\n    A plays wait\n    expect B decides\n'
    book = rulebook(tmp_path, more)
    reach = Mutation(book, NO_GAMES).reach
    take = book.checked.program.actions["take"]
    assert reach.titles(take, in_body=True) == ["two points for taking"]
    assert set(reach.titles(take, in_body=False)) == {"two points for taking", "waiting"}
    assert set(reach.titles(book.checked.program.vars["taken"], in_body=False)) == {"two points for taking", "waiting"}


def test_what_scenarios_reach_can_be_sent_to_another_process(tmp_path: Path) -> None:
    reach = Mutation(rulebook(tmp_path, JARS), NO_GAMES).reach
    assert pickle.loads(pickle.dumps(reach)) == reach  # noqa: S301 - made on the same line
