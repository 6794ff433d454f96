from __future__ import annotations

import pytest

from metrics.correcting.correction import compare_rates, correct_prevalence
from metrics.correcting.golden import golden_set
from metrics.correcting.labelled_part import prediction_powered
from metrics.correcting.said import difference_reading, needed_reading, percent1, powered_reading, quote, reading

P = "\u00a0%"
GOLDEN = [[427, 140], [19, 433]]
EVEN = [[90, 10], [10, 90]]


@pytest.mark.parametrize(
    ("k", "said"),
    [
        (340, f"a measured 34.0{P} of MET stands for a true 41.9{P} [37.0, 46.8{P}]: the judge says MET 7.9\u00a0points too"),
        (60, "too often"),
    ],
)  # fmt: skip
def test_both_directions(k, said) -> None:
    assert said in reading(correct_prevalence(k, 1000, GOLDEN), "MET")


def test_whether_the_raw_rate_would_do() -> None:
    assert "The raw rate lies outside the interval of the true one." in reading(correct_prevalence(340, 1000, GOLDEN), "MET")
    assert "The raw rate lies within the interval of the true one." in reading(correct_prevalence(30, 200, EVEN), "MET")


def test_errors_that_cancel() -> None:
    assert "here its misses and its false alarms cancel" in reading(correct_prevalence(500, 1000, EVEN), "MET")


def test_outside_the_range_is_said() -> None:
    below = reading(correct_prevalence(120, 1000, [[63, 20], [133, 784]]), "MET")
    assert f"The estimate was \u22124.0{P} and is moved into the range." in below
    ends = reading(correct_prevalence(150, 1000, [[63, 20], [133, 784]]), "MET")
    assert f"The lower end was \u22124.4{P} and is moved into the range." in ends
    none = reading(correct_prevalence(0, 1000, [[63, 20], [133, 784]]), "MET")
    assert "do not fit these answers" in none


def test_the_sentence_to_quote_has_everything() -> None:
    said = quote(correct_prevalence(340, 1000, GOLDEN), "strict", "MET")
    for part in ("340 of 1\u202f000 answers MET", f"34.0{P} [31.1, 37.0{P}] as measured", f"41.9{P} [37.0, 46.8{P}] corrected",
                 "Lang–Reiczigel", "567 positive and 452 negative", f"TPR 75.3{P}, FPR 4.2{P}"):  # fmt: skip
        assert part in said
    refused = quote(correct_prevalence(30, 100, [[6, 5], [8, 9]]), "weak", "MET")
    assert "No corrected rate" in refused
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
    assert (
        "B lies 12\u00a0points above A [+5.3, +19\u00a0points] in true rate (+10\u00a0points as measured): settled; p <0.001"
        in clear
    )
    close = difference_reading(compare_rates((120, 500), (115, 500), golden), "A", "B")
    assert "below A" in close
    assert "not settled" in close
    assert "do not vary" in difference_reading(compare_rates((0, 50), (0, 50), golden), "A", "B")
    assert "covers 0" in difference_reading(compare_rates((5, 50), (9, 50), [[6, 5], [8, 9]]), "A", "B")


def test_what_the_judge_costs() -> None:
    said = needed_reading(golden_set([[50, 150], [20, 780]]), 0.15, 0.25)
    assert "needs 2\u202f018 answers per model, one that never errs 250: 8.1 times as many" in said
    assert "1/φ² = 8.0, not 1/J² = 19.8" in said
    assert "no number of answers would do" in needed_reading(golden_set([[20, 20], [30, 30]]), 0.15, 0.25)


def test_rates_keep_one_decimal() -> None:
    assert [percent1(x) for x in (0.034, -0.04, float("nan"), 0.0)] == [f"3.4{P}", f"\u22124.0{P}", "–", f"0.0{P}"]
