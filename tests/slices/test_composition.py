"""Groups that are made up otherwise than the file: of other criteria, of another prevalence, or with more left open."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.slices import readings
from metrics.analyses.slices.searching import MOST_FOUND
from metrics.measures.coefficients import cohen_kappa
from tests.slices.made import failing

ACCURACY = {"easy": 0.97, "hard": 0.7}


def rows_of(group: str, counts: dict[str, int], rng: np.random.Generator, *, prevalence: float = 0.5) -> list[dict[str, str]]:
    rows = []
    for criterion, n in counts.items():
        for place in range(n):
            met = rng.random() < prevalence
            said = met ^ (rng.random() > ACCURACY[criterion])
            rows.append(
                {"item": f"{group}{place}", "criterion": criterion, "topic": group, "human": "ny"[met], "verdict": "ny"[said]}
            )
    return rows


def read(rows: list[dict[str, str]]) -> metrics.Ratings:
    return metrics.read(pd.DataFrame(rows), labels={"y": "positive", "n": "negative"})


def table_of(frame: pd.DataFrame) -> np.ndarray:
    return np.array([[((frame.human == h) & (frame.verdict == v)).sum() for v in "yn"] for h in "yn"], float)


def test_the_mix_of_criteria_is_put_right_by_a_plain_loop() -> None:
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rows_of("law", {"easy": 60, "hard": 240}, rng) + rows_of("med", {"easy": 240, "hard": 60}, rng))
    report = metrics.slices(read(frame.to_dict("records")), "topic")
    judge = report.judges["judge"]
    shares = frame.criterion.value_counts()
    for each in judge.slices:
        own = frame[frame.topic == each.value]
        wanted = sum(table_of(part) / len(part) * shares[name] for name, part in own.groupby("criterion"))
        assert each.mixed == pytest.approx(float(cohen_kappa(wanted)), abs=1e-12)
        assert each.lacking == 0
    law = judge["law"]
    # The judge is as good on each criterion in both groups: law alone is asked the hard one more often.
    assert law.departs_pooled("kappa") < 0
    assert law.departs("kappa") == 0
    said = " ".join(readings.sentences(report, judge))
    assert f"Its criteria are in other shares than in the file; in those of the file κ would be {law.mixed:.2f}." in said
    assert "that of the errors" not in said
    standing = report.to_dict()["slices"]["law"]["standing"]["judge"]
    assert standing["at_mix_of_criteria"] == law.mixed


def test_a_group_that_is_not_asked_all_criteria_may_differ_by_what_is_asked() -> None:
    rng = np.random.default_rng(2)
    rows = rows_of("law", {"hard": 200}, rng) + rows_of("med", {"easy": 100, "hard": 100}, rng)
    judge = metrics.slices(read(rows), "topic").judges["judge"]
    assert (judge["law"].lacking, judge["med"].lacking) == (1, 0)
    assert np.isnan(judge["law"].mixed)
    assert "no decision on 1 criterion of the file, so it may differ by what is asked" in readings.departing(judge, judge["law"])


def test_equal_shares_are_not_named() -> None:
    rng = np.random.default_rng(3)
    rows = rows_of("law", {"easy": 100, "hard": 100}, rng) + rows_of("med", {"easy": 100, "hard": 100}, rng)
    assert all(np.isnan(each.mixed) for each in metrics.slices(read(rows), "topic").judges["judge"].slices)


def search_of(rows: list[dict[str, str]]):
    return metrics.slices(read(rows), [], find=True).searches["judge"]


def test_a_search_counts_all_groups_that_depart_and_names_the_furthest() -> None:
    rng = np.random.default_rng(4)
    rows = [row for place in range(8) for row in rows_of(f"t{place}", {("hard", "easy")[place % 2]: 150}, rng)]
    rows = [row | {"criterion": "one"} for row in rows]
    search = search_of(rows)
    assert search.n_departing == 8
    assert len(search.departing) == MOST_FOUND
    assert readings.search_reading(search).endswith(
        "8 groups of 8 groups of 1 column depart from the others, corrected for the search. The 5 furthest are named."
    )


def test_a_search_says_what_the_prevalence_explains() -> None:
    rng = np.random.default_rng(5)
    rows = rows_of("fr", {"easy": 300}, rng, prevalence=0.04) + rows_of("de", {"easy": 300}, rng)
    rows += rows_of("it", {"easy": 300}, rng)
    search = search_of(rows)
    (found,) = [each for each in search.departing if each.value == "fr"]
    assert found.matched > found.estimate.value
    said = readings.found_sentences(search)[search.departing.index(found)]
    assert said.endswith(f"At the prevalence of the others κ would be {found.matched:.2f}.")


def test_what_is_left_open_is_said_where_it_may_make_groups_differ() -> None:
    rng = np.random.default_rng(6)
    rows = [row for name in ("fr", "de", "it") for row in rows_of(name, {"hard": 150}, rng)]
    frame = pd.DataFrame(rows)
    frame.loc[(frame.topic == "fr") & (frame.human != frame.verdict), "verdict"] = "CANNOT_ASSESS"
    ratings = metrics.read(frame, labels={"y": "positive", "n": "negative"})
    report = metrics.slices(ratings, "topic", find=True)
    judge = report.judges["judge"]
    share = judge["fr"].coverage
    line = f"Coverage is {round(100 * share)}\u00a0% in ‘fr’ and 100\u00a0% in"
    assert any(sentence.startswith(line) for sentence in readings.sentences(report, judge))
    search = report.searches["judge"]
    assert search.departing
    for said, each in zip(readings.found_sentences(search), search.departing, strict=True):
        own, rest = f"{each.coverage:.0%}".replace("%", "\u00a0%"), f"{each.coverage_of_rest:.0%}".replace("%", "\u00a0%")
        assert f"Coverage is {own} here, {rest} elsewhere" in said


def test_a_column_made_of_the_answers_is_told_by_the_one_label_there() -> None:
    frame = failing()
    frame["votes"] = np.where((frame.verdict == "no") & (frame.index < 250), "many", np.where(frame.index % 2, "few", "some"))
    search = metrics.slices(metrics.read(frame), find=True).searches["judge"]
    told = dict(zip((each.value for each in search.departing), readings.found_sentences(search), strict=True))
    assert "There the judge answers only no, so the column may be made of the answers." in told["many"]
    assert "made of the answers" not in told["ja"]
