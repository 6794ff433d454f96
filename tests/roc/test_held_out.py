"""Scores turned round, cuts of one part judged on another, groups of items, any cut."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.roc.compute import cut_at
from metrics.analyses.roc.cuts import with_intervals
from metrics.analyses.roc.decisions import decisions_of
from metrics.analyses.roc.held_out import HeldOut, dealt, held_out
from metrics.analyses.roc.readings import held_out_note
from metrics.analyses.roc.result import drawn_curve
from metrics.analyses.roc.tallies import tally_of
from tests.roc.made import column, made_up, ratings_of, turned_round


@pytest.mark.parametrize("holding_out", ["split", "cross"])
def test_a_declared_direction_is_the_report_of_turned_scores(holding_out) -> None:
    text = made_up()
    lower = metrics.roc(ratings_of(turned_round(text)), direction="lower", holding_out=holding_out)
    higher = metrics.roc(ratings_of(text), holding_out=holding_out)
    for own, other in zip(lower.judges["j"].blocks(), higher.judges["j"].blocks(), strict=True):
        one, two = own[1].to_dict(), other[1].to_dict()
        for key in ("n", "n_positive", "auc", "youden_j", "tpr", "fpr", "n_optimal_thresholds", "intervals", "verdict"):
            assert one[key] == pytest.approx(two[key]) if isinstance(one[key], float) else one[key] == two[key]
        assert one["threshold"] == pytest.approx(1 - two["threshold"])
        assert one["held_out"]["threshold"] == pytest.approx(1 - two["held_out"]["threshold"])
        for key in ("youden_j", "tpr", "fpr", "n", "in_sample_youden_j"):
            assert one["held_out"][key] == pytest.approx(two["held_out"][key])
        assert (one["calibration"]["of"], two["calibration"]["of"]) == ("negative", "positive")
        assert one["calibration"]["prevalence"] == pytest.approx(1 - two["calibration"]["prevalence"])
        assert one["calibration"]["kuiper"] == pytest.approx(two["calibration"]["kuiper"])
    assert lower.to_dict()["declaration"]["direction"] == "positive where score <= threshold"
    assert "below_chance" not in [warning.code for warning in lower.warnings]
    assert "score ≤ threshold" in lower.summary()
    assert set(lower.to_frame()["direction"]) == {"lower"}


def test_a_cut_of_lower_scores_counts_what_lies_below() -> None:
    ratings = ratings_of(made_up())
    report = metrics.roc(ratings, direction="lower")
    cut = cut_at(ratings, "j", report.settings, 0.5, direction="lower")
    assert cut.table.tolist() == report.judges["j"].pooled.curve.tally.table(0.5).tolist()
    rows = [row for row in column(made_up()) if row[3] != "CANNOT_ASSESS" and row[5]]
    assert cut.table[0, 0] == sum(row[3] == "MET" and float(row[5]) <= 0.5 for row in rows)
    assert cut.table[1, 0] == sum(row[3] == "UNMET" and float(row[5]) <= 0.5 for row in rows)


@pytest.mark.parametrize("most", [60, 400])
@pytest.mark.parametrize("levels", [3, 40, 5000])
def test_a_drawn_curve_has_few_points_and_leaves_the_real_one_by_no_more_than_a_stretch(most, levels) -> None:
    rng = np.random.default_rng(4)
    positive = rng.random(5000) < 0.01
    tally = tally_of(np.round(rng.normal(size=5000) + positive, 8 if levels == 5000 else 1) % levels, positive)
    fpr, tpr, cuts = drawn_curve(tally, most)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    assert len(fpr) == len(cuts) <= most + 4
    spots = set(zip(tally.fpr.tolist(), tally.tpr.tolist(), strict=True))
    assert set(zip(fpr, tpr, strict=True)) <= spots
    real, drawn = tally.fpr + tally.tpr, np.add(fpr, tpr)
    off = np.abs(np.interp(real, drawn, tpr) - tally.tpr).max()
    assert off <= 4 / most


def test_half_of_the_items_chooses_and_the_other_half_judges() -> None:
    ratings = ratings_of(made_up())
    scores, _ = decisions_of(ratings, "j", "majority").scores()
    found = held_out(scores, 7, 0.95)
    parts = dealt(scores, 2, 7)
    assert parts.sum(0).tolist() == scores.multiplicity.tolist()
    times = parts[:, scores.unit] * scores.each
    values, positive = ([own.repeat(part) for part in times] for own in (scores.level[scores.level_index], scores.positive))
    choosing = tally_of(values[0], positive[0])
    gains = choosing.tpr - choosing.fpr
    assert found.in_sample_j == pytest.approx(gains.max())
    assert found.cut.threshold == choosing.thresholds[int(np.argmax(gains))]
    judging = tally_of(values[1], positive[1]).table(found.cut.threshold)
    assert found.cut.table.tolist() == judging.tolist()
    assert found.n_chosen_on + found.cut.n == scores.tally().n


def test_cross_fitting_judges_every_item_by_the_cut_of_others() -> None:
    report = metrics.roc(ratings_of(made_up()), holding_out="cross", folds=4, rng=3)
    curve = report.judges["j"].pooled.curve
    found = curve.held_out
    assert found.cut.n == curve.tally.n
    assert len(found.thresholds) == 4
    assert found.in_sample_j == pytest.approx(curve.best["youden_j"].value)
    assert found.cut["youden_j"].value <= found.in_sample_j
    assert report.to_dict()["declaration"]["held_out"] == {"method": "cross", "folds": 4, "seed": 3}


def test_the_seed_decides_the_halves_and_nothing_else() -> None:
    ratings = ratings_of(made_up())
    first, again, other = (metrics.roc(ratings, rng=seed).to_dict() for seed in (0, 0, 5))
    assert first == again
    blocks = [found["judges"]["j"]["criteria"]["all"] for found in (first, other)]
    assert blocks[0]["auc"] == blocks[1]["auc"]
    assert blocks[0]["held_out"] != blocks[1]["held_out"]


def test_on_useless_scores_the_best_cut_is_luck() -> None:
    losses = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        rows = [f"{i},j,{('MET', 'UNMET')[int(rng.integers(2))]},MET,{rng.random():.3f}" for i in range(80)]
        report = metrics.roc(ratings_of("item,judge,human,verdict,score\n" + "\n".join(rows)), interval="none", rng=seed)
        losses.append(report.judges["j"].pooled.curve.held_out.loss)
    assert np.mean(losses) > 0.1


def test_groups_of_items_are_left_out_and_held_out_as_a_whole() -> None:
    lines = made_up(240, criteria=1).splitlines()
    text = "\n".join([lines[0] + ",prompt", *(f"{line},p{i // 4}" for i, line in enumerate(lines[1:]))])
    ratings = ratings_of(text)
    plain, grouped = metrics.roc(ratings), metrics.roc(ratings, unit="prompt")
    assert plain.judges["j"].pooled.curve.area.interval.method == "delong"
    assert grouped.judges["j"].pooled.curve.area.interval.method == "jackknife"
    assert grouped.judges["j"].pooled.curve.area.value == plain.judges["j"].pooled.curve.area.value


def test_any_cut_has_its_table_and_intervals() -> None:
    ratings = ratings_of(made_up())
    report = metrics.roc(ratings)
    cut = cut_at(ratings, "j", report.settings, 0.5, "c1")
    assert cut.table.tolist() == report.judges["j"].criteria["c1"].curve.tally.table(0.5).tolist()
    assert cut["youden_j"].ends[0] < cut["youden_j"].value < cut["youden_j"].ends[1]


@pytest.mark.parametrize(("n", "few"), [(1, "1 item is"), (2, "2 items are")])
def test_too_few_items_to_hold_out_are_counted_in_words(n, few) -> None:
    rows = "\n".join(f"{i},j,{'UNMET' if i else 'MET'},MET,0.{i}" for i in range(n))
    curve = metrics.roc(ratings_of(f"item,judge,human,verdict,score\n{rows}\n")).judges["j"].pooled.curve
    assert curve.held_out == f"{few} too few to hold some out"


def test_where_no_score_beats_chance_no_threshold_is_named() -> None:
    its = tally_of(np.array([0.2, 0.4, 0.6]), np.array([True, True, False]))
    cut = with_intervals(0.4, np.array([0, 3]), np.array([0, 1]), None)
    said = [
        held_out_note(HeldOut(method, cut, 0.0, cuts, 0, 2), its)
        for method, cuts in (
            ("split", (np.inf,)), ("cross", (np.inf, np.inf)), ("cross", (0.4, 0.6, -np.inf)), ("cross", (0.4, 0.4, np.inf)),
            ("cross", (0.4, 0.4)), ("split", (0.4,)),
        )
    ]  # fmt: skip
    assert said[5].endswith("half of the items, drawn at random, seed 0; the held-out J is that of the other half.")
    assert not any("∞" in text for text in said)
    assert "No threshold does better than chance on the half" in said[0]
    assert "in none is a threshold better than chance" in said[1]
    assert "their thresholds are 0.4 to 0.6, and 1 found none better than chance" in said[2]
    assert "2 chose the threshold 0.4, and 1 found none" in said[3]
    assert "each chose the threshold 0.4." in said[4]
    rows = [f"{i},j,{'MET' if i % 2 else 'UNMET'},MET,{0.9 - 0.4 * (i % 2)}" for i in range(40)]
    text = metrics.roc(ratings_of("item,judge,human,verdict,score\n" + "\n".join(rows))).summary()
    assert "none" in text
    assert "∞" not in text
