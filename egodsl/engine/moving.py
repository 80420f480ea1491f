"""Statements that move, mix and roll cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Local
from egodsl.engine.bodies import Body, Label
from egodsl.engine.code import AT, Frame
from egodsl.engine.faults import Fault
from egodsl.engine.machine import draw, run_out
from egodsl.engine.rng import below
from egodsl.engine.table import (
    CHANCE,
    WRITE,
    loose_at,
    put,
    put_all,
    put_drawn,
    settle,
    shuffle,
    swap_cards,
    swap_zones,
)
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.state import State


def end_of_pile(body: Body, expr: nodes.Expr) -> tuple[str, nodes.Expr] | None:
    """`top` or `bottom` and its pile, where the expression is such a call: a statement that takes or shows that card
    settles which it is.
    """
    inner = expr.inner if isinstance(expr, nodes.Group) else expr
    if isinstance(inner, nodes.Call):
        ref = body.e.checked.refs.get(inner.name)
        if isinstance(ref, Builtin) and ref.name in {"top", "bottom"}:
            return ref.name, inner.arguments[0].value
    return None


def is_zone(body: Body, expr: nodes.Expr) -> bool:
    """Whether the expression names a zone."""
    if isinstance(expr, nodes.Group):
        return is_zone(body, expr.inner)
    if isinstance(expr, nodes.Conditional):
        return is_zone(body, expr.then) and is_zone(body, expr.otherwise)
    if isinstance(expr, nodes.Index):
        # An index after a zone without any is a place in it.
        zone = body.e.checked.refs.get(expr.target)
        return isinstance(zone, nodes.ZoneDecl) and bool(zone.indexes)
    return isinstance(body.e.checked.refs.get(expr), nodes.ZoneDecl)


def zone_of(body: Body, expr: nodes.Expr) -> tuple[Callable[..., int], frozenset[int]]:
    return body.made(lambda scope: body.e.zone_slot(expr, scope))


# ---------------------------------------------------------------- moving


def move(body: Body, s: nodes.Move) -> None:
    if s.source is not None:
        _move_count(body, s)
        return
    end = end_of_pile(body, s.what)
    if end is not None:
        _move_end(body, s, *end)
    elif is_zone(body, s.what) and not isinstance(body.e.type_of(s.what), t.OptionalType):
        _move_zone(body, s)
    elif isinstance(body.e.type_of(s.what), t.SetType | t.RowType):
        _move_all(body, s, *body.made(lambda scope: _in_order(body, s.what, scope)))
    else:
        _move_one(body, s)


def _in_order(body: Body, expr: nodes.Expr, scope: Any) -> str:
    return f"tuple({body.e.ordered(expr, scope)})"


def _move_one(body: Body, s: nodes.Move) -> None:
    what, reads = body.value(s.what)
    to, more = zone_of(body, s.destination)
    bound = body.local(s.bound) if s.bound is not None else None
    place = s.span

    def op(state: State, frame: Frame) -> None:
        card = what(state, frame)
        put(state, card, to(state, frame), place)
        if bound is not None:
            frame[bound] = card

    body.emit(op, reads=reads | more, writes=[bound] if bound is not None else [])


def _move_all(body: Body, s: nodes.Move, what: Callable[..., Any], reads: frozenset[int]) -> None:
    to, more = zone_of(body, s.destination)
    bound = body.local(s.bound) if s.bound is not None else None
    place = s.span

    def op(state: State, frame: Frame) -> None:
        cards = what(state, frame)
        put_all(state, cards, to(state, frame), place)
        if bound is not None:
            frame[bound] = frozenset(cards)

    body.emit(op, reads=reads | more, writes=[bound] if bound is not None else [])


def _move_zone(body: Body, s: nodes.Move) -> None:
    source, reads = zone_of(body, s.what)
    to, more = zone_of(body, s.destination)
    # An order that somebody will see must be settled before the pile is laid there.
    settle_all(body, source, reads, unless_hidden=to)
    _move_all(body, s, lambda state, frame: state.Z[source(state, frame)], reads | more)


def _move_end(body: Body, s: nodes.Move, which: str, pile: nodes.Expr) -> None:
    source, reads = zone_of(body, pile)
    card = body.local(s.bound) if s.bound is not None else body.temporary()
    take_end(body, source, reads, card, which, s, on_empty=None)
    to, more = zone_of(body, s.destination)
    place = s.span

    def op(state: State, frame: Frame) -> None:
        put(state, frame[card], to(state, frame), place)

    body.emit(op, reads={card} | more)


def take_end(
    body: Body,
    source: Callable[..., int],
    reads: frozenset[int],
    card: int,
    which: str,
    node: nodes.Move | nodes.Swap | nodes.Reveal | nodes.Look,
    on_empty: Label | None,
) -> None:
    """Find the card at the end of a pile: run-out triggers have their say, chance settles which card it is.

    It is not moved yet.
    """
    tried = body.temporary()
    kind = body.linker.card_type_of(body, node)
    site = body.draw_site(f"{which} card", kind, card, node)
    place = node.span

    def find(state: State, frame: Frame) -> object:
        slot = source(state, frame)
        cards = state.Z[slot]
        if not cards:
            again, frame[tried] = not frame[tried], None
            if again and run_out(state, slot):
                frame[tried] = True
                frame[AT] -= 1
                return None
            if on_empty is not None:
                frame[AT] = on_empty.at
                return None
            raise Fault(
                "EGO702",
                place,
                f"`{place.text}`: there is no card to take",
                "ask for `not empty(...)`, or refill the pile when it runs out",
            )
        frame[tried] = None
        at = 0 if which == "top" else len(cards) - 1
        stretch = loose_at(state, slot, at)
        if stretch is None:
            frame[card] = cards[at]
        elif draw(state, frame, list(cards[stretch[0] : stretch[1]]), site):
            return True
        else:
            settle(state, slot, at, frame[card])
        frame[AT] += 1
        return None

    # Reached only where chance was asked from outside.
    def settle_(state: State, frame: Frame) -> None:
        slot = source(state, frame)
        cards = state.Z[slot]
        at = 0 if which == "top" else len(cards) - 1
        if loose_at(state, slot, at) is not None:
            settle(state, slot, at, frame[card])

    body.emit(find, reads=reads | {tried}, writes=[card], to=[on_empty] if on_empty is not None else [])
    body.emit(settle_, reads=reads | {card})


def settle_all(
    body: Body, source: Callable[..., int], reads: frozenset[int], unless_hidden: Callable[..., int] | None = None
) -> None:
    """Settle the whole order of a pile, one chance event a card; unless nobody will see it where it goes."""
    card = body.temporary()
    site = body.linker.draw_site("next card", body.linker.any_card, card, body.linker.checked.program.root.span)
    begin, end = Label(), Label()

    def find(state: State, frame: Frame) -> object:
        slot = source(state, frame)
        loose = state.loose[slot]
        if loose and unless_hidden is not None:
            to = state.game.layout.slots[unless_hidden(state, frame)]
            loose = loose if to.layout in {"stack", "row"} and to.seen != "face down" else ()
        if not loose:
            frame[AT] = end.at
            return None
        size = len(state.Z[slot])
        low, high = loose[0]
        return draw(state, frame, list(state.Z[slot][size - high : size - low]), site)

    def settle_(state: State, frame: Frame) -> None:
        slot = source(state, frame)
        at = len(state.Z[slot]) - state.loose[slot][0][1]
        settle(state, slot, at, frame[card])
        frame[AT] = begin.at

    body.mark(begin)
    body.emit(find, reads=reads, writes=[card], to=[end])
    body.emit(settle_, reads=reads | {card}, to=[begin], falls=False)
    body.mark(end)


def _move_count(body: Body, s: nodes.Move) -> None:
    assert s.source is not None
    count, reads = body.value(s.what)
    source, from_reads = zone_of(body, s.source)
    to, to_reads = zone_of(body, s.destination)
    left, card = body.temporary(t.IntType(0, t.WIDEST)), body.temporary(body.linker.card_type_of(body, s))
    local = body.e.checked.refs[s.bound] if s.bound is not None else None
    bound = body.slot(local) if isinstance(local, Local) else None
    single = isinstance(local, Local) and isinstance(local.type, t.CardType)
    begin, end = Label(), Label()
    place = s.span

    def first(state: State, frame: Frame) -> None:
        frame[left] = count(state, frame)
        if bound is not None:
            frame[bound] = None if single else frozenset()

    def step(state: State, frame: Frame) -> None:
        if frame[left] <= 0:
            frame[AT] = end.at
            return
        frame[left] -= 1
        if state.rng is not None and s.how != "at random":
            _deal_fast(state, frame, source(state, frame), to(state, frame), left, place)

    def lay(state: State, frame: Frame) -> None:
        one = frame[card]
        put(state, one, to(state, frame), place)
        if bound is not None:
            frame[bound] = one if single else frame[bound] | {one}
        frame[AT] = begin.at

    body.emit(first, reads=reads, writes=[left] if bound is None else [left, bound])
    body.mark(begin)
    body.emit(step if bound is None else _plain_step(left, end), reads={left} | from_reads | to_reads, to=[end])
    if s.how == "at random":
        _take_any(body, source, from_reads, card, s)
    else:
        take_end(body, source, from_reads, card, "top", s, on_empty=end if s.how == "up to" else None)
    body.emit(lay, reads={card, left} | to_reads | ({bound} if bound is not None else set()), to=[begin], falls=False)
    body.mark(end)


def _plain_step(left: int, end: Label) -> Callable[[State, Frame], None]:
    def step(state: State, frame: Frame) -> None:
        del state
        if frame[left] <= 0:
            frame[AT] = end.at
        else:
            frame[left] -= 1

    return step


def _deal_fast(state: State, frame: Frame, source: int, to: int, left: int, place: Any) -> None:
    # While no trigger that has been looked at watches either zone, all but the last card can be moved here: the same
    # draws, the same log, fewer steps.
    mask = state.game.zone_watches[source] | state.game.zone_watches[to]
    if mask and any(state.armed[w.index] is not None and w.mask & mask for w in state.game.watches):
        return
    site = state.game.quick_draw
    while frame[left] > 0 and len(state.Z[source]) > 1:
        frame[left] -= 1
        stretch = loose_at(state, source, 0)
        if stretch is None:
            put(state, state.Z[source][0], to, place)
            continue
        assert state.rng is not None
        candidates = list(state.Z[source][: stretch[1]])
        at, state.rng = below(state.rng, len(candidates))
        state.log = (state.log, (CHANCE, site, candidates[at], candidates))
        put_drawn(state, source, at, to, place)


def _take_any(body: Body, source: Callable[..., int], reads: frozenset[int], card: int, s: nodes.Move) -> None:
    tried = body.temporary()
    site = body.draw_site("card at random", body.linker.card_type_of(body, s), card, s)
    place = s.span

    def begin(state: State, frame: Frame) -> None:
        del state
        frame[tried] = False

    def op(state: State, frame: Frame) -> object:
        slot = source(state, frame)
        cards = state.Z[slot]
        if not cards:
            if not frame[tried] and run_out(state, slot):
                frame[tried] = True
                frame[AT] -= 1
                return None
            raise Fault("EGO702", place, f"`{place.text}`: there is no card to take", "ask for `not empty(...)` first")
        return draw(state, frame, sorted(cards), site)

    body.emit(begin, writes=[tried])
    body.emit(op, reads=reads | {tried}, writes=[card])


def swap(body: Body, s: nodes.Swap) -> None:
    if is_zone(body, s.left) and not isinstance(body.e.type_of(s.left), t.OptionalType):
        left, reads = zone_of(body, s.left)
        right, more = zone_of(body, s.right)
        # An order that somebody will see must be settled before.
        settle_all(body, left, reads, unless_hidden=right)
        settle_all(body, right, more, unless_hidden=left)

        def zones(state: State, frame: Frame) -> None:
            swap_zones(state, left(state, frame), right(state, frame))

        body.emit(zones, reads=reads | more)
        return
    one, reads = _swapped(body, s, s.left)
    other, more = _swapped(body, s, s.right)

    def cards(state: State, frame: Frame) -> None:
        swap_cards(state, one(state, frame), other(state, frame))

    body.emit(cards, reads=reads | more)


def _swapped(body: Body, s: nodes.Swap, expr: nodes.Expr) -> tuple[Callable[..., Any], frozenset[int]]:
    # A card at an end of a pile is moved by being swapped, so it is settled which it is.
    end = end_of_pile(body, expr)
    if end is None:
        return body.value(expr)
    source, reads = zone_of(body, end[1])
    card = body.temporary(body.e.type_of(expr))
    take_end(body, source, reads, card, end[0], s, on_empty=None)
    return (lambda state, frame: frame[card]), frozenset({card})


def shuffle_(body: Body, s: nodes.Shuffle) -> None:
    zone, reads = zone_of(body, s.zone)

    def op(state: State, frame: Frame) -> None:
        shuffle(state, zone(state, frame))

    body.emit(op, reads=reads)
    # Where faces are seen the new order is seen too, so it is settled at once.
    settle_all(body, zone, reads, unless_hidden=zone)


def roll(body: Body, s: nodes.Roll) -> None:
    """One chance event for each card and each mark of it, in the order of the cards."""
    if isinstance(body.e.type_of(s.what), t.SetType | t.RowType):
        cards, reads = body.made(lambda scope: _in_order(body, s.what, scope))
    else:
        one, reads = body.value(s.what)
        cards = lambda state, frame: (one(state, frame),)  # noqa: E731 - two makers of one function
    kind = body.linker.card_type_of(body, s)
    assert isinstance(kind, t.CardType)
    card_type = body.e.card_type(kind.decl)
    waiting, face = body.temporary(kind), body.temporary()
    begin, end = Label(), Label()
    marks = [(card_type.marks[m.name.name], m, body.linker.builder.domain(m.type)) for m in kind.decl.marks]

    def first(state: State, frame: Frame) -> None:
        # Each card once for each of its marks: which one is due, the number of those left tells.
        frame[waiting] = tuple(card for card in cards(state, frame) for _ in marks)

    body.emit(first, reads=reads, writes=[waiting])
    body.mark(begin)
    site = body.draw_site("roll", body.e.checked.declared[marks[0][1].type], face, s)

    def step(state: State, frame: Frame) -> object:
        if not frame[waiting]:
            frame[AT] = end.at
            return None
        return draw(state, frame, list(marks[-len(frame[waiting]) % len(marks)][2]), site)

    def write(state: State, frame: Frame) -> None:
        slot = marks[-len(frame[waiting]) % len(marks)][0] + frame[waiting][0]
        frame[waiting] = frame[waiting][1:]
        state.V[slot] = frame[face]
        state.log = (state.log, (WRITE, slot, frame[face]))
        state.dirty |= state.game.var_watches[slot]
        frame[AT] = begin.at

    body.emit(step, reads=[waiting], writes=[face], to=[end])
    body.emit(write, reads=[waiting, face], writes=[waiting], to=[begin], falls=False)
    body.mark(end)


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.Move: move,
    nodes.Swap: swap,
    nodes.Shuffle: shuffle_,
    nodes.Roll: roll,
}
