"""What a report rests on: for every kind of data, and the same as `metrics` computes on its own."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.relation import relation
from metrics.analyses.settings import settings_of
from metrics.data.part import counted
from metrics.report.checklist.contents import Contents
from metrics.report.checklist.gathering import by_judges, findings
from tests.checklist.opened import NAMES, opened


def table(rows: Sequence[str], **how: Any) -> metrics.Ratings:
    return metrics.read(io.BytesIO("\n".join(rows).encode()), **how)


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_data_is_gathered(name: str) -> None:
    ratings = opened(name)
    found = findings(ratings)
    assert found.scales is not None
    if not (ratings.humans and ratings.judges):
        assert found.agreement is None
        assert (found.humans or found.between) is not None
        return
    part = counted(ratings)
    assert (found.agreement is None) == (part is None)
    assert found.agreement is not None or found.scores is not None
    if found.agreement is None or part is None:
        return
    whole = metrics.agreement(part)
    assert found.agreement.to_json() == whole.to_json()
    assert set(found.relations) == set(found.bounds) == set(whole.judges)
    assert (found.matrices is None) == (len(ratings.judges) < 2)
    assert (found.between is None) == (len(ratings.judges) < 2)
    assert (found.humans is None) == (len(ratings.humans) < 2)
    assert (found.scores is None) == (not found.scales.of("ordinal", "continuous"))


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_bounds_and_relations_are_those_of_the_choices(level: Any) -> None:
    ratings = opened("support_answers")
    found = findings(ratings, Contents(level=level), reference="ana", judges=["lenient", "cautious"], confidence=0.9)
    settings = settings_of(ratings, reference="ana", confidence=0.9)
    assert list(found.bounds) == ["lenient", "cautious"]
    for name in found.bounds:
        assert found.bounds[name] == bounds(ratings, name, settings, level)
        assert found.relations[name] == tuple(relation(ratings, name, settings, side) for side in ("judge", "human"))
    assert found.matrices is not None
    assert set(found.matrices.judges) == {"lenient", "cautious"}


def test_choices_reach_every_number() -> None:
    ratings = opened("support_answers")
    found = findings(ratings, abstention="as_category", cost="halfway", interval="none")
    assert found.settings is not None
    assert found.settings.cost is not None
    for report in (found.humans, found.between):
        assert report is not None
        assert report.declaration.abstention == "as_category"
        assert not report.pooled.intervals
    assert found.agreement is not None
    assert "weighted_kappa" in found.agreement.judges["lenient"].micro.values
    assert not found.agreement.judges["lenient"].micro.intervals
    assert found.matrices is not None
    assert found.matrices.cost == found.settings.cost


def test_judges_who_are_not_asked_for_do_not_agree_with_anybody() -> None:
    ratings = opened("support_answers")
    two = findings(ratings, judges=["lenient", "strict"])
    assert two.between is not None
    assert set(two.between.raters) == {"lenient", "strict"}
    only = metrics.raters(by_judges(ratings, ["lenient", "strict"]), role="judge")
    assert two.between.pooled.values["alpha"] == only.pooled.values["alpha"]
    assert len(by_judges(ratings, ["lenient"]).judges) == 1
    assert findings(ratings, judges=["lenient"]).between is None


def mixed() -> metrics.Ratings:
    """Yes/no, grades, scores and words, twelve items each."""
    head = "item,criterion,judge,human,verdict"
    rows = [f"i{i},met,j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 2 else 'UNMET'}" for i in range(12)]
    rows += [f"i{i},grade,j,{1 + i % 4},{1 + (i + i % 2) % 4}" for i in range(12)]
    rows += [f"i{i},score,j,{i / 7:.4f},{(i + i % 3) / 7:.4f}" for i in range(12)]
    rows += [f"i{i},word,j,{'red' if i % 2 else 'blue'},{('red', 'blue', 'green')[i % 3]}" for i in range(12)]
    return table(
        [head, *rows],
        labels=dict.fromkeys(("1", "2", "3", "4", "red", "blue", "green"), "class"),
        scale={"met": "binary", "grade": "ordinal", "score": "continuous", "word": "nominal"},
    )


def test_a_mixed_rubric_keeps_its_scales_apart_and_says_what_it_leaves_out() -> None:
    ratings = mixed()
    found = findings(ratings)
    assert found.agreement is not None
    assert found.scores is not None
    assert found.numbers is not None
    assert found.agreement.declaration.criteria == ("met",)
    assert found.scores.declaration.criteria == ("grade",)
    assert found.numbers.declaration.criteria == ("score",)
    assert found.left_out_criteria == ("word",)
    alone = metrics.scores(ratings.on_criteria(["score"]))
    assert found.numbers.judges["j"].pooled.values == alone.judges["j"].pooled.values
    narrowed = findings(ratings.on_criteria(["grade", "score"]))
    assert narrowed.left_out_criteria == ("met", "word")
    assert narrowed.agreement is not None
    assert narrowed.agreement.declaration.criteria == ("grade",)


def test_weights_of_one_scale_do_not_stop_the_others() -> None:
    found = findings(mixed(), weights={"met": 2, "grade": -1}, abstention="as_unmet", interval="bootstrap", unit="decision")
    assert found.settings is not None
    assert dict(found.settings.item_rule.weights) == {"met": 2}
    assert found.scores is not None
    assert found.scores.reversed == ("grade",)
    with pytest.raises(metrics.InputError, match="nowhere"):
        findings(mixed(), weights={"nowhere": 2})
    with pytest.raises(metrics.InputError, match="nobody"):
        findings(mixed(), judges=["nobody"])


def test_groups_are_the_columns_above_the_item() -> None:
    rows = [f"i{i},p{i // 2},x{i},{i % 5},j,{'MET' if i % 3 else 'UNMET'},MET" for i in range(20)]
    found = findings(table(["item,prompt,own,slot,judge,human,verdict", *rows]), unit="prompt")
    assert found.groups == {"prompt": (10, 20), "slot": (5, 20)}
    assert found.settings is not None
    assert found.settings.unit == "prompt"


def test_a_table_of_counts_has_neither_raters_nor_groups() -> None:
    found = findings(opened("rao_abstention"))
    assert found.humans is found.between is found.matrices is None
    assert not found.groups
    assert found.agreement is not None
    assert found.bounds["judge"].n_open == 30


def test_one_sided_and_empty_criteria_are_gathered() -> None:
    rows = [f"i{i},{c},j,{'CANNOT_ASSESS' if c == 'open' else 'MET'},MET" for i in range(6) for c in ("all", "open")]
    found = findings(table(["item,criterion,judge,human,verdict", *rows]))
    assert found.agreement is not None
    assert all(np.isnan(block.values["phi"]) for block in found.agreement.judges["j"].criteria.values())
    assert found.relations["j"][1].v.undefined
