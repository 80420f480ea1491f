"""A player's rulebook as one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from egodsl.reports import player_rules_model as m

_STYLE = """
:root { color-scheme: light dark; --ink: #22201c; --soft: #6a645b; --paper: #fdfcf9; --tint: #f3efe6; --line: #ddd6c8;
  --accent: #8a3b12; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e1d8; --soft: #a39b8d; --paper: #1b1a18; --tint: #26241f;
  --line: #3d3932; --accent: #e59a67; } }
* { box-sizing: border-box; }
html { font-size: 106.25%; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 3rem 1.25rem 5rem; max-width: 42rem; background: var(--paper); color: var(--ink);
  font-family: Charter, "Bitstream Charter", "Sitka Text", Cambria, "Liberation Serif", Georgia, serif;
  line-height: 1.55; hyphens: auto; overflow-wrap: break-word; }
h1, h2, h3, h4, .facts, nav, table, .label, .caption, .detail, .notes { font-family: "Avenir Next", Avenir,
  "Segoe UI", Ubuntu,
  "Liberation Sans", "Helvetica Neue", Arial, sans-serif; hyphens: manual; }
h1 { font-size: 2.3rem; line-height: 1.1; margin: 0 0 1.2rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; line-height: 1.2; margin: 3.2rem 0 1rem; padding-top: .6rem;
  border-top: 2px solid var(--accent); }
h3 { font-size: 1.1rem; line-height: 1.3; margin: 2rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
p { margin: 0 0 .8rem; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0 0 1.6rem;
  font-size: .88rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
nav { margin: 2rem 0; padding: 1rem 1.25rem; background: var(--tint); border-radius: .4rem; font-size: .88rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: 1.1rem; }
nav li { padding-bottom: .3rem; line-height: 1.35; }
nav ul ul { padding-top: .3rem; margin-bottom: -.3rem; }
nav > ul { columns: 2 15rem; column-gap: 2rem; }
nav > ul > li { break-inside: avoid; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.terms { margin: 0 0 1rem; }
.terms > dt { font-weight: 700; margin-top: 1rem; }
.terms > dd { margin: .15rem 0 0 1.25rem; }
.terms > dd > :last-child { margin-bottom: 0; }
.detail { font-size: .82rem; font-weight: 400; color: var(--soft); }
table { border-collapse: collapse; width: 100%; margin: 0 0 1.2rem; font-size: .88rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td > p { margin: 0 0 .4rem; }
td > p:last-child { margin-bottom: 0; }
tbody th { color: inherit; }
tbody th > p + p { font-weight: 400; }
table.short { width: auto; min-width: 55%; }
.caption { font-size: .88rem; font-weight: 600; margin-bottom: .2rem; }
.faces { margin: 0 0 1rem; }
.face { white-space: nowrap; }
ul.faces { padding-left: 1.1rem; font-size: .92rem; line-height: 1.45; }
.example { margin: 1.1rem 0; padding: .8rem 1rem; background: var(--tint); border-left: 3px solid var(--accent);
  border-radius: 0 .4rem .4rem 0; font-size: .93rem; line-height: 1.5; break-inside: avoid; }
.example p { margin: 0 0 .4rem; }
.example .title { font-weight: 700; }
.example dl { display: grid; grid-template-columns: 3.6rem 1fr; gap: .15rem .6rem; margin: 0; }
.example dd { margin: 0; }
.label { font-size: .78rem; line-height: 1.8; color: var(--soft); }
.answers { list-style: none; padding: 0; margin: 0 0 1rem; }
.answers li { margin: .25rem 0; padding-left: 1.5rem; position: relative; color: var(--soft); }
.answers li::before { content: "○"; position: absolute; left: .1rem; }
.answers li.chosen { color: inherit; font-weight: 600; }
.answers li.chosen::before { content: "●"; color: var(--accent); }
.answers p { font-weight: 400; margin: .2rem 0; }
.refs { font-size: .68em; line-height: 0; font-weight: 400; margin-left: .1em; font-variant-numeric: tabular-nums; }
.refs a { text-decoration: none; }
.notes { font-size: .82rem; line-height: 1.45; padding-left: 2.2rem; }
.notes li { margin: .25rem 0; }
.notes li:target, .refs a:target { background: var(--tint); outline: 2px solid var(--accent); }
.id { font-weight: 600; white-space: nowrap; }
.back { text-decoration: none; margin-left: .2rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --tint: #f4f4f4; --line: #bbb; --accent: #000; }
  html { font-size: 10pt; } body { max-width: none; padding: 0; } nav, .back { display: none; }
  h2, h3, h4, dt, .caption { break-after: avoid; } tr, .terms > dd { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
  @page { margin: 2cm; } }
"""

_MANY = 6
"""Columns of a table up to which, holding numbers, it need not be as wide as the page."""


def html(document: m.Document) -> str:
    """The text of an HTML5 file: contents, sections, notes, each note linked to the places that refer to it."""
    title = escape(document.title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<header>",
        f"<h1>{title}</h1>",
        *_pairs(document.facts, "facts"),
        "</header>",
        "<main>",
        *_blocks(document.blocks),
        *_contents(document),
        *(line for section in document.sections for line in _section(section, 2)),
        *_notes(document.notes),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _pairs(pairs: Iterable[tuple[str, str]], kind: str) -> Iterator[str]:
    yield f'<dl class="{kind}">'
    for name, text in pairs:
        yield f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>"
    yield "</dl>"


def _contents(document: m.Document) -> Iterator[str]:
    yield '<nav aria-label="Contents">'
    yield "<ul>"
    for section in document.sections:
        yield f"<li>{_link(section)}"
        if section.sections and section.anchor != "examples":
            yield "<ul>"
            yield from (f"<li>{_link(inner)}</li>" for inner in section.sections)
            yield "</ul>"
        yield "</li>"
    if document.notes:
        yield '<li><a href="#notes">Notes</a></li>'
    yield "</ul>"
    yield "</nav>"


def _link(section: m.Section) -> str:
    return f'<a href="#{section.anchor}">{escape(section.title)}</a>'


def _section(section: m.Section, level: int) -> Iterator[str]:
    yield f'<section aria-labelledby="{section.anchor}">'
    yield f'<h{level} id="{section.anchor}">{escape(section.title)}</h{level}>'
    yield from _blocks(section.blocks)
    for inner in section.sections:
        yield from _section(inner, level + 1)
    yield "</section>"


def _blocks(blocks: Iterable[m.Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case m.Paragraph():
                yield _paragraph(block)
            case m.Terms():
                yield from _terms(block)
            case m.Table():
                yield from _table(block)
            case m.Listed():
                yield from _listed(block)
            case m.Example():
                yield from _example(block)
            case m.Question():
                yield from _question(block)


def _paragraph(paragraph: m.Paragraph) -> str:
    lead = f"<b>{escape(paragraph.lead)}.</b> " if paragraph.lead is not None else ""
    return f"<p>{lead}{_words(paragraph.words)}</p>"


def _words(words: m.Words) -> str:
    return "".join(escape(run.text, quote=False) + _refs(run.refs) for run in words)


def _refs(refs: tuple[m.Ref, ...]) -> str:
    links = [f'<a id="ref-{ref.number}-{ref.use}" href="#note-{ref.number}">{ref.number}</a>' for ref in refs]
    return f'<sup class="refs">{", ".join(links)}</sup>' if links else ""


def _terms(block: m.Terms) -> Iterator[str]:
    yield '<dl class="terms">'
    for term in block.terms:
        detail = f' <span class="detail">{escape(term.detail)}</span>' if term.detail else ""
        yield f"<dt>{_words(term.title)}{detail}</dt>"
        yield "<dd>"
        yield from _blocks(term.blocks)
        yield "</dd>"
    yield "</dl>"


def _table(table: m.Table) -> Iterator[str]:
    short = bool(table.numbers) and len(table.head) <= _MANY
    yield '<table class="short">' if short else "<table>"
    heads = [f'<th scope="col"{_number(table, k)}>{escape(head)}</th>' for k, head in enumerate(table.head)]
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        yield f"<tr>{''.join(_cell(table, k, cell) for k, cell in enumerate(row))}</tr>"
    yield "</tbody>"
    yield "</table>"


def _number(table: m.Table, column: int) -> str:
    return ' class="number"' if column in table.numbers else ""


def _cell(table: m.Table, column: int, cell: tuple[m.Paragraph, ...]) -> str:
    alone = len(cell) == 1 and cell[0].lead is None
    inside = _words(cell[0].words) if alone else "".join(_paragraph(paragraph) for paragraph in cell)
    tag, scope = ("th", ' scope="row"') if column == 0 else ("td", "")
    return f"<{tag}{scope}{_number(table, column)}>{inside}</{tag}>"


def _listed(block: m.Listed) -> Iterator[str]:
    yield f'<p class="caption">{escape(block.caption)}</p>'
    if block.long:
        yield f'<ul class="faces">{"".join(f"<li>{escape(entry)}</li>" for entry in block.entries)}</ul>'
    else:
        faces = " · ".join(f'<span class="face">{escape(entry)}</span>' for entry in block.entries)
        yield f'<p class="faces">{faces}</p>'


def _example(example: m.Example) -> Iterator[str]:
    yield '<aside class="example">'
    yield f'<p class="title">Example: {_words(example.title)}</p>'
    yield from _blocks(example.paragraphs)
    yield "<dl>"
    for label, text in example.lines:
        yield f'<dt class="label">{escape(label)}</dt><dd>{escape(text)}</dd>'
    yield "</dl>"
    yield "</aside>"


def _question(question: m.Question) -> Iterator[str]:
    yield f"<h3>{_words(question.question)}</h3>"
    yield from _blocks(question.paragraphs)
    yield '<ul class="answers">'
    for answer in question.answers:
        said = "".join(_blocks(answer.paragraphs))
        kind = ' class="chosen"' if answer.chosen else ""
        hidden = ' <span class="hidden">(chosen here)</span>' if answer.chosen else ""
        yield f"<li{kind}>{escape(answer.text)}{hidden}{said}</li>"
    yield "</ul>"


def _notes(notes: tuple[m.Note, ...]) -> Iterator[str]:
    if not notes:
        return
    yield '<section aria-labelledby="notes">'
    yield '<h2 id="notes">Notes</h2>'
    yield "<p>What the rules come from, sentence by sentence, in other words.</p>"
    yield '<ol class="notes">'
    for note in notes:
        kind = f" ({escape(note.kind)})" if note.kind else ""
        text = f" {escape(note.text, quote=False)}" if note.text else ""
        yield f'<li id="note-{note.number}"><span class="id">{escape(note.id)}</span>{kind}{text} {_backs(note)}</li>'
    yield "</ol>"
    yield "</section>"


def _backs(note: m.Note) -> str:
    uses = range(1, note.uses + 1)
    return " ".join(
        f'<a class="back" href="#ref-{note.number}-{use}" aria-label="Back to reference {use} of note {note.number}">'
        f"{'↩' if use == 1 else use}</a>"
        for use in uses
    )
