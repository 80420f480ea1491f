"""Written types, and the signatures of declarations: what each is worth where others use it."""

from __future__ import annotations

from collections.abc import Iterable

from egodsl.analysis.infer import check, infer, integer
from egodsl.analysis.infer_names import need_teams
from egodsl.analysis.infer_operators import common
from egodsl.analysis.relations import BOOL, NATURAL, PLAYER, TEAM, TEXT, UNKNOWN, clamp, is_unknown, plain
from egodsl.analysis.scope import Body, Context
from egodsl.analysis.tables import is_text
from egodsl.analysis.types import (
    WIDEST,
    BoolType,
    CardType,
    EnumType,
    IntType,
    OptionalType,
    PlayerType,
    RowType,
    SetType,
    TeamType,
    Type,
)
from egodsl.source.diagnostics import Label
from egodsl.source.registry import did_you_mean
from egodsl.syntax import nodes

_SECRET = {"owner only", "others only"}


def type_of(ctx: Context, node: nodes.TypeNode) -> Type:
    """The type that is written; noted in `declared`."""
    match node:
        case nodes.NamedType():
            kind = _named(ctx, node)
        case nodes.RangeType():
            kind = _bounds(ctx, node)
        case nodes.OptionalType():
            inner = type_of(ctx, node.inner)
            kind = inner if isinstance(inner, OptionalType) else OptionalType(inner)
        case nodes.SetType():
            kind = SetType(type_of(ctx, node.inner))
        case nodes.RowType():
            kind = RowType(type_of(ctx, node.inner))
        case _:
            kind = UNKNOWN
    ctx.declared[node] = kind
    return kind


def _named(ctx: Context, node: nodes.NamedType) -> Type:
    name = node.name
    builtin = {"player": PLAYER, "team": TEAM, "bool": BOOL}.get(name)
    if builtin is not None:
        if name == "team":
            need_teams(ctx, node.span, name)
        return builtin
    if name == "text":
        message = "a `text` is printed on a card, and nothing else is one"
        return ctx.error("EGO418", node.span, message, help="values that rules go by are those of an enum")
    program = ctx.program
    decl: nodes.Declaration | None = program.enums.get(name) or program.types.get(name) or program.cards.get(name)
    if decl is None:
        if any(need == name for _, need in ctx.needed):
            return UNKNOWN
        known = ["player", "team", "bool", *program.enums, *program.types, *program.cards]
        other = ctx.any_declaration(name)
        labels = (Label(other.name.span, f"this is the {other.kind}"),) if other is not None else ()
        what = f"`{name}` is no type" if other is not None else f"there is no type `{name}`"
        return ctx.missing("EGO308", name, node.span, what, help=did_you_mean(name, known), labels=labels)
    ctx.refs[node] = decl
    if isinstance(decl, nodes.EnumDecl):
        return EnumType(decl)
    return CardType(decl) if isinstance(decl, nodes.CardDecl) else ctx.elements.get(decl, UNKNOWN)


def _bounds(ctx: Context, node: nodes.RangeType) -> IntType:
    low = integer(ctx, node.low, "the lower end of a range")
    high = integer(ctx, node.high, "the upper end of a range") if node.high is not None else None
    top = WIDEST if high is None else high.high
    if low.low > top:
        message = f"nothing lies in the range `{node.span.text}`"
        ctx.error("EGO407", node.span, message, help="write the lower end first")
        return NATURAL
    return IntType(low.low, top)


# ---------------------------------------------------------------- signatures


def signatures(ctx: Context) -> None:
    """Find out what every declaration that an expression can use is worth, each after those that it is made of."""
    program = ctx.program
    for decl in in_order(ctx):
        with ctx.inside(Body(decl)):
            _signature(ctx, decl)
    takers: Iterable[nodes.EventDecl | nodes.StageDecl | nodes.ProcedureDecl] = [
        *program.events.values(),
        *program.stages.values(),
        *program.procedures.values(),
    ]
    for taker in takers:
        with ctx.inside(Body(taker)):
            for param in taker.params:
                type_of(ctx, param.type)
            if isinstance(taker, nodes.ProcedureDecl) and taker.returns is not None:
                type_of(ctx, taker.returns)


