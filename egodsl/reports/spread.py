"""How numbers are spread, from a histogram: memory grows with the different values, not with how many there are."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

import attrs


@attrs.frozen
class Spread:
    """A summary of whole numbers.

    Quartiles are those of `statistics.quantiles(..., method="inclusive")`; the deviation is the population's.
    """

    count: int
    min: int
    q1: float
    median: float
    mean: float
    q3: float
    max: int
    standard_deviation: float

    def to_json(self) -> dict[str, int | float]:
        """As what `json.dumps` takes; the keys are those of the class."""
        return attrs.asdict(self)


def spread_of(histogram: Mapping[int, int]) -> Spread | None:
    """The spread of the numbers that a histogram (value -> how often, at least once) counts; None if it counts none."""
    values = sorted(histogram)
    if not values:
        return None
    weights = [histogram[value] for value in values]
    count = sum(weights)
    mean = statistics.fmean(values, weights)
    variance = math.fsum(weight * (value - mean) ** 2 for value, weight in zip(values, weights, strict=True)) / count
    q1, median, q3 = (_quantile(values, weights, count, k) for k in (1, 2, 3))
    return Spread(count, values[0], q1, median, mean, q3, values[-1], math.sqrt(variance))


def _quantile(values: list[int], weights: list[int], count: int, quarter: int) -> float:
    # Between the two numbers in order at whose sides the place (count - 1) * quarter / 4, from 0, lies.
    below, part = divmod((count - 1) * quarter, 4)
    low = _at(values, weights, below)
    if part == 0:
        return float(low)
    return (low * (4 - part) + _at(values, weights, below + 1) * part) / 4


def _at(values: list[int], weights: list[int], place: int) -> int:
    for value, weight in zip(values, weights, strict=True):
        place -= weight
        if place < 0:
            return value
    return values[-1]
