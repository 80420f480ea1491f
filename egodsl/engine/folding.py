"""Constants in generated source: what players, modes, readings and parameters settle is settled before play.

Sources of literals are folded where a word of the language joins them, so that a rule under a reading that was not
chosen costs nothing.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS = {"True": True, "False": False, "None": None}


def literal(source: str) -> tuple[bool, int | None]:
    """Whether the source is a literal number, truth or none, and which."""
    while source.startswith("(") and source.endswith(")") and "(" not in source[1:]:
        source = source[1:-1]
    if source in _WORDS:
        return True, _WORDS[source]
    if source.removeprefix("-").isdigit():
        return True, int(source)
    return False, None


def negated(source: str) -> str:
    """`not` of the source."""
    known, value = literal(source)
    return str(not value) if known else f"(not {source})"


def compared(left: str, sign: str, right: str) -> str:
    """A comparison by one of Python's signs."""
    (left_known, a), (right_known, b) = literal(left), literal(right)
    if left_known and right_known and (sign == "==" or (a is not None and b is not None)):
        return str(_COMPARE[sign](a, b))  # type: ignore[arg-type]  # == takes None as well
    return f"({left}{sign}{right})"


def conjoined(sources: Iterable[str]) -> str:
    """`and`: what follows a part that is false is never asked."""
    return _joined(sources, " and ", stops_at=False)


def disjoined(sources: Iterable[str]) -> str:
    """`or`: what follows a part that is true is never asked."""
    return _joined(sources, " or ", stops_at=True)


def _joined(sources: Iterable[str], word: str, *, stops_at: bool) -> str:
    kept: list[str] = []
    for source in sources:
        known, value = literal(source)
        if not known:
            kept.append(source)
        elif bool(value) is stops_at:
            if not kept:
                return str(stops_at)
            kept.append(str(stops_at))
            break
    if not kept:
        return str(not stops_at)
    return kept[0] if len(kept) == 1 else f"({word.join(kept)})"


def either(condition: str, then: str, other: str) -> str:
    """`then if condition else other`."""
    known, value = literal(condition)
    if known:
        return then if value else other
    return f"({then} if {condition} else {other})"
