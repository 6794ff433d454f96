"""Results of `metrics.roc`: one block per criterion and one over all, with one way out to JSON, a table and a text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.evaluation import catalogue_family, evaluate
from metrics.analyses.records import Block, Declaration, Warn
from metrics.analyses.roc.calibration import Calibration
from metrics.analyses.roc.cuts import POINT, Cut
from metrics.analyses.roc.held_out import HeldOut
from metrics.analyses.roc.tallies import Direction, ScoreTally
from metrics.analyses.roc.weighted import WeightedRoc
from metrics.analyses.settings import Settings
from metrics.results.estimate import Estimate
from metrics.results.report import OfJudges, OverCriteria, Report, ends_or_none, or_none

Json = dict[str, Any]
MOST_DRAWN, MOST_NARROW, MOST_THIN = 400, 160, 60
"""Points drawn of the curve in question, of it on a narrow screen, and of each of the others."""
CHOSEN_HERE = "the threshold was chosen on these decisions, so an interval would be too good; see held_out"
CHOSEN_EACH = "each criterion's threshold was chosen on the decisions that test it, so this mean is too good; see their held_out"
NOTHING_CALLED = "beyond every score: nothing called positive is best"
NO_SCORE = "no score stands beside these verdicts"


@dataclass(frozen=True, eq=False)
class Curve:
    """The scores of one judge on one criterion or on all.

    Attributes
    ----------
    tally : Tally
    area : Estimate
        Undefined where a class is empty.
    best : Cut or None
        Where J is largest, without intervals: the cut was chosen on these decisions.
    n_optimal : int
        Thresholds with that J.
    held_out : HeldOut or str
        Or why there is none.
    calibration : Calibration or None
        None where the scores are no probabilities.
    """

    tally: ScoreTally
    area: Estimate
    best: Cut | None
    n_optimal: int
    held_out: HeldOut | str
    calibration: Calibration | None

    @property
    def best_spot(self) -> tuple[float, float] | None:
        """FPR and TPR of the best cut; None where no score is better than calling nothing positive, J 0."""
        if self.best is None or math.isinf(self.best.threshold):
            return None
        return self.tally.spot(self.best.threshold)

    @property
    def start(self) -> float:
        """The best cut as it is written, or the strictest score where nothing called positive is best."""
        best = self.tally.thresholds[0] if self.best is None else self.best.threshold
        return float(np.clip(self.tally.written(best), *self.tally.ends))


@dataclass(frozen=True, eq=False)
class RocBlock:
    """A curve, a point, or both.

    Attributes
    ----------
    curve : Curve or None
        None where there are no scores.
    verdict : Cut or None
        Where the judge's own verdicts stand; None where it gave none.
    n_total : int
        Decisions that both were asked for, with or without a verdict.
    n_split : int
        Those among them on which the people's votes split; they are in no number.
    weighted : WeightedRoc or None
        The numbers by the weights of items; None where the file has none.
    """

    curve: Curve | None
    verdict: Cut | None
    n_total: int
    n_split: int = 0
    weighted: WeightedRoc | None = None

    @property
    def scored(self) -> bool:
        return self.curve is not None

    @property
    def cut(self) -> Cut | None:
        """What J, TPR and FPR speak of: the best cut of the scores, or the verdicts."""
        return self.curve.best if self.curve is not None else self.verdict

    @property
    def n(self) -> int:
        if self.curve is not None:
            return self.curve.tally.n
        return 0 if self.verdict is None else self.verdict.n

    @property
    def n_positive(self) -> int:
        if self.curve is not None:
            return self.curve.tally.n_positive
        return 0 if self.verdict is None else int(self.verdict.table[0].sum())

    @property
    def coverage(self) -> float:
        """Share of the decisions on which both gave a verdict: what J of the verdicts speaks of."""
        return self.verdict.n / self.n_total if self.verdict is not None and self.n_total else math.nan

    def undefined(self) -> dict[str, str]:
        """Return undefined numbers and why."""
        out = {}
        if self.curve is None:
            out = dict.fromkeys(("auc", "threshold", "n_optimal_thresholds"), NO_SCORE)
        elif not self.curve.area.defined:
            keys = ("auc", "youden_j", "threshold", "tpr", "fpr", "n_optimal_thresholds")
            return dict.fromkeys(keys, self.curve.area.why)
        cut = self.cut
        lacking = {key: "the reference lacks a class here" for key in POINT if cut is None or math.isnan(cut[key].value)}
        held = {"held_out": self.curve.held_out} if self.curve is not None and isinstance(self.curve.held_out, str) else {}
        return out | lacking | held

    def to_dict(self) -> Json:
        cut, curve = self.cut, self.curve
        area = None if curve is None else curve.area.interval
        asked, intervals = area is not None, {} if area is None else {"auc": area}
        ends: Json = {"auc": ends_or_none(area.ends)} if area is not None else {}
        if curve is None and cut is not None:
            intervals = dict(cut.intervals)
            ends = {key: ends_or_none(cut[key].ends) for key in POINT} if intervals else {}
        elif asked:
            ends |= dict.fromkeys(POINT)
        notes = {key: interval.note for key, interval in intervals.items() if interval.note}
        notes |= {"youden_j": CHOSEN_HERE} if asked else {}
        return {
            "n": self.n,
            "n_total": self.n_total,
            "n_split": self.n_split,
            "n_positive": self.n_positive,
            "scored": self.scored,
            "auc": None if curve is None else or_none(curve.area.value),
            **{key: None if cut is None else or_none(cut[key].value) for key in POINT},
            "threshold": None if curve is None or cut is None else or_none(cut.threshold),
            "n_optimal_thresholds": None if curve is None or cut is None else curve.n_optimal,
            "intervals": ends,
            "interval_methods": {key: interval.method for key, interval in intervals.items()},
            **({"interval_notes": notes} if notes else {}),
            **({} if curve is None or cut is None else _endless(threshold=(cut.threshold,))),
            "held_out": held_out_dict(curve.held_out) if curve is not None and isinstance(curve.held_out, HeldOut) else None,
            "calibration": None if curve is None or curve.calibration is None else _calibration_dict(curve.calibration),
            "verdict": None if self.verdict is None else {"coverage": self.coverage} | _point_dict(self.verdict),
            "undefined": self.undefined(),
        } | ({} if self.weighted is None else {"weighted": _weighted_dict(self.weighted)})


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """Means over the criteria where a number is defined; each criterion has its own cut.

    Attributes
    ----------
    area : Estimate
        Of the criteria with an area, of all.
    youden_j : float
        Of the best cuts on the decisions that chose them, hence too good.
    weighted : Estimate or None
        The mean of the areas by the weights of items; None where the file has none.
    """

    area: Estimate
    youden_j: float
    weighted: Estimate | None = None

    def to_dict(self) -> Json:
        return {
            "auc": or_none(self.area.value),
            "youden_j": or_none(self.youden_j),
            "defined": list(self.area.of or ()),
            "intervals": {} if self.area.interval is None else {"auc": ends_or_none(self.area.ends), "youden_j": None},
            "interval_methods": {} if self.area.interval is None else {"auc": self.area.interval.method},
            **({} if math.isnan(self.youden_j) else {"interval_notes": {"youden_j": CHOSEN_EACH}}),
            **({} if self.weighted is None else {"weighted": {"auc": _one(self.weighted)}}),
        }


@dataclass(frozen=True, eq=False)
class JudgeRoc(OverCriteria[RocBlock]):
    """Everything about one judge.

    Attributes
    ----------
    pooled : RocBlock
        All criteria together; never shown without `mean`.
    n_open, n_split, n_unscored : int
        Decisions left out: the reference gave no verdict; the people's votes split; there is a verdict but no score.
    refused : str
        Why TPR and FPR cannot be known from these labels; empty where they can.
    """

    name: str
    pooled: RocBlock
    mean: MeanCurve
    criteria: Mapping[str, RocBlock]
    n_open: int
    n_unscored: int
    refused: str = ""
    n_split: int = 0

    def to_dict(self) -> Json:
        return {
            "criteria": {name: block.to_dict() for name, block in self.blocks()},
            "mean_over_criteria": self.mean.to_dict(),
            "left_out": {"reference_open": self.n_open, "split": self.n_split, "unscored": self.n_unscored},
        }


@dataclass(frozen=True, eq=False)
class RocReport(OfJudges, Report):
    """How well every judge tells the positive from the negative label, at which cut."""

    TEXT, OF = "analyses.roc.readings", "ROC curves"

    declaration: Declaration
    settings: Settings
    holding_out: Mapping[str, Any]
    judges: Mapping[str, JudgeRoc]
    warnings: tuple[Warn, ...] = ()
    direction: Direction = "higher"

    @property
    def sign(self) -> str:
        """Where a score lies that is called positive: ≥ the cut, or ≤."""
        return "≥" if self.direction == "higher" else "≤"

    def declared(self) -> Json:
        """Return the declaration with the side of a cut that is positive, and what was held out."""
        sign = ">=" if self.direction == "higher" else "<="
        direction = {"direction": f"positive where score {sign} threshold", "held_out": dict(self.holding_out)}
        return self.declaration.to_dict() | direction

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge, criterion and threshold: the curve, or the point of the verdicts."""
        rows = [
            {"judge": judge.name, "criterion": name} | row
            for judge in self.judges.values()
            for name, block in judge.blocks()
            for row in _rows(block)
        ]
        d = self.declaration
        columns = {"reference": d.reference, "positive": _first(d, "positive"), "direction": self.direction}
        return pd.DataFrame(rows).assign(**columns, **d.file_columns())


