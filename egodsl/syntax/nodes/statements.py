"""Statements and decisions."""

from __future__ import annotations

from typing import Literal

import attrs

from egodsl.syntax.nodes.base import Ident, Node, Prose, node
from egodsl.syntax.nodes.expressions import Call, Clause, Expr, SortKey, Text, Where

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
    """`move what to destination`, or with a source: `move [up to] what from source to destination`, `move what at
    random from source to destination`.
    """

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
    """`for name in domain where ...: body`; with `around`, `for name from player ...`: the players clockwise from
    one.
    """

    name: Ident
    domain: Expr
    wheres: list[Where]
    around: bool
    body: Block


@node
class As(Statement):
    """`as p: ...` (one, no name), `as p in E: ...` (each), `as p from X: ...` (around), `together as p in E: ...`
    (together).
    """

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
