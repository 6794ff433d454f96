"""What must be known before a judge's numbers: said where the data show it, and nowhere else."""

from __future__ import annotations

import json

import metrics
from metrics.report.making import report_of
from metrics.report.writing import write
from tests.conftest import of_tables


def told(*tables, **options) -> str:
    return told_of(of_tables(*tables), **options)


def told_of(ratings: metrics.Ratings, **options) -> str:
    report = metrics.agreement(ratings, **options)
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
    said = "always answering the majority label would be right significantly more often, Holm’s correction for"
    assert f"on 1 of 3 criteria, {said} 3 criteria: c1. The other 2 do not show it." in told(good, bad, weak)
    assert f"on 1 of 2 criteria, {said} 2 criteria: c1. The other does not show it." in told(good, bad)
    assert f"on 2 of 2 criteria, {said} 2 criteria: c0 and c1." in told(bad, bad)
    assert "criteria, always" not in told(good, weak, weak)


def test_a_pooled_kappa_that_no_criterion_shows_is_told() -> None:
    above = told([[2, 8], [18, 72]], [[72, 18], [8, 2]])
    told_above = "j: on these 100 items pooled κ 0.48 is above κ of every criterion, 0.00 to 0.00: the criteria differ in their "
    assert f"{told_above}label rates." in above
    below = told([[18, 2], [60, 20]], [[20, 60], [2, 18]])
    assert "is below κ of every criterion" in below
    some = told([[2, 8], [18, 72]], [[72, 18], [8, 2]], [[9, 0], [0, 0]])
    assert "is above κ of all 2 criteria on which both sides vary, 0.00 to 0.00" in some
    assert "every criterion" not in some
    assert "pooled κ" not in told([[40, 10], [10, 40]], [[30, 20], [20, 30]])
    assert "pooled κ" not in told([[40, 10], [10, 40]])


