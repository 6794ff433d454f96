"""Rubrics written for one item each: every decision is an item of its own, and intervals leave out the items of the file."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics import InputError
from metrics.analyses.raters.adjudicating import with_labels
from metrics.readers.import_report import import_report
from metrics.readers.import_text import understood_line
from metrics.readers.long_form import ratings_table
from metrics.readers.own_criteria import FEWEST

LABELS = np.array(["UNMET", "MET"])


def rows(n_items: int = 30, each: int = 4, seed: int = 1, item: str = "item") -> pd.DataFrame:
    """Items with criteria of their own; a judge that errs more on some of them."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 2, (n_items, each))
    wrong = rng.random((n_items, each)) < rng.choice([0.02, 0.4], (n_items, 1))
    names = [f"i{place}" for place in range(n_items)]
    return pd.DataFrame(
        {
            item: np.repeat(names, each),
            "criterion": [f"{name} says thing {place}" for name in names for place in range(each)],
            "human": LABELS[human.ravel()],
            "verdict": LABELS[np.where(wrong, 1 - human, human).ravel()],
        }
    )


def read(frame: pd.DataFrame, **keywords: object) -> metrics.Ratings:
    return metrics.read(frame.to_csv(index=False).encode(), **keywords)


@pytest.mark.parametrize("item", ["item", "conversation_id"])
def test_every_decision_is_an_item_and_intervals_leave_out_the_items_of_the_file(item: str) -> None:
    frame = rows(item=item)
    ratings = read(frame, columns={"item": item})
    assert ratings.criteria == ("overall",)
    assert len(ratings.items) == len(frame)
    assert ratings.items[1].as_py() == "i0 · i0 says thing 1"
    report = metrics.agreement(ratings)
    together = {"item": "whole item"}.get(item, item)
    assert report.declaration.interval["unit"] == together
    accuracy = report.judges["judge"].micro["accuracy"]
    right = (frame["human"] == frame["verdict"]).groupby(frame[item]).mean()
    assert accuracy.value == pytest.approx(right.mean())
    # Of items alike in size the jackknife of a mean is its usual standard error.
    error = right.std(ddof=1) / np.sqrt(len(right))
    low, high = accuracy.ends
    logit = np.log(accuracy.value / (1 - accuracy.value))
    reach = (np.log(high / (1 - high)) - np.log(low / (1 - low))) / 2
    assert reach == pytest.approx(2.045 * error / (accuracy.value * (1 - accuracy.value)), rel=2e-3)
    assert np.log(high / (1 - high)) == pytest.approx(logit + reach)
    apart = metrics.agreement(ratings, unit="decision", interval="bootstrap").judges["judge"].micro["accuracy"]
    assert apart.ends[1] - apart.ends[0] < high - low


def test_it_is_told_with_the_line_that_reads_it_again() -> None:
    ratings = read(rows())
    report = import_report(ratings, ["file.csv"])
    assert "120 criteria, most on one item only: every decision counts as an item of its own" in report.summary()
    assert "metrics overview file.csv\n" in report.summary() + "\n"
    assert "every decision counts as an item" in understood_line(ratings)
    assert dict(ratings.columns_of_file)["criterion"] == "criterion"
    assert read(rows(), columns=dict(ratings.columns_of_file)).items.equals(ratings.items)


def test_what_is_written_reads_back_to_the_same_numbers() -> None:
    ratings = read(rows())
    again = read(ratings_table(ratings))
    first, second = (metrics.agreement(one).to_dict()["judges"]["judge"] for one in (ratings, again))
    assert first == second
    assert list(ratings_table(ratings).columns[:2]) == ["item", "criterion"]


def test_corrected_labels_stand_in_the_rows_of_the_file() -> None:
    frame = rows()
    place = int(np.flatnonzero(frame["human"] != frame["verdict"])[0])
    item = f"{frame['item'][place]} · {frame['criterion'][place]}"
    written = with_labels(read(frame), {(item, "overall"): frame["verdict"][place]})
    changed = np.flatnonzero(written["human"].to_numpy() != frame["human"].to_numpy())
    assert changed.tolist() == [place]


def test_one_rating_a_row_and_one_column_a_rater() -> None:
    frame = rows()
    long = frame.melt(["item", "criterion"], ["human", "verdict"], "rater", "label").assign(
        role=lambda one: np.where(one["rater"] == "human", "human", "judge")
    )
    wide = frame.rename(columns={"human": "human_ann", "verdict": "judge_gpt"})
    numbers = [
        metrics.agreement(read(one, columns=columns)).judges[judge].micro["kappa"]
        for one, columns, judge in (
            (frame, None, "judge"),
            (long, None, "verdict"),
            (wide, {"human:ann": "human_ann", "judge:gpt": "judge_gpt"}, "gpt"),
        )
    ]
    for one, other in pairwise(numbers):
        assert one.value == pytest.approx(other.value)
        assert one.ends == pytest.approx(other.ends)


