"""A table of a file in the lab has the numbers of the page it comes from, for every mode, level and handling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import metrics
from metrics.analyses.settings import settings_of
from metrics.content.lab import provenance, readings
from metrics.content.lab.linked import of_judge, of_side, of_table
from metrics.content.lab.scenes import Scene, from_address
from metrics.content.lab.tables import MOST, ConfusionTable
from metrics.data.abstention import MODES
from tests.conftest import paired, ratings_of
from tests.metrics.every_kind import counted, every_handling, sides

LABELS = ("MET", "UNMET", "CANNOT_ASSESS")


def wanted(ratings: metrics.Ratings, mode: str, handling: dict[str, str]):
    return settings_of(ratings, abstention=mode, handling=handling, judges=["j"], interval="none")


def head(scene: Scene) -> str:
    return " ".join(provenance.header(scene.picture).bold.split())


@pytest.mark.parametrize(("mode", "handling"), [(mode, own) for mode in MODES for own in every_handling(mode)], ids=str)
def test_the_picture_has_the_table_of_the_report(mode, handling) -> None:
    human, judge = sides(7, n=80)
    ratings = paired(human, judge)
    own = wanted(ratings, mode, handling)
    report = metrics.agreement(ratings, abstention=mode, handling=handling, interval="none")
    its = report.judges["j"]
    failed = its.coverage.n_errors if handling["error"] != "exclude" else 0
    for criterion, block in ((None, its.micro), ("c1", its.criteria["c1"])):
        scene = of_judge(ratings, "j", own, "micro", criterion)
        np.testing.assert_array_equal(scene.picture.counts, block.confusion)
        assert scene.picture.values["kappa"] == block.values["kappa"]
        assert from_address(scene.address()) == scene
        column = slice(None) if criterion is None else slice(1, 2)
        cells = [np.ravel([row[column] for row in side]) for side in (human, judge)]
        assert scene.picture.n == len(counted(*cells, mode, handling)) == block.n
        total = scene.a.n + scene.left
        assert total == (its.coverage.n_total + failed if criterion is None else sum(answered(*cells, handling)))
        assert scene.left == 0 or mode != "exclude"
    items = of_judge(ratings, "j", own, "item")
    np.testing.assert_array_equal(items.picture.counts, its.item.confusion)
    assert (items.unit, items.a.n + items.left) == ("items", ratings.n_items)


def answered(human, judge, handling):
    return [h is not None and (j != "ERR" or handling["error"] != "exclude") for h, j in zip(human, judge, strict=True)]


def test_what_the_lab_declares_is_what_the_page_declares() -> None:
    ratings = paired(*sides(7, n=80))
    coverage = metrics.agreement(ratings, interval="none").judges["j"].coverage
    scene = of_judge(ratings, "j", wanted(ratings, "exclude", {}))
    assert scene.a.coverage == coverage.coverage < 1
    share = " ".join(readings.part(coverage.coverage).split())
    extent = f"one table of {coverage.n_covered} of {coverage.n_total} decisions"
    assert head(scene) == f"Binary · abstentions excluded, coverage {share} · {extent}."
    recoded = of_judge(ratings, "j", wanted(ratings, "as_unmet", {}))
    assert recoded == replace(scene, mode="as_unmet")
    assert head(recoded) == f"Binary · abstentions counted as UNMET · one table of {coverage.n_total} decisions."
    ties = round(sum(coverage.tie_rate.values()) * coverage.n_total)
    without = of_judge(ratings, "j", wanted(ratings, "as_unmet", {"tie": "exclude"}))
    assert 0 < without.left <= ties
    assert head(without) == (
        f"Binary · abstentions counted as UNMET, {without.left} of {coverage.n_total} decisions left out · "
        f"one table of {coverage.n_total - without.left} decisions."
    )


def test_items_are_called_items() -> None:
    ratings = paired(*sides(7, n=80))
    item = metrics.agreement(ratings, interval="none").judges["j"].item
    scene = of_judge(ratings, "j", wanted(ratings, "exclude", {}), "item")
    assert scene.a.coverage == item.more["coverage"]["coverage"]
    assert f"{item.n} of {item.more['coverage']['n_total']} items." in head(scene)
    recoded = of_judge(ratings, "j", wanted(ratings, "as_unmet", {}), "item")
    assert not recoded.a.abstains
    assert head(recoded).startswith("Binary · abstentions counted as UNMET")
    assert readings.mosaic_heading(recoded.picture).endswith("items")
    assert "decisions" not in head(recoded) + provenance.citation(recoded.picture, "kappa")


@pytest.mark.parametrize("handling", [{}, {"tie": "exclude"}], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_another_mode_of_item_verdicts_claims_only_what_the_lab_has_done(mode, handling) -> None:
    ratings = paired(*sides(7, n=80))
    scene = of_judge(ratings, "j", wanted(ratings, mode, handling), "item")
    assert scene.recoded == (mode == "as_unmet")
    if scene.recoded:
        assert "counted as UNMET before this table was made" in provenance.recoded_note(scene.picture)
        return
    folded = replace(scene, mode="as_unmet")
    page = metrics.agreement(ratings, abstention="as_unmet", handling=handling, interval="none").judges["j"].item
    assert np.array_equal(folded.picture.counts, page.confusion) == (not handling), "left out answers are not recoded ones"
    assert head(folded).startswith("Binary · items without a verdict counted as UNMET, ")
    assert "abstentions" not in head(folded)
    assert "before the items are judged can give another table" in provenance.header(folded.picture).rest
    assert head(replace(scene, mode="as_category")).startswith("Binary · items without a verdict kept as a class, ")
    assert head(replace(scene, mode="exclude")).startswith("Binary · abstentions excluded, coverage ")


@pytest.mark.parametrize("level", ["micro", "item"])
@pytest.mark.parametrize("mode", MODES)
def test_where_nobody_abstained_nothing_is_said_of_it(mode, level) -> None:
    ratings = paired([["MET", "UNMET"]] * 6 + [["MET", "MET"]] * 4, [["MET", "UNMET"]] * 4 + [["MET", "MET"]] * 6)
    scene = of_judge(ratings, "j", wanted(ratings, mode, {}), level)
    assert (scene.mode, scene.left) == ("exclude", 0)
    assert head(scene).startswith("Binary · no abstentions · one table of")


@pytest.mark.parametrize(
    "handling", [{}, {"tie": "exclude"}, {"invalid": "as_unmet"}, {"tie": "exclude", "error": "as_unmet"}], ids=str
)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("level", "criterion"), [("micro", None), ("micro", "c1"), ("item", None)])
def test_each_of_two_judges_has_its_own_table(mode, level, criterion, handling) -> None:
    human, first = sides(7, n=60)
    second = sides(8, n=70)[1]
    said_by = {"h": human, "one": first[:50], "two": second[5:60]}
    rows = [
        (f"i{i + 5 * (name == 'two')}", f"c{c}", name, "human" if name == "h" else "judge", label)
        for name, lists in said_by.items()
        for i, labels in enumerate(lists)
        for c, label in enumerate(labels)
    ]
    ratings = ratings_of(rows)
    one = metrics.compare(
        ratings, "one", "two", abstention=mode, level=level, criterion=criterion, handling=handling, replicates=10
    )
    for side in (one.a, one.b):
        scene = of_side(ratings, one, side)
        np.testing.assert_array_equal(scene.picture.counts, side.block.confusion)
        assert scene.unit == ("items" if level == "item" else "decisions")
        assert scene.a.n + scene.left == side.block.n == one.n_shared - one.outcomes["open"]
        assert scene.a.coverage == pytest.approx(1) or mode != "exclude"


@pytest.mark.parametrize(
    "confusion",
    [
        None, [[0, 0], [0, 0]], np.zeros((3, 3)), np.ones((4, 4)), [[MOST + 1, 0], [0, 1]], [[2]],
        [[0, 0, 4], [0, 0, 0], [0, 0, 0]],
    ],
)  # fmt: skip
def test_what_the_lab_cannot_draw_is_no_scene(confusion) -> None:
    assert of_table(confusion) is None


def test_classes_and_counts_without_items_are_no_scene() -> None:
    three = ratings_of(
        [("a", "c", "h", "human", "x"), ("a", "c", "j", "judge", "y")], kinds=dict.fromkeys("xyz", "class")
    )  # fmt: skip
    assert of_judge(three, "j", wanted(three, "exclude", {})) is None
    rows = [("a", "c", "h", "human", "MET"), ("a", "c", "j", "judge", "MET")]
    counts = ratings_of(rows, multiplicity=[9])
    assert of_judge(counts, "j", wanted(counts, "exclude", {})).a == ConfusionTable((9, 0, 0, 0))
    assert of_judge(counts, "j", wanted(counts, "exclude", {}), "item") is None


def test_a_table_as_it_is() -> None:
    plain_one = of_table([[45, 5], [95, 855]])
    assert plain_one == Scene("", ConfusionTable((45, 5, 95, 855)))
    assert plain_one.address()["lab_a"] == "45_5_95_855"
    assert of_table([[45, 5], [95, MOST]], ("yes", "no")).words == ("yes", "no", "CANNOT_ASSESS")
    three, silent = [[30, 10, 5], [10, 20, 5], [5, 5, 10]], ConfusionTable((30, 10, 10, 20), (5, 5, 5, 5, 10))
    assert of_table(three, LABELS, "as_category") == Scene("", silent, mode="as_category")
    assert of_table(three, ("MET", "UNMET", "NA")).words == ("MET", "UNMET", "NA")
    nobody = [[30, 10, 0], [10, 20, 0], [0, 0, 0]]
    assert of_table(nobody, LABELS, "as_category") == Scene("", ConfusionTable((30, 10, 10, 20)))
    left = of_table([[45, 5], [95, 855]], total=1200)
    assert head(left) == "Binary · 200 of 1 200 decisions left out · one table of 1 000 decisions."


def test_labels_arrive_as_they_left_and_apart() -> None:
    long = "the answer is entirely right, says {} of the raters"
    labels = long.format("one"), long.format("two"), "<b>~ no verdict & more</b>"
    scene = of_table([[1, 2, 3], [4, 5, 6], [7, 8, 9]], labels, "as_category")
    words = from_address(scene.address()).words
    assert len(set(words)) == 3
    assert max(map(len, words)) <= 28
    assert words[2] == "<b>  no verdict & more</b>"
