"""Coverage and abstention rates against plain loops; the same in every mode."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.data.abstention import MODES, apply_mode, mode_labels, mode_map
from metrics.data.pairs import patterns_of

LABELS = np.array(["MET", "UNMET", "CA", "TIE", "BAD", "ERR", None], object)
SILENT = ("CA", "TIE", "BAD")
APP_B = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]


def sides(seed: int, n_items: int, n_criteria: int):
    rng = np.random.default_rng(seed)
    weights = np.array([6, 6, 3, 1, 1, 1, 1]) / 19
    return (LABELS[rng.choice(7, (n_items, n_criteria), p=weights)].tolist() for _ in range(2))


def share(count: int, total: int) -> float:
    return count / total if total else math.nan


def naive(pairs: list[tuple[str | None, str | None]]) -> dict[str, object]:
    """Every number from the pairs of labels, one by one; a failed human call is no rating."""
    pairs = [(None if h == "ERR" else h, j) for h, j in pairs]
    both = [(h, j) for h, j in pairs if h is not None and j not in (None, "ERR")]
    total = len(both)
    failed = sum(h is not None and j == "ERR" for h, j in pairs)
    judged, known = [j not in SILENT for _, j in both], [h not in SILENT for h, _ in both]
    covered = sum(a and b for a, b in zip(judged, known, strict=True))
    neither = sum(not a and not b for a, b in zip(judged, known, strict=True))
    agreed, chance = share(covered + neither, total), math.nan
    if total:
        chance = (sum(judged) * sum(known) + (total - sum(judged)) * (total - sum(known))) / total**2
    return {
        "n_total": total, "n_covered": covered, "n_errors": failed, "coverage": share(covered, total),
        "judge_coverage": share(sum(judged), total), "human_coverage": share(sum(known), total),
        "judge_abstention_rate": share(total - sum(judged), total), "human_abstention_rate": share(total - sum(known), total),
        "both_abstention_rate": share(neither, total), "error_rate": share(failed, total + failed),
        "tie_rate": {
            "judge": share(sum(j == "TIE" for _, j in both), total), "human": share(sum(h == "TIE" for h, _ in both), total),
        },
        "invalid_rate": {
            "judge": share(sum(j == "BAD" for _, j in both), total), "human": share(sum(h == "BAD" for h, _ in both), total),
        },
        "abstention_kappa": math.nan if chance == 1 or not total else (agreed - chance) / (1 - chance),
        "abstention_kappa_reason": reason(judged, known),
        "n_human_only": sum(h is not None and j is None for h, j in pairs),
        "n_judge_only": sum(h is None and j not in (None, "ERR") for h, j in pairs),
        "n_split": 0, "n_voted": 0, "split_rate": math.nan, "apart_rate": math.nan,
        "n_labels_open": sum(
            any(h == label for h, _ in both) and all(j in SILENT for h, j in both if h == label) for label in ("MET", "UNMET")
        ),
    }  # fmt: skip


def reason(judged: list[bool], known: list[bool]) -> str:
    """Why the kappa of "gave a verdict" tells nothing; a side that always or never answers fixes it."""
    if not judged:
        return "there is no decision"
    if len({*judged, *known}) == 1:
        return "neither side abstained" if judged[0] else "neither side gave a verdict"
    fixed = "0 by construction: "
    if all(judged) or all(known):
        return f"{fixed}only the {'human' if all(judged) else 'judge'} abstains"
    if any(judged) and any(known):
        return ""
    return f"{fixed}the {'human' if any(judged) else 'judge'} never gave a verdict"


def equal(ours, wanted) -> bool:
    if isinstance(wanted, str):
        return ours == wanted
    if isinstance(wanted, dict):
        return ours.keys() == wanted.keys() and all(equal(ours[key], wanted[key]) for key in wanted)
    return bool(np.isclose(ours, wanted, rtol=0, atol=1e-12, equal_nan=True))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(1, 4))
def test_every_rate_equals_a_plain_loop_in_every_mode(build_paired, seed, n_items, n_criteria) -> None:
    human, judge = sides(seed, n_items, n_criteria)
    ratings = build_paired(human, judge)
    wanted = {f"c{c}": naive([(human[i][c], judge[i][c]) for i in range(n_items)]) for c in range(n_criteria)}
    pooled = naive([(h, j) for rows in zip(human, judge, strict=True) for h, j in zip(*rows, strict=True)])
    if not pooled["n_total"]:
        return
    for mode in MODES:
        report = metrics.agreement(ratings, abstention=mode, interval="none").judges["j"]
        assert equal(vars(report.coverage), pooled)
        for name, coverage in report.criterion_coverage.items():
            assert equal(vars(coverage), wanted[name])


@pytest.mark.parametrize("mode", MODES)
def test_appendix_b(build_of_tables, mode) -> None:
    coverage = metrics.agreement(build_of_tables(APP_B), abstention=mode, interval="none").to_dict()["judges"]["j"]["coverage"]
    assert coverage == {
        "n_total": 100, "n_covered": 70, "coverage": 0.7, "judge_coverage": 0.8, "human_coverage": 0.8,
        "judge_abstention_rate": 0.2, "human_abstention_rate": 0.2, "both_abstention_rate": 0.1, "error_rate": 0.0,
        "tie_rate": {"judge": 0.0, "human": 0.0}, "invalid_rate": {"judge": 0.0, "human": 0.0},
        "abstention_kappa": pytest.approx(0.375), "abstention_kappa_reason": "", "n_human_only": 0, "n_judge_only": 0,
        "n_split": 0, "n_voted": 0, "split_rate": None, "apart_rate": None,
    }  # fmt: skip
    assert coverage["coverage"] != pytest.approx(coverage["judge_coverage"] * coverage["human_coverage"])


def test_modes_keep_every_decision_they_should(build_paired) -> None:
    human, judge = sides(3, 200, 3)
    ratings = build_paired(human, judge)
    raw, scheme = patterns_of(ratings, "j", "majority").raw, ratings.scheme
    exclude, as_unmet, as_category = (apply_mode(raw, scheme, mode) for mode in MODES)
    pairs = [
        (h, j) for rows in zip(human, judge, strict=True) for h, j in zip(*rows, strict=True)
        if h not in (None, "ERR") and j not in (None, "ERR")
    ]  # fmt: skip
    assert as_category.sum() == as_unmet.sum() == len(pairs)
    assert exclude.sum() == sum(h not in SILENT and j not in SILENT for h, j in pairs)
    assert (as_category[:, :2, :2] == exclude).all()
    assert (np.add.reduceat(np.add.reduceat(as_category, [0, 1], 1), [0, 1], 2) == as_unmet).all()
    for mode, size in zip(MODES, (2, 2, 3), strict=True):
        to_mode = mode_map(scheme, mode)
        assert to_mode.shape == (size, scheme.n_states)
        assert to_mode.sum(0).max() == 1
        assert to_mode[:, [scheme.state("error"), scheme.state("missing")]].sum() == 0
        assert len(mode_labels(scheme, mode)) == size


def test_only_failed_calls_leave_nothing_to_compare(build_paired) -> None:
    with pytest.raises(metrics.InputError, match="every judge call"):
        metrics.agreement(build_paired([["MET"]], [["ERR"]]), interval="none")
    with pytest.raises(metrics.InputError, match="share none"):
        metrics.agreement(build_paired([["MET"], [None]], [[None], ["MET"]]), interval="none")
