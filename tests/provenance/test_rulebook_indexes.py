"""The indexes of Egocentric World, against what was counted in the documents by hand."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from egodsl.provenance import Kind, SourceIndex, load_index
from egodsl.source.registry import CODES, examples
from egodsl.source.resources import resource_path


def load(name: str) -> SourceIndex:
    index, found = load_index(resource_path("rulebooks", f"{name}.source"))
    assert [str(one) for one in found] == []
    assert index is not None
    return index


@pytest.fixture(scope="module")
def english() -> SourceIndex:
    return load("egocentric_world")


@pytest.fixture(scope="module")
def italian() -> SourceIndex:
    return load("egocentric_world_italian")


def test_every_sentence_and_every_question_has_an_entry(english: SourceIndex, italian: SourceIndex) -> None:
    expected = [
        *(f"EW-{n:02}" for n in range(1, 43)),
        *(f"EWr4-{n:02}" for n in range(1, 43)),
        "EWr3",
        *(f"EWr2-{n:02}" for n in range(1, 19)),
        *(f"EWr1-{n:02}" for n in range(14)),
        *(f"EW-A{n:02}" for n in range(1, 29)),
    ]
    assert list(english.entries) == expected
    assert [entry.id for entry in italian.own()] == [f"EWI-{n:02}" for n in range(1, 45)]
    assert list(italian.entries)[:145] == expected


def test_the_same_sentences_under_other_ids(english: SourceIndex, italian: SourceIndex) -> None:
    # The revision of 08:11:59Z tells the end of a round before the abilities: 28-33 are 37-42, and 34-42 are 28-36.
    order = [*range(1, 28), *range(37, 43), *range(28, 37)]
    assert [english.resolve(f"EWr4-{n:02}").id for n in range(1, 43)] == [f"EW-{n:02}" for n in order]
    # The first revision has ten sentences about actions and three about the end of a round; the second the goal too.
    common = [*range(18, 28), 37, 38, 39]
    assert [english.resolve(f"EWr1-{n:02}").id for n in range(1, 14)] == [f"EW-{n:02}" for n in common]
    assert [english.resolve(f"EWr2-{n:02}").id for n in range(1, 19)] == [
        f"EW-{n:02}" for n in [1, 2, 3, 4, 5, *common]
    ]
    # The Italian text sorts the abilities by their numbers, 8 to 12, and has five sentences that the English has not.
    expected = [*range(1, 28), 36, 34, 35, 33, 29, 30, 31, 32, None, None, 28, 37, 38, 39, None, None, None]
    assert [italian.entries[f"EWI-{n:02}"].same_as for n in range(1, 45)] == [n and f"EW-{n:02}" for n in expected]


def test_kinds(english: SourceIndex) -> None:
    odd = {e.id: e.kind for e in english.entries.values() if e.kind is not Kind.RULE and e.kind is not Kind.QUESTION}
    assert odd == {
        "EW-04": Kind.FLAVOUR,
        "EW-15": Kind.DEFINITION,
        "EWr4-04": Kind.FLAVOUR,
        "EWr4-15": Kind.DEFINITION,
        "EWr3": Kind.FLAVOUR,
        "EWr2-04": Kind.FLAVOUR,
        "EWr1-00": Kind.FLAVOUR,
    }
    questions = [e for e in english.entries.values() if e.kind is Kind.QUESTION]
    assert [e.id for e in questions] == [f"EW-A{n:02}" for n in range(1, 29)]
    assert not any(e.fingerprint for e in questions)


def test_the_same_sentence_has_the_same_kind_and_in_english_the_same_fingerprint(
    english: SourceIndex, italian: SourceIndex
) -> None:
    for entry in italian.entries.values():
        assert entry.kind is italian.resolve(entry.id).kind
        if entry.kind is not Kind.QUESTION and entry.id != "EWr3":
            assert entry.fingerprint
    for entry in english.entries.values():
        assert entry.fingerprint == english.resolve(entry.id).fingerprint


def test_fingerprints_tell_sentences_apart(english: SourceIndex, italian: SourceIndex) -> None:
    # One wording stands twice in the English text; the Italian has two verbs for it, so all 44 of its own differ.
    times = Counter(entry.fingerprint for entry in list(english.entries.values())[:42])
    assert len(times) == 41
    assert english.entries["EW-21"].fingerprint == english.entries["EW-23"].fingerprint
    assert len({entry.fingerprint for entry in italian.own()} - set(times)) == 44


def test_no_two_sentences_are_put_in_the_same_words(italian: SourceIndex) -> None:
    words = Counter(e.paraphrase for e in italian.entries.values() if e.same_as is None)
    assert [text for text, times in words.items() if times > 1] == []
    assert all(re.fullmatch(r"[A-Z7].*[.\]]", text) for text in words)


# EGO601 is of a rulebook, and from EGO620 on they are of documents.
@pytest.mark.parametrize("number", [number for number in CODES if "EGO602" <= number < "EGO620"])
def test_the_examples_of_an_explanation_show_it(number: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    for quality, expected in (("bad", [number]), ("mended", [])):
        for text in examples(number)[quality]:
            path = tmp_path_factory.mktemp(number) / "my_game.source"
            path.write_text(text)
            _, found = load_index(path)
            assert [one.code.number for one in found] == expected
