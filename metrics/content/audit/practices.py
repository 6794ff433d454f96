"""What each practice of the checklist asks of a judgment scale."""

from __future__ import annotations

from dataclasses import dataclass

from metrics.data.labels import Scale


@dataclass(frozen=True)
class Requirement:
    """What a practice asks on one scale.

    Attributes
    ----------
    text : str
        What would be added; where it does not apply, why.
    page : str
        Address of the page that does it; empty where the practice does not apply.
    """

    text: str
    page: str = ""


_NO_SIDES = "Scores take many values: Pearson, Spearman and Kendall answer different questions there."
_LEVEL = "Say whether decisions are pooled, averaged over criteria, or made one verdict per item."
_ONE_LABEL = "Criteria on which a side says one label only: give their counts, call them undefined, neither 0 nor left out."
_UNREAD = "Say what becomes of an answer without a readable score."
_UNREAD_RATE = "Give the share of answers without a readable score, also as a number of its own."
_RATES = "Give the rates of abstentions and of unreadable answers, for the judge and for the people."
_UNREAD_LEFT = "If answers without a score are left out: the share that remains, beside the number."
_ABSTAINED_LEFT = "If answers without a verdict are left out: the share that remains, and whether they differ from the others."

ASKED: dict[int, dict[Scale, Requirement]] = {
    1: {
        "binary": Requirement("Say that the judgments are yes/no, and which label is the positive one.", "scales"),
        "pairwise": Requirement("Say that the judgments are preferences, and whether a tie is an answer.", "scales"),
        "ordinal": Requirement("Say that the grades are ordered, and how many there are.", "scales"),
        "continuous": Requirement("Say that the judgments are scores, and between which ends.", "scales"),
        "nominal": Requirement("Say that the classes have no order, and which they are.", "scales"),
    },
    2: {
        "binary": Requirement(
            "Of Pearson, Spearman, Kendall, φ and MCC give one, as φ: on yes/no labels they are one number.", "kappa-phi"
        ),
        "pairwise": Requirement(
            "Without the ties there are two labels: then of Pearson, Spearman, Kendall, φ and MCC give one, as φ.", "kappa-phi"
        ),
        "ordinal": Requirement(
            "Grades take more than two values: Pearson, Spearman and Kendall answer different questions there."
        ),
        "continuous": Requirement(_NO_SIDES),
        "nominal": Requirement("Where a data set has two classes, give φ alone; with more, R_K takes its place.", "kappa-phi"),
    },
    3: {
        "binary": Requirement(
            "Give accuracy, what always saying the majority label would score, and κ beside them.", "agreement"
        ),
        "pairwise": Requirement(
            "Give accuracy and κ side by side: chance is near a half only where the sides are balanced.", "preferences"
        ),
        "ordinal": Requirement(
            "Give exact agreement with weighted κ: a correlation forgives a judge that is a step too high everywhere.", "scores"
        ),
        "continuous": Requirement("Two scores are hardly ever equal. Concordance and bias take the place of accuracy and κ."),
        "nominal": Requirement(
            "Give accuracy, what always saying the commonest class would score, and κ beside them.", "agreement"
        ),
    },
    4: {
        "binary": Requirement("Give the four counts: a strict and a lenient judge share every symmetric number.", "agreement"),
        "pairwise": Requirement("Give the table of A, B and tie: it shows a judge that favours one side.", "preferences"),
        "ordinal": Requirement("Give the table grade by grade: it shows the direction and the size of the errors.", "scores"),
        "continuous": Requirement(
            "Scores have no table of counts. Bias and limits of agreement give the direction of its errors."
        ),
        "nominal": Requirement("Give the whole table, class by class.", "agreement"),
    },
    5: {
        "binary": Requirement(_ONE_LABEL, "agreement"),
        "pairwise": Requirement(
            "Groups in which a side always prefers the same answer: count them, call them undefined.", "agreement"
        ),
        "ordinal": Requirement(
            "Criteria on which a side gives one grade only have no correlation: give their counts, call them undefined.", "scores"
        ),
        "continuous": Requirement(
            "Texts or criteria on which a side gives one score only have no correlation: count them, call them undefined.",
            "scores",
        ),
        "nominal": Requirement(_ONE_LABEL, "agreement"),
    },
    6: {
        "binary": Requirement("Say in every number what an abstention and an unreadable answer count as.", "abstention"),
        "pairwise": Requirement(
            "Say in every number where the ties go: left out, a class of their own, or half a win each.", "preferences"
        ),
        "ordinal": Requirement(_UNREAD, "scores"),
        "continuous": Requirement(_UNREAD, "scores"),
        "nominal": Requirement(
            "Say in every number whether an abstention is a class, and where unreadable answers go.", "abstention"
        ),
    },
    7: {
        "binary": Requirement(_RATES, "abstention"),
        "pairwise": Requirement("Give the tie rates of both sides, and the rate of unreadable answers.", "preferences"),
        "ordinal": Requirement(_UNREAD_RATE, "data"),
        "continuous": Requirement(_UNREAD_RATE, "data"),
        "nominal": Requirement(_RATES, "abstention"),
    },
    8: {
        "binary": Requirement(_ABSTAINED_LEFT, "abstention"),
        "pairwise": Requirement("If ties are left out: the share of pairs that remains, beside the number.", "preferences"),
        "ordinal": Requirement(_UNREAD_LEFT, "scores"),
        "continuous": Requirement(_UNREAD_LEFT, "scores"),
        "nominal": Requirement(_ABSTAINED_LEFT, "abstention"),
    },
    9: {
        "binary": Requirement("Two labels have one distance. Costs are asked for where an abstention stays a third answer."),
        "pairwise": Requirement("If a tie stays a class: say what taking it for A or B costs.", "abstention"),
        "ordinal": Requirement("Say which weights κ has: linear and quadratic are two numbers.", "scores"),
        "continuous": Requirement("Scores need no matrix: their distances are the weights."),
        "nominal": Requirement("Say what each confusion costs, or that all cost the same.", "abstention"),
    },
    10: {
        "binary": Requirement(_LEVEL, "choices"),
        "pairwise": Requirement(
            "Say whether all pairs are pooled, averaged over questions, or summed up by system.", "preferences"
        ),
        "ordinal": Requirement("Say whether grades are pooled, averaged over criteria, or summed up by item.", "scores"),
        "continuous": Requirement(
            "Say whether scores are pooled, averaged over texts or criteria, or summed up by system.", "scores"
        ),
        "nominal": Requirement(_LEVEL, "choices"),
    },
}
"""Practices 1 to 10 by scale; the eleventh goes by whether there is an ensemble."""

DEPENDS: dict[int, Requirement] = {
    1: Requirement("The scale depends on the task: name it for every task, before the number.", "scales"),
    2: Requirement("Where a task has two labels: of Pearson, Spearman, Kendall, φ and MCC give one, as φ.", "kappa-phi"),
    3: Requirement("Where a task has labels: accuracy, what the commonest label would score, and κ beside them.", "agreement"),
    4: Requirement("Where a task has labels: the table of counts.", "agreement"),
    5: Requirement(_ONE_LABEL, "agreement"),
    6: Requirement("Say in every number what ties, abstentions and unreadable answers count as.", "abstention"),
    7: Requirement("Give the rates of ties, abstentions and unreadable answers, judge by judge.", "abstention"),
    8: Requirement(_ABSTAINED_LEFT, "abstention"),
    9: Requirement("Where a task has three classes or more: say what each confusion costs.", "abstention"),
    10: Requirement(_LEVEL, "choices"),
}
"""Where the scale depends on the task."""

ENSEMBLE = Requirement(
    "Give one statistic of how the judges agree with each other, and a table of counts for each of them.", "ensemble"
)
ONE_JUDGE = Requirement("The table does not code it as an ensemble.")
