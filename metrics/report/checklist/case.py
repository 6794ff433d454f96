"""What is computed once for a report and its checklist, and what the practices are judged by.

That is the findings, what the report shows of them, and what somebody said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.relation import Relation
from metrics.analyses.ensembles.matrices import Matrices
from metrics.analyses.leading import read_first
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.raters.result import RatersReport
from metrics.analyses.records import AgreementReport, Block, Declaration, JudgeReport
from metrics.analyses.scores.result import JudgeScores, Pairs, ScoresReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Coverage
from metrics.data.scales import Scales
from metrics.measures.catalogue import BY_KEY
from metrics.report.checklist.contents import Contents
from metrics.results import words

LISTED = 6
"""Names that a sentence lists."""
NOBODY = "No judge and human rated the same decisions here, so no judge is compared with a reference"


@dataclass(frozen=True, eq=False)
class Findings:
    """What the checklist and the report rest on.

    What is None was not computed, or does not exist for these data. Where a human and a judge met, `agreement` or `scores`
    is there; of a file of raters of one kind only how they agree with each other.

    Attributes
    ----------
    agreement : AgreementReport or None
        Of all judges, over the criteria whose labels can be counted; None where every criterion is a score.
    settings : Settings or None
        The choices behind it; a cost matrix, which no declaration carries, is here.
    scores : ScoresReport or None
        Of the ordered criteria; of the continuous ones where there are no ordered ones.
    numbers : ScoresReport or None
        Of the continuous criteria, where there are ordered ones too.
    scales : Scales or None
        Scale of every criterion of the file, and how far it was stated.
    humans, between : RatersReport or None
        How the humans, and the judges, agree with each other.
    matrices : Matrices or None
        Of all judges where there are several.
    relations : mapping of judge to (judge's silence and label, human's silence and label)
    bounds : mapping of judge to bounds of the level of the headline
        Over everything that the open decisions could have been.
    groups : mapping of column to (groups, items)
        Columns of the file that group items, such as a prompt: several items to a value.
    left_out_criteria : tuple of str
        Criteria of the file that were not asked for, or that none of these reports counts.
    humans_each : (int, int) or None
        Fewest and most humans who rated one decision; None where no human did, and for a table of counts.
    votes_each : (str, int, int) or None
        A column that says how many votes are behind a label of the human, with the fewest and the most; None without one, and
        where it says one vote throughout.
    """

    agreement: AgreementReport | None = None
    settings: Settings | None = None
    scores: ScoresReport | None = None
    numbers: ScoresReport | None = None
    scales: Scales | None = None
    humans: RatersReport | None = None
    between: RatersReport | None = None
    matrices: Matrices | None = None
    relations: Mapping[str, tuple[Relation, Relation]] = field(default_factory=dict)
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    groups: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    left_out_criteria: tuple[str, ...] = ()
    humans_each: tuple[int, int] | None = None
    votes_each: tuple[str, int, int] | None = None

    @property
    def scored(self) -> tuple[ScoresReport, ...]:
        """Reports of ordered and of continuous criteria."""
        return tuple(report for report in (self.scores, self.numbers) if report is not None)

    @property
    def judges(self) -> tuple[str, ...]:
        """Everybody compared with the reference."""
        reports = (self.agreement, *self.scored)
        return tuple(dict.fromkeys(name for report in reports if report is not None for name in report.judges))


@dataclass(frozen=True, eq=False)
class Case:
    """Findings with what the report shows and what was said.

    Attributes
    ----------
    answers : mapping
        Checked; see `metrics.report.checklist.contents`.
    judge : str
        Of the headline; empty where no judge is compared with a reference.
    """

    findings: Findings
    contents: Contents
    answers: Mapping[str, str]
    judge: str

    @property
    def agreement(self) -> AgreementReport | None:
        return self.findings.agreement

    @property
    def scored(self) -> tuple[ScoresReport, ...]:
        return self.findings.scored

    @property
    def ordered(self) -> ScoresReport | None:
        """Of ordered criteria."""
        return next((scores_report for scores_report in self.scored if scores_report.on == "label"), None)

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the judge of the headline; none where no labels were counted."""
        return () if self.judge_report is None else self.judge_report.micro.labels

    @property
    def compared(self) -> bool:
        """Whether some judge is compared with a reference."""
        return self.agreement is not None or bool(self.scored)

    @property
    def declaration(self) -> Declaration:
        """Of the labels that were counted, else of the scores."""
        report = self.agreement or self.scored[0]
        return report.declaration

    @property
    def judge_report(self) -> JudgeReport | None:
        """The judge of the headline, where labels were counted."""
        return None if self.agreement is None else self.agreement.judges.get(self.judge)

    def scores_of(self, report: ScoresReport) -> JudgeScores | None:
        """Return the judge of the headline, where it has scores."""
        return report.judges.get(self.judge)

    @property
    def block(self) -> Block | None:
        """Numbers of the headline, at its level."""
        return None if self.judge_report is None else self.judge_report.level(self.contents.level)

    @property
    def first(self) -> str:
        """The metric that the numbers of the headline are read by first."""
        first = "kappa" if self.judge_report is None else read_first(self.judge_report)
        return first if self.block is None or first in self.block.values else "kappa"

    @property
    def table(self) -> Block | None:
        """A block with a table: of the headline's level, of all decisions where that is a mean over criteria."""
        if self.judge_report is None or self.block is None:
            return None
        return self.judge_report.micro if self.block.confusion is None else self.block

    @property
    def classes(self) -> int:
        """Labels that the tables count; 0 where there are none."""
        return 0 if self.judge_report is None else len(self.judge_report.micro.labels)

    @cached_property
    def coverages(self) -> Mapping[str, Coverage]:
        """Coverage of every judge, where labels were counted or ordered."""
        if self.agreement is not None:
            return {name: report.coverage for name, report in self.agreement.judges.items()}
        coverage_by_judge = {} if not self.scored else {name: scores.coverage for name, scores in self.scored[0].judges.items()}
        return {name: coverage for name, coverage in coverage_by_judge.items() if isinstance(coverage, Coverage)}

    @property
    def numbers_missing(self) -> Pairs | None:
        """Decisions with a number on both sides, of the headline's judge, where only scores are compared."""
        scores = None if self.coverages or not self.scored else self.scores_of(self.scored[0])
        return scores.coverage if scores is not None and isinstance(scores.coverage, Pairs) else None


def estimate_text(block: Block, key: str) -> str:
    """Return a number in a sentence with its interval, or why it has none: “κ 0.64 [0.43, 0.81]”."""
    record = BY_KEY.get(key) or RECORDS[key]
    if key in block.undefined:
        return f"{record.symbol} undefined ({block.undefined[key]})"
    return f"{record.symbol} {words.estimate(block[key], record.unit if record.unit in ('%', 'points') else '')}"


def from_to(values: Sequence[float], unit: str = "") -> str:
    """Return the range of some numbers: “from 0.12 to 0.85”; those undefined are counted."""
    known = [value for value in values if not np.isnan(value)]
    gone = len(values) - len(known)
    if not known:
        return "undefined everywhere"
    low, high = (words.value(end(known), unit) for end in (min, max))
    missing = f", and is undefined for {words.count(gone)}" if gone else ""
    return f"is {low}{missing}" if low == high else f"ranges from {low} to {high}{missing}"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence; of many the first."""
    return words.listed(names, LISTED)
