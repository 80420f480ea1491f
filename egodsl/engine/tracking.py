"""What one player can tell of where the cards are, derived from the log.

Cards are followed by their numbers, as if each had a thread tied to it. What the player sees of a thread is a *sight*:
it shows one face, or one of some. Where the player cannot tell threads apart there is a *mix*: a shuffle, or somebody's
choice among cards of a set that the player does not see. Between mixes every thread is followed exactly: a card that
somebody drew and discards is the same card.

What the card on a thread may be is then a matter of counting: see `counting`. Nothing is concluded from *why* somebody
could or could not choose (a player who had no seven to give), nor from what rules do that pick out unseen cards by
their faces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.relations import accepts, plain
from egodsl.analysis.symbols import Local
from egodsl.engine.counting import Faces
from egodsl.engine.past import Entry, Log, Past
from egodsl.engine.table import (
    CHANCE,
    DECIDE,
    FACT,
    LOOK,
    MIX,
    MOVE,
    REVEAL,
    SETTLE,
    SHOW,
    SWAP,
    WRITE,
    put_all,
    settle,
    shuffle,
    swap_cards,
    swap_zones,
)
from egodsl.engine.values import UNSET, Value
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

KEPT = 16
"""States of which each player's knowledge is kept at hand."""

Step = tuple[int, tuple[int, ...], int]
"""What the player saw or could not tell: (number of the entry before which it happened, cards, faces). Faces 0: the
cards were mixed.
"""


def follow(table: State, entry: Entry) -> None:
    """Change the bare table as the entry says. Entries that change no zone and no variable do nothing."""
    match entry[0]:
        case k if k == MOVE:
            put_all(table, entry[1], entry[3], table.game.checked.program.root.span)
        case k if k == WRITE:
            table.V[entry[1]] = entry[2]
        case k if k == SETTLE:
            settle(table, entry[1], entry[3], entry[2])
        case k if k == MIX:
            shuffle(table, entry[1])
        case k if k == SWAP and len(entry[1]) == len(entry[2]) == 1:
            swap_cards(table, entry[1][0], entry[2][0])
        case k if k == SWAP:
            swap_zones(table, *entry[3])
    table.log = None


def bare_table(state: State) -> State:
    """The table as it was when the game of the state began."""
    table = type(state)(state.game, None)
    for set_initial in state.game.initial:
        set_initial(table)
    return table


def cards_in(value: Value, kind: t.Type) -> list[int]:
    """The cards in a value of the type, in a fixed order."""
    if value is None or value is UNSET:
        return []
    match kind:
        case t.CardType():
            return [value]
        case t.OptionalType():
            return cards_in(value, kind.inner)
        case t.SetType() | t.RowType() if isinstance(value, frozenset | tuple):
            members = sorted(value) if isinstance(kind.inner, t.CardType) else value
            return [card for member in members for card in cards_in(member, kind.inner)]
        case t.SetType() | t.RowType():
            return cards_in(value, kind.inner)
        case t.TupleType():
            return [card for member, of in zip(value, kind.items, strict=True) for card in cards_in(member, of)]
        case _:
            return []


