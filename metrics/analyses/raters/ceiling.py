"""How well a human left out agrees with the remaining humans, and whether the judge does as well against the same."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from metrics.analyses.comparison.margin import HOLDS, Held, checked_margin, verdict_of
from metrics.analyses.leading import leading
from metrics.analyses.raters.evidence import raters_apart
from metrics.analyses.raters.exchange import Exchange, exchange_test
from metrics.analyses.raters.left_out import DIFFERENCE, HUMAN, JUDGE, Answers, SideValues, Trials, side_interval, values_of
from metrics.analyses.raters.units import LEAST, Units, cell_of_unit, rater_states, units_of
from metrics.data.abstention import Mode, mode_labels
from metrics.data.pairs import reference_name, verdicts
from metrics.data.ratings import Ratings, named_judges
from metrics.data.references import AUTO, MAJORITY, MEDIAN, UNANIMOUS
from metrics.data.unique_items import kinds_of
from metrics.errors import InputError
from metrics.measures.catalogue import BY_KEY, applicable, keys_at
from metrics.measures.metric import Metric, why_undefined
from metrics.measures.transforms import (
    ROUNDING,
    Interval,
    of_difference,
    student,
    transformed,
    wider,
    with_farther_ends,
)
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

METRICS = keys_at("ceiling")
RULES = (AUTO, MAJORITY, UNANIMOUS, MEDIAN)
FEWEST_HUMANS = 3
"""Humans below which no margin to them is judged."""
LEAST_P, HALVINGS = 1e-4, 20
"""Smallest p of a margin that is told apart, and steps in which it is looked for."""
_Sides = tuple[tuple[float, float], tuple[float, float]] | None


@dataclass(frozen=True)
class LeftOneOut:
    """One human left out, and the judge, against the same reference of the remaining humans.

    Attributes
    ----------
    n, n_open : int
        Decisions where the remaining humans come to a label and both this human and the judge gave one; and those of both where
        the remaining humans come to none, which are left out.
    judge, human : float
        Value of the metric; NaN for the reason in `undefined`.
    counted : bool
        Whether this human is in the mean: enough decisions, and both values defined.
    """

    name: str
    n: int
    judge: float
    human: float
    counted: bool
    undefined: str = ""
    n_open: int = 0

    @property
    def difference(self) -> float:
        return self.judge - self.human


@dataclass(frozen=True)
class Ceiling:
    """What a human reaches against the other humans, and what the judge reaches there.

    Attributes
    ----------
    judge : str or None
        None: the humans alone, and `value`, `difference` are undefined.
    value, human, difference : Estimate
        Means over the humans counted: of the judge, of the human left out, and the first less the second, paired. Interval: the
        wider of the item jackknife and one of few errors (`metrics.analyses.raters.left_out`).
    error : float
        Standard error of the difference; NaN where there is none.
    n_items : int
        Items with a decision of a human counted.
    left_out : tuple of LeftOneOut
        Every human, in the order of the file.
    rule : str
        How the remaining humans become one reference.
    least : int
        Decisions below which a human is not counted.
    exchange : Exchange
        Whether judge and humans could change places.
    apart : tuple of str
        Humans who differ from the others: with them in it, the mean over humans is no measure of a human.
    """

    judge: str | None
    metric: str
    criterion: str | None
    abstention: Mode
    rule: str
    value: Estimate
    human: Estimate
    difference: Estimate
    error: float
    n_items: int
    left_out: tuple[LeftOneOut, ...]
    least: int
    confidence: float
    exchange: Exchange = field(default_factory=Exchange)
    apart: tuple[str, ...] = ()

    @property
    def n_humans(self) -> int:
        """Humans in the mean."""
        return sum(left_one_out.counted for left_one_out in self.left_out)

    @property
    def n_decisions(self) -> int:
        """Decisions of the humans in the mean; one cell counts once for each human left out."""
        return sum(left_one_out.n for left_one_out in self.left_out if left_one_out.counted)

    @property
    def n_open(self) -> int:
        """Decisions of the humans in the mean that are left out as the others come to no label."""
        return sum(left_one_out.n_open for left_one_out in self.left_out if left_one_out.counted)

    @property
    def apart_words(self) -> str:
        """Who differs from the other humans, as a clause; empty where nobody does."""
        verb = "differs" if len(self.apart) == 1 else "differ"
        return f"{words.named(self.apart)} {verb} from the other humans" if self.apart else ""

    @property
    def settled(self) -> bool:
        """Whether the interval of the difference leaves out 0, and exchanging the judge with the humans tells the same side."""
        p = {1: self.exchange.above, -1: self.exchange.below}.get(self.difference.sign, math.inf)
        return p <= (1 - self.confidence) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready: undefined numbers are None and have a reason."""
        difference = self.difference
        return {
            "judge": self.judge, "metric": self.metric, "criterion": self.criterion, "abstention": self.abstention,
            "reference": self.rule, "value": or_none(self.value.value), "value_interval": ends_or_none(self.value.ends),
            "human": or_none(self.human.value), "human_interval": ends_or_none(self.human.ends),
            "difference": or_none(difference.value), "interval": ends_or_none(difference.ends),
            "interval_method": difference.interval and difference.interval.method,
            "standard_error": or_none(self.error), "no_interval": difference.why or None,
            "p_above": or_none(self.exchange.above), "p_below": or_none(self.exchange.below),
            "exchanges": self.exchange.ways, "exchanges_exact": self.exchange.exact,
            "undefined": difference.undefined or None, "settled": self.settled, "confidence": self.confidence,
            "n_items": self.n_items, "n_humans": self.n_humans, "n_decisions": self.n_decisions, "n_open": self.n_open,
            "least": self.least, "apart": list(self.apart),
            "humans": [
                {
                    "name": left_one_out.name, "n": left_one_out.n, "n_open": left_one_out.n_open,
                    "judge": or_none(left_one_out.judge), "human": or_none(left_one_out.human),
                    "difference": or_none(left_one_out.difference),
                    "counted": left_one_out.counted, "undefined": left_one_out.undefined or None,
                }
                for left_one_out in self.left_out
            ],
        }  # fmt: skip


