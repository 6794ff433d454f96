"""One number has one interval, whichever command gives it."""

from __future__ import annotations

import io

import numpy as np
import pytest

import metrics
from metrics.intervals.default import table_intervals
from metrics.measures.coefficients import cohen_kappa, phi


def labelled(reference: np.ndarray, judge: np.ndarray, names: tuple[str, ...]) -> metrics.Ratings:
    rows = [
        f"i{item},c{criterion},j,{names[reference[item, criterion]]},{names[judge[item, criterion]]}"
        for item in range(len(reference))
        for criterion in range(reference.shape[1])
    ]
    labels = dict.fromkeys(names, "class") if "MET" not in names else None
    return metrics.read(io.StringIO("item,criterion,judge,human,verdict\n" + "\n".join(rows)), labels=labels)


def drawn(seed: int, n: int, c: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    reference = rng.integers(0, k, (n, c))
    return reference, np.where(rng.random((n, c)) < 0.7, reference, rng.integers(0, k, (n, c)))


SHARED = {"kappa": "kappa", "exact_agreement": "accuracy"}
TWO = dict.fromkeys(("weighted_kappa_quadratic", "weighted_kappa_linear"), "kappa") | dict.fromkeys(
    ("spearman", "kendall_tau_b", "pearson"), "phi"
)


@pytest.mark.parametrize("criteria", [1, 3])
@pytest.mark.parametrize("names", [("MET", "UNMET"), ("1", "2", "3")])
def test_agreement_and_scores_give_one_interval(names: tuple[str, ...], criteria: int) -> None:
    ratings = labelled(*drawn(5, 30, criteria, len(names)), names)
    agreement, scores = metrics.agreement(ratings).judges["j"], metrics.scores(ratings).judges["j"]
    pairs = [(agreement.micro, scores.pooled), (agreement.macro, scores.mean)]
    pairs += [(block, scores.criteria[name]) for name, block in agreement.criteria.items()]
    for here, there in pairs:
        for key, name in (SHARED | (TWO if len(names) == 2 else {})).items():
            assert there.values[key] == pytest.approx(here.values[name])
            assert there[key].ends == pytest.approx(here[name].ends, abs=1e-12), key


def test_kappa_and_phi_have_one_conclusion_about_chance() -> None:
    functions, disagreed = {"kappa": cohen_kappa, "phi": phi}, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        table = np.bincount(2 * (rng.random(20) < 0.1) + (rng.random(20) < 0.15), minlength=4).reshape(2, 2).astype(float)
        values = {key: float(function(table)) for key, function in functions.items()}
        if np.isnan(values["phi"]):
            continue
        both = table_intervals(table, functions, values, 0.95)
        assert (both["kappa"].low <= 0 <= both["kappa"].high) == (both["phi"].low <= 0 <= both["phi"].high)
        alone = table_intervals(table, {"kappa": cohen_kappa}, {"kappa": values["kappa"]}, 0.95)
        assert alone["kappa"].ends == both["kappa"].ends
        disagreed += 0.0 in both["kappa"].ends
    assert disagreed, "no table in which the two would disagree"
    clear = np.array([[20.0, 3], [2, 25]])
    values = {key: float(function(clear)) for key, function in functions.items()}
    assert all(own.low > 0 for own in table_intervals(clear, functions, values, 0.95).values())
