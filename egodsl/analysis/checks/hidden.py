"""Hidden faces: who may go by them, and what gives them away.

Proven, by where cards come from (see `faces`):

* Outside properties nothing reads the faces of a face-down zone but what `look at` or `reveal` showed before: an
  error, or a warning where some rule shows cards of that zone.
* The candidates and guards of a decision read no face that its chooser cannot know: an error where it is certainly
  another's, a warning where that depends on play. A zone that some rule looks at or reveals is left to run time,
  since what was shown is known.
* Nobody chooses from a set that is hidden from them.
* An `if` that goes by faces only some know, and of which one branch begins with a decision and another does not,
  tells everybody what those faces are: a warning. A branch that first shows, moves or announces something discloses
  it openly and is not reported, nor is what happens inside `together`, where nobody sees who is asked.

Which cards a player happens to know is left to run time, and leaks in general to the redeal test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from egodsl.analysis.checks.faces import Env, Faces, Place, Read
from egodsl.analysis.checks.facts import Facts
from egodsl.analysis.symbols import Local
from egodsl.analysis.types import CardType, PlayerType
from egodsl.source.diagnostics import Label, quote
from egodsl.syntax import nodes

_DECISIONS = (nodes.Choose, nodes.ChooseAction, nodes.ChooseOption, nodes.May)


def run(facts: Facts) -> None:
    """Check every body of the program."""
    _rows(facts)
    check = _Check(facts)
    program = facts.program
    for action in program.actions.values():
        env = Env()
        check.decide(action.bindings, action.guard, env)
        check.block(action.body, env)
    for reaction in program.reactions.values():
        env = Env()
        for where in reaction.wheres:
            check.face_down(where.condition, env)
        if reaction.actor is not None:
            check.be(reaction.actor, env)
        check.block(reaction.body, env)
    bodies: list[nodes.StageDecl | nodes.ProcedureDecl | nodes.ConditionTrigger | nodes.RunsOutTrigger] = [
        *program.stages.values(),
        *program.procedures.values(),
        *facts.triggers,
    ]
    for decl in bodies:
        if isinstance(decl, nodes.ConditionTrigger):
            check.face_down(decl.condition, Env())
        check.block(decl.body, Env())
    if program.result is not None:
        values = [key.value for key in program.result.keys if key.value is not None]
        for value in [*values, *([program.result.together] if program.result.together is not None else [])]:
            check.face_down(value, Env())
    if program.payoff is not None:
        check.face_down(program.payoff.value, Env())


def _rows(facts: Facts) -> None:
    for zone in facts.program.zones.values():
        if zone.seen == "others only" and zone.layout == "set":
            facts.found.error(
                "EGO573",
                zone.name.span,
                f"`{zone.name.name}` is a set that its owner cannot see, so nobody could say which card is meant",
                help="make it a `row`: then its places tell the cards apart",
            )


class _Check:
    """Goes through bodies, with what is known of their locals."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.faces = Faces(facts)
        self.shown = self._shown()
        self._together = 0
        self._first: dict[nodes.Node, _Start] = {}

    def _shown(self) -> set[nodes.Node]:
        # Every zone and variable that some rule shows.
        found: set[nodes.Node] = set()
        roots: list[nodes.Node] = [look.what for _, look in self.facts.each(nodes.Look)]
        for _, reveal in self.facts.each(nodes.Reveal):
            roots += [reveal.what, *reveal.clauses]
        for root in roots:
            for node in nodes.walk(root):
                ref = self.facts.ref(node)
                if isinstance(ref, nodes.ZoneDecl | nodes.VarDecl):
                    found.add(ref)
        return found

    # ------------------------------------------------------------ statements

    def block(self, block: nodes.Block | None, env: Env) -> None:
        """Check the statements of a block in order; what they bind stays in `env`."""
        for statement in block.statements if block is not None else ():
            self._statement(statement, env)

    def _statement(self, s: nodes.Statement, env: Env) -> None:
        match s:
            case nodes.Choose():
                self.decide(s.bindings, None, env)
                self._otherwise(s.otherwise, env)
            case nodes.ChooseAction():
                self._otherwise(s.otherwise, env)
            case nodes.ChooseOption():
                for option in s.options:
                    self.decide(option.bindings, option.guard, env)
                    self.block(option.body, env)
                self._otherwise(s.otherwise, env)
            case nodes.May():
                self.decide(s.bindings, None, env)
                self.block(s.body, env)
                self._otherwise(s.otherwise, env)
            case nodes.If():
                self._if(s, env)
            case nodes.As():
                self._as(s, env)
            case nodes.For():
                self._bind(s.name, s.domain, s.wheres, env)
                self.block(s.body, env)
            case nodes.Turns():
                inner = _others(env)
                self._expressions([s.first, *(where.condition for where in s.wheres)], inner)
                self.block(s.body, inner)
            case nodes.Pick():
                self._bind(s.name, s.domain, s.wheres, env)
            case nodes.Let():
                self._let(s, env)
            case nodes.Move():
                self._move(s, env)
            case nodes.Look() | nodes.Reveal():
                self._known(s.bound, env)
            case _:
                self._children(s, env)

    def _children(self, s: nodes.Statement, env: Env) -> None:
        for child in nodes.children(s):
            if isinstance(child, nodes.Expr) and not isinstance(child, nodes.Call):
                self.face_down(child, env)
            elif isinstance(child, nodes.Call):
                self._expressions([argument.value for argument in child.arguments], env)
            elif isinstance(child, nodes.Block):
                self.block(child, env)

    def _expressions(self, every: Iterable[nodes.Expr], env: Env) -> None:
        for expr in every:
            self.face_down(expr, env)

    def _otherwise(self, otherwise: nodes.Otherwise | None, env: Env) -> None:
        if otherwise is not None:
            if otherwise.guard is not None:
                self.face_down(otherwise.guard, env)
            self.block(otherwise.body, env)

    def _bind(self, ident: nodes.Ident, domain: nodes.Expr, wheres: list[nodes.Where], env: Env) -> None:
        binding = nodes.Binding(ident, domain, wheres, span=ident.span)
        self._report_down(self.faces.head([binding], env))

    def _let(self, s: nodes.Let, env: Env) -> None:
        origin, reads = self.faces.origin_and_reads(s.value, env)
        self._report_down(reads)
        local = self.facts.ref(s.name)
        if isinstance(local, Local):
            env.cards[local] = origin
            if isinstance(local.type, PlayerType):
                env.players[local] = self.faces.whose(s.value, env)

    def _move(self, s: nodes.Move, env: Env) -> None:
        if s.source is not None:
            self.face_down(s.what, env)
        self.face_down(s.source or s.what, env)
        destination, _ = self.faces.origin_and_reads(s.destination, env)
        moved = self.facts.ref(s.what)
        for local in (moved, self.facts.ref(s.bound) if s.bound is not None else None):
            if isinstance(local, Local):
                env.cards[local] = destination

    def _known(self, ident: nodes.Ident | None, env: Env) -> None:
        local = self.facts.ref(ident) if ident is not None else None
        if isinstance(local, Local):
            env.cards[local] = frozenset()

    def _as(self, s: nodes.As, env: Env) -> None:
        self.face_down(s.domain, env)
        inner = _others(env)
        if s.how == "one":
            self.be(s.domain, inner)
        local = self.facts.ref(s.name) if s.name is not None else None
        if isinstance(local, Local):
            inner.players[local] = "yours"
        self._expressions([where.condition for where in s.wheres], inner)
        self._together += s.how == "together"
        self.block(s.body, inner)
        self._together -= s.how == "together"
        env.cards.update(inner.cards)

    def be(self, who: nodes.Expr, env: Env) -> None:
        """From here on `you` is that player."""
        local = self.facts.ref(self.faces.meant(who))
        if isinstance(local, Local):
            env.players[local] = "yours"

    # ------------------------------------------------------------ reads

    def face_down(self, expr: nodes.Expr, env: Env) -> None:
        """Report what an expression outside decisions reads of face-down zones."""
        self._report_down(self.faces.reads(expr, env))

    def _report_down(self, reads: list[Read]) -> None:
        for read in reads:
            decl = read.place.decl
            if not isinstance(decl, nodes.ZoneDecl) or decl.seen != "face down":
                continue
            message = f"{quote(read.span.text)} goes by cards of `{decl.name.name}`, which lie face down"
            advice = "only `count` and `empty` are known of it; `look at … as c` or `reveal … as c` shows a card"
            self._say("EGO570", read, message, advice, sure=decl not in self.shown)

    def _say(self, code: str, read: Read, message: str, advice: str, *, sure: bool) -> None:
        labels = (Label(read.place.decl.name.span, "declared here"),)
        report = self.facts.found.error if sure else self.facts.found.warning
        report(code, read.span, message, help=advice, labels=labels)

    def decide(self, bindings: list[nodes.Binding], guard: nodes.Expr | None, env: Env) -> None:
        """Check the head of a decision of `you`, and bind its names in `env`."""
        reads = self.faces.head(bindings, env)
        for binding in bindings:
            self._hidden_set(binding, env)
        if guard is not None:
            reads = [*reads, *self.faces.reads(guard, env)]
        self._report_down(reads)
        said: set[Place] = set()
        for read in reads:
            decl = read.place.decl
            if self._knows(read.place):
                continue
            self.facts.checked.unsure.append(read.span)
            if decl in self.shown or read.place in said:
                continue
            if isinstance(decl, nodes.ZoneDecl) and decl.seen == "face down":
                continue
            said.add(read.place)
            sure = read.place.whose != "any"
            chooser = "the chooser cannot know" if sure else "the chooser may not know"
            message = f"{quote(read.span.text)} goes by `{decl.name.name}`, which {chooser}"
            advice = (
                "which moves there are may depend only on what the chooser knows: `count` and `empty` are known to all"
            )
            self._say("EGO571", read, message, advice, sure=sure)

    def _knows(self, place: Place) -> bool:
        if place.decl.seen == "owner only":
            return place.whose == "yours"
        return place.decl.seen == "others only" and place.whose == "other"

    def _hidden_set(self, binding: nodes.Binding, env: Env) -> None:
        kind = self.facts.checked.types.get(binding.domain)
        inner = getattr(kind, "inner", None)
        origin, _ = self.faces.origin_and_reads(binding.domain, env)
        if not isinstance(inner, CardType):
            return
        for place in origin:
            zone = place.decl
            if not isinstance(zone, nodes.ZoneDecl) or zone.layout != "set" or zone in self.shown:
                continue
            if zone.seen != "face down" and (place.whose != "other" or zone.seen != "owner only"):
                continue
            words = quote(binding.domain.span.text)
            self.facts.found.error(
                "EGO573",
                binding.domain.span,
                f"{words} is a set that the chooser cannot see, so no card of it can be told from another",
                help=f"write `pick {binding.name.name} at random from …`, or make `{zone.name.name}` a row",
                labels=(Label(zone.name.span, "declared here"),),
            )
            return

    # ------------------------------------------------------------ what a branch gives away

    def _if(self, s: nodes.If, env: Env) -> None:
        reads: list[Read] = []
        for branch in s.branches:
            found = self.faces.reads(branch.condition, env)
            self._report_down(found)
            reads += [read for read in found if read.place.decl.seen in {"owner only", "others only"}]
        bodies = [branch.body for branch in s.branches]
        starts = [self._starts(body) for body in bodies]
        starts.append(self._starts(s.otherwise) if s.otherwise is not None else "nothing")
        telling = "decision" in starts and "open" not in starts and set(starts) != {"decision"}
        if reads and telling and not self._together:
            read = reads[0]
            name = read.place.decl.name.name
            self.facts.found.warning(
                "EGO572",
                read.span,
                f"whether somebody is asked here tells everybody about `{name}`: {quote(read.span.text)}",
                help="ask either way, with the condition in the decision: `may … with c in … where …` always has a no",
                labels=(Label(read.place.decl.name.span, f"only some know `{name}`"),),
            )
        for body in bodies:
            self.block(body, env)
        self.block(s.otherwise, env)

    def _starts(self, block: nodes.Block | None) -> _Start:
        """What others first see of a block: a decision, an open change, or nothing."""
        for statement in block.statements if block is not None else ():
            start = self._start(statement)
            if start != "nothing":
                return start
        return "nothing"

    def _start(self, s: nodes.Statement) -> _Start:
        if isinstance(s, _DECISIONS):
            return "decision"
        if isinstance(s, nodes.Let | nodes.Nothing | nodes.Return):
            return "nothing"
        if isinstance(s, nodes.As | nodes.For | nodes.AtOnce):
            return self._starts(s.body)
        if isinstance(s, nodes.Perform | nodes.LetPerform):
            target = self.facts.ref(s.call.name)
            if not isinstance(target, nodes.ProcedureDecl | nodes.ActionDecl):
                return "nothing"
            if target not in self._first:
                self._first[target] = "nothing"
                self._first[target] = self._starts(target.body)
            return self._first[target]
        if isinstance(s, nodes.If):
            starts = {self._starts(branch.body) for branch in s.branches} | {self._starts(s.otherwise)}
            return "open" if "open" in starts else "decision" if "decision" in starts else "nothing"
        return "open"


_Start = Literal["decision", "open", "nothing"]


def _others(env: Env) -> Env:
    # Somebody else is `you` from here on, so who was who is not known any more.
    return Env(env.cards, {})
