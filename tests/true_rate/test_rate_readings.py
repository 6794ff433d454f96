from __future__ import annotations

import pytest

from metrics.analyses.true_rate.compute import compare_rates, correct_prevalence
from metrics.analyses.true_rate.golden import golden_set
from metrics.analyses.true_rate.measured import prediction_powered
from metrics.analyses.true_rate.readings import (
    difference_reading,
    golden_origin,
    needed_reading,
    powered_reading,
    quote,
    rate_origin,
    reading,
)
from metrics.results.words import percent1

P = "\u00a0%"
GOLDEN = [[427, 140], [19, 433]]
EVEN = [[90, 10], [10, 90]]


@pytest.mark.parametrize(
    ("k", "said"),
    [
        (
            340,
            f"a measured 34.0{P} of decisions for MET stands for a true 41.9{P} [37.0, 46.8{P}]: "
            "the judge says MET 7.9\u00a0points too",
        ),
        (60, "too often"),
    ],
)  # fmt: skip
def test_both_directions(k, said) -> None:
    assert said in reading(correct_prevalence(k, 1000, GOLDEN), "MET")


def test_whether_the_raw_rate_would_do() -> None:
    assert "The raw rate lies outside the interval of the true one." in reading(correct_prevalence(340, 1000, GOLDEN), "MET")
    within = reading(correct_prevalence(30, 200, EVEN), "MET")
    assert "The raw rate lies within the interval of the true one." in within
    assert "the two do not differ significantly" in within
    assert "too often" not in within


def test_errors_that_cancel() -> None:
    assert "here its false negatives and its false positives cancel" in reading(correct_prevalence(500, 1000, EVEN), "MET")


def test_outside_the_range_is_said() -> None:
    below = reading(correct_prevalence(120, 1000, [[63, 20], [133, 784]]), "MET")
    assert f"The estimate was \u22124.0{P} and is moved into the range." in below
    ends = reading(correct_prevalence(150, 1000, [[63, 20], [133, 784]]), "MET")
    assert f"The lower end was \u22124.4{P} and is moved into the range." in ends
    both = reading(correct_prevalence(3, 6, [[9, 3], [3, 9]]), "MET")
    assert f"The ends were \u221232.7{P} and 132.7{P} and are moved into the range." in both


def test_a_rate_the_judge_cannot_report_is_refused() -> None:
    none = reading(correct_prevalence(0, 1000, [[63, 20], [133, 784]]), "MET")
    assert none == (
        f"no true rate can be given. This judge calls between 14.5{P} and 75.9{P} of answers positive whatever their true rate, "
        f"and 0.0{P} was measured, farther off than chance explains: its TPR and FPR do not hold for these answers."
    )


def test_a_rate_that_fits_within_the_noise_is_moved_and_said() -> None:
    found = correct_prevalence(1000, 1000, [[3, 0], [0, 100]])
    told = reading(found, "MET")
    assert f"stands for a true 100.0{P} [99.6, 100.0{P}]" in told
    assert f"The estimate was 125.1{P} and is moved into the range." in told
    assert f"The interval of Lang and Reiczigel, [100.3, 211.3{P}], lies outside the range" in told
    assert f"(95{P} interval of the rates that fit, Newcombe; golden set of 3" in quote(found, "j", "MET")


def test_a_square_off_the_line_is_explained() -> None:
    assert "The square stands 1.9\u00a0points off the line" in reading(correct_prevalence(500, 1000, [[9, 1], [1, 5]]), "MET")
    assert "off the line" not in reading(correct_prevalence(340, 1000, GOLDEN), "MET")
    never = reading(correct_prevalence(29, 50, [[29, 0], [0, 21]]), "MET")
    assert "a measured 58.0\u00a0%" in never
    assert "a true 57.4\u00a0%" in never
    assert "The square stands 0.6\u00a0points off the line" in never


def test_the_sentence_to_quote_has_everything() -> None:
    said = quote(correct_prevalence(340, 1000, GOLDEN), "strict", "MET")
    for part in ("says MET in 340 of 1\u202f000 decisions",
                 f"34.0{P} [31.1, 37.0{P}] as measured", f"41.9{P} [37.0, 46.8{P}] corrected",
                 "Lang–Reiczigel", "567 positive and 452 negative decisions", f"TPR 75.3{P}, FPR 4.2{P}"):  # fmt: skip
        assert part in said
    assert quote(correct_prevalence(340, 1000, GOLDEN), "strict", "MET", "criterion tone").endswith("; criterion tone).")
    refused = quote(correct_prevalence(30, 100, [[6, 5], [8, 9]]), "weak", "MET")
    assert "No corrected rate is given. The interval of J" in refused
    assert "covers 0" in refused


def test_refusals_are_read_as_such() -> None:
    assert reading(correct_prevalence(30, 100, [[6, 5], [8, 9]]), "MET").startswith(
        "no true rate can be given. The interval of J"
    )


def test_what_the_judge_adds_to_the_labels() -> None:
    said = powered_reading(prediction_powered([[45, 5], [12, 138]], 300, 1000), "MET")
    assert "the 200 human labels alone give 25.0" in said
    assert "worth about 403 labels" in said
    assert "add next to nothing" in powered_reading(prediction_powered([[25, 25], [75, 75]], 600, 1000), "MET")


