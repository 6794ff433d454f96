"""Is one judge's score better than another's? Correlations, distances and the area under the curve, paired by item.

What leaving an item out takes from the number of each judge is taken together, so that what both find hard counts once. Of AUC
it is each decision's placement among those of the other label, summed over an item (DeLong et al. 1988, doi:10.2307/2531595;
Obuchowski 1997, doi:10.2307/2533958). Of numbers that a few items may carry a test swaps the judges as well; see
`metrics.analyses.roc.swapping`. What the intervals cover: `tests/roc/test_two_judges.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from metrics.analyses.cautions import cautions
from metrics.analyses.comparison.levels import difference_of
from metrics.analyses.comparison.margin import Held, checked_positive, growth, held, interval_words, stated, told_from
from metrics.analyses.comparison.weighted import WeightedDifference, growth_by_weight
from metrics.analyses.item_weights import METHOD, Behind, Strata, column_of, item_weights
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.paired_numbers import Ints, Paired, changes, error_of_changes, measures
from metrics.analyses.records import Declaration
from metrics.analyses.roc.area import auc, placed
from metrics.analyses.roc.swapping import swap_p
from metrics.analyses.roc.tallies import Bools, tally_of
from metrics.analyses.scores.scored import numbers_of_cells, scored_part
from metrics.analyses.scores.weighted import WeightedPairs
from metrics.analyses.settings import declaration_of, settings_of, weighted_declaration
from metrics.data.checks import takes_ratings
from metrics.data.pairs import cells_of, reference_name, reference_states
from metrics.data.ratings import Ratings
from metrics.errors import InputError, NothingShared
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import Json, Report, ends_or_none, or_none

AUC = "auc"
LESS_IS_BETTER = ("mae", "rmse")
METRICS = ("pearson", "spearman", "kendall_tau_b", "ccc", *LESS_IS_BETTER, AUC)
FEWEST_UNITS = 4
FEW_UNITS = 10


@dataclass(frozen=True, eq=False)
class ScoreComparison(Report):
    """Judge B against judge A by their scores, on the decisions that all three scored.

    Attributes
    ----------
    value_a, value_b, difference : Estimate
        The difference is B less A, its interval paired.
    error : float
        Standard error of the difference; NaN where there is none.
    growth : (float, float)
        As of `metrics.analyses.comparison.result.Comparison`.
    n, n_items : int
        Decisions, and items they lie on.
    weighted : WeightedDifference or None
        The difference by the weights of items; None where the file has none, and of a mean over criteria.
    n_criteria : int
        Criteria that the mean is over, those where both judges have the number; 0 where all decisions are pooled.
    p_swap : float
        Of a difference as large where the judges swap items; NaN where that is not asked. A winner takes both.
    """

    TEXT, OF = "analyses.roc.two_judges", "a comparison of two judges’ scores"

    declaration: Declaration
    metric: str
    criterion: str
    a: str
    b: str
    value_a: Estimate
    value_b: Estimate
    difference: Estimate
    error: float
    growth: tuple[float, float]
    n: int
    n_items: int
    confidence: float
    margin: float | None = None
    cautions: tuple[str, ...] = ()
    weighted: WeightedDifference | None = None
    n_criteria: int = 0
    p_swap: float = math.nan

    @property
    def better(self) -> int:
        """1 where more is better, -1 where less is."""
        return -1 if self.metric in LESS_IS_BETTER else 1

    @property
    def winner(self) -> str:
        """The judge that the interval, and the test beside it, show to be better; empty where they show none."""
        if self.carried_by_few:
            return ""
        return {1: self.b, -1: self.a}.get(self.difference.sign * self.better, "")

    @property
    def carried_by_few(self) -> bool:
        """Whether the interval excludes 0 and swapping the judges makes differences as large by chance."""
        return bool(self.difference.sign) and self.p_swap > 1 - self.confidence

    def winner_among(self, n_judges: int) -> str:
        """Return the judge that is better by an interval that covers the differences of all pairs of so many judges at once.

        Bonferroni's: whichever judge was picked for its value, its differences are among them. Empty where it shows none.
        """
        confidence = 1 - (1 - self.confidence) / max(math.comb(n_judges, 2), 1)
        if math.isnan(self.error) or self.p_swap > 1 - self.confidence:
            return ""
        sign = difference_of(self.difference.value, self.error, self.n_items, confidence).sign
        return {1: self.b, -1: self.a}.get(sign * self.better, "")

    @property
    def held(self) -> Held | None:
        """B held against A by the margin; None without one."""
        if self.margin is None:
            return None
        return held(
            self.margin, self.difference, self.error, self.growth, better=self.better, units=self.n_items,
            confidence=self.confidence, ahead=self.winner == self.b,
        )  # fmt: skip

    @property
    def reading(self) -> str:
        """The result in a sentence."""
        return " ".join(filter(None, (_difference_words(self), _margin_words(self, self.held))))

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known beside it, one sentence each."""
        return (*self.cautions, *([] if self.weighted is None else [_weighted_words(self, self.weighted)]))

    def to_dict(self) -> Json:
        """Return the JSON object of the command `compare` by a number of scores."""
        sides = {
            letter: {"name": name, "value": or_none(estimate.value), "interval": ends_or_none(estimate.ends)}
            for letter, name, estimate in (("a", self.a, self.value_a), ("b", self.b, self.value_b))
        }
        return {
            "version": 1, "declaration": self.declaration.to_dict(), "metric": self.metric, "criterion": self.criterion or None,
            "level": "macro" if self.n_criteria else "micro",
            **sides, "difference": or_none(self.difference.value), "interval": ends_or_none(self.difference.ends),
            "undefined": self.difference.undefined or None, "no_interval": self.difference.no_interval or None,
            "p_swap": or_none(self.p_swap), "standard_error": or_none(self.error), "n": self.n, "n_items": self.n_items,
            "winner": self.winner or None,
            "reading": self.reading, "notes": list(self.notes),
            **({} if self.held is None else {"margin": self.held.to_dict()}),
            **({} if self.weighted is None else {"weighted": self.weighted.to_dict()}),
        }  # fmt: skip


