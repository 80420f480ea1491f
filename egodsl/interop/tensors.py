"""What a player sees as a row of numbers, in a layout that is fixed for the game and says what each number means.

It holds what `State.view` shows, and nothing else:

- who observes, who decides, who is on turn, which stages run, whether chance decides, whether the game is over;
- the place in the rules where the observer is asked, and the tokens of the move that the observer has begun;
- for each zone how many cards lie there; for each look, how many cards of it the observer knows to be there; for each
  look and value of a mark, the same; in a row or stack also the look of each card whose place is known, in order;
- for each variable whether the observer may read it, whether it is set, and its value.

What is unknown is 0. Counts are divided by how many there are in the game.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
from egodsl.engine.code import CODE
from egodsl.engine.table import loose_at
from egodsl.engine.tracking import tracker_of
from egodsl.engine.values import UNSET
from egodsl.engine.views import index_texts, zone_name
from egodsl.interop.encoding import domain
from egodsl.interop.features import MOST_HOT, Feature, Numbers, Sight, feature_of, look_texts, looks_of, scale_of
from egodsl.interop.problems import InteropError
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from egodsl.engine.game import Game
    from egodsl.engine.layout import CardType
    from egodsl.engine.state import State
    from egodsl.engine.tracking import Tracker
    from egodsl.interop.encoding import Encoding

MOST_NUMBERS = 1 << 20
"""Numbers that a tensor has at most."""
_BEGUN = 8
"""Tokens of a move that has been begun that are told in order."""


@attrs.frozen
class Section:
    """A stretch of the tensor: what it is about, where it begins, and what each of its numbers says."""

    name: str
    begin: int
    labels: tuple[str, ...]

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.begin + len(self.labels)


@attrs.frozen
class _Zone:
    slot: int
    begin: int
    kind: CardType
    looks: dict[int, int]
    marks: tuple[_Mark, ...]
    ordered: bool


@attrs.frozen
class _Mark:
    """The mark of a card: `base` is its variable slot for card 0. `size` values from `low` on, or one scaled number."""

    base: int
    low: int
    size: int
    scale: int
    texts: tuple[str, ...]


class TensorLayout:
    """Where everything is in the observations of a game. Raises InteropError (EGO921) where they would be too long."""

    def __init__(self, game: Game, encoding: Encoding) -> None:
        self.game = game
        self.encoding = encoding
        self.sections: list[Section] = []
        self.size = 0
        players = [chr(ord("A") + p) for p in range(game.players)]
        self._observer = self._add("observer", players)
        self._deciding = self._add("deciding", players)
        self._active = self._add("active", players)
        self._stages = self._add("running", [code.name for code in game.stages])
        self._flags = self._add("state", ["chance decides", "the game is over"])
        self._site = self._add("asked", [f"at place {site.index + 1}" for site in game.sites])
        self._begun = self._add("begun", self._begun_labels())
        self._zones = [self._add_zone(slot) for slot in range(game.layout.outside)]
        self._variables = list(self._add_variables())

    @cached_property
    def labels(self) -> list[str]:
        """What each number says, as `hand[A]: shows 3`."""
        return [f"{section.name}: {label}" for section in self.sections for label in section.labels]

    def _add(self, name: str, labels: Iterable[str]) -> int:
        section = Section(name, self.size, tuple(labels))
        self.sections.append(section)
        self.size = section.end
        if self.size > MOST_NUMBERS:
            message = f"an observation of `{self.game.rulebook.name}` takes more than {MOST_NUMBERS} numbers"
            raise InteropError("EGO921", message, "use fewer cards or variables", None)
        return section.begin

    def _begun_labels(self) -> list[str]:
        if self.encoding.longest == 1:
            return []
        in_order = [f"#{k + 1} / {self.encoding.size}" for k in range(min(_BEGUN, self.encoding.longest))]
        return [*in_order, *self.encoding.texts]

    # ------------------------------------------------------------ zones

    def _add_zone(self, slot: int) -> _Zone:
        game = self.game
        place = game.layout.slots[slot]
        kind = game.layout.types[place.card_type]
        card = t.CardType(kind.decl)
        looks, texts = looks_of(game, card), look_texts(game, card)
        told = {mark.name.name: self._mark(kind, mark) for mark in kind.decl.marks}
        marks = tuple(mark for mark in told.values() if mark is not None)
        ordered = place.layout in {"row", "stack"}
        labels = [f"cards / {len(kind.cards)}", *(f"shows {text}" for text in texts)]
        for mark in marks:
            labels += [f"shows {text} {value}" for text in texts for value in mark.texts]
        if ordered:
            each = ["look", *(name for name, mark in told.items() if mark is not None)]
            labels += [f"#{k + 1} {what}" for k in range(len(kind.cards)) for what in each]
        return _Zone(slot, self._add(zone_name(game, slot), labels), kind, looks, marks, ordered)

    def _mark(self, kind: CardType, mark: nodes.Mark) -> _Mark | None:
        # One entry for each value; one number for a long range; nothing for what is neither (a set of things).
        base = kind.marks[mark.name.name]
        of = self.game.checked.declared[mark.type]
        none, of = (1, of.inner) if isinstance(of, t.OptionalType) else (0, of)
        name, texts = mark.name.name, ["none"] * none
        if isinstance(of, t.IntType):
            var = self.game.layout.var_slots[base]
            low, high = (of.low, of.high) if var.low is None or var.high is None else (var.low, var.high)
            if high - low >= MOST_HOT:
                scale = scale_of(low, high)
                return _Mark(base, 0, 1, scale, (f"{name} / {scale}",))
            values = range(low, high + 1)
        elif isinstance(of, t.BoolType | t.PlayerType | t.TeamType | t.EnumType):
            values = domain(self.game, of)
        else:
            return None
        texts += [self.game.texts.value(value, of) for value in values]
        return _Mark(base, values.start - none, len(texts), 1, tuple(f"{name} {text}" for text in texts))

    def _write_zone(self, numbers: Numbers, zone: _Zone, tracker: Tracker, table: State) -> None:
        cards = table.Z[zone.slot]
        if not cards:
            return
        numbers[zone.begin] = len(cards) / len(zone.kind.cards)
        look = self.game.layout.look
        if tracker.seen[zone.slot]:
            counts: dict[int, int] = {}
            for card in cards:
                counts[look[card]] = counts.get(look[card], 0) + 1
            placed: Sequence[bool] = [True] * len(cards)
        else:
            counts = tracker.faces.certain(cards)
            placed = self._placed(zone, tracker, table)
        for number, count in counts.items():
            numbers[zone.begin + 1 + zone.looks[number]] = count / self._copies[number]
        if zone.marks:
            self._write_marks(numbers, zone, tracker, table)
        if zone.ordered:
            self._write_places(numbers, zone, tracker, table, placed)

    def _placed(self, zone: _Zone, tracker: Tracker, table: State) -> list[bool]:
        cards = table.Z[zone.slot]
        if not zone.ordered:
            return [False] * len(cards)
        return [tracker.faces.knows(card) and loose_at(table, zone.slot, at) is None for at, card in enumerate(cards)]

    @cached_property
    def _copies(self) -> dict[int, int]:
        counts: dict[int, int] = {}
        for number in self.game.layout.look:
            counts[number] = counts.get(number, 0) + 1
        return counts

    def _write_marks(self, numbers: Numbers, zone: _Zone, tracker: Tracker, table: State) -> None:
        look = self.game.layout.look
        seen = tracker.seen[zone.slot]
        begin = zone.begin + 1 + len(zone.looks)
        for mark in zone.marks:
            for card in table.Z[zone.slot]:
                if seen or (tracker.faces.knows(card) and mark.base + card in tracker.marks):
                    value = table.V[mark.base + card] if seen else tracker.marks[mark.base + card]
                    at = begin + zone.looks[look[card]] * mark.size
                    at, number = (at, _scaled(mark, value)) if mark.size == 1 else (at + _place(mark, value), 1.0)
                    numbers[at] += number / self._copies[look[card]]
            begin += len(zone.looks) * mark.size

    def _write_places(
        self, numbers: Numbers, zone: _Zone, tracker: Tracker, table: State, placed: Sequence[bool]
    ) -> None:
        look = self.game.layout.look
        seen = tracker.seen[zone.slot]
        begin = zone.begin + 1 + len(zone.looks) * (1 + sum(mark.size for mark in zone.marks))
        for card, known in zip(table.Z[zone.slot], placed, strict=True):
            if known:
                numbers[begin] = (zone.looks[look[card]] + 1) / len(zone.looks)
                for k, mark in enumerate(zone.marks, start=1):
                    if seen or mark.base + card in tracker.marks:
                        value = table.V[mark.base + card] if seen else tracker.marks[mark.base + card]
                        scaled = _scaled(mark, value) if mark.size == 1 else (_place(mark, value) + 1) / mark.size
                        numbers[begin + k] = scaled
            begin += 1 + len(zone.marks)

    # ------------------------------------------------------------ variables

    def _add_variables(self) -> Iterable[tuple[int, int, Feature]]:
        game = self.game
        for k, slot in enumerate(game.layout.var_slots):
            if not isinstance(slot.decl, nodes.VarDecl):
                continue
            bounds = None if slot.low is None or slot.high is None else (slot.low, slot.high)
            feature = feature_of(game, game.checked.declared[slot.decl.type], bounds)
            texts = index_texts(game, slot.decl.indexes, slot.indexes)
            name = f"{slot.decl.name.name}[{', '.join(texts)}]" if texts else slot.decl.name.name
            yield k, self._add(name, ("may be read", "is set", *feature.labels)), feature

    def _write_variables(self, numbers: Numbers, tracker: Tracker, sight: Sight) -> None:
        slots = self.game.layout.var_slots
        for k, begin, feature in self._variables:
            if not (slots[k].seen_by(tracker.player) or k in tracker.shown):
                continue
            numbers[begin] = 1.0
            value = sight.table.V[k]
            if value is not UNSET:
                numbers[begin + 1] = 1.0
                feature.write(numbers, begin + 2, value, sight)

    # ------------------------------------------------------------ everything

    def write(self, state: State, player: int, begun: Sequence[int] = ()) -> array[float]:
        """What the player sees, with the tokens of the move that they have begun: `size` numbers."""
        numbers = array("f", bytes(4 * self.size))
        tracker = tracker_of(state, player)
        table = state.branches.get(player, state)
        numbers[self._observer + player] = 1.0
        for one in state.branches or state.to_move:
            numbers[self._deciding + one] = 1.0
        if state.turns:
            numbers[self._active + state.turns[-1][1]] = 1.0
        for frame in state.frames:
            if frame[CODE].stage >= 0:
                numbers[self._stages + frame[CODE].stage] = 1.0
        numbers[self._flags] = float(state.is_chance)
        numbers[self._flags + 1] = float(state.is_over)
        if player in state.to_move and table.site is not None:
            numbers[self._site + table.site.index] = 1.0
        self._write_begun(numbers, begun)
        for zone in self._zones:
            self._write_zone(numbers, zone, tracker, table)
        self._write_variables(numbers, tracker, Sight(table, tracker.seen))
        return numbers

    def _write_begun(self, numbers: Numbers, begun: Sequence[int]) -> None:
        told = min(_BEGUN, self.encoding.longest)
        for k, token in enumerate(begun):
            if k < told:
                numbers[self._begun + k] = (token + 1) / self.encoding.size
            numbers[self._begun + told + token] += 1.0


def _place(mark: _Mark, value: int | None) -> int:
    return 0 if value is None else int(value) - mark.low


def _scaled(mark: _Mark, value: int | None) -> float:
    return 0.0 if value is None else value / mark.scale