def in_order(ctx: Context) -> list[nodes.Declaration]:
    """The declarations that expressions can use, each after those that its signature names. Circles are reported."""
    made: list[nodes.Declaration] = []
    state: dict[nodes.Declaration, bool] = {}
    for start in ctx.globals.values():
        stack: list[tuple[nodes.Declaration, list[nodes.Declaration]]] = []
        if start not in state:
            state[start] = False
            stack.append((start, _parts(ctx, start)))
        while stack:
            decl, parts = stack[-1]
            if not parts:
                stack.pop()
                state[decl] = True
                made.append(decl)
                continue
            part = parts.pop()
            if part not in state:
                state[part] = False
                stack.append((part, _parts(ctx, part)))
            elif not state[part]:
                _circle(ctx, [one for one, _ in stack], part)
    return made


def _parts(ctx: Context, decl: nodes.Declaration) -> list[nodes.Declaration]:
    found: dict[nodes.Declaration, None] = {}
    for root in _signature_nodes(decl):
        for node in nodes.walk(root):
            name = node.name if isinstance(node, nodes.Name | nodes.NamedType) else None
            if isinstance(node, nodes.Call):
                name = node.name.name
            other = ctx.globals.get(name) if name is not None else None
            if other is not None:
                found[other] = None
            elif name in ctx.values:
                found.update(dict.fromkeys(v.decl for v in ctx.values[name] if v.decl is not decl))
    return list(reversed(found))


def _signature_nodes(decl: nodes.Declaration) -> list[nodes.Node]:
    match decl:
        case nodes.TypeDecl():
            return [decl.type, *(label.value for label in decl.labels)]
        case nodes.ParameterDecl():
            return [decl.type]
        case nodes.CardDecl():
            return [*(one.type for one in decl.fields), *(one.type for one in decl.marks)]
        case nodes.ZoneDecl():
            return list(decl.indexes)
        case nodes.VarDecl():
            return [*decl.indexes, decl.type]
        case nodes.DefineDecl():
            return [decl]
        case _:
            return []


def _circle(ctx: Context, way: list[nodes.Declaration], part: nodes.Declaration) -> None:
    circle = way[way.index(part) :]
    if all(isinstance(one, nodes.DefineDecl) for one in circle):
        return  # reported with the calls, where the place of each call is known
    names = " by ".join(f"`{one.name.name}`" for one in [*circle, part])
    ctx.error(
        "EGO312",
        part.name.span,
        f"declarations are made of each other in a circle: {names}",
        help="write out one of them",
    )


def _signature(ctx: Context, decl: nodes.Declaration) -> None:
    match decl:
        case nodes.TypeDecl():
            _type(ctx, decl)
        case nodes.ParameterDecl():
            ctx.elements[decl] = type_of(ctx, decl.type)
        case nodes.CardDecl():
            _card(ctx, decl)
        case nodes.ZoneDecl():
            _zone(ctx, decl)
        case nodes.VarDecl():
            _indexes(ctx, decl)
            ctx.elements[decl] = type_of(ctx, decl.type)
        case nodes.DefineDecl():
            _define(ctx, decl)
        case _:
            pass


def _type(ctx: Context, decl: nodes.TypeDecl) -> None:
    for label in decl.labels:
        infer(ctx, label.value)
    kind = type_of(ctx, decl.type)
    if isinstance(kind, IntType):
        ctx.elements[decl] = IntType(kind.low, kind.high, decl)
    for label in decl.labels:
        check(ctx, label.value, kind, f"a label of `{decl.name.name}`")


