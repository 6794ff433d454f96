"""Where a function is 0, against SciPy's `brentq`."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from metrics.measures.roots import root_between

FUNCTIONS = {
    "flat": lambda x: (x - 0.3) ** 3,
    "steep": lambda x: math.exp(40 * x) - 1e-6,
    "a high power": lambda x: x**9 - 1e-9,
    "a step": lambda x: 1.0 if x > 0.123 else -1.0,
    "falling": lambda x: math.cos(x + 0.5),
    "bent at the root": lambda x: min(9 * (x - 0.25), 0.1 * (x - 0.25)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_roots_are_those_of_brentq(name: str) -> None:
    function = FUNCTIONS[name]
    assert root_between(function, -1.0, 2.0) == pytest.approx(brentq(function, -1.0, 2.0, maxiter=10_000), abs=1e-11)


@given(st.floats(-1, 1), st.floats(1e-3, 1e3), st.floats(0, 50))
def test_the_root_of_any_rising_function_is_found(root: float, slope: float, bend: float) -> None:
    assert root_between(lambda x: slope * (x - root) * (1 + bend * (x - root) ** 2), -1.5, 1.5) == pytest.approx(root, abs=1e-12)


def test_few_values_of_a_smooth_function_are_asked_for() -> None:
    asked = []
    root_between(lambda x: asked.append(x) or x * x - 2, 0.0, 2.0)
    assert len(asked) < 20


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-1.0, 0.0)])
def test_a_root_at_an_end_is_that_end(low: float, high: float) -> None:
    assert root_between(lambda x: x, low, high) == 0


def test_one_sign_at_both_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="one sign"):
        root_between(lambda x: x * x + 1, -1.0, 1.0)
