"""Everything but raters, ensembles, scores and ROC says the same of a tally as of the rows, to the last digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.nonresponse import by_criterion, by_judge, by_label, decisions_of
from metrics.analyses.abstention.relation import joint_abstention, relation
from metrics.analyses.abstention.selective import risk_coverage, tradeoff
from metrics.analyses.abstention.third_answer import slide_of
from metrics.analyses.judge_selection.golden import golden_tables
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.kappa_phi.rows import by_criterion as kappa_phi_rows
from metrics.analyses.multiverse.compute import space_of
from metrics.analyses.multiverse.pooling import pooling
from metrics.analyses.planning.compute import plan_difference, plan_floor
from metrics.analyses.planning.independence import groups_behind, spreads, why_alike
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.measured import measured
from metrics.content.lab.linked import of_judge, of_side
from metrics.data.nonverdicts import answers_of_kind
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.cluster import grouping_columns
from metrics.report.checklist.compute import checklist
from metrics.report.checklist.gathering import findings
from tests.shared_data import data
from tests.tallies import tally_of, text_of

pytestmark = pytest.mark.slow("every analysis on tallies too")

ASSETS = Path(__file__).parents[2] / "assets"
HOW: dict[str, dict[str, Any]] = {
    "xstest_refusal": {"labels": dict.fromkeys(("full_compliance", "full_refusal", "partial_refusal"), "class")},
}
COLUMNS = {"support_answers": "prompt", "llmrubric_real_binary": "dialogue_system", "xstest_refusal": "prompt_type"}
ALONG = {"xstest_refusal": ("prompt_id",)}
"""Columns that reports speak of without being asked, and that a tally must keep for that."""
KINDS = ("auto", "jackknife", "dirichlet", "wilson", "bootstrap", "bca", "none")
UNITS = ("item", "decision", "criterion", "hierarchical")
MODES = ("exclude", "as_unmet", "as_category")


def path_of(name: str) -> Path:
    return ASSETS / f"{name}.csv" if name == "support_answers" else data(f"{name}.csv")


def both(path: Path, *keep: str) -> tuple[Ratings, Ratings]:
    how = HOW.get(path.stem, {})
    return metrics.read(path, **how), tally_of(path, keep=keep, **how)


@pytest.fixture(scope="module", params=COLUMNS)
def pair(request: pytest.FixtureRequest) -> tuple[Ratings, Ratings, str]:
    name, column = request.param, COLUMNS[request.param]
    return (*both(path_of(name), column, *ALONG.get(name, ())), column)


def said(compute: Callable[[Ratings], Any], ratings: Ratings) -> str:
    """What comes out, or the sentence that refuses it."""
    try:
        return text_of(compute(ratings))
    except InputError as error:
        return str(error)


def same(compute: Callable[[Ratings], Any], whole: Ratings, tally: Ratings) -> None:
    assert said(compute, whole) == said(compute, tally)


def modes(ratings: Ratings) -> tuple[str, ...]:
    return MODES if ratings.scheme.scale == "binary" else ("exclude", "as_category")


@pytest.mark.slow("all on rows and on their tally")
def test_intervals_of_every_kind_and_unit(pair: tuple[Ratings, Ratings, str]) -> None:
    whole, tally, column = pair
    judge = whole.judges[0]
    for kind in KINDS:
        for unit in (*UNITS, *([column] if column else [])):
            same(
                lambda r, k=kind, u=unit: metrics.agreement(r, judges=[judge], interval=k, unit=u, replicates=60).to_dict(),
                whole, tally,
            )  # fmt: skip


def test_comparisons_of_judges(pair: tuple[Ratings, Ratings, str]) -> None:
    whole, tally, column = pair
    if len(whole.judges) < 2:
        pytest.skip("one judge")
    a, b = whole.judges[:2]

    def compared(ratings: Ratings, level: str, unit: str, mode: str) -> list[Any]:
        one = metrics.compare(ratings, a, b, level=level, unit=unit, abstention=mode, replicates=200)
        scenes = [of_side(ratings, one, side) for side in (one.a, one.b)]
        return [one.to_dict(), scenes, plan_difference(one)]

    for level in ("micro", "macro", "item"):
        for unit in ("item", *([column] if column else [])):
            same(lambda r, u=unit, v=level: compared(r, v, u, "exclude"), whole, tally)
    same(lambda r: compared(r, "item", "item", "as_category"), whole, tally)
    same(lambda r: metrics.compare(r, a, b, criterion=r.criteria[0], replicates=200).to_dict(), whole, tally)
    same(lambda r: metrics.compare_all(r, replicates=200).to_dict(), whole, tally)


@pytest.mark.slow("all on rows and on their tally")
def test_judge_selection_true_rate_and_planning(pair: tuple[Ratings, Ratings, str]) -> None:
    whole, tally, column = pair
    judge = whole.judges[-1]

    def asked(ratings: Ratings, unit: str) -> Any:
        return settings_of(ratings, abstention="exclude" if unit == "item" else "as_category", unit=unit)

    for unit in ("item", *([column] if column else [])):
        for criterion in (None, whole.criteria[0]):
            same(lambda r, u=unit, c=criterion: [replace(g, unit=None) for g in golden_tables(r, asked(r, u), c)], whole, tally)
            same(lambda r, u=unit, c=criterion: rank_judges(r, asked(r, u), by="kappa", criterion=c).to_dict(), whole, tally)
        same(lambda r, u=unit: measured(r, judge, asked(r, u)), whole, tally)
        same(lambda r, u=unit: groups_behind(r, judge, asked(r, u)), whole, tally)
        if whole.scheme.n_classes == 2:
            same(lambda r, u=unit: slide_of(r, judge, asked(r, u), "item"), whole, tally)
    same(lambda r: plan_floor(metrics.agreement(r).judges[judge], "kappa", 0.4), whole, tally)


def test_abstentions_and_the_lab(pair: tuple[Ratings, Ratings, str]) -> None:
    whole, tally, _ = pair

    def silence(ratings: Ratings) -> list[Any]:
        asked, found = settings_of(ratings), []
        for judge in ratings.judges[:3]:
            decisions = decisions_of(ratings, judge, "majority")
            found += [
                by_criterion(ratings, decisions), by_label(ratings.scheme, decisions), joint_abstention(ratings, judge, asked),
                relation(ratings, judge, asked), relation(ratings, judge, asked, "human"), risk_coverage(ratings, judge, asked),
                *(bounds(ratings, judge, asked, level) for level in ("micro", "macro", "item")),
            ]  # fmt: skip
        kinds = [answers_of_kind(ratings, kind) for kind in ("abstention", "tie", "invalid", "error")]
        return [*found, by_judge(ratings, asked), tradeoff(ratings, asked), kinds]

    def lab(ratings: Ratings) -> list[Any]:
        every = [settings_of(ratings, abstention=mode) for mode in modes(ratings)]
        return [of_judge(ratings, ratings.judges[0], asked, level) for asked in every for level in ("micro", "item")]

    same(silence, whole, tally)
    same(lab, whole, tally)


def test_reports_reviews_and_pooling(pair: tuple[Ratings, Ratings, str]) -> None:
    whole, tally, column = pair
    judge = whole.judges[0]

    def reviewed(ratings: Ratings) -> list[Any]:
        found = review_criteria(ratings, judge, settings_of(ratings))
        return [(own.criterion, own.report and own.report.to_dict(), own.scores and own.scores.to_dict()) for own in found]

    def around(ratings: Ratings) -> list[Any]:
        asked = settings_of(ratings)
        report = metrics.agreement(ratings).judges[judge]
        return [
            spreads(ratings, judge, asked, "micro"), why_alike(ratings, judge, asked, "macro"),
            pooling(ratings, judge, asked, report), space_of(ratings, judge, asked, "micro"),
            kappa_phi_rows(report) if whole.scheme.n_classes == 2 else (),
        ]  # fmt: skip

    same(reviewed, whole, tally)
    same(around, whole, tally)
    assert grouping_columns(tally).items() <= grouping_columns(whole).items()
    assert not column or column in grouping_columns(tally)


@pytest.mark.parametrize("name", COLUMNS)
def test_what_a_report_says(name: str) -> None:
    """With every column above the item kept, as the checklist names them."""
    path = path_of(name)
    above = grouping_columns(metrics.read(path, **HOW.get(path.stem, {})))
    whole, tally = both(path, *(name for name in above if name != "answer"))

    def told(ratings: Ratings) -> list[Any]:
        found = replace(findings(ratings, interval="none"), groups={})
        return [found.agreement and found.agreement.to_dict(), found.relations, found.bounds, found.humans_each,
                [(one.name, one.state, one.evidence) for one in checklist(found).practices]]  # fmt: skip

    same(told, whole, tally)
