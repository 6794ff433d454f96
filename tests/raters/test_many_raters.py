"""Fleiss' kappa, percent agreement, AC1 and AC2 of many raters against published values and other implementations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike
from statsmodels.stats.inter_rater import fleiss_kappa as peer

from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.coefficients import (
    agreement_of_sums,
    agreement_weights,
    finite_sample_term,
    fleiss_kappa,
    fleiss_of_sums,
    fleiss_tally,
    gwet_of_sums,
    gwet_parts,
    ratings_kept,
)
from metrics.analyses.raters.tally import VoteTally, tally_of
from metrics.measures.coefficients import gwet_ac1, scott_pi
from tests.raters.made import labels, units, votes

NONE = None
RANDOM = [
    [1, 1, 4, 1, 1], [1, 3, 1, NONE, 1], [1, NONE, NONE, 4, 4], [2, 2, 3, 2, 2], [3, 3, 3, NONE, 3], [3, 2, 3, 1, 3],
    [3, NONE, 3, 3, 1], [1, 1, 1, NONE, 2], [2, NONE, 2, 2, 1], [1, NONE, 1, 1, 1], [2, NONE, 2, 2, NONE],
    [NONE, NONE, 4, 4, NONE], [2, 3, NONE, 3, NONE], [1, 1, 4, 1, 1], [3, 4, 4, 3, 3], [NONE, NONE, 1, 1, NONE],
    [NONE, NONE, 1, 4, 2], [NONE, NONE, 2, 4, 3], [4, 4, 1, 1, 4], [3, NONE, 3, NONE, 3],
]  # fmt: skip
TWELVE = [
    [1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2],
    [5, 5, 5], [1, 1], [3],
]  # fmt: skip
# irrCAC 0.4.4, which needs an older numpy than this package: (percent agreement with these weights, AC1 or AC2).
IRRCAC = {
    ("twelve", "nominal"): (0.81818181818182, 0.775444068127),
    ("twelve", "ordinal"): (0.96818181818182, 0.89893976990751),
    ("twelve", "interval"): (0.97537878787879, 0.9140007235516),
    ("twelve", "ratio"): (0.95411487322202, 0.85736755782963),
    ("random", "nominal"): (0.57833333333333, 0.44165448785225),
    ("random", "ordinal"): (0.79694444444444, 0.3786936985432),
    ("random", "interval"): (0.8137037037037, 0.36378865472289),
    ("random", "ratio"): (0.79036375661376, 0.35360255502241),
}


def counted(name: str) -> np.ndarray:
    given, k = (TWELVE, 5) if name == "twelve" else (RANDOM, 4)
    return np.array([[unit.count(label) for label in range(1, k + 1)] for unit in given])


def percent_agreement(counts: ArrayLike) -> np.ndarray:
    return agreement_of_sums(gwet_parts(np.asarray(counts, float)).sum(-2))


@pytest.mark.parametrize("name", ["lit.fleiss.wikipedia14", "lit.fleiss.1971"])
def test_published_values_of_fleiss(published, name) -> None:
    entry = published[name]
    assert fleiss_kappa(entry["inputs"]["counts"]) == pytest.approx(entry["expected"]["fleiss_kappa"], abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_statsmodels_agrees_on_complete_designs(seed) -> None:
    counts = votes(labels(seed, n=5 + 6 * seed, raters=2 + seed % 4, missing=0))
    assert fleiss_kappa(counts) == pytest.approx(peer(counts), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_fleiss_kappa_and_one_term_in_a_complete_design(published, seed) -> None:
    n, m = 5 + 6 * seed, 2 + seed % 4
    counts = votes(labels(seed, n=n, raters=m, missing=0))
    fleiss = float(fleiss_kappa(counts))
    assert krippendorff_alpha(counts) - fleiss == pytest.approx(finite_sample_term(fleiss, n, m), abs=1e-12)
    its = published["rao.eq16.example"]
    given = its["inputs"]
    term = finite_sample_term(given["kappa_F"], given["N"], given["R"])
    assert term == pytest.approx(its["expected"]["alpha_minus_kappaF"], abs=1e-12)


def test_the_identity_holds_for_any_number_of_classes(published) -> None:
    entry = published["rao.eq16.identity"]
    gaps = []
    for seed in range(entry["inputs"]["random_complete_designs"]):
        k, n, m = 2 + seed % 3, 4 + seed % 17, 2 + seed % 5
        counts = votes(labels(seed, n=n, raters=m, k=k, missing=0), k)
        fleiss = float(fleiss_kappa(counts))
        gaps.append(float(krippendorff_alpha(counts)) - fleiss - finite_sample_term(fleiss, n, m))
    assert len([gap for gap in gaps if not np.isnan(gap)]) > 290
    assert np.nanmax(np.abs(gaps)) == pytest.approx(entry["expected"]["max_abs_difference"], abs=1e-12)


def test_fleiss_is_undefined_with_one_label_and_without_units() -> None:
    assert np.isnan(fleiss_kappa([[3, 0], [3, 0]]))
    assert np.isnan(fleiss_kappa(np.empty((0, 2))))


@pytest.mark.parametrize("counts", [[[2, 0], [1, 2]], [[1, 0], [0, 1]]])
def test_fleiss_refuses_other_designs(counts) -> None:
    with pytest.raises(ValueError, match="same number of ratings"):
        fleiss_kappa(counts)


@pytest.mark.parametrize(
    ("m", "kept"),
    [
        ([2, 2, 2, 3, 3], 3),  # 6 ratings each: of equals the larger
        ([2, 2, 2, 2, 3, 3], 2),
        ([2, 2, 2, 3, 3, *[1] * 7], 3),
        ([1, 1, 0], 0),
        ([], 0),
    ],
)
def test_the_number_of_ratings_that_keeps_most(m, kept) -> None:
    assert ratings_kept(m) == kept


def gwet_ac(counts, weights=None) -> float:
    partial = np.eye(np.shape(counts)[1]) if weights is None else weights
    return float(gwet_of_sums(gwet_parts(np.asarray(counts, float), partial).sum(0), partial))


def test_fleiss_of_an_incomplete_design_rests_on_the_units_with_that_many() -> None:
    own = labels(4, n=80, raters=4)
    tally = tally_of(units(own))
    m, parts = fleiss_tally(tally)
    counts = votes(own)
    assert fleiss_of_sums(tally.times @ parts) == pytest.approx(float(fleiss_kappa(counts[counts.sum(1) == m])), abs=1e-12)
    left, weight = tally.left_out(parts, fleiss_of_sums)
    kept = counts[counts.sum(1) == m]
    wanted = [float(fleiss_kappa(np.delete(kept, unit, 0))) for unit in range(len(kept))]
    assert np.sort(np.repeat(left, weight.astype(int))) == pytest.approx(np.sort(wanted), abs=1e-12)


@pytest.mark.parametrize(("name", "level"), IRRCAC)
def test_irrcac_agrees(name, level) -> None:
    counts = counted(name)
    weights = agreement_weights(np.arange(1.0, counts.shape[1] + 1), level)
    agreed, coefficient = IRRCAC[name, level]
    assert gwet_ac(counts, weights) == pytest.approx(coefficient, abs=1e-11)
    sums = gwet_parts(counts.astype(float), weights).sum(0)
    assert sums[0] / sums[1] == pytest.approx(agreed, abs=1e-11)
    if level == "nominal":
        assert percent_agreement(counts) == pytest.approx(agreed, abs=1e-11)


def test_irrcac_gives_the_same_alpha() -> None:
    assert krippendorff_alpha(counted("random")) == pytest.approx(0.40349002849003, abs=1e-11)


def test_the_published_ac1(published) -> None:
    entry = published["lit.krippendorff12.ac1"]
    assert gwet_ac(counted("twelve")) == pytest.approx(entry["expected"]["gwet_ac1"], abs=1e-12)


def test_two_raters_without_gaps_are_the_table_of_two() -> None:
    own = labels(6, raters=2, missing=0)
    table = np.zeros((3, 3))
    np.add.at(table, (own[:, 0], own[:, 1]), 1)
    assert gwet_ac(votes(own)) == pytest.approx(float(gwet_ac1(table)), abs=1e-12)
    assert fleiss_kappa(votes(own)) == pytest.approx(float(scott_pi(table)), abs=1e-12)
    assert percent_agreement(votes(own)) == pytest.approx(np.trace(table) / table.sum(), abs=1e-12)


def test_one_label_only_leaves_agreement_and_ac1_defined() -> None:
    counts = [[3, 0], [2, 0]]
    assert percent_agreement(counts) == 1
    assert gwet_ac(counts) == 1
    assert np.isnan(percent_agreement([[1, 0], [0, 1]]))
    assert np.isnan(gwet_ac([[1, 0], [0, 1]]))


def test_leaving_out_one_unit_of_ac1() -> None:
    counts = counted("random")
    tally = VoteTally(counts.astype(float), np.ones(len(counts)), np.arange(len(counts)))
    left, weight = tally.left_out(gwet_parts(tally.votes), lambda sums: gwet_of_sums(sums, np.eye(4)))
    wanted = [gwet_ac(np.delete(counts, unit, 0)) for unit in range(len(counts))]
    assert np.sort(np.repeat(left, weight.astype(int))) == pytest.approx(np.sort(wanted), abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_weights_are_one_for_equal_labels_and_none_for_the_farthest(level) -> None:
    found = agreement_weights([5.0, 1.0, 3.0], level)
    assert np.diagonal(found).tolist() == [1, 1, 1]
    assert found[0, 1] == found.min() == 0
    assert (found == found.T).all()
