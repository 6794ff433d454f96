"""Arrays, Series, tables and lists of dicts in one line: the numbers are those of a file with the same rows."""

from __future__ import annotations

import io
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.readers.frames import text
from tests.report.conftest import ratings_named

Y, P = [1, 0, 1, 1, 0, 1], [1, 0, 0, 1, 1, 1]
KINDS = {
    "list": list, "tuple": tuple, "array": np.array, "floats": lambda v: np.array(v, float),
    "objects": lambda v: np.array(v, object),
    "booleans": lambda v: np.array(v) == 1, "pandas": pd.Series, "index": pd.Index,
    "categorical": lambda v: pd.Series(v).astype("category"), "nullable": lambda v: pd.Series(v, dtype="Int64"),
    "polars": pl.Series, "polars categories": lambda v: pl.Series(list(map(str, v))).cast(pl.Categorical), "arrow": pa.array,
    "chunks": lambda v: pa.chunked_array([v[:2], v[2:]]), "words": lambda v: ["yes" if x else "no" for x in v],
    "met": lambda v: ["MET" if x else "UNMET" for x in v], "numpy texts": lambda v: np.array(["true", "false"])[1 - np.array(v)],
}  # fmt: skip
VOCABULARIES = (
    ["MET", "UNMET", "CANNOT_ASSESS", None], ["yes", "no", None], [0, 1], [True, False, None], [0.0, 1.0, float("nan")],
)  # fmt: skip


def numbers(report: metrics.AgreementReport) -> dict[str, object]:
    """Everything a report says but where its rows came from and what its raters are called."""
    judge = next(iter(report.to_dict()["judges"].values()))
    return {key: value for key, value in judge.items() if key != "name"}


def of_file(rows: pd.DataFrame, **said: object) -> metrics.AgreementReport:
    text = rows.to_csv(index=False).encode()
    return metrics.agreement(metrics.read(io.BytesIO(text), **said))


def dicts(columns: dict[str, list[str]]) -> list[dict[str, str]]:
    return pd.DataFrame(columns).to_dict("records")


def test_rows_of_nested_dicts_are_counted_from_0() -> None:
    grades = [[{"criterion": "c", "human": "yes", "verdict": "yes"}, {"criterion": "d", "human": "yes", "verdict": "?!"}]]
    rows = [{"item": f"i{place}", "grades": grade} for place, grade in enumerate(grades)]
    with pytest.raises(metrics.InputError, match=r"‘\?!’ in row 0 "):
        metrics.read(rows)


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame, pa.table, dicts], ids=["pandas", "polars", "arrow", "dicts"])
def test_rows_of_a_table_are_counted_as_there(made) -> None:
    """They were counted from 2, as below a header, and the report said to read a file by the name of DataFrame."""
    rows = {"item": ["a", "b", "c", "a"], "human": ["yes", "no", "", "yes"], "verdict": ["yes", "no", "yes", "no"]}
    with pytest.raises(metrics.InputError, match=r"^Rows 0 and 3 of ") as refused:
        metrics.read(made(rows))
    assert refused.value.row == 3
    read = metrics.read(made({name: cells[:3] for name, cells in rows.items()} | {"topic": ["x", "y", "x"]}), where="topic=x")
    report = metrics.import_report(read)
    assert (report.command, report.python) == ("", 'metrics.read(table, where=["topic=x"])')
    assert report.summary().endswith(f"To read it the same way:\n  {report.python}")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_two_sequences_of_any_kind_have_the_numbers_of_a_file(kind) -> None:
    file = of_file(pd.DataFrame({"human": ["yes" if x else "no" for x in Y], "verdict": ["yes" if x else "no" for x in P]}))
    report = metrics.agreement(kind(Y), kind(P))
    assert report.judges["judge"].micro["kappa"].value == pytest.approx(file.judges["judge"].micro["kappa"].value)
    assert report.judges["judge"].micro["kappa"].ends == file.judges["judge"].micro["kappa"].ends
    assert repr(report.judges["judge"].coverage) == repr(file.judges["judge"].coverage)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), labels=st.sampled_from(VOCABULARIES))
def test_any_labels_have_the_numbers_of_a_file(data, labels) -> None:
    rows = data.draw(st.lists(st.tuples(*[st.sampled_from(labels)] * 2), min_size=1, max_size=30))
    y, p = ([row[side] for row in rows] for side in (0, 1))
    table = pd.DataFrame({"human": list(map(text, y)), "verdict": list(map(text, p))})
    try:
        file = of_file(table, labels={"": "missing"})
    except metrics.InputError:
        with pytest.raises(metrics.InputError):
            metrics.agreement(y, p)
        return
    assert numbers(metrics.agreement(y, p)) == numbers(file)


