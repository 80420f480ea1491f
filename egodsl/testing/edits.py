"""Generated edits of a text, such as happen while somebody writes: most leave a rulebook with something wrong in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st

from egodsl.engine.game import Rulebook
from egodsl.syntax.words import DECLARATION_WORDS, EXPRESSION_WORDS, STATEMENT_WORDS

Draw = Callable[[st.SearchStrategy[Any]], Any]

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]+\w*|\d+|:=|\+=|-=|->|\.\.|[<>!]=|[^\w\s]')
WORDS = tuple(sorted(DECLARATION_WORDS | STATEMENT_WORDS | EXPRESSION_WORDS))
SIGNS = ("(", ")", "[", "]", "{", "}", ":", ",", ".", "..", ":=", "=", "|", "-", "not", '"', "#", ">", "\\", "'")
ODD = (
    "\t",
    "\u00a0",
    "\u2014",
    "\u201c",
    "\x0c",
    "\u200b",
    "\U0001f0a1",
    "\u0301",
    "\u2028",
    "\r",
    "\x1b",
    ";",
    "@",
    "\ufeff",
)
NUMBERS = ("0", "1", "2", "7", "100", "00012", "9223372036854775808", "1" * 40)


class Editor:
    """Draws edits of one text at a time."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        found: int = self.draw(st.integers(0, n - 1))
        return found

    def one(self, choices: Sequence[str]) -> str:
        """One of them."""
        return choices[self.below(len(choices))]

    def edited(self, text: str) -> str:
        """The text after one edit."""
        edits = (
            self.drop_token,
            self.double_token,
            self.swap_tokens,
            self.insert_word,
            self.replace_token,
            self.rename,
            self.number,
            self.drop_line,
            self.double_line,
            self.swap_lines,
            self.indent,
            self.join_lines,
            self.drop_characters,
            self.insert_character,
            self.cut,
            self.cut_out,
        )
        return edits[self.below(len(edits))](text)

    # ------------------------------------------------------------ tokens

    def token(self, text: str, kind: str = "") -> tuple[int, int]:
        """Where a token begins and ends; with a kind, one of those that match it. An empty place if there is none."""
        found = [match.span() for match in TOKEN.finditer(text) if re.match(kind, match.group())]
        return found[self.below(len(found))] if found else (0, 0)

    def drop_token(self, text: str) -> str:
        start, end = self.token(text)
        return text[:start] + text[end:]

    def double_token(self, text: str) -> str:
        start, end = self.token(text)
        return f"{text[:end]} {text[start:]}"

    def swap_tokens(self, text: str) -> str:
        (a, b), (c, d) = sorted((self.token(text), self.token(text)))
        return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:] if b <= c else text

    def insert_word(self, text: str) -> str:
        start, _ = self.token(text)
        return f"{text[:start]}{self.one((*WORDS, *SIGNS))} {text[start:]}"

    def replace_token(self, text: str) -> str:
        start, end = self.token(text)
        other, after = self.token(text)
        return text[:start] + self.one((text[other:after], self.one(WORDS), self.one(SIGNS))) + text[end:]

    def rename(self, text: str) -> str:
        """One letter of a name goes, comes or changes."""
        start, end = self.token(text, r"[A-Za-z_]{2}")
        at = start + self.below(max(end - start, 1))
        return text[:at] + self.one(("", "x", text[at : at + 1] * 2)) + text[at + 1 :]

    def number(self, text: str) -> str:
        start, end = self.token(text, r"\d")
        return text[:start] + self.one(NUMBERS) + text[end:]

    # ------------------------------------------------------------ lines

    def lines(self, text: str) -> tuple[list[str], int]:
        """The lines, and the number of one of them."""
        found = text.splitlines(keepends=True) or [""]
        return found, self.below(len(found))

    def drop_line(self, text: str) -> str:
        lines, k = self.lines(text)
        return "".join(lines[:k] + lines[k + 1 + self.below(3) :])

    def double_line(self, text: str) -> str:
        lines, k = self.lines(text)
        return "".join([*lines[: k + 1], *lines[k:]])

    def swap_lines(self, text: str) -> str:
        lines, k = self.lines(text)
        other = self.below(len(lines))
        lines[k], lines[other] = lines[other], lines[k]
        return "".join(lines)

    def indent(self, text: str) -> str:
        """One or several lines go deeper or less deep."""
        lines, k = self.lines(text)
        for at in range(k, min(k + 1 + self.below(3), len(lines))):
            change = self.one(("    ", "  ", "\t", " ", "<"))
            lines[at] = lines[at].lstrip(" ") if change == "<" else change + lines[at]
        return "".join(lines)

    def join_lines(self, text: str) -> str:
        lines, k = self.lines(text)
        lines[k] = lines[k].rstrip("\n") + self.one((" ", "", "\\"))
        return "".join(lines)

    # ------------------------------------------------------------ characters

    def places(self, text: str) -> tuple[int, int]:
        """Two places, the first not after the second."""
        a, b = self.below(len(text) + 1), self.below(len(text) + 1)
        return min(a, b), max(a, b)

    def drop_characters(self, text: str) -> str:
        at, _ = self.places(text)
        return text[:at] + text[at + 1 + self.below(4) :]

    def insert_character(self, text: str) -> str:
        at, _ = self.places(text)
        return text[:at] + self.one((*ODD, *SIGNS)) + text[at:]

    def cut(self, text: str) -> str:
        return text[: self.places(text)[0]]

    def cut_out(self, text: str) -> str:
        """A stretch of up to some lines goes."""
        at, _ = self.places(text)
        return text[:at] + text[at + self.below(400) :]


def edits(rulebook: Rulebook | str, most: int = 3) -> st.SearchStrategy[str]:
    """Texts that come of a rulebook (or its text) by one to `most` edits such as happen while somebody writes: a word
    dropped or doubled, a line gone, an odd character. Most have something wrong in them; what reads rulebooks must
    answer to all. Of a rulebook in several files its own file is edited. They shrink to fewer and simpler edits.

    Raises ValueError where `most` is less than 1.
    """
    if most < 1:
        message = f"at least 1 edit is made, not {most}"
        raise ValueError(message)
    return _edited(rulebook if isinstance(rulebook, str) else rulebook.checked.program.root.span.source.text, most)


@st.composite
def _edited(draw: Draw, text: str, most: int) -> str:
    editor = Editor(draw)
    return list(accumulate(range(1 + editor.below(most)), lambda so_far, _: editor.edited(so_far), initial=text))[-1]
