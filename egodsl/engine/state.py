"""A position of a game, as data: zones, variables, frames, and a log of what happened that copies share."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.engine import identity, knowledge, pickling, texts
from egodsl.engine.code import AT, CODE
from egodsl.engine.faults import Fault, GameFault
from egodsl.engine.machine import push, run
from egodsl.engine.moves import IllegalMoveError, Move, Outcome, Result
from egodsl.engine.past import Log, entries_of
from egodsl.engine.record import Record, record_of
from egodsl.engine.rng import MASK, below
from egodsl.engine.table import CHANCE, DECIDE
from egodsl.engine.together import merge_if_done
from egodsl.engine.values import UNSET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from egodsl.engine.code import Draw, Frame, Site
    from egodsl.engine.decisions import Raw
    from egodsl.engine.game import Game
    from egodsl.engine.knowledge import Observation, View
    from egodsl.engine.values import Value
    from egodsl.source.diagnostics import Diagnostic
    from egodsl.source.span import Span


class State:
    """A position. Made by `Game.start`, `Game.replay` and `clone`; `apply` changes it in place.

    States are equal if no player and no rule could ever tell them apart: cards of one face in one place are
    interchangeable, and what happened before is no part of it. The hash of a state changes with it, so clone before
    you keep one in a set.
    """

    __slots__ = (
        "L",
        "V",
        "Z",
        "__weakref__",
        "armed",
        "branch_of",
        "branches",
        "chance_at",
        "decisions",
        "dirty",
        "fault",
        "firings",
        "frames",
        "game",
        "hold",
        "log",
        "loose",
        "mover",
        "moves",
        "over",
        "returned",
        "rng",
        "running",
        "seed",
        "site",
        "ticks",
        "turns",
        "unarmed",
        "watched",
        "whole",
    )

    game: Game
    """The game that it is a position of."""
    Z: list[tuple[int, ...]]
    V: list[Value]
    L: list[int]
    loose: list[tuple[tuple[int, int], ...]]
    frames: list[Frame]
    turns: list[list[Any]]
    """For each running `turns`: (number of its frame, active, next, whether a rule has set next)."""
    running: list[int]
    armed: list[frozenset[Any] | None]
    branches: dict[int, State]
    site: Site | None
    chance_at: tuple[Draw, list[Value]] | None
    fault: Diagnostic | None
    watched: Any
    """What those who watch the game have to remember of its past; never changed in place, and no part of equality."""
    whole: bool
    """Whether it is of a game that began at its beginning: a stage that is tried alone has no result."""

    def __init__(self, game: Game, seed: int | None) -> None:
        layout = game.layout
        self.game = game
        self.seed = seed
        self.rng = None if seed is None else seed & MASK
        self.L = list(layout.home)
        lying: list[list[int]] = [[] for _ in layout.slots]
        for card, slot in enumerate(self.L):
            lying[slot].append(card)
        self.Z = [tuple(cards) for cards in lying]
        self.V = [UNSET] * len(layout.var_slots)
        self.loose = [()] * len(layout.slots)
        self.frames = []
        self.turns = []
        self.running = [0] * len(game.stages)
        self.armed = [None] * len(game.watches)
        self.unarmed = bool(game.watches)
        self.dirty = self.hold = self.ticks = self.firings = self.decisions = 0
        self.returned: Value = None
        self.log: Log = None
        self.branches = {}
        self.branch_of: int | None = None
        self.site = None
        self.moves: list[Raw] = []
        self.mover = -1
        self.chance_at = None
        self.over = False
        self.whole = False
        self.watched = None
        self.fault = None

    def begin(self) -> None:
        """Set the variables and run to the first stop. Raises GameFault."""
        self.whole = True
        try:
            for set_initial in self.game.initial:
                set_initial(self)
            push(self, self.game.main.frame(None, []))
            self.ticks = 0
            run(self)
            self._judge()
        except Fault as fault:
            self._fail(fault)

    # ------------------------------------------------------------ who and what

    @property
    def to_move(self) -> tuple[int, ...]:
        """The players who decide now, from 0: one, several at once, or none at chance, at a fault and at the end."""
        if self.branches:
            return tuple(p for p, branch in self.branches.items() if not branch.over)
        return (self.mover,) if self.site is not None else ()

    @property
    def is_chance(self) -> bool:
        """Whether chance decides now (only without a seed)."""
        return self.chance_at is not None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.over

    @property
    def result(self) -> Result | None:
        """The result of a game that has ended; None before."""
        return self.game.result_of(self) if self.over else None

    @property
    def returns(self) -> list[int] | None:
        """What each player got, by seat, in a game that has ended (see `Game.returns_of`); None before."""
        return self.game.returns_of(self) if self.over else None

    def legal_moves(self, player: int) -> list[Move]:
        """The moves of a player who decides now, in a fixed order; none for others.

        (Seat numbers outside the game raise IllegalMoveError.)
        """
        self._must_be_seat(player)
        if self.branches:
            branch = self.branches.get(player)
            return branch.legal_moves(player) if branch is not None and not branch.over else []
        if self.site is None or player != self.mover:
            return []
        made = [self._move(raw) for raw in self.moves]
        return _told_apart(made)

    def _must_be_seat(self, player: int) -> None:
        if player not in range(self.game.players):
            message = f"there is no player {player!r}: the seats are 0 to {self.game.players - 1}"
            raise IllegalMoveError(message)

    def _move(self, raw: Raw) -> Move:
        site = self.site
        assert site is not None
        option = site.options[raw[0]]
        arguments = tuple(
            (name, texts.move_text(self, self.mover, _bare(kind), "", (value,)))
            for name, kind, value in zip(option.names, option.types, raw[1:], strict=True)
        )
        action = option.label if option.action is not None else None
        label = option.label if option.action is None else None
        return Move(
            self.mover, texts.move_text(self, self.mover, option, "go on", raw[1:]), action, label, arguments, raw
        )

    def apply(self, move: Move | Outcome | str) -> None:
        """Play a move (one of `legal_moves`, or its text where one player decides), or let chance have an outcome (one
        of `chance`, or its text).

        Raises IllegalMoveError where it does not fit, and leaves the state as it was; raises GameFault where the rules
        cannot go on.
        """
        if isinstance(move, Outcome) or (isinstance(move, str) and self.is_chance):
            self._apply_outcome(move)
            return
        if isinstance(move, str):
            deciding = self.to_move
            if len(deciding) != 1:
                message = f"{len(deciding)} players decide now: give a move of `legal_moves`, which says whose it is"
                raise IllegalMoveError(message)
            player = deciding[0]
        elif isinstance(move, Move):
            player = move.player
        else:
            message = f"a move, an outcome or the text of one is played, not {move!r}"
            raise IllegalMoveError(message)
        legal = self.legal_moves(player)
        text = move if isinstance(move, str) else move.text
        for known in legal:
            if known.text == text:
                self._play(player, known.raw)
                return
        message = (
            f"{texts.player_name(player)} cannot play `{text}` here; the moves are {_some_of([m.text for m in legal])}"
        )
        raise IllegalMoveError(message)

    def choose(self, index: int, player: int | None = None) -> None:
        """Play the move number `index` (from 0) of the one player who decides, or of `player` where several do at
        once; the quick way for playouts. The moves are those of `moves`, of a branch where there are `branches`.

        Raises GameFault.
        """
        if player is not None and self.branches:
            branch = self.branches.get(player)
            if branch is None or branch.over:
                message = f"{texts.player_name(player)} does not decide here"
                raise IllegalMoveError(message)
            self._play(player, branch.moves[index])
            return
        if self.site is None:
            message = "no one player decides here, so there is nothing to choose by number"
            raise IllegalMoveError(message)
        self._play(self.mover, self.moves[index])

    def _play(self, player: int, raw: Raw) -> None:
        try:
            self.decisions += 1
            if self.branches:
                branch = self.branches[player]
                try:
                    branch._go(raw)  # noqa: SLF001 - a branch is a state of the same kind
                except Fault:
                    # Its record is told last, since it goes no further.
                    self.branches[player] = self.branches.pop(player)
                    raise
                if merge_if_done(self):
                    run(self)
            else:
                self._go(raw)
            self._judge()
        except Fault as fault:
            self._fail(fault)

    def _go(self, raw: Raw) -> None:
        site = self.site
        assert site is not None
        self.site = None
        self.ticks += 1
        self.log = (self.log, (DECIDE, self.mover, site.index, raw, self.moves))
        option = site.options[raw[0]]
        frame = self.frames[-1]
        frame[AT] = option.at
        if option.action is not None:
            push(self, option.action.frame(self.mover, raw[1:]))
        else:
            for slot, value in zip(option.slots, raw[1:], strict=True):
                frame[slot] = value
        run(self)

    # ------------------------------------------------------------ chance

    def chance(self) -> list[Outcome]:
        """The outcomes of the chance event now, in a fixed order, with probabilities that add up to 1; none where
        there is no chance event.
        """
        return [outcome for outcome, _ in self.outcomes()]

    def outcomes(self) -> list[tuple[Outcome, list[Value]]]:
        """The outcomes of `chance`, each with the values that it stands for."""
        if self.chance_at is None:
            return []
        site, candidates = self.chance_at
        weights: dict[Value, list[Value]] = {}
        for key, value in zip(identity.chance_keys(self, site.type, candidates), candidates, strict=True):
            weights.setdefault(key, []).append(value)
        made: list[tuple[Outcome, list[Value]]] = []
        texts_seen: dict[str, int] = {}
        for same in weights.values():
            text = self.game.texts.value(same[0], site.type, self)
            count = texts_seen[text] = texts_seen.get(text, 0) + 1
            text = text if count == 1 else f"{text} ({count})"
            made.append((Outcome(text, Fraction(len(same), len(candidates)), same[0]), same))
        return made

    def outcome_text(self, outcome: Outcome, same: list[Value], value: Value) -> str:
        """The text of one of the values that an outcome stands for: that of its own card, where texts tell cards of
        one face apart.
        """
        if not self.game.has_texts or self.chance_at is None:
            return outcome.text
        kind = self.chance_at[0].type
        own = self.game.texts.value(value, kind, self)
        return outcome.text if own == self.game.texts.value(same[0], kind, self) else own

    def _apply_outcome(self, outcome: Outcome | str) -> None:
        outcomes = self.outcomes()
        text = outcome if isinstance(outcome, str) else outcome.text
        for known, _ in outcomes:
            if known.text == text:
                self._let_chance(known.value)
                return
        # Cards of one face may differ in their texts.
        for known, same in outcomes if self.game.has_texts else ():
            for value in same:
                if self.outcome_text(known, same, value) == text:
                    self._let_chance(value)
                    return
        message = f"chance cannot have `{text}` here; the outcomes are {_some_of([o.text for o, _ in outcomes])}"
        raise IllegalMoveError(message)

    def _let_chance(self, value: Value) -> None:
        assert self.chance_at is not None
        site, candidates = self.chance_at
        self.chance_at = None
        self.frames[-1][site.slot] = value
        self.log = (self.log, (CHANCE, site.index, value, candidates))
        try:
            run(self)
            self._judge()
        except Fault as fault:
            self._fail(fault)

    def _judge(self) -> None:
        # A game that is over has a result and returns, so what they cannot tell is a fault of the last move.
        if self.over and self.whole:
            try:
                self.game.result_of(self)
                if self.game.has_payoff:
                    self.game.returns_of(self)
            except Fault:
                self.over = False
                raise

    def sample_chance(self, rng: int) -> int:
        """Let the chance event now have a random outcome; `rng` is a state of the generator (see `rng`), the next one
        is given back.
        """
        assert self.chance_at is not None
        k, rng = below(rng, len(self.chance_at[1]))
        self._let_chance(self.chance_at[1][k])
        return rng

    # ------------------------------------------------------------ what players know

    def view(self, player: int) -> View:
        """What the player sees now: the table, and the cards that the player knows.

        Nothing of it depends on what the player cannot know. Raises IllegalMoveError for a seat that there is not.
        """
        self._must_be_seat(player)
        return knowledge.view(self, player)

    def observations(self, player: int) -> list[Observation]:
        """All that the player observed since the beginning, in order (perfect recall).

        Raises IllegalMoveError for a seat that there is not.
        """
        self._must_be_seat(player)
        return knowledge.observations(self, player)

    def redeal(self, player: int, rng: int) -> State:
        """A copy in which what the player cannot know is drawn anew from `rng` (0 to 2^64-1); the player cannot tell
        the two apart. Raises IllegalMoveError for a seat that there is not.
        """
        self._must_be_seat(player)
        return knowledge.redeal(self, player, rng)

    # ------------------------------------------------------------ copies and records

    def clone(self) -> State:
        """An independent copy that shares the past."""
        copy = State.__new__(State)
        copy.game, copy.seed, copy.rng = self.game, self.seed, self.rng
        copy.Z, copy.V, copy.L, copy.loose = self.Z[:], self.V[:], self.L[:], self.loose[:]
        copy.frames = [frame[:] for frame in self.frames]
        copy.turns = [turn[:] for turn in self.turns]
        copy.running, copy.armed, copy.unarmed = self.running[:], self.armed[:], self.unarmed
        copy.dirty, copy.hold, copy.ticks, copy.firings = self.dirty, self.hold, self.ticks, self.firings
        copy.decisions, copy.returned, copy.log = self.decisions, self.returned, self.log
        copy.branches = {p: branch.clone() for p, branch in self.branches.items()}
        copy.branch_of = self.branch_of
        copy.site, copy.moves, copy.mover = self.site, self.moves, self.mover
        copy.chance_at, copy.over, copy.whole, copy.fault = self.chance_at, self.over, self.whole, self.fault
        copy.watched = self.watched
        return copy

    def record(self) -> Record:
        """The game so far as a record that replays to an equal state."""
        return record_of(self)

    def entries(self) -> list[tuple[Any, ...]]:
        """The log, from the beginning: tuples that begin with a kind of `egodsl.engine.table`."""
        return entries_of(self.log)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        same_game = self.game is other.game or self.game.recipe == other.game.recipe
        return same_game and identity.key_of(self) == identity.key_of(other)

    def __hash__(self) -> int:
        return hash(identity.key_of(self))

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return pickling.pack(self, tuple(name for name in self.__slots__ if name != "__weakref__"))

    def __setstate__(self, kept: dict[str, Any]) -> None:
        pickling.unpack(self, kept)

    # ------------------------------------------------------------ faults

    def here(self) -> Span:
        """The declaration that runs now."""
        for frame in reversed(self.frames):
            decl = frame[CODE].decl
            if decl is not None:
                span: Span = decl.name.span if hasattr(decl, "name") else decl.span
                return span
        return self.game.checked.program.root.name.span

    def _fail(self, fault: Fault) -> None:
        self.fault = fault.diagnostic
        record = record_of(self)
        self.site = None
        self.chance_at = None
        self.branches = {}
        raise GameFault(fault.diagnostic, record) from fault

    def values(self) -> Iterator[tuple[str, Value]]:
        """Name and value of each variable slot, as `total[A]`."""
        for slot, value in zip(self.game.layout.var_slots, self.V, strict=True):
            yield slot.decl.name.name + (f"[{', '.join(map(str, slot.indexes))}]" if slot.indexes else ""), value


_MOST_OFFERED = 8


def _some_of(offered: list[str]) -> str:
    more = ", ..." if len(offered) > _MOST_OFFERED else ""
    return (", ".join(f"`{text}`" for text in offered[:_MOST_OFFERED]) or "none") + more


def _bare(kind: t.Type) -> Any:
    from egodsl.engine.code import Option  # noqa: PLC0415

    return Option(None, None, ("",), (kind,), (), None)


def _told_apart(moves: list[Move]) -> list[Move]:
    """Number the moves whose texts are the same (labels that the author repeated)."""
    seen: dict[str, int] = {}
    made: list[Move] = []
    for move in moves:
        count = seen[move.text] = seen.get(move.text, 0) + 1
        text = move.text if count == 1 else f"{move.text} ({count})"
        made.append(move if count == 1 else Move(move.player, text, move.action, move.label, move.arguments, move.raw))
    return made
