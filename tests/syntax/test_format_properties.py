"""What holds of the printer and the formatter for all rulebooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n
from egodsl.syntax.format import format_text, same_but_for_layout
from egodsl.syntax.parse import parse
from egodsl.syntax.printer import print_expression, print_module, print_statement
from egodsl.syntax.printer_docs import WIDTH
from tests.strategies.trees import expressions, modules, statements, without_groups
from tests.syntax.format_helpers import comment_texts, formatted, module_of

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

HEAD = 'library l "L"\n\n'

RULEBOOK = """\
> The one with most tricks wins.
rulebook sample "A sample":
    players 2..4 in 2 teams
    result most tricks, at random

enum Suit: sun "S", moon "M", star "T"
components cards of Card in deck:
    | copies | suit | note |
    | 2 | sun | "high" |
    | 1 | moon | "low" |
    total 3
zone hand[player]: set of Card, owner only
var lead[player, Suit]: 0..20 = 0 during round, face up
define follows(c: Card, led: Suit) =
    c.suit = led
    or all(d.suit != led for d in hand where d != c)
    and count(hand) > 1
define worth(c: Card):
    10 if c.suit = sun
    1 otherwise
stage round(first: player):
    > Everybody plays a card.
    turns from first where count(hand) > 0:
        choose c in hand
            where follows(c, led)
            where c != top(pile) if able
        otherwise: end round
        move c to pile as laid
    repeat:
        may "look" with z in {a, b,
                              c}:
            look at z
        otherwise:
            if (a,
                b) = c: nothing
            otherwise if d: nothing
            otherwise: return
    until [e, f,
           g] = []
trigger done for p in players during round whenever lead[p] = 20: end round
reading which "Which one?":
    first "The first" default
    > As in the second printing.
    second "The second"
scenario "a round":
    players 2
    given hand[A] = {Card(sun, 1),
        Card(moon, 2)}
    A plays lay(Card(sun, 1))
    expect A sees hand[A]
"""


@quick
@given(modules())
def test_what_is_printed_reads_as_the_same_tree(module: n.Module) -> None:
    assert same_but_for_layout(module_of(print_module(module)), module)


@quick
@given(modules())
def test_parentheses_that_are_needed_are_added(module: n.Module) -> None:
    bare = without_groups(module)
    assert same_but_for_layout(without_groups(module_of(print_module(bare))), bare)


@quick
@given(expressions())
def test_no_parentheses_are_added_that_are_not_needed(expr: n.Expr) -> None:
    bare = without_groups(expr)
    head = f"{HEAD}define d = "
    text = print_expression(bare)
    for group in (node for node in n.walk(_value(f"{head}{text}\n")) if isinstance(node, n.Group)):
        left, right = group.span.start - len(head), group.span.end - len(head) - 1
        assert (text[left], text[right]) == ("(", ")")
        fewer = f"{text[:left]} {text[left + 1 : right]} {text[right + 1 :]}"
        parsed = parse(SourceText("fewer.rules", f"{head}{fewer}\n"))
        assert parsed.partial or not same_but_for_layout(without_groups(_value(f"{head}{fewer}\n")), bare)


def _value(text: str) -> n.Expr:
    [item] = module_of(text).items
    assert isinstance(item, n.DefineDecl)
    assert item.value is not None
    return item.value


@quick
@given(statements())
def test_a_statement_reads_as_the_same_tree(statement: n.Statement) -> None:
    lines = print_statement(statement).splitlines()
    [item] = module_of(HEAD + "stage s:\n" + "".join(f"    {line}\n" for line in lines)).items
    assert isinstance(item, n.StageDecl)
    [read] = item.body.statements
    assert same_but_for_layout(read, statement)


@quick
@given(modules())
def test_formatting_what_is_formatted_changes_nothing(module: n.Module) -> None:
    once = formatted(print_module(module))
    assert formatted(once) == once


@quick
@given(modules())
def test_lines_end_well(module: n.Module) -> None:
    text = formatted(print_module(module))
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\n\n\n" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@quick
@given(st.data())
def test_no_comment_is_lost_in_a_rulebook(data: st.DataObject) -> None:
    _check_comments(data.draw, RULEBOOK)


@quick
@given(modules(), st.data())
def test_no_comment_is_lost_in_a_generated_file(module: n.Module, data: st.DataObject) -> None:
    _check_comments(data.draw, print_module(module))


def _check_comments(draw: Callable[[st.SearchStrategy[Any]], Any], text: str) -> None:
    commented = _with_comments(draw, text)
    once = formatted(commented)
    assert comment_texts(once) == comment_texts(commented)
    assert same_but_for_layout(module_of(once), module_of(text))
    assert formatted(once) == once


def _with_comments(draw: Callable[[st.SearchStrategy[Any]], Any], text: str) -> str:
    # Numbered comments and blank lines, at random places and depths.
    lines: list[str] = []
    for number, line in enumerate(text.splitlines()):
        kind = draw(st.integers(0, 9))
        if kind == 0:
            lines.append(" " * draw(st.integers(0, 16)) + f"# own {number}, =")
        elif kind == 1:
            lines += [""] * draw(st.integers(1, 3))
        ends = kind in {2, 3} and line.strip() and not line.lstrip().startswith(">")
        lines.append(f"{line}{' ' * draw(st.integers(0, 3))}# end {number}" if ends else line)
    if draw(st.booleans()):
        lines.append(" " * draw(st.integers(0, 8)) + "# the last")
    return "\n".join(lines)


def test_the_sample_fits_its_width() -> None:
    assert all(len(line) <= WIDTH for line in formatted(RULEBOOK).splitlines())


@quick
@given(st.text(alphabet='ab1 >#="():,.\n\t\\', max_size=60))
def test_any_text_is_answered(text: str) -> None:
    result = format_text(SourceText("any.rules", text))
    assert result.changed == (result.text != text)
