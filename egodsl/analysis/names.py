"""Which names a program has, what two of them clash, and what a name in an expression means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from egodsl.analysis.builtins import BUILTINS, LETTERS, NAMES
from egodsl.analysis.relations import element, plain
from egodsl.analysis.scope import Context, Value, article
from egodsl.analysis.symbols import EnumValue, LabelValue, Symbol
from egodsl.analysis.types import PlayerType, Type
from egodsl.source.diagnostics import Label
from egodsl.source.registry import close_names, did_you_mean
from egodsl.source.span import Span
from egodsl.syntax import nodes


def collect(ctx: Context) -> None:
    """Fill the tables of names of `ctx` and report what has two meanings."""
    program = ctx.program
    tables: list[Mapping[str, nodes.Declaration]] = [
        program.enums,
        program.types,
        program.cards,
        program.zones,
        program.vars,
        program.parameters,
        program.modes,
        program.readings,
        program.defines,
    ]
    order = {module.span.source: k for k, module in enumerate(program.files)}
    named = [pair for table in tables for pair in table.items()]
    for name, decl in sorted(named, key=lambda pair: (order.get(pair[1].span.source, 0), pair[1].span.start)):
        _add_global(ctx, name, decl)
    for enum in program.enums.values():
        _add_enum(ctx, enum)
    for type_ in program.types.values():
        _add_members(ctx, type_, [(label.name, LabelValue(type_, label)) for label in type_.labels])
    for reading in program.readings.values():
        answers = [
            (answer.name, EnumValue(reading, answer.name.name, k, answer.text))
            for k, answer in enumerate(reading.answers)
        ]
        _add_members(ctx, reading, answers)
    ctx.checked.values = {decl: list(members.values()) for decl, members in ctx.members.items()}


def _add_global(ctx: Context, name: str, decl: nodes.Declaration) -> None:
    other = ctx.globals.get(name)
    if other is None and name not in BUILTINS:
        ctx.globals[name] = decl
        return
    ctx.doubtful.add(name)
    built_in = f"`{name}` is built in, and now {article(decl.kind)}" if name in BUILTINS else ""
    ctx.error(
        "EGO302",
        decl.name.span,
        built_in or f"`{name}` is {article(other.kind) if other else ''} already, and now {article(decl.kind)}",
        help=f"give the {decl.kind} another name: in an expression one name has one meaning",
        labels=(Label(other.name.span, f"the {other.kind} is declared here"),) if other else (),
    )


def _add_enum(ctx: Context, enum: nodes.EnumDecl) -> None:
    # An item without a label that is the name of another enum brings that one's values.
    found: list[tuple[nodes.Ident, Value]] = []
    open_: list[tuple[nodes.EnumItem, tuple[str, ...]]] = [(item, (enum.name.name,)) for item in reversed(enum.items)]
    while open_:
        item, way = open_.pop()
        included = ctx.program.enums.get(item.name.name) if item.label is None else None
        if included is None:
            found.append((item.name, EnumValue(enum, item.name.name, len(found), item.label)))
        elif included.name.name in way:
            ctx.error(
                "EGO312",
                item.name.span,
                f"`{included.name.name}` is made of its own values",
                help="leave out one of the enums that bring each other's values",
            )
        else:
            ctx.refs[item.name] = included
            inner = (*way, included.name.name)
            open_ += [(each, inner) for each in reversed(included.items)]
    _add_members(ctx, enum, found)


def _add_members(ctx: Context, decl: nodes.Declaration, items: Iterable[tuple[nodes.Ident, Value]]) -> None:
    members = ctx.members.setdefault(decl, {})
    first: dict[str, nodes.Ident] = {}
    for ident, value in items:
        if ident.name in members:
            ctx.error(
                "EGO317",
                ident.span,
                f"`{decl.name.name}` has `{ident.name}` twice",
                help="leave one of them out",
                labels=(Label(first[ident.name].span, "first here"),),
            )
            continue
        first[ident.name] = ident
        members[ident.name] = value
        ctx.values.setdefault(ident.name, []).append(value)


# ---------------------------------------------------------------- resolving


def resolve(ctx: Context, node: nodes.Name, expected: Type | None) -> Symbol | None:
    """What the name means here, noted in `refs`; None after an error, or if a library leaves it to its user."""
    symbol = meaning(ctx, node.name, expected)
    if symbol is None:
        _unresolved(ctx, node)
        return None
    ctx.refs[node] = symbol
    return symbol


def meaning(ctx: Context, name: str, expected: Type | None) -> Symbol | None:
    """What a name means where a value of type `expected` is asked for; None if nothing, or more than one thing."""
    members = ctx.members_of(expected)
    if name in members:
        return members[name]
    if ctx.body.scenario and isinstance(plain(expected) if expected else None, PlayerType) and is_letter(ctx, name):
        return ctx.builtin(name)
    if name in ctx.body.visible:
        local = ctx.body.visible[name]
        ctx.used.add(local)
        return local
    if name in ctx.globals:
        return ctx.globals[name]
    if name in NAMES:
        return ctx.builtin(name)
    values = candidates(ctx, name)
    if len(values) == 1:
        return values[0]
    if not values and ctx.body.scenario and is_letter(ctx, name):
        return ctx.builtin(name)
    return None


def is_value_name(ctx: Context, name: str) -> bool:
    """Whether the name may mean different values by the type that is expected."""
    return name in ctx.values and name not in ctx.body.visible


def candidates(ctx: Context, name: str) -> list[Value]:
    """The values that a name may mean where no type is expected; an enum that brings another's gives way to it."""
    values = [v for v in ctx.values.get(name, ()) if not isinstance(v.decl, nodes.ReadingDecl)]
    if not values:
        return list(ctx.values.get(name, ()))
    brought = {
        other.decl
        for other in values
        for value in values
        if value is not other
        and isinstance(other.decl, nodes.EnumDecl)
        and any(i.label is None and i.name.name == value.decl.name.name for i in other.decl.items)
    }
    return [value for value in values if value.decl not in brought]


