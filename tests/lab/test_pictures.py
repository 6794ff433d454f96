"""What the views of a table are drawn from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import cohen_kappa, phi
from metrics.content.lab.pictures import BARS, BARS_OF_THREE, GRID, LINES, RATES, Picture
from metrics.content.lab.tables import MOST, ConfusionTable, Rates
from metrics.data.abstention import MODES
from metrics.measures.catalogue import BY_KEY

counts = st.integers(0, MOST).map(float)


@pytest.mark.parametrize("mode", MODES)
@given(cells=st.tuples(*[counts] * 4), silent=st.tuples(*[st.integers(0, 5).map(float)] * 5))
def test_values_are_the_catalogues_and_have_a_reason_exactly_where_they_are_undefined(cells, silent, mode) -> None:
    picture = Picture(ConfusionTable(cells, silent), mode)
    assert picture.two == (len(picture.counts) == 2)
    assert picture.bars == (BARS if picture.two else BARS_OF_THREE)
    assert set(picture.values) == {*picture.bars, *(RATES if picture.two else ()), "expected_agreement"}
    for key, value in picture.values.items():
        assert value == pytest.approx(float(BY_KEY[key].function(picture.counts)), nan_ok=True)
        assert bool(picture.why(key)) == math.isnan(value), key
        assert not math.isinf(value)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 0.99))
def test_the_lines_pass_through_the_table(tpr: float, tnr: float, at: float) -> None:
    picture = Picture(ConfusionTable.of_rates(Rates(at, tpr, tnr, MOST)))
    for key in LINES:
        nearest = int(np.abs(GRID - at).argmin())
        there = Picture(ConfusionTable.of_rates(Rates(float(GRID[nearest]), tpr, tnr, MOST))).values[key]
        assert picture.lines[key][nearest] == pytest.approx(there, abs=1e-4, nan_ok=True)
        assert len(picture.lines[key]) == len(GRID)


def test_lines_of_a_known_judge() -> None:
    lines = Picture(ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 1000))).lines
    middle = int(np.abs(GRID - 0.5).argmin())
    assert lines["kappa"][middle] == lines["phi"][middle] == pytest.approx(0.8)
    assert np.nanmax(lines["kappa"]) == pytest.approx(0.8)
    assert (lines["kappa"] <= lines["phi"] + 1e-12)[1:-1].all()


def test_a_judge_driven_by_rates_keeps_them_where_the_counts_lose_them() -> None:
    nobody = Picture(ConfusionTable.of_rates(Rates(0.0, 0.9, 0.8, 100)))
    assert nobody.rates == (0.9, pytest.approx(0.2))
    assert math.isnan(nobody.values["recall"])
    assert not np.isnan(nobody.lines["kappa"][60])
    by_count = Picture(ConfusionTable((0, 0, 20, 80)))
    assert math.isnan(by_count.rates[0])
    assert np.isnan(by_count.lines["kappa"]).all()


def test_recoded_silence_changes_the_rates_and_a_third_class_has_none() -> None:
    table = ConfusionTable.of_rates(Rates(0.5, 0.8, 0.8, 100), (10, 0, 0, 0, 0))
    assert Picture(table).rates == (0.8, pytest.approx(0.2))
    assert Picture(table, "as_unmet").rates[0] == pytest.approx(40 / 60)
    assert all(math.isnan(rate) for rate in Picture(table, "as_category").rates)


def test_a_billion_in_every_cell() -> None:
    picture = Picture(ConfusionTable((MOST, 1, 2, MOST)))
    assert picture.n == 2 * MOST + 3
    assert picture.values["kappa"] == pytest.approx(1, abs=1e-8)
    full = Picture(ConfusionTable((MOST,) * 4, (MOST,) * 5), "as_category")
    assert full.values["kappa"] == full.values["mcc_multiclass"] == pytest.approx(0, abs=1e-12)


@given(st.tuples(*[st.integers(0, 1000)] * 4))
def test_kappa_and_phi_are_those_of_the_package(cells: tuple[int, ...]) -> None:
    picture, table = Picture(ConfusionTable(tuple(map(float, cells)))), np.reshape(cells, (2, 2))
    assert picture.values["kappa"] == pytest.approx(float(cohen_kappa(table)), nan_ok=True)
    assert picture.values["phi"] == pytest.approx(float(phi(table)), nan_ok=True)


def test_labels_are_the_users_own() -> None:
    table = ConfusionTable((1, 2, 3, 4), (1, 0, 0, 0, 0))
    assert Picture(table, "as_category", words=("yes", "no", "skip")).labels == ("yes", "no", "skip")
    assert Picture(table, words=("yes", "no", "skip")).labels == ("yes", "no")
    assert Picture(ConfusionTable((0, 2, 0, 4)), words=("yes", "no", "skip")).why("phi") == "the judge gives one label only, no"
