"""A second Egonomy, written from the sentences, to play in lockstep with the rulebook.

It shares nothing with the interpreter. Codes EGN-nn and EGN-Gnn name sentences, EGN-Ann ambiguities; READINGS lists the
answers, default first. `reference_egonomy_table` has the cards and the compositions.

Moves: ("yap", table, card), ("dismiss", table), ("argue", table, card, card[, card]) by rising rank, ("acknowledge",
table, card), ("let go", card, card...) sorted, ("flip", table). Tables are 0, 1, 2, one for each topic A, B, C.

Where the sentences or an answer to a reading leave a detail open, this file decides:

* Chance, in order: once, the least egotistical player (EGN-08), any with equal chances; at each round, with two
  players, the card removed ("card removed"); then the deal, seat by seat from seat 0, a node a card ("card dealt").
* Every decision is put even when it has a single move. No card is drawn or shuffled at any other time.
* matching "majority": more than half of the cards of the run, so both of two and two of three.
* single_topic "label": the words name the table, whence no condition is left and every Argue gains momentum; "yap_too":
  a Yap gains it as well as a run of one topic.
* losing_argument "lost": a run that matches the table but does not win may be played; it goes face up on the discard
  pile, captures nothing, gains no momentum, and the table stays. (Onto an empty table nothing is lost: empty_table
  alone says whether it may be played.)
* A flipped table shows the topic after its own ("next": A shows B), before it ("previous"), or takes any card
  ("any_topic"). Flipping again shows its own topic. Cards discarded from a table lie face up.
* A second action owed by momentum that is impossible: forced_action "ends_round" ends the round where the rule of the
  mode is in force (EGN-G15), and elsewhere the game is stuck; "lost" ends the turn.
* no_action "never": the mode's rule does not exist, and without an action the game is stuck, as in the base game.
* momentum_and_empty_hand "act_first": after an action that gains momentum nobody's hand is looked at; after the next it
  is looked at as it is then. If no next action exists, the round ends.
* two_player_trophies "winner_only": the first gets two, the second none.
* match "four_trophies": on past the third round until somebody has four; when the supply is empty none are given, so
  that such a game may never end. Places are served in order from what the supply has.
* removed_card says where the two players' hidden card lies; no answer lets anybody see or use it.
* All forty cards are gathered before each round, save those returned to the box (EGN-A21).
* The final places are by trophies, then by the places of the last round played, hence never shared (EGN-A29).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product

from tests.lockstep.reference_egonomy_table import (
    COMPOSITIONS,
    SUPPLY,
    TOPICS,
    ArgumentCard,
    Layout,
    Round,
    Table,
    cards_for,
    composition,
)
from tests.lockstep.reference_nodes import Move, Result, RoundOver, Script, StuckError, Telling

Run = tuple[ArgumentCard, ...]

READINGS: dict[str, tuple[str, ...]] = {
    "acknowledging": ("everyone", "three_or_four"),  # EGN-A01; the second is broken: two players get stuck
    "matching": ("at_least_one", "every", "ignored", "majority"),  # EGN-A02
    "single_topic": ("run", "label", "yap_too"),  # EGN-A03
    "removed_card": ("out_of_round", "in_discard"),  # EGN-A07
    "empty_table": ("argue", "no_argue"),  # EGN-A08
    "equal_runs": ("do_not_beat", "beat"),  # EGN-A09
    "losing_argument": ("illegal", "lost"),  # EGN-A10
    "highest_run_on_fallacy": ("wins", "loses"),  # EGN-A11
    "forced_action": ("ends_round", "lost"),  # EGN-A13
    "momentum_and_empty_hand": ("round_ends", "act_first"),  # EGN-A16
    "ego": ("may_be_negative", "stops_at_zero"),  # EGN-A17
    "two_player_trophies": ("both", "winner_only"),  # EGN-A19
    "match": ("three_rounds_at_most", "four_trophies"),  # EGN-A20; the second may never end
    "flipped_topic": ("next", "previous", "any_topic"),  # EGN-A22
    "no_action": ("ends_round_in_mode", "never"),  # EGN-G15, A24
}


class Reference(Telling):
    """One game in progress: `node`, `apply`, `table`, and `rounds`, the rounds that are over."""

    READINGS = READINGS

    def __init__(
        self,
        players: int,
        *,
        flip_the_table: bool = False,
        readings: Mapping[str, str] | None = None,
        cards: str | Sequence[ArgumentCard] = "twelve_one",
        layout: Layout | None = None,
    ) -> None:
        """Start a game with a named composition or forty cards, or (with `layout`) begin in the middle of a round.

        ValueError for an unknown reading or composition, or cards that cannot be dealt evenly to so many players.
        """
        super().__init__(players, readings)
        self.flip_the_table = flip_the_table
        self.cards = cards_for(composition(cards), players)
        self.hands: list[list[ArgumentCard]] = [[] for _ in range(players)]
        self.tables: list[list[ArgumentCard]] = [[], [], []]
        self.flipped = [False, False, False]
        self.captured: list[list[ArgumentCard]] = [[] for _ in range(players)]
        self.discard: list[ArgumentCard] = []
        self.removed: list[ArgumentCard] = []
        self.trophies, self.supply = [0] * players, SUPPLY
        self.starter, self.on_turn, self.momentum_gained = 0, 0, False
        self.rounds: list[Round] = []
        if layout is not None:
            self._lay(layout)
        self._begin(self._game(laid=layout is not None))

    def _lay(self, layout: Layout) -> None:
        self.hands = [list(hand) for hand in layout.hands]
        self.tables = [list(cards) for cards in layout.tables]
        self.flipped = list(layout.flipped)
        self.captured = [list(cards) for cards in layout.captured or self.captured]
        self.trophies = list(layout.trophies or self.trophies)
        self.supply -= sum(self.trophies)
        self.on_turn = layout.mover
        self.starter = layout.mover if layout.starter is None else layout.starter
        self.rounds = list(layout.rounds)
        self.removed = list(self.cards)
        for cards in (*self.hands, *self.tables, *self.captured):
            for card in cards:
                self.removed.remove(card)

    def table(self) -> Table:
        """The cards and counters, in a form that two implementations can compare."""
        hidden = self._reads("removed_card", "in_discard")
        return Table(
            hands=tuple(tuple(sorted(hand)) for hand in self.hands),
            tables=tuple(tuple(sorted(cards, key=lambda card: card.rank)) for cards in self.tables),
            flipped=tuple(self.flipped),
            captured=tuple(tuple(sorted(cards)) for cards in self.captured),
            discard=tuple(sorted(self.discard)),
            removed=tuple(sorted(self.removed)),
            removed_lies_in_discard=hidden and bool(self.removed),
            trophies=tuple(self.trophies),
            supply=self.supply,
            starter=self.starter,
            on_turn=self.on_turn,
        )

    def everywhere(self) -> list[ArgumentCard]:
        """All cards of the game but those in the box, sorted (never changes once they are dealt)."""
        places = (*self.hands, *self.tables, *self.captured, self.discard, self.removed)
        return sorted(card for place in places for card in place)

    # --- the game (EGN-08..12, EGN-46..48, G16, G24) --------------------------------------------------------------

    def _game(self, *, laid: bool) -> Script[Result]:
        if not laid:
            self.starter = yield from self._some_player("least egotistical", range(self.players))
        while True:
            if not laid:
                yield from self._set_up()
                self.on_turn = self.starter
            laid = False
            yield from self._round()
            self._end_of_round()
            if self._game_over():
                return self._final()
            self.starter = self.rounds[-1].order[-1]

    def _set_up(self) -> Script[None]:
        self.tables, self.flipped = [[], [], []], [False, False, False]
        self.hands = [[] for _ in range(self.players)]
        self.captured = [[] for _ in range(self.players)]
        self.discard, self.removed = [], []
        deck = Counter(self.cards)
        if self.players == 2:
            card = yield from self._chance("card removed", deck)
            deck[card] -= 1
            self.removed.append(card)
        each = deck.total() // self.players
        for hand in self.hands:
            for _ in range(each):
                card = yield from self._chance("card dealt", deck)
                deck[card] -= 1
                hand.append(card)

    def _end_of_round(self) -> None:
        egos = tuple(self._ego(player) for player in range(self.players))
        order = tuple(sorted(range(self.players), key=self._placing_key))
        self.rounds.append(Round(egos, order))
        second = 0 if self.players == 2 and self._reads("two_player_trophies", "winner_only") else 1
        for player, trophies in ((order[0], 2), (order[1], second)):
            given = min(trophies, self.supply)
            self.supply -= given
            self.trophies[player] += given

    def _ego(self, player: int) -> int:
        ego = len(self.captured[player]) - len(self.hands[player])
        return max(ego, 0) if self._reads("ego", "stops_at_zero") else ego

    def _placing_key(self, player: int) -> tuple[int, int, int]:
        """Smaller is better: most ego, then the smaller sum of ranks left, then furthest clockwise from the starter."""
        distance = (player - self.starter) % self.players
        return -self._ego(player), sum(card.rank for card in self.hands[player]), -distance

    def _game_over(self) -> bool:
        if max(self.trophies) >= 4:
            return True
        return len(self.rounds) >= 3 and self._reads("match", "three_rounds_at_most")

    def _final(self) -> Result:
        last = self.rounds[-1].order
        order = sorted(range(self.players), key=lambda player: (-self.trophies[player], last.index(player)))
        places = tuple(1 + order.index(player) for player in range(self.players))
        return Result(places, (order[0],), tuple(self.trophies))

    # --- a round and a turn (EGN-14..16, EGN-27..30, EGN-40, G15) --------------------------------------------------

    def _round(self) -> Script[None]:
        try:
            while True:
                yield from self._turn(self.on_turn)
                self.on_turn = (self.on_turn + 1) % self.players
        except RoundOver:
            return

    def _turn(self, mover: int) -> Script[None]:
        self.momentum_gained = False
        owed = False
        while True:
            moves = self._actions(mover)
            if not moves:
                self._no_action(owed=owed)
                return
            move = yield from self._decide(mover, moves)
            gains = self._perform(mover, move)
            owed = gains and not self.momentum_gained
            self.momentum_gained = self.momentum_gained or gains
            if not (owed and self._reads("momentum_and_empty_hand", "act_first")):
                self._look_at_hands()
            if not owed:
                return

    def _look_at_hands(self) -> None:
        if not all(self.hands):
            raise RoundOver

    def _no_action(self, *, owed: bool) -> None:
        """What happens when the mover cannot act; returning ends the turn."""
        self._look_at_hands()
        if owed and self._reads("forced_action", "lost"):
            return
        if self.flip_the_table and self._reads("no_action", "ends_round_in_mode"):
            raise RoundOver
        raise StuckError(f"player {self.on_turn} has no action")

    # --- actions (EGN-18..39, EGN-52..54) -------------------------------------------------------------------------

    def _actions(self, mover: int) -> list[Move]:
        hand = sorted(self.hands[mover])
        moves: list[Move] = []
        for table, cards in enumerate(self.tables):
            if not cards:
                moves += [("yap", table, card) for card in hand if self._takes(table, card)]
            if len(cards) == 1:
                moves.append(("dismiss", table))
            moves += [("argue", table, *run) for run in _runs(hand) if self._may_argue(table, run)]
            if len(cards) >= 2 and (self.players > 2 or self._reads("acknowledging", "everyone")):
                moves += [("acknowledge", table, card) for card in cards]
            if self.flip_the_table and len(cards) == 3:
                moves.append(("flip", table))
        return moves + [("let go", *cards) for cards in _same_rank(hand)]

    def _perform(self, mover: int, move: Move) -> bool:
        """Carry out an action; whether it meets a condition for momentum."""
        name, *chosen = move
        if name == "let go":
            self._leave_hand(mover, chosen)
            self.discard += chosen
            return False
        table, *cards = chosen
        if name == "yap":
            self._leave_hand(mover, cards)
            self.tables[table] = cards
            return self._reads("single_topic", "yap_too")
        if name == "dismiss":
            self.captured[mover] += self.tables[table]
            self.tables[table] = []
            return False
        if name == "argue":
            return self._argue(mover, table, tuple(cards))
        rest = list(self.tables[table])
        self.tables[table] = []
        if name == "acknowledge":
            rest.remove(cards[0])
            self.hands[mover].append(cards[0])
            self.discard += rest
            return self.players > 2
        assert name == "flip"
        self.discard += rest
        self.flipped[table] = not self.flipped[table]
        return True

    def _leave_hand(self, mover: int, cards: Sequence[ArgumentCard]) -> None:
        for card in cards:
            self.hands[mover].remove(card)

    def _argue(self, mover: int, table: int, run: Run) -> bool:
        self._leave_hand(mover, run)
        if not self._wins(run, self.tables[table]):
            self.discard += run
            return False
        self.captured[mover] += self.tables[table]
        self.tables[table] = list(run)
        if self._reads("single_topic", "label"):
            return True
        return len({card.topic for card in run}) == 1

    # --- matching and beating (EGN-22..26, G02..G04, G08, G32) ----------------------------------------------------

    def _takes(self, table: int, card: ArgumentCard) -> bool:
        """Whether the card is of the topic that the table shows."""
        shown = table
        if self.flipped[table]:
            if self._reads("flipped_topic", "any_topic"):
                return True
            shown = (table + (1 if self._reads("flipped_topic", "next") else -1)) % 3
        return card.topic == TOPICS[shown]

    def _matches(self, table: int, run: Run) -> bool:
        matching = sum(self._takes(table, card) for card in run)
        match self.readings["matching"]:
            case "at_least_one":
                return matching >= 1
            case "every":
                return matching == len(run)
            case "majority":
                return 2 * matching > len(run)
        return True

    def _may_argue(self, table: int, run: Run) -> bool:
        if not self._matches(table, run):
            return False
        if not self.tables[table]:
            return self._reads("empty_table", "argue")
        return self._wins(run, self.tables[table]) or self._reads("losing_argument", "lost")

    def _wins(self, run: Run, cards: Sequence[ArgumentCard]) -> bool:
        if len(run) != len(cards):
            return len(run) > len(cards)
        ours = min(card.rank for card in run)
        theirs = min(card.rank for card in cards)
        if len(run) == 3 and (ours, theirs) == (1, 7):  # the fallacy
            return True
        if len(run) == 3 and (ours, theirs) == (7, 1):
            return self._reads("highest_run_on_fallacy", "wins")
        return ours > theirs or (ours == theirs and self._reads("equal_runs", "beat"))


def _runs(hand: Sequence[ArgumentCard]) -> list[Run]:
    """Two or three cards in consecutive order, of whatever topics (EGN-23, EGN-24)."""
    runs: list[Run] = []
    for length in (2, 3):
        for lowest in range(1, 11 - length):
            ranks = range(lowest, lowest + length)
            runs += product(*([card for card in hand if card.rank == rank] for rank in ranks))
    return runs


def _same_rank(hand: Sequence[ArgumentCard]) -> list[Run]:
    """Two or more cards of one rank, of whatever topics (EGN-34, EGN-36, EGN-37)."""
    return [
        cards
        for size in range(2, len(hand) + 1)
        for rank in range(1, 10)
        for cards in combinations([card for card in hand if card.rank == rank], size)
    ]


__all__ = ["COMPOSITIONS", "READINGS", "ArgumentCard", "Layout", "Reference", "Round", "Table"]
