"""Lines of a ROC plot on which a number stays the same."""

from __future__ import annotations

Segment = tuple[tuple[float, float], tuple[float, float]]
"""(FPR, TPR) of both ends."""


def iso_j(j: float) -> Segment | None:
    """Return the line on which Youden's J is `j`: TPR = FPR + J; None outside -1 to 1."""
    return _inside(1.0, j)


def iso_accuracy(accuracy: float, prevalence: float) -> Segment | None:
    """Return the line on which a share `accuracy` of the verdicts is right at a prevalence; None where no judge can have it.

    accuracy = x TPR + (1 - x)(1 - FPR) at prevalence x.

    Raises
    ------
    ValueError
        For a prevalence outside (0, 1).
    """
    if not 0 < prevalence < 1:
        raise ValueError(f"the prevalence must lie between 0 and 1, not {prevalence}")
    slope = (1 - prevalence) / prevalence
    return _inside(slope, (accuracy - (1 - prevalence)) / prevalence)


def _inside(slope: float, rise: float) -> Segment | None:
    """Return the part of TPR = rise + slope FPR inside the unit square."""
    first, last = max(0.0, -rise / slope), min(1.0, (1 - rise) / slope)
    if first >= last:
        return None
    return (first, rise + slope * first), (last, rise + slope * last)
