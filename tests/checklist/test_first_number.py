"""A file whose scale is ordinal is read by quadratic κ first, in the checklist and beside independent decisions as elsewhere."""

from __future__ import annotations

import metrics
from metrics.analyses.leading import read_first
from metrics.analyses.planning.independence import spread_reading, spreads
from metrics.analyses.settings import settings_of
from metrics.report.checklist.compute import checklist
from metrics.results.words import number as number_of
from tests.one_number.made import CLASSES, GRADES, TWO, drawn, file_of

FIRST = "weighted_kappa_quadratic"
GRADED = file_of(drawn(16, 40, 2, 4, 0.4), GRADES, silent=0.1)


def evidence(ratings: metrics.Ratings, number: int, **how: str) -> str:
    return " ".join(checklist(metrics.agreement(ratings, **how)).practices[number - 1].evidence)  # type: ignore[arg-type]


def test_ordered_labels_are_read_by_quadratic_kappa() -> None:
    block = metrics.agreement(GRADED).judges["a"].micro
    own = f"κ quadratic {number_of(block.values[FIRST])} "
    assert f"; {own}" in evidence(GRADED, 3)
    assert "judges accuracy" in evidence(GRADED, 3)
    assert "and κ quadratic ranges from" in evidence(GRADED, 3)
    assert evidence(GRADED, 8).startswith(own)
    assert f"All decisions {own}" in evidence(GRADED, 10)
    assert "mean over 2 criteria κ quadratic" in evidence(GRADED, 10)
    assert "one verdict for each item κ undefined" in evidence(GRADED, 10)


def test_where_abstentions_are_a_class_or_labels_have_no_order_it_is_kappa() -> None:
    as_class = metrics.agreement(GRADED, abstention="as_category")
    assert read_first(as_class.judges["a"]) == "kappa"
    assert "quadratic" not in evidence(GRADED, 10, abstention="as_category")
    for names, k in ((CLASSES, 3), (TWO, 2)):
        ratings = file_of(drawn(16, 40, 2, k, 0.4), names, silent=0.1)
        assert not any("quadratic" in evidence(ratings, number) for number in (3, 8, 10))
        assert next(one.metric for one in spreads(ratings, "a", settings_of(ratings), "micro")) == "kappa"


def test_independent_decisions_stand_beside_items_for_it() -> None:
    for level in ("micro", "macro"):
        found = spreads(GRADED, "a", settings_of(GRADED), level)  # type: ignore[arg-type]
        assert [one.metric for one in found[:2]] == [FIRST, "kappa"]
        assert found[0].flat.ends is not None
        assert found[0].clustered.ends is not None
        assert "the interval of κ quadratic" in spread_reading(found, FIRST)
