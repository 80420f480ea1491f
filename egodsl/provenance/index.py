"""The sentences of a source document, as a `.source` file lists them."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from egodsl.source.span import Span


class Kind(enum.StrEnum):
    """What a sentence is for: a rule is to be followed in play, a question is what the document leaves open."""

    RULE = "rule"
    EXAMPLE = "example"
    DEFINITION = "definition"
    CONDUCT = "conduct"
    FLAVOUR = "flavour"
    QUESTION = "question"


@attrs.frozen
class Entry:
    """One sentence. `paraphrase` is empty only if `same_as` names another one; then it says at most what differs.

    `fingerprint` is that of the document's own sentence; entries made from one sentence share it. `span` is the entry's
    line, from its id to its last character; `same_as_span` is the place of the id in `same_as`.
    """

    id: str
    kind: Kind
    paraphrase: str
    same_as: str | None
    fingerprint: str | None
    span: Span
    same_as_span: Span | None = None

    @property
    def id_span(self) -> Span:
        """The place of the id alone."""
        return attrs.evolve(self.span, end=self.span.start + len(self.id))


@attrs.frozen(eq=False)
class SourceIndex:
    """The index of a document, or of a document together with the one it adds to.

    `entries` maps ids to entries in the order of the files, those of a base first. `name` and `title` are this
    document's; `base` is the name of the index it adds to. Every `same_as` of a loaded index leads, without a circle,
    to an entry of its own.
    """

    name: str
    title: str
    base: str | None
    entries: dict[str, Entry]
    span: Span
    """The head of the file."""

    def __contains__(self, sentence: object) -> bool:
        return sentence in self.entries

    def own(self) -> list[Entry]:
        """The entries of this file alone, without those of a base."""
        return [entry for entry in self.entries.values() if entry.span.source is self.span.source]

    def resolve(self, sentence: str) -> Entry:
        """The entry that first says what the sentence says: `same as` followed to its end.

        `sentence` is an id. Raises KeyError if there is no such sentence.
        """
        entry = self.entries[sentence]
        while entry.same_as is not None:
            entry = self.entries[entry.same_as]
        return entry

    def paraphrase(self, sentence: str) -> str:
        """What the sentence says, and after it what each `same as` on the way notes as different.

        `sentence` is an id. Raises KeyError if there is no such sentence.
        """
        entry = self.entries[sentence]
        notes = [entry.paraphrase]
        while entry.same_as is not None:
            entry = self.entries[entry.same_as]
            notes.append(entry.paraphrase)
        return " ".join(note for note in reversed(notes) if note)

    def extends(self, base: SourceIndex) -> SourceIndex:
        """This index with the entries of `base` before its own. An id of both keeps the base's place and this entry.

        Nothing changes where the file itself `adds to` that base: its entries are there already.
        """
        return attrs.evolve(self, base=base.name, entries=base.entries | self.entries)
