"""The table of the reference implementation of Egocentric World: cards, how they move, how questions are put.

Cards are bare faces 1..12, players are seats 0..n-1 clockwise, and chance is lazy: the deck is a multiset, and the face
of its top card is drawn when the card leaves it. READINGS lists, for each ambiguity (EW-Ann) that changes play, the
answers, default first; what an answer leaves open is settled in `reference_egocentric`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.lockstep.reference_nodes import (
    Chance,
    Decision,
    Move,
    Node,
    Result,
    RoundOver,
    Script,
    StuckError,
    Telling,
)

READINGS: dict[str, tuple[str, ...]] = {
    "setup_order": ("flip_then_deal", "deal_then_flip"),  # EW-A02
    "reshuffle": ("eager", "lazy"),  # EW-A03
    "reshuffled_cards": ("whole_pile", "all_but_top", "whole_then_flip"),  # EW-A04
    "abilities": ("optional", "compulsory", "compulsory_with_shield"),  # EW-A05
    "end_of_round_check": ("before_ability", "after_ability", "after_ability_if_still_empty"),  # EW-A06
    "empty_hand": ("any_player", "turn_player"),  # EW-A07
    "replacement": ("atomic", "two_steps"),  # EW-A08
    "eight_values": ("own_use", "announcements", "everywhere"),  # EW-A09
    "eight_ability": ("value_only", "shields_too"),  # EW-A10
    "second_stop": ("legal", "illegal"),  # EW-A11
    "last_lap": ("chain", "one_last_turn"),  # EW-A12
    "picks": ("one_by_one", "both_first"),  # EW-A14
    "penalty": ("one", "one_per_wrong_value"),  # EW-A15
    "own_announcement": ("legal", "illegal"),  # EW-A17
    "shield_window": ("at_designation", "after_pick"),  # EW-A18
    "two_shields": ("clockwise_if_needed", "simultaneous"),  # EW-A19
    "shield_effect": ("whole_ability", "target_only"),  # EW-A20
    "shield_own_designation": ("no", "yes"),  # EW-A21
    "first_player": ("round_score", "total_score", "highest_countdown"),  # EW-A22; the last in Italian only
    "reaching_target": ("at_least", "exactly"),  # EW-A23
    "winner_tie": ("shared", "random"),  # EW-A24
    "length": ("until_target", "single_round", "agreed_rounds"),  # EW-A25
    "pairs": ("usable_values", "printed_values"),  # EW-A28
}

FACES = range(1, 13)  # EW-A01: five of each is an inference
COPIES = 5
WILD, SHIELD, GLASS, TWO_CARDS, HOURGLASS = 8, 9, 10, 11, 12


@dataclass(frozen=True)
class Table:
    """What lies on the table: sorted hands, the pile from its top, the size of the deck; `held` is a card under way."""

    hands: tuple[tuple[int, ...], ...]
    pile: list[int]
    deck: int
    held: tuple[int, ...]
    totals: tuple[int, ...]
    stopper: int | None
    on_turn: int | None


@dataclass(frozen=True)
class Layout:
    """A table from which to play on: hands by seat, pile from its top, deck (if None, the rest of the 60 cards)."""

    hands: Sequence[Sequence[int]]
    pile: Sequence[int]
    deck: Sequence[int] | None = None
    mover: int = 0
    stopper: int | None = None
    totals: Sequence[int] | None = None


def printed(face: int) -> set[int]:
    return {face}


def usable(face: int) -> set[int]:
    """The values that the player on turn may give a card in her hand or on top of the pile (EW-36)."""
    return {7, 8, 9} if face == WILD else {face}


class CardTable(Telling):
    """Sixty cards, what the rules do with them by themselves, and the ways of asking; knows nothing of turns.

    The methods that may ask something are generators: they yield a Decision or a Chance and are sent the answer.
    """

    READINGS = READINGS

    def __init__(self, players: int, readings: Mapping[str, str], hand_size: int) -> None:
        if players < 2 or not 1 <= hand_size * players <= COPIES * len(FACES) - 2:
            raise ValueError(f"cannot deal {hand_size} cards to each of {players} players")
        super().__init__(players, readings)
        self.hand_size = hand_size
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.pile: list[int] = []  # from the top
        self.deck: Counter[int] = Counter(dict.fromkeys(FACES, COPIES))
        self.held: list[int] = []
        self.on_turn: int | None = None
        self._emptied = False

    def all_cards(self) -> Counter[int]:
        """How many of each face exist anywhere (never changes during a game)."""
        cards = self.deck + Counter(self.pile) + Counter(self.held)
        for hand in self.hands:
            cards.update(hand)
        return cards

    def _lay(self, layout: Layout) -> None:
        self.hands = [list(hand) for hand in layout.hands]
        self.pile = list(layout.pile)
        if layout.deck is not None:
            self.deck = Counter(layout.deck)
        else:
            for cards in (self.pile, *self.hands):
                self.deck.subtract(cards)
        if min(self.deck.values(), default=0) < 0:
            raise ValueError("the layout has more cards of a face than exist")
        self.on_turn = layout.mover

    # --- asking ---------------------------------------------------------------------------------------------------

    def _may(self, player: int, options: list[Move]) -> Script[Move | None]:
        """Offer an ability of a played card (EW-17, EW-A05); None when it is not used."""
        if self._reads("abilities", "optional"):
            move = yield from self._decide(player, [("may", "no"), *options])
            return None if move == ("may", "no") else move
        return (yield from self._decide(player, options)) if options else None

    # --- moving cards ---------------------------------------------------------------------------------------------

    def _top_of_deck(self) -> Script[int]:
        face = yield from self._chance("top of deck", self.deck)
        self.deck[face] -= 1
        return face

    def _flip(self) -> Script[None]:
        """Turn the top of the deck onto the pile: neither played nor discarded, nothing is triggered (EW-07)."""
        self.pile.insert(0, (yield from self._top_of_deck()))

    def _can_reshuffle(self) -> bool:
        return len(self.pile) > (0 if self._reads("reshuffled_cards", "whole_pile") else 1)

    def _reshuffle(self) -> Script[None]:
        kept = self.pile[:1] if self._reads("reshuffled_cards", "all_but_top") else []
        self.deck.update(self.pile[len(kept) :])
        self.pile = kept
        if self._reads("reshuffled_cards", "whole_then_flip"):
            yield from self._flip()

    def _can_draw(self) -> bool:
        return self.deck.total() > 0 or self._can_reshuffle()

    def _draw(self) -> Script[int]:
        """Take the top of the deck, rebuilding an empty one first (which only the lazy reading leaves to do)."""
        if self.deck.total() == 0:
            yield from self._reshuffle()
        return (yield from self._top_of_deck())

    def _somebody_is_out(self) -> bool:
        if self._reads("empty_hand", "turn_player"):
            assert self.on_turn is not None
            return not self.hands[self.on_turn]
        return not all(self.hands)

    def _settle(self) -> Script[None]:
        """What the rules do by themselves after each change: first rebuild the deck, then look at the hands."""
        if self._reads("reshuffle", "eager") and self.deck.total() == 0 and self._can_reshuffle():
            yield from self._reshuffle()
        if self._somebody_is_out():
            self._emptied = True
            if self._reads("end_of_round_check", "before_ability"):
                raise RoundOver

    def _to_pile(self, cards: Sequence[tuple[int, int]]) -> Script[None]:
        """Move (player, card) after (player, card) from hand to pile, as one change."""
        for player, card in cards:
            self.hands[player].remove(card)
            self.pile.insert(0, card)
        yield from self._settle()

    def _replace(self, mover: int, old: int) -> Script[None]:
        """The held card takes the place of `old`, which goes on the pile (EW-20, EW-22, EW-A08)."""
        if self._reads("replacement", "two_steps"):
            yield from self._to_pile([(mover, old)])
            self.hands[mover].append(self.held.pop())
        else:
            self.hands[mover].append(self.held.pop())
            yield from self._to_pile([(mover, old)])

    def _exchange(self, taken: Mapping[int, int]) -> Script[None]:
        """Two players' chosen cards change places (EW-29)."""
        (a, from_a), (b, from_b) = taken.items()
        self.hands[a].remove(from_a)
        self.hands[b].remove(from_b)
        if self._reads("replacement", "two_steps"):
            self.held = [from_a, from_b]
            yield from self._settle()
            self.held = []
        self.hands[a].append(from_b)
        self.hands[b].append(from_a)
        yield from self._settle()


__all__ = [
    "COPIES",
    "FACES",
    "GLASS",
    "HOURGLASS",
    "READINGS",
    "SHIELD",
    "TWO_CARDS",
    "WILD",
    "CardTable",
    "Chance",
    "Decision",
    "Layout",
    "Move",
    "Node",
    "Result",
    "RoundOver",
    "Script",
    "StuckError",
    "Table",
    "printed",
    "usable",
]