def held_to_people(ceiling: Ceiling, margin: float) -> Held:
    """Return whether the judge agrees with the others at most a margin worse than a human does.

    The lower end of the difference from the ceiling decides, and it takes `FEWEST_HUMANS`: two have nobody left to agree with
    but each other. No margin is held to humans one of whom differs from the others: that one pulls down what is to be reached.

    Parameters
    ----------
    ceiling : Ceiling
    margin : float
        On the scale of its metric.

    Raises
    ------
    InputError
        For a margin that is not above 0, or as large as the range of the metric.
    """
    margin, ends = checked_margin(margin, ceiling.metric, 1), ceiling.difference.ends
    if ceiling.judge is None or ends is None:
        why = "there is no judge" if ceiling.judge is None else ceiling.difference.why or "the difference has no interval"
        return Held(margin, "undecided", math.nan, math.nan, math.nan, why=why)
    if ceiling.n_humans < FEWEST_HUMANS:
        why = f"takes {FEWEST_HUMANS} humans; {ceiling.n_humans} count here"
        return Held(margin, "undecided", -ends[0], ends[0], math.nan, why=why, interval=ends)
    verdict = verdict_of(*ends, margin, ahead=ceiling.settled and ceiling.difference.value > 0)
    if verdict in HOLDS and ceiling.apart:
        why = f"is undecided: {ceiling.apart_words}, so the mean over humans is no measure of a human"
        return Held(margin, "undecided", -ends[0], ends[0], math.nan, why=why, interval=ends)
    return Held(margin, verdict, -ends[0], ends[0], math.nan, interval=ends)


