"""Small rulebooks for the tests of single checks."""

from __future__ import annotations

from pathlib import Path

from egodsl.analysis import Checked, check_file
from egodsl.source.text import SourceText

HEAD = """rulebook tower "Tower":
    players 2..4
    result most score

var score[player]: 0..99 = 0
"""

CARDS = """enum Colour: red, blue
card Stone:
    weight: 1..9
    colour: Colour
components stones of Stone in pile:
    2 x (weight: w, colour: k) for w in 1..9 for k in Colour
    total 36
zone pile: stack of Stone, face down
zone wall: stack of Stone, face up
zone hand[player]: set of Stone, owner only
"""


def check(text: str, folder: Path | None = None) -> tuple[Checked, list[str]]:
    """The analysis of a text, and what is said of it: `CODE line message`, warnings with a `w` before."""
    place = folder / "tower.rules" if folder is not None else Path("tower.rules")
    checked, found = check_file(SourceText(str(place), text))
    assert checked is not None, [str(one) for one in found]
    lines = [one.span.line if one.span is not None else 0 for one in found]
    kinds = {"error": "", "warning": "w", "note": "n"}
    said = [
        f"{kinds[one.severity.value]}{one.code.number} {line} {one.message}"
        for one, line in zip(found, lines, strict=True)
    ]
    return checked, said


def said(body: str, head: str = HEAD) -> list[str]:
    """What is said of a rulebook; lines count from the first of `body` as 1."""
    _, found = check(head + body)
    shift = head.count("\n")
    parts = [one.split(" ", 2) for one in found]
    return [f"{code} {int(line) - shift} {message}" for code, line, message in parts]


def codes(body: str, head: str = HEAD) -> list[str]:
    """Only the codes of what is said."""
    return [one.split(" ", 1)[0] for one in said(body, head)]
