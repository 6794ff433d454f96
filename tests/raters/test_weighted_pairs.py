"""Of ordered labels the κ of every two raters counts how far apart labels are: mean, gate, order, map and words."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import metrics
from metrics.analyses.ensembles.cluster_judges import alike_of, think_alike
from metrics.analyses.ensembles.growth import panel_growth
from metrics.analyses.ensembles.matrices import judge_matrices
from metrics.analyses.ensembles.readings import alike_reading, growth_reading
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.analyses.ensembles.tables import alike_rows, growth_rows
from metrics.analyses.ensembles.verdict_matrix import kappa_slope, verdict_matrix_of
from metrics.analyses.raters import pairwise, tables
from metrics.analyses.raters.gate import Bands
from metrics.analyses.raters.pairwise import means_over_pairs, pairs_of, places_of, quadratic, sums_of, weighted_kappa_of_sums
from metrics.analyses.raters.readings import gate_reading, pair_reading
from metrics.commands.cli import main
from metrics.measures.coefficients import cohen_kappa
from metrics.results.tables import in_full
from tests.raters.made import labels, rows

GRADES = ("1", "2", "3", "4", "5")
PLAIN, WEIGHTED = "mean_pairwise_kappa", "mean_pairwise_weighted_kappa"


def near(n: int = 120, raters: int = 4, seed: int = 5, missing: float = 0.0) -> np.ndarray:
    """Grades mostly one off the truth, so that plain κ is low and κ with distances high."""
    rng = np.random.default_rng(seed)
    found = np.clip(rng.integers(0, 5, n)[:, None] + rng.choice([-1, 0, 1], (n, raters)), 0, 4)
    found[rng.random((n, raters)) < missing] = -1
    return found[(found >= 0).any(1)].astype(np.int16)


def of(codes: np.ndarray, scale: str = "ordinal", **how) -> metrics.Ratings:
    return metrics.read(rows(codes, GRADES).encode(), **({"scale": scale} if scale == "ordinal" else {}), **how)


def by_sklearn(codes: np.ndarray, weights: str | None = "quadratic", least: int = 10) -> list[float]:
    """κ of every two with ten shared items or more, one pair at a time."""
    found = []
    for a, b in combinations(range(codes.shape[1]), 2):
        shared = (codes[:, [a, b]] >= 0).all(1)
        if shared.sum() >= least:
            found.append(cohen_kappa_score(codes[shared, a], codes[shared, b], weights=weights, labels=range(5)))
    return found


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_the_mean_is_that_of_scikit_learn(missing) -> None:
    codes = near(missing=missing)
    block = metrics.raters(of(codes)).pooled
    assert block.values[WEIGHTED] == pytest.approx(np.mean(by_sklearn(codes)), abs=1e-12)
    assert block.values[PLAIN] == pytest.approx(np.mean(by_sklearn(codes, None)), abs=1e-12)
    assert block.mean_of[WEIGHTED] == 6
    own = [row["weighted_kappa_quadratic"] for row in block.pair_rows()]
    assert sorted(own) == pytest.approx(sorted(by_sklearn(codes, least=1)), abs=1e-12)
    assert block.intervals[WEIGHTED].low < block.values[WEIGHTED] < block.intervals[WEIGHTED].high


def test_without_an_order_there_is_none() -> None:
    codes = near()
    nominal = metrics.read(rows(codes, GRADES).encode(), scale="nominal", labels=dict.fromkeys(GRADES, "class"))
    two = metrics.read(rows(codes % 2, ("MET", "UNMET")).encode())
    for report in (metrics.raters(nominal), metrics.raters(two), metrics.raters(of(codes), level="nominal")):
        assert WEIGHTED not in report.pooled.values
        assert "weighted_kappa_quadratic" not in in_full(tables.pairs(report))
        assert "quadratic" not in report.summary()


@pytest.mark.parametrize("way", ["dense", "sparse"])
def test_without_one_item_it_is_exact(monkeypatch, way) -> None:
    monkeypatch.setattr(pairwise, "SPARSE", 0.0 if way == "dense" else 1.1)
    own = labels(9, n=40, raters=4, k=5, missing=0.2)
    penalty = quadratic(places_of(np.array([3.0, 1.0, 2.0, 5.0, 4.0])))
    (mean,) = means_over_pairs(own, pairs_of(own, 5, penalty=penalty), (weighted_kappa_of_sums,))
    wanted = [
        np.mean(pairs_of(np.delete(own, unit, 0), 5, penalty=penalty).weighted_kappa)
        for unit in range(len(own))
        if (own[unit] >= 0).sum() > 1
    ]
    assert mean.left_out == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_of_sums_it_is_that_of_the_table(k) -> None:
    tables = np.random.default_rng(k).poisson(0.6, (400, k, k)).astype(float)
    tables[0], tables[1, 1:], tables[1, :, 1:], tables[2, 1:] = 0, 0, 0, 0
    penalty = quadratic(np.arange(k))
    wanted = cohen_kappa(tables, weights=penalty)
    assert np.isnan(wanted[:2]).all()
    np.testing.assert_array_equal(weighted_kappa_of_sums(sums_of(tables, penalty)), wanted)


def test_a_pair_with_one_option_is_undefined_and_counted() -> None:
    codes = near(40, 3)
    codes[:, :2] = 2
    report = metrics.raters(of(codes))
    assert report.pooled.values[WEIGHTED] == pytest.approx(0.0)
    assert report.pooled.mean_of[WEIGHTED] == 2
    assert "mean κ quadratic of 2 of 3 pairs" in report.summary()
    constant = metrics.raters(of(np.vstack([np.full((20, 3), 2), [[0, -1, -1], [4, -1, -1]]]).astype(np.int16)))
    assert np.isnan(constant.pooled.values[WEIGHTED])
    assert "both give one and the same label only" in constant.pooled.undefined[WEIGHTED]
    few = metrics.raters(of(near(9, 3))).pooled
    assert "share 10 items" in few.undefined[WEIGHTED]


@pytest.mark.parametrize("criteria", [1, 3])
def test_two_raters_have_the_number_and_interval_of_scores(criteria) -> None:
    codes = near(90, 2)
    item, criterion = np.divmod(np.arange(90), criteria)
    made = [f"i{i},c{c}" for i, c in zip(item, criterion, strict=True)]

    def read(second: str) -> metrics.Ratings:
        lines = ["item,criterion,rater,role,label"]
        for place, (name, role) in enumerate((("ana", "human"), ("ben", second))):
            lines += [f"{key},{name},{role},{GRADES[code]}" for key, code in zip(made, codes[:, place], strict=True)]
        return metrics.read("\n".join(lines).encode(), scale="ordinal")

    pair = metrics.raters(read("human")).pooled
    block = metrics.scores(read("judge")).judges["ben"].pooled
    assert pair.values[WEIGHTED] == pytest.approx(block.values["weighted_kappa_quadratic"], abs=1e-12)
    assert pair[WEIGHTED].ends == pytest.approx(block["weighted_kappa_quadratic"].ends, abs=1e-12)
    said = pair_reading(pair)
    assert "reach κ quadratic" in said
    plain = metrics.raters(read("human"), level="nominal").pooled
    assert "reach κ " in pair_reading(plain)
    assert "quadratic" not in pair_reading(plain)


def test_the_gate_on_kappa_takes_the_kappa_of_the_level() -> None:
    codes = near(300)
    report = metrics.raters(of(codes), bands=Bands(on="kappa"))
    block = report.pooled
    assert block.judged == WEIGHTED
    assert (block.values[WEIGHTED] > 0.6) == (block.gate.verdict == "passes") is True
    assert block.values[PLAIN] < 0.6
    assert "the interval of mean κ quadratic against 0.6" in report.summary()
    assert "mean κ quadratic" in gate_reading(report)
    nominal = metrics.raters(of(codes), level="nominal", bands=Bands(on="kappa"))
    assert (nominal.pooled.judged, nominal.pooled.gate.verdict) == (PLAIN, "fails")
    assert "quadratic" not in gate_reading(nominal)


def test_the_sorted_list_follows() -> None:
    """By plain κ the criterion with near misses is the worse one, by distance the one with far misses."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 5, 200)
    close = np.clip(truth[:, None] + rng.choice([-1, 1, 0], (200, 3)), 0, 4)
    far = np.where(rng.random((200, 3)) < 0.35, 4 - truth[:, None], truth[:, None])
    text = rows(close, GRADES, criterion=["close"] * 200)
    text += "".join(rows(far, GRADES, criterion=["far"] * 200).splitlines(keepends=True)[1:])
    ratings = metrics.read(text.encode(), scale="ordinal")
    assert metrics.raters(ratings, bands=Bands(on="kappa")).by_need() == ["far", "close"]
    assert metrics.raters(ratings, bands=Bands(on="kappa"), level="nominal").by_need() == ["close", "far"]


