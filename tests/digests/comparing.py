"""What differs between digests, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs

from tests.digests.playing import PARTS, Case
from tests.digests.storing import Difference, Digest, Stored, stale

MOST_TOLD = 20
"""Differing games that are told one by one."""


@attrs.define
class Comparison:
    """What was found.

    Attributes:
        differing: the parts that differ without being listed, by name of game.
        told: a line for each of these games.
        notes: other things that make the digests incomparable or incomplete.
        stale: entries of the list of differences that are none.
        listed: how many games differ as the list says.
        games: how many games were compared.
    """

    differing: dict[str, tuple[str, ...]] = attrs.Factory(dict)
    told: list[str] = attrs.Factory(list)
    notes: list[str] = attrs.Factory(list)
    stale: list[str] = attrs.Factory(list)
    listed: int = 0
    games: int = 0

    @property
    def same(self) -> bool:
        """Whether nothing differs but what is listed, and all that is listed."""
        return not (self.differing or self.stale or self.notes)

    def lines(self) -> list[str]:
        """The report: the first differing games, then figures for each rulebook, then the rest."""
        lines = self.told[:MOST_TOLD]
        if len(self.told) > MOST_TOLD:
            lines.append(f"... and {len(self.told) - MOST_TOLD} more games")
        counts = Counter((game.partition("/")[0], part) for game, parts in self.differing.items() for part in parts)
        for rulebook in dict.fromkeys(rulebook for rulebook, _ in counts):
            figures = ", ".join(f"{part} {counts[rulebook, part]}" for part in PARTS if counts[rulebook, part])
            lines.append(f"{rulebook}: games that differ by part: {figures}")
        lines += [*self.notes, *self.stale]
        lines.append(f"{self.games} games compared, {len(self.differing)} differ, {self.listed} as listed")
        return lines


def compare(
    stored: Mapping[Case, Stored],
    made: Mapping[Case, Stored],
    differences: Sequence[Difference] = (),
    parts: Collection[str] = PARTS,
    *,
    whole: Collection[str] = (),
) -> Comparison:
    """Compare the digests that were made with those that are stored.

    `whole`: the rulebooks of which every stored game was played: only what is listed about these alone can be stale.
    """
    found = Comparison()
    every: dict[str, tuple[str, ...]] = {}
    changed = [case.rulebook for case, new in made.items() if case in stored and stored[case].text != new.text]
    found.notes += [f"{name}: the rulebook's text is not what it was" for name in dict.fromkeys(changed)]
    for case, new in made.items():
        if case not in stored:
            found.notes.append(f"{case.name}: there are no digests of this setting")
            continue
        for seed, digest in new.seeds.items():
            game = f"{case.name}/{seed}"
            kept = stored[case].seeds.get(seed)
            if kept is None:
                found.notes.append(f"{game}: there is no digest of this game")
                continue
            every[game] = tuple(part for part in kept.differing(digest) if part in parts)
            _note(found, game, every[game], differences, kept, digest)
    gone = [case.name for case in stored if case.rulebook in {c.rulebook for c in made} and case not in made]
    found.notes += [f"{name}: this setting is no longer there" for name in gone]
    checked = [entry for entry in differences if _only_of(entry, stored, whole)]
    found.stale = stale([_within(entry, parts) for entry in checked], set(every), every)
    return found


def _note(
    found: Comparison,
    game: str,
    differing: tuple[str, ...],
    differences: Iterable[Difference],
    kept: Digest,
    digest: Digest,
) -> None:
    found.games += 1
    unlisted = tuple(part for part in differing if not any(entry.covers(game, part) for entry in differences))
    if differing and not unlisted:
        found.listed += 1
    if not unlisted:
        return
    found.differing[game] = unlisted
    at = kept.first_difference(digest)
    where = (
        "after the last decision" if at is None or at > len(kept.trail) else f"by decision {at} of {len(kept.trail)}"
    )
    if at is None:
        where = "moves and log are the same"
    found.told.append(f"{game}: {', '.join(unlisted)}: {where}")


def _only_of(entry: Difference, stored: Iterable[Case], whole: Collection[str]) -> bool:
    # An entry can be called stale when no game that it may mean was left out.
    meant = {case.rulebook for case in stored if entry.may_mean(case.rulebook)}
    return meant <= set(whole)


def _within(entry: Difference, parts: Collection[str]) -> Difference:
    return attrs.evolve(entry, parts=tuple(part for part in entry.parts if part in parts))
