"""Decks that are read from a table beside the rulebook: what is fine, and what is said about what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.analysis import Checked, check_file
from egodsl.engine.game import load
from egodsl.source.diagnostics import Diagnostic
from tests.golden_files import GOLDEN, assert_golden, rendered

RULEBOOK = """rulebook quiz "Quiz":
    players 2
    result most seat(you)

enum Kind: group, number
card Question:
    kind: Kind
    worth: 1..6
    words: text
    note: text?
    hard: bool?
    written "{kind} {worth}: {words} {note}"

components questions of Question in pile from "cards.csv":
    total 4

zone pile: stack of Question, face down
zone shown: one Question, face up

stage game:
    shuffle pile
    move top(pile) to shown
    as players[1]: may "laugh": nothing
"""

GOOD = b"""\
kind,worth,words,note,hard,copies
group,2,Who?,,,1
number,1,How many?,all,true,0
number,3,How many?,all,true,3
"""

GOOD_TABLES = {
    "commas": GOOD,
    "byte order mark": b"\xef\xbb\xbf" + GOOD,
    "semicolons": GOOD.replace(b",", b";"),
    "tabs": GOOD.replace(b",", b"\t"),
    "lines of Windows": GOOD.replace(b"\n", b"\r\n"),
    "no last line end": GOOD.rstrip(),
    "quotation marks": b"""\
"kind";worth;"words";note;hard;copies
"group";2;"Who?";"";"";1
number;3;"How many?";"all";true;"3"
""",
    "what spreadsheets leave": b"""\
kind , worth,words,note,hard,copies,,

group,2,Who?,,,1,,
,,,,,,,
 number ,3, How many?,all,true,3,,
""",
    "columns in another order": b"""\
