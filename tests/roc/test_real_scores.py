"""Published scores and verdicts: every number of a ROC report by another route, read from the file without the package."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest
from scipy.special import expit, logit, ndtri, stdtrit
from sklearn.metrics import confusion_matrix, roc_auc_score

import metrics
from metrics.analyses.roc.area import FEW_IN_CLASS, delong_error, newcombe
from metrics.analyses.roc.decisions import decisions_of
from metrics.analyses.roc.held_out import HeldOut, dealt
from metrics.analyses.roc.result import RocReport
from metrics.analyses.roc.tallies import Direction
from tests.shared_data import data

MEANING = {
    "llmrubric_real_binary": {"MET": "positive", "UNMET": "negative"},
    "dices350_expert_vs_crowd": {"Yes": "positive", "No": "negative"},
    "llmbar_natural": {"output_1": "positive", "output_2": "negative"},
    "xstest_refusal": {"full_refusal": "positive", "partial_refusal": "positive", "full_compliance": "negative"},
}
SCORED = [name for name in MEANING if name != "xstest_refusal"]


@dataclass
class Own:
    """Decisions of one judge on one criterion, as they stand in the file."""

    item: list[str] = field(default_factory=list)
    truth: list[bool] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    verdict: list[str] = field(default_factory=list)


@cache
def rows_of(name: str) -> dict[tuple[str, str], Own]:
    """By judge and criterion; a verdict repeated beside several humans counts once, under the majority of them."""
    votes: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    said: dict[tuple[str, str, str], tuple[str, str]] = {}
    with data(f"{name}.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = row["judge"], row["criterion"], row["item_id"]
            votes[key].append(MEANING[name].get(row["human"], ""))
            said[key] = MEANING[name].get(row["verdict"], ""), row.get("score") or "nan"
    found: dict[tuple[str, str], Own] = defaultdict(Own)
    for (judge, criterion, item), labels in votes.items():
        up = 2 * labels.count("positive") > len(labels)
        if up or 2 * labels.count("negative") > len(labels):
            own = found[judge, criterion]
            own.item.append(item)
            own.truth.append(up)
            verdict, score = said[judge, criterion, item]
            own.verdict.append(verdict)
            own.score.append(float(score))
    return found


@cache
def report_of(name: str, direction: Direction = "higher", holding_out: str = "split") -> RocReport:
    ratings = metrics.read(data(f"{name}.csv"), labels=MEANING[name])
    return metrics.roc(ratings, direction=direction, holding_out=holding_out)


def blocks(name: str, direction: Direction = "higher", holding_out: str = "split"):
    """Every curve of a file, with scores that a higher value makes positive."""
    sign = 1 if direction == "higher" else -1
    for judge in report_of(name, direction, holding_out).judges.values():
        for criterion, block in judge.criteria.items():
            own = rows_of(name)[judge.name, criterion]
            score, truth = np.array(own.score), np.array(own.truth)
            kept = np.isfinite(score)
            assert block.scored == bool(kept.any())
            if block.curve is not None:
                assert block.n == kept.sum()
                yield judge.name, criterion, block.curve, sign * score[kept], truth[kept], np.array(own.item)[kept]


def compared(score: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Every positive against every negative: 1 where it scores higher, one half for a tie."""
    ups, downs = score[truth][:, None], score[~truth][None]
    return (ups > downs) + (ups == downs) / 2


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("name", SCORED)
def test_areas_and_their_delong_errors(name: str, direction: Direction) -> None:
    seen = 0
    for *_, curve, score, truth, _ in blocks(name, direction):
        wins = compared(score, truth)
        error = np.sqrt(wins.mean(1).var(ddof=1) / wins.shape[0] + wins.mean(0).var(ddof=1) / wins.shape[1])
        assert curve.area.value == pytest.approx(roc_auc_score(truth, score), abs=1e-12)
        assert delong_error(curve.tally) == pytest.approx(error, abs=1e-12)
        own = expit(
            logit(curve.area.value) + np.array([-1, 1]) * ndtri(0.975) * error / (curve.area.value * (1 - curve.area.value))
        )
        few = min(wins.shape) < FEW_IN_CLASS
        other = newcombe(curve.area.value, *wins.shape, 0.95) if few else own
        assert curve.area.interval.method == ("delong+newcombe" if few else "delong")
        assert curve.area.interval.ends == pytest.approx((min(own[0], other[0]), max(own[1], other[1])), abs=1e-10)
        assert bool(curve.area.interval.note) == few
        seen += 1
    assert seen == {"llmrubric_real_binary": 8, "dices350_expert_vs_crowd": 1, "llmbar_natural": 7}[name]


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("name", SCORED)
def test_the_best_cut_by_trying_every_one(name: str, direction: Direction) -> None:
    sign = 1 if direction == "higher" else -1
    for *_, curve, score, truth, _ in blocks(name, direction):
        cuts = [np.inf, *sorted(set(score), reverse=True)]
        gains = [(score[truth] >= cut).mean() - (score[~truth] >= cut).mean() for cut in cuts]
        best = [place for place, gain in enumerate(gains) if gain > max(gains) - 1e-12]
        assert curve.best.threshold == sign * cuts[best[0]]
        assert curve.n_optimal == len(best)
        assert curve.best["youden_j"].value == pytest.approx(max(gains), abs=1e-12)


