"""States: copies, equality, hashing, and states and games as bytes."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from egodsl.engine.game import load
from egodsl.engine.rng import Random
from tests.helpers import moves, outcomes, play, play_as, var, zone

if TYPE_CHECKING:
    from collections.abc import Callable

    from egodsl.engine.game import Game
    from egodsl.engine.state import State

    Make = Callable[..., Game]

HEAD = """
card Card:
    rank: 1..3
    written "{rank}"
components cards of Card in box:
    3 x (rank: r) for r in 1..3
zone box: set of Card, face up
zone deck: stack of Card, face down
zone row_of: row of Card, face up
zone hand[player]: set of Card, owner only
var n: 0..99 = 0
var held: Card? = none
"""


def begin(make: Make, body: str, seed: int | None = None, more: str = "") -> State:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return make(f"{HEAD}{more}\nstage game:\n{lines}").start(seed)


def cards_of(state: State, rank: int) -> list[int]:
    column = state.game.layout.types[0].fields["rank"]
    return [card for card in state.game.layout.types[0].cards if column[card] == rank]


def revived(data: bytes) -> Any:  # noqa: ANN401 - a game or a state
    return pickle.loads(data)  # noqa: S301 - our own bytes


def slot_of(state: State, name: str, *indexes: int) -> int:
    return state.game.layout.zones[state.game.checked.program.zones[name]].slot(indexes)


def swapped(state: State, a: int, b: int) -> State:
    """A copy in which two cards have changed places, and every name still means the card it meant."""
    other = state.clone()
    slots = other.L[a], other.L[b]
    for slot in set(slots):
        changed = tuple({a: b, b: a}.get(card, card) for card in other.Z[slot])
        other.Z[slot] = tuple(sorted(changed)) if other.game.layout.unordered[slot] else changed
    other.L[a], other.L[b] = slots[1], slots[0]
    return other


LAY = (
    "pick x at random from {c in box where c.rank = 1}\nmove x to hand[players[1]]\n"
    "pick y at random from {c in box where c.rank = 2}\nmove y to row_of\n"
)


def test_states_that_differ_by_cards_of_one_face_are_equal(make: Make) -> None:
    state = begin(make, LAY + "as players[1]: choose k in 1..2\nn := k", seed=0)
    (held,) = state.Z[slot_of(state, "hand", 0)]
    one, two = (card for card in cards_of(state, 1) if card != held)
    other = swapped(swapped(state, held, one), one, two)
    assert other.Z != state.Z
    assert other == state
    assert hash(other) == hash(state)
    (laid,) = state.Z[slot_of(state, "row_of")]
    twin = next(card for card in cards_of(state, 2) if card != laid)
    assert swapped(state, laid, twin) == state
    assert swapped(state, held, laid) != state, "their faces differ"


def test_a_live_name_tells_cards_of_one_face_apart(make: Make) -> None:
    body = LAY + "as players[1]: choose k in 1..2\nn := k + "
    reading = begin(make, body + "(10 if x in hand[players[1]] else 20)", seed=0)
    (named,) = reading.Z[slot_of(reading, "hand", 0)]
    other = next(card for card in cards_of(reading, 1) if card != named)
    assert swapped(reading, named, other) != reading, "x is read later"
    assert var(play(swapped(reading, named, other), "1"), "n") != var(play(reading.clone(), "1"), "n")
    forgotten = begin(make, body + "10", seed=0)
    assert swapped(forgotten, named, other) == forgotten, "x is not read any more"


def test_a_variable_tells_cards_of_one_face_apart(make: Make) -> None:
    state = begin(make, LAY + "held := x\nas players[1]: choose k in 1..2\nn := k", seed=0)
    named = var(state, "held")
    other = next(card for card in cards_of(state, 1) if card != named)
    assert swapped(state, named, other) != state
    assert swapped(state, *(card for card in cards_of(state, 1) if card != named)) == state
    # The variable means another card that lies where the first did: nobody can tell.
    renamed = swapped(state, named, other)
    slot = next(
        k
        for k, value in enumerate(state.V)
        if value == named and state.game.layout.var_slots[k].decl.name.name == "held"
    )
    renamed.V[slot] = other
    assert renamed == state


def test_the_order_of_a_shuffled_stretch_is_nothing(make: Make) -> None:
    one = begin(make, "move box to deck\nshuffle deck\nas players[1]: choose k in 1..2\nn := k")
    slot = slot_of(one, "deck")
    other = one.clone()
    other.Z[slot] = tuple(reversed(other.Z[slot]))
    assert other == one
    assert hash(other) == hash(one)
    settled = begin(make, "move box to deck\nas players[1]: choose k in 1..2\nn := k")
    assert settled != one
    turned = settled.clone()
    turned.Z[slot] = tuple(reversed(turned.Z[slot]))
    assert turned != settled, "an order that is settled counts"


def test_different_ways_to_one_position_are_equal(make: Make) -> None:
    rules = (
        "move box to hand[players[1]]\nas players[1]:\n    repeat 2 times:\n        choose c in hand\n"
        "        move c to box\n    choose k in 1..2\n    n := k"
    )
    start = begin(make, rules, seed=0)
    one = play(start.clone(), "1", "3")
    other = play(start.clone(), "3", "1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.record() != other.record(), "what happened is no part of a position"
    assert play(start.clone(), "1", "2") != one
    assert {one, other} == {one}


def test_positions_of_other_places_in_the_rules_differ(make: Make) -> None:
    state = begin(make, "as players[1]: choose a in 1..2\nas players[1]: choose b in 1..2\nn := 1", seed=0)
    assert play(state.clone(), "1") != state
    assert play(state.clone(), "1") == play(state.clone(), "2"), "a is never read"
    reading = begin(make, "as players[1]: choose a in 1..2\nas players[1]: choose b in 1..2\nn := a + b", seed=0)
    assert play(reading.clone(), "1") != play(reading.clone(), "2")
    other = begin(make, "as players[1]: choose a in 1..2\nas players[1]: choose b in 1..2\nn := a + b", seed=0)
    assert other == reading, "the same text and settings are the same game"
    assert state != reading
    assert state.__eq__("a state") is NotImplemented


def test_who_decides_and_who_is_next_count(make: Make) -> None:
    more = "var last: player? = none\n"
    rules = (
        "turns from players[1]:\n    choose p in players\n    next := p\n"
        "    as players[2]: choose k in 1..2\n    n := k"
    )
    state = begin(make, rules, seed=0, more=more)
    assert play(state.clone(), "A") != play(state.clone(), "B")


def test_a_copy_goes_its_own_way(make: Make) -> None:
    state = begin(
        make,
        (
            "move box to deck\nshuffle deck\nturns from players[1]:\n    move 1 from deck to hand\n"
            "    choose c in hand\n    move c to row_of\n    n += 1\n    if n = 6: end game"
        ),
        seed=3,
    )
    kept = [state.clone()]
    before = [(s.Z[:], s.V[:], s.L[:], s.record()) for s in kept]
    while not state.is_over:
        copied = state.clone()
        assert copied == state
        state.choose(len(state.moves) - 1)
        assert copied != state
        kept.append(copied)
        before.append((copied.Z[:], copied.V[:], copied.L[:], copied.record()))
    for one, (zones, variables, places, record) in zip(kept, before, strict=True):
        assert (zones, variables, places) == (one.Z, one.V, one.L)
        assert one.record() == record
    # The same choices and the same seed give the same game.
    again = kept[0]
    while not again.is_over:
        again.choose(len(again.moves) - 1)
    assert again == state
    assert again.entries() == state.entries()


def test_copies_by_the_standard_library(make: Make) -> None:
    state = begin(
        make, "move box to deck\nshuffle deck\nas players[1]: choose k in 1..2\nmove k from deck to row_of", seed=3
    )
    for made in (copy.copy(state), copy.deepcopy(state), copy.deepcopy([state])[0]):
        assert made == state
        assert made is not state
        play(made, "2")
        assert made != state
        assert made.game is state.game
    assert copy.deepcopy(state.game) is state.game


ALL = """
event called(c: Card)
trigger one on called(c) as players[2]:
    choose d in hand[players[1]]
    n := 1 if c = d else 2
