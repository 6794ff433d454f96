"""Agreement between LLM judges and people: every number with what gives it its meaning."""

from .aggregation import ItemRule
from .catalogue import BY_KEY, CATALOGUE, Metric
from .choosing.ranking import rank_judges, rank_tables
from .coefficients import (
    accuracy,
    cohen_kappa,
    expected_agreement,
    gwet_ac1,
    kappa_phi_gap,
    kappa_phi_ratio,
    kappa_within,
    mcc_multiclass,
    pabak,
    phi,
    scott_pi,
    weighted_kappa,
    weighted_kappa_quadratic,
)
from .comparison.contrasts import Comparison, Forest
from .comparison.joining import join
from .comparison.judges import compare, compare_all
from .correcting.correction import compare_rates, correct_prevalence
from .correcting.labelled_part import prediction_powered
from .ensembles.clusters import think_alike
from .ensembles.errors import shared_errors
from .ensembles.growth import panel_growth
from .ensembles.panel import with_panel
from .ensembles.runs import majority_of_runs, self_agreement
from .ensembles.split import split_decisions
from .errors import InputError
from .judging import agreement
from .labels import Scheme
from .planning import expected_width, items_needed, plan_difference, plan_floor
from .practices.checklist import checklist
from .ranking.scoring import roc
from .rates import (
    balanced_accuracy,
    baseline_accuracy,
    baseline_accuracy_by_criterion,
    bias_index,
    drift,
    f1,
    f1_negative,
    fnr,
    fpr,
    macro_f1,
    macro_j,
    markedness,
    npv,
    precision,
    predicted_prevalence,
    prevalence,
    prevalence_index,
    recall,
    specificity,
    youden_j,
)
from .ratings import Rater, Ratings
from .readers import read
from .reliability.raters import raters
from .results import AgreementReport
from .scales.binarised import cut_sweep
from .scales.item_scores import item_scores
from .scales.report import ScoresReport
from .scales.scoring import scores
from .simulating.selection import select_judge
from .sweeping.power import answers_needed, signal_to_noise
from .sweeping.sweeps import sweep
from .version import __version__

__all__ = [
    "BY_KEY", "CATALOGUE", "AgreementReport", "Comparison", "Forest", "InputError", "ItemRule", "Metric", "Rater", "Ratings",
    "Scheme", "ScoresReport", "__version__", "accuracy", "agreement", "answers_needed", "balanced_accuracy",
    "baseline_accuracy", "baseline_accuracy_by_criterion", "bias_index", "checklist", "cohen_kappa", "compare", "compare_all",
    "compare_rates", "correct_prevalence", "cut_sweep", "drift", "expected_agreement", "expected_width", "f1", "f1_negative",
    "fnr", "fpr", "gwet_ac1", "item_scores", "items_needed", "join", "kappa_phi_gap", "kappa_phi_ratio", "kappa_within",
    "macro_f1", "macro_j", "majority_of_runs", "markedness", "mcc_multiclass", "npv", "pabak", "panel_growth", "phi",
    "plan_difference", "plan_floor", "precision", "predicted_prevalence", "prediction_powered", "prevalence",
    "prevalence_index", "rank_judges", "rank_tables", "raters", "read", "recall", "roc", "scores", "scott_pi", "select_judge",
    "self_agreement", "shared_errors", "signal_to_noise", "specificity", "split_decisions", "sweep", "think_alike",
    "weighted_kappa", "weighted_kappa_quadratic", "with_panel", "youden_j",
]  # fmt: skip
