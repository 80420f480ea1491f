"""The registry of codes: what can be wrong, under which number and name, and how it is explained.

To add a code: one line in `CODES` (egodsl/source/codes/table.py), and one `## EGO123 its-name` section in the Markdown
file of its hundred beside that table. A test holds the two together. Explanations are read only when asked for.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from egodsl.source.codes.table import CODES, PASSES, Code, Severity

__all__ = [
    "CODES",
    "PASSES",
    "Code",
    "Severity",
    "UnknownCodeError",
    "close_names",
    "did_you_mean",
    "examples",
    "explain",
    "lookup",
]

_DIRECTORY = Path(__file__).parent / "codes"
_HEADING = re.compile(r"^## +", re.MULTILINE)
_FENCE = re.compile(r"^```\w* *(bad|mended)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MOST_SUGGESTIONS = 3
_MANY = 300


class UnknownCodeError(LookupError):
    """No code has the number or name that was asked for; its argument is a sentence that says so."""


def lookup(text: str) -> Code:
    """The code written as `EGO301`, `ego301`, `301` or `unknown-name`. Raises UnknownCodeError if there is none."""
    wanted = text.strip().upper()
    number = wanted if wanted.startswith("EGO") else f"EGO{wanted}"
    if number in CODES:
        return CODES[number]
    for code in CODES.values():
        if code.name == text.strip().lower():
            return code
    known = [*CODES, *(code.name for code in CODES.values())]
    hint = did_you_mean(text, known)
    raise UnknownCodeError(f"no code is called `{text}`" + (f"; {hint}" if hint else ""))


def explain(code: Code | str) -> str:
    """The explanation of a code, as Markdown: a heading, the summary, a paragraph, a bad example and a mended one.

    `code` is a Code or anything that `lookup` takes. Raises UnknownCodeError as `lookup` does.
    """
    known = code if isinstance(code, Code) else lookup(code)
    return f"# {known.number} {known.name}\n\n{known.summary}\n\n{_sections(known)[known.number].strip()}\n"


def examples(code: Code | str) -> dict[str, list[str]]:
    """The examples of a code's explanation: `{"bad": [...], "mended": [...]}`, in the order in which they stand."""
    found: dict[str, list[str]] = {"bad": [], "mended": []}
    for kind, text in _FENCE.findall(explain(code)):
        found[kind].append(text)
    return found


def _sections(code: Code) -> dict[str, str]:
    # Number -> body, for every code explained in the Markdown file of `code`'s hundred.
    path = _DIRECTORY / f"{code.number[3]}xx-{PASSES[code.number[3]]}.md"
    pieces = _HEADING.split(path.read_text(encoding="utf-8"))[1:]
    heads = (piece.partition("\n") for piece in pieces)
    return {head.split()[0]: body for head, _, body in heads}


def close_names(name: str, candidates: Iterable[str]) -> list[str]:
    """Those of `candidates` that `name` may be a slip for: at most three, the closest first, equals by spelling.

    A slip is a letter too many, too few, wrong, or two neighbours swapped; about one slip for each three letters is
    forgiven (one, among more than 300 candidates), and whether letters are capital does not count. `name` itself is
    never among them.
    """
    folded = name.casefold()
    others = set(candidates) - {name}
    # Among many names there are close ones enough, and looking far would take long.
    most = max(1, len(folded) // 3) if len(others) <= _MANY else 1
    scored = []
    letters = _letters(folded)
    for candidate in others:
        # A slip adds at most one letter and takes at most one away, so most candidates are out at a glance.
        if abs(len(candidate) - len(folded)) > most or len(_letters(candidate) ^ letters) > 2 * most:
            continue
        distance = _distance(folded, candidate.casefold(), most)
        if distance <= most and distance < max(len(name), len(candidate)):
            scored.append((distance, candidate))
    return [candidate for _, candidate in sorted(scored)[:_MOST_SUGGESTIONS]]


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A help text such as "did you mean `hand` or `hands`?", or None if nothing is close to `name`."""
    close = [f"`{candidate}`" for candidate in close_names(name, candidates)]
    if not close:
        return None
    return f"did you mean {', '.join(close[:-1])} or {close[-1]}?" if len(close) > 1 else f"did you mean {close[0]}?"


@functools.lru_cache(maxsize=20_000)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word.casefold())


def _distance(left: str, right: str, most: int) -> int:
    # Edit distance with swaps of neighbours (optimal string alignment); anything above `most` may come out as most + 1.
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        current = [i]
        for j, b in enumerate(right, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > most:
            return most + 1
        before, previous = previous, current
    return previous[-1]
