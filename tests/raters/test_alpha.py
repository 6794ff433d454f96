"""Krippendorff's alpha: published values, the package of that name on random data, degenerate cases, and its jackknife."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from metrics.analyses.raters.alpha import alpha_left_out, krippendorff_alpha
from metrics.analyses.raters.tally import tally_of
from metrics.data.order import MEASUREMENTS
from tests.raters.made import labels, units, votes

VALUES = {"nominal": [1, 2, 3], "ordinal": [1, 2, 3], "interval": [0, 1, 5], "ratio": [0, 2, 7]}


def votes_of_raters(table: list[list[int | None]]) -> tuple[np.ndarray, list[int]]:
    classes = sorted({label for row in table for label in row if label is not None})
    return np.array([[column.count(label) for label in classes] for column in map(list, zip(*table, strict=True))]), classes


def votes_of_units(given: list[list[object]]) -> np.ndarray:
    classes = sorted({label for unit in given for label in unit}, key=str)
    classes = classes if len(classes) > 1 else [*classes, "another"]
    return np.array([[unit.count(label) for label in classes] for unit in given])


@pytest.mark.parametrize(
    "name",
    ["lit.krippendorff12.nominal", "lit.krippendorff12.ordinal", "lit.krippendorff12.interval", "lit.krippendorff12.ratio"],
)
def test_krippendorffs_twelve_units(published, name) -> None:
    entry, level = published[name], name.rpartition(".")[2]
    counts, classes = votes_of_raters(entry["inputs"]["raters_by_unit_null_missing"])
    assert krippendorff_alpha(counts, classes, level) == pytest.approx(entry["expected"]["alpha"], abs=1e-12)


@pytest.mark.parametrize("name", ["lit.krippendorff15.nominal", "lit.krippendorff15.interval"])
def test_three_coders_fifteen_units(published, name) -> None:
    entry, level = published[name], name.rpartition(".")[2]
    counts, classes = votes_of_raters(entry["inputs"]["raters_by_unit_null_missing"])
    assert krippendorff_alpha(counts, classes, level) == pytest.approx(entry["expected"]["alpha"], abs=1e-12)


@pytest.mark.parametrize("name", ["lit.krippendorff_binary10", "lit.krippendorff_nominal12"])
def test_two_observers(published, name) -> None:
    entry = published[name]
    counts, _ = votes_of_raters([entry["inputs"]["observer1"], entry["inputs"]["observer2"]])
    assert krippendorff_alpha(counts) == pytest.approx(entry["expected"]["alpha"], abs=1e-12)


@pytest.mark.parametrize(
    "name",
    ["irr.alpha_code.krippendorff12", "irr.alpha_code.unequal", "irr.alpha_code.equal", "irr.alpha_code.no_variation"],
)
def test_a_unit_weighs_its_ratings_and_not_their_pairs(published, name) -> None:
    entry = published[name]
    wanted = entry["expected"]["canonical"]
    found = float(krippendorff_alpha(votes_of_units(entry["inputs"]["units"])))
    assert np.isnan(found) if wanted is None else found == pytest.approx(wanted, abs=1e-12)


def test_unequal_numbers_of_raters(published) -> None:
    entry = published["rao.eq16.unequal_raters"]
    found = krippendorff_alpha(votes_of_units(entry["inputs"]["units"]))
    assert found == pytest.approx(entry["expected"]["krippendorff_alpha"], abs=1e-12)


@pytest.mark.parametrize("level", MEASUREMENTS)
@pytest.mark.parametrize("seed", range(12))
def test_the_package_agrees_on_random_data_with_gaps(level, seed) -> None:
    own = labels(seed, n=8 + 9 * seed, raters=2 + seed % 5, missing=0.1 * (seed % 6))
    counts = votes(own)
    peer = krippendorff.alpha(value_counts=counts, value_domain=VALUES[level], level_of_measurement=level)
    assert krippendorff_alpha(counts, VALUES[level], level) == pytest.approx(peer, abs=1e-12)


def test_leading_axes_are_kept() -> None:
    stack = np.stack([votes(labels(seed, n=20, missing=0)) for seed in range(6)]).reshape(2, 3, 20, 3)
    for level in MEASUREMENTS:
        found = krippendorff_alpha(stack, None, level)
        assert found.shape == (2, 3)
        assert found[1, 2] == pytest.approx(float(krippendorff_alpha(stack[1, 2], None, level)), abs=1e-14)


@pytest.mark.parametrize(
    "counts",
    [
        [[2, 0], [3, 0]],  # one label only: the package raises or gives 1
        [[1, 0], [0, 1]],  # nobody rated the same unit
        [[2, 0], [0, 1]],  # the second label stands alone
        np.empty((0, 2)),
    ],
)
@pytest.mark.parametrize("level", MEASUREMENTS)
def test_undefined_is_nan(counts, level) -> None:
    assert np.isnan(krippendorff_alpha(counts, None, level))


@pytest.mark.parametrize("level", MEASUREMENTS)
def test_full_agreement_is_one(level) -> None:
    counts = [[3, 0], [0, 2], [0, 3], [2, 0]]
    assert krippendorff_alpha(counts, None, level) == 1


def test_classes_in_another_order_with_their_values_give_the_same() -> None:
    counts, turned = votes(labels(3)), [2, 0, 1]
    for level in MEASUREMENTS:
        values = np.array([1.0, 4.0, 9.0])
        found = krippendorff_alpha(counts[:, turned], values[turned], level)
        assert found == pytest.approx(float(krippendorff_alpha(counts, values, level)), abs=1e-14)


@pytest.mark.parametrize(
    ("counts", "values", "level", "said"),
    [
        ([[1, -1]], None, "nominal", "negative"),
        ([[1, np.nan]], None, "nominal", "finite"),
        ([1, 2], None, "nominal", "shape"),
        ([[1], [2]], None, "nominal", "K >= 2"),
        ([[1, 2]], [1, 2, 3], "interval", "values"),
        ([[1, 2]], None, "rank", "level"),
    ],
)
def test_what_is_no_count_is_refused(counts, values, level, said) -> None:
    with pytest.raises(ValueError, match=said):
        krippendorff_alpha(counts, values, level)


@pytest.mark.parametrize("level", MEASUREMENTS)
@pytest.mark.parametrize("seed", range(6))
def test_leaving_out_in_closed_form_is_leaving_out(level, seed) -> None:
    own = labels(seed, n=25, raters=2 + seed % 4)
    counts = votes(own)
    left, weight = alpha_left_out(tally_of(units(own, item=np.arange(len(own)))), VALUES[level], level)
    pairable = np.flatnonzero(counts.sum(1) > 1)
    wanted = [float(krippendorff_alpha(np.delete(counts, unit, 0), VALUES[level], level)) for unit in pairable]
    assert np.sort(np.repeat(left, weight.astype(int))) == pytest.approx(np.sort(wanted), abs=1e-12)


@pytest.mark.parametrize("level", MEASUREMENTS)
def test_an_item_with_several_units_is_left_out_whole(level) -> None:
    own, item = labels(8, n=30), np.repeat(np.arange(10), 3)[: len(labels(8, n=30))]
    tally = tally_of(units(own, item=item))
    left, weight = alpha_left_out(tally, VALUES[level], level)
    counts = votes(own)
    there = [one for one in np.unique(item) if (counts[item == one].sum(1) > 1).any()]
    wanted = [float(krippendorff_alpha(counts[item != one], VALUES[level], level)) for one in there]
    assert left == pytest.approx(wanted, abs=1e-12)
    assert weight.tolist() == [1] * len(there)


def test_cost_grows_with_distinct_votes() -> None:
    own = labels(1, n=5000, raters=3, k=2)
    tally = tally_of(units(own, k=2, item=np.arange(len(own))))
    assert len(tally.votes) <= 9
    assert (tally.votes[tally.of_unit] == votes(own, 2)).all()
    assert tally.times.sum() == len(own)


def test_votes_too_many_for_a_machine_word_are_merged_all_the_same() -> None:
    own = labels(1, n=40, raters=30, k=14)
    few, many = tally_of(units(own, k=14)), votes(own, 14)
    assert (few.votes[few.of_unit] == many).all()
