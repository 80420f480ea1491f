"""Names and types inside declarations, after their signatures are known."""

from __future__ import annotations

import re
from collections import Counter

from egodsl.analysis.infer import check, condition, infer, integer, wheres
from egodsl.analysis.infer_moves import destination
from egodsl.analysis.infer_names import field_type, zones_of
from egodsl.analysis.infer_operators import check_ordered
from egodsl.analysis.infer_sets import clauses
from egodsl.analysis.infer_statements import block, head
from egodsl.analysis.relations import BOOL, PLAYER, UNKNOWN, is_unknown, plain
from egodsl.analysis.scope import Body, Context
from egodsl.analysis.symbols import Local, PatternMatch
from egodsl.analysis.types import CardType, EnumType, IntType, OptionalType, Type
from egodsl.source.diagnostics import Label, quote
from egodsl.source.registry import did_you_mean
from egodsl.syntax import nodes

_KNOWN = "use numbers, parameters, modes, readings, and the number of players"
_HOLE = re.compile(r"\{([^{}]*)\}")


def rebound(*roots: nodes.Node | None) -> frozenset[str]:
    """The names that statements under the roots bind more than once, or assign."""
    bound: Counter[str] = Counter()
    for root in roots:
        for node in nodes.walk(root) if root is not None else ():
            match node:
                case nodes.Assign(target=nodes.Name(name=name)):
                    bound[name] += 2
                case nodes.Let() | nodes.LetPerform() | nodes.Pick() | nodes.Binding():
                    bound[node.name.name] += 1
                case nodes.Move() | nodes.Reveal() | nodes.Look() | nodes.Rank() if node.bound is not None:
                    bound[node.bound.name] += 1
    return frozenset(name for name, times in bound.items() if times > 1)


def finish(ctx: Context) -> None:
    """Warn of what was chosen in the body at hand and never used."""
    for local in ctx.body.chosen:
        if local not in ctx.used:
            ctx.found.warning(
                "EGO309",
                local.ident.span,
                f"`{local.name}` is chosen and never used",
                help="a choice that changes nothing need not be made; to set a variable, choose under its name",
            )
            ctx.used.add(local)


# ---------------------------------------------------------------- tables and heads


def values(ctx: Context) -> None:
    """Initial values, defaults, marks, decks, presets, the result and the payoff."""
    program = ctx.program
    for var in program.vars.values():
        with ctx.inside(Body(var)):
            if var.initial is not None:
                check(ctx, var.initial, ctx.elements.get(var, UNKNOWN), f"`{var.name.name}`")
            if var.during is not None:
                ctx.find("stage", var.during, program.stages)
    for parameter in program.parameters.values():
        with ctx.inside(Body(parameter)):
            check(ctx, parameter.default, ctx.elements.get(parameter, UNKNOWN), f"`{parameter.name.name}`")
    for card in program.cards.values():
        with ctx.inside(Body(card)):
            for mark in card.marks:
                if mark.initial is not None:
                    check(ctx, mark.initial, ctx.declared.get(mark.type, UNKNOWN), f"`{mark.name.name}`")
            _written(ctx, card)
    for components in program.components.values():
        with ctx.inside(Body(components)):
            _components(ctx, components)
    for preset in program.presets.values():
        with ctx.inside(Body(preset)):
            setting(ctx, preset.name, preset.value)
    if program.result is not None:
        _result(ctx, program.result)
    if program.payoff is not None:
        with ctx.inside(Body(program.payoff, you=True)):
            integer(ctx, program.payoff.value, "the payoff")


def _result(ctx: Context, result: nodes.ResultHeader) -> None:
    with ctx.inside(Body(result, you=result.together is None)):
        for key in result.keys:
            if key.value is not None:
                kind = infer(ctx, key.value)
                check_ordered(ctx, key.value, kind, "the result")
        if result.together is not None:
            kind = infer(ctx, result.together)
            check_ordered(ctx, result.together, kind, "the result")


def setting(ctx: Context, name: nodes.Ident, value: nodes.Expr) -> None:
    """Check a mode, reading or parameter that is given a value."""
    program = ctx.program
    if name.name in program.modes:
        ctx.refs[name] = program.modes[name.name]
        wanted: Type = BOOL
    elif name.name in program.readings:
        ctx.refs[name] = program.readings[name.name]
        wanted = EnumType(program.readings[name.name])
    elif name.name in program.parameters:
        ctx.refs[name] = program.parameters[name.name]
        wanted = ctx.elements.get(program.parameters[name.name], UNKNOWN)
    else:
        known = [*program.modes, *program.readings, *program.parameters]
        message = f"there is no mode, reading or parameter `{name.name}`"
        ctx.error("EGO209", name.span, message, help=did_you_mean(name.name, known))
        infer(ctx, value)
        return
    if isinstance(value, nodes.Name) and isinstance(wanted, EnumType) and value.name not in ctx.members_of(wanted):
        answers = ctx.members_of(wanted)
        message = f"`{name.name}` has no answer `{value.name}`"
        advice = did_you_mean(value.name, answers) or f"its answers are {', '.join(f'`{one}`' for one in answers)}"
        ctx.error("EGO301", value.span, message, help=advice)
        ctx.types[value] = UNKNOWN
        return
    check(ctx, value, wanted, f"`{name.name}`")


