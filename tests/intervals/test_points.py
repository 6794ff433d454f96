"""The fixed points of a Dirichlet's quantiles."""

import subprocess
import sys

import numpy as np
import pytest

from metrics.intervals import points


def test_the_points_of_two_classes_are_those_of_scipy_bit_by_bit() -> None:
    assert points._of_two_classes().tobytes() == points._of_scipy(4).tobytes()


@pytest.mark.parametrize("dimensions", [4, 9])
def test_every_cell_has_as_many_points_in_each_part_of_the_unit(dimensions: int) -> None:
    uniform, normal = points.points(dimensions)
    assert uniform.shape == normal.shape == (points.N_POINTS, dimensions)
    for column in uniform.T:
        assert (np.bincount((column * 64).astype(int)) == points.N_POINTS // 64).all()
    assert not uniform.flags.writeable
    assert np.isfinite(normal).all()


def test_two_classes_do_not_wait_for_the_statistics_of_scipy() -> None:
    code = "import sys; from metrics.intervals.points import points; points(4); print('scipy.stats' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False"]
