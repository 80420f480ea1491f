"""Everything that has a name without being declared, with its signature; the documentation prints this table."""

from __future__ import annotations

from typing import Literal

import attrs


@attrs.frozen
class BuiltinEntry:
    """One built-in. Of a function, `arguments` are the least and most without names, `named` those given by name."""

    name: str
    kind: Literal["name", "function"]
    signature: str
    doc: str
    arguments: tuple[int, int] = (0, 0)
    named: tuple[str, ...] = ()


def _name(name: str, kind: str, doc: str) -> BuiltinEntry:
    return BuiltinEntry(name, "name", f"{name}: {kind}", doc)


def _function(signature: str, doc: str, least: int, most: int, *named: str) -> BuiltinEntry:
    return BuiltinEntry(signature.partition("(")[0], "function", signature, doc, (least, most), named)


_TABLE = (
    _name("you", "player", "The player who acts: the one on turn, or whom `as` asks."),
    _name("active", "player", "The player on turn in the innermost `turns`; outside any, the first seat."),
    _name("next", "player", "The player whose turn comes next; a rule may set it."),
    _name("players", "row of player", "All players, from the first seat on."),
    _name("others", "set of player", "All players but you."),
    _name("teams", "row of team", "All teams, that of the first seat first."),
    _function("count(X): 0..", "How many there are in a set, row or zone, or how many elements `e for …` makes.", 1, 1),
    _function("empty(X): bool", "Whether nothing is in the set, row or zone.", 1, 1),
    _function("sum(X): int", "The sum of numbers.", 1, 1),
    _function("most(X): T", "The greatest; of nothing, a fault.", 1, 1),
    _function("least(X): T", "The least; of nothing, a fault.", 1, 1),
    _function("any(e for …): bool", "Whether it holds for at least one.", 1, 1),
    _function("all(e for …): bool", "Whether it holds for each, of nothing too.", 1, 1),
    _function("min(a, b): int", "The smaller of two numbers.", 2, 2),
    _function("max(a, b): int", "The greater of two numbers.", 2, 2),
    _function("abs(x): 0..", "The number without its sign.", 1, 1),
    _function("top(zone): card", "The first card of a stack or row; where it is empty, a fault.", 1, 1),
    _function("bottom(zone): card", "The last card of a stack or row; where it is empty, a fault.", 1, 1),
    _function("left(p, n = 1): player", "The n-th player clockwise from p.", 1, 2),
    _function("right(p, n = 1): player", "The n-th player counter-clockwise from p.", 1, 2),
    _function("steps(p, q): 0..", "How many steps clockwise lead from p to q.", 2, 2),
    _function("seat(p): 1..", "The number of the player's seat, from 1.", 1, 1),
    _function("partner(p): player", "The other player of p's team of two.", 1, 1),
    _function("team(p): team", "The player's team.", 1, 1),
    _function("members(t): set of player", "The players of a team.", 1, 1),
    _function("opponents(t): team", "The other of two teams.", 1, 1),
    _function("same_face(a, b): bool", "Whether two cards show the same.", 2, 2),
    _function("subsets(S, sizes): set of set of T", "All subsets, or those of the sizes (a number or a range).", 1, 2),
    _function("groups(S, .key, sizes, wild: set): set of set of card", "Cards alike in the key.", 3, 3, "wild"),
    _function(
        "runs(S, .key, lengths, each: n, within: .key, wild: set, above: n): set of set of card",
        "Cards whose key goes up by one, `each` of every step, all alike in `within`, beginning above `above`.",
        3,
        3,
        "each",
        "within",
        "wild",
        "above",
    ),
    _function(
        "packings(F, n): set of set of set of T",
        "Members of the family that share nothing: n of them, or as many as fit.",
        1,
        2,
    ),
    _function("joined(F): set of T", "Everything that is in a member of the family.", 1, 1),
    _function("last_of(row, n): row of T", "The last n of a row, in their order.", 2, 2),
    _function("first_of(row, n): row of T", "The first n of a row.", 2, 2),
    _function("old(x): T", "In a property: what x was at the decision before, or before the action or stage.", 1, 1),
    _function("in_a_row(cards, .key): bool", "Whether the cards' keys, in whatever order, go up by one.", 2, 2),
)

BUILTINS: dict[str, BuiltinEntry] = {entry.name: entry for entry in _TABLE}
"""Name -> entry, in the order in which the documentation lists them."""

FUNCTIONS = frozenset(entry.name for entry in _TABLE if entry.kind == "function")
NAMES = frozenset(entry.name for entry in _TABLE if entry.kind == "name")

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What scenarios call the players."""
