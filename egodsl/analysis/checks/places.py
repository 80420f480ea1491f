"""Cards put where there is no room, and looks at the top of what may be empty.

Proven: more than one card moved at once to a zone for `one`, and two moves in a row to the same such zone with
nothing between them that could clear it (errors). Warned of: `top` and `bottom` written in the head of a decision
without a test before, in the same condition or an earlier one, that something is there; heads are asked at every
decision, while statements and defines are trusted to know.
"""

from __future__ import annotations

from collections.abc import Iterator

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.checks.folding import Folder
from egodsl.analysis.symbols import Builtin
from egodsl.analysis.types import CardType, IntType
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Check every move to a zone for one card, and the heads of all decisions."""
    folder = Folder(facts.checked)
    for _, block in facts.each(nodes.Block):
        _block(facts, folder, block)
    for head in _heads(facts):
        _head(facts, head)


def _block(facts: Facts, folder: Folder, block: nodes.Block) -> None:
    before: nodes.Move | None = None
    for statement in block.statements:
        if not isinstance(statement, nodes.Move) or not _for_one(facts, statement.destination):
            before = None
            continue
        place = statement.destination.span.text
        count = folder.fold(statement.what) if statement.source is not None else 1
        if isinstance(count, int) and count > 1 and statement.how != "up to":
            message = f"{count} cards are moved to {quote(place)}, which holds one"
            facts.found.error("EGO580", statement.span, message)
        elif (
            count == 1
            and before is not None
            and before.destination.span.text == place
            and place not in _source(statement)
        ):
            facts.found.error(
                "EGO580",
                statement.span,
                f"{quote(place)} holds one card, and was filled just before",
                help="move the first card away in between",
                labels=(Label(before.span, "filled here"),),
            )
        certain = count == 1 and isinstance(facts.checked.types.get(statement.what), CardType | IntType)
        before = statement if certain and statement.how in {"all", "count"} else None


def _source(move: nodes.Move) -> str:
    return (move.source or move.what).span.text


def _for_one(facts: Facts, place: nodes.Expr) -> bool:
    base = place.target if isinstance(place, nodes.Index) else place
    zone = facts.ref(base)
    return isinstance(zone, nodes.ZoneDecl) and zone.layout == "one"


# ---------------------------------------------------------------- top of nothing


def _heads(facts: Facts) -> Iterator[list[nodes.Expr]]:
    # What is asked in order before a move of a decision is legal.
    for action in facts.program.actions.values():
        yield _asked(action.bindings, action.guard)
    for _, choice in facts.each(nodes.ChooseOption):
        for option in choice.options:
            yield _asked(option.bindings, option.guard)


def _asked(bindings: list[nodes.Binding], guard: nodes.Expr | None) -> list[nodes.Expr]:
    # A guard without a name of the head is asked before the bindings are gone through, so it stands first.
    conditions = [where.condition for binding in bindings for where in binding.wheres]
    return [*([guard] if guard is not None else []), *(binding.domain for binding in bindings), *conditions]


def _head(facts: Facts, asked: list[nodes.Expr]) -> None:
    tested: set[str] = set()
    for expr in asked:
        for part in _conjuncts(expr):
            tops, mentions = _tops(facts, part), _guarded(facts, part)
            for call, zone in tops:
                if zone not in tested and zone not in mentions:
                    facts.found.warning(
                        "EGO581",
                        call.span,
                        f"{quote(call.span.text)} is a fault while {quote(zone)} is empty, and nothing before asks",
                        help=f"write `not empty({zone}) and …` before it",
                    )
            tested |= mentions | {zone for _, zone in tops}


def _conjuncts(expr: nodes.Expr) -> Iterator[nodes.Expr]:
    if isinstance(expr, nodes.And):
        for operand in expr.operands:
            yield from _conjuncts(operand)
    elif isinstance(expr, nodes.Group):
        yield from _conjuncts(expr.inner)
    else:
        yield expr


def _tops(facts: Facts, expr: nodes.Expr) -> list[tuple[nodes.Call, str]]:
    return [
        (node, node.arguments[0].value.span.text)
        for node in nodes.walk(expr)
        if isinstance(node, nodes.Call)
        and _is(facts, node, {"top", "bottom"})
        and _is_zone(facts, node.arguments[0].value)
    ]


def _is_zone(facts: Facts, expr: nodes.Expr) -> bool:
    base = expr.target if isinstance(expr, nodes.Index) else expr
    return isinstance(facts.ref(base), nodes.ZoneDecl)


def _guarded(facts: Facts, expr: nodes.Expr) -> set[str]:
    # The zones whose number of cards the condition asks about, in whatever way.
    return {
        node.arguments[0].value.span.text
        for node in nodes.walk(expr)
        if isinstance(node, nodes.Call) and node.arguments and _is(facts, node, {"empty", "count"})
    }


def _is(facts: Facts, call: nodes.Call, names: set[str]) -> bool:
    ref = facts.ref(call.name)
    return isinstance(ref, Builtin) and ref.name in names