@pytest.mark.parametrize("direction", ["higher", "lower"])
@pytest.mark.parametrize("holding_out", ["split", "cross"])
@pytest.mark.parametrize("name", ["dices350_expert_vs_crowd", "llmbar_natural"])
def test_what_is_held_out_by_choosing_and_judging_again(name: str, holding_out: str, direction: Direction) -> None:
    ratings = metrics.read(data(f"{name}.csv"), labels=MEANING[name])
    sign = 1 if direction == "higher" else -1
    for judge, _, curve, score, truth, _ in blocks(name, direction, holding_out):
        scores, _ = decisions_of(ratings, judge, "majority").scores(direction)
        n_parts = 2 if holding_out == "split" else 5
        times = (dealt(scores, n_parts, 0)[:, scores.unit] * scores.each).ravel()
        part = np.arange(n_parts).repeat(len(scores.unit)).repeat(times)
        own, up = (np.tile(side, n_parts).repeat(times) for side in (sign * scores.level[scores.level_index], scores.positive))
        assert sorted(zip(own, up, strict=True)) == sorted(zip(score, truth, strict=True))
        called, judged = np.zeros(len(own), bool), np.zeros(len(own), bool)
        for fold in [1] if holding_out == "split" else range(n_parts):
            here, others = part == fold, part != fold
            cuts = np.array([np.inf, *sorted(set(own[others]), reverse=True)])
            gains = [(own[others & up] >= cut).mean() - (own[others & ~up] >= cut).mean() for cut in cuts]
            called[here] = own[here] >= cuts[int(np.argmax(np.round(gains, 12)))]
            judged |= here
        table = confusion_matrix(up[judged], called[judged], labels=[True, False])
        assert isinstance(curve.held_out, HeldOut)
        assert curve.held_out.cut.table.tolist() == table.tolist()


@pytest.mark.parametrize("name", ["llmrubric_real_binary", "dices350_expert_vs_crowd"])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_kuiper_over_every_pair_of_places(name: str, direction: Direction) -> None:
    for _, _, curve, score, truth, _ in blocks(name, direction):
        promised, happened = (score, truth) if direction == "higher" else (-score, ~truth)
        walk = [0.0] + [float((happened[promised <= cut] - promised[promised <= cut]).sum()) for cut in sorted(set(promised))]
        spread = max(abs(one - other) for one in walk for other in walk) / len(score)
        chance = np.sqrt((promised * (1 - promised)).sum()) / len(score)
        assert curve.calibration.kuiper == pytest.approx(spread, abs=1e-12)
        assert curve.calibration.kuiper_scaled == pytest.approx(spread / chance, abs=1e-9)
        assert curve.calibration.prevalence == pytest.approx(happened.mean())
        assert curve.calibration.of == ("positive" if direction == "higher" else "negative")


def jackknifed(statistic: Callable[[np.ndarray], float], item: np.ndarray) -> float:
    """Standard error by leaving out one item at a time."""
    left = np.array([statistic(item != one) for one in dict.fromkeys(item)])
    n = len(left)
    return float(np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum()))


def test_a_pooled_area_has_the_interval_of_items_left_out_one_by_one() -> None:
    judge = report_of("llmrubric_real_binary").judges["gpt-3.5-turbo-16k"]
    every = rows_of("llmrubric_real_binary").values()
    score, truth, item = (np.concatenate([getattr(own, key) for own in every]) for key in ("score", "truth", "item"))
    area = roc_auc_score(truth, score)
    error = jackknifed(lambda kept: float(roc_auc_score(truth[kept], score[kept])), item)
    step = stdtrit(len(set(item)) - 1, 0.975) * error / (area * (1 - area))
    assert judge.pooled.curve.area.value == pytest.approx(area, abs=1e-12)
    assert judge.pooled.curve.area.interval.ends == pytest.approx(tuple(expit(logit(area) + np.array([-step, step]))), abs=1e-9)
    assert judge.mean.area.value == pytest.approx(np.mean([roc_auc_score(own.truth, own.score) for own in every]))


@pytest.mark.parametrize("name", ["xstest_refusal", "llmbar_natural"])
def test_points_of_verdicts(name: str) -> None:
    for judge in report_of(name).judges.values():
        for criterion, block in judge.criteria.items():
            own = rows_of(name)[judge.name, criterion]
            told = [(truth, verdict == "positive") for truth, verdict in zip(own.truth, own.verdict, strict=True) if verdict]
            table = confusion_matrix(*zip(*told, strict=True), labels=[True, False])
            assert block.verdict.table.tolist() == table.tolist()
            assert block.coverage == pytest.approx(len(told) / block.n_total)
