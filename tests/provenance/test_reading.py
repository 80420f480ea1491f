from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from egodsl.provenance import Entry, Kind, SourceIndex, load_index
from egodsl.provenance.lines import read_lines
from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.resources import grammar_text
from egodsl.source.text import SourceText

HEAD = 'source game "The Game"\n'


def load(tmp_path: Path, text: str | bytes, name: str = "game") -> tuple[SourceIndex | None, list[Diagnostic]]:
    path = tmp_path / f"{name}.source"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_index(path)


def good(tmp_path: Path, text: str | bytes, name: str = "game") -> SourceIndex:
    index, found = load(tmp_path, text, name)
    assert [str(one) for one in found] == []
    assert index is not None
    return index


def bad(tmp_path: Path, text: str, name: str = "game") -> list[tuple[str, int, int, str]]:
    index, found = load(tmp_path, text, name)
    assert index is None
    assert all(one.help for one in found)
    return [(one.code.number, one.span.line, one.span.column, one.message) for one in found if one.span is not None]


def test_every_form_of_a_line(tmp_path: Path) -> None:
    index = good(
        tmp_path,
        "# above\n\n"
        'source game "The Game"  # beside the head\n'
        "GM-01 rule: Hold #5 cards: no more.  \n"
        "   \n"
        "GM-02 example [0123456789ab]: Like this.\n"
        "  GMr1-01 rule same as GM-01\n"
        "GMr1-02 example same  as GM-02 [0123456789ab] : Only shorter.\n"
        "GM3 flavour: Once upon a time.\n"
        "# below",
    )
    assert (index.name, index.title, index.base) == ("game", "The Game", None)
    facts = [(e.id, e.kind, e.paraphrase, e.same_as, e.fingerprint) for e in index.entries.values()]
    assert facts == [
        ("GM-01", Kind.RULE, "Hold #5 cards: no more.", None, None),
        ("GM-02", Kind.EXAMPLE, "Like this.", None, "0123456789ab"),
        ("GMr1-01", Kind.RULE, "", "GM-01", None),
        ("GMr1-02", Kind.EXAMPLE, "Only shorter.", "GM-02", "0123456789ab"),
        ("GM3", Kind.FLAVOUR, "Once upon a time.", None, None),
    ]
    first: Entry = index.entries["GM-01"]
    assert first.span.text == "GM-01 rule: Hold #5 cards: no more."
    assert first.id_span.text == "GM-01"
    assert (first.span.line, first.span.column) == (4, 1)
    assert index.entries["GMr1-01"].span.column == 3


def test_all_kinds(tmp_path: Path) -> None:
    kinds = ["rule", "example", "definition", "conduct", "flavour", "question"]
    index = good(tmp_path, HEAD + "".join(f"GM-{n} {kind}: x\n" for n, kind in enumerate(kinds)))
    assert [str(entry.kind) for entry in index.entries.values()] == kinds


def test_any_white_space_parts_words(tmp_path: Path) -> None:
    index = good(
        tmp_path, HEAD + "GM-01\u00a0rule:\u00a0One.\nGM-02\trule\fsame\u00a0as GM-01\n\u00a0\nGM-03 rule: Three.\n"
    )
    assert [(e.id, e.paraphrase, e.same_as) for e in index.entries.values()] == [
        ("GM-01", "One.", None),
        ("GM-02", "", "GM-01"),
        ("GM-03", "Three.", None),
    ]


def test_mark_windows_line_ends_and_no_final_newline_are_fine(tmp_path: Path) -> None:
    index = good(tmp_path, b'\xef\xbb\xbfsource game "The Game"\r\nGM-01 rule: One.\r\nGM-02 rule same as GM-01')
    assert index.entries["GM-01"].paraphrase == "One."
    assert index.resolve("GM-02").id == "GM-01"


