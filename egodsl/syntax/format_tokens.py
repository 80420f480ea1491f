"""The tokens of a file as the formatter compares them, with their places."""

from __future__ import annotations

import re

import attrs

from egodsl.syntax.printer_docs import TOKEN, flat, tokens
from egodsl.syntax.printer_statements import Line

_SPACE_OR_COMMENT = re.compile(r"(?:[^\S\n]|#[^\n]*)+")
_PROSE = re.compile(r">[^\n]*")


@attrs.frozen
class SourceToken:
    """A token: `text` is the same for all ways of writing it, `start` and `end` are offsets in the file."""

    text: str
    start: int
    end: int


def source_tokens(text: str) -> list[SourceToken]:
    """All tokens of a file without comments. A line of prose is one; empty parentheses are none (see `tokens`)."""
    found: list[SourceToken] = []
    open_brackets = 0
    at_line_start = True
    place = 0
    while place < len(text):
        if text[place] == "\n":
            at_line_start = True
            place += 1
            continue
        space = _SPACE_OR_COMMENT.match(text, place)
        if space is not None:
            place = space.end()
            continue
        is_prose = at_line_start and not open_brackets and text[place] == ">"
        match = (_PROSE if is_prose else TOKEN).match(text, place)
        if match is None:
            msg = f"no token at offset {place}"
            raise ValueError(msg)
        word = match.group()
        if word == ")" and found and found[-1].text == "(":
            found.pop()
        else:
            found.append(SourceToken(_normal(word, is_prose=is_prose), place, match.end()))
        open_brackets += (word in "([{") - (word in ")]}")
        at_line_start = False
        place = match.end()
    return found


def token_texts(line: Line) -> list[str]:
    """The texts of the tokens of a printed line."""
    written = flat(line.doc)
    return [_normal(word, is_prose=line.prose) for word in ([written] if line.prose else tokens(written))]


def _normal(word: str, *, is_prose: bool) -> str:
    if is_prose:
        return f"> {word[1:].strip()}"
    return word.lstrip("0") or "0" if word.isdecimal() else word
