"""A survey of readings and modes, as a table for a person and as JSON for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from egodsl.verify.readings import Outcome, Survey
    from egodsl.verify.settings import Setting

    Records = Mapping[Outcome, str]
    """The file of the record of each outcome that has one."""


@attrs.frozen
class Row:
    """A combination with what it breaks, how often, and the shortest game that shows it. Of `players` and `broken` each
    line is about one number of players.
    """

    setting: str
    players: str
    property: str
    broken: str
    example: str


def rows(survey: Survey, records: Records) -> list[Row]:
    """The combinations that break something, those of fewest changes first; one line for all numbers of players that
    break the same.
    """
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in survey.outcomes:
        if outcome.broken:
            groups.setdefault((changes(outcome.setting), outcome.property.name), []).append(outcome)
    return [_row(setting, prop, group, records) for (setting, prop), group in groups.items()]


def _row(setting: str, prop: str, group: Sequence[Outcome], records: Records) -> Row:
    shortest = min(group, key=lambda one: one.example.decisions if one.example is not None else 0)
    shares = [f"{_percent(one.broken, one.games)} ({one.broken} of {one.games}, {_interval(one)})" for one in group]
    players = "\n".join(str(one.setting.players) for one in group)
    length = f"{shortest.example.decisions} decisions" if shortest.example is not None else ""
    example = f"{length}:\n{records[shortest]}" if shortest in records else length
    return Row(setting, players, prop, "\n".join(shares), example)


def changes(setting: Setting) -> str:
    """What is other than the defaults, as `flip_the_table, no_action: never`; `defaults` where nothing is."""
    return ", ".join([*setting.modes, *(f"{name}: {answer}" for name, answer in setting.readings)]) or "defaults"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.3g} %"


def _interval(outcome: Outcome) -> str:
    low, high = outcome.interval
    return f"{100 * low:.3g} to {100 * high:.3g} %"


def summary_lines(survey: Survey) -> list[str]:
    """What the table does not say: what holds everywhere, what changes nothing, what there is no game of."""
    lines = []
    settings = {outcome.setting for outcome in survey.outcomes}
    whole = sorted({o.property.name for o in survey.outcomes} - {o.property.name for o in survey.outcomes if o.broken})
    lines.append(f"{len(settings)} combinations of players, modes and readings were tried")
    if whole:
        lines.append(f"broken by none of them: {', '.join(whole)}")
    for one in survey.silent:
        what = f"mode {one.name}" if one.answer is None else f"reading {one.name}: {one.answer}"
        lines.append(f"{what} made no difference to any of {one.games} games")
    lines += [f"no game with {setting.words}: {why}" for setting, why in survey.unusable]
    return lines


def survey_json(survey: Survey, records: Records) -> dict[str, Any]:
    """`results` (each `readings`, `modes`, `players`, `property`, `verdict`, `games`, `broken`, `interval`,
    `decisions`, `record`), `no_difference`, `unusable`, `interrupted`.
    """
    return {
        "results": [_outcome_json(outcome, records) for outcome in survey.outcomes],
        "no_difference": [
            {"mode": one.name, "games": one.games}
            if one.answer is None
            else {"reading": one.name, "answer": one.answer, "games": one.games}
            for one in survey.silent
        ],
        "unusable": [{**_setting_json(setting), "reason": why} for setting, why in survey.unusable],
        "interrupted": survey.interrupted,
    }


def _setting_json(setting: Setting) -> dict[str, Any]:
    return {"readings": dict(setting.readings), "modes": list(setting.modes), "players": setting.players}


def _outcome_json(outcome: Outcome, records: Records) -> dict[str, Any]:
    return {
        **_setting_json(outcome.setting),
        "property": outcome.property.name,
        "verdict": "broken" if outcome.broken else "holds",
        "games": outcome.games,
        "broken": outcome.broken,
        "interval": list(outcome.interval),
        "decisions": outcome.example.decisions if outcome.example is not None else None,
        "record": records.get(outcome),
    }
