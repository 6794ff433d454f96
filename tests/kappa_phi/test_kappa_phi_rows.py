"""The gap between κ and φ: its closed form, five routes to one number, rows and means."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn.metrics import matthews_corrcoef

import metrics
from metrics.analyses.kappa_phi import readings, surface
from metrics.analyses.kappa_phi.five import EQUAL, five_names
from metrics.analyses.kappa_phi.readings_habit import habit_reading
from metrics.analyses.kappa_phi.rows import DECLARED, by_criterion, by_judge, cause_of, frame, heads, in_order, pooled, readable
from metrics.analyses.kappa_phi.variances import of_rows
from tests.conftest import of_tables, ratings_of
from tests.kappa_phi.made import CONSTANT, EVEN, LENIENT, NEGATIVE, STRICT, ZERO, bare, of_judges, report, row, rows, tables, told

ROOT = Path(__file__).resolve().parents[2]


@settings(max_examples=150, deadline=None)
@given(tables)
def test_the_ratio_is_the_closed_form_wherever_both_are_defined(counts) -> None:
    one = bare(counts)
    if math.isnan(one.phi):
        assert one.state == "undefined"
        assert one.reason
        assert math.isnan(float(surface.ratio_at(one.prevalence, one.predicted)))
        return
    assert one.ratio == pytest.approx(float(surface.ratio_at(one.prevalence, one.predicted)), abs=1e-12)
    cause = cause_of(one)
    assert one.ratio == pytest.approx(2 * math.sqrt(cause.a * cause.b) / (cause.a + cause.b), abs=1e-12)
    if one.phi != 0:
        assert one.kappa / one.phi == pytest.approx(one.ratio, rel=1e-9, abs=1e-12)
    assert abs(one.kappa) <= abs(one.phi) + 1e-15


@settings(max_examples=150, deadline=None)
@given(tables)
def test_kappa_equals_phi_only_without_drift_or_without_association(counts) -> None:
    one = bare(counts)
    (tp, fn), (fp, tn) = np.asarray(counts).tolist()
    if one.state == "undefined":
        return
    expected = fn == fp or tp * tn == fp * fn
    assert expected == (one.state in ("no drift", "phi is 0"))
    if expected:
        assert one.gap == pytest.approx(0, abs=1e-14)
    else:
        assert abs(one.kappa) < abs(one.phi)
        assert (one.gap < 0) == (one.phi > 0)


@settings(max_examples=150, deadline=None)
@given(tables)
def test_five_routes_give_one_number(counts) -> None:
    found = five_names(counts)
    assert list(found.values) == ["φ", "MCC", "Pearson’s r", "Spearman’s ρ", "Kendall’s τ_b"]
    if math.isnan(found.values["φ"]):
        assert all(math.isnan(value) for value in found.values.values())
        assert not found.equal
    else:
        assert found.largest <= EQUAL
        assert found.equal


@pytest.mark.parametrize("counts", [STRICT, LENIENT, EVEN, ZERO, NEGATIVE, [[1, 0], [0, 30]], [[3, 1], [0, 2]]])
def test_each_route_is_that_of_another_library(counts) -> None:
    reference = np.repeat([1, 1, 0, 0], np.ravel(counts))
    judge = np.repeat([1, 0, 1, 0], np.ravel(counts))
    others = (
        matthews_corrcoef(reference, judge),
        pearsonr(reference, judge)[0],
        spearmanr(reference, judge)[0],
        kendalltau(reference, judge)[0],
    )
    assert list(five_names(counts).values.values())[1:] == pytest.approx(others, abs=1e-12)


@pytest.mark.parametrize("entry", ["rao.eq12.equality_counterexample", "rao.eq12.negative_case"])
def test_the_exceptions_to_the_published_equality(published, entry) -> None:
    given_, expected = published[entry]["inputs"], published[entry]["expected"]
    one = bare([[given_["TP"], given_["FN"]], [given_["FP"], given_["TN"]]])
    assert one.kappa == pytest.approx(expected["cohen_kappa"], abs=1e-12)
    assert one.phi == pytest.approx(expected["phi_mcc"], abs=1e-12)
    if expected["kappa_over_phi"] is None:
        assert one.state == "phi is 0"
        assert one.ratio == pytest.approx(0.8)
        assert one.drift == pytest.approx(0.3)
    else:
        assert one.ratio == pytest.approx(expected["kappa_over_phi"], abs=1e-12)
        assert one.kappa > one.phi


@pytest.mark.parametrize("level", surface.LEVELS)
@pytest.mark.parametrize("lenient", [True, False])
def test_a_line_keeps_its_ratio_and_its_side(level, lenient) -> None:
    pi, pihat = surface.line(level, lenient=lenient)
    assert surface.ratio_at(pi, pihat)[1:-1] == pytest.approx(level, abs=1e-9)
    assert ((pihat > pi)[1:-1] == lenient).all()
    at = surface.judge_rate_on_line(level, 0.7, lenient=lenient)
    assert float(surface.ratio_at(0.7, at)) == pytest.approx(level)
    assert (float(at) > 0.7) == lenient


def test_the_grid_is_one_on_the_diagonal_and_alike_on_both_sides() -> None:
    rates, ratios = surface.grid(21)
    assert np.diagonal(ratios) == pytest.approx(1)
    assert ratios == pytest.approx(ratios.T)
    assert rates[[0, -1]].tolist() == [0, 1]
    assert not np.isnan(ratios).any()


def test_rows_stand_by_the_size_of_their_drift() -> None:
    found = rows(EVEN, STRICT, ZERO, [[0, 0], [0, 0]], interval="none")
    assert [one.name for one in found] == ["c2", "c1", "c0", "c3"]
    assert [one.state for one in found] == ["phi is 0", "drift", "no drift", "undefined"]
    assert in_order(found[::-1])[0].name == "c2"


def test_all_criteria_together_by_level() -> None:
    judge = report(STRICT, LENIENT, interval="none").judges["j"]
    for level in ("micro", "macro", "item"):
        one = pooled(judge, level)
        assert one is not None
        assert one.block is judge.level(level)
        assert one.has_table == (level != "macro")
        assert level in one.name
    assert pooled(report(STRICT, interval="none").judges["j"], "micro") is None


def test_a_mean_over_criteria_has_no_cause() -> None:
    one = pooled(report(STRICT, LENIENT, interval="none").judges["j"], "macro")
    assert one.state == "mean"
    assert of_rows([one], 0.95) == ()
    with pytest.raises(ValueError, match="no table"):
        cause_of(one)


def test_judges_are_rows_too() -> None:
    verdicts = {"strict": "UUMU", "lenient": "MMMU"}
    humans = "MUMU"
    made = [(f"i{i}", "c", "h", "human", humans[i]) for i in range(4)]
    made += [(f"i{i}", "c", name, "judge", given_[i]) for name, given_ in verdicts.items() for i in range(4)]
    ratings = ratings_of(made, kinds={"M": "positive", "U": "negative"})
    found = by_judge(metrics.agreement(ratings), "micro")
    assert {one.name: one.drift for one in found} == {"strict": -0.25, "lenient": 0.25}
    assert readings.gap_reading(found, "M", "judge").startswith("κ is 0.08 below φ for")


def test_three_classes_cannot_be_read() -> None:
    table = [[5, 1, 1], [1, 5, 1], [1, 1, 5]]
    ratings = of_tables(table)
    assert readable(metrics.agreement(ratings, interval="none"))
    assert not readable(metrics.agreement(ratings, abstention="as_category", interval="none"))


def test_the_table_of_rows() -> None:
    its = report(STRICT, CONSTANT)
    columns = frame(by_criterion(its.judges["j"]), its.declaration, "criterion", "j", "criterion")
    assert len({len(column) for column in columns.values()}) == 1
    place = columns["criterion"].index("c0")
    assert [columns[cell][place] for cell in ("TP", "FN", "FP", "TN")] == [20, 30, 5, 45]
    assert columns["drift"][place] == pytest.approx(-0.25)
    assert columns["drift_low"][place] < -0.25 < columns["drift_high"][place]
    other = columns["criterion"].index("c1")
    assert math.isnan(columns["phi"][other])
    assert "judge gives one label only" in columns["undefined"][other]
    assert columns["sha256"][0] == its.declaration.sha256
    assert set(DECLARED) <= set(columns)


def test_how_many_criteria_a_mean_is_over() -> None:
    one, other = (of_judges({"j": counts}, interval="none")[0] for counts in ([STRICT, CONSTANT], [STRICT, LENIENT]))
    assert (one.share_of_criteria("kappa"), one.share_of_criteria("phi"), one.share_of_criteria("kappa_phi_ratio")) == (
        "",
        "1 of 2",
        "1 of 2",
    )
    assert other.share_of_criteria("phi") == ""
    assert row(CONSTANT).share_of_criteria("phi") == ""
    its = report(STRICT, CONSTANT)
    macro = pooled(its.judges["j"], "macro")
    columns = frame([macro, *by_criterion(its.judges["j"])], its.declaration, "criterion", "j", "criterion")
    assert columns["phi_mean_over"] == ["1 of 2", "", ""]
    assert columns["kappa_mean_over"] == ["", "", ""]


def test_zero_by_construction_is_told_from_zero_by_chance() -> None:
    assert row(CONSTANT).by_construction
    assert row([[0, 10], [0, 90]]).by_construction
    assert not row(ZERO).by_construction
    assert not row(STRICT).by_construction
    assert not row([[20, 0], [0, 0]]).by_construction
    assert of_judges({"j": [CONSTANT, CONSTANT]})[0].by_construction
    assert not of_judges({"j": [CONSTANT, ZERO]})[0].by_construction


# What is said.


def test_a_mean_over_criteria_names_no_drift_as_its_cause() -> None:
    found = of_judges({"even": [STRICT, LENIENT]})
    assert found[0].drift == 0
    text = told(readings.gap_reading(found, "MET", "judge"))
    assert text.startswith("κ is 0.05 below φ for even, in the mean over criteria. ")
    assert readings.NO_RATES in text
    assert "because" not in text
    by_table = told(readings.gap_reading(of_judges({"strict": [STRICT, STRICT]}, level="micro"), "MET", "judge"))
    assert "for strict because it says MET 25 points less often" in by_table
    assert readings.NO_RATES not in by_table


def test_means_over_different_criteria_are_not_called_equal() -> None:
    found = of_judges({"half": [EVEN, CONSTANT]})
    assert (found[0].kappa, found[0].phi, found[0].ratio) == pytest.approx((0.3, 0.6, 1))
    text = readings.gap_reading(found, "MET", "judge")
    assert "κ = φ" not in text
    assert text.startswith("where both are defined, κ and φ have the same mean over criteria.")
    assert readings.means_reading(found).endswith("half: φ and κ/φ over 1 of 2 criteria.")
    lower = of_judges({"half": [STRICT, CONSTANT]})
    assert "in the mean over the 1 of 2 criteria where both are defined" in readings.gap_reading(lower, "MET", "judge")
    whole = of_judges({"whole": [EVEN, STRICT]})
    assert readings.means_reading(whole) == ""
    assert readings.means_reading(rows(STRICT, CONSTANT)) == ""
    many = of_judges({f"j{i}": [EVEN, CONSTANT] for i in range(5)})
    assert readings.means_reading(many).endswith("; and 2 more.")


def test_means_of_phi_that_cancel_are_not_called_zero() -> None:
    text = readings.gap_reading(of_judges({"both": [EVEN, [[10, 40], [40, 10]]]}), "MET", "judge")
    assert "both 0" not in text
    assert "no better" not in text


def test_a_mean_has_no_place_on_the_surface() -> None:
    text = readings.surface_reading(of_judges({"one": [STRICT, LENIENT], "two": [STRICT, STRICT]}))
    assert text == f"nothing has a place here: {readings.NO_RATES}."
    mixed = readings.surface_reading([*rows(STRICT, LENIENT), *of_judges({"one": [STRICT, LENIENT]})])
    assert "1 above it, where the judge’s rate is the larger one; 1 below it" in mixed
    assert mixed.endswith(f"Without a place: one, because {readings.NO_RATES}.")


def test_the_habit_in_a_mean_is_that_of_the_mean() -> None:
    text = habit_reading(of_judges({"one": [STRICT, STRICT], "two": [EVEN, EVEN]}), "MET", "judge")
    assert text.startswith("In the mean over criteria, of 2 judges 1 says MET less often than the reference, significantly")
    none = habit_reading(of_judges({"one": [EVEN, EVEN], "two": [EVEN, EVEN]}), "MET", "judge")
    assert none.startswith("In the mean over criteria, on none of 2 judges")
    by_table = habit_reading(of_judges({"one": [STRICT], "two": [EVEN]}, level="micro"), "MET", "judge")
    assert "mean" not in by_table


def test_zero_on_every_criterion_is_not_zero_pooled() -> None:
    judge = report([[256, 64], [64, 16]], [[1, 19], [19, 361]]).judges["j"]
    found = by_criterion(judge)
    text = readings.gap_reading(found, "MET", pooled=pooled(judge, "micro"))
    assert text.startswith("on every criterion κ and φ are 0: ")
    assert text.endswith("; pooled they are 0.58 (see Every choice, Aggregation).")
    assert "both 0" not in text
    assert "items" not in readings.gap_reading(found, "MET", pooled=pooled(judge, "item")), "0 over whole items too"
    apart = metrics.agreement(metrics.read(ROOT / "assets/pooled_at_chance.csv"), interval="none").judges["judge"]
    by_item = readings.gap_reading(by_criterion(apart), "MET", pooled=pooled(apart, "item"))
    assert "; over whole items they are 0.02 (see" in by_item
    assert "pooled" not in readings.gap_reading(found, "MET", pooled=pooled(judge, "macro"))
    assert "pooled" not in readings.gap_reading(found, "MET")
    flat = report([[25, 25], [25, 25]], [[25, 25], [25, 25]]).judges["j"]
    assert "pooled" not in readings.gap_reading(by_criterion(flat), "MET", pooled=pooled(flat, "micro"))
    some = report([[25, 25], [25, 25]], CONSTANT).judges["j"]
    assert readings.gap_reading(by_criterion(some), "MET").startswith("wherever φ is defined κ and φ are 0: ")


def test_columns_on_a_page_have_symbols_and_no_two_the_same() -> None:
    columns = [*frame(rows(STRICT), report(STRICT).declaration, "criterion", "judge", "micro")]
    named = heads(columns)
    assert (named["kappa_low"], named["kappa_phi_gap"], named["n"], named["criterion"]) == ("κ low", "κ − φ", "n", "criterion")
    assert len(set(named.values())) == len(columns)
