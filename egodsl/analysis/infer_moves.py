"""Statements that change the table: what is moved, shown, rolled, shuffled, and where to."""

from __future__ import annotations

from egodsl.analysis.infer import check, domain, infer, integer, named, require, wheres
from egodsl.analysis.infer_names import zones_of
from egodsl.analysis.infer_sets import bound, clauses, is_strict, keys
from egodsl.analysis.relations import ANY_INT, PLAYER, UNKNOWN, arithmetic, card_of, element, is_unknown, outside, plain
from egodsl.analysis.scope import Context, article
from egodsl.analysis.symbols import Builtin, Local
from egodsl.analysis.types import CardType, IntType, OptionalType, PlayerType, RowType, SetType, Type
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes


def assign(ctx: Context, node: nodes.Assign) -> None:
    """`place := value`."""
    wanted = _place(ctx, node.target)
    role = quote(node.target.span.text)
    if node.operator == ":=":
        check(ctx, node.value, wanted, role)
        return
    left = plain(wanted)
    right = integer(ctx, node.value, f"what `{node.operator}` adds to a variable")
    if not isinstance(left, IntType):
        require(ctx, node.target, ANY_INT, wanted, f"what `{node.operator}` changes")
        return
    result = arithmetic(node.operator[0], left, right)
    if outside(left, result):
        step = f"{node.operator} {node.value.span.text}"
        message = f"{role} lies in `{IntType(left.low, left.high)}`, and `{step}` always leads out of it"
        ctx.error("EGO407", node.span, message)


def _place(ctx: Context, target: nodes.Expr) -> Type:
    # The type of what may be assigned to a place; an error if nothing may be.
    base = target
    while isinstance(base, nodes.Index | nodes.Attribute | nodes.Group):
        base = base.inner if isinstance(base, nodes.Group) else base.target
    if isinstance(target, nodes.Attribute):
        kind = infer(ctx, target)
        card = card_of(ctx.types.get(target.target))
        if card is not None and any(one.name.name == target.name.name for one in card.fields):
            message = f"`{target.name.name}` is printed on the card and does not change"
            return ctx.error(
                "EGO314",
                target.span,
                message,
                help=f"what play changes is declared in the card as `var {target.name.name}: …`",
            )
        return kind
    if not isinstance(base, nodes.Name):
        infer(ctx, target)
        return ctx.error("EGO314", target.span, f"{quote(target.span.text)} is no place that can be assigned")
    kind = infer(ctx, target)
    symbol = ctx.refs.get(base)
    match symbol:
        case nodes.VarDecl():
            return kind
        case Local() if target is base:
            return kind
        case Builtin(name="next") if target is base:
            return PLAYER
        case None:
            return UNKNOWN
        case _:
            return _cannot_assign(ctx, target, symbol, base.name)


def _cannot_assign(ctx: Context, target: nodes.Expr, symbol: object, name: str) -> Type:
    if isinstance(symbol, nodes.Declaration):
        what = article(symbol.kind)
        advice = (
            "cards change their place by `move`"
            if isinstance(symbol, nodes.ZoneDecl)
            else "what play changes is declared as `var`"
        )
        labels: tuple[Label, ...] = (Label(symbol.name.span, "declared here"),)
    else:
        what = (
            "built in"
            if isinstance(symbol, Builtin)
            else "a value"
            if not isinstance(symbol, Local)
            else "a value bound here"
        )
        advice, labels = "what play changes is declared as `var`", ()
    return ctx.error("EGO314", target.span, f"`{name}` is {what} and cannot be assigned", help=advice, labels=labels)


# ---------------------------------------------------------------- moving


