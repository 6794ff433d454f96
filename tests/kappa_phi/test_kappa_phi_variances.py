"""Closed-form variances of κ and φ, against the published checks and beside the interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.rows import pooled
from metrics.analyses.kappa_phi.variances import checks, second_order, variance_gap, variances_of
from tests.kappa_phi.made import EVEN, STRICT, report, row, told


def test_the_published_variances() -> None:
    found = checks()
    assert len(found) == 2
    for one in found:
        assert one.computed == pytest.approx([float(value) for value in one.published], abs=1e-12)


def test_the_gap_of_the_variances_is_of_second_order() -> None:
    taylor = (0.0, 0.0, 0.9127024085921607, 0.0, -29.83935000685156)
    found = second_order((0.0, 0.001, 0.01))
    assert found["gap"][0] == pytest.approx(0, abs=1e-12)
    assert math.isnan(found["over"][0])
    assert found["over"][1:] == pytest.approx([taylor[2], taylor[2] + taylor[4] * 1e-4], abs=1e-4)
    assert variance_gap(STRICT, [-0.1]) == pytest.approx(variance_gap(STRICT, [0.1]))
    assert np.isnan(variance_gap(EVEN, [0.5])).all()
    own = variances_of(row(STRICT), 0.95)
    assert variance_gap(STRICT, own.drift) == pytest.approx(own.gap)


def test_standard_errors_beside_the_interval() -> None:
    found = variances_of(row(EVEN), 0.95)
    assert found.kappa.times_n == pytest.approx(0.64)
    assert found.kappa.error == pytest.approx(0.08)
    assert found.kappa.flat.ends == pytest.approx((0.6 - 1.959964 * 0.08, 0.6 + 1.959964 * 0.08), abs=1e-6)
    assert found.kappa.shown == row(EVEN).block["kappa"]
    low, high = found.kappa.shown.ends
    assert found.kappa.times == pytest.approx((high - low) / (2 * 1.959964 * 0.08), abs=1e-6)
    assert found.gap == pytest.approx(0, abs=1e-12)


def test_variances_in_words() -> None:
    assert "κ and φ have the same standard error here" in readings.variance_reading(variances_of(row(EVEN), 0.95))
    assert "κ has the smaller variance" in readings.variance_reading(variances_of(row([[40, 10], [20, 30]]), 0.95))
    assert "φ has the smaller variance" in readings.variance_reading(variances_of(row([[5, 5], [1, 89]]), 0.95))
    perfect = variances_of(row([[50, 0], [0, 50]]), 0.95)
    assert perfect.kappa.flat.ends is None
    assert "no error at all" in readings.variance_reading(perfect)
    constant = readings.variance_reading(variances_of(row([[50, 0], [50, 0]]), 0.95))
    assert constant.startswith("φ of c0 is undefined (the judge gives one label only, MET) and κ is 0 by construction")
    assert readings.variance_reading(variances_of(row([[50, 0], [0, 0]]), 0.95)).startswith("κ of c0 has no standard error")


def test_the_interval_is_wider_where_decisions_on_an_item_hang_together() -> None:
    together = report(*[EVEN] * 6)
    found = variances_of(pooled(together.judges["j"], "micro"), 0.95)
    assert found.kappa.times > 2
    assert "times as wide as the textbook’s" in readings.variance_reading(found)


def test_the_growth_in_words() -> None:
    grown = second_order()
    text = told(readings.order_reading(grown["drift"], grown["gap"]))
    assert text.startswith("without label-rate bias the gap is 0; from 2.0 points to 5.0 points, 2.50 times the bias gives ")
    assert text.endswith("times the gap, where 6.25 would be its square.")
    assert readings.order_reading([0.0, 0.1], [0.0, 0.0]) == "without label-rate bias the gap is 0."
