"""What the reader makes of right rulebooks."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import cast

import pytest

from egodsl.source.reading import decode
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax import nodes as n
from egodsl.syntax.parse import Parsed, parse
from tests.golden_files import GOLDEN

EVERYTHING = (GOLDEN / "syntax" / "good" / "everything.rules").read_text(encoding="utf-8")
HEAD = 'rulebook small "A small game":\n    players 2..4\n\n'


def parse_text(text: str) -> Parsed:
    return parse(SourceText("small.rules", text))


def module_of(text: str) -> n.Module:
    parsed = parse_text(text)
    assert parsed.diagnostics == []
    assert parsed.module is not None
    return parsed.module


def item(text: str) -> n.Item:
    (only,) = module_of(HEAD + text).items
    return only


def value(text: str) -> n.Expr:
    declaration = item(f"define x = {text}\n")
    assert isinstance(declaration, n.DefineDecl)
    assert declaration.value is not None
    return declaration.value


def statements(text: str) -> list[n.Statement]:
    stage = item("stage game:\n" + "".join(f"    {line}\n" for line in text.splitlines()))
    assert isinstance(stage, n.StageDecl)
    return stage.body.statements


def shape(node: n.Node) -> str:
    """An expression with every pair of operands in parentheses."""
    match node:
        case n.Name(name=name):
            return name
        case n.Integer(value=number):
            return str(number)
        case n.Not() | n.Negate():
            return f"({type(node).__name__.lower()} {shape(node.operand)})"
        case n.Binary() | n.Compare():
            return f"({shape(node.left)} {node.operator} {shape(node.right)})"
        case n.And() | n.Or():
            return "(" + f" {type(node).__name__.lower()} ".join(shape(operand) for operand in node.operands) + ")"
        case n.Range():
            return f"({shape(node.low)}..{shape(node.high)})"
        case n.Conditional():
            return f"({shape(node.then)} if {shape(node.condition)} else {shape(node.otherwise)})"
        case n.Attribute():
            return f"{shape(node.target)}.{node.name.name}"
        case _:
            return type(node).__name__


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("a // b % c", "((a // b) % c)"),
        ("- a.b + c", "((negate a.b) + c)"),
        ("- - a", "(negate (negate a))"),
        ("a + 1 .. b * 2", "((a + 1)..(b * 2))"),
        ("a | b & c without d", "(((a | b) & c) without d)"),
        ("a = b + 1", "(a = (b + 1))"),
        ("a in 1..3", "(a in (1..3))"),
        ("a not in b | c", "(a not in (b | c))"),
        ("not a = b and c or d", "(((not (a = b)) and c) or d)"),
        ("a or b or c and d and e", "(a or b or (c and d and e))"),
        ("a if b else c if d else e", "(a if b else (c if d else e))"),
        ("a or b if c or d else e", "((a or b) if (c or d) else e)"),
    ],
)
def test_operators_bind_as_documented(text: str, expected: str) -> None:
    assert shape(value(text)) == expected


def test_a_call_has_its_arguments_by_place_and_by_name() -> None:
    call = value("runs(hand, .rank, 2..3, each: 2, by: .suit)")
    assert isinstance(call, n.Call)
    assert call.name.name == "runs"
    assert [argument.name and argument.name.name for argument in call.arguments] == [None, None, None, "each", "by"]
    assert [type(argument.value).__name__ for argument in call.arguments] == ["Name", "Key", "Range", "Integer", "Key"]
    assert [argument.value.span.text for argument in call.arguments] == ["hand", ".rank", "2..3", "2", ".suit"]


def test_a_comprehension_as_the_only_argument() -> None:
    call = value("count(c for c in hand where c.rank > 3 if able)")
    assert isinstance(call, n.Call)
    (argument,) = call.arguments
    assert isinstance(argument.value, n.Comprehension)
    assert argument.value.kind == "argument"
    (clause,) = argument.value.clauses
    assert [name.name for name in clause.names] == ["c"]
    assert [where.if_able for where in clause.wheres] == [True]
    assert argument.value.span.text == "c for c in hand where c.rank > 3 if able"


def test_able_is_a_name_where_it_is_no_phrase() -> None:
    conditional = value("(1 if able else 2)")
    assert isinstance(conditional, n.Group)
    assert shape(conditional.inner) == "(1 if able else 2)"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{a, b}", n.Braces),
        ("{}", n.Braces),
        ("{a for a in b}", n.Comprehension),
        ("{a in b where a}", n.Filter),
        ("[a, b]", n.Brackets),
        ("[a for a in b]", n.Comprehension),
        ("(a)", n.Group),
        ("(a, b)", n.Tuple),
        ("(the a in b by least a)", n.Group),
        ("the a in b by at random", n.The),
        ("a[1, 2][3]", n.Index),
        ('"a"', n.Text),
        ("none", n.NoneValue),
        ("true", n.Boolean),
    ],
)
def test_brackets_and_atoms(text: str, kind: type[n.Expr]) -> None:
    assert type(value(text)) is kind


def test_strings_have_two_escapes() -> None:
    text = value(r'"a \"b\" \\n"')
    assert isinstance(text, n.Text)
    assert text.value == r'a "b" \n'


def test_prose_and_edit_stand_on_the_declaration() -> None:
    declaration = item('>  Two lines. [EW-02]  \n>of prose\nreplace mode open "Open"\n')
    assert isinstance(declaration, n.ModeDecl)
    assert declaration.prose is not None
    assert declaration.prose.lines == ["Two lines. [EW-02]", "of prose"]
    assert declaration.edit == "replace"


def test_prose_stands_on_the_statement_the_field_and_the_option() -> None:
    (choice,) = statements('> Choose.\nchoose:\n    > Nothing.\n    "a": nothing')
    assert isinstance(choice, n.ChooseOption)
    assert choice.prose is not None
    assert choice.prose.lines == ["Choose."]
    assert choice.options[0].prose is not None
    assert choice.options[0].prose.lines == ["Nothing."]


def test_otherwise_belongs_to_the_decision_above_it() -> None:
    choose, may, branch = statements(
        "choose a in b\notherwise when c: nothing\nmay: nothing\notherwise: nothing\nif a: nothing\notherwise: nothing"
    )
    assert isinstance(choose, n.Choose)
    assert choose.otherwise is not None
    assert choose.otherwise.guard is not None
    assert isinstance(may, n.May)
    assert may.otherwise is not None
    assert may.otherwise.guard is None
    assert isinstance(branch, n.If)
    assert branch.otherwise is not None


def test_a_word_is_a_keyword_only_where_the_grammar_has_a_use_for_it() -> None:
    card = item("card Card:\n    rank: 1..3\n    if: bool\n    end: bool\n")
    assert isinstance(card, n.CardDecl)
    assert [field.name.name for field in card.fields] == ["rank", "if", "end"]
    assert shape(value("c.rank + c.if")) == "(c.rank + c.if)"
    assert shape(value("total + up + x + players")) == "(((total + up) + x) + players)"
    call = value("Card(rank: 1, if: true)")
    assert isinstance(call, n.Call)
    assert [argument.name and argument.name.name for argument in call.arguments] == ["rank", "if"]


def test_a_table_may_have_a_column_named_by_any_word() -> None:
    components = item("components deck of Card:\n    | copies | rank | if |\n    | 2 | 3 | true |\n")
    assert isinstance(components, n.ComponentsDecl)
    assert [shape(cell) for cell in components.table[0].cells] == ["copies", "rank", "if"]


def test_components_may_stand_in_a_file() -> None:
    plain = item('components deck of Card in pile[A] from "cards.csv"\n')
    counted = item('components deck of Card from "cards.csv":\n    total 2 + 3\n')
    assert isinstance(plain, n.ComponentsDecl)
    assert isinstance(counted, n.ComponentsDecl)
    assert [file.value for file in plain.files] == ["cards.csv"]
    assert plain.home is not None
    assert plain.total is None
    assert [file.value for file in counted.files] == ["cards.csv"]
    assert counted.total is not None
    assert counted.rows == plain.rows == []


@pytest.mark.parametrize(
    "text",
    [
        "define x = a\n    and b\n",
        "define x = a\nand b\n",
        "define x =\n    a and b\n",
        "define x =   # why\n\n    # more\n    a and b\n",
        "define x = (a\n    and b)\n".replace("(", "").replace(")", ""),
        "define x = a    # comment\n    # another\n\n    and b   # third\n",
    ],
)
def test_lines_go_on(text: str) -> None:
    declaration = item(text)
    assert isinstance(declaration, n.DefineDecl)
    assert declaration.value is not None
    assert shape(declaration.value) == "(a and b)"


@pytest.mark.parametrize("close", ["]", "    ]", "\n]"])
def test_brackets_hold_lines_together(close: str) -> None:
    row = value(f"[1,\n    2,\n\n    # comment\n      3\n{close}")
    assert isinstance(row, n.Brackets)
    assert len(row.items) == 3


def test_indents_may_be_of_any_width_and_of_tabs() -> None:
    spaces = "stage game:\n  if a:\n       nothing\n  nothing\n"
    tabs = "stage game:\n\tif a:\n\t\tnothing\n\tnothing\n"
    head = 'library small "Small"\n'
    assert n.same_tree(module_of(head + spaces), module_of(head + tabs))


def test_windows_lines_and_a_missing_last_line_end_make_no_difference() -> None:
    windows, _ = decode("w.rules", EVERYTHING.rstrip("\n").replace("\n", "\r\n").encode())
    assert windows is not None
    parsed = parse(windows)
    assert parsed.diagnostics == []
    assert n.same_tree(cast("n.Module", parsed.module), module_of(EVERYTHING))


def test_every_kind_of_node_is_read() -> None:
    abstract = {n.Node, n.TypeNode, n.Expr, n.Statement, n.Declaration, n.Step, n.Header, n.Claim}
    kinds = {kind for kind in vars(n).values() if isinstance(kind, type) and issubclass(kind, n.Node)}
    assert {type(node) for node in n.walk(module_of(EVERYTHING))} == kinds - abstract


# ---------------------------------------------------------------- places


def test_spans_begin_and_end_with_their_own_text() -> None:
    for node in n.walk(module_of(EVERYTHING)):
        assert node.span.text == node.span.text.strip()
        assert node.span.text


def test_spans_lie_in_that_of_their_parent_and_beside_each_other() -> None:
    for node in n.walk(module_of(EVERYTHING)):
        inner = sorted((child.span.start, child.span.end) for child in n.children(node))
        for start, end in inner:
            assert node.span.start <= start < end <= node.span.end
        if not isinstance(node, n.CardDecl):
            assert all(before[1] <= after[0] for before, after in pairwise(inner))


def test_the_end_of_a_block_does_not_run_into_what_follows() -> None:
    first, second = module_of(HEAD + 'stage a:\n    if b:\n        nothing\n\n# comment\nmode c "C"\n').items
    assert first.span.text == "stage a:\n    if b:\n        nothing"
    assert second.span.text == 'mode c "C"'
    assert isinstance(first, n.StageDecl)
    assert first.body.span.text == "if b:\n        nothing"


def test_names_and_names_only() -> None:
    for node in n.walk(module_of(EVERYTHING)):
        if isinstance(node, n.Ident | n.Name):
            assert node.span.text == node.name
        if isinstance(node, n.Integer):
            assert node.span.text == str(node.value)


# ---------------------------------------------------------------- comments


def test_every_comment_is_kept_with_its_place() -> None:
    text = (
        "# first\n"
        + HEAD
        + "define x =  # after equals\n    # alone\n    [1,   # in brackets\n        # alone in brackets\n"
        '        "# none"]   #last \nmode a "#"#\n    # indented\n> # prose\nmode b "B"\n# end'
    )
    parsed = parse_text(text)
    assert parsed.diagnostics == []
    assert [(comment.text, comment.own_line) for comment in parsed.comments] == [
        (" first", True),
        (" after equals", False),
        (" alone", True),
        (" in brackets", False),
        (" alone in brackets", True),
        ("last", False),
        ("", False),
        (" indented", True),
        (" end", True),
    ]
    for comment in parsed.comments:
        assert comment.span.text == f"#{comment.text}"


# ---------------------------------------------------------------- cost


def test_texts_can_be_read_at_the_same_time() -> None:
    texts = [f'{HEAD}mode m{number} "M"\n' * 1 + EVERYTHING[EVERYTHING.index("enum Suit") :] for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        parsed = list(pool.map(parse_text, texts))
    for number, result in enumerate(parsed):
        assert result.diagnostics == []
        assert result.module is not None
        first = result.module.items[0]
        assert isinstance(first, n.ModeDecl)
        assert first.name.name == f"m{number}"


def test_cost_grows_with_length_alone() -> None:
    body = EVERYTHING[EVERYTHING.index("enum Suit") :]

    def seconds(times: int) -> float:
        source = SourceText("long.rules", HEAD + body * times)
        start = time.perf_counter()
        parsed = parse(source)
        assert parsed.diagnostics == []
        return time.perf_counter() - start

    seconds(1)
    short, long = seconds(10), seconds(40)
    assert long < 4 * short * 10


def test_a_span_is_the_text_of_its_file() -> None:
    module = module_of(EVERYTHING)
    assert module.span == Span(module.span.source, EVERYTHING.index("> A rulebook"), len(EVERYTHING.rstrip()))
