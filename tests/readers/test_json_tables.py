"""One JSON object that is a table, as data frames are saved, beside objects that are none."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

import metrics
from metrics.readers import open_table

FRAME = pd.DataFrame(
    {
        "item": [f"i{place}" for place in range(40)],
        "human": ["yes", "no"] * 20,
        "verdict": (["yes", "yes"] * 10) + ["no", "no"] * 10,
    }
)


def read(content: Any, **keywords: Any) -> metrics.Ratings:
    data = content if isinstance(content, str) else json.dumps(content)
    return metrics.read(data.encode(), **keywords)


@pytest.mark.parametrize("orient", ["columns", "records", "split", "index", "table"])
def test_a_frame_is_read_in_every_form_that_pandas_writes(orient: str) -> None:
    ratings = read(FRAME.to_json(orient=orient))
    assert ratings.items.to_pylist() == FRAME["item"].tolist()
    assert (
        metrics.agreement(ratings).to_dict()["judges"]
        == metrics.agreement(read(FRAME.to_json(orient="records"))).to_dict()["judges"]
    )


@pytest.mark.parametrize(("orient", "item"), [("columns", "index"), ("split", "index"), ("index", "id")])
def test_names_of_rows_are_a_column(orient: str, item: str) -> None:
    ratings = read(FRAME.set_index("item").to_json(orient=orient), columns={"item": item})
    assert ratings.items.to_pylist() == FRAME["item"].tolist()


def test_lists_in_columns_and_how_it_was_read() -> None:
    ratings = read(FRAME.to_dict("list"))
    assert ratings.source.notes[0] == "The file holds its table column by column."
    assert len(ratings.items) == 40


@pytest.mark.parametrize(
    "content",
    [
        {"item": ["a", "b"], "human": ["yes"]},
        {"item": ["a", "b"], "human": [["yes"], ["no"]]},
        {"config": {"a": 1}, "results": {"b": 2}},
        {str(place): {f"x{place}": 1} for place in range(9)},
        {"a": {"human": "yes"}, "b": {"human": "no"}},
        {"item": {"0": "a"}, "human": {"1": "yes"}},
        {"item": [], "human": []},
        {"one": ["a", "b"]},
    ],
)
def test_other_objects_are_refused_as_before(content: dict[str, Any]) -> None:
    with pytest.raises(metrics.InputError, match=r"is one JSON object .* not a list of records"):
        read(content)


@pytest.mark.parametrize("rows", [[["a", "yes"]], [["a"], "b"], [{"item": "a"}, 3]])
def test_rows_that_do_not_fit_their_columns_are_refused(rows: list[Any]) -> None:
    with pytest.raises(metrics.InputError, match="is no JSON object"):
        read({"columns": ["item", "human", "verdict"], "data": rows})


def test_an_object_of_labels_is_a_label_for_each_name() -> None:
    labels = {f"llama|{k}": k % 3 > 0 for k in range(9)}
    table = open_table(json.dumps(labels).encode(), "labels.json")
    assert table.columns == ("id", "label")
    assert table.data.to_pylist()[3] == {"id": "llama|3", "label": "false"}
    assert "one label for each name" in " ".join(table.notes)


@pytest.mark.parametrize(
    "whole", [{"accuracy": 0.9, "kappa": 0.8, "f1": 0.7, "mcc": 0.6, "n": 0.5}, {"item": "a", "human": "yes"}]
)
def test_an_object_of_different_things_is_one_record(whole: dict[str, object]) -> None:
    assert open_table(json.dumps(whole).encode(), "one.json").n_rows == 1


def test_few_items_of_named_criteria_are_items() -> None:
    criteria = {"accuracy": 1, "grounded": 0, "tone": 1}
    table = open_table(json.dumps({"good_exit": criteria, "bad_exit": dict.fromkeys(criteria, 0)}).encode())
    assert table.columns == ("id", *criteria)
    by_rater = {who: {f"q{k}": k % 2 for k in range(8)} for who in ("human", "gpt-4o")}
    assert open_table(json.dumps(by_rater).encode()).columns == ("index", "human", "gpt-4o")


@pytest.mark.parametrize("of", [lambda label: {"label": label, "note": ""}, str])
def test_labels_by_id_beside_what_describes_them_are_read_with_their_names(of: Any) -> None:
    labels = {f"q{place}": of("yes" if place % 3 else "no") for place in range(12)}
    table = open_table(json.dumps({"seed": 7, "judged": 12, "labels": labels}).encode())
    assert table.coded("id").names == tuple(labels)
    assert set(table.coded("label").names) == {"yes", "no"}
    assert table.notes[0] == "The file holds its records under ‘labels’."


@pytest.mark.parametrize("inner", [{f"m{place}": {"mean": place, "std": 1} for place in range(6)}, {"yes": 7, "no": 5}])
def test_numbers_by_name_beside_what_describes_them_are_no_labels(inner: dict[str, Any]) -> None:
    with pytest.raises(metrics.InputError, match="is one JSON object"):
        open_table(json.dumps({"seed": 7, "by_metric": inner}).encode())


@pytest.mark.parametrize("name", ["disagreements", "disagreement_examples", "judge_errors"])
@pytest.mark.parametrize("beside", [{"n": 60}, {"n": 60, "kappa": {"tone": {"n": 60}}}])
def test_records_that_were_taken_out_for_their_labels_are_refused(name: str, beside: dict[str, Any]) -> None:
    records = [{"id": place, "human": "no", "judge": "yes"} for place in range(9)]
    with pytest.raises(metrics.InputError, match="Send the verdicts on all items"):
        open_table(json.dumps({**beside, name: records}).encode())
    assert open_table(json.dumps({"n": 60, "results": records, name: []}).encode()).n_rows == 9
    assert open_table(json.dumps({"n": 60, "errors": records}).encode()).n_rows == 9, "what is judged may be errors"
