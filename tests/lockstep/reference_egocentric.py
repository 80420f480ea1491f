"""A second Egocentric World, written from the sentences, to play in lockstep with the rulebook.

It shares nothing with the interpreter: one generator tells the game from start to end as straight-line Python and stops
wherever somebody decides or chance speaks. `reference_table` holds the cards and lists the readings.

Codes EW-nn name sentences, EW-Ann ambiguities. Where an answer to a reading leaves a detail open, this file decides:

* Every decision is put even when it has a single move, so that being asked tells nothing about a hand. Every draw of a
  card is a chance node even when only one face is possible; a tie-break is one only between two or more players.
* Eager reshuffling looks at the table after every change, not only when the deck empties: a deck that could not be
  rebuilt (nothing to shuffle) is rebuilt as soon as a card lies on the pile. Replacing and exchanging are one change.
* The pile can be rebuilt into a deck when it has a card ("whole_pile"), or more than one (the other two answers: the
  last card would stay on or return to the pile). "draw" is offered if the deck has a card or can be rebuilt; a penalty
  for which no card exists draws nothing.
* A player whose hand is empty (possible under some readings) cannot be designated for Two Cards.
* end_of_round_check "after_ability": a hand once found empty ends the round when the ability is done, whatever was
  drawn meanwhile; "after_ability_if_still_empty" looks only then.
* empty_hand "turn_player": looked at after every change and when a turn begins.
* abilities "compulsory": a played card's ability must be used if it can be; "compulsory_with_shield": also the Shield.
* picks "both_first": the mover names both picks, then (shield_window "after_pick") the targets answer with Shields,
  then every named value is checked, and only if none is wrong are cards drawn unseen and handed over, in that order.
* two_shields "simultaneous": matters where both targets are asked before anything else happens, that is with
  shield_window "at_designation" or picks "both_first"; the Shields land together.
* shield_effect "target_only": the other target's pick still happens and may cost the penalty, but nothing is exchanged.
* eight_values: "announcements" lets an 8 answer 7, 8 or 9; "everywhere" does that and counts an 8 as 7 in scoring.
* eight_ability "shields_too": an 8 may be raised as a Shield whenever a 9 may.
* last_lap "one_last_turn": once STOP is said, an Hourglass has no effect to offer.
* replacement "two_steps": the old card leaves first, and hands are looked at before the new one comes; a card under way
  when the round ends is nobody's.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations

from tests.lockstep.reference_table import (
    FACES,
    GLASS,
    HOURGLASS,
    SHIELD,
    TWO_CARDS,
    WILD,
    CardTable,
    Chance,
    Decision,
    Layout,
    Move,
    Result,
    RoundOver,
    Script,
    Table,
    printed,
    usable,
)


class Reference(CardTable):
    """One game in progress.

    `node` says what happens next, `apply` answers it, `table` shows the cards, `rounds` lists the scores of the rounds
    already over. ValueError for a number of players or cards that cannot be dealt, or an unknown reading.
    """

    def __init__(
        self,
        players: int,
        *,
        italian: bool = False,
        readings: Mapping[str, str] | None = None,
        hand_size: int = 5,
        target: int = 50,
        agreed_rounds: int = 1,
        layout: Layout | None = None,
    ) -> None:
        """Start a game, or (with `layout`) begin in the middle of a round, before a turn of the layout's mover."""
        super().__init__(players, readings or {}, hand_size)
        if self._reads("first_player", "highest_countdown") and not italian:
            raise ValueError("only the Italian totals count down")
        self.italian, self.target, self.agreed_rounds = italian, target, agreed_rounds
        self.totals = [target if italian else 0] * players
        self.stopper: int | None = None
        self.rounds: list[tuple[int, ...]] = []
        self._again = False
        if layout is not None:
            self._lay(layout)
            self.stopper = layout.stopper
            self.totals = list(layout.totals or self.totals)
        self._begin(self._game(laid=layout is not None))

    def table(self) -> Table:
        """The cards and counters, in a form that two implementations can compare."""
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        totals, held = tuple(self.totals), tuple(self.held)
        return Table(hands, list(self.pile), self.deck.total(), held, totals, self.stopper, self.on_turn)

    # --- the game (EW-05, EW-12, EW-13, EW-40..42) ----------------------------------------------------------------

    def _game(self, *, laid: bool) -> Script[Result]:
        if laid:
            assert self.on_turn is not None
            first = self.on_turn
        else:
            first = yield from self._chance("first player", dict.fromkeys(range(self.players), 1))
        while True:
            if not laid:
                yield from self._set_up()
            laid = False
            yield from self._round(first)
            scores = tuple(self._score(hand) for hand in self.hands)
            self.rounds.append(scores)
            for player, score in enumerate(scores):
                self.totals[player] += -score if self.italian else score
            if self._game_over():
                return (yield from self._rank())
            first = yield from self._next_first_player(scores)

    def _score(self, hand: list[int]) -> int:
        sevens = self._reads("eight_values", "everywhere")
        return sum(7 if face == WILD and sevens else face for face in hand)

    def _sums(self) -> list[int]:
        """What each player has collected over the rounds, whichever way the totals are counted."""
        return [self.target - total if self.italian else total for total in self.totals]

    def _game_over(self) -> bool:
        if self._reads("length", "single_round"):
            return True
        if self._reads("length", "agreed_rounds"):
            return len(self.rounds) >= self.agreed_rounds
        if self._reads("reaching_target", "exactly"):
            return self.target in self._sums()
        return max(self._sums()) >= self.target

    def _next_first_player(self, scores: tuple[int, ...]) -> Script[int]:
        key: Sequence[int] = scores
        if self._reads("first_player", "total_score"):
            key = self._sums()
        elif self._reads("first_player", "highest_countdown"):
            key = self.totals
        tied = [player for player in range(self.players) if key[player] == max(key)]
        if len(tied) == 1:
            return tied[0]
        return (yield from self._chance("first player tie", dict.fromkeys(tied, 1)))

    def _rank(self) -> Script[Result]:
        sums = self._sums()
        places = [1 + sum(other < mine for other in sums) for mine in sums]
        best = [player for player in range(self.players) if places[player] == 1]
        if len(best) > 1 and self._reads("winner_tie", "random"):
            winner = yield from self._chance("winner tie", dict.fromkeys(best, 1))
            for player in best:
                places[player] = 1 if player == winner else 2
            best = [winner]
        return Result(tuple(places), tuple(best), tuple(self.totals))

    # --- one round (EW-06..11, EW-27, EW-37) ----------------------------------------------------------------------

    def _set_up(self) -> Script[None]:
        self.deck = self.all_cards()
        self.pile, self.held = [], []
        self.hands = [[] for _ in range(self.players)]
        self.stopper, self.on_turn = None, None
        if self._reads("setup_order", "flip_then_deal"):
            yield from self._flip()
        for hand in self.hands:
            for _ in range(self.hand_size):
                hand.append((yield from self._top_of_deck()))
        if self._reads("setup_order", "deal_then_flip"):
            yield from self._flip()

    def _round(self, first: int) -> Script[None]:
        mover = first
        self._emptied = False
        try:
            while True:
                self.on_turn = mover
                if mover == self.stopper or self._somebody_is_out():
                    return
                yield from self._turn(mover)
                if not self._again:
                    mover = (mover + 1) % self.players
        except RoundOver:
            return

    # --- a turn (EW-18..27) ---------------------------------------------------------------------------------------

    def _turn(self, mover: int) -> Script[None]:
        self._again = False
        move = yield from self._decide(mover, self._actions(mover))
        match move:
            case ("draw",):
                yield from self._draw_and_choose(mover)
            case ("take_discard", card):
                self.held = [self.pile.pop(0)]
                yield from self._replace(mover, card)
                yield from self._use_ability(mover, card)
            case ("match_discard", card) | ("play_pair", card, _):
                yield from self._to_pile([(mover, card)])
                yield from self._use_ability(mover, card)
            case ("say_stop",) if self.stopper is None:
                self.stopper = mover

    def _actions(self, mover: int) -> list[Move]:
        hand = sorted(self.hands[mover])
        moves: list[Move] = [("draw",)] if self._can_draw() else []
        if self.pile:
            moves += [("take_discard", card) for card in hand]
            moves += [("match_discard", card) for card in hand if usable(card) & usable(self.pile[0])]
        values = usable if self._reads("pairs", "usable_values") else printed
        moves += [("play_pair", card, twin) for card, twin in permutations(hand, 2) if values(card) & values(twin)]
        if self.stopper is None or self._reads("second_stop", "legal"):
            moves.append(("say_stop",))
        return moves

    def _draw_and_choose(self, mover: int) -> Script[None]:
        self.held = [(yield from self._draw())]
        yield from self._settle()
        keeps = [("keep it", card) for card in sorted(self.hands[mover])]
        move = yield from self._decide(mover, [("discard it",), *keeps])
        if move == ("discard it",):
            self.pile.insert(0, self.held.pop())  # from the deck, hence nothing is triggered (EW-15, EW-16)
            yield from self._settle()
        else:
            yield from self._replace(mover, move[1])
            yield from self._use_ability(mover, move[1])

    # --- abilities (EW-28..36) ------------------------------------------------------------------------------------

    def _use_ability(self, mover: int, card: int) -> Script[None]:
        if card == HOURGLASS:
            lap_is_short = self.stopper is not None and self._reads("last_lap", "one_last_turn")
            move = yield from self._may(mover, [] if lap_is_short else [("another turn",)])
            self._again = move is not None
        elif card == TWO_CARDS:
            yield from self._two_cards(mover)
        elif card == GLASS:
            move = yield from self._may(mover, [("look", target) for target in self._clockwise_from(mover)[1:]])
            if move is not None:
                yield from self._unshielded(mover, [move[1]])  # the look itself moves nothing
        if self._reads("end_of_round_check", "after_ability") and self._emptied:
            raise RoundOver
        if self._reads("end_of_round_check", "after_ability_if_still_empty") and self._somebody_is_out():
            raise RoundOver

    def _unshielded(self, mover: int, targets: list[int]) -> Script[list[int]]:
        """Ask the targets for Shields in order; who is still affected by the ability (EW-35)."""
        raised: list[tuple[int, int]] = []
        simultaneous = self._reads("two_shields", "simultaneous")
        whole = self._reads("shield_effect", "whole_ability")
        for target in targets:
            if target == mover and self._reads("shield_own_designation", "no"):
                continue
            move = yield from self._decide(target, self._answers_to_designation(target))
            if move == ("no",):
                continue
            raised.append((target, move[1]))
            if not simultaneous:
                yield from self._to_pile(raised[-1:])
                if whole:
                    break
        if simultaneous and raised:
            yield from self._to_pile(raised)
        if raised and whole:
            return []
        return [target for target in targets if target not in dict(raised)]

    def _answers_to_designation(self, target: int) -> list[Move]:
        shields = (SHIELD,) if self._reads("eight_ability", "value_only") else (WILD, SHIELD)
        raises: list[Move] = [("raise", face) for face in shields if face in self.hands[target]]
        if raises and self._reads("abilities", "compulsory_with_shield"):
            return raises
        return [*raises, ("no",)]

    def _two_cards(self, mover: int) -> Script[None]:
        able = [player for player in self._clockwise_from(mover) if self.hands[player]]
        move = yield from self._may(mover, [("exchange", a, b) for a, b in combinations(able, 2)])
        if move is None:
            return
        targets = list(move[1:])
        if self._reads("shield_window", "at_designation"):
            targets = yield from self._unshielded(mover, targets)
        if self._reads("picks", "one_by_one"):
            yield from self._pick_one_by_one(mover, targets)
        else:
            yield from self._pick_both_first(mover, targets)

    def _pick_one_by_one(self, mover: int, targets: list[int]) -> Script[None]:
        taken: dict[int, int] = {}
        for target in targets:
            pick = yield from self._pick(mover, target)
            if self._reads("shield_window", "after_pick") and not (yield from self._unshielded(mover, [target])):
                if self._reads("shield_effect", "whole_ability"):
                    return
                continue
            if self._is_wrong(target, pick):
                yield from self._penalty(mover, 1)
                return
            taken[target] = yield from self._card_picked(target, pick)
        if len(taken) == 2:
            yield from self._exchange(taken)

    def _pick_both_first(self, mover: int, targets: list[int]) -> Script[None]:
        picks: dict[int, Move] = {}
        for target in targets:
            picks[target] = yield from self._pick(mover, target)
        if self._reads("shield_window", "after_pick"):
            targets = yield from self._unshielded(mover, targets)
        wrong = sum(self._is_wrong(target, picks[target]) for target in targets)
        if wrong:
            yield from self._penalty(mover, 1 if self._reads("penalty", "one") else wrong)
            return
        taken: dict[int, int] = {}
        for target in targets:
            taken[target] = yield from self._card_picked(target, picks[target])
        if len(taken) == 2:
            yield from self._exchange(taken)

    def _pick(self, mover: int, target: int) -> Script[Move]:
        """Which card the mover wants from a designated hand (EW-30)."""
        names: list[Move] = [("name a value", value) for value in FACES]
        if target != mover:
            return (yield from self._decide(mover, [("take one unseen",), *names]))
        own: list[Move] = [("card", card) for card in sorted(self.hands[mover])]
        return (yield from self._decide(mover, own + (names if self._reads("own_announcement", "legal") else [])))

    def _holds(self, target: int, value: int) -> list[int]:
        """The cards of a hand that answer an announced value (EW-31, EW-A09)."""
        values = printed if self._reads("eight_values", "own_use") else usable
        return [card for card in sorted(self.hands[target]) if value in values(card)]

    def _is_wrong(self, target: int, pick: Move) -> bool:
        return pick[0] == "name a value" and not self._holds(target, pick[1])

    def _card_picked(self, target: int, pick: Move) -> Script[int]:
        match pick:
            case ("card", card):
                return int(card)
            case ("name a value", value):
                gift = yield from self._decide(target, [("give", card) for card in self._holds(target, value)])
                return int(gift[1])
        return (yield from self._chance("card of hand", Counter(self.hands[target])))

    def _penalty(self, mover: int, cards: int) -> Script[None]:
        for _ in range(cards):
            if self._can_draw():
                self.hands[mover].append((yield from self._draw()))
                yield from self._settle()


def random_game(
    reference: Reference, rng: random.Random, limit: int = 20_000, stop_weight: float = 0.05
) -> list[Move | int]:
    """Play on at random until the end or `limit` answers; the answers given.

    Uniform over the kinds of moves, then within a kind; only STOP is rarer, so that rounds last and decks run out.
    """
    answers: list[Move | int] = []
    while len(answers) < limit:
        match reference.node:
            case Decision(moves=moves):
                kinds = Counter(move[0] for move in moves)
                weights = [(stop_weight if move[0] == "say_stop" else 1.0) / kinds[move[0]] for move in moves]
                answers.append(rng.choices(moves, weights)[0])
            case Chance(outcomes=outcomes):
                faces, chances = zip(*outcomes, strict=True)
                answers.append(rng.choices(faces, [float(chance) for chance in chances])[0])
            case Result():
                break
        reference.apply(answers[-1])
    return answers
