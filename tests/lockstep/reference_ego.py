"""A second Ego, written from the sentences, to play in lockstep with the rulebook.

It shares nothing with the interpreter. Codes EGO-nn name sentences, EGO-Ann ambiguities; READINGS lists the answers,
default first. A question card is its kind only: "group" (who of us, EGO-11), "number" (how many of us, EGO-13), "self"
(about you, EGO-15). A dot is a colour of DOTS; seat 0 is red, and so on.

Moves: ("answer", dot) of the player on turn; ("guess", dot) or ("guess", dot, dot), two dots in the order of DOTS; in
the mode of the vote ("vote", "yes") and ("vote", "no").

Where the sentences or an answer to a reading leave a detail open, this file decides:

* Chance: once, the youngest player ("youngest", EGO-09), any with equal chances; at each turn the kind of the top
  card ("top question"). The pile has so many cards of each kind (EGO-A10) and is shuffled, hence a multiset.
* The guesses, and the votes, are made at once: they are decisions marked `simultaneous`, asked one after the other
  clockwise from the left of the player on turn (guesses) or from herself (votes). Guessing is compulsory (EGO-A13).
* Options: of "group", the colours of those seated ("seated") or every dot ("all"); of "number", red none, green one,
  blue two, yellow more than two (EGO-A06), without the last for two players under too_many "no"; of "self", every
  dot. Guesses are among the same options as the answer; two pieces are on two different ones, allowed always
  (EGO-A07, EGO-A08).
* Payouts come in the order of EGO-30 and EGO-31; every player has a payout, perhaps of nothing. last_tokens
  "what_is_left": a payout of more than the pool holds takes what is there; "exact": it takes nothing.
* win_check "each_payout": the game ends before the next takes. "end_of_turn": after all payouts; several may win.
* pile_runs_out, when a card must be taken and none is left: "reshuffle": the cards used are shuffled into a pile;
  "ends": the game ends, and who has won most tokens wins, equals sharing it.
* The mode `vote` (EGO-39, EGO-40): after the reveal everybody, the player on turn too, votes whether the payouts
  stand. They do if more say yes than no; otherwise nobody gets a token in this turn.
* Only the winner is told from the rest: all others share the place after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tests.lockstep.reference_nodes import Move, Result, Script, Telling

READINGS: dict[str, tuple[str, ...]] = {
    "win_check": ("each_payout", "end_of_turn"),  # EGO-A01
    "last_tokens": ("what_is_left", "exact"),  # EGO-A02
    "split_hit_counts": ("yes", "no"),  # EGO-A03
    "group_options": ("seated", "all"),  # EGO-A04
    "too_many": ("yes", "no"),  # EGO-A05
    "pile_runs_out": ("reshuffle", "ends"),  # EGO-A09
}

GROUP, NUMBER, SELF = "group", "number", "self"
KINDS = (GROUP, NUMBER, SELF)
DOTS = ("red", "green", "blue", "yellow")


@dataclass(frozen=True)
class Table:
    """What lies on the table: tokens won and still in the pool by seat, cards of the pile and used, pieces laid.

    `laid` counts face-down pieces by seat, which everybody sees; `shown` is what has been turned over. `answer` and
    `guesses` are the secrets behind them.
    """

    won: tuple[int, ...]
    pool: tuple[int, ...]
    pile: int
    used: tuple[str, ...]
    question: str | None
    laid: tuple[int, ...]
    shown: tuple[tuple[str, ...], ...]
    answer: str | None
    guesses: tuple[tuple[str, ...], ...]
    on_turn: int


class Reference(Telling):
    """One game in progress: `node`, `apply`, `table`, and `turns`, who had the turns that are over."""

    READINGS = READINGS

    def __init__(
        self,
        players: int,
        *,
        vote: bool = False,
        readings: Mapping[str, str] | None = None,
        cards: tuple[int, int, int] = (20, 20, 20),
        tokens: int = 15,
        won: Sequence[int] | None = None,
        mover: int | None = None,
    ) -> None:
        """Start a game with so many cards of each of KINDS; with `won` and `mover`, in the middle of it.

        ValueError for a number of players outside 2..4, for no card or token, or an unknown reading.
        """
        if not 2 <= players <= len(DOTS):
            raise ValueError(f"Ego is not for {players} players")
        if min(cards) < 0 or sum(cards) == 0 or tokens < 1:
            raise ValueError("Ego needs question cards and tokens")
        super().__init__(players, readings)
        self.vote = vote
        self.won = list(won or [0] * players)
        self.pool = [tokens - number for number in self.won]
        self.pile = Counter(dict(zip(KINDS, cards, strict=True)))
        self.used: list[str] = []
        self.question: str | None = None
        self.answer: str | None = None
        self.guesses: dict[int, tuple[str, ...]] = {}
        self.revealed = False
        self.on_turn = 0
        self.turns: list[int] = []
        self._begin(self._game(mover))

    def table(self) -> Table:
        """The cards and counters, in a form that two implementations can compare."""
        guesses = tuple(self.guesses.get(player, ()) for player in range(self.players))
        pieces = list(guesses)
        if self.answer is not None:
            pieces[self.on_turn] = (self.answer,)
        return Table(
            won=tuple(self.won),
            pool=tuple(self.pool),
            pile=self.pile.total(),
            used=tuple(sorted(self.used)),
            question=self.question,
            laid=tuple(0 if self.revealed else len(laid) for laid in pieces),
            shown=tuple(laid if self.revealed else () for laid in pieces),
            answer=self.answer,
            guesses=guesses,
            on_turn=self.on_turn,
        )

    # --- the game (EGO-08..10, EGO-32, EGO-33) --------------------------------------------------------------------

    def _game(self, mover: int | None) -> Script[Result]:
        self.on_turn = (yield from self._some_player("youngest", range(self.players))) if mover is None else mover
        while True:
            if self.pile.total() == 0:
                if self._reads("pile_runs_out", "ends"):
                    most = max(self.won)
                    return self._result([player for player in range(self.players) if self.won[player] == most])
                self.pile = Counter(self.used)
                self.used = []
            yield from self._turn()
            winners = [player for player in range(self.players) if self.pool[player] == 0]
            if winners:
                return self._result(winners)
            self._clear_away()
            self.turns.append(self.on_turn)
            self.on_turn = (self.on_turn + 1) % self.players

    def _result(self, winners: Sequence[int]) -> Result:
        places = tuple(1 if player in winners else 1 + len(winners) for player in range(self.players))
        return Result(places, tuple(winners), tuple(self.won))

    def _clear_away(self) -> None:
        assert self.question is not None
        self.used.append(self.question)
        self.question, self.answer, self.guesses, self.revealed = None, None, {}, False

    # --- a turn (EGO-17..25, EGO-39, EGO-40) ----------------------------------------------------------------------

    def _turn(self) -> Script[None]:
        question = yield from self._chance("top question", self.pile)
        self.pile[question] -= 1
        self.question = question
        options = self._options(question)
        move = yield from self._decide(self.on_turn, [("answer", dot) for dot in options])
        self.answer = move[1]
        guesses: list[Move] = [("guess", dot) for dot in options]
        guesses += [("guess", *pair) for pair in combinations(options, 2)]
        for player in self._clockwise_from(self.on_turn)[1:]:
            move = yield from self._decide(player, guesses, simultaneous=True)
            self.guesses[player] = move[1:]
        self.revealed = True
        if not self.vote or (yield from self._payouts_stand()):
            self._pay_out()

    def _options(self, question: str) -> tuple[str, ...]:
        if question == GROUP and self._reads("group_options", "seated"):
            return DOTS[: self.players]
        if question == NUMBER and self.players == 2 and self._reads("too_many", "no"):
            return DOTS[:-1]
        return DOTS

    def _payouts_stand(self) -> Script[bool]:
        yes = 0
        for player in self._clockwise_from(self.on_turn):
            move = yield from self._decide(player, [("vote", "yes"), ("vote", "no")], simultaneous=True)
            yes += move == ("vote", "yes")
        return yes > self.players - yes

    # --- payouts (EGO-26..32) -------------------------------------------------------------------------------------

    def _pay_out(self) -> None:
        for player in self._clockwise_from(self.on_turn):
            self._take(player, self._earned(player))
            if self.pool[player] == 0 and self._reads("win_check", "each_payout"):
                return

    def _earned(self, player: int) -> int:
        hits = [other for other, guess in self.guesses.items() if self.answer in guess]
        if player == self.on_turn:
            split_counts = self._reads("split_hit_counts", "yes")
            return sum(len(self.guesses[other]) == 1 or split_counts for other in hits)
        if player not in hits:
            return 0
        return 2 if len(self.guesses[player]) == 1 else 1

    def _take(self, player: int, earned: int) -> None:
        if earned > self.pool[player]:
            earned = 0 if self._reads("last_tokens", "exact") else self.pool[player]
        self.pool[player] -= earned
        self.won[player] += earned
