"""How far each choice moves a number, and the sentence that says so."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.multiverse.compute import space_of
from metrics.analyses.multiverse.result import how_far, multiverse, reading, unsigned_difference
from metrics.data.abstention import MODES
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import number
from tests.conftest import paired
from tests.metrics.spaces import found, results, space

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(ROOT / "assets/support_answers.csv")


def test_spreads_are_those_of_nested_loops(sample):
    its = found(sample, space(sample, judge="cautious"))
    value = {}
    for mode, reference, rule in itertools.product(MODES, ("majority", "ana", "ben"), ("all", "threshold")):
        threshold = 0.5 if rule == "threshold" else None
        report = metrics.agreement(
            sample,
            judges=["cautious"],
            abstention=mode,
            reference=reference,
            item_rule=rule,
            threshold=threshold,
            interval="none",
        ).judges["cautious"]
        for level in ("micro", "macro", "item"):
            value[mode, level, rule, reference] = report.level(level).values["kappa"]
    expected = {
        "level": [
            np.ptp([value[m, lv, r, f] for lv in ("micro", "macro", "item")])
            for m in MODES
            for r in ("all", "threshold")
            for f in ("majority", "ana", "ben")
        ],
        "rule": [
            abs(value[m, "item", "all", f] - value[m, "item", "threshold", f]) for m in MODES for f in ("majority", "ana", "ben")
        ],
    }
    places = [("micro", "all"), ("macro", "all"), ("item", "all"), ("item", "threshold")]
    expected["mode"] = [np.ptp([value[m, lv, r, f] for m in MODES]) for lv, r in places for f in ("majority", "ana", "ben")]
    expected["reference"] = [np.ptp([value[m, lv, r, f] for f in ("majority", "ana", "ben")]) for lv, r in places for m in MODES]
    for spread in its.spreads:
        own = expected[spread.dimension.key]
        assert (spread.largest, spread.mean, spread.n) == (pytest.approx(max(own)), pytest.approx(np.mean(own)), len(own))
    assert its.most.largest == pytest.approx(max(max(own) for own in expected.values()))


@pytest.mark.parametrize("judge", ["cautious", "strict"])
def test_reading_says_where_the_declared_one_stands(sample, judge):
    its = space(sample, judge=judge)
    values = [column.value for column in found(sample, its).columns]
    ends = f"κ runs from {number(values[0])} to {number(values[-1])}"
    known = results(sample, its)
    for column in found(sample, its).columns:
        settings = its.settings(column.analysis)
        own = space_of(sample, judge, settings, its.level_of(column.analysis))
        said = reading(multiverse(own, {own.settings(one): known[its.settings(one)] for one in own.analyses}, "kappa"))
        assert f"over 36 defensible analyses {ends}" in said
        rank = 1 + values.index(column.value)
        place = (
            "the highest" if column.value == values[-1] else "the lowest" if column.value == values[0] else f"number {rank} from"
        )
        assert f"the declared one is {place}" in said


def test_reading_names_what_moves_it_most(sample):
    whole = found(sample, space(sample, judge="cautious"))
    assert f"The mode and level each move it by up to {number(whole.most.largest)}." in reading(whole)
    first, *others = whole.spreads
    apart_ = replace(whole, spreads=(replace(first, largest=0.9), *others))
    assert f"The {first.dimension.name} moves it most, by up to 0.90." in reading(apart_)
    one = found(sample, space(sample, judge="cautious").held(["level", "rule", "reference"]))
    assert "The mode is the only choice and moves it over the whole range." in reading(one)
    points = reading(found(sample, space(sample), "drift"))
    assert "points" in points
    assert "+" not in points.split("most, by up to")[1]


def test_reading_of_one_analysis():
    ratings = paired([["MET"], ["UNMET"], ["MET"]], [["MET"], ["UNMET"], ["UNMET"]])
    its = found(ratings, space(ratings))
    assert len(its.columns) == 1
    assert reading(its) == "there is one defensible analysis, and in it κ is 0.40. Nothing here is a matter of choice."
    undefined = paired([["MET"], ["MET"]], [["MET"], ["MET"]])
    assert "undefined (both sides give only MET)" in reading(found(undefined, space(undefined)))


def test_reading_when_nothing_is_defined_or_nothing_moves():
    flat = paired([["MET", "MET"]] * 3, [["MET", "MET"]] * 3)
    assert reading(found(flat, space(flat))).startswith("κ is undefined under all 4 defensible analyses: ")
    perfect = paired([["MET", "UNMET"], ["UNMET", "MET"], ["MET", "MET"]], [["MET", "UNMET"], ["UNMET", "MET"], ["MET", "MET"]])
    its = found(perfect, space(perfect))
    assert 0 < len(its.defined) < len(its.columns)
    assert "κ is 1.00 wherever it is defined. 1 of the 4 is undefined: " in reading(its)
    everywhere = found(perfect, space(perfect), "accuracy")
    assert len(everywhere.defined) == len(everywhere.columns)
    assert reading(everywhere).endswith(" every time: these choices do not matter here.")


def test_one_value_beside_an_undefined_one_does_not_say_that_the_choices_do_not_matter():
    silent = paired([["MET"], ["UNMET"], ["MET"]], [["CA"]] * 3)
    its = found(silent, space(silent))
    assert 0 < len(its.defined) < len(its.columns)
    said = reading(its)
    assert "κ is 0.00 wherever it is defined. 1 of the 3 is undefined: " in said
    assert "matter" not in said


def test_reading_when_the_declared_choices_lack_the_metric_or_its_value(sample):
    assert "under the declared choices there is no φ" in reading(found(sample, space(sample, abstention="as_category"), "phi"))
    none = found(sample, space(sample, abstention="as_category").held(["mode"]), "phi")
    assert reading(none) == "φ exists under none of these choices."
    human = [["MET", "UNMET"], ["MET", "MET"], ["UNMET", "MET"]]
    ratings = paired(human, [["MET", "UNMET"], ["UNMET", "UNMET"], ["MET", "UNMET"]])
    said = reading(found(ratings, space(ratings, "item")))
    assert ("the declared one is undefined (" in said) == math.isnan(
        metrics.agreement(ratings, interval="none").judges["j"].item.values["kappa"]
    )


def test_reading_of_a_part_says_so(sample):
    its = space(sample)
    some = dict(list(results(sample, its).items())[:5])
    part = multiverse(its, some, "kappa")
    assert f"over the first {len(part.columns)} of 36 analyses κ" in reading(part)


@pytest.mark.parametrize("metric", ["kappa", "mcc_multiclass"])
def test_reading_before_anything_is_computed(sample, metric):
    assert reading(multiverse(space(sample), {}, metric)) == f"{BY_KEY[metric].symbol} is not computed yet."
    ratings = paired([["MET"], ["UNMET"], ["MET"]], [["MET"], ["UNMET"], ["UNMET"]])
    alone = multiverse(space(ratings), {}, "kappa")
    assert alone.n == 1
    assert reading(alone) == "κ is not computed yet."


def test_ways_that_mean_the_same_count_once():
    """All modes are one, so only the item rule is left to hold while the level changes."""
    ratings = paired([["MET", "UNMET"], ["UNMET", "MET"], ["MET", "MET"]], [["MET", "UNMET"], ["MET", "MET"], ["UNMET", "MET"]])
    for mode in MODES:
        its = found(ratings, space(ratings, abstention=mode))
        spread = next(spread for spread in its.spreads if spread.dimension.key == "level")
        values = {(column.names["level"], column.names.get("rule")): column.value for column in its.columns}
        own = [[values["Micro", None], values["Macro", None], values["Item", rule]] for rule in ("All met", "Score ≥ 0.50")]
        ranges = [np.ptp([value for value in group if not math.isnan(value)]) for group in own]
        assert (spread.n, spread.largest, spread.mean) == (2, pytest.approx(max(ranges)), pytest.approx(np.mean(ranges)))


def test_a_difference_that_is_not_quite_nothing_does_not_read_as_nothing():
    assert (unsigned_difference(0.003, "kappa"), unsigned_difference(0.02, "kappa"), unsigned_difference(0.0, "kappa")) == (
        "less than 0.01",
        "0.02",
        "0.00",
    )
    assert (unsigned_difference(0.0002, "accuracy"), unsigned_difference(-0.0004, "drift")) == ("less than 0.1\u00a0points",) * 2
    assert (unsigned_difference(0.015, "accuracy"), unsigned_difference(0.0, "drift")) == ("1.5\u00a0points", "0\u00a0points")


def test_a_choice_that_makes_both_ends_is_not_given_a_number_that_differs_from_theirs(sample):
    its = found(sample, space(sample, judge="cautious"))
    ends = replace(
        its, columns=(replace(its.columns[0], value=0.0149), *its.columns[1:-1], replace(its.columns[-1], value=0.0351))
    )
    first, *others = its.spreads
    whole = replace(ends, spreads=(replace(first, largest=0.0351 - 0.0149), *(replace(one, largest=0.012) for one in others)))
    assert "κ runs from 0.01 to 0.04" in reading(whole)
    assert f"The {first.dimension.name} moves it most, over the whole range." in reading(whole)
    assert [how_far(whole, spread) for spread in whole.spreads[:2]] == ["over the whole range", "by up to 0.01"]
    assert how_far(whole, replace(first, largest=0.003)) == "by less than 0.01"


def test_a_tiny_move_is_named_and_none_is_not(sample):
    its = found(sample, space(sample, judge="cautious"))
    low, high = its.columns[0], its.columns[-1]
    near = replace(its, columns=(replace(low, value=0.474), *its.columns[1:-1], replace(high, value=0.476)))
    tiny = replace(near, spreads=tuple(replace(spread, largest=0.001) for spread in its.spreads))
    assert "κ runs from 0.47 to 0.48" in reading(tiny)
    assert "each move it by less than 0.01." in reading(tiny)
    first, *others = its.spreads
    alone = replace(near, spreads=(replace(first, largest=0.001), *(replace(one, largest=0.0) for one in others)))
    assert f"The {first.dimension.name} moves it most, by less than 0.01." in reading(alone)
    for nothing in (0.0, 1e-16):
        still = replace(near, spreads=tuple(replace(spread, largest=nothing) for spread in its.spreads))
        assert still.most is None
        assert "No choice alone moves it." in reading(still)
        assert "most" not in reading(still)
