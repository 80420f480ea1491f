"""Loops without an end, and triggers that cannot fire.

Proven, with everything that the body of a loop and any trigger can set going: that no `end` of a stage around it, no
`return` and no `cancel` leaves a loop without `until` (an error); that nothing writes what an `until` or a `whenever`
asks about (a warning: it may hold from the beginning). A move counts as a change of every zone. Whether a loop that
can end does end is left to play.
"""

from __future__ import annotations

from collections.abc import Iterable

from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.symbols import Builtin, Local
from egodsl.source.diagnostics import Label, quote
from egodsl.source.span import Span
from egodsl.syntax import nodes

_MOVES = (nodes.Move, nodes.Swap, nodes.Shuffle, nodes.Roll)
_BINDS = (nodes.Let, nodes.LetPerform, nodes.Pick, nodes.Binding, nodes.Move, nodes.Look, nodes.Reveal, nodes.Rank)
_SHIFTING = {"you", "active", "next", "others"}


def run(facts: Facts) -> None:
    """Check every loop and every `whenever`."""
    effects = _Effects(facts)
    for owner, turns in facts.each(nodes.Turns):
        if not turns.wheres:
            _endless(facts, effects, owner, turns)
    for owner, repeat in facts.each(nodes.Repeat):
        if repeat.until is not None:
            _until(facts, effects, repeat, repeat.until)
        elif repeat.times is None:
            _endless(facts, effects, owner, repeat)
    for trigger in facts.program.conditions.values():
        if facts.shared(trigger):
            continue
        condition = trigger.condition
        roots: list[nodes.Node] = [condition, *trigger.binders]
        reads = effects.reads(roots)
        if not reads.always and not any(map(effects.changes, reads.symbols)):
            facts.found.warning(
                "EGO542",
                condition.span,
                f"`{trigger.name.name}` never fires: nothing changes what {quote(condition.span.text)} asks about",
                help="`whenever` fires when its condition becomes true",
            )


def _endless(facts: Facts, effects: _Effects, owner: nodes.Declaration, loop: nodes.Repeat | nodes.Turns) -> None:
    around = facts.perhaps.get(owner)
    if around is None:
        return
    inside = effects.of(loop.body)
    if inside.leaves or effects.triggers.leaves or not around.isdisjoint(inside.ends | effects.triggers.ends):
        return
    facts.endless.add(loop)
    word = "repeat" if isinstance(loop, nodes.Repeat) else "turns"
    stage = next((one for one in facts.surely[owner] if isinstance(one, nodes.StageDecl)), None)
    name = owner.name.name if isinstance(owner, nodes.StageDecl) else stage.name.name if stage is not None else "game"
    until = "an `until`, or " if word == "repeat" else ""
    facts.found.error(
        "EGO540",
        _first_line(loop),
        f"this `{word}` never ends: nothing inside it, and no trigger, leaves it",
        help=f"it needs {until}an `end {name}` somewhere",
    )


def _first_line(loop: nodes.Repeat | nodes.Turns) -> Span:
    span = loop.span
    return Span(span.source, span.start, span.start + len(span.text.partition("\n")[0]))


def _until(facts: Facts, effects: _Effects, loop: nodes.Repeat, until: nodes.Expr) -> None:
    reads = effects.reads([until])
    if reads.always:
        return
    inside = effects.of(loop.body)
    if inside.leaves or inside.ends:
        return
    changed = inside.writes | effects.triggers.writes
    if any(symbol in changed or (inside.moves and isinstance(symbol, nodes.ZoneDecl)) for symbol in reads.symbols):
        return
    if effects.triggers.moves and any(isinstance(symbol, nodes.ZoneDecl) for symbol in reads.symbols):
        return
    facts.found.warning(
        "EGO541",
        until.span,
        f"nothing in this loop changes what {quote(until.span.text)} asks about",
        help="it holds after the first pass, or never",
        labels=(Label(_first_line(loop), "the loop begins here"),),
    )


class _Effect:
    """What statements may do, with all that they call."""

    def __init__(self) -> None:
        self.writes: set[object] = set()
        self.ends: set[nodes.Declaration] = set()
        self.moves = False
        self.leaves = False

    def add(self, other: _Effect) -> bool:
        """Take in what another may do. Gives whether that was news."""
        before = (len(self.writes), len(self.ends), self.moves, self.leaves)
        self.writes |= other.writes
        self.ends |= other.ends
        self.moves |= other.moves
        self.leaves |= other.leaves
        return before != (len(self.writes), len(self.ends), self.moves, self.leaves)


