"""Every number of autorubric's metrics beside ours, from runs made of its own objects and read from its own files."""

from __future__ import annotations

import types
import typing
from importlib.util import find_spec
from typing import Any

import numpy as np
import pydantic
import pytest

import metrics
from tests.metrics import autorubric_table as table
from tests.metrics.autorubric_beside import (
    BINARY,
    MODES,
    NOMINAL,
    ORDINAL,
    RATES,
    SEEDS,
    abstention,
    at,
    check,
    coverage,
    run_of,
    same,
    zero_for_undefined,
)
from tests.metrics.autorubric_objects import FAILED, Run, peer

pytestmark = [
    pytest.mark.slow("numbers of another package on the same tables"),
    pytest.mark.skipif(find_spec("autorubric") is None, reason="autorubric is not installed"),
]

NOT_NUMBERS = {"name", "index", "label", "interpretation", "direction", "method", "coverage", "judge_id", "ci", "histogram"}


def numbers_of(model: type[pydantic.BaseModel], prefix: str = "") -> set[str]:
    """Paths of all numbers of a model and of those within it."""
    found = set()
    for name, field in model.model_fields.items():
        if name in NOT_NUMBERS and not (name == "coverage" and model.__name__ == "CoverageStats"):
            continue
        found |= _paths(field.annotation, f"{prefix}{name}")
    return found


def _paths(annotation: Any, path: str) -> set[str]:
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return set().union(*(_paths(inner, path) for inner in typing.get_args(annotation)))
    if typing.get_origin(annotation) in (list, dict):
        inner = typing.get_args(annotation)[-1]
        models = [one for one in (typing.get_args(inner) or (inner,)) if isinstance(one, type)]
        if not all(issubclass(one, pydantic.BaseModel) for one in models):
            return set()
        kinds = {"CriterionMetrics": "[binary]", "OrdinalCriterionMetrics": "[ordinal]", "NominalCriterionMetrics": "[nominal]"}
        return set().union(*(numbers_of(one, f"{path}{kinds.get(one.__name__, '')}.") for one in models))
    if typing.get_origin(annotation) is tuple:
        return {path}
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return {path} if annotation.__name__ == "ConfusionMatrix" else numbers_of(annotation, f"{path}.")
    return {path} if annotation in (int, float, bool) else set()


def test_the_table_names_every_number_once() -> None:
    named = [line.theirs for line in table.COUNTERPARTS]
    assert sorted(named) == sorted(set(named))
    assert set(named) == numbers_of(peer.MetricsResult)
    assert all(line.difference for line in table.COUNTERPARTS if line.relation != "equal")
    assert not any(line.difference for line in table.COUNTERPARTS if line.relation == "equal")
    assert all((line.relation == "conditional") == ("Equal " in line.difference) for line in table.COUNTERPARTS)


def met_against_the_rest(ratings: metrics.Ratings, judge: str, mode: str) -> Any:
    """The report whose rates it gives in this mode."""
    of = "as_unmet" if mode == "as_category" else mode
    return metrics.agreement(ratings, abstention=of, judges=[judge], interval="none").judges[judge]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", SEEDS)
def test_yes_no_criteria(seed: int, mode: str) -> None:
    run = run_of(BINARY, seed, abstain=0.1)
    its, ratings = run.scored(cannot_assess=mode), run.read()
    ours = metrics.agreement(ratings, abstention=mode, interval="none").judges["j0"]
    rest = met_against_the_rest(ratings, "j0", mode)
    check(
        {
            "criterion_accuracy": (ours.micro.values["accuracy"], its.criterion_accuracy),
            "micro_kappa": (ours.micro.values["kappa"], its.micro_kappa),
            "mean_kappa": (ours.macro.values["kappa"], its.mean_kappa),
            "macro_accuracy": (ours.macro.values["accuracy"], its.macro_accuracy),
            "n_samples": (ours.micro.n, its.n_samples),
            "n_items": (ours.n_items, its.n_items),
            "n_criteria": (len(ratings.criteria), its.n_criteria),
            "criterion_phi": (rest.micro.values["phi"], its.criterion_phi),
            **{f"criterion_{key}": (zero_for_undefined(rest.micro.values[key]), at(its, f"criterion_{key}")) for key in RATES},
        }
    )
    scales = [one.scale for one in ratings.source.rubric]
    assert [scales.count(kind) for kind in ("binary", "ordinal", "nominal")] == [
        its.n_binary_criteria,
        its.n_ordinal_criteria,
        its.n_nominal_criteria,
    ]
    for name, other in zip(ratings.criteria, its.per_criterion, strict=True):
        block, binary = ours.criteria[name], rest.criteria[name]
        check(
            {
                "n_samples": (block.n, other.n_samples),
                "accuracy": (block.values["accuracy"], other.accuracy),
                "kappa": (block.values["kappa"], other.kappa),
                "is_degenerate": (np.isnan(block.values["kappa"]), other.is_degenerate),
                **{key: (zero_for_undefined(binary.values[key]), at(other, key)) for key in RATES},
                **{key: (binary.values[key], at(other, key)) for key in ("fpr", "fnr", "phi")},
                "support_true": (binary.confusion.sum(1)[0], other.support_true),
                "support_pred": (binary.confusion.sum(0)[0], other.support_pred),
            }
        )
        assert binary.confusion.tolist() == other.confusion_matrix.matrix


