"""`egodsl cite`: does a rulebook cover its document?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from egodsl.cli.console import Misuse, counted, out, out_json, show
from egodsl.cli.rulebooks import find_rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.analysis.symbols import Checked
    from egodsl.provenance.coverage import Coverage
    from egodsl.provenance.documents import Document
    from egodsl.provenance.matching import Match

_WIDEST = 70


@click.command("cite")
@click.argument("rulebook", metavar="RULEBOOK", required=False)
@click.option("--document", metavar="FILE", help="The document itself: hold the index against it.")
@click.option("--new", "new", metavar="FILE", help="Draft an index from a document, and print it.")
@click.option("--name", metavar="NAME", help="With --new: the name of the index (default: from the file's name).")
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(rulebook: str | None, document: str | None, new: str | None, name: str | None, as_json: bool) -> int:
    """Show every sentence of a rulebook's source with the declarations that cite it.

    A rule sentence that nothing cites, and a citation of a sentence that there is not, make the exit code 1; so do,
    with --document, sentences that only the index or only the document has, and wording that changed.

    The JSON is an object: `sentences` (`id`, `kind`, `paraphrase`, `same_as`, `by`: the declarations that cite it,
    `line` in the document), `cited`, `uncited` and `unknown` (ids), `missing` (`in_document`: ids that the document
    lacks, `in_index`: `line` and `text` of sentences that the index lacks), `changed` (`id`, `line`, `text`).
    """
    if new is not None:
        if rulebook is not None or document is not None or as_json:
            raise Misuse("`--new` stands alone: it reads a document and prints an index")
        return _draft(new, name)
    if rulebook is None or name is not None:
        raise Misuse("say which rulebook to look at", "`egodsl cite RULEBOOK`, or `egodsl cite --new DOCUMENT`")
    checked = _checked(rulebook)
    if checked is None:
        return 1
    return _report(checked, document, as_json=as_json)


def _draft(path: str, name: str | None) -> int:
    from egodsl.provenance.drafting import draft, name_of  # noqa: PLC0415 - only for drafts

    document = _document(path)
    if document is None:
        return 1
    chosen = name if name is not None else name_of(Path(path).stem)
    out(draft(document, chosen, Path(path).stem).rstrip("\n"))
    return 0


def _document(path: str) -> Document | None:
    from egodsl.provenance.documents import read_document  # noqa: PLC0415 - only where a document is given

    try:
        document, found = read_document(Path(path))
    except FileNotFoundError:
        raise Misuse(f"there is no file `{path}`") from None
    except IsADirectoryError:
        raise Misuse(f"`{path}` is a directory, not a document") from None
    show(found, err=True)
    return document


def _checked(rulebook: str) -> Checked | None:
    from egodsl.analysis import check_file  # noqa: PLC0415 - misuse is told before anything heavy is loaded

    path = find_rulebook(rulebook)
    checked, found = check_file(path)
    # An unknown citation is what this verb reports itself.
    others = [d for d in found if d.is_error and d.code.number != "EGO601"]
    if checked is None or others:
        show(others or found, err=True)
        return None
    return checked


def _report(checked: Checked, path: str | None, *, as_json: bool) -> int:
    from egodsl.provenance.coverage import coverage  # noqa: PLC0415 - as above
    from egodsl.provenance.matching import match  # noqa: PLC0415 - as above

    index = checked.program.index
    if index is None:
        raise Misuse(
            f"`{checked.program.name}` names no source", "write `source NAME` in its head, beside a file `NAME.source`"
        )
    found = coverage(checked.program.files, index)
    document = _document(path) if path is not None else None
    if path is not None and document is None:
        return 1
    held = match(index.own(), document) if document is not None else None
    if held is not None and path is not None and not held.places and any(e.fingerprint for e in index.own()):
        raise Misuse(f"`{path}` has no sentence in common with the source `{index.name}`", "is it the right document?")
    if as_json:
        out_json(_to_json(found, held))
    else:
        for line in _lines(found, held):
            out(line)
    short = bool(found.uncited or found.unknown)
    return 1 if short or (held is not None and not _agrees(held)) else 0


def _agrees(held: Match) -> bool:
    return not (held.changed or held.missing_entries or held.missing_sentences)


def _to_json(found: Coverage, held: Match | None) -> dict[str, Any]:
    index = found.index
    places = held.places if held is not None else {}
    return {
        "source": index.name,
        "sentences": [
            {
                "id": entry.id,
                "kind": str(entry.kind),
                "paraphrase": index.paraphrase(entry.id),
                "same_as": entry.same_as,
                "by": list(dict.fromkeys(c.by for c in found.cited[entry.id])),
                "line": places.get(entry.id),
            }
            for entry in index.entries.values()
        ],
        "cited": [one for one, by in found.cited.items() if by],
        "uncited": [entry.id for entry in found.uncited],
        "unknown": list(dict.fromkeys(c.id for c in found.unknown)),
        "missing": {
            "in_document": [e.id for e in held.missing_entries] if held is not None else [],
            "in_index": [{"line": s.line, "text": s.text} for s in held.missing_sentences] if held is not None else [],
        },
        "changed": [{"id": c.entry.id, "line": c.sentence.line, "text": c.sentence.text} for c in held.changed]
        if held is not None
        else [],
    }


def _lines(found: Coverage, held: Match | None) -> Iterable[str]:
    index = found.index
    for entry in index.entries.values():
        by = ", ".join(dict.fromkeys(c.by for c in found.cited[entry.id]))
        line = f" line {held.places[entry.id]}" if held is not None and entry.id in held.places else ""
        yield f"{entry.id:<10} {entry.kind:<10}{line} {by or '-'}"
    yield ""
    rules = [e for e in index.entries.values() if e.kind == "rule"]
    yield f"{index.title}: {counted(len(index.entries), 'sentence')}, {len(rules)} of them rules"
    for entry in found.uncited:
        yield f"not cited: {entry.id} ({_short(index.paraphrase(entry.id))})"
    for citation in found.unknown:
        yield f"not in the source: {citation.id}, cited by {citation.by} at {citation.span}"
    if held is not None:
        yield from _differences(held)
    if not found.uncited and not found.unknown:
        yield "every rule sentence is cited"


def _differences(held: Match) -> Iterable[str]:
    for change in held.changed:
        yield f"changed: {change.entry.id}, now at line {change.sentence.line}: {_short(change.sentence.text)}"
    for entry in held.missing_entries:
        yield f"not in the document: {entry.id} at {entry.span}"
    for sentence in held.missing_sentences:
        yield f"not in the index: line {sentence.line}: {_short(sentence.text)}"
    yield f"{counted(len(held.places), 'sentence')} of the index found in the document"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _WIDEST else flat[: _WIDEST - 1] + "…"
