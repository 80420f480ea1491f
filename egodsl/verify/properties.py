"""The properties of a rulebook: those it declares, and those that every rulebook has without saying so."""

from __future__ import annotations

from typing import Literal

import attrs

from egodsl.engine.game import Rulebook
from egodsl.source.span import Span
from egodsl.syntax import nodes

Kind = Literal["always", "every", "after", "whenever", "finally", "reachable", "seen", "builtin"]

BUILTINS: dict[nodes.BuiltinName, str] = {
    "no fault": "no_fault",
    "never stuck": "never_stuck",
    "games end": "games_end",
    "no leak": "no_leak",
    "everything reached": "everything_reached",
    "records replay": "records_replay",
    "copies independent": "copies_independent",
}
"""What every rulebook must keep to, and the names by which it goes where a rulebook gives it none."""

STUCK = frozenset({"EGO701"})
"""The faults that are a decision without a move."""


@attrs.frozen(eq=False)
class Property:
    """Something that is claimed of all games of a rulebook.

    Attributes:
        name: by which it is told; unique in a rulebook.
        kind: what is claimed.
        span: where it is declared; of a built-in without a name, the name of the rulebook.
        decl: the declaration; None for a built-in without a name.
        builtin: which of the built-ins it is; None for others.
        exceptions: the names that `everything reached` leaves out, as `NAME` or `READING.ANSWER`.
    """

    name: str
    kind: Kind
    span: Span
    decl: nodes.PropertyDecl | None = None
    builtin: nodes.BuiltinName | None = None
    exceptions: frozenset[str] = frozenset()

    @property
    def words(self) -> str:
        """The claim as the author wrote it, in one line."""
        if self.decl is None:
            return str(self.builtin)
        return " ".join(self.decl.claim.span.text.split())


@attrs.frozen
class Waiver:
    """A built-in property that a rulebook has waived, and its reason."""

    builtin: nodes.BuiltinName
    reason: str
    span: Span


_KINDS: dict[type[nodes.Claim], Kind] = {
    nodes.AlwaysClaim: "always",
    nodes.EveryClaim: "every",
    nodes.AfterClaim: "after",
    nodes.WheneverClaim: "whenever",
    nodes.FinallyClaim: "finally",
    nodes.ReachableClaim: "reachable",
    nodes.SeenClaim: "seen",
    nodes.BuiltinClaim: "builtin",
}


def core(claim: nodes.Claim) -> nodes.Claim:
    """What is claimed for each, behind every `for`."""
    while isinstance(claim, nodes.ForClaim):
        claim = claim.claim
    return claim


def properties_of(rulebook: Rulebook) -> list[Property]:
    """Every property that holds unless the rulebook is wrong: the declared ones in order, then the built-ins that are
    neither named nor waived by a declaration.
    """
    program = rulebook.checked.program
    found: list[Property] = []
    named: set[str] = set()
    for decl in program.properties.values():
        claim = core(decl.claim)
        if not isinstance(claim, nodes.BuiltinClaim):
            found.append(Property(decl.name.name, _KINDS[type(claim)], decl.name.span, decl))
            continue
        named.add(claim.which)
        if not claim.waived:
            exceptions = frozenset(_dotted(one) for one in claim.exceptions)
            found.append(Property(decl.name.name, "builtin", decl.name.span, decl, claim.which, exceptions))
    head = program.root.name.span
    taken = {one.name for one in found}
    for which, name in BUILTINS.items():
        if which not in named:
            found.append(Property(name if name not in taken else f"{name} (built in)", "builtin", head, None, which))
    return found


def waivers_of(rulebook: Rulebook) -> list[Waiver]:
    """The built-in properties that the rulebook has waived, with the reasons it gives."""
    found = []
    for decl in rulebook.checked.program.properties.values():
        claim = core(decl.claim)
        if isinstance(claim, nodes.BuiltinClaim) and claim.waived:
            found.append(Waiver(claim.which, claim.reason or "", decl.claim.span))
    return found


def _dotted(expr: nodes.Expr) -> str:
    if isinstance(expr, nodes.Attribute) and isinstance(expr.target, nodes.Name):
        return f"{expr.target.name}.{expr.name.name}"
    assert isinstance(expr, nodes.Name)
    return expr.name
