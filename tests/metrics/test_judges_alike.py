"""A judge's report is the same whoever else is judged, also where others answered alike; so is its place beside the leader."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics import InputError
from metrics.analyses.comparison.compute import compare_all

LABELS = {"yes": "positive", "no": "negative", "unsure": "abstention"}


@st.composite
def files(draw: st.DrawFn) -> pd.DataFrame:
    """Return judges of whom several answer alike, some of them on other items, beside one or two people."""
    n, criteria = draw(st.integers(3, 8)), draw(st.integers(1, 2))
    answers = st.sampled_from(["yes", "no", "no", "yes", "unsure", ""])
    cells = [(f"i{item}", f"c{criterion}") for item in range(n) for criterion in range(criteria)]
    rows = [
        (item, criterion, person, "human", label)
        for person in ("ann", "bob")[: draw(st.integers(1, 2))]
        for item, criterion in cells
        if (label := draw(answers))
    ]
    given_labels = [draw(st.lists(answers, min_size=len(cells), max_size=len(cells))) for _ in range(2)]
    for judge in range(4):
        labels = given_labels[draw(st.integers(0, 1))]
        order = draw(st.permutations(range(n))) if draw(st.booleans()) else range(n)
        own = dict(zip(cells, labels, strict=True))
        rows += [
            (item, criterion, f"j{judge}", "judge", label)
            for item, criterion in cells
            if (label := own[f"i{order[int(item[1:])]}", criterion])
        ]
    frame = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label"])
    return frame.assign(weight=[1 + int(item[1:]) % 2 for item in frame["item"]]) if draw(st.booleans()) else frame


@given(files(), st.sampled_from(["exclude", "as_unmet", "as_category"]), st.sampled_from(["auto", "jackknife", "none"]))
@settings(max_examples=40, deadline=None)
def test_a_judge_among_others_has_the_numbers_that_it_has_alone(frame: pd.DataFrame, mode: str, interval: str) -> None:
    try:
        ratings = metrics.read(frame, labels=LABELS)
        found = metrics.agreement(ratings, abstention=mode, interval=interval)
    except InputError:
        return
    for name, report in found.judges.items():
        try:
            alone = metrics.agreement(ratings, judges=[name], abstention=mode, interval=interval).judges[name]
        except InputError:
            assert not report.coverage.n_total
            continue
        assert report.name == name
        assert json.dumps(report.to_dict()) == json.dumps(alone.to_dict())


@given(files())
@settings(max_examples=15, deadline=None)
def test_what_is_said_of_one_judge_of_a_forest_is_what_its_lists_say(frame: pd.DataFrame) -> None:
    try:
        forest = compare_all(metrics.read(frame, labels=LABELS), "j0", replicates=49)
    except InputError:
        return
    corrected = dict(zip([one.b.name for one in forest.against], forest.corrected, strict=True))
    for one in forest.against:
        name = one.b.name
        assert forest.met[name] == (one, pytest.approx(corrected[name], nan_ok=True))
        level = 1 - one.settings.confidence
        different = one.difference.sign != 0 and corrected[name] <= level and not one.disagree
        assert (name in forest.different()) == different == forest.is_different(name)
        assert (name in forest.disputed) == (one.disagree and one.any_settled) == forest.is_disputed(name)
        assert (name in forest.undefined) == (not one.difference.defined and name not in forest.disputed)
