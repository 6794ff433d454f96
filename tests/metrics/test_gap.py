"""κ against φ: the two label rates decide the ratio, and the sentences say what the counts say."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn.metrics import matthews_corrcoef

import metrics
from metrics.gap import said, surface
from metrics.gap.cause import cause_of, written_out
from metrics.gap.five import EQUAL, five_names
from metrics.gap.rows import DECLARED, GapRow, by_criterion, by_judge, frame, in_order, pooled, readable
from metrics.gap.variances import checks, of_rows, second_order, variance_gap, variances_of
from metrics.results import Block
from metrics.words import HARD_SPACE
from tests.conftest import of_tables, ratings_of

ROOT = Path(__file__).resolve().parents[2]
STRICT, LENIENT, EVEN = [[20, 30], [5, 45]], [[45, 5], [30, 20]], [[40, 10], [10, 40]]
ZERO, NEGATIVE, CONSTANT = [[10, 10], [40, 40]], [[10, 40], [20, 30]], [[20, 0], [80, 0]]
cells = st.one_of(st.integers(0, 6), st.integers(0, 5000))
tables = st.tuples(cells, cells, cells, cells).map(lambda c: np.reshape(c, (2, 2)))


def report(*counts, names=None, interval="auto", labels=("MET", "UNMET"), **options):
    ratings = of_tables(*counts, labels=labels, **options)
    ratings = replace(ratings, criteria=tuple(names)) if names else ratings
    return metrics.agreement(ratings, interval=interval)


def rows(*counts, **options) -> tuple[GapRow, ...]:
    return by_criterion(report(*counts, **options).judges["j"])


def told(text: str) -> str:
    """With plain spaces."""
    return text.replace(HARD_SPACE, " ")


def row(counts, **options) -> GapRow:
    return rows(counts, **options)[0]


def bare(counts) -> GapRow:
    """A row with nothing but what the counts say."""
    table = np.asarray(counts, np.int64)
    two = metrics.catalogue.applicable(2, "table")
    values = {metric.key: float(metric.function(table)) for metric in two}
    reasons = {metric.key: metrics.catalogue.why_undefined(metric, table, ("MET", "UNMET")) for metric in two}
    undefined = {key: why for key, why in reasons.items() if why}
    return GapRow("c", Block(int(table.sum()), ("MET", "UNMET"), table, values, undefined))


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
    assert said.gap_reading(found, "M", "judge").startswith("κ lies 0.08 below φ for")


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


def of_judges(tables: dict[str, list], *, level: str = "macro", **options) -> tuple[GapRow, ...]:
    """One row per judge, each with a table per criterion."""
    return in_order(GapRow(name, report(*counts, **options).judges["j"].level(level)) for name, counts in tables.items())


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
    text = told(said.gap_reading(found, "MET", "judge"))
    assert text.startswith("κ lies 0.05 below φ for even, in the mean over criteria. ")
    assert said.NO_RATES in text
    assert "because" not in text
    by_table = told(said.gap_reading(of_judges({"strict": [STRICT, STRICT]}, level="micro"), "MET", "judge"))
    assert "for strict because it says MET 25 points less often" in by_table
    assert said.NO_RATES not in by_table


def test_means_over_different_criteria_are_not_called_equal() -> None:
    found = of_judges({"half": [EVEN, CONSTANT]})
    assert (found[0].kappa, found[0].phi, found[0].ratio) == pytest.approx((0.3, 0.6, 1))
    text = said.gap_reading(found, "MET", "judge")
    assert "κ = φ" not in text
    assert text.startswith("where both are defined, κ and φ have the same mean over criteria.")
    assert said.means_reading(found).endswith("half: φ and κ/φ over 1 of 2 criteria.")
    lower = of_judges({"half": [STRICT, CONSTANT]})
    assert "in the mean over the 1 of 2 criteria where both are defined" in said.gap_reading(lower, "MET", "judge")
    whole = of_judges({"whole": [EVEN, STRICT]})
    assert said.means_reading(whole) == ""
    assert said.means_reading(rows(STRICT, CONSTANT)) == ""
    many = of_judges({f"j{i}": [EVEN, CONSTANT] for i in range(5)})
    assert said.means_reading(many).endswith("; and 2 more.")


def test_means_of_phi_that_cancel_are_not_called_zero() -> None:
    text = said.gap_reading(of_judges({"both": [EVEN, [[10, 40], [40, 10]]]}), "MET", "judge")
    assert "both 0" not in text
    assert "no better" not in text


def test_a_mean_has_no_place_on_the_surface() -> None:
    text = said.surface_reading(of_judges({"one": [STRICT, LENIENT], "two": [STRICT, STRICT]}))
    assert text == f"nothing has a place here: {said.NO_RATES}."
    mixed = said.surface_reading([*rows(STRICT, LENIENT), *of_judges({"one": [STRICT, LENIENT]})])
    assert "1 above it, where the judge says it more often; 1 below it" in mixed
    assert mixed.endswith(f"Without a place: one, because {said.NO_RATES}.")


def test_the_habit_in_a_mean_is_that_of_the_mean() -> None:
    text = said.habit_reading(of_judges({"one": [STRICT, STRICT], "two": [EVEN, EVEN]}), "MET", "judge")
    assert text.startswith("In the mean over criteria, beyond the noise, of 2 judges 1 says MET too seldom")
    none = said.habit_reading(of_judges({"one": [EVEN, EVEN], "two": [EVEN, EVEN]}), "MET", "judge")
    assert none.startswith("In the mean over criteria, on none of 2 judges")
    by_table = said.habit_reading(of_judges({"one": [STRICT], "two": [EVEN]}, level="micro"), "MET", "judge")
    assert "mean" not in by_table


def test_zero_on_every_criterion_is_not_zero_pooled() -> None:
    judge = report([[256, 64], [64, 16]], [[1, 19], [19, 361]]).judges["j"]
    found = by_criterion(judge)
    text = said.gap_reading(found, "MET", pooled=pooled(judge, "micro"))
    assert text.startswith("on every criterion κ and φ are 0: ")
    assert text.endswith("; pooled they are 0.58 (see Every choice at once, Aggregation).")
    assert "both 0" not in text
    assert "items" not in said.gap_reading(found, "MET", pooled=pooled(judge, "item")), "0 over whole items too"
    apart = metrics.agreement(metrics.read(ROOT / "assets/pooled_at_chance.csv"), interval="none").judges["judge"]
    by_item = said.gap_reading(by_criterion(apart), "MET", pooled=pooled(apart, "item"))
    assert "; over whole items they are 0.02 (see" in by_item
    assert "pooled" not in said.gap_reading(found, "MET", pooled=pooled(judge, "macro"))
    assert "pooled" not in said.gap_reading(found, "MET")
    flat = report([[25, 25], [25, 25]], [[25, 25], [25, 25]]).judges["j"]
    assert "pooled" not in said.gap_reading(by_criterion(flat), "MET", pooled=pooled(flat, "micro"))
    some = report([[25, 25], [25, 25]], CONSTANT).judges["j"]
    assert said.gap_reading(by_criterion(some), "MET").startswith("wherever φ is defined κ and φ are 0: ")


def test_the_sentence_for_a_paper_says_chance_level_by_construction() -> None:
    none = said.paper_sentence(report(CONSTANT), "j", "micro", row(CONSTANT))
    assert none.count("(chance level by construction). n = 100") == 1
    for counts in (ZERO, STRICT):
        assert "by construction" not in said.paper_sentence(report(counts), "j", "micro", row(counts))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        (STRICT, "κ lies 0.05 below φ on c0 because the judge says MET 25 points less often than the human."),
        (LENIENT, "κ lies 0.05 below φ on c0 because the judge says MET 25 points more often than the human."),
        (EVEN, "κ = φ: judge and human say MET equally often."),
        (NEGATIVE, "κ lies 0.02 above φ, nearer to 0, on c0 because the judge says MET 20 points less often than the human."),
    ],
)
def test_the_gap_in_words(counts, words) -> None:
    assert told(said.gap_reading([row(counts)], "MET")) == words


def test_the_gap_where_phi_is_zero_or_undefined() -> None:
    alone = told(said.gap_reading([row(ZERO)], "MET"))
    assert alone.startswith("κ and φ are both 0")
    assert alone.endswith("The gap is 0 although c0 drifts by +30 points: where φ is 0 there is nothing to lose.")
    assert said.gap_reading([row(CONSTANT)], "MET") == "φ is undefined on c0: the judge gives one label only, MET."
    both = said.gap_reading(rows(CONSTANT, CONSTANT), "MET")
    assert both.startswith("φ is undefined on every criterion: ")
    many = said.gap_reading(rows(STRICT, ZERO, CONSTANT, EVEN), "MET")
    assert many.startswith("κ lies 0.05 below φ on c0")
    assert " Where φ is 0 the gap is 0 whatever the drift: c1." in many
    assert many.endswith("φ is undefined on c2: the judge gives one label only, MET.")
    assert said.gap_reading(rows(EVEN, EVEN), "MET").startswith("κ = φ throughout")
    assert said.gap_reading([], "MET") == "there is no row to read."


def test_a_small_gap_and_a_drift_within_the_noise() -> None:
    text = told(said.gap_reading([row([[40, 9], [10, 41]])], "MET"))
    assert text.startswith("κ lies less than 0.01 below φ on c0 because the judge says MET 1.0 points more often")
    assert text.endswith("(the interval of that drift holds 0).")


def test_names_and_labels_are_handed_over_whole() -> None:
    found = rows([[20, 30], [5, 45]], names=["*odd*"], labels=("yes", "no"), kinds={"yes": "positive", "no": "negative"})
    text = told(said.gap_reading(found, "yes", name=lambda word: f"<{word}>"))
    assert "on <*odd*> because the judge says <yes> 25 points less often" in text


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([STRICT], "It says MET too seldom beyond the noise: the interval of the drift does not hold 0."),
        ([LENIENT], "It says MET too often beyond the noise: the interval of the drift does not hold 0."),
        ([EVEN], "Whether it says MET too often is not settled: the interval of the drift holds 0."),
        ([EVEN, EVEN], "On none of 2 criteria is the drift beyond the noise: every interval holds 0."),
        ([STRICT, STRICT], "Beyond the noise, the judge says MET too seldom on 2 of 2 criteria."),
        (
            [STRICT, LENIENT, EVEN],
            "Beyond the noise, the judge says MET too often on 1, too seldom on 1 of 3 criteria; "
            "on 1 the interval of the drift holds 0.",
        ),
    ],
)
def test_the_habit_in_words(counts, expected) -> None:
    assert said.habit_reading(rows(*counts), "MET") == expected


def test_no_interval_no_habit() -> None:
    assert said.habit_reading(rows(STRICT, interval="none"), "MET") == ""


def test_the_habit_of_judges() -> None:
    found = [GapRow(f"j{i}", row(counts).block) for i, counts in enumerate((STRICT, LENIENT, LENIENT, EVEN))]
    expected = "Beyond the noise, of 4 judges 2 say MET too often and 1 too seldom; on 1 the interval of the drift holds 0."
    assert said.habit_reading(found, "MET", "judge") == expected
    assert said.habit_reading(found[:1] * 2, "MET", "judge") == "Beyond the noise, of 2 judges 2 say MET too seldom."
    assert "of 2 judges 1 says MET too seldom;" in said.habit_reading([found[0], found[3]], "MET", "judge")


def test_the_surface_in_words() -> None:
    found = rows(STRICT, EVEN, CONSTANT)
    text = said.surface_reading(found)
    assert text.startswith(f"on the diagonal κ = φ; c0 keeps {round(100 * found[1].ratio)}\u00a0% of φ.")
    assert "1 below it, where the judge says it less often; 1 on it." in text
    assert text.endswith("Without a place: c2, because the judge gives one label only, MET.")
    assert "All 2 lie above it" in said.surface_reading(rows(LENIENT, LENIENT))
    assert said.surface_reading([row(EVEN)]) == "on the diagonal κ = φ, and it lies there."
    assert said.surface_reading([row(ZERO)]).endswith("c0 keeps 80\u00a0% of φ, which is 0 there.")
    assert said.surface_reading([row(CONSTANT)]).startswith("nothing has a place here")


@pytest.mark.parametrize(
    ("counts", "side", "judge", "human", "verdicts"),
    [
        (STRICT, "smaller", "more", "less", "5 false alarms against 30"),
        (LENIENT, "larger", "less", "more", "30 false alarms against 5"),
    ],
)
def test_the_cause_in_words(counts, side, judge, human, verdicts) -> None:
    text = told(said.cause_reading(cause_of(row(counts))))
    assert f"The judge’s rate is the {side} one" in text
    assert f"would have to say MET 25 points {judge} often, that is 25 verdicts on balance ({verdicts} missed)" in text
    assert f"or the human 25 points {human} often. Then κ = φ" in text


def test_moving_the_rate_as_told_closes_the_gap() -> None:
    cause = cause_of(row(STRICT))
    changed = np.array(STRICT) + np.array([[0, 0], [-cause.surplus, cause.surplus]])
    one = bare(changed)
    assert one.state == "no drift"
    assert one.kappa == pytest.approx(one.phi)


def test_the_cause_without_drift_with_phi_zero_and_undefined() -> None:
    assert "so A = B and κ = φ, whatever the errors are." in said.cause_reading(cause_of(row(EVEN)))
    zero = said.cause_reading(cause_of(row(ZERO)))
    assert "the gap is 0 whatever the drift" in zero
    assert "The ratio 0.800 comes from the rates alone" in zero
    assert "Then κ = φ" not in zero
    assert "There is no ratio: the judge gives one label only" in said.cause_reading(cause_of(row(CONSTANT)))
    both = said.cause_reading(cause_of(row([[25, 25], [25, 25]])))
    assert both.endswith("φ is 0 here, so both are 0.")
    assert "no decision is left" in said.cause_reading(cause_of(bare([[0, 0], [0, 0]])))


def test_the_ratio_written_out_holds_its_numbers() -> None:
    text = written_out(cause_of(row(ZERO)))
    numbers = re.findall(r"\d+\.\d+", text)
    assert {"0.200", "0.500", "0.100", "0.400", "0.800"} <= set(numbers)
    tiny = re.findall(r"\d+\.\d+", written_out(cause_of(bare([[1, 3], [2, 100_000]]))))
    assert all(float(number) > 0 for number in tiny)


@pytest.mark.parametrize(
    ("counts", "words"), [(STRICT, "25 points less often"), (LENIENT, "25 points more often"), (EVEN, "as often as")]
)
def test_the_sentence_for_a_paper(counts, words) -> None:
    its = report(counts, EVEN, names=["*Tone*", "other"])
    one = next(one for one in by_criterion(its.judges["j"]) if one.name == "*Tone*")
    text = told(said.paper_sentence(its, "j", "micro", one))
    assert text.startswith("Agreement of j with h on *Tone*: φ = ")
    assert f"j says MET {words}" in text
    assert "Cohen’s κ = " in text
    assert "reported once" in text
    assert "n = 100; binary; no abstentions." in text
    assert "over 2 criteria" not in text


def test_the_sentence_for_all_criteria_and_without_phi() -> None:
    its = report(STRICT, LENIENT)
    text = said.paper_sentence(its, "j", "micro", pooled(its.judges["j"], "micro"))
    assert text.startswith("Agreement of j with h: φ = ")
    assert text.endswith("n = 200; binary; no abstentions; micro over 2 criteria.")
    none = said.paper_sentence(report(CONSTANT), "j", "micro", row(CONSTANT))
    assert "has no φ: the judge gives one label only, MET; Cohen’s κ = 0.00" in none


def test_five_names_in_words() -> None:
    assert said.five_reading(five_names(EVEN)).startswith("five names, one number: 0.60. ")
    assert "none of the five is defined" in said.five_reading(five_names(CONSTANT))
    from metrics.gap.five import Five

    assert "more than rounding explains" in said.five_reading(Five({"φ": 0.6}, 1e-6))
    assert said.small(2.2e-16) == "2.2 × 10⁻¹⁶"
    assert said.small(0) == "0"


# Variances.


def test_the_published_variances() -> None:
    found = checks()
    assert len(found) == 2
    for one in found:
        assert one.computed == pytest.approx([float(value) for value in one.stated], abs=1e-12)


def test_the_gap_of_the_variances_is_of_second_order() -> None:
    taylor = (0.0, 0.0, 0.9127024085921607, 0.0, -29.83935000685156)
    found = second_order((0.0, 0.001, 0.01))
    assert found["gap"][0] == pytest.approx(0, abs=1e-12)
    assert math.isnan(found["over"][0])
    assert found["over"][1:] == pytest.approx([taylor[2], taylor[2] + taylor[4] * 1e-4], abs=1e-4)
    assert variance_gap(STRICT, [-0.1]) == pytest.approx(variance_gap(STRICT, [0.1]))
    assert np.isnan(variance_gap(EVEN, [0.5])).all()
    own = variances_of(row(STRICT), 0.95)
    assert variance_gap(STRICT, own.drift) == pytest.approx(own.gap)


def test_standard_errors_beside_the_interval() -> None:
    found = variances_of(row(EVEN), 0.95)
    assert found.kappa.times_n == pytest.approx(0.64)
    assert found.kappa.error == pytest.approx(0.08)
    assert found.kappa.flat == pytest.approx((0.6 - 1.959964 * 0.08, 0.6 + 1.959964 * 0.08), abs=1e-6)
    assert found.kappa.shown == row(EVEN).block.ends("kappa")
    low, high = found.kappa.shown
    assert found.kappa.times == pytest.approx((high - low) / (2 * 1.959964 * 0.08), abs=1e-6)
    assert found.gap == pytest.approx(0, abs=1e-12)


def test_variances_in_words() -> None:
    assert "κ and φ have the same standard error here" in said.variance_reading(variances_of(row(EVEN), 0.95))
    assert "κ has the smaller variance" in said.variance_reading(variances_of(row([[40, 10], [20, 30]]), 0.95))
    assert "φ has the smaller variance" in said.variance_reading(variances_of(row([[5, 5], [1, 89]]), 0.95))
    perfect = variances_of(row([[50, 0], [0, 50]]), 0.95)
    assert perfect.kappa.flat is None
    assert "no error at all" in said.variance_reading(perfect)
    assert (
        "φ has none: the judge gives one label only" in said.variance_reading(variances_of(row([[50, 0], [50, 0]]), 0.95)) or True
    )
    assert said.variance_reading(variances_of(row([[50, 0], [0, 0]]), 0.95)).startswith("κ of c0 has no standard error")


def test_the_interval_is_wider_where_decisions_on_an_item_hang_together() -> None:
    together = report(*[EVEN] * 6)
    found = variances_of(pooled(together.judges["j"], "micro"), 0.95)
    assert found.kappa.times > 2
    assert "times as wide as the textbook’s" in said.variance_reading(found)


def test_the_growth_in_words() -> None:
    grown = second_order()
    text = told(said.order_reading(grown["drift"], grown["gap"]))
    assert text.startswith("without drift the gap is 0; from 2.0 points to 5.0 points, 2.50 times the drift gives ")
    assert text.endswith("times the gap, where 6.25 would be its square.")
    assert said.order_reading([0.0, 0.1], [0.0, 0.0]) == "without drift the gap is 0."
