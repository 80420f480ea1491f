"""Properties: what must hold in every game, or be possible in one."""

from __future__ import annotations

from typing import ClassVar, Literal

from egodsl.syntax.nodes.base import Ident, Node, node
from egodsl.syntax.nodes.declarations import Declaration
from egodsl.syntax.nodes.expressions import Clause, Expr

BuiltinName = Literal[
    "no fault",
    "never stuck",
    "games end",
    "no leak",
    "everything reached",
    "records replay",
    "copies independent",
]
"""What every rulebook must keep to without saying so."""


@node
class Claim(Node):
    """What a property claims."""


@node
class AlwaysClaim(Claim):
    """`always E`; `never E` if negated."""

    condition: Expr
    negated: bool


@node
class EveryClaim(Claim):
    """`every STAGE within N turns` (or `decisions`)."""

    stage: Ident
    most: Expr
    unit: Literal["turns", "decisions"]


@node
class AfterClaim(Claim):
    """`after ACTION: E`, or after a stage."""

    what: Ident
    condition: Expr


@node
class WheneverClaim(Claim):
    """`whenever E then eventually E within STAGE`."""

    condition: Expr
    outcome: Expr
    within: Ident


@node
class FinallyClaim(Claim):
    """`finally E`: at the end of every game."""

    condition: Expr


@node
class ReachableClaim(Claim):
    """`reachable E`: some game shows it."""

    condition: Expr


@node
class SeenClaim(Claim):
    """`seen by P: E`: P can always tell what E is."""

    player: Expr
    what: Expr


@node
class ForClaim(Claim):
    """`for x in E where ...: claim`: the claim for each."""

    binder: Clause
    claim: Claim


@node
class BuiltinClaim(Claim):
    """One of those that every rulebook has: named, waived (`waived "reason"`), or for everything reached but the
    names in `exceptions`.
    """

    which: BuiltinName
    exceptions: list[Expr]
    waived: bool
    reason: str | None


@node
class PropertyDecl(Declaration):
    """`property NAME: claim`."""

    kind: ClassVar[str] = "property"
    claim: Claim
