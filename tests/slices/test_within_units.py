"""Groups that cut through items: Wald's Q is Cochran's where they do not, and what an item has of its own stays with it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.analyses.slices.heterogeneity import compared
from metrics.analyses.slices.parts import Decisions, gauge_of
from metrics.analyses.slices.within_units import compared_within


def drawn(
    seed: int, n: int = 60, criteria: int = 4, groups: int = 3, worse: float = 0.0, *, whole: bool = False, cut: int = 0
) -> Decisions:
    """Return decisions of items of which a fifth are hard; `whole` gives each one group, but the first decision of `cut`."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(n), criteria)
    group = np.repeat(rng.integers(0, groups, n), criteria) if whole else rng.integers(0, groups, n * criteria)
    group[: cut * criteria : criteria] = rng.integers(0, groups, cut)
    hard = (rng.random(n) < 0.2)[unit]
    positive = rng.random(n * criteria) < 0.6
    wrong = rng.random(n * criteria) < np.where(hard, 0.3, 0.06) + worse * (group == 0)
    judge = positive ^ wrong
    return Decisions(unit, (1 - positive.astype(np.int64)) * 2 + 1 - judge.astype(np.int64), group, 2)


def everything(groups: int = 3) -> np.ndarray:
    return np.ones(groups, bool)


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_other_test_where_no_group_cuts_through_an_item(seed: int) -> None:
    decisions = drawn(seed, n=400, whole=True)
    units, group = decisions.units()
    gauge = gauge_of(units, "kappa")
    within = compared_within(decisions, everything(), gauge, replicates=9)
    apart = compared(units, group, everything(), gauge, replicates=9)
    assert within.test.q == pytest.approx(apart.test.q, rel=0.03)
    assert within.z == pytest.approx(apart.z, rel=0.03)


@pytest.mark.slow("simulates")
def test_the_permutation_keeps_its_level() -> None:
    """Of 60 files in which no group differs at most 8 are said to differ: P(more) < 0.005 at 5 %."""
    rejected = 0
    for seed in range(60):
        decisions = drawn(seed)
        gauge = gauge_of(decisions.units()[0], "kappa")
        rejected += compared_within(decisions, everything(), gauge, replicates=99).test.p <= 0.05
    assert rejected <= 8


@pytest.mark.slow("simulates")
def test_the_permutation_keeps_its_level_where_few_items_are_cut() -> None:
    """As above, where hard items are hard throughout and each is of one group."""
    rejected = 0
    for seed in range(60):
        decisions = drawn(seed, n=120, whole=True, cut=3)
        gauge = gauge_of(decisions.units()[0], "kappa")
        rejected += compared_within(decisions, everything(), gauge, replicates=99).test.p <= 0.05
    assert rejected <= 8


@pytest.mark.parametrize("cut", [1, 5, 150])
def test_where_few_items_are_cut_their_groups_go_to_other_items(cut: int) -> None:
    """Nearly nothing can be permuted within items then, and a group that is worse would never be told apart."""
    decisions = drawn(1, n=150, worse=0.25, whole=True, cut=cut)
    out = compared_within(decisions, everything(), gauge_of(decisions.units()[0], "kappa"))
    assert (out.test.method, out.test.p < 0.01, out.z[0] < -3, out.p[0] < 0.02) == ("permutation", True, True, True)


def test_items_of_as_many_decisions_as_no_other_are_not_permuted() -> None:
    decisions = drawn(1, n=150, worse=0.25, whole=True, cut=1)
    sizes = np.r_[np.arange(1, 76), np.arange(1, 76)]
    unit = np.repeat(np.arange(150), sizes)
    cell = decisions.cell[np.arange(len(unit)) % len(decisions.cell)]
    group = (np.arange(150) % 3)[unit]  # two items of each size are of one group, since 75 is a multiple of 3
    group[0] = 1
    apart = Decisions(unit, np.where((group == 0) & (np.arange(len(unit)) % 3 == 0), cell ^ 1, cell), group, 2)
    out = compared_within(apart, everything(), gauge_of(apart.units()[0], "kappa"))
    assert (out.test.method, out.test.replicates, out.test.p < 0.01) == ("chi-square", 0, True)
    few = Decisions(unit[:500], apart.cell[:500], group[:500], 2)
    assert "would stay where they are" in compared_within(few, everything(), gauge_of(few.units()[0], "kappa")).test.why


def test_a_group_that_is_worse_is_told_apart() -> None:
    decisions = drawn(1, n=150, worse=0.25)
    out = compared_within(decisions, everything(), gauge_of(decisions.units()[0], "kappa"))
    assert out.test.p < 0.01
    assert out.z[0] < -3
    assert out.p[0] < 0.02


def test_what_all_groups_of_an_item_share_does_not_count_as_a_difference() -> None:
    """With the same decisions in both groups of every item there is nothing between them."""
    half = drawn(2, n=80, criteria=2, groups=1)
    twice = Decisions(
        np.concatenate([half.unit, half.unit]), np.concatenate([half.cell, half.cell]),
        np.repeat(np.arange(2), len(half.unit)), 2,
    )  # fmt: skip
    out = compared_within(twice, everything(2), gauge_of(twice.units()[0], "kappa"), replicates=49)
    assert out.test.q == pytest.approx(0, abs=1e-9)
    assert out.z == pytest.approx([0, 0], abs=1e-9)
    assert out.test.p == 1


def test_rates_take_the_decisions_with_their_label_alone() -> None:
    decisions = drawn(3)
    taken = decisions.taken_by("recall")
    assert (taken.cell < 2).all()
    assert len(taken.cell) == int((decisions.cell < 2).sum())
    assert (decisions.taken_by("specificity").cell >= 2).all()


def test_too_few_groups_and_too_many_items_say_why() -> None:
    decisions = drawn(4)
    gauge = gauge_of(decisions.units()[0], "kappa")
    one = compared_within(decisions, np.array([True, False, False]), gauge)
    assert math.isnan(one.test.p)
    assert "fewer than two groups" in one.test.why
    many = drawn(5, n=40_000)
    assert "too many items" in compared_within(many, everything(), gauge).test.why
