"""Documents as people have them: plain text, Markdown or wiki text, in any language, read into pieces of text in order.

A piece is a line without its markup, or a part of it up to the end of a sentence. Which sentences an index takes as
one is the index's business: it is found by the words, see `matching`.
"""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from egodsl.provenance.fingerprint import normalise
from egodsl.source.diagnostics import Diagnostic, Diagnostics

_END = re.compile(r"(?<=[.!?…。！？])[\"'”’»)\]*_]*\s+(?=[\"'“‘«(\[*_]*[^\W\d_a-zà-ÿ])|(?<=[:;])\s+(?=[•*-]\s)")
_FRONT = re.compile(r"^\s*(?:[=#>|!*•·\-–—+]+|\(?\d+\s?[.)]|[a-z]\))\s*")
_BINARY = "\x00"


@attrs.frozen
class Sentence:
    """A sentence of a document: its line from 1, its text, and its normal form (see `fingerprint`)."""

    line: int
    text: str
    normal: str


@attrs.frozen
class Document:
    """A document: its path as given, its lines, and its sentences in order (pieces without a letter or digit left out)."""

    path: str
    lines: tuple[str, ...]
    sentences: tuple[Sentence, ...]


def read_document(path: Path) -> tuple[Document | None, list[Diagnostic]]:
    """Read a document in UTF-8, or in UTF-16 with a byte-order mark. Raises FileNotFoundError if there is no such file.

    A file in another encoding, a binary file and one without a sentence give a diagnostic (EGO620, EGO621).
    """
    found = Diagnostics()
    data = path.read_bytes()
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found.error(
            "EGO620",
            None,
            f"`{path}` is not UTF-8 text: line {line} has a byte that does not belong there",
            help="save the document as UTF-8",
        )
        return None, list(found)
    if _BINARY in text:
        found.error("EGO620", None, f"`{path}` is not a text", help="save the document as plain text in UTF-8")
        return None, list(found)
    lines = tuple(text.splitlines())
    sentences = tuple(sentence for number, line in enumerate(lines, 1) for sentence in sentences_of(line, number))
    if not sentences:
        found.error("EGO621", None, f"`{path}` has no sentence in it")
        return None, list(found)
    return Document(str(path), lines, sentences), []


def sentences_of(line: str, number: int) -> list[Sentence]:
    """The sentences of one line, without the bullet or number that it is listed under."""
    body = _FRONT.sub("", line)
    made = [Sentence(number, piece.strip(), normalise(piece)) for piece in _END.split(body)]
    return [sentence for sentence in made if sentence.normal]
