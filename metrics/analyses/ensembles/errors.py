r"""Are the judges wrong on the same decisions? Errors of every pair, and how many independent judges the panel is worth.

A judge errs on a decision where its class differs from that of the reference. With C the mean covariance of the errors of two
judges and V the mean variance :math:`e_j(1-e_j)` of one, each pair on the decisions both answered, the mean error of J judges
varies between decisions as that of J judges with correlation r = C / V, and as that of

.. math:: J_{\mathrm{eff}} = \frac{J}{1 + (J - 1) r}

independent ones (Kish's effective number). Judges who never err count: they have no φ, but a covariance, 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from metrics.analyses.ensembles.errors_interval import Shared, interval_of, items_wrong_together
from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix, judged_matrix_of
from metrics.analyses.raters.pairwise import MIN_SHARED
from metrics.data.abstention import Mode
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.results.estimate import Estimate
from metrics.results.report import Short

NO_ERRORS = "no judge is wrong on a decision that another one answered too"
NO_PAIR = f"no two judges share {MIN_SHARED} decisions with a reference"


@dataclass(frozen=True)
class Run:
    """Decisions on which `first` to `last` judges err: how many, their share, and that share if errors were independent."""

    first: int
    last: int
    n: int
    share: float
    by_chance: float


@dataclass(frozen=True, eq=False)
class SharedErrors(Short):
    """Errors of all pairs of J judges on the decisions that both and the reference gave a class.

    Attributes
    ----------
    judges : tuple of str
    n_decisions, n_items : int
        With a reference.
    n : ndarray, shape (J, J)
        Shared decisions; on the diagonal those of each judge.
    wrong : ndarray, shape (J, J)
        Errors of the judge in the row on the decisions shared with that in the column.
    both : ndarray, shape (J, J)
        Decisions on which both err.
    same_wrong_class : ndarray, shape (J, J)
        Those of them on which both give the same wrong class; with two classes all of them.
    expected : ndarray, shape (J, J)
        Decisions on which both would err if they erred independently given the reference, at the rates they have here.
    phi : ndarray, shape (J, J)
        Correlation of their errors; NaN where either is always right or always wrong, and on the diagonal.
    correlation : Estimate
        r = C / V over the pairs that share ten decisions or more; undefined where no judge errs, or there is no such pair.
        Its interval is by jackknife over items on Fisher's z; see `errors_interval`.
    n_wrong_together : int
        Items on which two judges or more err on one decision; the interval rests on them.
    mean_phi : float
        Mean of φ over those pairs where it is defined.
    n_pairs, n_phi : int
        Pairs in `correlation`, and in `mean_phi`.
    joint_errors : ndarray, shape (J + 1,)
        Decisions on which 0, 1, …, J judges err, of those all answered: a judge without an answer is not a judge without error.
    by_chance : ndarray, shape (J + 1,)
        The same, expected if errors were independent given the reference, at the rates of these decisions.
    never_given : float
        Share of the judges' answers beside a reference that are a class the reference never gives: each is an error.
    """

    judges: tuple[str, ...]
    n_decisions: int
    n_items: int
    n: FloatArray
    wrong: FloatArray
    both: FloatArray
    same_wrong_class: FloatArray
    expected: FloatArray
    phi: FloatArray
    correlation: Estimate
    n_wrong_together: int
    mean_phi: float
    n_pairs: int
    n_phi: int
    joint_errors: FloatArray
    by_chance: FloatArray
    never_given: float

    @property
    def sign(self) -> int:
        """+1 where judges err on the same decisions, -1 where on different ones, 0 where the interval holds independence."""
        return self.correlation.sign

    @property
    def n_together(self) -> int:
        """Decisions with a reference that all judges answered."""
        return int(self.joint_errors.sum())

    @property
    def effective(self) -> Estimate:
        """Independent judges that the J are worth; infinite from r = −1/(J−1) downwards."""
        r, worth = self.correlation, partial(effective_judges, n=len(self.judges))
        interval = r.interval and replace(r.interval, low=worth(r.interval.high), high=worth(r.interval.low))
        return replace(r, value=worth(r.value), interval=interval)

    def at_least(self, k: int) -> tuple[float, float]:
        """Return decisions on which k judges or more err, and how many there would be if errors were independent."""
        return float(self.joint_errors[k:].sum()), float(self.by_chance[k:].sum())

    def runs(self, most: int) -> list[Run]:
        """Return the decisions by how many judges err, in at most so many runs of numbers.

        Nobody and everybody stand by themselves; the runs between are equally long, but for the last. None where no decision
        has the answers of all.
        """
        if not self.n_together:
            return []
        j = len(self.judges)
        step = max(1, -(-(j - 1) // max(1, most - 2)))
        starts = [0, *range(1, j, step), j]
        stops = [*starts[1:], j + 1]
        return [self._run(first, after - 1) for first, after in zip(starts, stops, strict=True)]

    def _run(self, first: int, last: int) -> Run:
        seen, chance = (float(counts[first : last + 1].sum()) for counts in (self.joint_errors, self.by_chance))
        return Run(first, last, int(seen), seen / self.n_together, chance / self.n_together)


def effective_judges(correlation: float, n: int) -> float:
    """Return independent judges that n with this correlation of errors are worth; infinite from −1/(n−1) downwards."""
    deff = 1 + (n - 1) * correlation
    if math.isnan(deff):
        return math.nan
    return n / deff if deff > 0 else math.inf


@takes_ratings
def shared_errors(
    ratings: Ratings,
    *,
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    abstention: Mode = "exclude",
    confidence: float = 0.95,
) -> SharedErrors:
    """Return errors of all pairs of judges, by matrix products on distinct decisions.

    Parameters
    ----------
    ratings, judges, reference, abstention
        As in `metrics.analyses.ensembles.verdict_matrix.verdict_matrix_of`.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        As `verdict_matrix_of`, and where no decision has a reference.
    """
    verdict_matrix = judged_matrix_of(ratings, judges, reference, abstention)
    kinds, times = verdict_matrix.distinct
    answered = (kinds.labels >= 0).astype(np.float64)
    wrong = answered * (kinds.labels != kinds.reference[:, None])
    n, errs = _products(answered, answered, times), _products(wrong, answered, times)
    both = _products(wrong, wrong, times)
    hot = kinds.hot * wrong[:, :, None]
    alike = sum((_products(class_errors, class_errors, times) for class_errors in np.moveaxis(hot, 2, 0)), np.zeros_like(both))
    counted = (n >= MIN_SHARED) & ~np.eye(verdict_matrix.n_judges, dtype=bool)
    phi = _phi(n, errs, both)
    usable = counted & ~np.isnan(phi)
    shared = Shared.of(n, errs, both, counted)
    r = float(shared.correlation)
    why = "" if not math.isnan(r) else NO_ERRORS if counted.any() else NO_PAIR
    together, by_chance = _joint_errors(kinds, times, answered, wrong)
    return SharedErrors(
        verdict_matrix.judges, verdict_matrix.n, verdict_matrix.n_items(), n,
        errs, both, alike, _expected(kinds, times, answered, wrong),
        phi, Estimate(r, interval_of(verdict_matrix, shared, counted, confidence), why), items_wrong_together(verdict_matrix),
        float(phi[usable].mean()) if usable.any() else math.nan, int(counted.sum()) // 2, int(usable.sum()) // 2,
        together, by_chance, _never_given(kinds, times),
    )  # fmt: skip


def _never_given(kinds: VerdictMatrix, times: FloatArray) -> float:
    given = np.bincount(kinds.reference, minlength=len(kinds.classes)) > 0
    strange = (kinds.labels >= 0) & ~given[kinds.labels]
    return float(times @ strange.sum(1) / max(times @ (kinds.labels >= 0).sum(1), 1.0))


def _products(left: FloatArray, right: FloatArray, times: FloatArray) -> FloatArray:
    products: FloatArray = left.T @ (times[:, None] * right)
    return products


def _phi(n: FloatArray, wrong: FloatArray, both: FloatArray) -> FloatArray:
    other = wrong.T
    spread = np.sqrt(wrong * (n - wrong) * other * (n - other))
    phi = np.clip(safe_ratio(n * both - wrong * other, spread), -1.0, 1.0)
    np.fill_diagonal(phi, np.nan)
    return phi


def _expected(kinds: VerdictMatrix, times: FloatArray, answered: FloatArray, wrong: FloatArray) -> FloatArray:
    """Return decisions on which both err under independence given the reference, at the rates of the decisions they share."""
    total = np.zeros((kinds.n_judges, kinds.n_judges))
    for place in range(len(kinds.classes)):
        weights = times * (kinds.reference == place)
        errs = _products(wrong, answered, weights)
        total += np.nan_to_num(safe_ratio(errs * errs.T, _products(answered, answered, weights)))
    return total


def _joint_errors(
    kinds: VerdictMatrix, times: FloatArray, answered: FloatArray, wrong: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return decisions all answered by the number who err: seen, and expected under independence given the reference.

    Both have shape (J + 1,).
    """
    j = kinds.n_judges
    times = times * answered.all(1)
    seen: FloatArray = np.bincount(wrong.sum(1).astype(np.int64), weights=times, minlength=j + 1).astype(np.float64)
    expected = np.zeros(j + 1)
    for place in range(len(kinds.classes)):
        weights = times * (kinds.reference == place)
        if weights.any():
            expected += weights.sum() * number_of_events(weights @ wrong / weights.sum())
    return seen, expected


def number_of_events(rates: FloatArray) -> FloatArray:
    """Return the probability of each number of independent events, shape (..., M + 1), from theirs, shape (..., M)."""
    chance = np.zeros((*rates.shape[:-1], rates.shape[-1] + 1))
    chance[..., 0] = 1
    for rate in np.moveaxis(rates, -1, 0)[..., None]:
        chance[..., 1:] = chance[..., 1:] * (1 - rate) + chance[..., :-1] * rate
        chance[..., :1] *= 1 - rate
    return chance
