"""What whoever reports chooses: what a report shows of its numbers, and short answers to what no file of labels can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from metrics.data.aggregation import Level
from metrics.errors import InputError

Association = Literal["phi", "mcc", "pearson", "spearman", "kendall_tau_b"]
InterJudge = Literal["alpha", "fleiss_kappa", "mean_pairwise_phi"]
ASSOCIATIONS: dict[Association, str] = {
    "phi": "φ",
    "mcc": "MCC",
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s ρ",
    "kendall_tau_b": "Kendall’s τ_b",
}
"""Names of one number on two labels; on more than two, φ is R_K and the others are not reported."""
INTER_JUDGE: dict[InterJudge, str] = {
    "alpha": "Krippendorff’s α",
    "fleiss_kappa": "Fleiss’ κ",
    "mean_pairwise_phi": "Mean φ of pairs",
}
SWITCHES: dict[str, str] = {
    "overview": "The overview on the first page",
    "kappa": "Cohen’s κ beside accuracy",
    "confusion": "Confusion matrices",
    "rates": "Precision and recall",
    "criteria": "Every criterion, one-sided ones too",
    "mode": "How abstentions, ties and invalid answers count",
    "coverage": "Coverage, and rates of abstentions, ties and invalid answers",
    "silence": "What abstentions depend on, and bounds",
    "levels": "Micro, macro and item side by side",
    "judges": "Every judge’s matrix, and how the judges agree",
    "raters": "How the humans agree, and the gate",
    "review": "Decisions of the rubric review",
    "checklist": "The checklist",
}
"""Parts of a report that can be left out, as they are named on screen. Leaving one out may miss a practice."""
MOST_LETTERS = 2000
"""Letters of an answer."""


@dataclass(frozen=True)
class Contents:
    """What a report shows.

    Attributes
    ----------
    judge : str
        The judge of the headline; empty for the first.
    level : {"micro", "macro", "item"}
        Of the headline.
    associations : tuple of Association
        Names under which association is reported on two labels; more than one is one number twice.
    inter_judge : tuple of InterJudge
        How agreement among several judges is reported.
    without : frozenset of str
        Keys of `SWITCHES` that are left out.

    Raises
    ------
    InputError
        For an unknown name.
    """

    judge: str = ""
    level: Level = "micro"
    associations: tuple[Association, ...] = ("phi",)
    inter_judge: tuple[InterJudge, ...] = ("alpha",)
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for given, known, what in (
            ((self.level,), ("micro", "macro", "item"), "level"),
            (self.associations, tuple(ASSOCIATIONS), "association"),
            (self.inter_judge, tuple(INTER_JUDGE), "statistic among judges"),
            (sorted(self.without), tuple(SWITCHES), "part of a report"),
        ):
            unknown = [name for name in given if name not in known]
            if unknown:
                raise InputError(f"Unknown {what} {unknown[0]!r}. Use one of: {', '.join(known)}.")

    def has(self, part: str) -> bool:
        return part not in self.without


@dataclass(frozen=True)
class Question:
    """One thing to be said that the data cannot tell.

    Attributes
    ----------
    key : str
        Name in JSON and of `--tell`.
    label, hint : str
        As a field shows them: what is asked, and an example of an answer.
    practices : tuple of int
        Practices of the checklist that ask for it.
    """

    key: str
    label: str
    hint: str
    practices: tuple[int, ...] = ()


QUESTIONS: tuple[Question, ...] = (
    Question("author", "Who made this report", "Jane Doe, evaluation team"),
    Question("task", "What was graded", "Support answers of our assistant, June to August", (1,)),
    Question("items", "How the items were chosen", "226 drawn at random from 41 000 tickets", ()),
    Question("annotators", "Who the annotators were", "Two support agents, each with five years in the team", ()),
    Question("instructions", "What annotators were given", "The rubric, two examples per criterion, no sight of the judge", ()),
    Question("judge_model", "Judge model and version", "name of the model, with its date or revision", ()),
    Question("prompt", "Prompt version", "v7, one call per criterion, rubric in the prompt", ()),
    Question("temperature", "Temperature and number of calls", "0, one call per decision", (10,)),
    Question(
        "abstentions", "How abstentions were asked for", "Both could answer CANNOT_ASSESS; failed calls were repeated once", (6,)
    ),
    Question("ties", "How ties were asked for", "“tie” was one of three answers", (6,)),
)
"""In the order of a form."""
QUESTION_BY_KEY = {question.key: question for question in QUESTIONS}
Answers = Mapping[str, str]


def check_answers(answers: Answers) -> dict[str, str]:
    """Return the answers that say something, in the order of the form.

    Raises
    ------
    InputError
        For an unknown question, and for an answer that is too long.
    """
    unknown = [key for key in answers if key not in QUESTION_BY_KEY]
    if unknown:
        raise InputError(f"Nothing is asked under the name {unknown[0]!r}. Names: {', '.join(QUESTION_BY_KEY)}.")
    kept_answers = {key: str(answers[key]).strip() for key in QUESTION_BY_KEY if str(answers.get(key, "")).strip()}
    long = [key for key, text in kept_answers.items() if len(text) > MOST_LETTERS]
    if long:
        raise InputError(
            f"The answer to {QUESTION_BY_KEY[long[0]].label!r} has {len(kept_answers[long[0]])} letters; "
            f"at most {MOST_LETTERS} are kept."
        )
    return kept_answers
