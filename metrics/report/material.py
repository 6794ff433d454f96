"""What a report is made of: the numbers, the choices behind them, and what people said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from metrics.analyses.coding.compute import CodingReport
from metrics.analyses.overview.result import Overview
from metrics.analyses.preferences.compute import Preferences
from metrics.analyses.records import AgreementReport, Block, Declaration, JudgeReport, Warn
from metrics.analyses.review.changes import BeforeAfter
from metrics.analyses.review.decisions import Review
from metrics.analyses.scores.result import ScoresReport
from metrics.report.checklist.case import Findings
from metrics.report.checklist.compute import Checklist
from metrics.report.checklist.contents import Contents
from metrics.report.recipe import Recipe


@dataclass(frozen=True)
class Rows:
    """What became of the rows of the file, whatever part of it a number speaks of.

    Attributes
    ----------
    left_out : tuple of (reason, rows)
    """

    read: int = 0
    used: int = 0
    left_out: tuple[tuple[str, int], ...] = ()

    @property
    def gone(self) -> int:
        """Rows left out."""
        return sum(count for _, count in self.left_out)


@dataclass(frozen=True, eq=False)
class Material:
    """Everything a report says.

    Attributes
    ----------
    contents : Contents
        With the headline's judge by name.
    answers : mapping of question to answer
        Checked; see `metrics.report.checklist.contents`.
    review : Review or None
    notes : tuple of str
        How the file was read.
    rows : Rows
    n_items : int or None
        Of the whole file; None for a table of counts.
    preferences : mapping of judge to Preferences
        Of the criteria on which two answers are compared; empty where there are none.
    humans : tuple of str
        Of the file.
    overview : Overview or None
        None where no verdict is made on these data.
    before_after : BeforeAfter or None
        κ of every criterion beside the same of a second file, of which no JSON holds the labels.
    coding : CodingReport or None
        What the codes of the disagreements of the headline's judge count up to.
    """

    recipe: Recipe
    contents: Contents
    answers: Mapping[str, str]
    review: Review | None
    findings: Findings
    checklist: Checklist
    declaration: Declaration
    notes: tuple[str, ...] = ()
    rows: Rows = Rows()
    n_items: int | None = None
    preferences: Mapping[str, Preferences] = field(default_factory=dict)
    humans: tuple[str, ...] = ()
    overview: Overview | None = None
    before_after: BeforeAfter | None = None
    coding: CodingReport | None = None

    @property
    def agreement(self) -> AgreementReport | None:
        return self.findings.agreement

    @property
    def headline(self) -> JudgeReport | None:
        """The judge of the headline, where labels were counted."""
        return None if self.agreement is None else self.agreement.judges.get(self.contents.judge)

    @property
    def block(self) -> Block | None:
        """The headline's numbers, at its level."""
        return None if self.headline is None else self.headline.level(self.contents.level)

    @property
    def scored(self) -> tuple[ScoresReport, ...]:
        return self.findings.scored

    @property
    def three(self) -> bool:
        """Whether abstentions are a class among others."""
        return self.declaration.abstention == "as_category"

    def warnings(self) -> Iterator[Warn]:
        """Yield the warnings of every part, each once."""
        reports = (self.findings.agreement, *self.scored, self.findings.humans, self.findings.between)
        seen: set[Warn] = set()
        for report in reports:
            for warning in report.warnings if report is not None else ():
                if warning not in seen:
                    seen.add(warning)
                    yield warning
