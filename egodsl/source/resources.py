"""The files that come with the package: grammars and rulebooks.

An installed package has them inside (`egodsl/grammars`, `egodsl/rulebooks`); in a check-out they stand beside it. The
package must lie in a directory: it is not run from a zip file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parents[1]


def resource_path(kind: Literal["grammars", "rulebooks"], name: str = "") -> Path:
    """Where the file or directory `name` (with `/` between parts) of that kind is; the whole kind if `name` is empty.

    Raises FileNotFoundError if there is none, and ValueError if `name` leads out of its kind.
    """
    if Path(name).is_absolute() or ".." in Path(name).parts:
        msg = f"`{name}` is not a name inside {kind}"
        raise ValueError(msg)
    root = _root(kind)
    path = root / name
    if not path.exists():
        msg = f"no `{name}` among the {kind} in {root}"
        raise FileNotFoundError(msg)
    return path


def grammar_text(name: str) -> str:
    """The text of the grammar file `name`, such as `rules.lark`. Raises FileNotFoundError if there is none."""
    return resource_path("grammars", name).read_text(encoding="utf-8")


def _root(kind: str) -> Path:
    # The neighbour counts only in a check-out, which pyproject.toml marks: beside an installed package lie strangers.
    inside = _PACKAGE / kind
    checkout = _PACKAGE.parent
    if not inside.is_dir() and (checkout / "pyproject.toml").is_file():
        return checkout / kind
    return inside
