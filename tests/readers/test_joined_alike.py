"""Files of one form that hold both sides each: batches of items, a file for each criterion, and several judges."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import open_table, propose

N = 60
IDS = np.array([f"q{k}" for k in range(N)])
CRITERIA = ("accuracy", "adequacy", "facts")


def labels(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({name: rng.choice(["yes", "no"], N) for name in CRITERIA})


PEOPLE, JUDGE = labels(1), labels(2)


def read(folder: Path, files: Mapping[str, pd.DataFrame]) -> metrics.Ratings:
    paths = [folder / f"{name}.csv" for name in files]
    for path, frame in zip(paths, files.values(), strict=True):
        frame.to_csv(path, index=False)
    return metrics.read(paths, columns=propose(open_table(paths)).columns_answer)


def both(name: str, judge: pd.DataFrame = JUDGE) -> pd.DataFrame:
    return pd.DataFrame({"id": IDS, "human": PEOPLE[name], "judge": judge[name]})


def accuracies(ratings: metrics.Ratings, judge: str = "judge") -> dict[str, float]:
    return {name: block["accuracy"].value for name, block in metrics.agreement(ratings).judges[judge].criteria.items()}


BY_HAND = {name: float(np.mean(PEOPLE[name] == JUDGE[name])) for name in CRITERIA}


@pytest.mark.parametrize("called", ["{}", "labels_{}", "{}_2024_labels", "round 1 - {}"])
def test_each_file_is_a_criterion_where_people_label_the_same_items_otherwise(tmp_path: Path, called: str) -> None:
    ratings = read(tmp_path, {called.format(name): both(name) for name in CRITERIA})
    assert ratings.judges == ("judge",)
    assert accuracies(ratings) == pytest.approx(BY_HAND)
    assert "Each file is a criterion, called like the file: accuracy, adequacy, facts." in ratings.source.notes


def test_a_long_file_for_each_criterion(tmp_path: Path) -> None:
    raters = {"ana": PEOPLE, "gpt": JUDGE}
    files = {
        name: pd.concat([pd.DataFrame({"item": IDS, "rater": who, "label": of[name]}) for who, of in raters.items()])
        for name in CRITERIA
    }
    paths = [tmp_path / f"{name}.csv" for name in files]
    for path, frame in zip(paths, files.values(), strict=True):
        frame.to_csv(path, index=False)
    ratings = metrics.read(paths, roles={"ana": "human", "gpt": "judge"})
    assert accuracies(ratings, "gpt") == pytest.approx(BY_HAND)


def test_the_same_labels_of_people_beside_other_verdicts_are_two_judges(tmp_path: Path) -> None:
    slipped = both("accuracy", labels(3))
    slipped.loc[0, "human"] = slipped.loc[1, "human"]
    ratings = read(tmp_path, {"gpt": both("accuracy"), "claude": both("accuracy", labels(3))})
    assert set(ratings.judges) == {"gpt", "claude"}
    assert ratings.criteria == ("overall",)


@pytest.mark.parametrize("wide", [True, False])
def test_batches_are_read_one_below_the_other(tmp_path: Path, wide: bool) -> None:
    columns = {f"{who}_{name}": of[name] for who, of in (("human", PEOPLE), ("judge", JUDGE)) for name in CRITERIA}
    whole = pd.DataFrame({"id": IDS, **columns}) if wide else both("accuracy")
    ratings = read(tmp_path, {f"batch {k}": whole.iloc[20 * k : 20 * k + 20] for k in range(3)})
    assert (ratings.n_items, ratings.judges) == (N, ("judge",))
    assert accuracies(ratings) == pytest.approx(BY_HAND if wide else {"overall": BY_HAND["accuracy"]})
    assert any("no item in common" in note for note in ratings.source.notes)
    assert ratings.source.join is not None
    assert [len(file.unmatched) for file in ratings.source.join.files] == [0, 0, 0]


def test_two_files_of_one_side_each_still_need_items_in_common(tmp_path: Path) -> None:
    people = pd.DataFrame({"id": IDS[:20], "accuracy": PEOPLE["accuracy"][:20], "adequacy": PEOPLE["adequacy"][:20]})
    other = people.assign(id=IDS[20:40])
    with pytest.raises(metrics.InputError, match=r"No item of .* is in the other file"):
        read(tmp_path, {"gold": people, "gpt": other})
