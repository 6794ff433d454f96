"""One judge as a candidate: its value under every metric a judge may be chosen by, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.arrays import FloatArray, as_confusion
from metrics.catalogue import BY_KEY, why_undefined
from metrics.choices import Settings
from metrics.errors import InputError
from metrics.intervals.attach import Tallied
from metrics.intervals.cluster import Clustered, clusters_of
from metrics.intervals.default import Unit, Units, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.pairs import patterns_of
from metrics.ratings import Ratings
from metrics.results import JudgeReport
from metrics.sweeping.power import FEW, answers_needed, phi_at, rates_of, signal_to_noise

SNR, AT, BA = "snr", "phi_at", "balanced_accuracy"
CATALOGUED = (BA, "youden_j", "accuracy", "f1", "macro_f1", "kappa", "phi")
RANKED = (SNR, *CATALOGUED)
"""Metrics a judge may be chosen by."""
NAMES = {SNR: "Signal to noise", AT: "φ at the benchmark"} | {key: BY_KEY[key].name for key in CATALOGUED}
SYMBOLS = {SNR: "SNR", AT: "φ(x)"} | {key: BY_KEY[key].symbol for key in CATALOGUED}
SMOOTHED = "phi:at the benchmark"
"""φ with half a decision in every cell: SNR on the scale on which its interval is found."""
Function = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Benchmark:
    """What models will be compared on.

    Attributes
    ----------
    prevalence : float
        Middle of the two prevalences to be told apart, in (0, 1).
    difference : float
        How far apart they are.
    stated : bool
        Whether the user gave the prevalence; else it is that of the golden set.
    """

    prevalence: float
    difference: float = 0.10
    stated: bool = True
    confidence: float = 0.95

    @property
    def models(self) -> tuple[float, float]:
        """The two prevalences, moved inside [0, 1] where the middle is near an end."""
        low = min(max(self.prevalence - self.difference / 2, 0.0), 1 - self.difference)
        return low, low + self.difference

    def function(self, key: str) -> Function:
        """Count-level function of a metric a judge may be chosen by."""
        if key == SNR:
            return partial(signal_to_noise, prevalence=self.prevalence)
        return BY_KEY[key].function

    def answers(self, tpr: float, fpr: float) -> float:
        """Answers per model that tell the two apart; infinite at chance, NaN where a rate is missing."""
        return float(answers_needed(tpr, fpr, *self.models, confidence=self.confidence))


def benchmark_of(prevalence: float, difference: float = 0.10, *, stated: bool = True, confidence: float = 0.95) -> Benchmark:
    """A benchmark, checked.

    Raises
    ------
    InputError
        For a prevalence or a difference that is not strictly between 0 and 1.
    """
    for name, value in (("benchmark prevalence", prevalence), ("difference to detect", difference)):
        if not 0 < value < 1:
            raise InputError(f"The {name} must lie between 0 and 1, not {value}.")
    return Benchmark(prevalence, difference, stated, confidence)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A judge, its golden table and what follows from it.

    Attributes
    ----------
    counts : ndarray, shape (2, 2)
    values : mapping
        Of `RANKED` and φ at the benchmark's prevalence; NaN where undefined.
    ends : mapping
        Intervals of those that have one.
    undefined : mapping
        Why a value is missing.
    answers : float
        Answers per model; see `Benchmark.answers`.
    answers_ends : (float, float) or None
        Follows the interval of SNR; the upper end is infinite where that holds 0.
    """

    name: str
    counts: FloatArray
    values: Mapping[str, float]
    ends: Mapping[str, tuple[float, float]]
    undefined: Mapping[str, str]
    tpr: float
    fpr: float
    answers: float
    answers_ends: tuple[float, float] | None
    coverage: float = 1.0

    @property
    def n_positive(self) -> int:
        return int(self.counts[0].sum())

    @property
    def n_negative(self) -> int:
        return int(self.counts[1].sum())

    @property
    def thin(self) -> bool:
        """Whether a class has too few golden items."""
        return min(self.n_positive, self.n_negative) < FEW

    def to_dict(self) -> dict[str, Any]:
        def plain(x: float) -> float | None:
            return x if math.isfinite(x) else None

        return {
            "judge": self.name, "confusion": np.asarray(self.counts, np.int64).tolist(),
            "tpr": plain(self.tpr), "fpr": plain(self.fpr), "coverage": plain(self.coverage),
            **{key: plain(value) for key, value in self.values.items()},
            "intervals": {key: list(own) for key, own in self.ends.items()}, "undefined": dict(self.undefined),
            "answers_needed": plain(self.answers),
            "answers_needed_interval": None if self.answers_ends is None else [plain(end) for end in self.answers_ends],
        }  # fmt: skip


def candidate_of_counts(name: str, counts: ArrayLike, benchmark: Benchmark, labels: tuple[str, str]) -> Candidate:
    """From a golden table of independent decisions."""
    table = as_confusion(counts, classes=2)
    values = _values(table, benchmark)
    functions = _functions(benchmark)
    found = table_intervals(table, functions, {key: values[key] for key in functions}, benchmark.confidence)
    ends = {key: own.ends for key, own in found.items() if own.ends is not None}
    return _candidate(name, table, values, ends, benchmark, labels)


