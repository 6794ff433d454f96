"""Tables become numbers in one place: every number is that of its own table, whatever stands beside it."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from metrics.analyses.evaluation import catalogue_family, default_intervals, evaluate, own_intervals
from metrics.analyses.records import Block
from metrics.intervals.default import table_intervals
from metrics.intervals.items import Coded
from metrics.measures.catalogue import BY_KEY, applicable
from metrics.measures.metric import why_undefined

TWO = ("MET", "UNMET")


def test_every_small_table_has_the_numbers_and_reasons_of_its_own() -> None:
    tables = np.array(list(product(range(4), repeat=4)), np.int64).reshape(-1, 2, 2)
    for table, block in zip(tables, evaluate(tables, catalogue_family(TWO)), strict=True):
        assert (block.n, block.labels) == (table.sum(), TWO)
        assert tuple(block.estimates) == tuple(metric.key for metric in applicable(2, "table"))
        for key, own in block.estimates.items():
            alone = float(BY_KEY[key].function(table))
            assert own.value == alone or (math.isnan(own.value) and math.isnan(alone)), (key, table)
            assert own.undefined == (why_undefined(BY_KEY[key], table, TWO) if math.isnan(alone) else ""), (key, table)
            assert own.interval is None


def test_a_family_is_what_is_named_with_weighted_kappa_where_a_cost_is_given() -> None:
    assert tuple(catalogue_family(TWO, keys=("kappa", "phi")).functions) == ("kappa", "phi")
    three = (*TWO, "none")
    assert "weighted_kappa" not in catalogue_family(three).functions
    cost = ((0.0, 1.0, 0.5), (1.0, 0.0, 0.5), (0.5, 0.5, 0.0))
    (block,) = evaluate(np.array([[[5, 2, 1], [1, 6, 0], [0, 1, 4]]]), catalogue_family(three, cost))
    assert block["weighted_kappa"].value == pytest.approx(float(BY_KEY["weighted_kappa"].function(block.confusion, cost)))
    assert set(block.more) == {"classes_used", "per_class"}


def test_only_what_has_an_interval_is_bounded() -> None:
    family = catalogue_family(TWO)
    assert set(family.bounded) == {key for key in family.functions if BY_KEY[key].has_interval} < set(family.functions)


def test_with_one_criterion_all_levels_have_the_interval_of_its_table() -> None:
    table = np.array([[20, 4], [3, 13]])
    family = catalogue_family(TWO)
    (block,) = evaluate(table[None], family)
    values = [block.values] * 3
    units = Coded(np.arange(4, dtype=np.int16)[None], table.ravel(), 2)
    found = default_intervals(table[None].astype(float), units, None, family.bounded, values, 0.95)
    alone = table_intervals(table.astype(float), family.bounded, block.values, 0.95)
    assert found == [alone, alone, alone] == [own_intervals(table.astype(float), None, family.bounded, block.values, 0.95)] * 3


def test_a_mean_is_over_the_criteria_with_a_value_and_says_so() -> None:
    tables = np.array([[[5, 1], [2, 4]], [[6, 0], [0, 0]], [[3, 3], [1, 5]]])
    criteria = evaluate(tables, catalogue_family(TWO))
    mean = Block.mean_over(criteria, ("kappa", "phi"))
    assert mean["phi"].of == (2, 3)
    assert mean["phi"].value == pytest.approx((criteria[0]["phi"].value + criteria[2]["phi"].value) / 2)
    nowhere = Block.mean_over(criteria[1:2], ("phi",))["phi"]
    assert math.isnan(nowhere.value)
    assert nowhere.undefined == f"undefined in every criterion: {criteria[1]['phi'].undefined}"
