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
    _twice(facts)


def _twice(facts: Facts) -> None:
    # Of a property that every rulebook has, one declaration decides: its name, its exceptions, whether it is waived.
    first: dict[str, nodes.PropertyDecl] = {}
    for decl in facts.program.properties.values():
        _, claim = _core(decl.claim)
        if not isinstance(claim, nodes.BuiltinClaim):
            continue
        other = first.setdefault(claim.which, decl)
        if other is not decl:
            facts.found.error(
                "EGO518",
                claim.span,
                f"`{decl.name.name}` and `{other.name.name}` both settle `{claim.which}`",
                help="take one of them out; one that comes from elsewhere is taken out by `remove property`",
                labels=(Label(other.claim.span, "and here"),),
            )


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
        each, claim = _core(decl.claim)
        side = _side(claim)
        if side is None:
            continue
        how, what = side
        for other, its, same in before:
            if {its, how} in _OPPOSITE and nodes.same_tree(what, same) and _same_each(each, _core(other.claim)[0]):
                facts.found.error(
                    "EGO518",
                    decl.claim.span,
                    f"`{decl.name.name}` and `{other.name.name}` cannot both hold",
                    help="take one of them out",
                    labels=(Label(other.claim.span, "the opposite is claimed here"),),
                )
                break
        before.append((decl, how, what))


def _core(claim: nodes.Claim) -> tuple[list[nodes.Clause], nodes.Claim]:
    """What is claimed for each, and for each of what."""
    each = []
    while isinstance(claim, nodes.ForClaim):
        each.append(claim.binder)
        claim = claim.claim
    return each, claim


def _same_each(one: list[nodes.Clause], other: list[nodes.Clause]) -> bool:
    return len(one) == len(other) and all(nodes.same_tree(a, b) for a, b in zip(one, other, strict=True))


_OPPOSITE = (
    {"always", "never"},
    {"reachable", "never"},
    {"reachable not", "always"},
    {"finally", "never"},
    {"finally not", "always"},
    {"finally", "finally not"},
)


def _side(claim: nodes.Claim) -> tuple[str, nodes.Expr] | None:
    """What is claimed of what; `always not E` is `never E`."""
    match claim:
        case nodes.AlwaysClaim(negated=negated):
            what, turned = _bare(claim.condition)
            return ("never" if negated != turned else "always"), what
        case nodes.ReachableClaim():
            what, turned = _bare(claim.condition)
            return ("reachable not" if turned else "reachable"), what
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