@pytest.mark.parametrize("seed", SEEDS)
def test_coverage_and_abstention(seed: int) -> None:
    run = run_of(BINARY, seed, abstain=0.15)
    its, ratings = run.scored(), run.read()
    ours = metrics.agreement(ratings, interval="none").judges["j0"]
    check(coverage(ours.coverage, its.coverage_stats))
    for name, other in zip(ratings.criteria, its.per_criterion, strict=True):
        check(coverage(ours.criterion_coverage[name], other.coverage_stats))
    check(abstention(ours.coverage, its.cannot_assess_stats, "ca_"))


@pytest.mark.parametrize("seed", SEEDS)
def test_failed_calls_are_counted_among_the_pairs_there_and_apart_here(seed: int) -> None:
    run = run_of(BINARY, seed, abstain=0.1, failed=0.1)
    run.failed_items = (2, 5)
    its, ratings = run.scored(), run.read()
    ours = metrics.agreement(ratings, interval="none").judges["j0"]
    whole, coverage_there, here = 2 * len(BINARY), its.coverage_stats, ours.coverage
    assert coverage_there.n_errored == here.n_errors + whole
    assert coverage_there.n_total == here.n_total + here.n_errors + whole
    assert coverage_there.n_covered == here.n_covered
    check(
        {
            "coverage": (here.n_covered / coverage_there.n_total, coverage_there.coverage),
            "accuracy": (ours.micro.values["accuracy"], its.criterion_accuracy),
            "kappa": (ours.micro.values["kappa"], its.micro_kappa),
            "mean_kappa": (ours.macro.values["kappa"], its.mean_kappa),
            **abstention(here, its.cannot_assess_stats, "ca_"),
        }
    )
    assert ratings.left_out.counts() == {"the item failed as a whole": 2}


def test_rates_without_a_denominator_are_zero_there_and_undefined_here() -> None:
    human, judge = np.zeros((6, 1), int) + 1, np.zeros((6, 1), int) + 1
    run = Run(BINARY[:1], human, {"j": judge})
    its, ours = run.scored(), metrics.agreement(run.read(), interval="none").judges["j"].micro
    assert (its.criterion_precision, its.criterion_recall, its.criterion_f1) == (0.0, 0.0, 0.0)
    assert all(np.isnan(ours.values[key]) and ours.undefined[key] for key in RATES)
    assert (its.micro_kappa, its.criterion_phi) == (None, None)
    assert np.isnan(ours.values["kappa"])


