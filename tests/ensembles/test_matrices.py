"""The table of every judge beside the reference, by hand, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics import InputError
from metrics.analyses.ensembles.errors import shared_errors
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.matrices import judge_matrices
from metrics.analyses.ensembles.readings import worth_words
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.measures.cost_matrices import cost_of

TRUTH = [0, 0, 0, 0, 1, 1, 1, 1]
SAID = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 0, 0], [1, 1, 0, 0, 1, 1, 1, 0], [0] * 8]).T

"""Right; two false alarms; two missed and one false alarm; always positive."""
NO_DIRECTION = "No judge gives MET significantly more or less often than the reference, Holm’s correction for {} judges."


def test_tables_by_hand_the_worst_first(build_judged) -> None:
    found = judge_matrices(build_judged(TRUTH, SAID))
    assert found.judges == ("j3", "j2", "j1", "j0")
    assert found.tables.tolist() == [[[4, 0], [4, 0]], [[2, 2], [1, 3]], [[4, 0], [2, 2]], [[4, 0], [0, 4]]]
    assert [own.value for own in found.kappa] == [0, 0.25, 0.5, 1]
    assert found.more_positive.tolist() == [0.5, -0.125, 0.25, 0]
    assert not any(own.defined for own in found.weighted)


def test_they_are_the_tables_of_the_report(noisy) -> None:
    for mode in ("exclude", "as_unmet", "as_category"):
        found, report = judge_matrices(noisy, abstention=mode), metrics.agreement(noisy, abstention=mode, interval="none")
        for name, table, kappa in zip(found.judges, found.tables, found.kappa, strict=True):
            block = report.judges[name].micro
            assert table.tolist() == block.confusion.tolist()
            assert kappa.value == pytest.approx(block.values["kappa"], abs=1e-12)


def test_a_cost_matrix_weighs_the_same_tables(noisy) -> None:
    cost = cost_of("halfway")
    found = judge_matrices(noisy, abstention="as_category", cost=cost)
    assert [own.value for own in found.weighted] == pytest.approx(metrics.weighted_kappa(found.tables, np.array(cost)))
    same = judge_matrices(noisy, abstention="as_category", cost=cost_of("nominal"))
    assert [own.value for own in same.weighted] == pytest.approx([own.value for own in same.kappa])
    with pytest.raises(InputError, match="must be 2 x 2"):
        judge_matrices(noisy, cost=cost)


def test_what_has_no_kappa_stands_last_and_is_said(build_judged) -> None:
    ratings = build_judged([0, 0, 0, 0], [[0, 1, 0], [0, 1, 1], [0, 0, 0], [0, 0, 0]])
    found = judge_matrices(ratings)
    assert found.judges[-1] == "j0"
    assert not found.kappa[-1].defined
    text = matrices_reading(found)
    assert text.startswith("κ with the reference is 0.00 for every judge that has one, and undefined for 1 judge.")
    assert text.endswith(NO_DIRECTION.format(3))
    every = matrices_reading(judge_matrices(build_judged([0, 1, 1], [[0, 0], [0, 0], [1, 1]])))
    assert every.endswith(f"for every judge. {NO_DIRECTION.format(2)}")
    alone = matrices_reading(judge_matrices(build_judged([0, 0], [[0, 0], [0, 0]])))
    assert alone == f"κ with the reference is undefined for every judge. {NO_DIRECTION.format(2)}"


def two_criteria(build_judged, *tables):
    """Judges from one table of each of two criteria, equally many decisions each."""
    truth, said = [], []
    for place in range(len(tables[0])):
        columns = [np.repeat([0, 0, 1, 1], np.ravel(own[place])) for own in tables]
        truth.append(columns[0])
        said.append(np.stack([np.repeat([0, 1, 0, 1], np.ravel(own[place])) for own in tables], 1))
    human = np.stack(truth, 1).ravel().tolist()
    return build_judged(human, np.stack(said, 1).reshape(-1, len(tables)), criteria=2)


def test_an_order_that_pooling_makes_and_opposite_criteria_are_told(build_judged) -> None:
    guesses = ([[192, 48], [48, 12]], [[0, 15], [15, 270]])
    sees = ([[174, 66], [18, 42]], [[12, 3], [72, 213]])
    text = matrices_reading(judge_matrices(two_criteria(build_judged, guesses, sees)))
    assert text.startswith("κ with the reference, pooled over criteria, goes from 0.46 [")
    assert "κ within criteria has the two the other way round. " in text  # no number without its interval
    none = "Over all criteria together no judge gives MET significantly more or less often than the reference; "
    assert none in text
    assert text.endswith(
        "on a criterion 1 of 2 judges does, Holm’s correction for 4 tests. "
        "1 judge gives MET more often on one criterion and less often on another."
    )
    # a judge that is better within criteria too, and leans nowhere
    better = ([[230, 10], [10, 50]], [[10, 5], [5, 280]])
    alike = matrices_reading(judge_matrices(two_criteria(build_judged, guesses, better)))
    assert "pooled" not in alike
    assert alike.endswith(NO_DIRECTION.format(2))


def test_the_reading_names_both_ends(build_judged) -> None:
    assert matrices_reading(judge_matrices(build_judged(TRUTH, SAID)), lambda name: f"<{name}>") == (
        "κ with the reference goes from 0.00 [−0.36, 0.38] (<j3>) to 1.00 [0.33, 1.00] (<j0>). "
        "No judge gives <MET> significantly more or less often than the reference, Holm’s correction for 4 judges."
    )


def test_a_label_is_given_more_often_only_where_that_is_significant(build_judged) -> None:
    found = judge_matrices(build_judged(TRUTH * 5, np.tile(SAID, (5, 1))))
    assert found.more_p.tolist() == pytest.approx([2 * 0.5**20, 0.30176, 2 * 0.5**10, 1], rel=1e-4)
    assert matrices_reading(found).endswith(
        "2 of 4 judges give MET significantly more often than the reference, Holm’s correction for 4 judges."
    )
    fewer = np.array([[0] * 8, [1] * 8, TRUTH]).T
    both = matrices_reading(judge_matrices(build_judged(TRUTH * 5, np.tile(fewer, (5, 1)))))
    assert both.endswith(
        "1 of 3 judges gives MET significantly more often than the reference, 1 less often, Holm’s correction for 3 judges."
    )
    less = matrices_reading(judge_matrices(build_judged(TRUTH * 5, np.tile(fewer[:, 1:], (5, 1)))))
    assert less.endswith("1 of 2 judges gives MET significantly less often than the reference, Holm’s correction for 2 judges.")


def test_one_row_to_a_cell(build_judged) -> None:
    columns = judge_matrices(build_judged(TRUTH, SAID)).columns()
    assert columns["judge"][4:8] == ["j2"] * 4
    assert columns["reference label"][4:8] == ["MET", "MET", "UNMET", "UNMET"]
    assert columns["judge label"][4:8] == ["MET", "UNMET", "MET", "UNMET"]
    assert columns["n"][4:8] == [2, 2, 1, 3]
    assert "cost" not in columns
    low, high = judge_matrices(build_judged(TRUTH, SAID)).kappa[1].ends
    assert (columns["kappa low"][4:8], columns["kappa high"][4:8]) == ([low] * 4, [high] * 4)


@pytest.mark.parametrize("most", [2, 3, 4, 6, 20])
def test_runs_of_judges_who_err_keep_every_decision(noisy, most) -> None:
    errors = shared_errors(noisy)
    runs = errors.runs(most)
    assert len(runs) <= max(most, 3)
    assert [number for run in runs for number in range(run.first, run.last + 1)] == list(range(7))
    assert (runs[0].last, runs[-1].first) == (0, 6)
    assert sum(run.n for run in runs) == errors.n_together
    for run in runs:
        assert run.share * errors.n_together == pytest.approx(errors.joint_errors[run.first : run.last + 1].sum())
        assert run.by_chance * errors.n_together == pytest.approx(errors.by_chance[run.first : run.last + 1].sum())


def test_what_judges_are_worth_in_words(build_judged) -> None:
    right = shared_errors(build_judged(TRUTH, np.array([TRUTH, TRUTH]).T))
    assert worth_words(right)[0] == "–"
    alike = shared_errors(build_judged(TRUTH * 2, np.array([[1 - TRUTH[0], *TRUTH[1:], *TRUTH]] * 3).T))
    assert worth_words(alike)[0] == "1.0"


def test_the_best_judge_alone(build_judged) -> None:
    name, kappa = panel_growth(build_judged(TRUTH, SAID)).best_alone
    assert (name, kappa.value) == ("j0", 1.0)
    assert panel_growth(build_judged([0, 0], [[0, 0], [0, 0]])).best_alone is None


def test_part_of_a_queue(noisy) -> None:
    queue = metrics.split_decisions(noisy)
    part = queue.at(np.array([2, 0]))
    assert part.columns(noisy)["item"] == [queue.columns(noisy)["item"][place] for place in (2, 0)]
    assert part.votes.tolist() == queue.votes[[2, 0]].tolist()
    assert queue.first(2).disagreement.tolist() == queue.disagreement[:2].tolist()
    assert len(queue.first(10_000)) == len(queue)
    assert 0 < len(queue.without_reference()) == int(queue.undecided.sum()) < len(queue)
    assert queue.without_reference().undecided.all()


@pytest.mark.parametrize("silent", [0, 6])
def test_judges_who_answer_different_decisions_are_told(build_judged, silent) -> None:
    said = np.array([[i % 2, i % 2 if i >= silent else -1] for i in range(24)])
    text = matrices_reading(judge_matrices(build_judged([(i + (i < 8)) % 2 for i in range(24)], said)))
    assert ("The judges answer 18 to 24 decisions: what is left open counts against nobody." in text) == bool(silent)