def is_letter(ctx: Context, name: str) -> bool:
    """Whether the name is what a scenario calls one of the players."""
    return len(name) == 1 and name in LETTERS[: max(0, min(ctx.players.high, len(LETTERS)))]


_CONSTANTS = {
    **{word: f"write `{word}`" for word in ("true", "false", "none")},
    **dict.fromkeys(("null", "nil", "nothing", "nobody"), "what is not there is `none`"),
}
"""What to write for the constants of other languages."""


def _unresolved(ctx: Context, node: nodes.Name) -> None:
    name, span = node.name, node.span
    values = candidates(ctx, name)
    if len(values) > 1:
        owners = [value.decl.name.name for value in values]
        ctx.error(
            "EGO304",
            span,
            f"`{name}` is a value of {_listed(owners)}, and nothing here says which is meant",
            help="write " + " or ".join(f"`{owner}.{name}`" for owner in owners),
        )
        return
    if name in ctx.body.bound:
        ctx.error(
            "EGO301",
            span,
            f"`{name}` has no value here: it is bound only in another branch",
            help="bind it before the branches part",
            labels=(Label(ctx.body.bound[name].ident.span, "bound here"),),
        )
        return
    other = ctx.any_declaration(name)
    if other is not None:
        not_an_expression(ctx, other, span)
        return
    if any(need == name for _, need in ctx.needed):
        return
    hint = _CONSTANTS.get(name.casefold()) or did_you_mean(name, known_names(ctx))
    # A slip for what was chosen is a use of it.
    ctx.used.update(ctx.body.visible[close] for close in close_names(name, ctx.body.visible))
    ctx.missing("EGO301", name, span, f"nothing is called `{name}`", help=hint, labels=ctx.removed(name))


def not_an_expression(ctx: Context, other: nodes.Declaration, span: Span) -> None:
    """Report that a declaration was used as if it had a value."""
    helps = {
        "procedure": f"a procedure may ask and change things: above, write `let x = perform {other.name.name}(…)`",
        "stage": f"a stage is started by the statement `play {other.name.name}`",
        "event": f"an event is made to happen by the statement `announce {other.name.name}`",
        "action": f"an action is offered by `choose one of {other.name.name}`, or done by `perform {other.name.name}`",
    }
    ctx.error(
        "EGO306",
        span,
        f"`{other.name.name}` is {article(other.kind)} and has no value of its own",
        help=helps.get(other.kind),
        labels=(Label(other.name.span, "declared here"),),
    )


def known_names(ctx: Context) -> list[str]:
    """Every name that could stand in an expression here."""
    letters = [letter for letter in LETTERS if is_letter(ctx, letter)] if ctx.body.scenario else []
    return [*ctx.body.visible, *ctx.globals, *ctx.values, *BUILTINS, *letters]


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def expects_value(ctx: Context, expr: nodes.Expr) -> bool:
    """Whether what the expression means may hang on the type expected of it: it is made of names of values."""
    match expr:
        case nodes.Name():
            return is_value_name(ctx, expr.name) or (ctx.body.scenario and is_letter(ctx, expr.name))
        case nodes.Group():
            return expects_value(ctx, expr.inner)
        case nodes.Braces() | nodes.Brackets() | nodes.Tuple():
            return any(expects_value(ctx, item) for item in expr.items)
        case nodes.Conditional():
            return expects_value(ctx, expr.then) or expects_value(ctx, expr.otherwise)
        case nodes.Range():
            return expects_value(ctx, expr.low) or expects_value(ctx, expr.high)
        case _:
            return False


def expected_element(expected: Type | None) -> Type | None:
    """The type expected of the members where a set or row is expected."""
    return element(expected) if expected is not None else None
