"""Agreement between LLM judges and people: every number with what gives it its meaning."""

import metrics.engines
import metrics.readers
import metrics.report.writing  # noqa: F401 - for those who write the name with its dots

from .analyses.agreement.compute import agreement
from .analyses.biases.compute import biases
from .analyses.biases.result import BiasReport
from .analyses.comparison.compute import compare, compare_all
from .analyses.comparison.forest import Forest
from .analyses.comparison.joining import join
from .analyses.comparison.margin_plan import plan_margin
from .analyses.comparison.result import Comparison
from .analyses.ensembles.cluster_judges import think_alike
from .analyses.ensembles.errors import shared_errors
from .analyses.ensembles.growth import panel_growth
from .analyses.ensembles.panel import with_panel
from .analyses.ensembles.runs import majority_of_runs, self_agreement
from .analyses.ensembles.split import split_decisions
from .analyses.from_labels import (
    accuracy,
    balanced_accuracy,
    baseline_accuracy,
    baseline_accuracy_by_criterion,
    bias_index,
    cohen_kappa,
    drift,
    expected_agreement,
    f1,
    f1_negative,
    fnr,
    fpr,
    gwet_ac1,
    kappa_phi_gap,
    kappa_phi_ratio,
    kappa_within,
    macro_f1,
    macro_j,
    markedness,
    mcc_multiclass,
    npv,
    pabak,
    phi,
    precision,
    predicted_prevalence,
    prevalence,
    prevalence_index,
    recall,
    scott_pi,
    specificity,
    weighted_kappa,
    weighted_kappa_quadratic,
    youden_j,
)
from .analyses.judge_selection.ranking import rank_judges, rank_tables
from .analyses.overview.compute import overview
from .analyses.overview.result import Overview
from .analyses.planning.compute import plan_difference, plan_floor
from .analyses.planning.sizes import expected_width, items_needed
from .analyses.prevalence.compute import sweep
from .analyses.prevalence.power import answers_needed, signal_to_noise
from .analyses.raters.compute import raters
from .analyses.records import AgreementReport
from .analyses.roc.compute import roc
from .analyses.roc.two_judges import compare_scores
from .analyses.sampling.compute import label_next
from .analyses.sampling.result import LabelPlan
from .analyses.scores.binarised import cut_sweep
from .analyses.scores.compute import scores
from .analyses.scores.item_scores import item_scores
from .analyses.scores.result import ScoresReport
from .analyses.simulation.compute import select_judge
from .analyses.slices.compute import slices
from .analyses.slices.result import SliceReport
from .analyses.true_rate.compute import compare_rates, correct_prevalence
from .analyses.true_rate.measured import prediction_powered
from .data.aggregation import ItemRule
from .data.labels import Scheme
from .data.ratings import Rater, Ratings
from .errors import InputError
from .measures.catalogue import BY_KEY, CATALOGUE
from .measures.metric import Metric
from .readers import read
from .readers.import_report import ImportReport, import_report
from .readers.long_form import ratings_table
from .report.checklist.compute import checklist
from .version import __version__

__all__ = [
    "BY_KEY", "CATALOGUE", "AgreementReport", "BiasReport", "Comparison", "Forest", "ImportReport", "InputError", "ItemRule",
    "LabelPlan", "Metric", "Overview", "Rater", "Ratings", "Scheme", "ScoresReport", "SliceReport", "__version__", "accuracy",
    "agreement", "answers_needed", "balanced_accuracy", "baseline_accuracy", "baseline_accuracy_by_criterion", "bias_index",
    "biases", "checklist", "cohen_kappa", "compare", "compare_all", "compare_rates", "compare_scores", "correct_prevalence",
    "cut_sweep", "drift", "expected_agreement", "expected_width", "f1", "f1_negative", "fnr", "fpr", "gwet_ac1", "import_report",
    "item_scores", "items_needed", "join", "kappa_phi_gap", "kappa_phi_ratio", "kappa_within", "label_next", "macro_f1",
    "macro_j", "majority_of_runs", "markedness", "mcc_multiclass", "npv", "overview", "pabak", "panel_growth", "phi",
    "plan_difference", "plan_floor", "plan_margin", "precision", "predicted_prevalence", "prediction_powered", "prevalence",
    "prevalence_index", "rank_judges", "rank_tables", "raters", "ratings_table", "read", "recall", "roc", "scores", "scott_pi",
    "select_judge", "self_agreement", "shared_errors", "signal_to_noise", "slices", "specificity", "split_decisions", "sweep",
    "think_alike", "weighted_kappa", "weighted_kappa_quadratic", "with_panel", "youden_j",
]  # fmt: skip
