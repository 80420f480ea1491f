"""A player's rulebook before it is put on a page: sections of blocks, and notes that words refer to."""

from __future__ import annotations

import attrs


@attrs.frozen
class Ref:
    """A place that refers to note `number`; it is the `use`-th such place, from 1."""

    number: int
    use: int


@attrs.frozen
class Run:
    """Words, then the notes referred to after them. The words are empty where a paragraph begins with references."""

    text: str
    refs: tuple[Ref, ...] = ()


Words = tuple[Run, ...]
"""A line or paragraph."""


@attrs.frozen
class Paragraph:
    """A paragraph; `lead` is what it is about, set before it."""

    words: Words
    lead: str | None = None


@attrs.frozen
class Term:
    """Something with a name, a few words on what kind of thing it is, and what is to be said of it."""

    title: Words
    detail: str
    blocks: tuple[Block, ...]


@attrs.frozen
class Terms:
    """A list of things with names."""

    terms: tuple[Term, ...]


@attrs.frozen
class Table:
    """Rows of cells below a head; `numbers` are the columns, from 0, that hold numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[tuple[Paragraph, ...], ...], ...]
    numbers: tuple[int, ...] = ()


@attrs.frozen
class Listed:
    """Plain entries below a caption, in one paragraph, or, if `long`, each on a line of its own."""

    caption: str
    entries: tuple[str, ...]
    long: bool


@attrs.frozen
class Example:
    """A situation: each of `lines` is what it tells (as `Before` or `Then`) and how."""

    title: Words
    paragraphs: tuple[Paragraph, ...]
    lines: tuple[tuple[str, str], ...]


@attrs.frozen
class Answer:
    """An answer to an open question."""

    text: str
    chosen: bool
    paragraphs: tuple[Paragraph, ...]


@attrs.frozen
class Question:
    """An open question with its answers, of which one is chosen."""

    question: Words
    paragraphs: tuple[Paragraph, ...]
    answers: tuple[Answer, ...]


Block = Paragraph | Terms | Table | Listed | Example | Question


@attrs.frozen
class Section:
    """A heading, what stands below it, and the sections within. `anchor` is of one section only."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...] = ()


@attrs.frozen
class Note:
    """Note `number`: a sentence's id, what kind of sentence it is, what it says in other words, and how often the
    document refers to it.
    """

    number: int
    id: str
    kind: str
    text: str
    uses: int


@attrs.frozen
class Document:
    """The whole. `facts` are short lines with a name each."""

    title: str
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    notes: tuple[Note, ...]
