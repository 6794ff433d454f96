"""Criteria that are not asked for, or on which a label is a list: nothing is asked about their labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.readers import build, confirmed, open_table, propose

CHOICES = ["[]", "['4']", "['1', '3']", "['2']"]
LISTS = ("sources", "targets")


def ratings(*, n: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = [
        {"item": f"q{k}", "rater": rater, "role": role, "criterion": name, "label": str(label)}
        for k in range(n)
        for rater, role in (("ana", "human"), ("ben", "human"), ("gpt", "judge"))
        for name, label in (
            *((name, rng.integers(1, 5)) for name in ("tone", "bias")), *((name, rng.choice(CHOICES)) for name in LISTS),
        )
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_criteria_of_lists_are_left_out_by_name_and_nothing_is_asked_of_them() -> None:
    data = ratings().to_csv(index=False).encode()
    proposal = propose(open_table(data))
    assert proposal.criteria == ("tone", "bias")
    assert set(proposal.labels_answer) == {"1", "2", "3", "4"}
    assert "Not read, because each label there is a list: ‘sources’, ‘targets’." in proposal.notes
    for found in (build(open_table(data), confirmed(proposal)), metrics.read(data, scale="ordinal")):
        assert (found.criteria, found.source.set_aside) == (("tone", "bias"), LISTS)
        assert found.left_out.counts() == {"on a criterion that is not counted here": 72}
        assert set(found.labels) == {"1", "2", "3", "4"}
        assert metrics.readers.read_as(data, found.source.how).criteria == ("tone", "bias")
    assert metrics.agreement(metrics.read(data, scale="ordinal")).declaration.to_dict()["labels"]["invalid"] == []


def test_a_list_now_and_then_and_lists_alone_are_asked_about_as_before() -> None:
    frame = ratings()
    frame.loc[frame.index[frame.criterion == "sources"][:3], "label"] = "1"
    assert propose(open_table(frame.to_csv(index=False).encode())).criteria == ("tone", "bias", "sources")
    alone = ratings()[lambda rows: rows.criterion.isin(LISTS)]
    assert propose(open_table(alone.to_csv(index=False).encode())).criteria == LISTS


WORDS = {"yes": "positive", "no": "negative"}


def of_words() -> pd.DataFrame:
    frame = ratings()
    frame["label"] = np.where(frame.criterion == "tone", np.where(frame.label < "3", "no", "yes"), "m" + frame.label)
    return frame


def test_labels_of_criteria_that_are_not_asked_for_are_not_asked_about() -> None:
    data = of_words().to_csv(index=False).encode()
    with pytest.raises(metrics.InputError, match="have no meaning yet"):
        metrics.read(data)
    found = metrics.read(data, criteria=["tone"])
    assert (found.criteria, set(found.labels)) == (("tone",), set(WORDS))
    assert found.left_out.counts() == {"on a criterion that is not counted here": 108}
    answers = dict.fromkeys(set(of_words().label) - set(WORDS), "class")
    whole = metrics.read(data, labels=answers).on_criteria(["tone"])
    assert metrics.agreement(whole).to_dict()["judges"] == metrics.agreement(found).to_dict()["judges"]
    assert metrics.readers.read_as(data, found.source.how).rows_used == found.rows_used


@pytest.mark.parametrize("scale", ["ordinal", {"tone": "binary", "bias": "nominal"}])
def test_a_scale_may_speak_of_criteria_that_are_not_asked_for(scale: object) -> None:
    data = of_words().assign(label=lambda rows: rows.label.replace({"no": "1", "yes": "2"})).to_csv(index=False).encode()
    labels = {"1": "negative", "2": "positive"} if isinstance(scale, dict) else None
    assert metrics.read(data, criteria=["tone"], scale=scale, labels=labels).criteria == ("tone",)


def test_in_columns_the_labels_of_other_criteria_are_not_asked_about() -> None:
    frame = of_words()
    frame = frame[frame.rater.isin(["ana", "gpt"]) & frame.criterion.isin(["tone", "bias"])]
    wide = frame.pivot(index="item", columns=["role", "criterion"], values="label")
    wide.columns = [f"{role}_{criterion}" for role, criterion in wide.columns]
    data = wide.reset_index().to_csv(index=False).encode()
    columns = propose(open_table(data)).columns_answer
    with pytest.raises(metrics.InputError, match="have no meaning yet"):
        metrics.read(data, columns=columns)
    assert metrics.read(data, columns=columns, criteria=["tone"]).criteria == ("tone",)


def test_a_criterion_that_is_not_there_is_still_named() -> None:
    data = of_words().to_csv(index=False).encode()
    with pytest.raises(metrics.InputError, match=r"no criterion is called ‘tune’\. Criteria: tone, bias"):
        metrics.read(data, criteria=["tone", "tune"], labels=dict.fromkeys(set(of_words().label) - set(WORDS), "class"))


def test_what_is_not_read_is_said_beside_the_numbers() -> None:
    note = "Not read, because each label there is a list: ‘sources’, ‘targets’."
    data, people = ratings(n=30), ratings(n=30).query("role == 'human'")
    numbers = data.assign(label=data["label"].replace("1", "1.5"))
    for rows, scale, counted in (
        (data, "ordinal", metrics.agreement), (people, "ordinal", metrics.raters), (numbers, "continuous", metrics.scores),
        (numbers.query("item < 'q15'"), "continuous", metrics.scores),
    ):  # fmt: skip
        found = metrics.read(rows.to_csv(index=False).encode(), scale=scale)
        assert note in [statement.text for statement in metrics.overview(found).verdict]
        assert note in [warning.message for warning in counted(found).warnings]
    whole = metrics.read(data[~data["criterion"].isin(LISTS)].to_csv(index=False).encode(), scale="ordinal")
    assert not [statement for statement in metrics.overview(whole).verdict if statement.kind == "labels_unread"]
