"""Which groups a column makes: by what it holds, whatever the raters said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import InputError
from metrics.analyses.slices.grouping import By, grouping, proposed
from tests.slices.made import failing


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(failing())


def test_columns_are_proposed_by_what_they_hold(ratings: metrics.Ratings) -> None:
    kinds = {title: by.kind for title, by in proposed(ratings).items()}
    assert kinds == {"language": "values", "tokens": "numbers", "day": "times", "length of answer": "length"}


def test_a_column_whose_groups_can_be_tested_comes_before_one_of_many_small_ones() -> None:
    frame = failing(60)[["item", "human", "verdict"]]
    frame["document"] = [f"d{place // 4}" for place in range(60)]
    frame["language"] = [("en", "de", "zh")[place % 3] for place in range(60)]
    assert list(proposed(metrics.read(frame))) == ["language", "document"]


def test_an_id_and_a_constant_are_not_proposed() -> None:
    frame = failing(60).drop(columns=["tokens", "day", "answer"])
    frame["trace"] = [f"t{place}" for place in range(60)]
    frame["version"] = "v1"
    assert list(proposed(metrics.read(frame))) == ["language"]


def test_a_column_of_labels_is_not_proposed() -> None:
    frame = failing(60)[["item", "human", "verdict", "language"]]
    frame["verdict_raw"] = np.where(np.arange(60) < 5, "yes (cut off)", frame["verdict"])
    ratings = metrics.read(frame)
    assert list(proposed(ratings)) == ["language"]
    assert grouping(ratings, [By("verdict_raw")]).values == ("no", "yes", "yes (cut off)")


def test_numbers_of_which_all_are_labels_are_labels_and_others_of_the_item() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"item": [f"i{k}" for k in range(90)], "human": rng.choice(list("1234"), 90)})
    frame = frame.assign(verdict=frame["human"].sample(frac=1, random_state=1).to_numpy())
    frame = frame.assign(system=[str(k % 3) for k in range(90)], sampled=rng.choice(list("123"), 90))
    assert list(proposed(metrics.read(frame, scale="ordinal"))) == ["system"]


def test_what_is_counted_of_the_answers_comes_last() -> None:
    frame = failing()
    votes = np.random.default_rng(1).permutation(200)
    frame["votes"] = np.where(frame["verdict"] == "yes", 200 + votes[np.arange(400) % 200], votes[np.arange(400) % 200])
    frame["latency"] = frame["tokens"] * 3
    frame = frame[["item", "human", "verdict", "votes", "latency", "tokens", "answer", "day", "language"]]
    columns = list(proposed(metrics.read(frame, columns={"item": "item", "human": "human", "verdict": "verdict"})))
    assert columns == ["language", "day", "length of answer", "latency", "tokens", "votes"]


def test_names_are_in_the_order_of_their_numbers() -> None:
    frame = failing(60)
    frame["version"] = [f"v{place % 3 * 5 + 1}" for place in range(60)]
    made = grouping(metrics.read(frame), [By("version")])
    assert made.values == ("v1", "v6", "v11")
    assert made.in_order
    assert not grouping(metrics.read(frame), [By("language")]).in_order


def test_bins_hold_as_many_items_each_and_no_label_moves_them(ratings: metrics.Ratings) -> None:
    made = grouping(ratings, [By("tokens")])
    assert made.of_item is not None
    sizes = np.bincount(made.of_item)
    assert len(sizes) == 4
    assert sizes.max() - sizes.min() <= 4
    frame = failing()
    frame["verdict"] = np.where(frame["verdict"] == "yes", "no", "yes")
    turned = grouping(metrics.read(frame), [By("tokens")])
    assert turned.values == made.values
    assert (turned.of_item == made.of_item).all()


def test_cuts_are_upper_ends() -> None:
    frame = failing(40)
    frame["tokens"] = np.arange(40)
    made = grouping(metrics.read(frame), [By("tokens", cuts=(9, 19.5))])
    assert made.values == ("up to 9", "above 9 to 19.5", "above 19.5")
    assert np.bincount(made.of_item).tolist() == [10, 10, 20]


def test_a_length_is_that_of_the_text(ratings: metrics.Ratings) -> None:
    made = grouping(ratings, [By.of("length(answer)", [100])])
    lengths = failing()["answer"].str.strip().str.len().to_numpy()
    assert made.name == "length of answer"
    assert (made.of_item == (lengths > 100)).all()


def test_times_are_taken_by_month_week_or_day() -> None:
    for days, first in ((20, "2026-01-01"), (60, "week of 2025-12-29"), (300, "2026-01")):
        assert grouping(metrics.read(failing(days)), [By("day")]).values[0] == first


def test_two_columns_are_crossed_and_only_pairs_that_occur_are_groups() -> None:
    frame = pd.DataFrame(
        {
            "item": list("abcd"), "human": ["yes", "no"] * 2, "verdict": ["yes", "no"] * 2,
            "x": ["1", "1", "2", ""], "y": ["u", "v", "u", "u"],
        }
    )  # fmt: skip
    made = grouping(metrics.read(frame), [By("x"), By("y")])
    assert made.values == ("1 × u", "1 × v", "2 × u")
    assert made.of_item is not None
    assert made.of_item.tolist() == [0, 1, 2, -1]


def test_a_rating_without_a_value_follows_its_item() -> None:
    rows = [
        ("a", "ann", "human", "yes", ""), ("a", "gpt", "judge", "yes", "v1"),
        ("b", "ann", "human", "no", ""), ("b", "gpt", "judge", "yes", "v2"),
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "role", "label", "version"])
    made = grouping(metrics.read(frame), [By("version")])
    assert made.of_rating.tolist() == [0, 0, 1, 1]


def test_refusals_say_what_there_is() -> None:
    ratings = metrics.read(failing(40))
    with pytest.raises(InputError, match="Columns to group by: language, tokens, day and answer"):
        grouping(ratings, [By("topic")])
    with pytest.raises(InputError, match="one column, or two"):
        grouping(ratings, [])
    with pytest.raises(InputError, match="more than numbers"):
        grouping(ratings, [By("language", cuts=(3,))])
    many = pd.concat([failing(300)])
    many["trace"] = [f"t{place}" for place in range(300)]
    with pytest.raises(InputError, match="300 values"):
        grouping(metrics.read(many), [By("trace")])


def test_raters_of_one_decision_with_different_values_are_refused() -> None:
    rows = [("a", "ann", "human", "yes", "x"), ("a", "gpt", "judge", "yes", "y"), ("b", "ann", "human", "no", "x")]
    frame = pd.DataFrame([*rows, ("b", "gpt", "judge", "no", "y")], columns=["item", "rater", "role", "label", "team"])
    with pytest.raises(InputError, match="different values in ‘team’"):
        grouping(metrics.read(frame), [By("team")])


def test_a_table_of_counts_has_no_column() -> None:
    frame = pd.DataFrame({"human": ["yes", "no"], "judge": ["yes", "no"], "n": [5, 6]})
    with pytest.raises(InputError, match="no column to group"):
        grouping(metrics.read(frame), [By("language")])
