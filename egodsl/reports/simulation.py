"""Many games by computer players, and what came of them. Memory does not grow with the number of games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.faults import GameFault
from egodsl.engine.record import record_settings
from egodsl.engine.rng import Random, derive
from egodsl.engine.texts import player_name
from egodsl.players import DEFAULT_PLAYOUTS, KINDS, play_on, play_out
from egodsl.players import playouts as so_many
from egodsl.reports.spread import Spread, spread_of
from egodsl.source.render import to_json
from egodsl.syntax.printer import print_expression

if TYPE_CHECKING:
    from egodsl.engine.game import Game
    from egodsl.engine.moves import Result
    from egodsl.engine.record import Record
    from egodsl.engine.state import State
    from egodsl.source.diagnostics import Diagnostic

MOST_KINDS = 100
"""Different faults that are told apart; any more are only counted."""


@attrs.define
class FaultKind:
    """One way in which games broke: what is wrong, how often it happened, and the first game that shows it."""

    diagnostic: Diagnostic
    record: Record
    game: int
    count: int = 1

    def to_json(self) -> dict[str, Any]:
        """As what `json.dumps` takes.

        `record`, written to a file of its own, is a game record that replays to the fault.
        """
        span = self.diagnostic.span
        return {
            "code": self.diagnostic.code.number,
            "message": self.diagnostic.message,
            "place": self.diagnostic.place,
            "count": self.count,
            "game": self.game,
            "diagnostic": to_json(self.diagnostic),
            "rule": None if span is None else span.text.split("\n", 1)[0],
            "record": json.loads(self.record.to_json()),
        }


@attrs.define(eq=False)
class Simulation:
    """What came of the games so far. Made by `simulate`, which fills it."""

    game: Game
    seed: int
    most: int
    kinds: Sequence[str]
    """For each seat the kind of its player (see `egodsl.players.KINDS`)."""
    playouts: int
    """For each decision of a player that searches."""
    games: int = 0
    decisions: int = 0
    cut_short: int = 0
    wins: list[int] = attrs.field(init=False)
    """For each seat, the games that it won alone."""
    ties: list[int] = attrs.field(init=False)
    """For each seat, the games in which it shared the first place."""
    lengths: Counter[int] = attrs.Factory(Counter)
    """Decisions of each game that ended."""
    scores: list[list[Counter[int]]] = attrs.field(init=False)
    """For each key of the result and each seat, the scores of the games that ended."""
    payoffs: list[Counter[int]] = attrs.field(init=False)
    """For each seat, what it was paid in the games that ended; none where the rulebook has no `payoff`."""
    together: Counter[int] = attrs.Factory(Counter)
    faults: dict[tuple[str, str, str], FaultKind] = attrs.Factory(dict)
    fault_count: int = 0

    def __attrs_post_init__(self) -> None:
        players = self.game.players
        self.wins, self.ties = [0] * players, [0] * players
        self.scores = [[Counter() for _ in range(players)] for _ in self.keys]
        self.payoffs = [Counter() for _ in range(players)] if self.game.has_payoff else []

    @property
    def is_random(self) -> bool:
        """Whether all players are random ones."""
        return all(kind == "random" for kind in self.kinds)

    @property
    def keys(self) -> list[str]:
        """The keys of `result` as the rulebook writes them, such as `most points`; none where all play together, or
        where the payoff alone ranks the players.
        """
        header = self.game.checked.program.result
        if header is None or header.together is not None:
            return []
        return [f"{key.direction} {print_expression(key.value)}" for key in header.keys if key.value is not None]

    @property
    def ended(self) -> int:
        """How many games came to their end."""
        return self.games - self.cut_short - self.fault_count

    def add_result(self, result: Result, returns: Sequence[int], decisions: int) -> None:
        """Count a game that ended after so many decisions, with this result and these returns."""
        self.lengths[decisions] += 1
        for paid, value in zip(self.payoffs, returns, strict=False):
            paid[value] += 1
        if result.together is not None:
            self.together[result.together] += 1
            return
        winners = result.winners
        counts = self.wins if len(winners) == 1 else self.ties
        for player in winners:
            counts[player] += 1
        for player, values in enumerate(result.scores if self.scores else ()):
            for by_seat, value in zip(self.scores, values, strict=True):
                by_seat[player][value] += 1

    def add_fault(self, fault: GameFault, number: int) -> None:
        """Count a game, by its number from 0, that ended in a fault."""
        self.fault_count += 1
        diagnostic = fault.diagnostic
        key = (diagnostic.code.number, diagnostic.message, diagnostic.place)
        known = self.faults.get(key)
        if known is not None:
            known.count += 1
        elif len(self.faults) < MOST_KINDS:
            self.faults[key] = FaultKind(diagnostic, fault.record, number)

    def score_spreads(self) -> list[tuple[str, Spread | None, list[Spread | None]]]:
        """For each key of the result: its text, the spread over all seats, the spread of each seat."""
        return [
            (key, spread_of(sum(by_seat, Counter())), [spread_of(one) for one in by_seat])
            for key, by_seat in zip(self.keys, self.scores, strict=True)
        ]

    def payoff_spreads(self) -> tuple[Spread | None, list[Spread | None]]:
        """The spread of the payoff over all seats, and that of each seat; None and none without a `payoff`."""
        return spread_of(sum(self.payoffs, Counter())), [spread_of(paid) for paid in self.payoffs]

    def to_json(self, seconds: float) -> dict[str, Any]:
        """As what `json.dumps` takes; `seconds` is how long the games took.

        Programs read it: keys may be added, none changes.
        """
        players, modes, readings, parameters = record_settings(self.game)
        seats = [player_name(player) for player in range(players)]
        paid, paid_by_seat = self.payoff_spreads()
        return {
            "rulebook": self.game.rulebook.name,
            "digest": self.game.rulebook.digest,
            "players": players,
            "modes": list(modes),
            "readings": readings,
            "parameters": parameters,
            "seed": self.seed,
            "max_decisions": self.most,
            "bots": dict(zip(seats, self.kinds, strict=True)),
            "playouts": self.playouts,
            "games": self.games,
            "ended": self.ended,
            "cut_short": self.cut_short,
            "decisions": self.decisions,
            "seconds": round(seconds, 3),
            "decisions_per_second": round(self.decisions / seconds) if seconds > 0 else None,
            "faults": {"count": self.fault_count, "kinds": [kind.to_json() for kind in self.faults.values()]},
            "wins": dict(zip(seats, self.wins, strict=True)),
            "ties": dict(zip(seats, self.ties, strict=True)),
            "lengths": _json(spread_of(self.lengths)),
            "scores": [
                {"key": key, "all": _json(whole), "seats": dict(zip(seats, map(_json, by_seat), strict=True))}
                for key, whole, by_seat in self.score_spreads()
            ],
            "payoff": {"all": _json(paid), "seats": dict(zip(seats, map(_json, paid_by_seat), strict=True))}
            if self.payoffs
            else None,
            "together": _json(spread_of(self.together)),
        }


def _json(spread: Spread | None) -> dict[str, int | float] | None:
    return None if spread is None else spread.to_json()


def simulate(
    game: Game,
    games: int,
    seed: int,
    most: int,
    kinds: Sequence[str] | None = None,
    playouts: int = DEFAULT_PLAYOUTS,
    *,
    first: int = 0,
    done: Callable[[int], None] | None = None,
) -> Simulation:
    """Let players of these kinds (one for each seat; by default random ones) play `games` games, numbered from
    `first`, none longer than `most` decisions. Players that search make up to `playouts` playouts for a decision.

    Game k is started with the seed derive(seed, "game", k). If all players are random, they draw from one stream,
    derive(seed, "players", k); otherwise each has a stream of its own, derive(seed, "players", k, seat). So any game
    can be had again by itself. After each game `done` is called with how many are done.
    """
    made = Simulation(game, seed, most, kinds or ["random"] * game.players, playouts)
    for number in range(first, first + games):
        state = None
        try:
            state = game.start(derive(seed, "game", number))
            if _played(made, state, number):
                result, returns = state.result, state.returns
                assert result is not None
                assert returns is not None
                made.add_result(result, returns, state.decisions)
            else:
                made.cut_short += 1
        except GameFault as fault:
            made.add_fault(fault, number)
        made.games += 1
        if state is not None:
            made.decisions += state.decisions
        if done is not None:
            done(made.games)
    return made


def _played(made: Simulation, state: State, number: int) -> bool:
    """Play the game; whether it ended."""
    if made.is_random:
        return play_out(state, Random(derive(made.seed, "players", number)), made.most)
    budget = so_many(made.playouts)
    players = [KINDS[kind](derive(made.seed, "players", number, seat), budget) for seat, kind in enumerate(made.kinds)]
    return play_on(state, players, made.most)
