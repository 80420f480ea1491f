"""What a variant, or the user of a library, changes in declarations that are there already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import attrs

from egodsl.source.diagnostics import Diagnostics, Label
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.syntax import nodes

Declared = nodes.Declaration | nodes.ScenarioDecl
Key = tuple[str, str]
Table = dict[Key, Declared]
N = TypeVar("N", bound=nodes.Node)

REACTIONS = {"trigger", "ability"}


def key_of(item: Declared) -> Key:
    """Kind and name. Abilities and triggers share their names: both answer events."""
    if isinstance(item, nodes.ScenarioDecl):
        return (item.kind, item.title)
    return ("trigger" if item.kind in REACTIONS else item.kind, item.name.name)


def span_of(item: Declared) -> Span:
    """The place of the name."""
    return item.title_span if isinstance(item, nodes.ScenarioDecl) else item.name.span


def apply(table: Table, item: nodes.Item, found: Diagnostics) -> None:
    """Add, replace, extend or remove one declaration."""
    if isinstance(item, nodes.Removal):
        _remove(table, item, found)
        return
    key = key_of(item)
    if item.edit is None:
        if key in table:
            _repeated(table[key], item, found)
        else:
            table[key] = item
        return
    old = table.get(key)
    if old is None:
        _missing(table, item.edit, item.kind, key[1], span_of(item), found)
        return
    if item.edit == "replace":
        table[key] = evolved(item, edit=None)
        return
    table[key] = _extended(old, item, found)


def _repeated(old: Declared, item: Declared, found: Diagnostics) -> None:
    name, kind = key_of(item)[1], old.kind
    elsewhere = span_of(old).source is not span_of(item).source
    found.error(
        "EGO204",
        span_of(item),
        f"there is {'an' if kind[0] in 'aeio' else 'a'} {kind} `{name}` already",
        help=f"to put this one in its place write `replace {item.kind} {name}`"
        if elsewhere
        else "give one of them another name",
        labels=(Label(span_of(old), "declared here"),),
    )


def _missing(table: Table, verb: str, kind: str, name: str, span: Span, found: Diagnostics) -> None:
    same_name = [other for other in table.values() if key_of(other)[1] == name]
    group = "trigger" if kind in REACTIONS else kind
    names = [other_name for other_kind, other_name in table if other_kind == group]
    if same_name:
        help_: str | None = f"write `{verb} {same_name[0].kind} {name}`"
        labels: tuple[Label, ...] = (Label(span_of(same_name[0]), f"this is the {same_name[0].kind}"),)
    else:
        help_, labels = did_you_mean(name, names), ()
    found.error("EGO206", span, f"there is no {kind} `{name}` to {verb}", help=help_, labels=labels)


def evolved(node: N, **changes: object) -> N:
    """A copy of the node with some fields changed; mypy does not see that nodes are attrs classes."""
    made: N = attrs.evolve(cast("Any", node), **changes)
    return made


# ---------------------------------------------------------------- removing


def _remove(table: Table, item: nodes.Removal, found: Diagnostics) -> None:
    kind = "trigger" if item.kind in REACTIONS else item.kind
    if table.pop((kind, item.name.name), None) is None:
        _missing(table, "remove", item.kind, item.name.name, item.name.span, found)
        return
    if kind == "action":
        for key, decl in table.items():
            table[key] = _without_action(decl, item.name.name)


def _without_action(decl: Declared, name: str) -> Declared:
    def strike(node: nodes.Node) -> nodes.Node:
        if isinstance(node, nodes.ChooseAction) and any(ident.name == name for ident in node.actions):
            return evolved(node, actions=[ident for ident in node.actions if ident.name != name])
        return node

    return rebuilt(decl, strike)


def check_lists(table: Table, removed: list[nodes.Removal], found: Diagnostics) -> None:
    """Report lists of actions that edits have left with nothing in them."""
    for decl in table.values() if removed else ():
        for node in nodes.walk(decl):
            if isinstance(node, nodes.ChooseAction) and not node.actions:
                words = node.span.text
                item = next((one for one in reversed(removed) if one.name.name in words), removed[-1])
                found.error(
                    "EGO214",
                    item.name.span,
                    f"without the action `{item.name.name}` there is nothing left to choose",
                    help=f"replace the {decl.kind} that offers it, too",
                    labels=(Label(node.span, "it alone is offered here"),),
                )


def rebuilt(root: N, change: Callable[[nodes.Node], nodes.Node]) -> N:
    """The tree with `change` made to each node, from the leaves up; what does not change stays the same object.

    `change` must give a node of the kind that it is given.
    """
    changed: dict[str, object] = {}
    for field in attrs.fields(cast("Any", type(root))):
        value = getattr(root, field.name)
        if isinstance(value, nodes.Node):
            new = rebuilt(value, change)
            if new is not value:
                changed[field.name] = new
        elif isinstance(value, list) and any(isinstance(one, nodes.Node) for one in value):
            every = [rebuilt(one, change) if isinstance(one, nodes.Node) else one for one in value]
            if any(new is not one for new, one in zip(every, value, strict=True)):
                changed[field.name] = every
    return cast("N", change(evolved(root, **changed) if changed else root))


# ---------------------------------------------------------------- extending


def _extended(old: Declared, item: Declared, found: Diagnostics) -> Declared:
    match old, item:
        case nodes.EnumDecl(), nodes.EnumDecl():
            return evolved(old, items=[*old.items, *item.items])
        case nodes.ReadingDecl(), nodes.ReadingDecl():
            return evolved(old, answers=[*old.answers, *item.answers])
        case nodes.TypeDecl(), nodes.TypeDecl() if nodes.same_tree(old.type, item.type):
            return evolved(old, labels=[*old.labels, *item.labels])
        case nodes.CardDecl(), nodes.CardDecl():
            return evolved(
                old,
                fields=[*old.fields, *item.fields],
                marks=[*old.marks, *item.marks],
                written=item.written or old.written,
            )
        case nodes.ComponentsDecl(), nodes.ComponentsDecl():
            return _more_cards(old, item, found)
    actions = _listed(item)
    if actions is None:
        _not_extended(
            item, found, "only enums, types, cards, components, readings and lists of actions can be extended"
        )
        return old
    return _more_actions(old, item, actions, found)


def _more_cards(old: nodes.ComponentsDecl, item: nodes.ComponentsDecl, found: Diagnostics) -> Declared:
    if old.card.name != item.card.name:
        _not_extended(item, found, f"these components are of `{old.card.name}`")
        return old
    table = old.table
    if (table and item.files) or (old.files and item.table):
        _not_extended(item, found, "one of the two is a table in a file of its own, the other is not")
        return old
    if item.table:
        head = item.table[0]
        if table and not nodes.same_tree(table[0], head):
            _not_extended(item, found, "the columns of its table are others")
            return old
        if old.rows:
            _not_extended(item, found, "its rows are no table")
            return old
        table = [*table, *item.table[1:]] if table else item.table
    elif item.rows and table:
        _not_extended(item, found, "its rows stand in a table")
        return old
    return evolved(
        old,
        rows=[*old.rows, *item.rows],
        table=table,
        files=[*old.files, *item.files],
        total=item.total or old.total,
        home=item.home or old.home,
    )


def _listed(item: Declared) -> list[nodes.Ident] | None:
    # The actions of a body that is `choose one of …` and nothing else.
    body = getattr(item, "body", None)
    if isinstance(body, nodes.Block) and len(body.statements) == 1:
        only = body.statements[0]
        if isinstance(only, nodes.ChooseAction) and only.otherwise is None:
            return only.actions
    return None


def _more_actions(old: Declared, item: Declared, actions: list[nodes.Ident], found: Diagnostics) -> Declared:
    lists = [node for node in nodes.walk(old) if isinstance(node, nodes.ChooseAction)]
    if len(lists) != 1:
        _not_extended(item, found, f"it has {len(lists) or 'no'} lists of actions, and just one can be added to")
        return old
    target = lists[0]

    def add(node: nodes.Node) -> nodes.Node:
        return evolved(target, actions=[*target.actions, *actions]) if node is target else node

    return rebuilt(old, add)


def _not_extended(item: Declared, found: Diagnostics, why: str) -> None:
    message = f"the {item.kind} `{key_of(item)[1]}` cannot be extended like this: {why}"
    found.error(
        "EGO207", span_of(item), message, help=f"write the whole of it after `replace {item.kind} {key_of(item)[1]}`"
    )
