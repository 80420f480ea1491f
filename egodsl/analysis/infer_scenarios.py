"""Names and types in scenarios, where cards are given by their faces and players by letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from egodsl.analysis.builtins import LETTERS
from egodsl.analysis.infer import condition, infer, named, require
from egodsl.analysis.infer_calls import bindings, infer_arguments
from egodsl.analysis.infer_declarations import setting
from egodsl.analysis.infer_names import zones_of
from egodsl.analysis.infer_statements import action_kinds, play
from egodsl.analysis.names import is_letter
from egodsl.analysis.relations import UNKNOWN, element, is_unknown, plain
from egodsl.analysis.scope import Body, Context
from egodsl.analysis.types import CardType, FaceType, OptionalType, RowType, SetType, Type
from egodsl.source.diagnostics import quote
from egodsl.syntax import nodes


def scenarios(ctx: Context) -> None:
    """All scenarios of the program."""
    for scenario in ctx.program.scenarios.values():
        with ctx.inside(Body(scenario, scenario=True)):
            for step in scenario.steps:
                _STEPS[type(step)](ctx, step)


def _given(ctx: Context, step: nodes.GivenStep) -> None:
    kind = infer(ctx, step.place)
    base = step.place.target if isinstance(step.place, nodes.Index | nodes.Attribute) else step.place
    symbol = ctx.refs.get(base)
    if not isinstance(symbol, nodes.ZoneDecl | nodes.VarDecl) and kind != UNKNOWN:
        ctx.error(
            "EGO314", step.place.span, f"{quote(step.place.span.text)} is no zone or variable that can be laid out"
        )
    if zones_of(ctx, step.place):
        kind = _faces(kind)
    given = infer(ctx, step.value, kind)
    if isinstance(kind, RowType) and isinstance(plain(given), SetType) and zones_of(ctx, step.place):
        # A pile that is given as a set has these cards in no order, as if shuffled.
        kind = SetType(kind.inner)
    require(ctx, step.value, kind, given, quote(step.place.span.text))


def _faces(kind: Type) -> Type:
    if isinstance(kind, OptionalType):
        return OptionalType(_faces(kind.inner))
    if isinstance(kind, SetType):
        return SetType(_faces(kind.inner))
    if isinstance(kind, RowType):
        return RowType(_faces(kind.inner))
    return FaceType(kind.decl) if isinstance(kind, CardType) else kind


def _players(ctx: Context, step: nodes.PlayersStep) -> None:
    low, high = ctx.players.low, ctx.players.high
    if not low <= step.count <= high:
        ctx.error(
            "EGO407",
            step.span,
            f"`{step.span.text}`, and the game is for {low} to {high}"
            if low < high
            else f"`{step.span.text}`, and the game is for {low}",
        )


def _with(ctx: Context, step: nodes.WithStep) -> None:
    for one in step.settings:
        setting(ctx, one.name, one.value)


def _play(ctx: Context, step: nodes.PlayStep) -> None:
    play(ctx, step.call)


def _chance(ctx: Context, step: nodes.ChanceStep) -> None:
    for outcome in step.outcomes:
        infer(ctx, outcome)


def _player(ctx: Context, ident: nodes.Ident) -> None:
    if is_letter(ctx, ident.name):
        ctx.refs[ident] = ctx.builtin(ident.name)
        return
    letters = ", ".join(LETTERS[: min(ctx.players.high, len(LETTERS))])
    ctx.error(
        "EGO301",
        ident.span,
        f"no player is called `{ident.name}` in a scenario",
        help=f"the players are {letters}, from the one who is first to decide",
    )


def _plays(ctx: Context, step: nodes.PlaysStep | nodes.ExpectPlaysStep) -> None:
    _player(ctx, step.player)
    action = ctx.find("action", step.call.name, ctx.program.actions)
    if isinstance(action, nodes.ActionDecl):
        bindings(ctx, step.call, action, action_kinds(ctx, action), partly=True)
    else:
        infer_arguments(ctx, step.call)


def _chooses(ctx: Context, step: nodes.ChoosesStep | nodes.ExpectChoosesStep) -> None:
    _player(ctx, step.player)
    for value in step.values:
        infer(ctx, value)


def _expect(ctx: Context, step: nodes.ExpectStep) -> None:
    ctx.body.you = True
    condition(ctx, step.condition, "what is expected")
    ctx.body.you = False


def _decides(ctx: Context, step: nodes.ExpectDecidesStep) -> None:
    _player(ctx, step.player)


def _sees(ctx: Context, step: nodes.ExpectSeesStep) -> None:
    _player(ctx, step.player)
    kind = infer(ctx, step.what)
    inner = plain(element(kind) or kind)
    if not isinstance(inner, CardType) and not is_unknown(kind):
        words = quote(step.what.span.text)
        advice = "name the zone in which it lies" if isinstance(inner, FaceType) else None
        ctx.error("EGO401", step.what.span, f"{words} is {named(kind)}, and only cards are seen", help=advice)


def _stage(ctx: Context, step: nodes.ExpectStageStep) -> None:
    ctx.find("stage", step.stage, ctx.program.stages)


_STEPS: dict[type[nodes.Step], Callable[[Context, Any], None]] = {
    nodes.GivenStep: _given,
    nodes.PlayersStep: _players,
    nodes.WithStep: _with,
    nodes.PlayStep: _play,
    nodes.ChanceStep: _chance,
    nodes.PlaysStep: _plays,
    nodes.ChoosesStep: _chooses,
    nodes.ExpectStep: _expect,
    nodes.ExpectPlaysStep: _plays,
    nodes.ExpectChoosesStep: _chooses,
    nodes.ExpectDecidesStep: _decides,
    nodes.ExpectSeesStep: _sees,
    nodes.ExpectStageStep: _stage,
}
