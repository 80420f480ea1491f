"""Plays a rulebook and a game of OpenSpiel in lockstep, and compares them at every node.

A game needs a subclass of `Mapping` that names the rulebook (`rulebooks/classics/NAME.rules`) and OpenSpiel's game, and
says which action number each of our moves is and which outcome number each of our chance outcomes:

    class Kuhn(Mapping):
        rulebook, game = "kuhn_poker", "kuhn_poker"

        def action(self, table, move):
            return 1 if move.action == "bet" else 0

        def outcome(self, table, outcome):
            return int(outcome.text) - 1

    def test_kuhn():
        lockstep(Kuhn())                                  # 200 games, or as many as EGODSL_GAMES says
        lockstep(Kuhn(players=4, theirs={"players": 4}))  # settings of ours by name, parameters of theirs in `theirs`

Every hook gets the `Table`, which holds both positions: `table.ours` (our State, chance explicit) and `table.theirs`.
What may be overridden:

- `action(table, move)`: what the move is in OpenSpiel. An `int`: one action. A `tuple`: several actions of the player,
  in this order. A `frozenset`: several actions in any order (three cards passed one by one). None: nothing of theirs,
  which fits only a forced move. No two moves may be the same, and at each node of theirs, also between the actions of
  one move, the legal actions must be exactly those that our moves lead to.
- `inside(ours)`: True where a decision of ours belongs to the same action of theirs as the decision before it (a card
  is chosen, then its colour, where theirs has one number for both). Then `compound(table, path)` is asked instead of
  `action`, with all our moves on the path.
- `outcome(table, outcome)`: the number of a chance outcome. Outcomes with one number are added up. Both distributions
  must agree, to 1e-12.
- `chance(table)`: asked first, wherever chance decides in one of the games. It may take over, advance both games itself
  by the means of `Table`, and give True. For a deal in another order:

        def chance(self, table):
            if table.started: return False
            cards = table.sample_theirs(52)                    # plays 52 chance nodes of theirs at random
            hands = [card for p in range(4) for card in cards[p::4]]
            table.script(self.outcome, hands)                  # plays ours with just these outcomes
            return True

  `table.sample_ours(n)` gives our outcomes, `table.play(*numbers)` plays chance actions of theirs (or forced ones).
  What has been played by both since the hook was called must have the same probability (relative difference 1e-12): so
  a deal, or five dice of ours that are one chance node of theirs, are compared too.
- `label(table, move)`: what moves are counted by. In every second game the label that has been played least is played.
- `seat(player)`: the player in OpenSpiel, if seats differ.
- `returns(table)`, `their_returns(table)`: the numbers that are compared when both games are over, to 1e-9.
- `settled(table)`: True stops a game early, without a comparison of returns (nothing left that could be compared).
- `kept`, a dictionary that is empty at the start of each game, for what a mapping must remember: `table.kept`.

What is compared: at a decision, the player (all players, where they choose at once in both games) and the set of legal
moves; at a chance event the outcomes and their probabilities; at the end the returns. Where ours asks several players
at once and theirs one after the other, each is compared at their turn. A node with one move or one outcome that does
not fit the other game is passed over. Anything else raises DifferenceError, which shows both games and our record.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Mapping as Mapped
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import attrs
import pyspiel

from egodsl.engine.game import Game, Rulebook, load
from egodsl.engine.moves import Move, Outcome
from egodsl.engine.state import State
from egodsl.engine.views import zone_name

CLASSICS = Path(__file__).parents[3] / "rulebooks" / "classics"
GAMES = 200
PROBABILITY = 1e-12
RETURN = 1e-9

Steps: TypeAlias = int | tuple[int, ...] | frozenset[int]


class DifferenceError(AssertionError):
    """The two games have come apart; the message shows both."""


@cache
def rulebook_named(name: str) -> Rulebook:
    """A rulebook of the classics."""
    return load(CLASSICS / f"{name}.rules")


class Mapping:
    """How the moves and outcomes of a rulebook are those of a game of OpenSpiel: see above.

    `players`, `modes`, `readings` and `parameters` are settings of the rulebook, `theirs` parameters of OpenSpiel's
    game.
    """

    rulebook: ClassVar[str]
    game: ClassVar[str]

    def __init__(
        self,
        *,
        players: int | None = None,
        modes: Iterable[str] = (),
        readings: Mapped[str, str] | None = None,
        parameters: Mapped[str, int] | None = None,
        theirs: Mapped[str, Any] | None = None,
    ) -> None:
        self.settings: dict[str, Any] = {
            "players": players,
            "modes": tuple(modes),
            "readings": dict(readings or {}),
            "parameters": dict(parameters or {}),
        }
        self.theirs = dict(theirs or {})

    @cached_property
    def our_game(self) -> Game:
        """The rulebook's game."""
        return rulebook_named(self.rulebook).game(**self.settings)

    @cached_property
    def their_game(self) -> Any:
        """OpenSpiel's game."""
        return pyspiel.load_game(self.game, self.theirs)

    def seat(self, player: int) -> int:
        """Who our player is in OpenSpiel."""
        return player

    def action(self, table: Table, move: Move) -> Steps | None:
        """What a move is in OpenSpiel."""
        raise NotImplementedError

    def inside(self, ours: State) -> bool:
        """Whether our decision is the rest of the one before it."""
        return False

    def compound(self, table: Table, path: tuple[Move, ...]) -> Steps | None:
        """What several moves of ours are in OpenSpiel."""
        assert len(path) == 1
        return self.action(table, path[0])

    def outcome(self, table: Table, outcome: Outcome) -> int:
        """Which outcome of theirs ours is."""
        raise NotImplementedError

    def chance(self, table: Table) -> bool:
        """Take over at a chance event: whether both games have been advanced."""
        return False

    def label(self, table: Table, move: Move) -> str:
        """What moves are counted by."""
        return move.action or move.label or move.text

    def returns(self, table: Table) -> Sequence[float]:
        """Our returns, by player."""
        returns = table.ours.returns
        assert returns is not None
        return returns

    def their_returns(self, table: Table) -> Sequence[float]:
        """Their returns, by player of ours."""
        made: list[float] = table.theirs.returns()
        return [made[self.seat(p)] for p in range(len(made))]

    def settled(self, table: Table) -> bool:
        """Whether the rest of the game has nothing to compare."""
        return False


