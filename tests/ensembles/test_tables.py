"""Rows for downloads hold the numbers that are shown."""

from __future__ import annotations

import math

import numpy as np

from metrics.analyses.ensembles.cluster_judges import think_alike
from metrics.analyses.ensembles.errors import shared_errors
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.runs import RunVotes, SelfAgreement, self_agreement_of
from metrics.analyses.ensembles.tables import alike_rows, growth_rows, pair_rows, runs
from metrics.results.tables import in_full


def test_sizes(noisy) -> None:
    growth = panel_growth(noisy, sizes=[1, 3])
    one, three = growth_rows(growth)
    assert (one["size"], three["size"]) == (1, 3)
    assert three["kappa"] == growth.sizes[1].kappa.value
    assert (three["low"], three["high"]) == growth.sizes[1].kappa.ends
    assert three["panels"] == 20
    assert three["seed"] == 0


def test_pairs(noisy) -> None:
    errors = shared_errors(noisy)
    rows = pair_rows(errors)
    assert len(rows) == 15
    assert [(row["a"], row["b"]) for row in rows[:2]] == [("j0", "j1"), ("j0", "j2")]
    assert rows[0]["a_wrong"] == errors.wrong[0, 1]
    assert rows[0]["b_wrong"] == errors.wrong[1, 0]
    assert rows[0]["phi"] == errors.phi[0, 1]


def test_judges_in_order(noisy) -> None:
    alike = think_alike(noisy, least=0.3, smallest=2)
    rows = alike_rows(alike)
    assert tuple(row["judge"] for row in rows) == alike.judges
    assert math.isnan(rows[2][f"kappa: {alike.judges[2]}"])
    assert rows[0][f"kappa: {alike.judges[1]}"] == rows[1][f"kappa: {alike.judges[0]}"]
    assert [(row["reference_low"], row["reference_high"]) for row in rows] == [own.ends for own in alike.with_reference]
    grouped = [row["judge"] for row in rows if row["group"] == 1]
    assert tuple(grouped) == alike.groups[0].judges


def row_of(own: SelfAgreement) -> dict[str, object]:
    return {name: cells[0] for name, cells in in_full(runs([own])).items()}


def test_runs() -> None:
    own = self_agreement_of(RunVotes(np.array([[2, 1], [0, 3]]), np.array([0, 0]), np.arange(2, dtype=np.int32)), "j")
    row = row_of(own)
    assert row["share"] == own.share.value
    assert row["disagreement_of_majority"] == own.by_majority
    assert (row["share_low"], row["share_high"]) == (own.share.ends or (row["share_low"], row["share_high"]))
    nothing = self_agreement_of(RunVotes(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)), "j")
    assert row_of(nothing)["share_low"] is None