class Tracker:
    """The knowledge of a player after some entries of a log. `advance` changes it; what `tracker_of` gives is shared,
    so copy it first.
    """

    __slots__ = (
        "cut",
        "faces",
        "game",
        "length",
        "marks",
        "mentioned",
        "named",
        "origin",
        "player",
        "recent",
        "seen",
        "shown",
        "steps",
        "table",
        "wide",
        "written",
    )

    def __init__(self, state: State, player: int) -> None:
        layout = state.game.layout
        self.game: Game = state.game
        self.player = player
        self.table = bare_table(state)
        self.seen = [slot.seen_by(player) for slot in layout.slots]
        self.faces = Faces(layout.look)
        self.marks: dict[int, Value] = {k: self.table.V[k] for k in state.game.mark_slots}
        """The marks that the player knows, by variable slot."""
        self.shown: set[int] = set()
        """Secret variables that were shown to the player and not written since."""
        self.named: set[int] = set()
        """Cards that were singled out in sight of all, and not mixed since."""
        self.mentioned: dict[int, int] = {}
        """For each card the number of the entry that last singled it out."""
        self.origin: dict[int, tuple[Entry, int, int]] = {}
        """For each secret variable the decision or chance event that its value came from, with the number of that
        entry.
        """
        self.written: dict[int, int] = {}
        """For each variable slot the number of the entry that last wrote it."""
        self.recent: tuple[Entry, int] | None = None
        self.steps: Any = None
        """(steps before, Step) since the last point where everything uncertain was mixed at once; `cut` is the number
        of its entry.
        """
        self.cut = 0
        self.length = 0
        self.wide = False
        """Whether the player was told a fact of several cards at once since then."""

    def copy(self) -> Tracker:
        """An independent copy."""
        made = Tracker.__new__(Tracker)
        for name in ("game", "player", "seen", "recent", "steps", "cut", "length", "wide"):
            setattr(made, name, getattr(self, name))
        made.table = self.table.clone()
        made.faces = self.faces.copy()
        made.marks, made.origin, made.written = self.marks.copy(), self.origin.copy(), self.written.copy()
        made.shown, made.named, made.mentioned = self.shown.copy(), self.named.copy(), self.mentioned.copy()
        return made

    # ------------------------------------------------------------ what happens

    def advance(self, entry: Entry) -> None:
        """Take in the next entry."""
        kind = entry[0]
        if kind == MOVE:
            self._moved(entry)
        elif kind == SWAP:
            self._swapped(entry)
        elif kind in {DECIDE, CHANCE}:
            self._chosen(entry)
        elif kind == MIX:
            if not self.seen[entry[1]]:
                self._mix(self.table.Z[entry[1]])
            follow(self.table, entry)
        elif kind == WRITE:
            self._written(entry)
        elif kind in {REVEAL, LOOK}:
            self._told(entry)
        elif kind == SHOW:
            if entry[3] is None or self.player in entry[3]:
                self.shown.add(entry[1])
        elif kind == FACT:
            if entry[1] is None or self.player in entry[1]:
                self._fact(entry)
        else:
            follow(self.table, entry)
        self.length += 1

    def _moved(self, entry: Entry) -> None:
        _, cards, sources, slot = entry
        kept_in_order = not self.game.layout.unordered[slot]
        self._part(cards, sources, kept_in_order=kept_in_order)
        follow(self.table, entry)
        for card, source in zip(cards, sources, strict=True):
            if self.seen[slot] or self.seen[source]:
                self._see(card)
        if len(cards) == 1:
            self._single_out(cards)

    def _swapped(self, entry: Entry) -> None:
        _, left, right, (a, b) = entry
        unordered = self.game.layout.unordered
        self._part(left, (a,) * len(left), kept_in_order=not unordered[b])
        self._part(right, (b,) * len(right), kept_in_order=not unordered[a])
        follow(self.table, entry)
        if self.seen[a] or self.seen[b]:
            for card in (*left, *right):
                self._see(card)
        if len(left) == len(right) == 1:
            self._single_out((*left, *right))

    def _part(self, cards: Sequence[int], sources: Sequence[int], *, kept_in_order: bool) -> None:
        # Cards leave their places. Which of an unseen set they are, the player knows only of those that were singled
        # out.
        for slot in dict.fromkeys(sources):
            if not self._unseen_set(slot):
                continue
            whole = self.table.Z[slot]
            leaving = [card for card, source in zip(cards, sources, strict=True) if source == slot]
            if all(card in self.named for card in leaving) or slot == self.game.layout.outside:
                continue
            if len(leaving) < len(whole) or kept_in_order:
                self._mix(whole)

    def _single_out(self, cards: Iterable[int]) -> None:
        for card in cards:
            self.named.add(card)
            self.mentioned[card] = self.length

    def _unseen_set(self, slot: int) -> bool:
        return self.game.layout.unordered[slot] and not self.seen[slot]

    def _chosen(self, entry: Entry) -> None:
        if entry[0] == DECIDE:
            types = self.game.sites[entry[2]].options[entry[3][0]].types
            cards = [card for value, kind in zip(entry[3][1:], types, strict=True) for card in cards_in(value, kind)]
            unseen = entry[1] != self.player
        else:
            cards = cards_in(entry[2], self.game.draws[entry[1]].type)
            unseen = True
        if unseen:
            for slot in dict.fromkeys(self.table.L[card] for card in cards):
                if self._unseen_set(slot):
                    self._mix(self.table.Z[slot])
        self._single_out(cards)
        self.recent = (entry, self.length)

    def _written(self, entry: Entry) -> None:
        _, slot, value = entry
        follow(self.table, entry)
        self.written[slot] = self.length
        if slot in self.game.mark_slots:
            if self.seen[self.table.L[self.game.layout.var_slots[slot].indexes[0]]]:
                self.marks[slot] = value
            else:
                self.marks.pop(slot, None)
                self._note_origin(slot, value)
        elif not self.game.layout.var_slots[slot].seen_by(self.player):
            self.shown.discard(slot)
            self._note_origin(slot, value)

    def _note_origin(self, slot: int, value: Value) -> None:
        self.origin.pop(slot, None)
        at = argument_of(self.game, self.recent[0], slot, value) if self.recent is not None else None
        if self.recent is not None and at is not None:
            self.origin[slot] = (*self.recent, at)

    def _told(self, entry: Entry) -> None:
        _, cards, viewers = entry
        if viewers is None or self.player in viewers:
            sources = [self.table.L[card] for card in cards]
            self._part(cards, sources, kept_in_order=False)
            for card in cards:
                self._see(card)
        if len(cards) == 1:
            self._single_out(cards)

    def _fact(self, entry: Entry) -> None:
        # A fact of one card narrows its faces; a fact of several is looked at when the cards are dealt anew.
        _, _, number, facts, frame = entry
        test = self.game.fact_values[number]
        at = card_names(self.game, number)
        if len(at) != 1:
            self.wide = True
            return
        for names, value in facts:
            card = names[at[0]]
            faces = 0
            for other, bit in self._one_of_each(card):
                told = test(self.table, frame, *names[: at[0]], other, *names[at[0] + 1 :])
                if told == value:
                    faces |= bit
            self._narrow(card, faces)

    def _one_of_each(self, card: int) -> Iterable[tuple[int, int]]:
        # The card itself stands for its own face: it may carry marks.
        met = {self.faces.bits[card]}
        yield card, self.faces.bits[card]
        for other, bit in enumerate(self.faces.bits):
            if bit & self.faces.possible[card] and bit not in met:
                met.add(bit)
                yield other, bit

    # ------------------------------------------------------------ sights and mixes

    def _see(self, card: int) -> None:
        self._narrow(card, self.faces.bits[card])
        layout = self.game.layout
        for base in layout.types[layout.card_type[card]].marks.values():
            self.marks[base + card] = self.table.V[base + card]

    def _narrow(self, card: int, faces: int) -> None:
        if self.faces.narrow(card, faces):
            self.steps = (self.steps, (self.length, (card,), faces))

    def _pinned(self) -> set[int]:
        # A variable that the player may read is like a marker that lies on its card: it goes where the card goes.
        layout = self.game.layout
        found: set[int] = set()
        for slot in self.game.card_variables:
            place = layout.var_slots[slot]
            if place.seen_by(self.player) or slot in self.shown:
                assert isinstance(place.decl, nodes.VarDecl)
                found.update(cards_in(self.table.V[slot], self.game.checked.declared[place.decl.type]))
        return found

    def _mix(self, cards: Sequence[int]) -> None:
        layout = self.game.layout
        pinned = self._pinned()
        if pinned:
            cards = [card for card in cards if card not in pinned]
        if len(cards) < 2:  # noqa: PLR2004 - one is only itself
            return
        for card in cards:
            for base in layout.types[layout.card_type[card]].marks.values():
                self.marks.pop(base + card, None)
        self.named.difference_update(cards)
        whole = self.faces.mix(frozenset(cards))
        # Cards of one face are mixed too: their marks are, and their places in the log.
        step: Step = (self.length, tuple(cards), 0)
        if whole:
            # The past needs no part in dealing anew.
            self.steps, self.cut, self.wide = (None, step), self.length, False
        else:
            self.steps = (self.steps, step)


