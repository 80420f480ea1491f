"""From a `.source` file to its index, or to everything that is wrong with it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from egodsl.provenance.citations import MOST_SUGGESTIONS
from egodsl.provenance.fingerprint import FINGERPRINT_LENGTH
from egodsl.provenance.index import Entry, Kind, SourceIndex
from egodsl.provenance.lines import Lines, Token, read_lines
from egodsl.source.diagnostics import Diagnostic, Diagnostics, Label
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.source.text import SourceText, read_source

_KINDS = {kind.value: kind for kind in Kind}
_FINGERPRINT = re.compile(rf"\[[0-9a-f]{{{FINGERPRINT_LENGTH}}}\]")
_MOST_IN_A_CIRCLE = 8
_HEAD_HELP = 'begin the file with a line such as `source my_game "My Game, the printed rules"`'


def load_index(path: str | os.PathLike[str]) -> tuple[SourceIndex | None, list[Diagnostic]]:
    """Read the index in the file `path`, and with it the one that it adds to.

    Gives the index, or None if there is any error, and all diagnostics. An index that `adds to NAME` reads
    `NAME.source` in the directory of `path`; its entries come first. Raises FileNotFoundError if there is no file
    `path`, and any other OSError as the system reports it.
    """
    found = Diagnostics()
    index = _load(path, (), found)
    return (None if found.has_errors else index), found.sorted()


class _Head(NamedTuple):
    name: str
    title: str
    base: Token | None
    span: Span


def _load(path: str | os.PathLike[str], added_to: tuple[str, ...], found: Diagnostics) -> SourceIndex | None:
    # `added_to` holds the names of the indexes that led here, so that a circle of `adds to` comes to an end.
    source, unreadable = read_source(path)
    found.extend(unreadable)
    if source is None:
        return None
    lines = read_lines(source, found)
    head = _head(source, lines, found)
    base = None
    if head is not None and head.base is not None:
        base = _load_base(source, head.base, (*added_to, head.name), found)
    entries = _entries(source, lines.entries, base.entries if base else {}, found)
    if not entries and head is not None and not lines.bad:
        message = f"the index `{head.name}` has no sentences"
        found.error("EGO610", head.span, message, help="add a line such as `EW-05 rule: …` below its head")
    # Where the head or a base could not be read, an id that seems to be missing may well stand in the base.
    if head is not None and (head.base is None or base is not None):
        _check_same(source, entries, lines.bad, found)
    _check_circles(source, entries, found)
    if head is None:
        return None
    return SourceIndex(head.name, head.title, base.name if base else None, entries, head.span)


def _head(source: SourceText, lines: Lines, found: Diagnostics) -> _Head | None:
    entries = [_line_span(source, line) for line in lines.entries[:1]]
    if not lines.heads:
        if "source" not in lines.bad:
            place = entries[0] if entries else Span(source, 0, 0)
            found.error("EGO603", place, "the file does not begin with its head", help=_HEAD_HELP)
        return None
    heads = [_head_of(source, line) for line in lines.heads]
    first = heads[0]
    if entries and entries[0].start < first.span.start:
        found.error("EGO603", first.span, "the head stands below a sentence", help="move it to the top of the file")
    for head in heads[1:]:
        found.error(
            "EGO603",
            head.span,
            f"a second head, of `{head.name}`",
            help="keep one index in a file",
            labels=[Label(first.span, "the first head")],
        )
    stem = Path(source.path).stem
    if first.name != stem:
        found.warning(
            "EGO611",
            first.span,
            f"the index calls itself `{first.name}`, its file `{stem}`",
            help="a rulebook finds an index by the name of the file: give both the same",
        )
    return first


def _head_of(source: SourceText, line: list[Token]) -> _Head:
    _, name, title, *base = line
    return _Head(name.text, title.text[1:-1], base[0] if base else None, _line_span(source, line))


def _load_base(source: SourceText, token: Token, added_to: tuple[str, ...], found: Diagnostics) -> SourceIndex | None:
    span = _span(source, token)
    name = token.text
    if name in added_to:
        circle = " to ".join(f"`{one}`" for one in (*added_to[added_to.index(name) :], name))
        found.error("EGO609", span, f"the index adds to itself: {circle}", help="leave out one `adds to` of the circle")
        return None
    path = Path(source.path).with_name(f"{name}.source")
    if not path.is_file():
        close = did_you_mean(name, (other.stem for other in path.parent.glob("*.source")))
        message = f"there is no index `{name}` to add to"
        found.error("EGO609", span, message, help=close or f"the file would be {path}")
        return None
    return _load(path, added_to, found)


def _entries(
    source: SourceText, lines: list[list[Token]], base: Mapping[str, Entry], found: Diagnostics
) -> dict[str, Entry]:
    # Those of `base` first. Of two entries with one id the first is kept.
    entries = dict(base)
    for line in lines:
        entry = _entry(source, line, found)
        before = entries.setdefault(entry.id, entry)
        if before is not entry:
            found.error(
                "EGO604",
                entry.id_span,
                f"the id `{entry.id}` is given twice",
                help="give each sentence an id of its own",
                labels=[Label(before.id_span, "first given here")],
            )
    return entries


def _entry(source: SourceText, line: list[Token], found: Diagnostics) -> Entry:
    parts = {token.name: token for token in line}
    kind = parts["KIND"]
    if kind.text not in _KINDS:
        close = did_you_mean(kind.text, _KINDS) or f"the kinds are {', '.join(_KINDS)}"
        found.error("EGO605", _span(source, kind), f"there is no kind `{kind.text}`", help=close)
    fingerprint = parts.get("FINGERPRINT")
    if fingerprint is not None and not _FINGERPRINT.fullmatch(fingerprint.text):
        found.error(
            "EGO608",
            _span(source, fingerprint),
            f"`{fingerprint.text}` is no fingerprint",
            help=f"a fingerprint has {FINGERPRINT_LENGTH} digits from 0-9 and a-f; it may be left out",
        )
    same = parts.get("SAME")
    return Entry(
        id=parts["ID"].text,
        kind=_KINDS.get(kind.text, Kind.RULE),
        paraphrase=parts["PARAPHRASE"].text[1:].lstrip() if "PARAPHRASE" in parts else "",
        same_as=same.text if same is not None else None,
        fingerprint=fingerprint.text[1:-1] if fingerprint is not None else None,
        span=_line_span(source, line),
        same_as_span=_span(source, same) if same is not None else None,
    )


def _check_same(source: SourceText, entries: Mapping[str, Entry], bad: set[str], found: Diagnostics) -> None:
    # A line that could not be read may be the one that is meant: it has its own error already.
    known = entries.keys() | bad
    suggestions = MOST_SUGGESTIONS
    elsewhere = "if it stands in another document's index, `adds to` in the head takes that in"
    for entry in entries.values():
        if entry.span.source is source and entry.same_as is not None and entry.same_as not in known:
            message = f"`{entry.id}` is the same as `{entry.same_as}`, which is not there"
            close = did_you_mean(entry.same_as, entries.keys() - {entry.id}) if suggestions else None
            suggestions = max(0, suggestions - 1)
            found.error("EGO606", entry.same_as_span, message, help=close or elsewhere)


def _check_circles(source: SourceText, entries: Mapping[str, Entry], found: Diagnostics) -> None:
    # Each circle is reported once, at the entry of it that comes first.
    settled: set[str] = set()
    for first in entries:
        way: list[str] = []
        at: str | None = first
        while at is not None and at in entries and at not in settled:
            way.append(at)
            settled.add(at)
            at = entries[at].same_as
        if at is not None and at in way and entries[at].span.source is source:
            circle = way[way.index(at) :]
            shown = [f"`{one}`" for one in circle[:_MOST_IN_A_CIRCLE]] + ["…"] * (len(circle) > _MOST_IN_A_CIRCLE)
            chain = " as ".join([*shown, f"`{at}`"])
            message = f"sentences are the same in a circle: {chain}"
            found.error("EGO607", entries[at].same_as_span, message, help="give one of them words of its own")


def _span(source: SourceText, token: Token) -> Span:
    return Span(source, token.start, token.end)


def _line_span(source: SourceText, line: list[Token]) -> Span:
    return Span(source, line[0].start, line[-1].end)
