"""Types of calls: of defines and faces, and the arguments of all; built-in functions stand in `infer_functions`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from egodsl.analysis.builtins import BUILTINS, FUNCTIONS
from egodsl.analysis.infer import check, infer, require, rule
from egodsl.analysis.names import known_names, not_an_expression
from egodsl.analysis.relations import ANY_INT, UNKNOWN, accepts
from egodsl.analysis.scope import Context, article
from egodsl.analysis.tables import is_text
from egodsl.analysis.types import CardType, FaceType, Type
from egodsl.source.diagnostics import Label
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.syntax import nodes

Typed = Callable[[Context, nodes.Call, "Type | None"], Type]

FUNCTION_RULES: dict[str, Typed] = {}
"""The rule of each built-in function, filled by `infer_functions`."""


@rule(nodes.Call)
def _call(ctx: Context, expr: nodes.Call, expected: Type | None) -> Type:
    name = expr.name.name
    decl = ctx.globals.get(name)
    if name in ctx.doubtful:
        infer_arguments(ctx, expr)
        return UNKNOWN
    if isinstance(decl, nodes.DefineDecl):
        return _define(ctx, expr, decl)
    if isinstance(decl, nodes.CardDecl):
        return face(ctx, expr, decl)
    if decl is None and name not in ctx.body.visible and name in FUNCTIONS:
        ctx.refs[expr.name] = ctx.builtin(name)
        return FUNCTION_RULES[name](ctx, expr, expected)
    infer_arguments(ctx, expr)
    return _not_callable(ctx, expr, decl)


def _define(ctx: Context, expr: nodes.Call, decl: nodes.DefineDecl) -> Type:
    ctx.refs[expr.name] = decl
    arguments(ctx, expr, decl, decl.params)
    ctx.call(decl, expr.name.span)
    return ctx.elements.get(decl, UNKNOWN)


_ELSEWHERE = {
    **dict.fromkeys(("random", "rand", "randint", "randrange"), "chance is a statement: `pick x at random from …`"),
    **dict.fromkeys(("len", "length", "size"), "how many there are is `count(…)`"),
}
"""What to write for functions of other languages."""


def _not_callable(ctx: Context, expr: nodes.Call, decl: nodes.Declaration | None) -> Type:
    name = expr.name.name
    if decl is None and name not in ctx.body.visible:
        decl = ctx.any_declaration(name)
        if decl is not None:
            not_an_expression(ctx, decl, expr.name.span)
            return UNKNOWN
        if any(need == name for _, need in ctx.needed):
            return UNKNOWN
        callable_ = [*ctx.program.defines, *ctx.program.cards, *FUNCTIONS]
        hint = _ELSEWHERE.get(name.casefold()) or did_you_mean(name, callable_) or did_you_mean(name, known_names(ctx))
        labels = ctx.removed(name)
        return ctx.missing("EGO301", name, expr.name.span, f"nothing is called `{name}`", help=hint, labels=labels)
    what = decl.kind if decl is not None else "local name"
    advice = f"write `{name}[…]`" if isinstance(decl, nodes.ZoneDecl | nodes.VarDecl) else None
    return ctx.error(
        "EGO306", expr.name.span, f"`{name}` is {article(what)} and takes no arguments in parentheses", help=advice
    )


def infer_arguments(ctx: Context, call: nodes.Call) -> None:
    """Infer the arguments of a call that is wrong anyway, so that their own mistakes show."""
    for argument in call.arguments:
        infer(ctx, argument.value)


# ---------------------------------------------------------------- arguments


def match(
    ctx: Context,
    call: nodes.Call,
    names: Sequence[str],
    *,
    partly: bool = False,
    declared: Span | None = None,
) -> dict[str, nodes.Expr] | None:
    """Which argument each name gets; None after an error. With `partly` some may be left out."""
    labels = (Label(declared, "declared here"),) if declared is not None else ()
    given: dict[str, nodes.Expr] = {}
    word = call.name.name
    for k, argument in enumerate(call.arguments):
        if argument.name is None and k >= len(names):
            break
        name = names[k] if argument.name is None else argument.name.name
        span = argument.name.span if argument.name is not None else argument.span
        if name not in names:
            hint = did_you_mean(name, names) or (f"it has {', '.join(f'`{one}`' for one in names)}" if names else None)
            ctx.error("EGO404", span, f"`{word}` has no parameter `{name}`", help=hint, labels=labels)
            return None
        if name in given:
            ctx.error("EGO404", span, f"`{name}` of `{word}` is given twice", labels=labels)
            return None
        given[name] = argument.value
    if len(call.arguments) > len(names) or (len(given) < len(names) and not partly):
        missing = ", ".join(f"`{name}`" for name in names if name not in given)
        counted = f"{len(names)} argument{'' if len(names) == 1 else 's'}" if names else "no arguments"
        takes = f"`{word}` takes {'at most ' if partly else ''}{counted}"
        advice = f"{missing} {'is' if ',' not in missing else 'are'} missing" if missing else None
        ctx.error(
            "EGO403", call.span, f"{takes}, and is given {len(call.arguments) or 'none'}", help=advice, labels=labels
        )
        return None
    return given


def arguments(ctx: Context, call: nodes.Call, decl: nodes.Declaration, params: list[nodes.Param]) -> None:
    """Check the arguments of a call against parameters."""
    given = match(ctx, call, [param.name.name for param in params], declared=decl.name.span)
    if given is None:
        infer_arguments(ctx, call)
        return
    for param in params:
        name = param.name.name
        check(ctx, given[name], ctx.declared.get(param.type, UNKNOWN), f"`{name}` of `{call.name.name}`")


def bindings(
    ctx: Context, call: nodes.Call, decl: nodes.ActionDecl, kinds: Mapping[str, Type], *, partly: bool = False
) -> None:
    """Check the arguments of a call against an action's bindings. In a scenario a card may be given by its place."""
    given = match(ctx, call, list(kinds), partly=partly, declared=decl.name.span)
    if given is None:
        infer_arguments(ctx, call)
        return
    for name, value in given.items():
        wanted = kinds[name]
        kind = infer(ctx, value, wanted)
        by_place = ctx.body.scenario and isinstance(wanted, CardType) and accepts(ANY_INT, kind)
        if not by_place:
            require(ctx, value, wanted, kind, f"`{name}` of `{call.name.name}`")


