"""The options that every verb that plays has: how many players, which modes, readings and parameters."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

import attrs
import click

from egodsl.cli.console import Misuse

if TYPE_CHECKING:
    from egodsl.engine.game import Game, Rulebook
    from egodsl.engine.record import Record

MOST_SEED = 2**64 - 1
DEFAULT_MOST = 100_000
"""Decisions after which a game played by nobody but computers is cut short."""


def whole(low: int, high: int | None = None) -> Callable[[str | int], int]:
    """The type of an option that takes a whole number from `low` to `high` (None: no bound)."""

    def number(value: str | int) -> int:
        text = str(value)
        found = int(text) if _is_number(text) else None
        if found is None or found < low or (high is not None and found > high):
            bounds = f"of {low} or more" if high is None else f"from {low} to {high}"
            raise click.BadParameter(f"`{value}` is not a whole number {bounds}")
        return found

    return number


def seats(players: str | None) -> range | None:
    """The numbers of players that `N` or `LOW..HIGH` asks for; None where nothing is asked for."""
    if players is None:
        return None
    low, dots, high = players.partition("..")
    ends = [low.strip(), high.strip()] if dots else [low.strip(), low.strip()]
    if not all(end.isascii() and end.isdigit() and len(end) < 4 for end in ends):  # noqa: PLR2004 - digits
        raise Misuse(f"`--players`: `{players}` is neither a number nor a range such as `2..4`")
    first, last = map(int, ends)
    if first > last:
        raise Misuse(f"`--players`: `{players}` goes down", f"write `{last}..{first}`")
    return range(first, last + 1)


def player_counts(rulebook: Rulebook, players: str | None) -> range | None:
    """As `seats`, for a rulebook that is for some of them."""
    from egodsl.engine.settings import player_range  # noqa: PLC0415 - loaded only where it is needed

    wanted, allowed = seats(players), player_range(rulebook.checked)
    if wanted is not None and not set(wanted) & set(allowed):
        most = f" to {allowed[-1]}" if len(allowed) > 1 else ""
        raise Misuse(f"`--players`: `{rulebook.name}` is for {allowed[0]}{most} players")
    return wanted


def one_of(*words: str) -> Callable[[str], str]:
    """The type of an option that takes one of the words."""

    def word(value: str) -> str:
        if value not in words:
            raise click.BadParameter(f"`{value}` is neither {' nor '.join(f'`{one}`' for one in words)}")
        return value

    return word


def pair_of(form: str) -> Callable[[str | tuple[str, str]], tuple[str, str]]:
    """The type of an option that takes what `form` shows, such as NAME=VALUE: the pair of both."""

    def parts(value: str | tuple[str, str]) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, equals, answer = value.partition("=")
        if not equals or not name.strip() or not answer.strip():
            raise click.BadParameter(f"`{value}` is not of the form {form}")
        return name.strip(), answer.strip()

    return parts


pair = pair_of("NAME=VALUE")


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    # More digits than any bound here has; Python refuses thousands of them.
    return digits.isascii() and digits.isdigit() and len(digits) <= 100  # noqa: PLR2004 - see above


@attrs.frozen
class Chosen:
    """What the options say, before the rulebook is known."""

    players: int | None
    modes: tuple[str, ...]
    readings: dict[str, str]
    parameters: dict[str, int]
    limit: int | None
    decks: dict[str, str] = attrs.Factory(dict)
    counts: dict[str, int] = attrs.Factory(dict)

    @classmethod
    def of_record(cls, record: Record, limit: int | None) -> Chosen:
        """The settings that a game was played with."""
        return cls(record.players, record.modes, record.readings, record.parameters, limit, record.decks, record.counts)

    @property
    def is_default(self) -> bool:
        """Whether nothing was chosen but, perhaps, the limit."""
        return self.players is None and not (self.modes or self.readings or self.parameters)

    def game(self, rulebook: Rulebook) -> Game:
        """The game with these settings. Raises SettingsError where they do not fit the rulebook."""
        from egodsl.engine.game import DEFAULT_LIMIT  # noqa: PLC0415 - loaded only where it is needed

        return rulebook.game(
            players=self.players,
            modes=self.modes,
            readings=self.readings,
            parameters=self.parameters,
            decks=self.decks,
            counts=self.counts,
            limit=DEFAULT_LIMIT if self.limit is None else self.limit,
        )

    def words(self) -> list[str]:
        """The options as one would type them."""
        words = [] if self.players is None else ["--players", str(self.players)]
        for mode in self.modes:
            words += ["--mode", mode]
        for name, answer in self.readings.items():
            words += ["--reading", f"{name}={answer}"]
        for name, value in self.parameters.items():
            words += ["--set", f"{name}={value}"]
        for name, cut in self.decks.items():
            words += ["--deck", f"{name}={cut}"]
        for name, value in self.counts.items():
            words += ["--define", f"{name}={value}"]
        return words if self.limit is None else [*words, "--limit", str(self.limit)]


def settings_options(verb: Callable[..., int]) -> Callable[..., object]:
    """Add the options; the verb gets them as one argument `chosen`."""
    return _steps_option(game_options(verb))


_steps_option = click.option(
    "--limit", type=whole(1), metavar="STEPS", help="Steps between two decisions that count as a loop without an end."
)


def game_options(verb: Callable[..., int]) -> Callable[..., object]:
    """As `settings_options`, without `--limit`."""

    @click.option(
        "--players", type=whole(1), metavar="N", help="How many play (default: the fewest that the rulebook allows)."
    )
    @click.option(
        "--mode", "modes", multiple=True, metavar="NAME", help="Play with this mode. May be given several times."
    )
    @click.option(
        "--reading",
        "readings",
        type=pair,
        multiple=True,
        metavar="NAME=ANSWER",
        help="Answer an open question of the text.",
    )
    @click.option(
        "--set", "parameters", type=pair, multiple=True, metavar="PARAMETER=VALUE", help="Give a parameter a value."
    )
    @wraps(verb)
    def with_settings(
        *args: object,
        players: int | None,
        modes: tuple[str, ...],
        readings: tuple[tuple[str, str], ...],
        parameters: tuple[tuple[str, str], ...],
        limit: int | None = None,
        **kwargs: object,
    ) -> object:
        numbers = numbers_of("--set", parameters)
        chosen = Chosen(players, tuple(dict.fromkeys(modes)), once("--reading", readings), numbers, limit)
        return verb(*args, chosen=chosen, **kwargs)

    return with_settings


def numbers_of(option: str, pairs: tuple[tuple[str, str], ...]) -> dict[str, int]:
    """The whole numbers that are given to names. Raises Misuse."""
    numbers: dict[str, int] = {}
    for name, text in once(option, pairs).items():
        if not _is_number(text):
            raise Misuse(f"`{option}`: `{name}` takes a whole number, not `{text}`")
        numbers[name] = int(text)
    return numbers


def once(option: str, pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """What is given to names, each once. Raises Misuse."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if found.setdefault(name, value) != value:
            raise Misuse(f"`{option}`: `{name}` is given twice, as `{found[name]}` and as `{value}`")
    return found