@takes_ratings
def compare_scores(
    ratings: Ratings,
    a: str,
    b: str,
    metric: str = "pearson",
    *,
    criterion: str | None = None,
    level: str = "micro",
    reference: str = "auto",
    confidence: float = 0.95,
    margin: float | None = None,
) -> ScoreComparison:
    """Return how the scores of judge B differ from those of judge A in a number, paired by item.

    Parameters
    ----------
    ratings : Ratings
    a, b : str
        Judges. The difference is the value of B less that of A.
    metric : {"pearson", "spearman", "kendall_tau_b", "ccc", "mae", "rmse", "auc"}
        Against the numbers of the reference; of `auc` against its two labels, higher scores being positive.
    criterion : str, optional
        On this criterion alone.
    level : {"micro", "macro"}
        All decisions pooled, or the mean over the criteria where both judges have the number.
    reference : str
        As in `metrics.scores`, of `auc` as in `metrics.roc`.
    confidence : float
        In (0, 1).
    margin : float, optional
        How much worse B may be, for the verdict whether it is non-inferior; there is no default.

    Raises
    ------
    InputError
        For an unknown metric, level, judge or criterion, equal judges, ratings without such numbers, a margin that is not above
        0, and judges that share no scored decision.
    """
    if metric not in METRICS:
        raise InputError(f"Scores are not compared by {metric!r}. Use one of: {', '.join(METRICS)}.")
    if level not in ("micro", "macro"):
        raise InputError(f"Unknown choice {level!r} of what a number of scores is over. Use micro or macro.")
    if margin is not None:
        checked_positive(margin)
    if metric != AUC:
        ratings = scored_part(ratings, "score")
    settings = settings_of(ratings, reference=reference, judges=(a, b), confidence=confidence, scores=True)
    if a == b:
        raise InputError(f"{a!r} cannot be compared with itself. Name two judges.")
    item, known, scores, on = _shared(ratings, (a, b), settings.reference, criterion, labels=metric == AUC)
    of_item = np.unique(item, return_inverse=True)[1].astype(np.int64)
    macro = level == "macro" and criterion is None and len(ratings.criteria) > 1
    if macro:
        sides, n_criteria = _mean_sides(metric, known, scores, of_item, on)
    else:
        sides, n_criteria = [_side(metric, known, score, of_item, confidence) for score in scores], 0
    (value_a, moves_a), (value_b, moves_b) = sides
    n_items = int(of_item.max(initial=-1)) + 1
    difference, error, grows = _paired(value_a, value_b, moves_a, moves_b, n_items, confidence)
    p = swap_p(metric, known, scores, of_item, on if macro else np.zeros_like(on)) if difference.sign else math.nan
    weighted = None if macro else _by_weight(ratings, metric, item, known, scores, confidence)
    weighted = weighted and weighted.held_by(margin, -1 if metric in LESS_IS_BETTER else 1, confidence)
    declared = (declaration_of if weighted is None else weighted_declaration)(ratings, settings)
    return ScoreComparison(
        replace(declared, criteria=(criterion,) if criterion else ratings.criteria), metric,
        criterion or "", a, b, value_a, value_b, difference, error, grows, len(known), n_items, confidence, margin,
        tuple(warning.message for warning in cautions(ratings, of_labels=False, weighted=weighted is not None)), weighted,
        n_criteria, p,
    )  # fmt: skip


