"""The abstract syntax tree of a `.rules` file.

Nodes compare by identity, so that a pass can keep what it learns about a node in a table beside the tree (`dict[Node, ...]`); they are never
changed once built. `same_tree` compares two trees by content. Every node has the span of its text, from its first to its last token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar, dataclass_transform

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from egodsl.source.span import Span

_Class = TypeVar("_Class", bound=type)


@dataclass_transform(eq_default=False, field_specifiers=(attrs.field,))
def node(cls: _Class) -> _Class:
    """Make a class of nodes: attrs, but compared by identity, and shown by one `__repr__` for all, which is made faster."""
    return attrs.define(eq=False, slots=True, repr=False)(cls)


@node
class Node:
    """Anything in the tree."""

    span: Span = attrs.field(kw_only=True, repr=False)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _fields_of(type(self)))
        return f"{type(self).__name__}({fields})"


@node
class Ident(Node):
    """A name where it is declared, or used outside an expression."""

    name: str


@node
class Prose(Node):
    """Lines that begin with `>`: the rule in the author's words. `lines` are without the `>` and outer white space."""

    lines: list[str]


# ---------------------------------------------------------------- types


@node
class TypeNode(Node):
    """How a type is written."""


@node
class NamedType(TypeNode):
    """`player`, `team`, `bool`, or the name of an enum, a type or a card."""

    name: str


@node
class RangeType(TypeNode):
    """`low..high`; `high` is None in `0..` (64 bits)."""

    low: Expr
    high: Expr | None


@node
class OptionalType(TypeNode):
    """`T?`: a T or none."""

    inner: TypeNode


@node
class SetType(TypeNode):
    """`set of T`."""

    inner: TypeNode


@node
class RowType(TypeNode):
    """`row of T`."""

    inner: TypeNode


# ---------------------------------------------------------------- expressions


@node
class Expr(Node):
    """A value; evaluating it changes nothing, asks nobody and draws nothing."""


@node
class Name(Expr):
    """A name in an expression."""

    name: str


@node
class Integer(Expr):
    value: int


@node
class Text(Expr):
    """A string in double quotes (a label, where an option is meant)."""

    value: str


@node
class Boolean(Expr):
    value: bool


@node
class NoneValue(Expr):
    """`none`."""


@node
class Group(Expr):
    """Parentheses, kept so that the formatter keeps what the author wrote. `inner` may be a `The`."""

    inner: Expr


@node
class Not(Expr):
    operand: Expr


@node
class Negate(Expr):
    operand: Expr


@node
class Binary(Expr):
    """`+ - * // %` on integers, `& | without` on sets."""

    operator: Literal["+", "-", "*", "//", "%", "&", "|", "without"]
    left: Expr
    right: Expr


@node
class Compare(Expr):
    operator: Literal["=", "!=", "<", "<=", ">", ">=", "in", "not in"]
    left: Expr
    right: Expr


@node
class And(Expr):
    operands: list[Expr]


@node
class Or(Expr):
    operands: list[Expr]


@node
class Conditional(Expr):
    """`then if condition else otherwise`."""

    then: Expr
    condition: Expr
    otherwise: Expr


@node
class Range(Expr):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@node
class Attribute(Expr):
    """`target.name`: a field or mark of a card."""

    target: Expr
    name: Ident


@node
class Index(Expr):
    """`target[i]` or `target[i, j]`: a zone, a variable, or the n-th of a row or tuple (from 1)."""

    target: Expr
    indices: list[Expr]


@node
class Key(Expr):
    """`.rank`, as an argument: the field to go by."""

    name: Ident


@node
class Argument(Node):
    """An argument of a call, with its name if the author gave it."""

    name: Ident | None
    value: Expr


@node
class Call(Expr):
    """`name(...)`: a define, a built-in, a face of a card (`Card(hearts, 7)`); in statements also a stage, procedure, event or action."""

    name: Ident
    arguments: list[Argument]


@node
class Where(Node):
    """`where condition [if able]`."""

    condition: Expr
    if_able: bool


@node
class Clause(Node):
    """`for name[s] in domain where ...`; several names take a tuple apart."""

    names: list[Ident]
    domain: Expr
    wheres: list[Where]


@node
class Comprehension(Expr):
    """`{e for ...}` (set), `[e for ...]` (row), or the single argument of a call `count(e for ...)` (argument)."""

    kind: Literal["set", "row", "argument"]
    element: Expr
    clauses: list[Clause]


@node
class Filter(Expr):
    """`{c in domain where ...}`."""

    name: Ident
    domain: Expr
    wheres: list[Where]


@node
class Braces(Expr):
    """`{a, b}`: a set; of faces, a multiset."""

    items: list[Expr]


