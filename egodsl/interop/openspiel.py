"""Rulebooks as games of OpenSpiel.

    import pyspiel
    from egodsl.interop import openspiel

    name = openspiel.register("mygame.rules")  # a rulebook of the package, or the path of a file
    game = pyspiel.load_game(name, {"players": 3})

Needs the extra `egodsl[openspiel]`; without it, importing this module raises NotInstalledError (EGO923).
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.game import Rulebook
from egodsl.engine.texts import player_name
from egodsl.interop.chance import most_outcomes
from egodsl.interop.position import Position, Rules, rules_of
from egodsl.interop.problems import InteropError, NotInstalledError
from egodsl.interop.recall import RecallLayout
from egodsl.interop.settings import Promises, load_rulebook, numbers_of, pairs_of, promises, words_of
from egodsl.interop.strings import is_all_open, observation_text

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise NotInstalledError("open-spiel", "openspiel") from error

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

Kind = pyspiel.GameType

PARAMETERS: dict[str, int | str] = {
    "players": 0,
    "modes": "",
    "readings": "",
    "parameters": "",
    "max_length": 0,
    "max_number": 0,
    "utility": "",
    "min_utility": 0,
    "max_utility": 0,
}
"""The parameters of every game, and what stands for "not given"."""


@attrs.frozen(eq=False)
class Guest:
    """A rulebook that was registered, with its own defaults of the parameters."""

    name: str
    path: str
    rulebook: Rulebook
    defaults: dict[str, int | str]

    @functools.cache  # noqa: B019 - registered rulebooks are kept for good
    def table(self, settings: tuple[tuple[str, int | str], ...]) -> Table:
        """What games with these settings share. Raises SettingsError, InteropError."""
        return Table.of(self, dict(settings))


_GUESTS: dict[str, Guest] = {}

_WIDEST = 2**31 - 1
"""The largest number that OpenSpiel takes as a parameter."""


@attrs.frozen(eq=False)
class Table:
    """What the states of a game share."""

    rules: Rules
    promises: Promises
    recall: RecallLayout | None
    first: Position
    kind: Any
    info: Any

    @classmethod
    def of(cls, guest: Guest, settings: dict[str, Any]) -> Table:
        """The rules with the settings, and what OpenSpiel wants to know of them."""
        game = guest.rulebook.game(
            players=settings["players"] or None,
            modes=words_of(settings["modes"]),
            readings=pairs_of(settings["readings"], "readings"),
            parameters=numbers_of(settings["parameters"], "parameters"),
        )
        rules = rules_of(game, settings["max_number"])
        bounds = settings["min_utility"], settings["max_utility"]
        low, high = bounds if any(bounds) else (None, None)
        promised = promises(
            game,
            rules.encoding.longest,
            max_length=settings["max_length"],
            utility=settings["utility"],
            min_utility=low,
            max_utility=high,
        )
        recall = RecallLayout(rules, promised.length) if promised.bounded else None
        first = rules.start(keeps_stops=recall is not None)
        outcomes = most_outcomes(game, settings["max_number"])
        return cls(
            rules, promised, recall, first, _kind(guest, first, promised, outcomes), _info(rules, promised, outcomes)
        )


def _kind(guest: Guest, first: Position, promised: Promises, outcomes: int) -> Any:
    counts = guest.rulebook.players
    at_once = any(code.together for code in first.rules.game.codes)
    open_table = is_all_open(first) and not at_once
    return Kind(
        short_name=guest.name,
        long_name=guest.rulebook.title,
        dynamics=Kind.Dynamics.SIMULTANEOUS if at_once else Kind.Dynamics.SEQUENTIAL,
        chance_mode=Kind.ChanceMode.EXPLICIT_STOCHASTIC if outcomes else Kind.ChanceMode.DETERMINISTIC,
        information=Kind.Information.PERFECT_INFORMATION if open_table else Kind.Information.IMPERFECT_INFORMATION,
        utility=getattr(Kind.Utility, promised.utility.upper()),
        reward_model=Kind.RewardModel.TERMINAL,
        max_num_players=counts[-1],
        min_num_players=counts[0],
        provides_information_state_string=True,
        provides_information_state_tensor=promised.bounded,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=guest.defaults,
    )


def _info(rules: Rules, promised: Promises, outcomes: int) -> Any:
    total = {} if promised.total is None else {"utility_sum": float(promised.total)}
    return pyspiel.GameInfo(
        num_distinct_actions=rules.encoding.size,
        max_chance_outcomes=outcomes,
        num_players=rules.game.players,
        min_utility=float(promised.low),
        max_utility=float(promised.high),
        max_game_length=promised.length,
        **total,
    )


def register(path_or_name: str | PathLike[str], short_name: str | None = None, **defaults: int | str) -> str:
    """Make a rulebook a game of OpenSpiel; gives the name by which `pyspiel.load_game` knows it.

    `path_or_name`: a file, or the name of a rulebook that comes with the package. `short_name` is `egodsl_` and the
    rulebook's name if it is not given; a rulebook that is registered again is replaced. `defaults` are those of the
    parameters (see `PARAMETERS`), such as `players=3` or `max_length=8`.

    Raises FileNotFoundError, RulebookError, SettingsError, and InteropError where the game has no finite encoding or a
    parameter is unknown.
    """
    for name, value in defaults.items():
        if name not in PARAMETERS:
            message = f"there is no parameter `{name}`"
            raise InteropError("EGO924", message, f"there are: {', '.join(PARAMETERS)}")
        if type(value) is not type(PARAMETERS[name]):
            kind = "a whole number" if isinstance(PARAMETERS[name], int) else "a text"
            message = f"parameter `{name}` is {kind}, not {value!r}"
            raise InteropError("EGO924", message)
        if isinstance(value, int) and abs(value) > _WIDEST:
            raise InteropError("EGO924", f"parameter `{name}` goes from -{_WIDEST} to {_WIDEST}, not to {value}")
    rulebook = load_rulebook(path_or_name)
    path = str(Path(rulebook.checked.program.root.span.source.path).absolute())
    known = {**PARAMETERS, "players": rulebook.players[0], **defaults}
    guest = Guest(_free_name(short_name or f"egodsl_{rulebook.name}"), path, rulebook, known)
    kind = guest.table(tuple(known.items())).kind
    _GUESTS[guest.name] = guest
    pyspiel.register_game(kind, _maker(guest.name))
    return guest.name


def _free_name(name: str) -> str:
    if not name.strip() or "(" in name:
        message = f"`{name}` cannot be the name of a game"
        raise InteropError("EGO924", message, "what stands in parentheses after a name are parameters")
    if name in pyspiel.registered_names() and name not in _GUESTS:
        raise InteropError("EGO924", f"`{name}` is a game of OpenSpiel", "give another `short_name`")
    return name


def _maker(name: str) -> Callable[[Mapping[str, Any]], Game]:
    def make(given: Mapping[str, Any]) -> Game:
        return Game(_GUESTS[name], given)

    # OpenSpiel lets go of it when Python has already ended, and then it must not be the last to hold it.
    make.__dict__["itself"] = make
    return make


def _load(name: str, path: str, defaults: dict[str, int | str], given: dict[str, Any]) -> Any:
    # For pickle: in another process the rulebook has to be registered first.
    if name not in _GUESTS:
        register(path, name, **defaults)
    return pyspiel.load_game(name, given)


def _restore(game: Game, text: str) -> Any:
    return game.deserialize_state(text)


class Game(pyspiel.Game):
    """A game of OpenSpiel that a rulebook tells."""

    def __init__(self, guest: Guest, given: Mapping[str, Any]) -> None:
        settings = {**guest.defaults, **given}
        self.guest = guest
        self.given = {name: value for name, value in settings.items() if value != guest.defaults[name]}
        self.table = guest.table(tuple((name, settings[name]) for name in PARAMETERS))
        super().__init__(self.table.kind, self.table.info, self.given)

    def new_initial_state(self) -> State:
        """The first state."""
        return State(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> Observer:
        """What turns states into observations. Raises InteropError for parameters, which there are none of, and for
        a perfect recall of a part of what is seen.
        """
        if params:
            raise InteropError("EGO924", f"observations have no parameters such as `{next(iter(params))}`")
        return Observer(self.table, kind or pyspiel.IIGObservationType(perfect_recall=False))

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.guest.name, self.guest.path, self.guest.defaults, self.given)


class State(pyspiel.State):
    """A state of such a game."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.position = game.table.first

    def current_player(self) -> int:
        """Who acts: a player, chance, all at once, or nobody at the end."""
        return self.position.actor

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the outcomes, and their probabilities."""
        return [(k, float(outcome.probability)) for k, outcome in enumerate(self.position.outcomes())]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position.is_chance:
            self._arrive(position.after_chance(action))
        else:
            self._count()
            self._arrive(position.after({position.actor: action}))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self._count()
        self._arrive(self.position.after({player: actions[player] for player in self.position.to_move}))

    def _count(self) -> None:
        promised = self.get_game().table.promises
        if self.position.length >= promised.length:
            message = f"the game goes on after {promised.length} decisions, and was said to be over by then"
            raise InteropError("EGO922", message, "give a larger `max_length`")

    def _arrive(self, position: Position) -> None:
        if position.is_over:
            self.get_game().table.promises.check(position.returns())
        self.position = position

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            outcomes = self.position.outcomes()
            return outcomes[action].text if action < len(outcomes) else f"outcome {action}"
        texts = self.position.rules.encoding.texts
        return texts[action] if action in range(len(texts)) else f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What each player got; nothing before the end."""
        return [float(value) for value in self.position.returns()]

    def __str__(self) -> str:
        return str(self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.get_game(), self.serialize())


