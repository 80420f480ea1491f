"""The generator against published and hand-computed numbers, and its draws against the uniform distribution."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egodsl.engine.rng import GAMMA, MASK, Random, below, derive, mix

PUBLISHED = (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821)
"""The first five outputs of SplitMix64 for the seed 1234567, as its users publish them."""


def test_the_published_vector() -> None:
    state, found = 1234567, []
    for _ in PUBLISHED:
        state = (state + GAMMA) & MASK
        found.append(mix(state))
    assert tuple(found) == PUBLISHED


def test_the_first_output_of_seed_zero() -> None:
    # As in Vigna's reference program.
    assert mix(GAMMA) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("n", [1, 2, 3, 6, 60, 1000, 2**32, 2**63])
def test_below_is_the_high_half_of_the_product(n: int) -> None:
    # None of these five draws is under 2^64 mod n, so none is thrown away.
    stream = Random(1234567)
    assert all((output * n) & MASK >= 2**64 % n for output in PUBLISHED)
    assert [stream.below(n) for _ in PUBLISHED] == [output * n >> 64 for output in PUBLISHED]


def test_a_draw_that_would_favour_some_is_thrown_away() -> None:
    # With n = 2^63 + 1, nearly half of all draws fall under 2^64 mod n = 2^63 - 1 and are drawn again.
    n = 2**63 + 1
    state, expected = 1234567, []
    for _ in range(200):
        state = (state + GAMMA) & MASK
        product = mix(state) * n
        if product & MASK >= 2**64 % n:
            expected.append(product >> 64)
    assert 80 < len(expected) < 120
    stream = Random(1234567)
    assert [stream.below(n) for _ in expected] == expected


@given(st.integers(0, MASK), st.integers(1, 2**63))
def test_below_stays_below(seed: int, n: int) -> None:
    value, state = below(seed, n)
    assert 0 <= value < n
    assert 0 <= state <= MASK
    assert (state - seed) * pow(GAMMA, -1, 2**64) & MASK >= 1, "the state has gone on by whole steps"
    assert below(seed, n) == (value, state)


@pytest.mark.parametrize("n", [2, 3, 7, 60])
def test_draws_are_uniform(n: int) -> None:
    stream = Random(derive(5, "uniform", n))
    rounds = 300 * n
    seen = Counter(stream.below(n) for _ in range(rounds))
    square = sum((seen[k] - 300) ** 2 / 300 for k in range(n))
    # Above the 0.9999 quantiles of chi-squared with 1, 2, 6 and 59 degrees of freedom.
    assert square < {2: 15.2, 3: 18.5, 7: 27.9, 60: 108.0}[n]


def test_mix_is_a_bijection_on_a_sample() -> None:
    assert len({mix(k) for k in range(20_000)}) == 20_000


def test_derive_is_fnv_of_the_words_mixed() -> None:
    def fnv(text: str) -> int:
        digest = 14695981039346656037
        for byte in text.encode():
            digest = (digest ^ byte) * 1099511628211 % 2**64
        return digest

    # The published FNV-1a value of one letter, so that the helper above is right.
    assert fnv("a") == 0xAF63DC4C8601EC8C
    assert derive(7, "player", 2) == mix(fnv("7/player/2"))
    assert derive(0) == mix(fnv("0"))


def test_streams_differ_by_every_word() -> None:
    seeds = {derive(seed, word, k) for seed in (0, 1, MASK) for word in ("deal", "play") for k in range(5)}
    assert len(seeds) == 30
