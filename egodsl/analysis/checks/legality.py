"""Moves that can never be legal, and branches whose condition is settled before play.

Proven, for every combination of modes, readings, parameters and players (what a variant fixes is not taken as fixed,
since its base is written for all): a domain with nothing in it, a `where` or guard that is false by its constants and
by the ranges of what it compares. Left to exploration: guards that contradict each other or the state of play.
"""

from __future__ import annotations

from collections.abc import Sequence

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.checks.folding import Folder
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Report what is never legal and what always comes out the same."""
    for action in facts.program.actions.values():
        _head(facts, f"the action `{action.name.name}` can never be legal", action.bindings, action.guard)
    for _, options in facts.each(nodes.ChooseOption):
        for option in options.options:
            _head(facts, f"the option {quote(option.label.value)} can never be taken", option.bindings, option.guard)
    for _, may in facts.each(nodes.May):
        words = quote(may.label.value) if may.label is not None else "`may`"
        _head(facts, f"nobody can ever say yes to {words}", may.bindings, None)
    for _, choose in facts.each(nodes.Choose):
        _head(facts, "there is never anything to choose", choose.bindings, None)
    for _, conditional in facts.each(nodes.If):
        _branches(facts, conditional)
    for trigger in facts.program.reactions.values():
        for where in trigger.wheres:
            if settled(facts, where.condition) is False:
                words = quote(where.condition.span.text)
                message = f"the {trigger.kind} `{trigger.name.name}` never runs: {words} never holds"
                facts.found.warning("EGO521", where.condition.span, message)


def settled(facts: Facts, condition: nodes.Expr) -> bool | None:
    """What a condition comes to in every game that can be configured; None if that differs or is not known."""
    games = facts.settings.space([condition])
    if not games.whole:
        return None
    first = games.folders[0].truth(condition) if games.folders else None
    if first is None or any(folder.truth(condition) is not first for folder in games.folders):
        return None
    return first


def _head(facts: Facts, what: str, bindings: Sequence[nodes.Binding], guard: nodes.Expr | None) -> None:
    conditions = [where.condition for binding in bindings for where in binding.wheres if not where.if_able]
    domains = [binding.domain for binding in bindings]
    conditions += [guard] if guard is not None else []
    games = facts.settings.space([*domains, *conditions])
    if not games.whole or not (domains or conditions):
        return
    first = _culprit(games.folders[0], domains, conditions) if games.folders else None
    if first is None or any(_culprit(folder, domains, conditions) is None for folder in games.folders):
        return
    empty = first in domains
    why = f"there is nothing in {quote(first.span.text)}" if empty else f"{quote(first.span.text)} never holds"
    facts.found.error(
        "EGO520",
        first.span,
        f"{what}: {why}",
        help="it holds for no value that its parts can have, whatever players, modes, readings and parameters",
    )


def _culprit(folder: Folder, domains: list[nodes.Expr], conditions: list[nodes.Expr]) -> nodes.Expr | None:
    for domain in domains:
        if folder.fold(domain) in ((), frozenset()):
            return domain
    return next((_part(folder, one) for one in conditions if folder.truth(one) is False), None)


def _part(folder: Folder, condition: nodes.Expr) -> nodes.Expr:
    # The smallest part of an `and` that is to blame.
    if isinstance(condition, nodes.Group):
        return _part(folder, condition.inner)
    if isinstance(condition, nodes.And):
        for operand in condition.operands:
            if folder.truth(operand) is False:
                return _part(folder, operand)
    return condition


def _branches(facts: Facts, conditional: nodes.If) -> None:
    for branch in conditional.branches:
        value = settled(facts, branch.condition)
        if value is None:
            continue
        words = quote(branch.condition.span.text)
        message = f"{words} always holds" if value else f"{words} never holds, so what follows never happens"
        advice = "what stands in the other branches never happens" if value else "leave the branch out"
        facts.found.warning("EGO521", branch.condition.span, message, help=advice)
