"""Groups of items left out and swapped as a whole, against doing it literally; tests that are stopped half-way."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t
from statsmodels.stats.multitest import multipletests

import metrics
from metrics.analyses.comparison.compute import Question, compare, compare_all, contest_of
from metrics.analyses.comparison.pairwise import comparable
from metrics.analyses.comparison.permutation import Permutation
from metrics.analyses.planning.compute import plan_difference, plan_floor
from metrics.analyses.planning.independence import groups_behind
from metrics.analyses.settings import Settings
from metrics.commands.cli import main
from metrics.measures.exact_tests import holm
from tests.comparison.test_paired import LABELS, MODES, literal_difference, table, wide

pytestmark = pytest.mark.slow("permutations of many judges")

Z = norm.ppf(0.975) + norm.ppf(0.8)


def grouped(seed: int, n_items: int, size: int = 3, **more: object) -> pd.DataFrame:
    """Items in groups of `size`, whose judges err together."""
    frame = table(seed, n_items, **more)  # type: ignore[arg-type]
    return frame.assign(prompt="p" + (frame["item"].str[1:].astype(int) // size).astype(str))


def prompts(shared: pd.DataFrame, size: int) -> np.ndarray:
    return shared.index.get_level_values("item").str[1:].astype(int).to_numpy() // size


def swapped(shared: pd.DataFrame, rows: np.ndarray) -> pd.DataFrame:
    other = shared.copy()
    other.loc[rows, ["a", "b"]] = other.loc[rows, ["b", "a"]].to_numpy()
    return other


def settled_items(shared: pd.DataFrame, mode: str) -> pd.DataFrame:
    """Item verdicts by the rule that all criteria must be met, one row per item with all of them decided."""
    if mode == "as_unmet":
        shared = shared.replace("CANNOT_ASSESS", "UNMET")
    unmet = shared.eq("UNMET").groupby(level="item").any()
    return pd.DataFrame(np.where(unmet, "UNMET", "MET"), unmet.index, unmet.columns)


@pytest.mark.slow("leaves out or swaps units one at a time")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro"])
@pytest.mark.parametrize("metric", ["kappa", "accuracy", "balanced_accuracy"])
def test_the_error_is_that_of_leaving_out_one_group_at_a_time(metric: str, level: str, mode: str) -> None:
    frame = grouped(1, 21)
    one = compare(metrics.read(frame), "a", "b", metric, level=level, abstention=mode, unit="prompt", replicates=10)
    shared = wide(frame)
    of_row = prompts(shared, 3)
    without = np.array([literal_difference(shared[of_row != own], metric, level, mode) for own in range(7)])
    error = np.sqrt(6 / 7 * ((without - without.mean()) ** 2).sum())
    assert (one.n_units, one.units) == (7, "groups by ‘prompt’")
    assert one.error == pytest.approx(error, abs=1e-12)
    difference = literal_difference(shared, metric, level, mode)
    reach = t.ppf(0.975, 6) * error
    assert one.difference.ends == pytest.approx((difference - reach, difference + reach), abs=1e-12)
    assert one.difference.interval is not None
    assert one.difference.interval.note == "only 7 groups by ‘prompt’"
    items = compare(metrics.read(frame), "a", "b", metric, level=level, abstention=mode, replicates=10)
    assert (one.difference.value, one.n_items) == (items.difference.value, items.n_items)


@pytest.mark.slow("leaves out or swaps units one at a time")
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
@pytest.mark.parametrize("seed", range(2))
def test_all_swaps_of_whole_groups_are_the_literal_ones(seed: int, level: str) -> None:
    frame = grouped(seed, 12, 2, n_criteria=2, gaps=0)
    one = compare(metrics.read(frame), "a", "b", level=level, abstention="as_unmet", unit="prompt")
    shared = wide(frame)
    if level == "item":
        shared = pd.concat({"all": settled_items(shared, "as_unmet")}, names=["criterion"]).swaplevel()
    of_row, found = prompts(shared, 2), []
    for swap in itertools.product([False, True], repeat=6):
        rows = np.array(swap)[of_row]
        found.append(literal_difference(swapped(shared, rows), "kappa", "micro" if level == "item" else level, "as_unmet"))
    values = np.abs(np.array(found))
    defined = values[~np.isnan(values)]
    assert one.permutation.exact
    assert one.permutation.n_differ <= 6
    assert one.permutation.p == pytest.approx((defined >= abs(one.difference.value) - 1e-12).mean(), abs=1e-12)


def test_random_swaps_of_groups_come_near_all_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = metrics.read(grouped(5, 28, 2, wrong=0.3))
    monkeypatch.setattr("metrics.analyses.comparison.permutation.ALL_SWAPS", 14)
    exact = compare(ratings, "a", "b", unit="prompt").permutation
    monkeypatch.setattr("metrics.analyses.comparison.permutation.ALL_SWAPS", 3)
    drawn = compare(ratings, "a", "b", unit="prompt", replicates=20_000, rng=3).permutation
    assert exact.exact
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.02)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_groups_of_one_item_are_the_items(level: str, mode: str) -> None:
    ratings = metrics.read(grouped(2, 30, 1))
    same, items = (
        compare(ratings, "a", "b", level=level, abstention=mode, unit=unit, replicates=300) for unit in ("prompt", "item")
    )
    assert same.error == pytest.approx(items.error, nan_ok=True)
    assert same.difference.ends == pytest.approx(items.difference.ends)
    assert same.permutation.n_differ == items.permutation.n_differ
    assert same.permutation.p == pytest.approx(items.permutation.p, abs=0.1)
    for one, other in ((same.a, items.a), (same.b, items.b)):
        assert (one.estimate.value, one.coverage, one.n_only) == (other.estimate.value, other.coverage, other.n_only)


@pytest.mark.slow("every metric at every level")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_each_judge_has_the_interval_of_the_report(level: str, mode: str) -> None:
    ratings = metrics.read(grouped(3, 60, gaps=0))
    report = metrics.agreement(ratings, abstention=mode, unit="prompt")
    for metric in comparable(ratings, mode):
        if metrics.BY_KEY[metric].takes == "criteria" and level != "micro":
            continue
        one = compare(ratings, "a", "b", metric, level=level, abstention=mode, unit="prompt", replicates=10)
        for side in (one.a, one.b):
            block = report.judges[side.name].level(level)
            assert side.estimate.ends == pytest.approx(block[metric].ends), metric


def test_one_criterion_by_groups_has_no_mcnemar() -> None:
    ratings = metrics.read(grouped(6, 30, gaps=0))
    one = compare(ratings, "a", "b", criterion="c1", unit="prompt", replicates=50)
    assert one.mcnemar is None
    assert "groups" in one.no_mcnemar
    assert compare(ratings, "a", "b", criterion="c1", replicates=50).mcnemar is not None


def test_items_needed_are_groups() -> None:
    one = compare(metrics.read(grouped(2, 60, wrong=0.25, gaps=0)), "a", "b", criterion="c1", unit="prompt", replicates=300)
    assert one.n_units == 20
    assert not one.settled
    n = math.ceil(20 * (Z * one.error / abs(one.difference.value)) ** 2)
    assert one.needed.n == n == one.to_dict()["n_needed"]
    assert "groups by ‘prompt’." in one.reading.partition("Detecting it would take about ")[2]
    assert f"on {one.n_items} shared items in 20 groups by ‘prompt’ there is no significant difference" in one.reading
    plan = plan_difference(one, 0.05)
    assert plan.needed.n == math.ceil(20 * (Z * one.error / 0.05) ** 2)
    assert (plan.n_now, plan.counted) == (20, "groups by ‘prompt’")
    assert "groups by ‘prompt’ in 80\u00a0% of studies; " in plan.sentence
    assert set(plan.expected()) == {"groups by ‘prompt’", "low", "high", "width"}


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_a_floor_is_planned_in_groups(level: str) -> None:
    ratings = metrics.read(grouped(7, 90, gaps=0.02))
    options = {"abstention": "as_unmet", "judges": ["a"], "unit": "prompt"}
    judge = metrics.agreement(ratings, **options).judges["a"]
    settings = metrics.analyses.settings.settings_of(ratings, **options)
    behind = groups_behind(ratings, "a", settings, level)
    assert behind == (30, "groups by ‘prompt’")
    plan = plan_floor(judge, "kappa", 0.5, level=level, groups=behind)
    assert (plan.n_now, plan.counted, plan.today.ends) == (30, behind[1], judge.level(level)["kappa"].ends)
    assert f"on 30 groups by ‘prompt’ κ is {metrics.results.words.number(plan.today.value)}" in plan.sentence
    if plan.needed.n is not None and plan.today.ends[0] <= 0.5 <= plan.today.ends[1]:
        assert "groups by ‘prompt’ are enough" in plan.sentence
    assert groups_behind(ratings, "a", metrics.analyses.settings.settings_of(ratings), level) is None


@pytest.mark.parametrize(
    ("unit", "said"),
    [("decision", "whole items"), ("hierarchical", "whole items"), ("nowhere", "no column is called"), ("label", "two values")],
)
def test_what_cannot_be_a_unit_is_refused(unit: str, said: str) -> None:
    ratings = metrics.read(grouped(1, 12))
    for call in (lambda: compare(ratings, "a", "b", unit=unit), lambda: compare_all(ratings, unit=unit)):
        with pytest.raises(metrics.InputError, match=said):
            call()


def test_all_items_in_one_group_that_both_judged_have_no_interval() -> None:
    frame = grouped(2, 8, 4, n_criteria=1, gaps=0)
    frame = frame[(frame["prompt"] == "p0") | (frame["rater"] != "b")]
    one = compare(metrics.read(frame), "a", "b", "accuracy", unit="prompt")
    assert one.difference.interval is None
    assert one.no_interval == "all shared items lie in one of the groups by ‘prompt’"


def test_the_table_states_what_its_intervals_rest_on() -> None:
    ratings = metrics.read(grouped(2, 30))
    for frame in (
        compare(ratings, "a", "b", unit="prompt", confidence=0.9, replicates=20).to_frame(),
        compare_all(ratings, "a", unit="prompt", confidence=0.9, replicates=20).to_frame(),
    ):
        row = frame.iloc[0]
        assert (row["unit"], row["confidence"], row["interval"], row["n_units"]) == ("prompt", 0.9, "paired jackknife", 10)
        assert {"abstention", "reference", "file", "sha256"} <= set(frame.columns)


def test_the_command_takes_the_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = grouped(4, 60, gaps=0)
    file = tmp_path / "grouped.csv"
    frame.to_csv(file, index=False)
    with pytest.raises(SystemExit):
        main(["compare", str(file), "--unit", "prompt", "--replicates", "100", "--json"])
    found = json.loads(capsys.readouterr().out)
    same = compare(metrics.read(file), "a", "b", unit="prompt", replicates=100)
    assert found == json.loads(json.dumps(same.to_dict()))
    assert (found["unit"], found["n_units"], found["declaration"]["interval"]["unit"]) == ("prompt", 20, "prompt")
    with pytest.raises(SystemExit):
        main(["compare", str(file), "--unit", "prompt", "--baseline", "a", "--confidence", ".9"])
    assert "Intervals 90\u00a0%, paired jackknife, groups by ‘prompt’ left out." in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        main(["compare", str(file), "--unit", "rater"])
    assert stop.value.code == 2
    assert "two values in ‘rater’" in capsys.readouterr().err


def many_differ(n: int = 400) -> metrics.Ratings:
    """So many items differ, each in its own way, that swaps come in several blocks."""
    rng = np.random.default_rng(1)
    human = rng.integers(0, 2, (n, 12))
    rows = [
        {"item": i, "criterion": c, "judge": name, "human": LABELS[human[i, c]], "verdict": LABELS[human[i, c] ^ int(wrong)]}
        for name, rate in (("a", 0.3), ("b", 0.25))
        for (i, c), wrong in np.ndenumerate(rng.random(human.shape) < rate)
    ]
    return metrics.read(pd.DataFrame(rows))


def test_a_stopped_test_keeps_what_is_done() -> None:
    ratings, told = many_differ(), []

    def stop(so_far: Permutation) -> bool:
        told.append(so_far)
        return len(told) == 2

    one = compare(ratings, "a", "b", level="macro", replicates=50_000, progress=stop)
    assert one.permutation == told[1]
    assert one.permutation.stopped
    assert told[0].replicates < told[1].replicates < one.permutation.asked == 50_000
    again = compare(ratings, "a", "b", level="macro", replicates=told[1].replicates)
    assert not again.permutation.stopped
    assert one.permutation.p == again.permutation.p
    assert (one.difference.ends, one.difference.value) == (again.difference.ends, again.difference.value)
    done = f"{metrics.results.words.count(told[1].replicates)} of 50\u202f000 swaps"
    assert f"The permutation test was stopped after {done}" in " ".join(one.notes)


def test_progress_goes_on_to_the_end_and_changes_nothing() -> None:
    ratings, shares = many_differ(200), []
    heard = compare(
        ratings, "a", "b", level="macro", replicates=30_000, progress=lambda so_far: shares.append(so_far.replicates)
    )  # fmt: skip
    assert shares == sorted(shares)
    assert shares[-1] == 30_000
    assert heard.to_dict() == compare(ratings, "a", "b", level="macro", replicates=30_000).to_dict()


def test_a_contest_can_be_left_and_taken_up_again() -> None:
    frame = table(8, n_items=60, gaps=0)
    more = [frame[frame["rater"] == "b"].assign(rater=name) for name in "cd"]
    ratings = metrics.read(pd.concat([frame, *more]))
    asked = Question("kappa_within")
    contest = contest_of(ratings, "a", asked, Settings(), replicates=200)
    assert contest.others == ("b", "c", "d")
    first = [contest.meet(0), contest.meet(1)]
    part = contest.forest(first)
    assert (len(part.against), part.planned) == (2, 3)
    assert part.holm == pytest.approx(multipletests([*(one.permutation.p for one in part.against), 1.0], method="holm")[1][:2])
    assert "Stopped before the last judge." in part.reading
    again = contest_of(ratings, "a", asked, Settings(), replicates=200)
    whole = contest.forest([*first, again.meet(2)])
    assert whole.to_dict() == compare_all(ratings, "a", replicates=200).to_dict()
    assert "Stopped" not in whole.reading


def test_holm_counts_comparisons_that_were_not_made() -> None:
    assert holm([0.01, 0.04], more=2) == pytest.approx(multipletests([0.01, 0.04, 1, 1], method="holm")[1][:2])
