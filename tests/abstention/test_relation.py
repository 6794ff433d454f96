"""Do both sides leave the same decisions open, and does it go with the label? Both answers, and their oracles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, ncx2
from scipy.stats.contingency import association
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.abstention.provenance import abstention_kappa
from metrics.analyses.abstention.relation import joint_abstention, relation
from metrics.analyses.settings import settings_of
from metrics.intervals.single_table import single_table

APPENDIX_B = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]
CLASSES = {"a": "class", "b": "class", "c": "class", "none": "abstention"}


def told(ratings: metrics.Ratings, judge: str = "j"):
    return ratings, judge, settings_of(ratings, judges=[judge])


def test_counts_products_and_kappa(build_of_tables) -> None:
    found = joint_abstention(*told(build_of_tables(APPENDIX_B)))
    assert (found.both, found.judge_only, found.human_only, found.neither) == (10, 10, 10, 70)
    assert (found.joint, found.product) == pytest.approx((0.7, 0.64))
    assert found.expected_both == pytest.approx(4.0)
    silent = [1] * 10 + [1] * 10 + [0] * 10 + [0] * 70, [1] * 10 + [0] * 10 + [1] * 10 + [0] * 70
    assert found.kappa.value == pytest.approx(cohen_kappa_score(*silent))
    low, high = found.kappa.ends
    assert low < 0.375 < high
    report = metrics.agreement(build_of_tables(APPENDIX_B), interval="none").judges["j"].coverage
    assert (found.joint, found.judge, found.human) == pytest.approx(
        (report.coverage, report.judge_coverage, report.human_coverage)
    )
    assert found.kappa.value == report.abstention_kappa


def test_the_published_coverage(published) -> None:
    entry = published["rao.eq14.coverage"]
    ratings = metrics.read("assets/rao_abstention.csv")
    found = joint_abstention(*told(ratings, ratings.judges[0]))
    assert found.joint == pytest.approx(entry["expected"]["joint_coverage"], abs=1e-12)
    assert found.product == pytest.approx(entry["expected"]["product_formula"], abs=1e-12)


def test_abstention_kappa_of_one_criterion_is_rule_two(build_of_tables) -> None:
    found = joint_abstention(*told(build_of_tables(APPENDIX_B)))
    kappa = metrics.cohen_kappa
    ends = single_table(np.array([[10.0, 10.0], [10.0, 70.0]]), {"kappa": kappa}, {"kappa": 0.375}, 0.95)["kappa"]
    assert found.kappa.ends == pytest.approx((ends.low, ends.high))


def test_nobody_silent_has_no_kappa(build_of_tables) -> None:
    found = joint_abstention(*told(build_of_tables([[5, 2, 0], [1, 6, 0], [0, 0, 0]])))
    assert np.isnan(found.kappa.value)
    assert found.kappa.ends is None
    assert found.joint == found.product == 1.0


FIXED = {
    "0 by construction: only the judge abstains": [[5, 2, 3], [1, 6, 2], [0, 0, 0]],
    "0 by construction: only the human abstains": [[5, 2, 0], [1, 6, 0], [3, 2, 0]],
    "0 by construction: the judge never gave a verdict": [[0, 0, 3], [0, 0, 2], [0, 0, 4]],
    "0 by construction: the human never gave a verdict": [[0, 0, 0], [0, 0, 0], [3, 2, 4]],
    "neither side abstained": [[5, 2, 0], [1, 6, 0], [0, 0, 0]],
    "neither side gave a verdict": [[0, 0, 0], [0, 0, 0], [0, 0, 4]],
    "": APPENDIX_B,
}


@pytest.mark.parametrize("reason", FIXED)
def test_a_kappa_that_is_fixed_has_a_reason_and_no_interval(build_of_tables, reason: str) -> None:
    """Where one side alone abstains it is 0 whatever that side does: an interval around it tells of nothing."""
    ratings = build_of_tables(FIXED[reason], FIXED[reason])
    found, report = joint_abstention(*told(ratings)), metrics.agreement(ratings, interval="none")
    coverage = report.to_dict()["judges"]["j"]["coverage"]
    assert found.kappa.why == coverage["abstention_kappa_reason"] == reason
    assert (found.kappa.ends is None) == bool(reason)
    assert coverage["abstention_kappa"] == (0 if "construction" in reason else pytest.approx(0.375) if not reason else None)
    quote = abstention_kappa(report, "j", ends=found.kappa.ends)
    assert ("construction" in reason) == quote.startswith(f"abstention κ = 0.00, {reason} (")
    assert quote.startswith(f"abstention κ undefined: {reason} (") == (reason != "" and "construction" not in reason)


@pytest.mark.parametrize("table", [APPENDIX_B, [[30, 5, 20], [10, 30, 2], [1, 1, 1]], [[9, 5, 1], [3, 8, 6], [0, 4, 1]]])
def test_v_of_two_labels_is_phi_of_silence(build_of_tables, table: list[list[int]]) -> None:
    counts = np.array(table)
    for side, given in (("judge", counts[:2]), ("human", counts[:, :2].T)):
        found = relation(*told(build_of_tables(table)), side)
        silence = np.array([given[:, 2], given[:, :2].sum(1)])
        assert found.v.value == pytest.approx(association(silence, method="cramer"), abs=1e-12)
        assert found.n == given.sum()
        low, high = found.v.ends
        assert low <= found.v.value <= high


def test_v_of_more_labels_and_its_interval(build_of_tables) -> None:
    table = np.array([[20, 3, 2, 15], [4, 30, 5, 4], [1, 6, 40, 2], [2, 1, 1, 3]])
    ratings = build_of_tables(table, labels=("a", "b", "c", "none"), kinds=CLASSES)
    found = relation(*told(ratings))
    silence = np.array([table[:3, 3], table[:3, :3].sum(1)])
    statistic = chi2_contingency(silence, correction=False).statistic
    assert found.v.value == pytest.approx(association(silence, method="cramer"), abs=1e-12)
    ends = [n * n * found.n for n in found.v.ends]
    assert [ncx2.cdf(statistic, 2, end) for end in ends] == pytest.approx([0.975, 0.025], abs=1e-6)
    assert found.related is True


def test_noncentral_interval_covers(build_of_tables) -> None:
    """True V 0 and 0.2 over three labels, 120 decisions."""
    rng = np.random.default_rng(5)
    for rates in ((0.2, 0.2, 0.2), (0.1, 0.2, 0.3)):
        silence = np.array([rates, 1 - np.array(rates)]) / 3
        truth = float(np.sqrt(((silence - silence.sum(1, keepdims=True) / 3) ** 2 / (silence.sum(1, keepdims=True) / 3)).sum()))
        hits = 0
        for _ in range(80):
            n = rng.multinomial(120, silence.T.ravel()).reshape(3, 2)
            table = np.zeros((4, 4), int)
            table[:3, 3], table[np.arange(3), np.arange(3)] = n[:, 0], n[:, 1]
            found = relation(*told(build_of_tables(table, labels=("a", "b", "c", "none"), kinds=CLASSES)))
            low, high = found.v.ends
            hits += low - 1e-9 <= truth <= high + 1e-9
        assert hits >= 71


def test_both_answers(build_of_tables) -> None:
    related = relation(*told(build_of_tables([[60, 5, 2], [5, 30, 40], [1, 1, 1]])))
    unrelated = relation(*told(build_of_tables([[60, 5, 12], [5, 60, 12], [1, 1, 1]])))
    assert related.related is True
    assert related.v.ends[0] > 0
    assert unrelated.related is False
    assert unrelated.v.ends[0] == 0


REASONS = {
    "the judge gave a verdict wherever": [[5, 2, 0], [1, 6, 0], [0, 0, 3]],
    "the judge never gave": [[0, 0, 5], [0, 0, 4], [0, 0, 3]],
    "the human never gave": [[0, 0, 0], [0, 0, 0], [3, 4, 5]],
    "the human gave one label": [[3, 4, 5], [0, 0, 0], [0, 0, 1]],
}


@pytest.mark.parametrize("reason", REASONS)
def test_why_there_is_no_answer(build_of_tables, reason: str) -> None:
    found = relation(*told(build_of_tables(REASONS[reason])))
    assert reason in found.v.undefined
    assert found.related is None
    assert np.isnan(found.v.value)


def test_several_criteria_are_clustered_by_item(build_paired) -> None:
    """Ten criteria that all say the same as one: the interval must not be narrower for it."""
    rng = np.random.default_rng(3)
    human = [rng.choice(["MET", "UNMET"]) for _ in range(80)]
    judge = ["CA" if rng.random() < (0.4 if label == "MET" else 0.15) else label for label in human]
    one = relation(*told(build_paired([[h] for h in human], [[j] for j in judge])))
    ten = relation(*told(build_paired([[h] * 10 for h in human], [[j] * 10 for j in judge])))
    assert ten.v.value == pytest.approx(one.v.value)
    assert np.diff(ten.v.ends) == pytest.approx(np.diff(one.v.ends), rel=0.15)
