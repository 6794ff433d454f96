"""How the panel's agreement with the reference grows with its size, and how it would if its judges erred independently."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ensembles.errors import number_of_events
from metrics.analyses.ensembles.panel import rule_of
from metrics.analyses.ensembles.verdict_matrix import (
    VerdictMatrix,
    item_error,
    judged_matrix_of,
    kappa_slope,
    merged,
    with_reference,
)  # fmt: skip
from metrics.data.abstention import Mode
from metrics.data.checks import takes_ratings
from metrics.data.ratings import PanelRule, Ratings
from metrics.errors import InputError
from metrics.intervals.bootstrap import Progress
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import Interval, interval_around, student
from metrics.results.estimate import Estimate
from metrics.results.progress import shown
from metrics.results.report import Short

MOST_PANELS, FEWEST_PANELS = 1000, 60
"""Panels of one size that are tried where there are more of them: fewer, the more decisions each of them takes."""
WORK = 2 * 10**8
"""Votes counted for the panels of one size."""
BLOCK = 2**20
"""Verdicts of panels held at once."""
# Odd, because a panel of even size can tie; thinned beyond 11.
SHOWN = (1, 3, 5, 7, 9, 11, 15, 21, 31, 45, 65, 95)
# Nine panels in ten lie above the first of these quantiles, nine in ten below the second.
SPREAD = (0.1, 0.9)
_Told = Callable[[int], bool]


@dataclass(frozen=True)
class Size:
    """Panels of one size.

    Attributes
    ----------
    size : int
    n_panels : int
        Panels tried: all there are where `exact`, else so many drawn.
    kappa : Estimate
        Mean of their κ with the reference over those where it is defined. Its interval is that by drawing other items like these;
        it says nothing about other judges. Of the one panel of all judges it is what `metrics.agreement` gives for that panel.
    undefined : int
        Panels whose κ is undefined.
    error : float
        Monte Carlo error of the mean; 0 where all panels were tried.
    low, high : float
        Nine in ten panels are above `low`, nine in ten below `high`.
    coverage : float
        Mean share of the decisions with a reference on which the panel has a verdict too.
    independent : float
        Mean κ that the same panels would have if their judges erred independently given the reference, each with the error
        rates it has here, and all of them answered. NaN with more than two classes.
    """

    size: int
    n_panels: int
    exact: bool
    kappa: Estimate
    undefined: int
    error: float
    low: float
    high: float
    coverage: float
    independent: float


@dataclass(frozen=True, eq=False)
class Growth(Short):
    """Agreement with the reference by size of the panel.

    Attributes
    ----------
    sizes : tuple of Size
        Finished ones, in order.
    requested_sizes : tuple of int
        Sizes asked for; more than `sizes` where it was stopped.
    judges : tuple of str
    alone : tuple of Estimate, length J
        κ of each judge with the reference.
    n_decisions, n_items : int
        With a reference.
    metric : str
        Key of the κ that every number is: of ordered labels the one with quadratic weights.
    """

    rule: PanelRule
    sizes: tuple[Size, ...]
    requested_sizes: tuple[int, ...]
    judges: tuple[str, ...]
    alone: tuple[Estimate, ...]
    n_decisions: int
    n_items: int
    seed: int | None
    metric: str = "kappa"

    @property
    def symbol(self) -> str:
        """That κ in a word."""
        return BY_KEY[self.metric].symbol

    @property
    def stopped(self) -> bool:
        return len(self.sizes) < len(self.requested_sizes)

    @property
    def best_alone(self) -> tuple[str, Estimate] | None:
        """The judge with the largest κ and that κ; None where it is undefined for all.

        The interval does not know that this judge was chosen as the best.
        """
        known = [pair for pair in zip(self.judges, self.alone, strict=True) if pair[1].defined]
        return max(known, key=lambda pair: pair[1].value, default=None)


@takes_ratings
def panel_growth(
    ratings: Ratings,
    *,
    rule: str = "majority",
    judges: Sequence[str] | None = None,
    reference: str = "auto",
    abstention: Mode = "exclude",
    sizes: Sequence[int] | None = None,
    subsets: int | None = None,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
) -> Growth:
    """Return mean κ of panels of 1, 3, 5, … of the judges with the reference, over all of them or so many drawn.

    A panel is that of `with_panel` with its quorum: more than half must have answered. Answers without a verdict are
    abstentions here, whatever their kind. κ is pooled over criteria.

    Parameters
    ----------
    sizes : sequence of int, optional
        Default: odd numbers, thinned beyond 11, and all judges. A panel of even size can tie.
    subsets : int, optional
        Panels of a size are all tried where they are no more than this, else so many are drawn. Default: 1 000, fewer where
        there are many different decisions, never fewer than 60.
    rng : Generator or int, optional
        Source of the draws, or a seed; default 0.
    progress : callable, optional
        Told the share that is done; stops by returning True, and finished sizes are kept.

    Raises
    ------
    InputError
        As `with_panel`; for no reference, and sizes that are none.
    """
    chosen = rule_of(ratings.scheme, rule)
    verdict_matrix = judged_matrix_of(ratings, judges, reference, abstention)
    asked = _sizes(verdict_matrix.n_judges, sizes)
    seat = _Seat(verdict_matrix, chosen, confidence)
    if subsets is None:
        subsets = int(np.clip(WORK // (len(seat.times) * verdict_matrix.n_judges), FEWEST_PANELS, MOST_PANELS))
    if subsets < 1:
        raise InputError(f"The number of panels of a size must be 1 or more, not {subsets}.")
    generator = np.random.default_rng(0 if rng is None else rng)
    done: list[Size] = []
    work = np.cumsum([min(math.comb(verdict_matrix.n_judges, size), subsets) for size in asked])
    with shown("Panels") as told:
        for size, before in zip(asked, [0, *work[:-1]], strict=True):
            report = partial(_report_progress, progress or told, int(before), int(work[-1]))
            summary = seat.size(size, subsets, generator, report)
            if summary is None:
                break
            done.append(summary)
    alone = with_reference(verdict_matrix, confidence)
    return Growth(
        chosen, tuple(done), asked, verdict_matrix.judges, alone.kappa, verdict_matrix.n, verdict_matrix.n_items(),
        None if isinstance(rng, np.random.Generator) else int(rng or 0), verdict_matrix.kappa.key,
    )  # fmt: skip


def _report_progress(progress: Progress | None, before: int, whole: int, count: int) -> bool:
    return progress is not None and progress((before + count) / whole) is True


def _sizes(n: int, sizes: Sequence[int] | None) -> tuple[int, ...]:
    if sizes is None:
        return (*(size for size in SHOWN if size < n), n)
    wrong = [size for size in sizes if not 1 <= size <= n]
    if wrong or not sizes:
        raise InputError(f"A panel of {n} judges can have 1 to {n} of them, not {wrong[0] if wrong else 'none'}.")
    return tuple(sorted(set(sizes)))


class _Seat:
    """Panels of a verdict matrix: their verdicts by matrix products on distinct decisions."""

    def __init__(self, verdict_matrix: VerdictMatrix, rule: PanelRule, confidence: float) -> None:
        rows = np.column_stack([verdict_matrix.options, verdict_matrix.reference])
        example, self.which, _ = merged(rows)
        self.verdict_matrix, self.rule, self.confidence = verdict_matrix, rule, confidence
        self.reference = verdict_matrix.reference[example]
        self.times = np.bincount(self.which, weights=verdict_matrix.times, minlength=len(example)).astype(np.float64)
        self.k = len(verdict_matrix.classes)
        self.silent = self.k - (verdict_matrix.mode == "as_category")
        options = verdict_matrix.options[example]
        self.hot = [(options == place).astype(np.float32) for place in range(self.silent + 1)]
        self.becomes = np.append(np.arange(self.silent + 1), -1)
        self.becomes[self.silent] = {"exclude": -1, "as_unmet": 1, "as_category": self.silent}[verdict_matrix.mode]
        tables = verdict_matrix.reference_tables()
        self.right = safe_ratio(np.diagonal(tables, axis1=1, axis2=2), tables.sum(2))

    def size(self, size: int, subsets: int, rng: np.random.Generator, progress: _Told) -> Size | None:
        n = self.verdict_matrix.n_judges
        exact = math.comb(n, size) <= subsets
        kappa, independent, covered, influence, count = [], [], 0.0, np.zeros(len(self.times)), 0
        for members in _panels(n, size, subsets, rng, max(1, BLOCK // len(self.times))):
            verdicts = self._verdicts(members)
            tables = self._tables(verdicts)
            kappa.append(self.verdict_matrix.kappa.function(tables))
            covered += float(tables.sum())
            influence += self._influence(verdicts, tables)
            independent.append(self._independent(members))
            count += len(members)
            if progress(count):
                return None
        summary = self._summed(size, exact, np.concatenate(kappa), np.concatenate(independent), covered, influence)
        return (
            replace(summary, kappa=replace(summary.kappa, interval=self._interval_of_all(verdicts[:, 0])))
            if size == n
            else summary
        )

    def _summed(
        self, size: int, exact: bool, kappa: FloatArray, independent: FloatArray, covered: float, influence: FloatArray
    ) -> Size:
        n, defined = len(kappa), kappa[~np.isnan(kappa)]
        mean = Estimate(math.nan)
        low = high = error = math.nan
        if len(defined):
            mean = self._mean(float(defined.mean()), influence[self.which] / len(defined))
            low, high = (float(end) for end in np.quantile(defined, SPREAD))
            error = 0.0 if exact else float(defined.std(ddof=1) / math.sqrt(len(defined))) if len(defined) > 1 else math.nan
        also = independent[~np.isnan(independent)]
        return Size(
            size, n, exact, mean, n - len(defined), error, low, high,
            covered / n / float(self.times.sum()), float(also.mean()) if len(also) else math.nan,
        )  # fmt: skip

    def _interval_of_all(self, verdicts: NDArray[np.int64]) -> Interval | None:
        """Return interval of the panel of all judges, as of one judge."""
        panel_verdicts = verdicts[self.which][:, None].astype(np.int16)
        verdict_matrix = replace(self.verdict_matrix, options=panel_verdicts, labels=panel_verdicts, judges=("panel",))
        return with_reference(verdict_matrix, self.confidence).kappa[0].interval

    def _mean(self, mean: float, influence: FloatArray) -> Estimate:
        items = self.verdict_matrix.n_items()
        if items < 2:
            return Estimate(mean)
        error = item_error(influence, self.verdict_matrix.item, self.verdict_matrix.times)
        return Estimate(mean, interval_around(mean, error, "fisher", student(items - 1, self.confidence), "jackknife"))

    def _verdicts(self, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return class of each panel in the mode on each distinct decision, -1 where it has none, shape (D, B)."""
        seats = np.zeros((self.verdict_matrix.n_judges, len(members)), np.float32)
        seats[members, np.arange(len(members))[:, None]] = 1
        votes = np.stack([hot @ seats for hot in self.hot])
        answers, top = votes.sum(0), votes.max(0)
        winner = votes.argmax(0)
        if self.rule == "any":
            winner = np.where(votes[0] > 0, 0, np.where(votes[self.silent] > 0, self.silent, 1))
        else:
            clear = top == answers if self.rule == "unanimous" else (votes == top).sum(0) == 1
            winner = np.where(clear, winner, self.silent)
        panel_verdicts: NDArray[np.int64] = np.where(answers > members.shape[1] // 2, self.becomes[winner], -1)
        return panel_verdicts

    def _tables(self, verdicts: NDArray[np.int64]) -> FloatArray:
        truth = (self.reference == np.arange(self.k)[:, None]) * self.times
        columns = [truth @ (verdicts == place) for place in range(self.k)]
        tables: FloatArray = np.stack(columns, axis=-1).transpose(1, 0, 2)
        return tables

    def _influence(self, verdicts: NDArray[np.int64], tables: FloatArray) -> FloatArray:
        """Sum over panels of what one more decision of each kind adds to κ, shape (D,)."""
        slope = np.nan_to_num(kappa_slope(tables, self.verdict_matrix.penalty))
        total = np.zeros(len(self.times))
        for row in range(self.k):
            mask = self.reference == row
            for column in range(self.k):
                total[mask] += (verdicts[mask] == column) @ slope[:, row, column]
        return total

    def _independent(self, members: NDArray[np.int64]) -> FloatArray:
        """Return κ of each panel if its judges erred independently given the reference, shape (B,)."""
        if self.k != 2 or self.verdict_matrix.mode == "as_category":
            return np.full(len(members), np.nan)
        truth = np.array([self.times[self.reference == place].sum() for place in (0, 1)])
        says = np.stack([_panel_positive(self.right[members, 0], self.rule),
                         _panel_positive(1 - self.right[members, 1], self.rule)], axis=1)  # fmt: skip
        expected = np.stack([says, 1 - says], axis=-1) * truth[:, None]
        # a class the reference never gives has no rate, and adds nothing
        expected[:, truth == 0] = 0
        kappas = np.full(len(members), np.nan)
        fine = ~np.isnan(expected).any((1, 2))
        kappas[fine] = cohen_kappa(np.maximum(expected[fine], 0))
        return kappas


def _panel_positive(p: FloatArray, rule: PanelRule) -> FloatArray:
    """Return probability that a panel says positive, given that it gives a verdict, from those of its judges, shape (B, size)."""
    chance = number_of_events(p)
    if rule == "any":
        return np.asarray(1 - chance[:, 0])
    twice, size = 2 * np.arange(p.shape[1] + 1), p.shape[1]
    yes, no = (chance[:, -1], chance[:, 0]) if rule == "unanimous" else (
        chance[:, twice > size].sum(1), chance[:, twice < size].sum(1))  # fmt: skip
    return safe_ratio(yes, yes + no)


def _panels(n: int, size: int, subsets: int, rng: np.random.Generator, block: int) -> Iterator[NDArray[np.int64]]:
    """Yield members of every panel, or of so many drawn ones, in blocks of shape (B, size)."""
    if math.comb(n, size) <= subsets:
        every = np.array(list(combinations(range(n), size)), np.int64)
    else:
        every = np.argsort(rng.random((subsets, n)), axis=1)[:, :size]
    for start in range(0, len(every), block):
        yield every[start : start + block]
