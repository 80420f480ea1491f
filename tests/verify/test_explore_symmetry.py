"""What rules tell apart, and what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.engine.game import load
from egodsl.verify.explore import explore
from egodsl.verify.symmetry import Symmetry
from tests.cli.running import write

MARKET = """\
rulebook market "Market":
    players 2
    result most points

enum Colour: red, blue

reading favoured "Is a colour worth more?":
    none_is "no" default
    red_is "red is"

card Tile:
    colour: Colour
    size: 1..2
    written "{colour} {size}"

components tiles of Tile in bag:
    1 x (colour: c, size: s) for c in Colour for s in 1..2

zone bag: stack of Tile, face down
zone hand[player]: set of Tile, owner only
zone stall[Colour]: set of Tile, face up

var points[player]: 0..9 = 0
var last: player? = none
var sold[Colour]: 0..9 = 0

define worth(c: Colour):
    1 if favoured = none_is
    2 if c = red
    1 otherwise

stage game:
    shuffle bag
    for p in players: move 2 from bag to hand[p]
    pick first at random from players
    turns from first where not empty(hand):
        choose c in hand
        move c to stall[c.colour]
        sold[c.colour] += 1
        points += worth(c.colour)
        last := you
"""
"""Neither seats nor colours are told apart, unless red is favoured."""


def symmetry_of(folder: Path, text: str, **readings: str) -> Symmetry:
    return Symmetry(load(write(folder, text)).game(readings=readings))


def test_seats_and_colours_are_names(tmp_path: Path) -> None:
    symmetry = symmetry_of(tmp_path, MARKET)
    assert symmetry.refused == {}
    assert len(symmetry) == 4


def test_settings_decide_what_runs(tmp_path: Path) -> None:
    symmetry = symmetry_of(tmp_path, MARKET, favoured="red_is")
    assert symmetry.refused == {"Colour": "`red` is named"}
    assert len(symmetry) == 2


def test_the_deck_must_stay_the_deck(tmp_path: Path) -> None:
    row = "    1 x (colour: c, size: s) for c in Colour for s in 1..2\n"
    text = MARKET.replace(row, f"{row}    2 x (colour: red, size: 1)\n")
    symmetry = symmetry_of(tmp_path, text)
    # There is more of red: no rule names it, but the cards do.
    assert symmetry.refused == {}
    assert len(symmetry) == 2


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("last := you", "last := players[1]", "`players[1]` names one by its number"),
        ("last := you", "if seat(you) = 1: last := you", "`seat(you)` is not known to keep them alike"),
        ("last := you", "last := active", "`active` may tell a player by the seat"),
        (
            "last := you",
            "let row_of_all = players\n        last := row_of_all[1]",
            "`players` may tell a player by the seat",
        ),
        ("last := you", "for p in players: last := p", "`for p in players: last := p` goes through them"),
        (
            "last := you",
            "for p in players: points[p] := most(points[q] for q in players)",
            "goes through them in their order",
        ),
        ("    shuffle bag\n", "", "goes through them in their order"),
        ("    shuffle bag\n", "    shuffle bag\n    move bottom(bag) to bag\n", "goes through them in their order"),
        (
            "shuffle bag\n",
            'shuffle bag\n    as players[1]: may "start": points += 1\n',
            "names one by its number",
        ),
        ("last := you", 'as p in players: may "shout": points += 1', "may go by seats"),
    ],
)
def test_seats_that_are_told_apart(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in MARKET
    refused = symmetry_of(tmp_path, MARKET.replace(old, new)).refused
    assert why in refused["player"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("last := you", "if c.colour = blue: last := you", "`blue` is named"),
        ("last := you", "for d in Colour: points += sold[d] - sold[d]", "goes through them in their order"),
        ("move c to stall[c.colour]", "move c to stall[blue]", "`blue` is named"),
        ("last := you", "let colours = [d for d in Colour]\n        points += count(colours)", "makes a row of them"),
        ("        last := you", "        if empty(hand): move stall[c.colour] to bag", "puts a set into an order"),
        (
            "var last",
            "trigger much for d in Colour whenever sold[d] = 2: points[players[1]] += 1\n\nvar last",
            "trigger `much` is for each of them",
        ),
    ],
)
def test_values_that_are_told_apart(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in MARKET
    refused = symmetry_of(tmp_path, MARKET.replace(old, new)).refused
    assert why in refused["Colour"]


def test_a_loop_whose_passes_do_not_notice_each_other_is_none(tmp_path: Path) -> None:
    loops = "for p in players: points[p] := count(hand[p])\n        for p in players: reveal hand[p]"
    text = MARKET.replace("last := you", loops)
    assert symmetry_of(tmp_path, text).refused == {}


def test_the_same_goes_wrong_and_as_soon(tmp_path: Path) -> None:
    # Somebody sells both tiles of one colour, one after the other.
    text = MARKET.replace("last := you", 'if sold[c.colour] = 2 and last = you: stop with "both"\n        last := you')
    game = load(write(tmp_path, text)).game()
    whole, reduced = explore(game, reduce=False), explore(game)
    assert whole.complete
    assert reduced.complete
    assert reduced.symmetries == 4
    assert reduced.states < whole.states / 2
    assert [(v.property, v.depth) for v in whole.violations] == [(v.property, v.depth) for v in reduced.violations]


def test_a_seat_that_loses_is_found_whatever_it_is_called(tmp_path: Path) -> None:
    # The game stops when blue was sold out first: in the reduced search red stands for blue.
    text = MARKET.replace("last := you", 'if any(sold[d] = 2 for d in Colour): stop with "sold out"')
    game = load(write(tmp_path, text)).game()
    whole, reduced = explore(game, reduce=False), explore(game)
    assert whole.violations[0].depth == reduced.violations[0].depth
    assert game.replay(reduced.violations[0].record).fault is not None


def test_the_states_are_the_orbits(tmp_path: Path) -> None:
    text = MARKET.replace("for s in 1..2\n", "for s in 1..1\n").replace("move 2 from", "move 1 from")
    game = load(write(tmp_path, text)).game()
    whole, reduced = explore(game, reduce=False), explore(game)
    # Nothing is dealt; A has red or blue; who begins; who sold what; and at the end only who was last is told. Up to
    # names there is one of each.
    assert (whole.states, whole.ends) == (1 + 2 + 4 + 4 + 2, 2)
    assert (reduced.states, reduced.ends) == (1 + 1 + 1 + 1 + 1, 1)
