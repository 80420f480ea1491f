"""Where in a player's rulebook each declaration is told of.

What is played has a place of its own. A define, procedure or event is told of where it is used: with the one stage,
action, ability or trigger that needs it, or at the head of the chapter if several of them do.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from egodsl.analysis.edits import key_of
from egodsl.analysis.symbols import Checked, Program
from egodsl.syntax import nodes

PLAYING, ACTIONS, ABILITIES, REACTIONS, COMPONENTS, TRACK, WINNING = range(7)
"""The chapters that helpers can stand in, in the order in which they are asked for them."""


Helper = nodes.DefineDecl | nodes.ProcedureDecl | nodes.EventDecl


def chapter_of(decl: nodes.Declaration) -> int | None:
    """The chapter that a declaration has a place of its own in; None for helpers, and for what is settled before
    play.
    """
    match decl:
        case nodes.StageDecl():
            return PLAYING
        case nodes.ActionDecl():
            return ACTIONS
        case nodes.AbilityDecl():
            return ABILITIES
        case nodes.EventTrigger() | nodes.ConditionTrigger() | nodes.RunsOutTrigger():
            return REACTIONS
        case nodes.CardDecl() | nodes.ComponentsDecl() | nodes.ZoneDecl() | nodes.TypeDecl() | nodes.EnumDecl():
            return COMPONENTS
        case nodes.VarDecl():
            return TRACK
        case _:
            return None


@attrs.frozen(eq=False)
class Places:
    """`items` are the declarations of each chapter, `by_item` the helpers told of with each of them, `by_chapter`
    those at the head of a chapter; all in the order of the files.
    """

    items: dict[int, list[nodes.Declaration]]
    by_item: dict[nodes.Declaration, list[nodes.Declaration]]
    by_chapter: dict[int, list[nodes.Declaration]]


def place(checked: Checked) -> Places:
    """The place of every declaration of a checked rulebook."""
    program = checked.program
    places = Places({}, {}, {})
    users = _users(checked)
    heads = [head for head in (program.result, program.payoff) if head is not None]
    ranking = {checked.refs.get(node) for head in heads for node in nodes.walk(head)}
    for decl in in_order(program):
        chapter = chapter_of(decl)
        if chapter is not None:
            places.items.setdefault(chapter, []).append(decl)
    position = {decl: k for k, decl in enumerate(in_order(program))}
    for decl in position:
        if not isinstance(decl, Helper):
            continue
        using = _using(decl, users)
        owners = sorted((user for user in using if not isinstance(user, Helper)), key=position.__getitem__)
        chapters = [chapter for owner in owners if (chapter := chapter_of(owner)) is not None]
        chapter = min(chapters, default=PLAYING if ranking.isdisjoint(using) else WINNING)
        near = [owner for owner in owners if chapter_of(owner) == chapter]
        if near and chapter not in {COMPONENTS, TRACK} and (len(near) == 1 or chapter == PLAYING):
            places.by_item.setdefault(near[0], []).append(decl)
        else:
            places.by_chapter.setdefault(chapter, []).append(decl)
    return places


def in_order(program: Program) -> list[nodes.Declaration]:
    """Every declaration, by its place in the files. What a variant replaces keeps its place."""
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for number, module in enumerate(program.files):
        for item in module.items:
            if not isinstance(item, nodes.Removal):
                first.setdefault(key_of(item), (number, item.span.start))
    return sorted(_declarations(program), key=lambda decl: first[key_of(decl)])


def _declarations(program: Program) -> Iterator[nodes.Declaration]:
    tables: tuple[dict[str, nodes.Declaration], ...] = (
        {**program.enums},
        {**program.types},
        {**program.cards},
        {**program.components},
        {**program.zones},
        {**program.vars},
        {**program.parameters},
        {**program.modes},
        {**program.readings},
        {**program.defines},
        {**program.events},
        {**program.stages},
        {**program.procedures},
        {**program.actions},
        {**program.reactions},
        {**program.conditions},
        {**program.runs_out},
    )
    for table in tables:
        yield from table.values()


def _users(checked: Checked) -> dict[nodes.Declaration, list[nodes.Declaration]]:
    # Who uses each helper. An event is used where it is announced, not where it is answered.
    users: dict[nodes.Declaration, list[nodes.Declaration]] = {}
    for decl in _declarations(checked.program):
        announced = {node.call.name for node in nodes.walk(decl) if isinstance(node, nodes.Announce)}
        for node in nodes.walk(decl):
            used = checked.refs.get(node)
            if isinstance(used, Helper) and used is not decl and (not _is_event(used) or node in announced):
                users.setdefault(used, []).append(decl)
    return users


def _is_event(decl: nodes.Declaration) -> bool:
    return isinstance(decl, nodes.EventDecl)


def _using(
    helper: nodes.Declaration, users: dict[nodes.Declaration, list[nodes.Declaration]]
) -> set[nodes.Declaration]:
    # The helper, the helpers that need it, and whatever needs one of those.
    seen = {helper}
    waiting = [helper]
    while waiting:
        for user in users.get(waiting.pop(), ()):
            if user not in seen:
                seen.add(user)
                if isinstance(user, Helper):
                    waiting.append(user)
    return seen
