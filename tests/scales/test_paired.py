"""Pairs of numbers: against SciPy, an analysis of variance, published examples, and by leaving units out one at a time."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from metrics.analyses.paired_numbers import KEYS, TRANSFORMS, Paired, changes, measures
from metrics.measures.arrays import FloatArray

pytestmark = pytest.mark.slow("every interval left out one by one")

RATED = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)
"""Six subjects by four judges: Shrout & Fleiss (1979), table 2."""
LARGE = np.array([494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427], float)
MINI = np.array([512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451], float)
"""Peak flow by two meters: Bland & Altman (1986), table 1, first readings."""


def drawn(n: int, seed: int, kind: str = "normal") -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(3, 1, n)
    y = 0.8 * x + rng.normal(0.4, 0.7, n)
    return (np.round(x), np.round(y)) if kind == "levels" else (x, y)


def by_anova(table: FloatArray) -> tuple[float, float]:
    """ICC(2,1) and ICC(3,1) of subjects by raters from the mean squares of a two-way analysis of variance."""
    n, k = table.shape
    subject, rater = np.indices(table.shape)
    data = pd.DataFrame({"value": table.ravel(), "subject": subject.ravel(), "rater": rater.ravel()})
    found = anova_lm(ols("value ~ C(subject) + C(rater)", data).fit())
    rows, columns, rest = (found["sum_sq"] / found["df"])[["C(subject)", "C(rater)", "Residual"]]
    return (rows - rest) / (rows + (k - 1) * rest + k * (columns - rest) / n), (rows - rest) / (rows + (k - 1) * rest)


def concordance(x: FloatArray, y: FloatArray) -> float:
    """Lin's coefficient as correlation times accuracy."""
    ratio, shift = y.std() / x.std(), (y.mean() - x.mean()) / np.sqrt(x.std() * y.std())
    return float(stats.pearsonr(x, y).statistic * 2 / (ratio + 1 / ratio + shift**2))


ORACLES: dict[str, Callable[[FloatArray, FloatArray], float]] = {
    "n": lambda x, y: len(x),
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall_tau_b": lambda x, y: stats.kendalltau(x, y).statistic,
    "rmse": lambda x, y: math.sqrt(sum((b - a) ** 2 for a, b in zip(x, y, strict=True)) / len(x)),
    "mae": lambda x, y: sum(abs(b - a) for a, b in zip(x, y, strict=True)) / len(x),
    "bias": lambda x, y: y.mean() - x.mean(),
    "bias_sd": lambda x, y: np.std(y - x, ddof=1),
    "bias_p": lambda x, y: stats.ttest_rel(y, x).pvalue,
    "bias_d": lambda x, y: np.mean(y - x) / np.std(y - x, ddof=1),
    "sd_ratio": lambda x, y: y.std() / x.std(),
    "ccc": concordance,
    "icc_2_1": lambda x, y: by_anova(np.column_stack([x, y]))[0],
    "icc_3_1": lambda x, y: by_anova(np.column_stack([x, y]))[1],
    "loa_low": lambda x, y: np.mean(y - x) - stats.norm.ppf(0.975) * np.std(y - x, ddof=1),
    "loa_high": lambda x, y: np.mean(y - x) + stats.norm.ppf(0.975) * np.std(y - x, ddof=1),
}


def values_of(x: FloatArray, y: FloatArray) -> dict[str, float]:
    return {key: one.value for key, one in measures(Paired(x, y), confidence=None).items()}


@pytest.mark.parametrize("kind", ["normal", "levels"])
@pytest.mark.parametrize("n", [3, 5, 12, 40])
def test_values_against_their_oracles(kind: str, n: int) -> None:
    for seed in range(3):
        x, y = drawn(n, seed, kind)
        if np.ptp(x) and np.ptp(y) and np.ptp(y - x):
            assert values_of(x, y) == pytest.approx({key: oracle(x, y) for key, oracle in ORACLES.items()}, abs=1e-10)
    assert list(values_of(x, y)) == list(KEYS) == list(ORACLES)


def test_shrout_and_fleiss() -> None:
    assert by_anova(RATED) == pytest.approx((0.29, 0.71), abs=0.005)
    for first in range(4):
        for second in range(4):
            if first != second:
                found = values_of(RATED[:, first], RATED[:, second])
                assert (found["icc_2_1"], found["icc_3_1"]) == pytest.approx(by_anova(RATED[:, [first, second]]), abs=1e-12)


