"""Names and types in statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from egodsl.analysis import infer_moves
from egodsl.analysis.infer import check, condition, domain, infer, integer, require, wheres
from egodsl.analysis.infer_calls import arguments, bindings, infer_arguments
from egodsl.analysis.infer_sets import bound
from egodsl.analysis.relations import PLAYER, PLAYERS, UNKNOWN, element, plain
from egodsl.analysis.scope import Context
from egodsl.analysis.symbols import Local
from egodsl.analysis.types import PlayerType, Type
from egodsl.source.diagnostics import Label
from egodsl.syntax import nodes


def block(ctx: Context, body: nodes.Block) -> None:
    """The statements of a block, in order."""
    for statement in body.statements:
        _STATEMENTS[type(statement)](ctx, statement)


def _branches(ctx: Context, bodies: list[Callable[[], None]]) -> None:
    # Each branch begins with what was visible before; after them everything that any of them bound is.
    before = dict(ctx.body.visible)
    after = dict(before)
    for run in bodies:
        ctx.body.visible = dict(before)
        run()
        after.update(ctx.body.visible)
    ctx.body.visible = after


def _block_of(ctx: Context, body: nodes.Block | None) -> Callable[[], None]:
    return lambda: block(ctx, body) if body is not None else None


# ---------------------------------------------------------------- plain statements


def _let(ctx: Context, node: nodes.Let) -> None:
    ctx.bind_statement(node.name, infer(ctx, node.value))


def _let_perform(ctx: Context, node: nodes.LetPerform) -> None:
    decl = ctx.find("procedure", node.call.name, ctx.program.procedures)
    kind: Type = UNKNOWN
    if isinstance(decl, nodes.ProcedureDecl):
        arguments(ctx, node.call, decl, decl.params)
        ctx.call(decl, node.call.name.span)
        if decl.returns is not None:
            kind = ctx.declared.get(decl.returns, UNKNOWN)
        else:
            message = f"`{decl.name.name}` gives nothing back"
            advice = "write `-> TYPE` after its parameters and `return` a value, or drop the `let`"
            ctx.error("EGO409", node.call.span, message, help=advice, labels=(Label(decl.name.span, "declared here"),))
    else:
        infer_arguments(ctx, node.call)
    ctx.bind_statement(node.name, kind)


def _perform(ctx: Context, node: nodes.Perform) -> None:
    name = node.call.name.name
    if name in ctx.program.actions and name not in ctx.program.procedures:
        action = ctx.program.actions[name]
        ctx.refs[node.call.name] = action
        ctx.call(action, node.call.name.span)
        bindings(ctx, node.call, action, action_kinds(ctx, action))
        return
    decl = ctx.find("procedure", node.call.name, ctx.program.procedures)
    if isinstance(decl, nodes.ProcedureDecl):
        arguments(ctx, node.call, decl, decl.params)
        ctx.call(decl, node.call.name.span)
    else:
        infer_arguments(ctx, node.call)


def action_kinds(ctx: Context, action: nodes.ActionDecl) -> dict[str, Type]:
    """The types of an action's bindings, as far as it was analysed."""
    found: dict[str, Type] = {}
    for binding in action.bindings:
        local = ctx.refs.get(binding.name)
        found[binding.name.name] = local.type if isinstance(local, Local) else UNKNOWN
    return found


def _play(ctx: Context, node: nodes.Play) -> None:
    play(ctx, node.call)


def play(ctx: Context, call: nodes.Call) -> None:
    """`play stage(...)`."""
    decl = ctx.find("stage", call.name, ctx.program.stages)
    if isinstance(decl, nodes.StageDecl):
        arguments(ctx, call, decl, decl.params)
        ctx.call(decl, call.name.span)
    else:
        infer_arguments(ctx, call)


def _announce(ctx: Context, node: nodes.Announce) -> None:
    decl = ctx.find("event", node.call.name, ctx.program.events)
    if isinstance(decl, nodes.EventDecl):
        arguments(ctx, node.call, decl, decl.params)
        ctx.call(decl, node.call.name.span, announced=True)
    else:
        infer_arguments(ctx, node.call)
    if node.body is not None:
        block(ctx, node.body)


def _cancel(ctx: Context, node: nodes.Cancel) -> None:
    ctx.find("event", node.event, ctx.program.events)


def _end(ctx: Context, node: nodes.End) -> None:
    ctx.find("stage", node.stage, ctx.program.stages)


def _return(ctx: Context, node: nodes.Return) -> None:
    wanted = ctx.body.returns
    if node.value is None:
        if wanted is not None:
            ctx.error(
                "EGO409",
                node.span,
                f"this procedure gives back a `{wanted}`, and here it returns without",
                help="write `return VALUE`",
            )
        return
    if wanted is not None:
        check(ctx, node.value, wanted, "what the procedure gives back")
        return
    infer(ctx, node.value)
    advice = (
        "write `-> TYPE` after the name of the procedure" if isinstance(ctx.body.owner, nodes.ProcedureDecl) else None
    )
    ctx.error("EGO409", node.span, "a value is returned where nobody asked for one", help=advice)


def _nothing(_ctx: Context, _node: nodes.Statement) -> None:
    pass


# ---------------------------------------------------------------- decisions


