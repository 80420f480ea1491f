"""Small rulebooks for the tests of the analysis, and ways to ask what was found out about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from egodsl.analysis import Checked, check_file
from egodsl.source.text import SourceText
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from egodsl.analysis.types import Type

N = TypeVar("N", bound=nodes.Node)

TABLE = """
enum Suit: hearts "H", spades "S"
type Rank: 1..10 with ace "A" = 1, jack "J" = 10
card Card:
    suit: Suit
    rank: Rank
    bonus: 0..3?
components cards of Card in deck:
    1 x (suit: s, rank: r) for s in Suit for r in Rank
zone deck: stack of Card, face down
zone pile: row of Card, face up
zone bag: set of Card, face up
zone spot: one Card, face up
zone hand[player]: set of Card, owner only
zone given[player, Suit]: set of Card, owner only
var score[player]: 0..99 = 0
var leader: player? = none
var trump: Suit? = none
var suit: Suit = hearts
"""


def source(body: str, *, head: str = "    players 2..4\n", game: str = "nothing") -> SourceText:
    return SourceText("test.rules", f'rulebook test "Test":\n{head}{TABLE}stage game: {game}\n{body}')


def checked(body: str, *, head: str = "    players 2..4\n", game: str = "nothing") -> Checked:
    """The analysis of the table above with `body`, which must be right."""
    found, complaints = check_file(source(body, head=head, game=game))
    errors = [str(one) for one in complaints if one.is_error and one.code.number[3] in "01234"]
    assert errors == []
    assert found is not None
    return found


def complaints(body: str, *, head: str = "    players 2..4\n", game: str = "nothing") -> list[str]:
    """Code and message of what is wrong with the table above with `body`, by place."""
    _, found = check_file(source(body, head=head, game=game))
    return [f"{one.code} {one.message}" for one in found if one.code.number[3] in "01234"]


def first(root: nodes.Node, kind: type[N], text: str | None = None) -> N:
    """The first node of a kind under `root`, with the text if one is given."""
    for node in nodes.walk(root):
        if isinstance(node, kind) and text in {None, node.span.text}:
            return node
    raise AssertionError(f"no {kind.__name__} {text or ''}")


def type_in(result: Checked, define: str) -> Type:
    """The type of the value of a define."""
    value = result.program.defines[define].value
    assert value is not None
    return result.types[value]
