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
