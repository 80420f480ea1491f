"""Documents: read in any form, cut into sentences, held against an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from egodsl.provenance import fingerprint, load_index
from egodsl.provenance.documents import Document, read_document
from egodsl.provenance.drafting import draft, name_of
from egodsl.provenance.matching import match

TEXT = """== Goal ==

* Collect shells. Whoever has '''most shells''' wins!
* Each turn you must
  take one shell.

Ties are shared.
"""


def document(folder: Path, text: str = TEXT) -> Document:
    path = folder / "rules.txt"
    path.write_text(text, encoding="utf-8")
    made, found = read_document(path)
    assert made is not None
    assert found == []
    return made


def index_of(folder: Path, *sentences: str) -> Path:
    path = folder / "shells.source"
    lines = [f"S-{k} rule [{fingerprint(s)}]: In our words, number {k}." for k, s in enumerate(sentences, 1)]
    path.write_text("\n".join(['source shells "Shells"', *lines]) + "\n", encoding="utf-8")
    return path


def held(
    folder: Path, text: str, *sentences: str
) -> tuple[dict[str, int], list[str], list[str], list[tuple[str, str]]]:
    index, found = load_index(index_of(folder, *sentences))
    assert index is not None, found
    made = match(index.own(), document(folder, text))
    changed = [(c.entry.id, c.sentence.text) for c in made.changed]
    return made.places, [e.id for e in made.missing_entries], [s.text for s in made.missing_sentences], changed


def test_sentences_have_their_lines_and_no_markup(tmp_path: Path) -> None:
    found = [(s.line, s.text, s.heading) for s in document(tmp_path).sentences]
    assert found[0][::2] == (1, True)
    assert found[1] == (3, "Collect shells.", False)
    assert [line for line, _, _ in found] == [1, 3, 3, 4, 5, 7]


def test_an_index_that_fits(tmp_path: Path) -> None:
    sentences = (
        "Collect shells.",
        "Whoever has most shells wins",
        "Each turn you must take one shell",
        "Ties are shared.",
    )
    places, lacking, unknown, changed = held(tmp_path, TEXT, *sentences)
    assert places == {"S-1": 3, "S-2": 3, "S-3": 4, "S-4": 7}
    assert (lacking, unknown, changed) == ([], [], [])


def test_a_part_of_a_sentence_is_found(tmp_path: Path) -> None:
    places, _, unknown, _ = held(
        tmp_path, "First draw a card, then lay one card down.\n", "draw a card", "lay one card down"
    )
    assert places == {"S-1": 1, "S-2": 1}
    assert unknown == []


def test_what_only_one_of_them_has(tmp_path: Path) -> None:
    places, lacking, unknown, changed = held(tmp_path, "Collect shells.\n", "Collect shells.", "Nobody may look.")
    assert places == {"S-1": 1}
    assert (lacking, unknown, changed) == (["S-2"], [], [])
    _, lacking, unknown, changed = held(tmp_path, "Collect shells. Nobody may look at them.\n", "Collect shells.")
    assert (lacking, unknown, changed) == ([], ["Nobody may look at them."], [])


def test_changed_wording_is_matched_in_its_place(tmp_path: Path) -> None:
    text = "Collect shells.\nEverybody takes two of them a turn.\nTies are shared.\n"
    _, lacking, unknown, changed = held(tmp_path, text, "Collect shells.", "Take one a turn.", "Ties are shared.")
    assert changed == [("S-2", "Everybody takes two of them a turn.")]
    assert (lacking, unknown) == ([], [])


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"Gr\xfc\xdfe an alle.", "EGO620"), (b"a\x00b", "EGO620"), (b"", "EGO621"), (b" \n--\n", "EGO621")],
)
def test_documents_that_cannot_be_read(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    made, found = read_document(path)
    assert made is None
    assert [d.code.number for d in found] == [code]


def test_utf16_and_byte_order_marks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "marked.txt"
    for data in (TEXT.encode("utf-16"), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode()):
        path.write_bytes(data)
        made, _ = read_document(path)
        assert made is not None
        assert [s.normal for s in made.sentences] == [s.normal for s in document(tmp_path).sentences]


def test_a_draft_fits_its_document(tmp_path: Path) -> None:
    made = document(tmp_path)
    path = tmp_path / "sea_shells.source"
    path.write_text(draft(made, "sea_shells", 'The "Sea" game'), encoding="utf-8")
    index, found = load_index(path)
    assert index is not None, found
    assert list(index.entries) == [f"SS-0{k}" for k in range(1, 7)]
    result = match(index.own(), made)
    assert (result.missing_entries, result.missing_sentences, result.changed) == ((), (), ())


def test_names_of_indexes() -> None:
    assert [name_of(stem) for stem in ("My Game (v2)", "004_x", "Ährengold")] == [
        "my_game_v2",
        "source_004_x",
        "hrengold",
    ]


DOCUMENTS = os.environ.get("EGODSL_DOCUMENTS")
STEMS = {
    "egocentric_world": "000",
    "egocentric_world_italian": "001",
    "egonomy": "002",
    "emotrions": "003",
    "ego": "004",
}

if DOCUMENTS:
    FOLDER = Path(DOCUMENTS)

    @pytest.mark.parametrize("name", STEMS)
    def test_every_document_is_covered(name: str) -> None:
        from click.testing import CliRunner  # noqa: PLC0415 - only with the documents

        from egodsl.cli.cite import command  # noqa: PLC0415 - as above

        path = next(FOLDER.glob(f"{STEMS[name]}_*.txt"))
        done = CliRunner().invoke(command, [name, "--document", str(path)], standalone_mode=False)
        assert done.return_value == 0, done.output
