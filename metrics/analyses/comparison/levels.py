"""Several readings of one comparison, and whether they agree on who is better; so of J pooled over criteria and J within them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.records import JudgeReport
from metrics.measures.arrays import FloatArray, as_confusion, safe_ratio
from metrics.measures.coefficients import disagreements
from metrics.measures.transforms import ROUNDING, Interval, student
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

LevelName = Literal["micro", "macro", "within"]
LEVEL_READINGS: tuple[LevelName, ...] = ("micro", "macro", "within")
SLACK = 1e-12
"""A difference up to this is that of equal numbers added in another order."""
FEWEST = 10
"""Decisions of each criterion below which a missing label of the reference is no property of the criterion."""
ONE_LABEL_EACH = "within criteria J is undefined: on each criterion the reference gives one label only"


@dataclass(frozen=True)
class Reading:
    """The difference of two judges, read in one way.

    Attributes
    ----------
    a, b : float
        Values of the two judges; NaN where undefined.
    n : (int, int)
        Decisions (items at item level) behind each value.
    difference : Estimate
        Value of B less that of A.
    p : float or None
        Of the permutation test; None where only the interval is taken.
    confidence : float
    """

    metric: str
    a: float
    b: float
    n: tuple[int, int]
    difference: Estimate
    p: float | None
    confidence: float

    @property
    def sign(self) -> int:
        """Of the difference itself, whatever its interval; 0 where there is none."""
        return int(self.difference.value > SLACK) - int(self.difference.value < -SLACK)

    @property
    def settled(self) -> bool:
        """Whether the interval, and the permutation test where it was made, tell the judges apart."""
        return bool(self.difference.sign) and (self.p is None or self.p <= 1 - self.confidence)

    def to_dict(self) -> dict[str, Any]:
        return {
            "metric": self.metric, "a": or_none(self.a), "b": or_none(self.b), "n_a": self.n[0], "n_b": self.n[1],
            "difference": or_none(self.difference.value), "interval": ends_or_none(self.difference.ends),
            "p": None if self.p is None else or_none(self.p), "settled": self.settled,
        }  # fmt: skip


@dataclass(frozen=True)
class Nonresponse:
    """What abstentions do to a comparison.

    Attributes
    ----------
    whole : Reading
        Each judge on all decisions that count for it.
    left_open : Estimate
        Difference of `whole` less that on the decisions both answered, paired.
    as_unmet : Reading or None
        Abstentions recoded as negative; None where the scale has no negative label.
    answered : Reading or None
        Where the mode counts abstentions: the decisions on which both gave a verdict.
    """

    whole: Reading
    left_open: Estimate
    as_unmet: Reading | None
    answered: Reading | None

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The readings beside that of the decisions both answered."""
        return tuple(reading for reading in (self.whole, self.as_unmet, self.answered) if reading is not None)


def disagree(readings: Iterable[Reading]) -> bool:
    """Return whether signs differ, or one reading is settled and another is not.

    A reading without a value says nothing, one without an interval nothing on what is settled.
    """
    known = [reading for reading in readings if reading.difference.defined]
    signs = {reading.sign for reading in known} - {0}
    settled = {reading.settled for reading in known if reading.difference.interval is not None or not reading.sign}
    return len(signs) > 1 or len(settled) > 1