def test_of_ordered_labels_the_pooled_kappa_is_told_from_the_weighted_one_beside_it() -> None:
    rows = [
        {"item": f"q{i}", "criterion": name, "human": low + i % 2, "verdict": low + i // 2 % 2}
        for i in range(60) for name, low in (("a", 1), ("b", 3))
    ]  # fmt: skip
    report = metrics.agreement(metrics.read(rows, scale="ordinal", order=list("1234")))
    (text,) = (one.message for one in report.warnings if one.code == "pooled_kappa_outside")
    assert "pooled unweighted κ 0.33 is above unweighted κ of every criterion, 0.00 to 0.00" in text
    assert text.endswith("Within criteria unweighted κ is 0.00.")


def test_nothing_is_said_of_a_pooled_kappa_from_a_handful_of_items() -> None:
    ones = [[1, 0], [0, 1]], [[1, 0], [1, 0]]
    assert "pooled κ" not in told(*ones, ones[0], ones[1])
    tens = [[[5 * n for n in row] for row in table] for table in ones]
    assert "j: on these 10 items pooled κ 0.50 is below κ of all 2 criteria on which both sides vary, 1.00 to 1.00" in told(
        *tens, *tens
    )


def test_the_commoner_label_of_many_classes_is_corrected_for_being_picked() -> None:
    """Of five labels the commonest in the sample is picked: 13 right against 26 of 100 would be p = 0.041 without that."""
    labels = ("A", "B", "C", "D", "E")
    kinds = dict.fromkeys(labels, "class")
    spread = [[2, 6, 6, 6, 6], [7, 2, 3, 3, 3], [6, 3, 3, 3, 3], [6, 3, 3, 3, 4], [5, 3, 3, 5, 3]]
    said = metrics.agreement(of_tables(spread, labels=labels, kinds=kinds))
    found = said.judges["j"].micro.directions.baseline
    assert found.p > 0.05 > found.p * 2 / 5
    assert json.loads(json.dumps(said.to_dict()))["judges"]["j"]["micro"]["directions"]["baseline"]["sign"] == 0
    assert "always answering" not in "".join(one.message for one in said.warnings)
    worse = [[0, 8, 8, 8, 8], *spread[1:]]
    assert "always answering A would be right significantly more often" in "".join(
        one.message for one in metrics.agreement(of_tables(worse, labels=labels, kinds=kinds)).warnings
    )


def test_a_paired_test_beside_an_interval_that_holds_the_commoner_label_makes_no_claim() -> None:
    """Six items of one sign tell 34 of 60 right from 40 of 60; 57 % [43, 70] beside 67 % does not."""
    ratings = of_tables([[34, 6], [20, 0]])
    block = metrics.agreement(ratings).judges["j"].micro
    assert block.directions.baseline.sign == -1
    low, high = block["accuracy"].ends
    assert low < block.values["baseline_accuracy"] < high
    assert "always answering" not in told([[34, 6], [20, 0]])
    assert "criteria, always" not in told([[34, 6], [20, 0]], [[30, 5], [5, 30]])
    assert "always answering MET" in told([[30, 10], [20, 0]])
    assert "always answering the majority label" in told([[25, 15], [20, 0]], [[30, 5], [5, 30]])


def test_a_criterion_that_varies_on_both_sides_may_have_more_labels() -> None:
    labels = ("1", "2", "3", "4")
    ones = [[0, 5, 0, 0], [5, 40, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    threes = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 5], [0, 0, 5, 40]]
    one_label = [[9, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    look = {"labels": labels, "kinds": dict.fromkeys(labels, "class")}
    assert "κ of all 2 criteria on which both sides vary" in told_of(of_tables(ones, threes, one_label, **look))
    assert "κ of every criterion" in told_of(of_tables(ones, threes, **look))


def test_labels_that_seem_turned_round_are_asked_about() -> None:
    question = "is below chance. Does one side use the two labels the other way round?"
    assert question in told([[5, 45], [40, 10]])
    assert question not in told([[45, 5], [10, 40]])
    assert question not in told([[24, 26], [25, 25]])
    assert question not in told([[5, 45], [40, 10]], [[30, 20], [20, 30]])


def test_the_report_says_it_with_the_numbers_and_only_where_it_is_so() -> None:
    for table, there in (([[30, 35], [18, 17]], True), ([[40, 25], [12, 23]], False)):
        text = write(report_of(of_tables(table)), ".md").decode()
        assert ("always answering MET would be right significantly more often" in text) == there


def test_ordered_labels_that_one_side_uses_the_other_way_round_are_asked_about() -> None:
    labels, turned = ("1", "2", "3", "4"), [[0, 0, 0, 9], [0, 0, 9, 0], [0, 9, 0, 0], [9, 0, 0, 0]]
    look = {"labels": labels, "kinds": dict.fromkeys(labels, "class"), "order": labels}
    said = "is below chance. Does one side use the scale the other way round?"
    assert said in "".join(one.message for one in metrics.agreement(of_tables(turned, **look)).warnings)
    straight, weak = [row[::-1] for row in turned], [[2, 2, 2, 3], [2, 2, 3, 2], [2, 3, 2, 2], [3, 2, 2, 2]]
    for table in (straight, weak):
        assert "other way round" not in "".join(one.message for one in metrics.agreement(of_tables(table, **look)).warnings)
    names = ("red", "green", "blue", "grey")
    unordered = metrics.agreement(of_tables(turned, labels=names, kinds=dict.fromkeys(names, "class")))
    assert "other way round" not in "".join(one.message for one in unordered.warnings)


def test_a_pooled_kappa_that_stands_on_no_criterion_at_all_is_told() -> None:
    met, unmet = [[20, 0], [0, 0]], [[0, 0], [1, 19]]
    assert told(met, met, unmet).splitlines()[0] == (
        "j: on these 20 items pooled κ 0.96 shows only which criterion gets which label: on none of 3 criteria do both sides "
        "give more than one."
    )
    assert "shows only" not in told(met, unmet, [[9, 1], [1, 9]])
    assert "shows only" not in told(met, met)
    assert "shows only" not in told(unmet)
