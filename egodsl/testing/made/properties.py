"""Generated properties: claims of every kind, about what is declared and played."""

from __future__ import annotations

import re
from collections.abc import Callable

from egodsl.testing.made.changes import Lines
from egodsl.testing.made.statements import Statements
from egodsl.testing.made.world import BOOL, PLAYER, Here, Kind, Local, Taker, number, set_of

BUILTINS = (
    "no fault",
    "never stuck",
    "games end",
    "no leak",
    "everything reached",
    "records replay",
    "copies independent",
)


class Properties(Statements):
    """Draws properties."""

    def properties(self, rules: Lines) -> Lines:
        """Some properties of a rulebook that has these rules."""
        lines: Lines = []
        self.said: set[str] = set()
        left = list(BUILTINS)
        for _ in range(self.below(5)):
            text = self.builtin(left) if self.chance(5) else self.property(rules)
            if text not in self.said:
                # Said twice it would be as well; but that the opposite is said as well is an error.
                self.said.add(text)
                lines += ["> So it is."] if self.chance(8) else []
                lines.append(f"property {self.fresh('prop')}: {text}")
        return lines

    def builtin(self, left: list[str]) -> str:
        """What goes without saying, named or waived."""
        which = left.pop(self.below(len(left)))
        if self.chance(3):
            return f'{which} waived "for no reason"'
        names = [one.name for one in self.world.actions] + self.world.modes
        names += [f"{one}.{answers[0]}" for one, answers in self.world.readings.items()]
        if which == "everything reached" and names:
            return f'{which} except {self.one(names)} "for no reason"'
        return which

    def property(self, rules: Lines) -> str:
        """A claim, sometimes for each of several."""
        here = Here(all_seen=True, past=True)
        loops = [self.each(here) for _ in range(self.below(5) // 2)]
        makes: tuple[Callable[[Here, Lines], str], ...] = (
            self.simple,
            self.simple,
            self.after,
            self.every,
            self.whenever,
            self.seen,
        )
        return "".join([*loops, self.one(makes)(here, rules)])

    def each(self, here: Here) -> str:
        """What a property is for, bound from here on."""
        kind = self.one((PLAYER, self.enum_kind(), number(1, 3), self.card_kind()))
        name = self.fresh("q")
        domain, test = {
            "player": ("players", f"seat({name}) != 1"),
            "enum": (kind.name, f"{name} != {kind.name}.{self.world.enums.get(kind.name, ('',))[0]}"),
            "card": (kind.name, f"{name}.num > 1"),
        }.get(kind.form, ("1..3", f"{name} != 2"))
        here.bind(Local(name, kind))
        return f"for {name} in {domain}{f' where {test}' if self.chance(3) else ''}: "

    # ------------------------------------------------------------ claims

    def simple(self, here: Here, rules: Lines) -> str:
        """`always`, `never`, `finally`, `reachable`."""
        del rules
        word, text = self.one(("always", "never", "finally", "reachable")), self.condition_now(here)
        if text in self.said:
            return f"every game within {self.below(9)} turns"
        self.said.add(text)
        return f"{word} {text}"

    def condition_now(self, here: Here) -> str:
        """A condition, often one that compares with what was before."""
        if not self.chance(3):
            return self.tested(here, 2)
        before = len(self.needs)
        text = self.integer(here.with_(past=False), 1)[0]
        sign = self.one((">=", "<=", "=", "<"))
        self.needs = self.needs[:before]
        return f"({text} {sign} old({text}))"

    def played(self, every: list[Taker], rules: Lines) -> list[Taker]:
        """Those of the stages or actions that some rule plays or offers."""
        # An action is named by what offers it and by itself; a stage by what plays it, ends it or waits for it.
        text = "\n".join(rules)
        stages = {one.name for one in self.world.stages}
        return [
            one
            for one in every
            if len(re.findall(rf"\b{'play ' * (one.name in stages)}{one.name}\b", text)) > (one.name not in stages)
        ]

    def after(self, here: Here, rules: Lines) -> str:
        """`after` an action or a stage."""
        found = self.played([*self.world.actions, *self.world.stages], rules)
        if not found:
            return f"after game: {self.condition_now(here)}"
        one = self.one(found)
        here.you = here.own = one in self.world.actions
        here.own = here.own and not any(known.kind == PLAYER for known in here.names)
        here.bind(*one.head)
        return f"after {one.name}: {self.condition_now(here)}"

    def every(self, here: Here, rules: Lines) -> str:
        """`every` stage within so many."""
        del here
        names = ["game", *(one.name for one in self.played(self.world.stages, rules))]
        return f"every {self.one(names)} within {self.below(9)} {self.one(('turns', 'decisions'))}"

    def whenever(self, here: Here, rules: Lines) -> str:
        """`whenever` something, then something within a stage."""
        here.past = False
        names = ["game", *(one.name for one in self.played(self.world.stages, rules))]
        first, then = self.tested(here, 1), self.tested(here, 1)
        return f"whenever {first} then eventually {then} within {self.one(names)}"

    def seen(self, here: Here, rules: Lines) -> str:
        """`seen by` somebody."""
        del rules
        here.past = False
        who = self.player(here, 0)
        here.you = True
        here.own = not any(known.kind == PLAYER for known in here.names)
        kind = self.one((BOOL, number(0, 9), PLAYER, self.enum_kind(), self.card_kind(), set_of(self.card_kind())))
        before = len(self.needs)
        text = self.claimed(here, kind)
        self.needs = self.needs[:before]
        return f"seen by {who}: {text}"

    def claimed(self, here: Here, kind: Kind) -> str:
        """What somebody is to know."""
        return self.integer(here, 2)[0] if kind.form == "int" else self.value(here, kind)