@settings(max_examples=30, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.sampled_from(["cat", "dog", "bird", "fish"])] * 2), min_size=4, max_size=30).filter(
        lambda rows: len({label for row in rows for label in row}) > 2
    )
)
def test_several_classes_need_no_word(rows) -> None:
    y, p = zip(*rows, strict=True)
    labels = {label: "class" for row in rows for label in row}
    file = of_file(pd.DataFrame({"human": y, "verdict": p}), labels=labels)
    assert numbers(metrics.agreement(y, p)) == numbers(file)


def test_whole_numbers_are_classes_in_their_order() -> None:
    report = metrics.agreement([1, 2, 10, 3], [1, 2, 3, 3])
    assert report.judges["judge"].micro.labels == ("1", "2", "3", "10")


TABLES = {
    "pandas": lambda rows: rows, "polars": pl.DataFrame, "arrow": lambda rows: pa.table(rows.to_dict("list")),
    "dicts": lambda rows: rows.to_dict("records"),
    "numpy scalars": lambda rows: [dict(zip(rows, row, strict=True)) for row in rows.itertuples(index=False)],
}  # fmt: skip


class Named(float):
    def __repr__(self) -> str:
        return f"Named({float(self)})"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (np.float64(0.9), "0.9"), (np.float64(7), "7"), (np.float64("inf"), "inf"), (np.float64("nan"), ""), (Named(0.5), "0.5"),
        (np.float32(0.5), "0.5"), (np.float16(0.5), "0.5"), (np.longdouble("0.9"), "0.9"), (np.int64(3), "3"), (np.uint8(3), "3"),
        (np.bool_(True), "true"), (np.str_("a"), "a"), (np.bytes_(b"MET"), "MET"), (b"MET", "MET"), (np.array(0.5), "0.5"),
        (np.datetime64("2020-01-02"), "2020-01-02"), (np.datetime64("2020-01-02", "ns"), "2020-01-02"),
        (np.datetime64("2020-01-02T03:04:05.000000006"), "2020-01-02T03:04:05.000000006"), (np.datetime64("NaT", "ns"), ""),
        (Decimal("1.50"), "1.50"), (Decimal("1E+3"), "1000"), (Decimal("NaN"), ""), (Fraction(1, 2), "0.5"), (Fraction(3), "3"),
        ([np.float64(0.5), np.int64(3)], "[0.5, 3]"), ({"a": np.int64(1), "b": np.array([1, 2])}, '{"a": 1, "b": [1, 2]}'),
        ({"a": np.longdouble("0.5")}, '{"a": "0.5"}'),
    ],
)  # fmt: skip
def test_a_number_is_written_as_a_person_types_it_whatever_its_type(value: object, written: str) -> None:
    assert text(value) == written


@pytest.mark.parametrize("made", [lambda rows: rows, lambda rows: pd.DataFrame(rows).astype(object)], ids=["dicts", "objects"])
@pytest.mark.parametrize("number", [np.float64, np.float32, np.longdouble, Decimal, Fraction])
def test_scores_and_weights_of_any_number_have_the_numbers_of_a_file(made, number) -> None:
    said = [("yes", "yes", 0.75, 1.5), ("no", "yes", 0.5, 1.0), ("yes", "no", 0.25, 1.5), ("no", "no", 0.125, 0.5)] * 3
    rows = [{"item": i, "human": h, "verdict": v, "judge": "j", "score": s, "weight": w} for i, (h, v, s, w) in enumerate(said)]
    plain = metrics.read(io.BytesIO(pd.DataFrame(rows).to_csv(index=False).encode()))
    typed = metrics.read(made([row | {"score": number(row["score"]), "weight": number(row["weight"])} for row in rows]))
    assert metrics.roc(typed).to_dict()["judges"] == metrics.roc(plain).to_dict()["judges"]
    assert metrics.agreement(typed).to_dict()["judges"] == metrics.agreement(plain).to_dict()["judges"]


@pytest.mark.parametrize("kind", TABLES.values(), ids=TABLES)
def test_two_columns_of_any_table_have_the_numbers_of_a_file(kind) -> None:
    rows = pd.DataFrame({"gold": Y, "pred": P, "text": list("abcdef")})
    file = of_file(rows, columns={"human:gold": "gold", "judge:pred": "pred", "item": "#row"})
    report = metrics.agreement(kind(rows), human="gold", judge="pred")
    assert numbers(report) == numbers(file)
    assert list(report.judges) == ["pred"]
    assert report.declaration.reference == "gold"


