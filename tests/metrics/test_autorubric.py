"""The same decisions scored by autorubric.

Its precision, recall and F1 are 0 where they are undefined, and stay MET against the rest when abstention is a class;
those are compared only where both packages mean the same number.
"""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import metrics

pytestmark = pytest.mark.slow("numbers of another package on the same tables")

STATES = ("MET", "UNMET", "CA")
RANDOM = [(seed, share) for seed in range(3) for share in (0.0, 0.15, 0.5)]


@pytest.fixture(scope="module")
def peer() -> Any:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else its import asks the network for prices
    return pytest.importorskip("autorubric")


def scored_by(peer: Any, human, judge, mode: str) -> Any:
    from autorubric.metrics import compute_metrics

    verdicts = (peer.CriterionVerdict.MET, peer.CriterionVerdict.UNMET, peer.CriterionVerdict.CANNOT_ASSESS)
    criteria = [peer.Criterion(name=f"c{c}", weight=1.0, requirement=f"r{c}") for c in range(human.shape[1])]
    items = [
        peer.DataItem(submission=f"s{i}", description=f"d{i}", ground_truth=[verdicts[v] for v in row])
        for i, row in enumerate(human)
    ]
    dataset = peer.RubricDataset(prompt="p", rubric=peer.Rubric(criteria), items=items)
    results = [
        SimpleNamespace(item_idx=i, error=None, report=report_of(peer, criteria, [verdicts[v] for v in row]))
        for i, row in enumerate(judge)
    ]
    return compute_metrics(SimpleNamespace(item_results=results), dataset, cannot_assess=mode)


def report_of(peer: Any, criteria: list[Any], row: list[Any]) -> Any:
    from autorubric.types import CriterionReport, EvaluationReport

    reports = [CriterionReport(**c.model_dump(), verdict=v, reason="") for c, v in zip(criteria, row, strict=True)]
    return EvaluationReport(score=0.5, raw_score=0.5, report=reports)


def close(value: float, other: float | None) -> bool:
    return bool(np.isclose(value, np.nan if other is None else other, rtol=0, atol=1e-12, equal_nan=True))


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
@pytest.mark.parametrize(("seed", "share"), RANDOM)
def test_accuracy_and_kappa(peer, build_paired, mode: str, seed: int, share: float) -> None:
    rng = np.random.default_rng([seed, int(100 * share)])
    human = (rng.random((40, 3)) > [0.8, 0.5, 0.3]).astype(int)
    judge = np.where(rng.random(human.shape) < 0.25, 1 - human, human)
    human[rng.random(human.shape) < share / 2] = 2
    judge[rng.random(judge.shape) < share] = 2
    its = scored_by(peer, human, judge, mode)
    label = np.array(STATES)
    ratings = build_paired(label[human].tolist(), label[judge].tolist())
    ours = metrics.agreement(ratings, abstention=mode, interval="none").judges["j"]
    assert close(ours.micro.values["accuracy"], its.criterion_accuracy)
    assert close(ours.micro.values["kappa"], its.micro_kappa)
    assert close(ours.macro.values["kappa"], its.mean_kappa)
    for block, other in zip(ours.criteria.values(), its.per_criterion, strict=True):
        assert close(block.values["accuracy"], other.accuracy)
        assert close(block.values["kappa"], other.kappa)
    if mode == "as_category":
        against_the_rest = ours.micro.more["per_class"]["MET"]
        assert close(against_the_rest["f1"], its.criterion_f1)
        assert close(against_the_rest["precision"], its.criterion_precision)
    else:
        assert close(ours.micro.values["phi"], its.criterion_phi)
        assert close(ours.micro.values["f1"], its.criterion_f1)