def face(ctx: Context, expr: nodes.Call, decl: nodes.CardDecl) -> Type:
    """Check a face, `Card(hearts, 7)`: fields in order and then marks, or by name; some may be left out."""
    ctx.refs[expr.name] = decl
    texts = {one.name.name for one in decl.fields if is_text(one.type)}
    for argument in expr.arguments:
        if argument.name is not None and argument.name.name in texts:
            message = f"`{argument.name.name}` is a text, which is no part of what rules tell cards apart by"
            advice = "leave it out: the face of a card is made of its other fields"
            ctx.error("EGO418", argument.name.span, message, help=advice)
            return FaceType(decl)
    every: list[nodes.Field | nodes.Mark] = [*decl.fields, *decl.marks]
    every = [one for one in every if one.name.name not in texts]
    names = [one.name.name for one in every]
    given = match(ctx, expr, names, partly=True, declared=decl.name.span)
    if given is None:
        infer_arguments(ctx, expr)
        return FaceType(decl)
    for one in every:
        value = given.get(one.name.name)
        if value is not None:
            check(ctx, value, ctx.declared.get(one.type, UNKNOWN), f"`{one.name.name}` of a `{decl.name.name}`")
    return FaceType(decl)


def counted(ctx: Context, call: nodes.Call) -> tuple[list[nodes.Expr], dict[str, nodes.Expr]] | None:
    """The arguments of a built-in function: those in order, and those by name; None after an error."""
    entry = BUILTINS[call.name.name]
    least, most = entry.arguments
    plain_ = [argument.value for argument in call.arguments if argument.name is None]
    named = {argument.name.name: argument for argument in call.arguments if argument.name is not None}
    for name, argument in named.items():
        if name not in entry.named:
            span = argument.name.span if argument.name is not None else argument.span
            hint = did_you_mean(name, entry.named) or f"it is `{entry.signature}`"
            ctx.error("EGO404", span, f"`{entry.name}` has no parameter `{name}`", help=hint)
            infer_arguments(ctx, call)
            return None
    if not least <= len(plain_) <= most:
        takes = f"{least}" if least == most else f"{least} or {most}"
        plural = "" if takes == "1" else "s"
        message = f"`{entry.name}` takes {takes} argument{plural}, and is given {len(plain_) or 'none'}"
        ctx.error("EGO403", call.span, message, help=f"it is `{entry.signature}`")
        infer_arguments(ctx, call)
        return None
    return plain_, {name: argument.value for name, argument in named.items()}