def head(ctx: Context, every: list[nodes.Binding], *, assigns: bool = False) -> None:
    """The bindings in the head of an action, option, `may` or `choose`; with `assigns` one may name a variable."""
    candidates: list[nodes.Ident] = []
    for binding in every:
        kind = domain(ctx, binding.domain)
        if assigns:
            candidates += infer_moves.choose_name(ctx, binding.name, kind, binding.wheres)
            continue
        ctx.bind_statement(binding.name, kind)
        with ctx.binding(binding.name, kind):
            wheres(ctx, binding.wheres)
    for ident in candidates:
        ctx.body.visible.pop(ident.name, None)


def _otherwise(ctx: Context, node: nodes.Otherwise | None) -> Callable[[], None]:
    def run() -> None:
        if node is not None:
            if node.guard is not None:
                condition(ctx, node.guard)
            block(ctx, node.body)

    return run


def _choose(ctx: Context, node: nodes.Choose) -> None:
    ctx.need_you(node.span, "choose")
    _branches(ctx, [lambda: head(ctx, node.bindings, assigns=True), _otherwise(ctx, node.otherwise)])


def _choose_action(ctx: Context, node: nodes.ChooseAction) -> None:
    ctx.need_you(node.span, "choose one of")
    for ident in node.actions:
        decl = ctx.find("action", ident, ctx.program.actions)
        if decl is not None:
            ctx.call(decl, ident.span)
    _branches(ctx, [_otherwise(ctx, node.otherwise)])


def _choose_option(ctx: Context, node: nodes.ChooseOption) -> None:
    ctx.need_you(node.span, "choose")

    def option(one: nodes.Option) -> Callable[[], None]:
        def run() -> None:
            head(ctx, one.bindings)
            if one.guard is not None:
                condition(ctx, one.guard)
            if one.body is not None:
                block(ctx, one.body)

        return run

    _branches(ctx, [*map(option, node.options), _otherwise(ctx, node.otherwise)])


def _may(ctx: Context, node: nodes.May) -> None:
    ctx.need_you(node.span, "may")

    def yes() -> None:
        head(ctx, node.bindings)
        block(ctx, node.body)

    _branches(ctx, [yes, _otherwise(ctx, node.otherwise)])


# ---------------------------------------------------------------- control


def _for(ctx: Context, node: nodes.For) -> None:
    if node.around:
        check(ctx, node.domain, PLAYER, "from whom `for … from` goes round")
        kind: Type = PLAYER
    else:
        kind = domain(ctx, node.domain)
    with bound(ctx, node.name, kind):
        wheres(ctx, node.wheres)
        block(ctx, node.body)


def _as(ctx: Context, node: nodes.As) -> None:
    if node.how in {"one", "around"}:
        check(ctx, node.domain, PLAYER, "whom `as` asks")
    else:
        kind = infer(ctx, node.domain, PLAYERS)
        inner = element(kind)
        if inner is None and isinstance(plain(kind), PlayerType):
            ctx.error(
                "EGO405",
                node.domain.span,
                f"`{node.domain.span.text}` is one player",
                help=f"write `as {node.domain.span.text}: …`",
            )
        else:
            require(ctx, node.domain, PLAYER, kind if inner is None else inner, "whom `as` asks")
    if node.name is None:
        with ctx.asking():
            block(ctx, node.body)
        return
    with bound(ctx, node.name, PLAYER):
        wheres(ctx, node.wheres)
        with ctx.asking():
            block(ctx, node.body)


def _at_once(ctx: Context, node: nodes.AtOnce) -> None:
    block(ctx, node.body)


def _if(ctx: Context, node: nodes.If) -> None:
    def branch(one: nodes.Branch) -> Callable[[], None]:
        def run() -> None:
            condition(ctx, one.condition)
            block(ctx, one.body)

        return run

    _branches(ctx, [*map(branch, node.branches), _block_of(ctx, node.otherwise)])


def _repeat(ctx: Context, node: nodes.Repeat) -> None:
    if node.times is not None:
        integer(ctx, node.times, "how often `repeat` repeats")
    block(ctx, node.body)
    if node.until is not None:
        condition(ctx, node.until)


def _turns(ctx: Context, node: nodes.Turns) -> None:
    check(ctx, node.first, PLAYER, "from whom `turns` goes round")
    with ctx.asking():
        wheres(ctx, node.wheres)
        block(ctx, node.body)


_STATEMENTS: dict[type[nodes.Statement], Callable[[Context, Any], None]] = {
    nodes.Assign: infer_moves.assign,
    nodes.Let: _let,
    nodes.LetPerform: _let_perform,
    nodes.Move: infer_moves.move,
    nodes.Swap: infer_moves.swap,
    nodes.Roll: infer_moves.roll,
    nodes.Shuffle: infer_moves.shuffle,
    nodes.Reveal: infer_moves.show,
    nodes.Look: infer_moves.show,
    nodes.Choose: _choose,
    nodes.ChooseAction: _choose_action,
    nodes.ChooseOption: _choose_option,
    nodes.May: _may,
    nodes.Pick: infer_moves.pick,
    nodes.Rank: infer_moves.rank,
    nodes.Play: _play,
    nodes.Perform: _perform,
    nodes.Announce: _announce,
    nodes.Cancel: _cancel,
    nodes.End: _end,
    nodes.Return: _return,
    nodes.Stop: _nothing,
    nodes.Nothing: _nothing,
    nodes.For: _for,
    nodes.As: _as,
    nodes.AtOnce: _at_once,
    nodes.If: _if,
    nodes.Repeat: _repeat,
    nodes.Turns: _turns,
}
