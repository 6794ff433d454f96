"""Agreement between LLM judges and people: every number with what gives it its meaning."""

from metrics.aggregation import ItemRule
from metrics.catalogue import BY_KEY, CATALOGUE, Metric
from metrics.coefficients import (
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
)
from metrics.comparison import compare, compare_all
from metrics.contrasts import Comparison, Forest
from metrics.errors import InputError
from metrics.joining import join
from metrics.judging import agreement
from metrics.labels import Scheme
from metrics.planning import expected_width, items_needed, plan_difference, plan_floor
from metrics.rates import (
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
    npv,
    precision,
    predicted_prevalence,
    prevalence,
    prevalence_index,
    recall,
    specificity,
    youden_j,
)
from metrics.ratings import Rater, Ratings
from metrics.readers import read
from metrics.results import AgreementReport
from metrics.version import __version__

__all__ = [
    "BY_KEY", "CATALOGUE", "AgreementReport", "Comparison", "Forest", "InputError", "ItemRule", "Metric", "Rater", "Ratings",
    "Scheme", "__version__", "accuracy", "agreement", "balanced_accuracy", "baseline_accuracy", "baseline_accuracy_by_criterion",
    "bias_index", "cohen_kappa", "compare", "compare_all", "drift", "expected_agreement", "expected_width", "f1", "f1_negative",
    "fnr", "fpr", "gwet_ac1", "items_needed", "join", "kappa_phi_gap", "kappa_phi_ratio", "kappa_within", "macro_f1",
    "mcc_multiclass", "npv", "pabak", "phi", "plan_difference", "plan_floor", "precision", "predicted_prevalence", "prevalence",
    "prevalence_index", "read", "recall", "scott_pi", "specificity", "weighted_kappa", "youden_j",
]  # fmt: skip