def test_the_command_judges_the_weighted_mean(tmp_path, capsys) -> None:
    path = tmp_path / "grades.csv"
    path.write_text(rows(near(300), GRADES))
    with pytest.raises(SystemExit, match="0"):
        main(["raters", str(path), "--scale", "ordinal", "--gate-on", "kappa", "--json"])
    own = json.loads(capsys.readouterr().out)["criteria"]["all"]
    assert (own["gate"]["verdict"], own["gate"]["on"], own["gate"]["statistic"]) == ("passes", "kappa", WEIGHTED)
    assert own[WEIGHTED] > 0.6 > own[PLAIN]
    assert own["intervals"][WEIGHTED][0] >= 0.6


def judged(scale: str | None = "ordinal", seed: int = 3) -> metrics.Ratings:
    codes = near(100, 5, seed)
    lines = ["item,rater,role,label"]
    lines += [
        f"i{item},{'human' if place == 0 else f'j{place}'},{'human' if place == 0 else 'judge'},{GRADES[code]}"
        for (item, place), code in np.ndenumerate(codes)
    ]
    return metrics.read("\n".join(lines).encode(), scale=scale, labels=None if scale else dict.fromkeys("12345", "x"))


def nominal_of(ratings: metrics.Ratings) -> metrics.Ratings:
    lines = ["item,rater,role,label"]
    names, raters = ratings.scheme.classes, ratings.raters
    lines += [
        f"i{item},{raters[rater].name},{raters[rater].role},{names[state]}"
        for item, rater, state in zip(ratings.item, ratings.rater, ratings.state, strict=True)
    ]
    return metrics.read("\n".join(lines).encode(), scale="nominal", labels=dict.fromkeys(GRADES, "class"))


