"""Names and types in properties, which see everything, and where `old` is what was before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from egodsl.analysis.infer import check, condition, infer
from egodsl.analysis.infer_declarations import constant
from egodsl.analysis.infer_sets import clauses
from egodsl.analysis.names import known_names
from egodsl.analysis.relations import ANY_INT, PLAYER, UNKNOWN, plain
from egodsl.analysis.scope import Body, Context
from egodsl.analysis.symbols import Local
from egodsl.analysis.types import CardType, IntType
from egodsl.source.diagnostics import quote
from egodsl.source.registry import did_you_mean
from egodsl.syntax import nodes

_ROLE = "what a property claims"
_FOR = "a property is for each of what stays: players, a type, an enum, all cards; about the rest ask behind `always`"


def properties(ctx: Context) -> None:
    """All properties of the program."""
    for decl in ctx.program.properties.values():
        with ctx.inside(Body(decl, claim=True)):
            _claim(ctx, decl.claim)


def _claim(ctx: Context, claim: nodes.Claim) -> None:
    _CLAIMS[type(claim)](ctx, claim)


def _condition(ctx: Context, claim: nodes.AlwaysClaim | nodes.FinallyClaim | nodes.ReachableClaim) -> None:
    what = claim.condition
    if isinstance(claim, nodes.AlwaysClaim) and claim.negated and _is_almost_stuck(ctx, what):
        message = f"nothing is called `{what.span.text}`"
        ctx.types[what] = ctx.error("EGO301", what.span, message, help="did you mean `never stuck`?")
        return
    condition(ctx, what, _ROLE)


def _is_almost_stuck(ctx: Context, what: nodes.Expr) -> bool:
    return (
        isinstance(what, nodes.Name) and what.name not in known_names(ctx) and bool(did_you_mean(what.name, ["stuck"]))
    )


def _every(ctx: Context, claim: nodes.EveryClaim) -> None:
    ctx.find("stage", claim.stage, ctx.program.stages)
    check(ctx, claim.most, IntType(0, ANY_INT.high), f"the number of {claim.unit}")
    constant(ctx, claim.most)


def _after(ctx: Context, claim: nodes.AfterClaim) -> None:
    program, name = ctx.program, claim.what.name
    known: dict[str, nodes.ActionDecl | nodes.StageDecl] = {**program.stages, **program.actions}
    found = known.get(name)
    if found is None:
        message = f"there is no action or stage `{name}`"
        ctx.error("EGO301", claim.what.span, message, help=did_you_mean(name, known))
        return
    ctx.refs[claim.what] = found
    idents = [one.name for one in (found.bindings if isinstance(found, nodes.ActionDecl) else found.params)]
    outer = ctx.body
    with ctx.inside(Body(outer.owner, you=isinstance(found, nodes.ActionDecl), claim=True)) as body:
        body.visible, body.fixed, body.binders = dict(outer.visible), set(outer.fixed), list(outer.binders)
        for ident in idents:
            local = ctx.refs.get(ident)
            if not isinstance(local, Local):
                continue
            if ident.name in body.visible:
                # The head's own name cannot be changed here, the property's can.
                ctx.shadows(body.visible[ident.name].ident, ident, f"a name in the head of `{name}`")
            body.visible[ident.name] = local
            body.fixed.add(ident.name)
        condition(ctx, claim.condition, _ROLE)


def _whenever(ctx: Context, claim: nodes.WheneverClaim) -> None:
    condition(ctx, claim.condition, _ROLE)
    condition(ctx, claim.outcome, _ROLE)
    ctx.find("stage", claim.within, ctx.program.stages)
    _without_old(ctx, [claim.condition, claim.outcome], "whenever")


def _seen(ctx: Context, claim: nodes.SeenClaim) -> None:
    check(ctx, claim.player, PLAYER, "who sees something")
    with ctx.asking():
        infer(ctx, claim.what)
    _without_old(ctx, [claim.player, claim.what], "seen by")


def _without_old(ctx: Context, roots: list[nodes.Expr], words: str) -> None:
    # Of what is before a stage's end there is no one position, and what was before is not dealt anew.
    for root in roots:
        for node in nodes.walk(root):
            if isinstance(node, nodes.Call) and node.name.name == "old":
                message = f"`{words}` is about one position, and `old` asks for the one before it"
                advice = "keep what it was in a variable, or ask behind `always`"
                ctx.error("EGO319", node.name.span, message, help=advice)
                return


def _for(ctx: Context, claim: nodes.ForClaim) -> None:
    with clauses(ctx, [claim.binder]):
        constant(ctx, claim.binder.domain, _FOR)
        for where in claim.binder.wheres:
            constant(ctx, where.condition, _FOR)
        _no_mark(ctx, [claim.binder.domain, *(where.condition for where in claim.binder.wheres)])
        _claim(ctx, claim.claim)


def _no_mark(ctx: Context, roots: list[nodes.Expr]) -> None:
    """Report the first mark of a card that decides what a property is for."""
    open_: list[tuple[nodes.Node, nodes.Expr]] = [(root, root) for root in roots]
    seen: set[nodes.Node] = set()
    for top, root in open_:
        for node in nodes.walk(top):
            ref = ctx.refs.get(node)
            if isinstance(ref, nodes.DefineDecl) and ref not in seen:
                seen.add(ref)
                open_.append((ref, root))
            if isinstance(node, nodes.Attribute) and _is_mark(ctx, node):
                words = f"{quote(root.span.text)} must be known before play, and `{node.name.name}` changes in play"
                ctx.error("EGO415", node.span if top is root else root.span, words, help=_FOR)
                return


def _is_mark(ctx: Context, expr: nodes.Attribute) -> bool:
    kind = plain(ctx.types.get(expr.target, UNKNOWN))
    return isinstance(kind, CardType) and any(one.name.name == expr.name.name for one in kind.decl.marks)


def _builtin(ctx: Context, claim: nodes.BuiltinClaim) -> None:
    if claim.reason is not None and not claim.reason.strip():
        message = f"no reason is given why `{claim.which}` {'is waived' if claim.waived else 'has exceptions'}"
        ctx.error("EGO519", claim.span, message, help="say in the quotation marks why it cannot hold")
    if not claim.exceptions:
        return
    if claim.which != "everything reached":
        message = f"`{claim.which}` has no exceptions"
        advice = f'where it cannot hold, write `{claim.which} waived "the reason"`'
        ctx.error("EGO519", claim.exceptions[0].span, message, help=advice)
        return
    for one in claim.exceptions:
        _exception(ctx, one)


def _exception(ctx: Context, expr: nodes.Expr) -> None:
    program = ctx.program
    if isinstance(expr, nodes.Attribute):
        owner = expr.target.name if isinstance(expr.target, nodes.Name) else ""
        reading = program.readings.get(owner)
        if reading is None:
            message = f"there is no reading `{owner}`"
            ctx.error("EGO519", expr.target.span, message, help=did_you_mean(owner, program.readings))
            return
        answers = [answer.name.name for answer in reading.answers]
        if expr.name.name not in answers:
            message = f"`{owner}` has no answer `{expr.name.name}`"
            ctx.error("EGO519", expr.name.span, message, help=did_you_mean(expr.name.name, answers))
        return
    assert isinstance(expr, nodes.Name)
    reachable = [*program.actions, *program.reactions, *program.conditions, *program.runs_out]
    known = [*reachable, *program.readings, *program.modes]
    if expr.name not in known:
        message = f"there is no action, ability, trigger, reading or mode `{expr.name}`"
        ctx.error("EGO519", expr.span, message, help=did_you_mean(expr.name, known))


_CLAIMS: dict[type[nodes.Claim], Callable[[Context, Any], None]] = {
    nodes.AlwaysClaim: _condition,
    nodes.FinallyClaim: _condition,
    nodes.ReachableClaim: _condition,
    nodes.EveryClaim: _every,
    nodes.AfterClaim: _after,
    nodes.WheneverClaim: _whenever,
    nodes.SeenClaim: _seen,
    nodes.ForClaim: _for,
    nodes.BuiltinClaim: _builtin,
}
