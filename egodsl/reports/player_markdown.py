"""A player's rulebook as Markdown (CommonMark)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from egodsl.reports import player_rules_model as m

_SPECIAL = re.compile(r"([\\`*_\[\]<>|&])")
_BEGINS = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|=+\s*$|~{3,}|\d{1,9}(?=[.)](?:\s|$)))")


def markdown(document: m.Document) -> str:
    """The text of a Markdown file."""
    blocks = [f"# {_escape(document.title)}"]
    blocks.append("\n".join(f"- **{_escape(name)}:** {_escape(text)}" for name, text in document.facts))
    blocks += _blocks(document.blocks)
    for section in document.sections:
        blocks += _section(section, 2)
    if document.notes:
        blocks += ["## Notes", "\n".join(_note(note) for note in document.notes)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(section: m.Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {_escape(section.title)}"
    yield from _blocks(section.blocks)
    for inner in section.sections:
        yield from _section(inner, level + 1)


def _blocks(blocks: tuple[m.Block, ...]) -> Iterator[str]:
    for block in blocks:
        match block:
            case m.Paragraph():
                yield _paragraph(block)
            case m.Terms():
                yield "\n\n".join(_term(term) for term in block.terms)
            case m.Table():
                yield _table(block)
            case m.Listed():
                yield _listed(block)
            case m.Example():
                yield _example(block)
            case m.Question():
                yield _question(block)


def _term(term: m.Term) -> str:
    detail = f" ({_escape(term.detail)})" if term.detail else ""
    return _item([f"**{_words(term.title[:1], bare=True)}**{_refs(term.title)}{detail}", *_blocks(term.blocks)])


def _item(blocks: list[str]) -> str:
    first, *rest = blocks
    return "\n\n".join([f"- {_indented(first)}", *(f"  {_indented(one)}" for one in rest)])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line and k else line for k, line in enumerate(text.split("\n")))


def _table(table: m.Table) -> str:
    # CommonMark has no tables: each row is an item, and each cell after the first says its column.
    items = []
    for row in table.rows:
        name, *said = [_paragraph(paragraph) for paragraph in row[0]]
        cells = [" ".join(_paragraph(paragraph) for paragraph in cell) for cell in row[1:]]
        heads = [_escape(head) for head in table.head[1:]]
        told = "; ".join(f"{head.lower()}: {cell}" for head, cell in zip(heads, cells, strict=True) if cell)
        items.append(" ".join([f"- **{name}** — {told}." if said else f"- **{name}** — {told}", *said]))
    return "\n".join(items)


def _listed(block: m.Listed) -> str:
    entries = [_escape(entry) for entry in block.entries]
    if block.long:
        return "\n".join([f"**{_escape(block.caption)}:**", "", *(f"- {entry}" for entry in entries)])
    return f"**{_escape(block.caption)}:** {', '.join(entries)}"


def _example(example: m.Example) -> str:
    title = f"**Example: {_words(example.title, bare=True)}.**{_refs(example.title)}"
    said = [_paragraph(paragraph) for paragraph in example.paragraphs]
    lines = [f"- *{_escape(label)}:* {_escape(text)}" for label, text in example.lines]
    blocks = [" ".join([title, *said[:1]]), *said[1:], "\n".join(lines)]
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(block for block in blocks if block).split("\n"))


def _question(question: m.Question) -> str:
    blocks = [f"### {_words(question.question)}"]
    blocks += [_paragraph(paragraph) for paragraph in question.paragraphs]
    answers = []
    for answer in sorted(question.answers, key=lambda one: not one.chosen):
        text = f"**Here:** {_escape(answer.text)}." if answer.chosen else f"Otherwise: {_escape(answer.text)}."
        answers.append(f"- {' '.join([text, *(_paragraph(one) for one in answer.paragraphs)])}")
    return "\n\n".join([*blocks, "\n".join(answers)])


def _paragraph(paragraph: m.Paragraph) -> str:
    words = _words(paragraph.words)
    return f"**{_escape(paragraph.lead)}:** {words}" if paragraph.lead is not None else words


def _words(words: m.Words, *, bare: bool = False) -> str:
    return "".join(_escape(run.text) + ("" if bare else _refs((run,))) for run in words).strip()


def _refs(words: m.Words) -> str:
    return "".join(f" \\[{ref.number}\\]" for run in words for ref in run.refs)


def _note(note: m.Note) -> str:
    kind = f", {note.kind}" if note.kind else ""
    return f"{note.number}. **{_escape(note.id)}**{kind}{f': {_escape(note.text)}' if note.text else ''}"


def _escape(text: str) -> str:
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()) if "\n" in text else text)
    return _BEGINS.sub(lambda found: f"{found.group(1)}{_held(found.group(2))}", escaped)


def _held(mark: str) -> str:
    return f"{mark}\\" if mark[0].isdigit() else f"\\{mark}"
