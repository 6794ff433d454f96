"""Groups of items with weights: numbers of the file filtered by hand, those of repeated rows, and tests between groups."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.slices.result import JudgeSlices
from metrics.commands.options import by_groups

CRITERIA = ("a", "b")


def drawn(seed: int, n: int = 90, weights: tuple[float, ...] = (1, 3), criteria: tuple[str, ...] = CRITERIA) -> pd.DataFrame:
    """Return items of which the hard ones, which the judge often fails, are drawn more often than they are."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(n):
        weight = weights[item % len(weights)]
        own = {"item": f"i{item}", "lang": "xyz"[int(rng.integers(3))], "topic": "st"[int(rng.integers(2))], "weight": weight}
        for criterion in criteria:
            human = rng.random() < 0.6
            said = human ^ (rng.random() < (0.35 if weight == min(weights) else 0.08))
            rows.append(own | {"criterion": criterion, "human": ("no", "yes")[human], "verdict": ("no", "yes")[said]})
    return pd.DataFrame(rows)


def of_judge(report: metrics.SliceReport) -> JudgeSlices:
    (judge,) = report.judges.values()
    return judge


def sliced(frame: pd.DataFrame, by: str = "lang", **choices: object) -> metrics.SliceReport:
    return metrics.slices(metrics.read(frame), by, **choices)


@pytest.mark.slow("twelve made-up files")
@given(st.integers(0, 999), st.sampled_from(["lang", "criterion"]), st.sampled_from([(1, 3), (1, 2.5, 7), (4, 4, 1)]))
@settings(max_examples=12, deadline=None)
def test_a_group_has_the_weighted_numbers_of_the_file_filtered_to_it(seed: int, by: str, weights: tuple[float, ...]) -> None:
    frame = drawn(seed, 40, weights)
    judge = of_judge(sliced(frame, by))
    assert judge.weights == "weight"
    for value in sorted(set(frame[by])):
        (alone,) = metrics.agreement(metrics.read(frame[frame[by] == value])).judges.values()
        numbers = alone.micro.estimates if alone.weighted is None else alone.weighted.estimates
        for key, estimate in judge[value].estimates.items():
            assert estimate.ends == numbers[key].ends
            assert estimate.value == numbers[key].value or math.isnan(estimate.value)
        assert (judge[value].n, judge[value].n_items) == (alone.micro.n, alone.n_used)


@pytest.mark.parametrize("by", ["lang", "criterion"])
def test_whole_weights_give_the_values_of_repeated_rows(by: str) -> None:
    frame = drawn(4)
    repeated = pd.concat(
        [frame[frame.weight > copy].assign(item=frame.item + f"-{copy}") for copy in range(3)], ignore_index=True
    ).drop(columns="weight")
    by_weight, plain = (of_judge(sliced(one, by)) for one in (frame, repeated))
    for each in by_weight.slices:
        for key, estimate in each.estimates.items():
            assert estimate.value == pytest.approx(plain[each.value][key].value, abs=1e-12), key
        assert each.matched == pytest.approx(plain[each.value].matched, abs=1e-12)
    assert {key: by_weight.numbers[key].value for key in by_weight.slices[0].estimates} == pytest.approx(
        {key: plain.numbers[key].value for key in by_weight.slices[0].estimates}
    )


@pytest.mark.parametrize("by", ["lang", "criterion"])
def test_the_unit_of_weights_changes_nothing(by: str) -> None:
    frame = drawn(5)
    one, other = (of_judge(sliced(frame.assign(weight=frame.weight * times), by)) for times in (1, 40))
    assert one.test.q == pytest.approx(other.test.q)
    assert one.test.p == pytest.approx(other.test.p, abs=0.003)
    for each in one.slices:
        assert each.z["kappa"] == pytest.approx(other[each.value].z["kappa"])
        assert each.pooled["kappa"] == pytest.approx(other[each.value].pooled["kappa"])


