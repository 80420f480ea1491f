"""Knowledge against all that could have happened.

Small games are played in every possible way. Positions in which a player has observed the same are the worlds that the
player cannot tell apart: what the view claims to know must hold in all of them, what holds in all of them must be
known, and dealing anew must lead to each of them and nowhere else.
"""

from __future__ import annotations

import itertools
import textwrap
from collections import Counter
from functools import reduce
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.faults import GameFault
from egodsl.engine.rng import Random, derive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

HEAD = """
    card Card:
        value: 1..3
        written "{value}"
    components cards of Card in deck:
        2 x (value: 1)
        1 x (value: v) for v in 2..3
    zone deck: stack of Card, face down
    zone hand[player]: set of Card, owner only
    zone table: stack of Card, face up
    zone row: row of Card, face down
"""

GAMES = {
    "shown, then given away unseen": """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            choose shown in hand
            reveal shown
            choose c in hand
            move c to hand[left(active)]
            choose v in 0..0
            reveal hand[active]
            choose w in 0..0
""",
    "put back, mixed and drawn": """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as left(active): look at top(deck)
        as active:
            choose c in hand
            move c to deck
            choose v in 0..0
            may "shuffle it": shuffle deck
            move top(deck) to hand[left(active)]
            choose w in 0..0
            move top(deck) to table
            choose x in 0..0
""",
    "swapped and played": """
    stage game:
        shuffle deck
        for p in players: move 2 if p = active else 1 from deck to hand[p]
        as active:
            pick mine at random from hand[active]
            pick theirs at random from hand[left(active)]
            swap mine with theirs
            choose v in 0..0
        as left(active):
            choose d in hand
            move d to table
            choose w in 0..0
""",
    "laid in a row": """
    stage game:
        shuffle deck
        move 2 from deck to hand[active]
        as active:
            choose c in hand
            move c to row
            choose d in hand
            move d to row
            choose v in 0..0
        as left(active):
            choose e in row
            look at e
            choose f in row
            move f to table
            choose w in 0..0
""",
    "a pair of which one is played": """
    stage game:
        shuffle deck
        move 3 from deck to hand[active]
        as active:
            choose c in hand, twin in hand where twin != c
            reveal twin
            move c to table
            choose v in 0..0
            move hand to deck
            shuffle deck
            choose w in 0..0
""",
}


def everything(state: State) -> Iterator[State]:
    """Each decision of each way in which the game can go, and each end."""
    if state.is_chance:
        for outcome in state.chance():
            copy = state.clone()
            copy.apply(outcome)
            yield from everything(copy)
        return
    yield state
    for player in state.to_move:
        for move in state.legal_moves(player):
            copy = state.clone()
            copy.apply(move)
            yield from everything(copy)


PIECES = (
    "choose c{n} in hand; move c{n} to deck",
    "choose c{n} in hand; move c{n} to table",
    "choose c{n} in hand; reveal c{n}",
    "choose c{n} in hand; move c{n} to hand[left(you)]",
    "choose c{n} in hand; move c{n} to row",
    "choose c{n} in row; look at c{n}",
    "choose c{n} in row; move c{n} to hand",
    "pick c{n} at random from hand; reveal c{n}",
    "move 1 at random from hand to hand[left(you)]",
    "move 1 at random from hand to deck",
    "move top(deck) to hand",
    "move top(deck) to table",
    "move 1 from deck to row",
    "move row to deck",
    "shuffle deck",
    "shuffle row",
    "look at top(deck)",
    "look at hand[left(you)]",
    "reveal hand",
)


def some_game(seed: int) -> str:
    """A game of a few steps at random; some of them cannot be gone."""
    random = Random(derive(seed, "pieces"))
    lines = [
        "stage game:",
        "    shuffle deck",
        "    for p in players: move 2 if p = active else 1 from deck to hand[p]",
    ]
    for n in range(4):
        lines.append(f"    as {('active', 'left(active)')[random.below(2)]}:")
        piece = PIECES[random.below(len(PIECES))].format(n=n)
        lines += [f"        {part}" for part in piece.split("; ")]
    lines.append("    as active: choose z in 0..0")
    return textwrap.indent("\n".join(lines), "    ")


