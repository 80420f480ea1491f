"""Game records: a small text file from which a game can be played again, exactly.

A record is JSON: the rulebook and its digest, the settings, the seed, and what happened: `["A", "draw"]` for a
decision of A, `["chance", "5"]`
for a chance event, in order.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.engine.texts import player_name
from egodsl.source.diagnostics import Diagnostic, DiagnosticError
from egodsl.source.registry import CODES

if TYPE_CHECKING:
    from egodsl.engine.game import Game
    from egodsl.engine.state import State

FORMAT = 1


class RecordError(DiagnosticError):
    """A record that is none, or does not fit the rulebook; the message names the first difference."""

    def __init__(self, message: str, help: str | None = None, code: str = "EGO801") -> None:
        super().__init__([Diagnostic(CODES[code], message, help=help)])


@attrs.frozen
class Record:
    """A game as it was played. `events` are (who, text): who is a player's letter or `chance`."""

    rulebook: str
    digest: str
    players: int
    modes: tuple[str, ...]
    readings: dict[str, str]
    parameters: dict[str, int]
    seed: int | None
    events: tuple[tuple[str, str], ...]
    decks: dict[str, str] = attrs.Factory(dict)
    """Components that were cut down, and to what."""
    counts: dict[str, int] = attrs.Factory(dict)
    """Defines that were cut down, and to what."""

    def to_json(self) -> str:
        """The text of the file; one event a line."""
        head = {
            "egodsl-record": FORMAT,
            "rulebook": self.rulebook,
            "digest": self.digest,
            "players": self.players,
            "modes": list(self.modes),
            "readings": self.readings,
            "parameters": self.parameters,
            **({"decks": self.decks} if self.decks else {}),
            **({"counts": self.counts} if self.counts else {}),
            "seed": self.seed,
        }
        lines = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
        events = ",\n".join("    " + json.dumps(event, ensure_ascii=False) for event in self.events)
        lines.append('  "events": [\n' + events + "\n  ]" if self.events else '  "events": []')
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Record:
        """The record in a text. Raises RecordError where it is none."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            place = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
            message = f"this is not a game record: it is no JSON{place}"
            raise RecordError(message) from error
        if not isinstance(data, dict) or data.get("egodsl-record") != FORMAT:
            message = "this is not a game record: it does not say `egodsl-record`"
            raise RecordError(message)
        fields: dict[str, tuple[type, ...]] = {
            "rulebook": (str,),
            "digest": (str,),
            "players": (int,),
            "modes": (list,),
            "readings": (dict,),
            "parameters": (dict,),
            "seed": (int, type(None)),
            "events": (list,),
        }
        for name, kinds in fields.items():
            # A seed may be none, but it must say so.
            if name not in data or not isinstance(data[name], kinds) or isinstance(data[name], bool):
                message = f"this game record has no proper `{name}`"
                raise RecordError(message)
        for name in ("decks", "counts"):
            # Only the record of a game that was cut down says so.
            if not isinstance(data.get(name, {}), dict):
                message = f"this game record has no proper `{name}`"
                raise RecordError(message)
        return cls(
            data["rulebook"],
            data["digest"],
            data["players"],
            tuple(map(str, data["modes"])),
            {str(k): str(v) for k, v in data["readings"].items()},
            _numbers(data["parameters"]),
            data["seed"],
            tuple(_event(event) for event in data["events"]),
            {str(k): str(v) for k, v in data.get("decks", {}).items()},
            _numbers(data.get("counts", {}), "define"),
        )


def _numbers(data: dict[str, Any], what: str = "parameter") -> dict[str, int]:
    for name, value in data.items():
        if not isinstance(value, int) or isinstance(value, bool):
            message = f"this game record has no number for {what} `{name}`"
            raise RecordError(message)
    return data


def _event(data: Any) -> tuple[str, str]:
    if isinstance(data, list) and len(data) == 2 and all(isinstance(part, str) for part in data):  # noqa: PLR2004 - who and what
        return data[0], data[1]
    message = f"this game record has an event that is not two texts: {json.dumps(data)[:60]}"
    raise RecordError(message)


def record_of(state: State) -> Record:
    """The record of a state: its log told in the texts of moves and outcomes.

    Texts of moves depend on the position, so the game is played through once more from the start.
    """
    game = state.game
    settings = game.settings
    return Record(
        game.rulebook.name,
        game.rulebook.digest,
        game.players,
        tuple(sorted(settings.modes)),
        {name: game.checked.program.readings[name].answers[k].name.name for name, k in settings.readings.items()},
        dict(settings.parameters),
        state.seed,
        tuple(events_of(state)),
        dict(settings.decks),
        dict(settings.counts),
    )


def events_of(state: State) -> list[tuple[str, str]]:
    """What happened, in order, in texts."""
    from egodsl.engine.retell import retell  # noqa: PLC0415 - retelling plays states

    return retell(state)


def replay(game: Game, record: Record, *, strict: bool) -> State:
    """See `Game.replay`."""
    if strict and record.digest != game.rulebook.digest and record.rulebook != game.rulebook.name:
        message = f"the record is of `{record.rulebook}`, not of `{game.rulebook.name}`"
        raise RecordError(message, code="EGO802")
    state, difference = replay_as_far(game, record)
    if strict and difference is not None:
        raise difference
    return state


def replay_as_far(game: Game, record: Record) -> tuple[State, RecordError | None]:
    """The state that a record leads to as far as it fits, and the first difference (None where all of it fits).

    A record of another version of the rulebook may fit in part. Raises RecordError where its settings are others.
    """
    from egodsl.engine.retell import play_events  # noqa: PLC0415 - retelling plays states

    _check_settings(game, record)
    state, difference = play_events(game, record)
    if difference is not None and record.digest != game.rulebook.digest:
        (found,) = difference.diagnostics
        difference = RecordError(found.message, "the rulebook has changed since the record was made", found.code.number)
    return state, difference


def _check_settings(game: Game, record: Record) -> None:
    mine = record_settings(game)
    theirs = (record.players, record.modes, record.readings, record.parameters)
    names = ("players", "modes", "readings", "parameters")
    for name, a, b in zip(names, mine, theirs, strict=True):
        if a != b:
            message = f"the record was played with other {name}: {b!r}, not {a!r}"
            raise RecordError(message, code="EGO802")
    cuts = ((record.decks, game.settings.decks), (record.counts, game.settings.counts))
    for theirs_cut, mine_cut in cuts:
        if theirs_cut != mine_cut:
            message = f"the record is of a game that was cut down otherwise: {theirs_cut!r}, not {mine_cut!r}"
            raise RecordError(message, code="EGO802")


def record_settings(game: Game) -> tuple[int, tuple[str, ...], dict[str, str], dict[str, int]]:
    """Players, modes, readings and parameters of a game, as a record has them."""
    settings = game.settings
    readings = {name: game.checked.program.readings[name].answers[k].name.name for name, k in settings.readings.items()}
    return game.players, tuple(sorted(settings.modes)), readings, dict(settings.parameters)


__all__ = ["Record", "RecordError", "events_of", "player_name", "record_of", "replay", "replay_as_far"]
