"""Mutants of a rulebook: copies of it in which one thing is changed.

Generated is what could be a mistake of an author: see `egodsl.verify.changes` for the kinds. Not generated is what
cannot be noticed by construction, because the changed rulebook says the same or the change lies beyond the rules:

- wording: prose, titles, labels, how cards are written, messages, texts of readings, modes and parameters, tables in
  files of their own;
- `nothing` and `stop with` left out: the first does nothing, of the second its author says that no game comes there;
- wider ranges of variables and marks: a range only says which values are a fault; and the ranges of fields and of
  what bodies take, which play does not look at;
- the range of a parameter of the game, which limits what players may agree on;
- another answer in `reading = answer` where there are two: that is what `!=` says;
- `=` made `!=` and its condition negated, `not` left out and its condition negated: one of the two is made;
- a `let` left out: what uses its name does not check;
- what a scenario, a property, or another file that the rulebook uses or varies says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.syntax import nodes
from egodsl.verify.changes import Change, Changer

if TYPE_CHECKING:
    from egodsl.analysis.symbols import Checked, Program
    from egodsl.engine.game import Rulebook
    from egodsl.source.span import Span

TABLES = (
    "types",
    "cards",
    "components",
    "zones",
    "vars",
    "parameters",
    "readings",
    "defines",
    "stages",
    "procedures",
    "actions",
    "reactions",
    "conditions",
    "runs_out",
    "presets",
)
"""The tables of a program whose entries are changed."""

HEADS = ("players", "result", "payoff")
"""The lines of the head that are changed."""


@attrs.frozen(eq=False)
class Mutant:
    """One change.

    Attributes:
        number: its place in the list of the rulebook's mutants, from 0.
        kind: what is changed, in a word or two.
        span: where.
        was: what stands there.
        now: what stands there instead; None if it is left out.
        table: the table of the program in which the changed declaration is, or the name of a line of the head.
        owner: the name of the declaration; empty for a line of the head.
        in_body: whether the change takes effect only when the body of the declaration runs.
        made: the changed declaration or line.
    """

    number: int
    kind: str
    span: Span
    was: str
    now: str | None
    table: str
    owner: str
    in_body: bool
    made: nodes.Node = attrs.field(repr=False)

    @property
    def place(self) -> str:
        """The changed declaration in words: its kind and its name, or the word of the line of the head."""
        return f"{self.made.kind} {self.owner}" if isinstance(self.made, nodes.Declaration) else self.table

    @property
    def words(self) -> str:
        """The change in a line: `kind: was ... is ...`."""
        return f"{self.kind}: `{self.was}` {'is left out' if self.now is None else f'becomes `{self.now}`'}"


def mutants(rulebook: Rulebook) -> list[Mutant]:
    """All mutants of what the rulebook's own file declares, in the order of their places. Some of them do not check.

    No two of them are the same rulebook, and none is the rulebook itself.
    """
    program = rulebook.checked.program
    own = program.root.span.source
    found: list[Mutant] = []
    for table, owner, decl in _declarations(program):
        if decl.span.source is own:
            found.extend(_of(rulebook.checked, table, owner, decl))
    found.sort(key=lambda mutant: (mutant.span.start, mutant.span.end))
    return [attrs.evolve(mutant, number=number) for number, mutant in enumerate(found)]


def _declarations(program: Program) -> Iterator[tuple[str, str, nodes.Node]]:
    for table in TABLES:
        for name, decl in getattr(program, table).items():
            yield table, name, decl
    for head in HEADS:
        if getattr(program, head) is not None:
            yield head, "", getattr(program, head)


def _of(checked: Checked, table: str, owner: str, decl: nodes.Node) -> Iterator[Mutant]:
    changer = Changer(checked, decl)
    seen = {repr(decl)}
    for change, made in changer.changes():
        text = repr(made)
        if text not in seen:
            seen.add(text)
            yield _mutant(change, made, table, owner)


def _mutant(change: Change, made: nodes.Node, table: str, owner: str) -> Mutant:
    return Mutant(0, change.kind, change.span, change.was, change.now, table, owner, change.in_body, made)


def mutated(program: Program, mutant: Mutant, scenarios: Mapping[str, nodes.ScenarioDecl]) -> Program:
    """The program with the change, with these scenarios. It shares with `program` all that is not changed, and has yet
    to be analysed.
    """
    made: dict[str, Any] = {"scenarios": dict(scenarios)}
    if mutant.table in HEADS:
        made[mutant.table] = mutant.made
    else:
        made[mutant.table] = {**getattr(program, mutant.table), mutant.owner: mutant.made}
    return attrs.evolve(program, **made)
