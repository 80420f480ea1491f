"""A position of a game as frameworks want it: players choose actions by number, one after the other.

A decision of the rulebook is one action or several in a row (see `encoding`). Positions never change: playing on makes
another one. They are stored as the actions that led to them.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.moves import IllegalMoveError, Outcome
from egodsl.engine.observing import Witness
from egodsl.engine.texts import player_name
from egodsl.interop.encoding import Choice, Encoding, Tokens, begin
from egodsl.interop.tensors import TensorLayout

if TYPE_CHECKING:
    from array import array
    from collections.abc import Mapping, Sequence

    Row = array[float]

    from egodsl.engine.game import Game
    from egodsl.engine.past import Log
    from egodsl.engine.state import State

CHANCE, TOGETHER, NOBODY = -1, -2, -4
"""Who acts where chance decides, where several players do at once, and at the end: the numbers that OpenSpiel has."""

_WITNESSES = 512
"""Points of games of which what a player observed is kept at hand."""
_LONGEST_KEPT = 4000
"""Letters of an information state that is kept at hand."""
_KEPT = 5_000_000
"""Cards, variables and numbers of observations in the positions that are kept at hand, so that those who walk through a
small game again and again need not play it each time.
"""

Step = tuple[tuple[int, int], ...]
"""Who acted, with which action: one, or several at once."""

Past = tuple["Past", Step, str] | None
"""(what was before, the step, how its actions are called)."""


class Rules:
    """A game with its actions and the layout of its observations, shared by all of its positions.

    `max_number`: see `Encoding`. Raises InteropError where the game has no finite encoding.
    """

    def __init__(self, game: Game, max_number: int = 0) -> None:
        self.game = game
        self.encoding = Encoding(game, max_number)
        self.layout = TensorLayout(game, self.encoding)
        self._witnesses: dict[int, dict[int, tuple[Log, Witness]]] = {}
        self._known: dict[tuple[int, Step], tuple[Position, Position]] = {}
        parts = len(game.layout.card_type) + len(game.layout.var_slots) + game.players * self.layout.size
        self._most_known = _KEPT // max(parts, 50)

    def start(self, *, keeps_stops: bool = False) -> Position:
        """The first position, in which chance is explicit. Raises GameFault."""
        return Position(self, self.game.start(), keeps_stops=keeps_stops)

    def known(self, position: Position, step: Step) -> Position | None:
        """The position after a step, if it was made not long ago."""
        found = self._known.get((id(position), step))
        return None if found is None else found[1]

    def know(self, position: Position, step: Step, after: Position) -> None:
        """Keep the position after a step at hand."""
        # The position is kept with it, so that its number is not given to another.
        self._known[id(position), step] = (position, after)
        if len(self._known) > self._most_known:
            del self._known[next(iter(self._known))]

    def witness(self, state: State, player: int) -> Witness:
        """What the player observed up to the state (in a `together`, up to its beginning). It is not to be changed."""
        kept = self._witnesses.setdefault(player, {})
        entries = []
        log = state.log
        while log is not None and id(log) not in kept:
            log, entry = log
            entries.append(entry)
        found = kept[id(log)][1] if log is not None else None
        if found is None or entries:
            found = Witness(state, player) if found is None else found.copy()
            found.watch(entries[::-1])
            # The log is kept with it, so that its number is not given to another.
            kept[id(state.log)] = (state.log, found)
            if len(kept) > _WITNESSES:
                del kept[next(iter(kept))]
        return found


@functools.lru_cache(maxsize=32)
def rules_of(game: Game, max_number: int = 0) -> Rules:
    """The rules of a game, made once."""
    return Rules(game, max_number)


@attrs.frozen(eq=False)
class Stop:
    """A position at which somebody decided, and who did what there: a row of an information state's tensor."""

    state: State
    begun: Mapping[int, Tokens]
    acted: tuple[tuple[int, int], ...] = ()
    rows: dict[int, Row] = attrs.Factory(dict)
    """What each player saw, as far as somebody has asked."""


Stops = tuple["Stops", Stop] | None


