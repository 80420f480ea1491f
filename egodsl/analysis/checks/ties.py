"""`the x in E by …` where a tie is likely: then it is a fault, since no accident may break it.

Proven safe and not reported: a drawn key, a seat, the steps from a player, a key that is the thing itself, a single
candidate. Reported, as a warning, is what goes by numbers that two can share: counts, sums, and variables of players,
teams, values or numbers. A key that looks at a card's own face is trusted to tell the cards apart, and so is a `the`
without keys, whose `where` is to leave one: play finds what is wrong.
"""

from __future__ import annotations

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.infer_sets import is_strict
from egodsl.analysis.relations import card_of, element, plain
from egodsl.analysis.symbols import Builtin, Local
from egodsl.analysis.types import CardType
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes

_AGGREGATES = {"count", "sum", "most", "least", "any", "all", "empty"}


def run(facts: Facts) -> None:
    """Warn of every `the` that a tie would stop."""
    for _, the in facts.each(nodes.The):
        if not the.keys or is_strict(the.keys, the.name.name):
            continue
        values = [key.value for key in the.keys if key.value is not None]
        local = facts.ref(the.name)
        kind = facts.checked.types.get(the.domain)
        inner = element(kind) if kind is not None else None
        if inner is None or card_of(inner) is not None or not isinstance(local, Local):
            continue
        if any(_tells_apart(facts, value, local) for value in values):
            continue
        words = ", ".join(quote(value.span.text) for value in values)
        facts.found.warning(
            "EGO560",
            the.span,
            f"several may be equal in {words}, and then `the {the.name.name}` is a fault",
            help="add a key that breaks the tie, such as `least steps(first, p)`, or `at random`",
        )


def _tells_apart(facts: Facts, value: nodes.Expr, local: Local) -> bool:
    if isinstance(value, nodes.Group):
        return _tells_apart(facts, value.inner, local)
    if isinstance(value, nodes.Name):
        return facts.ref(value) is local
    if isinstance(value, nodes.Tuple):
        return any(_tells_apart(facts, one, local) for one in value.items)
    kinds = [facts.checked.types.get(node) for node in _outside_aggregates(facts, value)]
    return any(isinstance(plain(kind), CardType) for kind in kinds if kind is not None)


def _outside_aggregates(facts: Facts, value: nodes.Expr) -> list[nodes.Node]:
    # What the key looks at one by one, not over many at once.
    found: list[nodes.Node] = []
    open_: list[nodes.Node] = [value]
    while open_:
        node = open_.pop()
        found.append(node)
        ref = facts.ref(node.name) if isinstance(node, nodes.Call) else None
        if not (isinstance(ref, Builtin) and ref.name in _AGGREGATES):
            open_ += nodes.children(node)
    return found
