"""Types of names, fields, indexes: what a declaration is worth where it is used."""

from __future__ import annotations

from egodsl.analysis.builtins import FUNCTIONS
from egodsl.analysis.infer import check, infer, named, require, rule
from egodsl.analysis.names import not_an_expression, resolve
from egodsl.analysis.relations import (
    ANY_INT,
    BOOL,
    PLAYER,
    PLAYERS,
    TEAM,
    TEXT,
    UNKNOWN,
    card_of,
    is_unknown,
    join,
    plain,
)
from egodsl.analysis.scope import Context
from egodsl.analysis.symbols import Builtin, EnumValue, LabelValue, Local, Symbol
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
    TupleType,
    Type,
)
from egodsl.source.diagnostics import Label, quote
from egodsl.source.registry import did_you_mean
from egodsl.source.span import Span
from egodsl.syntax import nodes

Indexed = nodes.ZoneDecl | nodes.VarDecl


@rule(nodes.Name)
def _name(ctx: Context, expr: nodes.Name, expected: Type | None) -> Type:
    symbol = resolve(ctx, expr, expected)
    if symbol is None:
        return UNKNOWN
    return symbol_type(ctx, symbol, expr.span, expr.name)


def symbol_type(ctx: Context, symbol: Symbol, span: Span, words: str) -> Type:
    """The type of what a name means, used at `span`; notes what it needs and calls."""
    if words in ctx.doubtful:
        return UNKNOWN
    match symbol:
        case Local():
            return symbol.type
        case EnumValue():
            return EnumType(symbol.decl)
        case LabelValue():
            return label_type(ctx, symbol)
        case Builtin():
            return _builtin(ctx, symbol.name, span)
        case nodes.ZoneDecl() | nodes.VarDecl():
            return own(ctx, symbol, span, 0)
        case nodes.ParameterDecl():
            return ctx.elements.get(symbol, UNKNOWN)
        case nodes.ModeDecl():
            return BOOL
        case nodes.ReadingDecl():
            return EnumType(symbol)
        case nodes.EnumDecl():
            return SetType(EnumType(symbol))
        case nodes.TypeDecl():
            return SetType(ctx.elements.get(symbol, UNKNOWN))
        case nodes.CardDecl():
            return SetType(CardType(symbol))
        case nodes.DefineDecl():
            return _define(ctx, symbol, span, words)
        case _:
            not_an_expression(ctx, symbol, span)
            return UNKNOWN


def label_type(ctx: Context, value: LabelValue) -> Type:
    """The type of a label: the one number that it names."""
    kind = ctx.types.get(value.label.value)
    if isinstance(kind, IntType):
        return IntType(kind.low, kind.high, value.decl)
    return ctx.elements.get(value.decl, UNKNOWN)


def _define(ctx: Context, decl: nodes.DefineDecl, span: Span, words: str) -> Type:
    if decl.params:
        wanted = ", ".join(param.name.name for param in decl.params)
        return ctx.error(
            "EGO403",
            span,
            f"`{words}` takes {len(decl.params)} argument{'s' if len(decl.params) > 1 else ''}, and is given none",
            help=f"write `{words}({wanted})` with values in their place",
            labels=(Label(decl.name.span, "declared here"),),
        )
    ctx.call(decl, span)
    return ctx.elements.get(decl, UNKNOWN)


def _builtin(ctx: Context, name: str, span: Span) -> Type:
    if name in {"you", "others"}:
        ctx.need_you(span, name)
    if name == "teams":
        return RowType(TEAM) if need_teams(ctx, span, "teams") else UNKNOWN
    if name == "players":
        return RowType(PLAYER)
    return PLAYERS if name == "others" else PLAYER


def need_teams(ctx: Context, span: Span, words: str) -> bool:
    """Report the use of teams in a rulebook that has none."""
    if ctx.teams is not None or ctx.checked.kind == "library":
        return True
    ctx.error(
        "EGO318",
        span,
        f"`{words}` asks for teams, and there are none in this rulebook",
        help="write `players 4 in 2 teams` in the head",
    )
    return False


# ---------------------------------------------------------------- zones and variables


def own(ctx: Context, decl: Indexed, span: Span, given: int) -> Type:
    """The type of a zone or variable written with `given` indexes; without that of the player it is yours."""
    wanted = [ctx.declared.get(index, UNKNOWN) for index in decl.indexes]
    if given < len(wanted):
        if given == len(wanted) - 1 and isinstance(wanted[0], PlayerType | TeamType):
            ctx.need_own(span, decl.name.name)
        elif not any(map(is_unknown, wanted)):
            return _wrong_indexes(ctx, decl, span, given)
    return ctx.elements.get(decl, UNKNOWN)


