"""`egodsl test`: the scenarios of rulebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from egodsl.cli.console import counted, note, out, out_json, show
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import rules_files
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import to_json

if TYPE_CHECKING:
    from egodsl.engine.game import Rulebook
    from egodsl.verify.scenarios import ScenarioResult


@attrs.define
class _Tried:
    """What came of the scenarios of all files, and why some files could not be tried."""

    results: list[tuple[Path, str, ScenarioResult]] = attrs.Factory(list)
    unusable: list[Diagnostic] = attrs.Factory(list)
    broken: int = 0
    libraries: list[Path] = attrs.Factory(list)

    def count(self, *, passed: bool) -> int:
        return sum(result.passed is passed for _, _, result in self.results)


@click.command("test")
@click.argument("paths", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(paths: tuple[str, ...], as_json: bool) -> int:
    """Try the scenarios of rulebooks: each failure with its place, then how many passed and failed.

    A directory means the `.rules` files in it, a bare name a rulebook that egodsl ships. A library is passed over: it
    is not played by itself.

    The JSON is an object: `passed`, `failed` (how many), `scenarios` (each `file`, `rulebook`, `title`, `passed`,
    `seeds` that were tried for chance that is not scripted, `span`, `diagnostics`), `diagnostics` (why a rulebook
    cannot be used).
    """
    tried = _try_all(rules_files(paths, by_name=True))
    passed, failed = tried.count(passed=True), tried.count(passed=False)
    if as_json:
        scenarios = [_scenario_json(path, name, result) for path, name, result in tried.results]
        unusable = [to_json(diagnostic) for diagnostic in tried.unusable]
        out_json({"passed": passed, "failed": failed, "scenarios": scenarios, "diagnostics": unusable})
    else:
        for path in tried.libraries:
            note(f"{path} is a library: its scenarios, if any, are tried with the rulebooks that use it")
        show(tried.unusable)
        for _, name, result in tried.results:
            if not result.passed:
                out(f'failed: {name}, "{result.title}"')
                show(result.diagnostics)
        if tried.broken:
            out(f"{counted(tried.broken, 'file')} could not be tried")
        out(f"{passed} passed, {failed} failed")
    return 1 if failed or tried.broken else 0


def _try_all(files: list[Path]) -> _Tried:
    from egodsl.engine.game import RulebookError, load  # noqa: PLC0415 - misuse is told before the engine is loaded

    tried = _Tried()
    rulebooks: list[tuple[Path, Rulebook]] = []
    for path in files:
        try:
            rulebook = load(path)
        except RulebookError as error:
            tried.unusable.extend(error.diagnostics)
            tried.broken += 1
            continue
        if rulebook.checked.kind == "library":
            tried.libraries.append(path)
        else:
            rulebooks.append((path, rulebook))
    _run(rulebooks, tried)
    return tried


def _run(rulebooks: list[tuple[Path, Rulebook]], tried: _Tried) -> None:
    from egodsl.verify.scenarios import Runner  # noqa: PLC0415 - as above

    total = sum(len(rulebook.checked.program.scenarios) for _, rulebook in rulebooks)
    with progress("trying scenarios", total) as done:
        for path, rulebook in rulebooks:
            runner = Runner(rulebook)
            for scenario in rulebook.checked.program.scenarios.values():
                tried.results.append((path, rulebook.name, runner.run(scenario)))
                if done is not None:
                    done(len(tried.results))


def _scenario_json(path: Path, name: str, result: ScenarioResult) -> dict[str, Any]:
    line, column = result.span.line, result.span.column
    return {
        "file": str(path),
        "rulebook": name,
        "title": result.title,
        "passed": result.passed,
        "seeds": list(result.seeds),
        "span": {"file": result.span.source.path, "line": line, "column": column},
        "diagnostics": [to_json(diagnostic) for diagnostic in result.diagnostics],
    }
