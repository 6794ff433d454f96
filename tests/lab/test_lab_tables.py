"""A table by hand: its two drives, its text, its modes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.content.lab.pictures import Picture
from metrics.content.lab.tables import MOST, NONE, UNKNOWN, ConfusionTable, Rates, labels_of, read
from metrics.data.abstention import MODES
from metrics.results.words import amount

counts = st.integers(0, MOST).map(float)
shares = st.floats(0, 1)
silences = st.just(NONE) | st.tuples(counts, counts, counts, counts, counts)
rates = st.builds(Rates, shares, shares, shares, st.integers(0, MOST))
tables = st.builds(ConfusionTable, st.tuples(counts, counts, counts, counts), silences) | st.builds(
    ConfusionTable.of_rates, rates, silences
)


def _agreement(table: ConfusionTable) -> float:
    return Picture(table).values["accuracy"]


@given(tables)
def test_a_table_comes_back_from_its_text(table: ConfusionTable) -> None:
    assert read(table.text()) == table
    assert len(table.text()) <= 100


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (ConfusionTable((45, 5, 95, 855)), "45_5_95_855"),
        (ConfusionTable((30, 10, 10, 20), (5, 5, 5, 5, 10)), "30_10_10_20_5_5_5_5_10"),
        (ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 1000)), "r5_90_90_1000"),
        (ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 1000), (1, 0, 0, 0, 0)), "r5_90_90_1000_1_0_0_0_0"),
    ],
)
def test_the_text_is_short_and_can_be_typed(table: ConfusionTable, text: str) -> None:
    assert table.text() == text
    assert read(text) == table


def read_or_refused(text: str) -> ConfusionTable | str:
    try:
        return read(text)
    except InputError as error:
        return str(error)


@given(st.text(max_size=60) | st.text("0123456789_.r-e+naif ", max_size=60))
def test_any_other_text_is_refused_in_a_sentence(text: str) -> None:
    found = read_or_refused(text)
    if isinstance(found, str):
        assert found.endswith(".")
        assert len(found) < 200
        assert "e+" not in found.partition("’")[2]
    else:
        assert read(found.text()) == found


@pytest.mark.parametrize(
    "text",
    ["", "r", "1_2_3", "1_2_3_4_5", "1_2_3_4_5_6_7_8", "1_2_3_x", "1__3_4", "-1_2_3_4", "1_2_3_1000000001", "nan_1_1_1",
     "inf_1_1_1", "r101_90_90_10", "r5_90_90_-1", "r5_90_90_1000000001", "r5_90_nan_10", "rr5_90_90_10", "R5_90_90_10",
     "1_2_3_4_5_6_7_8_-9"],
)  # fmt: skip
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read(text)


def test_a_refused_text_is_shown_shortened() -> None:
    with pytest.raises(InputError, match=r"‘y{40}…’ cannot be a table: write whole numbers TP_FN_FP_TN, such as 45_5_95_855\."):
        read("y" * 5000)


def test_a_table_of_counts_is_of_two_labels_or_of_two_and_no_verdict() -> None:
    assert ConfusionTable.of_counts([[30, 10, 5], [10, 20, 5], [5, 5, 10]]) == ConfusionTable((30, 10, 10, 20), (5, 5, 5, 5, 10))
    assert ConfusionTable.of_counts(np.array([[1, 2], [3, 4]])) == ConfusionTable((1, 2, 3, 4))
    with pytest.raises(InputError, match="not of shape"):
        ConfusionTable.of_counts(np.ones((4, 4)))
    with pytest.raises(InputError, match="between 0 and"):
        ConfusionTable.of_counts([[MOST + 1, 0], [0, 0]])


@pytest.mark.parametrize("cells", [(-1, 0, 0, 0), (math.nan, 0, 0, 0), (math.inf, 0, 0, 0), (0, 0, 0, MOST + 1)])
def test_a_cell_out_of_range_is_refused(cells: tuple[float, ...]) -> None:
    with pytest.raises(InputError):
        ConfusionTable(cells)
    with pytest.raises(InputError):
        ConfusionTable((0, 0, 0, 0), (*cells, 0))


@pytest.mark.parametrize("wrong", [{"prevalence": 1.1}, {"tpr": -0.1}, {"tnr": math.nan}, {"n": -1}, {"n": MOST + 1}])
def test_rates_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        Rates(**{"prevalence": 0.5, "tpr": 0.5, "tnr": 0.5, "n": 10} | wrong)  # type: ignore[arg-type]


@given(rates)
def test_counts_of_rates_have_these_rates(own: Rates) -> None:
    tp, fn, fp, tn = ConfusionTable.of_rates(own).confusion_counts
    assert math.fsum((tp, fn, fp, tn)) == pytest.approx(own.n, rel=1e-12, abs=1e-8)
    assert tp + fn == pytest.approx(own.prevalence * own.n, rel=1e-12, abs=1e-8)
    assert tp == pytest.approx(own.tpr * (tp + fn), rel=1e-9, abs=1e-8)
    assert tn == pytest.approx(own.tnr * (fp + tn), rel=1e-9, abs=1e-8)


@given(st.tuples(*[st.integers(0, 20_000).map(float)] * 4), silences)
def test_counts_survive_being_driven_by_rates_and_back(cells: tuple[float, ...], silent: tuple[float, ...]) -> None:
    table = ConfusionTable(cells, silent)
    by_rates = table.driven_by_rates()
    assert by_rates.rates is not None
    assert by_rates.driven_by_counts() == table
    assert by_rates.driven_by_rates() is by_rates
    assert table.driven_by_counts() is table


@given(tables)
def test_whole_counts_of_a_table_of_rates_are_as_many_as_it_has(table: ConfusionTable) -> None:
    assume(table.rates is not None)
    whole = table.driven_by_counts()
    assert all(n == round(n) for n in whole.confusion_counts)
    assert sum(whole.confusion_counts) == table.rates.n  # type: ignore[union-attr]
    assert all(abs(a - b) < 1 + 1e-6 for a, b in zip(whole.confusion_counts, table.confusion_counts, strict=True))


def test_three_decisions_split_in_four_stay_three() -> None:
    assert sum(ConfusionTable.of_rates(Rates(0.5, 0.5, 0.5, 3)).driven_by_counts().confusion_counts) == 3


def test_a_rate_that_the_counts_leave_undefined_starts_in_the_middle() -> None:
    found = ConfusionTable((0, 0, 3, 7)).driven_by_rates().rates
    assert found == Rates(0.0, UNKNOWN, 0.7, 10)
    assert ConfusionTable((0, 0, 0, 0)).driven_by_rates().rates == Rates(UNKNOWN, UNKNOWN, UNKNOWN, 0)


def test_more_decisions_than_rates_can_drive_are_cut_to_what_they_can() -> None:
    found = ConfusionTable((MOST, MOST, MOST, MOST)).driven_by_rates()
    assert found.n == MOST
    assert found.rates == Rates(0.5, 0.5, 0.5, MOST)


@given(tables)
def test_turning_changes_misses_and_false_alarms_over_and_turns_back(table: ConfusionTable) -> None:
    turned, table = table.turned(), table.driven_by_counts()
    tp, fn, fp, tn = table.confusion_counts
    assert turned.confusion_counts == (tp, fp, fn, tn)
    assert turned.raw.tolist() == table.raw.T.tolist()
    assert turned.turned().raw.tolist() == table.raw.tolist()
    assert _agreement(turned) == pytest.approx(_agreement(table), nan_ok=True)


@pytest.mark.parametrize("mode", MODES)
def test_modes_are_those_of_the_judge_page(published, build_of_tables, mode) -> None:
    table = published["rao.eq14.coverage"]["inputs"]["table"]
    report = metrics.agreement(build_of_tables(table), abstention=mode, interval="none").judges["j"]
    own = ConfusionTable.of_counts(table)
    assert own.counts(mode).tolist() == report.micro.confusion.tolist()
    assert own.coverage == report.coverage.coverage
    assert labels_of(own, mode, ("MET", "UNMET", "CA")) == tuple(report.micro.labels)


@pytest.mark.parametrize("mode", MODES)
def test_without_abstentions_every_mode_is_the_same_table(mode) -> None:
    table = ConfusionTable((1, 2, 3, 4))
    assert table.counts(mode).tolist() == [[1, 2], [3, 4]]
    assert labels_of(table, mode, ("yes", "no", "skip")) == ("yes", "no")
    assert not table.abstains


@pytest.mark.parametrize("mode", MODES)
@given(table=tables)
def test_every_mode_keeps_the_decisions_it_counts(table: ConfusionTable, mode) -> None:
    kept = math.fsum(table.confusion_counts) if mode == "exclude" else table.n
    assert table.counts(mode).sum() == pytest.approx(kept, rel=1e-12, abs=1e-9)
    assert np.isfinite(table.counts(mode)).all()


def test_coverage_and_agreement_of_nothing_are_undefined() -> None:
    assert math.isnan(ConfusionTable((0, 0, 0, 0)).coverage)
    assert math.isnan(_agreement(ConfusionTable((0, 0, 0, 0))))
    assert ConfusionTable((0, 0, 0, 0), (1, 0, 0, 0, 0)).coverage == 0


def test_counts_are_averages_only_where_the_digits_of_the_rates_are_not_the_reason() -> None:
    """TPR 40 / 60 is kept as 66.6667 %, of which 60 make 40.00002."""
    back = ConfusionTable((40, 20, 5, 35)).driven_by_rates()
    assert back.confusion_counts[0] != 40
    assert [amount(n) for n in back.confusion_counts] == ["40", "20", "5", "35"]
    assert not back.on_average
    assert ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 333)).on_average
    assert not any(ConfusionTable.of_rates(Rates(at / 100, 0.9, 0.9, 10**9)).on_average for at in range(101))


def test_turned_and_carried_tables_are_whole() -> None:
    turned = ConfusionTable.of_rates(Rates(0.05, 0.9, 0.9, 333)).turned()
    assert read(turned.text()) == turned
    assert math.fsum(turned.confusion_counts) == 333
    assert all(n == round(n) for n in turned.confusion_counts)
    assert ConfusionTable.of_counts([[1.4, 0], [0, 2.6]]).confusion_counts == (1, 0, 0, 3)


def test_a_rate_in_percent_is_the_one_asked_for() -> None:
    """100 times .55 is 55.00000000000001; a slider that stands at 55 must find 55."""
    for place in range(1001):
        asked = place / 10
        assert Rates(0.5, 0.9, 0.9, 100).with_percent("prevalence", asked).in_percent["prevalence"] == asked