def _shared(
    ratings: Ratings, judges: tuple[str, str], reference: str, criterion: str | None, *, labels: bool
) -> tuple[Ints, FloatArray, tuple[FloatArray, FloatArray], Ints]:
    """Return item, reference, both scores and criterion of the decisions that all three gave."""
    name = ratings.source.name
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{name}: no criterion is called {criterion!r}. Criteria: {words.listed(ratings.criteria, 12)}.")
    if ratings.score is None:
        raise InputError(f"{name}: no column holds numbers. Name them score (of the judge) and human_score (of the human).")
    if labels and ratings.scheme.scale != "binary":
        raise InputError(f"{name}: AUC needs a reference that says one of two labels.")
    cells, rule = cells_of(ratings), reference_name(ratings, reference)
    sides = [numbers_of_cells(ratings, judge, rule) for judge in judges]
    known = sides[0][0]
    if labels:
        states = reference_states(ratings, rule)
        known = np.where(states <= 1, 1.0 - states, np.nan)
    a, b = (side[1] for side in sides)
    kept = np.isfinite(known) & np.isfinite(a) & np.isfinite(b)
    if criterion is not None:
        kept &= cells.criterion == ratings.criteria.index(criterion)
    if not kept.any():
        raise NothingShared(f"{name}: {judges[0]} and {judges[1]} share no decision that both and the reference scored.")
    return cells.item[kept].astype(np.int64), known[kept], (a[kept], b[kept]), cells.criterion[kept].astype(np.int64)


def _side(
    metric: str, known: FloatArray, score: FloatArray, item: Ints, confidence: float | None
) -> tuple[Estimate, FloatArray | None]:
    """Return the number of a judge, and what leaving each item out takes from it, shape (n_items,); None where undefined."""
    if metric == AUC:
        return _area(known > 0.5, score, item)
    paired = Paired(known, score, item)
    return measures(paired, confidence=confidence)[metric], changes(paired).get(metric)


def _mean_sides(
    metric: str, known: FloatArray, scores: tuple[FloatArray, FloatArray], item: Ints, on: Ints
) -> tuple[list[tuple[Estimate, FloatArray | None]], int]:
    """Return the mean of each judge's number over the criteria where both have it, with what each item left out takes from it."""
    values, moves = list[tuple[float, float]](), np.zeros((2, int(item.max(initial=-1)) + 1))
    for criterion in np.unique(on):
        here = on == criterion
        items, place = np.unique(item[here], return_inverse=True)
        sides = [_side(metric, known[here], score[here], place.astype(np.int64), None) for score in scores]
        (a, from_a), (b, from_b) = sides
        if from_a is not None and from_b is not None:
            values.append((a.value, b.value))
            moves[:, items] += [from_a, from_b]
    if not values:
        return [(Estimate(math.nan, why="no criterion has a value of both judges"), None)] * 2, 0
    means = np.mean(values, axis=0)
    return [(Estimate(float(mean)), move / len(values)) for mean, move in zip(means, moves, strict=True)], len(values)