def test_same_as_leads_to_the_words(tmp_path: Path) -> None:
    index = good(tmp_path, HEAD + "GM-3 rule same as GM-2: But late.\nGM-2 rule same as GM-1\nGM-1 rule: Hold five.\n")
    assert index.resolve("GM-3") is index.entries["GM-1"]
    assert index.paraphrase("GM-3") == "Hold five. But late."
    assert index.paraphrase("GM-2") == "Hold five."
    with pytest.raises(KeyError):
        index.resolve("GM-4")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("GM-01 rule\n", (2, 11, "the line ends where a colon and the sentence in other words belongs")),
        ("GM-01 rule", (2, 11, "the line ends where a colon and the sentence in other words belongs")),
        ("GM-01\n", (2, 6, "the line ends where the kind of the sentence belongs")),
        ("GM-01: x\n", (2, 6, "`:` stands where the kind of the sentence belongs")),
        ("GM-01 rule:  \n", (2, 11, "nothing stands after the colon")),
        ("GM-01 rule [0123456789ab]\n", (2, 26, "the line ends where a colon and the sentence in other words belongs")),
        ("GM-01 same as GM-02\n", (2, 7, "`same` stands where the kind of the sentence belongs")),
        ("GM-01 rule same as\n", (2, 19, "the line ends where the id of a sentence, such as `EW-05` belongs")),
        ("GM-01 rule same as it\n", (2, 20, "`it` stands where the id of a sentence, such as `EW-05` belongs")),
        ("Gm rule: x\n", (2, 1, "`Gm` stands where the id of a sentence, such as `EW-05` belongs")),
        ("gm-01 rule: x\n", (2, 1, "`gm-01` stands where the id of a sentence, such as `EW-05` belongs")),
        ("GM-01 Rule: x\n", (2, 7, "`Rule` stands where the kind of the sentence belongs")),
        ("?\n", (2, 1, "`?` stands where the id of a sentence, such as `EW-05` belongs")),
    ],
)
def test_a_line_that_does_not_read(tmp_path: Path, lines: str, expected: tuple[int, int, str]) -> None:
    assert bad(tmp_path, HEAD + lines) == [("EGO602", *expected)]


@pytest.mark.parametrize(
    ("head", "column", "message"),
    [
        ("source game", 12, "the line ends where a title in quotation marks belongs"),
        ('source game "The Game', 13, '`"` stands where a title in quotation marks belongs'),
        ('source Game "The Game"', 8, "`Game` stands where a name in small letters belongs"),
        ('source game "The Game" of chess', 24, "`of` stands where the end of the line or `adds to` belongs"),
        ('source game "The Game" adds chess', 29, "`chess` stands where `to` and the name of an index belongs"),
        ('source game "The Game" adds to', 31, "the line ends where a name in small letters belongs"),
    ],
)
def test_a_head_that_does_not_read_is_one_mistake(tmp_path: Path, head: str, column: int, message: str) -> None:
    # Neither the missing head nor the sentence of an unknown base is reported on top of it.
    assert bad(tmp_path, f"{head}\nGM-01 rule same as CH-01\n") == [("EGO602", 1, column, message)]


def test_several_mistakes_in_one_run(tmp_path: Path) -> None:
    text = HEAD + (
        "GM-01 rule: One.\n"
        "GM-02 rule One.\n"
        "GM-03 rulr: One.\n"
        "GM-01 rule: Again.\n"
        "GM-05 rule [xyz]: One.\n"
        "GM-06 rule same as GM-02\n"
        "GM-07 rule same as GN-01\n"
        "? ?\n"
        "GM-08 rule same as GM-09\n"
        "GM-09 rule same as GM-08\n"
    )
    assert bad(tmp_path, text) == [
        ("EGO602", 3, 12, "`One` stands where a colon and the sentence in other words belongs"),
        ("EGO605", 4, 7, "there is no kind `rulr`"),
        ("EGO604", 5, 1, "the id `GM-01` is given twice"),
        ("EGO608", 6, 12, "`[xyz]` is no fingerprint"),
        # GM-06 is the same as a line that could not be read: that is one mistake, and reported above.
        ("EGO606", 8, 20, "`GM-07` is the same as `GN-01`, which is not there"),
        ("EGO602", 9, 1, "`?` stands where the id of a sentence, such as `EW-05` belongs"),
        ("EGO607", 10, 20, "sentences are the same in a circle: `GM-08` as `GM-09` as `GM-08`"),
    ]


def test_suggestions_and_second_places(tmp_path: Path) -> None:
    _, found = load(tmp_path, HEAD + "GM-01 rulr: One.\nGM-02 rule same as GN-01\nGM-01 rule: Again.\n")
    assert [one.help for one in found] == [
        "did you mean `rule`?",
        "did you mean `GM-01`?",
        "give each sentence an id of its own",
    ]
    assert [(label.span.line, label.span.text) for label in found[2].labels] == [(2, "GM-01")]


