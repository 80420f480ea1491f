"""What a name can mean, and the result of analysis: a linked program with its tables of names and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.analysis.types import Type
    from egodsl.provenance import SourceIndex
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.source.span import Span
    from egodsl.source.text import SourceText


@attrs.define(eq=False)
class Local:
    """A name bound in a body or an expression: a parameter, a binding, a `let`, a loop variable, a clause variable."""

    name: str
    type: Type
    ident: nodes.Ident


@attrs.define(eq=False)
class EnumValue:
    """A value of an enum or an answer of a reading; `index` counts from 0 in order of declaration."""

    decl: nodes.EnumDecl | nodes.ReadingDecl
    name: str
    index: int
    label: str | None


@attrs.define(eq=False)
class LabelValue:
    """A label of a `type`: a name for a number."""

    decl: nodes.TypeDecl
    label: nodes.TypeLabel


@attrs.define(eq=False)
class Builtin:
    """A built-in name (`you`, `players`, ...) or function (`count`, ...)."""

    name: str


Symbol = Local | EnumValue | LabelValue | Builtin | nodes.Declaration


@attrs.define(eq=False)
class PatternMatch:
    """An ability's or trigger's pattern that is a value, `on played(ace)`: `value` must equal the parameter, or
    the parameter's `field`.
    """

    value: EnumValue | LabelValue
    field: str | None


@attrs.define(eq=False)
class Program:
    """A rulebook with its libraries and edits put together: the final declarations, each in order of declaration, none
    left to edit.

    Names in lists of actions that a variant removed are struck from the trees here. `files` holds every module read,
    the rulebook itself last.
    """

    root: nodes.Module
    files: list[nodes.Module]
    name: str
    title: str
    players: nodes.PlayersHeader | None = None
    result: nodes.ResultHeader | None = None
    payoff: nodes.PayoffHeader | None = None
    presets: dict[str, nodes.SetHeader] = attrs.Factory(dict)
    needs: list[nodes.NeedsHeader] = attrs.Factory(list)
    enums: dict[str, nodes.EnumDecl] = attrs.Factory(dict)
    types: dict[str, nodes.TypeDecl] = attrs.Factory(dict)
    cards: dict[str, nodes.CardDecl] = attrs.Factory(dict)
    components: dict[str, nodes.ComponentsDecl] = attrs.Factory(dict)
    zones: dict[str, nodes.ZoneDecl] = attrs.Factory(dict)
    vars: dict[str, nodes.VarDecl] = attrs.Factory(dict)
    parameters: dict[str, nodes.ParameterDecl] = attrs.Factory(dict)
    modes: dict[str, nodes.ModeDecl] = attrs.Factory(dict)
    readings: dict[str, nodes.ReadingDecl] = attrs.Factory(dict)
    defines: dict[str, nodes.DefineDecl] = attrs.Factory(dict)
    events: dict[str, nodes.EventDecl] = attrs.Factory(dict)
    stages: dict[str, nodes.StageDecl] = attrs.Factory(dict)
    procedures: dict[str, nodes.ProcedureDecl] = attrs.Factory(dict)
    actions: dict[str, nodes.ActionDecl] = attrs.Factory(dict)
    reactions: dict[str, nodes.EventTrigger] = attrs.Factory(dict)
    """Abilities and triggers `on` an event, in order of declaration."""
    conditions: dict[str, nodes.ConditionTrigger] = attrs.Factory(dict)
    runs_out: dict[str, nodes.RunsOutTrigger] = attrs.Factory(dict)
    properties: dict[str, nodes.PropertyDecl] = attrs.Factory(dict)
    scenarios: dict[str, nodes.ScenarioDecl] = attrs.Factory(dict)
    tables: list[SourceText] = attrs.Factory(list)
    """The texts of the tables that components are read from."""
    index: SourceIndex | None = None
    removed: dict[str, nodes.Removal] = attrs.Factory(dict)
    """What variants removed, by name: where a use of it is left, the error shows both places."""

    @property
    def ranking(self) -> nodes.ResultHeader | None:
        """How players are ranked: by `result`, without one by the most `payoff`; None where the head has neither."""
        if self.result is not None or self.payoff is None:
            return self.result
        key = nodes.SortKey("most", self.payoff.value, span=self.payoff.span)
        return nodes.ResultHeader([key], None, span=self.payoff.span)


@attrs.define(eq=False)
class Checked:
    """A program with what the analysis learnt of it.

    `refs` maps each `Name`, each `Ident` that uses or binds a name (loop variables, bindings, `let`, `as` names,
    patterns, `end`, `cancel`,
    action lists), and each `Call.name` to its meaning. For the ident of a binding, `pick`, `rank ... as` or `move ...
    as` it is the new `Local`,
    or the `VarDecl` that is assigned (`choose suit in Suit`). `types` holds the type of every expression, after names
    were resolved by the
    expected type; `declared` that of every type node. A per-player zone or variable written without an index has the
    type of the element.
    """

    program: Program
    refs: dict[nodes.Node, Symbol] = attrs.Factory(dict)
    types: dict[nodes.Node, Type] = attrs.Factory(dict)
    declared: dict[nodes.Node, Type] = attrs.Factory(dict)
    patterns: dict[nodes.Ident, PatternMatch] = attrs.Factory(dict)
    needs_you: set[nodes.Node] = attrs.Factory(set)
    """Declarations that use `you` and do not bind it, by the call graph."""
    values: dict[nodes.Node, list[EnumValue | LabelValue]] = attrs.Factory(dict)
    """The named values of each enum, type and reading, in order, with those that an enum brings from another."""
    candidates: dict[nodes.Ident, Local] = attrs.Factory(dict)
    """For the ident of a binding or `pick` that assigns a variable: the local that stands for the value while the head
    is tried.

    In the head's `where`s and in later domains the name refers to this local, after it to the variable.
    """
    unsure: list[Span] = attrs.Factory(list)
    """Where the head of a decision reads faces that its chooser may not know: play looks after those."""
    diagnostics: list[Diagnostic] = attrs.Factory(list)

    @property
    def kind(self) -> Literal["rulebook", "variant", "library"]:
        """What the file is."""
        return self.program.root.form
