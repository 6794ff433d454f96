"""Three answers of several judges under a cost matrix: special cases that are known coefficients, the jackknife, who leads."""

from __future__ import annotations

import math

import numpy as np
import pytest

import metrics
from metrics.analyses.ensembles.readings_matrices import weighted_reading
from metrics.analyses.ensembles.verdict_matrix import kappa_slope
from metrics.analyses.ensembles.weighted import NO_COST, NO_PAIR, weighted_agreement
from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.units import units_of
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.cost_matrices import slide_cost

SQUARES = [[0, 1, 0.25], [1, 0, 0.25], [0.25, 0.25, 0]]
"""(x − y)² of 1, 0 and ½."""


def test_known_alphas_are_special_cases(noisy) -> None:
    votes = units_of(noisy, "judge", mode="as_category").votes
    assert weighted_agreement(noisy).at_chosen_cost.alpha.value == pytest.approx(float(krippendorff_alpha(votes)))
    interval = krippendorff_alpha(votes, [1, 0, 0.5], "interval")
    assert weighted_agreement(noisy, SQUARES).at_chosen_cost.alpha.value == pytest.approx(float(interval))
    # the two differ, as section 7.2 of the source says
    assert abs(float(interval) - float(krippendorff_alpha(votes))) > 0.01


def test_the_unit_of_costs_and_their_direction_do_not_matter_among_judges(noisy) -> None:
    plain = weighted_agreement(noisy, SQUARES).at_chosen_cost
    assert weighted_agreement(noisy, 7 * np.array(SQUARES)).at_chosen_cost.alpha.value == pytest.approx(plain.alpha.value)
    crooked = np.array(SQUARES) * 2
    crooked[0, 1], crooked[1, 0] = 1, 3
    turned, back = weighted_agreement(noisy, crooked).at_chosen_cost, weighted_agreement(noisy, crooked.T).at_chosen_cost
    assert turned.alpha.value == back.alpha.value == pytest.approx(plain.alpha.value)
    assert turned.mean_kappa.value == pytest.approx(back.mean_kappa.value) == pytest.approx(plain.mean_kappa.value)
    # beside the reference they do
    assert not np.allclose(turned.with_reference, back.with_reference)


def test_beside_the_reference_it_is_the_weighted_kappa_of_the_report(noisy) -> None:
    found = weighted_agreement(noisy, "as-negative")
    reports = metrics.agreement(noisy, abstention="as_category", cost="as-negative", interval="none").judges
    for place, judge in enumerate(found.judges):
        assert found.at_chosen_cost.with_reference[place] == pytest.approx(reports[judge].micro.values["weighted_kappa"])
        assert found.tables[place].tolist() == reports[judge].micro.confusion.tolist()


def test_mean_over_pairs_by_hand(noisy) -> None:
    found = weighted_agreement(noisy, "halfway")
    labels = units_of(noisy, "judge", mode="as_category").labels
    values = []
    for a in range(6):
        for b in range(a):
            both = (labels[:, a] >= 0) & (labels[:, b] >= 0)
            table = np.zeros((3, 3))
            np.add.at(table, (labels[both, a], labels[both, b]), 1)
            values.append(float(cohen_kappa(table, weights=slide_cost(0.5))))
    assert found.at_chosen_cost.mean_kappa.value == pytest.approx(np.mean(values))
    assert found.at_chosen_cost.n_pairs == 15


def test_the_interval_leaves_out_one_item_at_a_time(noisy) -> None:
    from scipy.stats import t

    found = weighted_agreement(noisy, SQUARES)
    units = units_of(noisy, "judge", mode="as_category")
    votes = units.votes
    left = [float(krippendorff_alpha(votes[units.item != item], [1, 0, 0.5], "interval")) for item in np.unique(units.item)]
    n = len(left)
    error = math.sqrt((n - 1) / n * ((np.array(left) - np.mean(left)) ** 2).sum())
    centre, slope = math.atanh(found.at_chosen_cost.alpha.value), 1 / (1 - found.at_chosen_cost.alpha.value**2)
    step = t.ppf(0.975, n - 1) * error * slope
    assert found.at_chosen_cost.alpha.ends == pytest.approx((math.tanh(centre - step), math.tanh(centre + step)))


def test_the_best_judge_can_hang_on_the_cost(build_judged) -> None:
    """One judge abstains where the human says UNMET, the other where the human says MET."""
    truth = [0] * 10 + [1] * 10
    said = np.array([truth, truth]).T.copy()
    said[10:14, 0], said[:4, 1] = 2, 2
    found = weighted_agreement(build_judged(truth, said))
    leads = found.leads()
    assert [best for _, _, best in leads] == [(0,), (0, 1), (1,)]
    assert leads[1][:2] == (0.5, 0.5)
    text = weighted_reading(found)
    assert "In this sample the judge with the highest weighted κ with the reference depends on W" in text
    assert "j0 (from 0.00 to 0.45), then j0, j1 (at 0.50), then j1 (from 0.55 to 1.00)." in text
    assert text.startswith("under W nominal the judges agree with α ")


