"""The judges in order under every metric, with what each costs and which cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.judge_selection.candidates import SNR, Benchmark, Candidate, benchmark_of, candidate_of, function_of, ranked
from metrics.analyses.judge_selection.first_judge import Against, LeftOpen, against_first, left_open_first
from metrics.analyses.judge_selection.golden import BA, GoldenTable, golden_of_counts, golden_tables
from metrics.analyses.judge_selection.pairwise_tests import Pair, indistinguishable_groups, pairs_of, pairs_of_counts
from metrics.analyses.judge_selection.side_by_side import Told
from metrics.analyses.settings import Settings, settings_of
from metrics.data.checks import checks_arguments, takes_ratings
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results.progress import shown
from metrics.results.report import Short, ends_or_none, or_none

# A lead up to this is rounding: the two share a rank.
EQUAL = 1e-12
Tables = Mapping[str, ArrayLike]


@dataclass(frozen=True, eq=False)
class Ranking(Short):
    """Judges by the metric they are chosen by.

    Attributes
    ----------
    benchmark : Benchmark or None
        None with more than two classes: there is no rate that judges measure.
    by : str
        SNR where the benchmark's prevalence is stated, of ordered labels quadratic-weighted κ, else balanced accuracy, unless
        asked for otherwise.
    order : tuple of Candidate
        Best first; judges without a value last.
    ranks : mapping of metric to ranks in `order`
        Equal values share a rank; None where undefined.
    pairs, brackets
        See `metrics.analyses.judge_selection.pairwise_tests`.
    against : tuple of Against
        Every other judge against the first in every reading; empty with one criterion. Where readings disagree nobody is best.
    left_open : tuple of LeftOpen
        The judges that answered other decisions than the first, against it.
    labels : tuple of str
        Positive and negative, or the classes.
    several : bool
        Whether the values pool several criteria.
    """

    benchmark: Benchmark | None
    confidence: float
    by: str
    order: tuple[Candidate, ...]
    ranks: Mapping[str, tuple[int | None, ...]]
    pairs: tuple[Pair, ...]
    brackets: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]
    paired: bool
    against: tuple[Against, ...] = ()
    several: bool = False
    left_open: tuple[LeftOpen, ...] = ()

    @property
    def disputed(self) -> tuple[str, ...]:
        """Judges whom one reading sets apart from the first and another does not, or sets the other way round."""
        return tuple(against.name for against in self.against if against.disagree)

    @property
    def from_left_open(self) -> tuple[str, ...]:
        """Judges behind the first only by what one of the two left open."""
        return tuple(left_open.name for left_open in self.left_open if left_open.decides)

    @property
    def named(self) -> Candidate | None:
        """The first judge; None where readings disagree on it, J within criteria contradicts it or silence makes the order."""
        doubted = self.disputed or self.from_left_open or self.first.unlike_within
        return None if doubted else self.first

    def contradicted(self, pair: Pair) -> bool:
        """Return whether another reading than that of the pair says something else on it."""
        names = {pair.first, pair.second}
        of_first = self.first.name in names and names & {*self.disputed, *self.from_left_open}
        return bool(of_first) or any(candidate.unlike_within for candidate in self.order if candidate.name == pair.first)

    @property
    def over(self) -> str:
        """What the values are taken over where that must be said: all decisions of several criteria."""
        return "pooled over criteria" if self.several else ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Metrics the judges are ranked by."""
        return tuple(self.ranks)

    @property
    def usable(self) -> tuple[Candidate, ...]:
        """Judges that have a value, best first."""
        return tuple(candidate for candidate in self.order if not math.isnan(candidate.values[self.by]))

    def ranks_of(self, name: str) -> tuple[int | None, ...]:
        """Return ranks of one judge, in the order of `keys`."""
        place = next(i for i, candidate in enumerate(self.order) if candidate.name == name)
        return tuple(ranks[place] for ranks in self.ranks.values())

    @property
    def first(self) -> Candidate:
        return self.order[0]

    def firsts(self, key: str) -> tuple[Candidate, ...]:
        """Return judges with rank 1 under a metric."""
        return tuple(candidate for candidate, rank in zip(self.order, self.ranks[key], strict=True) if rank == 1)

    def inseparable(self, name: str) -> tuple[str, ...]:
        """Return judges that cannot be told from one."""
        pairs = [pair for pair in self.pairs if name in (pair.first, pair.second) and not pair.separable]
        return tuple(pair.second if pair.first == name else pair.first for pair in pairs)

    def to_dict(self) -> dict[str, Any]:
        return {
            "benchmark": None if self.benchmark is None else self.benchmark.to_dict(), "confidence": self.confidence,
            "ranked_by": self.by, "labels": list(self.labels), "judges": [
                candidate.to_dict() | {"ranks": {key: ranks[place] for key, ranks in self.ranks.items()}}
                for place, candidate in enumerate(self.order)
            ],
            "pairs": [
                {
                    "first": pair.first, "second": pair.second, "difference": or_none(pair.difference.value),
                    "interval": ends_or_none(pair.difference.ends), "p_holm": or_none(pair.p),
                    "separable": pair.separable, "contradicted": self.contradicted(pair), "paired": pair.paired,
                    "n_shared": pair.n_shared,
                } for pair in self.pairs
            ],
            "best": None if self.named is None or not self.usable or self.inseparable(self.first.name) else self.first.name,
            "readings_disagree_on": list(self.disputed), "order_from_left_open": list(self.from_left_open),
            "against_first": [
                {"judge": against.name, **{level: reading.to_dict() for level, reading in against.readings.items()}}
                for against in self.against
            ],
        }  # fmt: skip


