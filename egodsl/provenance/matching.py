"""An index held against its document: which entry stands where, what the index lacks, what the document lacks or
changed.

An index knows only fingerprints. An entry is found at a sentence with its fingerprint, or else at any stretch of words
within a line (or of a few lines) that has it: so it does not matter where exactly an author cut the text into
sentences.
What is left over on both sides between two places that match is taken for one sentence whose wording changed.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator

import attrs

from egodsl.provenance.documents import Document, Sentence
from egodsl.provenance.fingerprint import FINGERPRINT_LENGTH, normalise
from egodsl.provenance.index import Entry

MOST_WORDS = 120
"""Longest stretch of words that is tried for one entry."""
JOINED_LINES = 10
"""Over how many lines a stretch may run."""

_PARTS = re.compile(r"[^\W_]+|\S")
_LINKS = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")


@attrs.frozen
class Changed:
    """An entry whose sentence is not in the document, and the sentence that stands in its place."""

    entry: Entry
    sentence: Sentence


@attrs.frozen
class Match:
    """The result: the line of each entry that was found, and what was not.

    `missing_entries`: in the index, not in the document. `missing_sentences`: in the document, not in the index.
    """

    places: dict[str, int]
    changed: tuple[Changed, ...]
    missing_entries: tuple[Entry, ...]
    missing_sentences: tuple[Sentence, ...]


def match(entries: Iterable[Entry], document: Document) -> Match:
    """Hold the entries, in their order, against the document.

    Entries without a fingerprint (questions) are left out.
    """
    wanted = [entry for entry in entries if entry.fingerprint is not None]
    digests = {entry.fingerprint for entry in wanted if entry.fingerprint is not None}
    found, covered = _stretches(document, digests)
    places = {entry.id: found[entry.fingerprint] for entry in wanted if entry.fingerprint in found}
    left = [sentence for sentence in document.sentences if not _is_covered(sentence, covered)]
    lost = [entry for entry in wanted if entry.id not in places]
    changed = _pair(wanted, places, lost, left)
    paired = {c.entry.id for c in changed}
    taken = {id(c.sentence) for c in changed}
    return Match(
        places,
        tuple(changed),
        tuple(entry for entry in lost if entry.id not in paired),
        tuple(sentence for sentence in left if id(sentence) not in taken and not sentence.heading),
    )


def _digest(normal: str) -> str:
    return hashlib.sha256(normal.encode("utf-8")).hexdigest()[:FINGERPRINT_LENGTH]


def _stretches(document: Document, digests: set[str]) -> tuple[dict[str, int], dict[int, list[str]]]:
    """The line of each fingerprint that the document has, and the normal forms that cover each line."""
    found: dict[str, int] = {}
    covered: dict[int, list[str]] = {}

    def note(normal: str, line: int, span: int) -> None:
        digest = _digest(normal)
        if digest in digests:
            found.setdefault(digest, line)
            for k in range(line, line + span):
                covered.setdefault(k, []).append(normal)

    for sentence in document.sentences:
        note(sentence.normal, sentence.line, 1)
    for span in range(1, JOINED_LINES + 1):
        # Where every sentence is matched already, no longer stretch is looked for.
        open_lines = {s.line for s in document.sentences if not _is_covered(s, covered)}
        for first in range(1, len(document.lines) - span + 2):
            if first in open_lines or (span > 1 and first + span - 1 in open_lines):
                for normal in _windows([_words(line) for line in document.lines[first - 1 : first + span - 1]]):
                    note(normal, first, span)
    return found, covered


def _words(line: str) -> list[str]:
    return [normal for part in _PARTS.findall(_LINKS.sub(r"\1", line)) if (normal := normalise(part))]


def _windows(lines: list[list[str]]) -> Iterator[str]:
    # Every stretch of whole words that begins in the first line and ends in the last.
    first, last = lines[0], lines[-1]
    if not first or not last:
        return
    if len(lines) == 1:
        for i in range(len(first)):
            stretch = ""
            for word in first[i : i + MOST_WORDS]:
                stretch += word
                yield stretch
        return
    between = "".join(word for line in lines[1:-1] for word in line)
    for i in range(len(first)):
        stretch = "".join(first[i:]) + between
        for word in last:
            stretch += word
            yield stretch


def _is_covered(sentence: Sentence, covered: dict[int, list[str]]) -> bool:
    return any(sentence.normal in normal or normal in sentence.normal for normal in covered.get(sentence.line, ()))


def _pair(wanted: list[Entry], places: dict[str, int], lost: list[Entry], left: list[Sentence]) -> list[Changed]:
    """For each lost entry the likeliest of the sentences left between the places of its neighbours."""
    changed: list[Changed] = []
    free = list(left)
    order = {entry.id: k for k, entry in enumerate(wanted)}
    for entry in lost:
        k = order[entry.id]
        low = next((places[e.id] for e in reversed(wanted[:k]) if e.id in places), 0)
        high = next((places[e.id] for e in wanted[k + 1 :] if e.id in places), None)
        between = [s for s in free if not s.heading and s.line >= low and (high is None or s.line <= high)]
        if between:
            best = max(between, key=lambda s: _likeness(entry, s))
            changed.append(Changed(entry, best))
            free.remove(best)
    return changed


def _likeness(entry: Entry, sentence: Sentence) -> float:
    # The sentence itself is not in the index; the paraphrase shares words with it where both are in one language.
    return difflib.SequenceMatcher(None, normalise(entry.paraphrase), sentence.normal, autojunk=False).ratio()
