"""The first judge of a ranking in every reading: a guesser is not named the best, a better judge is."""

from __future__ import annotations

from dataclasses import replace

import pytest

import metrics
from metrics.analyses.comparison.compute import compare
from metrics.analyses.judge_selection import readings as judge_selection_readings
from metrics.analyses.judge_selection import readings_disagreements
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.judge_selection.tables import readings
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.tables import as_text
from tests.comparison.test_readings import read
from tests.made_files import better, guesser_and_seer


@pytest.mark.parametrize("by", [None, "kappa", "snr"])
def test_a_guesser_is_not_named_the_best(by: str | None) -> None:
    ranking = rank_judges(read(guesser_and_seer()), by=by)
    assert ranking.first.name == "guesses"
    assert ranking.disputed == ("sees",)
    assert judge_selection_readings.reading(ranking).startswith(
        "the readings disagree on sees, so no judge is named the best. sees minus guesses in "
    )
    assert "told apart from every other" not in judge_selection_readings.reading(ranking)
    assert "answers per model" not in judge_selection_readings.reading(ranking)
    assert " needs " not in judge_selection_readings.reading(ranking)
    assert (
        "the readings disagree" in readings_disagreements.disagreements(ranking)[0]
        or "pooled over criteria" in readings_disagreements.disagreements(ranking)[0]
    )
    found = ranking.to_dict()
    assert (found["best"], found["readings_disagree_on"]) == (None, ["sees"])
    assert as_text(readings(ranking))["readings"] == ["disagree"]


def test_a_judge_that_is_better_in_every_reading_is_named() -> None:
    ranking = rank_judges(read(better()))
    assert ranking.disputed == ()
    assert "disagree" not in judge_selection_readings.reading(ranking)
    assert "sees needs " in judge_selection_readings.reading(ranking)
    assert ranking.to_dict()["best"] == "sees"
    assert as_text(readings(ranking))["readings"] == ["agree"]


def test_the_readings_are_those_of_the_comparison() -> None:
    frame = guesser_and_seer(80)
    frame.loc[frame.index % 9 == 0, "verdict"] = "CANNOT_ASSESS"
    ratings = read(frame)
    (against,) = rank_judges(ratings, by="kappa").against
    first = rank_judges(ratings, by="kappa").first.name
    other = compare(ratings, first, against.name, replicates=10)
    for level, own in against.readings.items():
        assert own.difference.value == pytest.approx(other.readings[level].difference.value)
        assert own.difference.ends == pytest.approx(other.readings[level].difference.ends)
        assert own.n == other.readings[level].n


def test_one_criterion_has_one_reading() -> None:
    ratings = read(guesser_and_seer())
    assert rank_judges(ratings, criterion="easy").against == ()
    frame = guesser_and_seer()
    assert rank_judges(metrics.read(frame[frame["criterion"] == "easy"])).against == ()
    assert not readings(rank_judges(ratings, criterion="easy")).rows


def test_another_metric_than_kappa_is_read_over_decisions_and_criteria() -> None:
    against = rank_judges(read(better()), by="accuracy").against[0]
    for level in ("within", "macro"):
        turned = replace(against.readings[level], a=0.0, b=1.0, difference=Estimate(1.0, Interval(0.9, 1.1, "jackknife")))
        assert replace(against, readings={**against.readings, level: turned}).disagree
    for level, disagrees in (("within", False), ("macro", True)):
        its = against.readings[level]
        unsure = replace(its, difference=replace(its.difference, interval=Interval(-1.0, 1.0, "jackknife")))
        assert replace(against, readings={**against.readings, level: unsure}).disagree is disagrees


@pytest.mark.parametrize("by", [None, "kappa", "accuracy"])
def test_whoever_is_named_the_best_is_whom_the_comparison_names(by: str | None) -> None:
    for frame, best in ((guesser_and_seer(), None), (better(), "sees")):
        ranking, one = rank_judges(read(frame), by=by), compare(read(frame), "guesses", "sees", replicates=300)
        assert ranking.to_dict()["best"] == one.winner == best
        pooled = "pooled over criteria, *sees* differs significantly from every other judge." in judge_selection_readings.reading(
            ranking, "*{}*".format
        )
        assert pooled == (best is not None)
    alone = judge_selection_readings.reading(rank_judges(read(better()), by=by, criterion="easy"))
    assert "pooled" not in alone


def _below(criteria: tuple[str, ...]) -> str:
    rows = [
        f"i{k},{c},j,{'MET' if k % 2 else 'UNMET'},{'UNMET' if k % 2 or k % 5 == 0 else 'MET'}"
        for k in range(80)
        for c in criteria
    ]
    ratings = metrics.read("\n".join(["item,criterion,judge,human,verdict", *rows]).encode())
    return " ".join(judge_selection_readings.warnings(rank_judges(ratings)))


def test_a_judge_is_turned_round_on_one_criterion_only() -> None:
    assert "J is below 0 for j: inverting the verdicts of the judge would rank models better." in _below(("a",))
    pooled = _below(("a", "b"))
    assert "J is below 0 for j, pooled over criteria: criteria that differ in their label rates can make it so." in pooled
    assert "would rank models better" not in pooled
