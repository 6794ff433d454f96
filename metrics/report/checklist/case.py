"""What the practices are judged by: findings, what the report shows of them, and what somebody said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.analyses.leading import read_first
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import AgreementReport, Block, Declaration, JudgeReport
from metrics.analyses.scores.result import JudgeScores, Pairs, ScoresReport
from metrics.data.abstention import Coverage
from metrics.measures.catalogue import BY_KEY
from metrics.report.checklist.contents import Contents
from metrics.report.checklist.findings import Findings
from metrics.results import words

LISTED = 6
"""Names that a sentence lists."""
NOBODY = "No judge and human rated the same decisions here, so no judge is compared with a reference"


@dataclass(frozen=True, eq=False)
class Case:
    """Findings with what the report shows and what was said.

    Attributes
    ----------
    answers : mapping
        Checked; see `metrics.report.checklist.answers`.
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
        """Of ordered and of continuous criteria."""
        return tuple(
            scores_report for scores_report in (self.findings.scores, self.findings.numbers) if scores_report is not None
        )

    @property
    def ordered(self) -> ScoresReport | None:
        """Of ordered criteria."""
        return next((scores_report for scores_report in self.scored if scores_report.on == "label"), None)

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

    @property
    def judges(self) -> tuple[str, ...]:
        """Everybody compared with the reference."""
        return tuple(
            dict.fromkeys(name for report in (self.agreement, *self.scored) if report is not None for name in report.judges)
        )

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
    return f"is {low}{missing}" if low == high else f"goes from {low} to {high}{missing}"


def listed(names: Sequence[str]) -> str:
    """Return names in a sentence; of many the first."""
    return words.listed(names, LISTED)
