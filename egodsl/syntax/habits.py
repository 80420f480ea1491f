"""Advice for what authors write out of habit, from other languages and from plain rules text."""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.source.registry import did_you_mean

STATEMENTS = {
    "while": "a loop is written `repeat:` with `until …` below its block, or `for x in …:`",
    "foreach": "write `for x in …:`",
    "draw": "cards go from place to place by `move`, as in `move 1 from deck to hand`",
    "deal": "cards go from place to place by `move`, as in `move 5 from deck to hand`",
    "discard": "cards go from place to place by `move`, as in `move c to pile`",
    "put": "cards go from place to place by `move`, as in `move c to pile`",
    "set": "a change is written `PLACE := VALUE`, as in `points := 3`",
}
"""Words that a line begins with elsewhere, and what is written here."""

BETWEEN = {
    "then": "leave `then` out: the colon is enough",
    "is": "write `=`",
    "equals": "write `=`",
    "into": "write `to`",
    "onto": "write `to`",
}
"""Words that stand between others elsewhere, and what is written here."""

_SEEN = ("face up", "face down", "owner only", "others only")
_CLAIMS = ("always", "never", "every", "after", "whenever", "finally", "reachable", "seen")
BUILTIN_CLAIMS = (
    *("no fault", "never stuck", "games end", "no leak", "everything reached", "records replay", "copies independent"),
)
_COMMENTS = frozenset({"//", "/", "--", "-", "%", "*"})
_RANKS = {
    **dict.fromkeys(("max", "maximum", "highest", "greatest", "largest"), "most"),
    **dict.fromkeys(("min", "minimum", "lowest", "smallest", "fewest"), "least"),
}
_FEWEST_WORDS_OF_PROSE = 4


def statement_advice(word: str) -> str:
    """What to do about a line of a body that begins with a word which begins no statement."""
    return STATEMENTS.get(word) or f"a statement begins with a word such as `move`, or changes a place: `{word} := …`"


def advice(words: Sequence[str], at: int, expected: frozenset[str]) -> str | None:
    """What to do about the word at `at` of a line, if it is a known habit; None where nothing is known.

    `words` are those of the line, up to its end, which is the word at `len(words)`; `expected` are terminals by name.
    """
    word = words[at] if at < len(words) else ""
    before = words[at - 1] if at else ""
    if "SEEN" in expected and word:
        return did_you_mean(" ".join(words[at : at + 2]), _SEEN)
    if "BUILTIN" in expected and word:
        return did_you_mean(word, _CLAIMS) or did_you_mean(" ".join(words[at : at + 2]), BUILTIN_CLAIMS)
    if at == 0:
        return _at_begin(words) if words and "ZONE" in expected else None
    if word in BETWEEN:
        return BETWEEN[word]
    if "ASSIGN" in expected and before in STATEMENTS:
        return STATEMENTS[before]
    return _in_head(words, at, expected) or _after(words, at, expected)


def _at_begin(words: Sequence[str]) -> str | None:
    if words[0] in _COMMENTS:
        return "a comment begins with `#`, and prose for those who play with `>`"
    if all(word.isalpha() for word in words[:_FEWEST_WORDS_OF_PROSE]) and len(words) >= _FEWEST_WORDS_OF_PROSE:
        return "prose for those who play begins with `>`, a comment with `#`"
    return None


def _in_head(words: Sequence[str], at: int, expected: frozenset[str]) -> str | None:
    # What stands in the first line of a declaration, or in a line of the head of the file.
    word, before = words[at] if at < len(words) else "", words[at - 1]
    match words[0], word:
        case "zone", "" if "of" in words or "one" in words:
            return "say who sees what lies there, as in `, face up` or `, owner only`"
        case (("var" | "parameter"), "=") if at == 2:  # noqa: PLR2004 - behind the name
            return f"say what it can be, as in `{words[0]} {words[1]}: 0..9 = …`"
        case "parameter", _ if at > 2 and word.startswith('"'):  # noqa: PLR2004 - behind the type
            return f"say which value is used if nobody says otherwise, as in `= 3 {word}`"
        case (("mode" | "reading" | "rulebook" | "library"), ":") if "STRING" in expected:
            return f'a text in quotation marks stands before the colon, as in `{words[0]} {before} "…"`'
        case "action", ":" if "IN" in expected:
            return f"say what it is chosen from, as in `{words[at - 1]} in hand`"
        case "result", _ if "RANK" in expected or at == 1:
            better = _RANKS.get(word)
            return f"write `{better}`" if better else "say which is best: `most …` or `least …`"
    return None


def _after(words: Sequence[str], at: int, expected: frozenset[str]) -> str | None:
    # What follows from the words around.
    word, before = words[at] if at < len(words) else "", words[at - 1]
    if word == "-" and at > 1 and before.isidentifier() and words[at + 1 : at + 2]:
        return f"a name has no `-`: write `{before}_{words[at + 1]}`"
    if word == "to" and "_DOTS" in expected:
        return "the numbers from a to b are written `a..b`"
    if word == "if" and "WHEN" in expected:
        return "what must hold for a move is written `when …`"
    if word == "when" and "WHERE" in expected:
        return "write `where`"
    if word == "from" and "AT" in expected and "pick" in words:
        return f"write `pick {before} at random from …`"
    if word in {"or", ","} and "choose" in words and "one" not in words:
        return f"one of several actions is chosen by `choose one of {before}, …`"
    if before == "may" and word:
        return f'a label stands in quotation marks: `may "{word}"`'
    if before == "each" and "for" in words:
        return f"write `for {word}`"
    if word == ":" and "repeat" in words and "TIMES" in expected:
        return f"write `repeat {before} times:`"
    if word == ":" and "*" in words and "(" in words:
        return "copies are written `5 x (…)`"
    return None