@pytest.mark.parametrize("digits", ["0123456789a", "0123456789abc", "0123456789aB", "0123456789ag", ""])
def test_a_fingerprint_has_twelve_small_hexadecimal_digits(tmp_path: Path, digits: str) -> None:
    assert [code for code, *_ in bad(tmp_path, f"{HEAD}GM-01 rule [{digits}]: x\n")] == ["EGO608"]


def test_a_sentence_that_is_the_same_as_itself(tmp_path: Path) -> None:
    assert bad(tmp_path, HEAD + "GM-02 rule same as GM-01\nGM-01 rule same as GM-01\n") == [
        ("EGO607", 3, 20, "sentences are the same in a circle: `GM-01` as `GM-01`")
    ]


def test_a_long_circle_is_shown_in_part(tmp_path: Path) -> None:
    circle = "".join(f"GM-{n} rule same as GM-{n % 1000 + 1}\n" for n in range(1, 1001))
    shown = " as ".join(f"`GM-{n}`" for n in range(1, 9))
    assert bad(tmp_path, HEAD + circle) == [
        ("EGO607", 2, 19, f"sentences are the same in a circle: {shown} as … as `GM-1`")
    ]


def test_two_thousand_unknown_sentences_are_reported_at_once(tmp_path: Path) -> None:
    started = time.process_time()
    found = bad(tmp_path, HEAD + "".join(f"GM-{n} rule same as GN-{n}\n" for n in range(2000)))
    # Comparing each with all would take close to a minute.
    assert time.process_time() - started < 10
    assert len(found) == 2000


def test_heads(tmp_path: Path) -> None:
    assert bad(tmp_path, "GM-01 rule: x\n") == [("EGO603", 1, 1, "the file does not begin with its head")]
    assert bad(tmp_path, "# only this\n") == [("EGO603", 1, 1, "the file does not begin with its head")]
    assert bad(tmp_path, "GM-01 rule: x\n" + HEAD) == [("EGO603", 2, 1, "the head stands below a sentence")]
    assert bad(tmp_path, HEAD + "GM-01 rule: x\n" + HEAD) == [("EGO603", 3, 1, "a second head, of `game`")]
    assert bad(tmp_path, HEAD) == [("EGO610", 1, 1, "the index `game` has no sentences")]


def test_a_name_unlike_the_files_is_a_warning(tmp_path: Path) -> None:
    index, found = load(tmp_path, HEAD + "GM-01 rule: x\n", "gane")
    assert index is not None
    assert [str(one.severity) + one.code.number for one in found] == ["warningEGO611"]
    assert found[0].message == "the index calls itself `game`, its file `gane`"


def test_files_that_hold_no_text(tmp_path: Path) -> None:
    for data, code in [(b"", "EGO003"), (b" \n\n", "EGO003"), (b"\xff\xfea", "EGO001"), (b"source\0", "EGO002")]:
        index, found = load(tmp_path, data)
        assert index is None
        assert [one.code.number for one in found] == [code]
    with pytest.raises(FileNotFoundError):
        load_index(tmp_path / "nowhere.source")


def test_an_index_takes_in_the_one_that_it_adds_to(tmp_path: Path) -> None:
    base = good(tmp_path, 'source base "Base"\nB-2 rule: Two.\nB-1 rule: One.\n', "base")
    text = 'source more "More" adds to base\nM-1 rule same as B-1: And again.\nM-2 rule: Three.\n'
    more = good(tmp_path, text, "more")
    assert list(more.entries) == ["B-2", "B-1", "M-1", "M-2"]
    assert [entry.id for entry in more.own()] == ["M-1", "M-2"]
    assert (more.name, more.base) == ("more", "base")
    assert more.paraphrase("M-1") == "One. And again."
    assert "B-2" in more
    assert "M-3" not in more
    assert list(more.extends(base).entries) == ["B-2", "B-1", "M-1", "M-2"]


def test_extending_puts_the_base_first_and_keeps_both(tmp_path: Path) -> None:
    base = good(tmp_path, 'source base "Base"\nB-1 rule: One.\nB-2 rule: Two.\n', "base")
    other = good(tmp_path, 'source other "Other"\nO-1 rule: Three.\nB-2 rule: Other.\n', "other")
    both = other.extends(base)
    assert list(both.entries) == ["B-1", "B-2", "O-1"]
    assert both.paraphrase("B-2") == "Other."
    assert (both.name, both.base) == ("other", "base")
    assert (list(other.entries), list(base.entries)) == (["O-1", "B-2"], ["B-1", "B-2"])


