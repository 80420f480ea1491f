"""Whole games explored, against an enumeration that shares nothing with the interpreter.

The rules are those of the reference implementations; what a state is, and in which order things happen, is written
here anew. `EGODSL_FULL=1` runs the large ones, which take minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from egodsl.engine.game import Game, load
from egodsl.verify.explore import Exploration, explore
from egodsl.verify.properties import properties_of
from tests.lockstep import reference_ego as ego
from tests.lockstep import reference_egonomy as egonomy

RULEBOOKS = Path(__file__).parents[2] / "rulebooks"
FULL = bool(os.environ.get("EGODSL_FULL"))

Node: TypeAlias = tuple[Any, ...]


def enumerated(
    first: Node, successors: Callable[[Node], Iterable[Node]], key: Callable[[Node], Hashable] = lambda node: node
) -> tuple[int, int, int, int]:
    """States, transitions, ends (states without successors) and depth of what can be reached, up to the key."""
    seen: set[Hashable] = {key(first)}
    level = [first]
    transitions = ends = depth = 0
    while level:
        following: list[Node] = []
        for node in level:
            after = list(successors(node))
            transitions += len(after)
            ends += not after
            for one in after:
                if key(one) not in seen:
                    seen.add(key(one))
                    following.append(one)
        level = following
        depth += bool(level)
    return len(seen), transitions, ends, depth


def explored(game: Game, *, reduce: bool) -> Exploration:
    # What the rulebooks claim of all of their cards is not so of a few.
    builtin = [prop for prop in properties_of(game.rulebook) if prop.builtin is not None]
    return explore(game, None, builtin, reduce=reduce)


def figures(made: Exploration) -> tuple[int, int, int, int]:
    assert made.complete
    assert not made.violations
    return made.states, made.transitions, made.ends, made.depth


# ---------------------------------------------------------------- Egonomy: one round of two players

Card = egonomy.ArgumentCard
Cards: TypeAlias = tuple[egonomy.ArgumentCard, ...]


class EgonomyRound:
    """The nodes of one round: ("first",), ("aside", starter), ("deal", starter, aside, hand, hand), ("act", starter,
    aside, table, mover, momentum) and ("end", aside, table, order, momentum).
    """

    def __init__(self, cards: Iterable[Card], hand: int) -> None:
        self.cards = tuple(sorted(cards))
        self.hand = hand
        self.rules: Any = egonomy.Reference(2)

    def successors(self, node: Node) -> list[Node]:
        match node:
            case ("first",):
                return [("aside", starter) for starter in (0, 1)]
            case ("aside", starter):
                return [self._dealt(starter, card, (), ()) for card in self.cards]
            case ("deal", starter, aside, one, other):
                return [self._deal(starter, aside, one, other, card) for card in self._deck(aside, one, other)]
            case ("act", starter, aside, table, mover, momentum):
                return self._acted(starter, aside, table, mover, momentum)
            case _:
                return []

    def _deck(self, aside: Card, one: Cards, other: Cards) -> Cards:
        return tuple(card for card in self.cards if card not in {aside, *one, *other})

    def _deal(self, starter: int, aside: Card, one: Cards, other: Cards, card: Card) -> Node:
        if len(one) < self.hand:
            return self._dealt(starter, aside, tuple(sorted((*one, card))), other)
        return self._dealt(starter, aside, one, tuple(sorted((*other, card))))

    def _dealt(self, starter: int, aside: Card, one: Cards, other: Cards) -> Node:
        # The last card of the deck leaves nothing to chance.
        left = self._deck(aside, one, other)
        if len(left) == 1:
            other = tuple(sorted((*other, *left)))
        if len(other) < self.hand:
            return ("deal", starter, aside, one, other)
        return ("act", starter, aside, ((one, other), ((), (), ()), ((), ()), ()), starter, False)

    def _lay(self, table: Node) -> None:
        hands, tables, captured, discard = table
        rules = self.rules
        rules.hands = [list(hand) for hand in hands]
        rules.tables = [list(cards) for cards in tables]
        rules.captured = [list(cards) for cards in captured]
        rules.discard = list(discard)

    def _table(self) -> Node:
        rules = self.rules
        groups = (rules.hands, rules.tables, rules.captured)
        return (*(tuple(tuple(sorted(cards)) for cards in group) for group in groups), tuple(sorted(rules.discard)))

    def _acted(self, starter: int, aside: Card, table: Node, mover: int, momentum: bool) -> list[Node]:  # noqa: FBT001 - part of a node
        self._lay(table)
        found: list[Node] = []
        # The rules of single actions are the reference's; their order is this file's.
        for move in self.rules._actions(mover):  # noqa: SLF001
            self._lay(table)
            gains = self.rules._perform(mover, move)  # noqa: SLF001
            after = self._table()
            if not all(after[0]):
                # The round is over before momentum is gained.
                found.append(("end", aside, after, self._order(starter, after), momentum))
            elif gains and not momentum:
                found.append(("act", starter, aside, after, mover, True))
            else:
                found.append(("act", starter, aside, after, 1 - mover, False))
        return found

    def _order(self, starter: int, table: Node) -> tuple[int, ...]:
        hands, _, captured, _ = table

        def place(player: int) -> tuple[int, int, int]:
            ego_left = len(captured[player]) - len(hands[player])
            return (-ego_left, sum(card.rank for card in hands[player]), -((player - starter) % 2))

        return tuple(sorted((0, 1), key=place))

    # ------------------------------------------------------------ who sits where, and what the topics are called

    def key(self, node: Node) -> Hashable:
        """The same for nodes that differ in seats or names of topics alone. (Cards are dealt from the first seat.)"""
        seats = [False] if node[0] == "deal" else [False, True]
        return min(self._renamed(node, topics, swap=swap) for topics in self._topics() for swap in seats)

    def _topics(self) -> list[dict[str, str]]:
        orders = [dict(zip("ABC", order, strict=True)) for order in permutations("ABC")]
        cards = set(self.cards)
        return [order for order in orders if {card._replace(topic=order[card.topic]) for card in cards} == cards]

    def _renamed(self, node: Node, topics: dict[str, str], *, swap: bool) -> Node:
        def renamed(part: Any) -> Any:  # noqa: ANN401 - any part of a node
            if isinstance(part, egonomy.ArgumentCard):
                return part._replace(topic=topics[part.topic])
            if isinstance(part, tuple) and all(isinstance(one, egonomy.ArgumentCard) for one in part):
                return tuple(sorted(map(renamed, part)))
            return tuple(map(renamed, part)) if isinstance(part, tuple) else part

        def seat(player: int) -> int:
            return 1 - player if swap else player

        def seats(table: Node) -> Node:
            hands, tables, captured, discard = renamed(table)
            laid = tuple(tables["ABC".index(next(old for old in "ABC" if topics[old] == new))] for new in "ABC")
            return (hands[::-1], laid, captured[::-1], discard) if swap else (hands, laid, captured, discard)

        match node:
            case ("aside", starter):
                return ("aside", seat(starter))
            case ("deal", starter, *cards):
                return ("deal", starter, *map(renamed, cards))
            case ("act", starter, aside, table, mover, momentum):
                return ("act", seat(starter), renamed(aside), seats(table), seat(mover), momentum)
            case ("end", aside, table, order, momentum):
                return ("end", renamed(aside), seats(table), tuple(map(seat, order)), momentum)
        return node


def egonomy_game(cards: int, hand: int) -> Game:
    return load(RULEBOOKS / "egonomy.rules").game(
        players=2,
        parameters={"number_of_rounds": 1},
        decks={"arguments": f"unmarked:{cards}"},
        counts={"hand_size": hand},
    )


SPREAD = ("A1", "B1", "C1", "A2", "B2", "C2", "A3")
"""The order in which cards are kept: each topic has its 1 before any has a 2."""


SIZES = pytest.mark.parametrize(("cards", "hand"), [(3, 1), (5, 2), *([(7, 3)] if FULL else [])], ids=str)


@SIZES
def test_one_round_of_egonomy(cards: int, hand: int) -> None:
    kept = [Card(text[0], int(text[1])) for text in SPREAD[:cards]]
    independent = EgonomyRound(kept, hand)
    made = explored(egonomy_game(cards, hand), reduce=False)
    assert figures(made) == enumerated(("first",), independent.successors)
    assert made.memory < 1000 * made.states


@SIZES
def test_one_round_of_egonomy_up_to_names(cards: int, hand: int) -> None:
    independent = EgonomyRound([Card(text[0], int(text[1])) for text in SPREAD[:cards]], hand)
    made = explored(egonomy_game(cards, hand), reduce=True)
    # The seats, and the topics of which the same ranks are there: three with three cards, two with five or seven.
    assert made.symmetries == {3: 12, 5: 4, 7: 4}[cards]
    assert figures(made) == enumerated(("first",), independent.successors, independent.key)


# ---------------------------------------------------------------- Ego: two players


class EgoGame:
    """The nodes of a game of two: ("youngest",), ("draw", on turn, pool, pile, used), ("answer", on turn, pool, pile,
    used, question), ("guess", ..., answer) and ("end", ..., answer, guess, pool after it).
    """

    def __init__(self, cards: tuple[int, int, int], tokens: int) -> None:
        self.pile = tuple(kind for kind, n in zip(ego.KINDS, cards, strict=True) for _ in range(n))
        self.tokens = tokens
        self.rules: Any = ego.Reference(2, tokens=tokens)

    def successors(self, node: Node) -> list[Node]:
        match node:
            case ("youngest",):
                return [self._turn(player, (self.tokens, self.tokens), self.pile, ()) for player in (0, 1)]
            case ("draw", player, pool, pile, used):
                return [self._drawn(player, pool, pile, used, question) for question in sorted(set(pile))]
            case ("answer", player, pool, pile, used, question):
                answers = self.rules._options(question)  # noqa: SLF001 - what can be answered is the reference's
                return [("guess", player, pool, pile, used, question, answer) for answer in answers]
            case ("guess", _, _, _, _, question, _):
                answers = self.rules._options(question)  # noqa: SLF001 - as above
                guesses = [(dot,) for dot in answers] + list(combinations(answers, 2))
                return [self._guessed(node, guess) for guess in guesses]
            case _:
                return []

    def _turn(self, player: int, pool: tuple[int, ...], pile: Node, used: Node) -> Node:
        if not pile:
            pile, used = tuple(sorted(used)), ()
        if len(pile) == 1:
            return self._drawn(player, pool, pile, used, pile[0])
        return ("draw", player, pool, pile, used)

    def _drawn(self, player: int, pool: tuple[int, ...], pile: Node, used: Node, question: str) -> Node:
        at = pile.index(question)
        return ("answer", player, pool, (*pile[:at], *pile[at + 1 :]), used, question)

    def _guessed(self, node: Node, guess: tuple[str, ...]) -> Node:
        _, player, pool, pile, used, question, answer = node
        rules = self.rules
        rules.on_turn, rules.answer, rules.guesses = player, answer, {1 - player: guess}
        rules.pool, rules.won = list(pool), [self.tokens - left for left in pool]
        rules._pay_out()  # noqa: SLF001 - what is paid is the reference's
        after = tuple(rules.pool)
        if 0 in after:
            return ("end", player, after, pile, used, question, answer, guess)
        return self._turn(1 - player, after, pile, tuple(sorted((*used, question))))


@pytest.mark.parametrize(
    ("cards", "tokens"), [((1, 0, 1), 2), ((1, 1, 1), 5), *([((2, 2, 2), 5), ((4, 4, 4), 5)] if FULL else [])], ids=str
)
def test_ego_to_five_tokens(cards: tuple[int, int, int], tokens: int) -> None:
    decks = ",".join(f"{kind}:{n}" for kind, n in zip(ego.KINDS, cards, strict=True) if n)
    game = load(RULEBOOKS / "ego.rules").game(players=2, parameters={"tokens": tokens}, decks={"questions": decks})
    independent = EgoGame(cards, tokens)
    made = explored(game, reduce=False)
    assert figures(made) == enumerated(("youngest",), independent.successors)
    assert made.memory < 1000 * made.states


# ---------------------------------------------------------------- Kuhn poker


def test_kuhn_poker_has_its_tree() -> None:
    # Two of three cards are dealt one by one. In each of the six deals four decisions are met, and five ends.
    made = explore(load(RULEBOOKS / "classics" / "kuhn_poker.rules").game(), reduce=False)
    assert figures(made) == (1 + 3 + 6 * (4 + 5), 3 + 6 + 6 * 8, 6 * 5, 5)
