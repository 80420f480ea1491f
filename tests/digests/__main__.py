"""`python -m tests.digests`: write digests, compare with them, show a game, and diff it with another tree's."""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.digests.comparing import Comparison, compare
from tests.digests.playing import PARTS, RULEBOOKS, Case, lines_of
from tests.digests.running import cases, played_game, run
from tests.digests.storing import DIFFERENCES, FILE, read_differences, read_file, write_file

SEEDS = 20
_CONTEXT = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 1 where something differs."""
    options = _parser().parse_args(arguments)
    match options.verb:
        case "write":
            return _write(options)
        case "compare":
            return _compare(options)
        case "show":
            sys.stdout.write("".join(f"{line}\n" for line in _shown(options.game, options.part or PARTS)))
            return 0
    differing = _diff(options.game, options.base, options.part or PARTS)
    sys.stdout.write("".join(f"{line}\n" for line in differing))
    return int(bool(differing))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.digests", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    write = verbs.add_parser("write", help="write the digests of the engine as it is")
    comparing = verbs.add_parser("compare", help="compare the engine as it is with the digests")
    for verb in (write, comparing):
        verb.add_argument("--seeds", type=int, default=SEEDS, help="the first so many games of each setting")
        verb.add_argument("--rulebooks", nargs="+", choices=RULEBOOKS, default=list(RULEBOOKS), metavar="NAME")
        verb.add_argument("--jobs", type=int, default=1, help="processes")
        verb.add_argument("--file", type=Path, default=FILE, help="the file of digests")
    comparing.add_argument("--differences", type=Path, default=DIFFERENCES, help="the list of deliberate differences")
    comparing.add_argument("--show", action="store_true", help="print the first differing game of each rulebook")
    comparing.add_argument("--base", type=Path, help="print its difference from the same game of this tree")
    show = verbs.add_parser("show", help="print a game")
    diff = verbs.add_parser("diff", help="print how a game differs from the same game of another tree")
    diff.add_argument("--base", type=Path, required=True, help="the other tree")
    for verb in (show, diff):
        verb.add_argument("game", help="RULEBOOK/PLAYERS/SETTING/SEED")
    for verb in (comparing, show, diff):
        verb.add_argument("--part", choices=PARTS, action="append", help="only this part (may be given again)")
    return parser


def _write(options: argparse.Namespace) -> int:
    names = set(options.rulebooks)
    made = dict(run(cases(options.rulebooks), options.seeds, options.jobs))
    kept = {case: stored for case, stored in read_file(options.file).items() if case.rulebook not in names}
    order = list(RULEBOOKS)
    together = sorted({**kept, **made}.items(), key=lambda item: order.index(item[0].rulebook))
    write_file(dict(together), options.file)
    print(f"{options.file}: {sum(len(stored.seeds) for _, stored in together)} games")  # noqa: T201 - a command
    return 0


def _compare(options: argparse.Namespace) -> int:
    stored = read_file(options.file)
    made = dict(run(cases(options.rulebooks), options.seeds, options.jobs))
    complete = all(seed in made[case].seeds for case, kept in stored.items() if case in made for seed in kept.seeds)
    found = compare(
        stored,
        made,
        read_differences(options.differences),
        options.part or PARTS,
        whole=options.rulebooks if complete else (),
    )
    for line in found.lines():
        print(line)  # noqa: T201 - a command
    if options.show or options.base is not None:
        _explain(found, options)
    return int(not found.same)


def _explain(found: Comparison, options: argparse.Namespace) -> None:
    first: dict[str, str] = {}
    for game in found.differing:
        first.setdefault(game.partition("/")[0], game)
    for game in first.values():
        print(f"\n{game}")  # noqa: T201 - a command
        parts = found.differing[game]
        told = _shown(game, parts) if options.base is None else _first_lines(game, options.base, parts)
        sys.stdout.writelines(f"{line}\n" for line in told)


def _shown(game: str, parts: Sequence[str]) -> list[str]:
    case, seed = _meant(game)
    return list(lines_of(played_game(case, seed), parts))


def _meant(game: str) -> tuple[Case, int]:
    name, _, seed = game.rpartition("/")
    rulebook = name.partition("/")[0]
    case = next((c for c in cases([rulebook] if rulebook in RULEBOOKS else []) if c.name == name), None)
    if case is None or not seed.isdecimal():
        message = f"`{game}` is no game: give RULEBOOK/PLAYERS/SETTING/SEED, as `hanabi/2/default/0`"
        raise SystemExit(message)
    return case, int(seed)


def _diff(game: str, base: Path, parts: Sequence[str]) -> list[str]:
    theirs, mine = _shown_by(base, game, parts), _shown(game, parts)
    return list(difflib.unified_diff(theirs, mine, str(base), "here", lineterm=""))


def _first_lines(game: str, base: Path, parts: Sequence[str]) -> Iterator[str]:
    """For each part the first line that differs, with the lines before it."""
    for part in parts:
        theirs, mine = _shown_by(base, game, [part]), _shown(game, [part])
        at = next(
            (k for k, (a, b) in enumerate(zip(theirs, mine, strict=False)) if a != b), min(len(theirs), len(mine))
        )
        yield theirs[0]
        yield from (f"  {line}" for line in theirs[max(1, at - _CONTEXT) : at])
        yield f"- {theirs[at] if at < len(theirs) else '(nothing more)'}"
        yield f"+ {mine[at] if at < len(mine) else '(nothing more)'}"


def _shown_by(base: Path, game: str, parts: Sequence[str]) -> list[str]:
    base = base.resolve()
    command = [sys.executable, "-m", "tests.digests", "show", game, *(f"--part={part}" for part in parts)]
    environment = {**os.environ, "PYTHONPATH": str(base)}
    theirs = subprocess.run(command, cwd=base, env=environment, capture_output=True, text=True, check=False)
    if theirs.returncode:
        message = f"{base} cannot show `{game}`:\n{theirs.stderr}"
        raise SystemExit(message)
    return theirs.stdout.splitlines()


if __name__ == "__main__":
    raise SystemExit(main())
