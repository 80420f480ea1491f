"""What the passes over one program share: its tables, its diagnostics, and what is known inside the body at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import attrs

from egodsl.analysis.relations import NATURAL, UNKNOWN, plain, widened
from egodsl.analysis.symbols import Builtin, Checked, EnumValue, LabelValue, Local, Program, Symbol
from egodsl.analysis.types import EnumType, IntType, PlayerType, Type
from egodsl.source.diagnostics import Diagnostics, Label
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.syntax import nodes

Value = EnumValue | LabelValue


@attrs.define(eq=False)
class Use:
    """A place where a declaration needs `you` and does not bind it; `words` are the author's."""

    span: Span
    words: str


@attrs.define(eq=False)
class Edge:
    """A call of another declaration; `bound` if `you` is bound there by the caller, `announced` if through an event."""

    target: nodes.Node
    span: Span
    bound: bool
    announced: bool = False


@attrs.define(eq=False)
class Missing:
    """An error about a name, where it stands first, and where else."""

    code: str
    message: str
    span: Span
    help: str | None
    labels: tuple[Label, ...]
    others: list[Span] = attrs.Factory(list)


_MOST_OTHERS = 3


@attrs.define(eq=False)
class Body:
    """What is known at a place inside one declaration."""

    owner: nodes.Node
    you: bool = False
    scenario: bool = False
    claim: bool = False
    """Whether it is a property, which sees everything and may ask for `old` values."""
    returns: Type | None = None
    rebound: frozenset[str] = frozenset()
    """Names that its statements bind more than once, or assign: their integers have no narrower bounds than 64 bits."""
    visible: dict[str, Local] = attrs.Factory(dict)
    bound: dict[str, Local] = attrs.Factory(dict)
    """Every name that a statement bound so far, also in a branch that is not this one."""
    fixed: set[str] = attrs.Factory(set)
    """Visible names that no statement may bind again: parameters, loop and clause variables."""
    binders: list[nodes.Ident] = attrs.Factory(list)
    """The names bound to one player after another since the nearest `as`."""
    chosen: list[Local] = attrs.Factory(list)


_CALLS = {"stage": "play", "procedure": "perform", "action": "choose one of"}
"""How what has a body of its own is set going, by its kind."""