@attrs.define
class Table:
    """Both games at one node, and the means to advance them by chance."""

    mapping: Mapping
    ours: State
    theirs: Any
    random: random.Random
    seed: int
    started: bool = False
    """Whether anything has been played."""
    kept: dict[str, Any] = attrs.Factory(dict)
    our_probability: Fraction = Fraction(1)
    their_probability: float = 1.0

    def differ(self, what: str) -> DifferenceError:
        """The error that says what is different, and shows both games."""
        parts = [
            what,
            f"seed {self.seed}, settings {self.mapping.settings}, theirs {self.mapping.theirs}",
            f"---- ours\n{shown(self.ours)}",
            f"---- theirs\n{self.theirs}\nhistory {self.theirs.history()}",
            f"---- our record\n{self.ours.record().to_json()}",
        ]
        return DifferenceError("\n".join(parts))

    def sample_ours(self, count: int) -> list[Outcome]:
        """Let our chance decide this many times at random; what came."""
        return [self._ours_has(self._sampled) for _ in range(count)]

    def script(self, number: Callable[[Table, Outcome], int], wanted: Sequence[int]) -> None:
        """Let our chance have just these outcomes, by their numbers."""
        for want in wanted:

            def pick(found: list[tuple[Outcome, list[Any]]], want: int = want) -> tuple[Outcome, list[Any]]:
                for outcome, same in found:
                    if number(self, outcome) == want:
                        return outcome, same
                texts = ", ".join(outcome.text for outcome, _ in found)
                raise self.differ(f"our chance has no outcome {want}: it has {texts}")

            self._ours_has(pick)

    def sample_theirs(self, count: int) -> list[int]:
        """Let their chance decide this many times at random; the numbers of what came."""
        made = []
        for _ in range(count):
            numbers, weights = self._their_chance()
            (number,) = self.random.choices(numbers, weights)
            self._theirs_has(number, weights[numbers.index(number)])
            made.append(number)
        return made

    def play(self, *numbers: int) -> None:
        """Let their chance have these outcomes; at a node of one player's, the one legal action."""
        for number in numbers:
            if self.theirs.is_chance_node():
                known, weights = self._their_chance()
                if number not in known:
                    raise self.differ(f"their chance has no outcome {number}: it has {known}")
                self._theirs_has(number, weights[known.index(number)])
            elif self.theirs.legal_actions() == [number]:
                self._theirs_has(number, 1.0)
            else:
                raise self.differ(f"their action {number} is not forced: {self.theirs.legal_actions()}")

    def balance(self) -> None:
        """Compare how likely what both have played since the last comparison was, and forget it."""
        ours, theirs = float(self.our_probability), self.their_probability
        if abs(ours - theirs) > PROBABILITY * max(ours, theirs):
            raise self.differ(f"what came has probability {ours} in ours and {theirs} in theirs")
        self.our_probability, self.their_probability = Fraction(1), 1.0

    def _sampled(self, found: list[tuple[Outcome, list[Any]]]) -> tuple[Outcome, list[Any]]:
        (chosen,) = self.random.choices(found, [float(outcome.probability) for outcome, _ in found])
        return chosen

    def _ours_has(self, pick: Callable[[list[tuple[Outcome, list[Any]]]], tuple[Outcome, list[Any]]]) -> Outcome:
        if not self.ours.is_chance:
            raise self.differ("ours has no chance event here")
        outcome, _ = pick(self.ours.outcomes())
        self.our_probability *= outcome.probability
        self.started = True
        # `apply` would look for the outcome among all once more.
        self.ours._let_chance(outcome.value)  # noqa: SLF001
        return outcome

    def _their_chance(self) -> tuple[list[int], list[float]]:
        if not self.theirs.is_chance_node():
            raise self.differ("theirs has no chance event here")
        numbers, weights = zip(*self.theirs.chance_outcomes(), strict=True)
        return list(numbers), list(weights)

    def _theirs_has(self, number: int, probability: float) -> None:
        self.their_probability *= probability
        self.started = True
        self.theirs.apply_action(number)


