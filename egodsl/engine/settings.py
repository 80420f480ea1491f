"""From what a person asks for to the constants of a game, each checked against the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.analysis import types as t
from egodsl.engine import cutting
from egodsl.engine.setup import Settings
from egodsl.source.diagnostics import Diagnostic, DiagnosticError, Diagnostics
from egodsl.source.registry import did_you_mean
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from egodsl.analysis.symbols import Checked
    from egodsl.source.span import Span


class SettingsError(DiagnosticError):
    """Players, modes, readings or parameters that the rulebook does not have."""


def constant_int(checked: Checked, expr: nodes.Expr) -> int:
    """The value of a number that does not depend on the settings (its conservative type is one number)."""
    kind = checked.types.get(expr)
    if isinstance(kind, t.IntType) and kind.low == kind.high:
        return kind.low
    assert isinstance(expr, nodes.Integer)
    return expr.value


def player_range(checked: Checked) -> range:
    """The numbers of players that the head allows."""
    header = checked.program.players
    if header is None:
        return range(2, 3)
    low = constant_int(checked, header.low)
    high = low if header.high is None else constant_int(checked, header.high)
    return range(low, high + 1)


def parameter_range(checked: Checked, decl: nodes.ParameterDecl) -> tuple[int, int]:
    """Lowest and highest value of a parameter."""
    assert decl.type.high is not None
    return constant_int(checked, decl.type.low), constant_int(checked, decl.type.high)


def configure(
    checked: Checked,
    players: int | None,
    modes: Iterable[str],
    readings: Mapping[str, str],
    parameters: Mapping[str, int],
    decks: Mapping[str, str] | None = None,
    counts: Mapping[str, int] | None = None,
) -> Settings:
    """The settings of a game: what is given, over the presets of the head, over the defaults. Raises SettingsError.

    `decks` and `counts` cut the game down (see `cutting`).
    """
    problems = Diagnostics()
    program = checked.program
    allowed = player_range(checked)
    count = allowed.start if players is None else players
    if not _is_whole(count) or count not in allowed:
        problems.error(
            "EGO910",
            program.players.span if program.players is not None else None,
            f"{_given(count)} players do not fit: `{program.name}` is for {_from_to(allowed.start, allowed.stop - 1)}",
        )
    on = {name for name, header in program.presets.items() if name in program.modes and _is_true(header)}
    # A text is the name of one mode, not one mode a letter.
    for mode in (modes,) if isinstance(modes, str) else modes:
        if mode in program.modes:
            on.add(mode)
        else:
            _unknown(problems, "mode", mode, program.modes, program.root.name.span)
    chosen = _readings(checked, readings, problems)
    numbers = _parameters(checked, parameters, problems)
    cutting.check_names(checked, decks or {}, counts or {}, problems, program.root.name.span)
    if problems.has_errors:
        raise SettingsError(problems)
    return Settings(count, frozenset(on), chosen, numbers, dict(decks or {}), dict(counts or {}))


def _from_to(low: int, high: int) -> str:
    return f"{low} to {high} players" if low != high else f"{low} players"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _given(value: object) -> str:
    return str(value) if _is_whole(value) else repr(value)


def _is_true(header: nodes.SetHeader) -> bool:
    return isinstance(header.value, nodes.Boolean) and header.value.value


def _unknown(problems: Diagnostics, kind: str, name: str, known: Iterable[str], span: Span) -> None:
    names = list(known)
    hint = did_you_mean(name, names) or (f"there are: {', '.join(names)}" if names else f"it has no {kind}s")
    problems.error("EGO911", span, f"this rulebook has no {kind} `{name}`", help=hint)


def _readings(checked: Checked, given: Mapping[str, str], problems: Diagnostics) -> dict[str, int]:
    program = checked.program
    chosen: dict[str, int] = {}
    for name, decl in program.readings.items():
        names = [answer.name.name for answer in decl.answers]
        default = next((k for k, answer in enumerate(decl.answers) if answer.default), 0)
        preset = program.presets.get(name)
        if preset is not None and isinstance(preset.value, nodes.Name):
            default = names.index(preset.value.name)
        wanted = given.get(name)
        if wanted is not None and wanted not in names:
            _unknown(problems, f"answer to `{name}` called", wanted, names, decl.name.span)
        chosen[name] = names.index(wanted) if wanted in names else default
    for name in given:
        if name not in program.readings:
            _unknown(problems, "reading", name, program.readings, program.root.name.span)
    return chosen


def _parameters(checked: Checked, given: Mapping[str, int], problems: Diagnostics) -> dict[str, int]:
    program = checked.program
    numbers: dict[str, int] = {}
    for name, decl in program.parameters.items():
        low, high = parameter_range(checked, decl)
        preset = program.presets.get(name)
        value = given.get(name, constant_int(checked, preset.value if preset is not None else decl.default))
        if not _is_whole(value) or not low <= value <= high:
            problems.error(
                "EGO912", decl.name.span, f"parameter `{name}` goes from {low} to {high}, not to {_given(value)}"
            )
        numbers[name] = value
    for name in given:
        if name not in program.parameters:
            _unknown(problems, "parameter", name, program.parameters, program.root.name.span)
    return numbers


__all__ = ["Diagnostic", "SettingsError", "configure", "parameter_range", "player_range"]