def _wrong_indexes(ctx: Context, decl: Indexed, span: Span, given: int) -> Type:
    written = ", ".join(index.span.text for index in decl.indexes)
    takes = f"takes `[{written}]`" if decl.indexes else "takes no index"
    return ctx.error(
        "EGO406",
        span,
        f"`{decl.name.name}` {takes}, and is given {given or 'no'} index{'es' if given > 1 else ''}",
        labels=(Label(decl.name.span, "declared here"),),
    )


@rule(nodes.Index)
def _index(ctx: Context, expr: nodes.Index, _expected: Type | None) -> Type:
    target = expr.target.inner if isinstance(expr.target, nodes.Group) else expr.target
    if isinstance(target, nodes.Name):
        symbol = resolve(ctx, target, None)
        if symbol is None:
            for index in expr.indices:
                infer(ctx, index)
            return UNKNOWN
        if target.name in ctx.doubtful:
            return UNKNOWN
        if isinstance(symbol, nodes.ZoneDecl | nodes.VarDecl) and symbol.indexes:
            return _member(ctx, expr, target, symbol)
    return _item(ctx, expr)


def _member(ctx: Context, expr: nodes.Index, target: nodes.Name, decl: Indexed) -> Type:
    wanted = [ctx.declared.get(index, UNKNOWN) for index in decl.indexes]
    given = len(expr.indices)
    kind = own(ctx, decl, expr.span, given) if given <= len(wanted) else _wrong_indexes(ctx, decl, expr.span, given)
    ctx.types[target] = kind
    if expr.target is not target:
        ctx.types[expr.target] = kind
    for index, one in zip(expr.indices, wanted[max(0, len(wanted) - given) :], strict=False):
        inner = infer(ctx, index, one)
        players = isinstance(plain(one), PlayerType | TeamType) and isinstance(plain(inner), IntType)
        if players and len(wanted) == 1:
            message = f"`{decl.name.name}` is indexed by {one}, and {quote(index.span.text)} is a number"
            ctx.error(
                "EGO406", index.span, message, help=f"for one of yours write `{decl.name.name}[you][{index.span.text}]`"
            )
        else:
            require(ctx, index, one, inner, f"an index of `{decl.name.name}`")
    return kind


def _call_in_brackets(ctx: Context, expr: nodes.Index, decl: nodes.DefineDecl) -> Type:
    ctx.refs[expr.target] = decl
    words = ", ".join(index.span.text for index in expr.indices)
    for index in expr.indices:
        infer(ctx, index)
    return ctx.error(
        "EGO403",
        expr.span,
        f"`{decl.name.name}` takes its arguments in parentheses",
        help=f"write `{decl.name.name}({words})`",
        labels=(Label(decl.name.span, "declared here"),),
    )


def _item(ctx: Context, expr: nodes.Index) -> Type:
    if isinstance(expr.target, nodes.Name) and expr.target.name not in ctx.body.visible:
        decl = ctx.globals.get(expr.target.name)
        if isinstance(decl, nodes.DefineDecl) and decl.params:
            return _call_in_brackets(ctx, expr, decl)
    kind = plain(infer(ctx, expr.target))
    index = plain(check(ctx, expr.indices[0], ANY_INT, "the place in a row"))
    if is_unknown(kind) and not isinstance(kind, RowType | SetType | TupleType):
        return UNKNOWN
    if len(expr.indices) > 1:
        return ctx.error("EGO406", expr.span, f"a row has one index, and {len(expr.indices)} are given")
    if isinstance(kind, RowType):
        return kind.inner
    if isinstance(kind, TupleType):
        return _of_tuple(ctx, expr, kind, index)
    words = quote(expr.target.span.text)
    advice = "a set has no order: choose one of it, or write `the x in … by …`" if isinstance(kind, SetType) else None
    return ctx.error(
        "EGO406", expr.span, f"{words} is {named(kind)}, and only a row or a tuple has places", help=advice
    )


def _of_tuple(ctx: Context, expr: nodes.Index, kind: TupleType, index: Type) -> Type:
    if isinstance(index, IntType) and index.low == index.high:
        if 1 <= index.low <= len(kind.items):
            return kind.items[index.low - 1]
        return ctx.error("EGO407", expr.indices[0].span, f"there is no place `{index.low}` among {len(kind.items)}")
    found: Type | None = kind.items[0]
    for item in kind.items[1:]:
        found = join(found, item) if found is not None else None
    if found is None:
        return ctx.error(
            "EGO406", expr.span, "the items of the tuple differ in type, so the place must be a plain number"
        )
    return found


