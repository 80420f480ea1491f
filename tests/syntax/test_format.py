"""The formatter on small rulebooks whose layout was written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.source.text import SourceText
from egodsl.syntax import format as formatter
from egodsl.syntax.format import format_text, same_but_for_layout
from egodsl.syntax.parse import parse
from tests.syntax.format_helpers import comment_texts, formatted, module_of

GOLDEN = Path(__file__).parent.parent / "golden" / "format"
NAMES = sorted(path.name.removesuffix(".in.rules") for path in GOLDEN.glob("*.in.rules"))


def test_there_are_golden_examples() -> None:
    assert NAMES == ["comments", "prose", "spacing", "wide"]


@pytest.mark.parametrize("name", NAMES)
def test_golden_example(name: str) -> None:
    assert formatted((GOLDEN / f"{name}.in.rules").read_text()) == (GOLDEN / f"{name}.out.rules").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_golden_layout_is_left_alone(name: str) -> None:
    text = (GOLDEN / f"{name}.out.rules").read_text()
    result = format_text(SourceText(name, text))
    assert (result.text, result.changed, result.diagnostics) == (text, False, ())


@pytest.mark.parametrize("name", NAMES)
def test_golden_example_keeps_its_comments_in_order(name: str) -> None:
    text = (GOLDEN / f"{name}.in.rules").read_text()
    assert comment_texts(formatted(text)) == comment_texts(text)


def test_a_file_with_errors_is_left_alone() -> None:
    text = 'rulebook r "R":\n  players 2\nstage game:\n  move deck\n'
    source = SourceText("r.rules", text)
    result = format_text(source)
    assert (result.text, result.changed) == (text, False)
    assert [str(found) for found in result.diagnostics] == [str(found) for found in parse(source).diagnostics]
    assert any(found.is_error for found in result.diagnostics)


def test_a_layout_that_says_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'library r "R"\nmode a   "A"\n'
    # The formatter would have to be wrong for this, so its layout is put for another.
    for wrong in ('library r "R"\nmode b "A"\n', 'library r "R"\n# more\nmode a "A"\n', "library\n", None):
        monkeypatch.setattr(formatter, "_laid_out", lambda *_, wrong=wrong: wrong)
        result = format_text(SourceText("r.rules", text))
        assert (result.text, result.changed) == (text, False)
        assert [found.code.number for found in result.diagnostics] == ["EGO950"]


def test_trees_differ_by_more_than_layout() -> None:
    beside = module_of('library r "R"\nstage a: end a\n')
    below = module_of('library r "R"\n\nstage a:\n    end a\n')
    other = module_of('library r "R"\nstage a: end b\n')
    longer = module_of('library r "R"\nstage a:\n    end a\n    end a\n')
    assert same_but_for_layout(beside, below)
    assert not same_but_for_layout(beside, other)
    assert not same_but_for_layout(beside, longer)


def test_tabs_become_spaces() -> None:
    assert formatted('library r "R"\nstage a:\n\trepeat:\n\t\tend a\n\t# deep\n') == (
        'library r "R"\n\nstage a:\n    repeat:\n        end a\n    # deep\n'
    )


def test_a_missing_line_end_is_added() -> None:
    assert formatted('library r "R"  # no end') == 'library r "R"  # no end\n'


def test_prose_may_end_in_a_sign_that_continues_other_lines() -> None:
    text = 'library r "R"\n\n> First this,\n> then =\n> and at last\n> by itself.\nmode a "A"\n'
    assert formatted(text) == text


def test_strings_and_prose_are_not_touched() -> None:
    text = 'library r "a  #  b"\n\n> a  #  b   >c\nmode a "say \\"a\\\\b\\" :="\n'
    assert formatted(text) == text


def test_one_line_declarations_keep_their_grouping() -> None:
    text = 'library r "R"\n\nmode a "A"\nevent e\n\nmode b "B"\n\nmode c "C"\nmode d "D"\n'
    assert formatted(text) == text


def test_a_body_beside_its_header_stays_there_exactly_if_it_fits() -> None:
    head, body = "stage a: as players[1]: ", "move " + "x" * 86 + " to b"
    fits = f'library r "R"\n\n{head}{body}{"y" * (120 - len(head) - len(body))}\n'
    assert formatted(fits) == fits
    too_wide = fits[:-1] + "z\n"
    assert formatted(too_wide) == too_wide.replace("[1]: ", "[1]:\n    ")


def test_the_author_of_a_trailing_comment_may_use_any_width() -> None:
    text = 'library r "R"\n\nmode a "A"  # ' + "long " * 30 + "end\n"
    assert formatted(text) == text


def test_brackets_as_deep_as_the_grammar_allows() -> None:
    text = 'library r "R"\n\ndefine d = ' + "[" * 64 + "]" * 64 + "\n"
    once = formatted(text)
    assert "".join(once.split()) == "".join(text.split())
    assert formatted(once) == once


def test_an_expression_nested_without_end_is_refused() -> None:
    text = 'library r "R"\ndefine  d = ' + "not " * 20_000 + "true\n"
    result = format_text(SourceText("r.rules", text))
    assert (result.text, result.changed) == (text, False)
    assert [found.code.number for found in result.diagnostics] == ["EGO113"]
