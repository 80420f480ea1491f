"""The words of the language that cannot be names, and how other languages write what this one writes otherwise."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of `text`, which are separated by blanks."""
    return frozenset(text.split())


DECLARATION_WORDS = word_set(
    "enum type card components zone var parameter define event stage procedure action ability trigger reading mode "
    "scenario property replace extend remove"
)
"""A line at the margin begins with one of these."""

STATEMENT_WORDS = word_set(
    "choose let move swap roll shuffle reveal look pick rank play perform announce cancel end return stop nothing for "
    "as together at may if repeat turns otherwise until"
)
"""A statement begins with one of these, or with the place that it assigns to."""

EXPRESSION_WORDS = word_set("not and or else the in where true false none without")

FOREIGN_OPERATORS = {
    "===": "=",
    "==": "=",
    "!==": "!=",
    "<>": "!=",
    "=<": "<=",
    "=>": ">=",
    "&&": "and",
    "||": "or",
    "!": "not",
}
"""Signs of other languages, and what is written here."""

FOREIGN_WORDS = {"elif": "otherwise if", "elsif": "otherwise if", "elseif": "otherwise if", "else": "otherwise"}
"""Words that other languages begin a line with, and what is written here; after them `if` means the same everywhere."""

RESERVED = (
    DECLARATION_WORDS | STATEMENT_WORDS | EXPRESSION_WORDS | FOREIGN_WORDS.keys() | {"rulebook", "variant", "library"}
)
"""These name nothing but fields, which are only ever written after a point or before a colon."""

QUOTATION_MARKS = (
    "'`\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}"
    "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{SINGLE LOW-9 QUOTATION MARK}"
)
"""What word processors and other languages put for `"`."""

FOREIGN_CHARACTERS = {
    ";": "",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{HORIZONTAL ELLIPSIS}": "..",
    "\N{LESS-THAN OR EQUAL TO}": "<=",
    "\N{GREATER-THAN OR EQUAL TO}": ">=",
    "\N{NOT EQUAL TO}": "!=",
    "\N{MULTIPLICATION SIGN}": "*",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{COLON EQUALS}": ":=",
    "\N{UNION}": "|",
    "\N{INTERSECTION}": "&",
    "\N{LOGICAL AND}": "and",
    "\N{LOGICAL OR}": "or",
    "\N{NOT SIGN}": "not",
    "\N{ELEMENT OF}": "in",
    "\N{NO-BREAK SPACE}": "",
    "\N{ZERO WIDTH SPACE}": "",
}
"""Characters that word processors and other languages put for plain ones; "" if the character is not needed at all."""
