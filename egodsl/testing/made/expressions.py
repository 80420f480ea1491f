"""Generated expressions, each of the type that is asked for. Whatever holds another expression has parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable

from egodsl.testing.made.world import (
    BOOL,
    OPEN,
    PLAYER,
    SHARED,
    SHUT,
    UNBOUNDED,
    Card,
    Draw,
    Drawing,
    Here,
    Kind,
    Local,
    Taker,
    Var,
    Zone,
    set_of,
)

Number = tuple[str, int, int]
"""A text, and bounds that its value certainly keeps."""
BOUND = re.compile(r"\b(?!zone_|var_|val)[a-z]+\d+\b")
"""The names that are bound in bodies."""


class Expressions(Drawing):
    """Draws expressions for the declared world.

    `needs` collects the conditions under which what was drawn has a value.
    """

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw)
        self.needs: list[str] = []

    def wanted(self, here: Here, before: int) -> list[str]:
        """The needs since there were so many of them that can be asked about here. They are taken off the list."""
        found, self.needs = self.needs[before:], self.needs[:before]
        known = {one.name for one in here.names}
        return sorted({test for test in found if set(BOUND.findall(test)) <= known})

    def tested(self, here: Here, room: int) -> str:
        """A condition that first asks whether there is what it looks at, mostly."""
        before = len(self.needs)
        text = self.condition(here, room)
        wanted = self.wanted(here, before)
        return " and ".join([*wanted, text]) if wanted and not self.chance(8) else text

    def value(self, here: Here, kind: Kind, room: int = 2) -> str:
        """A value of the type."""
        match kind.form:
            case "bool":
                return self.condition(here, room)
            case "int":
                return self.number_in(here, kind.low, kind.high, room)
            case "enum":
                return self.member(here, kind.name, room)
            case "player":
                return self.player(here, room)
            case "card":
                return self.card(here, self.card_named(kind.name), room)[0]
            case "maybe":
                return "none" if self.chance(3) else self.value(here, kind.of, room)
            case "row":
                return "[" + ", ".join(self.value(here, kind.of, 0) for _ in range(self.below(3))) + "]"
            case _:
                return self.members(here, kind.of, room)[0]

    def locals_of(self, here: Here, kind: Kind, least: int = OPEN) -> list[Local]:
        """The names of this type whose faces may be gone by here."""
        return [one for one in here.names if one.kind == kind and one.level >= least]

    def level(self, here: Here) -> int:
        """What a card's face must allow to be read here."""
        if here.all_seen:
            return SHUT
        return OPEN if here.guard else SHARED

    def bound(self, here: Here, kind: Kind, level: int = OPEN) -> tuple[str, Here]:
        """A new name inside an expression, and the place where it is bound."""
        inner = here.with_()
        name = self.fresh("x")
        inner.bind(Local(name, kind, level))
        return name, inner

    # ------------------------------------------------------------ places

    def index(self, here: Here, kind: Kind, room: int) -> str:
        """An index. A number is often certain to be in its range."""
        if kind.form == "int" and not self.chance(8):
            return str(kind.low + self.below(kind.high - kind.low + 1))
        return self.value(here, kind, room)

    def place(self, here: Here, decl: Zone | Var, room: int) -> tuple[str, bool]:
        """A zone or variable with its indexes, and whether it is certainly that of whoever acts."""
        if not decl.indexes:
            return decl.name, False
        if not decl.owned:
            return f"{decl.name}[{', '.join(self.index(here, k, room) for k in decl.indexes)}]", False
        rest = [self.index(here, kind, room) for kind in decl.indexes[1:]]
        mine = here.you and (here.alone or not self.chance(3))
        if mine and here.own and not self.chance(3):
            return (f"{decl.name}[{', '.join(rest)}]" if rest else decl.name), True
        first = "you" if mine else self.player(here, room)
        return f"{decl.name}[{', '.join([first, *rest])}]", mine

    def zone(self, here: Here, decl: Zone, room: int = 0) -> tuple[str, int]:
        """A zone, and who may go by the faces there."""
        text, mine = self.place(here, decl, room)
        if decl.seen == "face up":
            return text, OPEN
        if decl.seen == "owner only":
            return text, OPEN if mine else SHARED
        return text, SHARED if decl.seen == "others only" else SHUT

    def readable(self, here: Here, decl: Var, *, mine: bool) -> bool:
        """Whether a variable may be read here."""
        return not decl.secret or mine or not here.guard

    def variable(self, here: Here, decl: Var, room: int) -> str | None:
        """A variable to be read, if it may be."""
        text, mine = self.place(here, decl, room)
        return text if self.readable(here, decl, mine=mine) else None

    def reads(self, here: Here, kind: Kind, room: int) -> str | None:
        """Something of exactly this type that is declared or bound, if there is something."""
        found: list[Local | Var | Taker] = [*self.locals_of(here, kind, SHUT)]
        found += [var for var in self.world.vars if var.kind == kind]
        found += [one for one in self.world.defines if one.gives == kind and self.callable(here, one)]
        if not found:
            return None
        one = self.one(found)
        if isinstance(one, Local):
            return one.name
        return self.variable(here, one, room) if isinstance(one, Var) else self.call(here, one, room - 1)

    def callable(self, here: Here, one: Taker) -> bool:
        """Whether a define may be used here."""
        return ((here.you and here.own) or not one.you) and (one.open or not here.guard)

    def call(self, here: Here, one: Taker, room: int = 0) -> str:
        """A call with arguments."""
        given = [self.argument(here, kind, room) for kind in one.takes]
        return f"{one.name}({', '.join(given)})" if given else one.name

    def argument(self, here: Here, kind: Kind, room: int) -> str:
        """What is given to something that may go by a card's face."""
        if kind.form != "card":
            return self.value(here, kind, room)
        card = self.card_named(kind.name)
        text, level = self.card(here, card, room)
        return text if level >= self.level(here) else self.any_of(here, card)

    def any_of(self, here: Here, card: Card) -> str:
        """A card that everybody sees."""
        if self.chance(8):
            name, _ = self.bound(here, Kind("card", card.name))
            return f"(the {name} in {card.name} by most {name}.num)"
        row = next(zone for zone in self.zones_of(card, ("row",)) if zone.seen == "face up" and not zone.indexes)
        self.needs.append(f"not empty({row.name})")
        return f"top({row.name})"

    # ------------------------------------------------------------ numbers

    def number_in(self, here: Here, low: int, high: int, room: int) -> str:
        """A number that may be in the range; that it is not may be found in play."""
        text, least, most = self.integer(here, room)
        if least > high or most < low:
            return str(low + self.below(min(high - low, 3) + 1))
        if (least < low or most > high) and not self.chance(6):
            return f"max({low}, min({text}, {high}))"
        return text

    def literal(self) -> Number:
        value = self.below(5)
        return str(value), value, value

    def integer(self, here: Here, room: int) -> Number:
        """A whole number."""
        makes: tuple[Callable[[], Number], ...] = (self.literal, lambda: self.atom(here))
        if room <= 0:
            return self.one(makes)()
        makes = (
            self.literal,
            lambda: self.atom(here),
            lambda: self.operation(here, room - 1),
            lambda: self.conditional(here, room - 1),
            lambda: self.counted(here, room - 1),
            lambda: self.folded(here, room - 1),
            lambda: self.attribute(here, room - 1),
            lambda: self.by_player(here, room - 1),
            *([lambda: self.old_number(here)] * 2 if here.past else []),
        )
        return self.one(makes)()

    def atom(self, here: Here) -> Number:
        """A variable, parameter, local or define that is a number."""
        names: list[Local | Var | Taker | tuple[str, Kind]] = [*self.world.parameters.items()]
        names += [one for one in here.names if one.kind.form == "int"]
        names += [var for var in self.world.vars if var.kind.form == "int"]
        names += [
            one for one in self.world.defines if one.gives and one.gives.form == "int" and self.callable(here, one)
        ]
        if not names:
            return self.literal()
        one = self.one(names)
        if isinstance(one, tuple):
            return one[0], one[1].low, one[1].high
        if isinstance(one, Taker):
            assert one.gives is not None
            return self.call(here, one), one.gives.low, one.gives.high
        text = one.name if isinstance(one, Local) else self.variable(here, one, 0)
        return (text, one.kind.low, one.kind.high) if text is not None else self.literal()

    def operation(self, here: Here, room: int) -> Number:
        """Arithmetic; the bounds are those of the operands' corners."""
        (a, a0, a1), (b, b0, b1) = self.integer(here, room), self.integer(here, room)
        operator = self.one(("+", "-", "*", "//", "%", "min", "max", "abs", "neg"))
        if operator == "+":
            return f"({a} + {b})", a0 + b0, a1 + b1
        if operator == "-":
            return f"({a} - {b})", a0 - b1, a1 - b0
        if operator == "*":
            corners = [x * y for x in (a0, a1) for y in (b0, b1)]
            return f"({a} * {b})", min(corners), max(corners)
        if operator in {"//", "%"}:
            return f"({a} {operator} {b})", -UNBOUNDED, UNBOUNDED
        if operator == "abs":
            return f"abs({a})", 0, max(abs(a0), abs(a1))
        if operator == "neg":
            return f"(-{a})", -a1, -a0
        pick = min if operator == "min" else max
        return f"{operator}({a}, {b})", pick(a0, b0), pick(a1, b1)

    def conditional(self, here: Here, room: int) -> Number:
        """One of two numbers."""
        (a, a0, a1), (b, b0, b1) = self.integer(here, room), self.integer(here, room)
        return f"({a} if {self.condition(here, room)} else {b})", min(a0, b0), max(a1, b1)

    def counted(self, here: Here, room: int) -> Number:
        """How many there are of something."""
        if self.chance():
            text, _ = self.zone(here, self.one(self.world.zones), room)
            return f"count({text})", 0, UNBOUNDED
        if self.chance(3):
            return "count(players)", self.world.least, self.world.most
        text, _ = self.members(here, self.one((self.card_kind(), set_of(self.card_kind()))), room)
        return f"count({text})", 0, UNBOUNDED

    def folded(self, here: Here, room: int) -> Number:
        """A sum, or the most or least of some."""
        word = self.one(("sum", "sum", "sum", "most", "least"))
        kind = self.element_kind()
        domain, level = self.members(here, kind, room)
        name, inner = self.bound(here, kind, level)
        text, low, high = self.integer(inner, 1)
        where = f" where {self.condition(inner, 0)}" if self.chance(3) else ""
        bounds = (low, high) if word != "sum" else (-UNBOUNDED, UNBOUNDED)
        return f"{word}({text} for {name} in {domain}{where})", *bounds

    def attribute(self, here: Here, room: int) -> Number:
        """A number that a card shows."""
        card = self.one(self.world.cards)
        shown = {name: kind for name, kind in {**card.fields, **card.marks}.items() if kind.form == "int"}
        name = self.one(sorted(shown))
        text, level = self.card(here, card, room)
        if level < self.level(here):
            return self.literal()
        return f"{text}.{name}", shown[name].low, shown[name].high

    def by_player(self, here: Here, room: int) -> Number:
        """A number about players."""
        if self.chance():
            return f"steps({self.player(here, room)}, {self.player(here, room)})", 0, self.world.most - 1
        return f"seat({self.player(here, room)})", 1, self.world.most

    def old_number(self, here: Here) -> Number:
        """A number as it was before."""
        text, low, high = self.integer(here.with_(past=False), 1)
        return f"old({text})", low, high

    # ------------------------------------------------------------ conditions

    def condition(self, here: Here, room: int) -> str:
        """A condition."""
        makes: tuple[Callable[[], str], ...] = (lambda: self.plain_test(here, 0), lambda: self.compared(here, 0))
        if room <= 0:
            return self.one(makes)()
        makes = (
            lambda: self.plain_test(here, room - 1),
            lambda: self.compared(here, room - 1),
            lambda: self.equal(here, room - 1),
            lambda: self.quantified(here, room - 1),
            lambda: self.face_test(here, room - 1),
            lambda: f"({self.condition(here, room - 1)} {self.one(('and', 'or'))} {self.condition(here, room - 1)})",
            lambda: f"(not {self.condition(here, room - 1)})",
            *([lambda: f"old({self.condition(here.with_(past=False), room - 1)})"] if here.past else []),
        )
        return self.one(makes)()

    def plain_test(self, here: Here, room: int) -> str:
        """A question about a zone, a mode, a reading or a variable."""
        kind = self.below(4)
        if kind == 0:
            return f"empty({self.zone(here, self.one(self.world.zones), room)[0]})"
        if kind == 1 and self.world.modes:
            return self.one(self.world.modes)
        if kind == 2 and self.world.readings:
            name = self.one(sorted(self.world.readings))
            return f"({name} = {self.one(self.world.readings[name])})"
        return self.reads(here, BOOL, room) or f"(trace {self.one(('<', '>=', '!='))} {1 + self.below(6)})"

    def compared(self, here: Here, room: int) -> str:
        """Two numbers compared, so that their ranges do not settle it."""
        (a, a0, a1), (b, b0, b1) = self.integer(here, room), self.integer(here, room)
        if a1 <= b0 or b1 <= a0 or a == b:
            return f"(trace {self.one(('<', '>='))} {2 + self.below(8)})"
        return f"({a} {self.one(('=', '!=', '<', '<=', '>', '>='))} {b})"

    def equal(self, here: Here, room: int) -> str:
        """Two things of one type, the same or not; or one among several."""
        kind = self.one((PLAYER, self.enum_kind(), set_of(self.element_kind()), self.card_kind()))
        if self.chance() and kind.form != "set":
            first = self.reads(here, kind, room)
            if first is None:
                return self.plain_test(here, room)
            return f"({first} {self.one(('in', 'not in'))} {self.members(here, kind, room)[0]})"
        first = self.reads(here, kind, room)
        if first is None:
            return self.plain_test(here, room)
        other = (self.reads(here, kind, room) or first) if kind.form == "set" else self.value(here, kind, room)
        return f"({first} {self.one(('=', '!='))} {other})"

    def quantified(self, here: Here, room: int) -> str:
        """Something asked of each."""
        kind = self.element_kind()
        domain, level = self.members(here, kind, room)
        name, inner = self.bound(here, kind, level)
        return f"{self.one(('any', 'all'))}({self.condition(inner, min(room, 1))} for {name} in {domain})"

    def face_test(self, here: Here, room: int) -> str:
        """What a card looks like."""
        card = self.one(self.world.cards)
        text, level = self.card(here, card, room)
        if level < self.level(here):
            return self.plain_test(here, room)
        if self.chance(3):
            other, also = self.card(here, card, room)
            if also >= self.level(here):
                return f"same_face({text}, {other})"
        name = self.one(sorted(card.fields))
        return f"({text} {self.one(('=', '!='))} {card.name}({name}: {self.constant(card.fields[name])}))"

    # ------------------------------------------------------------ values, players, cards

    def member(self, here: Here, enum: str, room: int) -> str:
        """A value of an enum."""
        if room > 0 and self.chance():
            found = self.reads(here, Kind("enum", enum), room - 1)
            if found is not None:
                return found
            if self.chance(3):
                a, b = (self.member(here, enum, room - 1) for _ in range(2))
                return f"({a} if {self.condition(here, room - 1)} else {b})"
        name = self.one(self.world.enums[enum])
        return f"{enum}.{name}" if self.chance(3) else name

    def player(self, here: Here, room: int) -> str:
        """A player."""
        makes = ["first", "active", "local", "local", *(["you"] if here.you else [])]
        if room > 0:
            makes += ["left", "right", "variable", "the", "if", *(["partner"] if self.world.teams else [])]
        made = self.one(makes)
        if made == "local" and (found := self.locals_of(here, PLAYER)):
            return self.one(found).name
        if made in {"left", "right"}:
            more = f", {self.integer(here, 0)[0]}" if self.chance() else ""
            return f"{made}({self.player(here, room - 1)}{more})"
        if made == "partner":
            return f"partner({self.player(here, room - 1)})"
        if made == "variable" and (text := self.reads(here, PLAYER, room - 1)) is not None:
            return text
        if made == "if":
            return f"({self.player(here, 0)} if {self.condition(here, room - 1)} else {self.player(here, 0)})"
        if made == "the":
            name, inner = self.bound(here, PLAYER)
            return f"(the {name} in players by {self.keys(inner, name, Kind('player'), room - 1)})"
        return {"you": "you", "active": "active"}.get(made, f"players[{1 + self.below(self.world.least)}]")

    def keys(self, inner: Here, name: str, kind: Kind, room: int) -> str:
        """Keys to order by, the last of which leaves no tie among players half of the time."""
        keys = [f"{self.one(('most', 'least'))} {self.ordered(inner, room)}" for _ in range(1 + self.below(2))]
        if kind == PLAYER and not self.chance(5):
            keys.append(f"{self.one(('most', 'least'))} seat({name})")
        return ", ".join(keys)

    def ordered(self, here: Here, room: int) -> str:
        """Something that has an order."""
        kind = self.below(3)
        if kind == 1:
            return self.condition(here, room)
        return self.member(here, self.enum_kind().name, 1) if kind == 2 else self.integer(here, room)[0]

    def card(self, here: Here, card: Card, room: int) -> tuple[str, int]:
        """A card, and who may go by its face."""
        names = [one for one in here.names if one.kind == Kind("card", card.name)]
        if names and (room <= 0 or not self.chance(3)):
            one = self.one(names)
            return one.name, one.level
        piles = self.zones_of(card, ("stack", "row"))
        if piles and self.chance():
            pile = self.one(piles)
            text, level = self.zone(here, pile)
            self.needs.append(f"not empty({text})")
            first = f"{text}[1]" if not pile.owned or text.endswith("]") else f"bottom({text})"
            return self.one((f"top({text})", first)), level
        spots = self.zones_of(card, ("one",))
        if spots and self.chance():
            text, level = self.zone(here, self.one(spots))
            self.needs.append(f"not empty({text})")
            return text, level
        if piles and not self.chance(4):
            text, level = self.zone(here, self.one(piles))
            self.needs.append(f"not empty({text})")
            return f"top({text})", level
        name, inner = self.bound(here, Kind("card", card.name))
        zone, level = self.zone(here, self.one(self.zones_of(card)))
        inner.names[-1] = Local(name, Kind("card", card.name), level)
        if level < self.level(here) or not self.chance(4):
            return self.any_of(here, card), OPEN
        return f"(the {name} in {zone} by {self.keys(inner, name, Kind('card', card.name), min(room, 1))})", level

    # ------------------------------------------------------------ sets

    def members(self, here: Here, kind: Kind, room: int) -> tuple[str, int]:
        """Some values of a type: a set, or what goes for one; and who may go by their faces, if they are cards."""
        if kind.form == "card":
            return self.cards(here, self.card_named(kind.name), room)
        if kind.form == "set":
            return self.families(here, self.card_named(kind.of.name))
        if room > 0:
            made = self.below(5)
            if made == 1:
                domain, _ = self.members(here, kind, room - 1)
                name, inner = self.bound(here, kind)
                return f"{{{name} in {domain} where {self.condition(inner, room - 1)}}}", OPEN
            if made == 2:
                other = self.element_kind()
                domain, level = self.members(here, other, room - 1)
                name, inner = self.bound(here, other, level)
                return f"{{{self.value(inner, kind, room - 1)} for {name} in {domain}}}", OPEN
            if made == 3:
                a, b = (self.members(here, kind, 0)[0] for _ in range(2))
                return f"({a} {self.one(('|',) if here.guard else ('|', '&', 'without'))} {b})", OPEN
        if self.chance():
            return "{" + ", ".join(self.value(here, kind, room - 1) for _ in range(1 + self.below(2))) + "}", OPEN
        return self.whole(here, kind), OPEN

    def whole(self, here: Here, kind: Kind) -> str:
        """All values of a type."""
        if kind == PLAYER:
            teams = [f"members(team({self.player(here, 0)}))"] if self.world.teams else []
            return self.one(["players", *(["others"] if here.you else []), *teams])
        if kind.form == "enum":
            return kind.name
        if kind == BOOL:
            return "{true, false}"
        return self.one((f"{kind.low}..{kind.high}", f"{kind.low}..max({kind.low + 1}, {self.integer(here, 0)[0]})"))

    def cards(self, here: Here, card: Card, room: int) -> tuple[str, int]:
        """Some cards of a kind."""
        zone, level = self.zone(here, self.one(self.zones_of(card)), room)
        if level >= self.level(here) and room > 0 and self.chance():
            name, inner = self.bound(here, Kind("card", card.name), level)
            return f"{{{name} in {zone} where {self.condition(inner, room - 1)}}}", level
        return zone, level

    def families(self, here: Here, card: Card) -> tuple[str, int]:
        """Sets of cards that belong together."""
        zone, level = self.zone(here, self.one(self.zones_of(card)))
        made = self.below(3)
        if made == 0 or level < self.level(here):
            return f"subsets({zone}, 1..2)", level
        return f"{('groups', 'runs')[made - 1]}({zone}, .num, {self.one(('1..2', '2', '2..3'))})", level
