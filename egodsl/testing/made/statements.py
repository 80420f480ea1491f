"""Generated statements: what asks, branches, repeats, calls and leaves."""

from __future__ import annotations

from egodsl.testing.made.changes import Changes, Lines, Maker
from egodsl.testing.made.world import (
    OPEN,
    PLAYER,
    SHARED,
    Here,
    Kind,
    Local,
    Taker,
    indented,
    number,
    set_of,
)


class Statements(Changes):
    """Draws bodies."""

    def block(self, here: Here, most: int = 3) -> Lines:
        """A few statements; what they bind is gone after them."""
        inner = here.with_()
        lines: Lines = []
        for _ in range(1 + self.below(most)):
            lines += self.statement(inner)
        return lines

    def deeper(self, here: Here, **changed: object) -> Lines:
        """A body inside a statement, indented."""
        return indented(self.block(here.with_(room=here.room - 1, **changed), 2))

    def statement(self, here: Here) -> Lines:
        """One statement, or a few that belong together."""
        makes: list[Maker] = [self.assign, self.move, self.let, self.call_procedure]
        if here.alone:
            makes = [self.assign, self.move_zone, self.move_card, self.let]
        else:
            makes += [self.move, self.swap, self.shuffle, self.roll, self.pick, self.rank, self.show]
        decides = not here.calm and here.you
        if decides:
            makes += [self.choose, self.choose, self.choose]
        if not here.calm and not here.alone:
            makes += [self.announce, self.play, self.leave]
            makes += [self.choose_action, self.choose_action] if here.you else []
        if here.room > 0:
            makes += [self.if_, self.for_]
            makes += [self.may, self.choose_option] if decides else []
            if not here.calm and not here.alone:
                makes += [self.at_once, self.as_, self.as_, self.together, self.repeat, self.turns, self.announce_body]
        names, own, before = list(here.names), here.own, len(self.needs)
        lines = self.one(makes)(here)
        wanted = self.wanted(here.with_(names=names), before)
        if not wanted or self.chance(8):
            return lines
        # What is bound under a condition is not bound after it.
        here.names, here.own = names, own
        return [f"if {' and '.join(wanted)}:", *indented(lines)]

    # ------------------------------------------------------------ decisions

    def head(self, here: Here, most: int = 2) -> tuple[str, list[Kind], Here]:
        """Bindings, their types, and the place where they are bound."""
        inner = here.with_(guard=True)
        parts: list[str] = []
        kinds: list[Kind] = []
        for _ in range(1 + self.below(most)):
            name, domain, kind, level = self.candidates(inner)
            inner.bind(Local(name, kind, level))
            where = f" where {self.tested(inner, 1)}" if self.chance(3) else ""
            able = " if able" if where and self.chance(3) else ""
            parts.append(f"{name} in {domain}{where}{able}")
            kinds.append(kind)
        return ", ".join(parts), kinds, inner

    def candidates(self, here: Here) -> tuple[str, str, Kind, int]:
        """A name for one of the things to choose from, these things, their type, and who may go by their faces."""
        name = self.fresh("c")
        kind = self.one(
            (number(1, 3), self.card_kind(), self.card_kind(), PLAYER, self.enum_kind(), set_of(self.card_kind()))
        )
        if kind.form == "card":
            card = self.card_named(kind.name)
            zone = self.one(
                [*self.zones_of(card, ("stack", "row")), *(z for z in self.zones_of(card) if z.seen == "face up")]
            )
            mine = [z for z in self.zones_of(card) if z.seen == "owner only"]
            if mine and here.you and self.chance():
                rest = [self.index(here, k, 0) for k in self.one(mine).indexes[1:]]
                chosen = next(z for z in mine if len(z.indexes) == 1 + len(rest))
                rest = [self.index(here, k, 0) for k in chosen.indexes[1:]]
                return name, f"{chosen.name}[{', '.join(['you', *rest])}]", kind, OPEN
            domain, level = self.zone(here, zone)
            return name, domain, kind, level
        if kind.form == "set":
            open_ = [zone for zone in self.zones_of(self.card_named(kind.of.name)) if zone.seen == "face up"]
            if not open_:
                return name, "1..2", number(1, 2), OPEN
            domain = self.zone(here, self.one(open_))[0]
            made = self.one(("subsets({}, 1..2)", "groups({}, .num, 1..2)", "runs({}, .num, 1..3)", "subsets({}, 2)"))
            return name, made.format(domain), kind, OPEN
        if kind.form == "int" and self.chance():
            return name, f"{kind.low}..{2 + self.below(2)}", kind, OPEN
        domain, level = self.members(here, kind, 1)
        return name, domain, kind, level

    def settled(self, inner: Here, here: Here) -> Here:
        """The place where the names of a head are bound for good."""
        names = [Local(one.name, one.kind, min(one.level, SHARED)) for one in inner.names[len(here.names) :]]
        after = here.with_()
        after.bind(*names)
        return after

    def guard(self, inner: Here) -> str:
        """`when …`, sometimes."""
        return f" when {self.tested(inner.with_(guard=True), 1)}" if self.chance(3) else ""

    def otherwise(self, here: Here) -> Lines:
        """What is done without a move, mostly."""
        if self.chance(12):
            return []
        when = f" when {self.tested(here, 1)}" if self.chance(5) else ""
        return [f"otherwise{when}:", *(self.deeper(here) if here.room > 0 else ["    nothing"])]

    def choose(self, here: Here) -> Lines:
        """Candidates, or the value of a variable."""
        variables = [
            v for v in self.world.vars if v.kind.form in {"int", "enum", "player", "bool"} and self.own(here, v)
        ]
        if variables and self.chance(4):
            var = self.one(variables)
            if not var.indexes or (var.indexes == (PLAYER,) and here.own):
                inside = here.with_(guard=True)
                domain = self.members(inside, var.kind, 0)[0] if var.kind.form != "bool" else "{true, false}"
                return [f"choose {var.name} in {domain}", *self.otherwise(here)]
        text, _, inner = self.head(here)
        lines = [f"choose {text}"]
        lines += self.otherwise(here)
        after = self.settled(inner, here)
        if len(lines) > 1 and not self.chance(8):
            # The names have no value where nothing was chosen.
            return lines
        here.bind(*after.names[len(here.names) :])
        here.own = here.own and after.own
        return lines

    def choose_action(self, here: Here) -> Lines:
        """Moves of actions."""
        actions = [one for one in self.world.actions if not one.you or here.own]
        if not actions:
            return self.choose(here)
        names = sorted({self.one(actions).name for _ in range(3)})
        return [f"choose one of {', '.join(names)}", *self.otherwise(here)]

    def choose_option(self, here: Here) -> Lines:
        """Moves of options."""
        lines = ["choose:"]
        for k in range(1 + self.below(3)):
            inner = here.with_(room=here.room - 1)
            text = f'"option {k}"'
            if self.chance():
                head, _, inside = self.head(inner, 1)
                text += f" with {head}"
                text += self.guard(inside)
                inner = self.settled(inside, inner)
            else:
                text += self.guard(inner)
            lines += indented([text] if self.chance(4) else [f"{text}:", *indented(self.block(inner, 2))])
        return lines + self.otherwise(here)

    def may(self, here: Here) -> Lines:
        """Something that can be declined."""
        inner = here.with_(room=here.room - 1)
        text = "may" + (' "do it"' if self.chance() else "")
        if self.chance():
            head, _, inside = self.head(inner, 1)
            text += f" with {head}"
            inner = self.settled(inside, inner)
        lines = [f"{text}:", *indented(self.block(inner, 2))]
        return lines if self.chance() else [*lines, "otherwise:", *self.deeper(here)]

    # ------------------------------------------------------------ branches and loops

    def if_(self, here: Here) -> Lines:
        lines = [f"if {self.tested(here, 2)}:", *self.deeper(here)]
        if self.chance(3):
            lines += [f"otherwise if {self.tested(here, 1)}:", *self.deeper(here)]
        return [*lines, "otherwise:", *self.deeper(here)] if self.chance() else lines

    def for_(self, here: Here) -> Lines:
        inner = here.with_(room=here.room - 1)
        if self.chance(4):
            name = self.fresh("p")
            inner.bind(Local(name, PLAYER))
            return [f"for {name} from {self.player(here, 1)}:", *indented(self.block(inner, 2))]
        kind = self.element_kind()
        domain, level = self.members(here, kind, 1)
        name = self.fresh("e")
        inner.bind(Local(name, kind, min(level, SHARED)))
        where = f" where {self.tested(inner, 1)}" if self.chance(3) else ""
        return [f"for {name} in {domain}{where}:", *indented(self.block(inner, 2))]

    def as_(self, here: Here) -> Lines:
        inner = here.with_(room=here.room - 1)
        name = self.fresh("p")
        inner.bind(Local(name, PLAYER))
        where = f" where {self.tested(inner, 1)}" if self.chance(3) else ""
        inner.you = inner.own = True
        made = self.below(3)
        if made == 0:
            return [f"as {name} in {self.members(here, PLAYER, 1)[0]}{where}:", *indented(self.block(inner, 2))]
        if made == 1:
            return [f"as {name} from {self.player(here, 1)}{where}:", *indented(self.block(inner, 2))]
        return [f"as {self.player(here, 1)}:", *self.deeper(here, you=True, own=True)]

    def together(self, here: Here) -> Lines:
        inner = here.with_(room=here.room - 1, names=[], alone=True)
        name = self.fresh("p")
        inner.bind(Local(name, PLAYER))
        where = f" where {self.tested(inner, 1)}" if self.chance(3) else ""
        inner.you = inner.own = True
        return [f"together as {name} in {self.members(here, PLAYER, 1)[0]}{where}:", *indented(self.block(inner, 3))]

    def at_once(self, here: Here) -> Lines:
        return ["at once:", *self.deeper(here, calm=True)]

    def repeat(self, here: Here) -> Lines:
        if self.chance():
            return [f"repeat {self.one(('2', self.number_in(here, 0, 4, 1)))} times:", *self.deeper(here)]
        until = f"trace >= {1 + self.below(12)}" + (f" or {self.tested(here, 1)}" if self.chance() else "")
        return ["repeat:", *self.deeper(here), "    trace += 1", f"until {until}"]

    def turns(self, here: Here) -> Lines:
        inner = here.with_(room=here.room - 1, you=True, own=True)
        first = self.player(here, 1)
        limit = 4 + self.below(20)
        after = f"if {self.condition(inner, 1)}: next := {self.player(inner, 1)}"
        body = [*self.block(inner, 3), *([after] if self.chance(3) else []), "trace += 1"]
        if here.stages and self.chance():
            where = f" where {self.tested(inner, 1)}" if self.chance() else ""
            return [f"turns from {first}{where}:", *indented([*body, f"if trace >= {limit}: end {here.stages[-1]}"])]
        return [f"turns from {first} where trace < {limit}:", *indented(body)]

    # ------------------------------------------------------------ calling and leaving

    def may_call(self, here: Here, every: list[Taker]) -> list[Taker]:
        """What may be called here."""
        return [one for one in every if (here.you or not one.you) and (one.calm or not here.calm)]

    def call_procedure(self, here: Here) -> Lines:
        found = self.may_call(here, self.world.procedures)
        if not found or here.alone:
            return self.let(here)
        one = self.one(found)
        if one.gives is not None and self.chance():
            name = self.fresh("v")
            text = f"let {name} = perform {self.call(here, one, 1)}"
            here.bind(Local(name, one.gives, SHARED))
            return [text]
        return [f"perform {self.call(here, one, 1)}"]

    def play(self, here: Here) -> Lines:
        found = self.may_call(here, self.world.stages)
        if found:
            return [f"play {self.call(here, self.one(found), 1)}"]
        actions = self.may_call(here, self.world.actions)
        return [f"perform {self.call(here, self.one(actions), 1)}"] if actions and here.you else self.assign(here)

    def announce(self, here: Here) -> Lines:
        if not here.announces or not self.world.events:
            return self.show(here)
        return [f"announce {self.call(here, self.one(self.world.events), 1)}"]

    def announce_body(self, here: Here) -> Lines:
        found = self.announce(here)
        return [f"{found[0]}:", *self.deeper(here)] if found[0].startswith("announce") else found

    def leave(self, here: Here) -> Lines:
        """A stage ends, an event is cancelled, or nothing happens."""
        if here.stages and self.chance(6):
            return [f"if {self.tested(here, 1)}: end {self.one(here.stages)}"]
        if here.events and self.chance():
            return [f"if {self.tested(here, 1)}: cancel {self.one(here.events)}"]
        return [self.one(("nothing", f'if {self.tested(here, 2)} and trace > 40: stop with "enough"'))]
