"""The index of errors that stands in the documentation, made from the registry."""

from __future__ import annotations

import re

from egodsl.source.registry import CODES, PASSES, Code, Severity, explain

_TITLES = {
    "0": "Reading a file",
    "1": "Syntax",
    "2": "Libraries and variants",
    "3": "Names",
    "4": "Types",
    "5": "Checks",
    "6": "Sources and citations",
    "7": "Faults in play",
    "8": "Records and scenarios",
    "9": "The command line",
}
_FENCE = re.compile(r"^```(\w*) *(bad|mended)$", re.MULTILINE)
_HEAD = """\
# Every error explained

Each message of egodsl has a code. `egodsl explain EGO301`, or `egodsl explain unknown-name`, prints what is written
here. The first digit tells what found it. An error keeps a rulebook from being used, a warning does not; a code is an
error unless it is said to be a warning.

This page is made from the registry of codes: change the text beside `egodsl/source/registry.py`, not here, and run
`python -m tests.docs.regenerate`.
"""


def errors_page() -> str:
    """The page as Markdown: for each pass a table of its codes, then what `egodsl explain` says of each."""
    return "\n".join([_HEAD, *map(_pass, PASSES)])


def _pass(digit: str) -> str:
    codes = [code for code in CODES.values() if code.number[3] == digit]
    rows = [f"| [{code.number}](#{code.number.lower()}-{code.name}) | {code.summary} |" for code in codes]
    return "\n".join(
        [f"## {_TITLES[digit]}\n", "| code | what is wrong |", "|---|---|", *rows, "", *map(_entry, codes)]
    )


def _entry(code: Code) -> str:
    severity = "" if code.severity is Severity.ERROR else f"*A {code.severity}.* "
    text = explain(code).replace(f"\n\n{code.summary}\n\n", f"\n\n{severity}**{code.summary}**\n\n", 1)
    return "##" + _FENCE.sub(lambda fence: f"{fence[2].capitalize()}:\n\n```{fence[1]}", text)