class Observer:
    """Observations of states: see `egodsl.interop.tensors` and `recall` for what the numbers are."""

    def __init__(self, table: Table, kind: Any) -> None:
        self._table = table
        self._recalls = bool(kind.perfect_recall)
        self._public = bool(kind.public_info)
        private = pyspiel.PrivateInfoType
        self._private = kind.private_info != private.NONE
        if kind.private_info == private.ALL_PLAYERS or (self._recalls and not (self._public and self._private)):
            message = "there is no observation of all players' secrets, nor perfect recall of a part of what is seen"
            raise InteropError("EGO924", message)
        # Part of an observation is told as text alone.
        size = None
        if self._public and self._private:
            size = table.rules.layout.size if not self._recalls else None if table.recall is None else table.recall.size
        self.tensor: NDArray[np.float32] | None = None if size is None else np.zeros(size, np.float32)
        name = "information" if self._recalls else "observation"
        self.dict: dict[str, NDArray[np.float32]] = {} if self.tensor is None else {name: self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Set the tensor to what the player sees."""
        if self.tensor is None:
            raise InteropError(
                "EGO924", "these observations are texts alone", "give a `max_length`" if self._recalls else None
            )
        self.tensor[:] = np.frombuffer(self._numbers(state.position, player), np.float32)

    def _numbers(self, position: Position, player: int) -> array[float]:
        if self._recalls:
            assert self._table.recall is not None
            return self._table.recall.write(position, player)
        return position.tensor(player)

    def string_from(self, state: State, player: int) -> str:
        """What the player sees, as text."""
        if self._recalls:
            return state.position.information(player)
        return observation_text(state.position, player, public=self._public, private=self._private)


__all__ = ["PARAMETERS", "Game", "Observer", "State", "player_name", "register"]
