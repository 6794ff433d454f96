"""Markedness: Youden's J seen from the judge's side, and shown wherever its record says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.measures.catalogue import keys_at

SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "rao_balanced.csv"


def test_it_is_the_regression_of_the_reference_on_the_judge() -> None:
    """Powers (2011): the slope of the reference on the judge, as 0 and 1; the other slope is J, and their product φ²."""
    rng = np.random.default_rng(11)
    for _ in range(50):
        table = rng.integers(1, 40, (2, 2))
        reference, judge = (np.repeat(side, table.ravel()) for side in ([1, 1, 0, 0], [1, 0, 1, 0]))
        assert float(metrics.markedness(table)) == pytest.approx(np.polyfit(judge, reference, 1)[0], abs=1e-12)
        assert float(metrics.markedness(table) * metrics.youden_j(table)) == pytest.approx(
            float(metrics.phi(table)) ** 2, abs=1e-12
        )


def test_a_judge_of_one_label_has_none_and_a_reference_of_one_has_0() -> None:
    assert np.isnan(metrics.markedness([[[5, 0], [3, 0]], [[0, 5], [0, 3]], [[5, 0], [0, 0]], [[0, 0], [0, 0]]])).all()
    assert metrics.markedness([[7, 3], [0, 0]]) == metrics.markedness([[0, 0], [7, 3]]) == 0


def test_it_shows_where_its_record_says() -> None:
    report = metrics.agreement(metrics.read(SAMPLE))
    judge = next(iter(report.to_dict()["judges"].values()))
    assert judge["micro"]["markedness"] == pytest.approx(40 / 60 + 30 / 40 - 1)
    low, high = judge["micro"]["intervals"]["markedness"]
    assert low < judge["micro"]["markedness"] < high
    assert "markedness" in set(report.to_frame().metric)
    assert all("markedness" in keys_at(place) for place in ("page", "report"))
