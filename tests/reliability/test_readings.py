"""What the gate says of its worst criterion, and two raters of each other."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.reliability.gate import Bands
from metrics.reliability.readings import gate_reading, pair_reading
from tests.reliability.made import labels, rows


def report_of(codes: np.ndarray, **how) -> metrics.reliability.report.RatersReport:
    names = ["MET", "UNMET"]
    return metrics.raters(metrics.read(rows(codes, names).encode()), **how)


@pytest.mark.parametrize(
    ("floor", "said"),
    [(-0.5, "ready to hold a judge against"), (0.99, "so the rubric is not ready")],
)
def test_the_floor_decides_what_is_said(floor, said) -> None:
    report = report_of(labels(1, n=200, raters=3, k=2, missing=0), bands=Bands(floor=floor))
    assert said in gate_reading(report)
    value = report.pooled.values["alpha"]
    middle = report_of(labels(1, n=200, raters=3, k=2, missing=0), bands=Bands(floor=value))
    assert "do not tell" in gate_reading(middle)


def test_one_label_is_undefined() -> None:
    assert "undefined: only one label is given" in gate_reading(report_of(np.zeros((9, 3), np.int16)))


def test_two_raters_with_much_little_and_nothing_in_common() -> None:
    both = labels(2, n=40, raters=2, k=2, missing=0)
    report = report_of(both)
    assert f"reach κ {report.pooled.pairs.kappa[0]:.2f} [" in pair_reading(report.pooled)
    assert "on the 40 they share" in pair_reading(report.pooled)
    few = report_of(both[:6])
    assert f"κ {few.pooled.pairs.kappa[0]:.2f}".replace("-", "−") in pair_reading(few.pooled)
    apart = np.array([[0, -1], [1, -1], [-1, 0], [-1, 1]], np.int16)
    assert "share no item" in pair_reading(report_of(apart).pooled)
    same = np.zeros((8, 2), np.int16)
    assert "κ is undefined" in pair_reading(report_of(same).pooled)
