"""Settings of a guest: which rulebook, for whom, and what is promised of its games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from egodsl.analysis import types as t
from egodsl.engine.game import Game, Rulebook, load
from egodsl.interop.bounds import bounds_of
from egodsl.interop.problems import InteropError
from egodsl.source.resources import resource_path
from egodsl.syntax import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

MOST_LENGTH = 10_000
"""Decisions of a game of which nothing else is promised."""
MOST_UTILITY = 1_000_000
"""What a player wins or loses at most where the types of the payoff do not say it."""
UTILITIES = ("zero_sum", "constant_sum", "general_sum", "identical")


def find_rulebook(path_or_name: str | PathLike[str]) -> Path:
    """The file of a rulebook: a path, or the name of one that comes with the package.

    Raises FileNotFoundError.
    """
    path = Path(path_or_name)
    if path.is_file():
        return path
    for folder in ("", "classics/"):
        try:
            return resource_path("rulebooks", f"{folder}{path_or_name}.rules")
        except (FileNotFoundError, ValueError):
            continue
    message = f"there is no rulebook `{path_or_name}`: neither a file, nor the name of one that comes with the package"
    raise FileNotFoundError(message)


def load_rulebook(path_or_name: str | PathLike[str]) -> Rulebook:
    """As `egodsl.load`, with names too. Raises FileNotFoundError, RulebookError."""
    return load(find_rulebook(path_or_name))


def words_of(text: str) -> list[str]:
    """`"a;b"` or `"a,b"` as its words."""
    return [word.strip() for word in text.replace(",", ";").split(";") if word.strip()]


def pairs_of(text: str, what: str) -> dict[str, str]:
    """`"a:1;b:2"` (or with `=`) as a dictionary. Raises InteropError (EGO924) where it is no list of pairs."""
    found: dict[str, str] = {}
    for word in words_of(text):
        name, colon, value = word.replace("=", ":").partition(":")
        if not colon or not name.strip() or not value.strip():
            message = f"`{word}` in `{what}` is not of the form NAME:VALUE"
            raise InteropError("EGO924", message, "write several of them as `a:1;b:2`")
        found[name.strip()] = value.strip()
    return found


def numbers_of(text: str, what: str) -> dict[str, int]:
    """As `pairs_of`, with whole numbers."""
    found: dict[str, int] = {}
    for name, value in pairs_of(text, what).items():
        if not value.removeprefix("-").isdecimal():
            raise InteropError("EGO924", f"`{value}` in `{what}` is not a whole number")
        found[name] = int(value)
    return found


@attrs.frozen
class Promises:
    """What is known of the games of a rulebook before they are played.

    Attributes:
        length: decisions of a game at most, each action counted.
        bounded: whether `length` was said by the user or the rulebook, and is no mere default.
        low: what a player gets at least.
        high: what a player gets at most.
        utility: one of `UTILITIES`.
        total: what the players get together, in a game of constant sum.
    """

    length: int
    bounded: bool
    low: int
    high: int
    utility: str
    total: int | None

    def check(self, returns: Sequence[int]) -> None:
        """Whether the returns of a game that is over are as promised. Raises InteropError (EGO922)."""
        told = f"the game ended with {', '.join(map(str, returns))}"
        if self.total is not None and sum(returns) != self.total:
            raise InteropError("EGO922", f"{told}, and is said to sum up to {self.total}", "give another `utility`")
        if self.utility == "identical" and len(set(returns)) > 1:
            raise InteropError("EGO922", f"{told}, and all are said to get the same", "give another `utility`")
        if min(returns) < self.low or max(returns) > self.high:
            message = f"{told}, and nobody is said to get less than {self.low} or more than {self.high}"
            raise InteropError("EGO922", message, "give `min_utility` and `max_utility`")


def promises(
    game: Game,
    longest: int,
    *,
    max_length: int = 0,
    utility: str = "",
    min_utility: int | None = None,
    max_utility: int | None = None,
) -> Promises:
    """What the rulebook says of its games, and the user beyond that.

    `longest`: actions of a decision at most. `utility`: empty, one of `UTILITIES`, or `constant_sum:N`. Raises
    InteropError (EGO924) for another one, and for bounds that are none.
    """
    kind, total = _utility(game, utility)
    low, high = _bounds(game)
    low, high = low if min_utility is None else min_utility, high if max_utility is None else max_utility
    if low > high or max_length < 0:
        message = f"a game cannot have returns from {low} to {high} and at most {max_length} decisions"
        raise InteropError("EGO924", message)
    if low == high:
        # Frameworks want some room between them.
        low, high = low - 1, high + 1
    stated = _stated_length(game)
    length = max_length or (stated * longest if stated else MOST_LENGTH)
    return Promises(length, bool(max_length or stated), low, high, kind, total)


def _utility(game: Game, said: str) -> tuple[str, int | None]:
    if not said:
        if game.has_payoff:
            return "general_sum", None
        header = game.checked.program.ranking
        together = header is not None and header.together is not None
        return ("identical", None) if together and game.players > 1 else ("zero_sum", 0)
    kind, colon, number = said.replace("=", ":").partition(":")
    is_number = number.removeprefix("-").isdecimal()
    if kind not in UTILITIES or (is_number, bool(colon)) != ((kind == "constant_sum",) * 2):
        message = f"`{said}` is no kind of utility"
        raise InteropError("EGO924", message, "there are: zero_sum, constant_sum:N, general_sum, identical")
    return kind, 0 if kind == "zero_sum" else int(number) if kind == "constant_sum" else None


def _bounds(game: Game) -> tuple[int, int]:
    program = game.checked.program
    header = program.payoff
    if header is None and (program.ranking is None or program.ranking.together is None):
        return 1 - game.players, game.players - 1
    value = header.value if header is not None else program.ranking.together if program.ranking is not None else None
    assert value is not None
    low, high = bounds_of(game, value)
    return -MOST_UTILITY if low <= -t.WIDEST else low, MOST_UTILITY if high >= t.WIDEST else high


def _stated_length(game: Game) -> int | None:
    """The N of a property `every game within N decisions`."""
    for decl in game.checked.program.properties.values():
        claim = decl.claim
        if isinstance(claim, nodes.EveryClaim) and claim.unit == "decisions" and claim.stage.name == "game":
            from egodsl.engine.sources import Scope  # noqa: PLC0415 - few rulebooks say it

            e = game.linker.expressions
            most: int = e.function("S,you", e.some(claim.most, Scope({}, None)))(None, None)
            return most
    return None
