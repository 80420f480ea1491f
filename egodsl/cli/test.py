"""`egodsl test`: the scenarios and properties of rulebooks."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from egodsl.cli.console import Misuse, counted, note, out, out_json, show, wants_color
from egodsl.cli.options import MOST_SEED, player_counts, whole
from egodsl.cli.progress import progress
from egodsl.cli.rulebooks import find_rulebook, rules_files, write_record
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import to_json

if TYPE_CHECKING:
    from egodsl.engine.game import Rulebook
    from egodsl.verify.properties import Property
    from egodsl.verify.scenarios import ScenarioResult
    from egodsl.verify.trying import Plan, Tried

DEFAULT_GAMES = 10
RECORDS = "egodsl-records"


@attrs.define
class _Found:
    """What came of all files, and why some files could not be tried."""

    scenarios: list[tuple[Path, str, ScenarioResult]] = attrs.Factory(list)
    properties: list[tuple[Path, str, Tried]] = attrs.Factory(list)
    records: dict[int, str] = attrs.Factory(dict)
    """The file of the counterexample of each property, by its place in the list."""
    unusable: list[Diagnostic] = attrs.Factory(list)
    broken: int = 0
    libraries: list[Path] = attrs.Factory(list)
    interrupted: bool = False

    def count(self, *, passed: bool) -> int:
        found = [result.passed for _, _, result in self.scenarios]
        found += [tried.verdict != "broken" for _, _, tried in self.properties]
        return sum(one is passed for one in found)


@click.command("test")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--games", type=whole(0), metavar="G", default=DEFAULT_GAMES, show_default=True,
    help="Games for each number of players and each mode; 0 leaves properties out.",
)  # fmt: skip
@click.option("--players", metavar="N|LOW..HIGH", help="Only with so many players (default: every number).")
@click.option("--seed", type=whole(0, MOST_SEED), metavar="S", default=0, show_default=True, help="Of the games.")
@click.option("--property", "names", multiple=True, metavar="NAME", help="Only this property, and no scenarios.")
@click.option("--max-decisions", "most", type=whole(1), metavar="N", default=3000, show_default=True,
              help="Decisions after which a game counts as one that does not end.")  # fmt: skip
@click.option("--records", metavar="DIRECTORY", default=RECORDS, show_default=True,
              help="Where the games that break a property are written.")  # fmt: skip
@click.option("--mutate", is_flag=True, help="Change one thing at a time, and tell which changes nothing notices.")
@click.option("--json", "as_json", is_flag=True, help="Give JSON for a program.")
def command(
    paths: tuple[str, ...],
    games: int,
    players: str | None,
    seed: int,
    names: tuple[str, ...],
    most: int,
    records: str,
    mutate: bool,
    as_json: bool,
) -> int:
    """Try the scenarios and the properties of rulebooks: each failure with its place, then how many passed and failed.

    A directory means the `.rules` files in it, a bare name a rulebook that egodsl ships. A library is passed over: it
    is not played by itself.

    Scenarios are played as they are written. Properties are watched in random games, half of them led to what is
    rarely done, at every number of players, with and without each mode. A game that breaks one is made as small as can
    be, told, and written down as a record, which `replay` and `play --from` take. The same seed tries the same games.

    The JSON is an object: `passed`, `failed` (how many), `scenarios` (each `file`, `rulebook`, `title`, `passed`,
    `seeds` that were tried for chance that is not scripted, `span`, `diagnostics`), `properties` (each `file`,
    `rulebook`, `property`, `claim`, `builtin`, `verdict`, `passed`, `games`, `broken`, `span`, `diagnostics`, and
    where it is broken a `counterexample`: `players`, `modes`, `readings`, `decisions`, `events`, `record`),
    `diagnostics` (why a rulebook cannot be used), `interrupted`.
    """
    if Path(records).exists() and not Path(records).is_dir():
        raise Misuse(f"`{records}` is no directory")
    files = rules_files(paths, by_name=True)
    if mutate:
        from egodsl.cli.mutating import mutate_files  # noqa: PLC0415 - only then is it needed

        return mutate_files(files, seed=seed, as_json=as_json)
    from egodsl.verify.trying import Plan  # noqa: PLC0415 - misuse is told before the engine is loaded

    plan = Plan(games=max(games, 1), seed=seed, most=most)
    found = _Found()
    try:
        _try_all(files, found, plan if games else None, players, names)
    except KeyboardInterrupt:
        found.interrupted = True
    _write_records(found, Path(records))
    if as_json:
        _tell_json(found)
    else:
        _tell(found)
    if found.interrupted:
        return 130
    return 1 if found.count(passed=False) or found.broken else 0


# ---------------------------------------------------------------- trying


def _try_all(files: list[Path], found: _Found, plan: Plan | None, players: str | None, names: tuple[str, ...]) -> None:
    from egodsl.engine.game import RulebookError, load  # noqa: PLC0415 - misuse is told before the engine is loaded

    rulebooks: list[tuple[Path, Rulebook]] = []
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
            rulebooks.append((path, rulebook))
    wanted = [(path, rulebook, _wanted(rulebook, names)) for path, rulebook in rulebooks]
    _check_names(wanted, names)
    counts = [player_counts(rulebook, players) for _, rulebook in rulebooks]
    if not names:
        _scenarios(rulebooks, found)
    if plan is not None:
        for (path, rulebook, properties), seats in zip(wanted, counts, strict=True):
            _properties(path, rulebook, properties, found, plan, seats)


def _wanted(rulebook: Rulebook, names: tuple[str, ...]) -> list[Property]:
    from egodsl.verify.properties import properties_of  # noqa: PLC0415 - as above

    return [prop for prop in properties_of(rulebook) if not names or prop.name in names]


def _check_names(wanted: list[tuple[Path, Rulebook, list[Property]]], names: tuple[str, ...]) -> None:
    from egodsl.source.registry import did_you_mean  # noqa: PLC0415 - as above
    from egodsl.verify.properties import properties_of  # noqa: PLC0415 - as above

    known = {prop.name for _, _, found in wanted for prop in found}
    for name in names:
        if name not in known and wanted:
            every = [prop.name for _, rulebook, _ in wanted for prop in properties_of(rulebook)]
            advice = did_you_mean(name, every) or f"there are: {', '.join(dict.fromkeys(every))}"
            raise Misuse(f"there is no property `{name}`", advice)


def _scenarios(rulebooks: list[tuple[Path, Rulebook]], found: _Found) -> None:
    from egodsl.verify.scenarios import Runner  # noqa: PLC0415 - as above

    total = sum(len(rulebook.checked.program.scenarios) for _, rulebook in rulebooks)
    with progress("trying scenarios", total) as done:
        for path, rulebook in rulebooks:
            runner = Runner(rulebook)
            for scenario in rulebook.checked.program.scenarios.values():
                found.scenarios.append((path, rulebook.name, runner.run(scenario)))
                if done is not None:
                    done(len(found.scenarios))


def _properties(
    path: Path, rulebook: Rulebook, properties: list[Property], found: _Found, plan: Plan, players: range | None
) -> None:
    from egodsl.verify.settings import settings_of  # noqa: PLC0415 - as above
    from egodsl.verify.trying import Trial  # noqa: PLC0415 - as above

    trial = Trial(rulebook, properties, plan)
    settings = settings_of(rulebook, players)
    try:
        with progress(f"playing {rulebook.name}", len(settings) * plan.games) as done:
            trial.play(settings, done)
        with progress(f"making counterexamples of {rulebook.name} small", len(properties)) as done:
            tried = trial.finish(done)
    except KeyboardInterrupt:
        found.properties += [(path, rulebook.name, one) for one in trial.so_far()]
        raise
    found.properties += [(path, rulebook.name, one) for one in tried]
    found.unusable += [d for error in trial.unusable.values() for d in error.diagnostics]


# ---------------------------------------------------------------- telling


def _write_records(found: _Found, folder: Path) -> None:
    from egodsl.reports.counterexamples import record_name  # noqa: PLC0415 - as above

    taken: list[str] = []
    for at, (_, name, tried) in enumerate(found.properties):
        if tried.example is None:
            continue
        file = record_name(name, tried.property.name, taken)
        taken.append(file)
        if write_record(folder / file, tried.example.record):
            found.records[at] = str(folder / file)


def _tell(found: _Found) -> None:
    from egodsl.reports.counterexamples import failure_lines  # noqa: PLC0415 - as above

    for path in found.libraries:
        note(f"{path} is a library: its scenarios, if any, are tried with the rulebooks that use it")
    show(found.unusable)
    for _, name, result in found.scenarios:
        if not result.passed:
            out(f'failed: {name}, "{result.title}"')
            show(result.diagnostics)
    color = wants_color(sys.stdout)
    for at, (path, name, tried) in enumerate(found.properties):
        if tried.verdict == "broken":
            out(f"failed: {name}, property {tried.property.name}")
            for line in failure_lines(tried, color=color):
                out(line)
            if at in found.records:
                out(f"written to {found.records[at]}; `{_replaying(found.records[at], name, path)}` steps through it")
            out()
    for _, name, tried in found.properties:
        if tried.verdict == "no case":
            note(f"nothing that the property `{tried.property.name}` of {name} is about came up in {tried.games} games")
    if found.broken:
        out(f"{counted(found.broken, 'file')} could not be tried")
    if found.interrupted:
        out("interrupted; what had been tried:")
    out(f"{found.count(passed=True)} passed, {found.count(passed=False)} failed")


def _replaying(record: str, name: str, path: Path) -> str:
    """The command that plays a record again; the rulebook is named where its name alone would not lead to it."""
    words = ["egodsl", "replay", record]
    try:
        same = find_rulebook(name, Path(record).parent).resolve() == path.resolve()
    except Misuse:
        same = False
    return shlex.join(words if same else [*words, "--rulebook", str(path)])


def _tell_json(found: _Found) -> None:
    from egodsl.reports.counterexamples import tried_json  # noqa: PLC0415 - as above

    out_json(
        {
            "passed": found.count(passed=True),
            "failed": found.count(passed=False),
            "scenarios": [_scenario_json(path, name, result) for path, name, result in found.scenarios],
            "properties": [
                {"file": str(path), "rulebook": name, **tried_json(tried, found.records.get(at))}
                for at, (path, name, tried) in enumerate(found.properties)
            ],
            "diagnostics": [to_json(diagnostic) for diagnostic in found.unusable],
            "interrupted": found.interrupted,
        }
    )


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
