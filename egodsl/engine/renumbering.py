"""Giving cards other numbers in everything that refers to them: values, zones, entries of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.code import AT, CODE
from egodsl.engine.table import CHANCE, DECIDE, FACT, LOOK, MOVE, REVEAL, SETTLE, SHOW, SWAP, WRITE
from egodsl.engine.tracking import card_names, follow
from egodsl.engine.values import Value
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from egodsl.engine.decisions import Raw
    from egodsl.engine.game import Game
    from egodsl.engine.past import Entry
    from egodsl.engine.state import State
    from egodsl.engine.worlds import Change


class Numbers(Protocol):
    """For each card number of the real world the number that takes its place."""

    def __getitem__(self, card: int, /) -> int: ...


def renumbered(value: Value, numbers: Numbers) -> Value:
    """A value that holds cards and nothing else, with their new numbers."""
    if isinstance(value, frozenset):
        return frozenset(renumbered(member, numbers) for member in value)
    if isinstance(value, tuple):
        return tuple(renumbered(member, numbers) for member in value)
    return numbers[value] if isinstance(value, int) else value


def mapped(value: Value, kind: t.Type, numbers: Numbers) -> Value:
    """A value of the type, with the new numbers of its cards."""
    if not holds_cards(kind) or value is None:
        return value
    match kind:
        case t.CardType():
            return numbers[value] if isinstance(value, int) else value
        case t.SetType() | t.RowType() | t.OptionalType():
            if isinstance(value, frozenset):
                return frozenset(mapped(member, kind.inner, numbers) for member in value)
            if isinstance(value, tuple) and not isinstance(kind, t.OptionalType):
                return tuple(mapped(member, kind.inner, numbers) for member in value)
            return mapped(value, kind.inner, numbers)
        case t.TupleType():
            return tuple(mapped(member, of, numbers) for member, of in zip(value, kind.items, strict=True))
        case _:
            return value


def in_place(cards: list[int], unordered: bool, loose: Sequence[tuple[int, int]]) -> tuple[int, ...]:  # noqa: FBT001 - a column of the layout
    """The cards as a zone holds them: those without an order by their numbers."""
    if unordered:
        return tuple(sorted(cards))
    for low, high in loose:
        first, end = len(cards) - high, len(cards) - low
        cards[first:end] = sorted(cards[first:end])
    return tuple(cards)


def retell(
    game: Game, entries: list[Entry], table: State, changes: list[Change], secrets: dict[int, Entry]
) -> list[Entry]:
    """The entries with the cards of the world drawn, and a table beside them: whole piles go in the order that they
    have there.
    """
    numbers = list(range(len(game.layout.face)))
    told: list[Entry] = []
    waiting = iter(changes)
    change = next(waiting, None)
    for k, entry in enumerate(entries):
        while change is not None and change[0] <= k:
            for thread, card in change[1]:
                numbers[thread] = card
            change = next(waiting, None)
        made = _in_order(retold(secrets.get(k, entry), game, numbers), table)
        follow(table, made)
        told.append(made)
    return told


def _in_order(entry: Entry, table: State) -> Entry:
    if (
        entry[0] == MOVE
        and len(entry[1]) > 1
        and len(set(entry[2])) == 1
        and len(entry[1]) == len(table.Z[entry[2][0]])
    ):
        whole = table.Z[entry[2][0]]
        if table.loose[entry[2][0]] and set(whole) == set(entry[1]):
            return (MOVE, whole, entry[2], entry[3])
    elif entry[0] == SWAP and not len(entry[1]) == len(entry[2]) == 1:
        return (SWAP, table.Z[entry[3][0]], table.Z[entry[3][1]], entry[3])
    return entry


def retold(entry: Entry, game: Game, numbers: Numbers) -> Entry:
    """The entry with the new numbers of its cards."""
    match entry[0]:
        case k if k == MOVE:
            return (MOVE, tuple(numbers[c] for c in entry[1]), entry[2], entry[3])
        case k if k == SWAP:
            return (SWAP, tuple(numbers[c] for c in entry[1]), tuple(numbers[c] for c in entry[2]), entry[3])
        case k if k == SETTLE:
            return (SETTLE, entry[1], numbers[entry[2]], entry[3])
        case k if k in {REVEAL, LOOK}:
            return (k, tuple(numbers[c] for c in entry[1]), entry[2])
        case k if k == DECIDE:
            options = game.sites[entry[2]].options
            moves = entry[4]
            if any(holds_cards(kind) for option in options for kind in option.types):
                moves = [_raw(move, options[move[0]].types, numbers) for move in moves]
            return (DECIDE, entry[1], entry[2], _raw(entry[3], options[entry[3][0]].types, numbers), moves)
        case k if k == CHANCE:
            kind = game.draws[entry[1]].type
            drawn = tuple([mapped(value, kind, numbers) for value in candidates] for candidates in entry[3:])
            return (CHANCE, entry[1], mapped(entry[2], kind, numbers), *drawn)
        case k if k in {WRITE, SHOW}:
            slot, value = _written(game, entry[1], entry[2], numbers)
            return (k, slot, value, *entry[3:])
        case k if k == FACT:
            return _fact(entry, game, numbers)
        case _:
            return entry


def _raw(raw: Raw, types: Sequence[t.Type], numbers: Numbers) -> Raw:
    return (raw[0], *(mapped(value, kind, numbers) for value, kind in zip(raw[1:], types, strict=True)))


def _written(game: Game, slot: int, value: Value, numbers: Numbers) -> tuple[int, Value]:
    place = game.layout.var_slots[slot]
    if isinstance(place.decl, nodes.Mark):
        card = place.indexes[0]
        return slot - card + numbers[card], value
    return slot, mapped(value, game.checked.declared[place.decl.type], numbers)


def _fact(entry: Entry, game: Game, numbers: Numbers) -> Entry:
    _, viewers, number, facts, frame = entry
    cards = card_names(game, number)
    told = tuple(
        (tuple(numbers[name] if k in cards else name for k, name in enumerate(names)), value) for names, value in facts
    )
    made = list(frame)
    for slot in frame[CODE].live_cards[frame[AT] - 1]:
        made[slot] = renumbered(made[slot], numbers)
    return (FACT, viewers, number, told, tuple(made))
