"""The corrected rate: published values, a second route by exact fractions, coverage, refusals, two models."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

import metrics
from metrics.analyses.labelling import Verification
from metrics.analyses.true_rate.compute import compare_rates, correct_prevalence, fitting_rates, lang_reiczigel
from metrics.analyses.true_rate.golden import golden_rates, golden_set, two_shares_p
from metrics.intervals.single_table import wilson
from metrics.measures.transforms import Interval

GOLDEN = [[63, 20], [133, 784]]
JUDGES = [(0.95, 0.05), (0.8, 0.1), (0.76, 0.15)]


@pytest.mark.parametrize("entry", ["ext.rogan_gladen.120_1000_83", "ext.rogan_gladen.250_1000_83", "ext.rogan_gladen.90_500_50"])
def test_published_corrections(published, entry) -> None:
    record = published[entry]
    given, expected = record["inputs"], record["expected"]
    golden = [[given["TP"], given["n_pos"] - given["TP"]], [given["FP"], given["n_neg"] - given["FP"]]]
    found = correct_prevalence(given["judge_positive"], given["n"], golden, confidence=given["level"])
    low, high = expected["lr_lo_unclipped"], expected["lr_hi_unclipped"]
    assert found.unclipped.value == pytest.approx(expected["lr_point"], abs=1e-10)
    assert found.unclipped.ends == pytest.approx((low, high), abs=1e-10)
    assert sum(found.unclipped.ends) / 2 - found.unclipped.value == pytest.approx(expected["lr_shift"], abs=1e-10)
    assert found.clipped == (low < 0)
    assert found.ends == pytest.approx((max(low, 0.0), high), abs=1e-10)
    assert found.value == max(found.unclipped.value, 0.0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 300), st.integers(300, 900), st.tuples(*[st.integers(0, 60)] * 4), st.sampled_from([0.8, 0.9, 0.95, 0.99])
)  # fmt: skip
def test_interval_from_exact_fractions(k, n, cells, confidence) -> None:
    tp, fn, fp, tn = cells
    if (tp + 1) * (fp + tn + 2) == (fp + 1) * (tp + fn + 2) or not sum(cells):
        return
    z = Fraction(float(norm.ppf((1 + confidence) / 2))).limit_denominator(10**12)
    tpr, fpr = Fraction(tp + 1, tp + fn + 2), Fraction(fp + 1, fp + tn + 2)
    y = (k + z**2 / 2) / (n + z**2)
    x = (y - fpr) / (tpr - fpr)
    vt, vf = tpr * (1 - tpr) / (tp + fn + 2), fpr * (1 - fpr) / (fp + tn + 2)
    variance = (y * (1 - y) / (n + z**2) + x**2 * vt + (1 - x) ** 2 * vf) / (tpr - fpr) ** 2
    middle, reach = float(x + 2 * z**2 * (x * vt - (1 - x) * vf)), float(z) * math.sqrt(variance)
    golden = golden_set([[tp, fn], [fp, tn]], confidence, Interval(0.1, 0.2, "jackknife"))
    rate = lang_reiczigel(k, n, golden, confidence)
    assert rate.value == pytest.approx(float(x), rel=1e-9, abs=1e-9)
    assert rate.ends == pytest.approx((middle - reach, middle + reach), rel=1e-8, abs=1e-8)


def test_coverage_raw_ignoring_the_golden_set_and_corrected() -> None:
    """Raw rate, plug-in that takes the golden set as exact, and the corrected rate, over the grid of three sizes."""
    rng, hits, cells = np.random.default_rng(7), np.zeros(3), []
    for tpr, fpr in JUDGES:
        for x in (0.02, 0.1, 0.3):
            for n, n_positive, n_negative in ((200, 50, 50), (1000, 83, 300), (5000, 200, 800)):
                cells.append(_cell(rng, tpr, fpr, x, n, n_positive, n_negative, 120))
                hits += cells[-1]
    raw, plug_in, corrected = hits / len(cells)
    assert raw == pytest.approx(0.18, abs=0.06)
    assert 0.65 < plug_in < 0.85
    assert corrected == pytest.approx(0.955, abs=0.012)
    assert min(cell[2] for cell in cells) > 0.89


def _cell(rng, tpr, fpr, x, n, n_positive, n_negative, draws) -> np.ndarray:
    y, hits = fpr + (tpr - fpr) * x, np.zeros(3)
    for _ in range(draws):
        tp, fp, k = rng.binomial(n_positive, tpr), rng.binomial(n_negative, fpr), rng.binomial(n, y)
        golden = golden_set([[tp, n_positive - tp], [fp, n_negative - fp]], interval=Interval(0.1, 0.9, "jackknife"))
        raw = wilson(k, n, 0.95)
        plug = [(end - golden.fpr) / golden.youden_j.value for end in raw]
        ends = lang_reiczigel(k, n, golden).ends
        hits += [raw[0] <= x <= raw[1], plug[0] <= x <= plug[1], ends[0] <= x <= ends[1]]
    return hits / draws


def test_refused_when_the_interval_of_j_holds_zero() -> None:
    found = correct_prevalence(30, 100, [[6, 5], [8, 9]])
    assert found.golden.youden_j.ends is not None
    assert found.golden.youden_j.ends[0] <= 0 <= found.golden.youden_j.ends[1]
    low, high = (metrics.results.words.number(end) for end in found.golden.youden_j.ends)
    assert (
        found.undefined
        == f"The interval of J, [{low}, {high}], covers 0: this golden set does not show that the judge can measure a rate."
    )
    assert math.isnan(found.value)
    assert not found.clipped
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_judge_that_runs_backwards_can_still_measure() -> None:
    flipped = [[20, 63], [784, 133]]
    straight, turned = correct_prevalence(250, 1000, GOLDEN), correct_prevalence(750, 1000, flipped)
    assert turned.undefined == ""
    assert turned.unclipped.value == pytest.approx(straight.unclipped.value)
    assert turned.unclipped.ends == pytest.approx(straight.unclipped.ends)


def test_swapping_the_labels_swaps_the_rate() -> None:
    straight = correct_prevalence(250, 1000, GOLDEN)
    other = correct_prevalence(750, 1000, [[784, 133], [20, 63]])
    assert other.unclipped.value == pytest.approx(1 - straight.unclipped.value)
    assert other.unclipped.ends == pytest.approx(tuple(1 - end for end in straight.unclipped.ends[::-1]))


@pytest.mark.parametrize(
    ("golden", "said"),
    [
        ([[0, 0], [3, 40]], "no positive item"),
        ([[40, 3], [0, 0]], "no negative item"),
        ([[40, 0], [9, 0]], "called every golden item positive"),
        ([[0, 40], [0, 9]], "called every golden item negative"),
    ],
)
def test_golden_sets_that_say_nothing(golden, said) -> None:
    found = correct_prevalence(30, 100, golden)
    assert said in found.undefined
    assert math.isnan(found.value)


def test_refused_when_only_judge_positives_carry_labels() -> None:
    labelled = Verification(positive_labelled=50, positive=50, negative_labelled=0, negative=200)
    assert (
        "Only answers the judge called positive carry human labels"
        in correct_prevalence(50, 250, GOLDEN, labelled=labelled).undefined
    )
    other = Verification(0, 50, 80, 200)
    assert "false positives were never seen" in correct_prevalence(50, 250, GOLDEN, labelled=other).undefined


def test_labels_that_follow_the_verdict_are_pointed_out() -> None:
    bent = Verification(90, 100, 20, 400)
    found = correct_prevalence(100, 500, GOLDEN, labelled=bent)
    assert found.undefined == ""
    assert any("more common on answers the judge called positive (90\u00a0%)" in note for note in found.notes)
    assert Verification(20, 100, 80, 400).warning() == ""
    assert Verification(50, 50, 200, 200).warning() == ""


def test_which_answers_are_labelled_from_the_counts() -> None:
    seen = Verification.of(golden_set(GOLDEN).counts, 340, 1000)
    assert (seen.positive_labelled, seen.positive, seen.negative_labelled, seen.negative) == (196, 536, 804, 1464)
    assert "more common on answers the judge called negative (55\u00a0%)" in seen.not_random()
    assert Verification.of(golden_set(GOLDEN).counts, 196, 1000).not_random() == ""


def test_few_golden_items_are_said() -> None:
    assert any("only 12 positive items;" in note for note in correct_prevalence(20, 100, [[11, 1], [2, 60]]).notes)
    assert any("only 1 positive item;" in note for note in correct_prevalence(20, 100, [[1, 0], [2, 60]]).notes)
    assert not any("only" in note for note in correct_prevalence(20, 100, [[40, 4], [2, 60]]).notes)


@pytest.mark.parametrize(("k", "n"), [(-1, 10), (11, 10), (0, 0)])
def test_impossible_rates_are_refused(k, n) -> None:
    with pytest.raises(metrics.InputError, match="number of answers"):
        correct_prevalence(k, n, GOLDEN)


@pytest.mark.parametrize("golden", [[[0, 0], [0, 0]], [[-1, 2], [3, 4]], [[1, 2, 3], [4, 5, 6]]])
def test_impossible_golden_sets_are_refused(golden) -> None:
    with pytest.raises(metrics.InputError, match="golden set"):
        correct_prevalence(1, 10, golden)


def test_raw_rate_and_its_interval() -> None:
    found = correct_prevalence(250, 1000, GOLDEN)
    ends = binomtest(250, 1000).proportion_ci(method="wilson")
    assert (found.raw.value, *found.raw.ends) == pytest.approx((0.25, ends.low, ends.high), abs=1e-10)


def test_two_models_on_their_own_prompts() -> None:
    found = compare_rates((120, 500), (170, 500), [[90, 10], [15, 185]])
    tpr, fpr = 91 / 102, 16 / 202
    j, vt, vf = tpr - fpr, tpr * (1 - tpr) / 102, fpr * (1 - fpr) / 202
    d = (0.34 - 0.24) / j
    v = (0.24 * 0.76 + 0.34 * 0.66) / 500
    reach = 1.959963984540054 * math.sqrt((v + d * d * (vt + vf)) / j**2)
    assert found.difference.value == pytest.approx(d)
    assert found.difference.ends == pytest.approx((d - reach, d + reach))
    assert found.p == pytest.approx(proportions_ztest([170, 120], [500, 500])[1])
    assert two_shares_p(0, 5, 0, 9) != two_shares_p(0, 5, 0, 9)


def test_two_models_on_the_same_prompts() -> None:
    found = compare_rates((120, 500), (170, 500), [[90, 10], [15, 185]], both=100)
    apart = compare_rates((120, 500), (170, 500), [[90, 10], [15, 185]])
    assert found.p == pytest.approx(binomtest(20, 90).pvalue)
    assert found.difference.value == apart.difference.value
    assert found.difference.ends[1] - found.difference.ends[0] < apart.difference.ends[1] - apart.difference.ends[0]
    at_chance = compare_rates((120, 500), (170, 500), [[90, 10], [15, 185]], both=41)  # 500 · .24 · .34: independent answers
    assert at_chance.difference.ends[1] - at_chance.difference.ends[0] == pytest.approx(
        apart.difference.ends[1] - apart.difference.ends[0], rel=0.01
    )


@pytest.mark.slow("simulates")
def test_coverage_of_a_difference_of_two_models() -> None:
    rng, hits, draws = np.random.default_rng(9), np.zeros(2), 1200
    x1, x2, n = 0.15, 0.27, 400
    for _ in range(draws):
        tp, fp = rng.binomial(100, 0.85), rng.binomial(300, 0.1)
        golden = golden_set([[tp, 100 - tp], [fp, 300 - fp]], interval=Interval(0.1, 0.9, "jackknife"))
        k = [int(rng.binomial(n, 0.1 + 0.75 * x)) for x in (x1, x2)]
        found = compare_rates((k[0], n), (k[1], n), golden).difference.ends
        hard = rng.random(n)
        says = [rng.random(n) < np.where(hard < x, 0.85, 0.1) for x in (x1, x2)]
        same = compare_rates((says[0].sum(), n), (says[1].sum(), n), golden, both=int((says[0] & says[1]).sum())).difference.ends
        hits += [found[0] <= x2 - x1 <= found[1], same[0] <= x2 - x1 <= same[1]]
    assert hits / draws == pytest.approx([0.95, 0.95], abs=0.022)


@pytest.mark.parametrize("both", [-1, 121, 0])
def test_impossible_pairs_are_refused(both) -> None:
    with pytest.raises(metrics.InputError, match="both answers"):
        compare_rates((120, 130), (125, 130), GOLDEN, both=both)


def test_pairs_need_equal_numbers() -> None:
    with pytest.raises(metrics.InputError, match="same number"):
        compare_rates((12, 130), (12, 131), GOLDEN, both=3)


def test_models_without_any_positive_have_no_interval() -> None:
    found = compare_rates((0, 50), (0, 50), [[90, 10], [1, 199]])
    assert found.difference.undefined == ""
    assert found.difference.value == 0
    assert found.difference.ends is None
    assert "do not vary" in found.difference.no_interval
    json.dumps(found.to_dict(), allow_nan=False)


def test_difference_refused_with_the_judge() -> None:
    found = compare_rates((10, 50), (20, 50), [[6, 5], [8, 9]])
    assert "covers 0" in found.difference.undefined
    assert math.isnan(found.difference.value)
    assert 0 < found.p < 1


def test_a_rate_outside_what_the_judge_reports_is_refused() -> None:
    found = correct_prevalence(340, 1000, [[975, 171], [308, 24]])  # real: TPR .85, FPR .93
    assert found.golden.refusal() == ""
    assert found.unclipped.ends[0] > 1
    assert "between 85.1\u00a0% and 92.8\u00a0% of answers positive" in found.undefined
    assert math.isnan(found.value)
    assert not found.clipped
    told = found.to_dict()
    assert told["interval"] is None
    assert told["unclipped_interval"] == list(found.unclipped.ends)
    json.dumps(told, allow_nan=False)
    assert correct_prevalence(900, 1000, [[975, 171], [308, 24]]).undefined == ""


def test_a_rate_that_a_perfect_judge_of_three_positives_reports_is_not_refused() -> None:
    """3 of 3 and 0 of 100: the interval of Lang and Reiczigel lies above 1 altogether, yet a true rate of 1 fits."""
    found = correct_prevalence(1000, 1000, [[3, 0], [0, 100]])
    assert found.unclipped.ends[0] > 1
    assert (found.undefined, found.value, found.clipped) == ("", 1.0, True)
    # y = TPR = 1 and FPR = 0, so u = 1 − x agrees up to u² = (1 − low)² + (u · FPR's upper end)².
    z2 = norm.ppf(0.975) ** 2
    low, fpr_high = 1000 / (1000 + z2), z2 / (100 + z2)
    assert found.ends == pytest.approx((1 - (1 - low) / math.sqrt(1 - fpr_high**2), 1.0), abs=1e-9)
    told = found.to_dict()
    assert told["interval_method"] == "newcombe"
    assert told["unclipped_interval"][0] > 1
    mirrored = correct_prevalence(0, 1000, [[100, 0], [0, 3]])
    assert mirrored.ends == pytest.approx((0.0, 1 - found.ends[0]))
    assert correct_prevalence(250, 1000, GOLDEN).to_dict()["interval_method"] == "lang_reiczigel"


def test_what_fits_at_an_end_is_the_difference_of_two_rates() -> None:
    """At x of 0 and of 1 the rate agrees where Newcombe's interval of two independent rates includes 0."""
    for k, fp, tp in ((5, 10, 90), (2, 10, 90), (0, 3, 90), (100, 4, 80), (100, 4, 97), (99, 4, 92)):
        golden = golden_set([[tp, 100 - tp], [fp, 100 - fp]])
        agrees = []
        for hit in (fp, tp):
            low, high = confint_proportions_2indep(k, 100, hit, 100, method="newcomb", compare="diff")
            agrees.append(low <= 0 <= high)
        found = fitting_rates(k, 100, golden)
        if not any(agrees):
            assert found is None
        else:
            assert found is not None
            assert [found[0] == 0, found[1] == 1] == agrees


