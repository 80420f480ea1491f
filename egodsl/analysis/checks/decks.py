"""Decks: that the rows add up to their total, in every game that can be configured, and that no copies are fewer than
none.

Proven: the sum for every combination of players, modes, readings and parameters that the rows read, up to the number
of combinations that `settings` tries; where that is not all of them, a note says so. Field values that can be worked
out must lie in their range. Left to the start of a game: rows that call what only play can answer.
"""

from __future__ import annotations

from collections import Counter

import attrs

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.checks.folding import Folder, Member, Value
from egodsl.analysis.checks.settings import Space
from egodsl.analysis.relations import outside, plain
from egodsl.analysis.types import IntType, Type
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes


@attrs.frozen
class Line:
    """A row of components or of a table: how many copies, and the values, under the names that `clauses` bind."""

    node: nodes.Node
    copies: nodes.Expr | None
    values: tuple[tuple[str, nodes.Expr], ...]
    clauses: tuple[nodes.Clause, ...]


def run(facts: Facts) -> None:
    """Check every deck whose expressions were understood."""
    for decl in facts.program.components.values():
        _columns(facts, decl)
        rows = lines(decl)
        if all(node in facts.checked.types for row in rows for node in _parts(row)):
            _deck(facts, decl, rows)


def lines(decl: nodes.ComponentsDecl) -> list[Line]:
    """The rows of a deck, those of its table included."""
    found = [
        Line(row, row.copies, tuple((one.name.name, one.value) for one in row.values), tuple(row.clauses))
        for row in decl.rows
    ]
    if not decl.table:
        return found
    names = [cell.name if isinstance(cell, nodes.Name) else "" for cell in decl.table[0].cells]
    for row in decl.table[1:]:
        cells = dict(zip(names, row.cells, strict=False))
        copies = cells.pop("copies", None)
        found.append(Line(row, copies, tuple(cells.items()), ()))
    return found


def _parts(line: Line) -> list[nodes.Expr]:
    return [*([line.copies] if line.copies is not None else []), *(value for _, value in line.values)]


def space(facts: Facts, rows: list[Line], *others: nodes.Expr | None) -> Space:
    """The games in which the rows may differ."""
    roots: list[nodes.Node] = [part for row in rows for part in _parts(row)]
    roots += [clause for row in rows for clause in row.clauses]
    return facts.settings.space([*roots, *(one for one in others if one is not None)], presets=True)


def _columns(facts: Facts, decl: nodes.ComponentsDecl) -> None:
    first: dict[str, nodes.Expr] = {}
    for cell in decl.table[0].cells if decl.table else []:
        if isinstance(cell, nodes.Name) and cell.name in first:
            facts.found.error(
                "EGO503",
                cell.span,
                f"the table has two columns `{cell.name}`",
                help="leave one of them out",
                labels=(Label(first[cell.name].span, "the first is here"),),
            )
        elif isinstance(cell, nodes.Name):
            first[cell.name] = cell


def _deck(facts: Facts, decl: nodes.ComponentsDecl, rows: list[Line]) -> None:
    games = space(facts, rows, decl.total)
    wrong: list[tuple[Folder, int, int]] = []
    reported: set[nodes.Node] = set()
    known = True
    for folder in games.folders:
        total = 0
        for row in rows:
            copies = _row(facts, decl, row, folder, reported, free=games.free)
            known = known and copies is not None
            total += copies or 0
        stated = folder.fold(decl.total) if decl.total is not None else total
        if known and not reported and isinstance(stated, int) and stated != total:
            wrong.append((folder, stated, total))
    if wrong and decl.total is not None:
        _report(facts, decl, decl.total, wrong, games)
    elif known and not reported and not games.whole and decl.total is not None:
        facts.found.note(
            "EGO501",
            decl.total.span,
            f"the rows of `{decl.name.name}` were added up for {len(games.folders)} of all configurable games",
            notes=("there are too many combinations of settings to try them all",),
        )


