"""Columns beside the ratings: what they hold, and the value of each rating and item, in every layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.data.item_columns import (
    MOST_VALUES,
    column_spread,
    columns_beside,
    encoded_column,
    kind_of_column,
    named_column,
    values_to_filter_by,
)
from metrics.readers import from_counts

STORED = ["unused", "b ", "a", " ", "b", ""]
ITEMS = [f"i{place}" for place in range(60)]
LANGUAGE = [("de", "en", "fr")[place % 3] for place in range(60)]


def pairs() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "item": ITEMS,
            "human": ["yes", "no"] * 30,
            "verdict": ["yes", "yes", "no"] * 20,
            "language": LANGUAGE,
            "tokens": np.arange(60) * 7,
            "day": [f"2026-01-{1 + place % 28:02}" for place in range(60)],
            "answer": [f"The answer of the model to the question number {place}" for place in range(60)],
        }
    )


def raters() -> pd.DataFrame:
    """One rating per row; the language stands in the rows of the human alone."""
    frame = pairs()
    human = pd.DataFrame(
        {"item": ITEMS, "rater": "ann", "role": "human", "label": frame["human"], "language": LANGUAGE, "version": ""}
    )
    judge = pd.DataFrame(
        {"item": ITEMS, "rater": "gpt", "role": "judge", "label": frame["verdict"], "language": "", "version": "v1"}
    )
    return pd.concat([judge, human])


def wide() -> pd.DataFrame:
    frame = pairs()
    return pd.DataFrame(
        {
            "item": ITEMS,
            "human_ann": frame["human"],
            "human_bea": frame["human"],
            "judge_gpt": frame["verdict"],
            "language": LANGUAGE,
        }
    )


def by_item(ratings: metrics.Ratings) -> dict[str, str]:
    values, spread = column_spread(ratings, "language")
    assert spread.of_item is not None
    return {item: values[code] for item, code in zip(ratings.items.to_pylist(), spread.of_item, strict=True)}


WIDE = {"item": "item", "human:ann": "human_ann", "human:bea": "human_bea", "judge:gpt": "judge_gpt"}


@pytest.mark.parametrize(("frame", "columns"), [(pairs(), None), (raters(), None), (wide(), WIDE)])
def test_an_item_has_its_value_in_every_layout(frame: pd.DataFrame, columns: dict[str, str] | None) -> None:
    assert by_item(metrics.read(frame, columns=columns)) == dict(zip(ITEMS, LANGUAGE, strict=True))


def test_joined_files_and_parquet_have_it_too(tmp_path: Path) -> None:
    frame = pairs()
    frame[["item", "human", "language"]].rename(columns={"human": "label"}).to_csv(tmp_path / "gold.csv", index=False)
    frame[["item", "verdict"]].iloc[::-1].to_csv(tmp_path / "judge.csv", index=False)
    joined = metrics.read([str(tmp_path / "gold.csv"), str(tmp_path / "judge.csv")], roles={"gold": "human", "judge": "judge"})
    assert by_item(joined) == dict(zip(ITEMS, LANGUAGE, strict=True))
    frame.to_parquet(tmp_path / "pairs.parquet")
    assert by_item(metrics.read(str(tmp_path / "pairs.parquet"))) == dict(zip(ITEMS, LANGUAGE, strict=True))


def test_what_a_column_holds_is_found_by_its_cells() -> None:
    ratings = metrics.read(pairs())
    assert columns_beside(ratings) == ["language", "tokens", "day", "answer"]
    kinds = {name: kind_of_column(ratings, name) for name in columns_beside(ratings)}
    assert kinds == {"language": "values", "tokens": "numbers", "day": "times", "answer": "length"}
    assert values_to_filter_by(ratings) == {"language": ("de", "en", "fr")}


def test_values_of_a_grouping_column_stand_by_number_where_all_are_numbers() -> None:
    frame = pairs()[["item", "human", "verdict"]].assign(turn=[("10", "9", "2")[place % 3] for place in range(60)])
    assert values_to_filter_by(metrics.read(frame)) == {"turn": ("2", "9", "10")}


def test_a_constant_an_id_and_a_column_with_too_many_values_group_nothing() -> None:
    frame = pairs()[["item", "human", "verdict"]].assign(version="v1", trace=[f"t{place}" for place in range(60)])
    assert values_to_filter_by(metrics.read(frame)) == {}
    many = pd.DataFrame({"item": range(400), "human": ["yes", "no"] * 200, "verdict": ["yes", "no"] * 200})
    for size, expected in ((MOST_VALUES, ["topic"]), (MOST_VALUES + 1, [])):
        many["topic"] = [f"topic {place % size}" for place in range(400)]
        assert list(values_to_filter_by(metrics.read(many))) == expected


def test_an_item_with_two_values_says_within_what_they_differ() -> None:
    frame = pd.DataFrame(
        {
            "item": ["a", "a", "b", "b"], "criterion": ["x", "y"] * 2, "human": ["yes", "no", "no", "yes"],
            "verdict": ["yes", "no", "yes", "no"], "mood": ["good", "bad", "good", "good"],
        }
    )  # fmt: skip
    ratings = metrics.read(frame)
    assert column_spread(ratings, "mood")[1].of_item is None
    assert column_spread(ratings, "mood")[1].within == "decision"
    by_rater = raters().assign(version=["v1", "v2"] * 60, language="")
    by_rater["version"] = np.where(by_rater["role"] == "human", "paper", "v1")
    assert column_spread(metrics.read(by_rater), "version")[1].within == "rating"


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no column is called ‘langauge’.*language"):
        named_column(metrics.read(pairs()), "langauge", "take values of")


def test_a_table_of_counts_has_no_column() -> None:
    counts = from_counts([[3, 1], [2, 4]], ["no", "yes"])
    assert columns_beside(counts) == []
    with pytest.raises(InputError, match="table of counts"):
        named_column(counts, "language", "take values of")


def test_remarks_of_a_few_rows_and_sentences_group_nothing() -> None:
    lines = ["item,human,verdict,topic,remark,raw"]
    for i in range(40):
        remark, raw = (
            "see chat" if i < 4 else "again" if i < 8 else "",
            f"I am sorry, but {'as a model' if i % 2 else 'in general'} I cannot help with that request at all.",
        )
        lines.append(f'q{i},{"yes" if i % 3 else "no"},{"yes" if i % 4 else "no"},{"law" if i % 2 else "art"},{remark},"{raw}"')
    assert values_to_filter_by(metrics.read("\n".join(lines).encode())) == {"topic": ("art", "law")}


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """Return ratings, one a row, in any order, with a column of values that may be blank, padded, missing or of the row alone."""
    values = st.sampled_from(["a", "b", "b ", " ", "", None])
    rows = []
    for item in range(draw(st.integers(1, 6))):
        whole = draw(values)
        for criterion in range(draw(st.integers(1, 2))):
            of_decision = draw(st.one_of(st.just(whole), values))
            for rater, role in (("ann", "human"), ("gpt", "judge")):
                value = of_decision if draw(st.integers(0, 9)) else draw(values)
                label = draw(st.sampled_from(["yes", "no"]))
                rows.append((f"i{item}", f"c{criterion}", rater, role, label, value))
    rows = draw(st.permutations(rows)) if draw(st.booleans()) else rows
    return pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label", "kind"])


@given(tables(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_the_value_of_every_rating_is_found_as_by_hand(frame: pd.DataFrame, coded: bool) -> None:
    ratings = metrics.read(frame)
    cells = pa.array([None if pd.isna(value) else value for value in frame["kind"]], pa.string())
    # A dictionary may name values that no row has.
    stored = pa.DictionaryArray.from_arrays(pc.index_in(cells, pa.array(STORED)), pa.array(STORED)) if coded else cells
    ratings = replace(ratings, table=ratings.table.set_column(ratings.table.column_names.index("kind"), "kind", stored), memo={})
    given_values = [(value or "").strip() for value in cells.to_pylist()]
    values, made = column_spread(ratings, "kind")
    assert values == sorted(set(given_values) - {""})
    codes, every = encoded_column(ratings, "kind")
    assert [every[code] for code in codes.tolist()] == given_values

    def known(keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], set[str]]:
        out: dict[tuple[str, ...], set[str]] = {key: set() for key in keys}
        for key, value in zip(keys, given_values, strict=True):
            out[key] |= {value} - {""}
        return out

    by_item = [(item,) for item in frame["item"]]
    by_decision = list(zip(frame["item"], frame["criterion"], strict=True))
    candidates = {
        "item": [known(by_item)[key] for key in by_item],
        "decision": [known(by_decision)[key] for key in by_decision],
        "rating": [{value} - {""} for value in given_values],
    }
    kept = next(within for within, found in candidates.items() if all(len(each) <= 1 for each in found))
    found = candidates[kept]
    assert made.within == kept
    expected = [values.index(next(iter(each))) if each else -1 for each in found]
    assert made.of_rating[np.argsort(ratings.row)].tolist() == expected
    if kept == "item":
        assert made.of_item is not None
        assert made.of_item.tolist() == [expected[by_item.index((item,))] for item in ratings.items.to_pylist()]
