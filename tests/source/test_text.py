"""Texts: places counted from 1, and files that cannot be read as text."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egodsl.source import text as texts
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.span import Span
from egodsl.source.text import SourceText, read_source

TEXT = SourceText("a.rules", "one\ntwo\n\nfour")


def read_bytes(folder: Path, data: bytes) -> tuple[SourceText | None, list[Diagnostic]]:
    path = folder / "some.rules"
    path.write_bytes(data)
    return read_source(path)


@pytest.mark.parametrize(
    ("offset", "place"),
    [
        (0, (1, 1)),
        (3, (1, 4)),  # the line end belongs to its line
        (4, (2, 1)),
        (8, (3, 1)),
        (9, (4, 1)),
        (13, (4, 5)),  # just past the last character
        (99, (4, 5)),
        (-1, (1, 1)),
    ],
)
def test_positions_count_from_one(offset: int, place: tuple[int, int]) -> None:
    assert TEXT.position(offset) == place
    assert TEXT.line_of(offset) == place[0]


def test_lines() -> None:
    assert TEXT.lines == ("one", "two", "", "four")
    assert [TEXT.line(n) for n in (1, 2, 3, 4)] == ["one", "two", "", "four"]
    assert TEXT.line_count == 4
    with pytest.raises(IndexError, match="no line 5"):
        TEXT.line(5)
    with pytest.raises(IndexError, match="no line 0"):
        TEXT.line(0)


def test_a_final_newline_opens_an_empty_line() -> None:
    text = SourceText("a.rules", "one\n")
    assert text.lines == ("one", "")
    assert text.position(4) == (2, 1)


def test_only_newlines_end_lines() -> None:
    assert SourceText("a.rules", "a\x0cb\u2028c\x85d").line_count == 1


@given(st.text(alphabet="ab\né"), st.integers(0, 40))
def test_position_agrees_with_counting(text: str, offset: int) -> None:
    before = text[:offset]
    expected = (before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    assert SourceText("a", text).position(offset) == expected


def test_texts_are_equal_only_to_themselves() -> None:
    assert SourceText("a", "x") != SourceText("a", "x")


def test_span_of_several_lines() -> None:
    span = Span(TEXT, 1, 6)
    assert (span.line, span.column, span.end_line, span.end_column) == (1, 2, 2, 3)
    assert span.text == "ne\ntw"
    assert str(span) == "a.rules:1:2"


def test_spans_join_within_a_text_only() -> None:
    joined = Span(TEXT, 4, 7).join(Span(TEXT, 0, 3))
    assert joined == Span(TEXT, 0, 7)
    with pytest.raises(ValueError, match=r"a\.rules with one of b\.rules"):
        joined.join(Span(SourceText("b.rules", "x"), 0, 1))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\nb\n", "a\nb\n"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\rb", "a\nb"),
        (b"no final newline", "no final newline"),
        (b"\xef\xbb\xbfa", "a"),
        ("für \N{HAIR SPACE}猫".encode(), "für \N{HAIR SPACE}猫"),
    ],
)
def test_good_files(tmp_path: Path, data: bytes, text: str) -> None:
    source, diagnostics = read_bytes(tmp_path, data)
    assert source is not None
    assert source.text == text
    assert diagnostics == []


@pytest.mark.parametrize(
    ("data", "code", "place", "message"),
    [
        (b"one\r\nca\xe9.\n", "EGO001", (2, 3), "the byte 0xe9 here is not UTF-8"),
        (b"cut \xe7\x8c", "EGO001", (1, 5), "the byte 0xe7 here is not UTF-8"),
        ("rules".encode("utf-16"), "EGO001", (1, 1), "the file is UTF-16, not UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0", "EGO002", (3, 1), "the file is not text: it holds a NUL byte"),
        (b"", "EGO003", (1, 1), "the file is empty"),
        (b" \r\n\t\n", "EGO003", (1, 1), "the file is empty"),
        (b"\xef\xbb\xbf", "EGO003", (1, 1), "the file is empty"),
    ],
)
def test_bad_files(tmp_path: Path, data: bytes, code: str, place: tuple[int, int], message: str) -> None:
    source, diagnostics = read_bytes(tmp_path, data)
    assert source is None
    [diagnostic] = diagnostics
    assert (diagnostic.code.number, diagnostic.message) == (code, message)
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == place
    assert diagnostic.help


def test_ten_megabytes_are_refused_at_once(tmp_path: Path) -> None:
    assert texts.MAX_SOURCE_BYTES == 10_000_000
    begin = time.perf_counter()
    source, [diagnostic] = read_bytes(tmp_path, b"#" * 10_000_000)
    assert source is None
    assert diagnostic.code.number == "EGO004"
    assert diagnostic.place == str(tmp_path / "some.rules")
    assert time.perf_counter() - begin < 30


def test_just_below_ten_megabytes_is_read_and_counted_quickly(tmp_path: Path) -> None:
    begin = time.perf_counter()
    source, diagnostics = read_bytes(tmp_path, b"# 1234567\n" * 999_999)
    assert source is not None
    assert diagnostics == []
    assert source.position(9_999_985) == (999_999, 6)
    assert time.perf_counter() - begin < 60


@given(st.binary(max_size=60))
def test_any_bytes_give_a_text_or_one_error(data: bytes) -> None:
    from egodsl.source.reading import decode  # noqa: PLC0415 -- the only test that goes below read_source

    source, diagnostics = decode("x", data)
    assert (source is None) == (len(diagnostics) == 1)
    assert source is None or "\r" not in source.text


def test_a_missing_file_and_a_directory_raise(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_source(tmp_path / "none.rules")
    with pytest.raises(IsADirectoryError):
        read_source(tmp_path)


def test_the_path_stays_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.rules").write_text("x", encoding="utf-8")
    source, _ = read_source("./a.rules")
    assert source is not None
    assert source.path == "./a.rules"
