"""The changes that make mutants: for each kind of node what its author could have written by mistake instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar, cast

import attrs

from egodsl.analysis.symbols import EnumValue, LabelValue
from egodsl.syntax import nodes
from egodsl.syntax.printer import print_expression, print_statement

if TYPE_CHECKING:
    from egodsl.analysis.symbols import Checked, Symbol
    from egodsl.source.span import Span

N = TypeVar("N", bound=nodes.Node)


@attrs.frozen
class Change:
    """A change before it is part of a declaration: see `Mutant` for the attributes."""

    kind: str
    span: Span
    was: str
    now: str | None
    in_body: bool = False


Made = Iterator[tuple[Change, nodes.Node]]

_COMPARISONS = {
    "=": "!=",
    "!=": "=",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "in": "not in",
    "not in": "in",
}
_OPERATORS = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "//", "&": "|", "|": "&", "without": "&"}
_FUNCTIONS = {"min": "max", "most": "least", "any": "all", "left": "right", "top": "bottom"}
_FUNCTIONS |= {other: one for one, other in _FUNCTIONS.items()}
_SEEN = {"face up": "face down", "face down": "face up", "owner only": "face up", "others only": "face up"}
_EXACT = {"=", "!=", "in", "not in"}
_TWO = 2
_LONGEST = 70

CONDITIONS: dict[type[nodes.Node], str] = {
    nodes.ActionDecl: "guard",
    nodes.Option: "guard",
    nodes.Otherwise: "guard",
    nodes.Branch: "condition",
    nodes.Case: "condition",
    nodes.Conditional: "condition",
    nodes.ConditionTrigger: "condition",
    nodes.Where: "condition",
    nodes.Repeat: "until",
}
"""The field of each kind of node that holds a condition."""

_NOT_ENTERED = nodes.Prose | nodes.Text | nodes.Written | nodes.EnumItem | nodes.Field | nodes.Param
"""Wording, and ranges that play does not look at."""


def changed(node: N, **fields: object) -> N:
    """The node with other values of these fields; it shares the others with the first."""
    made: N = attrs.evolve(cast("Any", node), **fields)
    return made


class Changer:
    """Makes the changes of one declaration, or of one line of the head."""

    def __init__(self, checked: Checked, root: nodes.Node) -> None:
        self.checked = checked
        self.root = root
        self._source = root.span.source
        self.zones = list(checked.program.zones.values())
        self.compared: set[nodes.Node] = set()
        """Sides of an `=` or `!=`: there another of two values says what the other operator does."""

    def changes(self) -> Made:
        """Each change, with the declaration that it makes."""
        return self._under(self.root)

    def _under(self, node: nodes.Node) -> Made:
        """The changes at the node and below it, each with the node that takes its place."""
        if isinstance(node, _NOT_ENTERED) or node.span.source is not self._source:
            return
        for kind in type(node).__mro__:
            for rule in _RULES.get(kind, ()):
                yield from rule(self, node)
        if isinstance(node, nodes.RangeType):
            return
        skipped = {"type"} if isinstance(node, nodes.ParameterDecl) else set()
        if isinstance(node, nodes.Compare) and node.operator in {"=", "!="}:
            self.compared |= {node.left, node.right}
        for field in attrs.fields(cast("Any", type(node))):
            value = None if field.name in skipped else getattr(node, field.name)
            inside = field.name == "body" and node is self.root
            if isinstance(value, nodes.Node):
                for change, new in self._under(value):
                    yield _placed(change, inside=inside), changed(node, **{field.name: new})
            elif isinstance(value, list):
                for k, item in enumerate(value):
                    if isinstance(item, nodes.Node):
                        for change, new in self._under(item):
                            made = [*value[:k], new, *value[k + 1 :]]
                            yield change, changed(node, **{field.name: made})


# ---------------------------------------------------------------- numbers and values


def _integer(node: nodes.Integer) -> Made:
    for value in (node.value + 1, node.value - 1):
        if value >= 0:
            yield _becomes("number", node, nodes.Integer(value, span=node.span))


def _boolean(node: nodes.Boolean) -> Made:
    yield _becomes("truth value", node, nodes.Boolean(not node.value, span=node.span))


def _range_type(node: nodes.RangeType) -> Made:
    for end, step in (("low", 1), ("high", -1)):
        bound = getattr(node, end)
        if isinstance(bound, nodes.Integer) and bound.value + step >= 0:
            new = changed(node, **{end: nodes.Integer(bound.value + step, span=bound.span)})
            yield Change("range", node.span, node.span.text, _type_words(new)), new


def _name(changer: Changer, node: nodes.Name) -> Made:
    ref = changer.checked.refs.get(node)
    if isinstance(ref, nodes.ZoneDecl):
        other = _other_zone(changer, ref)
        if other is not None:
            yield _becomes("zone", node, nodes.Name(other.name.name, span=node.span))
    elif isinstance(ref, EnumValue | LabelValue):
        other_value = _other_value(changer, ref, compared=node in changer.compared)
        if other_value is not None:
            yield _becomes("value", node, nodes.Name(other_value, span=node.span))


def _pattern(changer: Changer, node: nodes.EventTrigger) -> Made:
    for k, ident in enumerate(node.patterns):
        other = _other_value(changer, changer.checked.refs.get(ident), compared=False)
        if other is not None:
            new = nodes.Ident(other, span=ident.span)
            patterns = [*node.patterns[:k], new, *node.patterns[k + 1 :]]
            yield Change("value", ident.span, ident.name, other), changed(node, patterns=patterns)


def _other_zone(changer: Changer, decl: nodes.ZoneDecl) -> nodes.ZoneDecl | None:
    """The next zone for cards of the same declaration with as many indexes; one of the same layout first."""
    start = changer.zones.index(decl)
    others = [*changer.zones[start + 1 :], *changer.zones[:start]]
    alike = [z for z in others if z.card.name == decl.card.name and len(z.indexes) == len(decl.indexes)]
    return min(alike, key=lambda zone: zone.layout != decl.layout, default=None)


def _other_value(changer: Changer, ref: Symbol | None, *, compared: bool) -> str | None:
    """The next value of the enum, reading or labelled range."""
    if isinstance(ref, EnumValue):
        names = [value.name for value in changer.checked.values[ref.decl] if isinstance(value, EnumValue)]
        name = ref.name
    elif isinstance(ref, LabelValue):
        names, name = [label.name.name for label in ref.decl.labels], ref.label.name.name
    else:
        return None
    if len(names) < _TWO or (compared and len(names) == _TWO and isinstance(ref, EnumValue)):
        return None
    return names[(names.index(name) + 1) % len(names)]


# ---------------------------------------------------------------- expressions


def _compare(node: nodes.Compare) -> Made:
    yield _becomes("comparison", node, changed(node, operator=_COMPARISONS[node.operator]))


def _binary(node: nodes.Binary) -> Made:
    yield _becomes("arithmetic", node, changed(node, operator=_OPERATORS[node.operator]))


def _and(node: nodes.And) -> Made:
    yield _becomes("and, or", node, nodes.Or(node.operands, span=node.span))
    yield from _operands(node)


def _or(node: nodes.Or) -> Made:
    yield _becomes("and, or", node, nodes.And(node.operands, span=node.span))
    yield from _operands(node)


def _not(node: nodes.Not) -> Made:
    yield _becomes("condition", node, node.operand)


def _call(changer: Changer, node: nodes.Call) -> Made:
    other = _FUNCTIONS.get(node.name.name)
    if other is not None and node.name.name not in changer.checked.program.defines:
        yield _becomes("function", node, changed(node, name=nodes.Ident(other, span=node.name.span)))


def _sort_key(node: nodes.SortKey) -> Made:
    if node.value is not None:
        new = changed(node, direction="least" if node.direction == "most" else "most")
        words = print_expression(node.value)
        yield Change("order", node.span, f"{node.direction} {words}", f"{new.direction} {words}"), new


# ---------------------------------------------------------------- conditions


def _condition(node: nodes.Node) -> Made:
    field = CONDITIONS[type(node)]
    condition = getattr(node, field)
    if condition is None:
        return
    if not isinstance(condition, nodes.Not) and not _exact(condition):
        change, new = _becomes("condition", condition, nodes.Not(condition, span=condition.span))
        yield change, changed(node, **{field: new})
    if field == "guard":
        yield (
            Change("guard", condition.span, f"when {print_expression(condition)}", None),
            changed(node, guard=None),
        )


def _where(node: nodes.Where) -> Made:
    if node.if_able:
        words = print_expression(node.condition)
        yield (
            Change("preference", node.span, f"where {words} if able", f"where {words}"),
            changed(node, if_able=False),
        )


def _wheres(node: nodes.Node) -> Made:
    listed: list[nodes.Where] = getattr(node, "wheres", [])
    if isinstance(node, nodes.Filter) and len(listed) == 1:
        return  # a filter has a condition; without one it is its domain
    for where in listed:
        left = [one for one in listed if one is not where]
        was = f"where {print_expression(where.condition)}"
        yield Change("where", where.span, was, None), changed(node, wheres=left)


# ---------------------------------------------------------------- statements


def _block(node: nodes.Block) -> Made:
    for k, statement in enumerate(node.statements):
        if isinstance(statement, nodes.Nothing | nodes.Stop | nodes.Let):
            continue
        left: list[nodes.Statement] = [*node.statements[:k], *node.statements[k + 1 :]]
        made = left or [nodes.Nothing(span=statement.span)]
        yield Change("statement", statement.span, _first_line(statement), None), changed(node, statements=made)
        if isinstance(statement, nodes.AtOnce):
            opened = [*node.statements[:k], *statement.body.statements, *node.statements[k + 1 :]]
            new = changed(node, statements=opened, inline=False)
            yield Change("at once", statement.span, "at once", None), new


def _assign(node: nodes.Assign) -> Made:
    other = {"+=": "-=", "-=": "+="}.get(node.operator)
    if other is not None:
        new = changed(node, operator=other)
        yield Change("assignment", node.span, _first_line(node), _first_line(new)), new


def _choose_action(node: nodes.ChooseAction) -> Made:
    for ident in node.actions if len(node.actions) > 1 else ():
        left = [one for one in node.actions if one is not ident]
        yield Change("action", ident.span, ident.name, None), changed(node, actions=left)


def _choose_option(node: nodes.ChooseOption) -> Made:
    for option in node.options if len(node.options) > 1 else ():
        left = [one for one in node.options if one is not option]
        words = f'"{option.label.value}"'
        yield Change("option", option.span, words, None), changed(node, options=left)


def _otherwise(node: nodes.Node) -> Made:
    after = getattr(node, "otherwise", None)
    if isinstance(after, nodes.Otherwise | nodes.Block):
        yield Change("otherwise", after.span, "otherwise", None), changed(node, otherwise=None)


def _as(node: nodes.As) -> Made:
    if node.how == "together":
        yield Change("together", node.span, "together as", "as"), changed(node, how="each")
    elif node.how == "around":
        yield from _begins_left(node, "domain")


def _for(node: nodes.For) -> Made:
    if node.around:
        yield from _begins_left(node, "domain")


def _turns(node: nodes.Turns) -> Made:
    yield from _begins_left(node, "first")


def _move(node: nodes.Move) -> Made:
    if node.how == "up to":
        new = changed(node, how="count")
        yield Change("up to", node.span, _first_line(node), _first_line(new)), new


# ---------------------------------------------------------------- declarations


def _zone(node: nodes.ZoneDecl) -> Made:
    yield Change("visibility", node.span, node.seen, _SEEN[node.seen]), changed(node, seen=_SEEN[node.seen])


def _var(node: nodes.VarDecl) -> Made:
    if node.seen in {"owner only", "others only"}:
        yield Change("visibility", node.span, node.seen, None), changed(node, seen=None)
    yield from _during(node)


def _during(node: nodes.VarDecl | nodes.ConditionTrigger | nodes.RunsOutTrigger) -> Made:
    if node.during is not None:
        words = f"during {node.during.name}"
        yield Change("during", node.during.span, words, None), changed(node, during=None)


def _reading(node: nodes.ReadingDecl) -> Made:
    names = [answer.name.name for answer in node.answers]
    at = next((k for k, answer in enumerate(node.answers) if answer.default), 0)
    new = (at + 1) % len(names)
    if new != at:
        answers = [changed(answer, default=k == new) for k, answer in enumerate(node.answers)]
        yield (
            Change("default", node.answers[at].span, names[at], names[new]),
            changed(node, answers=answers),
        )


def _placed(change: Change, *, inside: bool) -> Change:
    return attrs.evolve(change, in_body=True) if inside else change


def _becomes(kind: str, node: nodes.Expr, new: N) -> tuple[Change, N]:
    assert isinstance(new, nodes.Expr)
    return Change(kind, node.span, print_expression(node), print_expression(new)), new


def _operands(node: nodes.And | nodes.Or) -> Made:
    for operand in node.operands:
        left = [one for one in node.operands if one is not operand]
        new = left[0] if len(left) == 1 else changed(node, operands=left)
        change, made = _becomes("operand", node, new)
        yield attrs.evolve(change, span=operand.span), made


def _exact(condition: nodes.Expr) -> bool:
    return isinstance(condition, nodes.Compare) and condition.operator in _EXACT


def _begins_left(node: nodes.Node, field: str) -> Made:
    first: nodes.Expr = getattr(node, field)
    moved = nodes.Call(
        nodes.Ident("left", span=first.span), [nodes.Argument(None, first, span=first.span)], span=first.span
    )
    change, new = _becomes("who begins", first, moved)
    yield change, changed(node, **{field: new})


def _type_words(node: nodes.RangeType) -> str:
    high = "" if node.high is None else print_expression(node.high)
    return f"{print_expression(node.low)}..{high}"


def _first_line(statement: nodes.Statement) -> str:
    lines = print_statement(changed(statement, prose=None)).split("\n")
    line = lines[0].strip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3].rstrip()}..."


_RULES: dict[type[nodes.Node], tuple[Callable[[Changer, nodes.Node], Made], ...]] = {}


def _asking(kind: type[N], rule: Callable[[Changer, N], Made]) -> None:
    """Make the changes of a kind of node by a rule that asks what names mean."""
    _RULES[kind] = (*_RULES.get(kind, ()), rule)  # type: ignore[arg-type]  # a rule is asked for nodes of its kind alone


def _rule(kind: type[N], rule: Callable[[N], Made]) -> None:
    """Make the changes of a kind of node by a rule that looks at the node alone."""
    _asking(kind, lambda _, node: rule(node))


_rule(nodes.Integer, _integer)
_rule(nodes.Boolean, _boolean)
_rule(nodes.RangeType, _range_type)
_asking(nodes.Name, _name)
_rule(nodes.Compare, _compare)
_rule(nodes.Binary, _binary)
_rule(nodes.And, _and)
_rule(nodes.Or, _or)
_rule(nodes.Not, _not)
_asking(nodes.Call, _call)
_rule(nodes.SortKey, _sort_key)
_rule(nodes.Where, _where)
_rule(nodes.Block, _block)
_rule(nodes.Assign, _assign)
_rule(nodes.ChooseAction, _choose_action)
_rule(nodes.ChooseOption, _choose_option)
_rule(nodes.As, _as)
_rule(nodes.For, _for)
_rule(nodes.Turns, _turns)
_rule(nodes.Move, _move)
_rule(nodes.ZoneDecl, _zone)
_rule(nodes.VarDecl, _var)
_rule(nodes.ConditionTrigger, _during)
_rule(nodes.RunsOutTrigger, _during)
_asking(nodes.EventTrigger, _pattern)
_rule(nodes.ReadingDecl, _reading)
for _kind in CONDITIONS:
    _rule(_kind, _condition)
for _kind in (
    nodes.Binding,
    nodes.Clause,
    nodes.Filter,
    nodes.The,
    nodes.Pick,
    nodes.Rank,
    nodes.For,
    nodes.As,
    nodes.Turns,
    nodes.EventTrigger,
):
    _rule(_kind, _wheres)
for _kind in (nodes.Choose, nodes.ChooseAction, nodes.ChooseOption, nodes.May, nodes.If):
    _rule(_kind, _otherwise)
