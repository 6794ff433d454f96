"""What a report shows of the numbers it could show; the checklist reads it."""

from __future__ import annotations

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
    "kappa": "Cohen’s κ beside accuracy",
    "confusion": "Confusion matrices",
    "rates": "Precision and recall",
    "criteria": "Every criterion, one-sided ones too",
    "mode": "How abstentions, ties and invalid answers count",
    "coverage": "Coverage, and rates of abstentions, ties and invalid answers",
    "silence": "What abstentions go with, and bounds",
    "levels": "Micro, macro and item side by side",
    "judges": "Every judge’s matrix, and how the judges agree",
    "raters": "How the humans agree, and the gate",
    "review": "Decisions of the rubric review",
    "checklist": "The checklist",
}
"""Parts of a report that can be left out, as they are named on screen. Leaving one out may miss a practice."""


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
