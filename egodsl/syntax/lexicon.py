"""What the terminals of the grammar make of words and signs."""

from __future__ import annotations

import re
from functools import cache, cached_property

from egodsl.syntax.layout import Kind, token_expression
from egodsl.syntax.table import END, Table, load_table

GRAMMAR = "rules.lark"
_WORD = re.compile(r"\w|\(\w")
_NAME = re.compile(r"[^\W\d]\w*")
"""What is read as one word. Letters that no name has are complained of before, and the word is read on as a name."""


class Lexicon:
    """Looks words and signs up among the terminals of `table`."""

    def __init__(self, table: Table) -> None:
        self.table = table
        symbols = table.symbols
        self.name = symbols["NAME"]
        # A word that can stand wherever a statement can begin.
        self.statement = symbols["SHUFFLE"]
        fixed = {
            Kind.INT: symbols["INT"],
            Kind.STRING: symbols["STRING"],
            Kind.PROSE: symbols["PROSE"],
            Kind.NL: symbols["_NL"],
            Kind.INDENT: symbols["_INDENT"],
            Kind.DEDENT: symbols["_DEDENT"],
            Kind.END: symbols[END],
        }
        self.fixed = [fixed.get(kind, -1) for kind in Kind]
        patterns = [pair for pair in table.patterns if pair[0] not in self.fixed]
        phrases = [pair for pair in patterns if "[ \t]" in pair[1]]
        self._phrases = [(number, re.compile(text)) for number, text in phrases]
        # The words that phrases begin with: only after these is it worth looking for one.
        self.phrase_starts = frozenset(word for _, text in phrases for word in re.findall(r"(?:^|\|)(\w+)\[", text))
        literal = set(table.literals.values())
        self._patterns = [
            (number, re.compile(text))
            for number, text in patterns
            if number != self.name and number not in literal and (number, text) not in phrases
        ]
        # Only of the grammar's own words and signs: there is no end to names.
        self._known: dict[str, tuple[int, ...]] = {}
        self._only_name = (self.name,)
        signs = [text for number, text in patterns if number != self.name and not _WORD.match(text)]
        self.expression = token_expression("|".join(signs))

    def terminals(self, text: str) -> tuple[int, ...]:
        """The terminals that the word or sign `text` can be, the one to be preferred first; NAME is the last resort."""
        known = self._known.get(text)
        if known is None and _NAME.fullmatch(text) and text not in self.words:
            return self._only_name
        if known is None:
            found = [number for number, expression in self._patterns if expression.fullmatch(text)]
            if text in self.table.literals:
                found.append(self.table.literals[text])
            if not text or _NAME.fullmatch(text):
                found.append(self.name)
            known = self._known[text] = tuple(found)
        return known

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that the grammar has a use of its own for."""
        listed = {
            word
            for _, pattern in (*self._patterns, *self._phrases)
            for word in re.findall(r"[a-z]+", re.sub(r"\\b|\[[^]]*\]", " ", pattern.pattern))
        }
        return frozenset({word for word in self.table.literals if word.isalpha()} | listed)

    def phrases(self, text: str) -> tuple[int, ...]:
        """The terminals that the two words in `text`, with a blank between them, can be."""
        return tuple(number for number, expression in self._phrases if expression.fullmatch(text))


@cache
def lexicon() -> Lexicon:
    """The lexicon of `.rules` files."""
    return Lexicon(load_table(GRAMMAR))
