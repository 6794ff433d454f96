"""ROC curves of judges that give scores, and ROC points of those that give verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.cautions import cautions
from metrics.analyses.records import Warn
from metrics.analyses.roc.area import Scores, area_interval, auc, left_out
from metrics.analyses.roc.calibration import Calibration, are_probabilities, calibration
from metrics.analyses.roc.cuts import Cut, best_cut, cells_at, with_intervals
from metrics.analyses.roc.decisions import POSITIVE, Decisions, decisions_of
from metrics.analyses.roc.held_out import Method, held_out
from metrics.analyses.roc.result import Curve, JudgeRoc, MeanCurve, RocBlock, RocReport
from metrics.analyses.roc.tallies import Bools, Direction, ScoreTally, reaches
from metrics.analyses.roc.weighted import roc_by_weight
from metrics.analyses.settings import Settings, checked, settings_of, weighted_declaration
from metrics.analyses.verification import verification_of
from metrics.asker import answer, by, worded
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.order import numbers_of
from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of
from metrics.errors import InputError
from metrics.measures.transforms import Interval, interval_around, jackknife_error, student
from metrics.results import words
from metrics.results.estimate import Estimate

INTERVALS = ("auto", "none")
FEWEST_FOLDS, MOST_FOLDS = 2, 20
CLEARLY = 0.02
"""How far a pooled AUC must lie from the mean over criteria to be worth a warning."""


@takes_ratings
def roc(
    ratings: Ratings,
    *,
    reference: str = "auto",
    judges: Sequence[str] | None = None,
    interval: str = "auto",
    unit: str = "item",
    confidence: float = 0.95,
    direction: str = "higher",
    holding_out: str = "split",
    folds: int = 5,
    rng: int | None = None,
) -> RocReport:
    """Return how well each judge's score tells the positive from the negative label, and at which cut.

    A decision is positive where score >= threshold, or <= where `direction` is "lower"; thresholds are the observed scores and
    infinity. The direction is never turned: an AUC below 1/2 stays there. A judge without scores is a point, where its verdicts
    stand. Left out are decisions without a verdict of the reference, and failed calls; a judge's own abstention counts where it
    has a score. Where the file has a column of weights of items, the same by weight stands beside (`weighted`), but not where
    `unit` is a column.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them, on a scale with one positive and one negative label.
    reference : str
        `majority` (a tie is an abstention) or `unanimous` of the humans, or one human's name.
    judges : sequence of str, optional
        Default: all.
    interval : {"auto", "none"}
        AUC: DeLong with one decision per unit, else the unit jackknife, both on the logit scale; widened by Newcombe (2006) with
        fewer than 50 decisions in a class, or 10 units with one; by Newcombe alone for an AUC of 0 or 1, or a class on one
        unit. J, TPR and FPR at a given cut: as in `agreement`.
    unit : str
        "item", or a column of the file that groups items: what is left out, and held out, as a whole.
    confidence : float
        In (0, 1).
    direction : {"higher", "lower"}
        Which scores speak for the positive label, of every judge. With "lower", a probability is one of the negative label.
    holding_out : {"split", "cross", "none"}
        The best cut is chosen on one half of the units and judged on the other; or every one of `folds` parts is judged by
        the cut of the others; or neither. Up to 1,000,000 units are shuffled; of more, how many of each kind of alike units go
        where is drawn.
    rng : int, optional
        Seed of the split; default 0.

    Raises
    ------
    InputError
        For an unknown choice, a scale that is not binary, and ratings that lack a human, a judge or a shared item.
    """
    if rng is not None and (isinstance(rng, bool) or not isinstance(rng, (int, np.integer))):
        raise InputError(f"The seed must be a whole number from 0, not {rng!r}.")
    one_of("interval", interval, INTERVALS, " of a ROC curve")
    settings = settings_of(
        ratings, reference=reference, judges=judges, interval=interval, unit=unit, confidence=confidence, rng=rng
    )  # fmt: skip
    return roc_of(ratings, settings, direction=direction, holding_out=holding_out, folds=folds)


def roc_of(
    ratings: Ratings, settings: Settings, *, direction: str = "higher", holding_out: str = "split", folds: int = 5
) -> RocReport:
    """Return the curves of the judges under settings that are made already, as `roc` does.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        Of the reference, the judges, the intervals and the seed; abstentions are left out whatever they say.
    direction, holding_out, folds
        See `roc`.

    Raises
    ------
    InputError
        As `roc`.
    """
    settings = _settings(ratings, settings)
    method = _method(holding_out, folds)
    towards: Direction = one_of("direction", direction, get_args(Direction), " of a score")
    curves = {name: judge_roc(ratings, name, settings, method, folds, towards) for name in settings.judges}
    if not any(curve.pooled.n for curve in curves.values()):
        agreement_of(ratings, replace(settings, interval="none"))
        raise InputError(f"{ratings.source.name}: no decision has a verdict of the reference and a score or verdict of a judge.")
    held = {"method": method or "none", "folds": folds if method == "cross" else None, "seed": settings.seed if method else None}
    warned = _warnings(ratings, curves, towards)
    return RocReport(weighted_declaration(ratings, settings), settings, held, curves, warned, towards)


def judge_roc(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    method: Method | None = "split",
    folds: int = 5,
    direction: Direction = "higher",
) -> JudgeRoc:
    """Return all blocks of one judge.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Of the reference, the units, the intervals and the seed.
    method : {"split", "cross"} or None
        How the best cut is held out; None where it is not.
    folds : int
        Parts of the units; only for "cross".
    direction : {"higher", "lower"}
        Which scores speak for the positive label.
    """
    decisions = decisions_of(ratings, judge, settings.reference, settings.unit)
    scores, criterion = decisions.scores(direction)
    maker = _Maker(decisions, scores, settings, method, folds)
    lost = list(zip(decisions.n_open.tolist(), decisions.n_split.tolist(), strict=True))
    blocks = {
        name: maker.block(criterion == place, decisions.criterion == place, *lost[place])
        for place, name in enumerate(ratings.criteria)
    }
    n_open, n_split = int(decisions.n_open.sum()), int(decisions.n_split.sum())
    everything = np.ones(len(scores.level_index), bool), np.ones(len(decisions.positive), bool)
    pooled = next(iter(blocks.values())) if len(blocks) == 1 else maker.block(*everything, n_open, n_split)
    mean = maker.mean([scores.part(criterion == place) for place in range(len(blocks))], list(blocks.values()))
    if (by_weight := roc_by_weight(ratings, judge, settings, method, folds, direction)) is not None:
        blocks = {name: replace(blocks[name], weighted=by_weight.block(place)) for place, name in enumerate(ratings.criteria)}
        pooled = next(iter(blocks.values())) if len(blocks) == 1 else replace(pooled, weighted=by_weight.block(None))
        mean = replace(mean, weighted=by_weight.mean(len(blocks)))
    return JudgeRoc(
        name=judge,
        pooled=pooled,
        mean=mean,
        criteria=blocks,
        n_open=n_open,
        n_split=n_split,
        n_unscored=decisions.n_of(decisions.answered & ~decisions.scored),
        refused=verification_of(ratings, judge, settings).refusal(),
    )


def cut_at(
    ratings: Ratings,
    judge: str,
    settings: Settings,
    threshold: float,
    criterion: str | None = None,
    direction: Direction = "higher",
) -> Cut:
    """Return what any cut of the scores is worth on all decisions, with intervals.

    The cut must not have been chosen by J here.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Of the reference, the units and the intervals.
    threshold : float
        Itself called positive.
    criterion : str, optional
        All criteria together by default.
    direction : {"higher", "lower"}
        Which scores speak for the positive label.
    """
    decisions = decisions_of(ratings, judge, settings.reference, settings.unit)
    kept = decisions.scored
    if criterion is not None:
        kept &= decisions.criterion == ratings.criteria.index(criterion)
    cell = cells_at(decisions.positive[kept], reaches(decisions.score[kept], threshold, direction))
    multiples = decisions.times[kept], decisions.copies[kept]
    return with_intervals(threshold, cell, decisions.unit[kept], settings.asked_confidence, decisions.word, *multiples)


class _Maker:
    """Blocks of one judge from its decisions."""

    def __init__(self, decisions: Decisions, scores: Scores, settings: Settings, method: Method | None, folds: int) -> None:
        self.decisions, self.scores, self.settings, self.method, self.folds = decisions, scores, settings, method, folds
        self.confidence = settings.asked_confidence
        self.seed = settings.seed if isinstance(settings.seed, int) else 0

    def block(self, scored: Bools, decided: Bools, n_open: int, n_split: int) -> RocBlock:
        """Return the block of a criterion from its scored decisions and from all of them."""
        curve = self._curve(self.scores.part(scored)) if scored.any() else None
        n_total = self.decisions.n_of(decided) + n_open + n_split
        return RocBlock(curve, self._point(decided & self.decisions.answered), n_total, n_split)

    def _curve(self, scores: Scores) -> Curve:
        tally = scores.tally()
        best = best_cut(tally)
        held = "no validation was asked for" if self.method is None else held_out(
            scores, self.seed, self.confidence, self.method, self.folds
        )  # fmt: skip
        return Curve(
            tally=tally,
            area=self._area(scores, tally),
            best=None if best is None else Cut(best.threshold, tally.table(best.threshold), {}),
            n_optimal=0 if best is None else best.n_optimal,
            held_out=held,
            calibration=self._calibration(scores.of_higher_label()),
        )

    def _area(self, scores: Scores, tally: ScoreTally) -> Estimate:
        if not (tally.n_positive and tally.n_negative):
            lacking = "negative" if tally.n_positive else "positive"
            return Estimate(float("nan"), why=f"the reference has no {lacking} among the scored decisions")
        return Estimate(auc(tally), None if self.confidence is None else area_interval(scores, tally, self.confidence))

    def _calibration(self, scores: Scores) -> Calibration | None:
        tally = scores.tally()
        if not are_probabilities(tally):
            return None
        judge_calibration = calibration(scores, tally, self.confidence)
        return judge_calibration if self.scores.direction == "higher" else replace(judge_calibration, of="negative")

    def _point(self, kept: Bools) -> Cut | None:
        if not kept.any():
            return None
        decisions = self.decisions
        cell = cells_at(decisions.positive[kept], decisions.verdict[kept] == POSITIVE)
        return with_intervals(
            float("nan"),
            cell,
            decisions.unit[kept],
            self.confidence,
            decisions.word,
            decisions.times[kept],
            decisions.copies[kept],
        )

    def mean(self, parts: list[Scores], blocks: list[RocBlock]) -> MeanCurve:
        """Return mean over the criteria with an area, its interval by leaving whole units out."""
        used = [place for place, block in enumerate(blocks) if block.curve is not None and block.curve.best is not None]
        if not used:
            return MeanCurve(Estimate(float("nan"), of=(0, len(blocks))), float("nan"))
        curves = [curve for place in used if (curve := blocks[place].curve) is not None]
        area = float(np.mean([curve.area.value for curve in curves]))
        gain = float(np.mean([curve.best["youden_j"].value for curve in curves if curve.best is not None]))
        if self.confidence is None:
            interval = None
        elif len(blocks) == 1:
            interval = curves[0].area.interval
        else:
            interval = _mean_interval([parts[place] for place in used], area, self.confidence)
        return MeanCurve(Estimate(area, interval, of=(len(used), len(blocks))), gain)


def _mean_interval(parts: list[Scores], area: float, confidence: float) -> Interval | None:
    left = np.stack([left_out(part) for part in parts])
    there = np.isfinite(left)
    alike = np.max([part.multiplicity for part in parts], axis=0)
    used = alike > 0
    means = np.where(there, left, 0).sum(0)[used] / np.maximum(there.sum(0)[used], 1)
    n = int(alike.sum())
    if n < 2:
        return None
    error = float(jackknife_error(means, alike[used].astype(np.float64)))
    return interval_around(area, error, "logit", student(n - 1, confidence), "jackknife")


def _settings(ratings: Ratings, settings: Settings) -> Settings:
    one_of("interval", settings.interval, INTERVALS, " of a ROC curve")
    checked_settings = checked(ratings, replace(settings, abstention="exclude"))
    if ratings.scheme.scale != "binary":
        raise InputError(f"{ratings.source.name}: a ROC curve separates one positive from one negative label, {_two_of(ratings)}")
    return checked_settings


def _two_of(ratings: Ratings) -> str:
    """Return how classes become two: by the criteria that have two, else the top of the order, or one class, against all
    others.
    """
    scales = scales_of(ratings)
    two = [name for name in ratings.criteria if scales.on(name).scale in ("binary", "pairwise")]
    if two:
        listing = words.named(two)
        return f"which only {listing} {'has' if len(two) == 1 else 'have'}. Take {by('--criteria')} the criteria with two labels."
    names = ratings.scheme.classes
    clause = f"and these are classes: {', '.join(names[:12])}"
    numbers = None if ratings.scheme.order else numbers_of(names)
    rising = names if numbers is None else [names[place] for place in np.argsort(numbers, kind="stable")]
    sides = dict.fromkeys(rising[:-1], "negative") | {rising[-1]: "positive"}
    way = worded(", such as ", ", such as ", " on the Data page") + answer("--labels", sides)
    return f"{clause}. Say of each on which side it is{way}"


def _method(holding_out: str, folds: int) -> Method | None:
    method: Method | Literal["none"] = one_of("way of holding out", holding_out, (*get_args(Method), "none"))
    if method == "none":
        return None
    if not FEWEST_FOLDS <= folds <= MOST_FOLDS:
        raise InputError(f"The number of folds must be between {FEWEST_FOLDS} and {MOST_FOLDS}, not {folds}.")
    return method


def _warnings(ratings: Ratings, curves: dict[str, JudgeRoc], direction: Direction) -> tuple[Warn, ...]:
    weighted = any(curve.pooled.weighted is not None for curve in curves.values())
    out = cautions(ratings, of_labels=False, weighted=weighted)
    plain = [name for name, curve in curves.items() if not curve.pooled.scored]
    if plain:
        out.append(Warn("no_scores", f"Without scores, each of these is one point: {words.shorten(', '.join(plain), 200)}."))
    for name, judge_curve in curves.items():
        out += [Warn("one_sided_labels", f"{name}: {judge_curve.refused}")] if judge_curve.refused else []
        out += _left_out(name, judge_curve)
        out += _against(name, judge_curve, direction)
        out += _pooling(name, judge_curve) if len(ratings.criteria) > 1 else []
    return tuple(out)


def _left_out(name: str, curve: JudgeRoc) -> list[Warn]:
    unscored = curve.n_unscored if curve.pooled.scored else 0
    lost = [(curve.n_open, "a verdict of the reference"), (unscored, "a score")]
    out = [
        Warn("left_out", f"{name}: {words.several(n, 'decisions')} without {what} {words.are(n)} left out.")
        for n, what in lost
        if n
    ]
    if curve.n_split:
        what = f"{words.several(curve.n_split, 'split votes')} of people {words.are(curve.n_split)} left out."
        out.append(Warn("split_votes", f"{name}: {what}"))
    return out


def _against(name: str, judge: JudgeRoc, direction: Direction) -> list[Warn]:
    curve = judge.pooled.curve
    ends = None if curve is None else curve.area.ends
    if curve is None or ends is None or ends[1] >= 0.5:
        return []
    mean = f", mean over criteria {words.number(judge.mean.area.value)}" if len(judge.criteria) > 1 else ""
    what = f"{direction} scores go with the negative label (AUC {words.number(curve.area.value)}{mean})"
    other = "lower" if direction == "higher" else "higher"
    turn = (
        f"The score is not inverted; if {other} scores are meant to be positive, say that the direction is {other}. If the score "
        "is that of the other label, say that this one is positive."
    )
    return [Warn("below_chance", f"{name}: {what}. {turn}")]


def _pooling(name: str, judge: JudgeRoc) -> list[Warn]:
    curve = judge.pooled.curve
    if curve is None or not abs(curve.area.value - judge.mean.area.value) > CLEARLY:
        return []
    pooled, mean = words.number(curve.area.value), words.number(judge.mean.area.value)
    easier = "also counts that criteria differ in how often they are met"
    what = (
        easier
        if curve.area.value > judge.mean.area.value
        else "also suffers from scores that mean something else on each criterion"
    )
    return [Warn("pooled_area", f"{name}: the pooled AUC {pooled} {what}; the mean over the criteria is {mean}.")]
