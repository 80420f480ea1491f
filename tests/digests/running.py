"""Playing many games, on one core or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

import egodsl
from tests.digests.playing import RULEBOOKS, Case, Played, cases_of, play
from tests.digests.storing import Stored, digest_of

_PER_TASK = 12
"""Cases that one process plays before it is given others."""


@lru_cache(maxsize=2)
def _loaded(name: str) -> egodsl.Rulebook:
    return egodsl.load(RULEBOOKS[name])


def cases(names: Sequence[str]) -> list[Case]:
    """All cases of the rulebooks."""
    return [case for name in names for case in cases_of(_loaded(name), name)]


def played_game(case: Case, seed: int) -> Played:
    """One game of a case."""
    return play(case.game(_loaded(case.rulebook)), case, seed)


def run(chosen: Sequence[Case], seeds: int, jobs: int) -> Iterator[tuple[Case, Stored]]:
    """The digests of the first seeds of each case, in order."""
    if jobs == 1:
        for case in chosen:
            yield case, _run_case(case, seeds)
        return
    groups = [chosen[k : k + _PER_TASK] for k in range(0, len(chosen), _PER_TASK)]
    with ProcessPoolExecutor(jobs) as pool:
        for group, made in zip(groups, pool.map(_run_group, groups, [seeds] * len(groups)), strict=True):
            yield from zip(group, made, strict=True)


def _run_group(group: Sequence[Case], seeds: int) -> list[Stored]:
    return [_run_case(case, seeds) for case in group]


def _run_case(case: Case, seeds: int) -> Stored:
    rulebook = _loaded(case.rulebook)
    try:
        game = case.game(rulebook)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other settings are to be compared
        broken = Played()
        broken.parts["result"].append(f"error {type(error).__name__}: {error}")
        return Stored(rulebook.digest[:8], dict.fromkeys(range(seeds), digest_of(broken)))
    return Stored(rulebook.digest[:8], {seed: digest_of(play(game, case, seed)) for seed in range(seeds)})