def independent_difference(a: Estimate, b: Estimate, most: float = math.inf, note: str = "") -> Estimate:
    """Return b less a of two independent numbers, each end as far as the ends of both reach, by their squares (MOVER).

    Parameters
    ----------
    a, b : Estimate
    most : float
        What no difference exceeds.
    note : str
        Of the interval.

    Returns
    -------
    Estimate
        Without an interval where one of both has none.

    References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    difference = b.value - a.value
    if a.ends is None or b.ends is None:
        return Estimate(difference, why=a.why or b.why or "one of both has no interval")
    low = difference - math.hypot(b.value - b.ends[0], a.ends[1] - a.value)
    high = difference + math.hypot(b.ends[1] - b.value, a.value - a.ends[0])
    return Estimate(difference, Interval(max(low, -most), min(high, most), "mover", note))


def difference_of(value: float, error: float, n_units: int, confidence: float, most: float = math.inf) -> Estimate:
    """Return a difference with its interval by Student's t.

    Parameters
    ----------
    value, error : float
        The difference and its standard error; no interval where either is undefined, or the error is mere rounding.
    n_units : int
        What was left out one at a time.
    confidence : float
        Of the interval, in (0, 1).
    most : float
        The largest difference there can be, beyond which no end lies.
    """
    if math.isnan(value) or not error > ROUNDING:
        return Estimate(value)
    reach = student(n_units - 1, confidence) * error
    return Estimate(value, Interval(max(value - reach, -most), min(value + reach, most), "paired jackknife"))


@dataclass(frozen=True)
class PooledJ:
    """J of one judge in two readings, each against the 0 of a judge at chance.

    Attributes
    ----------
    pooled, within : Reading
        Of the pooled table, and with every criterion compared with itself; within is NaN where no criterion has both labels.
    thin : bool
        Whether a criterion has too few decisions to say that the reference gives one label there.
    """

    pooled: Reading
    within: Reading
    thin: bool

    @property
    def disagree(self) -> bool:
        """Whether the readings disagree, or the pooled one rests on differences between criteria alone."""
        if math.isnan(self.pooled.b):
            return False
        if math.isnan(self.within.b):
            return not self.thin
        return disagree((self.pooled, self.within))

    @property
    def why(self) -> str:
        """Both readings, in a sentence; empty where they agree."""
        if not self.disagree:
            return ""
        pooled = f"Pooled over criteria J is {words.estimate(self.pooled.difference)}"
        if math.isnan(self.within.b):
            return f"{pooled}, {ONE_LABEL_EACH}."
        return f"{pooled}, within criteria {words.estimate(self.within.difference)}: the criteria differ in their label rates."

    @property
    def no_transfer(self) -> str:
        """That the pooled rates say nothing of other answers, and what helps; empty where the readings agree."""
        if not self.why:
            return ""
        undefined = math.isnan(self.within.b)
        helps = "Label items with the other label on each criterion." if undefined else "Choose one criterion."
        return f"{self.why} So TPR and FPR do not carry over to other answers. {helps}"

    def to_dict(self) -> dict[str, Any]:
        return {"pooled": self.pooled.to_dict(), "within": self.within.to_dict(), "disagree": self.disagree}


def pooled_j(tables: FloatArray, j: Estimate, kappa: Interval | None, confidence: float) -> PooledJ | None:
    """Return J pooled over criteria and within them; None with one criterion, and with more than two classes.

    Parameters
    ----------
    tables : ndarray, shape (C, K, K)
    j : Estimate
        Of the pooled table.
    kappa : Interval or None
        Interval of κ within criteria. J within criteria is κ within criteria on another scale, with the same 0, and so is its
        interval: both tell, or do not tell, the judge from chance.
    """
    used = tables[tables.sum((1, 2)) > 0]
    if tables.shape[-1] != 2 or len(used) < 2:
        return None
    n = int(used.sum())
    within = Estimate(float(youden_within(used)), _scaled(used, kappa))
    pooled, inside = (Reading("youden_j", 0.0, estimate.value, (n, n), estimate, None, confidence) for estimate in (j, within))
    return PooledJ(pooled, inside, thin=bool((used.sum((1, 2)) < FEWEST).any()))


def youden_within(counts: ArrayLike) -> FloatArray:
    r"""Return J within criteria: the criteria's J, weighted by :math:`P_c N_c / n_c` as Mantel and Haenszel do.

    Parameters
    ----------
    counts : array_like, shape (..., C, 2, 2)
        One table per criterion.

    Returns
    -------
    ndarray, shape (...)
        NaN where no criterion has both labels by the reference. It is 0 where `kappa_within` is 0 and has its sign.

    References: Greenland & Robins (1985), doi:10.2307/2530643.
    """
    counts = as_confusion(counts, classes=2)
    n = counts.sum((-2, -1))
    (tp, fn), (fp, tn) = np.moveaxis(counts, (-2, -1), (0, 1))
    covered, possible = (np.nan_to_num(safe_ratio(part, n)).sum(-1) for part in (tp * tn - fn * fp, (tp + fn) * (fp + tn)))
    return safe_ratio(covered, possible)


def _scaled(tables: FloatArray, kappa: Interval | None) -> Interval | None:
    """Return the interval of κ within criteria on the scale of J within criteria."""
    n, of_reference = tables.sum((1, 2)), tables.sum(2).prod(1)
    possible = float((of_reference / n).sum())
    if kappa is None or kappa.ends is None or not possible:
        return None
    scale = float(disagreements(tables)[1].sum()) / 2 / possible
    return replace(kappa, low=max(-1.0, kappa.low * scale), high=min(1.0, kappa.high * scale))


def pooled_j_of(report: JudgeReport, confidence: float) -> PooledJ | None:
    """Return the two readings of the judge of a report."""
    tables = np.stack([np.asarray(block.confusion, np.float64) for block in report.criteria.values()])
    block = report.micro
    if tables.shape[-1] != 2 or "youden_j" not in block.values:
        return None
    return pooled_j(tables, block["youden_j"], block["kappa_within"].interval, confidence)
