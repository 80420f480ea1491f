"""`egodsl test --mutate`: which changes of a rulebook its scenarios and properties do not notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from egodsl.cli.console import counted, note, out, out_json, show
from egodsl.cli.progress import progress
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import to_json

if TYPE_CHECKING:
    from pathlib import Path

    from egodsl.engine.game import Rulebook
    from egodsl.verify.mutants import Mutant
    from egodsl.verify.mutation import MutationResult, Verdict

INTERRUPTED = 130


@attrs.define
class _Found:
    """What came of all files, and why some files could not be tried."""

    results: list[tuple[Path, str, MutationResult]] = attrs.Factory(list)
    unusable: list[Diagnostic] = attrs.Factory(list)
    broken: int = 0
    libraries: list[Path] = attrs.Factory(list)
    interrupted: bool = False


def mutate_files(files: list[Path], *, seed: int, as_json: bool, processes: int | None = None) -> int:
    """Try the mutants of rulebooks and tell what came of them. Gives the exit code: 0, also where some survive; 1 where
    a file cannot be used or a scenario fails as it is; 130 when interrupted, after telling what had been found.

    `seed` is that of the random games; `processes`: how many share the work, by default one for each core.

    The JSON is an object: `rulebooks` (each `file`, `rulebook`, `mutants` there are, `tried`, `counted` (those that
    check), `noticed`, `share` or null, `by_scenarios`, `by_properties`, `failing` (titles), `survivors`: each
    `change`, `kind`, `was`, `is` or null where it is left out, `declaration`, `span`), `diagnostics` (why a rulebook
    cannot be used), `interrupted`.
    """
    found = _Found()
    try:
        _try_all(files, found, seed, processes)
    except KeyboardInterrupt:
        found.interrupted = True
    if as_json:
        out_json(
            {
                "rulebooks": [_json(*one) for one in found.results],
                "diagnostics": [to_json(diagnostic) for diagnostic in found.unusable],
                "interrupted": found.interrupted,
            }
        )
    else:
        _tell(found)
    if found.interrupted:
        return INTERRUPTED
    return 1 if found.broken or any(result.failing for _, _, result in found.results) else 0


def _try_all(files: list[Path], found: _Found, seed: int, processes: int | None) -> None:
    from egodsl.engine.game import RulebookError, load  # noqa: PLC0415 - misuse is told before the engine is loaded

    for path in files:
        try:
            rulebook = load(path)
        except RulebookError as error:
            found.unusable.extend(error.diagnostics)
            found.broken += 1
            continue
        if rulebook.checked.kind == "library":
            found.libraries.append(path)
        else:
            _try(path, rulebook, found, seed, processes)


def _try(path: Path, rulebook: Rulebook, found: _Found, seed: int, processes: int | None) -> None:
    from egodsl.verify.mutants import mutants  # noqa: PLC0415 - as above
    from egodsl.verify.mutation import Budget, Mutation  # noqa: PLC0415 - as above

    mutation = Mutation(rulebook, Budget(seed=seed))
    every = mutants(rulebook)
    verdicts: list[Verdict] = []
    try:
        with progress(f"changing {rulebook.name}", len(every)) as done:
            for verdict in mutation.verdicts(every, processes):
                verdicts.append(verdict)
                if done is not None:
                    done(len(verdicts))
    finally:
        found.results.append((path, rulebook.name, mutation.result(every, verdicts)))


# ---------------------------------------------------------------- telling


def _tell(found: _Found) -> None:
    for path in found.libraries:
        note(f"{path} is a library: it is changed with no rulebook that uses it")
    show(found.unusable)
    for _, name, result in found.results:
        for title in result.failing:
            out(f'"{title}" of {name} fails as it is, so it notices nothing')
        for mutant in result.survivors:
            out(f"{mutant.span}: not noticed: {mutant.words} ({mutant.place})")
        out(_summary(name, result))
    if found.broken:
        out(f"{counted(found.broken, 'file')} could not be tried")
    if found.interrupted:
        out("interrupted: this is what had been found")


def _summary(name: str, result: MutationResult) -> str:
    share = result.share
    percent = "" if share is None else f" ({share:.1%})"
    unfit = len(result.verdicts) - result.counted
    beside = f", {unfit} more do not check" if unfit else ""
    left = len(result.mutants) - len(result.verdicts)
    waiting = f", {left} not tried" if left else ""
    return f"{name}: {result.noticed} of {counted(result.counted, 'change')} noticed{percent}{beside}{waiting}"


def _json(path: Path, name: str, result: MutationResult) -> dict[str, Any]:
    how = [verdict.how for verdict in result.verdicts]
    return {
        "file": str(path),
        "rulebook": name,
        "mutants": len(result.mutants),
        "tried": len(result.verdicts),
        "counted": result.counted,
        "noticed": result.noticed,
        "share": result.share,
        "by_scenarios": how.count("scenario"),
        "by_properties": how.count("property"),
        "failing": list(result.failing),
        "survivors": [_mutant_json(mutant) for mutant in result.survivors],
    }


def _mutant_json(mutant: Mutant) -> dict[str, Any]:
    span = mutant.span
    return {
        "change": mutant.words,
        "kind": mutant.kind,
        "was": mutant.was,
        "is": mutant.now,
        "declaration": mutant.place,
        "span": {"file": span.source.path, "line": span.line, "column": span.column},
    }