@takes_ratings
def rank_judges(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    prevalence: float | None = None,
    difference: float = 0.10,
    by: str | None = None,
    criterion: str | None = None,
    golden: Sequence[GoldenTable] | None = None,
    progress: Told | None = None,
) -> Ranking:
    """Return judges of a file, each on its own decisions; pairs on the decisions they share.

    With more than two classes (the third class of abstentions is one) there is no positive label, hence no benchmark: judges
    are ranked by `OF_MANY` of `metrics.analyses.judge_selection.golden`.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings, optional
        Abstentions, reference, judges, unit and confidence; default: those of `agreement`.
    prevalence : float, optional
        Of the benchmark; by default that of the golden set, and judges are then ranked by balanced accuracy.
    difference : float
        Of two models' prevalences, to be detected.
    by : str, optional
        One of what `metrics.analyses.judge_selection.candidates.ranked` names.
    criterion : str, optional
        Rank on this criterion alone; default: on all, pooled.
    golden : sequence of GoldenTable, optional
        What `golden_tables` gives for the same ratings, settings and criterion; it does not depend on the benchmark.
    progress : callable, optional
        Is told how many pairs of judges are compared, of how many.

    Raises
    ------
    InputError
        For a prevalence or difference outside (0, 1), a prevalence of more than two classes, and unknown names.
    """
    settings = settings or settings_of(ratings)
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{ratings.source.name}: no criterion is called {criterion!r}.")
    golden = golden or golden_tables(ratings, settings, criterion)

    def pairs(usable: Sequence[Candidate], key: str, benchmark: Benchmark | None) -> tuple[Pair, ...]:
        if not ratings.has_items:
            return pairs_of_counts(usable, key, function_of(key, benchmark), settings.confidence)
        return pairs_of(ratings, usable, key, benchmark, settings, criterion, progress)

    with shown("Pairs of judges") as told:
        progress = progress or (told and (lambda done, pairs: told(done / pairs)))
        ranking = _ranking(golden, prevalence, difference, by, pairs, paired=ratings.has_items)
    asked = ratings, ranking.usable, ranking.by, ranking.benchmark, settings
    ranking = replace(ranking, left_open=left_open_first(*asked, criterion))
    if criterion is not None:
        return ranking
    return replace(ranking, against=against_first(*asked), several=len(ratings.criteria) > 1)