class Position:
    """A position; it never changes. What it gives is shared, and not to be changed either."""

    __slots__ = ("_choices", "_kept", "actor", "keeps_stops", "length", "past", "rules", "state", "stops")

    def __init__(self, rules: Rules, state: State, *, keeps_stops: bool = False) -> None:
        self.rules = rules
        self.state = state
        self.keeps_stops = keeps_stops
        self.past: Past = None
        self.length = 0
        """Decisions so far, each action of a decision counted (those of several players at once as one)."""
        self.stops: Stops = None
        """The decisions so far and the one now (or the end), where they are kept, from the last to the first."""
        self.actor = NOBODY
        """Who acts now: a player, CHANCE, TOGETHER or NOBODY."""
        self._choices: dict[int, Choice] = {}
        self._kept: dict[Any, Any] = {}
        self._arrive()

    # ------------------------------------------------------------ who and what

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == NOBODY

    @property
    def is_chance(self) -> bool:
        """Whether chance decides."""
        return self.actor == CHANCE

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players who decide: several where they choose at once."""
        return self.state.to_move

    def choice(self, player: int) -> Choice:
        """What the player, who must be one of `to_move`, has chosen of their move, and what may come next."""
        found = self._choices.get(player)
        if found is None:
            deciding = self.state.branches.get(player, self.state)
            found = self._choices[player] = begin(self.rules.encoding.moves(deciding))
        return found

    def legal(self, player: int) -> list[int]:
        """The legal actions of a player in order; none where others decide."""
        return self.choice(player).legal if player in self.state.to_move else []

    def outcomes(self) -> list[Outcome]:
        """The outcomes of chance, by number."""
        if "chance" not in self._kept:
            self._kept["chance"] = self.state.chance()
        found: list[Outcome] = self._kept["chance"]
        return found

    def returns(self) -> list[int]:
        """What each player got; nothing before the end."""
        return self.state.returns or [0] * self.rules.game.players

    # ------------------------------------------------------------ playing

    def after(self, actions: Mapping[int, int]) -> Position:
        """The position after the actions of these players: of the one who decides, or of all who choose at once.

        Raises IllegalMoveError where an action is not legal, and GameFault where the rules cannot go on.
        """
        step = tuple(actions.items())
        known = self.rules.known(self, step)
        if known is not None:
            return known
        for player, action in step:
            legal = self.legal(player)
            if action not in legal:
                message = f"action {action} of {player_name(player)} is not legal here; legal are {legal or 'none'}"
                raise IllegalMoveError(message)
        made = self._copy()
        if self.stops is not None:
            made.stops = (self.stops[0], attrs.evolve(self.stops[1], acted=step))
        made.length += 1
        texts = self.rules.encoding.texts
        made.past = (self.past, step, ", ".join(f"{player_name(who)}: {texts[action]}" for who, action in step))
        for player, action in step:
            chosen = made._choices.pop(player).choose(action)  # noqa: SLF001 - not yet given away
            if isinstance(chosen, Choice):
                made._choices[player] = chosen  # noqa: SLF001 - as above
            else:
                made.state.choose(chosen, player)
        made._arrive()  # noqa: SLF001 - as above
        self.rules.know(self, step, made)
        return made

    def after_chance(self, number: int) -> Position:
        """The position after chance had the outcome of that number. Raises IllegalMoveError, GameFault."""
        step = ((CHANCE, number),)
        known = self.rules.known(self, step)
        if known is not None:
            return known
        outcomes = self.outcomes()
        if number not in range(len(outcomes)):
            message = f"chance has no outcome {number} here; there are {len(outcomes)}, from 0"
            raise IllegalMoveError(message)
        made = self._copy()
        made.past = (self.past, step, f"chance: {outcomes[number].text}")
        made.state.apply(outcomes[number])
        made._arrive()  # noqa: SLF001 - not yet given away
        self.rules.know(self, step, made)
        return made

    def _copy(self) -> Position:
        made = Position.__new__(Position)
        made.rules, made.past, made.length = self.rules, self.past, self.length
        made.keeps_stops, made.stops = self.keeps_stops, self.stops
        made.state = self.state.clone()
        made._choices = self._choices.copy()  # noqa: SLF001 - of its own kind
        made._kept = {}  # noqa: SLF001 - as above
        return made

    def _arrive(self) -> None:
        state = self.state
        if state.is_over:
            self.actor = NOBODY
        elif state.is_chance:
            self.actor = CHANCE
        else:
            self.actor = TOGETHER if state.branches else state.mover
        if self.keeps_stops and self.actor != CHANCE:
            begun = {player: choice.chosen for player, choice in self._choices.items()}
            self.stops = (self.stops, Stop(state, begun))

    # ------------------------------------------------------------ the past

    def steps(self) -> list[Step]:
        """What happened since the beginning."""
        found = []
        past = self.past
        while past is not None:
            past, step, _ = past
            found.append(step)
        found.reverse()
        return found

    def __str__(self) -> str:
        told = []
        past = self.past
        while past is not None:
            past, _, text = past
            told.append(text)
        return "; ".join(reversed(told))

    # ------------------------------------------------------------ what players know

    def begun(self, player: int) -> Sequence[int]:
        """The tokens that the player has chosen of a move."""
        found = self._choices.get(player)
        return () if found is None else found.chosen

    def tensor(self, player: int) -> array[float]:
        """What the player sees, by the layout of the rules."""
        key = ("tensor", player)
        if key not in self._kept:
            self._kept[key] = self.rules.layout.write(self.state, player, self.begun(player))
        found: array[float] = self._kept[key]
        return found

    def information(self, player: int) -> str:
        """All that the player observed, and did: equal texts mean that the player cannot tell the positions apart."""
        key = ("information", player)
        found: str | None = self._kept.get(key)
        if found is not None:
            return found
        own = " ".join(str(action) for step in self.steps() for who, action in step if who == player)
        lines = [f"player {player_name(player)}; actions: {own or 'none'}", *self._observed(player)]
        if player in self.state.to_move:
            site = self.state.branches.get(player, self.state).site
            assert site is not None
            lines.append(f"asked at place {site.index + 1}")
        told = "\n".join(lines)
        if len(told) <= _LONGEST_KEPT:
            self._kept[key] = told
        return told

    def _observed(self, player: int) -> list[str]:
        # The texts of `State.observations`.
        witness = self.rules.witness(self.state, player)
        branch = self.state.branches.get(player)
        if branch is not None:
            witness = witness.copy()
            witness.watch(branch.entries())
        return [observation.text for observation in witness.seen]

    # ------------------------------------------------------------ copies and storage

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        rules = self.rules
        return revive, (rules.game, rules.encoding.max_number, self.keeps_stops, self.steps())


def revive(game: Game, max_number: int, keeps_stops: bool, steps: Sequence[Step]) -> Position:  # noqa: FBT001 - pickle gives it by place
    """The position that the steps lead to."""
    position = rules_of(game, max_number).start(keeps_stops=keeps_stops)
    for step in steps:
        who, action = step[0]
        position = position.after_chance(action) if who == CHANCE else position.after(dict(step))
    return position
