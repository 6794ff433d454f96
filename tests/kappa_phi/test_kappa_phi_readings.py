"""What is said of the gap, of its cause and of five names for one number."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.five import five_names
from metrics.analyses.kappa_phi.readings_habit import habit_reading
from metrics.analyses.kappa_phi.rows import GapRow, by_criterion, cause_of, pooled, written_out
from metrics.analyses.kappa_phi.variances import variances_of
from tests.kappa_phi.made import CONSTANT, EVEN, LENIENT, NEGATIVE, STRICT, ZERO, bare, report, row, rows, told


def test_the_sentence_for_a_paper_says_chance_level_by_construction() -> None:
    none = readings.paper_sentence(report(CONSTANT), "j", "micro", row(CONSTANT))
    assert none.count("(chance level by construction). n = 100") == 1
    for counts in (ZERO, STRICT):
        assert "by construction" not in readings.paper_sentence(report(counts), "j", "micro", row(counts))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (STRICT, "κ is 0.05 below φ on c0 because the judge says MET 25 points less often than the reference."),
        (LENIENT, "κ is 0.05 below φ on c0 because the judge says MET 25 points more often than the reference."),
        (EVEN, "κ = φ: judge and human say MET equally often."),
        (NEGATIVE, "κ is 0.02 above φ, nearer to 0, on c0 because the judge says MET 20 points less often than the reference."),
    ],
)
def test_the_gap_in_words(counts, words) -> None:
    assert told(readings.gap_reading([row(counts)], "MET")) == words


def test_the_gap_where_phi_is_zero_or_undefined() -> None:
    alone = told(readings.gap_reading([row(ZERO)], "MET"))
    assert alone.startswith("κ and φ are both 0")
    assert alone.endswith(
        "The gap is 0 although the label rates of c0 differ by 30 points: where φ is 0 there is nothing to lose."
    )
    unsure = told(readings.gap_reading([row([[1, 2], [1, 2]])], "MET"))
    assert unsure.endswith("the label rates of c0 differ by 17 points, not significantly: where φ is 0 there is nothing to lose.")
    assert readings.gap_reading([row(CONSTANT)], "MET") == "φ is undefined on c0: the judge gives one label only, MET."
    both = readings.gap_reading(rows(CONSTANT, CONSTANT), "MET")
    assert both == "φ is undefined on every criterion: the judge gives one label only, MET."
    apart = readings.gap_reading(rows(CONSTANT, CONSTANT, [[9, 1], [0, 0]]), "MET")
    one, other = "the judge gives one label only, MET (c0 and c1)", "the reference gives one label only, MET (c2)"
    assert apart == f"φ is undefined on every criterion: {one}; {other}."
    some = readings.gap_reading(rows(STRICT, CONSTANT, [[9, 1], [0, 0]]), "MET")
    assert some.endswith(f" φ is undefined on c1 and c2: {one.replace('c0 and c1', 'c1')}; {other}.")
    many = readings.gap_reading(rows(STRICT, ZERO, CONSTANT, EVEN), "MET")
    assert many.startswith("κ is 0.05 below φ on c0")
    assert " Where φ is 0 the gap is 0 whatever the label-rate bias: c1." in many
    assert many.endswith("φ is undefined on c2: the judge gives one label only, MET.")
    assert readings.gap_reading(rows(EVEN, EVEN), "MET").startswith("κ = φ throughout")
    assert readings.gap_reading([], "MET") == "there is no row to read."


def test_a_small_gap_and_a_drift_within_the_noise() -> None:
    text = told(readings.gap_reading([row([[40, 9], [10, 41]])], "MET"))
    assert text == "κ is less than 0.01 below φ on c0 because the two label rates differ by 1.0 points, not significantly."


def test_names_and_labels_are_handed_over_whole() -> None:
    found = rows([[20, 30], [5, 45]], names=["*odd*"], labels=("yes", "no"), kinds={"yes": "positive", "no": "negative"})
    text = told(readings.gap_reading(found, "yes", name=lambda word: f"<{word}>"))
    assert "on <*odd*> because the judge says <yes> 25 points less often" in text


def test_reasons_are_handed_over_whole() -> None:
    def why(reason: str) -> str:
        return f"<{reason}>"

    constant, reason = row(CONSTANT), "<the judge gives one label only, MET>"
    assert reason in readings.gap_reading([constant], "MET", why=why)
    assert reason in readings.gap_reading(rows(STRICT, CONSTANT), "MET", why=why)
    assert reason in readings.surface_reading([constant], why=why)
    assert reason in readings.surface_reading(rows(STRICT, CONSTANT), why=why)
    assert reason in readings.cause_reading(cause_of(constant), why=why)
    both = readings.variance_reading(variances_of(row([[50, 0], [0, 0]]), 0.95), why=why)
    assert "has no standard error: <the reference gives one label only, MET>" in both
    assert reason in readings.variance_reading(variances_of(constant, 0.95), why=why)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([STRICT], "The judge says MET less often than the reference, significantly."),
        ([LENIENT], "The judge says MET more often than the reference, significantly."),
        ([EVEN], "There is no significant label-rate bias."),
        ([EVEN, EVEN], "On none of 2 criteria is the label-rate bias significant, Holm’s correction for 2 criteria."),
        ([STRICT, STRICT], "The judge says MET significantly less often on 2 of 2 criteria, Holm’s correction for 2 criteria."),
        (
            [STRICT, LENIENT, EVEN],
            "The judge says MET significantly more often on 1, less often on 1 of 3 criteria, Holm’s correction for 3 criteria; "
            "on 1 the bias is not significant.",
        ),
    ],
)
def test_the_habit_in_words(counts, expected) -> None:
    assert habit_reading(rows(*counts), "MET") == expected


def test_many_criteria_are_corrected_for_their_number() -> None:
    thin = [[44, 6], [0, 50]]
    assert habit_reading(rows(thin), "MET") == "The judge says MET less often than the reference, significantly."
    none = "On none of 3 criteria is the label-rate bias significant, Holm’s correction for 3 criteria."
    assert habit_reading(rows(thin, EVEN, EVEN), "MET") == none
    assert "less often on 1 of 3" in habit_reading(rows(STRICT, EVEN, EVEN), "MET")


def test_no_interval_no_habit() -> None:
    assert habit_reading(rows(STRICT, interval="none"), "MET") == ""


def test_the_habit_of_judges() -> None:
    found = [GapRow(f"j{i}", row(counts).block) for i, counts in enumerate((STRICT, LENIENT, LENIENT, EVEN))]
    expected = (
        "Of 4 judges 2 say MET more often and 1 less often than the reference, significantly, Holm’s correction for 4 judges; "
        "on 1 the bias is not significant."
    )
    assert habit_reading(found, "MET", "judge") == expected
    assert habit_reading(found[:1] * 2, "MET", "judge") == (
        "Of 2 judges 2 say MET less often than the reference, significantly, Holm’s correction for 2 judges."
    )
    assert "f 2 judges 1 says MET less often than the reference, significantly, Holm’s correction for 2 judges;" in habit_reading(
        [found[0], found[3]], "MET", "judge"
    )


def test_the_surface_in_words() -> None:
    found = rows(STRICT, EVEN, CONSTANT)
    text = readings.surface_reading(found)
    assert text.startswith(f"on the diagonal κ = φ; c0 keeps {round(100 * found[1].ratio)}\u00a0% of φ.")
    assert "1 below it, where it is the smaller one; 1 on it." in text
    assert text.endswith("Without a place: c2, because the judge gives one label only, MET.")
    assert "Both are above it" in readings.surface_reading(rows(LENIENT, LENIENT))
    assert "All 3 are above it" in readings.surface_reading(rows(LENIENT, LENIENT, LENIENT))
    assert readings.surface_reading([row(EVEN)]) == "on the diagonal κ = φ, and it lies there."
    assert readings.surface_reading([row(ZERO)]).endswith("c0 keeps 80\u00a0% of φ, which is 0 there.")
    assert readings.surface_reading([row(CONSTANT)]).startswith("nothing has a place here")


@pytest.mark.parametrize(
    ("counts", "judge", "human", "verdicts"),
    [
        (STRICT, "more", "less", "5 false passes against 30 missed passes"),
        (LENIENT, "less", "more", "30 false passes against 5 missed passes"),
    ],
)
def test_the_cause_in_words(counts, judge, human, verdicts) -> None:
    text = told(readings.cause_reading(cause_of(row(counts))))
    assert "not significant" not in text
    assert f"would have to say MET 25 points {judge} often, that is 25 verdicts on balance ({verdicts})" in text
    assert f"or the human 25 points {human} often. Then κ = φ" in text


def test_answers_to_choose_from_are_not_missed() -> None:
    """Of two answers A and B none is a false alarm: the errors are named by what was said for what."""
    chosen = bare([[40, 30], [5, 25]])
    text = told(readings.cause_reading(cause_of(chosen), named=True))
    assert "25 verdicts on balance (5 MET for UNMET against 30 UNMET for MET)" in text
    assert not any(word in text for word in ("missed pass", "false pass"))
    assert "5 false passes against 30 missed passes" in told(readings.cause_reading(cause_of(chosen)))


def test_the_cause_of_a_bias_that_is_not_significant_says_so() -> None:
    assert "The difference is not significant." in readings.cause_reading(cause_of(row([[40, 9], [10, 41]])))


def test_moving_the_rate_as_told_closes_the_gap() -> None:
    cause = cause_of(row(STRICT))
    changed = np.array(STRICT) + np.array([[0, 0], [-cause.surplus, cause.surplus]])
    one = bare(changed)
    assert one.state == "no drift"
    assert one.kappa == pytest.approx(one.phi)


def test_the_cause_speaks_of_items_where_items_are_counted() -> None:
    for counts in (STRICT, EVEN, ZERO):
        by_item = readings.cause_reading(cause_of(row(counts)), "items")
        assert "of items, " in by_item
        assert "decision" not in by_item


def test_the_cause_without_drift_with_phi_zero_and_undefined() -> None:
    assert "so A = B and κ = φ, whatever the errors are." in readings.cause_reading(cause_of(row(EVEN)))
    zero = readings.cause_reading(cause_of(row(ZERO)))
    assert "the gap is 0 whatever the label-rate bias" in zero
    assert "The ratio 0.800 comes from the rates alone" in zero
    assert "Then κ = φ" not in zero
    assert "There is no ratio: the judge gives one label only" in readings.cause_reading(cause_of(row(CONSTANT)))
    both = readings.cause_reading(cause_of(row([[25, 25], [25, 25]])))
    assert both.endswith("φ is 0 here, so both are 0.")
    assert "no decision is left" in readings.cause_reading(cause_of(bare([[0, 0], [0, 0]])))


def test_the_ratio_written_out_holds_its_numbers() -> None:
    text = written_out(cause_of(row(ZERO)))
    numbers = re.findall(r"\d+\.\d+", text)
    assert {"0.200", "0.500", "0.100", "0.400", "0.800"} <= set(numbers)
    tiny = re.findall(r"\d+\.\d+", written_out(cause_of(bare([[1, 3], [2, 100_000]]))))
    assert all(float(number) > 0 for number in tiny)


@pytest.mark.parametrize(("counts", "words"), [(STRICT, "−25 points ["), (LENIENT, "+25 points ["), (EVEN, "0 points [")])
def test_the_sentence_for_a_paper(counts, words) -> None:
    its = report(counts, EVEN, names=["*Tone*", "other"])
    one = next(one for one in by_criterion(its.judges["j"]) if one.name == "*Tone*")
    text = told(readings.paper_sentence(its, "j", "micro", one))
    assert text.startswith("Agreement of j with h on *Tone*: φ = ")
    assert f"label-rate bias on MET {words}" in text
    assert "Cohen’s κ = " in text
    assert "reported once" in text
    assert "n = 100; binary; no abstentions." in text
    assert "over 2 criteria" not in text


def test_the_sentence_for_all_criteria_and_without_phi() -> None:
    its = report(STRICT, LENIENT)
    text = readings.paper_sentence(its, "j", "micro", pooled(its.judges["j"], "micro"))
    assert text.startswith("Agreement of j with h: φ = ")
    assert text.endswith("n = 200; binary; no abstentions; micro over 2 criteria.")
    none = readings.paper_sentence(report(CONSTANT), "j", "micro", row(CONSTANT))
    assert "has no φ: the judge gives one label only, MET; Cohen’s κ = 0.00" in none


def test_five_names_in_words() -> None:
    assert readings.five_reading(five_names(EVEN)).startswith("five names, one number: 0.60. ")
    assert "none of the five is defined" in readings.five_reading(five_names(CONSTANT))
    from metrics.analyses.kappa_phi.five import Five

    assert "more than rounding explains" in readings.five_reading(Five({"φ": 0.6}, 1e-6))
    assert readings.small(2.2e-16) == "2.2 × 10⁻¹⁶"
    assert readings.small(0) == "0"


def test_a_judge_is_named_where_judges_are_the_rows() -> None:
    """Of two judges one gives one label only: the sentence names the other, and the one without φ."""
    some, none = replace(rows(STRICT)[0], name="a"), replace(rows(CONSTANT)[0], name="b")
    assert habit_reading([some], "MET", "judge") == "a says MET less often than the reference, significantly."
    assert " φ is undefined for b: " in readings.gap_reading([some, none], "MET", "judge")
    assert " φ is undefined on b: " in readings.gap_reading([some, none], "MET")


def test_no_decision_left_is_said_once() -> None:
    text = readings.cause_reading(replace(cause_of(row(CONSTANT)), n=0))
    assert text.startswith("there is no ratio: ")
    assert "the judge says" in readings.cause_reading(cause_of(row(CONSTANT)))
