"""Declarations."""

from __future__ import annotations

from typing import ClassVar, Literal

import attrs

from egodsl.syntax.nodes.base import Ident, Node, Prose, node
from egodsl.syntax.nodes.expressions import Clause, Expr, RangeType, Text, TypeNode, Where
from egodsl.syntax.nodes.statements import Binding, Block

# ---------------------------------------------------------------- declarations


@node
class Declaration(Node):
    """A declaration, with what stands before it. `kind` is the word that `remove KIND NAME` uses."""

    kind: ClassVar[str] = ""
    name: Ident
    prose: Prose | None = attrs.field(default=None, kw_only=True)
    edit: Literal["replace", "extend"] | None = attrs.field(default=None, kw_only=True)


@node
class EnumItem(Node):
    """A value with its label; without a label, the name of another enum brings all its values."""

    name: Ident
    label: str | None


@node
class EnumDecl(Declaration):
    kind: ClassVar[str] = "enum"
    items: list[EnumItem]


@node
class TypeLabel(Node):
    """`name "label" = value` of a named range."""

    name: Ident
    label: str | None
    value: Expr


@node
class TypeDecl(Declaration):
    """`type Rank: 2..14 with jack "J" = 11`."""

    kind: ClassVar[str] = "type"
    type: RangeType
    labels: list[TypeLabel]


@node
class Field(Node):
    name: Ident
    type: TypeNode
    prose: Prose | None


@node
class Mark(Node):
    """`var face: 1..6 = 1` in a card: what play changes on it."""

    name: Ident
    type: TypeNode
    initial: Expr | None
    prose: Prose | None


@node
class Written(Node):
    """`written "{suit} {rank}"`."""

    template: str


@node
class CardDecl(Declaration):
    kind: ClassVar[str] = "card"
    fields: list[Field]
    marks: list[Mark]
    written: Written | None


@node
class NamedValue(Node):
    """`name: value`, in a row of components or a scenario's `with`."""

    name: Ident
    value: Expr


@node
class ComponentRow(Node):
    """`copies x (field: value, ...) for ...`."""

    copies: Expr
    values: list[NamedValue]
    clauses: list[Clause]


@node
class TableRow(Node):
    """`| a | b |`; the first of a table names the columns (`copies` and the fields)."""

    cells: list[Expr]


@node
class ComponentsDecl(Declaration):
    """`components NAME of CARD in ZONE:`; `files` are the tables that it is read `from`, each named by a text."""

    kind: ClassVar[str] = "components"
    card: Ident
    home: Expr | None
    rows: list[ComponentRow]
    table: list[TableRow]
    total: Expr | None
    files: list[Text] = attrs.field(factory=list)


@node
class ZoneDecl(Declaration):
    kind: ClassVar[str] = "zone"
    indexes: list[TypeNode]
    layout: Literal["stack", "row", "set", "one"]
    card: Ident
    seen: Literal["face up", "face down", "owner only", "others only"]


@node
class VarDecl(Declaration):
    kind: ClassVar[str] = "var"
    indexes: list[TypeNode]
    type: TypeNode
    initial: Expr | None
    during: Ident | None
    seen: Literal["face up", "face down", "owner only", "others only"] | None


@node
class ParameterDecl(Declaration):
    kind: ClassVar[str] = "parameter"
    type: RangeType
    default: Expr
    text: str


@node
class Param(Node):
    name: Ident
    type: TypeNode


@node
class Case(Node):
    """A line of a define by cases; `condition` is None in the last, `otherwise`."""

    value: Expr
    condition: Expr | None


@node
class DefineDecl(Declaration):
    """A pure function: `value`, or `cases` one a line."""

    kind: ClassVar[str] = "define"
    params: list[Param]
    returns: TypeNode | None
    value: Expr | None
    cases: list[Case]


@node
class EventDecl(Declaration):
    kind: ClassVar[str] = "event"
    params: list[Param]


@node
class StageDecl(Declaration):
    kind: ClassVar[str] = "stage"
    params: list[Param]
    body: Block


@node
class ProcedureDecl(Declaration):
    kind: ClassVar[str] = "procedure"
    params: list[Param]
    returns: TypeNode | None
    body: Block


@node
class ActionDecl(Declaration):
    kind: ClassVar[str] = "action"
    bindings: list[Binding]
    guard: Expr | None
    body: Block


@node
class EventTrigger(Declaration):
    """`trigger NAME on EVENT(...)`."""

    kind: ClassVar[str] = "trigger"
    event: Ident
    patterns: list[Ident]
    wheres: list[Where]
    actor: Expr | None
    body: Block


@node
class AbilityDecl(EventTrigger):
    """`ability NAME on EVENT(...)`: a trigger that belongs to a component."""

    kind: ClassVar[str] = "ability"


@node
class ConditionTrigger(Declaration):
    """`trigger NAME [for x in E] [during STAGE] whenever condition: body`."""

    kind: ClassVar[str] = "trigger"
    binders: list[Clause]
    during: Ident | None
    condition: Expr
    body: Block


@node
class RunsOutTrigger(Declaration):
    """`trigger NAME [for x in E] [during STAGE] when zone runs out: body`."""

    kind: ClassVar[str] = "trigger"
    binders: list[Clause]
    during: Ident | None
    zone: Expr
    body: Block


@node
class Answer(Node):
    name: Ident
    text: str
    default: bool
    prose: Prose | None


@node
class ReadingDecl(Declaration):
    kind: ClassVar[str] = "reading"
    question: str
    answers: list[Answer]


@node
class ModeDecl(Declaration):
    kind: ClassVar[str] = "mode"
    text: str


@node
class Removal(Node):
    """`remove KIND NAME`, in a variant; the name of a scenario is its title, in quotes."""

    kind: str
    name: Ident
    prose: Prose | None
