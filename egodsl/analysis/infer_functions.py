"""Types of the built-in functions."""

from __future__ import annotations

from collections.abc import Callable

from egodsl.analysis.infer import check, domain, infer, integer, named, require
from egodsl.analysis.infer_calls import FUNCTION_RULES, Typed, counted
from egodsl.analysis.infer_names import need_teams, rule_field, zones_of
from egodsl.analysis.infer_operators import check_ordered
from egodsl.analysis.relations import (
    ANY_INT,
    BOOL,
    NATURAL,
    PLAYER,
    PLAYERS,
    TEAM,
    UNKNOWN,
    clamp,
    element,
    is_unknown,
    plain,
)
from egodsl.analysis.scope import Context
from egodsl.analysis.symbols import Builtin
from egodsl.analysis.types import (
    CardType,
    EnumType,
    FaceType,
    IntType,
    KeyType,
    PlayerType,
    RowType,
    SetType,
    TeamType,
    Type,
)
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes

Made = Callable[[Context, nodes.Call, list[nodes.Expr], dict[str, nodes.Expr]], Type]


def _function(*names: str) -> Callable[[Made], Made]:
    def register(made: Made) -> Made:
        def typed(ctx: Context, call: nodes.Call, _expected: Type | None) -> Type:
            given = counted(ctx, call)
            return UNKNOWN if given is None else made(ctx, call, *given)

        rule: Typed = typed
        FUNCTION_RULES.update(dict.fromkeys(names, rule))
        return made

    return register


def _many(ctx: Context, expr: nodes.Expr, role: str) -> tuple[Type, Type]:
    # The type of a set, row or zone, and that of its members.
    kind = infer(ctx, expr)
    if zones_of(ctx, expr) and not isinstance(plain(kind), SetType | RowType):
        return kind, plain(kind)
    inner = element(kind)
    if inner is None:
        message = f"{quote(expr.span.text)} is {named(kind)}, and `{role}` goes over a set, a row or a zone"
        ctx.error("EGO405", expr.span, message)
        return UNKNOWN, UNKNOWN
    return kind, inner