def test_bland_and_altman() -> None:
    found = measures(Paired(MINI, LARGE))
    assert found["bias"].value == pytest.approx(-2.1, abs=0.05)
    assert found["bias_sd"].value == pytest.approx(38.8, abs=0.05)
    assert (found["loa_low"].value, found["loa_high"].value) == pytest.approx((-2.1 - 1.96 * 38.8, -2.1 + 1.96 * 38.8), abs=0.1)
    assert found["bias"].ends == pytest.approx((-22.0, 17.8), abs=0.1)
    published = {"loa_low": (-114.3, -45.1), "loa_high": (40.9, 110.1)}
    for key, ends in published.items():
        assert found[key].ends == pytest.approx(ends, abs=15)


def without(x: FloatArray, y: FloatArray, unit: np.ndarray, key: str) -> FloatArray:
    return np.array([ORACLES[key](x[unit != u], y[unit != u]) for u in np.unique(unit)])


def from_left_out(
    value: float, left: FloatArray, how: str | None, confidence: float, pairs: int | None = None
) -> tuple[float, float]:
    """The interval in use, written out: jackknife error on the number's own scale, ends on the transformed one."""
    n = len(left)
    reach = stats.t.ppf((1 + confidence) / 2, n - 1)
    error = math.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    half = reach * error
    if how == "fisher":
        centre, half = math.atanh(value), half / (1 - value**2)
        return math.tanh(centre - half), math.tanh(centre + half)
    if how == "root":
        # never less than of as many normal differences, and the wider of the logarithm and of Wilson and Hilferty's chi-square
        error = max(error, value / math.sqrt(2 * (pairs or n)))
        half, shrunk = reach * error, 4 / 9 * (error / value) ** 2
        ends = [value / (1 - shrunk + side * reach * math.sqrt(shrunk)) ** 1.5 for side in (1, -1)]
        return min(ends[0], value * math.exp(-half / value)), max(ends[1], value * math.exp(half / value))
    if how == "log":
        return value * math.exp(-half / value), value * math.exp(half / value)
    return value - half, value + half


@pytest.mark.parametrize("kind", ["normal", "levels"])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_leave_out_one_pair_at_a_time(kind: str, confidence: float) -> None:
    x, y = drawn(15, 3, kind)
    found = measures(Paired(x, y), confidence=confidence)
    for key, how in TRANSFORMS.items():
        left = without(x, y, np.arange(15), key)
        assert found[key].ends == pytest.approx(from_left_out(found[key].value, left, how, confidence), abs=1e-10), key
        assert found[key].interval.method == "jackknife"


def test_each_number_has_the_scale_on_which_its_interval_is_symmetric() -> None:
    found = measures(Paired(*drawn(15, 3)))
    for key in ("pearson", "spearman", "kendall_tau_b", "ccc", "icc_2_1", "icc_3_1"):
        low, middle, high = np.arctanh([found[key].ends[0], found[key].value, found[key].ends[1]])
        assert middle - low == pytest.approx(high - middle), key
    for key in ("mae", "bias_sd", "sd_ratio"):
        low, high = found[key].ends
        assert low * high == pytest.approx(found[key].value ** 2), key
    for key in ("bias", "bias_d"):
        assert sum(found[key].ends) == pytest.approx(2 * found[key].value), key


def test_intervals_leave_out_whole_units() -> None:
    x, y = drawn(40, 4)
    unit = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 7, 8, 4]) * 3 + 100
    found = measures(Paired(x, y, np.random.default_rng(0).permutation(unit), word="dialogues"))
    found_in_order = measures(Paired(x, y, unit, word="dialogues"))
    for key, how in TRANSFORMS.items():
        if key not in ("spearman", "kendall_tau_b"):
            left = without(x, y, unit, key)
            expected = from_left_out(found_in_order[key].value, left, how, 0.95, len(x))
            assert found_in_order[key].ends == pytest.approx(expected, abs=1e-10), key
        assert found_in_order[key].interval.note == "only 9 dialogues"
        assert found[key].value == pytest.approx(found_in_order[key].value)
        if key != "rmse":  # here that of as many normal differences, whatever the units
            assert found[key].ends != pytest.approx(found_in_order[key].ends)


