"""Agreement among raters of one role: from ratings to a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np

from metrics.analyses.cautions import cautions
from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.raters.alpha import alpha_left_out, alpha_of, coincidences
from metrics.analyses.raters.ceiling import held_to_people, human_ceiling, p_worse
from metrics.analyses.raters.coefficients import (
    agreement_of_sums,
    agreement_weights,
    fleiss_of_sums,
    fleiss_tally,
    gwet_of_sums,
    gwet_parts,
)
from metrics.analyses.raters.few_disagreements import few_disagree
from metrics.analyses.raters.gate import Bands, gate_of, rare_label
from metrics.analyses.raters.levels import Measured, levels_of_scales
from metrics.analyses.raters.one_pair import pair_intervals
from metrics.analyses.raters.pairwise import (
    MIN_SHARED,
    Pairs,
    kappa_of_sums,
    means_over_pairs,
    pairs_of,
    phi_of_sums,
    places_of,
    quadratic,
    weighted_kappa_of_sums,
)
from metrics.analyses.raters.readings import ties_left_out
from metrics.analyses.raters.result import STATISTICS, WEIGHTED, AgainstPeople, RaterBlock, RatersReport, judged_of
from metrics.analyses.raters.tally import VoteTally, tally_of
from metrics.analyses.raters.units import Units, units_of
from metrics.analyses.raters.weighted import ByWeight, weighted_raters, weighted_words
from metrics.analyses.records import Warn
from metrics.analyses.settings import Settings, weighted_declaration
from metrics.data.abstention import Mode
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.nonverdicts import handling_of, refuse_recoding
from metrics.data.order import Measurement
from metrics.data.ratings import Ratings, Role
from metrics.data.unique_items import kinds_of
from metrics.errors import InputError
from metrics.intervals.default import FEW_DISAGREEMENTS
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import Interval, jackknife_error, student, transformed, with_farther_ends
from metrics.results import words
from metrics.results.estimate import estimates_of, with_intervals

INTERVALS = ("auto", "none")
DECISIONS_TOGETHER = "decisions_together"
CLEARLY = 0.05
"""How far a pooled alpha must lie from the mean over criteria to be warned of."""
NO_PAIR, ONE_LABEL = "no item has two labels", "only one label is given"
ONE_ITEM = "one item says nothing of others"
MANY_LABELS = "too few items with a disagreement for so many labels"
NO_JACKKNIFE = "undefined without one of the items, or at the end of its range: no jackknife"
FEW_SHARED = f"no two raters share {MIN_SHARED} items"
BOTH_ONE = f"of every two raters that share {MIN_SHARED} items both give one and the same label only"
ALWAYS_ONE = {
    "mean_pairwise_kappa": BOTH_ONE,
    WEIGHTED: BOTH_ONE,
    "mean_pairwise_phi": f"of every two raters that share {MIN_SHARED} items one gives one label only",
}


@takes_ratings
def raters(
    ratings: Ratings,
    *,
    level: str | None = None,
    role: str | None = None,
    abstention: str = "exclude",
    interval: str = "auto",
    confidence: float = 0.95,
    bands: Bands | None = None,
    handling: Mapping[str, str] | None = None,
    margin: float | None = None,
) -> RatersReport:
    """Return how far the humans, or the judges, agree with each other: on every criterion, and on all criteria together.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        Of alpha, of AC2 and of the mean weighted kappa, which are there above nominal; the others take labels as nominal.
        Default: what the confirmed scale of each criterion says, see `metrics.analyses.raters.levels.levels_of_scales`.
    role : {"human", "judge"}, optional
        Default: humans where there are two or more, else judges. Raters without a role count as of this one.
    abstention : {"exclude", "as_unmet", "as_category"}
        What an answer without a verdict is: a missing rating, the negative label, or a class of its own.
    interval : {"auto", "none"}
        Items are left out one at a time; few items with a disagreement widen it, see Notes.
    confidence : float
    bands : Bands, optional
        Floor and bands of the gate; default those of the IRR guide.
    handling : mapping, optional
        Ties, invalid answers and failed calls otherwise than abstentions; see `metrics.agreement`.
    margin : float, optional
        How much worse than a human left out a judge may agree with the other humans, on the scale of the number that the labels
        are read by: whether each judge is non-inferior by that, as `metrics.analyses.raters.ceiling.held_to_people` has it.

    Raises
    ------
    InputError
        For unknown choices, a table of counts, fewer than two raters of the role, labels that have no order or no number where
        the level needs one, and a margin without humans and a judge, or not above 0.

    Notes
    -----
    Interval: delete-one-item jackknife, on the scale of Fisher's z (percent agreement: logit). With fewer than 5 items on which
    raters differ, or where it is undefined, the wider end of it and of a Dirichlet interval that takes each item as one pair of
    ratings (percent agreement: Wilson).
    """
    settings, own_level, own_role = _settings(ratings, level, role, abstention, interval, confidence, handling)
    ratings = settings.on(ratings)
    units = units_of(kinds_of(ratings), own_role, mode=settings.abstention)
    weights = item_weights(ratings)
    by_weight = None if weights is None else ByWeight(column_of(ratings), weights)
    single = None if weights is None else units_of(ratings, own_role, mode=settings.abstention)
    levels = levels_of_scales(ratings, own_level, settings.abstention)
    asked = (bands or Bands()).among(units.role)

    def block(how: Measured, c: int | None = None) -> RaterBlock:
        made = _on(units, how, c)
        found = block_of(made, how.values, how.level, asked, interval=interval, confidence=confidence)
        if single is None or by_weight is None:
            return found
        pairs = found.pairs
        counted = list(zip(pairs.a[pairs.counted].tolist(), pairs.b[pairs.counted].tolist(), strict=True))
        numbers = weighted_raters(
            _on(single, how, c), by_weight, how.values, how.level, pairs.penalty, counted, asked,
            intervals=interval != "none", confidence=confidence,
        )  # fmt: skip
        return replace(found, weighted=numbers)

    if len(ratings.criteria) > 1:
        pooled = block(levels.pooled)
        criteria = {name: block(levels.criteria[name], c) for c, name in enumerate(ratings.criteria)}
    else:
        criteria = {name: block(levels.criteria[name]) for name in ratings.criteria}
        pooled = criteria[ratings.criteria[0]]
    report = RatersReport(
        weighted_declaration(ratings, settings), units.role, units.raters, pooled.level, asked, pooled, criteria
    )
    margins = () if margin is None else _margins(ratings, report, margin, confidence)
    return replace(report, warnings=_warnings(ratings, report), margins=margins)


def _margins(ratings: Ratings, report: RatersReport, margin: float, confidence: float) -> tuple[AgainstPeople, ...]:
    """Return every judge against what a human left out reaches, held to the margin."""
    if report.role != "human" or not ratings.judges:
        raise InputError(f"{ratings.source.name}: a margin holds judges against humans, so it takes humans and a judge.")
    mode = report.declaration.abstention
    ceilings = [human_ceiling(ratings, judge, abstention=mode, confidence=confidence) for judge in ratings.judges]
    held = [replace(held_to_people(one, margin), p=p_worse(ratings, one, margin)) for one in ceilings]
    return tuple(map(AgainstPeople, ceilings, held, holm([one.p for one in held])))


def _on(units: Units, how: Measured, criterion: int | None) -> Units:
    """Return the units of a criterion, of all for None, on the classes of their level."""
    return (units if criterion is None else units.of_criterion(criterion)).on_classes(how.classes)


def _settings(
    ratings: Ratings,
    level: str | None,
    role: str | None,
    abstention: str,
    interval: str,
    confidence: float,
    handling: Mapping[str, str] | None,
) -> tuple[Settings, Measurement | None, Role | None]:
    """Return the choices, checked."""
    own_level = None if level is None else one_of("level", level, get_args(Measurement))
    own_role = None if role is None else one_of("role", role, get_args(Role))
    mode = one_of("abstention mode", abstention, get_args(Mode))
    one_of("interval", interval, INTERVALS)
    if not 0 < confidence < 1:
        raise InputError(f"The confidence must lie between 0 and 1, not {confidence}.")
    if mode == "as_category" and level not in (None, "nominal"):
        raise InputError(f"An answer without a verdict has no place on the level {level}. Use exclude, or the level nominal.")
    refuse_recoding(ratings, mode)
    settings = Settings(
        abstention=mode, interval=interval, confidence=confidence, handling=handling_of(handling, ratings.scheme, mode)
    )
    return settings, own_level, own_role


def block_of(
    units: Units, values: FloatArray, level: Measurement, bands: Bands, *, interval: str = "auto", confidence: float = 0.95
) -> RaterBlock:
    """Return every statistic of the units, with intervals and the gate.

    Parameters
    ----------
    values : ndarray, shape (K,)
        Number each class stands for; see `values_of`.
    """
    k = len(units.classes)
    places = places_of(values) if level != "nominal" and k > 2 else None
    tally = tally_of(units)
    pairs = pairs_of(units.labels, k, units.weight, None if places is None else quadratic(places))
    statistics, mean_of, fleiss = _statistics(units, tally, pairs, values, level)
    estimates = estimates_of(
        {key: statistic.value for key, statistic in statistics.items()},
        {key: _why(key, tally, pairs) for key, statistic in statistics.items() if np.isnan(statistic.value)},
    )
    if interval != "none":
        intervals = _intervals(tally, pairs, statistics, values, level, confidence)
        intervals |= pair_intervals(units, {key: estimate.value for key, estimate in estimates.items()}, confidence, places)
        none = MANY_LABELS if tally.n_items(tally.pairable) > 1 else ONE_ITEM
        estimates = with_intervals(estimates, intervals, dict.fromkeys(estimates, none))
    given = units.labels >= 0
    estimate, agreed, ac1 = (estimates[key] for key in (judged_of(bands.on, estimates), "percent_agreement", "gwet_ac1"))
    rare = rare_label(units.classes, tally.times[tally.pairable] @ tally.votes[tally.pairable], agreed, ac1)
    gate = gate_of(estimate, tally.n_items(tally.pairable), bands, rare=rare, confidence=confidence)
    return RaterBlock(
        classes=units.classes,
        raters=units.raters,
        n_raters=int(given.any(0).sum()),
        n_items=units.n,
        n_ratings=units.n_ratings,
        n_pairable=tally.n_units(tally.pairable),
        level=level,
        unit="decisions" if len(np.unique(units.criterion)) > 1 else "items",
        asked=interval != "none",
        estimates=estimates,
        fleiss_n_items=fleiss[1],
        fleiss_n_ratings=fleiss[0],
        mean_of=mean_of,
        pairs=pairs,
        complete=bool(len(units) and given.all()),
        rates=_rates(units),
        gate=gate,
    )


@dataclass(frozen=True, eq=False)
class _JackknifedValue:
    """A value, and its values without one item of each kind with the items of each."""

    value: float
    left_out: FloatArray
    weight: FloatArray


def _statistics(
    units: Units, tally: VoteTally, pairs: Pairs, values: FloatArray, level: Measurement
) -> tuple[dict[str, _JackknifedValue], dict[str, int], tuple[int, int]]:
    """Return every statistic; pairs each mean is over; ratings per unit and units of Fleiss' kappa."""

    def additive(parts: FloatArray, value: Callable[[FloatArray], FloatArray]) -> _JackknifedValue:
        return _JackknifedValue(float(value(tally.times @ parts)), *tally.left_out(parts, value))

    m, fleiss_parts = fleiss_tally(tally)
    weight = units.weight if tally.group is None else tally.weight
    sums = {"mean_pairwise_kappa": kappa_of_sums, "mean_pairwise_phi": phi_of_sums}
    if pairs.penalty is not None:
        sums = {WEIGHTED: weighted_kappa_of_sums, **sums}
    means = dict(zip(sums, means_over_pairs(units.labels, pairs, tuple(sums.values()), tally.group, weight), strict=True))
    plain = np.eye(len(units.classes))
    parts = gwet_parts(tally.votes)
    pair_parts = parts[:, :2]
    alpha = float(alpha_of(coincidences(tally.votes, tally.times), values, level))
    statistics = {
        "alpha": _JackknifedValue(alpha, *alpha_left_out(tally, values, level)),
        "fleiss_kappa": additive(fleiss_parts, fleiss_of_sums),
        **{key: _JackknifedValue(mean.value, mean.left_out, mean.weight) for key, mean in means.items()},
        "gwet_ac1": additive(parts, lambda sums: gwet_of_sums(sums, plain)),
    }
    if level != "nominal":
        partial = agreement_weights(values, level)
        statistics["gwet_ac2"] = additive(gwet_parts(tally.votes, partial), lambda sums: gwet_of_sums(sums, partial))
    statistics["percent_agreement"] = additive(pair_parts, agreement_of_sums)
    counted = {key: mean.n_pairs for key, mean in means.items()}
    return statistics, counted, (m, tally.n_units((tally.m == m) & (m >= 2)))


