"""Claims about the games of `counting`, drawn by chance, and a naive judge of them, who looks at all that happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from hypothesis import strategies as st

from tests.properties.counting import Event, M, Made, N, Run, Snapshot

Breaches = Counter[tuple[str, str]]
"""How often which property is broken for what."""


@attrs.frozen
class Asked:
    """What a condition is asked of: the table now and before, and the names there are."""

    now: Snapshot
    before: Snapshot
    j: int = -1
    k: int = -1
    you: int = -1


Function = Callable[[Asked], int]


@attrs.frozen
class Term:
    """A number or a condition, in the language and in Python, and what it can be."""

    text: str
    value: Function
    low: int = 0
    high: int = 1


@attrs.frozen
class Claim:
    """A property: its text behind the name, without `for`; `kind` and the parts that it is made of.

    `js`: what it is for, None without a `for`.
    """

    kind: str
    text: str
    a: Term | None = None
    b: Term | None = None
    body: str = ""
    most: int = 0
    js: tuple[int, ...] | None = None

    def declaration(self, name: str) -> str:
        """A line of a rulebook."""
        head = ""
        if self.js is not None:
            head = f"for j in 0..{max(self.js)}{''.join(f' where j != {k}' for k in _left_out(self.js))}: "
        return f"property {name}: {head}{self.text}"


def _left_out(js: tuple[int, ...]) -> list[int]:
    return [k for k in range(max(js)) if k not in js]


# ---------------------------------------------------------------- the judge


def judged(claim: Claim, name: str, events: list[Event]) -> Iterator[tuple[int, tuple[str, str]]]:
    """The numbers of the events at which a claim is found broken, and for what."""
    for j in claim.js or (-1,):
        what = (name, f"j = {j}" if claim.js is not None else "")
        for at in _JUDGES[claim.kind](claim, j, events):
            yield at, what


def _points(events: list[Event]) -> Iterator[tuple[int, Event, Snapshot]]:
    """Decisions and the end, each with the table at the decision before."""
    before: Snapshot | None = None
    for at, event in enumerate(events):
        if event.kind in {"point", "over"}:
            yield at, event, before or event.table
            before = event.table


def _runs(name: str, events: list[Event]) -> Iterator[tuple[int, int | None]]:
    """Where a stage or action begins, and where it ends, if it has ended. None is inside another of its kind."""
    begun: int | None = None
    for at, event in enumerate(events):
        if event.name == name and event.kind == "begun":
            begun = at
        elif event.name == name and event.kind == "ended":
            assert begun is not None
            yield begun, at
            begun = None
    if begun is not None:
        yield begun, None


def _always(claim: Claim, j: int, events: list[Event]) -> Iterator[int]:
    assert claim.a is not None
    for at, event, before in _points(events):
        if bool(claim.a.value(Asked(event.table, before, j))) != (claim.kind == "always"):
            yield at


def _finally(claim: Claim, j: int, events: list[Event]) -> Iterator[int]:
    assert claim.a is not None
    for at, event, before in _points(events):
        if event.kind == "over" and not claim.a.value(Asked(event.table, before, j)):
            yield at


def _after(claim: Claim, j: int, events: list[Event]) -> Iterator[int]:
    assert claim.a is not None
    for begun, ended in _runs(claim.body, events):
        if ended is not None:
            last = events[ended]
            if not claim.a.value(Asked(last.table, events[begun].table, j, last.head, last.you)):
                yield ended


def _every(claim: Claim, j: int, events: list[Event]) -> Iterator[int]:
    del j
    # One decision more is asked for than may be made; one turn more begins.
    kind = claim.kind.removeprefix("every ")
    for begun, ended in _runs(claim.body, events):
        inside = range(begun, len(events) if ended is None else ended)
        found = [at for at in inside if events[at].kind == kind]
        if len(found) > claim.most:
            yield found[claim.most]


def _whenever(claim: Claim, j: int, events: list[Event]) -> Iterator[int]:
    assert claim.a is not None
    assert claim.b is not None
    points = list(_points(events))
    for begun, ended in _runs(claim.body, events):
        if ended is None:
            continue
        inside = [(event.table, before) for at, event, before in points if begun < at < ended]
        comes = [bool(claim.b.value(Asked(now, before, j))) for now, before in inside]
        comes.append(bool(claim.b.value(Asked(events[ended].table, events[ended].table, j))))
        due = [at for at, (now, before) in enumerate(inside) if claim.a.value(Asked(now, before, j))]
        if any(not any(comes[at:]) for at in due):
            yield ended


_JUDGES = {
    "always": _always,
    "never": _always,
    "finally": _finally,
    "after": _after,
    "every turn": _every,
    "every point": _every,
    "whenever": _whenever,
}


def breaches(claims: dict[str, Claim], run: Run) -> Breaches:
    """What the last choice of a game broke; in a game that has just begun, what its beginning broke."""
    found: Breaches = Counter()
    for name, claim in claims.items():
        if claim.kind != "reachable":
            found.update(what for at, what in judged(claim, name, run.events) if run.events[at].choices == run.choices)
    return found


def shown(claims: dict[str, Claim], run: Run) -> set[tuple[str, str]]:
    """The witnesses that a game shows."""
    found = set()
    for name, claim in claims.items():
        if claim.kind == "reachable":
            assert claim.a is not None
            for j in claim.js or (-1,):
                if any(claim.a.value(Asked(event.table, before, j)) for _, event, before in _points(run.events)):
                    found.add((name, f"j = {j}" if claim.js is not None else ""))
    return found


# ---------------------------------------------------------------- claims by chance


class Claims:
    """Draws claims about a game."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], game: Made) -> None:
        self.draw = draw
        self.game = game
        self.names: list[Term] = []
        self.old = True

    def below(self, n: int) -> int:
        found: int = self.draw(st.integers(0, n - 1))
        return found

    def make(self) -> Claim:
        """One claim."""
        js = ((0,), (0, 1, 2), (0, 2), (1, 3))[self.below(4)] if self.below(3) == 2 else None
        self.names = [Term("j", lambda asked: asked.j, 0, max(js))] if js is not None else []
        self.old = True
        made = (self.simple, self.simple, self.after, self.every, self.whenever)[self.below(5)]()
        return attrs.evolve(made, js=js)

    def simple(self) -> Claim:
        kind = ("always", "never", "finally", "reachable")[self.below(4)]
        a = self.condition(2)
        return Claim(kind, f"{kind} {a.text}", a)

    def after(self) -> Claim:
        bodies = [*self.game.actions.values(), *self.game.stages.values()]
        body = bodies[self.below(len(bodies))]
        if body.takes:
            self.names.append(Term("k", lambda asked: asked.k, body.takes[0], body.takes[-1] or N - 1))
        if body.name in self.game.actions:
            self.names.append(Term("seat(you)", lambda asked: asked.you + 1, 1, self.game.players))
        a = self.condition(2)
        return Claim("after", f"after {body.name}: {a.text}", a, body=body.name)

    def every(self) -> Claim:
        body, most, unit = self.stage(), self.below(5), self.below(2)
        kind, word = (("every turn", "turns"), ("every point", "decisions"))[unit]
        return Claim(kind, f"every {body} within {most} {word}", body=body, most=most)

    def whenever(self) -> Claim:
        self.old = False
        a, b, body = self.condition(1), self.condition(1), self.stage()
        return Claim("whenever", f"whenever {a.text} then eventually {b.text} within {body}", a, b, body)

    def stage(self) -> str:
        return list(self.game.stages)[self.below(len(self.game.stages))]

    # ------------------------------------------------------------ conditions

    def condition(self, room: int) -> Term:
        made = self.below(5) if room else 0
        if made == 1:
            a = self.condition(room - 1)
            return Term(f"(not {a.text})", lambda asked: not a.value(asked))
        if made == 2:
            a, b = self.condition(room - 1), self.condition(room - 1)
            return Term(f"({a.text} or {b.text})", lambda asked: a.value(asked) or b.value(asked))
        if made == 3:
            a, b = self.condition(room - 1), self.condition(room - 1)
            return Term(f"({a.text} and {b.text})", lambda asked: a.value(asked) and b.value(asked))
        if made == 4 and self.old:
            self.old = False
            inner = self.condition(0)
            self.old = True
            return self.of_before(inner)
        return self.compared()

    def compared(self) -> Term:
        a, b = self.number(), self.number()
        sign, holds = self.draw(st.sampled_from(_SIGNS))
        if a.high < b.low or b.high < a.low:
            # That two are the same which cannot be is an error of the rulebook.
            sign, holds = _SIGNS[0]
        return Term(f"({a.text} {sign} {b.text})", lambda asked: holds(a.value(asked), b.value(asked)))

    def number(self) -> Term:
        found = [
            Term("n", lambda asked: asked.now.n, 0, N - 1),
            Term("m", lambda asked: asked.now.m, 0, M - 1),
            *self.names,
        ]
        made = self.below(4)
        if made == 0:
            literal = self.below(N)
            return Term(str(literal), lambda _: literal, literal, literal)
        term = found[self.below(len(found))]
        if made == 2 and self.old:
            return self.of_before(term)
        if made == 3:
            other = self.number()
            return Term(
                f"({term.text} + {other.text})",
                lambda asked: term.value(asked) + other.value(asked),
                term.low + other.low,
                term.high + other.high,
            )
        return term

    def of_before(self, term: Term) -> Term:
        def value(asked: Asked) -> int:
            return term.value(attrs.evolve(asked, now=asked.before))

        return Term(f"old({term.text})", value, term.low, term.high)


_SIGNS: list[tuple[str, Callable[[int, int], bool]]] = [
    ("<", lambda a, b: a < b),
    ("<=", lambda a, b: a <= b),
    (">", lambda a, b: a > b),
    ("=", lambda a, b: a == b),
    ("!=", lambda a, b: a != b),
]


@st.composite
def claims(draw: Callable[[st.SearchStrategy[Any]], Any], game: Made, least: int = 1) -> dict[str, Claim]:
    """Claims of every kind about a game, by their names."""
    maker = Claims(draw, game)
    many = draw(st.integers(least, 6))
    return {f"claim{k}": maker.make() for k in range(many)}
