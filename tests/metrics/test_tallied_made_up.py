"""Made-up files with many identical items: intervals of every kind, pairs of judges and abstentions from a tally."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as tried
from hypothesis import strategies as st

import metrics
from metrics.analyses.abstention.nonresponse import by_criterion, by_label, decisions_of
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.settings import settings_of
from tests.tallies import tally_of, text_of

LABELS = st.sampled_from(["MET", "UNMET", "UNMET", "CANNOT_ASSESS", ""])
KINDS = st.tuples(st.sampled_from("xyz"), st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=3))


@pytest.mark.slow("all on rows and on their tally")
@tried(max_examples=8, deadline=None)
@given(st.lists(st.tuples(KINDS, st.integers(1, 6)), min_size=2, max_size=7), st.sampled_from(["auto", "jackknife", "bca"]))
def test_any_kinds_of_items_as_often_as_they_come(kinds: list, kind: str) -> None:
    every = [found for found, times in kinds for _ in range(times)]
    rows = [
        (f"i{n}", f"c{place}", name, role, label, topic)
        for n, (topic, said) in enumerate(every)
        for place, labels in enumerate(said)
        for (name, role), label in zip((("h", "human"), ("a", "judge"), ("b", "judge")), labels, strict=True)
    ]
    rows += [("last", "c0", name, role, "MET", "z") for name, role in (("h", "human"), ("a", "judge"), ("b", "judge"))]
    frame = pd.DataFrame(rows, columns=["item", "criterion", "rater", "role", "label", "topic"])
    how = {"labels": {"MET": "positive", "UNMET": "negative", "CANNOT_ASSESS": "abstention"}}
    told = []
    for ratings in (metrics.read(frame, **how), tally_of(frame, keep=("topic",), **how)):
        decisions = decisions_of(ratings, "a", "majority")
        found = [
            by_criterion(ratings, decisions),
            by_label(ratings.scheme, decisions),
            rank_judges(ratings, by="kappa").to_dict(),
        ]
        for unit in ("item", "topic", "hierarchical"):
            for ask in (
                lambda r, u=unit: metrics.agreement(r, interval=kind, unit=u, replicates=40).to_dict(),
                lambda r, u=unit: rank_judges(r, settings_of(r, unit=u), by="kappa").to_dict(),
                lambda r, u=unit: metrics.compare(r, "a", "b", unit=u, replicates=40).to_dict(),
            ):
                try:
                    found.append(ask(ratings))
                except metrics.InputError as error:
                    found.append(str(error))
        told.append(text_of(found))
    assert told[0] == told[1]
