"""The cards and the table of the reference implementation of Egonomy.

A card is its face: topic A, B or C, rank 1..9, mark 0 (none), 3 or 4. How the marks fall is unknown (EGN-A05), so
COMPOSITIONS makes it up: 27 unmarked cards, one of each topic and rank, and the 13 cards of MARKED, in that order; the
first m3 of them carry a 3, the others a 4. The k-th marked card (from 0) has rank 1 + k mod 9 and the topic in place
(k + k // 9) mod 3, so that all forty cards differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

TOPICS = "ABC"
SUPPLY = 9
CARDS = 40


class ArgumentCard(NamedTuple):
    """The face of a card."""

    topic: str
    rank: int
    mark: int = 0


UNMARKED = tuple(ArgumentCard(topic, rank) for topic in TOPICS for rank in range(1, 10))
MARKED = ("A1", "B2", "C3", "A4", "B5", "C6", "A7", "B8", "C9", "B1", "C2", "A3", "B4")
MARKED_THREE = {"twelve_one": 12, "six_seven": 6, "nine_four": 9}


def _with_marks(threes: int) -> tuple[ArgumentCard, ...]:
    marked = [ArgumentCard(text[0], int(text[1]), 3 if k < threes else 4) for k, text in enumerate(MARKED)]
    return (*UNMARKED, *marked)


COMPOSITIONS: dict[str, tuple[ArgumentCard, ...]] = {name: _with_marks(n) for name, n in MARKED_THREE.items()}


@dataclass(frozen=True)
class Round:
    """A round that is over: ego by seat, and the seats from the first place to the last."""

    egos: tuple[int, ...]
    order: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """What lies on the table: everything sorted; cards on topic tables by rank; captured cards by seat."""

    hands: tuple[tuple[ArgumentCard, ...], ...]
    tables: tuple[tuple[ArgumentCard, ...], ...]
    flipped: tuple[bool, ...]
    captured: tuple[tuple[ArgumentCard, ...], ...]
    discard: tuple[ArgumentCard, ...]
    removed: tuple[ArgumentCard, ...]
    removed_lies_in_discard: bool
    trophies: tuple[int, ...]
    supply: int
    starter: int
    on_turn: int


@dataclass(frozen=True)
class Layout:
    """A round from which to play on, before a turn of `mover`; cards that it does not name are out of the round."""

    hands: Sequence[Sequence[ArgumentCard]]
    tables: Sequence[Sequence[ArgumentCard]] = ((), (), ())
    flipped: Sequence[bool] = (False, False, False)
    captured: Sequence[Sequence[ArgumentCard]] | None = None
    trophies: Sequence[int] | None = None
    mover: int = 0
    starter: int | None = None
    rounds: Sequence[Round] = ()


def composition(cards: str | Sequence[ArgumentCard]) -> tuple[ArgumentCard, ...]:
    """The forty cards; ValueError for an unknown name or another number of cards."""
    if isinstance(cards, str):
        if cards not in COMPOSITIONS:
            raise ValueError(f"no composition `{cards}`")
        return COMPOSITIONS[cards]
    if len(cards) != CARDS:
        raise ValueError(f"{len(cards)} cards instead of {CARDS}")
    return tuple(cards)


def cards_for(cards: Sequence[ArgumentCard], players: int) -> tuple[ArgumentCard, ...]:
    """The cards that are not returned to the box (EGN-10); ValueError if no even deal exists (EGN-11, EGN-12)."""
    if players not in (2, 3, 4):
        raise ValueError(f"Egonomy is not for {players} players")
    kept = tuple(card for card in cards if card.mark <= players)
    dealt = len(kept) - (1 if players == 2 else 0)
    if dealt <= 0 or dealt % players:
        raise ValueError(f"cannot deal {dealt} cards evenly to {players} players")
    return kept