def test_a_group_whose_hard_items_alone_were_drawn_more_often_is_not_below_the_others() -> None:
    """Errors are alike where items are alike; in one language the hard ones were drawn ten times as often."""
    rows = []
    for lang, n_hard in (("x", 200), ("y", 20), ("z", 20)):
        for hard, n in ((True, n_hard), (False, 180)):
            for place in range(n):
                human, wrong = place % 2, place % (2.5 if hard else 20) < 1
                rows.append(
                    {
                        "item": f"{lang}{hard}{place}", "lang": lang, "human": ("no", "yes")[human],
                        "verdict": ("no", "yes")[human ^ wrong], "weight": 20 / n_hard if hard else 1,
                    }
                )  # fmt: skip
    frame = pd.DataFrame(rows)
    plain, by_weight = of_judge(sliced(frame.drop(columns="weight"))), of_judge(sliced(frame))
    assert [each.value for each in plain.below] == ["x"]
    assert not by_weight.departing
    assert by_weight["x"]["kappa"].value == pytest.approx(by_weight["y"]["kappa"].value, abs=0.02)


def test_the_text_says_by_what_items_count() -> None:
    frame = drawn(6).assign(ward=lambda frame: frame.lang + frame.topic)
    for unit in ("item", "ward"):
        text = sliced(frame, unit=unit).summary()
        assert "Items count by ‘weight’ in the numbers of groups, their tests and their order." in text


def test_versions_of_weighted_items_are_paired_by_weight() -> None:
    """Where no hard item was drawn more often than another, the difference is that of repeated rows."""
    frame = drawn(7, criteria=("a",))
    again = frame.assign(verdict=np.where(np.arange(len(frame)) % 5 == 0, frame.human, frame.verdict))
    both = pd.concat([frame.assign(prompt="v1"), again.assign(prompt="v2")], ignore_index=True)
    (step,) = _by_version(both).steps
    rows = pd.concat([both[both.weight > copy].assign(item=both.item + f"-{copy}") for copy in range(3)], ignore_index=True)
    (plain,) = _by_version(rows.drop(columns="weight")).steps
    assert (step.a, step.b, step.difference.value) == pytest.approx((plain.a, plain.b, plain.difference.value))
    assert (step.paired, step.n_shared) == ("decisions", len(frame))
    comparison = metrics.compare(metrics.read(both, columns={"judge": "prompt"}), "v1", "v2", "kappa", replicates=9)
    assert step.difference.ends == pytest.approx(comparison.weighted.difference.ends)


def _by_version(frame: pd.DataFrame) -> JudgeSlices:
    return of_judge(metrics.slices(metrics.read(frame, columns={"run": "prompt"}), "prompt"))


def test_a_group_that_fails_is_found_by_weight_with_its_weighted_number() -> None:
    frame = drawn(8, 200, criteria=("a",))
    flipped = (frame.lang == "x") & (np.arange(len(frame)) % 3 > 0)
    frame.loc[flipped, "verdict"] = np.where(frame.human[flipped] == "yes", "no", "yes")
    report = metrics.slices(metrics.read(frame), find=True)
    (found, *_) = next(iter(report.searches.values())).departing
    assert (found.by, found.value) == ("lang", "x")
    assert found.estimate.value == of_judge(sliced(frame))["x"]["kappa"].value
    (rest,) = metrics.agreement(metrics.read(frame[frame.lang != "x"])).judges.values()
    assert found.rest == pytest.approx(rest.weighted.estimates["kappa"].value)
    json.dumps(report.to_dict(), allow_nan=False)


def test_other_reports_of_groups_are_compared_by_their_weighted_numbers() -> None:
    frame = drawn(9, 120)
    judges = pd.concat([frame.assign(judge="A"), frame.assign(judge="B", verdict=frame.human.where(frame.index % 4 > 0, "yes"))])
    compared = by_groups(metrics.read(judges), ("lang",), (), lambda part: metrics.compare(part, "A", "B", replicates=9))
    for value, part in compared.parts.items():
        assert compared.numbers["difference"][value].estimate == part.weighted.difference
    people = pd.concat([frame.assign(rater=name, label=frame[name]) for name in ("human", "verdict")]).drop(
        columns=["human", "verdict"]
    )
    rated = by_groups(metrics.read(people, roles={"human": "human", "verdict": "human"}), ("lang",), (), metrics.raters)
    for value, part in rated.parts.items():
        assert rated.numbers["alpha"][value].estimate == part.pooled.weighted.estimates["alpha"]
