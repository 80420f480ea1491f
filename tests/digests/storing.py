"""The file of digests, and the list of deliberate differences.

The file has a line `@ RULEBOOK PLAYERS SETTING DIGEST` for each case (DIGEST: of the rulebook's text), and under it a
line for each seed: the seed, the digests of the parts one after the other, and the trail, which has one character for
each decision. A character stands for everything up to there, so the first that differs tells the first decision.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from tests.digests.playing import PARTS, Case, Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE = Path(__file__).parent / "digests.txt"
DIFFERENCES = Path(__file__).parent / "differences.txt"

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_WIDTH = 5
"""Characters of the digest of one part."""


@attrs.frozen
class Digest:
    """The digests of one game: one for each part, and the trail."""

    parts: tuple[str, ...]
    trail: str

    def differing(self, other: Digest) -> tuple[str, ...]:
        """The parts that are not the same."""
        return tuple(name for name, mine, theirs in zip(PARTS, self.parts, other.parts, strict=True) if mine != theirs)

    def first_difference(self, other: Digest) -> int | None:
        """The number of the first decision (from 1) before or at which log or moves differ; None if none does."""
        for k, (mine, theirs) in enumerate(zip(self.trail, other.trail, strict=False), start=1):
            if mine != theirs:
                return k
        return None if len(self.trail) == len(other.trail) else min(len(self.trail), len(other.trail)) + 1


def digest_of(played: Played) -> Digest:
    """The digests of a game."""
    parts = tuple(_short("\n".join(played.parts[part])) for part in PARTS)
    running = blake2b(digest_size=8)
    trail = []
    for offered, logged in played.steps():
        running.update("\n".join([*logged, *offered, ""]).encode())
        trail.append(_LETTERS[running.digest()[0] & 63])
    return Digest(parts, "".join(trail))


def _short(text: str) -> str:
    return urlsafe_b64encode(blake2b(text.encode(), digest_size=4).digest()).decode()[:_WIDTH]


@attrs.define
class Stored:
    """The digests of one case by seed, and the digest of the rulebook's text when they were made."""

    text: str
    seeds: dict[int, Digest] = attrs.Factory(dict)


def write_file(stored: Mapping[Case, Stored], path: Path = FILE) -> None:
    """Write digests, in the order of rulebooks, settings and players that they are given in."""
    lines = []
    for case, kept in stored.items():
        lines.append(f"@ {case.rulebook} {case.players} {case.setting} {kept.text}")
        lines.extend(f"{seed} {''.join(d.parts)} {d.trail}" for seed, d in sorted(kept.seeds.items()))
    path.write_text("\n".join([*lines, ""]), encoding="ascii")


def read_file(path: Path = FILE) -> dict[Case, Stored]:
    """The digests of a file; none where there is no file."""
    found: dict[Case, Stored] = {}
    kept = Stored("")
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else ():
        if line.startswith("@"):
            _, rulebook, players, setting, text = line.split(" ")
            kept = found[Case(rulebook, int(players), setting)] = Stored(text)
        else:
            seed, parts, trail = line.split(" ")
            split = tuple(parts[k : k + _WIDTH] for k in range(0, len(parts), _WIDTH))
            kept.seeds[int(seed)] = Digest(split, trail)
    return found


@attrs.frozen
class Difference:
    """A deliberate difference: in which games, in which parts, and why.

    Attributes:
        pattern: of the names of games, as `oh_hell/*/default/*`.
        parts: the parts that differ.
        reason: why they should.
    """

    pattern: str
    parts: tuple[str, ...]
    reason: str

    def covers(self, game: str, part: str) -> bool:
        """Whether the part of the game may differ."""
        return part in self.parts and fnmatchcase(game, self.pattern)

    def may_mean(self, rulebook: str) -> bool:
        """Whether games of the rulebook may be among its games."""
        return fnmatchcase(rulebook, self.pattern.partition("/")[0])


def read_differences(path: Path = DIFFERENCES) -> list[Difference]:
    """The deliberate differences: lines `PATTERN PART,PART: REASON`; lines that begin with # are comments.

    Raises ValueError where a line is anything else.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        head, colon, reason = line.partition(":")
        pattern, _, listed = head.strip().partition(" ")
        parts = tuple(part.strip() for part in listed.split(","))
        if not colon or not reason.strip() or not set(parts) <= set(PARTS):
            message = f"{path.name}:{number}: this is not `PATTERN PART,PART: REASON` (parts: {', '.join(PARTS)})"
            raise ValueError(message)
        found.append(Difference(pattern, parts, reason.strip()))
    return found


def stale(differences: Iterable[Difference], compared: set[str], differing: Mapping[str, Iterable[str]]) -> list[str]:
    """What is listed as different and is not, in words: an entry of which every game was compared, or a part of it.

    `compared`: names of games; `differing`: the parts that differ, by name of game.
    """
    told: list[str] = []
    for entry in differences:
        matching = [game for game in compared if fnmatchcase(game, entry.pattern)]
        told.extend(
            f"{entry.pattern} {part}: listed as a difference, but there is none"
            for part in entry.parts
            if not any(part in differing.get(game, ()) for game in matching)
        )
    return told