def p_worse(ratings: Ratings, ceiling: Ceiling, margin: float) -> float:
    """Return the one-sided p that the judge is worse than a human by the margin: where the lower end would just meet it.

    From `LEAST_P` to 0.5, beyond which it is not looked for; NaN where no margin to humans is judged.

    Parameters
    ----------
    ratings : Ratings
        That the ceiling is of.
    ceiling : Ceiling
    margin : float
        Above 0, on the scale of its metric.
    """
    if held_to_people(ceiling, margin).why:
        return math.nan
    record, least = BY_KEY[ceiling.metric], ceiling.least
    trials = _asked(ratings, ceiling.judge, ceiling.abstention, ceiling.rule, ceiling.criterion)[1].trials()
    values = values_of(trials, record, least)
    held, not_held = 0.5, LEAST_P
    for _ in range(HALVINGS):
        p = math.sqrt(held * not_held)
        ends = _difference_at(values, trials, record, 1 - 2 * p).ends
        held, not_held = (p, not_held) if ends is not None and ends[0] > -margin else (held, p)
    return held


def rule_for(ratings: Ratings, reference: str) -> str:
    """Return the rule by which the remaining humans become one, where this is the reference elsewhere."""
    return reference_name(ratings, reference if reference in RULES else AUTO)


def human_ceiling(
    ratings: Ratings,
    judge: str | None,
    metric: str | None = None,
    *,
    abstention: Mode = "exclude",
    reference: str = AUTO,
    criterion: str | None = None,
    least: int = LEAST,
    confidence: float = 0.95,
) -> Ceiling:
    """Leave one human out: the judge and that human, both against the same reference of the remaining humans.

    Parameters
    ----------
    judge : str or None
        None: the humans alone.
    metric : {"kappa", "phi", "mcc_multiclass", "accuracy", "weighted_kappa_quadratic"}, optional
        φ for two classes, R_K for more. Default: κ, of ordered labels the one with quadratic weights.
    reference : {"auto", "majority", "unanimous", "median"}
        How the remaining humans become one reference; where their votes split, the decision is left out.
    criterion : str, optional
        That criterion alone; else all decisions pooled.
    least : int
        Humans with fewer decisions are not in the mean.

    Raises
    ------
    InputError
        For fewer than two humans, an unknown judge or criterion, a metric the classes do not have, a named reference.
    """
    units, answers = _asked(ratings, judge, abstention, reference, criterion)
    first = leading(ratings, abstention)
    record = _metric(metric or first, len(units.classes), first)
    trials = answers.trials()
    values = values_of(trials, record, least)
    labels = mode_labels(ratings.scheme, abstention)
    left_out = tuple(_left_out(trials, values, place, name, record, labels, least) for place, name in enumerate(units.raters))
    if judge is None:
        left_out = tuple(replace(left_one_out, judge=math.nan) for left_one_out in left_out)
    why = "" if values.counted.any() else _why(left_out, record, least)
    value = human = difference = Estimate(math.nan, why=why or "there is no judge")
    sides = _sides(values, trials, record, confidence)
    if not why:
        human = _side_estimate(values, sides, HUMAN, record, confidence)
    if not why and judge is not None:
        value = _side_estimate(values, sides, JUDGE, record, confidence)
        difference = _difference_at(values, trials, record, confidence)
    exchange = exchange_test(answers, trials, record.function, values.counted, difference.value)
    return Ceiling(
        judge=judge,
        metric=record.key,
        criterion=criterion,
        abstention=abstention,
        rule=answers.rule,
        value=value,
        human=human,
        difference=difference,
        error=math.nan if difference.interval is None else float(values.errors[DIFFERENCE]),
        exchange=exchange,
        n_items=values.n_items,
        left_out=left_out,
        least=least,
        confidence=confidence,
        apart=raters_apart(ratings, "human", criterion, abstention=abstention, confidence=confidence),
    )


def _asked(ratings: Ratings, judge: str | None, mode: Mode, rule: str, criterion: str | None) -> tuple[Units, Answers]:
    """Return the units of the humans, and what they and the judge said on them."""
    ratings = kinds_of(ratings)
    units = units_of(ratings, "human", mode=mode, criterion=criterion)
    if judge is not None:
        (judge,) = named_judges(ratings, judge)
    if rule not in RULES:
        raise InputError(
            f"The human ceiling leaves the humans out one at a time, so its reference is a rule for the rest, not "
            f"{rule!r}. Use one of: {', '.join(RULES)}."
        )
    return units, _answers(ratings, units, judge, rule_for(ratings, rule), mode)


