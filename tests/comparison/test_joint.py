"""A baseline that is picked on the data: all pairs at once, against flipping every sign literally, and how often it errs."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.comparison import joint
from metrics.analyses.comparison.compute import compare_all, contest_of, question_of
from metrics.analyses.comparison.joint import Everybody, joint_p
from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.settings import Settings
from metrics.measures.catalogue import BY_KEY
from tests.tallies import tally_of

pytestmark = pytest.mark.slow("simulated judges")

KAPPA = Statistic(BY_KEY["kappa"].function, "pooled")
FORMS = {
    "pooled": KAPPA,
    "mean": Statistic(BY_KEY["accuracy"].function, "mean"),
    "joint": Statistic(BY_KEY["kappa_within"].function, "joint"),
}


def everybody(cells: np.ndarray, criteria: int = 1, times: np.ndarray | None = None) -> Everybody:
    """From cells of shape (J, n · C): 0 to 3, or 4 where a judge is silent."""
    n = cells.shape[1] // criteria
    unit, criterion = np.divmod(np.arange(cells.shape[1]), criteria)
    ones = np.ones(n, np.int64)
    return Everybody(cells, unit, criterion, np.ones(cells.shape[1], np.int64), ones if times is None else times, 2, criteria)


def cells_of_judges(
    rng: np.random.Generator,
    judges: int,
    n: int,
    criteria: int = 1,
    *,
    wrong: float = 0.2,
    silent: float = 0.0,
    edge: float = 0.0,
) -> np.ndarray:
    human = rng.integers(0, 2, n * criteria)
    rates = np.full((judges, 1), wrong)
    rates[0] -= edge
    said = human ^ (rng.random((judges, n * criteria)) < rates)
    return np.where(rng.random(said.shape) < silent, 4, 2 * human + said)


def literal(cells: np.ndarray, criteria: int, statistic: Statistic, baseline: int, others: list[int]) -> list[float]:
    """Leaving out one item of every pair, and all signs, by plain counting."""
    judges, n = len(cells), cells.shape[1] // criteria
    by_item = cells.reshape(judges, n, criteria)

    def value(own: np.ndarray) -> np.ndarray:
        counts = np.array([[(own[:, c] == place).sum() for place in range(4)] for c in range(criteria)], float)
        return counts.reshape(criteria, 2, 2)

    def difference(pair: tuple[int, int], rows: np.ndarray) -> float:
        a, b = (by_item[judge, rows] for judge in pair)
        silent = (a == 4) | (b == 4)
        return float(statistic.difference(*(value(np.where(silent, 4, own)) for own in (a, b))))

    pairs = list(itertools.combinations(range(judges), 2))
    influence = []
    for pair in pairs:
        there = np.flatnonzero(((by_item[pair[0]] < 4) & (by_item[pair[1]] < 4)).any(1))
        m, whole, own = len(there), difference(pair, there), np.zeros(n)
        for item in there:
            own[item] = m * whole - (m - 1) * difference(pair, there[there != item])
        influence.append(own)
    values = np.array(influence).T
    assert np.isfinite(values).all()
    spread = np.sqrt((values**2).sum(0))
    spread[spread == 0] = 1
    signs = np.array(list(itertools.product([1, -1], repeat=n)))
    largest = (np.abs(signs @ values) / spread).max(1)
    observed = np.abs(values.sum(0)) / spread
    place = [pairs.index((min(baseline, other), max(baseline, other))) for other in others]
    return [float((largest >= observed[own] - 1e-12).mean()) for own in place]


@pytest.mark.parametrize("silent", [0.0, 0.15])
@pytest.mark.parametrize("form", FORMS)
def test_all_signs_of_few_items_are_the_literal_ones(form: str, silent: float) -> None:
    criteria = 1 if form == "pooled" else 2
    cells = cells_of_judges(np.random.default_rng(7), 4, 10, criteria, wrong=0.35, silent=silent)
    found = joint_p(everybody(cells, criteria), FORMS[form], 1, [0, 2, 3], 50, np.random.default_rng(0))
    assert found == pytest.approx(literal(cells, criteria, FORMS[form], 1, [0, 2, 3]), abs=1e-12)


def test_identical_items_count_as_often_as_they_occur() -> None:
    cells = cells_of_judges(np.random.default_rng(1), 4, 40, wrong=0.3)
    kinds, times = np.unique(cells, axis=1, return_counts=True)
    assert kinds.shape[1] < 40
    merged = joint_p(everybody(kinds, times=times), KAPPA, 0, [1, 2, 3], 4000, np.random.default_rng(0))
    single = joint_p(everybody(cells), KAPPA, 0, [1, 2, 3], 4000, np.random.default_rng(1))
    assert merged == pytest.approx(single, abs=0.04)


def test_judges_that_say_the_same_are_never_told_apart() -> None:
    cells = cells_of_judges(np.random.default_rng(2), 1, 60)
    for judges in (3, 12):
        found = joint_p(everybody(np.repeat(cells, judges, axis=0)), KAPPA, 0, [1, 2], 99, np.random.default_rng(0))
        assert found == (1.0, 1.0)


def share_rejected(judges: int, n: int, samples: int, **look: float) -> float:
    rng, found = np.random.default_rng(5), 0
    for _ in range(samples):
        data = everybody(cells_of_judges(rng, judges, n, **look))
        kept = np.ones(data.cells.shape[1], bool)
        values = [float(KAPPA.both(*[data.tables(judge, kept).sum(0)] * 2)[0]) for judge in range(judges)]
        best = int(np.argmax(values))
        others = [judge for judge in range(judges) if judge != best]
        found += min(joint_p(data, KAPPA, best, others, 199, rng)) <= 0.05
    return found / samples


@pytest.mark.slow("simulates")
def test_equal_judges_seldom_differ_from_the_best_of_them() -> None:
    assert share_rejected(5, 60, 120) <= 0.10
    assert share_rejected(12, 60, 30) <= 0.15


def test_a_judge_that_is_better_is_told_apart() -> None:
    assert share_rejected(5, 100, 30, edge=0.15) >= 0.9
    assert share_rejected(12, 150, 10, edge=0.15) >= 0.9


def judges(n: int = 80, edge: float = 0.0, seed: int = 3) -> pd.DataFrame:
    rng, rows = np.random.default_rng(seed), []
    for i in range(n):
        human = rng.integers(0, 2)
        for place, name in enumerate("abcde"):
            wrong = rng.random() < 0.25 - edge * (place == 0)
            rows.append(
                {"item": i, "judge": name, "human": ("MET", "UNMET")[human], "verdict": ("MET", "UNMET")[human ^ int(wrong)]}
            )
    return pd.DataFrame(rows)


def test_the_best_of_these_data_has_the_corrected_p_and_a_fixed_baseline_has_holms() -> None:
    ratings = metrics.read(judges(200, edge=0.2))
    best, fixed = compare_all(ratings, replicates=999), compare_all(ratings, "a", replicates=999)
    assert best.baseline == "a"
    assert (best.corrected, fixed.corrected) == (best.joint, fixed.holm)
    assert fixed.joint is None
    assert set(best.different()) == set("bcde")
    assert [row["p_joint"] for row in best.to_dict()["judges"]] == list(best.joint)
    assert all(row["p_joint"] is None for row in fixed.to_dict()["judges"])
    assert "p joint" in best.summary()
    assert "p Holm" in fixed.summary()
    equal = compare_all(metrics.read(judges(seed=8)), replicates=999)
    assert equal.different() == ()
    assert all(joint >= 0.05 for joint in equal.joint)


def test_rows_and_their_tally_give_about_the_same_p() -> None:
    ratings = metrics.read(judges(edge=0.1))
    tallied = tally_of(judges(edge=0.1))
    found = [compare_all(own, replicates=4000).joint for own in (ratings, tallied)]
    assert found[0] == pytest.approx(found[1], abs=0.04)


def test_readings_that_disagree_are_said_first_and_no_judge_is_counted() -> None:
    from tests.comparison.test_readings import read
    from tests.made_files import guesser_and_seer

    frame = guesser_and_seer()
    twin = frame[frame["judge"] == "sees"].assign(judge="twin")
    forest = compare_all(read(pd.concat([frame, twin])), "guesses", replicates=300)
    assert forest.reading.startswith("The readings disagree on sees, twin: no better judge is named there. p has Holm’s ")
    assert " differ" not in forest.reading
    close = compare_all(read(pd.concat([frame, twin])), "sees", replicates=300)
    assert (
        "named there. The other judge does not differ significantly from sees in κ within criteria, with Holm’s" in close.reading
    )
    assert forest.different() == ()
    assert {row["winner"] for row in forest.to_dict()["judges"]} == {None}
    assert "micro −0." in forest.summary()
    assert {"micro", "macro_low", "within_high", "whole", "readings_disagree"} <= set(forest.to_frame())
    same = compare_all(read(pd.concat([frame, twin])), "sees", judges=["sees", "twin"], replicates=300)
    assert same.reading.startswith("0 of 1 judge differs significantly from sees")


def test_a_lead_is_called_optimistic_only_where_there_is_one_on_the_shared_decisions() -> None:
    rows = []
    for item in range(80):
        human, other = ("MET", "UNMET") if item % 2 else ("UNMET", "MET")
        wrong = item >= 60
        full, ahead = (other if wrong else human), (other if item >= 75 else human)
        sides = {"full": full, "shy": "CANNOT_ASSESS" if 60 <= item < 75 else full, "ahead": ahead}
        rows += [{"item": item, "judge": name, "human": human, "verdict": verdict} for name, verdict in sides.items()]
    ratings = metrics.read(pd.DataFrame(rows))
    even = compare_all(ratings, judges=["full", "shy"], replicates=200)
    lead = compare_all(ratings, judges=["full", "ahead"], replicates=200)
    assert (even.baseline, lead.baseline) == ("shy", "ahead")
    assert even.against[0].difference.value == 0
    assert " on the same data: p is corrected for that choice." in even.reading
    assert "ahead was chosen as the best on the same data, so its lead is optimistic: p is corrected" in lead.reading


def many_kinds(n: int = 2500, edge: float = 0.0, criteria: int = 4) -> Everybody:
    cells = cells_of_judges(np.random.default_rng(3), 4, n, criteria, wrong=0.4, edge=edge)
    return everybody(cells, criteria)


@pytest.mark.parametrize("form", FORMS)
def test_normal_sums_give_the_p_of_flipped_signs(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for kinds in (0, 10**9):
        monkeypatch.setattr(joint, "MANY_KINDS", kinds)
        found.append(joint_p(many_kinds(edge=0.01), FORMS[form], 0, [1, 2, 3], 4000, np.random.default_rng(0)))
    assert found[0] == pytest.approx(found[1], abs=0.04)
    assert 0.02 < min(found[1]) < 0.9


def test_many_units_cost_no_sign_each_unless_one_outweighs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("signs are flipped")

    monkeypatch.setattr(joint, "random_swaps", refused)
    data = many_kinds(4000)
    assert joint_p(data, KAPPA, 0, [1], 99, np.random.default_rng(0)) == joint_p(
        data, KAPPA, 0, [1], 99, np.random.default_rng(0)
    )
    heavy = replace(data, weight=np.where(data.unit == 0, 10_000, data.weight))
    with pytest.raises(AssertionError, match="flipped"):
        joint_p(heavy, KAPPA, 0, [1], 99, np.random.default_rng(0))


@pytest.mark.parametrize("judges", [4, 12])
def test_the_share_that_is_done_grows_to_all_of_it(judges: int) -> None:
    data, shares = everybody(cells_of_judges(np.random.default_rng(1), judges, 300)), list[float]()
    joint_p(data, KAPPA, 0, [1, 2], 5000, np.random.default_rng(0), shares.append)
    assert shares == sorted(shares)
    assert shares[0] > 0
    assert 0.9 < shares[-1] <= 1


def test_a_baseline_that_was_picked_is_one_step_more() -> None:
    ratings, shares = metrics.read(judges()), list[float]()
    asked, settings = question_of(ratings, None, None, None), Settings()
    best, fixed = (contest_of(ratings, name, asked, settings, replicates=99) for name in (None, "a"))
    assert (best.steps, fixed.steps) == (5, 4)
    best.forest([best.meet(0)], shares.append)
    assert shares
    shares.clear()
    fixed.forest([fixed.meet(0)], shares.append)
    assert not shares


def test_a_corrected_p_is_never_below_the_uncorrected_one() -> None:
    from tests.comparison.test_readings import read
    from tests.made_files import guesser_and_seer

    forest = compare_all(read(guesser_and_seer()), replicates=999)
    assert forest.joint is not None
    for one, corrected in zip(forest.against, forest.joint, strict=True):
        assert corrected >= one.permutation.p


@pytest.mark.parametrize("metric", ["kappa", "kappa_within", "accuracy"])
def test_a_judge_that_answers_nothing_is_not_counted_as_one_that_does_not_differ(metric: str) -> None:
    rows = []
    for item in range(60):
        for criterion in ("a", "b"):
            human, other = ("MET", "UNMET") if (item + (criterion == "b")) % 3 else ("UNMET", "MET")
            sides = {"fair": human if item % 5 else other, "poor": human if item % 2 else other, "mute": "CANNOT_ASSESS"}
            rows += [{"item": item, "criterion": criterion, "judge": j, "human": human, "verdict": v} for j, v in sides.items()]
    frame = pd.DataFrame(rows)
    ratings = metrics.read(frame)
    forest = metrics.compare_all(ratings, None, metric=metric, replicates=200)
    mute = next(one for one in forest.against if one.b.name == "mute")
    assert forest.baseline == "fair"
    assert np.isnan(mute.difference.value)
    assert "The difference is undefined for mute. The other judge differs significantly from fair" in forest.reading
    assert forest.joint is not None
    assert np.isnan(forest.joint[-1])
    both = metrics.compare_all(metrics.read(frame[frame["judge"] != "mute"]), None, metric=metric, replicates=200)
    assert "undefined" not in both.reading
    assert "1 of 1 judge differs" in both.reading
