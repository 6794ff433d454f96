"""Every 2 x 2 table of up to 24 decisions against exact arithmetic."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics

LARGEST = 24
LARGEST_WITH_FRACTIONS = 8


def tables_up_to(n: int) -> np.ndarray:
    cells = np.stack(np.meshgrid(*[np.arange(n + 1)] * 4, indexing="ij"), -1).reshape(-1, 4)
    return cells[cells.sum(1) <= n].reshape(-1, 2, 2)


TABLES = tables_up_to(LARGEST)
TP, FN, FP, TN = TABLES.reshape(-1, 4).T
N, P, Q = TP + FN + FP + TN, TP + FN, TP + FP
AGREED, CHANCE, DETERMINANT = TP + TN, P * Q + (N - P) * (N - Q), TP * TN - FP * FN
BOTH, NEITHER = P + Q, 2 * N - P - Q
F1_PARTS = (TP * (2 * TN + FP + FN) + TN * (2 * TP + FP + FN), (2 * TP + FP + FN) * (2 * TN + FP + FN))
EXACT: dict[str, tuple[np.ndarray, np.ndarray]] = {
    "accuracy": (AGREED, N),
    "expected_agreement": (CHANCE, N * N),
    "kappa": (N * AGREED - CHANCE, N * N - CHANCE),
    "gwet_ac1": (2 * N * AGREED - BOTH * NEITHER, 2 * N * N - BOTH * NEITHER),
    "pabak": (2 * AGREED - N, N),
    "scott_pi": (4 * N * AGREED - BOTH**2 - NEITHER**2, 4 * N * N - BOTH**2 - NEITHER**2),
    "baseline_accuracy": (np.maximum(P, N - P), N),
    "balanced_accuracy": (TP * (N - P) + TN * P, 2 * P * (N - P)),
    "youden_j": (DETERMINANT, P * (N - P)),
    "f1": (2 * TP, 2 * TP + FP + FN),
    "f1_negative": (2 * TN, 2 * TN + FP + FN),
    "macro_f1": F1_PARTS,
    "precision": (TP, Q),
    "recall": (TP, P),
    "specificity": (TN, N - P),
    "npv": (TN, N - Q),
    "fpr": (FP, N - P),
    "fnr": (FN, P),
    "prevalence": (P, N),
    "predicted_prevalence": (Q, N),
    "drift": (FP - FN, N),
    "bias_index": (FP - FN, N),
    "prevalence_index": (TP - TN, N),
}
SQUARED = {
    "phi": (np.sign(DETERMINANT), DETERMINANT**2, P * (N - P) * Q * (N - Q)),
    "kappa_phi_ratio": (1, 4 * P * (N - Q) * Q * (N - P), (P * (N - Q) + Q * (N - P)) ** 2),
}


def test_these_are_all_tables_and_all_metrics() -> None:
    assert len(TABLES) == 20475  # 28 choose 4
    two = {metric.key for metric in metrics.CATALOGUE if metric.classes != "many" and metric.takes == "table"}
    here = set(EXACT) | set(SQUARED) | {"kappa_phi_gap"}
    assert here <= two
    assert all((Path(__file__).parent / f"test_{key}.py").exists() for key in two - here), "each has a test of its own"


@pytest.mark.parametrize("key", EXACT)
def test_ratios_of_whole_numbers(key: str) -> None:
    above, below = EXACT[key]
    values = metrics.BY_KEY[key].function(TABLES)
    assert (np.isnan(values) == (below == 0)).all()
    defined = below != 0
    np.testing.assert_allclose(values[defined], above[defined] / below[defined], rtol=0, atol=4e-16)
    extreme = defined & ((above == 0) | (above == below))
    assert (values[extreme] == (above == below)[extreme]).all(), "0 and 1 are exact"


@pytest.mark.parametrize("key", SQUARED)
def test_roots_of_ratios_of_whole_numbers(key: str) -> None:
    sign, above, below = SQUARED[key]
    values = metrics.BY_KEY[key].function(TABLES)
    defined = (P * (N - P) * Q * (N - Q)) != 0
    assert (np.isnan(values) == ~defined).all()
    squares = (above / np.where(below == 0, 1, below))[defined]
    np.testing.assert_allclose(values[defined] ** 2, squares, rtol=0, atol=1e-15)
    assert (np.sign(values[defined]) == np.broadcast_to(sign, N.shape)[defined]).all()


def test_the_gap_of_kappa_and_phi() -> None:
    defined = (P * (N - P) * Q * (N - Q)) != 0
    kappa = (EXACT["kappa"][0] / np.where(defined, EXACT["kappa"][1], 1)).astype(np.longdouble)
    phi = DETERMINANT / np.sqrt(np.where(defined, SQUARED["phi"][2], 1).astype(np.longdouble))
    values = metrics.kappa_phi_gap(TABLES)
    assert (np.isnan(values) == ~defined).all()
    np.testing.assert_allclose(values[defined], (kappa - phi)[defined].astype(float), rtol=0, atol=1e-15)


def fractions(tp: int, fn: int, fp: int, tn: int) -> dict[str, Fraction | None]:
    """Every metric from its definition in rates; None where a division by zero is needed."""
    n = tp + fn + fp + tn

    def part(above: Any, below: Any) -> Fraction | None:
        return None if above is None or below is None or below == 0 else Fraction(above) / Fraction(below)

    def mean(*parts: Fraction | None) -> Fraction | None:
        return None if None in parts else Fraction(sum(parts)) / len(parts)

    out: dict[str, Fraction | None] = {
        "precision": part(tp, tp + fp), "recall": part(tp, tp + fn), "specificity": part(tn, tn + fp), "npv": part(tn, tn + fn),
        "fpr": part(fp, tn + fp), "fnr": part(fn, tp + fn), "accuracy": part(tp + tn, n), "prevalence": part(tp + fn, n),
        "predicted_prevalence": part(tp + fp, n), "f1": part(2 * tp, 2 * tp + fp + fn),
        "f1_negative": part(2 * tn, 2 * tn + fp + fn), "prevalence_index": part(tp - tn, n), "bias_index": part(fp - fn, n),
    }  # fmt: skip
    out["macro_f1"] = mean(out["f1"], out["f1_negative"])
    out["balanced_accuracy"] = mean(out["recall"], out["specificity"])
    out["youden_j"] = None if out["balanced_accuracy"] is None else out["recall"] + out["specificity"] - 1
    pi, pihat, agreed = out["prevalence"], out["predicted_prevalence"], out["accuracy"]
    if pi is None or pihat is None or agreed is None:
        rest = ("drift", "baseline_accuracy", "pabak", "expected_agreement", "kappa", "scott_pi", "gwet_ac1")
        return out | dict.fromkeys(rest)
    q = (pi + pihat) / 2
    chances = {
        "kappa": pi * pihat + (1 - pi) * (1 - pihat), "scott_pi": q**2 + (1 - q) ** 2, "gwet_ac1": 2 * q * (1 - q),
    }  # fmt: skip
    out |= {key: part(agreed - chance, 1 - chance) for key, chance in chances.items()}
    return out | {
        "drift": pihat - pi, "baseline_accuracy": max(pi, 1 - pi), "pabak": 2 * agreed - 1,
        "expected_agreement": chances["kappa"],
    }  # fmt: skip


def test_definitions_in_fractions() -> None:
    small = TABLES[N <= LARGEST_WITH_FRACTIONS]
    values = {key: metrics.BY_KEY[key].function(small) for key in EXACT}
    for place, table in enumerate(small):
        exact = fractions(*map(int, table.ravel()))
        assert set(exact) == set(EXACT)
        for key, wanted in exact.items():
            value = values[key][place]
            assert np.isnan(value) if wanted is None else abs(Fraction(float(value)) - wanted) < Fraction(1, 10**15), (key, table)


def test_three_classes_in_fractions() -> None:
    for cells in itertools.product(range(3), repeat=9):
        if sum(cells) % 5 or not any(cells):
            continue
        table = np.reshape(cells, (3, 3))
        n, rows, columns = sum(cells), table.sum(1).tolist(), table.sum(0).tolist()
        agreed = Fraction(int(table.trace()), n)
        chance = sum(Fraction(r * c, n * n) for r, c in zip(rows, columns, strict=True))
        value = float(metrics.cohen_kappa(table))
        assert np.isnan(value) if chance == 1 else abs(Fraction(value) - (agreed - chance) / (1 - chance)) < Fraction(1, 10**15)
        recalls = [Fraction(int(table[i, i]), rows[i]) for i in range(3) if rows[i]]
        assert abs(Fraction(float(metrics.balanced_accuracy(table))) - sum(recalls) / len(recalls)) < Fraction(1, 10**15)
        f1 = [Fraction(2 * int(table[i, i]), rows[i] + columns[i]) for i in range(3) if rows[i] + columns[i]]
        assert abs(Fraction(float(metrics.macro_f1(table))) - sum(f1) / len(f1)) < Fraction(1, 10**15)