def _area(positive: Bools, score: FloatArray, item: Ints) -> tuple[Estimate, FloatArray | None]:
    value = auc(tally_of(score, positive))
    if math.isnan(value):
        return Estimate(value, why="the reference gives one label only"), None
    ups, downs = np.sort(score[positive]), np.sort(score[~positive])
    placed = np.where(positive, _below(downs, score), 1 - _below(ups, score))
    each = (placed - value) / np.where(positive, len(ups), len(downs))
    return Estimate(value), np.bincount(item, each).astype(np.float64)


def _below(others: FloatArray, score: FloatArray) -> FloatArray:
    """Return the share of the others below each score, a tie counting one half."""
    return np.asarray((np.searchsorted(others, score, "left") + np.searchsorted(others, score, "right")) / (2 * len(others)))


def _paired(
    a: Estimate, b: Estimate, moves_a: FloatArray | None, moves_b: FloatArray | None, n_items: int, confidence: float
) -> tuple[Estimate, float, tuple[float, float]]:
    """Return the difference with its interval, its standard error, and how its variance grows."""
    value, nothing = b.value - a.value, (math.nan, math.nan)
    if moves_a is None or moves_b is None:
        return Estimate(math.nan, why=a.why or b.why), math.nan, nothing
    if n_items < FEWEST_UNITS:
        return Estimate(value, why=f"only {words.several(n_items, 'items')}"), math.nan, nothing
    alike, moves = np.ones(n_items, np.int64), moves_b - moves_a
    error = error_of_changes(moves, alike)
    made = difference_of(value, error, n_items, confidence)
    if made.interval is None:
        return replace(made, why="no item separates them"), math.nan, nothing
    note = f"only {words.several(n_items, 'items')}" if n_items < FEW_UNITS else ""
    grows = growth(-moves * n_items / (n_items - 1), alike)
    return replace(made, interval=replace(made.interval, note=note)), error, grows


def _by_weight(
    ratings: Ratings, metric: str, item: Ints, known: FloatArray, scores: tuple[FloatArray, FloatArray], confidence: float
) -> WeightedDifference | None:
    """Return the difference by the weights of items; None where no item weighs more than another."""
    weights = item_weights(ratings)
    if weights is None:
        return None
    items, of_item = np.unique(item, return_inverse=True)
    strata = Strata.of(weights[items], np.ones(len(items), np.int64))
    (a, from_a), (b, from_b) = (_side_by_weight(metric, known, score, of_item.astype(np.int64), strata) for score in scores)
    parts = from_b - from_a
    error = strata.error(-strata.up * parts) if len(items) >= FEWEST_UNITS and strata.df > 0 else math.nan
    made = difference_of(b - a, error, strata.df + 1, confidence)
    made = replace(made, interval=made.interval and replace(made.interval, method=METHOD))
    grows = (math.nan, math.nan) if math.isnan(error) else growth_by_weight(parts, strata, error**2)
    sides = Estimate(a), Estimate(b)
    return WeightedDifference(column_of(ratings), *sides, made, len(items), strata.n_effective, error, grows, strata.df)