@checks_arguments
def rank_tables(
    tables: Tables,
    *,
    prevalence: float | None = None,
    difference: float = 0.10,
    by: str | None = None,
    labels: tuple[str, ...] = ("positive", "negative"),
    confidence: float = 0.95,
) -> Ranking:
    """Return judges known by their golden tables alone, such as published ones.

    Parameters
    ----------
    tables : mapping of str to array_like, shape (K, K)
        Counts by name of the judge, reference in rows.
    prevalence, difference, by
        As in `rank_judges`.
    labels : tuple of str, length K
        Positive and negative, or the classes.
    confidence : float
        Of the intervals, in (0, 1).

    Raises
    ------
    InputError
        Without a judge, for a table of another shape than the labels, and as `rank_judges`.
    """
    if not tables:
        raise InputError("There is no judge to rank.")
    golden = [golden_of_counts(name, table, labels, confidence) for name, table in tables.items()]

    def pairs(usable: Sequence[Candidate], key: str, benchmark: Benchmark | None) -> tuple[Pair, ...]:
        return pairs_of_counts(usable, key, function_of(key, benchmark), confidence)

    return _ranking(golden, prevalence, difference, by, pairs, paired=False)


def golden_prevalence(golden: Sequence[GoldenTable]) -> float:
    """Return share of positives over the golden decisions of all judges; moved inside (0, 1) where there is one class only."""
    counts = sum((golden_table.counts for golden_table in golden), np.zeros((2, 2)))
    return min(max(float(counts[0].sum() / counts.sum()), 0.01), 0.99) if counts.sum() else 0.5


def _ranking(
    golden: Sequence[GoldenTable],
    prevalence: float | None,
    difference: float,
    by: str | None,
    pairs_of: Callable[[Sequence[Candidate], str, Benchmark | None], tuple[Pair, ...]],
    *,
    paired: bool,
) -> Ranking:
    golden_table, k = golden[0], len(golden[0].labels)
    if k > 2 and prevalence is not None:
        raise InputError("A benchmark prevalence needs two labels, one of them positive. These judges have more classes.")
    key = _key(by, ranked(golden_table), stated=prevalence is not None)
    benchmark = None
    if k == 2:
        given = golden_prevalence(golden) if prevalence is None else prevalence
        benchmark = benchmark_of(given, difference, stated=prevalence is not None, confidence=golden_table.confidence)
    order = _order([candidate_of(table, benchmark) for table in golden], key)
    usable = [candidate for candidate in order if not math.isnan(candidate.values[key])]
    pairs = pairs_of(usable, key, benchmark)
    ranks = {metric: _ranks([candidate.values[metric] for candidate in order]) for metric in ranked(golden_table)}
    return Ranking(
        benchmark, golden_table.confidence, key, tuple(order), ranks, pairs,
        indistinguishable_groups(usable, pairs), golden_table.labels, paired
    )  # fmt: skip


def _key(by: str | None, known: tuple[str, ...], *, stated: bool) -> str:
    if by is not None and by not in known:
        raise InputError(f"Judges cannot be ranked by {by!r}. Use one of: {', '.join(known)}.")
    return by or (SNR if stated else BA if SNR in known else known[0])


def _order(candidates: Sequence[Candidate], key: str) -> list[Candidate]:
    return sorted(
        candidates, key=lambda candidate: -math.inf if math.isnan(candidate.values[key]) else candidate.values[key], reverse=True
    )


def _ranks(values: Sequence[float]) -> tuple[int | None, ...]:
    return tuple(None if math.isnan(value) else 1 + sum(other > value + EQUAL for other in values) for value in values)
