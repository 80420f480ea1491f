"""Diagnostics as data: order, repetition, the error that carries them."""

from __future__ import annotations

import pickle

import pytest

from egodsl.source.codes.table import CODES
from egodsl.source.diagnostics import Diagnostic, DiagnosticError, Diagnostics, Label, Severity, quote
from egodsl.source.span import Span
from egodsl.source.text import SourceText

A = SourceText("a.rules", "one two\nthree\n")
B = SourceText("b.rules", "four\n")


def test_sorted_by_file_place_and_code() -> None:
    found = Diagnostics()
    found.error("EGO101", Span(B, 0, 4), "in b")
    found.error("EGO101", Span(A, 8, 13), "late in a")
    found.error("EGO112", Span(A, 0, 3), "early in a, larger code")
    found.error("EGO102", Span(A, 0, 3), "early in a, smaller code")
    found.error("EGO101", None, "nowhere")
    assert [diagnostic.message for diagnostic in found.sorted()] == [
        "nowhere",
        "early in a, smaller code",
        "early in a, larger code",
        "late in a",
        "in b",
    ]


def test_repetitions_are_dropped_and_different_messages_kept() -> None:
    found = Diagnostics()
    for message in ("same", "same", "other"):
        found.error("EGO101", Span(A, 0, 3), message)
    assert [diagnostic.message for diagnostic in found.sorted()] == ["other", "same"]
    assert len(found) == 3


def test_only_errors_count_as_errors() -> None:
    found = Diagnostics()
    found.warning("EGO101", Span(A, 0, 3), "careful")
    found.note("EGO101", Span(A, 0, 3), "by the way")
    assert not found.has_errors
    found.raise_errors()
    found.extend([Diagnostic(CODES["EGO101"], "wrong")])
    assert found.has_errors
    with pytest.raises(DiagnosticError) as caught:
        found.raise_errors()
    assert [d.severity for d in caught.value.diagnostics] == [Severity.ERROR, Severity.NOTE, Severity.WARNING]


def test_what_is_given_is_kept() -> None:
    found = Diagnostics()
    label = Label(Span(B, 0, 4), "declared here")
    given = found.error("EGO101", Span(A, 0, 3), "wrong", help="mend it", labels=[label], notes=["a fact"])
    assert given == Diagnostic(
        CODES["EGO101"], "wrong", Span(A, 0, 3), Severity.ERROR, (label,), "mend it", ("a fact",)
    )
    assert list(found) == [given]


def test_an_unregistered_code_is_refused() -> None:
    with pytest.raises(KeyError, match="EGO000"):
        Diagnostics().error("EGO000", None, "no such code")


def test_the_error_reads_line_by_line_and_survives_pickling() -> None:
    error = DiagnosticError(
        [Diagnostic(CODES["EGO102"], "second", Span(A, 8, 9)), Diagnostic(CODES["EGO101"], "first", Span(A, 4, 7))]
    )
    expected = "a.rules:1:5: error[EGO101] first\na.rules:2:1: error[EGO102] second"
    assert str(error) == expected
    assert str(pickle.loads(pickle.dumps(error))) == expected  # noqa: S301 -- our own bytes, a line above


def test_quote_is_one_short_line() -> None:
    assert quote("hand") == "`hand`"
    assert quote("a\n   b") == "`a b`"
    assert quote("x" * 10_000) == "`" + "x" * 59 + "…`"