def move(ctx: Context, node: nodes.Move) -> None:
    """`move` in its four forms."""
    if node.source is None:
        kind = infer(ctx, node.what)
        card = _cards(ctx, node.what, kind, "`move`")
    else:
        integer(ctx, node.what, "how many cards `move` takes")
        kind = infer(ctx, node.source)
        card = _cards(ctx, node.source, kind, "`move`")
        inner = element(kind)
        if node.how != "at random" and isinstance(plain(kind), SetType) and not is_unknown(kind):
            what = node.what.span.text
            message = f"{quote(node.source.span.text)} is a set, and `move {what} from` it does not say which cards"
            ctx.error(
                "EGO412",
                node.source.span,
                message,
                help=f"write `move {node.what.span.text} at random from …`, or choose them",
            )
        one = node.how != "up to" and isinstance(node.what, nodes.Integer) and node.what.value == 1
        inner = UNKNOWN if inner is None else inner
        kind = inner if one else SetType(inner)
    destination(ctx, node.destination, card)
    if node.bound is not None:
        ctx.bind_statement(node.bound, plain(kind))


def _cards(ctx: Context, expr: nodes.Expr, kind: Type, role: str) -> nodes.CardDecl | None:
    # The card that an expression gives one or several of.
    if is_unknown(kind):
        return None
    inner = element(kind)
    inner = plain(kind if inner is None else inner)
    if isinstance(inner, CardType):
        return inner.decl
    words = quote(expr.span.text)
    advice = (
        "a face says what cards look like: choose the card, or go through the zone with `for`"
        if card_of(inner)
        else None
    )
    if isinstance(inner, IntType):
        advice = f"to take that many from a zone write `move {expr.span.text} from ZONE to …`"
    ctx.error("EGO401", expr.span, f"{words} is {named(kind)}, and {role} takes a card, cards or a zone", help=advice)
    return None


def destination(ctx: Context, expr: nodes.Expr, card: nodes.CardDecl | None) -> None:
    """Check that an expression is a zone, and one for such cards."""
    kind = infer(ctx, expr)
    zones = zones_of(ctx, expr)
    if not zones:
        if not is_unknown(kind):
            ctx.error(
                "EGO410", expr.span, f"{quote(expr.span.text)} is {named(kind)}, and here the name of a zone belongs"
            )
        return
    for zone in zones:
        other = ctx.program.cards.get(zone.card.name)
        if card is not None and other is not None and other is not card:
            message = f"`{zone.name.name}` is a zone for `{other.name.name}`, and this is `{card.name.name}`"
            ctx.error("EGO411", expr.span, message, labels=(Label(zone.card.span, "declared here"),))
            return


def swap(ctx: Context, node: nodes.Swap) -> None:
    """Two cards, or two zones."""
    left, right = infer(ctx, node.left), infer(ctx, node.right)
    places = [bool(zones_of(ctx, side)) for side in (node.left, node.right)]
    cards = [card_of(kind) for kind in (left, right)]
    for side, kind, place in zip((node.left, node.right), (left, right), places, strict=True):
        if not place and not isinstance(plain(kind), CardType) and not is_unknown(kind):
            message = f"{quote(side.span.text)} is {named(kind)}, and `swap` exchanges two cards or two zones"
            ctx.error("EGO401", side.span, message)
            return
    if is_unknown(left) or is_unknown(right):
        return
    one_card = [isinstance(plain(kind), CardType) for kind in (left, right)]
    if one_card[0] != one_card[1]:
        message = "`swap` exchanges two cards or two zones, and here a card stands against a zone"
        ctx.error("EGO401", node.span, message)
    elif cards[0] is not cards[1]:
        names = " and ".join(f"`{card.name.name}`" for card in cards if card is not None)
        ctx.error("EGO411", node.span, f"{names} are different cards and never lie in one zone")


def roll(ctx: Context, node: nodes.Roll) -> None:
    """Dice: cards with a mark."""
    kind = infer(ctx, node.what)
    card = _cards(ctx, node.what, kind, "`roll`")
    if card is not None and not card.marks:
        message = f"a `{card.name.name}` has nothing that a roll changes"
        ctx.error("EGO401", node.what.span, message, help="give the card a mark such as `var face: 1..6`")


