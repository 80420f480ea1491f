"""Which sentences of a document a rulebook's declarations cite, and which rules nothing cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from egodsl.provenance.citations import find_citations
from egodsl.provenance.index import Entry, Kind, SourceIndex
from egodsl.source.span import Span
from egodsl.syntax import nodes


@attrs.frozen
class Citation:
    """One place where a rulebook cites a sentence: the id, the declaration's name (or the head's) and the place."""

    id: str
    by: str
    span: Span


@attrs.frozen
class Coverage:
    """Every sentence of an index with the places that cite it, directly or by a sentence that says the same.

    `uncited` are the rule sentences that nothing cites; `unknown` the citations of ids that the index does not have.
    """

    index: SourceIndex
    cited: dict[str, tuple[Citation, ...]]
    uncited: tuple[Entry, ...]
    unknown: tuple[Citation, ...]


def citations_of(modules: Iterable[nodes.Module]) -> Iterator[Citation]:
    """Every citation in the prose of the files, in order."""
    for module in modules:
        yield from _in_prose(module.prose, module.name.name)
        for item in module.items:
            name = item.title if isinstance(item, nodes.ScenarioDecl) else item.name.name
            for node in nodes.walk(item):
                prose = getattr(node, "prose", None)
                if isinstance(prose, nodes.Prose):
                    yield from _in_prose(prose, name)


def _in_prose(prose: nodes.Prose | None, by: str) -> Iterator[Citation]:
    if prose is None:
        return
    span = prose.span
    for cited, start, end in find_citations(span.text, span.start):
        yield Citation(cited, by, Span(span.source, start, end))


def coverage(modules: Iterable[nodes.Module], index: SourceIndex, own: Iterable[Entry] | None = None) -> Coverage:
    """Hold the citations of the files against the index; `own`: the entries that are asked about (default: all).

    Sentences that say the same stand for each other: to cite one is to cite all of them.
    """
    asked = list(index.entries.values()) if own is None else list(own)
    by_meaning: dict[str, list[Citation]] = {}
    unknown: list[Citation] = []
    for citation in citations_of(modules):
        if citation.id in index:
            by_meaning.setdefault(index.resolve(citation.id).id, []).append(citation)
        else:
            unknown.append(citation)
    cited = {entry.id: tuple(by_meaning.get(index.resolve(entry.id).id, ())) for entry in asked}
    uncited = tuple(entry for entry in asked if entry.kind is Kind.RULE and not cited[entry.id])
    return Coverage(index, cited, uncited, tuple(unknown))
