"""Scenarios, heads and whole files."""

from __future__ import annotations

from typing import ClassVar, Literal

import attrs

from egodsl.source.span import Span
from egodsl.syntax.nodes.base import Ident, Node, Prose, node
from egodsl.syntax.nodes.declarations import Declaration, NamedValue, Removal
from egodsl.syntax.nodes.expressions import Call, Expr, SortKey

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
class PayoffHeader(Header):
    """`payoff E`: what each player, `you` in it, gets at the end."""

    value: Expr


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
