"""What the help texts of the catalogue claim, on every small table: each claim with the tables that would break it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import metrics
from metrics.measures.catalogue import BY_KEY

TABLES = np.array([cells for cells in itertools.product(range(6), repeat=4) if sum(cells)], np.int64).reshape(-1, 2, 2)
THREE = np.random.default_rng(0).integers(0, 4, (20_000, 3, 3))
SHARES = np.linspace(0.01, 0.99, 99)
CLOSE = 1e-12


def of(key: str, tables: np.ndarray = TABLES) -> np.ndarray:
    return np.asarray(BY_KEY[key].function(tables), float)


def margins(tables: np.ndarray) -> np.ndarray:
    """Whether both sides give every label equally often."""
    return (tables.sum(-1) == tables.sum(-2)).all(-1)


def with_rates(tpr: float, fpr: float) -> np.ndarray:
    """One judge on answers of every prevalence."""
    p = SHARES[:, None]
    return np.concatenate([p * tpr, p * (1 - tpr), (1 - p) * fpr, (1 - p) * (1 - fpr)], axis=1).reshape(-1, 2, 2)


@pytest.mark.parametrize(("key", "tables"), [("phi", TABLES), ("mcc_multiclass", THREE)])
def test_kappa_is_nearer_to_0_where_label_rates_differ_unless_the_association_is_0(key: str, tables: np.ndarray) -> None:
    kappa, association = of("kappa", tables), of(key, tables)
    there = ~np.isnan(association)
    assert (np.abs(kappa[there]) <= np.abs(association[there]) + CLOSE).all()
    equal = np.abs(kappa[there] - association[there]) < CLOSE
    wanted = margins(tables)[there] | (np.abs(association[there]) < CLOSE)
    np.testing.assert_array_equal(equal, wanted)
    assert (kappa[there] > association[there] + CLOSE).any(), "below 0 the smaller number is φ"


def test_texts_say_so() -> None:
    assert BY_KEY["phi"].answers.endswith("κ is nearer to 0 where the two label rates differ, unless φ is 0.")
    assert "κ is never further from 0, and equals R_K when the label rates agree." in BY_KEY["mcc_multiclass"].answers
    for key in BY_KEY:
        assert "whenever" not in BY_KEY[key].answers


def test_kappa_can_fall_and_can_rise_when_one_label_gets_rare() -> None:
    some, none = of("kappa", with_rates(0.9, 0.1)), of("kappa", with_rates(0.5, 0.0))
    assert some[0] < some[49] > some[-1]
    assert none[0] > none[49]
    assert "can fall when one label is rare" in BY_KEY["kappa"].answers


@pytest.mark.parametrize("key", ["balanced_accuracy", "youden_j"])
def test_what_does_not_move_with_prevalence(key: str) -> None:
    assert np.ptp(of(key, with_rates(0.7, 0.2))) < CLOSE
    np.testing.assert_allclose(2 * of("balanced_accuracy") - 1, of("youden_j"), atol=CLOSE)


@pytest.mark.parametrize(("tpr", "fpr"), [(0.9, 0.1), (0.3, 0.6), (0.5, 0.0), (1.0, 1.0)])
def test_f1_rises_with_prevalence(tpr: float, fpr: float) -> None:
    assert (np.diff(of("f1", with_rates(tpr, fpr))) >= -CLOSE).all()
    np.testing.assert_array_equal(of("f1"), of("f1", TABLES * np.array([[1, 1], [1, 0]])))


def test_the_ratio_depends_on_the_label_rates_alone() -> None:
    ratio, phi = of("kappa_phi_ratio"), of("phi")
    there = np.abs(np.nan_to_num(phi)) > CLOSE
    np.testing.assert_allclose(ratio[there], (of("kappa") / np.where(there, phi, 1))[there], atol=CLOSE)
    assert (np.abs(ratio[there & margins(TABLES)] - 1) < CLOSE).all()
    assert (ratio[there & ~margins(TABLES)] < 1 - CLOSE).all()
    gap = np.abs(of("kappa_phi_gap")) < CLOSE
    defined = ~np.isnan(of("kappa_phi_gap"))
    np.testing.assert_array_equal(gap[defined], (margins(TABLES) | (np.abs(phi) < CLOSE))[defined])


def test_drift_counts_as_disagreement_in_pi() -> None:
    kappa, pi = of("kappa"), of("scott_pi")
    there = ~np.isnan(kappa)
    assert (pi[there] <= kappa[there] + CLOSE).all()
    np.testing.assert_array_equal(np.abs(pi - kappa)[there] < CLOSE, (margins(TABLES) | (of("accuracy") == 1))[there])


def test_agreement_by_chance_of_ac1_shrinks_with_a_rare_label_and_pabak_knows_accuracy_alone() -> None:
    np.testing.assert_allclose(of("pabak"), 2 * of("accuracy") - 1, atol=CLOSE)
    equal = with_rates(0.9, 0.0)
    by_chance = 1 - (1 - of("accuracy", equal)) / (1 - of("gwet_ac1", equal))
    assert (np.diff(by_chance[:50]) > 0).all()
    assert by_chance[0] < 0.02


def test_kappa_falls_with_lopsided_verdicts_at_the_same_accuracy_and_drift() -> None:
    wrong: dict[tuple[int, float, float], list[tuple[float, float]]] = {}
    n, accuracy, drift = TABLES.sum((-1, -2)), of("accuracy"), of("drift")
    for place, kappa in enumerate(of("kappa")):
        if not np.isnan(kappa):
            key = int(n[place]), round(accuracy[place], 12), round(drift[place], 12)
            wrong.setdefault(key, []).append((abs(of("prevalence_index", TABLES[place])), float(kappa)))
    for found in wrong.values():
        for (one, high), (other, low) in itertools.pairwise(sorted(found)):
            assert low <= high + CLOSE or other == pytest.approx(one)
    assert "for the same accuracy and label-rate bias" in BY_KEY["prevalence_index"].answers


def test_shares_of_the_baselines_and_chance() -> None:
    reference, judge, n = TABLES.sum(-1), TABLES.sum(-2), TABLES.sum((-1, -2))
    np.testing.assert_allclose(of("baseline_accuracy"), reference.max(-1) / n)
    np.testing.assert_allclose(of("expected_agreement"), (reference * judge).sum(-1) / n**2)
    np.testing.assert_allclose(of("bias_index"), of("drift"), atol=CLOSE)
    np.testing.assert_allclose(of("drift"), (TABLES[:, 1, 0] - TABLES[:, 0, 1]) / n, atol=CLOSE)


def test_the_same_association_under_five_names() -> None:
    from scipy import stats

    for table in TABLES[:: len(TABLES) // 60]:
        if np.isnan(of("phi", table)):
            continue
        human, judge = np.repeat([1, 1, 0, 0], table.ravel()), np.repeat([1, 0, 1, 0], table.ravel())
        for function in (stats.pearsonr, stats.spearmanr, stats.kendalltau):
            assert function(human, judge).statistic == pytest.approx(float(metrics.phi(table)), abs=1e-9)


SYMBOLS = {"·": "*", "−": "-", "√": "np.sqrt", "max": "np.maximum", "²": "**2"}
IN_PROSE = {"kappa_within", "baseline_accuracy_by_criterion", "macro_j", "macro_f1", "mcc_multiclass"}
"""Formulas of several tables or of any number of classes."""


@pytest.mark.parametrize("key", sorted({key for key, record in BY_KEY.items() if record.takes != "cost"} - IN_PROSE))
def test_a_formula_gives_the_value(key: str) -> None:
    tables = TABLES[(TABLES > 0).all((1, 2))]
    if key == "weighted_kappa_quadratic":
        assert BY_KEY[key].formula.startswith(BY_KEY["weighted_kappa"].formula.split(", ")[0])
        return
    tp, fn, fp, tn = np.moveaxis(tables.reshape(-1, 4), 1, 0)
    numbers = {"TP": tp, "FN": fn, "FP": fp, "TN": tn, "N": tp + fn + fp + tn, "agreement": of("accuracy", tables)}
    numbers |= {"chance": of("expected_agreement", tables), "π": (tp + fn) / tables.sum((1, 2)), "κ": of("kappa", tables)}
    numbers |= {"TPR": of("recall", tables), "TNR": of("specificity", tables), "FPR": of("fpr", tables), "φ": of("phi", tables)}
    text = BY_KEY[key].formula.replace("π̂", "judged")
    numbers["judged"] = (tp + fp) / numbers["N"]
    numbers["q"] = (numbers["π"] + numbers["judged"]) / 2
    for symbol, word in SYMBOLS.items():
        text = text.replace(symbol, word)
    np.testing.assert_allclose(eval(text, {"np": np}, numbers), of(key, tables), atol=CLOSE)
