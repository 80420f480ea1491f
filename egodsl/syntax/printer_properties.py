"""Properties on one logical line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.syntax import nodes as n
from egodsl.syntax.printer_docs import Doc, filled
from egodsl.syntax.printer_expressions import Level, expression, wheres
from egodsl.syntax.printer_strings import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


def claim_docs(claim: n.Claim) -> Sequence[Doc]:
    """A claim, as it stands behind the colon of a property."""
    match claim:
        case n.AlwaysClaim(condition=condition, negated=negated):
            return ["never " if negated else "always ", expression(condition)]
        case n.EveryClaim(stage=stage, most=most, unit=unit):
            return [f"every {stage.name} within ", expression(most, Level.SUM), f" {unit}"]
        case n.AfterClaim(what=what, condition=condition):
            return [f"after {what.name}: ", expression(condition)]
        case n.WheneverClaim(condition=condition, outcome=outcome, within=within):
            then: list[Doc] = [" then eventually ", expression(outcome), f" within {within.name}"]
            return ["whenever ", expression(condition), *then]
        case n.FinallyClaim(condition=condition):
            return ["finally ", expression(condition)]
        case n.ReachableClaim(condition=condition):
            return ["reachable ", expression(condition)]
        case n.SeenClaim(player=player, what=what):
            return ["seen by ", expression(player, Level.SETOP), ": ", expression(what)]
        case n.ForClaim(binder=binder, claim=inner):
            head: list[Doc] = [f"for {binder.names[0].name} in ", expression(binder.domain, Level.SETOP)]
            return [*head, *wheres(binder.wheres), ": ", *claim_docs(inner)]
        case n.BuiltinClaim():
            return _builtin(claim)
        case _:
            msg = f"no way to print a {type(claim).__name__}"
            raise TypeError(msg)


def _builtin(claim: n.BuiltinClaim) -> list[Doc]:
    reason = [] if claim.reason is None else [f" {quoted(claim.reason)}"]
    if claim.waived:
        return [f"{claim.which} waived", *reason]
    if claim.exceptions:
        return [f"{claim.which} except ", filled([expression(one) for one in claim.exceptions]), *reason]
    return [claim.which]
