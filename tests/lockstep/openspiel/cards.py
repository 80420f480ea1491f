"""Cards of the French deck as OpenSpiel numbers them, and the zones of a state by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.engine.views import zone_name

if TYPE_CHECKING:
    from egodsl.engine.state import State

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def rank_first(text: str, suits: str = "CDHS", ranks: tuple[str, ...] = RANKS) -> int:
    """The number of a card (`10H`) where cards are numbered rank by rank."""
    return ranks.index(text[:-1]) * len(suits) + suits.index(text[-1])


def suit_first(text: str, suits: str = "CDHS", ranks: tuple[str, ...] = RANKS) -> int:
    """The number of a card (`10H`) where cards are numbered suit by suit."""
    return suits.index(text[-1]) * len(ranks) + ranks.index(text[:-1])


def lying(state: State, zone: str) -> list[str]:
    """The cards of a zone (`hand[A]`) by their texts."""
    game = state.game
    (slot,) = (k for k in range(len(game.layout.slots)) if zone_name(game, k) == zone)
    return [game.texts.card(card, state) for card in state.Z[slot]]


def hands(cards: list[int], players: int, first: int = 0) -> list[list[int]]:
    """What each player gets, from player 0, if cards are dealt one at a time beginning with the player `first`."""
    return [cards[(p - first) % players :: players] for p in range(players)]