def test_a_constant_side_is_degenerate_here_and_not_there() -> None:
    run = Run(BINARY[:1], np.array([[0], [1], [0], [1]]), {"j": np.zeros((4, 1), int)})
    its, ours = run.scored().per_criterion[0], metrics.agreement(run.read(), interval="none").judges["j"].criteria["a"]
    assert (its.kappa, its.is_degenerate) == (0.0, False)
    assert ours.values["kappa"] == 0
    assert ours.degenerate


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_judge_of_an_ensemble(seed: int, mode: str) -> None:
    run = run_of(BINARY, seed, judges=3, abstain=0.1, failed=0.05)
    its, ratings = run.scored(cannot_assess=mode, per_judge=True), run.read()
    report = metrics.agreement(ratings, abstention=mode, interval="none")
    third = metrics.agreement(ratings, abstention="as_category", interval="none")
    for judge, other in its.per_judge.items():
        ours, rest = report.judges[judge], met_against_the_rest(ratings, judge, mode)
        check(
            {
                "accuracy": (ours.micro.values["accuracy"], other.criterion_accuracy),
                "mean_kappa": (ours.macro.values["kappa"], other.mean_kappa),
                "phi": (rest.micro.values["phi"], other.phi),
                **{key: (zero_for_undefined(rest.micro.values[key]), at(other, f"criterion_{key}")) for key in RATES},
            }
        )
        assert third.judges[judge].micro.confusion.tolist() == other.confusion_matrix.matrix
        assert other.n_pairs is None


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", SEEDS)
def test_agreement_among_the_judges(seed: int, mode: str) -> None:
    run = run_of(BINARY, seed, judges=3, abstain=0.1, failed=0.05)
    its, ratings = run.scored(cannot_assess=mode), run.read()
    ours = metrics.raters(ratings, role="judge", abstention=mode, interval="none")
    check({"mean_krippendorff_alpha": (ours.mean("alpha").value, its.mean_krippendorff_alpha)})
    for name, other in zip(ratings.criteria, its.per_criterion, strict=True):
        block = ours.criteria[name]
        check({"alpha": (block.values["alpha"], other.krippendorff_alpha)})
        if block.fleiss_n_ratings == 3:
            check({"fleiss_kappa": (block.values["fleiss_kappa"], other.fleiss_kappa)})


def test_fleiss_kappa_rests_on_the_items_of_most_ratings_here() -> None:
    run = run_of(BINARY[:1], 1, judges=3)
    run.judges["j2"][12:] = FAILED
    its, ours = run.scored().per_criterion[0], metrics.raters(run.read(), role="judge", interval="none").criteria["a"]
    assert (ours.fleiss_n_ratings, ours.fleiss_n_items) == (2, 48)
    assert not same(ours.values["fleiss_kappa"], its.fleiss_kappa)
    check({"alpha": (ours.values["alpha"], its.krippendorff_alpha)})


def test_a_superseded_vote_counts_there_for_its_judge_and_for_alpha() -> None:
    run = run_of(BINARY[:1], 2, judges=2, silent=0.0)
    run.superseded = frozenset((item, 0, "j0") for item in range(0, 60, 4))
    its, ratings = run.scored(per_judge=True), run.read()
    ours = metrics.agreement(ratings, interval="none").judges["j0"]
    assert ratings.left_out.counts() == {"superseded: the criterion went on to other judges": 15}
    assert ours.micro.n == 45
    assert sum(map(sum, its.per_judge["j0"].confusion_matrix.matrix)) == 60
    kept = np.setdiff1d(np.arange(60), np.arange(0, 60, 4))
    human, judge = run.human[kept, 0], run.judges["j0"][kept, 0]
    assert same(ours.micro.values["accuracy"], float((human == judge).mean()))
    alpha = metrics.raters(ratings, role="judge", interval="none").criteria["a"].values["alpha"]
    assert not same(alpha, its.per_criterion[0].krippendorff_alpha)


def test_what_an_ensemble_says_together_is_a_panel_here() -> None:
    run = run_of(BINARY, 5, judges=3)
    its = run.scored()
    ratings = metrics.with_panel(run.read(), name="panel")
    ours = metrics.agreement(ratings, judges=["panel"], interval="none").judges["panel"]
    check(
        {
            "accuracy": (ours.micro.values["accuracy"], its.criterion_accuracy),
            "kappa": (ours.micro.values["kappa"], its.micro_kappa),
        }
    )


def test_one_item_has_agreement_among_judges_here_and_none_there() -> None:
    for n, alike in ((1, False), (2, True)):
        human, judges = np.zeros((n, 1), int), {"j0": np.zeros((n, 1), int), "j1": np.ones((n, 1), int)}
        run = Run(BINARY[:1], human, judges)
        its, ours = run.scored().per_criterion[0], metrics.raters(run.read(), role="judge", interval="none").criteria["a"]
        assert (its.krippendorff_alpha is None, its.fleiss_kappa is None) == (n == 1, n == 1)
        assert same(ours.values["alpha"], its.krippendorff_alpha) == alike
        assert same(ours.values["fleiss_kappa"], its.fleiss_kappa) == alike
    for key in ("krippendorff_alpha", "fleiss_kappa"):
        lines = [line for line in table.COUNTERPARTS if line.theirs.endswith(key) and line.theirs.startswith("per_criterion")]
        assert len(lines) == 3
        assert all(line.relation == "conditional" and "Equal on two items or more" in line.difference for line in lines)