trigger full for p in players whenever count(hand[p]) > 2:
    as players[2]: choose e in hand[p]
    n += e.rank
"""


@pytest.mark.parametrize(
    "body",
    [
        "move box to deck\nshuffle deck\nmove 2 from deck to row_of",
        "pick c at random from box\nmove c to hand[players[1]]\nannounce called(c)\nn += 1",
        "as players[1]: choose k in 1..3\nmove k from deck to hand[players[1]]\nn += k",
        (
            "move 2 at random from box to hand[players[1]]\nas players[1]: choose k in 1..1\n"
            "move k at random from box to hand[players[1]]\nn += 7"
        ),
        "move 4 at random from box to hand[players[1]]\ntogether as p in players: choose k in 1..2\nn += 7",
        "turns from players[2]:\n    choose k in 1..2\n    n += k\n    if n > 5: end game",
        (
            "move 3 at random from box to hand[players[1]]\nas players[1]:\n    for c in hand:\n"
            "        choose k in 1..c.rank\n        n += k"
        ),
    ],
)
def test_a_state_comes_back_from_bytes(make: Make, body: str) -> None:
    state = begin(make, body.replace("k from deck", "k at random from box"), more=ALL)
    stream = Random(3)
    for _ in range(40):
        again = revived(pickle.dumps(state))
        assert again == state
        assert again.game is state.game
        assert again.record() == state.record()
        assert again.to_move == state.to_move
        if state.is_over:
            break
        for one in (state, again):
            choices = Random(stream.state)
            if one.is_chance:
                found = one.chance()
                one.apply(found[choices.below(len(found))])
            else:
                player = one.to_move[choices.below(len(one.to_move))]
                legal = one.legal_moves(player)
                one.apply(legal[choices.below(len(legal))])
        stream.below(2)
        assert again == state
    assert state.is_over


def test_a_seeded_state_from_bytes_draws_the_same_cards(make: Make) -> None:
    state = begin(
        make,
        "move box to deck\nshuffle deck\nas players[1]: choose k in 1..2\nmove k + 3 from deck to row_of",
        seed=2**64 - 1,
    )
    again = revived(pickle.dumps(state))
    assert zone(play(again, "2"), "row_of") == zone(play(state, "2"), "row_of")
    assert again.entries() == state.entries()


SHIPPED = Path(__file__).parents[2] / "rulebooks" / "egocentric_world.rules"

SCRIPT = """
import pickle, sys
state = pickle.load(sys.stdin.buffer)
state.choose(0)
sys.stdout.write(state.record().to_json())
sys.stdout.write(str(hash(state) == hash(pickle.loads(pickle.dumps(state)))))
"""


def test_a_state_goes_to_another_process() -> None:
    state = load(SHIPPED).game(players=3).start(seed=11)
    data = pickle.dumps(state)
    assert len(data) < 20_000, "the rules are not in it"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=data, capture_output=True, check=True, cwd=SHIPPED.parents[1]
    )
    state.choose(0)
    assert done.stdout.decode() == state.record().to_json() + "True"


def test_a_game_comes_back_from_bytes_while_its_rulebook_is_the_same(tmp_path: Path) -> None:
    from tests.helpers import load_text  # noqa: PLC0415 - only this test changes a file

    text = HEAD + "stage game:\n    as players[1]: choose k in 1..2\n    n := k\n"
    game = load_text(tmp_path, text).game(players=3)
    data = pickle.dumps(game)
    assert revived(data) is game
    recipe = game.recipe
    state = pickle.dumps(game.start(seed=1))
    del game
    made = revived(data)
    assert made.recipe == recipe
    assert made.players == 3
    assert moves(revived(state)) == ["1", "2"]
    del made
    load_text(tmp_path, text + "# changed\n")
    with pytest.raises(pickle.UnpicklingError, match="has changed since"):
        revived(data)


def test_branches_go_with_a_state(make: Make) -> None:
    state = begin(make, "together as p in players:\n    choose k in 1..2\n    choose m in 1..k\nn := 1", seed=0)
    play_as(state, 1, "2")
    again = revived(pickle.dumps(state))
    assert again == state
    assert moves(again, 1) == ["1", "2"]
    assert again.to_move == (0, 1)


def test_the_seed_decides_everything(make: Make) -> None:
    body = "move box to deck\nshuffle deck\nmove 6 from deck to row_of\nas players[1]: choose k in 1..2\nn := k"
    game = begin(make, body, seed=0).game
    rows = {tuple(zone(game.start(seed), "row_of")) for seed in range(40)}
    assert len(rows) > 20
    for seed in (0, 1, 2**63, 2**64 - 1):
        assert zone(game.start(seed), "row_of") == zone(game.start(seed), "row_of")
        assert game.start(seed).seed == seed
    assert outcomes(game.start(seed=0)) == {}