def test_two_models_settled_or_not() -> None:
    golden = [[90, 10], [15, 185]]
    clear = difference_reading(compare_rates((120, 500), (170, 500), golden), "A", "B")
    assert clear == (
        "B lies 12\u00a0points above A [+5.3, +19\u00a0points] in true rate (+10\u00a0points as measured). The difference is "
        "significant: p <0.001 (test of two shares of the measured rates, which needs no correction)."
    )
    close = difference_reading(compare_rates((120, 500), (115, 500), golden), "A", "B")
    assert close.startswith("B minus A is \u22121.2\u00a0points [\u2212")
    assert "below" not in close
    assert "The difference is not significant: p 0.7" in close
    open_size = difference_reading(compare_rates((120, 500), (170, 500), [[6, 2], [1, 5]]), "A", "B")
    assert "The difference is significant: p <0.001" in open_size
    assert "How far is not" in open_size
    assert "exact McNemar" in difference_reading(compare_rates((120, 500), (170, 500), golden, both=100), "A", "B")
    alike = difference_reading(compare_rates((120, 500), (120, 500), golden), "A", "B")
    assert alike.startswith("B lies level with A [\u22126.5, +6.5\u00a0points] in true rate (0\u00a0points as measured).")
    none = difference_reading(compare_rates((0, 50), (0, 50), [[90, 10], [1, 199]]), "A", "B")
    assert none == "B lies level with A. No interval: the verdicts of the two models do not vary."
    apart = difference_reading(compare_rates((50, 50), (0, 50), [[190, 1], [1, 199]]), "A", "B")
    assert apart.startswith("B lies 100\u00a0points below A. No interval")
    assert "0.0\u00a0% was measured" in difference_reading(compare_rates((0, 500), (170, 500), golden), "A", "B")
    far_off = compare_rates((120, 500), (170, 500), [[30, 5], [9, 14]])
    assert [model.value for model in far_off.models] == [0.0, 0.0]
    assert difference_reading(far_off, "A", "B").startswith(
        "the true rates of A and B are moved into the range 0–100\u00a0%, the difference is that of the estimates before: "
        "B lies 23\u00a0points above A [+5.5, "
    )
    one_off = difference_reading(compare_rates((120, 500), (300, 500), [[30, 5], [9, 14]]), "A", "B")
    assert one_off.startswith("the true rate of A is moved into the range")
    assert "covers 0" in difference_reading(compare_rates((5, 50), (9, 50), [[6, 5], [8, 9]]), "A", "B")


def test_what_the_judge_costs() -> None:
    said = needed_reading(golden_set([[50, 150], [20, 780]]), 0.15, 0.25)
    assert "needs 2\u202f018 answers per model, one that never errs 250: 8.1 times as many" in said
    assert "1/φ² = 8.0, not 1/J² = 19.8" in said
    perfect = needed_reading(golden_set([[60, 0], [0, 140]]), 0.15, 0.25)
    assert perfect.endswith("this judge needs 250 answers per model, as many as one that never errs.")
    assert "no number of answers is enough" in needed_reading(golden_set([[20, 20], [30, 30]]), 0.15, 0.25)


def test_rates_keep_one_decimal() -> None:
    assert [percent1(x) for x in (0.034, -0.04, float("nan"), 0.0)] == [f"3.4{P}", f"\u22124.0{P}", "–", f"0.0{P}"]


def test_an_example_is_called_one_and_what_is_typed_or_measured_is_not() -> None:
    found = correct_prevalence(340, 1000, EVEN)
    assert golden_origin("example", "own.csv").startswith(
        "Example: this golden set is judge A of Collot et al., Table 1, not own.csv."
    )
    assert golden_origin("typed", "own.csv") == "This golden set is typed by hand and comes from no data."
    assert rate_origin("example", found, "j").startswith("Example: the measured rate, 340 of 1\u202f000, comes from no data.")
    assert rate_origin("typed", found, "j") == ""
    assert rate_origin("rest", found, "j") == "Measured on the 1\u202f000 answers of this file that carry no human label."
    own = rate_origin("judge", found, "j")
    assert own.startswith("The measured rate is that of j on its 1\u202f000 verdicts in this file, golden set included.")
    assert f"The reference calls 50.0{P} of the golden set positive." in own
    assert quote(found, "j", "MET", example=True) == f"Example, no data: {quote(found, 'j', 'MET')}"


def test_a_judge_without_an_error_has_none_that_cancel() -> None:
    said = reading(correct_prevalence(500, 1000, [[100, 0], [0, 100]]), "MET")
    assert "the judge makes no error in the golden set" in said
    assert "cancel" not in said


@pytest.mark.parametrize(("golden", "said"), [([[10, 90], [90, 10]], True), (EVEN, False), ([[50, 50], [55, 45]], False)])
def test_a_rate_that_falls_as_the_true_one_rises_is_told(golden, said) -> None:
    notes = " ".join(correct_prevalence(400, 1000, golden).notes)
    assert ("Its rate falls as the true one rises" in notes) == said
