"""The flat interval beside the one of whole items."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.planning.independence import (
    ITEM_LEVEL,
    NO_ITEMS,
    ONE_EACH,
    ONE_ITEM,
    Spread,
    design_effects,
    spread_reading,
    spreads,
    why_alike,
)
from metrics.analyses.settings import settings_of
from metrics.intervals.jackknife import flat_errors
from metrics.measures.rates import f1
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

ROOT = Path(__file__).resolve().parents[2]


def table(rows: list[tuple[int, str, int, int]]) -> metrics.Ratings:
    """Item, criterion, human's and judge's verdict."""
    long = [
        {"item": f"i{i}", "criterion": c, "rater": name, "role": role, "label": "MET" if own else "UNMET"}
        for i, c, human, judge in rows
        for name, role, own in (("h", "human", human), ("judge", "judge", judge))
    ]
    return metrics.read(pd.DataFrame(long))


def many(n: int = 60, copies: int = 4, seed: int = 1) -> metrics.Ratings:
    """Items whose decisions are copies of each other."""
    rng = np.random.default_rng(seed)
    human = rng.random(n) < 0.5
    judge = human ^ (rng.random(n) < 0.2)
    rows = [(i, f"c{c}", int(human[i]), int(judge[i])) for i in range(n) for c in range(copies)]
    return table(rows)


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
@pytest.mark.parametrize("level", ["micro", "macro"])
def test_item_interval_is_the_one_of_the_report(level, mode) -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    judge = ratings.judges[0]
    settings = settings_of(ratings, abstention=mode)
    block = metrics.agreement(ratings, abstention=mode).judges[judge].level(level)
    found = spreads(ratings, judge, settings, level)
    assert [spread.metric for spread in found][:1] == ["kappa"]
    for spread in found:
        assert spread.flat.value == block.values[spread.metric]
        if block.intervals[spread.metric].method == "jackknife":
            assert spread.clustered.ends == pytest.approx(block[spread.metric].ends, abs=1e-9)


def test_copied_decisions_have_the_design_effect_of_their_number() -> None:
    ratings = many()
    settings = settings_of(ratings)
    for spread in spreads(ratings, "judge", settings, "micro"):
        assert spread.effect == pytest.approx(4, rel=0.05)
        assert spread.times == pytest.approx(0.5, abs=0.05)
        assert (spread.n_decisions, spread.n_items) == (240, 60)


def test_flat_interval_by_hand() -> None:
    ratings = many()
    block = metrics.agreement(ratings).judges["judge"].micro
    error = flat_errors(block.confusion.astype(float), {"f1": f1})["f1"]
    (spread,) = (s for s in spreads(ratings, "judge", settings_of(ratings), "micro") if s.metric == "f1")
    low, high = (math.log(end / (1 - end)) for end in spread.flat.ends)
    assert (high - low) / 2 == pytest.approx(1.96992 * error / (spread.flat.value * (1 - spread.flat.value)), rel=1e-4)


def test_nothing_to_cluster_is_said() -> None:
    one = many(copies=1)
    counts = metrics.read(ROOT / "assets/rao_balanced.csv")
    assert why_alike(one, "judge", settings_of(one), "micro") == ONE_EACH
    assert why_alike(one, "judge", settings_of(one), "item") == ITEM_LEVEL
    assert spreads(one, "judge", settings_of(one), "micro") == ()
    assert why_alike(counts, counts.judges[0], settings_of(counts), "micro") == NO_ITEMS


@pytest.mark.parametrize("judge", [[1, 1, 1, 1], [1, 0, 1, 0]])
def test_degenerate_tables_have_no_ratio(judge) -> None:
    rows = [(i, f"c{c}", judge[i % 4] if judge[1] == 0 else 1, judge[i % 4]) for i in range(8) for c in range(2)]
    ratings = table(rows)
    found = spreads(ratings, "judge", settings_of(ratings), "micro")
    assert all(math.isnan(spread.times) for spread in found)
    assert "cannot be compared" in spread_reading(found)


def test_no_interval_of_whole_items_is_no_design_effect_of_zero() -> None:
    """Two items with one error and the same labels each: leaving out either gives the same value."""
    ratings = table([(i, f"c{c}", (i + c) % 2, 1 if c == i else (i + c) % 2) for i in range(2) for c in range(4)])
    found = spreads(ratings, "judge", settings_of(ratings), "micro")
    accuracy = next(one for one in found if one.metric == "accuracy")
    assert accuracy.flat.ends is not None
    assert accuracy.clustered.ends is None
    assert math.isnan(accuracy.effect)
    assert spread_reading(found, "accuracy") == (
        "for accuracy the two cannot be compared here: whole items give no interval, as its value is the same whichever item "
        "is left out. The design effect is undefined."
    )
    usual = spreads(many(), "judge", settings_of(many()), "micro")
    assert all(one.effect > 0 and not one.undefined for one in usual)


def test_one_item_has_no_design_effect() -> None:
    ratings = table([(0, "c", 1, 1), (0, "d", 0, 1)])
    settings = settings_of(ratings)
    assert why_alike(ratings, "judge", settings, "micro") == ONE_ITEM
    assert math.isnan(design_effects(ratings, "judge", settings)["micro"]["accuracy"].ratio)


def test_reading_goes_both_ways() -> None:
    ratings = many()
    found = spreads(ratings, "judge", settings_of(ratings), "micro")
    said = spread_reading(found)
    assert said.startswith("treating the 240 decisions as independent would make the interval of κ 0.48 times")
    assert "item are correlated" in said
    rows = [
        (i, f"c{c}", int(i % 3 > 0), int(i % 3 > 0) if i % 2 == c or not i % 7 else int(i % 3 == 0))
        for i in range(60)
        for c in (0, 1)
    ]
    other = table(rows)
    offset = spreads(other, "judge", settings_of(other), "micro")
    accuracy = next(spread for spread in offset if spread.metric == "accuracy")
    assert accuracy.times > 1.05
    assert "negatively correlated" in spread_reading(offset, "accuracy")
    assert "undefined" in spread_reading(())


def test_reading_names_the_metric_for_which_it_matters_most() -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    kappa = spreads(ratings, "strict", settings_of(ratings), "micro")[0]
    found = (
        replace(kappa, times=1.01),
        replace(kappa, metric="f1", times=0.76, effect=1.7),
        replace(kappa, metric="phi", times=0.9),
    )
    assert spread_reading(found).endswith("Whole items matter most for F1: 0.76 times, design effect 1.70.")
    assert "matters most" not in spread_reading(found[:1])
    assert "matters most" not in spread_reading(found, "f1")


def half(low: float, high: float) -> Estimate:
    return Estimate(0.5, Interval(low, high, "jackknife"))


@pytest.mark.parametrize(
    ("effect", "n", "says"),
    [
        (0.83, 60, ""),
        (1.33, 60, ""),
        (1.9, 60, "item are correlated"),
        (0.5, 60, "negatively correlated"),
        (1.33, 400, "item are correlated"),
    ],
)
def test_why_a_design_effect_is_not_1_is_said_beyond_noise_only(effect, n, says) -> None:
    one = Spread("kappa", half(0.4, 0.6), half(0.4, 0.4 + 0.2 / effect), effect, effect**-0.5, 3 * n, n)
    text = spread_reading([one])
    word = {"item are correlated": "less", "negatively correlated": "more"}.get(says, "")
    assert (f"{n} items say {word} than {words.count(3 * n)} independent decisions." in text) == bool(says)
    assert (says or "do not show whether the decisions of one item depend on each other") in text
    assert says or "correlated" not in text


def test_dependence_that_another_metric_shows_is_not_denied() -> None:
    kappa = Spread("kappa", half(0.4, 0.6), half(0.4, 0.61), 1.1, 0.9, 180, 60)
    accuracy = Spread("accuracy", half(0.4, 0.6), half(0.4, 0.75), 1.73, 0.76, 180, 60)
    assert "So few items do not show" in spread_reading([kappa])
    said = spread_reading([kappa, accuracy])
    assert "So few items" not in said
    assert "κ alone does not show whether the decisions of one item depend on each other. Whole items matter most for" in said


def test_what_matters_most_is_beyond_noise() -> None:
    kappa = Spread("kappa", half(0.4, 0.6), half(0.4, 0.61), 0.9, 0.95, 180, 60)
    other = Spread("f1", half(0.4, 0.6), half(0.4, 0.7), 0.8, 1.12, 180, 60)
    assert "matters most" not in spread_reading([kappa, other])
    assert "Whole items matter most for F1" in spread_reading([kappa, replace(other, effect=0.4, times=1.6)])
