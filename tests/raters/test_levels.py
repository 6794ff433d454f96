"""The level of measurement follows the confirmed scale of each criterion, in numbers, evidence, order and words."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

import metrics
from metrics.analyses.raters.adjudicating import disagreements
from metrics.analyses.raters.advice import short_step
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.levels import confirmed_words, pair_disagreement
from metrics.analyses.raters.provenance import citation, header
from metrics.analyses.raters.readings_evidence import WEIGHTED_NOTE, ambiguity_reading, training_reading
from metrics.errors import InputError
from tests.raters.made import rows

GRADES = ("1", "2", "3", "4", "5")
WORDS = ("poor", "fair", "good")


def near(n: int = 200, seed: int = 5) -> np.ndarray:
    """Three raters one grade off now and then, and a fourth always one above them but at the top."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, n)
    three = np.clip(truth[:, None] + rng.choice([-1, 0, 0, 0, 1], (n, 3)), 0, 4)
    return np.column_stack([three, np.clip(truth + 1, 0, 4)]).astype(np.int16)


def graded(codes: np.ndarray, **how) -> metrics.Ratings:
    return metrics.read(rows(codes, GRADES).encode(), **({"scale": "ordinal"} | how))


def mixed() -> metrics.Ratings:
    """Grades and words in one file: no order holds all labels."""
    rng = np.random.default_rng(2)
    grades = near(60)[:, :3]
    yes = (rng.random(60) < 0.5)[:, None] ^ (rng.random((60, 3)) < 0.1)
    text = rows(grades, GRADES, criterion=["grade"] * 60)
    text += "".join(rows(yes.astype(int), ("A", "B"), criterion=["kind"] * 60).splitlines(keepends=True)[1:])
    return metrics.read(text.encode(), labels=dict.fromkeys((*GRADES, "A", "B"), "class"))


def votes(codes: np.ndarray, k: int = 5) -> np.ndarray:
    return (codes[:, :, None] == np.arange(k)).sum(1)


@pytest.mark.parametrize(
    ("how", "level"),
    [
        ({"scale": "ordinal"}, "ordinal"),
        ({"scale": "nominal", "labels": dict.fromkeys(GRADES, "class")}, "nominal"),
        ({"scale": None, "order": list(GRADES)}, "ordinal"),
    ],
)
def test_alpha_is_at_the_level_of_the_scale_unless_asked_otherwise(how, level) -> None:
    codes = near()
    ratings = graded(codes, **how)
    report = metrics.raters(ratings)
    peer = krippendorff.alpha(value_counts=votes(codes), level_of_measurement=level)
    assert report.pooled.values["alpha"] == pytest.approx(peer, abs=1e-12)
    assert (report.level, report.criteria["c"].level, confirmed_words(ratings)) == (level, level, level)
    assert f"α at the {level} level" in report.summary()
    assert f"{level} level" in citation(report, "alpha")
    assert report.to_dict()["declaration"]["level"] == level
    for asked in ("nominal", "ordinal", "interval"):
        peer = krippendorff.alpha(value_counts=votes(codes), level_of_measurement=asked, value_domain=[1, 2, 3, 4, 5])
        assert metrics.raters(ratings, level=asked).pooled.values["alpha"] == pytest.approx(peer, abs=1e-12)


def test_two_labels_and_words_without_an_order_are_nominal() -> None:
    two = metrics.read(rows(near() // 3, ("MET", "UNMET")).encode())
    assert metrics.raters(two).level == "nominal"
    words = metrics.read(rows(near() // 2, WORDS).encode(), labels=dict.fromkeys(WORDS, "class"))
    assert metrics.raters(words).level == "nominal"
    ordered = metrics.read(rows(near() // 2, WORDS).encode(), labels=dict.fromkeys(WORDS, "class"), order=list(WORDS))
    assert metrics.raters(ordered).level == "ordinal"


def test_answers_without_a_verdict_as_a_class_have_no_place_in_an_order() -> None:
    ratings = graded(near())
    assert metrics.raters(ratings, abstention="as_category").level == "nominal"
    with pytest.raises(InputError, match="no place on the level ordinal"):
        metrics.raters(ratings, abstention="as_category", level="ordinal")


def test_each_criterion_has_its_own_level_where_they_differ() -> None:
    ratings = mixed()
    report = metrics.raters(ratings)
    assert {name: block.level for name, block in report.criteria.items()} == {"grade": "ordinal", "kind": "nominal"}
    assert report.pooled.level == "nominal"
    alone = metrics.raters(ratings.on_criteria(("grade",)))
    for key in ("alpha", "gwet_ac2", "percent_agreement"):
        assert report.criteria["grade"].values[key] == pytest.approx(alone.pooled.values[key], abs=1e-12)
    assert "α at the nominal level, on grade alone at the ordinal level" in header(report).text()
    assert "α at the ordinal level" in header(report, "grade").text()
    assert "pooled_alpha" not in [warning.code for warning in report.warnings]
    assert confirmed_words(ratings) == "nominal and ordinal"
    with pytest.raises(InputError, match="order="):
        metrics.raters(ratings, level="ordinal")


def test_a_rater_one_grade_off_is_trained_on_names_not_on_grades() -> None:
    codes = near()
    by_order = evidence(graded(codes)).criteria["c"]
    by_name = evidence(graded(codes), level="nominal").criteria["c"]
    assert [one.name for one in by_name.training.outliers] == ["r3"]
    assert short_step(by_name, "fails") == "Find out first why r3 differs from the others."
    assert by_order.training.raters[0].excess.value < by_name.training.raters[0].excess.value / 2
    assert not by_order.training.outliers
    assert "Train" not in short_step(by_order, "fails")
    assert by_order.ambiguity.weighted
    assert "their weighted disagreement is " in ambiguity_reading(by_order.ambiguity)
    assert " of pairs" not in ambiguity_reading(by_order.ambiguity)
    assert " of pairs" in ambiguity_reading(by_name.ambiguity)
    assert WEIGHTED_NOTE.startswith("Disagreement is weighted by distance")


def test_a_rater_at_the_other_end_is_apart_at_every_level() -> None:
    codes = near()
    codes[:, 3] = 4 - codes[:, 0]
    for level in (None, "nominal"):
        training = evidence(graded(codes), level=level).criteria["c"].training
        assert [one.name for one in training.outliers] == ["r3"]
    assert "the weighted disagreement of r3 with the others is " in training_reading(
        evidence(graded(codes)).criteria["c"].training
    )


def test_pairs_disagree_in_part_by_hand() -> None:
    # ordinal weights of three classes: 1 − s(s + 1)/2 of 3, so a step costs a third
    partial = np.array([[1, 2 / 3, 0], [2 / 3, 1, 2 / 3], [0, 2 / 3, 1]])
    found = np.array([[2, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    assert pair_disagreement(found, partial) == pytest.approx([0, 1 / 3, 1, (1 / 3 + 1 + 1 / 3) / 3])
    assert pair_disagreement(found, np.eye(3)) == pytest.approx(pair_disagreement(found))


def test_labels_far_apart_are_listed_before_those_side_by_side() -> None:
    codes = np.array([[0, 1], [0, 4], [2, 2], [1, 3]])
    found = disagreements(graded(codes))
    assert found.units.item.tolist() == [1, 3, 0, 2]
    assert found.weighted
    plain = disagreements(graded(codes), level="nominal")
    assert plain.units.item.tolist() == [0, 1, 3, 2]
    assert not plain.weighted
