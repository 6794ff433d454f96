"""What is typed alone says what it is in ten lines, and what holds ratings is told from them."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import metrics

SAMPLE = Path(__file__).resolve().parents[2] / "assets" / "support_answers.csv"
RECORDS: dict[str, tuple[Callable[[metrics.Ratings], object], str]] = {
    "Ranking": (metrics.rank_judges, "order: cautious, strict, lenient"),
    "Queue": (metrics.split_decisions, "n_agreed: 799"),
    "Sweep": (lambda ratings: metrics.sweep(0.8, 0.1), "prevalence: array of shape (199,)"),
    "SharedErrors": (metrics.shared_errors, "n_decisions: 1084"),
    "JudgeClusters": (metrics.think_alike, "judges: "),
    "Growth": (metrics.panel_growth, "rule: majority"),
    "Plan": (lambda ratings: metrics.plan_floor(metrics.agreement(ratings).judges["strict"], "kappa", 0.7), "metric: kappa"),
    "Block": (lambda ratings: metrics.agreement(ratings).judges["strict"].micro, "kappa, phi"),
    "Checklist": (lambda ratings: metrics.checklist(metrics.agreement(ratings)), "11 reporting practices met"),
}


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLE)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_many_numbers_is_shown_in_ten_lines(name: str, ratings: metrics.Ratings) -> None:
    make, says = RECORDS[name]
    shown = repr(make(ratings))
    assert shown.startswith(name)
    assert says in shown
    assert len(shown.split("\n")) <= 10
    assert max(map(len, shown.split("\n"))) <= 102


def test_a_simulation_can_be_compared_with_itself() -> None:
    selection = metrics.select_judge(scenarios=200)
    again = pickle.loads(pickle.dumps(selection))
    assert selection == selection  # noqa: PLR0124 - two arrays in it are neither true nor false
    assert selection != again
    assert selection.to_dict() == again.to_dict()
    assert {selection: 1}[selection] == 1


def test_two_files_that_were_joined_say_where_their_ratings_are(ratings: metrics.Ratings) -> None:
    joined = metrics.join(ratings, ratings)
    for function in (metrics.raters, metrics.overview, metrics.agreement):
        with pytest.raises(
            metrics.InputError, match=rf"not a Joined|cannot take a Joined.*metrics\.{function.__name__}\(…\.ratings\)"
        ):
            function(joined)
    assert metrics.agreement(joined.ratings).judges


def test_a_sentence_of_a_notebook_is_broken_and_a_row_of_a_table_is_not(ratings: metrics.Ratings) -> None:
    wide, narrow = metrics.roc(ratings), metrics.compare(ratings, "strict", "lenient")
    assert ["pre-wrap" in report._repr_html_() for report in (wide, narrow)] == [False, True]
    lines = repr(wide).split("\n")
    assert lines[2].startswith("    Binary · MET where score")
    assert "best threshold" in lines[5]
    assert lines[5].endswith("…")
    assert lines[6].startswith("    pooled")


def test_groups_in_a_notebook_name_their_judge_and_keep_an_interval_on_a_line(ratings: metrics.Ratings) -> None:
    shown = metrics.slices(ratings, "prompt")._repr_html_()
    assert ">strict: no group" in shown
    assert "nowrap; " in shown.split("0.62 [0.56, 0.68]")[0].rpartition("<td")[2]


def test_a_report_of_several_judges_is_answered_with_how_one_is_taken(ratings: metrics.Ratings) -> None:
    with pytest.raises(metrics.InputError, match=r"metrics\.plan_floor\(….judges\['strict'\], …\)"):
        metrics.plan_floor(metrics.agreement(ratings), "kappa", 0.7)
