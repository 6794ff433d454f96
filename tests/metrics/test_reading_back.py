"""A report goes to JSON and comes back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.agreement.tables import counted
from metrics.analyses.records import AgreementReport

SAMPLES = Path(__file__).resolve().parents[2] / "assets"


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLES / "support_answers.csv")


def there_and_back(report: AgreementReport) -> AgreementReport:
    text = report.to_json()
    found = AgreementReport.from_json(text)
    assert found.to_json() == text
    assert found.to_dict() == report.to_dict()
    assert json.loads(json.dumps(report.to_dict(), allow_nan=False)) == report.to_dict()
    return found


NUMBERS = "item,criterion,human,verdict,human_score,score\n" + "".join(
    f"q{n},c{n % 2},{n % 5},{(n * n + n) % 5},{n % 7},{(3 * n) % 7}\n" for n in range(40)
)
EVERY_KIND = {
    "raters": lambda own, _: metrics.raters(own),
    "raters, of judges": lambda own, _: metrics.raters(own, role="judge", abstention="as_category"),
    "raters, without intervals": lambda own, _: metrics.raters(own, interval="none"),
    "roc": lambda own, _: metrics.roc(own),
    "scores of labels": lambda _, steps: metrics.scores(steps, values={"0": 0, "1": 1, "2": 2, "3": 3, "4": 9}),
    "scores of labels with costs": lambda _, steps: metrics.scores(steps, cost=np.abs(np.subtract.outer(range(5), range(5)))),
    "scores of numbers": lambda _, steps: metrics.scores(steps, on="score"),
    "item scores": lambda _, steps: metrics.item_scores(steps, weights={"c0": 2.0}),
    "raters on steps": lambda _, steps: metrics.raters(with_second(steps), level="interval"),
}


def with_second(steps: metrics.Ratings) -> metrics.Ratings:
    """Two judges on the same items."""
    rows = [f"q{n},{n % 5},{(n * n + n) % 5},{(n + 1) % 5}\n" for n in range(40)]
    text = "item,human,a,b\n" + "".join(rows)
    columns = {"human:human": "human", "judge:a": "a", "judge:b": "b"}
    return metrics.read(text.encode(), columns=columns, order=list(steps.scheme.order), scale="ordinal")


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_every_kind_of_report(ratings, kind: str) -> None:
    steps = metrics.read(NUMBERS.encode(), order=["0", "1", "2", "3", "4"])
    report = EVERY_KIND[kind](ratings, steps)
    text = report.to_json()
    back = type(report).from_json(text)
    assert back.to_json() == text
    assert back.to_dict() == report.to_dict()
    assert back.summary() == report.summary()
    pd.testing.assert_frame_equal(back.to_frame(), report.to_frame())
    with pytest.raises(metrics.InputError, match="no report of agreement"):
        AgreementReport.from_json(text)


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
@pytest.mark.parametrize("level", ["micro", "macro", "item"])
def test_comparisons(ratings, mode: str, level: str) -> None:
    a, b = ratings.judges[:2]
    one = metrics.compare(ratings, a, b, level=level, abstention=mode, replicates=50)
    forest = metrics.compare_all(ratings, level=level, abstention=mode, replicates=50)
    for report in (one, forest):
        back = type(report).from_json(report.to_json())
        assert back.to_json() == report.to_json()
        assert back.to_dict() == report.to_dict()
        assert back.summary() == report.summary()
        pd.testing.assert_frame_equal(back.to_frame(), report.to_frame())
    with pytest.raises(metrics.InputError, match="no report of a comparison of two judges"):
        type(one).from_json(forest.to_json())


def test_a_simulation() -> None:
    found = metrics.select_judge(scenarios=200, seed=3)
    assert type(found).from_json(found.to_json()).summary() == found.summary()


def test_a_number_that_was_changed_is_refused(ratings) -> None:
    found = json.loads(metrics.agreement(ratings, interval="none").to_json())
    next(iter(found["judges"].values()))["micro"]["kappa"] = 0.99
    with pytest.raises(metrics.InputError, match="was changed"):
        AgreementReport.from_json(json.dumps(found))


@pytest.mark.parametrize("mode", ["exclude", "as_unmet", "as_category"])
@pytest.mark.parametrize("interval", ["auto", "none"])
def test_every_mode(ratings, mode: str, interval: str) -> None:
    cost = "halfway" if mode == "as_category" else None
    report = metrics.agreement(ratings, abstention=mode, interval=interval, cost=cost, handling={"error": "exclude"})
    back = there_and_back(report)
    pd.testing.assert_frame_equal(back.to_frame(), report.to_frame())
    assert back.summary() == report.summary()
    for name, judge in report.judges.items():
        again = back.judges[name]
        assert (again.micro.confusion == judge.micro.confusion).all()
        keys = tuple(next(iter(judge.criteria.values())).values)
        assert counted(again, keys) == counted(judge, keys)
        assert again.coverage == judge.coverage
        assert again.micro.intervals == judge.micro.intervals


@pytest.mark.parametrize(
    "rows",
    [
        [("MET", "MET"), ("MET", "MET")],
        [("MET", "CANNOT_ASSESS")],
        [("red", "blue"), ("red", "red"), ("green", "blue")],
    ],
)
def test_undefined_numbers_and_several_classes(rows: list[tuple[str, str]]) -> None:
    text = "item,criterion,human,verdict\n" + "".join(f"q{n},c,{human},{judge}\n" for n, (human, judge) in enumerate(rows))
    labels = {"red": "class", "blue": "class", "green": "class"} if rows[0][0] == "red" else None
    report = metrics.agreement(metrics.read(text.encode(), labels=labels))
    back = there_and_back(report)
    pd.testing.assert_frame_equal(back.to_frame(), report.to_frame())
    judge = back.judges["judge"].micro
    assert all(np.isnan(judge.values[key]) == (key in judge.undefined) for key in judge.values)


def test_counts_and_panels(ratings) -> None:
    there_and_back(metrics.agreement(metrics.read(b"human,judge,n\nMET,MET,5\nMET,UNMET,2\nUNMET,UNMET,4\n")))
    panel = metrics.with_panel(ratings, name="all")
    back = there_and_back(metrics.agreement(panel, judges=["all"], interval="bootstrap", replicates=200))
    assert back.declaration.panels["all"]["rule"] == "majority"


def test_the_frame_has_one_row_per_judge_level_criterion_and_metric(ratings) -> None:
    report = metrics.agreement(ratings, interval="none")
    frame = report.to_frame()
    assert not frame.duplicated(["judge", "level", "criterion", "metric"]).any()
    blocks = [block for judge in report.judges.values() for _, _, block in judge.blocks()]
    assert len(frame) == sum(len(block.values) for block in blocks)
    of_criterion = frame[(frame.level == "criterion") & (frame.metric == "kappa") & (frame.judge == ratings.judges[0])]
    its = report.judges[ratings.judges[0]].criterion_coverage
    assert dict(zip(of_criterion.criterion, of_criterion.coverage, strict=True)) == {
        name: coverage.coverage for name, coverage in its.items()
    }


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 1, "judges": {}}', '{"version": 1, "declaration": {}, "judges": []}']
)
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(metrics.InputError, match="no report of agreement"):
        AgreementReport.from_json(text)


def test_what_the_command_prints_lacks_what_is_needed(ratings) -> None:
    text = json.dumps(metrics.agreement(ratings, interval="none").to_dict())
    with pytest.raises(metrics.InputError, match="that to_json wrote"):
        AgreementReport.from_json(text)
    with pytest.raises(metrics.InputError, match="has the version 2"):
        AgreementReport.from_json(text.replace('"version": 1', '"version": 2', 1))