@node
class Brackets(Expr):
    """`[a, b]`: a row."""

    items: list[Expr]


@node
class Tuple(Expr):
    items: list[Expr]


@node
class SortKey(Node):
    """`most e`, `least e` or `at random` (value None)."""

    direction: Literal["most", "least", "random"]
    value: Expr | None


@node
class The(Expr):
    """`the x in domain where ... by keys`: the first of them. Only as a whole right side, or in parentheses."""

    name: Ident
    domain: Expr
    wheres: list[Where]
    keys: list[SortKey]


# ---------------------------------------------------------------- statements


@node
class Binding(Node):
    """`name in domain where ...`, in the head of an action, an option, `may` or `choose`."""

    name: Ident
    domain: Expr
    wheres: list[Where]


@node
class Statement(Node):
    prose: Prose | None = attrs.field(default=None, kw_only=True)


@node
class Block(Node):
    """Statements in order. `inline` if they stand on the line of the header (then it is one)."""

    statements: list[Statement]
    inline: bool


@node
class Otherwise(Node):
    """`otherwise [when guard]: body`, after a decision."""

    guard: Expr | None
    body: Block


@node
class Assign(Statement):
    """`place := value`; the place is a Name, an Index of a Name, or an Attribute of a Name (a mark)."""

    target: Expr
    operator: Literal[":=", "+=", "-="]
    value: Expr


@node
class Let(Statement):
    name: Ident
    value: Expr


@node
class LetPerform(Statement):
    """`let name = perform call`."""

    name: Ident
    call: Call


@node
class Move(Statement):
    """`move what to destination`, or with a source: `move [up to] what from source to destination`, `move what at random from source to destination`."""

    how: Literal["all", "count", "up to", "at random"]
    what: Expr
    source: Expr | None
    destination: Expr
    bound: Ident | None


@node
class Swap(Statement):
    left: Expr
    right: Expr


@node
class Roll(Statement):
    what: Expr


@node
class Shuffle(Statement):
    zone: Expr


@node
class Reveal(Statement):
    """`reveal what [to viewers] [as bound]`, or a fact about hidden things: `reveal what [to viewers] for ...`."""

    what: Expr
    viewers: Expr | None
    bound: Ident | None
    clauses: list[Clause]


@node
class Look(Statement):
    what: Expr
    bound: Ident | None


@node
class Choose(Statement):
    """`choose a in A, b in B`: one joint decision of you."""

    bindings: list[Binding]
    otherwise: Otherwise | None


@node
class ChooseAction(Statement):
    """`choose one of a, b`."""

    actions: list[Ident]
    otherwise: Otherwise | None


@node
class Option(Node):
    """A labelled option of `choose:`; without a body nothing happens."""

    label: Text
    bindings: list[Binding]
    guard: Expr | None
    body: Block | None
    prose: Prose | None


@node
class ChooseOption(Statement):
    options: list[Option]
    otherwise: Otherwise | None


@node
class May(Statement):
    """`may "label" with ...: body`; `otherwise` is what happens on *no*."""

    label: Text | None
    bindings: list[Binding]
    body: Block
    otherwise: Otherwise | None


@node
class Pick(Statement):
    """`pick name at random from domain where ...`."""

    name: Ident
    domain: Expr
    wheres: list[Where]


@node
class Rank(Statement):
    """`rank name in domain where ... by keys as bound`."""

    name: Ident
    domain: Expr
    wheres: list[Where]
    keys: list[SortKey]
    bound: Ident


@node
class Play(Statement):
    """`play stage(...)`."""

    call: Call


@node
class Perform(Statement):
    """`perform procedure(...)` (or an action's name with its bindings)."""

    call: Call


@node
class Announce(Statement):
    """`announce event(...)[: body]`."""

    call: Call
    body: Block | None


@node
class Cancel(Statement):
    event: Ident


@node
class End(Statement):
    stage: Ident


@node
class Return(Statement):
    value: Expr | None


@node
class Stop(Statement):
    """`stop with "message"`: a fault that the author foresaw."""

    message: str


@node
class Nothing(Statement):
    pass


@node
class For(Statement):
    """`for name in domain where ...: body`; with `around`, `for name from player ...`: the players clockwise from one."""

    name: Ident
    domain: Expr
    wheres: list[Where]
    around: bool
    body: Block


@node
class As(Statement):
    """`as p: ...` (one, no name), `as p in E: ...` (each), `as p from X: ...` (around), `together as p in E: ...` (together)."""

    how: Literal["one", "each", "around", "together"]
    name: Ident | None
    domain: Expr
    wheres: list[Where]
    body: Block


@node
class AtOnce(Statement):
    body: Block


@node
class Branch(Node):
    condition: Expr
    body: Block