def _report(
    facts: Facts, decl: nodes.ComponentsDecl, total: nodes.Expr, wrong: list[tuple[Folder, int, int]], games: Space
) -> None:
    folder, stated, found = wrong[0]
    where = "" if games.free else f" with {facts.settings.words(folder)}"
    notes = []
    if len(wrong) > 1:
        every = "every one" if len(wrong) == len(games.folders) else f"{len(wrong)}"
        notes.append(f"it is wrong in {every} of the {len(games.folders)} combinations of settings that were tried")
    advice = f"write `total {found}` if the rows are right" if games.free else None
    facts.found.error(
        "EGO501",
        total.span,
        f"the rows of `{decl.name.name}` add up to {found}{where}, and the total says {stated}",
        help=advice or "the total may be worked out from players, modes, readings and parameters as the rows are",
        notes=notes,
    )


def _row(
    facts: Facts, decl: nodes.ComponentsDecl, row: Line, folder: Folder, reported: set[nodes.Node], *, free: bool
) -> int | None:
    # How many cards the row makes; None if that is not known before play.
    environments = folder.environments(list(row.clauses))
    if environments is None:
        return None
    total = 0
    for env in environments:
        copies: Value = 1 if row.copies is None else folder.fold(row.copies, env)
        if not isinstance(copies, int):
            return None
        if copies < 0 and row.copies is not None and row.node not in reported:
            reported.add(row.node)
            where = "" if free else f" with {facts.settings.words(folder)}"
            facts.found.error("EGO502", row.copies.span, f"{quote(row.copies.span.text)} makes {copies} copies{where}")
        total += copies
        for name, value in row.values:
            if value not in reported:
                _value(facts, decl, name, value, folder.fold(value, env), reported)
    return total


def _value(
    facts: Facts, decl: nodes.ComponentsDecl, name: str, expr: nodes.Expr, value: Value, reported: set[nodes.Node]
) -> None:
    kind = field_type(facts, decl, name)
    if not isinstance(kind, IntType) or not isinstance(value, int) or kind.low <= value <= kind.high:
        return
    if outside(kind, facts.checked.types[expr]):
        return  # whatever the game: that has been said with the types
    reported.add(expr)
    message = f"{quote(expr.span.text)} comes to {value}, and `{name}` goes from {kind.low} to {kind.high}"
    facts.found.error("EGO504", expr.span, message)


def field_type(facts: Facts, decl: nodes.ComponentsDecl, name: str) -> Type | None:
    """The type of a field of the cards of a deck, without its `?`; None if there is no such field."""
    card = facts.program.cards.get(decl.card.name)
    field = next((one for one in card.fields if one.name.name == name), None) if card is not None else None
    kind = facts.checked.declared.get(field.type) if field is not None else None
    return plain(kind) if kind is not None else None


def field_values(facts: Facts, card: nodes.CardDecl, name: str) -> Counter[Value] | None:
    """How often each value of a field occurs on cards of a type, over all configurable games; None if not known."""
    found: Counter[Value] = Counter()
    for decl in facts.program.components.values():
        if facts.program.cards.get(decl.card.name) is not card:
            continue
        rows = lines(decl)
        games = space(facts, rows)
        if not games.whole:
            return None
        for folder in games.folders:
            for row in rows:
                if not _count(found, folder, row, name):
                    return None
    return found


def _count(found: Counter[Value], folder: Folder, row: Line, name: str) -> bool:
    environments = folder.environments(list(row.clauses))
    expr = dict(row.values).get(name)
    if environments is None:
        return False
    for env in environments:
        copies: Value = 1 if row.copies is None else folder.fold(row.copies, env)
        value = folder.fold(expr, env) if expr is not None else None
        if not isinstance(copies, int) or not (value is None or isinstance(value, int | Member)):
            return False
        found[value] += copies
    return True
