"""Published worked examples, recomputed with exact fractions; the entries are in `reference_values.json`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.data.aggregation import ItemRule, item_table, item_verdicts
from metrics.data.patterns import merge
from metrics.measures.rates import class_scores

KEYS = {
    "prevalence": "prevalence", "judge_rate": "predicted_prevalence", "recall_tpr": "recall", "specificity_tnr": "specificity",
    "p_e": "expected_agreement", "cohen_kappa": "kappa", "phi_mcc": "phi", "kappa_over_phi": "kappa_phi_ratio",
} | {key: key for key in ("accuracy", "precision", "fpr", "npv", "f1", "f1_negative", "macro_f1", "balanced_accuracy",
                          "youden_j", "scott_pi", "gwet_ac1", "pabak")}  # fmt: skip
TWO_BY_TWO = [
    "rao.worked.1", "rao.worked.2", "rao.worked.3_always_negative", "rao.eq12.equality_counterexample", "rao.eq12.negative_case",
    "collot.table1.A", "collot.table1.B", "collot.table2.A", "collot.table2.B", "irr.kappa_example", "lit.kappa.grants50",
    "lit.kappa.wiki_a", "lit.kappa.wiki_b", "lit.kappa.fc_balanced", "lit.kappa.fc_skewed", "lit.gwet_ac1.125",
]  # fmt: skip
CELLS = (("TP", "TP_pass_pass", "yes_yes"), ("FN", "FN_pass_fail", "yes_no"), ("FP", "FP_fail_pass", "no_yes"),
         ("TN", "TN_fail_fail", "no_no"))  # fmt: skip
NOT_HERE = {"N", "krippendorff_alpha_2raters"}
TWO_BY_TWO_INPUTS = ("A_TP_FN_FP_TN", "B_TP_FN_FP_TN")


def table_of(inputs) -> np.ndarray:
    return np.array([next(inputs[name] for name in names if name in inputs) for names in CELLS], float).reshape(2, 2)


def by_criterion(entry) -> np.ndarray:
    return np.array([entry["inputs"][name] for name in TWO_BY_TWO_INPUTS], float).reshape(2, 2, 2)


def kappa(table) -> float:
    return float(metrics.cohen_kappa(table))


@pytest.mark.parametrize("entry", TWO_BY_TWO)
def test_two_by_two(published, build_of_tables, entry) -> None:
    table, expected = table_of(published[entry]["inputs"]), dict(published[entry]["expected"])
    if entry == "rao.eq12.equality_counterexample":
        expected["kappa_over_phi"] = 0.8  # the entry divides 0 by 0; here the ratio comes from the margins, so it is defined
    report = metrics.agreement(build_of_tables(table, labels=("MET", "UNMET")), interval="none").judges["j"]
    assert set(expected) - set(KEYS) <= NOT_HERE
    for name, value in expected.items():
        if name in KEYS:
            wanted = pytest.approx(np.nan if value is None else value, abs=1e-12, nan_ok=True)
            assert metrics.BY_KEY[KEYS[name]].function(table) == wanted, name
            assert report.micro.values[KEYS[name]] == wanted, name
    assert table.sum() == published[entry]["expected"].get("N", table.sum())


def test_identities_hold_on_every_table_with_cells_up_to_six(published) -> None:
    expected = published["rao.identity.exhaustive"]["expected"]
    tables = np.stack(np.meshgrid(*[np.arange(7.0)] * 4, indexing="ij"), -1).reshape(-1, 2, 2)
    tp, fn, fp, tn = np.moveaxis(tables.reshape(-1, 4), -1, 0)
    kappas, phis, ratios = metrics.cohen_kappa(tables), metrics.phi(tables), metrics.kappa_phi_ratio(tables)
    assert np.isfinite(kappas).sum() == expected["tables_eq4_exact"]
    determinant, n = tp * tn - fp * fn, tables.sum((1, 2))
    eq4 = 2 * determinant / np.where(np.isnan(kappas), np.nan, (tp + fn) * (fn + tn) + (tp + fp) * (fp + tn))
    np.testing.assert_allclose(kappas, eq4, atol=1e-12)
    usable = np.isfinite(phis)
    assert usable.sum() == expected["tables_nondegenerate"]
    assert (usable & (determinant == 0) & (fn != fp)).sum() == expected["tables_phi0_and_A_ne_B"]
    pi, pihat = (tp + fn)[usable] / n[usable], (tp + fp)[usable] / n[usable]
    sech = 1 / np.cosh((np.log(pi / (1 - pi)) - np.log(pihat / (1 - pihat))) / 2)
    np.testing.assert_allclose(ratios[usable], sech, atol=1e-12)
    np.testing.assert_allclose(kappas[usable], sech * phis[usable], atol=1e-12)
    assert np.isnan(ratios[~usable]).all()
    equal = np.isclose(kappas[usable], phis[usable], rtol=0, atol=1e-13)
    assert (equal == ((fn == fp) | (determinant == 0))[usable]).all()


def test_expected_agreement_goes_to_the_judges_rate_not_to_one(published) -> None:
    limit = published["rao.pe_limit"]["expected"]["limit_p_e"]
    for positives in (10**9, 1):
        table = np.outer([positives, 10**9 + 1 - positives], [0.5, 0.5])
        assert metrics.expected_agreement(table) == pytest.approx(limit, abs=1e-8)
    assert metrics.expected_agreement(np.outer([1, 10**9], [0.3, 0.7])) == pytest.approx(0.7, abs=1e-8)


@pytest.mark.parametrize(("entry", "mode"), [("rao.appB.exclude", "exclude"), ("rao.appB.recode", "as_unmet")])
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_abstention_in_two_classes(published, build_of_tables, entry, mode, level) -> None:
    inputs, expected = published[entry]["inputs"], published[entry]["expected"]
    block = metrics.agreement(build_of_tables(inputs["table"]), abstention=mode, interval="none").judges["j"].level(level)
    names = {"accuracy": "accuracy", "cohen_kappa": "kappa", "f1_met": "f1", "phi_mcc": "phi"}
    assert block.n in (None, expected["N_eff"])
    for name, key in names.items():
        assert block.values[key] == pytest.approx(expected[name], abs=1e-12), name
    if "collapsed" in inputs and block.confusion is not None:
        assert block.confusion.ravel().tolist() == inputs["collapsed"]


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_abstention_as_a_class(published, build_of_tables, level) -> None:
    inputs, expected = published["rao.appB.three_class"]["inputs"], published["rao.appB.three_class"]["expected"]
    ratings = build_of_tables(inputs["table"])
    block = metrics.agreement(ratings, abstention="as_category", cost="halfway", interval="none").judges["j"].level(level)
    names = {
        "accuracy": "accuracy", "p_e": "expected_agreement", "cohen_kappa": "kappa", "mcc_gorodkin": "mcc_multiclass",
        "weighted_kappa_linear_CA_mid": "weighted_kappa", "macro_f1": "macro_f1", "balanced_accuracy": "balanced_accuracy",
        "micro_f1": "accuracy",
    }  # fmt: skip
    for name, key in names.items():
        assert block.values[key] == pytest.approx(expected[name], abs=1e-10), name
    if level != "macro":
        assert block.n == expected["N_eff"]
        classes = [block.more["per_class"][name]["f1"] for name in ("MET", "UNMET", "CA")]
        assert classes == pytest.approx([expected["f1_met"], expected["f1_unmet"], expected["f1_ca"]], abs=1e-10)


def test_weighted_kappa_of_a_scale_with_abstention_in_the_middle(published) -> None:
    inputs, expected = published["rao.appB.three_class"]["inputs"], published["rao.appB.three_class"]["expected"]
    in_order = np.array(inputs["table"])[np.ix_([1, 2, 0], [1, 2, 0])]
    for weights in ("linear", "quadratic"):
        wanted = pytest.approx(expected[f"weighted_kappa_{weights}_CA_mid"], abs=1e-10)
        assert metrics.weighted_kappa(in_order, weights) == wanted
    halves = np.array([[0, 1, 0.25], [1, 0, 0.25], [0.25, 0.25, 0]])
    assert metrics.cohen_kappa(inputs["table"], weights=halves) == pytest.approx(
        expected["weighted_kappa_quadratic_CA_mid"], abs=1e-10
    )


def test_met_against_the_rest_is_the_recode_row_on_every_table(published) -> None:
    entry = published["rao.appB.f1_coincidence"]
    tables = np.random.default_rng(0).integers(0, 30, (entry["inputs"]["random_3x3_tables"], 3, 3))
    recoded = np.add.reduceat(np.add.reduceat(tables, [0, 1], axis=1), [0, 1], axis=2)
    different = class_scores(tables)["f1"][:, 0] != metrics.f1(recoded)
    assert different.sum() == entry["expected"]["tables_where_f1_met_ovr_differs_from_recode"]


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
def test_joint_coverage(published, build_of_tables, mode) -> None:
    inputs, expected = published["rao.eq14.coverage"]["inputs"], published["rao.eq14.coverage"]["expected"]
    coverage = metrics.agreement(build_of_tables(inputs["table"]), abstention=mode, interval="none").judges["j"].coverage
    assert coverage.coverage == pytest.approx(expected["joint_coverage"], abs=1e-12)
    assert coverage.judge_coverage == pytest.approx(expected["judge_only_coverage_sec6.3"], abs=1e-12)
    product = coverage.judge_coverage * coverage.human_coverage
    assert product == pytest.approx(expected["product_formula"], abs=1e-12)
    assert expected["frechet_lower"] <= coverage.coverage <= expected["frechet_upper"]


def test_dropping_abstentions_is_not_safe_when_they_depend_on_the_stratum(published, build_of_tables) -> None:
    expected = published["rao.eq14.mar_not_enough"]["expected"]
    easy, hard_kept, hard_lost = [[90, 10, 0], [0, 0, 0], [0, 0, 0]], [[12, 8, 0], [0, 0, 0], [0, 0, 0]], 80
    seen = np.array(easy) + hard_kept
    seen[0, 2] = hard_lost
    judge = metrics.agreement(build_of_tables(seen), interval="none").judges["j"]
    assert judge.micro.values["accuracy"] == pytest.approx(expected["accuracy_exclude"], abs=1e-12)
    assert judge.coverage.coverage == pytest.approx(expected["coverage"], abs=1e-12)
    assert expected["accuracy_exclude"] != expected["accuracy_unconditional"]


def test_kappa_never_exceeds_the_multiclass_correlation(published) -> None:
    entry, rng = published["ext.multiclass_kappa_le_mcc"], np.random.default_rng(1)
    for k in (2, 3, 4, 5):
        tables = rng.integers(0, 12, (entry["inputs"]["random_kxk_tables"], k, k))
        too_large = np.abs(metrics.cohen_kappa(tables)) > np.abs(metrics.mcc_multiclass(tables)) + 1e-12
        assert too_large.sum() == entry["expected"]["violations"]


def test_multiclass_example(published) -> None:
    entry = published["ext.multiclass_kappa_mcc_example"]
    table, expected = entry["inputs"]["table"], entry["expected"]
    assert metrics.cohen_kappa(table) == pytest.approx(expected["cohen_kappa"], abs=1e-12)
    assert metrics.mcc_multiclass(table) == pytest.approx(expected["mcc_gorodkin"], abs=1e-12)


def test_phi_follows_from_accuracy_f1_and_kappa(published) -> None:
    for cells in published["ext.four_to_three"]["inputs"]["tables"]:
        table = np.reshape(cells, (2, 2))
        wrong, f1, agreed = 1 - metrics.accuracy(table), metrics.f1(table), metrics.cohen_kappa(table)
        joint = f1 * wrong / (2 * (1 - f1))
        total, spread = 2 * joint + wrong, wrong / (1 - agreed)
        both = (total - spread) / 2
        assert metrics.phi(table) == pytest.approx(agreed * spread / (2 * np.sqrt(both * (1 - total + both))), abs=1e-12)


def test_micro_and_macro_of_two_criteria(published, build_of_tables) -> None:
    names = {
        "kappa_A": ("criteria", "c0", "kappa"), "kappa_B": ("criteria", "c1", "kappa"), "micro_kappa": ("micro", "", "kappa"),
        "macro_kappa": ("macro", "", "kappa"), "micro_accuracy": ("micro", "", "accuracy"),
        "micro_p_e": ("micro", "", "expected_agreement"), "judge_rate_B": ("criteria", "c1", "predicted_prevalence"),
    }  # fmt: skip
    for entry in ("rao.sec5.1.matched_tables", "rao.sec5.1.micro_085_tables", "rao.sec5.1.micro_above_both"):
        ratings = build_of_tables(*by_criterion(published[entry]), labels=("MET", "UNMET"))
        judge = metrics.agreement(ratings, interval="none").judges["j"]
        for name, (level, criterion, key) in names.items():
            block = judge.criteria[criterion] if criterion else judge.level(level)
            if name in published[entry]["expected"]:
                assert block.values[key] == pytest.approx(published[entry]["expected"][name], abs=1e-12), (entry, name)


def tables_with(rate: float, agreed: float, judge_rates: np.ndarray) -> np.ndarray:
    """Shares with these label rates and this kappa, shape (n, 2, 2)."""
    chance = rate * judge_rates + (1 - rate) * (1 - judge_rates)
    tp = (agreed * (1 - chance) + chance - 1 + rate + judge_rates) / 2
    cells = np.stack([tp, rate - tp, judge_rates - tp, 1 - rate - judge_rates + tp], -1)
    return np.clip(cells, 0, None).reshape(-1, 2, 2)


def test_range_of_pooled_kappa_at_given_kappas_and_rates(published) -> None:
    inputs, expected = published["rao.sec5.1.micro_range"]["inputs"], published["rao.sec5.1.micro_range"]["expected"]
    a, b = (
        tables_with(inputs["human_rates"][i], inputs["kappas"][i], np.linspace(*inputs[f"judge_rate_{name}_range"], 401))
        for i, name in enumerate("AB")
    )
    np.testing.assert_allclose(metrics.cohen_kappa(a), inputs["kappas"][0], atol=1e-9)
    pooled = metrics.cohen_kappa(a[:, None] + b)
    assert pooled.min() == pytest.approx(expected["micro_kappa_min"], abs=5e-4)
    assert pooled.max() == pytest.approx(expected["micro_kappa_max"], abs=5e-4)
    matched = tables_with(0.8, 0.9, np.array([0.8]))
    over_firing = tables_with(0.05, 0.2, np.array([expected["judge_rate_B_for_micro_0.85_with_A_matched"]]))
    assert metrics.cohen_kappa(matched + over_firing)[0] == pytest.approx(0.85, abs=5e-4)


def item_kappa(joint, rule: ItemRule) -> tuple[float, list[float]]:
    """Kappa of the item verdicts from counts of (cell of A, cell of B) in the order TP, FN, FP, TN."""
    cells = [(a, b) for a in range(4) for b in range(4)]
    states = np.array([[cell // 2 for cell in pair] for pair in cells]), np.array([[cell % 2 for cell in pair] for pair in cells])
    patterns = merge(
        np.repeat(np.arange(16, dtype=np.int32), 2), np.tile(np.arange(2, dtype=np.int32), 16),
        states[0].ravel().astype(np.int8), states[1].ravel().astype(np.int8),
        n_items=16, n_criteria=2, n_states=7, multiplicity=np.asarray(joint, np.int64).ravel(),
    )  # fmt: skip
    scheme = metrics.Scheme((("MET", "positive"), ("UNMET", "negative")))
    verdicts = item_verdicts(patterns, scheme, rule, ("A", "B"), as_unmet=False)
    table = item_table(verdicts, patterns.multiplicity)[:2, :2]
    return kappa(table), table.ravel().tolist()


def test_item_level_of_independent_criteria(published) -> None:
    entry = published["rao.sec5.1.matched_tables"]
    joint, expected = np.outer(*(entry["inputs"][name] for name in TWO_BY_TWO_INPUTS)), entry["expected"]
    rules = {
        "conjunction_independent": ItemRule(),
        "disjunction_independent": ItemRule("threshold", 0.5),
        "weighted_0.7A_0.3B_thr0.5": ItemRule("threshold", 0.5, (("A", 0.7), ("B", 0.3))),
        "weighted_0.3A_0.7B_thr0.5": ItemRule("threshold", 0.5, (("A", 0.3), ("B", 0.7))),
    }
    for name, rule in rules.items():
        assert item_kappa(joint, rule)[0] == pytest.approx(expected[f"item_kappa_{name}"], abs=1e-12), name


@pytest.mark.parametrize("entry", ["rao.sec5.1.conjunction_min", "rao.sec5.1.conjunction_max"])
def test_item_level_of_coupled_criteria(published, build_paired, entry) -> None:
    joint = np.array(published[entry]["inputs"]["joint_counts_rows_A_TP_FN_FP_TN_cols_B_TP_FN_FP_TN"])
    expected, names = published[entry]["expected"], ("MET", "UNMET")
    cells = [(a, b) for a in range(4) for b in range(4) for _ in range(joint[a, b])]
    sides = [[[names[a // 2 if side == 0 else a % 2] for a in pair] for pair in cells] for side in (0, 1)]
    ratings = build_paired(*sides)
    block = metrics.agreement(ratings, interval="none").judges["j"].item
    assert block.confusion.ravel().tolist() == [expected[f"conj_{cell}"] for cell in ("TP", "FN", "FP", "TN")]
    assert block.values["kappa"] == pytest.approx(expected["item_kappa_conjunction"], abs=1e-12)
    assert item_kappa(joint, ItemRule())[0] == pytest.approx(expected["item_kappa_conjunction"], abs=1e-12)
    weighted = {"c0": 0.7, "c1": 0.3}, {"c0": 0.3, "c1": 0.7}
    for weights, wanted in zip(weighted, (0.9, 0.2), strict=True):
        rule = {"item_rule": "threshold", "threshold": 0.5, "weights": weights, "interval": "none"}
        assert metrics.agreement(ratings, **rule).judges["j"].item.values["kappa"] == pytest.approx(wanted, abs=1e-12)


def test_micro_f1_over_the_classes_is_accuracy_not_f1(published) -> None:
    entry = published["collot.micro_f1"]
    table, expected = table_of(entry["inputs"]), entry["expected"]
    assert metrics.f1(table) == pytest.approx(expected["binary_f1"], abs=1e-12)
    assert metrics.accuracy(table) == pytest.approx(expected["micro_f1_over_both_classes"], abs=1e-12)


def test_balanced_accuracy_and_macro_j_of_several_classes(published) -> None:
    entry = published["collot.multiclass.counterexample"]
    table, expected = entry["inputs"]["table_rows_truth"], entry["expected"]
    assert metrics.balanced_accuracy(table) == pytest.approx(expected["balanced_accuracy"], abs=1e-12)
    macro_j = metrics.macro_j(table)
    assert class_scores(table)["youden_j"].mean() == pytest.approx(macro_j, abs=1e-12)
    assert macro_j == pytest.approx(expected["macro_j_one_vs_rest"], abs=1e-12)
    assert 2 / 3 * macro_j + 1 / 3 == pytest.approx(expected["rhs_((n-1)/n)macroJ+1/n"], abs=1e-12)
    entry = published["collot.multiclass.rank_reversal"]
    for judge in "AB":
        table = entry["inputs"][f"judge_{judge}"]
        assert metrics.balanced_accuracy(table) == pytest.approx(entry["expected"][f"BA_{judge}"], abs=1e-12)
        assert metrics.macro_j(table) == pytest.approx(entry["expected"][f"macroJ_{judge}"], abs=1e-12)


def test_phi_is_the_slope_over_the_binomial_noise(published) -> None:
    assert published["ext.phi_is_signal_to_noise"]["expected"]["holds"]
    tpr, fpr, x = np.random.default_rng(2).random((3, 500))
    table = np.stack([x * tpr, x * (1 - tpr), (1 - x) * fpr, (1 - x) * (1 - fpr)], -1).reshape(-1, 2, 2)
    y, j = fpr + (tpr - fpr) * x, tpr - fpr
    np.testing.assert_allclose(metrics.phi(table), j * np.sqrt(x * (1 - x) / (y * (1 - y))), atol=1e-12)


def test_three_ordered_classes(published) -> None:
    entry = published["lit.sas_kappa"]
    table, expected = entry["inputs"]["table"], entry["expected"]
    assert metrics.cohen_kappa(table) == pytest.approx(expected["cohen_kappa"], abs=1e-12)
    for weights in ("linear", "quadratic"):
        assert metrics.weighted_kappa(table, weights) == pytest.approx(expected[f"weighted_kappa_{weights}"], abs=1e-12)


def test_every_entry_is_used(published) -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert [entry for entry in published if entry != "rao.obs1" and f'"{entry}"' not in tests] == []
