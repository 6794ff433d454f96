"""Agreement with people's errors corrected, from disagreements and a random part of the agreements: by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.analyses.coding.codes import Coded, Coding
from metrics.analyses.coding.compute import coding_report, estimated, key_of
from metrics.analyses.coding.readings import checked_reading, criterion_reading
from metrics.measures.coefficients import cohen_kappa
from tests.coding.test_codes import coded, opened, rows

RNG = np.random.default_rng


def with_agreements(listing, criterion: int, n_wrong: int, n: int) -> Coding:
    """All disagreements of a criterion coded “judge wrong”, and n agreements of each label, the first n_wrong of them wrong."""
    codes = {key_of(listing, int(cell)): Coded("judge") for cell in np.flatnonzero(listing.differs)}
    for label in range(2):
        at = np.flatnonzero(listing.checked & (listing.reference == label) & (listing.cells.criterion == criterion))[:n]
        codes |= {key_of(listing, int(cell)): Coded("wrong" if i < n_wrong else "right") for i, cell in enumerate(at)}
    return Coding("a.csv", "", codes)


def test_the_drawn_agreements_are_agreements_of_each_criterion_and_label_and_the_same_every_time() -> None:
    table = rows(3, 200)
    listing, again = opened(table), opened(table)
    assert np.array_equal(listing.checked, again.checked)
    assert not (listing.checked & listing.differs).any()
    for criterion in range(2):
        n_differ = int((listing.differs & (listing.cells.criterion == criterion)).sum())
        for label in range(2):
            there = (listing.cells.criterion == criterion) & (listing.reference == label)
            agreed = int((there & ~listing.differs).sum())
            assert int((listing.checked & there).sum()) == min(agreed, max(10, n_differ // 2))
    assert np.array_equal(listing.kinds["check"], listing.differs | listing.checked)


def test_the_drawn_agreements_are_no_part_of_the_file_more_than_another() -> None:
    drawn = np.mean([np.flatnonzero(opened(rows(seed, 150)).checked).mean() for seed in range(20)])
    assert abs(drawn - 149.5) < 10


def test_what_is_coded_is_counted_and_a_list_of_it_is_in_no_order_of_labels() -> None:
    listing = opened(rows(3, 200))
    coding = with_agreements(listing, 0, 1, 10)
    report = coding_report(listing, coding)
    (name,) = report.checked
    found = report.checked[name]
    assert name == listing.ratings.criteria[0]
    assert (found.n_coded, found.n_wrong, found.metric) == (20, 2, "kappa")
    assert found.n_agreements == int(((listing.cells.criterion == 0) & ~listing.differs & listing.settled).sum())
    assert report.overall.n_coded == int(listing.differs.sum())
    assert checked_reading(found) in criterion_reading(report, name)
    order = listing.rank("check")[listing.kinds["check"]]
    assert sorted(order) == list(range(len(order)))
    assert abs(np.corrcoef(order, listing.differs[listing.kinds["check"]])[0, 1]) < 0.3


def test_where_every_decision_is_looked_at_the_estimate_is_that_of_the_corrected_table() -> None:
    counts, wrong = np.array([[40, 9], [7, 60]]), np.array([[3, 4], [2, 1]])
    by_hand = np.array([[40 - 3 + 2, 9 - 4 + 1], [7 - 2 + 3, 60 - 1 + 4]])
    assert by_hand.sum() == counts.sum()
    found = estimated(counts, counts, wrong)
    assert found.value == pytest.approx(float(cohen_kappa(by_hand)))
    three = np.diag([20, 30, 10]) + np.array([[0, 4, 0], [0, 0, 5], [1, 0, 0]])
    errors = np.diag([2, 0, 1]) + np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    assert estimated(three, three, errors).value == pytest.approx((60 - 3 + 3) / three.sum())


def test_a_cell_that_nobody_looked_at_leaves_it_undefined() -> None:
    counts = np.array([[40, 9], [7, 60]])
    found = estimated(counts, np.array([[10, 9], [7, 0]]), np.zeros((2, 2), int))
    assert not found.defined
    assert "60 in all" in found.why
    listing = opened(rows(3, 60))
    only = coded(listing, "judge", 3)
    agreement = {key_of(listing, int(np.flatnonzero(listing.checked)[0])): Coded("right")}
    (found,) = coding_report(listing, Coding("", "", only.codes | agreement)).checked.values()
    assert not found.estimate.defined
    assert "is not estimated" in checked_reading(found)


@pytest.mark.slow("coverage by simulation")
@pytest.mark.parametrize(
    ("prevalence", "human", "judge", "n", "looked_at"),
    [
        (0.5, (0.9, 0.9), (0.85, 0.85), 300, 20),
        (0.2, (0.97, 0.97), (0.7, 0.9), 200, 10),
        (0.1, (0.95, 0.98), (0.7, 0.95), 400, 20),
        (0.5, (0.85, 0.85), (0.6, 0.6), 200, 20),
    ],
)
def test_the_estimate_is_unbiased_and_its_interval_covers(prevalence, human, judge, n, looked_at) -> None:
    """Errors of people and judge are independent given the truth, so correcting disagreements alone flatters."""
    of_truth = np.array([prevalence, 1 - prevalence])
    h, j = (np.array([[hit, 1 - hit], [1 - spared, spared]]) for hit, spared in (human, judge))
    chances = of_truth[:, None, None] * h[:, :, None] * j[:, None, :]
    truth, rng = float(cohen_kappa(chances.sum(1))), RNG(7)
    found, flattered = [], []
    for _ in range(300):
        drawn = rng.multinomial(n, chances.ravel()).reshape(2, 2, 2)
        counts, wrong = drawn.sum(0), drawn[::-1, range(2), :][[0, 1], [0, 1]]
        coded_of = np.where(np.eye(2, dtype=bool), np.minimum(counts, looked_at), counts)
        of_these = np.where(coded_of == counts, wrong, rng.hypergeometric(wrong, counts - wrong, coded_of))
        found.append(estimated(counts, coded_of, of_these))
        flattered.append(estimated(counts, counts, np.where(np.eye(2, dtype=bool), 0, wrong)).value)
    values = np.array([one.value for one in found])
    assert abs(values.mean() - truth) < 0.005 + 3 * values.std() / np.sqrt(len(values))
    assert np.mean(flattered) > truth + 0.003
    assert 0.92 <= np.mean([one.ends[0] <= truth <= one.ends[1] for one in found]) <= 0.985
