"""From what a person types to files: rulebooks by path or by name, directories, and records."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from egodsl.cli.console import Misuse, note
from egodsl.source.registry import did_you_mean
from egodsl.source.resources import resource_path

if TYPE_CHECKING:
    from egodsl.engine.game import Rulebook
    from egodsl.engine.record import Record

SHIPPED = ("", "classics")
"""Where in the shipped rulebooks one is looked for by its bare name."""


def rules_files(paths: Iterable[str], *, by_name: bool = False) -> list[Path]:
    """The files that are meant, each once: a directory means the `.rules` files in it; with `by_name`, also rulebooks
    as `find_rulebook` finds them.

    Raises Misuse if there is no such thing.
    """
    found: dict[Path, None] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = sorted(file for file in path.glob("*.rules") if file.is_file())
            if not inside:
                raise Misuse(f"there is no `.rules` file in the directory `{given}`")
            found.update(dict.fromkeys(inside))
        elif path.exists():
            found[path] = None
        elif by_name and _is_name(path):
            found[find_rulebook(given)] = None
        else:
            raise Misuse(f"there is no file `{given}`", _close_file(path))
    return list(found)


def find_rulebook(given: str, beside: Path | None = None) -> Path:
    """The rulebook that is meant:

    a path, or the bare name of one here, in the directory `beside`, or among what egodsl ships. Raises Misuse.
    """
    path = Path(given)
    if path.exists() and not path.is_dir():
        return path
    folders = [Path(), *([beside] if beside is not None else []), *shipped_folders()]
    # A directory that happens to have the name of a rulebook does not stand in its way.
    for folder in folders if _is_name(path) else ():
        named = folder / f"{given}.rules"
        if named.is_file():
            return named
    if path.is_dir():
        raise Misuse(f"`{given}` is a directory: name one rulebook")
    if not _is_name(path):
        raise Misuse(f"there is no file `{given}`", _close_file(path))
    names = {file.stem for folder in folders for file in folder.glob("*.rules")}
    raise Misuse(
        f"there is no rulebook `{given}`, neither here nor among what egodsl ships", did_you_mean(given, names)
    )


def _is_name(path: Path) -> bool:
    return len(path.parts) == 1 and not path.suffix


def shipped_folders() -> list[Path]:
    """The directories of the rulebooks that egodsl ships."""
    root = resource_path("rulebooks")
    return [folder for part in SHIPPED if (folder := root / part).is_dir()]


def load_rulebook(given: str, beside: Path | None = None) -> Rulebook:
    """The rulebook that is meant, checked.

    Raises Misuse, and RulebookError where it cannot be used (a library cannot).
    """
    from egodsl.engine.game import load  # noqa: PLC0415 - the engine is loaded only by the verbs that need it

    path = find_rulebook(given, beside)
    rulebook = load(path)
    if rulebook.checked.kind == "library":
        raise Misuse(f"`{given}` is a library, which is not played by itself", "name a rulebook that uses it")
    return rulebook


def read_text(given: str, what: str) -> str:
    """The text of a file that is not a rulebook. Raises Misuse."""
    path = Path(given)
    if path.is_dir():
        raise Misuse(f"`{given}` is a directory, not {what}")
    if not path.exists():
        raise Misuse(f"there is no file `{given}`", _close_file(path))
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Misuse(f"`{given}` is not {what}: it is not UTF-8 text") from error


def _close_file(path: Path) -> str | None:
    folder = path.parent
    return did_you_mean(path.name, [file.name for file in folder.iterdir()]) if folder.is_dir() else None


def write_record(path: Path, record: Record) -> bool:
    """Write a counterexample; where that cannot be, say so on standard error. Gives whether it was written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record.to_json(), encoding="utf-8")
    except OSError as error:
        note(f"the record cannot be written to {path}: {error.strerror}")
        return False
    return True