@pytest.mark.parametrize("key", ["spearman", "kendall_tau_b"])
def test_rank_correlations_without_a_unit_are_close_to_exact(key: str) -> None:
    rng = np.random.default_rng(8)
    unit = np.repeat(np.arange(60), 4)
    common = rng.normal(size=(60, 2))[unit]
    x, y = common[:, 0] + rng.normal(size=240), common.sum(1) + rng.normal(size=240)
    found = measures(Paired(x, y, unit))[key]
    exact = from_left_out(found.value, without(x, y, unit, key), "fisher", 0.95)
    assert found.ends == pytest.approx(exact, abs=0.004)
    single = measures(Paired(x, y))[key]
    assert found.interval.high - found.interval.low > 1.2 * (single.interval.high - single.interval.low)


def test_changes_stand_at_their_units_in_whatever_order_pairs_come() -> None:
    x, y = drawn(12, 13)
    mixed = np.random.default_rng(3).permutation(12)
    found, sorted_ones = changes(Paired(x, y, mixed)), changes(Paired(x[np.argsort(mixed)], y[np.argsort(mixed)]))
    for key, own in sorted_ones.items():
        np.testing.assert_allclose(found[key], own, atol=1e-12, err_msg=key)


def test_units_of_equal_size_are_tested_by_their_means() -> None:
    x, y = drawn(40, 5)
    unit = np.repeat(np.arange(10), 4)
    means = (y - x).reshape(10, 4).mean(1)
    found = measures(Paired(x, y, unit))
    assert found["bias_p"].value == pytest.approx(stats.ttest_1samp(means, 0).pvalue, rel=1e-9)
    assert found["bias"].ends == pytest.approx(stats.ttest_1samp(means, 0).confidence_interval(), rel=1e-9)


def test_p_and_interval_of_the_bias_say_the_same() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        x = rng.normal(size=30)
        found = measures(Paired(x, x + rng.normal(0.3, 1, 30), rng.integers(0, 12, 30)))
        low, high = found["bias"].ends
        assert (found["bias_p"].value < 0.05) == (low > 0 or high < 0)


def test_limits_of_agreement_combine_bias_and_spread() -> None:
    found = measures(Paired(*drawn(30, 6)))
    (b, bl, bu), (s, sl, su) = ((found[key].value, *found[key].ends) for key in ("bias", "bias_sd"))
    z = stats.norm.ppf(0.975)
    assert found["loa_high"].ends == pytest.approx(
        (b + z * s - math.hypot(b - bl, z * (s - sl)), b + z * s + math.hypot(bu - b, z * (su - s)))
    )
    assert found["loa_low"].ends == pytest.approx(
        (b - z * s - math.hypot(b - bl, z * (su - s)), b - z * s + math.hypot(bu - b, z * (s - sl)))
    )
    assert found["loa_low"].interval.method == "mover"


def test_pairs_without_a_number_are_left_out_and_counted() -> None:
    x, y = drawn(20, 7)
    unit = np.repeat(np.arange(10), 2)
    longer = (np.append(x, [np.nan, 2.0, np.inf, 1.0]), np.append(y, [1.0, np.nan, 1.0, -np.inf]))
    paired = Paired(*longer, np.append(unit, [10, 11, 12, 12]))
    assert (paired.n, len(paired.kept) - paired.n, paired.n_units) == (20, 4, 10)
    assert measures(paired) == measures(Paired(x, y, unit))


def test_the_other_way_round_only_signs_change() -> None:
    x, y = drawn(25, 8)
    one, other = measures(Paired(x, y)), measures(Paired(y, x))
    for key in ("pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias_sd", "bias_p", "ccc", "icc_2_1", "icc_3_1"):
        assert other[key].value == pytest.approx(one[key].value, abs=1e-12)
    for key, mirrored in {"bias": "bias", "bias_d": "bias_d", "loa_low": "loa_high", "loa_high": "loa_low"}.items():
        assert other[key].value == pytest.approx(-one[mirrored].value, abs=1e-12)
        assert other[key].ends == pytest.approx(tuple(-end for end in reversed(one[mirrored].ends)), abs=1e-12)