# ---------------------------------------------------------------- fields


@rule(nodes.Attribute)
def _attribute(ctx: Context, expr: nodes.Attribute, _expected: Type | None) -> Type:
    if isinstance(expr.target, nodes.Name) and expr.target.name not in ctx.body.visible:
        decl = ctx.globals.get(expr.target.name)
        if isinstance(decl, nodes.EnumDecl | nodes.TypeDecl | nodes.ReadingDecl):
            return _qualified(ctx, expr, decl)
    kind = infer(ctx, expr.target)
    if is_unknown(kind):
        return UNKNOWN
    inner = plain(kind)
    if isinstance(inner, CardType):
        return rule_field(ctx, inner.decl, expr.name)
    words, name = quote(expr.target.span.text), expr.name.name
    advice = None
    place = ctx.globals.get(name)
    if name in FUNCTIONS:
        advice = f"write `{name}({expr.target.span.text})`"
    elif isinstance(inner, PlayerType | TeamType) and isinstance(place, Indexed) and place.indexes:
        advice = f"write `{name}[{expr.target.span.text}]`"
    elif isinstance(inner, SetType | RowType) and card_of(inner):
        advice = f"for all its cards write `c.{name} for c in {expr.target.span.text}`"
    elif isinstance(inner, FaceType):
        advice = "compare cards with it instead: a card equals a face when its fields do"
    return ctx.error(
        "EGO307", expr.name.span, f"{words} is {named(kind)}, and only a card has fields such as `{name}`", help=advice
    )


def _qualified(ctx: Context, expr: nodes.Attribute, decl: nodes.EnumDecl | nodes.TypeDecl | nodes.ReadingDecl) -> Type:
    ctx.refs[expr.target] = decl
    members = ctx.members.get(decl, {})
    value = members.get(expr.name.name)
    if value is None:
        message = f"`{decl.name.name}` has no value `{expr.name.name}`"
        return ctx.error("EGO301", expr.name.span, message, help=did_you_mean(expr.name.name, members))
    ctx.refs[expr] = ctx.refs[expr.name] = value
    return label_type(ctx, value) if isinstance(value, LabelValue) else EnumType(value.decl)


def field_type(ctx: Context, card: nodes.CardDecl, name: nodes.Ident) -> Type:
    """The type of a field or mark of a card; an error where it has none of that name."""
    every: list[nodes.Field | nodes.Mark] = [*card.fields, *card.marks]
    for one in every:
        if one.name.name == name.name:
            return ctx.declared.get(one.type, UNKNOWN)
    return ctx.missing(
        "EGO307",
        f"{card.name.name}.{name.name}",
        name.span,
        f"a `{card.name.name}` has no field `{name.name}`",
        help=did_you_mean(name.name, [one.name.name for one in every]) or _fields(every),
        labels=(Label(card.name.span, "declared here"),),
    )


def rule_field(ctx: Context, card: nodes.CardDecl, name: nodes.Ident) -> Type:
    """As `field_type`, where a rule goes by the field; an error if it is a text."""
    kind = field_type(ctx, card, name)
    if plain(kind) != TEXT:
        return kind
    message = f"`{name.name}` is a text, which is shown and plays no part in the rules"
    advice = f"show it with `{{{name.name}}}` in `written`; what rules go by is an enum"
    return ctx.error("EGO418", name.span, message, help=advice)


def _fields(every: list[nodes.Field | nodes.Mark]) -> str | None:
    names = ", ".join(f"`{one.name.name}`" for one in every)
    return f"its fields are {names}" if names else None


@rule(nodes.Key)
def _key(_ctx: Context, expr: nodes.Key, _expected: Type | None) -> Type:
    return KeyType(expr.name.name)


# ---------------------------------------------------------------- places


def zones_of(ctx: Context, expr: nodes.Expr) -> list[nodes.ZoneDecl]:
    """The zones that an expression, inferred already, may stand for as places; none if it is a value."""
    match expr:
        case nodes.Group():
            return zones_of(ctx, expr.inner)
        case nodes.Name():
            symbol = ctx.refs.get(expr)
            return [symbol] if isinstance(symbol, nodes.ZoneDecl) else []
        case nodes.Index():
            target = expr.target.inner if isinstance(expr.target, nodes.Group) else expr.target
            symbol = ctx.refs.get(target)
            return [symbol] if isinstance(symbol, nodes.ZoneDecl) and symbol.indexes else []
        case nodes.Conditional():
            first, second = zones_of(ctx, expr.then), zones_of(ctx, expr.otherwise)
            return [*first, *second] if first and second else []
        case _:
            return []
