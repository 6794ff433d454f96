"""A report said otherwise is the report made so from the start."""

from __future__ import annotations

import pytest

from metrics import InputError
from metrics.analyses.review.decisions import Decision, Review
from metrics.report.checklist.contents import Contents
from metrics.report.making import report_of, with_other_contents
from tests.checklist.opened import opened


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_other_words_on_the_same_numbers_are_the_report_made_anew(level: str) -> None:
    ratings = opened("support_answers")
    how = {
        "contents": Contents("lenient", level, ("phi", "mcc"), (), frozenset(("levels", "kappa"))),  # type: ignore[arg-type]
        "answers": {"task": "Support", "abstentions": "a third box"},
        "review": Review("f", "s", {"Cites a source": Decision("drop", "Ana", "why")}),
    }
    base = report_of(ratings, contents=Contents(level=level), reference="ana")  # type: ignore[arg-type]
    assert with_other_contents(base, **how).to_json() == report_of(ratings, reference="ana", **how).to_json()  # type: ignore[arg-type]
    assert with_other_contents(base, contents=Contents(level=level)).to_json() == base.to_json()  # type: ignore[arg-type]


def test_another_level_has_other_bounds_and_another_judge_must_be_there() -> None:
    base = report_of(opened("support_answers"))
    with pytest.raises(InputError, match="level micro"):
        with_other_contents(base, contents=Contents(level="macro"))
    with pytest.raises(InputError, match="nobody"):
        with_other_contents(base, contents=Contents(judge="nobody"))
