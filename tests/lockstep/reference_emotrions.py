"""A second EmotrionsOnCards, written from the sentences, to play in lockstep with the rulebook.

It shares nothing with the interpreter. Codes EMO-nn name sentences, EMO-Ann ambiguities; READINGS lists the answers,
default first. A card is its face, a name of VALUES; there are four of each (EMO-A01).

The only move is ("bet", card) or ("bet", card, card), two cards in the order of VALUES.

Where the sentences or an answer to a reading leave a detail open, this file decides:

* Chance, in order: who leads the first partida ("who leads", EMO-A23), any with equal chances; at each partida the
  deal, seat by seat from seat 0 among those still in, a node a card ("card dealt"). The bank is never looked at again
  (EMO-A19).
* partida_leader, who leads a partida that is no replay: "external", again any of those still in; "next_seat", the
  next clockwise of them. After a tie, and for a partida played again, the same player leads, or, if she is not in it,
  the next clockwise who is.
* Bets are laid one after another, clockwise from the leader, face up (EMO-A03); who holds no cards is passed over
  (EMO-A12). Every bet is a decision, even with one move. A leader without cards gives way to the next who has some.
* Two cards: same_sign "sign", both positive or both negative; "emotrion", two of one name. Neither for Hunger, which
  stays alone. Indecision goes with every card but Hunger, and with another Indecision unless double_indecision
  forbids.
* lone_indecision "bet": a bet of strength 0. "skip": its player is out of this round and cannot win it; the card goes
  where the others' cards go. "passes_lead": as a bet, but when the leader lays it and somebody is still to bet, the
  next to bet becomes the leader of this round; among equals those who passed the lead come last.
* A round that nobody wins (everyone skipped, or zero_round "nobody" where all strengths are 0): its cards are
  discarded, and its leader leads again.
* collecting "winner_takes": the winner gets all cards of the round; "winner_own": only those that she laid, the
  others are discarded; "everyone_keeps": each gets her own.
* Hunger "after_all": all lay cards, then they are discarded, Hunger too (EMO-A09). "at_once": the round ends with it.
* after_hunger "previous_winner": who last won a round of this partida leads, or, if nobody has, the leader leads
  again.
* A partida is over as soon as at most one player holds cards when a round would begin. leftover "always" adds them to
  her pile; "if_all_ended_together" only if everyone else held cards when the last round began; else they are
  discarded.
* After each partida, in this order: its points are added to the totals; who is negative is eliminated; who alone is
  left has won; if the game is at its end, the target decides. It is at its end when somebody still in has 37 (length
  "accumulated"), after one partida ("one_partida"), or after a tie-break partida.
* target "nearest": smallest distance to 37. "without_passing": of those at 37 or less the highest; if all have
  passed, the lowest. "first_past": of those at 37 or more the lowest; if none is there, the highest.
* A tie is replayed by "all" still in, or by the "tied" alone, the others being out of the game then. tie_totals
  "fresh": those who play it start again from 0.
* negative "total" or "partida" says which of the two must not be negative. eliminated "first_ever": the first time
  that somebody is negative, all who are so then are out, and nobody ever after.
* all_negative, when everyone still in would be eliminated at once: "replay": the partida does not count and is played
  again, the same leading; "highest": the game ends, highest total first, equals share; "nobody": it ends without
  winner.
* Only the winner is told from the rest: all others share the place after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from tests.lockstep.reference_nodes import Move, Result, Script, Telling

READINGS: dict[str, tuple[str, ...]] = {
    "same_sign": ("sign", "emotrion"),  # EMO-A02
    "collecting": ("winner_takes", "winner_own", "everyone_keeps"),  # EMO-A04
    "next_leader": ("winner", "next_seat"),  # EMO-A05
    "lone_indecision": ("bet", "skip", "passes_lead"),  # EMO-A06
    "double_indecision": ("legal", "illegal"),  # EMO-A07
    "zero_round": ("first_bettor", "nobody"),  # EMO-A07
    "hunger": ("after_all", "at_once"),  # EMO-A08
    "after_hunger": ("leader_again", "previous_winner"),  # EMO-A10
    "leftover": ("always", "if_all_ended_together"),  # EMO-A11
    "target": ("nearest", "without_passing", "first_past"),  # EMO-A13
    "length": ("accumulated", "one_partida"),  # EMO-A14
    "tie_players": ("all", "tied"),  # EMO-A15
    "tie_totals": ("carried", "fresh"),  # EMO-A15
    "negative": ("total", "partida"),  # EMO-A16
    "eliminated": ("each", "first_ever"),  # EMO-A16
    "all_negative": ("replay", "highest", "nobody"),  # EMO-A17
    "partida_leader": ("external", "next_seat"),  # EMO-A23
}

JOY, LOVE, KINDNESS, STRENGTH = "Joy", "Love", "Kindness", "Strength"
SADNESS, HATE, FURY = "Sadness", "Hate", "Fury"
HUNGER, INDECISION = "Hunger", "Indecision"
VALUES = {
    JOY: 1,
    LOVE: 3,
    KINDNESS: 5,
    STRENGTH: 7,
    SADNESS: -1,
    HATE: -3,
    FURY: -5,
    HUNGER: 0,
    INDECISION: 0,
}
COPIES = 4


@dataclass(frozen=True)
class Bet:
    """What a player has laid in this round."""

    player: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """What lies on the table: sorted hands, piles and discards, the bets in order, the size of the bank, counters."""

    hands: tuple[tuple[str, ...], ...]
    bets: tuple[Bet, ...]
    piles: tuple[tuple[str, ...], ...]
    discard: tuple[str, ...]
    bank: int
    totals: tuple[int, ...]
    playing: tuple[int, ...]
    leader: int


@dataclass(frozen=True)
class Layout:
    """A partida from which to play on, before a round that `leader` leads; cards that it does not name are the bank."""

    hands: Sequence[Sequence[str]]
    piles: Sequence[Sequence[str]] | None = None
    totals: Sequence[int] | None = None
    leader: int = 0


def strength(cards: Sequence[str]) -> int:
    """The absolute value of a bet of one or two cards (EMO-15, EMO-17, EMO-20..22, EMO-A21)."""
    doubled = 2 if len(cards) == 2 and INDECISION in cards else 1
    return doubled * abs(sum(VALUES[card] for card in cards))


class Reference(Telling):
    """One game in progress: `node`, `apply`, `table`, and `partidas`, the points of all that are over."""

    READINGS = READINGS

    def __init__(
        self,
        players: int,
        *,
        readings: Mapping[str, str] | None = None,
        hand_size: int = 6,
        goal: int = 37,
        layout: Layout | None = None,
    ) -> None:
        """Start a game, or (with `layout`) begin before a round in the middle of a partida.

        ValueError for a number of players or cards that cannot be dealt, or an unknown reading.
        """
        if not 2 <= players <= 6 or not 1 <= hand_size * players <= COPIES * len(VALUES):
            raise ValueError(f"cannot deal {hand_size} cards to each of {players} players")
        super().__init__(players, readings)
        self.hand_size, self.goal = hand_size, goal
        self.bank: Counter[str] = Counter(dict.fromkeys(VALUES, COPIES))
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.piles: list[list[str]] = [[] for _ in range(players)]
        self.bets: list[Bet] = []
        self.discard: list[str] = []
        self.totals = [0] * players
        self.playing = list(range(players))
        self.leader = 0
        self.last_winner: int | None = None
        self.ended_together = True
        self.anybody_was_eliminated = False
        self.partidas: list[tuple[int, ...]] = []
        if layout is not None:
            self._lay(layout)
        self._begin(self._game(laid=layout is not None))

    def _lay(self, layout: Layout) -> None:
        self.hands = [list(hand) for hand in layout.hands]
        self.piles = [list(pile) for pile in layout.piles or self.piles]
        self.totals = list(layout.totals or self.totals)
        self.leader = layout.leader
        for cards in (*self.hands, *self.piles):
            self.bank.subtract(cards)
        if min(self.bank.values()) < 0:
            raise ValueError("the layout has more cards of a face than exist")

    def table(self) -> Table:
        """The cards and counters, in a form that two implementations can compare."""
        return Table(
            hands=tuple(tuple(sorted(hand)) for hand in self.hands),
            bets=tuple(self.bets),
            piles=tuple(tuple(sorted(pile)) for pile in self.piles),
            discard=tuple(sorted(self.discard)),
            bank=self.bank.total(),
            totals=tuple(self.totals),
            playing=tuple(self.playing),
            leader=self.leader,
        )

    def all_cards(self) -> Counter[str]:
        """How many of each face exist anywhere (never changes)."""
        cards = self.bank + Counter(self.discard)
        for place in (*self.hands, *self.piles, *(bet.cards for bet in self.bets)):
            cards.update(place)
        return cards

    # --- the game (EMO-27..33) ------------------------------------------------------------------------------------

    def _game(self, *, laid: bool) -> Script[Result]:
        if not laid:
            self.leader = yield from self._some_player("who leads", self.playing)
        again, tie_break = False, False
        while True:
            if not laid:
                yield from self._deal()
            laid = False
            first = self.leader
            before = list(self.totals)
            yield from self._partida()
            points = self._add_up()
            negative = self._negative(points)
            if len(negative) == len(self.playing):
                if not self._reads("all_negative", "replay"):
                    return self._nobody_left()
                self.totals = before
                again = True
            else:
                self._eliminate(negative)
                winners = self._winners(tie_break=tie_break)
                if len(winners) == 1:
                    return self._result(winners)
                again = tie_break = len(winners) > 1
                if tie_break:
                    self._prepare_tie_break(winners)
            yield from self._choose_leader(first, again=again)

    def _add_up(self) -> tuple[int, ...]:
        points = tuple(sum(VALUES[card] for card in pile) for pile in self.piles)
        for player in self.playing:
            self.totals[player] += points[player]
        self.partidas.append(points)
        return points

    def _negative(self, points: Sequence[int]) -> list[int]:
        """Those still in who are to be eliminated (EMO-32, EMO-A16, EMO-A18)."""
        if self.anybody_was_eliminated and self._reads("eliminated", "first_ever"):
            return []
        counted = self.totals if self._reads("negative", "total") else points
        return [player for player in self.playing if counted[player] < 0]

    def _eliminate(self, players: Sequence[int]) -> None:
        self.playing = [player for player in self.playing if player not in players]
        self.anybody_was_eliminated = self.anybody_was_eliminated or bool(players)

    def _winners(self, *, tie_break: bool) -> list[int]:
        """Nobody while the game goes on; several for a tie (EMO-30, EMO-33)."""
        if len(self.playing) == 1:
            return self.playing
        at_end = tie_break or self._reads("length", "one_partida")
        if not at_end and max(self.totals[player] for player in self.playing) < self.goal:
            return []
        keys = {player: self._closeness(self.totals[player]) for player in self.playing}
        return [player for player in self.playing if keys[player] == min(keys.values())]

    def _closeness(self, total: int) -> tuple[int, int]:
        """Smaller is better."""
        distance = abs(self.goal - total)
        if self._reads("target", "without_passing"):
            return int(total > self.goal), distance
        if self._reads("target", "first_past"):
            return int(total < self.goal), distance
        return 0, distance

    def _prepare_tie_break(self, tied: list[int]) -> None:
        if self._reads("tie_players", "tied"):
            self.playing = tied
        if self._reads("tie_totals", "fresh"):
            for player in self.playing:
                self.totals[player] = 0

    def _choose_leader(self, first: int, *, again: bool) -> Script[None]:
        """Who leads the next partida; `first` led the one that is over."""
        if again:
            self.leader = next(player for player in self._clockwise_from(first) if player in self.playing)
        elif self._reads("partida_leader", "next_seat"):
            after = self._clockwise_from(first)[1:]
            self.leader = next(player for player in after if player in self.playing)
        else:
            self.leader = yield from self._some_player("who leads", self.playing)

    def _nobody_left(self) -> Result:
        if self._reads("all_negative", "nobody"):
            return Result((1,) * self.players, (), tuple(self.totals))
        highest = max(self.totals[player] for player in self.playing)
        return self._result([player for player in self.playing if self.totals[player] == highest])

    def _result(self, winners: Sequence[int]) -> Result:
        places = tuple(1 if player in winners else 1 + len(winners) for player in range(self.players))
        return Result(places, tuple(winners), tuple(self.totals))

    # --- a partida (EMO-12, EMO-13, EMO-26) -----------------------------------------------------------------------

    def _deal(self) -> Script[None]:
        self.bank = self.all_cards()
        self.hands = [[] for _ in range(self.players)]
        self.piles = [[] for _ in range(self.players)]
        self.discard = []
        for player in self.playing:
            for _ in range(self.hand_size):
                card = yield from self._chance("card dealt", self.bank)
                self.bank[card] -= 1
                self.hands[player].append(card)

    def _holders(self) -> list[int]:
        return [player for player in self.playing if self.hands[player]]

    def _partida(self) -> Script[None]:
        self.last_winner = None
        self.ended_together = True
        while len(self._holders()) > 1:
            began = self._holders()
            yield from self._round()
            self.ended_together = len(began) == len(self.playing)
        for player in self._holders():
            if self.ended_together or self._reads("leftover", "always"):
                self.piles[player] += self.hands[player]
            else:
                self.discard += self.hands[player]
            self.hands[player] = []

    # --- a round (EMO-06..08, EMO-14..25) -------------------------------------------------------------------------

    def _round(self) -> Script[None]:
        self.leader = self._first_with_cards(self.leader)
        passed: list[int] = []
        order = [player for player in self._clockwise_from(self.leader) if self.hands[player]]
        for player, following in zip(order, [*order[1:], None], strict=True):
            move = yield from self._decide(player, self._bets(player))
            cards = move[1:]
            for card in cards:
                self.hands[player].remove(card)
            self.bets.append(Bet(player, cards))
            if cards == (HUNGER,) and self._reads("hunger", "at_once"):
                break
            lone = cards == (INDECISION,) and player == self.leader
            if lone and following is not None and self._reads("lone_indecision", "passes_lead"):
                passed.append(player)
                self.leader = following
        self._end_of_round(passed)

    def _first_with_cards(self, player: int) -> int:
        return next(other for other in self._clockwise_from(player) if self.hands[other])

    def _bets(self, player: int) -> list[Move]:
        hand = Counter(self.hands[player])
        faces = [card for card in VALUES if hand[card]]
        pairs = [
            (card, other)
            for card, other in combinations_with_replacement(faces, 2)
            if (card != other or hand[card] > 1) and self._may_combine(card, other)
        ]
        return [("bet", card) for card in faces] + [("bet", *pair) for pair in pairs]

    def _may_combine(self, card: str, other: str) -> bool:
        if HUNGER in (card, other):
            return False
        if card == other == INDECISION:
            return self._reads("double_indecision", "legal")
        if INDECISION in (card, other):
            return True
        return VALUES[card] * VALUES[other] > 0 if self._reads("same_sign", "sign") else card == other

    def _end_of_round(self, passed: Sequence[int]) -> None:
        bets, self.bets = self.bets, []
        if any(bet.cards == (HUNGER,) for bet in bets):
            self.discard += [card for bet in bets for card in bet.cards]
            if self._reads("after_hunger", "previous_winner") and self.last_winner is not None:
                self.leader = self.last_winner
            return
        winner = self._winner(bets, passed)
        if winner is None:
            self.discard += [card for bet in bets for card in bet.cards]
            return
        for bet in bets:
            self._collect(bet, winner)
        self.last_winner = winner
        if self._reads("next_leader", "winner"):
            self.leader = winner
        else:
            self.leader = (self.leader + 1) % self.players

    def _winner(self, bets: Sequence[Bet], passed: Sequence[int]) -> int | None:
        in_order = [bet for bet in bets if bet.player not in passed] + [bet for bet in bets if bet.player in passed]
        if self._reads("lone_indecision", "skip"):
            in_order = [bet for bet in in_order if bet.cards != (INDECISION,)]
        if not in_order:
            return None
        best = max(strength(bet.cards) for bet in in_order)
        if best == 0 and self._reads("zero_round", "nobody"):
            return None
        return next(bet.player for bet in in_order if strength(bet.cards) == best)

    def _collect(self, bet: Bet, winner: int) -> None:
        if self._reads("collecting", "winner_takes") or bet.player == winner:
            self.piles[winner] += bet.cards
        elif self._reads("collecting", "everyone_keeps"):
            self.piles[bet.player] += bet.cards
        else:
            self.discard += bet.cards