@pytest.mark.slow("sixty small files")
@pytest.mark.parametrize("kind", ["binary", "ordinal", "nominal"])
def test_agreement_among_judges_of_few_items_is_equal_where_the_table_says_so(kind: str) -> None:
    rng = np.random.default_rng(len(kind))
    criteria, options = {"binary": (BINARY, 2), "ordinal": (ORDINAL, 4), "nominal": (NOMINAL, 3)}[kind]
    seen = set()
    for _ in range(60):
        n, silent, failed = int(rng.integers(1, 5)), rng.choice([0, 0.3]), rng.choice([0, 0.2])
        codes = rng.integers(options, size=(int(rng.integers(2, 4)), n, 2))
        codes[..., 0] = np.where(rng.random(codes.shape[:2]) < silent, -1, codes[..., 0])
        codes[..., 0] = np.where(rng.random(codes.shape[:2]) < failed, FAILED, codes[..., 0])
        shown = codes[..., 0][codes[..., 0] >= 0]
        if len(set(shown.tolist())) < 2:
            continue
        run = Run(criteria[:2], np.zeros((n, 2), int), {f"j{place}": own for place, own in enumerate(codes)})
        other, ratings = run.scored().per_criterion[0], run.read()
        level = "ordinal" if kind == "ordinal" else "nominal"
        ours = metrics.raters(ratings.on_criteria([criteria[0].name]), role="judge", level=level, interval="none").pooled
        silences, all_given = bool((codes[..., 0] == -1).any()), bool((codes[..., 0] >= 0).all())
        equal = {
            "alpha": n > 1 and not (kind != "binary" and silences),
            "fleiss_kappa": n > 1 and all_given,
        }
        theirs = {"alpha": other.krippendorff_alpha, "fleiss_kappa": other.fleiss_kappa}
        check({key: (ours.values[key], theirs[key]) for key, holds in equal.items() if holds})
        seen |= set(equal.items())
    assert len(seen) == 4


@pytest.mark.parametrize(("kind", "key"), [("ordinal", "weighted_kappa_quadratic"), ("nominal", "kappa")])
def test_degenerate_means_another_thing_where_no_decision_is_left(kind: str, key: str) -> None:
    criteria = {"ordinal": ORDINAL, "nominal": NOMINAL}[kind]
    line = next(line for line in table.COUNTERPARTS if line.theirs == f"per_criterion[{kind}].is_degenerate")
    assert line.relation == "conditional"
    assert "no decision is left" in line.difference
    for human, expected in ((-1, False), (0, True)):
        codes = np.array([[0, 0], [0, 1], [0, 2]])
        run = Run(criteria, np.where([True, False], human, codes), {"j0": codes})
        its, ratings = run.scored(), run.read()
        if kind == "ordinal":
            classes = [option.label for option in criteria[0].options if not option.na]
            report = metrics.scores(ratings.on_criteria([criteria[0].name]), order=classes, interval="none")
        else:
            report = metrics.agreement(ratings, interval="none")
        other, ours = its.per_criterion[0], report.judges["j0"].criteria[criteria[0].name]
        assert (other.n_samples == 0, other.is_degenerate, other.per_option == []) == (human < 0, expected, human < 0)
        assert (ours.undefined[key] == "no decision is left") == (human < 0)


def test_no_decision_left_is_degenerate_here_and_not_there() -> None:
    run = Run(BINARY[:2], np.array([[-1, 0], [-1, 1], [-1, 0]]), {"j": np.array([[0, 0], [1, 1], [0, 1]])})
    its, ours = run.scored().per_criterion, metrics.agreement(run.read(), interval="none").judges["j"].criteria
    assert [(one.n_samples, one.is_degenerate) for one in its] == [(0, False), (3, False)]
    assert [ours[name].degenerate for name in "ab"] == [True, False]
    line = next(line for line in table.COUNTERPARTS if line.theirs == "per_criterion[binary].is_degenerate")
    assert "where none is left" in line.difference
