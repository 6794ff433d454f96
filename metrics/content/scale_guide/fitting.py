"""Which numbers fit a judgment scale, which of them are one number there, and what must be said beside them.

After Rao & Callison-Burch, Table 1 and checklist; where their text is wrong, what is right stands here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from metrics.data.labels import Scale

Source = Literal["agreement", "third class", "scores"]


@dataclass(frozen=True)
class Fit:
    """A number that fits a scale.

    Attributes
    ----------
    key : str
        Its name in a report; empty where no report holds it.
    why : str
        What it answers on this scale.
    """

    name: str
    why: str
    key: str = ""


@dataclass(frozen=True)
class Collapse:
    """Names that are one number on a scale, or follow from each other."""

    names: str
    why: str


@dataclass(frozen=True)
class Misfit:
    """Numbers that a scale does not have, and why."""

    names: str
    why: str


@dataclass(frozen=True)
class Guide:
    """What a scale asks for.

    Attributes
    ----------
    examples : str
        Judgments on it.
    source : {"agreement", "third class", "scores"}
        Report that holds the numbers with a key; "third class" where an abstention is one of the classes.
    page : str
        Page that shows them.
    """

    scale: Scale
    examples: str
    source: Source
    page: str
    fits: tuple[Fit, ...]
    collapses: tuple[Collapse, ...]
    misfits: tuple[Misfit, ...]
    reporting_requirements: tuple[str, ...]


_ONE_NUMBER = Collapse(
    "φ, MCC, Pearson, Spearman and τ_b",
    "On two labels they are one number. Report it once, as φ: three of them side by side look like three witnesses.",
)
_BA = Collapse("Balanced accuracy and Youden’s J", "BA = (1 + J) / 2. They order judges alike; name which one it is.")
_COVERAGE = "What becomes of an abstention, and the coverage: how many decisions are left."
_LEVEL = "Whether decisions are pooled (micro), averaged over criteria (macro) or made one verdict per item."
_DEGENERATE = (
    "Criteria on which a side says one label only: κ is 0 there by construction, undefined where both sides say that label "
    "alone; φ is undefined, never 0. None is left out without saying so."
)
_N = "How many decisions on how many items, and an interval over items."

BINARY = Guide(
    "binary",
    "A criterion is MET or UNMET; an answer is correct or not.",
    "agreement",
    "Agreement",
    (
        Fit(
            "Accuracy",
            "How often the two agree. Read it beside the baseline: a rare label makes it high for nothing.",
            "accuracy",
        ),
        Fit("Baseline accuracy", "What always saying the majority label would score.", "baseline_accuracy"),
        Fit("Cohen’s κ", "Agreement beyond what the two label rates give.", "kappa"),
        Fit("φ", "How strongly the two go together. κ/φ falls as the odds of the two label rates differ more.", "phi"),
        Fit("F1", "How well the positive label is found. It ignores agreement on the negative one.", "f1"),
        Fit(
            "Balanced accuracy",
            "Mean of both rates of being right: it does not move with how common a label is.",
            "balanced_accuracy",
        ),
        Fit(
            "Label-rate bias π̂ − π",
            "Whether the judge says the positive label too often, which no symmetric number shows.",
            "drift",
        ),
    ),
    (
        _ONE_NUMBER,
        _BA,
        Collapse("Micro F1 over both labels and accuracy", "They are equal. “F1” alone must say of which label it is."),
        Collapse("κ and φ", "Equal where the label rates are equal or both are 0. κ/φ measures label-rate bias, κ − φ does not."),
    ),
    (Misfit("Weighted κ, MAE, adjacent agreement", "Two labels have one distance, so weights change nothing."),),
    (
        "The table of the four counts, or precision and recall: strict and lenient judges share every symmetric number.",
        _COVERAGE,
        _LEVEL,
        _DEGENERATE,
        _N,
    ),
)

PAIRWISE = Guide(
    "pairwise",
    "Answer A is better, answer B is better, or they tie.",
    "agreement",
    "Preferences",
    (
        Fit("Accuracy", "How often both prefer the same answer, once the ties have a place.", "accuracy"),
        Fit("Cohen’s κ", "The same beyond chance, which is near a half where sides are drawn at random.", "kappa"),
        Fit("Win rate", "How often an answer, or a system, is preferred; a tie counts as the convention says."),
        Fit("Tie rates", "How often each side sees no difference. It is a finding, not a gap in the data."),
        Fit("Consistency of positions", "How often the judge keeps its preference when the two answers change places."),
    ),
    (
        Collapse(
            "φ, MCC, Pearson, Spearman and τ_b", "Without ties, or with ties left out, they are one number, as on two labels."
        ),
        Collapse("φ and κ", "Where both sides prefer A equally often they are equal."),
    ),
    (
        Misfit("Precision, recall, F1", "No side is the positive one: the numbers change when A and B are swapped."),
        Misfit(
            "One number for ties left out, as a class, and as half",
            "They are three questions, and with ties as a class nothing above collapses.",
        ),
    ),
    (
        "The tie convention, before any number: left out, a class of its own, or half a win for each.",
        "Whether both orders were asked, and what became of a preference that follows the position.",
        _COVERAGE,
        _N,
    ),
)

ORDINAL = Guide(
    "ordinal",
    "A rubric from 1 to 5; poor, fair, good.",
    "scores",
    "Scores",
    (
        Fit(
            "κ, quadratic weights",
            "Agreement beyond chance, where an error costs the square of its distance.",
            "weighted_kappa_quadratic",
        ),
        Fit("κ, linear weights", "The same, where an error costs its distance.", "weighted_kappa_linear"),
        Fit("Exact agreement", "How often both choose the same option.", "exact_agreement"),
        Fit(
            "Adjacent agreement",
            "How often they are at most one option apart: nearly always on a short scale.",
            "adjacent_agreement",
        ),
        Fit(
            "Spearman’s ρ", "Whether both order the items alike. A judge one option too high everywhere still has 1.", "spearman"
        ),
        Fit("Kendall’s τ_b", "Of two items, how much more often both order them alike than not.", "kendall_tau_b"),
        Fit("Bias", "Judge minus reference on average: generous or strict.", "bias"),
        Fit("MAE", "How far apart they are on average, in what the options are worth.", "mae"),
    ),
    (
        Collapse(
            "κ quadratic and Lin’s concordance", "On equally spaced options they are equal: chance is the two means and spreads."
        ),
        Collapse("RMSE, bias and the spread of the differences", "RMSE² = bias² + spread²: two of the three say it all."),
        Collapse("All κ on two options", "With two options in use linear, quadratic and plain κ are one number."),
    ),
    (
        Misfit("Plain κ and accuracy alone", "They take 4 for 5 to be as wrong as 1 for 5."),
        Misfit("φ, precision and recall", "They need two sides. A threshold makes them: state it, and look at all thresholds."),
        Misfit(
            "Abstention as a class", "It has no place in an order. Leave it out, or count it as the lowest option and say so."
        ),
    ),
    (
        "The order of the options, never the alphabet’s, and what they are worth.",
        "The weights of κ: linear and quadratic are two numbers, and none is the default.",
        "Options that nobody chose, which shorten the scale.",
        _COVERAGE,
        _LEVEL,
        _N,
    ),
)

CONTINUOUS = Guide(
    "continuous",
    "A quality score from 0 to 100; a mean of several ratings.",
    "scores",
    "Scores",
    (
        Fit(
            "Pearson’s r", "Whether a straight line carries one to the other. It forgives a shift and another spread.", "pearson"
        ),
        Fit("Spearman’s ρ", "Whether the order of the items is kept, straight line or not.", "spearman"),
        Fit("Kendall’s τ_b", "Of two items, how much more often both order them alike than not.", "kendall_tau_b"),
        Fit(
            "Lin’s concordance", "Whether the two numbers are equal: a correlation that a shift or another spread lowers.", "ccc"
        ),
        Fit("ICC(3,1)", "Consistency: as above, but a constant shift is forgiven.", "icc_3_1"),
        Fit("Bias", "Judge minus reference on average, with its test and effect size.", "bias"),
        Fit("RMSE", "Typical distance, in the unit of the scores; large errors weigh more.", "rmse"),
        Fit("MAE", "Mean distance, in the unit of the scores.", "mae"),
    ),
    (
        Collapse("Lin’s concordance and ICC(2,1)", "They differ by a term that goes with 1/n: report one."),
        Collapse("RMSE, bias and the spread of the differences", "RMSE² = bias² + spread²: two of the three say it all."),
    ),
    (
        Misfit("κ, accuracy, F1", "Two scores are hardly ever equal. A threshold makes labels of them: state it."),
        Misfit("Pearson, Spearman and Kendall as one", "Here they answer three questions and may differ in sign."),
        Misfit(
            "Bias, RMSE, MAE and concordance of two units", "Scores of 0–1 and of 1–5 have no difference. Correlations stand."
        ),
    ),
    (
        "The unit and the range of both sides, and whether they are the same.",
        "What a number of the reference is: one person’s score, or the mean of several.",
        "Which correlation it is, and why that one.",
        _N,
    ),
)

NOMINAL = Guide(
    "nominal",
    "Kinds of error; full, partial or no refusal; MET, UNMET and CANNOT_ASSESS.",
    "third class",
    "Agreement",
    (
        Fit("Accuracy", "How often both choose the same class.", "accuracy"),
        Fit("Cohen’s κ", "The same beyond chance, every confusion costing alike.", "kappa"),
        Fit("R_K", "φ for more than two classes: κ is between 0 and it.", "mcc_multiclass"),
        Fit("Balanced accuracy", "Mean of the rates of being right, class by class.", "balanced_accuracy"),
        Fit("Macro-F1", "Mean of F1 over the classes, each one against the rest.", "macro_f1"),
        Fit("κ, own weights", "Where some confusions cost more: the cost matrix is then the message."),
    ),
    (
        Collapse("Micro F1 over all classes and accuracy", "They are equal."),
        Collapse("κ and R_K", "Equal where both sides use every class equally often or both are 0; else κ is the nearer to 0."),
        Collapse(
            "F1 of MET against the rest, and F1 with abstentions counted as UNMET",
            "Always equal: both put UNMET and abstention together.",
        ),
    ),
    (
        Misfit("φ, Pearson, Spearman, τ_b", "Classes have no order: the number would follow from how they are coded."),
        Misfit(
            "Label-rate bias and Youden’s J as one number",
            "Every class has its own. Macro J is sure to follow balanced accuracy only where classes are balanced.",
        ),
    ),
    (
        "The cost matrix or the weights, or that every confusion costs the same.",
        "How many classes were in use, and the table itself.",
        "Where abstentions are kept as a class: that they are, or the mode that reduces it to two.",
        _LEVEL,
        _N,
    ),
)

GUIDES: dict[Scale, Guide] = {guide.scale: guide for guide in (BINARY, PAIRWISE, ORDINAL, CONTINUOUS, NOMINAL)}
