"""A judge first by what it leaves open is not named; one that is better on what both answered is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.comparison.levels import Reading
from metrics.analyses.judge_selection import readings, readings_disagreements
from metrics.analyses.judge_selection.first_judge import LeftOpen
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.measured import measured
from metrics.analyses.true_rate.readings import needed, needed_reading
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

ERRORS = 40


def silent(n: int = 160, left_open: int = 30, errors: int = ERRORS) -> pd.DataFrame:
    """A errs 40 times; B is A with some of these left open, and with fewer of the others where `errors` is smaller."""
    rows = []
    for item in range(n):
        human, other = ("MET", "UNMET") if item % 2 else ("UNMET", "MET")
        a = other if item < ERRORS else human
        b = "CANNOT_ASSESS" if item < left_open else other if item < errors else human
        rows += [(f"i{item}", "c", "A", human, a), (f"i{item}", "c", "B", human, b)]
    return pd.DataFrame(rows, columns=["item", "criterion", "judge", "human", "verdict"])


@pytest.mark.parametrize("by", [None, "kappa", "accuracy", "snr"])
def test_silence_is_no_merit(by: str | None) -> None:
    ranking = rank_judges(metrics.read(silent()), by=by)
    assert (ranking.first.name, ranking.named, ranking.from_left_open) == ("B", None, ("A",))
    assert readings.reading(ranking).startswith(
        "the order of B and A comes from decisions that only one of them answered, so no judge is named the best."
    )
    assert "on the 130 decisions that both answered" in readings.reading(ranking)
    assert readings_disagreements.disagreements(ranking)[0].endswith(
        "that is: the order comes from decisions that only one of them answered."
    )
    assert ranking.to_dict()["best"] is None
    assert ranking.to_dict()["order_from_left_open"] == ["A"]


def test_a_judge_better_on_what_both_answered_is_named() -> None:
    frame = silent(left_open=5, errors=8)
    ranking = rank_judges(metrics.read(frame))
    assert ranking.left_open
    assert ranking.named is ranking.first
    assert ranking.to_dict()["best"] == "B"
    assert "only one of them answered" not in " ".join(
        (readings.reading(ranking), *readings_disagreements.disagreements(ranking))
    )


@pytest.mark.parametrize(
    ("common", "rest", "decides"),
    [
        ((0.0, None), (-0.2, (-0.3, -0.1)), True),
        ((-0.05, (-0.15, 0.05)), (-0.2, (-0.3, -0.1)), True),
        ((0.05, (0.01, 0.09)), (-0.2, (-0.3, -0.1)), True),
        ((-0.2, (-0.3, -0.1)), (-0.2, (-0.3, -0.1)), False),
        ((-0.3, (-0.7, 0.1)), (0.2, (0.1, 0.3)), False),
        ((-0.05, (-0.15, 0.05)), (-0.02, (-0.05, 0.01)), False),
    ],
)
def test_silence_decides_where_it_adds_a_lead_that_answers_do_not_show(
    common: tuple[float, tuple[float, float] | None], rest: tuple[float, tuple[float, float]], decides: bool
) -> None:
    def reading(difference: float, ends: tuple[float, float] | None) -> Reading:
        its = Estimate(difference, None if ends is None else Interval(*ends, "paired jackknife"))
        return Reading("kappa", 0.0, difference, (100, 100), its, None, 0.95)

    whole = reading(common[0] + rest[0], None)
    assert LeftOpen("A", reading(*common), whole, reading(*rest)).decides is decides


def test_judges_that_answer_the_same_decisions_leave_nothing_open() -> None:
    assert rank_judges(metrics.read(silent(left_open=0, errors=20))).left_open == ()


def test_answers_needed_count_those_that_are_left_open() -> None:
    one = next(one for one in rank_judges(metrics.read(silent())).order if one.name == "B")
    assert one.golden.answered == pytest.approx(130 / 160)
    mark = rank_judges(metrics.read(silent())).benchmark
    assert mark is not None
    assert one.answers.value == pytest.approx(mark.answers(one.tpr, one.fpr) * 160 / 130)
    assert one.answers.ends is not None
    assert one.answers.ends[0] < one.answers.value < one.answers.ends[1]
    other = next(one for one in rank_judges(metrics.read(silent())).order if one.name == "A")
    assert (other.golden.answered, other.answers.value) == (1.0, mark.answers(other.tpr, other.fpr))
    assert np.isfinite(other.answers.value)


def test_a_judge_that_answers_nothing_needs_no_number_of_answers() -> None:
    rows = [
        {"item": item, "judge": judge, "human": LABEL[item % 2], "verdict": verdict}
        for item in range(20)
        for judge, verdict in (("mute", "CANNOT_ASSESS"), ("fair", LABEL[item % 2 if item % 5 else 0]))
    ]
    mute = next(one for one in rank_judges(metrics.read(pd.DataFrame(rows))).order if one.name == "mute")
    assert np.isnan(mute.answers.value)


LABEL = ("MET", "UNMET")


def test_measured_rate_needs_as_many_answers_as_judge_selection_does() -> None:
    ratings = metrics.read(silent())
    mark = rank_judges(ratings).benchmark
    assert mark is not None
    for one in rank_judges(ratings).order:
        golden = measured(ratings, one.name, settings_of(ratings)).golden
        assert golden.answered == pytest.approx(one.golden.answered)
        assert needed(golden, *mark.models)[0] == pytest.approx(one.answers.value)
        told = needed_reading(golden, *mark.models)
        assert ("of answers that get a verdict" in told) == (one.name == "B")
        assert ("factor of verdicts" in told) == (one.name == "B")
