"""What was reached of rulebooks, as words, line by line, and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import attrs

from egodsl.verify.coverage import Coverage, CoveredFile, Run, Sentence, tally
from egodsl.verify.places import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.source.span import Span

Mark = Literal["reached", "partly", "not reached", "not code"]

NAMES = {
    "stage": "stages",
    "procedure": "procedures",
    "action": "actions",
    "ability": "abilities",
    "trigger": "triggers",
    "event": "events",
    "define": "defines",
    "case": "cases",
    "statement": "statements",
    "option": "options",
    "branch": "branches",
    "condition": "conditions",
    "answer": "answers of readings",
    "mode": "modes",
}
"""The kinds of places, in the plural."""

_NEVER = {
    "stage": "never begins",
    "procedure": "is never performed",
    "action": "is never played",
    "ability": "never fires",
    "trigger": "never fires",
    "event": "is never announced",
    "define": "is never asked for",
    "case": "never applies",
    "statement": "is never reached",
    "option": "is never chosen",
    "answer": "is never in force",
    "mode": "is never on",
}


@attrs.frozen
class Line:
    """A line of a file. `count` is how often what begins on it was reached, None where that is nothing; `notes` say
    what was not.
    """

    number: int
    text: str
    mark: Mark
    count: int | None
    notes: tuple[str, ...] = ()


def lack_of(place: Place) -> str:
    """What is missing at a place, in words: ``action `wait` is never played``."""
    if "run" in place.ways:
        said = f"answer `{place.name}` of `{place.by}`" if place.kind == "answer" else f"{place.kind} `{place.name}`"
        return f"{said} {_NEVER[place.kind]}"
    if place.kind == "option":
        never = " or ".join("accepted" if way == "yes" else "declined" for way in place.missing)
        return f"`{place.name}` is never {never}"
    if not place.is_touched:
        return f"`{place.name}` is never asked"
    return f"`{place.name}` is never {'true' if place.missing == ['yes'] else 'false'}"


def lines_of(file: CoveredFile) -> list[Line]:
    """Every line of the file with its mark."""
    beginning: dict[int, list[Place]] = {}
    for place in file.places:
        beginning.setdefault(place.span.line, []).append(place)
    return [_line(number, text, beginning.get(number, [])) for number, text in enumerate(file.source.lines, 1)]


def _line(number: int, text: str, places: list[Place]) -> Line:
    if not places:
        return Line(number, text, "not code", None)
    mark: Mark = "partly"
    if all(place.is_reached for place in places):
        mark = "reached"
    elif not any(place.is_touched for place in places):
        mark = "not reached"
    first = next((place for place in places if "run" in place.ways), places[0])
    notes = tuple(lack_of(place) for place in places if not place.is_reached and not place.is_implied)
    return Line(number, text, mark, sum(first.ways.values()), notes)


def share_of(places: Iterable[Place]) -> float:
    """How much of the places is reached, from 0 to 1 (of none, all)."""
    found = tally(places).values()
    there = sum(count for _, count in found)
    return sum(reached for reached, _ in found) / there if there else 1.0


# ---------------------------------------------------------------- for programs


def to_json(coverage: Coverage) -> dict[str, Any]:
    """As what `json.dumps` takes. Programs read it: keys may be added, none changes."""
    return {
        "seed": coverage.seed,
        "interrupted": coverage.interrupted,
        "share": round(share_of(coverage.places), 4),
        "summary": _summary(coverage.places),
        "rulebooks": [_run_json(run) for run in coverage.runs],
        "files": [_file_json(file) for file in coverage.files],
        "unreached": [
            {"kind": place.kind, "name": place.name, "lack": lack_of(place), **_at(place.span)}
            for place in coverage.unreached
        ],
        "sentences": [_sentence_json(sentence) for sentence in coverage.sentences],
    }


def _summary(places: Iterable[Place]) -> dict[str, dict[str, int]]:
    return {kind: {"reached": reached, "all": there} for kind, (reached, there) in tally(places).items()}


def _run_json(run: Run) -> dict[str, Any]:
    return {
        "rulebook": run.rulebook.name,
        "digest": run.rulebook.digest,
        "scenarios": run.scenarios,
        "failed": run.failed,
        "settings": run.settings,
        "refused": len(run.refused),
        "games": run.games,
        "decisions": run.decisions,
        "cut_short": run.cut_short,
        "faults": run.faults,
    }


def _file_json(file: CoveredFile) -> dict[str, Any]:
    return {
        "file": file.source.path,
        "form": file.form,
        "name": file.name,
        "summary": _summary(file.places),
        "places": [
            {
                "kind": place.kind,
                "name": place.name,
                "by": place.by,
                "line": place.span.line,
                "column": place.span.column,
                "counts": dict(place.ways),
            }
            for place in file.places
        ],
        "lines": {line.number: line.mark for line in lines_of(file) if line.mark != "not code"},
    }


def _sentence_json(sentence: Sentence) -> dict[str, Any]:
    return {
        "id": sentence.id,
        "says": sentence.says,
        "reached": sentence.is_reached,
        "cited": [
            {"by": cited.by, "count": count, **_at(cited.span)}
            for cited, count in zip(sentence.cited, sentence.reached, strict=True)
        ],
    }


def _at(span: Span) -> dict[str, Any]:
    return {"file": span.source.path, "line": span.line, "column": span.column}
