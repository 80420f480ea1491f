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
_HEADING = re.compile(r"^\s*(?:=+.*=+|#+\s.*)\s*$")
_STOP = re.compile(r"[.!?。！？][\"'”’»)\]*_]*\s*$")
MOST_LABEL_WORDS = 6
"""Up to so many words without a full stop are a heading, a label of a picture, or a date."""
_BINARY = "\x00"


@attrs.frozen
class Sentence:
    """A sentence of a document: its line from 1, its text, and its normal form (see `fingerprint`).

    `heading`: it stands alone on a line marked as a heading, or is a few words without a full stop; it says no rule.
    """

    line: int
    text: str
    normal: str
    heading: bool = False


@attrs.frozen
class Document:
    """A document: its path as given, its lines, and its sentences in order (pieces without a letter or digit left
    out).
    """

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
    heading = bool(_HEADING.match(line))
    made = [
        Sentence(number, piece.strip(), normalise(piece), heading or _is_label(piece)) for piece in _END.split(body)
    ]
    return [sentence for sentence in made if sentence.normal]


def _is_label(piece: str) -> bool:
    return len(piece.split()) <= MOST_LABEL_WORDS and not _STOP.search(piece)