World = tuple[tuple[str, ...], ...]


def world(state: State) -> World:
    """The faces in each zone; in their order where there is one."""
    layout = state.game.layout
    zones = []
    for slot, cards in enumerate(state.Z):
        faces = [state.game.texts.card(card) for card in cards]
        if layout.unordered[slot]:
            faces.sort()
        for low, high in state.loose[slot]:
            faces[len(cards) - high : len(cards) - low] = sorted(faces[len(cards) - high : len(cards) - low])
        zones.append(tuple(faces))
    return tuple(zones)


def common(bags: list[Counter[str]]) -> Counter[str]:
    return reduce(lambda a, b: a & b, bags)


def check_view(state: State, player: int, worlds: set[World]) -> None:
    """The view claims exactly what holds in all of the worlds."""
    layout = state.game.layout
    for slot, seen in enumerate(state.view(player).zones):
        lying = [w[slot] for w in worlds]
        if layout.unordered[slot]:
            assert Counter(face for face in seen.places if face is not None) == common([Counter(x) for x in lying])
            continue
        loose = {len(lying[0]) - 1 - d for low, high in state.loose[slot] for d in range(low, high)}
        for k, face in enumerate(seen.places):
            there = {x[k] for x in lying}
            assert face == (there.pop() if len(there) == 1 and k not in loose else None)
        unplaced = [k for k, face in enumerate(seen.places) if face is None]
        assert Counter(seen.known) == common([Counter(x[k] for k in unplaced) for x in lying])


@pytest.mark.parametrize("name", GAMES)
def test_knowledge_is_what_all_worlds_have_in_common(make: Callable[..., Game], name: str) -> None:
    reached = list(everything(make(HEAD + GAMES[name]).start()))
    doubtful = 0
    for player in (0, 1):
        alike: dict[tuple[str, ...], tuple[list[State], set[World]]] = {}
        for state in reached:
            observed = tuple(map(str, state.observations(player)))
            states, worlds = alike.setdefault(observed, ([], set()))
            states.append(state)
            worlds.add(world(state))
        for states, worlds in alike.values():
            for state in states:
                check_view(state, player, worlds)
            draws = 12 * len(worlds) if len(worlds) > 1 else 2
            assert {world(states[0].redeal(player, k)) for k in range(draws)} == worlds
            doubtful += len(worlds) > 1
    assert doubtful >= 3


def test_nothing_is_claimed_that_need_not_be_so(make: Callable[..., Game]) -> None:
    tried = 0
    for seed in range(40):
        try:
            reached = list(itertools.islice(everything(make(HEAD + some_game(seed)).start()), 400))
        except GameFault:
            # A step wanted a card where there is none.
            continue
        if len(reached) < 400:
            tried += 1
            for player in (0, 1):
                check_claims(reached, player, seed)
    assert tried >= 10


def check_claims(reached: list[State], player: int, rng: int) -> None:
    """What each view claims holds in all positions that look the same, and a copy is one of them."""
    alike: dict[tuple[str, ...], tuple[list[State], set[World]]] = {}
    for state in reached:
        states, worlds = alike.setdefault(tuple(map(str, state.observations(player))), ([], set()))
        states.append(state)
        worlds.add(world(state))
    for states, worlds in alike.values():
        view = states[0].view(player)
        assert states[-1].view(player) == view
        assert world(states[0].redeal(player, rng)) in worlds
        for slot, seen in enumerate(view.zones):
            lying = [w[slot] for w in worlds]
            if not states[0].game.layout.unordered[slot]:
                assert all(face in (None, x[k]) for x in lying for k, face in enumerate(seen.places))
            claimed = Counter(seen.known) + Counter(face for face in seen.places if face is not None)
            assert not claimed - common([Counter(x) for x in lying])
