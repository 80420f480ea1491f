"""From reductions to nodes: properties."""

from __future__ import annotations

import re
from typing import cast

from egodsl.source.span import Span
from egodsl.syntax import nodes as n
from egodsl.syntax.build import Values, all_of, one_of
from egodsl.syntax.build_statements import StatementBuilder
from egodsl.syntax.layout import Token


class PropertyBuilder(StatementBuilder):
    """Builds what stands in a property."""

    def property_decl(self, values: Values, span: Span) -> n.Declaration:
        return n.PropertyDecl(values[0], values[1], span=span)

    def always(self, values: Values, span: Span) -> n.Claim:
        return n.AlwaysClaim(values[0], negated=False, span=span)

    def never(self, values: Values, span: Span) -> n.Claim:
        return n.AlwaysClaim(values[0], negated=True, span=span)

    def every(self, values: Values, span: Span) -> n.Claim:
        stage, most, unit = values
        return n.EveryClaim(stage, most, unit.text, span=span)

    def after(self, values: Values, span: Span) -> n.Claim:
        return n.AfterClaim(values[0], values[1], span=span)

    def whenever(self, values: Values, span: Span) -> n.Claim:
        return n.WheneverClaim(values[0], values[1], values[2], span=span)

    def finally_(self, values: Values, span: Span) -> n.Claim:
        return n.FinallyClaim(values[0], span=span)

    def reachable(self, values: Values, span: Span) -> n.Claim:
        return n.ReachableClaim(values[0], span=span)

    def seen_by(self, values: Values, span: Span) -> n.Claim:
        return n.SeenClaim(values[0], values[1], span=span)

    def for_claim(self, values: Values, span: Span) -> n.Claim:
        name, domain, *wheres, claim = values
        clause = n.Clause([name], domain, wheres, span=name.span.join(values[-2].span))
        return n.ForClaim(clause, claim, span=span)

    def builtin_claim(self, values: Values, span: Span) -> n.Claim:
        which, *rest = values
        words = cast("n.BuiltinName", re.sub(r"[ \t]+", " ", which.text))
        waived = any(isinstance(value, Token) for value in rest)
        reason = one_of(rest, n.Text)
        exceptions = [one for one in all_of(rest, n.Expr) if not isinstance(one, n.Text)]
        return n.BuiltinClaim(words, exceptions, waived, reason.value if reason is not None else None, span=span)
