"""Prose as paragraphs: its lines joined, its citations turned into references to numbered notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from egodsl.provenance import Kind, SourceIndex, find_citations
from egodsl.reports.player_rules_model import Note, Paragraph, Ref, Run, Words
from egodsl.syntax import nodes


def readable(name: str) -> str:
    """A name of the language as words: `take_discard` is *take discard*."""
    return name.replace("_", " ")


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def plain(text: str) -> Words:
    """Words without references."""
    return (Run(text),)


@attrs.define
class Notes:
    """The notes, numbered in the order in which sentences are first cited."""

    index: SourceIndex | None
    _uses: dict[str, int] = attrs.Factory(dict)
    _numbers: dict[str, int] = attrs.Factory(dict)

    def ref(self, sentence: str) -> Ref:
        """A new reference to the sentence of this id."""
        number = self._numbers.setdefault(sentence, len(self._numbers) + 1)
        self._uses[sentence] = self._uses.get(sentence, 0) + 1
        return Ref(number, self._uses[sentence])

    def all(self) -> tuple[Note, ...]:
        """Every note that something refers to."""
        return tuple(self._note(sentence, number) for sentence, number in self._numbers.items())

    def _note(self, sentence: str, number: int) -> Note:
        if self.index is None or sentence not in self.index:
            return Note(number, sentence, "", "", self._uses[sentence])
        kind = self.index.entries[sentence].kind
        word = "open question" if kind is Kind.QUESTION else "" if kind is Kind.RULE else kind.value
        return Note(number, sentence, word, self.index.paraphrase(sentence), self._uses[sentence])

    def paragraphs(self, prose: nodes.Prose | None, lead: str | None = None) -> tuple[Paragraph, ...]:
        """The prose in paragraphs, which empty lines divide; the first has the `lead`."""
        found: list[Paragraph] = []
        for text in _texts(prose):
            found.append(Paragraph(self.words(text), lead))
            lead = None
        return tuple(found)

    def words(self, text: str) -> Words:
        """A line, with references in place of its citations."""
        runs: list[Run] = []
        done = 0
        for start, end, cited in _groups(text):
            before = text[done:start].rstrip()
            refs = tuple(self.ref(sentence) for sentence in cited)
            if not before and runs:
                runs[-1] = attrs.evolve(runs[-1], refs=runs[-1].refs + refs)
            else:
                runs.append(Run(before if runs else before.lstrip(), refs))
            done = end
        rest = text[done:]
        if rest.strip():
            runs.append(Run(rest))
        return tuple(runs)


def _texts(prose: nodes.Prose | None) -> Iterator[str]:
    lines: list[str] = []
    for line in (*prose.lines, "") if prose is not None else ():
        if line:
            lines.append(line)
        elif lines:
            yield " ".join(lines)
            lines = []


def _groups(text: str) -> Iterator[tuple[int, int, list[str]]]:
    # The brackets with ids in them: from, past, and the ids.
    groups: dict[tuple[int, int], list[str]] = {}
    for sentence, start, end in find_citations(text):
        groups.setdefault((text.rindex("[", 0, start), text.index("]", end) + 1), []).append(sentence)
    for (start, end), cited in groups.items():
        yield start, end, cited


def below(title: str, paragraphs: tuple[Paragraph, ...]) -> tuple[Words, tuple[Paragraph, ...]]:
    """A title and what stands below it: where that is nothing but references, they go to the title."""
    if paragraphs and all(not run.text for paragraph in paragraphs for run in paragraph.words):
        refs = tuple(ref for paragraph in paragraphs for run in paragraph.words for ref in run.refs)
        return (Run(title, refs),), ()
    return plain(title), paragraphs


def cited_in(node: nodes.Node) -> set[str]:
    """The ids of all sentences that prose in the node cites."""
    return {cited for prose in proses(node) for cited, _, _ in find_citations("\n".join(prose.lines))}


def proses(node: nodes.Node) -> Iterable[nodes.Prose]:
    """All prose in the node, its own included."""
    return (one for one in nodes.walk(node) if isinstance(one, nodes.Prose))
