"""autorubric 1.6.1 beside this package: every number of its `compute_metrics`, where the same one is here, and how they differ.

"equal": the same number on every run. "conditional": the same wherever the condition holds
that the difference names. "differs": another number, and why. "absent": what stands in its place.
Of an ensemble its numbers beside `per_judge` are those of the final verdicts; ours are those of each judge, or of
`metrics.with_panel`. Its numbers have no intervals except three bootstrap ones; ours have one each, unless the metric has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Relation = Literal["equal", "conditional", "differs", "absent"]
VERSION = "1.6.1"


@dataclass(frozen=True)
class Counterpart:
    """One number of autorubric and ours.

    Attributes
    ----------
    theirs : str
        Path in its `MetricsResult`; ``[binary]`` and the like say which kind of entry is meant.
    ours : str
        The function of this package, and where in its result the number stands.
    relation : {"equal", "conditional", "differs", "absent"}
    difference : str
        Empty where they are equal.
    """

    theirs: str
    ours: str
    relation: Relation = "equal"
    difference: str = ""


ZERO = "It gives 0.0 where the rate has no denominator; ours is undefined, with the reason. Equal where it has one."
REST = (
    "With as_category it stays MET against the rest beside a κ of three classes: two estimands in one report. Ours is then "
    "per_class, named one-vs-rest; the same number stands in a report with as_unmet. Equal in the other modes."
)
ONE_SCALE = (
    "It puts criteria of all scales into one number; ours is one number per scale, from `ratings.on_criteria`. Equal on a rubric "
    "of one scale."
)
PRESENT = (
    "Its weights rest on the options that occur: an option nobody chose falls out of the scale and its neighbours count as "
    "adjacent. Ours rest on the stated order. Equal where no option between two others is unused."
)
BY_VALUE = "It correlates option values, ours places. Equal unless two options share a value."
FEWEST = "It has none below three pairs, ours from two on. Equal from three on."
ERRED = (
    "It counts failed calls, and items that failed as a whole, among the pairs it divides by; ours counts them apart. Equal "
    "where no call failed."
)
STAND_IN = (
    "Its grader scores an item on which a call failed as if the judge had abstained there; ours leaves the item out and counts "
    "it. Equal on items without a failed call, with the grader's default settings (skip, normalised)."
)
VOTES = (
    "It counts superseded votes, takes NA for an option, and has none below two items; ours leaves superseded votes out of the "
    "ratings, NA is no rating, and one item is enough. Equal on two items or more where there are none of either."
)
COMPLETE = (
    "It takes items on which every judge voted, NA among the votes, and has none below two of them; ours takes those with the "
    "number of votes that keeps most of them, one or more, and says which. Equal on two items or more where every judge gave "
    "every item a verdict."
)
NO_DECISION = "It is false where no decision is left; ours gives that as the reason. Equal where a decision is left."
NO_OPTION = "It lists no option where no decision is left; ours counts 0 of each. Equal where a decision is left."
P_VALUE = "Ours has an interval in its place."
NA_OPTION = "It counts the NA option; ours the verdicts."
NA_CELLS = "Its last row and column are NA, and empty."
OWN_RUBRICS = (
    "With another rubric for every item it pools the criteria of one scale, and takes a ground truth that cannot be assessed "
    "for UNMET; ours leaves such a decision out. Equal where the ground truth never abstains."
)
SUPERSEDED = "It counts superseded votes as the judge's verdicts; ours leaves them out. Equal where there are none."

_MICRO = "agreement(…).judges[j].micro"
_CRITERION = "agreement(…).judges[j].criteria[c]"
_COVERAGE = "agreement(…).judges[j].coverage"
_ORDINAL = "scores(…).judges[j].criteria[c]"
_RATERS = "raters(…, role='judge').criteria[c]"
_THIRD = "agreement(…, abstention='as_category').judges[j].micro"
_ON_SCORES = "scores(…, on='score').judges[j].pooled"
_ITEMS = "item_scores(…).judges[j].all"


def _scores(prefix: str, more: str = "") -> list[Counterpart]:
    """Return the numbers of item scores, of the run or of a judge."""
    text, measure = more + STAND_IN, f"{_ITEMS}.measures"
    plain = (
        ("score_rmse", "rmse"), ("score_mae", "mae"), ("bias.mean_bias", "bias"), ("bias.std_bias", "bias_sd"),
        ("bias.p_value", "bias_p"), ("bias.effect_size", "bias_d"),
    )  # fmt: skip
    score_counterparts = [Counterpart(f"{prefix}{theirs}", f"{measure}['{ours}']", "differs", text) for theirs, ours in plain]
    for theirs, ours in (("spearman", "spearman"), ("kendall", "kendall_tau_b"), ("pearson", "pearson")):
        where = f"{measure}['{ours}']"
        score_counterparts += [
            Counterpart(f"{prefix}score_{theirs}.coefficient", where, "differs", f"{text} {FEWEST}"),
            Counterpart(f"{prefix}score_{theirs}.n_samples", f"{_ITEMS}.n", "differs", text),
            Counterpart(f"{prefix}score_{theirs}.p_value", f"{where}.interval", "absent", P_VALUE),
        ]
    return [
        *score_counterparts,
        Counterpart(f"{prefix}bias.n_samples", f"{_ITEMS}.n", "differs", text),
        Counterpart(f"{prefix}bias.is_significant", f"{measure}['bias_p']", "absent", "The p-value itself, and an interval."),
    ]


def _coverage(prefix: str, where: str) -> list[Counterpart]:
    return [
        Counterpart(f"{prefix}coverage_stats.n_total", f"{where}.n_total + n_errors", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.n_covered", f"{where}.n_covered"),
        Counterpart(f"{prefix}coverage_stats.coverage", f"{where}.coverage", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.judge_abstain_rate", f"{where}.judge_abstention_rate", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.gt_abstain_rate", f"{where}.human_abstention_rate", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.union_exclusion_rate", f"1 - {where}.coverage", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.n_errored", f"{where}.n_errors", "differs", ERRED),
        Counterpart(f"{prefix}coverage_stats.error_rate", f"{where}.error_rate", "differs", ERRED),
    ]


def _options(kind: str, where: str) -> list[Counterpart]:
    """Return the numbers of every option of a multi-choice criterion."""
    prefix = f"per_criterion[{kind}].per_option"
    return [
        *(Counterpart(f"{prefix}.{key}", f"{where}.more['per_class'][option]['{key}']", "conditional", ZERO)
          for key in ("precision", "recall", "f1")),
        Counterpart(f"{prefix}.support_true", f"{where}.confusion.sum(1)", "differs", NO_OPTION),
        Counterpart(f"{prefix}.support_pred", f"{where}.confusion.sum(0)", "differs", NO_OPTION),
    ]  # fmt: skip


_LINES: tuple[Counterpart, ...] = (
    Counterpart("criterion_accuracy", f"{_MICRO}.values['accuracy']", "differs", ONE_SCALE),
    Counterpart("criterion_precision", f"{_MICRO}.values['precision']", "differs", f"{ZERO} {REST}"),
    Counterpart("criterion_recall", f"{_MICRO}.values['recall']", "differs", f"{ZERO} {REST}"),
    Counterpart("criterion_f1", f"{_MICRO}.values['f1']", "differs", f"{ZERO} {REST}"),
    Counterpart("criterion_phi", f"{_MICRO}.values['phi']", "differs", REST),
    Counterpart("micro_kappa", f"{_MICRO}.values['kappa']"),
    Counterpart("mean_kappa", "agreement(…).judges[j].macro.values['kappa']", "differs", ONE_SCALE),
    Counterpart("macro_accuracy", "agreement(…).judges[j].macro.values['accuracy']", "differs", ONE_SCALE),
    Counterpart("mean_krippendorff_alpha", "raters(…, role='judge').mean('alpha')", "differs", f"{ONE_SCALE} {VOTES}"),
    Counterpart("n_samples", f"{_MICRO}.n", "differs", ONE_SCALE),
    Counterpart("n_items", "agreement(…).judges[j].n_items"),
    Counterpart("n_criteria", "len(ratings.criteria)"),
    *(Counterpart(f"n_{kind}_criteria", "ratings.source.rubric[…].scale") for kind in ("binary", "ordinal", "nominal")),
    *_scores(""),
    *_coverage("", _COVERAGE),
    *(Counterpart(f"bootstrap.{key}", f"{where}, interval='bootstrap'", "differs",
                  "Percentiles of its own random draws of items; ours too on request, by other draws, and for every metric.")
      for key, where in (("accuracy_ci", _MICRO), ("kappa_ci", "agreement(…).judges[j].macro"))),
    Counterpart("bootstrap.rmse_ci", f"{_ITEMS}.measures['rmse'].interval", "differs",
                "Percentiles of random draws of items; ours leaves items out one at a time."),
    Counterpart("bootstrap.n_bootstrap", "declaration.interval['replicates']"),
    Counterpart("bootstrap.confidence_level", "declaration.interval['confidence']"),
    Counterpart("cannot_assess_stats.ca_count_true", f"{_COVERAGE}.human_abstention_rate × n_total"),
    Counterpart("cannot_assess_stats.ca_count_pred", f"{_COVERAGE}.judge_abstention_rate × n_total"),
    Counterpart("cannot_assess_stats.ca_false_positive", f"{_COVERAGE}.(judge − both)_abstention_rate × n_total"),
    Counterpart("cannot_assess_stats.ca_false_negative", f"{_COVERAGE}.(human − both)_abstention_rate × n_total"),
    Counterpart("cannot_assess_stats.ca_kappa", f"{_COVERAGE}.abstention_kappa"),
    *(Counterpart(f"na_stats.na_{key}", f"{_COVERAGE} on the criteria with options", "differs",
                  "It leaves out criteria without an NA option; ours are those in the ratings. Equal where each has one.")
      for key in ("count_true", "count_pred", "false_positive", "false_negative", "kappa")),
    *(Counterpart(f"per_judge.criterion_{key}", f"{_MICRO}.values['{key}']", "differs", f"{text} {SUPERSEDED}")
      for key, text in (("accuracy", ONE_SCALE), ("precision", ZERO), ("recall", ZERO), ("f1", ZERO))),
    Counterpart("per_judge.mean_kappa", "agreement(…).judges[j].macro.values['kappa']", "differs", f"{ONE_SCALE} {SUPERSEDED}"),
    Counterpart("per_judge.phi", f"{_MICRO}.values['phi']", "differs", f"{REST} {SUPERSEDED}"),
    Counterpart("per_judge.confusion_matrix", f"{_THIRD}.confusion", "differs", SUPERSEDED),
    *_scores("per_judge.", f"{SUPERSEDED} "),
    Counterpart("per_judge.n_pairs", f"{_COVERAGE}.n_total", "differs", "It has one for the judges of a cascade only."),
    Counterpart("per_criterion[binary].n_samples", f"{_CRITERION}.n"),
    Counterpart("per_criterion[binary].accuracy", f"{_CRITERION}.values['accuracy']"),
    *(Counterpart(f"per_criterion[binary].{key}", f"{_CRITERION}.values['{key}']", "differs", f"{ZERO} {REST}")
      for key in ("precision", "recall", "f1")),
    Counterpart("per_criterion[binary].kappa", f"{_CRITERION}.values['kappa']"),
    *(Counterpart(f"per_criterion[binary].{key}", f"{_CRITERION}.values['{key}']", "differs", REST)
      for key in ("fpr", "fnr", "phi")),
    *(Counterpart(f"per_criterion[binary].{key}", f"{_CRITERION}.confusion", "differs", REST)
      for key in ("support_true", "support_pred", "confusion_matrix")),
    Counterpart("per_criterion[binary].is_degenerate", f"{_CRITERION}.degenerate", "differs",
                "It says so where decisions are left and κ is undefined; ours also where none is left, and where one side gives "
                "one label, so that κ is 0 by construction."),
    *(Counterpart(f"per_criterion[{kind}].krippendorff_alpha", f"{_RATERS}.values['alpha']", "differs", VOTES)
      for kind in ("binary", "ordinal", "nominal")),
    *(Counterpart(f"per_criterion[{kind}].fleiss_kappa", f"{_RATERS}.values['fleiss_kappa']", "differs", COMPLETE)
      for kind in ("binary", "ordinal", "nominal")),
    *_coverage("per_criterion[binary].", "agreement(…).judges[j].criterion_coverage[c]"),
    Counterpart("per_criterion[ordinal].n_samples", f"{_ORDINAL}.n"),
    Counterpart("per_criterion[ordinal].n_options", "len(order)", "differs", NA_OPTION),
    Counterpart("per_criterion[ordinal].exact_accuracy", f"{_ORDINAL}.values['exact_agreement']"),
    Counterpart("per_criterion[ordinal].adjacent_accuracy", f"{_ORDINAL}.values['adjacent_agreement']"),
    Counterpart("per_criterion[ordinal].weighted_kappa", f"{_ORDINAL}.values['weighted_kappa_quadratic']", "differs", PRESENT),
    *(line for theirs, ours in (("spearman", "spearman"), ("kendall", "kendall_tau_b")) for line in (
        Counterpart(f"per_criterion[ordinal].{theirs}.coefficient", f"{_ORDINAL}.values['{ours}']", "differs",
                    f"{BY_VALUE} {FEWEST}"),
        Counterpart(f"per_criterion[ordinal].{theirs}.n_samples", f"{_ORDINAL}.n"),
        Counterpart(f"per_criterion[ordinal].{theirs}.p_value", f"{_ORDINAL}.intervals['{ours}']", "absent", P_VALUE),
    )),
    Counterpart("per_criterion[ordinal].rmse", f"{_ORDINAL}.values['rmse']"),
    Counterpart("per_criterion[ordinal].mae", f"{_ORDINAL}.values['mae']"),
    *_options("ordinal", _ORDINAL),
    Counterpart("per_criterion[ordinal].confusion_matrix", f"{_ORDINAL}.confusion", "differs", NA_CELLS),
    Counterpart("per_criterion[ordinal].is_degenerate", f"{_ORDINAL}.undefined['weighted_kappa_quadratic']", "differs",
                NO_DECISION),
    *_coverage("per_criterion[ordinal].", "scores(…).judges[j].criterion_coverage[c]"),
    Counterpart("per_criterion[nominal].n_samples", f"{_CRITERION}.n"),
    Counterpart("per_criterion[nominal].n_options", f"len({_CRITERION}.labels)", "differs", NA_OPTION),
    Counterpart("per_criterion[nominal].exact_accuracy", f"{_CRITERION}.values['accuracy']"),
    Counterpart("per_criterion[nominal].kappa", f"{_CRITERION}.values['kappa']"),
    *_options("nominal", _CRITERION),
    Counterpart("per_criterion[nominal].confusion_matrix", f"{_CRITERION}.confusion", "differs", NA_CELLS),
    Counterpart("per_criterion[nominal].is_degenerate", f"{_CRITERION}.undefined['kappa']", "differs", NO_DECISION),
    *_coverage("per_criterion[nominal].", "agreement(…).judges[j].criterion_coverage[c]"),
    *(Counterpart(f"pooled_by_scale.{key}", where, "differs", OWN_RUBRICS) for key, where in (
        ("n_points", f"{_MICRO}.n"), ("exact_accuracy", f"{_MICRO}.values['accuracy']"),
        *((f"value_{key}", f"{_ON_SCORES}.values['{key}']") for key in ("rmse", "mae", "spearman", "pearson")),
        *((key, f"{_MICRO}.values['{key}']") for key in ("kappa", "phi", "precision", "recall", "f1")),
        ("confusion_matrix", f"{_MICRO}.confusion"), ("n_abstain", f"{_COVERAGE}.judge_abstention_rate × n_total"),
    )),
)  # fmt: skip


def _conditional(line: Counterpart) -> Counterpart:
    return replace(line, relation="conditional") if "Equal " in line.difference else line


COUNTERPARTS: tuple[Counterpart, ...] = tuple(map(_conditional, _LINES))
