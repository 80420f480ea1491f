"""Declarations that nothing uses, and rules that nothing sets going.

Proven: that no other declaration of the program names it. Scenarios count for defines alone. Only the file that is
checked itself is looked at: a library offers more than a rulebook takes, and a variant inherits more. Whether a use is
ever reached in play is left to exploration. An event that is announced and that nobody reacts to is a place for
variants, and fine.
"""

from __future__ import annotations

from collections.abc import Iterable

from egodsl.analysis.checks.decks import field_values
from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.checks.folding import Member, Value
from egodsl.analysis.relations import plain
from egodsl.analysis.symbols import EnumValue
from egodsl.analysis.types import CardType, IntType
from egodsl.source.diagnostics import Label
from egodsl.syntax import nodes


def run(facts: Facts) -> None:
    """Warn of everything in the file that nothing uses."""
    _plain(facts)
    _variables(facts)
    _rules(facts)
    _events(facts)
    for ability in facts.program.reactions.values():
        if facts.mine(ability):
            _pattern(facts, ability)


def _used(facts: Facts, decl: nodes.Declaration) -> bool:
    return bool(facts.uses.get(decl))


def _plain(facts: Facts) -> None:
    program = facts.program
    # A define may be there to be asked by scenarios alone; what play needs is not used by being tried.
    walked = [node for scenario in program.scenarios.values() for node in nodes.walk(scenario)]
    tried = {ref for node in walked if isinstance(ref := facts.ref(node), nodes.DefineDecl)}
    every: Iterable[nodes.Declaration] = [
        *program.enums.values(),
        *program.types.values(),
        *program.cards.values(),
        *program.zones.values(),
        *program.parameters.values(),
        *program.modes.values(),
        *program.readings.values(),
        *program.defines.values(),
        *program.procedures.values(),
    ]
    for decl in every:
        if facts.mine(decl) and not _used(facts, decl) and not _replaces(decl) and decl not in tried:
            _unused(facts, decl, _VERBS.get(type(decl), "used"))


_VERBS: dict[type[nodes.Declaration], str] = {
    nodes.ProcedureDecl: "performed",
    nodes.ParameterDecl: "read",
    nodes.ModeDecl: "asked about",
    nodes.ReadingDecl: "asked about",
}


def _replaces(decl: nodes.Declaration) -> bool:
    # What replaces a declaration of a library or base stands where that one stood, used or not.
    return decl.edit is not None


def _unused(facts: Facts, decl: nodes.Declaration, verb: str) -> None:
    advice = (
        "leave it out" if verb != "asked about" else "a setting that changes nothing misleads: leave it out, or use it"
    )
    facts.found.warning("EGO510", decl.name.span, f"the {decl.kind} `{decl.name.name}` is never {verb}", help=advice)


def _variables(facts: Facts) -> None:
    written: set[nodes.Node] = set()
    targets: set[nodes.Node] = set()
    for _, assign in facts.each(nodes.Assign):
        base: nodes.Expr = assign.target
        while isinstance(base, nodes.Index | nodes.Group):
            base = base.inner if isinstance(base, nodes.Group) else base.target
        targets.add(base)
    for var in facts.program.vars.values():
        places = facts.uses.get(var, [])
        reads = [node for _, node in places if isinstance(node, nodes.Name) and node not in targets]
        if len(reads) < len(places):
            written.add(var)
        if not facts.mine(var) and not any(facts.mine(node) for node in reads):
            continue
        if not places and facts.mine(var) and not _replaces(var):
            _unused(facts, var, "used")
        elif not reads and facts.mine(var) and not _replaces(var):
            _unused(facts, var, "read")
        elif var not in written and var.initial is None and reads:
            facts.found.error(
                "EGO516",
                reads[0].span,
                f"`{var.name.name}` is read, and nothing ever gives it a value",
                help="give it an initial value, or assign it first",
                labels=(Label(var.name.span, "declared here"),),
            )


def _rules(facts: Facts) -> None:
    for action in facts.program.actions.values():
        if facts.mine(action) and action not in facts.callers and not _replaces(action) and action not in facts.claimed:
            facts.found.warning(
                "EGO512",
                action.name.span,
                f"the action `{action.name.name}` is never offered",
                help=f"add it to a `choose one of`, or to a list by `extend`: {action.name.name}",
            )
    for stage in facts.program.stages.values():
        if stage.name.name == "game" or stage in facts.callers:
            continue
        waiting = [one for one in facts.triggers if one.during is not None and facts.ref(one.during) is stage]
        if not facts.mine(stage):
            for trigger in filter(facts.mine, waiting):
                facts.found.warning(
                    "EGO514",
                    trigger.name.span,
                    f"`{trigger.name.name}` never fires: the stage `{stage.name.name}` is never played",
                    labels=(Label(stage.name.span, "the stage is declared here"),),
                )
            continue
        if not _replaces(stage) and stage not in facts.claimed:
            facts.found.warning(
                "EGO514",
                stage.name.span,
                f"the stage `{stage.name.name}` is never played",
                help=f"write `play {stage.name.name}` where it belongs",
                labels=[Label(one.name.span, f"so the trigger `{one.name.name}` never fires") for one in waiting],
            )


def _events(facts: Facts) -> None:
    announced = {facts.ref(announcement.call.name) for _, announcement in facts.each(nodes.Announce)}
    for event in facts.program.events.values():
        if event in announced:
            continue
        reactions = facts.reactions.get(event, [])
        if facts.mine(event):
            if not reactions:
                _unused(facts, event, "announced")
                continue
            first = reactions[0]
            labels = [Label(one.name.span, f"so the {one.kind} `{one.name.name}` never runs") for one in reactions]
            name = event.name.name
            message = f"the event `{name}` is never announced, and the {first.kind} `{first.name.name}` waits for it"
            facts.found.warning(
                "EGO511",
                event.name.span,
                message,
                help=f"write `announce {event.name.name}` where it happens",
                labels=labels,
            )
            continue
        for reaction in filter(facts.mine, reactions):
            facts.found.warning(
                "EGO511",
                reaction.event.span,
                f"nothing announces `{event.name.name}`, so the {reaction.kind} `{reaction.name.name}` never runs",
                labels=(Label(event.name.span, "the event is declared here"),),
            )


def _pattern(facts: Facts, decl: nodes.EventTrigger) -> None:
    event = facts.ref(decl.event)
    params = event.params if isinstance(event, nodes.EventDecl) else []
    for pattern, param in zip(decl.patterns, params, strict=False):
        match = facts.checked.patterns.get(pattern)
        kind = plain(facts.checked.declared[param.type])
        if match is None or match.field is None or not isinstance(kind, CardType):
            continue
        shown = field_values(facts, kind.decl, match.field)
        if shown is None or not shown:
            continue
        if isinstance(match.value, EnumValue):
            wanted: Value = Member(match.value.name)
        else:
            number = facts.checked.types.get(match.value.label.value)
            wanted = number.low if isinstance(number, IntType) and number.low == number.high else None
        if wanted is not None and shown[wanted] <= 0:
            facts.found.warning(
                "EGO513",
                pattern.span,
                f"no `{kind.decl.name.name}` has the {match.field} `{pattern.name}`, so `{decl.name.name}` never runs",
                help="add such a card to the components, or leave it out",
            )
