"""Generated rulebooks that are well formed and well typed: small, of every construct, and without sense."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from egodsl.testing.made.properties import Properties
from egodsl.testing.made.world import (
    BOOL,
    PLAYER,
    SHARED,
    Card,
    Draw,
    Here,
    Kind,
    Local,
    Taker,
    Var,
    Zone,
    indented,
    maybe,
    number,
    set_of,
)

Lines = list[str]
SEEN = ("face up", "owner only", "face down", "others only")


class Rulebooks(Properties):
    """Draws whole rulebooks. What calls something is declared after it, so that nothing leads back to itself."""

    def rulebook(self) -> str:
        """The text of a rulebook."""
        self.world.least = 1 + self.below(3)
        self.world.most = self.world.least + self.below(3)
        self.world.teams = self.chance(4)
        if self.world.teams:
            self.world.least, self.world.most = self.one(((4, 4), (2, 2)))
        table = [*self.settings(), *self.values(), *self.kinds_of_cards(), *self.zones(), *self.variables()]
        rules = [*self.events(), *self.defines(), *self.callables()]
        head = self.heading()
        self.needs = []
        return "\n".join([*head, "", *table, *rules, *self.properties(rules)]) + "\n"

    def heading(self) -> Lines:
        low, high = self.world.least, self.world.most
        counts = f"players {low}" if low == high else f"players {low}..{high}"
        if self.world.teams:
            counts = f"players {low}..{high} in 2 teams"
        inner = Here(you=True, own=True, room=1)
        result = f"result together {self.integer(Here(), 1)[0]}"
        if not self.chance(4):
            room = 1 if self.chance(4) else 0
            result = f"result {self.one(('most', 'least'))} {self.integer(inner, room)[0]}"
            result += f", most {self.integer(inner, 0)[0]}" if self.chance() else ""
        lines = ['rulebook made "Made by chance":', f"    {counts}", f"    {result}"]
        if self.chance(4):
            lines[2 + self.below(2) :] = [f"    payoff {self.integer(inner, 1)[0]}"]
        return lines

    # ------------------------------------------------------------ the table

    def settings(self) -> Lines:
        lines: Lines = []
        for _ in range(self.below(3)):
            name, high = self.fresh("param"), 2 + self.below(3)
            self.world.parameters[name] = number(1, high)
            lines.append(f'parameter {name}: 1..{high} = {1 + self.below(high)} "A number"')
        for _ in range(self.below(2)):
            self.world.modes.append(self.fresh("mode_"))
            lines.append(f'mode {self.world.modes[-1]} "A mode"')
        for _ in range(self.below(2)):
            name = self.fresh("asked")
            answers = tuple(self.fresh("answer") for _ in range(2 + self.below(2)))
            self.world.readings[name] = answers
            lines.append(f'reading {name} "How is it?":')
            lines += [f'    {answer} "so"{" default" if k == 1 else ""}' for k, answer in enumerate(answers)]
        return lines

    def values(self) -> Lines:
        first = tuple(self.fresh("val") for _ in range(2 + self.below(2)))
        self.world.enums["Hue"] = first
        lines = [f"enum Hue: {', '.join(first)}"]
        if self.chance(3):
            more = tuple(self.fresh("val") for _ in range(1 + self.below(2)))
            self.world.enums["Tone"] = more
            lines.append(f'enum Tone: {more[0]} "Shown"' + "".join(f", {one}" for one in more[1:]))
        if self.chance(3):
            self.world.ranges.append(Kind("int", "Height", 1, 5))
            lines.append('type Height: 1..5 with lowest "low" = 1, highest = 5')
        return lines

    def field(self) -> Kind:
        kinds = (self.enum_kind(), number(0, 3), BOOL, maybe(number(1, 2)), maybe(self.enum_kind()))
        return self.one((*kinds, *self.world.ranges))

    def kinds_of_cards(self) -> Lines:
        lines: Lines = []
        for name in ("Card", "Die")[: 1 + self.below(2)]:
            fields = {"num": number(1, 4), **{self.fresh("f"): self.field() for _ in range(self.below(3))}}
            marks = {self.fresh("mark"): self.one((number(1, 3), BOOL)) for _ in range(self.below(2))}
            if name == "Die":
                marks["eyes"] = number(1, 6)
            self.world.cards.append(Card(name, fields, marks))
            lines += ["> What lies about.", f"card {name}:"]
            lines += [f"    {field}: {kind.text}" for field, kind in fields.items()]
            lines += [f"    var {mark}: {kind.text} = {self.constant(kind)}" for mark, kind in marks.items()]
            if self.chance():
                lines.append(
                    f'    written "{name} {{num}}' + "".join(f" {{{one}}}" for one in [*fields, *marks][1:]) + '"'
                )
        return lines

    def zones(self) -> Lines:
        lines: Lines = []
        for card in self.world.cards:
            plans = [("stack", ()), ("row", ()), ("set", (PLAYER,)), *self.more_zones()]
            for k, (layout, indexes) in enumerate(plans):
                seen = self.one(SEEN if indexes[:1] == (PLAYER,) else SEEN[:3:2])
                if k == 1 or (layout == "set" and seen == "others only"):
                    seen = "face up"
                zone = Zone(self.fresh("zone_"), card, layout, seen, tuple(indexes))
                self.world.zones.append(zone)
                index = f"[{', '.join(kind.text for kind in indexes)}]" if indexes else ""
                lines.append(
                    f"zone {zone.name}{index}: {layout}{' ' if layout == 'one' else ' of '}{card.name}, {seen}"
                )
            lines += self.components(card)
        return lines

    def more_zones(self) -> list[tuple[str, tuple[Kind, ...]]]:
        indexes: tuple[tuple[Kind, ...], ...] = (
            (),
            (PLAYER,),
            (PLAYER, Kind("enum", "Hue")),
            (number(1, 2),),
            (Kind("enum", "Hue"),),
        )
        return [(self.one(("one", "row", "stack", "set")), self.one(indexes)) for _ in range(self.below(4))]

    def components(self, card: Card) -> Lines:
        homes = [
            zone.name for zone in self.world.zones if zone.card is card and not zone.indexes and zone.layout != "one"
        ]
        home = "" if self.chance(6) else f" in {self.one(homes)}"
        lines = [f"components {self.fresh('deck')} of {card.name}{home}:"]
        if self.chance(4):
            lines.append(f"    | copies | {' | '.join(card.fields)} |")
            lines += [
                f"    | {1 + self.below(3)} | {' | '.join(map(self.constant, card.fields.values()))} |"
                for _ in range(1 + self.below(3))
            ]
            return lines
        for _ in range(1 + self.below(2)):
            fixed = [f"{name}: {self.constant(kind)}" for name, kind in card.fields.items() if name != "num"]
            copies = self.one(("1", "2", "(count(players) - 1)", *self.world.parameters))
            number_ = f"num: {1 + self.below(4)}"
            clause = ""
            if self.chance():
                number_, clause = "num: n", " for n in 1..4" + (" where n != 2" if self.chance(3) else "")
            lines.append(f"    {copies} x ({', '.join([number_, *fixed])}){clause}")
        return lines

    def variables(self) -> Lines:
        lines = ["var trace: 0.. = 0", "var score[player]: 0..20 = 0"]
        self.world.vars.append(Var("score", number(0, 20), (PLAYER,)))
        for _ in range(1 + self.below(5)):
            card, enum = self.card_kind(), self.enum_kind()
            kinds = (
                number(0, 9),
                BOOL,
                enum,
                PLAYER,
                maybe(PLAYER),
                maybe(enum),
                maybe(card),
                set_of(enum),
                set_of(PLAYER),
                set_of(card),
                Kind("row", inner=number(0, 3)),
            )
            kind = self.one(kinds)
            indexes = self.one(((), (PLAYER,), (Kind("enum", "Hue"),), (PLAYER, number(1, 2))))
            secret = indexes[:1] == (PLAYER,) and self.chance()
            var = Var(self.fresh("var_"), kind, tuple(indexes), secret)
            self.world.vars.append(var)
            index = f"[{', '.join(one.text for one in indexes)}]" if indexes else ""
            lines.append(f"var {var.name}{index}: {kind.text}{self.initial(kind)}{', owner only' if secret else ''}")
        return lines

    def initial(self, kind: Kind) -> str:
        match kind.form:
            case "maybe":
                return " = none"
            case "set":
                return " = {}"
            case "row":
                return self.one((" = []", " = [1, 2]"))
            case "player":
                return " = players[1]"
            case _:
                return f" = {self.constant(kind)}"

    # ------------------------------------------------------------ the rules

    def parameters(self, here: Here) -> tuple[str, tuple[Kind, ...]]:
        """The parameters of something that is called, bound in `here`."""
        kinds = tuple(
            self.one((number(0, 5), PLAYER, self.card_kind(), self.enum_kind())) for _ in range(self.below(3))
        )
        names = [self.fresh("a") for _ in kinds]
        own = here.own
        here.bind(*(Local(name, kind, SHARED) for name, kind in zip(names, kinds, strict=True)))
        here.own = own and PLAYER not in kinds
        text = ", ".join(f"{name}: {kind.text}" for name, kind in zip(names, kinds, strict=True))
        return (f"({text})" if text else ""), kinds

    def events(self) -> Lines:
        lines: Lines = []
        for _ in range(self.below(3)):
            name = self.fresh("event_")
            text, kinds = self.parameters(Here())
            self.world.events.append(Taker(name, kinds))
            lines.append(f"event {name}{text}")
        return lines

    def defines(self) -> Lines:
        lines: Lines = []
        for _ in range(self.below(4)):
            open_ = self.chance()
            here = Here(you=self.chance(3), guard=open_)
            here.own = here.you
            kind = self.one((number(0, 9), BOOL, PLAYER, self.enum_kind(), set_of(PLAYER)))
            name = self.fresh("def_")
            text, kinds = self.parameters(here)
            if kind.form == "int":
                value, low, high = self.integer(here, 2)
                kind = number(low, high)
                lines.append(f"define {name}{text} = {value}")
            elif self.chance():
                cases = [
                    f"{self.value(here, kind)} if {self.condition(here, 1)}",
                    f"{self.value(here, kind)} otherwise",
                ]
                lines += [f"define {name}{text}: {kind.text}:", *indented(cases)]
            else:
                lines.append(f"define {name}{text}: {kind.text} = {self.value(here, kind)}")
            self.world.defines.append(Taker(name, kinds, kind, here.you, open_))
        return lines

    def callables(self) -> Lines:
        lines: Lines = []
        for _ in range(self.below(3)):
            lines += self.procedure(calm=self.chance())
        lines += self.triggers()
        makes: tuple[Callable[[], Lines], ...] = (
            self.action,
            self.action,
            self.stage,
            lambda: self.procedure(calm=False, announces=True),
        )
        for _ in range(self.below(4)):
            lines += self.one(makes)()
        return [*lines, *self.conditions(), *self.game()]

    def procedure(self, *, calm: bool, announces: bool = False) -> Lines:
        here = Here(you=self.chance(), calm=calm, announces=announces, room=2)
        here.own = here.you
        name = self.fresh("proc")
        text, kinds = self.parameters(here)
        choices: tuple[Kind | None, ...] = (None, None, number(0, 9), PLAYER)
        gives = self.one(choices)
        body = self.block(here)
        if gives is not None:
            text += f" -> {gives.text}"
            if self.chance(3):
                body = [f"if {self.tested(here, 1)}: return {self.value(here, gives)}", *body]
            body.append(f"return {self.value(here, gives)}")
        self.world.procedures.append(Taker(name, kinds, gives, here.you, calm=calm))
        return [f"procedure {name}{text}:", *indented(body)]

    def action(self) -> Lines:
        here = Here(you=True, own=True, room=1)
        name = self.fresh("act")
        head = ""
        kinds: list[Kind] = []
        if not self.chance(4):
            text, kinds, inner = self.head(here)
            head = f"({text})"
            guard = self.guard(inner)
            here = self.settled(inner, here)
        else:
            guard = self.guard(here)
        bound = tuple(here.names)
        body = self.block(here)
        self.world.actions.append(Taker(name, tuple(kinds), you=True, head=bound))
        return [f"action {name}{head}{guard}:", *indented(body)]

    def stage(self) -> Lines:
        here = Here(you=self.chance(), room=2)
        here.own = here.you
        name = self.fresh("stage_")
        text, kinds = self.parameters(here)
        here.stages = (name,)
        bound = tuple(here.names)
        body = self.block(here)
        self.world.stages.append(Taker(name, kinds, you=here.you, head=bound))
        return [f"stage {name}{text}:", *indented(body)]

    def triggers(self) -> Lines:
        lines: Lines = []
        for event in self.world.events:
            for _ in range(self.below(3)):
                here = Here(events=(event.name,), announces=self.chance(3), room=1)
                names = [self.fresh("a") for _ in event.takes]
                here.bind(*(Local(n, k, SHARED) for n, k in zip(names, event.takes, strict=True)))
                patterns = [self.pattern(name, kind) for name, kind in zip(names, event.takes, strict=True)]
                here.names = [one for one in here.names if one.name in patterns]
                text = f"({', '.join(patterns)})" if patterns else ""
                where = f" where {self.tested(here, 1)}" if self.chance(3) else ""
                actor = f" as {self.player(here, 1)}" if self.chance() else ""
                here.you = here.own = bool(actor)
                here.names = [Local(one.name, one.kind, one.level) for one in here.names]
                body = self.block(here, 2)
                word, name = self.one((("trigger", self.fresh("trig")), ("ability", self.fresh("abil"))))
                lines += [f"{word} {name} on {event.name}{text}{where}{actor}:", *indented(body)]
        return lines

    def pattern(self, name: str, kind: Kind) -> str:
        return self.one(self.world.enums[kind.name]) if kind.form == "enum" and self.chance() else name

    def conditions(self) -> Lines:
        lines: Lines = []
        for _ in range(self.below(3)):
            here = Here(room=1)
            binder = ""
            if self.chance(3):
                name = self.fresh("p")
                here.bind(Local(name, PLAYER))
                binder = f" for {name} in players"
            during = [one.name for one in self.world.stages if not one.you]
            stage = self.one([*during, "game"]) if during else "game"
            here.stages = (stage,)
            when = f"whenever {self.tested(here, 2)}"
            if self.chance(3):
                zones = [z for z in self.world.zones if z.layout != "one" and not z.indexes]
                when = f"when {self.one(zones).name} runs out"
                binder = ""
                here.names = []
            body = self.block(here, 2)
            lines += [f"trigger {self.fresh('cond')}{binder} during {stage} {when}:", *indented(body)]
        return lines

    def game(self) -> Lines:
        lines = ["stage game:"]
        for card in self.world.cards:
            zones = [zone for zone in self.world.zones if zone.card is card]
            home = next(zone for zone in zones if zone.layout == "stack")
            if self.chance():
                lines.append(f"    shuffle {home.name}")
            row = next(zone for zone in zones if zone.layout == "row")
            lines.append(f"    move up to {1 + self.below(3)} from {home.name} to {row.name}")
            dealt = [zone for zone in zones if zone.indexes == (PLAYER,) and zone.layout != "one"]
            p = self.fresh("p")
            lines.append(f"    for {p} in players: move up to 2 from {home.name} to {self.one(dealt).name}[{p}]")
        here = Here(stages=("game",), room=3)
        lines += indented(self.block(here))
        first = self.player(here, 1)
        turn = Here(you=True, own=True, stages=("game",), room=2)
        asked = self.one((self.choose_action, self.choose, self.choose_option, self.may))(turn)
        self.needs = []
        body = [*asked, *self.block(turn, 4), "trace += 1", f"if trace >= {12 + self.below(30)}: end game"]
        return [*lines, f"    turns from {first}:", *indented(indented(body))]


@st.composite
def rulebook_texts(draw: Draw) -> str:
    """Texts of well-formed, well-typed rulebooks, for one to six players, of every construct of the language and
    without sense. The checker takes nearly all of them; a game of one may end in a fault.
    """
    return Rulebooks(draw).rulebook()
