"""Documents: text with the places at which it may be broken, and the layout of one logical line.

A document is a string, a list of documents, or one of the classes here. A `Group` is laid out on one line if it fits;
otherwise all breaks that stand directly in it become line ends. In a `Fill` each break is decided on its own. Strings
hold whole tokens, so that the tokens of a document can be counted without laying it out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import attrs

WIDTH = 120
"""The widest a line of code may be, in characters."""

INDENT = 4
"""Spaces for each level of blocks, and for what a line is continued by."""


@attrs.frozen
class Break:
    """A place for a line end: `flat` if it is not taken. `opening` follows a bracket: taken only if that helps.

    `trailing` is a comment that ends the line, `above` are comments on lines of their own before the next; a break
    with either is always taken.
    """

    flat: str = " "
    opening: bool = False
    trailing: str | None = None
    above: tuple[str, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether it must be taken, because a comment stands here."""
        return self.trailing is not None or bool(self.above)


@attrs.frozen
class Nest:
    """`body`, with its line ends indented by one level more than the line on which it begins."""

    body: Doc


@attrs.frozen
class Group:
    """`body`, on one line if it fits."""

    body: Doc


@attrs.frozen
class Fill:
    """Contents and breaks in turn; a break is taken if the content after it does not fit on the line."""

    parts: list[Doc]


Doc: TypeAlias = "str | Break | Nest | Group | Fill | list[Doc]"

LINE = Break()
OPENING = Break("", opening=True)

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[^\W\d]\w*|[0-9]+|\.\.|:=|\+=|-=|!=|<=|>=|//|->|\S')
"""A token other than a line of prose: a string, a word or number, or a sign."""


def tokens(text: str) -> list[str]:
    """The tokens of printed text without comments; empty parentheses are none, since some names may go without them."""
    found: list[str] = []
    for word in TOKEN.findall(text):
        if word == ")" and found[-1:] == ["("]:
            found.pop()
        else:
            found.append(word)
    return found


def filled(items: Sequence[Doc]) -> Doc:
    """Items with commas, as many on a line as fit."""
    return Fill(comma_separated(items))


def comma_separated(items: Sequence[Doc]) -> list[Doc]:
    """The parts of a Fill: items with a comma and a break after each but the last."""
    parts: list[Doc] = []
    for item in items[:-1]:
        parts += [[item, ","], LINE]
    return [*parts, *items[-1:]]


def bracketed(left: str, items: Sequence[Doc], right: str) -> Doc:
    """Items between brackets, broken after commas where they do not fit."""
    if not items:
        return left + right
    parts = comma_separated(items)
    parts[-1] = [parts[-1], right]
    return Group([left, Nest(Fill(["", OPENING, *parts]))])


def enclosed(left: str, body: Doc, right: str) -> Doc:
    """One document between brackets, which breaks at its own places."""
    return Group([left, Nest(Fill(["", OPENING, [body, right]]))])


# ---------------------------------------------------------------- measuring


def flat(doc: Doc) -> str:
    """The text on one line, as if no comment stood in it."""
    match doc:
        case str():
            return doc
        case Break():
            return doc.flat
        case Nest() | Group():
            return flat(doc.body)
        case Fill():
            return "".join(flat(part) for part in doc.parts)
        case list():
            return "".join(flat(part) for part in doc)


def _is_forced(doc: Doc) -> bool:
    match doc:
        case str():
            return False
        case Break():
            return doc.forced
        case Nest() | Group():
            return _is_forced(doc.body)
        case Fill():
            return any(_is_forced(part) for part in doc.parts)
        case list():
            return any(_is_forced(part) for part in doc)


# ---------------------------------------------------------------- layout

_Command: TypeAlias = tuple[int, bool, Doc]
"""Indent, whether breaks are not taken, and what is to be laid out."""


def _fits(room: int, first: Doc, rest: list[_Command]) -> bool:
    # Whether `first`, flat, and what must follow it on the same line need no more than `room` characters.
    if _is_forced(first):
        return False
    room -= len(flat(first))
    waiting = list(rest)
    while waiting and room >= 0:
        indent, is_flat, doc = waiting.pop()
        match doc:
            case str():
                room -= len(doc)
            case Break():
                if doc.forced or not is_flat:
                    return True
                room -= len(doc.flat)
            case Nest():
                waiting.append((indent, is_flat, doc.body))
            case Group():
                # What follows may break, if it has to: only its text before its first break counts.
                waiting.append((indent, is_flat, doc.body))
            case Fill():
                waiting.extend((indent, is_flat, part) for part in reversed(doc.parts))
            case list():
                waiting.extend((indent, is_flat, part) for part in reversed(doc))
    return room >= 0