def shuffle(ctx: Context, node: nodes.Shuffle) -> None:
    """A zone with an order."""
    kind = infer(ctx, node.zone)
    zones = zones_of(ctx, node.zone)
    if not zones and not is_unknown(kind):
        message = f"{quote(node.zone.span.text)} is {named(kind)}, and only a zone can be shuffled"
        ctx.error("EGO410", node.zone.span, message)
    for zone in zones:
        if zone.layout in {"set", "one"}:
            message = f"`{zone.name.name}` is no stack or row, so there is no order to shuffle"
            ctx.error("EGO410", node.zone.span, message, labels=(Label(zone.name.span, "declared here"),))
            return


def show(ctx: Context, node: nodes.Reveal | nodes.Look) -> None:
    """`reveal` and `look at`."""
    if isinstance(node, nodes.Look):
        ctx.need_you(node.span, "look at")
        kind = infer(ctx, node.what)
    else:
        if node.viewers is not None:
            viewers = infer(ctx, node.viewers)
            inner = element(viewers)
            require(ctx, node.viewers, PLAYER, viewers if inner is None else inner, "who sees it")
        with clauses(ctx, node.clauses):
            kind = infer(ctx, node.what)
    if node.bound is not None:
        ctx.bind_statement(node.bound, plain(kind))


# ---------------------------------------------------------------- orders


def pick(ctx: Context, node: nodes.Pick) -> None:
    """`pick x at random from E`."""
    kind = domain(ctx, node.domain)
    for ident in choose_name(ctx, node.name, kind, node.wheres):
        del ctx.body.visible[ident.name]


def choose_name(ctx: Context, ident: nodes.Ident, kind: Type, conditions: list[nodes.Where]) -> list[nodes.Ident]:
    """Bind what is chosen, or note that it assigns a variable.

    Gives the names that stand for candidates of a variable: they are visible as locals until the head is over.
    """
    variable = ctx.globals.get(ident.name)
    if not isinstance(variable, nodes.VarDecl) or ident.name in ctx.body.visible:
        local = ctx.bind_statement(ident, kind)
        ctx.body.chosen.append(local)
        used = local in ctx.used
        with ctx.binding(ident, kind):
            wheres(ctx, conditions)
        if not used:
            ctx.used.discard(local)  # to ask about a candidate is not to use what was chosen
        return []
    ctx.refs[ident] = variable
    wanted = _own_variable(ctx, ident, variable)
    expected_kind(ctx, ident, wanted, kind)
    candidate = Local(ident.name, kind, ident)
    ctx.checked.candidates[ident] = candidate
    ctx.body.visible[ident.name] = candidate
    with ctx.binding(ident, kind):
        wheres(ctx, conditions)
    return [ident]


def _own_variable(ctx: Context, ident: nodes.Ident, variable: nodes.VarDecl) -> Type:
    indexes = [ctx.declared.get(index, UNKNOWN) for index in variable.indexes]
    if len(indexes) > 1 or (indexes and not isinstance(plain(indexes[0]), PlayerType) and str(indexes[0]) != "team"):
        written = ", ".join(index.span.text for index in variable.indexes)
        message = f"`{ident.name}` takes `[{written}]`, so a choice cannot be put into it by its name alone"
        return ctx.error("EGO406", ident.span, message, help="choose under another name and assign it below")
    if indexes:
        ctx.need_own(ident.span, ident.name)
    return ctx.elements.get(variable, UNKNOWN)


def expected_kind(ctx: Context, ident: nodes.Ident, wanted: Type, kind: Type) -> None:
    """Report where what is chosen does not fit the variable that it is put into."""
    place = nodes.Name(span=ident.span, name=ident.name)
    given = kind if not isinstance(kind, OptionalType) else plain(kind)
    require(ctx, place, wanted, given, f"the variable `{ident.name}`")


def rank(ctx: Context, node: nodes.Rank) -> None:
    """`rank x in E by … as places`: a row of its members, or of sets of them where some may tie."""
    kind = domain(ctx, node.domain)
    with bound(ctx, node.name, kind):
        wheres(ctx, node.wheres)
        keys(ctx, node.keys)
    ctx.bind_statement(node.bound, RowType(kind if is_strict(node.keys, node.name.name) else SetType(kind)))
