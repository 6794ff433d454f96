"""Clouds of points: no point is lost, equal ones are one mark, and many become a grid."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.analyses.paired_numbers import Paired
from metrics.analyses.scores.density import CELLS, MOST, cloud, plane_of_differences, plane_of_pairs, share_between

ENDS = (0.0, 1.0)


def drawn(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    x = rng.beta(5, 5, n)
    return x, np.clip(x + rng.normal(0, 0.1, n), 0, 1)


def test_equal_points_are_one_mark_with_their_count() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(1, 6, (2, 10_000)).astype(float)
    found = cloud(x, y, (0.5, 5.5), (0.5, 5.5))
    assert found.grid is None
    assert (len(found.x), found.n, int(found.count.sum())) == (25, 10_000, 10_000)
    for at, of_y, count in zip(found.x, found.y, found.count, strict=True):
        assert count == ((x == at) & (y == of_y)).sum()


def test_up_to_the_limit_every_point_is_a_mark() -> None:
    x, y = drawn(MOST)
    found = cloud(x, y, ENDS, ENDS)
    assert found.grid is None
    assert sorted(zip(found.x, found.y, strict=True)) == sorted(zip(x, y, strict=True))
    assert cloud(*drawn(MOST + 1), ENDS, ENDS).grid is not None


def test_many_points_are_counted_in_squares_and_those_alone_stay_marks() -> None:
    x, y = drawn(30_000)
    found = cloud(x, y, ENDS, ENDS)
    assert found.grid is not None
    counts = np.histogram2d(y, x, CELLS, ((0, 1), (0, 1)))[0]
    alone = counts == 1
    np.testing.assert_array_equal(found.grid.count, np.where(alone, 0, counts))
    assert len(found.x) == alone.sum() > 20
    assert found.grid.count.sum() + found.count.sum() == found.n == 30_000
    pairs = set(zip(x, y, strict=True))
    assert all(pair in pairs for pair in zip(found.x, found.y, strict=True))
    assert found.grid.x[0] == pytest.approx(0.5 / CELLS)


def test_points_on_the_upper_end_lie_in_the_last_square() -> None:
    x = np.append(np.linspace(0, 1, 3_000), [1.0, 1.0])
    found = cloud(x, x, ENDS, ENDS)
    assert found.grid.count[-1, -1] == ((x >= 1 - 1 / CELLS).sum())


def test_nothing_is_an_empty_cloud() -> None:
    found = cloud(np.zeros(0), np.zeros(0), ENDS, ENDS)
    assert (found.n, len(found.x), found.grid) == (0, 0, None)


def test_planes_hold_every_point_and_say_which_side_is_higher() -> None:
    paired = Paired(np.array([1.0, 2, 3, np.nan]), np.array([2.0, 2, 1, 4]))
    plane = plane_of_pairs(paired)
    assert (plane.higher, plane.equal, plane.lower, plane.cloud.n) == (1, 1, 1, 3)
    assert plane.across == plane.upright
    assert plane.across[0] < 1
    assert plane.across[1] > 3
    apart = plane_of_pairs(paired, same_unit=False)
    assert apart.across[1] > 3 > apart.upright[1] > 2
    differences = plane_of_differences(paired)
    assert sorted(differences.cloud.y) == [-2, 0, 1]
    assert sorted(differences.cloud.x) == [1.5, 2, 2]
    assert differences.upright[0] < -2
    assert differences.upright[1] > 1


def test_an_axis_of_one_number_has_a_width() -> None:
    for value in (0.0, 3.0, -1e-6):
        plane = plane_of_pairs(Paired(np.array([value]), np.array([value])))
        assert plane.across[0] < value < plane.across[1]


def test_share_between_the_limits() -> None:
    paired = Paired(np.zeros(4), np.array([-1.0, 0, 1, 2]))
    assert share_between(paired, -1, 1) == 0.75
    assert math.isnan(share_between(paired, math.nan, 1))
    assert math.isnan(share_between(Paired(np.zeros(0), np.zeros(0)), 0, 1))
