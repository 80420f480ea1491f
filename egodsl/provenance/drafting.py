"""A first index for a document of one's own: an entry for each sentence, to be put in other words by the author."""

from __future__ import annotations

import re

from egodsl.provenance.documents import Document, Sentence
from egodsl.provenance.fingerprint import fingerprint

_EXAMPLE = re.compile(
    r"^\W*(?:e\.?g\.?\b|example|for example|z\.?\s?b\.?\b|beispiel|exemple|esempio|ejemplo|exemplo)", re.IGNORECASE
)


def draft(document: Document, name: str, title: str) -> str:
    """The text of a `.source` file named `name`: ids are capitals of the name and a number, kinds are guesses.

    The sentences stand in it as they are in the document, each to be replaced by the author's own words.
    """
    prefix = "".join(part[0] for part in name.split("_") if part).upper() or "S"
    lines = [
        f"# A first index of {title}: every sentence as it stands. Put each into your own words, and mend the kinds:",
        "# rule, example, definition, conduct, flavour or question.",
        f'source {name} "{_quoted(title)}"',
        "",
    ]
    for number, sentence in enumerate(document.sentences, 1):
        kind = _kind(sentence)
        lines.append(f"{prefix}-{number:02} {kind} [{fingerprint(sentence.text)}]: {' '.join(sentence.text.split())}")
    return "\n".join(lines) + "\n"


def name_of(stem: str) -> str:
    """A name for an index, made of a file's name: lower case, with underscores, beginning with a letter."""
    made = re.sub(r"[^0-9a-z]+", "_", stem.casefold()).strip("_")
    return made if made[:1].isalpha() else f"source_{made}".rstrip("_")


def _kind(sentence: Sentence) -> str:
    if _EXAMPLE.match(sentence.text):
        return "example"
    return "flavour" if sentence.heading else "rule"


def _quoted(title: str) -> str:
    # A title has no way to write a double quotation mark.
    return title.replace('"', "'")