@pytest.mark.parametrize("kind", TABLES.values(), ids=TABLES)
def test_item_and_criterion_are_columns(kind) -> None:
    rows = pd.DataFrame({"id": [1, 1, 2, 2, 3, 3], "aspect": list("ababab"), "gold": Y, "pred": P})
    names = {"human:gold": "gold", "judge:pred": "pred", "item": "id", "criterion": "aspect"}
    report = metrics.agreement(kind(rows), human="gold", judge="pred", item="id", criterion="aspect")
    assert numbers(report) == numbers(of_file(rows, columns=names))
    assert list(report.judges["pred"].criteria) == ["a", "b"]
    assert report.judges["pred"].n_items == 3


def test_several_columns_of_each_side() -> None:
    rows = pd.DataFrame({"ana": Y, "ben": Y, "gpt": P, "other": Y})
    report = metrics.agreement(rows, human=["ana", "ben"], judge=["gpt", "other"])
    assert list(report.judges) == ["gpt", "other"]
    assert report.declaration.reference == "majority"


@pytest.mark.parametrize("kind", TABLES.values(), ids=TABLES)
def test_a_table_that_metrics_read_knows_needs_no_word(kind) -> None:
    rows = pd.read_csv("assets/support_answers.csv", dtype=str, keep_default_na=False)
    report, file = metrics.agreement(kind(rows)), metrics.agreement(ratings_named("support_answers.csv"))
    assert report.to_dict()["judges"] == file.to_dict()["judges"]
    assert (
        metrics.agreement("assets/support_answers.csv").to_dict()
        == metrics.agreement(metrics.read("assets/support_answers.csv")).to_dict()
    )


def test_dicts_of_a_known_tool_are_read_as_its_file_is() -> None:
    rows = [{"id": str(n), "input": {"q": 1}, "human": {"label": "yes"}, "pred": {"label": "no"}} for n in range(3)]
    columns = {"item": "id", "human:h": "human.label", "judge:j": "pred.label"}
    assert metrics.read(rows, columns=columns).n_items == 3


def test_missing_labels_are_counted_as_in_a_file() -> None:
    report = metrics.agreement(["yes", None, "no", "yes"], ["yes", "no", None, "no"])
    assert report.judges["judge"].coverage.n_human_only == report.judges["judge"].coverage.n_judge_only == 1
    assert any("1 decision without a rating of judge" in warning.message for warning in report.warnings)


def test_which_label_is_positive_is_asked_and_said() -> None:
    y, p = ["spam", "ham", "spam", "ham"], ["spam", "spam", "spam", "ham"]
    with pytest.raises(metrics.InputError, match=r"which of ‘ham’ and ‘spam’|which of ‘spam’ and ‘ham’.*positive="):
        metrics.agreement(y, p)
    assert metrics.agreement(y, p, positive="spam").judges["judge"].micro["recall"].value == 1
    assert metrics.agreement(y, p, positive="ham").judges["judge"].micro["recall"].value == 0.5
    rows = pd.DataFrame({"gold": y, "pred": p})
    assert metrics.agreement(rows, human="gold", judge="pred", positive="ham").judges["pred"].micro["recall"].value == 0.5


def test_a_word_that_may_be_no_verdict_is_asked_about() -> None:
    with pytest.raises(metrics.InputError, match=r"‘maybe’.*may mean"):
        metrics.agreement(["cat", "dog", "maybe"], ["cat", "dog", "dog"])


def test_columns_that_are_not_plain_are_asked_for() -> None:
    for names in (("gold", "pred"), ("human", "judge"), ("a", "b")):
        with pytest.raises(metrics.InputError, match=rf"human= and judge=.*{', '.join(names)}"):
            metrics.agreement(pd.DataFrame(dict(zip(names, (Y, P), strict=True))))


