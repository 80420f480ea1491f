"""Generated source: scopes of names, constants, and functions made of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Checked, Local
from egodsl.engine import runtime
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from egodsl.engine.covering import Covering
    from egodsl.engine.layout import Layout
    from egodsl.engine.setup import Settings


class Scope:
    """What the names of a body mean in generated code: the source of each local, and of `you`.

    `first` is the seat, from 0, of the player whom a scenario calls A.
    """

    def __init__(self, names: Mapping[Local, str], you: str | None, first: int = 0) -> None:
        self.names = dict(names)
        self.you = you
        self.first = first
        self.used: set[Local] = set()

    def inner(self) -> Scope:
        """A scope for a comprehension, which may bind more names."""
        scope = Scope(self.names, self.you, self.first)
        scope.used = self.used
        return scope

    def source(self, local: Local) -> str:
        """The source of a local; it is noted as used."""
        self.used.add(local)
        return self.names[local]


class Generator:
    """Makes functions of generated source for one configured game, in one namespace."""

    def __init__(self, checked: Checked, layout: Layout, settings: Settings, covering: Covering | None = None) -> None:
        self.checked = checked
        self.layout = layout
        self.settings = settings
        self.covering = covering
        self.namespace: dict[str, Any] = runtime.namespace(layout)
        if covering is not None:
            self.namespace.update(covering.namespace())
        self._constants: dict[int, str] = {}
        self._kept: list[object] = []
        self._defines: dict[nodes.DefineDecl, str] = {}
        self._static: dict[nodes.DefineDecl, bool] = {}
        self._long: set[nodes.DefineDecl] = set()
        """Defines that are called, because their bodies are too long to be written out where they are used."""
        self._count = 0

    # ------------------------------------------------------------ functions and constants

    def fresh(self, stem: str) -> str:
        """A Python name that nothing else has."""
        self._count += 1
        return f"{stem}{self._count}"

    def constant(self, value: object) -> str:
        """The name in the namespace of a constant object."""
        name = self._constants.get(id(value))
        if name is None:
            name = self.fresh("K")
            self._constants[id(value)] = name
            self._kept.append(value)
            self.namespace[name] = value
        return name

    def function(self, args: str, result: str, stem: str = "e") -> Callable[..., Any]:
        """A function of `args` that returns the value of the source `result`."""
        return self.define(args, [f"return {result}"], stem)

    def define(self, args: str, body: list[str], stem: str) -> Callable[..., Any]:
        """A function with the body, one statement a line (inner lines indented by their author)."""
        name = self.fresh(stem)
        text = "\n".join(body)
        lines = [f"def {name}({args}):"]
        lines += [f"    {short}=S.{short}" for short in ("Z", "V", "L") if f"{short}[" in text]
        lines += [f"    {line}" for line in text.splitlines()]
        exec("\n".join(lines), self.namespace)  # noqa: S102 - source made here from a checked tree; names are generated
        made: Callable[..., Any] = self.namespace[name]
        return made

    def place(self, node: nodes.Node) -> str:
        """The constant that names a node in faults."""
        return self.constant(node.span)

    def type_of(self, expr: nodes.Node) -> t.Type:
        return self.checked.types[expr]

    def constant_source(self, ref: object) -> str:
        """The source of a name that is one value in the whole game."""
        raise TypeError(ref)

    def source(self, expr: nodes.Expr, scope: Scope) -> str:
        """Python source for the value of the expression."""
        made: str = getattr(self, "_" + type(expr).__name__.lower())(expr, scope)
        return made

    def some(self, expr: nodes.Expr, scope: Scope) -> str:
        """As `source`, where none is a fault."""
        source = self.source(expr, scope)
        if isinstance(self.type_of(expr), t.OptionalType):
            return f"some({source},{self.place(expr)})"
        return source

    def asked(self, condition: nodes.Expr, scope: Scope) -> str:
        """As `some`, for a condition: how it comes out is counted in a game that counts what is reached."""
        source = self.some(condition, scope)
        return source if self.covering is None else self.covering.asked(condition, source)

    def you(self, scope: Scope) -> str:
        return scope.you if scope.you is not None else "None"

    def card_type(self, decl: nodes.CardDecl) -> Any:
        return next(kind for kind in self.layout.types if kind.decl is decl)


def plain(kind: t.Type) -> t.Type:
    return kind.inner if isinstance(kind, t.OptionalType) else kind


def has_faces(kind: t.Type) -> bool:
    return isinstance(kind, t.SetType | t.RowType) and isinstance(kind.inner, t.FaceType)
