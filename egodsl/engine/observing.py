"""What a player observed since the beginning, in order, told in texts that hold nothing the player could not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from egodsl.engine.bodies import holds_cards
from egodsl.engine.table import (
    CHANCE,
    COMMIT,
    DECIDE,
    END,
    FACT,
    LOOK,
    MIX,
    MOVE,
    REVEAL,
    SHOW,
    STAGE,
    SWAP,
    WRITE,
    loose_at,
)
from egodsl.engine.texts import player_name
from egodsl.engine.tracking import bare_table, follow, name_types
from egodsl.engine.values import UNSET, Value
from egodsl.engine.views import card_text, index_texts, value_text, variable_text, zone_name
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from egodsl.engine.past import Entry
    from egodsl.engine.state import State


@attrs.frozen
class Observation:
    """One thing that a player observed.

    Attributes:
        kind: decision, move, swap, shuffle, chance, variable, reveal, look, fact, begin or end.
        text: what a person reads.
        player: who decided, looked or was shown something; None where nobody did.
        action: of a decision: the action's name or the option's label, if it has one.
        values: of a decision: (name, text) of each thing chosen, or None for the text of what the player may not know;
            of a chance event, a variable or a fact: what it is of, and its value.
        cards: the faces of the cards that moved or were shown; None for each that the player could not see.
        source: of a move: where the cards came from, as `hand[B]`, or `hand[B] #2` for a place in a row.
        target: of a move: where they went; of a shuffle, reveal or look: the zone.
    """

    kind: str
    text: str
    player: int | None = None
    action: str | None = None
    values: tuple[tuple[str, str | None], ...] = ()
    cards: tuple[str | None, ...] = ()
    source: str | None = None
    target: str | None = None

    def __str__(self) -> str:
        return self.text


def observations(state: State, player: int) -> list[Observation]:
    """All that the player observed, in order. What is there is never changed by what comes after it."""
    witness = Witness(state, player)
    witness.watch(state.entries())
    if player in state.branches:
        witness.watch(state.branches[player].entries())
    return witness.seen


class Witness:
    """Goes through a log with a table beside it, and notes what the player sees of each entry."""

    def __init__(self, state: State, player: int) -> None:
        self.game = state.game
        self.player = player
        self.table = bare_table(state)
        self.sees = [slot.seen_by(player) for slot in self.game.layout.slots]
        self.seen: list[Observation] = []
        self._learn_to_tell()

    def _learn_to_tell(self) -> None:
        self._tellers = {
            MOVE: self._move,
            SWAP: self._swap,
            DECIDE: self._decide,
            CHANCE: self._chance,
            WRITE: self._write,
            MIX: self._mix,
            REVEAL: self._reveal,
            LOOK: self._look,
            SHOW: self._show,
            FACT: self._fact,
            STAGE: self._stage,
            END: self._stage,
        }

    def copy(self) -> Witness:
        """An independent copy."""
        made = Witness.__new__(Witness)
        made.game, made.player, made.sees = self.game, self.player, self.sees
        made.table, made.seen = self.table.clone(), self.seen[:]
        made._learn_to_tell()  # noqa: SLF001 - of its own kind
        return made

    def watch(self, entries: Sequence[Entry]) -> None:
        """Take in the next entries of the log: all up to a point where the state stopped."""
        at = 0
        for begin, end, players, counts in _batches(entries):
            self._watch(entries[at:begin])
            self._watch_together(entries[begin:end], players, counts)
            at = end
        self._watch(entries[at:])

    def _watch(self, entries: Sequence[Entry]) -> None:
        for k, entry in enumerate(entries):
            teller = self._tellers.get(entry[0])
            if teller is not None:
                self.seen.extend(teller(entry, (entries[i] for i in range(k + 1, len(entries)))))
            follow(self.table, entry)

    def _watch_together(self, entries: Sequence[Entry], players: Sequence[int], counts: Sequence[int]) -> None:
        # A player sees their own part when they do it, and that of the others when all are done.
        parts: list[tuple[int, Sequence[Entry]]] = []
        at = 0
        for player, count in zip(players, counts, strict=True):
            parts.append((player, entries[at : at + count]))
            at += count
        for _, part in sorted(parts, key=lambda p: p[0] != self.player):
            self._watch(part)

    # ------------------------------------------------------------ cards

    def _move(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, cards, sources, slot = entry
        for source in dict.fromkeys(sources):
            moving = [card for card, its in zip(cards, sources, strict=True) if its == source]
            yield self._moved(moving, source, slot)

    def _moved(self, cards: list[int], source: int, slot: int) -> Observation:
        visible = self.sees[source] or self.sees[slot]
        faces: list[str | None] = [self.game.texts.card(c, self.table) if visible else None for c in cards]
        in_order = [not self.game.layout.unordered[k] for k in (source, slot) if self.sees[k]]
        if not any(in_order):
            faces.sort(key=str)
        start, to = zone_name(self.game, source), zone_name(self.game, slot)
        if len(cards) == 1 and not self.sees[source] and self.game.layout.slots[source].layout == "row":
            at = self.table.Z[source].index(cards[0])
            if loose_at(self.table, source, at) is None:
                start = f"{start} #{at + 1}"
        text = f"{_cards(faces)} from {start} to {to}"
        return Observation("move", text, cards=tuple(faces), source=start, target=to)

    def _swap(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, left, right, (a, b) = entry
        visible = self.sees[a] or self.sees[b]
        faces: list[str | None] = []
        told = []
        for cards, slot in ((left, a), (right, b)):
            texts = sorted(self.game.texts.card(c, self.table) for c in cards) if visible else [None] * len(cards)
            faces += texts
            name = card_text(self.table, cards[0], self.sees) if len(cards) == 1 and not visible else _cards(texts)
            of = zone_name(self.game, slot)
            told.append(name if name.endswith(of) else f"{name} of {of}")
        names = zone_name(self.game, a), zone_name(self.game, b)
        yield Observation(
            "swap", f"{told[0]} is swapped with {told[1]}", cards=tuple(faces), source=names[0], target=names[1]
        )

    def _mix(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        name = zone_name(self.game, entry[1])
        yield Observation("shuffle", f"{name} is shuffled", target=name)

    def _reveal(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, cards, viewers = entry
        told = viewers is None or self.player in viewers
        whom = "" if viewers is None else f" to {', '.join(map(player_name, viewers))}"
        for name, faces in self._shown_cards(cards, told=told):
            yield Observation("reveal", f"{_cards(faces)} of {name} shown{whom}", cards=faces, target=name)

    def _look(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, cards, (who,) = entry
        for name, faces in self._shown_cards(cards, told=who == self.player):
            text = f"{player_name(who)} looks at {_cards(faces)} of {name}"
            yield Observation("look", text, player=who, cards=faces, target=name)

    def _shown_cards(self, cards: Sequence[int], *, told: bool) -> Iterator[tuple[str, tuple[str | None, ...]]]:
        slots = [self.table.L[card] for card in cards]
        for slot in dict.fromkeys(slots):
            here = [card for card, its in zip(cards, slots, strict=True) if its == slot]
            if not self.game.layout.unordered[slot]:
                here.sort(key=self.table.Z[slot].index)
            faces: list[str | None] = [
                self.game.texts.card(c, self.table) if told or self.sees[slot] else None for c in here
            ]
            if self.game.layout.unordered[slot]:
                faces.sort(key=str)
            name = zone_name(self.game, slot)
            if len(here) == 1 and not self.sees[slot] and self.game.layout.slots[slot].layout == "row":
                name = f"{name} #{self.table.Z[slot].index(here[0]) + 1}"
            yield name, tuple(faces)

    # ------------------------------------------------------------ decisions and chance

    def _decide(self, entry: Entry, after: Iterable[Entry]) -> Iterator[Observation]:
        who, raw = entry[1], entry[3]
        option = self.game.sites[entry[2]].options[raw[0]]
        secret = () if who == self.player else self._secrets(after)
        values: list[tuple[str, str | None]] = []
        for name, value, kind in zip(option.names, raw[1:], option.types, strict=True):
            hidden = any(value == other for other in secret)
            values.append((name, None if hidden else value_text(self.table, value, kind, self.sees)))
        label = option.label.replace("_", " ") if option.action is not None and option.label else option.label
        chosen = ", ".join("something unseen" if text is None else text for _, text in values)
        told = " ".join(part for part in (label, chosen) if part) or "go on"
        yield Observation(
            "decision", f"{player_name(who)}: {told}", player=who, action=option.label, values=tuple(values)
        )

    def _secrets(self, after: Iterable[Entry]) -> list[Value]:
        """The values that go into variables that the player may not read, before the next decision or chance event."""
        found = []
        for entry in after:
            if entry[0] in {DECIDE, CHANCE, COMMIT}:
                break
            if entry[0] == WRITE and not self._readable(entry[1]):
                found.append(entry[2])
        return found

    def _readable(self, slot: int) -> bool:
        if slot in self.game.mark_slots:
            return self.sees[self.table.L[self.game.layout.var_slots[slot].indexes[0]]]
        return self.game.layout.var_slots[slot].seen_by(self.player)

    def _chance(self, entry: Entry, after: Iterable[Entry]) -> Iterator[Observation]:
        draw = self.game.draws[entry[1]]
        if holds_cards(draw.type):
            return
        hidden = any(entry[2] == value for value in self._secrets(after))
        value = None if hidden else self.game.texts.value(entry[2], draw.type, self.table)
        text = f"chance: {draw.what} unseen" if value is None else f"chance: {draw.what} {value}"
        yield Observation("chance", text, values=((draw.what, value),))

    # ------------------------------------------------------------ variables, facts, stages

    def _write(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, slot, value = entry
        place = self.game.layout.var_slots[slot]
        readable = self._readable(slot)
        if isinstance(place.decl, nodes.Mark):
            if readable:
                card = place.indexes[0]
                before = self.game.texts.card(card, self.table)
                text = self.game.texts.value(value, self.game.checked.declared[place.decl.type], self.table)
                name = f"{place.decl.name.name} of {before} in {zone_name(self.game, self.table.L[card])}"
                yield Observation("variable", f"{name} is now {text}", values=((name, text),))
            return
        name = self._variable(slot)
        if readable:
            self.table.V[slot] = value
            text = variable_text(self.table, slot, self.sees)
            yield Observation("variable", f"{name} is now {text}", values=((name, text),))
        else:
            yield Observation("variable", f"{name} is set unseen", values=((name, None),))

    def _variable(self, slot: int) -> str:
        place = self.game.layout.var_slots[slot]
        assert isinstance(place.decl, nodes.VarDecl)
        texts = index_texts(self.game, place.decl.indexes, place.indexes)
        return f"{place.decl.name.name}[{', '.join(texts)}]" if texts else place.decl.name.name

    def _show(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        _, slot, value, viewers = entry
        name = self._variable(slot)
        whom = "" if viewers is None else f" to {', '.join(map(player_name, viewers))}"
        told = viewers is None or self.player in viewers or self._readable(slot)
        text = "not set" if value is UNSET else variable_text(self.table, slot, self.sees)
        yield Observation(
            "reveal", f"{name} is shown{whom}" + (f": {text}" if told else ""), values=((name, text if told else None),)
        )

    def _fact(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        viewers, number, facts = entry[1:4]
        node = self.game.facts[number]
        whom = "" if viewers is None else f" to {', '.join(map(player_name, viewers))}"
        what = node.what.span.text
        if viewers is not None and self.player not in viewers:
            yield Observation("fact", f"`{what}` is told{whom}", values=((what, None),))
            return
        kind = self.game.linker.expressions.type_of(node.what)
        types = name_types(self.game, node.clauses)
        told: list[tuple[str, str | None]] = []
        for names, value in facts:
            of = ", ".join(value_text(self.table, one, its, self.sees) for one, its in zip(names, types, strict=True))
            told.append((of, value_text(self.table, value, kind, self.sees)))
        # Cards of an unseen set come in no order.
        told.sort(key=lambda pair: (_place(pair[0]), str(pair[1])))
        text = "; ".join(f"{of}: {value}" for of, value in told)
        yield Observation("fact", f"`{what}` is told{whom}: {text}", values=tuple(told))

    def _stage(self, entry: Entry, _: Iterable[Entry]) -> Iterator[Observation]:
        name = self.game.stages[entry[1]].name
        begins = entry[0] == STAGE
        yield Observation(
            "begin" if begins else "end", f"{name} {'begins' if begins else 'ends'}", values=((name, None),)
        )


def _batches(entries: Sequence[Entry]) -> Iterator[tuple[int, int, Sequence[int], Sequence[int]]]:
    """Where the entries of each `together` begin and end, who took part, and how many entries each has."""
    for k, entry in enumerate(entries):
        if entry[0] == COMMIT:
            yield k - sum(entry[2]), k, entry[1], entry[2]


def _cards(faces: Sequence[str | None]) -> str:
    known = [face for face in faces if face is not None]
    if len(known) == len(faces):
        return ", ".join(known) or "nothing"
    return "a card" if len(faces) == 1 else f"{len(faces)} cards"


def _place(text: str) -> tuple[int, str]:
    """Places of a row in their order, everything else by its text."""
    digits = text[1:].split(" ", 1)[0]
    return (int(digits), text) if text.startswith("#") and digits.isdigit() else (0, text)
