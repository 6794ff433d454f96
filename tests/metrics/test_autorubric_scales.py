"""Options, mixed rubrics and scores of items: autorubric's numbers beside ours."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import metrics
from tests.metrics.autorubric_beside import (
    BINARY,
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
from tests.metrics.autorubric_objects import FAILED, Run, criterion

pytestmark = [
    pytest.mark.slow("numbers of another package on the same tables"),
    pytest.mark.skipif(find_spec("autorubric") is None, reason="autorubric is not installed"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_criteria_with_options_without_an_order(seed: int) -> None:
    run = run_of(NOMINAL, seed, abstain=0.1)
    its, ratings = run.scored(), run.read()
    whole = metrics.agreement(ratings, interval="none").judges["j0"]
    check(
        {
            "macro_accuracy": (whole.macro.values["accuracy"], its.macro_accuracy),
            "mean_kappa": (whole.macro.values["kappa"], its.mean_kappa),
            **abstention(whole.coverage, its.na_stats, "na_"),
            **coverage(whole.coverage, its.coverage_stats),
        }
    )
    for place, other in enumerate(its.per_criterion):
        ours = whole.criteria[ratings.criteria[place]]
        check(
            {
                "n_samples": (ours.n, other.n_samples),
                "exact_accuracy": (ours.values["accuracy"], other.exact_accuracy),
                "kappa": (ours.values["kappa"], other.kappa),
                "is_degenerate": (np.isnan(ours.values["kappa"]), other.is_degenerate),
                "n_options": (sum(label.startswith(ratings.criteria[place]) for label in ours.labels) + 1, other.n_options),
            }
        )
        check(coverage(whole.criterion_coverage[ratings.criteria[place]], other.coverage_stats))
        check_options(ours, other)


def check_options(ours: Any, other: Any) -> None:
    """Each option against the rest; NA is an option there, of which nothing is left."""
    labels = [option.label for option in other.per_option[:-1]]
    places = [ours.labels.index(label) for label in labels]
    matrix = np.array(other.confusion_matrix.matrix)
    assert not matrix[-1].any()
    assert not matrix[:, -1].any()
    assert ours.confusion[np.ix_(places, places)].tolist() == matrix[:-1, :-1].tolist()
    for label, place, option in zip(labels, places, other.per_option[:-1], strict=True):
        alone = ours.more["per_class"][label]
        check(
            {
                "support_true": (ours.confusion.sum(1)[place], option.support_true),
                "support_pred": (ours.confusion.sum(0)[place], option.support_pred),
                **{key: (zero_for_undefined(number(alone[key])), at(option, key)) for key in RATES},
            }
        )


def number(value: float | None) -> float:
    return np.nan if value is None else value


def option_values(its: Any) -> dict[str, float]:
    return {option.label: option.value for option in its.options if not option.na}


def ordinal_scores(run: Run, ratings: metrics.Ratings, place: int, judge: str = "j0", mode: str = "exclude") -> Any:
    """Our numbers on one criterion, with the options of its rubric in their order and worth what they are worth."""
    its = run.criteria[place]
    values = option_values(its)
    options = {"order": list(values), "values": values, "interval": "none", "abstention": mode}
    weights = {its.name: its.weight} if mode == "as_unmet" else None
    return metrics.scores(ratings.on_criteria([its.name]), weights=weights, **options).judges[judge]


@pytest.mark.parametrize("mode", ["exclude", "as_unmet"])
@pytest.mark.parametrize("seed", SEEDS)
def test_criteria_with_ordered_options(seed: int, mode: str) -> None:
    run = run_of(ORDINAL, seed, abstain=0.1)
    its, ratings = run.scored(na_mode=mode), run.read()
    kappas = []
    for place, other in enumerate(its.per_criterion):
        judge = ordinal_scores(run, ratings, place, mode=mode)
        ours = judge.criteria[ratings.criteria[place]]
        kappas.append(ours.values["weighted_kappa_quadratic"])
        check(
            {
                "n_samples": (ours.n, other.n_samples),
                "n_options": (len(ours.labels) + 1, other.n_options),
                "exact_accuracy": (ours.values["exact_agreement"], other.exact_accuracy),
                "adjacent_accuracy": (ours.values["adjacent_agreement"], other.adjacent_accuracy),
                "weighted_kappa": (ours.values["weighted_kappa_quadratic"], other.weighted_kappa),
                "spearman": (ours.values["spearman"], other.spearman.coefficient),
                "spearman n": (ours.n, other.spearman.n_samples),
                "kendall": (ours.values["kendall_tau_b"], other.kendall.coefficient),
                "kendall n": (ours.n, other.kendall.n_samples),
                "rmse": (ours.values["rmse"], other.rmse),
                "mae": (ours.values["mae"], other.mae),
                "is_degenerate": ("weighted_kappa_quadratic" in ours.undefined, other.is_degenerate),
            }
        )
        check_options(ours, other)
        if mode == "exclude":
            check(coverage(judge.criterion_coverage[ratings.criteria[place]], other.coverage_stats))
    check({"mean_kappa": (float(np.mean(kappas)), its.mean_kappa)})


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
@pytest.mark.parametrize("seed", SEEDS)
def test_judges_among_each_other_on_options(seed: int, kind: str) -> None:
    criteria = ORDINAL if kind == "ordinal" else NOMINAL
    run = run_of(criteria, seed, judges=3, failed=0.05)
    its, ratings = run.scored(), run.read()
    for place, other in enumerate(its.per_criterion):
        part = ratings.on_criteria([ratings.criteria[place]])
        ours = metrics.raters(part, role="judge", level=kind, interval="none").pooled
        check({"alpha": (ours.values["alpha"], other.krippendorff_alpha)})
        if ours.fleiss_n_ratings == 3:
            check({"fleiss_kappa": (ours.values["fleiss_kappa"], other.fleiss_kappa)})


def test_an_option_nobody_chose_falls_out_of_its_scale_and_stays_in_ours() -> None:
    human, judge = np.array([[0], [3], [0], [3], [0]]), np.array([[0], [3], [1], [3], [1]])
    run = Run(ORDINAL[:1], human, {"j0": judge})
    other, ours = run.scored().per_criterion[0], ordinal_scores(run, run.read(), 0).criteria["low"]
    three = np.array([[1, 2, 0], [0, 0, 0], [0, 0, 2]])
    four = np.array([[1, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
    assert same(float(metrics.weighted_kappa(three, "quadratic")), other.weighted_kappa)
    assert same(ours.values["weighted_kappa_quadratic"], float(metrics.weighted_kappa(four, "quadratic")))
    assert not same(ours.values["weighted_kappa_quadratic"], other.weighted_kappa)


def test_options_of_one_value_are_one_place_there_and_two_here() -> None:
    flat = criterion("flat", 1.0, 3)
    flat = flat.model_copy(
        update={"options": [flat.options[0], *(o.model_copy(update={"value": 0.5}) for o in flat.options[1:3])]}
    )
    human, judge = np.array([[0], [1], [2], [1], [0]]), np.array([[0], [2], [1], [1], [1]])
    run = Run((flat,), human, {"j0": judge})
    other, ours = run.scored().per_criterion[0], ordinal_scores(run, run.read(), 0).criteria["flat"]
    assert not same(ours.values["spearman"], other.spearman.coefficient)
    check({"rmse": (ours.values["rmse"], other.rmse)})


def test_two_pairs_have_a_correlation_here_and_none_there() -> None:
    run = Run(ORDINAL[:1], np.array([[0], [3]]), {"j0": np.array([[1], [2]])})
    other, ours = run.scored().per_criterion[0], ordinal_scores(run, run.read(), 0).criteria["low"]
    assert other.spearman.coefficient is None
    assert same(ours.values["spearman"], 1.0)


def test_na_is_an_answer_to_its_alpha_and_none_to_ours() -> None:
    run = run_of(NOMINAL[:1], 3, judges=2, abstain=0.2)
    other = run.scored().per_criterion[0]
    ratings = run.read()
    without = metrics.raters(ratings, role="judge", interval="none").pooled.values["alpha"]
    counted = metrics.raters(ratings, role="judge", abstention="as_category", interval="none").pooled.values["alpha"]
    assert not same(without, other.krippendorff_alpha)
    assert same(counted, other.krippendorff_alpha)


MIXED = BINARY + ORDINAL + NOMINAL


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mixed_rubric_is_one_number_there_and_one_per_scale_here(seed: int) -> None:
    run = run_of(MIXED, seed, n=80, abstain=0.05)
    its, ratings = run.scored(), run.read()
    of = {kind: [one.name for one in ratings.source.rubric if one.scale == kind] for kind in ("binary", "ordinal", "nominal")}
    binary, nominal = (
        metrics.agreement(ratings.on_criteria(of[kind]), interval="none").judges["j0"] for kind in ("binary", "nominal")
    )
    ordered = [ordinal_scores(run, ratings, place) for place in (3, 4)]
    alone = [own.criteria[name].values for own, kind in ((binary, "binary"), (nominal, "nominal")) for name in of[kind]]
    ranked = [own.pooled.values for own in ordered]
    accuracies = [one["accuracy"] for one in alone] + [one["exact_agreement"] for one in ranked]
    kappas = [one["kappa"] for one in alone] + [one["weighted_kappa_quadratic"] for one in ranked]
    check(
        {
            "criterion_accuracy": (binary.micro.values["accuracy"], its.criterion_accuracy),
            "micro_kappa": (binary.micro.values["kappa"], its.micro_kappa),
            "criterion_phi": (binary.micro.values["phi"], its.criterion_phi),
            "macro_accuracy": (float(np.mean(accuracies)), its.macro_accuracy),
            "mean_kappa": (float(np.mean(kappas)), its.mean_kappa),
            "n_samples": (binary.micro.n + nominal.micro.n + sum(own.pooled.n for own in ordered), its.n_samples),
            **abstention(binary.coverage, its.cannot_assess_stats, "ca_"),
        }
    )
    options = metrics.agreement(ratings.on_criteria([*of["ordinal"], *of["nominal"]]), interval="none").judges["j0"]
    check(abstention(options.coverage, its.na_stats, "na_"))
    assert not same(its.mean_kappa, binary.macro.values["kappa"])


MEASURES = {
    "score_rmse": "rmse",
    "score_mae": "mae",
    "score_spearman.coefficient": "spearman",
    "score_kendall.coefficient": "kendall_tau_b",
    "score_pearson.coefficient": "pearson",
    "bias.mean_bias": "bias",
    "bias.std_bias": "bias_sd",
    "bias.p_value": "bias_p",
    "bias.effect_size": "bias_d",
}


def item_numbers(ours: Any, its: Any) -> dict[str, tuple[float, float | None]]:
    n = ours.all.n
    counts = ("score_spearman.n_samples", "score_kendall.n_samples", "score_pearson.n_samples", "bias.n_samples")
    return {path: (ours.all.measures[key].value, at(its, path)) for path, key in MEASURES.items()} | {
        path: (n, at(its, path)) for path in counts
    }


@pytest.mark.slow("many made-up files")
@pytest.mark.parametrize("share", [0.0, 0.15])
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_of_items(seed: int, share: float) -> None:
    run = run_of(MIXED, seed, silent=share, abstain=share)
    its, report = run.scored(), metrics.item_scores(run.read(), interval="none")
    ours = report.judges["j0"]
    check(item_numbers(ours, its))
    assert ours.complete.n == (60 if not share else sum((run.human >= 0).all(1) & (run.judges["j0"] >= 0).all(1)))
    several = run_of(MIXED, seed, judges=2, silent=share, abstain=share)
    theirs, ours = several.scored(per_judge=True).per_judge, metrics.item_scores(several.read(), interval="none").judges
    for judge, other in theirs.items():
        check(item_numbers(ours[judge], other))


def test_an_item_with_a_failed_call_has_a_score_there_and_none_here() -> None:
    run = run_of(BINARY, 1, failed=0.1, silent=0.0)
    failed = (run.judges["j0"] == FAILED).any(1)
    its, ours = run.scored(), metrics.item_scores(run.read(), interval="none").judges["j0"]
    assert its.bias.n_samples > ours.all.n == (~failed).sum()
    assert ours.left_out == {"a side has no verdict, or a failed call, on a criterion": failed.sum()}
    kept = Run(BINARY, run.human[~failed], {"j0": run.judges["j0"][~failed]})
    check(item_numbers(ours, kept.scored()))


def test_scores_of_two_values_are_warned_of_on_both_sides() -> None:
    run = run_of(BINARY[:1], 1, silent=0.0)
    assert any("<=2 distinct values" in text for text in run.scored().warnings)
    assert "collapsed_scores" in {warning.code for warning in metrics.item_scores(run.read(), interval="none").warnings}


def test_its_three_bootstrap_intervals_stand_beside_ours() -> None:
    run = run_of(BINARY, 0, n=120, silent=0.0)
    its = run.scored(bootstrap=True, n_bootstrap=60, seed=1).bootstrap
    ratings = run.read()
    report = metrics.agreement(ratings, interval="bootstrap", replicates=1000)
    ours = report.judges["j0"]
    for theirs, own in (
        (its.accuracy_ci, ours.micro["accuracy"].ends),
        (its.kappa_ci, ours.macro["kappa"].ends),
        (its.rmse_ci, metrics.item_scores(ratings).judges["j0"].all.measures["rmse"].ends),
    ):
        assert np.allclose(theirs, own, atol=0.06)
    declared = report.declaration.interval
    assert (declared["replicates"], declared["confidence"], its.n_bootstrap, its.confidence_level) == (1000, 0.95, 60, 0.95)


def pooled(run: Run) -> dict[str, Any]:
    return {entry.scale_type: entry for entry in run.scored().pooled_by_scale}


def test_a_rubric_for_every_item_is_pooled_by_scale() -> None:
    run = run_of(MIXED, 6, silent=0.0, abstain=0.1)
    run.apart = True
    its, ratings = pooled(run), run.read()
    of = {kind: [one.name for one in ratings.source.rubric if one.scale == kind] for kind in its}
    binary = metrics.agreement(ratings.on_criteria(of["binary"]), interval="none").judges["j0"]
    other, micro = its["binary"], binary.micro
    check(
        {
            "n_points": (micro.n, other.n_points),
            "exact_accuracy": (micro.values["accuracy"], other.exact_accuracy),
            **{key: (micro.values[key], at(other, key)) for key in ("kappa", "phi", *RATES)},
            "n_abstain": (round(binary.coverage.judge_abstention_rate * binary.coverage.n_total), other.n_abstain),
        }
    )
    assert micro.confusion.tolist() == other.confusion_matrix.matrix


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
def test_options_of_other_rubrics_are_pooled_by_their_values(kind: str) -> None:
    run = run_of(ORDINAL if kind == "ordinal" else NOMINAL, 6, silent=0.0, abstain=0.1)
    run.apart = True
    its, ratings = pooled(run)[kind], run.read()
    ours = metrics.scores(ratings, on="score", interval="none").judges["j0"].pooled
    exact = metrics.agreement(ratings, interval="none").judges["j0"].micro
    check(
        {
            "n_points": (exact.n, its.n_points),
            "exact_accuracy": (exact.values["accuracy"], its.exact_accuracy),
            **{f"value_{key}": (ours.values[key], at(its, f"value_{key}")) for key in ("rmse", "mae", "spearman", "pearson")},
        }
    )


def test_pooled_a_ground_truth_that_abstains_is_unmet_there_and_left_out_here() -> None:
    run = run_of(BINARY, 6, silent=0.2)
    run.apart = True
    other, micro = pooled(run)["binary"], metrics.agreement(run.read(), interval="none").judges["j0"].micro
    silent = run.human < 0
    assert other.n_points == micro.n + silent.sum() == run.human.size