copies,hard,note,words,worth,kind
1,,,Who?,2,group
3,true,all,How many?,3,number
""",
    "no copies": b"kind,worth,words,note,hard\ngroup,2,Who?,,\n" + 3 * b"number,3,How many?,all,true\n",
}

BAD_TABLES = {
    "missing_column": b"kind,words\ngroup,Who?\n",
    "unknown_column": b"kind,worth,wrods\ngroup,2,Who?\n",
    "repeated_column": b"kind,worth,words,kind\ngroup,2,Who?,group\n",
    "column_without_a_name": b"kind,worth,words,\ngroup,2,Who?,and this\n",
    "unknown_value": b"kind,worth,words,copies\ngroup,2,Who?,1\ngrup,2,Who?,3\n",
    "not_a_value": b"kind,worth,words,copies\ngroup,2,Who?,1\nall of us,2,Who?,3\n",
    "number_out_of_range": b"kind,worth,words,copies\ngroup,2,Who?,1\nnumber,7,How many?,3\n",
    "wrong_type": b"kind,worth,words,copies\ngroup,2,Who?,1\nnumber,none,How many?,3\n",
    "wrong_count": b"kind,worth,words,copies\ngroup,2,Who?,1\nnumber,3,How many?,2\n",
    "negative_copies": b"kind,worth,words,copies\ngroup,2,Who?,5\nnumber,3,How many?,-1\n",
    "copies_in_words": b"kind,worth,words,copies\ngroup,2,Who?,three\nnumber,3,How many?,1\n",
    "copies_left_open": b"kind,worth,words,copies\ngroup,2,Who?,\nnumber,3,How many?,3\n",
    "field_left_open": b"kind,worth,words,copies\ngroup,2,,1\nnumber,3,How many?,3\n",
    "short_row": b"kind,worth,words,copies\ngroup,2,Who?,1\nnumber,3\n",
    "long_row": b"kind,worth,words,copies\ngroup,2,Who, me?,1\nnumber,3,How many?,3\n",
    "open_quotation": b'kind,worth,words,copies\ngroup,2,"Who?,1\nnumber,3,How many?,3\n',
    "words_after_quotation": b'kind,worth,words,copies\ngroup,2,"Who" me?,1\nnumber,3,How many?,3\n',
    "number_with_a_thousand_digits": b"kind,worth,words,copies\ngroup,2,Who?,1" + b"0" * 1000 + b"\n",
    "empty": b"",
    "no_rows": b"kind,worth,words,copies\n",
    "not_utf8": "kind,worth,words\ngroup,2,Hvem er først?\n".encode("latin-1"),
    "utf16": "kind,worth,words\ngroup,2,Who?\n".encode("utf-16"),
}


def look(folder: Path, table: bytes | None) -> tuple[Checked | None, list[Diagnostic]]:
    (folder / "quiz.rules").write_text(RULEBOOK)
    if table is not None:
        (folder / "cards.csv").write_bytes(table)
    return check_file(Path("quiz.rules"))


@pytest.mark.parametrize("table", GOOD_TABLES.values(), ids=GOOD_TABLES.keys())
def test_tables_that_are_fine(table: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, found = look(tmp_path, table)
    assert [str(one) for one in found if one.is_error] == []
    game = load("quiz.rules").game(players=2)
    (kind,) = game.layout.types
    assert kind.fields == {"kind": [0, 1, 1, 1], "worth": [2, 3, 3, 3], "hard": [None, True, True, True]}
    assert kind.texts == {"words": ["Who?", *["How many?"] * 3], "note": [None, *["all"] * 3]}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_tables_that_are_not(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, found = look(tmp_path, BAD_TABLES[name])
    errors = [one for one in found if one.is_error]
    # One mistake, one error, in the table itself; but a wrong sum is seen at the total.
    assert len(errors) == 1
    assert errors[0].span is not None
    assert errors[0].span.source.path == ("quiz.rules" if name == "wrong_count" else "cards.csv")
    assert_golden(GOLDEN / "tables" / f"{name}.txt", rendered(errors))


def test_a_table_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "card.csv").write_bytes(GOOD)
    _, found = look(tmp_path, None)
    assert_golden(GOLDEN / "tables" / "missing_file.txt", rendered(found))


def test_a_table_that_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cards.csv").mkdir()
    _, found = look(tmp_path, None)
    assert [one.code.number for one in found] == ["EGO217"]


def test_a_quoted_cell_may_hold_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = 'kind,worth,words,copies\ngroup,2,"Who says ""me"",\nand who not?",1\nnumber,3,"5"" or 6""?",3\n'
    checked, found = look(tmp_path, rows.encode())
    assert [str(one) for one in found if one.is_error] == []
    assert checked is not None
    (kind,) = load("quiz.rules").game(players=2).layout.types
    assert kind.texts["words"][0] == 'Who says "me",\nand who not?'
    assert kind.texts["words"][1:] == ['5" or 6"?'] * 3


def test_a_mistake_after_a_long_cell_has_its_own_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, found = look(tmp_path, b'kind;worth;words;copies\r\ngroup;2;"Who,\r\nand why?";1\r\nnumber;3;How many?;x\r\n')
    (error,) = (one for one in found if one.is_error)
    assert error.place == "cards.csv:4:20"


def test_tables_are_looked_for_like_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "games").mkdir()
    (tmp_path / "library" / "cards.csv").write_bytes(GOOD_TABLES["commas"])
    monkeypatch.chdir(tmp_path / "games")
    _, found = look(tmp_path / "games", None)
    assert [str(one) for one in found if one.is_error] == []


def test_a_variant_may_add_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    look(tmp_path, GOOD_TABLES["commas"])
    (tmp_path / "more.csv").write_text("worth;kind;words\n6;group;Who else?\n")
    more = 'variant more "More" of quiz\n\nextend components questions of Question from "more.csv":\n    total 5\n'
    (tmp_path / "more.rules").write_text(more)
    (kind,) = load("more.rules").game(players=2).layout.types
    assert kind.fields["worth"] == [2, 3, 3, 3, 6]


def test_the_digest_is_that_of_the_tables_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    look(tmp_path, GOOD_TABLES["commas"])
    before = load("quiz.rules").digest
    assert load("quiz.rules").digest == before
    look(tmp_path, GOOD_TABLES["commas"].replace(b"Who?", b"Why?"))
    assert load("quiz.rules").digest != before