def test_minus_one_is_a_side_where_the_other_is_said() -> None:
    assert metrics.agreement([1, -1, 1], [1, -1, -1], positive=1).judges["judge"].micro["recall"].value == 0.5
    with pytest.raises(metrics.InputError, match="positive="):
        metrics.agreement([1, -1, 1], [1, -1, -1])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((None,), "cannot take None"), ((5,), "cannot take an int"), (({"a": [1]},), "cannot take a dict"),
        ((np.array(Y),), "two sequences of labels"), ((pl.LazyFrame({"a": [1]}),), "cannot take a LazyFrame"),
        ((Y, P[:2]), "y_true has 6, y_pred has 2"), (([], []), "are empty"), (("MET", "UNMET"), "not a str"),
        ((pd.DataFrame({"a": Y}), pd.DataFrame({"a": P})), "DataFrame with 2 dimensions"),
        ((pl.DataFrame({"a": Y}), pl.DataFrame({"a": P})), "DataFrame with 2 dimensions"),
        ((pa.table({"a": Y}), Y), "Table with 2 dimensions"), ((np.array([Y]), np.array([P])), "ndarray with 2 dimensions"),
        ((iter(Y), P), "not a list_iterator"), (({1, 0}, P), "not a set"), (([[1]], [[0]]), "not lists or records"),
        ((["yes", "no"],), "two sequences"),
        ((["0.5", "1.0"],), "two sequences"), ((Y,), "two sequences"), ((list(zip(Y, P, strict=True)),), "two sequences"),
        ((["1", "no", "yes", "0"], ["yes", "no", "yes", "no"]), "mixes 1/0 and yes/no"),
        (([0.1, 0.25], [0.2, 0.5]), "scores, not labels"), ((["yes", "no", "maybe"], ["yes"] * 3), "metrics.read"),
    ],
)  # fmt: skip
def test_whatever_else_is_refused_with_what_may_be_given(given, words: str) -> None:
    with pytest.raises(metrics.InputError) as refusal:
        metrics.agreement(*given)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"human": "gold"}, "judge= is missing"), ({"judge": "pred"}, "human= is missing"),
        ({"human": "gold", "judge": "gold"}, "named as human= and as judge="),
        ({"human": Y, "judge": P}, "no column ‘1’"), ({"human": "gold", "judge": "x"}, "no column ‘x’"),
        ({"human": "gold", "judge": "pred", "item": "id", "positive": 7}, "several labels|no label is ‘7’"),
        ({"human": "gold", "judge": "pred", "criterion": "kind"}, "item='id'"),
    ],
)  # fmt: skip
def test_columns_that_do_not_fit_are_refused(said: dict[str, object], words: str) -> None:
    rows = pd.DataFrame({"gold": Y, "pred": P, "id": [1, 2, 3, 4, 5, 6], "kind": list("ababab")})
    with pytest.raises(metrics.InputError, match=words):
        metrics.agreement(rows, **said)


def test_a_column_that_may_name_the_item_is_asked_for() -> None:
    rows = pd.DataFrame({"gold": Y, "pred": P, "id": [1, 2, 3, 4, 5, 5]})
    with pytest.raises(metrics.InputError, match="item='id'"):
        metrics.agreement(rows, human="gold", judge="pred")
    assert metrics.agreement(rows, human="gold", judge="pred", item="#row").judges["pred"].n_items == 6


def test_ratings_take_no_columns() -> None:
    ratings = ratings_named("support_answers.csv")
    for said in ({"human": "a"}, {"positive": 1}):
        with pytest.raises(metrics.InputError, match="is said to metrics"):
            metrics.agreement(ratings, **said)
    with pytest.raises(metrics.InputError, match="goes with y_true"):
        metrics.agreement(ratings, [1])
    with pytest.raises(metrics.InputError, match="leave it out"):
        metrics.agreement(Y, P, human="a")


def test_three_letters_are_classes() -> None:
    declaration = metrics.agreement(list("ABC") * 5, list("ABA") * 5).declaration
    assert (declaration.scale, declaration.scales, declaration.scale_words()) == ("nominal", {}, "nominal")
    with pytest.raises(metrics.InputError, match="which of two is better"):
        metrics.agreement(["A", "B", "tie"] * 4, ["A", "B", "A"] * 4)


@pytest.mark.parametrize(("y", "p", "positive"), [([1, 2, 2, 1], [1, 2, 1, 1], 2), (list("ABAB"), list("ABBA"), "A")])
def test_a_positive_label_that_is_stated_makes_two_labels_binary(y, p, positive) -> None:
    report = metrics.agreement(y, p, positive=positive)
    assert report.to_dict()["declaration"]["scale"] == "binary"
    assert report.declaration.scale_words() == "binary"
    assert "Binary" in report.summary()
    assert "airwise" not in report.summary()


def test_columns_that_are_numbers_name_both_sides() -> None:
    frame = pd.DataFrame({0: ["yes", "no", "yes"] * 5, 1: ["yes", "no", "no"] * 5})
    for human in (0, np.int64(0), [0]):
        report = metrics.agreement(frame, human=human, judge=1)
        assert report.to_dict()["judges"]["1"]["micro"]["n"] == 15


@pytest.mark.parametrize("human", [{"gold": 1}, b"gold", True, 1.5, object(), [b"gold"]])
def test_people_are_named_by_texts_and_numbers_of_columns_alone(human) -> None:
    frame = pd.DataFrame({"gold": ["yes", "no", "yes"] * 5, "gpt": ["yes", "no", "no"] * 5})
    with pytest.raises(metrics.InputError, match="human must be a text or a list, each a text, not "):
        metrics.agreement(frame, human=human, judge="gpt")
