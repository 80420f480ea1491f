"""Heads, declarations and scenarios as logical lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from egodsl.syntax import nodes as n
from egodsl.syntax.printer_docs import LINE, Doc, Group, bracketed, enclosed, filled, flat
from egodsl.syntax.printer_expressions import (
    Level,
    clause_doc,
    expression,
    right_side,
    sort_keys,
    type_doc,
    wheres,
)
from egodsl.syntax.printer_properties import claim_docs
from egodsl.syntax.printer_statements import (
    Line,
    binding_docs,
    body_lines,
    call_doc,
    guard,
    prose_lines,
)
from egodsl.syntax.printer_strings import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence


def head_lines(module: n.Module) -> list[Line]:
    """What stands before the declarations of a file, with its prose."""
    of = "" if module.base is None else f" of {module.base.name}"
    head = f"{module.form} {module.name.name} {quoted(module.title)}{of}"
    lines = prose_lines(module.prose, 0)
    if not module.headers:
        return [*lines, Line(0, head)]
    return [*lines, Line(0, f"{head}:", opens=True), *(Line(1, _header(header)) for header in module.headers)]


def _header(header: n.Header) -> list[Doc]:
    match header:
        case n.SourceHeader(name=name):
            return [f"source {name.name}"]
        case n.PlayersHeader(low=low, high=high, teams=teams):
            most: list[Doc] = [] if high is None else ["..", expression(high, Level.SUM)]
            sides: list[Doc] = [] if teams is None else [" in ", expression(teams, Level.SUM), " teams"]
            return ["players ", expression(low, Level.SUM), *most, *sides]
        case n.ResultHeader(together=together) if together is not None:
            return ["result together ", expression(together)]
        case n.ResultHeader(keys=keys):
            return ["result ", sort_keys(keys)]
        case n.PayoffHeader(value=value):
            return ["payoff ", expression(value)]
        case n.UseHeader(name=name):
            return [f"use {name.name}"]
        case n.NeedsHeader(kind=kind, name=name):
            return [f"needs {kind} {name.name}"]
        case n.SetHeader(name=name, value=value):
            return [f"set {name.name} to ", expression(value)]
        case _:
            msg = f"no way to print a {type(header).__name__}"
            raise TypeError(msg)


def item_lines(item: n.Item) -> list[Line]:
    """A declaration, scenario or removal, with its prose."""
    lines = prose_lines(item.prose, 0)
    if isinstance(item, n.Removal):
        name = quoted(item.name.name) if item.kind == "scenario" else item.name.name
        return [*lines, Line(0, f"remove {item.kind} {name}")]
    edit = "" if item.edit is None else f"{item.edit} "
    if isinstance(item, n.ScenarioDecl):
        steps = [Line(1, _step(step)) for step in item.steps]
        return [*lines, Line(0, f"{edit}scenario {quoted(item.title)}:", opens=True), *steps]
    head = f"{edit}{item.kind} {item.name.name}"
    if isinstance(item, _BODIES):
        return lines + _with_body(item, head)
    if isinstance(item, _TABLES):
        return lines + _with_rows(item, head)
    return [*lines, Line(0, [head, *_one_line(item)])]


# ---------------------------------------------------------------- declarations on one line


def _one_line(item: n.Declaration) -> list[Doc]:
    match item:
        case n.EnumDecl(items=items):
            return [": ", filled([_labelled(value.name, value.label) for value in items])]
        case n.TypeDecl(type=written, labels=labels):
            return [": ", type_doc(written), *_type_labels(labels)]
        case n.ZoneDecl(layout=layout, card=card, seen=seen):
            of = "one" if layout == "one" else f"{layout} of"
            return [*_indexes(item.indexes), f": {of} {card.name},", LINE, seen]
        case n.VarDecl():
            return _var(item)
        case n.ParameterDecl(type=written, default=default, text=text):
            return [": ", type_doc(written), " =", LINE, expression(default), f" {quoted(text)}"]
        case n.DefineDecl(value=value) if value is not None:
            return [*_signature(item, ": "), " =", LINE, right_side(value)]
        case n.EventDecl(params=params):
            return [_params(params)]
        case n.ModeDecl(text=text):
            return [f" {quoted(text)}"]
        case n.PropertyDecl(claim=claim):
            return [": ", *claim_docs(claim)]
        case _:
            msg = f"no way to print a {type(item).__name__}"
            raise TypeError(msg)


def _labelled(name: n.Ident, label: str | None) -> str:
    return name.name if label is None else f"{name.name} {quoted(label)}"


def _type_labels(labels: Sequence[n.TypeLabel]) -> list[Doc]:
    if not labels:
        return []
    return [
        " with ",
        filled([[_labelled(label.name, label.label), " = ", expression(label.value, Level.SUM)] for label in labels]),
    ]


def _indexes(indexes: Sequence[n.TypeNode]) -> list[Doc]:
    return [bracketed("[", [type_doc(index) for index in indexes], "]")] if indexes else []


def _var(item: n.VarDecl) -> list[Doc]:
    initial: list[Doc] = [] if item.initial is None else [" =", LINE, expression(item.initial)]
    during = "" if item.during is None else f" during {item.during.name}"
    seen: list[Doc] = [] if item.seen is None else [",", LINE, item.seen]
    return [*_indexes(item.indexes), ": ", type_doc(item.type), *initial, during, *seen]


def _params(params: Sequence[n.Param]) -> Doc:
    if not params:
        return ""
    return bracketed("(", [[f"{param.name.name}: ", type_doc(param.type)] for param in params], ")")


def _signature(item: n.DefineDecl | n.ProcedureDecl, arrow: str) -> list[Doc]:
    returns: list[Doc] = [] if item.returns is None else [arrow, type_doc(item.returns)]
    return [_params(item.params), *returns]


# ---------------------------------------------------------------- declarations with a body

_BODIES = (n.StageDecl, n.ProcedureDecl, n.ActionDecl, n.EventTrigger, n.ConditionTrigger, n.RunsOutTrigger)


def _with_body(item: n.Declaration, name: str) -> list[Line]:
    match item:
        case n.StageDecl(params=params, body=body):
            return body_lines([name, _params(params), ":"], body, 0)
        case n.ProcedureDecl(body=body):
            return body_lines([name, *_signature(item, " -> "), ":"], body, 0)
        case n.ActionDecl(bindings=bindings, guard=condition, body=body):
            asked = [enclosed("(", Group(binding_docs(bindings, inside=True)), ")")] if bindings else []
            return body_lines([name, *asked, *guard(condition), ":"], body, 0)
        case n.EventTrigger(event=event, patterns=patterns, actor=actor, body=body):
            values = bracketed("(", [pattern.name for pattern in patterns], ")") if patterns else ""
            who: list[Doc] = [] if actor is None else [" as ", expression(actor)]
            return body_lines([f"{name} on {event.name}", values, *wheres(item.wheres), *who, ":"], body, 0)
        case n.ConditionTrigger(condition=condition, body=body):
            return body_lines([name, *_scope(item), " whenever ", expression(condition), ":"], body, 0)
        case n.RunsOutTrigger(zone=zone, body=body):
            return body_lines([name, *_scope(item), LINE, "when ", expression(zone), " runs out:"], body, 0)
        case _:
            msg = f"no way to print a {type(item).__name__}"
            raise TypeError(msg)


def _scope(item: n.ConditionTrigger | n.RunsOutTrigger) -> list[Doc]:
    docs: list[Doc] = []
    for binder in item.binders:
        docs += [f" for {binder.names[0].name} in ", expression(binder.domain, Level.SETOP)]
    return docs if item.during is None else [*docs, f" during {item.during.name}"]


# ---------------------------------------------------------------- declarations of many lines

_TABLES = (n.CardDecl, n.ComponentsDecl, n.ReadingDecl, n.DefineDecl)


def _with_rows(item: n.CardDecl | n.ComponentsDecl | n.ReadingDecl | n.DefineDecl, name: str) -> list[Line]:
    match item:
        case n.CardDecl():
            return [Line(0, f"{name}:", opens=True), *_card_lines(item)]
        case n.ComponentsDecl(card=card, home=home):
            place: list[Doc] = [] if home is None else [" in ", expression(home)]
            origin = [f" from {quoted(file.value)}" for file in item.files]
            lines = _component_lines(item)
            colon = ":" if lines else ""
            return [Line(0, [f"{name} of {card.name}", *place, *origin, colon], opens=bool(lines)), *lines]
        case n.ReadingDecl(question=question, answers=answers):
            lines = [Line(0, f"{name} {quoted(question)}:", opens=True)]
            for answer in answers:
                default = " default" if answer.default else ""
                lines += prose_lines(answer.prose, 1)
                lines.append(Line(1, f"{answer.name.name} {quoted(answer.text)}{default}"))
            return lines
        case n.DefineDecl(cases=cases) if cases:
            head: list[Doc] = [name, *_signature(item, ": "), ":"]
            return [Line(0, head, opens=True), *(Line(1, _case(case)) for case in cases)]
        case n.DefineDecl():
            return [Line(0, [name, *_one_line(item)])]


def _case(case: n.Case) -> list[Doc]:
    value = expression(case.value, Level.OR)
    if case.condition is None:
        return [value, " otherwise"]
    return [value, " if ", expression(case.condition, Level.OR)]


def _card_lines(item: n.CardDecl) -> list[Line]:
    parts: list[n.Field | n.Mark | n.Written] = [*item.fields, *item.marks]
    if item.written is not None:
        parts.append(item.written)
    lines: list[Line] = []
    for part in sorted(parts, key=lambda part: part.span.start):
        if isinstance(part, n.Written):
            lines.append(Line(1, f"written {quoted(part.template)}"))
            continue
        lines += prose_lines(part.prose, 1)
        if isinstance(part, n.Field):
            lines.append(Line(1, [f"{part.name.name}: ", type_doc(part.type)]))
        else:
            initial: list[Doc] = [] if part.initial is None else [" =", LINE, expression(part.initial)]
            lines.append(Line(1, [f"var {part.name.name}: ", type_doc(part.type), *initial]))
    return lines


def _component_lines(item: n.ComponentsDecl) -> list[Line]:
    placed = [(row.span.start, Line(1, _component_row(row))) for row in item.rows]
    placed += zip((row.span.start for row in item.table), _aligned(item.table), strict=True)
    if item.total is not None:
        placed.append((item.total.span.start, Line(1, ["total ", expression(item.total)])))
    return [line for _, line in sorted(placed, key=lambda pair: pair[0])]


def _component_row(row: n.ComponentRow) -> list[Doc]:
    clauses = [part for clause in row.clauses for part in (" ", clause_doc(clause, inside=False))]
    return [expression(row.copies, Level.SUM), " x ", _named_values("(", row.values, ")"), *clauses]


def _named_values(left: str, values: Sequence[n.NamedValue], right: str) -> Doc:
    return bracketed(left, [[f"{value.name.name}: ", expression(value.value, inside=True)] for value in values], right)


def _aligned(rows: Sequence[n.TableRow]) -> list[Line]:
    # Numbers stand to the right of their column, all else to the left; a short row ends where it ends.
    texts = [[flat(expression(cell, Level.SUM)) for cell in row.cells] for row in rows]
    columns = max((len(row) for row in texts), default=0)
    widths = [max(len(row[column]) for row in texts if column < len(row)) for column in range(columns)]
    lines = []
    for row, cells in zip(rows, texts, strict=True):
        padded = [
            text.rjust(width) if _is_number(cell) else text.ljust(width)
            for cell, text, width in zip(row.cells, cells, widths, strict=False)
        ]
        lines.append(Line(1, f"| {' | '.join(padded)} |"))
    return lines


def _is_number(cell: n.Expr) -> bool:
    return isinstance(cell.operand if isinstance(cell, n.Negate) else cell, n.Integer)


# ---------------------------------------------------------------- scenarios


def _step(step: n.Step) -> list[Doc]:
    match step:
        case n.GivenStep(place=place, value=value):
            return ["given ", expression(place), " =", LINE, expression(value)]
        case n.PlayersStep(count=count):
            return [f"players {count}"]
        case n.WithStep(settings=settings):
            return [
                "with ",
                filled([[f"{setting.name.name}: ", expression(setting.value)] for setting in settings]),
            ]
        case n.PlayStep(call=call):
            return ["play ", call_doc(call)]
        case n.ChanceStep(outcomes=outcomes):
            return ["chance ", filled([expression(outcome) for outcome in outcomes])]
        case n.PlaysStep(player=player, call=call):
            return [f"{player.name} plays ", call_doc(call)]
        case n.ChoosesStep(player=player, values=values):
            return [f"{player.name} chooses ", filled([expression(value) for value in values])]
        case _:
            return ["expect ", *_expectation(step)]


def _expectation(step: n.Step) -> list[Doc]:
    match step:
        case n.ExpectStep(condition=condition):
            return [expression(condition)]
        case n.ExpectPlaysStep(player=player, negated=negated, call=call):
            return [f"{player.name} may ", "not " if negated else "", call_doc(call)]
        case n.ExpectChoosesStep(player=player, negated=negated, values=values):
            may = f"{player.name} may not choose " if negated else f"{player.name} may choose "
            return [may, filled([expression(value) for value in values])]
        case n.ExpectDecidesStep(player=player):
            return [f"{player.name} decides"]
        case n.ExpectSeesStep(player=player, negated=negated, what=what):
            return [f"{player.name} does not see " if negated else f"{player.name} sees ", expression(what)]
        case n.ExpectStageStep(stage=stage, ended=ended):
            return [f"{stage.name} ended" if ended else f"{stage.name} goes on"]
        case _:
            msg = f"no way to print a {type(step).__name__}"
            raise TypeError(msg)
