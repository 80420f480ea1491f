"""Statements that ask a player: one construct in four coats, a set of moves for `you`.

A raw move is a tuple: the number of the option, then the values bound in its head. Moves that no player could tell
apart are one: cards of one
face in one set, unless a live name or variable tells them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.analysis import types as t
from egodsl.analysis.symbols import Builtin, Local
from egodsl.engine import patterns
from egodsl.engine.assigning import store_own
from egodsl.engine.blocks import block
from egodsl.engine.bodies import Body, Label, holds_cards
from egodsl.engine.code import AT, CODE, FIRST, YOU, Frame, Option, Site
from egodsl.engine.faultless import faultless
from egodsl.engine.faults import Fault
from egodsl.engine.leaks import forbid_leaks
from egodsl.engine.machine import arm
from egodsl.engine.values import Value, in_order_of_flat_sets, sort_key
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from egodsl.analysis.symbols import Symbol
    from egodsl.engine.expressions import Expressions
    from egodsl.engine.sources import Scope
    from egodsl.engine.state import State

Raw = tuple[Any, ...]
_NOT_ASKED: frozenset[int] = frozenset()


def choose(body: Body, s: nodes.Choose) -> None:
    entry = Label()
    refs = [body.e.checked.refs[b.name] for b in s.bindings]
    slots = [body.slot(ref) if isinstance(ref, Local) else body.temporary() for ref in refs]
    option = _option(body, None, s.bindings, None, slots)
    _decide(body, s, "choose", [option], [entry], s.otherwise)
    if s.otherwise is not None:
        # Play that comes through `otherwise` has bound nothing.
        body.unsure |= {ref for ref in refs if isinstance(ref, Local)}
    end = _otherwise(body, s.otherwise)
    body.mark(entry)
    for binding, ref, slot in zip(s.bindings, refs, slots, strict=True):
        if isinstance(ref, nodes.VarDecl):
            store_own(body, ref, slot, binding.name)
    body.mark(end)


def choose_action(body: Body, s: nodes.ChooseAction) -> None:
    options: list[Option] = []
    for ident in s.actions:
        decl = body.e.checked.refs[ident]
        assert isinstance(decl, nodes.ActionDecl)
        options.append(_action_option(body, decl))
    entry = Label()
    if body.linker.covering is not None:
        body.linker.covering.offer(body.linker.next_site(), s.actions)
    _decide(body, s, "action", options, [entry] * len(options), s.otherwise)
    end = _otherwise(body, s.otherwise)
    body.mark(entry)
    body.mark(end)


def _action_option(body: Body, decl: nodes.ActionDecl) -> Option:
    option = _option(body, decl.name.name, decl.bindings, decl.guard, [])
    option.action = body.linker.code_of(decl)
    option.span = decl.name.span
    return option


def choose_option(body: Body, s: nodes.ChooseOption) -> None:
    entries = [Label() for _ in s.options]
    options = []
    for node in s.options:
        slots = [body.local(b.name) for b in node.bindings]
        option = _option(body, node.label.value, node.bindings, node.guard, slots)
        option.span = node.label.span
        options.append(option)
    _decide(body, s, "option", options, entries, s.otherwise)
    end = _otherwise(body, s.otherwise)
    for node, entry in zip(s.options, entries, strict=True):
        body.mark(entry)
        body.count(node)
        block(body, node.body)
        if node is not s.options[-1]:
            body.jump(end)
    body.mark(end)


def may(body: Body, s: nodes.May) -> None:
    yes, no, end = Label(), Label(), Label()
    slots = [body.local(b.name) for b in s.bindings]
    label = s.label.value if s.label is not None else (None if s.bindings else "yes")
    accept = _option(body, label, s.bindings, None, slots)
    decline = _option(body, "no", [], None, [])
    _decide(body, s, "may", [accept, decline], [yes, no], None)
    body.mark(yes)
    body.count(s, "yes")
    block(body, s.body)
    body.jump(end)
    body.mark(no)
    body.count(s, "no")
    block(body, s.otherwise.body if s.otherwise is not None else None)
    body.mark(end)


def _otherwise(body: Body, otherwise: nodes.Otherwise | None) -> Label:
    # Reached only by falling out of a decision without a move; ends with a jump over the decision's own continuation.
    end = Label()
    if otherwise is not None:
        block(body, otherwise.body)
    body.jump(end)
    return end


def _decide(
    body: Body,
    s: nodes.Statement,
    kind: str,
    options: list[Option],
    entries: list[Label],
    otherwise: nodes.Otherwise | None,
) -> None:
    span = s.span
    site = Site(body.linker.next_site(), kind, span, options, " ".join(s.prose.lines) if s.prose is not None else None)
    site.unsure = _is_unsure(body, s)
    body.linker.sites.append(site)
    guard: Callable[..., Any] | None = None
    reads: frozenset[int] = frozenset()
    if otherwise is not None and otherwise.guard is not None:
        guard, reads = body.value(otherwise.guard)
    reads |= _head_reads(options)
    tells_apart = any(option.enumerate.asks_names for option in options)
    for number, option in enumerate(options):
        option.enumerate = option.enumerate.numbered(number)
    makers = [option.enumerate for option in options]

    def op(state: State, frame: Frame) -> bool:
        state.firings = 0
        if state.unarmed:
            arm(state)
        you = frame[YOU]
        if you is None:
            raise Fault("EGO714", span, "nobody is acting here, so nobody can decide", "say who decides with `as`")
        named = _named(state, site) if tells_apart else _NOT_ASKED
        moves: list[Raw] = []
        for maker in makers:
            maker(state, frame, moves, named)
        if not moves:
            if otherwise is None or (guard is not None and not guard(state, frame)):
                raise Fault(
                    "EGO701",
                    span,
                    "a player must decide here and has no move",
                    "say what happens then with `otherwise:`",
                )
            return False
        state.site, state.moves, state.mover = site, moves, you
        if site.unsure:
            forbid_leaks(state)
        return True

    body.emit(op, reads=reads, to=entries, falls=otherwise is not None)
    body.site(site, entries)


def _is_unsure(body: Body, s: nodes.Statement) -> bool:
    checked = body.e.checked
    heads: list[nodes.Node | Symbol] = [s]
    if isinstance(s, nodes.ChooseAction):
        heads += [checked.refs[ident] for ident in s.actions]
    spans = [head.span for head in heads if isinstance(head, nodes.Node)]
    return any(
        span.source is read.source and span.start <= read.start < span.end for span in spans for read in checked.unsure
    )


def _head_reads(options: list[Option]) -> frozenset[int]:
    return frozenset[int]().union(*(option.enumerate.reads for option in options))


def _named(state: State, site: Site) -> frozenset[int]:
    """The cards that a live name of a frame or a variable tells apart from others of their face."""
    found: set[int] = set()
    frames = state.frames
    last = len(frames) - 1
    for depth, frame in enumerate(frames):
        cards = site.live_cards if depth == last else frame[CODE].live_cards[frame[AT]]
        for slot in cards:
            _add_cards(found, frame[slot])
        if frame[CODE].card_params:
            for value, may_hold in zip(frame[FIRST + 2], frame[CODE].card_params, strict=True):
                if may_hold:
                    _add_cards(found, value)
    # A variable that the chooser may not read tells them nothing apart.
    you, slots = frames[-1][YOU], state.game.layout.var_slots
    for slot in state.game.card_variables:
        if slots[slot].seen_by(you):
            _add_cards(found, state.V[slot])
    return frozenset(found)


def _add_cards(found: set[int], value: Value) -> None:
    if isinstance(value, int):
        found.add(value)
    elif isinstance(value, frozenset | tuple):
        for member in value:
            _add_cards(found, member)


# ---------------------------------------------------------------- enumerating


def _option(
    body: Body, label: str | None, bindings: list[nodes.Binding], guard: nodes.Expr | None, slots: list[int]
) -> Option:
    types = tuple(_element(body.e.type_of(b.domain)) for b in bindings)
    maker = _Enumerator(body, types, bindings, guard)
    return Option(label, None, tuple(b.name.name for b in bindings), types, tuple(slots), maker)


def _element(kind: t.Type) -> t.Type:
    return kind.inner if isinstance(kind, t.SetType | t.RowType) else kind


class _Enumerator:
    """Lists the moves of one option: nested loops over the domains, each condition as soon as its names are bound and
    those before it hold.
    """

    def __init__(
        self, body: Body, types: tuple[t.Type, ...], bindings: list[nodes.Binding], guard: nodes.Expr | None
    ) -> None:
        self.body = body
        self.types = types
        inner = body.scope()
        names: list[str] = []
        lines: list[str] = []
        self._guard = guard
        self._able: list[nodes.Expr] = [w.condition for b in bindings for w in b.wheres if w.if_able]
        conjuncts = _conjuncts(guard)
        indent = ""
        conjuncts = self._conditions(lines, indent, conjuncts, bindings, inner)
        once: list[bool] = []
        for binding in bindings:
            domain, no_two_alike = self._domain(binding, bindings, guard, inner)
            once.append(no_two_alike)
            name = body.e.bind(binding.name, inner)
            lines.append(f"{indent}for {name} in {domain}:")
            indent += "    "
            names.append(name)
            plain = [where.condition for where in binding.wheres if not where.if_able]
            lines.extend(f"{indent}if not {body.e.asked(condition, inner)}: continue" for condition in plain)
            conjuncts = self._conditions(lines, indent, conjuncts, bindings[len(names) :], inner)
        self._close(lines, indent, names, inner, once)
        self.reads = body.used(inner)

    def _domain(
        self, binding: nodes.Binding, bindings: list[nodes.Binding], guard: nodes.Expr | None, scope: Scope
    ) -> tuple[str, bool]:
        """The members of a domain in order, and whether no two of them show the same. Of subsets of cards that no
        condition tells apart, one of each kind.
        """
        e = self.body.e
        kind = e.type_of(binding.domain)
        # A set gives each of its members once, and a row may give one twice.
        differ = not isinstance(kind, t.RowType) and (not holds_cards(kind) or _all_differ(e, kind))
        call = binding.domain.inner if isinstance(binding.domain, nodes.Group) else binding.domain
        ref = e.checked.refs.get(call.name) if isinstance(call, nodes.Call) else None
        if not isinstance(call, nodes.Call) or not isinstance(ref, Builtin) or ref.name != "subsets":
            return e.ordered(binding.domain, scope), differ
        if not holds_cards(kind) or not _goes_by_faces(self.body, binding, bindings, guard):
            return e.ordered(binding.domain, scope), differ
        e.namespace["distinct_subsets"] = distinct_subsets
        arguments = [e.some(argument.value, scope) for argument in call.arguments]
        return f"distinct_subsets(S,named,{','.join(arguments)})", True

    def _conditions(
        self, lines: list[str], indent: str, conjuncts: list[nodes.Expr], unbound: list[nodes.Binding], scope: Scope
    ) -> list[nodes.Expr]:
        # A condition may guard those after it, so it is never tested later than those of them that may have a fault.
        checked = self.body.e.checked
        waiting = {checked.candidates.get(b.name, checked.refs[b.name]) for b in unbound}
        left = conjuncts[:]
        for conjunct in conjuncts:
            if _mentions(self.body, conjunct, waiting) or (
                conjunct is not left[0] and not faultless(checked, conjunct)
            ):
                continue
            left.remove(conjunct)
            condition = self._part(conjunct, scope, last=not left)
            lines.append(f"{indent}if not {condition}: {'continue' if indent else 'return'}")
        return left

    def _part(self, conjunct: nodes.Expr, scope: Scope, *, last: bool) -> str:
        # `last` is worked out after the conjunct has been taken off the list.
        source, covering = self.body.e.some(conjunct, scope), self.body.e.covering
        if covering is None or self._guard is None:
            return source
        return covering.asked(self._guard, source, last=last)

    def _close(self, lines: list[str], indent: str, names: list[str], scope: Scope, once: list[bool]) -> None:
        e = self.body.e
        values = "".join(
            f"frozenset({name})," if isinstance(kind, t.SetType) else f"{name},"
            for name, kind in zip(names, self.types, strict=True)
        )
        cards = any(map(holds_cards, self.types))
        keys = "".join(_face_key(e, name, kind) + "," for name, kind in zip(names, self.types, strict=True))
        alike = cards and not all(once)
        e.namespace["place_key"] = place_key
        move = f"(O,{values})"
        if not self._able and alike:
            lines[:0] = ["seen=set()"]
            lines += [
                f"{indent}key=({keys})",
                f"{indent}if key not in seen:",
                f"{indent}    seen.add(key)",
                f"{indent}    moves.append({move})",
            ]
        else:
            lines.append(f"{indent}moves.append({move})")
        self._lines = lines
        self._preferences = self._prefer(names, keys if alike else None, scope)
        self.asks_names = alike or any("named" in line for line in lines)
        """Whether the moves depend on which cards have names."""

    def _prefer(self, names: list[str], keys: str | None, scope: Scope) -> tuple[Any, ...]:
        e = self.body.e
        if not self._able:
            return ()
        args = ",".join(["S,F,named", *names])
        tests = [e.function(args, e.asked(condition, scope)) for condition in self._able]
        key = e.function(args, f"({keys})") if keys is not None else None
        return (tests, key)

    def numbered(self, number: int) -> Callable[[State, Frame, list[Raw], frozenset[int]], None]:
        """A function that adds the moves of the option, which has this number at its site."""
        made = self.body.e.define("S,F,moves,named", [f"O={number}", *self._lines], "moves")
        if not self._preferences:
            return made
        tests, key = self._preferences

        def preferred(state: State, frame: Frame, moves: list[Raw], named: frozenset[int]) -> None:
            found: list[Raw] = []
            made(state, frame, found, named)
            for test in tests:
                found = [m for m in found if test(state, frame, named, *m[1:])] or found
            if key is not None:
                first: dict[Value, Raw] = {}
                for m in found:
                    first.setdefault(key(state, frame, named, *m[1:]), m)
                found = list(first.values())
            moves.extend(found)

        return preferred


def distinct_subsets(
    state: State, named: frozenset[int], cards: Iterable[int], sizes: int | Collection[int] | None = None
) -> list[frozenset[int]]:
    """The subsets of the cards, in their fixed order, of which no two show the same: the first of each kind."""
    bundles: dict[Value, list[int]] = {}
    for card in sorted(cards):
        bundles.setdefault(place_key(state, card, named), []).append(card)
    if all(len(bundle) == 1 for bundle in bundles.values()):
        # Combinations of what is in order come in the fixed order of sets, the smallest sets first.
        return list(patterns.combinations([card for (card,) in bundles.values()], sizes))
    return in_order_of_flat_sets(patterns.distinct_subsets(list(bundles.values()), sizes))


def _goes_by_faces(body: Body, binding: nodes.Binding, bindings: list[nodes.Binding], guard: nodes.Expr | None) -> bool:
    """Whether the head names no other card, so that its conditions cannot tell cards of one face apart."""
    refs = body.e.checked.refs
    if any(holds_cards(body.e.type_of(other.domain)) for other in bindings if other is not binding):
        return False
    parts: list[nodes.Node] = [where.condition for other in bindings for where in other.wheres]
    parts += [guard] if guard is not None else []
    walked = [node for part in parts for node in nodes.walk(part)]
    inside = {refs.get(node) for node in walked if isinstance(node, nodes.Ident)}
    own = body.e.checked.candidates.get(binding.name, refs[binding.name])
    locals_ = [ref for node in walked if isinstance(node, nodes.Name) and isinstance(ref := refs.get(node), Local)]
    return not any(holds_cards(local.type) and local is not own and local not in inside for local in locals_)


def _conjuncts(guard: nodes.Expr | None) -> list[nodes.Expr]:
    if guard is None:
        return []
    return list(guard.operands) if isinstance(guard, nodes.And) else [guard]


def _mentions(body: Body, expr: nodes.Expr, names: set[Symbol]) -> bool:
    return any(body.e.checked.refs.get(node) in names for node in nodes.walk(expr))


def _face_key(e: Expressions, name: str, kind: t.Type) -> str:
    if not holds_cards(kind) or _all_differ(e, kind):
        return name
    if isinstance(kind, t.CardType):
        return (
            f"(L[{name}]<<20|FACE[{name}] if UNORDERED[L[{name}]] and {name} not in named else ~{name})"
            if not kind.decl.marks
            else f"place_key(S,{name},named)"
        )
    return f"place_key(S,{name},named)"


def _all_differ(e: Expressions, kind: t.Type) -> bool:
    # Where no two cards of a kind show the same, a card is as good a key as its face.
    while isinstance(kind, t.SetType | t.OptionalType):
        kind = kind.inner
    if not isinstance(kind, t.CardType):
        return False
    layout = e.layout
    number = layout.types.index(e.card_type(kind.decl))
    faces = [face for face, of in zip(layout.face, layout.card_type, strict=True) if of == number]
    return len(set(faces)) == len(faces)


def place_key(state: State, value: Value, named: frozenset[int]) -> Value:
    """What tells a chosen card from others: its face and marks in a set, its place elsewhere; itself where it has a
    name.
    """
    if isinstance(value, frozenset | tuple):
        members = [place_key(state, member, named) for member in value]
        return tuple(sorted(members, key=sort_key)) if isinstance(value, frozenset) else tuple(members)
    if value is None or value in named or not state.game.layout.unordered[state.L[value]]:
        return (-1 if value is None else value, None)
    layout = state.game.layout
    marks = layout.types[layout.card_type[value]].marks.values()
    return (state.L[value], layout.face[value], tuple(state.V[base + value] for base in marks))


STATEMENTS: dict[type[nodes.Statement], Any] = {
    nodes.Choose: choose,
    nodes.ChooseAction: choose_action,
    nodes.ChooseOption: choose_option,
    nodes.May: may,
}
