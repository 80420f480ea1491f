"""Every code, with its name, its usual severity and a summary. Kept light: it is loaded whenever anything runs.

The first digit is the pass that gives the code. Numbers are never given to something else, and names never change:
people search for them.
"""

from __future__ import annotations

import enum

import attrs


class Severity(enum.StrEnum):
    """How bad it is: an error stops the rulebook from being used, a warning does not, a note only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.frozen
class Code:
    """One entry of the registry. `number` is `EGO` and three digits, `name` is kebab-case, `summary` one sentence."""

    number: str
    name: str
    summary: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return self.number


PASSES = {
    "0": "reading",
    "1": "syntax",
    "2": "linking",
    "3": "names",
    "4": "types",
    "5": "checks",
    "6": "provenance",
    "7": "faults",
    "8": "records",
    "9": "command-line",
}
"""The pass behind each first digit; also the rest of the name of its Markdown file, as in `3xx-names.md`."""

W = Severity.WARNING

# fmt: off
_TABLE = (
    # 0xx: reading a file
    Code("EGO001", "not-utf8", "The file is not UTF-8 text."),
    Code("EGO002", "binary-file", "The file holds bytes that no text has."),
    Code("EGO003", "empty-file", "The file has no text in it."),
    Code("EGO004", "file-too-large", "The file is too large to be a rulebook."),
    # 1xx: syntax
    Code("EGO101", "unexpected-word", "Something stands where the grammar has no place for it."),
    Code("EGO102", "unexpected-character", "A character that the language does not use."),
    Code("EGO103", "unexpected-end", "The file ends in the middle of something."),
    Code("EGO104", "mixed-tabs-and-spaces", "An indent mixes tabs and spaces."),
    Code("EGO105", "unexpected-indent", "A line is indented although nothing above opens a block."),
    Code("EGO106", "bad-dedent", "A line goes back to a depth at which no block stands."),
    Code("EGO107", "missing-indent", "A block should begin here, but the line is not indented."),
    Code("EGO108", "missing-colon", "The colon that opens a block is missing."),
    Code("EGO109", "unclosed-string", "A string has no closing quotation mark on its line."),
    Code("EGO110", "unclosed-bracket", "A bracket is opened and never closed."),
    Code("EGO111", "unmatched-bracket", "A closing bracket does not fit what is open."),
    Code("EGO112", "keyword-as-name", "A word of the language is used as a name."),
    Code("EGO113", "too-deeply-nested", "Things are nested deeper than the limit."),
    Code("EGO114", "stray-prose", "A line of prose has nothing below it to belong to."),
    Code("EGO115", "missing-head", "The file does not begin with its head."),
    Code("EGO116", "bad-escape", "A backslash in a string is followed by something that has no meaning."),
    Code("EGO117", "number-too-large", "A number has more digits than any rule needs."),
    # 2xx: linking (use, variants)
    # 3xx: names
    # 4xx: types
    # 5xx: checks
    # 6xx: provenance
    Code("EGO601", "unknown-citation", "A rule cites a sentence that its source index does not have."),
    Code("EGO602", "bad-index-line", "A line of a source index does not read as a head or as a sentence."),
    Code("EGO603", "misplaced-index-head", "A source index does not begin with exactly one head."),
    Code("EGO604", "repeated-sentence-id", "Two sentences of a source index have the same id."),
    Code("EGO605", "unknown-sentence-kind", "A sentence of a source index is of a kind that there is not."),
    Code("EGO606", "unknown-same-sentence", "A sentence is the same as one that the source index does not have."),
    Code("EGO607", "circular-same-sentences", "Sentences are the same as each other in a circle."),
    Code("EGO608", "bad-fingerprint", "What stands in the place of a sentence's fingerprint is none."),
    Code("EGO609", "bad-base-index", "A source index adds to one that does not exist, or to itself."),
    Code("EGO610", "index-without-sentences", "A source index has a head and no sentences."),
    Code("EGO611", "index-name-differs", "A source index has another name than its file.", W),
    # 7xx: faults at run time
    # 8xx: records and scenarios
    # 9xx: command line
)
# fmt: on

CODES = {code.number: code for code in _TABLE}
"""Number -> code, in the order of the numbers."""
