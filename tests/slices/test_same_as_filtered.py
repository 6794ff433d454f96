"""Every number of a slice is the one of the file with its rows alone."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.analyses.slices import parts
from metrics.analyses.slices.compute import slices
from metrics.data.pairs import with_times

LABELS = {"yes": "positive", "no": "negative", "unsure": "abstention"}


@st.composite
def files(draw: st.DrawFn) -> pd.DataFrame:
    """Return a table of pairs with two columns that ride along: one says something of the item, one of the decision.

    Criteria stand in one order in every part of it, so that means over them are added in one order.
    """
    n, criteria = draw(st.integers(2, 12)), draw(st.integers(1, 3))
    answers = st.sampled_from(["yes", "no", "no", "yes", "unsure"])
    rows = []
    for item in range(n):
        language = draw(st.sampled_from(["de", "en", ""]))
        for criterion in range(criteria):
            if criterion and draw(st.booleans()):
                continue
            rows.append(
                {
                    "item": f"i{item}", "criterion": f"c{criterion}", "judge": "j", "human": draw(answers),
                    "verdict": draw(answers), "language": language, "part": draw(st.sampled_from(["first", "second"])),
                }
            )  # fmt: skip
    return pd.DataFrame(rows).sort_values(["criterion", "item"], kind="stable")


def alone(frame: pd.DataFrame, column: str, value: str, **choices: Any) -> dict[str, Any] | None:
    """Return what the report says of the judge in a file with these rows alone; None where there is nothing to say."""
    kept = frame[frame[column] == value]
    try:
        return metrics.agreement(metrics.read(kept, labels=LABELS), **choices).judges["j"].to_dict()
    except InputError:
        return None


@given(files(), st.sampled_from(["language", "part"]), st.sampled_from(["exclude", "as_unmet", "as_category"]))
@settings(max_examples=60, deadline=None)
def test_a_slice_has_the_numbers_of_the_file_filtered_to_it(frame: pd.DataFrame, column: str, mode: str) -> None:
    try:
        report = slices(metrics.read(frame, labels=LABELS), column, abstention=mode)
    except InputError:
        assert set(frame[column]) == {""}
        return
    assert set(report.values) == set(frame[column]) - {""}
    for value in report.values:
        expected = alone(frame, column, value, abstention=mode)
        found = report.parts[value].get("j")
        assert (found is None) == (expected is None)
        if found is None or expected is None:
            assert report.judges["j"][value].why
            continue
        assert json.dumps(found.to_dict()) == json.dumps(expected)
        each = report.judges["j"][value]
        assert each.n == expected["micro"]["n"]
        for key, estimate in each.estimates.items():
            assert (expected["micro"][key] is None) == math.isnan(estimate.value)
            assert estimate.value == expected["micro"][key] or math.isnan(estimate.value)
            assert (None if estimate.ends is None else list(estimate.ends)) == expected["micro"]["intervals"].get(key)


@given(
    files(),
    st.sampled_from(["language", "part"]),
    st.sampled_from(["exclude", "as_unmet", "as_category"]),
    st.integers(1, 3),
    st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_a_group_taken_out_of_kinds_has_the_numbers_of_its_rows(
    frame: pd.DataFrame, column: str, mode: str, times: int, another: bool
) -> None:
    many = pd.concat([frame.assign(item=frame["item"] + f" {place}") for place in range(times)], ignore_index=True)
    if another:
        many = pd.concat([many, many.assign(judge="k", verdict=many["verdict"].iloc[::-1].to_numpy())], ignore_index=True)

    def told() -> str:
        try:
            found = slices(metrics.read(many, labels=LABELS), column, abstention=mode)
        except InputError as error:
            return str(error)
        return json.dumps(
            [found.to_dict(), {value: {k: v.to_dict() for k, v in found.parts[value].items()} for value in found.parts}]
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FEWEST_MERGED", 10**9)
        by_rows = told()
        patch.setattr(parts, "FEWEST_MERGED", 0)
        patch.setattr(parts, "LEAST_MERGED", 1)
        assert told() == by_rows


def _large(answers: tuple[str, ...], raters: tuple[str, ...], n: int = 400) -> pd.DataFrame:
    """Return a table of long form in whose groups every criterion, rater and label occurs, and most items are alike."""
    rng = np.random.default_rng(3)
    said = rng.choice(len(answers), (n, 2, len(raters)), p=np.array([6, *[2] * (len(answers) - 2), 1]) / (2 * len(answers) + 3))
    return pd.DataFrame(
        {"item": f"i{item}", "criterion": f"c{at}", "rater": name, "role": "judge" if name in "jk" else "human",
         "verdict": answers[said[item, at, place]], "language": ("de", "en", "fr")[item % 3]}
        for item in range(n) for at in range(2) for place, name in enumerate(raters)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "raters", "labels", "choices"),
    [
        (("yes", "no", "unsure"), ("ann", "j"), LABELS, {"abstention": "as_unmet"}),
        (("yes", "no", "unsure"), ("ann", "ben", "j"), LABELS, {}),
        (("yes", "no", "unsure"), ("ann", "ben", "j", "k"), LABELS | {"unsure": "tie"}, {"handling": {"tie": "exclude"}}),
        (("2", "1", "3"), ("ann", "j"), dict.fromkeys("123", "class"), {}),
        (
            ("cat", "dog", "bird"),
            ("ann", "ben", "cid", "j"),
            dict.fromkeys(("cat", "dog", "bird"), "class"),
            {"reference": "majority without ann"},
        ),
    ],
)
def test_a_group_with_everything_takes_the_patterns_of_the_file(
    answers: tuple[str, ...], raters: tuple[str, ...], labels: dict[str, str], choices: dict[str, Any]
) -> None:
    frame, taken = _large(answers, raters), []

    def told() -> str:
        found = slices(metrics.read(frame, labels=labels), "language", **choices)
        every = {value: {name: part.to_dict() for name, part in found.parts[value].items()} for value in found.parts}
        return json.dumps([found.to_dict(), every])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FEWEST_MERGED", 10**9)
        by_rows = told()
        patch.setattr(parts, "FEWEST_MERGED", 0)
        patch.setattr(parts, "LEAST_MERGED", 1)
        patch.setattr(parts, "with_times", lambda *of: taken.append(of) or with_times(*of))
        assert told() == by_rows
    assert len(taken) == 2 * 3 * sum(name in "jk" for name in raters)