def _written(ctx: Context, card: nodes.CardDecl) -> None:
    if card.written is None:
        return
    names = [*(one.name.name for one in card.fields), *(one.name.name for one in card.marks)]
    for hole in _HOLE.finditer(card.written.template):
        if hole.group(1) not in names:
            message = f"`{card.name.name}` is written with `{hole.group()}`, and has no such field"
            ctx.error("EGO315", card.written.span, message, help=did_you_mean(hole.group(1), names))


def _components(ctx: Context, decl: nodes.ComponentsDecl) -> None:
    card = ctx.find("card", decl.card, ctx.program.cards)
    known = card if isinstance(card, nodes.CardDecl) else None
    if decl.home is not None:
        destination(ctx, decl.home, known)
    for row in decl.rows:
        with clauses(ctx, row.clauses):
            integer(ctx, row.copies, "the number of copies")
            constant(ctx, row.copies)
            _row_values(ctx, known, row)
    if decl.table:
        _table(ctx, known, decl.table)
    if decl.total is not None:
        integer(ctx, decl.total, "the total")
        constant(ctx, decl.total)


def _row_values(ctx: Context, card: nodes.CardDecl | None, row: nodes.ComponentRow) -> None:
    given: dict[str, nodes.Ident] = {}
    for value in row.values:
        name = value.name.name
        kind = field_type(ctx, card, value.name) if card is not None else UNKNOWN
        check(ctx, value.value, kind, f"`{name}`")
        if name in given:
            ctx.error(
                "EGO317", value.name.span, f"`{name}` is given twice", labels=(Label(given[name].span, "first here"),)
            )
        given[name] = value.name
    if card is not None:
        _missing(ctx, card, set(given), row)


def _missing(ctx: Context, card: nodes.CardDecl, given: set[str], node: nodes.Node) -> None:
    if not given <= {"copies", *(field.name.name for field in card.fields), *(mark.name.name for mark in card.marks)}:
        return  # a misspelt field has its error, and would be missing as well
    names = [
        field.name.name
        for field in card.fields
        if field.name.name not in given and not isinstance(ctx.declared.get(field.type), OptionalType)
    ]
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        ctx.error(
            "EGO413", node.span, f"these cards have no value for {listed}", help=f"every `{card.name.name}` has one"
        )


def _table(ctx: Context, card: nodes.CardDecl | None, table: list[nodes.TableRow]) -> None:
    columns: list[Type] = []
    names: list[str] = []
    for cell in table[0].cells:
        name = cell.name if isinstance(cell, nodes.Name) else cell.span.text
        ident = nodes.Ident(span=cell.span, name=name)
        copies = name == "copies"
        columns.append(IntType(0, 10**6) if copies else field_type(ctx, card, ident) if card is not None else UNKNOWN)
        names.append(name)
    if card is not None:
        _missing(ctx, card, set(names), table[0])
    for row in table[1:]:
        if len(row.cells) != len(columns):
            message = f"this row has {len(row.cells)} cells, and the table {len(columns)} columns"
            ctx.error("EGO403", row.span, message)
            continue
        for cell, kind, name in zip(row.cells, columns, names, strict=True):
            check(ctx, cell, kind, f"`{name}`")
            if name == "copies":
                constant(ctx, cell)


def constants(ctx: Context) -> None:
    """Report ranges that are not known before play."""
    for node in list(ctx.declared):
        if isinstance(node, nodes.RangeType):
            constant(ctx, node.low)
            if node.high is not None:
                constant(ctx, node.high)


def constant(ctx: Context, root: nodes.Expr, advice: str = _KNOWN) -> None:
    """Report what changes in play where something must be known before."""
    seen: set[nodes.Node] = set()
    open_: list[tuple[nodes.Node, nodes.Node]] = [(root, root)]
    while open_:
        top, place = open_.pop()
        for node in nodes.walk(top):
            ref = ctx.refs.get(node)
            changing = isinstance(ref, nodes.ZoneDecl | nodes.VarDecl)
            if changing or (isinstance(node, nodes.Name) and node.name in {"you", "active", "next", "others"}):
                words = node.name if isinstance(node, nodes.Name | nodes.Ident) else node.span.text
                span = place.span if place is not root else node.span
                message = f"{quote(root.span.text)} must be known before play, and `{words}` changes in play"
                ctx.error("EGO415", span, message, help=advice)
                return
            if isinstance(ref, nodes.DefineDecl) and ref not in seen:
                seen.add(ref)
                open_.append((ref, node if place is root else place))


# ---------------------------------------------------------------- bodies


