"""Cost matrices, weighted κ along the line between two presets, and correlations of three answers."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics import InputError, agreement
from metrics.analyses.abstention.readings_costs import (
    correlation_reading,
    correlation_table,
    preset_names,
    rates_reading,
    slide_reading,
    slide_table,
)
from metrics.analyses.abstention.third_answer import CostPath, Weighted, slide_of, weighted_at
from metrics.analyses.settings import settings_of
from metrics.data.aggregation import LEVELS
from metrics.measures.coefficients import cohen_kappa, mcc_multiclass, phi, weighted_kappa
from metrics.measures.cost_matrices import (
    CODES,
    COSTS,
    Correlations,
    affine,
    correlations,
    cost_of,
    cost_text,
    place_of,
    preset_of,
    slide_cost,
)
from metrics.measures.transforms import Interval

SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "support_answers.csv"
LABELS = ("MET", "UNMET", "CA")
APP_B = [[30, 10, 5], [10, 20, 5], [5, 5, 10]]
TABLES = arrays(np.int64, (3, 3), elements=st.integers(0, 9))


def lists_of(table) -> tuple[np.ndarray, np.ndarray]:
    counts = np.asarray(table).ravel()
    codes = np.array(CODES)
    return np.repeat(np.repeat(codes, 3), counts), np.repeat(np.tile(codes, 3), counts)


@pytest.mark.parametrize(
    ("given", "matrix"),
    [
        ("nominal", [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        ("halfway", [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]),
        ("as-negative", [[0, 1, 1], [1, 0, 0], [1, 0, 0]]),
        ("as-positive", [[0, 1, 0], [1, 0, 1], [0, 1, 0]]),
        ("0,2,1;3,0,0.25;1,1,0", [[0, 2, 1], [3, 0, 0.25], [1, 1, 0]]),
    ],
)
def test_presets_and_text(given, matrix) -> None:
    cost = cost_of(given)
    assert cost == tuple(map(tuple, matrix))
    assert cost_of(cost_text(cost)) == cost
    assert preset_of(cost) == (given if given in COSTS else "")
    assert preset_of(tuple(tuple(3 * cell for cell in row) for row in cost)) == (given if given in COSTS else "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("cheap", "Unknown cost 'cheap'"),
        ("0,1;1,0", "no 3 x 3 matrix"),
        ("0,x,1;1,0,1;1,1,0", "no 3 x 3 matrix"),
        ("0,0,0;0,0,0;0,0,0", "not all zero"),
        ("0,-1,1;1,0,1;1,1,0", "not negative"),
        ("1,1,1;1,0,1;1,1,0", "zero on the diagonal"),
        ("0,nan,1;1,0,1;1,1,0", "finite"),
        ("0,inf,1;1,0,1;1,1,0", "finite"),
    ],
)
def test_what_is_no_cost_is_refused(given, said) -> None:
    with pytest.raises(InputError) as caught:
        cost_of(given)
    assert said in str(caught.value)


@pytest.mark.parametrize("s", [0.0, 0.25, 1 / 3, 0.5, 1.0])
@pytest.mark.parametrize("times", [1.0, 0.1, 7.0])
def test_the_place_on_the_line_is_found_again(s, times) -> None:
    assert place_of(cost_of(times * slide_cost(s))) == pytest.approx(s)


@pytest.mark.parametrize(
    "text", ["0,1,1;1,0,1;1,1,0", "0,1,0.5;2,0,0.5;0.5,0.5,0", "0,1,1.2;1,0,-0;1.2,0,0", "0,0,1;0,0,1;1,1,0"]
)
def test_other_matrices_are_not_on_the_line(text) -> None:
    assert place_of(cost_of(text)) is None


@given(TABLES)
def test_the_ends_of_the_line_are_the_two_ways_to_recode(table) -> None:
    for s, order in ((0.0, (1, 2)), (1.0, (0, 2))):
        keep = np.eye(3)
        keep[order[0], 2], keep[2, 2] = 1.0, 0.0
        merged = (keep @ table @ keep.T)[:2, :2]
        own, other = weighted_kappa(table, slide_cost(s)), cohen_kappa(merged)
        assert np.isclose(own, other, atol=1e-12, equal_nan=True)


@given(TABLES, st.floats(0, 1))
def test_weighted_kappa_is_the_mean_over_pairs_of_decisions(table, s) -> None:
    cost = slide_cost(s)
    x, y = lists_of(table)
    codes = {code: place for place, code in enumerate(CODES)}
    i, j = np.array([codes[v] for v in x], int), np.array([codes[v] for v in y], int)
    if not len(i) or not cost[i][:, j].any():
        assert math.isnan(weighted_kappa(table, cost))
        return
    assert weighted_kappa(table, cost) == pytest.approx(1 - cost[i, j].mean() / cost[i][:, j].mean(), abs=1e-9)


@given(TABLES)
def test_correlations_are_those_of_scipy(table) -> None:
    x, y = lists_of(table)
    found = correlations(table)
    if len(set(x)) < 2 or len(set(y)) < 2:
        assert math.isnan(found.pearson)
        assert math.isnan(found.spearman)
        return
    assert found.pearson == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    assert found.spearman == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)


@given(TABLES)
def test_what_is_guaranteed_holds(table) -> None:
    found = correlations(table)
    if found.guaranteed and not math.isnan(found.pearson):
        assert found.equal
    ranks = [stats.rankdata(side) for side in lists_of(table)]
    for own, side, rank in zip((found.reference, found.judge), lists_of(table), ranks, strict=True):
        if len(set(side)) > 1:
            line = np.polyfit(side, rank, 1)
            assert affine(own) == np.allclose(np.polyval(line, side), rank, atol=1e-8)


SIX_TWO = (
    "rao.sec6.2.both_balanced",
    "rao.sec6.2.only_truth_balanced",
    "rao.sec6.2.perfect_unbalanced",
    "rao.sec6.2.generic",
)


@pytest.mark.parametrize("name", SIX_TWO)
def test_published_tables_of_three_answers(published, name) -> None:
    entry = published[name]
    rows = np.array(entry["inputs"]["table_rows_truth_0_half_1"])
    found = correlations(rows[np.ix_([2, 0, 1], [2, 0, 1])])
    for key in ("pearson", "spearman"):
        assert getattr(found, key) == pytest.approx(entry["expected"][key], abs=entry["tolerance"]["abs"])
    assert found.guaranteed == (name == "rao.sec6.2.both_balanced")
    assert found.equal == (name in ("rao.sec6.2.both_balanced", "rao.sec6.2.perfect_unbalanced"))


def test_how_many_small_unbalanced_tables_agree_all_the_same(published) -> None:
    entry = published["rao.sec6.2.bruteforce"]
    cells = np.array(list(itertools.product(range(3), repeat=9))).reshape(-1, 3, 3)
    margins = cells.sum(2), cells.sum(1)
    used = np.all([(margin > 0).all(1) for margin in margins], axis=0)
    uneven = np.any([margin[:, 0] != margin[:, 1] for margin in margins], axis=0)
    tables = cells[used & uneven]
    assert len(tables) == entry["inputs"]["all_3x3_tables_cells_0_to_2_all_classes_used_not_both_balanced"]
    found = [correlations(table) for table in tables[::16]]
    assert not any(one.guaranteed for one in found)
    share = sum(one.equal for one in found) / len(found)
    assert share == pytest.approx(entry["expected"]["tables_with_spearman_equal_pearson"] / len(tables), abs=0.02)


def test_appendix_b(published) -> None:
    entry = published["rao.appB.three_class"]
    expected, table = entry["expected"], np.array(entry["inputs"]["table"])
    found = correlations(table)
    assert found.pearson == pytest.approx(expected["pearson"], abs=1e-12)
    assert found.spearman == pytest.approx(expected["spearman"], abs=1e-12)
    assert weighted_kappa(table, cost_of("halfway")) == pytest.approx(expected["weighted_kappa_linear_CA_mid"], abs=1e-12)
    assert weighted_kappa(table, cost_of("nominal")) == pytest.approx(expected["cohen_kappa"], abs=1e-12)
    assert weighted_kappa(table, cost_of("as-negative")) == pytest.approx(13 / 33, abs=1e-12)


def made(build, seed: int = 3, n: int = 60, criteria: int = 3):
    rng = np.random.default_rng(seed)
    human = rng.choice(LABELS, size=(n, criteria), p=[0.5, 0.35, 0.15])
    judge = np.where(rng.random((n, criteria)) < 0.7, human, rng.choice(LABELS, size=(n, criteria)))
    return build(human.tolist(), judge.tolist())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("criteria", [1, 3])
@pytest.mark.parametrize("text", ["0,1,0.5;2,0,0.25;0.5,1,0", "as-negative"])
def test_the_interval_is_the_one_of_the_report(build_paired, level, criteria, text) -> None:
    ratings, cost = made(build_paired, criteria=criteria), cost_of(text)
    settings = settings_of(ratings, abstention="exclude", confidence=0.9)
    found = weighted_at(ratings, "j", settings, level, cost)
    block = agreement(ratings, abstention="as_category", cost=cost, confidence=0.9).judges["j"].level(level)
    assert found.value == pytest.approx(block.values["weighted_kappa"], abs=1e-12)
    assert found.ends == pytest.approx(block["weighted_kappa"].ends, abs=1e-12)
    assert found.interval.method == block.intervals["weighted_kappa"].method


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_by_groups_is_the_one_of_the_report(level) -> None:
    ratings, cost = metrics.read(SAMPLE), cost_of("halfway")
    judge = ratings.judges[0]
    settings = settings_of(ratings, unit="prompt", judges=[judge])
    found = weighted_at(ratings, judge, settings, level, cost)
    report = agreement(ratings, abstention="as_category", cost=cost, unit="prompt", judges=[judge])
    assert found.ends == pytest.approx(report.judges[judge].level(level)["weighted_kappa"].ends, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_the_line_holds_its_presets_and_ends_where_recoding_does(build_paired, level) -> None:
    ratings = made(build_paired)
    settings = settings_of(ratings)
    slide = slide_of(ratings, "j", settings, level)
    assert [s for s, _ in slide.along] == pytest.approx(np.linspace(0, 1, 21).tolist())
    for name, place in (("as-negative", 0), ("halfway", 10), ("as-positive", 20)):
        assert slide.presets[name].value == slide.along[place][1].value
        assert slide.presets[name].ends == slide.along[place][1].ends
    for point in (*(own for _, own in slide.along), *slide.presets.values()):
        assert point.ends[0] <= point.value <= point.ends[1]
    report = {
        mode: agreement(ratings, abstention=mode, interval="none").judges["j"].level(level)
        for mode in ("as_unmet", "as_category")
    }
    assert slide.presets["as-negative"].value == pytest.approx(report["as_unmet"].values["kappa"], abs=1e-12)
    assert slide.presets["nominal"].value == pytest.approx(report["as_category"].values["kappa"], abs=1e-12)
    if level != "macro":
        assert (slide.table == report["as_category"].confusion).all()


def test_scikit_learn_agrees_on_a_symmetric_matrix(build_of_tables) -> None:
    ratings = build_of_tables(APP_B)
    halfway = weighted_at(ratings, "j", settings_of(ratings), "micro", cost_of("halfway")).value
    x, y = lists_of(APP_B)
    coded = [(2 * side).astype(int) for side in (x, y)]
    assert halfway == pytest.approx(cohen_kappa_score(*coded, weights="linear"), abs=1e-12)


def test_undefined_says_why(build_paired) -> None:
    ratings = build_paired([["MET"]] * 5, [["MET"]] * 5)
    found = slide_of(ratings, "j", settings_of(ratings), "micro")
    assert not found.defined
    assert found.nothing_open
    assert found.presets["nominal"].why == "both sides give only MET"
    both = build_paired([["UNMET"], ["CA"]] * 5, [["CA"], ["UNMET"]] * 5)
    found = slide_of(both, "j", settings_of(both), "micro")
    assert found.presets["as-negative"].why == "the cost matrix puts no cost on the labels in use"
    assert math.isnan(found.presets["as-negative"].value)
    assert found.presets["halfway"].value == -1.0


def test_the_handling_is_kept(build_paired) -> None:
    ratings = build_paired([["MET"], ["UNMET"], ["TIE"], ["CA"]] * 5, [["MET"], ["TIE"], ["UNMET"], ["MET"]] * 5)
    usual = slide_of(ratings, "j", settings_of(ratings), "micro")
    other = slide_of(ratings, "j", settings_of(ratings, handling={"tie": "exclude"}), "micro")
    assert (usual.table.sum(), other.table.sum()) == (20, 10)


def point(value: float, half: float | None = 0.05, text: str = "halfway", reason: str = "r") -> Weighted:
    interval = None if half is None else Interval(value - half, value + half, "jackknife")
    return Weighted(value, interval, reason, cost=cost_of(text))


def slide_from(values, half: float | None = 0.05) -> CostPath:
    along = tuple((place / (len(values) - 1), point(value, half)) for place, value in enumerate(values))
    presets = dict(zip(COSTS, (point(0.5, half), along[len(values) // 2][1], along[0][1], along[-1][1]), strict=True))
    return CostPath(along, presets, LABELS, np.array(APP_B), 0.95)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            [0.4, 0.35, 0.3],
            "κ_w is 0.40 when CA is as good as UNMET, and 0.30 when it is as good as MET: it falls by 0.10 on the way.",
        ),
        ([0.3, 0.35, 0.4], "it rises by 0.10 on the way."),
        ([0.4, 0.401, 0.402], "it hardly moves."),
        ([0.3, 0.4, 0.3], "it ends where it began, with 0.40 in between."),
        ([0.3, 0.2, 0.4], "it rises by 0.10 on the way, with 0.20 in between."),
        ([math.nan, 0.2, 0.4], "κ_w is undefined when CA is as good as UNMET, and 0.40"),
    ],
)
def test_the_reading_says_which_way_it_goes(values, said) -> None:
    assert said in slide_reading(slide_from(values), point(0.35))


def test_the_reading_weighs_the_line_against_the_interval() -> None:
    wide, narrow = (slide_reading(slide_from([0.4, 0.35, 0.3], half), point(0.35)) for half in (0.2, 0.02))
    assert "Which items were labelled matters more here than the cost of giving no verdict (0.10 along the line, 0.20 to" in wide
    assert (
        "The cost of giving no verdict matters more here than which items were labelled (0.10 along the line, 0.02 to" in narrow
    )
    assert "matters" not in slide_reading(slide_from([0.4, 0.35, 0.3], None), point(0.35))


def test_the_reading_names_a_matrix_off_the_line_and_an_undefined_one() -> None:
    line = slide_from([0.4, 0.35, 0.3])
    assert slide_reading(line, point(0.35)).endswith("The chosen matrix gives 0.35 [0.30, 0.40].")
    assert "The chosen matrix, which is not on this line, gives 0.35" in slide_reading(line, point(0.35, text="nominal"))
    assert slide_reading(line, point(math.nan, None)).endswith("Under the chosen matrix κ_w is undefined: r.")
    assert slide_reading(slide_from([math.nan] * 3), point(math.nan)).startswith("κ_w is undefined wherever CA stands")
    assert slide_reading(line, point(math.nan, None), why="<{}>".format).endswith("κ_w is undefined: <r>.")
    assert ": <r>." in slide_reading(slide_from([math.nan] * 3), point(math.nan), why="<{}>".format)


@given(TABLES)
def test_rates_decide_between_kappa_and_r_k(table) -> None:
    kappa, r_k = float(cohen_kappa(table)), float(mcc_multiclass(table))
    said = rates_reading(kappa, r_k, table, LABELS, "micro")
    if math.isnan(r_k):
        assert "undefined" in said
        return
    assert abs(kappa) <= abs(r_k) + 1e-12
    same = (table.sum(0) == table.sum(1)).all()
    assert ("equally often" in said) == same
    if same:
        assert kappa == pytest.approx(r_k, abs=1e-12)
    elif abs(kappa) > 1e-12:
        assert abs(kappa) < abs(r_k)
        assert ("is lower" in said) == (kappa > 0)
        assert ("nearer to 0" in said) == (kappa < 0)
    else:
        assert "equal at 0 although" in said


def test_rates_name_the_answer_that_differs_most() -> None:
    table = np.array([[30, 0, 10], [0, 30, 0], [0, 0, 0]])
    said = rates_reading(float(cohen_kappa(table)), float(mcc_multiclass(table)), table, LABELS, "micro")
    assert "in this sample the judge says MET on 42.9\u00a0% of decisions, the human on 57.1\u00a0%." in said
    assert "often" not in said
    assert "averaged over the criteria" in rates_reading(0.4, 0.5, table, LABELS, "macro")


def coded(reference, judge, pearson=0.5, spearman=0.5) -> str:
    return correlation_reading(Correlations(reference, judge, pearson, spearman), LABELS)


def test_correlations_are_read_in_every_direction() -> None:
    even, uneven = (4, 4, 2), (6, 2, 2)
    assert coded(even, even) == "Pearson and Spearman are both 0.500, and had to be: both say MET as often as UNMET."
    assert "had to be: the human and the judge use two answers only" in coded((6, 2, 0), (5, 3, 0))
    assert "had to be: the judge uses two answers only" in coded(even, (5, 3, 0))
    assert "but nothing forces them to be: the human says MET 6 times and UNMET 2." in coded(uneven, even)
    parted = coded(even, uneven, 0.5, 0.55)
    assert parted == (
        "Pearson is 0.500 and Spearman 0.550: with three answers they differ, because the judge says MET 6 times and UNMET 2."
    )
    assert "the human says MET 6 times and UNMET 2, and the judge says" in coded(uneven, uneven, 0.5, 0.55)
    assert "differ beyond the third decimal" in coded(uneven, uneven, 0.5, 0.50001)
    assert "undefined: the human gives one answer only" in coded((4, 0, 0), even, math.nan, math.nan)
    assert "undefined: the judge gives one answer only" in coded(even, (0, 0, 4), math.nan, math.nan)


@given(TABLES)
def test_the_table_of_correlations_has_phi_where_two_answers_are_left(table) -> None:
    shown = correlation_table(table, LABELS)
    merged = np.array([[table[0, 0], table[0, 1:].sum()], [table[1:, 0].sum(), table[1:, 1:].sum()]])
    assert shown["Pearson"][1:] == shown["Spearman"][1:] or np.isnan(shown["Pearson"][1:]).any()
    for place, own in ((1, table[:2, :2]), (2, merged)):
        assert np.isclose(shown["Pearson"][place], phi(own), equal_nan=True)
        assert shown["decisions"][place] == own.sum()


def test_the_table_to_download_says_everything(build_paired) -> None:
    ratings = made(build_paired)
    settings = settings_of(ratings)
    slide, own = slide_of(ratings, "j", settings, "micro"), weighted_at(ratings, "j", settings, "micro", cost_of("halfway"))
    columns = slide_table(slide, own, {"judge": "j", "declared": "Binary."})
    assert {len(column) for column in columns.values()} == {21 + 4 + 1}
    assert columns["what"][-1] == "chosen (halfway)"
    assert columns["weighted_kappa"][-1] == own.value
    assert set(columns["declared"]) == {"Binary."}
    assert columns["cost"][0] == "0,1,1;1,0,0;1,0,0"
    assert math.isnan(columns["s"][columns["what"].index("preset nominal")])


def test_presets_carry_the_labels_of_the_file() -> None:
    assert preset_names(("yes", "no", "unsure")) == {
        "nominal": "Nominal", "halfway": "Halfway", "as-negative": "As good as no", "as-positive": "As good as yes",
    }  # fmt: skip


def test_a_criterion_of_one_decision_leaves_the_mean_without_an_endless_interval(build_of_tables) -> None:
    """Weighted κ has no least value, so nothing bounds what one decision may hide."""
    ratings = build_of_tables([[5, 1, 0], [2, 6, 1], [0, 1, 3]], [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    report = metrics.agreement(ratings, abstention="as_category", cost="halfway")
    macro = report.judges["j"].macro
    assert macro.values["weighted_kappa"] == pytest.approx(report.judges["j"].criteria["c0"].values["weighted_kappa"] / 2)
    assert macro["weighted_kappa"].ends is None
    assert macro["kappa"].ends is not None
    json.dumps(report.to_dict(), allow_nan=False)