class Context:
    """One run of the analysis over one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.checked = Checked(program)
        self.found = Diagnostics()
        self.refs: dict[nodes.Node, Symbol] = self.checked.refs
        self.types: dict[nodes.Node, Type] = self.checked.types
        self.declared: dict[nodes.Node, Type] = self.checked.declared
        self.globals: dict[str, nodes.Declaration] = {}
        self.doubtful: set[str] = set()
        """Names that were reported to have two meanings: what they are worth is not asked any more."""
        self.values: dict[str, list[Value]] = {}
        self.members: dict[nodes.Node, dict[str, Value]] = {}
        self.elements: dict[nodes.Node, Type] = {}
        """What a zone, variable, parameter or define is worth, with all its indexes or arguments given."""
        self.used: set[Local] = set()
        self.uses: dict[nodes.Node, Use] = {}
        self.edges: dict[nodes.Node, list[Edge]] = {}
        self.needed = {(need.kind, need.name.name) for need in program.needs}
        self.players: IntType = NATURAL
        self.teams: IntType | None = None
        self.body = Body(program.root)
        self._builtins: dict[str, Builtin] = {}
        self._missing: dict[str, Missing] = {}

    def builtin(self, name: str) -> Builtin:
        """The one symbol of a built-in name, or of a player's letter in a scenario."""
        return self._builtins.setdefault(name, Builtin(name))

    def error(
        self, code: str, span: Span, message: str, *, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> Type:
        """Report an error; gives the type that keeps it the only one."""
        self.found.error(code, span, message, help=help, labels=labels)
        return UNKNOWN

    def missing(
        self, code: str, name: str, span: Span, message: str, *, help: str | None = None, labels: tuple[Label, ...] = ()
    ) -> Type:
        """Note an error about a name: one for each `name`, at the first place, with the others beside it."""
        first = self._missing.setdefault(name, Missing(code, message, span, help, labels))
        if first.span is not span:
            first.others.append(span)
        return UNKNOWN

    def report_missing(self) -> None:
        """Put what `missing` noted among the diagnostics."""
        for one in self._missing.values():
            others = tuple(Label(span, "here too") for span in one.others[:_MOST_OTHERS])
            notes = (f"it stands in {len(one.others)} other places",) if len(one.others) > _MOST_OTHERS else ()
            self.found.error(one.code, one.span, one.message, help=one.help, labels=(*one.labels, *others), notes=notes)

    # ------------------------------------------------------------ you

    def need_you(self, span: Span, words: str) -> None:
        """Note that the place needs a `you`."""
        if not self.body.you:
            self.uses.setdefault(self.body.owner, Use(span, words))

    def need_own(self, span: Span, name: str) -> None:
        """Note that a name without its player is yours; an error where a binder over players makes that doubtful."""
        if not self.body.binders:
            self.need_you(span, name)
        else:
            binder = self.body.binders[-1]
            self.error(
                "EGO311",
                span,
                f"whose `{name}` this is could be mistaken: `{binder.name}` goes over players here",
                help=f"write `{name}[{binder.name}]`, or `{name}[you]` if yours is meant",
                labels=(Label(binder.span, f"`{binder.name}` is one player after another"),),
            )

    def call(self, target: nodes.Node, span: Span, *, announced: bool = False) -> None:
        """Note that the body at hand calls another declaration."""
        self.edges.setdefault(self.body.owner, []).append(Edge(target, span, self.body.you, announced))

    # ------------------------------------------------------------ bodies

    @contextmanager
    def inside(self, body: Body) -> Iterator[Body]:
        """Work inside another body for a while."""
        before, self.body = self.body, body
        try:
            yield body
        finally:
            self.body = before

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Inside, `you` is bound: by `turns`, by `as`, by the `as` of a trigger."""
        body = self.body
        before = body.you, body.binders
        body.you, body.binders = True, []
        try:
            yield
        finally:
            body.you, body.binders = before

    @contextmanager
    def binding(self, ident: nodes.Ident | None, kind: Type) -> Iterator[None]:
        """Inside, `ident` (bound already) takes one value after another; over players `need_own` warns of that."""
        over_players = ident is not None and isinstance(plain(kind), PlayerType)
        if over_players and ident is not None:
            self.body.binders = [*self.body.binders, ident]
        try:
            yield
        finally:
            if over_players:
                self.body.binders = self.body.binders[:-1]

    # ------------------------------------------------------------ locals

    def bind(self, ident: nodes.Ident, kind: Type) -> Local:
        """Bind a name that ends with the construct around it: a parameter, a loop or clause variable. See `release`."""
        kind = self._free(ident, kind)
        body = self.body
        if ident.name in body.visible:
            self.shadows(ident, body.visible[ident.name].ident, "a name that is in use here")
            kind = UNKNOWN
        local = Local(ident.name, widened(kind) if ident.name in body.rebound else kind, ident)
        self.refs[ident] = local
        body.visible[ident.name] = local
        body.fixed.add(ident.name)
        return local

    def release(self, idents: list[nodes.Ident], before: dict[str, Local]) -> None:
        """End the names bound by `bind` since `before` (a copy of what was visible then)."""
        for ident in idents:
            if ident.name in before:
                self.body.visible[ident.name] = before[ident.name]
            else:
                self.body.visible.pop(ident.name, None)
                self.body.fixed.discard(ident.name)

    def bind_statement(self, ident: nodes.Ident, kind: Type) -> Local:
        """Bind a name that lives on to the end of the body. Bound again with the same type, it is the same local."""
        kind = self._free(ident, kind)
        body = self.body
        name = ident.name
        if name in body.fixed:
            self.shadows(ident, body.visible[name].ident, "bound already")
            kind = UNKNOWN
        kind = widened(kind) if name in body.rebound else kind
        before = body.bound.get(name)
        if before is not None and not self._agree(before.type, kind):
            self.error(
                "EGO313",
                ident.span,
                f"`{name}` is bound a second time as `{kind}`, and was `{before.type}`",
                help="give one of them another name",
                labels=(Label(before.ident.span, f"here it is `{before.type}`"),),
            )
            before = None
        local = before or Local(name, kind, ident)
        self.refs[ident] = local
        body.visible[name] = body.bound[name] = local
        return local

    def _agree(self, left: Type, right: Type) -> bool:
        left, right = widened(left), widened(right)
        return left == right or UNKNOWN in (left, right)

    def _free(self, ident: nodes.Ident, kind: Type) -> Type:
        # The type to bind the name with: unknown where it means something already, so that this is the only error.
        name = ident.name
        if name in self.globals:
            decl = self.globals[name]
            self.shadows(ident, decl.name, f"{_article(decl.kind)} already")
            return UNKNOWN
        for value in self.values.get(name, ()):
            if not isinstance(value.decl, nodes.ReadingDecl):
                self.shadows(ident, value.decl.name, f"a value of `{value.decl.name.name}` already")
                return UNKNOWN
        return kind

    def shadows(self, ident: nodes.Ident, other: nodes.Ident, what: str) -> None:
        """Report that `ident` names what `other` names already; `what` says what that is."""
        self.missing(
            "EGO303",
            f"{ident.name} beside {other.span}",
            ident.span,
            f"`{ident.name}` is {what}",
            help="choose another name here: one name has one meaning in a place",
            labels=(Label(other.span, "that one is declared here"),),
        )

    # ------------------------------------------------------------ names of declarations

    def find(self, kind: str, ident: nodes.Ident, table: Mapping[str, nodes.Declaration]) -> nodes.Declaration | None:
        """The declaration of that kind; without one an error and None; just None if a library needs it."""
        decl = table.get(ident.name)
        if decl is not None:
            self.refs[ident] = decl
            return decl
        if (kind, ident.name) not in self.needed:
            other = self.any_declaration(ident.name)
            hint = did_you_mean(ident.name, table)
            if other is not None:
                called = _CALLS.get(other.kind) if kind in _CALLS else None
                hint = hint or (f"{_article(other.kind)} is run by `{called} {ident.name}`" if called else None)
                self.error(
                    "EGO306",
                    ident.span,
                    f"`{ident.name}` is {_article(other.kind)}, and here the name of {_article(kind)} belongs",
                    help=hint,
                    labels=(Label(other.name.span, "declared here"),),
                )
            else:
                labels = self.removed(ident.name)
                message = f"there is no {kind} `{ident.name}`"
                self.missing("EGO305", ident.name, ident.span, message, help=hint, labels=labels)
        return None

    def removed(self, name: str) -> tuple[Label, ...]:
        """The place where a variant removed what had the name, for the error at a use that is left."""
        removal = self.program.removed.get(name)
        return (Label(removal.name.span, "removed here"),) if removal is not None else ()

    def any_declaration(self, name: str) -> nodes.Declaration | None:
        """A declaration of that name, of whatever kind."""
        program = self.program
        if name in self.globals:
            return self.globals[name]
        tables: list[Mapping[str, nodes.Declaration]] = [
            program.actions,
            program.procedures,
            program.stages,
            program.events,
        ]
        return next((table[name] for table in tables if name in table), None)

    def members_of(self, kind: Type | None) -> dict[str, Value]:
        """The named values of a type: those of an enum, the labels of a range, the answers of a reading."""
        kind = plain(kind) if kind is not None else None
        if isinstance(kind, EnumType):
            return self.members.get(kind.decl, {})
        if isinstance(kind, IntType) and kind.label is not None:
            return self.members.get(kind.label, {})
        return {}


def article(word: str) -> str:
    """The word with `a` or `an` before it."""
    return _article(word)


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeio" else f"a {word}"