def test_people_alone_are_warned_of_decisions_that_go_together() -> None:
    frame = rows().rename(columns={"human": "human_ann", "verdict": "human_bob"})
    ratings = read(frame, columns={"human:ann": "human_ann", "human:bob": "human_bob"})
    report = metrics.raters(ratings, role="human")
    told = next(warning.message for warning in report.warnings if warning.code == "decisions_together")
    assert told in [statement.text for statement in metrics.overview(ratings).verdict]
    crossed = frame.assign(criterion=["abcd"[place % 4] for place in range(len(frame))])
    ratings = read(crossed, columns={"human:ann": "human_ann", "human:bob": "human_bob"})
    assert not any(warning.code == "decisions_together" for warning in metrics.raters(ratings, role="human").warnings)


@pytest.mark.parametrize(
    "changed",
    [
        rows(n_items=FEWEST // 4 - 1),
        rows().assign(criterion=lambda one: [f"c{place % 4}" for place in range(len(one))]),
        rows(n_items=200).assign(criterion=lambda one: [f"c{place // 4 % 60}-{place % 4}" for place in range(len(one))]),
        rows(n_items=200, each=1),
    ],
    ids=["few", "crossed", "on several items", "one to an item"],
)
def test_criteria_that_may_be_read_one_by_one_are_kept(changed: pd.DataFrame) -> None:
    ratings = read(changed)
    assert len(ratings.criteria) == changed["criterion"].nunique()
    assert ratings.source.together == ""
    assert metrics.agreement(ratings).declaration.interval["unit"] == "item"


def test_a_human_left_out_has_no_interval_by_single_decisions() -> None:
    frame = rows().rename(columns={"human": "human_ann"})
    others = {"human_bob": frame["human_ann"].where(frame.index % 7 > 0, "MET"), "human_eve": frame["human_ann"]}
    columns = {f"human:{who}": f"human_{who}" for who in ("ann", "bob", "eve")} | {"judge:j": "verdict"}
    crossed = frame.assign(criterion=["abcd"[place % 4] for place in range(len(frame))], **others)
    assert metrics.overview(read(crossed, columns=columns)).statement("people") is not None
    assert metrics.overview(read(frame.assign(**others), columns=columns)).statement("people") is None


def test_a_row_without_a_criterion_is_the_item_itself() -> None:
    frame = rows()
    frame.loc[4, "criterion"] = ""
    assert read(frame).items[4].as_py() == frame["item"][4]


def test_thousands_of_criteria_are_read_where_they_are_of_single_items() -> None:
    assert len(read(rows(n_items=2_000)).items) == 8_000
    swapped = rows(n_items=2_000).rename(columns={"item": "criterion", "criterion": "item"}).iloc[:, [1, 0, 2, 3]]
    swapped = pd.concat([swapped, swapped.assign(criterion=lambda one: one["criterion"] + "b")])
    with pytest.raises(InputError, match=r"Is ‘criterion’ an item id\?"):
        read(swapped)


def test_two_versions_are_compared_on_the_same_decisions() -> None:
    frame = rows()
    better = frame.assign(verdict=frame["human"])
    both = read(frame.rename(columns={"verdict": "judge_old"}).assign(judge_new=better["verdict"]), columns={
        "judge:old": "judge_old", "judge:new": "judge_new", "human:human": "human",
    })  # fmt: skip
    compared = metrics.compare(both, "new", "old", metric="accuracy")
    assert compared.settings.unit == "whole item"
    assert compared.n_units == 30


def test_joined_files_are_read_alike() -> None:
    frame = rows()
    gold, judge = (
        file_of(frame[["item", "criterion", who]].rename(columns={who: "label"}), f"{who}.csv") for who in ("human", "verdict")
    )
    joined = metrics.read([gold, judge], roles={"human": "human", "verdict": "judge"})
    assert joined.source.together == "whole item"
    numbers = [metrics.agreement(one).judges[name].micro["kappa"] for one, name in ((joined, "verdict"), (read(frame), "judge"))]
    assert numbers[0].value == pytest.approx(numbers[1].value)
    assert numbers[0].ends == pytest.approx(numbers[1].ends)


def file_of(frame: pd.DataFrame, name: str) -> io.BytesIO:
    file = io.BytesIO(frame.to_csv(index=False).encode())
    file.name = name
    return file


def test_bytes_in_memory_and_a_frame_are_read_alike() -> None:
    frame = rows()
    assert metrics.agreement(frame).declaration.interval["unit"] == "whole item"
    assert metrics.read(io.BytesIO(frame.to_csv(index=False).encode())).source.together == "whole item"
