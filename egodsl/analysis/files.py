"""Finding and reading the files that a rulebook names: libraries, bases, source indexes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from egodsl.source.diagnostics import Diagnostics
from egodsl.source.registry import did_you_mean
from egodsl.source.resources import resource_path
from egodsl.source.text import SourceText, read_source
from egodsl.syntax import nodes
from egodsl.syntax.parse import parse

_LIBRARY = "library"
_SHIPPED = ("", _LIBRARY, "classics")


def folders(beside: Path) -> Iterator[Path]:
    """Where the files that the file `beside` names are looked for: in order, the first that has one wins."""
    folder = beside.parent
    yield folder
    for above in (folder, *folder.absolute().parents):
        yield above / _LIBRARY
    root = resource_path("rulebooks")
    for part in _SHIPPED:
        yield root / part if part else root


class Reader:
    """Reads modules, each file once."""

    def __init__(self, found: Diagnostics) -> None:
        self.found = found
        self.files: list[nodes.Module] = []
        self.failed = False
        self._read: dict[Path, nodes.Module | None] = {}

    def read(self, source: SourceText) -> nodes.Module | None:
        """Parse a text; None (and `failed`) if there is any error in it."""
        parsed = parse(source)
        self.found.extend(parsed.diagnostics)
        if parsed.module is None or parsed.partial:
            self.failed = True
            return None
        return parsed.module

    def named(self, name: nodes.Ident, beside: Path) -> nodes.Module | None:
        """The module that `use` or `of` names in the file `beside`; None after an error."""
        path = next((place for folder in folders(beside) if (place := folder / f"{name.name}.rules").is_file()), None)
        if path is None:
            self.failed = True
            others = {file.stem for folder in folders(beside) if folder.is_dir() for file in folder.glob("*.rules")}
            looked = f"it is looked for beside {beside.name}, in `library` there and above, and among what egodsl ships"
            hint = did_you_mean(name.name, others - {beside.stem})
            self.found.error("EGO201", name.span, f"there is no file `{name.name}.rules`", help=hint, notes=(looked,))
            return None
        key = path.resolve()
        if key not in self._read:
            source, unreadable = read_source(path)
            self.found.extend(unreadable)
            self.failed |= source is None
            self._read[key] = self.read(source) if source is not None else None
        return self._read[key]


def path_of(module: nodes.Module) -> Path:
    """The path of the file that a module was read from."""
    return Path(module.span.source.path)
