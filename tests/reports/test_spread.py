"""Spreads from a histogram, against the statistics module on the numbers themselves."""

from __future__ import annotations

import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egodsl.reports.spread import spread_of


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_it_is_what_the_statistics_module_says(numbers: list[int]) -> None:
    spread = spread_of(Counter(numbers))
    assert spread is not None
    assert (spread.count, spread.min, spread.max) == (len(numbers), min(numbers), max(numbers))
    quartiles = statistics.quantiles(numbers, n=4, method="inclusive")
    assert [spread.q1, spread.median, spread.q3] == pytest.approx(quartiles)
    assert spread.mean == pytest.approx(statistics.fmean(numbers))
    assert spread.standard_deviation == pytest.approx(statistics.pstdev(numbers), abs=1e-9)


def test_by_hand() -> None:
    # 1 1 2 5: quartiles at places 0.75, 1.5 and 2.25 from 0; mean 9/4, squared distances 25, 25, 1, 121 sixteenths.
    spread = spread_of({1: 2, 2: 1, 5: 1})
    assert spread is not None
    assert (spread.q1, spread.median, spread.q3) == (1.0, 1.5, 2.75)
    assert spread.mean == 2.25
    assert spread.standard_deviation == pytest.approx((172 / 64) ** 0.5)


def test_one_number_and_none() -> None:
    one = spread_of({7: 3})
    assert one is not None
    assert (one.q1, one.median, one.q3, one.standard_deviation) == (7, 7, 7, 0)
    assert spread_of({}) is None
