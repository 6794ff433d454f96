"""The checklist: eleven practices judged on some numbers, what a report shows of them, and what people said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from metrics.analyses.records import AgreementReport
from metrics.analyses.scores.result import ScoresReport
from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.report.checklist.case import Case, Findings
from metrics.report.checklist.contents import Answers, Contents, check_answers
from metrics.report.checklist.on_judges import ensemble
from metrics.report.checklist.on_levels import level
from metrics.report.checklist.on_numbers import accuracy, confusion, one_sided
from metrics.report.checklist.on_scale import association, scale
from metrics.report.checklist.on_silence import left_out, mode, rates
from metrics.report.checklist.on_weights import cost
from metrics.report.checklist.practice import Practice, State
from metrics.results import words
from metrics.results.report import Short

JUDGED: tuple[Callable[[Case], Practice], ...] = (
    scale, association, accuracy, confusion, one_sided, mode, rates, left_out, cost, level, ensemble,
)  # fmt: skip
MARKS: dict[State, str] = {"met": "✓", "not met": "✕", "not applicable": "–"}
AS_IT_IS = Contents()


@dataclass(frozen=True)
class Checklist(Short):
    """The eleven practices on some data.

    Attributes
    ----------
    practices : tuple of Practice
        In the order of their numbers.
    judge : str
        Whose numbers stand in front; empty where no judge is compared with a reference.
    """

    practices: tuple[Practice, ...]
    judge: str = ""

    def of(self, state: State) -> tuple[Practice, ...]:
        """Return practices in one state."""
        return tuple(practice for practice in self.practices if practice.state == state)

    @property
    def count_words(self) -> str:
        """How many are met: "8 of 11 reporting practices met · 2 not met · 1 not applicable"."""
        counts = {state: len(self.of(state)) for state in MARKS}
        rest = [f"{counts[state]} {state}" for state in ("not met", "not applicable") if counts[state]]
        return " · ".join([f"{counts['met']} of {len(self.practices)} reporting practices met", *rest])

    def to_dict(self) -> dict[str, Any]:
        return {
            "judge": self.judge,
            "counts": {state.replace(" ", "_"): len(self.of(state)) for state in MARKS},
            "practices": [practice.to_dict() for practice in self.practices],
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per practice."""
        return pd.DataFrame(
            {
                "number": practice.number, "practice": practice.name,
                "state": practice.state, "evidence": " ".join(practice.evidence),
                "action": practice.action, "page": practice.page,
            }
            for practice in self.practices
        )  # fmt: skip

    def summary(self) -> str:
        """Return a readable text."""
        lines = [f"Checklist: {self.count_words}"]
        for practice in self.practices:
            lines += [
                "",
                f"{MARKS[practice.state]} {practice.number:>2}  {practice.name} ({practice.state})",
                *(f"      {text}" for text in practice.evidence),
            ]
            lines += [f"      → {practice.action}"] if practice.action else []
        return "\n".join(lines)


@checks_arguments
def checklist(
    report: Findings | AgreementReport | ScoresReport, *, contents: Contents = AS_IT_IS, answers: Answers | None = None
) -> Checklist:
    """Return which of the eleven practices a report meets on its data, with the numbers that show it.

    Parameters
    ----------
    report : Findings, AgreementReport or ScoresReport
        What `metrics.report.checklist.gathering.findings` gathers has everything; a report alone lacks what agreement among
        raters, silence and groups of items need, and says so.
    contents : Contents
        What is reported, and the judge in front.
    answers : mapping of question to answer, optional
        What no file of labels can tell; see `metrics.report.checklist.contents`.

    Raises
    ------
    InputError
        For a judge who is not there, and an unknown question.
    """
    findings = report if isinstance(report, Findings) else _only(report)
    case = Case(findings, contents, check_answers(answers or {}), _judge(findings, contents.judge))
    return Checklist(tuple(judge(case) for judge in JUDGED), case.judge)


def _only(report: AgreementReport | ScoresReport) -> Findings:
    return Findings(agreement=report) if isinstance(report, AgreementReport) else Findings(scores=report)


def _judge(findings: Findings, asked: str) -> str:
    """Return the judge that was asked for, else the first."""
    names = findings.judges
    if asked and names and asked not in names:
        raise InputError(f"No judge {words.shorten(asked)!r} is among those compared: {', '.join(names[:12])}.")
    return asked if asked in names else next(iter(names), "")