def candidate_of(
    ratings: Ratings, report: JudgeReport, settings: Settings, benchmark: Benchmark, criterion: str | None
) -> Candidate:
    """From the decisions of a file: pooled over its criteria, or of one criterion."""
    ratings, judge = settings.on(ratings), report.name
    block = report.micro if criterion is None else report.criteria[criterion]
    table = np.asarray(block.confusion, np.float64)
    values = _values(table, benchmark)
    ends = {key: own for key in CATALOGUED if (own := block.ends(key)) is not None}
    if not math.isnan(values[SMOOTHED]):
        ends |= _smoothed_ends(ratings, judge, settings, criterion, values, benchmark)
    coverage = report.coverage if criterion is None else report.criterion_coverage[criterion]
    found = _candidate(judge, table, values, ends, benchmark, (block.labels[0], block.labels[1]))
    return replace(found, coverage=coverage.coverage)


def _smoothed_ends(
    ratings: Ratings, judge: str, settings: Settings, criterion: str | None, values: Mapping[str, float], benchmark: Benchmark
) -> dict[str, tuple[float, float]]:
    """Interval of the smoothed φ by the rules that every other number of the file follows."""
    functions = {SMOOTHED: _functions(benchmark)[SMOOTHED]}
    units, by_criterion = _units(ratings, judge, settings, criterion)
    wanted = {SMOOTHED: values[SMOOTHED]}
    if len(by_criterion) == 1 and not settings.by_column:
        found = table_intervals(by_criterion[0], functions, wanted, settings.confidence)
    else:
        found = micro_intervals(Unit(units, by_criterion, settings.confidence), functions, wanted)
    return {key: own.ends for key, own in found.items() if own.ends is not None}


def _units(ratings: Ratings, judge: str, settings: Settings, criterion: str | None) -> tuple[Units, FloatArray]:
    patterns, scheme, mode = patterns_of(ratings, judge, settings.reference), ratings.scheme, settings.abstention
    coded = Coded.of(patterns, scheme, mode)
    tables = np.stack([np.bincount(row, coded.weight, 5)[:4].reshape(2, 2).astype(np.float64) for row in coded.cell])
    place = None if criterion is None else ratings.criteria.index(criterion)
    if settings.by_column:
        clusters = clusters_of(ratings, settings.unit)
        tallied = Tallied(patterns, scheme, mode, None, clusters, ratings.criteria)
        if tallied.above is not None:
            frame = tallied.frame()
            whole = Clustered(frame.decided(), mode, clusters.column)
            return (whole, tables) if place is None else (whole.criterion(place), tables[[place]])
    if place is None:
        return coded, tables
    return Coded(coded.cell[[place]], coded.weight, coded.k), tables[[place]]


def _functions(benchmark: Benchmark) -> dict[str, Function]:
    own = {key: BY_KEY[key].function for key in CATALOGUED}
    return own | {SMOOTHED: partial(phi_at, prevalence=benchmark.prevalence, prior=0.5)}


def _values(table: FloatArray, benchmark: Benchmark) -> dict[str, float]:
    found = {key: float(function(table)) for key, function in _functions(benchmark).items()}
    if not (table[0].sum() and table[1].sum()):
        found[SMOOTHED] = math.nan
    return found


def _candidate(
    name: str, table: FloatArray, values: Mapping[str, float], ends: Mapping[str, tuple[float, float]], benchmark: Benchmark,
    labels: tuple[str, str],
) -> Candidate:  # fmt: skip
    spread = math.sqrt(benchmark.prevalence * (1 - benchmark.prevalence))
    smoothed, reach = values[SMOOTHED], ends.get(SMOOTHED)
    tpr, fpr = (float(rate) for rate in rates_of(table))
    shown = {SNR: smoothed / spread} | {key: values[key] for key in CATALOGUED}
    shown[AT] = float(phi_at(table, benchmark.prevalence))
    shown_ends = {key: own for key, own in ends.items() if key != SMOOTHED}
    if reach is not None:
        shown_ends[SNR] = reach[0] / spread, reach[1] / spread
    undefined = {key: why_undefined(BY_KEY["phi" if key == AT else key], table, labels) for key in (*CATALOGUED, AT)}
    undefined[SNR] = why_undefined(BY_KEY["youden_j"], table, labels)
    if math.isnan(shown[AT]) and not undefined[AT]:
        undefined[AT] = "the judge would give one label only"
    answers = benchmark.answers(tpr, fpr)
    return Candidate(
        name, table, shown, shown_ends, {key: why for key, why in undefined.items() if math.isnan(shown[key])}, tpr, fpr,
        answers, _answers_ends(answers, smoothed, reach),
    )  # fmt: skip


def _answers_ends(answers: float, phi: float, ends: tuple[float, float] | None) -> tuple[float, float] | None:
    """Answers go with 1 over φ squared."""
    if ends is None or not math.isfinite(answers) or not phi:
        return None
    near, far = sorted(abs(end) for end in ends)
    most = math.inf if ends[0] <= 0 <= ends[1] or not near else answers * (phi / near) ** 2
    return answers * (phi / far) ** 2, most