def shown(state: State) -> str:
    """A position in full, secrets too."""
    game = state.game
    lines = []
    for slot, cards in enumerate(state.Z):
        if cards and slot != game.layout.outside:
            lines.append(f"{zone_name(game, slot)}: " + ", ".join(game.texts.card(c, state) for c in cards))
    lines += [f"{name} = {value}" for name, value in state.values()]
    if state.is_chance:
        lines.append("chance: " + ", ".join(str(outcome) for outcome in state.chance()))
    for player in state.to_move:
        lines.append(f"player {player} may: " + ", ".join(str(move) for move in state.legal_moves(player)))
    if state.is_over:
        lines.append(f"over: {state.result}, returns {state.returns}")
    return "\n".join(lines)


@attrs.frozen
class Option:
    """A move of ours, or several that are one of theirs: the number of each among the legal ones, and what it is in
    OpenSpiel.
    """

    path: tuple[int, ...]
    label: str
    steps: Steps | None

    def after(self, done: tuple[int, ...]) -> Iterable[int]:
        """Which actions may come next, if these have come."""
        steps = self.steps
        if isinstance(steps, int):
            return () if done else (steps,)
        if isinstance(steps, frozenset):
            return steps.difference(done) if steps.issuperset(done) else ()
        assert steps is not None
        return steps[len(done) : len(done) + 1] if steps[: len(done)] == done else ()