class _Reads:
    """What a condition asks about.

    `always` if some of it changes by itself: the player on turn, a mark, a variable that a stage sets anew.
    """

    def __init__(self) -> None:
        self.symbols: set[object] = set()
        self.always = False


class _Effects:
    """Effects of the declarations of one program, worked out once along the calls."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._of = self._declared()
        self._read: dict[nodes.Node, _Reads] = {}
        self._marks = {mark.name.name for card in facts.program.cards.values() for mark in card.marks}
        self.triggers = _Effect()
        for trigger in facts.triggers:
            self.triggers.add(self._of[trigger])
        self._everywhere = _Effect()
        for effect in self._of.values():
            self._everywhere.add(effect)

    def _declared(self) -> dict[nodes.Declaration, _Effect]:
        found: dict[nodes.Declaration, _Effect] = {}
        for decl in self.facts.declarations:
            found[decl] = self._direct(self.facts.within[decl])
        open_ = list(found)
        while open_:
            target = open_.pop()
            for call in self.facts.callers.get(target, ()):
                triggered = isinstance(target, nodes.ConditionTrigger | nodes.RunsOutTrigger)
                if not triggered and found[call.caller].add(found[target]):
                    open_.append(call.caller)
        return found

    def _direct(self, every: Iterable[nodes.Node], *, loop: bool = False) -> _Effect:
        effect = _Effect()
        for node in every:
            self._statement(effect, node, loop=loop)
        return effect

    def _statement(self, effect: _Effect, node: nodes.Node, *, loop: bool) -> None:
        ref = self.facts.ref
        match node:
            case nodes.Assign():
                base: nodes.Node = node.target
                while isinstance(base, nodes.Index | nodes.Group | nodes.Attribute):
                    base = base.inner if isinstance(base, nodes.Group) else base.target
                self._write(effect, ref(base), loop=loop)
            case nodes.End():
                stage = ref(node.stage)
                if isinstance(stage, nodes.StageDecl):
                    effect.ends.add(stage)
            case nodes.Cancel() | nodes.Stop():
                effect.leaves = True
            case nodes.Return():
                effect.leaves |= loop
            case _:
                pass
        if isinstance(node, _MOVES):
            effect.moves = True
        if isinstance(node, _BINDS):
            ident = node.bound if isinstance(node, nodes.Move | nodes.Look | nodes.Reveal | nodes.Rank) else node.name
            if ident is not None:
                self._write(effect, ref(ident), loop=loop)

    def _write(self, effect: _Effect, symbol: object, *, loop: bool) -> None:
        # The locals of a declaration are nothing to its callers.
        if loop or not isinstance(symbol, Local):
            effect.writes.add(symbol)

    def of(self, body: nodes.Block) -> _Effect:
        """What the body of a loop may do, calls included."""
        inside = list(nodes.walk(body))
        effect = self._direct(inside, loop=True)
        for node in inside:
            for target in self.facts.targets.get(node, ()):
                effect.add(self._of[target])
        return effect

    def changes(self, symbol: object) -> bool:
        """Whether anything in the program changes a zone or variable."""
        if isinstance(symbol, nodes.ZoneDecl):
            return self._everywhere.moves
        return symbol in self._everywhere.writes

    def reads(self, roots: Iterable[nodes.Node]) -> _Reads:
        """What expressions ask about, by way of defines too."""
        found = _Reads()
        for root in roots:
            for node in nodes.walk(root):
                ref = self.facts.ref(node)
                match ref:
                    case nodes.VarDecl() if ref.during is not None:
                        found.always = True
                    case nodes.ZoneDecl() | nodes.VarDecl() | Local():
                        found.symbols.add(ref)
                    case Builtin(name=name) if name in _SHIFTING:
                        found.always = True
                    case nodes.DefineDecl():
                        inner = self._define(ref)
                        found.symbols |= inner.symbols
                        found.always |= inner.always
                    case _:
                        pass
                if isinstance(node, nodes.Attribute) and node.name.name in self._marks:
                    found.always = True
        return found

    def _define(self, decl: nodes.DefineDecl) -> _Reads:
        known = self._read.get(decl)
        if known is None:
            self._read[decl] = _Reads()
            roots: list[nodes.Node] = [decl.value] if decl.value is not None else list(decl.cases)
            known = self._read[decl] = self.reads(roots)
        return known
