"""The judges in order under every metric, with what each costs and which cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.arrays import FloatArray
from metrics.choices import Settings, settings_of
from metrics.choosing.apart import Pair, brackets, pairs_of, pairs_of_counts
from metrics.choosing.candidates import BA, RANKED, SNR, Benchmark, Candidate, benchmark_of, candidate_of, candidate_of_counts
from metrics.errors import InputError
from metrics.judging import judge_report
from metrics.ratings import Ratings
from metrics.results import JudgeReport

EQUAL = 1e-12
Tables = Mapping[str, ArrayLike]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Judges by the metric they are chosen by.

    Attributes
    ----------
    by : str
        SNR where the benchmark's prevalence is stated, else balanced accuracy, unless asked for otherwise.
    order : tuple of Candidate
        Best first; judges without a value last.
    ranks : mapping of metric to ranks in `order`
        Equal values share a rank; None where undefined.
    pairs, brackets
        See `metrics.choosing.apart`.
    """

    benchmark: Benchmark
    by: str
    order: tuple[Candidate, ...]
    ranks: Mapping[str, tuple[int | None, ...]]
    pairs: tuple[Pair, ...]
    brackets: tuple[tuple[str, ...], ...]
    labels: tuple[str, str]
    paired: bool

    @property
    def first(self) -> Candidate:
        return self.order[0]

    def firsts(self, key: str) -> tuple[Candidate, ...]:
        """Judges with rank 1 under a metric."""
        return tuple(one for one, rank in zip(self.order, self.ranks[key], strict=True) if rank == 1)

    def inseparable(self, name: str) -> tuple[str, ...]:
        """Judges that cannot be told from one, as far as they were compared."""
        own = [pair for pair in self.pairs if name in (pair.first, pair.second) and not pair.separable]
        return tuple(pair.second if pair.first == name else pair.first for pair in own)

    def to_dict(self) -> dict[str, Any]:
        low, high = self.benchmark.models
        return {
            "benchmark": {
                "prevalence": self.benchmark.prevalence, "stated": self.benchmark.stated, "models": [low, high],
                "confidence": self.benchmark.confidence,
            },
            "ranked_by": self.by, "judges": [
                one.to_dict() | {"ranks": {key: ranks[place] for key, ranks in self.ranks.items()}}
                for place, one in enumerate(self.order)
            ],
            "pairs": [
                {
                    "first": pair.first, "second": pair.second, "difference": _or_none(pair.difference),
                    "interval": None if pair.ends is None else list(pair.ends), "p_holm": _or_none(pair.p),
                    "separable": pair.separable, "paired": pair.paired, "n_shared": pair.n_shared,
                } for pair in self.pairs
            ],
        }  # fmt: skip


def rank_judges(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    prevalence: float | None = None,
    difference: float = 0.10,
    by: str | None = None,
    criterion: str | None = None,
    reports: Mapping[str, JudgeReport] | None = None,
) -> Ranking:
    """Judges of a file, each on its own decisions; pairs on the decisions they share.

    Parameters
    ----------
    settings : Settings, optional
        Abstentions, reference, judges, unit and confidence; default: those of `agreement`.
    prevalence : float, optional
        Of the benchmark; by default that of the golden set, and judges are then ranked by balanced accuracy.
    difference : float
        Of two models' prevalences, to be detected.
    by : str, optional
        One of `RANKED`.
    reports : mapping, optional
        What `reports_of` gives for the same ratings and settings; it does not depend on the benchmark.

    Raises
    ------
    InputError
        For labels that are not two classes, a prevalence or difference outside (0, 1), and unknown names.
    """
    settings = settings or settings_of(ratings)
    if len(ratings.scheme.classes) != 2 or settings.abstention == "as_category":
        raise InputError("Judges are ranked on two labels. Choose Exclude or Recode as negative.")
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{ratings.source.name}: no criterion is called {criterion!r}.")
    reports = reports or reports_of(ratings, settings)

    stated = prevalence is not None
    given = prevalence if prevalence is not None else golden_prevalence(list(reports.values()), criterion)
    benchmark = benchmark_of(given, difference, stated=stated, confidence=settings.confidence)
    found = [candidate_of(ratings, report, settings, benchmark, criterion) for report in reports.values()]
    key = _key(by, stated)
    order = _order(found, key)
    usable = [one for one in order if not math.isnan(one.values[key])]
    pairs = pairs_of(ratings, usable, key, benchmark, settings, criterion) if ratings.has_items else ()
    if not ratings.has_items:
        pairs = pairs_of_counts(usable, key, benchmark)
    labels = ratings.scheme.classes[0], ratings.scheme.classes[1]
    return _ranking(benchmark, key, order, pairs, usable, labels, paired=ratings.has_items)


