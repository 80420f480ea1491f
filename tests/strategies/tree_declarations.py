"""Random declarations, scenarios, heads and files."""

from __future__ import annotations

from typing import Literal

from hypothesis import strategies as st

from egodsl.syntax import nodes as n
from tests.strategies.tree_expressions import KINDS, NOWHERE, OR, SEEN, SETOP, SUM
from tests.strategies.tree_statements import Statements

BUILTINS: tuple[n.BuiltinName, ...] = (
    "no fault", "never stuck", "games end", "no leak", "everything reached", "records replay", "copies independent",
)  # fmt: skip
FORMS: tuple[Literal["rulebook", "variant", "library"], ...] = ("rulebook", "variant", "library")
LAYOUTS: tuple[Literal["stack", "row", "set", "one"], ...] = ("stack", "row", "set", "one")
EDITS: tuple[Literal["replace", "extend"], ...] = ("replace", "extend")


class Modules(Statements):
    """Draws whole files."""

    def module(self) -> n.Module:
        form = self.one(FORMS)
        base = self.ident() if form == "variant" else None
        headers = self.many(self.header, 1 if form == "rulebook" else 0)
        items = self.many(self.item, 0, 4)
        return n.Module(form, self.ident(), self.string(), base, headers, items, self.prose(), span=NOWHERE)

    def header(self) -> n.Header:
        kind = self.draw(st.integers(0, 7))
        if kind == 7:
            return n.PayoffHeader(self.expr(1), span=NOWHERE)
        if kind == 0:
            return self.one((n.SourceHeader, n.UseHeader))(self.ident(), span=NOWHERE)
        if kind <= 2:
            low, high, teams = self.expr(1, SUM), *(self.maybe(lambda: self.expr(1, SUM)) for _ in range(2))
            return n.PlayersHeader(low, high, teams, span=NOWHERE)
        if kind == 3:
            return n.ResultHeader(self.keys(1), None, span=NOWHERE)
        if kind == 4:
            return n.ResultHeader([], self.expr(1), span=NOWHERE)
        if kind == 5:
            return n.NeedsHeader(self.one(KINDS), self.ident(), span=NOWHERE)
        return n.SetHeader(self.ident(), self.expr(1), span=NOWHERE)

    def item(self) -> n.Item:
        kind = self.draw(st.integers(0, 9))
        if kind == 0:
            return n.Removal(self.one(KINDS), self.ident(), self.prose(), span=NOWHERE)
        made: n.Declaration | n.ScenarioDecl
        if kind == 1:
            made = n.ScenarioDecl(self.string(), NOWHERE, self.many(self.step, 1), span=NOWHERE)
        else:
            made = self.one((self.one_line, self.rows, self.with_body, self.property))()
        made.prose = self.prose()
        made.edit = self.maybe(lambda: self.one(EDITS))
        return made

    def params(self) -> list[n.Param]:
        return self.many(lambda: n.Param(self.ident(), self.type(), span=NOWHERE), 0, 2)

    def label_text(self) -> str | None:
        return self.maybe(self.string)

    # ------------------------------------------------------------ declarations

    def one_line(self) -> n.Declaration:
        name = self.ident()
        kind = self.draw(st.integers(0, 7))
        if kind == 0:
            items = self.many(lambda: n.EnumItem(self.ident(), self.label_text(), span=NOWHERE), 1, 12)
            return n.EnumDecl(name, items, span=NOWHERE)
        if kind == 1:
            labels = self.many(lambda: n.TypeLabel(self.ident(), self.label_text(), self.expr(1, SUM), span=NOWHERE))
            return n.TypeDecl(name, self.range_type(), labels, span=NOWHERE)
        if kind == 2:
            layout = self.one(LAYOUTS)
            indexes = self.many(self.type, 0, 2)
            return n.ZoneDecl(name, indexes, layout, self.ident(), self.one(SEEN), span=NOWHERE)
        if kind == 3:
            initial, during = self.maybe(lambda: self.expr(1)), self.maybe(self.ident)
            seen = self.maybe(lambda: self.one(SEEN))
            indexes = self.many(self.type, 0, 2)
            return n.VarDecl(name, indexes, self.type(), initial, during, seen, span=NOWHERE)
        if kind == 4:
            return n.ParameterDecl(name, self.range_type(), self.expr(1), self.string(), span=NOWHERE)
        if kind == 5:
            return n.EventDecl(name, self.params(), span=NOWHERE)
        if kind == 6:
            return n.ModeDecl(name, self.string(), span=NOWHERE)
        return n.DefineDecl(name, self.params(), self.maybe(self.type), self.right_side(), [], span=NOWHERE)

    def property(self) -> n.Declaration:
        return n.PropertyDecl(self.ident(), self.claim(2), span=NOWHERE)

    def claim(self, room: int) -> n.Claim:
        kind = self.draw(st.integers(0, 8 if room else 7))
        if kind == 0:
            return n.AlwaysClaim(self.expr(1), negated=self.draw(st.booleans()), span=NOWHERE)
        if kind == 1:
            units: tuple[Literal["turns", "decisions"], ...] = ("turns", "decisions")
            return n.EveryClaim(self.ident(), self.expr(1, SUM), self.one(units), span=NOWHERE)
        if kind == 2:
            return n.AfterClaim(self.ident(), self.expr(1), span=NOWHERE)
        if kind == 3:
            return n.WheneverClaim(self.expr(1), self.expr(1), self.ident(), span=NOWHERE)
        if kind <= 5:
            return self.one((n.FinallyClaim, n.ReachableClaim))(self.expr(1), span=NOWHERE)
        if kind == 6:
            return n.SeenClaim(self.expr(1, SETOP), self.expr(1), span=NOWHERE)
        if kind == 7:
            return self.builtin_claim()
        binder = n.Clause([self.ident()], self.expr(1, SETOP), self.many(lambda: self.where(1), 0, 1), span=NOWHERE)
        return n.ForClaim(binder, self.claim(room - 1), span=NOWHERE)

    def builtin_claim(self) -> n.Claim:
        which = self.one(BUILTINS)
        form = self.draw(st.integers(0, 2))
        if form == 0:
            return n.BuiltinClaim(which, [], waived=False, reason=None, span=NOWHERE)
        if form == 1:
            return n.BuiltinClaim(which, [], waived=True, reason=self.string(), span=NOWHERE)
        exceptions = self.many(self.exception, 1, 2)
        return n.BuiltinClaim(which, exceptions, waived=False, reason=self.string(), span=NOWHERE)

    def exception(self) -> n.Expr:
        name = n.Name(self.ident().name, span=NOWHERE)
        return self.one((name, n.Attribute(name, self.ident(), span=NOWHERE)))

    def rows(self) -> n.Declaration:
        name = self.ident()
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            fields = self.many(lambda: n.Field(self.ident(), self.type(), self.prose(), span=NOWHERE), 1)
            written = self.maybe(lambda: n.Written(self.string(), span=NOWHERE))
            return n.CardDecl(name, fields, self.many(self.mark, 0, 2), written, span=NOWHERE)
        if kind == 1:
            answers = self.many(self.answer, 1)
            return n.ReadingDecl(name, self.string(), answers, span=NOWHERE)
        if kind == 2:
            cases = self.many(lambda: n.Case(self.expr(1, OR), self.expr(1, OR), span=NOWHERE), 0, 2)
            cases.append(n.Case(self.expr(1, OR), None, span=NOWHERE))
            return n.DefineDecl(name, self.params(), self.maybe(self.type), None, cases, span=NOWHERE)
        card, home = self.ident(), self.maybe(self.place)
        total = self.maybe(lambda: self.expr(1))
        if kind == 3:
            return n.ComponentsDecl(name, card, home, self.many(self.row, 1), [], total, span=NOWHERE)
        if kind == 4:
            file = n.Text(self.string(), span=NOWHERE)
            return n.ComponentsDecl(name, card, home, [], [], total, [file], span=NOWHERE)
        return n.ComponentsDecl(name, card, home, [], self.many(self.table_row, 1), total, span=NOWHERE)

    def mark(self) -> n.Mark:
        return n.Mark(self.ident(), self.type(), self.maybe(lambda: self.expr(1)), self.prose(), span=NOWHERE)

    def answer(self) -> n.Answer:
        return n.Answer(self.ident(), self.string(), self.draw(st.booleans()), self.prose(), span=NOWHERE)

    def row(self) -> n.ComponentRow:
        clauses = self.many(lambda: self.clause(1), 0, 2)
        return n.ComponentRow(self.expr(1, SUM), self.values(), clauses, span=NOWHERE)

    def table_row(self) -> n.TableRow:
        return n.TableRow(self.many(lambda: self.expr(1, SUM), 1), span=NOWHERE)

    def values(self, least: int = 0) -> list[n.NamedValue]:
        return self.many(lambda: n.NamedValue(self.ident(), self.expr(1), span=NOWHERE), least)

    def binders(self) -> list[n.Clause]:
        return self.many(lambda: n.Clause([self.ident()], self.expr(1, SETOP), [], span=NOWHERE), 0, 2)

    def with_body(self) -> n.Declaration:
        name, body = self.ident(), self.block(2)
        kind = self.draw(st.integers(0, 6))
        if kind == 0:
            return n.StageDecl(name, self.params(), body, span=NOWHERE)
        if kind == 1:
            return n.ProcedureDecl(name, self.params(), self.maybe(self.type), body, span=NOWHERE)
        if kind == 2:
            return n.ActionDecl(name, self.bindings(), self.maybe(lambda: self.expr(1)), body, span=NOWHERE)
        if kind == 3:
            condition = self.expr(1)
            return n.ConditionTrigger(name, self.binders(), self.maybe(self.ident), condition, body, span=NOWHERE)
        if kind == 4:
            zone = self.place()
            return n.RunsOutTrigger(name, self.binders(), self.maybe(self.ident), zone, body, span=NOWHERE)
        trigger = self.one((n.EventTrigger, n.AbilityDecl))
        actor = self.maybe(lambda: self.expr(1))
        return trigger(name, self.ident(), self.many(self.ident), self.wheres(), actor, body, span=NOWHERE)

    # ------------------------------------------------------------ scenarios

    def step(self) -> n.Step:
        kind = self.draw(st.integers(0, 7))
        if kind == 0:
            return n.GivenStep(self.place(), self.expr(), span=NOWHERE)
        if kind == 1:
            return n.PlayersStep(self.draw(st.integers(1, 12)), span=NOWHERE)
        if kind == 2:
            return n.WithStep(self.values(1), span=NOWHERE)
        if kind == 3:
            return n.PlayStep(self.plain_call(), span=NOWHERE)
        if kind == 4:
            return n.ChanceStep(self.many(lambda: self.expr(1), 1), span=NOWHERE)
        if kind == 5:
            return n.PlaysStep(self.ident(), self.plain_call(), span=NOWHERE)
        if kind == 6:
            return n.ChoosesStep(self.ident(), self.many(lambda: self.expr(1), 1), span=NOWHERE)
        return self.expectation()

    def expectation(self) -> n.Step:
        who, negated = self.ident(), self.draw(st.booleans())
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            return n.ExpectStep(self.expr(), span=NOWHERE)
        if kind == 1:
            return n.ExpectPlaysStep(who, negated, self.plain_call(), span=NOWHERE)
        if kind == 2:
            return n.ExpectChoosesStep(who, negated, self.many(lambda: self.expr(1), 1), span=NOWHERE)
        if kind == 3:
            return n.ExpectDecidesStep(who, span=NOWHERE)
        if kind == 4:
            return n.ExpectSeesStep(who, negated, self.expr(1), span=NOWHERE)
        return n.ExpectStageStep(who, negated, span=NOWHERE)