def test_the_map_of_judges_and_what_stands_beside_it() -> None:
    ratings = judged()
    found, between = think_alike(ratings), metrics.raters(ratings, role="judge").pooled
    assert found.metric == "weighted_kappa_quadratic"
    assert found.mean_kappa == pytest.approx(between.values[WEIGHTED])
    report = metrics.agreement(ratings).judges
    for place, name in enumerate(found.judges):
        block = report[name].micro
        assert found.with_reference[place].value == pytest.approx(block.values["weighted_kappa_quadratic"])
        assert found.with_reference[place].ends == pytest.approx(block["weighted_kappa_quadratic"].ends)
    assert alike_reading(found).count("κ quadratic") == alike_reading(found).count("κ") > 0
    assert "weighted_kappa_quadratic: j1" in alike_rows(found)[0]
    of_nominal = think_alike(nominal_of(ratings))
    assert of_nominal.metric == "kappa"
    assert of_nominal.mean_kappa < found.mean_kappa
    assert "quadratic" not in alike_reading(of_nominal)


def test_matrices_and_panels_are_read_by_the_same_kappa() -> None:
    ratings = judged()
    report = metrics.agreement(ratings).judges
    matrices, growth = judge_matrices(ratings), panel_growth(ratings)
    for place, name in enumerate(matrices.judges):
        assert matrices.kappa[place].value == pytest.approx(report[name].micro.values["weighted_kappa_quadratic"])
        assert matrices.kappa[place].ends == pytest.approx(report[name].micro["weighted_kappa_quadratic"].ends)
    assert "κ quadratic with the reference" in matrices_reading(matrices)
    assert growth.sizes[0].kappa.value == pytest.approx(np.mean([own.value for own in matrices.kappa]))
    panel = metrics.with_panel(ratings, name="panel")
    block = metrics.agreement(panel, judges=["panel"]).judges["panel"].micro
    assert growth.sizes[-1].kappa.value == pytest.approx(block.values["weighted_kappa_quadratic"])
    assert growth.sizes[-1].kappa.ends == pytest.approx(block["weighted_kappa_quadratic"].ends)
    assert "κ quadratic" in growth_reading(growth)
    assert "weighted_kappa_quadratic" in growth_rows(growth)[0]
    plain = nominal_of(ratings)
    assert verdict_matrix_of(plain).penalty is None
    for said in (matrices_reading(judge_matrices(plain)), growth_reading(panel_growth(plain))):
        assert "quadratic" not in said
        assert "κ" in said


def test_the_slope_of_weighted_kappa_is_its_derivative() -> None:
    table, penalty, step = np.random.default_rng(2).poisson(9.0, (4, 4)).astype(float), quadratic(np.arange(4)), 1e-6
    slope = kappa_slope(table, penalty)
    for cell in np.ndindex(4, 4):
        more = table.copy()
        more[cell] += step
        change = (cohen_kappa(more, weights=penalty) - cohen_kappa(table, weights=penalty)) / step
        assert slope[cell] == pytest.approx(change, abs=1e-6)


def test_raters_of_any_role_have_a_map_with_distances() -> None:
    codes = near(60, 4)
    names = tuple(f"r{place}" for place in range(4))
    found = alike_of(names, codes, 5, np.arange(60, dtype=np.int32), penalty=quadratic(np.arange(5)))
    order = [names.index(name) for name in found.judges]
    wanted = cohen_kappa_score(codes[:, order[0]], codes[:, order[1]], weights="quadratic")
    assert found.kappa[0, 1] == pytest.approx(wanted)
    assert found.mean_kappa == pytest.approx(np.mean(by_sklearn(codes)))