def _rows(block: RocBlock) -> Iterator[Json]:
    if block.curve is not None:
        tally = block.curve.tally
        gain = tally.tpr - tally.fpr
        for place, threshold in enumerate(tally.thresholds):
            yield {
                "threshold": float(threshold), "TP": int(tally.hits[place]), "FN": tally.n_positive - int(tally.hits[place]),
                "FP": int(tally.alarms[place]), "TN": tally.n_negative - int(tally.alarms[place]),
                "tpr": float(tally.tpr[place]), "fpr": float(tally.fpr[place]), "youden_j": float(gain[place]), "of": "score",
            }  # fmt: skip
    if block.verdict is not None:
        counts = dict(zip(("TP", "FN", "FP", "TN"), np.ravel(block.verdict.table).tolist(), strict=True))
        values = {key: block.verdict[key].value for key in ("tpr", "fpr", "youden_j")}
        yield {"threshold": math.nan} | counts | values | {"of": "verdict"}


def held_out_dict(held_out: HeldOut) -> Json:
    return {
        "threshold": or_none(held_out.cut.threshold),
        **{key: or_none(held_out.cut[key].value) for key in POINT},
        "n": held_out.cut.n,
        "in_sample_youden_j": or_none(held_out.in_sample_j),
        "seed": held_out.seed,
        "method": held_out.method,
        "thresholds": [or_none(threshold) for threshold in held_out.thresholds],
        **_endless(threshold=(held_out.cut.threshold,), thresholds=held_out.thresholds),
        "intervals": {key: ends_or_none(interval.ends) for key, interval in held_out.cut.intervals.items()},
        "interval_methods": {key: interval.method for key, interval in held_out.cut.intervals.items()},
    }


