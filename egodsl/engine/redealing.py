"""Dealing anew what a player cannot know: a world is drawn (see `worlds`), and a copy of the state put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from egodsl.engine.bodies import holds_cards
from egodsl.engine.code import CODE, FIRST
from egodsl.engine.identity import live_slots
from egodsl.engine.past import Entry, Past, entries_of
from egodsl.engine.renumbering import in_place, mapped, renumbered, retell, retold
from egodsl.engine.rng import Random, derive
from egodsl.engine.table import CHANCE, DECIDE, FACT, WRITE
from egodsl.engine.tracking import Tracker, argument_of, bare_table, card_names, follow, name_types, tracker_of
from egodsl.engine.values import Value
from egodsl.engine.worlds import Routes, Then, World
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.code import Frame
    from egodsl.engine.decisions import Raw
    from egodsl.engine.renumbering import Numbers
    from egodsl.engine.state import State

SWEEPS = 3
"""How often every mix is drawn anew."""
TRIES = 30
"""How many worlds are drawn before a state is left as it is, because in none of them whoever decides has a move or the
facts hold.
"""


def redeal(state: State, player: int, rng: int) -> State:
    """A copy in which what the player cannot know is drawn anew; the player cannot tell the two apart.

    `rng` is from 0 to 2^64-1: the same number gives the same copy. Cards are dealt among the places where the player
    may think them to be; secret variables of others are drawn from what was offered to whoever chose them, where the
    log tells; dice that were rolled unseen are rolled again. The chance to come is drawn from `rng` too, if the state
    has a seed. What is kept, because nothing tells what it could have been: secrets worked out from other values. The
    real arrangement is kept where `TRIES` draws give none in which whoever decides has a move.
    """
    tracker = tracker_of(state, player)
    random = Random(derive(rng, "redeal", player))
    routes = Routes(tracker)
    for _ in range(TRIES):
        for _ in range(SWEEPS):
            routes.sweep(random)
        made = _dealt(state, tracker, routes, random)
        if made is not None:
            return made
    kept = state.clone()
    _new_chance(kept, random)
    return kept


# ---------------------------------------------------------------- the copy


def _dealt(state: State, tracker: Tracker, routes: Routes, random: Random) -> State | None:
    """The state in the world drawn, or None where it cannot be one."""
    world = World(routes.changes(), len(tracker.faces.bits))
    secrets = _Secrets(tracker, random)
    log = state.log
    copy = state.clone()
    _renumber(copy, world, tracker, secrets)
    for player, branch in copy.branches.items():
        secrets.draw_branch(player, branch)
        told = [retold(entry, state.game, world.numbers) for entry in branch.entries()]
        _renumber(branch, world, tracker, secrets)
        branch.log = None
        for entry in told:
            branch.log = (branch.log, entry)
    if state.log is not None:
        copy.log = Past(lambda: retell(state.game, entries_of(log), bare_table(state), world.changes, secrets.entries))
    _new_chance(copy, random)
    if not _ask_again(copy) or not _facts_hold(state, tracker, copy):
        return None
    return copy


def _new_chance(copy: State, random: Random) -> None:
    if copy.rng is not None:
        copy.rng = derive(random.state, "chance")
        copy.seed = None


def _renumber(copy: State, world: World, tracker: Tracker, secrets: _Secrets) -> None:
    layout, numbers = copy.game.layout, world.numbers
    old_lying, old_marks = copy.L, {k: copy.V[k] for k in copy.game.mark_slots}
    copy.L = old_lying[:]
    for card, number in enumerate(numbers):
        copy.L[number] = old_lying[card]
    for slot, cards in enumerate(copy.Z):
        copy.Z[slot] = in_place([numbers[card] for card in cards], layout.unordered[slot], copy.loose[slot])
    for slot, value in secrets.values_in(copy).items():
        copy.V[slot] = value
    for slot in copy.game.card_variables:
        decl = layout.var_slots[slot].decl
        assert isinstance(decl, nodes.VarDecl)
        own = copy.branch_of is not None and slot in secrets.values_in(copy)
        written = tracker.written.get(slot, -1)
        then = numbers if own else Then(world, written)
        copy.V[slot] = mapped(copy.V[slot], copy.game.checked.declared[decl.type], then)
    _renumber_marks(copy, numbers, tracker, old_marks, secrets)
    for depth, frame in enumerate(copy.frames):
        _renumber_frame(copy, depth, frame, Then(world, tracker.mentioned))
    if copy.chance_at is not None:
        site, candidates = copy.chance_at
        copy.chance_at = (site, [mapped(value, site.type, numbers) for value in candidates])


def _renumber_marks(copy: State, numbers: Numbers, tracker: Tracker, old: dict[int, Value], secrets: _Secrets) -> None:
    # A mark that the player knows stays at its place; one that they do not goes with its card, or is rolled again.
    for kind in copy.game.layout.types:
        for base in kind.marks.values():
            for card in kind.cards:
                if base + card in tracker.marks:
                    copy.V[base + numbers[card]] = old[base + card]
                elif base + card in secrets.rolled:
                    copy.V[base + numbers[card]] = secrets.rolled[base + card]


def _renumber_frame(copy: State, depth: int, frame: Frame, numbers: Numbers) -> None:
    code = frame[CODE]
    if code.kind == "announce":
        types = [copy.game.checked.declared[p.type] for p in code.decl.params]
        frame[FIRST + 2] = tuple(
            mapped(value, kind, numbers) for value, kind in zip(frame[FIRST + 2], types, strict=True)
        )
    elif code.kind == "fire":
        frame[FIRST] = tuple((index, _binding(copy, index, binding, numbers)) for index, binding in frame[FIRST])
    elif code.live:
        for slot in live_slots(copy, depth, frame)[1]:
            frame[slot] = renumbered(frame[slot], numbers)


def _binding(copy: State, index: int, binding: tuple[Value, ...], numbers: Numbers) -> tuple[Value, ...]:
    decl = copy.game.watches[index].code.decl
    assert isinstance(decl, nodes.ConditionTrigger)
    types = name_types(copy.game, decl.binders)
    return tuple(mapped(value, kind, numbers) for value, kind in zip(binding, types, strict=True))


def _ask_again(copy: State) -> bool:
    """Work the moves of the decision out for the new cards. False where somebody who decides has none."""
    for deciding in copy.branches.values() or (copy,):
        site = deciding.site
        if site is None:
            continue
        frame = deciding.frames[-1]
        named = _named(deciding)
        moves: list[Raw] = []
        for option in site.options:
            option.enumerate(deciding, frame, moves, named)
        deciding.moves = moves
        if not moves:
            return False
    for watch in copy.game.watches:
        if copy.armed[watch.index] is not None and not copy.dirty:
            copy.armed[watch.index] = watch.value(copy)
    return True


def _named(state: State) -> frozenset[int]:
    found: set[int] = set()
    for depth, frame in enumerate(state.frames):
        cards = live_slots(state, depth, frame)[1] if frame[CODE].live else ()
        assert state.site is not None
        for slot in state.site.live_cards if depth == len(state.frames) - 1 else cards:
            found.update(_numbers_in(frame[slot]))
    for slot in state.game.card_variables:
        found.update(_numbers_in(state.V[slot]))
    return frozenset(found)


def _numbers_in(value: Value) -> list[int]:
    if isinstance(value, frozenset | tuple):
        return [card for member in value for card in _numbers_in(member)]
    return [value] if isinstance(value, int) else []


# ---------------------------------------------------------------- secrets


class _Secrets:
    """New values for variables and rolls that the player cannot know, and the entries that they change."""

    def __init__(self, tracker: Tracker, random: Random) -> None:
        self.tracker = tracker
        self.random = random
        self.values: dict[int, Value] = {}
        self.rolled: dict[int, Value] = {}
        self.entries: dict[int, Entry] = {}
        """New entries by their number in the log; cards have their old numbers."""
        self._in_branches: dict[int, dict[int, Value]] = {}
        game = tracker.game
        drawn: dict[tuple[int, int], Value] = {}
        for slot, (entry, number, at) in tracker.origin.items():
            if slot in tracker.shown or slot in tracker.marks or (entry[0] == DECIDE and entry[1] == tracker.player):
                continue
            decl = game.layout.var_slots[slot].decl
            if holds_cards(game.checked.declared[decl.type]):
                continue
            if (number, at) not in drawn:
                # What was written into several variables is one choice, and is drawn once.
                drawn[number, at], self.entries[number] = _drawn(self.entries.get(number, entry), at, random)
            new = drawn[number, at]
            (self.rolled if isinstance(decl, nodes.Mark) else self.values)[slot] = new
            self.entries[tracker.written[slot]] = (WRITE, slot, new)

    def draw_branch(self, player: int, branch: State) -> None:
        """What others wrote in a `together` that is not over is drawn anew too; their entries say so."""
        written: dict[int, Value] = {}
        told = branch.entries()
        real = told[:]
        recent: int | None = None
        drawn: dict[tuple[int, int], Value] = {}
        for k, entry in enumerate(told):
            if entry[0] == DECIDE:
                recent = k
            elif entry[0] == WRITE:
                slot, value = entry[1:]
                secret = recent is not None and player != self.tracker.player and self._secret(slot)
                at = argument_of(self.tracker.game, real[recent or 0], slot, value) if secret else None
                if recent is not None and at is not None:
                    if (recent, at) not in drawn:
                        drawn[recent, at], told[recent] = _drawn(told[recent], at, self.random)
                    value = drawn[recent, at]
                    told[k] = (WRITE, slot, value)
                written[slot] = value
        branch.log = None
        for entry in told:
            branch.log = (branch.log, entry)
        self._in_branches[player] = written

    def _secret(self, slot: int) -> bool:
        place = self.tracker.game.layout.var_slots[slot]
        if place.seen_by(self.tracker.player) or not isinstance(place.decl, nodes.VarDecl):
            return False
        return not holds_cards(self.tracker.game.checked.declared[place.decl.type])

    def values_in(self, state: State) -> dict[int, Value]:
        """The secrets as the state, or that branch of it, has them."""
        if state.branch_of is None:
            return self.values
        return {**self.values, **self._in_branches[state.branch_of]}


def _drawn(entry: Entry, argument: int, random: Random) -> tuple[Value, Entry]:
    """Another value that could have been chosen for the argument (from 0), everything else chosen being the same, and
    the entry that says so.
    """
    if entry[0] == CHANCE:
        candidates = entry[3] if len(entry) > 3 else [entry[2]]  # noqa: PLR2004 - what it was drawn from
        new = candidates[random.below(len(candidates))]
        return new, (CHANCE, entry[1], new, *entry[3:])
    raw, moves = entry[3], entry[4]
    at = 1 + argument
    offered = [move for move in moves if move[:at] == raw[:at] and move[at + 1 :] == raw[at + 1 :]]
    chosen = offered[random.below(len(offered))] if offered else raw
    return chosen[at], (*entry[:3], chosen, moves)


def _facts_hold(state: State, tracker: Tracker, copy: State) -> bool:
    """Whether what the player was told of several cards at once is true in the world drawn."""
    game = state.game
    if not tracker.wide:
        return True
    table = bare_table(state)
    for entry in copy.entries():
        if (
            entry[0] == FACT
            and len(card_names(game, entry[2])) != 1
            and (entry[1] is None or tracker.player in entry[1])
        ):
            test: Callable[..., Any] = game.fact_values[entry[2]]
            if any(test(table, entry[4], *names) != value for names, value in entry[3]):
                return False
        follow(table, entry)
    return True
