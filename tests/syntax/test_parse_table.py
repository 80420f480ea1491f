"""The table, held against Lark's own parser, and the files that it is kept in."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lark
import pytest

from egodsl.source.diagnostics import Diagnostics
from egodsl.source.resources import grammar_text
from egodsl.source.span import Span
from egodsl.source.text import SourceText
from egodsl.syntax import table as tables
from egodsl.syntax.build_declarations import Builder
from egodsl.syntax.layout import Kind, Token, lay_out
from egodsl.syntax.lexicon import lexicon
from egodsl.syntax.nodes import Module, Node, same_tree
from egodsl.syntax.parse import parse
from tests.golden_files import GOLDEN

EVERYTHING = (GOLDEN / "syntax" / "good" / "everything.rules").read_text(encoding="utf-8")


def lark_tree(source: SourceText) -> lark.Tree[Token]:
    """The tree that Lark's parser makes of the tokens, each taken for the first terminal that it would accept."""
    grammar = lark.Lark(grammar_text("rules.lark"), parser="lalr", lexer="basic", maybe_placeholders=False)
    parser: Any = grammar.parse_interactive(start="start")
    words = lexicon()
    tokens = lay_out(source, words.expression, Diagnostics()).tokens
    index = 0
    while tokens[index].kind is not Kind.END:
        token = tokens[index]
        width = 1
        if token.kind in {Kind.WORD, Kind.SIGN}:
            phrase = f"{token.text} {tokens[index + 1].text}"
            choices = [(number, 2) for number in words.phrases(phrase)] + [(n, 1) for n in words.terminals(token.text)]
        else:
            choices = [(words.fixed[token.kind], 1)]
        row = parser.choices()
        number, width = next(choice for choice in choices if words.table.names[choice[0]] in row)
        text = phrase if width == 2 else token.text
        parser.feed_token(
            lark.Token(words.table.names[number], text, start_pos=token.start, end_pos=tokens[index + width - 1].end)
        )
        index += width
    tree: lark.Tree[Token] = parser.feed_eof()
    return tree


def build(tree: object, builder: Builder, whole: Span) -> object:
    if isinstance(tree, lark.Token):
        return Token(Kind.WORD, str(tree), tree.start_pos or 0, tree.end_pos or 0)
    assert isinstance(tree, lark.Tree)
    children = [build(child, builder, whole) for child in tree.children]
    spans = [child.span for child in children if isinstance(child, Node)]
    span = Span(whole.source, spans[0].start, spans[-1].end) if spans else whole
    handler: Callable[[list[object], Span], object] = getattr(builder, tree.data)
    return handler(children, span)


def test_the_driver_builds_what_larks_parser_builds() -> None:
    # Lark's own tree has no places for keywords, so only the rest of what it says is compared.
    source = SourceText("e.rules", EVERYTHING.replace("by: .suit, ", ""))
    tree = lark_tree(source)
    module = build(tree, Builder(source, Diagnostics()), Span(source, 0, len(source.text)))
    parsed = parse(source).module
    assert isinstance(module, Module)
    assert parsed is not None
    assert same_tree(module, parsed)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that is the only one where a table is looked for."""
    path = tmp_path / "cache" / tables.TABLE_NAME
    monkeypatch.setattr(tables, "_candidates", lambda: [path])
    monkeypatch.setattr(tables, "_caches", lambda: [path])
    tables.load_table.cache_clear()
    yield path
    tables.load_table.cache_clear()


def kept(path: Path) -> dict[str, Any]:
    """The tables in a file, without the checksum that is its first line."""
    data: dict[str, Any] = json.loads(path.read_bytes().partition(b"\n")[2])
    return data


def keep(path: Path, data: object) -> None:
    """Write a file with a checksum that is right."""
    written = json.dumps(data).encode()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"%08x\n" % zlib.crc32(written) + written)


def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The start symbols of the tables that are made from now on."""
    calls: list[str] = []
    real = tables.make_table

    def spy(grammar: str, start: str) -> dict[str, Any]:
        calls.append(start)
        return real(grammar, start)

    monkeypatch.setattr(tables, "make_table", spy)
    return calls


@pytest.mark.usefixtures("place")
def test_a_table_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = made(monkeypatch)
    first = tables.load_table("source.lark")
    assert calls
    calls.clear()
    tables.load_table.cache_clear()
    second = tables.load_table("source.lark")
    assert not calls
    assert (first.names, first.rules, first.patterns) == (second.names, second.rules, second.patterns)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"source.lark": 3}', '{"source.lark": {"format": 1}}', "\0", "null"],
)
@pytest.mark.parametrize("checked", [False, True])
def test_a_broken_file_is_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch, text: str, *, checked: bool) -> None:
    place.parent.mkdir()
    written = text.encode()
    place.write_bytes(b"%08x\n" % zlib.crc32(written) + written if checked else written)
    calls = made(monkeypatch)
    assert tables.load_table("source.lark").names
    assert calls
    assert kept(place)["source.lark"]["grammar"] == grammar_text("source.lark")


def test_a_table_with_a_part_missing_is_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.parent.mkdir()
    tables.write_table(place)
    data = kept(place)
    del data["source.lark"]["rows"]
    keep(place, data)
    calls = made(monkeypatch)
    assert tables.load_table("source.lark").names
    assert calls


@pytest.mark.parametrize("part", ["start", "states", "literals"])
def test_a_table_that_was_tampered_with_is_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    # Each of these still has the shape of a table, and would fail only in the middle of a rulebook.
    place.parent.mkdir()
    tables.write_table(place)
    checksum, _, written = place.read_bytes().partition(b"\n")
    data = json.loads(written)
    data["source.lark"][part] = {"start": 99999, "states": [5, 5, 5], "literals": {"@": 5}}[part]
    place.write_bytes(checksum + b"\n" + json.dumps(data, separators=(",", ":")).encode())
    calls = made(monkeypatch)
    assert tables.load_table("source.lark").start < 99999
    assert calls


def test_a_stale_table_is_never_used(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables.load_table("source.lark")
    changed = grammar_text("source.lark") + "\n// changed\n"
    monkeypatch.setattr(tables, "grammar_text", lambda name: changed if name == "source.lark" else grammar_text(name))
    tables.load_table.cache_clear()
    calls = made(monkeypatch)
    tables.load_table("source.lark")
    assert "index" in calls
    assert kept(place)["source.lark"]["grammar"] == changed


def test_a_cache_that_cannot_be_written_only_costs_time(place: Path) -> None:
    place.parent.parent.joinpath("cache").write_text("a file where the directory should be", encoding="utf-8")
    assert tables.load_table("source.lark").names
    assert not place.exists()


def test_there_is_no_table_of_an_unknown_grammar() -> None:
    with pytest.raises(FileNotFoundError):
        tables.load_table("other.lark")