class _Layout:
    """Lays out one logical line."""

    def __init__(self, depth: int, hang: int) -> None:
        self.lines: list[str] = []
        self.current = ""
        self.margin = 0
        self.indent = INDENT * (depth + hang)
        self._begin(INDENT * depth)

    def run(self, doc: Doc) -> list[str]:
        stack: list[_Command] = [(self.indent, False, Group(doc))]
        while stack:
            indent, is_flat, part = stack.pop()
            match part:
                case str():
                    self.current += part
                case Break():
                    self._break(indent, part, taken=part.forced or not is_flat)
                case Nest():
                    stack.append((max(self.margin + INDENT, self.indent), is_flat, part.body))
                case Group():
                    fits = is_flat or _fits(WIDTH - len(self.current), part.body, stack)
                    stack.append((indent, fits, part.body))
                case Fill():
                    self._fill(indent, is_flat, part.parts, stack)
                case list():
                    stack.extend((indent, is_flat, item) for item in reversed(part))
        self._end()
        return self.lines

    def _fill(self, indent: int, is_flat: bool, parts: list[Doc], stack: list[_Command]) -> None:  # noqa: FBT001 -- the mode of a command
        # Lays out the first content, decides on the break after it, and leaves the rest for later.
        if is_flat or not parts:
            stack.extend((indent, is_flat, part) for part in reversed(parts))
            return
        first, *rest = parts
        if not isinstance(first, Break):
            if rest:
                stack.append((indent, False, Fill(rest)))
            stack.append((indent, False, first))
            return
        after: list[_Command] = [*stack, (indent, False, Fill(rest[1:]))] if rest[1:] else stack
        here = _fits(WIDTH - len(self.current) - len(first.flat), rest[0], after)
        there = _fits(WIDTH - indent, rest[0], after)
        self._break(indent, first, taken=first.forced or (not here and (there or not first.opening)))
        stack.append((indent, False, Fill(rest)))

    def _break(self, indent: int, place: Break, *, taken: bool) -> None:
        if not taken:
            self.current += place.flat
            return
        if place.trailing is not None:
            self.current = f"{self.current.rstrip()}  {place.trailing}"
        self._end()
        self.lines += [" " * indent + comment for comment in place.above]
        self._begin(indent)

    def _begin(self, indent: int) -> None:
        self.margin = indent
        self.current = " " * indent

    def _end(self) -> None:
        self.lines.append(self.current.rstrip())


def fits_on_a_line(doc: Doc, depth: int) -> bool:
    """Whether the text needs no more than one line at this depth of blocks."""
    return INDENT * depth + len(flat(doc)) <= WIDTH


def lay_out(doc: Doc, depth: int, *, hang: int = 1) -> list[str]:
    """The lines of one logical line at a depth of blocks; those after the first are indented by `hang` levels more."""
    return _Layout(depth, hang).run(doc)


# ---------------------------------------------------------------- comments


@attrs.frozen
class Remark:
    """A comment in a logical line: after its first `index` tokens, on its own line or not."""

    index: int
    text: str
    own_line: bool


def place_remarks(doc: Doc, remarks: list[Remark]) -> tuple[Doc, list[Remark]]:
    """`doc` with those comments at its breaks that can stand there, and the others, in order.

    Comments keep their order: those before one that has no place have none either.
    """
    places: set[int] = set()
    _find_breaks(doc, [0], places)
    placed = len(remarks)
    while placed and remarks[placed - 1].index in places:
        placed -= 1
    by_index: dict[int, list[Remark]] = {}
    for remark in remarks[placed:]:
        by_index.setdefault(remark.index, []).append(remark)
    return _with_remarks(doc, [0], by_index), remarks[:placed]


def _find_breaks(doc: Doc, count: list[int], places: set[int]) -> None:
    # `count` holds the number of tokens so far.
    match doc:
        case str():
            count[0] += len(tokens(doc))
        case Break():
            places.add(count[0])
        case Nest() | Group():
            _find_breaks(doc.body, count, places)
        case Fill() | list():
            for part in doc.parts if isinstance(doc, Fill) else doc:
                _find_breaks(part, count, places)


def _with_remarks(doc: Doc, count: list[int], by_index: dict[int, list[Remark]]) -> Doc:
    match doc:
        case str():
            count[0] += len(tokens(doc))
            return doc
        case Break():
            here = by_index.pop(count[0], [])
            trailing = next((remark.text for remark in here[:1] if not remark.own_line), None)
            above = here[1:] if trailing is not None else here
            return attrs.evolve(doc, trailing=trailing, above=tuple(remark.text for remark in above))
        case Nest():
            return Nest(_with_remarks(doc.body, count, by_index))
        case Group():
            return Group(_with_remarks(doc.body, count, by_index))
        case Fill():
            return Fill([_with_remarks(part, count, by_index) for part in doc.parts])
        case list():
            return [_with_remarks(part, count, by_index) for part in doc]
