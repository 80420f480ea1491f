"""Positions made small: a digest that tells them apart, and bytes from which one is made again.

Both leave the past out. A digest is the same for two positions exactly if they are equal (see `identity`), but for two
that differ in a million million million million million million: 128 bits.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from array import array
from typing import TYPE_CHECKING, Any

from egodsl.engine import identity
from egodsl.engine.code import AT, CODE, FIRST, YOU, Frame
from egodsl.engine.machine import FIRE
from egodsl.engine.state import State

if TYPE_CHECKING:
    from collections.abc import Hashable

    from egodsl.engine.code import Code
    from egodsl.engine.game import Game

DIGEST = 16
"""Bytes of a digest."""


class Numbers(dict[Any, int]):
    """Numbers the values that it is asked for; equal values have one number."""

    def __missing__(self, value: Hashable) -> int:
        number = self[value] = len(self)
        return number


def add_value(value: Hashable, parts: list[int], numbers: Numbers) -> None:
    """Write a value down: what tuples and digests hold, and other values by their numbers."""
    if isinstance(value, tuple):
        parts.append(-len(value) - 1)
        for one in value:
            add_value(one, parts, numbers)
    elif isinstance(value, bytes):
        parts.extend(array("q", value))
    else:
        parts.append(numbers[value])


def digest_of(parts: list[int]) -> bytes:
    """The digest of what was written down."""
    return hashlib.blake2b(array("q", parts).tobytes(), digest_size=DIGEST).digest()


class Digester:
    """Digests of the positions of one game. They depend on the order in which values were first met, so those of two
    digesters cannot be compared.
    """

    def __init__(self, game: Game) -> None:
        layout = game.layout
        self._face = layout.face
        self._unordered = layout.unordered
        self._outside = layout.outside
        self._numbers = Numbers()
        self._codes: dict[int, int] = {}
        self._bases = [tuple(layout.types[kind].marks.values()) for kind in layout.card_type]
        self._marked = bool(game.mark_slots)
        self._card_slots = game.card_variables
        self._kept = [k for k in range(len(layout.var_slots)) if k not in game.mark_slots]
        # Where the faces go up with the numbers of the cards, cards in order are faces in order.
        self._in_order = all(a <= b for a, b in zip(layout.face, layout.face[1:], strict=False))

    def __call__(self, state: State, more: Hashable = ()) -> bytes:
        """The digest; `more` is told apart as well."""
        parts: list[int] = []
        self._add(state, parts)
        add_value(more, parts, self._numbers)
        return digest_of(parts)

    def _add(self, state: State, parts: list[int]) -> None:
        names = identity.named_cards(state)
        if names or self._marked:
            self._add_told_apart(state, parts, names)
        else:
            self._add_faces(state, parts)
        numbers = self._numbers
        variables = state.V
        if self._card_slots:
            variables = variables[:]
            for slot in self._card_slots:
                variables[slot] = identity.shape(variables[slot])
        if self._marked:
            parts.extend([numbers[variables[k]] for k in self._kept])
        else:
            parts.extend(map(numbers.__getitem__, variables))
        parts.append(-len(state.frames))
        for depth, frame in enumerate(state.frames):
            self._add_frame(state, depth, frame, parts)
        parts.append(-len(state.turns))
        for turn in state.turns:
            parts.extend(map(numbers.__getitem__, turn))
        parts.extend(map(numbers.__getitem__, state.armed))
        parts.append(-len(state.branches))
        for player, branch in state.branches.items():
            parts.append(player)
            self._add(branch, parts)
        parts.append(state.site.index if state.site is not None else -1)
        parts.append(state.chance_at[0].index if state.chance_at is not None else -1)
        parts.append(state.hold * 4 + state.over * 2 + (state.fault is None))

    def _add_faces(self, state: State, parts: list[int]) -> None:
        face, unordered, loose = self._face, self._unordered, state.loose
        for slot, cards in enumerate(state.Z):
            parts.append(-len(cards))
            if not cards:
                continue
            faces = [face[card] for card in cards]
            if unordered[slot] and not self._in_order:
                faces.sort()
            if loose[slot]:
                self._add_loose(state, slot, faces, parts)
            parts += faces

    def _add_told_apart(self, state: State, parts: list[int], names: dict[int, list[tuple[Any, ...]]]) -> None:
        numbers, variables = self._numbers, state.V
        for slot, cards in enumerate(state.Z):
            tokens = [
                numbers[
                    self._face[card],
                    tuple([variables[base + card] for base in self._bases[card]]),
                    tuple(sorted(names[card])) if card in names else (),
                ]
                for card in cards
            ]
            if self._unordered[slot]:
                tokens.sort()
            parts.append(-len(cards))
            if state.loose[slot]:
                self._add_loose(state, slot, tokens, parts)
            parts += tokens

    def _add_loose(self, state: State, slot: int, tokens: list[int], parts: list[int]) -> None:
        for low, high in state.loose[slot]:
            first, end = len(tokens) - high, len(tokens) - low
            tokens[first:end] = sorted(tokens[first:end])
            parts += (-low - 1, -high)

    def _code(self, code: Code) -> int:
        number = self._codes.get(id(code))
        if number is None:
            number = self._codes[id(code)] = self._numbers["code", code.kind, code.name]
        return number

    def _add_frame(self, state: State, depth: int, frame: Frame, parts: list[int]) -> None:
        numbers = self._numbers
        code = frame[CODE]
        parts += (self._code(code), frame[AT])
        if code is FIRE:
            parts.append(numbers[frame[FIRST]])
            return
        parts.append(numbers[frame[YOU]])
        if code.kind == "announce":
            parts += (frame[FIRST], frame[FIRST + 1])
            for value, cards in zip(frame[FIRST + 2], code.card_params, strict=True):
                parts.append(numbers[identity.shape(value) if cards else value])
            return
        live, cards_in = identity.live_slots(state, depth, frame)
        for slot in live:
            parts.append(numbers[identity.shape(frame[slot]) if slot in cards_in else frame[slot]])


class Packer:
    """Positions of one game as bytes."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._number_of = {id(code): k for k, code in enumerate(game.codes)}

    def pack(self, state: State) -> bytes:
        """The position without its past: what `unpack` makes of it plays on alike, and cannot say what players know.

        (What happened within `together` is kept, since it is done again.)
        """
        parts = self.parts(state)
        if state.watched is None:
            return pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
        into = io.BytesIO()
        _Pickler(self, into).dump(parts)
        return into.getvalue()

    def parts(self, state: State) -> tuple[Any, ...]:
        """What is kept of a position."""
        chance = state.chance_at
        return (
            state.Z,
            state.V,
            {slot: loose for slot, loose in enumerate(state.loose) if loose},
            [(self._number_of[id(frame[CODE])], *frame[1:]) for frame in state.frames],
            state.turns,
            state.running,
            state.armed,
            (state.unarmed, state.dirty, state.hold, state.ticks, state.firings, state.decisions, state.returned),
            {player: (self.parts(branch), branch.entries()) for player, branch in state.branches.items()},
            state.branch_of,
            state.site is not None,
            None if chance is None else (chance[0].index, chance[1]),
            state.over,
            state.whole,
            state.watched,
        )

    def unpack(self, packed: bytes) -> State:
        """The position that was packed."""
        return self.made(_Unpickler(self, io.BytesIO(packed)).load())

    def made(self, parts: tuple[Any, ...]) -> State:
        """The position of which this was kept."""
        game = self._game
        state = State.__new__(State)
        State.__init__(state, game, None)
        state.Z, state.V, loose, frames, state.turns, state.running, state.armed, numbers, *rest = parts
        branches, state.branch_of, decides, chance, state.over, state.whole, state.watched = rest
        for slot, cards in enumerate(state.Z):
            for card in cards:
                state.L[card] = slot
        for slot, stretches in loose.items():
            state.loose[slot] = stretches
        codes = game.codes
        state.frames = [[codes[number], *slots] for number, *slots in frames]
        state.unarmed, state.dirty, state.hold, state.ticks, state.firings, state.decisions, state.returned = numbers
        for player, (inside, entries) in branches.items():
            branch = state.branches[player] = self.made(inside)
            for entry in entries:
                branch.log = (branch.log, entry)
        if chance is not None:
            state.chance_at = (game.draws[chance[0]], chance[1])
        if decides:
            # The moves are worked out anew, which is quicker than to keep them.
            frame = state.frames[-1]
            frame[AT] -= 1
            frame[CODE].ops[frame[AT]](state, frame)
            frame[AT] += 1
        return state


# What is remembered of the past of a game (`State.watched`) may hold positions.


class _Pickler(pickle.Pickler):
    def __init__(self, packer: Packer, into: io.BytesIO) -> None:
        super().__init__(into, pickle.HIGHEST_PROTOCOL)
        self._packer = packer

    def persistent_id(self, obj: object) -> Any:
        return self._packer.parts(obj) if isinstance(obj, State) else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, packer: Packer, source: io.BytesIO) -> None:
        super().__init__(source)
        self._packer = packer

    def persistent_load(self, pid: Any) -> State:
        return self._packer.made(pid)
