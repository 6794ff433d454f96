"""Every report of a file with a column of weights uses it or says that it does not; none leaves it without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import metrics
from metrics.analyses.item_weights import column_of
from metrics.results.report import Report
from pages.shared.page_records import LEARN, PAGES


def verdicts(*, extra: str = "", weight: Callable[[int], object] = lambda i: (1, 3)[i % 2]) -> bytes:
    """Write two criteria, two humans and two judges with scores; hard items are those of weight 1."""
    rng = np.random.default_rng(0)
    lines = ["item,criterion,rater,role,label,score,lang,response_length,weight"]
    for i in range(80):
        for criterion in ("a", "b"):
            truth = rng.random() < 0.6
            for rater in ("h1", "h2", "A", "B"):
                said = truth ^ (rng.random() < ((0.3, 0.05)[i % 2] if rater != "B" else 0.1))
                score = f"{0.6 * said + 0.4 * rng.random():.3f}" if rater in "AB" else ""
                role = "judge" if rater in "AB" else "human"
                named = f"{('MET', 'UNMET')[not said]},{score},{('en', 'de')[i % 3 == 0]},{20 + i % 9}"
                lines.append(f"q{i},{criterion},{rater},{role},{named},{weight(i)}")
    return "\n".join([*lines, extra] if extra else lines).encode()


def numbered(content: str) -> bytes:
    """Write the same with steps of an order for labels."""
    lines = content.splitlines()
    steps = [
        line.replace(",UNMET,", f",{1 + place % 2},").replace(",MET,", f",{3 + place % 2},") for place, line in enumerate(lines)
    ]
    return "\n".join(steps).encode()


@cache
def ratings() -> metrics.Ratings:
    return metrics.read(verdicts())


REPORTS: dict[str, Callable[[], Any]] = {
    "agreement": lambda: metrics.agreement(ratings()),
    "overview": lambda: metrics.overview(ratings()),
    "raters": lambda: metrics.raters(ratings()),
    "raters, judges": lambda: metrics.raters(ratings(), role="judge"),
    "slices": lambda: metrics.slices(ratings(), by="lang"),
    "compare": lambda: metrics.compare(ratings(), "A", "B", replicates=9),
    "compare, macro": lambda: metrics.compare(ratings(), "A", "B", level="macro", replicates=9),
    "compare, item": lambda: metrics.compare(ratings(), "A", "B", level="item", replicates=9),
    "compare_all": lambda: metrics.compare_all(ratings(), replicates=9),
    "roc": lambda: metrics.roc(ratings()),
    "agreement, groups": lambda: metrics.agreement(ratings(), unit="lang"),
    "overview, groups": lambda: metrics.overview(ratings(), unit="lang"),
    "roc, groups": lambda: metrics.roc(ratings(), unit="lang"),
    "compare, groups": lambda: metrics.compare(ratings(), "A", "B", unit="lang", replicates=9),
    "slices, groups": lambda: metrics.slices(ratings(), by="response_length", unit="lang"),
    "scores, groups": lambda: metrics.scores(metrics.read(numbered(verdicts().decode()), scale="ordinal"), unit="lang"),
    "compare_scores": lambda: metrics.compare_scores(ratings(), "A", "B", "auc"),
    "scores": lambda: metrics.scores(metrics.read(numbered(verdicts().decode()), scale="ordinal")),
    "item_scores": lambda: metrics.item_scores(ratings()),
    "biases": lambda: metrics.biases(ratings()),
}  # fmt: skip


def said(report: Report) -> str:
    return " ".join(report.summary().split())


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_uses_weights_and_says_so(name: str) -> None:
    report = REPORTS[name]()
    declared = report.to_dict()["declaration"]
    assert (declared.get("weights"), declared.get("weights_unused")) == ("weight", None)
    assert "The column ‘weight’ is not used here" not in said(report)
    assert "by ‘weight’" in said(report)
    assert "once" in said(report), "what is not weighted is said beside"


@pytest.mark.slow("every report")
def test_the_table_holds_every_report_of_a_file() -> None:
    """A new report says in the table above what it does with weights, or why it has none below."""
    without_numbers_of_items = {"ImportReport", "Selection", "LabelPlan", "DisagreementReport"}
    every = {kind.__name__ for kind in _all(Report)} - without_numbers_of_items
    assert {type(make()).__name__ for make in REPORTS.values()} == every


def _all(kind: type[Report]) -> set[type[Report]]:
    return {below for one in kind.__subclasses__() for below in ({one} | _all(one)) if below.__module__.startswith("metrics.")}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_page_of_numbers_uses_weights_or_says_that_it_does_not(page: Any) -> None:
    """Data, Disagreements and the document have no numbers of their own, and Learn none of a file."""
    if page.entry == LEARN or page.name in ("data", "disagreements", "report"):
        assert not page.leaves_weights
    else:
        assert page.leaves_weights is not (
            page.name in ("overview", "agreement", "compare", "raters", "roc", "scores", "slices", "labels")
        )


def numbers_like(file: metrics.Ratings) -> metrics.Ratings:
    """Return numbers of two sides with a column of the same name."""
    rng = np.random.default_rng(2)
    lines = [f"item,human,verdict,{column_of(file) or 'x'}"]
    lines += [f"q{i},{human:.2f},{human + rng.normal():.2f},1" for i, human in enumerate(rng.normal(size=40))]
    return metrics.read("\n".join(lines).encode(), scale="continuous")


ALIKE: dict[str, Callable[[metrics.Ratings], Any]] = {
    "agreement": metrics.agreement,
    "raters": metrics.raters,
    "overview": metrics.overview,
    "compare": lambda file: metrics.compare(file, "A", "B", replicates=9),
    "compare_all": lambda file: metrics.compare_all(file, replicates=9),
    "roc": metrics.roc,
    "slices": lambda file: metrics.slices(file, "lang"),
    "slices, criteria": lambda file: metrics.slices(file, "criterion"),
    "scores": lambda file: metrics.scores(file, on="label"),
    "scores, numbers": lambda file: metrics.scores(numbers_like(file)),
    "biases": metrics.biases,
    "compare_scores": lambda file: metrics.compare_scores(file, "A", "B", "auc"),
    "item_scores": metrics.item_scores,
    "plan_floor": lambda file: metrics.plan_floor(metrics.agreement(file).judges["A"], "kappa", 0.5),
}


@pytest.mark.parametrize("name", ALIKE)
def test_weight_1_everywhere_changes_no_digit(name: str) -> None:
    files = [metrics.read(verdicts(weight=lambda i: 1).replace(b",weight\n", f",{key}\n".encode())) for key in ("weight", "x")]
    one, none = (ALIKE[name](file).to_dict() for file in files)
    for report in (one, none):
        for key in ("declaration", "warnings", "notes"):
            report.pop(key, None)
    assert one == none


def planned(level: str = "micro", criterion: str | None = None, metric: str = "kappa", line: float = 0.5) -> Any:
    return metrics.plan_floor(metrics.agreement(ratings()).judges["A"], metric, line, level=level, criterion=criterion)


@pytest.mark.parametrize(("level", "criterion"), [("micro", None), ("macro", None), ("item", None), ("micro", "b")])
def test_a_plan_goes_by_the_weighted_number_and_says_so(level: str, criterion: str | None) -> None:
    judge = metrics.agreement(ratings()).judges["A"]
    plan = planned(level, criterion)
    assert plan.today == judge.weighted_at(level, criterion)["kappa"]
    assert plan.today.value != (judge.level(level) if criterion is None else judge.criteria[criterion]).values["kappa"]
    assert plan.to_dict()["weights"] == "weight"
    assert "Each item has its weight in ‘weight’" in plan.sentence
    whole = metrics.agreement(ratings(), unit="response_length").judges["A"]
    grouped = metrics.plan_floor(whole, "kappa", 0.5, level=level, criterion=criterion, groups=(9, "groups by ‘response_length’"))
    assert grouped.today == whole.weighted_at(level, criterion)["kappa"]
    assert "the numbers of groups are those of groups drawn as these were" in grouped.sentence
    assert grouped.weights == "weight"
    assert grouped.error > 0


def test_a_plan_of_two_judges_goes_by_the_weighted_difference() -> None:
    comparison = metrics.compare(ratings(), "A", "B", "accuracy", replicates=99)
    plan = metrics.plan_difference(comparison, 0.1)
    assert plan.today == comparison.weighted.difference
    low, high = plan.today.ends
    assert plan.error == pytest.approx((high - low) / 2 / t.ppf(0.975, comparison.n_units - 1))
    assert "Each item has its weight in ‘weight’" in plan.sentence
    item = metrics.compare(ratings(), "A", "B", "accuracy", level="item", replicates=99)
    assert metrics.plan_difference(item, 0.1).today == item.weighted.difference
    held = metrics.plan_margin(comparison, 0.1)
    assert (held.today, held.error, held.weights) == (comparison.weighted.difference, comparison.weighted.error, "weight")
    assert "Each item has its weight in ‘weight’" in held.sentence


@pytest.mark.slow("many samples")
def test_a_plan_by_weights_is_that_of_a_sample_drawn_alike() -> None:
    """The width that a plan expects of four times the items is the width of four times the items drawn alike."""
    rng = np.random.default_rng(3)
    n = 40_000
    hard = rng.random(n) < 0.2
    human = rng.random(n) < 0.5
    judge = human ^ (rng.random(n) < np.where(hard, 0.4, 0.05))

    def drawn(each: int) -> Any:
        picked = np.concatenate([rng.choice(np.flatnonzero(part), each, False) for part in (hard, ~hard)])
        weight = np.where(hard[picked], hard.sum() / each, (~hard).sum() / each)
        lines = ["item,human,verdict,weight"]
        names = ("no", "yes")
        lines += [f"q{i},{names[int(human[i])]},{names[int(judge[i])]},{w:.9g}" for i, w in zip(picked, weight, strict=True)]
        (found,) = metrics.agreement(metrics.read("\n".join(lines).encode())).judges.values()
        return metrics.plan_floor(found, "kappa", 0.6)

    plans, larger = [drawn(60) for _ in range(120)], [drawn(240) for _ in range(120)]
    expected = np.mean([plan.expected([480])["width"][0] for plan in plans])
    assert expected == pytest.approx(np.mean([plan.today.width for plan in larger]), rel=0.06)
    kappa = 1 - 2 * (0.2 * 0.4 + 0.8 * 0.05)
    assert np.mean([plan.today.value for plan in plans]) == pytest.approx(kappa, abs=0.04)


def test_the_column_is_the_one_that_the_file_names() -> None:
    assert column_of(ratings()) == "weight"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(8))
def test_a_few_items_of_weights_far_apart_break_no_report(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, weights = int(rng.integers(2, 9)), [1e-6, 1, 2, 1e6]
    lines = ["item,criterion,judge,human,verdict,score,text,weight"]
    for i in range(n):
        weight, human = weights[int(rng.integers(4))], rng.random() < 0.5
        for criterion in "ab":
            for judge in "AB":
                said = ("NO", "YES", "CANNOT_ASSESS")[int(rng.choice(3, p=[0.4, 0.5, 0.1]))]
                score, text = rng.choice([0, 0.25, 0.5, 1]), "w " * int(rng.integers(1, 9))
                lines.append(f"q{i},{criterion},{judge},{('NO', 'YES')[human]},{said},{score:g},{text},{weight:g}")
    content = "\n".join(lines).encode()
    reports: tuple[Callable[[metrics.Ratings], Any], ...] = (
        metrics.roc, lambda file: metrics.scores(file, on="label"), metrics.item_scores, metrics.biases,
        lambda file: metrics.compare(file, "A", "B", replicates=9, margin=0.1),
        lambda file: metrics.compare(file, "A", "B", "accuracy", level="item", replicates=9),
        lambda file: metrics.compare_scores(file, "A", "B", "auc", margin=0.1),
    )  # fmt: skip
    made = 0
    for report in reports:
        try:
            found = report(metrics.read(content))
        except metrics.InputError:
            continue
        json.dumps(found.to_dict(), allow_nan=False)
        made += bool(found.summary())
    assert made > 2