def _answers(ratings: Ratings, units: Units, judge: str | None, rule: str, mode: Mode) -> Answers:
    judge_states = None if judge is None else verdicts(ratings, judge, "judge")[cell_of_unit(ratings, units)]
    item = units.item.astype(np.int64)
    return Answers(
        rater_states(ratings, units), judge_states, item, units.criterion, units.times, ratings, rule, mode, len(units.classes)
    )


def _metric(metric: str, k: int, first: str) -> Metric:
    known = tuple(dict.fromkeys((first, *(record.key for record in applicable(k, "table") if record.key in METRICS))))
    if metric not in known:
        raise InputError(f"The human ceiling cannot be read in {metric!r} here. Use one of: {', '.join(known)}.")
    return BY_KEY[metric]


def _left_out(
    trials: Trials, values: SideValues, place: int, name: str, record: Metric, labels: tuple[str, ...], least: int
) -> LeftOneOut:
    n, (judge, human) = int(values.n[place]), values.values[place].tolist()
    why = "" if n else "no decision is shared with the judge and a reference of the others"
    for table in values.tables[place] if n else ():
        why = why or why_undefined(record, table, labels)
    if n < least and not why:
        why = f"fewer than {least} shared decisions"
    return LeftOneOut(name, n, judge, human, bool(values.counted[place]), why, trials.n_open[place])


def _why(left_out: tuple[LeftOneOut, ...], record: Metric, least: int) -> str:
    """Return why no human counts."""
    enough = [left_one_out for left_one_out in left_out if left_one_out.n >= max(1, least)]
    if enough:
        return f"{record.symbol} is undefined for every human left out: {enough[0].undefined}"
    return f"no human shares {least} decisions with the judge and a reference of the others"


def _sides(values: SideValues, trials: Trials, record: Metric, confidence: float) -> _Sides:
    """Return ends of the means of the judge and of the human from what few errors leave open."""
    if not values.counted.any() or values.n_items < 2:
        return None
    counted = trials.where(values.counted[trials.human])
    times = np.zeros(int(counted.unit.max()) + 1)
    times[counted.unit] = counted.times
    n = float(times.sum()), float(counted.times.sum())
    tables, errors, means = values.tables[values.counted].sum(0), values.errors, values.means
    judge, human = (
        side_interval(means[side], float(errors[side]), tables[side], n[side], values.n_items, record, confidence)
        for side in (JUDGE, HUMAN)
    )
    return judge, human


def _side_estimate(values: SideValues, sides: _Sides, side: int, record: Metric, confidence: float) -> Estimate:
    value = values.means[side]
    if sides is None:
        return Estimate(value)
    first = transformed(value, float(values.errors[side]), record.transform, student(values.n_items - 1, confidence))
    second = "wilson" if record.key == "accuracy" else "dirichlet"
    return Estimate(value, with_farther_ends(value, Interval(*first, "jackknife"), sides[side], second))


def _difference_at(values: SideValues, trials: Trials, record: Metric, confidence: float) -> Estimate:
    """Return the judge's mean less the humans', with its interval."""
    sides = _sides(values, trials, record, confidence)
    value, error, most = values.means[DIFFERENCE], float(values.errors[DIFFERENCE]), record.high - record.low
    if sides is None:
        return Estimate(value, why="there is only one shared item")
    if math.isnan(error):
        return Estimate(value, why="the difference is undefined when one item is left out")
    reach = student(values.n_items - 1, confidence) * error
    low, high = wider((value - reach, value + reach), of_difference(values.means[:2], sides, values.without, values.weight))
    method = "paired jackknife+mover" if error > ROUNDING else "mover"
    return Estimate(value, Interval(max(low, -most), min(high, most), method))
