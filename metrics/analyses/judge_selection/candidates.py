"""One judge as a candidate: its value under every metric a judge may be chosen by, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from metrics.analyses.judge_selection.golden import OF_MANY, OF_TWO, GoldenTable
from metrics.analyses.prevalence.power import FEW, answers_needed, phi_at, rates_of, signal_to_noise
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray, Function
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval
from metrics.results.estimate import NOT_HERE, Estimate, Part
from metrics.results.report import or_none

SNR, AT = "snr", "phi_at"
RANKED = (SNR, *OF_TWO)
"""Metrics a judge of two classes may be chosen by."""
EVERY = (*OF_TWO, *OF_MANY, QUADRATIC_KAPPA.key)
NAMES = {SNR: "Signal to noise", AT: "φ at the benchmark"} | {key: BY_KEY[key].name for key in EVERY}
SYMBOLS = {SNR: "SNR", AT: "φ(x)"} | {key: BY_KEY[key].symbol for key in EVERY}
SMOOTHED = "phi:at the benchmark"
"""φ with half a decision in every cell: SNR on the scale on which its interval is found."""


def ranked(golden: GoldenTable) -> tuple[str, ...]:
    """Return metrics a judge may be chosen by: without a positive label there is no rate to measure, and no SNR."""
    return RANKED if len(golden.labels) == 2 else tuple(golden.values)


def unit_of(key: str) -> str:
    """Return how a value is written: see `Metric.unit`."""
    return BY_KEY[key].unit if key in BY_KEY else ""


@dataclass(frozen=True)
class Benchmark:
    """What models will be compared on.

    Attributes
    ----------
    prevalence : float
        Middle of the two prevalences to be told apart, in (0, 1).
    difference : float
        How far apart they are.
    is_given : bool
        Whether the user gave the prevalence; else it is that of the golden set.
    """

    prevalence: float
    difference: float = 0.10
    is_given: bool = True
    confidence: float = 0.95

    @property
    def models(self) -> tuple[float, float]:
        """The two prevalences, moved inside [0, 1] where the middle is near an end."""
        low = min(max(self.prevalence - self.difference / 2, 0.0), 1 - self.difference)
        return low, low + self.difference

    def to_dict(self) -> dict[str, Any]:
        low, high = self.models
        return {"prevalence": self.prevalence, "stated": self.is_given, "models": [low, high], "confidence": self.confidence}

    def answers(self, tpr: float, fpr: float, answered: float = 1.0) -> float:
        """Return answers per model that tell the two apart.

        Parameters
        ----------
        tpr, fpr : float
            In [0, 1], or NaN.
        answered : float
            Share of the answers that get a verdict, in (0, 1]; those without one are needed on top.

        Returns
        -------
        float
            Not rounded; infinite at chance, NaN where a rate is missing.
        """
        return float(answers_needed(tpr, fpr, *self.models, confidence=self.confidence, answered=answered))


def benchmark_of(prevalence: float, difference: float = 0.10, *, stated: bool = True, confidence: float = 0.95) -> Benchmark:
    """Return a benchmark, checked.

    Parameters
    ----------
    prevalence : float
        Middle of the two prevalences to be told apart, in (0, 1).
    difference : float
        How far apart they are, in (0, 1).
    stated : bool
        Whether the user gave the prevalence.
    confidence : float

    Raises
    ------
    InputError
        For a prevalence or a difference that is not strictly between 0 and 1.
    """
    for name, value in (("benchmark prevalence", prevalence), ("difference to detect", difference)):
        if not 0 < value < 1:
            raise InputError(f"The {name} must lie between 0 and 1, not {value}.")
    return Benchmark(prevalence, difference, stated, confidence)


def function_of(key: str, benchmark: Benchmark | None) -> Function:
    """Return count-level function of a metric a judge may be chosen by."""
    if key == SNR and benchmark is not None:
        return partial(signal_to_noise, prevalence=benchmark.prevalence)
    return BY_KEY[key].function


@dataclass(frozen=True, eq=False)
class Candidate(Part):
    """A judge, its golden table and what follows from it for the benchmark.

    Attributes
    ----------
    estimates : mapping
        Of what `ranked` names, with two classes also of φ at the benchmark's prevalence.
    tpr, fpr : float
        NaN with more than two classes.
    answers : Estimate
        Answers per model, those that the judge leaves open among them, see `Benchmark.answers`; NaN with more than two classes,
        and where J within criteria contradicts the pooled J that they would rest on. The interval follows that of SNR; its upper
        end is infinite where that includes 0.
    """

    golden: GoldenTable
    tpr: float = math.nan
    fpr: float = math.nan
    answers: Estimate = NOT_HERE

    @property
    def name(self) -> str:
        return self.golden.name

    @property
    def counts(self) -> FloatArray:
        return self.golden.counts

    @property
    def coverage(self) -> float:
        return self.golden.coverage

    @property
    def sizes(self) -> tuple[int, ...]:
        """Golden decisions of each class, by the reference."""
        return tuple(int(n) for n in self.counts.sum(1))

    @property
    def thin(self) -> bool:
        """Whether a class that the reference uses has too few golden decisions; with two classes also one that it does not."""
        return any(n < FEW for n in self.sizes if n or len(self.sizes) == 2)

    @property
    def unlike_within(self) -> str:
        """See `GoldenTable.unlike_within`."""
        return self.golden.unlike_within

    @property
    def by_chance(self) -> bool:
        """Whether the interval of J includes 0."""
        low, high = self["youden_j"].ends or (math.nan, math.nan)
        return low <= 0 <= high

    @property
    def no_answers(self) -> str:
        """Why no number of answers is named; empty where one is, and with more than two classes."""
        if self.unlike_within:
            return "J within criteria contradicts the pooled J"
        if not self.answers.defined and len(self.counts) == 2:
            return self.golden.refused or f"it was rated on {'positives' if math.isnan(self.fpr) else 'negatives'} only"
        return "it is at chance, and no number of answers is enough" if math.isinf(self.answers.value) else ""

    def to_dict(self) -> dict[str, Any]:
        out = {
            "judge": self.name, "confusion": np.asarray(self.counts, np.int64).tolist(), "coverage": or_none(self.coverage),
            **{key: or_none(value) for key, value in self.values.items()},
            "intervals": {key: list(interval.ends or ()) for key, interval in self.intervals.items()},
            "undefined": {key: self[key].why for key in (AT, *self.estimates) if self[key].undefined},
        }  # fmt: skip
        if len(self.counts) > 2:
            return out
        ends = None if self.answers.ends is None else [or_none(end) for end in self.answers.ends]
        cost = {"answers_needed": or_none(self.answers.value), "answers_needed_interval": ends}
        pooling = {} if self.golden.pooling is None else {"youden_j_readings": self.golden.pooling.to_dict()}
        return out | {"tpr": or_none(self.tpr), "fpr": or_none(self.fpr)} | cost | pooling


def candidate_of(golden: GoldenTable, benchmark: Benchmark | None) -> Candidate:
    """Return a judge on its way to a benchmark; None with more than two classes."""
    if benchmark is None:
        return Candidate(golden, estimates=golden.estimates)
    if golden.refused:
        lost = dict.fromkeys((SNR, AT), Estimate(math.nan, why=golden.refused))
        return Candidate(golden, estimates={**golden.estimates, **lost})
    at, spread = benchmark.prevalence, math.sqrt(benchmark.prevalence * (1 - benchmark.prevalence))
    smoothed, reach = _smoothed(golden, benchmark)
    tpr, fpr = (float(rate) for rate in rates_of(golden.counts))
    phi = float(phi_at(golden.counts, at))
    no_phi = why_undefined(BY_KEY["phi"], golden.counts, golden.labels) or "the judge would give one label only"
    why = why_undefined(BY_KEY["youden_j"], golden.counts, golden.labels) if math.isnan(smoothed) else ""
    snr = Estimate(smoothed / spread, reach and replace(reach, low=reach.low / spread, high=reach.high / spread), why)
    estimates = {SNR: snr, **golden.estimates, AT: Estimate(phi, why=no_phi if math.isnan(phi) else "")}
    answers = math.nan if golden.unlike_within or not golden.answered else benchmark.answers(tpr, fpr, golden.answered)
    return Candidate(golden, tpr, fpr, Estimate(answers, _answers_interval(answers, smoothed, reach)), estimates=estimates)


def _smoothed(golden: GoldenTable, benchmark: Benchmark) -> tuple[float, Interval | None]:
    """Return φ at the benchmark with half a decision in every cell, and its interval."""
    if not golden.counts.sum(1).all():
        return math.nan, None
    function = partial(phi_at, prevalence=benchmark.prevalence, prior=0.5)
    value = float(function(golden.counts))
    return value, golden.intervals_of({SMOOTHED: function}, {SMOOTHED: value}).get(SMOOTHED)


def _answers_interval(answers: float, phi: float, interval: Interval | None) -> Interval | None:
    """Return the interval of the answers, which go with 1 over φ squared, from that of φ."""
    if interval is None or not math.isfinite(answers) or not phi:
        return None
    near, far = sorted((abs(interval.low), abs(interval.high)))
    most = math.inf if interval.low <= 0 <= interval.high or not near else answers * (phi / near) ** 2
    return replace(interval, low=answers * (phi / far) ** 2, high=most)
