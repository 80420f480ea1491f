"""Generated statements that change the table or show it: nothing that asks, calls or leaves."""

from __future__ import annotations

from collections.abc import Callable

from egodsl.testing.made.expressions import Expressions
from egodsl.testing.made.world import OPEN, PLAYER, SHARED, Card, Here, Kind, Local, Var, Zone, number, set_of

Lines = list[str]
Maker = Callable[[Here], Lines]
LAYOUTS = ("stack", "row", "set", "one")


class Changes(Expressions):
    """Draws changes."""

    def own(self, here: Here, decl: Zone | Var) -> bool:
        """Whether the declaration may be changed here, in the place that `place` gives."""
        return not here.alone or decl.owned

    def assign(self, here: Here) -> Lines:
        """A variable, a mark, a local or `next` is set."""
        made = self.below(5)
        if made == 1 and (lines := self.assign_mark(here)):
            return lines
        variables = [one for one in self.world.vars if self.own(here, one)]
        free = [one for one in here.names if not one.fixed]
        if (made == 2 and free) or not variables:
            if not free:
                return ["nothing"]
            one = self.one(free)
            return [f"{one.name} := {self.right_side(here, one.kind)}"]
        var = self.one(variables)
        text, _ = self.place(here, var, 1)
        if var.kind.form == "int" and self.chance(4):
            added, low, high = self.integer(here, 1)
            sign = self.one(("+", "-"))
            least, most = (
                (var.kind.low + low, var.kind.high + high)
                if sign == "+"
                else (var.kind.low - high, var.kind.high - low)
            )
            return [f"{text} {sign}= {added if least <= var.kind.high and most >= var.kind.low else 1}"]
        return [f"{text} := {self.right_side(here, var.kind)}"]

    def right_side(self, here: Here, kind: Kind) -> str:
        """What stands on the right of `:=`: a value, or a `the` that may draw."""
        if kind == PLAYER and self.chance(3):
            name, inner = self.bound(here, PLAYER)
            drawn = "" if here.alone or not self.chance() else ", at random"
            return f"the {name} in players by {self.keys(inner, name, PLAYER, 1)}{drawn}"
        return self.value(here, kind)

    def assign_mark(self, here: Here) -> Lines:
        """A mark of a card is set."""
        cards = [one for one in here.names if one.kind.form == "card" and one.level >= SHARED]
        names = [one for one in cards if self.card_named(one.kind.name).marks]
        if not names or here.alone:
            return []
        one = self.one(names)
        marks = self.card_named(one.kind.name).marks
        mark = self.one(sorted(marks))
        return [f"{one.name}.{mark} := {self.value(here, marks[mark])}"]

    def let(self, here: Here) -> Lines:
        """A value gets a name."""
        kind = self.one(
            (number(0, 9), PLAYER, self.enum_kind(), self.card_kind(), set_of(self.card_kind()), Kind("bool"))
        )
        name = self.fresh("v")
        level = OPEN
        if kind.form == "int":
            value, low, high = self.integer(here, 2)
            kind = number(low, high)
        elif kind.form == "card":
            value, level = self.card(here, self.card_named(kind.name), 1)
        elif kind.form == "set":
            value, level = self.members(here, kind.of, 1)
        elif kind.form == "enum":
            value = f"{kind.name}.{self.one(self.world.enums[kind.name])}"
        else:
            value = self.right_side(here, kind)
        here.bind(
            Local(name, kind, min(level, SHARED) if kind.form in {"card", "set"} else OPEN, fixed=kind.form == "card")
        )
        return [f"let {name} = {value}"]

    # ------------------------------------------------------------ cards

    def source(self, here: Here, card: Card | None, layouts: tuple[str, ...]) -> tuple[str, Zone, int] | None:
        """A zone that cards may leave here."""
        # The order of a pile is for chance to settle, which nothing does in `together`.
        zones = [z for z in self.zones_of(card, layouts) if not here.alone or (z.owned and z.layout != "stack")]
        if not zones:
            return None
        zone = self.one(zones)
        text, level = self.zone(here, zone, 1)
        return text, zone, level

    def goal(self, here: Here, card: Card, *, one: bool = False) -> tuple[str, int]:
        """A zone for such cards; with `one` perhaps one that takes no second."""
        zone = self.one(self.zones_of(card, LAYOUTS if one else LAYOUTS[:3]))
        text, level = self.zone(here, zone, 1)
        if zone.layout == "one":
            self.needs.append(f"empty({text})")
        return text, level

    def named(self, here: Here, kind: Kind, level: int) -> str:
        """` as x`, sometimes."""
        if not self.chance(3):
            return ""
        name = self.fresh("m")
        here.bind(Local(name, kind, min(level, SHARED)))
        return f" as {name}"

    def move(self, here: Here) -> Lines:
        """Cards are moved, in every form."""
        made = self.one((self.move_card, self.move_count, self.move_zone, self.move_some, self.move_all))
        return made(here)

    def move_card(self, here: Here) -> Lines:
        card = self.one(self.world.cards)
        if here.alone:
            found = self.source(here, card, ("stack", "row"))
            what, level = (f"top({found[0]})", found[2]) if found else ("", 0)
        else:
            what, level = self.card(here, card, 1)
        if not what:
            return ["nothing"]
        text, there = self.goal(here, card, one=True)
        return [f"move {what} to {text}{self.named(here, Kind('card', card.name), max(level, there))}"]

    def move_count(self, here: Here) -> Lines:
        how = self.one(("up to ", "", *([] if here.alone else ["random"])))
        found = self.source(here, None, LAYOUTS[:3] if how == "random" else LAYOUTS[:2])
        if found is None:
            return ["nothing"]
        source, zone, level = found
        text, there = self.goal(here, zone.card)
        card = Kind("card", zone.card.name)
        many = self.one(("1", "2", self.number_in(here, 0, 9, 1)))
        if how != "up to ":
            self.needs.append(f"not empty({source})")
            many = "1" if not self.chance(4) else many
        kind = card if many == "1" and how != "up to " else set_of(card)
        before, after = ("", " at random") if how == "random" else (how, "")
        return [f"move {before}{many}{after} from {source} to {text}{self.named(here, kind, max(level, there))}"]

    def move_zone(self, here: Here) -> Lines:
        found = self.source(here, None, LAYOUTS)
        if found is None:
            return ["nothing"]
        source, zone, level = found
        if zone.layout == "one":
            self.needs.append(f"not empty({source})")
        text, there = self.goal(here, zone.card, one=zone.layout == "one")
        kind = Kind("card", zone.card.name)
        moved = kind if zone.layout == "one" else set_of(kind)
        return [f"move {source} to {text}{self.named(here, moved, max(level, there))}"]

    def move_some(self, here: Here) -> Lines:
        found = self.source(here, None, LAYOUTS[:3])
        if found is None:
            return ["nothing"]
        source, zone, level = found
        kind = Kind("card", zone.card.name)
        name, inner = self.bound(here, kind, level)
        where = self.condition(inner, 1)
        return [f"move {{{name} in {source} where {where}}} to {self.goal(here, zone.card)[0]}"]

    def move_all(self, here: Here) -> Lines:
        card = self.one(self.world.cards)
        if here.alone or not self.chance(4):
            return self.move_count(here)
        return [f"move {card.name} to {self.goal(here, card)[0]}"]

    def swap(self, here: Here) -> Lines:
        """Two cards or two zones change places."""
        card = self.one(self.world.cards)
        if self.chance():
            return [f"swap {self.card(here, card, 1)[0]} with {self.card(here, card, 1)[0]}"]
        return [f"swap {self.goal(here, card)[0]} with {self.goal(here, card)[0]}"]

    def shuffle(self, here: Here) -> Lines:
        """A pile is mixed."""
        return [f"shuffle {self.zone(here, self.one(self.zones_of(None, LAYOUTS[:2])), 1)[0]}"]

    def roll(self, here: Here) -> Lines:
        """Marks are drawn anew."""
        cards = [card for card in self.world.cards if card.marks]
        if not cards:
            return self.shuffle(here)
        card = self.one(cards)
        if self.chance():
            return [f"roll {self.goal(here, card)[0]}"]
        return [f"roll {self.card(here, card, 1)[0]}"]

    # ------------------------------------------------------------ showing, drawing lots, orders

    def viewers(self, here: Here) -> str:
        return self.one(("", f" to {self.player(here, 1)}", f" to {self.members(here, PLAYER, 1)[0]}"))

    def show(self, here: Here) -> Lines:
        """Cards, a secret or a fact are shown."""
        secrets = [var for var in self.world.vars if var.secret]
        if secrets and self.chance(4):
            return [f"reveal {self.place(here, self.one(secrets), 1)[0]}{self.viewers(here)}"]
        card = self.one(self.world.cards)
        kind = Kind("card", card.name)
        if self.chance(3):
            zone, level = self.zone(here, self.one(self.zones_of(card)))
            name, inner = self.bound(here, kind, level)
            if level >= SHARED:
                return [f"reveal {self.condition(inner, 1)}{self.viewers(here)} for {name} in {zone}"]
        what, many = (self.card(here, card, 1)[0], False) if self.chance() else (self.goal(here, card)[0], True)
        bound = self.named(here, set_of(kind) if many else kind, SHARED)
        if here.you and self.chance():
            return [f"look at {what}{bound}"]
        return [f"reveal {what}{self.viewers(here)}{bound}"]

    def pick(self, here: Here) -> Lines:
        """Chance takes one of several."""
        kind = self.element_kind()
        domain, level = self.members(here, kind, 1)
        name = self.fresh("r")
        inner = here.with_()
        inner.bind(Local(name, kind, level))
        where = f" where {self.condition(inner, 1)}" if self.chance(3) else ""
        if "{" not in domain and "(" not in domain:
            self.needs.append(f"not empty({domain})")
        here.bind(Local(name, kind, min(level, SHARED)))
        return [f"pick {name} at random from {domain}{where}"]

    def rank(self, here: Here) -> Lines:
        """Players are put in order."""
        name, inner = self.bound(here, PLAYER)
        strict = self.chance() and not here.alone
        last = ", at random" if strict else f", most seat({name})"
        ranked = self.fresh("places")
        keys = f"{self.one(('most', 'least'))} {self.ordered(inner, 1)}{last}"
        place = self.fresh("v")
        lines = [f"rank {name} in players by {keys} as {ranked}"]
        if self.chance():
            here.bind(Local(place, PLAYER))
            lines.append(f"let {place} = {ranked}[1]")
        return lines