seed_option = click.option(
    "--seed",
    type=whole(0, MOST_SEED),
    metavar="S",
    help="Where chance begins: the same seed gives the same games (default: drawn).",
)
most_option = click.option(
    "--max-decisions",
    "most",
    type=whole(1),
    metavar="N",
    default=DEFAULT_MOST,
    show_default=True,
    help="Cut a game short after so many.",
)


def seat_of(option: str, letter: str, players: int) -> int:
    """The seat, from 0, that a letter names. Raises Misuse."""
    name = letter.strip().upper()
    seat = ord(name) - ord("A") if len(name) == 1 else -1
    if not 0 <= seat < players:
        last = chr(ord("A") + players - 1)
        raise Misuse(f"`{option}`: there is no seat `{letter}`", f"the seats are A to {last}")
    return seat


@attrs.frozen
class Bots:
    """Which kinds of computer players the options ask for."""

    kind: str
    """Of the seats that are not named."""
    named: tuple[tuple[str, str], ...]
    """(letter of a seat, kind)"""

    def check(self) -> None:
        """Raise Misuse for a kind that there is not."""
        from egodsl.players import KINDS  # noqa: PLC0415 - loaded only where it is needed

        for option, kind in (("--bots", self.kind), *(("--bot", kind) for _, kind in self.named)):
            if kind not in KINDS:
                raise Misuse(f"`{option}`: there is no kind of player `{kind}`", f"there are: {', '.join(KINDS)}")

    def seats(self, players: int) -> dict[int, str]:
        """The seats that are named, with their kinds. Raises Misuse for one that there is not, or that has two."""
        found: dict[int, str] = {}
        for letter, kind in self.named:
            seat = seat_of("--bot", letter, players)
            if found.setdefault(seat, kind) != kind:
                raise Misuse(f"`--bot`: `{letter}` is given twice, as `{found[seat]}` and as `{kind}`")
        return found

    def kinds(self, players: int) -> list[str]:
        """The kind for each seat. Raises Misuse as `seats` does."""
        found = self.seats(players)
        return [found.get(seat, self.kind) for seat in range(players)]

    def words(self) -> list[str]:
        """The options as one would type them."""
        words = ["--bots", self.kind] if self.kind != "random" else []
        return words + [word for seat, kind in self.named for word in ("--bot", f"{seat}={kind}")]


def bots_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Add the options that say what plays which seat; the verb gets them as one argument `bots`."""

    @click.option(
        "--bots",
        "kind",
        metavar="KIND",
        default="random",
        show_default=True,
        help="What plays the other seats: `random`, or `search`, which tries its moves out.",
    )
    @click.option(
        "--bot",
        "named",
        type=pair_of("SEAT=KIND"),
        multiple=True,
        metavar="SEAT=KIND",
        help="What plays one seat, as in `A=search`. May be given several times.",
    )
    @wraps(verb)
    def with_bots(*args: object, kind: str, named: tuple[tuple[str, str], ...], **kwargs: object) -> int:
        bots = Bots(kind, named)
        bots.check()
        return verb(*args, bots=bots, **kwargs)

    return with_bots


def some_seed() -> int:
    """A seed for a run that was given none; short, since people copy it."""
    import secrets  # noqa: PLC0415 - only a run without a seed needs it

    return secrets.randbelow(10**9)
