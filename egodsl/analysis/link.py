"""From a file to one program: the libraries it uses, the rulebook it varies, and its edits, put together."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import attrs

from egodsl.analysis import edits
from egodsl.analysis.edits import Table, span_of
from egodsl.analysis.files import Reader, path_of
from egodsl.analysis.symbols import Program
from egodsl.analysis.tables import read_tables
from egodsl.provenance import SourceIndex, check_citations, find_citations, load_index
from egodsl.source.diagnostics import Diagnostic, Diagnostics, Label
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.source.text import SourceText, read_source
from egodsl.syntax import nodes

D = TypeVar("D", bound=nodes.Node)


@attrs.define(eq=False)
class _Part:
    """A module with everything it brings: what its libraries, its base and itself declare, and the heads that count."""

    module: nodes.Module
    sources: set[SourceText] = attrs.Factory(set)
    """The texts that its declarations come from."""
    table: Table = attrs.Factory(dict)
    players: nodes.PlayersHeader | None = None
    result: nodes.ResultHeader | None = None
    payoff: nodes.PayoffHeader | None = None
    presets: dict[str, nodes.SetHeader] = attrs.Factory(dict)
    needs: list[nodes.NeedsHeader] = attrs.Factory(list)
    index: SourceIndex | None = None
    removed: dict[str, nodes.Removal] = attrs.Factory(dict)


def link(path: Path | SourceText) -> tuple[Program | None, list[Diagnostic]]:
    """Read a rulebook, variant or library with everything it names, and apply its edits.

    `path` is the path of a file, or a text that was read already; what it names is looked for beside its path.
    Gives the program, or None where a file cannot be read or its declarations not be put together, and all diagnostics,
    sorted. Raises OSError as the system reports it if there is no such file.
    """
    found = Diagnostics()
    if isinstance(path, SourceText):
        source: SourceText | None = path
    else:
        source, unreadable = read_source(path)
        found.extend(unreadable)
    if source is None:
        return None, found.sorted()
    reader = Reader(found)
    module = reader.read(source)
    if module is None:
        return None, found.sorted()
    linker = _Linker(reader, found)
    part = linker.part(module, ())
    if part is None or reader.failed:
        return None, found.sorted()
    program = _program(part, linker.order)
    read_tables(program, found)
    _check_whole(program, part, found)
    stops = any(one.is_error and one.code.number not in _GOES_ON and one.code.number[3] != "6" for one in found)
    return (None if stops else program), found.sorted()


_GOES_ON = {"EGO208", "EGO210", "EGO211", "EGO212", "EGO213", "EGO216"}
"""Errors after which the declarations are whole, so that names and types can be looked at."""


class _Linker:
    def __init__(self, reader: Reader, found: Diagnostics) -> None:
        self.reader = reader
        self.found = found
        self.order: list[nodes.Module] = []
        self._parts: dict[nodes.Module, _Part] = {}

    def part(self, module: nodes.Module, way: tuple[nodes.Module, ...]) -> _Part | None:
        """A module with what it brings; `way` are the modules that led here. None after an error that ends the work."""
        if module in self._parts:
            return self._parts[module]
        part = _Part(module, {module.span.source})
        way = (*way, module)
        if module.base is not None and not self._vary(part, module.base, way):
            return None
        for header in module.headers:
            if isinstance(header, nodes.UseHeader) and not self._use(part, header, way):
                return None
        self._headers(part)
        for item in module.items:
            edits.apply(part.table, item, self.found)
            if isinstance(item, nodes.Removal):
                part.removed[item.name.name] = item
        actions = [item for item in module.items if isinstance(item, nodes.Removal) and item.kind == "action"]
        edits.check_lists(part.table, actions, self.found)
        self.order.append(module)
        self._parts[module] = part
        self._citations(part)
        return part

    def _named(self, name: nodes.Ident, way: tuple[nodes.Module, ...], what: str) -> _Part | None:
        module = self.reader.named(name, path_of(way[-1]))
        if module is None:
            return None
        itself = [one for one in way if path_of(one).resolve() == path_of(module).resolve()]
        if itself:
            names = " to ".join(f"`{one.name.name}`" for one in [*way[way.index(itself[0]) :], itself[0]])
            self.found.error(
                "EGO203",
                name.span,
                f"`{way[-1].name.name}` is built on itself: {names}",
                help="leave out one of these lines",
            )
            return None
        fits = module.form == "library" if what == "use" else module.form != "library"
        if not fits:
            wanted = "`use` takes a library" if what == "use" else "a variant is `of` a rulebook or of another variant"
            self.found.error(
                "EGO202",
                name.span,
                f"`{name.name}` is a {module.form}, and {wanted}",
                labels=(Label(module.name.span, "its head"),),
            )
            return None
        return self.part(module, way)

    def _vary(self, part: _Part, name: nodes.Ident, way: tuple[nodes.Module, ...]) -> bool:
        base = self._named(name, way, "of")
        if base is None:
            return False
        part.table.update(base.table)
        part.sources |= base.sources
        part.players, part.index = base.players, base.index
        part.result, part.payoff = base.result, base.payoff
        part.presets.update(base.presets)
        part.removed.update(base.removed)
        part.needs += base.needs
        return True

    def _use(self, part: _Part, header: nodes.UseHeader, way: tuple[nodes.Module, ...]) -> bool:
        library = self._named(header.name, way, "use")
        if library is None:
            return False
        if library.module.span.source in part.sources:
            return True  # brought in already, and perhaps changed since by what brought it
        before = part.sources
        part.sources = before | library.sources
        part.needs += library.needs
        for key, decl in library.table.items():
            old = part.table.get(key)
            if isinstance(decl, nodes.ScenarioDecl):
                continue
            if old is None or span_of(old).source in library.sources:
                part.table[key] = decl  # new, or what the library made of a declaration that both build on
            elif old is not decl and span_of(decl).source not in before:
                self.found.error(
                    "EGO205",
                    header.name.span,
                    f"`{header.name.name}` brings the {decl.kind} `{key[1]}`, and there is one already",
                    help="use only one of the two, or rename one of the declarations",
                    labels=(Label(span_of(old), "one is here"), Label(span_of(decl), "the other is here")),
                )
        return True

    def _headers(self, part: _Part) -> None:
        first: dict[str, nodes.Header] = {}
        for header in part.module.headers:
            kind, key = _header_kind(header)
            if part.module.form == "library" and kind in {"players", "result", "payoff", "set"}:
                message = f"a library has no `{kind}` line: that is for the rulebook to say"
                self.found.error("EGO213", header.span, message, help="leave the line out")
                continue
            if key in first and kind in {"players", "result", "payoff", "source", "set"}:
                message = f"there are two `{kind}` lines" + (f" for `{key.partition(' ')[2]}`" if kind == "set" else "")
                self.found.error(
                    "EGO210",
                    header.span,
                    message,
                    help="leave one of them out",
                    labels=(Label(first[key].span, "the first is here"),),
                )
                continue
            first[key] = header
            match header:
                case nodes.PlayersHeader():
                    part.players = header
                case nodes.ResultHeader():
                    part.result = header
                case nodes.PayoffHeader():
                    part.payoff = header
                case nodes.SetHeader():
                    part.presets[header.name.name] = header
                case nodes.NeedsHeader():
                    part.needs.append(header)
                case nodes.SourceHeader():
                    self._source(part, header)

    def _source(self, part: _Part, header: nodes.SourceHeader) -> None:
        path = path_of(part.module).with_name(f"{header.name.name}.source")
        if not path.is_file():
            others = [file.stem for file in path.parent.glob("*.source")] if path.parent.is_dir() else []
            message = f"there is no index `{path.name}` beside {path_of(part.module).name}"
            self.found.error("EGO216", header.name.span, message, help=did_you_mean(header.name.name, others))
            return
        index, complaints = load_index(path)
        self.found.extend(complaints)
        if index is not None:
            part.index = index.extends(part.index) if part.index is not None else index

    def _citations(self, part: _Part) -> None:
        if part.index is None:
            return
        cited: list[tuple[str, Span]] = []
        for node in nodes.walk(part.module):
            if isinstance(node, nodes.Prose):
                source = node.span.source
                cited += [
                    (id_, Span(source, start, end))
                    for id_, start, end in find_citations(node.span.text, node.span.start)
                ]
        self.found.extend(check_citations(cited, part.index))


def _header_kind(header: nodes.Header) -> tuple[str, str]:
    kind = type(header).__name__.removesuffix("Header").lower()
    if isinstance(header, nodes.SetHeader | nodes.UseHeader | nodes.NeedsHeader):
        return kind, f"{kind} {header.name.name}"
    return kind, kind


# ---------------------------------------------------------------- the whole


def _program(part: _Part, files: list[nodes.Module]) -> Program:
    module = part.module
    program = Program(
        root=module,
        files=files,
        name=module.name.name,
        title=module.title,
        players=part.players,
        result=part.result,
        payoff=part.payoff,
        presets=part.presets,
        needs=part.needs,
        index=part.index,
        removed=part.removed,
    )

    def of(kind: type[D]) -> dict[str, D]:
        return {key[1]: decl for key, decl in part.table.items() if isinstance(decl, kind)}

    program.enums, program.types, program.cards = of(nodes.EnumDecl), of(nodes.TypeDecl), of(nodes.CardDecl)
    program.components, program.zones, program.vars = of(nodes.ComponentsDecl), of(nodes.ZoneDecl), of(nodes.VarDecl)
    program.parameters, program.modes, program.readings = (
        of(nodes.ParameterDecl),
        of(nodes.ModeDecl),
        of(nodes.ReadingDecl),
    )
    program.defines, program.events, program.stages = of(nodes.DefineDecl), of(nodes.EventDecl), of(nodes.StageDecl)
    program.procedures, program.actions, program.reactions = (
        of(nodes.ProcedureDecl),
        of(nodes.ActionDecl),
        of(nodes.EventTrigger),
    )
    program.conditions, program.runs_out = of(nodes.ConditionTrigger), of(nodes.RunsOutTrigger)
    program.properties, program.scenarios = of(nodes.PropertyDecl), of(nodes.ScenarioDecl)
    return program


def _check_whole(program: Program, part: _Part, found: Diagnostics) -> None:
    module = program.root
    if module.form == "library":
        return
    head = module.name.span
    if program.players is None:
        message = f"`{program.name}` does not say for how many players it is"
        found.error("EGO211", head, message, help="write a line such as `players 2..4` in the head")
    if "game" not in program.stages:
        hint = did_you_mean("game", program.stages)
        found.error("EGO212", head, f"`{program.name}` has no `stage game`, where a game begins", help=hint)
    elif program.stages["game"].params:
        found.error(
            "EGO212", program.stages["game"].name.span, "the `stage game` takes parameters, and nothing gives it any"
        )
    for need in program.needs:
        kind = "trigger" if need.kind in edits.REACTIONS else need.kind
        if (kind, need.name.name) not in part.table:
            names = [name for other, name in part.table if other == kind]
            found.error(
                "EGO208",
                head,
                f"`{program.name}` uses a library that needs the {need.kind} `{need.name.name}`, and has none",
                help=did_you_mean(need.name.name, names) or f"declare `{need.kind} {need.name.name}`",
                labels=(Label(need.span, "needed here"),),
            )
