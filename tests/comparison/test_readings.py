"""Several readings of one comparison: by level, and by what becomes of abstentions. Where they disagree nobody wins."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

import metrics
from metrics.analyses.comparison.compute import compare
from metrics.analyses.comparison.levels import Reading, disagree
from metrics.analyses.comparison.pairwise import comparable
from metrics.commands.cli import main
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.comparison.test_paired import literal_difference, table, wide
from tests.made_files import better, guesser_and_seer, silent


def read(frame: pd.DataFrame) -> metrics.Ratings:
    return metrics.read(frame, labels={"MET": "positive", "UNMET": "negative", "CANNOT_ASSESS": "abstention"})


@pytest.mark.parametrize("choice", [{}, {"level": "micro"}, {"level": "macro"}, {"metric": "kappa"}])
def test_a_guesser_beats_nobody_at_any_level(choice: dict[str, str]) -> None:
    one = compare(read(guesser_and_seer()), "guesses", "sees", **choice, replicates=500)
    assert one.reading.startswith(
        "the readings disagree, so no judge is named the better one. sees minus guesses in κ: micro −0."
    )
    assert "within criteria 0." in one.reading
    assert "beats" not in one.summary()
    assert (one.winner, one.to_dict()["winner"], one.to_dict()["readings_disagree"]) == (None, None, True)
    signs = {name: own["difference"] > 0 for name, own in one.to_dict()["readings"].items()}
    assert signs == {"micro": False, "macro": True, "within": True}


def test_the_default_is_kappa_within_criteria_of_several_and_kappa_of_one() -> None:
    ratings = read(guesser_and_seer())
    several = compare(ratings, "guesses", "sees", replicates=50)
    assert (several.metric, several.common.difference.value) == ("kappa_within", several.readings["within"].difference.value)
    report = metrics.agreement(ratings, interval="none").judges
    assert several.b.estimate.value == pytest.approx(report["sees"].micro.values["kappa_within"])
    assert compare(ratings, "guesses", "sees", level="macro", replicates=50).metric == "kappa"
    assert compare(ratings, "guesses", "sees", criterion="easy", replicates=50).metric == "kappa"
    assert compare(read(silent()), "A", "B", replicates=50).metric == "kappa"


def test_where_the_readings_agree_the_winner_is_named_and_all_of_them_are_shown() -> None:
    one = compare(read(better()), "guesses", "sees", replicates=500)
    assert one.reading.startswith("on 200 shared items sees beats guesses by ")
    assert (one.winner, one.disagree) == ("sees", False)
    assert any(note.startswith("sees minus guesses in κ: micro ") for note in one.notes)


def test_readings_are_what_each_level_says_alone() -> None:
    ratings = metrics.read(table(3, n_items=40))
    one = compare(ratings, "a", "b", replicates=300)
    for name, level in (("micro", "micro"), ("macro", "macro")):
        alone = compare(ratings, "a", "b", "kappa", level=level, replicates=300)
        own = one.readings[name]
        assert (own.difference.value, *own.difference.ends) == pytest.approx((alone.difference.value, *alone.difference.ends))
        assert own.p == alone.permutation.p
    accuracy = compare(ratings, "a", "b", "accuracy", replicates=50)
    assert accuracy.readings["within"] is None
    assert set(accuracy.levels) == {"micro", "macro"}


def test_silence_is_no_merit() -> None:
    one = compare(read(silent()), "A", "B", replicates=200)
    assert one.reading.startswith("on 130 shared items no item separates A and B.")
    assert one.reading.endswith("The difference comes from decisions that only one of them answered.")
    assert one.difference.value == 0
    assert one.winner is None
    found = one.to_dict()
    assert found["whole"]["difference"] == pytest.approx(0.346, abs=1e-3)
    assert found["left_open"]["difference"] == pytest.approx(0.346, abs=1e-3)
    assert found["as_unmet"]["difference"] == pytest.approx(0.1875)
    assert found["common"]["n_a"] == 130


@pytest.mark.parametrize("mode", ["as_unmet", "as_category"])
def test_silence_is_no_merit_where_abstentions_are_counted(mode: str) -> None:
    one = compare(read(silent()), "A", "B", abstention=mode, replicates=200)
    assert one.reading.startswith("the readings disagree, so no judge is named the better one.")
    assert one.reading.endswith("The difference comes from decisions that only one of them answered.")
    assert one.winner is None
    assert one.to_dict()["answered"]["difference"] == 0


@pytest.mark.parametrize("mode", ["exclude", "as_category"])
def test_all_judges_are_compared_by_the_metric_of_two(mode: str) -> None:
    """An abstention has no place in an order, so that as a third class κ takes the place of κ with quadratic weights."""
    rng = np.random.default_rng(3)
    grades = rng.choice(["low", "mid", "high"], (60, 3))
    grades[:5, 1] = "none"
    rows = [(f"i{place}", rater, label) for place, own in enumerate(grades) for rater, label in zip("hab", own, strict=True)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"]).assign(
        role=lambda of: np.where(of.rater == "h", "human", "judge")
    )
    ratings = metrics.read(frame, labels={"none": "abstention"}, order=["low", "mid", "high"])
    two = compare(ratings, "a", "b", abstention=mode, replicates=50)
    (other,) = metrics.compare_all(ratings, "a", abstention=mode, replicates=50).against
    assert (other.metric, other.difference.value) == (two.metric, two.difference.value)


def test_a_difference_on_what_both_answered_is_not_put_down_to_silence() -> None:
    one = compare(read(silent(open_=5, worse=40)), "A", "B", replicates=500)
    assert one.reading.startswith("on 155 shared items B beats A by ")
    assert "only one of them answered" not in one.reading
    assert one.winner == "B"
    assert any("from decisions that only one of them answered" in note for note in one.notes)
    nobody = compare(read(silent(open_=0, worse=40)), "A", "B", replicates=500)
    assert nobody.silence is None
    assert nobody.to_dict()["whole"] == nobody.to_dict()["common"]
    assert not any("only one of them answered" in note for note in nobody.notes)


@pytest.mark.slow("sixty-five judges")
@pytest.mark.parametrize("unit", ["item", "prompt"])
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_common_part_and_what_is_left_open_add_up_to_the_whole(level: str, unit: str) -> None:
    frame = table(5, n_items=40)
    ratings = metrics.read(frame.assign(prompt=frame["item"].str[1:].astype(int) // 2))
    for metric in comparable(ratings, "exclude"):
        if BY_KEY[metric].takes == "criteria" and level != "micro":
            continue
        one = compare(ratings, "a", "b", metric, level=level, unit=unit, replicates=5)
        found = one.to_dict()
        parts = [found[key]["difference"] for key in ("common", "left_open", "whole")]
        if None in parts:
            continue
        assert parts[0] + parts[1] == pytest.approx(parts[2], abs=1e-12), metric
        assert one.silence.whole.n != (one.common.n if level != "item" else None)


def test_what_is_left_open_has_the_literal_jackknife() -> None:
    frame = table(6, n_items=16)
    one = compare(metrics.read(frame), "a", "b", "kappa", replicates=5)
    shared = wide(frame)
    met = shared.isin(["MET", "UNMET"])
    shared = shared[met["human"] & (met["a"] | met["b"])]

    def left_open(rows: pd.DataFrame) -> float:
        values = []
        for name in ("a", "b"):
            own = rows[["human", name]].isin(["MET", "UNMET"]).all(axis=1)
            twin = rows[own].assign(a=rows.loc[own, name], b=rows.loc[own, "human"])
            values.append(-literal_difference(twin, "kappa", "micro", "as_category"))
        return values[1] - values[0] - literal_difference(rows, "kappa", "micro", "exclude")

    items = sorted(set(shared.index.get_level_values("item")))
    without = np.array([left_open(shared.drop(index=item, level="item")) for item in items])
    n = len(items)
    error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
    value, reach = left_open(shared), t.ppf(0.975, n - 1) * error
    assert one.silence.left_open.value == pytest.approx(value)
    assert one.silence.left_open.ends == pytest.approx((value - reach, value + reach))


def reading(difference: float, ends: tuple[float, float] | None, p: float | None = None) -> Reading:
    its = Estimate(difference, None if ends is None else Interval(*ends, "paired jackknife"))
    return Reading("kappa", 0.0, difference, (9, 9), its, p, 0.95)


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (reading(0.2, (0.1, 0.3)), False),
        (reading(0.2, (-0.1, 0.3)), True),
        (reading(-0.2, (-0.3, 0.3)), True),
        (reading(0.2, (0.1, 0.3), 0.2), True),
        (reading(0.0, None), True),
        (reading(np.nan, None), False),
        (reading(0.2, None), False),
    ],
)
def test_readings_disagree_by_sign_or_by_what_is_settled(other: Reading, says: bool) -> None:
    assert disagree([reading(0.3, (0.2, 0.4), 0.01), other]) is says


def test_equal_tallies_give_the_same_readings(tmp_path, capsys) -> None:
    path = tmp_path / "labels.csv"
    guesser_and_seer(60).to_csv(path, index=False)
    found = []
    for args in ((), ("--level", "micro"), ("--a", "sees", "--b", "guesses")):
        with pytest.raises(SystemExit):
            main(["compare", str(path), "--json", *args])
        found.append(json.loads(capsys.readouterr().out))
    within, micro, turned = found
    assert within["readings"]["micro"]["difference"] == pytest.approx(micro["difference"])
    assert within["difference"] == pytest.approx(-turned["difference"])
    assert (within["metric"], micro["metric"], micro["winner"]) == ("kappa_within", "kappa", None)


def test_no_tie_is_counted_as_a_win_of_the_second_answer() -> None:
    labels = {"A": "positive", "B": "negative", "tie": "tie"}
    rows = [
        f"i{k},c,{j},{'AB'[k % 2]},{'tie' if k % every == 0 else 'AB'[k % 3 % 2]}"
        for k in range(60)
        for j, every in (("a", 5), ("b", 7))
    ]
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode(), labels=labels)
    one = compare(ratings, "a", "b", replicates=50)
    assert one.silence is not None
    assert one.silence.as_unmet is None
    assert "as B" not in " ".join([one.reading, *one.notes])
    assert compare(read(silent()), "A", "B", replicates=50).silence.as_unmet is not None