@attrs.define
class Lockstep:
    """Games of one mapping, and what was played in them."""

    mapping: Mapping
    labels: Counter[str] = attrs.Factory(Counter)
    """How often each kind of move was played."""
    decisions: int = 0
    """Decisions with a choice that were compared."""
    chances: int = 0
    """Chance events that were compared."""
    games: int = 0

    def play(self, seed: int) -> None:
        """One game; half of the seeds choose what has been played least. Raises DifferenceError."""
        rng = random.Random(f"{self.mapping.rulebook}/{self.mapping.settings}/{self.mapping.theirs}/{seed}")
        table = Table(
            self.mapping, self.mapping.our_game.start(), self.mapping.their_game.new_initial_state(), rng, seed
        )
        biased = seed % 2 == 1
        while not (table.ours.is_over and table.theirs.is_terminal()):
            if self.mapping.settled(table):
                return
            if table.ours.is_chance or (not table.theirs.is_terminal() and table.theirs.is_chance_node()):
                self._chance(table)
            else:
                self._decision(table, biased=biased)
            table.started = True
        ours, theirs = self.mapping.returns(table), self.mapping.their_returns(table)
        if len(ours) != len(theirs) or any(abs(a - b) > RETURN for a, b in zip(ours, theirs, strict=True)):
            raise table.differ(f"the returns are {list(ours)} in ours and {list(theirs)} in theirs")
        self.games += 1

    # ------------------------------------------------------------ chance

    def _chance(self, table: Table) -> None:
        if self.mapping.chance(table):
            table.balance()
            self.chances += 1
            return
        ours = table.ours.outcomes() if table.ours.is_chance else []
        at_theirs = not table.theirs.is_terminal() and table.theirs.is_chance_node()
        theirs = table.theirs.chance_outcomes() if at_theirs else []
        if ours and theirs and (len(ours) > 1 or len(theirs) > 1):
            self._same_chance(table, ours, dict(theirs))
        elif len(ours) == 1:
            table.sample_ours(1)
        elif len(theirs) == 1:
            table.sample_theirs(1)
        else:
            raise table.differ("chance decides in " + ("ours" if ours else "theirs") + " only")
        table.our_probability, table.their_probability = Fraction(1), 1.0

    def _same_chance(self, table: Table, ours: list[tuple[Outcome, list[Any]]], theirs: dict[int, float]) -> None:
        numbers = [self.mapping.outcome(table, outcome) for outcome, _ in ours]
        weights: dict[int, Fraction] = {}
        for number, (outcome, _) in zip(numbers, ours, strict=True):
            weights[number] = weights.get(number, Fraction(0)) + outcome.probability
        if weights.keys() != theirs.keys() or any(abs(float(weights[n]) - theirs[n]) > PROBABILITY for n in theirs):
            told = {number: str(weights[number]) for number in sorted(weights)}
            raise table.differ(f"the outcomes of chance are {told} in ours and {theirs} in theirs")
        (k,) = table.random.choices(range(len(ours)), [float(outcome.probability) for outcome, _ in ours])
        table.ours._let_chance(ours[k][0].value)  # noqa: SLF001 - as in Table
        table.theirs.apply_action(numbers[k])
        self.chances += 1

    # ------------------------------------------------------------ decisions

    def _decision(self, table: Table, *, biased: bool) -> None:
        different = self._compare(table, biased=biased)
        if different is None:
            return
        for player in table.ours.to_move:
            if len(table.ours.legal_moves(player)) == 1:
                table.ours.choose(0, player)
                return
        theirs = table.theirs
        if not theirs.is_terminal() and not theirs.is_simultaneous_node() and len(theirs.legal_actions()) == 1:
            theirs.apply_action(theirs.legal_actions()[0])
            return
        raise table.differ(different)

    def _compare(self, table: Table, *, biased: bool) -> str | None:
        """Compare a decision and play it, or say what is different."""
        theirs = table.theirs
        if table.ours.is_over or theirs.is_terminal():
            return "only " + ("ours" if table.ours.is_over else "theirs") + " is over"
        seats = {self.mapping.seat(p): p for p in table.ours.to_move}
        if theirs.is_simultaneous_node():
            return self._compare_at_once(table, seats, biased=biased)
        seat = theirs.current_player()
        if seat not in seats:
            return f"players {sorted(seats)} (in their numbers) decide in ours, player {seat} in theirs"
        options = self._options(table, seats[seat])
        different = _unlike(options, theirs.legal_actions())
        if different is not None:
            return different
        option = self._chosen(table, options, biased=biased)
        self._act(table, seat, options, option)
        for index in option.path:
            table.ours.choose(index, seats[seat])
        return None

    def _compare_at_once(self, table: Table, seats: dict[int, int], *, biased: bool) -> str | None:
        theirs = table.theirs
        acting = [s for s in range(self.mapping.their_game.num_players()) if theirs.legal_actions(s)]
        if sorted(seats) != acting:
            return f"players {sorted(seats)} (in their numbers) choose at once in ours, players {acting} in theirs"
        offered = {seat: self._options(table, seats[seat]) for seat in acting}
        for seat in acting:
            different = _unlike(offered[seat], theirs.legal_actions(seat))
            if different is not None:
                return f"player {seat}: {different}"
        joint = [0] * self.mapping.their_game.num_players()
        for seat in acting:
            option = self._chosen(table, offered[seat], biased=biased)
            assert isinstance(option.steps, int), "at once, each player has one action"
            joint[seat] = option.steps
            for index in option.path:
                table.ours.choose(index, seats[seat])
        theirs.apply_actions(joint)
        return None

    def _options(self, table: Table, player: int) -> list[Option]:
        """Our moves, those that are one decision of theirs together."""
        made: list[Option] = []
        open_paths: list[tuple[State, tuple[int, ...], tuple[Move, ...]]] = [(table.ours, (), ())]
        while open_paths:
            state, path, moves = open_paths.pop()
            for index, move in enumerate(state.legal_moves(player)):
                longer = (*moves, move)
                after = state
                if type(self.mapping).inside is not Mapping.inside:
                    after = state.clone()
                    after.choose(index, player)
                if after is not state and player in after.to_move and self.mapping.inside(after):
                    open_paths.append((after, (*path, index), longer))
                else:
                    steps = self.mapping.compound(table, longer)
                    made.append(Option((*path, index), self.mapping.label(table, moves[0] if moves else move), steps))
        return made

    def _chosen(self, table: Table, options: list[Option], *, biased: bool) -> Option:
        if biased:
            fewest = min(self.labels[option.label] for option in options)
            among = [option for option in options if self.labels[option.label] == fewest]
        else:
            among = options
        option = table.random.choice(among)
        self.labels[option.label] += 1
        self.decisions += len(options) > 1
        return option

    def _act(self, table: Table, seat: int, options: list[Option], chosen: Option) -> None:
        """Play the actions of the chosen option, comparing what is legal between them."""
        theirs = table.theirs
        done: tuple[int, ...] = ()
        while following := sorted(chosen.after(done)):
            if done:
                expected = sorted({n for option in options for n in option.after(done)})
                legal = [] if theirs.is_terminal() or theirs.current_player() != seat else theirs.legal_actions()
                if legal != expected:
                    raise table.differ(f"after {list(done)}, {expected} are legal in ours and {legal} in theirs")
            number = table.random.choice(following)
            theirs.apply_action(number)
            done = (*done, number)


def _unlike(options: list[Option], legal: list[int]) -> str | None:
    """What is different between our options and the legal actions."""
    if any(option.steps is None for option in options):
        return "a move of ours is nothing in theirs"
    if len({option.steps for option in options}) != len(options):
        return f"two moves of ours are one in theirs: {sorted(str(option.steps) for option in options)}"
    ours = sorted({number for option in options for number in option.after(())})
    return None if ours == legal else f"the legal actions are {ours} in ours and {legal} in theirs"


def lockstep(mapping: Mapping, games: int = GAMES) -> Lockstep:
    """Play so many games (or as many as the environment variable EGODSL_GAMES says); gives what was played.

    Raises DifferenceError at the first difference.
    """
    run = Lockstep(mapping)
    for seed in range(int(os.environ.get("EGODSL_GAMES", games))):
        run.play(seed)
    return run
