"""Tables with nothing in them, or nothing in a row, a column or on the diagonal: no value ever stands in for none."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.measures.catalogue import WEIGHTED_KAPPA, applicable
from metrics.measures.metric import why_undefined

TABLES = {
    "empty": [[0, 0], [0, 0]],
    "reference only MET": [[7, 3], [0, 0]],
    "reference only UNMET": [[0, 0], [7, 3]],
    "judge only MET": [[7, 0], [3, 0]],
    "judge only UNMET": [[0, 7], [0, 3]],
    "both only MET": [[5, 0], [0, 0]],
    "both only UNMET": [[0, 0], [0, 5]],
    "MET and UNMET": [[0, 5], [0, 0]],
    "UNMET and MET": [[0, 0], [5, 0]],
    "never equal": [[0, 4], [6, 0]],
    "always equal": [[4, 0], [0, 6]],
}
UNDEFINED = {
    "empty": {m.key for m in applicable(2, "table")},
    "reference only MET": {
        "phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "specificity", "fpr",
    },
    "reference only UNMET": {
        "phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "recall", "fnr",
    },
    "judge only MET": {"phi", "kappa_phi_gap", "kappa_phi_ratio", "npv"},
    "judge only UNMET": {"phi", "kappa_phi_gap", "kappa_phi_ratio", "precision"},
    "both only MET": {
        "kappa", "scott_pi", "phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "specificity", "fpr",
        "npv", "f1_negative", "macro_f1",
    },
    "both only UNMET": {
        "kappa", "scott_pi", "phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "recall", "fnr",
        "precision", "f1", "macro_f1",
    },
    "MET and UNMET": {
        "phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "specificity", "fpr", "precision",
    },
    "UNMET and MET": {"phi", "kappa_phi_gap", "kappa_phi_ratio", "balanced_accuracy", "youden_j", "recall", "fnr", "npv"},
    "never equal": set(),
    "always equal": set(),
}  # fmt: skip
OF_THEIR_OWN = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
"""Metrics with a test file, which says on which tables they are undefined."""
REASONS = {
    ("empty", "kappa"): "no decision is left",
    ("reference only MET", "phi"): "the reference gives one label only, MET",
    ("reference only UNMET", "balanced_accuracy"): "the reference never says MET",
    ("reference only UNMET", "recall"): "the reference never says MET",
    ("reference only MET", "specificity"): "the reference never says UNMET",
    ("judge only UNMET", "phi"): "the judge gives one label only, UNMET",
    ("judge only UNMET", "precision"): "the judge never says MET",
    ("judge only MET", "npv"): "the judge never says UNMET",
    ("both only MET", "kappa"): "both sides give only MET",
    ("both only UNMET", "kappa"): "both sides give only UNMET",
    ("both only UNMET", "f1"): "nobody says MET",
    ("both only MET", "f1_negative"): "nobody says UNMET",
}


@pytest.mark.parametrize("name", TABLES)
def test_what_is_undefined_and_why(build_of_tables, name: str) -> None:
    table = np.array(TABLES[name], float)
    block = None
    if table.any():
        block = metrics.agreement(build_of_tables(table, labels=("MET", "UNMET")), interval="none").judges["j"].micro
    for metric in applicable(2, "table"):
        value = float(metric.function(table))
        reason = why_undefined(metric, table, ("MET", "UNMET"))
        assert metric.key in OF_THEIR_OWN or math.isnan(value) == (metric.key in UNDEFINED[name]), metric.key
        assert bool(reason) == math.isnan(value), metric.key
        if (name, metric.key) in REASONS:
            assert reason == REASONS[name, metric.key]
        if block is not None:
            assert block.undefined.get(metric.key, "") == reason
            assert block.values[metric.key] == pytest.approx(value, nan_ok=True, abs=0)


def test_values_at_the_edges() -> None:
    edge = {name: np.array(table) for name, table in TABLES.items()}
    for name in ("reference only MET", "judge only MET", "MET and UNMET", "UNMET and MET"):
        assert metrics.cohen_kappa(edge[name]) == 0, "chance level by construction"
    assert metrics.cohen_kappa(edge["never equal"]) == pytest.approx(-12 / 13)
    assert metrics.phi(edge["never equal"]) == -1
    assert metrics.pabak(edge["both only MET"]) == metrics.gwet_ac1(edge["both only MET"]) == 1
    assert metrics.pabak(edge["never equal"]) == -1
    assert metrics.f1(edge["never equal"]) == metrics.macro_f1(edge["never equal"]) == 0


@pytest.mark.parametrize("k", [3, 4])
def test_more_classes(k: int) -> None:
    one_class, one_row, empty = np.zeros((3, k, k))
    one_class[1, 1], one_row[1] = 5, np.arange(k) + 1
    values = {m.key: [float(m.function(t)) for t in (empty, one_class, one_row)] for m in applicable(k, "table")}
    assert all(math.isnan(empty_value) for empty_value, _, _ in values.values())
    undefined = {key for key, (_, constant, _) in values.items() if math.isnan(constant)}
    assert undefined == {"kappa", "mcc_multiclass", "macro_j"}
    assert {key for key, (_, _, row) in values.items() if math.isnan(row)} == {"mcc_multiclass", "macro_j"}
    assert values["kappa"][2] == 0
    assert values["balanced_accuracy"][1] == values["macro_f1"][1] == 1


def test_tables_over_criteria() -> None:
    nothing, constant, both = np.zeros((2, 2)), np.diag([5.0, 0.0]), np.array([[4.0, 1.0], [2.0, 3.0]])
    assert np.isnan(metrics.kappa_within([nothing, constant]))
    assert metrics.kappa_within([nothing, constant, both]) == pytest.approx(float(metrics.cohen_kappa(both)))
    assert np.isnan(metrics.baseline_accuracy_by_criterion([nothing, nothing]))
    assert metrics.baseline_accuracy_by_criterion([constant, nothing]) == 1


@pytest.mark.parametrize("cost", ["as-negative", "as-positive", [[0, 1, 0], [0, 0, 0], [0, 0, 0]]])
def test_weighted_kappa_without_any_chance_of_a_cost_says_so(build_of_tables, cost) -> None:
    table = [[4, 0, 1], [0, 0, 0], [2, 0, 3]] if cost == "as-positive" else [[0, 0, 0], [0, 4, 1], [0, 2, 3]]
    ratings = build_of_tables(table)
    judge = metrics.agreement(ratings, abstention="as_category", cost=cost, interval="none").judges["j"]
    for block in (judge.micro, judge.macro, judge.item, judge.criteria["c0"]):
        assert math.isnan(block.values["weighted_kappa"])
        assert "cost" in block.undefined["weighted_kappa"]
    assert "kappa" not in judge.micro.undefined


def test_weighted_kappa_names_the_ordinary_reasons_first() -> None:
    cost = 1 - np.eye(3)
    for table, says in ((np.zeros((3, 3)), "no decision is left"), (np.diag([0.0, 4.0, 0.0]), "both sides give only UNMET")):
        assert np.isnan(WEIGHTED_KAPPA.function(table, cost))
        assert why_undefined(WEIGHTED_KAPPA, table, ("MET", "UNMET", "CA")) == says
