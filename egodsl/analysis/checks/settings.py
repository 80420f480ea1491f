"""The games that a rulebook can be configured for, as far as some expressions depend on it: all of them, or a stated
part.

Only what the expressions read is varied: the number of players, modes, readings, parameters. Beyond `MOST_GAMES`
combinations a parameter stands in for itself with its ends and its default, and what is still beyond that is left
out: then `Space.whole` is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from egodsl.analysis.checks.folding import Folder, Member, Setting, Value
from egodsl.analysis.relations import plain
from egodsl.analysis.symbols import Builtin, Checked, EnumValue
from egodsl.analysis.types import IntType
from egodsl.syntax import nodes

MOST_GAMES = 2_000
"""How many combinations of settings are tried for one question."""


@attrs.define(eq=False)
class Space:
    """A folder for each combination of settings; `whole` if there are no others, `free` if nothing can be varied."""

    folders: list[Folder]
    whole: bool
    free: bool


class Settings:
    """What expressions of one program depend on, and the games that differ in it."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self._reads: dict[nodes.Node, tuple[frozenset[Setting], bool]] = {}
        program = checked.program
        declared: list[Setting] = [*program.modes.values(), *program.readings.values(), *program.parameters.values()]
        self._positions: dict[Setting, int] = {setting: k for k, setting in enumerate(declared)}
        self._plain = Space([Folder(checked)], whole=True, free=True)

    def space(self, roots: Iterable[nodes.Node], *, presets: bool = False) -> Space:
        """The games that the expressions can tell apart. With `presets` what the program fixes is fixed."""
        read: frozenset[Setting] = frozenset()
        players = False
        for root in roots:
            settings, counts = self._of(root)
            read |= settings
            players |= counts
        if not read and not players:
            return self._plain
        order = sorted(read, key=self._positions.__getitem__)
        folders = [Folder(self.checked, {}, count) for count in (self._players() if players else [None])]
        whole = True
        for setting in order:
            values = {folder: self._values(setting, folder, presets=presets) for folder in folders}
            if sum(map(len, values.values())) > MOST_GAMES and isinstance(setting, nodes.ParameterDecl):
                whole = False
                values = {folder: self._ends(setting, folder, every) for folder, every in values.items()}
            folders = [
                Folder(self.checked, {**folder.settings, setting: value}, folder.players)
                for folder in folders
                for value in values[folder]
            ]
            if len(folders) > MOST_GAMES:
                whole = False
                folders = folders[:MOST_GAMES]
        return Space(folders, whole=whole, free=False)

    def words(self, folder: Folder) -> str:
        """A combination of settings as a person names it: `3 players, long on, dealing = all`."""
        found = [f"{folder.players} players"] if folder.players is not None else []
        for setting, value in folder.settings.items():
            name = setting.name.name
            if isinstance(value, bool):
                found.append(f"`{name}` {'on' if value else 'off'}")
            else:
                found.append(f"`{name} = {value.name if isinstance(value, Member) else value}`")
        return ", ".join(found)

    # ------------------------------------------------------------ what is read

    def _of(self, root: nodes.Node) -> tuple[frozenset[Setting], bool]:
        # Through defines, types and parameters' bounds; nothing leads back to itself in a program without errors.
        known = self._reads.get(root)
        if known is not None:
            return known
        read: set[Setting] = set()
        players = False
        for node in nodes.walk(root):
            ref = self.checked.refs.get(node)
            if isinstance(ref, Builtin):
                players |= ref.name in {"players", "others", "teams"}
            elif isinstance(ref, EnumValue):
                continue
            elif isinstance(ref, nodes.ModeDecl | nodes.ReadingDecl | nodes.ParameterDecl) and ref is not root:
                read.add(ref)
            inner = ref if isinstance(ref, nodes.DefineDecl | nodes.TypeDecl | nodes.ParameterDecl) else None
            if inner is not None and inner is not root:
                settings, counts = self._of(inner)
                read |= settings
                players |= counts
        found = (frozenset(read), players)
        if isinstance(root, nodes.Declaration):
            self._reads[root] = found
        return found

    def _players(self) -> list[int]:
        header = self.checked.program.players
        if header is None:
            return []
        folder = Folder(self.checked)
        low = folder.fold(header.low)
        high = folder.fold(header.high) if header.high is not None else low
        if not isinstance(low, int) or not isinstance(high, int):
            return []
        return list(range(low, high + 1))

    def _values(self, setting: Setting, folder: Folder, *, presets: bool) -> list[Value]:
        preset = self.checked.program.presets.get(setting.name.name) if presets else None
        if preset is not None:
            return [folder.fold(preset.value)]
        if isinstance(setting, nodes.ModeDecl):
            return [False, True]
        if isinstance(setting, nodes.ReadingDecl):
            return [Member(answer.name.name) for answer in setting.answers]
        return list(self._numbers(setting, folder))

    def _numbers(self, setting: nodes.ParameterDecl, folder: Folder) -> Iterator[int]:
        high = folder.fold(setting.type.high) if setting.type.high is not None else None
        low = folder.fold(setting.type.low)
        if isinstance(low, int) and isinstance(high, int):
            return iter(range(low, min(high, low + MOST_GAMES) + 1))
        kind = plain(self.checked.declared[setting.type])
        assert isinstance(kind, IntType)
        return iter(range(kind.low, min(kind.high, kind.low + MOST_GAMES) + 1))

    def _ends(self, setting: nodes.ParameterDecl, folder: Folder, values: list[Value]) -> list[Value]:
        ends = [values[0], values[-1], folder.fold(setting.default)] if values else []
        return list(dict.fromkeys(one for one in ends if isinstance(one, int)))
