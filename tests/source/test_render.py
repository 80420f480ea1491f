"""The renderers, against text written by hand."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest

from egodsl.source.codes.table import CODES
from egodsl.source.diagnostics import Diagnostic, Label, Severity
from egodsl.source.render import LINE_WIDTH, render_concise, render_full, summary, to_json
from egodsl.source.span import Span
from egodsl.source.text import SourceText

CODE = CODES["EGO101"]


def spot(source: SourceText, words: str) -> Span:
    start = source.text.index(words)
    return Span(source, start, start + len(words))


def rendered(text: str, words: str, message: str = "wrong") -> str:
    source = SourceText("a.rules", text)
    return render_full(Diagnostic(CODE, message, spot(source, words)))


def golden(text: str) -> str:
    return dedent(text).strip("\n")


def test_one_place_and_help() -> None:
    source = SourceText("game.rules", "stage game:\n    move hnad to deck\n")
    diagnostic = Diagnostic(CODE, "unknown name `hnad`", spot(source, "hnad"), help="did you mean `hand`?")
    assert render_full(diagnostic) == golden("""
        error[EGO101]: unknown name `hnad`
         --> game.rules:2:10
          |
        2 |     move hnad to deck
          |          ^^^^
          = help: did you mean `hand`?
    """)
    assert render_concise(diagnostic) == "game.rules:2:10: error[EGO101] unknown name `hnad`"


def test_labels_in_two_files_and_lines_left_out() -> None:
    one = SourceText("one.rules", "zone hand: x\n" + "\n" * 8 + "zone hand: y\n")
    two = SourceText("two.rules", "use one\n")
    diagnostic = Diagnostic(
        CODE,
        "`hand` is declared twice",
        Span(one, one.text.rindex("hand"), one.text.rindex("hand") + 4),
        Severity.WARNING,
        (Label(spot(one, "hand"), "first here"), Label(spot(one, "zone"), "a zone"), Label(spot(two, "one"), "used")),
        "give one another name",
        ("names are shared by zones\nand variables",),
    )
    assert render_full(diagnostic) == golden("""
        warning[EGO101]: `hand` is declared twice
          --> one.rules:10:6
           |
         1 | zone hand: x
           |      ---- first here
           | ---- a zone
        ...
        10 | zone hand: y
           |      ^^^^
          ::: two.rules:1:5
           |
         1 | use one
           |     --- used
           = help: give one another name
           = note: names are shared by zones
                   and variables
    """)


def test_tabs_and_wide_characters_keep_the_caret_below_its_word() -> None:
    # A tab goes to the next multiple of four; each of 猫犬 takes two columns; the combining accent takes none.
    # So: 4 for the tab, 4 for the two wide characters, " éx" takes 3 and ends at column 11, the tab 1: hnad is at 12.
    lines = rendered("\t猫犬 e\u0301x\thnad\n", "hnad").splitlines()
    assert lines[3] == "1 |     猫犬 e\u0301x hnad"
    assert lines[4] == "  |             ^^^^"


def test_wide_word_is_underlined_over_its_whole_width() -> None:
    assert rendered("a 猫犬 b\n", "猫犬") == golden("""
        error[EGO101]: wrong
         --> a.rules:1:3
          |
        1 | a 猫犬 b
          |   ^^^^
    """)


def test_a_point_at_the_end_of_a_line_and_of_the_text() -> None:
    source = SourceText("a.rules", "stage game\n    x")
    assert render_full(Diagnostic(CODE, "a colon is missing", Span(source, 10, 10))) == golden("""
        error[EGO101]: a colon is missing
         --> a.rules:1:11
          |
        1 | stage game
          |           ^
    """)
    assert render_full(Diagnostic(CODE, "more is missing", Span(source, 16, 16))) == golden("""
        error[EGO101]: more is missing
         --> a.rules:2:6
          |
        2 |     x
          |      ^
    """)


def test_several_lines_show_the_first_and_the_last() -> None:
    text = "a\nrepeat:\n    one\n    two\n    three\nb\n"
    assert rendered(text, "repeat:\n    one\n    two\n    three\n") == golden("""
        error[EGO101]: wrong
         --> a.rules:2:1
          |
        2 | repeat:
          | ^^^^^^^
        ...
        5 |     three
          |     ^^^^^
    """)


def test_two_neighbouring_lines() -> None:
    assert rendered("(a,\n  b) c\n", "(a,\n  b)") == golden("""
        error[EGO101]: wrong
         --> a.rules:1:1
          |
        1 | (a,
          | ^^^
        2 |   b) c
          |   ^^
    """)


def test_a_long_line_is_clipped_round_the_place() -> None:
    lines = rendered("x" * 500 + "HERE" + "y" * 500, "HERE").splitlines()
    assert lines[1] == " --> a.rules:1:501"
    shown, under = lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")
    assert shown == "…" + "x" * 40 + "HERE" + "y" * (LINE_WIDTH - 44) + "…"
    assert under == " " * 41 + "^^^^"


def test_two_places_far_apart_on_one_long_line_are_both_shown() -> None:
    source = SourceText("a.rules", "ONE" + "x" * 1000 + "TWO")
    diagnostic = Diagnostic(CODE, "wrong", spot(source, "TWO"), labels=(Label(spot(source, "ONE"), "see"),))
    assert render_full(diagnostic).splitlines()[3:] == [
        "1 | …" + "x" * (LINE_WIDTH - 3) + "TWO",
        "  | " + " " * (LINE_WIDTH - 2) + "^^^",
        "1 | ONE" + "x" * (LINE_WIDTH - 3) + "…",
        "  | --- see",
    ]


def test_an_underline_stops_where_a_clipped_line_does() -> None:
    lines = rendered("a " + "b" * 300, "b" * 300).splitlines()
    assert lines[4] == "  |   " + "^" * (LINE_WIDTH - 2)


def test_control_characters_never_reach_the_screen() -> None:
    text = rendered("a \x1b[31m\u202e bad\n", "bad", "odd \x1b]0;\x07 words\nhere")
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.splitlines()[0] == "error[EGO101]: odd \ufffd]0;\ufffd words here"
    assert text.splitlines()[3] == "1 | a \ufffd[31m\ufffd bad"


def test_without_text_or_place() -> None:
    nothing = SourceText("empty.rules", "")
    assert render_full(Diagnostic(CODE, "the file is empty", Span(nothing, 0, 0), help="write some")) == golden("""
        error[EGO101]: the file is empty
         --> empty.rules
          = help: write some
    """)
    assert render_concise(Diagnostic(CODE, "the file is empty", Span(nothing, 0, 0))) == (
        "empty.rules: error[EGO101] the file is empty"
    )
    assert render_full(Diagnostic(CODE, "no file", help="name one")) == golden("""
        error[EGO101]: no file
          = help: name one
    """)
    assert render_concise(Diagnostic(CODE, "no file")) == "error[EGO101] no file"


def test_color_only_adds_codes() -> None:
    source = SourceText("a.rules", "hnad\n")
    diagnostic = Diagnostic(CODE, "wrong", spot(source, "hnad"))
    assert render_full(diagnostic, color=True) == (
        "\x1b[1;31merror[EGO101]\x1b[0m\x1b[1m: wrong\x1b[0m\n"
        " \x1b[1;34m-->\x1b[0m a.rules:1:1\n"
        "\x1b[1;34m  |\x1b[0m\n"
        "\x1b[1;34m1 |\x1b[0m hnad\n"
        "\x1b[1;34m  |\x1b[0m \x1b[1;31m^^^^\x1b[0m"
    )


def test_json_has_every_field() -> None:
    source = SourceText("a.rules", "one\ntwo three\n")
    label = Label(spot(source, "one"), "here")
    diagnostic = Diagnostic(CODE, "wrong", spot(source, "three"), Severity.NOTE, (label,), "mend", ("fact",))
    assert json.loads(json.dumps(to_json(diagnostic))) == {
        "code": "EGO101",
        "name": "unexpected-word",
        "severity": "note",
        "message": "wrong",
        "span": {"file": "a.rules", "start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 10}},
        "labels": [
            {
                "message": "here",
                "span": {"file": "a.rules", "start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 4}},
            }
        ],
        "help": "mend",
        "notes": ["fact"],
    }
    assert to_json(Diagnostic(CODE, "no file"))["span"] is None


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ([], "no problems"),
        (["note"], "no problems"),
        (["error"], "1 error"),
        (["warning", "error", "warning", "error"], "2 errors, 2 warnings"),
        (["warning"], "1 warning"),
    ],
)
def test_summary(severities: list[str], expected: str) -> None:
    assert summary(Diagnostic(CODE, "m", severity=Severity(severity)) for severity in severities) == expected
