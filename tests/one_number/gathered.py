"""Every number that commands and functions give of one judge, under the name of what it is."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

import metrics
from metrics.analyses.abstention.third_answer import weighted_at
from metrics.analyses.comparison.pairwise import comparable
from metrics.analyses.ensembles.verdict_matrix import verdict_matrix_of, with_reference
from metrics.analyses.judge_selection.golden import golden_tables
from metrics.analyses.preferences.compute import preferences
from metrics.analyses.records import Block
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.review.decisions import Review
from metrics.analyses.review.tables import decisions_table
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.measured import measured
from metrics.data.nonverdicts import modes_of
from metrics.data.ratings import Ratings
from metrics.measures.catalogue import BY_KEY
from metrics.measures.cost_matrices import cost_of
from metrics.report.making import report_of
from metrics.results.tables import in_full

Ends = tuple[float, float] | None
LEVELS = ("micro", "macro", "item")
RATED = {"mean_pairwise_kappa", "mean_pairwise_phi", "mean_pairwise_weighted_kappa", "gwet_ac1", "percent_agreement"}
COMPARED = ("kappa", "kappa_within", "phi", "mcc_multiclass", "weighted_kappa_quadratic", "accuracy", "f1", "macro_f1", "recall",
            "balanced_accuracy", "youden_j", "gwet_ac1", "drift")  # fmt: skip
NAMES = {"exact_agreement": "accuracy", "percent_agreement": "accuracy", "mean_pairwise_kappa": "kappa",
         "mean_pairwise_phi": "phi", "mean_pairwise_weighted_kappa": "weighted_kappa_quadratic", "tpr": "recall"}  # fmt: skip
OF_TWO = {"weighted_kappa_quadratic": "kappa", "weighted_kappa_linear": "kappa", "spearman": "phi", "kendall_tau_b": "phi",
          "pearson": "phi", "mcc_multiclass": "phi"}  # fmt: skip


@dataclass(frozen=True)
class Number:
    """One number: where it was read, what it is, how many decisions it rests on, its value and its interval."""

    source: str
    judge: str
    level: str
    metric: str
    rests_on: tuple[int, ...]
    value: float
    ends: Ends

    @property
    def what(self) -> tuple[object, ...]:
        return self.judge, self.level, self.metric, self.rests_on


@dataclass(frozen=True)
class Asked:
    """The declared choices."""

    mode: str = "exclude"
    unit: str = "item"
    interval: str = "auto"
    confidence: float = 0.95

    def choices(self) -> dict[str, Any]:
        return {"abstention": self.mode, "unit": self.unit, "confidence": self.confidence}


class Gathering:
    """What is known of a file under some choices."""

    def __init__(self, ratings: Ratings, asked: Asked) -> None:
        self.ratings, self.asked = ratings, asked
        self.agreement = metrics.agreement(ratings, interval=asked.interval, replicates=200, **asked.choices())
        self.two = len(next(iter(self.agreement.judges.values())).micro.labels) == 2
        self.settings = settings_of(ratings, **asked.choices())

    def level(self, name: str) -> str:
        """A level; of a file with one criterion all are one."""
        return "all" if len(self.ratings.criteria) == 1 else name

    def metric(self, key: str) -> str:
        key = NAMES.get(key, key)
        key = OF_TWO.get(key, key) if self.two else key
        return "kappa" if key == "kappa_within" and len(self.ratings.criteria) == 1 else key

    def number(self, source: str, judge: str, level: str, key: str, n: tuple[int, ...], value: float, ends: Ends) -> Number:
        return Number(source, judge, self.level(level), self.metric(key), n, value, ends)

    def block(self, source: str, judge: str, level: str, block: Block, n: int) -> Iterator[Number]:
        for key, value in block.values.items():
            rests = (n, *(block[key].of or ())) if len(self.ratings.criteria) > 1 and block.n is None else (n,)
            if key not in BY_KEY or BY_KEY[key].transform:
                yield self.number(source, judge, level, key, rests, value, block[key].ends)


def of_agreement(its: Gathering) -> Iterator[Number]:
    for name, judge in its.agreement.judges.items():
        n = judge.micro.n or 0
        for level, criterion, block in judge.blocks():
            yield from its.block("agreement", name, criterion or level, block, n if block.n is None else block.n)


def of_scores(its: Gathering) -> Iterator[Number]:
    if its.asked.mode != "exclude":
        return
    try:
        report = metrics.scores(its.ratings, unit=its.asked.unit, confidence=its.asked.confidence)
    except metrics.InputError:
        return
    for name, judge in report.judges.items():
        n = judge.pooled.n or 0
        yield from its.block("scores", name, "micro", judge.pooled, n)
        yield from its.block("scores", name, "macro", judge.mean, n)
        for criterion, block in judge.criteria.items():
            yield from its.block("scores", name, criterion, block, block.n or 0)


def of_compare(its: Gathering) -> Iterator[Number]:
    many = len(its.ratings.criteria) > 1
    known = [key for key in comparable(its.ratings, its.settings.abstention) if key in COMPARED]
    for level in ("micro", "macro", "item", *its.ratings.criteria):
        where = {"level": level} if level in LEVELS else {"criterion": level}
        for key in known:
            try:
                found = metrics.compare(its.ratings, "a", "b", key, replicates=2, **where, **its.asked.choices())
            except metrics.InputError:
                continue
            yield from of_sides(its, "compare", level, key, found, many=many)


def of_sides(its: Gathering, source: str, level: str, key: str, found: Any, *, many: bool) -> Iterator[Number]:
    for side in (found.a, found.b):
        rests = (side.block.n or 0, *(found.difference.of or ())) if many and level == "macro" else (side.block.n or 0,)
        yield its.number(source, side.name, level, key, rests, side.estimate.value, side.estimate.ends)


def of_judge_selection(its: Gathering) -> Iterator[Number]:
    for criterion in (None, *its.ratings.criteria):
        for golden in golden_tables(its.ratings, its.settings, criterion):
            for key, value in golden.values.items():
                level = criterion or "micro"
                yield its.number("choose", golden.name, level, key, (int(golden.counts.sum()),), value, golden[key].ends)


def of_report(its: Gathering) -> Iterator[Number]:
    told = report_of(its.ratings, interval=its.asked.interval, replicates=200, **its.asked.choices()).to_dict()
    for name, judge in told["agreement"]["judges"].items():
        yield from of_json(its, name, {level: judge[level] for level in LEVELS} | judge["criteria"])
    for report in told["scores"]:
        for name, judge in report["judges"].items():
            criteria = dict(judge["criteria"])
            yield from of_json(its, name, {"micro": criteria.pop("all"), "macro": judge["mean_over_criteria"]} | criteria)


def of_json(its: Gathering, judge: str, blocks: Mapping[str, Any]) -> Iterator[Number]:
    n = blocks["micro"]["n"]
    for level, block in blocks.items():
        for key, ends in block["intervals"].items():
            if key not in BY_KEY or BY_KEY[key].transform:
                macro = level == "macro" and len(its.ratings.criteria) > 1
                rests = (n, *block["defined"].get(key, ())) if macro else (block.get("n", n),)
                value = math.nan if block[key] is None else block[key]
                yield its.number("report", judge, level, key, rests, value, None if ends is None else (ends[0], ends[1]))


def of_review(its: Gathering) -> Iterator[Number]:
    settings = replace(its.settings, interval=its.asked.interval, replicates=200)
    for judge in ("a", "b"):
        found = review_criteria(its.ratings, judge, settings)
        frame = pd.DataFrame(in_full(decisions_table(Review(), found))).astype({"kappa": float, "low": float, "high": float})
        for row in frame.to_dict("records"):
            ends = None if math.isnan(row["low"]) else (row["low"], row["high"])
            yield its.number("review", judge, row["criterion"], row["metric"], (row["n"],), row["kappa"], ends)


def of_before_after(its: Gathering) -> Iterator[Number]:
    for judge in ("a", "b"):
        for change in before_after(its.ratings, its.ratings, judge, its.settings).changes:
            for side in (change.before, change.after):
                one, rests = side.estimate, (side.block.n or 0,)
                yield its.number("before/after", judge, change.criterion, change.metric, rests, one.value, one.ends)


def of_ensemble(its: Gathering) -> Iterator[Number]:
    if its.asked.unit != "item":
        return
    bench = verdict_matrix_of(its.ratings, abstention=its.settings.abstention)
    found = with_reference(bench, its.asked.confidence)
    for place, name in enumerate(bench.judges):
        n = int(found.n[place])
        yield its.number("ensemble", name, "micro", bench.kappa.key, (n,), found.kappa[place].value, found.kappa[place].ends)


def of_raters(its: Gathering) -> Iterator[Number]:
    """Each judge and the human as two people."""
    if its.asked.unit != "item":
        return
    for judge in ("a", "b"):
        frame = its.ratings.table.to_pandas()
        frame = frame[frame["judge"] == judge]
        rows = ["item,criterion,rater,role,label"]
        for row in frame.to_dict("records"):
            rows += [
                f"{row['item']},{row['criterion']},{who},human,{row[own]}" for who, own in (("h", "human"), (judge, "verdict"))
            ]
        scheme = its.ratings.scheme
        order = {"order": scheme.order} if scheme.order else {}
        labels = None if order or scheme.scale == "binary" else dict.fromkeys(scheme.classes, "class")
        pair = metrics.read(io.StringIO("\n".join(rows)), labels=labels, **order)
        report = metrics.raters(pair, abstention=its.asked.mode, confidence=its.asked.confidence)
        for level, block in (("micro", report.pooled), *report.criteria.items()):
            n = its.agreement.judges[judge]
            table = n.micro if level == "micro" else n.criteria[level]
            for key in RATED & set(block.values):
                interval = block.intervals.get(key)
                own = key if its.two or key != "mean_pairwise_phi" else "mcc_multiclass"
                if own in ("gwet_ac1", "percent_agreement") or block.n_pairable >= 10:
                    whole = own != "gwet_ac1" or block.n_ratings == 2 * (table.n or 0)
                    rests = ((table.n or 0),) if whole else (table.n or 0, block.n_ratings)
                    yield its.number("raters", judge, level, own, rests, block.values[key],
                                     None if interval is None else interval.ends)  # fmt: skip


def of_roc(its: Gathering) -> Iterator[Number]:
    if its.ratings.scheme.scale != "binary" or its.asked.mode != "exclude":
        return
    report = metrics.roc(its.ratings, unit=its.asked.unit, confidence=its.asked.confidence, holding_out="none")
    for name, judge in report.judges.items():
        for level, block in (("micro", judge.pooled), *judge.criteria.items()):
            if block.verdict is not None:
                for key in ("youden_j", "tpr", "fpr"):
                    yield its.number(
                        "roc", name, level, key, (block.verdict.n,), block.verdict[key].value, block.verdict[key].ends
                    )


def of_preferences(its: Gathering) -> Iterator[Number]:
    if its.ratings.scheme.scale != "binary" or its.asked.mode != "exclude" or its.asked.unit != "item":
        return
    for judge in ("a", "b"):
        found = preferences(its.ratings, judge, confidence=its.asked.confidence)
        places = (("micro", found.pooled["exclude"]), *((name, own["exclude"]) for name, own in found.criteria.items()))
        for level, its_own in places:
            for key, estimate in its_own.values.items():
                yield its.number("preferences", judge, level, key, (its_own.n,), estimate.value, estimate.ends)
            wins = its_own.wins.reference, its_own.wins.judge, its_own.wins.difference
            for key, estimate in zip(("prevalence", "predicted_prevalence", "drift"), wins, strict=True):
                yield its.number("preferences", judge, level, key, (its_own.n,), estimate.value, estimate.ends)
        judged = its.agreement.judges[judge].macro
        for key, estimate in found.means.get("exclude", {}).items():
            rests = (found.pooled["exclude"].n, *judged[key].of)
            yield its.number("preferences", judge, "macro", key, rests, estimate.value, estimate.ends)


def of_rate(its: Gathering) -> Iterator[Number]:
    if not its.two or its.ratings.scheme.scale != "binary":
        return
    for criterion in (None, *its.ratings.criteria):
        for judge in ("a", "b"):
            golden = measured(its.ratings, judge, its.settings, criterion).golden
            n = (int(golden.counts.sum()),)
            yield its.number("rate", judge, criterion or "micro", "youden_j", n, golden.youden_j.value, golden.youden_j.ends)


def of_cost(its: Gathering) -> Iterator[Number]:
    """Weighted κ of three answers, as `agreement` gives it and as the page of costs does, and where one is κ itself."""
    if its.ratings.scheme.scale != "binary" or its.asked.mode != "as_category":
        return
    report = metrics.agreement(its.ratings, cost="halfway", **its.asked.choices())
    for judge in ("a", "b"):
        for level in ("micro", "macro", "item"):
            block = report.judges[judge].level(level)
            n = (report.judges[judge].micro.n or 0) if block.n is None else block.n
            yield from (one for one in its.block("agreement", judge, level, block, n) if one.metric == "weighted_kappa")
            for cost, key in (("halfway", "weighted_kappa"), ("nominal", "kappa")):
                own = weighted_at(its.ratings, judge, its.settings, level, cost_of(cost))
                macro = level == "macro" and len(its.ratings.criteria) > 1
                rests = (n, *block[key].of) if macro else (n,)
                yield its.number("cost", judge, level, key, rests, own.value, own.ends)


EVERY: tuple[Callable[[Gathering], Iterator[Number]], ...] = (
    of_agreement, of_scores, of_compare, of_judge_selection, of_report, of_review, of_before_after, of_ensemble, of_raters,
    of_roc, of_preferences, of_rate, of_cost,
)  # fmt: skip
WITH_METHODS = (of_agreement, of_report, of_review)
"""What takes another kind of interval than the default one; a review draws nothing."""


def gathered(ratings: Ratings, asked: Asked) -> list[Number]:
    its = Gathering(ratings, asked)
    drawn = asked.interval in ("bootstrap", "bca")
    parts = EVERY if asked.interval == "auto" else WITH_METHODS[:-1] if drawn else WITH_METHODS
    return [one for part in parts for one in part(its)]


def differences(found: list[Number]) -> list[str]:
    """What is one number in two places, and not the same there."""
    first: dict[tuple[object, ...], Number] = {}
    out = []
    for one in found:
        other = first.setdefault(one.what, one)
        if not _same(one.value, other.value) or not _same_ends(one, other):
            out.append(f"{one.what}: {other.source} {other.value:.4f} {other.ends}, {one.source} {one.value:.4f} {one.ends}")
    return out


def _same(one: float, other: float) -> bool:
    return (math.isnan(one) and math.isnan(other)) or bool(np.isclose(one, other, atol=1e-9, rtol=0))


def _same_ends(one: Number, other: Number) -> bool:
    if one.ends is None or other.ends is None:
        return one.ends is other.ends or math.isnan(one.value)
    return all(map(_same, one.ends, other.ends))


def modes(ratings: Ratings) -> tuple[str, ...]:
    return modes_of(ratings)
