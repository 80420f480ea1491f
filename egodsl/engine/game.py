"""A rulebook, and a game of it configured and ready to be started."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from egodsl.analysis import check_file
from egodsl.analysis import types as t
from egodsl.engine import pickling
from egodsl.engine.faults import Fault
from egodsl.engine.moves import Result
from egodsl.engine.program import Linker
from egodsl.engine.settings import configure, player_range
from egodsl.engine.sources import Scope
from egodsl.engine.state import State
from egodsl.engine.texts import Texts
from egodsl.source.diagnostics import Diagnostic, DiagnosticError
from egodsl.source.registry import CODES
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    from egodsl.analysis.symbols import Checked
    from egodsl.engine.covering import Covering
    from egodsl.engine.record import Record
    from egodsl.engine.setup import Settings

DEFAULT_LIMIT = 100_000
"""Steps of the rules between two decisions before it counts as a loop without an end."""


class RulebookError(DiagnosticError):
    """A rulebook that cannot be used; `diagnostics` holds everything that is wrong, sorted by place."""


class Rulebook:
    """A checked rulebook. Made by `load`."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.warnings: tuple[Diagnostic, ...] = tuple(checked.diagnostics)

    @property
    def name(self) -> str:
        """The name in the head."""
        return self.checked.program.name

    @property
    def title(self) -> str:
        """The title in the head."""
        return self.checked.program.title

    @property
    def players(self) -> range:
        """The numbers of players that the rulebook allows."""
        return player_range(self.checked)

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that change with the text of the rulebook, of any file it uses, or of a table of it."""
        made = hashlib.sha256()
        for module in self.checked.program.files:
            made.update(module.span.source.text.encode())
            made.update(b"\0")
        for table in self.checked.program.tables:
            made.update(table.text.encode())
            made.update(b"\0")
        return made.hexdigest()[:16]

    def game(
        self,
        *,
        players: int | None = None,
        modes: Iterable[str] = (),
        readings: Mapping[str, str] | None = None,
        parameters: Mapping[str, int] | None = None,
        decks: Mapping[str, str] | None = None,
        counts: Mapping[str, int] | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> Game:
        """A game with these settings; what is not given has the rulebook's default (players: the fewest).

        `decks` cuts components down (`{"city": "12"}` keeps 12 cards, `{"city": "mind:4,virtue:3"}` so many that show
        each value; see `egodsl.engine.cutting`), `counts` defines that are numbers settled before play, to 0 or more.
        `limit`: steps of the rules between two decisions that count as a loop without an end. Raises SettingsError (a
        DiagnosticError) for a
        player count outside the range, an unknown mode, reading, answer or parameter, a value outside its range, or a
        cut that keeps more than there is, or nothing; RulebookError where the rulebook is a library.
        """
        program = self.checked.program
        if self.checked.kind == "library":
            message = f"`{program.name}` is a library, which is not played by itself"
            help_ = "load a rulebook that uses it"
            raise RulebookError([Diagnostic(CODES["EGO212"], message, program.root.name.span, help=help_)])
        settings = configure(self.checked, players, modes, readings or {}, parameters or {}, decks, counts)
        return Game(self, settings, limit)


class Game:
    """A configured game: rules that are compiled and never change. States are made by `start` and `replay`."""

    def __init__(
        self, rulebook: Rulebook, settings: Settings, limit: int = DEFAULT_LIMIT, *, covering: Covering | None = None
    ) -> None:
        self.rulebook = rulebook
        self.checked = rulebook.checked
        self.settings = settings
        self.limit = limit
        self.covering = covering
        """Counts what play reaches, in a game that is made for it; the moves and their order are those of any game."""
        try:
            linker = Linker(self.checked, settings, covering)
        except Fault as fault:
            raise RulebookError([fault.diagnostic]) from fault
        self.layout = linker.layout
        self.players = settings.players
        self.sites = linker.sites
        self.draws = linker.draws
        self.facts = linker.facts
        self.fact_values = linker.fact_values
        self.stages = linker.stages
        self.watches = linker.watches
        self.watches_of = [[w.index for w in linker.watches if w.stage == k] for k in range(len(linker.stages))]
        self.runs_out = linker.runs_out
        self.zone_watches = linker.zone_watches
        self.var_watches = linker.var_watches
        self.initial = linker.initial
        self.quick_draw = linker.quick_draw
        self.card_variables = linker.card_variables
        self.mark_slots = frozenset(
            k for k, slot in enumerate(self.layout.var_slots) if isinstance(slot.decl, nodes.Mark)
        )
        self.texts = Texts(self.checked, self.layout)
        self.has_texts = any(kind.texts for kind in self.layout.types)
        self.main = linker.code_of(self.checked.program.stages["game"])
        self.linker = linker
        self.codes = linker.codes()
        """Every compiled body, in a fixed order."""
        self.on_turn: Callable[[State], None] | None = None
        """Who is told that a turn begins, of those who watch games of these rules."""
        self.trackers: dict[int, Any] = {}
        """What each player knows at the states last asked about: see `tracking`."""
        self._keys = self._result_keys(linker)
        self._payoff = self._payoff_of(linker)
        if covering is not None:
            covering.close()

    @cached_property
    def recipe(self) -> tuple[Any, ...]:
        """What the game is made of: states of games with one recipe can be compared."""
        return pickling.recipe_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickling.reduce_game(self)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def start(self, seed: int | None = None) -> State:
        """A state at the first decision. With a seed (0 to 2^64-1) chance resolves itself, the same on every machine;
        without, it is explicit.

        Raises GameFault where the rules cannot get that far.
        """
        state = State(self, seed)
        state.begin()
        return state

    def replay(self, record: Record, *, strict: bool = True) -> State:
        """The state that a record leads to. Raises RecordError with the first difference where it does not fit the
        rulebook.

        With `strict` false it is played as far as it fits (`egodsl.engine.record.replay_as_far` tells the difference
        too). The record of a fault leads to a state whose `fault` says what it was.
        """
        from egodsl.engine.record import replay  # noqa: PLC0415 - records know games

        return replay(self, record, strict=strict)

    def _result_keys(self, linker: Linker) -> list[tuple[Callable[..., int], bool]]:
        header = self.checked.program.ranking
        e = linker.expressions
        scope = Scope({}, "you")
        if header is None:
            return []
        if header.together is not None:
            return [(e.function("S,you", e.some(header.together, scope)), True)]
        return [
            (e.function("S,you", e.some(key.value, scope)), key.direction == "most")
            for key in header.keys
            if key.value is not None
        ]

    @property
    def has_payoff(self) -> bool:
        """Whether the rulebook says what each player gets."""
        return self._payoff is not None

    def _payoff_of(self, linker: Linker) -> Callable[..., int] | None:
        header = self.checked.program.payoff
        e = linker.expressions
        return None if header is None else e.function("S,you", e.some(header.value, Scope({}, "you")))

    def returns_of(self, state: State) -> list[int]:
        """What each player gets, by seat: the `payoff`.

        A rulebook without one only ranks: then a player gets 1 for each player placed behind them and -1 for each
        placed before them; where all play together, everybody gets what they reached.
        """
        if self._payoff is not None:
            return [int(self._payoff(state, player)) for player in range(self.players)]
        result = self.result_of(state)
        if result.together is not None:
            return [int(result.together)] * self.players
        returns = [0] * self.players
        before = 0
        for tied in result.places:
            behind = self.players - before - len(tied)
            for player in tied:
                returns[player] = behind - before
            before += len(tied)
        return returns

    def result_of(self, state: State) -> Result:
        """The places by the keys of `result`, or by the most `payoff` where there is no `result`."""
        header = self.checked.program.ranking
        if header is not None and header.together is not None:
            value = self._keys[0][0](state, 0)
            return Result((), tuple((value,) for _ in range(self.players)), value)
        scores = tuple(tuple(int(key(state, p)) for key, _ in self._keys) for p in range(self.players))
        signs = [1 if most else -1 for _, most in self._keys]
        ranked: dict[tuple[int, ...], list[int]] = {}
        for p, score in enumerate(scores):
            ranked.setdefault(tuple(-sign * value for sign, value in zip(signs, score, strict=True)), []).append(p)
        return Result(tuple(tuple(ranked[key]) for key in sorted(ranked)), scores)


def load(path: str | PathLike[str]) -> Rulebook:
    """Read, link and check the rulebook in a file.

    Raises RulebookError, which carries every diagnostic, where it cannot be used, and FileNotFoundError where there is
    no such file.
    """
    checked, diagnostics = check_file(Path(path))
    if checked is None or any(d.is_error for d in diagnostics):
        raise RulebookError(diagnostics)
    checked.diagnostics[:] = diagnostics
    return Rulebook(checked)


__all__ = ["DEFAULT_LIMIT", "Game", "Rulebook", "RulebookError", "load", "t"]
