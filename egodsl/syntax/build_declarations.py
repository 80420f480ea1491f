"""From reductions to nodes: declarations, scenarios and heads; with them the builder is whole."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from egodsl.source.diagnostics import Label
from egodsl.source.span import Span
from egodsl.syntax import nodes as n
from egodsl.syntax.build import Values, all_of, one_of, the_one
from egodsl.syntax.build_properties import PropertyBuilder
from egodsl.syntax.layout import Token


@attrs.frozen
class _Home:
    place: n.Expr


@attrs.frozen
class _Total:
    value: n.Expr
    span: Span


class Builder(PropertyBuilder):
    """Builds every node of the tree."""

    def start(self, values: Values, span: Span) -> n.Module:
        module: n.Module = values[0]
        module.items = values[1:]
        module.span = span
        return module

    # ------------------------------------------------------------ heads

    def rulebook(self, values: Values, span: Span) -> n.Module:
        return self._module("rulebook", values, span)

    def library(self, values: Values, span: Span) -> n.Module:
        return self._module("library", values, span)

    def variant(self, values: Values, span: Span) -> n.Module:
        return self._module("variant", values, span)

    def _module(self, form: Literal["rulebook", "variant", "library"], values: Values, span: Span) -> n.Module:
        names = all_of(values, n.Ident)
        title = the_one(values, n.Text)
        headers: list[n.Header] = one_of(values, list) or []
        base = names[1] if len(names) > 1 else None
        return n.Module(form, names[0], title.value, base, headers, [], one_of(values, n.Prose), span=span)

    def header_block(self, values: Values, _: Span) -> list[n.Header]:
        return values

    def source_header(self, values: Values, span: Span) -> n.Header:
        return n.SourceHeader(values[0], span=span)

    def players_header(self, values: Values, span: Span) -> n.Header:
        return n.PlayersHeader(values[0], values[1] if len(values) > 1 else None, None, span=span)

    def teams_header(self, values: Values, span: Span) -> n.Header:
        low, *high, teams = values
        return n.PlayersHeader(low, high[0] if high else None, teams, span=span)

    def result_header(self, values: Values, span: Span) -> n.Header:
        return n.ResultHeader(values, None, span=span)

    def result_together_header(self, values: Values, span: Span) -> n.Header:
        return n.ResultHeader([], values[0], span=span)

    def payoff_header(self, values: Values, span: Span) -> n.Header:
        return n.PayoffHeader(values[0], span=span)

    def use_header(self, values: Values, span: Span) -> n.Header:
        return n.UseHeader(values[0], span=span)

    def needs_header(self, values: Values, span: Span) -> n.Header:
        return n.NeedsHeader(values[0].text, values[1], span=span)

    def set_header(self, values: Values, span: Span) -> n.Header:
        return n.SetHeader(values[0], values[1], span=span)

    # ------------------------------------------------------------ declarations

    def decl(self, values: Values, span: Span) -> n.Declaration | n.ScenarioDecl:
        declaration: n.Declaration | n.ScenarioDecl = values[-1]
        declaration.prose = one_of(values, n.Prose)
        edit: Any = one_of(values, Token)
        declaration.edit = edit.text if edit else None
        declaration.span = span
        return declaration

    def removal(self, values: Values, span: Span) -> n.Removal:
        return n.Removal(values[-2].text, values[-1], one_of(values, n.Prose), span=span)

    def scenario_removal(self, values: Values, span: Span) -> n.Removal:
        title = values[-1]
        return n.Removal("scenario", n.Ident(title.value, span=title.span), one_of(values, n.Prose), span=span)

    def enum(self, values: Values, span: Span) -> n.Declaration:
        return n.EnumDecl(values[0], values[1:], span=span)

    def item(self, values: Values, span: Span) -> n.EnumItem:
        return n.EnumItem(values[0], values[1].value if len(values) > 1 else None, span=span)

    def type_decl(self, values: Values, span: Span) -> n.Declaration:
        return n.TypeDecl(values[0], values[1], values[2:], span=span)

    def label(self, values: Values, span: Span) -> n.TypeLabel:
        ident, *text, value = values
        return n.TypeLabel(ident, text[0].value if text else None, value, span=span)

    def card(self, values: Values, span: Span) -> n.Declaration:
        written = all_of(values, n.Written)
        self._only_one([line.span for line in written], "written")
        fields, marks = all_of(values, n.Field), all_of(values, n.Mark)
        return n.CardDecl(values[0], fields, marks, written[0] if written else None, span=span)

    def _only_one(self, spans: list[Span], word: str) -> None:
        for span in spans[1:]:
            self.found.error(
                "EGO101",
                span,
                f"a second line `{word}` in one declaration",
                help="keep one of them",
                labels=(Label(spans[0], "the first one"),),
            )

    def field(self, values: Values, span: Span) -> n.Field:
        return n.Field(values[-2], values[-1], one_of(values, n.Prose), span=span)

    def mark(self, values: Values, span: Span) -> n.Mark:
        prose = one_of(values, n.Prose)
        ident, kind, *initial = values[1:] if prose else values
        return n.Mark(ident, kind, initial[0] if initial else None, prose, span=span)

    def written(self, values: Values, span: Span) -> n.Written:
        return n.Written(values[0].value, span=span)

    # ------------------------------------------------------------ components

    def components(self, values: Values, span: Span) -> n.Declaration:
        home, totals = one_of(values, _Home), all_of(values, _Total)
        self._only_one([total.span for total in totals], "total")
        return n.ComponentsDecl(
            values[0],
            values[1],
            home.place if home else None,
            all_of(values, n.ComponentRow),
            all_of(values, n.TableRow),
            totals[0].value if totals else None,
            all_of(values, n.Text),
            span=span,
        )

    def home(self, values: Values, _: Span) -> _Home:
        return _Home(values[0])

    def total(self, values: Values, span: Span) -> _Total:
        return _Total(values[0], span)

    def component_row(self, values: Values, span: Span) -> n.ComponentRow:
        pairs: list[n.NamedValue] = one_of(values, list) or []
        return n.ComponentRow(values[0], pairs, all_of(values, n.Clause), span=span)

    def table_row(self, values: Values, span: Span) -> n.TableRow:
        return n.TableRow(all_of(values, n.Expr), span=span)

    def pairs(self, values: Values, _: Span) -> list[n.NamedValue]:
        return values

    def pair(self, values: Values, span: Span) -> n.NamedValue:
        return n.NamedValue(values[0], values[1], span=span)

    # ------------------------------------------------------------ places

    def zone(self, values: Values, span: Span) -> n.Declaration:
        ident, *indexes, layout, card, seen = values
        return n.ZoneDecl(ident, indexes[0] if indexes else [], layout.text, card, seen, span=span)

    def indexes(self, values: Values, _: Span) -> list[n.TypeNode]:
        return values

    def seen(self, values: Values, _: Span) -> str:
        return str(values[0].text)

    def var(self, values: Values, span: Span) -> n.Declaration:
        ident, *rest = values
        kind = the_one(rest, n.TypeNode)
        indexes: list[n.TypeNode] = one_of(rest, list) or []
        seen: Any = one_of(rest, str)
        return n.VarDecl(ident, indexes, kind, one_of(rest, n.Expr), one_of(rest, n.Ident), seen, span=span)

    def initial(self, values: Values, _: Span) -> n.Expr:
        value: n.Expr = values[0]
        return value

    def during(self, values: Values, _: Span) -> n.Ident:
        stage: n.Ident = values[0]
        return stage

    def parameter(self, values: Values, span: Span) -> n.Declaration:
        ident, kind, default, text = values
        return n.ParameterDecl(ident, kind, default, text.value, span=span)

    # ------------------------------------------------------------ functions

    def define(self, values: Values, span: Span) -> n.Declaration:
        ident, *rest = values
        params: list[n.Param] = one_of(rest, list) or []
        returns = one_of(rest, n.TypeNode)
        return n.DefineDecl(ident, params, returns, one_of(rest, n.Expr), all_of(rest, n.Case), span=span)

    def result_type(self, values: Values, _: Span) -> n.TypeNode:
        kind: n.TypeNode = values[0]
        return kind

    returns = result_type

    def case(self, values: Values, span: Span) -> n.Case:
        return n.Case(values[0], values[1] if len(values) > 1 else None, span=span)

    def params(self, values: Values, _: Span) -> list[n.Param]:
        return values

    def param(self, values: Values, span: Span) -> n.Param:
        return n.Param(values[0], values[1], span=span)

    # ------------------------------------------------------------ what happens

    def event(self, values: Values, span: Span) -> n.Declaration:
        return n.EventDecl(values[0], values[1] if len(values) > 1 else [], span=span)

    def stage(self, values: Values, span: Span) -> n.Declaration:
        return n.StageDecl(values[0], one_of(values, list) or [], values[-1], span=span)

    def procedure(self, values: Values, span: Span) -> n.Declaration:
        params: list[n.Param] = one_of(values, list) or []
        return n.ProcedureDecl(values[0], params, one_of(values, n.TypeNode), values[-1], span=span)

    def action(self, values: Values, span: Span) -> n.Declaration:
        bindings: list[n.Binding] = one_of(values, list) or []
        return n.ActionDecl(values[0], bindings, one_of(values, n.Expr), values[-1], span=span)

    def head_bindings(self, values: Values, _: Span) -> list[n.Binding]:
        return values

    def ability(self, values: Values, span: Span) -> n.Declaration:
        return self._on_event(n.AbilityDecl, values, span)

    def event_trigger(self, values: Values, span: Span) -> n.Declaration:
        return self._on_event(n.EventTrigger, values, span)

    def _on_event(self, kind: type[n.EventTrigger], values: Values, span: Span) -> n.Declaration:
        ident, event, *rest, body = values
        patterns: list[n.Ident] = one_of(rest, list) or []
        wheres = all_of(rest, n.Where)
        return kind(ident, event, patterns, wheres, one_of(rest, n.Expr), body, span=span)

    def patterns(self, values: Values, _: Span) -> list[n.Ident]:
        return values

    actor = initial

    def condition_trigger(self, values: Values, span: Span) -> n.Declaration:
        ident, *rest, condition, body = values
        binders = all_of(rest, n.Clause)
        return n.ConditionTrigger(ident, binders, one_of(rest, n.Ident), condition, body, span=span)

    def runs_out_trigger(self, values: Values, span: Span) -> n.Declaration:
        ident, *rest, zone, body = values
        binders = all_of(rest, n.Clause)
        return n.RunsOutTrigger(ident, binders, one_of(rest, n.Ident), zone, body, span=span)

    # ------------------------------------------------------------ readings and modes

    def reading(self, values: Values, span: Span) -> n.Declaration:
        return n.ReadingDecl(values[0], values[1].value, values[2:], span=span)

    def answer(self, values: Values, span: Span) -> n.Answer:
        prose = one_of(values, n.Prose)
        ident, text, *default = values[1:] if prose else values
        return n.Answer(ident, text.value, bool(default), prose, span=span)

    def mode(self, values: Values, span: Span) -> n.Declaration:
        return n.ModeDecl(values[0], values[1].value, span=span)

    # ------------------------------------------------------------ scenarios

    def scenario(self, values: Values, span: Span) -> n.ScenarioDecl:
        return n.ScenarioDecl(values[0].value, values[0].span, values[1:], span=span)

    def given_step(self, values: Values, span: Span) -> n.Step:
        return n.GivenStep(values[0], values[1], span=span)

    def players_step(self, values: Values, span: Span) -> n.Step:
        token = values[0]
        return n.PlayersStep(self._integer(token, Span(self.source, token.start, token.end)), span=span)

    def with_step(self, values: Values, span: Span) -> n.Step:
        return n.WithStep(values[0], span=span)

    def play_step(self, values: Values, span: Span) -> n.Step:
        return n.PlayStep(values[0], span=span)

    def chance_step(self, values: Values, span: Span) -> n.Step:
        return n.ChanceStep(values, span=span)

    def plays_step(self, values: Values, span: Span) -> n.Step:
        return n.PlaysStep(values[0], values[1], span=span)

    def chooses_step(self, values: Values, span: Span) -> n.Step:
        return n.ChoosesStep(values[0], values[1:], span=span)

    def expect_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectStep(values[0], span=span)

    def expect_plays_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectPlaysStep(values[0], isinstance(values[1], Token), values[-1], span=span)

    def expect_chooses_step(self, values: Values, span: Span) -> n.Step:
        player, *rest = values
        return n.ExpectChoosesStep(player, isinstance(rest[0], Token), all_of(rest, n.Expr), span=span)

    def expect_decides_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectDecidesStep(values[0], span=span)

    def expect_sees_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectSeesStep(values[0], negated=False, what=values[1], span=span)

    def expect_not_sees_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectSeesStep(values[0], negated=True, what=values[1], span=span)

    def expect_ended_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectStageStep(values[0], ended=True, span=span)

    def expect_goes_on_step(self, values: Values, span: Span) -> n.Step:
        return n.ExpectStageStep(values[0], ended=False, span=span)
