"""Advice for what authors write out of habit."""

from __future__ import annotations

import pytest

from egodsl.source.text import SourceText
from egodsl.syntax.parse import parse

HEAD = 'rulebook small "A small game":\n    players 2..4\n\n'

LINES = [
    ("// draws", "a comment begins with `#`"),
    ("Light a lamp from your hand.", "prose for those who play begins with `>`"),
    ("zone box: stack of Lamp, face donw", "did you mean `face down`?"),
    ("zone hand[player]: set of Lamp", "say who sees what lies there"),
    ("var tally = 0", "as in `var tally: 0..9 = …`"),
    ("card Lamp:\n    light: 1 to 5", "written `a..b`"),
    ("components lamps of Lamp in box:\n    5 * (light: 1)", "copies are written `5 x (…)`"),
    ('parameter rounds: 1..3 "Rounds"', '`= 3 "Rounds"`'),
    ('mode short: "A short game"', '`mode short "…"`'),
    ("action give(c: Lamp): nothing", "as in `c in hand`"),
    ("action fetch if empty(box): nothing", "written `when …`"),
    ("ability bright-spark on lit: nothing", "write `bright_spark`"),
    ("trigger spark on lit(c) when c.light = 1: nothing", "write `where`"),
]
STATEMENTS = [
    ("for each p in players: nothing", "write `for p`"),
    ("while x = 1: nothing", "a loop is written `repeat:`"),
    ("draw 3 from box", "`move 1 from deck to hand`"),
    ("for p in players: deal 3 to p", "`move 5 from deck to hand`"),
    ("if x = 1 then: nothing", "leave `then` out"),
    ("if x is 1: nothing", "write `=`"),
    ("repeat rounds: nothing", "write `repeat rounds times:`"),
    ("set x = 3", "as in `points := 3`"),
    ("move c into box", "write `to`"),
    ("pick first from players", "write `pick first at random from …`"),
    ("choose light_up or fetch", "`choose one of light_up, …`"),
    ("may fetch: nothing", '`may "fetch"`'),
]


@pytest.mark.parametrize(
    ("text", "advice"), [*LINES, *((f"stage game:\n    {line}", said) for line, said in STATEMENTS)]
)
def test_a_habit_is_one_error_with_the_way_to_write_it(text: str, advice: str) -> None:
    (found,) = parse(SourceText("small.rules", f"{HEAD}{text}\n")).diagnostics
    assert found.help is not None
    assert advice in found.help


@pytest.mark.parametrize(
    ("line", "advice"), [("result max points", "write `most`"), ("result points", "say which is best")]
)
def test_a_result_says_which_is_best(line: str, advice: str) -> None:
    (found,) = parse(SourceText("small.rules", f'rulebook small "Small":\n    players 2..4\n    {line}\n')).diagnostics
    assert advice in str(found.help)


@pytest.mark.parametrize("line", ["choose one of draw trade", "choose one of draw, put for"])
def test_words_that_authors_may_use_as_names_get_no_such_advice(line: str) -> None:
    (found,) = parse(SourceText("small.rules", f"{HEAD}stage game:\n    {line}\n")).diagnostics
    assert "move" not in str(found.help)