def test_a_far_origin_costs_no_digits() -> None:
    x, y = drawn(30, 9)
    near, far = measures(Paired(x, y)), measures(Paired(x + 1e8, y + 1e8))
    for key in KEYS[1:]:
        assert far[key].value == pytest.approx(near[key].value, abs=1e-6)
        if near[key].interval:
            assert far[key].ends == pytest.approx(near[key].ends, abs=1e-6)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.3, 1.0]), st.sampled_from([0.1, 0.2, 0.4, 1.0])), max_size=9))
def test_every_number_is_there_or_says_why_not(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).reshape(-1, 2).T
    found = measures(Paired(x, y))
    assert list(found) == list(KEYS)
    for key, one in found.items():
        assert math.isnan(one.value) == bool(one.undefined), key
        if one.interval is not None:
            assert one.interval.low <= one.value <= one.interval.high
            assert one.interval.low < one.interval.high
        else:
            assert one.undefined or one.no_interval or key in ("n", "bias_p"), key


def test_nothing_and_one_pair() -> None:
    nothing = measures(Paired(np.array([np.nan]), np.array([1.0])))
    assert nothing["n"].value == 0
    assert {one.undefined for key, one in nothing.items() if key != "n"} == {"no pair has two numbers"}
    one = measures(Paired(np.array([2.0]), np.array([1.5])))
    assert [one[key].value for key in ("n", "rmse", "mae", "bias")] == [1, 0.5, 0.5, -0.5]
    assert {one[key].undefined for key in KEYS if math.isnan(one[key].value)} == {"only one pair has two numbers"}
    assert sum(math.isnan(one[key].value) for key in KEYS) == 12
    assert one["bias"].no_interval == "only 1 item: an interval from leaving one out needs 4"


def test_a_constant_judge() -> None:
    found = measures(Paired(np.arange(8.0), np.full(8, 0.1)))
    for key in ("pearson", "spearman", "kendall_tau_b", "sd_ratio"):
        assert found[key].undefined == "the judge gives one number only, 0.1"
    assert found["ccc"].value == found["icc_3_1"].value == found["icc_2_1"].value == 0
    assert found["ccc"].interval is None
    assert found["ccc"].no_interval == "it does not move when one of the items is left out"
    both = measures(Paired(np.full(5, 3.0), np.full(5, 4.0)))
    assert both["icc_3_1"].undefined == "the reference gives one number only, 3 and the judge gives one number only, 4"
    assert both["ccc"].value == 0
    assert both["bias_p"].undefined == both["bias_d"].undefined == "all differences are equal"


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.7, 12345.678])
def test_equal_differences_have_no_spread_whatever_the_rounding(shift: float) -> None:
    x = np.arange(1, 30) * 0.1
    found = measures(Paired(x, x + shift))
    assert found["bias"].value == pytest.approx(shift, rel=1e-14, abs=1e-14)
    assert found["bias_sd"].value == 0
    assert found["bias_d"].undefined == found["bias_p"].undefined == "all differences are equal"
    for key in ("bias", "bias_sd", "pearson", "spearman", "kendall_tau_b", "loa_low", "loa_high", "icc_3_1"):
        assert found[key].interval is None
        assert found[key].no_interval == "it does not move when one of the items is left out"
    assert found["pearson"].value == pytest.approx(1, abs=1e-12)


def test_a_number_that_hangs_on_one_item_has_no_interval() -> None:
    found = measures(Paired(np.arange(8.0), np.array([1.0, 1, 1, 1, 1, 1, 1, 2])))
    assert found["pearson"].value > 0
    assert found["pearson"].no_interval == found["spearman"].no_interval == "without one of the items it is undefined"
    assert found["rmse"].interval is not None


def test_three_units_are_too_few_for_an_interval() -> None:
    x, y = drawn(30, 11)
    found = measures(Paired(x, y, np.repeat(np.arange(3), 10)))
    assert found["pearson"].no_interval == "only 3 items: an interval from leaving one out needs 4"
    assert all(one.interval is None for one in found.values())
    assert found["bias_p"].value > 0
    alone = measures(Paired(x, y, np.zeros(30, np.int64)))
    assert alone["bias_p"].undefined == "only one of the items"


def test_without_a_confidence_there_are_no_intervals() -> None:
    found = measures(Paired(*drawn(10, 12)), confidence=None)
    assert all(one.interval is None and not one.no_interval for one in found.values())