def test_what_is_refused_lies_beyond_the_rates_of_the_judge() -> None:
    """Golden sets of 2 to 7 positives: never a rate between FPR and TPR, never one that the noise of both lets through."""
    refused = fitted = 0
    for positives, negatives, n in itertools.product((2, 3, 4, 5, 7), (5, 30, 300), (8, 200, 20_000)):
        for tp, fp in itertools.product(range(positives + 1), (0, 1, negatives // 2, negatives)):
            golden = golden_set([[tp, positives - tp], [fp, negatives - fp]])
            if golden.refusal():
                continue
            for k in (0, 1, n // 50, n // 3, n - n // 50, n - 1, n):
                found = correct_prevalence(k, n, golden)
                if found.undefined:
                    refused += 1
                    low, high = sorted((golden.tpr, golden.fpr))
                    assert not low <= found.raw.value <= high
                    ofs = (golden.tp, positives), (golden.fp, negatives)
                    near, of = min(ofs, key=lambda own: abs(found.raw.value - own[0] / own[1]))
                    ends = confint_proportions_2indep(k, n, near, of, method="newcomb", compare="diff")
                    assert not ends[0] <= 0 <= ends[1]
                else:
                    fitted += found.fits
                    assert 0 <= found.ends[0] <= found.value <= found.ends[1] <= 1
                    assert found.ends[0] < found.ends[1]
    assert refused > 100
    assert fitted > 20


def test_the_value_lies_in_its_interval_which_is_never_empty() -> None:
    """Every golden set up to 6 and 5 items, every measured rate of 8."""
    seen = 0
    for tp in range(7):
        for fp in range(6):
            for k in range(9):
                found = correct_prevalence(k, 8, [[tp, 6 - tp], [fp, 5 - fp]])
                if not found.undefined:
                    seen += 1
                    assert 0 <= found.ends[0] <= found.value <= found.ends[1] <= 1
                    assert found.ends[0] < found.ends[1]
    assert seen > 50


def test_golden_set_from_published_rates() -> None:
    found, counted = golden_rates(63 / 83, 133 / 917, 83, 917), golden_set(GOLDEN)
    assert found.counts == pytest.approx(counted.counts)
    assert found.youden_j.ends == pytest.approx(counted.youden_j.ends)
    with pytest.raises(metrics.InputError, match="TPR must lie between 0 and 1"):
        golden_rates(1.2, 0.1, 10, 10)


def test_two_models_by_themselves_and_their_measured_difference() -> None:
    golden = [[90, 10], [15, 185]]
    found = compare_rates((120, 500), (170, 500), golden)
    assert found.models[0].ends == correct_prevalence(120, 500, golden).ends
    assert found.models[1].value == correct_prevalence(170, 500, golden).value
    expected = confint_proportions_2indep(170, 500, 120, 500, method="newcomb", compare="diff")
    assert found.raw.ends == pytest.approx(expected, abs=1e-9)
    assert not found.clipped


@pytest.mark.slow("simulates")
def test_coverage_of_the_measured_difference_on_the_same_prompts() -> None:
    rng, n, draws, hits = np.random.default_rng(4), 120, 1500, 0
    for shares in rng.multinomial(n, (0.25, 0.1, 0.2, 0.45), draws).tolist():
        both, first, second, _ = shares
        low, high = compare_rates((both + first, n), (both + second, n), [[90, 10], [5, 195]], both=both).raw.ends
        hits += low <= 0.1 <= high
    assert hits / draws == pytest.approx(0.95, abs=0.017)


def test_a_difference_beyond_the_range_is_moved_and_said() -> None:
    found = compare_rates((40, 100), (84, 100), [[38, 12], [18, 32]])
    assert found.difference.undefined == ""
    assert found.clipped
    assert -1 <= found.difference.ends[0] < found.difference.ends[1] <= 1


def test_a_difference_is_refused_where_a_model_or_its_labels_are() -> None:
    impossible = compare_rates((0, 500), (170, 500), [[90, 10], [15, 185]])
    assert impossible.difference.undefined == impossible.models[0].undefined != ""
    assert math.isnan(impossible.difference.value)
    only = Verification(positive_labelled=50, positive=50, negative_labelled=0, negative=200)
    assert compare_rates((120, 500), (170, 500), GOLDEN, labelled=only).difference.undefined.startswith(
        "Only answers the judge called positive"
    )
    json.dumps(impossible.to_dict(), allow_nan=False)