def _intervals(
    tally: VoteTally,
    pairs: Pairs,
    statistics: Mapping[str, _JackknifedValue],
    values: FloatArray,
    level: Measurement,
    confidence: float,
) -> dict[str, Interval]:
    """Return interval of every value that has one."""
    n_items = tally.n_items(tally.pairable)
    if n_items < 2:
        return {}
    n_split = tally.n_items(tally.split & tally.pairable)
    plain = {
        key: _jackknife(key, statistic, confidence) for key, statistic in statistics.items() if not np.isnan(statistic.value)
    }
    short = [key for key, ends in plain.items() if np.isnan(ends[0]) or n_split < FEW_DISAGREEMENTS]
    second = few_disagree(
        coincidences(tally.votes, tally.times),
        float(agreement_of_sums(tally.times @ gwet_parts(tally.votes))),
        values,
        level,
        pairs.penalty,
        short,
        (n_items, n_split),
        confidence,
    )
    out = {}
    for key, ends in plain.items():
        known = Interval(*ends, "jackknife")
        if key in second:
            by, note = "wilson" if STATISTICS[key].small_table == "share" else "dirichlet", NO_JACKKNIFE
            if n_split < FEW_DISAGREEMENTS:
                note = f"small cell: {words.several(n_split, 'items')} with a disagreement"
            out[key] = with_farther_ends(statistics[key].value, known, second[key], by, note)
        elif known.ends is not None:
            out[key] = known
    return out


