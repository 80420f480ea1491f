"""Properties that say nothing, or that cannot hold together.

Proven: that no rule plays the stage, or offers the action, that a property is about; that two properties claim opposite
things of the same words. Whether a property ever has a case in play is told by those who try it.
"""

from __future__ import annotations

from collections.abc import Iterator

from egodsl.analysis.checks.facts import Facts
from egodsl.source.diagnostics import Label
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Check every property of the program."""
    for decl in facts.program.properties.values():
        for ident in _named(decl.claim):
            _comes_up(facts, decl, ident)
    _contradictions(facts)


def _named(claim: nodes.Claim) -> Iterator[nodes.Ident]:
    match claim:
        case nodes.ForClaim():
            yield from _named(claim.claim)
        case nodes.EveryClaim():
            yield claim.stage
        case nodes.AfterClaim():
            yield claim.what
        case nodes.WheneverClaim():
            yield claim.within


def _comes_up(facts: Facts, decl: nodes.PropertyDecl, ident: nodes.Ident) -> None:
    ref = facts.ref(ident)
    if not isinstance(ref, nodes.StageDecl | nodes.ActionDecl) or ref in facts.callers or ident.name == "game":
        return
    what = "played" if isinstance(ref, nodes.StageDecl) else "offered"
    facts.found.error(
        "EGO517",
        ident.span,
        f"the {ref.kind} `{ident.name}` is never {what}, so `{decl.name.name}` says nothing",
        help=f"name {'a stage that is played' if what == 'played' else 'an action that is offered'}",
        labels=(Label(ref.name.span, "declared here"),),
    )


def _contradictions(facts: Facts) -> None:
    before: list[tuple[nodes.PropertyDecl, str, nodes.Expr]] = []
    for decl in facts.program.properties.values():
        side = _side(decl.claim)
        if side is None:
            continue
        how, what = side
        for other, its, same in before:
            if {its, how} in _OPPOSITE and nodes.same_tree(what, same):
                facts.found.error(
                    "EGO518",
                    decl.claim.span,
                    f"`{decl.name.name}` and `{other.name.name}` cannot both hold",
                    help="take one of them out",
                    labels=(Label(other.claim.span, "the opposite is claimed here"),),
                )
                break
        before.append((decl, how, what))


_OPPOSITE = ({"always", "never"}, {"reachable", "never"}, {"finally", "never"}, {"finally", "finally not"})


def _side(claim: nodes.Claim) -> tuple[str, nodes.Expr] | None:
    """What is claimed of what; `always not E` is `never E`."""
    match claim:
        case nodes.AlwaysClaim(negated=negated):
            what, turned = _bare(claim.condition)
            return ("never" if negated != turned else "always"), what
        case nodes.ReachableClaim():
            what, turned = _bare(claim.condition)
            return None if turned else ("reachable", what)
        case nodes.FinallyClaim():
            what, turned = _bare(claim.condition)
            return ("finally not" if turned else "finally"), what
        case _:
            return None


def _bare(expr: nodes.Expr) -> tuple[nodes.Expr, bool]:
    """What stands in brackets and behind `not`, and whether it is denied."""
    turned = False
    while isinstance(expr, nodes.Group | nodes.Not):
        if isinstance(expr, nodes.Not):
            turned, expr = not turned, expr.operand
        else:
            expr = expr.inner
    return expr, turned