def test_bases_that_cannot_be_taken_in(tmp_path: Path) -> None:
    sentence = "M-1 rule same as B-1\n"
    head = 'source more "More" adds to '
    good(tmp_path, 'source base "Base"\nB-1 rule: One.\n', "base")
    assert bad(tmp_path, f"{head}bass\n{sentence}", "more") == [("EGO609", 1, 28, "there is no index `bass` to add to")]
    assert bad(tmp_path, f"{head}more\n{sentence}", "more") == [
        ("EGO609", 1, 28, "the index adds to itself: `more` to `more`")
    ]
    assert bad(tmp_path, f"{head}base\n{sentence}B-1 rule: Again.\n", "more") == [
        ("EGO604", 3, 1, "the id `B-1` is given twice")
    ]
    (tmp_path / "base.source").write_text('source base "Base" adds to more\nB-1 rule: One.\n')
    index, found = load(tmp_path, f"{head}base\n{sentence}", "more")
    assert index is None
    assert [(Path(one.place.split(":")[0]).name, one.message) for one in found] == [
        ("base.source", "the index adds to itself: `more` to `base` to `more`")
    ]


def test_a_mistake_in_the_base_is_told_once_and_at_its_place(tmp_path: Path) -> None:
    load(tmp_path, 'source base "Base"\nB-1 rul: One.\nB-2 rule same as B-2\n', "base")
    index, found = load(tmp_path, 'source more "More" adds to base\nM-1 rule same as B-1\n', "more")
    assert index is None
    assert [(one.code.number, one.span.line) for one in found if one.span] == [("EGO605", 2), ("EGO607", 3)]


def test_a_file_of_something_else_is_given_up(tmp_path: Path) -> None:
    _, found = load(tmp_path, "what is this\n" * 50_000)
    assert len([one for one in found if one.code.number == "EGO602"]) == 20
    assert found[-1].notes == ("reading stopped here: too many lines of this file do not read",)


@given(st.text(alphabet='GM-01 rule:same as[]"#\n\t source adds to x', max_size=80))
def test_any_text_gives_an_index_or_errors_that_can_be_mended(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.source"
    path.write_text(text)
    index, found = load_index(path)
    assert (index is None) == any(one.is_error for one in found)
    assert all(one.help and one.span for one in found)


def lark_reads(text: str) -> list[list[str]] | None:
    # The grammar as Lark itself reads it: an independent implementation of what `lines.py` does with its table.
    try:
        tree = lark_parser().parse(text)
    except UnexpectedInput:
        return None
    return [[str(token) for token in line.children if isinstance(token, Token)] for line in trees(tree)]


@cache
def lark_parser() -> Lark:
    return Lark(grammar_text("source.lark"), start="index", parser="lalr", lexer="contextual", maybe_placeholders=False)


def trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [line for line in tree.children if isinstance(line, Tree)]


PIECES = [
    "source",
    "game",
    '"T"',
    "adds",
    "to",
    "GM-1",
    "GM2",
    "rule",
    "same as",
    ": x",
    ": y #",
    "[0]",
    "\n",
    "# c",
    "?",
]


@given(st.lists(st.sampled_from([*PIECES, "\n", "\nGM-1 rule: x\n", "\n\n", "\nGM-1 rule same as"])))
def test_lines_are_read_as_lark_reads_the_grammar(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = Diagnostics()
    lines = read_lines(SourceText("game.source", text), found)
    expected = lark_reads(text)
    assert (expected is None) == found.has_errors
    if expected is not None:
        read = sorted([*lines.heads, *lines.entries], key=lambda line: line[0].start)
        assert [[token.text for token in line] for line in read] == expected
        assert all(text[token.start : token.end] == token.text for line in read for token in line)


@given(
    st.lists(st.sampled_from(["GM-1 rule: x", "GM-1", "# c", "", "GM-1 rule same as GM-2 [0]", "?", 'source a "A"']))
)
def test_a_bad_line_hides_no_other(rows: list[str]) -> None:
    found = Diagnostics()
    lines = read_lines(SourceText("game.source", "\n".join(rows)), found)
    good_rows = [row for row in rows if row not in ("GM-1", "?")]
    assert len(lines.entries) == len([row for row in good_rows if row.startswith("GM")])
    assert len(lines.heads) == len([row for row in good_rows if row.startswith("source")])
    wrong = [number for number, row in enumerate(rows, 1) if row in ("GM-1", "?")]
    assert [one.span.line for one in found if one.span] == wrong