def _jackknife(key: str, statistic: _JackknifedValue, confidence: float) -> tuple[float, float]:
    n = int(statistic.weight.sum())
    if n < 2:
        return float("nan"), float("nan")
    error = float(jackknife_error(statistic.left_out, statistic.weight))
    return transformed(statistic.value, error, STATISTICS[key].transform, student(n - 1, confidence))


def _why(key: str, tally: VoteTally, pairs: Pairs) -> str:
    """Return why a statistic is undefined."""
    if not tally.pairable.any():
        return NO_PAIR
    if key in ALWAYS_ONE:
        return ALWAYS_ONE[key] if pairs.counted.any() else FEW_SHARED
    return ONE_LABEL


def _rates(units: Units) -> tuple[Mapping[str, float], ...]:
    """Return share of each label among what a rater gave, per rater."""
    given = units.times @ (units.labels >= 0)
    shares = [safe_ratio(units.times @ (units.labels == place), given) for place in range(len(units.classes))]
    return tuple(dict(zip(units.classes, rater_shares.tolist(), strict=True)) for rater_shares in np.stack(shares, axis=1))


def _warnings(ratings: Ratings, report: RatersReport) -> tuple[Warn, ...]:
    warns = cautions(ratings, role=report.role, mode=report.declaration.abstention, weighted=True)
    warns += [Warn("weighted", text) for text in weighted_words(report)]
    if together := ratings.source.together:
        apart = "Intervals leave out one decision at a time. Where decisions"
        warns.append(
            Warn(DECISIONS_TOGETHER, f"{apart} of one group by ‘{words.shorten(together)}’ err together, they are too narrow.")
        )
    unknown = sum(rater.role is None for rater in ratings.raters)
    if unknown:
        warns.append(
            Warn(
                "role_unknown",
                f"The file does not say whether its raters are humans or judges; they are taken as {report.role}s.",
            )
        )
    mean, pooled = report.mean("alpha"), report.pooled["alpha"].value
    one_level = len(report.criteria) > 1 and set(report.levels) == {report.level}
    if one_level and mean.of is not None and abs(pooled - mean.value) > CLEARLY:
        easy = pooled > mean.value
        also = (
            "also counts that criteria differ in how often they are met" if easy else "also suffers from criteria of unlike rates"
        )
        warns.append(
            Warn(
                "pooled_alpha",
                f"α over all criteria together, {words.number(pooled)}, {also}; the mean over {mean.of[0]} criteria is "
                f"{words.number(mean.value)}.",
            )
        )
    ties = ties_left_out(ratings, report)
    if ties:
        warns.append(Warn("ties_left_out", ties))
    return tuple(warns)
