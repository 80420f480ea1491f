"""What could stand at a place, in the author's words, from the terminals that the grammar has for it."""

from __future__ import annotations

from collections.abc import Callable

from egodsl.syntax.words import word_set

HEAD_HELP = 'begin the file with `rulebook NAME "TITLE":`, or with `variant` or `library`'
"""What to do about a missing head."""

RESERVED_HELPS = {
    "the": "`the … in … by …` is the whole right side of `:=` or `let`, or stands in parentheses",
    "if": "a choice between values is written `VALUE if CONDITION else OTHER`",
}
"""Advice for words that were used where a value belongs."""

LATER_LINES = {
    "otherwise": "it follows a block of `if`, `may` or `choose`, indented like that",
    "until": "it follows the block of `repeat:`, indented like that",
}
"""Advice for lines that only stand behind certain blocks, by their first word."""

EXCHANGES = {
    "=": (":=", "`=` compares, and nothing is compared here", "a change is written `:=`"),
    ":=": ("=", "`:=` changes a place, and nothing can change here", "write `=`"),
}
"""Signs that are taken for each other: the right one, what is wrong, the advice."""

_MOST = 4

# Terminals that show what is wanted as a whole, and all that belong to it; the first that applies takes its own away.
_VALUE = word_set("NAME INT STRING NONE TRUE FALSE LPAR LSQB LBRACE MINUS NOT THE DOT")
_OPERATORS = word_set("SUMOP PRODUCTOP SETOP COMPARE EQUAL _DOTS IN NOT AND OR IF DOT LSQB LPAR BAR _IF_ABLE")
_POSTFIX = frozenset({"DOT", "LSQB", "LPAR"})
_STATEMENT = word_set(
    "CHOOSE LET MOVE SWAP ROLL SHUFFLE REVEAL LOOK PICK RANK PLAY PERFORM ANNOUNCE CANCEL END RETURN STOP NOTHING FOR "
    "AS TOGETHER AT MAY IF REPEAT TURNS NAME PROSE"
)
_DECLARATION = word_set(
    "ENUM TYPE CARD COMPONENTS ZONE VAR PARAMETER DEFINE EVENT STAGE PROCEDURE ACTION ABILITY TRIGGER READING MODE "
    "PROPERTY SCENARIO EDIT REMOVE PROSE"
)
_WHOLES: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("RULEBOOK", "`rulebook`, `variant` or `library`", frozenset({"RULEBOOK", "VARIANT", "LIBRARY", "PROSE"})),
    ("ZONE", "a declaration", _DECLARATION),
    ("SHUFFLE", "a statement", _STATEMENT),
    ("NEEDS", "a line of the head", word_set("SOURCE PLAYERS RESULT PAYOFF USE NEEDS SET")),
    ("GIVEN", "a line of a scenario", word_set("GIVEN PLAYERS WITH PLAY CHANCE EXPECT NAME")),
    (
        "REACHABLE",
        "what a property claims, such as `always`",
        word_set("ALWAYS NEVER EVERY AFTER WHENEVER FINALLY REACHABLE __ANON_1 FOR BUILTIN"),
    ),
    ("LAYOUT", "`stack`, `row`, `set` or `one`", frozenset({"LAYOUT", "ONE"})),
    ("INT", "a value", _VALUE),
    ("STRING", "a text in quotation marks", frozenset({"STRING"})),
    ("NAME", "a name", frozenset({"NAME"})),
    ("SEEN", "`face up`, `face down`, `owner only` or `others only`", frozenset({"SEEN"})),
    ("KIND", "a kind of declaration, such as `zone`", frozenset({"KIND"})),
    ("UNIT", "`turns` or `decisions`", frozenset({"UNIT"})),
    ("WAIVED", "`waived`", frozenset({"WAIVED"})),
    ("_INDENT", "an indented block", frozenset({"_INDENT"})),
)
_AT_LINE_END = {"_NL": "the end of the line", "_DEDENT": "the end of the block", "$END": "the end of the file"}
_SIGNS = {
    "ASSIGN": "`:=`",
    "EQUAL": "`=`",
    "BAR": "`|`",
    "_DOTS": "`..`",
    "SUMOP": "`+`",
    "COMPARE": "`<`",
    "__ANON_0": "`->`",
}


def wanted(expected: frozenset[str], text_of: Callable[[str], str | None]) -> str:
    """What could stand there, short enough for a sentence: "`to` or the end of the line"; empty if that is too much.

    `expected` are terminals by name; `text_of` gives the text of those that have a fixed one.
    """
    rest = set(expected)
    found: list[str] = []
    is_type = {"ROW", "SET", "INT"} <= rest and "MOVE" not in rest and "NEEDS" not in rest
    if is_type:
        found.append("a type")
        rest -= _VALUE | {"ROW", "SET"}
    for mark, phrase, whole in _WHOLES:
        if mark in rest:
            found.append(phrase)
            rest -= whole
    if len(rest & _OPERATORS) > _MOST - 1:
        rest -= _OPERATORS
    if rest - _POSTFIX:
        rest -= _POSTFIX
    named = sorted(f"`{text}`" for name in rest if (text := text_of(name)) is not None and text.isalpha())
    signs = sorted(
        _SIGNS.get(name) or f"`{text_of(name)}`"
        for name in rest
        if name in _SIGNS or not (text_of(name) or "a").isalpha()
    )
    parts = [*found, *named, *signs]
    ends = [phrase for name, phrase in _AT_LINE_END.items() if name in rest and (name == "_NL" or not parts)][:1]
    return _joined(parts, ends)


def _joined(parts: list[str], ends: list[str]) -> str:
    parts = [*parts[: _MOST - len(ends)], *ends]
    if parts[1:]:
        return f"{', '.join(parts[:-1])} or {parts[-1]}"
    return "".join(parts)
