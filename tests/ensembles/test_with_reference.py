"""κ of each judge with the reference: the number and interval of the Agreement page, many judges at a time."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.ensembles.cluster_judges import think_alike
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.matrices import judge_matrices
from metrics.analyses.ensembles.verdict_matrix import verdict_matrix_of, with_reference
from metrics.data.part import of_criterion
from metrics.measures.cost_matrices import cost_of


def same(ratings, mode: str) -> None:
    found, names = with_reference(verdict_matrix_of(ratings, abstention=mode)), verdict_matrix_of(ratings, abstention=mode).judges
    report = metrics.agreement(ratings, abstention=mode)
    for place, name in enumerate(names):
        own = report.judges[name].micro
        assert found.kappa[place].value == pytest.approx(own.values["kappa"], nan_ok=True)
        assert found.n[place] == own.confusion.sum()
        ends = own.intervals["kappa"].ends if "kappa" in own.intervals else None
        assert found.kappa[place].ends == (ends if ends is None else pytest.approx(ends))


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_numbers_are_those_of_the_agreement_page(noisy, llmbar, mode) -> None:
    same(noisy, mode)
    same(of_criterion(noisy, "c1"), mode)
    if mode == "exclude":
        same(llmbar, mode)


@pytest.mark.parametrize("criterion", [None, "c1"])
def test_weighted_kappa_has_the_interval_of_the_agreement_page(noisy, criterion) -> None:
    ratings = noisy if criterion is None else of_criterion(noisy, criterion)
    found = judge_matrices(ratings, abstention="as_category", cost=cost_of("halfway"))
    report = metrics.agreement(ratings, abstention="as_category", cost="halfway")
    for place, name in enumerate(found.judges):
        own = report.judges[name].micro
        assert found.weighted[place].value == pytest.approx(own.values["weighted_kappa"])
        assert found.weighted[place].ends == pytest.approx(own.intervals["weighted_kappa"].ends)
    columns = found.columns()
    assert (columns["weighted kappa low"][0], columns["weighted kappa high"][0]) == found.weighted[0].ends
    assert judge_matrices(ratings).weighted[0].ends is None


def test_no_kappa_has_no_interval(build_judged) -> None:
    found = with_reference(verdict_matrix_of(build_judged([0, 0, 1, 1], [[0, -1], [0, -1], [1, -1], [0, -1]])))
    assert [own.defined for own in found.kappa] == [True, False]
    assert found.kappa[0].ends is not None
    assert found.kappa[1].ends is None
    assert found.n.tolist() == [4, 0]


def test_the_interval_goes_wherever_kappa_goes(noisy) -> None:
    whole = with_reference(verdict_matrix_of(noisy))
    names = verdict_matrix_of(noisy).judges
    alike, matrices, growth = think_alike(noisy), judge_matrices(noisy), panel_growth(noisy, sizes=[1])
    for place, name in enumerate(names):
        kappa = whole.kappa[place]
        assert kappa.ends is not None
        assert alike.with_reference[alike.judges.index(name)] == kappa
        assert matrices.kappa[matrices.judges.index(name)] == kappa
        assert growth.alone[place] == kappa
    best = int(np.argmax([own.value for own in whole.kappa]))
    assert growth.best_alone == (names[best], whole.kappa[best])


def test_a_group_s_mean_has_the_interval_of_the_mean_over_its_pairs(llmbar) -> None:
    found = think_alike(llmbar)
    group = max(found.groups, key=lambda own: own.mean_kappa.value)
    keep = [rater for rater in llmbar.judges if rater in group.judges]
    bench = verdict_matrix_of(llmbar, judges=keep)
    pairs = [metrics.cohen_kappa(_table(bench.labels, a, b)) for a in range(len(keep)) for b in range(a)]
    assert group.mean_kappa.value == pytest.approx(np.mean(pairs))
    n, left = len(bench), []
    for out in range(n):
        rest = np.delete(bench.labels, out, 0)
        left.append(np.mean([metrics.cohen_kappa(_table(rest, a, b)) for a in range(len(keep)) for b in range(a)]))
    error = np.sqrt((n - 1) / n * ((np.array(left) - np.mean(left)) ** 2).sum())
    mean = group.mean_kappa.value
    centre, half = np.arctanh(mean), 1.9842169515086827 * error / (1 - mean**2)
    assert group.mean_kappa.ends == pytest.approx((np.tanh(centre - half), np.tanh(centre + half)), abs=1e-9)


def _table(labels, a, b):
    return [[int(((labels[:, a] == row) & (labels[:, b] == column)).sum()) for column in (0, 1)] for row in (0, 1)]
