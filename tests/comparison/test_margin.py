"""A new judge against an old one by a stated margin: exact rates of false claims and of power, verdicts, words, correction."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multinomial, t

import metrics
from metrics.analyses.comparison.margin import end_far_out, growth, p_of_margin, p_unseen, stated, told_from, unseen_change
from metrics.analyses.comparison.margin_plan import plan_margin
from metrics.errors import InputError
from metrics.figures import difference
from metrics.figures.of_reports import difference_of
from metrics.measures.transforms import jackknife_error, student


@cache
def accuracy_ends(n: int, worse: int, better: int) -> tuple[float, float, float]:
    """Return difference in accuracy and its lower end, plain and far out, of items on which only one judge is right."""
    change = np.array([0.0, -1.0, 1.0])
    weight = np.array([n - worse - better, worse, better])
    left_out = (better - worse - change) / (n - 1)
    value, error = (better - worse) / n, float(jackknife_error(left_out, weight.astype(float)))
    slope, quantile = growth(left_out, weight)[0], student(n - 1, 0.95)
    if math.isnan(slope):
        return value, -1.0, -1.0
    return value, value - quantile * error, end_far_out(value, error, slope, quantile)


def claims(n: int, margin: float, worse: float, better: float) -> tuple[float, float]:
    """Return the exact share of samples that are called non-inferior, by the plain end and by the one far out."""
    shares, most = np.zeros(2), min(n, math.ceil(n * (worse + better) + 9 * math.sqrt(n * (worse + better)) + 9))
    for lost in range(most):
        for won in range(most - lost):
            p = multinomial.pmf([n - lost - won, lost, won], n, [1 - worse - better, worse, better])
            if p > 1e-9:
                ends = accuracy_ends(n, lost, won)[1:]
                shares += p * np.array([end > -margin + 1e-12 for end in ends])
    return float(shares[0]), float(shares[1])


@pytest.mark.parametrize("n", [50, 100, 200])
@pytest.mark.parametrize("margin", [0.05, 0.1])
@pytest.mark.parametrize("gained", [0.0, 0.02, 0.05])
def test_a_judge_on_the_margin_is_called_non_inferior_no_more_often_than_stated(n: int, margin: float, gained: float) -> None:
    _, far_out = claims(n, margin, margin + gained, gained)
    assert far_out <= 0.026


def test_the_plain_end_would_call_it_so_too_often() -> None:
    plain, far_out = claims(100, 0.05, 0.05, 0.0)
    assert plain > 0.1
    assert far_out < 0.026


@pytest.mark.slow("many studies")
@pytest.mark.parametrize("gained", [0.03, 0.08])
def test_as_many_items_as_are_said_to_tell_do_so_in_four_studies_of_five(gained: float) -> None:
    comparison = two_judges(200, round(200 * gained), round(200 * gained))
    needed = plan_margin(comparison, 0.05).needed
    assert needed.n is not None
    _, power = claims(needed.n, 0.05, gained, gained)
    assert 0.75 <= power <= 0.87


@pytest.mark.parametrize(("difference", "error", "slope"), [(0.0, 0.02, -0.01), (-0.03, 0.02, -0.03), (0.01, 0.05, -0.002)])
def test_the_end_lies_on_the_margin_where_p_is_the_level(difference: float, error: float, slope: float) -> None:
    end = end_far_out(difference, error, slope, student(49, 0.95))
    assert p_of_margin(difference, error, slope, -end, 49) == pytest.approx(0.025, abs=1e-9)
    assert end <= difference - t.ppf(0.975, 49) * error


def test_of_a_judge_that_only_loses_items_the_end_is_the_score_end_of_a_count() -> None:
    n, lost, z = 100_000, 4, 1.959964
    _, _, end = accuracy_ends(n, lost, 0)
    assert -end * n == pytest.approx(lost + z**2 / 2 + z * math.sqrt(lost + z**2 / 4), rel=1e-3)


def two_judges(n: int, lost: int, won: int, *, wrong: int = 0, **how):
    """Return a comparison in which B alone is wrong on `lost` items, A alone on `won`, both on `wrong`."""
    lines = ["item,human,judge,verdict"]
    for i in range(n):
        human = "yes" if i % 2 else "no"
        other = "no" if i % 2 else "yes"
        a_wrong = lost <= i < lost + won + wrong
        b_wrong = i < lost or lost + won <= i < lost + won + wrong
        lines += [f"q{i},{human},A,{other if a_wrong else human}", f"q{i},{human},B,{other if b_wrong else human}"]
    return metrics.compare(
        metrics.read("\n".join(lines).encode()), "A", "B", how.pop("metric", "accuracy"), replicates=199, **how
    )


@pytest.mark.parametrize(
    ("lost", "won", "margin", "verdict"),
    [
        (10, 10, 0.1, "non-inferior"), (2, 60, 0.1, "better"), (24, 4, 0.2, "worse within the margin"), (80, 2, 0.1, "inferior"),
        (10, 10, 0.02, "undecided"), (24, 4, 0.05, "undecided"),
    ],
)  # fmt: skip
def test_every_verdict(lost: int, won: int, margin: float, verdict: str) -> None:
    found = two_judges(200, lost, won, margin=margin)
    held = found.held
    assert held is not None
    assert held.verdict == verdict
    assert held.holds == (verdict in ("better", "non-inferior", "worse within the margin"))
    assert found.to_dict()["margin"] == held.to_dict()
    assert {"undecided": "undecided", "inferior": "is inferior", "better": "holds the margin"}.get(
        verdict, "margin of 10"
    ) or True
    words = {"undecided": "is undecided", "inferior": "is inferior", "better": "it holds the margin",
             "non-inferior": "is non-inferior", "worse within the margin": "by less than the margin"}[verdict]  # fmt: skip
    assert words in found.reading


def test_where_less_is_better_the_other_end_decides() -> None:
    more, less = (two_judges(200, 10, 10, metric=metric, margin=0.2).held for metric in ("specificity", "fpr"))
    assert more is not None
    assert less is not None
    assert more.worst == pytest.approx(less.worst)
    assert more.end == pytest.approx(-less.end)
    assert more.verdict == less.verdict


def test_without_a_margin_nothing_changes() -> None:
    without, stated = two_judges(100, 5, 9), two_judges(100, 5, 9, margin=0.1)
    assert "margin" not in without.to_dict()
    assert without.held is None
    left = {key: value for key, value in stated.to_dict().items() if key not in ("margin", "reading")}
    assert left == {key: value for key, value in without.to_dict().items() if key != "reading"}
    assert stated.reading.startswith(without.reading)


def test_judges_that_no_item_separates_may_differ_by_what_so_few_items_hide() -> None:
    """The share of changes that 100 items hide is 3.6 %: within 10 points, beyond 2."""
    found, strict = (two_judges(100, 0, 0, wrong=5, margin=margin) for margin in (0.1, 0.02))
    assert found.held is not None
    assert strict.held is not None
    assert (found.held.verdict, strict.held.verdict) == ("non-inferior", "undecided")
    assert found.held.worst == strict.held.worst == pytest.approx(1 - 0.025 ** (1 / 100))
    assert "no item separates A and B" in found.reading


def test_the_interval_that_decides_is_said_and_the_margin_is_as_it_was_typed() -> None:
    plain = two_judges(200, 8, 14)
    low, high = plain.difference.ends
    between = round(-low + 0.002, 4)
    found = two_judges(200, 8, 14, margin=between)
    held = found.held
    assert held is not None
    assert held.interval == (held.end, high)
    assert held.end < -between < low
    ends = f"{100 * held.end:.1f}, +{100 * high:.1f}".replace("-", "\u2212")
    assert f"by more than the margin of {100 * between:g}\u00a0points is undecided" in found.reading
    assert f"the interval for a margin is [{ends}\u00a0points], so it may be {100 * held.worst:.1f}\u00a0points" in found.reading
    assert json.loads(found.to_json())["margin"]["interval"] == list(held.interval)


@pytest.mark.parametrize(
    ("size", "margin", "unit", "text"),
    [
        (0.12, 0.09, "", "0.12"), (0.0912, 0.09, "", "0.091"), (0.08512, 0.085, "", "0.0851"), (0.17, 0.1, "%", "17\u00a0points"),
        (0.1004, 0.1, "%", "10.04\u00a0points"), (0.09, 0.09, "", "0.09"),
    ],
)  # fmt: skip
def test_how_far_a_judge_may_be_worse_is_told_from_the_margin(size: float, margin: float, unit: str, text: str) -> None:
    assert told_from(size, margin, unit) == text


@pytest.mark.parametrize(
    ("margin", "unit", "text"), [(0.085, "", "0.085"), (0.0725, "%", "7.25\u00a0points"), (0.07, "%", "7\u00a0points")]
)
def test_a_margin_is_echoed_as_it_was_typed(margin: float, unit: str, text: str) -> None:
    assert stated(margin, unit) == text


@pytest.mark.parametrize("margin", [0.0, -0.1, 1.0, math.nan, math.inf])
def test_a_margin_that_says_nothing_is_refused(margin: float) -> None:
    with pytest.raises(InputError, match="margin must lie above 0"):
        two_judges(20, 2, 3, margin=margin)


def test_a_metric_without_a_better_side_takes_no_margin() -> None:
    with pytest.raises(InputError, match="neither better nor worse"):
        two_judges(20, 2, 3, metric="drift", margin=0.1)


def test_a_margin_that_one_level_breaks_is_undecided() -> None:
    rows = ["item,criterion,human,judge,verdict"]
    for i in range(200):
        for criterion, slips in (("often", 4), ("rare", 5)):
            human = "yes" if (i % 2 if criterion == "often" else i % 40 == 0) else "no"
            for judge in ("A", "B"):
                wrong = judge == "B" and i % (40 if criterion == "rare" else 200) < (1 if criterion == "rare" else slips)
                rows.append(f"q{i},{criterion},{human},{judge},{human if not wrong else 'no' if human == 'yes' else 'yes'}")
    ratings = metrics.read("\n".join(rows).encode())
    found = metrics.compare(ratings, "A", "B", "kappa", level="micro", margin=0.2, replicates=99).held
    assert found is not None
    assert found.verdict == "undecided"
    assert "macro" in found.why


def test_claims_about_several_judges_are_corrected() -> None:
    lines = ["item,human,judge,verdict"]
    for i in range(150):
        human = "yes" if i % 2 else "no"
        other = "no" if i % 2 else "yes"
        for place, judge in enumerate("ABCDE"):
            wrong = (i * 7 + place * 31) % 150 < 12
            lines.append(f"q{i},{human},{judge},{other if wrong else human}")
    forest = metrics.compare_all(metrics.read("\n".join(lines).encode()), "A", "accuracy", margin=0.09, replicates=99)
    raw = [one.p for one, _ in forest.margins]
    corrected = [p for _, p in forest.margins]
    assert max(raw) <= 0.025 < max(corrected)
    assert len(forest.non_inferior()) < 4
    assert "Holm’s correction of that" in forest.reading
    assert all("p_holm" in row["margin"] for row in forest.to_dict()["judges"])
    assert "undecided" in forest.summary()


@pytest.mark.parametrize(("metric", "better", "margin"), [("kappa", 1, 0.1), ("accuracy", 1, 0.02), ("fpr", -1, 0.05)])
def test_the_p_of_an_unseen_change_is_the_level_at_its_end(metric: str, better: int, margin: float) -> None:
    table = [[40, 10], [5, 45]]
    p = p_unseen(table, metric, 100, margin, better)
    low, high = unseen_change(table, metric, 100, 1 - 2 * p)
    assert (-low if better > 0 else high) == pytest.approx(margin, abs=1e-9)


def test_the_figure_draws_the_margin_and_how_far_the_difference_may_reach() -> None:
    found = two_judges(200, 10, 10, margin=0.1)
    drawn = difference_of(found)
    assert drawn.limit == -0.1
    figure = difference.difference_whisker(drawn, theme="light")
    lines = [shape for shape in figure["layout"]["shapes"] if shape["x0"] == shape["x1"]]
    assert sorted(line["x0"] for line in lines) == [-0.1, 0]
    assert found.held is not None
    assert found.held.end in [shape["x1"] for shape in figure["layout"]["shapes"]]
    assert "margin at" in difference.alt(drawn)


def test_a_plan_for_a_margin_needs_more_items_the_nearer_the_truth_lies_to_it() -> None:
    comparison = two_judges(200, 10, 10)
    equal, behind = (plan_margin(comparison, 0.05, true=true) for true in (0.0, -0.02))
    assert f"vary from item to item as they do on these {comparison.n_units}." in equal.sentence
    assert equal.line == -0.05
    assert equal.needed.n is not None
    assert behind.needed.n is not None
    assert behind.needed.n > 2 * equal.needed.n
    assert "at most" in equal.question
    told = replace(comparison, margin=0.05).held
    assert told is not None
    assert equal.sentence.startswith(f"on {comparison.n_units} ")
    assert f": {told.verdict} at the margin of 5\u00a0points. If both are equally good" in equal.sentence
    beyond = plan_margin(comparison, 0.05, true=-0.05)
    assert beyond.needed.n is None
    assert "beyond the margin" in beyond.sentence


def test_a_judge_whose_labels_are_turned_round_is_said_to_be_below_chance() -> None:
    rng = np.random.default_rng(8)
    human = rng.random(120) < 0.5
    right = {"A": rng.random(120) < 0.8, "B": rng.random(120) < 0.15}
    rows = [
        {"item": place, "judge": name, "human": "ny"[int(h)], "verdict": "ny"[int(h == r)]}
        for name, those in right.items()
        for place, (h, r) in enumerate(zip(human, those, strict=True))
    ]
    ratings = metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"})
    assert metrics.compare(ratings, "A", "B").reading.endswith(
        "B is below chance: check first which way round it uses the labels."
    )
    assert "below chance" not in metrics.compare(ratings, "A", "B", "accuracy").reading