def rank_tables(
    tables: Tables,
    *,
    prevalence: float | None = None,
    difference: float = 0.10,
    by: str | None = None,
    labels: tuple[str, str] = ("positive", "negative"),
    confidence: float = 0.95,
) -> Ranking:
    """Judges known by their golden tables alone, such as published ones: 2 x 2 counts by name."""
    if not tables:
        raise InputError("There is no judge to rank.")
    golden = [np.asarray(table, np.float64) for table in tables.values()]
    stated = prevalence is not None
    given = prevalence if prevalence is not None else _positives(golden)
    benchmark = benchmark_of(given, difference, stated=stated, confidence=confidence)
    key = _key(by, stated)
    order = _order([candidate_of_counts(name, table, benchmark, labels) for name, table in tables.items()], key)
    usable = [one for one in order if not math.isnan(one.values[key])]
    pairs = pairs_of_counts(usable, key, benchmark)
    return _ranking(benchmark, key, order, pairs, usable, labels, paired=False)


def reports_of(ratings: Ratings, settings: Settings) -> dict[str, JudgeReport]:
    """Report of every judge to be ranked."""
    return {name: judge_report(ratings, name, settings) for name in settings.judges or ratings.judges}


def golden_prevalence(reports: Sequence[JudgeReport], criterion: str | None = None) -> float:
    """Share of positives over the golden decisions of all judges; moved inside (0, 1) where there is one class only."""
    blocks = [report.micro if criterion is None else report.criteria[criterion] for report in reports]
    return _positives([np.asarray(block.confusion, np.float64) for block in blocks])


def _positives(tables: Sequence[FloatArray]) -> float:
    total = float(sum(table.sum() for table in tables))
    return _inside(float(sum(table[0].sum() for table in tables)) / total) if total else 0.5


def _inside(x: float) -> float:
    return min(max(x, 0.01), 0.99)


def _ranking(
    benchmark: Benchmark, key: str, order: list[Candidate], pairs: tuple[Pair, ...], usable: list[Candidate],
    labels: tuple[str, str], *, paired: bool,
) -> Ranking:  # fmt: skip
    ranks = {metric: _ranks([one.values[metric] for one in order]) for metric in RANKED}
    return Ranking(benchmark, key, tuple(order), ranks, pairs, brackets(usable, pairs), labels, paired)


def _key(by: str | None, stated: bool) -> str:
    if by is not None and by not in RANKED:
        raise InputError(f"Judges cannot be ranked by {by!r}. Use one of: {', '.join(RANKED)}.")
    return by or (SNR if stated else BA)


def _order(found: Sequence[Candidate], key: str) -> list[Candidate]:
    return sorted(found, key=lambda one: -math.inf if math.isnan(one.values[key]) else one.values[key], reverse=True)


def _ranks(values: Sequence[float]) -> tuple[int | None, ...]:
    return tuple(None if math.isnan(own) else 1 + sum(other > own + EQUAL for other in values) for own in values)


def _or_none(x: float) -> float | None:
    return x if math.isfinite(x) else None
