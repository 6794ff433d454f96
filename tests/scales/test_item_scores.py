"""Item scores: weights and values, what is left out, and the numbers on them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.analyses.scores.item_totals import totals_of, worth_of
from metrics.analyses.scores.readings_items import reading
from metrics.errors import InputError

SAMPLES = Path(__file__).resolve().parents[2] / "assets"


def table(*rows: str) -> metrics.Ratings:
    """Rows of item, criterion, human and verdict."""
    text = "item,criterion,human,verdict\n" + "\n".join(rows) + "\n"
    used = {word for row in rows for word in row.split(",")[2:]}
    return metrics.read(text.encode(), labels=dict.fromkeys(sorted(used & {"low", "mid", "high", "1", "2", "3"}), "class"))


def by_hand(values: list[float | None], weights: list[float]) -> float:
    """Weighted score of one side of one item; None for an answer without a verdict."""
    kept = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    if not kept:
        return np.nan
    gained = sum(value * weight for value, weight in kept)
    above, below = sum(w for _, w in kept if w > 0), -sum(w for _, w in kept if w < 0)
    raw = gained / above if above else 1 + gained / below if below else 0.0
    return min(1.0, max(0.0, raw))


def test_every_item_by_hand() -> None:
    rng = np.random.default_rng(3)
    names, weights = ("a", "b", "c", "d"), [2.0, -1.5, 0.5, -3.0]
    words = {0: "MET", 1: "UNMET", 2: "N/A"}
    worth = {0: 1.0, 1: 0.0, 2: None}
    sides = rng.choice(3, (2, 50, 4), p=[0.4, 0.4, 0.2])
    ratings = table(
        *(f"q{i},{name},{words[sides[0, i, c]]},{words[sides[1, i, c]]}" for i in range(50) for c, name in enumerate(names))
    )
    given = dict(zip(names, weights, strict=True))
    totals = totals_of(ratings, "judge", "majority", worth_of(ratings, given, None))
    for side, found in zip(sides, (totals.reference, totals.judge), strict=True):
        expected = [by_hand([worth[code] for code in row], weights) for row in side.tolist()]
        assert np.allclose(found, expected, rtol=0, atol=1e-12, equal_nan=True)
    assert (totals.silent == (sides == 2).any((0, 2))).all()
    assert not totals.lacking.any()


def test_only_negative_weights_start_at_one() -> None:
    ratings = table("q,a,MET,UNMET", "q,b,UNMET,UNMET", "r,a,MET,MET", "r,b,MET,MET")
    totals = totals_of(ratings, "judge", "majority", worth_of(ratings, {"a": -1, "b": -3}, None))
    assert totals.reference.tolist() == [0.75, 0.0]
    assert totals.judge.tolist() == [1.0, 0.0]
    assert not totals.clamped.any()


def test_a_score_that_would_fall_below_zero_is_cut_off_and_counted() -> None:
    ratings = table("q,a,UNMET,MET", "q,b,MET,UNMET", "r,a,MET,MET", "r,b,UNMET,UNMET")
    its = metrics.item_scores(ratings, weights={"b": -2}, interval="none").judges["judge"]
    assert its.totals.reference.tolist() == [0.0, 1.0]
    assert its.n_clamped == 1


def test_an_item_that_a_side_did_not_answer_whole_is_left_out_and_counted() -> None:
    rows = [
        "q,a,MET,MET",
        "q,b,MET,",
        "r,a,MET,UNMET",
        "r,b,UNMET,UNMET",
        "s,a,N/A,MET",
        "s,b,N/A,MET",
        "t,a,MET,error",
        "t,b,MET,MET",
    ]
    report = metrics.item_scores(table(*rows), interval="none")
    its = report.judges["judge"]
    assert its.left_out == {
        "a side has no verdict, or a failed call, on a criterion": 2,
        "a side gives no verdict on any criterion": 1,
    }
    assert its.all.n == 1
    assert {warning.code for warning in report.warnings} >= {"items_left_out", "collapsed_scores"}


def test_an_abstention_is_skipped_and_the_complete_items_stand_beside() -> None:
    rows = ["q,a,MET,MET", "q,b,UNMET,N/A", "r,a,MET,UNMET", "r,b,MET,MET", "s,a,UNMET,UNMET", "s,b,MET,UNMET"]
    its = metrics.item_scores(table(*rows), interval="none").judges["judge"]
    assert its.totals.reference.tolist() == [0.5, 1.0, 0.5]
    assert its.totals.judge.tolist() == [1.0, 0.5, 0.0]
    assert (its.all.n, its.complete.n) == (3, 2)
    assert its.all.measures["bias"].value == pytest.approx(-1 / 6)
    assert its.complete.measures["bias"].value == pytest.approx(-0.5)
    assert its.complete.measures["rmse"].value == pytest.approx(0.5)


def test_labels_that_are_numbers_or_in_order_reach_from_zero_to_one() -> None:
    ratings = table("q,a,1,2", "q,b,3,3", "r,a,2,2", "r,b,1,3")
    assert worth_of(ratings, None, None).values.tolist() == [[0, 0.5, 1]] * 2
    text = b"item,criterion,human,verdict\nq,a,low,high\nr,a,mid,mid\n"
    ordered = metrics.read(text, order=["low", "mid", "high"])
    assert worth_of(ordered, None, None).values.tolist() == [[0, 0.5, 1]]


def test_values_can_be_given_for_all_criteria_or_for_one() -> None:
    ratings = table("q,a,low,high", "q,b,mid,mid", "r,a,high,low", "r,b,low,high")
    with pytest.raises(InputError, match="no label stands for a number"):
        metrics.item_scores(ratings)
    shared = worth_of(ratings, None, {"low": 0, "mid": 4, "high": 5})
    places = [shared.classes.index(name) for name in ("low", "mid", "high")]
    assert shared.values[:, places].tolist() == [[0, 4, 5]] * 2
    own = worth_of(ratings, None, {"low": 0, "mid": 4, "high": 5, "b": {"mid": 1}})
    assert own.values[:, places].tolist() == [[0, 4, 5], [0, 1, 5]]
    only = worth_of(ratings, None, {"b": {"low": 0, "mid": 1, "high": 2}})
    assert only.without_values() == ("a",)
    report = metrics.item_scores(ratings, values={"b": {"low": 0, "mid": 1, "high": 2}}, interval="none")
    assert [w.message for w in report.warnings if w.code == "criterion_without_values"] == [
        "a is in no score: its labels stand for no numbers."
    ]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"weights": {"x": 1}}, "No criterion is called 'x'"),
        ({"weights": {"a": float("nan")}}, "finite number"),
        ({"values": {"low": 1}}, "The values say nothing of high, which ‘a’ uses|The values say nothing of high, mid"),
        ({"values": {"low": "much", "mid": 1, "high": 2}}, "The value of ‘low’ must be a finite number"),
        ({"values": {"lowest": 1}}, "No label is called 'lowest'"),
        ({"values": {"x": {"low": 1}}}, "No criterion is called 'x'"),
        ({"values": {"low": 0, "mid": 1, "high": 2}, "interval": "bootstrap"}, "Unknown interval"),
        ({"values": {"low": 0, "mid": 1, "high": 2}, "judges": ["x"]}, "no judge is called 'x'"),
    ],
)
def test_what_does_not_fit_is_refused(options, says: str) -> None:
    with pytest.raises(InputError, match=says):
        metrics.item_scores(table("q,a,low,high", "q,b,mid,mid", "r,a,high,low", "r,b,low,high"), **options)


def test_a_table_of_counts_has_no_items() -> None:
    with pytest.raises(InputError, match="no items to score"):
        metrics.item_scores(metrics.read(b"human,judge,n\nMET,MET,5\nMET,UNMET,2\nUNMET,UNMET,4\n"))


def test_scores_of_two_values_are_warned_of() -> None:
    report = metrics.item_scores(table(*(f"q{i},a,{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[i % 3 == 0]}" for i in range(20))))
    its = report.judges["judge"].all
    assert its.distinct == (2, 2)
    assert its.few_values
    assert [w.code for w in report.warnings] == ["collapsed_scores"]
    phi = metrics.agreement(table(*(f"q{i},a,{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[i % 3 == 0]}" for i in range(20))))
    assert its.measures["pearson"].value == pytest.approx(phi.judges["judge"].micro.values["phi"], abs=1e-12)


def test_more_values_are_not_warned_of() -> None:
    report = metrics.item_scores(metrics.read(SAMPLES / "support_answers.csv"), interval="none")
    assert all(min(judge.all.distinct) > 2 for judge in report.judges.values())
    assert not [w for w in report.warnings if w.code == "collapsed_scores"]


def test_json_table_and_text_hold_the_same_numbers() -> None:
    ratings = metrics.read(SAMPLES / "support_answers.csv")
    report = metrics.item_scores(ratings, weights={ratings.criteria[0]: 3, ratings.criteria[1]: -1})
    out = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert out["declaration"]["criteria_scored"][ratings.criteria[0]]["weight"] == 3
    frame = report.to_frame()
    assert not frame.duplicated(["judge", "level", "metric"]).any()
    for name, judge in report.judges.items():
        for level, compared in judge.levels():
            own = frame[(frame.judge == name) & (frame.level == level)].set_index("metric")
            for key, its in compared.measures.items():
                assert out["judges"][name][level][key] == pytest.approx(its.value, nan_ok=True)
                assert own.value[key] == pytest.approx(its.value, nan_ok=True)
        assert f"{judge.all.measures['rmse'].value:.2f}" in report.summary()
        assert judge.all.measures["rmse"].ends is not None
    assert "–" not in report.summary().replace("– ", "")


@pytest.mark.parametrize("order", [("MET", "UNMET"), ("low", "mid", "high"), ("low", "high")])
def test_scores_of_one_criterion_have_the_intervals_of_its_labels(order) -> None:
    """One number has one interval, in `item_scores` and in `scores`."""
    k = len(order)
    rows = [f"q{i},a,{order[i % k]},{order[(i + (i % 5 == 0)) % k]}" for i in range(40)]
    text = "\n".join(["item,criterion,human,verdict", *rows]).encode()
    values = {name: place / (k - 1) for place, name in enumerate(order)}
    kinds = dict.fromkeys(order, "class") if "MET" not in order else None
    ratings = metrics.read(text, labels=kinds, order=None if "MET" in order else list(order))
    found = metrics.item_scores(ratings, values={"MET": 1, "UNMET": 0} if "MET" in order else values)
    scored = metrics.scores(ratings, values={"MET": 1, "UNMET": 0} if "MET" in order else values)
    own, block = next(iter(found.judges.values())).all.measures, next(iter(scored.judges.values())).pooled
    for key in ("pearson", "spearman", "kendall_tau_b", "rmse", "mae", "bias"):
        assert own[key].value == pytest.approx(block.values[key])
        assert own[key].ends == pytest.approx(block[key].ends), key


def test_scores_of_several_criteria_keep_their_own_intervals_within_their_range() -> None:
    turned = [f"q{i},{c},{('MET', 'UNMET')[i % 2]},{('UNMET', 'MET')[(i + (i % 9 == 0)) % 2]}" for i in range(36) for c in "ab"]
    report = metrics.item_scores(table(*turned))
    its = report.judges["judge"].all.measures
    assert its["rmse"].interval.method != "wilson"
    assert its["rmse"].ends[1] <= 1
    assert its["mae"].ends[1] <= 1
    assert "Reversed? judge scores low what the human scores high: r is −0." in report.summary()
    alike = [f"q{i},{c},{('MET', 'UNMET')[i % 2]},{('MET', 'UNMET')[(i + (i % 9 == 0)) % 2]}" for i in range(36) for c in "ab"]
    good = metrics.item_scores(table(*alike))
    assert "Reversed?" not in good.summary()


def test_the_side_that_takes_few_values_is_named() -> None:
    blind = metrics.item_scores(table(*(f"q{i},a,{('MET', 'UNMET')[i % 2]},MET" for i in range(20))))
    told = next(w.message for w in blind.warnings if w.code == "collapsed_scores")
    assert told.startswith("judge: the item scores of the reference take 2 values only, those of the judge take 1 value only.")
    many = [
        f"q{i},{c},{('MET', 'UNMET')[(i >> place) % 2]},{('MET', 'UNMET')[i % 2]}"
        for i in range(16)
        for place, c in enumerate("abc")
    ]
    some = metrics.item_scores(table(*many))
    told = next(w.message for w in some.warnings if w.code == "collapsed_scores")
    assert told.startswith("judge: the item scores of the judge take 2 values only.")


def test_one_item_is_not_called_items() -> None:
    assert " 1 item. " in metrics.item_scores(table("q0,a,MET,MET")).summary()
    assert " 2 items. " in metrics.item_scores(table("q0,a,MET,MET", "q1,a,UNMET,MET")).summary()


def test_scores_have_no_distance_from_a_verdict() -> None:
    one = [f"q{i},a,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 2 else 'UNMET'}" for i in range(12)]
    said = reading(metrics.item_scores(table(*one)), "judge")
    assert said.startswith("The item scores by judge have RMSE 0.71")
    assert " from the verdict of the human counted as 0 or 1, on average" in said
    assert "away" not in said
    two = [f"q{i},b,{'MET' if i % 2 else 'UNMET'},MET" for i in range(12)]
    assert reading(metrics.item_scores(table(*one, *two)), "judge").startswith("An item’s score by judge is typically 0.")


def test_scores_of_two_values_have_no_typical_distance() -> None:
    rows = [
        f"{c}{i},{c},j,{'MET' if i % 2 else 'UNMET'},{'MET' if i % 3 else 'UNMET'}" for c in ("one", "two") for i in range(20)
    ]
    ratings = metrics.read(("item,criterion,judge,human,verdict\n" + "\n".join(rows)).encode())
    assert reading(metrics.item_scores(ratings), "j").startswith("The item scores by j have RMSE 0.")
