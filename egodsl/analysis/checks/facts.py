"""What several checks need to know of a program: its nodes by kind and by owner, who calls what, and what runs inside
which stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeVar, cast

import attrs

from egodsl.analysis.checks.settings import Settings
from egodsl.analysis.symbols import Checked, Symbol
from egodsl.source.diagnostics import Diagnostics
from egodsl.syntax import nodes

N = TypeVar("N", bound=nodes.Node)
Owner = nodes.Declaration | nodes.Header


@attrs.frozen
class Call:
    """A place where one declaration sets another going. `node` is the name there, or the head of a trigger."""

    caller: nodes.Declaration
    target: nodes.Declaration
    node: nodes.Node


class Facts:
    """The facts of one program, each worked out when first asked for. `found` takes what the checks have to say."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.program = checked.program
        self.found = Diagnostics()
        self.settings = Settings(checked)
        self.endless: set[nodes.Node] = set()
        """Loops that were reported as never ending: what follows from that is not reported again."""
        self._libraries = {file.span.source for file in self.program.files if file.form == "library"}
        self._own = self.program.root.span.source

    def ref(self, node: nodes.Node) -> Symbol | None:
        """What a name means; None where it means nothing that is declared."""
        return self.checked.refs.get(node)

    def mine(self, node: nodes.Node) -> bool:
        """Whether the node stands in the file that is checked itself, not in a library or base."""
        return node.span.source is self._own

    def shared(self, node: nodes.Node) -> bool:
        """Whether the node stands in a library."""
        return node.span.source in self._libraries

    # ------------------------------------------------------------ nodes

    @cached_property
    def declarations(self) -> list[nodes.Declaration]:
        """Every declaration but scenarios, by kind, in order."""
        program = self.program
        tables: list[Mapping[str, nodes.Declaration]] = [
            program.enums,
            program.types,
            program.cards,
            program.components,
            program.zones,
            program.vars,
            program.parameters,
            program.modes,
            program.readings,
            program.defines,
            program.events,
            program.stages,
            program.procedures,
            program.actions,
            program.reactions,
            program.conditions,
            program.runs_out,
        ]
        return [decl for table in tables for decl in table.values()]

    @cached_property
    def within(self) -> dict[Owner, list[nodes.Node]]:
        """Every node of each declaration and of the heads that hold expressions, parents before children."""
        owners: list[Owner] = [*self.declarations, *self.program.presets.values()]
        program = self.program
        owners += [head for head in (program.players, program.result, program.payoff) if head is not None]
        return {owner: list(nodes.walk(owner)) for owner in owners}

    @cached_property
    def _by_kind(self) -> dict[type[nodes.Node], list[tuple[Owner, nodes.Node]]]:
        found: dict[type[nodes.Node], list[tuple[Owner, nodes.Node]]] = {}
        for owner, inside in self.within.items():
            for node in inside:
                found.setdefault(type(node), []).append((owner, node))
        return found

    def each(self, kind: type[N]) -> Iterator[tuple[nodes.Declaration, N]]:
        """All nodes of exactly this kind within declarations, each with its declaration."""
        for owner, node in self._by_kind.get(kind, ()):
            if isinstance(owner, nodes.Declaration):
                yield owner, cast("N", node)

    @cached_property
    def uses(self) -> dict[nodes.Node, list[tuple[Owner, nodes.Node]]]:
        """The places that name each declaration (a value of an enum names the enum), in rules and properties."""
        found: dict[nodes.Node, list[tuple[Owner, nodes.Node]]] = {}
        for places in self._by_kind.values():
            for owner, node in places:
                ref = self.checked.refs.get(node)
                decl = ref if isinstance(ref, nodes.Declaration) else getattr(ref, "decl", None)
                if isinstance(decl, nodes.Declaration) and decl is not owner:
                    found.setdefault(decl, []).append((owner, node))
        for claim in self.program.properties.values():
            for node in nodes.walk(claim):
                ref = self.checked.refs.get(node)
                decl = ref if isinstance(ref, nodes.Declaration) else getattr(ref, "decl", None)
                if isinstance(decl, nodes.Declaration):
                    found.setdefault(decl, []).append((claim, node))
        return found

    @cached_property
    def claimed(self) -> set[nodes.Node]:
        """The actions and stages that a property is about by name."""
        idents = [
            node.what
            if isinstance(node, nodes.AfterClaim)
            else node.stage
            if isinstance(node, nodes.EveryClaim)
            else node.within
            for claim in self.program.properties.values()
            for node in nodes.walk(claim)
            if isinstance(node, nodes.AfterClaim | nodes.EveryClaim | nodes.WheneverClaim)
        ]
        return {ref for ident in idents if isinstance(ref := self.checked.refs.get(ident), nodes.Declaration)}

    # ------------------------------------------------------------ calls

    @cached_property
    def calls(self) -> list[Call]:
        """Who sets what going: plays, performs, offers; announces what others react to; has triggers while it runs."""
        found: list[Call] = []
        for owner, play in self.each(nodes.Play):
            self._call(found, owner, play.call.name)
        for owner, perform in self.each(nodes.Perform):
            self._call(found, owner, perform.call.name)
        for owner, let in self.each(nodes.LetPerform):
            self._call(found, owner, let.call.name)
        for owner, choice in self.each(nodes.ChooseAction):
            for ident in choice.actions:
                self._call(found, owner, ident)
        for owner, announcement in self.each(nodes.Announce):
            event = self.ref(announcement.call.name)
            reactions = self.reactions.get(event, ()) if isinstance(event, nodes.EventDecl) else ()
            found.extend(Call(owner, reaction, announcement.call.name) for reaction in reactions)
        for trigger in self.triggers:
            during = self.ref(trigger.during) if trigger.during is not None else self.program.stages.get("game")
            if isinstance(during, nodes.StageDecl):
                found.append(Call(during, trigger, trigger.during or trigger.name))
        return found

    def _call(self, found: list[Call], owner: nodes.Declaration, ident: nodes.Ident) -> None:
        target = self.ref(ident)
        if isinstance(target, nodes.Declaration):
            found.append(Call(owner, target, ident))

    @cached_property
    def reactions(self) -> dict[nodes.EventDecl, list[nodes.EventTrigger]]:
        """What is declared `on` each event, in order."""
        found: dict[nodes.EventDecl, list[nodes.EventTrigger]] = {}
        for reaction in self.program.reactions.values():
            event = self.ref(reaction.event)
            if isinstance(event, nodes.EventDecl):
                found.setdefault(event, []).append(reaction)
        return found

    @cached_property
    def triggers(self) -> list[nodes.ConditionTrigger | nodes.RunsOutTrigger]:
        """The triggers that no event sets going."""
        return [*self.program.conditions.values(), *self.program.runs_out.values()]

    @cached_property
    def callees(self) -> dict[nodes.Declaration, list[Call]]:
        """The calls that each declaration makes."""
        found: dict[nodes.Declaration, list[Call]] = {}
        for call in self.calls:
            found.setdefault(call.caller, []).append(call)
        return found

    @cached_property
    def callers(self) -> dict[nodes.Declaration, list[Call]]:
        """The calls of each declaration."""
        found: dict[nodes.Declaration, list[Call]] = {}
        for call in self.calls:
            found.setdefault(call.target, []).append(call)
        return found

    @cached_property
    def targets(self) -> dict[nodes.Node, list[nodes.Declaration]]:
        """What the name in a call sets going: one declaration, or for an announcement all that reacts."""
        found: dict[nodes.Node, list[nodes.Declaration]] = {}
        for call in self.calls:
            found.setdefault(call.node, []).append(call.target)
        return found

    # ------------------------------------------------------------ what runs inside what

    @cached_property
    def surely(self) -> dict[nodes.Declaration, frozenset[nodes.Declaration]]:
        """For each declaration that play can reach: the stages and events certain to be running when it runs."""
        return self._flow(certain=True)

    @cached_property
    def perhaps(self) -> dict[nodes.Declaration, frozenset[nodes.Declaration]]:
        """For each declaration that play can reach: the stages and events that may be running when it does."""
        return self._flow(certain=False)

    def _flow(self, *, certain: bool) -> dict[nodes.Declaration, frozenset[nodes.Declaration]]:
        # A fixpoint along the calls: sets only shrink (certain) or only grow, so it ends.
        game = self.program.stages.get("game")
        if game is None:
            return {}
        found: dict[nodes.Declaration, frozenset[nodes.Declaration]] = {game: frozenset({game})}
        open_: list[nodes.Declaration] = [game]
        while open_:
            caller = open_.pop()
            for call in self.callees.get(caller, ()):
                given = found[caller] | self._begins(call.target)
                before = found.get(call.target)
                after = given if before is None else before & given if certain else before | given
                if after != before:
                    found[call.target] = after
                    open_.append(call.target)
        return found

    def _begins(self, target: nodes.Declaration) -> frozenset[nodes.Declaration]:
        if isinstance(target, nodes.StageDecl):
            return frozenset({target})
        event = self.ref(target.event) if isinstance(target, nodes.EventTrigger) else None
        return frozenset({event}) if isinstance(event, nodes.EventDecl) else frozenset()

    def way(self, goal: nodes.Declaration, without: nodes.Declaration) -> list[nodes.Declaration]:
        """A shortest way from the stage `game` to `goal` on which `without` (a stage, an event) never begins."""
        game = self.program.stages.get("game")
        if game is None:
            return []
        came: dict[nodes.Declaration, nodes.Declaration | None] = {game: None}
        open_: list[nodes.Declaration] = [game]
        for caller in open_:
            if caller is goal:
                break
            for call in self.callees.get(caller, ()):
                if call.target not in came and without not in self._begins(call.target):
                    came[call.target] = caller
                    open_.append(call.target)
        if goal not in came:
            return []
        found: list[nodes.Declaration] = []
        step: nodes.Declaration | None = goal
        while step is not None:
            found.append(step)
            step = came[step]
        return found[::-1]
