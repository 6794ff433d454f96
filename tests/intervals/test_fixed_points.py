"""The fixed points of a table of two classes are SciPy's own, and nothing of `scipy.stats` is imported for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics.intervals import fixed_points

ROOT = Path(__file__).resolve().parents[2]


def test_the_points_of_four_cells_are_those_of_scipy() -> None:
    np.testing.assert_array_equal(fixed_points._of_four_cells(), fixed_points._by_scipy(4))


@pytest.mark.parametrize("dimensions", [4, 9])
def test_points_lie_inside_and_cannot_be_written_to(dimensions: int) -> None:
    uniform, normal = fixed_points.fixed_points(dimensions), fixed_points.normal_points(dimensions - 1, dimensions)
    assert uniform.shape == (*normal.shape, dimensions) == (fixed_points.N_POINTS, dimensions)
    assert uniform.min() > 0
    assert uniform.max() < 1
    assert np.isfinite(normal).all()
    with pytest.raises(ValueError, match="read-only"):
        uniform[0] = 0.5


def test_a_first_agreement_imports_neither_distributions_nor_optimisers() -> None:
    asked = """
import sys, metrics
metrics.agreement(["MET", "UNMET", "MET"] * 9, ["MET", "MET", "UNMET"] * 9)
print(*[name for name in ("scipy.stats", "scipy.optimize", "scipy.special") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["scipy.special"]
