"""What was reached of rulebooks, as one HTML file that needs nothing else: the text of each file, its lines marked."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from egodsl.reports.coverage import NAMES, Line, Mark, lack_of, lines_of, share_of
from egodsl.reports.coverage_terminal import percent
from egodsl.verify.coverage import Coverage, CoveredFile, Sentence, tally

_STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --soft: #5c636b; --paper: #fff; --tint: #f4f5f7; --line: #d5d9de;
  --link: #0a58ad; --reached: #e4f3e6; --partly: #fdf0cf; --missed: #fbe0dc; --bar: #2c7a37; --half: #8a6100;
  --none: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e6e9; --soft: #a2a9b1; --paper: #16181b; --tint: #212429;
  --line: #3a3f46; --link: #8cbcf2; --reached: #17301b; --partly: #372d10; --missed: #43201d; --bar: #75c281;
  --half: #e2b84d; --none: #f29087; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, "Segoe UI", Ubuntu, "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.8rem; margin: 0 0 .5rem; } h2 { font-size: 1.3rem; margin: 2.5rem 0 .6rem; }
a { color: var(--link); } :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; } caption { text-align: left; padding-bottom: .4rem; color: var(--soft); }
.figures th, .figures td { text-align: left; padding: .15rem 1.2rem .15rem 0; border-bottom: 1px solid var(--line); }
.figures td { font-variant-numeric: tabular-nums; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; }
.text { overflow-x: auto; border: 1px solid var(--line); border-radius: .3rem; }
.text table { width: 100%; font: .85rem/1.45 ui-monospace, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace; }
.text td, .text th { padding: 0 .6rem; vertical-align: top; text-align: right; font-weight: 400; white-space: pre;
  color: var(--soft); }
.text td.rule { text-align: left; color: var(--ink); border-left: 4px solid transparent; }
.text .sign { padding-right: .4rem; color: var(--ink); }
.reached td.rule { background: var(--reached); border-left: 4px solid var(--bar); }
.partly td.rule { background: var(--partly); border-left: 4px dashed var(--half); }
.not-reached td.rule { background: var(--missed); border-left: 4px double var(--none); }
.note { display: block; white-space: pre-wrap; font: .8rem/1.4 system-ui, "Segoe UI", Ubuntu, Arial, sans-serif;
  padding: .1rem 0 .3rem 1.5rem; }
tr:target td.rule { outline: 2px solid var(--link); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print { .text { overflow: visible; } .text td { white-space: pre-wrap; } }
"""

_SIGNS: dict[Mark, str] = {"reached": "✓", "partly": "◐", "not reached": "✗", "not code": ""}


def html(coverage: Coverage, title: str) -> str:
    """The text of an HTML5 file: figures, what was not reached with links to it, sentences, and the files."""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<header>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{percent(share_of(coverage.places))} of the places are reached by {_tried(coverage)}.</p>",
        "</header>",
        "<main>",
        *_figures(coverage),
        *_unreached(coverage),
        *_sentences(coverage.sentences),
        *(line for number, file in enumerate(coverage.files, 1) for line in _file(number, file)),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _tried(coverage: Coverage) -> str:
    scenarios = sum(run.scenarios for run in coverage.runs)
    games = sum(run.games for run in coverage.runs)
    return f"{scenarios:,} scenario{'s' * (scenarios != 1)} and {games:,} random game{'s' * (games != 1)}"


def _figures(coverage: Coverage) -> Iterator[str]:
    yield '<table class="figures">'
    yield "<caption>How much is reached; a condition counts once as true and once as false</caption>"
    yield '<thead><tr><th scope="col">What</th><th scope="col">Reached</th><th scope="col">Of</th></tr></thead>'
    yield "<tbody>"
    for kind, (reached, there) in tally(coverage.places).items():
        yield f'<tr><th scope="row">{NAMES[kind]}</th><td>{reached}</td><td>{there}</td></tr>'
    if coverage.sentences:
        reached = sum(sentence.is_reached for sentence in coverage.sentences)
        yield f'<tr><th scope="row">cited sentences</th><td>{reached}</td><td>{len(coverage.sentences)}</td></tr>'
    yield "</tbody></table>"


def _unreached(coverage: Coverage) -> Iterator[str]:
    numbers = {file.source: number for number, file in enumerate(coverage.files, 1)}
    yield '<section aria-labelledby="unreached"><h2 id="unreached">Not reached</h2>'
    if not coverage.unreached:
        yield "<p>Everything is reached.</p>"
    else:
        yield "<ul>"
        for place in coverage.unreached:
            where = f"{coverage.files[numbers[place.span.source] - 1].name}, line {place.span.line}"
            anchor = f"#{_anchor(numbers[place.span.source], place.span.line)}"
            yield f'<li><a href="{anchor}">{escape(where)}</a>: {_code(lack_of(place))}</li>'
        yield "</ul>"
    yield "</section>"


def _sentences(sentences: list[Sentence]) -> Iterator[str]:
    lacking = [sentence for sentence in sentences if not sentence.is_reached]
    if not lacking:
        return
    yield '<section aria-labelledby="sentences"><h2 id="sentences">Cited sentences that are not reached</h2>'
    yield "<ul>"
    for sentence in lacking:
        says = f": {escape(sentence.says)}" if sentence.says else ""
        yield f"<li>{escape(sentence.id)} ({escape(sentence.cited[0].by)}){says}</li>"
    yield "</ul></section>"


def _file(number: int, file: CoveredFile) -> Iterator[str]:
    heading = f"file-{number}"
    yield f'<section aria-labelledby="{heading}">'
    yield f'<h2 id="{heading}">{escape(file.name)} <small>({escape(file.form)})</small></h2>'
    yield '<ul class="legend" aria-label="Signs">'
    yield from (f"<li>{sign} {mark}</li>" for mark, sign in _SIGNS.items() if sign)
    yield "<li>without a sign: not played, such as prose, cards and scenarios</li></ul>"
    yield f'<div class="text" role="region" aria-labelledby="{heading}" tabindex="0"><table>'
    yield '<thead class="hidden"><tr><th scope="col">Line</th><th scope="col">Times</th><th scope="col">Mark</th>'
    yield '<th scope="col">Text</th></tr></thead>'
    yield "<tbody>"
    yield from (_row(number, line) for line in lines_of(file))
    yield "</tbody></table></div></section>"


def _row(number: int, line: Line) -> str:
    anchor, count = _anchor(number, line.number), "" if line.count is None else f"{line.count:,}"
    sign, kind = _SIGNS[line.mark], line.mark.replace(" ", "-")
    said = f'<span aria-hidden="true">{sign}</span><span class="hidden">{line.mark}</span>' if sign else ""
    notes = "".join(f'<span class="note">{_code(note)}</span>' for note in line.notes)
    return (
        f'<tr id="{anchor}" class="{kind}"><th scope="row">{line.number}</th><td>{count}</td>'
        f'<td class="sign">{said}</td><td class="rule">{escape(line.text)}{notes}</td></tr>'
    )


def _anchor(file: int, line: int) -> str:
    return f"f{file}-{line}"


def _code(text: str) -> str:
    """What stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if k % 2 else part for k, part in enumerate(parts))
