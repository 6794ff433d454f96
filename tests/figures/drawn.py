"""What several tests of figures look at: the texts of a figure, and more judges than one reads at a glance."""

from __future__ import annotations

import numpy as np

from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

CROWD = {
    f"a judge with a name of forty characters {place:02d}": table
    for place, table in enumerate(np.random.default_rng(3).integers(5, 90, (20, 2, 2)))
}


def estimate(value: float, low: float | None = None, high: float | None = None, why: str = "") -> Estimate:
    return Estimate(value, None if low is None or high is None else Interval(low, high, ""), why)


def texts(figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]
