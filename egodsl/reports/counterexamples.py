"""What came of properties, for a person and for a program: a counterexample is told as the game that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.reports.position import position_lines
from egodsl.source.render import render_full, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.engine.record import Record
    from egodsl.verify.trying import Tried

FIRST_EVENTS, LAST_EVENTS = 20, 40
"""Events from the beginning and to the end of a long game that are told one by one; the others are in the record."""


def record_name(rulebook: str, prop: str, taken: Iterable[str] = ()) -> str:
    """The name of the file for the record of a counterexample, unlike those that are taken."""
    stem = f"{rulebook}-{''.join(c if c.isalnum() or c in '_-' else '_' for c in prop)}"
    names = {*taken}
    number = next(k for k in range(1, len(names) + 2) if _numbered(stem, k) not in names)
    return _numbered(stem, number)


def _numbered(stem: str, number: int) -> str:
    return f"{stem}.record" if number == 1 else f"{stem}-{number}.record"


def failure_lines(tried: Tried, *, color: bool = False) -> list[str]:
    """A broken property in full: what is wrong, with which settings, the game from its start, and the position."""
    example = tried.example
    if example is None:
        return [render_full(tried.diagnostic, color=color)] if tried.diagnostic is not None else []
    lines = [render_full(example.diagnostic, color=color)]
    lines.append(f"in {tried.broken} of {tried.games} games; a small one, with {example.setting.words}:")
    lines += [f"  {line}" for line in event_lines(example.record)]
    if not example.state.over or example.state.whole:
        lines.append("the position there:")
        lines += [f"  {line}" for line in position_lines(example.state)]
    return lines


def event_lines(record: Record) -> list[str]:
    """The events of a game, numbered, from its start."""
    events = record.events
    if not events:
        return ["(before anybody decides)"]
    width = len(str(len(events)))
    lines = [f"{number:>{width}}  {who}: {text}" for number, (who, text) in enumerate(events, start=1)]
    between = len(lines) - FIRST_EVENTS - LAST_EVENTS
    if between <= 1:
        return lines
    told = f"{'':>{width}}  ({between} more; `egodsl replay` tells them all)"
    return [*lines[:FIRST_EVENTS], told, *lines[-LAST_EVENTS:]]


def tried_json(tried: Tried, record: str | None = None) -> dict[str, Any]:
    """One property: what was claimed, the verdict, and of a counterexample the settings, the game and the record."""
    prop, example = tried.property, tried.example
    found: dict[str, Any] = {
        "property": prop.name,
        "claim": prop.words,
        "builtin": prop.builtin is not None,
        "verdict": tried.verdict,
        "passed": tried.verdict != "broken",
        "games": tried.games,
        "broken": tried.broken,
        "span": {"file": prop.span.source.path, "line": prop.span.line, "column": prop.span.column},
        "diagnostics": [to_json(d) for d in _diagnostics(tried)],
    }
    if example is not None:
        found["counterexample"] = {
            "players": example.setting.players,
            "modes": list(example.setting.modes),
            "readings": dict(example.setting.readings),
            "decisions": example.decisions,
            "events": [list(event) for event in example.record.events],
            "record": record,
        }
    return found


def _diagnostics(tried: Tried) -> list[Any]:
    return [one for one in (tried.example.diagnostic if tried.example else None, tried.diagnostic) if one is not None]
