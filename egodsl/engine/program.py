"""A configured game compiled: every declaration into its code, with the tables that the machine runs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Local
from egodsl.engine import assigning, calling, control, decisions, moving, showing
from egodsl.engine.blocks import block
from egodsl.engine.bodies import Body, holds_cards, parameters
from egodsl.engine.code import Code, Draw, Event, Reaction, RunsOut, Site, Watch
from egodsl.engine.folding import literal
from egodsl.engine.machine import FIRE, announcement_step
from egodsl.engine.setup import Builder, Settings
from egodsl.engine.sources import Scope
from egodsl.engine.table import WRITE
from egodsl.engine.values import UNSET
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from egodsl.analysis.symbols import Checked
    from egodsl.engine.covering import Covering
    from egodsl.engine.state import State
    from egodsl.engine.values import Value
    from egodsl.source.span import Span

WithBody = (
    nodes.StageDecl
    | nodes.ProcedureDecl
    | nodes.ActionDecl
    | nodes.EventTrigger
    | nodes.ConditionTrigger
    | nodes.RunsOutTrigger
)
"""The declarations that have a code."""

_COMPILERS = {
    **assigning.STATEMENTS,
    **calling.STATEMENTS,
    **control.STATEMENTS,
    **moving.STATEMENTS,
    **showing.STATEMENTS,
    **decisions.STATEMENTS,
}


class Linker:
    """Compiles what is reachable from stage `game`, and the triggers."""

    def __init__(self, checked: Checked, settings: Settings, covering: Covering | None = None) -> None:
        self.checked = checked
        self.covering = covering
        self.builder = Builder(checked, settings, covering)
        self.layout, self.expressions = self.builder.build()
        self.sites: list[Site] = []
        self.draws: list[Draw] = []
        self.facts: list[nodes.Reveal] = []
        self.fact_values: list[Callable[..., Value]] = []
        self.stages: list[Code] = []
        self.watches: list[Watch] = []
        self.runs_out: list[RunsOut] = []
        self._codes: dict[nodes.Node, Code] = {}
        self._events: dict[nodes.EventDecl, Event] = {}
        self._waiting: list[WithBody] = []
        program = checked.program
        self.any_card = t.CardType(next(iter(program.cards.values()))) if program.cards else t.UnknownType()
        self._bits = self._watched_bits()
        self.zone_watches = [self._bits.get(slot.decl, 0) if slot.decl is not None else 0 for slot in self.layout.slots]
        self.var_watches = [self._bits.get(slot.decl, 0) for slot in self.layout.var_slots]
        self.initial = [self._initial(decl, first) for decl, first in self._families()]
        for stage in program.stages.values():
            self.code_of(stage)
        for event in program.events.values():
            self.event_of(event)
        self._triggers()
        self._compile_waiting()
        self.quick_draw = self.draw_site("top card", self.any_card, -1, program.root.span).index
        self.card_variables = [
            k
            for k, slot in enumerate(self.layout.var_slots)
            if isinstance(slot.decl, nodes.VarDecl) and holds_cards(checked.declared[slot.decl.type])
        ]

    # ------------------------------------------------------------ numbering

    def codes(self) -> list[Code]:
        """Every compiled body, in an order that depends on the rulebook and the settings alone."""
        return [FIRE, *self._codes.values(), *(event.code for event in self._events.values())]

    def next_site(self) -> int:
        return len(self.sites)

    def draw_site(self, what: str, kind: t.Type, slot: int, span: Span) -> Draw:
        site = Draw(len(self.draws), what, kind, slot, span)
        self.draws.append(site)
        return site

    def fact_site(self, s: nodes.Reveal, value: Callable[..., Value]) -> int:
        self.facts.append(s)
        self.fact_values.append(value)
        return len(self.facts) - 1

    def stage_number(self, stage: nodes.StageDecl) -> int:
        return self.code_of(stage).stage

    def first_slot(self, target: nodes.Expr) -> int:
        """The first variable slot of the family that the place belongs to."""
        if isinstance(target, nodes.Attribute):
            return self.expressions._mark_base(target)  # noqa: SLF001 - the compiler of the same game
        decl = self.checked.refs[target.target if isinstance(target, nodes.Index) else target]
        assert isinstance(decl, nodes.VarDecl)
        return self.layout.vars[decl].base

    def card_type_of(self, body: Body, s: nodes.Move | nodes.Swap | nodes.Roll | nodes.Reveal | nodes.Look) -> t.Type:
        """The type of the cards that a move, swap, roll or showing is about."""
        expr = s.left if isinstance(s, nodes.Swap) else s.what
        if isinstance(s, nodes.Move) and s.source is not None:
            expr = s.source
        kind = body.e.type_of(expr)
        while isinstance(kind, t.OptionalType | t.SetType | t.RowType):
            kind = kind.inner
        return kind

    # ------------------------------------------------------------ bodies

    def code_of(self, decl: WithBody) -> Code:
        """The code of a declaration; it is compiled later if it was not yet."""
        code = self._codes.get(decl)
        if code is None:
            kind = {nodes.StageDecl: "stage", nodes.ProcedureDecl: "procedure", nodes.ActionDecl: "action"}.get(
                type(decl), "reaction"
            )
            code = Code(decl.name.name, kind, decl, len(self._codes))
            if isinstance(decl, nodes.StageDecl):
                code.stage = len(self.stages)
                self.stages.append(code)
                code.resets = [
                    self._reset(var)
                    for var in self.checked.program.vars.values()
                    if var.during is not None and var.during.name == decl.name.name
                ]
            self._codes[decl] = code
            self._waiting.append(decl)
        return code

    def _compile_waiting(self) -> None:
        while self._waiting:
            decl = self._waiting.pop(0)
            body = Body(self, self._codes[decl])
            parameters(body, self._parameters(decl))
            if self.covering is None:
                block(body, decl.body)
            else:
                body.emit(self.covering.begin(body.code))
                with self.covering.within(self.covering.point(decl)):
                    block(body, decl.body)
            body.close()

    def _parameters(self, decl: WithBody) -> Iterable[nodes.Ident]:
        match decl:
            case nodes.StageDecl() | nodes.ProcedureDecl():
                return [p.name for p in decl.params]
            case nodes.ActionDecl():
                return [b.name for b in decl.bindings]
            case nodes.EventTrigger():
                return [p for p in decl.patterns if p not in self.checked.patterns]
            case nodes.ConditionTrigger() | nodes.RunsOutTrigger():
                return [n for clause in decl.binders for n in clause.names]
            case _:
                return []

    def statement(self, body: Body, s: nodes.Statement) -> None:
        """Compile one statement into the body."""
        if self.covering is None or self.covering.names_only:
            _COMPILERS[type(s)](body, s)
            return
        body.count(s)
        with self.covering.within(self.covering.point(s)):
            _COMPILERS[type(s)](body, s)

    # ------------------------------------------------------------ variables

    def _families(self) -> Iterable[tuple[nodes.VarDecl | nodes.Mark, int]]:
        for decl, family in self.layout.vars.items():
            if isinstance(decl, nodes.VarDecl):
                yield decl, family.base
        for kind in self.layout.types:
            for mark in kind.decl.marks:
                yield mark, kind.marks[mark.name.name]

    def _initial(self, decl: nodes.VarDecl | nodes.Mark, first: int) -> Callable[[State], None]:
        """Sets every member of a family to its initial value, checked against its range."""
        size = self.layout.vars[decl].size if isinstance(decl, nodes.VarDecl) else len(self.layout.card_type)
        if decl.initial is None or not size:
            return lambda state: None
        e = self.expressions
        source = Body(self, Code("", "initial", None)).stored(decl.initial, Scope({}, "you"))
        value = e.function("S,you", source)
        low, high = self.layout.var_slots[first].low, self.layout.var_slots[first].high
        place = decl.initial.span

        def set_all(state: State) -> None:
            for slot in range(first, first + size):
                owners = self.layout.var_slots[slot].owners
                made = value(state, owners[0] if len(owners) == 1 else None)
                if low is not None and high is not None and made is not None and not low <= made <= high:
                    assigning.out_of_range(state, slot, made, place)
                state.V[slot] = made

        return set_all

    def _reset(self, decl: nodes.VarDecl) -> Callable[[State], None]:
        """As `_initial`, during play: noted in the log, seen by triggers."""
        family = self.layout.vars[decl]
        set_all = self._initial(decl, family.base)
        first, end = family.base, family.base + family.size
        slots = range(first, end)
        mask = self.var_watches[first]
        known, value = literal("" if decl.initial is None else self.expressions.source(decl.initial, Scope({}, "you")))
        fresh: list[Any] | None = [value] * family.size if known else None

        if decl.initial is None:
            fresh, set_all = [UNSET] * family.size, _unset(first, end)

        def reset(state: State) -> None:
            before = state.V[first:end]
            if before == fresh:
                return
            set_all(state)
            for slot, old in zip(slots, before, strict=True):
                if state.V[slot] != old:
                    state.log = (state.log, (WRITE, slot, state.V[slot]))
                    state.dirty |= mask

        return reset

    # ------------------------------------------------------------ events and triggers

    def event_of(self, decl: nodes.EventDecl) -> Event:
        event = self._events.get(decl)
        if event is None:
            code = Code(decl.name.name, "announce", decl, len(self._events))
            event = Event(decl.name.name, len(self._events), code)
            self._events[decl] = event
            code.ops.append(announcement_step(event))
            code.live, code.live_cards = [(), ()], [(), ()]
            code.card_params = tuple(holds_cards(self.checked.declared[p.type]) for p in decl.params)
            for reaction in self.checked.program.reactions.values():
                if reaction.event.name == decl.name.name:
                    (event.plain if reaction.actor is None else event.acting).append(self._reaction(reaction, decl))
        return event

    def _reaction(self, decl: nodes.EventTrigger, event: nodes.EventDecl) -> Reaction:
        e = self.expressions
        names: dict[Local, str] = {}
        tests: list[str] = []
        picks: list[int] = []
        arguments = [f"a{k}" for k in range(len(event.params))]
        for k, pattern in enumerate(decl.patterns):
            match = self.checked.patterns.get(pattern)
            if match is None:
                local = self.checked.refs[pattern]
                assert isinstance(local, Local)
                names[local] = arguments[k]
                picks.append(k)
            else:
                value = e.constant_source(match.value)
                tests.append(self._pattern_test(arguments[k], match.field, event.params[k], value))
        scope = Scope(names, "you")
        tests += [e.asked(w.condition, scope) for w in decl.wheres]
        args = ",".join(["S", "you", *arguments])
        actors = None
        if decl.actor is not None:
            many = isinstance(e.type_of(decl.actor), t.SetType | t.RowType)
            source = e.some(decl.actor, scope)
            actors = e.function(args, f"frozenset({source})" if many else f"({source},)")
        return Reaction(self.code_of(decl), e.function(args, " and ".join(tests) or "True"), actors, tuple(picks))

    def _pattern_test(self, argument: str, field: str | None, param: nodes.Param, value: str) -> str:
        if field is None:
            return f"{argument}=={value}"
        kind = self.checked.declared[param.type]
        # No card shows no value.
        some = f"{argument} is not None and " if isinstance(kind, t.OptionalType) else ""
        kind = kind.inner if isinstance(kind, t.OptionalType) else kind
        assert isinstance(kind, t.CardType)
        card_type = self.expressions.card_type(kind.decl)
        if field in card_type.marks:
            return f"{some}V[{card_type.marks[field]}+{argument}]=={value}"
        return f"{some}{self.expressions.constant(card_type.fields[field])}[{argument}]=={value}"

    def _triggers(self) -> None:
        program = self.checked.program
        for decl in program.conditions.values():
            mask = 0
            for read in self._reads(decl.condition) | {r for b in decl.binders for r in self._reads(b.domain)}:
                mask |= self._bits[read]
            stage = self._stage_of(decl.during)
            self.watches.append(Watch(len(self.watches), self.code_of(decl), stage, mask, self._watch_value(decl)))
        for out in program.runs_out.values():
            self.runs_out.append(RunsOut(self.code_of(out), self._stage_of(out.during), self._meant(out)))

    def _stage_of(self, during: nodes.Ident | None) -> int:
        return -1 if during is None else self.code_of(self.checked.program.stages[during.name]).stage

    def _watch_value(self, decl: nodes.ConditionTrigger) -> Callable[[State], frozenset[Any]]:
        e = self.expressions
        scope = Scope({}, None)
        clauses = e.clauses(decl.binders, scope)
        if not clauses:
            held, free = e.constant(frozenset({()})), e.constant(frozenset())
            return e.function("S", f"{held} if {e.some(decl.condition, scope)} else {free}")
        return e.function(
            "S", f"frozenset([({self._binding(decl, scope)}){clauses} if {e.some(decl.condition, scope)}])"
        )

    def _binding(self, decl: nodes.ConditionTrigger | nodes.RunsOutTrigger, scope: Scope) -> str:
        locals_ = [self.checked.refs[n] for clause in decl.binders for n in clause.names]
        return "".join(scope.source(local) + "," for local in locals_ if isinstance(local, Local))

    def _meant(self, decl: nodes.RunsOutTrigger) -> Callable[[State, int], list[Any]]:
        e = self.expressions
        scope = Scope({}, None)
        clauses = e.clauses(decl.binders, scope)
        slot = e.zone_slot(decl.zone, scope)
        return e.function("S,slot", f"[({self._binding(decl, scope)}){clauses or ' for _ in (0,)'} if {slot}==slot]")

    # ------------------------------------------------------------ what conditions read

    def _watched_bits(self) -> dict[nodes.Node, int]:
        # One bit for each declaration that some condition reads; a change of anything else tests nothing.
        bits: dict[nodes.Node, int] = {}
        for decl in self.checked.program.conditions.values():
            for part in (decl.condition, *(b.domain for b in decl.binders)):
                for read in self._reads(part):
                    bits.setdefault(read, 1 << len(bits))
        return bits

    def _reads(self, root: nodes.Node, seen: set[nodes.Node] | None = None) -> set[nodes.Node]:
        """The zones, variables and marks that an expression reads, through the defines it calls."""
        seen = set() if seen is None else seen
        found: set[nodes.Node] = set()
        for node in nodes.walk(root):
            ref = self.checked.refs.get(node)
            if isinstance(ref, nodes.ZoneDecl | nodes.VarDecl):
                found.add(ref)
            elif isinstance(ref, nodes.DefineDecl) and ref not in seen:
                seen.add(ref)
                found |= self._reads(ref, seen)
            if isinstance(node, nodes.Attribute):
                found |= {m for kind in self.layout.types for m in kind.decl.marks if m.name.name == node.name.name}
            if isinstance(node, nodes.Call) and isinstance(self.checked.refs.get(node.name), nodes.CardDecl):
                found |= {m for kind in self.layout.types for m in kind.decl.marks}
        return found


def _unset(first: int, end: int) -> Callable[[State], None]:
    # What has no initial value has none again when its stage begins.
    def set_all(state: State) -> None:
        state.V[first:end] = [UNSET] * (end - first)

    return set_all
