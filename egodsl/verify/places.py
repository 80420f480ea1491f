"""The places of a rulebook that play may reach, and the sentences cited there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.engine.covering import Way
from egodsl.provenance import find_citations
from egodsl.source.span import Span
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from egodsl.analysis.symbols import Program

KINDS = (
    "stage",
    "procedure",
    "action",
    "ability",
    "trigger",
    "event",
    "define",
    "case",
    "statement",
    "option",
    "branch",
    "condition",
    "answer",
    "mode",
)
"""Kinds of places: declarations, cases of defines, statements, options (also an action in a list, and yes and no of a
`may`), branches (the conditions of `if` and `until`), other conditions (`where`, `when` in a head, and inside an
expression), answers of readings, modes.
"""

NAMED = frozenset({"action", "ability", "trigger", "answer", "mode"})
"""The kinds of which a rulebook wants every one to be reached."""

MOST_WORDS = 60
"""Characters of a place that are shown."""

_DECLARATIONS: dict[type[nodes.Node], str] = {
    nodes.StageDecl: "stage",
    nodes.ProcedureDecl: "procedure",
    nodes.ActionDecl: "action",
    nodes.AbilityDecl: "ability",
    nodes.EventTrigger: "trigger",
    nodes.ConditionTrigger: "trigger",
    nodes.RunsOutTrigger: "trigger",
    nodes.EventDecl: "event",
    nodes.DefineDecl: "define",
}


@attrs.define(eq=False)
class Place:
    """A place that is reached in one way, or in two: a condition as false and as true.

    Attributes:
        node: the node of the tree.
        kind: one of `KINDS`.
        name: the name of what is declared or chosen; of others their text, cut short.
        by: the name of the declaration that it is in, or is.
        span: where it begins: a name, a label, or all of it.
        ways: how often it was reached in each way that is asked for.
        up: the place that must be reached, and in which way, before this one can be; None where there is none.
    """

    node: nodes.Node
    kind: str
    name: str
    by: str
    span: Span
    ways: dict[Way, int]
    up: tuple[Place, Way] | None = None

    @property
    def full_name(self) -> str:
        """The name; of an answer, with that of its reading: `READING.ANSWER`."""
        return f"{self.by}.{self.name}" if self.kind == "answer" else self.name

    @property
    def missing(self) -> list[Way]:
        """The ways in which it was not reached."""
        return [way for way, count in self.ways.items() if not count]

    @property
    def is_reached(self) -> bool:
        """Whether it was reached in every way."""
        return all(self.ways.values())

    @property
    def is_touched(self) -> bool:
        """Whether it was reached in any way."""
        return any(self.ways.values())

    @property
    def is_implied(self) -> bool:
        """Whether it could not be reached, because what leads there was not."""
        return self.up is not None and not self.up[0].ways.get(self.up[1], 1)

    @property
    def key(self) -> tuple[int, int, str]:
        """What tells it from the other places of its file."""
        return (self.span.start, self.span.end, self.kind)


@attrs.define(eq=False)
class Cited:
    """A place where a sentence is cited, by the rule at `place`; None where it counts in every game."""

    id: str
    by: str
    span: Span
    place: Place | None
    scenario: str | None = None
    """The title of the scenario that cites it."""


Up = tuple[Place, Way] | None


class Places:
    """All places of a program, in the order of its declarations, and all its citations. What cannot be reached because
    the head settles a mode or an answer is not among them.
    """

    def __init__(self, program: Program) -> None:
        self.places: list[Place] = []
        self.cited: list[Cited] = []
        self._by = program.name
        self._presets = program.presets
        for module in program.files:
            self._cite(module.prose, None)
        for decl in _declarations(program):
            self._by = decl.title if isinstance(decl, nodes.ScenarioDecl) else decl.name.name
            self._declaration(decl)

    # ------------------------------------------------------------ declarations

    def _declaration(self, decl: nodes.Declaration | nodes.ScenarioDecl) -> None:
        match decl:
            case nodes.ScenarioDecl():
                self._cite(decl.prose, None, decl.title)
            case nodes.ModeDecl():
                self._setting(decl, decl.name, "mode", fixed=decl.name.name in self._presets)
            case nodes.ReadingDecl():
                self._cite(decl.prose, None)
                for answer in decl.answers:
                    self._setting(answer, answer.name, "answer", fixed=decl.name.name in self._presets)
            case _:
                kind = _DECLARATIONS.get(type(decl))
                if kind is None:
                    for node in nodes.walk(decl):
                        self._cite(getattr(node, "prose", None), None)
                    return
                place = self._add(decl, kind, decl.name.span, ("run",), None)
                self._cite(decl.prose, place)
                if isinstance(decl, nodes.DefineDecl):
                    self._cases(decl, (place, "run"))
                    return
                for child in nodes.children(decl):
                    # What stands in a head is asked before the body begins.
                    self._visit(child, (place, "run") if isinstance(child, nodes.Block) else None)
                if isinstance(decl, nodes.ActionDecl) and decl.guard is not None:
                    self._condition(decl.guard, "condition", None)

    def _setting(self, node: nodes.ModeDecl | nodes.Answer, name: nodes.Ident, kind: str, *, fixed: bool) -> None:
        # What the head settles cannot be had otherwise.
        place = None if fixed else self._add(node, kind, name.span, ("run",), None)
        self._cite(node.prose, place)

    # ------------------------------------------------------------ bodies

    def _visit(self, node: nodes.Node, up: Up) -> None:
        if isinstance(node, nodes.Stop):
            # The author believes that no game comes here.
            self._cite(node.prose, None)
            return
        if isinstance(node, nodes.Prose | nodes.TypeNode):
            return
        if isinstance(node, nodes.Statement):
            place = self._add(node, "statement", _after(node.prose, node.span), ("run",), up)
            self._cite(node.prose, place)
            up = (place, "run")
        match node:
            case nodes.If():
                self._if(node, up)
            case nodes.Option():
                self._option(node, up)
            case nodes.May():
                self._may(node, up)
            case _:
                self._conditions(node, up)
                for child in nodes.children(node):
                    self._visit(child, up)

    def _conditions(self, node: nodes.Node, up: Up) -> None:
        match node:
            case nodes.Repeat(until=nodes.Expr() as until):
                self._condition(until, "branch", up)
            case nodes.ChooseAction():
                for ident in node.actions:
                    self._add(ident, "option", ident.span, ("run",), up)
            case nodes.Where() | nodes.Conditional():
                self._condition(node.condition, "condition", up)
            case _:
                pass

    def _cases(self, decl: nodes.DefineDecl, up: Up) -> None:
        if decl.value is not None:
            self._visit(decl.value, up)
        for case in decl.cases:
            settled = True if case.condition is None else self._settled(case.condition)
            if case.condition is not None:
                self._visit(case.condition, up)
            if settled is not False:
                place = self._add(case, "case", case.span, ("run",), up)
                self._visit(case.value, (place, "run"))
            if settled:
                return

    def _if(self, node: nodes.If, up: Up) -> None:
        for branch in node.branches:
            settled = self._settled(branch.condition)
            place = self._condition(branch.condition, "branch", up)
            if _only_stops(branch.body):
                place.ways.pop("yes", None)
            self._visit(branch.condition, up)
            if settled is not False:
                self._visit(branch.body, (place, "yes"))
            up = (place, "no")
            if settled:
                return
        if node.otherwise is not None:
            if _only_stops(node.otherwise) and up is not None:
                up[0].ways.pop("no", None)
            self._visit(node.otherwise, up)

    def _option(self, node: nodes.Option, up: Up) -> None:
        place = self._add(node, "option", node.label.span, ("run",), up)
        self._cite(node.prose, place)
        for child in nodes.children(node):
            self._visit(child, (place, "run") if child is node.body else up)
        if node.guard is not None:
            self._condition(node.guard, "condition", up)

    def _may(self, node: nodes.May, up: Up) -> None:
        place = self._add(node, "option", _after(node.prose, node.span), ("no", "yes"), up)
        for child in nodes.children(node):
            inside: Up = up
            if child is node.body:
                inside = (place, "yes")
            elif child is node.otherwise:
                inside = (place, "no")
            self._visit(child, inside)

    def _condition(self, condition: nodes.Expr, kind: str, up: Up) -> Place:
        settled = self._settled(condition)
        ways: tuple[Way, ...] = ("no", "yes") if settled is None else ("yes",) if settled else ("no",)
        return self._add(condition, kind, condition.span, ways, up)

    def _settled(self, condition: nodes.Expr) -> bool | None:
        """How the condition comes out in every game, where the head settles it with `set`; None where it does not."""
        match condition:
            case nodes.Group():
                return self._settled(condition.inner)
            case nodes.Not():
                inner = self._settled(condition.operand)
                return None if inner is None else not inner
            case nodes.And() | nodes.Or():
                parts = [self._settled(part) for part in condition.operands]
                stops = isinstance(condition, nodes.Or)
                return stops if stops in parts else None if None in parts else not stops
            case nodes.Name() if condition.name in self._presets:
                value = self._presets[condition.name].value
                return value.value if isinstance(value, nodes.Boolean) else None
            case nodes.Compare(operator="=" | "!=", left=nodes.Name() as left, right=nodes.Name() as right):
                answer = self._presets[left.name].value if left.name in self._presets else None
                same = answer.name == right.name if isinstance(answer, nodes.Name) else None
                return None if same is None else same is (condition.operator == "=")
            case _:
                return None

    def _add(self, node: nodes.Node, kind: str, span: Span, ways: tuple[Way, ...], up: Up) -> Place:
        place = Place(node, kind, _words(span.text), self._by, span, dict.fromkeys(ways, 0), up)
        self.places.append(place)
        return place

    # ------------------------------------------------------------ citations

    def _cite(self, prose: object, place: Place | None, scenario: str | None = None) -> None:
        if isinstance(prose, nodes.Prose):
            span = prose.span
            for cited, start, end in find_citations(span.text, span.start):
                self.cited.append(Cited(cited, self._by, Span(span.source, start, end), place, scenario))


def _declarations(program: Program) -> Iterable[nodes.Declaration | nodes.ScenarioDecl]:
    """The final declarations, those of a kind together."""
    tables = [getattr(program, field.name) for field in attrs.fields(type(program))]
    for table in tables:
        for one in table.values() if isinstance(table, dict) else ():
            if isinstance(one, nodes.Declaration | nodes.ScenarioDecl):
                yield one


def _after(prose: nodes.Prose | None, span: Span) -> Span:
    """The span of a statement without the prose above it."""
    if prose is None:
        return span
    text = span.source.text[prose.span.end : span.end]
    return Span(span.source, span.end - len(text.lstrip()), span.end)


def _only_stops(body: nodes.Block) -> bool:
    return all(isinstance(statement, nodes.Stop) for statement in body.statements)


def _words(text: str) -> str:
    line = text.split("\n", 1)[0].strip()
    return line if len(line) <= MOST_WORDS and "\n" not in text else line[: MOST_WORDS - 2].rstrip() + " …"