def _weighted_dict(weighted: WeightedRoc) -> Json:
    calibration = weighted.calibration
    return {
        "column": weighted.column,
        "n_items": weighted.n_items,
        "n_effective": weighted.n_effective,
        "auc": _one(weighted.area),
        "threshold": or_none(weighted.threshold),
        "youden_j": or_none(weighted.youden_j),
        **_endless(threshold=(weighted.threshold,)),
        "held_out": {key: _one(estimate) for key, estimate in weighted.held_out.items()} or None,
        "verdict": {key: _one(estimate) for key, estimate in weighted.verdict.items()} or None,
        "calibration": None if calibration is None else _calibration_dict(calibration),
    }


def _one(estimate: Estimate) -> Json:
    """Return a number with its interval, or why it has none."""
    missing = {"undefined": estimate.undefined} if estimate.undefined else {}
    return {"value": or_none(estimate.value), "interval": ends_or_none(estimate.ends)} | missing


def _endless(**cuts: tuple[float, ...]) -> Json:
    """Return what a null says in the place of a cut: it is infinite, not undefined."""
    notes = {key: NOTHING_CALLED for key, thresholds in cuts.items() if any(math.isinf(cut) for cut in thresholds)}
    return {"threshold_notes": notes} if notes else {}


def _point_dict(cut: Cut) -> Json:
    return {
        "n": cut.n,
        "confusion": cut.table.tolist(),
        **{key: or_none(cut[key].value) for key in POINT},
        "intervals": {key: ends_or_none(interval.ends) for key, interval in cut.intervals.items()},
        "interval_methods": {key: interval.method for key, interval in cut.intervals.items()},
    }


def _calibration_dict(calibration: Calibration) -> Json:
    bins = [
        {
            "low": score_bin.low,
            "high": score_bin.high,
            "n": score_bin.n,
            "mean_score": score_bin.mean,
            "observed": score_bin.observed.value,
        }
        | {"interval": ends_or_none(score_bin.observed.ends)}
        for score_bin in calibration.bins
    ]
    return {
        "n": calibration.n,
        "of": calibration.of,
        "kuiper": or_none(calibration.kuiper),
        "kuiper_scaled": or_none(calibration.kuiper_scaled),
        "p": or_none(calibration.p),
        "why_no_p": calibration.why_no_p,
        "mean_score": calibration.mean_score,
        "prevalence": calibration.prevalence,
        "bins": bins,
    }


def _first(d: Declaration, kind: str) -> str:
    return next(iter(d.labels[kind]), kind)


def drawn_curve(tally: ScoreTally, most: int = MOST_DRAWN) -> tuple[list[float], list[float], list[float]]:
    """Return FPR, TPR and cuts that a drawing needs.

    About `most`, evenly along the curve, with both ends and every large step.
    """
    along = np.floor((tally.fpr + tally.tpr) / 2 * (most // 2))
    turns = np.flatnonzero(np.diff(along))
    kept = np.unique([0, *turns, *turns + 1, len(along) - 1])
    return tally.fpr[kept].tolist(), tally.tpr[kept].tolist(), tally.thresholds[kept].tolist()


def at_cut(cut: Cut, declaration: Declaration) -> Block:
    """Return every metric of the catalogue on the table of a cut."""
    labels = _first(declaration, "positive"), _first(declaration, "negative")
    (block,) = evaluate(cut.table[None], catalogue_family(labels))
    return block.with_intervals({key: cut.intervals[name] for name, key in POINT.items() if name in cut.intervals})