@_function("count")
def _count(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind, inner = _many(ctx, args[0], "count")
    symbol = ctx.refs.get(args[0])
    if isinstance(symbol, Builtin):
        if symbol.name == "teams":
            return ctx.teams or NATURAL
        less = 1 if symbol.name == "others" else 0
        return clamp(ctx.players.low - less, ctx.players.high - less)
    if not isinstance(plain(kind), SetType):
        return NATURAL
    if isinstance(inner, PlayerType):
        return IntType(0, ctx.players.high)
    if isinstance(inner, EnumType):
        return IntType(0, len(ctx.members.get(inner.decl, ())))
    if isinstance(inner, IntType):
        return clamp(0, inner.high - inner.low + 1)
    return NATURAL


@_function("empty")
def _empty(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _many(ctx, args[0], "empty")
    return BOOL


@_function("sum")
def _sum(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _, inner = _many(ctx, args[0], "sum")
    where = args[0].element if isinstance(args[0], nodes.Comprehension) else args[0]
    require(ctx, where, ANY_INT, inner, "what `sum` adds up")
    number = plain(inner)
    return NATURAL if isinstance(number, IntType) and number.low >= 0 else ANY_INT


@_function("most", "least")
def _most(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _, inner = _many(ctx, args[0], call.name.name)
    where = args[0].element if isinstance(args[0], nodes.Comprehension) else args[0]
    return plain(inner) if check_ordered(ctx, where, inner, f"`{call.name.name}`") else UNKNOWN


@_function("any", "all")
def _any(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    name = call.name.name
    if isinstance(args[0], nodes.Comprehension) and args[0].kind == "argument":
        kind = infer(ctx, args[0])
        require(ctx, args[0].element, BOOL, element(kind) or UNKNOWN, f"what `{name}` asks of each")
        return BOOL
    infer(ctx, args[0])
    return ctx.error("EGO403", args[0].span, f"`{name}` asks something of each: `{name}(… for x in …)`")


@_function("min", "max")
def _min(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    first, second = (integer(ctx, arg, f"an argument of `{call.name.name}`") for arg in args)
    pick = min if call.name.name == "min" else max
    return IntType(pick(first.low, second.low), pick(first.high, second.high))


@_function("abs")
def _abs(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind = integer(ctx, args[0], "the argument of `abs`")
    low = 0 if kind.low <= 0 <= kind.high else min(abs(kind.low), abs(kind.high))
    return IntType(low, max(abs(kind.low), abs(kind.high)))


@_function("top", "bottom")
def _top(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind = infer(ctx, args[0])
    if is_unknown(kind):
        return element(kind) or UNKNOWN
    if isinstance(plain(kind), RowType):
        return element(kind) or UNKNOWN
    words = quote(args[0].span.text)
    message = f"{words} is {named(kind)}, and only a stack or a row has a {call.name.name}"
    return ctx.error("EGO401", args[0].span, message, help="in a set no card lies above another")


def _player(ctx: Context, expr: nodes.Expr, name: str) -> None:
    check(ctx, expr, PLAYER, f"an argument of `{name}`")


@_function("left", "right")
def _left(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _player(ctx, args[0], call.name.name)
    if len(args) > 1:
        integer(ctx, args[1], f"the number of steps of `{call.name.name}`")
    return PLAYER


@_function("steps")
def _steps(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    for arg in args:
        _player(ctx, arg, "steps")
    return clamp(0, ctx.players.high - 1)


@_function("seat")
def _seat(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _player(ctx, args[0], "seat")
    return clamp(1, ctx.players.high)


@_function("partner", "team", "members", "opponents")
def _teams(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    name = call.name.name
    need_teams(ctx, call.name.span, name)
    if name in {"partner", "team"}:
        _player(ctx, args[0], name)
        return PLAYER if name == "partner" else TEAM
    check(ctx, args[0], TeamType(), f"the argument of `{name}`")
    return PLAYERS if name == "members" else TEAM


@_function("same_face")
def _same_face(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    for arg in args:
        kind = infer(ctx, arg)
        if not isinstance(plain(kind), CardType | FaceType) and not is_unknown(kind):
            message = f"{quote(arg.span.text)} is {named(kind)}, and `same_face` compares two cards"
            return ctx.error("EGO401", arg.span, message)
    return BOOL


@_function("old")
def _old(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind = infer(ctx, args[0])
    inside = [n for n in nodes.walk(args[0]) if isinstance(n, nodes.Call) and n.name.name == "old"]
    if not ctx.body.claim:
        message = "`old` says what a value was before, and no rule can remember that by itself"
        ctx.error(
            "EGO319",
            call.name.span,
            message,
            help="a rule keeps what it needs in a `let` or a `var`; only properties ask for it",
        )
    elif inside:
        message = "`old` inside `old`: a property goes back by one step"
        ctx.error("EGO319", inside[0].name.span, message, help="leave the inner one out")
    return kind


# ---------------------------------------------------------------- combinations


def _sizes(ctx: Context, expr: nodes.Expr, name: str) -> None:
    # A number, or a set of numbers such as `2..4`.
    kind = infer(ctx, expr)
    inner = element(kind)
    require(ctx, expr, ANY_INT, kind if inner is None else inner, f"the sizes that `{name}` asks for")


def _cards(ctx: Context, expr: nodes.Expr, name: str) -> tuple[Type, nodes.CardDecl | None]:
    kind = domain(ctx, expr)
    inner = plain(kind)
    if isinstance(inner, CardType | FaceType):
        return CardType(inner.decl), inner.decl
    if not is_unknown(kind):
        ctx.error(
            "EGO401", expr.span, f"{quote(expr.span.text)} has members of {named(kind)}, and `{name}` takes cards"
        )
    return UNKNOWN, None


def _by_key(ctx: Context, expr: nodes.Expr, card: nodes.CardDecl | None, name: str) -> None:
    kind = infer(ctx, expr)
    if isinstance(expr, nodes.Key):
        if card is not None:
            rule_field(ctx, card, expr.name)
    elif not isinstance(kind, KeyType) and not is_unknown(kind):
        ctx.error(
            "EGO401",
            expr.span,
            f"{quote(expr.span.text)} is {named(kind)}, and `{name}` goes by a field",
            help="write a field such as `.rank`",
        )


@_function("subsets")
def _subsets(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    inner = domain(ctx, args[0])
    if len(args) > 1:
        _sizes(ctx, args[1], "subsets")
    return SetType(SetType(inner))


@_function("groups", "runs")
def _groups(ctx: Context, call: nodes.Call, args: list[nodes.Expr], named_: dict[str, nodes.Expr]) -> Type:
    name = call.name.name
    inner, card = _cards(ctx, args[0], name)
    _by_key(ctx, args[1], card, name)
    _sizes(ctx, args[2], name)
    for word, value in named_.items():
        if word == "within":
            _by_key(ctx, value, card, name)
        elif word == "wild":
            check(ctx, value, SetType(inner), "`wild`")
        else:
            integer(ctx, value, f"`{word}`")
    return SetType(SetType(inner))


@_function("packings", "joined")
def _packings(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind = domain(ctx, args[0])
    inner = element(kind)
    if len(args) > 1:
        integer(ctx, args[1], "the number of members")
    if inner is None:
        message = f"{quote(args[0].span.text)} has members of {named(kind)}, and `{call.name.name}` takes a set of sets"
        return ctx.error("EGO401", args[0].span, message)
    return SetType(inner) if call.name.name == "joined" else SetType(SetType(SetType(inner)))


@_function("last_of", "first_of")
def _last_of(ctx: Context, call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    kind = infer(ctx, args[0])
    integer(ctx, args[1], f"the number for `{call.name.name}`")
    if isinstance(plain(kind), RowType) or is_unknown(kind):
        return plain(kind)
    message = f"{quote(args[0].span.text)} is {named(kind)}, and `{call.name.name}` takes a row"
    return ctx.error("EGO401", args[0].span, message)


@_function("in_a_row")
def _in_a_row(ctx: Context, _call: nodes.Call, args: list[nodes.Expr], _named: dict[str, nodes.Expr]) -> Type:
    _, card = _cards(ctx, args[0], "in_a_row")
    _by_key(ctx, args[1], card, "in_a_row")
    return BOOL
