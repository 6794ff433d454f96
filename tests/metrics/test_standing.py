"""What must be known before a judge's numbers: said where the data show it, and nowhere else."""

from __future__ import annotations

import metrics
from metrics.report.making import report_of
from metrics.report.writing import write
from tests.conftest import of_tables


def told(*tables, **options) -> str:
    report = metrics.agreement(of_tables(*tables), **options)
    return "\n".join(warning.message for warning in report.warnings).replace("\u00a0", " ")


def test_a_judge_below_the_commoner_label_is_told_first() -> None:
    report = metrics.agreement(of_tables([[30, 35], [18, 17]]))
    first = report.warnings[0]
    assert first.code == "below_baseline"
    assert first.message.replace("\u00a0", " ") == (
        "j: always answering MET would be right significantly more often, 65 % of decisions against 47 % (p = 0.018)."
    )
    lines = report.summary().splitlines()
    place = next(place for place, line in enumerate(lines) if "always answering MET" in line)
    assert place < next(place for place, line in enumerate(lines) if "Cohen’s κ" in line)
    assert report.summary().count("always answering MET") == 1
    assert report.to_dict()["warnings"][0]["code"] == "below_baseline"


def test_a_judge_not_shown_below_the_commoner_label_is_not() -> None:
    assert "always answering" not in told([[40, 25], [12, 23]])
    assert "always answering" not in told([[6, 4], [3, 2]])
    assert "always answering" not in told([[60, 5], [4, 31]])
    assert "always answering" not in told([[0, 0], [6, 30]])
    assert "always answering" not in told([[30, 35], [18, 17]], interval="none")


def test_criteria_below_the_commoner_label_are_named_after_holm() -> None:
    good, bad, weak = [[40, 5], [5, 40]], [[60, 25], [4, 1]], [[45, 9], [3, 33]]
    assert "on 1 of 3 criteria, always answering the commoner label would be right significantly more often: c1." in told(
        good, bad, weak
    )
    assert "criteria, always" not in told(good, weak, weak)


def test_a_pooled_kappa_that_no_criterion_shows_is_told() -> None:
    above = told([[2, 8], [18, 72]], [[72, 18], [8, 2]])
    assert "j: pooled κ 0.48 lies above κ of every criterion, 0.00 to 0.00: the criteria differ in their label rates." in above
    below = told([[18, 2], [60, 20]], [[20, 60], [2, 18]])
    assert "lies below κ of every criterion" in below
    some = told([[2, 8], [18, 72]], [[72, 18], [8, 2]], [[9, 0], [0, 0]])
    assert "lies above κ of all 2 criteria with two labels, 0.00 to 0.00" in some
    assert "every criterion" not in some
    assert "pooled κ" not in told([[40, 10], [10, 40]], [[30, 20], [20, 30]])
    assert "pooled κ" not in told([[40, 10], [10, 40]])


def test_labels_that_seem_turned_round_are_asked_about() -> None:
    question = "lies below chance. Does one side use the two labels the other way round?"
    assert question in told([[5, 45], [40, 10]])
    assert question not in told([[45, 5], [10, 40]])
    assert question not in told([[24, 26], [25, 25]])
    assert question not in told([[5, 45], [40, 10]], [[30, 20], [20, 30]])


def test_the_report_says_it_with_the_numbers_and_only_where_it_is_so() -> None:
    for table, there in (([[30, 35], [18, 17]], True), ([[40, 25], [12, 23]], False)):
        text = write(report_of(of_tables(table)), ".md").decode()
        assert ("always answering MET would be right significantly more often" in text) == there
