"""Which statements play can come to, by the shape of the bodies alone.

A statement *goes on* if play may reach what stands after it. Proven dead is what stands after `end`, `return`,
`cancel`, `stop`, after a loop that nothing finishes, and after calls and choices whose every way is one of these.
Conditions are not looked at here.
"""

from __future__ import annotations

from functools import cached_property

from egodsl.analysis.checks.facts import Facts
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Warn of statements that play never comes to."""
    flow = Flow(facts)
    for _, block in facts.each(nodes.Block):
        for before, after in zip(block.statements, block.statements[1:], strict=False):
            if not flow.goes_on(before):
                facts.found.warning(
                    "EGO530",
                    after.span,
                    f"{quote(after.span.text.partition(chr(10))[0])} is never reached",
                    help=_advice(before),
                    labels=(Label(before.span, "nothing goes on after this"),),
                )
                break
    for _, loop in facts.each(nodes.Repeat):
        if loop.until is not None and not flow.block(loop.body):
            facts.found.warning(
                "EGO530",
                loop.until.span,
                f"{quote(loop.until.span.text)} is never asked: every pass leaves the loop",
            )


def _advice(before: nodes.Statement) -> str:
    if isinstance(before, nodes.Turns | nodes.Repeat):
        return "this loop is only left by an `end`, which goes on after the whole stage: put what follows there"
    return "leave it out, or put it before"


class Flow:
    """Whether play goes on after statements and calls of one program."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._known: dict[nodes.Node, bool] = {}

    @cached_property
    def ended(self) -> set[object]:
        """The stages that some `end` names."""
        return {self.facts.ref(end.stage) for _, end in self.facts.each(nodes.End)}

    def block(self, block: nodes.Block | None) -> bool:
        """Whether play may come to the end of a block."""
        return block is None or all(map(self.goes_on, block.statements))

    def goes_on(self, statement: nodes.Statement) -> bool:
        """Whether play may come to what stands after the statement."""
        known = self._known.get(statement)
        if known is None:
            known = self._known[statement] = self._statement(statement)
        return known

    def _statement(self, statement: nodes.Statement) -> bool:
        match statement:
            case nodes.End() | nodes.Return() | nodes.Cancel() | nodes.Stop():
                return False
            case nodes.If():
                bodies = [*(branch.body for branch in statement.branches), statement.otherwise]
                return any(map(self.block, bodies))
            case nodes.Turns():
                return bool(statement.wheres) or statement in self.facts.endless
            case nodes.Repeat():
                until = statement.until is not None and self.block(statement.body)
                return statement.times is not None or until or statement in self.facts.endless
            case nodes.AtOnce():
                return self.block(statement.body)
            case nodes.As():
                return statement.how != "one" or self.block(statement.body)
            case nodes.ChooseOption():
                otherwise = statement.otherwise
                return any(self.block(option.body) for option in statement.options) or (
                    otherwise is not None and self.block(otherwise.body)
                )
            case nodes.May():
                return statement.otherwise is None or self.block(statement.otherwise.body) or self.block(statement.body)
            case nodes.ChooseAction():
                otherwise = statement.otherwise
                return any(self._call(ident) for ident in statement.actions) or (
                    otherwise is not None and self.block(otherwise.body)
                )
            case nodes.Perform() | nodes.LetPerform():
                return self._call(statement.call.name)
            case nodes.Play():
                stage = self.facts.ref(statement.call.name)
                return stage in self.ended or self._call(statement.call.name)
            case _:
                return True

    def _call(self, ident: nodes.Ident) -> bool:
        target = self.facts.ref(ident)
        if not isinstance(target, nodes.StageDecl | nodes.ProcedureDecl | nodes.ActionDecl):
            return True
        known = self._known.get(target)
        if known is None:
            self._known[target] = True  # a circle is reported elsewhere
            known = self._known[target] = self.returns(target) or self.block(target.body)
        return known

    @cached_property
    def _returning(self) -> set[nodes.Declaration]:
        return {owner for owner, _ in self.facts.each(nodes.Return)}

    def returns(self, target: nodes.Declaration) -> bool:
        """Whether a `return` stands in the declaration: then its caller goes on."""
        return target in self._returning