def argument_of(game: Game, entry: Entry, slot: int, value: Value) -> int | None:
    """Which of the values that a decision or a chance event brought is the one that was written into the variable slot,
    from 0: one that is equal, and of its type (yes, the second player and the number 1 are all equal). None if none is.
    """
    decl = game.layout.var_slots[slot].decl
    wanted = game.checked.declared[decl.type]
    if entry[0] == DECIDE:
        values, types = entry[3][1:], game.sites[entry[2]].options[entry[3][0]].types
    else:
        values, types = (entry[2],), (game.draws[entry[1]].type,)
    pairs = enumerate(zip(values, types, strict=True))
    return next((k for k, (one, kind) in pairs if one == value and accepts(wanted, plain(kind))), None)


def name_types(game: Game, clauses: Iterable[nodes.Clause]) -> list[t.Type]:
    """The types of the names that the clauses bind, in order."""
    found = [game.checked.refs[n] for clause in clauses for n in clause.names]
    return [local.type for local in found if isinstance(local, Local)]


def card_names(game: Game, number: int) -> list[int]:
    """Which of the names of a `reveal ... for` are cards."""
    return [k for k, kind in enumerate(name_types(game, game.facts[number].clauses)) if isinstance(kind, t.CardType)]


# ---------------------------------------------------------------- kept trackers


def tracker_of(state: State, player: int) -> Tracker:
    """What the player knows by the log of the state; with what they did themselves in a `together` that is not over. It
    is shared: do not change it.
    """
    kept: dict[int, tuple[Log, Tracker]] = state.game.trackers.setdefault(player, {})
    waiting: list[Entry] = []
    log = state.log
    tracker = None
    while tracker is None:
        found = kept.get(id(log))
        if found is not None and found[0] is log:
            tracker = found[1]
        elif log is None or isinstance(log, Past):
            waiting.extend(reversed(log.entries()) if log is not None else ())
            tracker = Tracker(state, player)
        else:
            log, entry = log
            waiting.append(entry)
    if waiting:
        tracker = tracker.copy()
        for entry in reversed(waiting):
            tracker.advance(entry)
        kept[id(state.log)] = (state.log, tracker)
        if len(kept) > KEPT:
            del kept[next(iter(kept))]
    branch = state.branches.get(player)
    if branch is not None:
        tracker = tracker.copy()
        for entry in branch.entries():
            tracker.advance(entry)
    return tracker
