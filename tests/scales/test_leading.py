"""Ordered labels are read by κ that counts distance first, everywhere, and by the number that `scores` gives."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.agreement.compute import Settings
from metrics.analyses.comparison.compute import question_of
from metrics.analyses.comparison.pairwise import comparable
from metrics.analyses.leading import leading
from metrics.analyses.multiverse.compute import space_of
from metrics.report.document import Figure
from metrics.report.making import report_of
from metrics.report.parts import keys_of

KEY = "weighted_kappa_quadratic"


def likert(criteria: int = 2, labels: str = "12345", **options: object) -> metrics.Ratings:
    """A judge and another beside one human, both mostly within one step of it."""
    rng = np.random.default_rng(3)
    rows = ["item,criterion,judge,human,verdict"]
    for item in range(60):
        for criterion in range(criteria):
            human = int(rng.integers(len(labels)))
            for judge in ("a", "b"):
                said = int(np.clip(human + rng.integers(-1, 2), 0, len(labels) - 1))
                rows.append(f"i{item},c{criterion},{judge},{labels[human]},{labels[said]}")
    return metrics.read("\n".join(rows).encode(), labels=dict.fromkeys(labels, "class"), **options)


@pytest.mark.parametrize("criteria", [1, 3])
def test_agreement_and_scores_give_one_number_with_one_interval(criteria: int) -> None:
    ratings = likert(criteria)
    report, scores = metrics.agreement(ratings).judges["a"], metrics.scores(ratings).judges["a"]
    pairs = [(report.micro, scores.pooled), (report.macro, scores.mean), (report.criteria["c0"], scores.criteria["c0"])]
    for block, other in pairs:
        assert next(iter(block.values)) == KEY
        assert block.values[KEY] == other.values[KEY]
        assert block[KEY].ends == other[KEY].ends is not None
        assert block.values[KEY] > block.values["kappa"]


def test_the_summary_names_the_distance_first_and_only_where_there_is_one() -> None:
    said = metrics.agreement(likert()).summary()
    assert 0 < said.index("κ, quadratic weights") < said.index("Cohen’s κ")
    for ratings in (likert(labels="abc"), likert(labels="12")):
        assert leading(ratings) == "kappa"
        assert "quadratic" not in metrics.agreement(ratings).summary()
    ordered = likert(labels="abc", order=["c", "a", "b"])
    assert leading(ordered) == KEY
    assert metrics.agreement(ordered).judges["a"].micro.values[KEY] == metrics.scores(ordered).judges["a"].pooled.values[KEY]


def test_an_abstention_as_a_class_has_no_distance() -> None:
    ratings = likert()
    assert leading(ratings, "as_category") == "kappa"
    assert KEY not in metrics.agreement(ratings, abstention="as_category").judges["a"].micro.values


def test_comparing_every_choice_and_planning_start_from_the_same_number() -> None:
    ratings = likert()
    assert comparable(ratings, "exclude")[0] == KEY
    assert (question_of(ratings, None, None, None).metric, question_of(ratings, None, None, None).level) == (KEY, "macro")
    assert (question_of(ratings, None, None, "c0").metric, question_of(ratings, None, None, "c0").level) == (KEY, "micro")
    found = metrics.compare(ratings, "a", "b")
    report = metrics.agreement(ratings, interval="none").judges
    assert found.metric == KEY
    assert found.difference.value == pytest.approx(report["b"].macro.values[KEY] - report["a"].macro.values[KEY])
    assert space_of(ratings, "a", Settings(judges=("a",)), "micro").metrics()[0] == KEY
    words = likert(labels="abc")
    assert comparable(words, "exclude")[0] == "kappa"
    assert question_of(words, None, None, None).metric == "kappa_within"
    assert space_of(words, "a", Settings(judges=("a",)), "micro").metrics()[0] == "kappa"


def test_the_report_reads_the_distance_first_and_only_of_ordered_labels() -> None:
    for ratings, there in ((likert(), True), (likert(labels="abc"), False)):
        report = report_of(ratings)
        material = report.material
        assert material.headline is not None
        assert (keys_of(material, material.headline.micro)[0] == KEY) is there
        drawn = [part for section in report.document().sections for part in section.parts if isinstance(part, Figure)]
        assert {"κ quadratic": True, "κ": False}[next(own.shows["symbol"] for own in drawn if own.kind == "criteria")] is there
        assert ("quadratically weighted κ" in report.methods) is there


def test_judges_of_ordered_labels_are_ranked_by_the_distance_until_asked_otherwise() -> None:
    ratings, words = likert(), likert(labels="abc")
    ranking, values = metrics.rank_judges(ratings), metrics.agreement(ratings, interval="none").judges
    assert (ranking.by, ranking.keys[0]) == (KEY, KEY)
    assert [one.values[KEY] for one in ranking.order] == sorted((its.micro.values[KEY] for its in values.values()), reverse=True)
    assert metrics.rank_judges(ratings, by="kappa").by == "kappa"
    assert metrics.rank_judges(words).by == "balanced_accuracy"
    assert KEY not in metrics.rank_judges(words).keys