def bodies(ctx: Context) -> None:
    """The bodies of stages, procedures, actions and triggers."""
    program = ctx.program
    acting = {action: _action_head(ctx, action) for action in program.actions.values()}
    for action, body in acting.items():
        with ctx.inside(body):
            if action.guard is not None:
                condition(ctx, action.guard)
            block(ctx, action.body)
            finish(ctx)
    takers: list[nodes.StageDecl | nodes.ProcedureDecl] = [*program.stages.values(), *program.procedures.values()]
    for taker in takers:
        body = Body(taker, rebound=rebound(taker.body))
        if isinstance(taker, nodes.ProcedureDecl) and taker.returns is not None:
            body.returns = ctx.declared.get(taker.returns, UNKNOWN)
        with ctx.inside(body):
            for param in taker.params:
                ctx.bind(param.name, ctx.declared.get(param.type, UNKNOWN))
            block(ctx, taker.body)
            finish(ctx)
    for event in program.events.values():
        with ctx.inside(Body(event)):
            for param in event.params:
                ctx.bind(param.name, ctx.declared.get(param.type, UNKNOWN))
    for reaction in program.reactions.values():
        with ctx.inside(Body(reaction, rebound=rebound(reaction.body))):
            _reaction(ctx, reaction)
    triggers: list[nodes.ConditionTrigger | nodes.RunsOutTrigger] = [
        *program.conditions.values(),
        *program.runs_out.values(),
    ]
    for trigger in triggers:
        with ctx.inside(Body(trigger, rebound=rebound(trigger.body))):
            _trigger(ctx, trigger)


def _action_head(ctx: Context, action: nodes.ActionDecl) -> Body:
    names = rebound(*action.bindings, action.body)
    with ctx.inside(Body(action, rebound=names)) as body:
        head(ctx, action.bindings)
        body.fixed.update(binding.name.name for binding in action.bindings)
    return body


def _reaction(ctx: Context, decl: nodes.EventTrigger) -> None:
    event = ctx.find("event", decl.event, ctx.program.events)
    params = event.params if isinstance(event, nodes.EventDecl) else []
    if isinstance(event, nodes.EventDecl) and decl.patterns and len(decl.patterns) != len(params):
        takes = f"{len(params)} parameter{'' if len(params) == 1 else 's'}" if params else "no parameters"
        message = f"`{event.name.name}` has {takes}, and `{decl.name.name}` names {len(decl.patterns)}"
        ctx.error("EGO403", decl.patterns[0].span, message, labels=(Label(event.name.span, "declared here"),))
        params = []
    kinds = [ctx.declared.get(param.type, UNKNOWN) for param in params]
    kinds += [UNKNOWN] * (len(decl.patterns) - len(kinds))
    for pattern, kind in zip(decl.patterns, kinds, strict=False):
        _pattern(ctx, pattern, kind)
    wheres(ctx, decl.wheres)
    if decl.actor is None:
        block(ctx, decl.body)
    else:
        check(ctx, decl.actor, PLAYER, "who acts in a trigger")
        with ctx.asking():
            block(ctx, decl.body)
    finish(ctx)


def _pattern(ctx: Context, pattern: nodes.Ident, kind: Type) -> None:
    name = pattern.name
    value = ctx.members_of(kind).get(name)
    if value is not None:
        ctx.refs[pattern] = value
        ctx.checked.patterns[pattern] = PatternMatch(value, None)
        return
    if is_unknown(kind):
        local = Local(name, kind, pattern)
        ctx.refs[pattern] = ctx.body.visible[name] = local
        return
    inner = plain(kind)
    fields = inner.decl.fields if isinstance(inner, CardType) else []
    found = [(field, ctx.members_of(ctx.declared.get(field.type)).get(name)) for field in fields]
    matches = [(field, value) for field, value in found if value is not None]
    if not matches:
        ctx.bind(pattern, kind)
        return
    if len(matches) > 1:
        names = " and ".join(f"`{field.name.name}`" for field, _ in matches)
        message = f"`{name}` may be a value of the fields {names}"
        ctx.error(
            "EGO304", pattern.span, message, help="bind the card under a name and say `where` which field is meant"
        )
        return
    field, value = matches[0]
    ctx.refs[pattern] = value
    ctx.checked.patterns[pattern] = PatternMatch(value, field.name.name)


def _trigger(ctx: Context, decl: nodes.ConditionTrigger | nodes.RunsOutTrigger) -> None:
    with clauses(ctx, decl.binders):
        if decl.during is not None:
            ctx.find("stage", decl.during, ctx.program.stages)
        if isinstance(decl, nodes.ConditionTrigger):
            condition(ctx, decl.condition)
        else:
            infer(ctx, decl.zone)
            if not zones_of(ctx, decl.zone) and ctx.types[decl.zone] != UNKNOWN:
                message = f"{quote(decl.zone.span.text)} is no zone, so it cannot run out"
                ctx.error("EGO410", decl.zone.span, message)
        block(ctx, decl.body)
        finish(ctx)
