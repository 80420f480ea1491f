"""Moves as numbers: each move is a short sequence of tokens from a vocabulary that is fixed for the game.

A move is the token of its option (its label or its action's name), then the tokens of what is chosen:

- a number, a value of an enum, a player, a team, yes or no, or `none` is one token;
- a card is the token of its look, one for each of its marks, and in a row or pile where another card shows the same one
  for its place; where the chooser does not see it, it is the token of its place alone;
- a set is its members in the order of their tokens and an end token, a row its members and an end token; inside
  another set or row, an empty one is a token of its own.

Moves whose tokens are the same, since what they choose looks the same, are told apart by a last token "the k-th", and
so is a move whose tokens others begin with.
Sequences of one decision are never beginnings of each other.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import attrs

from egodsl.analysis import types as t
from egodsl.engine.bodies import holds_cards
from egodsl.engine.identity import named_cards
from egodsl.engine.setup import enum_items
from egodsl.engine.values import UNSET, Value
from egodsl.interop.problems import InteropError
from egodsl.interop.sources import Sources
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from egodsl.engine.code import Option
    from egodsl.engine.game import Game
    from egodsl.engine.layout import CardType
    from egodsl.engine.state import State
    from egodsl.source.span import Span

MOST_ACTIONS = 10_000
"""Tokens that a vocabulary holds at most: a mask or a policy has one entry for each."""
_PLACED = {"row", "stack", "one"}
"""Layouts in which a card goes by its place where the chooser does not see it."""
_MOST_ALIKE = 16
"""Tokens "the k-th" of one place; more moves that look alike take several of them."""

Token = tuple[Any, ...]
Tokens = tuple[int, ...]

END: Token = ("end",)
NONE: Token = ("none",)


class Encoding:
    """The vocabulary of a game, and its moves as sequences of it.

    `max_number` bounds numbers that the rulebook does not bound (0: there must be none). Raises InteropError where the
    moves cannot be numbered (EGO920), or take more than `MOST_ACTIONS` tokens (EGO921), and for a `max_number` below 0
    (EGO924).
    """

    def __init__(self, game: Game, max_number: int = 0) -> None:
        if max_number < 0:
            raise InteropError("EGO924", f"numbers cannot go up to {max_number}", "give a larger `max_number`")
        self.game = game
        self.max_number = max_number
        self._numbers: dict[Token, int] = {}
        self._texts: list[str] = []
        self.labels: dict[str, int] = {}
        """The token of each label and action's name."""
        self._add_options()
        values = _Values(self)
        alike = False
        sources = Sources(game)
        for site in game.sites:
            alike |= len({_label(option) for option in site.options}) < len(site.options)
            for option in site.options:
                for k, kind in enumerate(option.types):
                    slots = sources.slots(game, site, option, k) if holds_cards(kind) else []
                    alike |= values.add(kind, option.span or site.span, slots)
        self.alike = _MOST_ALIKE if alike else 0
        """How many tokens "the k-th" there are: none where no two moves can look alike."""
        for k in range(self.alike):
            self.add(("alike", k), f"number {k + 1} of those alike")
        self.longest = max((values.length(option) for site in game.sites for option in site.options), default=1)
        """Tokens of the longest move: a bound, not always reached."""
        self.texts = _told_apart(self._texts)
        """What each action is called; no two are called the same."""

    @property
    def size(self) -> int:
        """How many distinct actions there are."""
        return len(self._texts)

    def number(self, token: Token) -> int:
        """The action that a token is. Raises InteropError (EGO922) for a number beyond `max_number`."""
        found = self._numbers.get(token)
        if found is None:
            message = f"a move names the number `{token[-1]}`, and numbers were said to go up to {self.max_number}"
            raise InteropError("EGO922", message, "give a larger `max_number`")
        return found

    def add(self, token: Token, text: str, span: Span | None = None) -> None:
        """Give a token a number if it has none yet."""
        if token in self._numbers:
            return
        if len(self._numbers) >= MOST_ACTIONS:
            message = f"the moves of `{self.game.rulebook.name}` take more than {MOST_ACTIONS} distinct actions"
            raise InteropError("EGO921", message, "choose from fewer values, or give a smaller `max_number`", span)
        self._numbers[token] = len(self._texts)
        self._texts.append(text)

    def _add_options(self) -> None:
        for site in self.game.sites:
            for option in site.options:
                name = _label(option)
                if name is not None:
                    self.add(("option", name), name.replace("_", " ") if option.action is not None else name)
                    self.labels[name] = self._numbers["option", name]

    # ------------------------------------------------------------ moves

    def moves(self, state: State) -> list[Tokens]:
        """The tokens of each of `state.moves`, in their order; of a state (or branch) in which one player decides."""
        site = state.site
        assert site is not None
        writer = _Writer(self, state)
        made = [writer.move(site.options[raw[0]], raw[1:]) for raw in state.moves]
        groups: dict[Tokens, list[int]] = {}
        for index, tokens in enumerate(made):
            groups.setdefault(tokens, []).append(index)
        # In order, a sequence stands right before those that it begins.
        begun = {a for a, b in pairwise(sorted(groups)) if b[: len(a)] == a} if self.alike else set()
        for tokens, same in groups.items():
            if len(same) > 1 or tokens in begun:
                self._tell_apart(writer, state, made, tokens, same)
        return made

    def _tell_apart(self, writer: _Writer, state: State, made: list[Tokens], tokens: Tokens, same: list[int]) -> None:
        # In an order that the chooser can see: by place and by the names that the rules have for the cards, not by the
        # numbers of the cards.
        same.sort(key=lambda index: (state.moves[index][0], writer.places(state.moves[index]), index))
        digits = 1
        while _MOST_ALIKE**digits < len(same):
            digits += 1
        for k, index in enumerate(same):
            written = [k // _MOST_ALIKE**place % _MOST_ALIKE for place in reversed(range(digits))]
            made[index] = (*tokens, *(self.number(("alike", digit)) for digit in written))


def _label(option: Option) -> str | None:
    return option.label if option.label is not None or option.types else "go on"


def _told_apart(texts: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    made = []
    for text in texts:
        count = seen[text] = seen.get(text, 0) + 1
        made.append(text if count == 1 else f"{text} ({count})")
    return made


class _Values:
    """Fills the vocabulary with the values of types."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.game = encoding.game

    def add(self, kind: t.Type, span: Span | None, slots: Sequence[int], *, inside: bool = False) -> bool:
        """Add the values of a type; cards lie in the zone slots. Whether two of them may have the same tokens.

        `inside`: whether they are members of a set or row.
        """
        encoding, texts = self.encoding, self.game.texts
        match kind:
            case t.IntType():
                for value in number_range(kind, encoding.max_number, span):
                    encoding.add(number_token(kind, value), texts.number(value, kind.label), span)
            case t.OptionalType():
                encoding.add(NONE, "none", span)
                return self.add(kind.inner, span, slots, inside=inside)
            case t.SetType() | t.RowType():
                alike = self.add(kind.inner, span, slots, inside=True)
                encoding.add(END, "enough", span)
                if inside:
                    encoding.add(empty(kind), "nothing", span)
                return alike
            case t.TupleType():
                found = [self.add(item, span, slots, inside=inside) for item in kind.items]
                return any(found)
            case t.CardType():
                return self._add_cards(kind, span, slots)
            case t.NoneType():
                encoding.add(NONE, "none", span)
            case _:
                for value in domain(self.game, kind, span):
                    encoding.add(token_of(kind, value), texts.value(value, kind), span)
        return False

    def length(self, option: Option) -> int:
        """How many tokens a move of the option takes at most."""
        named = _label(option) is not None
        return named + sum(map(self._length, option.types)) + bool(self.encoding.alike)

    def _length(self, kind: t.Type) -> int:
        match kind:
            case t.OptionalType():
                return self._length(kind.inner)
            case t.SetType() | t.RowType():
                return 1 + self._length(kind.inner) * self._members(kind.inner)
            case t.TupleType():
                return sum(map(self._length, kind.items))
            case t.CardType():
                looks, cards = self._looks(kind)
                marks = sum(self._length(self.game.checked.declared[mark.type]) for mark in kind.decl.marks)
                return 1 + marks + (looks < cards)
            case _:
                return 1

    def _looks(self, kind: t.CardType) -> tuple[int, int]:
        # How many looks the cards have, and how many cards there are.
        cards = next(k.cards for k in self.game.layout.types if k.decl is kind.decl)
        return len({self.game.layout.look[card] for card in cards}), len(cards)

    def _members(self, kind: t.Type) -> int:
        # How many members a set of the type has at most, as far as it matters.
        match kind:
            case t.CardType():
                return self._looks(kind)[1]
            case t.IntType():
                return len(number_range(kind, self.encoding.max_number))
            case t.BoolType() | t.PlayerType() | t.TeamType() | t.EnumType():
                return len(domain(self.game, kind))
            case _:
                return _MOST_ALIKE

    def _add_cards(self, kind: t.CardType, span: Span | None, slots: Sequence[int]) -> bool:
        layout = self.game.layout
        of = next(k for k in layout.types if k.decl is kind.decl)
        for card in of.cards:
            self.encoding.add(("look", layout.look[card]), self.game.texts.card(card), span)
        for mark in kind.decl.marks:
            self.add(self.game.checked.declared[mark.type], span, ())
        looks, cards = self._looks(kind)
        alike = looks < cards
        places = [layout.slots[k] for k in slots if layout.slots[k].card_type == of.index]
        ordered = [slot for slot in places if slot.layout in {"row", "stack"}]
        hidden = [
            slot for slot in places if slot.layout in _PLACED and not all(map(slot.seen_by, range(layout.players)))
        ]
        unseen = bool(hidden)
        if unseen or (alike and ordered):
            for at in range(cards if ordered else 1):
                self.encoding.add(("place", at), f"#{at + 1}", span)
        # In one row or pile places tell which card is meant; beside other zones they do not.
        return (unseen and len(places) > 1) or (alike and (len(places) > 1 or not ordered))


def number_range(kind: t.IntType, max_number: int, span: Span | None = None) -> range:
    """The numbers of a type, those without a bound cut at `max_number` (0: raises InteropError, EGO920)."""
    low, high = kind.low, kind.high
    if low <= -t.WIDEST or high >= t.WIDEST:
        if not max_number:
            message = "a move names a number that has no bound, so its moves cannot be numbered"
            advice = "choose from numbers with bounds, or say how large they get with `max_number`"
            raise InteropError("EGO920", message, advice, span)
        low, high = max(low, -max_number), min(high, max_number)
    if high - low >= MOST_ACTIONS:
        message = f"a move names one of {high - low + 1} numbers, and a game can have {MOST_ACTIONS} distinct actions"
        raise InteropError("EGO921", message, "choose from fewer numbers", span)
    return range(low, high + 1)


def domain(game: Game, kind: t.Type, span: Span | None = None) -> range:
    """The values of a type with few values: players, teams, enums, yes and no.

    Raises InteropError (EGO920) for any other type.
    """
    match kind:
        case t.BoolType():
            return range(2)
        case t.PlayerType():
            return range(game.players)
        case t.TeamType():
            return range(game.layout.teams)
        case t.EnumType(decl=nodes.EnumDecl() as decl):
            return range(len(enum_items(game.checked, decl)))
        case t.EnumType(decl=nodes.ReadingDecl() as decl):
            return range(len(decl.answers))
        case _:
            message = f"a move names a {kind}, and such values cannot be numbered"
            raise InteropError("EGO920", message, "let the move name what has few values", span)


def number_token(kind: t.IntType, value: int) -> Token:
    """The token of a number: where its type has labels, one of its own."""
    return ("number", value) if kind.label is None else ("value", kind.label.name.name, value)


def empty(kind: t.SetType | t.RowType) -> Token:
    """The token of an empty set or row inside another one: each depth has its own, since each may begin another."""
    return ("empty", _depth(kind))


def _depth(kind: t.Type) -> int:
    match kind:
        case t.SetType() | t.RowType():
            return 1 + _depth(kind.inner)
        case t.OptionalType():
            return _depth(kind.inner)
        case t.TupleType():
            return max(map(_depth, kind.items), default=0)
        case _:
            return 0


def token_of(kind: t.Type, value: Value) -> Token:
    """The token of a value of a type with few values."""
    if isinstance(kind, t.EnumType):
        return ("value", kind.decl.name.name, value)
    return (type(kind).__name__, int(value))


class _Writer:
    """Writes the moves of one decision."""

    def __init__(self, encoding: Encoding, state: State) -> None:
        self.encoding = encoding
        self.state = state
        self.layout = state.game.layout

    def move(self, option: Option, values: Sequence[Value]) -> Tokens:
        name = _label(option)
        tokens = [] if name is None else [self.encoding.labels[name]]
        for value, kind in zip(values, option.types, strict=True):
            tokens.extend(self.value(value, kind))
        return tuple(tokens)

    def value(self, value: Value, kind: t.Type, *, inside: bool = False) -> Tokens:
        # `inside` a set or row no value may begin with the end token, which would end what it is a member of.
        number = self.encoding.number
        if value is None or value is UNSET:
            return (number(NONE),)
        match kind:
            case t.OptionalType():
                return self.value(value, kind.inner, inside=inside)
            case t.IntType():
                return (number(number_token(kind, value)),)
            case t.CardType():
                return self._card(value, kind)
            case t.SetType():
                members = sorted(self.value(member, kind.inner, inside=True) for member in value)
                end = END if members or not inside else empty(kind)
                return (*(token for member in members for token in member), number(end))
            case t.RowType():
                members = [self.value(member, kind.inner, inside=True) for member in value]
                end = END if members or not inside else empty(kind)
                return (*(token for member in members for token in member), number(end))
            case t.TupleType():
                parts = zip(value, kind.items, strict=True)
                return tuple(token for member, of in parts for token in self.value(member, of, inside=inside))
            case _:
                return (number(token_of(kind, value)),)

    def _card(self, card: int, kind: t.CardType) -> Tokens:
        slot = self.layout.slots[self.state.L[card]]
        number = self.encoding.number
        if slot.layout in _PLACED and not slot.seen_by(self.state.mover):
            return (number(("place", max(self._at(card), 0))),)
        of = self.layout.types[self.layout.card_type[card]]
        declared = self.state.game.checked.declared
        marks = (
            self.value(self.state.V[of.marks[mark.name.name] + card], declared[mark.type]) for mark in kind.decl.marks
        )
        shown = (number(("look", self.layout.look[card])), *(token for mark in marks for token in mark))
        if slot.layout in {"row", "stack"} and any(
            other != card and self._looks_like(other, card, of) for other in self.state.Z[self.state.L[card]]
        ):
            return (*shown, number(("place", self._at(card))))
        return shown

    def _looks_like(self, other: int, card: int, of: CardType) -> bool:
        look, values = self.layout.look, self.state.V
        return look[other] == look[card] and all(
            values[base + other] == values[base + card] for base in of.marks.values()
        )

    def _at(self, card: int) -> int:
        slot = self.state.L[card]
        return -1 if self.layout.unordered[slot] else self.state.Z[slot].index(card)

    def places(self, raw: Sequence[Value]) -> list[tuple[int, int, list[str]]]:
        """Where the cards of a move lie, and what names the rules have for them."""
        assert self.state.site is not None
        option = self.state.site.options[raw[0]]
        found: list[tuple[int, int, list[str]]] = []
        for value, kind in zip(raw[1:], option.types, strict=True):
            cards = (
                (self.state.L[c], self._at(c), sorted(map(repr, self._names.get(c, ())))) for c in _cards(value, kind)
            )
            found.extend(sorted(cards))
        return found

    @cached_property
    def _names(self) -> dict[int, list[tuple[Any, ...]]]:
        return named_cards(self.state)


def _cards(value: Value, kind: t.Type) -> Iterator[int]:
    if value is None or value is UNSET:
        return
    match kind:
        case t.CardType():
            yield value
        case t.OptionalType():
            yield from _cards(value, kind.inner)
        case t.SetType() | t.RowType():
            for member in value:
                yield from _cards(member, kind.inner)
        case t.TupleType():
            for member, of in zip(value, kind.items, strict=True):
                yield from _cards(member, of)
        case _:
            return


# ---------------------------------------------------------------- choosing token by token


@attrs.frozen
class Choice:
    """A decision half made: the moves that begin with the tokens `chosen`, and what may come next.

    `moves` are (tokens, number of the move) and agree in their first `depth` tokens; those of them that nobody has
    chosen are not asked for, because there is only one way to go on.
    """

    moves: tuple[tuple[Tokens, int], ...]
    depth: int
    chosen: Tokens = ()

    @cached_property
    def legal(self) -> list[int]:
        """The tokens that may come next, in order."""
        return sorted({tokens[self.depth] for tokens, _ in self.moves})

    def choose(self, token: int) -> Choice | int:
        """What comes after a legal token: the rest of the decision, or the number of the move that is chosen."""
        left = tuple(move for move in self.moves if move[0][self.depth] == token)
        if len(left) == 1:
            return left[0][1]
        return Choice(left, _common(left, self.depth + 1), (*self.chosen, token))


def begin(moves: Iterable[Tokens]) -> Choice:
    """A decision that nobody has begun. Even where there is one move only, it is asked for."""
    numbered = tuple((tokens, k) for k, tokens in enumerate(moves))
    return Choice(numbered, _common(numbered, 0) if len(numbered) > 1 else 0)


def _common(moves: Sequence[tuple[Tokens, int]], depth: int) -> int:
    first = moves[0][0]
    while all(tokens[depth] == first[depth] for tokens, _ in moves):
        depth += 1
    return depth
