"""`end` and `cancel` only where what they name is running, and what may stand inside `at once` and `together`.

Proven along the calls from the stage `game`: an `end` is refused when there is a way to it on which its stage does
not run (the way is shown), a `cancel` when its event is never being reacted to there; a `cancel` that depends on the
way is a warning, and a fault if it happens. Declarations that play cannot reach are not judged. Whether a way is ever
taken in play is not asked.
"""

from __future__ import annotations

import attrs

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.symbols import Local
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Check every `end`, `cancel`, `at once` and `together`."""
    for owner, end in facts.each(nodes.End):
        _end(facts, owner, end)
    for owner, cancel in facts.each(nodes.Cancel):
        _cancel(facts, owner, cancel)
    inside = _Inside(facts)
    for _, once in facts.each(nodes.AtOnce):
        inside.check(once.body, None, "at once")
    for _, as_ in facts.each(nodes.As):
        if as_.how == "together":
            inside.check(as_.body, as_.name, "together")


def _end(facts: Facts, owner: nodes.Declaration, end: nodes.End) -> None:
    stage = facts.ref(end.stage)
    running = facts.surely.get(owner)
    if not isinstance(stage, nodes.StageDecl) or running is None or stage in running:
        return
    name = stage.name.name
    if isinstance(owner, nodes.ConditionTrigger | nodes.RunsOutTrigger):
        during = owner.during.name if owner.during is not None else "game"
        message = f"`end {name}` is not certain to find `{name}` running: `{owner.name.name}` fires during `{during}`"
        advice = f"declare the trigger `during {name}`"
    elif stage not in facts.perhaps[owner]:
        message = f"`end {name}` stands in {_named(owner)}, which never runs inside `{name}`"
        advice = "only what runs inside a stage can end it"
    else:
        message = f"`end {name}` stands in {_named(owner)}, which also runs when `{name}` does not"
        advice = "let the caller end the stage, or call this only from inside it"
    way = facts.way(owner, stage)
    notes = (f"a way to it without `{name}`: " + ", ".join(_named(one) for one in way),) if len(way) > 1 else ()
    facts.found.error(
        "EGO550",
        end.span,
        message,
        help=advice,
        notes=notes,
        labels=(Label(stage.name.span, "the stage is declared here"),),
    )


def _named(decl: nodes.Declaration) -> str:
    return f"the {decl.kind} `{decl.name.name}`"


def _cancel(facts: Facts, owner: nodes.Declaration, cancel: nodes.Cancel) -> None:
    event = facts.ref(cancel.event)
    running = facts.surely.get(owner)
    if not isinstance(event, nodes.EventDecl) or running is None or event in running:
        return
    name = event.name.name
    labels = (Label(event.name.span, "the event is declared here"),)
    advice = f"only a trigger or ability `on {name}`, and what it causes, can cancel it"
    fires = isinstance(owner, nodes.ConditionTrigger | nodes.RunsOutTrigger)
    if event in facts.perhaps[owner] or fires:
        message = f"`cancel {name}` stands in {_named(owner)}, which also runs when nothing reacts to `{name}`"
        facts.found.warning("EGO554", cancel.span, message, help=advice, labels=labels)
    else:
        message = f"`cancel {name}` stands in {_named(owner)}, which never runs in reaction to `{name}`"
        facts.found.error("EGO554", cancel.span, message, help=advice, labels=labels)


# ---------------------------------------------------------------- at once, together


@attrs.frozen
class _Culprit:
    statement: nodes.Node
    why: str


_DECISIONS = (nodes.Choose, nodes.ChooseAction, nodes.ChooseOption, nodes.May)
_CHANCE = (nodes.Shuffle, nodes.Roll, nodes.Pick)
_LEAVING = (nodes.Play, nodes.End, nodes.Cancel, nodes.Announce, nodes.Turns)
_NAMES: dict[type[nodes.Node], str] = {
    nodes.Choose: "choose",
    nodes.ChooseAction: "choose",
    nodes.ChooseOption: "choose",
    nodes.May: "may",
    nodes.Shuffle: "shuffle",
    nodes.Roll: "roll",
    nodes.Pick: "pick",
    nodes.Play: "play",
    nodes.End: "end",
    nodes.Cancel: "cancel",
    nodes.Announce: "announce",
    nodes.Turns: "turns",
    nodes.Look: "look at",
    nodes.Reveal: "reveal",
    nodes.Return: "return",
    nodes.Repeat: "repeat",
    nodes.AtOnce: "at once",
    nodes.Swap: "swap",
    nodes.Rank: "rank",
}


class _Inside:
    """Looks through the bodies of `at once` and `together`, and of what they call."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._called: dict[tuple[nodes.Node, str], _Culprit | None] = {}

    def check(self, body: nodes.Block, player: nodes.Ident | None, where: str) -> None:
        """Report what may not stand in a block; `player` is the name that `together` gives to each."""
        code, allowed = _CODES[where]
        for culprit in self._culprits(body, player, where, called=False):
            statement = culprit.statement
            facts = self.facts
            if isinstance(statement, nodes.Perform | nodes.LetPerform | nodes.ChooseAction):
                facts.found.error(code, statement.span, f"{culprit.why}, inside `{where}`", help=allowed)
            else:
                facts.found.error(code, statement.span, f"{culprit.why} inside `{where}`", help=allowed)

    def _culprits(
        self, body: nodes.Block | None, player: nodes.Ident | None, where: str, *, called: bool
    ) -> list[_Culprit]:
        found: list[_Culprit] = []
        open_ = list(reversed(body.statements)) if body is not None else []
        while open_:
            statement = open_.pop()
            why = self._why(statement, player, where, called=called)
            if why is not None:
                found.append(_Culprit(statement, why))
            else:
                inner = [one for block in _blocks(statement) for one in block.statements]
                open_ += reversed(inner)
        return found

    def _why(self, s: nodes.Statement, player: nodes.Ident | None, where: str, *, called: bool) -> str | None:
        word = _NAMES.get(type(s), "")
        together = where == "together"
        if isinstance(s, nodes.Perform | nodes.LetPerform):
            return self._call(s.call.name, where)
        if isinstance(s, nodes.ChooseAction) and together:
            return next((why for one in s.actions if (why := self._call(one, where)) is not None), None)
        forbidden = isinstance(s, _LEAVING)
        forbidden |= isinstance(s, _CHANCE) if together else isinstance(s, _DECISIONS)
        forbidden |= isinstance(s, nodes.Return) and not called
        forbidden |= isinstance(s, nodes.Repeat) and s.times is None and s.until is None
        if together:
            forbidden |= isinstance(s, nodes.Look | nodes.Reveal | nodes.Swap | nodes.AtOnce)
            forbidden |= isinstance(s, nodes.Rank) and _drawn(s.keys)
        if forbidden:
            return f"`{word}` cannot stand"
        if isinstance(s, nodes.As) and s.how == "together":
            return "`together` cannot stand"
        return self._change(s, player) if together else None

    def _call(self, ident: nodes.Ident, where: str) -> str | None:
        target = self.facts.ref(ident)
        if not isinstance(target, nodes.ProcedureDecl | nodes.ActionDecl):
            return None
        key = (target, where)
        if key not in self._called:
            self._called[key] = None
            culprits = self._culprits(target.body, None, where, called=True)
            self._called[key] = culprits[0] if culprits else None
        culprit = self._called[key]
        if culprit is None:
            return None
        return f"`{ident.name}` does what cannot stand: {quote(culprit.statement.span.text.partition(chr(10))[0])}"

    # What a player changes in `together` must be that player's alone, since all changes land as one.

    def _change(self, s: nodes.Statement, player: nodes.Ident | None) -> str | None:
        if isinstance(s, nodes.Assign) and not self._own(s.target, player):
            return f"{quote(s.target.span.text)} is not the player's own, so it cannot be assigned"
        if isinstance(s, nodes.Move):
            source = s.source if s.source is not None else s.what
            places = [node for node in nodes.walk(source) if isinstance(self.facts.ref(node), nodes.ZoneDecl)]
            if s.how == "at random":
                return "a card at random is chance, which cannot come"
            for place in places:
                zone = self.facts.ref(place)
                if isinstance(zone, nodes.ZoneDecl) and zone.layout == "stack" and zone.seen == "face down":
                    what = quote(source.span.text)
                    return f"{what} comes from a pile, whose order is for chance to settle, so it cannot be moved"
                if not self._own(self._place(source, place), player):
                    return f"{quote(source.span.text)} does not come from the player's own cards, so it cannot be moved"
        return None

    def _place(self, root: nodes.Node, name: nodes.Node) -> nodes.Node:
        # The index expression around the name of a zone, or the name.
        return next((one for one in nodes.walk(root) if isinstance(one, nodes.Index) and one.target is name), name)

    def _own(self, place: nodes.Node, player: nodes.Ident | None) -> bool:
        base = place.target if isinstance(place, nodes.Index) else place
        symbol = self.facts.ref(base)
        if isinstance(symbol, Local):
            return True
        if not isinstance(symbol, nodes.VarDecl | nodes.ZoneDecl):
            return isinstance(place, nodes.Attribute)
        given = place.indices if isinstance(place, nodes.Index) else []
        if not symbol.indexes:
            return False
        if len(given) < len(symbol.indexes):
            return True
        first = given[0]
        return isinstance(first, nodes.Name) and (
            first.name == "you" or (player is not None and self.facts.ref(first) is self.facts.ref(player))
        )


_CODES = {
    "at once": (
        "EGO552",
        "`at once` holds moves, assignments, `let`, `if`, `for`, chance, and procedures made of these",
    ),
    "together": (
        "EGO553",
        "`together` holds decisions, `let`, `if`, `for`, and changes of that player's own variables and cards",
    ),
}


def _drawn(keys: list[nodes.SortKey]) -> bool:
    return any(key.value is None for key in keys)


def _blocks(statement: nodes.Statement) -> list[nodes.Block]:
    # The blocks inside a statement, those of its options and branches too.
    found: list[nodes.Block] = []
    open_: list[nodes.Node] = [statement]
    while open_:
        for child in nodes.children(open_.pop()):
            if isinstance(child, nodes.Block):
                found.append(child)
            elif isinstance(child, nodes.Option | nodes.Branch | nodes.Otherwise):
                open_.append(child)
    return found