def test_without_abstentions_nothing_moves(build_judged) -> None:
    truth = [0, 1] * 8
    said = np.array([truth, truth, truth]).T.copy()
    said[:2, 0] = 1 - said[:2, 0]
    text = weighted_reading(weighted_agreement(build_judged(truth, said), "halfway"))
    assert "It hardly moves" in text
    assert "In this sample j1, j2 alike have the highest weighted κ" in text
    assert "under all of them; whether they are better is not tested." in text


def test_degenerate_cases_are_undefined_with_a_reason(build_judged, build_ratings) -> None:
    same = weighted_agreement(build_judged([0, 0], np.zeros((2, 2), int)))
    assert math.isnan(same.at_chosen_cost.alpha.value)
    assert same.at_chosen_cost.alpha.undefined == NO_COST
    assert same.at_chosen_cost.alpha.ends is None
    assert weighted_reading(same) == f"under W nominal α of the judges is undefined: {NO_COST}."
    strangers = weighted_agreement(build_judged([0, 0], [[0, -1], [-1, 1]]))
    assert strangers.at_chosen_cost.alpha.undefined == NO_PAIR
    # W may leave out what the judges disagree on
    free = weighted_agreement(build_judged([0, 1, 0, 1], [[0, 2], [2, 0], [0, 0], [2, 2]]), "as-positive")
    assert math.isnan(free.at_chosen_cost.alpha.value)
    rows = [("i", "c", who, role, "x") for who, role in (("h", "human"), ("a", "judge"), ("b", "judge"))]
    with pytest.raises(metrics.InputError, match="These labels are classes"):
        weighted_agreement(build_ratings(rows, kinds={"x": "class", "y": "class"}))
    with pytest.raises(metrics.InputError, match="Unknown cost"):
        weighted_agreement(build_judged([0, 1], [[0, 0], [1, 1]]), "cheap")


def test_a_file_of_judges_alone(build_judged) -> None:
    found = weighted_agreement(build_judged([-1] * 3, [[0, 0], [1, 2], [2, 2]]))
    assert np.isnan(found.at_chosen_cost.with_reference).all()
    assert "No judge has a weighted κ with the reference." in weighted_reading(found)


def test_real_ties(pandalm) -> None:
    found = weighted_agreement(pandalm)
    votes = units_of(pandalm, "judge", mode="as_category").votes
    assert found.at_chosen_cost.alpha.value == pytest.approx(float(krippendorff_alpha(votes)))
    assert found.at_chosen_cost.alpha.ends[0] < found.at_chosen_cost.alpha.value < found.at_chosen_cost.alpha.ends[1]
    assert found.tables.sum((1, 2)).tolist() == [999, 999]


@pytest.mark.parametrize("cost", [SQUARES, slide_cost(0.2), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]])
def test_the_slope_of_weighted_kappa_is_its_derivative(cost) -> None:
    table, step, w = np.array([[12.0, 3, 2], [4, 9, 1], [2, 5, 3]]), 1e-5, np.asarray(cost, float)
    slope = kappa_slope(table, w)
    for row in range(3):
        for column in range(3):
            more, less = table.copy(), table.copy()
            more[row, column] += step
            less[row, column] -= step
            change = float(cohen_kappa(more, weights=w)) - float(cohen_kappa(less, weights=w))
            assert slope[row, column] == pytest.approx(change / (2 * step), abs=1e-8)


def test_the_interval_of_the_mean_is_near_that_of_leaving_items_out(noisy) -> None:
    from scipy.stats import t

    found = weighted_agreement(noisy, SQUARES)
    units = units_of(noisy, "judge", mode="as_category")
    left = []
    for item in np.unique(units.item):
        labels, values = units.labels[units.item != item], []
        for a in range(6):
            for b in range(a):
                both = (labels[:, a] >= 0) & (labels[:, b] >= 0)
                table = np.zeros((3, 3))
                np.add.at(table, (labels[both, a], labels[both, b]), 1)
                values.append(float(cohen_kappa(table, weights=SQUARES)))
        left.append(np.mean(values))
    n = len(left)
    error = math.sqrt((n - 1) / n * ((np.array(left) - np.mean(left)) ** 2).sum())
    low, high = (math.atanh(end) for end in found.at_chosen_cost.mean_kappa.ends)
    assert (low + high) / 2 == pytest.approx(math.atanh(found.at_chosen_cost.mean_kappa.value))
    own = (high - low) / (2 * t.ppf(0.975, n - 1)) * (1 - found.at_chosen_cost.mean_kappa.value**2)
    assert own == pytest.approx(error, rel=0.05)


def test_no_mean_has_no_interval(build_judged) -> None:
    assert weighted_agreement(build_judged([0, 1, 0], [[0, 0], [1, 2], [2, 0]])).at_chosen_cost.mean_kappa.ends is None