def _side_by_weight(metric: str, known: FloatArray, score: FloatArray, item: Ints, strata: Strata) -> tuple[float, FloatArray]:
    """Return the number of a judge, and what each item adds to it, shape (n_items,)."""
    worth = strata.weight[item]
    if metric != AUC:
        pairs = WeightedPairs(Paired(known, score, item), Behind(item, worth))
        left_out = pairs.left_out(metric, strata, np.arange(len(strata.times)))
        return pairs.numbers("", None).estimates[metric].value, strata.parts(left_out)
    positive = known > 0.5
    level = np.unique(score, return_inverse=True)[1].astype(np.int64)
    beaten = placed(np.zeros(len(score), np.int64), level, positive, worth)
    own, other = (np.where(positive, worth[side].sum(), worth[~side].sum()) for side in (positive, ~positive))
    value = float(safe_ratio(worth[positive] @ beaten[positive], worth[positive].sum() * worth[~positive].sum()))
    each = worth * safe_ratio(beaten / np.where(other > 0, other, 1.0) - value, own)
    return value, np.bincount(item, each).astype(np.float64)


def _symbol(metric: str) -> str:
    return "AUC" if metric == AUC else RECORDS[metric].symbol


def _difference_words(found: ScoreComparison) -> str:
    symbol, where = _symbol(found.metric), f" on {words.shorten(found.criterion)}" if found.criterion else ""
    where = f", as the mean over {words.several(found.n_criteria, 'criteria')}," if found.n_criteria else where
    start = f"On {words.several(found.n_items, 'items')}{where}"
    if not found.difference.defined:
        return f"{start} the difference in {symbol} is undefined: {found.difference.why}."
    if found.difference.interval is None:
        return f"{start} {found.difference.why}: {symbol} differs by {words.number(found.difference.value)}, without an interval."
    size = f"{found.b} less {found.a} is {words.estimate(found.difference)}"
    if found.carried_by_few:
        swapped = f"the interval excludes 0, yet judges that swap items differ as much in {words.percent(found.p_swap)} of draws"
        return f"{start} no judge is shown to be better in {symbol}: {size}. A few items carry it: {swapped}."
    if not found.winner:
        return f"{start} there is no significant difference in {symbol}: {size}."
    loser = found.a if found.winner == found.b else found.b
    return f"{start} {found.winner} is better than {loser} in {symbol}: {size}."


def _weighted_words(found: ScoreComparison, by_weight: WeightedDifference) -> str:
    margin = _margin_words(found, by_weight.held)
    less = f"{found.b} less {found.a} is {words.estimate(by_weight.difference)} in {_symbol(found.metric)}"
    on = f"{words.several(by_weight.n_items, 'items')} worth {words.count(int(by_weight.n_effective))} of equal weight"
    by = f"With every item by ‘{words.shorten(by_weight.column)}’"
    margin = f" By weight: {margin[0].lower() if margin.startswith('Whether') else margin[0]}{margin[1:]}" if margin else ""
    return f"{by} {less}, on {on}.{margin} The other numbers count every item once."


def _margin_words(found: ScoreComparison, one: Held | None) -> str:
    if one is None:
        return ""
    margin, worst = f"the margin of {stated(one.margin)}", told_from(one.worst, one.margin)
    by = interval_words(one) if one.interval else ""
    if one.verdict == "inferior":
        return f"{found.b} is inferior, worse by more than {margin}: {by}."
    if one.verdict == "undecided":
        how = one.why or f"{by}, so it may be {worst} worse"
        return f"Whether {found.b} is worse by more than {margin} is undecided: {how}."
    at_most = f"at most {worst} worse" if one.worst > 0 else "no worse at all"
    return f"{found.b} is non-inferior by {margin}: {by}, so it is {at_most}."


def summary(found: ScoreComparison) -> str:
    """Return a comparison as text."""
    symbol, d = _symbol(found.metric), found.declaration
    lines = [f"{found.b} against {found.a}, {symbol}; reference: {d.reference}. {d.file_words}"]
    for letter, name, estimate in (("A", found.a, found.value_a), ("B", found.b, found.value_b)):
        lines.append(f"  {letter}  {words.shorten(name):<30}{words.estimate(estimate)}")
    lines.append(f"  B − A {words.estimate(found.difference)}, paired by item, on {words.several(found.n, 'decisions')}")
    return "\n".join([*lines, *(f"  {text}" for text in found.notes), "", found.reading])