def _card(ctx: Context, decl: nodes.CardDecl) -> None:
    seen: dict[str, nodes.Ident] = {}
    every: list[nodes.Field | nodes.Mark] = [*decl.fields, *decl.marks]
    for one in every:
        if isinstance(one, nodes.Field) and is_text(one.type):
            ctx.declared[one.type] = OptionalType(TEXT) if isinstance(one.type, nodes.OptionalType) else TEXT
        else:
            type_of(ctx, one.type)
        if one.name.name in seen:
            ctx.error(
                "EGO317",
                one.name.span,
                f"`{decl.name.name}` has `{one.name.name}` twice",
                help="leave one of them out",
                labels=(Label(seen[one.name.name].span, "first here"),),
            )
        seen.setdefault(one.name.name, one.name)


def _zone(ctx: Context, decl: nodes.ZoneDecl) -> None:
    _indexes(ctx, decl)
    card = ctx.find("card", decl.card, ctx.program.cards)
    inner: Type = CardType(card) if isinstance(card, nodes.CardDecl) else UNKNOWN
    layouts = {"set": SetType(inner), "one": OptionalType(inner)}
    ctx.elements[decl] = layouts.get(decl.layout, RowType(inner))


def _indexes(ctx: Context, decl: nodes.ZoneDecl | nodes.VarDecl) -> None:
    kinds = [type_of(ctx, index) for index in decl.indexes]
    for node, kind in zip(decl.indexes, kinds, strict=True):
        finite = isinstance(kind, PlayerType | TeamType | EnumType | BoolType) or (
            isinstance(kind, IntType) and kind.high - kind.low < _MOST_INDEXES
        )
        if not finite and not is_unknown(kind):
            message = f"`{node.span.text}` is no index: there would be no end of places"
            ctx.error("EGO416", node.span, message, help="players, teams, enums and short ranges are indexes")
    owned = any(isinstance(plain(kind), PlayerType | TeamType) for kind in kinds)
    if decl.seen in _SECRET and not owned and not any(map(is_unknown, kinds)):
        message = f"`{decl.name.name}` is for its owner's eyes, and has no owner"
        ctx.error(
            "EGO417",
            decl.name.span,
            message,
            help=f"write `{decl.name.name}[player]`, or `face down` if nobody sees it",
        )


_MOST_INDEXES = 1000


def _define(ctx: Context, decl: nodes.DefineDecl) -> None:
    for param in decl.params:
        ctx.bind(param.name, type_of(ctx, param.type))
    wanted = type_of(ctx, decl.returns) if decl.returns is not None else None
    found: Type = UNKNOWN
    values = [decl.value] if decl.value is not None else [case.value for case in decl.cases]
    for case in decl.cases:
        if case.condition is not None:
            check(ctx, case.condition, BOOL, "a condition")
    for value in values:
        if wanted is not None:
            check(ctx, value, wanted, f"`{decl.name.name}`")
        else:
            found = common(ctx, value, found, infer(ctx, value, None if is_unknown(found) else found))
    ctx.elements[decl] = found if wanted is None else wanted


def players(ctx: Context) -> None:
    """Note how many players and teams there may be."""
    header = ctx.program.players
    if header is None:
        return
    with ctx.inside(Body(header)):
        low = integer(ctx, header.low, "the number of players")
        high = integer(ctx, header.high, "the number of players") if header.high is not None else low
        ctx.players = clamp(max(low.low, 0), max(high.high, 0))
        if low.low < 1 or high.high < low.low or high.high > _MOST_PLAYERS:
            ctx.players = clamp(1, _MOST_PLAYERS)
            message = f"`{header.span.text}` names no numbers of players from 1 to {_MOST_PLAYERS}, the lower one first"
            hint = "from 2 to 4 players are written `players 2..4`" if "-" in header.span.text else None
            ctx.error("EGO215", header.span, message, help=hint)
        if header.teams is None:
            return
        teams = integer(ctx, header.teams, "the number of teams")
        ctx.teams = teams
        size = teams.high
        if size < 1 or any(n % size for n in range(ctx.players.low, ctx.players.high + 1)):
            message = f"{size} teams of equal size cannot be made of `{header.span.text.partition(' in')[0]}`"
            ctx.error("EGO215", header.span, message)


_MOST_PLAYERS = 26
