"""A number with its interval: on which side of 0 it lies, and the same difference the other way round."""

from __future__ import annotations

import math

import pytest

from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate


@pytest.mark.parametrize(("low", "high", "sign"), [(0.1, 0.3, 1), (-0.3, -0.1, -1), (-0.1, 0.3, 0), (0.0, 0.3, 0)])
def test_side_of_0_and_turned(low: float, high: float, sign: int) -> None:
    one = Estimate(0.2, Interval(low, high, "jackknife", "few items"))
    assert one.sign == sign
    assert -one == Estimate(-0.2, Interval(-high, -low, "jackknife", "few items"))


def test_without_an_interval() -> None:
    assert Estimate(0.2, why="one item").sign == 0
    assert -Estimate(0.2, why="one item") == Estimate(-0.2, why="one item")
    assert (-Estimate(math.nan, why="no item")).undefined == "no item"
