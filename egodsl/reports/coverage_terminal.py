"""What was reached of rulebooks, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from egodsl.reports.coverage import NAMES, lack_of, share_of
from egodsl.verify.coverage import Coverage, CoveredFile, Run, Sentence, tally

MOST_WIDTH = 100
"""Characters of a line of figures."""


def report(coverage: Coverage) -> list[str]:
    """The lines: of each file its figures and what was not reached; the sentences; what was tried; the share in all."""
    unreached = coverage.unreached
    lines: list[str] = []
    for file in coverage.files:
        lacking = [place for place in unreached if place.span.source is file.source]
        lines += [file.source.path, *_figures(file)]
        lines += [f"  {place.span.line}:{place.span.column}: {lack_of(place)}" for place in lacking]
    lines += _sentences(coverage.sentences)
    lines += [_tried(run) for run in coverage.runs]
    if coverage.interrupted:
        lines.append("interrupted: this is what was reached until then")
    lines.append(f"{percent(share_of(coverage.places))} of the places reached, {len(unreached)} to look at")
    return lines


def percent(share: float) -> str:
    """A share in per cent, rounded down, so that only all of it is 100."""
    return f"{int(share * 1000) / 10:g} %"


def _figures(file: CoveredFile) -> Iterator[str]:
    parts = [f"{NAMES[kind]} {reached} of {there}" for kind, (reached, there) in tally(file.places).items()]
    line = ""
    for part in parts:
        if line and len(line) + len(part) + 2 > MOST_WIDTH:
            yield f"  {line},"
            line = part
        else:
            line = f"{line}, {part}" if line else part
    yield f"  {line or 'nothing in it is played'}"


def _sentences(sentences: list[Sentence]) -> Iterator[str]:
    if not sentences:
        return
    lacking = [sentence for sentence in sentences if not sentence.is_reached]
    yield f"{len(sentences) - len(lacking)} of {len(sentences)} cited sentences reached"
    for sentence in lacking:
        first = sentence.cited[0]
        yield f"  {sentence.id} ({first.by}, line {first.span.line})" + (f": {sentence.says}" if sentence.says else "")


def _tried(run: Run) -> str:
    scenarios = f"{_counted(run.scenarios, 'scenario')}" + (f" ({run.failed} failed)" if run.failed else "")
    games = f"{_counted(run.games, 'random game')} with {_counted(run.settings, 'choice')} of settings"
    ends = [
        f"{count} {what}"
        for count, what in (
            (run.faults, "ended in a fault"),
            (run.cut_short, "cut short"),
            (len(run.refused), "choices of settings refused"),
        )
        if count
    ]
    return f"{run.rulebook.name}: {scenarios}, {games}" + (f" ({', '.join(ends)})" if ends else "")


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