@node
class If(Statement):
    branches: list[Branch]
    otherwise: Block | None


@node
class Repeat(Statement):
    """`repeat:` for ever, `repeat N times:`, or `repeat: ... until E` (tested after each pass)."""

    times: Expr | None
    body: Block
    until: Expr | None


@node
class Turns(Statement):
    """`turns from first where ...: body`."""

    first: Expr
    wheres: list[Where]
    body: Block


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
    """`written "{topic} {rank}"`."""

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
    kind: ClassVar[str] = "components"
    card: Ident
    home: Expr | None
    rows: list[ComponentRow]
    table: list[TableRow]
    total: Expr | None


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
    """`remove KIND NAME`, in a variant."""

    kind: str
    name: Ident
    prose: Prose | None


# ---------------------------------------------------------------- scenarios


@node
class Step(Node):
    """A line of a scenario."""


@node
class GivenStep(Step):
    place: Expr
    value: Expr


@node
class PlayersStep(Step):
    count: int


@node
class WithStep(Step):
    settings: list[NamedValue]


@node
class PlayStep(Step):
    call: Call


@node
class ChanceStep(Step):
    outcomes: list[Expr]


@node
class PlaysStep(Step):
    """`A plays action(...)`."""

    player: Ident
    call: Call


@node
class ChoosesStep(Step):
    """`A chooses value, ...`; a Text first is the label of an option."""

    player: Ident
    values: list[Expr]


@node
class ExpectStep(Step):
    condition: Expr


@node
class ExpectPlaysStep(Step):
    """`expect A may [not] action(...)`."""

    player: Ident
    negated: bool
    call: Call


@node
class ExpectChoosesStep(Step):
    """`expect A may [not] choose value, ...`."""

    player: Ident
    negated: bool
    values: list[Expr]


@node
class ExpectDecidesStep(Step):
    player: Ident


@node
class ExpectSeesStep(Step):
    """`expect A sees E` (every card of E), `expect A does not see E` (no card of E)."""

    player: Ident
    negated: bool
    what: Expr


@node
class ExpectStageStep(Step):
    """`expect STAGE ended` or `expect STAGE goes on`."""

    stage: Ident
    ended: bool


@node
class ScenarioDecl(Node):
    """A scenario is named by its title, which may hold any text."""

    kind: ClassVar[str] = "scenario"
    title: str
    title_span: Span
    steps: list[Step]
    prose: Prose | None = attrs.field(default=None, kw_only=True)
    edit: Literal["replace", "extend"] | None = attrs.field(default=None, kw_only=True)


# ---------------------------------------------------------------- files


@node
class Header(Node):
    """A line of the head."""


@node
class SourceHeader(Header):
    name: Ident


@node
class PlayersHeader(Header):
    """`players low..high [in N teams]`; `high` is None where one number stands."""

    low: Expr
    high: Expr | None
    teams: Expr | None


@node
class ResultHeader(Header):
    """`result keys`, or `result together value`: all players win or lose as one."""

    keys: list[SortKey]
    together: Expr | None


@node
class UseHeader(Header):
    name: Ident


@node
class NeedsHeader(Header):
    kind: str
    name: Ident


@node
class SetHeader(Header):
    """`set NAME to value`: a mode, reading or parameter fixed by a variant."""

    name: Ident
    value: Expr


Item = Declaration | ScenarioDecl | Removal


@node
class Module(Node):
    """A file: a rulebook, a variant of another, or a library of declarations."""

    form: Literal["rulebook", "variant", "library"]
    name: Ident
    title: str
    base: Ident | None
    headers: list[Header]
    items: list[Item]
    prose: Prose | None


# ---------------------------------------------------------------- walking

_child_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    names = _child_fields.get(kind)
    if names is None:
        names = tuple(a.name for a in attrs.fields(kind) if a.name not in {"span", "title_span"})
        _child_fields[kind] = names
    return names


def children(parent: Node) -> Iterator[Node]:
    """The nodes directly under `parent`, in the order of their fields."""
    for name in _fields_of(type(parent)):
        value = getattr(parent, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Node):
                    yield item


def walk(root: Node) -> Iterator[Node]:
    """`root` and everything under it, parents before children."""
    stack = [root]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))


def same_tree(left: object, right: object) -> bool:
    """Whether two trees say the same, wherever their text stood."""
    pairs: list[tuple[object, object]] = [(left, right)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, Node):
            if type(a) is not type(b):
                return False
            pairs.extend((getattr(a, name), getattr(b, name)) for name in _fields_of(type(a)))
        elif isinstance(a, list):
            if not isinstance(b, list) or len(a) != len(b):
                return False
            pairs.extend(zip(a, b, strict=True))
        elif a != b:
            return False
    return True
