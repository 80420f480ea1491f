"""The parser's table: made by Lark from a grammar, kept as JSON, and read back without Lark.

Making a table takes Lark most of a second, and importing Lark alone takes longer than reading a rulebook. So a table is
written once (into the wheel when that is built, otherwise into a cache), in the form of Lark's own serialisation,
made smaller. It holds the text of the grammar that it was made from, and is used only for exactly that text. The first
line of the file is a checksum of the rest: a table that is a little damaged would lead the parser astray.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import zlib
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import attrs

from egodsl.source.resources import grammar_text

__all__ = ["TABLE_NAME", "Rule", "Table", "load_table", "make_table", "write_table"]

TABLE_NAME = "grammars.table"
_GRAMMARS = {"rules.lark": "start", "source.lark": "index"}
_FORMAT = 1

END = "$END"
"""The terminal after the last token."""


@attrs.frozen
class Rule:
    """What a reduction does.

    It takes the last `size` values, keeps those at the indices `keep` (each with whether it is a list to be spliced in)
    and gives them to the builder of `name`. Without a name the one value kept is passed on. A rule that `splices` is
    never seen by a builder: its values become part of the rule around it. If it `passes`, nothing at all is to be done:
    it takes one value and passes it on.
    """

    left: int
    size: int
    name: str | None
    keep: tuple[tuple[int, bool], ...]
    splices: bool
    passes: bool


@attrs.frozen(eq=False)
class Table:
    """An LALR(1) table. Symbols are numbers, terminals first; `names[n]` is what the grammar calls symbol n.

    `patterns` are the terminals with their regular expressions, the one to be preferred first; a terminal that the
    layout makes has none. `literals` are those terminals that are one fixed text each.
    """

    names: tuple[str, ...]
    patterns: tuple[tuple[int, str], ...]
    literals: dict[str, int]
    rules: tuple[Rule, ...]
    start: int
    accepting: int
    _rows: list[list[int]]
    _states: list[int]
    _dicts: list[dict[int, int] | None]

    def row(self, state: int) -> dict[int, int]:
        """Symbol -> what to do in `state`: n >= 0, go to state n; n < 0, reduce by rule -1 - n."""
        number = self._states[state]
        row = self._dicts[number]
        if row is None:
            flat = self._rows[number]
            row = self._dicts[number] = dict(zip(flat[::2], flat[1::2], strict=True))
        return row

    @cached_property
    def terminal_count(self) -> int:
        """The number of the first symbol that is no terminal."""
        return min(rule.left for rule in self.rules)

    @cached_property
    def symbols(self) -> dict[str, int]:
        """Name -> number."""
        return {name: number for number, name in enumerate(self.names)}


def make_table(grammar: str, start: str) -> dict[str, Any]:
    """The table of a grammar, as what `json.dumps` takes.

    Raises Lark's errors if `grammar` is none, or has conflicts.
    """
    from lark import Lark  # noqa: PLC0415 -- slow to import, and only needed here
    from lark.grammar import Rule as LarkRule  # noqa: PLC0415
    from lark.lexer import TerminalDef  # noqa: PLC0415

    lark = Lark(grammar, start=start, parser="lalr", lexer="basic", maybe_placeholders=False)
    data, memo = lark.memo_serialize([TerminalDef, LarkRule])
    parser = data["parser"]["parser"]
    lark_rules = {key: value for key, value in memo.items() if value["__type__"] == "Rule"}
    terminals = [value for value in memo.values() if value["__type__"] == "TerminalDef"]
    names = _symbols((t["name"] for t in terminals), parser["tokens"].values(), lark_rules.values())
    numbers = {name: number for number, name in enumerate(names)}
    order = {key: number for number, key in enumerate(lark_rules)}
    unique: dict[tuple[int, ...], int] = {}
    states: list[int] = [0] * len(parser["states"])
    for state, actions in parser["states"].items():
        flat: list[int] = []
        for token, (kind, argument) in actions.items():
            reduces = kind == 1
            flat += (numbers[parser["tokens"][token]], -1 - order[argument["@"]] if reduces else argument)
        states[state] = unique.setdefault(tuple(flat), len(unique))
    return {
        "format": _FORMAT,
        "grammar": grammar,
        "names": names,
        "patterns": [[numbers[t["name"]], _expression(t)] for t in sorted(terminals, key=_preference)],
        "literals": {t["pattern"]["value"]: numbers[t["name"]] for t in terminals if _is_plain(t)},
        "rules": [_rule(rule, numbers) for rule in lark_rules.values()],
        "start": parser["start_states"][start],
        "accepting": parser["end_states"][start],
        "rows": [list(row) for row in unique],
        "states": states,
    }


def _symbols(terminals: Iterable[str], used: Iterable[str], rules: Iterable[dict[str, Any]]) -> list[str]:
    # `used` are the symbols of the states: they lack terminals that are ignored, as `terminals` lacks those of layout.
    left = {rule["origin"]["name"] for rule in rules}
    return sorted({*terminals, *used} - left) + sorted(left)


def _is_plain(terminal: dict[str, Any]) -> bool:
    return bool(terminal["pattern"]["__type__"] == "PatternStr")


def _expression(terminal: dict[str, Any]) -> str:
    text: str = terminal["pattern"]["value"]
    return re.escape(text) if _is_plain(terminal) else text


def _preference(terminal: dict[str, Any]) -> tuple[Any, ...]:
    # Lark's own order: priority, the longest first, plain strings before expressions.
    pattern = terminal["pattern"]
    plain = _is_plain(terminal)
    width = len(pattern["value"]) if plain else pattern["_width"][1]
    return (-terminal["priority"], -width, not plain, -len(pattern["value"]), terminal["name"])


def _rule(rule: dict[str, Any], numbers: dict[str, int]) -> list[Any]:
    # The shape that Lark would give the tree: filtered tokens, `_rules` spliced in, `?rules` of one child passed on.
    origin = rule["origin"]["name"]
    keep = [
        [index, symbol["__type__"] == "NonTerminal" and symbol["name"].startswith("_")]
        for index, symbol in enumerate(rule["expansion"])
        if not symbol.get("filter_out", False)
    ]
    splices = origin.startswith("_")
    alone = len(keep) == 1 and not keep[0][1]
    name = rule["alias"] or (None if splices or (rule["options"]["expand1"] and alone) else origin)
    return [numbers[origin], len(rule["expansion"]), name, keep, splices]


@cache
def load_table(grammar_name: str) -> Table:
    """The table of one of the grammars that the package ships, such as `rules.lark`.

    It comes with the package or from a cache, or is made now. Raises FileNotFoundError if there is no such grammar.
    """
    grammar = grammar_text(grammar_name)
    for path in _candidates():
        table = _read(path, grammar_name, grammar)
        if table is not None:
            return table
    _keep_for_next_time()
    return _table(make_table(grammar, _GRAMMARS[grammar_name]))


def _table(data: dict[str, Any]) -> Table:
    return Table(
        tuple(data["names"]),
        tuple((number, pattern) for number, pattern in data["patterns"]),
        data["literals"],
        tuple(
            Rule(left, size, name, tuple((i, s) for i, s in keep), splices, name is None and size == 1 and not splices)
            for left, size, name, keep, splices in data["rules"]
        ),
        data["start"],
        data["accepting"],
        data["rows"],
        data["states"],
        [None] * len(data["rows"]),
    )


def _read(path: Path, grammar_name: str, grammar: str) -> Table | None:
    # None for anything but a whole table of exactly this grammar, so that a broken or stale file is made anew.
    try:
        checksum, _, written = path.read_bytes().partition(b"\n")
        tables = json.loads(written) if checksum == _checksum(written) else None
    except (OSError, ValueError):
        return None
    data = tables.get(grammar_name) if isinstance(tables, dict) else None
    if not isinstance(data, dict) or data.get("format") != _FORMAT or data.get("grammar") != grammar:
        return None
    try:
        return _table(data)
    except (KeyError, TypeError, ValueError):
        return None


def _checksum(written: bytes) -> bytes:
    return b"%08x" % zlib.crc32(written)


def write_table(path: str | os.PathLike[str]) -> None:
    """Write the tables of all grammars to the file `path`. Raises OSError if that cannot be written."""
    tables = {name: make_table(grammar_text(name), start) for name, start in _GRAMMARS.items()}
    written = json.dumps(tables, separators=(",", ":")).encode("ascii")
    target = Path(path)
    # Written beside, by each writer in a file of its own, and then moved, so that nobody ever reads half a table.
    partial = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}")
    partial.write_bytes(_checksum(written) + b"\n" + written)
    partial.replace(target)


def _candidates() -> list[Path]:
    here = Path(__file__).parent
    return [here / TABLE_NAME, *_caches()]


def _caches() -> list[Path]:
    # Beside the compiled modules first: that cache comes and goes with this very copy of the package.
    return [Path(__file__).parent / "__pycache__" / TABLE_NAME, _user_cache() / TABLE_NAME]


def _user_cache() -> Path:
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        root = str(Path("~/Library/Caches").expanduser())
    else:
        root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path("~/.cache").expanduser()) / "egodsl"


def _keep_for_next_time() -> None:
    # A cache that cannot be written only costs time.
    for path in _caches():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_table(path)
        except OSError:
            continue
        return
